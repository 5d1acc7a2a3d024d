/* curve.h - counters as curves: how each is shown, its samples as shown, and numbers as text.
 * Times: ns relative to the reader's base. */
#ifndef FXTOP_CURVE_H
#define FXTOP_CURVE_H

#include "ui/session.h"

#define CURVE_SETTINGS 120

/* The settings of a series, made on first use. Valid until the next call. */
struct curve *curve_of(struct timeline *timeline, uint32_t series);
/* The series as its mode shows it: values, deltas or rates; only (may be NULL): of the samples that
 * it leaves, the others are gaps. NULL: it leaves none. Valid until the trace, the mode or `only`
 * changes. */
struct counter_series *curve_series(struct app *app, uint32_t series,
                                    const struct filter_lanes *only);
/* Indices of the least and greatest sample of [from, to), including the one that holds at `from`;
 * false: none. */
bool curve_extent(struct counter_series *series, int64_t from, int64_t to, size_t *least,
                  size_t *most);
/* Whether two series are of a group: counters of a process whose names differ in digits alone. */
bool curve_group_same(const struct trace *trace, uint32_t a, uint32_t b);
/* The extent in the window of the group of a series, of those in its mode; only: as of
 * curve_series(). False: there is none. */
bool curve_group_extent(struct app *app, uint32_t series, const struct filter_lanes *only,
                        double *lo, double *hi);
/* After scales or modes of series have changed. */
void curve_group_free(struct timeline *timeline);
/* The sample that holds at t, or NULL. */
const struct counter_sample *curve_at(struct counter_series *series, int64_t t);
/* Four digits and a prefix: "12.35k". */
const char *curve_number(double x, char buf[24]);
/* The value of a sample in the same form. An integer from 1e15 on has all its digits if they fit
 * into `room` columns. A sample that is 6 more than `least` (may be NULL) is "min+6" if both would
 * look the same. */
const char *curve_text(const struct counter_sample *s, const struct counter_sample *least, int room,
                       char buf[32]);

/* "zero rate stacked" for a session; false: as at the start. */
bool curve_settings(const struct app *app, uint32_t series, char text[CURVE_SETTINGS]);
/* Puts back settings; false: the text has none. */
bool curve_put_settings(struct app *app, uint32_t series, const char *text);

/* ---- actions of the command table, on the counter of the current line ---- */

void curve_next_scale(struct app *app);
void curve_set_scale(struct app *app, const char *text); /* "fit", "zero", "log", "0..100" */
void curve_next_mode(struct app *app);
void curve_set_mode(struct app *app, const char *name); /* "value", "delta", "rate" */
void curve_stack(struct app *app); /* all arguments of the counter in one curve, or separately */

/* The end of a counter's last value: that of its process, if that has ended and no sample is
 * later. */
int64_t curve_end(const struct trace *trace, const struct track *track);

#endif
