/* tab_children.c - the children of the selected slice by name, the longest total first, and its
 * self time. They sum to the slice. Enter on a name goes to the longest child of that name. */
#include "ui/drawer/compare/tab_children.h"

#include <stdio.h>
#include <stdlib.h>

#include "src/base/units.h"
#include "ui/timeline/colors.h"

static int by_total(const void *a, const void *b) {
    const struct children_part *x = a, *y = b;
    if (x->total != y->total)
        return x->total < y->total ? 1 : -1;
    return (x->name > y->name) - (x->name < y->name);
}

static void make(struct task *task, void *data) {
    struct children *c = data;
    children_make(task, c);
    if (c->parts.n > 0)
        qsort(c->parts.v, c->parts.n, sizeof *c->parts.v, by_total);
}

static void release(void *data) {
    children_free(data);
}

static const struct answer_ops ops = {sizeof(struct children), make, release};

bool tab_children_step(struct app *app) {
    struct answer *answer = &app->drawer.children;
    const struct selection *now = &app->timeline.selection;
    if (!selection_is_slice(now))
        return false;
    if (!answer_is_of(answer, app->trace, now->offset)) {
        struct children *c = answer_ask(answer, &ops, app->trace, now->offset);
        *c =
            (struct children){.trace = app->trace, .thread = now->of, .row = now->row, .i = now->i};
    }
    return session_work(app, answer);
}

const struct children *tab_children_shown(const struct app *app) {
    const struct selection *now = &app->timeline.selection;
    return selection_is_slice(now) ? answer_about(&app->drawer.children, app->trace, now->offset)
                                   : NULL;
}

static double share(const struct children *c, int64_t ns) {
    int64_t all = units_since(c->start, c->end);
    return all > 0 ? (double)ns / (double)all : 0;
}

#define NAME 34 /* columns of a name on a wide screen */

/* " Layout        14.20 ms   72.1%      4  ████" */
static void line(struct drawer_text *p, const struct children *c, struct str name, int64_t ns,
                 uint32_t count, enum role role) {
    const struct grid *g = &p->app->grid;
    char text[48];
    int wide = g->cols < 80 ? 18 : NAME, x = wide + 2;
    drawer_text_field(p, role, name, wide + 1 - p->x); /* there may be a swatch */
    drawer_text_right(p, ROLE_VALUE, units_duration(ns, g->ascii, text), x + 11);
    snprintf(text, sizeof text, "%.1f%%", share(c, ns) * 100);
    drawer_text_right(p, ROLE_TEXT, text, x + 19);
    drawer_text_right(p, ROLE_TEXT, count > 0 ? units_count(count, false, text) : "", x + 28);
    p->x = x + 30;
    int room = g->cols - p->x - 1, eighths = room > 0 ? (int)(share(c, ns) * room * 8 + 0.5) : 0;
    for (int k = 0; k < eighths; k += 8)
        drawer_text_glyph(p, ROLE_DENSITY, grid_left(g, eighths - k < 8 ? eighths - k : 8));
    drawer_text_next_line(p);
}

void tab_children_draw(struct drawer_text *p) {
    const struct app *app = p->app;
    const struct children *c = tab_children_shown(app);
    bool now = answer_holds(&app->drawer.children, app->trace);
    char text[64], n[32];
    if (c == NULL) {
        drawer_text_say(p, ROLE_DIM,
                        !selection_is_slice(&app->timeline.selection) ? "select a slice"
                                                                      : "counting");
        drawer_text_next_line(p);
        return;
    }
    drawer_text_say(p, ROLE_DIM, "name");
    int x = (app->grid.cols < 80 ? 18 : NAME) + 2;
    drawer_text_right(p, ROLE_DIM, "total", x + 11);
    drawer_text_right(p, ROLE_DIM, "of this", x + 19);
    drawer_text_right(p, ROLE_DIM, "count", x + 28);
    drawer_text_next_line(p);
    line(p, c, STR("self"), c->self, 0, ROLE_DIM);
    uint64_t count = 0;
    for (size_t k = 0; k < c->parts.n; k++) {
        const struct children_part *part = &c->parts.v[k];
        const struct drawer_link to = {.kind = DRAWER_LINK_SLICE,
                                       .of = app->timeline.selection.of,
                                       .row = part->row,
                                       .i = part->i};
        /* else it has another place */
        enum role role = now ? drawer_text_link(p, &to, ROLE_TEXT) : ROLE_TEXT;
        struct look look;
        if (colors_name(app, part->name, &look))
            drawer_text_swatch(p, look);
        line(p, c, trace_name(app->trace, part->name), part->total, part->count, role);
        count += part->count;
    }
    snprintf(text, sizeof text, "sum");
    line(p, c, str_of(text), units_since(c->start, c->end), 0, ROLE_HEADER);
    if (c->parts.n == 0) {
        drawer_text_say(p, ROLE_DIM, "no children");
        drawer_text_next_line(p);
    } else if (c->overlaps) {
        snprintf(text, sizeof text, "%s children overlap in part: time counts for the last one",
                 units_count(count, false, n));
        drawer_text_say(p, ROLE_DIM, text);
        drawer_text_next_line(p);
    }
}
