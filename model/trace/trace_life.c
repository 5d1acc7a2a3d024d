/* trace_life.c - lives of threads from their states, and their busy times.
 *
 * Scheduling knows a thread by its full number, as do slices. Only the last slice of a row can be
 * open, so a row is busy as lane.h has it until the end of that slice. */
#include "model/trace/trace_life.h"

#include <string.h>
#include <strings.h>

#include "src/base/units.h"

#define THREADS_LOOKED 64 /* of a process */
#define ROWS_LOOKED 64    /* for an open slice, if slices overlap */

static const struct sched_thread *states(const struct trace *trace, uint32_t thread) {
    return sched_thread(trace_sched(trace), thread);
}

static int64_t end_of(const struct trace *trace, uint32_t thread) {
    return trace_world_end(trace, trace_thread(trace, thread)->id.world);
}

int64_t trace_open_end(const struct trace *trace, uint32_t thread, int64_t begun) {
    const struct sched_thread *t = states(trace, thread);
    int64_t end = t ? sched_life_end(t, begun) : INT64_MAX, last = end_of(trace, thread);
    end = end < last ? end : last;
    return end > begun ? end : begun;
}

int64_t trace_slice_end(const struct trace *trace, uint32_t thread, const struct slice *slice) {
    return slice_endless(slice) ? trace_open_end(trace, thread, slice->start) : slice_end(slice);
}

const char *trace_state_name(const struct trace *trace, uint32_t state) {
    bool told = state != SCHED_BLOCKED || trace_kind_count(trace, FXT_K_WAKEUP) > 0;
    return told ? sched_state_name(state) : SCHED_NOT_RUNNING;
}

uint64_t trace_end_record(const struct trace *trace, const struct slice *slice) {
    const struct slice_extra *extra = trace_slice_extra(trace);
    bool lost = slice_flags(slice) & SLICE_MISMATCH &&
                (reader_ends_by_name(trace_reader(trace), slice_offset(slice)) ||
                 extra->get(extra->ctx, slice_offset(slice) + SLICE_EXTRA_LOST) == 1);
    return lost ? 0 : slice_extra_end_offset(extra, slice);
}

/* An outermost slice of the thread is open: its latest slice began at nest.last_start. */
static bool any_open(const struct nest *nest) {
    uint32_t rows = nest->displaced == 0 ? 1 : ROWS_LOOKED;
    for (uint32_t row = 0; row < nest_sound_rows(nest) && row < rows; row++)
        if (nest->lanes[row].end == INT64_MAX)
            return true;
    return false;
}

static int64_t earlier(int64_t a, int64_t b) {
    return a < b ? a : b;
}

/* The begin of the part of the file in which its latest event is. */
static uint64_t latest_writer(const struct trace *trace, const struct thread *thread) {
    struct file_part part = {0};
    if (trace_files(trace) > 1 && thread->provider != UINT32_MAX)
        file_part(trace_file(trace), reader_provider(trace_reader(trace), thread->provider)->part,
                  &part);
    return part.begin;
}

bool trace_thread_span(const struct trace *trace, const struct thread *thread, int64_t *begin,
                       int64_t *end, bool *ended) {
    const struct sched_thread *t = states(trace, thread->number);
    int64_t first, last,
        counted = earlier(thread->last_counter, trace_world_end(trace, thread->id.world));
    bool known = thread->events > 0;
    /* when it lived is not known */
    if (known && trace_unset_time(trace, latest_writer(trace, thread), thread->last) &&
        (t == NULL || t->lane.n == 0)) {
        int64_t from = trace_world_begin(trace, thread->id.world);
        *begin = *end = counted > from ? counted : from;
        *ended = true;
        return true;
    }
    *begin = INT64_MAX;
    *end = INT64_MIN;
    if (known) {
        int64_t from = trace_world_begin(trace, thread->id.world);
        *begin = thread->first < from ? from : thread->first;
        *end = earlier(thread->last, trace_world_end(trace, thread->id.world));
    }
    *ended = false;
    if (t && sched_life_span(t, &first, &last)) {
        known = true;
        *begin = first < *begin ? first : *begin;
        *ended = last != INT64_MAX && last >= *end;
        *end = last > *end ? last : *end;
    } else if (t && t->lane.n > 0) { /* woken, and no more is known */
        known = true;
        *begin = t->lane.start < *begin ? t->lane.start : *begin;
        *end = t->lane.start > *end ? t->lane.start : *end;
    }
    if (!*ended && counted > *end) /* after an end it is no sign of life */
        *end = counted;
    if (any_open(&thread->nest) && trace_open_end(trace, thread->number, thread->nest.last_start) >=
                                       trace_world_end(trace, thread->id.world)) {
        *end = INT64_MAX;
        *ended = false;
    }
    return known;
}

int64_t trace_process_end(const struct trace *trace, uint32_t process) {
    size_t n = 0;
    const uint32_t *threads = NULL;
    int64_t last = INT64_MIN;
    if (process < trace_process_count(trace))
        threads = trace_process_threads(trace_process(trace, process), &n);
    for (size_t i = 0; i < n && n <= THREADS_LOOKED; i++) {
        const struct thread *t = trace_thread(trace, threads[i]);
        int64_t begin, end;
        bool ended;
        if (trace_thread_derived(trace, t) || !trace_thread_span(trace, t, &begin, &end, &ended))
            continue;
        if (!ended)
            return trace_world_end(trace, trace_process(trace, process)->world);
        last = end > last ? end : last;
    }
    if (last == INT64_MIN && process < trace_process_count(trace))
        return trace_world_end(trace, trace_process(trace, process)->world);
    return last == INT64_MIN ? trace_end(trace) : last;
}

bool trace_thread_none(const struct trace *trace, const struct thread *thread) {
    const struct sched_thread *t = states(trace, thread->number);
    return thread->id.tid == 0 && thread->id.form != THREAD_UNDEFINED && t && sched_life_idles(t) &&
           nest_rows(&thread->nest) == 0 && trace_instant_count(thread) == 0 &&
           !nest_waiting(&thread->nest);
}

bool trace_thread_derived(const struct trace *trace, const struct thread *thread) {
    struct file_part part;
    if (file_part_count(trace_file(trace)) == 1 || thread->providers.n == 0 ||
        sched_cpu_count(trace_sched(trace)) == 0)
        return false;
    file_part(trace_file(trace), reader_provider(trace_reader(trace), thread->providers.v[0])->part,
              &part);
    return part.derived;
}

bool trace_thread_scheduled(const struct trace *trace, const struct thread *thread) {
    const struct sched_thread *t = states(trace, thread->number);
    int64_t begin, end;
    return t && sched_life_span(t, &begin, &end);
}

int64_t trace_thread_cpu_time(const struct trace *trace, const struct thread *thread, int64_t from,
                              int64_t to) {
    const struct sched_thread *t = states(trace, thread->number);
    return t ? sched_life_running(t, from, to) : 0;
}

int64_t trace_slice_self(const struct trace *trace, uint32_t thread, uint32_t row,
                         const struct slice *slice) {
    int64_t end = trace_slice_end(trace, thread, slice);
    if (trace_unset_slice(trace, slice))
        return units_since(slice->start, end);
    return nest_self(&trace_thread(trace, thread)->nest, row, slice->start, end);
}

bool trace_slice_parent(const struct trace *trace, uint32_t thread, uint32_t row, uint32_t i,
                        uint32_t *parent_row, uint32_t *parent) {
    const struct nest *nest = &trace_thread(trace, thread)->nest;
    if (trace_unset_times(trace) > 0 && trace_unset_slice(trace, lane_at(nest_row(nest, row), i)))
        return false;
    return nest_parent(nest, trace_slice_extra(trace), row, i, parent_row, parent);
}

struct open_ends {
    const struct trace *trace;
    uint32_t thread;
};

static int64_t open_end(const void *ctx, int64_t begun) {
    const struct open_ends *of = ctx;
    return trace_open_end(of->trace, of->thread, begun);
}

static uint32_t damaged(const void *ctx, const struct lane *lane, uint32_t i) {
    const struct open_ends *of = ctx;
    return trace_damaged_next(of->trace, lane, i);
}

/* Slices with a damaged time do not count (SEMANTICS 4.7). */
static struct nest_open_ends ends_of(const struct open_ends *of) {
    return (struct nest_open_ends){open_end, trace_damaged_slices(of->trace) > 0 ? damaged : NULL,
                                   of};
}

int64_t trace_thread_covered(const struct trace *trace, struct thread *thread, int64_t from,
                             int64_t to) {
    const struct open_ends of = {trace, thread->number};
    const struct nest_open_ends ends = ends_of(&of);
    return nest_busy(&thread->nest, &ends, from, to);
}

void trace_thread_busy(const struct trace *trace, struct thread *thread, const int64_t *edges,
                       int columns, double *share) {
    const struct open_ends of = {trace, thread->number};
    const struct nest_open_ends ends = ends_of(&of);
    if (trace_thread_scheduled(trace, thread))
        sched_life_columns(states(trace, thread->number), end_of(trace, thread->number), edges,
                           columns, share);
    else
        nest_busy_columns(&thread->nest, &ends, edges, columns, share);
}

/* "swapper", "swapper/3", "idle 3". */
static bool is_idle_name(struct str name) {
    static const char *const names[] = {"swapper", "idle"};
    for (size_t i = 0; i < sizeof names / sizeof *names; i++) {
        size_t n = strlen(names[i]);
        if (name.n < n || strncasecmp(name.s, names[i], n) != 0)
            continue;
        if (name.n == n || name.s[n] == '/' || name.s[n] == ' ')
            return true;
    }
    return false;
}

bool trace_thread_idle(const struct trace *trace, const struct thread *thread) {
    char buf[40];
    bool named;
    if (nest_rows(&thread->nest) > 0 || !trace_thread_scheduled(trace, thread))
        return false;
    const struct sched_thread *t = sched_thread(trace_sched(trace), thread->number);
    struct str name = trace_thread_name(trace, thread, buf, &named);
    return (t && sched_life_idled(t)) || trace_thread_none(trace, thread) ||
           (named && is_idle_name(name));
}

int64_t trace_thread_rank(const struct trace *trace, const struct thread *thread, int64_t busy) {
    if (trace_thread_idle(trace, thread) || trace_thread_derived(trace, thread))
        return 0;
    return units_sum(busy, (int64_t)(thread->events < INT64_MAX ? thread->events : INT64_MAX));
}

#define SINGLE_EVENTS 2 /* a begin and an end */

bool trace_thread_has_one(const struct trace *trace, const struct thread *thread) {
    return thread->events <= SINGLE_EVENTS && !nest_waiting(&thread->nest) &&
           trace_instant_count(thread) == 0 && !trace_thread_scheduled(trace, thread) &&
           !trace_thread_derived(trace, thread);
}

int64_t trace_thread_interest(const struct trace *trace, struct thread *thread) {
    int64_t from = trace_begin(trace), to = trace_end(trace);
    return trace_thread_rank(trace, thread,
                             trace_thread_scheduled(trace, thread)
                                 ? trace_thread_cpu_time(trace, thread, from, to)
                                 : trace_thread_covered(trace, thread, from, to));
}
