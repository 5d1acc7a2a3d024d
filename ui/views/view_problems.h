/* view_problems.h - a problem as the subject of the view of bytes. */
#ifndef FXTOP_VIEWS_PROBLEMS_H
#define FXTOP_VIEWS_PROBLEMS_H

#include "ui/views/view.h"

/* The record of a case by its tag in the list: kind << 32 | (number of the case + 1). False, with a
 * message, if it has none. */
bool view_problems_record(struct app *app, uint64_t tag, struct view_record *record);

#endif
