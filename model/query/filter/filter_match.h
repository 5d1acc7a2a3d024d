/* filter_match.h - whether a filter holds for an event of a trace.
 *
 * filter_match_step() prepares what makes an answer cheap: names are matched once, arguments are
 * looked up, and filter_sets.h asks the neighbours. It does so again after the trace has changed.
 * Then an event is tested term by term, cheap ones first: its track, its name, the words of its
 * slice, its neighbours; category and arguments, which are decoded from its record, last.
 *
 * Fields of events: doc/GLOSSARY.md names them, fxtop-query(1) has the table. An instant, a log
 * record and a point of a flow are inside the innermost slice of their thread at their time. */
#ifndef FXTOP_FILTER_MATCH_H
#define FXTOP_FILTER_MATCH_H

#include "model/query/filter.h"
#include "model/query/slice_iter.h"

struct filter_match;

/* both are borrowed */
struct filter_match *filter_match_new(struct trace *trace, const struct filter *filter);
void filter_match_free(struct filter_match *match); /* may be NULL */

/* True: ready for the trace as it is. */
bool filter_match_step(struct filter_match *match, struct task *task);

/* The kinds of series that can hold a match: a set of enum slice_iter_kind. A filter that does not
 * ask for a kind is about slices, operations and instants; with hop it is about points of flows. */
unsigned filter_match_kinds(const struct filter_match *match);
/* By name, if the name alone decides about all slices, operations and instants; else NULL. Valid
 * until the next step.
 */
const unsigned char *filter_match_names(const struct filter_match *match, size_t *n);
/* Whether no name matches, so that nothing does. */
bool filter_match_none(const struct filter_match *match);

/* A line about a left side that names no field and no argument of the trace, or a term without a
 * value: "'dru' is no field and no argument of this trace", or 'arg.dru'. A term whose text a name
 * has is none. NULL: there is none. Asked once the match is ready. Returns line. */
const char *filter_match_fault(const struct filter_match *match, char line[FILTER_FAULT]);

/* Whether it holds for entry i of a series; and the cost of that in units of work. */
bool filter_match_event(struct filter_match *match, const struct slice_series *series, uint32_t i);
uint32_t filter_match_cost(const struct filter_match *match);
/* Whether it holds for slice i of a row (tracks as in slice_iter.h), once it is ready: the `has` of
 * a slice_set, with the match as its ctx. */
bool filter_match_slice(void *match, uint32_t track, uint32_t row, uint32_t i);
/* The self time of a slice of a thread, overlaps included, if the filter asks for self and is
 * ready. */
int64_t filter_match_self(const struct filter_match *match, uint32_t thread, uint32_t row,
                          uint32_t i);
/* Its depth, if the filter asks for depth and is ready. */
uint32_t filter_match_depth(const struct filter_match *match, uint32_t thread, uint32_t row,
                            uint32_t i);

#endif
