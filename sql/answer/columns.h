/* columns.h - which columns of a statement name a place on the timeline (place.h), and the place of
 * its current row. */
#ifndef FXTOP_SQL_ANSWER_COLUMNS_H
#define FXTOP_SQL_ANSWER_COLUMNS_H

#include <sqlite3.h>

#include "sql/answer/place.h"
#include "sql/source.h"

enum columns_meaning {
    MEANS_NOTHING,
    MEANS_SLICE,
    MEANS_FLOW,
    MEANS_OUT,
    MEANS_IN,
    MEANS_TS,
    MEANS_UTID,
    MEANS_UPID,
    MEANS_TRACK,
    MEANS_ARGUMENTS, /* a set of arguments has the number of its slice */
    MEANINGS
};

struct columns {
    bool any;
    int of[MEANINGS]; /* the first column of each meaning; -1: none */
};

void columns_find(struct columns *columns, sqlite3_stmt *statement);
/* The place of the current row; PLACE_NONE: it has none. */
void columns_place(const struct columns *columns, sqlite3_stmt *statement, struct source *source,
                   struct query_place *place);

#endif
