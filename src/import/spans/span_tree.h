/* span_tree.h - the parents of spans, and the spans that links name, by their ids. */
#ifndef FXTOP_SPAN_TREE_H
#define FXTOP_SPAN_TREE_H

#include "src/import/spans/span_store.h"

struct span_id {
    uint32_t first, client; /* client: or SPAN_NONE */
};

struct span_tree {
    struct map ids, exact;
    struct span_store *store;
    VEC(struct span_id) by_id;       /* of a trace and an id */
    VEC(uint32_t) spans;             /* in `exact` */
    uint64_t again, unknown, cycles; /* spans that came before; parents and links without a span */
};

/* Finds the parent of each span, and its depth. A span that is read a second time is marked. */
void span_tree_make(struct span_tree *tree, struct span_store *store);
/* The span with this id: of a process, else any; or SPAN_NONE. */
uint32_t span_tree_find(const struct span_tree *tree, uint64_t trace, uint64_t id,
                        uint32_t process);
void span_tree_free(struct span_tree *tree);

#endif
