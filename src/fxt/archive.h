/* archive.h - the table at the head of an archive of several traces (SEMANTICS 13.7).
 *
 * An archive is one trace to any reader of FXT. Its second record is a blob with the place of each
 * trace, its way to the common clock, and the change of its ids. So fxtop opens it again as the set
 * that it was made of. */
#ifndef FXTOP_ARCHIVE_H
#define FXTOP_ARCHIVE_H

#include <stdio.h>

#include "src/fxt/align.h"

#define ARCHIVE_BLOB STR("traces of the archive")
#define ARCHIVE_MOST 64  /* traces */
#define ARCHIVE_NAME 240 /* bytes of a name, at most */

struct archive_part {
    char *name;
    uint64_t bytes; /* a multiple of 8 */
    uint64_t ids;   /* of record_id() */
    uint64_t zero;  /* ns: tick 0 of its own clock */
    int64_t offset; /* ns, that a user has added */
    uint16_t world;
    enum align_method method;
    bool has_wall;   /* the Unix time of 0 of the clock of the archive is known */
    int64_t unix_ns; /* then: it */
};

struct archive {
    uint64_t begin; /* of the first part, in bytes */
    size_t n, reference;
    bool joins_all;
    char *joins_category; /* or NULL */
    struct archive_part parts[ARCHIVE_MOST];
};

/* Reads the table of a file; NULL: it has none. It waits for the second record of a pipe. To be
 * freed by archive_free(). */
struct archive *archive_read(struct file *file);
void archive_free(struct archive *archive);

/* Writes the begin of an archive: magic number and table. A draft is no table to a reader; the
 * final one, with other bytes of the parts, is as long. Fails with one line. */
bool archive_write(const struct archive *archive, bool draft, FILE *out, struct err *err);

#endif
