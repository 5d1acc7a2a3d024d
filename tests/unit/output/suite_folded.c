/* suite_folded.c - folded stacks against a reading of the ndjson export, and names that would break
 * a line. */
#include "model/output/folded.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "model/output/ndjson.h"
#include "tests/unit/lib/loaded.h"
#include "tests/unit/lib/must.h"
#include "tests/unit/lib/suites.h"
#include "tests/unit/lib/thrown.h"

static struct chance chance = {9412};

static char *folded(struct trace *trace, const struct range *range, struct filter_match *only) {
    char *text = NULL;
    size_t size;
    FILE *out = open_memstream(&text, &size);
    ck_assert(folded_export(trace, range, only, FOLDED_BY_DEFAULT, out));
    ck_assert_int_eq(fclose(out), 0);
    return text;
}

/* ---- the reading of ndjson ---- */

#define SLICES 400
#define LINE 2000

struct read_slice {
    int64_t parent, ts, end, depth;
    uint64_t tid;
    char name[16];
};

struct path { /* a line of the output */
    char text[LINE];
    int64_t ns;
};

static int64_t number(const char *line, const char *field, int64_t none) {
    const char *at = strstr(line, field);
    return at ? strtoll(at + strlen(field), NULL, 10) : none;
}

/* The slices by their ids; returns their number. */
static int read_slices(struct trace *trace, struct read_slice v[SLICES]) {
    char *text = NULL;
    size_t size;
    int n = 0;
    FILE *out = open_memstream(&text, &size);
    ck_assert(export_ndjson(trace, out));
    ck_assert_int_eq(fclose(out), 0);
    int64_t span = number(text, "\"span_ns\":", -1);
    for (char *line = strtok(text, "\n"); line; line = strtok(NULL, "\n")) {
        if (strstr(line, "\"type\":\"slice\"") == NULL)
            continue;
        int64_t id = number(line, "\"id\":", -1);
        ck_assert(id >= 0 && id < SLICES);
        struct read_slice *s = &v[id];
        *s = (struct read_slice){.parent = number(line, "\"parent\":", -1),
                                 .ts = number(line, "\"ts\":", -1),
                                 .depth = number(line, "\"depth\":", 0),
                                 .tid = (uint64_t)number(line, "\"tid\":", -1)};
        int64_t dur = number(line, "\"dur\":", -1);
        s->end = strstr(line, "\"open\":true") ? span : s->ts + dur;
        ck_assert_int_eq(sscanf(strstr(line, "\"name\":"), "\"name\":\"%15[^\"]\"", s->name), 1);
        n++;
    }
    free(text);
    return n;
}

static void path_text(const struct read_slice *v, int64_t i, char text[LINE]) {
    char all[LINE];
    if (v[i].parent >= 0)
        path_text(v, v[i].parent, text);
    else
        snprintf(text, LINE, "thread %" PRIu64, v[i].tid);
    ck_assert_int_lt(snprintf(all, LINE, "%.1900s;%s", text, v[i].name), LINE);
    memcpy(text, all, LINE);
}

static int64_t *paths_ns(struct path *paths, int *n, const char *text) {
    for (int i = 0; i < *n; i++)
        if (strcmp(paths[i].text, text) == 0)
            return &paths[i].ns;
    snprintf(paths[*n].text, LINE, "%s", text);
    paths[*n].ns = 0;
    return &paths[(*n)++].ns;
}

static int by_time(const void *a, const void *b) {
    int64_t x = *(const int64_t *)a, y = *(const int64_t *)b;
    return (x > y) - (x < y);
}

/* Each stretch of each thread goes to the slice with the greatest (ts, depth) of those around
 * it. */
static int read_paths(const struct read_slice *v, int n, int64_t from, int64_t to, const char *only,
                      struct path *paths) {
    static int64_t times[2 * SLICES + 2];
    int npaths = 0, k = 2;
    char text[LINE];
    times[0] = from;
    times[1] = to;
    for (int i = 0; i < n; i++) {
        times[k++] = v[i].ts;
        times[k++] = v[i].end;
    }
    qsort(times, (size_t)k, sizeof *times, by_time);
    for (int t = 1; t < k; t++) {
        int64_t x = times[t - 1], y = times[t];
        if (x >= y || x < from || y > to)
            continue;
        for (int i = 0; i < n; i++) {
            bool last =
                v[i].ts <= x && v[i].end >= y && (only == NULL || strcmp(only, v[i].name) == 0);
            for (int j = 0; j < n && last; j++)
                last = !(v[j].tid == v[i].tid && v[j].ts <= x && v[j].end >= y &&
                         (v[j].ts > v[i].ts || (v[j].ts == v[i].ts && v[j].depth > v[i].depth)));
            if (last) {
                path_text(v, i, text);
                *paths_ns(paths, &npaths, text) += y - x;
            }
        }
    }
    return npaths;
}

START_TEST(lines_are_those_of_the_ndjson_export) {
    static struct read_slice v[SLICES];
    static struct path paths[SLICES], printed[SLICES];
    for (int n = 0; n < 300; n++) {
        struct err err;
        struct trace *trace = n % 2 ? thrown_trace(&chance, 60) : thrown_nested(&chance, 40, 4);
        struct range range = {0};
        int slices = read_slices(trace, v), nprinted = 0;
        int64_t span = trace_end(trace) - trace_origin(trace), from = 0, to = span;
        if (n % 3 > 0 && span > 0) {
            from = (int64_t)below(&chance, (uint64_t)span);
            to = from + 1 + (int64_t)below(&chance, (uint64_t)(span - from));
            range_set_time(&range, trace, trace_origin(trace) + from, trace_origin(trace) + to);
        }
        struct filter *filter = n % 5 == 0 ? filter_new("name=n1", false, &err) : NULL;
        struct filter_match *only = filter ? filter_match_new(trace, filter) : NULL;
        int npaths = read_paths(v, slices, from, to, filter ? "n1" : NULL, paths);
        char *text = folded(trace, &range, only);
        for (char *line = strtok(text, "\n"); line; line = strtok(NULL, "\n")) {
            char *blank = strrchr(line, ' ');
            ck_assert(blank != NULL);
            *blank = 0;
            MUST(*paths_ns(printed, &nprinted, line) == 0, n); /* once each */
            *paths_ns(printed, &nprinted, line) = strtoll(blank + 1, NULL, 10);
        }
        MUST(nprinted == npaths, n);
        for (int i = 0; i < nprinted; i++)
            MUST(*paths_ns(paths, &npaths, printed[i].text) == printed[i].ns, n);
        free(text);
        filter_match_free(only);
        filter_free(filter);
        trace_free(trace);
    }
}
END_TEST

/* A name can have what separates frames, lines and weights; threads have theirs, with the tid. */
START_TEST(names_cannot_break_a_line) {
    struct trace *trace = loaded_text("magic\nprovider 1 \"p\"\ninit 1000000000\n"
                                      "kernel_object 2 10 \"render;main\" process=koid:1\n"
                                      "complete 0 1/10 \"c\" \"a;b\" end=10\n"
                                      "complete 1 1/10 \"c\" \"x\\ny 7\" end=9\n"
                                      "complete 2 1/10 \"c\" \"\" end=3\n"
                                      "complete 4 1/10 \"c\" \"\\xff\\x1b[31m\" end=6\n"
                                      "complete 6 1/10 \"c\" \"\xc3\xa9\" end=8\n");
    struct range range = {0};
    char *text = folded(trace, &range, NULL);
    ck_assert_str_eq(text, "render\\x3bmain 10;a\\x3bb 2\n"
                           "render\\x3bmain 10;a\\x3bb;x^Jy 7 3\n"
                           "render\\x3bmain 10;a\\x3bb;x^Jy 7;\"\" 1\n"
                           "render\\x3bmain 10;a\\x3bb;x^Jy 7;\xef\xbf\xbd^[[31m 2\n"
                           "render\\x3bmain 10;a\\x3bb;x^Jy 7;\xc3\xa9 2\n");
    free(text);
    trace_free(trace);
}
END_TEST

START_TEST(deep_stacks_end_in_one_frame) {
    char *trace_text = NULL;
    size_t size = 0;
    FILE *f = open_memstream(&trace_text, &size);
    fputs("magic\nprovider 1 \"p\"\ninit 1000000000\n", f);
    for (int i = 0; i < 1500; i++)
        fprintf(f, "begin %d 1/10 \"c\" \"n\"\n", i);
    fprintf(f, "instant 1500 1/10 \"c\" \"i\"\n");
    fclose(f);
    struct trace *trace = loaded_text(trace_text);
    struct range range = {0};
    char *text = folded(trace, &range, NULL);
    int lines = 0;
    int64_t sum = 0;
    for (char *line = strtok(text, "\n"); line; line = strtok(NULL, "\n"), lines++) {
        int frames = 0;
        for (const char *p = line; (p = strchr(p, ';')); p++)
            frames++;
        MUST(frames <= 1000);
        MUST((frames == 1000) == (strstr(line, ";[deeper] ") != NULL));
        sum += strtoll(strrchr(line, ' '), NULL, 10);
    }
    ck_assert_int_eq(lines, 1000);
    ck_assert_int_eq(sum, 1500);
    free(text);
    trace_free(trace);
    free(trace_text);
}
END_TEST

SUITE(folded) {
    Suite *s = suite_create("folded");
    TCase *c = tcase_create("folded");
    tcase_add_test(c, lines_are_those_of_the_ndjson_export);
    tcase_add_test(c, names_cannot_break_a_line);
    tcase_add_test(c, deep_stacks_end_in_one_frame);
    suite_add_tcase(s, c);
    return s;
}
