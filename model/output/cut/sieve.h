/* sieve.h - the records of a trace that a range of it may need, found in one pass over the file.
 *
 * Memory is that of the records that are kept. They are those of the range, those that last into
 * it or out of it, and the last value of each counter before it. All switches, asynchronous
 * operations, flows, names and objects are kept, too. A cut of the range (cut.h) out of these
 * records is the cut out of all of them. */
#ifndef FXTOP_SIEVE_H
#define FXTOP_SIEVE_H

#include "model/query/stat/range.h"
#include "model/trace/trace.h"

/* Writes them to a file. trace: complete, with its times alone or whole; range: timed. sure:
 * whether they are enough; else the order of the file is not that of times, and the trace has to be
 * read whole. Fails with one line. */
bool sieve_write(struct trace *trace, const struct range *range, int fd, bool *sure,
                 struct err *err);
/* Whether a trace has no problems that are known of its times alone: else it is never sure. */
bool sieve_may(struct trace *trace);

#endif
