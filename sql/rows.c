/* rows.c - the rows of a table in place.
 *
 * A cursor scans lanes, merges them by time, or walks a list of row numbers. Bounds of ids and keys
 * choose lanes, bounds of times a stretch of each lane by binary search. Other tests are made row
 * by row. The lists are all rows by name, sorted once, the best rows of an order with a limit,
 * and the children of a slice.
 *
 * Once questions for times have searched as many lanes as there are rows, all rows are a list by
 * time, too. Loops that may pass many rows look at the stop flag. */
#include "sql/rows.h"

#include <stdlib.h>

#include "model/trace/trace_life.h"
#include "src/base/lower_bound.h"
#include "src/base/units.h"

#define LOOK 4096u /* rows between two looks at the flag */
#define OPEN (-1)  /* dur of a slice that has not ended */

struct rows *rows_new(struct source *source, uint64_t first_id) {
    struct rows *rows = err_calloc(1, sizeof *rows);
    rows->source = source;
    rows->first = first_id;
    return rows;
}

void rows_free(void *of) {
    struct rows *rows = of;
    vec_free(&rows->v);
    free(rows->by_name);
    free(rows->name_ends);
    free(rows->by_time);
    free(rows->order_storage);
    free(rows);
}

void rows_add(struct rows *rows, const struct rows_lane *lane) {
    if (lane->n > 0)
        vec_push(&rows->v, *lane);
}

static int compare(int64_t key, unsigned kind, uint32_t row, const struct rows_lane *lane) {
    if (key != lane->key)
        return key < lane->key ? -1 : 1;
    if (kind != lane->kind)
        return kind < lane->kind ? -1 : 1;
    return row < lane->row ? -1 : row > lane->row;
}

static int lane_order(const void *a, const void *b) {
    const struct rows_lane *x = a;
    return compare(x->key, x->kind, x->row, b);
}

void rows_done(struct rows *rows) {
    uint64_t base = rows->first;
    if (rows->v.n > 1)
        qsort(rows->v.v, rows->v.n, sizeof *rows->v.v, lane_order);
    for (size_t k = 0; k < rows->v.n; k++) {
        struct rows_lane *lane = &rows->v.v[k];
        lane->base = base;
        base += lane->n;
        rows->keys += k == 0 || lane->key != lane[-1].key;
    }
    rows->n = base - rows->first;
}

const struct rows_lane *rows_lane_of(const struct rows *rows, int64_t key, enum rows_kind kind,
                                     uint32_t row) {
    size_t at = 0;
    lower_bound(at, rows->v.n, k, compare(key, kind, row, &rows->v.v[k]) > 0);
    return at < rows->v.n && compare(key, kind, row, &rows->v.v[at]) == 0 ? &rows->v.v[at] : NULL;
}

/* ---- one row ---- */

static int64_t time_of(const struct rows_lane *lane, uint32_t i) {
    switch ((enum rows_kind)lane->kind) {
    case ROWS_LANE:
        return lane_start(lane->of, i);
    case ROWS_INSTANTS:
        return ((const struct instant *)lane->of)[i].time;
    case ROWS_ASYNC_INSTANTS:
        return async_instant(lane->of, lane->order[i])->at.time;
    case ROWS_SAMPLES:
        return ((const struct counter_sample *)lane->of)[i].at.time;
    default:
        return 0;
    }
}

int64_t rows_ts(const struct source *source, const struct rows_lane *lane, uint32_t i) {
    return source_time(source, time_of(lane, i));
}

static int64_t dur_of(const struct slice *s) {
    return slice_open(s) ? OPEN : slice_dur_ended(s);
}

int64_t rows_dur(const struct rows_lane *lane, uint32_t i) {
    return lane->kind == ROWS_LANE ? dur_of(lane_at(lane->of, i)) : 0;
}

bool rows_damaged(struct source *source, const struct rows_lane *lane, uint32_t i) {
    bool damaged = lane->kind == ROWS_LANE && trace_damaged_slices(source->trace) > 0 &&
                   trace_damaged_slice(source->trace, lane_at(lane->of, i));
    source->left_out |= damaged ? SLICE_ITER_SLICES : 0;
    return damaged;
}

void rows_read_open(struct source *source, const struct rows_lane *lane, uint32_t i) {
    const struct slice *s = lane->kind == ROWS_LANE ? lane_at(lane->of, i) : NULL;
    if (s == NULL || !slice_open(s))
        return;
    int64_t end = lane->operations ? trace_end(source->trace)
                                   : trace_open_end(source->trace, lane->owner, s->start);
    source_read_open(
        source, lane->base + i,
        &(struct source_open){.name = rows_name(source, lane, i),
                              .operations = lane->operations,
                              .n = 1,
                              .lasted = end > s->start ? units_since(s->start, end) : 0});
}

bool rows_dur_known(struct rows *rows) {
    return rows->timed && !left_out_any(slice_iter_left_out_all(rows->source->trace)) &&
           !(rows->any_open && rows->any_open(rows));
}

uint32_t rows_name(struct source *source, const struct rows_lane *lane, uint32_t i) {
    uint64_t packed = 0;
    switch ((enum rows_kind)lane->kind) {
    case ROWS_LANE:
        packed = lane_at(lane->of, i)->begin_word;
        break;
    case ROWS_INSTANTS:
        packed = ((const struct instant *)lane->of)[i].packed;
        break;
    case ROWS_ASYNC_INSTANTS:
        return async_instant(lane->of, lane->order[i])->name;
    default:
        return 0;
    }
    uint32_t name = event_name(packed);
    return name == EVENT_NAME_MAX ? trace_packed_name(source->trace, packed) : name;
}

/* The lane of a row number, searched from the one of the last number on. */
static const struct rows_lane *lane_of(const struct rows *rows, uint64_t id,
                                       const struct rows_lane *near) {
    if (near && id >= near->base && id - near->base < near->n)
        return near;
    size_t at = 1;
    lower_bound(at, rows->v.n, k, rows->v.v[k].base <= id);
    return &rows->v.v[at - 1];
}

bool rows_find(const struct rows *rows, int64_t id, const struct rows_lane **lane, uint32_t *i) {
    if (id < 0 || (uint64_t)id < rows->first || (uint64_t)id - rows->first >= rows->n)
        return false;
    *lane = lane_of(rows, (uint64_t)id, NULL);
    *i = (uint32_t)((uint64_t)id - (*lane)->base);
    return !rows->skip || !rows->skip(rows->source, *lane, *i);
}

/* ---- tests ---- */

static bool inside(struct rows_bounds b, int64_t v) {
    return v >= b.lo && v <= b.hi;
}

static bool bounded(struct rows_bounds b) {
    return b.lo != INT64_MIN || b.hi != INT64_MAX;
}

static int64_t term_of(const struct rows *rows, enum rows_term term, const struct rows_lane *lane,
                       uint32_t i) {
    switch (term) {
    case ROWS_BY_ID:
        return (int64_t)(lane->base + i);
    case ROWS_BY_KEY:
        return lane->key;
    case ROWS_BY_TS:
        return rows_ts(rows->source, lane, i);
    case ROWS_BY_DUR:
        return rows_dur(lane, i);
    default:
        return rows->depth(rows->source, lane, i);
    }
}

/* Whether a row passes what lanes and stretches of them do not decide. */
static bool passes(struct rows_cursor *c, const struct rows_lane *lane, uint32_t i) {
    const struct rows_ask *ask = &c->ask;
    int64_t dur = bounded(ask->within[ROWS_BY_DUR]) ? rows_dur(lane, i) : 0;
    bool fits = !bounded(ask->within[ROWS_BY_DUR]) || inside(ask->within[ROWS_BY_DUR], dur);
    if (!fits && dur != OPEN)
        return false;
    if (ask->names) {
        uint32_t name = rows_name(c->rows->source, lane, i);
        if (name >= c->rows->source->names || !ask->names[name])
            return false;
    }
    if (bounded(ask->within[ROWS_BY_DEPTH]) &&
        !inside(ask->within[ROWS_BY_DEPTH], c->rows->depth(c->rows->source, lane, i)))
        return false;
    if (c->rows->skip && c->rows->skip(c->rows->source, lane, i))
        return false;
    if (!fits && c->rows->named) /* with its end it might fit */
        rows_read_open(c->rows->source, lane, i);
    return fits;
}

/* Does the same for a row that may be anywhere. */
static bool passes_all(struct rows_cursor *c, const struct rows_lane *lane, uint32_t i) {
    for (int t = 0; t <= ROWS_BY_TS; t++)
        if (bounded(c->ask.within[t]) && !inside(c->ask.within[t], term_of(c->rows, t, lane, i)))
            return false;
    return passes(c, lane, i);
}

/* The stretch of a lane that bounds of ids and times leave. */
static void stretch(const struct rows_cursor *c, const struct rows_lane *lane, uint32_t *from,
                    uint32_t *to) {
    struct rows_bounds id = c->ask.within[ROWS_BY_ID], ts = c->ask.within[ROWS_BY_TS];
    uint32_t lo = 0, hi = lane->n;
    const struct source *source = c->rows->source;
    *from = *to = 0;
    if (id.lo > id.hi || ts.lo > ts.hi)
        return;
    if (bounded(id)) {
        int64_t first = (int64_t)lane->base, last = first + (int64_t)lane->n - 1;
        if (id.lo > last || id.hi < first)
            return;
        lo = id.lo > first ? (uint32_t)(id.lo - first) : 0;
        hi = id.hi < last ? (uint32_t)(id.hi - first) + 1 : lane->n;
    }
    if (bounded(ts)) {
        uint32_t first = lo, end;
        lower_bound(first, hi, k, rows_ts(source, lane, (uint32_t)k) < ts.lo);
        end = first;
        lower_bound(end, hi, k, rows_ts(source, lane, (uint32_t)k) <= ts.hi);
        lo = first;
        hi = end;
    }
    *from = lo;
    *to = hi;
}

/* The lanes that bounds of ids and keys leave. */
static void choose_lanes(struct rows_cursor *c) {
    const struct rows *rows = c->rows;
    struct rows_bounds id = c->ask.within[ROWS_BY_ID], key = c->ask.within[ROWS_BY_KEY];
    size_t at = 0, to = rows->v.n;
    if (bounded(key)) {
        lower_bound(at, to, k, rows->v.v[k].key < key.lo);
        size_t end = at;
        lower_bound(end, to, k, rows->v.v[k].key <= key.hi);
        to = end;
    }
    if (bounded(id)) {
        size_t first = at, end;
        lower_bound(first, to, k, (int64_t)(rows->v.v[k].base + rows->v.v[k].n - 1) < id.lo);
        end = first;
        lower_bound(end, to, k, (int64_t)rows->v.v[k].base <= id.hi);
        at = first;
        to = end;
    }
    for (int t = 0; t < ROWS_TERMS; t++)
        if (c->ask.within[t].lo > c->ask.within[t].hi)
            to = at;
    c->at = at;
    c->to = to;
}

/* ---- a scan ---- */

/* Copies the slices from k on. */
static void copy_run(struct rows_cursor *c, uint32_t k) {
    uint32_t n = ROWS_RUN - k % ROWS_RUN;
    n = n < c->lane->n - k ? n : c->lane->n - k;
    lane_copy(c->lane->of, k, n, c->slices);
    c->from = k;
    c->until = k + n;
}

/* Does the same as passes() for slices, names and durations alone, in a table without other tests.
 * *i moves to the next row that passes, or to c->stop. False: stopped. */
static bool skim(struct rows_cursor *c, uint32_t *i) {
    struct rows_bounds dur = c->ask.within[ROWS_BY_DUR];
    const unsigned char *names = c->ask.names;
    uint32_t k = *i;
    while (k < c->stop) {
        if (k >= c->until || k < c->from) {
            if (source_stopped(c->rows->source))
                return false;
            copy_run(c, k);
        }
        uint32_t end = c->until < c->stop ? c->until : c->stop;
        for (; k < end; k++) {
            const struct slice *s = &c->slices[k - c->from];
            uint32_t name = slice_name(s);
            if (!inside(dur, dur_of(s))) {
                if (slice_open(s))
                    passes(c, c->lane, k);
                continue;
            }
            if (names && (name == EVENT_NAME_MAX || !names[name]) && !passes(c, c->lane, k))
                continue;
            *i = k;
            return true;
        }
    }
    *i = k;
    return true;
}

/* Whether rows of a scan are tested one by one. */
static bool tested(const struct rows_cursor *c) {
    return bounded(c->ask.within[ROWS_BY_DEPTH]) || c->ask.names ||
           bounded(c->ask.within[ROWS_BY_DUR]) || c->rows->skip;
}

static bool scan(struct rows_cursor *c) {
    bool any = tested(c);
    bool quick = any && !bounded(c->ask.within[ROWS_BY_DEPTH]) && !c->rows->skip;
    for (;;) {
        if (c->lane && quick && c->lane->kind == ROWS_LANE) {
            if (!skim(c, &c->i))
                return false;
        } else if (c->lane && any) {
            while (c->i < c->stop && !passes(c, c->lane, c->i))
                if (++c->i % LOOK == 0 && source_stopped(c->rows->source))
                    return false;
        }
        if (c->lane && c->i < c->stop)
            return true;
        if (c->at >= c->to) {
            c->end = true;
            return true;
        }
        c->lane = &c->rows->v.v[c->ask.order == ROWS_KEYS_DOWN ? --c->to : c->at++];
        c->from = c->until = 0;
        stretch(c, c->lane, &c->i, &c->stop);
        if ((c->to - c->at) % LOOK == 0 && source_stopped(c->rows->source))
            return false;
    }
}

/* ---- by time ---- */

static bool earlier(const struct rows_cursor *c, const struct rows_head *a,
                    const struct rows_head *b) {
    if (a->ts != b->ts)
        return (a->ts < b->ts) == (c->ask.order == ROWS_UP);
    return (a->lane < b->lane) == (c->ask.order == ROWS_UP);
}

static void sift(struct rows_cursor *c, size_t at) {
    struct rows_head *v = c->heap.v, head = v[at];
    size_t n = c->heap.n;
    for (size_t child; (child = 2 * at + 1) < n; at = child) {
        if (child + 1 < n && earlier(c, &v[child + 1], &v[child]))
            child++;
        if (!earlier(c, &v[child], &head))
            break;
        v[at] = v[child];
    }
    v[at] = head;
}

/* Moves a head to its next row that passes; false: the lane has no more, or the cursor was
 * stopped. */
static bool advance(struct rows_cursor *c, struct rows_head *head) {
    const struct rows_lane *lane = &c->rows->v.v[head->lane];
    uint32_t looked = 0;
    while (head->i != head->end) {
        uint32_t i = c->ask.order == ROWS_UP ? head->i : head->i - 1;
        if (passes(c, lane, i)) {
            head->ts = rows_ts(c->rows->source, lane, i);
            return true;
        }
        head->i = c->ask.order == ROWS_UP ? head->i + 1 : i;
        if (++looked % LOOK == 0 && source_stopped(c->rows->source))
            return false;
    }
    return false;
}

static bool merge_begin(struct rows_cursor *c) {
    c->heap.n = 0;
    for (size_t k = c->at; k < c->to; k++) {
        uint32_t from, to;
        stretch(c, &c->rows->v.v[k], &from, &to);
        bool up = c->ask.order == ROWS_UP;
        struct rows_head head = {0, (uint32_t)k, up ? from : to, up ? to : from};
        if (advance(c, &head))
            vec_push(&c->heap, head);
    }
    for (size_t k = c->heap.n / 2; k > 0; k--)
        sift(c, k - 1);
    return !source_stopped(c->rows->source);
}

static bool merge(struct rows_cursor *c) {
    if (c->heap.n == 0) {
        c->end = true;
        return true;
    }
    struct rows_head *head = &c->heap.v[0];
    c->lane = &c->rows->v.v[head->lane];
    c->i = c->ask.order == ROWS_UP ? head->i++ : --head->i;
    if (!advance(c, head)) {
        if (source_stopped(c->rows->source))
            return false;
        *head = c->heap.v[--c->heap.n];
    }
    if (c->heap.n > 0)
        sift(c, 0);
    return true;
}

/* ---- lists ---- */

/* Whether row a comes before row b, by numbers, in the order of ROWS_TOP. */
static bool better(const struct rows_cursor *c, uint32_t a, uint32_t b) {
    const struct rows *rows = c->rows;
    const struct rows_lane *x = lane_of(rows, rows->first + a, NULL),
                           *y = lane_of(rows, rows->first + b, x);
    for (int t = 0; t < c->ask.ntop; t++) {
        int64_t v = term_of(rows, c->ask.top[t].term, x, (uint32_t)(rows->first + a - x->base));
        int64_t w = term_of(rows, c->ask.top[t].term, y, (uint32_t)(rows->first + b - y->base));
        if (v != w)
            return (v < w) != c->ask.top[t].down;
    }
    return a < b;
}

/* The heap has the worst row on top. */
static void sink_worst(const struct rows_cursor *c, size_t at, size_t n) {
    uint32_t *v = c->own.v, row = v[at];
    for (size_t child; (child = 2 * at + 1) < n; at = child) {
        if (child + 1 < n && better(c, v[child], v[child + 1]))
            child++;
        if (!better(c, row, v[child]))
            break;
        v[at] = v[child];
    }
    v[at] = row;
}

/* A scan whose best rows are kept, then sorted by taking the worst from the heap. */
static bool make_top(struct rows_cursor *c) {
    const struct rows *rows = c->rows;
    size_t most = (size_t)c->ask.limit;
    c->own.n = 0;
    c->end = most == 0;
    c->lane = NULL;
    int64_t edge = 0; /* the worst row's first term */
    while (!c->end) {
        if (!scan(c))
            return false;
        if (c->end)
            break;
        uint32_t row = (uint32_t)(c->lane->base - rows->first + c->i);
        int64_t v = term_of(rows, c->ask.top[0].term, c->lane, c->i);
        if (v == OPEN && c->ask.top[0].term == ROWS_BY_DUR && rows->named)
            rows_read_open(rows->source, c->lane, c->i);
        if (c->own.n < most) {
            vec_push(&c->own, row);
            if (c->own.n == most)
                for (size_t k = most / 2; k > 0; k--)
                    sink_worst(c, k - 1, most);
        } else if ((v == edge || (v < edge) != c->ask.top[0].down) && better(c, row, c->own.v[0])) {
            c->own.v[0] = row;
            sink_worst(c, 0, most);
        }
        if (c->own.n == most) {
            const struct rows_lane *lane = lane_of(rows, rows->first + c->own.v[0], c->lane);
            edge = term_of(rows, c->ask.top[0].term, lane,
                           (uint32_t)(rows->first + c->own.v[0] - lane->base));
        }
        c->i++;
    }
    for (size_t k = c->own.n < most ? c->own.n / 2 : 0; k > 0; k--)
        sink_worst(c, k - 1, c->own.n);
    for (size_t n = c->own.n; n > 1; n--) {
        uint32_t worst = c->own.v[0];
        c->own.v[0] = c->own.v[n - 1];
        sink_worst(c, 0, n - 1);
        c->own.v[n - 1] = worst;
    }
    return true;
}

#define AHEAD 16u /* rows of a list whose slices are on their way into the CPU's cache */

static uint32_t listed(const struct rows_cursor *c, size_t at) {
    return c->list[c->backward ? c->nlist - 1 - at : at];
}

static void prefetch(const struct rows_cursor *c) {
    if (c->lane == NULL || c->lane->kind != ROWS_LANE || c->list_at + AHEAD >= c->nlist)
        return;
    uint64_t id = c->rows->first + listed(c, c->list_at + AHEAD);
    if (id >= c->lane->base && id - c->lane->base < c->lane->n)
        lane_prefetch(c->lane->of, (uint32_t)(id - c->lane->base));
}

/* The next row of the list that passes. */
static bool walk(struct rows_cursor *c) {
    while (c->nlist > 0) {
        for (; c->list_at < c->nlist; c->list_at++) {
            uint64_t id = c->rows->first + listed(c, c->list_at);
            c->lane = lane_of(c->rows, id, c->lane);
            prefetch(c);
            c->i = (uint32_t)(id - c->lane->base);
            if (c->ask.order == ROWS_TOP || passes_all(c, c->lane, c->i)) {
                c->list_at++;
                return true;
            }
            if (c->list_at % LOOK == 0 && source_stopped(c->rows->source))
                return false;
        }
        if (!rows_names_part(c))
            return false;
    }
    c->end = true;
    return true;
}

static bool begin_list(struct rows_cursor *c, const uint32_t *list, size_t n) {
    c->listed = true;
    c->list = list;
    c->nlist = n;
    c->list_at = 0;
    c->lane = NULL;
    c->end = false;
    return walk(c);
}

/* ---- all rows by time ---- */

#define FEW_LANES 16u /* searched one by one */

static bool make_by_time(struct rows *rows) {
    struct rows_cursor all = {.end = false};
    struct rows_ask ask = {.parent = -1, .order = ROWS_UP};
    struct rows_list list = {NULL, 0, 0};
    for (int t = 0; t < ROWS_TERMS; t++)
        ask.within[t] = ROWS_ALL;
    bool fine = rows_cursor_ask(&all, rows, &ask);
    while (fine && !all.end) {
        vec_push(&list, (uint32_t)(all.lane->base - rows->first + all.i));
        fine = (list.n % LOOK != 0 || !source_stopped(rows->source)) && rows_cursor_next(&all);
    }
    rows_cursor_free(&all);
    if (fine) {
        rows->by_time = list.v;
        rows->nby_time = list.n;
    } else {
        vec_free(&list);
    }
    return fine;
}

static int64_t listed_ts(const struct rows *rows, size_t at) {
    uint64_t id = rows->first + rows->by_time[at];
    const struct rows_lane *lane = lane_of(rows, id, NULL);
    return rows_ts(rows->source, lane, (uint32_t)(id - lane->base));
}

static int compare_numbers(const void *a, const void *b) {
    const uint32_t *x = a, *y = b;
    return *x < *y ? -1 : *x > *y;
}

/* Answers from the list of all rows by time where that is less work than to search each lane.
 * *fine: false if stopped. */
static bool ask_by_time(struct rows_cursor *c, bool *fine) {
    struct rows *rows = c->rows;
    struct rows_bounds ts = c->ask.within[ROWS_BY_TS];
    size_t lanes = c->at < c->to ? c->to - c->at : 0, first = 0, end;
    bool by_time = c->ask.order == ROWS_UP || c->ask.order == ROWS_DOWN;
    if (!bounded(ts) || lanes <= FEW_LANES || rows->n > UINT32_MAX ||
        (c->ask.order != ROWS_AS_THEY_ARE && !by_time))
        return false;
    rows->searched += lanes;
    if (rows->by_time == NULL && rows->searched < rows->n)
        return false;
    if (rows->by_time == NULL && !make_by_time(rows)) {
        *fine = false;
        return true;
    }
    lower_bound(first, rows->nby_time, k, listed_ts(rows, k) < ts.lo);
    end = first;
    lower_bound(end, rows->nby_time, k, listed_ts(rows, k) <= ts.hi);
    if (end - first >= lanes && !(by_time && lanes == rows->v.n))
        return false;
    const uint32_t *list = rows->by_time + first;
    if (!by_time) {
        for (size_t k = first; k < end; k++)
            vec_push(&c->own, rows->by_time[k]);
        if (c->own.n > 1)
            qsort(c->own.v, c->own.n, sizeof *c->own.v, compare_numbers);
        list = c->own.v;
    }
    c->backward = c->ask.order == ROWS_DOWN;
    *fine = begin_list(c, list, end - first);
    return true;
}

/* ---- the cursor ---- */

bool rows_cursor_ask(struct rows_cursor *c, struct rows *rows, const struct rows_ask *ask) {
    free(c->ask.names);
    c->rows = rows;
    c->ask = *ask;
    c->lane = NULL;
    c->i = c->stop = c->from = c->until = 0;
    c->end = c->listed = c->backward = false;
    c->own.n = 0;
    choose_lanes(c);
    bool fine = true;
    if (ask->parent < 0 && ask_by_time(c, &fine))
        return fine;
    if (ask->parent >= 0) {
        if (c->at < c->to)
            (ask->other ? rows->others : rows->children)(rows, ask->parent, &c->own);
        return begin_list(c, c->own.v, c->own.n);
    }
    if (ask->order == ROWS_TOP)
        return make_top(c) && begin_list(c, c->own.v, c->own.n);
    if (ask->order == ROWS_NAMES || ask->order == ROWS_KEY_NAMES) {
        c->listed = true;
        return rows_names_begin(c) && walk(c);
    }
    if (ask->order == ROWS_UP || ask->order == ROWS_DOWN)
        return merge_begin(c) && merge(c);
    return scan(c);
}

bool rows_cursor_take(struct rows_cursor *c, struct rows *rows) {
    c->rows = rows;
    c->backward = false;
    c->ask = (struct rows_ask){.parent = -1};
    for (int t = 0; t < ROWS_TERMS; t++)
        c->ask.within[t] = ROWS_ALL;
    return begin_list(c, c->own.v, c->own.n);
}

bool rows_cursor_next(struct rows_cursor *c) {
    if (c->listed)
        return walk(c);
    if (c->ask.order == ROWS_UP || c->ask.order == ROWS_DOWN)
        return merge(c);
    c->i++;
    return scan(c);
}

uint32_t rows_cursor_run(struct rows_cursor *c, const struct slice **v) {
    if (c->listed || c->lane->kind != ROWS_LANE)
        return 0;
    if (c->i < c->from || c->i >= c->until)
        copy_run(c, c->i);
    *v = &c->slices[c->i - c->from];
    uint32_t end = c->until < c->stop ? c->until : c->stop;
    return tested(c) ? 1 : end - c->i;
}

void rows_cursor_seen(const struct rows_cursor *c) {
    if (c->end || c->rows == NULL || !c->rows->named || c->lane->kind != ROWS_LANE)
        return;
    const struct trace *trace = c->rows->source->trace;
    if (trace_damaged_slices(trace) > 0 && trace_damaged_slice(trace, lane_at(c->lane->of, c->i)))
        c->rows->source->damaged_rows = true;
}

void rows_cursor_free(struct rows_cursor *c) {
    free(c->ask.names);
    vec_free(&c->own);
    vec_free(&c->heap);
}
