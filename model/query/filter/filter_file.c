/* filter_file.c - compares the names of files with a term. */
#include "model/query/filter/filter_file.h"

#include <string.h>

bool filter_file_asks(const struct filter_term *term, const struct trace *trace) {
    /* arg.trace is no literal */
    return trace_files(trace) > 1 && term->field == FILTER_ARGUMENT && term->literal &&
           strcmp(term->left, "trace") == 0;
}

static bool fits(const struct filter_term *term, const struct trace *trace, uint64_t offset) {
    const char *name = trace_file_name(trace, trace_record_file(trace, offset));
    return filter_term_fits(term, str_of(name));
}

bool filter_file_record(const struct filter_term *term, const struct trace *trace,
                        uint64_t offset) {
    return filter_term_result(term, fits(term, trace, offset), true);
}

/* Threads of one host may have events of several files. */
static bool thread_fits(const struct filter_term *term, const struct trace *trace,
                        const struct thread *thread) {
    struct reader *reader = trace_reader(trace);
    bool fit = fits(term, trace, thread->id.offset);
    for (size_t i = 0; i < thread->providers.n && !fit; i++)
        fit = fits(term, trace, reader_provider(reader, thread->providers.v[i])->offset);
    return fit;
}

bool filter_file_thread(const struct filter_term *term, const struct trace *trace,
                        const struct thread *thread) {
    return filter_term_result(term, thread_fits(term, trace, thread), true);
}

#define THREADS_LOOKED 64 /* of a process */

bool filter_file_process(const struct filter_term *term, const struct trace *trace,
                         const struct process *process) {
    bool fit = fits(term, trace, process->offset);
    size_t n;
    const uint32_t *threads = trace_process_threads(process, &n);
    for (size_t i = 0; i < n && i < THREADS_LOOKED && !fit; i++)
        fit = thread_fits(term, trace, trace_thread(trace, threads[i]));
    return filter_term_result(term, fit, true);
}

bool filter_file_world(const struct filter_term *term, const struct trace *trace, uint16_t world) {
    bool fit = false;
    for (size_t i = 0; i < trace_files(trace) && !fit; i++)
        fit = trace_file_world(trace, i) == world &&
              filter_term_fits(term, str_of(trace_file_name(trace, i)));
    return filter_term_result(term, fit, true);
}
