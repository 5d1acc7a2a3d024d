/* records.c - the table record: every record of the file, decoded as it is walked.
 *
 * A constraint on the offset gives one record. text is what --records prints of its fields. */
#include "sql/tables/records.h"

#include <stdlib.h>

#include "model/query/dissect.h"

struct walk {
    struct dissection dissection;
    bool all;
};

static struct dissect_place place_of(const struct table_cursor *cursor) {
    return (struct dissect_place){trace_reader(cursor->source->trace), cursor->source->trace, 0};
}

static bool open_at(struct table_cursor *cursor, uint64_t offset) {
    struct walk *w = cursor->own;
    struct dissect_place place = place_of(cursor);
    cursor->rows.end =
        offset % 8 != 0 || !dissect_open(&w->dissection, &place, offset) || w->dissection.size == 0;
    return !source_stopped(cursor->source);
}

static bool begin(struct table_cursor *cursor) {
    struct walk *w = cursor->own = err_calloc(1, sizeof *w);
    w->all = !cursor->has_input;
    cursor->rows.end = !w->all && cursor->input < 0;
    return cursor->rows.end || open_at(cursor, w->all ? 0 : (uint64_t)cursor->input);
}

static bool next(struct table_cursor *cursor) {
    struct walk *w = cursor->own;
    cursor->rows.end = !w->all;
    return !w->all || open_at(cursor, w->dissection.offset + (w->dissection.size + 7) / 8 * 8);
}

static void end_walk(struct table_cursor *cursor) {
    struct walk *w = cursor->own;
    if (w)
        dissect_free(&w->dissection);
    free(w);
    cursor->own = NULL;
}

static void get_text(const struct walk *w, sqlite3_context *out) {
    char *text = NULL;
    size_t n;
    FILE *to = open_memstream(&text, &n);
    if (to == NULL) {
        sqlite3_result_error_nomem(out);
        return;
    }
    dissect_print(&w->dissection, to);
    if (fclose(to) == 0)
        /* after its first blank */
        table_text(out, n > 0 ? (struct str){text + 1, n - 1} : STR(""));
    free(text);
}

static const char *frame_text(const struct dissection *d) {
    switch ((enum reader_frame_kind)d->frame) {
    case FRAME_RECORD:
    case FRAME_CUT:
        return fxt_kind_name(d->kind);
    case FRAME_ZERO_SIZE:
        return "zero_size";
    case FRAME_ZEROS:
        return "zeros";
    default:
        return "bytes";
    }
}

static void get(struct table_cursor *cursor, int column, sqlite3_context *out) {
    const struct walk *w = cursor->own;
    if (column == 0)
        sqlite3_result_int64(out, (sqlite3_int64)w->dissection.offset);
    else if (column == 1)
        sqlite3_result_int64(out, (sqlite3_int64)w->dissection.size);
    else if (column == 2)
        sqlite3_result_text(out, frame_text(&w->dissection), -1, SQLITE_STATIC);
    else
        get_text(w, out);
}

static const struct table_column columns[] = {
    {"offset", TABLE_INTEGER, ROLE_INPUT, false},
    TABLE_INT("size"),
    TABLE_STR("kind"),
    TABLE_STR("text"),
};

const struct table records_table = {
    "record", TABLE_COLUMNS(columns), NULL, get, begin, next, end_walk, NULL, 1};
