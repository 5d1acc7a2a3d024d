/* operations.h - the parents of async operations, all of them at once.
 *
 * The parent of an operation is the operation of its key that was open when it began, one level
 * less deep. */
#ifndef FXTOP_OPERATIONS_H
#define FXTOP_OPERATIONS_H

#include "sql/rows.h"

struct operations_key { /* process and name are those of the group */
    uint64_t id;
    uint32_t category;
    bool known;
};

/* The key of the record at an offset. The category is a number of the names. */
struct operations_key operations_key_at(struct source *source, uint64_t offset);
/* Id of the parent of a row of operations; -1: it has none, or the statement was stopped. */
int64_t operations_parent(struct rows *rows, const struct rows_lane *lane, uint32_t i);

#endif
