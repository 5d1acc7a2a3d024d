/* suite_sched.c - CPUs and threads' states against lists of what happened, as SEMANTICS 10 has it,
 * and against themselves in pieces. */
#include "model/store/sched_life.h"

#include <stdio.h>
#include <string.h>

#include "src/fxt/fxt.h"
#include "tests/lib/chance.h"
#include "tests/unit/lib/must.h"
#include "tests/unit/lib/suites.h"

#define MOST 300
#define CPUS 4
#define THREADS 8
#define NONE UINT32_MAX

/* ---- the reference ---- */

struct interval {
    int64_t from, to; /* INT64_MAX: no end */
    uint32_t thread, flags;
    uint64_t offset;
};

struct state {
    int64_t from;
    uint32_t state;
    bool woken, idle;
    uint64_t offset;
    /* of a tile, also by states of no length at its begin; dying: and it does not run after it */
    bool dead, ran, dying;
    bool lived; /* it ran after each of these ends */
};

struct record {
    struct moment at;
    uint32_t out, in;
    uint16_t cpu;
    enum fxt_kind kind;
    uint8_t state;
    bool out_idle, in_idle;
};

static struct record events[MOST], sorted[MOST];
static size_t n_events, inconsistent;
static struct cpu {
    struct interval v[MOST + 2];
    size_t n;
    bool seen;
} cpus[CPUS];
static struct person {
    struct state v[2 * MOST];
    size_t n;
    bool named;
} people[THREADS];
static int64_t origin;
static uint32_t standing; /* which of two mappings of threads holds */

static uint32_t stands_for(const void *ctx, uint32_t thread) {
    (void)ctx;
    return standing == 1 && thread >= THREADS / 2 ? thread - THREADS / 2 : thread;
}

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

static void becomes(uint32_t thread, int64_t time, uint32_t state, uint64_t offset, bool woken,
                    bool idle) {
    struct person *p = &people[thread];
    p->v[p->n++] = (struct state){
        .from = time, .state = state, .woken = woken, .idle = idle, .offset = offset};
    p->named = true;
}

static void reference(void) {
    for (int i = 0; i < CPUS; i++)
        cpus[i].n = 0, cpus[i].seen = false;
    for (int i = 0; i < THREADS; i++)
        people[i].n = 0, people[i].named = false;
    inconsistent = 0;
    sort_events();
    for (size_t i = 0; i < n_events; i++) {
        const struct record *e = &sorted[i];
        uint32_t in = stands_for(NULL, e->in), out = stands_for(NULL, e->out);
        if (e->kind == FXT_K_WAKEUP) {
            struct person *p = &people[in];
            uint32_t now = p->n > 0 ? p->v[p->n - 1].state : NONE;
            if (now != SCHED_RUNNING && e->state != 0) /* of JSON */
                becomes(in, e->at.time, e->state, e->at.offset, false, false);
            else if (now != SCHED_RUNNING && now != SCHED_RUNNABLE)
                becomes(in, e->at.time, SCHED_RUNNABLE, e->at.offset, true, false);
            p->named = true;
            continue;
        }
        struct cpu *cpu = &cpus[e->cpu];
        cpu->seen = true;
        struct interval *last = cpu->n > 0 ? &cpu->v[cpu->n - 1] : NULL;
        if (last == NULL && !people[out].named) { /* it ran since time 0 */
            becomes(out, origin, SCHED_RUNNING, e->at.offset, false, e->out_idle);
            if (e->at.time > origin)
                cpu->v[cpu->n++] = (struct interval){origin, e->at.time, out,
                                                     SCHED_FIRST | SCHED_KNOWN | e->state |
                                                         (e->out_idle ? SCHED_OF_IDLE : 0),
                                                     e->at.offset};
        } else if (last) {
            last->to = e->at.time;
            if (last->thread == out) {
                last->flags |= SCHED_KNOWN | e->state;
            } else {
                bool unknown =
                    people[out].n > 0 && people[out].v[people[out].n - 1].state == SCHED_UNKNOWN;
                inconsistent += !(unknown && last->flags & SCHED_OF_IDLE);
                becomes(last->thread, e->at.time, SCHED_RUNNABLE, e->at.offset, false, false);
            }
        }
        becomes(out, e->at.time, e->state, e->at.offset, false, false);
        cpu->v[cpu->n++] = (struct interval){e->at.time, INT64_MAX, in,
                                             e->in_idle ? SCHED_OF_IDLE : 0, e->at.offset};
        becomes(in, e->at.time, SCHED_RUNNING, e->at.offset, false, e->in_idle);
    }
}

static void compare_cpu(const struct sched *sched, uint16_t number, int set) {
    const struct cpu *cpu = &cpus[number];
    struct sched_cpu *fast = NULL;
    for (size_t i = 0; i < sched->state.cpus.n; i++)
        if (sched->state.cpus.v[i]->number == number)
            fast = sched->state.cpus.v[i];
    MUST((fast != NULL) == cpu->seen, set);
    if (fast == NULL)
        return;
    MUST(fast->lane.n == cpu->n && fast->flags.n == cpu->n, set);
    uint32_t busy = 0;
    for (size_t i = 0; i < cpu->n; i++) {
        const struct slice *s = lane_at(&fast->lane, i);
        const struct interval *k = &cpu->v[i];
        MUST(s->start == k->from && slice_end(s) == k->to, set);
        MUST(slice_open(s) == (k->to == INT64_MAX), set);
        MUST(sched_run(fast, (uint32_t)i).thread == k->thread && slice_offset(s) == k->offset, set);
        MUST(sched_run(fast, (uint32_t)i).flags == k->flags, set);
        MUST(i == 0 || slice_end(lane_at(&fast->lane, i - 1)) == s->start, set);
        if (!(k->flags & SCHED_OF_IDLE))
            MUST(busy < sched_busy(fast)->n &&
                     memcmp(lane_at(sched_busy(fast), busy++), s, sizeof *s) == 0,
                 set);
    }
    MUST(busy == sched_busy(fast)->n, set);
}

/* Whether a state stays: it has a length, or is a wakeup right before the thread runs. */
static bool stays(const struct person *p, size_t i) {
    return i + 1 == p->n || p->v[i + 1].from != p->v[i].from ||
           (p->v[i].woken && p->v[i + 1].state == SCHED_RUNNING);
}

static void compare_thread(const struct sched *sched, uint32_t thread, int set) {
    const struct person *p = &people[thread];
    const struct sched_thread *fast = sched_thread(sched, thread);
    size_t at = 0;
    MUST((fast != NULL) == p->named, set);
    if (fast == NULL)
        return;
    MUST(fast->thread == thread, set);
    for (size_t i = 0; i < p->n; i++) {
        if (!stays(p, i))
            continue;
        const struct slice *s = lane_at(&fast->lane, at++);
        MUST(at <= fast->lane.n, set);
        MUST(s->start == p->v[i].from && sched_state(fast, at - 1) == p->v[i].state, set);
        MUST(slice_offset(s) == p->v[i].offset, set);
        MUST(sched_woken(fast, at - 1) == p->v[i].woken, set);
        MUST(slice_open(s) == (i + 1 == p->n), set);
        MUST(slice_open(s) || slice_end(s) == p->v[i + 1].from, set);
    }
    MUST(at == fast->lane.n && at == fast->states.n, set);
}

/* ---- lives: a slow reading, ns by ns (SEMANTICS 10.7) ---- */

#define ALIVE_END INT64_MAX

/* The states that stay, the last without end. */
static size_t tiles_of(const struct person *p, struct state *tiles) {
    struct state tile = {0};
    size_t n = 0;
    for (size_t i = 0; i < p->n; i++) {
        const struct state *s = &p->v[i];
        bool first = i == 0 || stays(p, i - 1), runs = s->state == SCHED_RUNNING;
        bool dead = !first && tile.dead, ran = !first && tile.ran, dying = !first && tile.dying;
        bool lived = !first && tile.lived, ends = s->state == SCHED_DEAD || s->state == SCHED_DYING;
        tile = *s;
        tile.dead = dead || s->state == SCHED_DEAD;
        tile.ran = ran || runs;
        tile.dying = (dying && !runs) || s->state == SCHED_DYING;
        tile.lived = runs || (lived && !ends);
        if (stays(p, i))
            tiles[n++] = tile;
    }
    return n;
}

static bool runs_after(const struct state *v, size_t n, size_t i) {
    for (size_t k = i + 1; k < n; k++)
        if (v[k].ran)
            return true;
    return false;
}

/* At a dead state, or the first dying one after which the thread never runs. */
static bool ends_life(const struct state *v, size_t n, size_t i) {
    bool first = v[i].dying && !runs_after(v, n, i);
    for (size_t k = 0; k < i && first; k++)
        first = !v[k].dying || runs_after(v, n, k);
    return v[i].dead || first;
}

/* Whether the thread is known to be alive in tile i: not after an end, nor by a wakeup alone. */
static bool alive_in(const struct state *v, size_t n, size_t i) {
    bool woken_alone = i + 1 == n && v[i].woken && !v[i].lived &&
                       (i == 0 || v[i - 1].state == SCHED_DEAD || v[i].dead);
    if (v[i].state == SCHED_DEAD || woken_alone)
        return false;
    for (size_t k = 0; k <= i; k++)
        if (v[k].dying && !runs_after(v, n, k))
            return false;
    return true;
}

static bool known_in(const struct state *v, size_t n, size_t i) {
    return v[i].state != SCHED_UNKNOWN && alive_in(v, n, i);
}

static int64_t slow_end(const struct state *v, size_t n, int64_t begun) {
    for (size_t i = 0; i < n; i++)
        if (v[i].from >= begun && ends_life(v, n, i))
            return v[i].from;
    return ALIVE_END;
}

static struct sched_shares slow_shares(const struct state *v, size_t n, int64_t from, int64_t to) {
    struct sched_shares s = {0};
    for (int64_t t = from; t < to; t++) {
        size_t i = n;
        while (i > 0 && v[i - 1].from > t)
            i--;
        if (i == 0 || !alive_in(v, n, i - 1))
            continue;
        bool known = known_in(v, n, i - 1);
        s.alive += known;
        s.unknown += !known;
        s.run += v[i - 1].state == SCHED_RUNNING && !v[i - 1].idle;
        s.wait += v[i - 1].state == SCHED_RUNNABLE;
        s.blocked += v[i - 1].state == SCHED_BLOCKED;
    }
    return s;
}

static bool same_shares(struct sched_shares a, struct sched_shares b) {
    return a.run == b.run && a.wait == b.wait && a.blocked == b.blocked && a.alive == b.alive &&
           a.unknown == b.unknown;
}

/* The columns of a window that begins and ends at any time, against each of them alone. */
static void compare_columns(const struct sched_thread *fast, const struct state *v, size_t n,
                            struct chance *c, int set) {
    int64_t edges[9], from = (int64_t)below(c, 300) - 60, until = from + (int64_t)below(c, 100);
    double share[8] = {0};
    for (int k = 0; k < 9; k++)
        edges[k] = from, from += 1 + (int64_t)below(c, 30);
    sched_life_columns(fast, until, edges, 8, share);
    for (int k = 0; k < 8; k++) {
        int64_t to = edges[k + 1] < until ? edges[k + 1] : until, width = edges[k + 1] - edges[k];
        double slow = (double)slow_shares(v, n, edges[k], to).run / (double)width;
        MUST(share[k] - slow < 1e-9 && slow - share[k] < 1e-9, set);
    }
}

static void compare_life(const struct sched *sched, uint32_t thread, struct chance *c, int set) {
    static struct state v[2 * MOST];
    const struct sched_thread *fast = sched_thread(sched, thread);
    size_t n = tiles_of(&people[thread], v), alive = 0;
    int64_t begin = 0, end = 0, last = ALIVE_END;
    if (fast == NULL)
        return;
    for (size_t i = 0; i < n; i++) {
        MUST(sched_life_known(fast, (uint32_t)i) == known_in(v, n, i), set);
        alive += alive_in(v, n, i);
        MUST(sched_life_end(fast, v[i].from) == slow_end(v, n, v[i].from), set);
        MUST(sched_life_end(fast, v[i].from + 1) == slow_end(v, n, v[i].from + 1), set);
        if (alive_in(v, n, i))
            last = i + 1 < n ? v[i + 1].from : ALIVE_END;
    }
    bool spans = sched_life_span(fast, &begin, &end);
    MUST(spans || alive == 0, set);
    MUST(alive == 0 || begin == v[0].from, set);
    /* dead, then dead again */
    MUST(alive == 0 || end == last || (end > last && slow_end(v, n, end) == end), set);
    for (int k = 0; k < 3; k++) {
        int64_t from = (int64_t)below(c, 400) - 60, to = from + (int64_t)below(c, 200);
        struct sched_shares shares = sched_life_shares(fast, from, to);
        MUST(same_shares(shares, slow_shares(v, n, from, to)), set);
        MUST(sched_life_running(fast, from, to) == shares.run, set);
    }
    compare_columns(fast, v, n, c, set);
}

static void compare(const struct sched *sched, int set) {
    for (uint16_t i = 0; i < CPUS; i++)
        compare_cpu(sched, i, set);
    for (uint32_t i = 0; i < THREADS; i++)
        compare_thread(sched, i, set);
    MUST(sched->state.problems.kinds[PROBLEM_SCHED_INCONSISTENT].count == inconsistent, set);
}

/* Records as a kernel writes them, except some. */
static void throw_events(struct chance *c) {
    uint64_t n_cpus = 1 + below(c, CPUS), threads = 2 + below(c, THREADS - 1), wrong = below(c, 10),
             pace = 1 + below(c, 4), deadly = below(c, 2) ? 4 : 6;
    uint64_t late = below(c, 3) ? 0 : 1 + below(c, 20);
    uint32_t on[CPUS];
    int64_t now = -30;
    for (int i = 0; i < CPUS; i++)
        on[i] = (uint32_t)below(c, threads);
    n_events = 1 + below(c, below(c, 10) ? 30 : MOST);
    for (size_t i = 0; i < n_events; i++) {
        struct record *e = &events[i];
        now += (int64_t)below(c, pace + 1);
        *e = (struct record){.at = {now - (int64_t)below(c, late + 1), (i + 1) * 32},
                             .cpu = (uint16_t)below(c, n_cpus),
                             .in = (uint32_t)below(c, threads),
                             .kind = below(c, 4) == 0 ? FXT_K_WAKEUP : FXT_K_SWITCH,
                             .state = (uint8_t)below(c, below(c, 4) ? deadly : 16),
                             .in_idle = below(c, 8) == 0,
                             .out_idle = below(c, 8) == 0};
        e->out = e->kind == FXT_K_WAKEUP ? NO_THREAD
                 : below(c, 10) < wrong  ? (uint32_t)below(c, threads)
                                         : on[e->cpu];
        if (e->kind == FXT_K_SWITCH)
            on[e->cpu] = e->in;
        else
            e->out = e->in; /* not asked */
    }
    origin = events[0].at.time;
    for (size_t i = 1; i < n_events; i++)
        origin = events[i].at.time < origin ? events[i].at.time : origin;
    origin -= below(c, 2) ? 0 : (int64_t)below(c, 10);
}

static void add(struct sched *sched, struct record r, bool follow, int64_t origin_now) {
    uint64_t mark =
        sched_mark(r.at.offset, plain_sched(r.kind, r.cpu, r.state, r.out_idle, r.in_idle));
    struct sched_event e = {
        {{r.at.time, mark}, sched_pair(r.kind == FXT_K_WAKEUP ? 0 : r.out, r.in)}, NO_THREAD, 0};
    e.in_as = sched_stand(&sched->input, r.in, stands_for, NULL);
    if (r.kind != FXT_K_WAKEUP)
        e.out_as = sched_stand(&sched->input, r.out, stands_for, NULL);
    /* it waits for the next flush */
    if (!follow && sched->state.time_log.state == TIME_LOG_IN_ORDER) {
        /* packs no more */
        time_log_array_end(&sched->input.log);
        sched->input.log.packed.ended = true; /* also if there is none */
        sched->state.time_log.state = TIME_LOG_BLOCKED;
    }
    time_log_array_add(&sched->input.log, &e, sizeof e, 1);
    sched_take(&sched->state, &e, 1, origin_now);
}

START_TEST(a_pair_has_both_threads) {
    static const uint32_t numbers[] = {0, 1, 255, 256, 65535, 65536, 0x1234567, NO_THREAD - 1};
    for (unsigned i = 0; i < 64; i++) {
        uint64_t pair = sched_pair(numbers[i / 8], numbers[i % 8]);
        ck_assert_uint_eq(sched_pair_out(pair), numbers[i / 8]);
        ck_assert_uint_eq(sched_pair_in(pair), numbers[i % 8]);
        ck_assert(numbers[i / 8] > 255 || numbers[i % 8] > 255 || pair < 65536);
    }
}
END_TEST

START_TEST(intervals_and_states_are_those_of_the_lists) {
    struct chance chance = {271828};
    for (int set = 0; set < 10000; set++) {
        struct sched whole = {0}, pieces = {0};
        throw_events(&chance);
        standing = (uint32_t)below(&chance, 2);
        reference();
        for (size_t i = 0; i < n_events; i++)
            add(&whole, events[i], false, 0);
        sched_flush(&whole, &(struct sched_world){stands_for, NULL, origin, NULL}, true, NULL);
        compare(&whole, set);
        sched_free(&whole);
        uint32_t final = standing;
        uint64_t step = 1 + below(&chance, 50);
        int64_t earliest = INT64_MAX;
        bool follow = true;
        for (size_t i = 0; i < n_events; i++) {
            earliest = events[i].at.time < earliest ? events[i].at.time : earliest;
            add(&pieces, events[i], follow, earliest);
            /* a thread record comes late, and so does the earliest event */
            standing = i < n_events / 2 ? 0 : final;
            if (below(&chance, step) == 0) {
                sched_flush(&pieces,
                            &(struct sched_world){stands_for, NULL,
                                                  i < n_events * 2 / 3 ? earliest : origin, NULL},
                            below(&chance, 8) == 0, NULL);
                follow = below(&chance, 4) > 0;
            }
        }
        sched_flush(&pieces, &(struct sched_world){stands_for, NULL, origin, NULL}, true, NULL);
        compare(&pieces, set);
        sched_free(&pieces);
    }
}
END_TEST

START_TEST(lives_and_shares_are_those_of_every_ns) {
    struct chance chance = {31415};
    for (int set = 0; set < 4000; set++) {
        struct sched sched = {0};
        throw_events(&chance);
        standing = 0;
        reference();
        uint64_t step = 1 + below(&chance, 100);
        for (size_t i = 0; i < n_events; i++) {
            add(&sched, events[i], false, 0);
            if (below(&chance, step) == 0)
                sched_flush(&sched, &(struct sched_world){stands_for, NULL, origin, NULL}, false,
                            NULL);
        }
        sched_flush(&sched, &(struct sched_world){stands_for, NULL, origin, NULL}, true, NULL);
        for (uint32_t i = 0; i < THREADS; i++)
            compare_life(&sched, i, &chance, set);
        sched_free(&sched);
    }
}
END_TEST

START_TEST(what_is_learned_after_the_last_record_still_counts) {
    struct sched sched = {0};
    struct record r = {
        .at = {10, 8}, .out = 1, .in = THREADS / 2 + 1, .kind = FXT_K_SWITCH, .state = 3};
    standing = 0;
    add(&sched, r, false, 0);
    sched_flush(&sched, &(struct sched_world){stands_for, NULL, 10, NULL}, true, NULL);
    ck_assert_uint_eq(sched.state.cpus.v[0]->lane.n, 1);
    ck_assert_ptr_nonnull(sched_thread(&sched, THREADS / 2 + 1));
    standing = 1;
    sched_flush(&sched, &(struct sched_world){stands_for, NULL, 4, NULL}, true, NULL);
    ck_assert_uint_eq(sched.state.cpus.v[0]->lane.n, 2);
    ck_assert_int_eq(lane_start(&sched.state.cpus.v[0]->lane, 0), 4);
    ck_assert_ptr_null(sched_thread(&sched, THREADS / 2 + 1));
    ck_assert_uint_eq(sched_thread(&sched, 1)->lane.n, 2); /* ran, runs: blocked for no time */
    sched_free(&sched);
}
END_TEST

START_TEST(an_interval_of_years_keeps_its_thread_and_its_length) {
    const int64_t years = INT64_C(1) << 58, times[] = {10, 11, 11 + years, 12 + years};
    struct sched sched = {0};
    standing = 0;
    for (uint32_t i = 0; i < 4; i++) { /* 1 -> 2 -> 1 -> 2 -> 1 */
        uint32_t out = 1 + i % 2;
        struct record r = {
            {times[i], 8 * (i + 1)}, out, 3 - out, .kind = FXT_K_SWITCH, .state = SCHED_BLOCKED};
        add(&sched, r, true, 0);
    }
    struct sched_cpu *cpu = sched_cpu(&sched, 0);
    ck_assert_uint_eq(cpu->lane.n, 5);
    ck_assert_int_eq(lane_dur(&cpu->lane, 0), 10);
    ck_assert_int_eq(lane_dur(&cpu->lane, 2), years);
    for (uint32_t i = 0; i < 5; i++)
        ck_assert_uint_eq(sched_run(cpu, i).thread, 1 + i % 2);
    struct sched_shares shares = sched_life_shares(sched_thread(&sched, 1), 0, 12 + years);
    ck_assert_int_eq(shares.run, 10 + years);
    ck_assert_int_eq(shares.blocked, 2);
    sched_free(&sched);
}
END_TEST

/* Outgoing state 15, and death when its end is seen: from an idle processor. */
START_TEST(a_thread_out_of_sight_is_unknown_until_it_is_dead) {
    struct sched sched = {0};
    const struct record v[] = {
        {{10, 8}, 1, 0, .kind = FXT_K_SWITCH, .state = SCHED_UNKNOWN, .in_idle = true},
        {{50, 16}, 1, 0, .kind = FXT_K_SWITCH, .state = SCHED_DEAD, .in_idle = true}};
    standing = 0;
    for (size_t i = 0; i < 2; i++)
        add(&sched, v[i], true, 0);
    sched_flush(&sched, &(struct sched_world){stands_for, NULL, 0, NULL}, true, NULL);
    const struct sched_thread *t = sched_thread(&sched, 1);
    ck_assert_uint_eq(sched.state.problems.kinds[PROBLEM_SCHED_INCONSISTENT].count, 0);
    ck_assert_uint_eq(t->lane.n, 3);
    ck_assert_uint_eq(sched_state(t, 1), SCHED_UNKNOWN);
    ck_assert(!sched_life_known(t, 1));
    ck_assert_int_eq(sched_life_end(t, 0), 50);
    struct sched_shares shares = sched_life_shares(t, 0, 100);
    ck_assert_int_eq(shares.run, 10);
    ck_assert_int_eq(shares.alive, 10); /* of known states */
    ck_assert_int_eq(shares.unknown, 40);
    for (size_t i = 0; i < sched_thread(&sched, 0)->lane.n; i++) /* idle goes on */
        ck_assert_uint_eq(sched_state(sched_thread(&sched, 0), i), SCHED_RUNNING);
    sched_free(&sched);
}
END_TEST

START_TEST(states_are_named_as_outgoing_states_are_numbered) {
    static const char *const names[] = {"new", "runnable", "suspended", "blocked", "dying", "dead"};
    for (uint32_t i = 0; i < 6; i++)
        ck_assert_str_eq(sched_state_name(i), names[i]);
    for (uint32_t i = 6; i < 15; i++)
        ck_assert_ptr_null(sched_state_name(i));
    ck_assert_str_eq(sched_state_name(SCHED_UNKNOWN), "unknown");
    ck_assert_str_eq(sched_state_name(SCHED_RUNNING), "running");
    static const uint8_t lettered[] = {
        ['S'] = SCHED_BLOCKED,   ['D'] = SCHED_BLOCKED, ['I'] = SCHED_BLOCKED,
        ['T'] = SCHED_SUSPENDED, ['Z'] = SCHED_DYING,   ['X'] = SCHED_DEAD};
    for (char c = 'A'; c < 'Z' + 1; c++)
        if ((size_t)c < sizeof lettered && lettered[(size_t)c] != 0)
            ck_assert_uint_eq(sched_state_lettered((struct str){&c, 1}), lettered[(size_t)c]);
    ck_assert_uint_eq(sched_state_lettered(STR("T|K")), SCHED_BLOCKED);
    ck_assert_uint_eq(sched_state_lettered(STR("")), SCHED_BLOCKED);
}
END_TEST

SUITE(sched) {
    Suite *s = suite_create("sched");
    TCase *t = tcase_create("sched");
    tcase_set_timeout(t, 60);
    tcase_add_test(t, a_pair_has_both_threads);
    tcase_add_test(t, intervals_and_states_are_those_of_the_lists);
    tcase_add_test(t, lives_and_shares_are_those_of_every_ns);
    tcase_add_test(t, what_is_learned_after_the_last_record_still_counts);
    tcase_add_test(t, an_interval_of_years_keeps_its_thread_and_its_length);
    tcase_add_test(t, a_thread_out_of_sight_is_unknown_until_it_is_dead);
    tcase_add_test(t, states_are_named_as_outgoing_states_are_numbered);
    suite_add_tcase(s, t);
    return s;
}
