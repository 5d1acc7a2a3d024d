/* sched_life.c - sums of a thread's states per block, and the states at which its lives end.
 *
 * struct sched_life follows the list of states: states are added at its end, and a last one of no
 * length becomes another. Its effect stays: a death, or a run after dying, was. `sums` are of all
 * states that have ended. A block keeps the sums of the states before its first one. A running
 * state makes earlier dying ones mere states. */
#include "model/store/sched_life.h"

#include "src/base/lower_bound.h"

#define NONE UINT32_MAX

static void add_time(struct sched_sums *sums, const struct sched_thread *t, uint32_t i,
                     uint64_t ns) {
    sched_sums_add(sums, t->states.v[i], ns);
}

void sched_life_free(struct sched_life *life) {
    vec_free(&life->blocks);
    vec_free(&life->deaths);
}

void sched_life_sum(struct sched_thread *t) {
    uint32_t n = (uint32_t)t->states.n;
    t->life.sums = (struct sched_sums){0};
    for (uint32_t i = 0; i < n; i++) {
        if (i % SCHED_LIFE_BLOCK == 0)
            t->life.blocks.v[i / SCHED_LIFE_BLOCK] = t->life.sums;
        if (i + 1 < n)
            add_time(&t->life.sums, t, i, (uint64_t)lane_dur(&t->lane, i));
    }
}

/* ---- lives ---- */

static int64_t start_of(const struct sched_thread *t, uint32_t i) {
    return lane_start(&t->lane, i);
}

/* Whether a life ends at the begin of state `i`, dead or in place of a dead one of no length. */
static bool dies(const struct sched_thread *t, uint32_t i) {
    return t->life.deaths.n > 0 && t->life.deaths.v[t->life.deaths.n - 1].state == i;
}

/* States that are known: all, or all but the last. */
static uint32_t known_states(const struct sched_thread *t) {
    uint32_t n = (uint32_t)t->states.n;
    bool woken_only = n > 0 && sched_woken(t, n - 1) && t->life.ran != n;
    bool doubted = woken_only || (n > 0 && sched_damaged(t, n - 1));
    if (doubted &&
        (n == 1 || t->life.dying || sched_state(t, n - 2) == SCHED_DEAD || dies(t, n - 1)))
        n--;
    return n;
}

bool sched_life_over(const struct sched_thread *t, uint32_t i) {
    bool dying = t->life.dying != 0 && i >= t->life.dying - 1;
    return dying || sched_state(t, i) == SCHED_DEAD;
}

bool sched_life_known(const struct sched_thread *t, uint32_t i) {
    return i < known_states(t) && sched_state(t, i) != SCHED_UNKNOWN && !sched_life_over(t, i) &&
           !sched_damaged(t, i);
}

uint32_t sched_life_state(const struct sched_thread *t, uint32_t i) {
    uint32_t state = sched_state(t, i);
    bool named = state == SCHED_DYING || state == SCHED_DEAD || sched_damaged(t, i);
    return named || sched_life_known(t, i) ? state : SCHED_UNKNOWN;
}

uint32_t sched_life_word(const struct sched_thread *t, uint32_t i) {
    bool woken_only = t->states.n == 1 && sched_woken(t, i);
    return woken_only ? sched_state(t, i) : sched_life_state(t, i);
}

int64_t sched_life_end(const struct sched_thread *t, int64_t begun) {
    const struct sched_life *life = &t->life;
    size_t first = 0;
    int64_t end = INT64_MAX;
    lower_bound(first, life->deaths.n, i, start_of(t, (uint32_t)life->deaths.v[i].state) < begun);
    if (first < life->deaths.n)
        end = start_of(t, (uint32_t)life->deaths.v[first].state);
    if (life->dying && start_of(t, life->dying - 1) >= begun && start_of(t, life->dying - 1) < end)
        end = start_of(t, life->dying - 1);
    return end;
}

bool sched_life_span(const struct sched_thread *t, int64_t *begin, int64_t *end) {
    uint32_t n = known_states(t);
    if (n == 0)
        return false;
    *begin = start_of(t, 0);
    *end = INT64_MAX;
    if (t->life.dying)
        *end = start_of(t, t->life.dying - 1);
    else if (sched_state(t, n - 1) == SCHED_DEAD)
        *end = start_of(t, n - 1);
    else if (n < t->states.n && dies(t, n))
        *end = start_of(t, n);
    return true;
}

/* ---- sums ---- */

struct at_state { /* a state, and the sums before it */
    uint32_t i;
    struct slice slice;
    struct sched_sums sums;
};

/* The state with that number. */
static void state_of(const struct sched_thread *t, uint32_t last, struct at_state *state) {
    state->sums = t->life.blocks.v[last / SCHED_LIFE_BLOCK];
    for (uint32_t i = last / SCHED_LIFE_BLOCK * SCHED_LIFE_BLOCK; i < last; i++)
        add_time(&state->sums, t, i, (uint64_t)lane_dur(&t->lane, i));
    state->i = last;
    state->slice = lane_slice(&t->lane, last);
}

/* The state at `at`; false: the thread had none. */
static bool state_at(const struct sched_thread *t, int64_t at, struct at_state *state) {
    uint32_t last = lane_before(&t->lane, at);
    if (last != NONE)
        state_of(t, last, state);
    return last != NONE;
}

/* The sums of the time before `at`, which is not before the state. */
static struct sched_sums sums_until(const struct sched_thread *t, const struct at_state *state,
                                    int64_t at) {
    struct sched_sums sums = state->sums;
    uint64_t dur = (uint64_t)slice_dur(&state->slice),
             part = (uint64_t)at - (uint64_t)state->slice.start;
    add_time(&sums, t, state->i, dur < part ? dur : part);
    return sums;
}

static struct sched_sums sum_until(const struct sched_thread *t, int64_t at) {
    struct at_state state;
    return state_at(t, at, &state) ? sums_until(t, &state, at) : (struct sched_sums){0};
}

/* Cuts [*from, *to) to the stretch from the first state to the last end; false: nothing is left. */
static bool cut_to_life(const struct sched_thread *t, int64_t *from, int64_t *to) {
    int64_t begin, end;
    if (!sched_life_span(t, &begin, &end))
        return false;
    *from = *from > begin ? *from : begin;
    *to = *to < end ? *to : end;
    return *from < *to;
}

bool sched_life_idles(const struct sched_thread *t) {
    uint8_t last = t->states.n > 0 ? t->states.v[t->states.n - 1] : 0;
    return t->life.sums.of[SCHED_RAN] == 0 &&
           ((last & SCHED_LEFT) != SCHED_RUNNING || last & SCHED_OF_IDLE);
}

bool sched_life_idled(const struct sched_thread *t) {
    return t->states.n > 0 && t->states.v[t->states.n - 1] & SCHED_OF_IDLE && sched_life_idles(t);
}

struct sched_shares sched_life_shares(const struct sched_thread *t, int64_t from, int64_t to) {
    if (!cut_to_life(t, &from, &to))
        return (struct sched_shares){0};
    struct sched_sums a = sum_until(t, from), b = sum_until(t, to);
    uint64_t all = (uint64_t)to - (uint64_t)from,
             dead = b.of[SCHED_WAS_DEAD] - a.of[SCHED_WAS_DEAD],
             unknown = b.of[SCHED_WAS_UNKNOWN] - a.of[SCHED_WAS_UNKNOWN];
    return (struct sched_shares){
        .run = (int64_t)(b.of[SCHED_RAN] - a.of[SCHED_RAN]),
        .wait = (int64_t)(b.of[SCHED_WAITED] - a.of[SCHED_WAITED]),
        .blocked = (int64_t)(b.of[SCHED_WAS_BLOCKED] - a.of[SCHED_WAS_BLOCKED]),
        .suspended = (int64_t)(b.of[SCHED_WAS_SUSPENDED] - a.of[SCHED_WAS_SUSPENDED]),
        .alive = (int64_t)(all - dead - unknown),
        .unknown = (int64_t)unknown};
}

int64_t sched_life_running(const struct sched_thread *t, int64_t from, int64_t to) {
    return sched_life_shares(t, from, to).run;
}

#define NEAR_STATES 16 /* states that the cursor passes one by one */

void sched_life_cursor_init(struct sched_life_cursor *c, const struct sched_thread *t) {
    *c = (struct sched_life_cursor){.t = t};
    if (t && !sched_life_span(t, &c->begin, &c->end))
        c->t = NULL;
}

int64_t sched_life_ran(struct sched_life_cursor *c, int64_t at) {
    struct at_state state;
    if (c->t == NULL || at <= c->begin)
        return 0;
    at = at < c->end ? at : c->end;
    bool near = c->any && start_of(c->t, c->i) <= at;
    for (int k = 0; near && c->i + 1 < c->t->states.n && start_of(c->t, c->i + 1) <= at; k++) {
        near = k < NEAR_STATES;
        add_time(&c->before, c->t, c->i, (uint64_t)lane_dur(&c->t->lane, c->i));
        c->i++;
    }
    if (!near) {
        if (!state_at(c->t, at, &state))
            return 0;
        c->i = state.i;
        c->before = state.sums;
        c->any = true;
    }
    state = (struct at_state){c->i, lane_slice(&c->t->lane, c->i), c->before};
    return (int64_t)sums_until(c->t, &state, at).of[SCHED_RAN];
}

#define TOGETHER 32 /* edges that are found at once */

void sched_life_columns(const struct sched_thread *t, int64_t until, const int64_t *edges,
                        int columns, double *share) {
    int64_t from = edges[0], to = edges[columns] < until ? edges[columns] : until;
    size_t first = 1;
    if (!cut_to_life(t, &from, &to))
        return;
    lower_bound(first, (size_t)columns, c, edges[c] <= from);
    struct at_state state;
    if (!state_at(t, from, &state))
        return;
    uint64_t before = sums_until(t, &state, from).of[SCHED_RAN];
    for (int c = (int)first - 1, n; c < columns && edges[c] < to; c += n) {
        int64_t ends[TOGETHER];
        uint32_t after[TOGETHER]; /* numbers of the states after these */
        n = 0;
        do {
            ends[n] = edges[c + n + 1] < to ? edges[c + n + 1] : to;
            n++;
        } while (n < TOGETHER && c + n < columns && edges[c + n] < to);
        bool others = ends[n - 1] > slice_end(&state.slice); /* else all are in the same state */
        if (others)
            lane_froms(&t->lane, ends, n, after);
        for (int k = 0; others && k < n; k++) {
            __builtin_prefetch(&t->life.blocks.v[(after[k] - 1) / SCHED_LIFE_BLOCK]);
            __builtin_prefetch(&t->states.v[(after[k] - 1) / SCHED_LIFE_BLOCK * SCHED_LIFE_BLOCK]);
        }
        for (int k = 0; k < n; k++) {
            if (others && after[k] - 1 != state.i)
                state_of(t, after[k] - 1, &state);
            uint64_t sum = sums_until(t, &state, ends[k]).of[SCHED_RAN],
                     ns = (uint64_t)edges[c + k + 1] - (uint64_t)edges[c + k];
            share[c + k] += (double)(sum - before) / (double)ns;
            before = sum;
        }
    }
}
