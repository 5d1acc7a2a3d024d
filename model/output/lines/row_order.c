/* row_order.c - takes the rows one after the other; one whose next event has to wait goes on once
 * that has come. */
#include "model/output/lines/row_order.h"

#include <stdbool.h>
#include <stdlib.h>

#include "src/base/u64map.h"
#include "src/base/vec.h"

struct row {
    size_t next, end;
};

struct taking {
    const uint32_t *before;    /* by event, the one that it waits for */
    uint32_t *order, *waiting; /* waiting: by event, the row + 1 that waits for it */
    bool *taken;
    size_t n;
    VEC(struct row) rows;
    VEC(uint32_t) ready;
};

static void take(struct taking *t, size_t row) {
    size_t event = t->rows.v[row].next++;
    t->order[t->n++] = (uint32_t)event;
    t->taken[event] = true;
    if (t->waiting[event] > 0)
        vec_push(&t->ready, t->waiting[event] - 1);
}

/* Takes all rows that wait for none, from this row on. */
static void go_on(struct taking *t, size_t row) {
    vec_push(&t->ready, (uint32_t)row);
    while (t->ready.n > 0) {
        uint32_t now = t->ready.v[--t->ready.n];
        while (t->rows.v[now].next < t->rows.v[now].end) {
            uint32_t before = t->before[t->rows.v[now].next];
            if (before != ROW_ORDER_NONE && !t->taken[before]) {
                t->waiting[before] = now + 1;
                break;
            }
            take(t, now);
        }
    }
}

/* By event, the one that comes before it in its flow. */
static uint32_t *points_before(const struct row_event *v, size_t n) {
    uint32_t *before = err_malloc(n * sizeof *before);
    struct u64map at = {0};
    for (size_t i = 0; i < n; i++) {
        before[i] = ROW_ORDER_NONE;
        if (v[i].point != ROW_ORDER_NONE)
            u64map_set(&at, v[i].point, i);
    }
    for (size_t i = 0; i < n; i++) {
        uint64_t after = v[i].after == ROW_ORDER_NONE ? UINT64_MAX : u64map_get(&at, v[i].after);
        if (after != UINT64_MAX)
            before[after] = (uint32_t)i;
    }
    u64map_free(&at);
    return before;
}

void row_order(const struct row_event *v, size_t n, uint32_t *order) {
    size_t points = 0;
    for (size_t i = 0; i < n; i++) {
        order[i] = (uint32_t)i;
        points += v[i].point != ROW_ORDER_NONE;
    }
    if (points < 2)
        return;
    uint32_t *before = points_before(v, n);
    struct taking t = {.before = before,
                       .order = order,
                       .waiting = err_calloc(n, sizeof *t.waiting),
                       .taken = err_calloc(n, sizeof *t.taken)};
    for (size_t i = 0; i < n; i++) {
        if (i == 0 || v[i].row != v[i - 1].row)
            vec_push(&t.rows, ((struct row){i, i}));
        t.rows.v[t.rows.n - 1].end = i + 1;
    }
    for (size_t row = 0; row < t.rows.n; row++)
        go_on(&t, row);
    for (size_t row = 0; row < t.rows.n; row++) /* all that is left waits in a circle */
        while (t.rows.v[row].next < t.rows.v[row].end) {
            take(&t, row);
            go_on(&t, row);
        }
    free(before);
    free(t.waiting);
    free(t.taken);
    vec_free(&t.rows);
    vec_free(&t.ready);
}
