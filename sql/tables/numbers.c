/* numbers.c - functions of the slices of a name.
 *
 * Each thread name that was asked for has a table of names of its own, which is kept: an assertion
 * often asks for several numbers of a thread. */
#include "sql/tables/numbers.h"

#include <stdlib.h>
#include <string.h>

#include "sql/functions.h"
#include "sql/tables/analysis.h"

static const char thread_names_key;

struct of_thread { /* the names of the threads that share a name */
    char *text;
    size_t n;
    bool any;      /* a thread has it */
    unsigned made; /* of the first one: how many there are */
    struct analysis_names names;
    struct of_thread *next;
};

static void free_threads(void *of) {
    for (struct of_thread *t = of, *next; t; t = next) {
        next = t->next;
        analysis_names_free(&t->names);
        free(t->text);
        free(t);
    }
}

static struct of_thread *new_thread(struct source *source, struct str name) {
    struct of_thread *t = err_calloc(1, sizeof *t);
    char buf[40];
    bool named;
    t->text = err_calloc(name.n + 1, 1);
    t->n = name.n;
    if (name.n > 0)
        memcpy(t->text, name.s, name.n);
    for (uint32_t i = 0; i < source->threads; i++) {
        struct str own =
            trace_thread_name(source->trace, trace_thread(source->trace, i), buf, &named);
        if (own.n == name.n && memcmp(own.s, t->text, own.n) == 0)
            track_set_put(&t->names.range.tracks, i, true);
    }
    t->any = t->names.range.tracks.v.n > 0;
    return t;
}

/* NULL: stopped, or no thread has the name. Tables are kept, as an assertion asks for several
 * numbers of a thread. */
static struct analysis_names *names_of_thread(struct source *source, struct str name) {
    struct of_thread *first = source_find(source, &thread_names_key), *t = first;
    while (t && (t->n != name.n || memcmp(t->text, name.s, name.n) != 0))
        t = t->next;
    if (t == NULL) {
        t = new_thread(source, name);
        t->names.of = first ? ++first->made : 1;
        if (first == NULL) {
            t->made = 1;
            source_keep(source, &thread_names_key, t, free_threads);
        } else {
            t->next = first->next;
            first->next = t;
        }
    }
    return t->any && analysis_names_count(source, &t->names, SLICE_ITER_SLICES) ? &t->names : NULL;
}

/* A number of the slices of a name, on all threads or on those that have the name *thread. False:
 * there is no such slice, or it was stopped. */
static bool number_of(struct source *source, struct str name, const struct str *thread,
                      enum names_column column, int64_t *value) {
    struct analysis_names *names =
        thread ? names_of_thread(source, *thread) : analysis_names_of(source);
    struct aggregate_key key = {
        .name = names_find(reader_names(trace_reader(source->trace)), name.s, name.n)};
    uint32_t row = names ? aggregate_find(&names->numbers.aggregate, &key) : AGGREGATE_ANY;
    source->left_out |= trace_damaged_name(source->trace, key.name) ? SLICE_ITER_SLICES : 0;
    return row != AGGREGATE_ANY && analysis_names_value(source, names, row, column, value);
}

/* ---- functions ---- */

static void number(sqlite3_context *out, int n, sqlite3_value **v) {
    struct source *source = functions_source(out);
    enum names_column column = (enum names_column)functions_factor(out);
    int64_t value;
    for (int i = 0; i < n; i++)
        if (sqlite3_value_type(v[i]) == SQLITE_NULL)
            return;
    struct str thread = n > 1 ? functions_text(v[1]) : STR("");
    if (number_of(source, functions_text(v[0]), n > 1 ? &thread : NULL, column, &value))
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
