/* paths.c - makes the tree, the derived tree, the tables of names and the marks of a search, in
 * steps.
 *
 * First the slices of the range are walked into a tree. Then it is put in order, and takes the
 * place of the one before. If recursion is folded or the tree is bottom-up, another one is derived
 * from it in the same way. At last the tables of names are made of the first tree, and the frames
 * that the search marks are added up.
 *
 * A walk that the trace outruns begins again. */
#include "ui/views/stat/paths.h"

#include <string.h>

#include "src/base/units.h"
#include "ui/timeline/colors.h"
#include "ui/views/view.h"

struct paths *paths_of_app(struct app *app) {
    struct view *view = view_of(&app->views, &view_flame);
    if (view->state == NULL)
        view->state = view->ops->make(view);
    return view->state;
}

static void free_table(struct paths_table *t) {
    task_free(t->task);
    path_table_free(&t->shown);
    path_table_free(&t->next);
    *t = (struct paths_table){0};
}

static void stop_walk(struct paths *p) {
    task_free(p->walking);
    p->walking = NULL;
    path_walk_free(&p->walk);
    path_tree_free(&p->next);
    filter_match_free(p->match);
    p->match = NULL;
}

static void stop_order(struct paths *p) {
    task_free(p->order.task);
    p->order = (struct paths_order){0};
}

static void stop_derive(struct paths *p) {
    task_free(p->making.task);
    path_tree_free(&p->making.tree);
    p->making = (struct paths_making){0};
}

/* Another tree takes its place, or none. */
static void drop_tree(struct paths *p, struct path_tree *tree) {
    stop_order(p); /* it may be of this one */
    path_tree_free(tree);
}

static void free_derived(struct paths *p) {
    drop_tree(p, &p->derived);
    p->has_derived = false;
}

void paths_renew(struct paths *p) {
    stop_walk(p);
    stop_derive(p);
    free_derived(p);
    drop_tree(p, &p->base);
    free_table(&p->by_name);
    free_table(&p->callers);
    free_table(&p->callees);
    p->names.n = p->marks.n = 0;
    p->known = p->marks_known = false;
    p->zoom = p->selected = PATH_ROOT;
    p->middle = PATH_ALL;
    p->trees++;
    names_free(p->labels);
    p->labels = NULL;
}

void paths_free(struct paths *p) {
    paths_renew(p);
    range_free(&p->sample);
    pattern_free(p->pattern);
    filter_free(p->filter);
    pattern_free(p->typing.pattern);
    filter_free(p->typing.filter);
    vec_free(&p->names);
    vec_free(&p->marks);
    free(p);
}

/* ---- the tree that is shown ---- */

static struct path_tree *shown(struct paths *p) {
    return p->has_derived ? &p->derived : &p->base;
}

const struct path_tree *paths_tree(const struct paths *p) {
    const struct path_tree *tree = p->has_derived ? &p->derived : &p->base;
    return p->known && tree->ordered ? tree : NULL;
}

enum path_weight paths_weight(const struct paths *p) {
    return (p->has_derived ? &p->derived : &p->base)->by;
}

static struct sum whole_by(const struct paths *p, enum path_weight by) {
    const struct path_tree *tree = paths_tree(p);
    struct sum all = tree ? path_tree_all(tree, PATH_ROOT, by) : sum_from(0);
    if (tree && p->covered)
        all = sum_minus(all, path_tree_all(tree, PATH_NO_SLICE_NODE, by));
    return tree && p->inside ? sum_minus(all, path_tree_all(tree, PATH_LEFT_OUT_NODE, by)) : all;
}

struct sum paths_whole(const struct paths *p) {
    return whole_by(p, paths_weight(p));
}

enum path_weight paths_time(const struct paths *p) {
    return paths_weight(p) == PATH_RUNNING ? PATH_RUNNING : PATH_WALL;
}

struct sum paths_whole_time(const struct paths *p) {
    return whole_by(p, paths_time(p));
}

struct sum paths_calls(const struct paths *p, uint32_t node) {
    const struct path_tree *tree = paths_tree(p);
    if (node == PATH_ROOT)
        return whole_by(p, PATH_COUNT);
    return p->has_derived && p->derived_up ? path_tree_all(tree, node, PATH_COUNT)
                                           : path_tree_own(tree, node, PATH_COUNT);
}

static uint32_t child_of(const struct path_tree *tree, uint32_t parent, uint32_t name) {
    uint32_t c = tree->nodes.v[parent].first;
    while (c != PATH_ROOT && tree->nodes.v[c].name != name)
        c = tree->nodes.v[c].next;
    return c;
}

/* The node of the other tree with the same path, as far as it has one. */
static uint32_t same_node(const struct path_tree *from, uint32_t node, const struct path_tree *to) {
    VEC(uint32_t) names = {0};
    uint32_t at = PATH_ROOT;
    for (; node != PATH_ROOT && node < from->nodes.n; node = from->nodes.v[node].parent)
        vec_push(&names, from->nodes.v[node].name);
    while (names.n > 0) {
        uint32_t next = child_of(to, at, names.v[--names.n]);
        if (next == PATH_ROOT)
            break;
        at = next;
    }
    vec_free(&names);
    return at;
}

/* Before `to` takes the place of the tree that is shown; turned: its paths are of another
 * direction. */
static void move_places(struct paths *p, const struct path_tree *to, bool turned) {
    const struct path_tree *from = shown(p);
    if (!p->known || from->nodes.n == 0)
        return;
    if (turned) {
        uint32_t name = from->nodes.v[p->selected].name;
        p->zoom = PATH_ROOT;
        p->selected = p->selected == PATH_ROOT ? PATH_ROOT : child_of(to, PATH_ROOT, name);
        return;
    }
    p->zoom = same_node(from, p->zoom, to);
    p->selected = same_node(from, p->selected, to);
}

/* ---- of the slices ---- */

static struct paths_of wanted(const struct paths *p) {
    enum paths_measure tree = paths_measure_tree(p->measure);
    bool running = p->measure == PATHS_RUNNING || (p->known && p->of.running);
    return (struct paths_of){.version = trace_version(p->app->trace),
                             .range = p->app->range.serial,
                             .filter = p->filter_serial,
                             .measure = tree,
                             .running = running && tree == PATHS_WALL};
}

static bool same_of(struct paths_of a, struct paths_of b) {
    return a.version == b.version && a.range == b.range && a.filter == b.filter &&
           a.running == b.running && a.measure == b.measure;
}

/* The tree of a new question begins with the middle of the range, so that there is one soon. */
static bool take_sample(struct paths *p) {
    struct trace *trace = p->app->trace;
    const struct range *range = session_range(p->app);
    if (p->known && p->of.range == p->app->range.serial && p->of.filter == p->filter_serial)
        return false;
    uint64_t slices = range_slices_about(range, trace, SLICE_ITER_SLICES);
    int64_t from = range_begin(range, trace), to = range_end(range, trace),
            all = units_since(from, to);
    double part = (double)p->many / PATHS_SAMPLE / (double)(slices > 0 ? slices : 1);
    int64_t width = slices > p->many ? (int64_t)((double)all * part) : 0;
    if (width <= 0)
        return false;
    range_copy(&p->sample, range);
    range_set_time(&p->sample, trace, from + (all - width) / 2, from + (all - width) / 2 + width);
    return true;
}

static void make_base(struct task *task, void *ctx) {
    struct paths *p = ctx;
    if (p->match && !filter_match_step(p->match, task))
        return;
    path_walk_make(task, &p->walk);
    if (!task_over(task))
        path_tree_order(task, &p->next, paths_measure_weight(p->measure));
}

/* Whether a filter has a term that is not negated. */
static bool selects(const struct filter *filter) {
    for (size_t k = 0; k < filter->terms.n; k++)
        if (!filter->terms.v[k].negated)
            return true;
    return false;
}

/* View 3 opens with processes, if nothing of them is left out. */
static enum paths_measure first_measure(const struct paths *p) {
    bool processes = p->app->views.current->ops == &view_flame && p->filter == NULL &&
                     session_range(p->app)->tracks.v.n == 0;
    return paths_measure_first(&p->has, processes);
}

void paths_choose(struct paths *p, enum paths_measure measure) {
    p->measure = measure;
    p->measure_chosen = true;
}

static void begin_walk(struct paths *p) {
    struct trace *trace = p->app->trace;
    uint64_t slices = 0;
    stop_walk(p);
    paths_measure_look(trace, session_range(p->app), &p->has);
    if (!p->measure_chosen)
        p->measure = first_measure(p);
    for (size_t i = 0; i < trace_thread_count(trace); i++)
        slices += trace_thread(trace, i)->nest.slices;
    path_tree_init(&p->next, path_tree_most(trace_bytes(trace)), slices);
    p->next_of = wanted(p);
    p->next_of.sample = take_sample(p);
    path_walk_init(&p->walk, trace, p->next_of.sample ? &p->sample : session_range(p->app),
                   &p->next);
    p->walk.running = p->next_of.running;
    if (p->labels == NULL)
        p->labels = names_new();
    p->walk.labels = p->labels;
    p->walk.processes_alone = p->next_of.measure == PATHS_PROCESSES;
    if (p->next_of.measure == PATHS_SAMPLES)
        p->walk.unit = PATH_SAMPLES;
    else if (p->next_of.measure == PATHS_OFF_CPU)
        p->walk.unit = PATH_OFF_CPU;
    else if (p->has.sampled && p->has.measured)
        p->walk.unit = PATH_MEASURED;
    if (p->filter) {
        p->match = filter_match_new(trace, p->filter);
        p->walk.set.has = filter_match_slice;
        p->walk.set.ctx = p->match;
        p->walk.inside = selects(p->filter);
    }
    p->walking = task_new(trace_tasks(trace), make_base, p);
}

/* Names are of another table from now on. */
static void forget_names(struct paths *p) {
    stop_derive(p);
    free_derived(p);
    free_table(&p->by_name);
    free_table(&p->callers);
    free_table(&p->callees);
    p->names.n = p->marks.n = 0;
    p->marks_known = false;
    p->zoom = p->selected = PATH_ROOT;
    p->middle = PATH_ALL;
}

static void take_base(struct paths *p) {
    if (p->known && p->labelled != p->walk.labelled)
        forget_names(p);
    else if (!p->has_derived)
        move_places(p, &p->next, false);
    if (p->known && p->of.measure != p->next_of.measure)
        p->middle = PATH_ALL; /* of names of another kind */
    drop_tree(p, &p->base);
    p->base = p->next;
    p->next = (struct path_tree){0};
    p->of = p->next_of;
    p->slices = p->walk.slices;
    p->open = p->walk.open;
    p->threads = p->walk.with_slices;
    p->scheduled = p->walk.scheduled;
    p->processes = p->walk.processes.processes;
    p->labelled = p->walk.labelled;
    p->fault[0] = '\0';
    if (p->match)
        filter_match_fault(p->match, p->fault);
    stop_walk(p);
    struct sum all = path_tree_all(&p->base, PATH_ROOT, PATH_WALL);
    struct sum uncovered = path_tree_all(&p->base, PATH_NO_SLICE_NODE, PATH_WALL);
    struct sum left_out = path_tree_all(&p->base, PATH_LEFT_OUT_NODE, PATH_WALL);
    struct sum covered = sum_minus(all, uncovered), inside = sum_minus(covered, left_out);
    if (!p->covered_chosen) {
        p->inside = sum_cmp(left_out, inside) > 0 && sum_cmp(inside, sum_from(0)) > 0;
        p->covered = p->inside || sum_cmp(uncovered, covered) > 0;
    }
    p->known = true;
    p->sample_known = false;
    p->bases++;
    p->trees++;
}

/* True: there is nothing more to walk. */
static bool step_base(struct paths *p, bool *news) {
    if (!p->measure_chosen && p->known) /* the view and the filter may be others */
        p->measure = first_measure(p);
    if (!p->walking && p->known && p->of.sample && !p->sample_known)
        return false; /* trees derived from it come first */
    if (!p->walking || task_is_lost(p->walking) || !same_of(p->next_of, wanted(p))) {
        if (!session_may_ask(p->app))
            return true;
        stop_walk(p);
        if (p->known && !p->of.sample && same_of(p->of, wanted(p)))
            return true;
        begin_walk(p);
    }
    if (!task_step(p->walking, p->app->work))
        return false;
    take_base(p);
    *news = true;
    return !p->of.sample;
}

unsigned paths_percent(const struct paths *p) {
    size_t threads = trace_thread_count(p->app->trace);
    if (!p->walking || threads == 0)
        return 100;
    return (unsigned)((uint64_t)p->walk.thread * 100 / threads);
}

/* ---- another order ---- */

static void make_order(struct task *task, void *ctx) {
    struct paths_order *o = ctx;
    path_tree_order(task, o->tree, o->by);
}

/* True: the tree is in order. */
static bool step_tree(struct paths *p, struct path_tree *tree, enum path_weight by) {
    struct paths_order *o = &p->order;
    if (tree->ordered && tree->by == by)
        return true;
    if (!o->task || o->tree != tree || o->by != by) {
        stop_order(p);
        *o = (struct paths_order){task_new(&p->tasks, make_order, o), tree, by};
    }
    if (!task_step(o->task, p->app->work))
        return false;
    stop_order(p);
    return true;
}

/* ---- derived trees ---- */

static void make_derived(struct task *task, void *ctx) {
    struct paths_making *m = ctx;
    struct path_tree folded = {0};
    if (m->ends) {
        path_derive_make(task, m->from, &m->tree, PATH_ENDS);
    } else if (!m->folded || !m->up) {
        path_derive_make(task, m->from, &m->tree, m->folded ? PATH_FOLDED : PATH_BOTTOM_UP);
    } else {
        path_derive_make(task, m->from, &folded, PATH_FOLDED);
        if (!task_over(task))
            path_derive_make(task, &folded, &m->tree, PATH_BOTTOM_UP);
        path_tree_free(&folded);
    }
    if (!task_over(task))
        path_tree_order(task, &m->tree, m->by);
}

static void begin_derive(struct paths *p) {
    struct paths_making *m = &p->making;
    stop_derive(p);
    m->from = &p->base;
    m->by = paths_measure_weight(p->measure);
    m->up = p->bottom_up;
    m->folded = p->folded;
    m->ends = p->bottom_up && !(p->has_derived && p->derived_up) &&
              p->base.nodes.n > p->many / PATHS_ENDS;
    p->derived_of = p->bases;
    m->task = task_new(&p->tasks, make_derived, m);
}

/* True: the derived tree is complete, or none is wanted. */
static bool step_derived(struct paths *p, bool *news) {
    if (!p->bottom_up && !p->folded) {
        stop_derive(p);
        if (!p->has_derived || !p->base.ordered)
            return true;
        move_places(p, &p->base, p->derived_up);
        free_derived(p);
        p->trees++;
        *news = true;
        return true;
    }
    struct paths_making *m = &p->making;
    bool same = p->bottom_up == p->derived_up && p->folded == p->derived_folded && !p->derived_ends;
    if (!m->task && p->has_derived && same && p->derived_of == p->bases)
        return true;
    if (!step_tree(p, &p->base, p->base.by)) /* it may be between two orders */
        return false;
    if (!m->task || m->up != p->bottom_up || m->folded != p->folded || p->derived_of != p->bases)
        begin_derive(p);
    if (!task_step(m->task, p->app->work))
        return false;
    move_places(p, &m->tree, p->bottom_up != (p->has_derived && p->derived_up));
    free_derived(p);
    p->derived = m->tree;
    m->tree = (struct path_tree){0};
    p->has_derived = true;
    p->derived_up = m->up;
    p->derived_folded = m->folded;
    p->derived_ends = m->ends;
    stop_derive(p);
    p->trees++;
    *news = true;
    return !p->derived_ends;
}

/* Another weight: the same tree in another order. True: it is in order. */
static bool step_order(struct paths *p, bool *news) {
    struct path_tree *tree = shown(p);
    enum path_weight by = paths_measure_weight(p->measure);
    if ((by == PATH_RUNNING && !p->of.running) || (tree->ordered && tree->by == by))
        return true;
    *news = true;
    if (!step_tree(p, tree, by))
        return false;
    p->trees++;
    return true;
}

/* ---- tables ---- */

static void make_table(struct task *task, void *ctx) {
    path_table_make(task, ctx);
}

static bool step_table(struct paths *p, struct paths_table *t, enum path_table_kind kind,
                       bool *news) {
    bool right = t->of == p->trees &&
                 (kind == PATH_NAMES || t->next.name == p->middle || t->shown.name == p->middle);
    if (kind != PATH_NAMES && p->middle == PATH_ALL)
        return true;
    if (!t->task && t->shown.done && right)
        return true;
    if (!t->task || t->of != p->trees || t->next.name != (kind == PATH_NAMES ? 0 : p->middle)) {
        task_free(t->task);
        path_table_free(&t->next);
        path_table_init(&t->next, &p->base, kind, kind == PATH_NAMES ? 0 : p->middle,
                        paths_weight(p));
        t->of = p->trees;
        t->task = task_new(&p->tasks, make_table, &t->next);
    }
    if (!task_step(t->task, p->app->work))
        return false;
    task_free(t->task);
    t->task = NULL;
    path_table_free(&t->shown);
    t->shown = t->next;
    t->next = (struct path_table){0};
    *news = true;
    return true;
}

static bool step_tables(struct paths *p, bool *news) {
    if (!p->base.ordered)
        return true;
    return step_table(p, &p->by_name, PATH_NAMES, news) &&
           step_table(p, &p->callers, PATH_CALLERS, news) &&
           step_table(p, &p->callees, PATH_CALLEES, news);
}

uint32_t paths_first_name(const struct paths *p) {
    const struct path_table *names = &p->by_name.shown;
    bool of_tree = p->by_name.of == p->trees && p->by_name.task == NULL && names->done;
    uint32_t name =
        of_tree && names->order.n > 0 ? names->rows.v[names->order.v[0]].name : PATH_ALL;
    return name < PATH_SPECIAL ? name : PATH_ALL;
}

/* ---- the search ---- */

static struct str text_of(const struct paths *p, uint32_t name) {
    return p->labelled ? names_str(p->labels, name) : trace_name(p->app->trace, name);
}

bool paths_is_marked(struct paths *p, uint32_t name) {
    if (p->pattern == NULL || name >= PATH_SPECIAL)
        return false;
    vec_reserve(&p->names, (size_t)name + 1);
    while (p->names.n <= name)
        p->names.v[p->names.n++] = 0;
    if (p->names.v[name] == 0)
        p->names.v[name] = pattern_matches(p->pattern, text_of(p, name)) ? 2 : 1;
    return p->names.v[name] == 2;
}

/* Adds up the frames that match, each time once. */
static bool step_marks(struct paths *p, bool *news) {
    const struct path_tree *tree = paths_tree(p);
    if (p->pattern == NULL || tree == NULL)
        return true;
    if (p->marks_of != p->trees) {
        p->marks_of = p->trees;
        p->marks.n = 0;
        p->marks_known = false;
        memset(p->marked, 0, sizeof p->marked);
        p->marked_frames = 0;
    }
    while (p->marks.n < tree->nodes.n) {
        uint32_t i = (uint32_t)p->marks.n;
        bool above = i > 0 && p->marks.v[tree->nodes.v[i].parent],
             own = paths_is_marked(p, tree->nodes.v[i].name);
        vec_push(&p->marks, (unsigned char)(above || own));
        for (int w = 0; w < PATH_WEIGHTS && own && !above; w++)
            p->marked[w] = sum_plus(p->marked[w], path_tree_all(tree, i, (enum path_weight)w));
        p->marked_frames += own && sum_cmp(path_tree_all(tree, i, tree->by), sum_from(0)) > 0;
        if (!task_spend(p->app->work, 1 + (own ? pattern_cost(p->pattern) / 4 : 0)))
            return false;
    }
    if (!p->marks_known)
        *news = true;
    p->marks_known = true;
    return true;
}

/* Takes the pattern over; the one before is freed or kept elsewhere. */
static void put_pattern(struct paths *p, struct pattern *pattern) {
    p->pattern = pattern;
    p->names.n = p->marks.n = 0;
    p->marks_known = false;
    p->marks_of = p->trees - 1;
}

void paths_type_pattern(struct paths *p, const char *text) {
    struct err err;
    struct pattern *pattern = *text ? pattern_new(text, false, &err) : NULL;
    if (*text && pattern == NULL)
        return;
    if (p->typing.pattern_on)
        pattern_free(p->pattern);
    else
        p->typing.pattern = p->pattern;
    p->typing.pattern_on = true;
    put_pattern(p, pattern);
}

void paths_typed_pattern_end(struct paths *p) {
    if (!p->typing.pattern_on)
        return;
    pattern_free(p->pattern);
    put_pattern(p, p->typing.pattern);
    p->typing.pattern = NULL;
    p->typing.pattern_on = false;
}

bool paths_set_pattern(struct paths *p, const char *text) {
    struct err err;
    if (p->typing.pattern_on && text && p->pattern && strcmp(pattern_text(p->pattern), text) == 0) {
        pattern_free(p->typing.pattern); /* its frames are marked already */
        p->typing.pattern = NULL;
        p->typing.pattern_on = false;
        return true;
    }
    paths_typed_pattern_end(p);
    struct pattern *pattern = text ? pattern_new(text, false, &err) : NULL;
    if (text && pattern == NULL) {
        session_say(p->app, true, "%s", err.text);
        return false;
    }
    if (p->pattern && pattern == NULL)
        session_say(p->app, false, "search dropped");
    pattern_free(p->pattern);
    put_pattern(p, pattern);
    return true;
}

static bool is_filter(const struct paths *p, const char *text) {
    return p->filter ? strcmp(filter_text(p->filter), text) == 0 : *text == 0;
}

void paths_type_filter(struct paths *p, const char *text) {
    struct err err;
    struct filter *filter = *text ? filter_new(text, false, &err) : NULL;
    if ((*text && filter == NULL) || is_filter(p, text)) {
        filter_free(filter);
        return;
    }
    stop_walk(p); /* it borrows the filter */
    if (p->typing.filter_on) {
        filter_free(p->filter);
    } else {
        p->typing.filter = p->filter;
        p->typing.filter_serial = p->filter_serial;
    }
    p->typing.filter_on = true;
    p->filter = filter;
    p->filter_serial = ++p->filters;
}

void paths_typed_filter_end(struct paths *p) {
    if (!p->typing.filter_on)
        return;
    stop_walk(p);
    filter_free(p->filter);
    p->filter = p->typing.filter;
    p->filter_serial = p->typing.filter_serial;
    p->typing.filter = NULL;
    p->typing.filter_on = false;
}

bool paths_set_filter(struct paths *p, const char *text) {
    struct err err;
    /* its slices are counted already, or in part */
    if (p->typing.filter_on && is_filter(p, text)) {
        filter_free(p->typing.filter);
        p->typing.filter = NULL;
        p->typing.filter_on = false;
        return true;
    }
    paths_typed_filter_end(p);
    struct filter *filter = *text ? filter_new(text, false, &err) : NULL;
    if (*text && filter == NULL) {
        session_say(p->app, true, "%s", err.text);
        return false;
    }
    stop_walk(p);
    filter_free(p->filter);
    p->filter = filter;
    p->filter_serial = ++p->filters;
    return true;
}

const char *paths_filter(const struct paths *p) {
    return p->filter ? filter_text(p->filter) : NULL;
}

bool paths_step(struct paths *p, bool *news) {
    bool more = !step_base(p, news);
    if (!p->known || task_over(p->app->work))
        return more || task_over(p->app->work);
    more = !step_derived(p, news) || more;
    if (task_over(p->app->work))
        return true;
    if (!step_order(p, news) || !step_tables(p, news) || !step_marks(p, news))
        return true;
    p->sample_known = p->of.sample;
    return more;
}

/* ---- words ---- */

const char *paths_measured(const struct paths *p) {
    const char *text = paths_measure_text(p->measure);
    return text ? text : paths_unit(p, false);
}

bool paths_of_samples(const struct paths *p) {
    return p->of.measure == PATHS_SAMPLES || p->of.measure == PATHS_OFF_CPU;
}

const char *paths_unit(const struct paths *p, bool one) {
    if (p->processes > 0)
        return one ? "process" : "processes";
    return one ? "call" : "calls";
}

void paths_calls_text(const struct paths *p, struct sum calls, char buf[48]) {
    char n[32];
    buf[0] = '\0';
    if (!paths_of_samples(p))
        snprintf(buf, 48, "%s %s", units_count((uint64_t)calls.low, false, n),
                 paths_unit(p, calls.low == 1));
}

struct str paths_name(const struct paths *p, uint32_t name) {
    switch (name) {
    case PATH_ALL:
        return STR("all");
    case PATH_NO_SLICE:
        return STR("no slice");
    case PATH_LEFT_OUT:
        return STR("left out by the filter");
    case PATH_OTHER:
        return STR("other paths");
    default:
        break;
    }
    struct str text = text_of(p, name);
    return text.n > 0 ? text : STR("(no name)");
}

/* A process has the colour of its program, the first word. */
bool paths_look(const struct paths *p, uint32_t name, struct look *look) {
    struct str program = text_of(p, name);
    if (!p->labelled)
        return colors_name(p->app, name, look);
    for (size_t i = 1; i < program.n; i++)
        if (program.s[i] == ' ')
            program.n = i;
    *look = style_slice(style_name_hash(program));
    return true;
}

static const char *count_text(struct sum amount, char buf[32]) {
    return units_count((uint64_t)amount.low, false, buf);
}

const char *paths_time_text(const struct paths *p, struct sum time, bool ascii, char buf[32]) {
    return p->of.measure == PATHS_SAMPLES && paths_time(p) == PATH_WALL
               ? count_text(time, buf)
               : units_duration(sum_ns(time), ascii, buf);
}

const char *paths_amount(const struct paths *p, struct sum amount, char buf[32]) {
    return paths_weight(p) == PATH_COUNT ? count_text(amount, buf)
                                         : paths_time_text(p, amount, p->app->grid.ascii, buf);
}

#define ALL_BUT_ROUNDED 99950000 /* 99.95 % of sum_share() */

const char *paths_share(struct sum part, struct sum whole, char buf[32]) {
    int64_t share = sum_share(part, whole);
    return share >= ALL_BUT_ROUNDED ? sum_share_whole(share, buf) : sum_share_text(share, buf);
}

void paths_heading(const struct paths *p, char *buf, size_t cap) {
    static const char *const weights[] = {"wall time", "running time"};
    char range[240], part[32], sample[64] = "", open[48] = "", n[32], share[32],
                               filter[FILTER_FAULT + 8] = "", safe[64], idle[64] = "";
    const struct path_tree *tree = paths_tree(p);
    enum path_weight by = paths_weight(p), time = paths_time(p);
    size_t n_idle = 0;
    const char *weight = by == PATH_COUNT ? paths_unit(p, false) : weights[by];
    if (by == PATH_WALL && paths_of_samples(p))
        weight = p->of.measure == PATHS_OFF_CPU ? "off-CPU time" : "samples";
    else if (by == PATH_WALL && p->processes > 0)
        weight = "wall time without that of children";
    if (p->open > 0)
        snprintf(open, sizeof open, "  %s open", units_count(p->open, false, n));
    if (p->filter) {
        text_plain(safe, sizeof safe, str_of(filter_text(p->filter)),
                   p->app->grid.ascii ? TEXT_ASCII : 0);
        snprintf(filter, sizeof filter, *p->fault ? "  %s" : "  filter: %s",
                 *p->fault ? p->fault : safe);
    }
    if (p->inside && tree)
        n_idle = (size_t)snprintf(idle, sizeof idle, "  left out: %s",
                                  paths_share(path_tree_all(tree, PATH_LEFT_OUT_NODE, time),
                                              path_tree_all(tree, PATH_ROOT, time), share));
    if (p->covered && tree)
        snprintf(idle + n_idle, sizeof idle - n_idle, "  no slice: %s",
                 paths_share(path_tree_all(tree, PATH_NO_SLICE_NODE, time),
                             path_tree_all(tree, PATH_ROOT, time), share));
    if (p->known && p->of.sample)
        snprintf(
            sample, sizeof sample, ", so far only the middle %s",
            units_duration(units_since(p->sample.from, p->sample.to), p->app->grid.ascii, part));
    uint32_t of = p->processes > 0 ? p->processes : p->threads;
    const char *threads = of == 1 ? "thread" : "threads";
    if (p->processes > 0)
        threads = paths_unit(p, of == 1);
    snprintf(buf, cap, "%s%s%s  %s%s  %s %s%s%s", weight, p->covered ? " in slices" : "", filter,
             session_answer_text(p->app, range), sample, units_count(of, false, n), threads, idle,
             open);
}

void paths_typed_words(const struct paths *p, char *buf, size_t cap) {
    char n[32], share[32];
    bool known = p->known && !p->of.sample && same_of(p->of, wanted(p));
    buf[0] = 0;
    if (p->typing.pattern_on && p->pattern)
        snprintf(buf, cap, "%s%s %s  %s ", units_count(p->marked_frames, false, n),
                 p->marks_known ? "" : " ...",
                 p->marked_frames == 1 && p->marks_known ? "frame" : "frames",
                 paths_share(p->marked[paths_weight(p)], paths_whole(p), share));
    else if (p->typing.filter_on && !known)
        snprintf(buf, cap, "counting %u%% ",
                 p->walking && !p->next_of.sample ? paths_percent(p) : 0);
    else if (p->typing.filter_on)
        snprintf(buf, cap, "%s %s ", units_count(p->slices, false, n),
                 p->slices == 1 ? "slice" : "slices");
}
