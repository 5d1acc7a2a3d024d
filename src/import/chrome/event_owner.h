/* event_owner.h - processes, threads and ids of Chrome's trace event format as the numbers that FXT
 * has.
 *
 * A pid or tid that is a text, negative or too large gets a number from EVENT_OWNER_FIRST on and
 * keeps the text as its name. */
#ifndef FXTOP_EVENT_OWNER_H
#define FXTOP_EVENT_OWNER_H

#include "src/base/map.h"
#include "src/import/chrome/event_fields.h"

#define EVENT_OWNER_FIRST 1000000000u

struct event_owner_text {
    struct str text;      /* owned */
    bool process, thread; /* it was returned as the new name of one */
};

struct event_owners {
    struct map texts;
    VEC(struct event_owner_text) v; /* [i] has number EVENT_OWNER_FIRST + i */
    size_t bytes;                   /* of the texts */
};

struct event_owner {
    uint64_t pid, tid;
    struct str new_process, new_thread; /* a name to be written, if n > 0 */
};

void event_owners_free(struct event_owners *owners);
struct event_owner event_owner(struct event_owners *owners, const struct event_fields *ev);
/* A number that no text has. */
uint64_t event_owner_made(struct event_owners *owners);

/* An id that is a number, or a decimal or "0x" text, is that number. That of another text is a
 * hash; `text` is set. */
struct event_id {
    bool known;
    uint64_t value;
    struct str text, scope;
};

struct event_id event_owner_id(const struct event_fields *ev, enum event_field field);
/* "id", else "id2", and "scope", which makes another id. */
struct event_id event_owner_any_id(const struct event_fields *ev);

#endif
