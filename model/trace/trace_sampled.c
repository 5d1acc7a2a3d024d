/* trace_sampled.c - the threads whose slices are frames of a profiler: they have instants `sample`
 * or `blocked` of category `sampled` (doc/IMPORT.md).
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

struct sampled_names { /* of the instants; UINT32_MAX: none has it */
    uint32_t sample, blocked;
};

static void look(struct trace *trace, struct thread *t, struct sampled_names names) {
    if (t->sampled_seen > t->instants.n)
        t->sampled_seen = 0;
    for (; t->sampled_seen < t->instants.n && !t->sampled; t->sampled_seen++) {
        uint64_t packed = t->instants.v[t->sampled_seen].packed;
        uint32_t name = trace_packed_name(trace, packed);
        t->sampled = (name == names.sample || name == names.blocked) &&
                     trace_is_sampled(trace, event_offset(packed));
    }
}

static uint32_t find(const struct trace *trace, struct str text) {
    return names_find(reader_names(trace->reader), text.s, text.n);
}

/* False: there are none. */
static bool names_of_samples(const struct trace *trace, struct sampled_names *names) {
    *names = (struct sampled_names){find(trace, SAMPLED_INSTANT), find(trace, SAMPLED_BLOCKED)};
    return names->sample != UINT32_MAX || names->blocked != UINT32_MAX;
}

bool trace_thread_sampled(struct trace *trace, struct thread *thread) {
    struct sampled_names names;
    if (names_of_samples(trace, &names))
        look(trace, thread, names);
    return thread->sampled;
}

void trace_find_sampled(struct trace *trace) {
    struct sampled_names names;
    bool any = names_of_samples(trace, &names);
    for (size_t i = 0; any && i < trace->threads.n; i++)
        look(trace, trace->threads.v[i], names);
}

uint32_t trace_sampled_thread(const struct trace *trace, const struct thread *thread) {
    uint32_t i = objects_find_koid(&trace->kernel, thread->id.world, thread->id.tid, OBJECT_THREAD);
    const struct object *o = i == UINT32_MAX ? NULL : &trace->kernel.v.v[i];
    if (!thread->sampled || o == NULL || !o->has_thread || !o->has_process)
        return thread->number;
    struct thread_id id = {
        .pid = o->process, .tid = o->thread, .form = THREAD_PAIR, .world = o->world};
    uint32_t of = threads_find(reader_threads(trace->reader), &id);
    return of == NO_THREAD ? thread->number : of;
}
