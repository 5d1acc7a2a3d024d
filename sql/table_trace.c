/* table_trace.c - the column `trace` of tables, if several traces are open.
 *
 * It is the name of the one that has the record of the row: of threads, processes and problems the
 * first one. */
#include <string.h>

#include "model/trace/trace_problems.h"
#include "sql/family.h"
#include "sql/table.h"
#include "sql/tables/flows.h"

typedef bool record_of(struct table_cursor *cursor, uint64_t *offset);

static bool of_slice(struct table_cursor *cursor, uint64_t *offset) {
    uint64_t end;
    *offset = family_offset(cursor->source, cursor->rows.lane, cursor->rows.i, &end);
    return true;
}

static bool of_thread(struct table_cursor *cursor, uint64_t *offset) {
    size_t id = (size_t)rows_cursor_id(&cursor->rows);
    *offset = trace_thread(cursor->source->trace, id - 1)->id.offset;
    return true;
}

static bool of_process(struct table_cursor *cursor, uint64_t *offset) {
    size_t id = (size_t)rows_cursor_id(&cursor->rows);
    if (id == 0) /* of pid 0 */
        return false;
    *offset = trace_process(cursor->source->trace, id - 1)->offset;
    return true;
}

static bool of_sample(struct table_cursor *cursor, uint64_t *offset) {
    const struct counter_sample *samples = cursor->rows.lane->of;
    *offset = counter_offset(&samples[cursor->rows.i]);
    return true;
}

/* A run from before the first record of its CPU has that record. */
static bool of_run(struct table_cursor *cursor, uint64_t *offset) {
    *offset = slice_offset(lane_at(cursor->rows.lane->of, cursor->rows.i));
    return true;
}

static bool of_log(struct table_cursor *cursor, uint64_t *offset) {
    size_t n;
    *offset = trace_logs(cursor->source->trace, &n)[cursor->rows.i].at.offset;
    return true;
}

static bool of_flow(struct table_cursor *cursor, uint64_t *offset) {
    const struct flows_hop *hop = flows_hop(cursor->source, cursor->rows.i);
    *offset = flow_offset(trace_flows(cursor->source->trace), hop->from);
    return true;
}

static bool of_provider(struct table_cursor *cursor, uint64_t *offset) {
    struct reader *reader = trace_reader(cursor->source->trace);
    *offset = reader_provider(reader, cursor->rows.i)->offset;
    return true;
}

static bool of_problem(struct table_cursor *cursor, uint64_t *offset) {
    *offset = trace_problems(cursor->source->trace)->kinds[cursor->rows.i].first_offset;
    return true;
}

static const struct {
    const char *table;
    record_of *record;
} tables[] = {{"slice", of_slice},     {"slices", of_slice},     {"thread", of_thread},
              {"process", of_process}, {"counter", of_sample},   {"sched", of_run},
              {"log", of_log},         {"flow", of_flow},        {"flow_hop", of_flow},
              {"problem", of_problem}, {"provider", of_provider}};

static record_of *record_in(const struct table *table) {
    for (size_t i = 0; i < sizeof tables / sizeof *tables; i++)
        if (strcmp(tables[i].table, table->name) == 0)
            return tables[i].record;
    return NULL;
}

bool table_has_trace(const struct source *source, const struct table *table) {
    return trace_files(source->trace) > 1 && record_in(table);
}

void table_trace(struct table_cursor *cursor, sqlite3_context *out) {
    const struct trace *trace = cursor->source->trace;
    uint64_t offset;
    if (record_in(cursor->table)(cursor, &offset))
        table_text(out, str_of(trace_file_name(trace, trace_record_file(trace, offset))));
}
