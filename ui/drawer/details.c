/* details.c - the details of the selection: which function writes them, and the parts that several
 * of them share. */
#include "ui/drawer/details.h"

#include <inttypes.h>
#include <stdio.h>

#include "model/query/detail.h"
#include "model/store/row_track.h"
#include "src/base/units.h"
#include "ui/drawer/phrase.h"
#include "ui/timeline/draw_gutter.h"
#include "ui/timeline/track_ops.h"

/* ---- parts ---- */

void details_thread_name(struct drawer_text *p, const struct thread *t) {
    char buf[40], id[48], koid[DRAW_GUTTER_NUMBER];
    bool named;
    if (t->process != NO_PROCESS) {
        drawer_text_value(p, ROLE_TEXT,
                          trace_process_name(p->app->trace,
                                             trace_process(p->app->trace, t->process), buf,
                                             &named));
        bool number = draw_gutter_number(koid, t->id.pid) > 0 && named;
        snprintf(id, sizeof id, "%s%s / ", number ? " " : "", number ? koid : "");
        drawer_text_say(p, ROLE_DIM, id);
    }
    drawer_text_value(p, ROLE_TEXT, trace_thread_name(p->app->trace, t, buf, &named));
    if (named && draw_gutter_number(koid, t->id.tid) > 0) {
        snprintf(id, sizeof id, " %s", koid);
        drawer_text_say(p, ROLE_DIM, id);
    }
}

void details_ancestors(struct drawer_text *p, const struct thread *t, uint32_t row, uint32_t i) {
    const struct slice_extra *extra = trace_slice_extra(p->app->trace);
    char buf[32];
    bool found = true;
    for (int n = 0; found && n < 12; n++) {
        const struct slice *s = lane_at(nest_row(&t->nest, row), i);
        drawer_text_say(p, ROLE_DIM, n == 0 ? "in: " : " < ");
        drawer_text_value(p, ROLE_TEXT, trace_slice_name(p->app->trace, s));
        drawer_text_say(p, ROLE_DIM, " ");
        drawer_text_say(p, ROLE_DIM,
                        slice_open(s) ? "open"
                                      : units_duration(slice_dur(s), p->app->grid.ascii, buf));
        found = nest_parent(&t->nest, extra, row, i, &row, &i);
    }
    if (found)
        drawer_text_say(p, ROLE_DIM, " < ...");
    drawer_text_next_line(p);
}

static void record_line(struct drawer_text *p, const struct detail *d, uint64_t end) {
    char text[120];
    snprintf(text, sizeof text, "record %s @0x%" PRIx64 " + %" PRIu64 " B",
             fxt_kind_name(d->record.kind), d->offset, d->record.words * 8);
    drawer_text_say(p, ROLE_DIM, text);
    if (end != 0) {
        snprintf(text, sizeof text, ", ends @0x%" PRIx64, end);
        drawer_text_say(p, ROLE_DIM, text);
    }
    if (!d->provider->implicit) {
        drawer_text_say(p, ROLE_DIM, "   provider ");
        drawer_text_value(p, ROLE_DIM, d->provider->name);
    }
    if (d->record.faults & FXT_FAULT_CONTENTS)
        drawer_text_say(p, ROLE_WARN, "   contents exceed the record");
    drawer_text_next_line(p);
}

void details_category(struct drawer_text *p, struct str category) {
    if (category.n == 0)
        return;
    drawer_text_say(p, ROLE_DIM, "  category ");
    drawer_text_value(p, ROLE_TEXT, category);
}

void details_around(struct drawer_text *p) {
    uint32_t thread = selection_thread(p->app->trace, &p->app->timeline.selection), row, i;
    if (thread == NO_THREAD)
        return;
    const struct thread *t = trace_thread(p->app->trace, thread);
    const struct selection *now = &p->app->timeline.selection;
    struct trace_point point = {t->number, {now->time, now->offset}, false};
    if (trace_point_slice(p->app->trace, &point, &row, &i))
        details_ancestors(p, t, row, i);
}

void details_thread(struct drawer_text *p) {
    uint32_t thread = selection_thread(p->app->trace, &p->app->timeline.selection);
    if (thread == NO_THREAD)
        return;
    drawer_text_say(p, ROLE_DIM, "  ");
    details_thread_name(p, trace_thread(p->app->trace, thread));
}

void details_duration(struct drawer_text *p, const struct slice *s) {
    char buf[48], dur[32], text[64];
    drawer_text_say(p, ROLE_VALUE, session_point(p->app, s->start, 1, buf));
    drawer_text_say(p, ROLE_DIM, "  dur ");
    drawer_text_say(p, ROLE_VALUE,
                    slice_open(s) ? "open, never ended"
                                  : units_duration(slice_dur(s), p->app->grid.ascii, dur));
    if (!slice_open(s) && slice_dur(s) >= 1000) {
        snprintf(text, sizeof text, " (%" PRId64 " ns)", slice_dur(s));
        drawer_text_say(p, ROLE_DIM, text);
    }
}

void details_not_counted(struct drawer_text *p, const struct slice *s, unsigned damaged) {
    static const char *const parts[] = {[0] = PHRASE_DAMAGED,
                                        [TRACE_DAMAGED_BEGIN] = "  damaged begin: not counted",
                                        [TRACE_DAMAGED_END] = "  damaged end: not counted",
                                        [TRACE_DAMAGED_BEGIN | TRACE_DAMAGED_END] =
                                            "  damaged begin and end: not counted"};
    struct trace *trace = p->app->trace;
    /* its begin alone */
    bool unset = trace_unset_time(trace, slice_offset(s), s->start) && !trace_unset_slice(trace, s);
    drawer_text_say(p, ROLE_WARN, unset ? "  unset begin: not counted" : parts[damaged]);
}

void details_record(struct drawer_text *p) {
    struct detail d;
    if (detail_open(&d, p->app->trace, p->app->timeline.selection.offset))
        record_line(p, &d, drawer_text_end_of(p->app->trace, &p->app->timeline));
}

/* A row of a question (model/store/row_track.h). */
static void details_row_of(struct drawer_text *p) {
    struct app *app = p->app;
    const struct row_track *track =
        row_tracks_at(trace_row_tracks(app->trace), app->timeline.selection.of);
    const struct slice *s = session_slice(app->trace, &app->timeline);
    if (track == NULL || s == NULL)
        return;
    const struct row_track_row *row = row_track_row_of(track, s);
    drawer_text_value(p, ROLE_HEADER, row_track_name(track, row));
    drawer_text_say(p, ROLE_DIM, "  row of ");
    drawer_text_value(p, ROLE_TEXT, str_of(track->name));
    drawer_text_next_line(p);
    details_duration(p, s);
    drawer_text_next_line(p);
    if (row->value) {
        drawer_text_say(p, ROLE_DIM, "value ");
        drawer_text_value(p, ROLE_VALUE, row_track_text(track, row->value));
        drawer_text_next_line(p);
    }
    if (row->colour) {
        drawer_text_say(p, ROLE_DIM, "colour ");
        drawer_text_value(p, ROLE_TEXT, row_track_text(track, row->colour));
        drawer_text_next_line(p);
    }
}

/* ---- by kind ---- */

static const struct {
    const struct selection_ops *kind;
    void (*details)(struct drawer_text *p);
} events[] = {{&track_thread_slice, details_slice},     {&track_thread_state, details_state},
              {&track_thread_instant, details_instant}, {&track_async_operation, details_operation},
              {&track_async_instant, details_instant},  {&track_cpu_run, details_run},
              {&track_counter_sample, details_sample},  {&track_log_record, details_log},
              {&track_profile_record, details_profile}, {&track_rows_row, details_row_of}};

void details_draw(struct drawer_text *p) {
    const struct selection_ops *kind = p->app->timeline.selection.kind;
    if (kind == NULL)
        details_row(p);
    for (size_t i = 0; i < sizeof events / sizeof *events; i++)
        if (events[i].kind == kind)
            events[i].details(p);
}
