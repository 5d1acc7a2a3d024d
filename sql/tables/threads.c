/* threads.c - the tables thread and process.
 *
 * Threads that are hidden everywhere (known by their koid alone, with a full thread) are left out.
 * Names are those of kernel objects; a thread of an index that was never registered has "<thread
 * 9>" and no tid.
 *
 * A join that is grouped by name reads these few rows in the order of their names, so that slices
 * need not be sorted. Threads are found by their process for the same reason. */
#include "sql/tables/threads.h"

#include <stdlib.h>
#include <string.h>

#include "src/base/lower_bound.h"

static const char thread_key, process_key, owner_key, thread_text_key, process_text_key;

/* valid UTF-8 for free(), or NULL: no name */
typedef char *label_of(struct source *source, uint64_t id, size_t *n);

/* ---- by name ---- */

struct label {
    char *text; /* NULL: no name */
    size_t n;
    uint32_t row;
};

static int label_order(const void *a, const void *b) {
    const struct label *x = a, *y = b;
    size_t n = x->n < y->n ? x->n : y->n;
    int order = (x->text != NULL) - (y->text != NULL);
    if (order == 0 && n > 0)
        order = memcmp(x->text, y->text, n);
    if (order == 0)
        order = (x->n > y->n) - (x->n < y->n);
    return order ? order : (x->row > y->row) - (x->row < y->row);
}

/* Orders the rows by the texts that text() returns. */
static void order_by_label(struct rows *rows, label_of *text) {
    struct label *v = err_malloc((size_t)(rows->n + 1) * sizeof *v);
    size_t n = 0;
    for (uint32_t i = 0; i < rows->n; i++) {
        if (rows->skip && rows->skip(rows->source, rows->v.v, i))
            continue;
        v[n] = (struct label){.row = i};
        v[n].text = text(rows->source, rows->first + i, &v[n].n);
        n++;
    }
    qsort(v, n, sizeof *v, label_order);
    rows->by_name = err_malloc((n + 1) * sizeof *rows->by_name);
    rows->nby_name = n;
    for (size_t k = 0; k < n; k++) {
        rows->by_name[k] = v[k].row;
        free(v[k].text);
    }
    free(v);
}

static char *thread_label(struct source *source, uint64_t id, size_t *n) {
    const struct thread *t = trace_thread(source->trace, (size_t)id - 1);
    bool named;
    char buf[40];
    struct str name = trace_thread_name(source->trace, t, buf, &named);
    return named || t->id.form == THREAD_UNDEFINED ? source_valid_text(name, n) : NULL;
}

static void label_threads(struct rows *rows) {
    order_by_label(rows, thread_label);
}

/* ---- threads of a process ---- */

struct owned {
    int64_t upid;
    uint32_t row;
};

struct owners {
    size_t n;
    struct owned v[];
};

static int owned_order(const void *a, const void *b) {
    const struct owned *x = a, *y = b;
    return x->upid != y->upid ? (x->upid > y->upid) - (x->upid < y->upid)
                              : (x->row > y->row) - (x->row < y->row);
}

static void threads_of(struct rows *rows, int64_t upid, struct rows_list *list) {
    struct source *source = rows->source;
    struct owners *owners = source_find(source, &owner_key);
    size_t at = 0;
    if (owners == NULL) {
        owners = err_malloc(sizeof *owners + source->threads * sizeof *owners->v);
        owners->n = source->threads;
        for (uint32_t i = 0; i < source->threads; i++)
            owners->v[i] =
                (struct owned){source_upid(source, trace_thread(source->trace, i)->process), i};
        qsort(owners->v, owners->n, sizeof *owners->v, owned_order);
        source_keep(source, &owner_key, owners, free);
    }
    lower_bound(at, owners->n, k, owners->v[k].upid < upid);
    for (; upid >= 0 && at < owners->n && owners->v[at].upid == upid; at++)
        vec_push(list, owners->v[at].row);
}

/* ---- texts of cells ---- */

/* The names that were asked for: a join asks once for each of its rows, and some names are made
 * from numbers. */
struct texts {
    uint64_t n;
    struct text_of_row {
        char *text;
        size_t n;
        bool known;
    } v[];
};

static void free_texts(void *of) {
    struct texts *texts = of;
    for (uint64_t i = 0; i < texts->n; i++)
        free(texts->v[i].text);
    free(texts);
}

/* The name of a row, which lasts as long as the source. ids: 0 to n - 1. */
static void give_label(struct source *source, const void *key, label_of *label, uint64_t n,
                       uint64_t id, sqlite3_context *out) {
    struct texts *texts = source_find(source, key);
    if (texts == NULL) {
        texts = err_calloc(1, sizeof *texts + (size_t)n * sizeof *texts->v);
        texts->n = n;
        source_keep(source, key, texts, free_texts);
    }
    if (id >= texts->n)
        return;
    struct text_of_row *row = &texts->v[id];
    if (!row->known)
        row->text = label(source, id, &row->n);
    row->known = true;
    if (row->text)
        sqlite3_result_text64(out, row->text, row->n, SQLITE_STATIC, SQLITE_UTF8);
}

/* ---- the tables ---- */

static bool hidden(struct source *source, const struct rows_lane *lane, uint32_t i) {
    return trace_thread_hidden(source->trace,
                               trace_thread(source->trace, (size_t)(lane->base + i - 1)));
}

static struct rows *thread_rows(struct source *source) {
    struct rows *rows = table_numbers(source, &thread_key, 1, source->threads);
    rows->skip = hidden;
    rows->label = label_threads;
    rows->children = threads_of;
    return rows;
}

enum { UTID, ID, TID, NAME, START, END, UPID, IS_MAIN, IS_IDLE, MACHINE, ARGS };

static void get_thread(struct table_cursor *cursor, int column, sqlite3_context *out) {
    struct trace *trace = cursor->source->trace;
    uint64_t utid = (uint64_t)rows_cursor_id(&cursor->rows);
    const struct thread *t = trace_thread(trace, (size_t)utid - 1);
    const struct thread_id *id = &t->id;
    bool known = id->form != THREAD_UNDEFINED;
    int64_t upid;
    switch (column) {
    case TID:
        if (known)
            sqlite3_result_int64(out, (sqlite3_int64)id->tid);
        break;
    case NAME:
        give_label(cursor->source, &thread_text_key, thread_label,
                   (uint64_t)cursor->source->threads + 1, utid, out);
        break;
    case UPID:
        upid = source_upid(cursor->source, t->process);
        if (upid >= 0)
            sqlite3_result_int64(out, upid);
        break;
    case IS_MAIN:
        if (id->form == THREAD_PAIR)
            sqlite3_result_int(out, id->tid == id->pid);
        break;
    case IS_IDLE:
        sqlite3_result_int(out, known && id->tid == 0);
        break;
    default:
        break;
    }
}

/* The process with pid 0 is the row of upid 0. */
static bool is_zero(struct source *source, const struct rows_lane *lane, uint32_t i) {
    uint64_t upid = lane->base + i;
    const struct process *p = upid > 0 ? trace_process(source->trace, (size_t)upid - 1) : NULL;
    return p && p->pid == 0 && p->world == 0;
}

static char *process_label(struct source *source, uint64_t upid, size_t *n) {
    char buf[40];
    bool named;
    uint32_t i = source_process(source, (int64_t)upid);
    if (i == NO_PROCESS)
        return NULL;
    struct str name =
        trace_process_name(source->trace, trace_process(source->trace, i), buf, &named);
    return named ? source_valid_text(name, n) : NULL;
}

static void label_processes(struct rows *rows) {
    order_by_label(rows, process_label);
}

static struct rows *process_rows(struct source *source) {
    struct rows *rows =
        table_numbers(source, &process_key, 0, trace_process_count(source->trace) + 1);
    rows->skip = is_zero;
    rows->label = label_processes;
    return rows;
}

static void get_process(struct table_cursor *cursor, int column, sqlite3_context *out) {
    struct trace *trace = cursor->source->trace;
    uint64_t upid = (uint64_t)rows_cursor_id(&cursor->rows);
    if (column == 2)
        sqlite3_result_int64(
            out, upid == 0 ? 0 : (sqlite3_int64)trace_process(trace, (size_t)upid - 1)->pid);
    else if (column == NAME)
        give_label(cursor->source, &process_text_key, process_label, trace_process_count(trace) + 1,
                   upid, out);
}

static const struct table_column thread_columns[] = {
    TABLE_ID("utid"),
    TABLE_ID("id"),
    TABLE_INT("tid"),
    {"name", TABLE_TEXT, ROLE_LABEL, false},
    TABLE_INT("start_ts"),
    TABLE_INT("end_ts"),
    {"upid", TABLE_INTEGER, ROLE_PARENT, false},
    TABLE_INT("is_main_thread"),
    TABLE_INT("is_idle"),
    TABLE_INT("machine_id"),
    TABLE_INT("arg_set_id"),
};
static const struct table_column process_columns[] = {
    TABLE_ID("upid"),           TABLE_ID("id"),
    TABLE_INT("pid"),           {"name", TABLE_TEXT, ROLE_LABEL, false},
    TABLE_INT("start_ts"),      TABLE_INT("end_ts"),
    TABLE_INT("parent_upid"),   TABLE_INT("uid"),
    TABLE_INT("android_appid"), TABLE_INT("android_user_id"),
    TABLE_STR("cmdline"),       TABLE_INT("arg_set_id"),
    TABLE_INT("machine_id"),
};

const struct table threads_table = {
    "thread", TABLE_COLUMNS(thread_columns), thread_rows, get_thread, NULL, NULL, NULL, NULL, 0};
const struct table threads_processes = {
    "process", TABLE_COLUMNS(process_columns), process_rows, get_process, NULL, NULL, NULL, NULL,
    0};
