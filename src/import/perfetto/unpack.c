/* unpack.c - zlib and zstd, with a limit of the bytes that they may make. */
#include "src/import/perfetto/unpack.h"

#include <stdint.h>
#include <stdlib.h>
#include <zlib.h>
#ifdef HAVE_ZSTD
#include <zstd.h>
#endif

#include "src/base/err.h"

#define PIECE ((size_t)1 << 16)

struct unpack {
    bool is_zstd;
    z_stream zlib;
#ifdef HAVE_ZSTD
    ZSTD_DStream *zstd;
#endif
    uint64_t made;
    unsigned char out[PIECE];
};

struct unpack *unpack_new(bool zstd) {
    struct unpack *u = err_calloc(1, sizeof *u);
    bool ready = false;
    u->is_zstd = zstd;
#ifdef HAVE_ZSTD
    if (zstd) {
        u->zstd = ZSTD_createDStream();
        ready = u->zstd != NULL;
    }
#endif
    if (!zstd)
        ready = inflateInit(&u->zlib) == Z_OK;
    if (ready)
        return u;
    free(u);
    return NULL;
}

void unpack_free(struct unpack *u) {
    if (u == NULL)
        return;
#ifdef HAVE_ZSTD
    if (u->is_zstd)
        ZSTD_freeDStream(u->zstd);
#endif
    if (!u->is_zstd)
        inflateEnd(&u->zlib);
    free(u);
}

static enum unpack_answer some_zlib(struct unpack *u, struct str *input, size_t *n) {
    u->zlib.next_in = (unsigned char *)(uintptr_t)input->s;
    u->zlib.avail_in = input->n < UINT32_MAX ? (unsigned)input->n : UINT32_MAX;
    size_t given = u->zlib.avail_in;
    u->zlib.next_out = u->out;
    u->zlib.avail_out = PIECE;
    int result = inflate(&u->zlib, Z_NO_FLUSH);
    given -= u->zlib.avail_in;
    *input = (struct str){input->s + given, input->n - given};
    *n = PIECE - u->zlib.avail_out;
    if (result == Z_STREAM_END)
        return UNPACK_END;
    return result == Z_OK && (given > 0 || *n > 0) ? UNPACK_MORE : UNPACK_DAMAGED;
}

static enum unpack_answer some_zstd(struct unpack *u, struct str *input, size_t *n) {
#ifdef HAVE_ZSTD
    ZSTD_inBuffer in = {input->s, input->n, 0};
    ZSTD_outBuffer out = {u->out, PIECE, 0};
    size_t result = ZSTD_decompressStream(u->zstd, &out, &in);
    *input = (struct str){input->s + in.pos, input->n - in.pos};
    *n = out.pos;
    if (ZSTD_isError(result) || (result != 0 && in.pos == 0 && out.pos == 0))
        return UNPACK_DAMAGED;
    return result == 0 && input->n == 0 ? UNPACK_END : UNPACK_MORE;
#else
    (void)u;
    (void)input;
    *n = 0;
    return UNPACK_DAMAGED;
#endif
}

enum unpack_answer unpack_some(struct unpack *u, struct str *input, struct str *piece) {
    size_t n;
    enum unpack_answer answer = u->is_zstd ? some_zstd(u, input, &n) : some_zlib(u, input, &n);
    *piece = (struct str){(const char *)u->out, n};
    u->made += n;
    return u->made > UNPACK_MOST ? UNPACK_TOO_LARGE : answer;
}
