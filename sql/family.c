/* family.c - rows of the table slice and their relations.
 *
 * Lanes: for each thread its rows of slices and then its instants; for each row of async operations
 * the operations and then the instants on them. Instants of a group are sorted by row once, 4 bytes
 * each. A parent on a thread is found by nest_parent(), that of an operation in operations.h.
 * Children are the rows of a time window whose parent is the slice; on a thread without displaced
 * slices only the next row has any.
 *
 * Many such questions are answered from lists of all children, 12 bytes a row. Many for depths are
 * answered from all depths, 4 bytes a row. Many for ancestors are answered from an order in which
 * the descendants of a row follow it, 8 bytes a row and the lists. */
#include "sql/family.h"

#include "model/trace/trace_life.h"

#include <stdlib.h>

#include "sql/operations.h"
#include "sql/scopes.h"
#include "src/base/lower_bound.h"

static const char key;

/* ---- lanes ---- */

static void add_thread(struct source *source, struct rows *rows, uint32_t number) {
    struct thread *thread = trace_thread(source->trace, number);
    int64_t track = (int64_t)number + 1;
    size_t n;
    for (uint32_t row = 0; row < nest_rows(&thread->nest); row++) {
        const struct lane *lane = nest_row(&thread->nest, row);
        rows_add(rows, &(struct rows_lane){.key = track,
                                           .of = lane,
                                           .n = lane->n,
                                           .owner = number,
                                           .row = row,
                                           .kind = ROWS_LANE});
    }
    const struct scopes_thread *scoped = scopes_of_thread(source, number);
    for (int k = 0; scoped && k < SCOPES; k++)
        rows_add(rows, &(struct rows_lane){.key = scoped->track[k],
                                           .of = scoped->v[k].v,
                                           .n = (uint32_t)scoped->v[k].n,
                                           .owner = number,
                                           .row = k == SCOPE_THREAD ? 0 : number,
                                           .kind = ROWS_INSTANTS});
    if (scoped)
        return;
    const struct instant *v = trace_instants(thread, &n);
    rows_add(rows,
             &(struct rows_lane){
                 .key = track, .of = v, .n = (uint32_t)n, .owner = number, .kind = ROWS_INSTANTS});
}

/* The instants of a group by row: a counting sort. starts[row] is the place after those of the row
 * afterwards. */
static void order_instants(const struct async_group *group, uint32_t *order, uint32_t *starts) {
    size_t n = async_instant_count(group);
    for (size_t i = 0; i < n; i++)
        starts[async_instant(group, i)->row + 1]++;
    for (uint32_t row = 0; row < async_group_rows(group) || row == 0; row++)
        starts[row + 1] += starts[row];
    for (size_t i = 0; i < n; i++)
        order[starts[async_instant(group, i)->row]++] = (uint32_t)i;
}

static void add_group(struct source *source, struct rows *rows, uint32_t number, uint32_t *order) {
    const struct async_group *group = async_group(trace_async(source->trace), number);
    uint32_t nrows = async_group_rows(group), before = 0,
             first = source->first_operations.v[number];
    uint32_t *starts = err_calloc((size_t)nrows + 3, sizeof *starts);
    order_instants(group, order, starts);
    for (uint32_t row = 0; row < nrows || row == 0; row++) {
        int64_t track = source_operations_track(source, first + row);
        const struct lane *lane = row < nrows ? async_group_row(group, row) : NULL;
        rows_add(rows, &(struct rows_lane){.key = track,
                                           .of = lane,
                                           .n = lane ? lane->n : 0,
                                           .owner = number,
                                           .row = row,
                                           .kind = ROWS_LANE,
                                           .operations = true});
        rows_add(rows, &(struct rows_lane){.key = track,
                                           .of = group,
                                           .order = order + before,
                                           .n = starts[row] - before,
                                           .owner = number,
                                           .row = row,
                                           .kind = ROWS_ASYNC_INSTANTS});
        before = starts[row];
    }
    free(starts);
}

static void children(struct rows *rows, int64_t id, struct rows_list *list);

/* Large blobs with a time are among the instants of their thread, and in a table of their own. */
static bool is_blob(struct source *source, const struct rows_lane *lane, uint32_t i) {
    return lane->kind == ROWS_INSTANTS &&
           blob_event(trace_blobs(source->trace),
                      event_offset(((const struct instant *)lane->of)[i].packed)) != NULL;
}

static bool any_blob(const struct blobs *blobs) {
    for (size_t i = 0; i < blob_count(blobs); i++)
        if (blob_at(blobs, i)->is_event)
            return true;
    return false;
}

struct rows *family_rows(struct source *source) {
    struct rows *rows = source_find(source, &key);
    const struct async *async = trace_async(source->trace);
    size_t instants = 0, at = 0;
    if (rows)
        return rows;
    rows = rows_new(source, 0);
    for (uint32_t k = 0; k < source->threads; k++)
        add_thread(source, rows, k);
    for (size_t k = 0; k < async_group_count(async); k++)
        instants += async_instant_count(async_group(async, k));
    rows->order_storage = err_malloc((instants + 1) * sizeof *rows->order_storage);
    for (size_t k = 0; k < async_group_count(async); k++) {
        add_group(source, rows, (uint32_t)k, rows->order_storage + at);
        at += async_instant_count(async_group(async, k));
    }
    rows->timed = rows->named = true;
    rows->depth = family_depth;
    rows->skip = any_blob(trace_blobs(source->trace)) ? is_blob : NULL;
    rows->children = children;
    rows_done(rows);
    if (rows->n > UINT32_MAX)
        rows->children = NULL;
    source_keep(source, &key, rows, rows_free);
    return rows;
}

/* ---- parents ---- */

static int64_t id_in(const struct rows_lane *lane, uint32_t i) {
    return lane && i < lane->n ? (int64_t)(lane->base + i) : -1;
}

static int64_t slice_id(struct source *source, uint32_t thread, uint32_t row, uint32_t i) {
    return id_in(rows_lane_of(family_rows(source), (int64_t)thread + 1, ROWS_LANE, row), i);
}

int64_t family_point_slice(struct source *source, const struct trace_point *point) {
    uint32_t row, i;
    return trace_point_slice(source->trace, point, &row, &i)
               ? slice_id(source, point->thread, row, i)
               : -1;
}

static int64_t track_of(const struct source *source, uint32_t group, uint32_t row) {
    return source_operations_track(source, source->first_operations.v[group] + row);
}

/* The operation of a row that is open at a time, or ends then, and has the key; -1: none. */
static int64_t operation_at(struct source *source, uint32_t group, uint32_t row, int64_t time,
                            const struct operations_key *k) {
    const struct lane *lane = async_group_row(async_group(trace_async(source->trace), group), row);
    uint32_t i = lane_before(lane, time);
    if (i == UINT32_MAX || slice_end(lane_at(lane, i)) < time)
        return -1;
    struct operations_key own = operations_key_at(source, slice_offset(lane_at(lane, i)));
    if (!own.known || own.id != k->id || own.category != k->category)
        return -1;
    return id_in(rows_lane_of(family_rows(source), track_of(source, group, row), ROWS_LANE, row),
                 i);
}

int64_t family_parent(struct source *source, const struct rows_lane *lane, uint32_t i) {
    const struct async_instant *instant;
    const struct instant *at;
    struct operations_key k;
    uint32_t row, parent;
    const struct nest *nest;
    switch ((enum rows_kind)lane->kind) {
    case ROWS_LANE:
        if (lane->operations)
            return operations_parent(family_rows(source), lane, i);
        nest = &trace_thread(source->trace, lane->owner)->nest;
        if (!nest_parent(nest, trace_slice_extra(source->trace), lane->row, i, &row, &parent))
            return -1;
        return slice_id(source, lane->owner, row, parent);
    case ROWS_INSTANTS:
        if (lane->key != (int64_t)lane->owner + 1) /* of a process, or of all */
            return -1;
        at = &((const struct instant *)lane->of)[i];
        return family_point_slice(
            source,
            &(struct trace_point){lane->owner, {at->time, event_offset(at->packed)}, false});
    case ROWS_ASYNC_INSTANTS:
        instant = async_instant(lane->of, lane->order[i]);
        k = operations_key_at(source, instant->at.offset);
        if (!k.known || lane->row >= async_group_rows(lane->of))
            return -1;
        return operation_at(source, lane->owner, lane->row, instant->at.time, &k);
    default:
        return -1;
    }
}

/* ---- all parents at once ---- */

static const char known_key;

/* Questions for children look at rows that are none, and those for depths and ancestors walk over
 * ancestors. Once they have looked at more rows than there are, a pass over all rows pays. */
struct known {
    uint64_t looked, walked, climbed; /* rows so far */
    /* by row number: its first child, the next one of its parent, its parent; NULL: not made */
    uint32_t *first, *next, *parent;
    uint32_t *depth; /* NULL: not made */
    /* by row number: the place in the order, and how many rows from it on are its
     * descendants or itself; NULL: not made */
    uint32_t *place, *family;
};

#define NONE UINT32_MAX

static void free_known(void *of) {
    struct known *known = of;
    free(known->first);
    free(known->next);
    free(known->parent);
    free(known->depth);
    free(known->place);
    free(known->family);
    free(known);
}

static struct known *known_of(struct source *source) {
    struct known *known = source_find(source, &known_key);
    if (known == NULL) {
        known = err_calloc(1, sizeof *known);
        source_keep(source, &known_key, known, free_known);
    }
    return known;
}

static bool pays(const struct rows *rows, uint64_t looked) {
    return looked / 4 > rows->n + 1000 && rows->n < NONE;
}

/* From the last row to the first, so that children are in the order of their numbers. */
static void know_children(struct rows *rows, struct known *known) {
    size_t bytes = (rows->n + 1) * sizeof(uint32_t);
    uint32_t *first = err_malloc(bytes), *next = err_malloc(bytes), *parents = err_malloc(bytes);
    memset(first, 0xff, bytes);
    for (size_t k = rows->v.n; k-- > 0;) {
        const struct rows_lane *lane = &rows->v.v[k];
        for (uint32_t i = lane->n; i-- > 0 && !source_stopped(rows->source);) {
            int64_t parent = family_parent(rows->source, lane, i);
            uint32_t own = (uint32_t)(lane->base - rows->first + i);
            parents[own] = parent < 0 ? NONE : (uint32_t)((uint64_t)parent - rows->first);
            if (parent < 0)
                continue;
            next[own] = first[parents[own]];
            first[parents[own]] = own;
        }
    }
    if (source_stopped(rows->source)) {
        free(first);
        free(next);
        free(parents);
        return;
    }
    known->first = first;
    known->next = next;
    known->parent = parents;
}

/* A slice of a thread is on a row below its parent, so the parent's depth is known before. */
static void know_depths(struct rows *rows, struct known *known) {
    struct source *source = rows->source;
    uint32_t *depth = err_malloc((rows->n + 1) * sizeof *depth);
    for (size_t k = 0; k < rows->v.n; k++) {
        const struct rows_lane *lane = &rows->v.v[k];
        for (uint32_t i = 0; i < lane->n && lane->kind == ROWS_LANE && !lane->operations; i++) {
            int64_t parent = source_stopped(source) ? -1 : family_parent(source, lane, i);
            depth[lane->base - rows->first + i] =
                parent < 0 ? 0 : depth[(uint64_t)parent - rows->first] + 1;
        }
    }
    if (source_stopped(source))
        free(depth);
    else
        known->depth = depth;
}

/* Walks down from each row without a parent. */
static void know_places(struct rows *rows, struct known *known) {
    uint32_t at = 0;
    if (known->first == NULL)
        know_children(rows, known);
    if (known->first == NULL)
        return;
    known->place = err_calloc(rows->n + 1, sizeof *known->place);
    known->family = err_calloc(rows->n + 1, sizeof *known->family);
    for (uint32_t root = 0; root < rows->n; root++) {
        uint32_t i = known->parent[root] == NONE ? root : NONE;
        while (i != NONE) {
            known->place[i] = at++;
            if (known->first[i] != NONE) {
                i = known->first[i];
                continue;
            }
            known->family[i] = 1;
            while (i != root && known->next[i] == NONE) { /* it is the last child */
                i = known->parent[i];
                known->family[i] = at - known->place[i];
            }
            i = i == root ? NONE : known->next[i];
        }
    }
}

bool family_is_ancestor(struct source *source, int64_t ancestor, int64_t id) {
    struct rows *rows = family_rows(source);
    struct known *known = known_of(source);
    const struct rows_lane *lane;
    uint32_t i;
    if (!rows_find(rows, ancestor, &lane, &i) || !rows_find(rows, id, &lane, &i))
        return false;
    if (known->place == NULL && pays(rows, known->climbed))
        know_places(rows, known);
    if (known->place) {
        uint64_t a = (uint64_t)ancestor - rows->first, b = (uint64_t)id - rows->first;
        return a != b && known->place[b] - known->place[a] < known->family[a];
    }
    do {
        known->climbed++;
        id = family_parent(source, lane, i);
    } while (id >= 0 && id != ancestor && rows_find(rows, id, &lane, &i));
    return id == ancestor;
}

/* The depth of a slice of a thread. */
static int64_t slice_depth(struct source *source, const struct rows_lane *lane, uint32_t i) {
    const struct nest *nest = &trace_thread(source->trace, lane->owner)->nest;
    if (nest->displaced == 0)
        return lane->row;
    struct rows *rows = family_rows(source);
    struct known *known = known_of(source);
    if (known->depth == NULL && pays(rows, known->walked))
        know_depths(rows, known);
    if (known->depth)
        return known->depth[lane->base - rows->first + i];
    uint32_t depth = nest_depth(nest, trace_slice_extra(source->trace), lane->row, i);
    known->walked += depth + 1;
    return depth;
}

int64_t family_depth(struct source *source, const struct rows_lane *lane, uint32_t i) {
    const struct rows_lane *above;
    uint32_t place;
    if (lane->kind == ROWS_LANE && lane->operations)
        return async_depth(trace_slice_extra(source->trace), lane_at(lane->of, i));
    if (lane->kind == ROWS_LANE)
        return slice_depth(source, lane, i);
    int64_t parent = family_parent(source, lane, i);
    if (parent < 0 || !rows_find(family_rows(source), parent, &above, &place))
        return 0;
    /* an instant's parent is none, so this is once */
    return family_depth(source, above, place) + 1;
}

uint64_t family_offset(struct source *source, const struct rows_lane *lane, uint32_t i,
                       uint64_t *end) {
    *end = 0;
    switch ((enum rows_kind)lane->kind) {
    case ROWS_LANE:
        *end = lane->operations
                   ? slice_extra_end_offset(trace_slice_extra(source->trace), lane_at(lane->of, i))
                   : trace_end_record(source->trace, lane_at(lane->of, i));
        return slice_offset(lane_at(lane->of, i));
    case ROWS_INSTANTS:
        return event_offset(((const struct instant *)lane->of)[i].packed);
    default:
        return async_instant(lane->of, lane->order[i])->at.offset;
    }
}

/* ---- children ---- */

static uint32_t first_at(const struct rows *rows, const struct rows_lane *lane, int64_t ts) {
    uint32_t at = 0;
    lower_bound(at, lane->n, k, rows_ts(rows->source, lane, (uint32_t)k) < ts);
    return at;
}

/* The rows of a lane that begin in [from, to] and have the parent. */
static void add_children(struct rows *rows, const struct rows_lane *lane, struct rows_bounds time,
                         int64_t parent, struct rows_list *list) {
    uint32_t from = first_at(rows, lane, time.lo), i = from;
    for (; i < lane->n; i++) {
        if (rows_ts(rows->source, lane, i) > time.hi ||
            (i % 4096 == 0 && source_stopped(rows->source)))
            break;
        if (family_parent(rows->source, lane, i) == parent)
            vec_push(list, (uint32_t)(lane->base - rows->first + i));
    }
    known_of(rows->source)->looked += i - from + 1;
}

static void children_of_operation(struct rows *rows, const struct rows_lane *lane,
                                  struct rows_bounds time, int64_t id, struct rows_list *list) {
    struct source *source = rows->source;
    const struct rows_lane *other;
    uint32_t nrows = async_group_rows(async_group(trace_async(source->trace), lane->owner));
    for (uint32_t row = lane->row; row < nrows && !source_stopped(source); row++) {
        int64_t track = track_of(source, lane->owner, row);
        if (row > lane->row && (other = rows_lane_of(rows, track, ROWS_LANE, row)))
            add_children(rows, other, time, id, list);
        if (row == lane->row && (other = rows_lane_of(rows, track, ROWS_ASYNC_INSTANTS, row)))
            add_children(rows, other, time, id, list);
    }
}

static void children(struct rows *rows, int64_t id, struct rows_list *list) {
    struct source *source = rows->source;
    const struct rows_lane *lane, *other;
    uint32_t i;
    struct known *known = known_of(source);
    if (!rows_find(rows, id, &lane, &i) || lane->kind != ROWS_LANE)
        return;
    if (known->first == NULL && pays(rows, known->looked))
        know_children(rows, known);
    if (known->first) {
        for (uint32_t k = known->first[(uint64_t)id - rows->first]; k != NONE; k = known->next[k])
            vec_push(list, k);
        return;
    }
    int64_t dur = rows_dur(lane, i), start = rows_ts(source, lane, i);
    struct rows_bounds time = {start, dur < 0 || start > INT64_MAX - dur ? INT64_MAX : start + dur};
    if (lane->operations) {
        children_of_operation(rows, lane, time, id, list);
        return;
    }
    const struct nest *nest = &trace_thread(source->trace, lane->owner)->nest;
    uint32_t last = nest->displaced == 0 ? lane->row + 1 : nest_rows(nest);
    for (uint32_t row = lane->row + 1;
         row <= last && row < nest_rows(nest) && !source_stopped(source); row++)
        if ((other = rows_lane_of(rows, lane->key, ROWS_LANE, row)))
            add_children(rows, other, time, id, list);
    if ((other = rows_lane_of(rows, lane->key, ROWS_INSTANTS, 0)))
        add_children(rows, other, time, id, list);
}

bool family_descendants(struct source *source, int64_t id, struct rows_list *list) {
    struct rows *rows = family_rows(source);
    size_t at = list->n;
    if (rows->children == NULL)
        return true;
    children(rows, id, list);
    for (; at < list->n; at++) {
        if (source_stopped(source))
            return false;
        children(rows, (int64_t)(rows->first + list->v[at]), list);
    }
    return true;
}
