/* stat_go.c - opens the timeline, shows the track and fits the window. */
#include "ui/views/stat/slices/stat_go.h"

#include "ui/timeline/move.h"
#include "ui/views/view.h"

void stat_go(struct app *app, const struct track_ops *kind, uint32_t of, int64_t from, int64_t to) {
    view_open_timeline(app);
    move_remember(&app->timeline);
    app->timeline.selection = (struct selection){0};
    app->timeline.gap.any = false;
    if (kind)
        move_show_row(app->trace, &app->timeline, kind, of, 0);
    move_to_time(app, from, true);
    if (to > from)
        window_fit(&app->timeline.window, from, to);
}
