/* legacy_events.h - events of Chrome's older phases within packets: the same records as of its
 * JSON. */
#ifndef FXTOP_LEGACY_EVENTS_H
#define FXTOP_LEGACY_EVENTS_H

#include "src/import/chrome/event_write.h"
#include "src/import/import_lines.h"
#include "src/import/perfetto/annotations.h"
#include "src/import/perfetto/event_tracks.h"

struct legacy_events {
    struct event_write out; /* its writer is that of the lines while it writes */
    struct json_scan scan;  /* only the place of an event */
    struct import_lines *lines;
    struct event_fields *fields;
};

void legacy_events_init(struct legacy_events *l, struct import_lines *lines,
                        struct event_fields *fields);
void legacy_events_free(struct legacy_events *l);
/* The source ends. */
void legacy_events_end(struct legacy_events *l);

struct legacy_event { /* without its LegacyEvent; `fields` has its arguments */
    uint64_t ts;
    struct event_track_owner owner;
    struct str category, name;
};
void legacy_events_take(struct legacy_events *l, const struct legacy_event *e, struct str message);

/* A slice of a thread begins that is no legacy event: a flow may lead to it. */
static inline void legacy_events_slice(struct legacy_events *l, const struct event_track_owner *o,
                                       uint64_t ts) {
    event_flows_slice(&l->out.flows, o->pid, o->tid, ts);
}

#endif
