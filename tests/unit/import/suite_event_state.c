/* suite_event_state.c - states of JSON give the same runs in any order of the source, and each of
 * them is there if none contradicts another. */
#include "src/import/chrome/event_state.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

#include "model/output/ndjson.h"
#include "src/import/importers.h"
#include "src/io/file.h"
#include "tests/lib/chance.h"
#include "tests/lib/scratch.h"
#include "tests/unit/lib/libcheck.h"
#include "tests/unit/lib/suites.h"

#define THREADS 6
#define CPUS 3
#define STATES 400

enum { RUNNABLE, BLOCKED, UNINTERRUPTIBLE, RUNNING };

struct state {
    uint64_t begin, end; /* us */
    unsigned thread;
    int what, cpu; /* cpu: of a run, else -1 */
};

struct source {
    struct chance chance;
    struct state v[STATES];
    size_t n;
};

/* A state of a thread ends, and another one begins. */
static void change(struct source *s, struct state *now, uint64_t time, int what, int cpu) {
    if (time > now->begin && s->n < STATES) {
        now->end = time;
        s->v[s->n++] = *now;
    }
    *now = (struct state){time, 0, now->thread, what, cpu};
}

/* Times at which some threads stop, and others take their CPUs. */
static void make(struct source *s) {
    struct state now[THREADS];
    uint64_t time = 1;
    for (unsigned i = 0; i < THREADS; i++)
        now[i] = (struct state){1, 0, i, BLOCKED, -1};
    for (int step = 0; step < 40; step++) {
        bool taken[CPUS] = {false};
        int left[THREADS];
        time += 1 + below(&s->chance, 9);
        for (unsigned i = 0; i < THREADS; i++) {
            left[i] = now[i].cpu;
            if (below(&s->chance, 3) == 0)
                change(s, &now[i], time, (now[i].what + 1 + (int)below(&s->chance, 2)) % 3, -1);
            if (now[i].cpu >= 0)
                taken[now[i].cpu] = true;
        }
        for (unsigned i = 0; i < THREADS; i++) {
            int cpu = (int)below(&s->chance, CPUS);
            if (below(&s->chance, 2) > 0 && !taken[cpu] && left[i] != cpu && now[i].cpu < 0) {
                change(s, &now[i], time, RUNNING, cpu);
                taken[cpu] = true;
            }
        }
    }
    for (unsigned i = 0; i < THREADS; i++)
        change(s, &now[i], time + 5, RUNNABLE, -1);
}

/* States that may contradict the others, some without a length. */
static void contradict(struct source *s) {
    for (int i = 0; i < 20 && s->n < STATES; i++) {
        struct state *to = &s->v[s->n++];
        *to = (struct state){1 + below(&s->chance, 150), 0, (unsigned)below(&s->chance, THREADS),
                             (int)below(&s->chance, 4), -1};
        to->end = to->begin + below(&s->chance, 5);
        if (to->what == RUNNING)
            to->cpu = (int)below(&s->chance, CPUS);
    }
}

static int by_begin(const void *a, const void *b) {
    const struct state *x = a, *y = b;
    return (x->begin > y->begin) - (x->begin < y->begin);
}

static int by_thread(const void *a, const void *b) {
    const struct state *x = a, *y = b;
    return x->thread != y->thread ? (x->thread > y->thread) - (x->thread < y->thread)
                                  : by_begin(a, b);
}

static void shuffle(struct source *s) {
    for (size_t i = s->n; i > 1; i--) {
        size_t k = (size_t)below(&s->chance, i);
        struct state other = s->v[i - 1];
        s->v[i - 1] = s->v[k];
        s->v[k] = other;
    }
}

static char *text_of(const struct source *s) {
    static const char *const names[] = {"R", "S", "D", "Running"};
    char *text = NULL;
    size_t n;
    FILE *f = open_memstream(&text, &n);
    fprintf(f, "[{\"ph\":\"i\",\"name\":\"first\",\"pid\":9,\"tid\":9,\"ts\":1}");
    for (size_t i = 0; i < s->n; i++) {
        const struct state *v = &s->v[i];
        fprintf(f,
                ",\n{\"ph\":\"T\",\"pid\":1,\"tid\":%u,\"ts\":%" PRIu64 ",\"dur\":%" PRIu64
                ",\"name\":\"%s\",\"args\":{\"%s\":%d}}",
                v->thread + 1, v->begin, v->end - v->begin, names[v->what],
                v->cpu < 0 ? "io_wait" : "cpu", v->cpu < 0 ? (int)(v->begin % 2) : v->cpu);
    }
    fprintf(f, "]\n");
    fclose(f);
    return text;
}

static int by_text(const void *a, const void *b) {
    return strcmp(*(char *const *)a, *(char *const *)b);
}

/* The lines of runs and states, in no order of the source, without offsets. */
static char *rows_of(char *lines) {
    char *all[4 * STATES], *text = NULL;
    size_t n = 0, bytes;
    for (char *line = strtok(lines, "\n"); line; line = strtok(NULL, "\n")) {
        bool row = strstr(line, "{\"type\":\"state\"") || strstr(line, "{\"type\":\"sched\"");
        char *offset = strstr(line, ",\"offset\":");
        if (offset)
            *offset = '\0';
        ck_assert_uint_lt(n, sizeof all / sizeof *all);
        if (row)
            all[n++] = line;
    }
    qsort(all, n, sizeof *all, by_text);
    FILE *f = open_memstream(&text, &bytes);
    for (size_t i = 0; i < n; i++)
        fprintf(f, "%s\n", all[i]);
    fclose(f);
    return text;
}

static char *lines_of_text(const char *text) {
    char path[SCRATCH_PATH], *lines = NULL;
    struct err err;
    size_t n;
    ck_assert(scratch_write(path, "states", text, strlen(text)));
    struct trace *trace =
        trace_open(path, &(struct trace_options){.file.importers = importers}, &err);
    ck_assert_msg(trace != NULL, "%s", err.text);
    trace_load(trace);
    FILE *f = open_memstream(&lines, &n);
    ck_assert(export_ndjson(trace, f));
    fclose(f);
    trace_free(trace);
    unlink(path);
    return lines;
}

static char *rows_of_text(const char *text) {
    char *lines = lines_of_text(text), *got = rows_of(lines);
    free(lines);
    return got;
}

static char *rows(const struct source *s) {
    char *text = text_of(s), *got = rows_of_text(text);
    free(text);
    return got;
}

static void must_have(const char *got, const char *row, uint64_t seed) {
    ck_assert_msg(strstr(got, row) != NULL, "seed %" PRIu64 ": no %s in\n%s", seed, row, got);
}

/* All states of a source, but for the ends of each thread's last state. */
static void must_have_all(const struct source *s, const char *got, uint64_t seed) {
    static const char *const names[] = {"runnable", "blocked", "blocked", "running"};
    char row[200];
    for (size_t i = 0; i < s->n; i++) {
        const struct state *v = &s->v[i];
        snprintf(row, sizeof row,
                 "{\"type\":\"state\",\"pid\":1,\"tid\":%u,\"ts\":%" PRIu64 ",\"dur\":%" PRIu64
                 ",\"state\":\"%s\"",
                 v->thread + 1, (v->begin - 1) * 1000, (v->end - v->begin) * 1000, names[v->what]);
        bool last = true;
        for (size_t k = 0; k < s->n && last; k++)
            last = s->v[k].thread != v->thread || s->v[k].begin <= v->begin;
        if (!last)
            must_have(got, row, seed);
        snprintf(row, sizeof row,
                 "{\"type\":\"sched\",\"cpu\":%d,\"pid\":1,\"tid\":%u,\"ts\":%" PRIu64
                 ",\"dur\":%" PRIu64,
                 v->cpu, v->thread + 1, (v->begin - 1) * 1000, (v->end - v->begin) * 1000);
        if (v->cpu >= 0)
            must_have(got, row, seed);
    }
}

START_TEST(the_order_of_the_source_means_nothing) {
    for (uint64_t seed = 1; seed <= 60; seed++) {
        struct source s = {.chance = {seed * 977}};
        make(&s);
        if (seed % 2 == 0)
            contradict(&s);
        qsort(s.v, s.n, sizeof *s.v, by_begin);
        char *want = rows(&s);
        if (seed % 2 > 0)
            must_have_all(&s, want, seed);
        for (int way = 0; way < 3; way++) {
            if (way == 0)
                qsort(s.v, s.n, sizeof *s.v, by_thread);
            else
                shuffle(&s);
            char *got = rows(&s);
            ck_assert_msg(strcmp(want, got) == 0, "seed %" PRIu64 ", way %d:\nwant\n%sgot\n%s",
                          seed, way, want, got);
            free(got);
        }
        free(want);
    }
}
END_TEST

static const char overlapped[] =
    "[{\"ph\":\"T\",\"name\":\"Running\",\"pid\":1,\"tid\":5,\"ts\":1.0015,\"dur\":2.0006,"
    "\"args\":{\"cpu\":0}},\n{\"ph\":\"T\",\"name\":\"D\",\"pid\":1,\"tid\":5,\"ts\":3.001,\"dur\":"
    "7,"
    "\"args\":{\"io_wait\":1,\"blocked_function\":\"f\"}}]";

/* The run before it ends one nanosecond later than it begins. */
START_TEST(a_state_keeps_its_reason_beside_a_rounding) {
    char *got = rows_of_text(overlapped);
    must_have(
        got,
        "{\"type\":\"state\",\"pid\":1,\"tid\":5,\"ts\":1999,\"dur\":null,\"state\":\"blocked\","
        "\"wait\":\"D\",\"io_wait\":1,\"blocked_function\":\"f\"}",
        0);
    free(got);
}
END_TEST

/* A state of a longer name may be any: it is a problem, and so is one without a name. */
START_TEST(a_name_that_is_no_state_is_a_problem) {
    char *got = lines_of_text(
        "[{\"ph\":\"T\",\"name\":\"DK\",\"pid\":1,\"tid\":5,\"ts\":1,\"dur\":2},\n"
        "{\"ph\":\"T\",\"name\":\"Disk Sleep\",\"pid\":1,\"tid\":6,\"ts\":1,\"dur\":2},\n"
        "{\"ph\":\"T\",\"pid\":1,\"tid\":7,\"ts\":1,\"dur\":2}]");
    must_have(got, "\"tid\":5,\"ts\":0,\"dur\":null,\"state\":\"blocked\",\"wait\":\"DK\"", 0);
    must_have(got, "\"kind\":\"source_bad_field\",\"count\":2,", 0);
    must_have(got, "line 2, column 1: name is no state, and counts as S: Disk Sleep", 0);
    free(got);
}
END_TEST

/* States in memory count for --max-inflate, though their words would fit. */
START_TEST(held_states_are_bounded) {
    char path[SCRATCH_PATH], *text = NULL;
    size_t n;
    struct err err;
    const char *why = NULL;
    FILE *f = open_memstream(&text, &n);
    for (int i = 0; i < 20000; i++)
        fprintf(f,
                "{\"ph\":\"T\",\"name\":\"Running\",\"tid\":%d,\"ts\":%d,\"dur\":2,"
                "\"args\":{\"cpu\":0}}\n",
                1 + i % 3, 10 + 2 * i);
    fclose(f);
    ck_assert(scratch_write(path, "held", text, n));
    struct file *file = file_open(path, &(struct file_options){1000000, importers, false}, &err);
    ck_assert_msg(file != NULL, "%s", err.text);
    while (!file_ended(file))
        file_step(file, 1 << 20, -1);
    ck_assert_int_eq(file_fault(file, &why), FILE_NO_SPACE);
    ck_assert_str_eq(why, "stopped at --max-inflate");
    ck_assert(file_size(file) > 200000 && file_size(file) <= 1000000);
    file_close(file);
    unlink(path);
    free(text);
}
END_TEST

SUITE(event_state) {
    Suite *s = suite_create("event_state");
    TCase *c = tcase_create("event_state");
    tcase_add_test(c, the_order_of_the_source_means_nothing);
    tcase_add_test(c, a_state_keeps_its_reason_beside_a_rounding);
    tcase_add_test(c, a_name_that_is_no_state_is_a_problem);
    tcase_add_test(c, held_states_are_bounded);
    suite_add_tcase(s, c);
    return s;
}
