/* drawer.h - the pane below the tracks: tabs, and the text of the current one. */
#ifndef FXTOP_DRAWER_H
#define FXTOP_DRAWER_H

#include "ui/drawer/drawer_link.h"
#include "ui/session.h"

/* Appends the whole text of the current tab, as wide as the screen. */
void drawer_copy(struct app *app, struct chars *out);
void drawer_draw(struct app *app);
/* The link that Enter follows in the current tab; false: none is visible. */
bool drawer_current_link(struct app *app, struct drawer_link *link);

/* Actions of the command table. */
void drawer_toggle(struct app *app); /* into the drawer, which opens, and back to the tracks */
/* leaves the drawer; in the tracks: closes it and selects nothing */
void drawer_deselect(struct app *app);
void drawer_tab_next(struct app *app);
void drawer_tab_previous(struct app *app);
void drawer_why(struct app *app);    /* shows the tab Why */
void drawer_taller(struct app *app); /* by half of its height */
void drawer_shorter(struct app *app);
void drawer_down(struct app *app); /* to the next visible link, or scrolls */
void drawer_up(struct app *app);

#endif
