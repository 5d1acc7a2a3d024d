/* import.h - converters of other formats into words of FXT, which file.c runs while it spools.
 *
 * An importer is one row of a table that its user gives to file_open(). It is chosen by content,
 * gets the decompressed bytes piece by piece, and yields words as if they were the bytes of the
 * file. Everything above sees only words. */
#ifndef FXTOP_IMPORT_H
#define FXTOP_IMPORT_H

#include <stdatomic.h>
#include <stdbool.h>
#include <stdint.h>

#include "src/base/str.h"

#define IMPORT_SNIFF_MAX 4096 /* bytes after which an importer must know */

enum import_sniff { IMPORT_NO, IMPORT_YES, IMPORT_MORE }; /* more: too few bytes to know */

struct import_place {            /* in the source, all from 0 */
    uint64_t byte, line, column; /* column: in bytes */
};

#define IMPORT_NO_LINES UINT64_MAX /* the line of a place in a source that is no text */

/* A place in the words and the place in the source it was made from. Marks ascend in words; in the
 * source, too, but for records that waited for later events. */
struct import_mark {
    uint64_t words; /* bytes */
    struct import_place source;
};

/* Faults of the source, and contents that FXT cannot hold (doc/IMPORT.md). */
enum import_fault {
    IMPORT_SYNTAX,    /* not of the format: skipped to the next event */
    IMPORT_TRUNCATED, /* the source ends within an event */
    IMPORT_UNKNOWN,   /* an event of a type that is not known */
    IMPORT_FIELD, /* an event without a field that it needs, or with a value that makes no sense */
    IMPORT_CUT,   /* a text or a number of arguments beyond what a record holds */
    IMPORT_IGNORED,   /* a note: well-known and without a meaning here */
    IMPORT_NO_EVENTS, /* of the syntax, but of another use: there is no place for events */
    IMPORT_DAMAGED,   /* a time that cannot be, of the record at these words; all cases are kept */
    IMPORT_FAULTS
};

#define IMPORT_WHY 1000 /* cases of a kind that say what is wrong */

struct import_case {
    enum import_fault fault;
    struct import_mark at;
    /* the place and what is wrong there, safe to print, or NULL; the receiver frees it */
    char *why;
};

struct importer;

/* The output of one step; valid until the next step. */
struct import_news {
    struct str words; /* bytes, a multiple of 8 */
    const struct import_mark *marks;
    size_t nmarks;
    const struct import_case *cases;
    size_t ncases;
    uint64_t held; /* bytes of events in memory that become words later */
    bool more;     /* there are further words: step on, without bytes, before anything else */
    /* Any thread sets it to have the step at work end soon, without its words; or NULL. */
    atomic_bool *give_up;
    /* The importer that reads this source instead, or NULL. It gets all bytes so far, `source`.
     * Only the magic number may have been given before. */
    const struct importer *reader;
    struct str source;
};

struct importer {
    const char *name; /* as in "from Chrome JSON" */
    /* Whether these first bytes are of the format. all: the source has no more; then MORE means
     * no. */
    enum import_sniff (*sniff)(struct str first, bool all);
    void *(*start)(void);
    /* Takes all of the bytes, which may be any. last: none will follow. */
    void (*step)(void *import, struct str bytes, bool last, struct import_news *news);
    void (*stop)(void *import);
    /* From now on words come as soon as they can, whether or not the source turns out to have
     * events; or NULL. */
    void (*hurry)(void *import);
};

#endif
