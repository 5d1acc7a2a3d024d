/* track_ops.c - the array of the kinds of tracks. */
#include "ui/timeline/track_ops.h"

#define ADDRESS(name) &name,

const struct track_ops *const track_ops[] = {TRACK_OPS_LIST(ADDRESS) NULL};

size_t track_ops_count(void) {
    return sizeof track_ops / sizeof *track_ops - 1;
}

size_t track_ops_index(const struct track_ops *kind) {
    size_t i = 0;
    while (track_ops[i] != kind)
        i++;
    return i;
}

#define THREADS_LOOKED 64 /* of a process */

bool track_ops_lost_in_process(struct trace *trace, const struct track *track, const struct lost *lost) {
    if (track->process >= trace_process_count(trace))
        return true;
    size_t n;
    const uint32_t *threads = trace_process_threads(trace_process(trace, track->process), &n);
    for (size_t i = 0; i < n && i < THREADS_LOOKED; i++)
        if (trace_thread_written_by(trace_thread(trace, threads[i]), lost->provider))
            return true;
    return n > THREADS_LOOKED;
}

uint32_t track_ops_thread(const struct track *track) {
    return track && track->kind->thread ? track->of : NO_THREAD;
}
