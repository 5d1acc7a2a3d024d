/* persist.h - a trace's model kept from one run to the next (cache.h): all that questions ask of one that was read whole.
 *
 * Left out is what only further records would need: logs of operations and switches, what is open, maps to add by. */
#ifndef FXTOP_PERSIST_H
#define FXTOP_PERSIST_H

#include "model/trace/trace_internal.h"

/* An empty model, from ingest_start(), takes what was kept. False: it did not all fit; then it is to be cleared. */
bool persist_load(struct trace *trace, struct cache *cache);
/* Starts to write a complete one; for the rest see cache_keep(). */
pid_t persist_save(struct trace *trace);
bool persist_write(struct trace *trace); /* the same, in this process */

#endif
