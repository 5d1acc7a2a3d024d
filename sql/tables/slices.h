/* slices.h - the tables slice and slices, and the cells of a slice for functions that return
 * slices. */
#ifndef FXTOP_SLICES_H
#define FXTOP_SLICES_H

#include "sql/table.h"

#define SLICES_COLUMNS 13 /* those that functions return: up to thread_instruction_delta */

/* The columns, roles included, as a list in braces, without those of a table alone. */
#define SLICES_LIST                                                                                \
    {"id", TABLE_INTEGER, ROLE_ID, false}, {"ts", TABLE_INTEGER, ROLE_TS, false},                  \
        {"dur", TABLE_INTEGER, ROLE_DUR, false}, {"track_id", TABLE_INTEGER, ROLE_KEY, false},     \
        {"category", TABLE_TEXT, ROLE_NONE, false}, {"name", TABLE_TEXT, ROLE_NAME, false},        \
        {"depth", TABLE_INTEGER, ROLE_DEPTH, false},                                               \
        {"parent_id", TABLE_INTEGER, ROLE_PARENT, false},                                          \
        {"arg_set_id", TABLE_INTEGER, ROLE_ARG_SET, false},                                        \
        {"thread_ts", TABLE_INTEGER, ROLE_NONE, false},                                            \
        {"thread_dur", TABLE_INTEGER, ROLE_NONE, false},                                           \
        {"thread_instruction_count", TABLE_INTEGER, ROLE_NONE, false}, {                           \
        "thread_instruction_delta", TABLE_INTEGER, ROLE_NONE, false                                \
    }

void slices_get(struct table_cursor *cursor, int column, sqlite3_context *out);
extern const struct table slices_table, slices_alias;

#endif
