/* scopes.c - the instants of JSON by their scopes.
 *
 * The scope is in the record alone, so each record is decoded once. */
#include "sql/scopes.h"

#include <stdlib.h>

static const char kept;

int64_t scopes_first_track(struct source *source) {
    return source_counter_track(source,
                                (uint32_t)counter_series_count(trace_counters(source->trace)));
}

static void free_scopes(void *of) {
    struct scopes *s = of;
    for (size_t i = 0; i < s->threads.n; i++)
        for (int k = 0; k < SCOPES; k++)
            vec_free(&s->threads.v[i].v[k]);
    vec_free(&s->threads);
    vec_free(&s->tracks);
    free(s->of);
    free(s);
}

static enum scope scope_of(struct source *source, const struct instant *instant) {
    struct detail d;
    if (!detail_open(&d, source->trace, event_offset(instant->packed)) ||
        d.record.kind != FXT_K_INSTANT || !d.record.scope.present || d.record.scope.value >= SCOPES)
        return SCOPE_THREAD;
    return (enum scope)d.record.scope.value;
}

/* The track of a process, or of all; tracks[process + 1] is its place + 1. */
static int64_t track_of(struct source *source, struct scopes *s, uint32_t *tracks,
                        uint32_t process) {
    uint32_t *place = &tracks[process == NO_PROCESS ? 0 : process + 1];
    if (*place == 0) {
        vec_push(&s->tracks, process);
        *place = (uint32_t)s->tracks.n;
    }
    return scopes_first_track(source) + *place - 1;
}

static void add_thread(struct source *source, struct scopes *s, uint32_t *tracks, uint32_t number) {
    struct thread *thread = trace_thread(source->trace, number);
    struct scopes_thread own = {.track = {(int64_t)number + 1}};
    size_t n;
    const struct instant *v = trace_instants(thread, &n);
    for (size_t i = 0; i < n; i++) {
        enum scope scope = scope_of(source, &v[i]);
        vec_push(&own.v[scope], v[i]);
        if (i % 4096 == 0 && source_stopped(source))
            break;
    }
    if (own.v[SCOPE_PROCESS].n == 0 && own.v[SCOPE_GLOBAL].n == 0) {
        vec_free(&own.v[SCOPE_THREAD]);
        return;
    }
    if (own.v[SCOPE_PROCESS].n > 0)
        own.track[SCOPE_PROCESS] = track_of(source, s, tracks, thread->process);
    if (own.v[SCOPE_GLOBAL].n > 0)
        own.track[SCOPE_GLOBAL] = track_of(source, s, tracks, NO_PROCESS);
    vec_push(&s->threads, own);
    s->of[number] = (uint32_t)s->threads.n;
}

const struct scopes *scopes_of(struct source *source) {
    struct scopes *s = source_find(source, &kept);
    if (s)
        return s;
    s = err_calloc(1, sizeof *s);
    s->of = err_calloc((size_t)source->threads + 1, sizeof *s->of);
    uint32_t *tracks = err_calloc(trace_process_count(source->trace) + 1, sizeof *tracks);
    for (uint32_t k = 0; k < source->threads && source->json; k++)
        add_thread(source, s, tracks, k);
    free(tracks);
    source_keep(source, &kept, s, free_scopes);
    return s;
}

const struct scopes_thread *scopes_of_thread(struct source *source, uint32_t thread) {
    const struct scopes *s = scopes_of(source);
    return s->of[thread] > 0 ? &s->threads.v[s->of[thread] - 1] : NULL;
}
