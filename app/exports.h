/* exports.h - --export of one trace, or of several as one. Each returns the exit status. */
#ifndef FXTOP_EXPORTS_H
#define FXTOP_EXPORTS_H

#include "app/options.h"
#include "model/query/stat/question.h"

/* Whether all of a trace is written as FXT, for which no index is needed. */
bool exports_all(const struct options *o);
/* Opens the trace and writes it. */
int exports_file(const struct options *o);
/* Writes a set, or an archive that is one, whole. */
int exports_set(struct trace *trace, const struct options *o);
/* The events that a question is about, in any format but sqlite. */
int exports_asked(struct trace *trace, const struct options *o, const struct question *asked);

/* Prints the table that --keys lead to; on the timeline, the slices. */
int exports_table(struct trace *trace, const struct options *o);
/* --export=json or fxt of what --keys or -S lead to: with the tracks of questions (:as-track). */
int exports_played(struct trace *trace, const struct options *o);

#endif
