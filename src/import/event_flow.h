/* event_flow.h - ends of flows that belong to the next slice of their thread (an "f" without "bp":"e").
 *
 * FXT binds the end of a flow to the slice around it. So such an end waits until it is known which slice of its thread
 * begins next, and is written at that begin. Events come in any order: it waits until EVENT_FLOW_WAITS later ones do. */
#ifndef FXTOP_EVENT_FLOW_H
#define FXTOP_EVENT_FLOW_H

#include "src/fxt/writer.h"

#define EVENT_FLOW_WAITS 64

struct event_flow {
    uint64_t pid, tid, ts, id;
    struct writer_string category, name; /* by index */
    uint64_t slice;                      /* begin of the earliest slice since; UINT64_MAX: none yet */
};

struct event_flows {
    struct event_flow v[EVENT_FLOW_WAITS]; /* a ring */
    size_t first, n;
    uint8_t threads[256]; /* by a hash of the thread: how many wait */
};

void event_flows_wait(struct event_flows *flows, struct writer *w, const struct event_flow *end);
/* A slice of this thread begins. */
void event_flows_slice(struct event_flows *flows, uint64_t pid, uint64_t tid, uint64_t ts);
/* Writes all that wait. */
void event_flows_write(struct event_flows *flows, struct writer *w);

#endif
