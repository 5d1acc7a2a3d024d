/* stack_tree.c - finds the frames of a stack from the innermost one outwards. Deep stacks begin at
 * the last frame that counts, so that none costs more than SAMPLES_DEEP steps. */
#include "src/import/profiles/stack_tree.h"

void stack_tree_free(struct stack_tree *tree) {
    vec_free(&tree->v);
    vec_free(&tree->frames);
}

uint32_t stack_tree_add(struct stack_tree *tree, uint32_t parent, struct samples_frame frame) {
    uint32_t number = (uint32_t)tree->v.n;
    struct stack_node node = {frame, parent, frame.id != STACK_TREE_NONE, number};
    if (parent != STACK_TREE_NONE)
        node.depth += tree->v.v[parent].depth;
    if (node.depth > SAMPLES_DEEP)
        node.most = tree->v.v[parent].most;
    vec_push(&tree->v, node);
    return number;
}

void stack_tree_get(struct stack_tree *tree, uint32_t stack, struct samples_sample *sample) {
    const struct stack_node *v = tree->v.v;
    sample->n = stack == STACK_TREE_NONE ? 0 : v[stack].depth;
    if (sample->n > 0 && tree->last != stack + 1) {
        uint32_t i = v[stack].most;
        tree->last = stack + 1;
        vec_reserve(&tree->frames, v[i].depth);
        tree->frames.n = v[i].depth;
        for (size_t left = tree->frames.n; left > 0; i = v[i].parent)
            if (v[i].frame.id != STACK_TREE_NONE)
                tree->frames.v[--left] = v[i].frame;
    }
    sample->frames = tree->frames.v;
}
