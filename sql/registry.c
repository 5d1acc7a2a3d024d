/* registry.c - all tables and views of SQL: one row each. */
#include "sql/registry.h"

#include "sql/state_time.h"
#include "sql/tables/analysis.h"
#include "sql/tables/args.h"
#include "sql/tables/flows.h"
#include "sql/tables/intersect.h"
#include "sql/tables/numbers.h"
#include "sql/tables/own.h"
#include "sql/tables/records.h"
#include "sql/tables/samples.h"
#include "sql/tables/slices.h"
#include "sql/tables/span.h"
#include "sql/tables/states.h"
#include "sql/tables/threads.h"
#include "sql/tables/traces.h"
#include "sql/tables/tracks.h"
#include "sql/tables/views.h"
#include "sql/tables/walk.h"

static const struct table *const tables[] = {
    &slices_table,
    &slices_alias,
    &tracks_table,
    &tracks_of_threads,
    &tracks_of_processes,
    &tracks_of_counters,
    &tracks_of_process_counters,
    &threads_table,
    &threads_processes,
    &samples_table,
    &states_sched,
    &states_threads,
    &states_cpus,
    &flows_table,
    &flows_hops,
    &args_table,
    &own_log,
    &own_problem,
    &own_stats,
    &own_metadata,
    &own_object,
    &own_userobject,
    &own_blob,
    &own_lost,
    &own_provider,
    &records_table,
    &analysis_names,
    &analysis_lives,
    &analysis_gaps,
    &analysis_path,
    &walk_ancestors,
    &walk_descendants,
    &walk_following,
    &walk_preceding,
    &walk_connected,
};

const struct table *registry_table(size_t i) {
    return i < sizeof tables / sizeof *tables ? tables[i] : NULL;
}

int registry_fill(sqlite3 *db, struct source *source) {
    int status = SQLITE_OK;
    for (size_t i = 0; i < sizeof tables / sizeof *tables && status == SQLITE_OK; i++)
        status = table_register(db, source, tables[i]);
    /* SQLite's own tables of columns connect while everything is allowed. */
    static const char own[] =
        "SELECT 1 FROM pragma_table_info('x'), pragma_table_xinfo('x'), pragma_table_list, "
        "pragma_function_list, json_each('[]'), json_tree('[]') LIMIT 0";
    if (status == SQLITE_OK && trace_files(source->trace) > 1)
        status = table_register(db, source, &traces_table);
    if (status == SQLITE_OK)
        status = span_register(db, source);
    if (status == SQLITE_OK)
        status = intersect_register(db, source);
    if (status == SQLITE_OK)
        status = numbers_register(db, source);
    if (status == SQLITE_OK)
        status = state_time_register(db, source);
    if (status == SQLITE_OK)
        status = sqlite3_exec(db, own, NULL, NULL, NULL);
    return status == SQLITE_OK ? views_make(db) : status;
}

int registry_fill_batches(sqlite3 *db, struct source *source) {
    static const struct table *const added[] = {&slices_table, &slices_alias, &samples_table,
                                                &states_sched, &states_threads};
    int status = SQLITE_OK;
    for (size_t i = 0; i < sizeof added / sizeof *added && status == SQLITE_OK; i++)
        status = table_register_batches(db, source, added[i]);
    return status;
}

bool registry_hides_batches(sqlite3 *db) {
    static const char sql[] = "SELECT 1 FROM sqlite_temp_master WHERE lower(name) IN ('slice', "
                              "'slices', 'counter', 'sched', 'thread_state')";
    sqlite3_stmt *statement;
    if (sqlite3_prepare_v2(db, sql, -1, &statement, NULL) != SQLITE_OK)
        return true;
    bool hides = sqlite3_step(statement) != SQLITE_DONE;
    sqlite3_finalize(statement);
    return hides;
}

int registry_save(sqlite3 *db) {
    static const char more[] = "CREATE VIEW saved.slices AS SELECT * FROM slice; CREATE INDEX "
                               "saved.slice_id ON slice (id); "
                               "CREATE INDEX saved.slice_name_ts ON slice (name, ts); CREATE INDEX "
                               "saved.slice_parent ON slice (parent_id); "
                               "CREATE INDEX saved.state_utid_ts ON thread_state (utid, ts); "
                               "CREATE INDEX saved.args_set ON args (arg_set_id)";
    int status = SQLITE_OK;
    for (size_t i = 0; i < sizeof tables / sizeof *tables && status == SQLITE_OK; i++) {
        if (tables[i]->needs || tables[i] == &slices_alias || tables[i] == &records_table)
            continue;
        char *sql = sqlite3_mprintf("CREATE TABLE saved.%s AS SELECT * FROM %s", tables[i]->name,
                                    tables[i]->name);
        status = sql ? sqlite3_exec(db, sql, NULL, NULL, NULL) : SQLITE_NOMEM;
        sqlite3_free(sql);
    }
    if (status == SQLITE_OK)
        status = sqlite3_exec(db, more, NULL, NULL, NULL);
    return status == SQLITE_OK ? views_save(db) : status;
}
