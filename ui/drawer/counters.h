/* counters.h - all counters of view 7 side by side: their values at the cursor and in the
 * window. */
#ifndef FXTOP_COUNTERS_H
#define FXTOP_COUNTERS_H

#include "ui/drawer/drawer_text.h"

void counters_draw(struct drawer_text *p);

#endif
