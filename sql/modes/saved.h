/* saved.h - --export=sqlite: a trace as a database of SQLite, with real tables and views. */
#ifndef FXTOP_SAVED_H
#define FXTOP_SAVED_H

#include <stdio.h>

#include "sql/query.h"

/* Writes the database to out. False: err has the reason. The caller checks ferror(out). */
bool saved_write(struct query *query, FILE *out, struct err *err);

#endif
