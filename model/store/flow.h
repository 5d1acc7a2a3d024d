/* flow.h - flows: points of one id, joined (SEMANTICS 7).
 *
 * Points are numbered in (time, file order); each knows its flow and where its arrow comes from.
 * The slice of a point is looked up on demand, because slices may still change (flow_slice.h).
 * Times: ns relative to the reader's base. Valid until the next trace_step(). / */
#ifndef FXTOP_FLOW_H
#define FXTOP_FLOW_H

#include "model/store/event_key.h"
#include "model/store/open_index.h"
#include "model/store/problem.h"
#include "model/store/time_log.h"
#include "model/store/world.h"

#define NO_POINT UINT32_MAX

enum flow_kind { FLOW_BEGIN, FLOW_STEP, FLOW_END, FLOW_KINDS };

struct flow_point {
    struct moment at;
    uint64_t id;
    uint32_t thread, category, name; /* numbers */
    uint32_t process; /* of the thread: place in the trace's processes, or NO_PROCESS */
    enum flow_kind kind;
    /* its flow goes on after its end, as Chrome's viewers have it (SEMANTICS 7.3) */
    bool stays_open;
};

struct flow_entry {   /* a point in the log, in 24 bytes */
    struct moment at; /* offset: event_key_mark() */
    uint64_t id;
};

struct flow_link {
    uint32_t flow; /* place in `v` */
    /* point from which an arrow comes: the begin or the last step; NO_POINT: none */
    uint32_t before;
    /* the next point of the flow, which need not be where an arrow leads; NO_POINT: none */
    uint32_t after;
};

struct flow_points { /* in (time, file order) */
    VEC(uint32_t) v;
};

struct flow {
    uint32_t first, last; /* points */
    unsigned points : 26; /* their number; FLOW_MOST: or more */
    unsigned begun : 1, ended : 1, unresolved : 1;
    unsigned counts : 1;      /* it ended at `now` and is still among the open ones */
    unsigned at_end : 1;      /* its last point is an end */
    unsigned ended_again : 1; /* it has an end after the one that ended it (SEMANTICS 7.3) */
};

#define FLOW_MOST ((1u << 26) - 1)

struct flow_ended {
    uint32_t flow, node;
};

/* The points as they came. */
struct flow_input {
    VEC(struct flow_entry) log;
    struct event_keys event_keys; /* of threads */
    VEC(uint32_t) processes;      /* of threads that are in the log */
    const struct worlds *worlds;  /* or NULL: all is of world 0 */
    /* of several worlds: flows with ids below FLOW_JOINED_FROM are joined, too; of this category
     * alone, if it is not NO_CATEGORY */
    bool joins_all;
    uint32_t joins_category;
};

#define FLOW_JOINED_FROM (UINT64_C(1) << 32)
#define NO_CATEGORY UINT32_MAX

/* Flows, derived from them. */
struct flow_derived {
    /* of the entries joined so far: as many as the first of the log */
    VEC(struct flow_link) points;
    VEC(struct flow_points) on_thread; /* by the thread's number, as far as there are any */
    struct time_log time_log;
    VEC(struct flow) v; /* by their first points */
    struct open_index open;
    VEC(struct flow_ended) ended_now; /* at `now`: they still count */
    struct open_index ended; /* those before, if `remembers`: some point was in no open flow */
    bool remembers;
    int64_t now;
    /* those after `points` of one time, whose order is not known before a later one comes */
    VEC(struct flow_point) waiting;
    unsigned top; /* the greatest kind of the points at `now`; FLOW_KINDS: a begin has waited */
    uint64_t begun, complete, unbegun, unresolved, ended_again;
    /* across worlds: flows, and those of them that go back in time (SEMANTICS 13.6) */
    uint64_t across, backwards;
};

struct flows {
    struct flow_input input;
    struct flow_derived state;
};

void flows_init(struct flows *flows);
void flows_free(struct flows *flows);
/* Adds points to the log and joins them while they are in order; the others wait for
 * flows_flush(). */
void flows_take(struct flows *flows, const struct flow_point *points, size_t n);
/* Joins waiting points. all: every point, whatever it costs. Until it returns flows are as before.
 * False: the task is cancelled, and flows_free() must follow. */
bool flows_flush(struct flows *flows, bool all, struct task *task);
/* Joins flows of several worlds, once all points are joined, and no more may come. */
void flow_worlds_join(struct flows *flows);
/* Adds each flow that is not complete and of this kind: PROBLEM_FLOW_... */
void flows_problems(const struct flows *flows, int kind, struct problems *problems);
uint64_t flows_bytes(const struct flows *flows);

/* Flows are numbered by their first points, points in (time, file order). */
static inline size_t flow_count(const struct flows *flows) {
    return flows->state.v.n;
}
static inline size_t flow_complete_count(const struct flows *flows) {
    return flows->state.complete;
}
static inline const struct flow *flows_at(const struct flows *flows, uint32_t i) {
    return &flows->state.v.v[i];
}
static inline size_t flow_point_count(const struct flows *flows) {
    return flows->state.points.n;
}
static inline const struct flow_link *flow_link(const struct flows *flows, uint32_t point) {
    return &flows->state.points.v[point];
}

/* The points on a thread: *n of them, in (time, file order). */
static inline const uint32_t *flow_points_on(const struct flows *flows, uint32_t thread,
                                             size_t *n) {
    *n = thread < flows->state.on_thread.n ? flows->state.on_thread.v[thread].v.n : 0;
    return *n > 0 ? flows->state.on_thread.v[thread].v.v : NULL;
}

struct flow_point flow_point(const struct flows *flows, uint32_t point);
static inline uint64_t flow_id(const struct flows *flows, uint32_t point) {
    return flows->input.log.v[point].id;
}
static inline int64_t flow_time(const struct flows *flows, uint32_t point) {
    return flows->input.log.v[point].at.time;
}
static inline uint64_t flow_offset(const struct flows *flows, uint32_t point) {
    return event_key_offset(flows->input.log.v[point].at.offset);
}
static inline uint32_t flow_thread(const struct flows *flows, uint32_t point) {
    return event_key_of(&flows->input.event_keys, flows->input.log.v[point].at.offset)->who;
}
static inline uint32_t flow_name(const struct flows *flows, uint32_t point) {
    return event_key_of(&flows->input.event_keys, flows->input.log.v[point].at.offset)->name;
}

static inline bool flow_complete(const struct flow *flow) {
    return flow->begun && flow->ended;
}

#endif
