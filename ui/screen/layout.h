/* layout.h - size -> rectangles; arithmetic only. Coordinates: columns and rows of the screen. */
#ifndef FXTOP_LAYOUT_H
#define FXTOP_LAYOUT_H

#include <stdbool.h>

#define LAYOUT_MIN_COLS 20
#define LAYOUT_MIN_ROWS 5

struct layout {
    bool too_small;   /* below 20x5: one line has the size needed */
    bool small;        /* below 60x16: an open drawer takes all rows of the tracks */
    bool drawer_alone; /* the drawer takes all rows of the tracks now */
    int gutter;       /* columns left of the bar; the bar is at column `gutter` */
    int lane, lanes;  /* first column and number of columns of the timeline */
    int title, overview, hits, ruler; /* rows; -1: not shown */
    int tracks, track_rows;
    int drawer, drawer_rows; /* row of the rule with the tabs; number of rows including it, 0: closed */
    int status, hint; /* rows; -1: not shown */
};

struct layout layout_of(int cols, int rows, bool drawer, bool hits);

#endif
