/* stat_raster.c - buckets from the shortest to the longest slice, as many a row as are needed.
 *
 * Brightness grows with the logarithm of the count: a single slice is seen next to a thousand. */
#include "ui/views/stat/slices/stat_raster.h"

#include <stdio.h>

#include "src/base/units.h"

#define LEFT 10 /* columns left of the raster: the begin of the row's bucket */

int stat_raster_columns(const struct app *app) {
    int columns = app->grid.cols - LEFT - 1;
    if (columns < 1)
        return 1;
    return columns > RASTER_COLUMNS ? RASTER_COLUMNS : columns;
}

static uint64_t sum_of(const struct raster *r, int bucket, int buckets, int column) {
    uint64_t n = 0;
    for (int b = bucket; b < bucket + buckets && b < SPREAD_BUCKETS; b++)
        n += r->counts[b][column];
    return n;
}

static bool any_in(const struct raster *r, int bucket) {
    for (int c = 0; c < r->columns; c++)
        if (r->counts[bucket][c] > 0)
            return true;
    return false;
}

/* 1 to 4 by the count's logarithm. */
static int shade(uint64_t n, uint64_t most) {
    int bits = 0, all = 0;
    for (uint64_t x = n; x > 1; x >>= 1)
        bits++;
    for (uint64_t x = most; x > 1; x >>= 1)
        all++;
    return all == 0 ? 4 : 1 + bits * 3 / all;
}

static void draw_row(struct app *app, const struct raster *r, int y, int bucket, int buckets,
                     uint64_t most) {
    static const uint32_t shades[] = {' ', 0x2591, 0x2592, 0x2593, 0x2588},
                          ascii[] = {' ', '.', ':', '*', '#'};
    struct grid *g = &app->grid;
    char text[32];
    units_duration_short(spread_begin_of(bucket), g->ascii, text);
    grid_ztext(g, LEFT - 2 - (int)text_width(str_of(text), 0, 32), y, g->cols, text,
               style_look(ROLE_LABEL));
    grid_put(g, LEFT - 1, y, grid_glyph(g, GLYPH_BAR), style_look(ROLE_RULER));
    for (int c = 0; c < r->columns && LEFT + c < g->cols; c++) {
        uint64_t n = sum_of(r, bucket, buckets, c);
        int level = n > 0 ? shade(n, most) : 0;
        if (level > 0)
            grid_put(g, LEFT + c, y, (g->ascii ? ascii : shades)[level], style_look(ROLE_DENSITY));
    }
}

static void draw_axis(struct app *app, const struct raster *r, int y) {
    struct grid *g = &app->grid;
    char from[48], to[48];
    session_point(app, r->from, session_resolution(app->trace), from);
    session_point(app, r->to, session_resolution(app->trace), to);
    int x = grid_ztext(g, LEFT, y, g->cols, from, style_look(ROLE_LABEL)),
        at = LEFT + r->columns - (int)text_width(str_of(to), 0, 48);
    if (at > x + 1)
        grid_ztext(g, at, y, g->cols, to, style_look(ROLE_LABEL));
}

void stat_raster_draw(struct app *app, const struct raster *r, int y, int rows) {
    int first = 0, last = SPREAD_BUCKETS - 1, buckets = 1;
    uint64_t most = 1;
    while (first < SPREAD_BUCKETS && !any_in(r, first))
        first++;
    while (last > first && !any_in(r, last))
        last--;
    if (first == SPREAD_BUCKETS || rows < 2)
        return;
    while ((last - first + buckets) / buckets > rows - 1)
        buckets++;
    int n = (last - first + buckets) / buckets;
    for (int k = 0; k < n; k++)
        for (int c = 0; c < r->columns; c++) {
            uint64_t sum = sum_of(r, first + k * buckets, buckets, c);
            most = sum > most ? sum : most;
        }
    for (int k = 0; k < n; k++)
        draw_row(app, r, y + n - 1 - k, first + k * buckets, buckets, most);
    draw_axis(app, r, y + n);
}
