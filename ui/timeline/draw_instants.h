/* draw_instants.h - moments on their lines: instants, log records, the profiler's records. */
#ifndef FXTOP_DRAW_INSTANTS_H
#define FXTOP_DRAW_INSTANTS_H

#include "ui/session.h"

void draw_instants_begin(struct timeline *timeline); /* at the start of each frame */
void draw_instants_free(struct timeline *timeline);
/* Over the cells of screen row y; in columns of density, moments only shade the ground. */
void draw_instants(struct app *app, int y, const struct track_line *line);
/* The profiler's records of a thread, on blank cells. */
void draw_instants_profile(struct app *app, int y, uint32_t thread);

#endif
