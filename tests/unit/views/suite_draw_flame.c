/* suite_draw_flame.c - frames: each is inside its parent, in proportion, and none is on another;
 * edges between them. */
#include "ui/views/stat/draw_flame.h"

#include <stdio.h>
#include <stdlib.h>

#include "tests/lib/chance.h"
#include "tests/unit/lib/must.h"
#include "tests/unit/lib/shown.h"
#include "tests/unit/lib/suites.h"
#include "ui/views/view.h"

static struct chance chance = {8123};

/* Slices in slices, of few names, on some threads. */
static void show_random(unsigned events, int cols) {
    char *text = NULL;
    size_t size;
    FILE *f = open_memstream(&text, &size);
    fputs("magic\ninit 1000000000\n", f);
    for (unsigned i = 0, t = 1; i < events; i++, t += (unsigned)below(&chance, 30))
        fprintf(f, "%s %u 1/%u \"c\" \"n%u\"\n", below(&chance, 10) < 5 ? "begin" : "end", t,
                10 + (unsigned)below(&chance, 2), (unsigned)below(&chance, 6));
    fclose(f);
    shown_text(text, cols, 40);
    free(text);
}

/* The parent's frame in the row above. */
static const struct flame_frame *frame_of(const struct flame *f, uint32_t row, uint32_t node) {
    size_t n;
    const struct flame_frame *v = draw_flame_row(f, row, &n);
    for (size_t i = 0; i < n; i++)
        if (v[i].node == node && (node != PATH_ROOT || row == 0))
            return &v[i];
    return NULL;
}

static void check_row(const struct flame *f, const struct paths *p, uint32_t row, double scale) {
    const struct path_tree *tree = paths_tree(p);
    size_t n;
    const struct flame_frame *v = draw_flame_row(f, row, &n);
    for (size_t i = 0; i < n; i++) {
        MUST(v[i].to > v[i].from && (i == 0 || v[i].from >= v[i - 1].to - 0.01));
        if (v[i].node == PATH_ROOT)
            continue;
        const struct flame_frame *parent = frame_of(f, row - 1, tree->nodes.v[v[i].node].parent);
        double want = sum_double(path_tree_all(tree, v[i].node, tree->by)) * scale,
               got = v[i].to - v[i].from;
        MUST(parent != NULL && v[i].from >= parent->from - 0.01 && v[i].to <= parent->to + 0.01);
        MUST(got > want - 0.01 && got < want + 0.01 && got >= 7.99);
    }
}

/* A child that is not laid out is narrower than a column. */
static void check_missing(const struct flame *f, const struct paths *p, double scale) {
    const struct path_tree *tree = paths_tree(p);
    uint32_t row;
    size_t k;
    for (uint32_t i = 1; i < tree->nodes.n; i++) {
        uint32_t parent = tree->nodes.v[i].parent;
        if (parent != PATH_ROOT && !draw_flame_find(f, parent, &row, &k))
            continue;
        double width = sum_double(path_tree_all(tree, i, tree->by)) * scale;
        MUST(draw_flame_find(f, i, &row, &k) || width < 8.01 ||
             (i == PATH_NO_SLICE_NODE && p->covered));
    }
}

START_TEST(frames_are_as_wide_as_their_weight) {
    for (int n = 0; n < 60; n++) {
        int cols = 1 + (int)below(&chance, 200);
        struct flame f = {.frames = {0}};
        show_random(200, cols);
        shown_keys("3");
        struct paths *p = paths_of_app(&shown);
        p->covered = below(&chance, 2);
        draw_flame_layout(&f, p, cols, FLAME_ROWS);
        MUST(f.rows.n > 0);
        for (uint32_t row = 1; row < f.rows.n; row++)
            check_row(&f, p, row, cols * 8.0 / sum_double(paths_whole(p)));
        check_missing(&f, p, cols * 8.0 / sum_double(paths_whole(p)));
        draw_flame_free(&f);
        shown_close();
    }
}
END_TEST

/* Whether a cell shows two colours, divided by an edge. */
static bool is_edge(const struct cell *c) {
    return c && c->cp[0] >= 0x2589 && c->cp[0] <= 0x258F && c->look.fg != c->look.bg;
}

/* LOOK_DEFAULT: the frame is of no name. */
static int32_t colour(const struct paths *p, const struct flame_frame *v) {
    uint32_t name = paths_tree(p)->nodes.v[v->node].name;
    return name < PATH_SPECIAL ? style_slice(style_name_hash(paths_name(p, name))).bg
                               : LOOK_DEFAULT;
}

static void check_edges(struct grid *g, const struct flame *f, const struct paths *p, int y,
                        unsigned *met) {
    size_t n;
    const struct flame_frame *v = draw_flame_row(f, (uint32_t)y, &n);
    for (size_t i = 1; i < n; i++) {
        if (v[i].node == PATH_ROOT || v[i - 1].node == PATH_ROOT ||
            v[i].from > v[i - 1].to + 0.01 || v[i].to - v[i].from < 24 ||
            v[i - 1].to - v[i - 1].from < 24 || colour(p, &v[i]) == LOOK_DEFAULT ||
            colour(p, &v[i]) != colour(p, &v[i - 1]))
            continue;
        int x = (int)(v[i].from / 8);
        MUST(is_edge(grid_at(g, x - 1, y)) || is_edge(grid_at(g, x, y)) ||
             is_edge(grid_at(g, x + 1, y)));
        ++*met;
    }
}

/* Two frames of one colour have an edge between them, wherever in a cell they meet. */
START_TEST(frames_of_one_colour_have_a_gap) {
    unsigned met = 0;
    for (int n = 0; n < 60; n++) {
        struct flame f = {.frames = {0}};
        show_random(20 + (unsigned)below(&chance, 60), 200);
        shown_keys("3");
        struct paths *p = paths_of_app(&shown);
        style_init(COLOR_8);
        shown.grid.ascii = false;
        grid_clear(&shown.grid, style_look(ROLE_TEXT));
        draw_flame_layout(&f, p, 200, FLAME_ROWS);
        draw_flame(p, &f, 0, 0, 30);
        for (int y = 1; y < 30 && (size_t)y < f.rows.n; y++)
            check_edges(&shown.grid, &f, p, y, &met);
        draw_flame_free(&f);
        style_init(COLOR_MONO);
        shown_close();
    }
    ck_assert_uint_gt(met, 20);
}
END_TEST

SUITE(draw_flame) {
    Suite *s = suite_create("draw_flame");
    TCase *c = tcase_create("draw_flame");
    tcase_add_test(c, frames_are_as_wide_as_their_weight);
    tcase_add_test(c, frames_of_one_colour_have_a_gap);
    suite_add_tcase(s, c);
    return s;
}
