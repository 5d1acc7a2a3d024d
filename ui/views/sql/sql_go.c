/* sql_go.c - from a row of a query to the timeline: events are found again by their time and
 * offset; numbers of tracks and flows hold until the trace is read again from its begin. */
#include "ui/views/sql/sql_go.h"

#include "ui/timeline/find.h"
#include "ui/timeline/flow_nav.h"
#include "ui/timeline/move.h"
#include "ui/timeline/track_ops.h"
#include "ui/views/view.h"

static const struct selection_ops *const events[] = {[PLACE_SLICE] = &track_thread_slice,
                                                     [PLACE_INSTANT] = &track_thread_instant,
                                                     [PLACE_OPERATION] = &track_async_operation,
                                                     [PLACE_OPERATION_INSTANT] =
                                                         &track_async_instant};
static const struct track_ops *const tracks[] = {
    [PLACE_THREAD] = &track_thread, [PLACE_ASYNC] = &track_async, [PLACE_COUNTER] = &track_counter};

static void go_event(struct app *app, const struct query_place *p) {
    const struct selection_ops *kind = events[p->kind];
    struct selection s = {kind, p->of, p->row, p->i, p->time, p->offset};
    if (kind->lane == NULL) {
        size_t n = kind->count(app->trace, p->of);
        size_t i = selection_moment_from(app->trace, kind, p->of, 0, n,
                                         (struct moment){p->time, p->offset});
        if (i < n)
            s = selection_of_moment(app->trace, kind, p->of, i);
        if (i >= n || s.time != p->time || s.offset != p->offset)
            s = (struct selection){0};
    } else if (!selection_find(app->trace, &s)) {
        s = (struct selection){0};
    }
    if (selection_any(&s))
        view_go(app, s);
    else
        session_say(app, true, "the event is not in the trace any more: r runs the query again");
}

static void go_track(struct app *app, const struct query_place *p) {
    uint64_t line;
    view_open_timeline(app);
    move_remember(&app->timeline);
    if (p->kind == PLACE_PROCESS && track_list_find_header(&app->timeline.tracks, p->of, &line))
        move_to_line(app, line);
    else if (p->kind == PLACE_PROCESS)
        session_say(app, false, "the process has no tracks");
    else
        move_show_row(app->trace, &app->timeline, tracks[p->kind], p->of, p->row);
    if (p->has_time)
        find_moment(app, p->time);
}

void sql_go(struct app *app, const struct query_place *p, bool reread) {
    if (reread && p->kind >= PLACE_FLOW) {
        session_say(app, true, "the trace was read again since: r runs the query again");
        return;
    }
    switch ((enum query_place_kind)p->kind) {
    case PLACE_NONE:
        session_say(app, false, "nothing here to go to: select id or ts");
        break;
    case PLACE_TIME:
        view_open_timeline(app);
        move_remember(&app->timeline);
        find_moment(app, p->time);
        break;
    case PLACE_SLICE:
    case PLACE_INSTANT:
    case PLACE_OPERATION:
    case PLACE_OPERATION_INSTANT:
        go_event(app, p);
        break;
    case PLACE_FLOW:
        view_open_timeline(app);
        move_remember(&app->timeline);
        flow_nav_show(app, p->i);
        break;
    default:
        go_track(app, p);
        break;
    }
}
