/* track_events.h - TrackEvent: slices, instants, counters and states of tracks, with their flows,
 * arguments and log messages. */
#ifndef FXTOP_TRACK_EVENTS_H
#define FXTOP_TRACK_EVENTS_H

#include "src/import/perfetto/legacy_events.h"
#include "src/import/perfetto/sequence.h"

/* BEGIN: of a new arrow, whatever came before; BRANCH: an end after which others may follow. */
enum track_events_point {
    TRACK_EVENTS_BEGIN,
    TRACK_EVENTS_STEP,
    TRACK_EVENTS_END,
    TRACK_EVENTS_BRANCH
};

/* A point of a flow. Sequences follow each other in a file, so the first and the last point of a
 * flow are known only once all are there. */
struct track_events_flow {
    uint64_t id, ts, pid, tid;
    struct import_place at;
    enum track_events_point kind;
};

struct track_events {
    struct event_tracks *tracks;
    struct import_lines *lines;
    struct annotations args;
    struct legacy_events legacy;
    VEC(struct track_events_flow) flows;
    VEC(char) category; /* of several names, or a text that is put together */
    VEC(char) text;
};

void track_events_init(struct track_events *t, struct event_tracks *tracks,
                       struct import_lines *lines);
void track_events_free(struct track_events *t);
void track_events_end(struct track_events *t);

/* Reads the fields of a TrackEvent that are its own time, in us by the clock MONOTONIC. */
struct track_events_time {
    bool has_difference, has_time;
    uint64_t difference, time;
};
struct track_events_time track_events_time(struct str message);

void track_events_take(struct track_events *t, struct sequence *s, uint64_t ts, struct str message);

#endif
