/* threads.c - the tables thread and process.
 *
 * Threads that are hidden everywhere (known by their koid alone, with a full thread) are left out. Names are those of
 * kernel objects; a thread of an index that was never registered has "<thread 9>" and no tid. */
#include "sql/tables/threads.h"

static const char thread_key, process_key;

static bool hidden(struct source *source, const struct rows_lane *lane, uint32_t i) {
    return trace_thread_hidden(source->trace, trace_thread(source->trace, (size_t)(lane->base + i - 1)));
}

static struct rows *thread_rows(struct source *source) {
    struct rows *rows = table_numbers(source, &thread_key, 1, source->threads);
    rows->skip = hidden;
    return rows;
}

enum { UTID, ID, TID, NAME, START, END, UPID, IS_MAIN, IS_IDLE, MACHINE, ARGS };

static void get_thread(struct table_cursor *cursor, int column, sqlite3_context *out) {
    struct trace *trace = cursor->source->trace;
    const struct thread *t = trace_thread(trace, (size_t)rows_cursor_id(&cursor->rows) - 1);
    const struct thread_id *id = &t->id;
    bool known = id->form != THREAD_UNDEFINED, named;
    int64_t upid;
    char buf[40];
    struct str name;
    switch (column) {
    case TID:
        if (known)
            sqlite3_result_int64(out, (sqlite3_int64)id->tid);
        break;
    case NAME:
        name = trace_thread_name(trace, t, buf, &named);
        if (named || !known)
            table_text(out, name);
        break;
    case UPID:
        upid = source_upid(cursor->source, t->process);
        if (upid >= 0)
            sqlite3_result_int64(out, upid);
        break;
    case IS_MAIN:
        if (id->form == THREAD_PAIR)
            sqlite3_result_int(out, id->tid == id->pid);
        break;
    case IS_IDLE:
        sqlite3_result_int(out, known && id->tid == 0);
        break;
    default:
        break;
    }
}

/* The process with pid 0 is the row of upid 0. */
static bool is_zero(struct source *source, const struct rows_lane *lane, uint32_t i) {
    uint64_t upid = lane->base + i;
    return upid > 0 && trace_process(source->trace, (size_t)upid - 1)->pid == 0;
}

static struct rows *process_rows(struct source *source) {
    struct rows *rows = table_numbers(source, &process_key, 0, trace_process_count(source->trace) + 1);
    rows->skip = is_zero;
    return rows;
}

static void process_name(struct trace *trace, uint64_t upid, sqlite3_context *out) {
    size_t i = (size_t)upid - 1;
    char buf[40];
    bool named;
    for (size_t k = 0; upid == 0 && k < trace_process_count(trace); k++)
        if (trace_process(trace, k)->pid == 0)
            i = k;
    if (i >= trace_process_count(trace))
        return;
    struct str name = trace_process_name(trace, trace_process(trace, i), buf, &named);
    if (named)
        table_text(out, name);
}

static void get_process(struct table_cursor *cursor, int column, sqlite3_context *out) {
    struct trace *trace = cursor->source->trace;
    uint64_t upid = (uint64_t)rows_cursor_id(&cursor->rows);
    if (column == 2)
        sqlite3_result_int64(out, upid == 0 ? 0 : (sqlite3_int64)trace_process(trace, (size_t)upid - 1)->pid);
    else if (column == NAME)
        process_name(trace, upid, out);
}

static const struct table_column thread_columns[] = {
    TABLE_ID("utid"),  TABLE_ID("id"),    TABLE_INT("tid"),            TABLE_STR("name"),    TABLE_INT("start_ts"),
    TABLE_INT("end_ts"), TABLE_INT("upid"), TABLE_INT("is_main_thread"), TABLE_INT("is_idle"), TABLE_INT("machine_id"),
    TABLE_INT("arg_set_id"),
};
static const struct table_column process_columns[] = {
    TABLE_ID("upid"),
    TABLE_ID("id"),
    TABLE_INT("pid"),
    TABLE_STR("name"),
    TABLE_INT("start_ts"),
    TABLE_INT("end_ts"),
    TABLE_INT("parent_upid"),
    TABLE_INT("uid"),
    TABLE_INT("android_appid"),
    TABLE_INT("android_user_id"),
    TABLE_STR("cmdline"),
    TABLE_INT("arg_set_id"),
    TABLE_INT("machine_id"),
};

const struct table threads_table = {
    "thread", TABLE_COLUMNS(thread_columns), thread_rows, get_thread, NULL, NULL, NULL, NULL, 0};
const struct table threads_processes = {
    "process", TABLE_COLUMNS(process_columns), process_rows, get_process, NULL, NULL, NULL, NULL, 0};
