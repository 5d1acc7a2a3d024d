#include "model/openset.h"

#include <string.h>

void openset_init(struct openset *set, unsigned keys) {
    *set = (struct openset){.keys = keys};
}

void openset_free(struct openset *set) {
    for (unsigned k = 0; k < set->keys; k++)
        free(set->buckets[k]);
    vec_free(&set->nodes);
    openset_init(set, set->keys);
}

static void link_in(struct openset *set, uint32_t number, unsigned k) {
    struct open_node *node = openset_node(set, number);
    uint32_t *head = &set->buckets[k][node->key[k] & set->mask];
    node->newer[k] = 0;
    node->older[k] = *head;
    if (*head)
        openset_node(set, *head)->newer[k] = number;
    *head = number;
}

/* Oldest first, so that the latest stands in front again. */
static void grow(struct openset *set) {
    uint32_t size = set->buckets[0] ? (set->mask + 1) * 2 : 64, old = set->buckets[0] ? set->mask + 1 : 0;
    set->mask = size - 1;
    for (unsigned k = 0; k < set->keys; k++) {
        uint32_t *before = set->buckets[k];
        set->buckets[k] = err_calloc(size, sizeof *set->buckets[k]);
        for (uint32_t b = 0; b < old; b++) {
            uint32_t at = before[b];
            while (at && openset_node(set, at)->older[k])
                at = openset_node(set, at)->older[k];
            while (at) {
                uint32_t next = openset_node(set, at)->newer[k];
                link_in(set, at, k);
                at = next;
            }
        }
        free(before);
    }
}

uint32_t openset_latest(const struct openset *set, unsigned k, uint64_t hash) {
    uint32_t at = set->buckets[0] ? set->buckets[k][hash & set->mask] : 0;
    while (at && openset_node(set, at)->key[k] != hash)
        at = openset_node(set, at)->older[k];
    return at;
}

uint32_t openset_older(const struct openset *set, unsigned k, uint32_t node) {
    uint64_t hash = openset_node(set, node)->key[k];
    uint32_t at = openset_node(set, node)->older[k];
    while (at && openset_node(set, at)->key[k] != hash)
        at = openset_node(set, at)->older[k];
    return at;
}

uint32_t openset_add(struct openset *set, const uint64_t *keys, uint32_t value) {
    if (set->buckets[0] == NULL || set->n > set->mask)
        grow(set);
    uint32_t before = openset_latest(set, 0, keys[0]), number = set->free;
    struct open_node node = {.value = value, .rank = before ? openset_node(set, before)->rank + 1 : 1};
    memcpy(node.key, keys, set->keys * sizeof *keys);
    if (number) {
        set->free = openset_node(set, number)->older[0];
        *openset_node(set, number) = node;
    } else {
        vec_push(&set->nodes, node);
        number = (uint32_t)set->nodes.n;
    }
    for (unsigned k = 0; k < set->keys; k++)
        link_in(set, number, k);
    set->n++;
    return number;
}

void openset_remove(struct openset *set, uint32_t number) {
    struct open_node *node = openset_node(set, number);
    uint32_t latest = openset_latest(set, 0, node->key[0]), rank = openset_node(set, latest)->rank;
    for (unsigned k = 0; k < set->keys; k++) {
        if (node->older[k])
            openset_node(set, node->older[k])->newer[k] = node->newer[k];
        if (node->newer[k])
            openset_node(set, node->newer[k])->older[k] = node->older[k];
        else
            set->buckets[k][node->key[k] & set->mask] = node->older[k];
    }
    latest = openset_latest(set, 0, node->key[0]);
    if (latest)
        openset_node(set, latest)->rank = rank - 1;
    node->older[0] = set->free;
    set->free = number;
    set->n--;
}
