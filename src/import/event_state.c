/* event_state.c - rebuilds switches from the states between them.
 *
 * A CPU remembers the thread that runs on it and until when. Its next run, or the end, makes the
 * switch that ends it. A switch waits until a state of a later time comes: the next state of its
 * outgoing thread begins at the same time. */
#include "src/import/event_state.h"

#include "src/base/err.h"
#include "src/base/hash.h"

enum {
    STATE_RUNNABLE = 1,
    STATE_SUSPENDED = 2,
    STATE_BLOCKED = 3,
    STATE_DYING = 4,
    STATE_DEAD = 5
};
#define IDLE_WEIGHT ((uint32_t)INT32_MIN)
#define WAITING_MAX 4096 /* switches of one time; then they are written as they are */
#define FUNCTIONS_MAX ((size_t)1 << 20) /* bytes of names of functions */
#define DAY UINT64_C(86400000000000)    /* ns */
#define ARGUMENTS 5                     /* of a switch at most */
/* Priorities: states of JSON have none, but the idle thread has to differ from others. */
enum { PRIORITY_IDLE, PRIORITY_THREAD, PRIORITY_DAMAGED = FXT_DAMAGED_PRIORITY };

void event_states_free(struct event_states *states) {
    vec_free(&states->cpus);
    vec_free(&states->waiting);
    vec_free(&states->last);
    u64map_free(&states->threads);
    for (size_t i = 0; i < states->functions.n; i++)
        free((char *)states->functions.v[i].s);
    vec_free(&states->functions);
    vec_free(&states->written);
    event_overlaps_free(&states->overlaps);
    map_free(&states->by_text);
}

/* ---- what a thread waits for ---- */

struct text_query {
    const struct event_states *states;
    struct str text;
};

static bool same(const void *ctx, uint32_t i) {
    const struct text_query *q = ctx;
    return str_eq(q->states->functions.v[i], q->text);
}

/* Its place + 1; 0: it is too much. */
static uint32_t intern(struct event_states *states, struct str text) {
    uint64_t hash = hash_bytes(text.s, text.n);
    uint32_t i = map_find(&states->by_text, hash, same, &(struct text_query){states, text});
    if (i != MAP_NONE)
        return i + 1;
    if (text.n > FUNCTIONS_MAX - states->bytes ||
        FUNCTIONS_MAX - states->bytes - text.n < sizeof text)
        return 0;
    states->bytes += text.n + sizeof text;
    i = (uint32_t)states->functions.n;
    map_add(&states->by_text, hash, i);
    vec_push(&states->functions, ((struct str){err_copy(text.s, text.n), text.n}));
    return i + 1;
}

static bool is_known(struct str name) {
    return name.n == 1 && memchr("RSTZX", name.s[0], 5);
}

/* R+ is a thread that another one took the CPU from. */
static bool is_runnable(struct str name) {
    return str_eq(name, STR("R")) || str_eq(name, STR("R+"));
}

static struct event_wait wait_of(struct event_states *states, const struct event_state *s) {
    struct event_wait wait = {.io = 0};
    if (!is_known(s->name) && s->name.n < EVENT_STATE_LETTERS)
        memcpy(wait.letters, s->name.s, s->name.n);
    if (s->io_wait && (s->io_wait->kind == JSON_TRUE || s->io_wait->kind == JSON_FALSE))
        wait.io = s->io_wait->kind == JSON_TRUE ? 2 : 1;
    else if (s->io_wait && s->io_wait->kind == JSON_NUMBER)
        wait.io = str_eq(s->io_wait->text, STR("0")) ? 1 : 2;
    if (s->function && s->function->kind == JSON_STRING)
        wait.function = intern(states, s->function->text);
    return wait;
}

static bool waits(const struct event_wait *wait) {
    return wait->letters[0] != '\0' || wait->io > 0 || wait->function > 0;
}

/* Adds up to three arguments. */
static size_t write_wait(const struct event_states *states, struct writer *w,
                         const struct event_wait *wait, struct writer_argument *args) {
    size_t n = 0;
    if (wait->letters[0] != '\0')
        args[n++] =
            writer_text(writer_intern(w, STR("state")), writer_intern(w, str_of(wait->letters)));
    if (wait->io > 0)
        args[n++] = writer_number(FXT_ARG_INT64, writer_intern(w, STR("io_wait")), wait->io - 1u);
    if (wait->function > 0)
        args[n++] = writer_text(writer_intern(w, STR("blocked_function")),
                                writer_intern(w, states->functions.v[wait->function - 1]));
    return n;
}

static struct event_last *last_of(struct event_states *states, uint64_t pid, uint64_t tid) {
    struct event_last *asked = states->last.n > 0 ? &states->last.v[states->asked] : NULL;
    if (asked && asked->pid == pid && asked->tid == tid)
        return asked;
    uint64_t key = u64map_key(hash_words(pid, tid)), i = u64map_get(&states->threads, key);
    if (i == UINT64_MAX) {
        i = states->last.n;
        u64map_set(&states->threads, key, i);
        vec_push(&states->last, ((struct event_last){.pid = pid, .tid = tid, .ts = UINT64_MAX}));
    }
    states->asked = (size_t)i;
    return &states->last.v[i];
}

static struct event_cpu *cpu_of(struct event_states *states, int number) {
    uint16_t *place = &states->by_number[number];
    if (*place == 0) {
        vec_push(&states->cpus, ((struct event_cpu){.number = number}));
        *place = (uint16_t)states->cpus.n;
    }
    return &states->cpus.v[*place - 1];
}

static unsigned state_of(struct str name) {
    if (is_runnable(name))
        return STATE_RUNNABLE;
    switch (is_known(name) ? name.s[0] : 'S') {
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

/* The next record is made of `b`, but damaged by `a` if that is marked. */
static void note_written(struct event_states *states, const struct writer *w,
                         const struct event_damage *a, const struct event_damage *b) {
    vec_push(&states->written, ((struct event_written){writer_offset(w), a->marked ? *a : *b}));
}

static uint8_t priority_of(bool idle, const struct event_damage *damage) {
    if (idle)
        return PRIORITY_IDLE;
    return damage->marked ? PRIORITY_DAMAGED : PRIORITY_THREAD;
}

static void write_switch(struct event_states *states, struct writer *w,
                         const struct event_switch *s) {
    struct writer_switch record = {
        .ts = s->ts, .cpu = (unsigned)s->cpu, .out_state = s->stop.state};
    bool out_idle = s->out_tid == 0 && s->out_pid == 0, in_idle = s->in_tid == 0 && s->in_pid == 0;
    if (s->cpu < 256 && !waits(&s->stop.wait)) {
        record.out = writer_intern_thread(w, s->out_pid, s->out_tid);
        record.in = writer_intern_thread(w, s->in_pid, s->in_tid);
        record.out_priority = priority_of(out_idle, &s->stop.damage);
        record.in_priority = priority_of(in_idle, &s->damage);
        note_written(states, w, &s->stop.damage, &s->damage);
        writer_switch_legacy(w, &record);
        return;
    }
    struct writer_argument args[ARGUMENTS];
    size_t n = write_wait(states, w, &s->stop.wait, args);
    if (in_idle)
        args[n++] =
            writer_number(FXT_ARG_INT32, writer_intern(w, STR("incoming_weight")), IDLE_WEIGHT);
    if (out_idle)
        args[n++] =
            writer_number(FXT_ARG_INT32, writer_intern(w, STR("outgoing_weight")), IDLE_WEIGHT);
    record.out_tid = s->out_tid;
    record.in_tid = s->in_tid;
    record.args = (struct writer_arguments){args, n};
    note_written(states, w, &s->stop.damage, &s->damage);
    writer_switch(w, &record);
}

static void write_waiting(struct event_states *states, struct writer *w) {
    for (size_t i = 0; i < states->waiting.n; i++)
        write_switch(states, w, &states->waiting.v[i]);
    states->waiting.n = 0;
}

static struct event_damage unmarked(const struct event_damage *run) {
    return (struct event_damage){false, run->at};
}

static void wait_switch(struct event_states *states, const struct event_cpu *out, uint64_t ts,
                        uint64_t in_pid, uint64_t in_tid, struct event_damage damage) {
    struct event_switch s = {.ts = ts,
                             .cpu = out->number,
                             .in_pid = in_pid,
                             .in_tid = in_tid,
                             .stop.state = STATE_RUNNABLE,
                             .damage = damage};
    if (out->runs) {
        const struct event_last *last = last_of(states, out->pid, out->tid);
        s.out_pid = out->pid;
        s.out_tid = out->tid;
        s.stop = (struct event_stop){.state = STATE_BLOCKED};
        if (out->stopped)
            s.stop = out->stop;
        else if (last->ts == ts)
            s.stop = last->stop;
    }
    vec_push(&states->waiting, s);
}

/* Whether the end of a run means nothing: far before an epoch, a begin of 0 is no time
 * (SEMANTICS 4.8). */
static bool ends_unset(const struct event_cpu *cpu, uint64_t later) {
    return cpu->begin == 0 && cpu->end < DAY && later >= DAY;
}

/* A thread that goes on at once on another CPU leaves the one before first. */
static void move(struct event_states *states, const struct event_state *s, struct event_last *last,
                 uint64_t to) {
    struct event_cpu *from = last->ran > 0 ? &states->cpus.v[last->ran - 1] : NULL;
    bool moves = from && last->ran - 1 != to && from->runs && from->pid == s->pid &&
                 from->tid == s->tid && from->end == s->begin && !from->stopped;
    last->ran = to + 1;
    if (!moves)
        return;
    from->stopped = true;
    from->stop = (struct event_stop){.state = STATE_RUNNABLE};
    wait_switch(states, from, from->end, 0, 0, unmarked(&from->damage));
    from->runs = false;
}

/* Makes a switch to idle at the time of a run one to its thread. */
static bool join_idle(struct event_states *states, const struct event_state *s) {
    for (size_t i = 0; i < states->waiting.n; i++) {
        struct event_switch *sw = &states->waiting.v[i];
        if (sw->cpu == s->cpu && sw->ts == s->begin && sw->in_pid == 0 && sw->in_tid == 0) {
            sw->in_pid = s->pid;
            sw->in_tid = s->tid;
            sw->damage = s->damage;
            return true;
        }
    }
    return false;
}

static void run(struct event_states *states, struct writer *w, const struct event_state *s,
                struct event_last *last) {
    struct event_cpu *cpu = cpu_of(states, s->cpu);
    if (cpu->runs && cpu->end < s->begin && !ends_unset(cpu, s->begin)) { /* it was idle between */
        wait_switch(states, cpu, cpu->end, 0, 0, unmarked(&cpu->damage));
        write_waiting(states, w);
        cpu->runs = false;
    }
    move(states, s, last, (uint64_t)(cpu - states->cpus.v));
    if (cpu->runs || !join_idle(states, s))
        wait_switch(states, cpu, s->begin, s->pid, s->tid, s->damage);
    *cpu = (struct event_cpu){.pid = s->pid,
                              .tid = s->tid,
                              .begin = s->begin,
                              .end = s->end,
                              .number = s->cpu,
                              .runs = true,
                              .damage = s->damage,
                              .span = s->damage.marked ? 0 : states->overlaps.all.n,
                              .latest = cpu->latest};
}

/* Writes a state that ends no run: a record that makes its thread runnable, or has its state. A
 * thread that is runnable already gets a state of its own if one of the two is damaged. */
static void write_state(struct event_states *states, struct writer *w, const struct event_state *s,
                        struct event_wait wait, const struct event_stop *before) {
    struct writer_argument args[ARGUMENTS];
    bool runnable = is_runnable(s->name);
    bool parted = before->state == STATE_RUNNABLE && (before->damage.marked || s->damage.marked);
    if (runnable)
        memset(wait.letters, 0, sizeof wait.letters);
    if (runnable && parted)
        wait.letters[0] = 'R';
    else if (!runnable && wait.letters[0] == '\0')
        memcpy(wait.letters, s->name.n < EVENT_STATE_LETTERS ? s->name.s : "S", 1);
    size_t n = write_wait(states, w, &wait, args);
    note_written(states, w, &s->damage, &s->damage);
    writer_wakeup(w, s->begin, 0, s->tid, (struct writer_arguments){args, n});
}

/* Whether a run ends where a state of its thread begins: it may have no end, or contradict that. */
static bool ends_at(const struct event_states *states, const struct event_cpu *cpu, uint64_t ts) {
    bool over = cpu->span > 0 && states->overlaps.all.v[cpu->span - 1].noted && cpu->begin <= ts &&
                ts < cpu->end;
    return cpu->end == ts || cpu->end == FXT_NO_END || over;
}

/* A thread that stops running, or whose state changes otherwise. */
static void stop(struct event_states *states, struct writer *w, const struct event_state *s,
                 struct event_last *last) {
    struct event_stop now = {state_of(s->name), wait_of(states, s), s->damage};
    bool ran = false;
    for (size_t i = 0; i < states->waiting.n; i++) {
        struct event_switch *sw = &states->waiting.v[i];
        if (sw->ts == s->begin && sw->out_pid == s->pid && sw->out_tid == s->tid) {
            sw->stop = now;
            ran = true;
        }
    }
    for (size_t i = 0; i < states->cpus.n && !ran; i++) {
        struct event_cpu *cpu = &states->cpus.v[i];
        ran =
            cpu->runs && cpu->pid == s->pid && cpu->tid == s->tid && ends_at(states, cpu, s->begin);
        if (ran) {
            cpu->end = s->begin;
            cpu->stopped = true;
            cpu->stop = now;
        }
    }
    if (!ran)
        write_state(states, w, s, now.wait, &last->stop);
    last->ts = s->begin;
    last->stop = now;
}

/* Compares a state with the others of its thread and its CPU, unless it is damaged. */
static void compare(struct event_states *states, const struct event_state *s,
                    struct event_last *last) {
    bool idle = s->pid == 0 && s->tid == 0;
    uint32_t thread = idle ? 0 : (uint32_t)(last - states->last.v) + 1;
    if (s->damage.marked)
        return;
    vec_push(&states->overlaps.all, ((struct event_span){s->begin, s->end, s->damage.at, s->ts,
                                                         s->dur, thread, s->cpu, false}));
    if (!idle)
        event_overlaps_follow(&states->overlaps, &last->latest, -1);
    if (s->cpu >= 0)
        event_overlaps_follow(&states->overlaps, &cpu_of(states, s->cpu)->latest, s->cpu);
}

void event_states_add(struct event_states *states, struct writer *w, const struct event_state *s) {
    if (states->waiting.n >= WAITING_MAX ||
        (states->waiting.n > 0 && s->begin != states->waiting.v[0].ts))
        write_waiting(states, w);
    struct event_last *last = last_of(states, s->pid, s->tid); /* all others in there are known */
    compare(states, s, last);
    if (s->cpu >= 0)
        run(states, w, s, last);
    else
        stop(states, w, s, last);
    if (s->cpu < 0 && !s->damage.marked && s->end != FXT_NO_END && s->end > states->until) {
        states->until = s->end;
        states->pid = s->pid;
        states->tid = s->tid;
    }
}

/* The last state lasts to the end of the trace: an event there that changes nothing, a counter
 * without values. */
static void write_until(const struct event_states *states, struct writer *w) {
    writer_counter(
        w,
        &(struct writer_event){.ts = states->until,
                               .thread = writer_intern_thread(w, states->pid, states->tid),
                               .category = writer_intern(w, STR("sched")),
                               .name = writer_intern(w, STR("end of the states"))},
        0);
}

void event_states_end(struct event_states *states, struct writer *w, uint64_t latest) {
    write_waiting(states, w);
    for (size_t i = 0; i < states->cpus.n; i++) {
        const struct event_cpu *cpu = &states->cpus.v[i];
        bool unknown = cpu->end == FXT_NO_END || (cpu->damage.marked && !cpu->stopped) ||
                       ends_unset(cpu, latest);
        if (!cpu->runs || unknown)
            continue;
        wait_switch(states, cpu, cpu->end, 0, 0, unmarked(&cpu->damage));
        latest = cpu->end > latest ? cpu->end : latest;
    }
    write_waiting(states, w);
    event_overlaps_end(&states->overlaps);
    if (states->until > latest)
        write_until(states, w);
}
