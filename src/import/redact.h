/* redact.h - pseudonyms for the texts of a trace (--redact).
 *
 * A text gets the number of its first appearance in the whole trace, so "name 12" is the same text
 * in every part of it. The trace is read once before, to learn its texts. Numbers, times,
 * identifiers and sizes stay, and so do the words that have a meaning in the format, such as
 * "process". */
#ifndef FXTOP_REDACT_H
#define FXTOP_REDACT_H

#include <stdbool.h>

#include "src/base/str.h"

/* Names: of events, categories, arguments, threads, processes, objects, blobs, modules and
 * providers; and every other text that quotes one. Args: values of arguments, logs and blobs. */
enum redact_what { REDACT_NAMES = 1, REDACT_ARGS = 2 };

/* SCHEDULING and STATE: the name of an argument of a switch or a wakeup, and the value of `state`:
 * there more words have a meaning. */
enum redact_role { REDACT_NAME, REDACT_ARGUMENT, REDACT_VALUE, REDACT_SCHEDULING, REDACT_STATE };

#define REDACT_TEXT 24 /* bytes of a pseudonym at most */

struct redact;

struct redact *redact_new(unsigned what); /* what: enum redact_what */
void redact_free(struct redact *redact);  /* may be NULL */

/* Ends learning: until then, texts are returned as they are. */
void redact_learned(struct redact *redact);
bool redact_learns(const struct redact *redact); /* NULL: false */

/* Whether a text is new, or the bytes of a record are more than in any while learning: the trace
 * changed since. */
bool redact_changed(const struct redact *redact); /* NULL: false */

/* The text, or its pseudonym in buf, which the text may be in. A new text is empty. redact may be
 * NULL. */
struct str redact_text(struct redact *redact, enum redact_role role, struct str text,
                       char buf[REDACT_TEXT]);
/* Begins a record: the bytes that were returned for the one before are released. */
void redact_record(struct redact *redact);
/* The bytes, or as many zeros; none if they are too many. Then the bytes as they are. Each has
 * memory of its own. */
struct str redact_bytes(struct redact *redact, struct str bytes);
struct str redact_copy(struct redact *redact, struct str bytes);

#endif
