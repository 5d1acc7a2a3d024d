/* suite_chrome.c - exports for other programs: whole expected outputs (NAME.json, NAME.csv next to
 * NAME.txt). For every fixture the JSON is JSON, has ndjson's slices and nests as viewers expect;
 * the rows of the CSV are the same slices. */
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
#include "tests/lib/tracegen.h"
#include "tests/unit/lib/suites.h"

typedef bool exporter(struct trace *trace, FILE *out);

static char **names; /* without .txt */
static struct dirent **found = NULL;
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
        ck_assert_msg(strncmp(at, line, strlen(line)) == 0, "%s:%d:\nwanted %sgot    %.*s", path, n,
                      line, (int)strcspn(at, "\n"), at);
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

/* s: after the first quote; returns the last one */
static const char *json_string_end(const char *s) {
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

static const char *after_value(const char *s);

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
        s = after_value(s);
        s += strspn(s, " \n");
        if (*s == close)
            return s + 1;
        ck_assert_msg(*s == ',', "no comma: %.40s", s);
        s++;
    }
}

static const char *after_value(const char *s) {
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
    int64_t ts, dur; /* dur -1: open */
    uint64_t pid, tid;
    const char *name; /* inside the quotes */
    int length, depth;
    bool used;
};

/* a quote inside a string is escaped: no false ones */
static const char *field(const char *line, const char *name) {
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

static size_t ndjson_slices(const char *text, struct got *got, size_t cap) {
    size_t n = 0;
    for (const char *l = text; *l; l = strchr(l, '\n') + 1) {
        if (strncmp(l, "{\"type\":\"slice\"", 15) != 0)
            continue;
        const char *dur = field(l, "\"dur\":"), *name = field(l, "\"name\":\"");
        const char *damaged = strstr(l, "\"damaged_dur\":"); /* JSON has it as it is in the file */
        dur = damaged && damaged < strchr(l, '\n') ? field(l, "\"damaged_dur\":") : dur;
        ck_assert_uint_lt(n, cap);
        got[n++] = (struct got){.ts = time_of(field(l, "\"ts\":"), false),
                                .dur = *dur == 'n' ? -1 : time_of(dur, false),
                                .name = name,
                                .length = (int)(json_string_end(name) - name),
                                .depth = (int)strtol(field(l, "\"depth\":"), NULL, 10)};
    }
    return n;
}

/* ---- the JSON as Perfetto reads it ---- */

struct read_event {
    const char *line;
    int64_t ts, dur;
    uint64_t pid, tid;
    char phase;
    size_t place;
};

static int reading_rank(const struct read_event *e) {
    return e->phase == 'E' ? 0 : e->phase == 'X' ? 1 : 2;
}

/* By time, if any event is complete. At one time ends come first, then complete events, the longest
 * one first. */
static int reading_order(const void *a, const void *b) {
    const struct read_event *x = a, *y = b;
    int first = reading_rank(x), second = reading_rank(y);
    if (x->ts != y->ts)
        return x->ts < y->ts ? -1 : 1;
    if (first != second)
        return first - second;
    if (first == 1 && x->dur != y->dur)
        return x->dur > y->dur ? -1 : 1;
    return x->place < y->place ? -1 : x->place > y->place;
}

/* By time, if no event is complete. */
static int plain_order(const void *a, const void *b) {
    const struct read_event *x = a, *y = b;
    if (x->ts != y->ts)
        return x->ts < y->ts ? -1 : 1;
    return x->place < y->place ? -1 : x->place > y->place;
}

enum { READ_MOST = 6000, STACK_MOST = 300, TRACKS_MOST = 200 };

struct track {
    uint64_t pid, tid;
    /* places in `got`, the innermost last; an instant is a slice of no length */
    size_t n, open[STACK_MOST];
};

struct reading {
    struct read_event events[READ_MOST];
    struct track tracks[TRACKS_MOST];
    size_t nevents, ntracks, n;
    struct got got[READ_MOST];
    bool instant[READ_MOST]; /* by place in `got` */
};

static struct reading reading;

static struct track *track_of(struct reading *r, const struct read_event *e) {
    for (size_t i = 0; i < r->ntracks; i++)
        if (r->tracks[i].pid == e->pid && r->tracks[i].tid == e->tid)
            return &r->tracks[i];
    ck_assert_uint_lt(r->ntracks, TRACKS_MOST);
    r->tracks[r->ntracks] = (struct track){.pid = e->pid, .tid = e->tid};
    return &r->tracks[r->ntracks++];
}

/* Removes slices that have ended by then from the stack. */
static void leave_ended(struct reading *r, struct track *t, int64_t time) {
    while (t->n > 0) {
        const struct got *top = &r->got[t->open[t->n - 1]];
        if (top->dur < 0 || top->ts + top->dur > time)
            return;
        t->n--;
    }
}

static void read_begin(struct reading *r, const struct read_event *e) {
    struct track *t = track_of(r, e);
    const char *name = field(e->line, "\"name\":\"");
    int64_t dur = e->phase == 'X' ? e->dur : e->phase == 'B' ? -1 : 0;
    leave_ended(r, t, e->ts);
    if (t->n > 0 && dur >= 0) {
        const struct got *top = &r->got[t->open[t->n - 1]];
        ck_assert_msg(top->dur < 0 || e->ts + dur <= top->ts + top->dur,
                      "it crosses another: %.90s", e->line);
    }
    ck_assert(t->n < STACK_MOST && r->n < READ_MOST);
    r->instant[r->n] = e->phase == 'i';
    r->got[r->n] = (struct got){.ts = e->ts,
                                .dur = dur,
                                .pid = e->pid,
                                .tid = e->tid,
                                .name = name,
                                .length = (int)(json_string_end(name) - name),
                                .depth = (int)t->n};
    t->open[t->n++] = r->n++;
}

static void read_end(struct reading *r, const struct read_event *e) {
    struct track *t = track_of(r, e);
    const char *name = field(e->line, "\"name\":\"");
    leave_ended(r, t, e->ts);
    for (; t->n > 0; t->n--) {
        struct got *top = &r->got[t->open[t->n - 1]];
        if (top->dur < 0 && strncmp(top->name, name, (size_t)top->length + 1) == 0) {
            top->dur = e->ts - top->ts;
            t->n--;
            return;
        }
    }
    ck_abort_msg("an end without its begin: %.90s", e->line);
}

/* Reads the events of threads; `flow` gets the event on top at each flow event. */
static void read_chrome(struct reading *r, const char *text,
                        void (*flow)(const struct read_event *event, const struct got *top)) {
    bool complete = false;
    r->nevents = r->ntracks = r->n = 0;
    for (const char *l = text; *l; l = strchr(l, '\n') + 1) {
        char phase = strncmp(l, "{\"ph\":\"", 7) == 0 ? l[7] : 'M';
        const char *scope = field(l, "\"s\":\"");
        if (phase == 'M' || (phase == 'i' && *scope != 't'))
            continue;
        complete |= phase == 'X';
        const char *dur = phase == 'X' || phase == 'T' ? field(l, "\"dur\":") : NULL;
        ck_assert_uint_lt(r->nevents, READ_MOST);
        r->events[r->nevents] = (struct read_event){.line = l,
                                                    .ts = time_of(field(l, "\"ts\":"), true),
                                                    .dur = dur ? time_of(dur, true) : 0,
                                                    .pid = strtoull(field(l, "\"pid\":"), NULL, 10),
                                                    .tid = strtoull(field(l, "\"tid\":"), NULL, 10),
                                                    .phase = phase,
                                                    .place = r->nevents};
        const struct read_event *e = &r->events[r->nevents++];
        ck_assert_msg(e->tid != 0 || e->pid == 0, "tid 0 is read as the pid: %.90s", l);
    }
    qsort(r->events, r->nevents, sizeof *r->events, complete ? reading_order : plain_order);
    for (size_t i = 0; i < r->nevents; i++) {
        const struct read_event *e = &r->events[i];
        struct track *t = track_of(r, e);
        if (strchr("XBi", e->phase))
            read_begin(r, e);
        else if (e->phase == 'E')
            read_end(r, e);
        else if (strchr("stf", e->phase) && flow)
            flow(e, t->n > 0 && !r->instant[t->open[t->n - 1]] ? &r->got[t->open[t->n - 1]] : NULL);
    }
}

/* Whether a thread's name in the JSON holds the word. */
static bool named_so(const char *text, const struct got *g, const char *word) {
    for (const char *l = text; *l; l = strchr(l, '\n') + 1)
        if (strncmp(l, "{\"ph\":\"M\",\"name\":\"thread_name\"", 32) == 0 &&
            strtoull(field(l, "\"pid\":"), NULL, 10) == g->pid &&
            strtoull(field(l, "\"tid\":"), NULL, 10) == g->tid)
            return field(l, word) != NULL;
    return false;
}

static uint64_t pid_of_cpus(const char *text) {
    const char *cpus = strstr(text, "\"args\":{\"name\":\"CPUs\"}");
    while (cpus && *cpus != '\n')
        cpus--;
    return cpus ? strtoull(field(cpus + 1, "\"pid\":"), NULL, 10) : UINT64_MAX;
}

/* Surrogate pairs as Chrome's export has them. */
static void without_pairs(char *text) {
    for (char *s; (s = strstr(text, "\\udb")) != NULL;) {
        memcpy(s, "\\ufffd", 6);
        memmove(s + 6, s + 12, strlen(s + 12) + 1);
    }
}

static bool same_slice(const struct got *x, const struct got *y, bool depth) {
    return x->ts == y->ts && x->dur == y->dur && x->length == y->length &&
           memcmp(x->name, y->name, (size_t)x->length) == 0 && (!depth || x->depth == y->depth);
}

/* Each slice of ndjson, at its depth but for those that overlap others and are on a track of their
 * own. */
START_TEST(the_slices_are_those_of_ndjson) {
    static struct got wanted[READ_MOST];
    const char *name = names[_i];
    struct trace *trace = open_fixture(name);
    char *lines = exported(trace, export_ndjson), *json = exported(trace, export_json);
    ck_assert_str_eq(after_value(json), "\n");
    without_pairs(lines);
    size_t n = ndjson_slices(lines, wanted, READ_MOST), m = 0;
    read_chrome(&reading, json, NULL);
    for (size_t i = 0; i < reading.n; i++) {
        const struct got *g = &reading.got[i];
        if (reading.instant[i] || g->pid == pid_of_cpus(json))
            continue;
        bool depth = !named_so(json, g, "(overlap ");
        size_t k = 0;
        while (k < n && (wanted[k].used || !same_slice(g, &wanted[k], depth)))
            k++;
        ck_assert_msg(k < n, "%s: %.*s at %" PRId64 ", depth %d", name, g->length, g->name, g->ts,
                      g->depth);
        wanted[k].used = true;
        m++;
    }
    ck_assert_msg(n == m, "%s: %zu slices, not %zu", name, m, n);
    free(lines);
    free(json);
    trace_free(trace);
}
END_TEST

/* ---- flows ---- */

static unsigned flows_seen;

/* A flow event is at a time of the slice that it belongs to; "own_ts" is its own time if it was
 * moved. */
static void flow_is_in_slice(const struct read_event *e, const struct got *top) {
    const char *moved = field(e->line, "\"own_ts\":");
    int64_t at = moved ? time_of(moved, true) : e->ts;
    ck_assert_msg(top != NULL, "it belongs to an instant, or to nothing: %.90s", e->line);
    ck_assert_msg(top->ts <= at && (top->dur < 0 || at <= top->ts + top->dur), "%.90s", e->line);
    flows_seen++;
}

START_TEST(flows_stand_in_slices_that_are_around_them) {
    struct chance chance = {(uint64_t)_i + 1};
    char *text = NULL;
    size_t size, points = 0;
    FILE *f = open_memstream(&text, &size);
    fputs("magic\ninit 1000000000\n", f);
    for (int i = 0, t = 0; i < 60; i++, t += 100) { /* calls in calls, some with an instant */
        for (int depth = 0; depth < 4; depth++)
            fprintf(f, "complete %d 1/%d \"c\" \"call\" end=%d\n",
                    t + depth * 10 + (int)below(&chance, 5), 2 + i % 2,
                    t + 95 - depth * (10 + (int)below(&chance, 5)));
        if (_i % 2 && (int)below(&chance, 2)) /* else no event is moved */
            fprintf(f, "instant %d 1/%d \"c\" \"i\"\n", t + 40 + (int)below(&chance, 30),
                    2 + i % 2);
        for (int k = 0; k < 3; k++, points++)
            fprintf(f, "flow_%s %d 1/%d \"c\" \"f\" id=%d\n",
                    k == 0   ? "begin"
                    : k == 1 ? "step"
                             : "end",
                    t + 10 + 25 * k + (int)below(&chance, 20), 2 + i % 2, i);
    }
    fclose(f);
    struct err err;
    struct trace_bytes bytes = tracegen(text, &err);
    struct trace *trace = open_bytes("flows", bytes, &err);
    char *json = exported(trace, export_json);
    flows_seen = 0;
    read_chrome(&reading, json, flow_is_in_slice);
    ck_assert_uint_eq(flows_seen, points);
    ck_assert(_i % 2 || strstr(json, "\"own_ts\":") == NULL);
    for (size_t i = 0; i < reading.n; i++) /* an arrow makes no instants */
        ck_assert(!reading.instant[i] || strncmp(reading.got[i].name, "i\"", 2) == 0);
    free(json);
    trace_free(trace);
    free(text);
}
END_TEST

static const char states_text[] =
    "magic\n"
    "init 1000000000\n"
    "switch 1000 0 11 3 12\n"
    "wakeup 2000 3 11\n"
    "switch 3000 0 12 5 11\n"
    "complete 100 10/0 \"\" \"zero\" ratio=f64:1 small=f64:0.5 end=200\n"
    "complete 100 10/10 \"\" \"main\" end=200\n";

/* States, numbers and names as Perfetto reads them; each was read otherwise once. */
START_TEST(states_numbers_and_names) {
    static const char *const wanted[] = {
        "{\"ph\":\"T\",\"cat\":\"sched\",\"name\":\"Running\",",
        "\"name\":\"S\",",
        "\"name\":\"R\",",
        "\"name\":\"X\",",
        "\"args\":{\"cpu\":0}",
        "\"ratio\":1.0,\"small\":0.5",
    };
    struct err err;
    struct trace *trace = open_bytes("states", tracegen(states_text, &err), &err);
    char *json = exported(trace, export_json);
    ck_assert_str_eq(after_value(json), "\n");
    for (size_t i = 0; i < sizeof wanted / sizeof *wanted; i++)
        ck_assert_msg(strstr(json, wanted[i]) != NULL, "%s in\n%s", wanted[i], json);
    ck_assert_msg(strstr(json, "{\"name\":\"thread 10\"}") == NULL, "a default name: %s", json);
    read_chrome(&reading, json, NULL); /* no tid 0 */
    const struct got *zero = NULL, *plain = NULL, *cpu = NULL;
    for (size_t i = 0; i < reading.n; i++) {
        const struct got *g = &reading.got[i];
        zero = strncmp(g->name, "zero", 4) == 0 ? g : zero;
        plain = strncmp(g->name, "main", 4) == 0 ? g : plain;
        cpu = g->pid == pid_of_cpus(json) ? g : cpu;
    }
    ck_assert(zero != NULL && plain != NULL && cpu != NULL);
    ck_assert(zero->pid == plain->pid && zero->tid != plain->tid && plain->tid == 10);
    free(json);
    trace_free(trace);
}
END_TEST

/* Among pairs an end at the end of time would close the open slice in it. */
START_TEST(a_slice_to_the_end_of_time_closes_no_open_one) {
    static const char *const heads[] = {
        "X\",\"cat\":\"c\",\"name\":\"x", "B\",\"cat\":\"c\",\"name\":\"a",
        "B\",\"cat\":\"c\",\"name\":\"z", "E\",\"cat\":\"c\",\"name\":\"z",
        "B\",\"cat\":\"c\",\"name\":\"y", "E\",\"cat\":\"c\",\"name\":\"y"};
    struct err err;
    struct trace *trace =
        open_bytes("lasting",
                   tracegen("magic\ninit 1000000000\n"
                            "complete 10 1/1 \"c\" \"x\" end=18446744073709551614\n"
                            "begin 20 1/1 \"c\" \"a\"\n"
                            "complete 30 1/1 \"c\" \"z\" end=30\n"
                            "begin 30 1/1 \"c\" \"y\"\nend 40 1/1 \"c\" \"y\"\n",
                            &err),
                   &err);
    char *json = exported(trace, export_json);
    const char *at = json;
    for (size_t i = 0; i < sizeof heads / sizeof *heads; i++) {
        at = strstr(at, "{\"ph\":\"");
        ck_assert_msg(at && strncmp(at + 7, heads[i], strlen(heads[i])) == 0, "%zu: %s", i, json);
        at++;
    }
    ck_assert_ptr_null(strstr(at, "{\"ph\":\""));
    free(json);
    trace_free(trace);
}
END_TEST

/* Without names the first event has no comma before it; the others are made by two threads. */
START_TEST(many_events_without_names_are_in_order) {
    char *text = NULL;
    size_t size, lines = 0;
    FILE *f = open_memstream(&text, &size);
    fputs("magic\ninit 1000000000\n", f);
    /* pairs, as a slice of no length is at the end of its parent */
    for (int t = 0; t < 2500; t += 10) {
        fprintf(f, "begin %d 1/2 \"c\" \"outer\"\nbegin %d 1/2 \"c\" \"inner\"\n", t, t + 5);
        fprintf(f, "end %d 1/2 \"c\" \"inner\"\nend %d 1/2 \"c\" \"outer\"\n", t + 5, t + 5);
    }
    fclose(f);
    struct err err;
    struct trace *trace = open_bytes("many", tracegen(text, &err), &err);
    char *json = exported(trace, export_json);
    ck_assert_str_eq(after_value(json), "\n");
    int64_t last = 0;
    for (const char *l = strchr(json, '\n'); l[1] == '{'; l = strchr(l + 1, '\n'), lines++) {
        int64_t ts = time_of(field(l + 1, "\"ts\":"), true);
        ck_assert(strncmp(l, lines % 4 < 2 ? "\n{\"ph\":\"B\"" : "\n{\"ph\":\"E\"", 10) == 0 &&
                  ts >= last);
        last = ts;
    }
    ck_assert_uint_eq(lines, 1000);
    free(json);
    trace_free(trace);
    free(text);
}
END_TEST

START_TEST(the_rows_are_the_slices_of_ndjson) {
    struct trace *trace = open_fixture(names[_i]);
    char *lines = exported(trace, export_ndjson), *csv = exported(trace, export_csv),
         *row = strstr(csv, "\r\n") + 2;
    for (const char *l = lines; *l; l = strchr(l, '\n') + 1) {
        if (strncmp(l, "{\"type\":\"slice\"", 15) != 0)
            continue;
        char start[64], cells[96], *end = strstr(row, "\r\n");
        const char *parent = field(l, "\"parent\":"), *dur = field(l, "\"dur\":"),
                   *after = strchr(l, '\n');
        const char *open = strstr(l, "\"open\":true");
        ck_assert_msg(end != NULL, "%s: rows are missing", names[_i]);
        *end = '\0';
        snprintf(start, sizeof start, "%ld,%.*s,", strtol(field(l, "\"id\":"), NULL, 10),
                 parent ? (int)strcspn(parent, ",") : 0, parent ? parent : "");
        snprintf(cells, sizeof cells, ",%" PRId64 ",%.*s,%ld,%s,",
                 time_of(field(l, "\"ts\":"), false), *dur == 'n' ? 0 : (int)strcspn(dur, ","), dur,
                 strtol(field(l, "\"depth\":"), NULL, 10), open && open < after ? "true" : "false");
        ck_assert_msg(strncmp(row, start, strlen(start)) == 0 && strstr(row, cells),
                      "%s:\n%s\nwanted %s...%s", names[_i], row, start, cells);
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

SUITE(chrome) {
    char path[512];
    Suite *s = suite_create("chrome");
    TCase *t = tcase_create("fixtures");
    names_n = scandir(traces_dir(path), &found, is_text, alphasort);
    names = calloc((size_t)(names_n > 0 ? names_n : 1), sizeof *names);
    for (int i = 0; i < names_n; i++) {
        names[i] = found[i]->d_name;
        names[i][strlen(names[i]) - 4] = '\0';
    }
    tcase_add_test(t, a_slice_to_the_end_of_time_closes_no_open_one);
    tcase_add_test(t, states_numbers_and_names);
    tcase_add_test(t, many_events_without_names_are_in_order);
    tcase_add_loop_test(t, flows_stand_in_slices_that_are_around_them, 0, 20);
    tcase_add_loop_test(t, a_fixture_exports_as_written, 0, names_n);
    tcase_add_loop_test(t, the_slices_are_those_of_ndjson, 0, names_n);
    tcase_add_loop_test(t, the_rows_are_the_slices_of_ndjson, 0, names_n);
    suite_add_tcase(s, t);
    return s;
}
