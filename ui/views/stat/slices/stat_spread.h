/* stat_spread.h - the pane of view 2: how long the slices of a row are, as bars over a logarithmic
 * axis. */
#ifndef FXTOP_STAT_SPREAD_H
#define FXTOP_STAT_SPREAD_H

#include "model/query/stat/spread.h"
#include "ui/session.h"

struct stat_spread_pane {
    const struct spread *spread;
    int chosen;          /* bucket; -1: none */
    int64_t mark;        /* a duration that is pointed at; -1: none */
    int64_t one;         /* the duration of all slices; -1: they differ, or it is not known */
    bool filtered;       /* the filter leaves out some */
    struct str lines[6]; /* right of the bars */
    int nlines;
};

/* In rows [y, y + rows) of the screen: bars, axis, and the lines right of them. */
void stat_spread_draw(struct app *app, const struct stat_spread_pane *pane, int y, int rows);
/* Whether the slices are in one bucket, so that there is nothing to compare or to choose. */
bool stat_spread_is_one(const struct spread *spread);
/* The next bucket with slices in a direction, from none to the first or last; -1: there is none. */
int stat_spread_next(const struct spread *spread, int chosen, int direction);
/* "dur>=5ms dur<7ms": the bucket as a filter. */
void stat_spread_filter(int bucket, char text[80]);
/* "5 ms .. 7 ms" */
const char *stat_spread_bounds(int bucket, bool ascii, char text[80]);

#endif
