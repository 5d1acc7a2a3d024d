/* asked.h - the answer to a query as one text, for suites of SQL. */
#ifndef FXTOP_TESTS_UNIT_SQL_ASKED_H
#define FXTOP_TESTS_UNIT_SQL_ASKED_H

#include "model/trace/trace.h"
#include "sql/query.h"

/* Rows of cells with '|' between, each with a line feed; NULL is "". A fault is "error: ... @
 * byte". The caller frees it. */
char *asked(struct query *query, const char *sql);
/* Asks in a new database over the trace. */
char *asked_once(struct trace *trace, const char *sql);

/* One database over the fixture every_kind for the tests of a suite: begun and ended before and
 * after each. */
void asked_begin(void);
void asked_end(void);
char *asked_there(const char *sql);
void asked_is(const char *sql, const char *wanted); /* checks the answer there */

#endif
