/* flow_nav.h - the flow that is followed: the chosen one among the flows through the selected
 * slice. */
#ifndef FXTOP_FLOW_NAV_H
#define FXTOP_FLOW_NAV_H

#include "ui/session.h"

#define FLOW_NAV_HOPS_DRAWN 400 /* in one frame */
#define FLOW_NAV_CHOICES 64     /* points of one slice that can be chosen */

/* The chosen point in the selected slice, or the one that [ or ] went to last; false: none. */
bool flow_nav_current(struct app *app, uint32_t *point);
/* The number of flows through the selected slice; *chosen: the index of the chosen one. */
size_t flow_nav_flows(struct app *app, size_t *chosen);

/* Selects the slice of a point, or goes to its thread and time if it is in none. The window shows
 * the whole flow, and both its ends are on the screen: a thread that is too far away is pinned. */
void flow_nav_show(struct app *app, uint32_t point);

void flow_nav_previous(struct app *app);
void flow_nav_next(struct app *app);
void flow_nav_choose_previous(struct app *app);
void flow_nav_choose_next(struct app *app);
void flow_nav_mode(struct app *app);                       /* the next of chain, direct, all, off */
const char *flow_nav_mode_name(const struct app *app);     /* as flow_nav_set_mode() takes it */
void flow_nav_set_mode(struct app *app, const char *name); /* by its name */

#endif
