/* far_times.c - finds the timestamps of a trace, replaces some, and compares two traces and their
 * screens.
 *
 * A record is changed only if the reader takes all of it, and not if it has the first or the last
 * time: these are the ends of the bulk. A scheduling record names two threads, and ends what its
 * CPU did before: then threads with scheduling are not compared. */
#include "tests/lib/far_times.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "src/fxt/record.h"
#include "tests/lib/scratch.h"
#include "ui/app.h"
#include "ui/timeline/track_ops.h"

#define MOST_BYTES (UINT64_C(64) << 20) /* of a trace: larger ones are not looked at */
#define COLS 120
#define ROWS 400

struct stamp {           /* a timestamp that can be replaced */
    uint64_t at, record; /* bytes: of its word, of its record */
    uint32_t thread;     /* or NO_THREAD */
    bool sched;
};

struct damage {
    struct far_times *far;
    struct chance *chance;
    struct trace *trace; /* undamaged */
    uint8_t *bytes, *damaged;
    uint64_t n;
    VEC(struct stamp) stamps;
    bool *touched; /* by thread: not compared */
    bool sched;    /* nothing with scheduling is */
    unsigned changed;
};

static bool fails(struct damage *d, const char *what, uint64_t a, uint64_t b) {
    size_t n = strlen(d->far->why);
    snprintf(d->far->why + n, sizeof d->far->why - n, "%s: %" PRIu64 ", then %" PRIu64, what, a, b);
    return false;
}

/* ---- timestamps ---- */

/* The word of the end of a complete event. */
static uint64_t end_word(const struct fxt_record *r) {
    uint64_t at = 2, h;
    const uint64_t *arg = r->args.words;
    if (r->thread.index == 0)
        at += 2;
    if (r->category.ref & FXT_INLINE)
        at += ((r->category.ref & FXT_STRING_MAX) + 7u) / 8;
    if (r->name.ref & FXT_INLINE)
        at += ((r->name.ref & FXT_STRING_MAX) + 7u) / 8;
    for (uint32_t i = 0; i < r->args.count; i++, arg += FXT_BITS(h, 4, 15)) {
        h = record_word(arg, r->args.swap);
        at += FXT_BITS(h, 4, 15);
    }
    return at;
}

static bool is_extreme(const struct damage *d, const struct provider *p, uint64_t record,
                       uint64_t ticks) {
    struct wide ns = reader_ns_at(trace_reader(d->trace), p, record, ticks);
    int64_t t = wide_diff(ns, reader_base(trace_reader(d->trace)), INT64_MAX);
    return t <= trace_begin(d->trace) || t >= trace_end(d->trace);
}

static void find_stamps(struct damage *d) {
    struct reader *reader = trace_reader(d->trace);
    struct reader_frame frame;
    for (uint64_t at = 0; at < d->n && reader_frame_at(reader, at, &frame); at += frame.bytes) {
        struct fxt_record r;
        struct provider *p;
        if (frame.kind != FRAME_RECORD || !reader_record_at(reader, at, &r, &p) || r.faults ||
            r.swap)
            continue;
        bool sched =
            r.kind == FXT_K_SWITCH || r.kind == FXT_K_WAKEUP || r.kind == FXT_K_SWITCH_LEGACY;
        if (!(r.kind >= FXT_K_INSTANT && r.kind <= FXT_K_FLOW_END) && !sched && r.kind != FXT_K_LOG)
            continue;
        bool complete = r.kind == FXT_K_DURATION_COMPLETE;
        if (is_extreme(d, p, at, r.ts) || (complete && is_extreme(d, p, at, r.end)))
            continue;
        uint32_t thread = r.kind == FXT_K_SWITCH || r.kind == FXT_K_WAKEUP
                              ? NO_THREAD
                              : trace_thread_at(d->trace, at);
        vec_push(&d->stamps, ((struct stamp){at + 8, at, thread, sched}));
        if (complete && r.end >= r.ts)
            vec_push(&d->stamps, ((struct stamp){at + 8 * end_word(&r), at, thread, false}));
    }
}

/* ---- far values ---- */

static struct wide wide_of(const struct trace *trace, int64_t t) {
    return wide_add(reader_base(trace_reader((struct trace *)trace)), t);
}

/* A value that is more than ten lengths of the trace away: by little or by much, before or
 * after. */
static bool far_ticks(struct damage *d, const struct stamp *s, uint64_t was, uint64_t *ticks) {
    struct reader *reader = trace_reader(d->trace);
    struct fxt_record r;
    struct provider *p;
    if (!reader_record_at(reader, s->record, &r, &p))
        return false;
    struct wide begin = wide_of(d->trace, trace_begin(d->trace)),
                end = wide_of(d->trace, trace_end(d->trace));
    int64_t span = wide_diff(end, begin, INT64_MAX),
            least = span > INT64_MAX / 10 ? INT64_MAX : span * 10;
    bool is_end = s->at != s->record + 8;
    for (int tries = 0; tries < 50; tries++) {
        uint64_t v = chance_star(d->chance) >> below(d->chance, 40);
        uint64_t away =
            wide_mul((uint64_t)span, p->clock.tps).hi > 0
                ? 0
                : wide_div(wide_mul((uint64_t)span * 11, p->clock.tps), 1000000000).lo + 2;
        switch (below(d->chance, 5)) {
        case 0:
            v = was + away;
            break;
        case 1:
            v = was - away;
            break;
        case 2:
            v = UINT64_MAX / 2 - below(d->chance, 1000);
            break;
        case 3:
            v = was ^ UINT64_C(1) << below(d->chance, 64);
            break;
        default:
            break;
        }
        if (is_end && v < was) /* else the event would end before it begins */
            continue;
        struct wide ns = reader_ns_at(reader, p, s->record, v);
        if (wide_diff(begin, ns, INT64_MAX) > least || wide_diff(ns, end, INT64_MAX) > least) {
            *ticks = v;
            return true;
        }
    }
    return false;
}

static void touch(struct damage *d, uint32_t thread) {
    if (thread == NO_THREAD)
        return;
    d->touched[thread] = true;
    d->touched[trace_stands_for(d->trace, thread)] = true;
}

static void replace_some(struct damage *d) {
    uint64_t records[8];
    memcpy(d->damaged, d->bytes, d->n);
    memset(d->touched, 0, (trace_thread_count(d->trace) + 1) * sizeof *d->touched);
    d->sched = false;
    d->changed = 0;
    for (uint64_t k = 1 + below(d->chance, 8); k > 0 && d->stamps.n > 0; k--) {
        const struct stamp *s = &d->stamps.v[below(d->chance, d->stamps.n)];
        bool again = false;
        for (unsigned i = 0; i < d->changed; i++)
            again = again || records[i] == s->record;
        uint64_t was, ticks;
        memcpy(&was, d->bytes + s->at, sizeof was);
        if (again || !far_ticks(d, s, was, &ticks))
            continue;
        memcpy(d->damaged + s->at, &ticks, sizeof ticks);
        records[d->changed++] = s->record;
        touch(d, s->thread);
        d->sched = d->sched || s->sched;
    }
}

/* ---- the comparison ---- */

static bool same_lane(struct damage *d, const struct trace *b, const struct lane *x,
                      const struct lane *y) {
    if (x->n != y->n)
        return fails(d, "slices of a row of another thread", x->n, y->n);
    for (uint32_t i = 0; i < x->n; i++) {
        const struct slice *s = lane_at(x, i), *t = lane_at(y, i);
        bool same = s->start - trace_window_begin(d->trace) == t->start - trace_window_begin(b) &&
                    slice_dur(s) == slice_dur(t) && slice_name(s) == slice_name(t) &&
                    slice_offset(s) == slice_offset(t);
        if (!same)
            return fails(d, "a slice of another thread, at byte", slice_offset(s), slice_offset(t));
    }
    return true;
}

static bool same_threads(struct damage *d, struct trace *b) {
    if (trace_thread_count(d->trace) != trace_thread_count(b))
        return fails(d, "threads", trace_thread_count(d->trace), trace_thread_count(b));
    for (size_t k = 0; k < trace_thread_count(b); k++) {
        const struct thread *x = trace_thread(d->trace, k), *y = trace_thread(b, k);
        if (d->touched[k])
            continue;
        if (nest_rows(&x->nest) != nest_rows(&y->nest))
            return fails(d, "rows of another thread", nest_rows(&x->nest), nest_rows(&y->nest));
        for (uint32_t row = 0; row < nest_rows(&x->nest); row++)
            if (!same_lane(d, b, nest_row(&x->nest, row), nest_row(&y->nest, row)))
                return false;
    }
    return true;
}

/* A state in a gap of slices, the end of a life, the cursor, or a blank. */
static bool is_gap(const struct cell *c) {
    static const uint32_t gaps[] = {' ', 0x2501, 0x254C, 0xB7, 0x2500, 0x2518, 0x250A};
    for (size_t i = 0; i < sizeof gaps / sizeof *gaps; i++)
        if (c->cp[0] == gaps[i])
            return true;
    return false;
}

/* states: gaps may show other ones, and the current row is that of another thread. */
static bool same_cells(struct app *a, struct app *b, int x, int ya, int yb, bool states) {
    for (; x < COLS; x++) {
        const struct cell *p = grid_at(&a->grid, x, ya), *q = grid_at(&b->grid, x, yb);
        if (states && is_gap(p) && is_gap(q))
            continue;
        if (memcmp(p->cp, q->cp, sizeof p->cp) != 0)
            return false;
    }
    return true;
}

/* The lines of a thread that is not damaged. The marks of scheduling need all threads to be
 * whole. */
static bool same_lines(struct damage *d, struct app *a, struct app *b, const struct track *track) {
    uint64_t line;
    if (!track_list_find(&b->timeline.tracks, track->kind, track->of, 0, &line))
        return fails(d, "another thread is not shown", track->of, 0);
    const struct track *other = track_list_at(&b->timeline.tracks, line);
    uint32_t height = other->height < track->height ? other->height : track->height;
    for (uint32_t row = 0; row + (track->height != other->height) < height; row++) {
        uint64_t ya = track->top + row - a->timeline.top, yb = other->top + row - b->timeline.top;
        if (track->top + row < a->timeline.top || ya >= (uint64_t)a->layout.track_rows ||
            other->top + row < b->timeline.top || yb >= (uint64_t)b->layout.track_rows)
            return true;
        if (!same_cells(a, b, a->layout.lane, a->layout.tracks + (int)ya,
                        b->layout.tracks + (int)yb, row == 0))
            return fails(d, "a line of another thread", track->of, row);
    }
    return true;
}

static bool same_screens(struct damage *d, struct app *a, struct app *b) {
    const struct window *v = &a->timeline.window, *w = &b->timeline.window;
    if (v->width != w->width ||
        v->from - trace_window_begin(a->trace) != w->from - trace_window_begin(b->trace))
        return fails(d, "width of the window", (uint64_t)v->width, (uint64_t)w->width);
    /* the ruler's 0 */
    bool from_same = wide_cmp(trace_begin_wide(a->trace), trace_begin_wide(b->trace)) == 0;
    if (from_same && !same_cells(a, b, 0, a->layout.ruler, b->layout.ruler, false))
        return fails(d, "the ruler", 0, 0);
    for (uint64_t line = 0; line < a->timeline.tracks.lines;) {
        const struct track *track = track_list_at(&a->timeline.tracks, line);
        uint32_t thread = track_list_thread(track);
        line = track->top + track->height;
        bool scheduled = thread != NO_THREAD && sched_thread(trace_sched(d->trace), thread);
        if (thread == NO_THREAD || d->touched[thread] || (d->sched && scheduled))
            continue;
        if (!same_lines(d, a, b, track))
            return false;
    }
    return true;
}

static void show(struct app *app, struct trace *trace) {
    app_init(app, trace, COLS, ROWS, false);
    while (app_idle(app))
        ;
    app_update(app);
    app_draw(app);
}

static bool compare(struct damage *d, struct trace *b) {
    struct trace *a = d->trace;
    int64_t span = trace_end(a) - trace_begin(a);
    if (trace_far_times(b) != d->changed)
        return fails(d, "far times", d->changed, trace_far_times(b));
    if (wide_cmp(wide_of(a, trace_window_begin(a)), wide_of(b, trace_window_begin(b))) != 0 ||
        trace_window_end(b) - trace_window_begin(b) != span)
        return fails(d, "window", (uint64_t)span,
                     (uint64_t)(trace_window_end(b) - trace_window_begin(b)));
    if (!same_threads(d, b))
        return false;
    if (trace_bytes(b) > trace_bytes(a) + trace_bytes(a) / 8 + 20000)
        return fails(d, "memory", trace_bytes(a), trace_bytes(b));
    static struct app one, other;
    show(&one, a);
    show(&other, b);
    bool same = same_screens(d, &one, &other);
    app_free(&one);
    app_free(&other);
    return same;
}

/* Reads the file in pieces, as if it was followed. */
static bool same_in_steps(struct damage *d, const char *path, struct trace *whole) {
    struct err err;
    struct trace *t = trace_open(path, &(struct trace_options){.follow = true}, &err);
    if (t == NULL)
        return fails(d, "it cannot be followed", 0, 0);
    uint64_t piece = 1000 + below(d->chance, 100000);
    /* it is read again in the first pause if its times are far apart */
    for (bool again = true; again;)
        again = trace_step(t, piece) == TRACE_LOADING || trace_unflushed(t) ||
                reader_wide(trace_reader(t));
    bool same = trace_far_times(t) == trace_far_times(whole) &&
                trace_damaged_times(t) == trace_damaged_times(whole) &&
                wide_cmp(trace_begin_wide(t), trace_begin_wide(whole)) == 0 &&
                trace_end(t) - trace_begin(t) == trace_end(whole) - trace_begin(whole);
    if (!same)
        fails(d, "far times while it is followed", trace_far_times(whole), trace_far_times(t));
    trace_free(t);
    return same;
}

static bool one_round(struct damage *d) {
    char path[SCRATCH_PATH];
    struct err err;
    replace_some(d);
    if (!scratch_write(path, "far", d->damaged, d->n))
        return fails(d, "no scratch file", 0, 0);
    struct trace *b = trace_open(path, &(struct trace_options){0}, &err);
    bool good = b != NULL;
    if (good) {
        trace_load(b);
        good = compare(d, b) && same_in_steps(d, path, b);
        trace_free(b);
    }
    if (!good) {
        size_t n = strlen(d->far->why);
        snprintf(d->far->why + n, sizeof d->far->why - n, "; kept as %s", path);
    } else {
        unlink(path);
    }
    d->far->rounds++;
    d->far->replaced += d->changed;
    return good;
}

static bool take_bytes(struct damage *d) {
    struct file *file = trace_file(d->trace);
    d->n = file_size(file);
    d->bytes = err_malloc(d->n + 1);
    d->damaged = err_malloc(d->n + 1);
    for (uint64_t at = 0; at < d->n;) {
        size_t n;
        const uint64_t *span = file_span(file, at, 1 << 20, &n);
        if (span == NULL || n == 0) {
            d->n = at; /* the last bytes are no word */
            break;
        }
        n = n < d->n - at ? n : d->n - at;
        memcpy(d->bytes + at, span, n);
        at += n;
    }
    return d->n > 0;
}

bool far_times_hold(struct far_times *far, const char *path, struct chance *chance,
                    unsigned rounds) {
    struct damage d = {.far = far, .chance = chance};
    struct err err;
    d.trace = trace_open(path, &(struct trace_options){0}, &err);
    far->why[0] = 0;
    if (d.trace == NULL)
        return true;
    trace_load(d.trace);
    bool good = true;
    if (trace_events(d.trace) >= 1000 && trace_far_times(d.trace) == 0 &&
        trace_end(d.trace) > trace_begin(d.trace) && file_size(trace_file(d.trace)) <= MOST_BYTES &&
        take_bytes(&d)) {
        d.touched = err_calloc(trace_thread_count(d.trace) + 1, sizeof *d.touched);
        find_stamps(&d);
        for (unsigned i = 0; i < rounds && good; i++)
            good = one_round(&d);
    }
    vec_free(&d.stamps);
    free(d.touched);
    free(d.bytes);
    free(d.damaged);
    trace_free(d.trace);
    return good;
}
