/* layout.h - size -> rectangles; arithmetic only. Coordinates: columns and rows of the screen. */
#ifndef FXTOP_LAYOUT_H
#define FXTOP_LAYOUT_H

#include <stdbool.h>
#include <stdint.h>

#define LAYOUT_MIN_COLS 20
#define LAYOUT_MIN_ROWS 5
#define LAYOUT_DRAWER_LEAST 3 /* rows of a drawer: the rule and two lines */
#define LAYOUT_TRACKS_LEAST 3 /* rows that a drawer leaves to the tracks */

struct layout {
    bool too_small;    /* below 20x5: one line has the size needed */
    bool small;        /* below 60x16: an open drawer takes all rows of the tracks */
    bool drawer_alone; /* the drawer takes all rows of the tracks now */
    int gutter;        /* columns left of the bar; the bar is at column `gutter` */
    int lane, lanes;   /* first column and number of columns of the timeline */
    int title, overview, hits, ruler, range; /* rows; -1: not shown */
    int tracks, track_rows;
    /* row of the rule with the tabs; number of rows including it, 0: closed */
    int drawer, drawer_rows;
    int status, hint; /* rows; -1: not shown */
};

struct layout_ask {
    bool drawer, hits; /* the drawer is open; a search has hits to show */
    bool range;        /* there is a range of time to draw */
    /* of the drawer, as the user chose; 0: a share of the screen, and the rows that tracks leave */
    int drawer_rows;
    uint64_t lines; /* of the tracks, with the rule below pinned ones */
};

struct layout layout_of(int cols, int rows, const struct layout_ask *ask);

#endif
