/* traces.c - the table trace: a row for each trace of a set, and none of one trace alone. */
#include "sql/tables/traces.h"

static const char rows_key;

enum { NO, NAME, PATH, SHIFT, METHOD, UNCERTAINTY, WORLD, BEGIN, END, EVENTS, BYTES };

static struct rows *make_rows(struct source *source) {
    return table_numbers(source, &rows_key, 1, trace_files(source->trace));
}

static void get(struct table_cursor *cursor, int column, sqlite3_context *out) {
    const struct trace *trace = cursor->source->trace;
    size_t i = cursor->rows.i;
    const struct align_part *aligned = trace_aligned(trace, i);
    struct file_part part;
    int64_t from, to;
    bool any = trace_file_span(trace, i, &from, &to);
    trace_file_part(trace, i, &part);
    if (column == NAME)
        table_text(out, str_of(trace_file_name(trace, i)));
    else if (column == PATH)
        table_text(out, str_of(trace_file_path(trace, i)));
    else if (column == SHIFT)
        sqlite3_result_int64(out, trace_move(trace, i));
    else if (column == METHOD)
        sqlite3_result_text(out, align_text(aligned->method), -1, SQLITE_STATIC);
    else if (column == UNCERTAINTY && align_is_exact(aligned->method))
        sqlite3_result_int64(out, 0);
    else if (column == WORLD)
        sqlite3_result_int64(out, trace_file_world(trace, i));
    else if ((column == BEGIN || column == END) && any)
        sqlite3_result_int64(out, source_time(cursor->source, column == BEGIN ? from : to));
    else if (column == EVENTS)
        sqlite3_result_int64(out, (sqlite3_int64)trace_file_events(trace, i));
    else if (column == BYTES)
        sqlite3_result_int64(out, (sqlite3_int64)(part.end - part.begin));
}

static const struct table_column columns[] = {
    TABLE_ID("no"),      TABLE_STR("name"),        TABLE_STR("path"),  TABLE_INT("shift"),
    TABLE_STR("method"), TABLE_INT("uncertainty"), TABLE_INT("world"), TABLE_INT("begin"),
    TABLE_INT("end"),    TABLE_INT("events"),      TABLE_INT("bytes"),
};

const struct table traces_table = {
    "trace", TABLE_COLUMNS(columns), make_rows, get, NULL, NULL, NULL, NULL, 0};
