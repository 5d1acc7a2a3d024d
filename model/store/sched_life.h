/* sched_life.h - when a thread lived, and how long it ran, waited or was blocked, from its states
 * (SEMANTICS 10.7).
 *
 * A life ends at a dead state, or at the first of the dying states after which the thread never
 * runs. States after a death belong to the next life of the same thread id. A last state that only
 * a wakeup or a damaged record made, at the start or after an end, is unknown: there is no other
 * evidence that the thread lived then. So are other damaged states and SCHED_UNKNOWN, in which it
 * lives. States that have ended are summed up per block of them, so each question costs O(log n).
 * Times: ns relative to the reader's base. Valid until the next trace_step(). */
#ifndef FXTOP_SCHED_LIFE_H
#define FXTOP_SCHED_LIFE_H

#include "model/store/sched.h"

/* Adds the time of a state, with flags. A table, because which state comes next is hard to
 * predict. */
static inline void sched_sums_add(struct sched_sums *sums, uint8_t state, uint64_t ns) {
    enum { COUNTS = 8, IDLE = SCHED_LEFT + 1 };
    static const uint8_t places[2 * IDLE] = {[SCHED_RUNNING] = COUNTS | SCHED_RAN,
                                             [SCHED_RUNNABLE] = COUNTS | SCHED_WAITED,
                                             [IDLE | SCHED_RUNNABLE] = COUNTS | SCHED_WAITED,
                                             [SCHED_BLOCKED] = COUNTS | SCHED_WAS_BLOCKED,
                                             [IDLE | SCHED_BLOCKED] = COUNTS | SCHED_WAS_BLOCKED,
                                             [SCHED_SUSPENDED] = COUNTS | SCHED_WAS_SUSPENDED,
                                             [IDLE | SCHED_SUSPENDED] =
                                                 COUNTS | SCHED_WAS_SUSPENDED,
                                             [SCHED_DEAD] = COUNTS | SCHED_WAS_DEAD,
                                             [IDLE | SCHED_DEAD] = COUNTS | SCHED_WAS_DEAD,
                                             [SCHED_UNKNOWN] = COUNTS | SCHED_WAS_UNKNOWN,
                                             [IDLE | SCHED_UNKNOWN] = COUNTS | SCHED_WAS_UNKNOWN};
    unsigned place = places[(state & SCHED_LEFT) | (state & SCHED_OF_IDLE ? IDLE : 0)];
    place = state & SCHED_DAMAGED && place != (COUNTS | SCHED_WAS_DEAD) ? COUNTS | SCHED_WAS_UNKNOWN
                                                                        : place;
    sums->of[place % COUNTS] += ns & -(uint64_t)(place / COUNTS);
}

/* ---- for sched.c: the states as they are derived ---- */

/* The last state has got its end. */
static inline void sched_life_ended(struct sched_thread *t, uint64_t ns) {
    sched_sums_add(&t->life.sums, t->states.v[t->states.n - 1], ns);
}

/* Before a state is added. */
static inline void sched_life_more(struct sched_thread *t) {
    if (t->states.n % SCHED_LIFE_BLOCK == 0)
        vec_push(&t->life.blocks, t->life.sums);
}

/* The last state has become this one. word: of its record. */
static inline void sched_life_begun(struct sched_thread *t, uint32_t state, uint64_t word) {
    struct sched_life *life = &t->life;
    if (state == SCHED_RUNNING) {
        life->dying = 0;
        life->ran = (uint32_t)t->states.n;
    } else if (state == SCHED_DYING && life->dying == 0) {
        life->dying = (uint32_t)t->states.n;
        life->dying_word = word;
        life->ran = 0;
    } else if (state == SCHED_DEAD) {
        vec_push(&life->deaths, ((struct sched_death){t->states.n - 1, word}));
        life->ran = 0;
    }
}

void sched_life_free(struct sched_life *life);

/* Whether state `i` is damaged from now on. Then sched_life_sum() has to follow. */
static inline void sched_life_damage(struct sched_thread *t, uint32_t i, bool damaged) {
    t->states.v[i] = (uint8_t)((t->states.v[i] & ~SCHED_DAMAGED) | (damaged ? SCHED_DAMAGED : 0));
}
void sched_life_sum(struct sched_thread *t); /* adds up all states again */

/* ---- questions ---- */

/* The first end of a life at or after `begun`: INT64_MAX if there is none. */
int64_t sched_life_end(const struct sched_thread *t, int64_t begun);
/* The start of the first known state, and the end of the last life: INT64_MAX if it has not ended.
 * False: no state is known. */
bool sched_life_span(const struct sched_thread *t, int64_t *begin, int64_t *end);
/* Whether the thread was alive in state `i`, as far as is known; a damaged state is not. */
bool sched_life_known(const struct sched_thread *t, uint32_t i);
/* Whether state `i` is after the end of the last life, or dead. */
bool sched_life_over(const struct sched_thread *t, uint32_t i);
/* The state as answers have it: SCHED_UNKNOWN if the thread is not known to live in it, as
 * after its end. Dying, dead and damaged states keep the word of their record. */
uint32_t sched_life_state(const struct sched_thread *t, uint32_t i);
/* The state as rows of exports and SQL have it: the word of a wakeup that is all that is known. */
uint32_t sched_life_word(const struct sched_thread *t, uint32_t i);
/* Whether it never ran but as the idle thread. */
bool sched_life_idles(const struct sched_thread *t);
/* Whether it ran, and only as the idle thread. */
bool sched_life_idled(const struct sched_thread *t);
/* The time of known states in [from, to). run: without that as the idle thread; alive: of all of
 * them; unknown: the time in which it lived, and its recorder did not see it. */
struct sched_shares {
    int64_t run, wait, blocked, suspended, alive, unknown;
};
struct sched_shares sched_life_shares(const struct sched_thread *t, int64_t from, int64_t to);
/* The time that the thread ran in [from, to), not as the idle thread. */
int64_t sched_life_running(const struct sched_thread *t, int64_t from, int64_t to);
/* The same time from the begin of the thread's life to `t`: cheap if `t` is a little later than at
 * the last call. Valid until the states change. */
struct sched_life_cursor {
    const struct sched_thread *t; /* NULL: it never ran */
    int64_t begin, end;           /* of its life */
    uint32_t i;                   /* the last state that was asked for */
    bool any;
    struct sched_sums before; /* the sums of the states before it */
};
/* t: may be NULL */
void sched_life_cursor_init(struct sched_life_cursor *cursor, const struct sched_thread *t);
int64_t sched_life_ran(struct sched_life_cursor *cursor, int64_t t);
/* Adds that time before `until` of each column [edges[c], edges[c + 1]), as a share of the column,
 * to share[c]. */
void sched_life_columns(const struct sched_thread *t, int64_t until, const int64_t *edges,
                        int columns, double *share);

#endif
