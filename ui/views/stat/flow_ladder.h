/* flow_ladder.h - one flow as a ladder: its threads side by side, time downwards, two lines a
 * stop. */
#ifndef FXTOP_FLOW_LADDER_H
#define FXTOP_FLOW_LADDER_H

#include "ui/views/stat/flow_tables.h"

/* False if the threads of the flow do not fit side by side. */
bool flow_ladder_fits(struct flow_tables *flows);
/* The ladder in rows of the screen from y on, around the current stop; the first row names the
 * threads. */
void flow_ladder_draw(struct flow_tables *flows, int y, int rows, uint32_t current);

#endif
