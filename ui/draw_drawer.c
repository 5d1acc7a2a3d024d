/* draw_drawer.c - the drawer: details and arguments of the selected event, or of the current row. */
#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include "model/chain.h"
#include "model/detail.h"
#include "model/ticks.h"
#include "ui/draw.h"
#include "ui/flow.h"

#define VALUE_LINES 2000 /* of one value: 32,000 bytes as escapes on 20 columns */

struct pane { /* lines are counted as if all were drawn; those that are scrolled away or do not fit are not */
    struct app *app;
    int y, rows, line;
    int x; /* on the current line */
};

static bool visible(const struct pane *p) {
    return p->line >= p->app->drawer_scroll && p->line < p->app->drawer_scroll + p->rows;
}

static int row_of(const struct pane *p) {
    return p->y + p->line - p->app->drawer_scroll;
}

static void next_line(struct pane *p) {
    p->line++;
    p->x = 1;
}

static unsigned flags_of(const struct app *app) {
    return app->grid.ascii ? TEXT_ASCII : 0;
}

/* A trace's text, wrapped, indented from where it begins; nothing is left out. */
static void value(struct pane *p, enum role role, struct str s) {
    struct grid *g = &p->app->grid;
    struct text t = text_begin(s, flags_of(p->app));
    struct glyph glyph;
    int indent = p->x < g->cols / 2 ? p->x : 4, lines = 0;
    struct look look = style_look(role), strange = style_look(ROLE_STRANGE);
    while (text_next(&t, &glyph)) {
        if (p->x + glyph.width > g->cols) {
            if (++lines > VALUE_LINES)
                return;
            p->line++;
            p->x = indent;
        }
        if (visible(p)) {
            struct cell *c = grid_at(g, p->x, row_of(p));
            if (c) {
                memcpy(c->cp, glyph.cp, sizeof c->cp);
                c->look = glyph.strange ? strange : look;
                if (glyph.width == 2 && grid_at(g, p->x + 1, row_of(p))) {
                    *grid_at(g, p->x + 1, row_of(p)) = *c;
                    grid_at(g, p->x + 1, row_of(p))->cp[0] = 0;
                }
            }
        }
        p->x += glyph.width;
    }
}

static void say(struct pane *p, enum role role, const char *text) {
    value(p, role, str_of(text));
}

/* ---- arguments ---- */

static void argument(struct pane *p, const struct detail_argument *a, bool table) {
    char buf[64];
    const char *type = fxt_argument_name(a->type);
    if (table && p->x < 1)
        p->x = 1;
    value(p, ROLE_LABEL, a->name);
    if (table) {
        say(p, ROLE_DIM, " ");
        say(p, ROLE_DIM, type ? type : "unknown");
        say(p, ROLE_DIM, " = ");
    } else {
        say(p, ROLE_DIM, "=");
    }
    bool quote = a->type == FXT_ARG_STRING;
    if (quote)
        say(p, ROLE_DIM, "\"");
    value(p, ROLE_VALUE, detail_value(a, buf));
    if (quote)
        say(p, ROLE_DIM, "\"");
    if (a->object.n > 0) {
        say(p, ROLE_DIM, " (");
        value(p, ROLE_VALUE, a->object);
        say(p, ROLE_DIM, ")");
    }
}

static unsigned arguments(struct pane *p, uint64_t offset, const char *label, bool table) {
    struct detail d;
    struct detail_argument a;
    unsigned n = 0;
    if (!detail_open(&d, p->app->trace, offset))
        return 0;
    struct fxt_arguments args = d.record.args;
    while (detail_argument(&d, &args, &a)) {
        if (n == 0 && !table)
            say(p, ROLE_DIM, label);
        if (n == 0 && table && *label) {
            say(p, ROLE_DIM, label);
            next_line(p);
        }
        n++;
        argument(p, &a, table);
        if (table)
            next_line(p);
        else
            say(p, ROLE_DIM, "  ");
        /* names and values are read from the map anew, argument by argument */
    }
    if (d.record.faults & FXT_FAULT_ARGUMENTS) {
        say(p, ROLE_WARN, table ? "the rest of the arguments is malformed" : "(the rest is malformed)");
        n++;
        if (table)
            next_line(p);
    }
    if (n > 0 && !table)
        next_line(p);
    return n;
}

/* The record that ends the selected slice; 0: it has none. */
static uint64_t end_of(struct app *app) {
    const struct slice *s = app->pick.kind == PICK_SLICE || app->pick.kind == PICK_ASYNC ? app_slice(app) : NULL;
    return s ? nest_end_offset(trace_aside(app->trace), s) : 0;
}

static unsigned count_arguments(struct app *app) {
    struct detail d;
    unsigned n = 0;
    if (app->pick.kind == PICK_NONE)
        return 0;
    if (detail_open(&d, app->trace, app->pick.offset))
        n += d.record.args.count;
    uint64_t end = end_of(app);
    if (end != 0 && detail_open(&d, app->trace, end))
        n += d.record.args.count;
    return n;
}

/* ---- details ---- */

static void thread_name(struct pane *p, const struct thread *t) {
    char buf[40], id[48];
    bool named;
    if (t->process != NO_PROCESS) {
        value(p, ROLE_TEXT, trace_process_name(p->app->trace, trace_process(p->app->trace, t->process), buf, &named));
        snprintf(id, sizeof id, named ? " %" PRIu64 " / " : " / ", t->id.pid);
        say(p, ROLE_DIM, id);
    }
    value(p, ROLE_TEXT, trace_thread_name(p->app->trace, t, buf, &named));
    if (named) {
        snprintf(id, sizeof id, " %" PRIu64, t->id.tid);
        say(p, ROLE_DIM, id);
    }
}

/* What the slice does not spend in children: those of the row below that name it their parent. */
static int64_t self_time(struct app *app, const struct thread *t, const struct slice *s) {
    int64_t end = slice_open(s) ? trace_end(app->trace) : slice_end(s), self = end - s->start;
    for (uint32_t row = app->pick.row + 1; row < t->nest.nlanes; row++) {
        struct lane *lane = &t->nest.lanes[row];
        uint32_t i = lane_from(lane, s->start), j = lane_from(lane, end);
        if (t->nest.displaced == 0)
            return self - lane_busy(lane, s->start, end);
        for (uint32_t k = i; k < j; k++) {
            uint32_t prow, parent;
            if (nest_parent(&t->nest, trace_aside(app->trace), row, k, &prow, &parent) && prow == app->pick.row &&
                parent == app->pick.i)
                self -= (slice_end(&lane->v[k]) < end ? slice_end(&lane->v[k]) : end) - lane->v[k].start;
        }
    }
    return self;
}

static void ancestors(struct pane *p, const struct thread *t, uint32_t row, uint32_t i) {
    const struct nest_aside *aside = trace_aside(p->app->trace);
    char buf[32];
    bool found = true;
    for (int n = 0; found && n < 12; n++) {
        const struct slice *s = &t->nest.lanes[row].v[i];
        say(p, ROLE_DIM, n == 0 ? "in: " : " < ");
        value(p, ROLE_TEXT, trace_name(p->app->trace, trace_packed_name(p->app->trace, s->a)));
        say(p, ROLE_DIM, " ");
        say(p, ROLE_DIM, slice_open(s) ? "open" : ticks_duration(s->dur, p->app->grid.ascii, buf));
        found = nest_parent(&t->nest, aside, row, i, &row, &i);
    }
    if (found)
        say(p, ROLE_DIM, " < ...");
    next_line(p);
}

static void record_line(struct pane *p, const struct detail *d, uint64_t end) {
    char text[120];
    snprintf(text, sizeof text, "record %s @0x%" PRIx64 " + %" PRIu64 " B", fxt_kind_name(d->record.kind), d->offset,
             d->record.words * 8);
    say(p, ROLE_DIM, text);
    if (end != 0) {
        snprintf(text, sizeof text, ", ends @0x%" PRIx64, end);
        say(p, ROLE_DIM, text);
    }
    if (!d->provider->implicit) {
        say(p, ROLE_DIM, "   provider ");
        value(p, ROLE_DIM, d->provider->name);
    }
    if (d->record.faults & FXT_FAULT_CONTENTS)
        say(p, ROLE_WARN, "   its contents are longer than the record");
    next_line(p);
}

static void state_word(struct pane *p, uint32_t state) {
    char text[24];
    const char *name = sched_state_name(state);
    snprintf(text, sizeof text, "state %" PRIu32, state);
    say(p, ROLE_VALUE, name ? name : text);
}

#define STATES_ADDED 100000 /* of a slice: a frame must not cost what a trace does */

/* "state: running 0.2 ms 2% | blocked 8.2 ms 93% (woken by io)": how a thread spent [from, to). */
static void states_within(struct pane *p, uint32_t thread, int64_t from, int64_t to) {
    struct app *app = p->app;
    const struct sched_thread *t = sched_thread(trace_sched(app->trace), thread);
    int64_t sums[SCHED_RUNNING + 1] = {0};
    uint64_t waker = 0, wakeups = 0;
    struct str waker_name = STR("");
    char dur[32], text[64];
    if (t == NULL || to <= from)
        return;
    uint32_t i = lane_before(&t->lane, from), j = lane_from(&t->lane, to);
    i = i == UINT32_MAX ? 0 : i;
    if (j - i > STATES_ADDED) {
        say(p, ROLE_DIM, "states: too many changes to add up here");
        next_line(p);
        return;
    }
    for (; i < j; i++) {
        const struct slice *s = &t->lane.v[i];
        int64_t a = s->start > from ? s->start : from, b = slice_end(s) < to ? slice_end(s) : to;
        struct detail d;
        struct detail_argument arg;
        if (b > a && slice_name(s) <= SCHED_RUNNING)
            sums[slice_name(s)] += b - a;
        if (!(sched_slice_flags(s) & SCHED_WOKEN) || s->start < from)
            continue;
        wakeups++;
        if (detail_open(&d, app->trace, slice_offset(s)) && detail_find(&d, "waker", &arg) &&
            arg.type == FXT_ARG_KOID) {
            waker = arg.bits;
            waker_name = arg.object;
        }
    }
    bool any = false;
    static const uint8_t order[] = {SCHED_RUNNING,
                                    SCHED_RUNNABLE,
                                    SCHED_BLOCKED,
                                    SCHED_SUSPENDED,
                                    SCHED_NEW,
                                    SCHED_DYING,
                                    SCHED_DEAD,
                                    6,
                                    7,
                                    8,
                                    9,
                                    10,
                                    11,
                                    12,
                                    13,
                                    14,
                                    15};
    for (size_t k = 0; k < sizeof order; k++) {
        if (sums[order[k]] == 0)
            continue;
        say(p, ROLE_DIM, any ? "  " : "state: ");
        state_word(p, order[k]);
        snprintf(text, sizeof text, " %s %d%%", ticks_duration(sums[order[k]], app->grid.ascii, dur),
                 (int)((double)sums[order[k]] / (double)(to - from) * 100 + 0.5));
        say(p, ROLE_TEXT, text);
        any = true;
    }
    if (wakeups > 0) {
        snprintf(text, sizeof text, "  woken %" PRIu64 " times", wakeups);
        say(p, ROLE_DIM, text);
        if (waker != 0) {
            snprintf(text, sizeof text, ", last by %" PRIu64 " ", waker);
            say(p, ROLE_DIM, text);
            value(p, ROLE_TEXT, waker_name);
        }
    }
    if (any || wakeups > 0)
        next_line(p);
}

static void slice_details(struct pane *p, const struct slice *s) {
    struct app *app = p->app;
    const struct thread *t = trace_thread(app->trace, app->pick.of);
    const struct nest_aside *aside = trace_aside(app->trace);
    struct detail d;
    char buf[48], dur[32], text[160];
    uint32_t row = 0, i = 0;
    bool known = detail_open(&d, app->trace, app->pick.offset);
    value(p, ROLE_HEADER, trace_name(app->trace, trace_packed_name(app->trace, s->a)));
    if (known && d.category.n > 0) {
        say(p, ROLE_DIM, "  ");
        value(p, ROLE_TEXT, d.category);
    }
    say(p, ROLE_DIM, "  ");
    thread_name(p, t);
    snprintf(text, sizeof text, "  depth %" PRIu32, nest_depth(&t->nest, aside, app->pick.row, app->pick.i));
    say(p, ROLE_DIM, text);
    next_line(p);
    say(p, ROLE_VALUE, app_point(app, s->start, 1, buf));
    say(p, ROLE_DIM, "  dur ");
    say(p, ROLE_VALUE, slice_open(s) ? "open: it never ended" : ticks_duration(s->dur, app->grid.ascii, dur));
    if (!slice_open(s) && s->dur >= 1000) {
        snprintf(text, sizeof text, " (%" PRId64 " ns)", s->dur);
        say(p, ROLE_DIM, text);
    }
    say(p, ROLE_DIM, "  self ");
    say(p, ROLE_VALUE, ticks_duration(self_time(app, t, s), app->grid.ascii, dur));
    if (slice_flags(s) & SLICE_OVERLAP)
        say(p, ROLE_WARN, "  overlaps the slice before it");
    if (slice_flags(s) & SLICE_MISMATCH)
        say(p, ROLE_WARN, "  its end has another name");
    next_line(p);
    states_within(p, t->number, s->start, slice_open(s) ? trace_end(app->trace) : slice_end(s));
    bool has_parent = nest_parent(&t->nest, aside, app->pick.row, app->pick.i, &row, &i);
    if (has_parent)
        ancestors(p, t, row, i);
    arguments(p, app->pick.offset, "args: ", false);
    uint64_t end = nest_end_offset(aside, s);
    if (end != 0)
        arguments(p, end, "end args: ", false);
    if (known && detail_open(&d, app->trace, app->pick.offset))
        record_line(p, &d, end);
}

/* The thread of what is selected, and what it did there. */
static void around(struct pane *p) {
    uint32_t thread = pick_thread(p->app->trace, &p->app->pick), row, i;
    if (thread == NO_THREAD)
        return;
    const struct thread *t = trace_thread(p->app->trace, thread);
    if (nest_at(&t->nest, trace_aside(p->app->trace), p->app->pick.time, &row, &i))
        ancestors(p, t, row, i);
}

static void its_thread(struct pane *p) {
    uint32_t thread = pick_thread(p->app->trace, &p->app->pick);
    if (thread == NO_THREAD)
        return;
    say(p, ROLE_DIM, "  ");
    thread_name(p, trace_thread(p->app->trace, thread));
}

static void duration(struct pane *p, const struct slice *s) {
    char buf[48], dur[32], text[64];
    say(p, ROLE_VALUE, app_point(p->app, s->start, 1, buf));
    say(p, ROLE_DIM, "  dur ");
    say(p, ROLE_VALUE, slice_open(s) ? "open: it never ended" : ticks_duration(s->dur, p->app->grid.ascii, dur));
    if (!slice_open(s) && s->dur >= 1000) {
        snprintf(text, sizeof text, " (%" PRId64 " ns)", s->dur);
        say(p, ROLE_DIM, text);
    }
}

static void its_record(struct pane *p) {
    struct detail d;
    if (detail_open(&d, p->app->trace, p->app->pick.offset))
        record_line(p, &d, end_of(p->app));
}

static void instant_details(struct pane *p) {
    static const char *const scopes[] = {"thread", "process", "global"};
    struct app *app = p->app;
    struct detail d;
    char buf[48], text[64];
    if (!detail_open(&d, app->trace, app->pick.offset))
        return;
    value(p, ROLE_HEADER, d.name);
    say(p, ROLE_DIM, "  ");
    value(p, ROLE_TEXT, d.category);
    its_thread(p);
    next_line(p);
    say(p, ROLE_VALUE, app_point(app, app->pick.time, 1, buf));
    if (app->pick.kind == PICK_ASYNC_INSTANT && detail_open(&d, app->trace, app->pick.offset)) {
        snprintf(text, sizeof text, "  async instant, id 0x%" PRIx64, d.record.id);
        say(p, ROLE_DIM, text);
    } else {
        say(p, ROLE_DIM, "  instant");
    }
    if (app->pick.kind == PICK_INSTANT && d.record.scope.present && d.record.scope.value < 3) {
        say(p, ROLE_DIM, ", scope ");
        say(p, ROLE_VALUE, scopes[d.record.scope.value]);
    }
    next_line(p);
    around(p);
    arguments(p, app->pick.offset, "args: ", false);
    its_record(p);
}

/* "of 742: rank 6  p50 1.204 ms  p99 8.410 ms  max 11.02 ms" */
static void rank(struct pane *p, const struct slice *s) {
    struct app *app = p->app;
    const struct spread *all = same_of(&app->same, app->trace, &app->pick);
    char text[160], count[32], a[32], b[32], c[32], d[32];
    if (all == NULL || all->v.n < 2)
        return;
    size_t above = slice_open(s) ? 0 : all->v.n - spread_below(all, s->dur);
    snprintf(text, sizeof text, "of %s same name: ", ticks_count(all->v.n, false, count));
    say(p, ROLE_DIM, text);
    if (!slice_open(s)) {
        snprintf(text, sizeof text, "rank %s  ", ticks_count(above, false, count));
        say(p, ROLE_VALUE, text);
    }
    bool ascii = app->grid.ascii;
    snprintf(text, sizeof text, "p50 %s  p95 %s  p99 %s  max %s", ticks_duration(spread_at(all, 500), ascii, a),
             ticks_duration(spread_at(all, 950), ascii, b), ticks_duration(spread_at(all, 990), ascii, c),
             ticks_duration(spread_at(all, 1000), ascii, d));
    say(p, ROLE_TEXT, text);
    next_line(p);
}

static void async_details(struct pane *p, const struct slice *s) {
    struct app *app = p->app;
    struct detail d;
    char text[96];
    value(p, ROLE_HEADER, trace_name(app->trace, trace_packed_name(app->trace, s->a)));
    if (detail_open(&d, app->trace, app->pick.offset) && d.category.n > 0) {
        say(p, ROLE_DIM, "  ");
        value(p, ROLE_TEXT, d.category);
    }
    snprintf(text, sizeof text, "  async id 0x%" PRIx64 "  depth %" PRIu32, d.record.id, async_depth(s));
    say(p, ROLE_DIM, text);
    its_thread(p);
    next_line(p);
    duration(p, s);
    uint64_t end = end_of(app);
    uint32_t from = pick_thread(app->trace, &app->pick), to = end ? trace_thread_at(app->trace, end) : from;
    if (to != from && to != NO_THREAD) {
        say(p, ROLE_DIM, "  ended on ");
        thread_name(p, trace_thread(app->trace, to));
    }
    if (slice_flags(s) & SLICE_MISMATCH)
        say(p, ROLE_WARN, "  its end has another name");
    next_line(p);
    rank(p, s);
    arguments(p, app->pick.offset, "args: ", false);
    if (end != 0)
        arguments(p, end, "end args: ", false);
    its_record(p);
}

static void state_details(struct pane *p, const struct slice *s) {
    struct app *app = p->app;
    struct detail d;
    struct detail_argument a;
    say(p, ROLE_HEADER, "");
    state_word(p, slice_name(s));
    its_thread(p);
    next_line(p);
    duration(p, s);
    next_line(p);
    if ((sched_slice_flags(s) & SCHED_WOKEN) && detail_open(&d, app->trace, app->pick.offset)) {
        say(p, ROLE_DIM, "woken");
        if (detail_find(&d, "waker", &a) && a.type == FXT_ARG_KOID) {
            char koid[32];
            snprintf(koid, sizeof koid, " by %" PRIu64 " ", a.bits);
            say(p, ROLE_TEXT, koid);
            value(p, ROLE_TEXT, a.object);
        }
        next_line(p);
    }
    around(p);
    arguments(p, app->pick.offset, "args: ", false);
    its_record(p);
}

static void run_details(struct pane *p, const struct slice *s) {
    struct app *app = p->app;
    struct detail d;
    struct detail_argument a;
    char text[64], buf[64];
    uint32_t flags = sched_slice_flags(s);
    snprintf(text, sizeof text, "cpu %u", trace_sched(app->trace)->cpus.v[app->pick.of]->number);
    say(p, ROLE_HEADER, text);
    its_thread(p);
    if (flags & SCHED_IDLE)
        say(p, ROLE_DIM, "  idle");
    next_line(p);
    duration(p, s);
    if (flags & SCHED_KNOWN) {
        say(p, ROLE_DIM, "  left ");
        state_word(p, flags & SCHED_LEFT);
    } else if (!slice_open(s)) {
        say(p, ROLE_WARN, "  the switch that ended it named another thread");
    }
    if (detail_open(&d, app->trace, app->pick.offset)) {
        bool first = flags & SCHED_FIRST;
        if (d.record.kind == FXT_K_SWITCH_LEGACY) {
            snprintf(text, sizeof text, "  priority %u",
                     first ? d.record.sched.out_priority : d.record.sched.in_priority);
            say(p, ROLE_DIM, text);
        } else if (detail_find(&d, first ? "outgoing_weight" : "incoming_weight", &a)) {
            say(p, ROLE_DIM, "  weight ");
            value(p, ROLE_VALUE, detail_value(&a, buf));
        }
    }
    next_line(p);
    around(p);
    its_record(p);
}

static void sample_details(struct pane *p) {
    struct app *app = p->app;
    const struct counter_series *s = trace_counters(app->trace)->v.v[app->pick.of];
    const struct counter_sample *v = &s->samples.v[app->pick.i];
    struct detail_argument a = {.type = counter_type(v), .bits = v->bits};
    char buf[64], text[96];
    const struct track track = {.kind = TRACK_COUNTER, .of = app->pick.of};
    char name[96];
    value(p, ROLE_HEADER, rows_name(app->trace, &track, name));
    its_thread(p);
    next_line(p);
    say(p, ROLE_VALUE, app_point(app, app->pick.time, 1, buf));
    say(p, ROLE_DIM, "  ");
    value(p, ROLE_VALUE, detail_value(&a, buf));
    snprintf(text, sizeof text, " %s", fxt_argument_name(a.type));
    say(p, ROLE_DIM, text);
    if (app->pick.i > 0) {
        double before = counter_value(&v[-1]), now = counter_value(v);
        snprintf(text, sizeof text, "  %s%s after ", now >= before ? "+" : "", curve_number(now - before, buf));
        say(p, ROLE_TEXT, text);
        say(p, ROLE_TEXT, ticks_duration(v->at.time - v[-1].at.time, app->grid.ascii, buf));
    }
    snprintf(text, sizeof text, "   sample %u of %zu", app->pick.i + 1, s->samples.n);
    say(p, ROLE_DIM, text);
    next_line(p);
    around(p);
    arguments(p, app->pick.offset, "args: ", false);
    its_record(p);
}

static void log_details(struct pane *p) {
    struct app *app = p->app;
    struct detail d;
    char buf[48];
    say(p, ROLE_VALUE, app_point(app, app->pick.time, 1, buf));
    its_thread(p);
    next_line(p);
    if (detail_open(&d, app->trace, app->pick.offset)) {
        struct str rest = d.record.payload;
        while (rest.n > 0) { /* a line of it a line here */
            const char *end = memchr(rest.s, '\n', rest.n);
            size_t n = end ? (size_t)(end - rest.s) : rest.n;
            value(p, ROLE_TEXT, (struct str){rest.s, n});
            next_line(p);
            rest = (struct str){rest.s + n + (end != NULL), rest.n - n - (end != NULL)};
        }
    }
    around(p);
    its_record(p);
}

/* Names that a thread or process had before. */
static void older_names(struct pane *p, uint8_t type, uint64_t koid, bool has_pid, uint64_t pid) {
    uint32_t names[16];
    size_t n = objects_names(trace_kernel_objects(p->app->trace), type, koid, has_pid, pid, names, 16);
    for (size_t i = 1; i < n; i++) {
        say(p, ROLE_DIM, i == 1 ? "named before: " : ", ");
        value(p, ROLE_TEXT, trace_name(p->app->trace, names[i]));
    }
    if (n > 1)
        next_line(p);
}

/* Nothing is selected: the row the cursor is on. */
static void row_details(struct pane *p) {
    struct app *app = p->app;
    const struct track *track = app_track(app);
    char buf[48], a[32], b[32], text[160];
    bool named;
    if (track == NULL) {
        say(p, ROLE_DIM, "no track");
        next_line(p);
    } else if (track->kind == TRACK_THREAD) {
        const struct thread *t = trace_thread(app->trace, track->of);
        thread_name(p, t);
        next_line(p);
        if (t->id.form != THREAD_UNDEFINED)
            older_names(p, FXT_OBJECT_THREAD, t->id.tid, t->id.form == THREAD_PAIR, t->id.pid);
        snprintf(text, sizeof text, "%s events, %s slices on %" PRIu32 " rows, %s instants",
                 ticks_count(t->events, false, a), ticks_count(t->nest.slices, false, b), t->nest.nlanes,
                 ticks_count(t->instants.n, false, buf));
        say(p, ROLE_TEXT, text);
        next_line(p);
        if (t->events > 0) {
            say(p, ROLE_DIM, "events from ");
            say(p, ROLE_VALUE, app_point(app, t->first, 1000, buf));
            say(p, ROLE_DIM, " to ");
            say(p, ROLE_VALUE, app_point(app, t->last, 1000, buf));
            next_line(p);
        }
    } else if (track->kind == TRACK_COUNTER) {
        struct counter_series *series = trace_counters(app->trace)->v.v[track->of];
        double min, max, average;
        char name[96];
        value(p, ROLE_HEADER, rows_name(app->trace, track, name));
        snprintf(text, sizeof text, "  counter, %s samples", ticks_count(series->samples.n, false, a));
        say(p, ROLE_TEXT, text);
        next_line(p);
        if (counter_extent(series, 0, series->samples.n, &min, &max)) {
            snprintf(text, sizeof text, "min %s, max %s", curve_number(min, a), curve_number(max, b));
            say(p, ROLE_TEXT, text);
            if (counter_average(series, trace_origin(app->trace), trace_end(app->trace), &average)) {
                snprintf(text, sizeof text, ", mean over time %s", curve_number(average, a));
                say(p, ROLE_TEXT, text);
            }
            next_line(p);
        }
    } else if (track->kind == TRACK_ASYNC) {
        const struct async_group *g = trace_async(app->trace)->groups.v[track->of];
        value(p, ROLE_HEADER, trace_name(app->trace, g->name));
        snprintf(text, sizeof text, "  async, %s operations on %" PRIu32 " rows, %zu instants",
                 ticks_count(g->ops, false, a), g->nlanes, g->instants.n);
        say(p, ROLE_TEXT, text);
        next_line(p);
    } else if (track->kind == TRACK_CPU || track->kind == TRACK_CPUS) {
        const struct sched *sched = trace_sched(app->trace);
        snprintf(text, sizeof text, "%zu CPUs, %zu threads, %s scheduling records", sched->cpus.n, sched->threads.n,
                 ticks_count(sched->log.n, false, a));
        say(p, ROLE_TEXT, text);
        next_line(p);
    } else if (track->kind == TRACK_PROFILE) {
        size_t n;
        trace_profile(app->trace, &n);
        snprintf(text, sizeof text, "%s records of the profiler: :profile lists them", ticks_count(n, false, a));
        say(p, ROLE_TEXT, text);
        next_line(p);
    } else if (track->kind == TRACK_LOG) {
        size_t n;
        trace_logs(app->trace, &n);
        snprintf(text, sizeof text, "%s log records: 5 lists them", ticks_count(n, false, a));
        say(p, ROLE_TEXT, text);
        next_line(p);
    } else if (track->process != NO_PROCESS) {
        const struct process *proc = trace_process(app->trace, track->process);
        value(p, ROLE_HEADER, trace_process_name(app->trace, proc, buf, &named));
        snprintf(text, sizeof text, "  process %" PRIu64 ", %zu threads", proc->pid, proc->threads.n);
        say(p, ROLE_TEXT, text);
        next_line(p);
        older_names(p, FXT_OBJECT_PROCESS, proc->pid, false, 0);
    }
    say(p, ROLE_DIM, "nothing selected: h and l select events beside the cursor, Enter what is at it");
    next_line(p);
}

static void profile_details(struct pane *p) {
    struct app *app = p->app;
    struct detail d;
    char text[120], buf[48];
    if (!detail_open(&d, app->trace, app->pick.offset))
        return;
    const struct fxt_record *r = &d.record;
    say(p, ROLE_HEADER, fxt_kind_name((enum fxt_kind)r->kind));
    its_thread(p);
    next_line(p);
    say(p, ROLE_VALUE, app_point(app, app->pick.time, 1, buf));
    if (r->kind == FXT_K_MODULE) {
        snprintf(text, sizeof text, "  module %u ", r->module.id);
        say(p, ROLE_DIM, text);
        value(p, ROLE_VALUE, r->payload);
        say(p, ROLE_DIM, "  build id ");
        for (size_t i = 0; i < r->module.build_id.n; i++) {
            snprintf(text, sizeof text, "%02x", (unsigned char)r->module.build_id.s[i]);
            say(p, ROLE_VALUE, text);
        }
    } else if (r->kind == FXT_K_MMAP) {
        snprintf(text, sizeof text,
                 "  module %u %c%c%c at 0x%" PRIx64 ", %" PRIu64 " bytes, virtual address 0x%" PRIx64,
                 r->mmap.module_id, r->mmap.flags & 1 ? 'r' : '-', r->mmap.flags & 2 ? 'w' : '-',
                 r->mmap.flags & 4 ? 'x' : '-', r->mmap.start, r->mmap.size, r->mmap.address);
        say(p, ROLE_VALUE, text);
    }
    next_line(p);
    for (unsigned i = 0; r->kind == FXT_K_BACKTRACE && i < r->backtrace.n; i++) {
        snprintf(text, sizeof text, "#%-3u 0x%" PRIx64, i, record_word(r->backtrace.pcs + i, r->swap));
        say(p, ROLE_VALUE, text);
        next_line(p);
    }
    around(p);
    its_record(p);
}

static void details(struct pane *p) {
    const struct slice *s = app_slice(p->app);
    switch (p->app->pick.kind) {
    case PICK_NONE:
        row_details(p);
        break;
    case PICK_SLICE:
        slice_details(p, s);
        break;
    case PICK_ASYNC:
        async_details(p, s);
        break;
    case PICK_STATE:
        state_details(p, s);
        break;
    case PICK_RUN:
        run_details(p, s);
        break;
    case PICK_INSTANT:
    case PICK_ASYNC_INSTANT:
        instant_details(p);
        break;
    case PICK_SAMPLE:
        sample_details(p);
        break;
    case PICK_LOG:
        log_details(p);
        break;
    case PICK_PROFILE:
        profile_details(p);
        break;
    }
}

/* thread/tid slice */
static void point_place(struct pane *p, uint32_t point) {
    struct chain_place at = chain_place(p->app->trace, point);
    if (at.thread == NO_THREAD) {
        say(p, ROLE_DIM, "no thread");
        return;
    }
    const struct thread *t = trace_thread(p->app->trace, at.thread);
    char buf[40];
    bool named;
    value(p, ROLE_TEXT, trace_thread_name(p->app->trace, t, buf, &named));
    say(p, ROLE_DIM, " ");
    if (at.in_slice)
        value(p, ROLE_VALUE,
              trace_name(p->app->trace, trace_packed_name(p->app->trace, t->nest.lanes[at.row].v[at.i].a)));
    else
        say(p, ROLE_DIM, "outside of slices");
}

#define POINTS_LISTED 200

/* The chosen flow as a list of hops; which of several, where several pass. */
static void flow_details(struct pane *p) {
    static const char *const kinds[] = {"begin", "step", "end"};
    struct app *app = p->app;
    const struct flows *flows = trace_flows(app->trace);
    uint32_t points[FLOW_CHOICES], point;
    size_t chosen, n = flow_choices(app, points, &chosen);
    char text[120], dur[32], when[48];
    if (!flow_current(app, &point)) {
        say(p, ROLE_DIM, app->pick.kind == PICK_NONE ? "nothing is selected" : "no flow passes through this");
        next_line(p);
        return;
    }
    const struct flow_point *at = &flows->points.v[point];
    const struct flow *f = &flows->v.v[at->flow];
    value(p, ROLE_HEADER, trace_name(app->trace, flows->points.v[f->first].name));
    snprintf(text, sizeof text, "  id 0x%" PRIx64 "  %" PRIu32 " points, %s", at->id, f->points,
             f->unresolved      ? "unresolved: several open flows could own it"
             : flow_complete(f) ? "complete"
             : f->begun         ? "it has no end"
                                : "it has no begin");
    say(p, ROLE_DIM, text);
    say(p, ROLE_DIM, "  ");
    say(p, ROLE_VALUE,
        ticks_duration(flows->points.v[f->last].at.time - flows->points.v[f->first].at.time, app->grid.ascii, dur));
    if (n > 1) {
        snprintf(text, sizeof text, "   flow %zu of %zu in this slice: ( and )", chosen + 1, n);
        say(p, ROLE_DIM, text);
    }
    next_line(p);
    int listed = 0;
    for (uint32_t k = f->first; k != NO_POINT && listed < POINTS_LISTED; k = flows->points.v[k].after, listed++) {
        say(p, k == point ? ROLE_GUTTER_CURRENT : ROLE_DIM, k == point ? "> " : "  ");
        snprintf(text, sizeof text, "%-5s %s  ", kinds[flow_kind(&flows->points.v[k])],
                 app_point(app, flows->points.v[k].at.time, 1000, when));
        say(p, ROLE_DIM, text);
        point_place(p, k);
        if (flows->points.v[k].before != NO_POINT) {
            int64_t transit = chain_transit(app->trace, flows->points.v[k].before, k);
            say(p, ROLE_DIM, transit < 0 ? "  overlapping by " : "  after ");
            say(p, ROLE_VALUE, ticks_duration(transit < 0 ? -transit : transit, app->grid.ascii, dur));
        }
        next_line(p);
    }
    if (f->points > (uint32_t)listed) {
        snprintf(text, sizeof text, "  and %" PRIu32 " more", f->points - (uint32_t)listed);
        say(p, ROLE_DIM, text);
        next_line(p);
    }
}

static void tabs(struct app *app, int y) {
    struct grid *g = &app->grid;
    char args[24], flows[32];
    uint32_t points[FLOW_CHOICES];
    size_t chosen;
    snprintf(args, sizeof args, "Args %u", count_arguments(app));
    snprintf(flows, sizeof flows, "Flows %zu", flow_choices(app, points, &chosen));
    const char *const names[DRAWER_TABS] = {[DRAWER_DETAILS] = "Details", [DRAWER_ARGS] = args, [DRAWER_FLOWS] = flows};
    grid_fill(g, 0, y, g->cols, grid_glyph(g, GLYPH_RULE), style_look(app->drawer_focus ? ROLE_TAB_CURRENT : ROLE_DIM));
    int x = 2;
    for (int i = 0; i < DRAWER_TABS; i++) {
        struct look look = style_look(i == (int)app->tab ? ROLE_TAB_CURRENT : ROLE_TAB);
        grid_put(g, x - 1, y, ' ', look);
        x = grid_ztext(g, x, y, g->cols, names[i], look);
        grid_put(g, x, y, ' ', look);
        x += 3;
    }
}

void draw_drawer(struct app *app) {
    if (app->layout.drawer_rows == 0)
        return;
    struct pane p = {app, app->layout.drawer + 1, app->layout.drawer_rows - 1, 0, 1};
    tabs(app, app->layout.drawer);
    for (int again = 0; again < 2; again++) {
        p.line = 0;
        p.x = 1;
        if (app->tab == DRAWER_ARGS && app->pick.kind != PICK_NONE) {
            uint64_t end = end_of(app);
            unsigned n = arguments(&p, app->pick.offset, "", true);
            if (end != 0)
                n += arguments(&p, end, "of the end event:", true);
            if (n == 0) {
                say(&p, ROLE_DIM, "no arguments");
                next_line(&p);
            }
        } else if (app->tab == DRAWER_FLOWS) {
            flow_details(&p);
        } else {
            details(&p);
        }
        int most = p.line > p.rows ? p.line - p.rows : 0;
        if (app->drawer_scroll <= most)
            break;
        app->drawer_scroll = most; /* scrolled too far: now the end is known */
    }
    if (p.line > app->drawer_scroll + p.rows)
        grid_put(&app->grid, app->grid.cols - 1, p.y + p.rows - 1, grid_glyph(&app->grid, GLYPH_DOWN),
                 style_look(ROLE_DIM));
}
