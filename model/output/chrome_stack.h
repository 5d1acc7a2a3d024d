/* chrome_stack.h - numbers that are unique, and stacks of slices as viewers see them, for
 * chrome_plan.c. */
#ifndef FXTOP_CHROME_STACK_H
#define FXTOP_CHROME_STACK_H

#include <stdbool.h>
#include <stddef.h>

#include "src/base/u64map.h"

#define CHROME_ANY_PARENT UINT32_MAX
#define CHROME_NO_PARENT (UINT32_MAX - 1)

/* Numbers that are unique in a scope: an object's own number if that is free, else a small one that
 * no object has. */
struct chrome_numbers {
    struct u64map taken; /* scope and number -> RESERVED, GIVEN */
    uint64_t next;
};

void chrome_numbers_reserve(struct chrome_numbers *numbers, uint64_t scope, uint64_t n);
uint64_t chrome_numbers_fresh(struct chrome_numbers *numbers, uint64_t scope);
uint64_t chrome_numbers_give(struct chrome_numbers *numbers, uint64_t scope, uint64_t n);

/* Open slices or operations, each within the one before it: viewers take them for one stack. */
struct chrome_stack {
    struct chrome_open {
        int64_t end;
        uint32_t id; /* of a slice, or index of an operation; they ascend */
    } * v;
    size_t n, cap;
    uint64_t tag; /* number of the track, id of the operations */
};

struct chrome_stacks {
    struct chrome_stack *v;
    size_t n, cap;
    /* called with each entry that ends; NULL: not called */
    void (*closed)(void *ctx, const struct chrome_stack *stack, const struct chrome_open *open);
    void *ctx;
};

/* Closes what has ended by `time`, `keep` excepted. */
void chrome_stack_close(const struct chrome_stacks *all, struct chrome_stack *stack, int64_t time,
                        uint32_t keep);
/* The stack for a slice from start to end: one whose top is `parent` (CHROME_ANY_PARENT: whose top
 * contains it, the one that began last), else an empty one, else a new one, whose tag is not
 * set. */
struct chrome_stack *chrome_stack_for(struct chrome_stacks *all, int64_t start, int64_t end,
                                      uint32_t parent, bool *is_new);
void chrome_stacks_free(struct chrome_stacks *all);

#endif
