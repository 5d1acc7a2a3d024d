/* draw_gutter.h - the columns left of the timeline: names of tracks. Columns and rows are the
 * screen's. */
#ifndef FXTOP_DRAW_GUTTER_H
#define FXTOP_DRAW_GUTTER_H

#include <inttypes.h>
#include <stdio.h>

#include "ui/session.h"

/* Name at the left from x on, number at the right. A number that does not fit loses leading digits,
 * or is left out. */
void draw_gutter(struct app *app, int y, int x, struct str name, const char *id, struct look look);
/* A koid as it stands there: the number that a program gave a virtual thread (SEMANTICS 1.6) is
 * "v7". Importers give rows without a number one from DRAW_GUTTER_MADE on, and rows of samples get
 * one from twice that on. These are not shown: "". Returns the length. */
#define DRAW_GUTTER_NUMBER 24
#define DRAW_GUTTER_MADE UINT64_C(1000000000)
static inline int draw_gutter_number(char id[DRAW_GUTTER_NUMBER], uint64_t koid) {
    bool is_virtual = koid >> 63;
    id[0] = '\0';
    uint64_t times = koid / DRAW_GUTTER_MADE;
    if ((times == 1 || times == 2) && koid % DRAW_GUTTER_MADE < DRAW_GUTTER_MADE / 10)
        return 0;
    return snprintf(id, DRAW_GUTTER_NUMBER, "%s%" PRIu64, is_virtual ? "v" : "",
                    koid & UINT64_MAX >> 1);
}
struct look draw_gutter_look(const struct timeline *timeline, const struct track *track,
                             uint32_t row); /* that of a name */
/* Columns before the name of a process that another one began. */
static inline int draw_gutter_indent(const struct app *app, const struct track *track) {
    int step = app->layout.gutter < 20 ? 1 : 2, most = app->layout.gutter / 4;
    return step * track->nested < most ? step * track->nested : most;
}
void draw_gutter_header(struct app *app, int y, const struct track *track, struct str name,
                        const char *id);
void draw_gutter_deeper(struct app *app, int y, const struct track *track); /* "+3 deeper" */
/* The depth of a row, if it is the current one or a fifth of a deep track. The uppermost row on the
 * screen (top) has the name of the track, so that a deep stack never loses it. */
void draw_gutter_row(struct app *app, int y, const struct track *track, uint32_t row, bool top);

#endif
