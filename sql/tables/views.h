/* views.h - temporary views: Perfetto's views and modules, written over the tables, and its tables
 * that stay empty. */
#ifndef FXTOP_SQL_TABLES_VIEWS_H
#define FXTOP_SQL_TABLES_VIEWS_H

#include <sqlite3.h>

int views_make(sqlite3 *db); /* a status of SQLite */

/* Makes the same in the database `saved`, for programs without fxtop's functions. */
int views_save(sqlite3 *db);

#endif
