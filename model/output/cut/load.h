/* load.h - opens a part of a trace that may be larger than memory (--load).
 *
 * It is the part that --cut of the same range writes. The file is read twice, for its times and for
 * the records that the range may need (sieve.h). These make a small trace, of which the range is
 * cut. Memory is that of the two and of names and objects. A trace is read whole first if its times
 * are not sound: far off, unset or damaged. */
#ifndef FXTOP_LOAD_H
#define FXTOP_LOAD_H

#include "model/trace/trace.h"

/* range: as typed. Fails with one line. A note on standard error has the part and the whole. */
struct trace *load_part(const char *path, const struct trace_options *options, const char *range,
                        bool ascii, struct err *err);

/* Opens that part, or all if there is no range and its index fits into memory. */
struct trace *load_open(const char *path, const struct trace_options *options, const char *range,
                        bool ascii, struct err *err);
/* Whether the indexes of FXT files fit into the memory that is free, all at once. If not, err has
 * one line with what to do. The need of other formats is not known before they are read. One file
 * whose index is cached needs no memory. */
bool load_fits(char *const *paths, size_t n, const struct trace_options *options, struct err *err);

#endif
