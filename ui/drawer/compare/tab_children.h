/* tab_children.h - the children of the selected slice by name: total, share and count. */
#ifndef FXTOP_TAB_CHILDREN_H
#define FXTOP_TAB_CHILDREN_H

#include "model/query/stat/slice/children.h"
#include "ui/drawer/drawer_text.h"

/* The children of the selected slice; NULL: not ready, or no slice is selected. */
const struct children *tab_children_shown(const struct app *app);
bool tab_children_step(struct app *app); /* true: there is more to do */
void tab_children_draw(struct drawer_text *p);

#endif
