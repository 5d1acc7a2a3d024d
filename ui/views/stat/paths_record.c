/* paths_record.c - compares the names of the slices around each slice of a name with the frames
 * around the selected one. */
#include "ui/views/stat/paths_record.h"

#include "ui/views/stat/paths.h"
#include "ui/views/view.h"

#define TRIED 200 /* slices whose records are read */

struct looking {
    const struct path_tree *tree; /* NULL: the name is enough */
    uint32_t node, name;
    struct paths_record_wanted wanted;
    unsigned tried;
};

static bool is_path(const struct looking *l, struct trace *trace, const struct slice_run *run,
                    uint32_t i) {
    const struct nest *nest = &trace_thread(trace, run->track)->nest;
    uint32_t row = run->row, node = l->node;
    if (l->tree == NULL)
        return true;
    for (;;) {
        struct slice s = lane_slice(nest_row(nest, row), i);
        if (node == PATH_ROOT ||
            l->tree->nodes.v[node].name != trace_packed_name(trace, s.begin_word))
            return false;
        node = l->tree->nodes.v[node].parent;
        if (!nest_parent(nest, trace_slice_extra(trace), row, i, &row, &i))
            return node == PATH_ROOT;
    }
}

bool paths_record_find(struct app *app, struct paths_record_wanted wanted) {
    struct paths *p = paths_of_app(app);
    struct trace *trace = app->trace;
    const struct path_tree *tree = paths_tree(p);
    bool in_flame = view_is(&app->views, MODE_FLAME) && tree && !p->has_derived;
    struct looking l = {.wanted = wanted, .node = p->selected, .tree = in_flame ? tree : NULL};
    l.name = tree ? tree->nodes.v[p->selected].name : PATH_ALL;
    if (l.name >= PATH_SPECIAL)
        l.name = p->middle;
    if (l.name >= PATH_SPECIAL || p->labelled)
        return false;
    struct slice_set set = range_slices(session_range(app), SLICE_ITER_SLICES);
    struct slice_iter iter;
    struct slice_run run;
    set.named = l.name + 1;
    slice_iter_init(&iter, trace, &set);
    while (slice_iter_next(&iter, NULL, &run))
        for (uint32_t k = 0; k < run.n; k++) {
            if (trace_packed_name(trace, run.v[k].begin_word) != l.name ||
                !is_path(&l, trace, &run, run.i + k))
                continue;
            if (wanted.fits(wanted.ctx, slice_offset(&run.v[k])))
                return true;
            if (++l.tried == TRIED)
                return false;
        }
    return false;
}
