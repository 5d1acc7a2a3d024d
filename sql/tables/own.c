/* own.c - tables of what a trace has besides events of threads.
 *
 * Each is a list of the model, row by row; texts and arguments are decoded from the records.
 * problem and stats are the same rows: one in fxtop's words, one in Perfetto's. */
#include "sql/tables/own.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>

#include "model/trace/trace_problems.h"
#include "sql/arguments/dotted.h"
#include "sql/family.h"

static const char log_key, problem_key, metadata_key, object_key, userobject_key, blob_key,
    lost_key, provider_key;

static void put_text(sqlite3_context *out, const char *text) {
    sqlite3_result_text(out, text, -1, SQLITE_TRANSIENT);
}

static void put_utid(const struct table_cursor *cursor, sqlite3_context *out, uint32_t thread) {
    if (thread != NO_THREAD)
        sqlite3_result_int64(out, source_utid(cursor->source, thread));
}

static void put_time(const struct table_cursor *cursor, sqlite3_context *out, int64_t time) {
    sqlite3_result_int64(out, source_time(cursor->source, time));
}

/* ---- log ---- */

static struct rows *log_rows(struct source *source) {
    return table_numbers(source, &log_key, 0, trace_log_count(source->trace));
}

static void get_log(struct table_cursor *cursor, int column, sqlite3_context *out) {
    size_t n;
    const struct occurrence *o = &trace_logs(cursor->source->trace, &n)[cursor->rows.i];
    int64_t slice;
    switch (column) {
    case 1:
        put_time(cursor, out, o->at.time);
        break;
    case 2:
        put_utid(cursor, out, o->thread);
        break;
    case 3:
        if (table_decode(cursor, o->at.offset))
            table_text(out, cursor->detail.record.payload);
        break;
    case 4:
        slice = family_point_slice(cursor->source, &(struct trace_point){o->thread, o->at, false});
        if (slice >= 0)
            sqlite3_result_int64(out, slice);
        break;
    default:
        sqlite3_result_int64(out, (sqlite3_int64)o->at.offset);
    }
}

/* ---- problem, stats ---- */

static bool no_problem(struct source *source, const struct rows_lane *lane, uint32_t i) {
    (void)lane;
    return trace_problems(source->trace)->kinds[i].count == 0;
}

static struct rows *problem_rows(struct source *source) {
    struct rows *rows = table_numbers(source, &problem_key, 0, PROBLEM_KINDS);
    rows->skip = no_problem;
    return rows;
}

/* The time of the first case, if it is kept. */
static void put_first_time(const struct table_cursor *cursor, const struct problem *p,
                           sqlite3_context *out) {
    for (size_t i = 0; i < problem_case_count(p); i++)
        if (problem_case(p, i)->offset == p->first_offset) {
            if (problem_case(p, i)->time != PROBLEM_NO_TIME)
                put_time(cursor, out, problem_case(p, i)->time);
            return;
        }
}

static void get_problem(struct table_cursor *cursor, int column, sqlite3_context *out) {
    int kind = (int)cursor->rows.i;
    const struct problem *p = &trace_problems(cursor->source->trace)->kinds[kind];
    char buf[TRACE_PROBLEM_TEXT];
    switch (column) {
    case 0:
        put_text(out, problem_name(kind));
        break;
    case 1:
        sqlite3_result_int(out, problem_is_note(kind));
        break;
    case 2:
        sqlite3_result_int64(out, (sqlite3_int64)p->count);
        break;
    case 3:
        sqlite3_result_int64(out, (sqlite3_int64)p->first_offset);
        break;
    case 4:
        put_first_time(cursor, p, out);
        break;
    default:
        put_text(out, trace_problem_message(cursor->source->trace, kind, p, buf));
    }
}

enum { S_NAME = 1, S_KEY, S_IDX, S_SEVERITY, S_SOURCE, S_VALUE, S_DESCRIPTION };

static void get_stats(struct table_cursor *cursor, int column, sqlite3_context *out) {
    int kind = (int)cursor->rows.i;
    if (column == S_NAME || column == S_KEY)
        get_problem(cursor, 0, out);
    else if (column == S_SEVERITY && kind == PROBLEM_RECORDS_LOST)
        put_text(out, "data_loss");
    else if (column == S_SEVERITY)
        put_text(out, problem_is_note(kind) ? "info" : "error");
    else if (column == S_SOURCE)
        put_text(out, "trace");
    else if (column == S_VALUE)
        get_problem(cursor, 2, out);
    else if (column == S_DESCRIPTION)
        get_problem(cursor, 5, out);
}

/* ---- metadata ---- */

enum { M_TYPE, M_BYTES, M_FILE, M_EVENTS, M_RECORDS, M_TICKS, M_VALUES };

static const char around_key;

#define AROUND_MOST ((size_t)1 << 20) /* bytes */

static void free_arguments(void *of) {
    arguments_free(of);
    free(of);
}

/* Reads the object `metadata` of JSON, which is in a blob with what else is around the events. */
static void read_around(struct source *source, struct arguments *to) {
    const struct blobs *blobs = trace_blobs(source->trace);
    struct arguments all = {.v = {0}};
    struct str begin = STR(".metadata.");
    for (size_t i = 0; i < blob_count(blobs); i++) {
        const struct blob *b = blob_at(blobs, i);
        if (!str_eq(trace_name(source->trace, b->name), STR("around the events")) ||
            b->bytes > AROUND_MOST)
            continue;
        char *text = err_malloc(b->bytes + 1);
        size_t n =
            blob_head(trace_reader(source->trace), trace_file(source->trace), b, text, b->bytes);
        dotted_add(&all, STR(""), (struct str){text, n});
        free(text);
    }
    for (size_t i = 0; i < all.v.n; i++) {
        const struct argument *x = &all.v.v[i];
        struct str name = {all.text.v + x->name, x->nname},
                   value = {all.text.v + x->string, x->nstring};
        if (name.n <= begin.n || memcmp(name.s, begin.s, begin.n) != 0)
            continue;
        struct chars own = {0};
        chars_text(&own, "json_");
        chars_add(&own, (struct str){name.s + 1, name.n - 1});
        arguments_add(to, (struct str){own.v, own.n}, STR(""), value, x->bits, x->type);
        vec_free(&own);
    }
    arguments_free(&all);
}

/* Further rows of JSON: json_metadata.NAME. */
static const struct arguments *around(struct source *source) {
    struct arguments *a = source_find(source, &around_key);
    if (a)
        return a;
    a = err_calloc(1, sizeof *a);
    if (source->json)
        read_around(source, a);
    source_keep(source, &around_key, a, free_arguments);
    return a;
}

static struct rows *metadata_rows(struct source *source) {
    return table_numbers(source, &metadata_key, 0, M_VALUES + around(source)->v.n);
}

static void get_around(struct source *source, size_t i, int column, sqlite3_context *out) {
    const struct arguments *a = around(source);
    const struct argument *x = &a->v.v[i];
    bool number = x->type != FXT_ARG_STRING && x->type != FXT_ARG_DOUBLE;
    if (column == 1)
        arguments_cell(a, x, ARGUMENT_KEY, out);
    else if (column == 2)
        put_text(out, "single");
    else if (column == 3 && number)
        arguments_cell(a, x, ARGUMENT_INT, out);
    else if (column == 4 && !number)
        arguments_cell(a, x, ARGUMENT_DISPLAY, out);
}

static bool metadata_number(struct trace *trace, uint32_t i, uint64_t *value) {
    uint64_t tick, unix_ns;
    bool has_base;
    switch (i) {
    case M_BYTES:
        *value = file_size(trace_file(trace));
        return true;
    case M_EVENTS:
        *value = trace_events(trace);
        return true;
    case M_RECORDS:
        *value = reader_records(trace_reader(trace));
        return true;
    default:
        return i == M_TICKS && reader_init(trace_reader(trace), value, &tick, &unix_ns, &has_base);
    }
}

/* As Perfetto names the formats that it has; the others by the name of their importer. */
static const char *trace_type(struct trace *trace) {
    static const char *const types[][2] = {{"Chrome JSON", "json"},
                                           {"Perfetto", "proto"},
                                           {"ftrace", "systrace"},
                                           {"perf script", "perf_text"},
                                           {"a profile of Firefox", "gecko"},
                                           {"collapsed stacks", "collapsed_stack"}};
    const char *from = file_imported(trace_file(trace));
    if (from == NULL)
        return "fuchsia";
    for (size_t i = 0; i < sizeof types / sizeof *types; i++)
        if (strcmp(from, types[i][0]) == 0)
            return types[i][1];
    return from;
}

static void get_metadata(struct table_cursor *cursor, int column, sqlite3_context *out) {
    static const char *const names[] = {
        [M_TYPE] = "trace_type",       [M_BYTES] = "trace_size_bytes",
        [M_FILE] = "trace_file",       [M_EVENTS] = "fxtop_events",
        [M_RECORDS] = "fxtop_records", [M_TICKS] = "fxtop_ticks_per_second"};
    uint32_t i = cursor->rows.i;
    uint64_t value;
    if (i >= M_VALUES)
        get_around(cursor->source, i - M_VALUES, column, out);
    else if (column == 1)
        put_text(out, names[i]);
    else if (column == 2)
        put_text(out, "single");
    else if (column == 3 && metadata_number(cursor->source->trace, i, &value))
        sqlite3_result_int64(out, (sqlite3_int64)value);
    else if (column == 4 && i == M_TYPE)
        put_text(out, trace_type(cursor->source->trace));
    else if (column == 4 && i == M_FILE)
        table_text(out, str_of(trace_path(cursor->source->trace)));
}

/* ---- objects ---- */

static struct rows *object_rows(struct source *source) {
    return table_numbers(source, &object_key, 0, object_count(trace_kernel_objects(source->trace)));
}

static struct rows *userobject_rows(struct source *source) {
    return table_numbers(source, &userobject_key, 0,
                         object_count(trace_user_objects(source->trace)));
}

static void put_kind(sqlite3_context *out, const char *name, unsigned number) {
    char buf[16];
    snprintf(buf, sizeof buf, "%u", number);
    put_text(out, name ? name : buf);
}

static void get_common(struct table_cursor *cursor, const struct object *o, int column,
                       sqlite3_context *out) {
    if (column == 0)
        sqlite3_result_int64(out, (sqlite3_int64)o->koid);
    else if (column == 2)
        table_name(cursor, out, o->name);
    else if (column == 3 && o->has_process)
        sqlite3_result_int64(out, (sqlite3_int64)o->process);
    else if (column == 4)
        sqlite3_result_int64(out, (sqlite3_int64)o->offset);
}

static void get_object(struct table_cursor *cursor, int column, sqlite3_context *out) {
    const struct object *o = object_at(trace_kernel_objects(cursor->source->trace), cursor->rows.i);
    if (column == 1)
        put_kind(out, fxt_object_name(o->type), o->type);
    else
        get_common(cursor, o, column, out);
}

static void get_userobject(struct table_cursor *cursor, int column, sqlite3_context *out) {
    const struct object *o = object_at(trace_user_objects(cursor->source->trace), cursor->rows.i);
    char buf[32];
    snprintf(buf, sizeof buf, "0x%" PRIx64, o->koid);
    if (column == 1)
        put_text(out, buf);
    else
        get_common(cursor, o, column, out);
}

/* ---- blobs, losses, providers ---- */

static struct rows *blob_rows(struct source *source) {
    return table_numbers(source, &blob_key, 0, blob_count(trace_blobs(source->trace)));
}

static void get_blob(struct table_cursor *cursor, int column, sqlite3_context *out) {
    const struct blob *b = blob_at(trace_blobs(cursor->source->trace), cursor->rows.i);
    switch (column) {
    case 0:
        table_name(cursor, out, b->name);
        break;
    case 1:
        if (b->has_category)
            table_name(cursor, out, b->category);
        break;
    case 2:
        put_kind(out, blob_kind(b->type), b->type);
        break;
    case 3:
        sqlite3_result_int64(out, (sqlite3_int64)b->bytes);
        break;
    case 4:
        if (b->is_event)
            put_time(cursor, out, b->time);
        break;
    case 5:
        if (b->is_event)
            put_utid(cursor, out, b->thread);
        break;
    default:
        sqlite3_result_int64(out, (sqlite3_int64)b->offset);
    }
}

static struct rows *lost_rows(struct source *source) {
    size_t n;
    trace_lost(source->trace, &n);
    return table_numbers(source, &lost_key, 0, n);
}

static void get_lost(struct table_cursor *cursor, int column, sqlite3_context *out) {
    struct trace *trace = cursor->source->trace;
    struct detail_argument a;
    size_t n;
    const struct lost *lost = &trace_lost(trace, &n)[cursor->rows.i];
    const struct provider *provider = reader_provider(trace_reader(trace), lost->provider);
    switch (column) {
    case 0:
        if (!provider->implicit)
            sqlite3_result_int64(out, provider->id);
        break;
    case 1:
        if (lost->has_time)
            put_time(cursor, out, lost->time);
        break;
    case 2:
    case 3:
        if (detail_loss(trace, lost, column == 2 ? "num_records" : "num_bytes", &a))
            sqlite3_result_int64(out, (sqlite3_int64)a.bits);
        break;
    default:
        sqlite3_result_int64(out, (sqlite3_int64)lost->offset);
    }
}

static bool implicit(struct source *source, const struct rows_lane *lane, uint32_t i) {
    (void)lane;
    return reader_provider(trace_reader(source->trace), i)->implicit;
}

static struct rows *provider_rows(struct source *source) {
    struct rows *rows =
        table_numbers(source, &provider_key, 0, reader_provider_count(trace_reader(source->trace)));
    rows->skip = implicit;
    return rows;
}

static void get_provider(struct table_cursor *cursor, int column, sqlite3_context *out) {
    const struct provider *p = reader_provider(trace_reader(cursor->source->trace), cursor->rows.i);
    if (column == 0)
        sqlite3_result_int64(out, p->id);
    else
        table_text(out, p->name);
}

/* ---- columns ---- */

static const struct table_column log_columns[] = {
    TABLE_ID("id"),   TABLE_INT("ts"),       TABLE_INT("utid"),
    TABLE_STR("msg"), TABLE_INT("slice_id"), TABLE_INT("offset"),
};
static const struct table_column problem_columns[] = {
    TABLE_STR("kind"),   TABLE_INT("note"), TABLE_INT("count"),
    TABLE_INT("offset"), TABLE_INT("ts"),   TABLE_STR("message"),
};
static const struct table_column stats_columns[] = {
    TABLE_ID("id"),          TABLE_STR("name"),     TABLE_STR("key"),   TABLE_INT("idx"),
    TABLE_STR("severity"),   TABLE_STR("source"),   TABLE_INT("value"), TABLE_STR("description"),
    TABLE_INT("machine_id"), TABLE_INT("trace_id"),
};
static const struct table_column metadata_columns[] = {
    TABLE_ID("id"),         TABLE_STR("name"),       TABLE_STR("key_type"), TABLE_INT("int_value"),
    TABLE_STR("str_value"), TABLE_INT("machine_id"), TABLE_INT("trace_id"),
};
static const struct table_column object_columns[] = {
    TABLE_INT("koid"), TABLE_STR("kind"), TABLE_STR("name"), TABLE_INT("pid"), TABLE_INT("offset"),
};
static const struct table_column userobject_columns[] = {
    TABLE_INT("pointer"), TABLE_STR("pointer_text"), TABLE_STR("name"),
    TABLE_INT("pid"),     TABLE_INT("offset"),
};
static const struct table_column blob_columns[] = {
    TABLE_STR("name"), TABLE_STR("category"), TABLE_STR("kind"),   TABLE_INT("bytes"),
    TABLE_INT("ts"),   TABLE_INT("utid"),     TABLE_INT("offset"),
};
static const struct table_column lost_columns[] = {
    TABLE_INT("provider"), TABLE_INT("ts"),     TABLE_INT("records"),
    TABLE_INT("bytes"),    TABLE_INT("offset"),
};
static const struct table_column provider_columns[] = {TABLE_INT("id"), TABLE_STR("name")};

const struct table own_log = {
    "log", TABLE_COLUMNS(log_columns), log_rows, get_log, NULL, NULL, NULL, NULL, 0};
const struct table own_problem = {
    "problem", TABLE_COLUMNS(problem_columns), problem_rows, get_problem, NULL, NULL, NULL, NULL,
    0};
const struct table own_stats = {
    "stats", TABLE_COLUMNS(stats_columns), problem_rows, get_stats, NULL, NULL, NULL, NULL, 0};
const struct table own_metadata = {"metadata",
                                   TABLE_COLUMNS(metadata_columns),
                                   metadata_rows,
                                   get_metadata,
                                   NULL,
                                   NULL,
                                   NULL,
                                   NULL,
                                   0};
const struct table own_object = {
    "object", TABLE_COLUMNS(object_columns), object_rows, get_object, NULL, NULL, NULL, NULL, 0};
const struct table own_userobject = {"userobject",
                                     TABLE_COLUMNS(userobject_columns),
                                     userobject_rows,
                                     get_userobject,
                                     NULL,
                                     NULL,
                                     NULL,
                                     NULL,
                                     0};
const struct table own_blob = {
    "blob", TABLE_COLUMNS(blob_columns), blob_rows, get_blob, NULL, NULL, NULL, NULL, 0};
const struct table own_lost = {
    "lost", TABLE_COLUMNS(lost_columns), lost_rows, get_lost, NULL, NULL, NULL, NULL, 0};
const struct table own_provider = {"provider",
                                   TABLE_COLUMNS(provider_columns),
                                   provider_rows,
                                   get_provider,
                                   NULL,
                                   NULL,
                                   NULL,
                                   NULL,
                                   0};
