/* nest_busy.c - how busy a thread is by its slices.
 *
 * A lane answers that from its block index, up to the end of its open slice, which only its last one can be. If slices
 * overlap, top-level slices are on several rows, and the row that covers most counts. */
#include "model/nest/nest_internal.h"

#include <string.h>

#include "src/base/lower_bound.h"

#define BUSY_ROWS 256     /* rows that count for how busy a thread with overlapping slices is */

/* The end of the last slice of a row if it is open; else INT64_MAX. Only the last one can be. */
static int64_t open_end(const struct lane *lane, const struct nest_open_ends *ends) {
    bool open = lane->end == INT64_MAX && lane->n > 0 && slice_open(lane_last(lane));
    return open ? ends->end(ends->ctx, lane->start) : INT64_MAX;
}

static int64_t row_busy(struct lane *lane, const struct nest_open_ends *ends, int64_t from, int64_t to) {
    int64_t end = open_end(lane, ends);
    to = to < end ? to : end;
    if (ends->near)
        ends->near(ends->ctx, lane, &from, &to);
    return lane_busy(lane, from, to);
}

static void row_columns(struct lane *lane, const struct nest_open_ends *ends, const int64_t *edges, int columns,
                        double *share) {
    int64_t end = open_end(lane, ends);
    size_t whole = 0; /* columns before the end */
    for (int c = 0; ends->near && c < columns; c++)
        share[c] += (double)row_busy(lane, ends, edges[c], edges[c + 1]) /
                    (double)((uint64_t)edges[c + 1] - (uint64_t)edges[c]);
    if (ends->near)
        return;
    if (end == INT64_MAX)
        whole = (size_t)columns;
    lower_bound(whole, (size_t)columns, c, edges[c + 1] <= end);
    if (whole > 0)
        lane_busy_columns(lane, edges, (int)whole, share);
    if (whole < (size_t)columns && edges[whole] < end)
        share[whole] += (double)lane_busy(lane, edges[whole], end) /
                        (double)((uint64_t)edges[whole + 1] - (uint64_t)edges[whole]);
}

int64_t nest_busy(struct nest *nest, const struct nest_open_ends *ends, int64_t from, int64_t to) {
    int64_t most = 0;
    for (uint32_t row = 0; row < nest->nlanes && row < (nest->displaced == 0 ? 1 : BUSY_ROWS); row++) {
        int64_t busy = row_busy(&nest->lanes[row], ends, from, to);
        most = busy > most ? busy : most;
    }
    return most;
}

void nest_busy_columns(struct nest *nest, const struct nest_open_ends *ends, const int64_t *edges, int columns,
                       double *share) {
    if (nest->nlanes == 0)
        return;
    if (nest->displaced == 0) {
        row_columns(&nest->lanes[0], ends, edges, columns, share);
        return;
    }
    double *most = err_calloc((size_t)columns * 2, sizeof *most), *of_row = most + columns;
    for (uint32_t row = 0; row < nest->nlanes && row < BUSY_ROWS; row++) {
        memset(of_row, 0, (size_t)columns * sizeof *of_row);
        row_columns(&nest->lanes[row], ends, edges, columns, of_row);
        for (int c = 0; c < columns; c++)
            most[c] = of_row[c] > most[c] ? of_row[c] : most[c];
    }
    for (int c = 0; c < columns; c++)
        share[c] += most[c];
    free(most);
}
