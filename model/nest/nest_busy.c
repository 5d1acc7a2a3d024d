/* nest_busy.c - how busy a thread is by its slices.
 *
 * A lane answers that from its block index, up to the end of its open slice, which only its last
 * one can be. All later slices are nested in that one, so from its end on the next row counts. So
 * it does under a slice that is left out. If slices overlap, top-level slices are on several rows,
 * and the row that covers most counts. */
#include "model/nest/nest_internal.h"

#include <string.h>

#include "src/base/lower_bound.h"
#include "src/base/units.h"

#define BUSY_ROWS 256 /* rows that are searched */

struct columns {
    const int64_t *edges; /* n + 1 */
    int n;
    double *share;
};

static double width(const int64_t *edges, size_t column) {
    return (double)((uint64_t)edges[column + 1] - (uint64_t)edges[column]);
}

/* The end of the last slice of a row if it is open; else INT64_MAX. Only the last one can be. */
static int64_t open_end(const struct lane *lane, const struct nest_open_ends *ends) {
    bool open = lane->end == INT64_MAX && lane->n > 0 && slice_open(lane_last(lane));
    return open ? ends->end(ends->ctx, lane->start) : INT64_MAX;
}

static int64_t least(int64_t a, int64_t b) {
    return a < b ? a : b;
}

static int64_t most(int64_t a, int64_t b) {
    return a > b ? a : b;
}

struct stretch {
    int64_t from, to;
};

struct stretches {
    VEC(struct stretch) v; /* that the next row is asked about */
};

static void add_stretch(struct stretches *next, int64_t from, int64_t to) {
    if (next && from < to)
        vec_push(&next->v, ((struct stretch){from, to}));
}

/* The time of a row in [from, to). Adds what the next row covers instead to `next`, which may be
 * NULL. */
static int64_t row_busy(struct lane *lane, const struct nest_open_ends *ends, int64_t from,
                        int64_t to, struct stretches *next) {
    int64_t end = open_end(lane, ends), until = least(to, end);
    int64_t busy = from < until ? lane_busy(lane, from, until) : 0;
    uint32_t i = UINT32_MAX;
    if (ends->left_out) {
        i = lane_before(lane, from);
        i = ends->left_out(ends->ctx, lane, i == UINT32_MAX ? 0 : i);
    }
    for (; i < lane->n && lane_start(lane, i) < until; i = ends->left_out(ends->ctx, lane, i + 1)) {
        int64_t begin = most(lane_start(lane, i), from),
                stop = least(slice_end(lane_at(lane, i)), until);
        if (begin < stop)
            busy -= units_since(begin, stop);
        add_stretch(next, begin, stop);
    }
    add_stretch(next, most(end, from), to);
    return busy;
}

/* Adds the time of the lane in each column from `since` on. */
static void row_columns(struct lane *lane, const struct nest_open_ends *ends, int64_t since,
                        struct columns *to) {
    const int64_t *edges = to->edges;
    int64_t end = open_end(lane, ends);
    size_t n = (size_t)to->n, first = 0, last;
    lower_bound(first, n, c, edges[c] < since); /* whole columns are [first, last) */
    last = first;
    lower_bound(last, n, c, edges[c + 1] <= end);
    if (last > first)
        lane_busy_columns(lane, edges + first, (int)(last - first), to->share + first);
    if (first > 0 && edges[first - 1] < since && since < edges[first])
        to->share[first - 1] +=
            (double)row_busy(lane, ends, since, edges[first], NULL) / width(edges, first - 1);
    for (size_t c = last; c < n && edges[c] < end; c++)
        to->share[c] +=
            (double)row_busy(lane, ends, edges[c], edges[c + 1], NULL) / width(edges, c);
}

/* The first row, and where it has no slice that counts the next one, which then holds the outermost
 * slices. */
static int64_t stack_busy(struct nest *nest, const struct nest_open_ends *ends, int64_t from,
                          int64_t to) {
    int64_t busy = 0;
    struct stretches now = {0}, next = {0};
    add_stretch(&now, from, to);
    for (uint32_t row = 0; row < nest->nlanes && row < BUSY_ROWS && now.v.n > 0; row++) {
        struct stretches done = now;
        for (size_t k = 0; k < now.v.n; k++)
            busy += row_busy(&nest->lanes[row], ends, now.v.v[k].from, now.v.v[k].to, &next);
        now = next;
        next = done;
        next.v.n = 0;
    }
    vec_free(&now.v);
    vec_free(&next.v);
    return busy;
}

static void stack_columns(struct nest *nest, const struct nest_open_ends *ends,
                          struct columns *to) {
    int64_t since = to->edges[0];
    for (uint32_t row = 0; row < nest->nlanes && row < BUSY_ROWS && since < to->edges[to->n];
         row++) {
        int64_t end = open_end(&nest->lanes[row], ends);
        row_columns(&nest->lanes[row], ends, since, to);
        since = end > since ? end : since;
    }
}

int64_t nest_busy(struct nest *nest, const struct nest_open_ends *ends, int64_t from, int64_t to) {
    int64_t busy = 0;
    if (nest->displaced == 0)
        return stack_busy(nest, ends, from, to);
    for (uint32_t row = 0; row < nest->nlanes && row < BUSY_ROWS; row++)
        busy = most(busy, row_busy(&nest->lanes[row], ends, from, to, NULL));
    return busy;
}

void nest_busy_columns(struct nest *nest, const struct nest_open_ends *ends, const int64_t *edges,
                       int columns, double *share) {
    if (nest->nlanes == 0)
        return;
    if (ends->left_out) {
        for (int c = 0; c < columns; c++)
            share[c] +=
                (double)nest_busy(nest, ends, edges[c], edges[c + 1]) / width(edges, (size_t)c);
        return;
    }
    if (nest->displaced == 0) {
        stack_columns(nest, ends, &(struct columns){edges, columns, share});
        return;
    }
    double *best = err_calloc((size_t)columns * 2, sizeof *best), *of_row = best + columns;
    for (uint32_t row = 0; row < nest->nlanes && row < BUSY_ROWS; row++) {
        memset(of_row, 0, (size_t)columns * sizeof *of_row);
        row_columns(&nest->lanes[row], ends, edges[0], &(struct columns){edges, columns, of_row});
        for (int c = 0; c < columns; c++)
            best[c] = of_row[c] > best[c] ? of_row[c] : best[c];
    }
    for (int c = 0; c < columns; c++)
        share[c] += best[c];
    free(best);
}

int64_t nest_self(const struct nest *nest, uint32_t row, int64_t start, int64_t end) {
    int64_t below = row + 1 < nest->nlanes ? lane_busy(&nest->lanes[row + 1], start, end) : 0;
    return units_since(start, end) - below;
}
