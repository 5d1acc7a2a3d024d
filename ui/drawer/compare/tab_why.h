/* tab_why.h - why the selected slice is as long as it is: against the median of its name
 * (why.h). */
#ifndef FXTOP_TAB_WHY_H
#define FXTOP_TAB_WHY_H

#include "ui/drawer/drawer_text.h"

bool tab_why_step(struct app *app); /* true: there is more to do */
void tab_why_draw(struct drawer_text *p);

#endif
