/* analysis.c - tables of answers that the model works out.
 *
 * Names and gaps are worked out once, when a row is first asked for. The work is done in steps,
 * between which the stop flag is looked at. A critical path is worked out for each call. Times of
 * the model become those of SQL. */
#include "sql/tables/analysis.h"

#include <stdlib.h>

#include "model/query/stat/tables/gaps.h"
#include "model/query/stat/waits/critical.h"
#include "model/trace/trace_life.h"
#include "sql/family.h"

static const char names_key, operations_key, life_key, gaps_key;

static struct range everything; /* zero: all times and tracks */

/* ---- slice_name ---- */

void analysis_names_free(struct analysis_names *names) {
    names_table_free(&names->numbers);
    names_table_free(&names->covered);
    range_free(&names->range);
    vec_free(&names->lacking);
}

static void free_names(void *of) {
    analysis_names_free(of);
    free(of);
}

static void count(struct task *task, void *names) {
    names_table_count(task, &((struct analysis_names *)names)->numbers);
}

static void finish(struct task *task, void *names) {
    names_table_finish(task, &((struct analysis_names *)names)->numbers);
}

static void cover(struct task *task, void *ctx) {
    struct analysis_names *names = ctx;
    struct names_query query = names->numbers.query;
    query.plain = false;
    query.no_percentiles = true;
    names_table_make(task, &names->covered, names->numbers.trace, &query);
}

bool analysis_names_count(struct source *source, struct analysis_names *names, unsigned kinds,
                          uint32_t (*part)(const void *ctx, uint32_t track), const void *part_ctx) {
    struct task *task = source_task(source);
    if (names->numbers.counted)
        return true;
    names_table_begin(&names->numbers, source->trace,
                      &(struct names_query){.range = &names->range,
                                            .kinds = kinds,
                                            .by = GROUP_BY_NAME,
                                            .part = part,
                                            .part_ctx = part_ctx,
                                            .samples = true,
                                            .plain = true});
    return task_whole(count, names, task);
}

static struct analysis_names *names_of(struct source *source, const void *key, unsigned kinds) {
    struct analysis_names *names = source_find(source, key);
    if (names == NULL) {
        names = err_calloc(1, sizeof *names);
        source_keep(source, key, names, free_names);
    }
    return analysis_names_count(source, names, kinds, NULL, NULL) ? names : NULL;
}

struct analysis_names *analysis_names_of(struct source *source) {
    return names_of(source, &names_key, SLICE_ITER_SLICES);
}

struct analysis_names *analysis_operations_of(struct source *source) {
    return names_of(source, &operations_key, SLICE_ITER_OPERATIONS);
}

static void read_open(struct source *source, const struct analysis_names *names,
                      const struct aggregate_row *r) {
    uint64_t part = names->numbers.query.part ? r->key.a + UINT64_C(1) : 0,
             key = UINT64_C(1) << 63 | part << 32 | r->key.name;
    if (r->open > 0)
        source_read_open(source, key,
                         &(struct source_open){.name = r->key.name,
                                               .judged = true,
                                               .unsure = aggregate_unsure(r),
                                               .n = r->open,
                                               .lasted = r->lasted});
}

uint32_t analysis_names_row(const struct analysis_names *names, struct aggregate_key key) {
    const struct aggregate *a = &names->numbers.aggregate;
    uint32_t row = aggregate_find(a, &key);
    key.b = AGGREGATE_SAMPLED;
    return row == AGGREGATE_ANY ? aggregate_find(a, &key) : row;
}

/* The row with totals, selves and samples. */
static bool covered_value(struct source *source, struct analysis_names *names,
                          const struct aggregate_row *r, enum names_column column, int64_t *value) {
    if (!names->covered.ready && !task_whole(cover, names, source_task(source)))
        return false;
    uint32_t row = aggregate_find(&names->covered.aggregate, &r->key);
    return row != AGGREGATE_ANY && names_table_value(&names->covered, row, column, value);
}

bool analysis_names_value(struct source *source, struct analysis_names *names, uint32_t row,
                          enum names_column column, int64_t *value) {
    const struct aggregate_row *r = names_table_row(&names->numbers, row);
    bool sampled = r->key.b == AGGREGATE_SAMPLED;
    if (!sampled && column < NAMES_SAMPLES && column != NAMES_COUNT && column != NAMES_OPEN)
        read_open(source, names, r);
    struct task *task = source_task(source);
    if (!sampled && column >= NAMES_P50 && column <= NAMES_P99 && !names->numbers.ready &&
        !task_whole(finish, names, task))
        return false;
    if (column == NAMES_TOTAL || (sampled && column == NAMES_SAMPLES))
        return covered_value(source, names, r, column, value);
    return names_table_value(&names->numbers, row, column, value);
}

struct walk { /* of a table whose rows are numbered */
    uint64_t at, n;
    struct critical path;
};

static bool begin_walk(struct table_cursor *cursor, uint64_t n) {
    struct walk *w = cursor->own ? cursor->own : err_calloc(1, sizeof *w);
    w->at = 0;
    w->n = n;
    cursor->own = w;
    cursor->rows.end = n == 0;
    return true;
}

static bool next_row(struct table_cursor *cursor) {
    struct walk *w = cursor->own;
    cursor->rows.end = ++w->at >= w->n;
    return true;
}

static void end_walk(struct table_cursor *cursor) {
    struct walk *w = cursor->own;
    if (w)
        critical_free(&w->path);
    free(w);
    cursor->own = NULL;
}

/* Notes the names of damaged slices that have no row. */
static bool has_no_row(void *ctx, uint32_t track, uint32_t row, uint32_t i) {
    struct analysis_names *names = ctx;
    struct trace *trace = names->numbers.trace;
    const struct slice *s = lane_at(nest_row(&trace_thread(trace, track)->nest, row), i);
    uint32_t name = trace_packed_name(trace, s->begin_word);
    if (analysis_names_row(names, (struct aggregate_key){.name = name}) == AGGREGATE_ANY)
        vec_push(&names->lacking, name);
    return true;
}

static int by_number(const void *a, const void *b) {
    const uint32_t *x = a, *y = b;
    return (*x > *y) - (*x < *y);
}

/* Names of which all slices have damaged times get a row, too: its numbers are not known. */
static void find_lacking(struct source *source, struct analysis_names *names) {
    struct slice_set set = SLICE_SET_ALL(SLICE_ITER_SLICES);
    set.has = has_no_row;
    set.ctx = names;
    if (names->looked)
        return;
    names->looked = true;
    slice_iter_left_out(source->trace, &set);
    size_t n = 0;
    if (names->lacking.n > 0)
        qsort(names->lacking.v, names->lacking.n, sizeof *names->lacking.v, by_number);
    for (size_t i = 0; i < names->lacking.n; i++)
        if (i == 0 || names->lacking.v[i] != names->lacking.v[i - 1])
            names->lacking.v[n++] = names->lacking.v[i];
    names->lacking.n = n;
}

static bool begin_names(struct table_cursor *cursor) {
    struct analysis_names *names = analysis_names_of(cursor->source);
    if (names)
        find_lacking(cursor->source, names);
    return names && begin_walk(cursor, names_table_rows(&names->numbers) + names->lacking.n);
}

enum {
    N_NAME,
    N_COUNT,
    N_TOTAL,
    N_LEAST,
    N_P50,
    N_P90,
    N_P99,
    N_MOST,
    N_THREADS,
    N_OPEN,
    N_SAMPLES
};

static void get_name(struct table_cursor *cursor, int column, sqlite3_context *out) {
    static const enum names_column of[] = {
        [N_COUNT] = NAMES_COUNT, [N_TOTAL] = NAMES_TOTAL, [N_LEAST] = NAMES_MIN,
        [N_P50] = NAMES_P50,     [N_P90] = NAMES_P90,     [N_P99] = NAMES_P99,
        [N_MOST] = NAMES_MAX,    [N_OPEN] = NAMES_OPEN,   [N_SAMPLES] = NAMES_SAMPLES};
    struct analysis_names *names = source_find(cursor->source, &names_key);
    uint32_t row = (uint32_t)((struct walk *)cursor->own)->at,
             rows = names_table_rows(&names->numbers);
    const struct aggregate_row *r = row < rows ? names_table_row(&names->numbers, row) : NULL;
    uint32_t name = r ? r->key.name : names->lacking.v[row - rows];
    int64_t value;
    if (column != N_NAME && trace_damaged_name(cursor->source->trace, name))
        cursor->source->left_out |= SLICE_ITER_SLICES;
    if (column == N_NAME)
        table_name(cursor, out, name);
    else if (r && column == N_THREADS)
        sqlite3_result_int64(out, r->tracks);
    else if (r && analysis_names_value(cursor->source, names, row, of[column], &value))
        sqlite3_result_int64(out, value);
}

/* ---- thread_life ---- */

static bool no_life(struct source *source, const struct rows_lane *lane, uint32_t i) {
    const struct thread *t = trace_thread(source->trace, (size_t)(lane->base + i - 1));
    int64_t begin, end;
    bool ended;
    return trace_thread_hidden(source->trace, t) ||
           !trace_thread_span(source->trace, t, &begin, &end, &ended);
}

static struct rows *life_rows(struct source *source) {
    struct rows *rows = table_numbers(source, &life_key, 1, source->threads);
    rows->skip = no_life;
    return rows;
}

static void get_life(struct table_cursor *cursor, int column, sqlite3_context *out) {
    struct trace *trace = cursor->source->trace;
    const struct thread *t = trace_thread(trace, (size_t)rows_cursor_id(&cursor->rows) - 1);
    int64_t begin, end, last = trace_end(trace); /* it may live on */
    bool ended;
    if (!trace_thread_span(trace, t, &begin, &end, &ended))
        return;
    if (column == 1)
        sqlite3_result_int64(out, source_time(cursor->source, begin));
    else if (column == 2 && end != INT64_MAX)
        sqlite3_result_int64(out, source_time(cursor->source, end));
    else if (column == 3)
        sqlite3_result_int(out, ended);
    if (column != 4 || !trace_thread_scheduled(trace, t))
        return;
    if (slice_iter_left_out_all(trace).states > 0)
        cursor->source->left_out |= SLICE_ITER_STATES;
    sqlite3_result_int64(out, trace_thread_cpu_time(trace, t, begin, end < last ? end : last));
}

/* ---- gap ---- */

static void free_gaps(void *of) {
    gaps_free(of);
    free(of);
}

static void make_gaps(struct task *task, void *ctx) {
    struct source *source = ctx;
    struct gaps *gaps = err_calloc(1, sizeof *gaps);
    gaps_make(task, gaps, source->trace, &everything);
    if (task_over(task))
        free_gaps(gaps);
    else
        source_keep(source, &gaps_key, gaps, free_gaps);
}

/* The answer is about all slices and states, some of which may have a damaged time. */
static void leave_out_damaged(struct source *source) {
    struct left_out n = slice_iter_left_out_all(source->trace);
    source->left_out |= n.slices > 0 ? SLICE_ITER_SLICES : 0;
    source->left_out |= n.states > 0 ? SLICE_ITER_STATES : 0;
}

static bool begin_gaps(struct table_cursor *cursor) {
    struct source *source = cursor->source;
    leave_out_damaged(source);
    struct task *task = source_task(source);
    if (source_find(source, &gaps_key) == NULL && !task_whole(make_gaps, source, task))
        return false;
    return begin_walk(cursor, ((const struct gaps *)source_find(source, &gaps_key))->v.n);
}

static void get_gap(struct table_cursor *cursor, int column, sqlite3_context *out) {
    const struct gaps *gaps = source_find(cursor->source, &gaps_key);
    const struct gap *gap = &gaps->v.v[((struct walk *)cursor->own)->at];
    bool cpu = gap->on >= GAPS_CPU;
    if (column == 0 && gap->on < GAPS_ALL)
        sqlite3_result_int64(out, source_utid(cursor->source, gap->on));
    else if (column == 1 && cpu)
        sqlite3_result_int64(
            out, sched_cpu(trace_sched(cursor->source->trace), gap->on - GAPS_CPU)->number);
    else if (column == 2)
        sqlite3_result_int64(out, source_time(cursor->source, gap->start));
    else if (column == 3)
        sqlite3_result_int64(out, gap->duration);
}

/* ---- critical_path(slice_id) ---- */

static bool begin_path(struct table_cursor *cursor) {
    struct source *source = cursor->source;
    const struct rows_lane *lane;
    uint32_t i;
    begin_walk(cursor, 0);
    if (!rows_find(family_rows(source), cursor->input, &lane, &i))
        return true;
    if (lane->kind != ROWS_LANE || lane->operations) {
        cursor->fault = "critical_path wants the id of a slice on a thread";
        return false;
    }
    struct walk *w = cursor->own;
    const struct slice *s = lane_at(lane->of, i);
    int64_t end = trace_slice_end(source->trace, lane->owner, s);
    if (end <= s->start)
        return true;
    leave_out_damaged(source);
    source->left_out |= trace_damaged_hops(source->trace) > 0 ? SLICE_ITER_FLOWS : 0;
    critical_set(&w->path, source->trace, lane->owner, s->start, end);
    struct task *task = source_task(source);
    return task_whole(critical_make, &w->path, task) && begin_walk(cursor, w->path.v.n);
}

static const char *state_text(uint8_t state) {
    switch (state) {
    case SCHED_RUNNING:
        return "running";
    case CRITICAL_IDLE:
        return "idle";
    case CRITICAL_COVERED:
        return "in slices";
    case CRITICAL_UNKNOWN:
        return "unknown";
    case CRITICAL_NO_SLICE:
        return "no slice";
    case CRITICAL_REST:
        return "rest";
    default:
        return sched_state_name(state);
    }
}

static void get_path(struct table_cursor *cursor, int column, sqlite3_context *out) {
    static const char *const whys[] = {
        [CRITICAL_END] = "end",     [CRITICAL_BEFORE] = "before",
        [CRITICAL_WOKE] = "woke",   [CRITICAL_SENT] = "sent",
        [CRITICAL_AGAIN] = "again", [CRITICAL_NO_WAKER] = "no waker",
        [CRITICAL_CYCLE] = "cycle", [CRITICAL_IDLED] = "idle thread",
        [CRITICAL_ENDED] = "ended",
    };
    const struct walk *w = cursor->own;
    /* the path is kept from its end */
    const struct critical_stretch *s = &w->path.v.v[w->n - 1 - w->at];
    const char *text = state_text(s->state);
    if (column == 0)
        sqlite3_result_int64(out, source_time(cursor->source, s->from));
    else if (column == 1)
        sqlite3_result_int64(out, s->to - s->from);
    else if (column == 2 && s->thread != NO_THREAD)
        sqlite3_result_int64(out, source_utid(cursor->source, s->thread));
    else if (column == 3 && text)
        sqlite3_result_text(out, text, -1, SQLITE_STATIC);
    else if (column == 4)
        sqlite3_result_text(out, whys[s->why], -1, SQLITE_STATIC);
    else if (column == 5 && s->other != NO_THREAD)
        sqlite3_result_int64(out, source_utid(cursor->source, s->other));
}

static const struct table_column name_columns[] = {
    TABLE_STR("name"),    TABLE_INT("count"), TABLE_INT("total"),   TABLE_INT("least"),
    TABLE_INT("p50"),     TABLE_INT("p90"),   TABLE_INT("p99"),     TABLE_INT("most"),
    TABLE_INT("threads"), TABLE_INT("open"),  TABLE_INT("samples"),
};
static const struct table_column life_columns[] = {
    TABLE_ID("utid"),   TABLE_INT("start_ts"), TABLE_INT("end_ts"),
    TABLE_INT("ended"), TABLE_INT("cpu_time"),
};
static const struct table_column gap_columns[] = {
    TABLE_INT("utid"),
    TABLE_INT("cpu"),
    TABLE_INT("ts"),
    TABLE_INT("dur"),
};
static const struct table_column path_columns[] = {
    TABLE_INT("ts"),  TABLE_INT("dur"),        TABLE_INT("utid"),       TABLE_STR("state"),
    TABLE_STR("why"), TABLE_INT("other_utid"), TABLE_INPUT("slice_id"),
};

const struct table analysis_names = {"slice_name",
                                     TABLE_COLUMNS(name_columns),
                                     NULL,
                                     get_name,
                                     begin_names,
                                     next_row,
                                     end_walk,
                                     NULL,
                                     1};
const struct table analysis_lives = {
    "thread_life", TABLE_COLUMNS(life_columns), life_rows, get_life, NULL, NULL, NULL, NULL, 0};
const struct table analysis_gaps = {
    "gap", TABLE_COLUMNS(gap_columns), NULL, get_gap, begin_gaps, next_row, end_walk, NULL, 1};
const struct table analysis_path = {"critical_path",
                                    TABLE_COLUMNS(path_columns),
                                    NULL,
                                    get_path,
                                    begin_path,
                                    next_row,
                                    end_walk,
                                    "critical_path wants the id of a slice",
                                    100};
