/* csv.c - the slices of a trace as a relation, and that as RFC 4180 (--export=csv).
 *
 * Rows are the slices in the order of their start (event_list.h). The thread's name is written to the value's buffer.
 * Category and arguments are decoded from the slice's records when their cell is printed. The arguments of begin and
 * end are one text: "name=value; name=value". */
#include "model/output/ndjson.h"

#include <errno.h>

#include "model/output/chars.h"
#include "model/output/event_list.h"
#include "model/output/relation.h"
#include "model/query/detail.h"
#include "model/trace/trace.h"

enum { ID, PARENT, PID, TID, THREAD, PROCESS, CATEGORY, NAME, TIME, DURATION, DEPTH, OPEN, ARGUMENTS, COLUMNS };

static const struct relation_column columns[COLUMNS] = {
    [ID] = {"id", "id", RELATION_INTEGER, RELATION_ID, false},
    [PARENT] = {"parent", "parent", RELATION_INTEGER, RELATION_ID, false},
    [PID] = {"pid", "pid", RELATION_INTEGER, RELATION_ID, false},
    [TID] = {"tid", "tid", RELATION_INTEGER, RELATION_ID, false},
    [THREAD] = {"thread", "thread", RELATION_TEXT, RELATION_NONE, false},
    [PROCESS] = {"process", "process", RELATION_TEXT, RELATION_NONE, false},
    [CATEGORY] = {"cat", "category", RELATION_TEXT, RELATION_NONE, false},
    [NAME] = {"name", "name", RELATION_TEXT, RELATION_NONE, false},
    [TIME] = {"ts", "start", RELATION_INTEGER, RELATION_TIME, false},
    [DURATION] = {"dur", "duration", RELATION_INTEGER, RELATION_DURATION, false},
    [DEPTH] = {"depth", "depth", RELATION_INTEGER, RELATION_NONE, false},
    [OPEN] = {"open", "open", RELATION_INTEGER, RELATION_BOOLEAN, false},
    [ARGUMENTS] = {"args", "arguments", RELATION_TEXT, RELATION_NONE, false},
};

struct slices {
    struct trace *trace;
    struct event_list list;
    struct detail detail;
    struct chars arguments;
};

static uint64_t rows(void *ctx) {
    return ((struct slices *)ctx)->list.norder;
}

static void add_arguments(struct slices *slices, uint64_t offset) {
    struct detail *d = &slices->detail;
    struct detail_argument a;
    char buf[64];
    if (offset == 0 || !detail_open(d, slices->trace, offset))
        return;
    struct fxt_arguments args = d->record.args;
    while (detail_argument(d, &args, &a)) {
        if (slices->arguments.n > 0)
            chars_add(&slices->arguments, STR("; "));
        struct str value = detail_value(&a, buf);
        chars_add(&slices->arguments, a.name);
        chars_add(&slices->arguments, STR("="));
        chars_add(&slices->arguments, value);
    }
}

/* One text for the arguments of begin and end; null without any. */
static void get_arguments(struct slices *slices, const struct event_list_entry *e, struct relation_value *value) {
    const struct slice *s = event_list_slice(slices->trace, e);
    slices->arguments.n = 0;
    add_arguments(slices, e->offset);
    add_arguments(slices, slice_extra_end_offset(trace_slice_extra(slices->trace), s));
    if (slices->arguments.n > 0)
        relation_set_text(value, (struct str){slices->arguments.v, slices->arguments.n});
}

static void get_owner(struct slices *slices, const struct event_list_entry *e, int column,
                      struct relation_value *value) {
    struct trace *trace = slices->trace;
    const struct thread *t = trace_thread(trace, e->thread);
    struct str name;
    bool named;
    struct event_list_identity id = event_list_identity(trace, t);
    if (column == PID && id.has_pid)
        relation_set_integer(value, (int64_t)id.pid);
    if (column == TID && id.has_tid)
        relation_set_integer(value, (int64_t)id.tid);
    if (column == THREAD) {
        name = trace_thread_name(trace, t, value->buf, &named);
        if (named || !id.has_tid)
            relation_set_text(value, name);
    }
    if (column == PROCESS && t->process != NO_PROCESS) {
        name = trace_process_name(trace, trace_process(trace, t->process), value->buf, &named);
        if (named)
            relation_set_text(value, name);
    }
}

static void set_duration(struct relation_value *value, const struct slice *s) {
    if (!slice_open(s))
        relation_set_integer(value, slice_dur(s));
}

static void get(void *ctx, struct relation_row row, int column, struct relation_value *value) {
    struct slices *slices = ctx;
    const struct event_list_entry *e = slices->list.order[row.row];
    switch (column) {
    case ID:
        relation_set_integer(value, e->id);
        break;
    case PARENT:
        if (e->parent)
            relation_set_integer(value, e->parent->id);
        break;
    case CATEGORY:
        relation_set_text(value,
                          detail_open(&slices->detail, slices->trace, e->offset) ? slices->detail.category : STR(""));
        break;
    case NAME:
        relation_set_text(value, trace_slice_name(slices->trace, event_list_slice(slices->trace, e)));
        break;
    case TIME:
        relation_set_integer(value, e->time);
        break;
    case DURATION:
        set_duration(value, event_list_slice(slices->trace, e));
        break;
    case DEPTH:
        relation_set_integer(value, e->depth);
        break;
    case OPEN:
        relation_set_integer(value, slice_open(event_list_slice(slices->trace, e)));
        break;
    case ARGUMENTS:
        get_arguments(slices, e, value);
        break;
    default:
        get_owner(slices, e, column, value);
        break;
    }
}

static const struct relation slice_relation = {"slice", columns, COLUMNS, true, rows, get};

bool export_csv_only(struct trace *trace, const struct question *asked, FILE *out) {
    struct slices slices = {.trace = trace};
    errno = 0;
    event_list_init(&slices.list, trace, false);
    event_list_keep(&slices.list, trace, asked);
    relation_csv(&slice_relation, &slices, out, NULL, trace_origin(trace));
    event_list_free(&slices.list);
    vec_free(&slices.arguments);
    return fflush(out) == 0 && !ferror(out);
}
