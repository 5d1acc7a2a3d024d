/* csv.c - the slices of a trace as a relation, and that as RFC 4180 (--export=csv).
 *
 * Rows are the slices in the order of their start (event_list.h), made by two threads (blocks.h). A
 * slice's record is decoded once a row, threads are looked up once for all rows. The arguments of
 * begin and end are one text: "name=value; name=value". */
#include "model/output/ndjson.h"

#include <errno.h>
#include <stdlib.h>

#include "model/output/event_list.h"
#include "model/output/lines/blocks.h"
#include "model/output/relation.h"
#include "model/query/detail.h"
#include "model/trace/trace.h"

enum {
    ID,
    PARENT,
    PID,
    TID,
    THREAD,
    PROCESS,
    CATEGORY,
    NAME,
    TIME,
    DURATION,
    DEPTH,
    OPEN,
    ARGUMENTS,
    TRACE, /* if there are several */
    COLUMNS
};

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
    [TRACE] = {"trace", "trace", RELATION_TEXT, RELATION_NONE, false},
};

struct owner { /* a thread as its rows have it */
    struct event_list_identity id;
    struct str thread, process; /* s: NULL if there is none */
    char buf[40];
};

struct slices { /* shared by both makers */
    struct trace *trace;
    struct event_list list;
    struct owner *owners; /* by thread */
    int64_t origin;
};

struct maker {
    const struct slices *slices;
    struct detail_memo *memo;
    struct detail detail; /* the record of the row */
    bool known;           /* it could be read */
    uint64_t row;         /* of it */
    struct chars arguments;
    char apart[BLOCKS_APART];
};

static uint64_t rows(void *ctx) {
    return ((const struct maker *)ctx)->slices->list.norder;
}

static void add_arguments(struct maker *m, struct detail *d) {
    struct detail_argument a;
    char buf[64];
    struct fxt_arguments args = d->record.args;
    while (detail_argument(d, &args, &a)) {
        if (m->arguments.n > 0)
            chars_add(&m->arguments, STR("; "));
        struct str value = detail_value(&a, buf);
        chars_add(&m->arguments, a.name);
        chars_put(&m->arguments, '=');
        chars_add(&m->arguments, value);
    }
}

/* Reads the record of a row, whose first cell is asked for. The record of its end may take its
 * place in memory, so that is read for the last cell. */
static void open_row(struct maker *m, uint64_t row) {
    const struct slices *slices = m->slices;
    m->row = row;
    m->known = detail_open_by(&m->detail, slices->trace, slices->list.order[row]->offset, m->memo);
}

/* One text for the arguments of begin and end; null without any. */
static void get_arguments(struct maker *m, const struct event_list_entry *e,
                          struct relation_value *value) {
    struct trace *trace = m->slices->trace;
    uint64_t end = trace_end_record(trace, event_list_slice(trace, e));
    m->arguments.n = 0;
    if (e->offset != 0 && m->known)
        add_arguments(m, &m->detail);
    if (end != 0) {
        struct detail d;
        if (detail_open_by(&d, trace, end, m->memo))
            add_arguments(m, &d);
    }
    if (m->arguments.n > 0)
        relation_set_text(value, (struct str){m->arguments.v, m->arguments.n});
}

static void get_owner(const struct maker *m, const struct event_list_entry *e, int column,
                      struct relation_value *value) {
    const struct owner *owner = &m->slices->owners[e->thread];
    if (column == PID && owner->id.has_pid)
        relation_set_integer(value, (int64_t)owner->id.pid);
    if (column == TID && owner->id.has_tid)
        relation_set_integer(value, (int64_t)owner->id.tid);
    if (column == THREAD && owner->thread.s)
        relation_set_text(value, owner->thread);
    if (column == PROCESS && owner->process.s)
        relation_set_text(value, owner->process);
}

static void set_duration(const struct trace *trace, struct relation_value *value,
                         const struct slice *s) {
    if (!slice_open(s) && !trace_damaged_slice(trace, s))
        relation_set_integer(value, slice_dur(s));
}

static void get(void *ctx, struct relation_row row, int column, struct relation_value *value) {
    struct maker *m = ctx;
    struct trace *trace = m->slices->trace;
    const struct event_list_entry *e = m->slices->list.order[row.row];
    if (m->row != row.row)
        open_row(m, row.row);
    switch (column) {
    case ID:
        relation_set_integer(value, e->id);
        break;
    case PARENT:
        if (e->parent)
            relation_set_integer(value, e->parent->id);
        break;
    case CATEGORY:
        relation_set_text(value, m->known ? m->detail.category : STR(""));
        break;
    case NAME:
        relation_set_text(value,
                          detail_slice_name(&m->detail, m->known, event_list_slice(trace, e)));
        break;
    case TIME:
        relation_set_integer(value, e->time);
        break;
    case DURATION:
        set_duration(trace, value, event_list_slice(trace, e));
        break;
    case DEPTH:
        relation_set_integer(value, e->depth);
        break;
    case OPEN:
        relation_set_integer(value, slice_open(event_list_slice(trace, e)));
        break;
    case ARGUMENTS:
        get_arguments(m, e, value);
        break;
    case TRACE:
        relation_set_text(value,
                          str_of(trace_file_name(trace, trace_record_file(trace, e->offset))));
        break;
    default:
        get_owner(m, e, column, value);
        break;
    }
}

static const struct relation slice_relation = {"slice", columns, TRACE, true, rows, get};
static const struct relation slices_of_several = {"slice", columns, COLUMNS, true, rows, get};

static const struct relation *relation_of(const struct trace *trace) {
    return trace_files(trace) > 1 ? &slices_of_several : &slice_relation;
}

static void make(void *hand, uint64_t from, uint64_t to, struct chars *out) {
    struct maker *m = hand;
    const struct relation *relation = relation_of(m->slices->trace);
    for (uint64_t row = from; row < to; row++)
        relation_csv_row(relation, m, (struct relation_row){row, RELATION_NO_ROW},
                         m->slices->origin, out);
}

static struct owner *owners_of(struct trace *trace) {
    size_t n = trace_thread_count(trace);
    struct owner *owners = err_calloc(n + 1, sizeof *owners);
    for (size_t i = 0; i < n; i++) {
        const struct thread *t = trace_thread(trace, i);
        struct owner *owner = &owners[i];
        char buf[40];
        bool named;
        owner->id = event_list_identity(trace, t);
        struct str name = trace_thread_name(trace, t, owner->buf, &named);
        if (named || !owner->id.has_tid)
            owner->thread = name;
        if (t->process == NO_PROCESS)
            continue;
        name = trace_process_name(trace, trace_process(trace, t->process), buf, &named);
        if (named)
            owner->process = name;
    }
    return owners;
}

bool export_csv_only(struct trace *trace, const struct question *asked, FILE *out) {
    struct slices slices = {.trace = trace, .origin = trace_origin(trace)};
    struct maker makers[BLOCKS_HANDS];
    void *hands[BLOCKS_HANDS];
    struct chars header = {0};
    errno = 0;
    event_list_init(&slices.list, trace, false);
    event_list_keep(&slices.list, trace, asked);
    slices.owners = owners_of(trace);
    for (int i = 0; i < BLOCKS_HANDS; i++) {
        makers[i] = (struct maker){.slices = &slices, .memo = detail_memo_new(), .row = UINT64_MAX};
        hands[i] = &makers[i];
    }
    relation_csv_header(relation_of(trace), &header);
    chars_write(&header, out);
    blocks_write(trace_share(trace), make, hands, slices.list.norder, out);
    for (int i = 0; i < BLOCKS_HANDS; i++) {
        detail_memo_free(makers[i].memo);
        vec_free(&makers[i].arguments);
    }
    vec_free(&header);
    free(slices.owners);
    event_list_free(&slices.list);
    return fflush(out) == 0 && !ferror(out);
}
