/* nest_close.h - ends of slices, one by one, and of events that are matched again (nest_late.c).
 *
 * Times: ns relative to the reader's base. */
#ifndef FXTOP_NEST_CLOSE_H
#define FXTOP_NEST_CLOSE_H

#include "model/nest/nest_internal.h"
#include "src/base/u64map.h"

/* Takes the next end: it closes a begin, or is a stray [N9]. False: it has to wait, because a
 * slice was nested as if it ended later. */
bool nest_close(struct nest *nest, const struct slice_extra *extra, const struct nest_item *x);

/* Bounds the slice without a known end that nothing bounds so far, if there is one (dangling): by
 * `time` or the end of its parent. last: no event follows, and `time` is INT64_MAX; then it stays
 * endless if its parent is. */
void nest_bound(struct nest *nest, const struct slice_extra *extra, int64_t time, bool last);

/* ---- matching a list of events again, in the order of time ---- */

struct nest_match;

struct nest_match *nest_match_new(const struct nest *nest, const struct slice_extra *extra);
void nest_match_free(struct nest_match *match); /* may be NULL */
/* A begin opens; item: its place in the list. */
void nest_match_begin(struct nest_match *match, const struct nest *nest, const struct nest_item *x,
                      size_t item);
/* Whether the name of the next end matters. */
bool nest_match_by_name(const struct nest_match *match, const struct nest *nest);
/* An end closes begins of the list `items`, which become pairs. False: it is a stray. name: 0
 * without one. */
bool nest_match_end(struct nest_match *match, struct nest *nest, const struct nest_item *x,
                    uint32_t name, struct nest_item *items);
/* After the last event. Returns whether ends of their own time may still close open begins: those
 * do if `final`. */
bool nest_match_done(struct nest_match *match, struct nest *nest, struct nest_item *items,
                     bool final);

#endif
