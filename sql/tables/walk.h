/* walk.h - table functions: ancestor_slice(id), descendant_slice(id), and flows that begin at a
 * slice. */
#ifndef FXTOP_WALK_H
#define FXTOP_WALK_H

#include "sql/table.h"

extern const struct table walk_ancestors, walk_descendants, walk_following, walk_preceding,
    walk_connected;

#endif
