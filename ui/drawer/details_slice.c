/* details_slice.c - the details of a slice and of an async operation.
 *
 * The name, its thread, times, how it compares to others of its name, its states, parents and
 * arguments, its record. */
#include <inttypes.h>
#include <stdio.h>

#include "model/query/detail.h"
#include "model/query/slice_order.h"
#include "model/trace/trace_life.h"
#include "model/trace/trace_problems.h"
#include "src/base/lower_bound.h"
#include "src/base/units.h"
#include "src/fxt/sampled.h"
#include "ui/drawer/details.h"
#include "ui/drawer/tab_name.h"
#include "ui/timeline/colors.h"

/* about 0.3 ms: rows and slices that are looked at if slices overlap */
#define SELF_UNITS 4000

/* The time of a slice that no slice after it in nesting order covers, by going through all of
 * them. */
static bool self_of_overlapping(struct trace *trace, const struct selection *at,
                                const struct slice *s, int64_t end, int64_t *ns) {
    struct slice_order order;
    struct slice_run run;
    struct task *task = TASK_OF(SELF_UNITS);
    int64_t reach = s->start;
    bool after = false;
    *ns = units_since(s->start, end);
    slice_order_init(&order, trace, &SLICE_SET(SLICE_ITER_SLICES, at->of, s->start, end));
    while (slice_order_next(&order, task, &run)) {
        for (uint32_t k = 0; k < run.n; k++) {
            int64_t from = run.v[k].start > reach ? run.v[k].start : reach,
                    to = slice_iter_end(trace, at->of, &run.v[k]);
            to = to < end ? to : end;
            if (after && to > from) {
                *ns -= units_since(from, to);
                reach = to;
            }
            after = after || (run.row == at->row && run.i + k == at->i);
        }
    }
    bool done = slice_order_done(&order) && after;
    slice_order_free(&order);
    return done;
}

bool details_self(struct trace *trace, const struct selection *at, const struct slice *s,
                  int64_t *ns) {
    int64_t end = trace_slice_end(trace, at->of, s);
    if (trace_damaged_slice(trace, s))
        return false;
    if (end > s->start && slice_iter_displaced(trace, at->of) && !trace_unset_slice(trace, s))
        return self_of_overlapping(trace, at, s, end, ns);
    *ns = trace_slice_self(trace, at->of, at->row, s);
    return true;
}

/* How long an open slice lasts for pictures and sums. */
static void open_length(struct drawer_text *p, const struct thread *t, const struct slice *s) {
    struct trace *trace = p->app->trace;
    int64_t end = trace_slice_end(trace, t->number, s);
    char dur[32];
    if (!slice_open(s) || end <= s->start)
        return;
    const char *until = "; to the next slice or the end around it ";
    if (slice_endless(s))
        until =
            end < trace_end(trace) ? "; to the end of its thread " : "; to the end of the trace ";
    drawer_text_say(p, ROLE_DIM, until);
    drawer_text_say(p, ROLE_VALUE,
                    units_duration(units_since(s->start, end), p->app->grid.ascii, dur));
}

/* The end is in place of one that its writer dropped (SEMANTICS 6.7). */
static void cut_by_loss(struct drawer_text *p, uint64_t end) {
    struct detail d;
    struct detail_argument argument;
    if (detail_open(&d, p->app->trace, end) && detail_find(&d, FXT_CUT_BY_LOSS, &argument))
        drawer_text_say(p, ROLE_WARN, "  cut by a loss: it ended earlier");
}

/* Warns of the record at this offset. */
static void warn(struct drawer_text *p, uint64_t offset, const char *what) {
    char place[TRACE_PLACE_TEXT], text[TRACE_PLACE_TEXT + 40];
    snprintf(text, sizeof text, "  %s%s", trace_place_text(p->app->trace, offset, place), what);
    drawer_text_say(p, ROLE_WARN, text);
}

/* The samples that a frame of a profiler was seen in: they come after its begin and before its end
 * in the file, too. */
static uint64_t count_samples(struct trace *trace, struct thread *t, const struct slice *s) {
    struct str text = SAMPLED_INSTANT;
    uint32_t name = names_find(reader_names(trace_reader(trace)), text.s, text.n);
    int64_t end = trace_slice_end(trace, t->number, s);
    uint64_t samples = 0, last = slice_open(s) ? UINT64_MAX : trace_end_record(trace, s);
    size_t n, at = 0;
    const struct instant *v = trace_instants(t, &n);
    lower_bound(at, n, i, v[i].time < s->start);
    for (; at < n && v[at].time <= end; at++) {
        uint64_t offset = event_offset(v[at].packed);
        bool inside = (v[at].time > s->start || offset > slice_offset(s)) &&
                      (v[at].time < end || offset < last);
        samples += inside && trace_packed_name(trace, v[at].packed) == name;
    }
    return samples;
}

/* No duration and no self time: how long a frame lasted is not known. */
static void sampled_length(struct drawer_text *p, const struct slice *s) {
    struct trace *trace = p->app->trace;
    struct thread *t = trace_thread(trace, p->app->timeline.selection.of);
    char point[48], count[32], dur[32], text[120];
    uint64_t n = count_samples(trace, t, s);
    int64_t end = trace_slice_end(trace, t->number, s);
    drawer_text_say(p, ROLE_VALUE, session_point(p->app, s->start, 1, point));
    snprintf(
        text, sizeof text, "  seen in %s sample%s, about %s (sampled)",
        units_count(n, p->app->grid.ascii, count), n == 1 ? "" : "s",
        units_duration(end > s->start ? units_since(s->start, end) : 0, p->app->grid.ascii, dur));
    drawer_text_say(p, ROLE_VALUE, text);
}

/* Length, self time and what is wrong with it. */
static void measured_length(struct drawer_text *p, const struct thread *t, const struct slice *s) {
    struct app *app = p->app;
    int64_t self;
    char dur[32];
    details_duration(p, s);
    open_length(p, t, s);
    if (trace_damaged_slice(app->trace, s))
        details_not_counted(p, s, trace_damaged_parts(app->trace, s));
    drawer_text_say(p, ROLE_DIM, "  self ");
    drawer_text_say(p, ROLE_VALUE,
                    details_self(app->trace, &app->timeline.selection, s, &self)
                        ? units_duration(self, app->grid.ascii, dur)
                        : "-");
}

void details_slice(struct drawer_text *p) {
    struct app *app = p->app;
    const struct slice *s = session_slice(app->trace, &app->timeline);
    const struct thread *t = trace_thread(app->trace, app->timeline.selection.of);
    const struct slice_extra *extra = trace_slice_extra(app->trace);
    struct detail d;
    char text[32];
    uint32_t row = 0, i = 0;
    bool sampled = false;
    drawer_text_swatch(p, colors_slice(app, app->timeline.selection.of, s));
    drawer_text_value(p, ROLE_HEADER, trace_slice_name(app->trace, s));
    if (detail_open(&d, app->trace, app->timeline.selection.offset) && d.category.n > 0) {
        sampled = str_eq(d.category, SAMPLED_CATEGORY);
        details_category(p, d.category);
    }
    drawer_text_say(p, ROLE_DIM, "  ");
    details_thread_name(p, t);
    snprintf(text, sizeof text, "  depth %" PRIu32,
             nest_depth(&t->nest, extra, app->timeline.selection.row, app->timeline.selection.i));
    drawer_text_say(p, ROLE_DIM, text);
    drawer_text_next_line(p);
    if (sampled)
        sampled_length(p, s);
    else
        measured_length(p, t, s);
    if (slice_flags(s) & SLICE_OVERLAP)
        warn(p, slice_offset(s), "overlaps the previous slice");
    uint64_t end = trace_end_record(app->trace, s);
    if (!slice_open(s) && slice_flags(s) & SLICE_MISMATCH && end != 0)
        warn(p, end, "the end has another name");
    else if (!slice_open(s) && slice_flags(s) & SLICE_MISMATCH)
        warn(p, slice_offset(s), "lost its end");
    if (end != 0)
        cut_by_loss(p, end);
    drawer_text_next_line(p);
    if (!sampled)
        tab_name_line(p, s);
    details_states(p, t->number, s->start, trace_slice_end(app->trace, t->number, s));
    details_hot(p);
    if (nest_parent(&t->nest, extra, app->timeline.selection.row, app->timeline.selection.i, &row,
                    &i))
        details_ancestors(p, t, row, i);
    drawer_text_arguments(p, app->timeline.selection.offset, "args: ", false);
    if (end != 0)
        drawer_text_arguments(p, end, "end args: ", false);
    details_record(p);
}

void details_operation(struct drawer_text *p) {
    struct app *app = p->app;
    const struct slice *s = session_slice(app->trace, &app->timeline);
    struct detail d;
    char text[96], id[32] = "";
    drawer_text_swatch(p, colors_slice(app, SLICE_ITER_ASYNC + app->timeline.selection.of, s));
    drawer_text_value(p, ROLE_HEADER, trace_slice_name(app->trace, s));
    /* else, or of another kind, it was overwritten */
    if (detail_open(&d, app->trace, app->timeline.selection.offset)) {
        if (d.category.n > 0)
            details_category(p, d.category);
        if (d.record.kind == FXT_K_ASYNC_BEGIN)
            snprintf(id, sizeof id, " id 0x%" PRIx64, d.record.id);
    }
    snprintf(text, sizeof text, "  async%s  depth %" PRIu32, id,
             async_depth(trace_slice_extra(app->trace), s));
    drawer_text_say(p, ROLE_DIM, text);
    details_thread(p);
    drawer_text_next_line(p);
    details_duration(p, s);
    uint64_t end = drawer_text_end_of(app->trace, &app->timeline);
    uint32_t from = selection_thread(app->trace, &app->timeline.selection),
             to = end ? trace_thread_at(app->trace, end) : from;
    if (to != from && to != NO_THREAD) {
        drawer_text_say(p, ROLE_DIM, "  ended on ");
        details_thread_name(p, trace_thread(app->trace, to));
    }
    if (slice_flags(s) & SLICE_MISMATCH)
        warn(p, end, "the end has another name");
    drawer_text_next_line(p);
    tab_name_line(p, s);
    drawer_text_arguments(p, app->timeline.selection.offset, "args: ", false);
    if (end != 0)
        drawer_text_arguments(p, end, "end args: ", false);
    details_record(p);
}
