/* bundles.c - take_kind() lists the events that are read; all others are a note. */
#include "src/import/perfetto/bundles.h"

#include <inttypes.h>
#include <stdio.h>

#include "src/import/kernel/kernel_mark.h"
#include "src/import/perfetto/proto.h"

#define CATEGORY STR("ftrace")
#define WINDOW ((size_t)1 << 20) /* calls that wait */
#define CLONE_THREAD 0x10000
#define FIELD_MOST 700            /* bytes of a field of an event, and of its name */
#define CPU_STATE_LEFT UINT32_MAX /* cpu_idle: the CPU leaves its idle state */

void bundles_init(struct bundles *b, struct kernel_events *kernel, struct clocks *clocks) {
    *b = (struct bundles){.kernel = kernel, .clocks = clocks};
}

void bundles_free(struct bundles *b) {
    vec_free(&b->running);
    vec_free(&b->calls);
}

/* ---- system calls ---- */

static int by_time(const void *x, const void *y) {
    const struct bundles_call *a = x, *b = y;
    if (a->ts != b->ts)
        return a->ts < b->ts ? -1 : 1;
    if (a->ends != b->ends)
        return a->ends ? 1 : -1;
    return (a->at.byte > b->at.byte) - (a->at.byte < b->at.byte);
}

static void write_call(struct bundles *b, const struct bundles_call *call) {
    struct import_lines *lines = b->kernel->lines;
    uint64_t begin = lines->begin;
    char name[40], ret[24];
    struct kernel_event e = {.ts = call->ts,
                             .cpu = KERNEL_NO_CPU,
                             .pid = KERNEL_NO_PID,
                             .tid = call->tid,
                             .category = CATEGORY};
    lines->begin = call->at.byte;
    kernel_events_take(b->kernel, &e);
    snprintf(name, sizeof name, "syscall %" PRId64, call->number);
    snprintf(ret, sizeof ret, "%" PRId64, call->ret);
    if (call->ends)
        kernel_events_return(b->kernel, &e, str_of(name), str_of(ret));
    else
        kernel_events_call(b->kernel, &e, str_of(name), STR(""));
    lines->begin = begin;
}

/* Writes the first ones by time. */
static void write_calls(struct bundles *b, size_t n) {
    if (b->calls.n > 1)
        qsort(b->calls.v, b->calls.n, sizeof *b->calls.v, by_time);
    for (size_t i = 0; i < n; i++)
        write_call(b, &b->calls.v[i]);
    b->calls.n -= n;
    if (b->calls.n > 0)
        memmove(b->calls.v, b->calls.v + n, b->calls.n * sizeof *b->calls.v);
}

void bundles_end(struct bundles *b) {
    write_calls(b, b->calls.n);
}

static void add_call(struct bundles *b, const struct kernel_event *e, struct str message,
                     bool ends) {
    struct bundles_call call = {.ts = e->ts,
                                .tid = e->tid,
                                .at = {b->kernel->lines->begin, IMPORT_NO_LINES, 0},
                                .ends = ends};
    for (struct proto p = proto_of(message); proto_next(&p);)
        if (p.tag == PROTO_V(1))
            call.number = proto_signed(p.value);
        else if (p.tag == PROTO_V(2))
            call.ret = proto_signed(p.value);
    vec_push(&b->calls, call);
    if (b->calls.n == WINDOW)
        write_calls(b, WINDOW / 2);
}

/* ---- the scheduler ---- */

struct bundles_running *bundles_on(struct bundles *b, unsigned cpu) {
    while (b->running.n <= cpu)
        vec_push(&b->running, ((struct bundles_running){0}));
    return &b->running.v[cpu];
}

void bundles_switch(struct bundles *b, struct kernel_event *e, const struct kernel_task *prev,
                    int64_t state, const struct kernel_task *next) {
    char text[KERNEL_LETTERS];
    struct bundles_running *running = bundles_on(b, e->cpu);
    running->known = true;
    running->tid = next->tid;
    kernel_events_switch(b->kernel, e, prev, kernel_events_letters((uint64_t)state, text), next);
}

static void take_switch(struct bundles *b, struct kernel_event *e, struct str message) {
    struct kernel_task prev = {.comm = {"", 0}}, next = {.comm = {"", 0}};
    int64_t state = 0;
    for (struct proto p = proto_of(message); proto_next(&p);) {
        switch (p.tag) {
        case PROTO_B(1):
            prev.comm = p.bytes;
            break;
        case PROTO_V(2):
            prev.tid = (uint32_t)p.value;
            break;
        case PROTO_V(4):
            state = proto_signed(p.value);
            break;
        case PROTO_B(5):
            next.comm = p.bytes;
            break;
        case PROTO_V(6):
            next.tid = (uint32_t)p.value;
            break;
        case PROTO_V(7):
            next.has_prio = true;
            next.prio = (int32_t)p.value;
            break;
        default:
            break;
        }
    }
    if (e->cpu < KERNEL_CPUS)
        bundles_switch(b, e, &prev, state, &next);
}

static void take_wake(struct bundles *b, struct kernel_event *e, struct str message,
                      enum kernel_wake kind) {
    struct kernel_task woken = {.comm = {"", 0}};
    unsigned cpu = KERNEL_NO_CPU;
    bool failed = false;
    for (struct proto p = proto_of(message); proto_next(&p);) {
        if (p.tag == PROTO_B(1))
            woken.comm = p.bytes;
        else if (p.tag == PROTO_V(2))
            woken.tid = (uint32_t)p.value;
        else if (p.tag == PROTO_V(4))
            failed = p.value == 0;
        else if (p.tag == PROTO_V(5))
            cpu = (uint32_t)p.value;
    }
    if (failed && kind != KERNEL_WAKING)
        import_lines_note(b->kernel->lines, "a wakeup without success is none");
    else
        kernel_events_wakeup(b->kernel, e, kind, &woken, cpu);
}

static void take_new_task(struct bundles *b, struct kernel_event *e, struct str message) {
    struct kernel_task child = {.comm = {"", 0}};
    uint64_t flags = 0;
    for (struct proto p = proto_of(message); proto_next(&p);)
        if (p.tag == PROTO_V(1))
            child.tid = (uint32_t)p.value;
        else if (p.tag == PROTO_B(2))
            child.comm = p.bytes;
        else if (p.tag == PROTO_V(3))
            flags = p.value;
    kernel_events_new_task(b->kernel, e, &child, (flags & CLONE_THREAD) != 0);
}

static void take_rename(struct bundles *b, struct str message) {
    struct kernel_task task = {.comm = {"", 0}};
    for (struct proto p = proto_of(message); proto_next(&p);)
        if (p.tag == PROTO_V(1))
            task.tid = (uint32_t)p.value;
        else if (p.tag == PROTO_B(3))
            task.comm = p.bytes;
    kernel_events_rename(b->kernel, &task);
}

/* The name of a function, or its address. */
static struct str symbol_of(const struct bundles *b, uint64_t number, char address[24]) {
    struct str name = sequence_bytes(b->sequence, SEQUENCE_SYMBOL, number);
    if (name.n > 0 || number == 0)
        return name;
    snprintf(address, 24, "0x%" PRIx64, number);
    return str_of(address);
}

/* The reason of a wait, or else an instant. */
static void take_reason(struct bundles *b, struct str message) {
    uint64_t tid = 0, caller = 0, io = 0;
    char address[24];
    for (struct proto p = proto_of(message); proto_next(&p);)
        if (p.tag == PROTO_V(1))
            tid = (uint32_t)p.value;
        else if (p.tag == PROTO_V(2))
            caller = p.value;
        else if (p.tag == PROTO_V(3))
            io = p.value;
    if (!kernel_events_wait(b->kernel, tid, io != 0, symbol_of(b, caller, address)))
        import_lines_note(b->kernel->lines, "the reason of a wait that is not known is left out");
}

static void take_exit(struct bundles *b, const struct kernel_event *e, struct str message) {
    uint64_t tid = 0;
    for (struct proto p = proto_of(message); proto_next(&p);)
        if (p.tag == PROTO_V(2))
            tid = (uint32_t)p.value;
    kernel_events_exit(b->kernel, e, tid);
}

/* ---- functions, and events without a form of their own ---- */

/* Idle threads have one number, so theirs are on the row of the CPU. */
static void take_function(struct bundles *b, struct kernel_event *e, struct str message,
                          bool ends) {
    struct str category = STR("function");
    uint64_t function = 0;
    char address[24];
    for (struct proto p = proto_of(message); proto_next(&p);)
        if (p.tag == (ends ? PROTO_V(3) : PROTO_V(2)))
            function = p.value;
    if (e->tid == 0 && e->cpu != KERNEL_NO_CPU) {
        kernel_events_on_row(b->kernel, e);
        kernel_events_take(b->kernel, e);
    }
    if (!ends)
        kernel_events_begin(b->kernel, e, category, symbol_of(b, function, address));
    else if (e->thread->open > 0)
        kernel_events_finish(b->kernel, e, category);
    else
        import_lines_note(b->kernel->lines, "a function ends that has not begun: left out");
}

static struct writer_argument field_of(struct bundles *b, struct str message) {
    struct import_lines *lines = b->kernel->lines;
    struct str name = {"", 0}, text = {"", 0};
    uint64_t bits = 0, kind = 0;
    for (struct proto p = proto_of(message); proto_next(&p);) {
        if (p.tag == PROTO_B(1))
            name = p.bytes;
        else if (p.tag == PROTO_B(3))
            text = p.bytes;
        else
            bits = p.value;
        kind = p.tag == PROTO_B(1) ? kind : p.tag;
    }
    struct writer_string key =
        import_lines_name(lines, (struct str){name.s, (size_t)str_head(name, FIELD_MOST)});
    if (kind == PROTO_V(4) || kind == PROTO_V(5))
        return writer_number(kind == PROTO_V(4) ? FXT_ARG_INT64 : FXT_ARG_UINT64, key, bits);
    return writer_text(key,
                       writer_inline((struct str){text.s, (size_t)str_head(text, FIELD_MOST)}));
}

/* GenericFtraceEvent: an instant with its fields. */
static void take_generic(struct bundles *b, const struct kernel_event *e, struct str message) {
    struct writer_argument args[KERNEL_ARGUMENTS - 1];
    struct str name = {"", 0};
    size_t n = 0;
    for (struct proto p = proto_of(message); proto_next(&p);)
        if (p.tag == PROTO_B(1))
            name = p.bytes;
        else if (p.tag == PROTO_B(2) && n < sizeof args / sizeof *args)
            args[n++] = field_of(b, p.bytes);
    kernel_events_instant(b->kernel, e, CATEGORY, name, (struct writer_arguments){args, n});
}

/* ---- interrupts, marks, counters ---- */

static void take_interrupt(struct bundles *b, const struct kernel_event *e, struct str message,
                           bool soft, bool ends) {
    static const char *const vectors[] = {"HI",       "TIMER",   "NET_TX", "NET_RX",  "BLOCK",
                                          "IRQ_POLL", "TASKLET", "SCHED",  "HRTIMER", "RCU"};
    struct str kind = soft ? STR("softirq") : STR("irq"), known = {"", 0};
    char number[24], name[KERNEL_NAME_MOST];
    uint64_t which = 0;
    for (struct proto p = proto_of(message); proto_next(&p);)
        if (p.tag == PROTO_V(1))
            which = p.value;
        else if (p.tag == PROTO_B(2))
            known = p.bytes;
    snprintf(number, sizeof number, "%" PRIu64, which);
    uint64_t key = kernel_events_key(kind, str_of(number));
    if (ends) {
        kernel_events_interrupt_end(b->kernel, e, key);
        return;
    }
    if (soft && which < sizeof vectors / sizeof *vectors)
        known = str_of(vectors[which]);
    if (known.n == 0)
        known = str_of(number);
    int n = snprintf(name, sizeof name, "%s %.*s", kind.s, str_head(known, KERNEL_NAME_MOST / 2),
                     known.s);
    kernel_events_interrupt(b->kernel, e, key, (struct str){name, (size_t)n});
}

static void take_print(struct bundles *b, struct kernel_event *e, struct str message) {
    struct str text = {"", 0};
    for (struct proto p = proto_of(message); proto_next(&p);)
        if (p.tag == PROTO_B(2))
            text = p.bytes;
    while (text.n > 0 && (text.s[text.n - 1] == '\n' || text.s[text.n - 1] == '\0'))
        text.n--;
    kernel_mark(b->kernel, e, text);
}

static void take_cpu_value(struct bundles *b, const struct kernel_event *e, struct str message,
                           struct str name, bool idle) {
    uint64_t state = 0, cpu = 0;
    for (struct proto p = proto_of(message); proto_next(&p);)
        if (p.tag == PROTO_V(1))
            state = (uint32_t)p.value;
        else if (p.tag == PROTO_V(2))
            cpu = (uint32_t)p.value;
    kernel_events_cpu_value(b->kernel, e, name, cpu,
                            idle && state == CPU_STATE_LEFT ? -1 : (int64_t)state);
}

/* ---- events ---- */

struct taken {
    struct bundles *b;
    uint64_t offset; /* added to times: of a clock that is not BOOTTIME */
    unsigned cpu;
};

static uint64_t time_of(const struct taken *t, uint64_t ns) {
    uint64_t time;
    clocks_time(t->b->clocks, 0, CLOCKS_BOOTTIME, ns + t->offset, &time);
    return time;
}

static void take_kind(struct bundles *b, struct kernel_event *e, uint64_t tag, struct str message) {
    switch (tag) {
    case PROTO_B(3):
        take_print(b, e, message);
        break;
    case PROTO_B(4):
        take_switch(b, e, message);
        break;
    case PROTO_B(11):
        take_cpu_value(b, e, message, STR("cpu_frequency"), false);
        break;
    case PROTO_B(13):
        take_cpu_value(b, e, message, STR("cpu_idle"), true);
        break;
    case PROTO_B(18):
        take_reason(b, message);
        break;
    case PROTO_B(17):
        take_wake(b, e, message, KERNEL_WAKEUP);
        break;
    case PROTO_B(20):
        take_wake(b, e, message, KERNEL_WAKING);
        break;
    case PROTO_B(24):
    case PROTO_B(25):
        take_interrupt(b, e, message, true, tag == PROTO_B(25));
        break;
    case PROTO_B(36):
    case PROTO_B(37):
        take_interrupt(b, e, message, false, tag == PROTO_B(37));
        break;
    case PROTO_B(114):
        take_wake(b, e, message, KERNEL_WAKEUP_NEW);
        break;
    case PROTO_B(235):
        take_new_task(b, e, message);
        break;
    case PROTO_B(236):
        take_rename(b, message);
        break;
    case PROTO_B(238):
    case PROTO_B(240):
        take_exit(b, e, message);
        break;
    case PROTO_B(327):
        take_generic(b, e, message);
        break;
    case PROTO_B(437):
    case PROTO_B(438):
        take_function(b, e, message, tag == PROTO_B(438));
        break;
    case PROTO_B(329):
    case PROTO_B(330):
        add_call(b, e, message, tag == PROTO_B(330));
        break;
    default:
        import_lines_note(b->kernel->lines, "an ftrace event of another kind is left out");
        break;
    }
}

static void take_event(const struct taken *t, struct str message) {
    struct bundles *b = t->b;
    struct proto p = proto_of(message);
    struct kernel_event e = {
        .cpu = t->cpu, .pid = KERNEL_NO_PID, .comm = {"", 0}, .category = CATEGORY};
    struct str data = {"", 0};
    uint64_t tag = 0;
    while (proto_next(&p)) {
        if (p.tag == PROTO_V(1)) {
            e.ts = time_of(t, p.value);
        } else if (p.tag == PROTO_V(2)) {
            e.tid = (uint32_t)p.value;
        } else if ((p.tag & 7) == PROTO_BYTES) {
            tag = p.tag;
            data = p.bytes;
        }
    }
    if (tag == 0) {
        import_lines_note(b->kernel->lines, "an ftrace event of another kind is left out");
        return;
    }
    kernel_events_take(b->kernel, &e);
    take_kind(b, &e, tag, data);
}

/* ---- compact switches and wakings: columns, of which each time is the difference to the one
 * before ---- */

struct columns {
    struct proto_numbers time, thread, prio, comm, extra; /* extra: a state, or a CPU */
    uint64_t ts, tid, priority, name, value;
    bool more;
};

static struct columns columns_of(struct str message, const unsigned char fields[5]) {
    struct columns c = {.more = true};
    struct proto_numbers *v[] = {&c.time, &c.thread, &c.prio, &c.comm, &c.extra};
    for (size_t i = 0; i < 5; i++)
        *v[i] = proto_numbers(message, fields[i], PROTO_VARINT);
    return c;
}

static void next_row(struct columns *c) {
    uint64_t difference;
    c->more = proto_number(&c->time, &difference) && proto_number(&c->thread, &c->tid);
    if (!c->more)
        return;
    c->ts += difference;
    c->value = 0;
    c->name = UINT64_MAX;
    c->priority = UINT64_MAX;
    proto_number(&c->prio, &c->priority);
    proto_number(&c->comm, &c->name);
    proto_number(&c->extra, &c->value);
}

static struct kernel_event event_at(const struct taken *t, uint64_t ts) {
    const struct bundles_running *running = bundles_on(t->b, t->cpu);
    return (struct kernel_event){.ts = time_of(t, ts),
                                 .cpu = t->cpu,
                                 .pid = KERNEL_NO_PID,
                                 .tid = running->known ? running->tid : 0,
                                 .comm = {"", 0},
                                 .category = CATEGORY};
}

static void take_compact(const struct taken *t, struct str message) {
    static const unsigned char switch_fields[] = {1, 3, 4, 6, 2}, wake_fields[] = {7, 8, 10, 11, 9};
    struct bundles *b = t->b;
    struct columns s = columns_of(message, switch_fields), w = columns_of(message, wake_fields);
    VEC(struct str) names = {0};
    for (struct proto p = proto_of(message); proto_next(&p);)
        if (p.tag == PROTO_B(5))
            vec_push(&names, p.bytes);
    next_row(&s);
    next_row(&w);
    while (s.more || w.more) {
        bool wakes = w.more && (!s.more || w.ts <= s.ts);
        struct columns *c = wakes ? &w : &s;
        struct kernel_event e = event_at(t, c->ts);
        struct kernel_task task = {.tid = (uint32_t)c->tid,
                                   .comm = c->name < names.n ? names.v[c->name] : STR(""),
                                   .has_prio = c->priority != UINT64_MAX,
                                   .prio = (int32_t)c->priority};
        struct kernel_task prev = {.tid = e.tid, .comm = {"", 0}};
        kernel_events_take(b->kernel, &e);
        if (wakes)
            kernel_events_wakeup(b->kernel, &e, KERNEL_WAKING, &task, (uint32_t)c->value);
        else /* the first switch of a CPU does not say which thread ran before: none */
            bundles_switch(b, &e, &prev, proto_signed(c->value), &task);
        next_row(c);
    }
    vec_free(&names);
}

void bundles_take(struct bundles *b, const struct sequence *s, struct str message) {
    b->sequence = s;
    struct taken t = {b, 0, 0};
    struct str compact = {"", 0};
    uint64_t clock = 0, boot = 0, own = 0;
    bool lost = false;
    for (struct proto p = proto_of(message); proto_next(&p);) {
        if (p.tag == PROTO_V(1))
            t.cpu = (uint32_t)p.value;
        else if (p.tag == PROTO_V(3))
            lost = p.value != 0;
        else if (p.tag == PROTO_B(4))
            compact = p.bytes;
        else if (p.tag == PROTO_V(5))
            clock = p.value;
        else if (p.tag == PROTO_V(6))
            own = p.value;
        else if (p.tag == PROTO_V(7))
            boot = p.value;
    }
    if (t.cpu >= KERNEL_CPUS) {
        import_lines_fault(b->kernel->lines, IMPORT_FIELD, NULL, "a CPU beyond %d", KERNEL_CPUS);
        return;
    }
    if (clock != 0)
        t.offset = boot - own;
    if (lost)
        kernel_events_lost(b->kernel, t.cpu, 0);
    struct proto p = proto_of(message);
    while (proto_next(&p))
        if (p.tag == PROTO_B(2))
            take_event(&t, p.bytes);
    if (p.broken)
        import_lines_fault(b->kernel->lines, IMPORT_SYNTAX, NULL,
                           "ftrace events whose bytes are no fields: read up to there");
    take_compact(&t, compact);
}
