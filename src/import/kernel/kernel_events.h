/* kernel_events.h - turns events of the Linux kernel into records, for each importer of such
 * events, in whatever form (doc/IMPORT.md).
 *
 * The importer fills a struct kernel_event and calls kernel_events_take() once for it. Then it
 * calls one of the other functions, or kernel_text() if it has the event as text. */
#ifndef FXTOP_KERNEL_EVENTS_H
#define FXTOP_KERNEL_EVENTS_H

#include "src/import/kernel/kernel_threads.h"

#define KERNEL_NO_CPU UINT32_MAX
#define KERNEL_CPUS 65536        /* a record has no higher number */
#define KERNEL_SECOND 1000000000 /* in ns */
#define KERNEL_NAME_MOST 8192    /* bytes of a name; a longer one is cut, and is a problem */
#define KERNEL_STACK_MOST 8192   /* of a stack */
#define KERNEL_ARGS_MOST 12288   /* of the arguments of an instant, in all */
#define KERNEL_CALL_MOST 1000    /* of those of a system call */
#define KERNEL_ARGUMENTS 15      /* of a record */
#define KERNEL_NESTED 8          /* interrupts on a CPU at once */

struct kernel_event {
    uint64_t ts;                  /* ns */
    unsigned cpu;                 /* on which it happened, below KERNEL_CPUS, or KERNEL_NO_CPU */
    uint64_t pid, tid;            /* of the thread that the CPU ran; pid: or KERNEL_NO_PID */
    struct str comm;              /* its name by the source's own column, or empty */
    struct str category;          /* of events whose kind gives none */
    struct str stack;             /* or empty; the argument `stack` of the record */
    const char *at;               /* its place in the line */
    struct kernel_thread *thread; /* that of tid: kernel_events_take() sets it */
};

struct kernel_cpu {
    uint64_t last; /* time of its latest event */
    uint64_t lost; /* events that were lost since */
    bool seen, loses, runs, named;
    uint8_t n; /* interrupts that are open */
    uint64_t open[KERNEL_NESTED];
    uint64_t running; /* runs: the thread */
};

struct kernel_events {
    struct import_lines *lines;
    struct kernel_threads threads;
    VEC(struct kernel_cpu) cpus;
    uint64_t flows;
    bool started; /* the initialization record is written */
    bool wakings; /* a sched_waking was seen */
    bool has_rows;
};

/* no_processes: a note about the option of the source that records of which process a thread is. */
void kernel_events_init(struct kernel_events *k, struct import_lines *lines,
                        const char *no_processes);
void kernel_events_free(struct kernel_events *k);
/* The source ends. */
void kernel_events_end(struct kernel_events *k);

/* Begins an event: learns of its thread and its CPU. */
void kernel_events_take(struct kernel_events *k, struct kernel_event *e);

/* ---- the scheduler ---- */

struct kernel_task { /* a thread in the fields of an event */
    uint64_t tid;
    struct str comm; /* or empty */
    bool has_prio;
    int32_t prio;
};

/* The letters of the flags of a state. */
struct str kernel_events_letters(uint64_t flags, char text[KERNEL_LETTERS]);
/* state: of prev, as the kernel writes it: `R+`, `D|K`, or its number. False: the CPU is not
 * known. */
bool kernel_events_switch(struct kernel_events *k, struct kernel_event *e,
                          const struct kernel_task *prev, struct str state,
                          const struct kernel_task *next);

enum kernel_wake { KERNEL_WAKING, KERNEL_WAKEUP, KERNEL_WAKEUP_NEW };
/* cpu: on which it will run, or KERNEL_NO_CPU. */
void kernel_events_wakeup(struct kernel_events *k, struct kernel_event *e, enum kernel_wake kind,
                          const struct kernel_task *woken, unsigned cpu);

/* The reason of the latest wait of a thread. function: in which it waits, or empty. False: it is
 * not known to wait. */
bool kernel_events_wait(struct kernel_events *k, uint64_t tid, bool io, struct str function);

/* The thread of the event has made another one; same: of its own process. */
void kernel_events_new_task(struct kernel_events *k, struct kernel_event *e,
                            const struct kernel_task *child, bool same);
/* A thread has a new name. */
void kernel_events_rename(struct kernel_events *k, const struct kernel_task *task);
/* A thread ends: so does all that is open on it. */
void kernel_events_exit(struct kernel_events *k, const struct kernel_event *e, uint64_t tid);

/* ---- interrupts, calls, counters ---- */

/* key: of the kind and number. name: of the slice. False: the CPU is not known. */
bool kernel_events_interrupt(struct kernel_events *k, const struct kernel_event *e, uint64_t key,
                             struct str name);
bool kernel_events_interrupt_end(struct kernel_events *k, const struct kernel_event *e,
                                 uint64_t key);
/* A key of a kind and the text of a number. */
uint64_t kernel_events_key(struct str kind, struct str number);

void kernel_events_call(struct kernel_events *k, const struct kernel_event *e, struct str name,
                        struct str args);
void kernel_events_return(struct kernel_events *k, const struct kernel_event *e, struct str name,
                          struct str ret);

/* The value of something of a CPU. */
void kernel_events_cpu_value(struct kernel_events *k, const struct kernel_event *e, struct str name,
                             uint64_t cpu, int64_t value);

/* ---- slices and instants of the thread ---- */

void kernel_events_begin(struct kernel_events *k, const struct kernel_event *e, struct str category,
                         struct str name);
void kernel_events_finish(struct kernel_events *k, const struct kernel_event *e,
                          struct str category);
void kernel_events_complete(struct kernel_events *k, const struct kernel_event *e,
                            struct str category, struct str name, uint64_t end);
/* args: at most KERNEL_ARGUMENTS - 1, or the stack is left out. */
void kernel_events_instant(struct kernel_events *k, const struct kernel_event *e,
                           struct str category, struct str name, struct writer_arguments args);
/* The thread in this process of a counter or an operation that the event's thread writes. */
struct writer_thread kernel_events_thread_in(struct kernel_events *k, const struct kernel_event *e,
                                             uint64_t pid);
/* A text as a name, cut to the length that a record holds. */
struct writer_string kernel_events_name(struct kernel_events *k, struct str text);

/* Gives an event that names no thread the row of its CPU, before kernel_events_take(). */
void kernel_events_on_row(struct kernel_events *k, struct kernel_event *e);

/* This many events of a CPU were lost before its next one; 0: their number is not known. */
void kernel_events_lost(struct kernel_events *k, unsigned cpu, uint64_t count);

#endif
