/* views.c - temporary views, each a row: name, and its select.
 *
 * They are made when a database is opened. INCLUDE only checks the name of a module, so its views
 * are always there. */
#include "sql/tables/views.h"

#include <stdbool.h>
#include <stddef.h>
#include <string.h>

#define CONTEXT                                                                                    \
    "SELECT s.id, s.ts, s.dur, s.category, s.name, s.track_id, tt.name AS track_name, t.name AS "  \
    "thread_name, t.utid, "                                                                        \
    "t.tid, t.is_main_thread, p.name AS process_name, p.upid, p.pid, s.depth, s.parent_id, "       \
    "s.arg_set_id, s.thread_ts, "                                                                  \
    "s.thread_dur FROM slice s JOIN thread_track tt ON s.track_id = tt.id JOIN thread t USING "    \
    "(utid) "                                                                                      \
    "LEFT JOIN process p USING (upid)"

/* The ended states of a thread that overlap a slice: from the last one that begins no later. */
#define OVERLAP                                                                                    \
    "thread_state r WHERE r.utid = s.utid AND r.dur > 0 AND s.dur > 0 AND r.ts < s.ts + s.dur "    \
    "AND r.ts + r.dur > s.ts "                                                                     \
    "AND r.ts >= coalesce((SELECT b.ts FROM thread_state b WHERE b.utid = s.utid AND b.ts <= "     \
    "s.ts ORDER BY b.ts DESC "                                                                     \
    "LIMIT 1), s.ts)"
#define SHARED "min(s.ts + s.dur, r.ts + r.dur) - max(s.ts, r.ts)"

/* The number of rows that overlap, from each time on at which it changes. */
#define COUNTED(name, table, where)                                                                \
    "SELECT ts, sum(more) OVER (ORDER BY ts) AS " name                                             \
    " FROM (SELECT ts, sum(more) AS more FROM (SELECT ts, 1 AS "                                   \
    "more FROM " table " WHERE " where " UNION ALL SELECT ts + dur, -1 FROM " table                \
    " WHERE dur <> -1 AND " where ") GROUP BY ts) ORDER BY ts"

/* The self time of --top; of operations the time without their parts. */
#define SELF_DUR(table)                                                                            \
    "SELECT s.id, coalesce(s._self_dur, s.dur - coalesce((SELECT sum(c.dur) FROM " table           \
    " c WHERE c.parent_id = s.id), 0)) AS self_dur FROM " table " s"

/* The classes of states of each thread, and the time of a slice in one (state_time.h). */
#define CLASSES                                                                                    \
    "(SELECT min(id) AS first, utid, state, io_wait, blocked_function FROM thread_state GROUP BY " \
    "2, 3, 4, 5)"
#define IN_CLASS "fxtop_state_time(r.first, s.ts + s.dur) - fxtop_state_time(r.first, s.ts)"
#define OF_SLICE "s.id, s.name, s.utid, s.thread_name, s.upid, s.process_name"

/* An argument of a slice or an instant; those of JSON have a prefix (doc/QUERIES.md). */
#define ARGUMENT(name)                                                                             \
    "coalesce(extract_arg(s.arg_set_id, '" name "'), extract_arg(s.arg_set_id, 'args." name "'))"
#define IS_SAMPLE "s.name IN ('sample', 'blocked') AND s.dur = 0 AND s.cat = 'sampled'"

#define WEIGHT ARGUMENT("weight")
#define CPU ARGUMENT("cpu")
#define DSO ARGUMENT("dso")
#define FILE_NAME ARGUMENT("file")
#define LINE ARGUMENT("line")
#define STACK_SAMPLE                                                                               \
    "SELECT s.id, s.ts, t.utid, s.parent_id AS frame_id, coalesce(" WEIGHT ", 1) AS weight, " CPU  \
    " AS cpu, s.name = 'blocked' AS blocked FROM slice s JOIN thread_track t ON t.id = "           \
    "s.track_id "                                                                                  \
    "WHERE " IS_SAMPLE
/* A frame is a sampled slice. */
#define STACK_FRAME                                                                                \
    "SELECT s.id, s.ts, s.dur, t.utid, s.depth, s.parent_id, s.name, " DSO " AS dso, " FILE_NAME   \
    " AS file, " LINE " AS line FROM (SELECT DISTINCT track_id FROM slice s WHERE " IS_SAMPLE      \
    ") k CROSS JOIN slice s ON s.track_id = k.track_id JOIN thread_track t ON t.id = s.track_id "  \
    "WHERE s.cat = 'sampled' AND NOT (" IS_SAMPLE ")"

static const struct {
    const char *name, *select;
} views[] = {
    {"instant", "SELECT ts, track_id, name, arg_set_id FROM slice WHERE dur = 0"},
    {"trace_bounds", "SELECT trace_start() AS start_ts, trace_end() AS end_ts"},
    {"sched_slice", "SELECT id, ts, dur, cpu, utid, end_state, priority, ucpu FROM sched"},
    {"counters",
     "SELECT c.id, c.ts, c.track_id, c.value, c.arg_set_id, t.name, t.unit FROM counter c JOIN "
     "counter_track t ON c.track_id = t.id"},
    {"android_logs", "SELECT id, ts, utid, 4 AS prio, CAST(NULL AS TEXT) AS tag, msg FROM log"},
    {"logs", "SELECT id, ts, utid, 4 AS prio, CAST(NULL AS TEXT) AS tag, msg FROM log"},
    {"wakeup", "SELECT w.id, w.ts, w.dur AS latency, w.utid, w.waker_utid FROM thread_state w "
               "WHERE w.state = 'W' AND "
               "w.dur >= 0 AND (SELECT r.state FROM thread_state r WHERE r.utid = w.utid AND r.ts "
               "= w.ts + w.dur "
               "AND r.id > w.id ORDER BY r.id LIMIT 1) = 'Running'"},
    {"stack_sample", STACK_SAMPLE}, /* of sampling profilers */
    {"stack_frame", STACK_FRAME},
    {"stack_profile_mapping", "SELECT min(id) AS id, '' AS build_id, 0 AS exact_offset, 0 AS "
                              "start_offset, 0 AS start, 0 AS "
                              "\"end\", 0 AS load_bias, dso AS name FROM stack_frame WHERE dso "
                              "IS NOT NULL GROUP BY dso"},
    {"stack_profile_frame",
     "SELECT min(f.id) AS id, f.name, m.id AS mapping, 0 AS rel_pc, CAST(NULL AS INTEGER) AS "
     "symbol_set_id, CAST(NULL AS TEXT) AS deobfuscated_name FROM stack_frame f LEFT JOIN "
     "stack_profile_mapping m ON m.name = f.dso GROUP BY f.name, f.dso, f.file"},
    {"stack_profile_callsite", "SELECT id, depth, parent_id, min(id) OVER (PARTITION BY name, "
                               "dso, file) AS frame_id FROM "
                               "stack_frame"},
    {"perf_sample", "SELECT id, ts, utid, cpu, CAST(NULL AS TEXT) AS cpu_mode, frame_id AS "
                    "callsite_id, CAST(NULL "
                    "AS TEXT) AS unwind_error, 0 AS perf_session_id FROM stack_sample "
                    "WHERE NOT blocked"},
    /* modules */
    {"thread_slice", CONTEXT},
    {"process_slice", "SELECT s.id, s.ts, s.dur, s.category, s.name, s.track_id, t.name AS "
                      "track_name, p.name AS process_name, p.upid, p.pid, "
                      "s.depth, s.parent_id, s.arg_set_id, s.thread_ts, s.thread_dur FROM slice s "
                      "JOIN process_track t "
                      "ON s.track_id = t.id LEFT JOIN process p USING (upid)"},
    {"thread_or_process_slice",
     "SELECT s.id, s.ts, s.dur, s.category, s.name, s.track_id, coalesce(tt.name, pt.name) AS "
     "track_name, t.name AS "
     "thread_name, t.utid, t.tid, p.name AS process_name, p.upid, p.pid, s.depth, s.parent_id, "
     "s.arg_set_id, "
     "t.is_main_thread, s.thread_ts, s.thread_dur FROM slice s "
     "LEFT JOIN thread_track tt ON s.track_id = tt.id LEFT JOIN process_track pt ON s.track_id "
     "= "
     "pt.id LEFT JOIN thread t "
     "ON t.utid = tt.utid LEFT JOIN process p ON p.upid = coalesce(t.upid, pt.upid)"},
    {"_slice_with_thread_and_process_info",
     "SELECT s.id, s.ts, s.dur, s.category, s.name, s.track_id, a.name AS track_name, t.name "
     "AS "
     "thread_name, t.utid, "
     "t.tid, p.name AS process_name, p.upid, p.pid, s.depth, s.parent_id, s.arg_set_id, "
     "s.thread_ts, s.thread_dur FROM "
     "slice s JOIN track a ON s.track_id = a.id LEFT JOIN thread_track tt ON s.track_id = "
     "tt.id "
     "LEFT JOIN thread t ON "
     "t.utid = tt.utid LEFT JOIN process_track pt ON s.track_id = pt.id LEFT JOIN process p ON "
     "p.upid = "
     "coalesce(t.upid, pt.upid)"},
    {"slice_self_dur", SELF_DUR("slice")},
    {"thread_slice_cpu_time",
     "SELECT id, name, utid, thread_name, upid, process_name, cpu_time FROM (SELECT " OF_SLICE
     ", " IN_CLASS " AS cpu_time "
     "FROM thread_slice s JOIN " CLASSES
     " r USING (utid) WHERE s.dur > 0 AND r.state = 'Running') WHERE cpu_time > 0 "
     "ORDER BY id"},
    {"thread_slice_time_in_state",
     "SELECT id, name, utid, thread_name, upid, process_name, state, io_wait, "
     "blocked_function, "
     "dur FROM (SELECT " OF_SLICE ", r.state, r.io_wait, r.blocked_function, " IN_CLASS
     " AS dur FROM thread_slice s JOIN " CLASSES " r USING (utid) "
     "WHERE s.dur > 0) WHERE dur > 0 ORDER BY id, state, io_wait, blocked_function"},
    {"sched_time_in_state_for_thread",
     "SELECT utid, sum(sum(dur)) OVER (PARTITION BY utid) AS total_runtime, state, sum(dur) AS "
     "time_in_state, sum(dur) * 100 "
     "/ (sum(sum(dur)) OVER (PARTITION BY utid)) AS percentage_in_state FROM thread_state "
     "GROUP BY "
     "utid, state"},
    {"sched_percentage_of_time_in_state",
     "SELECT utid, max(iif(state = 'Running', percentage_in_state, NULL)) AS running, "
     "max(iif(state = 'R', "
     "percentage_in_state, NULL)) AS runnable, CAST(NULL AS INTEGER) AS runnable_preempted, "
     "max(iif(state = 'S', "
     "percentage_in_state, NULL)) AS sleeping, CAST(NULL AS INTEGER) AS uninterruptible_sleep, "
     "sum(iif(state IN ('T', 'X', "
     "'Z', 'W'), time_in_state, NULL)) * 100 / total_runtime AS other FROM "
     "sched_time_in_state_for_thread GROUP BY utid"},
    {"sched_with_thread_process",
     "SELECT s.id, s.ts, s.dur, s.utid, t.upid, t.name AS thread_name, p.name AS process_name, "
     "s.cpu, s.end_state, "
     "s.priority FROM sched s JOIN thread t USING (utid) LEFT JOIN process p USING (upid)"},
    {"sched_previous_runnable_on_thread",
     "SELECT id, prev_runnable_id, prev_wakeup_runnable_id FROM (SELECT id, state, max(id) "
     "FILTER "
     "(WHERE state <> "
     "'Running') OVER u AS prev_runnable_id, max(id) FILTER (WHERE waker_utid IS NOT NULL) "
     "OVER u "
     "AS "
     "prev_wakeup_runnable_id FROM thread_state WHERE state IN ('Running', 'R') AND dur <> -1 "
     "WINDOW u AS (PARTITION "
     "BY utid ORDER BY ts, id)) WHERE state = 'Running'"},
    {"sched_latency_for_running_interval",
     "SELECT r.id AS thread_state_id, s.id AS sched_id, n.utid, r.prev_runnable_id AS "
     "runnable_latency_id, p.dur AS "
     "latency_dur FROM sched_previous_runnable_on_thread r JOIN thread_state n ON n.id = r.id "
     "JOIN "
     "thread_state p ON p.id = "
     "r.prev_runnable_id JOIN sched s ON s.ts = n.ts AND s.utid = n.utid AND s.dur = n.dur"},
    {"sched_active_cpu_count",
     COUNTED("active_cpu_count", "sched", "utid NOT IN (SELECT utid FROM thread WHERE is_idle)")},
    {"sched_runnable_thread_count",
     COUNTED("runnable_thread_count", "thread_state", "state = 'R'")},
    /* empty ones, so that unions run */
    {"gpu_track", "SELECT * FROM track WHERE 0"},
    {"cpu_track", "SELECT *, NULL AS cpu, NULL AS ucpu FROM track WHERE 0"},
    {"cpu_counter_track", "SELECT *, NULL AS cpu, NULL AS ucpu FROM counter_track WHERE 0"},
    {"thread_counter_track", "SELECT *, NULL AS utid FROM counter_track WHERE 0"},
    {"gpu_counter_track", "SELECT *, NULL AS gpu_id FROM counter_track WHERE 0"},
    {"raw", "SELECT 0 AS id, 0 AS ts, '' AS name, 0 AS utid, 0 AS cpu, 0 AS ucpu, 0 AS arg_set_id, "
            "0 AS common_flags "
            "WHERE 0"},
    {"ftrace_event",
     "SELECT 0 AS id, 0 AS ts, '' AS name, 0 AS utid, 0 AS cpu, 0 AS ucpu, 0 AS arg_set_id, "
     "0 AS common_flags WHERE 0"},
    {"clock_snapshot", "SELECT 0 AS id, 0 AS ts, 0 AS clock_id, '' AS clock_name, 0 AS "
                       "clock_value, 0 AS snapshot_id, "
                       "0 AS machine_id WHERE 0"},
    {"machine", "SELECT 0 AS id, 0 AS raw_id, '' AS sysname, '' AS release, '' AS version, '' AS "
                "arch, 0 AS num_cpus "
                "WHERE 0"},
};

/* Views that call functions of fxtop, as selects for a database that other programs read. One that
 * reads main.slice becomes a table: saved.slice lacks its hidden columns. */
static const struct {
    const char *name, *select;
} saved[] = {
    {"thread_slice_cpu_time",
     "SELECT " OF_SLICE ", sum(" SHARED ") AS cpu_time FROM thread_slice s JOIN " OVERLAP
     " AND r.state = 'Running' GROUP BY s.id"},
    {"thread_slice_time_in_state",
     "SELECT " OF_SLICE ", r.state, r.io_wait, r.blocked_function, sum(" SHARED
     ") AS dur FROM thread_slice s JOIN " OVERLAP
     " GROUP BY s.id, r.state, r.io_wait, r.blocked_function"},
    {"slice_self_dur", SELF_DUR("main.slice")},
};

static const char *saved_select(size_t i) {
    for (size_t k = 0; k < sizeof saved / sizeof *saved; k++)
        if (strcmp(saved[k].name, views[i].name) == 0)
            return saved[k].select;
    return views[i].select;
}

static int make(sqlite3 *db, const char *what, const char *where, size_t i, const char *select) {
    char *sql = sqlite3_mprintf("CREATE %s %s.%s AS %s", what, where, views[i].name, select);
    int status = sql ? sqlite3_exec(db, sql, NULL, NULL, NULL) : SQLITE_NOMEM;
    sqlite3_free(sql);
    return status;
}

int views_make(sqlite3 *db) {
    int status = SQLITE_OK;
    for (size_t i = 0; i < sizeof views / sizeof *views && status == SQLITE_OK; i++)
        status = make(db, "VIEW", "temp", i, views[i].select);
    return status;
}

/* Whether only fxtop has what a view is made of: functions, or columns that are not saved. */
static bool is_computed(const char *select) {
    return strstr(select, "trace_start()") || strstr(select, "extract_arg(") ||
           strstr(select, "main.slice");
}

int views_save(sqlite3 *db) {
    int status = SQLITE_OK;
    for (size_t i = 0; i < sizeof views / sizeof *views && status == SQLITE_OK; i++) {
        const char *select = saved_select(i);
        status = make(db, is_computed(select) ? "TABLE" : "VIEW", "saved", i, select);
    }
    return status;
}
