/* slices.c - the table slice: durations, instants (of no length), async operations and their
 * instants.
 *
 * Times, tracks and names come from the index. A category and whether there are arguments are
 * decoded from the record, and only if the column is asked for. arg_set_id is the id, or NULL
 * without arguments. */
#include "sql/tables/slices.h"

#include <stdlib.h>

#include "model/query/filter/filter_match.h"
#include "model/trace/trace_life.h"
#include "sql/arguments/dotted.h"
#include "sql/family.h"

enum {
    ID,
    TS,
    DUR,
    TRACK,
    CATEGORY,
    NAME,
    DEPTH,
    PARENT,
    ARGS,
    THREAD_TS,
    THREAD_DUR,
    CAT = SLICES_COLUMNS,
    SLICE_ID,
    OFFSET,
    END_OFFSET,
    DAMAGED,
    SELF
};

static const struct table_column columns[] = {
    SLICES_LIST,
    {"cat", TABLE_TEXT, ROLE_NONE, false},
    {"slice_id", TABLE_INTEGER, ROLE_ID, false},
    {"offset", TABLE_INTEGER, ROLE_NONE, true},
    {"end_offset", TABLE_INTEGER, ROLE_NONE, true},
    {"damaged", TABLE_INTEGER, ROLE_NONE, true},
    {"_self_dur", TABLE_INTEGER, ROLE_NONE, true},
};

/* Whether a row has arguments, in its record or in that of its end. */
/* Whether the record at an offset has an argument; one that is damaged is none. */
static bool any_argument(struct table_cursor *cursor, uint64_t offset) {
    struct detail_argument first;
    if (!table_decode(cursor, offset))
        return false;
    struct fxt_arguments args = cursor->detail.record.args;
    while (detail_argument(&cursor->detail, &args, &first))
        if (!cursor->source->json || !(dotted_is_time(first.name) || first.type == FXT_ARG_NULL))
            return true;
    return false;
}

static bool has_arguments(struct table_cursor *cursor, const struct rows_lane *lane, uint32_t i) {
    uint64_t end, offset = family_offset(cursor->source, lane, i, &end);
    return any_argument(cursor, offset) || (end != 0 && end != offset && any_argument(cursor, end));
}

static void get_category(struct table_cursor *cursor, sqlite3_context *out) {
    uint64_t end;
    if (!table_decode(cursor,
                      family_offset(cursor->source, cursor->rows.lane, cursor->rows.i, &end)))
        return;
    struct str text = cursor->detail.category;
    if (text.n == 0 && cursor->source->json && !(cursor->detail.record.category.ref & FXT_INLINE))
        return; /* an event without one */
    uint32_t name = names_find(reader_names(trace_reader(cursor->source->trace)), text.s, text.n);
    if (name != UINT32_MAX)
        table_name(cursor, out, name);
    else
        table_text(out, text);
}

static void get_offsets(struct table_cursor *cursor, int column, sqlite3_context *out) {
    uint64_t end, offset = family_offset(cursor->source, cursor->rows.lane, cursor->rows.i, &end);
    if (column == OFFSET)
        sqlite3_result_int64(out, (sqlite3_int64)offset);
    else if (end != 0)
        sqlite3_result_int64(out, (sqlite3_int64)end);
}

static bool thread_time(struct table_cursor *cursor, uint64_t offset, const char *name,
                        int64_t *ns) {
    struct detail_argument a;
    return table_decode(cursor, offset) && detail_find(&cursor->detail, name, &a) &&
           dotted_ns(&a, ns);
}

/* When the thread's own clock began the slice, and how long it ran by that; other formats do not
 * have them. */
static void get_thread_time(struct table_cursor *cursor, int column, sqlite3_context *out) {
    const struct rows_lane *lane = cursor->rows.lane;
    int64_t begin, end, dur;
    if (!cursor->source->json || lane->kind != ROWS_LANE || lane->operations)
        return;
    uint64_t last, first = family_offset(cursor->source, lane, cursor->rows.i, &last);
    if (column == THREAD_TS && thread_time(cursor, first, "tts", &begin))
        sqlite3_result_int64(out, begin);
    if (column != THREAD_DUR)
        return;
    if (thread_time(cursor, first, "tdur", &dur))
        sqlite3_result_int64(out, dur);
    else if (last != 0 && last != first && thread_time(cursor, last, "tts", &end) &&
             thread_time(cursor, first, "tts", &begin) && !__builtin_sub_overflow(end, begin, &dur))
        sqlite3_result_int64(out, dur);
}

/* ---- self times ---- */

struct selves { /* of threads with slices that overlap */
    struct filter *filter;
    struct filter_match *match;
};

static const char selves_key;

static void free_selves(void *of) {
    struct selves *selves = of;
    filter_match_free(selves->match);
    filter_free(selves->filter);
    free(selves);
}

/* NULL: the query is stopped. */
static const struct filter_match *match_of(struct source *source) {
    struct selves *selves = source_find(source, &selves_key);
    struct err err;
    if (selves == NULL) {
        selves = err_calloc(1, sizeof *selves);
        selves->filter = filter_new("self>=0ns", false, &err);
        selves->match = filter_match_new(source->trace, selves->filter);
        source_keep(source, &selves_key, selves, free_selves);
    }
    return filter_match_step(selves->match, source_task(source)) ? selves->match : NULL;
}

/* The self time of a slice of a thread (SEMANTICS 6.9). */
static void get_self(struct source *source, const struct rows_lane *lane, uint32_t i,
                     sqlite3_context *out) {
    const struct filter_match *match;
    if (lane->kind != ROWS_LANE || lane->operations)
        return;
    rows_read_open(source, lane, i);
    if (rows_damaged(source, lane, i))
        return;
    if (!slice_iter_displaced(source->trace, lane->owner))
        sqlite3_result_int64(
            out, trace_slice_self(source->trace, lane->owner, lane->row, lane_at(lane->of, i)));
    else if ((match = match_of(source)) != NULL)
        sqlite3_result_int64(out, filter_match_self(match, lane->owner, lane->row, i));
}

/* ---- cells ---- */

void slices_get(struct table_cursor *cursor, int column, sqlite3_context *out) {
    const struct rows_lane *lane = cursor->rows.lane;
    struct source *source = cursor->source;
    uint32_t i = cursor->rows.i;
    int64_t parent;
    switch (column) {
    case TS:
        source->slice_times = true;
        sqlite3_result_int64(out, rows_ts(source, lane, i));
        break;
    case DUR:
        rows_read_open(source, lane, i);
        if (!rows_damaged(source, lane, i))
            sqlite3_result_int64(out, rows_dur(lane, i));
        break;
    case TRACK:
        sqlite3_result_int64(out, lane->key);
        break;
    case CATEGORY:
    case CAT:
        get_category(cursor, out);
        break;
    case NAME:
        table_name(cursor, out, rows_name(source, lane, i));
        break;
    case DEPTH:
        sqlite3_result_int64(out, family_depth(source, lane, i));
        break;
    case PARENT:
        if ((parent = family_parent(source, lane, i)) >= 0)
            sqlite3_result_int64(out, parent);
        break;
    case ARGS:
        if (has_arguments(cursor, lane, i))
            sqlite3_result_int64(out, rows_cursor_id(&cursor->rows));
        break;
    case THREAD_TS:
    case THREAD_DUR:
        get_thread_time(cursor, column, out);
        break;
    case OFFSET:
    case END_OFFSET:
        get_offsets(cursor, column, out);
        break;
    case DAMAGED:
        sqlite3_result_int(out, lane->kind == ROWS_LANE &&
                                    trace_damaged_slice(source->trace, lane_at(lane->of, i)));
        break;
    case SELF:
        get_self(source, lane, i, out);
        break;
    default:
        break;
    }
}

const struct table slices_table = {
    "slice", TABLE_COLUMNS(columns), family_rows, slices_get, NULL, NULL, NULL, NULL, 0};
const struct table slices_alias = {
    "slices", TABLE_COLUMNS(columns), family_rows, slices_get, NULL, NULL, NULL, NULL, 0};
