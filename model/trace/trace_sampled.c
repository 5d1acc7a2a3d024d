/* trace_sampled.c - the threads whose slices are frames of a profiler: they have instants `sample`
 * of category `sampled` (doc/IMPORT.md).
 *
 * The importers put samples and measured slices on different threads. */
#include "model/trace/trace_internal.h"
#include "src/fxt/sampled.h"

bool trace_is_sampled(const struct trace *trace, uint64_t offset) {
    struct fxt_record record;
    struct provider *provider;
    char buf[24];
    return reader_record_at(trace->reader, offset, &record, &provider) &&
           str_eq(reader_string(trace->reader, provider, &record.category, offset, buf),
                  SAMPLED_CATEGORY);
}

static void look(struct trace *trace, struct thread *t, uint32_t name) {
    if (t->sampled_seen > t->instants.n)
        t->sampled_seen = 0;
    for (; t->sampled_seen < t->instants.n && !t->sampled; t->sampled_seen++) {
        uint64_t packed = t->instants.v[t->sampled_seen].packed;
        t->sampled = trace_packed_name(trace, packed) == name &&
                     trace_is_sampled(trace, event_offset(packed));
    }
}

static uint32_t name_of_samples(const struct trace *trace) {
    struct str text = SAMPLED_INSTANT;
    return names_find(reader_names(trace->reader), text.s, text.n);
}

bool trace_thread_sampled(struct trace *trace, struct thread *thread) {
    uint32_t name = name_of_samples(trace);
    if (name != UINT32_MAX)
        look(trace, thread, name);
    return thread->sampled;
}

void trace_find_sampled(struct trace *trace) {
    uint32_t name = name_of_samples(trace);
    for (size_t i = 0; name != UINT32_MAX && i < trace->threads.n; i++)
        look(trace, trace->threads.v[i], name);
}
