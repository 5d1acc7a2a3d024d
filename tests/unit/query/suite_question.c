/* suite_question.c - what --range, --tracks and --filter leave of the exports: read again from the
 * lines of the whole export. */
#include "model/query/stat/question.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "model/output/ndjson.h"
#include "tests/unit/lib/loaded.h"
#include "tests/unit/lib/must.h"
#include "tests/unit/lib/suites.h"
#include "tests/unit/lib/thrown.h"

static struct chance chance = {772341};

static char *lines_of(struct trace *trace, const struct question *asked) {
    char *text = NULL;
    size_t size = 0;
    FILE *f = open_memstream(&text, &size);
    ck_assert(export_ndjson_only(trace, asked, f));
    fclose(f);
    return text;
}

/* The number after `"key":` in a line; false if there is none. */
static bool number_of(const char *line, const char *key, long long *value) {
    char wanted[24];
    snprintf(wanted, sizeof wanted, "\"%s\":", key);
    const char *at = strstr(line, wanted);
    char *end;
    if (at == NULL)
        return false;
    at += strlen(wanted);
    *value = strtoll(at, &end, 10);
    return end != at;
}

static bool is_type(const char *line, const char *type) {
    char begin[40];
    snprintf(begin, sizeof begin, "{\"type\":\"%s\"", type);
    return strncmp(line, begin, strlen(begin)) == 0;
}

/* Whether a line of the whole export overlaps [from, to), or [from, to]: by its ts and dur, or its
 * points. */
static bool overlaps(const char *line, long long from, long long to, bool closed) {
    long long ts, dur = 0, end;
    if (is_type(line, "blob") || is_type(line, "module") || !number_of(line, "ts", &ts))
        return true;
    end = number_of(line, "dur", &dur) ? ts + dur : strstr(line, "\"dur\":null") ? INT64_MAX : ts;
    for (const char *at = line; is_type(line, "flow") && (at = strstr(at, "\"ts\":")) != NULL; at++)
        number_of(at, "ts", &end);
    return (ts < to || (closed && ts == to)) && (end > from || ts >= from);
}

/* The lines that are asked for are those of the whole export that overlap, in its order; but the
 * last counts them. */
static void check_range(struct trace *trace, long long from, long long to, int n) {
    char text[80];
    long long ahead = trace_begin(trace) - trace_origin(trace),
              span = trace_end(trace) - trace_begin(trace);
    struct question asked;
    struct err err;
    const char *wrong;
    snprintf(text, sizeof text, "%lldns..%lldns", from, to);
    ck_assert(
        question_init(&asked, trace, &(struct question_texts){.range = text}, false, &wrong, &err));
    char *all = lines_of(trace, NULL), *left = lines_of(trace, &asked), *rest = left,
         *kept_on = NULL, *on = NULL;
    long long kept = 0, told = 0;
    for (char *line = strtok_r(all, "\n", &on); line; line = strtok_r(NULL, "\n", &on)) {
        if (is_type(line, "end") || !overlaps(line, from + ahead, to + ahead, to >= span))
            continue;
        char *got = strtok_r(rest, "\n", &kept_on);
        rest = NULL;
        MUST(got && strcmp(got, line) == 0, n);
        kept++;
    }
    char *last = strtok_r(rest, "\n", &kept_on);
    MUST(last && is_type(last, "end") && number_of(last, "lines", &told) && told == kept + 1, n);
    free(all);
    free(left);
    question_free(&asked);
}

START_TEST(a_range_leaves_the_lines_that_overlap_it) {
    static const char *const fixtures[] = {"every_kind", "sched_layouts", "flow_points",
                                           "instant_edges", "logs"};
    for (int n = 0; n < 150; n++) {
        struct trace *trace = n % 50 == 0  ? thrown_far(&chance)
                              : n % 3 == 0 ? loaded_fixture(fixtures[n / 3 % 5])
                                           : thrown_trace(&chance, 60);
        uint64_t span = (uint64_t)(trace_end(trace) - trace_begin(trace)) + 3;
        long long a = (long long)below(&chance, span - 2),
                  b = a + 1 + (long long)below(&chance, span);
        check_range(trace, a, b, n);
        trace_free(trace);
    }
}
END_TEST

static const char tracks[] = "magic\n"
                             "complete 10 3/4 \"\" \"one\" end=20\n"
                             "complete 10 3/5 \"\" \"two\" end=20\n"
                             "complete 10 7/8 \"\" \"three\" end=20\n"
                             "instant 11 3/4 \"\" \"point\"\n"
                             "async_begin 11 3/5 \"\" \"load\" id=1\n"
                             "counter 12 7/8 \"\" \"heap\" id=0 bytes=u32:9 pages=u32:7\n"
                             "flow_begin 13 3/4 \"\" \"flow\" id=9\n"
                             "flow_end 14 7/8 \"\" \"flow\" id=9\n"
                             "log 15 3/5 \"text\"\n"
                             "switch 16 2 4 2 5\n";

/* The lines of each type as a letter, in their order: o is a counter, c a run on a CPU; slices and
 * states have their tid. */
static const char *left_by(struct trace *trace, const char *pattern, char out[80]) {
    static const char *const types[] = {"slice", "instant", "counter", "async",
                                        "flow",  "log",     "sched",   "state"};
    struct question asked;
    struct err err;
    const char *wrong;
    char *on = NULL;
    size_t n = 0;
    ck_assert(question_init(&asked, trace, &(struct question_texts){.tracks = pattern}, false,
                            &wrong, &err));
    char *text = lines_of(trace, &asked);
    for (char *line = strtok_r(text, "\n", &on); line; line = strtok_r(NULL, "\n", &on))
        for (size_t k = 0; k < sizeof types / sizeof *types; k++)
            if (is_type(line, types[k])) {
                long long tid = 0;
                number_of(line, "tid", &tid);
                n += (size_t)snprintf(out + n, 80 - n, k == 0 || k == 7 ? "%c%lld " : "%c ",
                                      "sioaflcs"[k], tid);
            }
    out[n > 0 ? n - 1 : 0] = 0;
    free(text);
    question_free(&asked);
    return out;
}

START_TEST(tracks_leave_the_lines_on_them) {
    static const struct {
        const char *pattern, *left;
    } cases[] = {
        {"tid=4", "s4 c s4 i s4 f"},
        {"tid=5", "s5 l c s5"},
        {"tid=8", "s8 f"},
        {"pid=7", "s8 o o f"},
        {"load", "a"},
        {"heap.pages", "o"},
        {"cpu", "c c"},
        {"log", "l"},
        {"nothing", ""},
    };
    struct trace *trace = loaded_text(tracks);
    char out[80];
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++)
        ck_assert_msg(strcmp(left_by(trace, cases[i].pattern, out), cases[i].left) == 0, "%s: %s",
                      cases[i].pattern, out);
    trace_free(trace);
}
END_TEST

START_TEST(the_option_that_was_wrong_is_named) {
    static const struct {
        struct question_texts texts;
        const char *wrong;
    } cases[] = {
        {{"1ms", "tid=4", "one"}, "--range"},
        {{"0..1ms", "dur>1ms", "one"}, "--tracks"},
        {{"0..1ms", "tid=4", "dur>"}, "--filter"},
        {{NULL, NULL, ""}, "--filter"},
    };
    struct trace *trace = loaded_text(tracks);
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        struct question asked;
        struct err err;
        const char *wrong = "";
        ck_assert(!question_init(&asked, trace, &cases[i].texts, false, &wrong, &err));
        ck_assert_str_eq(wrong, cases[i].wrong);
        ck_assert(err.text[0] != 0);
        question_free(&asked);
    }
    trace_free(trace);
}
END_TEST

/* A left side that names nothing is a fault of a text mode, but a name of the trace may look like a
 * term. */
START_TEST(an_unknown_field_is_a_fault) {
    static const struct {
        const char *filter, *unknown; /* NULL: it is a filter */
    } cases[] = {{"foo=1", "foo"},    {"!foo=1", "foo"},  {"one foo>3", "foo"}, {"xx=", "xx="},
                 {"size=1", NULL},    {"a=b", NULL},      {"operator<", NULL},  {"a=", NULL},
                 {"\"foo=1\"", NULL}, {"name=foo", NULL}, {"nothing", NULL},    {"\"xx=\"", NULL}};
    struct trace *trace = loaded_text("magic\nbegin 0 1/2 \"\" \"operator<\" size=i32:3\n"
                                      "instant 1 1/2 \"\" \"a=b\"\n");
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        struct question asked;
        struct err err = {.text = ""};
        const char *wrong = "", *unknown = cases[i].unknown;
        bool good =
            question_init(&asked, trace, &(struct question_texts){.filter = cases[i].filter}, false,
                          &wrong, &err);
        ck_assert_msg(good == (unknown == NULL), "%s: %s", cases[i].filter, err.text);
        ck_assert_msg(good || strstr(err.text, unknown), "%s: %s", cases[i].filter, err.text);
        question_free(&asked);
    }
    trace_free(trace);
}
END_TEST

SUITE(question) {
    Suite *s = suite_create("question");
    TCase *c = tcase_create("question");
    tcase_add_test(c, a_range_leaves_the_lines_that_overlap_it);
    tcase_add_test(c, tracks_leave_the_lines_on_them);
    tcase_add_test(c, an_unknown_field_is_a_fault);
    tcase_add_test(c, the_option_that_was_wrong_is_named);
    suite_add_tcase(s, c);
    return s;
}
