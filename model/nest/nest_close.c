/* nest_close.c - ends: of the last slices of the rows, and of events that are matched again.
 *
 * An end closes the latest open begin. If ends close by name it closes the latest one of its name.
 * Slices that are open inside have lost their ends, and end there, too (SEMANTICS 6.12). So it does
 * where records were lost before it. No end closes a slice without a known one (SEMANTICS 6.13). */
#include "model/nest/nest_close.h"

#define ROW_SCAN 64  /* rows below an open slice that are looked at */
#define NAME_SCAN 64 /* slices that are looked at for a name; beyond, the end waits */

/* ---- the last slices of the rows ---- */

/* Whether a complete event inside the open slice s precedes it in the file and would be as long, if
 * s ended at `time`. By SEMANTICS 6.2 that event goes around s. */
static bool twin_inside(const struct nest *nest, uint32_t row, const struct slice *s,
                        int64_t time) {
    uint32_t last = nest->displaced == 0 && nest->nlanes > row + 2 ? row + 2 : nest->nlanes;
    if (last > row + ROW_SCAN)
        return true; /* too many rows to look at: nest_flush_late() decides */
    for (uint32_t r = row + 1; r < last && time > s->start; r++) {
        const struct lane *lane = &nest->lanes[r];
        uint32_t i = lane->n;
        /* an open one may begin there */
        if (i == 0 || (lane->end != time && lane_start(lane, i - 1) != time))
            continue;
        while (i > 0 && lane_start(lane, i - 1) == time)
            i--;
        if (i == 0)
            continue;
        const struct slice *x = lane_at(lane, i - 1);
        if (x->start == s->start && slice_end(x) == time && !nest_of_stack(x) &&
            slice_offset(x) < slice_offset(s))
            return true;
    }
    return false;
}

/* Whether the last slice of a row, which is open, can end at `time` as it is nested. */
static bool can_close(const struct nest *nest, const struct slice_extra *extra, uint32_t row,
                      int64_t time) {
    const struct slice *s = nest_tail(nest, row);
    return !nest_flagged(s, SLICE_OVERLAP) && !twin_inside(nest, row, s, time) &&
           /* else it was nested as if it ended later, or earlier */
           nest_parent_end(nest, extra, row) >= time;
}

static void close_row(struct nest *nest, const struct slice_extra *extra, uint32_t row,
                      int64_t time, uint64_t offset, unsigned flags) {
    struct slice *s = nest_tail(nest, row);
    uint32_t parent_row, parent = SLICE_NO_PARENT;
    nest_parent(nest, extra, row, nest->lanes[row].n - 1, &parent_row, &parent);
    slice_extra_close(extra, s, time, offset, flags);
    slice_set_parent(s, parent);
    nest->lanes[row].end = time;
    nest->mismatches += flags != 0;
}

void nest_bound(struct nest *nest, const struct slice_extra *extra, int64_t time, bool last) {
    uint32_t row = nest->dangling - 1, parent_row, parent = SLICE_NO_PARENT;
    int64_t around = nest_parent_end(nest, extra, row), end = around < time ? around : time;
    if (last && end == INT64_MAX)
        return;
    struct slice *s = nest_tail(nest, row);
    nest_parent(nest, extra, row, nest->lanes[row].n - 1, &parent_row, &parent);
    int64_t dur = end > s->start ? end - s->start : 0;
    *s = slice_make(s->start, dur, s->begin_word, UINT64_MAX, slice_flags(s) | SLICE_UNENDED);
    slice_set_parent(s, parent);
    nest->lanes[row].end = s->start + dur;
    nest->dangling = 0;
    if (nest->active.n > 0 && nest->active.v[nest->active.n - 1] == row)
        nest->active.n--;
}

static void stray(struct nest *nest, const struct nest_item *x) {
    nest->last_stack = x->start;
    nest_add_stray(nest, x->start, nest_offset(x));
}

/* The place in `active`, + 1, of the latest open begin of this name from place i - 1 on; 0: there
 * is none. False: that is not to be found out here. */
static bool find_named(const struct nest *nest, const struct nest_item *x, size_t i,
                       size_t *found) {
    for (size_t n = 0; i > 0; i--, n++) {
        uint32_t row = nest->active.v[i - 1];
        if (n == NAME_SCAN || (!nest_open_at(nest, row) && nest->lanes[row].end > x->start))
            return false;
        if (nest_open_at(nest, row) &&
            !nest_name_differs(nest_tail(nest, row)->begin_word, x->packed))
            break;
    }
    *found = i;
    return true;
}

/* Closes the latest open begin of the name of x, and all that is open from place `from` - 1 of
 * `active` down to it. */
static bool close_named(struct nest *nest, const struct slice_extra *extra,
                        const struct nest_item *x, size_t from) {
    size_t at = 0;
    if (!find_named(nest, x, from, &at))
        return false;
    if (at == 0) {
        stray(nest, x);
        return true;
    }
    if (nest->claims) /* an end of its own time may close one of them */
        return false;
    if (nest->dangling)
        nest_bound(nest, extra, x->start, false);
    for (size_t i = from; i >= at; i--)
        if (nest_open_at(nest, nest->active.v[i - 1]) &&
            !can_close(nest, extra, nest->active.v[i - 1], x->start))
            return false;
    nest->last_stack = x->start;
    for (size_t i = from; i >= at; i--) {
        uint32_t row = nest->active.v[i - 1];
        if (!nest_open_at(nest, row))
            continue;
        if (i > at)
            nest_note_lost(nest, extra, slice_offset(nest_tail(nest, row)), true);
        close_row(nest, extra, row, x->start, nest_offset(x), i > at ? SLICE_MISMATCH : 0);
    }
    nest->active.n = at - 1;
    return true;
}

bool nest_close(struct nest *nest, const struct slice_extra *extra, const struct nest_item *x) {
    int64_t time = x->start;
    uint32_t row = 0;
    size_t i = nest->active.n;
    for (; i > 0; i--) {
        row = nest->active.v[i - 1];
        if (row + 1 == nest->dangling)
            continue;
        if (nest_open_at(nest, row))
            break;
        if (nest->lanes[row].end > time)
            return false; /* it would outlast the slice around it */
    }
    if (i == 0) {
        stray(nest, x);
        return true;
    }
    bool differs = nest_name_differs(nest_tail(nest, row)->begin_word, x->packed);
    uint64_t begin = slice_offset(nest_tail(nest, row));
    if (differs && (nest->named || nest_lost(nest, extra, begin, nest_offset(x))))
        return close_named(nest, extra, x, i);
    if (nest->dangling)
        nest_bound(nest, extra, time, false);
    if (!can_close(nest, extra, row, time))
        return false;
    nest->last_stack = time;
    if (differs)
        nest_note_lost(nest, extra, begin, false);
    close_row(nest, extra, row, time, nest_offset(x), differs ? SLICE_MISMATCH : 0);
    nest->active.n = i - 1;
    return true;
}

/* ---- events that are matched again ---- */

struct opened { /* an open begin */
    size_t item;
    size_t before; /* place + 1 of the open begin of the same name before it */
    size_t stray;  /* place + 1 of the last end of its time and name that precedes it; 0: none */
};

struct unclaimed { /* an end that closes nothing */
    int64_t time;
    uint64_t offset;
    size_t stray;  /* its number in the nest's strays */
    size_t before; /* place + 1 of the one of the same name before it */
    bool claimed;
};

struct nest_match {
    VEC(struct opened) opened;
    VEC(struct unclaimed) strays;
    struct u64map open_names, stray_names; /* name -> place + 1 of the latest */
    const struct slice_extra *extra;
    bool by_name; /* some ends may close by name */
};

struct nest_match *nest_match_new(const struct nest *nest, const struct slice_extra *extra) {
    struct nest_match *m = err_calloc(1, sizeof *m);
    m->extra = extra;
    m->by_name = nest_by_name(nest, extra);
    return m;
}

void nest_match_free(struct nest_match *m) {
    if (m == NULL)
        return;
    vec_free(&m->opened);
    vec_free(&m->strays);
    u64map_free(&m->open_names);
    u64map_free(&m->stray_names);
    free(m);
}

static size_t latest(const struct u64map *names, uint32_t name) {
    uint64_t place = u64map_get(names, name);
    return place == UINT64_MAX ? 0 : place;
}

/* The place + 1 of an end that closes nothing, from `at` on back through those of its name and
 * time; 0: none. Ends that are claimed are skipped by ever longer steps. */
static size_t unclaimed(struct nest_match *m, size_t at) {
    struct unclaimed *v = m->strays.v;
    for (size_t first = at; at > 0; at = v[at - 1].before) {
        if (v[at - 1].time != v[first - 1].time)
            return 0;
        if (!v[at - 1].claimed)
            return at;
        if (v[at - 1].before > 0 && v[v[at - 1].before - 1].claimed)
            v[at - 1].before = v[v[at - 1].before - 1].before;
    }
    return 0;
}

void nest_match_begin(struct nest_match *m, const struct nest *nest, const struct nest_item *x,
                      size_t item) {
    struct opened o = {item, 0, 0};
    if (m->by_name) {
        uint32_t name = event_name(x->packed);
        o.before = latest(&m->open_names, name);
        size_t stray = nest->named ? latest(&m->stray_names, name) : 0;
        o.stray = stray > 0 && m->strays.v[stray - 1].time == x->start ? stray : 0;
        u64map_set(&m->open_names, name, m->opened.n + 1);
    }
    vec_push(&m->opened, o);
}

bool nest_match_by_name(const struct nest_match *m, const struct nest *nest) {
    return nest->named || m->opened.n > 0;
}

static void pair(struct nest_item *s, int64_t end, uint64_t offset) {
    s->dur = end - s->start;
    s->end = offset / 8 + 1;
    s->event = NEST_PAIR;
}

/* Ends an open begin that has lost its end, by one that precedes it, or else by that of a slice
 * around it. */
static void lose(struct nest_match *m, struct nest *nest, const struct opened *o,
                 struct nest_item *s, int64_t time, uint64_t offset) {
    size_t stray = unclaimed(m, o->stray);
    if (stray > 0) {
        struct unclaimed *u = &m->strays.v[stray - 1];
        u->claimed = true;
        pair(s, s->start, u->offset);
        return;
    }
    pair(s, time, offset);
    s->flags = SLICE_MISMATCH;
    nest->mismatches++;
    nest_note_lost(nest, m->extra, nest_offset(s), true);
}

/* The place + 1 of the open begin that an end closes; 0: none. */
static size_t closed_by(const struct nest_match *m, const struct nest *nest,
                        const struct nest_item *x, uint32_t name, const struct nest_item *items) {
    bool by_name = nest->named;
    if (!by_name && m->by_name && name != 0 && m->opened.n > 0) {
        const struct nest_item *top = &items[m->opened.v[m->opened.n - 1].item];
        by_name = nest_name_differs(top->packed, event_pack(0, name)) &&
                  nest_lost(nest, m->extra, nest_offset(top), nest_offset(x));
    }
    return by_name && name != 0 ? latest(&m->open_names, name) : m->opened.n;
}

bool nest_match_end(struct nest_match *m, struct nest *nest, const struct nest_item *x,
                    uint32_t name, struct nest_item *items) {
    size_t at = closed_by(m, nest, x, name, items);
    if (at == 0) {
        if (nest->named && name != 0) {
            vec_push(&m->strays, ((struct unclaimed){x->start, nest_offset(x), nest->strays.n,
                                                     latest(&m->stray_names, name), false}));
            u64map_set(&m->stray_names, name, m->strays.n);
        }
        nest_add_stray(nest, x->start, nest_offset(x));
        return false;
    }
    while (m->opened.n >= at) {
        struct opened o = m->opened.v[--m->opened.n];
        struct nest_item *s = &items[o.item];
        if (m->by_name)
            u64map_set(&m->open_names, event_name(s->packed), o.before);
        if (m->opened.n + 1 > at) {
            lose(m, nest, &o, s, x->start, nest_offset(x));
            continue;
        }
        bool differs = nest_name_differs(s->packed, event_pack(0, name));
        nest->mismatches += differs;
        s->flags = differs ? SLICE_MISMATCH : 0;
        if (differs)
            nest_note_lost(nest, m->extra, nest_offset(s), false);
        pair(s, x->start, nest_offset(x));
    }
    return true;
}

bool nest_match_done(struct nest_match *m, struct nest *nest, struct nest_item *items, bool final) {
    bool claims = false;
    for (size_t i = m->opened.n; i-- > 0;) {
        const struct opened *o = &m->opened.v[i];
        if (unclaimed(m, o->stray) == 0)
            continue;
        claims = true;
        if (final)
            lose(m, nest, o, &items[o->item], 0, 0);
    }
    size_t to = m->strays.n > 0 ? m->strays.v[0].stray : nest->strays.n, k = 0;
    for (size_t i = to; i < nest->strays.n; i++) {
        while (k < m->strays.n && m->strays.v[k].stray < i)
            k++;
        if (k == m->strays.n || m->strays.v[k].stray != i || !m->strays.v[k].claimed)
            nest->strays.v[to++] = nest->strays.v[i];
    }
    nest->strays.n = to;
    return claims && !final;
}
