/* colors.h - what slices have their colours by: the name, or another key; and colours of their own
 * for its heaviest values in the trace, by total time: style_rank().
 *
 * If there are more names than colours, those that differ in numbers alone are one value.
 *
 * They are ranked as soon as something is loaded, and again when all is. A value that stays among
 * the heaviest keeps its colour, also in the session. A name whose slices have several values has
 * the colour of the one with three quarters of their time, if there is one. */
#ifndef FXTOP_COLORS_H
#define FXTOP_COLORS_H

#include "ui/session.h"

/* Background work; true: there is more to do. */
bool colors_step(struct app *app);
void colors_free(struct app *app);

/* ":color category" or "arg.size"; and the next one that has no argument. */
void colors_type(struct app *app, const char *text);
void colors_next(struct app *app);
/* The key as it is typed. */
const char *colors_key(const struct timeline *timeline, char buf[COLORS_ARGUMENT + 8]);

/* With colours, looks: of a slice of a track (slice_iter.h) ... */
struct look colors_slice(const struct app *app, uint32_t track, const struct slice *slice);
/* ... of the slices of a name; false: they have several ... */
bool colors_name(const struct app *app, uint32_t name, struct look *look);
/* ... and of all slices of a track, or a thread's runs on a CPU; false: they have several. */
bool colors_track(const struct app *app, uint32_t track, struct look *look);
/* Whether they are of these groups; then the look of the one with that text. */
bool colors_group(const struct app *app, enum slice_group_by by, const char *argument,
                  struct str text, struct look *look);

#endif
