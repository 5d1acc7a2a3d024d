/* address_map.c - keeps mappings in sorted lists of 1, 2, 4 ... of them. A new one is a list of its
 * own, and two lists of one size become one. */
#include "src/import/profiles/address_map.h"

#include "src/base/lower_bound.h"

/* `under`, but where `over` has pieces. Takes both. */
static struct address_pieces put_over(struct address_pieces under, struct address_pieces over) {
    struct address_pieces both = {0};
    size_t i = 0;
    for (size_t k = 0; k < over.v.n; k++) {
        const struct address_piece *top = &over.v.v[k];
        while (i < under.v.n && under.v.v[i].last < top->from)
            vec_push(&both.v, under.v.v[i++]);
        if (i < under.v.n && under.v.v[i].from < top->from) {
            struct address_piece before = under.v.v[i];
            before.last = top->from - 1;
            vec_push(&both.v, before);
        }
        while (i < under.v.n && under.v.v[i].last <= top->last)
            i++;
        if (i < under.v.n && under.v.v[i].from <= top->last)
            under.v.v[i].from = top->last + 1;
        vec_push(&both.v, *top);
    }
    while (i < under.v.n)
        vec_push(&both.v, under.v.v[i++]);
    vec_free(&under.v);
    vec_free(&over.v);
    return both;
}

void address_map_add(struct address_map *map, struct address_piece piece) {
    struct address_pieces carry = {0};
    int level = 0;
    vec_push(&carry.v, piece);
    for (; level < ADDRESS_MAP_LEVELS - 1 && map->levels[level].v.n > 0; level++) {
        carry = put_over(map->levels[level], carry);
        map->levels[level] = (struct address_pieces){0};
    }
    if (map->levels[level].v.n > 0)
        carry = put_over(map->levels[level], carry);
    map->levels[level] = carry;
}

const struct address_piece *address_map_find(const struct address_map *map, uint64_t address) {
    for (int level = 0; level < ADDRESS_MAP_LEVELS; level++) {
        const struct address_pieces *pieces = &map->levels[level];
        size_t i = 0;
        lower_bound(i, pieces->v.n, k, pieces->v.v[k].last < address);
        if (i < pieces->v.n && pieces->v.v[i].from <= address)
            return &pieces->v.v[i];
    }
    return NULL;
}

void address_map_free(struct address_map *map) {
    for (int level = 0; level < ADDRESS_MAP_LEVELS; level++)
        vec_free(&map->levels[level].v);
}
