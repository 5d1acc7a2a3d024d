/* address_map.h - the mappings of a process: which one has an address now.
 *
 * A mapping takes the place of earlier ones where they overlap. n of them take n log n steps,
 * however they overlap, and a look-up log² n. */
#ifndef FXTOP_ADDRESS_MAP_H
#define FXTOP_ADDRESS_MAP_H

#include <stdint.h>

#include "src/base/vec.h"

struct address_piece {
    uint64_t from, last; /* addresses, both included */
    uint64_t bias;       /* added to an address, modulo 2^64 */
    uint32_t what;       /* the owner's number */
};

struct address_pieces {
    VEC(struct address_piece) v; /* by address; none overlaps another one */
};

#define ADDRESS_MAP_LEVELS 32

/* Zero-initialised: empty. Level k has the pieces of 2^k mappings, or none; lower ones are
 * later. */
struct address_map {
    struct address_pieces levels[ADDRESS_MAP_LEVELS];
};

void address_map_add(struct address_map *map, struct address_piece piece);
/* NULL: no mapping has it. Valid until the next address_map_add(). */
const struct address_piece *address_map_find(const struct address_map *map, uint64_t address);
void address_map_free(struct address_map *map);

#endif
