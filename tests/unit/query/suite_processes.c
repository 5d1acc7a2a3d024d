/* suite_processes.c - the tree of processes: execs, parents, ids that are used again, what they
 * used. */
#include "model/query/stat/tables/processes.h"

#include <stdio.h>
#include <stdlib.h>

#include "src/base/str.h"
#include "tests/lib/chance.h"
#include "tests/unit/lib/loaded.h"
#include "tests/unit/lib/suites.h"

static const struct processes_row *row(const struct processes *p, size_t i, const char *command,
                                       unsigned depth) {
    ck_assert_uint_lt(i, p->rows.n);
    struct str got = processes_command(p, &p->rows.v[i]);
    ck_assert_msg(str_eq(got, str_of(command)), "%zu: %.*s", i, (int)got.n, got.s);
    ck_assert_uint_eq(p->rows.v[i].depth, depth);
    return &p->rows.v[i];
}

START_TEST(an_exec_goes_on_with_its_process_and_an_id_is_used_again) {
    struct processes p = {
        .trace = loaded_text(
            "magic\ninit 1000000000\n"
            "async_begin 0 10/10 \"process\" \"env\" id=1 parent=koid:9 command=\"env sh\"\n"
            "async_end 100 10/10 \"process\" \"env\" id=1\n"
            "async_begin 100 10/10 \"process\" \"sh\" id=2 parent=koid:9 command=\"sh x\"\n"
            "async_begin 200 11/11 \"process\" \"a\" id=3 parent=koid:10 command=\"/bin/a 1\"\n"
            "counter 250 11/11 \"process\" \"rss\" id=0 bytes=u64:4096\n"
            "counter 260 11/11 \"process\" \"rss\" id=0 bytes=u64:8192\n"
            "counter 270 11/11 \"process\" \"rss\" id=0 bytes=u64:1024\n"
            "async_end 300 11/11 \"process\" \"a\" id=3 status=u64:3 \"cpu ns\"=u64:77\n"
            "async_begin 400 11/11 \"process\" \"b\" id=4 parent=koid:10\n"
            "async_begin 410 12/12 \"process\" \"c\" id=5 parent=koid:11\n"
            "async_end 450 12/12 \"process\" \"c\" id=5 signal=u64:9\n"
            "async_begin 500 13/13 \"process\" \"d\" id=6 parent=koid:10\n"
            "async_end 600 10/10 \"process\" \"sh\" id=2 \"peak bytes with children\"=u64:5\n"
            "async_begin 700 14/14 \"process\" \"other\" id=7\n"
            "async_begin 700 14/14 \"net\" \"fetch\" id=8 parent=koid:10\n")};
    processes_make(NULL, &p);
    ck_assert_uint_eq(p.rows.n, 5);
    const struct processes_row *sh = row(&p, 0, "sh x", 0), *a = row(&p, 1, "/bin/a 1", 1);
    ck_assert_int_eq(sh->end - sh->start, 600);
    ck_assert_int_eq(sh->of_peak, PEAK_WITH_CHILDREN);
    ck_assert_uint_eq(sh->peak, 5);
    ck_assert_int_eq(sh->how, END_UNKNOWN);
    ck_assert_uint_eq(sh->parent, PROCESSES_NONE);
    ck_assert(!sh->has_cpu);
    ck_assert_int_eq(a->of_peak, PEAK_SAMPLED);
    ck_assert_uint_eq(a->peak, 8192);
    ck_assert_uint_eq(a->cpu, 77);
    ck_assert(a->how == END_STATUS && a->status == 3);
    ck_assert_int_eq(row(&p, 2, "b", 1)->of_peak, PEAK_UNKNOWN);
    const struct processes_row *c = row(&p, 3, "c", 2);
    ck_assert(c->how == END_SIGNAL && c->status == 9);
    ck_assert_uint_eq(c->parent, 2);
    ck_assert(row(&p, 4, "d", 1)->open);
    ck_assert_int_eq(p.rows.v[4].end, trace_end(p.trace));
    processes_free(&p);
    trace_free(p.trace);
}
END_TEST

/* Each process has an earlier one, or none, as its parent. */
START_TEST(rows_are_a_walk_of_the_tree) {
    enum { N = 300 };
    static unsigned parents[N], depths[N];
    struct chance chance = {(uint64_t)_i + 1};
    char *text = NULL;
    size_t size;
    FILE *f = open_memstream(&text, &size);
    fputs("magic\ninit 1000000000\n", f);
    for (unsigned i = 0; i < N; i++) {
        parents[i] = below(&chance, 8) == 0 ? 0 : (unsigned)below(&chance, i + 1);
        depths[i] = parents[i] == 0 ? 0 : depths[parents[i] - 1] + 1;
        fprintf(f, "async_begin %u %u/%u \"process\" \"p%u\" id=%u parent=koid:%u\n", i, 1000 + i,
                1000 + i, i, i, 999 + parents[i]);
    }
    fclose(f);
    struct processes p = {.trace = loaded_text(text)};
    processes_make(NULL, &p);
    ck_assert_uint_eq(p.rows.n, N);
    for (unsigned k = 0; k < N; k++) {
        const struct processes_row *r = &p.rows.v[k];
        unsigned i = (unsigned)trace_process(p.trace, r->process)->pid - 1000;
        ck_assert_uint_eq(r->depth, depths[i]);
        if (r->parent == PROCESSES_NONE) {
            ck_assert_uint_eq(depths[i], 0);
            continue;
        }
        ck_assert_uint_lt(r->parent, k);
        ck_assert_uint_eq(trace_process(p.trace, p.rows.v[r->parent].process)->pid,
                          999 + parents[i]);
        /* between it and its parent are descendants of the parent alone */
        for (unsigned j = r->parent + 1; j < k; j++)
            ck_assert_uint_gt(p.rows.v[j].depth, p.rows.v[r->parent].depth);
    }
    processes_free(&p);
    trace_free(p.trace);
    free(text);
}
END_TEST

SUITE(processes) {
    Suite *s = suite_create("processes");
    TCase *t = tcase_create("processes");
    tcase_add_test(t, an_exec_goes_on_with_its_process_and_an_id_is_used_again);
    tcase_add_loop_test(t, rows_are_a_walk_of_the_tree, 0, 10);
    suite_add_tcase(s, t);
    return s;
}
