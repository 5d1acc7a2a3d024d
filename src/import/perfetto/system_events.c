/* system_events.c - states of tasks become switches and wakeups: one that runs takes the CPU, and
 * one that ran leaves it idle. */
#include "src/import/perfetto/system_events.h"

#include "src/import/perfetto/proto.h"

enum state {
    STATE_CREATED = 1,
    STATE_RUNNABLE,
    STATE_RUNNING,
    STATE_SLEEPS,
    STATE_BLOCKED,
    STATE_STOPPED,
    STATE_DEAD,
    STATE_DESTROYED
};

static void take_state(struct bundles *b, struct kernel_event *e, struct str message) {
    static const int64_t flags[] = {0, 0, 0, 0, 1, 2, 4, 16, 16}; /* S, D, T, X */
    struct kernel_task task = {.comm = {"", 0}}, other = {.comm = {"", 0}};
    uint64_t state = 0;
    for (struct proto p = proto_of(message); proto_next(&p);) {
        if (p.tag == PROTO_V(1))
            e->cpu = (uint32_t)p.value;
        else if (p.tag == PROTO_B(2))
            task.comm = p.bytes;
        else if (p.tag == PROTO_V(3))
            task.tid = p.value;
        else if (p.tag == PROTO_V(4))
            state = p.value;
        else if (p.tag == PROTO_V(5))
            task.prio = (int32_t)p.value;
    }
    task.has_prio = true;
    if (e->cpu >= KERNEL_CPUS || state < STATE_CREATED || state > STATE_DESTROYED) {
        import_lines_fault(b->kernel->lines, IMPORT_FIELD, NULL,
                           "the state of a task without a known state or CPU");
        return;
    }
    struct bundles_running *on = bundles_on(b, e->cpu);
    other.tid = on->known ? on->tid : 0;
    e->tid = other.tid;
    kernel_events_take(b->kernel, e);
    if (state == STATE_RUNNING) {
        if (!on->known || on->tid != task.tid)
            bundles_switch(b, e, &other, 0, &task);
    } else if (on->known && on->tid == task.tid && task.tid != 0) {
        bundles_switch(b, e, &task, flags[state], &(struct kernel_task){.comm = {"", 0}});
    } else if (state == STATE_RUNNABLE || state == STATE_CREATED) {
        kernel_events_wakeup(b->kernel, e,
                             state == STATE_CREATED ? KERNEL_WAKEUP_NEW : KERNEL_WAKING, &task,
                             e->cpu);
    } else if (state == STATE_DEAD || state == STATE_DESTROYED) {
        kernel_events_exit(b->kernel, e, task.tid);
    }
}

static void take_frequency(struct bundles *b, struct kernel_event *e, struct str message) {
    uint64_t cpu = 0, hertz = 0;
    for (struct proto p = proto_of(message); proto_next(&p);)
        if (p.tag == PROTO_V(1))
            cpu = (uint32_t)p.value;
        else if (p.tag == PROTO_V(2))
            hertz = p.value;
    kernel_events_cpu_value(b->kernel, e, STR("cpu_frequency"), cpu, (int64_t)(hertz / 1000));
}

static void take_name(struct bundles *b, struct str message) {
    struct kernel_task task = {.comm = {"", 0}};
    for (struct proto p = proto_of(message); proto_next(&p);)
        if (p.tag == PROTO_V(1))
            task.tid = p.value;
        else if (p.tag == PROTO_B(2))
            task.comm = p.bytes;
    struct kernel_threads *threads = &b->kernel->threads;
    kernel_threads_name(threads, kernel_threads_get(threads, task.tid), task.comm,
                        KERNEL_NAMED_BY_LIST);
}

/* A Process or a Thread, which have pid and tid in other fields. */
static void take_of_tree(struct kernel_threads *threads, struct str message, bool process) {
    struct str name = {"", 0};
    uint64_t first = 0, second = 0;
    for (struct proto p = proto_of(message); proto_next(&p);)
        if (p.tag == PROTO_V(1))
            first = p.value;
        else if (p.tag == PROTO_V(2))
            second = p.value;
        else if (p.tag == PROTO_B(3))
            name = p.bytes;
    struct kernel_thread *t = kernel_threads_get(threads, first);
    kernel_threads_is_of(threads, t, process ? first : second);
    if (process)
        kernel_threads_process(threads, first, name, KERNEL_NAMED_BY_SYSTEM);
    else
        kernel_threads_name(threads, t, name, KERNEL_NAMED_BY_LIST);
}

void system_events_take(struct bundles *b, uint64_t field, uint64_t ts, struct str message) {
    struct kernel_event e = {.ts = ts,
                             .cpu = KERNEL_NO_CPU,
                             .pid = KERNEL_NO_PID,
                             .comm = {"", 0},
                             .category = STR("system")};
    if (field == 117)
        take_state(b, &e, message);
    else if (field == 118)
        take_frequency(b, &e, message);
    else if (field == 120)
        take_name(b, message);
    else
        for (struct proto p = proto_of(message); proto_next(&p);)
            if (p.tag == PROTO_B(1) || p.tag == PROTO_B(2))
                take_of_tree(&b->kernel->threads, p.bytes, p.tag == PROTO_B(1));
}
