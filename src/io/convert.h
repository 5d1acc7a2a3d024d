/* convert.h - runs an importer while its source is spooled: words out, and where they came from.
 *
 * One thread converts, another asks. Marks go to a file without a name, 32 bytes each. The first
 * CONVERT_KEPT faults of each kind stay in memory, and all damaged times. */
#ifndef FXTOP_CONVERT_H
#define FXTOP_CONVERT_H

#include "src/io/inflate.h"
#include "src/io/kept_bytes.h"

#define CONVERT_KEPT IMPORT_WHY

struct convert;

/* The importer that takes this input, which is decompressed as far as that needs; NULL: none of
 * them. importers: ended by NULL, or NULL. */
const struct importer *convert_choose(const struct importer *const *importers,
                                      struct inflate *input);

struct convert_source {
    const struct importer *const *importers;
    bool waits; /* the input comes piece by piece, so only a few bytes are waited for */
    bool grows; /* so does the file */
    int fd;     /* of the file, if it is plain and can be read anywhere, else -1 */
};

/* Whether the input is of another format: err names it, with what makes a trace of it. */
bool convert_foreign(struct inflate *input, const struct convert_source *from, struct err *err);

/* Whether the input is JSON or another text in UTF-16, which none of them takes. No trace begins
 * so. */
bool convert_is_utf16(struct inflate *input);

/* fd: for the marks; becomes the converter's. */
struct convert *convert_new(const struct importer *importer, int fd, bool hurry);
void convert_free(struct convert *convert); /* may be NULL */

/* The words that these bytes of the source become, until the next call. last: no bytes will
 * follow. */
struct str convert_some(struct convert *convert, struct str bytes, bool last);

/* Whether there are further words: convert_some() gives them, without bytes. */
bool convert_more(const struct convert *convert);

/* Bytes of events that the importer holds in memory, to make words of them later. */
uint64_t convert_held(const struct convert *convert);
/* From now on words come as soon as they can. */
void convert_hurry(struct convert *convert);
/* There are no further words, and those of a step at work end soon. Any thread may say so. */
void convert_give_up(struct convert *convert);

const char *convert_name(struct convert *convert); /* of the importer */
/* The place in the source of the event whose words are at this offset. False: before the first, or
 * not kept. */
bool convert_source(struct convert *convert, uint64_t words, struct import_place *source);
/* How many faults of a kind there are; copies case number i, if it is kept. Its text lasts as long
 * as the converter. */
uint64_t convert_faults(struct convert *convert, enum import_fault fault, uint64_t i,
                        struct import_case *to);

/* The marks, once the source has ended. False: not all of them were kept. */
bool convert_marks(struct convert *convert, struct kept_bytes *marks);
/* Takes marks that were kept of the same source; the descriptor becomes the converter's. */
void convert_restore(struct convert *convert, const struct kept_bytes *marks);
/* Takes the name and the faults that it had then; the texts are copied. */
void convert_remember(struct convert *convert, const char *name);
void convert_remember_faults(struct convert *convert, enum import_fault fault, uint64_t count,
                             const struct import_case *cases, size_t n);

#endif
