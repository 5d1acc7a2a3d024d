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
/* problem_message(), with the line and the column of the source if its problem is about an event of
 * one. */
#define TRACE_PROBLEM_TEXT 160
const char *trace_problem_message(const struct trace *trace, int kind,
                                  const struct problem *problem, char buf[TRACE_PROBLEM_TEXT]);
/* "line 3, column 41: " of the event whose record is at this offset, or "": it has none. */
#define TRACE_PLACE_TEXT 64
const char *trace_place_text(const struct trace *trace, uint64_t offset,
                             char buf[TRACE_PLACE_TEXT]);
/* The number of cases, without or with notes. Costs O(threads), for the title of each frame. */
uint64_t trace_problem_count(struct trace *trace, bool notes);

#endif
