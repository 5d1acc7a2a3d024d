/* suite_again.c - what --export=fxt and --export=json write is read again as the same: slices with
 * their durations, the slice of each instant, and damage. The sources are made by chance, in any
 * order, with far and impossible times. */
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "model/output/cut/cut.h"
#include "model/output/event_list.h"
#include "model/output/ndjson.h"
#include "model/query/detail.h"
#include "model/trace/trace_problems.h"
#include "src/import/importers.h"
#include "src/import/rewrite.h"
#include "tests/lib/chance.h"
#include "tests/lib/scratch.h"
#include "tests/lib/tracegen.h"
#include "tests/unit/lib/libcheck.h"
#include "tests/unit/lib/suites.h"

#define EVENTS 60
#define FAR 30000000 /* us */
#define DEEP 8

/* ---- sources ---- */

struct open_slice {
    unsigned name;
    int64_t end; /* of a complete event; -1: none */
};

struct source {
    struct chance chance;
    char *lines[4 * EVENTS];
    size_t n;
    struct open_slice open[DEEP];
    size_t depth;
    unsigned names;
    int64_t time; /* us */
};

static void line(struct source *s, const char *ph, unsigned name, const char *rest) {
    char text[300];
    snprintf(text, sizeof text, "{\"ph\":\"%s\",\"name\":\"e%u\",\"pid\":1,\"tid\":1,%s}", ph, name,
             rest);
    s->lines[s->n++] = strdup(text);
}

static void timed_line(struct source *s, const char *ph, unsigned name, int64_t time) {
    char text[100];
    snprintf(text, sizeof text, "\"ts\":%" PRId64 "%s", time, *ph == 'i' ? ",\"s\":\"t\"" : "");
    line(s, ph, name, text);
}

static void close_to(struct source *s, size_t depth, int64_t time) {
    while (s->depth > depth) {
        struct open_slice *o = &s->open[--s->depth];
        if (o->end < 0)
            timed_line(s, "E", o->name, time);
    }
}

/* Goes on in time, past the ends of complete events; at their very end they stay around at
 * times. */
static void go_on(struct source *s, int64_t time) {
    for (size_t i = 0; i < s->depth; i++)
        if (s->open[i].end >= 0 && s->open[i].end < time + (int64_t)below(&s->chance, 2))
            close_to(s, i, s->open[i].end);
    s->time = time;
}

static void open_one(struct source *s) {
    struct open_slice o = {s->names++, -1};
    char text[100];
    int64_t most = -1;
    for (size_t i = 0; i < s->depth; i++)
        most = s->open[i].end >= 0 ? s->open[i].end : most;
    if (below(&s->chance, 2) == 0) {
        o.end = s->time + (below(&s->chance, 12) == 0 ? FAR : (int64_t)below(&s->chance, 5));
        o.end = most >= 0 && o.end > most ? most : o.end;
        snprintf(text, sizeof text, "\"ts\":%" PRId64 ",\"dur\":%" PRId64, s->time,
                 o.end - s->time);
        line(s, "X", o.name, text);
    } else {
        timed_line(s, "B", o.name, s->time);
    }
    s->open[s->depth++] = o;
}

static void impossible(struct source *s) {
    static const char *const times[] = {"\"ts\":-5,\"dur\":3", "\"ts\":1e30,\"dur\":3",
                                        "\"ts\":3,\"dur\":1e30"};
    line(s, below(&s->chance, 3) == 0 ? "i" : "X", s->names++, times[below(&s->chance, 3)]);
}

/* The lines in the order in which they were made, or those of complete events and instants alone in
 * any. */
static void shuffle(struct source *s) {
    for (size_t i = s->n; i > 2; i--) {
        size_t k = 1 + (size_t)below(&s->chance, i - 1);
        char *other = s->lines[i - 1];
        if (strchr("Xi", other[7]) && strchr("Xi", s->lines[k][7])) {
            s->lines[i - 1] = s->lines[k];
            s->lines[k] = other;
        }
    }
}

static char *source_text(uint64_t seed) {
    struct source s = {.chance = {seed}};
    bool damaged = below(&s.chance, 3) == 0;
    timed_line(&s, "i", s.names++, 0);
    for (int i = 0; i < EVENTS; i++) {
        unsigned what = (unsigned)below(&s.chance, 8);
        go_on(&s, s.time + (below(&s.chance, 40) == 0 ? FAR : (int64_t)below(&s.chance, 3)));
        if (what < 3 && s.depth < DEEP)
            open_one(&s);
        else if (what < 5 && s.depth > 0 && s.open[s.depth - 1].end < 0)
            close_to(&s, s.depth - 1, s.time);
        else if (damaged && what == 5)
            impossible(&s);
        else
            timed_line(&s, "i", s.names++, s.time);
    }
    go_on(&s, s.time + 2 * FAR); /* past the ends of complete events */
    close_to(&s, 0, s.time);
    if (below(&s.chance, 3) == 0)
        shuffle(&s);
    char *text = NULL;
    size_t n;
    FILE *f = open_memstream(&text, &n);
    for (size_t i = 0; i < s.n; i++) {
        fprintf(f, "%s%s", i > 0 ? ",\n" : "[", s.lines[i]);
        free(s.lines[i]);
    }
    fprintf(f, "]\n");
    fclose(f);
    return text;
}

/* ---- what is read ---- */

static struct trace *opened(const char *path) {
    struct err err;
    struct trace *trace =
        trace_open(path, &(struct trace_options){.file.importers = importers}, &err);
    ck_assert_msg(trace != NULL, "%s", err.text);
    trace_load(trace);
    return trace;
}

static int by_text(const void *a, const void *b) {
    return strcmp(*(char *const *)a, *(char *const *)b);
}

/* Writes the lines in order, and frees them. */
static void put_sorted(FILE *f, char **lines, size_t n) {
    qsort(lines, n, sizeof *lines, by_text);
    for (size_t i = 0; i < n; i++) {
        fputs(lines[i], f);
        free(lines[i]);
    }
}

static void add_name(struct trace *trace, FILE *f, const struct event_list_entry *e) {
    struct detail d;
    if (e == NULL || !detail_open(&d, trace, e->offset))
        fprintf(f, " -");
    else
        fprintf(f, " %.*s", (int)d.name.n, d.name.s);
}

static void describe(struct trace *trace, const struct event_list *list,
                     const struct event_list_entry *e, FILE *f) {
    add_name(trace, f, e);
    if (e->kind == EVENT_LIST_SLICE) {
        const struct slice *s = event_list_slice(trace, e);
        fprintf(f, " %" PRId64 " %" PRId64 "%s in", e->time - trace_origin(trace),
                slice_open(s) ? -1 : slice_dur(s), trace_damaged_slice(trace, s) ? " damaged" : "");
        add_name(trace, f, e->parent);
    } else {
        fprintf(f, " %" PRId64 "%s at", e->time - trace_origin(trace),
                trace_damaged_at(trace, e->offset) ? " damaged" : "");
        add_name(trace, f,
                 event_list_point_slice(
                     list, trace, &(struct trace_point){e->thread, {e->time, e->offset}, false}));
    }
    fputc('\n', f);
}

/* Slices and instants, a line each in no order of the file, and the number of damaged times. */
static char *contents(struct trace *trace) {
    struct event_list list;
    char *text = NULL, **lines;
    size_t n = 0, bytes;
    event_list_init(&list, trace, true);
    lines = calloc(list.v.n + 1, sizeof *lines);
    for (size_t i = 0; i < list.v.n; i++) {
        if (list.v.v[i].kind > EVENT_LIST_INSTANT)
            continue;
        FILE *f = open_memstream(&lines[n++], &bytes);
        describe(trace, &list, &list.v.v[i], f);
        fclose(f);
    }
    FILE *f = open_memstream(&text, &bytes);
    put_sorted(f, lines, n);
    fprintf(f, "%" PRIu64 " damaged, %" PRId64 " ns\n",
            trace_problems(trace)->kinds[PROBLEM_DAMAGED_TIME].count,
            trace_end(trace) - trace_begin(trace));
    fclose(f);
    free(lines);
    event_list_free(&list);
    return text;
}

enum way { AS_FXT, AS_JSON, CUT, WAYS };

static void write_as(enum way way, struct trace *trace, const char *from, FILE *f) {
    struct question asked;
    struct err err;
    const char *wrong;
    if (way == AS_FXT) {
        ck_assert(rewrite_fxt(from, &(struct file_options){.importers = importers},
                              &(struct rewrite_choice){0}, f, &err));
    } else if (way == AS_JSON) {
        ck_assert(export_json(trace, f));
    } else {
        ck_assert(question_init(&asked, trace, &(struct question_texts){.range = "0s..2000000s"},
                                false, &wrong, &err));
        ck_assert(cut_write(trace, &asked, 0, f, &err));
        question_free(&asked);
    }
}

/* Writes the trace of a file in all ways, and compares what is read from each. */
static void same_again(const char *path, uint64_t seed) {
    char to[SCRATCH_PATH];
    struct trace *trace = opened(path);
    char *want = contents(trace);
    /* these leave their tracks in JSON */
    bool overlaps = trace_problems(trace)->kinds[PROBLEM_PARTIAL_OVERLAP].count > 0;
    for (enum way way = 0; way < WAYS; way++) {
        if (way == AS_JSON && overlaps)
            continue;
        FILE *f = fdopen(scratch_file(to, "again"), "wb");
        write_as(way, trace, path, f);
        fclose(f);
        struct trace *again = opened(to);
        char *got = contents(again);
        ck_assert_msg(strcmp(want, got) == 0, "%" PRIu64 ", way %d:\nwant\n%sgot\n%s", seed,
                      (int)way, want, got);
        free(got);
        trace_free(again);
        unlink(to);
    }
    free(want);
    trace_free(trace);
}

START_TEST(exports_are_read_again_as_the_same) {
    char path[SCRATCH_PATH];
    for (uint64_t seed = 1; seed <= 61; seed++) { /* the last: a slice without length at an end */
        char *text = source_text((seed <= 60 ? seed : 2948) * 977);
        ck_assert(scratch_write(path, "source", text, strlen(text)));
        same_again(path, seed);
        free(text);
        unlink(path);
    }
}
END_TEST

/* Damage that the order of the records contradicts stays damage where that order is lost. */
START_TEST(contradicted_times_stay_damaged) {
    char path[SCRATCH_PATH];
    struct err err;
    struct trace_bytes bytes = tracegen_load("damaged_times", &err);
    ck_assert(bytes.v && scratch_write(path, "source", bytes.v, bytes.n));
    free(bytes.v);
    same_again(path, 0);
    unlink(path);
}
END_TEST

static int64_t span(const struct trace *trace) {
    return trace_end(trace) - trace_begin(trace);
}

/* Three archives of one thread, a hang at the end of the second: nothing in its archive contradicts
 * it. */
START_TEST(a_hang_at_the_end_of_an_archive_stays_one) {
    char path[SCRATCH_PATH], text[8000];
    struct err err;
    size_t n = 0;
    for (int i = 0; i < 90; i++) {
        const char *archive = i % 30 == 0 ? "magic\ninit 1000000000\n" : "";
        long long end = i == 59 ? 30000000000 : i % 30 * 1000 + 900;
        n += (size_t)snprintf(text + n, sizeof text - n,
                              "%scomplete %d 1/11 \"c\" \"e%d\" end=%lld\n", archive, i % 30 * 1000,
                              i, end);
    }
    struct trace_bytes bytes = tracegen(text, &err);
    ck_assert(bytes.v && scratch_write(path, "source", bytes.v, bytes.n));
    free(bytes.v);
    struct trace *trace = opened(path);
    ck_assert(trace_damaged_slices(trace) == 0 && span(trace) == 30000000000);
    trace_free(trace);
    same_again(path, 0);
    unlink(path);
}
END_TEST

/* ---- states, runs and wakeups in JSON ---- */

/* A trace, and the trace that its --export=json is read as. */
struct both {
    struct trace *trace, *again;
};

static struct both both_of(const char *text) {
    char path[SCRATCH_PATH];
    struct err err;
    struct both both;
    struct trace_bytes bytes = tracegen(text, &err);
    ck_assert_msg(bytes.v != NULL, "%s", err.text);
    ck_assert(scratch_write(path, "source", bytes.v, bytes.n));
    free(bytes.v);
    both.trace = opened(path);
    unlink(path);
    FILE *f = fdopen(scratch_file(path, "again"), "wb");
    write_as(AS_JSON, both.trace, NULL, f);
    fclose(f);
    both.again = opened(path);
    unlink(path);
    return both;
}

static void both_free(struct both *both) {
    trace_free(both->trace);
    trace_free(both->again);
}

/* A complete slice with a damaged time on a track of pairs: its begin and its end are. */
START_TEST(both_events_of_a_damaged_slice_are_damaged) {
    char text[8000] = "magic\ninit 1000000000\ncomplete 300 1/11 \"c\" \"z\" end=300\n"
                      "flow_begin 300 1/11 \"c\" \"f\" id=1\n"
                      "flow_end 350 1/12 \"c\" \"f\" id=1\n";
    size_t n = strlen(text);
    for (int i = 0; i < 40; i++) {
        int64_t t = i == 20 ? INT64_C(1) << 45 : 1000 * (i + 1);
        n +=
            (size_t)snprintf(text + n, sizeof text - n,
                             "complete %" PRId64 " 1/11 \"c\" \"r\" end=%" PRId64 "\n", t, t + 800);
    }
    struct both both = both_of(text);
    ck_assert_uint_eq(trace_damaged_slices(both.trace), 1);
    ck_assert_uint_eq(trace_damaged_slices(both.again), 1);
    ck_assert_uint_eq(trace_damaged_times(both.again), 2);
    ck_assert_int_eq(span(both.again), span(both.trace));
    both_free(&both);
}
END_TEST

/* Each arrow by its times. */
static char *arrows(const struct trace *trace) {
    const struct flows *flows = trace_flows(trace);
    char *text = NULL;
    size_t n;
    FILE *f = open_memstream(&text, &n);
    for (uint32_t i = 0; i < flow_point_count(flows); i++)
        if (flow_link(flows, i)->before != NO_POINT)
            fprintf(f, "%" PRId64 " to %" PRId64 "\n",
                    flow_time(flows, flow_link(flows, i)->before) - trace_origin(trace),
                    flow_time(flows, i) - trace_origin(trace));
    fclose(f);
    return text;
}

/* No arrow leads to a later end of a flow, and none in JSON, in which flows go on. */
START_TEST(an_end_of_an_ended_flow_has_no_arrow) {
    struct both both = both_of("magic\ninit 1000000000\ncomplete 0 1/11 \"c\" \"l\" end=10\n"
                               "flow_begin 5 1/11 \"c\" \"f\" id=1\n"
                               "flow_end 20 1/12 \"c\" \"f\" id=1\n"
                               "flow_end 40 1/12 \"c\" \"f\" id=1\n"
                               "flow_end 50 1/13 \"c\" \"f\" id=1\n"
                               "flow_begin 60 1/11 \"c\" \"f\" id=1\n"
                               "flow_end 70 1/12 \"c\" \"f\" id=1\n");
    char *want = arrows(both.trace), *got = arrows(both.again);
    ck_assert_str_eq(want, "5 to 20\n60 to 70\n");
    ck_assert_str_eq(got, want);
    free(want);
    free(got);
    both_free(&both);
}
END_TEST

/* Each state of a thread with a number, in no order of the file. */
static char *states(struct trace *trace) {
    char *text = NULL, *lines[500];
    size_t n = 0, bytes;
    for (size_t k = 0; k < sched_thread_count(trace_sched(trace)); k++) {
        const struct sched_thread *t = sched_thread_at(trace_sched(trace), k);
        const struct thread *thread = trace_thread(trace, t->thread);
        for (uint32_t i = 0; i < t->lane.n && thread->id.tid / 10 == 1; i++) {
            const struct slice *s = lane_at(&t->lane, i);
            FILE *f = open_memstream(&lines[n++], &bytes);
            ck_assert_uint_lt(n, sizeof lines / sizeof *lines);
            fprintf(f, "%" PRIu64 " %s at %" PRId64 " for %" PRId64 "%s\n", thread->id.tid,
                    sched_state_name(sched_state(t, i)), s->start - trace_origin(trace),
                    slice_open(s) ? -1 : slice_dur(s), sched_damaged(t, i) ? ", damaged" : "");
            fclose(f);
        }
    }
    FILE *f = open_memstream(&text, &bytes);
    put_sorted(f, lines, n);
    fclose(f);
    return text;
}

/* A CPU that two threads share: one wakes the other and sleeps. Some records are far away, where
 * the states begin that the others join. far: a switch, a wakeup, or both. */
static void scheduling(int far, char *text, size_t cap) {
    size_t n = (size_t)snprintf(text, cap,
                                "magic\ninit 1000000000\nkernel_object 2 11 \"a\" "
                                "process=koid:1\nkernel_object 2 12 \"b\" process=koid:1\n");
    for (int64_t i = 1; i <= 40; i++) {
        int64_t wakes = far & 2 && i == 20 ? INT64_C(1) << 45 : i * 1000 + 100,
                switches = far & 1 && i == 10 ? (INT64_C(1) << 45) + 7 : i * 1000 + 600;
        n += (size_t)snprintf(text + n, cap - n,
                              "wakeup %" PRId64 " 0 12\nswitch %" PRId64
                              " 0 11 3 12\nwakeup %" PRId64 " 0 11\nswitch %" PRId64 " 0 12 3 11\n",
                              wakes, i * 1000 + 300, i * 1000 + 400, switches);
    }
    snprintf(text + n, cap - n,
             "switch 42000 0 11 3 12\nswitch 43000 0 12 3 0\ninstant 43001 1/11 "
             "\"c\" \"last\"\n");
}

START_TEST(damaged_states_stay_damaged) {
    char text[8000];
    scheduling(_i, text, sizeof text);
    struct both both = both_of(text);
    char *want = states(both.trace), *got = states(both.again);
    ck_assert_str_eq(got, want);
    ck_assert_int_eq(span(both.again), span(both.trace));
    ck_assert((trace_damaged_states(both.trace) > 0) == (_i > 0));
    ck_assert_uint_eq(trace_damaged_states(both.again), trace_damaged_states(both.trace));
    free(want);
    free(got);
    both_free(&both);
}
END_TEST

/* At one time it is out on a CPU and in on another, which has the first number, or the second. */
START_TEST(a_thread_that_moves_at_once_runs_on) {
    char text[600];
    snprintf(text, sizeof text,
             "magic\ninit 1000000000\nkernel_object 2 11 \"a\" process=koid:1\n"
             "instant 0 1/11 \"c\" \"i\"\n"
             "switch 100 %d 0 1 11 outgoing_weight=i32:-2147483648\n"
             "switch 200 %d 11 1 0 incoming_weight=i32:-2147483648\n"
             "switch 200 %d 0 1 11 outgoing_weight=i32:-2147483648\n"
             "switch 350 %d 11 3 0 incoming_weight=i32:-2147483648\n"
             "instant 500 1/11 \"c\" \"i\"\n",
             _i, _i, !_i, !_i);
    struct both both = both_of(text);
    char *want = states(both.trace), *got = states(both.again);
    ck_assert(strstr(want, "11 running at 200 for 150\n") != NULL);
    ck_assert_str_eq(got, want);
    free(want);
    free(got);
    both_free(&both);
}
END_TEST

/* The threads of a part are named before its records, but after the flag that it was JSON. */
START_TEST(a_part_of_states_has_them) {
    static const char source[] =
        "[{\"ph\":\"T\",\"name\":\"Running\",\"pid\":1,\"tid\":11,\"ts\":0,\"dur\":10,"
        "\"args\":{\"cpu\":0}},\n"
        "{\"ph\":\"T\",\"name\":\"S\",\"pid\":1,\"tid\":12,\"ts\":5,\"dur\":5},\n"
        "{\"ph\":\"T\",\"name\":\"D\",\"pid\":1,\"tid\":11,\"ts\":10,\"dur\":5},\n"
        "{\"ph\":\"T\",\"name\":\"T\",\"pid\":1,\"tid\":12,\"ts\":10,\"dur\":5},\n"
        "{\"ph\":\"i\",\"name\":\"last\",\"pid\":1,\"tid\":11,\"ts\":30}]\n";
    char path[SCRATCH_PATH], to[SCRATCH_PATH];
    ck_assert(scratch_write(path, "source", source, sizeof source - 1));
    struct trace *trace = opened(path);
    FILE *f = fdopen(scratch_file(to, "again"), "wb");
    write_as(CUT, trace, path, f);
    fclose(f);
    struct trace *again = opened(to);
    char *want = states(trace), *got = states(again);
    ck_assert(strstr(want, "12 blocked at 5000 for 5000\n") != NULL);
    ck_assert_str_eq(got, want);
    free(want);
    free(got);
    trace_free(trace);
    trace_free(again);
    unlink(path);
    unlink(to);
}
END_TEST

SUITE(again) {
    Suite *s = suite_create("again");
    TCase *tc = tcase_create("again");
    tcase_add_test(tc, exports_are_read_again_as_the_same);
    tcase_add_test(tc, a_hang_at_the_end_of_an_archive_stays_one);
    tcase_add_test(tc, contradicted_times_stay_damaged);
    tcase_add_test(tc, both_events_of_a_damaged_slice_are_damaged);
    tcase_add_test(tc, an_end_of_an_ended_flow_has_no_arrow);
    tcase_add_loop_test(tc, damaged_states_stay_damaged, 0, 4);
    tcase_add_test(tc, a_part_of_states_has_them);
    tcase_add_loop_test(tc, a_thread_that_moves_at_once_runs_on, 0, 2);
    suite_add_tcase(s, tc);
    return s;
}
