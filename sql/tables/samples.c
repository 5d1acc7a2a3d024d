/* samples.c - the table counter. A value is the nearest double, as Perfetto has it; NaN becomes
 * NULL. */
#include "sql/tables/samples.h"

#include "sql/lanes.h"

enum { ID, TS, TRACK, VALUE };

static void get(struct table_cursor *cursor, int column, sqlite3_context *out) {
    const struct rows_lane *lane = cursor->rows.lane;
    if (column == TS)
        sqlite3_result_int64(out, rows_ts(cursor->source, lane, cursor->rows.i));
    else if (column == TRACK)
        sqlite3_result_int64(out, lane->key);
    else if (column == VALUE)
        sqlite3_result_double(out, cursor->rows.rows->real(lane, cursor->rows.i));
}

static const struct table_column columns[] = {
    TABLE_ID("id"),
    {"ts", TABLE_INTEGER, ROLE_TS, false},
    {"track_id", TABLE_INTEGER, ROLE_KEY, false},
    {"value", TABLE_REAL, ROLE_REAL, false},
    TABLE_INT("arg_set_id"),
};

const struct table samples_table = {
    "counter", TABLE_COLUMNS(columns), lanes_counters, get, NULL, NULL, NULL, NULL, 0};
