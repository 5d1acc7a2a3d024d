/* nest_losses.h - at which offsets of the file the records of each writer were lost (SEMANTICS 5.8,
 * 6.12). */
#ifndef FXTOP_NEST_LOSSES_H
#define FXTOP_NEST_LOSSES_H

#include <stdbool.h>

#include "src/base/u64map.h"
#include "src/base/vec.h"

struct nest_losses_list { /* of a writer */
    VEC(uint64_t) at;     /* byte offsets */
};

struct nest_losses {
    struct u64map places; /* of a writer in v */
    VEC(struct nest_losses_list) v;
};

/* Adds a loss; offsets of a writer grow. */
void nest_losses_add(struct nest_losses *losses, uint32_t writer, uint64_t offset);
bool nest_losses_between(const struct nest_losses *losses, uint32_t writer, uint64_t from,
                         uint64_t to);
void nest_losses_free(struct nest_losses *losses);

#endif
