/* drawer.c - the frame of the drawer, its tabs, and its scroll position. The text of each tab is
 * another file's. */
#include "ui/drawer/drawer.h"

#include <stdio.h>
#include <string.h>

#include "model/query/detail.h"
#include "src/base/units.h"
#include "ui/drawer/compare/tab_children.h"
#include "ui/drawer/compare/tab_why.h"
#include "ui/drawer/details.h"
#include "ui/drawer/drawer_text.h"
#include "ui/drawer/tab_flow.h"
#include "ui/drawer/tab_name.h"
#include "ui/timeline/flow_nav.h"
#include "ui/timeline/range/ranges.h"

static unsigned count_arguments(struct trace *trace, const struct timeline *timeline) {
    struct detail d;
    unsigned n = 0;
    if (!selection_any(&timeline->selection))
        return 0;
    if (detail_open(&d, trace, timeline->selection.offset))
        n += d.record.args.count;
    uint64_t end = drawer_text_end_of(trace, timeline);
    if (end != 0 && detail_open(&d, trace, end))
        n += d.record.args.count;
    return n;
}

static void tabs(struct app *app, int y) {
    struct grid *g = &app->grid;
    char args[24], flows[32], same[48] = "Same name", count[32], children[48] = "Children";
    size_t chosen;
    snprintf(args, sizeof args, "Args %u", count_arguments(app->trace, &app->timeline));
    snprintf(flows, sizeof flows, "Flows %zu", flow_nav_flows(app, &chosen));
    const struct aggregate_row *all = tab_name_shown(app);
    if (all)
        snprintf(same, sizeof same, "Same name %s", units_count(all->count, false, count));
    const struct children *c = tab_children_shown(app);
    uint64_t n = 0;
    for (size_t k = 0; c && k < c->parts.n; k++)
        n += c->parts.v[k].count;
    if (c)
        snprintf(children, sizeof children, "Children %s", units_count(n, false, count));
    const char *const names[DRAWER_TABS] = {
        [DRAWER_DETAILS] = "Details", [DRAWER_ARGS] = args,         [DRAWER_FLOWS] = flows,
        [DRAWER_SAME] = same,         [DRAWER_CHILDREN] = children, [DRAWER_WHY] = "Why"};
    grid_fill(g, 0, y, g->cols, grid_glyph(g, GLYPH_RULE),
              style_look(app->drawer.focus ? ROLE_TAB_CURRENT : ROLE_DIM));
    int x = 2, first = 0, end = 2;
    for (int i = 0; i <= (int)app->drawer.tab; i++)
        end += (int)strlen(names[i]) + 3;
    while (end - 2 > g->cols && first < (int)app->drawer.tab) /* the current tab is on the screen */
        end -= (int)strlen(names[first++]) + 3;
    for (int i = first; i < DRAWER_TABS; i++) {
        struct look look = style_look(i == (int)app->drawer.tab ? ROLE_TAB_CURRENT : ROLE_TAB);
        grid_put(g, x - 1, y, ' ', look);
        x = grid_ztext(g, x, y, g->cols, names[i], look);
        grid_put(g, x, y, ' ', look);
        x += 3;
    }
}

/* The text of the current tab. */
static void content(struct drawer_text *p) {
    struct app *app = p->app;
    p->line = p->nlinks = 0;
    p->x = 1;
    if (app->drawer.tab == DRAWER_ARGS && selection_any(&app->timeline.selection)) {
        uint64_t end = drawer_text_end_of(app->trace, &app->timeline);
        unsigned n = drawer_text_arguments(p, app->timeline.selection.offset, "", true);
        if (end != 0)
            n += drawer_text_arguments(p, end, "of the end event:", true);
        if (n == 0) {
            drawer_text_say(p, ROLE_DIM, "no arguments");
            drawer_text_next_line(p);
        }
    } else if (app->drawer.tab == DRAWER_FLOWS) {
        tab_flow_draw(p);
    } else if (app->drawer.tab == DRAWER_SAME) {
        tab_name_draw(p);
    } else if (app->drawer.tab == DRAWER_CHILDREN) {
        tab_children_draw(p);
    } else if (app->drawer.tab == DRAWER_WHY) {
        tab_why_draw(p);
    } else {
        details_draw(p);
    }
}

/* The number of the link that Enter follows: the one chosen by j and k, or the first one that is
 * visible. -1: none. p: text whose links are collected. */
static int current_link(const struct drawer_text *p) {
    const struct drawer_state *drawer = &p->app->drawer;
    int rows = p->app->layout.drawer_rows - 1, first = -1;
    for (int i = p->nlinks - 1; i >= 0; i--) {
        int line = p->links[i].line - drawer->scroll;
        if (line < 0 || line >= rows)
            continue;
        if (i == drawer->link)
            return i;
        first = i;
    }
    return first;
}

/* Collects the links without drawing. */
static int collect(struct app *app, struct drawer_text *p) {
    *p = (struct drawer_text){.app = app, .current = -1};
    content(p);
    return current_link(p);
}

bool drawer_current_link(struct app *app, struct drawer_link *link) {
    struct drawer_text p;
    int current = collect(app, &p);
    if (current < 0)
        return false;
    *link = p.links[current];
    return true;
}

void drawer_draw(struct app *app) {
    if (app->layout.drawer_rows == 0)
        return;
    struct drawer_text links, p = {.app = app, .current = -1};
    p.y = app->layout.drawer + 1;
    p.rows = app->layout.drawer_rows - 1;
    tabs(app, app->layout.drawer);
    for (int again = 0; again < 2; again++) {
        if (app->drawer.focus)
            p.current = collect(app, &links);
        app->drawer.on_link = p.current >= 0;
        if (app->drawer.focus)
            grid_here(&app->grid, 0, p.y);
        content(&p);
        int most = p.line > p.rows ? p.line - p.rows : 0;
        if (app->drawer.scroll <= most)
            break;
        app->drawer.scroll = most; /* scrolled too far: draw again from the last possible line */
        for (int row = 0; row < p.rows; row++)
            grid_fill(&app->grid, 0, p.y + row, app->grid.cols, ' ', style_look(ROLE_TEXT));
    }
    if (p.line > app->drawer.scroll + p.rows)
        grid_put(&app->grid, app->grid.cols - 1, p.y + p.rows - 1,
                 grid_glyph(&app->grid, GLYPH_DOWN), style_look(ROLE_DIM));
}

#define COPIED_ROWS 1000

/* The row of a grid without the blanks at its end. */
static void add_row(struct grid *grid, int y, struct chars *out) {
    int n = grid->cols;
    while (n > 0 && (grid_at(grid, n - 1, y)->cp[0] == ' ' || grid_at(grid, n - 1, y)->cp[0] == 0))
        n--;
    for (int x = 0; x < n; x++) {
        const struct cell *cell = grid_at(grid, x, y);
        char utf8[4] = "";
        for (size_t k = 0; k < sizeof cell->cp / sizeof *cell->cp && cell->cp[k]; k++)
            chars_add(out, (struct str){utf8, text_utf8(cell->cp[k], utf8)});
    }
    chars_add(out, STR("\n"));
}

void drawer_copy(struct app *app, struct chars *out) {
    struct drawer_text p = {.app = app, .current = -1, .rows = COPIED_ROWS};
    struct grid screen = app->grid, large;
    int scroll = app->drawer.scroll;
    grid_init(&large, screen.cols > 100 ? screen.cols : 100, COPIED_ROWS, screen.ascii);
    app->grid = large;
    app->drawer.scroll = 0;
    content(&p);
    for (int y = 0; y < p.line && y < COPIED_ROWS; y++)
        add_row(&app->grid, y, out);
    grid_free(&app->grid);
    app->grid = screen;
    app->drawer.scroll = scroll;
}

/* ---- keys ---- */

void drawer_deselect(struct app *app) {
    if (app->range.extending) {
        ranges_drop(app);
    } else if (app->drawer.focus) {
        app->drawer.focus = false;
        if (app->layout.drawer_alone)
            app->drawer.open = false;
    } else if (app->drawer.open || selection_any(&app->timeline.selection)) {
        app->timeline.selection = (struct selection){0};
        app->drawer.open = false;
    } else if (app->timeline.gap.any) {
        app->timeline.gap.any = false;
    } else {
        ranges_drop(app);
    }
    session_layout(app);
}

void drawer_toggle(struct app *app) {
    app->drawer.focus = !app->drawer.focus;
    if (app->drawer.focus)
        app->drawer.open = true;
    else if (app->layout.drawer_alone)
        app->drawer.open = false;
    session_layout(app);
}

static void tab(struct drawer_state *drawer, int d) {
    drawer->tab = (enum drawer_tab)((drawer->tab + DRAWER_TABS + d) % DRAWER_TABS);
    drawer->scroll = drawer->link = 0;
}

void drawer_tab_next(struct app *app) {
    tab(&app->drawer, 1);
}

void drawer_tab_previous(struct app *app) {
    tab(&app->drawer, -1);
}

/* The height is clamped by the layout, and then that is the height chosen. */
static void resize(struct app *app, int rows) {
    int before = app->layout.drawer_rows;
    if (app->layout.drawer_alone) {
        session_say(app, false, "the drawer has the whole screen here");
        return;
    }
    app->drawer.rows = rows > LAYOUT_DRAWER_LEAST ? rows : LAYOUT_DRAWER_LEAST;
    session_layout(app);
    app->drawer.rows = app->layout.drawer_rows;
    if (app->layout.drawer_rows == before)
        session_say(app, false,
                    rows > before ? "the tracks need the remaining rows"
                                  : "the drawer is as low as it gets");
}

void drawer_why(struct app *app) {
    app->drawer.tab = DRAWER_WHY;
    app->drawer.scroll = app->drawer.link = 0;
}

void drawer_taller(struct app *app) {
    int rows = app->layout.drawer_rows;
    resize(app, rows + (rows + 1) / 2);
}

void drawer_shorter(struct app *app) {
    resize(app, app->layout.drawer_rows * 2 / 3);
}

/* To the next link in direction d if it is visible; else scrolls, and drawing clamps that. */
static void scroll(struct app *app, int d) {
    struct drawer_text p;
    int current = collect(app, &p), next = current + d, rows = app->layout.drawer_rows - 1;
    bool shown = current >= 0 && next >= 0 && next < p.nlinks &&
                 p.links[next].line >= app->drawer.scroll &&
                 p.links[next].line < app->drawer.scroll + rows;
    if (shown)
        app->drawer.link = next;
    else if (d > 0 || app->drawer.scroll > 0)
        app->drawer.scroll += d;
}

void drawer_down(struct app *app) {
    scroll(app, 1);
}

void drawer_up(struct app *app) {
    scroll(app, -1);
}
