/* stat_spread.c - bars of buckets, as wide as the screen allows.
 *
 * Buckets before the first and after the last slice are left out. Three or more empty ones in a row
 * become one column with dots. If the buckets of one digit each do not fit, those of a decade are
 * added up. */
#include "ui/views/stat/slices/stat_spread.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include "src/base/units.h"

#define LEFT 8    /* columns left of the bars: the greatest count, and the axis */
#define RIGHT 34  /* columns of the lines right of them */
#define FOLDED -1 /* in place of a bucket: some empty ones */
#define FOLD 3    /* empty buckets in a row that are folded */

struct bars {
    int v[SPREAD_BUCKETS]; /* first bucket of each bar, or FOLDED */
    int n, width;          /* columns of a bar */
    int buckets;           /* of a bar: 1, or those of a decade */
    int bottom, rows;      /* of the screen */
    uint64_t most;
};

static uint64_t sum_of(const uint64_t *counts, int bucket, int buckets) {
    uint64_t n = 0;
    for (int b = bucket; b < bucket + buckets && b < SPREAD_BUCKETS; b++)
        n += counts[b];
    return n;
}

/* Bars from the first to the last bucket that has slices. */
static void make_bars(const struct spread *s, int buckets, struct bars *bars) {
    int first = 0, last = SPREAD_BUCKETS - 1;
    *bars = (struct bars){.buckets = buckets};
    while (first < SPREAD_BUCKETS && s->all[first] == 0)
        first++;
    while (last >= 0 && s->all[last] == 0)
        last--;
    if (buckets > 1)
        first -= first % buckets;
    for (int b = first, step; b <= last; b += step) {
        int empty = 0;
        step = buckets;
        while (b + empty <= last && s->all[b + empty] == 0)
            empty++;
        if (buckets == 1 && empty >= FOLD) {
            bars->v[bars->n++] = FOLDED;
            step = empty;
            continue;
        }
        uint64_t n = sum_of(s->all, b, step);
        bars->most = n > bars->most ? n : bars->most;
        bars->v[bars->n++] = b;
    }
}

static int eighths(uint64_t n, uint64_t most, int rows) {
    int level = most > 0 ? (int)((double)n / (double)most * rows * 8 + 0.5) : 0;
    return n > 0 && level == 0 ? 1 : level;
}

/* One bar, from the bottom row up: the slices that the filter leaves before all of the group. */
static void draw_bar(struct app *app, const struct stat_spread_pane *p, const struct bars *bars,
                     int x, int bar) {
    struct grid *g = &app->grid;
    const struct spread *s = p->spread;
    int rows = bars->rows, bottom = bars->bottom;
    int b = bars->v[bar], buckets = bars->buckets, wide = bars->width > 1 ? bars->width - 1 : 1;
    if (b == FOLDED) {
        grid_put(g, x, bottom, g->ascii ? '~' : 0x22ef, style_look(ROLE_DIM));
        return;
    }
    bool chosen = p->chosen >= b && p->chosen < b + buckets;
    int these = eighths(sum_of(s->these, b, buckets), bars->most, rows),
        all = eighths(sum_of(s->all, b, buckets), bars->most, rows);
    struct look look = style_look(chosen ? ROLE_VALUE : ROLE_DENSITY);
    for (int r = 0; r < rows; r++) {
        int level = these - r * 8, behind = all - r * 8;
        for (int k = 0; k < wide; k++) {
            if (level > 0)
                grid_put(g, x + k, bottom - r, grid_level(g, level < 8 ? level : 8), look);
            else if (behind >= 4 || (behind > 0 && r == 0))
                grid_put(g, x + k, bottom - r, g->ascii ? ':' : 0x2591, style_look(ROLE_DIM));
        }
    }
}

/* The begins of buckets that are powers of ten, below the bars, and a mark at one bucket. */
static void draw_axis(struct app *app, const struct stat_spread_pane *p, const struct bars *bars,
                      int y) {
    struct grid *g = &app->grid;
    int free_from = 0, right = LEFT + bars->n * bars->width + 8;
    int mark = p->chosen, marked = -1;
    if (mark < 0)
        mark = p->mark >= 0 ? spread_bucket(p->mark) : -1;
    for (int bar = 0; bar < bars->n && mark >= 0; bar++)
        if (bars->v[bar] != FOLDED && mark >= bars->v[bar] && mark < bars->v[bar] + bars->buckets)
            marked = LEFT + bar * bars->width;
    for (int bar = 0, x = LEFT; bar < bars->n; bar++, x += bars->width) {
        int b = bars->v[bar];
        char text[32];
        if (b == FOLDED)
            continue;
        bool round = b % SPREAD_DECADE == 0 || b == 1, here = x == marked;
        if (x < free_from || (!round && bar > 0 && bars->v[bar - 1] != FOLDED))
            continue;
        units_duration_short(spread_begin_of(b), g->ascii, text);
        int n = (int)text_width(str_of(text), 0, 32);
        bool hidden = marked > x && marked < x + n; /* the mark would be a letter of it */
        if (x + n < right && x + n < g->cols && !hidden)
            free_from = grid_ztext(g, x + here, y, g->cols, text, style_look(ROLE_LABEL)) + 1;
    }
    if (marked >= 0)
        grid_put(g, marked, y, '^', style_look(ROLE_VALUE));
}

bool stat_spread_is_one(const struct spread *s) {
    return s->count == s->count_all && stat_spread_next(s, -1, 1) == stat_spread_next(s, -1, -1);
}

/* "all take 4 ms .. 5 ms": a bar alone is compared with nothing. */
static void draw_one(struct grid *g, const struct stat_spread_pane *p, int y, int end) {
    char text[100], bounds[80], one[32];
    if (p->one >= 0)
        snprintf(text, sizeof text, "%s %s", p->spread->count_all > 1 ? "all take" : "it takes",
                 units_duration(p->one, g->ascii, one));
    else
        snprintf(text, sizeof text, "all take %s",
                 stat_spread_bounds(stat_spread_next(p->spread, -1, 1), g->ascii, bounds));
    grid_ztext(g, 2, y, end, text, style_look(ROLE_TEXT));
}

void stat_spread_draw(struct app *app, const struct stat_spread_pane *p, int y, int rows) {
    struct grid *g = &app->grid;
    struct bars bars;
    char n[32];
    int right = g->cols >= LEFT + RIGHT + 20 ? RIGHT : 0, room = g->cols - LEFT - right - 1,
        high = rows - 1;
    for (int i = 0; i < p->nlines && right > 0 && i < rows; i++)
        grid_text(g, (struct grid_place){g->cols - right, y + i, g->cols}, p->lines[i],
                  style_look(p->chosen >= 0 && i == p->nlines - 1 ? ROLE_VALUE : ROLE_TEXT), 0,
                  true);
    if (p->spread == NULL || p->spread->count_all == 0 || rows < 2)
        return;
    if (stat_spread_is_one(p->spread)) {
        draw_one(g, p, y, g->cols - right);
        return;
    }
    make_bars(p->spread, 1, &bars);
    if (bars.n > room)
        make_bars(p->spread, SPREAD_DECADE, &bars);
    bars.width = bars.n > 0 ? room / bars.n : 1;
    if (bars.width < 1)
        bars.width = 1;
    else if (bars.width > 4)
        bars.width = 4;
    bars.bottom = y + high - 1;
    bars.rows = high;
    units_count(bars.most, true, n);
    grid_ztext(g, LEFT - 2 - (int)strlen(n), y, g->cols, n, style_look(ROLE_DIM));
    for (int r = 0; r < high; r++)
        grid_put(g, LEFT - 1, y + r, grid_glyph(g, GLYPH_BAR), style_look(ROLE_RULER));
    for (int bar = 0; bar < bars.n && LEFT + bar * bars.width < g->cols - right; bar++)
        draw_bar(app, p, &bars, LEFT + bar * bars.width, bar);
    draw_axis(app, p, &bars, y + high);
}

int stat_spread_next(const struct spread *s, int chosen, int direction) {
    int b = direction > 0 ? 0 : SPREAD_BUCKETS - 1;
    if (chosen >= 0)
        b = chosen + direction;
    for (; b >= 0 && b < SPREAD_BUCKETS; b += direction)
        if (s->all[b] > 0)
            return b;
    return chosen;
}

/* A bound of buckets is one digit and zeros: a whole number of its unit. */
static void exact(int64_t ns, char text[32]) {
    static const struct {
        int64_t ns;
        const char *name;
    } units[] = {{1000000000, "s"}, {1000000, "ms"}, {1000, "us"}, {1, "ns"}};
    int k = 0;
    while (k < 3 && (ns < units[k].ns || ns % units[k].ns != 0))
        k++;
    snprintf(text, 32, "%" PRId64 "%s", ns / units[k].ns, units[k].name);
}

void stat_spread_filter(int bucket, char text[80]) {
    char from[32], to[32];
    exact(spread_begin_of(bucket), from);
    exact(spread_end_of(bucket), to);
    if (bucket == 0)
        snprintf(text, 80, "dur<%s", to);
    else if (spread_end_of(bucket) == INT64_MAX)
        snprintf(text, 80, "dur>=%s", from);
    else
        snprintf(text, 80, "dur>=%s dur<%s", from, to);
}

const char *stat_spread_bounds(int bucket, bool ascii, char text[80]) {
    char from[32], to[32];
    units_duration_short(spread_begin_of(bucket), ascii, from);
    units_duration_short(spread_end_of(bucket), ascii, to);
    snprintf(text, 80, "%s .. %s", from, spread_end_of(bucket) == INT64_MAX ? "" : to);
    return text;
}
