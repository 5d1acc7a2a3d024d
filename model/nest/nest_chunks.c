/* nest_chunks.c - chunks of 5, 11, 23 and then 47 events each.
 *
 * Their sizes are those of the tails of 4, 8, 16 and 32 slices that take their place (model/store/lane.c). So the C
 * library mostly passes the memory on in the cache that it keeps for each of our threads, without a lock.
 *
 * A chunk ends early if the next event is more than 2.1 s from its first one. The next chunk has space for twice as
 * many events as it got, so a thread with an event now and then wastes little. */
#include "model/nest/nest_chunks.h"

#include <stdlib.h>

#include "src/base/err.h"

#define LEAST 5u
#define MOST 47u
#define BEFORE (UINT64_C(1) << 31) /* ns from a chunk's base to the time of its first event */

struct nest_chunk {
    struct nest_chunk *next;
    uint64_t base;
    uint32_t n; /* once it is not the last one */
    struct chunk_event v[];
};

static uint32_t in_last(const struct nest_chunks *chunks) {
    return chunks->last ? (uint32_t)(chunks->next - chunks->last->v) : 0;
}

uint32_t nest_chunks_count(const struct nest_chunks *chunks) {
    return chunks->n + in_last(chunks);
}

void nest_chunks_free(struct nest_chunks *chunks) {
    for (struct nest_chunk *chunk = chunks->first, *next; chunk; chunk = next) {
        next = chunk->next;
        free(chunk);
    }
    *chunks = (struct nest_chunks){0};
}

bool nest_chunks_add_far(struct nest_chunks *chunks, const struct duration *event) {
    uint32_t n = in_last(chunks), left = NEST_CHUNKS_EVENTS - nest_chunks_count(chunks);
    uint32_t cap = n < LEAST ? LEAST : n < MOST / 2 ? n * 2 + 1 : MOST;
    cap = cap < left ? cap : left;
    if (((uint64_t)event->dur + 2) >> 32 != 0 || left == 0)
        return false;
    struct nest_chunk *chunk = err_malloc(sizeof *chunk + cap * sizeof *chunk->v);
    chunk->next = NULL;
    chunk->base = (uint64_t)event->time - BEFORE;
    if (chunks->last) {
        chunks->last->n = n;
        chunks->last->next = chunk;
    } else {
        chunks->first = chunk;
    }
    *chunks = (struct nest_chunks){chunk->v, chunk->v + cap, chunk->base, chunks->first, chunk, chunks->n + n};
    return nest_chunks_add(chunks, event);
}

uint32_t nest_chunks_take(struct nest_chunks *chunks, struct duration *to) {
    const struct duration *from = to;
    if (chunks->last)
        chunks->last->n = in_last(chunks);
    for (const struct nest_chunk *chunk = chunks->first; chunk; chunk = chunk->next) {
        __builtin_prefetch(chunk->next);
        for (uint32_t i = 0; i < chunk->n; i++, to++) {
            const struct chunk_event *e = &chunk->v[i];
            *to = (struct duration){(int64_t)(chunk->base + e->time), (int64_t)e->dur - 2, e->packed};
        }
    }
    nest_chunks_free(chunks);
    return (uint32_t)(to - from);
}
