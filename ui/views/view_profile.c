/* view_profile.c - what a profiler wrote into the trace: modules, their mappings, and backtraces,
 * in order of time.
 *
 * The details of a row are decoded from its record when they are asked for. A record that the file
 * no longer holds has none. */
#include <inttypes.h>
#include <stdarg.h>
#include <stdio.h>

#include "ui/drawer/phrase.h"
#include "ui/timeline/track_ops.h"
#include "ui/views/view_table.h"

enum { TIME, THREAD, RECORD, DETAILS, COLUMNS };

static const struct relation_column relation_columns[COLUMNS] = {
    [TIME] = {"time_ns", "time", RELATION_INTEGER, RELATION_TIME, false},
    [THREAD] = {"thread", "thread", RELATION_TEXT, RELATION_NONE, false},
    [RECORD] = {"record", "record", RELATION_TEXT, RELATION_NONE, false},
    [DETAILS] = {"details", "details", RELATION_TEXT, RELATION_NONE, false},
};

static const struct table_column columns[COLUMNS] = {
    [TIME] = {NULL, 13, 14, 1, false, true},
    [THREAD] = {NULL, 12, 20, 3, false, false},
    [RECORD] = {NULL, 9, 9, 2, false, true},
    [DETAILS] = {NULL, 20, 0, 0, false, false},
};

static const struct occurrence *occurrence(struct app *app, uint64_t row) {
    size_t n;
    return &trace_profile(app->trace, &n)[row];
}

static uint64_t rows(void *ctx) {
    size_t n;
    trace_profile(((struct view_table_list *)ctx)->app->trace, &n);
    return n;
}

static void add(struct chars *text, const char *fmt, ...) __attribute__((format(printf, 2, 3)));
static void add(struct chars *text, const char *fmt, ...) {
    char buf[120];
    va_list ap;
    va_start(ap, fmt);
    int n = vsnprintf(buf, sizeof buf, fmt, ap);
    va_end(ap);
    chars_add(text, (struct str){buf, n < (int)sizeof buf ? (size_t)n : sizeof buf - 1});
}

/* "module 1 librender.so  build id 333e89f0" */
static void add_module(struct chars *text, const struct fxt_record *r) {
    add(text, "module %u ", r->module.id);
    chars_add(text, r->payload);
    add(text, "  build id ");
    for (size_t i = 0; i < r->module.build_id.n; i++)
        add(text, "%02x", (unsigned char)r->module.build_id.s[i]);
}

/* "module 1 r-x  0x400000 + 65536  virtual 0x0" */
static void add_mapping(struct chars *text, const struct fxt_record *r) {
    add(text, "module %u %c%c%c  0x%" PRIx64 " + %" PRIu64 "  virtual 0x%" PRIx64,
        r->mmap.module_id, r->mmap.flags & 1 ? 'r' : '-', r->mmap.flags & 2 ? 'w' : '-',
        r->mmap.flags & 4 ? 'x' : '-', r->mmap.start, r->mmap.size, r->mmap.address);
}

/* "3: 0x401234 0x400f00 0x400100" */
static void add_backtrace(struct chars *text, const struct fxt_record *r) {
    add(text, "%u:", r->backtrace.n);
    for (unsigned i = 0; i < r->backtrace.n; i++)
        add(text, " 0x%" PRIx64, record_word(r->backtrace.pcs + i, r->swap));
}

static void get_details(struct view_table_list *list, const struct occurrence *o,
                        struct relation_value *value) {
    struct detail d;
    list->text.n = 0;
    if (!detail_open(&d, list->app->trace, o->at.offset) || d.record.kind != o->kind)
        return;
    if (o->kind == FXT_K_MODULE)
        add_module(&list->text, &d.record);
    else if (o->kind == FXT_K_MMAP)
        add_mapping(&list->text, &d.record);
    else
        add_backtrace(&list->text, &d.record);
    relation_set_text(value, (struct str){list->text.v, list->text.n});
}

static void get_thread(struct view_table_list *list, const struct occurrence *o,
                       struct relation_value *value) {
    struct detail d;
    if (o->thread != NO_THREAD) {
        relation_set_text(
            value, phrase_thread(list->app->trace, o->thread, NULL, value->buf, sizeof value->buf));
    } else if (detail_open(&d, list->app->trace, o->at.offset) && d.record.kind == o->kind) {
        snprintf(value->buf, sizeof value->buf, "process %" PRIu64, d.record.thread.pid);
        relation_set_text(value, str_of(value->buf));
    }
}

static void get(void *ctx, struct relation_row row, int column, struct relation_value *value) {
    struct view_table_list *list = ctx;
    const struct occurrence *o = occurrence(list->app, row.row);
    switch (column) {
    case TIME:
        relation_set_integer(value, o->at.time);
        break;
    case THREAD:
        get_thread(list, o, value);
        break;
    case RECORD:
        if (o->kind == FXT_K_MODULE)
            relation_set_text(value, STR("module"));
        else
            relation_set_text(value, o->kind == FXT_K_MMAP ? STR("mapping") : STR("backtrace"));
        break;
    default:
        get_details(list, o, value);
        break;
    }
}

static void format_cell(void *ctx, struct relation_row row, int column, struct table_cell *cell) {
    (void)row;
    if (column == TIME)
        view_table_point(((struct view_table_list *)ctx)->app, cell);
}

static int64_t key(void *ctx, struct relation_row row, int column) {
    const struct occurrence *o = occurrence(((struct view_table_list *)ctx)->app, row.row);
    return column == TIME ? o->at.time : o->kind;
}

static const struct relation relation = {"profile", relation_columns, COLUMNS, false, rows, get};
static const struct table_source source = {&relation, columns, format_cell, .key = key};

static void *make(struct view *view) {
    struct view_table_list *list = err_calloc(1, sizeof *list);
    *list = (struct view_table_list){.heading = "Modules, mappings and backtraces",
                                     .noun = "record",
                                     .none = "no profiler records in this trace",
                                     .whole = DETAILS};
    view_table_list_init(list, view->app, &source);
    return list;
}

static void enter(struct view *view) {
    struct relation_row row;
    if (!table_current(view_table_list_table(view), &row))
        return;
    const struct occurrence *o = occurrence(view->app, row.row);
    view_go(view->app, (struct selection){&track_profile_record, 0, 0, (uint32_t)row.row,
                                          o->at.time, o->at.offset});
}

static bool record(struct view *view, struct view_record *record) {
    struct relation_row row;
    if (!table_current(view_table_list_table(view), &row))
        return view_table_no_record(view->app);
    record->offset = occurrence(view->app, row.row)->at.offset;
    return true;
}

const struct view_ops view_profile = {
    .title = "[Profile]",
    .modes = MODE_TABLE,
    .make = make,
    .free = view_table_list_free,
    .draw = view_table_list_draw,
    .update = view_table_list_update,
    .step = view_table_step,
    .pointer = view_table_pointer,
    .enter = enter,
    .find = view_table_find,
    .record = record,
    .csv = view_table_csv,
    .table = view_table_list_table,
};
