/* path_derive.h - a tree of paths made of another one, in steps: recursion folded, bottom-up, or ends of paths alone.
 *
 * Folded: a node is one with its parent if both have the same name. Bottom-up: the nodes below the root are the names
 * in which paths end, and below each are its callers, outwards. The weight of a node is the own weight of the paths that
 * end so. At most PATH_CALLERS_UP callers are followed. Ends: bottom-up without callers, known in a fifth of the time.
 * The root's weights are the same as before. */
#ifndef FXTOP_PATH_DERIVE_H
#define FXTOP_PATH_DERIVE_H

#include "model/query/stat/path_tree.h"

#define PATH_CALLERS_UP 256u

enum path_derived { PATH_FOLDED, PATH_BOTTOM_UP, PATH_ENDS };

struct path_end {         /* a path on its way out */
    uint32_t path, above; /* where it ends; the frame to add next */
    uint32_t node;        /* of the new tree, so far */
};

struct path_derive {
    const struct path_tree *from; /* borrowed; summed or not */
    struct path_tree *to;         /* borrowed; initialised by path_derive_init() */
    enum path_derived kind;
    uint32_t at, level;
    uint32_t owned;               /* nodes whose weight has been taken from their parents' in `own` */
    VEC(struct path_weights) own; /* of the nodes alone */
    VEC(uint32_t) nodes; /* folded: the new node of each */
    VEC(struct path_end) ends;
    size_t kept; /* ends that go on, of those before `at` */
};

void path_derive_init(struct path_derive *derive, const struct path_tree *from, struct path_tree *to,
                      enum path_derived kind);
void path_derive_free(struct path_derive *derive);
bool path_derive_free_step(struct path_derive *derive, struct budget *budget); /* once done, in steps; true: done */
bool path_derive_step(struct path_derive *derive, struct budget *budget); /* true: done */

#endif
