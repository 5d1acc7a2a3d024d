/* event_build.h - the texts and arguments of a record under construction.
 *
 * All that a record cannot hold is cut, and `cut` of the event is set. The arguments after
 * EVENT_ARGUMENTS, whatever they come from, go into a last one, "more", as JSON text:
 * event_build_rest() writes it. */
#ifndef FXTOP_EVENT_BUILD_H
#define FXTOP_EVENT_BUILD_H

#include "src/import/chrome/event_fields.h"
#include "src/import/chrome/event_frame.h"

#define EVENT_BUILD_NAME 1024     /* bytes of a name that is registered */
#define EVENT_BUILD_FIXED (8 * 8) /* bytes of header, time, thread, end, id */

struct event_build {
    struct writer *w;
    struct event_frames *frames;
    char *text; /* WRITER_STRING_MAX bytes for an argument that is put together */
    struct event_fields *ev;
    struct writer_argument args[EVENT_ARGUMENTS + 1];
    size_t n;     /* of args */
    size_t bytes; /* of the record so far; at first EVENT_BUILD_FIXED */
    uint64_t pid; /* of its pointers */
};

struct writer_string event_build_ref(struct writer *w, struct str name);
/* Cuts a text to what the record still holds. */
struct str event_build_fitted(struct event_build *b, struct str text);
struct writer_string event_build_name(struct event_build *b, struct str name);
void event_build_put(struct event_build *b, struct writer_argument a); /* there is a place for it */
void event_build_text(struct event_build *b, struct str name, struct str text);
/* False: the text is no number, and nothing is written. */
bool event_build_number(struct event_build *b, struct str name, struct str text);
void event_build_value(struct event_build *b, struct str name, const struct event_value *v);
void event_build_rest(struct event_build *b);
/* All of the event: its arguments, stacks, and the rest. */
void event_build_arguments(struct event_build *b);

#endif
