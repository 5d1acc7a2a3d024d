/* index_table.h - a provider's string or thread table: index -> value, now and at any offset.
 *
 * Tables are those of fxt(5), "Tables": an index may be registered again, and records before that
 * keep the old value. The current value costs two loads, the value at an offset a binary search.
 * Each registration costs 16 bytes; one that changes nothing costs none. Memory is freed by
 * index_table_free(). */
#ifndef FXTOP_INDEX_TABLE_H
#define FXTOP_INDEX_TABLE_H

#include <stddef.h>
#include <stdint.h>

struct cache;

struct index_table {  /* index -> value, now and at an offset */
    uint32_t **pages; /* of 64 values each */
    uint32_t npages;
    struct index_table_entry {
        uint64_t key;
        uint32_t value, pad;
    } * log; /* key: index << 48 | offset / 8 */
    size_t n, cap, sorted;
};

/* 0: never registered */
static inline uint32_t index_table_get(const struct index_table *t, uint32_t index) {
    return index >> 6 < t->npages && t->pages[index >> 6] ? t->pages[index >> 6][index & 63] : 0;
}
/* value > 0 */
void index_table_set(struct index_table *t, uint32_t index, uint64_t offset, uint32_t value);
/* The last value that was set by a record before the offset; 0: none. Sorts the log when it has
 * grown. */
uint32_t index_table_at(struct index_table *t, uint32_t index, uint64_t offset);
/* index_table_at(), and the offsets for which it is the answer: after `from`, up to `to`. */
struct index_table_span {
    uint64_t from, to;
};
uint32_t index_table_span(struct index_table *t, uint32_t index, uint64_t offset,
                          struct index_table_span *span);
/* Sorts the whole log: until the next registration look-ups change nothing, and two threads may
 * ask. */
void index_table_sort(struct index_table *t);
void index_table_free(struct index_table *t);
/* Persists the values at offsets, not the current ones: a persisted trace does not read on. */
void index_table_persist(struct index_table *t, struct cache *cache);

#endif
