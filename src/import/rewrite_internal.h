/* rewrite_internal.h - a pass over the records of a file, of which the archive makes one a part. */
#ifndef FXTOP_SRC_IMPORT_REWRITE_INTERNAL_H
#define FXTOP_SRC_IMPORT_REWRITE_INTERNAL_H

#include "src/base/u64map.h"
#include "src/fxt/writer.h"
#include "src/import/rewrite.h"
#include "src/import/rewrite_moved.h"

struct rewrite_provider { /* of the new trace */
    uint32_t id;
    uint64_t tps; /* ticks per second that were written last; 0: none yet */
};

struct rewrite_target {
    struct reader *reader;
    const struct rewrite_choice *choice;
    struct rewrite_moved moved;
    struct redact *redact; /* NULL: all texts are written as they are */
    struct writer w;
    VEC(struct rewrite_provider) providers;
    VEC(uint32_t) numbers; /* of choice->numbers, by those of the reader */
    /* of a provider's number; its id in the new trace, whose value is 0 */
    struct u64map places, ids;
    size_t current;  /* place of the current one */
    uint32_t number; /* its number */
    unsigned sides;  /* of the record that is written: enum rewrite_side */
    uint64_t marked; /* the record at this offset is after a mark of damage in the source */
    uint64_t faults; /* damaged records of the source of an import that were passed */
    struct file *file;
    struct file *source; /* that has the part which is read, from `begin` on */
    uint64_t begin;
    const struct absent_names *names; /* NULL: none */
    bool told;                        /* the range of the part has been written */
    bool names_told;
    bool threads_told;
    bool any;        /* so has a record */
    bool ended;      /* the archive of the last record that was written ended after it */
    bool in_place;   /* the bytes are those of the user's file */
    uint64_t digest; /* of them, before the first pass */
};

/* Reads all of the file, or its part; out: NULL to learn names. False: it is not an FXT trace. To
 * be followed by rewrite_free_pass(). */
bool rewrite_pass(struct rewrite_target *target, struct file *file, FILE *out);
void rewrite_free_pass(struct rewrite_target *target);
/* All of it, to `out`. Fails with one line. */
bool rewrite_write_pass(struct rewrite_target *target, struct file *file, FILE *out,
                        struct err *err);

/* A file without a name, for fclose(). NULL: one line. */
FILE *rewrite_beside(struct err *err);
/* Copies all of it. */
bool rewrite_copy_file(FILE *from, FILE *out, struct err *err);

#endif
