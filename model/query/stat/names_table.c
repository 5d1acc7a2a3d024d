/* names_table.c - one pass for counts and covered time, one for the lives of threads, and one or
 * two for percentiles.
 *
 * The slices are passed by their begins first (slice_order.h), which covered time needs, in two
 * parts if they are many. Then numbers and bounds of all durations are known, so that percentiles.h
 * can keep them in 4 bytes each. A filter is asked again in each pass: its answers are the same,
 * because the trace is. */
#include "model/query/stat/names_table.h"

#include <stdlib.h>

#include "src/base/units.h"

#define TEXT_MOST 400   /* bytes of a row's text that are compared */
#define GROUP_UNITS 8   /* of the budget: its memory was not touched before */
#define SLICES_A_UNIT 2 /* added to percentiles for a unit of the budget */
#define TAKEN_UNITS 8   /* of the budget, for a row of the second part */

static void free_parts(struct names_table *t) {
    if (t->parts == NULL)
        return;
    aggregate_part_free(&t->parts->second);
    track_set_free(&t->parts->tracks[0]);
    track_set_free(&t->parts->tracks[1]);
    free(t->parts);
    t->parts = NULL;
}

/* True: all of them. */
static bool free_samples(struct names_table *t, struct budget *budget) {
    for (; t->samples.n > 0; t->samples.n--) {
        if (!budget_left(budget))
            return false;
        vec_free(&t->samples.v[t->samples.n - 1].v);
        budget_spend(budget, 1);
    }
    vec_free(&t->samples);
    return true;
}

void names_table_free(struct names_table *t) {
    free_parts(t);
    free_samples(t, BUDGET_ENDLESS);
    percentiles_free(&t->percentiles);
    aggregate_free(&t->aggregate);
    slice_group_free(&t->group);
    slice_order_free(&t->order);
    *t = (struct names_table){0};
}

bool names_table_free_step(struct names_table *t, struct budget *budget) {
    if ((t->parts && !aggregate_free_rows_step(&t->parts->second.aggregate, budget)) ||
        !free_samples(t, budget) || !percentiles_free_step(&t->percentiles, budget) ||
        !aggregate_free_rows_step(&t->aggregate, budget))
        return false;
    names_table_free(t);
    return true;
}

/* Divides the tracks if there are many slices. Filters, categories and values keep what they read,
 * so two threads must not ask them. Returns the slices of the first part. */
static struct slice_set begin_parts(struct names_table *t) {
    const struct names_query *query = &t->query;
    struct slice_set set = t->set;
    bool plain = query->has == NULL && query->by < GROUP_BY_CATEGORY;
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
    t->trace = trace;
    t->query = *query;
    slice_group_init(&t->group, trace, query->by, query->argument);
    t->aggregate = AGGREGATE_INIT(AGGREGATE_NAME);
    t->aggregate.cpu_time = query->running;
    slice_group_apply(&t->group, &t->aggregate);
    if (query->part) {
        t->aggregate.by = AGGREGATE_NAME_PART;
        t->aggregate.part = query->part;
        t->aggregate.part_ctx = query->part_ctx;
    }
    t->set = range_slices(query->range, query->kinds);
    t->set.has = query->has;
    t->set.ctx = query->ctx;
    t->set.times = !slice_group_reads(&t->group);
    t->all = query->all > 0 ? query->all : range_slices_about(query->range, trace, query->kinds);
    struct slice_set first = begin_parts(t);
    slice_order_init(&t->order, trace, &first);
    slice_iter_init(&t->iter, trace, &t->set);
}

/* ---- stages ---- */

/* Both parts at a time; false: not all so far. */
static bool count_parts(struct names_table *t, struct aggregate_part *second,
                        struct budget *budget) {
    for (;;) {
        struct budget rest = budget_lend(budget);
        aggregate_part_give(second, &rest);
        bool done = aggregate_nested(&t->aggregate, t->trace, &t->order, &rest);
        aggregate_part_wait(second, done, &rest);
        bool more = budget_return(budget, &rest);
        if (done && second->done)
            return true;
        if (!more)
            return false;
    }
}

/* Counts both parts, then takes the rows of the second one. */
static bool step_count(struct names_table *t, struct budget *budget) {
    struct names_parts *parts = t->parts;
    if (t->query.plain)
        return aggregate_slices(&t->aggregate, t->trace, &t->iter, budget);
    if (parts == NULL)
        return aggregate_nested(&t->aggregate, t->trace, &t->order, budget);
    if (!count_parts(t, &parts->second, budget))
        return false;
    for (; parts->taken < parts->second.aggregate.rows.n; parts->taken++) {
        if (!budget_left(budget))
            return false;
        aggregate_take(&t->aggregate, &parts->second.aggregate.rows.v[parts->taken]);
        budget_spend(budget, TAKEN_UNITS);
    }
    t->order.passed += parts->second.order.passed;
    free_parts(t);
    return true;
}

/* The time of threads that have slices in the range, whether or not the filter holds for them. */
static bool step_lives(struct names_table *t, struct budget *budget) {
    struct slice_set set = t->set;
    struct slice_run run;
    set.has = NULL;
    for (; t->thread < trace_thread_count(t->trace); t->thread++) {
        struct slice_iter iter;
        struct budget endless = budget_endless();
        if (!budget_left(budget))
            return false;
        set.track = t->thread;
        slice_iter_init(&iter, t->trace, &set);
        if (slice_iter_next(&iter, &endless, &run)) {
            t->threads++;
            sum_add(&t->thread_time, range_thread_time(t->query.range, t->trace, t->thread));
        }
        budget_spend(budget, 10);
    }
    return true;
}

/* False: not for all rows so far. */
static bool begin_percentiles(struct names_table *t, struct budget *budget) {
    while (t->percentiles.groups.n < t->aggregate.rows.n) {
        const struct aggregate_row *row = &t->aggregate.rows.v[t->percentiles.groups.n];
        percentiles_add_group(&t->percentiles, row->count - row->open, row->least, row->most);
        t->slices += row->count;
        t->open += row->open;
        t->self = sum_plus(t->self, row->self);
        if (t->query.sample > 0)
            vec_push(&t->samples, ((struct names_sample){.passed = 0}));
        if (!budget_spend(budget, GROUP_UNITS) && t->percentiles.groups.n < t->aggregate.rows.n)
            return false;
    }
    percentiles_begin(&t->percentiles);
    slice_iter_init(&t->iter, t->trace, &t->set);
    return true;
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
static bool step_fill(struct names_table *t, struct budget *budget) {
    bool sampling = t->query.sample > 0 && !t->percentiles.second;
    struct slice_run run;
    while (slice_iter_next(&t->iter, budget, &run)) {
        for (uint32_t k = 0; k < run.n; k++) {
            const struct slice *s = &run.v[k];
            if (slice_open(s) ||
                (t->set.has && !t->set.has(t->set.ctx, run.track, run.row, run.i + k)))
                continue;
            uint32_t row = aggregate_slice_row(&t->aggregate, t->trace, run.track, s);
            if (row >= t->percentiles.groups.n)
                continue;
            if (sampling)
                sample(t, row, s);
            percentiles_add(&t->percentiles, row, slice_dur(s));
        }
        budget_spend(budget, run.n / SLICES_A_UNIT);
    }
    return slice_iter_done(&t->iter);
}

static bool step_select(struct names_table *t, struct budget *budget) {
    if (!percentiles_step(&t->percentiles, budget))
        return false;
    if (!percentiles_again(&t->percentiles))
        return true;
    slice_iter_init(&t->iter, t->trace, &t->set);
    t->stage = NAMES_FILLING;
    return false;
}

bool names_table_step(struct names_table *t, struct budget *budget) {
    while (t->stage < NAMES_READY && budget_left(budget)) {
        if (t->stage == NAMES_COUNTING && step_count(t, budget)) {
            slice_order_free(&t->order); /* of deep threads it is large, and so is the stack */
            vec_free(&t->aggregate.covering.v);
            t->stage = t->query.no_percentiles ? NAMES_READY : NAMES_LIVING;
        } else if (t->stage == NAMES_LIVING && step_lives(t, budget) &&
                   begin_percentiles(t, budget)) {
            t->stage = NAMES_FILLING;
        } else if (t->stage == NAMES_FILLING && step_fill(t, budget))
            t->stage = NAMES_SELECTING;
        else if (t->stage == NAMES_SELECTING && step_select(t, budget))
            t->stage = NAMES_RELEASING;
        else if (t->stage == NAMES_RELEASING && percentiles_release(&t->percentiles, budget))
            t->stage = NAMES_READY;
    }
    return t->stage == NAMES_READY;
}

unsigned names_table_counted(const struct names_table *t) {
    return t->stage > NAMES_COUNTING ? 100 : units_percent(t->order.passed, t->all);
}

unsigned names_table_percent(const struct names_table *t) {
    if (t->stage == NAMES_READY)
        return 100;
    if (t->stage > NAMES_COUNTING)
        return t->stage == NAMES_LIVING ? 50 : t->stage == NAMES_FILLING ? 60 : 80;
    return units_percent(t->order.passed + (t->parts ? t->parts->second.order.passed : 0), t->all) /
           2;
}

/* ---- rows ---- */

uint32_t names_table_rows(const struct names_table *t) {
    return (uint32_t)t->aggregate.rows.n;
}

const struct aggregate_row *names_table_row(const struct names_table *t, uint32_t row) {
    return &t->aggregate.rows.v[row];
}

bool names_table_value(const struct names_table *t, uint32_t row, enum names_column column,
                       int64_t *value) {
    static const int place[NAMES_COLUMNS] = {[NAMES_P50] = PERCENTILE_50,
                                             [NAMES_P90] = PERCENTILE_90,
                                             [NAMES_P95] = PERCENTILE_95,
                                             [NAMES_P99] = PERCENTILE_99};
    const struct aggregate_row *r = &t->aggregate.rows.v[row];
    bool ended = r->count > r->open;
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
        return t->stage > NAMES_LIVING && sum_cmp(t->thread_time, sum_from(0)) > 0 &&
               (t->query.kinds & SLICE_ITER_SLICES) != 0;
    case NAMES_RUNNING:
        *value = sum_ns(r->running);
        return t->query.running && r->scheduled;
    case NAMES_P50:
    case NAMES_P90:
    case NAMES_P95:
    case NAMES_P99:
        ended = ended && t->stage == NAMES_READY && !t->query.no_percentiles;
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
    struct sum key; /* greatest first */
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
    if (x->first != y->first)
        return x->first < y->first ? -1 : 1;
    struct str s = names_table_text(x->table, x->row, p, sizeof p),
               t = names_table_text(y->table, y->row, q, sizeof q);
    size_t n = s.n < t.n ? s.n : t.n;
    int order = n > 0 ? memcmp(s.s, t.s, n) : 0;
    if (order != 0)
        return order;
    return s.n != t.n ? (s.n < t.n ? -1 : 1) : x->row < y->row ? -1 : x->row > y->row;
}

void names_table_sort(const struct names_table *t, enum names_column by, uint32_t *v) {
    uint32_t n = names_table_rows(t);
    struct sorted *all = err_malloc((n + 1) * sizeof *all);
    for (uint32_t i = 0; i < n; i++) {
        all[i] = (struct sorted){t, key_of(t, i, by), first_bytes(t, i), i};
    }
    qsort(all, n, sizeof *all, by_key);
    for (uint32_t i = 0; i < n; i++)
        v[i] = all[i].row;
    free(all);
}
