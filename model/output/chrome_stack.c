/* chrome_stack.c - numbers of a scope in one map, and a list of stacks that is searched backward.
 *
 * A number is reserved for the object that has it, and given once; another object gets the least
 * number that is free. Slices come in the order of their begins, so a stack is closed when a later
 * one is looked for. */
#include "model/output/chrome_stack.h"

#include <stdlib.h>

#include "src/base/hash.h"
#include "src/base/vec.h"

#define LOOK_BACK 64 /* stacks that are tried for a slice, the newest ones first */

enum { RESERVED, GIVEN };

static uint64_t number_key(uint64_t scope, uint64_t n) {
    return u64map_key(hash_words(scope, n));
}

void chrome_numbers_reserve(struct chrome_numbers *numbers, uint64_t scope, uint64_t n) {
    if (u64map_get(&numbers->taken, number_key(scope, n)) == UINT64_MAX)
        u64map_set(&numbers->taken, number_key(scope, n), RESERVED);
}

uint64_t chrome_numbers_fresh(struct chrome_numbers *numbers, uint64_t scope) {
    do
        numbers->next++;
    while (u64map_get(&numbers->taken, number_key(scope, numbers->next)) != UINT64_MAX);
    u64map_set(&numbers->taken, number_key(scope, numbers->next), GIVEN);
    return numbers->next;
}

uint64_t chrome_numbers_give(struct chrome_numbers *numbers, uint64_t scope, uint64_t n) {
    if (u64map_get(&numbers->taken, number_key(scope, n)) == GIVEN)
        return chrome_numbers_fresh(numbers, scope);
    u64map_set(&numbers->taken, number_key(scope, n), GIVEN);
    return n;
}

void chrome_stack_close(const struct chrome_stacks *all, struct chrome_stack *s, int64_t time,
                        uint32_t keep) {
    while (s->n > 0 && s->v[s->n - 1].end <= time && s->v[s->n - 1].id != keep) {
        s->n--;
        if (all->closed)
            all->closed(all->ctx, s, &s->v[s->n]);
    }
}

struct chrome_stack *chrome_stack_for(struct chrome_stacks *all, int64_t start, int64_t end,
                                      uint32_t parent, bool *is_new) {
    struct chrome_stack *best = NULL;
    *is_new = false;
    for (size_t i = all->n; i-- > 0 && all->n - i <= LOOK_BACK;) {
        struct chrome_stack *s = &all->v[i];
        chrome_stack_close(all, s, start, parent);
        if (s->n == 0) {
            if (best == NULL || best->n == 0)
                best = s;
            continue;
        }
        const struct chrome_open *top = &s->v[s->n - 1];
        if ((parent == CHROME_ANY_PARENT ? top->end >= end : top->id == parent) &&
            (best == NULL || best->n == 0 || top->id > best->v[best->n - 1].id))
            best = s;
    }
    if (best)
        return best;
    *is_new = true;
    vec_push(all, (struct chrome_stack){0});
    return &all->v[all->n - 1];
}

void chrome_stacks_free(struct chrome_stacks *all) {
    for (size_t i = 0; i < all->n; i++)
        vec_free(&all->v[i]);
    vec_free(all);
}
