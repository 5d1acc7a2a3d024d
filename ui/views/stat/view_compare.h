/* view_compare.h - the command :compare; the view is a row of view_list.h. */
#ifndef FXTOP_VIEW_COMPARE_H
#define FXTOP_VIEW_COMPARE_H

#include "ui/session.h"

/* "kept": the range kept by = against the current one; "half": its first half against the second;
 * "median": the median of the selected slice's name against that slice. */
void view_compare_kept(struct app *app); /* action of the command table */
void view_compare_type(struct app *app, const char *text);

#endif
