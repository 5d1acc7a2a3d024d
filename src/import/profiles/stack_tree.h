/* stack_tree.h - stacks as profilers store them: each is a frame, and the stack that it is in. */
#ifndef FXTOP_STACK_TREE_H
#define FXTOP_STACK_TREE_H

#include "src/import/profiles/samples.h"

#define STACK_TREE_NONE UINT32_MAX /* no stack; of a frame: it is no code, and is left out */

struct stack_node {
    struct samples_frame frame;
    uint32_t parent;
    uint32_t depth; /* frames */
    uint32_t most;  /* the innermost one around it of at most SAMPLES_DEEP frames */
};

struct stack_tree { /* zero-initialised: empty */
    VEC(struct stack_node) v;
    VEC(struct samples_frame) frames; /* of the last stack that was asked for: */
    uint32_t last;                    /* + 1 */
};

void stack_tree_free(struct stack_tree *tree);
/* The number of a new stack; the one around it is there already, or none. */
uint32_t stack_tree_add(struct stack_tree *tree, uint32_t parent, struct samples_frame frame);
/* Sets the frames of a sample, until the next call: at most SAMPLES_DEEP, since samples_add()
 * leaves out the others, whatever their number. */
void stack_tree_get(struct stack_tree *tree, uint32_t stack, struct samples_sample *sample);

#endif
