/* trace_problems.h - all problems of a trace: found by its reader, or while its records are nested
 * and joined.
 *
 * Both answers are cached until the trace changes (trace_version()). */
#ifndef FXTOP_TRACE_PROBLEMS_H
#define FXTOP_TRACE_PROBLEMS_H

#include "model/store/problem.h"

struct trace;

/* Every problem with its cases; valid until the next trace_step(). Costs a pass over the rows of
 * threads whose slices overlap or have ends of another name. */
const struct problems *trace_problems(struct trace *trace);
/* The problems of the records alone; costs nothing. */
const struct problems *trace_damage(const struct trace *trace);
/* The number of cases, without or with notes. Costs O(threads), for the title of each frame. */
uint64_t trace_problem_count(struct trace *trace, bool notes);

#endif
