/* inflate.h - input of a descriptor, decompressed piece by piece: gzip with several members, zstd
 * with several frames, or plain bytes. The caller stores the pieces (file.c spools them).
 *
 * Call inflate_new(), inflate_sniff(), inflate_start(). Then call inflate_some() until a piece is
 * the last, and inflate_read() whenever it needs more input. Besides the decoder's memory there are
 * two buffers of 256 KiB. */
#ifndef FXTOP_INFLATE_H
#define FXTOP_INFLATE_H

#include "src/base/str.h"
#include "src/io/file.h"

struct inflate;

struct inflate_piece {
    const unsigned char *bytes; /* until the next call */
    size_t n;                   /* 0: a header, padding */
    bool last;
    /* of the last piece: the fault after its bytes; `why` is a static sentence */
    enum file_fault fault;
    const char *why;
};

/* fd stays the caller's and must be open for as long. waits: it may have nothing for now (a pipe
 * and its like), so it is polled before each read. */
struct inflate *inflate_new(int fd, bool waits);
void inflate_free(struct inflate *in); /* in may be NULL */

/* Reads until the format is known, however long that takes. False, and errno: it cannot be read. */
bool inflate_sniff(struct inflate *in, enum file_compression *compression);

/* Makes the decoder. False: zstd, and there is no libzstd in this program. */
bool inflate_start(struct inflate *in);

/* The next piece, of at most `most` bytes (at most 256 KiB). False: it needs more input; never
 * after the input's end. Nothing may be asked after the last piece. */
bool inflate_some(struct inflate *in, size_t most, struct inflate_piece *piece);

/* Reads more input, only after inflate_some() returned false; waits at most wait_ms (-1: until
 * there is input). False: no input for now, or a signal. True: bytes, the end, or a failure, which
 * the next piece reports. */
bool inflate_read(struct inflate *in, int wait_ms);

/* The first decompressed bytes, at least `want` (at most INFLATE_PEEK) unless the input has fewer,
 * or fails; valid until the next call. After inflate_start() and before inflate_some(), which
 * returns them again. May block. */
#define INFLATE_PEEK 4096
struct str inflate_peek(struct inflate *in, size_t want);

/* Whether the end of a regular file is the end of the input, or it may grow. */
void inflate_follow(struct inflate *in, bool on);

uint64_t inflate_done(const struct inflate *in); /* bytes read so far */

#endif
