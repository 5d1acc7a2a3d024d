/* suite_import_places.c - problems name line and column of their event, also of records that
 * waited for later events. */
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

#include "model/trace/trace.h"
#include "model/trace/trace_problems.h"
#include "src/import/importers.h"
#include "tests/lib/chance.h"
#include "tests/lib/scratch.h"
#include "tests/unit/lib/libcheck.h"
#include "tests/unit/lib/must.h"
#include "tests/unit/lib/suites.h"

#define EVENTS 400

/* Blanks and lines between events. */
static const char *gap(struct chance *chance) {
    static const char *const gaps[] = {"", " ", "\n", "\n\n  ", "\t", "\r\n"};
    return gaps[below(chance, sizeof gaps / sizeof *gaps)];
}

/* Events of all kinds, most of them without their partners; no two at one time. */
static char *make(struct chance *chance, size_t *n) {
    static const char *const events[] = {
        "\"ph\":\"B\",\"name\":\"a\"",
        "\"ph\":\"E\",\"name\":\"a\"",
        "\"ph\":\"B\",\"name\":\"b\"",
        "\"ph\":\"E\",\"name\":\"c\"",
        "\"ph\":\"X\",\"dur\":12,\"name\":\"x\"",
        "\"ph\":\"X\",\"dur\":-1,\"name\":\"x\"",
        "\"ph\":\"f\",\"id\":1,\"name\":\"waits\"",
        "\"ph\":\"f\",\"id\":1,\"bp\":\"e\",\"name\":\"flow\"",
        "\"ph\":\"s\",\"id\":2,\"name\":\"flow\"",
        "\"ph\":\"b\",\"id\":3,\"cat\":\"k\",\"name\":\"operation\"",
        "\"ph\":\"e\",\"id\":4,\"cat\":\"k\",\"name\":\"operation\"",
        "\"ph\":\"C\",\"name\":\"counter\",\"args\":{\"v\":\"none\"}",
        "\"ph\":\"T\",\"dur\":9,\"name\":\"Running\",\"args\":{\"cpu\":1}",
        "\"ph\":\"T\",\"dur\":9,\"name\":\"S\",\"damaged_time\":true"};
    char *text = NULL;
    FILE *f = open_memstream(&text, n);
    fprintf(f, "[");
    for (uint64_t i = 0; i < EVENTS; i++) {
        uint64_t ts = 10 * (i ^ below(chance, 4)) + 1000 * (i % 10); /* in no order */
        fprintf(f, "%s%s{\"pid\":1,\"tid\":%" PRIu64 ",%s\"ts\":%" PRIu64 ",%s%s}",
                i > 0 ? "," : "", gap(chance), 1 + below(chance, 3), gap(chance), ts,
                events[below(chance, sizeof events / sizeof *events)], gap(chance));
    }
    fprintf(f, "]");
    fclose(f);
    return text;
}

/* The event at a place, counted from 1; NULL: none is there. */
static const char *event_at(const char *text, uint64_t line, uint64_t column) {
    for (; line > 1 && text; line--) {
        text = strchr(text, '\n');
        text += text != NULL;
    }
    if (text == NULL || strcspn(text, "\n") < column || text[column - 1] != '{')
        return NULL;
    return text + column - 1;
}

/* Whether a problem may be about such an event. */
static bool fits(int kind, const char *event) {
    static const struct {
        int kind;
        const char *phases;
    } all[] = {{PROBLEM_END_WITHOUT_BEGIN, "E"},
               {PROBLEM_BEGIN_WITHOUT_END, "BX"},
               {PROBLEM_END_LOST, "B"},
               {PROBLEM_PARTIAL_OVERLAP, "BX"},
               {PROBLEM_ASYNC_END_WITHOUT_BEGIN, "e"},
               {PROBLEM_ASYNC_BEGIN_WITHOUT_END, "b"},
               {PROBLEM_FLOW_WITHOUT_BEGIN, "f"},
               {PROBLEM_FLOW_WITHOUT_END, "s"},
               {PROBLEM_COUNTER_NOT_NUMERIC, "C"},
               {PROBLEM_SOURCE_BAD_FIELD, "XT"},
               {PROBLEM_SCHED_INCONSISTENT, "T"},
               {PROBLEM_DAMAGED_TIME, "T"}};
    const char *ph = strstr(event, "\"ph\":\"");
    size_t i = 0;
    while (i < sizeof all / sizeof *all && all[i].kind != kind)
        i++;
    return i < sizeof all / sizeof *all && ph && strchr(all[i].phases, ph[6]);
}

/* The time of an event in ns. */
static int64_t time_of(const char *event) {
    return 1000 * strtoll(strstr(event, "\"ts\":") + 5, NULL, 10);
}

START_TEST(problems_name_line_and_column) {
    struct chance chance = {(uint64_t)_i + 1};
    char path[SCRATCH_PATH], buf[TRACE_PROBLEM_TEXT];
    size_t n, places = 0;
    char *text = make(&chance, &n);
    struct err err;
    ck_assert(scratch_write(path, "places", text, n));
    struct trace *trace =
        trace_open(path, &(struct trace_options){.file.importers = importers}, &err);
    ck_assert_msg(trace != NULL, "%s", err.text);
    trace_load(trace);
    const struct problems *all = trace_problems(trace);
    for (int kind = 0; kind < PROBLEM_KINDS; kind++) {
        for (size_t i = 0; i < problem_case_count(&all->kinds[kind]); i++) {
            const struct problem_case *one = problem_case(&all->kinds[kind], i);
            struct problem alone = problem_alone(one);
            uint64_t line, column;
            const char *said = trace_problem_message(trace, kind, &alone, buf);
            ck_assert_msg(sscanf(said, "line %" SCNu64 ", column %" SCNu64 ": ", &line, &column) ==
                              2,
                          "%s: %s", problem_name(kind), said);
            const char *event = event_at(text, line, column);
            ck_assert_msg(event && fits(kind, event), "%s: %s: %.60s", problem_name(kind), said,
                          event ? event : "nothing is there");
            /* an end that waits is at the begin of the next slice */
            bool moved = kind == PROBLEM_FLOW_WITHOUT_BEGIN || kind == PROBLEM_SCHED_INCONSISTENT;
            int64_t time = one->time + (int64_t)reader_base(trace_reader(trace)).lo;
            ck_assert_msg(moved || one->time == PROBLEM_NO_TIME || time == time_of(event),
                          "%s: %s at %" PRId64, problem_name(kind), said, time);
            places++;
        }
    }
    ck_assert_uint_gt(places, EVENTS / 4);
    trace_free(trace);
    unlink(path);
    free(text);
}
END_TEST

SUITE(import_places) {
    Suite *s = suite_create("import_places");
    TCase *c = tcase_create("import_places");
    tcase_add_loop_test(c, problems_name_line_and_column, 0, 8);
    suite_add_tcase(s, c);
    return s;
}
