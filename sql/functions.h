/* functions.h - functions of SQL that SQLite does not have: Perfetto's, and units. */
#ifndef FXTOP_FUNCTIONS_H
#define FXTOP_FUNCTIONS_H

#include <sqlite3.h>

#include "sql/source.h"
#include "src/base/pattern.h"

struct functions_scalar {
    const char *name;
    int args; /* -1: any number */
    void (*call)(sqlite3_context *out, int n, sqlite3_value **v);
    int64_t factor; /* a number for call(), which several may share */
};

/* Registers n functions of the rows, which must last. The next two return, within a call, the
 * values that were registered. */
int functions_add(sqlite3 *db, struct source *source, const struct functions_scalar *rows,
                  size_t n);
struct source *functions_source(sqlite3_context *out);
int64_t functions_factor(sqlite3_context *out);
struct str functions_text(sqlite3_value *v); /* empty if it is NULL */

int functions_register(sqlite3 *db, struct source *source);
/* A regular expression that is case sensitive; NULL: it is none. */
struct pattern *functions_pattern(struct str text);

#endif
