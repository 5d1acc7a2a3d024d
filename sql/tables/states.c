/* states.c - the tables sched, thread_state and cpu.
 *
 * Threads, times and states come from the index. The CPU of a state, the priority of a run and the
 * waker are decoded from the record. A thread that was woken without a waker was woken by
 * itself. */
#include "sql/tables/states.h"

#include "model/store/sched_life.h"
#include "sql/lanes.h"

static const char cpu_key;

static const char *letter(uint32_t state, bool woken) {
    switch (state) {
    case SCHED_RUNNING:
        return "Running";
    case SCHED_NEW:
        return "R";
    case SCHED_RUNNABLE:
        return woken ? "W" : "R";
    case SCHED_SUSPENDED:
        return "T";
    case SCHED_BLOCKED:
        return "S";
    case SCHED_DYING:
        return "Z";
    case SCHED_DEAD:
        return "X";
    default:
        return NULL;
    }
}

/* A weight may be of any type; only an integer is a priority, and without one it is 0. */
static bool is_integer(uint8_t type) {
    return type == FXT_ARG_INT32 || type == FXT_ARG_UINT32 || type == FXT_ARG_INT64 ||
           type == FXT_ARG_UINT64 || type == FXT_ARG_KOID;
}

enum { ID, TS, DUR, CPU, UTID, END_STATE, PRIORITY, UCPU, TS_END };

static void get_sched(struct table_cursor *cursor, int column, sqlite3_context *out) {
    const struct rows_lane *lane = cursor->rows.lane;
    uint32_t i = cursor->rows.i;
    struct source *source = cursor->source;
    struct sched_run run = sched_run(sched_cpu(trace_sched(source->trace), lane->owner), i);
    struct detail_argument a;
    int64_t ts, dur;
    switch (column) {
    case TS:
        sqlite3_result_int64(out, rows_ts(source, lane, i));
        break;
    case DUR:
        lanes_read_open(lanes_sched(source), lane, i);
        if (!lanes_run_damaged(source, lane, i))
            sqlite3_result_int64(out, rows_dur(lane, i));
        break;
    case CPU:
    case UCPU:
        sqlite3_result_int64(out, lane->key);
        break;
    case UTID:
        sqlite3_result_int64(out, source_utid(source, run.thread));
        break;
    case END_STATE:
        lanes_run_damaged(source, lane, i); /* it may have been another one */
        if (run.flags & SCHED_KNOWN)
            sqlite3_result_text(out, letter(run.flags & SCHED_LEFT, false), -1, SQLITE_STATIC);
        break;
    case PRIORITY:
        if (!table_decode(cursor, slice_offset(lane_at(lane->of, i))))
            break;
        if (detail_priority(&cursor->detail, false, &a) && is_integer(a.type))
            sqlite3_result_int64(out, (sqlite3_int64)a.bits);
        else
            sqlite3_result_int64(out, 0); /* as Perfetto has it */
        break;
    default: /* TS_END */
        lanes_read_open(lanes_sched(source), lane, i);
        if (lanes_run_damaged(source, lane, i))
            break;
        ts = rows_ts(source, lane, i);
        dur = rows_dur(lane, i);
        sqlite3_result_int64(out, dur > 0 && ts > INT64_MAX - dur ? INT64_MAX : ts + dur);
    }
}

enum { T_CPU = 3, T_UTID, T_STATE, T_IO_WAIT, T_BLOCKED, T_WAKER_UTID, T_WAKER_ID, T_IRQ, T_UCPU };

static void get_waker(struct table_cursor *cursor, sqlite3_context *out) {
    struct trace *trace = cursor->source->trace;
    const struct sched_thread *t = sched_thread_at(trace_sched(trace), cursor->rows.lane->owner);
    struct detail_argument a;
    uint32_t waker = t->thread;
    if (!sched_woken(t, cursor->rows.i) || sched_state(t, cursor->rows.i) != SCHED_RUNNABLE ||
        cursor->source->without_wakeups)
        return;
    if (table_decode(cursor, slice_offset(lane_at(&t->lane, cursor->rows.i))) &&
        detail_find(&cursor->detail, "waker", &a) && a.type == FXT_ARG_KOID) {
        waker = trace_koid_thread(trace, trace_thread(trace, t->thread)->id.world, a.bits);
        if (waker == NO_THREAD)
            return; /* no record has events of that thread */
    }
    sqlite3_result_int64(out, source_utid(cursor->source, waker));
}

/* The reason of a wait is in arguments of the record that ended the run. */
static void get_wait(struct table_cursor *cursor, int column, sqlite3_context *out) {
    const struct sched_thread *t =
        sched_thread_at(trace_sched(cursor->source->trace), cursor->rows.lane->owner);
    struct detail_argument a;
    if (sched_state(t, cursor->rows.i) == SCHED_RUNNING ||
        !table_decode(cursor, slice_offset(lane_at(&t->lane, cursor->rows.i))))
        return;
    if (column == T_IO_WAIT && detail_find(&cursor->detail, "io_wait", &a) &&
        (is_integer(a.type) || a.type == FXT_ARG_BOOL))
        sqlite3_result_int64(out, (sqlite3_int64)a.bits);
    if (column == T_BLOCKED && detail_find(&cursor->detail, "blocked_function", &a) &&
        a.type == FXT_ARG_STRING)
        table_text(out, a.string);
}

/* Whether the record of a state is of a CPU: JSON has none for a state that ends no run. */
static bool has_cpu(const struct table_cursor *cursor) {
    return cursor->detail.record.kind != FXT_K_WAKEUP ||
           !reader_ends_by_name(trace_reader(cursor->source->trace), cursor->detail.offset);
}

static void get_state(struct table_cursor *cursor, int column, sqlite3_context *out) {
    const struct rows_lane *lane = cursor->rows.lane;
    uint32_t i = cursor->rows.i;
    const struct sched_thread *t = sched_thread_at(trace_sched(cursor->source->trace), lane->owner);
    uint32_t state;
    const char *text;
    struct detail_argument a;
    switch (column) {
    case TS:
        sqlite3_result_int64(out, rows_ts(cursor->source, lane, i));
        break;
    case DUR:
        lanes_read_open(lanes_states(cursor->source), lane, i);
        if (!lanes_state_damaged(cursor->source, lane, i))
            sqlite3_result_int64(out, rows_dur(lane, i));
        break;
    case T_CPU:
    case T_UCPU:
        if (table_decode(cursor, slice_offset(lane_at(lane->of, i))) && has_cpu(cursor))
            sqlite3_result_int64(out, cursor->detail.record.sched.cpu);
        break;
    case T_UTID:
        sqlite3_result_int64(out, lane->key);
        break;
    case T_STATE:
        lanes_state_damaged(cursor->source, lane, i); /* it may have been another one */
        state = sched_life_word(t, i);
        text = letter(state, sched_woken(t, i) && !cursor->source->without_wakeups);
        if (state != SCHED_RUNNING && state != SCHED_UNKNOWN &&
            (state == SCHED_BLOCKED || reader_ends_by_name(trace_reader(cursor->source->trace),
                                                           slice_offset(lane_at(&t->lane, i)))) &&
            table_decode(cursor, slice_offset(lane_at(&t->lane, i))) &&
            detail_letters(&cursor->detail, state == SCHED_BLOCKED, &a))
            table_text(out, a.string);
        else if (text)
            sqlite3_result_text(out, text, -1, SQLITE_STATIC);
        break;
    case T_IO_WAIT:
    case T_BLOCKED:
        get_wait(cursor, column, out);
        break;
    case T_WAKER_UTID:
        get_waker(cursor, out);
        break;
    default:
        break;
    }
}

static struct rows *cpu_rows(struct source *source) {
    return table_numbers(source, &cpu_key, 0, sched_cpu_count(trace_sched(source->trace)));
}

static void get_cpu(struct table_cursor *cursor, int column, sqlite3_context *out) {
    if (column < 3)
        sqlite3_result_int64(out,
                             sched_cpu(trace_sched(cursor->source->trace), cursor->rows.i)->number);
}

static const struct table_column sched_columns[] = {
    TABLE_ID("id"),
    {"ts", TABLE_INTEGER, ROLE_TS, false},
    {"dur", TABLE_INTEGER, ROLE_DUR, false},
    {"cpu", TABLE_INTEGER, ROLE_KEY, false},
    {"utid", TABLE_INTEGER, ROLE_GROUP, false},
    TABLE_STR("end_state"),
    TABLE_INT("priority"),
    {"ucpu", TABLE_INTEGER, ROLE_KEY, false},
    TABLE_INT("ts_end"),
};
static const struct table_column state_columns[] = {
    TABLE_ID("id"),
    {"ts", TABLE_INTEGER, ROLE_TS, false},
    {"dur", TABLE_INTEGER, ROLE_DUR, false},
    TABLE_INT("cpu"),
    {"utid", TABLE_INTEGER, ROLE_KEY, false},
    TABLE_STR("state"),
    TABLE_INT("io_wait"),
    TABLE_STR("blocked_function"),
    TABLE_INT("waker_utid"),
    TABLE_INT("waker_id"),
    TABLE_INT("irq_context"),
    TABLE_INT("ucpu"),
};
static const struct table_column cpu_columns[] = {
    TABLE_INT("id"),        TABLE_INT("ucpu"),       TABLE_INT("cpu"),      TABLE_INT("cluster_id"),
    TABLE_STR("processor"), TABLE_INT("machine_id"), TABLE_INT("capacity"), TABLE_INT("arg_set_id"),
};

const struct table states_sched = {
    "sched", TABLE_COLUMNS(sched_columns), lanes_sched, get_sched, NULL, NULL, NULL, NULL, 0};
const struct table states_threads = {"thread_state",
                                     TABLE_COLUMNS(state_columns),
                                     lanes_states,
                                     get_state,
                                     NULL,
                                     NULL,
                                     NULL,
                                     NULL,
                                     0};
const struct table states_cpus = {
    "cpu", TABLE_COLUMNS(cpu_columns), cpu_rows, get_cpu, NULL, NULL, NULL, NULL, 0};
