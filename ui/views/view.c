/* view.c - the array of all views, and which of them is current.
 *
 * A struct view for each row of view_list.h; its number is its place there. `home` is the timeline view that was
 * current last (timeline, counters or CPUs): closing the last other view leads to it. A view that covers another one
 * remembers it as `back`. */
#include "ui/views/view.h"

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
    app->views.current = app->views.home = view_of(app, &view_timeline);
}

static void free_state(struct view *view) {
    if (view->state)
        view->ops->free(view);
    view->state = NULL;
}

void view_free(struct app *app) {
    for (size_t i = 0; i < VIEWS; i++)
        free_state(&app->views.all[i]);
    free(app->views.all);
    app->views.all = NULL;
}

struct view *view_of(struct app *app, const struct view_ops *ops) {
    size_t i = 0;
    while (all[i] != ops)
        i++;
    return &app->views.all[i];
}

unsigned view_modes(const struct app *app) {
    unsigned modes = app->views.current->ops->modes;
    return modes == MODE_TIMELINE && app->drawer.focus ? MODE_DRAWER : modes;
}

bool view_is(const struct app *app, unsigned modes) {
    return app->views.current->ops->modes & modes;
}

/* ---- opening and closing ---- */

/* Work that the picture of a table needs. */
static void work(struct app *app) {
    if (view_is(app, MODE_TABLE))
        view_table_work(app->views.current);
}

static void set_current(struct app *app, struct view *view) {
    app->views.current = view;
    if (view->ops->modes & MODE_TIMELINE)
        app->views.home = view;
    app->dirty = true;
    work(app);
}

void view_open(struct app *app, const struct view_ops *ops) {
    struct view *view = view_of(app, ops);
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
        work(app);
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

void view_draw(struct app *app) {
    app->views.current->ops->draw(app->views.current);
}

void view_resize(struct app *app) {
    struct view *view = app->views.current;
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
    work(app);
}

bool view_step(struct app *app, struct budget *budget) {
    struct view *view = app->views.current;
    return view->ops->step && view->ops->step(view, budget);
}

void view_pointer(struct app *app, const struct key *key) {
    struct view *view = app->views.current;
    if (view->ops->pointer)
        view->ops->pointer(view, key);
}

bool view_record(struct app *app, struct view_record *record) {
    struct view *view = app->views.current->ops->record ? app->views.current : app->views.home;
    *record = (struct view_record){0};
    return view->ops->record(view, record);
}

bool view_has_csv(const struct app *app) {
    return app->views.current->ops->csv != NULL;
}

bool view_csv(struct app *app, FILE *out) {
    return app->views.current->ops->csv(app->views.current, out);
}

void view_enter(struct app *app) {
    struct view *view = app->views.current;
    if (view->ops->enter == NULL)
        return;
    work(app);
    view->ops->enter(view);
    work(app);
}

void view_find(struct app *app, const char *text) {
    struct view *view = app->views.current;
    view->ops->find(view, text);
}

/* ---- pieces ---- */

int view_rule(struct app *app, int y) {
    grid_fill(&app->grid, 0, y, app->grid.cols, grid_glyph(&app->grid, GLYPH_RULE), style_look(ROLE_DIM));
    return 1;
}

int view_label(struct app *app, int x, int y, struct str text, enum role role) {
    struct grid *g = &app->grid;
    grid_put(g, x, y, ' ', style_look(ROLE_TEXT));
    x = grid_text(g, (struct grid_place){x + 1, y, g->cols - 1}, text, style_look(role), TEXT_TRACK, true);
    grid_put(g, x, y, ' ', style_look(ROLE_TEXT));
    return x + 1;
}
