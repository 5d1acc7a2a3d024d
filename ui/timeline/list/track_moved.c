/* track_moved.c - makes the moves one after the other, as they were made by hand. */
#include "ui/timeline/list/track_moved.h"

#include <string.h>

bool track_moved_add(struct track_moved *m, const struct track_move *move) {
    const struct track_move *last = m->v.n > 0 ? &m->v.v[m->v.n - 1] : NULL;
    if (last && last->thread == move->thread && last->item == move->before &&
        last->before == move->item) {
        m->v.n--;
        return true;
    }
    if (m->v.n == TRACK_MOVED_MOST)
        return false;
    vec_push(&m->v, *move);
    return true;
}

/* The place of a number; n: it is not there. */
static size_t place_of(const uint32_t *v, size_t n, uint32_t number) {
    size_t i = 0;
    while (i < n && v[i] != number)
        i++;
    return i;
}

static void make_move(uint32_t *v, size_t n, const struct track_move *move) {
    size_t from = place_of(v, n, move->item), to = place_of(v, n, move->before);
    if (from == n || to == n || from == to)
        return;
    if (from < to) {
        memmove(v + from, v + from + 1, (to - 1 - from) * sizeof *v);
        v[to - 1] = move->item;
    } else {
        memmove(v + to + 1, v + to, (from - to) * sizeof *v);
        v[to] = move->item;
    }
}

const uint32_t *track_moved_order(struct track_moved *m, bool thread, uint32_t process,
                                  const uint32_t *v, size_t n) {
    bool any = false;
    for (size_t i = 0; i < m->v.n; i++) {
        const struct track_move *move = &m->v.v[i];
        if (move->thread != thread || (thread && move->process != process))
            continue;
        if (!any && n > 0) {
            vec_reserve(&m->order, n);
            memcpy(m->order.v, v, n * sizeof *v);
        }
        any = n > 0;
        make_move(m->order.v, n, move);
    }
    return any ? m->order.v : v;
}

void track_moved_free(struct track_moved *m) {
    vec_free(&m->v);
    vec_free(&m->order);
}
