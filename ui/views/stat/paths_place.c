/* paths_place.c - a frame is written as the names of its path, so that another tree of the same
 * slices has it, too. */
#include "ui/views/stat/paths_place.h"

#include <string.h>

#include "src/base/text.h"
#include "src/base/units.h"
#include "ui/views/view_place.h"

#define DEEP_MOST 400 /* names of a path that is written */

void paths_place_keep(const struct paths *p, struct chars *out) {
    if (p->measure_chosen)
        view_place_line(out, "weight %s", paths_measure_word(p->measure));
    if (p->bottom_up)
        view_place_line(out, "bottom-up");
    if (p->folded)
        view_place_line(out, "folded");
    if (p->covered_chosen)
        view_place_line(out, p->covered ? "covered" : "uncovered");
    if (p->filter)
        view_place_typed(out, "filter", filter_text(p->filter));
    if (p->pattern)
        view_place_typed(out, "marks", pattern_text(p->pattern));
}

bool paths_place_put(struct paths *p, const char *line) {
    enum paths_measure measure;
    if (strncmp(line, "weight ", 7) == 0 && paths_measure_of(line + 7, &measure)) {
        paths_choose(p, measure);
        return true;
    }
    if (strcmp(line, "bottom-up") == 0)
        return p->bottom_up = true;
    if (strcmp(line, "folded") == 0)
        return p->folded = true;
    if (strcmp(line, "covered") == 0 || strcmp(line, "uncovered") == 0) {
        p->covered = *line == 'c';
        return p->covered_chosen = true;
    }
    if (strncmp(line, "filter ", 7) == 0)
        return paths_set_filter(p, line + 7);
    return strncmp(line, "marks ", 6) == 0 && paths_set_pattern(p, line + 6);
}

/* ---- frames ---- */

void paths_place_node(const struct paths *p, const char *word, uint32_t node, struct chars *out) {
    const struct path_tree *tree = paths_tree(p);
    VEC(uint32_t) names = {0};
    if (tree == NULL || node == PATH_ROOT || node >= tree->nodes.n)
        return;
    for (; node != PATH_ROOT && names.n <= DEEP_MOST; node = tree->nodes.v[node].parent)
        vec_push(&names, tree->nodes.v[node].name);
    if (names.n <= DEEP_MOST) {
        chars_add(out, STR("place in "));
        chars_add(out, str_of(word));
        for (size_t i = names.n; i-- > 0;) {
            chars_add(out, i + 1 == names.n ? STR(" ") : STR("/"));
            view_place_name(out, paths_name(p, names.v[i]));
        }
        chars_add(out, STR("\n"));
    }
    vec_free(&names);
}

bool paths_place_find(const struct paths *p, const char *path, uint32_t *node) {
    const struct path_tree *tree = paths_tree(p);
    *node = PATH_ROOT;
    for (bool more = true; tree && more;) {
        size_t n = strcspn(path, "/");
        uint32_t at = tree->nodes.v[*node].first;
        while (at != PATH_ROOT &&
               !view_place_is_name(paths_name(p, tree->nodes.v[at].name), path, n))
            at = tree->nodes.v[at].next;
        if (at == PATH_ROOT)
            return false;
        *node = at;
        more = path[n] == '/';
        path += n + more;
    }
    return tree != NULL;
}

/* ---- y ---- */

static void add_name(struct chars *out, struct str name) {
    char safe[4096];
    text_plain(safe, sizeof safe, name, TEXT_TRACK);
    chars_add(out, str_of(safe));
}

static void add_cell(struct chars *out, const char *text) {
    chars_add(out, STR("\t"));
    chars_add(out, str_of(text));
}

void paths_place_copy_frame(const struct paths *p, struct chars *out) {
    const struct path_tree *tree = paths_tree(p);
    VEC(uint32_t) names = {0};
    char buf[32];
    if (tree == NULL || p->selected >= tree->nodes.n)
        return;
    enum path_weight by = paths_weight(p);
    uint32_t node = p->selected;
    struct sum all = node == PATH_ROOT ? paths_whole(p) : path_tree_all(tree, node, by);
    for (uint32_t at = node; at != PATH_ROOT; at = tree->nodes.v[at].parent)
        vec_push(&names, tree->nodes.v[at].name);
    add_name(out, paths_name(p, tree->nodes.v[PATH_ROOT].name));
    for (size_t i = names.n; i-- > 0;) {
        chars_add(out, STR(" > "));
        add_name(out, paths_name(p, names.v[i]));
    }
    vec_free(&names);
    add_cell(out, paths_amount(p, all, buf));
    add_cell(out, paths_share(all, paths_whole(p), buf));
    chars_add(out, STR(" of all"));
    if (by != PATH_COUNT && !p->bottom_up) {
        add_cell(out, "self ");
        chars_add(out, str_of(paths_amount(p, path_tree_own(tree, node, by), buf)));
    }
    units_count((uint64_t)paths_calls(p, node).low, false, buf);
    add_cell(out, buf);
    chars_add(out, strcmp(buf, "1") == 0 ? STR(" call\n") : STR(" calls\n"));
}

void paths_place_copy_titles(const char *what, struct chars *out) {
    if (what)
        chars_add(out, str_of(what));
    chars_add(out, what ? STR("\tname\tcalls\ttotal\tshare\tself\n")
                        : STR("name\tcalls\ttotal\tshare\tself\n"));
}

void paths_place_copy_row(const struct paths *p, const char *what,
                          const struct path_row_by_name *row, struct sum whole, struct chars *out) {
    enum path_weight by = paths_time(p);
    char buf[32];
    if (what) {
        chars_add(out, str_of(what));
        chars_add(out, STR("\t"));
    }
    add_name(out, row->name == PATH_ALL ? STR("(root)") : paths_name(p, row->name));
    add_cell(out, units_count((uint64_t)row->own[PATH_COUNT].low, false, buf));
    add_cell(out, paths_time_text(p, row->all[by], false, buf));
    add_cell(out, paths_share(row->all[by], whole, buf));
    add_cell(out, paths_time_text(p, row->own[by], false, buf));
    chars_add(out, STR("\n"));
}
