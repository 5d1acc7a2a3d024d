/* made.h - functions that statements make: CREATE PERFETTO FUNCTION name(a INT) RETURNS INT AS
 * SELECT ...
 *
 * The body is a statement in which $a is the argument a. Its first column of its first row is the
 * value; of a function that returns a TABLE, all rows are. */
#ifndef FXTOP_MADE_H
#define FXTOP_MADE_H

#include <sqlite3.h>

#include "sql/rewrite/rewrite.h"

struct made; /* the functions of a query */

/* *declaring becomes true while SQLite gets the columns of a table. */
struct made *made_new(sqlite3 *db, bool *declaring);
void made_free(struct made *made); /* before the database is closed; may be NULL */
/* Makes the functions of Perfetto that are selects. False: err has a sentence. */
bool made_library(struct made *made, struct err *err);
/* Takes the functions of a text, from *done on, that are made before a byte of it. False: err has a
 * sentence and the byte. */
bool made_add(struct made *made, const struct rewrite *rewrite, size_t *done, size_t at,
              struct err *err);

#endif
