/* nest_losses.c - a list of offsets for each writer that lost records. */
#include "model/nest/nest_losses.h"

#include "src/base/lower_bound.h"

void nest_losses_add(struct nest_losses *losses, uint32_t writer, uint64_t offset) {
    uint64_t place = u64map_get(&losses->places, writer);
    if (place == UINT64_MAX) {
        place = losses->v.n;
        u64map_set(&losses->places, writer, place);
        vec_push(&losses->v, ((struct nest_losses_list){0}));
    }
    vec_push(&losses->v.v[place].at, offset);
}

bool nest_losses_between(const struct nest_losses *losses, uint32_t writer, uint64_t from,
                         uint64_t to) {
    uint64_t place = losses->v.n > 0 ? u64map_get(&losses->places, writer) : UINT64_MAX;
    if (place == UINT64_MAX)
        return false;
    const struct nest_losses_list *list = &losses->v.v[place];
    size_t k = 0, n = list->at.n;
    lower_bound(k, n, i, list->at.v[i] <= from);
    return k < list->at.n && list->at.v[k] < to;
}

void nest_losses_free(struct nest_losses *losses) {
    for (size_t i = 0; i < losses->v.n; i++)
        vec_free(&losses->v.v[i].at);
    vec_free(&losses->v);
    u64map_free(&losses->places);
}
