/* annotations.h - the arguments of an event: debug annotations and the like.
 *
 * Dictionaries and arrays are JSON text, as in Chrome's traces. All that a record does not
 * hold goes into the argument `more` (event_build.h). */
#ifndef FXTOP_ANNOTATIONS_H
#define FXTOP_ANNOTATIONS_H

#include "src/import/chrome/event_build.h"
#include "src/import/perfetto/sequence.h"

struct annotations {
    struct event_build b;
    struct event_fields fields;
    VEC(char) json; /* of a value */
    bool protos;    /* a message of another schema was left out */
    char text[WRITER_STRING_MAX];
};

void annotations_init(struct annotations *a, struct writer *w);
void annotations_free(struct annotations *a);

/* Begins the record of an event. */
void annotations_start(struct annotations *a);
/* Reads a DebugAnnotation. */
void annotations_add(struct annotations *a, const struct sequence *s, struct str message);
void annotations_text(struct annotations *a, struct str name, struct str text);
void annotations_number(struct annotations *a, struct str name, uint64_t number);
/* The arguments; valid until annotations_start(). */
struct writer_arguments annotations_end(struct annotations *a);

/* Adds a DebugAnnotation to `fields` instead, as JSON has it. */
void annotations_field(struct annotations *a, const struct sequence *s, struct str message);

#endif
