/* until.h - looks for an event that a filter holds for, in the trace as it grows (--until).
 *
 * A process of its own reads the file as fxtop does, so the recording does not wait for it. */
#ifndef FXTOP_UNTIL_H
#define FXTOP_UNTIL_H

#include "record/apart.h"
#include "src/base/err.h"

#define UNTIL_TEXT 300 /* bytes */

enum until_state { UNTIL_GOES_ON, UNTIL_CAME, UNTIL_FAILED };

struct until {
    struct apart apart;
    const char *path, *filter; /* borrowed */
    char text[UNTIL_TEXT];
    size_t n;
};

/* Whether the text is a filter: a text without a comparison is the name of an alert. False with one
 * line in err: it is a filter that cannot be asked of a trace that grows. */
bool until_parse(const char *text, bool *filter, struct err *err);
/* Whether only events of that category can fit. */
bool until_asks_for(const char *filter, const char *category);
/* Begins to look into a regular file, which may have nothing but its magic so far. False with one
 * line in err. */
bool until_start(struct until *until, const char *path, const char *filter, struct err *err);
/* To be polled; -1: no more is looked for. */
int until_fd(const struct until *until);
/* The state now; `text` then has the event, or the reason for which no more is looked for. */
enum until_state until_take(struct until *until);
void until_stop(struct until *until);

#endif
