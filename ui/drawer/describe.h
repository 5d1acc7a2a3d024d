/* describe.h - a line that explains the cell at the time cursor on the current line. */
#ifndef FXTOP_DESCRIBE_H
#define FXTOP_DESCRIBE_H

#include "ui/session.h"

void describe_cursor(struct app *app); /* action of the command table */

#endif
