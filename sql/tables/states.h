/* states.h - the tables sched, thread_state and cpu. */
#ifndef FXTOP_STATES_H
#define FXTOP_STATES_H

#include "sql/table.h"

extern const struct table states_sched, states_threads, states_cpus;

#endif
