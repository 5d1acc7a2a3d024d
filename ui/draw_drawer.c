/* draw_drawer.c - the drawer: details and arguments of the selected event, or of the current row. */
#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include "model/detail.h"
#include "model/ticks.h"
#include "ui/draw.h"

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

static unsigned count_arguments(struct app *app) {
    struct detail d;
    unsigned n = 0;
    const struct slice *s = app_slice(app);
    if (app->pick.kind == PICK_NONE)
        return 0;
    if (detail_open(&d, app->trace, app->pick.offset))
        n += d.record.args.count;
    uint64_t end = s ? nest_end_offset(trace_aside(app->trace), s) : 0;
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

static void slice_details(struct pane *p, const struct slice *s) {
    struct app *app = p->app;
    const struct thread *t = trace_thread(app->trace, app->pick.thread);
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

static void instant_details(struct pane *p) {
    static const char *const scopes[] = {"thread", "process", "global"};
    struct app *app = p->app;
    const struct thread *t = trace_thread(app->trace, app->pick.thread);
    struct detail d;
    char buf[48];
    uint32_t row, i;
    if (!detail_open(&d, app->trace, app->pick.offset))
        return;
    value(p, ROLE_HEADER, d.name);
    say(p, ROLE_DIM, "  ");
    value(p, ROLE_TEXT, d.category);
    say(p, ROLE_DIM, "  ");
    thread_name(p, t);
    next_line(p);
    say(p, ROLE_VALUE, app_point(app, app->pick.time, 1, buf));
    say(p, ROLE_DIM, "  instant");
    if (d.record.scope.present && d.record.scope.value < 3) {
        say(p, ROLE_DIM, ", scope ");
        say(p, ROLE_VALUE, scopes[d.record.scope.value]);
    }
    next_line(p);
    if (nest_at(&t->nest, trace_aside(app->trace), app->pick.time, &row, &i))
        ancestors(p, t, row, i);
    arguments(p, app->pick.offset, "args: ", false);
    if (detail_open(&d, app->trace, app->pick.offset))
        record_line(p, &d, 0);
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
        const struct thread *t = trace_thread(app->trace, track->thread);
        thread_name(p, t);
        next_line(p);
        snprintf(text, sizeof text, "%s events, %s slices on %" PRIu32 " rows, %s instants", ticks_count(t->events, false, a),
                 ticks_count(t->nest.slices, false, b), t->nest.nlanes, ticks_count(t->instants.n, false, buf));
        say(p, ROLE_TEXT, text);
        next_line(p);
        if (t->events > 0) {
            say(p, ROLE_DIM, "events from ");
            say(p, ROLE_VALUE, app_point(app, t->first, 1000, buf));
            say(p, ROLE_DIM, " to ");
            say(p, ROLE_VALUE, app_point(app, t->last, 1000, buf));
            next_line(p);
        }
    } else if (track->process != NO_PROCESS) {
        const struct process *proc = trace_process(app->trace, track->process);
        value(p, ROLE_HEADER, trace_process_name(app->trace, proc, buf, &named));
        snprintf(text, sizeof text, "  process %" PRIu64 ", %zu threads", proc->pid, proc->threads.n);
        say(p, ROLE_TEXT, text);
        next_line(p);
    }
    say(p, ROLE_DIM, "nothing selected: h and l select events beside the cursor, Enter what is at it");
    next_line(p);
}

static void tabs(struct app *app, int y) {
    struct grid *g = &app->grid;
    char args[24];
    snprintf(args, sizeof args, "Args %u", count_arguments(app));
    const char *const names[DRAWER_TABS] = {[DRAWER_DETAILS] = "Details", [DRAWER_ARGS] = args};
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
    const struct slice *s = app_slice(app);
    for (int again = 0; again < 2; again++) {
        p.line = 0;
        p.x = 1;
        if (app->tab == DRAWER_ARGS && app->pick.kind != PICK_NONE) {
            uint64_t end = s ? nest_end_offset(trace_aside(app->trace), s) : 0;
            unsigned n = arguments(&p, app->pick.offset, "", true);
            if (end != 0)
                n += arguments(&p, end, "of the end event:", true);
            if (n == 0) {
                say(&p, ROLE_DIM, "no arguments");
                next_line(&p);
            }
        } else if (s) {
            slice_details(&p, s);
        } else if (app->pick.kind == PICK_INSTANT) {
            instant_details(&p);
        } else {
            row_details(&p);
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
