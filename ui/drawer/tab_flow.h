/* tab_flow.h - the chosen flow: its points, and how long each hop took among all hops between the
 * same threads. */
#ifndef FXTOP_TAB_FLOW_H
#define FXTOP_TAB_FLOW_H

#include "ui/drawer/drawer_text.h"

void tab_flow_draw(struct drawer_text *p);

#endif
