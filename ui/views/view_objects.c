/* view_objects.c - the objects that a trace names: kernel objects, then userspace objects, each in
 * file order.
 *
 * A userspace object is known by its pointer and its process; the screen shows the pointer as
 * hexadecimal. */
#include <inttypes.h>

#include "ui/views/view_table.h"

enum { KOID, TYPE, NAME, PROCESS, ARGUMENTS, COLUMNS };

static const struct relation_column relation_columns[COLUMNS] = {
    [KOID] = {"koid", "koid", RELATION_INTEGER, RELATION_ID, false},
    [TYPE] = {"type", "type", RELATION_TEXT, RELATION_NONE, false},
    [NAME] = {"name", "name", RELATION_TEXT, RELATION_NONE, false},
    [PROCESS] = {"process", "process", RELATION_INTEGER, RELATION_ID, false},
    [ARGUMENTS] = {"args", "arguments", RELATION_TEXT, RELATION_NONE, false},
};

static const struct table_column columns[COLUMNS] = {
    [KOID] = {NULL, 12, 20, 1, false, true},      [TYPE] = {NULL, 9, 14, 2, false, true},
    [NAME] = {NULL, 14, 40, 0, false, false},     [PROCESS] = {NULL, 8, 20, 4, true, true},
    [ARGUMENTS] = {NULL, 16, 0, 3, false, false},
};

static const struct object *object(struct app *app, uint64_t row, bool *user) {
    const struct objects *kernel = trace_kernel_objects(app->trace);
    *user = row >= object_count(kernel);
    return *user ? object_at(trace_user_objects(app->trace), row - object_count(kernel))
                 : object_at(kernel, row);
}

static uint64_t rows(void *ctx) {
    struct view_table_list *list = ctx;
    return object_count(trace_kernel_objects(list->app->trace)) +
           object_count(trace_user_objects(list->app->trace));
}

static struct str type_text(const struct object *o, bool user, char buf[24]) {
    const char *type = user ? "userspace" : fxt_object_name(o->type);
    snprintf(buf, 24, "type %u", o->type);
    return str_of(type ? type : buf);
}

static void get(void *ctx, struct relation_row row, int column, struct relation_value *value) {
    struct view_table_list *list = ctx;
    bool user;
    const struct object *o = object(list->app, row.row, &user);
    switch (column) {
    case KOID:
        relation_set_integer(value, (int64_t)o->koid);
        break;
    case TYPE:
        relation_set_text(value, type_text(o, user, value->buf));
        break;
    case NAME:
        relation_set_text(value, trace_name(list->app->trace, o->name));
        break;
    case PROCESS:
        if (o->has_process)
            relation_set_integer(value, (int64_t)o->process);
        break;
    default:
        view_table_list_arguments(list, o->offset, value);
        break;
    }
}

static void format(void *ctx, struct relation_row row, int column, struct table_cell *cell) {
    struct view_table_list *list = ctx;
    bool user;
    object(list->app, row.row, &user);
    if (column != KOID || !user)
        return;
    snprintf(cell->buf, sizeof cell->buf, "0x%" PRIx64, (uint64_t)cell->value.integer);
    cell->text = str_of(cell->buf);
}

/* Types by their numbers, userspace objects after all kernel objects. */
static int64_t key(void *ctx, struct relation_row row, int column) {
    struct view_table_list *list = ctx;
    bool user;
    const struct object *o = object(list->app, row.row, &user);
    if (column == TYPE)
        return user ? UINT8_MAX + 1 : o->type;
    if (column == PROCESS && !o->has_process)
        return INT64_MIN;
    /* unsigned order */
    return (int64_t)((column == PROCESS ? o->process : o->koid) ^ UINT64_C(1) << 63);
}

static const struct relation relation = {"object", relation_columns, COLUMNS, false, rows, get};
static const struct table_source source = {&relation, columns, format, .key = key};

static void *make(struct view *view) {
    struct view_table_list *list = err_calloc(1, sizeof *list);
    *list = (struct view_table_list){.heading = "Objects",
                                     .noun = "object",
                                     .none = "no objects in this trace",
                                     .whole = ARGUMENTS};
    view_table_list_init(list, view->app, &source);
    return list;
}

static bool record(struct view *view, struct view_record *record) {
    struct relation_row row;
    bool user;
    if (!table_current(view_table_list_table(view), &row))
        return view_table_no_record(view->app);
    record->offset = object(view->app, row.row, &user)->offset;
    return true;
}

const struct view_ops view_objects = {
    .title = "[Objects]",
    .modes = MODE_TABLE,
    .make = make,
    .free = view_table_list_free,
    .draw = view_table_list_draw,
    .update = view_table_list_update,
    .step = view_table_step,
    .pointer = view_table_pointer,
    .find = view_table_find,
    .record = record,
    .csv = view_table_csv,
    .table = view_table_list_table,
};
