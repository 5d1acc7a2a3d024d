/* view_bytes.h - the view of a record's words and fields, bit by bit. Actions of command.h. */
#ifndef FXTOP_VIEW_BYTES_H
#define FXTOP_VIEW_BYTES_H

#include "ui/app.h"

/* Of the selected event, of the problem chosen in their list; in the view itself: back to where it was opened. */
void bytes_show(struct app *app);
void bytes_close(struct app *app);

#endif
