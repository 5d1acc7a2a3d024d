/* offsets.h - moves one trace of several on the timeline, and puts them on one host: :offset,
 * :align, :same-host.
 *
 * The cursor, the selection, the range and the window keep their places in the trace that they are
 * in. Commands that cannot be done show a message. */
#ifndef FXTOP_OFFSETS_H
#define FXTOP_OFFSETS_H

#include "ui/session.h"

void offsets_type(struct app *app, const char *text); /* "NAME", "NAME +12ms", "NAME += 1us" */
/* "NAME 'a 'b", "NAME FILTER", or "NAME": by flows */
void offsets_align(struct app *app, const char *text);
/* "NAME,NAME", "": all; or "off" */
void offsets_same_host(struct app *app, const char *text);
void offsets_back(struct app *app); /* takes back the last move */

#endif
