/* columns.c - which columns of a statement name a place on the timeline.
 *
 * SQLite knows the table and column that a result comes from, through views and subqueries, if it
 * is built with column metadata. Without it, and for expressions, the name of the result decides;
 * then an id alone means nothing. */
#include "sql/answer/columns.h"

#include <string.h>

#include "sql/family.h"
#include "sql/tables/flows.h"

static const char *const slices[] = {"slice", "slices", "ancestor_slice", "descendant_slice"};
static const char *const flows[] = {"flow", "flow_hop", "following_flow", "preceding_flow",
                                    "directly_connected_flow"};
static const char *const tracks[] = {"track", "thread_track", "process_track", "counter_track",
                                     "process_counter_track"};

static bool is_one_of(const char *word, const char *const *list, size_t n) {
    for (size_t i = 0; i < n; i++)
        if (sqlite3_stricmp(word, list[i]) == 0)
            return true;
    return false;
}
#define IS_ONE_OF(word, list) is_one_of(word, list, sizeof(list) / sizeof *(list))

static enum columns_meaning meaning_of_id(const char *table) {
    if (IS_ONE_OF(table, slices))
        return MEANS_SLICE;
    if (IS_ONE_OF(table, flows))
        return MEANS_FLOW;
    if (IS_ONE_OF(table, tracks))
        return MEANS_TRACK;
    if (sqlite3_stricmp(table, "thread") == 0)
        return MEANS_UTID;
    return sqlite3_stricmp(table, "process") == 0 ? MEANS_UPID : MEANS_NOTHING;
}

static enum columns_meaning meaning_of(const char *table, const char *name) {
    static const struct {
        const char *name;
        enum columns_meaning meaning;
    } names[] = {
        {"slice_id", MEANS_SLICE}, {"slice_out", MEANS_OUT}, {"slice_in", MEANS_IN},
        {"ts", MEANS_TS},          {"utid", MEANS_UTID},     {"upid", MEANS_UPID},
        {"track_id", MEANS_TRACK}, {"start_ts", MEANS_TS},   {"arg_set_id", MEANS_ARGUMENTS}};
    if (name == NULL)
        return MEANS_NOTHING;
    if (sqlite3_stricmp(name, "id") == 0)
        return table ? meaning_of_id(table) : MEANS_NOTHING;
    for (size_t i = 0; i < sizeof names / sizeof *names; i++)
        if (sqlite3_stricmp(name, names[i].name) == 0)
            return names[i].meaning;
    return MEANS_NOTHING;
}

void columns_find(struct columns *columns, sqlite3_stmt *statement) {
    columns->any = false;
    for (int k = 0; k < MEANINGS; k++)
        columns->of[k] = -1;
    for (int c = 0; c < sqlite3_column_count(statement); c++) {
        const char *table = NULL, *origin = NULL;
#ifdef HAVE_SQLITE_COLUMNS
        table = sqlite3_column_table_name(statement, c);
        origin = sqlite3_column_origin_name(statement, c);
#endif
        enum columns_meaning is =
            meaning_of(table, origin ? origin : sqlite3_column_name(statement, c));
        if (is == MEANS_NOTHING && origin) /* of a table of the statements */
            is = meaning_of(NULL, sqlite3_column_name(statement, c));
        if (is != MEANS_NOTHING && columns->of[is] < 0) {
            columns->of[is] = c;
            columns->any = true;
        }
    }
}

static bool value_of(const struct columns *columns, sqlite3_stmt *statement,
                     enum columns_meaning is, int64_t *value) {
    int c = columns->of[is];
    if (c < 0 || sqlite3_column_type(statement, c) != SQLITE_INTEGER)
        return false;
    *value = sqlite3_column_int64(statement, c);
    return true;
}

/* A time of SQL relative to the reader's base, clamped. */
static int64_t time_of(const struct source *source, int64_t ts) {
    int64_t since, time;
    if (__builtin_sub_overflow(ts, (int64_t)source->absolute, &since))
        return INT64_MIN;
    if (__builtin_add_overflow(since, source->origin, &time))
        return since < 0 ? INT64_MIN : INT64_MAX;
    return time;
}

static bool slice_place(struct source *source, int64_t id, struct query_place *place) {
    static const uint8_t kinds[] = {[ROWS_LANE] = PLACE_SLICE,
                                    [ROWS_INSTANTS] = PLACE_INSTANT,
                                    [ROWS_ASYNC_INSTANTS] = PLACE_OPERATION_INSTANT,
                                    [ROWS_SAMPLES] = PLACE_NONE};
    const struct rows_lane *lane;
    uint32_t i;
    uint64_t end;
    if (!rows_find(family_rows(source), id, &lane, &i))
        return false;
    *place = (struct query_place){lane->kind == ROWS_LANE && lane->operations ? PLACE_OPERATION
                                                                              : kinds[lane->kind],
                                  true,
                                  lane->owner,
                                  lane->row,
                                  i,
                                  time_of(source, rows_ts(source, lane, i)),
                                  family_offset(source, lane, i, &end)};
    return true;
}

static void track_place(const struct source *source, int64_t track, struct query_place *place) {
    uint64_t at = track > 0 ? (uint64_t)track - 1 : UINT64_MAX, n = source->operations.n;
    if (at < source->threads) {
        place->kind = PLACE_THREAD;
        place->of = (uint32_t)at;
    } else if (at - source->threads < n) {
        place->kind = PLACE_ASYNC;
        place->of = source->operations.v[at - source->threads].group;
        place->row = source->operations.v[at - source->threads].row;
    } else if (at != UINT64_MAX &&
               at - source->threads - n < counter_series_count(trace_counters(source->trace))) {
        place->kind = PLACE_COUNTER;
        place->of = (uint32_t)(at - source->threads - n);
    }
}

static void process_place(const struct source *source, int64_t upid, struct query_place *place) {
    uint32_t process = source_process(source, upid);
    if (process == NO_PROCESS)
        return;
    place->kind = PLACE_PROCESS;
    place->of = process;
}

void columns_place(const struct columns *columns, sqlite3_stmt *statement, struct source *source,
                   struct query_place *place) {
    static const uint8_t of_slices[] = {MEANS_SLICE, MEANS_OUT, MEANS_IN, MEANS_ARGUMENTS};
    int64_t value;
    *place = (struct query_place){.kind = PLACE_NONE};
    if (value_of(columns, statement, MEANS_FLOW, &value) && columns->of[MEANS_SLICE] < 0) {
        const struct rows *rows = flows_rows(source);
        if (value >= 0 && (uint64_t)value < rows->n) {
            *place = (struct query_place){.kind = PLACE_FLOW,
                                          .i = flows_hop(source, (uint32_t)value)->from};
            return;
        }
    }
    for (size_t k = 0; k < sizeof of_slices; k++)
        if (value_of(columns, statement, (enum columns_meaning)of_slices[k], &value) &&
            slice_place(source, value, place))
            return;
    if (value_of(columns, statement, MEANS_UTID, &value))
        track_place(source, value <= (int64_t)source->threads ? value : 0, place);
    else if (value_of(columns, statement, MEANS_TRACK, &value))
        track_place(source, value, place);
    else if (value_of(columns, statement, MEANS_UPID, &value))
        process_place(source, value, place);
    if (!value_of(columns, statement, MEANS_TS, &value))
        return;
    place->has_time = true;
    place->time = time_of(source, value);
    if (place->kind == PLACE_NONE)
        place->kind = PLACE_TIME;
}
