/* colors.c - totals of all names in a task; the greatest ten of them get colours. */
#include "ui/timeline/colors.h"

#include "model/query/aggregate.h"
#include "src/base/time/sum.h"
#include "ui/screen/style.h"

struct totals {
    struct trace *trace;
    struct aggregate aggregate; /* rows of names */
};

static void add(struct task *task, struct totals *t, unsigned kinds) {
    struct slice_set set = SLICE_SET_ALL(kinds);
    struct slice_order order;
    set.times = true;
    slice_order_init(&order, t->trace, &set);
    aggregate_nested(&t->aggregate, t->trace, &order, task);
    slice_order_free(&order);
}

static void make_totals(struct task *task, void *data) {
    struct totals *t = data;
    t->aggregate = AGGREGATE_INIT(AGGREGATE_NAME);
    add(task, t, SLICE_ITER_SLICES);
    add(task, t, SLICE_ITER_OPERATIONS);
}

static void free_totals(void *data) {
    aggregate_free(&((struct totals *)data)->aggregate);
}

static const struct answer_ops totals_ops = {sizeof(struct totals), make_totals, free_totals};

/* Puts a row into the heaviest so far, of which there are n; returns how many there are then. */
static uint32_t insert(const struct aggregate_row **heaviest, uint32_t n, uint32_t most,
                       const struct aggregate_row *row) {
    uint32_t i = n < most ? n : most - 1;
    if (n == most && sum_cmp(row->total, heaviest[i]->total) <= 0)
        return n;
    for (; i > 0 && sum_cmp(row->total, heaviest[i - 1]->total) > 0; i--)
        heaviest[i] = heaviest[i - 1];
    heaviest[i] = row;
    return n < most ? n + 1 : n;
}

static bool rank(struct app *app, const struct totals *t) {
    const struct aggregate_row *heaviest[STYLE_SERIES] = {0};
    uint32_t hashes[STYLE_SERIES], n = 0;
    for (size_t i = 0; i < t->aggregate.rows.n; i++)
        n = insert(heaviest, n, style_hues(), &t->aggregate.rows.v[i]);
    for (uint32_t i = 0; i < n; i++)
        hashes[i] = style_name_hash(trace_name(app->trace, heaviest[i]->key.name));
    return style_rank(hashes, n);
}

bool colors_step(struct app *app) {
    struct colors *colors = &app->timeline.colors;
    bool complete = trace_state(app->trace) == TRACE_COMPLETE;
    if (style_depth() == COLOR_MONO || (colors->ranked && !complete))
        return false;
    if (!answer_is_of(&colors->totals, app->trace, 0)) {
        struct totals *t = answer_ask(&colors->totals, &totals_ops, app->trace, 0);
        t->trace = app->trace;
    }
    if (colors->totals.done)
        return false;
    if (!answer_step(&colors->totals, app->work))
        return true;
    const struct totals *t = colors->totals.shown;
    colors->ranked = colors->ranked || t->aggregate.rows.n > 0;
    app->dirty = rank(app, t) || app->dirty;
    return false;
}

void colors_free(struct app *app) {
    answer_drop(&app->timeline.colors.totals);
    style_rank(NULL, 0);
}
