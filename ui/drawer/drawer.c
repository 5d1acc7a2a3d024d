/* drawer.c - the frame of the drawer, its tabs, and its scroll position. The text of each tab is another file's. */
#include "ui/drawer/drawer.h"

#include <stdio.h>

#include "model/query/detail.h"
#include "src/base/units.h"
#include "ui/drawer/details.h"
#include "ui/drawer/drawer_text.h"
#include "ui/drawer/tab_flow.h"
#include "ui/drawer/tab_name.h"
#include "ui/timeline/flow_nav.h"

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
    char args[24], flows[32], same[48] = "Same name", count[32];
    size_t chosen;
    snprintf(args, sizeof args, "Args %u", count_arguments(app->trace, &app->timeline));
    snprintf(flows, sizeof flows, "Flows %zu", flow_nav_flows(app, &chosen));
    const struct aggregate_row *all = tab_name_stats(app);
    if (all)
        snprintf(same, sizeof same, "Same name %s", units_count(all->count, false, count));
    const char *const names[DRAWER_TABS] = {
        [DRAWER_DETAILS] = "Details", [DRAWER_ARGS] = args, [DRAWER_FLOWS] = flows, [DRAWER_SAME] = same};
    grid_fill(g, 0, y, g->cols, grid_glyph(g, GLYPH_RULE), style_look(app->drawer.focus ? ROLE_TAB_CURRENT : ROLE_DIM));
    int x = 2;
    for (int i = 0; i < DRAWER_TABS; i++) {
        struct look look = style_look(i == (int)app->drawer.tab ? ROLE_TAB_CURRENT : ROLE_TAB);
        grid_put(g, x - 1, y, ' ', look);
        x = grid_ztext(g, x, y, g->cols, names[i], look);
        grid_put(g, x, y, ' ', look);
        x += 3;
    }
}

void drawer_draw(struct app *app) {
    if (app->layout.drawer_rows == 0)
        return;
    struct drawer_text p = {app, app->layout.drawer + 1, app->layout.drawer_rows - 1, 0, 1};
    tabs(app, app->layout.drawer);
    for (int again = 0; again < 2; again++) {
        p.line = 0;
        p.x = 1;
        if (app->drawer.tab == DRAWER_ARGS && selection_any(&app->timeline.selection)) {
            uint64_t end = drawer_text_end_of(app->trace, &app->timeline);
            unsigned n = drawer_text_arguments(&p, app->timeline.selection.offset, "", true);
            if (end != 0)
                n += drawer_text_arguments(&p, end, "of the end event:", true);
            if (n == 0) {
                drawer_text_say(&p, ROLE_DIM, "no arguments");
                drawer_text_next_line(&p);
            }
        } else if (app->drawer.tab == DRAWER_FLOWS) {
            tab_flow_draw(&p);
        } else if (app->drawer.tab == DRAWER_SAME) {
            tab_name_draw(&p);
        } else {
            details_draw(&p);
        }
        int most = p.line > p.rows ? p.line - p.rows : 0;
        if (app->drawer.scroll <= most)
            break;
        app->drawer.scroll = most; /* scrolled too far: draw again from the last possible line */
        for (int row = 0; row < p.rows; row++)
            grid_fill(&app->grid, 0, p.y + row, app->grid.cols, ' ', style_look(ROLE_TEXT));
    }
    if (p.line > app->drawer.scroll + p.rows)
        grid_put(&app->grid, app->grid.cols - 1, p.y + p.rows - 1, grid_glyph(&app->grid, GLYPH_DOWN),
                 style_look(ROLE_DIM));
}

/* ---- keys ---- */

void drawer_deselect(struct app *app) {
    if (app->drawer.focus) {
        app->drawer.focus = false;
        if (app->layout.drawer_alone)
            app->drawer.open = false;
    } else {
        app->timeline.selection = (struct selection){0};
        app->drawer.open = false;
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
    drawer->scroll = 0;
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
        session_say(app, false, rows > before ? "the tracks need the remaining rows" : "the drawer is as low as it gets");
}

void drawer_taller(struct app *app) {
    int rows = app->layout.drawer_rows;
    resize(app, rows + (rows + 1) / 2);
}

void drawer_shorter(struct app *app) {
    resize(app, app->layout.drawer_rows * 2 / 3);
}

void drawer_down(struct app *app) {
    app->drawer.scroll++; /* drawing clamps it */
}

void drawer_up(struct app *app) {
    if (app->drawer.scroll > 0)
        app->drawer.scroll--;
}
