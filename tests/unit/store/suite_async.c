/* suite_async.c - async operations against a list that is searched, as SEMANTICS 8 has it, and
 * against themselves in pieces. */
#include "model/store/async.h"

#include <stdio.h>
#include <string.h>

#include "model/nest/nest.h"
#include "model/trace/trace.h"
#include "tests/lib/chance.h"
#include "tests/unit/lib/must.h"
#include "tests/unit/lib/suites.h"

#define MOST 400

/* ---- what does not fit a slice ---- */

static struct { uint64_t key, value; } facts[2 * MOST];
static size_t n_facts;

static void put(void *ctx, uint64_t key, uint64_t value) {
    size_t i = 0;
    (void)ctx;
    while (i < n_facts && facts[i].key != key)
        i++;
    if (i == n_facts)
        n_facts++;
    facts[i].key = key;
    facts[i].value = value;
}

static uint64_t get(void *ctx, uint64_t key) {
    (void)ctx;
    for (size_t i = 0; i < n_facts; i++)
        if (facts[i].key == key)
            return facts[i].value;
    return UINT64_MAX;
}

static const struct slice_extra aside = {NULL, NULL, put, get, NULL, NULL};

/* ---- the reference ---- */

struct op {
    struct async_event begin;
    int64_t end;
    uint64_t end_offset; /* 0: open */
    uint32_t depth;
    bool mismatch, seen;
};

static struct async_event events[MOST], sorted[MOST];
static struct op ops[MOST];
static size_t n_events, n_ops, n_strays, n_mismatches, n_instants, n_open;

static void sort_events(void) {
    for (size_t i = 0; i < n_events; i++) {
        size_t j = i;
        while (j > 0 && sorted[j - 1].at.time > events[i].at.time) {
            sorted[j] = sorted[j - 1];
            j--;
        }
        sorted[j] = events[i];
    }
}

enum whose { ANYS, PROCESS, THREAD };

/* The latest open operation that an event means; by its process or thread, by its name. */
static struct op *latest(const struct async_event *e, enum whose whose, bool name) {
    for (size_t i = n_ops; i-- > 0;) {
        const struct async_event *b = &ops[i].begin;
        if (ops[i].end_offset == 0 && b->id == e->id && b->category == e->category &&
            (whose == ANYS || b->process == e->process) &&
            (whose != THREAD || b->thread == e->thread) && (!name || b->name == e->name))
            return &ops[i];
    }
    return NULL;
}

static void reference(void) {
    n_ops = n_strays = n_mismatches = n_instants = n_open = 0;
    sort_events();
    for (size_t i = 0; i < n_events; i++) {
        const struct async_event *e = &sorted[i];
        struct op *op;
        if (e->kind == FXT_K_ASYNC_INSTANT) {
            n_instants++;
        } else if (e->kind == FXT_K_ASYNC_BEGIN) {
            uint32_t depth = 0;
            for (size_t k = 0; k < n_ops; k++)
                depth += ops[k].end_offset == 0 && ops[k].begin.id == e->id &&
                         ops[k].begin.category == e->category && ops[k].begin.process == e->process;
            ops[n_ops++] = (struct op){.begin = *e, .depth = depth};
            n_open++;
        } else if ((op = latest(e, THREAD, true)) || (op = latest(e, PROCESS, true)) ||
                   (op = latest(e, THREAD, false)) || (op = latest(e, PROCESS, false)) ||
                   (op = latest(e, ANYS, true)) || (op = latest(e, ANYS, false))) {
            op->end = e->at.time;
            op->end_offset = e->at.offset;
            op->mismatch = e->name != 0 && e->name != op->begin.name;
            n_mismatches += op->mismatch;
            n_open--;
        } else {
            n_strays++;
        }
    }
}

static void compare_op(const struct async_group *g, const struct slice *s, int set) {
    struct op *op = NULL;
    for (size_t i = 0; i < n_ops; i++)
        if (ops[i].begin.at.offset == slice_offset(s))
            op = &ops[i];
    MUST(op != NULL && !op->seen, set);
    op->seen = true;
    MUST(slice_name(s) == op->begin.name, set);
    MUST(s->start == op->begin.at.time, set);
    MUST(async_depth(&aside, s) == op->depth, set);
    MUST(slice_open(s) == (op->end_offset == 0), set);
    MUST(slice_extra_end_offset(&aside, s) == op->end_offset, set);
    MUST(slice_open(s) || slice_end(s) == op->end, set);
    MUST(((slice_flags(s) & SLICE_MISMATCH) != 0) == op->mismatch, set);
    if (op->depth == 0)
        MUST(g->process == op->begin.process && g->name == op->begin.name, set);
}

static void compare(const struct async *async, int set) {
    size_t slices = 0, instants = 0;
    for (size_t i = 0; i < async->state.groups.n; i++) {
        const struct async_group *g = async->state.groups.v[i];
        uint64_t in_group = 0;
        for (uint32_t row = 0; row < g->nlanes; row++) {
            const struct lane *lane = &g->lanes[row];
            MUST(lane->n > 0, set);
            for (uint32_t k = 0; k < lane->n; k++) {
                compare_op(g, lane_at(lane, k), set);
                MUST(k == 0 || slice_end(lane_at(lane, k - 1)) <= lane_start(lane, k), set);
            }
            in_group += lane->n;
        }
        MUST(in_group == g->ops, set);
        slices += in_group;
        for (size_t k = 0; k < g->instants.n; k++) {
            const struct async_instant *in = &g->instants.v[k];
            MUST(k == 0 || in[-1].at.time < in->at.time ||
                     (in[-1].at.time == in->at.time && in[-1].at.offset < in->at.offset),
                 set);
            MUST(in->row == 0 || in->row < g->nlanes, set);
        }
        instants += g->instants.n;
    }
    MUST(slices == n_ops, set);
    MUST(instants == n_instants, set);
    MUST(async->state.problems.kinds[PROBLEM_ASYNC_END_WITHOUT_BEGIN].count == n_strays, set);
    MUST(async->state.problems.kinds[PROBLEM_ASYNC_END_NAME_MISMATCH].count == n_mismatches, set);
    MUST(async->state.open.n == n_open, set);
}

static void equal(const struct async *a, const struct async *b, int set) {
    MUST(a->state.groups.n == b->state.groups.n, set);
    for (size_t i = 0; i < a->state.groups.n; i++) {
        const struct async_group *x = a->state.groups.v[i], *y = b->state.groups.v[i];
        MUST(x->process == y->process && x->name == y->name && x->ops == y->ops, set);
        MUST(x->nlanes == y->nlanes && x->instants.n == y->instants.n, set);
        for (uint32_t row = 0; row < x->nlanes; row++) {
            MUST(x->lanes[row].n == y->lanes[row].n, set);
            for (uint32_t k = 0; k < x->lanes[row].n; k++)
                MUST(memcmp(lane_at(&x->lanes[row], k), lane_at(&y->lanes[row], k),
                            sizeof(struct slice)) == 0,
                     set);
        }
        for (size_t k = 0; k < x->instants.n; k++)
            MUST(x->instants.v[k].at.offset == y->instants.v[k].at.offset &&
                     x->instants.v[k].row == y->instants.v[k].row,
                 set);
    }
}

/* Few keys and names, many equal times, some late, some offsets so far apart that they do not
 * fit. */
static void throw_events(struct chance *c) {
    uint64_t processes = 1 + below(c, 3), categories = 1 + below(c, 2), ids = 1 + below(c, 4),
             names = 1 + below(c, 3);
    uint64_t threads = 1 + below(c, 4);
    uint64_t late = below(c, 3) ? 0 : 1 + below(c, 30), pace = 1 + below(c, 3),
             begins = 2 + below(c, 5);
    uint64_t stride = below(c, 8) ? 32 : UINT64_C(1) << 30;
    int64_t now = -50;
    n_events = 1 + below(c, below(c, 10) ? 40 : MOST);
    for (size_t i = 0; i < n_events; i++) {
        struct async_event *e = &events[i];
        uint64_t kind = below(c, begins + 6);
        now += (int64_t)below(c, pace + 1);
        *e = (struct async_event){.at = {now - (int64_t)below(c, late + 1), (i + 1) * stride},
                                  .id = below(c, ids) ? UINT64_MAX - below(c, ids) : 0,
                                  .process = (uint32_t)below(c, processes),
                                  .category = (uint32_t)below(c, categories),
                                  .name = (uint32_t)below(c, names + 1)};
        e->kind = kind < begins    ? FXT_K_ASYNC_BEGIN
                  : kind == begins ? FXT_K_ASYNC_INSTANT
                                   : FXT_K_ASYNC_END;
        e->thread = e->process * 4 + (uint32_t)below(c, threads);
        if (e->process == 2)
            e->process = NO_PROCESS;
    }
}

/* follow: at once if it is in order; else it waits for the next flush. */
static void take(struct async *async, const struct async_event *e, bool follow) {
    const struct event_key key = {e->process, e->category, e->name, e->thread};
    uint64_t mark = async_mark(&async->input, e->at.offset, e->kind - FXT_K_ASYNC_BEGIN, key);
    const struct async_arrival a = {{{e->at.time, mark}, e->id}, key};
    if (!follow && async->state.time_log.state == TIME_LOG_IN_ORDER) {
        /* packs no more */
        time_log_array_end(&async->input.log);
        async->input.log.packed.ended = true; /* also if there is none */
        async->state.time_log.state = TIME_LOG_BLOCKED;
    }
    time_log_array_add(&async->input.log, &a, sizeof a, 1);
    async_take(&async->state, &aside, &a, 1);
}

START_TEST(operations_are_those_of_a_search_through_all) {
    struct chance chance = {4711};
    for (int set = 0; set < 6000; set++) {
        struct async whole, pieces;
        throw_events(&chance);
        reference();
        n_facts = 0;
        async_init(&whole);
        for (size_t i = 0; i < n_events; i++)
            take(&whole, &events[i], false);
        async_flush(&whole, &aside, true, NULL);
        compare(&whole, set);
        async_init(&pieces);
        uint64_t step = 1 + below(&chance, 50);
        bool follow = true;
        for (size_t i = 0; i < n_events; i++) {
            take(&pieces, &events[i], follow);
            if (below(&chance, step) == 0) {
                async_flush(&pieces, &aside, below(&chance, 8) == 0, NULL);
                follow = below(&chance, 4) > 0;
            }
        }
        async_flush(&pieces, &aside, true, NULL);
        for (size_t i = 0; i < n_ops; i++)
            ops[i].seen = false;
        compare(&pieces, set);
        equal(&whole, &pieces, set);
        async_free(&whole);
        async_free(&pieces);
    }
}
END_TEST

static void add(struct async *async, uint8_t kind, int64_t time, uint64_t id, uint32_t name) {
    take(async,
         &(struct async_event){{time, (async_logged(async) + 1) * 32}, id, 0, 1, name, 0, kind},
         false);
}

START_TEST(labels_beyond_those_that_fit_are_kept_aside) {
    struct async async;
    async_init(&async);
    vec_reserve(&async.input.event_keys.v, EVENT_KEY_FAR + 8);
    async.input.event_keys.v.n = EVENT_KEY_FAR - 3; /* as if so many had been */
    for (uint32_t round = 0; round < 2; round++)
        for (uint32_t i = 0; i < 6; i++)
            take(&async,
                 &(struct async_event){
                     {i, (6 * round + i + 1) * 8}, i, i / 2, 7, 50 + i, 0, FXT_K_ASYNC_END},
                 false);
    ck_assert_uint_eq(async.input.event_keys.v.n, EVENT_KEY_FAR + 3);
    for (uint32_t i = 0; i < 12; i++) {
        const struct time_log_entry *e = &async.input.log.v[i];
        const struct event_key *key = event_key_of(&async.input.event_keys, e->at.offset);
        ck_assert(e->at.time == i % 6 && event_key_offset(e->at.offset) == (i + 1) * 8 &&
                  e->value == i % 6);
        ck_assert(event_key_kind(e->at.offset) == FXT_K_ASYNC_END - FXT_K_ASYNC_BEGIN);
        ck_assert(key->who == i % 6 / 2 && key->category == 7 && key->name == 50 + i % 6);
    }
    async_free(&async);
}
END_TEST

START_TEST(rows_are_the_first_that_are_free) {
    enum { N = 70000 }; /* more than three levels of the bits that say which are taken */
    struct async async;
    async_init(&async);
    n_facts = 0;
    for (uint32_t i = 0; i < N; i++)
        add(&async, FXT_K_ASYNC_BEGIN, i, i, 5);
    add(&async, FXT_K_ASYNC_END, N, 66000, 5);
    add(&async, FXT_K_ASYNC_END, N, 4096, 5);
    add(&async, FXT_K_ASYNC_END, N, 63, 5);
    for (uint32_t i = 0; i < 4; i++)
        add(&async, FXT_K_ASYNC_BEGIN, N + 1, N + i, 5);
    async_flush(&async, &aside, true, NULL);
    ck_assert_uint_eq(async.state.groups.n, 1);
    const struct async_group *g = async.state.groups.v[0];
    ck_assert_uint_eq(g->nlanes, N + 1);
    static const uint32_t rows[] = {63, 4096, 66000, N};
    for (uint32_t i = 0; i < 4; i++) {
        const struct lane *lane = &g->lanes[rows[i]];
        ck_assert_uint_eq(lane->n, i < 3 ? 2 : 1);
        ck_assert_uint_eq(slice_offset(lane_at(lane, lane->n - 1)), (N + 4 + i) * 32);
    }
    async_free(&async);
}
END_TEST

START_TEST(a_nested_operation_stands_below_the_one_it_is_in) {
    struct async async;
    async_init(&async);
    n_facts = 0;
    add(&async, FXT_K_ASYNC_BEGIN, 0, 1, 5);
    add(&async, FXT_K_ASYNC_BEGIN, 1, 1, 6);
    add(&async, FXT_K_ASYNC_BEGIN, 2, 2, 5);
    add(&async, FXT_K_ASYNC_END, 3, 1, 5);
    /* in the one named 6, so not on the row that is free above it */
    add(&async, FXT_K_ASYNC_BEGIN, 4, 1, 7);
    async_flush(&async, &aside, true, NULL);
    ck_assert_uint_eq(async.state.groups.n, 1);
    const struct async_group *g = async.state.groups.v[0];
    ck_assert_uint_eq(g->nlanes, 4);
    for (uint32_t row = 0; row < 4; row++) {
        ck_assert_uint_eq(g->lanes[row].n, 1);
        ck_assert_uint_eq(slice_offset(lane_at(&g->lanes[row], 0)) / 32, row < 3 ? row + 1 : 5);
    }
    ck_assert_uint_eq(async_depth(&aside, lane_at(&g->lanes[1], 0)), 1);
    ck_assert_uint_eq(async_depth(&aside, lane_at(&g->lanes[3], 0)), 1);
    async_free(&async);
}
END_TEST

SUITE(async) {
    Suite *s = suite_create("async");
    TCase *t = tcase_create("async");
    tcase_set_timeout(t, 60);
    tcase_add_test(t, operations_are_those_of_a_search_through_all);
    tcase_add_test(t, labels_beyond_those_that_fit_are_kept_aside);
    tcase_add_test(t, rows_are_the_first_that_are_free);
    tcase_add_test(t, a_nested_operation_stands_below_the_one_it_is_in);
    suite_add_tcase(s, t);
    return s;
}
