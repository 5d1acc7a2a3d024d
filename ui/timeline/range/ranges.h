/* ranges.h - the commands that make, change and drop the range (ANALYSIS "Range";
 * model/query/stat/range.h).
 *
 * The range is app->range; views ask session_range(). Times: ns relative to the reader's base. A
 * command that cannot be done leaves the range as it is and shows a message. */
#ifndef FXTOP_RANGES_H
#define FXTOP_RANGES_H

#include "ui/session.h"

/* Actions of the command table. */
/* v: from the cursor on; again: keeps it as the motions left it */
void ranges_start(struct app *app);
void ranges_selection(struct app *app); /* the selected event, on its track */
void ranges_window(struct app *app);
void ranges_tag(struct app *app); /* the current track, or all of the current process; again: not */
void ranges_zoom(struct app *app);
void ranges_compare(struct app *app); /* keeps a copy for a comparison */
void ranges_toggle(struct app *app);  /* in tables: drops the range, or brings the last one back */
void ranges_drop(struct app *app);
void ranges_type(struct app *app, const char *text); /* "A..B", "window", "selection", "off" */

/* tags it, whether it is tagged or not */
void ranges_tag_track(struct app *app, const struct track *track);
/* The i-th tagged track; false: there are fewer. Only its kind and number are set. */
bool ranges_tagged_at(const struct app *app, size_t i, struct track *track);
/* The thread of the current line; of a process its only one; NO_THREAD: there is none. */
uint32_t ranges_thread_here(const struct app *app);
/* The two tagged threads, or the one that is tagged and that of the current line; false, after a
 * message: neither. */
bool ranges_two_threads(struct app *app, uint32_t threads[2]);
/* From one time to another, on the tagged tracks, or those that the filter shows. */
void ranges_set(struct app *app, int64_t from, int64_t to);
/* Ends the extension that v began; true: there was one. */
bool ranges_keep(struct app *app);
/* After a key: extends the range that v began to the cursor, and takes in a filter of tracks that
 * has changed. */
void ranges_follow(struct app *app);
/* After the trace has read on: counts its tracks again. renewed: its times and tracks mean nothing
 * now. */
void ranges_update(struct app *app, bool renewed);
struct range_count { /* data of app->range.slices */
    struct trace *trace;
    struct slice_set set;
    uint64_t slices;
};
/* A step of counting the slices in the range; true: there is more. */
bool ranges_step(struct app *app);
/* "range 15.33 ms  42 slices  3 of 48 tracks"; "": there is none. Returns buf. */
const char *ranges_text(const struct app *app, char buf[128]);
/* Whether a track of the list is tagged; of a header: one of its tracks is. */
bool ranges_tagged(const struct app *app, const struct track *track);

#endif
