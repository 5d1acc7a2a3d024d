/* numbers.c - functions of the slices of a name.
 *
 * Once a thread is named, all slices are counted by their names and those of their threads. An
 * assertion often asks for several numbers of a thread, and a query for those of many. */
#include "sql/tables/numbers.h"

#include <stdlib.h>
#include <string.h>

#include "sql/functions.h"
#include "sql/tables/analysis.h"

#define SAMPLED "sampled: count samples" /* doc/IMPORT.md has how */

static const char by_thread_key;

struct by_thread {
    struct map threads; /* by name: the first thread that has it */
    uint32_t *first;    /* of each thread: the first one of its name */
    struct analysis_names names;
};

static void free_by_thread(void *of) {
    struct by_thread *t = of;
    analysis_names_free(&t->names);
    map_free(&t->threads);
    free(t->first);
    free(t);
}

struct wanted {
    const struct source *source;
    struct str name;
};

static bool has_name(const void *ctx, uint32_t thread) {
    const struct wanted *w = ctx;
    char buf[40];
    bool named;
    struct str own =
        trace_thread_name(w->source->trace, trace_thread(w->source->trace, thread), buf, &named);
    return str_eq(own, w->name);
}

static struct by_thread *new_by_thread(struct source *source) {
    struct by_thread *t = err_calloc(1, sizeof *t);
    char buf[40];
    bool named;
    t->first = err_calloc((size_t)source->threads + 1, sizeof *t->first);
    for (uint32_t i = 0; i < source->threads; i++) {
        struct wanted w = {
            source, trace_thread_name(source->trace, trace_thread(source->trace, i), buf, &named)};
        t->first[i] = map_intern(&t->threads, hash_bytes(w.name.s, w.name.n), has_name, &w, i);
    }
    source_keep(source, &by_thread_key, t, free_by_thread);
    return t;
}

static uint32_t first_of(const void *ctx, uint32_t track) {
    return ((const struct by_thread *)ctx)->first[track];
}

/* The numbers by name and thread; *first: the first thread of the name. NULL: stopped, or no thread
 * has the name. */
static struct analysis_names *names_of_thread(struct source *source, struct str name,
                                              uint32_t *first) {
    struct by_thread *t = source_find(source, &by_thread_key);
    if (t == NULL)
        t = new_by_thread(source);
    *first =
        map_find(&t->threads, hash_bytes(name.s, name.n), has_name, &(struct wanted){source, name});
    bool counted = *first != MAP_NONE &&
                   analysis_names_count(source, &t->names, SLICE_ITER_SLICES, first_of, t);
    return counted ? &t->names : NULL;
}

/* A number of the slices of a name, on all threads or on those that have the name *thread. False:
 * there is no such slice, or it was stopped. *sampled: all of them are a profiler's. */
static bool number_of(struct source *source, struct str name, const struct str *thread,
                      enum names_column column, int64_t *value, bool *sampled) {
    struct aggregate_key key = {
        .name = names_find(reader_names(trace_reader(source->trace)), name.s, name.n)};
    struct analysis_names *names =
        thread ? names_of_thread(source, *thread, &key.a) : analysis_names_of(source);
    uint32_t row = names ? analysis_names_row(names, key) : AGGREGATE_ANY;
    *sampled = row != AGGREGATE_ANY &&
               names_table_row(&names->numbers, row)->key.b == AGGREGATE_SAMPLED;
    source->left_out |= trace_damaged_name(source->trace, key.name) ? SLICE_ITER_SLICES : 0;
    return row != AGGREGATE_ANY && analysis_names_value(source, names, row, column, value);
}

/* ---- functions ---- */

static void number(sqlite3_context *out, int n, sqlite3_value **v) {
    struct source *source = functions_source(out);
    enum names_column column = (enum names_column)functions_factor(out);
    int64_t value;
    bool sampled;
    for (int i = 0; i < n; i++)
        if (sqlite3_value_type(v[i]) == SQLITE_NULL)
            return;
    struct str thread = n > 1 ? functions_text(v[1]) : STR("");
    bool known =
        number_of(source, functions_text(v[0]), n > 1 ? &thread : NULL, column, &value, &sampled);
    if (sampled)
        sqlite3_result_error(out, SAMPLED, -1);
    else if (known)
        sqlite3_result_int64(out, value);
    else if (column == NAMES_COUNT && !source_stopped(source))
        sqlite3_result_int64(out, 0);
}

int numbers_register(sqlite3 *db, struct source *source) {
    static const struct functions_scalar rows[] = {
        {"dur_count", 1, number, NAMES_COUNT}, {"dur_count", 2, number, NAMES_COUNT},
        {"dur_total", 1, number, NAMES_TOTAL}, {"dur_total", 2, number, NAMES_TOTAL},
        {"dur_p50", 1, number, NAMES_P50},     {"dur_p50", 2, number, NAMES_P50},
        {"dur_p90", 1, number, NAMES_P90},     {"dur_p90", 2, number, NAMES_P90},
        {"dur_p99", 1, number, NAMES_P99},     {"dur_p99", 2, number, NAMES_P99},
        {"dur_max", 1, number, NAMES_MAX},     {"dur_max", 2, number, NAMES_MAX},
    };
    return functions_add(db, source, rows, sizeof rows / sizeof *rows);
}
