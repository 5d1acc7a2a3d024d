/* view_slices.h - the commands of view 2. */
#ifndef FXTOP_VIEW_SLICES_H
#define FXTOP_VIEW_SLICES_H

#include "ui/views/view.h"

/* Actions of the command table. */
/* the next group of rows: name, name and thread, thread, process, category */
void view_slices_pivot(struct app *app);
void view_slices_fold_names(struct app *app); /* rows by pattern of the name, and back */
/* one of them, or the name of an argument */
void view_slices_pivot_by(struct app *app, const char *text);
void view_slices_raster(struct app *app); /* lengths over time in place of the table, and back */
void view_slices_only(struct app *app);   /* the timeline with only the slices of the row */
void view_slices_back(struct app *app);   /* Shift-Tab: the tab before */
/* rows are groups of slices, of operations, or these */
bool view_slices_has_lengths(const struct app *app);
void view_slices_compare(struct app *app); /* the kept range with this one, or else its halves */
void view_slices_wakeups(struct app *app); /* the view of wake-ups, which q leaves for this one */

#endif
