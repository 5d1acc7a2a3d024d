/* view_traces.h - :compare FILE, the names of another trace and of this one. */
#ifndef FXTOP_VIEW_TRACES_H
#define FXTOP_VIEW_TRACES_H

#include "ui/views/view.h"

/* Opens the other trace and the view, or gives the reason why not. */
void view_traces_ask(struct app *app, const char *path);
/* A job: frees the other trace once the view is left for good. */
bool view_traces_step(struct app *app);

#endif
