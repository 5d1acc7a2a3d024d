/* own.h - tables of what a trace has besides events of threads: log, problem, stats, metadata,
 * object, userobject, blob, lost, provider. */
#ifndef FXTOP_OWN_H
#define FXTOP_OWN_H

#include "sql/table.h"

extern const struct table own_log, own_problem, own_stats, own_metadata, own_object, own_userobject,
    own_blob, own_lost, own_provider;

#endif
