/* state_time.h - how long a thread was in a state until a time, as a function of SQL: fxtop_state_time(id, ts).
 *
 * The state is the one of the row of thread_state with the id, with all rows of its thread that equal it in state, io_wait
 * and blocked_function. Rows that have not ended do not count. */
#ifndef FXTOP_STATE_TIME_H
#define FXTOP_STATE_TIME_H

#include <sqlite3.h>

#include "sql/source.h"

int state_time_register(sqlite3 *db, struct source *source);

#endif
