/* nest_chunks.h - the events of one of many threads, packed in chunks, until there are enough to
 * nest.
 *
 * With thousands of threads fresh pages for events cost more than the events. So an event takes 16
 * bytes instead of 24, and a full chunk stays as it is: nothing is copied to a larger one. */
#ifndef FXTOP_NEST_CHUNKS_H
#define FXTOP_NEST_CHUNKS_H

#include <stdbool.h>
#include <stddef.h>

#include "src/fxt/event.h"

/* The most entries of a thread. With fewer, more complete events come after children that are
 * nested already, and these have to move. */
#define NEST_CHUNKS_ENTRIES 2048u

struct nest_chunk;

/* An event. A complete event of 4.3 s or more has two entries: dur is 0 in the first, the second
 * has its length. */
struct chunk_entry {
    uint64_t packed; /* of struct duration; in a second entry: ns */
    uint32_t time;   /* ns from the chunk's base */
    uint32_t dur;    /* ns + CHUNK_DUR, so that begins and ends fit */
};

#define CHUNK_DUR 4u

struct nest_chunks {
    struct chunk_entry *next, *end; /* free space of `last` */
    uint64_t base;                  /* of `last`, ns */
    struct nest_chunk *first, *last;
    uint32_t n;     /* entries of the chunks before `last` */
    uint32_t bytes; /* of all chunks */
};

void nest_chunks_free(struct nest_chunks *chunks);              /* with the events in them */
uint32_t nest_chunks_entries(const struct nest_chunks *chunks); /* at least one for each event */

/* True if the event was added. False: there is no space, its time is far from those of its chunk,
 * or it is long. */
static inline bool nest_chunks_add(struct nest_chunks *chunks, const struct duration *event) {
    uint64_t time = (uint64_t)event->time - chunks->base, dur = (uint64_t)event->dur + CHUNK_DUR;
    if (chunks->next == chunks->end || (time | dur) >> 32 != 0)
        return false;
    *chunks->next++ = (struct chunk_entry){event->packed, (uint32_t)time, (uint32_t)dur};
    return true;
}

/* Adds an event that nest_chunks_add() did not, if need be in a new chunk. False: there would be
 * more than NEST_CHUNKS_ENTRIES; into empty chunks any event goes. */
bool nest_chunks_add_far(struct nest_chunks *chunks, const struct duration *event);

/* Unpacks all events in their order, and frees the chunks. Returns the number of events: as many as
 * there are entries, or fewer. */
uint32_t nest_chunks_take(struct nest_chunks *chunks, struct duration *to);

#endif
