/* sound_nesting.c - the nesting of a trace by the letter of SEMANTICS 6, from the file read again.
 *
 * The events of a thread are sorted by time and nested as a stack does. Complete events are merged
 * into them, and a loop over all that came before finds parents. The slices of the trace must be
 * the same. So must those of another nest that takes the events in the order of the file and is
 * flushed in between.
 */
#include "tests/lib/sound_internal.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define SLOW 2000 /* events of a thread up to which quadratic time is well spent */

struct event {
    int64_t time, end;
    uint64_t offset;
    uint32_t name;
    enum nest_event event;
    struct thread_id thread;
    bool unended; /* a complete event without a known end */
    int64_t own;  /* the time in its record; `time` may be that of its place in the file */
};

struct known {          /* a slice as the rules have it */
    int64_t start, end; /* INT64_MAX: open */
    int64_t own_start, own_end;
    uint64_t offset, end_offset;
    uint32_t name;
    bool open, stack, overlap, mismatch, apart;
    const struct known *parent;
};

struct letter {
    VEC(struct event) events; /* of one thread */
    VEC(struct known) known;  /* in nesting order */
    VEC(struct known) apart;  /* with a damaged time; in no order */
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
            struct known k = {.start = e->time,
                              .end = INT64_MAX,
                              .own_start = e->own,
                              .own_end = e->own,
                              .offset = e->offset,
                              .name = e->name,
                              .stack = true};
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
            k->own_end = e->own;
            k->end_offset = e->offset;
            k->mismatch = e->name != 0 && e->name != k->name;
            l->mismatches += k->mismatch;
        }
    }
    vec_free(&open);
}

/* ---- damaged times (SEMANTICS 4.7, 4.8) ---- */

static bool is_zero(struct trace *trace, int64_t time) {
    return trace_unset_times(trace) > 0 && time == reader_bulk(trace_reader(trace), 0)->zero;
}

/* Whether the time of a begin or an end is wrong; its place in the file is not. */
static bool is_wrong(struct trace *trace, const struct event *e) {
    return e->event != NEST_COMPLETE && file_imported(trace_file(trace)) == NULL &&
           (trace_damaged_at(trace, e->offset) || is_zero(trace, e->own));
}

/* Events are in file order: those with a wrong time get that of the sound one before them, or else
 * of the first. */
static void place(struct letter *l, struct trace *trace) {
    int64_t sound = 0;
    for (size_t i = l->events.n; i-- > 0;)
        if (l->events.v[i].event != NEST_COMPLETE && !is_wrong(trace, &l->events.v[i]))
            sound = l->events.v[i].time;
    for (size_t i = 0; i < l->events.n; i++) {
        struct event *e = &l->events.v[i];
        if (is_wrong(trace, e))
            e->time = sound;
        else if (e->event != NEST_COMPLETE)
            sound = e->time;
    }
}

/* Gives a slice the times in its records; true: they are damaged. */
static bool is_apart(struct trace *trace, struct known *k) {
    bool reversed = !k->open && k->own_end < k->own_start;
    bool record = trace_damaged_at(trace, k->offset) ||
                  (k->end_offset > 0 && trace_damaged_at(trace, k->end_offset));
    k->start = k->own_start;
    if (!k->open)
        k->end = reversed ? k->own_start : k->own_end;
    bool lasts = is_zero(trace, k->start) && !trace_unset_time(trace, k->offset, k->end);
    return reversed || (k->end != k->start && (record || lasts));
}

/* Takes the damaged slices away. */
static void set_apart(struct letter *l, struct trace *trace) {
    size_t n = 0;
    for (size_t i = 0; i < l->known.n; i++) {
        struct known k = l->known.v[i];
        if (is_apart(trace, &k)) {
            k.apart = true;
            vec_push(&l->apart, k);
        } else {
            l->known.v[n++] = k;
        }
    }
    l->known.n = n;
}

/* ---- the rows ---- */

static int by_nesting(const void *a, const void *b) {
    const struct known *x = a, *y = b;
    if (x->start != y->start)
        return x->start < y->start ? -1 : 1;
    return x->offset < y->offset ? -1 : x->offset > y->offset;
}

/* SEMANTICS 6.2: the other complete events, merged in by begin time. trace: some are apart. */
static void merge(struct letter *l, struct trace *trace) {
    VEC(struct known) rest = {0}, all = {0};
    if (trace) {
        set_apart(l, trace);
        if (l->known.n > 1)
            qsort(l->known.v, l->known.n, sizeof *l->known.v, by_nesting);
    }
    for (size_t i = 0; i < l->events.n; i++) {
        const struct event *e = &l->events.v[i];
        if (e->event == NEST_COMPLETE && e->end > e->time)
            vec_push(&rest, ((struct known){.start = e->time,
                                            .end = e->end,
                                            .own_start = e->time,
                                            .own_end = e->end,
                                            .offset = e->offset,
                                            .name = e->name}));
    }
    if (rest.n > 0)
        qsort(rest.v, rest.n, sizeof *rest.v, by_length);
    size_t s = 0;
    for (size_t r = 0; r < rest.n; r++) {
        struct known *x = &rest.v[r];
        if (trace && is_apart(trace, x)) {
            x->apart = true;
            vec_push(&l->apart, *x);
            continue;
        }
        size_t until = s;
        for (size_t i = s; i < l->known.n && l->known.v[i].start <= x->start; i++) {
            const struct known *k = &l->known.v[i];
            if (k->start < x->start || k->open || k->end > x->end ||
                (k->end == x->end && k->offset < x->offset))
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

/* Reads the events, which are in file order, and stay so. trace: what it knows to be damaged is
 * apart. */
static bool by_rules(struct letter *l, struct trace *trace) {
    struct event *unsorted = err_malloc(l->events.n * sizeof *unsorted);
    memcpy(unsorted, l->events.v, l->events.n * sizeof *unsorted);
    if (trace)
        place(l, trace);
    qsort(l->events.v, l->events.n, sizeof *l->events.v, by_time);
    stack(l);
    merge(l, trace);
    relate(l);
    memcpy(l->events.v, unsorted, l->events.n * sizeof *unsorted);
    free(unsorted);
    return true;
}

static void free_letter(struct letter *l) {
    vec_free(&l->events);
    vec_free(&l->known);
    vec_free(&l->apart);
}

static int by_offset(const void *a, const void *b) {
    const struct known *x = *(const struct known *const *)a, *y = *(const struct known *const *)b;
    return x->offset < y->offset ? -1 : x->offset > y->offset;
}

static bool compare(const struct letter *l, const struct nest *nest,
                    const struct slice_extra *aside, const char *how, char why[200]) {
    size_t n = l->known.n + l->apart.n;
    const struct known **sorted = err_malloc((n + 1) * sizeof *sorted);
    for (size_t i = 0; i < l->known.n; i++)
        sorted[i] = &l->known.v[i];
    for (size_t i = 0; i < l->apart.n; i++)
        sorted[l->known.n + i] = &l->apart.v[i];
    qsort(sorted, n, sizeof *sorted, by_offset);
    const char *what = NULL;
    uint64_t at = 0;
    if (nest->slices != n || nest->strays.n != l->strays || nest->mismatches != l->mismatches ||
        nest->overlaps != l->overlaps)
        what = "counts";
    for (uint32_t row = 0; row < nest->nlanes && what == NULL; row++)
        for (uint32_t i = 0; i < nest->lanes[row].n && what == NULL; i++) {
            const struct slice *s = lane_at(&nest->lanes[row], i);
            struct known key = {.offset = at = slice_offset(s)};
            const struct known *pkey = &key, **found;
            found = bsearch(&pkey, sorted, n, sizeof *sorted, by_offset);
            uint32_t prow, p;
            if (found == NULL)
                what = "begin";
            else if (s->start != (*found)->start || slice_end(s) != (*found)->end)
                what = "times";
            else if ((slice_name(s) < EVENT_NAME_MAX && slice_name(s) != (*found)->name) ||
                     slice_extra_end_offset(aside, s) != (*found)->end_offset)
                what = "name or end record";
            else if ((row >= nest_sound_rows(nest)) != (*found)->apart)
                what = "row";
            else if (((slice_flags(s) & SLICE_OVERLAP) != 0) != (*found)->overlap)
                what = "overlap";
            else if (((slice_flags(s) & SLICE_MISMATCH) != 0) != (*found)->mismatch)
                what = "mismatch";
            else if (nest_parent(nest, aside, row, i, &prow, &p)
                         ? (*found)->parent == NULL ||
                               slice_offset(lane_at(&nest->lanes[prow], p)) !=
                                   (*found)->parent->offset
                         : (*found)->parent != NULL)
                what = "parent";
        }
    free(sorted);
    if (what)
        FAIL("%s: the %s of the slice at byte %" PRIu64
             " is not what the rules say (slices %" PRIu64 "/%zu, strays "
             "%zu/%" PRIu64 ", mismatches %u/%" PRIu64 ", overlaps %u/%" PRIu64 ")",
             how, what, at, nest->slices, n, nest->strays.n, l->strays, nest->mismatches,
             l->mismatches, nest->overlaps, l->overlaps);
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

/* By time alone: nothing is known to be damaged. */
static bool in_steps(const struct letter *loaded, uint64_t steps, char why[200]) {
    struct letter l = {0};
    struct side side = {.letter = &l};
    struct slice_extra aside = {&side, side_name, side_set, side_get, NULL, NULL};
    struct nest nest;
    struct nest_buffer buffer;
    for (size_t i = 0; i < loaded->events.n; i++)
        vec_push(&l.events, loaded->events.v[i]);
    by_rules(&l, NULL);
    nest_init(&nest);
    nest_buffer_init(&buffer, &nest, &aside);
    for (size_t i = 0; i < l.events.n; i++) {
        const struct event *e = &l.events.v[i];
        nest_buffer_add(&buffer, e->event, e->time, e->end, e->offset, e->name);
        if (steps >> i % 64 & 1)
            nest_buffer_flush_late(&buffer, (steps >> (i + 1) % 64 & 1) != 0, NULL);
    }
    nest_buffer_flush_late(&buffer, true, NULL);
    bool ok = compare(&l, &nest, &aside, "in steps", why);
    free_letter(&l);
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
    struct event e = {item->time,
                      item->end,
                      item->offset,
                      item->name,
                      events[kind - FXT_K_DURATION_BEGIN],
                      *threads_id(reader_threads(again->reader), item->thread),
                      record_unended(item->record),
                      item->time};
    vec_push(&again->events, e);
}

/* Leaves the names and the providers as the trace numbers them: it reads derived words last, this
 * reader in turns. */
static void read_again(struct trace *trace, struct again *again) {
    struct sink sink = {again, NULL, NULL, again_record, reader_ignore_problem, NULL};
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
        struct event *e = &again->events.v[i];
        struct str name = names_str(reader_names(again->reader), e->name);
        uint64_t from, to;
        e->name = names_find(reader_names(trace_reader(trace)), name.s, name.n);
        if (e->thread.form == THREAD_UNDEFINED)
            e->thread.provider =
                reader_provider_span(trace_reader(trace), e->offset, &from, &to)->number;
    }
}

static bool same_thread(const struct thread_id *a, const struct thread_id *b) {
    return a->form == b->form && a->pid == b->pid && a->tid == b->tid && a->index == b->index &&
           a->provider == b->provider;
}

/* A slice of exactly 2^63-1 ns looks like an open one (its duration is SLICE_OPEN). If times
 * saturate that far from each other the rules do not hold to the letter. */
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

/* Ends by name and complete events without a known end (SEMANTICS 6.12, 6.13): suite_nest holds
 * these rules. */
static bool of_other_rules(const struct trace *trace, const struct letter *l, bool named) {
    size_t losses;
    trace_lost(trace, &losses);
    bool other = named || losses > 0 || reader_ends_by_name(trace_reader(trace), 0);
    for (size_t i = 0; i < l->events.n && !other; i++)
        other = l->events.v[i].unended;
    return other;
}

static bool nesting_of(struct trace *trace, const struct thread *t, const struct again *again,
                       uint64_t steps, char why[200]) {
    struct letter l = {0};
    for (size_t i = 0; i < again->events.n && l.events.n <= SLOW; i++)
        if (same_thread(&again->events.v[i].thread, &t->id))
            vec_push(&l.events, again->events.v[i]);
    bool ok = true;
    if (l.events.n > 0 && l.events.n <= SLOW) {
        ok = too_long(&l) || of_other_rules(trace, &l, t->nest.named) ||
             (by_rules(&l, trace) &&
              compare(&l, &t->nest, trace_slice_extra(trace), "loaded", why) &&
              in_steps(&l, steps, why));
    } else if (l.events.n == 0 && t->nest.slices > 0) {
        snprintf(why, 200, "slices without events");
        ok = false;
    }
    free_letter(&l);
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
