/* nest_chunks.h - the events of one of many threads, packed in chunks, until there are enough to nest.
 *
 * With thousands of threads fresh pages for events cost more than the events. So an event takes 16 bytes instead of 24,
 * and a full chunk stays as it is: nothing is copied to a larger one. */
#ifndef FXTOP_NEST_CHUNKS_H
#define FXTOP_NEST_CHUNKS_H

#include <stdbool.h>
#include <stddef.h>

#include "src/fxt/event.h"

/* At most. With fewer, more complete events come after children that are nested already, and these have to move. */
#define NEST_CHUNKS_EVENTS 2048u

struct nest_chunk;

struct chunk_event {
    uint64_t packed;    /* of struct duration */
    uint32_t time, dur; /* from the chunk's base; + 2, so that those of begins and ends fit */
};

struct nest_chunks {
    struct chunk_event *next, *end; /* free space of `last` */
    uint64_t base;                  /* of `last`, ns */
    struct nest_chunk *first, *last;
    uint32_t n; /* events of the chunks before `last` */
};

void nest_chunks_free(struct nest_chunks *chunks); /* with the events in them */
uint32_t nest_chunks_count(const struct nest_chunks *chunks);

/* True if the event was added. False: there is no space, its time is far from those of its chunk, or it is long. */
static inline bool nest_chunks_add(struct nest_chunks *chunks, const struct duration *event) {
    uint64_t time = (uint64_t)event->time - chunks->base, dur = (uint64_t)event->dur + 2;
    if (chunks->next == chunks->end || (time | dur) >> 32 != 0)
        return false;
    *chunks->next++ = (struct chunk_event){event->packed, (uint32_t)time, (uint32_t)dur};
    return true;
}

/* Adds an event that nest_chunks_add() did not, in a new chunk. False: it is too long, or there are
 * NEST_CHUNKS_EVENTS. */
bool nest_chunks_add_far(struct nest_chunks *chunks, const struct duration *event);

/* Unpacks all events, at most NEST_CHUNKS_EVENTS, in their order, and frees the chunks. Returns their number. */
uint32_t nest_chunks_take(struct nest_chunks *chunks, struct duration *to);

#endif
