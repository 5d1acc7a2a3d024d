/* details_slice.c - the details of a slice and of an async operation.
 *
 * The name, its thread, times, how it compares to others of its name, its states, parents and arguments, its record. */
#include <inttypes.h>
#include <stdio.h>

#include "model/query/detail.h"
#include "model/trace/trace_life.h"
#include "src/base/units.h"
#include "ui/drawer/details.h"
#include "ui/drawer/tab_name.h"

#define CHILDREN_SOUGHT 5000 /* rows and slices that are looked at if children are not all on the row below */

/* The time that the slice does not spend in its children on the rows below. False if finding them costs more than a
 * frame may. */
static bool self_time(struct trace *trace, const struct timeline *timeline, const struct thread *t,
                      const struct slice *s, int64_t *ns) {
    int64_t end = trace_slice_end(trace, t->number, s), self = end - s->start;
    uint32_t left = CHILDREN_SOUGHT;
    *ns = self;
    for (uint32_t row = timeline->selection.row + 1; row < nest_rows(&t->nest); row++) {
        struct lane *lane = nest_row(&t->nest, row);
        if (t->nest.displaced == 0) {
            *ns = self - lane_busy(lane, s->start, end);
            return true;
        }
        uint32_t i = lane_from(lane, s->start), j = lane_from(lane, end);
        if (j - i >= left)
            return false;
        left -= j - i + 1;
        for (uint32_t k = i; k < j; k++) {
            uint32_t prow, parent;
            if (nest_parent(&t->nest, trace_slice_extra(trace), row, k, &prow, &parent) &&
                prow == timeline->selection.row && parent == timeline->selection.i)
                self -=
                    (slice_end(lane_at(lane, k)) < end ? slice_end(lane_at(lane, k)) : end) - lane_at(lane, k)->start;
        }
    }
    *ns = self;
    return true;
}

void details_slice(struct drawer_text *p) {
    struct app *app = p->app;
    const struct slice *s = session_slice(app->trace, &app->timeline);
    const struct thread *t = trace_thread(app->trace, app->timeline.selection.of);
    const struct slice_extra *extra = trace_slice_extra(app->trace);
    struct detail d;
    int64_t self;
    char dur[32], text[32];
    uint32_t row = 0, i = 0;
    drawer_text_value(p, ROLE_HEADER, trace_slice_name(app->trace, s));
    if (detail_open(&d, app->trace, app->timeline.selection.offset) && d.category.n > 0)
        details_category(p, d.category);
    drawer_text_say(p, ROLE_DIM, "  ");
    details_thread_name(p, t);
    snprintf(text, sizeof text, "  depth %" PRIu32,
             nest_depth(&t->nest, extra, app->timeline.selection.row, app->timeline.selection.i));
    drawer_text_say(p, ROLE_DIM, text);
    drawer_text_next_line(p);
    details_duration(p, s);
    drawer_text_say(p, ROLE_DIM, "  self ");
    drawer_text_say(p, ROLE_VALUE,
                    self_time(app->trace, &app->timeline, t, s, &self) ? units_duration(self, app->grid.ascii, dur)
                                                                       : "-");
    if (slice_flags(s) & SLICE_OVERLAP)
        drawer_text_say(p, ROLE_WARN, "  overlaps the previous slice");
    if (slice_flags(s) & SLICE_MISMATCH)
        drawer_text_say(p, ROLE_WARN, "  the end has another name");
    drawer_text_next_line(p);
    tab_name_line(p, s);
    details_states(p, t->number, s->start, trace_slice_end(app->trace, t->number, s));
    if (nest_parent(&t->nest, extra, app->timeline.selection.row, app->timeline.selection.i, &row, &i))
        details_ancestors(p, t, row, i);
    drawer_text_arguments(p, app->timeline.selection.offset, "args: ", false);
    uint64_t end = slice_extra_end_offset(extra, s);
    if (end != 0)
        drawer_text_arguments(p, end, "end args: ", false);
    details_record(p);
}

void details_operation(struct drawer_text *p) {
    struct app *app = p->app;
    const struct slice *s = session_slice(app->trace, &app->timeline);
    struct detail d;
    char text[96];
    drawer_text_value(p, ROLE_HEADER, trace_slice_name(app->trace, s));
    if (detail_open(&d, app->trace, app->timeline.selection.offset) && d.category.n > 0)
        details_category(p, d.category);
    snprintf(text, sizeof text, "  async id 0x%" PRIx64 "  depth %" PRIu32, d.record.id,
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
        drawer_text_say(p, ROLE_WARN, "  the end has another name");
    drawer_text_next_line(p);
    tab_name_line(p, s);
    drawer_text_arguments(p, app->timeline.selection.offset, "args: ", false);
    if (end != 0)
        drawer_text_arguments(p, end, "end args: ", false);
    details_record(p);
}
