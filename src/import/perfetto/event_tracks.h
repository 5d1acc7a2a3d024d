/* event_tracks.h - the tracks of events: the thread or the process of each, or its name.
 *
 * A track may be described late, again, or never. Its parents say of which process it is. The
 * slices of a track that is no thread are asynchronous operations, whose id is the uuid. In FXT an
 * id belongs to a category, and ends of Perfetto have none: a track knows the categories of its
 * open operations. An end before any begin in the file waits for one. */
#ifndef FXTOP_EVENT_TRACKS_H
#define FXTOP_EVENT_TRACKS_H

#include "src/import/kernel/kernel_events.h"
#include "src/import/perfetto/texts.h"

#define EVENT_TRACKS_GLOBAL UINT64_C(1100000000) /* the process of tracks that are of none */

struct event_track_owner {
    bool thread; /* slices of the track are those of the thread */
    uint64_t pid, tid;
};

struct event_track_end { /* an end that waits for a begin */
    uint64_t ts;
    uint32_t name;
    struct event_track_owner owner;
    struct import_place at;
    struct writer_argument *args; /* owned, with `texts` */
    size_t n;
    char *texts;
};

struct event_track {
    uint64_t uuid, parent;
    bool described, has_process, has_thread, counts;
    bool incremental; /* of a counter: its values are differences */
    bool has_state;   /* a state is open */
    uint64_t pid, tid;
    int64_t unit; /* of a counter: the factor of its values */
    uint32_t name, series;
    struct event_track_owner owner; /* as of `resolved` */
    uint64_t resolved;              /* the count of descriptions then */
    uint32_t category;              /* of the latest begin, + 1; 0: none */
    VEC(uint32_t) open;             /* categories, as above */
    VEC(struct event_track_end) ends;
};

struct event_tracks {
    struct kernel_events *kernel;
    struct texts texts;
    VEC(struct event_track *) v;
    struct u64map by_uuid;
    struct event_track *last;
    uint64_t descriptions;
    bool has_global; /* the process of global tracks is named */
};

void event_tracks_init(struct event_tracks *t, struct kernel_events *kernel);
void event_tracks_free(struct event_tracks *t);
/* Writes the ends that wait. */
void event_tracks_end(struct event_tracks *t);

struct event_track *event_tracks_get(struct event_tracks *t, uint64_t uuid);
/* Reads a TrackDescriptor. Its track, or NULL. */
struct event_track *event_tracks_describe(struct event_tracks *t, struct str descriptor);
/* Reads a ProcessDescriptor or a ThreadDescriptor: names are written. False: a number lacks. */
bool event_tracks_process(struct event_tracks *t, struct str descriptor, uint64_t *pid);
bool event_tracks_thread(struct event_tracks *t, struct str descriptor, uint64_t *pid,
                         uint64_t *tid);
/* The thread or process of events on the track. */
struct event_track_owner event_tracks_owner(struct event_tracks *t, struct event_track *track);
struct writer_thread event_tracks_place(struct event_tracks *t,
                                        const struct event_track_owner *owner);
/* The name of a track, if it has one. */
struct str event_tracks_name(const struct event_tracks *t, const struct event_track *track);

/* ---- operations; the event has its time, thread, name and arguments ---- */

void event_tracks_begin(struct event_tracks *t, struct event_track *track, struct writer_event *e,
                        struct str category);
void event_tracks_finish(struct event_tracks *t, struct event_track *track, struct writer_event *e,
                         struct str name);

#endif
