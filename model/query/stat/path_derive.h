/* path_derive.h - a tree of paths made of another one: recursion folded, bottom-up, or ends of
 * paths alone.
 *
 * Folded: a node is one with its parent if both have the same name. Bottom-up: the nodes below the
 * root are the names in which paths end, and below each are its callers, outwards. The weight of a
 * node is the own weight of the paths that end so. At most PATH_CALLERS_UP callers are followed.
 * Ends: bottom-up without callers, known in a fifth of the time. The root's weights are the same as
 * before. */
#ifndef FXTOP_PATH_DERIVE_H
#define FXTOP_PATH_DERIVE_H

#include "model/query/stat/path_tree.h"
#include "src/base/task.h"

#define PATH_CALLERS_UP 256u

enum path_derived { PATH_FOLDED, PATH_BOTTOM_UP, PATH_ENDS };

/* `to` is new, and to be freed by its owner, also if the task is cancelled. `from` is summed or
 * not. */
void path_derive_make(struct task *task, const struct path_tree *from, struct path_tree *to,
                      enum path_derived kind);

#endif
