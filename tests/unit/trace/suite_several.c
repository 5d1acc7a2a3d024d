/* suite_several.c - several files as one trace: while they grow, and wherever they are put, each is
 * what it is alone. The exports of both are read again, line by line. */
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

#define FILES 3
#define LINES_MOST 4000

static const char *const fixtures[] = {"../screens/several_server", "../screens/several_client",
                                       "../screens/kinds"};

static char paths[FILES][SCRATCH_PATH];
static const char *const names[FILES] = {"a", "b", "c"};
static const char *path_of[FILES];
static int64_t offsets[FILES];
static uint16_t worlds[FILES];
static struct trace_bytes bytes[FILES];
static struct trace_set set = {
    .paths = path_of, .names = names, .n = FILES, .offsets = offsets, .worlds = worlds};

static void write_file(size_t i, size_t from, size_t to) {
    FILE *f = fopen(paths[i], from == 0 ? "wb" : "ab");
    ck_assert_ptr_nonnull(f);
    ck_assert_uint_eq(fwrite((const char *)bytes[i].v + from, 1, to - from, f), to - from);
    ck_assert_int_eq(fclose(f), 0);
}

static void set_up(void) {
    for (size_t i = 0; i < FILES; i++) {
        struct err err;
        bytes[i] = tracegen_load(fixtures[i], &err);
        ck_assert_msg(bytes[i].v != NULL, "%s: %s", fixtures[i], err.text);
        ck_assert(scratch_write(paths[i], names[i], bytes[i].v, bytes[i].n));
        path_of[i] = paths[i];
        offsets[i] = 0;
        worlds[i] = (uint16_t)i;
    }
}

static void tear_down(void) {
    for (size_t i = 0; i < FILES; i++) {
        unlink(paths[i]);
        free(bytes[i].v);
    }
}

static char *exported(struct trace *trace) {
    char *text = NULL;
    size_t n;
    FILE *out = open_memstream(&text, &n);
    ck_assert_ptr_nonnull(out);
    trace_load(trace);
    ck_assert(export_ndjson(trace, out));
    ck_assert_int_eq(fclose(out), 0);
    return text;
}

static struct trace *open_set(bool follow) {
    struct trace_options options = {.follow = follow};
    size_t failed;
    struct err err;
    struct trace *trace = trace_open_set(&set, &options, &failed, &err);
    ck_assert_msg(trace != NULL, "%s", trace ? "" : err.text);
    return trace;
}

/* ---- each is as alone ---- */

struct line { /* of the export: an event */
    uint64_t offset;
    int64_t ts, dur;
};

struct lines {
    size_t n;
    struct line v[LINES_MOST];
};

static int by_offset(const void *a, const void *b) {
    const struct line *x = a, *y = b;
    if (x->offset != y->offset)
        return x->offset < y->offset ? -1 : 1;
    return x->dur < y->dur ? -1 : x->dur > y->dur;
}

static int64_t number(const char *line, const char *field) {
    const char *at = strstr(line, field);
    return at ? strtoll(at + strlen(field), NULL, 10) : -1;
}

/* The slices, instants and samples of a trace; of all: NULL. */
static void read_lines(char *text, const char *name, struct lines *to) {
    static const char *const types[] = {"slice", "instant", "counter"};
    char wanted[40], type[40];
    int64_t first = INT64_MAX;
    to->n = 0;
    snprintf(wanted, sizeof wanted, "\"trace\":\"%s\"", name ? name : "");
    for (char *line = strtok(text, "\n"); line; line = strtok(NULL, "\n"))
        for (size_t k = 0; k < sizeof types / sizeof *types; k++) {
            snprintf(type, sizeof type, "{\"type\":\"%s\"", types[k]);
            if (strncmp(line, type, strlen(type)) != 0 || (name && strstr(line, wanted) == NULL))
                continue;
            ck_assert_uint_lt(to->n, LINES_MOST);
            struct line *next = &to->v[to->n++];
            *next = (struct line){(uint64_t)number(line, "\"offset\":"), number(line, "\"ts\":"),
                                  number(line, "\"dur\":")};
            first = next->ts < first ? next->ts : first;
        }
    for (size_t i = 0; i < to->n; i++)
        to->v[i].ts -= first;
    qsort(to->v, to->n, sizeof *to->v, by_offset);
}

static struct lines together, alone;

START_TEST(each_is_as_alone_wherever_it_is_put) {
    struct chance chance = {(uint64_t)_i + 1};
    for (size_t i = 1; i < FILES; i++) {
        int64_t ns = (int64_t)(chance_next(&chance) >> below(&chance, 60) >> 3);
        offsets[i] = below(&chance, 2) ? ns : -ns;
    }
    for (size_t i = 0; i < FILES; i++) {
        struct trace_options options = {.follow = false};
        struct err err;
        struct trace *of_all = open_set(false), *one = trace_open(paths[i], &options, &err);
        ck_assert_ptr_nonnull(one);
        char *a = exported(of_all), *b = exported(one);
        read_lines(a, names[i], &together);
        read_lines(b, NULL, &alone);
        ck_assert_uint_gt(alone.n, 0);
        ck_assert_uint_eq(together.n, alone.n);
        for (size_t k = 0; k < alone.n; k++)
            ck_assert_msg(memcmp(&together.v[k], &alone.v[k], sizeof *alone.v) == 0,
                          "%s at byte %" PRIu64, names[i], alone.v[k].offset);
        free(a);
        free(b);
        trace_free(of_all);
        trace_free(one);
    }
}
END_TEST

/* ---- files that grow ---- */

static void catch_up(struct trace *trace) {
    for (int i = 0; i < 100; i++)
        if (trace_step(trace, 1 << 20) == TRACE_WAITING && !trace_unflushed(trace))
            return;
    ck_abort_msg("it reads on and on");
}

START_TEST(files_that_have_grown_are_as_ended_ones) {
    struct chance chance = {(uint64_t)_i + 1};
    size_t at[FILES];
    bool more = true;
    struct err err;
    char *whole;
    struct trace *ended = open_set(false);
    whole = exported(ended);
    trace_free(ended);
    for (size_t i = 0; i < FILES; i++)
        write_file(i, 0, at[i] = 8);
    struct trace *trace = open_set(true);
    while (more) {
        more = false;
        for (size_t i = 0; i < FILES; i++) {
            size_t n = below(&chance, 5) * below(&chance, 60), left = bytes[i].n - at[i];
            n = n < left ? n : left;
            write_file(i, at[i], at[i] + n);
            at[i] += n;
            more = more || at[i] < bytes[i].n;
        }
        if (below(&chance, 3) == 0)
            catch_up(trace);
    }
    catch_up(trace);
    ck_assert(trace_follow(trace, false, &err));
    char *grown = exported(trace);
    ck_assert_str_eq(grown, whole);
    free(whole);
    free(grown);
    trace_free(trace);
}
END_TEST

START_TEST(a_host_has_the_processes_of_its_files) {
    struct err err;
    static const uint16_t one[FILES] = {0, 0, 1}, own[FILES] = {0, 1, 2};
    struct trace *trace = open_set(false);
    char *before = exported(trace);
    size_t processes = trace_process_count(trace);
    ck_assert_uint_eq(trace_hosts(trace), 3);
    ck_assert(trace_set_worlds(trace, one, &err));
    free(exported(trace));
    ck_assert_uint_eq(trace_hosts(trace), 2);
    ck_assert_uint_lt(trace_process_count(trace), processes);
    ck_assert(trace_set_worlds(trace, own, &err));
    char *after = exported(trace);
    ck_assert_str_eq(before, after);
    free(before);
    free(after);
    trace_free(trace);
}
END_TEST

#define SWITCHES 20000
#define STEP 4096
#define STEPS_MOST 20000

/* A CPU that two threads share. */
static void write_switches(size_t i) {
    size_t size = 64 + (size_t)SWITCHES * 32, n = 0;
    char *text = err_malloc(size);
    n += (size_t)snprintf(text, size, "magic\ninit 1000000000\n");
    for (int k = 0; k < SWITCHES; k++)
        n += (size_t)snprintf(text + n, size - n, "switch %d 0 %d 3 %d\n", k * 10 + (int)i,
                              7 + k % 2, 8 - k % 2);
    struct err err;
    free(bytes[i].v);
    bytes[i] = tracegen(text, &err);
    ck_assert_msg(bytes[i].v != NULL, "%s", err.text);
    write_file(i, 0, bytes[i].n);
    free(text);
}

/* The end of input derives scheduling once, however many steps that takes. */
START_TEST(steps_come_to_an_end) {
    for (size_t i = 0; i < FILES; i++)
        write_switches(i);
    struct trace *trace = open_set(false);
    int steps = 0;
    while (trace_step(trace, STEP) != TRACE_COMPLETE)
        ck_assert_int_lt(++steps, STEPS_MOST);
    ck_assert_uint_eq(sched_cpu_count(trace_sched(trace)), FILES);
    trace_free(trace);
}
END_TEST

SUITE(several) {
    Suite *s = suite_create("several");
    TCase *t = tcase_create("several");
    tcase_set_timeout(t, 120);
    tcase_add_checked_fixture(t, set_up, tear_down);
    tcase_add_loop_test(t, each_is_as_alone_wherever_it_is_put, 0, 12);
    tcase_add_loop_test(t, files_that_have_grown_are_as_ended_ones, 0, 12);
    tcase_add_test(t, a_host_has_the_processes_of_its_files);
    tcase_add_test(t, steps_come_to_an_end);
    suite_add_tcase(s, t);
    return s;
}
