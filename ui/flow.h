/* flow.h - the flow that is followed: the chosen one of those that pass through the selected slice. */
#ifndef FXTOP_FLOW_UI_H
#define FXTOP_FLOW_UI_H

#include "ui/app.h"

#define FLOW_HOPS_DRAWN 400 /* of one frame */
#define FLOW_CHOICES 64     /* points of one slice to choose from */

/* The chosen point in the selected slice, or where [ and ] went to last; false: none. */
bool flow_current(struct app *app, uint32_t *point);
/* The points of the selected slice; *chosen: which of them. */
size_t flow_choices(struct app *app, uint32_t points[FLOW_CHOICES], size_t *chosen);

void flow_previous(struct app *app);
void flow_next(struct app *app);
void flow_choose_previous(struct app *app);
void flow_choose_next(struct app *app);
void flow_mode(struct app *app);                       /* direct, chain, all, off: the next */
void flow_set_mode(struct app *app, const char *name); /* by its name */

#endif
