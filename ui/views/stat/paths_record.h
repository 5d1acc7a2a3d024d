/* paths_record.h - a slice of the selected frame of the paths, for keys about one event. */
#ifndef FXTOP_PATHS_RECORD_H
#define FXTOP_PATHS_RECORD_H

#include "ui/session.h"

/* Whether the record of a slice, at an offset, will do. */
struct paths_record_wanted {
    bool (*fits)(void *ctx, uint64_t offset);
    void *ctx;
};

/* Looks for a slice of the selected frame whose record fits, in the order of the threads; after
 * some that do not it gives up. In a tree that is turned round, and in the sandwich, any slice of
 * the name is one. False: none fits, nothing is selected, or
 * frames are processes. */
bool paths_record_find(struct app *app, struct paths_record_wanted wanted);

#endif
