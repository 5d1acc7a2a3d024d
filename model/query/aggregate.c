/* aggregate.c - rows by key, and how slices are added to them.
 *
 * A key that is a name alone is found through an array by name, for names are few and slices are
 * many. Other keys are found through a hash map. If one name alone is asked for, its row is looked
 * up once a run and other slices cost one comparison. A slice whose name did not fit its packed
 * word is decoded again (trace_packed_name()).
 *
 * Events are counted in blocks of a series, and the count before each block is kept: a rank is the
 * count before the block of an event plus those in the block, and blocks without counted events are
 * skipped.
 *
 * Slices in the order of their begins need little for total and self. A row keeps the greatest end
 * so far, so that a slice adds only the part after it. From its begin on a slice is the last in
 * nesting order, so it goes on top of a stack (struct slice_order_stack). */
#include "model/query/aggregate.h"

#include "src/base/clock.h"
#include "src/base/lower_bound.h"
#include "src/base/units.h"

/* that the worker takes longer than this thread: there is no processor for it now */
#define LATE_NS 1000000
#define ALONE 6 /* steps without it then */

static void clear_running(struct aggregate_running *r) {
    for (size_t i = 0; i < r->v.n; i++)
        free(r->v.v[i].more);
    vec_free(&r->v);
    *r = (struct aggregate_running){0};
}

static void free_durations(struct aggregate *a) {
    for (size_t i = 0; i < a->rows.n && a->durations; i++)
        quantiles_free(&a->rows.v[i].durations);
}

void aggregate_clear(struct aggregate *a) {
    clear_running(&a->running);
    free_durations(a);
    for (size_t i = 0; i < a->rows.n; i++)
        if (a->rows.v[i].key.name < a->by_name.n)
            a->by_name.v[a->rows.v[i].key.name] = 0;
    a->rows.n = 0;
    a->sorted = 0;
    map_free(&a->by_key);
    a->by_key = (struct map){0};
    a->covering.v.n = 0;
    sample_counts_free(&a->counts);
}

void aggregate_free(struct aggregate *a) {
    free_durations(a);
    vec_free(&a->rows);
    vec_free(&a->by_name); /* before each row's place in it would be cleared */
    aggregate_clear(a);
    vec_free(&a->covering.v);
}

/* ---- rows ---- */

struct wanted {
    const struct aggregate *aggregate;
    const struct aggregate_key *key;
};

static bool same_key(const void *ctx, uint32_t row) {
    const struct wanted *w = ctx;
    const struct aggregate_key *key = &w->aggregate->rows.v[row].key;
    return key->name == w->key->name && key->a == w->key->a && key->b == w->key->b;
}

static uint64_t hash_of(const struct aggregate_key *key) {
    return hash_words(hash_words(key->name, key->a), key->b);
}

static inline bool name_alone(const struct aggregate_key *key) {
    return key->a == 0 && key->b == 0;
}

uint32_t aggregate_find(const struct aggregate *a, const struct aggregate_key *key) {
    if (name_alone(key))
        return key->name < a->by_name.n ? a->by_name.v[key->name] - 1 : AGGREGATE_ANY;
    if (a->by_key.n == 0)
        return AGGREGATE_ANY;
    return map_find(&a->by_key, hash_of(key), same_key, &(struct wanted){a, key});
}

static uint32_t new_row(struct aggregate *a, const struct aggregate_key *key) {
    uint32_t row = (uint32_t)a->rows.n;
    vec_push(&a->rows, ((struct aggregate_row){.key = *key}));
    if (!name_alone(key)) {
        map_add(&a->by_key, hash_of(key), row);
        return row;
    }
    vec_reserve(&a->by_name, (size_t)key->name + 1);
    while (a->by_name.n <= key->name)
        a->by_name.v[a->by_name.n++] = 0;
    a->by_name.v[key->name] = row + 1;
    return row;
}

uint32_t aggregate_row(struct aggregate *a, const struct aggregate_key *key) {
    uint32_t row = aggregate_find(a, key);
    return row == AGGREGATE_ANY ? new_row(a, key) : row;
}

void aggregate_add(struct aggregate *a, uint32_t row, int64_t duration, uint32_t id) {
    struct aggregate_row *r = &a->rows.v[row];
    r->count++;
    sum_add(&r->sum, duration);
    if (a->durations)
        quantiles_add(&r->durations, duration, id);
}

/* ---- slices ---- */

static inline void add_slice(struct aggregate *a, const struct trace *trace,
                             struct aggregate_row *r, const struct slice *s, uint32_t track) {
    r->count++;
    if (r->last_track != track + 1) {
        r->last_track = track + 1;
        r->reach = INT64_MIN;
        r->counted = 0;
        r->tracks++;
        r->sampled |= track < SLICE_ITER_ASYNC && trace_thread(trace, track)->sampled;
    }
    if (slice_open(s)) {
        int64_t end = slice_iter_end(trace, track, s),
                lasted = end > s->start ? units_since(s->start, end) : 0;
        r->lasted = lasted > r->lasted ? lasted : r->lasted;
        r->open++;
        return;
    }
    int64_t dur = slice_dur(s);
    bool first = r->count - r->open == 1;
    r->least = first || dur < r->least ? dur : r->least;
    r->most = first || dur > r->most ? dur : r->most;
    sum_add(&r->sum, dur);
    if (a->durations)
        quantiles_add(&r->durations, dur, 0);
}

/* The number after the name in the keys of a track's slices. */
static inline uint32_t key_part(const struct aggregate *a, const struct trace *trace,
                                uint32_t track) {
    if (a->by == AGGREGATE_NAME_TRACK)
        return track;
    if (a->by == AGGREGATE_NAME || a->by == AGGREGATE_GROUP)
        return 0;
    if (a->by == AGGREGATE_NAME_PART)
        return a->part(a->part_ctx, track);
    return track < SLICE_ITER_ASYNC
               ? trace_thread(trace, track)->process
               : async_group(trace_async(trace), track - SLICE_ITER_ASYNC)->process;
}

struct aggregate_key aggregate_keys(const struct aggregate *a, const struct trace *trace,
                                    uint32_t track) {
    bool sampled = a->samples && sample_counts_of(trace, track);
    return (struct aggregate_key){0, key_part(a, trace, track), sampled ? AGGREGATE_SAMPLED : 0};
}

static void add_one_name(struct aggregate *a, struct trace *trace, const struct slice_set *set,
                         const struct slice_run *run, struct aggregate_key key) {
    struct aggregate_row *row = NULL;
    const struct slice *s = run->v;
    uint32_t only = a->only;
    for (uint32_t n = run->n; n > 0; n--, s++) {
        uint32_t name = event_name(s->begin_word);
        if (set->has && !set->has(set->ctx, run->track, run->row, run->i + (run->n - n)))
            continue;
        if (name != only &&
            (name != EVENT_NAME_MAX || trace_packed_name(trace, s->begin_word) != only))
            continue;
        if (row == NULL) {
            key.name = only;
            uint32_t number = aggregate_row(a, &key);
            row = &a->rows.v[number];
        }
        add_slice(a, trace, row, s, run->track);
    }
}

/* The row of a slice; keys without a part need no call after the first slice of a name. */
static inline uint32_t row_of_slice(struct aggregate *a, struct trace *trace,
                                    const struct slice_run *run, const struct slice *s,
                                    struct aggregate_key key) {
    uint32_t name = event_name(s->begin_word);
    if (a->by == AGGREGATE_GROUP)
        name = a->group(a->group_ctx, run->track, s);
    else if (name == EVENT_NAME_MAX)
        name = trace_packed_name(trace, s->begin_word);
    key.name = name;
    if (name_alone(&key) && name < a->by_name.n && a->by_name.v[name] > 0)
        return a->by_name.v[name] - 1;
    return aggregate_row(a, &key);
}

static void add_run(struct aggregate *a, struct trace *trace, const struct slice_set *set,
                    const struct slice_run *run) {
    struct aggregate_key keys = aggregate_keys(a, trace, run->track);
    if (a->only != AGGREGATE_ANY) {
        add_one_name(a, trace, set, run, keys);
        return;
    }
    const struct slice *s = run->v;
    for (uint32_t n = run->n; n > 0; n--, s++) {
        if (set->has && !set->has(set->ctx, run->track, run->row, run->i + (run->n - n)))
            continue;
        uint32_t row = row_of_slice(a, trace, run, s, keys); /* may move the rows */
        add_slice(a, trace, &a->rows.v[row], s, run->track);
    }
}

uint32_t aggregate_slice_row(struct aggregate *a, struct trace *trace, uint32_t track,
                             const struct slice *s, struct aggregate_key keys) {
    return row_of_slice(a, trace, &(struct slice_run){.track = track}, s, keys);
}

bool aggregate_slices(struct aggregate *a, struct trace *trace, struct slice_iter *iter,
                      struct task *task) {
    struct slice_run run;
    while (slice_iter_next(iter, task, &run))
        add_run(a, trace, &iter->set, &run);
    return slice_iter_done(iter);
}

/* ---- covered time ---- */

static inline void give_self(void *ctx, uint64_t row, int64_t from, int64_t to) {
    struct aggregate *a = ctx;
    if (row != AGGREGATE_ANY)
        sum_add(&a->rows.v[row].self, units_since(from, to));
}

/* The row of a slice, or AGGREGATE_ANY if it is not to be added. */
static inline uint32_t row_if_wanted(struct aggregate *a, struct trace *trace,
                                     const struct slice_run *run, const struct slice *s,
                                     struct aggregate_key key) {
    uint32_t name = event_name(s->begin_word);
    if (name == EVENT_NAME_MAX)
        name = trace_packed_name(trace, s->begin_word);
    if (a->only != AGGREGATE_ANY && name != a->only)
        return AGGREGATE_ANY;
    if (a->by == AGGREGATE_GROUP)
        name = a->group(a->group_ctx, run->track, s);
    key.name = name;
    if (name_alone(&key) && name < a->by_name.n && a->by_name.v[name] > 0)
        return a->by_name.v[name] - 1;
    return aggregate_row(a, &key);
}

/* Adds the time from a row's reach to `end` to its total. */
static inline void add_total(struct trace *trace, struct aggregate_row *r, uint32_t track,
                             int64_t start, int64_t end) {
    int64_t from = r->reach > start ? r->reach : start;
    sum_add(&r->total, units_since(from, end));
    r->reach = end;
    if (r->scheduled && track < SLICE_ITER_ASYNC)
        sum_add(&r->running, trace_thread_cpu_time(trace, trace_thread(trace, track), from, end));
}

/* A slice with unset times covers nothing that another could: its total and self are its
 * duration. */
static void add_unset(struct aggregate *a, uint32_t row, int64_t start, int64_t end,
                      bool has_self) {
    if (row == AGGREGATE_ANY)
        return;
    sum_add(&a->rows.v[row].total, units_since(start, end));
    if (has_self)
        sum_add(&a->rows.v[row].self, units_since(start, end));
}

/* Adds the samples in a slice that are after those of the row before. */
static void add_samples(struct aggregate *a, struct trace *trace, struct aggregate_row *r,
                        const struct slice *s, const struct slice_set *set, uint32_t track) {
    struct sample_stretch in = sample_counts_slice(&a->counts, trace, track, s),
                          of = sample_counts_time(&a->counts, trace, track, set->from, set->to);
    in.from = in.from > of.from ? in.from : of.from;
    in.from = in.from > r->counted ? in.from : r->counted;
    in.to = in.to < of.to ? in.to : of.to;
    if (in.to > in.from) {
        r->samples += in.to - in.from;
        r->counted = in.to;
    }
}

static void add_nested_run(struct aggregate *a, struct trace *trace, const struct slice_set *set,
                           const struct slice_run *run) {
    struct aggregate_key keys = aggregate_keys(a, trace, run->track);
    const struct slice *s = run->v;
    bool running = a->cpu_time && run->track < SLICE_ITER_ASYNC &&
                   trace_thread_scheduled(trace, trace_thread(trace, run->track));
    bool unset = trace_unset_times(trace) > 0;
    for (uint32_t n = run->n; n > 0; n--, s++) {
        bool wanted =
            set->has == NULL || set->has(set->ctx, run->track, run->row, run->i + (run->n - n));
        /* may move the rows */
        uint32_t row = wanted ? row_if_wanted(a, trace, run, s, keys) : AGGREGATE_ANY;
        int64_t start = s->start > set->from ? s->start : set->from,
                end = slice_iter_end(trace, run->track, s);
        end = end < set->to ? end : set->to;
        if (row != AGGREGATE_ANY)
            add_slice(a, trace, &a->rows.v[row], s, run->track);
        if (row != AGGREGATE_ANY && keys.b == AGGREGATE_SAMPLED)
            add_samples(a, trace, &a->rows.v[row], s, set, run->track);
        if (row != AGGREGATE_ANY && running)
            a->rows.v[row].scheduled = true;
        if (end <= start)
            continue;
        if (unset && trace_unset_slice(trace, s)) {
            add_unset(a, row, start, end, run->track < SLICE_ITER_ASYNC);
            continue;
        }
        if (row != AGGREGATE_ANY && a->rows.v[row].reach < end)
            add_total(trace, &a->rows.v[row], run->track, start, end);
        if (run->track < SLICE_ITER_ASYNC)
            slice_order_put(&a->covering, row, start, end, give_self, a);
    }
}

bool aggregate_nested(struct aggregate *a, struct trace *trace, struct slice_order *order,
                      struct task *task) {
    struct slice_run run;
    while (slice_order_next(order, task, &run)) {
        if (run.n == 0)
            slice_order_until(&a->covering, INT64_MAX, give_self, a); /* the last track ends */
        else
            add_nested_run(a, trace, &order->set, &run);
    }
    if (!slice_order_done(order))
        return false;
    slice_order_until(&a->covering, INT64_MAX, give_self, a);
    return true;
}

void aggregate_take(struct aggregate *a, const struct aggregate_row *row) {
    uint32_t number = aggregate_row(a, &row->key); /* may move the rows */
    struct aggregate_row *r = &a->rows.v[number];
    if (row->count > row->open) {
        bool first = r->count == r->open;
        r->least = first || row->least < r->least ? row->least : r->least;
        r->most = first || row->most > r->most ? row->most : r->most;
        r->sum = sum_plus(r->sum, row->sum);
    }
    r->tracks += row->tracks;
    r->count += row->count;
    r->open += row->open;
    r->lasted = row->lasted > r->lasted ? row->lasted : r->lasted;
    r->total = sum_plus(r->total, row->total);
    r->self = sum_plus(r->self, row->self);
    r->running = sum_plus(r->running, row->running);
    r->scheduled = r->scheduled || row->scheduled;
    r->sampled = r->sampled || row->sampled;
    r->samples += row->samples;
}

void aggregate_part_init(struct aggregate_part *part, struct trace *trace, struct worker *worker,
                         const struct aggregate *like, const struct slice_set *set) {
    *part = (struct aggregate_part){
        .worker = worker, .trace = trace, .aggregate = AGGREGATE_INIT(like->by)};
    part->aggregate.only = like->only;
    part->aggregate.cpu_time = like->cpu_time;
    part->aggregate.samples = like->samples;
    part->aggregate.group = like->group;
    part->aggregate.group_ctx = like->group_ctx;
    part->aggregate.part = like->part;
    part->aggregate.part_ctx = like->part_ctx;
    slice_order_init(&part->order, trace, set);
}

void aggregate_part_free(struct aggregate_part *part) {
    aggregate_free(&part->aggregate);
    slice_order_free(&part->order);
    *part = (struct aggregate_part){.done = false};
}

static void work_on_part(void *ctx, void *none) {
    struct aggregate_part *part = ctx;
    (void)none;
    part->done =
        aggregate_nested(&part->aggregate, part->trace, &part->order, TASK_WITHIN(&part->time));
}

static void give(struct aggregate_part *part, const struct budget *time) {
    part->time = *time;
    part->given = !part->done && part->alone == 0;
    part->alone -= part->alone > 0;
    if (part->given)
        worker_give(part->worker, work_on_part, part, NULL);
}

/* The end of a step; first_done: the caller's tracks are done. If the part is not, time is up. */
static void wait_for(struct aggregate_part *part, bool first_done, struct budget *time) {
    int64_t from = part->given ? clock_now() : 0;
    if (part->given)
        worker_wait(part->worker);
    else if (first_done && !part->done)
        work_on_part(part, NULL);
    if (part->given && clock_now() - from > LATE_NS)
        part->alone = ALONE;
    if (part->done)
        worker_rest(part->worker);
    else if (part->given || first_done)
        *time = part->time;
}

bool aggregate_both(struct task *task, struct aggregate *a, struct slice_order *order,
                    struct aggregate_part *part) {
    struct budget *budget = task ? task->budget : BUDGET_ENDLESS;
    bool more = true, done = false;
    while (more && !(done && part->done)) {
        struct budget rest = budget_lend(budget);
        give(part, &rest);
        done = aggregate_nested(a, part->trace, order, TASK_WITHIN(&rest));
        wait_for(part, done, &rest);
        more = budget_return(budget, &rest);
    }
    return more;
}

int64_t aggregate_mean(const struct aggregate_row *row) {
    return row->count > row->open ? sum_mean(row->sum, row->count - row->open) : 0;
}

bool aggregate_sort(struct task *task, struct aggregate *a) {
    for (; a->sorted < a->rows.n; a->sorted++)
        if (!task_spend(task, 1) || !quantiles_sort(&a->rows.v[a->sorted].durations, task))
            return false;
    return true;
}

/* ---- events, with running counts ---- */

/* Begins the next series; false: there is none. */
static bool begin_series(struct aggregate_running *r, const struct trace *trace, unsigned kinds) {
    if (!slice_iter_series(trace, kinds, &r->track, &r->row, &r->at))
        return false;
    struct aggregate_series c = {.track = r->at.track, .row = r->at.row};
    if (r->at.n > AGGREGATE_BLOCK)
        c.more = err_calloc(r->at.n / AGGREGATE_BLOCK + 2, sizeof *c.more);
    vec_push(&r->v, c);
    r->at_work = true;
    return true;
}

/* Counts the next block of the current series. */
static uint32_t count_block(struct aggregate_running *r, const struct aggregate_events *events) {
    struct aggregate_series *c = &r->v.v[r->v.n - 1];
    uint32_t i = c->blocks * AGGREGATE_BLOCK, n = r->at.n - i;
    n = n < AGGREGATE_BLOCK ? n : AGGREGATE_BLOCK;
    uint32_t count = events->count(events->ctx, &r->at, i, i + n),
             before = aggregate_series_count(c);
    r->at_work = i + n < r->at.n;
    c->blocks++;
    if (c->more)
        c->more[c->blocks] = before + count;
    else
        c->first = count;
    return count;
}

bool aggregate_count(struct aggregate *a, uint32_t row, const struct trace *trace,
                     const struct aggregate_events *events, struct task *task) {
    struct aggregate_running *r = &a->running;
    for (;;) {
        if (task_over(task))
            return false;
        if (!r->at_work && !begin_series(r, trace, events->kinds))
            return true;
        a->rows.v[row].count += count_block(r, events);
        task_spend(task, AGGREGATE_BLOCK / 8); /* 5 ns an event */
    }
}

const struct aggregate_series *aggregate_series_of(const struct aggregate *a,
                                                   const struct slice_series *s) {
    const struct aggregate_series *v = a->running.v.v;
    size_t n = a->running.v.n, at = 0;
    lower_bound(at, n, i, v[i].track < s->track || (v[i].track == s->track && v[i].row < s->row));
    return at < n && v[at].track == s->track && v[at].row == s->row ? &v[at] : NULL;
}

static bool is_empty(const struct aggregate_series *c, uint32_t block) {
    return aggregate_before(c, block) == aggregate_before(c, block + 1);
}

uint32_t aggregate_skip(const struct aggregate_series *c, uint32_t i, uint32_t end) {
    while (i < end && is_empty(c, i / AGGREGATE_BLOCK))
        i = end - i / AGGREGATE_BLOCK * AGGREGATE_BLOCK > AGGREGATE_BLOCK
                ? (i / AGGREGATE_BLOCK + 1) * AGGREGATE_BLOCK
                : end;
    return i;
}

uint32_t aggregate_skip_back(const struct aggregate_series *c, uint32_t i) {
    while (i > 0 && is_empty(c, (i - 1) / AGGREGATE_BLOCK))
        i = (i - 1) / AGGREGATE_BLOCK * AGGREGATE_BLOCK;
    return i;
}
