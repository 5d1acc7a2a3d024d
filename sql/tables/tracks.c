/* tracks.c - the tables of tracks.
 *
 * One numbering serves all: threads, rows of async operations, counters (source.h). A table is a
 * part of it, without the threads that have neither slices nor instants. Async tracks have the name
 * of the operation that opened their group. */
#include "sql/tables/tracks.h"

#include <inttypes.h>

#include "model/output/chars.h"
#include "sql/scopes.h"

enum part { PART_ALL, PART_THREADS, PART_OPERATIONS, PART_COUNTERS, PART_SCOPES };

static const char keys[PART_SCOPES];

static bool without_track(struct source *source, const struct rows_lane *lane, uint32_t i) {
    uint64_t number = lane->base + i - 1;
    if (number >= source->threads)
        return false;
    const struct thread *t = trace_thread(source->trace, number);
    return t->nest.slices == 0 && trace_instant_count(t) == 0;
}

/* Whether a track is neither one of operations nor one of the instants of a process. */
static bool of_no_process(struct source *source, const struct rows_lane *lane, uint32_t i) {
    const struct scopes *scopes = scopes_of(source);
    int64_t at = (int64_t)(lane->base + i) - scopes_first_track(source);
    return (int64_t)(lane->base + i) >= source_counter_track(source, 0) &&
           (at < 0 || scopes->tracks.v[at] == NO_PROCESS);
}

static struct rows *part_rows(struct source *source, enum part part) {
    uint64_t threads = source->threads, operations = source->operations.n;
    uint64_t counters = counter_series_count(trace_counters(source->trace));
    uint64_t first[] = {1, 1, threads + 1, threads + operations + 1};
    uint64_t scopes = scopes_of(source)->tracks.n;
    uint64_t n[] = {threads + operations + counters + scopes, threads,
                    scopes > 0 ? operations + counters + scopes : operations, counters};
    struct rows *rows = table_numbers(source, &keys[part], first[part], n[part]);
    rows->skip = part == PART_ALL || part == PART_THREADS ? without_track : NULL;
    if (part == PART_OPERATIONS && scopes > 0)
        rows->skip = of_no_process;
    return rows;
}

static struct rows *all_rows(struct source *source) {
    return part_rows(source, PART_ALL);
}

static struct rows *thread_rows(struct source *source) {
    return part_rows(source, PART_THREADS);
}

static struct rows *operation_rows(struct source *source) {
    return part_rows(source, PART_OPERATIONS);
}

static struct rows *counter_rows(struct source *source) {
    return part_rows(source, PART_COUNTERS);
}

struct track { /* the one in the current row */
    enum part part;
    uint32_t place;
};

static struct track track_of(const struct table_cursor *cursor) {
    uint64_t id = (uint64_t)rows_cursor_id(&cursor->rows) - 1, threads = cursor->source->threads;
    uint64_t operations = cursor->source->operations.n;
    if (id < threads)
        return (struct track){PART_THREADS, (uint32_t)id};
    if (id - threads < operations)
        return (struct track){PART_OPERATIONS, (uint32_t)(id - threads)};
    uint64_t place = id - threads - operations,
             counters = counter_series_count(trace_counters(cursor->source->trace));
    if (place < counters)
        return (struct track){PART_COUNTERS, (uint32_t)place};
    return (struct track){PART_SCOPES, (uint32_t)(place - counters)};
}

/* "event:argument:counterid"; of JSON "event argument", with " id: counterid" after the event if
 * there is an id; of Perfetto "event". */
enum spelling { SPELLING_FUCHSIA, SPELLING_JSON, SPELLING_PERFETTO };

static enum spelling spelling_of(const struct source *source) {
    const char *from = file_imported(trace_file(source->trace));
    if (from && strcmp(from, "Perfetto") == 0)
        return SPELLING_PERFETTO;
    return source->json ? SPELLING_JSON : SPELLING_FUCHSIA;
}

static void add_counter_name(const struct source *source, uint32_t place, enum spelling spelling,
                             struct chars *name) {
    bool json = spelling == SPELLING_JSON;
    const struct trace *trace = source->trace;
    const struct counter_series *s = counter_series(trace_counters(trace), place);
    vec_reserve(name, 64);
    chars_add(name, trace_name(trace, s->name));
    if (spelling == SPELLING_PERFETTO)
        return;
    if (json && s->id != 0)
        chars_format(name, " id: %" PRIu64, s->id);
    chars_text(name, json ? " " : ":");
    chars_add(name, trace_name(trace, s->argument));
    if (!json)
        chars_format(name, ":%" PRIu64, s->id);
}

/* The spelling of its format, unless the other one alone is asked for. */
static void counter_name(const struct table_cursor *cursor, uint32_t place, sqlite3_context *out) {
    enum spelling own = spelling_of(cursor->source);
    enum spelling second = own == SPELLING_FUCHSIA ? SPELLING_JSON : SPELLING_FUCHSIA;
    struct chars name = {0}, other = {0};
    add_counter_name(cursor->source, place, own, &name);
    vec_push(&name, '\0');
    if (!table_asks(cursor, name.v)) {
        add_counter_name(cursor->source, place, second, &other);
        vec_push(&other, '\0');
    }
    const struct chars *given = other.n > 0 && table_asks(cursor, other.v) ? &other : &name;
    table_text(out, (struct str){given->v, given->n - 1});
    vec_free(&name);
    vec_free(&other);
}

static void get_name(const struct table_cursor *cursor, sqlite3_context *out) {
    struct track t = track_of(cursor);
    const struct source *source = cursor->source;
    if (t.part == PART_OPERATIONS)
        table_name(
            cursor, out,
            async_group(trace_async(source->trace), source->operations.v[t.place].group)->name);
    if (t.part == PART_COUNTERS)
        counter_name(cursor, t.place, out);
}

static void get_type(const struct table_cursor *cursor, sqlite3_context *out) {
    static const char *const types[] = {[PART_THREADS] = "thread_execution",
                                        [PART_OPERATIONS] = "legacy_async_process_slice",
                                        [PART_COUNTERS] = "fuchsia_counter",
                                        [PART_SCOPES] = "legacy_instant"};
    enum part part = track_of(cursor).part;
    const char *type = part == PART_COUNTERS && cursor->source->json ? "json_counter" : types[part];
    sqlite3_result_text(out, type, -1, SQLITE_STATIC);
}

static void get_upid(const struct table_cursor *cursor, sqlite3_context *out) {
    struct track t = track_of(cursor);
    const struct source *source = cursor->source;
    uint32_t process;
    if (t.part == PART_SCOPES)
        process = scopes_of(cursor->source)->tracks.v[t.place];
    else if (t.part == PART_OPERATIONS)
        process =
            async_group(trace_async(source->trace), source->operations.v[t.place].group)->process;
    else
        process = counter_series(trace_counters(source->trace), t.place)->process;
    int64_t upid = source_upid(source, process);
    if (upid >= 0)
        sqlite3_result_int64(out, upid);
}

enum { NAME = 1, TYPE_FIRST = 2, TYPE_LATE = 3 };

static void get(struct table_cursor *cursor, int column, sqlite3_context *out) {
    if (column == NAME)
        get_name(cursor, out);
    else if (column == TYPE_FIRST)
        get_type(cursor, out);
}

static void get_of_process(struct table_cursor *cursor, int column, sqlite3_context *out) {
    if (column == cursor->table->ncolumns - 1)
        get_upid(cursor, out);
    else
        get(cursor, column, out);
}

static void get_of_counter(struct table_cursor *cursor, int column, sqlite3_context *out) {
    if (column == NAME)
        get_name(cursor, out);
    else if (column == TYPE_LATE)
        get_type(cursor, out);
}

#define COUNTER_NAME                                                                               \
    { "name", TABLE_TEXT, ROLE_SPELLED, false }

static const struct table_column track_columns[] = {
    TABLE_ID("id"),          COUNTER_NAME,
    TABLE_STR("type"),       TABLE_INT("dimension_arg_set_id"),
    TABLE_INT("parent_id"),  TABLE_INT("source_arg_set_id"),
    TABLE_INT("machine_id"), TABLE_INT("track_group_id"),
};
static const struct table_column thread_columns[] = {
    TABLE_ID("id"),
    TABLE_STR("name"),
    TABLE_STR("type"),
    TABLE_INT("parent_id"),
    TABLE_INT("source_arg_set_id"),
    TABLE_INT("machine_id"),
    TABLE_ID("utid"),
};
static const struct table_column process_columns[] = {
    TABLE_ID("id"),
    TABLE_STR("name"),
    TABLE_STR("type"),
    TABLE_INT("parent_id"),
    TABLE_INT("source_arg_set_id"),
    TABLE_INT("machine_id"),
    TABLE_INT("upid"),
};
static const struct table_column counter_columns[] = {
    TABLE_ID("id"),
    COUNTER_NAME,
    TABLE_INT("parent_id"),
    TABLE_STR("type"),
    TABLE_INT("dimension_arg_set_id"),
    TABLE_INT("source_arg_set_id"),
    TABLE_INT("machine_id"),
    TABLE_STR("unit"),
    TABLE_STR("description"),
};
static const struct table_column process_counter_columns[] = {
    TABLE_ID("id"),
    COUNTER_NAME,
    TABLE_STR("type"),
    TABLE_INT("parent_id"),
    TABLE_INT("source_arg_set_id"),
    TABLE_INT("machine_id"),
    TABLE_STR("unit"),
    TABLE_STR("description"),
    TABLE_INT("upid"),
};

const struct table tracks_table = {
    "track", TABLE_COLUMNS(track_columns), all_rows, get, NULL, NULL, NULL, NULL, 0};
const struct table tracks_of_threads = {
    "thread_track", TABLE_COLUMNS(thread_columns), thread_rows, get, NULL, NULL, NULL, NULL, 0};
const struct table tracks_of_processes = {"process_track",
                                          TABLE_COLUMNS(process_columns),
                                          operation_rows,
                                          get_of_process,
                                          NULL,
                                          NULL,
                                          NULL,
                                          NULL,
                                          0};
const struct table tracks_of_counters = {"counter_track",
                                         TABLE_COLUMNS(counter_columns),
                                         counter_rows,
                                         get_of_counter,
                                         NULL,
                                         NULL,
                                         NULL,
                                         NULL,
                                         0};
const struct table tracks_of_process_counters = {"process_counter_track",
                                                 TABLE_COLUMNS(process_counter_columns),
                                                 counter_rows,
                                                 get_of_process,
                                                 NULL,
                                                 NULL,
                                                 NULL,
                                                 NULL,
                                                 0};
