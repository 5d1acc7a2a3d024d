/* event_flow.h - flows that are other records in FXT: ends that belong to the next slice of their
 * thread (an "f" without "bp":"e"), and slices that several others follow ("bind_id").
 *
 * FXT binds the end of a flow to the slice around it. So such an end waits until it is known which
 * slice of its thread begins next, and is written at that begin. Events come in any order: it waits
 * until EVENT_FLOW_WAITS later ones do, and the EVENT_FLOW_SLICES slices before it in the source
 * count, too. */
#ifndef FXTOP_EVENT_FLOW_H
#define FXTOP_EVENT_FLOW_H

#include "src/fxt/writer.h"
#include "src/io/import.h"

#define EVENT_FLOW_WAITS 64
#define EVENT_FLOW_BOUND 64
#define EVENT_FLOW_SLICES 1024
#define EVENT_FLOW_WORDS 64 /* of a record that waits; a longer one does not */

struct event_flow_end { /* an end, and its place in the source */
    uint64_t pid, tid, ts;
    struct import_place at;
};

struct event_flow { /* one that waits: its record, whose second word is its time */
    struct event_flow_end end;
    uint64_t slice; /* begin of the earliest slice from its time on; UINT64_MAX: none yet */
    size_t n;
    uint64_t words[EVENT_FLOW_WORDS];
};

struct event_bind { /* an event with "bind_id" */
    uint64_t id, pid, tid;
    bool in, out;
};

struct event_bound { /* a slice that a flow leaves */
    uint64_t id, pid, tid, ts;
    struct writer_string category, name; /* by index */
    uint64_t ends;                       /* of the flow, so far */
    bool known;
};

struct event_flow_slice {
    uint64_t pid, tid, ts;
};

struct event_flows {
    struct event_flow_slice slices[EVENT_FLOW_SLICES]; /* the latest ones in the source */
    uint64_t nslices;                                  /* in all */
    struct event_flow v[EVENT_FLOW_WAITS];             /* a ring */
    size_t first, n;
    uint8_t threads[256];            /* by a hash of the thread: how many wait */
    VEC(struct import_mark) written; /* of records that waited, since the caller took them */
    struct event_bound bound[EVENT_FLOW_BOUND]; /* the latest ones */
    uint64_t nbound;                            /* in all */
};

/* Keeps the record of an end that was written last to `w`, `n` bytes, to write it later. */
void event_flows_wait(struct event_flows *flows, struct writer *w, size_t n,
                      const struct event_flow_end *end);
/* A slice of this thread begins. */
void event_flows_slice(struct event_flows *flows, uint64_t pid, uint64_t tid, uint64_t ts);
/* Writes the point of a flow that enters the slice `e`, leaves it, or both. The id is of all
 * categories, that of FXT of one: points take the category of the slice that the flow comes from. A
 * flow of FXT ends once: another slice that follows the same one gets a flow of its own from there,
 * with another id. */
void event_flows_bind(struct event_flows *flows, struct writer *w, const struct writer_event *e,
                      const struct event_bind *bind);
/* Writes all that wait. */
void event_flows_write(struct event_flows *flows, struct writer *w);
void event_flows_free(struct event_flows *flows);

#endif
