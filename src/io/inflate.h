/* inflate.h - what a descriptor gives, decompressed piece by piece: gzip of several members, zstd of several frames, or
 * the bytes as they are. Where a piece goes is the caller's business (file.c spools it).
 *
 * inflate_new(), inflate_sniff(), inflate_start(); then inflate_some(), and inflate_read() each time it has too little
 * to go on, until a piece is the last. Besides what the decoder needs it holds two buffers of 256 KiB. */
#ifndef FXTOP_INFLATE_H
#define FXTOP_INFLATE_H

#include "src/io/file.h"

struct inflate;

struct inflate_piece {
    const unsigned char *bytes; /* until the next call */
    size_t n;                   /* 0: a header, padding */
    bool last;
    enum file_fault fault; /* of the last: what went wrong behind its bytes, and as a short sentence, static */
    const char *why;
};

/* fd stays the caller's and must be open for as long. waits: it may have nothing for now (a pipe and its like), so it
 * is polled before each read. */
struct inflate *inflate_new(int fd, bool waits);
void inflate_free(struct inflate *in); /* in may be NULL */

/* Reads until it is known what comes, for as long as that takes. False, and errno: it cannot be read. */
bool inflate_sniff(struct inflate *in, enum file_compression *compression);

/* Makes the decoder. False: zstd, and there is no libzstd in this program. */
bool inflate_start(struct inflate *in);

/* The next piece, of at most `most` bytes (at most 256 KiB). False: it needs more input; never after the input's end.
 * Nothing may be asked after the last piece. */
bool inflate_some(struct inflate *in, size_t most, struct inflate_piece *piece);

/* Reads on, only after inflate_some() returned false; waits at most wait_ms (-1: until there is something). False:
 * there is nothing for now, or a signal came. True: bytes, the end, or a failure, which the next piece tells. */
bool inflate_read(struct inflate *in, int wait_ms);

uint64_t inflate_done(const struct inflate *in); /* bytes read so far */

#endif
