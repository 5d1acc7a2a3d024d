/* nsys_names.c - tables in memory, so that no row asks the database for another one. */
#include "src/import/tables/nsys_names.h"

#include <stdlib.h>

#include "src/base/hash.h"
#include "src/base/sort.h"

struct wanted {
    const struct nsys_table *table;
    const struct nsys_key *key;
};

static bool same(const void *ctx, uint32_t number) {
    const struct wanted *wanted = ctx;
    return memcmp(&wanted->table->entries.v[number].key, wanted->key, sizeof *wanted->key) == 0;
}

void nsys_table_set(struct nsys_table *t, const struct nsys_key *key, uint64_t value) {
    struct wanted wanted = {t, key};
    uint32_t i =
        map_intern(&t->map, hash_bytes(key, sizeof *key), same, &wanted, (uint32_t)t->entries.n);
    if (i == t->entries.n)
        vec_push(&t->entries, ((struct nsys_entry){*key, value}));
    t->entries.v[i].value = value;
}

uint64_t nsys_table_get(const struct nsys_table *t, const struct nsys_key *key) {
    struct wanted wanted = {t, key};
    uint32_t i = map_find(&t->map, hash_bytes(key, sizeof *key), same, &wanted);
    return i == MAP_NONE ? UINT64_MAX : t->entries.v[i].value;
}

void nsys_table_free(struct nsys_table *t) {
    map_free(&t->map);
    vec_free(&t->entries);
}

uint64_t nsys_texts_add(struct nsys_texts *texts, struct str text) {
    uintptr_t begin = (uintptr_t)texts->bytes.v, at = (uintptr_t)text.s;
    if (texts->bytes.n > 0 && at >= begin && at - begin < texts->bytes.n) { /* it is one of these */
        vec_push(&texts->v, ((struct nsys_text){at - begin, text.n}));
        return texts->v.n - 1;
    }
    vec_reserve(&texts->bytes, texts->bytes.n + text.n + 1);
    if (text.n > 0)
        memcpy(texts->bytes.v + texts->bytes.n, text.s, text.n);
    vec_push(&texts->v, ((struct nsys_text){texts->bytes.n, text.n}));
    texts->bytes.n += text.n;
    return texts->v.n - 1;
}

struct str nsys_texts_get(const struct nsys_texts *texts, uint64_t i) {
    return (struct str){texts->bytes.v + texts->v.v[i].at, texts->v.v[i].n};
}

void nsys_texts_free(struct nsys_texts *texts) {
    vec_free(&texts->bytes);
    vec_free(&texts->v);
}

static int by_launch(const void *a, const void *b) {
    const struct nsys_launch *x = a, *y = b;
    if (x->pid != y->pid)
        return x->pid < y->pid ? -1 : 1;
    if (x->correlation != y->correlation)
        return x->correlation < y->correlation ? -1 : 1;
    return x->ts < y->ts ? -1 : x->ts > y->ts;
}

void nsys_launches_add(struct nsys_launches *all, const struct nsys_launch *one) {
    vec_push(&all->v, *one);
    all->sorted = false;
}

const struct nsys_launch *nsys_launches_find(struct nsys_launches *all, uint64_t pid,
                                             int64_t correlation, uint64_t ts) {
    if (!all->sorted)
        sort_items(NULL, all->v.v, all->v.n, sizeof *all->v.v, by_launch);
    all->sorted = true;
    struct nsys_launch wanted = {.pid = pid, .ts = ts, .correlation = correlation};
    size_t low = 0, high = all->v.n;
    while (low < high) { /* the first one after it */
        size_t middle = low + (high - low) / 2;
        if (by_launch(&all->v.v[middle], &wanted) <= 0)
            low = middle + 1;
        else
            high = middle;
    }
    for (size_t i = low > 0 ? low - 1 : 0; i <= low && i < all->v.n; i++)
        if (all->v.v[i].pid == pid && all->v.v[i].correlation == correlation)
            return &all->v.v[i];
    return NULL;
}

void nsys_stacks_add(struct nsys_stacks *stacks, int64_t id, const uint32_t *frames, size_t n) {
    uint32_t at = STACK_TREE_NONE;
    while (n-- > 0) {
        uint64_t key = (uint64_t)(at + 1) << 32 | frames[n];
        uint64_t below = u64map_get(&stacks->below, key);
        if (below == UINT64_MAX) {
            below = stack_tree_add(&stacks->tree, at, (struct samples_frame){frames[n], 0});
            u64map_set(&stacks->below, key, below);
        }
        at = (uint32_t)below;
    }
    u64map_set(&stacks->stacks, u64map_key((uint64_t)id), at);
}

void nsys_stacks_take(struct nsys_stacks *stacks, int64_t id, struct samples_sample *sample) {
    uint64_t key = u64map_key((uint64_t)id), at = u64map_get(&stacks->stacks, key);
    if (at >= STACK_TREE_NONE)
        return;
    u64map_set(&stacks->stacks, key, STACK_TREE_NONE);
    stack_tree_get(&stacks->tree, (uint32_t)at, sample);
}

void nsys_stacks_free(struct nsys_stacks *stacks) {
    stack_tree_free(&stacks->tree);
    u64map_free(&stacks->below);
    u64map_free(&stacks->stacks);
}
