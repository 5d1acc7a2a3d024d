/* async.h - async operations: begins and ends of one (process, category, id), joined and packed
 * into rows (SEMANTICS 8).
 *
 * A group holds the operations of one process and one name. They are slices in lanes, each on a row
 * below the operation of its key that was open when it began. The side table has their depths.
 * Times: ns relative to the reader's base. Valid until the next trace_step(). */
#ifndef FXTOP_ASYNC_H
#define FXTOP_ASYNC_H

#include "model/store/event_key.h"
#include "model/store/lane.h"
#include "model/store/open_index.h"
#include "model/store/problem.h"
#include "model/store/slice.h"
#include "model/store/time_log.h"
#include "model/store/world.h"
#include "src/base/map.h"
#include "src/base/vec.h"

struct async_instant {
    struct moment at;
    uint32_t name, row;
};

#define ASYNC_LEVELS 4 /* 64^4 rows: more open operations than memory holds */

struct async_group {
    uint32_t process; /* place in the trace's processes, or NO_PROCESS */
    uint32_t name;    /* of the outermost operations */
    uint16_t world;   /* of one without a process; else 0 */
    uint32_t nlanes, cap;
    uint32_t apart_from, apart_to; /* rows of operations that are set apart */
    struct lane *lanes;
    uint64_t ops;
    /* a bit per row with an open operation, then a bit per full word */
    uint64_t *taken[ASYNC_LEVELS];
    VEC(struct async_instant) instants; /* in (time, file order) */
};

struct async_event {
    struct moment at;
    uint64_t id;
    uint32_t process, category, name, thread;
    uint8_t kind; /* FXT_K_ASYNC_BEGIN, _INSTANT, _END */
};

/* An event on its way to the log and to the operations. entry: its offset is an event_key_mark(),
 * of the kind less FXT_K_ASYNC_BEGIN; its value is the id. */
struct async_arrival {
    struct time_log_entry entry;
    struct event_key key; /* of the process */
};

/* The events. */
struct async_input {
    struct time_log_array log;
    struct event_keys event_keys; /* of processes */
};

/* Groups and rows, derived from them. */
struct async_derived {
    struct time_log time_log;
    const struct worlds *worlds; /* or NULL: all is of world 0 */
    bool again; /* this is a rebuild: the side table may hold depths of the time before */
    VEC(struct async_group *) groups; /* in the order of their first operations */
    struct map by_name;
    VEC(uint32_t) by_key;   /* number of an event's key -> group + 1, or 0 */
    struct open_index open; /* value: the group; more: the row */
    uint64_t unfinished;    /* operations that are open now */
    uint64_t apart;         /* operations that are set apart */
    bool judged;            /* wrong times were sought in all of this */
    struct problems problems;
};

struct async {
    struct async_input input;
    struct async_derived state;
};

/* The offset of an arrival's entry; kind: less FXT_K_ASYNC_BEGIN. */
static inline uint64_t async_mark(struct async_input *input, uint64_t offset, unsigned kind,
                                  struct event_key key) {
    return event_key_mark(&input->event_keys, offset, kind, key);
}

void async_init(struct async *async);
void async_free(struct async *async);
/* Takes the next events in file order, which are in the log of the input. It touches no input, so
 * that another thread may run it: it derives from them while they are in order. The others wait for
 * async_flush(). */
void async_take(struct async_derived *state, const struct slice_extra *extra,
                const struct async_arrival *events, size_t n);
/* Derives from waiting events. all: from every event, whatever it costs. Until it returns the
 * operations are as before, but for depths in the side table. False: the task is cancelled, and
 * async_free() must follow. */
bool async_flush(struct async *async, const struct slice_extra *extra, bool all, struct task *task);
/* Derives all operations again, once every event is derived. An operation with a wrong time goes to
 * a row of its own, among the last of its group. The others are as if it was not there. A late
 * event derives all as if nothing was known. False: the task is cancelled, and nothing has changed
 * but depths and ends in the side table. */
bool async_set_apart(struct async *async, const struct slice_extra *extra,
                     const struct slice_damage *damage, struct task *task);
/* Frees the log. Everything must be derived, and no event may follow. */
void async_release(struct async *async);
uint64_t async_bytes(const struct async *async);

/* Entries of the log. */
static inline size_t async_logged(const struct async *async) {
    return time_log_array_count(&async->input.log);
}

/* Groups are numbered in the order of their first operations; numbers do not change while the trace
 * grows. */
static inline size_t async_group_count(const struct async *async) {
    return async->state.groups.n;
}

static inline struct async_group *async_group(const struct async *async, size_t i) {
    return async->state.groups.v[i];
}

static inline uint32_t async_group_rows(const struct async_group *group) {
    return group->nlanes;
}

static inline struct lane *async_group_row(const struct async_group *group, uint32_t row) {
    return &group->lanes[row];
}

static inline size_t async_instant_count(const struct async_group *group) {
    return group->instants.n;
}

static inline const struct async_instant *async_instant(const struct async_group *group, size_t i) {
    return &group->instants.v[i];
}

/* The number of operations of its key that were open when it began. */
uint32_t async_depth(const struct slice_extra *extra, const struct slice *s);

#endif
