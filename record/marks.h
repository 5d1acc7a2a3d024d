/* marks.h - the records of a recording about itself: its name, begin, end, the clock, alerts.
 *
 * All are records of the manager, provider OUTPUT_OWN. */
#ifndef FXTOP_RECORD_MARKS_H
#define FXTOP_RECORD_MARKS_H

#include "record/child.h"
#include "record/output.h"
#include "record/ticks.h"

/* The manager's provider and thread, and the time when it began. */
void marks_first(struct output *output, const struct ticks *ticks, struct ticks_wall begun);
/* The time now, as an initialization record: a reader then knows that no time since the first one
 * is damaged, however far it may be from others. Writing it each time that the file grows makes
 * this true while it is followed. */
void marks_clock(struct output *output, const struct ticks *ticks);
/* An instant. */
void marks_event(struct output *output, const struct ticks *ticks, const char *category,
                 const char *name);
/* A loss record, after an instant of that name, which gives it its time. */
void marks_lost(struct output *output, const struct ticks *ticks, const char *name);
/* The instant with the command line (argv; NULL: there is none) and the host. */
void marks_begin(struct output *output, const struct ticks *ticks, char *const *argv);
/* The last instant, with the status of the program if it has ended. Nothing follows. */
void marks_end(struct output *output, const struct ticks *ticks, const struct child *child);
/* An instant of the program's first thread: the signal that has ended it. */
void marks_signal(struct output *output, const struct ticks *ticks, const struct child *child);

#endif
