/* rewrite.h - any trace as one clean .fxt (--export=fxt), or a part of it: little-endian,
 * decompressed, without damage. */
#ifndef FXTOP_SRC_IMPORT_REWRITE_H
#define FXTOP_SRC_IMPORT_REWRITE_H

#include <stdio.h>

#include "src/fxt/archive.h"
#include "src/fxt/reader.h"
#include "src/import/profiles/symbols.h"
#include "src/import/redact.h"

/* The threads of a switch that are written. REWRITE_ENTER: the outgoing one is switched in before,
 * at the same time. REWRITE_OWN: its own time is written, also if it is not in the part. Times
 * REWRITE_BARE, an end is written without name and arguments, before itself if it is written: each
 * closes the latest open begin. */
enum rewrite_side {
    REWRITE_OUT = 1,
    REWRITE_IN = 2,
    REWRITE_WHOLE = 3,
    REWRITE_ENTER = 4,
    REWRITE_OWN = 8,
    REWRITE_BARE = 16
};

/* The name of the blob that holds the range of a part, its first blob: "1500 to 2500 ns" of the
 * trace's clock, or nothing. */
#define REWRITE_PART STR("range of the part")
#define REWRITE_PART_CLOSED ", end included" /* after it, if the range ended with the trace */
#define REWRITE_PART_TEXT 100                /* bytes of its text, at most */

struct rewrite_life {
    const struct thread_id *thread;
    struct wide ns;
    bool before; /* a tick that is not after it, else one that is not before it */
};

struct rewrite_range {
    struct wide from, to; /* ns; none if from >= to */
    bool closed;          /* it includes its end */
};

struct rewrite_choice { /* the part of a trace that is written */
    /* The sides that are written of a record; 0: it is left out. Asked in file order. NULL:
     * everything is written. */
    unsigned (*sides)(void *ctx, const struct item *item);
    /* by which `sides` knows the threads of items: another reader has other numbers; NULL: that of
     * the rewriting itself */
    const struct threads *numbers;
    /* of a record: it gets a mark, also if the part no longer shows it; or NULL */
    bool (*damaged)(void *ctx, uint64_t offset);
    void *ctx;
    const struct wide *base; /* of the times in items; NULL: the reader finds it */
    /* a part: counters and switches before `begin` or after `end` have that time in it, if it is
     * not damaged */
    bool timed;
    struct wide begin, end; /* ns */
    bool part;              /* it gets such a blob */
    /* that its first blob names (SEMANTICS 4.6) */
    struct rewrite_range range;
    const struct rewrite_range *ranges; /* of an archive: of each part */
    unsigned redact;                    /* enum redact_what */
    /* names that the trace has not and this knows are written, too; NULL: none */
    const struct symbols_source *symbols;
    struct reader_providers providers; /* whose events are written */
    const struct thread_id *threads;   /* that are registered first, with their processes */
    size_t nthreads;
    /* The nth time at which a thread lived, as the part would not show. Asked when all else of the
     * file, or of a part of an archive, is written. False: there are not so many. NULL: none. */
    bool (*life)(void *ctx, size_t part, size_t n, struct rewrite_life *life);
};

/* Writes every record that is shown, in the order of the file, with ticks as they are. Left out is
 * what no reader of the format can use: records that are only counted (SEMANTICS 3.11, 3.14), and
 * arguments after a malformed one. Fails with one line. The parts of an archive are written as one
 * trace. */
bool rewrite_fxt(const char *path, const struct file_options *options,
                 const struct rewrite_choice *choice, FILE *out, struct err *err);
/* Writes the parts of a file that a reader has read, one after the other, as an archive
 * (archive.h). Its table has all but the bytes of the parts. shifts: ns, by which the times of each
 * are moved. choice: its times are those of the common clock, its threads those of `reader`. Needs
 * as much space in $TMPDIR as it writes. */
bool rewrite_archive(struct reader *reader, struct file *file, struct archive *table,
                     const uint64_t *shifts, const struct rewrite_choice *choice, FILE *out,
                     struct err *err);
/* Does so from an open file, which another reader may have read before. */
bool rewrite_file(struct file *file, const struct rewrite_choice *choice, FILE *out,
                  struct err *err);

#endif
