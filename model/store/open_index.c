/* open_index.c - what is open, by several keys: hash tables of doubly linked chains, newest first.
 *
 * The table of key 0 is always there; that of another key is built from all that is open. A full
 * table doubles, but its buckets are split later, some at each addition, so that none takes long:
 * linear hashing. */
#include "model/store/open_index.h"

#define BUCKETS 256 /* at first, half of them in use */
#define SPLITS 4    /* buckets that an addition splits: 2 would do */
#define WALKED 8    /* nodes of a family that are looked at one by one */

void open_index_init(struct open_index *set, unsigned keys, open_index_key *key) {
    *set = (struct open_index){.keys = keys, .asked = 1, .key = key};
}

void open_index_free(struct open_index *set) {
    vec_free(&set->nodes);
    for (unsigned k = 0; k < set->keys; k++)
        free(set->buckets[k]);
    open_index_init(set, set->keys, set->key);
}

static inline void link_in(struct open_index *set, uint32_t number, unsigned k) {
    struct open_node *node = open_index_node(set, number);
    uint32_t *head = open_index_bucket(set, k, node->key[k]);
    node->newer[k] = 0;
    node->older[k] = *head;
    if (*head)
        open_index_node(set, *head)->newer[k] = number;
    *head = number;
}

/* Splits bucket b between the halves; both chains keep their order. */
static void split_bucket(struct open_index *set, unsigned k, uint32_t b) {
    uint32_t at = set->buckets[k][b], last[2] = {0, 0};
    uint32_t *heads[2] = {&set->buckets[k][b], &set->buckets[k][set->half + b]};
    *heads[0] = *heads[1] = 0;
    while (at) {
        struct open_node *node = open_index_node(set, at);
        bool upper = node->key[k] & set->half;
        uint32_t next = node->older[k];
        node->newer[k] = last[upper];
        node->older[k] = 0;
        *(last[upper] ? &open_index_node(set, last[upper])->older[k] : heads[upper]) = at;
        last[upper] = at;
        at = next;
    }
}

static void split(struct open_index *set, uint32_t most) {
    for (; set->split < set->half && most > 0; most--, set->split++)
        for (unsigned k = 0; k < set->keys; k++)
            if (set->buckets[k])
                split_bucket(set, k, set->split);
}

/* Doubles the buckets. All of them were split: half as many additions as there are buckets came
 * since. */
static void grow(struct open_index *set) {
    bool first = set->half == 0;
    split(set, UINT32_MAX);
    set->half = first ? BUCKETS / 2 : set->half * 2;
    set->split = 0;
    for (unsigned k = 0; k < set->keys; k++)
        if (first && k == 0)
            set->buckets[k] = err_calloc(BUCKETS, sizeof *set->buckets[k]);
        else if (set->buckets[k])
            set->buckets[k] =
                err_realloc(set->buckets[k], (size_t)set->half * 2, sizeof *set->buckets[k]);
}

struct aged {
    uint64_t age;
    uint32_t number;
};

static int by_age(const void *a, const void *b) {
    const struct aged *x = a, *y = b;
    return x->age < y->age ? -1 : x->age > y->age;
}

/* Buckets that hold chains: those of the upper half only as far as they are split. */
static bool is_used(const struct open_index *set, uint32_t b) {
    return b < set->half || b - set->half < set->split;
}

/* Builds the table of key k: all open nodes, in the order in which they were added. */
void open_index_find_by(struct open_index *set, unsigned k) {
    struct aged *open = err_malloc(((size_t)set->n + 1) * sizeof *open);
    uint32_t n = 0;
    for (uint32_t b = 0; is_used(set, b); b++)
        for (uint32_t at = set->buckets[0][b]; at; at = open_index_node(set, at)->older[0])
            open[n++] = (struct aged){open_index_node(set, at)->age, at};
    qsort(open, n, sizeof *open, by_age);
    set->asked = k < set->asked ? set->asked : k + 1;
    set->buckets[k] = err_calloc((size_t)set->half * 2, sizeof *set->buckets[k]);
    for (uint32_t i = 0; i < n; i++) {
        struct open_node *node = open_index_node(set, open[i].number);
        node->key[k] = set->key(&node->who, k);
        link_in(set, open[i].number, k);
    }
    free(open);
}

uint32_t open_index_older(const struct open_index *set, unsigned k, uint32_t node) {
    uint64_t hash = open_index_node(set, node)->key[k];
    uint32_t at = open_index_node(set, node)->older[k];
    while (at && open_index_node(set, at)->key[k] != hash)
        at = open_index_node(set, at)->older[k];
    return at;
}

static __attribute__((noinline)) void find_by_all(struct open_index *set) {
    for (unsigned k = 1; k < set->keys; k++)
        if (set->buckets[k] == NULL)
            open_index_find_by(set, k);
}

uint32_t open_index_walk(struct open_index *set, uint32_t from, const struct open_who *who,
                         unsigned k, open_index_alike *alike) {
    for (unsigned i = 0; i < WALKED && from != 0; i++) {
        from = open_index_older(set, 0, from);
        if (from == 0 || alike(&open_index_node(set, from)->who, who, k))
            return from;
    }
    return open_index_latest(set, k, set->key(who, k));
}

static inline bool has_space(const struct open_index *set) {
    return set->free != 0 && set->n < set->half && set->split == set->half &&
           set->n != OPEN_INDEX_FEW;
}

/* Makes the table larger, or a part of it, before the next node enters, which is then free. */
static __attribute__((noinline)) void make_space(struct open_index *set) {
    if (set->n >= set->half)
        grow(set);
    if (set->split < set->half)
        split(set, SPLITS);
    if (set->n == OPEN_INDEX_FEW)
        find_by_all(set);
    if (set->free != 0)
        return;
    vec_push(&set->nodes, (struct open_node){0});
    set->free = (uint32_t)set->nodes.n;
}

static inline void link_out(struct open_index *set, struct open_node *node, unsigned k) {
    uint32_t newer = node->newer[k], older = node->older[k];
    if (older)
        open_index_node(set, older)->newer[k] = newer;
    *(newer ? &open_index_node(set, newer)->older[k] : open_index_bucket(set, k, node->key[k])) =
        older;
}

static __attribute__((noinline)) uint32_t link_others(struct open_index *set, uint32_t number) {
    struct open_node *node = open_index_node(set, number);
    for (unsigned k = 1; k < set->asked; k++) {
        if (set->buckets[k] == NULL)
            continue;
        node->key[k] = set->key(&node->who, k);
        link_in(set, number, k);
    }
    return number;
}

/* Takes the first free node. */
static inline uint32_t take_node(struct open_index *set, const struct open_who *who, uint64_t key0,
                                 uint32_t rank, uint32_t value, uint32_t more) {
    uint32_t number = set->free;
    struct open_node *node = open_index_node(set, number);
    set->free = node->older[0];
    node->key[0] = key0;
    node->age = set->added++;
    node->who = *who;
    node->value = value;
    node->more = more;
    node->rank = rank;
    link_in(set, number, 0);
    set->n++;
    return set->asked > 1 ? link_others(set, number) : number;
}

static __attribute__((noinline)) uint32_t add_with_space(struct open_index *set,
                                                         const struct open_who *who, uint64_t key0,
                                                         uint32_t rank, uint32_t value,
                                                         uint32_t more) {
    make_space(set);
    return take_node(set, who, key0, rank, value, more);
}

uint32_t open_index_add(struct open_index *set, const struct open_who *who, uint64_t key0,
                        uint32_t rank, uint32_t value, uint32_t more) {
    if (!has_space(set))
        return add_with_space(set, who, key0, rank, value, more);
    return take_node(set, who, key0, rank, value, more);
}

void open_index_remove(struct open_index *set, uint32_t number) {
    struct open_node *node = open_index_node(set, number);
    link_out(set, node, 0);
    for (unsigned k = 1; k < set->asked; k++)
        if (set->buckets[k])
            link_out(set, node, k);
    node->older[0] = set->free;
    set->free = number;
    set->n--;
}
