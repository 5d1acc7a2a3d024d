/* guard.h - what a statement may do: it reads, and writes only tables of its own, which live in
 * memory or in files without a name. */
#ifndef FXTOP_GUARD_H
#define FXTOP_GUARD_H

#include <sqlite3.h>
#include <stdbool.h>

struct guard {
    bool open;             /* while the views are made: everything is allowed */
    const bool *declaring; /* the same while SQLite gets the columns of a table */
    char why[160];         /* the sentence of the last refusal; empty: none */
};

/* Limits of the connection, its switches, and the authorizer. */
int guard_set(sqlite3 *db, struct guard *guard);

#endif
