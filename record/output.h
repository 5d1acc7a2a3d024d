/* output.h - the trace file that a recording writes (fxttrace(7), "The file").
 *
 * It begins with the magic and the manager's own provider. The file always ends at a whole record:
 * also when the disk is full or the limit is reached, after which nothing more is written. At the
 * limit it has a loss there. */
#ifndef FXTOP_OUTPUT_H
#define FXTOP_OUTPUT_H

#include "record/file/tids.h"
#include "record/readout.h"
#include "src/fxt/writer.h"

/* provider id of the manager's records; those of providers follow, and are not used twice */
#define OUTPUT_OWN 1u

struct output {
    struct writer writer; /* of records that are not in the file yet */
    int fd;
    uint64_t base;    /* bytes that were in the file before, if it is standard output */
    uint32_t current; /* provider of the last record; 0: none */
    size_t begun;     /* bytes in memory before the record that output_begin() gave out */
    uint64_t limit;   /* bytes of the file at most, but for its last record */
    uint64_t records; /* of providers and the manager, metadata left out */
    uint64_t missing; /* that came after the end, or could not be written */
    struct tids tids; /* of providers */
    bool ended;       /* nothing more is written, because: */
    struct err err;
    bool reached;                /* the limit, rather than a failure */
    bool pipe;                   /* a write waits for the reader, until */
    int wake;                    /* this can be read, and */
    bool (*gives_up)(void *ctx); /* is true; NULL: for ever. All are set after output_open() */
    void *ctx;
};

/* Creates a file (mode 0600). An older one is renamed to FILE.old; a named pipe is written as it
 * is. Files that are in use (files_read.h) are refused. A descriptor; -1 with one line in err. */
int output_create(const char *path, struct err *err);
/* Creates the trace in the same way. OUTPUT_STANDARD is standard output. */
#define OUTPUT_STANDARD "-"
/* Waits until a named pipe has a reader, so that output_open() need not. A descriptor, to be closed
 * after that; -1: it is no pipe. */
int output_reader(const char *path);
bool output_open(struct output *output, const char *path, uint64_t limit, struct err *err);
/* Puts all records that another output has so far into a new one, which has none. False: the
 * other's file cannot be read again, as a pipe, or has more than the limit. */
bool output_copy(struct output *output, struct output *from);
/* Writes the rest. False with one line in err: the file lacks records. */
bool output_close(struct output *output, struct err *err);

/* Names the provider, before its first record. */
void output_provider(struct output *output, uint32_t id, struct str name);
/* The writer for a record of a provider: OUTPUT_OWN, or one that was announced. output_end() has to
 * follow it. */
struct writer *output_begin(struct output *output, uint32_t id);
void output_end(struct output *output);
/* Records of a provider, as many as the limit allows, and a loss after them if others were given
 * up. */
void output_news(struct output *output, uint32_t id, const struct readout_news *news);
/* An event that it has dropped some. */
void output_dropped(struct output *output, uint32_t id);
/* Makes the space that is kept below the limit available, even if the limit was reached. */
void output_last(struct output *output);
/* Writes the records before the last one, which may be incomplete, without memory of its own. */
void output_rescue(struct output *output);
/* Whether something is in memory. */
bool output_waits(const struct output *output);
/* Waits until a pipe, or another descriptor, takes something or fails. False: the user waits for
 * its reader no longer. */
bool output_wait(const struct output *output, int fd);
/* Writes what is in memory to the file. */
void output_flush(struct output *output);

#endif
