/* view_blobs.h - writing a blob to a file: the one that is shown, or the current row of the
 * list. */
#ifndef FXTOP_VIEWS_BLOBS_H
#define FXTOP_VIEWS_BLOBS_H

#include "ui/session.h"

void view_blobs_write(struct app *app, const char *path); /* not over a file that exists */
void view_blobs_write_over(struct app *app, const char *path);

#endif
