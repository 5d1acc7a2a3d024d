/* fleets.c - asks the FILEs of the command line, and those of a list, one after the other.
 *
 * How answers are joined depends on the mode. */
#include "app/fleets.h"

#include <errno.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>

#include "app/status.h"
#include "model/output/fleet.h"
#include "model/output/test_report.h"
#include "src/io/output_file.h"

#define CACHE_FILES 16 /* FILEs whose indexes are written; longer lists would empty the cache */

struct asking {
    const struct options *options;
    const struct run *run;
    fleets_one *one;
};

static int ask(void *ctx, const struct fleet_trace *trace) {
    const struct asking *asking = ctx;
    struct options o = *asking->options;
    struct err err;
    o.name = trace->name;
    o.path = o.compare.sides[1] = trace->path;
    if (trace->file && !output_file_begin(trace->file, &err))
        return status_complain(trace->file, &err);
    if (trace->file)
        test_report_begin(o.table, stdout);
    int status = o.mode == MODE_COMPARE ? status_written(true, compare_traces(&o.compare, &o.trace))
                                        : asking->one(&o, asking->run);
    if (trace->file)
        test_report_end(o.table, stdout);
    if (trace->file && !output_file_end(status < 2, &err))
        return status_complain(trace->file, &err);
    return status;
}

static void complain_of(void *ctx, const char *path, const struct err *err) {
    (void)ctx;
    status_complain(path, err);
}

/* The paths of the command line, then those of the list. The first of --compare is no part of
 * it. */
static bool list_traces(const struct options *o, struct fleet_list *list) {
    struct err err;
    for (int i = o->mode == MODE_COMPARE; i < o->npaths; i++)
        fleet_add(list, o->paths[i]);
    bool read = o->files_from == NULL || fleet_read(list, o->files_from, &err);
    if (read && list->traces.n == 0 && o->mode != MODE_QUERY)
        read = err_set(&err, ERR_NO_OFFSET, "lists no trace");
    if (!read)
        status_complain(o->files_from, &err);
    return read;
}

/* How answers are joined; *ending: of a file with one. False: they cannot be. */
static bool find_how(const struct options *o, struct fleet *fleet, const char **ending) {
    static const char *const tables[] = {".txt", ".csv", ".ndjson", ".md", ".xml", ".txt"};
    static const char *const pictures[] = {".txt", ".ansi", ".svg", ".html"};
    static const char *const exports[] = {".ndjson", ".json", ".csv", ".folded", ".fxt", ".db"};
    bool asks = o->mode == MODE_QUERY || o->mode == MODE_ASSERT;
    bool rows = o->mode == MODE_TOP || o->mode == MODE_INSTANCES || o->mode == MODE_COMPARE;
    fleet->format = asks ? o->query.format : FORMAT_TABLE;
    fleet->how = asks || o->mode == MODE_INDEX ? FLEET_OWN : FLEET_TEXT;
    if (rows) {
        fleet->format = o->table;
        fleet->how = o->table == FORMAT_CSV || o->table == FORMAT_NDJSON ? FLEET_ROWS : FLEET_TEXT;
    }
    if (test_report_is(o->table)) {
        fleet->format = o->table;
        fleet->how = FLEET_OWN;
    }
    *ending = o->mode == MODE_PRINT ? pictures[o->picture] : tables[fleet->format];
    if (o->mode != MODE_EXPORT)
        return o->mode != MODE_PRINT;
    *ending = exports[o->format];
    fleet->how = o->format == EXPORT_FOLDED ? FLEET_STACKS : FLEET_ROWS;
    fleet->format = o->format == EXPORT_NDJSON ? FORMAT_NDJSON : FORMAT_CSV;
    if (fleet->how == FLEET_STACKS)
        fleet->format = FORMAT_TABLE;
    return o->format == EXPORT_NDJSON || o->format == EXPORT_CSV || o->format == EXPORT_FOLDED;
}

static int refuse_to_join(const struct options *o) {
    static const char *const formats[] = {
        [EXPORT_JSON] = "json", [EXPORT_FXT] = "fxt", [EXPORT_SQLITE] = "sqlite"};
    struct err err;
    err_set(&err, ERR_NO_OFFSET, "--%s%s of several traces needs -o DIR/, for a file each",
            o->mode == MODE_PRINT ? "print" : "export=",
            o->mode == MODE_PRINT ? "" : formats[o->format]);
    return status_complain(NULL, &err);
}

static int ask_all(const struct options *o, struct fleet_list *list, const struct run *run,
                   fleets_one *one) {
    struct options each = *o;
    struct asking asking = {&each, run, one};
    struct fleet fleet = {.list = list,
                          .jobs = o->jobs,
                          .nlabels = o->nlabels,
                          .named = o->with_trace || o->files_from,
                          .ascii = o->ascii,
                          .ask = ask,
                          .complain = complain_of,
                          .ctx = &asking};
    const char *ending;
    bool joins = find_how(o, &fleet, &ending);
    memcpy(fleet.labels, o->labels, sizeof fleet.labels);
    if (!joins && list->traces.n > 1 && o->folder == NULL)
        return refuse_to_join(o);
    if (o->folder && list->traces.n > 0) {
        struct err err;
        if (mkdir(o->folder, 0777) != 0 && errno != EEXIST) {
            err_errno(&err, "cannot be made: ", errno);
            return status_complain(o->folder, &err);
        }
        fleet_name_files(list, o->folder, ending);
        fleet.how = FLEET_OWN;
        fleet.format = FORMAT_TABLE;
        fleet.nlabels = 0;
    }
    each.with_trace = fleet.named || list->traces.n > 1;
    if (list->traces.n > CACHE_FILES && o->cache == CACHE_AUTO)
        each.trace.cache_from = TRACE_NEVER;
    return fleet_run(&fleet);
}

int fleets_ask(const struct options *o, const struct run *run, fleets_one *one) {
    struct fleet_list list = {.text = {0}};
    int status = list_traces(o, &list) ? ask_all(o, &list, run, one) : 2;
    fleet_free(&list);
    return status;
}
