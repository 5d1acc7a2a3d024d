/* sql_go.h - from a row of a query to the timeline. */
#ifndef FXTOP_VIEWS_SQL_GO_H
#define FXTOP_VIEWS_SQL_GO_H

#include "sql/answer/place.h"
#include "ui/session.h"

/* Shows the place on the timeline, or a message if there is none. reread: the trace was read again
 * from its begin after the query. */
void sql_go(struct app *app, const struct query_place *place, bool reread);

#endif
