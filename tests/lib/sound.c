/* sound.c - see sound.h. Times: ns of the reader's base, as everywhere in the model. */
#include "tests/lib/sound.h"

#include <fcntl.h>
#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>

#include "model/output/ndjson.h"
#include "model/query/dissect.h"
#include "model/trace/trace_problems.h"

#define COLUMNS 7
#define SLOW 2000 /* events of a thread up to which quadratic time is well spent */

#define FAIL(...)                                                                                                      \
    do {                                                                                                               \
        snprintf(why, 200, __VA_ARGS__);                                                                               \
        return false;                                                                                                  \
    } while (0)

/* ---- rows ---- */

static bool order(const struct lane *lane, char why[200]) {
    for (uint32_t i = 0; i < lane->n; i++) {
        const struct slice *s = lane_at(lane, i);
        if (slice_dur(s) < 0)
            FAIL("the slice at byte %" PRIu64 " has a negative duration", slice_offset(s));
        if (i > 0 && (s->start < s[-1].start || slice_end(&s[-1]) > s->start))
            FAIL("slices at bytes %" PRIu64 " and %" PRIu64 " overlap in their row", slice_offset(&s[-1]),
                 slice_offset(s));
        if (i + 1 < lane->n && i > 0 && s[-1].start == s[1].start && slice_offset(&s[-1]) > slice_offset(s))
            FAIL("the slice at byte %" PRIu64 " is not in file order", slice_offset(s));
        if (i % 7 == 0 && lane_find(lane, s->start, slice_offset(s)) != i)
            FAIL("the slice at byte %" PRIu64 " is not found", slice_offset(s));
    }
    return true;
}

static bool busy(struct lane *lane, int64_t from, int64_t to, char why[200]) {
    uint64_t slow = 0;
    for (uint32_t i = 0; i < lane->n; i++) {
        int64_t start = lane_at(lane, i)->start, end = slice_end(lane_at(lane, i));
        start = start < from ? from : start;
        end = end > to ? to : end;
        if (start < end)
            slow += (uint64_t)(end - start);
    }
    int64_t fast = lane_busy(lane, from, to);
    if (fast < 0 || (uint64_t)fast != slow)
        FAIL("busy time of [%" PRId64 ", %" PRId64 ") is %" PRIu64 ", not %" PRId64, from, to, slow, fast);
    return true;
}

static bool places(struct lane *lane, int64_t t, char why[200]) {
    uint32_t from = 0, before = 0;
    while (from < lane->n && lane_at(lane, from)->start < t)
        from++;
    while (before < lane->n && lane_at(lane, before)->start <= t)
        before++;
    if (lane_from(lane, t) != from)
        FAIL("the first slice from %" PRId64 " on is %u, not %u", t, from, lane_from(lane, t));
    if (lane_before(lane, t) != before - 1)
        FAIL("the last slice up to %" PRId64 " is %d, not %d", t, (int)before - 1, (int)lane_before(lane, t));
    return true;
}

static bool spans(struct lane *lane, const int64_t *edges, int columns, struct span *out, char why[200]) {
    int64_t lo = edges[0], hi = edges[columns];
    size_t n = lane_spans(lane, edges, columns, out);
    uint32_t i = 0;
    while (i < lane->n && slice_end(lane_at(lane, i)) <= lo && lane_at(lane, i)->start < lo)
        i++;
    if (n > 2 * (size_t)columns)
        FAIL("%zu spans in %d columns", n, columns);
    for (size_t k = 0; k < n; i += out[k].n, k++) {
        const struct span *s = &out[k];
        if (s->first != i || s->n == 0 || s->n > lane->n - i)
            FAIL("span %zu holds slices %u + %u, but %u is next of %u", k, s->first, s->n, i, lane->n);
        if (s->column < 0 || s->column >= columns || (k > 0 && s->column < s[-1].column))
            FAIL("span %zu is in column %d", k, s->column);
        uint32_t longest = s->first;
        for (uint32_t j = i; j < i + s->n; j++) {
            int64_t start = lane_at(lane, j)->start;
            if (start >= hi || start >= edges[s->column + 1] || (start >= lo && start < edges[s->column]))
                FAIL("slice %u at %" PRId64 " is no part of column %d", j, start, s->column);
            if (slice_dur(lane_at(lane, j)) > slice_dur(lane_at(lane, longest)))
                longest = j;
        }
        if (lane_longest(lane, i, i + s->n) != longest)
            FAIL("the longest slice of span %zu is %u, not %u", k, longest, lane_longest(lane, i, i + s->n));
        if (s->n == 1 && (s->start != lane_at(lane, i)->start || s->end != slice_end(lane_at(lane, i))))
            FAIL("span %zu has not the times of its slice", k);
        if (s->n > 1 && s->busy != lane_busy(lane, edges[s->column], edges[s->column + 1]))
            FAIL("span %zu is busy for %" PRId64 " ns", k, s->busy);
    }
    if (i < lane->n && lane_at(lane, i)->start < hi)
        FAIL("slice %u at %" PRId64 " is in no span", i, lane_at(lane, i)->start);
    return true;
}

static bool shares(struct lane *lane, const int64_t *edges, int columns, double *share, char why[200]) {
    lane_busy_columns(lane, edges, columns, share);
    for (int c = 0; c < columns; c++) {
        double slow = (double)lane_busy(lane, edges[c], edges[c + 1]) / (double)(edges[c + 1] - edges[c]);
        if (share[c] - slow > 1e-9 || slow - share[c] > 1e-9)
            FAIL("column %d of [%" PRId64 ", %" PRId64 ") is busy by %g, not %g", c, edges[c], edges[c + 1], slow, share[c]);
    }
    return true;
}

bool sound_lane(struct lane *lane, const int64_t *edges, int columns, char why[200]) {
    struct span *out = err_malloc((size_t)columns * 2 * sizeof *out);
    double *share = err_calloc((size_t)columns, sizeof *share);
    bool ok = spans(lane, edges, columns, out, why) && shares(lane, edges, columns, share, why);
    free(out);
    free(share);
    return ok;
}

/* Windows about the slice i: as wide as it, narrower, and the whole row. */
static bool questions(struct lane *lane, uint32_t i, char why[200]) {
    const struct slice *s = lane_at(lane, i), *last = lane_at(lane, lane->n - 1);
    int64_t end = slice_open(s) ? s->start : s->start + slice_dur(s), whole = slice_open(last) ? last->start : slice_end(last);
    const int64_t from[] = {s->start, s->start + (end - s->start) / 3, lane_at(lane, 0)->start, end};
    const int64_t to[] = {end, end - (end - s->start) / 3, whole, whole};
    for (int k = 0; k < 4; k++) {
        int64_t edges[COLUMNS + 1], width = to[k] - from[k] < COLUMNS ? COLUMNS : to[k] - from[k];
        if (from[k] > INT64_MAX - width - 1)
            continue;
        for (int c = 0; c <= COLUMNS; c++)
            edges[c] = from[k] + width / COLUMNS * c + (c == COLUMNS ? width % COLUMNS + 1 : 0);
        if (!sound_lane(lane, edges, COLUMNS, why) || !places(lane, from[k], why) || !places(lane, to[k], why) ||
            !busy(lane, edges[0], edges[COLUMNS], why))
            return false;
    }
    return true;
}

static bool parents(struct trace *trace, const struct nest *nest, uint32_t row, char why[200]) {
    const struct slice_extra *aside = trace_slice_extra(trace);
    for (uint32_t i = 0; i < nest->lanes[row].n; i++) {
        const struct slice *s = lane_at(&nest->lanes[row], i);
        uint32_t prow, p;
        uint64_t offset = slice_offset(s);
        if (!nest_parent(nest, aside, row, i, &prow, &p)) {
            if (nest_depth(nest, aside, row, i) != 0)
                FAIL("the slice at byte %" PRIu64 " has no parent and is not at depth 0", offset);
            continue;
        }
        if (prow >= row || p >= nest->lanes[prow].n)
            FAIL("the parent of the slice at byte %" PRIu64 " is not above it", offset);
        const struct slice *parent = lane_at(&nest->lanes[prow], p);
        if (parent->start > s->start || slice_end(parent) < slice_end(s))
            FAIL("the parent of the slice at byte %" PRIu64 " does not contain it", offset);
        if (nest_depth(nest, aside, row, i) != nest_depth(nest, aside, prow, p) + 1)
            FAIL("the depth of the slice at byte %" PRIu64 " is not its parent's and one", offset);
    }
    return true;
}

/* At the begin of a slice a slice is found that begins there: the last in nesting order. */
static bool found(struct trace *trace, const struct thread *t, uint32_t row, uint32_t i, char why[200]) {
    const struct slice *s = lane_at(&t->nest.lanes[row], i);
    uint64_t offset = slice_offset(s);
    uint32_t r, k;
    if (!trace_find_slice(t, s->start, offset, &r, &k) || r != row || k != i)
        FAIL("the slice at byte %" PRIu64 " is not found in its rows", offset);
    if (!trace_slice_at(trace, t->number, s->start, &r, &k))
        FAIL("nothing is where the slice at byte %" PRIu64 " begins", offset);
    const struct slice *at = lane_at(&t->nest.lanes[r], k);
    if (at->start != s->start) /* the last one that holds its begin begins there too */
        FAIL("at the begin of the slice at byte %" PRIu64 " is what began before", offset);
    return true;
}

bool sound_rows(struct trace *trace, char why[200]) {
    for (size_t k = 0; k < trace_thread_count(trace); k++) {
        struct thread *t = trace_thread(trace, k);
        uint64_t slices = 0;
        size_t n;
        const struct instant *instants = trace_instants(t, &n);
        for (size_t i = 1; i < n; i++)
            if (instants[i].time < instants[i - 1].time)
                FAIL("instants of thread %zu are not in order", k);
        for (uint32_t row = 0; row < t->nest.nlanes; row++) {
            struct lane *lane = &t->nest.lanes[row];
            slices += lane->n;
            if (!order(lane, why) || !parents(trace, &t->nest, row, why))
                return false;
            for (uint32_t i = 0; i < lane->n; i += 1 + lane->n / 50)
                if (!found(trace, t, row, i, why))
                    return false;
            for (uint32_t i = 0; i < lane->n; i += 1 + lane->n / 5)
                if (!questions(lane, i, why))
                    return false;
        }
        if (t->nest.nlanes > 0 && t->nest.lanes[t->nest.nlanes - 1].n == 0)
            FAIL("nothing stands on the last of the %u rows of thread %zu", t->nest.nlanes, k);
        if (slices != t->nest.slices)
            FAIL("thread %zu has %" PRIu64 " slices in its rows, not %" PRIu64, k, slices, t->nest.slices);
    }
    return true;
}

/* ---- nesting, by the letter ---- */

struct event {
    int64_t time, end;
    uint64_t offset;
    uint32_t name;
    enum nest_event event;
    struct thread_id thread;
};

struct known { /* a slice as the rules have it */
    int64_t start, end; /* INT64_MAX: open */
    uint64_t offset, end_offset;
    uint32_t name;
    bool open, stack, overlap, mismatch;
    const struct known *parent;
};

struct letter {
    VEC(struct event) events; /* of one thread */
    VEC(struct known) known;  /* in nesting order */
    uint64_t strays, mismatches, overlaps;
};

static int by_time(const void *a, const void *b) {
    const struct event *x = a, *y = b;
    if (x->time != y->time)
        return x->time < y->time ? -1 : 1;
    return x->offset < y->offset ? -1 : x->offset > y->offset;
}

static int by_length(const void *a, const void *b) {
    const struct known *x = a, *y = b;
    if (x->start != y->start)
        return x->start < y->start ? -1 : 1;
    if (x->end != y->end)
        return x->end > y->end ? -1 : 1;
    return x->offset < y->offset ? -1 : x->offset > y->offset;
}

/* SEMANTICS 6.1: begins, ends and complete events of no length, as a stack does. */
static void stack(struct letter *l) {
    VEC(size_t) open = {0};
    for (size_t i = 0; i < l->events.n; i++) {
        const struct event *e = &l->events.v[i];
        if (e->event == NEST_COMPLETE && e->end > e->time)
            continue;
        if (e->event != NEST_END) {
            struct known k = {.start = e->time, .end = INT64_MAX, .offset = e->offset, .name = e->name, .stack = true};
            if (e->event == NEST_COMPLETE) {
                k.end = e->time;
            } else {
                k.open = true;
                vec_push(&open, l->known.n);
            }
            vec_push(&l->known, k);
        } else if (open.n == 0) {
            l->strays++;
        } else {
            struct known *k = &l->known.v[open.v[--open.n]];
            k->open = false;
            k->end = e->time;
            k->end_offset = e->offset;
            k->mismatch = e->name != 0 && e->name != k->name;
            l->mismatches += k->mismatch;
        }
    }
    vec_free(&open);
}

/* SEMANTICS 6.2: the other complete events, merged in by begin time. */
static void merge(struct letter *l) {
    VEC(struct known) rest = {0}, all = {0};
    for (size_t i = 0; i < l->events.n; i++) {
        const struct event *e = &l->events.v[i];
        if (e->event == NEST_COMPLETE && e->end > e->time)
            vec_push(&rest, ((struct known){.start = e->time, .end = e->end, .offset = e->offset, .name = e->name}));
    }
    if (rest.n > 0)
        qsort(rest.v, rest.n, sizeof *rest.v, by_length);
    size_t s = 0;
    for (size_t r = 0; r < rest.n; r++) {
        const struct known *x = &rest.v[r];
        size_t until = s;
        for (size_t i = s; i < l->known.n && l->known.v[i].start <= x->start; i++) {
            const struct known *k = &l->known.v[i];
            if (k->start < x->start || k->open || k->end > x->end || (k->end == x->end && k->offset < x->offset))
                until = i + 1;
        }
        while (s < until)
            vec_push(&all, l->known.v[s++]);
        vec_push(&all, *x);
    }
    while (s < l->known.n)
        vec_push(&all, l->known.v[s++]);
    vec_free(&rest);
    vec_free(&l->known);
    l->known.v = all.v;
    l->known.n = all.n;
    l->known.cap = all.cap;
}

static bool has_ended(const struct known *p, const struct known *x) {
    if (p->open || p->end != x->start || !p->stack || !x->stack)
        return !p->open && p->end <= x->start;
    return p->end_offset < x->offset; /* of no length: at once */
}

/* SEMANTICS 6.3: parents. */
static void relate(struct letter *l) {
    for (size_t i = 0; i < l->known.n; i++) {
        struct known *x = &l->known.v[i];
        bool latest = true;
        for (size_t k = i; k > 0 && x->parent == NULL; k--) {
            const struct known *p = &l->known.v[k - 1];
            if (has_ended(p, x))
                continue;
            if (p->end >= x->end)
                x->parent = p;
            else if (latest)
                x->overlap = true;
            latest = false;
        }
        l->overlaps += x->overlap;
    }
}

static int by_offset(const void *a, const void *b) {
    const struct known *x = *(const struct known *const *)a, *y = *(const struct known *const *)b;
    return x->offset < y->offset ? -1 : x->offset > y->offset;
}

static bool compare(const struct letter *l, const struct nest *nest, const struct slice_extra *aside, const char *how,
                    char why[200]) {
    const struct known **sorted = err_malloc((l->known.n + 1) * sizeof *sorted);
    for (size_t i = 0; i < l->known.n; i++)
        sorted[i] = &l->known.v[i];
    qsort(sorted, l->known.n, sizeof *sorted, by_offset);
    const char *what = NULL;
    uint64_t at = 0;
    if (nest->slices != l->known.n || nest->strays.n != l->strays || nest->mismatches != l->mismatches ||
        nest->overlaps != l->overlaps)
        what = "counts";
    for (uint32_t row = 0; row < nest->nlanes && what == NULL; row++)
        for (uint32_t i = 0; i < nest->lanes[row].n && what == NULL; i++) {
            const struct slice *s = lane_at(&nest->lanes[row], i);
            struct known key = {.offset = at = slice_offset(s)};
            const struct known *pkey = &key, **found;
            found = bsearch(&pkey, sorted, l->known.n, sizeof *sorted, by_offset);
            uint32_t prow, p;
            if (found == NULL)
                what = "begin";
            else if (s->start != (*found)->start || slice_end(s) != (*found)->end)
                what = "times";
            else if ((slice_name(s) < EVENT_NAME_MAX && slice_name(s) != (*found)->name) ||
                     slice_extra_end_offset(aside, s) != (*found)->end_offset)
                what = "name or end record";
            else if (((slice_flags(s) & SLICE_OVERLAP) != 0) != (*found)->overlap)
                what = "overlap";
            else if (((slice_flags(s) & SLICE_MISMATCH) != 0) != (*found)->mismatch)
                what = "mismatch";
            else if (nest_parent(nest, aside, row, i, &prow, &p)
                         ? (*found)->parent == NULL ||
                               slice_offset(lane_at(&nest->lanes[prow], p)) != (*found)->parent->offset
                         : (*found)->parent != NULL)
                what = "parent";
        }
    free(sorted);
    if (what)
        FAIL("%s: the %s of the slice at byte %" PRIu64 " is not what the rules say (slices %" PRIu64 "/%zu, strays "
             "%zu/%" PRIu64 ", mismatches %u/%" PRIu64 ", overlaps %u/%" PRIu64 ")",
             how, what, at, nest->slices, l->known.n, nest->strays.n, l->strays, nest->mismatches, l->mismatches,
             nest->overlaps, l->overlaps);
    return true;
}

/* ---- the same events once more through a nest of its own, flushed at several places ---- */

struct fact {
    uint64_t key, value;
};

struct side {
    const struct letter *letter;
    VEC(struct fact) facts;
};

static uint32_t side_name(void *ctx, uint64_t offset) {
    const struct side *side = ctx;
    for (size_t i = 0; i < side->letter->events.n; i++)
        if (side->letter->events.v[i].offset == offset)
            return side->letter->events.v[i].name;
    return 0;
}

static void side_set(void *ctx, uint64_t key, uint64_t value) {
    struct side *side = ctx;
    for (size_t i = 0; i < side->facts.n; i++)
        if (side->facts.v[i].key == key) {
            side->facts.v[i].value = value;
            return;
        }
    vec_push(&side->facts, ((struct fact){key, value}));
}

static uint64_t side_get(void *ctx, uint64_t key) {
    const struct side *side = ctx;
    for (size_t i = 0; i < side->facts.n; i++)
        if (side->facts.v[i].key == key)
            return side->facts.v[i].value;
    return UINT64_MAX;
}

static bool in_steps(const struct letter *l, const struct event *events, uint64_t steps, char why[200]) {
    struct side side = {.letter = l};
    struct slice_extra aside = {&side, side_name, side_set, side_get, NULL};
    struct nest nest;
    struct nest_buffer buffer;
    nest_init(&nest);
    nest_buffer_init(&buffer, &nest, &aside);
    for (size_t i = 0; i < l->events.n; i++) {
        const struct event *e = &events[i];
        nest_buffer_add(&buffer, e->event, e->time, e->end, e->offset, e->name);
        if (steps >> i % 64 & 1)
            nest_buffer_flush_all(&buffer, (steps >> (i + 1) % 64 & 1) != 0);
    }
    nest_buffer_flush_all(&buffer, true);
    bool ok = compare(l, &nest, &aside, "in steps", why);
    nest_buffer_free(&buffer);
    nest_free(&nest);
    vec_free(&side.facts);
    return ok;
}

/* ---- the file read again ---- */

struct again {
    VEC(struct event) events;
    struct reader *reader;
};

static void again_record(void *ctx, const struct item *item) {
    static const enum nest_event events[] = {NEST_BEGIN, NEST_END, NEST_COMPLETE};
    struct again *again = ctx;
    enum fxt_kind kind = item->record->kind;
    if (!item->is_event || kind < FXT_K_DURATION_BEGIN || kind > FXT_K_DURATION_COMPLETE)
        return;
    struct event e = {item->time, item->end, item->offset, item->name, events[kind - FXT_K_DURATION_BEGIN],
                      *threads_id(reader_threads(again->reader), item->thread)};
    vec_push(&again->events, e);
}

static void again_problem(void *ctx, enum problem_kind kind, uint64_t offset, uint64_t detail, int64_t time) {
    (void)ctx;
    (void)kind;
    (void)offset;
    (void)detail;
    (void)time;
}

/* Leaves the names as the trace numbers them. */
static void read_again(struct trace *trace, struct again *again) {
    struct sink sink = {again, NULL, NULL, again_record, again_problem};
    bool wide = false;
    do {
        struct reader *reader = reader_new(trace_file(trace), &sink);
        if (wide)
            reader_set_base(reader, reader_min(again->reader));
        reader_free(again->reader);
        again->reader = reader;
        again->events.n = 0;
        while (reader_step(reader, 1 << 20) == READER_MORE)
            ;
        wide = !wide && reader_wide(reader);
    } while (wide);
    for (size_t i = 0; i < again->events.n; i++) {
        struct str name = names_str(reader_names(again->reader), again->events.v[i].name);
        again->events.v[i].name = names_find(reader_names(trace_reader(trace)), name.s, name.n);
    }
}

static bool same_thread(const struct thread_id *a, const struct thread_id *b) {
    return a->form == b->form && a->pid == b->pid && a->tid == b->tid && a->index == b->index &&
           a->provider == b->provider;
}

/* A slice of exactly 2^63-1 ns looks like an open one (its duration is SLICE_OPEN). If times saturate that far from
 * each other the rules do not hold to the letter. */
static bool too_long(const struct letter *l) {
    int64_t first = INT64_MAX, last = INT64_MIN;
    for (size_t i = 0; i < l->events.n; i++) {
        const struct event *e = &l->events.v[i];
        first = e->time < first ? e->time : first;
        last = e->time > last ? e->time : last;
        last = e->event == NEST_COMPLETE && e->end > last ? e->end : last;
    }
    return first <= 0 && last == INT64_MAX;
}

static bool nesting_of(struct trace *trace, const struct thread *t, const struct again *again, uint64_t steps,
                       char why[200]) {
    struct letter l = {0};
    for (size_t i = 0; i < again->events.n && l.events.n <= SLOW; i++)
        if (same_thread(&again->events.v[i].thread, &t->id))
            vec_push(&l.events, again->events.v[i]);
    bool ok = true;
    if (l.events.n > 0 && l.events.n <= SLOW) {
        struct event *unsorted = err_malloc(l.events.n * sizeof *unsorted);
        memcpy(unsorted, l.events.v, l.events.n * sizeof *unsorted);
        qsort(l.events.v, l.events.n, sizeof *l.events.v, by_time);
        stack(&l);
        merge(&l);
        relate(&l);
        ok = too_long(&l) ||
             (compare(&l, &t->nest, trace_slice_extra(trace), "loaded", why) && in_steps(&l, unsorted, steps, why));
        free(unsorted);
    } else if (l.events.n == 0 && t->nest.slices > 0) {
        snprintf(why, 200, "slices without events");
        ok = false;
    }
    vec_free(&l.events);
    vec_free(&l.known);
    return ok;
}

bool sound_nesting(struct trace *trace, uint64_t steps, char why[200]) {
    struct again again = {0};
    read_again(trace, &again);
    bool ok = true;
    for (size_t i = 0; i < trace_thread_count(trace) && ok; i++)
        ok = nesting_of(trace, trace_thread(trace, i), &again, steps, why);
    reader_free(again.reader);
    vec_free(&again.events);
    return ok;
}

bool sound_dissection(struct trace *trace, char why[200]) {
    struct dissection a = {0};
    struct dissect_place place = {trace_reader(trace), trace, 0};
    uint64_t at = 0, bit = 0, size = file_size(trace_file(trace));
    while (dissect_open(&a, &place, at)) {
        bit = 0;
        for (size_t i = 0; i < a.v.n && bit == a.v.v[i].bit; i++)
            bit += a.v.v[i].bits;
        if (a.bytes == 0 || bit != a.bytes * 8)
            break;
        at += a.bytes;
    }
    if (at != size)
        snprintf(why, 200, "the fields at byte %" PRIu64 " end at bit %" PRIu64 " of %" PRIu64 " bytes", at, bit,
                 a.bytes);
    dissect_free(&a);
    return at == size;
}

/* ---- what is derived from logs ---- */

static bool row(struct lane *lane, char why[200]) {
    if (lane->n == 0)
        FAIL("a row has nothing in it");
    if (!order(lane, why))
        return false;
    for (uint32_t i = 0; i < lane->n; i += 1 + lane->n / 3)
        if (!questions(lane, i, why))
            return false;
    return true;
}

static bool async_rows(struct trace *trace, char why[200]) {
    const struct async *async = trace_async(trace);
    uint64_t ops = 0, instants = 0, open = 0;
    for (size_t k = 0; k < async_group_count(async); k++) {
        const struct async_group *g = async_group(async, k);
        for (uint32_t i = 0; i < g->nlanes; i++) {
            if (!row(&g->lanes[i], why))
                return false;
            ops += g->lanes[i].n;
            open += slice_open(lane_at(&g->lanes[i], g->lanes[i].n - 1));
        }
        for (size_t i = 1; i < g->instants.n; i++)
            if (g->instants.v[i].at.time < g->instants.v[i - 1].at.time)
                FAIL("instants of async group %zu are not in order", k);
        instants += g->instants.n;
    }
    if (open != async->state.open.n)
        FAIL("%" PRIu64 " async operations have no end, not %u", open, async->state.open.n);
    if (ops > trace_kind_count(trace, FXT_K_ASYNC_BEGIN) || instants > trace_kind_count(trace, FXT_K_ASYNC_INSTANT))
        FAIL("%" PRIu64 " async operations and %" PRIu64 " instants are too many", ops, instants);
    return true;
}

static bool flow_links(struct trace *trace, char why[200]) {
    const struct flows *flows = trace_flows(trace);
    uint64_t points = 0;
    for (size_t i = 0; i < flow_count(flows); i++) {
        const struct flow *f = flows_at(flows, i);
        uint32_t before = NO_POINT, n = 0;
        for (uint32_t at = f->first; at != NO_POINT; at = flow_link(flows, at)->after, n++) {
            const struct flow_link *p = flow_link(flows, at);
            if (p->flow != i || p->before != before || n >= f->points)
                FAIL("the point %u is not linked as flow %zu has it", at, i);
            if (before != NO_POINT && (at < before || flow_time(flows, at) < flow_time(flows, before)))
                FAIL("the point %u of flow %zu goes back in time", at, i);
            before = at;
        }
        if (n != f->points || before != f->last || n == 0)
            FAIL("flow %zu has %u points, not %u", i, n, f->points);
        points += n;
    }
    uint64_t placed = 0;
    for (uint32_t thread = 0; thread < flows->state.on_thread.n; thread++) {
        const struct flow_points *on = &flows->state.on_thread.v[thread];
        for (size_t i = 0; i < on->v.n; i++)
            if (flow_thread(flows, on->v.v[i]) != thread || (i > 0 && on->v.v[i] <= on->v.v[i - 1]))
                FAIL("the point %u is not in its place on thread %u", on->v.v[i], thread);
        placed += on->v.n;
    }
    for (uint32_t i = 0; i < flow_point_count(flows); i++)
        placed += flow_thread(flows, i) == NO_THREAD;
    if (placed != flow_point_count(flows))
        FAIL("%" PRIu64 " flow points of %zu are on threads", placed, flow_point_count(flows));
    if (points != flow_point_count(flows) || points != flows->input.log.n)
        FAIL("%" PRIu64 " flow points of %zu are in flows", points, flow_point_count(flows));
    return true;
}

static bool series(struct trace *trace, char why[200]) {
    const struct counters *counters = trace_counters(trace);
    uint64_t samples = 0;
    for (size_t k = 0; k < counters->v.n; k++) {
        struct counter_series *s = counters->v.v[k];
        size_t n;
        const struct counter_sample *v = counter_samples(s, &n);
        double min = (double)INFINITY, max = -(double)INFINITY;
        size_t least, most;
        for (size_t i = 0; i < n; i++) {
            double x = counter_value(&v[i]);
            if (!counter_numeric(counter_type(&v[i])))
                FAIL("a sample of counter %zu is of type %u", k, counter_type(&v[i]));
            if (i > 0 && (v[i].at.time < v[i - 1].at.time ||
                          (v[i].at.time == v[i - 1].at.time && v[i].at.offset <= v[i - 1].at.offset)))
                FAIL("samples of counter %zu are not in order", k);
            if (x < min)
                min = x;
            if (x > max)
                max = x;
        }
        if (counter_extent(s, 0, n, &least, &most) != (min <= max) ||
            (min <= max && (counter_value(&v[least]) != min || counter_value(&v[most]) != max)))
            FAIL("counter %zu reaches from %g to %g, not from sample %zu to %zu", k, min, max, least, most);
        samples += n;
    }
    if (samples != counters->samples)
        FAIL("%" PRIu64 " samples, not %" PRIu64, samples, counters->samples);
    return true;
}

/* Without gaps, except after states that are longer than a duration can be; the last has no end. */
static bool tiled(struct lane *lane, char why[200]) {
    if (!row(lane, why))
        return false;
    for (uint32_t i = 0; i < lane->n; i++)
        if (slice_open(lane_at(lane, i)) != (i + 1 == lane->n) ||
            (i > 0 && slice_dur(lane_at(lane, i - 1)) != SLICE_OPEN - 1 &&
             slice_end(lane_at(lane, i - 1)) != lane_at(lane, i)->start))
            FAIL("what begins at byte %" PRIu64 " does not follow what is before it", slice_offset(lane_at(lane, i)));
    return true;
}

static bool scheduling(struct trace *trace, char why[200]) {
    const struct sched *sched = trace_sched(trace);
    for (size_t i = 0; i < sched_cpu_count(sched); i++)
        if (!tiled(&sched_cpu(sched, i)->lane, why) ||
            (sched_busy(sched_cpu(sched, i))->n > 0 && !row(sched_busy(sched_cpu(sched, i)), why)))
            return false;
    for (size_t i = 0; i < sched_thread_count(sched); i++) {
        struct sched_thread *t = sched_thread_at(sched, i);
        if (sched_thread(sched, t->thread) != t || trace_stands_for(trace, t->thread) != t->thread)
            FAIL("the states of thread %u stand elsewhere", t->thread);
        if (!tiled(&t->lane, why))
            return false;
        for (uint32_t k = 0; k < t->lane.n; k++)
            if (slice_dur(lane_at(&t->lane, k)) == 0)
                FAIL("a state of thread %u has no length", t->thread);
    }
    return true;
}

static bool count_bytes(void *ctx, const char *bytes, size_t n) {
    uint64_t *count = ctx;
    (void)bytes;
    *count += n;
    return true;
}

static bool data(struct trace *trace, char why[200]) {
    const struct blobs *blobs = trace_blobs(trace);
    for (size_t i = 0; i < blobs->v.n; i++) {
        const struct blob *b = &blobs->v.v[i];
        uint64_t bytes = 0;
        if (i > 0 && b->offset <= b[-1].offset)
            FAIL("blobs are not in file order at byte %" PRIu64, b->offset);
        if (!blob_read(trace_reader(trace), trace_file(trace), b, count_bytes, &bytes) || bytes != b->bytes)
            FAIL("%" PRIu64 " bytes of the blob at byte %" PRIu64 " can be read, not %" PRIu64, bytes, b->offset, b->bytes);
    }
    return true;
}

static bool occurrences(const struct occurrence *v, size_t n, char why[200]) {
    for (size_t i = 1; i < n; i++)
        if (v[i].at.time < v[i - 1].at.time ||
            (v[i].at.time == v[i - 1].at.time && v[i].at.offset <= v[i - 1].at.offset))
            FAIL("the record at byte %" PRIu64 " is not in order", v[i].at.offset);
    return true;
}

static bool counts(struct trace *trace, char why[200]) {
    const struct problems *problems = trace_problems(trace);
    for (int notes = 0; notes < 2; notes++) {
        uint64_t n = 0;
        for (int kind = 0; kind < PROBLEM_KINDS; kind++)
            if (notes || !problem_is_note((enum problem_kind)kind))
                n += problems->kinds[kind].count;
        if (n != trace_problem_count(trace, notes))
            FAIL("%" PRIu64 " problems, counted as %" PRIu64 " (notes: %d)", n, trace_problem_count(trace, notes), notes);
    }
    return true;
}

bool sound_derived(struct trace *trace, char why[200]) {
    size_t n_logs, n_profile;
    const struct occurrence *logs = trace_logs(trace, &n_logs), *profile = trace_profile(trace, &n_profile);
    return async_rows(trace, why) && flow_links(trace, why) && series(trace, why) && scheduling(trace, why) &&
           data(trace, why) && occurrences(logs, n_logs, why) && occurrences(profile, n_profile, why) &&
           counts(trace, why);
}

/* ---- read again in small steps ---- */

static char *exported(struct trace *trace, size_t *n) {
    char *text = NULL;
    FILE *f = open_memstream(&text, n);
    if (f == NULL)
        return NULL;
    export_ndjson(trace, f);
    fclose(f);
    return text;
}

bool sound_steps(struct trace *trace, const char *path, const struct trace_options *options, uint64_t steps, char why[200]) {
    struct err err;
    struct trace *again = trace_open(path, options, &err);
    if (again == NULL)
        FAIL("not opened again");
    for (unsigned i = 0; trace_step(again, UINT64_C(8) << (steps >> i % 32 & 7)) != TRACE_COMPLETE; i++)
        ;
    size_t n, m;
    char *whole = exported(trace, &n), *pieces = exported(again, &m);
    bool ok = whole && pieces && n == m && memcmp(whole, pieces, n) == 0;
    if (!ok) {
        size_t at = 0, from = 0;
        while (whole && pieces && at < n && at < m && whole[at] == pieces[at])
            if (whole[at++] == '\n')
                from = at;
        snprintf(why, 200, "read in steps: %.150s", pieces && from < m ? pieces + from : "nothing");
    }
    free(whole);
    free(pieces);
    trace_free(again);
    return ok;
}

int sound_file(void) {
#ifdef HAVE_MEMFD_CREATE
    return memfd_create("trace", MFD_CLOEXEC);
#else
    FILE *f = tmpfile();
    int fd = f ? fcntl(fileno(f), F_DUPFD_CLOEXEC, 3) : -1;
    if (f)
        fclose(f);
    return fd;
#endif
}
