/* views.c - temporary views, each a row: name, and its select.
 *
 * They are made when a database is opened. INCLUDE only checks the name of a module, so its views are always there. */
#include "sql/tables/views.h"

#include <stdbool.h>
#include <stddef.h>
#include <string.h>

#define CONTEXT                                                                                                        \
    "SELECT s.id, s.ts, s.dur, s.category, s.name, s.track_id, t.name AS thread_name, t.utid, t.tid, "                 \
    "t.is_main_thread, p.name AS process_name, p.upid, p.pid, s.depth, s.parent_id, s.arg_set_id, s.thread_ts, "       \
    "s.thread_dur FROM slice s JOIN thread_track tt ON s.track_id = tt.id JOIN thread t USING (utid) "                 \
    "LEFT JOIN process p USING (upid)"

/* The states of a thread that overlap a slice: from the last one that begins no later. */
#define OVERLAP                                                                                                        \
    "thread_state r WHERE r.utid = s.utid AND r.ts < s.ts + s.dur AND r.ts >= coalesce((SELECT b.ts FROM "             \
    "thread_state b WHERE b.utid = s.utid AND b.ts <= s.ts ORDER BY b.ts DESC LIMIT 1), s.ts)"
#define SHARED                                                                                                         \
    "max(0, min(s.ts + s.dur, iif(r.dur < 0, s.ts + s.dur, r.ts + r.dur)) - max(s.ts, r.ts))"

static const struct {
    const char *name, *select;
} views[] = {
    {"instant", "SELECT ts, track_id, name, arg_set_id FROM slice WHERE dur = 0"},
    {"trace_bounds", "SELECT trace_start() AS start_ts, trace_end() AS end_ts"},
    {"sched_slice", "SELECT id, ts, dur, cpu, utid, end_state, priority, ucpu FROM sched"},
    {"counters", "SELECT c.id, c.ts, c.track_id, c.value, c.arg_set_id, t.name, t.unit FROM counter c JOIN "
                 "counter_track t ON c.track_id = t.id"},
    {"android_logs", "SELECT id, ts, utid, 4 AS prio, CAST(NULL AS TEXT) AS tag, msg FROM log"},
    {"logs", "SELECT id, ts, utid, 4 AS prio, CAST(NULL AS TEXT) AS tag, msg FROM log"},
    {"wakeup", "SELECT w.id, w.ts, w.dur AS latency, w.utid, w.waker_utid FROM thread_state w WHERE w.state = 'W' AND "
               "w.dur >= 0 AND (SELECT r.state FROM thread_state r WHERE r.utid = w.utid AND r.ts = w.ts + w.dur "
               "AND r.id > w.id ORDER BY r.id LIMIT 1) = 'Running'"},
    /* modules */
    {"thread_slice", CONTEXT},
    {"process_slice", "SELECT s.id, s.ts, s.dur, s.category, s.name, s.track_id, p.name AS process_name, p.upid, p.pid, "
                      "s.depth, s.parent_id, s.arg_set_id, s.thread_ts, s.thread_dur FROM slice s JOIN process_track t "
                      "ON s.track_id = t.id LEFT JOIN process p USING (upid)"},
    {"thread_or_process_slice",
     "SELECT s.id, s.ts, s.dur, s.category, s.name, s.track_id, t.name AS thread_name, t.utid, t.tid, t.is_main_thread, "
     "p.name AS process_name, p.upid, p.pid, s.depth, s.parent_id, s.arg_set_id, s.thread_ts, s.thread_dur FROM slice s "
     "LEFT JOIN thread_track tt ON s.track_id = tt.id LEFT JOIN process_track pt ON s.track_id = pt.id LEFT JOIN thread t "
     "ON t.utid = tt.utid LEFT JOIN process p ON p.upid = coalesce(t.upid, pt.upid)"},
    {"slice_self_dur", "SELECT s.id, s.dur - coalesce((SELECT sum(c.dur) FROM slice c WHERE c.parent_id = s.id), 0) AS "
                       "self_dur FROM slice s"},
    {"thread_slice_cpu_time", "SELECT s.id, s.name, s.utid, s.thread_name, s.upid, s.process_name, (SELECT sum(" SHARED
                              ") FROM " OVERLAP " AND r.state = 'Running') AS cpu_time FROM thread_slice s WHERE "
                              "s.dur > 0"},
    {"thread_slice_time_in_state",
     "SELECT s.id, s.name, s.utid, s.thread_name, s.upid, s.process_name, r.state, r.io_wait, r.blocked_function, "
     "sum(" SHARED ") AS dur FROM thread_slice s JOIN " OVERLAP
     " AND s.dur > 0 GROUP BY s.id, r.state, r.io_wait, r.blocked_function"},
    /* empty ones, so that unions run */
    {"gpu_track", "SELECT * FROM track WHERE 0"},
    {"cpu_track", "SELECT *, NULL AS cpu, NULL AS ucpu FROM track WHERE 0"},
    {"cpu_counter_track", "SELECT *, NULL AS cpu, NULL AS ucpu FROM counter_track WHERE 0"},
    {"thread_counter_track", "SELECT *, NULL AS utid FROM counter_track WHERE 0"},
    {"gpu_counter_track", "SELECT *, NULL AS gpu_id FROM counter_track WHERE 0"},
    {"raw", "SELECT 0 AS id, 0 AS ts, '' AS name, 0 AS utid, 0 AS cpu, 0 AS ucpu, 0 AS arg_set_id, 0 AS common_flags "
            "WHERE 0"},
    {"ftrace_event", "SELECT 0 AS id, 0 AS ts, '' AS name, 0 AS utid, 0 AS cpu, 0 AS ucpu, 0 AS arg_set_id, "
                     "0 AS common_flags WHERE 0"},
    {"clock_snapshot", "SELECT 0 AS id, 0 AS ts, 0 AS clock_id, '' AS clock_name, 0 AS clock_value, 0 AS snapshot_id, "
                       "0 AS machine_id WHERE 0"},
    {"machine", "SELECT 0 AS id, 0 AS raw_id, '' AS sysname, '' AS release, '' AS version, '' AS arch, 0 AS num_cpus "
                "WHERE 0"},
};

static int make(sqlite3 *db, const char *what, const char *where, size_t i) {
    char *sql = sqlite3_mprintf("CREATE %s %s.%s AS %s", what, where, views[i].name, views[i].select);
    int status = sql ? sqlite3_exec(db, sql, NULL, NULL, NULL) : SQLITE_NOMEM;
    sqlite3_free(sql);
    return status;
}

int views_make(sqlite3 *db) {
    int status = SQLITE_OK;
    for (size_t i = 0; i < sizeof views / sizeof *views && status == SQLITE_OK; i++)
        status = make(db, "VIEW", "temp", i);
    return status;
}

int views_save(sqlite3 *db) {
    int status = SQLITE_OK;
    for (size_t i = 0; i < sizeof views / sizeof *views && status == SQLITE_OK; i++) {
        bool computed = strstr(views[i].select, "trace_start()") != NULL;
        status = make(db, computed ? "TABLE" : "VIEW", "saved", i);
    }
    return status;
}
