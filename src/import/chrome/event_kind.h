/* event_kind.h - JSON of another use than Chrome's trace events, by its keys.
 *
 * Keys are noted until an event is found: of the top, and of the objects in it. A kind that another
 * importer reads is known as soon as its keys are, whatever pieces they come in. */
#ifndef FXTOP_EVENT_KIND_H
#define FXTOP_EVENT_KIND_H

#include "src/import/json/json_scan.h"
#include "src/io/import.h"

#define EVENT_KIND_NAME 128 /* bytes of its line */
#define EVENT_KIND_KEYS 80
#define EVENT_KIND_KEY 32 /* bytes of a key that decides */

struct event_kind_keys { /* the first ones: `a, b, c` */
    char text[EVENT_KIND_KEYS];
    size_t bytes, n;
};

struct event_kind {
    unsigned char seen[64]; /* of each kind that is known, a bit for each of its keys */
    /* the key of the top around the next value; the last string in there; empty: longer */
    char top[EVENT_KIND_KEY], last[EVENT_KIND_KEY];
    struct event_kind_keys keys, span_keys;
    uint64_t spans;                /* depth of the keys of spans; 0: there are none */
    unsigned roles;                /* of keys as columns of a table (table_column.h), a bit each */
    const struct importer *reader; /* of the first kind that is known and has one; or NULL */
};

/* Notes a key: depth is the number of brackets that were opened since the top. */
void event_kind_key(struct event_kind *kind, uint64_t depth, struct str key);
/* The next token inside of a value of the top. */
void event_kind_token(struct event_kind *kind, uint64_t depth, const struct json_token *token);
/* An object of the top, or the first one of an array, has ended, and is no event. line: of the top:
 * it may be a row of a table. */
void event_kind_object(struct event_kind *kind, bool line);
/* Names the source, in one line. */
const char *event_kind_name(const struct event_kind *kind, char said[EVENT_KIND_NAME]);

/* Whether a file that begins so is JSON that may have events. all: these are all of its bytes. */
enum import_sniff event_kind_sniff(struct str first, bool all);

#endif
