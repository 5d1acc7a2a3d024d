/* async_internal.h - shared by async.c (events in their order) and async_damaged.c (operations with
 * a wrong time).
 *
 * Times: ns relative to the reader's base. */
#ifndef FXTOP_ASYNC_INTERNAL_H
#define FXTOP_ASYNC_INTERNAL_H

#include "model/store/async.h"

/* An empty state, to derive all again. */
void async_begin_again(const struct async *async, struct async_derived *next);
/* Derives from the next entry of the log. */
void async_derive(struct async_derived *state, const struct async_input *in,
                  const struct slice_extra *extra, const struct time_log_entry *entry);
/* `next`, which is derived from all n entries, takes the place of the state. sorted: all entries,
 * from malloc(); last: the time of the last one that counts. */
void async_replace(struct async *async, struct async_derived *next, struct time_log_entry *sorted,
                   size_t n, int64_t last);
void async_clear(struct async_derived *state);

/* The number of a group, which it makes if there is none. */
uint32_t async_find_group(struct async_derived *state, uint32_t process, uint32_t name,
                          uint16_t world);
/* The first row from `row` on without an open operation; it may be a new one. */
uint32_t async_find_row(struct async_group *group, uint32_t row);
/* Notes that a row has an open operation, or none. */
void async_take_row(struct async_group *group, uint32_t row, bool taken);

#endif
