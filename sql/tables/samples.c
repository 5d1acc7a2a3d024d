/* samples.c - the table counter. A value is the nearest double, as Perfetto has it; NaN becomes
 * NULL. */
#include "sql/tables/samples.h"

#include "sql/lanes.h"

enum { ID, TS, TRACK, VALUE };

static double value_of(const struct counter_sample *s) {
    double x;
    switch (counter_type(s)) {
    case FXT_ARG_DOUBLE:
        memcpy(&x, &s->bits, sizeof x);
        return x;
    case FXT_ARG_UINT32:
    case FXT_ARG_UINT64:
        return (double)s->bits;
    default:
        return (double)(int64_t)s->bits;
    }
}

static void get(struct table_cursor *cursor, int column, sqlite3_context *out) {
    const struct rows_lane *lane = cursor->rows.lane;
    if (column == TS)
        sqlite3_result_int64(out, rows_ts(cursor->source, lane, cursor->rows.i));
    else if (column == TRACK)
        sqlite3_result_int64(out, lane->key);
    else if (column == VALUE)
        sqlite3_result_double(out,
                              value_of((const struct counter_sample *)lane->of + cursor->rows.i));
}

static const struct table_column columns[] = {
    TABLE_ID("id"),
    {"ts", TABLE_INTEGER, ROLE_TS, false},
    {"track_id", TABLE_INTEGER, ROLE_KEY, false},
    {"value", TABLE_REAL, ROLE_NONE, false},
    TABLE_INT("arg_set_id"),
};

const struct table samples_table = {
    "counter", TABLE_COLUMNS(columns), lanes_counters, get, NULL, NULL, NULL, NULL, 0};
