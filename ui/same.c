#include "ui/same.h"

void same_free(struct same *same) {
    spread_free(&same->spread);
    *same = (struct same){0};
}

static bool is_of(const struct same *same, const struct trace *trace, const struct pick *pick) {
    return same->any && pick->kind == PICK_ASYNC && same->group == pick->of && same->version == trace_version(trace);
}

/* Open operations have no length yet. */
static void gather(struct same *same, struct trace *trace, const struct pick *pick) {
    const struct async_group *g = trace_async(trace)->groups.v[pick->of];
    same_free(same);
    *same = (struct same){.any = true, .group = pick->of, .version = trace_version(trace)};
    for (uint32_t row = 0; row < g->nlanes; row++)
        for (uint32_t i = 0; i < g->lanes[row].n; i++)
            if (!slice_open(lane_at(&g->lanes[row], i)))
                spread_add(&same->spread, slice_dur(lane_at(&g->lanes[row], i)), i);
}

bool same_step(struct same *same, struct trace *trace, const struct pick *pick, uint64_t budget, bool *news) {
    if (pick->kind != PICK_ASYNC)
        return false;
    if (!is_of(same, trace, pick))
        gather(same, trace, pick);
    bool before = same->spread.sorted, done = spread_step(&same->spread, &budget);
    *news = done && !before;
    return !done;
}

const struct spread *same_of(const struct same *same, const struct trace *trace, const struct pick *pick) {
    return is_of(same, trace, pick) && same->spread.sorted ? &same->spread : NULL;
}
