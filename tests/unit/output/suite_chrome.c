/* suite_chrome.c - exports for other programs: whole expected outputs (NAME.json, NAME.csv next to NAME.txt). For
 * every fixture the JSON is JSON, has ndjson's slices and nests as viewers expect; the rows of the CSV are the same
 * slices. */
#include <ctype.h>
#include <dirent.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "model/output/ndjson.h"
#include "tests/lib/chance.h"
#include "tests/lib/scratch.h"
#include "tests/lib/suites.h"
#include "tests/lib/tracegen.h"

typedef bool exporter(struct trace *trace, FILE *out);

static char **names; /* without .txt */
static struct dirent **found;
static int names_n;

static const char *traces_dir(char path[512]) {
    const char *dir = getenv("srcdir");
    snprintf(path, 512, "%s/tests/traces", dir ? dir : ".");
    return path;
}

static struct trace *open_bytes(const char *name, struct trace_bytes bytes, struct err *err) {
    char path[SCRATCH_PATH];
    ck_assert_msg(bytes.v != NULL, "%s: %s", name, err->text);
    ck_assert(scratch_write(path, "chrome", bytes.v, bytes.n));
    free(bytes.v);
    struct trace *trace = trace_open(path, &(struct trace_options){0}, err);
    ck_assert_msg(trace != NULL, "%s: %s", name, trace ? "" : err->text);
    unlink(path);
    trace_load(trace);
    return trace;
}

static struct trace *open_fixture(const char *name) {
    struct err err;
    struct trace_bytes bytes = tracegen_load(name, &err);
    return open_bytes(name, bytes, &err);
}

static char *exported(struct trace *trace, exporter *export) {
    char *out = NULL;
    size_t n = 0;
    FILE *f = open_memstream(&out, &n);
    ck_assert(export(trace, f));
    fclose(f);
    ck_assert_uint_eq(strlen(out), n); /* no NUL comes out */
    return out;
}

/* ---- whole outputs ---- */

static void check_whole(const char *name, const char *suffix, exporter *export) {
    char dir[512], path[800];
    snprintf(path, sizeof path, "%s/%s.%s", traces_dir(dir), name, suffix);
    FILE *f = fopen(path, "rb");
    if (f == NULL)
        return;
    struct trace *trace = open_fixture(name);
    char *got = exported(trace, export);
    const char *at = got;
    char line[4096];
    for (int n = 1; fgets(line, sizeof line, f); n++, at += strlen(line))
        ck_assert_msg(strncmp(at, line, strlen(line)) == 0, "%s:%d:\nwanted %sgot    %.*s", path, n, line,
                      (int)strcspn(at, "\n"), at);
    ck_assert_msg(*at == '\0', "%s: more than wanted: %s", path, at);
    fclose(f);
    free(got);
    trace_free(trace);
}

START_TEST(a_fixture_exports_as_written) {
    check_whole(names[_i], "json", export_json);
    check_whole(names[_i], "csv", export_csv);
}
END_TEST

/* ---- JSON ---- */

static const char *json_string_end(const char *s) { /* s: after the first quote; returns the last one */
    for (; *s != '"'; s++) {
        ck_assert_msg((unsigned char)*s >= 0x20, "a control in a string: %.40s", s);
        if (*s != '\\')
            continue;
        s++;
        if (*s != 'u') {
            ck_assert(strchr("\"\\/bfnrt", *s) && *s);
            continue;
        }
        for (int i = 0; i < 4; i++)
            ck_assert(isxdigit((unsigned char)*++s));
    }
    return s;
}

static const char *json_value(const char *s);

static const char *json_list(const char *s, bool object) { /* s: after the bracket */
    char close = object ? '}' : ']';
    for (bool first = true;; first = false) {
        s += strspn(s, " \n");
        if (first && *s == close)
            return s + 1;
        if (object) {
            ck_assert_msg(*s == '"', "no key: %.40s", s);
            s = json_string_end(s + 1) + 1;
            ck_assert_msg(*s == ':', "no colon: %.40s", s);
            s++;
        }
        s = json_value(s);
        s += strspn(s, " \n");
        if (*s == close)
            return s + 1;
        ck_assert_msg(*s == ',', "no comma: %.40s", s);
        s++;
    }
}

static const char *json_value(const char *s) {
    static const char *const words[] = {"null", "true", "false"};
    char *end;
    if (*s == '{' || *s == '[')
        return json_list(s + 1, *s == '{');
    if (*s == '"')
        return json_string_end(s + 1) + 1;
    for (size_t i = 0; i < 3; i++)
        if (strncmp(s, words[i], strlen(words[i])) == 0)
            return s + strlen(words[i]);
    ck_assert_msg(*s == '-' || isdigit((unsigned char)*s), "no value: %.40s", s);
    strtod(s, &end);
    return end;
}

/* ---- slices ---- */

struct got {
    int64_t ts, dur;
    uint64_t pid, tid;
    const char *name; /* inside the quotes */
    int length;
};

static int by_value(const void *a, const void *b) {
    const struct got *x = a, *y = b;
    if (x->ts != y->ts)
        return x->ts < y->ts ? -1 : 1;
    if (x->dur != y->dur)
        return x->dur < y->dur ? -1 : 1;
    int n = x->length < y->length ? x->length : y->length, c = memcmp(x->name, y->name, (size_t)n);
    return c != 0 ? c : x->length - y->length;
}

static const char *field(const char *line, const char *name) { /* a quote inside a string is escaped: no false ones */
    const char *end = strchr(line, '\n'), *at = strstr(line, name);
    return at && at < end ? at + strlen(name) : NULL;
}

/* "12.034" in microseconds; digits alone are ns. */
static int64_t time_of(const char *s, bool micro) {
    char *end;
    int64_t v = strtoll(s, &end, 10);
    if (!micro)
        return v;
    ck_assert(*end == '.' && strspn(end + 1, "0123456789") == 3);
    return v * 1000 + strtoll(end + 1, NULL, 10);
}

static size_t slices_of(const char *text, bool chrome, struct got *got, size_t cap) {
    size_t n = 0;
    const char *cpus = strstr(text, "\"args\":{\"name\":\"CPUs\"}");
    uint64_t cpus_pid = UINT64_MAX;
    while (cpus && *cpus != '\n')
        cpus--;
    if (cpus)
        cpus_pid = strtoull(field(cpus + 1, "\"pid\":"), NULL, 10);
    for (const char *l = text; *l; l = strchr(l, '\n') + 1) {
        const char *dur = field(l, "\"dur\":"), *pid = field(l, "\"pid\":"), *tid = field(l, "\"tid\":");
        if (strncmp(l, chrome ? "{\"ph\":\"X\"" : "{\"type\":\"slice\"", chrome ? 9 : 15) != 0 || *dur == 'n')
            continue;
        const char *name = field(l, "\"name\":\"");
        struct got g = {time_of(field(l, "\"ts\":"), chrome),
                        time_of(dur, chrome),
                        pid ? strtoull(pid, NULL, 10) : 0,
                        tid ? strtoull(tid, NULL, 10) : 0,
                        name,
                        (int)(json_string_end(name) - name)};
        if (chrome && g.pid == cpus_pid)
            continue;
        ck_assert_uint_lt(n, cap);
        got[n++] = g;
    }
    return n;
}

/* Surrogate pairs as Chrome's export has them. */
static void without_pairs(char *text) {
    for (char *s; (s = strstr(text, "\\udb")) != NULL;) {
        memcpy(s, "\\ufffd", 6);
        memmove(s + 6, s + 12, strlen(s + 12) + 1);
    }
}

/* As Perfetto: what has ended is taken from the stack, and what begins in a slice must end in it. */
static void must_nest(const char *name, const struct got *v, size_t n) {
    for (size_t i = 0; i < n; i++) {
        for (size_t k = 0; k < i; k++) {
            if (v[k].pid != v[i].pid || v[k].tid != v[i].tid || v[k].ts + v[k].dur <= v[i].ts)
                continue;
            ck_assert_msg(v[i].ts + v[i].dur <= v[k].ts + v[k].dur, "%s: %.*s crosses %.*s", name, v[i].length,
                          v[i].name, v[k].length, v[k].name);
        }
    }
}

START_TEST(the_slices_are_those_of_ndjson) {
    static struct got wanted[2000], got[2000];
    const char *name = names[_i];
    struct trace *trace = open_fixture(name);
    char *lines = exported(trace, export_ndjson), *json = exported(trace, export_json);
    ck_assert_str_eq(json_value(json), "\n");
    without_pairs(lines);
    size_t n = slices_of(lines, false, wanted, 2000), m = slices_of(json, true, got, 2000);
    must_nest(name, got, m);
    qsort(wanted, n, sizeof *wanted, by_value);
    qsort(got, m, sizeof *got, by_value);
    ck_assert_msg(n == m, "%s: %zu slices, not %zu", name, m, n);
    for (size_t i = 0; i < n; i++)
        ck_assert_msg(by_value(&wanted[i], &got[i]) == 0, "%s: %.*s at %" PRId64, name, wanted[i].length,
                      wanted[i].name, wanted[i].ts);
    free(lines);
    free(json);
    trace_free(trace);
}
END_TEST

/* As Perfetto: a flow event belongs to the slice or instant that began last on its thread. */
START_TEST(flows_stand_in_slices_that_are_around_them) {
    struct chance chance = {(uint64_t)_i + 1};
    char *text = NULL;
    size_t size, n = 0;
    FILE *f = open_memstream(&text, &size);
    fputs("magic\ninit 1000000000\n", f);
    for (int i = 0, t = 0; i < 60; i++, t += 100) { /* calls in calls, some with an instant */
        for (int depth = 0; depth < 4; depth++)
            fprintf(f, "complete %d 1/%d \"c\" \"call\" end=%d\n", t + depth * 10 + (int)below(&chance, 5), 2 + i % 2,
                    t + 95 - depth * (10 + (int)below(&chance, 5)));
        if ((int)below(&chance, 2))
            fprintf(f, "instant %d 1/%d \"c\" \"i\"\n", t + 40 + (int)below(&chance, 30), 2 + i % 2);
        for (int k = 0; k < 3; k++)
            fprintf(f, "flow_%s %d 1/%d \"c\" \"f\" id=%d\n",
                    k == 0   ? "begin"
                    : k == 1 ? "step"
                             : "end",
                    t + 30 * k + (int)below(&chance, 30), 2 + i % 2, i - i % 4 + (int)below(&chance, 4));
    }
    fclose(f);
    struct err err;
    struct trace_bytes bytes = tracegen(text, &err);
    struct trace *trace = open_bytes("flows", bytes, &err);
    char *json = exported(trace, export_json);
    struct { int64_t from, to; } last[2] = {{0, 0}, {0, 0}};
    for (const char *l = json; *l; l = strchr(l, '\n') + 1) {
        char phase = strncmp(l, "{\"ph\":\"", 7) == 0 ? l[7] : 'M';
        if (strchr("Xistf", phase) == NULL)
            continue;
        int64_t ts = time_of(field(l, "\"ts\":"), true), at = ts;
        unsigned thread = (unsigned)strtoul(field(l, "\"tid\":"), NULL, 10) - 2;
        ck_assert_uint_lt(thread, 2);
        if (phase == 'X' || phase == 'i') {
            last[thread].from = ts;
            last[thread].to = phase == 'X' ? ts + time_of(field(l, "\"dur\":"), true) : ts;
            continue;
        }
        const char *moved = field(l, "\"at\":");
        if (moved)
            at = time_of(moved, true);
        ck_assert_msg(last[thread].from <= at && at <= last[thread].to, "set %d: %.90s", _i, l);
        n++;
    }
    ck_assert_uint_gt(n, 30);
    free(json);
    trace_free(trace);
    free(text);
}
END_TEST

START_TEST(the_rows_are_the_slices_of_ndjson) {
    struct trace *trace = open_fixture(names[_i]);
    char *lines = exported(trace, export_ndjson), *csv = exported(trace, export_csv), *row = strstr(csv, "\r\n") + 2;
    for (const char *l = lines; *l; l = strchr(l, '\n') + 1) {
        if (strncmp(l, "{\"type\":\"slice\"", 15) != 0)
            continue;
        char start[64], cells[96], *end = strstr(row, "\r\n");
        const char *parent = field(l, "\"parent\":"), *dur = field(l, "\"dur\":");
        ck_assert_msg(end != NULL, "%s: rows are missing", names[_i]);
        *end = '\0';
        snprintf(start, sizeof start, "%ld,%.*s,", strtol(field(l, "\"id\":"), NULL, 10),
                 parent ? (int)strcspn(parent, ",") : 0, parent ? parent : "");
        snprintf(cells, sizeof cells, ",%" PRId64 ",%.*s,%ld,%s,", time_of(field(l, "\"ts\":"), false),
                 *dur == 'n' ? 0 : (int)strcspn(dur, ","), dur, strtol(field(l, "\"depth\":"), NULL, 10),
                 *dur == 'n' ? "true" : "false");
        ck_assert_msg(strncmp(row, start, strlen(start)) == 0 && strstr(row, cells), "%s:\n%s\nwanted %s...%s",
                      names[_i], row, start, cells);
        row = end + 2;
    }
    ck_assert_str_eq(row, "");
    free(lines);
    free(csv);
    trace_free(trace);
}
END_TEST

static int is_text(const struct dirent *d) {
    size_t n = strlen(d->d_name);
    return n > 4 && strcmp(d->d_name + n - 4, ".txt") == 0;
}

Suite *suite_chrome(void) {
    char path[512];
    Suite *s = suite_create("chrome");
    TCase *t = tcase_create("fixtures");
    names_n = scandir(traces_dir(path), &found, is_text, alphasort);
    names = calloc((size_t)(names_n > 0 ? names_n : 1), sizeof *names);
    for (int i = 0; i < names_n; i++) {
        names[i] = found[i]->d_name;
        names[i][strlen(names[i]) - 4] = '\0';
    }
    tcase_add_loop_test(t, flows_stand_in_slices_that_are_around_them, 0, 20);
    tcase_add_loop_test(t, a_fixture_exports_as_written, 0, names_n);
    tcase_add_loop_test(t, the_slices_are_those_of_ndjson, 0, names_n);
    tcase_add_loop_test(t, the_rows_are_the_slices_of_ndjson, 0, names_n);
    suite_add_tcase(s, t);
    return s;
}
