/* path_table.h - a tree of paths by name: all names, or those that call one name, or those that it
 * calls.
 *
 * calls: slices. own: their self time and running time. all: the time in which such a frame is on
 * the path; recursion counts once. Callers and callees are the frames next to the name: PATH_ALL
 * calls what has no caller. Rows are in order by their time in all, or of names by their own. Times
 * are ns. */
#ifndef FXTOP_PATH_TABLE_H
#define FXTOP_PATH_TABLE_H

#include "model/query/stat/path_tree.h"
#include "src/base/task.h"

enum path_table_kind { PATH_NAMES, PATH_CALLERS, PATH_CALLEES };

struct path_row_by_name {
    uint32_t name;
    uint32_t within; /* frames of this row around the current node */
    struct sum own[PATH_WEIGHTS], all[PATH_WEIGHTS]; /* [PATH_COUNT]: calls, and no meaning */
};

struct path_table {
    const struct path_tree *tree; /* borrowed; in order */
    enum path_table_kind kind;
    uint32_t name; /* in the middle; PATH_NAMES: no meaning */
    enum path_weight by;
    VEC(struct path_row_by_name) rows;
    VEC(uint32_t) order; /* places in rows, greatest first; complete when it is done */
    bool done;
    VEC(uint32_t) by_name;                           /* name -> place + 1 */
    uint32_t special[UINT32_MAX - PATH_SPECIAL + 1]; /* the same for names that are none */
};

/* by: PATH_WALL or PATH_RUNNING orders by that time, PATH_COUNT by calls. */
void path_table_init(struct path_table *table, const struct path_tree *tree,
                     enum path_table_kind kind, uint32_t name, enum path_weight by);
void path_table_free(struct path_table *table);
void path_table_make(struct task *task, struct path_table *table);
/* The row of a name; NULL: none. */
const struct path_row_by_name *path_table_row(const struct path_table *table, uint32_t name);

#endif
