/* persist.h - writes the model of a complete trace to the index cache (src/io/cache.h), and reads
 * it back.
 *
 * Left out is what only further records need: the logs of operations and switches, open operations,
 * maps for adding. */
#ifndef FXTOP_PERSIST_H
#define FXTOP_PERSIST_H

#include "model/trace/trace_internal.h"

/* cache_find(); of a set, before its files are put on one clock: how they were. */
struct cache *persist_find(struct trace *trace);
/* Fills an empty model, from ingest_start(). Returns false if the cache is damaged; then call
 * ingest_clear(). */
bool persist_load(struct trace *trace, struct cache *cache);
/* Starts a process that writes the model of a complete trace; see cache_spawn(). */
pid_t persist_save(struct trace *trace);
bool persist_write(struct trace *trace); /* the same, in this process */

#endif
