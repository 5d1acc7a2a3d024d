/* view_sql.h - :sql, the rows of a query as a table. */
#ifndef FXTOP_VIEWS_SQL_H
#define FXTOP_VIEWS_SQL_H

#include "ui/views/view.h"

/* Actions of the command table. */
void view_sql_ask(struct app *app, const char *text); /* runs statements */
void view_sql_tables(struct app *app);                /* lists tables and columns */
/* Lists the slices of a name, the slowest first, and the shares of its children (sql_each.h). */
void view_sql_each(struct app *app, const char *name);
void view_sql_each_selected(struct app *app); /* those of the selection's name */
void view_sql_again(struct app *app);
void view_sql_escape(struct app *app); /* stops the query, or leaves the view */

/* The query that the prompt begins with; NULL, with a message, without SQLite. */
const char *view_sql_typed(struct app *app);
/* Completes the last word of a query: tables after FROM and JOIN, else columns, those of its tables
 * first. */
const char *view_sql_complete(struct app *app, const char *stem, size_t n);

/* A step of the query, whatever view is shown; true: there is more. The trace must not be read
 * while app.turns.held. */
bool view_sql_step(struct app *app);
/* A query runs: stops it. */
bool view_sql_stop(struct app *app);
/* The trace is about to change: ends a query. */
void view_sql_halt(struct app *app);
/* Switches the iterations of :each between columns and strips that begin at one column. */
void view_sql_align(struct app *app);
bool view_sql_lists_each(const struct app *app);

#endif
