/* files.c - files of all kinds for the suites of src/io. */
#include "tests/unit/io/files.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>
#include <zlib.h>
#ifdef HAVE_ZSTD
#include <zstd.h>
#endif

#include "src/base/err.h"
#include "tests/lib/scratch.h"

char files_folder[SCRATCH_PATH];
struct chance chance;
static int open_fds;

/* But for /dev/zero, which stays open where there is no other map of zeros. */
static int count_fds(void) {
    int n = 0;
    struct stat s, zero;
    ck_assert_int_eq(stat("/dev/zero", &zero), 0);
    for (int fd = 0; fd < 256; fd++)
        n += fstat(fd, &s) == 0 && !(S_ISCHR(s.st_mode) && s.st_rdev == zero.st_rdev);
    return n;
}

void files_set_up(void) {
    ck_assert(scratch_folder(files_folder, "check"));
    setenv("TMPDIR", files_folder, 1);
    chance.seed = 0x9e3779b97f4a7c15;
    open_fds = count_fds();
}

void files_tear_down(void) {
    char *slash = strrchr(files_folder, '/');
    ck_assert_msg(rmdir(files_folder) == 0, "%s: %s", files_folder, strerror(errno));
    *slash = '\0';
    setenv("TMPDIR", files_folder, 1);
    ck_assert_int_eq(count_fds(), open_fds);
}

const char *path_of(const char *name) {
    static char path[SCRATCH_PATH + 64];
    snprintf(path, sizeof path, "%s/%s", files_folder, name);
    return path;
}

const char *write_file(const char *name, const void *v, size_t n) {
    const char *path = path_of(name);
    FILE *f = fopen(path, "wb");
    ck_assert_ptr_nonnull(f);
    ck_assert_uint_eq(fwrite(v, 1, n, f), n);
    ck_assert_int_eq(fclose(f), 0);
    return path;
}

struct bytes make_bytes(size_t n) {
    struct bytes b = {err_malloc(n + 8), n};
    for (size_t i = 0; i < n; i += 8) {
        uint64_t word = i / 4096 % 2 == 0 ? chance_next(&chance) : i / 512;
        memcpy(b.v + i, &word, 8);
    }
    return b;
}

void append(struct bytes *b, const void *v, size_t n) {
    if (n == 0)
        return;
    b->v = err_realloc(b->v, b->n + n, 1);
    memcpy(b->v + b->n, v, n);
    b->n += n;
}

void append_gzip(struct bytes *b, const void *v, size_t n) {
    z_stream z = {0};
    ck_assert_int_eq(deflateInit2(&z, 1, Z_DEFLATED, 16 + 15, 8, Z_DEFAULT_STRATEGY), Z_OK);
    uLong bound = deflateBound(&z, n) + 32;
    unsigned char *packed = err_malloc(bound);
    z.next_in = (unsigned char *)(uintptr_t)v;
    z.avail_in = (uInt)n;
    z.next_out = packed;
    z.avail_out = (uInt)bound;
    ck_assert_int_eq(deflate(&z, Z_FINISH), Z_STREAM_END);
    append(b, packed, z.total_out);
    deflateEnd(&z);
    free(packed);
}

#ifdef HAVE_ZSTD
void append_zstd(struct bytes *b, const void *v, size_t n) {
    ZSTD_CCtx *context = ZSTD_createCCtx();
    ZSTD_CCtx_setParameter(context, ZSTD_c_checksumFlag, 1);
    size_t bound = ZSTD_compressBound(n);
    unsigned char *packed = err_malloc(bound);
    size_t made = ZSTD_compress2(context, packed, bound, v, n);
    ck_assert(!ZSTD_isError(made));
    append(b, packed, made);
    ZSTD_freeCCtx(context);
    free(packed);
}
#endif

const struct format formats[FORMATS] = {
    {append_gzip, FILE_GZIP},
#ifdef HAVE_ZSTD
    {append_zstd, FILE_ZSTD},
#endif
};

struct file *open_or_fail(const char *path, uint64_t max_inflate) {
    struct err err = {"", 0};
    struct file *file = file_open(path, &(struct file_options){.max_inflate = max_inflate}, &err);
    ck_assert_msg(file != NULL, "%s: %s", path, err.text);
    return file;
}

void assert_refused(const char *path, const char *text) {
    struct err err = {"", 0};
    ck_assert_ptr_null(file_open(path, NULL, &err));
    ck_assert_str_eq(err.text, text);
    ck_assert_uint_eq(err.at, ERR_NO_OFFSET);
}

void read_to_end(struct file *file, size_t budget) {
    while (!file_ended(file)) {
        uint64_t size = file_size(file);
        bool moved = file_step(file, budget, -1);
        ck_assert(file_size(file) - size <= budget);
        ck_assert(moved == (file_ended(file) || file_size(file) > size));
    }
    ck_assert(!file_step(file, budget, -1));
    ck_assert_int_eq(file_fd(file), -1);
}

void assert_prefix(struct file *file, const struct bytes *b) {
    uint64_t size = file_size(file);
    ck_assert_uint_le(size, b->n);
    static const size_t wants[] = {8, 40000, 3000000};
    for (size_t i = 0; i < sizeof wants / sizeof *wants; i++) {
        size_t n;
        for (uint64_t at = 0; at < size; at += n - n % 8 < 8 ? 8 : n - n % 8) {
            const void *p = file_span(file, at, wants[i], &n);
            ck_assert_ptr_nonnull(p);
            ck_assert_uint_eq((uintptr_t)p % 8, 0);
            ck_assert_uint_ge(n, wants[i] < size - at ? wants[i] : size - at);
            ck_assert_uint_le(n, size - at);
            ck_assert(memcmp(p, b->v + at, n) == 0);
        }
    }
    for (int i = 0; i < 200 && size > 0; i++) {
        uint64_t at = chance_next(&chance) % size / 8 * 8;
        size_t n, want = chance_next(&chance) % 40000;
        const void *p = file_span(file, at, want, &n);
        ck_assert_ptr_nonnull(p);
        ck_assert_uint_ge(n, want < size - at ? want : size - at);
        ck_assert(memcmp(p, b->v + at, n < want ? n : want) == 0);
    }
    size_t n = 1;
    ck_assert_ptr_null(file_span(file, (size + 7) / 8 * 8, 8, &n));
    ck_assert_uint_eq(n, 0);
    ck_assert(!file_lost(file));
}

void assert_whole(struct file *file, const struct bytes *b) {
    ck_assert_uint_eq(file_size(file), b->n);
    assert_prefix(file, b);
}

uint64_t check_packed(const struct bytes *packed, const struct bytes *plain,
                      enum file_fault fault) {
    const char *path = write_file("packed", packed->v, packed->n);
    uint64_t sizes[2];
    for (int i = 0; i < 2; i++) {
        struct file *file = open_or_fail(path, 0);
        read_to_end(file, i == 0 ? 1 << 20 : 5000);
        const char *why;
        ck_assert_int_eq(file_fault(file, &why), fault);
        ck_assert((why == NULL) == (fault == FILE_OK));
        assert_prefix(file, plain);
        sizes[i] = file_size(file);
        file_close(file);
    }
    unlink(path);
    ck_assert_uint_eq(sizes[0], sizes[1]);
    return sizes[0];
}

int put_on_stdin(int fd) {
    int saved = dup(STDIN_FILENO);
    dup2(fd, STDIN_FILENO);
    return saved;
}

void restore_stdin(int saved) {
    if (saved < 0) {
        close(STDIN_FILENO);
        return;
    }
    dup2(saved, STDIN_FILENO);
    close(saved);
}
