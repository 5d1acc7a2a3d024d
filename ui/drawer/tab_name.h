/* tab_name.h - the selected slice or operation among all of its name. Lengths are in ns. */
#ifndef FXTOP_TAB_NAME_H
#define FXTOP_TAB_NAME_H

#include "model/query/aggregate.h"
#include "ui/drawer/drawer_text.h"

/* Steps of the work: durations of the selection's name; total and self of all names. True: there is
 * more. */
bool tab_name_step(struct app *app);
bool tab_name_step_times(struct app *app);
/* Statistics of the selection's name (name_stats.h); NULL: not ready, or nothing with a length is
 * selected. */
const struct aggregate_row *tab_name_stats(const struct app *app);
/* The same while the trace grows: those of an earlier version until the new ones are known. */
const struct aggregate_row *tab_name_shown(const struct app *app);
void tab_name_draw(struct drawer_text *p); /* numbers and a histogram */
/* the same in one line, if it is ready */
void tab_name_line(struct drawer_text *p, const struct slice *s);

#endif
