/* event_need.h - the fields that an event needs by its phase: after a fault in "args" they decide
 * whether it is written, and which keys may be its own. */
#ifndef FXTOP_EVENT_NEED_H
#define FXTOP_EVENT_NEED_H

#include "src/import/chrome/event_fields.h"

/* Whether all are there, so that it can be written. */
bool event_need_nothing(const struct event_fields *ev);
/* Whether others may follow: its phase is known and needs them, or it is still to come. */
bool event_need_any(const struct event_fields *ev);
/* Whether a field may be one that is not there yet. */
bool event_need_field(const struct event_fields *ev, enum event_field field);
/* The bracket of "args" is missing: takes fields that the event lacks out of them. */
void event_need_take(struct event_fields *ev);

#endif
