/* spans.h - the common part of importers of distributed traces: their spans become slices, and
 * the links between them flows (doc/IMPORT.md).
 *
 * An importer adds spans, each with its attributes, as the walk hands them over. Records are
 * written when all are there. */
#ifndef FXTOP_SPANS_H
#define FXTOP_SPANS_H

#include "src/import/json/json_walk.h"
#include "src/import/spans/span_lanes.h"
#include "src/import/spans/span_store.h"
#include "src/import/spans/span_tree.h"

struct span_item {
    uint64_t ts;
    uint32_t kind, index;
};

#define SPANS_ID_MOST 64 /* characters of an id that is made to small letters */

struct spans {
    struct json_walk walk;
    struct span_store store;
    struct span_entry now; /* between spans_begin() and spans_end() */
    uint64_t most;         /* bytes of memory that it may take; 0: not known yet */
    bool hurried;
    /* while records are written */
    bool writes;
    struct span_tree tree;
    struct span_lanes lanes;
    VEC(struct span_item) items;
    size_t next;
    bool *logs;      /* of a process: it has some without a span */
    uint64_t flow;   /* the id of the next one */
    uint64_t unread; /* parts of the source that are passed over */
};

void spans_init(struct spans *s, const struct json_walk_rule *rules, void *ctx);
void spans_free(struct spans *s);
void spans_step(struct spans *s, struct str bytes, bool last, struct import_news *news);
/* Writes the spans so far, at the next step; later ones are left out. */
void spans_hurry(struct spans *s);

/* The value of the walk is a span, whose fields are to be set in `now`. Its arguments are a list of
 * the store. */
void spans_begin(struct spans *s);
/* Returns its number. */
uint32_t spans_end(struct spans *s);
/* The value has no id: a fault, unless it is a part of one that has a fault. */
void spans_without_id(struct spans *s);
/* Sets begin and end of `now` by a time and a duration in microseconds. */
void spans_last_us(struct spans *s, uint32_t begin, uint32_t duration);
/* An event within a span: its arguments are the store's list. */
void spans_event(struct spans *s, uint32_t span, uint64_t ts, struct str name);
void spans_link(struct spans *s, uint32_t span, uint64_t trace, uint64_t id);

/* Ends a list of arguments, for spans_begin() to spans_end(), and events. */
uint64_t spans_args_end(struct spans *s);

/* An id as hexadecimal digits or base64: its low 64 bits. That of another text is a hash. False:
 * there is none. */
bool spans_id(struct str text, uint64_t *id);
/* An id as small hexadecimal digits, also from base64; another text stays as it is. */
struct str spans_id_hex(struct str text, char hex[SPANS_ID_MOST]);
/* A time in nanoseconds, or microseconds, as a number or text; 0: none. */
uint64_t spans_ns(struct spans *s, uint32_t node);
uint64_t spans_us(struct spans *s, uint32_t node);
/* A text that is a number becomes one. */
void spans_number(struct spans *s, uint32_t node);
/* The begin of a text with small letters. Returns its bytes. */
size_t spans_lower(struct str text, char *to, size_t most);
/* The text of a key of an object; without it, an empty one. */
struct str spans_text(struct spans *s, uint32_t node, const char *key);
uint32_t spans_name(struct spans *s, struct str text);
/* A service; without a name it is unknown. */
uint32_t spans_process(struct spans *s, struct str name, struct str instance);
/* A span and the thread that it names belong to a process. */
void spans_own(struct spans *s, size_t span, uint32_t process);

#endif
