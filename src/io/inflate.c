/* inflate.c - decompression of a stream: a buffer of input, and a decoder for each format.
 *
 * inflate_read() fills the input buffer; inflate_some() lets the decoder consume it and returns one
 * piece of output. The caller decides when to wait for input. */
#include "src/io/inflate.h"

#include <assert.h>
#include <errno.h>
#include <poll.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>
#include <zlib.h>
#ifdef HAVE_ZSTD
#include <zstd.h>
#include <zstd_errors.h>
#endif

enum { MAGIC_MAX = 4 };
static const size_t IO_SIZE = (size_t)256 << 10;

struct inflate {
    int fd;
    bool waits;
    bool eof;
    int error;          /* errno of a read that failed */
    unsigned char *buf; /* IO_SIZE; [pos, length) is still to be consumed */
    size_t pos, length;
    uint64_t done;

    bool follows; /* at the end of the file there may be more later */
    char *peeked; /* INFLATE_PEEK bytes, or NULL: decompressed, and not yet given */
    size_t peeked_n, peeked_pos;
    struct inflate_piece peeked_last; /* the end of the input, found while peeking */

    enum file_compression compression;
    unsigned char *out; /* IO_SIZE; none for plain bytes */
    bool in_frame;      /* inside a gzip member or a zstd frame */
    z_stream gzip;
#ifdef HAVE_ZSTD
    ZSTD_DStream *zstd;
    size_t zstd_hint; /* input that it asks for */
    bool zstd_full;   /* the last output buffer was filled: there may be more without input */
#endif
};

/* ---- The input: bytes as they come. */

struct inflate *inflate_new(int fd, bool waits) {
    struct inflate *in = err_calloc(1, sizeof *in);
    in->fd = fd;
    in->waits = waits;
    in->buf = err_malloc(IO_SIZE);
    return in;
}

/* Whether the rest of the file is a hole: it reads as zeros, but could take hours. The first bytes
 * are read all the same, for the format. */
static bool ends_in_hole(struct inflate *in) {
#ifdef SEEK_DATA
    off_t at = in->waits || in->compression != FILE_PLAIN ? 0 : lseek(in->fd, 0, SEEK_CUR);
    if (at > 0 && lseek(in->fd, at, SEEK_DATA) < 0)
        return errno == ENXIO;
    if (at > 0)
        lseek(in->fd, at, SEEK_SET);
#else
    (void)in;
#endif
    return false;
}

/* Whether the remaining bytes are an incomplete magic number or block header. */
bool inflate_read(struct inflate *in, int wait_ms) {
    assert(!in->eof);
    memmove(in->buf, in->buf + in->pos, in->length - in->pos);
    in->length -= in->pos;
    in->pos = 0;
    assert(in->length < IO_SIZE);
    if (in->waits) {
        struct pollfd wait = {.fd = in->fd, .events = POLLIN};
        int ready = poll(&wait, 1, wait_ms);
        if (ready == 0 || (ready < 0 && (errno == EINTR || errno == EAGAIN)))
            return false;
    }
    ssize_t got = ends_in_hole(in) ? 0 : read(in->fd, in->buf + in->length, IO_SIZE - in->length);
    if (got < 0 && (errno == EINTR || errno == EAGAIN || errno == EWOULDBLOCK))
        return false;
    if (got < 0) {
        in->error = errno;
    } else if (got == 0 && in->follows) {
        return false;
    } else if (got == 0) {
        in->eof = true;
    } else {
        in->length += (size_t)got;
        in->done += (uint64_t)got;
    }
    return true;
}

static enum file_compression magic(const unsigned char *bytes, size_t n) {
    if (n >= 2 && bytes[0] == 0x1f && bytes[1] == 0x8b)
        return FILE_GZIP;
    if (n >= 4 && bytes[0] == 0x28 && bytes[1] == 0xb5 && bytes[2] == 0x2f && bytes[3] == 0xfd)
        return FILE_ZSTD;
    if (n >= 4 && (bytes[0] & 0xf0) == 0x50 && bytes[1] == 0x2a && bytes[2] == 0x4d &&
        bytes[3] == 0x18)
        return FILE_ZSTD; /* a skippable frame: pzstd begins with one */
    return FILE_PLAIN;
}

bool inflate_sniff(struct inflate *in, enum file_compression *compression) {
    while (in->error == 0 && !in->eof && in->length < MAGIC_MAX)
        inflate_read(in, -1);
    if (in->error != 0) {
        errno = in->error;
        return false;
    }
    *compression = in->compression = magic(in->buf, in->length);
    return true;
}

uint64_t inflate_done(const struct inflate *in) {
    return in->done;
}

/* ---- The decoders. Each fills a piece with at most `most` bytes (at most IO_SIZE), or returns
 * false if it needs more input. After the end of the input it never does: the piece is the last. */

static void end(struct inflate_piece *piece, enum file_fault fault, const char *why) {
    piece->last = true;
    piece->fault = fault;
    piece->why = why;
}

static void end_truncated(struct inflate_piece *piece) {
    end(piece, FILE_COMPRESSED_TRUNCATED, "the compressed data end early");
}

static void end_damaged(struct inflate_piece *piece) {
    end(piece, FILE_COMPRESSED_DAMAGED, "the compressed data are damaged");
}

static bool copy_some(struct inflate *in, size_t most, struct inflate_piece *piece) {
    size_t n = in->length - in->pos < most ? in->length - in->pos : most;
    piece->bytes = in->buf + in->pos;
    piece->n = n;
    in->pos += n;
    if (n == 0 && in->eof)
        end(piece, FILE_OK, NULL);
    return n > 0 || in->eof;
}

/* Between two members or frames. Padding with zeros is usual (tapes, tar). */
static bool next_frame(struct inflate *in, struct inflate_piece *piece) {
    while (in->pos < in->length && in->buf[in->pos] == 0)
        in->pos++;
    size_t n = in->length - in->pos;
    if (n < MAGIC_MAX && !in->eof)
        return false;
    if (n == 0) {
        end(piece, FILE_OK, NULL);
    } else if (magic(in->buf + in->pos, n) != in->compression) {
        end(piece, FILE_COMPRESSED_TRAILING, "bytes after the compressed data were ignored");
    } else {
        in->in_frame = true;
        if (in->compression == FILE_GZIP)
            inflateReset(&in->gzip);
#ifdef HAVE_ZSTD
        if (in->compression == FILE_ZSTD) {
            in->zstd_hint = ZSTD_initDStream(in->zstd);
            in->zstd_full = false;
        }
#endif
    }
    return true;
}

static bool gunzip_some(struct inflate *in, size_t most, struct inflate_piece *piece) {
    z_stream *z = &in->gzip;
    z->next_in = in->buf + in->pos;
    z->avail_in = (uInt)(in->length - in->pos);
    z->next_out = in->out;
    z->avail_out = (uInt)most;
    int result = inflate(z, Z_NO_FLUSH);
    in->pos = in->length - z->avail_in;
    piece->bytes = in->out;
    piece->n = most - z->avail_out;
    switch (result) {
    case Z_OK:
        return true;
    case Z_STREAM_END:
        in->in_frame = false;
        return true;
    case Z_BUF_ERROR: /* no progress */
        if (in->eof)
            end_truncated(piece);
        return in->eof;
    case Z_MEM_ERROR:
        err_no_memory();
    default:
        end_damaged(piece);
        return true;
    }
}

#ifdef HAVE_ZSTD
static bool unzstd_some(struct inflate *in, size_t most, struct inflate_piece *piece) {
    size_t n = in->length - in->pos;
    if (n == 0 && !in->zstd_full) {
        if (in->eof)
            end_truncated(piece);
        return in->eof;
    }
    /* An error hides the output of the same call. So no call both finishes a block and reads on.
     * The block and the header of the next one (3 bytes) are passed separately, although the
     * decoder asks for both. */
    size_t asked = in->zstd_hint > 3 ? in->zstd_hint - 3 : in->zstd_hint;
    if (in->zstd_full)
        asked = 0;
    ZSTD_inBuffer src = {in->buf + in->pos, n < asked ? n : asked, 0};
    ZSTD_outBuffer dst = {in->out, most, 0};
    size_t result = ZSTD_decompressStream(in->zstd, &dst, &src);
    in->pos += src.pos;
    piece->bytes = in->out;
    piece->n = dst.pos;
    if (ZSTD_isError(result)) {
        switch (ZSTD_getErrorCode(result)) {
        case ZSTD_error_memory_allocation:
            err_no_memory();
        case ZSTD_error_frameParameter_windowTooLarge:
            end(piece, FILE_COMPRESSED_DAMAGED,
                "it takes more than 128 MiB of memory to decompress (zstd --long)");
            return true;
        default:
            end_damaged(piece);
            return true;
        }
    }
    in->zstd_hint = result;
    in->zstd_full = dst.pos == dst.size;
    in->in_frame = result != 0;
    return true;
}
#endif

bool inflate_start(struct inflate *in) {
#ifdef HAVE_ZSTD
    if (in->compression == FILE_ZSTD && (in->zstd = ZSTD_createDStream()) == NULL)
        err_no_memory();
#else
    if (in->compression == FILE_ZSTD)
        return false;
#endif
    /* 16: gzip alone */
    if (in->compression == FILE_GZIP && inflateInit2(&in->gzip, 16 + 15) != Z_OK)
        err_no_memory();
    if (in->compression != FILE_PLAIN)
        in->out = err_malloc(IO_SIZE);
    return true;
}

static bool some(struct inflate *in, size_t most, struct inflate_piece *piece) {
    *piece = (struct inflate_piece){.fault = FILE_OK};
    if (in->error != 0) {
        end(piece, FILE_READ_ERROR, "it could not be read to the end");
        return true;
    }
    if (most > IO_SIZE)
        most = IO_SIZE;
    if (in->compression == FILE_PLAIN)
        return copy_some(in, most, piece);
    if (!in->in_frame)
        return next_frame(in, piece);
#ifdef HAVE_ZSTD
    if (in->compression == FILE_ZSTD)
        return unzstd_some(in, most, piece);
#endif
    return gunzip_some(in, most, piece);
}

struct str inflate_peek(struct inflate *in, size_t want) {
    if (in->peeked == NULL)
        in->peeked = err_malloc(INFLATE_PEEK);
    want = want < INFLATE_PEEK ? want : INFLATE_PEEK;
    while (in->peeked_n < want && !in->peeked_last.last) {
        struct inflate_piece piece;
        if (!some(in, INFLATE_PEEK - in->peeked_n, &piece)) {
            inflate_read(in, -1);
            continue;
        }
        if (piece.n > 0)
            memcpy(in->peeked + in->peeked_n, piece.bytes, piece.n);
        in->peeked_n += piece.n;
        if (piece.last)
            in->peeked_last =
                (struct inflate_piece){.last = true, .fault = piece.fault, .why = piece.why};
    }
    return (struct str){in->peeked, in->peeked_n};
}

bool inflate_some(struct inflate *in, size_t most, struct inflate_piece *piece) {
    size_t left = in->peeked_n - in->peeked_pos;
    if (left > 0) {
        size_t n = left < most ? left : most;
        *piece =
            (struct inflate_piece){.bytes = (unsigned char *)in->peeked + in->peeked_pos, .n = n};
        in->peeked_pos += n;
        return true;
    }
    if (in->peeked_last.last) {
        *piece = in->peeked_last;
        return true;
    }
    return some(in, most, piece);
}

void inflate_follow(struct inflate *in, bool on) {
    in->follows = on;
    if (on) { /* a look at the first bytes may have come to the end so far */
        in->eof = false;
        in->peeked_last = (struct inflate_piece){0};
    }
}

void inflate_free(struct inflate *in) {
    if (in == NULL)
        return;
    inflateEnd(&in->gzip); /* where it never began, it does nothing */
#ifdef HAVE_ZSTD
    ZSTD_freeDStream(in->zstd);
#endif
    free(in->buf);
    free(in->out);
    free(in->peeked);
    free(in);
}
