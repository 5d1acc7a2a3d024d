/* table_column.h - the meaning of a column by its name, and of the texts of times in it. */
#ifndef FXTOP_TABLE_COLUMN_H
#define FXTOP_TABLE_COLUMN_H

#include <stdbool.h>
#include <stdint.h>

#include "src/base/str.h"

enum table_role {
    TABLE_ARGUMENT, /* all others */
    TABLE_TIME,
    TABLE_DURATION,
    TABLE_END,
    TABLE_NAME,
    TABLE_CATEGORY,
    TABLE_PROCESS,
    TABLE_PID,
    TABLE_THREAD,
    TABLE_TID,
    TABLE_VALUE,
    TABLE_ID,
    TABLE_FLOW,
    TABLE_KIND,
    TABLE_MESSAGE,
    TABLE_LEVEL,
    TABLE_ROLES
};

struct table_column {
    enum table_role role;
    unsigned digits; /* of a time in units of 10^digits ns */
    bool unit;       /* the name has it */
};

struct table_column table_column_of(struct str name);

/* Whether columns of these roles, a bit each, make a table: a time, and a name, value, length or
 * message. */
bool table_column_enough(unsigned roles);

enum table_time { TABLE_NO_TIME, TABLE_CLOCK, TABLE_WALL, TABLE_NEGATIVE };

/* Reads a decimal number of units of 10^digits ns, rounded, or a date (ISO 8601): ns since 1970. */
enum table_time table_column_time(struct str text, unsigned digits, uint64_t *ns);

#endif
