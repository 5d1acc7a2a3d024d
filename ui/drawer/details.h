/* details.h - text about the selected event, or about the current track if nothing is selected. One
 * function for each kind of event or track; the tables in details.c and details_row.c choose. */
#ifndef FXTOP_DETAILS_H
#define FXTOP_DETAILS_H

#include "ui/drawer/drawer_text.h"

void details_draw(struct drawer_text *p);

/* ---- by the kind of the selection ---- */

void details_slice(struct drawer_text *p);
void details_operation(struct drawer_text *p);
void details_state(struct drawer_text *p);
void details_run(struct drawer_text *p);
void details_instant(struct drawer_text *p); /* of a thread or an async group; also large blobs */
void details_sample(struct drawer_text *p);
void details_log(struct drawer_text *p);
void details_profile(struct drawer_text *p);
void details_row(struct drawer_text *p); /* nothing is selected */

/* ---- parts of them ---- */

/* "render 2107 / main 2109" */
void details_thread_name(struct drawer_text *p, const struct thread *t);
void details_thread(struct drawer_text *p); /* the same, of the selection, after a gap */
void details_duration(struct drawer_text *p, const struct slice *s); /* start and length */
/* "  damaged end: not counted", of a slice, state or run that is in no sum. `damaged` has the bits
 * of trace_damaged_parts; 0: not known. */
void details_not_counted(struct drawer_text *p, const struct slice *s, unsigned damaged);
void details_record(struct drawer_text *p); /* the line about the selection's record */
/* The time in which the selected slice is the last in nesting order that covers. False: finding it
 * costs more than a frame may, or the slice has a damaged time. */
bool details_self(struct trace *trace, const struct selection *at, const struct slice *s,
                  int64_t *ns);
/* The slices around a slice of a thread, itself first; the same around the selection's time on its
 * thread. */
void details_ancestors(struct drawer_text *p, const struct thread *t, uint32_t row, uint32_t i);
/* "  category gfx"; "": nothing */
void details_category(struct drawer_text *p, struct str category);
void details_around(struct drawer_text *p);
/* How a thread spent [from, to): nothing if its scheduling is not in the trace. */
void details_states(struct drawer_text *p, uint32_t thread, int64_t from, int64_t to);
/* A step of adding that up for the selected slice; true: there is more. */
bool details_states_step(struct app *app);
/* The functions that samples were in. They are those of the selected slice while it lasts, of a
 * profiler's frame its own, else those of the current line in the range. Nothing without
 * samples. */
void details_hot(struct drawer_text *p);
/* A step of adding them up; true: there is more. */
bool details_hot_step(struct app *app);

#endif
