/* import_lines.h - the common part of importers of text: pieces of bytes become lines, and lines
 * records, places and faults.
 *
 * An importer calls import_lines_step() in its step() and gets each line once. A line that lies in
 * one piece is not copied. A longer one than IMPORT_LINES_MOST bytes is cut, and is a problem. */
#ifndef FXTOP_IMPORT_LINES_H
#define FXTOP_IMPORT_LINES_H

#include "src/base/vec.h"
#include "src/fxt/writer.h"
#include "src/io/import.h"

#define IMPORT_LINES_MOST ((size_t)65536)
#define IMPORT_LINES_NAME 1024 /* bytes of a name that is registered; a longer one is inline */

struct import_note { /* of something that is well-known and without a meaning here */
    const char *text;
    uint64_t n;
    struct import_mark first;
};

struct import_lines {
    struct writer w; /* of the records; its ticks are nanoseconds */
    /* A line, without its end. too_long: these are its first bytes, which are no whole line. */
    void (*take)(void *ctx, struct str line, bool too_long);
    void *ctx;
    char *held; /* of a line whose end has not come yet: IMPORT_LINES_MOST bytes */
    size_t n;
    bool too_long;
    bool zeros;         /* a zero byte was noted */
    struct str line;    /* while take() runs */
    uint64_t at, begin; /* bytes of the source: the next one, and the first of the line */
    uint64_t number;    /* of the line, from 0 */
    uint64_t faults;
    VEC(struct import_mark) marks; /* of this step */
    VEC(struct import_case) cases;
    VEC(struct import_note) notes; /* of the source */
};

void import_lines_init(struct import_lines *lines,
                       void (*take)(void *ctx, struct str line, bool too_long), void *ctx);
void import_lines_free(struct import_lines *lines);

/* Hands the lines of these bytes to take(). last: the source ends, maybe without a line feed. */
void import_lines_step(struct import_lines *lines, struct str bytes, bool last);
/* The words, places and faults since import_lines_step() began; the notes, too, if the source has
 * ended, also that it has no events. */
struct import_news import_lines_news(struct import_lines *lines, bool last);

/* The records from here on are made of this line. */
void import_lines_mark(struct import_lines *lines);
/* Counts a fault, with a sentence of printf(). at: its place in the line. */
void import_lines_fault(struct import_lines *lines, enum import_fault kind, const char *at,
                        const char *format, ...) __attribute__((format(printf, 4, 5)));
/* Notes once, when the source ends, how often something came that has no meaning here. text: a
 * literal. */
void import_lines_note(struct import_lines *lines, const char *text);
/* A text as a name: registered if it is short, cut to what a record holds. */
struct writer_string import_lines_name(struct import_lines *lines, struct str text);

/* The first line of a source without a byte order mark. */
struct str import_lines_unmarked(struct str line);

/* The sniff() of a text: its first lines that are not blank, and do not begin with '#'. The first
 * one must fit, and another, if there are others. cut: the source ends within the line so far. */
enum import_sniff import_lines_sniff(struct str first, bool all,
                                     bool (*fits)(struct str line, bool cut));

#endif
