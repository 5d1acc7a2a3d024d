/* args.c - the table args.
 *
 * The set of a slice has its id. One set is found by it; without, all slices are visited and their
 * records decoded. */
#include "sql/tables/args.h"

#include <stdlib.h>

#include "sql/arguments/arguments.h"
#include "sql/arguments/dotted.h"
#include "sql/family.h"

#define SET_MOST 64 /* arguments of begin and end are fewer */

struct walk {
    struct rows_cursor slices; /* without an input */
    struct arguments set;
    int64_t id;
    size_t at; /* in the set */
    bool all;
};

static void end_walk(struct table_cursor *cursor) {
    struct walk *w = cursor->own;
    if (w == NULL)
        return;
    arguments_free(&w->set);
    rows_cursor_free(&w->slices);
    free(w);
    cursor->own = NULL;
}

static void read_set(struct table_cursor *cursor, struct walk *w) {
    arguments_read(&w->set, cursor->source, w->id);
    if (cursor->source->json)
        dotted_arguments(&w->set);
}

/* Moves to the next slice that has arguments. */
static bool next_set(struct table_cursor *cursor) {
    struct walk *w = cursor->own;
    w->at = 0;
    for (w->set.v.n = 0; !w->slices.end; w->set.v.n = 0) {
        w->id = rows_cursor_id(&w->slices);
        read_set(cursor, w);
        if (!rows_cursor_next(&w->slices))
            return false;
        if (w->set.v.n > 0)
            return true;
        if (source_stopped(cursor->source))
            return false;
    }
    cursor->rows.end = true;
    return true;
}

static bool begin(struct table_cursor *cursor) {
    struct walk *w = cursor->own = err_calloc(1, sizeof *w);
    if (cursor->has_input) {
        w->id = cursor->input;
        read_set(cursor, w);
        cursor->rows.end = w->set.v.n == 0;
        return true;
    }
    struct rows_ask ask = {.parent = -1};
    for (int t = 0; t < ROWS_TERMS; t++)
        ask.within[t] = ROWS_ALL;
    w->all = true;
    return rows_cursor_ask(&w->slices, family_rows(cursor->source), &ask) && next_set(cursor);
}

static bool next(struct table_cursor *cursor) {
    struct walk *w = cursor->own;
    if (++w->at < w->set.v.n)
        return true;
    if (w->all)
        return next_set(cursor);
    cursor->rows.end = true;
    return true;
}

enum { ID, SET, FLAT_KEY, KEY, INT, STRING, REAL, TYPE, DISPLAY };

static void get(struct table_cursor *cursor, int column, sqlite3_context *out) {
    static const enum argument_column of[] = {
        [FLAT_KEY] = ARGUMENT_FLAT_KEY, [KEY] = ARGUMENT_KEY,   [INT] = ARGUMENT_INT,
        [STRING] = ARGUMENT_STRING,     [REAL] = ARGUMENT_REAL, [TYPE] = ARGUMENT_TYPE,
        [DISPLAY] = ARGUMENT_DISPLAY};
    const struct walk *w = cursor->own;
    if (column == ID)
        sqlite3_result_int64(out, w->id * (cursor->source->json ? DOTTED_MOST : SET_MOST) +
                                      (int64_t)w->at);
    else if (column == SET)
        sqlite3_result_int64(out, w->id);
    else
        arguments_cell(&w->set, &w->set.v.v[w->at], of[column], out);
}

static const struct table_column columns[] = {
    TABLE_INT("id"),
    {"arg_set_id", TABLE_INTEGER, ROLE_INPUT, false},
    TABLE_STR("flat_key"),
    TABLE_STR("key"),
    TABLE_INT("int_value"),
    TABLE_STR("string_value"),
    {"real_value", TABLE_REAL, ROLE_NONE, false},
    TABLE_STR("value_type"),
    TABLE_STR("display_value"),
};

const struct table args_table = {
    "args", TABLE_COLUMNS(columns), NULL, get, begin, next, end_walk, NULL, 4};
