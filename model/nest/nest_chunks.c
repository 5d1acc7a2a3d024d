/* nest_chunks.c - chunks of 5, 11, 23, 47, 95 and then 191 entries each.
 *
 * The first have the sizes of tails of 4, 8, 16 and 32 slices, which take their place
 * (model/store/lane.c). So the C library mostly passes the memory on in the cache that it keeps for
 * each of our threads, without a lock. Later ones are larger, because each call of free() may wait
 * for the other thread.
 *
 * A chunk ends early if the next event is more than 2.1 s from its first one. Then the next chunk
 * has space for as many entries as this one got: a thread with an event now and then takes 48 bytes
 * for each, with the heap's own. */
#include "model/nest/nest_chunks.h"

#include <stdlib.h>

#include "src/base/err.h"

#define FIRST 5u
#define MOST 191u
#define BEFORE (UINT64_C(1) << 31) /* ns from a chunk's base to the time of its first event */

struct nest_chunk {
    struct nest_chunk *next;
    uint64_t base;
    uint32_t n; /* once it is not the last one */
    struct chunk_entry v[];
};

static uint32_t in_last(const struct nest_chunks *chunks) {
    return chunks->last ? (uint32_t)(chunks->next - chunks->last->v) : 0;
}

uint32_t nest_chunks_entries(const struct nest_chunks *chunks) {
    return chunks->n + in_last(chunks);
}

void nest_chunks_free(struct nest_chunks *chunks) {
    for (struct nest_chunk *chunk = chunks->first, *next; chunk; chunk = next) {
        next = chunk->next;
        free(chunk);
    }
    *chunks = (struct nest_chunks){0};
}

/* Begins a chunk of `least` to `most` entries with an event at `time`. far: it is far from the
 * events before it. */
static void begin(struct nest_chunks *chunks, int64_t time, bool far, uint32_t least,
                  uint32_t most) {
    uint32_t n = in_last(chunks), cap = n < MOST / 2 ? n * 2 + 1 : MOST;
    if (n == 0)
        cap = FIRST;
    else if (far)
        cap = n;
    if (cap < least)
        cap = least;
    else if (cap > most)
        cap = most;
    size_t bytes = sizeof(struct nest_chunk) + cap * sizeof(struct chunk_entry);
    struct nest_chunk *chunk = err_malloc(bytes);
    chunk->next = NULL;
    chunk->base = (uint64_t)time - BEFORE;
    if (chunks->last) {
        chunks->last->n = n;
        chunks->last->next = chunk;
    } else {
        chunks->first = chunk;
    }
    *chunks = (struct nest_chunks){chunk->v,
                                   chunk->v + cap,
                                   chunk->base,
                                   chunks->first,
                                   chunk,
                                   chunks->n + n,
                                   chunks->bytes + (uint32_t)bytes};
}

bool nest_chunks_add_far(struct nest_chunks *chunks, const struct duration *event) {
    uint64_t dur = (uint64_t)event->dur + CHUNK_DUR, time = (uint64_t)event->time - chunks->base;
    uint32_t entries = dur >> 32 != 0 ? 2 : 1,
             left = NEST_CHUNKS_ENTRIES - nest_chunks_entries(chunks);
    if (left < entries)
        return false;
    bool far = time >> 32 != 0;
    if (far || chunks->end - chunks->next < (ptrdiff_t)entries)
        begin(chunks, event->time, far, entries, left);
    if (entries == 1)
        return nest_chunks_add(chunks, event);
    *chunks->next++ =
        (struct chunk_entry){event->packed, (uint32_t)((uint64_t)event->time - chunks->base), 0};
    *chunks->next++ = (struct chunk_entry){(uint64_t)event->dur, 0, 0};
    return true;
}

uint32_t nest_chunks_take(struct nest_chunks *chunks, struct duration *to) {
    const struct duration *from = to;
    if (chunks->last)
        chunks->last->n = in_last(chunks);
    for (const struct nest_chunk *chunk = chunks->first; chunk; chunk = chunk->next) {
        __builtin_prefetch(chunk->next);
        for (const struct chunk_entry *e = chunk->v; e < chunk->v + chunk->n; e++, to++) {
            *to = (struct duration){(int64_t)(chunk->base + e->time), (int64_t)e->dur - CHUNK_DUR,
                                    e->packed};
            if (e->dur == 0)
                to->dur = (int64_t)(++e)->packed;
        }
    }
    nest_chunks_free(chunks);
    return (uint32_t)(to - from);
}
