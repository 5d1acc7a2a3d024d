/* walk.c - table functions that walk from one slice.
 *
 * Flows are followed breadth first, each slice once. following_flow() goes on from the descendants
 * of a slice that a flow reaches, preceding_flow() from its ancestors, directly_connected_flow()
 * from the slice alone, and never back. */
#include "sql/tables/walk.h"

#include <stdlib.h>

#include "sql/family.h"
#include "sql/tables/flows.h"
#include "sql/tables/slices.h"
#include "src/base/u64map.h"

static bool ancestors(struct table_cursor *cursor) {
    struct source *source = cursor->source;
    struct rows *rows = family_rows(source);
    const struct rows_lane *lane;
    uint32_t i;
    int64_t id = cursor->input;
    cursor->rows.own.n = 0;
    while (rows_find(rows, id, &lane, &i) && (id = family_parent(source, lane, i)) >= 0)
        vec_push(&cursor->rows.own, (uint32_t)((uint64_t)id - rows->first));
    return rows_cursor_take(&cursor->rows, rows);
}

static bool descendants(struct table_cursor *cursor) {
    cursor->rows.own.n = 0;
    return family_descendants(cursor->source, cursor->input, &cursor->rows.own) &&
           rows_cursor_take(&cursor->rows, family_rows(cursor->source));
}

/* ---- flows ---- */

enum way { WAY_OUT = 1, WAY_IN = 2 };

struct visit {
    int64_t id;
    uint8_t ways;  /* that may be gone from here */
    bool relative; /* reached from a slice of its family, so its own family is known */
};

struct walk {
    struct source *source;
    struct rows_list *hops; /* the result */
    VEC(struct visit) queue;
    struct u64map known; /* ids */
};

static void visit(struct walk *w, int64_t id, unsigned ways, bool relative) {
    if (u64map_get(&w->known, (uint64_t)id) != UINT64_MAX)
        return;
    u64map_set(&w->known, (uint64_t)id, 1);
    vec_push(&w->queue, ((struct visit){id, (uint8_t)ways, relative}));
}

static void go(struct walk *w, int64_t id, enum way way, unsigned ways) {
    struct rows *rows = flows_rows(w->source);
    struct rows_list found = {0};
    (way == WAY_OUT ? rows->children : rows->others)(rows, id, &found);
    for (size_t i = 0; i < found.n; i++) {
        const struct flows_hop *hop = flows_hop(w->source, found.v[i]);
        vec_push(w->hops, found.v[i]);
        visit(w, way == WAY_OUT ? hop->in : hop->out, ways, false);
    }
    vec_free(&found);
}

static bool relatives(struct walk *w, int64_t id, enum way way) {
    struct rows *rows = family_rows(w->source);
    struct rows_list list = {0};
    const struct rows_lane *lane;
    uint32_t i;
    bool fine = way == WAY_IN || family_descendants(w->source, id, &list);
    for (size_t k = 0; k < list.n; k++)
        visit(w, (int64_t)(rows->first + list.v[k]), way, true);
    while (way == WAY_IN && rows_find(rows, id, &lane, &i) &&
           (id = family_parent(w->source, lane, i)) >= 0)
        visit(w, id, way, true);
    vec_free(&list);
    return fine;
}

/* ways: those from the first slice. family: relatives of each slice that a flow reaches are
 * visited, too. */
static bool follow(struct table_cursor *cursor, unsigned ways, bool family) {
    struct walk w = {.source = cursor->source, .hops = &cursor->rows.own};
    bool fine = true;
    cursor->rows.own.n = 0;
    if (cursor->input >= 0)
        visit(&w, cursor->input, ways, false);
    for (size_t at = 0; at < w.queue.n && fine; at++) {
        struct visit v = w.queue.v[at];
        if (family && !v.relative)
            fine = relatives(&w, v.id, (enum way)ways);
        if (v.ways & WAY_OUT)
            go(&w, v.id, WAY_OUT, WAY_OUT);
        if (v.ways & WAY_IN)
            go(&w, v.id, WAY_IN, WAY_IN);
        fine = fine && !source_stopped(cursor->source);
    }
    vec_free(&w.queue);
    u64map_free(&w.known);
    return fine && rows_cursor_take(&cursor->rows, flows_rows(cursor->source));
}

static bool following(struct table_cursor *cursor) {
    return follow(cursor, WAY_OUT, true);
}

static bool preceding(struct table_cursor *cursor) {
    return follow(cursor, WAY_IN, true);
}

static bool connected(struct table_cursor *cursor) {
    return follow(cursor, WAY_OUT | WAY_IN, false);
}

static const struct table_column slice_columns[] = {SLICES_LIST, TABLE_INPUT("start_id")};
static const struct table_column flow_columns[] = {
    TABLE_ID("id"),        TABLE_INT("slice_out"),  TABLE_INT("slice_in"),
    TABLE_INT("trace_id"), TABLE_INT("arg_set_id"), TABLE_INPUT("start_id"),
};

const struct table walk_ancestors = {"ancestor_slice",
                                     TABLE_COLUMNS(slice_columns),
                                     NULL,
                                     slices_get,
                                     ancestors,
                                     NULL,
                                     NULL,
                                     "ancestor_slice wants the id of a slice",
                                     4};
const struct table walk_descendants = {"descendant_slice",
                                       TABLE_COLUMNS(slice_columns),
                                       NULL,
                                       slices_get,
                                       descendants,
                                       NULL,
                                       NULL,
                                       "descendant_slice wants the id of a slice",
                                       20};
const struct table walk_following = {"following_flow",
                                     TABLE_COLUMNS(flow_columns),
                                     NULL,
                                     flows_get,
                                     following,
                                     NULL,
                                     NULL,
                                     "following_flow wants the id of a slice",
                                     20};
const struct table walk_preceding = {"preceding_flow",
                                     TABLE_COLUMNS(flow_columns),
                                     NULL,
                                     flows_get,
                                     preceding,
                                     NULL,
                                     NULL,
                                     "preceding_flow wants the id of a slice",
                                     20};
const struct table walk_connected = {"directly_connected_flow",
                                     TABLE_COLUMNS(flow_columns),
                                     NULL,
                                     flows_get,
                                     connected,
                                     NULL,
                                     NULL,
                                     "directly_connected_flow wants the id of a slice",
                                     10};
