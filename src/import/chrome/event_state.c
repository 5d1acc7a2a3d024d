/* event_state.c - rebuilds switches from the states between them.
 *
 * A CPU remembers the thread that runs on it and until when. Its next run, or the end, makes the
 * switch that ends it. States that begin at one time are taken together: first those without a
 * length, and each time those that end runs before runs. */
#include "src/import/chrome/event_state.h"

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
#define WAITING_MAX EVENT_STATE_CPUS /* switches of one time; then they are written as they are */
#define FUNCTIONS_MAX ((size_t)1 << 20) /* bytes of names of functions */
#define DAY UINT64_C(86400000000000)    /* ns */
#define FEW 8                           /* states of one time */
#define ARGUMENTS 5                     /* of a switch at most */
/* Priorities: states of JSON have none, but the idle thread has to differ from others. */
enum { PRIORITY_IDLE, PRIORITY_THREAD, PRIORITY_DAMAGED = FXT_DAMAGED_PRIORITY };

void event_states_free(struct event_states *states) {
    vec_free(&states->held);
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

/* R, S, T, Z or X; another name is S. R+ is a thread that another one took the CPU from. */
static char letter_of(struct str name) {
    bool preempted = name.n == 2 && name.s[0] == 'R' && name.s[1] == '+';
    switch (name.n == 1 || preempted ? name.s[0] : 'S') {
    case 'R':
    case 'T':
    case 'Z':
    case 'X':
        return name.s[0];
    default:
        return 'S';
    }
}

static struct event_wait wait_of(struct event_states *states, const struct event_state *s) {
    struct event_wait wait = {.io = 0};
    bool known = s->name.n == 1 && s->name.s[0] == letter_of(s->name);
    if (!known && s->name.n < EVENT_STATE_LETTERS)
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

/* The place of a thread in `last`. */
static uint32_t thread_of(struct event_states *states, uint64_t pid, uint64_t tid) {
    const struct event_last *asked = states->last.n > 0 ? &states->last.v[states->asked] : NULL;
    if (asked && asked->pid == pid && asked->tid == tid)
        return (uint32_t)states->asked;
    if (asked == NULL)
        vec_push(&states->last, ((struct event_last){.ts = UINT64_MAX}));
    if (pid == 0 && tid == 0)
        return 0;
    uint64_t key = u64map_key(hash_words(pid, tid)), i = u64map_get(&states->threads, key);
    if (i == UINT64_MAX) {
        i = states->last.n;
        u64map_set(&states->threads, key, i);
        vec_push(&states->last, ((struct event_last){.pid = pid, .tid = tid, .ts = UINT64_MAX}));
    }
    states->asked = (size_t)i;
    return (uint32_t)i;
}

/* The place of a CPU in `cpus`. */
static uint16_t place_of(struct event_states *states, int number) {
    uint16_t *place = &states->by_number[number];
    if (*place == 0) {
        vec_push(&states->cpus, ((struct event_cpu){.number = number}));
        *place = (uint16_t)states->cpus.n;
    }
    return *place - 1;
}

static unsigned state_of(char letter) {
    switch (letter) {
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

/* Whether a state is marked as damaged. run: its place in `held`, + 1; 0: none. */
static bool is_marked(const struct event_states *states, size_t run) {
    return run > 0 && states->held.v[run - 1].marked;
}

static void note_written(struct event_states *states, const struct writer *w, size_t from,
                         bool marked) {
    vec_push(&states->written,
             ((struct event_written){writer_offset(w), states->held.v[from - 1].span.at, marked}));
}

/* The next record is a switch: its run is damaged, or what its outgoing thread does then. */
static void note_switch(struct event_states *states, const struct writer *w,
                        const struct event_switch *s, bool out, bool in) {
    note_written(states, w, out ? s->stop.from : s->run, out || in);
}

static uint8_t priority_of(bool idle, bool marked) {
    if (idle)
        return PRIORITY_IDLE;
    return marked ? PRIORITY_DAMAGED : PRIORITY_THREAD;
}

static void write_switch(struct event_states *states, struct writer *w,
                         const struct event_switch *s) {
    struct writer_switch record = {
        .ts = s->ts, .cpu = (unsigned)s->cpu, .out_state = s->stop.state};
    bool out_idle = s->out == 0, in_idle = s->in == 0;
    const struct event_last *out = &states->last.v[s->out], *in = &states->last.v[s->in];
    static const struct event_wait none = {.io = 0};
    const struct event_wait *wait =
        s->stop.from > 0 ? &states->held.v[s->stop.from - 1].wait : &none;
    bool out_marked = is_marked(states, s->stop.from),
         in_marked = !s->idles && is_marked(states, s->run);
    if (s->cpu < 256 && !waits(wait)) {
        record.out = writer_intern_thread(w, out->pid, out->tid);
        record.in = writer_intern_thread(w, in->pid, in->tid);
        record.out_priority = priority_of(out_idle, out_marked);
        record.in_priority = priority_of(in_idle, in_marked);
        note_switch(states, w, s, out_marked, in_marked);
        writer_switch_legacy(w, &record);
        return;
    }
    struct writer_argument args[ARGUMENTS];
    size_t n = write_wait(states, w, wait, args);
    if (in_idle)
        args[n++] =
            writer_number(FXT_ARG_INT32, writer_intern(w, STR("incoming_weight")), IDLE_WEIGHT);
    if (out_idle)
        args[n++] =
            writer_number(FXT_ARG_INT32, writer_intern(w, STR("outgoing_weight")), IDLE_WEIGHT);
    record.out_tid = out->tid;
    record.in_tid = in->tid;
    record.args = (struct writer_arguments){args, n};
    note_switch(states, w, s, out_marked, in_marked);
    writer_switch(w, &record);
}

static void write_waiting(struct event_states *states, struct writer *w) {
    for (size_t i = 0; i < states->waiting.n; i++)
        write_switch(states, w, &states->waiting.v[i]);
    states->waiting.n = 0;
}

/* run: the one that begins; 0: the CPU is idle. */
static void wait_switch(struct event_states *states, struct writer *w, const struct event_cpu *out,
                        uint64_t ts, size_t run) {
    struct event_switch s = {.ts = ts,
                             .cpu = out->number,
                             .stop.state = STATE_RUNNABLE,
                             .run = run > 0 ? run : out->run,
                             .idles = run == 0};
    if (run > 0)
        s.in = states->held.v[run - 1].span.thread;
    if (out->runs) {
        const struct event_last *last = &states->last.v[out->thread];
        s.out = out->thread;
        s.stop.state = STATE_BLOCKED;
        if (out->stopped)
            s.stop = out->stop;
        else if (last->ts == ts)
            s.stop = last->stop;
    }
    if (states->waiting.n >= WAITING_MAX)
        write_waiting(states, w);
    vec_push(&states->waiting, s);
}

/* Whether the end of a run means nothing: far before an epoch, a begin of 0 is no time
 * (SEMANTICS 4.8). */
static bool ends_unset(const struct event_states *states, const struct event_cpu *cpu,
                       uint64_t later) {
    return states->held.v[cpu->run - 1].span.begin == 0 && cpu->end < DAY && later >= DAY;
}

/* Whether a run ends where a state of its thread begins: it may have no end, contradict that, or
 * last longer by a rounding. */
static bool ends_at(const struct event_states *states, const struct event_cpu *cpu,
                    const struct event_span *s) {
    const struct event_span *run = &states->held.v[cpu->run - 1].span;
    bool over = run->begin <= s->begin && s->begin < cpu->end &&
                (run->noted || cpu->end - s->begin <= event_overlap_rounding(run, s));
    return cpu->end == s->begin || cpu->end == FXT_NO_END || over;
}

/* A CPU that ran until an earlier time was idle since. */
static void settle(struct event_states *states, struct writer *w, const struct event_held *s) {
    struct event_cpu *cpu = &states->cpus.v[s->place];
    if (!cpu->runs || cpu->end >= s->span.begin || ends_unset(states, cpu, s->span.begin))
        return;
    wait_switch(states, w, cpu, cpu->end, 0);
    cpu->runs = false;
}

/* A thread that goes on at once on another CPU leaves the one before first. */
static void leave(struct event_states *states, struct writer *w, const struct event_held *s) {
    struct event_last *last = &states->last.v[s->span.thread];
    uint64_t to = s->place + UINT64_C(1);
    struct event_cpu *from =
        last->ran > 0 && last->ran != to ? &states->cpus.v[last->ran - 1] : NULL;
    last->ran = to;
    if (s->span.thread == 0 || from == NULL || !from->runs || from->thread != s->span.thread ||
        from->stopped || !ends_at(states, from, &s->span))
        return;
    from->stopped = true;
    from->stop = (struct event_stop){.state = STATE_RUNNABLE};
    wait_switch(states, w, from, s->span.begin, 0);
    from->runs = false;
}

/* Makes a switch to idle at the time of a run one to its thread, unless that runs elsewhere yet. */
static bool join_idle(struct event_states *states, const struct event_held *s) {
    for (size_t i = states->waiting.n; i-- > 0;) {
        struct event_switch *sw = &states->waiting.v[i];
        if (sw->cpu == s->span.cpu && sw->idles) {
            sw->in = s->span.thread;
            sw->run = (size_t)(s - states->held.v) + 1;
            sw->idles = false;
            return true;
        }
        if (sw->out == s->span.thread && sw->out > 0)
            return false;
    }
    return false;
}

static void run(struct event_states *states, struct writer *w, const struct event_held *s) {
    struct event_cpu *cpu = &states->cpus.v[s->place];
    size_t place = (size_t)(s - states->held.v) + 1;
    if (cpu->runs || !join_idle(states, s))
        wait_switch(states, w, cpu, s->span.begin, place);
    cpu->thread = s->span.thread;
    cpu->end = s->span.end;
    cpu->run = place;
    cpu->runs = true;
    cpu->stopped = false;
}

/* Writes a state that ends no run: a record that makes its thread runnable, or has its state. A
 * thread that is runnable already gets a state of its own if one of the two is damaged. */
static void write_state(struct event_states *states, struct writer *w, const struct event_held *s,
                        const struct event_stop *before) {
    struct writer_argument args[ARGUMENTS];
    struct event_wait wait = s->wait;
    bool runnable = s->letter == 'R';
    bool parted = before->state == STATE_RUNNABLE && (is_marked(states, before->from) || s->marked);
    if (runnable)
        memset(wait.letters, 0, sizeof wait.letters);
    if (runnable ? parted : wait.letters[0] == '\0')
        wait.letters[0] = s->letter;
    size_t n = write_wait(states, w, &wait, args);
    note_written(states, w, (size_t)(s - states->held.v) + 1, s->marked);
    writer_wakeup(w, s->span.begin, 0, s->tid, (struct writer_arguments){args, n});
}

/* A thread that stops running, or whose state changes otherwise. Only idle time is on several CPUs
 * at once. */
static void stop(struct event_states *states, struct writer *w, const struct event_held *s) {
    struct event_stop now = {state_of(s->letter), (size_t)(s - states->held.v) + 1};
    struct event_last *last = &states->last.v[s->span.thread];
    bool ran = false, idle = s->span.thread == 0;
    for (size_t i = 0; i < states->waiting.n; i++) {
        struct event_switch *sw = &states->waiting.v[i];
        if (sw->ts == s->span.begin && sw->out == s->span.thread) {
            sw->stop = now;
            ran = true;
        }
    }
    size_t n = idle ? states->cpus.n : last->ran;
    for (size_t i = idle || n == 0 ? 0 : n - 1; i < n && !ran; i++) {
        struct event_cpu *cpu = &states->cpus.v[i];
        ran = cpu->runs && cpu->thread == s->span.thread && ends_at(states, cpu, &s->span);
        if (ran) {
            cpu->end = s->span.begin;
            cpu->stopped = true;
            cpu->stop = now;
        }
    }
    if (!ran)
        write_state(states, w, s, &last->stop);
    last->ts = s->span.begin;
    last->stop = now;
}

/* Compares a state with the one before it of its thread, or of its CPU. */
static void compare_with(struct event_states *states, size_t *last, struct event_held *s, int cpu) {
    struct event_span *a = *last > 0 ? &states->held.v[*last - 1].span : NULL;
    if (a == NULL || a->end <= s->span.begin ||
        event_overlaps_judge(&states->overlaps, a, &s->span, cpu))
        *last = (size_t)(s - states->held.v) + 1;
}

/* Compares a state with the others of its thread and its CPU, unless it is damaged. */
static void compare(struct event_states *states, struct event_held *s) {
    if (s->marked)
        return;
    if (s->span.thread > 0)
        compare_with(states, &states->last.v[s->span.thread].latest, s, -1);
    if (s->span.cpu >= 0)
        compare_with(states, &states->cpus.v[s->place].latest, s, s->span.cpu);
    else if (s->span.end != FXT_NO_END && s->span.end > states->until) {
        states->until = s->span.end;
        states->until_thread = s->span.thread;
    }
}

/* ---- the order of time ---- */

void event_states_add(struct event_states *states, const struct event_state *s) {
    vec_reserve(&states->held, states->held.n + 1);
    struct event_held *now = &states->held.v[states->held.n++];
    now->span = (struct event_span){
        s->begin,        s->end,        s->at,       thread_of(states, s->pid, s->tid),
        (int16_t)s->cpu, s->begin_unit, s->end_unit, false};
    now->pid = s->pid;
    now->tid = s->tid;
    now->marked = s->marked;
    now->letter = letter_of(s->name);
    now->place = s->cpu >= 0 ? place_of(states, s->cpu) : 0;
    now->wait = s->cpu < 0 ? wait_of(states, s) : (struct event_wait){.io = 0};
    states->late |= states->held.n > states->taken + 1 && s->begin < now[-1].span.begin;
}

/* The part of those of one time in which a state is taken. */
static int part_of(const struct event_held *s) {
    return 2 * (s->span.end > s->span.begin) + (s->span.cpu >= 0);
}

static int by_number(uint64_t a, uint64_t b) {
    return (a > b) - (a < b);
}

/* The shorter one of two runs is first, as in their comparison. */
static int by_time(const void *a, const void *b) {
    const struct event_held *x = a, *y = b;
    int order = by_number(x->span.begin, y->span.begin);
    order = order != 0 ? order : part_of(x) - part_of(y);
    if (order == 0 && x->span.cpu >= 0)
        order = by_number(x->span.end, y->span.end);
    order = order != 0 ? order : by_number(x->tid, y->tid);
    order = order != 0 ? order : by_number(x->pid, y->pid);
    order = order != 0 ? order : by_number(x->span.end, y->span.end);
    return order != 0 ? order : by_number(x->span.at.byte, y->span.at.byte);
}

/* Takes states of one part of one time. */
static void take_part(struct event_states *states, struct writer *w, struct event_held *v,
                      const struct event_held *end) {
    bool runs = v->span.cpu >= 0;
    for (struct event_held *s = v; s < end; s++)
        compare(states, s);
    for (const struct event_held *s = v; s < end && runs; s++)
        leave(states, w, s);
    for (const struct event_held *s = v; s < end; s++)
        if (runs)
            run(states, w, s);
        else
            stop(states, w, s);
}

/* Takes all states of one time. */
static void take_time(struct event_states *states, struct writer *w, struct event_held *v,
                      const struct event_held *end) {
    struct event_held *next = v;
    for (const struct event_held *s = v; s < end; s++)
        if (s->span.cpu >= 0)
            settle(states, w, s);
    write_waiting(states, w);
    for (; v < end; v = next) {
        while (next < end && part_of(next) == part_of(v))
            next++;
        take_part(states, w, v, next);
    }
    write_waiting(states, w);
}

/* Puts those of one time in their order: mostly a few. */
static void put_in_order(struct event_held *v, size_t n) {
    if (n > FEW)
        qsort(v, n, sizeof *v, by_time);
    for (size_t i = 1; i < n && n <= FEW; i++)
        for (size_t k = i; k > 0 && by_time(&v[k - 1], &v[k]) > 0; k--) {
            struct event_held other = v[k];
            v[k] = v[k - 1];
            v[k - 1] = other;
        }
}

static void take(struct event_states *states, struct writer *w, bool all) {
    if (states->held.n == 0)
        return;
    struct event_held *v = states->held.v + states->taken, *end = states->held.v + states->held.n;
    if (states->late)
        qsort(v, (size_t)(end - v), sizeof *v, by_time);
    states->late = false;
    for (struct event_held *next = v; v < end; v = next) {
        for (next++; next < end && next->span.begin == v->span.begin; next++)
            ;
        if (next == end && !all)
            break;
        put_in_order(v, (size_t)(next - v));
        take_time(states, w, v, next);
    }
    states->taken = (size_t)(v - states->held.v);
}

void event_states_write(struct event_states *states, struct writer *w) {
    take(states, w, false);
}

/* The last state lasts to the end of the trace: an event there that changes nothing, a counter
 * without values. */
static void write_until(const struct event_states *states, struct writer *w) {
    const struct event_last *last = &states->last.v[states->until_thread];
    writer_counter(w,
                   &(struct writer_event){.ts = states->until,
                                          .thread = writer_intern_thread(w, last->pid, last->tid),
                                          .category = writer_intern(w, STR("sched")),
                                          .name = writer_intern(w, STR("end of the states"))},
                   0);
}

void event_states_end(struct event_states *states, struct writer *w, uint64_t latest) {
    take(states, w, true);
    for (size_t i = 0; i < states->cpus.n; i++) {
        const struct event_cpu *cpu = &states->cpus.v[i];
        if (!cpu->runs)
            continue;
        bool unknown = cpu->end == FXT_NO_END || (is_marked(states, cpu->run) && !cpu->stopped) ||
                       ends_unset(states, cpu, latest);
        if (unknown)
            continue;
        wait_switch(states, w, cpu, cpu->end, 0);
        latest = cpu->end > latest ? cpu->end : latest;
    }
    write_waiting(states, w);
    if (states->until > latest)
        write_until(states, w);
}
