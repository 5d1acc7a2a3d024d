/* view_blobs.c - the list of blobs, and a blob's content as a page: text if it is readable, else as
 * hexadecimal bytes.
 *
 * Enter on a row shows the content; Enter there goes to the time of a blob that is an event. */
#include "ui/views/view_blobs.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "src/base/units.h"
#include "src/io/output_file.h"
#include "ui/drawer/drawer_text.h"
#include "ui/drawer/phrase.h"
#include "ui/timeline/track_ops.h"
#include "ui/views/view_page.h"
#include "ui/views/view_table.h"

#define SHOWN_BYTES 65536 /* of a blob's content */

/* ---- the list ---- */

enum { NAME, TYPE, BYTES, CHUNKS, TIME, THREAD, ARGUMENTS, COLUMNS };

static const struct relation_column relation_columns[COLUMNS] = {
    [NAME] = {"name", "name", RELATION_TEXT, RELATION_NONE, false},
    [TYPE] = {"type", "type", RELATION_TEXT, RELATION_NONE, false},
    [BYTES] = {"bytes", "size", RELATION_INTEGER, RELATION_BYTES, false},
    [CHUNKS] = {"chunks", "chunks", RELATION_INTEGER, RELATION_COUNT, false},
    [TIME] = {"time_ns", "time", RELATION_INTEGER, RELATION_TIME, false},
    [THREAD] = {"thread", "thread", RELATION_TEXT, RELATION_NONE, false},
    [ARGUMENTS] = {"args", "arguments", RELATION_TEXT, RELATION_NONE, false},
};

static const struct table_column columns[COLUMNS] = {
    [NAME] = {NULL, 14, 32, 0, false, false},     [TYPE] = {NULL, 9, 12, 2, false, true},
    [BYTES] = {NULL, 8, 10, 1, true, true},       [CHUNKS] = {NULL, 6, 6, 5, true, true},
    [TIME] = {NULL, 13, 13, 3, false, true},      [THREAD] = {NULL, 8, 20, 4, false, false},
    [ARGUMENTS] = {NULL, 12, 0, 6, false, false},
};

static const struct blob *blob(struct app *app, uint64_t row) {
    return blob_at(trace_blobs(app->trace), row);
}

static struct str type_text(const struct blob *b, char buf[24]) {
    const char *type = blob_kind(b->type);
    snprintf(buf, 24, "type %u", b->type);
    return str_of(type ? type : buf);
}

static uint64_t rows(void *ctx) {
    return blob_count(trace_blobs(((struct view_table_list *)ctx)->app->trace));
}

static void get(void *ctx, struct relation_row row, int column, struct relation_value *value) {
    struct view_table_list *list = ctx;
    struct trace *trace = list->app->trace;
    const struct blob *b = blob(list->app, row.row);
    switch (column) {
    case NAME:
        relation_set_text(value, trace_name(trace, b->name));
        break;
    case TYPE:
        relation_set_text(value, type_text(b, value->buf));
        break;
    case BYTES:
        relation_set_integer(value, (int64_t)b->bytes);
        break;
    case CHUNKS:
        relation_set_integer(value, (int64_t)blob_chunk_count(b));
        break;
    case TIME:
        if (b->is_event)
            relation_set_integer(value, b->time);
        break;
    case THREAD:
        if (b->is_event)
            relation_set_text(value,
                              phrase_thread(trace, b->thread, NULL, value->buf, sizeof value->buf));
        break;
    default:
        view_table_list_arguments(list, b->offset, value);
        break;
    }
}

static void format(void *ctx, struct relation_row row, int column, struct table_cell *cell) {
    struct view_table_list *list = ctx;
    (void)row;
    if (column == TIME && cell->value.type != RELATION_NULL)
        view_table_point(list->app, cell);
}

static int64_t key(void *ctx, struct relation_row row, int column) {
    const struct blob *b = blob(((struct view_table_list *)ctx)->app, row.row);
    switch (column) {
    case TYPE:
        return b->type;
    case BYTES:
        return (int64_t)b->bytes;
    case CHUNKS:
        return (int64_t)blob_chunk_count(b);
    default:
        return b->is_event ? b->time : INT64_MIN;
    }
}

static const struct relation relation = {"blob", relation_columns, COLUMNS, false, rows, get};
static const struct table_source source = {&relation, columns, format, .key = key};

static void *make_list(struct view *view) {
    struct view_table_list *list = err_calloc(1, sizeof *list);
    *list = (struct view_table_list){
        .heading = "Blobs",
        .hint = "Enter shows a blob, Enter again goes to its time; :w FILE writes it",
        .noun = "blob",
        .none = "no blobs in this trace",
        .whole = ARGUMENTS};
    view_table_list_init(list, view->app, &source);
    return list;
}

/* The blob of the current row; false: there is none. */
static bool current_row(const struct view_state *views, uint64_t *i) {
    struct view *view = view_of(views, &view_blobs);
    struct relation_row row;
    bool any = view->state && table_current(view_table_list_table(view), &row);
    if (any)
        *i = row.row;
    return any;
}

static void enter_list(struct view *view) {
    view_open(view->app, &view_blob);
}

static bool list_record(struct view *view, struct view_record *record) {
    uint64_t i;
    if (!current_row(&view->app->views, &i))
        return view_table_no_record(view->app);
    record->offset = blob(view->app, i)->offset;
    return true;
}

const struct view_ops view_blobs = {
    .title = "[Blobs]",
    .modes = MODE_TABLE,
    .make = make_list,
    .free = view_table_list_free,
    .draw = view_table_list_draw,
    .update = view_table_list_update,
    .step = view_table_step,
    .pointer = view_table_pointer,
    .enter = enter_list,
    .find = view_table_find,
    .record = list_record,
    .csv = view_table_csv,
    .table = view_table_list_table,
};

/* ---- the content ---- */

struct content {
    struct view_page page;
    uint64_t blob; /* number */
};

static const struct blob *content_blob(struct view *view) {
    return blob(view->app, ((struct content *)view->state)->blob);
}

static unsigned flags_of(const struct grid *grid) {
    return grid->ascii ? TEXT_ASCII : 0;
}

/* "notes   data   24 B", and the time and thread of an event. */
static void fill_head(struct view *view, const struct blob *b) {
    struct app *app = view->app;
    struct pager *pager = view_page_pager(view);
    char name[80], kind[24], size[32], when[48], buf[64], thread[64];
    text_plain(name, sizeof name, trace_name(app->trace, b->name), flags_of(&app->grid));
    pager_add(pager, true, 0, "%-32s %-12s %10s", name, type_text(b, kind).s,
              units_bytes(b->bytes, size));
    if (!b->is_event)
        return;
    text_plain(thread, sizeof thread, phrase_thread(app->trace, b->thread, NULL, buf, sizeof buf),
               flags_of(&app->grid));
    pager_add(pager, false, 0, "  at %s  %s: Enter goes there",
              session_point(app, b->time, session_resolution(app->trace), when), thread);
}

static void fill_text(struct view *view, struct str bytes) {
    for (struct str rest = bytes; rest.n > 0;) {
        const char *end = memchr(rest.s, '\n', rest.n);
        size_t n = end ? (size_t)(end - rest.s) : rest.n, taken = n + (end != NULL);
        char *line = text_dup((struct str){rest.s, n}, flags_of(&view->app->grid));
        pager_wrap(view_page_pager(view), view->app->grid.cols, 2, line);
        free(line);
        rest = (struct str){rest.s + taken, rest.n - taken};
    }
}

static void fill_hex(struct view *view, struct str bytes) {
    char text[96];
    for (size_t at = 0; at < bytes.n; at += DRAWER_TEXT_HEX) {
        struct str line = {bytes.s + at,
                           bytes.n - at < DRAWER_TEXT_HEX ? bytes.n - at : DRAWER_TEXT_HEX};
        pager_add(view_page_pager(view), false, 0, "%s", drawer_text_hex(line, at, text));
    }
}

static void fill_content(struct view *view) {
    struct trace *trace = view->app->trace;
    const struct blob *b = content_blob(view);
    char *bytes = err_malloc(SHOWN_BYTES), left[32];
    size_t n = blob_head(trace_reader(trace), trace_file(trace), b, bytes, SHOWN_BYTES);
    fill_head(view, b);
    if (text_readable((struct str){bytes, n}))
        fill_text(view, (struct str){bytes, n});
    else
        fill_hex(view, (struct str){bytes, n});
    if (n < b->bytes)
        pager_add(view_page_pager(view), false, 0, "... and %s more: :w FILE writes all",
                  units_bytes(b->bytes - n, left));
    free(bytes);
}

static void *make_content(struct view *view) {
    struct content *content = err_calloc(1, sizeof *content);
    (void)view;
    content->page.fill = fill_content;
    return content;
}

static bool open_content(struct view *view) {
    if (!current_row(&view->app->views, &((struct content *)view->state)->blob))
        return false;
    view->back = view_of(&view->app->views, &view_blobs);
    return view_page_open(view);
}

/* Another trace has other blobs. */
static bool update_content(struct view *view, bool renewed) {
    return !renewed && view_page_update(view, false);
}

static void enter_content(struct view *view) {
    const struct blob *b = content_blob(view);
    struct selection selection = {&track_thread_instant, b->thread, 0, 0, b->time, b->offset};
    if (b->is_event && selection_find(view->app->trace, &selection))
        view_go(view->app, selection);
}

static bool content_record(struct view *view, struct view_record *record) {
    record->offset = content_blob(view)->offset;
    return true;
}

const struct view_ops view_blob = {
    .title = "[Blob]",
    .modes = MODE_TEXT,
    .make = make_content,
    .free = view_page_free,
    .open = open_content,
    .draw = view_page_draw,
    .resize = view_page_resize,
    .update = update_content,
    .pointer = view_page_pointer,
    .enter = enter_content,
    .find = view_page_find,
    .record = content_record,
};

/* ---- writing a blob to a file ---- */

static bool put(void *ctx, const char *bytes, size_t n) {
    return fwrite(bytes, 1, n, ctx) == n;
}

/* NULL, with a message: it cannot be written. */
static FILE *create(struct app *app, struct output_file *file, const char *path, bool over,
                    const char *shown) {
    struct err err;
    if (!output_file_open(file, path, over ? OUTPUT_FILE_OVER : 0, &err)) {
        session_say(app, true, errno == EEXIST ? "%s exists: :w! overwrites it" : "%s: %s", shown,
                    err.text);
        return NULL;
    }
    int fd = fcntl(file->fd, F_DUPFD_CLOEXEC, STDERR_FILENO + 1);
    FILE *out = fd >= 0 ? fdopen(fd, "wb") : NULL;
    if (out)
        return out;
    session_say(app, true, "%s: %s", shown, strerror(errno));
    if (fd >= 0)
        close(fd);
    output_file_drop(file);
    return NULL;
}

static void write_to(struct app *app, const char *path, bool over) {
    const struct view *view = app->views.current;
    char shown[60], size[32];
    uint64_t i;
    if (view->ops == &view_blob) {
        i = ((const struct content *)view->state)->blob;
    } else if (view->ops != &view_blobs || !current_row(&app->views, &i)) {
        session_say(app, true, "no blob selected: :blobs lists them");
        return;
    }
    text_plain(shown, sizeof shown, str_of(path), flags_of(&app->grid));
    struct output_file file;
    struct err err;
    FILE *out = create(app, &file, path, over, shown);
    if (out == NULL)
        return;
    bool whole =
        blob_read(trace_reader(app->trace), trace_file(app->trace), blob(app, i), put, out);
    bool wrote = !ferror(out);
    wrote = fclose(out) == 0 && wrote;
    if (!wrote) {
        session_say(app, true, "%s: %s", shown, strerror(errno));
        output_file_drop(&file);
    } else if (!output_file_close(&file, &err))
        session_say(app, true, "%s: %s", shown, err.text);
    else if (!whole)
        session_say(app, true, "%s: the trace has only a part of it", shown);
    else
        session_say(app, false, "%s: %s written", shown, units_bytes(blob(app, i)->bytes, size));
}

void view_blobs_write(struct app *app, const char *path) {
    write_to(app, path, false);
}

void view_blobs_write_over(struct app *app, const char *path) {
    write_to(app, path, true);
}
