/* draw_flame.c - the layout of a tree of paths, and its frames as cells.
 *
 * Children are in the order of their weight, so the layout of a frame ends at the first child that
 * is too narrow: the cost is that of the frames on the screen, however many nodes the tree has.
 * Colours and edges are those of the timeline: a filled background whose edges fall on eighths of a
 * cell, or brackets without colour. */
#include "ui/views/stat/draw_flame.h"

#include <string.h>

#include "src/base/text.h"
#include "src/base/units.h"

void draw_flame_free(struct flame *f) {
    vec_free(&f->frames);
    vec_free(&f->rows);
}

/* ---- the layout ---- */

struct flame_layout {
    struct flame *flame;
    const struct path_tree *tree;
    enum path_weight by;
    double scale; /* eighths for a unit of weight */
    bool covered, inside;
};

static double width_of(const struct flame_layout *l, uint32_t node) {
    return sum_double(path_tree_all(l->tree, node, l->by)) * l->scale;
}

static void add_frame(struct flame_layout *l, uint32_t node, double from, double to) {
    vec_push(&l->flame->frames, ((struct flame_frame){node, from, to}));
}

/* The children of a frame in the next row. */
static void add_children(struct flame_layout *l, struct flame_frame parent) {
    const struct path_node *nodes = l->tree->nodes.v;
    bool root = parent.node == PATH_ROOT;
    double x = parent.from, rest = 0;
    uint32_t c = nodes[parent.node].first;
    double last[2] = {l->inside ? 0 : width_of(l, PATH_LEFT_OUT_NODE),
                      l->covered ? 0 : width_of(l, PATH_NO_SLICE_NODE)};
    double own = sum_double(path_tree_own(l->tree, parent.node, l->by)) * l->scale;
    for (; c != PATH_ROOT && width_of(l, c) >= 8 && !(root && c <= PATH_LEFT_OUT_NODE);
         c = nodes[c].next) {
        add_frame(l, c, x, x + width_of(l, c));
        x += width_of(l, c);
    }
    rest = parent.to - own - x - (root ? last[0] + last[1] : 0);
    for (int k = 0; k < 2 && root; k++)
        rest += last[k] < 8 ? last[k] : 0;
    if (rest >= 1) {
        add_frame(l, PATH_ROOT, x, x + rest);
        x += rest;
    }
    for (uint32_t k = 0; k < 2 && root; k++)
        if (last[k] >= 8) {
            add_frame(l, PATH_LEFT_OUT_NODE - k, x, x + last[k]);
            x += last[k];
        }
}

void draw_flame_layout(struct flame *f, const struct paths *p, int columns, uint32_t rows) {
    struct flame_layout l = {f, paths_tree(p), paths_weight(p), 0, p->covered, p->inside};
    f->frames.n = f->rows.n = 0;
    if (l.tree == NULL || columns < 1)
        return;
    double whole =
        sum_double(p->zoom == PATH_ROOT ? paths_whole(p) : path_tree_all(l.tree, p->zoom, l.by));
    if (whole <= 0)
        return;
    l.scale = columns * 8.0 / whole;
    vec_push(&f->rows, 0);
    add_frame(&l, p->zoom, 0, columns * 8.0);
    for (uint32_t row = 0; row + 1 < rows; row++) {
        size_t first = f->rows.v[row], end = f->frames.n;
        for (size_t i = first; i < end; i++)
            if (f->frames.v[i].node != PATH_ROOT || row == 0)
                add_children(&l, f->frames.v[i]);
        if (f->frames.n == end)
            return;
        vec_push(&f->rows, end);
    }
}

const struct flame_frame *draw_flame_row(const struct flame *f, uint32_t row, size_t *n) {
    *n = 0;
    if (row >= f->rows.n)
        return NULL;
    *n = (row + 1 < f->rows.n ? f->rows.v[row + 1] : f->frames.n) - f->rows.v[row];
    return &f->frames.v[f->rows.v[row]];
}

bool draw_flame_find(const struct flame *f, uint32_t node, uint32_t *row, size_t *i) {
    for (*row = 0; *row < f->rows.n; ++*row) {
        size_t n;
        const struct flame_frame *v = draw_flame_row(f, *row, &n);
        for (*i = 0; *i < n; ++*i)
            if (v[*i].node == node && (node != PATH_ROOT || *row == 0))
                return true;
    }
    return false;
}

/* ---- cells ---- */

struct cells { /* a frame as it will be drawn, in eighths */
    int from, to;
    bool marked, selected, strange; /* strange: its name is ours */
    struct str name;
    struct look look;
    char share[32], amount[32];
};

/* "NAME 6.84 s 55.1%", with less of it if there is less space. */
static void label(struct grid *g, const struct cells *c, int x, int right, int y,
                  struct look look) {
    char tail[80];
    int space = right - x,
        name = (int)text_width(c->name, TEXT_TRACK | (g->ascii ? TEXT_ASCII : 0), 400);
    int share = (int)strlen(c->share), amount = (int)text_width(str_of(c->amount), 0, 32);
    if (c->marked && style_depth() == COLOR_MONO && space > 0) {
        grid_put(g, x++, y, '*', look);
        space--;
    }
    if (space < 1)
        return;
    tail[0] = 0;
    if (name + amount + share + 2 <= space)
        snprintf(tail, sizeof tail, " %s %s", c->amount, c->share);
    else if (share + 1 + (name < 5 ? name : 5) <= space)
        snprintf(tail, sizeof tail, " %s", c->share);
    int after =
        grid_name(g, (struct grid_place){x, y, right - (int)text_width(str_of(tail), 0, 80)},
                  c->name, look, TEXT_TRACK);
    grid_ztext(g, after, y, right, tail, look);
}

/* [name   ], or {name   } if it is selected. */
static void bracketed(struct grid *g, const struct cells *c, int y) {
    enum role plain = c->strange ? ROLE_DIM : ROLE_TEXT;
    struct look look = style_look(c->marked ? ROLE_HIT : plain);
    int first = (c->from + 4) / 8, last = (c->to + 4) / 8 - 1;
    if (c->selected) {
        look = style_selected(look);
        grid_here(g, first, y);
    }
    if (last <= first) {
        uint32_t glyph = c->marked ? '*' : '|';
        grid_put(g, first, y, c->selected ? '@' : glyph, look);
        return;
    }
    grid_fill(g, first, y, last - first + 1, ' ', look);
    grid_put(g, first, y, c->selected ? '{' : '[', look);
    grid_put(g, last, y, c->selected ? '}' : ']', look);
    label(g, c, first + 1, last, y, look);
}

/* A filled background. In a cell that two frames share, the left one keeps its part. */
static void filled(struct grid *g, const struct cells *c, int y) {
    struct look look = c->look;
    int from = g->ascii ? (c->from + 4) / 8 * 8 : c->from,
        to = g->ascii ? (c->to + 4) / 8 * 8 : c->to;
    int first = from / 8, inner = (from + 7) / 8, after = to / 8;
    if (c->strange)
        look.attr |= ATTR_DIM;
    if (c->marked)
        look.attr |= ATTR_UNDERLINE | ATTR_BOLD;
    if (c->selected) {
        look = style_selected(look);
        grid_here(g, first, y);
    }
    bool edges = !c->selected && !c->strange;
    struct cell *left = grid_at(g, first - (inner == first), y);
    bool same = inner == first && first > 0 && left && left->look.bg == look.bg && !c->selected &&
                !c->strange;
    if (inner > first && edges && left && left->cp[0] >= 0x2589 && left->cp[0] <= 0x258F) {
        if (left->look.fg != look.bg) {
            left->look.bg = look.bg; /* next to the end of the frame before */
        } else {                     /* of the same colour: a gap at the nearer side of the cell */
            same = from % 8 > 4 && inner < after;
            *left = (struct cell){{same ? ' ' : 0x258F}, {style_look(ROLE_GAP).fg, look.bg, 0}};
        }
    }
    if (after > inner)
        grid_fill(g, inner, y, after - inner, ' ', look);
    if (to % 8 && edges)
        grid_put(g, after, y, grid_left(g, to % 8), (struct look){look.bg, LOOK_DEFAULT, 0});
    if (same && inner < after)
        grid_put(g, inner++, y, g->ascii ? '|' : 0x258F,
                 (struct look){style_look(ROLE_GAP).fg, look.bg, 0});
    if (after > inner)
        label(g, c, inner, after, y, look);
}

static void draw_frame(struct paths *p, const struct flame_frame *frame, bool first_row, int y) {
    struct grid *g = &p->app->grid;
    const struct path_tree *tree = paths_tree(p);
    struct cells c = {.from = units_cells(frame->from, g->cols * 8),
                      .to = units_cells(frame->to, g->cols * 8)};
    if (frame->node == PATH_ROOT && !first_row) { /* several frames */
        for (int x = (c.from + 7) / 8; x < (c.to + 7) / 8; x++)
            grid_put(g, x, y, grid_level(g, 3), style_look(ROLE_DIM));
        return;
    }
    uint32_t name = tree->nodes.v[frame->node].name;
    struct sum all =
        frame->node == PATH_ROOT ? paths_whole(p) : path_tree_all(tree, frame->node, tree->by);
    c.name = paths_name(p, name);
    c.strange = name >= PATH_SPECIAL;
    c.look = style_look(ROLE_TEXT);
    if (!c.strange && !paths_look(p, name, &c.look))
        c.look = style_look(ROLE_FADED); /* of several colours */
    c.marked = paths_is_marked(p, name);
    c.selected = frame->node == p->selected;
    paths_share(all, paths_whole(p), c.share);
    paths_amount(p, all, c.amount);
    if (style_depth() == COLOR_MONO)
        bracketed(g, &c, y);
    else
        filled(g, &c, y);
}

void draw_flame(struct paths *p, const struct flame *f, uint32_t top, int y, int rows) {
    for (int r = 0; r < rows; r++) {
        size_t n;
        const struct flame_frame *v = draw_flame_row(f, top + (uint32_t)r, &n);
        for (size_t i = 0; i < n; i++)
            draw_frame(p, &v[i], top + (uint32_t)r == 0, y + r);
    }
}
