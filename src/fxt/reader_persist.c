/* reader_persist.c - the reader's part of the index cache (cache.h).
 *
 * One function writes and reads: providers with the tables at all offsets, names, threads, clocks
 * and counts. State that only further reading would need is left out. A reader that was restored is
 * therefore at its end for good. */
#include "src/fxt/reader_internal.h"

static void walk_provider(struct provider *p, struct cache *c) {
    struct provider was = *p;
    cache_bytes(c, &was, sizeof was);
    if (cache_reads(c)) {
        free((char *)p->name.s);
        *p = was;
        p->strings = p->threads = (struct index_table){0};
        p->name.s = NULL;
    }
    p->name.s = cache_copy(c, (char *)p->name.s, p->name.n, 1);
    index_table_persist(&p->strings, c);
    index_table_persist(&p->threads, c);
}

static void walk_part(struct reader *r, struct reader_part *part, struct cache *c) {
    if (cache_reads(c))
        vec_free(&part->switches);
    cache_vec(c, &part->switches);
    cache_vec(c, &part->rates);
    cache_value(c, part->swap);
    cache_value(c, part->at);
    cache_value(c, part->has_init);
    cache_value(c, part->ends_by_name);
    cache_value(c, part->tps);
    cache_value(c, part->has_base_tick);
    cache_value(c, part->base_tick);
    cache_value(c, part->base_unix_ns);
    uint64_t times = reader_part_times(r, part), completes = reader_part_completes(r, part);
    cache_value(c, times);
    cache_value(c, completes);
    struct bulk bulk = part->bulk;
    cache_bytes(c, &bulk, sizeof bulk);
    if (cache_reads(c))
        memset(&bulk.cases, 0, sizeof bulk.cases);
    cache_vec(c, &bulk.cases);
    part->bulk = bulk;
    if (cache_reads(c)) {
        part->times = times;
        part->completes = completes;
        part->phase = PHASE_END;
        part->ended_whole = false;
    }
}

__attribute__((cold)) void reader_persist(struct reader *r, struct cache *c) {
    names_persist(r->names, c);
    threads_persist(r->threads, c);
    size_t providers = r->providers.n;
    cache_value(c, providers);
    for (size_t i = 0; i < providers; i++) {
        if (i == r->providers.n)
            vec_push(&r->providers, err_calloc(1, sizeof(struct provider)));
        walk_provider(r->providers.v[i], c);
    }
    for (size_t i = 0; i < r->parts.n; i++)
        walk_part(r, r->parts.v[i], c);
    cache_value(c, r->have_base);
    cache_value(c, r->exact);
    cache_value(c, r->wide);
    cache_value(c, r->common);
    cache_value(c, r->min_wide);
    cache_value(c, r->min);
    cache_value(c, r->have_min_wide);
    cache_value(c, r->kinds);
    if (cache_reads(c))
        reader_turn_begins(r); /* of the part that is current: all was before */
}
