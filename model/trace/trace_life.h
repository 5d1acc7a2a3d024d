/* trace_life.h - when threads lived, and how busy they were, for pictures and sums (SEMANTICS 6.8,
 * 10.7, 10.8).
 *
 * Busy is the time that the thread ran if the trace has its scheduling, else the time that slices
 * cover. Exports and nesting know nothing of lives. Times: ns relative to the reader's base. Each
 * question costs O(log n), or that for each column. Valid until the next trace_step(). */
#ifndef FXTOP_TRACE_LIFE_H
#define FXTOP_TRACE_LIFE_H

#include "model/store/sched_life.h"
#include "model/trace/trace.h"

/* The end of a slice of the thread (a number) that began at `begun` and is open: the first death of
 * the thread after that, the last time it was dying, else the end of the trace. */
int64_t trace_open_end(const struct trace *trace, uint32_t thread, int64_t begun);
/* The end of any slice of the thread by that rule. */
int64_t trace_slice_end(const struct trace *trace, uint32_t thread, const struct slice *slice);

/* The time of a slice of a row of the thread in which it covers and no slice inside it does, if
 * none overlap. */
int64_t trace_slice_self(const struct trace *trace, uint32_t thread, uint32_t row,
                         const struct slice *slice);
/* The parent whose time a slice is a part of; nesting alone is that of nest_parent(). False: there
 * is none. */
bool trace_slice_parent(const struct trace *trace, uint32_t thread, uint32_t row, uint32_t i,
                        uint32_t *parent_row, uint32_t *parent);

/* The byte offset of the record that ends a slice of a thread; 0: it is open, complete, or has lost
 * its end (SEMANTICS 6.12). */
uint64_t trace_end_record(const struct trace *trace, const struct slice *slice);

/* From the first event or known state of the thread to its end: that of its last event or slice if
 * nothing else is known, INT64_MAX while it is alive. *ended: it is known to have died. False: it
 * has neither. */
bool trace_thread_span(const struct trace *trace, const struct thread *thread, int64_t *begin,
                       int64_t *end, bool *ended);

/* The end of a process (a place) whose threads have all died; else, or if it has more than 64, that
 * of the trace. Rows of samples do not count. */
int64_t trace_process_end(const struct trace *trace, uint32_t process);

/* The name of a state; NULL: by number. In a trace without wakeups a blocked thread may as well
 * wait for a CPU, so it is "not running" there. */
const char *trace_state_name(const struct trace *trace, uint32_t state);

/* Number 0, which only idled: it is no thread, and has no track and no row (SEMANTICS 10.6). */
bool trace_thread_none(const struct trace *trace, const struct thread *thread);
/* A row of samples that the trace derives (SEMANTICS 12.2), while it has the scheduling of threads:
 * no thread of its own in pictures of how busy they are. */
bool trace_thread_derived(const struct trace *trace, const struct thread *thread);
/* Whether running time is known, so that busy means that. */
bool trace_thread_scheduled(const struct trace *trace, const struct thread *thread);
/* The time in [from, to) that the thread ran, or that its slices cover; if they overlap, of the row
 * that covers most.
 */
int64_t trace_thread_cpu_time(const struct trace *trace, const struct thread *thread, int64_t from,
                              int64_t to);
int64_t trace_thread_covered(const struct trace *trace, struct thread *thread, int64_t from,
                             int64_t to);
/* A thread that runs when no other one does, or is called idle or swapper, and has no slices. */
bool trace_thread_idle(const struct trace *trace, const struct thread *thread);
/* The weight of a thread in a picture: its busy time, and a ns for each event; 0 if it idles. That
 * of a derived row is 0, because its thread has it. */
int64_t trace_thread_interest(const struct trace *trace, struct thread *thread);
/* busy: its CPU time; without scheduling, the time that slices cover. */
int64_t trace_thread_rank(const struct trace *trace, const struct thread *thread, int64_t busy);
/* Whether a thread of one slice has nothing else. */
bool trace_thread_has_one(const struct trace *trace, const struct thread *thread);
/* A thread with one slice and nothing else, such as a total that a writer put there. */
static inline bool trace_thread_single(const struct trace *trace, const struct thread *thread) {
    return thread->nest.slices == 1 && trace_thread_has_one(trace, thread);
}
/* The place of a thread among others by its rank, the greatest first: below 0 of a single one,
 * which comes after all others. */
static inline int64_t trace_thread_place(bool single, int64_t rank) {
    return single ? rank - INT64_MAX : rank;
}
/* Adds how busy the thread is in each column [edges[c], edges[c + 1]), as a share of the column, to
 * share[c]. */
void trace_thread_busy(const struct trace *trace, struct thread *thread, const int64_t *edges,
                       int columns, double *share);

#endif
