/* sound.h - whether a loaded trace is consistent: what must hold of any trace, and its answers
 * computed again the slow way. For the fuzzer and the damage test, which have no expected
 * results. */
#ifndef FXTOP_SOUND_H
#define FXTOP_SOUND_H

#include "model/trace/trace.h"

/* Looks at a trace that was read to its end: slices of a row do not overlap, parents contain their
 * children, a row's questions (lane.h) have the answers of a loop over its slices. False with a
 * sentence where that does not hold. */
bool sound_rows(struct trace *trace, char why[200]);

/* Checks one row and the columns [edges[c], edges[c + 1]): each slice in the span and the share
 * where it belongs. */
bool sound_lane(struct lane *lane, const int64_t *edges, int columns, char why[200]);

/* The rules of SEMANTICS 6 by the letter, in quadratic time, from the file read again: slices,
 * ends, parents, overlaps and mismatches equal those of the trace. They also do if the events are
 * flushed in steps, at places that the bits of `steps` choose. Only threads of at most 2,000
 * begins, ends and complete events are checked. */
bool sound_nesting(struct trace *trace, uint64_t steps, char why[200]);

/* The fields of all records of the file follow one another from its first bit to its last, damage
 * included. */
bool sound_dissection(struct trace *trace, char why[200]);

/* Checks the answers derived from logs: rows of async operations, flows, counters, CPUs, states of
 * threads, blobs. Each entry is in one place, in order and linked both ways; problems are counted
 * alike in all places. */
bool sound_derived(struct trace *trace, char why[200]);

/* That the trace of the file at `path` exports the same when it is read in small steps (of sizes
 * that `steps` decides). */
bool sound_steps(struct trace *trace, const char *path, const struct trace_options *options,
                 uint64_t steps, char why[200]);

/* A file without a name, in memory where the system has that; -1 and errno where it cannot be
 * had. */
int sound_file(void);

#endif
