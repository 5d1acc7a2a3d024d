/* names_table.c - one pass for counts and covered time, one for the lives of threads, and one or
 * two for percentiles.
 *
 * The slices are passed by their begins first (slice_order.h), which covered time needs, in two
 * parts if they are many. Then numbers and bounds of all durations are known, so that percentiles.h
 * can keep them in 4 bytes each. A filter is asked again in each pass: its answers are the same,
 * because the trace is. */
#include "model/query/stat/names_table.h"

#include <stdlib.h>

#include "model/query/stat/sample_rows.h"
#include "src/base/units.h"

#define TEXT_MOST 400   /* bytes of a row's text that are compared */
#define GROUP_UNITS 8   /* its memory was not touched before */
#define SLICES_A_UNIT 2 /* added to percentiles for a unit of work */
#define TAKEN_UNITS 8   /* for a row of the second part */
#define THREAD_UNITS 10

static void free_parts(struct names_table *t) {
    if (t->parts == NULL)
        return;
    aggregate_part_free(&t->parts->second);
    track_set_free(&t->parts->tracks[0]);
    track_set_free(&t->parts->tracks[1]);
    free(t->parts);
    t->parts = NULL;
}

void names_table_free(struct names_table *t) {
    free_parts(t);
    for (size_t i = 0; i < t->samples.n; i++)
        vec_free(&t->samples.v[i].v);
    vec_free(&t->samples);
    percentiles_free(&t->percentiles);
    aggregate_free(&t->aggregate);
    slice_group_free(&t->group);
    slice_order_free(&t->order);
    *t = (struct names_table){0};
}

/* Divides the tracks if there are many slices. Filters, categories and values keep what they read,
 * so two threads must not ask them. Returns the slices of the first part. */
static struct slice_set begin_parts(struct names_table *t) {
    const struct names_query *query = &t->query;
    struct slice_set set = t->set;
    bool plain = query->has == NULL && !slice_group_numbers(query->by);
    if (query->two_from == 0 || t->all < query->two_from || !plain)
        return set;
    struct worker *worker = trace_share_slices(t->trace);
    t->parts = err_calloc(1, sizeof *t->parts);
    if (worker == NULL || !range_split(query->range, t->trace, query->kinds, t->parts->tracks)) {
        free_parts(t);
        return set;
    }
    set.tracks = &t->parts->tracks[1];
    aggregate_part_init(&t->parts->second, t->trace, worker, &t->aggregate, &set);
    set.tracks = &t->parts->tracks[0];
    return set;
}

void names_table_begin(struct names_table *t, struct trace *trace,
                       const struct names_query *query) {
    names_table_free(t);
    trace_find_sampled(trace);
    t->trace = trace;
    t->query = *query;
    slice_group_init(&t->group, trace, query->by, query->argument);
    t->aggregate = AGGREGATE_INIT(AGGREGATE_NAME);
    t->aggregate.cpu_time = query->running;
    t->aggregate.samples = query->samples;
    slice_group_apply(&t->group, &t->aggregate);
    if (query->part) {
        t->aggregate.by = AGGREGATE_NAME_PART;
        t->aggregate.part = query->part;
        t->aggregate.part_ctx = query->part_ctx;
    }
    t->set = range_slices(query->range, query->kinds);
    t->set.has = query->has;
    t->set.ctx = query->ctx;
    t->set.times = !slice_group_needs_records(&t->group);
    t->all = query->all > 0 ? query->all : range_slices_about(query->range, trace, query->kinds);
    struct slice_set first = begin_parts(t);
    slice_order_init(&t->order, trace, &first);
}

/* ---- counting ---- */

/* Counts both parts, then takes the rows of the second one. */
static void count_parts(struct task *task, struct names_table *t) {
    struct names_parts *parts = t->parts;
    const struct aggregate *of = &parts->second.aggregate;
    aggregate_both(task, &t->aggregate, &t->order, &parts->second);
    for (size_t i = 0; !task_over(task) && i < of->rows.n; i++) {
        aggregate_take(&t->aggregate, &of->rows.v[i]);
        task_spend(task, TAKEN_UNITS);
    }
    t->order.passed += parts->second.order.passed;
    free_parts(t);
}

void names_table_count(struct task *task, struct names_table *t) {
    if (t->query.plain) {
        struct slice_iter iter;
        slice_iter_init(&iter, t->trace, &t->set);
        aggregate_slices(&t->aggregate, t->trace, &iter, task);
    } else if (t->parts) {
        count_parts(task, t);
    } else {
        aggregate_nested(&t->aggregate, t->trace, &t->order, task);
    }
    slice_order_free(&t->order); /* of deep threads it is large, and so is the stack */
    vec_free(&t->aggregate.covering.v);
    if (t->query.samples && !task_over(task))
        sample_rows_add(task, t->trace, t->query.range, &t->set, &t->aggregate);
    t->counted = !task_over(task);
}

/* ---- thread time and percentiles ---- */

/* The time of threads that have slices in the range, whether or not the filter holds for them. */
static void add_lives(struct task *task, struct names_table *t) {
    struct slice_set set = t->set;
    struct slice_run run;
    set.has = NULL;
    for (uint32_t thread = 0; thread < trace_thread_count(t->trace); thread++) {
        struct slice_iter iter;
        set.track = thread;
        slice_iter_init(&iter, t->trace, &set);
        if (slice_iter_next(&iter, NULL, &run)) {
            t->threads++;
            sum_add(&t->thread_time, range_thread_time(t->query.range, t->trace, thread));
        }
        if (!task_spend(task, THREAD_UNITS))
            return;
    }
}

static void begin_percentiles(struct task *task, struct names_table *t) {
    for (size_t i = 0; i < t->aggregate.rows.n; i++) {
        const struct aggregate_row *row = &t->aggregate.rows.v[i];
        percentiles_add_group(&t->percentiles, row->count - row->open, row->least, row->most);
        bool sampled = row->key.b == AGGREGATE_SAMPLED;
        t->sampled += sampled;
        t->off = t->off || sum_cmp(row->off, sum_from(0)) > 0;
        t->slices += sampled ? 0 : row->count;
        t->open += sampled ? 0 : row->open;
        t->self = sum_plus(t->self, row->self);
        if (t->query.sample > 0)
            vec_push(&t->samples, ((struct names_sample){.passed = 0}));
        if (!task_spend(task, GROUP_UNITS))
            return;
    }
    percentiles_begin(&t->percentiles);
}

/* Keeps each k-th duration of a row, so that there are at most as many as were asked for. */
static void sample(struct names_table *t, uint32_t row, const struct slice *s) {
    struct names_sample *kept = &t->samples.v[row];
    uint64_t ended = t->percentiles.groups.v[row].n, most = t->query.sample,
             step = (ended + most - 1) / most;
    if (kept->passed++ % (step > 0 ? step : 1) == 0 && kept->passed <= ended) {
        vec_push(&kept->v, slice_dur(s));
    }
}

/* Adds all durations to their rows, which exist. */
static void fill(struct task *task, struct names_table *t) {
    bool sampling = t->query.sample > 0 && !t->percentiles.second;
    struct slice_iter iter;
    struct slice_run run;
    slice_iter_init(&iter, t->trace, &t->set);
    while (slice_iter_next(&iter, task, &run)) {
        struct aggregate_key keys = aggregate_keys(&t->aggregate, t->trace, run.track);
        for (uint32_t k = 0; k < run.n; k++) {
            const struct slice *s = &run.v[k];
            if (slice_open(s) ||
                (t->set.has && !t->set.has(t->set.ctx, run.track, run.row, run.i + k)))
                continue;
            uint32_t row = aggregate_slice_row(&t->aggregate, t->trace, run.track, s, keys);
            if (row >= t->percentiles.groups.n)
                continue;
            if (sampling)
                sample(t, row, s);
            percentiles_add(&t->percentiles, row, slice_dur(s));
        }
        task_spend(task, run.n / SLICES_A_UNIT);
    }
}

/* If it was cancelled before. */
static void forget_finish(struct names_table *t) {
    percentiles_free(&t->percentiles);
    t->threads = 0;
    t->thread_time = t->self = sum_from(0);
    t->slices = t->open = 0;
    t->sampled = 0;
    t->off = false;
}

void names_table_finish(struct task *task, struct names_table *t) {
    forget_finish(t);
    if (!task_over(task))
        add_lives(task, t);
    if (!task_over(task))
        begin_percentiles(task, t);
    bool again = t->lived = !task_over(task);
    while (again) {
        t->filled = false;
        fill(task, t);
        t->filled = true;
        again = !task_over(task) && percentiles_again(task, &t->percentiles);
    }
    t->ready = !task_over(task);
}

void names_table_make(struct task *task, struct names_table *t, struct trace *trace,
                      const struct names_query *query) {
    names_table_begin(t, trace, query);
    names_table_count(task, t);
    if (query->no_percentiles)
        t->lived = t->ready = t->counted;
    else
        names_table_finish(task, t);
}

unsigned names_table_counted(const struct names_table *t) {
    return t->counted ? 100 : units_percent(t->order.passed, t->all);
}

unsigned names_table_percent(const struct names_table *t) {
    uint64_t second = t->parts ? t->parts->second.order.passed : 0;
    if (t->ready)
        return 100;
    if (!t->counted)
        return units_percent(t->order.passed + second, t->all) / 2;
    if (!t->lived)
        return 50;
    return t->filled ? 80 : 60;
}

/* ---- rows ---- */

uint32_t names_table_rows(const struct names_table *t) {
    return (uint32_t)t->aggregate.rows.n;
}

const struct aggregate_row *names_table_row(const struct names_table *t, uint32_t row) {
    return &t->aggregate.rows.v[row];
}

/* A number of a row that is sampled. */
static bool sampled_value(const struct aggregate_row *r, enum names_column column, int64_t *value) {
    switch (column) {
    case NAMES_SAMPLES:
        *value = (int64_t)r->samples;
        return true;
    case NAMES_ABOUT:
        *value = sum_ns(r->self);
        return true;
    case NAMES_SELF_SAMPLES:
        *value = (int64_t)r->self_samples;
        return true;
    case NAMES_OFF_CPU:
        *value = sum_ns(r->off);
        return true;
    default:
        return false;
    }
}

bool names_table_value(const struct names_table *t, uint32_t row, enum names_column column,
                       int64_t *value) {
    static const int place[NAMES_COLUMNS] = {[NAMES_P50] = PERCENTILE_50,
                                             [NAMES_P90] = PERCENTILE_90,
                                             [NAMES_P95] = PERCENTILE_95,
                                             [NAMES_P99] = PERCENTILE_99};
    const struct aggregate_row *r = &t->aggregate.rows.v[row];
    bool ended = r->count > r->open;
    if (r->key.b == AGGREGATE_SAMPLED)
        return sampled_value(r, column, value);
    switch (column) {
    case NAMES_COUNT:
        *value = (int64_t)r->count;
        return true;
    case NAMES_OPEN:
        *value = (int64_t)r->open;
        return true;
    case NAMES_TOTAL:
        *value = sum_ns(r->total);
        return true;
    case NAMES_SELF:
        *value = sum_ns(r->self);
        return (t->query.kinds & SLICE_ITER_SLICES) != 0;
    case NAMES_MIN:
        *value = r->least;
        return ended;
    case NAMES_AVG:
        *value = aggregate_mean(r);
        return ended;
    case NAMES_MAX:
        *value = r->most;
        return ended;
    case NAMES_SHARE:
        *value = sum_share(r->total, t->thread_time);
        return t->lived && sum_cmp(t->thread_time, sum_from(0)) > 0 &&
               (t->query.kinds & SLICE_ITER_SLICES) != 0;
    case NAMES_RUNNING:
        *value = sum_ns(r->running);
        return t->query.running && r->scheduled;
    case NAMES_P50:
    case NAMES_P90:
    case NAMES_P95:
    case NAMES_P99:
        ended = ended && t->ready && !t->query.no_percentiles;
        *value = ended ? t->percentiles.groups.v[row].at[place[column]] : 0;
        return ended;
    default:
        return false;
    }
}

struct str names_table_text(const struct names_table *t, uint32_t row, char *buf, size_t cap) {
    return slice_group_text(&t->group, &t->aggregate.rows.v[row].key, buf, cap);
}

static void touch(const void *at) {
    (void)*(const volatile char *)at;
}

void names_table_touch(const struct names_table *t, const uint32_t *rows, size_t n) {
    char buf[TEXT_MOST];
    for (size_t i = 0; i < n; i++) {
        touch(&t->aggregate.rows.v[rows[i]].key);
        touch(&t->aggregate.rows.v[rows[i]].running);
        if (rows[i] < t->percentiles.groups.n)
            touch(&t->percentiles.groups.v[rows[i]].at);
    }
    for (size_t i = 0; i < n; i++) {
        struct str text = names_table_text(t, rows[i], buf, sizeof buf);
        if (text.n > 0)
            touch(text.s);
    }
}

/* ---- order ---- */

struct sorted {
    const struct names_table *table;
    struct sum key;   /* greatest first; of sampled rows none but by their numbers */
    uint64_t samples; /* then the most of these */
    /* bytes of the text, as a number: so texts, which are in no cache, are rarely read again */
    uint64_t first;
    uint32_t row;
};

static uint64_t first_bytes(const struct names_table *t, uint32_t row) {
    char buf[TEXT_MOST];
    struct str text = names_table_text(t, row, buf, sizeof buf);
    uint64_t first = 0;
    for (size_t i = 0; i < sizeof first; i++)
        first = first << 8 | (i < text.n ? (unsigned char)text.s[i] : 0);
    return first;
}

/* Sums that are shown alike may differ. */
static struct sum key_of(const struct names_table *t, uint32_t row, enum names_column by) {
    const struct aggregate_row *r = &t->aggregate.rows.v[row];
    int64_t value;
    if (!names_table_value(t, row, by, &value))
        return sum_from(INT64_MIN);
    switch (by) {
    case NAMES_TOTAL:
        return r->total;
    case NAMES_SELF:
        return r->self;
    case NAMES_RUNNING:
        return r->running;
    case NAMES_OFF_CPU:
        return r->off;
    default:
        return sum_from(value);
    }
}

static int by_key(const void *a, const void *b) {
    const struct sorted *x = a, *y = b;
    char p[TEXT_MOST], q[TEXT_MOST];
    int keys = sum_cmp(y->key, x->key);
    if (keys != 0)
        return keys;
    if (x->samples != y->samples)
        return x->samples < y->samples ? 1 : -1;
    if (x->first != y->first)
        return x->first < y->first ? -1 : 1;
    struct str s = names_table_text(x->table, x->row, p, sizeof p),
               t = names_table_text(y->table, y->row, q, sizeof q);
    size_t n = s.n < t.n ? s.n : t.n;
    int order = n > 0 ? memcmp(s.s, t.s, n) : 0;
    if (order != 0)
        return order;
    if (s.n != t.n)
        return s.n < t.n ? -1 : 1;
    return (x->row > y->row) - (x->row < y->row);
}

void names_table_sort(const struct names_table *t, enum names_column by, uint32_t *v) {
    uint32_t n = names_table_rows(t);
    struct sorted *all = err_malloc((n + 1) * sizeof *all);
    for (uint32_t i = 0; i < n; i++) {
        all[i] = (struct sorted){t, key_of(t, i, by), t->aggregate.rows.v[i].samples,
                                 first_bytes(t, i), i};
    }
    qsort(all, n, sizeof *all, by_key);
    for (uint32_t i = 0; i < n; i++)
        v[i] = all[i].row;
    free(all);
}
