/* keep_state.h - the state of the interface as lines of commands, and back: the content of
 * sessions, -S and Y.
 *
 * The lines are those that a person could type after the colon; most are ":place" with one part of
 * the state. Times are ns from the begin of the trace. A text of lines is run as far as its tracks
 * and times exist. Commands that are no part of a state are refused, so that a session from
 * elsewhere can do nothing else. */
#ifndef FXTOP_KEEP_STATE_H
#define FXTOP_KEEP_STATE_H

#include "model/output/chars.h"
#include "ui/session.h"

enum keep_parts {
    KEEP_ORDER = 1, /* order of tracks, folds, rows shown */
    KEEP_MARKS = 2, /* pins, filters, marks, notes, ranges */
    KEEP_PLACE = 4, /* view, window, cursor, current line, selection, drawer */
    KEEP_ALL = 7,
};

void keep_state_write(struct app *app, struct chars *out);
/* The same without what a trace shows that is opened without a session. */
void keep_state_write_short(struct app *app, struct chars *out);
/* Appends the options --window and --at instead, each after a blank. False: more is elsewhere than
 * at the start. */
bool keep_state_write_options(struct app *app, struct chars *out);
/* Runs the lines of those parts (a set); comments begin with #. Returns how many did not find what
 * they name, and stores the first of them. */
unsigned keep_state_run(struct app *app, const char *lines, unsigned parts, char first[80]);
/* The words of "place order" and "place times" for what holds now. */
const char *keep_state_order(const struct app *app);
const char *keep_state_times(const struct app *app);
/* The command :place, with the text after it. */
void keep_state_place(struct app *app, const char *text);

#endif
