/* place.h - where on the timeline a row of a query is: the event, flow, track or time that its
 * columns name.
 *
 * The first of these decides: the id of a slice, a flow, slice_out or slice_in, a time with its
 * track, a time, a track. A column is known by the table that it comes from, or by its name. Times:
 * ns relative to the reader's base. */
#ifndef FXTOP_SQL_ANSWER_PLACE_H
#define FXTOP_SQL_ANSWER_PLACE_H

#include <stdbool.h>
#include <stdint.h>

enum query_place_kind {
    PLACE_NONE,
    PLACE_TIME,
    PLACE_SLICE,             /* of a thread: `of`, row, i */
    PLACE_INSTANT,           /* of a thread */
    PLACE_OPERATION,         /* of an async group: `of`, row, i */
    PLACE_OPERATION_INSTANT, /* of an async group */
    PLACE_FLOW,              /* i: one of its points */
    PLACE_THREAD,            /* `of` is the number of the track, from here on */
    PLACE_ASYNC,
    PLACE_COUNTER,
    PLACE_PROCESS,
};

struct query_place {
    uint8_t kind;  /* enum query_place_kind */
    bool has_time; /* of tracks: time is set */
    uint32_t of, row, i;
    int64_t time;
    uint64_t offset; /* of the event's record, in bytes */
};

#endif
