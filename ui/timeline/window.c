/* window.c - zoom, pan, clamp, column <-> ns. Coordinates: ns relative to the reader's base, and
 * columns.
 *
 * Products of a width and a count of columns are computed from quotient and remainder, so that 64
 * bits suffice; sums saturate. */
#include "ui/timeline/window.h"

#include <limits.h>

#include "src/base/lower_bound.h"

static int64_t add(int64_t a, int64_t b) {
    if (b > 0 && a > INT64_MAX - b)
        return INT64_MAX;
    if (b < 0 && a < INT64_MIN - b)
        return INT64_MIN;
    return a + b;
}

static int64_t subtract(int64_t a, int64_t b) {
    if (b < 0 && a > INT64_MAX + b)
        return INT64_MAX;
    if (b > 0 && a < INT64_MIN + b)
        return INT64_MIN;
    return a - b;
}

static int64_t min(int64_t a, int64_t b) {
    return a < b ? a : b;
}

static int64_t max(int64_t a, int64_t b) {
    return a > b ? a : b;
}

/* a * num / den for a >= 0, num and den > 0; saturates. */
static int64_t scale(int64_t a, int64_t num, int64_t den) {
    if (a / den > INT64_MAX / num)
        return INT64_MAX;
    return add(a / den * num, a % den * num / den);
}

/* a * to / from for 0 <= a < from; less than `to`. Exact if `from` has at most 31 bits, else to 30
 * bits. */
static int64_t rescale(int64_t a, int64_t to, int64_t from) {
    while (from >= INT64_C(1) << 31) {
        from >>= 1;
        a >>= 1;
    }
    return min(to / from * a + to % from * a / from, to - 1);
}

static void clamp(struct window *w) {
    w->width = max(w->columns, min(w->width, w->hi - w->lo));
    if (w->width >= w->hi - w->lo)
        w->from = min(w->lo, INT64_MAX - w->width); /* the whole trace */
    else
        w->from = max(w->lo, min(w->from, w->hi - w->width));
}

static void set_limits(struct window *w, int64_t first, int64_t last, int columns) {
    int64_t length = subtract(max(first, last), first);
    w->columns = columns;
    w->lo = min(first, INT64_MAX - 1);
    w->hi = add(w->lo, add(length, length / 100 + 1));
}

void window_whole(struct window *w, int64_t first, int64_t last, int columns) {
    set_limits(w, first, last, columns);
    w->from = w->lo;
    w->width = w->hi - w->lo;
    clamp(w);
}

void window_limits(struct window *w, int64_t first, int64_t last, int columns) {
    set_limits(w, first, last, columns);
    clamp(w);
}

void window_set(struct window *w, int64_t from, int64_t width) {
    w->from = from;
    w->width = width;
    clamp(w);
}

void window_zoom(struct window *w, int64_t t, int num, int den) {
    t = max(w->from, min(t, w->from + w->width - 1));
    int c = window_column(w, t);
    int64_t begin = window_edge(w, c), length = window_edge(w, c + 1) - begin,
            width = scale(w->width, num, den);
    if (num > den)
        width = max(width, add(w->width, 1));
    struct window z = *w; /* only its edges relative to its start are used */
    z.from = 0;
    z.width = max(w->columns, min(width, w->hi - w->lo));
    int64_t edge = window_edge(&z, c);
    window_set(w, subtract(t, edge + rescale(t - begin, window_edge(&z, c + 1) - edge, length)),
               z.width);
}

void window_pan(struct window *w, int64_t columns) {
    bool back = columns < 0;
    uint64_t n = back ? 0 - (uint64_t)columns : (uint64_t)columns;
    uint64_t windows = n / (uint64_t)w->columns, rest = n % (uint64_t)w->columns;
    int64_t by = INT64_MAX;
    if (windows <= (uint64_t)(INT64_MAX / w->width))
        by = add((int64_t)windows * w->width, window_edge(w, (int)rest) - w->from);
    window_set(w, back ? subtract(w->from, by) : add(w->from, by), w->width);
}

void window_center(struct window *w, int64_t t) {
    window_set(w, subtract(t, w->width / 2), w->width);
}

void window_fit(struct window *w, int64_t start, int64_t end) {
    int64_t length = subtract(max(start, end), start);
    /* 1/18 of it is 1/20 of the window */
    int64_t width = max(w->columns, add(length, length / 18 * 2));
    window_set(w, subtract(start, (width - length) / 2), width);
}

bool window_reveal(struct window *w, int64_t t) {
    int64_t tenth = w->width / 10;
    if (t < w->from)
        window_set(w, subtract(t, tenth), w->width);
    else if ((uint64_t)t - (uint64_t)w->from >= (uint64_t)w->width)
        window_set(w, subtract(t, w->width - 1 - tenth), w->width);
    else
        return false;
    return true;
}

int64_t window_edge(const struct window *w, int column) {
    int64_t q = w->width / w->columns, r = w->width % w->columns;
    return w->from + q * column + r * column / w->columns;
}

int window_column(const struct window *w, int64_t t) {
    if (t < w->from)
        return -1;
    uint64_t d = (uint64_t)t - (uint64_t)w->from, q = (uint64_t)(w->width / w->columns);
    if (d >= (uint64_t)w->width)
        return w->columns;
    /* all columns are q or q + 1 wide, which leaves few to search */
    size_t column = (size_t)(d / (q + 1)) + 1, end = (size_t)w->columns;
    if (d / q + 1 < end)
        end = (size_t)(d / q) + 1;
    lower_bound(column, end, c, window_edge(w, (int)c) <= t);
    return (int)column - 1;
}

int64_t window_eighth(const struct window *w, int64_t t) {
    int c = window_column(w, t);
    if (c < 0)
        return 0;
    if (c == w->columns)
        return (int64_t)8 * c;
    int64_t begin = window_edge(w, c);
    return (int64_t)8 * c + rescale(t - begin, 8, window_edge(w, c + 1) - begin);
}

void window_edges(const struct window *w, int64_t *edges) {
    for (int c = 0; c <= w->columns; c++)
        edges[c] = window_edge(w, c);
}

int64_t window_per_column(const struct window *w) {
    return w->width / w->columns;
}

bool window_eq(const struct window *a, const struct window *b) {
    return a->from == b->from && a->width == b->width && a->columns == b->columns &&
           a->lo == b->lo && a->hi == b->hi;
}
