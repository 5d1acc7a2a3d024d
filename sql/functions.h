/* functions.h - functions of SQL that SQLite does not have: Perfetto's, and units. */
#ifndef FXTOP_FUNCTIONS_H
#define FXTOP_FUNCTIONS_H

#include <sqlite3.h>

#include "sql/source.h"
#include "src/base/pattern.h"

int functions_register(sqlite3 *db, struct source *source);
/* A regular expression that is case sensitive; NULL: it is none. */
struct pattern *functions_pattern(struct str text);

#endif
