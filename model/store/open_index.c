/* open_index.c - what is open, by several keys: hash tables of doubly linked chains, newest first.
 *
 * The table of key 0 is always there; that of another key is built when it is first asked for, from all that is
 * open. */
#include "model/store/open_index.h"

void open_index_init(struct open_index *set, unsigned keys, open_index_key *key) {
    *set = (struct open_index){.keys = keys, .key = key};
}

bool open_index_free(struct open_index *set, struct budget *budget) {
    if (!vec_free_step(&set->nodes, budget))
        return false;
    for (unsigned k = 0; k < set->keys; k++)
        free(set->buckets[k]);
    open_index_init(set, set->keys, set->key);
    return true;
}

static void link_in(struct open_index *set, uint32_t number, unsigned k) {
    struct open_node *node = open_index_node(set, number);
    uint32_t *head = &set->buckets[k][node->key[k] & set->mask];
    node->newer[k] = 0;
    node->older[k] = *head;
    if (*head)
        open_index_node(set, *head)->newer[k] = number;
    *head = number;
}

/* Links oldest first, so that the latest is in front again. */
static void grow(struct open_index *set) {
    uint32_t size = set->buckets[0] ? (set->mask + 1) * 2 : 256, old = set->buckets[0] ? set->mask + 1 : 0;
    set->mask = size - 1;
    for (unsigned k = 0; k < set->keys; k++) {
        uint32_t *before = set->buckets[k];
        if (k > 0 && before == NULL)
            continue;
        set->buckets[k] = err_calloc(size, sizeof *set->buckets[k]);
        for (uint32_t b = 0; b < old; b++) {
            uint32_t at = before[b];
            while (at && open_index_node(set, at)->older[k])
                at = open_index_node(set, at)->older[k];
            while (at) {
                uint32_t next = open_index_node(set, at)->newer[k];
                link_in(set, at, k);
                at = next;
            }
        }
        free(before);
    }
}

struct aged {
    uint64_t age;
    uint32_t number;
};

static int by_age(const void *a, const void *b) {
    const struct aged *x = a, *y = b;
    return x->age < y->age ? -1 : x->age > y->age;
}

/* Builds the table of key k, when it is first asked for: all open nodes, in the order in which they were added. */
static void find_by(struct open_index *set, unsigned k) {
    struct aged *open = err_malloc(set->n * sizeof *open);
    uint32_t n = 0;
    for (uint32_t b = 0; b <= set->mask; b++)
        for (uint32_t at = set->buckets[0][b]; at; at = open_index_node(set, at)->older[0])
            open[n++] = (struct aged){open_index_node(set, at)->age, at};
    qsort(open, n, sizeof *open, by_age);
    set->buckets[k] = err_calloc(set->mask + 1, sizeof *set->buckets[k]);
    for (uint32_t i = 0; i < n; i++) {
        struct open_node *node = open_index_node(set, open[i].number);
        node->key[k] = set->key(&node->who, k);
        link_in(set, open[i].number, k);
    }
    free(open);
}

uint32_t open_index_latest(struct open_index *set, unsigned k, uint64_t hash) {
    if (set->n == 0)
        return 0;
    if (set->buckets[k] == NULL)
        find_by(set, k);
    uint32_t at = set->buckets[k][hash & set->mask];
    while (at && open_index_node(set, at)->key[k] != hash)
        at = open_index_node(set, at)->older[k];
    return at;
}

uint32_t open_index_older(const struct open_index *set, unsigned k, uint32_t node) {
    uint64_t hash = open_index_node(set, node)->key[k];
    uint32_t at = open_index_node(set, node)->older[k];
    while (at && open_index_node(set, at)->key[k] != hash)
        at = open_index_node(set, at)->older[k];
    return at;
}

uint32_t open_index_add(struct open_index *set, const struct open_who *who, uint64_t key0, uint32_t before,
                        uint32_t value) {
    if (set->buckets[0] == NULL || set->n > set->mask / 2)
        grow(set);
    uint32_t number = set->free;
    struct open_node *node;
    if (number) {
        node = open_index_node(set, number);
        set->free = node->older[0];
    } else {
        vec_push(&set->nodes, (struct open_node){0});
        number = (uint32_t)set->nodes.n;
        node = open_index_node(set, number);
    }
    node->key[0] = key0;
    node->age = set->added++;
    node->who = *who;
    node->value = value;
    node->rank = before ? open_index_node(set, before)->rank + 1 : 1;
    link_in(set, number, 0);
    for (unsigned k = 1; k < set->keys; k++) {
        if (set->buckets[k] == NULL)
            continue;
        node->key[k] = set->key(who, k);
        link_in(set, number, k);
    }
    set->n++;
    return number;
}

void open_index_remove(struct open_index *set, uint32_t number) {
    struct open_node *node = open_index_node(set, number);
    /* the newest of its bucket is the latest of its key */
    uint32_t latest = node->newer[0] ? open_index_latest(set, 0, node->key[0]) : number;
    uint32_t rank = open_index_node(set, latest)->rank;
    for (unsigned k = 0; k < set->keys; k++) {
        if (set->buckets[k] == NULL)
            continue;
        if (node->older[k])
            open_index_node(set, node->older[k])->newer[k] = node->newer[k];
        if (node->newer[k])
            open_index_node(set, node->newer[k])->older[k] = node->older[k];
        else
            set->buckets[k][node->key[k] & set->mask] = node->older[k];
    }
    if (rank > 1)
        open_index_node(set, open_index_latest(set, 0, node->key[0]))->rank = rank - 1;
    node->older[0] = set->free;
    set->free = number;
    set->n--;
}
