/* index_table.c - a provider's string or thread table.
 *
 * Pages of 64 values have the current value of each index; reader_near.c repeats those that the
 * fast path uses. The log has every registration, as (index, offset) -> value. It grows in file
 * order. A look-up sorts it by index if it has more than 256 new entries; fewer are searched one by
 * one. A registration costs 16 bytes in the log and 4 in a page.
 */
#include "src/fxt/index_table.h"

#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

#include "src/base/err.h"
#include "src/base/lower_bound.h"
#include "src/io/cache.h"

static uint64_t def_key(uint32_t index, uint64_t offset) {
    return (uint64_t)index << 48 | (offset / 8 & ((UINT64_C(1) << 48) - 1));
}

void index_table_set(struct index_table *t, uint32_t index, uint64_t offset, uint32_t value) {
    uint32_t page = index >> 6;
    if (page >= t->npages) {
        t->pages = err_realloc(t->pages, page + 1, sizeof *t->pages);
        memset(t->pages + t->npages, 0, (page + 1 - t->npages) * sizeof *t->pages);
        t->npages = page + 1;
    }
    if (t->pages[page] == NULL)
        t->pages[page] = err_calloc(64, sizeof **t->pages);
    if (t->pages[page][index & 63] == value)
        return; /* registered again as it was: nothing new holds from here on */
    t->pages[page][index & 63] = value;
    if (t->n == t->cap) {
        t->cap += t->cap / 2 + 4;
        t->log = err_realloc(t->log, t->cap, sizeof *t->log);
    }
    t->log[t->n++] = (struct index_table_entry){def_key(index, offset), value, 0};
}

static int def_order(const void *a, const void *b) {
    uint64_t x = ((const struct index_table_entry *)a)->key,
             y = ((const struct index_table_entry *)b)->key;
    return x < y ? -1 : x > y;
}

uint32_t index_table_at(struct index_table *t, uint32_t index, uint64_t offset) {
    uint64_t key = def_key(index, offset);
    if (t->n - t->sorted > 256) /* the log grows in file order; a look-up wants it by index */
        index_table_sort(t);
    const struct index_table_entry *best = NULL;
    size_t at = 0;
    lower_bound(at, t->sorted, i, t->log[i].key < key);
    if (at > 0 && t->log[at - 1].key >> 48 == index)
        best = &t->log[at - 1];
    for (size_t i = t->sorted; i < t->n; i++)
        if (t->log[i].key >> 48 == index && t->log[i].key < key &&
            (best == NULL || best->key < t->log[i].key))
            best = &t->log[i];
    return best ? best->value : 0;
}

uint32_t index_table_span(struct index_table *t, uint32_t index, uint64_t offset,
                          struct index_table_span *span) {
    uint64_t key = def_key(index, offset), mask = (UINT64_C(1) << 48) - 1;
    size_t at = 0;
    index_table_sort(t);
    lower_bound(at, t->n, i, t->log[i].key < key);
    bool any = at > 0 && t->log[at - 1].key >> 48 == index,
         more = at < t->n && t->log[at].key >> 48 == index;
    span->from = any ? (t->log[at - 1].key & mask) * 8 : 0;
    span->to = more ? (t->log[at].key & mask) * 8 : UINT64_MAX;
    return any ? t->log[at - 1].value : 0;
}

void index_table_sort(struct index_table *t) {
    if (t->sorted == t->n)
        return;
    qsort(t->log, t->n, sizeof *t->log, def_order);
    t->sorted = t->n;
}

void index_table_free(struct index_table *t) {
    for (uint32_t i = 0; i < t->npages; i++)
        free(t->pages[i]);
    free(t->pages);
    if (t->cap > 0)
        free(t->log);
    *t = (struct index_table){0};
}

void index_table_persist(struct index_table *t, struct cache *cache) {
    cache_value(cache, t->n);
    cache_value(cache, t->sorted);
    t->log = cache_array(cache, t->log, t->n, sizeof *t->log);
    if (cache_reads(cache))
        t->cap = 0; /* borrowed */
}
