/* made_table.h - table functions that statements make: CREATE PERFETTO FUNCTION f(a INT) RETURNS
 * TABLE(x INT) AS SELECT ...
 *
 * Each call runs the body, in which $a is the argument a, so a call may have values of other tables
 * of a join. */
#ifndef FXTOP_MADE_TABLE_H
#define FXTOP_MADE_TABLE_H

#include <sqlite3.h>
#include <stdbool.h>

#define MADE_TABLE_MOST 64 /* columns, and arguments */

struct made_table { /* all texts are owned */
    sqlite3 *db;
    bool *declaring; /* true while SQLite gets the columns */
    char *name, *body;
    char *columns[MADE_TABLE_MOST], *types[MADE_TABLE_MOST];
    int ncolumns;
    char *arguments[MADE_TABLE_MOST]; /* "$name" */
    int narguments;
    int depth; /* calls under way inside each other */
};

void made_table_free(struct made_table *table); /* one that was not registered */
/* Registers it; the database owns it, if that fails, too. */
int made_table_register(struct made_table *table);

#endif
