/* event_state.c - rebuilds switches from the states between them.
 *
 * A CPU remembers the thread that runs on it and until when. Its next run, or the end, makes the switch that ends it. A
 * switch waits until a state of a later time comes: the next state of its outgoing thread begins at the same time. */
#include "src/import/event_state.h"

#include "src/base/hash.h"

enum { STATE_RUNNABLE = 1, STATE_SUSPENDED = 2, STATE_BLOCKED = 3, STATE_DYING = 4, STATE_DEAD = 5 };
#define IDLE_WEIGHT ((uint32_t)INT32_MIN)
#define WAITING_MAX 4096 /* switches of one time; then they are written as they are */

void event_states_free(struct event_states *states) {
    vec_free(&states->cpus);
    vec_free(&states->waiting);
    vec_free(&states->last);
    u64map_free(&states->by_number);
    u64map_free(&states->threads);
}

static struct event_last *last_of(struct event_states *states, uint64_t pid, uint64_t tid) {
    uint64_t key = u64map_key(hash_words(pid, tid)), i = u64map_get(&states->threads, key);
    if (i == UINT64_MAX) {
        i = states->last.n;
        u64map_set(&states->threads, key, i);
        vec_push(&states->last, ((struct event_last){UINT64_MAX, STATE_BLOCKED}));
    }
    return &states->last.v[i];
}

static struct event_cpu *cpu_of(struct event_states *states, int number) {
    uint64_t i = u64map_get(&states->by_number, (uint64_t)number);
    if (i == UINT64_MAX) {
        i = states->cpus.n;
        u64map_set(&states->by_number, (uint64_t)number, i);
        vec_push(&states->cpus, ((struct event_cpu){.number = number}));
    }
    return &states->cpus.v[i];
}

static unsigned state_of(char name) {
    switch (name) {
    case 'R':
        return STATE_RUNNABLE;
    case 'T':
        return STATE_SUSPENDED;
    case 'Z':
        return STATE_DYING;
    case 'X':
        return STATE_DEAD;
    default:
        return STATE_BLOCKED;
    }
}

static void write_switch(struct writer *w, const struct event_switch *s) {
    struct writer_switch record = {.ts = s->ts, .cpu = (unsigned)s->cpu, .out_state = s->out_state};
    bool out_idle = s->out_tid == 0 && s->out_pid == 0, in_idle = s->in_tid == 0 && s->in_pid == 0;
    if (s->cpu < 256) {
        record.out = writer_intern_thread(w, s->out_pid, s->out_tid);
        record.in = writer_intern_thread(w, s->in_pid, s->in_tid);
        record.out_priority = !out_idle;
        record.in_priority = !in_idle;
        writer_switch_legacy(w, &record);
        return;
    }
    struct writer_argument args[2];
    size_t n = 0;
    if (in_idle)
        args[n++] = writer_number(FXT_ARG_INT32, writer_intern(w, STR("incoming_weight")), IDLE_WEIGHT);
    if (out_idle)
        args[n++] = writer_number(FXT_ARG_INT32, writer_intern(w, STR("outgoing_weight")), IDLE_WEIGHT);
    record.out_tid = s->out_tid;
    record.in_tid = s->in_tid;
    record.args = (struct writer_arguments){args, n};
    writer_switch(w, &record);
}

static void write_waiting(struct event_states *states, struct writer *w) {
    for (size_t i = 0; i < states->waiting.n; i++)
        write_switch(w, &states->waiting.v[i]);
    states->waiting.n = 0;
}

static void wait_switch(struct event_states *states, const struct event_cpu *out, uint64_t ts, uint64_t in_pid,
                        uint64_t in_tid) {
    struct event_switch s = {ts, out->number, 0, 0, in_pid, in_tid, STATE_RUNNABLE};
    if (out->runs) {
        const struct event_last *last = last_of(states, out->pid, out->tid);
        s.out_pid = out->pid;
        s.out_tid = out->tid;
        s.out_state = last->ts == ts ? last->state : STATE_BLOCKED;
    }
    vec_push(&states->waiting, s);
}

static void run(struct event_states *states, struct writer *w, const struct event_state *s) {
    struct event_cpu *cpu = cpu_of(states, s->cpu);
    if (cpu->runs && cpu->end < s->begin) { /* it was idle in between */
        wait_switch(states, cpu, cpu->end, 0, 0);
        write_waiting(states, w);
        cpu->runs = false;
    }
    wait_switch(states, cpu, s->begin, s->pid, s->tid);
    *cpu = (struct event_cpu){s->pid, s->tid, s->end, s->cpu, true};
}

/* A thread that stops running, or whose state changes otherwise. */
static void stop(struct event_states *states, struct writer *w, const struct event_state *s) {
    unsigned state = state_of(s->name);
    struct event_last *last = last_of(states, s->pid, s->tid);
    bool ran = false;
    for (size_t i = 0; i < states->waiting.n; i++) {
        struct event_switch *sw = &states->waiting.v[i];
        if (sw->ts == s->begin && sw->out_pid == s->pid && sw->out_tid == s->tid) {
            sw->out_state = state;
            ran = true;
        }
    }
    for (size_t i = 0; i < states->cpus.n && !ran; i++) {
        const struct event_cpu *cpu = &states->cpus.v[i];
        ran = cpu->runs && cpu->pid == s->pid && cpu->tid == s->tid && cpu->end == s->begin;
    }
    if (!ran && state == STATE_RUNNABLE)
        writer_wakeup(w, s->begin, 0, s->tid, (struct writer_arguments){NULL, 0});
    last->ts = s->begin;
    last->state = state;
}

void event_states_add(struct event_states *states, struct writer *w, const struct event_state *s) {
    if (states->waiting.n >= WAITING_MAX || (states->waiting.n > 0 && s->begin != states->waiting.v[0].ts))
        write_waiting(states, w);
    if (s->cpu >= 0)
        run(states, w, s);
    else
        stop(states, w, s);
}

void event_states_end(struct event_states *states, struct writer *w) {
    write_waiting(states, w);
    for (size_t i = 0; i < states->cpus.n; i++)
        if (states->cpus.v[i].runs)
            wait_switch(states, &states->cpus.v[i], states->cpus.v[i].end, 0, 0);
    write_waiting(states, w);
}
