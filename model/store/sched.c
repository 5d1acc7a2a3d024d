/* sched.c - derives CPU intervals and thread states from switches and wakeups, in (time, file
 * order) (SEMANTICS 10).
 *
 * Each CPU has a lane of intervals and each thread a lane of states. A parallel array has the flags
 * or the state of each slice. A CPU's idle intervals are in its lane; from the first of them on a
 * second lane has the others alone. An event that is earlier than a processed one leads to a
 * rebuild (time_log.h). It derives a second state, which then takes the place of the first. */
#include "model/store/sched.h"

#include "model/store/sched_life.h"
#include "src/base/discard.h"
#include "src/fxt/fxt.h"

#define DERIVE_COST 6 /* of an event, in units of work */

static void clear(struct sched_derived *sched) {
    for (size_t i = 0; i < sched->cpus.n; i++) {
        struct sched_cpu *cpu = sched->cpus.v[i];
        lane_free(&cpu->lane);
        lane_free(&cpu->busy);
        vec_free(&cpu->flags);
        u64map_free(&cpu->threads);
        free(cpu);
    }
    for (size_t i = 0; i < sched->threads.n; i++) {
        struct sched_thread *t = sched->threads.v[i];
        lane_free(&t->lane);
        vec_free(&t->states);
        sched_life_free(&t->life);
        free(t);
    }
    vec_free(&sched->cpus);
    vec_free(&sched->threads);
    vec_free(&sched->by_thread);
    free(sched->by_number);
    problems_free(&sched->problems);
}

static void release(void *before) {
    clear(before);
    free(before);
}

void sched_free(struct sched *sched) {
    clear(&sched->state);
    vec_free(&sched->input.stands_for);
    time_log_array_free(&sched->input.log);
    *sched = (struct sched){0};
}

/* The CPU of a number that a record, by its word, has. */
static inline struct sched_cpu *cpu_of(struct sched_derived *sched, uint16_t number,
                                       uint64_t word) {
    uint16_t world = sched->worlds ? world_at(sched->worlds, word * 8) : 0;
    size_t worlds = sched->worlds ? sched->worlds->count : 1;
    if (sched->by_number == NULL)
        sched->by_number = err_calloc(worlds << 16, sizeof *sched->by_number);
    uint32_t *place = &sched->by_number[(size_t)world << 16 | number];
    if (*place == 0) {
        struct sched_cpu *cpu = err_calloc(1, sizeof *cpu);
        cpu->number = number;
        cpu->world = world;
        cpu->lane = cpu->busy = LANE_EMPTY;
        vec_push(&sched->cpus, cpu);
        *place = (uint32_t)sched->cpus.n;
    }
    return sched->cpus.v[*place - 1];
}

static __attribute__((noinline)) struct sched_thread *states_new(struct sched_derived *sched,
                                                                 uint32_t thread) {
    struct sched_thread *t = err_calloc(1, sizeof *t);
    t->thread = thread;
    t->lane = LANE_EMPTY;
    while (sched->by_thread.n <= thread)
        vec_push(&sched->by_thread, 0);
    vec_push(&sched->threads, t);
    sched->by_thread.v[thread] = (uint32_t)sched->threads.n;
    return t;
}

/* The states of a thread. *known: an earlier record names it. */
static inline struct sched_thread *states_of(struct sched_derived *sched, uint32_t thread,
                                             bool *known) {
    uint32_t place = thread < sched->by_thread.n ? sched->by_thread.v[thread] : 0;
    *known = place != 0;
    return place != 0 ? sched->threads.v[place - 1] : states_new(sched, thread);
}

struct sched_thread *sched_thread(const struct sched *sched, uint32_t thread) {
    uint32_t place = sched_thread_place(sched, thread);
    return place == UINT32_MAX ? NULL : sched->state.threads.v[place];
}

/* Ends the last slice of a lane at t; begin() or lane_tail() follows. A duration that does not fit
 * is clipped. */
static inline uint64_t finish(struct lane *lane, int64_t t) {
    struct slice *s = lane_last(lane);
    uint64_t dur = (uint64_t)t - (uint64_t)s->start;
    if (dur - 1 < SLICE_LONG - 1) { /* as slice_make() has it */
        s->end_word = dur | (uint64_t)SLICE_END_IN_BEGIN_RECORD << 57;
        return dur;
    }
    int64_t most = dur < SLICE_OPEN ? (int64_t)dur : SLICE_OPEN - 1;
    /* it has no end record */
    *s = slice_make(s->start, most, s->begin_word, UINT64_MAX, SLICE_COMPLETE);
    return (uint64_t)most;
}

static inline uint64_t word_of(uint64_t mark) {
    return mark >> PLAIN_SCHED_BITS;
}

/* Adds an open slice. */
static inline void begin(struct lane *lane, int64_t t, uint64_t begin_word) {
    *lane_extend(lane) = (struct slice){t, begin_word, (uint64_t)SLICE_END_NONE << 57};
    lane->start = t;
    lane->end = INT64_MAX;
}

/* Ends the CPU's interval; run() follows. Its first one is left out if it has no length
 * (EXPORT 3.3). */
static inline void leave(struct sched_cpu *cpu, int64_t t, uint32_t flags) {
    uint8_t *noted = &cpu->flags.v[cpu->flags.n - 1];
    if (cpu->lane.start == t && *noted & SCHED_FIRST) {
        lane_cut(&cpu->lane, 0);
        cpu->flags.n = 0;
        return;
    }
    if (cpu->idles && !(*noted & SCHED_OF_IDLE)) {
        finish(&cpu->busy, t);
        lane_tail(&cpu->busy);
    }
    finish(&cpu->lane, t);
    *noted |= (uint8_t)flags;
    if (slice_name(lane_last(&cpu->lane)) != cpu->thread)
        u64map_set(&cpu->threads, cpu->lane.n - 1, cpu->thread);
}

/* The first idle interval comes: until now both lanes were the same. */
static __attribute__((noinline)) void part_idle(struct sched_cpu *cpu) {
    for (uint32_t i = 0; i < cpu->lane.n; i++)
        lane_push(&cpu->busy, lane_at(&cpu->lane, i));
    cpu->idles = true;
}

/* word: of the record, as in all below. */
static inline void run(struct sched_cpu *cpu, uint32_t thread, int64_t time, uint64_t word,
                       uint32_t flags) {
    word |= event_pack(0, thread); /* named by its thread */
    if (flags & SCHED_OF_IDLE && !cpu->idles)
        part_idle(cpu);
    begin(&cpu->lane, time, word);
    vec_push(&cpu->flags, (uint8_t)flags);
    if (cpu->idles && !(flags & SCHED_OF_IDLE))
        begin(&cpu->busy, time, word);
    cpu->thread = thread;
    cpu->running = true;
}

/* Whether a thread was woken at the time at which it begins to run: its waker is asked for. */
static inline bool stays(const struct sched_thread *t, uint32_t state) {
    return t->states.v[t->states.n - 1] == (SCHED_RUNNABLE | SCHED_WOKEN) &&
           (state & ~(uint32_t)SCHED_OF_IDLE) == SCHED_RUNNING;
}

/* Begins a state; one of no length before it gives way, unless it stays. */
static inline __attribute__((always_inline)) void enter(struct sched_thread *t, uint32_t state,
                                                        int64_t time, uint64_t word) {
    struct lane *lane = &t->lane;
    if (lane->start == time && lane->n > 0 && !stays(t, state)) {
        lane_last(lane)->begin_word = word;
        t->states.v[t->states.n - 1] = (uint8_t)state;
    } else {
        if (lane->n > 0)
            sched_life_ended(t, finish(lane, time));
        begin(lane, time, word);
        sched_life_more(t);
        vec_push(&t->states, (uint8_t)state);
    }
    sched_life_begun(t, state & SCHED_LEFT, word);
}

static inline uint32_t state_of(const struct sched_thread *t) {
    return t->states.n > 0 ? sched_state(t, t->states.n - 1) : UINT32_MAX;
}

/* A switch of a CPU that ran another thread, or none so far. One of which nothing is known may come
 * from anywhere. */
static __attribute__((noinline)) void unexpected(struct sched_derived *sched, struct sched_cpu *cpu,
                                                 int64_t time, uint64_t mark, uint32_t out) {
    uint32_t idle = mark & PLAIN_OUT_IDLE ? SCHED_OF_IDLE : 0;
    uint64_t word = word_of(mark);
    bool known;
    struct sched_thread *states = states_of(sched, cpu->running ? cpu->thread : out, &known);
    if (cpu->running) {
        idle = cpu->flags.v[cpu->flags.n - 1] & SCHED_OF_IDLE;
        if (!idle || state_of(states_of(sched, out, &known)) != SCHED_UNKNOWN)
            problem_add(&sched->problems, PROBLEM_SCHED_INCONSISTENT, word * 8, 0, time, out);
        leave(cpu, time, 0);
        enter(states, SCHED_RUNNABLE | idle, time, word);
    } else if (!known) {
        int64_t begins = sched->origins ? sched->origins[cpu->world] : sched->begins;
        run(cpu, out, begins, word, SCHED_FIRST | idle);
        enter(states, SCHED_RUNNING | idle, begins, word);
        leave(cpu, time, SCHED_KNOWN | (mark & 15));
    }
}

static inline void switched(struct sched_derived *sched, const struct sched_event *e) {
    int64_t time = e->entry.at.time;
    uint64_t mark = e->entry.at.offset, word = word_of(mark);
    uint32_t out_idle = mark & PLAIN_OUT_IDLE ? SCHED_OF_IDLE : 0,
             in_idle = mark & PLAIN_IN_IDLE ? SCHED_OF_IDLE : 0;
    struct sched_cpu *cpu = cpu_of(sched, (uint16_t)(mark >> 11), word);
    bool known;
    if (cpu->running && cpu->thread == e->out_as)
        leave(cpu, time, SCHED_KNOWN | (mark & 15));
    else
        unexpected(sched, cpu, time, mark, e->out_as);
    enter(states_of(sched, e->out_as, &known), (mark & 15) | out_idle, time, word);
    run(cpu, e->in_as, time, word, in_idle);
    enter(states_of(sched, e->in_as, &known), SCHED_RUNNING | in_idle, time, word);
}

static inline void woken(struct sched_derived *sched, const struct sched_event *e) {
    bool known;
    struct sched_thread *states = states_of(sched, e->in_as, &known);
    /* of JSON: no wakeup, but a state */
    uint32_t state = state_of(states), given = e->entry.at.offset & 15;
    if (state != SCHED_RUNNING && given != 0)
        enter(states, given, e->entry.at.time, word_of(e->entry.at.offset));
    else if (state != SCHED_RUNNING && state != SCHED_RUNNABLE)
        enter(states, SCHED_RUNNABLE | SCHED_WOKEN, e->entry.at.time, word_of(e->entry.at.offset));
}

uint32_t sched_stand_first(struct sched_input *sched, uint32_t thread,
                           uint32_t (*stands_for)(const void *, uint32_t), const void *ctx) {
    while (sched->stands_for.n <= thread)
        vec_push(&sched->stands_for, NO_THREAD);
    return sched->stands_for.v[thread] = stands_for(ctx, thread);
}

/* Asks again for all numbers; false if an answer has changed. */
static bool still_stand(struct sched_input *sched, uint32_t (*stands_for)(const void *, uint32_t),
                        const void *ctx) {
    bool same = true;
    for (size_t i = 0; i < sched->stands_for.n; i++) {
        uint32_t *t = &sched->stands_for.v[i],
                 as = *t == NO_THREAD ? NO_THREAD : stands_for(ctx, (uint32_t)i);
        same = same && *t == as;
        *t = as;
    }
    return same;
}

static inline bool is_wakeup(const struct time_log_entry *e) {
    return plain_sched_kind(e->at.offset) == FXT_K_WAKEUP;
}

static struct sched_event event(const struct sched_input *sched, const struct time_log_entry *e) {
    uint32_t out_as = is_wakeup(e) ? NO_THREAD : sched->stands_for.v[sched_pair_out(e->value)];
    return (struct sched_event){*e, out_as, sched->stands_for.v[sched_pair_in(e->value)]};
}

static inline void derive(struct sched_derived *sched, const struct sched_event *e) {
    if (is_wakeup(&e->entry))
        woken(sched, e);
    else
        switched(sched, e);
}

void sched_take(struct sched_derived *state, const struct sched_event *v, size_t n,
                int64_t origin) {
    for (const struct sched_event *e = v; e < v + n; e++) {
        if (!time_log_follows(&state->time_log, e->entry.at.time))
            continue;
        if (state->time_log.consumed == 1)
            state->begins = origin;
        derive(state, e);
    }
}

static bool derive_all(struct sched_derived *state, const struct sched_input *in,
                       const struct time_log_entry *v, size_t n, struct task *task) {
    for (size_t i = 0; i < n; i++) {
        if (!task_spend(task, DERIVE_COST))
            return false;
        struct sched_event e = event(in, &v[i]);
        derive(state, &e);
    }
    return true;
}

/* Another number for other origins. */
static uint64_t hash_of_origins(const struct sched_world *world, const struct worlds *worlds) {
    uint64_t hash = 0;
    for (uint32_t i = 0; world->origins && i < worlds->count; i++)
        hash = hash_words(hash, (uint64_t)world->origins[i]) | 1;
    return hash;
}

/* Derives everything again. */
static bool rebuild(struct sched *sched, const struct sched_world *world, struct task *task) {
    struct time_log_array *log = &sched->input.log;
    size_t n = time_log_array_count(log);
    struct time_log_entry *sorted = time_log_sorted(task, time_log_array_entries(log));
    if (sorted == NULL)
        return false;
    struct sched_derived next = {.time_log = sched->state.time_log,
                                 .worlds = sched->state.worlds,
                                 .begins = world->origin,
                                 .origins = world->origins,
                                 .origins_known = hash_of_origins(world, sched->state.worlds)};
    next.problems.worlds = sched->state.worlds;
    if (!derive_all(&next, &sched->input, sorted, n, task)) {
        clear(&next);
        free(sorted);
        return false;
    }
    time_log_rebuilt(&next.time_log, n, sorted[n - 1].at.time);
    time_log_array_replace(log, sorted);
    struct sched_derived *before = err_malloc(sizeof *before);
    *before = sched->state;
    sched->state = next;
    discard(release, before);
    return true;
}

/* All is derived again if an answer has changed, or the earliest event, of any world: a flush in
 * steps comes here again when it is done. */
static void restart_if_changed(struct sched *sched, const struct sched_world *world) {
    bool same = still_stand(&sched->input, world->stands_for, world->ctx);
    if (!same || world->origin != sched->state.begins ||
        hash_of_origins(world, sched->state.worlds) != sched->state.origins_known)
        time_log_restart(&sched->state.time_log);
}

bool sched_flush(struct sched *sched, const struct sched_world *world, bool all,
                 struct task *task) {
    struct time_log_array *log = &sched->input.log;
    struct sched_derived *state = &sched->state;
    size_t from, packed;
    if (all) {
        restart_if_changed(sched, world);
        time_log_array_end(log);
    }
    switch (time_log_next(&state->time_log, time_log_array_entries(log), all, task, &from)) {
    case TIME_LOG_REST:
        packed = log->packed.n;
        return derive_all(state, &sched->input, log->v + (from - packed), log->n + packed - from,
                          task);
    case TIME_LOG_ALL:
        return rebuild(sched, world, task);
    default:
        return !task_over(task);
    }
}

void sched_release(struct sched *sched) {
    sched->state.time_log = (struct time_log){0};
    time_log_array_discard(&sched->input.log);
}

static uint32_t thread_of(const struct sched_cpu *cpu, uint32_t i) {
    if (i + 1 == cpu->lane.n && cpu->running)
        return cpu->thread;
    uint64_t aside = cpu->threads.n > 0 ? u64map_get(&cpu->threads, i) : UINT64_MAX;
    return aside != UINT64_MAX ? (uint32_t)aside : slice_name(lane_at(&cpu->lane, i));
}

struct sched_run sched_run(const struct sched_cpu *cpu, uint32_t i) {
    return (struct sched_run){thread_of(cpu, i), cpu->flags.v[i]};
}

uint32_t sched_busy_thread(const struct sched_cpu *cpu, const struct slice *slice) {
    if (slice_name(slice) < EVENT_NAME_MAX)
        return slice_name(slice);
    uint32_t i = lane_find(&cpu->lane, slice->start, slice_offset(slice));
    return i < cpu->lane.n ? thread_of(cpu, i) : NO_THREAD;
}

uint32_t sched_state_lettered(struct str letters) {
    switch (letters.n == 1 ? letters.s[0] : 'S') {
    case 'R':
        return SCHED_RUNNABLE;
    case 'T':
        return SCHED_SUSPENDED;
    case 'Z':
        return SCHED_DYING;
    case 'X':
        return SCHED_DEAD;
    default:
        return SCHED_BLOCKED;
    }
}

const char *sched_state_name(uint32_t state) {
    static const char *const names[] = {"new", "runnable", "suspended", "blocked", "dying", "dead"};
    if (state == SCHED_RUNNING)
        return "running";
    if (state == SCHED_UNKNOWN)
        return "unknown";
    return state < sizeof names / sizeof *names ? names[state] : NULL;
}

uint64_t sched_bytes(const struct sched *sched) {
    uint64_t n = sched->input.log.packed.bytes.n + sched->input.log.n * sizeof *sched->input.log.v;
    for (size_t i = 0; i < sched->state.cpus.n; i++)
        n += sizeof(struct sched_cpu) + lane_bytes(&sched->state.cpus.v[i]->lane) +
             lane_bytes(&sched->state.cpus.v[i]->busy) + sched->state.cpus.v[i]->flags.n +
             u64map_bytes(&sched->state.cpus.v[i]->threads);
    for (size_t i = 0; i < sched->state.threads.n; i++)
        n += sizeof(struct sched_thread) + lane_bytes(&sched->state.threads.v[i]->lane) +
             sched->state.threads.v[i]->states.n +
             sched->state.threads.v[i]->life.blocks.n * sizeof(struct sched_sums);
    return n;
}
