/* view_flame.c - 3 Flame: the paths of the range as frames, and below them the names by self time.
 *
 * The frames are laid out for each key and each frame: that costs as much as the cells. Keys that
 * seek a name go over the nodes in their order. */
#include "ui/views/stat/view_flame.h"

#include <string.h>

#include "model/query/filter/filter_track.h"
#include "src/base/units.h"
#include "ui/status.h"
#include "ui/views/stat/draw_flame.h"
#include "ui/views/stat/paths_place.h"
#include "ui/views/stat/view_sandwich.h"
#include "ui/views/view.h"
#include "ui/views/view_table.h"

static bool in_flame(const struct app *app) {
    return app->views.current->ops == &view_flame;
}

/* The paths, after some work on them. */
static struct paths *paths_here(struct app *app) {
    bool news = false;
    struct paths *p = paths_of_app(app);
    paths_step(p, &news);
    app->dirty = true;
    return p;
}

/* The same if there are frames to move in. */
static struct paths *frames_here(struct app *app, struct flame *flame) {
    struct paths *p = paths_here(app);
    *flame = (struct flame){.frames = {0}};
    draw_flame_layout(flame, p, app->grid.cols, FLAME_ROWS);
    if (flame->rows.n == 0)
        session_say(app, false, "no frames here");
    return flame->rows.n > 0 ? p : NULL;
}

/* ---- keys that move ---- */

static void sideways(struct app *app, int step) {
    struct flame f;
    struct paths *p = frames_here(app, &f);
    uint32_t row;
    size_t i, n;
    if (p && draw_flame_find(&f, p->selected, &row, &i)) {
        const struct flame_frame *v = draw_flame_row(&f, row, &n);
        for (i += (size_t)step; i < n && v[i].node == PATH_ROOT && row > 0;)
            i += (size_t)step;
        if (i < n)
            p->selected = v[i].node;
    } else if (p) {
        p->selected = p->zoom;
    }
    draw_flame_free(&f);
}

void view_flame_left(struct app *app) {
    if (in_flame(app))
        sideways(app, -1);
    else
        view_sandwich_other(app);
}

void view_flame_right(struct app *app) {
    if (in_flame(app))
        sideways(app, 1);
    else
        view_sandwich_other(app);
}

void view_flame_up(struct app *app) {
    struct flame f;
    struct paths *p;
    if (!in_flame(app)) {
        view_sandwich_move(app, -1);
        return;
    }
    p = frames_here(app, &f);
    if (p && p->selected != p->zoom)
        p->selected = paths_tree(p)->nodes.v[p->selected].parent;
    else if (p && p->zoom != PATH_ROOT)
        session_say(app, false, "Backspace zooms out");
    draw_flame_free(&f);
}

void view_flame_down(struct app *app) {
    struct flame f;
    struct paths *p;
    uint32_t row;
    size_t i, n;
    if (!in_flame(app)) {
        view_sandwich_move(app, 1);
        return;
    }
    p = frames_here(app, &f);
    if (p && draw_flame_find(&f, p->selected, &row, &i)) {
        double from = draw_flame_row(&f, row, &n)[i].from;
        const struct flame_frame *v = draw_flame_row(&f, row + 1, &n);
        for (i = 0; i < n && (v[i].node == PATH_ROOT || v[i].from < from - 1); i++)
            continue;
        if (i < n && paths_tree(p)->nodes.v[v[i].node].parent == p->selected)
            p->selected = v[i].node;
        else
            session_say(app, false, "%s",
                        paths_tree(p)->nodes.v[p->selected].first == PATH_ROOT
                            ? "nothing below this frame"
                            : "frames below are too narrow: Enter zooms in");
    } else if (p) {
        p->selected = p->zoom;
    }
    draw_flame_free(&f);
}

static void zoom_to(struct paths *p, uint32_t node) {
    p->zoom = p->selected = node;
}

void view_flame_enter(struct app *app) {
    struct paths *p = paths_here(app);
    if (!in_flame(app))
        view_sandwich_enter(app);
    else if (p->selected == p->zoom && p->zoom != PATH_ROOT)
        session_say(app, false, "zoomed in already: Backspace zooms out");
    else
        zoom_to(p, p->selected);
}

void view_flame_out(struct app *app) {
    struct paths *p = paths_here(app);
    const struct path_tree *tree = paths_tree(p);
    if (!in_flame(app)) {
        view_sandwich_back(app);
    } else if (tree && p->zoom == PATH_ROOT) {
        session_say(app, false, "zoomed out already: q leaves");
    } else if (tree) {
        uint32_t zoomed = p->zoom;
        p->zoom = tree->nodes.v[p->zoom].parent;
        p->selected = zoomed;
    }
}

void view_flame_all(struct app *app) {
    struct paths *p = paths_here(app);
    if (p->zoom != PATH_ROOT) {
        p->selected = p->zoom;
        p->zoom = PATH_ROOT;
    } else {
        p->selected = PATH_ROOT;
    }
}

/* ---- keys that change the tree ---- */

void view_flame_bottom_up(struct app *app) {
    struct paths *p = paths_here(app);
    bool news;
    p->bottom_up = !p->bottom_up;
    paths_step(p, &news);
    session_say(app, false,
                p->bottom_up ? "bottom-up: names by self, below each its callers"
                             : "left-heavy: paths from the outermost frame");
}

void view_flame_recursion(struct app *app) {
    struct paths *p = paths_here(app);
    bool news;
    p->folded = !p->folded;
    paths_step(p, &news);
    session_say(app, false,
                p->folded ? "recursion folded: a frame inside one of its name is part of it"
                          : "recursion shown");
}

void view_flame_covered(struct app *app) {
    struct paths *p = paths_here(app);
    p->covered = !p->covered && !p->inside;
    p->inside = false;
    p->covered_chosen = true;
    session_say(app, false,
                p->covered ? "only time in slices" : "thread time: with the time in no slice");
}

void view_flame_weight(struct app *app) {
    struct paths *p = paths_here(app);
    bool news;
    paths_choose(p, paths_measure_next(&p->has, p->measure));
    if (p->measure == PATHS_RUNNING && p->known && p->scheduled == 0) {
        p->measure = PATHS_CALLS;
        session_say(app, false,
                    "weight: %s (running time is not known: no scheduling of these threads)",
                    paths_unit(p, false));
    } else {
        session_say(app, false, "weight: %s", paths_measured(p));
    }
    paths_step(p, &news);
}

void view_flame_filter(struct app *app, const char *text) {
    struct paths *p = paths_here(app);
    bool news;
    if (paths_set_filter(p, text))
        paths_step(p, &news);
}

/* ---- seeking ---- */

/* Selects a node, and zooms so that it is two columns wide or more; not if the zoom as it is
 * does. */
static void show_node(struct paths *p, uint32_t node) {
    const struct path_tree *tree = paths_tree(p);
    double most = sum_double(path_tree_all(tree, node, tree->by)) * p->app->grid.cols / 2;
    uint32_t at = node;
    for (int up = 0; at != p->zoom && at != PATH_ROOT && up < FLAME_ROWS - 1; up++) {
        uint32_t above = tree->nodes.v[at].parent;
        if (sum_double(above == PATH_ROOT ? paths_whole(p) : path_tree_all(tree, above, tree->by)) >
            most)
            break;
        at = above;
    }
    p->zoom = at;
    p->selected = node;
}

/* The next node in a direction that one of the two holds for: marked by the search, or of the
 * name. */
static void seek(struct app *app, bool marked, int step) {
    struct paths *p = paths_here(app);
    const struct path_tree *tree = paths_tree(p);
    if (tree == NULL)
        return;
    uint32_t n = (uint32_t)tree->nodes.n, at = p->selected, name = tree->nodes.v[at].name;
    for (uint32_t k = 1; k < n; k++) {
        at = (step > 0 ? at + 1 : at + n - 1) % n;
        if (sum_cmp(path_tree_all(tree, at, tree->by), sum_from(0)) > 0 &&
            (marked ? paths_is_marked(p, tree->nodes.v[at].name)
                    : tree->nodes.v[at].name == name)) {
            show_node(p, at);
            return;
        }
    }
    session_say(app, false, marked ? "no other frame matches" : "this name has one frame");
}

void view_flame_same(struct app *app) {
    if (in_flame(app))
        seek(app, false, 1);
    else
        session_say(app, false, "the sandwich has all frames of its name: 3 shows them one by one");
}

static void next_mark(struct app *app, int step) {
    if (view_is(&app->views, MODE_FLAME) && paths_of_app(app)->pattern)
        seek(app, true, step);
    else
        session_say(app, true, "no search yet: / marks the frames that match");
}

void view_flame_next(struct app *app) {
    next_mark(app, 1);
}

void view_flame_previous(struct app *app) {
    next_mark(app, -1);
}

static void find(struct view *view, const char *text) {
    struct app *app = view->app;
    struct paths *p = paths_of_app(app);
    bool news;
    if (!paths_set_pattern(p, *text ? text : NULL))
        return;
    paths_step(p, &news);
    app->dirty = true;
    if (*text && paths_tree(p) && p->marks_known &&
        sum_cmp(p->marked[paths_weight(p)], sum_from(0)) == 0)
        session_say(app, true, "no frame matches");
}

bool view_flame_searches(const struct app *app) {
    return paths_of_app((struct app *)app)->pattern != NULL;
}

static void typed_step(struct app *app) {
    bool news;
    paths_step(paths_of_app(app), &news);
    app->dirty = true;
}

void view_flame_find_typed(struct app *app, const char *text) {
    paths_type_pattern(paths_of_app(app), text);
    typed_step(app);
}

void view_flame_find_cancelled(struct app *app) {
    paths_typed_pattern_end(paths_of_app(app));
    typed_step(app);
}

void view_flame_filter_typed(struct app *app, const char *text) {
    paths_type_filter(paths_of_app(app), text);
    typed_step(app);
}

void view_flame_filter_cancelled(struct app *app) {
    paths_typed_filter_end(paths_of_app(app));
    typed_step(app);
}

/* ---- the view ---- */

static void *make(struct view *view) {
    struct paths *p = err_calloc(1, sizeof *p);
    p->app = view->app;
    p->middle = PATH_ALL;
    p->many = PATHS_MANY;
    return p;
}

static void release(struct view *view) {
    paths_free(view->state);
}

/* Tracks that were chosen by their slices lead to what these are made of. */
static void take_filter(struct paths *p) {
    const struct filter *of_tracks = p->app->timeline.filter;
    struct filter *of_slices =
        of_tracks && p->filter == NULL ? filter_track_slices(of_tracks, p->app->trace) : NULL;
    if (of_slices)
        paths_set_filter(p, filter_text(of_slices));
    filter_free(of_slices);
}

static bool open(struct view *view) {
    bool news = false;
    take_filter(view->state);
    paths_step(view->state, &news);
    return true;
}

static bool update(struct view *view, bool renewed) {
    if (renewed)
        paths_renew(view->state);
    return true;
}

/* The sandwich below the frames is that of the selected one, or of the name with the most time of
 * its own. True: it is of another name than before. */
static bool choose_middle(struct paths *p) {
    const struct path_tree *tree = paths_tree(p);
    uint32_t name = tree ? tree->nodes.v[p->selected].name : PATH_ALL;
    uint32_t before = p->middle;
    p->middle = name < PATH_SPECIAL ? name : paths_first_name(p);
    return p->middle != before;
}

static bool step(struct view *view) {
    bool news = false;
    choose_middle(view->state);
    unsigned before = paths_percent(view->state);
    bool more = paths_step(view->state, &news);
    more = choose_middle(view->state) || more; /* the names may be in another order now */
    view->app->dirty = view->app->dirty || news || paths_percent(view->state) / 10 != before / 10;
    return more;
}

/* ---- drawing ---- */

struct flame_rows { /* rows of the screen */
    /* of the frames; of callers and callees; of the names, both with their titles */
    int flame, pane, table;
};

static struct flame_rows divide(int rows, size_t deep) {
    struct flame_rows r = {rows, 0, 0};
    if (rows < 14)
        return r;
    r.table = rows >= 24 ? 7 + (rows - 24) / 3 : 6;
    if (rows >= 17)
        r.pane = rows >= 30 ? 7 : 5;
    r.flame = rows - r.table - r.pane;
    if (deep + 1 < (size_t)r.flame) { /* the names get the remaining rows */
        r.table += r.flame - (int)deep - 1;
        r.flame = (int)deep + 1;
    }
    return r;
}

/* Names by self, the selected one marked. */
static void draw_names(struct paths *p, int y, int rows) {
    struct grid *g = &p->app->grid;
    const struct path_table *t = &p->by_name.shown;
    char text[96], n[32];
    if (rows < 3 || !t->done)
        return;
    snprintf(text, sizeof text, "Names  %s", units_count(t->order.n, false, n));
    int x = view_label(g, view_rule(g, y), y, str_of(text), ROLE_HEADER) + 1;
    snprintf(text, sizeof text, "by %s",
             paths_weight(p) == PATH_COUNT ? paths_unit(p, false) : "self");
    view_label(g, x, y, str_of(text), ROLE_DIM);
    view_sandwich_titles(p, y + 1, "name");
    for (int r = 0; r + 2 < rows && (size_t)r < t->order.n; r++) {
        const struct path_row_by_name *row = &t->rows.v[t->order.v[r]];
        view_sandwich_row(p, row, paths_whole_time(p), y + 2 + r,
                          row->name == paths_tree(p)->nodes.v[p->selected].name ? ROLE_HEADER
                                                                                : ROLE_TEXT);
    }
}

/* "all > Frame > Layout": as many of the innermost frames as fit. */
static void breadcrumb(const struct paths *p, char *buf, size_t cap, int columns) {
    const struct path_tree *tree = paths_tree(p);
    char safe[64], rest[400];
    buf[0] = 0;
    for (uint32_t at = p->selected;; at = tree->nodes.v[at].parent) {
        text_plain(safe, sizeof safe, paths_name(p, tree->nodes.v[at].name),
                   p->app->grid.ascii ? TEXT_ASCII : 0);
        snprintf(rest, sizeof rest, "%s%s%.300s", safe, buf[0] ? " > " : "", buf);
        if ((int)text_width(str_of(rest), 0, 400) + 4 > columns) {
            snprintf(rest, sizeof rest, "... > %.300s", buf);
            snprintf(buf, cap, "%.390s", buf[0] ? rest : safe);
            return;
        }
        snprintf(buf, cap, "%s", rest);
        if (at == PATH_ROOT)
            return;
    }
}

/* Whether the tree that is shown is bottom-up. The one that is asked for may not be known so
 * far. */
static bool is_up(const struct paths *p) {
    return p->has_derived && p->derived_up;
}

static void draw_status(struct paths *p) {
    const struct path_tree *tree = paths_tree(p);
    struct app *app = p->app;
    paths_typed_words(p, app->prompts.found, sizeof app->prompts.found);
    char left[400], right[400], safe[80], all[32], own[32], share[32], calls[48], marked[64] = "",
                                                                                  time[96] = "";
    if (tree == NULL) {
        status_draw_texts(app, "", "");
        return;
    }
    enum path_weight by = paths_weight(p);
    uint32_t i = p->selected;
    text_plain(safe, sizeof safe, paths_name(p, tree->nodes.v[i].name),
               app->grid.ascii ? TEXT_ASCII : 0);
    struct sum amount = i == PATH_ROOT ? paths_whole(p) : path_tree_all(tree, i, by);
    if (p->pattern && p->marks_known)
        snprintf(marked, sizeof marked, "   marked: %s",
                 paths_share(p->marked[by], paths_whole(p), share));
    bool inner = is_up(p) || i == PATH_ROOT; /* paths end in it */
    paths_calls_text(p, paths_calls(p, i), calls);
    if (by != PATH_COUNT)
        snprintf(time, sizeof time, "  %s%s%s", paths_amount(p, amount, all),
                 inner ? "" : "  self ",
                 inner ? "" : paths_amount(p, path_tree_own(tree, i, by), own));
    snprintf(left, sizeof left, "%s  %s of all%s%s%s%s", safe,
             paths_share(amount, paths_whole(p), share), time, *calls ? "  " : "", calls, marked);
    breadcrumb(p, right, sizeof right, app->grid.cols - (int)text_width(str_of(left), 0, 300) - 6);
    status_draw_texts(app, left, right);
}

#define NAMES_ORDER 40 /* columns from which the usual order is named, too */

static void draw_heading(const struct paths *p, int y) {
    struct grid *g = &p->app->grid;
    char text[440], progress[32] = "";
    bool known = paths_tree(p) != NULL, up = known ? is_up(p) : p->bottom_up;
    bool folded = known ? p->has_derived && p->derived_folded : p->folded;
    int n = 0;
    if (up || folded || g->cols >= NAMES_ORDER) /* else the quantity comes first */
        n = snprintf(text, sizeof text, "%s%s%s  ", up ? "bottom-up" : "left-heavy",
                     folded ? ", recursion folded" : "",
                     up && p->derived_ends ? ", so far without callers" : "");
    paths_heading(p, text + n, sizeof text - (size_t)n);
    if (p->walking || !paths_tree(p))
        snprintf(progress, sizeof progress, "  counting %u%%", paths_percent(p));
    int x = grid_zparts(g, 1, y, text, style_look(ROLE_LABEL));
    grid_ztext(g, x, y, g->cols, progress, style_look(ROLE_WARN));
}

static const char *why_empty(const struct paths *p) {
    if (p->slices > 0)
        return "no time of this weight: W chooses another, c the time in no slice";
    if (p->filter == NULL)
        return "no slices in this range: instants, counters and operations have no paths";
    return *p->fault ? p->fault : "no slice matches: & with an empty filter shows all";
}

static void draw(struct view *view) {
    struct paths *p = view->state;
    struct app *app = view->app;
    struct view_area area = view_table_area(app);
    struct flame f = {.frames = {0}};
    uint32_t row = 0, top = 0;
    size_t i;
    draw_flame_layout(&f, p, app->grid.cols, FLAME_ROWS);
    struct flame_rows rows = divide(area.rows - 1, f.rows.n);
    if (area.rows > 1)
        draw_heading(p, area.y);
    if (draw_flame_find(&f, p->selected, &row, &i) && row + 1 > (uint32_t)rows.flame)
        top = row + 1 - (uint32_t)rows.flame;
    if (f.rows.n > 0) {
        draw_flame(p, &f, top, area.y + 1, rows.flame);
        if (rows.pane > 0)
            view_sandwich_pane(p, area.y + 1 + rows.flame, rows.pane);
        if (rows.table > 0)
            draw_names(p, area.y + 1 + rows.flame + rows.pane, rows.table);
    } else if (area.rows > 3 && p->known && !p->walking && !p->of.sample) {
        grid_ztext(&app->grid, 1, area.y + 2, app->grid.cols, why_empty(p), style_look(ROLE_DIM));
    }
    draw_flame_free(&f);
    draw_status(p);
}

/* ---- the pointer ---- */

static void pointer(struct view *view, const struct key *key) {
    struct paths *p = view->state;
    struct app *app = view->app;
    struct flame f;
    uint32_t row, top = 0;
    size_t i, n;
    if (key->what == POINTER_WHEEL_UP)
        view_flame_up(app);
    else if (key->what == POINTER_WHEEL_DOWN)
        view_flame_down(app);
    if (key->what != POINTER_RELEASE || frames_here(app, &f) == NULL)
        return;
    int above = app->layout.hits >= 0 ? app->layout.hits : app->layout.overview;
    int y = app->layout.overview >= 0 && app->grid.rows >= 16 ? above + 1 : 1;
    struct flame_rows rows = divide(app->layout.status - y - 1, f.rows.n);
    if (draw_flame_find(&f, p->selected, &row, &i) && row + 1 > (uint32_t)rows.flame)
        top = row + 1 - (uint32_t)rows.flame;
    int line = key->y - y - 1;
    const struct flame_frame *v =
        line >= 0 && line < rows.flame ? draw_flame_row(&f, top + (uint32_t)line, &n) : NULL;
    for (i = 0; v && i < n; i++) {
        double x = key->x * 8.0 + 4;
        if (x < v[i].from || x >= v[i].to || (v[i].node == PATH_ROOT && top + (uint32_t)line > 0))
            continue;
        if (v[i].node == p->selected)
            zoom_to(p, v[i].node);
        p->selected = v[i].node;
    }
    draw_flame_free(&f);
}

/* ---- as text ---- */

/* The selected frame; with a range all names. */
/* The frame, as a picture has no rows; with a range the names in it. */
static void copy(struct view *view, bool one, struct chars *out) {
    const struct paths *p = view->state;
    const struct path_table *names = &p->by_name.shown;
    if (one || !range_any(session_range(view->app))) {
        paths_place_copy_frame(p, out);
        return;
    }
    if (names->done && names->order.n > 0)
        paths_place_copy_titles(NULL, out);
    for (size_t i = 0; names->done && i < names->order.n; i++)
        paths_place_copy_row(p, NULL, &names->rows.v[names->order.v[i]], paths_whole_time(p), out);
}

static void keep(struct view *view, struct chars *out) {
    const struct paths *p = view->state;
    paths_place_keep(p, out);
    paths_place_node(p, "zoom", p->zoom, out);
    paths_place_node(p, "frame", p->selected, out);
}

static bool put(struct view *view, const char *line) {
    struct paths *p = view->state;
    uint32_t node;
    if (strncmp(line, "zoom ", 5) != 0 && strncmp(line, "frame ", 6) != 0)
        return paths_place_put(p, line);
    bool zoom = *line == 'z', found = paths_place_find(p, line + (zoom ? 5 : 6), &node);
    if (zoom && found)
        p->zoom = node;
    if (found)
        p->selected = node;
    return found;
}

static const char *filter(struct view *view) {
    return paths_filter(view->state);
}

static const char *const hints[] = {
    "hjkl move",   "Enter zoom in", "Bksp out", "W weight",   "i bottom-up",
    "r recursion", "c in slices",   "* same",   "4 sandwich", NULL};

const struct view_ops view_flame = {
    .title = "[3 Flame]",
    .modes = MODE_FLAME,
    .hints = hints,
    .make = make,
    .free = release,
    .open = open,
    .draw = draw,
    .update = update,
    .step = step,
    .pointer = pointer,
    .find = find,
    .filter = filter,
    .copy = copy,
    .keep = keep,
    .put = put,
};
