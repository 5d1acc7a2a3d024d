/* layout.c - the rectangles of the panes, from the size of the screen. Small screens lose panes,
 * from the least useful. */
#include "ui/screen/layout.h"

/* Rows of the drawer, of which no number was asked for. */
static int usual_drawer_rows(int rows) {
    if (rows < 28)
        return 5;
    if (rows < 34)
        return 7;
    return rows < 50 ? 9 : 10;
}

static int gutter_columns(int cols) {
    if (cols < 60)
        return 8;
    if (cols < 100)
        return 16;
    return cols < 160 ? 21 : 28;
}

/* Rows of the drawer, of `room` that it shares with the tracks. */
static int drawer_rows(const struct layout_ask *ask, int rows, int room) {
    int n = ask->drawer_rows > 0 ? ask->drawer_rows : usual_drawer_rows(rows);
    int most = room - LAYOUT_TRACKS_LEAST;
    if (ask->drawer_rows == 0 && ask->lines < (uint64_t)(room - n)) /* rows that would stay blank */
        n = room - (int)ask->lines;
    if (n < LAYOUT_DRAWER_LEAST)
        n = LAYOUT_DRAWER_LEAST;
    return n < most ? n : most;
}

struct layout layout_of(int cols, int rows, const struct layout_ask *ask) {
    struct layout l = {
        .overview = -1, .hits = -1, .ruler = -1, .range = -1, .hint = -1, .status = -1};
    if (cols < LAYOUT_MIN_COLS || rows < LAYOUT_MIN_ROWS) {
        l.too_small = true;
        return l;
    }
    bool small = cols < 60 || rows < 16;
    l.gutter = gutter_columns(cols);
    l.lane = l.gutter + 1;
    l.lanes = cols - l.lane;
    int top = 1, bottom = rows - 1;
    if (rows >= 10)
        l.overview = top++;
    if (ask->hits && rows > 24)
        l.hits = top++;
    if (rows >= 7)
        l.ruler = top++;
    if (ask->range && rows > 24)
        l.range = top++;
    l.hint = bottom--;
    l.status = bottom--;
    l.small = small;
    if (ask->drawer && small) {
        l.drawer_alone = true;
        l.drawer = 1;
        l.drawer_rows = bottom;
    } else if (ask->drawer) {
        l.drawer_rows = drawer_rows(ask, rows, bottom - top + 1);
        l.drawer = bottom - l.drawer_rows + 1;
        bottom -= l.drawer_rows;
    }
    l.tracks = top;
    l.track_rows = bottom - top + 1;
    return l;
}
