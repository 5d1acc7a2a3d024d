/* suite_filter_match.c - filters of events: against a slow reading of the export of the same trace
 * (slow_filter.h), and the work that hostile traces take. */
#include "model/query/filter/filter_match.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "model/output/ndjson.h"
#include "model/query/filter/filter_lanes.h"
#include "tests/lib/chance.h"
#include "tests/lib/scratch.h"
#include "tests/lib/tracegen.h"
#include "tests/unit/lib/checked.h"
#include "tests/unit/lib/loaded.h"
#include "tests/unit/lib/must.h"
#include "tests/unit/lib/suites.h"
#include "tests/unit/lib/thrown_events.h"
#include "tests/unit/query/slow_filter.h"

#define ALL_KINDS                                                                                  \
    (SLICE_ITER_SLICES | SLICE_ITER_INSTANTS | SLICE_ITER_OPERATIONS | SLICE_ITER_ASYNC_INSTANTS | \
     SLICE_ITER_COUNTERS | SLICE_ITER_STATES | SLICE_ITER_LOGS | SLICE_ITER_FLOWS)

static struct chance chance = {424243};

/* ---- filters at random ---- */

static const struct form {
    const char *field, *ops, *values; /* separated by blanks; "_" in a value is one */
} forms[] = {
    {"", "~", "frame Frame a_b raw operator<"},
    {"name", "= != ~ !~", "frame Frame a_b raw draw Layout"},
    {"cat", "= != ~ !~", "gfx net e"},
    {"thread", "= != ~ !~", "ui thread_11 1"},
    {"process", "= != ~", "render process_2 e"},
    {"pid", "= != < <= > >=", "1 2"},
    {"tid", "= != < <= > >=", "10 11 12"},
    {"cpu", "= != < <= > >=", "0 1"},
    {"depth", "= != < <= > >=", "0 1 2 3"},
    {"kind", "= !=", "slice instant async flow counter log state"},
    {"kind", "=", "slice instant async flow counter log state"},
    {"dur", "= != < <= > >=", "0 20ns 50ns 90ns p50 p90 p99 p100"},
    {"self", "= != < <= > >=", "0 10ns 30ns"},
    {"ts", "< <= > >=", "100ns 800ns 1500ns"},
    {"hop", "< <= > >=", "0 20ns 60ns"},
    {"in", "= != ~ !~", "Frame frame a_b draw o"},
    {"parent", "= != ~", "Frame frame a_b draw"},
    {"has", "= != ~", "Frame frame a_b draw"},
    {"flow", "= != ~", "Frame frame Layout"},
    {"state", "= !=", "running blocked runnable suspended"},
    {"open", "", ""},
    {"size", "= != < <= > >= ~", "10 50 -10 0 b"},
    {"arg.size", "= != > >=", "10 50 90"},
    {"arg.*", "= != ~ !~ > >=", "10 50 b Frame ui"},
    {"who", "= != ~ < >=", "b x_y Frame c"},
    {"k", "= != ~ >", "9 10 11 ui render"},
    {"operator", "= < ~ !=", "x <"},
};
#define FORMS (sizeof forms / sizeof *forms)

static const char *any_word(const char *words, char out[16]) {
    size_t n = 1, pick;
    for (const char *p = words; *p; p++)
        n += *p == ' ';
    for (pick = below(&chance, n); pick > 0; words++)
        pick -= *words == ' ';
    size_t length = strcspn(words, " ");
    memcpy(out, words, length);
    out[length] = '\0';
    for (char *p = out; *p; p++)
        *p = *p == '_' ? ' ' : *p;
    return out;
}

/* Appends the term to `text`, of `cap` bytes. */
static struct slow_term throw_term(char *text, size_t cap) {
    static char ops[FORMS][8][4];
    const struct form *form = &forms[below(&chance, FORMS)];
    struct slow_term t = {.field = form->field, .op = "~", .negated = below(&chance, 5) == 0};
    char op[16] = "";
    if (*form->ops) {
        any_word(form->ops, op);
        size_t slot = 0;
        while (ops[form - forms][slot][0] && strcmp(ops[form - forms][slot], op) != 0)
            slot++;
        ck_assert_uint_lt(strlen(op), sizeof ops[0][slot]);
        t.op = memcpy(ops[form - forms][slot], op, strlen(op) + 1);
    } else {
        t.op = "=";
    }
    checked_append(text, cap, "%s%s%s", t.negated ? "!" : "", form->field, *form->field ? op : "");
    t.n = *form->ops == '\0' ? 0
                             : 1 + (below(&chance, 4) == 0 && strcmp(form->field, "operator") != 0);
    for (size_t i = 0; i < t.n; i++) {
        any_word(form->values, t.values[i]);
        bool quotes =
            strchr(t.values[i], ' ') || (*form->field == '\0' && strpbrk(t.values[i], "<="));
        checked_append(text, cap, quotes ? "%s\"%s\"" : "%s%s", i > 0 ? "," : "", t.values[i]);
    }
    return t;
}

static unsigned kind_of(const struct slice_series *s) {
    return s->kind == SLICE_ITER_SLICES     ? FILTER_SLICE
           : s->kind == SLICE_ITER_INSTANTS ? FILTER_INSTANT
           : s->kind == SLICE_ITER_COUNTERS ? FILTER_COUNTER
           : s->kind == SLICE_ITER_STATES   ? FILTER_STATES
           : s->kind == SLICE_ITER_LOGS     ? FILTER_LOG
           : s->kind == SLICE_ITER_FLOWS    ? FILTER_FLOWS
                                            : FILTER_ASYNC;
}

/* The line of an entry; NULL: the export has none. */
static const struct slow_event *line_of(const struct slow_reading *r, struct trace *trace,
                                        const struct slice_series *s, uint32_t i) {
    unsigned kind = kind_of(s);
    long long ts = slice_iter_time(s, i) - trace_origin(trace),
              offset = (long long)slice_iter_offset(s, i);
    for (size_t k = 0; k < r->n; k++) {
        const struct slow_event *e = &r->v[k];
        if (e->kind != kind || e->ts != ts)
            continue;
        if (kind == FILTER_STATES) {
            const struct sched_thread *t =
                sched_thread_at(trace_sched(trace), s->track - SLICE_ITER_STATE_TRACK);
            if ((long long)trace_thread(trace, t->thread)->id.tid == e->tid &&
                (e->dur >= 0 ? e->dur == slice_dur(lane_at(&t->lane, i))
                             : slice_open(lane_at(&t->lane, i))))
                return e;
        } else if (e->offset == offset &&
                   (kind != FILTER_ASYNC || (s->async_instants != NULL) == (e->dur == -2)) &&
                   (kind != FILTER_COUNTER ||
                    str_eq(trace_name(trace, s->counter->argument), str_of(e->series)))) {
            return e;
        }
    }
    return NULL;
}

static size_t compare(struct trace *trace, const struct slow_reading *r, const char *text,
                      const struct slow_term *terms, size_t n) {
    struct err err;
    struct slice_series s;
    struct filter *filter = filter_new(text, false, &err);
    ck_assert_msg(filter != NULL, "%s: %s", text, err.text);
    struct filter_match *m = filter_match_new(trace, filter);
    size_t held = 0;
    while (!filter_match_step(m, TASK_OF(1 + (uint32_t)below(&chance, 300))))
        ;
    for (uint32_t track = 0, row = 0; slice_iter_series(trace, ALL_KINDS, &track, &row, &s);)
        for (uint32_t i = 0; i < s.n; i++) {
            const struct slow_event *e = line_of(r, trace, &s, i);
            if (e == NULL)
                continue;
            bool holds = filter_match_event(m, &s, i);
            ck_assert_msg(holds == slow_filter_holds(r, terms, n, e),
                          "%s: %d for %s '%s' at %lld of %lld", text, holds,
                          slow_filter_kind(e->kind), e->name, e->ts, e->tid);
            held += holds;
        }
    filter_match_free(m);
    filter_free(filter);
    return held;
}

/* Thousands of filters on random traces with overlaps, open slices and contradicting switches. */
START_TEST(filters_against_a_slow_reading) {
    size_t held = 0, filters = 0;
    for (int k = 0; k < 60; k++) {
        struct trace *trace = thrown_events(&chance, 40 + (unsigned)below(&chance, 90));
        struct slow_reading r = slow_filter_read(trace);
        for (int i = 0; i < 80; i++, filters++) {
            struct slow_term terms[3];
            char text[200] = "";
            size_t n = 1 + below(&chance, 3);
            for (size_t t = 0; t < n; t++) {
                if (t > 0)
                    checked_append(text, sizeof text, " ");
                terms[t] = throw_term(text, sizeof text);
            }
            held += compare(trace, &r, text, terms, n) > 0;
        }
        vec_free(&r.sched);
        vec_free(&r);
        trace_free(trace);
    }
    ck_assert_uint_gt(held, filters / 4);
}
END_TEST

static char *csv_of(struct trace *trace, const struct question *asked) {
    char *text = NULL;
    size_t size = 0;
    FILE *f = open_memstream(&text, &size);
    ck_assert(export_csv_only(trace, asked, f));
    fclose(f);
    return text;
}

/* --filter leaves lines of the whole export, as many as slices match, with the same ids. */
START_TEST(exports_of_what_matches) {
    static const char *const filters[] = {"Frame", "dur>30ns !open", "in=Frame depth>1", "size>0",
                                          "nothing"};
    for (int k = 0; k < 20; k++) {
        struct trace *trace = thrown_events(&chance, 200);
        struct err err;
        struct slice_series s;
        struct filter *filter = filter_new(filters[k % 5], false, &err);
        struct filter_match *m = filter_match_new(trace, filter);
        struct question asked;
        const char *wrong;
        ck_assert(question_init(&asked, trace, &(struct question_texts){.filter = filters[k % 5]},
                                false, &wrong, &err));
        size_t wanted = 1, lines = 0;
        ck_assert(filter_match_step(m, NULL));
        for (uint32_t track = 0, row = 0;
             slice_iter_series(trace, SLICE_ITER_SLICES, &track, &row, &s);)
            for (uint32_t i = 0; i < s.n; i++)
                wanted += filter_match_event(m, &s, i);
        char *all = csv_of(trace, NULL), *left = csv_of(trace, &asked);
        for (char *line = strtok(left, "\n"); line; line = strtok(NULL, "\n"), lines++)
            ck_assert_ptr_nonnull(strstr(all, line));
        MUST(lines == wanted, k);
        free(all);
        free(left);
        question_free(&asked);
        filter_match_free(m);
        filter_free(filter);
        trace_free(trace);
    }
}
END_TEST

/* An open slice, an end of another name and an overlap are problems; so is a record that the list
 * of problems names. */
START_TEST(problems_are_asked_by_record) {
    struct trace *trace =
        loaded_text("magic\ninit 1000000000\nbegin 1 1/1 \"c\" \"open\"\nbegin 2 1/1 \"c\" \"a\"\n"
                    "end 3 1/1 \"c\" \"b\"\ncomplete 4 1/1 \"c\" \"fine\" end=5\n");
    struct err err;
    struct slice_series s;
    struct filter *filter = filter_new("problem", false, &err);
    struct filter_match *m = filter_match_new(trace, filter);
    ck_assert(filter_match_step(m, NULL));
    for (uint32_t track = 0, row = 0;
         slice_iter_series(trace, SLICE_ITER_SLICES, &track, &row, &s);)
        for (uint32_t i = 0; i < s.n; i++)
            MUST(filter_match_event(m, &s, i) ==
                     !str_eq(trace_slice_name(trace, lane_at(s.lane, i)), STR("fine")),
                 (int)i);
    filter_match_free(m);
    filter_free(filter);
    trace_free(trace);
}
END_TEST

/* A stack of n slices, each with an instant and a flow; with `overlaps`, slices that overlap in a
 * chain instead. */
static struct trace *hostile_trace(unsigned n, bool overlaps) {
    char *text = NULL;
    size_t size = 0;
    FILE *f = open_memstream(&text, &size);
    fputs("magic\ninit 1000000000\n", f);
    for (unsigned i = 0; i < n; i++)
        if (overlaps)
            fprintf(f, "complete %u 1/1 \"c\" \"n%u\" end=%u\n", i + 1, i % 3, i + n);
        else
            fprintf(f, "begin %u 1/1 \"c\" \"n%u\"\nflow_step %u 1/1 \"c\" \"f\" id=7\n", 2 * i + 1,
                    i % 3, 2 * i + 2);
    fclose(f);
    struct trace *trace = loaded_text(text);
    free(text);
    return trace;
}

/* Steps of so many units until the filter is ready and has been asked for every slice. */
static uint64_t steps_of(struct trace *trace, const char *text) {
    struct err err;
    struct slice_series s;
    uint64_t steps = 0;
    struct filter *filter = filter_new(text, false, &err);
    struct filter_match *m = filter_match_new(trace, filter);
    for (; !filter_match_step(m, TASK_OF(100)); steps += 100)
        ;
    for (uint32_t track = 0, row = 0;
         slice_iter_series(trace, SLICE_ITER_SLICES, &track, &row, &s);)
        for (uint32_t i = 0; i < s.n; i++) {
            filter_match_event(m, &s, i);
            steps += filter_match_cost(m);
        }
    filter_match_free(m);
    filter_free(filter);
    return steps;
}

/* Twice as many slices inside each other, or overlapping, are at most about twice the work. */
START_TEST(work_is_linear_on_hostile_traces) {
    static const char *const filters[] = {
        "has=n1",   "in=n2 has=n0", "parent=n1 depth>5", "flow=f",
        "self>1ns", "nosuch<3",     "dur>p50",           "state=running self<9s"};
    for (int overlaps = 0; overlaps < 2; overlaps++) {
        struct trace *less = hostile_trace(1000, overlaps), *more = hostile_trace(4000, overlaps);
        for (size_t i = 0; i < sizeof filters / sizeof *filters; i++) {
            uint64_t few = steps_of(less, filters[i]), many = steps_of(more, filters[i]);
            ck_assert_msg(many <= few * 5 && few > 0, "%s: %llu, then %llu", filters[i],
                          (unsigned long long)few, (unsigned long long)many);
        }
        trace_free(less);
        trace_free(more);
    }
}
END_TEST

#define SWITCHES 10000u
#define CPUS 200u

/* Two threads that are switched so many times, one with slices; later an operation, and a switch on
 * each CPU. */
static struct trace *switching_trace(unsigned switches) {
    char *text = NULL;
    size_t size = 0;
    FILE *f = open_memstream(&text, &size);
    fputs("magic\ninit 1000000000\nkernel_object 2 10 \"ui\" process=koid:1\n", f);
    for (unsigned i = 0; i < switches; i++) {
        unsigned out = 10 + i % 2;
        fprintf(f, "switch %u 0 %u %u %u\n", 10 * i + 1, out, (unsigned)below(&chance, 4),
                21 - out);
        if (i % 10 == 0)
            fprintf(f, "complete %u 1/10 \"c\" \"n\" end=%u\n", 10 * i + 3,
                    10 * i + 3 + (unsigned)below(&chance, 90));
    }
    fprintf(f, "async_begin %u 1/10 \"c\" \"n\" id=1\nasync_end %u 1/10 \"c\" \"n\" id=1\n",
            10 * switches, 10 * switches + 1);
    for (unsigned i = 1; i < CPUS; i++)
        fprintf(f, "switch %u %u %u 3 %u\n", 10 * switches + 1 + i, i, 1000 + i, 2000 + i);
    fclose(f);
    struct trace *trace = loaded_text(text);
    free(text);
    return trace;
}

/* Interval by interval: whether the thread was blocked at some time of a slice. */
static bool slow_blocked(struct trace *trace, uint32_t thread, const struct slice *slice) {
    const struct sched_thread *t = sched_thread(trace_sched(trace), thread);
    int64_t end = slice_end(slice) > slice->start ? slice_end(slice) : slice->start + 1;
    for (uint32_t i = 0; i < t->lane.n; i++)
        if (sched_state(t, i) == SCHED_BLOCKED && lane_start(&t->lane, i) < end &&
            slice_end(lane_at(&t->lane, i)) > slice->start)
            return true;
    return false;
}

/* Steps until a filter on states is ready, each with the least budget. */
static unsigned steps_for_states(unsigned switches) {
    struct trace *trace = switching_trace(switches);
    struct err err;
    unsigned steps = 0;
    struct filter *filter = filter_new("state=blocked", false, &err);
    struct filter_match *m = filter_match_new(trace, filter);
    while (!filter_match_step(m, TASK_OF(1)))
        steps++;
    filter_match_free(m);
    filter_free(filter);
    trace_free(trace);
    return steps;
}

/* The states of a long thread are taken in several steps, and the answers are those of a slow
 * reading. */
START_TEST(long_threads_take_several_steps) {
    struct trace *trace = switching_trace(SWITCHES);
    struct err err;
    struct slice_series s;
    unsigned held = 0;
    struct filter *filter = filter_new("state='not running'", false, &err);
    struct filter_match *m = filter_match_new(trace, filter);
    uint32_t track = 0, row = 0;
    ck_assert_uint_ge(steps_for_states(SWITCHES), steps_for_states(10) + 4);
    ck_assert(filter_match_step(m, NULL));
    ck_assert(slice_iter_series(trace, SLICE_ITER_SLICES, &track, &row, &s) && s.n > 100);
    for (uint32_t i = 0; i < s.n; i++) {
        bool holds = filter_match_event(m, &s, i);
        MUST(holds == slow_blocked(trace, s.track, lane_at(s.lane, i)), (int)i);
        held += holds;
    }
    ck_assert(held > 0 && held < s.n);
    filter_match_free(m);
    filter_free(filter);
    trace_free(trace);
}
END_TEST

/* The cost of a filter for the first event of a kind. */
static uint32_t cost_of(struct trace *trace, const char *text, unsigned kind) {
    struct err err;
    struct slice_series s;
    uint32_t track = 0, row = 0;
    struct filter *filter = filter_new(text, false, &err);
    struct filter_match *m = filter_match_new(trace, filter);
    ck_assert(filter_match_step(m, NULL));
    ck_assert(slice_iter_series(trace, kind, &track, &row, &s));
    filter_match_event(m, &s, 0);
    uint32_t cost = filter_match_cost(m);
    filter_match_free(m);
    filter_free(filter);
    return cost;
}

/* The thread of an operation is in its record, and cpu asks each CPU on which the answer depends:
 * the budget is charged with both. */
START_TEST(records_and_cpus_are_charged) {
    struct trace *trace = switching_trace(10);
    ck_assert_uint_gt(cost_of(trace, "tid=10", SLICE_ITER_OPERATIONS),
                      cost_of(trace, "tid=10", SLICE_ITER_SLICES) + 3);
    ck_assert_uint_ge(cost_of(trace, "cpu<999", SLICE_ITER_SLICES), CPUS);
    ck_assert_uint_lt(cost_of(trace, "cpu=3", SLICE_ITER_SLICES), CPUS / 4);
    trace_free(trace);
}
END_TEST

SUITE(filter_match) {
    Suite *s = suite_create("filter_match");
    TCase *c = tcase_create("filter_match");
    tcase_set_timeout(c, 60);
    tcase_add_test(c, filters_against_a_slow_reading);
    tcase_add_test(c, exports_of_what_matches);
    tcase_add_test(c, problems_are_asked_by_record);
    tcase_add_test(c, work_is_linear_on_hostile_traces);
    tcase_add_test(c, long_threads_take_several_steps);
    tcase_add_test(c, records_and_cpus_are_charged);
    suite_add_tcase(s, c);
    return s;
}
