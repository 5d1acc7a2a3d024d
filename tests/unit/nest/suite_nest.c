/* suite_nest.c - nesting against a slow and obvious reading of SEMANTICS 6, and itself in other
 * steps. */
#include "model/nest/nest_buffer.h"
#include "model/nest/nest_enclosing.h"
#include "model/nest/nest_internal.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#undef MUST_SHOW
#define MUST_SHOW set_show()
#include "tests/lib/chance.h"
#include "tests/lib/slow_nest.h"
#include "tests/unit/lib/must.h"
#include "tests/unit/lib/suites.h"
#include "tests/unit/nest/set.h"

/* ---- comparison ---- */

static int by_offset(const void *a, const void *b) {
    const struct nest_stray *x = a, *y = b;
    return x->offset < y->offset ? -1 : x->offset > y->offset;
}

static void same_strays(const struct nest *nest) {
    static struct nest_stray got[SLOW_NEST_MOST];
    MUST(nest->strays.n == slow_nest.n_strays);
    for (size_t i = 0; i < slow_nest.n_strays; i++)
        got[i] = nest->strays.v[i];
    qsort(got, slow_nest.n_strays, sizeof *got, by_offset);
    qsort(slow_nest.strays, slow_nest.n_strays, sizeof *slow_nest.strays, by_offset);
    for (size_t i = 0; i < slow_nest.n_strays; i++)
        MUST(got[i].time == slow_nest.strays[i].time &&
             got[i].offset == slow_nest.strays[i].offset);
}

static void same_slice(const struct nest *nest, uint32_t row, uint32_t i) {
    const struct slice *s = lane_at(&nest->lanes[row], i);
    int k = slow_nest_at(slice_offset(s));
    MUST(k >= 0);
    struct slow_node *x = &slow_nest.nodes[k];
    MUST(!x->seen);
    x->seen = true;
    MUST(s->start == x->start && slice_end(s) == x->end && slice_open(s) == x->open);
    MUST(slice_name(s) == x->name || s->end_word & SLICE_IS_LONG);
    MUST(slice_extra_end_offset(&set_aside, s) == x->end_offset);
    MUST(((slice_flags(s) & SLICE_COMPLETE) != 0) == x->complete);
    MUST(((slice_flags(s) & SLICE_OVERLAP) != 0) == x->overlap);
    MUST(((slice_flags(s) & SLICE_MISMATCH) != 0) == x->mismatch);
    MUST(!x->mismatch || slice_open(s) ||
         nest_end_lost(nest, &set_aside, x->offset) == (nest->named || x->lost));
    uint32_t parent_row, parent;
    bool has = nest_parent(nest, &set_aside, row, i, &parent_row, &parent);
    MUST(has == (x->parent >= 0));
    if (has) {
        MUST(parent_row < row && parent_row < nest->nlanes && parent < nest->lanes[parent_row].n);
        MUST(slice_offset(lane_at(&nest->lanes[parent_row], parent)) ==
             slow_nest.nodes[x->parent].offset);
    }
    MUST(nest_depth(nest, &set_aside, row, i) == (uint32_t)x->depth);
    uint32_t want = has ? parent_row + 1 : 0;
    MUST(((slice_flags(s) & SLICE_DISPLACED) != 0) == (row != want));
}

static void same_rows(const struct nest *nest) {
    size_t slices = 0, displaced = 0, open = 0;
    for (uint32_t row = 0; row < nest->nlanes; row++) {
        const struct lane *lane = &nest->lanes[row];
        for (uint32_t i = 0; i < lane->n; i++) {
            MUST(i == 0 || slice_end(lane_at(lane, i - 1)) <= lane_start(lane, i));
            MUST(!slice_endless(lane_at(lane, i)) || i == lane->n - 1);
            same_slice(nest, row, i);
            displaced += (slice_flags(lane_at(lane, i)) & SLICE_DISPLACED) != 0;
            open += slice_endless(lane_at(lane, i));
        }
        slices += lane->n;
    }
    MUST(slices == slow_nest.n_nodes && nest->slices == slow_nest.n_nodes);
    MUST(nest->overlaps == slow_nest.n_overlaps);
    MUST(nest->mismatches == slow_nest.n_mismatches &&
         (nest->named || nest->ends_lost == slow_nest.n_lost));
    MUST(nest->displaced == displaced);
    MUST(nest_open(nest) == open);
    same_strays(nest);
}

/* Checks that also hold while events wait, because the nest may be asked at any time. */
static void sound(const struct nest *nest) {
    size_t slices = 0, open = 0;
    for (uint32_t row = 0; row < nest->nlanes; row++) {
        const struct lane *lane = &nest->lanes[row];
        slices += lane->n;
        for (uint32_t i = 0; i < lane->n; i++) {
            uint32_t parent_row, parent;
            MUST(i == 0 || slice_end(lane_at(lane, i - 1)) <= lane_start(lane, i));
            open += slice_endless(lane_at(lane, i));
            if (!nest_parent(nest, &set_aside, row, i, &parent_row, &parent))
                continue;
            MUST(parent_row < row && parent < nest->lanes[parent_row].n);
            MUST(lane_start(&nest->lanes[parent_row], parent) <= lane_start(lane, i));
        }
    }
    MUST(nest->slices == slices);
    MUST(nest_open(nest) == open);
}

static void same_at(struct nest *nest, const struct nest_enclosing *around, int64_t t) {
    int want = -1;
    for (size_t i = 0; i < slow_nest.n_nodes; i++)
        if (slow_nest.nodes[i].start == t ||
            (slow_nest.nodes[i].start < t &&
             (slow_nest.nodes[i].end == INT64_MAX || t < slow_nest.nodes[i].end)))
            want = (int)i;
    uint32_t row = 0, i = 0;
    bool found = nest_at(nest, &set_aside, t, &row, &i);
    MUST(found == (want >= 0));
    if (found)
        MUST(slice_offset(lane_at(&nest->lanes[row], i)) == slow_nest.nodes[want].offset);
    /* which nest_at() asks where there are many rows */
    MUST(nest_enclosing_at(around, t, &row, &i) == found);
    if (found)
        MUST(slice_offset(lane_at(&nest->lanes[row], i)) == slow_nest.nodes[want].offset);
}

static bool slow_ends_after(const struct slow_node *x, const struct nest_ending *e) {
    if (e->any || (e->loose && x->complete))
        return true;
    return (x->complete ? x->offset : x->end_offset) > e->after;
}

static struct chance ending_chance = {7}; /* its own: the sets stay as they are */
static unsigned instants_found;

/* The innermost slice around the ns before, and those around it, as far as they end then. */
static void same_ending(const struct nest *nest, const struct nest_enclosing *around, int64_t t) {
    struct nest_ending e = {t, below(&ending_chance, 3) == 0,
                            set_events[below(&ending_chance, set_n_events)].offset + 4,
                            below(&ending_chance, 2)};
    int want = -1;
    for (size_t i = 0; i < slow_nest.n_nodes; i++)
        if (slow_nest.nodes[i].start < t && slow_nest.nodes[i].end >= t)
            want = (int)i;
    while (want >= 0 && slow_nest.nodes[want].end == t &&
           !slow_ends_after(&slow_nest.nodes[want], &e))
        want = slow_nest.nodes[want].parent;
    if (want >= 0 && slow_nest.nodes[want].end != t)
        want = -1;
    uint32_t row, i;
    struct nest_enclosing_cache few = {0};
    for (int k = 0; k < 2; k++) {
        bool found = k ? nest_enclosing_ending(around, nest, &set_aside, &e, &row, &i)
                       : nest_enclosing_find_ending(&few, nest, &set_aside, &e, &row, &i);
        MUST(found == (want >= 0));
        if (found)
            MUST(slice_offset(lane_at(&nest->lanes[row], i)) == slow_nest.nodes[want].offset);
    }
    nest_enclosing_cache_free(&few);
}

/* The last slice of begin and end at one time that begins before a byte of the file and ends after
 * it. Times at which a slice begins are asked for. */
static void same_instant(const struct nest *nest, const struct nest_enclosing *around, int64_t t) {
    uint64_t at = set_events[below(&ending_chance, set_n_events)].offset + 4;
    int want = -1;
    bool begins = false;
    uint32_t row, i, hint_row = 0, hint_i = 0;
    for (size_t k = 0; k < slow_nest.n_nodes; k++) {
        const struct slow_node *node = &slow_nest.nodes[k];
        begins = begins || node->start == t;
        if (node->start == t && node->end == t && !node->complete && node->offset < at &&
            node->end_offset > at && (want < 0 || node->offset > slow_nest.nodes[want].offset))
            want = (int)k;
    }
    if (!begins)
        return;
    MUST(nest_enclosing_at(around, t, &hint_row, &hint_i));
    struct nest_enclosing_cache few = {0};
    for (int k = 0; k < 2; k++) {
        row = hint_row;
        i = hint_i;
        bool found = k ? nest_enclosing_instant(around, t, at, &row, &i)
                       : nest_enclosing_find_instant(&few, nest, &set_aside, t, at, &row, &i);
        MUST(found == (want >= 0));
        MUST(found || (row == hint_row && i == hint_i));
        if (found)
            MUST(slice_offset(lane_at(&nest->lanes[row], i)) == slow_nest.nodes[want].offset);
        instants_found += found;
    }
    nest_enclosing_cache_free(&few);
}

/* While nest_deeper_until() holds, the innermost slice is further down. If every parent is on the
 * row above, it ends with the slice that is open on the next row. */
static void same_deeper(const struct nest *nest, int64_t t) {
    for (uint32_t above = 0; above < nest->nlanes; above++) {
        const struct lane *lane = above + 1 < nest->nlanes ? &nest->lanes[above + 1] : NULL;
        int64_t until = nest_deeper_until(nest, above, t), want = t;
        for (uint32_t i = 0; lane && nest->displaced == 0 && i < lane->n; i++)
            if (lane_start(lane, i) <= t && slice_end(lane_at(lane, i)) > t)
                want = slice_end(lane_at(lane, i));
        MUST(until == want);
        for (int k = 0; k < 3 && until > t; k++) {
            uint32_t row, i;
            int64_t at = k == 0   ? t
                         : k == 1 ? until - 1
                                  : t + (int64_t)(((uint64_t)until - (uint64_t)t) / 2);
            MUST(nest_at(nest, &set_aside, at, &row, &i) && row > above);
        }
    }
}

/* While nest_same_until() holds, the innermost slice is the one on the row. */
static void same_row(const struct nest *nest, int64_t t) {
    uint32_t row, i, k;
    for (uint32_t of = 0; of < nest->nlanes; of++) {
        int64_t until = nest_same_until(nest, of, t);
        MUST(until >= t);
        uint64_t span = (uint64_t)until - (uint64_t)t;
        for (int64_t ahead = 1; (uint64_t)ahead < span && ahead < INT64_MAX / 4;
             ahead = 2 * ahead + 1)
            MUST(nest_at(nest, &set_aside, t + ahead, &row, &i) && row == of &&
                 i == lane_before(&nest->lanes[of], t));
        if (span > 1)
            MUST(nest_at(nest, &set_aside, until - 1, &row, &k) && row == of);
    }
}

static void compare(struct nest *nest, size_t n) {
    MUST(nest->late.n == 0);
    MUST(nest->nlanes == 0 || nest->lanes[nest->nlanes - 1].n > 0);
    slow_nest_read(set_events, n, nest->named);
    same_rows(nest);
    struct nest_enclosing *around = nest_enclosing_new(nest, &set_aside);
    for (int k = 0; k < 8 && n > 0; k++) {
        const struct slow_event *e = &set_events[below(&set_chance, n)];
        same_at(nest, around, e->time + (int64_t)below(&set_chance, 3) - 1);
        same_deeper(nest, e->time + k % 3 - 1);
        same_row(nest, e->time + k % 3 - 1);
        same_at(nest, around, e->end);
        same_ending(nest, around, e->end);
        same_instant(nest, around, e->time);
    }
    nest_enclosing_free(around);
}

static bool same_nests(const struct nest *a, const struct nest *b) {
    if (a->nlanes != b->nlanes)
        return false;
    for (uint32_t row = 0; row < a->nlanes; row++) {
        uint32_t n = a->lanes[row].n;
        if (n != b->lanes[row].n)
            return false;
        for (uint32_t i = 0; i < n; i++)
            if (memcmp(lane_at(&a->lanes[row], i), lane_at(&b->lanes[row], i),
                       sizeof(struct slice)) != 0)
                return false;
    }
    return a->slices == b->slices && a->overlaps == b->overlaps && a->mismatches == b->mismatches &&
           a->displaced == b->displaced && a->strays.n == b->strays.n;
}

struct fed { /* a nest and what feeds it */
    struct nest nest;
    struct nest_buffer buffer;
};

static void start(struct fed *f, const struct slice_extra *extra) {
    nest_init(&f->nest);
    nest_buffer_init(&f->buffer, &f->nest, extra);
}

static void finish(struct fed *f) {
    nest_buffer_free(&f->buffer);
    nest_free(&f->nest);
}

static void compare_all(struct fed *f) {
    nest_buffer_flush_late(&f->buffer, true, NULL);
    compare(&f->nest, set_n_events);
    finish(f);
}

static void feed(struct fed *f, const struct slow_event *e) {
    set_read = e->offset;
    if (slow_unended(e)) {
        nest_buffer_make_space(&f->buffer);
        *f->buffer.space.next++ =
            (struct duration){e->time, DURATION_UNENDED, event_pack(e->offset, e->name)};
        return;
    }
    nest_buffer_add(&f->buffer, e->event, e->time, e->end, e->offset, e->name);
}

START_TEST(sets_that_once_failed) {
    static const struct {
        size_t n;
        struct {
            enum nest_event event;
            int64_t time, end;
            int settle; /* after it: 1 flushes the cheap part, 2 all */
        } v[5];
    } sets[] = {
        /* a begin placed as if it had no end, though the complete event around it contains it in
         * the end */
        {3, {{NEST_COMPLETE, 0, 3, 0}, {NEST_BEGIN, 1, 1, 2}, {NEST_END, 2, 2, 0}}},
        /* a settling of nothing but an end that closes nothing: what runs goes on */
        {3, {{NEST_COMPLETE, 0, 10, 0}, {NEST_END, -1, -1, 1}, {NEST_COMPLETE, 2, 3, 0}}},
        /* a late complete event inside a pair that has ended before it came */
        {4,
         {{NEST_BEGIN, 0, 0, 0},
          {NEST_BEGIN, 0, 0, 0},
          {NEST_END, 2, 2, 0},
          {NEST_COMPLETE, 1, 2, 0}}},
        /* what a begin outlasts has ended when a later part is placed again */
        {5,
         {{NEST_BEGIN, -1, -1, 0},
          {NEST_COMPLETE, -2, 0, 1},
          {NEST_BEGIN, 1, 1, 0},
          {NEST_END, 3, 3, 0},
          {NEST_COMPLETE, 2, 3, 1}}},
        /* as long as the complete event of the same begin, which is earlier in the file: inside
         * it */
        {3, {{NEST_COMPLETE, 13, 14, 0}, {NEST_BEGIN, 13, 13, 1}, {NEST_END, 14, 14, 0}}},
    };
    for (set_number = 0; set_number < (int)(sizeof sets / sizeof *sets); set_number++) {
        struct fed nest;
        start(&nest, &set_aside);
        set_n_events = set_n_facts = 0;
        for (size_t i = 0; i < sets[set_number].n; i++) {
            int64_t time = sets[set_number].v[i].time, end = sets[set_number].v[i].end;
            set_events[set_n_events++] =
                (struct slow_event){sets[set_number].v[i].event, time, end, 8 + 16 * i, 1};
            feed(&nest, &set_events[i]);
            if (sets[set_number].v[i].settle > 0)
                nest_buffer_flush_late(&nest.buffer, sets[set_number].v[i].settle == 2, NULL);
            sound(&nest.nest);
        }
        compare_all(&nest);
    }
}
END_TEST

START_TEST(nests_as_the_rules_say) {
    for (set_number = 0; set_number < 30000; set_number++) {
        struct set_taste taste = set_any_taste();
        set_make(&taste, 1 + below(&set_chance, below(&set_chance, 4) ? 12 : 60));
        struct fed steps, once;
        start(&steps, &set_aside);
        start(&once, &set_aside);
        steps.nest.named = once.nest.named = taste.named;
        for (size_t i = 0; i < set_n_events; i++) {
            feed(&steps, &set_events[i]);
            if (below(&set_chance, taste.settle) == 0) {
                bool all = below(&set_chance, 2);
                nest_buffer_flush_late(&steps.buffer, all, NULL);
                if (all)
                    compare(&steps.nest, i + 1);
            }
            sound(&steps.nest);
        }
        nest_buffer_flush_late(&steps.buffer, true, NULL);
        compare(&steps.nest, set_n_events);
        set_n_facts = 0; /* each nest has its own */
        for (size_t i = 0; i < set_n_events; i++)
            feed(&once, &set_events[i]);
        nest_buffer_flush_late(&once.buffer, true, NULL);
        compare(&once.nest, set_n_events);
        MUST(same_nests(&steps.nest, &once.nest));
        finish(&steps);
        finish(&once);
    }
    MUST(instants_found > 100);
}
END_TEST

START_TEST(any_order_in_the_file) { /* shuffled: most of it is late */
    for (set_number = 0; set_number < 3000; set_number++) {
        struct set_taste taste = set_any_taste();
        taste.unit = 1000;
        set_make(&taste, 2 + below(&set_chance, 30));
        for (size_t i = 0; i < set_n_events; i++) { /* times that differ */
            set_events[i].time += (int64_t)i;
            set_events[i].end +=
                set_events[i].event == NEST_COMPLETE && !slow_unended(&set_events[i]) ? (int64_t)i
                                                                                      : 0;
            if (set_events[i].event != NEST_COMPLETE)
                set_events[i].end = set_events[i].time;
        }
        struct fed nest;
        start(&nest, &set_aside);
        nest.nest.named = taste.named;
        for (size_t i = set_n_events; i > 1; i--) {
            size_t k = below(&set_chance, i);
            struct slow_event e = set_events[k];
            set_events[k] = set_events[i - 1];
            set_events[i - 1] = e;
        }
        for (size_t i = 0; i < set_n_events; i++)
            set_events[i].offset = 8 + 8 * i;
        set_lose();
        for (size_t i = 0; i < set_n_events; i++) {
            feed(&nest, &set_events[i]);
            if (below(&set_chance, 4) == 0)
                nest_buffer_flush_late(&nest.buffer, true, NULL);
        }
        compare_all(&nest);
    }
}
END_TEST

START_TEST(late_behind_what_was_placed_as_a_whole) {
    for (set_number = 0; set_number < 6000; set_number++) {
        struct set_taste taste = set_any_taste();
        taste.calls = true;
        taste.unit = 1;
        set_make(&taste, 3 + below(&set_chance, 20));
        struct fed nest;
        start(&nest, &set_aside);
        size_t n = set_n_events;
        for (size_t i = 0; i < n; i++)
            feed(&nest, &set_events[i]);
        nest_buffer_flush_late(&nest.buffer, false, NULL);
        for (size_t late = 1 + below(&set_chance, 3); late > 0; late--) {
            struct slow_event *e = &set_events[set_n_events], *last = &set_events[set_n_events - 1];
            *e = (struct slow_event){.event = (enum nest_event)below(&set_chance, 3),
                                     .time = set_events[below(&set_chance, n)].time +
                                             (int64_t)below(&set_chance, 4) - 1,
                                     .offset = last->offset + 8,
                                     .name = 1};
            e->end = e->event == NEST_COMPLETE ? e->time + (int64_t)below(&set_chance, 8) : e->time;
            set_n_events++;
            feed(&nest, e);
            if (below(&set_chance, 2))
                nest_buffer_flush_late(&nest.buffer, false, NULL);
        }
        compare_all(&nest);
    }
}
END_TEST

START_TEST(deep_and_long_sets) {
    for (set_number = 0; set_number < 60; set_number++) {
        struct set_taste taste = set_any_taste();
        taste.longest *= 1 + below(&set_chance, 30);
        taste.apart = 2;
        set_make(&taste, 600);
        struct fed nest;
        start(&nest, &set_aside);
        nest.nest.named = taste.named;
        for (size_t i = 0; i < set_n_events; i++) {
            feed(&nest, &set_events[i]);
            if (below(&set_chance, 100) == 0)
                nest_buffer_flush_late(&nest.buffer, false, NULL);
        }
        compare_all(&nest);
    }
}
END_TEST

/* No event of a buffer is late if many slices begin or end at one time. */
START_TEST(a_coarse_clock_makes_no_event_late) {
    for (set_number = 0; set_number < 200; set_number++) {
        struct fed nest;
        set_make_coarse(200 + below(&set_chance, 400));
        for (int flushes = 0; flushes < 2; flushes++) {
            start(&nest, &set_aside);
            for (size_t i = 0; i < set_n_events; i++) {
                feed(&nest, &set_events[i]);
                if (flushes && below(&set_chance, 100) == 0)
                    nest_buffer_flush(&nest.buffer);
            }
            nest_buffer_flush(&nest.buffer);
            if (flushes == 0)
                /* none was late */
                MUST(!nest_waiting(&nest.nest) && nest.nest.may_settle >= 1024 + set_n_events / 4);
            compare_all(&nest);
        }
    }
}
END_TEST

/* A pair with the times of a complete event inside and of one around it, which so must wait: all
 * that comes after it is nested nevertheless, and slices of no length at the begin of a complete
 * event need no wait. */
START_TEST(one_event_that_waits_holds_up_no_later_ones) {
    struct fed nest;
    start(&nest, &set_aside);
    set_n_events = set_n_facts = 0;
    for (int64_t t = 0; set_n_events + 8 < SLOW_NEST_MOST; t += 8) {
        const struct slow_event v[] = {
            {NEST_BEGIN, t, t, 0, 1},        {NEST_COMPLETE, t, t, 0, 1},
            {NEST_COMPLETE, t, t + 2, 0, 1}, {NEST_COMPLETE, t, t + 4, 0, 1},
            {NEST_END, t + 4, t + 4, 0, 1},  {NEST_COMPLETE, t, t + 4, 0, 1}};
        for (size_t i = 0; i < sizeof v / sizeof *v; i++) {
            if (t != 800 && i >= 3 && i != 4)
                continue;
            set_events[set_n_events] = v[i];
            set_events[set_n_events].offset = 8 + 8 * set_n_events;
            feed(&nest, &set_events[set_n_events++]);
        }
    }
    nest_buffer_flush(&nest.buffer);
    ck_assert(!nest_waiting(&nest.nest));
    ck_assert_uint_gt(nest.nest.may_settle, set_n_events / 4); /* few slices have moved */
    compare_all(&nest);
}
END_TEST

/* A parent written after a child that is the first slice of its piece of memory: it is placed at
 * once. */
START_TEST(a_parent_after_a_child_at_the_border_of_a_piece) {
    struct fed nest;
    uint64_t offset = 8;
    start(&nest, &set_aside);
    set_n_facts = 0;
    for (int64_t i = 0; i < LANE_PIECE; i++, offset += 8)
        nest_buffer_add(&nest.buffer, NEST_COMPLETE, 10 * i, 10 * i + 5, offset, 1);
    nest_buffer_flush(&nest.buffer);
    nest_buffer_add(&nest.buffer, NEST_COMPLETE, 10 * LANE_PIECE + 1, 10 * LANE_PIECE + 2, offset,
                    1);
    nest_buffer_flush(&nest.buffer);
    nest_buffer_add(&nest.buffer, NEST_COMPLETE, 10 * LANE_PIECE, 10 * LANE_PIECE + 5, offset + 8,
                    1);
    nest_buffer_flush(&nest.buffer);
    ck_assert(!nest_waiting(&nest.nest));
    ck_assert_uint_eq(nest_rows(&nest.nest), 2);
    ck_assert_uint_eq(nest_row(&nest.nest, 0)->n, LANE_PIECE + 1);
    ck_assert_uint_eq(nest_row(&nest.nest, 1)->n, 1);
    finish(&nest);
}
END_TEST

/* Parents that are written after many children, of which the buffer before has some: by rows, by
 * depth. */
START_TEST(parents_after_the_children_of_two_buffers) {
    for (unsigned depth = 1; depth < 5; depth++)
        for (unsigned children = 1; children < 40; children++) {
            struct fed nest;
            start(&nest, &set_aside);
            set_n_events = set_n_facts = 0;
            for (unsigned i = 0; i < 2 * children + depth; i++) {
                struct slow_event *e = &set_events[set_n_events++];
                int64_t t = 100 + 10 * (int64_t)i;
                *e = (struct slow_event){NEST_COMPLETE, t, t + 5, 8 * set_n_events, 1};
                if (i >= 2 * children) /* a parent: that at 1 is around all */
                    e->time = (int64_t)(2 * children + depth) - i;
                feed(&nest, e);
                if (i + 1 == children)
                    nest_buffer_flush(&nest.buffer);
            }
            compare_all(&nest);
        }
}
END_TEST

/* Saturated times are the earliest and latest there are. */
START_TEST(times_that_are_as_early_or_late_as_any) {
    for (set_number = 0; set_number < 6000; set_number++) {
        struct fed nest;
        start(&nest, &set_aside);
        set_n_events = set_n_facts = 0;
        bool late = set_number % 2;
        int64_t now = late ? INT64_MAX - 3 : INT64_MIN;
        for (size_t n = 1 + below(&set_chance, 8); n > 0; n--) {
            struct slow_event *e = &set_events[set_n_events++];
            now += now < INT64_MAX ? (int64_t)below(&set_chance, 2) : 0;
            *e = (struct slow_event){(enum nest_event)below(&set_chance, 3), now, now,
                                     8 * set_n_events, 1};
            if (now == INT64_MAX) /* which is the end of an open slice, too */
                e->event = NEST_COMPLETE;
            else if (e->event == NEST_COMPLETE)
                e->time -=
                    (int64_t)below(&set_chance, late ? 4 : (uint64_t)now - (uint64_t)INT64_MIN + 1);
            feed(&nest, e);
        }
        nest_buffer_flush_late(&nest.buffer, true, NULL);
        MUST(nest.nest.late.n == 0);
        slow_nest_read(set_events, set_n_events, false);
        same_rows(&nest.nest);
        finish(&nest);
    }
}
END_TEST

/* Facts of many slices, for the sets that the reference does not see. */
static uint64_t *table;

static void put_table(void *ctx, uint64_t key, uint64_t value) {
    (void)ctx;
    table[key] = value;
}

static uint64_t get_table(void *ctx, uint64_t key) {
    (void)ctx;
    return table[key];
}

static uint32_t end_name_table(void *ctx, uint64_t offset) {
    (void)ctx;
    return (uint32_t)(offset / 8 % 3);
}

static struct slow_event *many_events(size_t n, bool completes) {
    struct slow_event *v = malloc(n * sizeof *v);
    int64_t now = 0;
    for (size_t i = 0; i < n; i++) {
        uint64_t offset = 8 + 8 * (uint64_t)i;
        now += (int64_t)below(&set_chance, 3);
        v[i] = (struct slow_event){i % 2 ? NEST_END : NEST_BEGIN, now, now, offset,
                                   end_name_table(NULL, offset)};
        if (completes && below(&set_chance, 3) == 0)
            v[i].event = NEST_COMPLETE;
        if (below(&set_chance, n / 6) == 0)
            v[i].time = (int64_t)below(&set_chance, (uint64_t)now + 1); /* from anywhere before */
        v[i].end =
            v[i].event == NEST_COMPLETE ? v[i].time + (int64_t)below(&set_chance, 20) : v[i].time;
    }
    return v;
}

/* more slices than a settling takes back for a few late events */
START_TEST(what_is_put_off_comes_right_in_the_end) {
    enum { COUNT = 300000 };
    static const struct slice_extra big = {NULL, end_name_table, put_table, get_table, NULL, NULL};
    size_t bytes = (COUNT + 2) * 8 * sizeof *table;
    table = malloc(bytes);
    for (set_number = 0; set_number < 4; set_number++) {
        struct slow_event *v = many_events(COUNT, set_number % 2);
        struct fed patient, once;
        size_t put_off = 0;
        set_n_events = 0;
        start(&patient, &big);
        memset(table, 0xff, bytes);
        for (size_t i = 0; i < COUNT; i++) {
            nest_buffer_add(&patient.buffer, v[i].event, v[i].time, v[i].end, v[i].offset,
                            v[i].name);
            if (i % 4096 == 0) {
                nest_buffer_flush_late(&patient.buffer, false, NULL);
                put_off += patient.nest.late.n > 0;
            }
        }
        nest_buffer_flush_late(&patient.buffer, true, NULL);
        MUST(put_off > 0);
        start(&once, &big);
        memset(table, 0xff, bytes);
        for (size_t i = 0; i < COUNT; i++)
            nest_buffer_add(&once.buffer, v[i].event, v[i].time, v[i].end, v[i].offset, v[i].name);
        nest_buffer_flush_late(&once.buffer, true, NULL);
        MUST(same_nests(&patient.nest, &once.nest));
        finish(&patient);
        finish(&once);
        free(v);
    }
    free(table);
}
END_TEST

static void flush_all(struct task *task, void *buffer) {
    nest_buffer_flush_late(buffer, true, task);
}

/* Flushes in steps, between which no slice is missing; returns how many. */
static size_t flush_in_steps(struct fed *f) {
    struct tasks all = {0};
    struct task *task = task_new(&all, flush_all, &f->buffer);
    size_t steps = 0;
    nest_buffer_flush(&f->buffer); /* it takes no step */
    uint64_t before = f->nest.slices;
    for (; !task_step(task, TASK_OF(20000)); steps++)
        MUST(f->nest.slices >= before);
    task_free(task);
    return steps;
}

static void add_event(struct fed *f, const struct slow_event *e) {
    nest_buffer_add(&f->buffer, e->event, e->time, e->end, e->offset, e->name);
}

/* Late events of many slices are nested in steps. */
START_TEST(late_events_are_nested_in_steps_as_at_once) {
    enum { COUNT = 120000 };
    static const struct slice_extra big = {NULL, end_name_table, put_table, get_table, NULL, NULL};
    size_t bytes = (COUNT + 2) * 8 * sizeof *table;
    table = malloc(bytes);
    for (set_number = 0; set_number < 6; set_number++) {
        struct slow_event *v = many_events(COUNT, set_number % 2);
        struct fed steps, once;
        size_t unfinished = 0;
        set_n_events = 0;
        start(&steps, &big);
        memset(table, 0xff, bytes);
        for (size_t i = 0; i < COUNT; i++) {
            add_event(&steps, &v[i]);
            if (i > 0 && i % (COUNT / (set_number + 1)) == 0)
                unfinished += flush_in_steps(&steps);
        }
        unfinished += flush_in_steps(&steps);
        MUST(unfinished > 20);
        start(&once, &big);
        memset(table, 0xff, bytes);
        for (size_t i = 0; i < COUNT; i++)
            add_event(&once, &v[i]);
        nest_buffer_flush_late(&once.buffer, true, NULL);
        MUST(same_nests(&steps.nest, &once.nest));
        finish(&steps);
        finish(&once);
        free(v);
    }
    free(table);
}
END_TEST

SUITE(nest) {
    Suite *s = suite_create("nest");
    TCase *t = tcase_create("rules");
    tcase_set_timeout(t, 120);
    tcase_add_test(t, a_parent_after_a_child_at_the_border_of_a_piece);
    tcase_add_test(t, parents_after_the_children_of_two_buffers);
    tcase_add_test(t, times_that_are_as_early_or_late_as_any);
    tcase_add_test(t, a_coarse_clock_makes_no_event_late);
    tcase_add_test(t, one_event_that_waits_holds_up_no_later_ones);
    tcase_add_test(t, sets_that_once_failed);
    tcase_add_test(t, nests_as_the_rules_say);
    tcase_add_test(t, any_order_in_the_file);
    tcase_add_test(t, late_behind_what_was_placed_as_a_whole);
    tcase_add_test(t, deep_and_long_sets);
    tcase_add_test(t, what_is_put_off_comes_right_in_the_end);
    tcase_add_test(t, late_events_are_nested_in_steps_as_at_once);
    suite_add_tcase(s, t);
    return s;
}
