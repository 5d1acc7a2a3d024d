/* persist.c - one visitor of the whole model, the same for writing and reading: cache_value() and
 * its like do either.
 *
 * A new field of the model is one line here. The stamp of the program is part of the cache, so that
 * an index of another build is never read (src/io/cache.c). */
#include "model/trace/persist.h"

#include <stddef.h>

static void walk_threads(struct trace *trace, struct cache *c) {
    size_t n = trace->threads.n;
    cache_value(c, n);
    for (size_t i = 0; i < n; i++) {
        if (i == trace->threads.n) {
            struct thread *t = err_calloc(1, sizeof *t);
            nest_init(&t->nest);
            nest_buffer_init(&t->buffer, &t->nest, &trace->slice_extra);
            vec_push(&trace->threads, t);
        }
        struct thread *t = trace->threads.v[i];
        cache_value(c, t->events);
        cache_value(c, t->first);
        cache_value(c, t->last);
        cache_value(c, t->last_counter);
        cache_value(c, t->provider);
        cache_value(c, t->instants_order);
        cache_value(c, t->number);
        cache_value(c, t->process);
        cache_value(c, t->id);
        cache_vec(c, &t->instants);
        cache_vec(c, &t->providers);
        nest_walk(&t->nest, c);
    }
}

static void walk_processes(struct trace *trace, struct cache *c) {
    size_t n = trace->processes.n;
    cache_value(c, n);
    for (size_t i = 0; i < n; i++) {
        if (i == trace->processes.n)
            vec_push(&trace->processes, err_calloc(1, sizeof(struct process)));
        struct process *p = trace->processes.v[i];
        cache_value(c, p->pid);
        cache_value(c, p->offset);
        cache_value(c, p->world);
        cache_vec(c, &p->threads);
        if (cache_reads(c))
            trace_index_process(trace, (uint32_t)i);
    }
}

static void walk_map(struct u64map *map, struct cache *c) {
    u64map_finish(map);
    cache_value(c, map->mask);
    cache_value(c, map->n);
    map->v = cache_copy(c, map->v, map->n > 0 ? map->mask + 1 : 0, sizeof *map->v);
}

static void walk_objects(struct objects *objects, struct cache *c) {
    cache_vec(c, &objects->v);
    walk_map(&objects->last, c);
    cache_value(c, objects->sorted);
    cache_value(c, objects->labelled);
}

/* A text with its NUL, or NULL. When reading it is in the mapping. */
static const char *walk_text(const char *text, struct cache *c) {
    size_t n = text ? strlen(text) + 1 : 0;
    cache_value(c, n);
    const char *kept = cache_array(c, (char *)(uintptr_t)text, n, 1);
    return kept && kept[n - 1] == '\0' ? kept : NULL;
}

static void walk_problems(struct problems *problems, struct cache *c) {
    uint32_t files = problems->files ? problems->nfiles : 0;
    cache_value(c, files);
    if (cache_reads(c) && files > 0) {
        problems->nfiles = files;
        problems->files = err_calloc(files, sizeof *problems->files);
    }
    for (uint32_t i = 0; i < files; i++)
        walk_problems(&problems->files[i], c);
    for (int kind = 0; kind < PROBLEM_KINDS; kind++) {
        struct problem *p = &problems->kinds[kind];
        cache_value(c, p->count);
        cache_value(c, p->first_offset);
        cache_value(c, p->detail);
        cache_vec(c, &p->cases);
        p->why = walk_text(p->why, c);
        for (size_t i = 0; i < p->cases.n && p->cases.v; i++)
            p->cases.v[i].why = walk_text(p->cases.v[i].why, c);
    }
}

static void walk_async(struct async *async, struct cache *c) {
    size_t n = async->state.groups.n;
    cache_value(c, n);
    for (size_t i = 0; i < n; i++) {
        if (i == async->state.groups.n)
            vec_push(&async->state.groups, err_calloc(1, sizeof(struct async_group)));
        struct async_group *g = async->state.groups.v[i];
        cache_value(c, g->process);
        cache_value(c, g->name);
        cache_value(c, g->world);
        cache_value(c, g->ops);
        cache_value(c, g->nlanes);
        cache_value(c, g->apart_from);
        cache_value(c, g->apart_to);
        if (cache_reads(c)) {
            g->cap = g->nlanes;
            g->lanes = g->nlanes > 0 ? err_calloc(g->nlanes, sizeof *g->lanes) : NULL;
        }
        for (uint32_t row = 0; row < g->nlanes; row++) {
            lane_walk(&g->lanes[row], c);
            if (cache_reads(c) && g->lanes[row].end == INT64_MAX)
                async->state.unfinished += slice_open(lane_last(&g->lanes[row]));
        }
        cache_vec(c, &g->instants);
    }
    walk_problems(&async->state.problems, c);
}

/* Without the map that finds the number of a key: no event follows. */
static void walk_event_keys(struct event_keys *keys, struct cache *c) {
    cache_vec(c, &keys->v);
    walk_map(&keys->far, c);
}

static void walk_flows(struct flows *flows, struct cache *c) {
    cache_vec(c, &flows->input.log);
    walk_event_keys(&flows->input.event_keys, c);
    cache_vec(c, &flows->input.processes);
    cache_vec(c, &flows->state.points);
    size_t threads = flows->state.on_thread.n;
    cache_value(c, threads);
    for (size_t i = 0; i < threads; i++) {
        if (i == flows->state.on_thread.n)
            vec_push(&flows->state.on_thread, (struct flow_points){{0}});
        cache_vec(c, &flows->state.on_thread.v[i].v);
    }
    cache_value(c, flows->state.time_log);
    cache_vec(c, &flows->state.v);
    cache_value(c, flows->state.now);
    cache_value(c, flows->state.begun);
    cache_value(c, flows->state.complete);
    cache_value(c, flows->state.unbegun);
    cache_value(c, flows->state.unresolved);
    cache_value(c, flows->state.ended_again);
    cache_value(c, flows->state.across);
    cache_value(c, flows->state.backwards);
}

static void walk_counters(struct counters *counters, struct cache *c) {
    size_t n = counters->v.n;
    cache_value(c, n);
    cache_value(c, counters->samples);
    for (size_t i = 0; i < n; i++) {
        if (i == counters->v.n)
            vec_push(&counters->v, err_calloc(1, sizeof(struct counter_series)));
        struct counter_series *s = counters->v.v[i];
        cache_value(c, s->process);
        cache_value(c, s->name);
        cache_value(c, s->argument);
        cache_value(c, s->id);
        cache_value(c, s->world);
        cache_value(c, s->order);
        cache_vec(c, &s->samples);
        for (int level = 0; level < COUNTER_LEVELS; level++)
            cache_vec(c, &s->extents[level]);
    }
}

static void walk_sched(struct sched *sched, struct cache *c) {
    size_t n = sched->state.cpus.n;
    bool numbered = sched->state.by_number != NULL;
    cache_value(c, n);
    for (size_t i = 0; i < n; i++) {
        if (i == sched->state.cpus.n)
            vec_push(&sched->state.cpus, err_calloc(1, sizeof(struct sched_cpu)));
        struct sched_cpu *cpu = sched->state.cpus.v[i];
        cache_value(c, cpu->number);
        cache_value(c, cpu->world);
        cache_value(c, cpu->running);
        cache_value(c, cpu->thread);
        lane_walk(&cpu->lane, c);
        cache_vec(c, &cpu->flags);
        walk_map(&cpu->threads, c);
        cache_value(c, cpu->idles);
        lane_walk(&cpu->busy, c);
    }
    cache_value(c, numbered);
    struct sched_derived *d = &sched->state;
    size_t worlds = d->worlds ? d->worlds->count : 1;
    d->by_number = cache_copy(c, d->by_number, numbered ? worlds << 16 : 0, sizeof *d->by_number);
    n = sched->state.threads.n;
    cache_value(c, n);
    for (size_t i = 0; i < n; i++) {
        if (i == sched->state.threads.n)
            vec_push(&sched->state.threads, err_calloc(1, sizeof(struct sched_thread)));
        struct sched_thread *t = sched->state.threads.v[i];
        cache_value(c, t->thread);
        lane_walk(&t->lane, c);
        cache_vec(c, &t->states);
        cache_vec(c, &t->life.blocks);
        cache_value(c, t->life.sums);
        cache_vec(c, &t->life.deaths);
        cache_value(c, t->life.dying);
        cache_value(c, t->life.dying_word);
        cache_value(c, t->life.ran);
    }
    cache_vec(c, &sched->state.by_thread);
    cache_vec(c, &sched->input.stands_for);
    cache_value(c, sched->state.begins);
    walk_problems(&sched->state.problems, c);
}

static void walk_blobs(struct blobs *blobs, struct cache *c) {
    size_t n = blobs->v.n;
    cache_value(c, n);
    for (size_t i = 0; i < n; i++) {
        if (i == blobs->v.n)
            vec_push(&blobs->v, ((struct blob){0}));
        struct blob b = blobs->v.v[i];
        cache_bytes(c, &b, offsetof(struct blob, chunks));
        cache_vec(c, &b.chunks);
        blobs->v.v[i] = b;
    }
    walk_map(&blobs->events, c);
}

/* All damaged times are kept of an import, and the first cases of other faults. */
static void walk_faults(struct file *file, enum import_fault fault, struct cache *c) {
    VEC(struct import_case) cases = {0};
    struct import_case one = {0};
    uint64_t count = file_import_faults(file, fault, 0, &one);
    cache_value(c, count);
    uint64_t n = fault == IMPORT_DAMAGED || count < IMPORT_WHY ? count : IMPORT_WHY;
    for (uint64_t i = 0; i < n; i++) {
        if (!cache_reads(c))
            file_import_faults(file, fault, i, &one);
        const char *why = one.why;
        cache_value(c, one);
        one.why = (char *)(uintptr_t)walk_text(why, c);
        vec_push(&cases, one);
    }
    if (cache_reads(c))
        file_remember_faults(file, fault, count, cases.v, cases.n);
    vec_free(&cases);
}

static void walk_import(struct file *file, struct cache *c) {
    const char *name = walk_text(file_imported(file), c);
    if (cache_reads(c) && name)
        file_remember_import(file, name);
    for (int fault = 0; fault < IMPORT_FAULTS; fault++)
        walk_faults(file, (enum import_fault)fault, c);
}

static void walk_damaged(struct damaged *damaged, struct cache *c) {
    cache_vec(c, &damaged->v);
    cache_vec(c, &damaged->marked);
    cache_value(c, damaged->looked_at);
}

/* How each file of a set was put on the common clock, without its offset. */
static void walk_aligned(struct trace *trace, struct cache *c) {
    for (size_t i = 0; i < trace->aligned.n; i++) {
        struct align_part part = trace->aligned.v[i];
        part.move -= cache_reads(c) ? 0 : trace->offsets.v[i];
        cache_value(c, part);
        trace->aligned.v[i] = cache_reads(c) ? part : trace->aligned.v[i];
    }
}

/* Runs once per trace: small rather than fast. */
static __attribute__((cold)) void walk(struct cache *c, void *ctx) {
    struct trace *trace = ctx;
    if (!cache_reads(c))
        walk_aligned(trace, c); /* persist_find() has read it */
    reader_persist(trace->reader, c);
    walk_threads(trace, c);
    walk_processes(trace, c);
    walk_map(&trace->side_table, c);
    walk_map(&trace->tids, c);
    walk_objects(&trace->kernel, c);
    walk_objects(&trace->user, c);
    cache_vec(c, &trace->lost);
    cache_value(c, trace->timeless);
    walk_async(&trace->derived.async, c);
    walk_flows(&trace->derived.flows, c);
    walk_counters(&trace->derived.counters, c);
    walk_sched(&trace->derived.sched, c);
    walk_blobs(&trace->blobs, c);
    cache_vec(c, &trace->derived.lists.logs.v);
    cache_value(c, trace->derived.lists.logs.order);
    cache_vec(c, &trace->derived.lists.profile.v);
    cache_value(c, trace->derived.lists.profile.order);
    walk_problems(&trace->stream, c);
    cache_value(c, trace->events);
    cache_value(c, trace->end);
    for (size_t i = 0; i < trace_judged_count(trace); i++)
        walk_damaged(&trace_judged_of(trace, i)->damaged, c);
    cache_value(c, trace->judged.damaged.looked_at);
    if (trace->set == NULL)
        walk_import(trace->file, c);
}

bool persist_load(struct trace *trace, struct cache *cache) {
    walk(cache, trace);
    return cache_whole(cache);
}

/* Builds what the first frame would build otherwise: the index of counters, sorted instants. */
static void make_ready(struct trace *trace) {
    size_t n, least, most;
    for (size_t i = 0; i < trace->derived.counters.v.n; i++) {
        counter_samples(trace->derived.counters.v.v[i], &n);
        counter_extent(trace->derived.counters.v.v[i], 0, n, &least, &most);
    }
    for (size_t i = 0; i < trace->threads.n; i++)
        trace_instants(trace->threads.v[i], &n);
}

/* A number for how the files of a set are aligned, their offsets, hosts and joined flows; 0: there
 * is no set. Before the files are placed these are as the set has them. */
static uint64_t set_of(const struct trace *trace) {
    const struct trace_set *set = trace->set;
    bool placed = trace->offsets.n > 0;
    uint64_t hash = 1;
    if (set == NULL)
        return 0;
    hash = cache_mix(hash, set->how);
    hash = cache_mix(hash, set->reference);
    for (size_t i = 0; i < set->n; i++) {
        int64_t offset = placed ? trace->offsets.v[i] : set->offsets[i];
        hash = cache_mix(hash, (uint64_t)offset);
        hash = cache_mix(hash, placed ? trace->worlds.parts[i].world : set->worlds[i]);
    }
    hash = cache_mix(hash, set->joins_all);
    for (const char *p = set->joins_category; p && *p; p++)
        hash = cache_mix(hash, (unsigned char)*p);
    return hash;
}

struct cache *persist_find(struct trace *trace) {
    struct cache *c = cache_find(trace->file, set_of(trace));
    if (c)
        walk_aligned(trace, c);
    return c;
}

pid_t persist_save(struct trace *trace) {
    make_ready(trace);
    return cache_spawn(trace->file, set_of(trace), walk, trace);
}

bool persist_write(struct trace *trace) {
    make_ready(trace);
    return cache_write(trace->file, set_of(trace), walk, trace);
}
