/* view_lists.h - pages that list what is no track: objects, blobs, the profiler's records. */
#ifndef FXTOP_VIEW_LISTS_H
#define FXTOP_VIEW_LISTS_H

#include "ui/app.h"

void show_objects(struct app *app);
void show_blobs(struct app *app);
void show_profile(struct app *app);
/* The record of the current line; false: it is of none. */
bool lists_record(const struct app *app, uint64_t *offset);
/* Enter on a line of theirs, or in a blob. */
void show_listed(struct app *app, uint64_t tag);

/* Writes the blob in view, or the current one of the list, to a new file; ..._over() to one that may exist. */
void view_blob_write(struct app *app, const char *path);
void view_blob_write_over(struct app *app, const char *path);

#endif
