#include "src/base/u64map.h"

#include "src/fxt/index_table.h"

static struct aside_entry *find(const struct aside *aside, uint64_t key) {
    for (size_t i = (size_t)map_hash2(key, 1) & aside->mask;; i = (i + 1) & aside->mask)
        if (aside->v[i].key == 0 || aside->v[i].key == key + 1)
            return &aside->v[i];
}

void aside_set(struct aside *aside, uint64_t key, uint64_t value) {
    if (aside->v == NULL || (aside->n + 1) * 4 > (aside->mask + 1) * 3) {
        struct aside old = *aside;
        size_t size = old.v ? (old.mask + 1) * 2 : 16;
        aside->v = err_calloc(size, sizeof *aside->v);
        aside->mask = size - 1;
        for (size_t i = 0; old.v && i <= old.mask; i++)
            if (old.v[i].key != 0)
                *find(aside, old.v[i].key - 1) = old.v[i];
        free(old.v);
    }
    struct aside_entry *e = find(aside, key);
    aside->n += e->key == 0;
    *e = (struct aside_entry){key + 1, value};
}

uint64_t aside_get(const struct aside *aside, uint64_t key) {
    const struct aside_entry *e = aside->v ? find(aside, key) : NULL;
    return e && e->key != 0 ? e->value : UINT64_MAX;
}

void aside_free(struct aside *aside) {
    free(aside->v);
    *aside = (struct aside){0};
}

size_t aside_bytes(const struct aside *aside) {
    return aside->v ? (aside->mask + 1) * sizeof *aside->v : 0;
}
