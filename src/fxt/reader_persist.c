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
    if (cache_reads(c))
        vec_free(&r->part->switches);
    cache_vec(c, &r->part->switches);
    cache_vec(c, &r->part->rates);
    cache_value(c, r->part->swap);
    cache_value(c, r->part->at);
    cache_value(c, r->have_base);
    cache_value(c, r->exact);
    cache_value(c, r->wide);
    cache_value(c, r->common);
    cache_value(c, r->min_wide);
    cache_value(c, r->min);
    cache_value(c, r->have_min_wide);
    cache_value(c, r->part->has_init);
    cache_value(c, r->part->ends_by_name);
    cache_value(c, r->part->tps);
    cache_value(c, r->part->has_base_tick);
    cache_value(c, r->part->base_tick);
    cache_value(c, r->part->base_unix_ns);
    cache_value(c, r->kinds);
    struct bulk bulk = r->part->bulk;
    cache_bytes(c, &bulk, sizeof bulk);
    if (cache_reads(c))
        memset(&bulk.cases, 0, sizeof bulk.cases);
    cache_vec(c, &bulk.cases);
    r->part->bulk = bulk;
    if (cache_reads(c)) {
        r->part->phase = PHASE_END;
        r->part->ended_whole = false;
    }
}
