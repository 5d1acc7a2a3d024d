/* view.c - the array of all views, and which of them is current.
 *
 * A struct view for each row of view_list.h; its number is its place there. `home` is the timeline
 * view that was current last (timeline, counters or CPUs): closing the last other view leads to it.
 * A view that covers another one remembers it as `back`. */
#include "ui/views/view.h"

#include <stdio.h>

#include "model/query/filter/filter_lanes.h"

#include "ui/drawer/drawer.h"
#include "ui/timeline/move.h"
#include "ui/views/view_table.h"

static const struct view_ops *const all[] = {
#define VIEW(ops, ...) &ops,
#define SUBVIEW(ops) &ops,
#include "ui/views/view_list.h"
#undef VIEW
#undef SUBVIEW
};

#define VIEWS (sizeof all / sizeof *all)

void view_init(struct app *app) {
    app->views.all = err_calloc(VIEWS, sizeof *app->views.all);
    for (size_t i = 0; i < VIEWS; i++)
        app->views.all[i] = (struct view){.ops = all[i], .app = app};
    app->views.current = app->views.home = view_of(&app->views, &view_timeline);
}

static void free_state(struct view *view) {
    if (view->state)
        view->ops->free(view);
    view->state = NULL;
}

void view_free(struct view_state *views) {
    for (size_t i = 0; i < VIEWS; i++)
        free_state(&views->all[i]);
    free(views->all);
    vec_free(&views->later);
    views->all = NULL;
}

struct view *view_of(const struct view_state *views, const struct view_ops *ops) {
    size_t i = 0;
    while (all[i] != ops)
        i++;
    return &views->all[i];
}

unsigned view_modes(const struct app *app) {
    unsigned modes = app->views.current->ops->modes;
    return modes == MODE_TIMELINE && app->drawer.focus ? MODE_DRAWER : modes;
}

bool view_is(const struct view_state *views, unsigned modes) {
    return views->current->ops->modes & modes;
}

/* ---- opening and closing ---- */

/* Work that the picture of a table needs. */
static void work(struct view_state *views) {
    if (view_is(views, MODE_TABLE))
        view_table_work(views->current);
}

static void set_current(struct app *app, struct view *view) {
    app->views.later.n = 0; /* of the place in another view */
    app->views.current = view;
    if (view->ops->modes & MODE_TIMELINE)
        app->views.home = view;
    app->dirty = true;
    work(&app->views);
}

void view_open(struct app *app, const struct view_ops *ops) {
    struct view *view = view_of(&app->views, ops);
    if (view->state == NULL && ops->make)
        view->state = ops->make(view);
    if (view != app->views.current)
        view->back = NULL;
    if (ops->open == NULL || ops->open(view))
        set_current(app, view);
}

/* The view to show when this one closes. */
static struct view *back_of(struct view *view) {
    struct view *back = view->back;
    while (back && back->state == NULL && back->ops->make) /* what it showed is gone */
        back = back->back;
    return back ? back : view->app->views.home;
}

bool view_leave(struct app *app) {
    struct view *view = app->views.current, *back = back_of(view);
    if (view->ops->up && view->ops->up(view)) {
        work(&app->views);
        return true;
    }
    if (back == view)
        return false;
    set_current(app, back);
    return true;
}

void view_open_timeline(struct app *app) {
    view_open(app, &view_timeline);
}

void view_go(struct app *app, struct selection selection) {
    view_open_timeline(app);
    move_remember(&app->timeline);
    move_select(app, selection);
}

/* ---- of the current view ---- */

const char *view_filter(struct app *app) {
    struct timeline *timeline = &app->timeline;
    struct view *view = app->views.current;
    if (view->ops->filter)
        return view->ops->filter(view);
    if (view->ops->table) {
        const struct filter *filter = view->ops->table(view)->filter;
        return filter ? filter_text(filter) : NULL;
    }
    if (timeline->tracks.others == LIST_PLAIN || !(view->ops->modes & MODE_TIMELINE))
        return NULL;
    if (timeline->only == NULL)
        return timeline->filter ? filter_text(timeline->filter) : NULL;
    snprintf(timeline->hiding, sizeof timeline->hiding, "%s%sonly %s",
             timeline->filter ? filter_text(timeline->filter) : "", timeline->filter ? ", " : "",
             filter_lanes_text(timeline->only));
    return timeline->hiding;
}

void view_draw(struct view_state *views) {
    views->current->ops->draw(views->current);
}

void view_resize(struct view_state *views) {
    struct view *view = views->current;
    if (view->ops->resize)
        view->ops->resize(view);
}

void view_update(struct app *app, bool renewed) {
    for (size_t i = 0; i < VIEWS; i++) {
        struct view *view = &app->views.all[i];
        if (view->state == NULL || view->ops->update == NULL || view->ops->update(view, renewed))
            continue;
        free_state(view);
        if (view == app->views.current)
            set_current(app, back_of(view));
    }
    work(&app->views);
}

bool view_step(struct app *app) {
    struct view *view = app->views.current;
    return view->ops->step && view->ops->step(view);
}

void view_pointer(struct view_state *views, const struct key *key) {
    struct view *view = views->current;
    if (view->ops->pointer)
        view->ops->pointer(view, key);
}

bool view_record(struct view_state *views, struct view_record *record) {
    struct view *view = views->current->ops->record ? views->current : views->home;
    *record = (struct view_record){0};
    return view->ops->record(view, record);
}

bool view_has_csv(const struct view_state *views) {
    return views->current->ops->csv != NULL;
}

bool view_csv(struct view_state *views, FILE *out) {
    return views->current->ops->csv(views->current, out);
}

void view_enter(struct app *app) {
    struct view *view = app->views.current;
    if (view->ops->enter == NULL) {
        session_say(app, false,
                    view->ops->modes & MODE_TABLE
                        ? "rows of this table have no time: X shows the record"
                        : "lines of this text lead nowhere");
        return;
    }
    work(&app->views);
    view->ops->enter(view);
    work(&app->views);
}

static bool lists_slices(const struct app *app) {
    struct view *view = app->views.current;
    return view->ops->lists_slices && view->ops->lists_slices(view);
}

bool view_has_why(const struct app *app) {
    return app->views.current->ops->modes & MODE_TIMELINE
               ? selection_is_slice(&app->timeline.selection)
               : lists_slices(app);
}

void view_why(struct app *app) {
    struct view *view = app->views.current;
    if (view->ops->modes & MODE_TIMELINE) {
        drawer_why(app);
        return;
    }
    if (!lists_slices(app)) {
        session_say(app, false, "W is for lists of slices, such as 2 and Enter, or z/");
        return;
    }
    work(&app->views);
    view->ops->show(view);
    if (view == app->views.current) /* the row is not known yet */
        return;
    if (!selection_is_slice(&app->timeline.selection)) {
        session_say(app, false, "only slices have reasons: this is none");
        return;
    }
    app->drawer.focus = false;
    drawer_toggle(app);
    drawer_why(app);
}

void view_other(struct app *app) {
    struct view *view = app->views.current;
    if (view->ops->other == NULL) {
        session_say(app, false, "this view has one table");
        return;
    }
    work(&app->views);
    view->ops->other(view);
    work(&app->views);
}

void view_find(struct app *app, const char *text) {
    struct view *view = app->views.current;
    view->ops->find(view, text);
}

/* ---- pieces ---- */

int view_rule(struct grid *grid, int y) {
    grid_fill(grid, 0, y, grid->cols, grid_glyph(grid, GLYPH_RULE), style_look(ROLE_DIM));
    return 1;
}

int view_label(struct grid *grid, int x, int y, struct str text, enum role role) {
    grid_put(grid, x, y, ' ', style_look(ROLE_TEXT));
    x = grid_text(grid, (struct grid_place){x + 1, y, grid->cols - 1}, text, style_look(role),
                  TEXT_TRACK, true);
    grid_put(grid, x, y, ' ', style_look(ROLE_TEXT));
    return x + 1;
}
