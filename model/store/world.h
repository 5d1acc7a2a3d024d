/* world.h - the worlds of records: ids mean something in one of them (src/fxt/threads.h).
 *
 * A record belongs to the part of the file that has its offset (src/io/file.h): so to a world. */
#ifndef FXTOP_WORLD_H
#define FXTOP_WORLD_H

#include <stddef.h>
#include <stdint.h>

#include "src/base/hash.h"
#include "src/base/lower_bound.h"

/* The parts in the order of offsets; n = 0: all is of world 0. They change only while nothing works
 * on records. */
struct worlds {
    size_t n;
    uint32_t count; /* of worlds; they are numbered from 0 */
    uint32_t files;
    struct world_part {
        uint64_t begin;
        uint16_t world;
        uint16_t file; /* that the part is, or is derived from */
    } * parts;
};

/* The part of an offset; n > 0. */
static inline const struct world_part *world_part_at(const struct worlds *worlds, uint64_t offset) {
    size_t at = 1;
    lower_bound(at, worlds->n, i, worlds->parts[i].begin <= offset);
    return &worlds->parts[at - 1];
}

/* The file of an offset; n > 0. */
static inline uint16_t world_file_at(const struct worlds *worlds, uint64_t offset) {
    return world_part_at(worlds, offset)->file;
}

static inline uint16_t world_at(const struct worlds *worlds, uint64_t offset) {
    return worlds->n == 0 ? 0 : world_part_at(worlds, offset)->world;
}

/* An id as a key in one world. */
static inline uint64_t world_key(uint16_t world, uint64_t id) {
    return world == 0 ? id : hash_words(id, world);
}

#endif
