/* table_trace.c - the column `trace` of slices, threads and processes, if several traces are open.
 *
 * It is the name of the one that has the record of the row; of threads and processes, the first. */
#include <string.h>

#include "sql/family.h"
#include "sql/table.h"

/* The offset of the record of a row; false: the table has none. */
static bool record_of(struct table_cursor *cursor, uint64_t *offset) {
    const char *table = cursor->table->name;
    struct trace *trace = cursor->source->trace;
    uint64_t id = (uint64_t)rows_cursor_id(&cursor->rows), end;
    if (strcmp(table, "thread") == 0)
        *offset = trace_thread(trace, id - 1)->id.offset;
    else if (strcmp(table, "process") == 0 && id > 0)
        *offset = trace_process(trace, id - 1)->offset;
    else if (strcmp(table, "process") == 0) /* of pid 0 */
        return false;
    else
        *offset = family_offset(cursor->source, cursor->rows.lane, cursor->rows.i, &end);
    return true;
}

bool table_has_trace(const struct source *source, const struct table *table) {
    static const char *const tables[] = {"slice", "slices", "thread", "process"};
    for (size_t i = 0; i < sizeof tables / sizeof *tables; i++)
        if (strcmp(tables[i], table->name) == 0)
            return trace_files(source->trace) > 1;
    return false;
}

void table_trace(struct table_cursor *cursor, sqlite3_context *out) {
    const struct trace *trace = cursor->source->trace;
    uint64_t offset;
    if (record_of(cursor, &offset))
        table_text(out, str_of(trace_file_name(trace, trace_record_file(trace, offset))));
}
