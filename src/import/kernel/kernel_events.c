/* kernel_events.c - switches, wakeups, slices, instants and counters of events of the kernel.
 *
 * Interrupts are slices of their CPU, which has a row in a process of its own. A system call is
 * written when it has ended, as one slice. */
#include "src/import/kernel/kernel_events.h"

#include <inttypes.h>
#include <stdio.h>

#include "src/base/hash.h"
#include "src/import/chrome/event_write.h"
#include "src/import/json/json_read.h"
#include "src/import/kernel/kernel_fields.h"

#define ROWS                                                                                       \
    UINT64_C(1000000000) /* the process of rows of CPUs; the first row is the next number */
#define IDLE_WEIGHT ((uint32_t)INT32_MIN)

enum {
    STATE_RUNNABLE = 1,
    STATE_SUSPENDED = 2,
    STATE_BLOCKED = 3,
    STATE_DEAD = 5,
    STATE_UNKNOWN = 15 /* SEMANTICS 10.4 */
};

void kernel_events_init(struct kernel_events *k, struct import_lines *lines,
                        const char *no_processes) {
    *k = (struct kernel_events){.lines = lines};
    kernel_threads_init(&k->threads, lines, no_processes);
}

void kernel_events_free(struct kernel_events *k) {
    kernel_threads_free(&k->threads);
    vec_free(&k->cpus);
}

/* ---- records ---- */

static void start(struct kernel_events *k) {
    writer_init_record(&k->lines->w, KERNEL_SECOND);
    k->started = true;
}

static struct writer_string intern(struct kernel_events *k, struct str text) {
    return writer_intern(&k->lines->w, text);
}

struct writer_string kernel_events_name(struct kernel_events *k, struct str text) {
    if (text.n > KERNEL_NAME_MOST)
        import_lines_fault(k->lines, IMPORT_CUT, text.s, "a name of more than %d bytes: cut",
                           KERNEL_NAME_MOST);
    return import_lines_name(k->lines,
                             (struct str){text.s, (size_t)str_head(text, KERNEL_NAME_MOST)});
}

static struct writer_argument number(struct kernel_events *k, uint8_t type, struct str name,
                                     uint64_t bits) {
    return writer_number(type, intern(k, name), bits);
}

static struct writer_argument text(struct kernel_events *k, struct str name, struct str value,
                                   size_t most) {
    return writer_text(intern(k, name),
                       writer_inline((struct str){value.s, (size_t)str_head(value, most)}));
}

/* The stack of an event as its last argument. */
static void add_stack(struct kernel_events *k, const struct kernel_event *e,
                      struct writer_argument *args, size_t *n) {
    if (e->stack.n > 0)
        args[(*n)++] = text(k, STR("stack"), e->stack, KERNEL_STACK_MOST);
}

static struct writer_event event_of(struct kernel_events *k, uint64_t ts,
                                    struct writer_thread thread, struct str category) {
    import_lines_mark(k->lines);
    return (struct writer_event){
        .ts = ts, .thread = thread, .category = kernel_events_name(k, category)};
}

static struct writer_event thread_event(struct kernel_events *k, uint64_t ts,
                                        struct kernel_thread *t, struct str category) {
    return event_of(k, ts, kernel_threads_place(&k->threads, t), category);
}

void kernel_events_instant(struct kernel_events *k, const struct kernel_event *e,
                           struct str category, struct str name, struct writer_arguments args) {
    struct writer_argument v[KERNEL_ARGUMENTS];
    size_t n = args.n < KERNEL_ARGUMENTS ? args.n : KERNEL_ARGUMENTS;
    for (size_t i = 0; i < n; i++)
        v[i] = args.v[i];
    if (n < KERNEL_ARGUMENTS)
        add_stack(k, e, v, &n);
    struct writer_string known = kernel_events_name(k, name);
    struct writer_event w = thread_event(k, e->ts, e->thread, category);
    w.name = known;
    w.args = (struct writer_arguments){v, n};
    writer_instant(&k->lines->w, &w);
}

void kernel_events_begin(struct kernel_events *k, const struct kernel_event *e, struct str category,
                         struct str name) {
    struct writer_argument v[1];
    struct writer_event w = thread_event(k, e->ts, e->thread, category);
    w.name = kernel_events_name(k, name);
    w.args.v = v;
    add_stack(k, e, v, &w.args.n);
    writer_begin(&k->lines->w, &w);
    e->thread->open++;
}

void kernel_events_finish(struct kernel_events *k, const struct kernel_event *e,
                          struct str category) {
    struct writer_event w = thread_event(k, e->ts, e->thread, category);
    writer_end(&k->lines->w, &w);
    e->thread->open -= e->thread->open > 0;
}

void kernel_events_complete(struct kernel_events *k, const struct kernel_event *e,
                            struct str category, struct str name, uint64_t end) {
    struct writer_event w = thread_event(k, e->ts, e->thread, category);
    w.name = kernel_events_name(k, name);
    writer_complete(&k->lines->w, &w, end);
}

struct writer_thread kernel_events_thread_in(struct kernel_events *k, const struct kernel_event *e,
                                             uint64_t pid) {
    struct writer_thread own = kernel_threads_place(&k->threads, e->thread);
    return e->thread->pid == pid ? own : writer_intern_thread(&k->lines->w, pid, pid);
}

/* ---- CPUs ---- */

static struct kernel_cpu *known_cpu(struct kernel_events *k, unsigned cpu) {
    while (k->cpus.n <= cpu)
        vec_push(&k->cpus, (struct kernel_cpu){0});
    return &k->cpus.v[cpu];
}

static struct kernel_cpu *cpu_of(struct kernel_events *k, unsigned cpu) {
    return cpu < KERNEL_CPUS ? known_cpu(k, cpu) : NULL;
}

/* The row of a CPU. */
static struct writer_thread row_of(struct kernel_events *k, unsigned cpu) {
    struct kernel_cpu *c = known_cpu(k, cpu);
    struct writer *w = &k->lines->w;
    char name[24];
    if (!k->has_rows)
        writer_kernel_object(w, FXT_OBJECT_PROCESS, ROWS, intern(k, STR("interrupts")),
                             (struct writer_arguments){NULL, 0});
    k->has_rows = true;
    if (!c->named) {
        struct writer_argument process = number(k, FXT_ARG_KOID, STR("process"), ROWS);
        snprintf(name, sizeof name, "cpu %u", cpu);
        writer_kernel_object(w, FXT_OBJECT_THREAD, ROWS + 1 + cpu, intern(k, str_of(name)),
                             (struct writer_arguments){&process, 1});
    }
    c->named = true;
    return writer_intern_thread(w, ROWS, ROWS + 1 + cpu);
}

void kernel_events_on_row(struct kernel_events *k, struct kernel_event *e) {
    if (!k->started)
        start(k);
    row_of(k, e->cpu);
    e->pid = ROWS;
    e->tid = ROWS + 1 + e->cpu;
}

static struct writer_event row_event(struct kernel_events *k, uint64_t ts, unsigned cpu,
                                     struct str category) {
    return event_of(k, ts, row_of(k, cpu), category);
}

/* Ends the interrupts of a CPU until this many are open. */
static void end_interrupts(struct kernel_events *k, uint64_t ts, unsigned cpu, uint8_t open) {
    struct kernel_cpu *c = &k->cpus.v[cpu];
    for (; c->n > open; c->n--) {
        struct writer_event w = row_event(k, ts, cpu, STR("interrupt"));
        writer_end(&k->lines->w, &w);
    }
}

uint64_t kernel_events_key(struct str kind, struct str number) {
    return hash_words(hash_bytes(kind.s, kind.n), hash_bytes(number.s, number.n));
}

bool kernel_events_interrupt(struct kernel_events *k, const struct kernel_event *e, uint64_t key,
                             struct str name) {
    struct kernel_cpu *c = cpu_of(k, e->cpu);
    if (c == NULL)
        return false;
    if (c->n == KERNEL_NESTED) {
        import_lines_fault(k->lines, IMPORT_FIELD, e->at,
                           "%d interrupts have not ended before this", KERNEL_NESTED);
        end_interrupts(k, e->ts, e->cpu, 0);
    }
    struct writer_event w = row_event(k, e->ts, e->cpu, STR("interrupt"));
    w.name = kernel_events_name(k, name);
    writer_begin(&k->lines->w, &w);
    c->open[c->n++] = key;
    return true;
}

bool kernel_events_interrupt_end(struct kernel_events *k, const struct kernel_event *e,
                                 uint64_t key) {
    struct kernel_cpu *c = cpu_of(k, e->cpu);
    if (c == NULL)
        return false;
    uint8_t i = c->n;
    while (i > 0 && c->open[i - 1] != key)
        i--;
    if (i == 0) {
        import_lines_fault(k->lines, IMPORT_FIELD, e->at, "an interrupt ends that has not begun");
        return true;
    }
    if (i < c->n)
        import_lines_fault(k->lines, IMPORT_FIELD, e->at,
                           "interrupts within this one have not ended: %d", c->n - i);
    end_interrupts(k, e->ts, e->cpu, (uint8_t)(i - 1));
    return true;
}

void kernel_events_cpu_value(struct kernel_events *k, const struct kernel_event *e, struct str name,
                             uint64_t cpu, int64_t value) {
    char series[32];
    snprintf(series, sizeof series, "cpu %" PRIu64, cpu);
    struct writer_argument arg = number(k, FXT_ARG_INT64, str_of(series), (uint64_t)value);
    struct writer_string known = kernel_events_name(k, name);
    struct writer_event w = row_event(k, e->ts, cpu < KERNEL_CPUS ? (unsigned)cpu : 0, e->category);
    w.name = known;
    w.args = (struct writer_arguments){&arg, 1};
    writer_counter(&k->lines->w, &w, 0);
}

/* ---- losses ---- */

void kernel_events_lost(struct kernel_events *k, unsigned cpu, uint64_t count) {
    struct kernel_cpu *c = cpu_of(k, cpu);
    if (c == NULL)
        return;
    c->loses = true;
    c->lost = count > UINT64_MAX - c->lost ? UINT64_MAX : c->lost + count;
}

/* Up to `to` it is not known what a CPU did since its latest event. */
static void write_loss(struct kernel_events *k, unsigned cpu, uint64_t to) {
    struct kernel_cpu *c = &k->cpus.v[cpu];
    uint64_t from = c->seen && c->last < to ? c->last : to;
    if (c->runs) {
        struct writer_argument idle = number(k, FXT_ARG_INT32, STR("incoming_weight"), IDLE_WEIGHT);
        import_lines_mark(k->lines);
        writer_switch(&k->lines->w, &(struct writer_switch){.ts = from,
                                                            .cpu = cpu,
                                                            .out_state = STATE_UNKNOWN,
                                                            .out_tid = c->running,
                                                            .args = {&idle, 1}});
    }
    end_interrupts(k, from, cpu, 0);
    struct writer_argument n = number(k, FXT_ARG_UINT64, STR("num_records"), c->lost);
    struct writer_event w = row_event(k, from, cpu, STR("kernel:meta"));
    w.name = intern(k, STR("ktrace_drop_stats"));
    w.args = (struct writer_arguments){&n, c->lost > 0};
    writer_complete(&k->lines->w, &w, to);
    c->runs = c->loses = false;
    c->lost = 0;
}

/* ---- an event ---- */

/* The result of a call: a number in any form, or a text. */
static struct writer_argument result(struct kernel_events *k, struct str ret) {
    int64_t value;
    uint64_t bits;
    if (json_read_i64(ret, &value))
        return number(k, FXT_ARG_INT64, STR("ret"), (uint64_t)value);
    if (kernel_fields_hex(ret, &bits))
        return number(k, FXT_ARG_INT64, STR("ret"), bits);
    return text(k, STR("ret"), ret, KERNEL_CALL_MOST);
}

/* end: FXT_NO_END: it is not known. */
static void write_call(struct kernel_events *k, struct kernel_thread *t, uint64_t end,
                       struct str ret) {
    struct writer_argument args[2];
    struct writer_event w = thread_event(k, t->call.begin, t, STR("syscall"));
    w.name = kernel_events_name(k, kernel_threads_text(&t->call.name));
    w.args.v = args;
    if (t->call.args.v.n > 0)
        args[w.args.n++] =
            text(k, STR("args"), kernel_threads_text(&t->call.args), KERNEL_CALL_MOST);
    if (ret.n > 0)
        args[w.args.n++] = result(k, ret);
    if (end == FXT_NO_END)
        writer_begin(&k->lines->w, &w);
    else
        writer_complete(&k->lines->w, &w, end);
    t->call.open = false;
}

/* All that is open on a thread ends. */
static void end_all(struct kernel_events *k, struct kernel_thread *t, uint64_t ts) {
    if (t->call.open)
        write_call(k, t, ts, STR(""));
    for (; t->open > 0; t->open--) {
        struct writer_event w = thread_event(k, ts, t, STR(""));
        writer_end(&k->lines->w, &w);
    }
}

/* The number of a thread is of another one from now on. */
static void renew(struct kernel_events *k, struct kernel_thread *t, uint64_t ts) {
    end_all(k, t, ts);
    t->gone = t->born = t->homeless = false;
    t->named = KERNEL_NAMED_NOT;
    t->pid = KERNEL_NO_PID;
    t->comm.v.n = 0;
}

/* The arrow from the thread that made another one to the first sign of that. */
static void write_birth(struct kernel_events *k, struct kernel_thread *t, uint64_t ts) {
    struct kernel_thread *parent = kernel_threads_get(&k->threads, t->parent);
    struct writer_event from = thread_event(k, t->born_at, parent, STR("process")),
                        to = thread_event(k, ts, t, STR("process"));
    from.name = to.name = intern(k, STR("clone"));
    writer_flow(&k->lines->w, FXT_FLOW_BEGIN, &from, ++k->flows);
    writer_flow(&k->lines->w, FXT_FLOW_END, &to, k->flows);
    t->born = false;
}

void kernel_events_take(struct kernel_events *k, struct kernel_event *e) {
    if (!k->started)
        start(k);
    struct kernel_cpu *c = cpu_of(k, e->cpu);
    if (c) {
        if (c->loses)
            write_loss(k, e->cpu, e->ts);
        c->last = e->ts;
        c->seen = true;
    }
    struct kernel_thread *t = kernel_threads_get(&k->threads, e->tid);
    bool known = t->pid != KERNEL_NO_PID && !t->homeless && e->tid != 0;
    if (known && e->pid != KERNEL_NO_PID && e->pid != t->pid)
        renew(k, t, e->ts);
    kernel_threads_is_of(&k->threads, t, e->pid);
    kernel_threads_name(&k->threads, t, e->comm, KERNEL_NAMED_BY_COLUMN);
    if (t->born)
        write_birth(k, t, e->ts);
    e->thread = t;
}

void kernel_events_end(struct kernel_events *k) {
    if (!k->started)
        start(k);
    for (size_t i = 0; i < k->cpus.n; i++)
        if (k->cpus.v[i].loses)
            write_loss(k, (unsigned)i, k->cpus.v[i].last);
    for (size_t i = 0; i < k->threads.v.n; i++)
        if (k->threads.v.v[i]->call.open)
            write_call(k, k->threads.v.v[i], FXT_NO_END, STR(""));
    kernel_threads_end(&k->threads);
}

/* ---- the scheduler ---- */

/* A task in an event: its thread with its name. */
static struct kernel_thread *thread_of(struct kernel_events *k, const struct kernel_task *task) {
    struct kernel_thread *t = kernel_threads_get(&k->threads, task->tid);
    kernel_threads_name(&k->threads, t, task->comm, KERNEL_NAMED_BY_EVENT);
    return t;
}

struct str kernel_events_letters(uint64_t flags, char text[KERNEL_LETTERS]) {
    static const char letters[] = "SDTtXZPI";
    size_t n = 0;
    for (size_t i = 0; i < sizeof letters - 1; i++)
        if (flags >> i & 1) {
            if (n > 0)
                text[n++] = '|';
            text[n++] = letters[i];
        }
    if (n == 0)
        text[n++] = 'R';
    if (n == 1 && text[0] == 'R' && flags != 0)
        text[n++] = '+';
    return (struct str){text, n};
}

static unsigned state_of(char letter) {
    switch (letter) {
    case 'R':
        return STATE_RUNNABLE;
    case 'T':
    case 't':
        return STATE_SUSPENDED;
    case 'X':
    case 'x':
    case 'Z':
        return STATE_DEAD;
    default:
        return STATE_BLOCKED;
    }
}

/* A thread leaves its CPU. */
static void leave(struct kernel_thread *t, const struct kernel_event *e, struct str state,
                  bool blocked) {
    t->waits = blocked;
    t->left_at = e->ts;
    t->left_cpu = e->cpu;
    snprintf(t->left_as, sizeof t->left_as, "%.*s", str_head(state, KERNEL_LETTERS - 1), state.s);
}

bool kernel_events_switch(struct kernel_events *k, struct kernel_event *e,
                          const struct kernel_task *prev, struct str state,
                          const struct kernel_task *next) {
    struct kernel_cpu *c = cpu_of(k, e->cpu);
    char letters[KERNEL_LETTERS];
    uint64_t flags;
    if (c == NULL)
        return false;
    if (json_read_u64(state, &flags))
        state = kernel_events_letters(flags, letters);
    struct kernel_thread *out = thread_of(k, prev), *in = thread_of(k, next);
    struct writer_argument args[KERNEL_ARGUMENTS];
    struct writer_switch s = {.ts = e->ts,
                              .cpu = e->cpu,
                              .out_state = state_of(state.n > 0 ? state.s[0] : '?'),
                              .out_tid = prev->tid,
                              .in_tid = next->tid,
                              .args.v = args};
    if (prev->tid == 0)
        args[s.args.n++] = number(k, FXT_ARG_INT32, STR("outgoing_weight"), IDLE_WEIGHT);
    else if (!str_eq(state, STR("R")) && !str_eq(state, STR("S")))
        args[s.args.n++] =
            writer_text(intern(k, STR("state")),
                        intern(k, (struct str){state.s, (size_t)str_head(state, KERNEL_LETTERS)}));
    if (next->tid == 0)
        args[s.args.n++] = number(k, FXT_ARG_INT32, STR("incoming_weight"), IDLE_WEIGHT);
    else if (next->has_prio)
        args[s.args.n++] = number(k, FXT_ARG_INT32, STR("prio"), (uint32_t)next->prio);
    add_stack(k, e, args, &s.args.n);
    if (in->born)
        write_birth(k, in, e->ts);
    import_lines_mark(k->lines);
    writer_switch(&k->lines->w, &s);
    out->gone |= s.out_state == STATE_DEAD && prev->tid != 0;
    in->waits = false;
    leave(out, e, state, s.out_state == STATE_BLOCKED && prev->tid != 0);
    c->runs = next->tid != 0;
    c->running = next->tid;
    return true;
}

void kernel_events_wakeup(struct kernel_events *k, struct kernel_event *e, enum kernel_wake kind,
                          const struct kernel_task *woken, unsigned cpu) {
    thread_of(k, woken);
    k->wakings |= kind == KERNEL_WAKING;
    if (kind == KERNEL_WAKEUP && k->wakings) {
        import_lines_note(k->lines, "a sched_wakeup is the wake that sched_waking began");
        return;
    }
    struct writer_argument args[KERNEL_ARGUMENTS];
    size_t n = 0;
    args[n++] = number(k, FXT_ARG_KOID, STR("waker"), e->tid);
    if (e->cpu != KERNEL_NO_CPU)
        args[n++] = number(k, FXT_ARG_UINT32, STR("waker cpu"), e->cpu);
    add_stack(k, e, args, &n);
    import_lines_mark(k->lines);
    writer_wakeup(&k->lines->w, e->ts, cpu < KERNEL_CPUS ? cpu : 0, woken->tid,
                  (struct writer_arguments){args, n});
}

/* The record of the switch is written, so another one puts the thread into that state. */
bool kernel_events_wait(struct kernel_events *k, uint64_t tid, bool io, struct str function) {
    struct kernel_thread *t = kernel_threads_get(&k->threads, tid);
    struct writer_argument args[3];
    size_t n = 0;
    if (!t->waits)
        return false;
    t->waits = false;
    args[n++] = writer_text(intern(k, STR("state")), intern(k, str_of(t->left_as)));
    args[n++] = number(k, FXT_ARG_INT64, STR("io_wait"), io);
    if (function.n > 0)
        args[n++] =
            writer_text(intern(k, STR("blocked_function")), kernel_events_name(k, function));
    import_lines_mark(k->lines);
    writer_wakeup(&k->lines->w, t->left_at, t->left_cpu, tid, (struct writer_arguments){args, n});
    return true;
}

void kernel_events_new_task(struct kernel_events *k, struct kernel_event *e,
                            const struct kernel_task *child, bool same) {
    struct kernel_thread *parent = e->thread, *t = kernel_threads_get(&k->threads, child->tid);
    if (child->tid == 0 || t == parent)
        return;
    renew(k, t, e->ts);
    kernel_threads_is_of(&k->threads, t, same ? parent->pid : child->tid);
    kernel_threads_name(&k->threads, t, child->comm, KERNEL_NAMED_BY_EVENT);
    t->born = true;
    t->born_at = e->ts;
    t->parent = parent->tid;
}

void kernel_events_rename(struct kernel_events *k, const struct kernel_task *task) {
    thread_of(k, task);
}

void kernel_events_exit(struct kernel_events *k, const struct kernel_event *e, uint64_t tid) {
    struct kernel_thread *t = kernel_threads_get(&k->threads, tid);
    end_all(k, t, e->ts);
    t->gone = tid != 0;
}

/* ---- system calls ---- */

void kernel_events_call(struct kernel_events *k, const struct kernel_event *e, struct str name,
                        struct str args) {
    struct kernel_thread *t = e->thread;
    char buf[EVENT_QUOTED];
    if (t->call.open) {
        import_lines_fault(k->lines, IMPORT_FIELD, e->at, "%s has not ended before this",
                           event_write_quoted(kernel_threads_text(&t->call.name), buf));
        write_call(k, t, e->ts, STR(""));
    }
    kernel_threads_keep(&t->call.name, name, WRITER_STRING_MAX);
    kernel_threads_keep(&t->call.args, args, KERNEL_CALL_MOST);
    t->call.begin = e->ts;
    t->call.open = true;
}

void kernel_events_return(struct kernel_events *k, const struct kernel_event *e, struct str name,
                          struct str ret) {
    struct kernel_thread *t = e->thread;
    char buf[EVENT_QUOTED], open[EVENT_QUOTED];
    if (!t->call.open) {
        import_lines_note(k->lines, "a system call returned that had not begun: an instant");
        struct writer_argument arg = result(k, ret);
        kernel_events_instant(k, e, STR("syscall"), name, (struct writer_arguments){&arg, 1});
        return;
    }
    if (name.n > 0 && !str_eq(name, kernel_threads_text(&t->call.name)))
        import_lines_fault(k->lines, IMPORT_FIELD, e->at, "%s returns, but %s has begun",
                           event_write_quoted(name, buf),
                           event_write_quoted(kernel_threads_text(&t->call.name), open));
    write_call(k, t, e->ts, ret);
}
