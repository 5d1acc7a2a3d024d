/* family.h - rows of the table slice: where they are, their parents, depths and children.
 *
 * A row is a slice of a thread, an instant of a thread, an async operation or an instant of one.
 * Instants are slices of no length. The parent of an instant is the innermost slice around it. The
 * parent of an operation is the operation of its key that was open when it began, one level less
 * deep. Ids are those of the table slice. */
#ifndef FXTOP_FAMILY_H
#define FXTOP_FAMILY_H

#include "sql/rows.h"

/* The rows of slice, made when they are first asked for. */
struct rows *family_rows(struct source *source);
/* Id of the slice of a point; -1: none. */
int64_t family_point_slice(struct source *source, const struct trace_point *point);
/* Id of the parent of a row; -1: it has none. */
int64_t family_parent(struct source *source, const struct rows_lane *lane, uint32_t i);
/* Whether a row is an ancestor of another one; both are ids. */
bool family_is_ancestor(struct source *source, int64_t ancestor, int64_t id);
int64_t family_depth(struct source *source, const struct rows_lane *lane, uint32_t i);
/* Byte offset of the record of a row; *end: of its end, 0 if it has none of its own. */
uint64_t family_offset(struct source *source, const struct rows_lane *lane, uint32_t i,
                       uint64_t *end);
/* Appends the ids of all descendants, parents before children; false: stopped. */
bool family_descendants(struct source *source, int64_t id, struct rows_list *list);

#endif
