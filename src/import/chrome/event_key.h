/* event_key.h - which field of an event a key is. */
#ifndef FXTOP_SRC_IMPORT_CHROME_EVENT_KEY_H
#define FXTOP_SRC_IMPORT_CHROME_EVENT_KEY_H

#include "src/import/chrome/event_fields.h"

/* The object that a key belongs to. */
enum event_level {
    LEVEL_TOP,   /* around the events, or an event itself */
    LEVEL_EVENT, /* in the array of events */
    LEVEL_ARGS,
    LEVEL_ID2,
    LEVEL_FRAMES, /* "stackFrames": an object for each */
    LEVEL_FRAME,
};

/* EVENT_FIELDS: none. */
enum event_field event_key_field(struct str key, enum event_level level);
/* The key of a field. */
const char *event_key_name(enum event_field field);
/* Whether an object with such a first key may be an event. */
bool event_key_begins(const void *ctx, struct str key);

#endif
