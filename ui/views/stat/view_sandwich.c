/* view_sandwich.c - 4 Sandwich: one name in the middle, above it the names that call it, below it
 * those that it calls.
 *
 * The current row is a place in one list: callers before 0, the middle at 0, callees after it. */
#include "ui/views/stat/view_sandwich.h"

#include <stdlib.h>
#include <string.h>

#include "src/base/units.h"
#include "ui/status.h"
#include "ui/views/stat/paths_place.h"
#include "ui/views/view.h"
#include "ui/views/view_place.h"
#include "ui/views/view_table.h"

struct sandwich {
    struct paths *paths;
    int64_t at; /* of the current row: 0 the middle, -1 the first caller, 1 the first callee */
    VEC(uint32_t) earlier; /* names that were in the middle */
};

static struct sandwich *state_of(struct app *app) {
    return view_of(&app->views, &view_sandwich)->state;
}

/* Rows of callers or callees that are of the middle; 0 while they are counted. */
static int64_t count(const struct paths *p, const struct paths_table *t) {
    return t->shown.done && t->shown.name == p->middle ? (int64_t)t->shown.order.n : 0;
}

static const struct path_row_by_name *row_at(const struct paths *p, int64_t at) {
    const struct path_table *t = at < 0 ? &p->callers.shown : &p->callees.shown;
    if (at == 0)
        return path_table_row(&p->by_name.shown, p->middle);
    return &t->rows.v[t->order.v[(at < 0 ? -at : at) - 1]];
}

static void clamp(struct sandwich *s) {
    int64_t callers = count(s->paths, &s->paths->callers),
            callees = count(s->paths, &s->paths->callees);
    if (s->at < -callers)
        s->at = -callers;
    else if (s->at > callees)
        s->at = callees;
}

/* Without a name in the middle the one with the most time of its own; true: it is set now. */
static bool choose(struct paths *p) {
    uint32_t before = p->middle;
    if (p->middle == PATH_ALL)
        p->middle = paths_first_name(p);
    return p->middle != before;
}

static void work(struct sandwich *s) {
    bool news = false;
    paths_step(s->paths, &news);
    if (choose(s->paths))
        paths_step(s->paths, &news);
    clamp(s);
    s->paths->app->dirty = true;
}

/* ---- keys ---- */

void view_sandwich_move(struct app *app, int rows) {
    struct sandwich *s = state_of(app);
    work(s);
    s->at += rows;
    clamp(s);
}

void view_sandwich_other(struct app *app) {
    struct sandwich *s = state_of(app);
    work(s);
    s->at = s->at < 0 ? 1 : -1;
    clamp(s);
}

void view_sandwich_enter(struct app *app) {
    struct sandwich *s = state_of(app);
    work(s);
    const struct path_row_by_name *row =
        s->paths->middle == PATH_ALL ? NULL : row_at(s->paths, s->at);
    if (s->at == 0 || row == NULL) {
        session_say(app, false, "it is in the middle already: j and k go to callers and callees");
    } else if (row->name >= PATH_SPECIAL) {
        session_say(app, false, "%s",
                    row->name == PATH_ALL ? "nothing calls the outermost frame" : "not one name");
    } else {
        vec_push(&s->earlier, s->paths->middle);
        s->paths->middle = row->name;
        s->at = 0;
        work(s);
    }
}

void view_sandwich_back(struct app *app) {
    struct sandwich *s = state_of(app);
    if (s->earlier.n == 0) {
        session_say(app, false, "no name was in the middle before: q leaves");
        return;
    }
    s->paths->middle = s->earlier.v[--s->earlier.n];
    s->at = 0;
    work(s);
}

/* ---- the view ---- */

static void *make(struct view *view) {
    struct sandwich *s = err_calloc(1, sizeof *s);
    s->paths = paths_of_app(view->app);
    return s;
}

static void release(struct view *view) {
    struct sandwich *s = view->state;
    vec_free(&s->earlier);
    free(s);
}

/* The name of the frame or the slice that is selected, else the one before. */
static bool open(struct view *view) {
    struct sandwich *s = view->state;
    struct paths *p = s->paths;
    struct app *app = view->app;
    const struct path_tree *tree = paths_tree(p);
    enum slice_iter_kind kind;
    uint32_t before = p->middle, selected = 0;
    bool named = view_is(&app->views, MODE_TIMELINE) &&
                 selection_is_slice(&app->timeline.selection) &&
                 selection_name(app->trace, &app->timeline.selection, &kind, &selected);
    if (app->views.current == view)
        return true;
    if (app->views.current->ops == &view_flame && tree &&
        tree->nodes.v[p->selected].name < PATH_SPECIAL)
        p->middle = tree->nodes.v[p->selected].name;
    else if (named)
        p->middle = selected;
    if (app->views.current->ops == &view_flame)
        view->back = app->views.current;
    if (p->middle != before)
        s->earlier.n = 0;
    s->at = 0;
    work(s);
    return true;
}

static bool step(struct view *view) {
    struct sandwich *s = view->state;
    struct paths *p = s->paths;
    bool news = false, more = paths_step(p, &news);
    more = choose(p) || more;
    clamp(s);
    view->app->dirty = view->app->dirty || news;
    return more;
}

static bool update(struct view *view, bool renewed) {
    struct sandwich *s = view->state;
    if (renewed)
        s->earlier.n = 0;
    if (renewed)
        s->at = 0;
    return true;
}

static void find(struct view *view, const char *text) {
    struct sandwich *s = view->state;
    if (paths_set_pattern(s->paths, *text ? text : NULL))
        work(s);
}

/* ---- drawing ---- */

enum { CALLS, TOTAL, SHARE, SELF, NUMBERS };

#define NUMBER_WIDTH 10 /* of a column */

#define OF_MIDDLE "of this"

/* The head of shares: as in view 2 if they are of the same time, else of the frame of all. Slices
 * with an unset time are in that frame, but in no time of a thread. */
static const char *share_title(const struct paths *p) {
    bool same = paths_time(p) == PATH_WALL && !p->covered && !paths_of_samples(p);
    return same && trace_unset_times(p->app->trace) == 0 ? "of time" : "of all";
}

/* The first number: samples do not count calls. */
static int first_number(const struct paths *p) {
    return paths_of_samples(p) ? TOTAL : CALLS;
}

/* The numbers from the first on that fit next to a name of 12 columns. */
static int numbers(const struct paths *p, int x0, int x1) {
    int n = (x1 - x0 - 13) / NUMBER_WIDTH, all = NUMBERS - first_number(p);
    if (n < 0)
        return 0;
    return n > all ? all : n;
}

static void titles_in(struct paths *p, int y, int x0, int x1, const char *title,
                      const char *share) {
    const char *const titles[NUMBERS] = {paths_unit(p, false), "total", share, "self"};
    struct grid *g = &p->app->grid;
    int n = numbers(p, x0, x1), x = x1 - 1 - n * NUMBER_WIDTH, first = first_number(p);
    grid_ztext(g, x0 + 1, y, x, title, style_look(ROLE_LABEL));
    for (int c = first; c < first + n; c++, x += NUMBER_WIDTH)
        grid_ztext(g, x + NUMBER_WIDTH - (int)strlen(titles[c]), y, x1, titles[c],
                   style_look(ROLE_LABEL));
}

struct place { /* of a row: columns [x0, x1) */
    int y, x0, x1;
};

/* The square of a name's colour; returns the column after it. */
static int swatch(const struct paths *p, const struct path_row_by_name *row, struct place at) {
    struct grid *g = &p->app->grid;
    struct look look;
    if (style_depth() == COLOR_MONO)
        return at.x0 + 1;
    if (row->name < PATH_SPECIAL && paths_look(p, row->name, &look))
        grid_put(g, at.x0 + 1, at.y, g->ascii ? '#' : 0x25A0,
                 (struct look){look.bg, LOOK_DEFAULT, 0});
    return at.x0 + 3;
}

static void row_in(struct paths *p, const struct path_row_by_name *row, struct sum whole,
                   struct place at, enum role role) {
    struct grid *g = &p->app->grid;
    int y = at.y, x0 = at.x0, x1 = at.x1;
    enum path_weight by = paths_time(p);
    int n = numbers(p, x0, x1), x = x1 - 1 - n * NUMBER_WIDTH, first = first_number(p);
    char text[NUMBERS][32];
    bool special = row->name >= PATH_SPECIAL;
    struct look look = style_look(special ? ROLE_DIM : role);
    struct str name = row->name == PATH_ALL ? STR("(root)") : paths_name(p, row->name);
    if (paths_is_marked(p, row->name))
        look.attr |= ATTR_UNDERLINE | ATTR_BOLD;
    units_count((uint64_t)row->own[PATH_COUNT].low, false, text[CALLS]);
    paths_time_text(p, row->all[by], g->ascii, text[TOTAL]);
    paths_share(row->all[by], whole, text[SHARE]);
    paths_time_text(p, row->own[by], g->ascii, text[SELF]);
    grid_name(g, (struct grid_place){swatch(p, row, at), y, x}, name, look, TEXT_TRACK);
    for (int c = first; c < first + n; c++, x += NUMBER_WIDTH) {
        int width = (int)text_width(str_of(text[c]), 0, NUMBER_WIDTH - 1), right = x + NUMBER_WIDTH;
        grid_text(g, (struct grid_place){right - width, y, right}, str_of(text[c]),
                  style_look(c == SHARE ? ROLE_DIM : role), 0, true);
    }
}

void view_sandwich_titles(const struct paths *p, int y, const char *title) {
    titles_in((struct paths *)p, y, 0, p->app->grid.cols, title, share_title(p));
}

void view_sandwich_row(struct paths *p, const struct path_row_by_name *row, struct sum whole, int y,
                       enum role role) {
    row_in(p, row, whole, (struct place){y, 0, p->app->grid.cols}, role);
}

/* The time of the middle in all, of which its callers and callees are shares. */
static struct sum middle_time(const struct paths *p) {
    const struct path_row_by_name *row = path_table_row(&p->by_name.shown, p->middle);
    return row ? row->all[paths_time(p)] : sum_from(0);
}

/* "742 calls  total 2.11 s  self 0.68 s  17.0% of all" of a name. */
static void middle_words(const struct paths *p, char *buf, size_t cap) {
    const struct path_row_by_name *row = path_table_row(&p->by_name.shown, p->middle);
    enum path_weight by = paths_time(p);
    bool ascii = p->app->grid.ascii;
    char calls[48] = "", all[32], own[32], share[32];
    buf[0] = 0;
    if (row)
        paths_calls_text(p, row->own[PATH_COUNT], calls);
    if (row)
        snprintf(buf, cap, "%s%stotal %s  self %s  %s of all", calls, *calls ? "  " : "",
                 paths_time_text(p, row->all[by], ascii, all),
                 paths_time_text(p, row->own[by], ascii, own),
                 paths_share(row->all[by], paths_whole_time(p), share));
}

/* A rule with the name and its numbers. */
static void middle_rule(const struct paths *p, int y, enum role role) {
    struct grid *g = &p->app->grid;
    char words[160];
    middle_words(p, words, sizeof words);
    int x = view_rule(g, y), n = (int)text_width(str_of(words), 0, 160);
    int right = g->cols - n - 5 > x + 12 ? g->cols - n - 3 : g->cols - 1;
    grid_put(g, x, y, ' ', style_look(ROLE_TEXT));
    x = grid_name(g, (struct grid_place){x + 1, y, right - 1}, paths_name(p, p->middle),
                  style_look(role), TEXT_TRACK);
    grid_put(g, x, y, ' ', style_look(ROLE_TEXT));
    if (right < g->cols - 1)
        view_label(g, right - 1, y, str_of(words), ROLE_LABEL);
}

void view_sandwich_pane(struct paths *p, int y, int rows) {
    struct grid *g = &p->app->grid;
    int half = g->cols / 2;
    if (p->middle == PATH_ALL) {
        view_label(g, view_rule(g, y), y, STR("Callers and callees"), ROLE_HEADER);
        grid_ztext(g, 1, y + 1, g->cols,
                   "j goes down to a frame: its callers and callees are here, 4 shows all of them",
                   style_look(ROLE_DIM));
        return;
    }
    middle_rule(p, y, ROLE_HEADER);
    titles_in(p, y + 1, 0, half, "callers", OF_MIDDLE);
    titles_in(p, y + 1, half + 1, g->cols, "callees", OF_MIDDLE);
    for (int r = 1; r < rows; r++)
        grid_put(g, half, y + r, grid_glyph(g, GLYPH_BAR), style_look(ROLE_DIM));
    for (int r = 0; r + 2 < rows; r++) {
        if (r < count(p, &p->callers))
            row_in(p, row_at(p, -r - 1), middle_time(p), (struct place){y + 2 + r, 0, half},
                   ROLE_TEXT);
        if (r < count(p, &p->callees))
            row_in(p, row_at(p, r + 1), middle_time(p),
                   (struct place){y + 2 + r, half + 1, g->cols}, ROLE_TEXT);
    }
}

/* The rows of one side from `first` on, in the order of `step`, with a mark at the current one. */
static void side(struct sandwich *s, const struct paths_table *t, int sign, int y, int rows) {
    struct paths *p = s->paths;
    struct grid *g = &p->app->grid;
    int64_t n = count(p, t), at = s->at * sign - 1, first = at >= rows ? at - rows + 1 : 0;
    for (int r = 0; r < rows && first + r < n; r++) {
        int line = sign > 0 ? y + r : y + rows - 1 - r;
        row_in(p, row_at(p, sign * (first + r + 1)), middle_time(p),
               (struct place){line, 0, g->cols}, ROLE_TEXT);
        if (first + r == at) {
            struct look look = style_selected(style_look(ROLE_TEXT));
            grid_here(g, 0, line);
            if (style_depth() == COLOR_MONO)
                grid_put(g, 0, line, '>', style_look(ROLE_TEXT));
            grid_look(g, 0, line, g->cols, look);
        }
    }
    bool counting = !t->shown.done || t->shown.name != p->middle;
    const char *none = sign > 0 ? "it calls nothing" : "nothing calls it";
    if (n == 0 && rows > 0)
        grid_ztext(g, 1, sign > 0 ? y : y + rows - 1, g->cols, counting ? "counting" : none,
                   style_look(ROLE_DIM));
    else if (first + rows < n)
        grid_put(g, g->cols - 1, sign > 0 ? y + rows - 1 : y,
                 grid_glyph(g, sign > 0 ? GLYPH_DOWN : GLYPH_UP), style_look(ROLE_WARN));
}

static void draw(struct view *view) {
    struct sandwich *s = view->state;
    struct paths *p = s->paths;
    struct app *app = view->app;
    struct view_area area = view_table_area(app);
    char text[400], left[120], n[32], m[32];
    paths_typed_words(p, app->prompts.found, sizeof app->prompts.found);
    paths_heading(p, text, sizeof text);
    if (area.rows > 1)
        grid_zparts(&app->grid, 1, area.y, text, style_look(ROLE_LABEL));
    if (p->middle == PATH_ALL || !p->by_name.shown.done) {
        if (area.rows > 3)
            grid_ztext(&app->grid, 1, area.y + 2, app->grid.cols,
                       p->known && !p->walking ? "no slices in this range: nothing calls anything"
                                               : "counting",
                       style_look(ROLE_DIM));
        status_draw_texts(app, "", "");
        return;
    }
    int rows = area.rows - 4, above = rows / 2 > 0 ? rows / 2 : 0;
    int64_t callers = count(p, &p->callers), callees = count(p, &p->callees);
    if (callers < above)
        above = callers > 0 ? (int)callers : 1;
    else if (callees < rows - above)
        above = rows - (callees > 0 ? (int)callees : 1);
    if (rows > 1) {
        titles_in(p, area.y + 1, 0, app->grid.cols, "callers", OF_MIDDLE);
        side(s, &p->callers, -1, area.y + 2, above);
        middle_rule(p, area.y + 2 + above, s->at == 0 ? ROLE_TAB_CURRENT : ROLE_HEADER);
        titles_in(p, area.y + 3 + above, 0, app->grid.cols, "callees", OF_MIDDLE);
        side(s, &p->callees, 1, area.y + 4 + above, rows - above);
    }
    if (rows <= 1 && area.rows > 1)
        middle_rule(p, area.y + 1, s->at == 0 ? ROLE_TAB_CURRENT : ROLE_HEADER);
    if (rows <= 1 && area.rows > 2 && s->at != 0)
        row_in(p, row_at(p, s->at), middle_time(p), (struct place){area.y + 2, 0, app->grid.cols},
               ROLE_TEXT);
    snprintf(left, sizeof left, "%s caller%s, %s callee%s",
             units_count((uint64_t)callers, false, n), callers == 1 ? "" : "s",
             units_count((uint64_t)callees, false, m), callees == 1 ? "" : "s");
    status_draw_texts(app, left, "total: recursion counts once");
}

static void pointer(struct view *view, const struct key *key) {
    if (key->what == POINTER_WHEEL_UP)
        view_sandwich_move(view->app, -1);
    else if (key->what == POINTER_WHEEL_DOWN)
        view_sandwich_move(view->app, 1);
}

/* ---- as text ---- */

static void copy_row(const struct sandwich *s, int64_t at, struct chars *out) {
    const struct paths *p = s->paths;
    const struct path_row_by_name *row = row_at(p, at);
    if (row && at == 0)
        paths_place_copy_row(p, "middle", row, paths_whole_time(p), out);
    else if (row)
        paths_place_copy_row(p, at < 0 ? "caller" : "callee", row, middle_time(p), out);
}

static void copy(struct view *view, bool one, struct chars *out) {
    struct sandwich *s = view->state;
    const struct paths *p = s->paths;
    if (p->middle == PATH_ALL || !p->by_name.shown.done)
        return;
    if (one) {
        copy_row(s, s->at, out);
        return;
    }
    paths_place_copy_titles("", out);
    for (int64_t at = -count(p, &p->callers); at <= count(p, &p->callees); at++)
        copy_row(s, at, out);
}

static void keep(struct view *view, struct chars *out) {
    const struct sandwich *s = view->state;
    paths_place_keep(s->paths, out);
    if (s->paths->middle < PATH_SPECIAL)
        view_place_named(out, "name", paths_name(s->paths, s->paths->middle));
    if (s->at != 0)
        view_place_line(out, "at %lld", (long long)s->at);
}

/* The name of a row of all names. */
static bool put_name(struct paths *p, const char *text) {
    const struct path_table *names = &p->by_name.shown;
    for (size_t i = 0; names->done && i < names->rows.n; i++)
        if (names->rows.v[i].name < PATH_SPECIAL &&
            view_place_is_name(paths_name(p, names->rows.v[i].name), text, strlen(text))) {
            p->middle = names->rows.v[i].name;
            return true;
        }
    return false;
}

static bool put(struct view *view, const char *line) {
    struct sandwich *s = view->state;
    if (strncmp(line, "name ", 5) == 0) {
        s->at = 0;
        return put_name(s->paths, line + 5);
    }
    if (strncmp(line, "at ", 3) != 0)
        return paths_place_put(s->paths, line);
    s->at = strtoll(line + 3, NULL, 10);
    clamp(s);
    return true;
}

static const char *filter(struct view *view) {
    return paths_filter(((struct sandwich *)view->state)->paths);
}

static const char *const hints[] = {"j/k row",  "Enter middle", "Bksp back",
                                    "W weight", "3 flame",      NULL};

const struct view_ops view_sandwich = {
    .title = "[4 Sandwich]",
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
