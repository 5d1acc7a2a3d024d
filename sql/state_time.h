/* state_time.h - how long a thread was in a state until a time, as a function of SQL:
 * fxtop_state_time(id, ts).
 *
 * The state is that of the row of thread_state with the id. All rows of its thread that equal it in
 * state, io_wait and blocked_function count, if they have ended. */
#ifndef FXTOP_STATE_TIME_H
#define FXTOP_STATE_TIME_H

#include <sqlite3.h>

#include "sql/source.h"

int state_time_register(sqlite3 *db, struct source *source);

#endif
