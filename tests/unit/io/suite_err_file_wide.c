/* suite_err_file_wide.c - the world below the format: files of every kind, errors, 128-bit time. */
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <malloc.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/resource.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/un.h>
#include <sys/wait.h>
#include <unistd.h>
#include <zlib.h>
#ifdef HAVE_ZSTD
#include <zstd.h>
#endif

#include "src/base/err.h"
#include "src/io/file.h"
#include "src/io/spool.h"
#include "src/io/watch.h"
#include "src/options.h"

#define WIDE_PORTABLE
#include "src/base/wide.c" /* mul_portable, div_portable */
#include "tests/lib/chance.h"
#include "tests/lib/suites.h"

#if defined(__SANITIZE_ADDRESS__)
#define UNDER_ASAN 1
#elif defined(__has_feature)
#if __has_feature(address_sanitizer)
#define UNDER_ASAN 1
#endif
#endif
#ifndef UNDER_ASAN
#define UNDER_ASAN 0
#endif

/* ---- Helpers. */

enum { MAGIC_BYTES = 4 };

struct bytes {
    unsigned char *v;
    size_t n;
};

static char directory[PATH_MAX]; /* of this test; also its $TMPDIR */
static struct chance chance;
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

static void set_up(void) {
    const char *base = getenv("TMPDIR");
    snprintf(directory, sizeof directory, "%s/fxtop-check-XXXXXX", base != NULL && *base != '\0' ? base : "/tmp");
    ck_assert_ptr_nonnull(mkdtemp(directory));
    setenv("TMPDIR", directory, 1);
    chance.seed = 0x9e3779b97f4a7c15;
    open_fds = count_fds();
}

/* Removes the directory: this fails if the file under test left anything there. */
static void tear_down(void) {
    char *slash = strrchr(directory, '/');
    ck_assert_msg(rmdir(directory) == 0, "%s: %s", directory, strerror(errno));
    *slash = '\0';
    setenv("TMPDIR", directory, 1);
    ck_assert_int_eq(count_fds(), open_fds); /* no descriptor is left open */
}

static const char *path_of(const char *name) {
    static char path[PATH_MAX + 64];
    snprintf(path, sizeof path, "%s/%s", directory, name);
    return path;
}

static const char *write_file(const char *name, const void *v, size_t n) {
    const char *path = path_of(name);
    FILE *f = fopen(path, "wb");
    ck_assert_ptr_nonnull(f);
    ck_assert_uint_eq(fwrite(v, 1, n, f), n);
    ck_assert_int_eq(fclose(f), 0);
    return path;
}

/* Half noise, half runs: it compresses, but not to nothing. */
static struct bytes make_bytes(size_t n) {
    struct bytes b = {err_malloc(n + 8), n};
    for (size_t i = 0; i < n; i += 8) {
        uint64_t word = i / 4096 % 2 == 0 ? chance_next(&chance) : i / 512;
        memcpy(b.v + i, &word, 8);
    }
    return b;
}

static void append(struct bytes *b, const void *v, size_t n) {
    if (n == 0)
        return;
    b->v = err_realloc(b->v, b->n + n, 1);
    memcpy(b->v + b->n, v, n);
    b->n += n;
}

static void append_gzip(struct bytes *b, const void *v, size_t n) {
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
static void append_zstd(struct bytes *b, const void *v, size_t n) {
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

static struct file *open_or_fail(const char *path, uint64_t max_inflate) {
    struct err err = {"", 0};
    struct file *file = file_open(path, max_inflate, &err);
    ck_assert_msg(file != NULL, "%s: %s", path, err.text);
    return file;
}

static void read_to_end(struct file *file, size_t budget) {
    while (!file_ended(file)) {
        uint64_t size = file_size(file);
        bool moved = file_step(file, budget, -1);
        ck_assert(file_size(file) - size <= budget);
        ck_assert(moved == (file_ended(file) || file_size(file) > size));
    }
    ck_assert(!file_step(file, budget, -1));
    ck_assert_int_eq(file_fd(file), -1);
}

/* The file's bytes are the first of b, whichever way they are asked for. */
static void assert_prefix(struct file *file, const struct bytes *b) {
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

static void assert_whole(struct file *file, const struct bytes *b) {
    ck_assert_uint_eq(file_size(file), b->n);
    assert_prefix(file, b);
}

/* Opens, reads and holds against `plain` a file of these bytes, in large steps and small; it must end in this fault.
 * Returns the size. */
static uint64_t check_packed(const struct bytes *packed, const struct bytes *plain, enum file_fault fault) {
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

static void assert_refused(const char *path, const char *text) {
    struct err err = {"", 0};
    ck_assert_ptr_null(file_open(path, 0, &err));
    ck_assert_str_eq(err.text, text);
    ck_assert_uint_eq(err.at, ERR_NO_OFFSET);
}

static int put_on_stdin(int fd) {
    int saved = dup(STDIN_FILENO);
    dup2(fd, STDIN_FILENO);
    return saved;
}

static void restore_stdin(int saved) {
    if (saved < 0) {
        close(STDIN_FILENO);
        return;
    }
    dup2(saved, STDIN_FILENO);
    close(saved);
}

/* The status of a child that ran this; 0 is good. Its checks are assertions of its own: a failed one exits. */
static int run_child(void (*body)(void)) {
    pid_t child = fork();
    ck_assert_int_ge(child, 0);
    if (child == 0) {
        body();
        _exit(0);
    }
    int status;
    ck_assert_int_eq(waitpid(child, &status, 0), child);
    return status;
}

#define CHILD_ASSERT(x)                                                                                                \
    do {                                                                                                               \
        if (!(x)) {                                                                                                    \
            dprintf(STDERR_FILENO, "line %d: %s\n", __LINE__, #x);                                                     \
            _exit(1);                                                                                                  \
        }                                                                                                              \
    } while (0)

/* ck_assert() writes a message each time: too slow for a million. */
#define REQUIRE(x)                                                                                                     \
    do {                                                                                                               \
        if (!(x))                                                                                                      \
            ck_abort_msg("%s", #x);                                                                                    \
    } while (0)

/* ---- err. */

START_TEST(err_cuts_between_characters) {
    struct err err;
    char longest[400];
    for (size_t lead = 200; lead < 260; lead++) {
        memset(longest, 'x', lead);
        longest[lead] = '\0';
        for (size_t i = lead; i + 3 < sizeof longest; i += 3)
            memcpy(longest + i, "\xe2\x82\xac", 4);
        ck_assert(!err_set(&err, 8, "%s", longest));
        size_t n = strlen(err.text);
        ck_assert_uint_ge(n, sizeof err.text - 3);
        ck_assert(n <= lead || (n - lead) % 3 == 0);
    }
    ck_assert_uint_eq(err.at, 8);
    /* Characters of each length, and what is none. */
    static const struct {
        const char *part;
        size_t kept; /* of the first 255 bytes, where they begin at the 254th */
    } parts[] = {{"\xc3\xa9", 255}, {"\xe2\x82\xac", 253}, {"\xf0\x9f\x98\x80", 253}, {"xy", 255}, {"\x80\x80\x80\x80", 255}};
    ck_assert_uint_eq(sizeof err.text, 256);
    for (size_t i = 0; i < sizeof parts / sizeof *parts; i++) {
        memset(longest, 'x', 253);
        snprintf(longest + 253, sizeof longest - 253, "%s and more", parts[i].part);
        err_set(&err, 0, "%s", longest);
        ck_assert_uint_eq(strlen(err.text), parts[i].kept);
    }
    memset(longest, '\x80', sizeof longest - 1);
    longest[sizeof longest - 1] = '\0';
    err_set(&err, 0, "%s", longest);
    ck_assert_uint_eq(strlen(err.text), sizeof err.text - 1);
    err_set(&err, 0, "%ls", L"\xd800"); /* cannot be said */
    ck_assert_str_eq(err.text, "");
}
END_TEST

START_TEST(nothing_can_be_allocated_too) {
    void *a = err_malloc(0), *b = err_calloc(0, 8), *c = err_realloc(NULL, 0, 8);
    ck_assert(a && b && c);
    c = err_realloc(c, 8, 0);
    free(a);
    free(b);
    free(c);
    file_close(NULL);
    file_guard_end(-1);
}
END_TEST

START_TEST(err_may_wrap_its_own_text) {
    struct err err;
    err_set(&err, 1, "inner");
    err_set(&err, 2, "outer: %s", err.text);
    ck_assert_str_eq(err.text, "outer: inner");
    ck_assert(!err_set(NULL, 0, "nobody asks"));
}
END_TEST

static void restore_terminal(void) {
    ssize_t n = write(STDERR_FILENO, "restored\n", 9);
    (void)n;
    err_no_memory(); /* a hook without memory must not come back to itself */
}

static void ask_too_much(void) {
    err_no_memory_hook = restore_terminal;
    free(err_calloc(SIZE_MAX / 2, 3));
}

START_TEST(no_memory_restores_and_exits_2) {
    int ends[2];
    ck_assert_int_eq(pipe(ends), 0);
    int saved = dup(STDERR_FILENO);
    dup2(ends[1], STDERR_FILENO);
    int status = run_child(ask_too_much);
    dup2(saved, STDERR_FILENO);
    close(saved);
    close(ends[1]);
    char text[100] = "";
    ck_assert_int_gt(read(ends[0], text, sizeof text - 1), 0);
    close(ends[0]);
    ck_assert_str_eq(text, "restored\nfxtop: out of memory\n");
    ck_assert(WIFEXITED(status) && WEXITSTATUS(status) == 2);
}
END_TEST

/* ---- Plain files. */

START_TEST(plain_file_is_whole_at_once) {
    static const size_t sizes[] = {1, 7, 8, 4096, 4097, 3000005};
    for (size_t i = 0; i < sizeof sizes / sizeof *sizes; i++) {
        struct bytes b = make_bytes(sizes[i]);
        const char *path = write_file("plain", b.v, b.n);
        struct file *file = open_or_fail(path, 0);
        unlink(path); /* it goes on without its name */
        ck_assert(file_ended(file));
        ck_assert(!file_step(file, 1 << 20, -1));
        ck_assert_int_eq(file_fd(file), -1);
        ck_assert_int_eq(file_compression(file), FILE_PLAIN);
        ck_assert_int_eq(file_fault(file, NULL), FILE_OK);
        uint64_t done, total;
        file_progress(file, &done, &total);
        ck_assert_uint_eq(done, b.n);
        ck_assert_uint_eq(total, b.n);
        assert_whole(file, &b);
        file_close(file);
        free(b.v);
    }
}
END_TEST

/* Most of a magic number is none. */
START_TEST(compressed_is_what_says_so_whole) {
    static const struct {
        const char *bytes;
        size_t n;
        enum file_compression is;
    } cases[] = {{"\x1f\x8b", 2, FILE_GZIP},          {"\x1f\x8a....", 6, FILE_PLAIN},
                 {"\x1f", 1, FILE_PLAIN},             {"\x28\xb5\x2f", 3, FILE_PLAIN},
                 {"\x28\xb5\x2f\xfe", 4, FILE_PLAIN}, {"\x28\xb5\x2e\xfd", 4, FILE_PLAIN},
                 {"\x28\xb4\x2f\xfd", 4, FILE_PLAIN}, {"\x50\x2a\x4d\x19", 4, FILE_PLAIN},
                 {"\x5f\x2a\x4c\x18", 4, FILE_PLAIN}, {"\x53\x2b\x4d\x18", 4, FILE_PLAIN},
                 {"\x60\x2a\x4d\x18", 4, FILE_PLAIN}, {"\x50\x2a\x4d", 3, FILE_PLAIN}};
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        const char *path = write_file("magic", cases[i].bytes, cases[i].n);
        struct file *file = open_or_fail(path, 0);
        ck_assert_int_eq(file_compression(file), cases[i].is);
        file_close(file);
        unlink(path);
    }
}
END_TEST

START_TEST(what_is_no_trace_is_refused_in_one_line) {
    assert_refused(directory, "is a directory");
    assert_refused(path_of("missing"), "no such file or directory");
    assert_refused("/dev/zero", "is a device, not a trace");
    assert_refused("/dev/null", "is a device, not a trace");
    const char *path = write_file("empty", "", 0);
    assert_refused(path, "empty file");
    unlink(path);
    path = write_file("below", "x", 1);
    char below[PATH_MAX + 80];
    snprintf(below, sizeof below, "%s/file", path);
    assert_refused(below, "not a directory");
    chmod(path, 0);
    if (access(path, R_OK) != 0) /* root may read it */
        assert_refused(path, "permission denied");
    unlink(path);

    struct sockaddr_un name = {.sun_family = AF_UNIX};
    if (strlen(path_of("socket")) < sizeof name.sun_path) {
        memcpy(name.sun_path, path_of("socket"), strlen(path_of("socket")) + 1);
        int fd = socket(AF_UNIX, SOCK_STREAM, 0);
        ck_assert_int_eq(bind(fd, (struct sockaddr *)&name, sizeof name), 0);
        assert_refused(name.sun_path, "is a socket, not a trace");
        close(fd);
        unlink(name.sun_path);
    }
}
END_TEST

START_TEST(many_files_at_once) { /* more than there are guards: the rest is read instead of mapped */
    struct bytes b = make_bytes(1500000);
    const char *path = write_file("plain", b.v, b.n);
    struct file *files[40];
    for (size_t i = 0; i < 40; i++)
        files[i] = open_or_fail(path, 0);
    for (size_t i = 0; i < 40; i++)
        assert_whole(files[i], &b);
    for (size_t i = 0; i < 40; i++)
        file_close(files[i]);
    unlink(path);
    free(b.v);
}
END_TEST

START_TEST(truncation_under_the_map_reads_zeros) {
    struct bytes b = make_bytes(4 << 20);
    const char *path = write_file("shrinks", b.v, b.n);
    struct file *file = open_or_fail(path, 0);
    size_t n;
    const unsigned char *p = file_span(file, 0, b.n, &n);
    ck_assert_uint_eq(n, b.n);
    ck_assert(memcmp(p, b.v, n) == 0);
    ck_assert(!file_lost(file));
    ck_assert_int_eq(truncate(path, 1 << 20), 0);
    ck_assert(memcmp(p, b.v, 1 << 20) == 0);
    ck_assert(!file_lost(file));
    size_t zeros = 0;
    while (zeros < n - (1 << 20) && p[(1 << 20) + zeros] == 0)
        zeros++;
    ck_assert_uint_eq(zeros, n - (1 << 20));
    ck_assert(file_lost(file));
    ck_assert(memcmp(p, b.v, 1 << 20) == 0); /* what is before the cut stays */
    ck_assert_uint_eq(file_size(file), b.n);
    file_close(file);
    write_file("shrinks", b.v, b.n);

    /* Each file has zeros of its own. */
    struct file *others[3];
    const unsigned char *v[3];
    for (int i = 0; i < 3; i++) {
        others[i] = open_or_fail(write_file(i == 0 ? "first" : i == 1 ? "second" : "third", b.v, b.n), 0);
        v[i] = file_span(others[i], 0, b.n, &n);
    }
    file_close(others[0]); /* the next stands in its place among the guards, but not in memory: it is larger */
    struct bytes larger = make_bytes(9 << 20);
    others[0] = open_or_fail(write_file("first", larger.v, larger.n), 0);
    v[0] = file_span(others[0], 0, larger.n, &n);
    ck_assert(truncate(path_of("second"), 4096) == 0 && v[1][1 << 20] == 0);
    ck_assert(!file_lost(others[0]) && file_lost(others[1]) && !file_lost(others[2]));
    ck_assert(memcmp(v[0], larger.v, larger.n) == 0 && memcmp(v[2], b.v, b.n) == 0);
    free(larger.v);
    ck_assert(truncate(path_of("third"), 4096) == 0 && v[2][1 << 20] == 0 && file_lost(others[2]));
    for (int i = 0; i < 3; i++)
        file_close(others[i]);
    unlink(path_of("first"));
    unlink(path_of("second"));
    unlink(path_of("third"));
    path = path_of("shrinks");

    /* One fault covers all to the end. The next file starts with a clean slate. */
    file = open_or_fail(path, 0);
    p = file_span(file, 0, b.n, &n);
    ck_assert_int_eq(truncate(path, 1 << 20), 0);
    ck_assert(!file_lost(file));
    ck_assert(p[1 << 20] == 0);
    write_file("shrinks", b.v, b.n);
    ck_assert(p[3 << 20] == 0 && p[n - 1] == 0);
    file_close(file);
    ck_assert_int_eq(truncate(path, 1 << 20), 0);
    file = open_or_fail(path, 0);
    ck_assert(!file_lost(file));
    ck_assert_uint_eq(file_size(file), 1 << 20);
    p = file_span(file, 0, 8, &n);
    ck_assert_int_eq(truncate(path, 0), 0);
    ck_assert(p[0] == 0 && p[n - 1] == 0);
    ck_assert(file_lost(file));
    file_close(file);
    unlink(path);
    free(b.v);
}
END_TEST

/* Pages of files that this process has mapped and touched; 0 where the system does not tell. */
static size_t mapped_pages(void) {
    FILE *f = fopen("/proc/self/statm", "r");
    size_t total = 0, resident = 0, shared = 0;
    if (f == NULL || fscanf(f, "%zu %zu %zu", &total, &resident, &shared) != 3)
        shared = 0;
    if (f)
        fclose(f);
    return shared;
}

START_TEST(what_was_passed_is_given_back) { /* all but the last GiB; and it is there again when somebody looks */
    const char *path = path_of("long.fxt");
    const uint64_t size = (UINT64_C(1) << 30) + (UINT64_C(96) << 20), page = (uint64_t)sysconf(_SC_PAGESIZE);
    int fd = open(path, O_CREAT | O_EXCL | O_RDWR | O_CLOEXEC, 0600);
    ck_assert(fd >= 0 && ftruncate(fd, (off_t)size) == 0 && pwrite(fd, "first", 6, 0) == 6);
    close(fd);
    struct file *file = open_or_fail(path, 0);
    unlink(path);
    size_t n;
    uint64_t sum = 0;
    for (uint64_t at = 0; at < UINT64_C(96) << 20; at += page) {
        const unsigned char *p = file_span(file, at, 8, &n);
        ck_assert_ptr_nonnull(p);
        sum += *(const volatile unsigned char *)p;
    }
    ck_assert_uint_eq(sum, 'f');
    size_t before = mapped_pages();
    file_passed(file, size - 8);
    size_t after = mapped_pages(), passed = (size_t)((UINT64_C(95) << 20) / page);
    if (size < SIZE_MAX / 4)
        ck_assert(before == 0 || before >= after + passed);
    else /* too long to be mapped whole: there is only the window, of 64 MiB */
        ck_assert_uint_lt(before, passed);
    ck_assert_str_eq(file_span(file, 0, 8, &n), "first");
    file_passed(file, 0);
    file_passed(file, UINT64_MAX);
    ck_assert_str_eq(file_span(file, 0, 8, &n), "first");
    file_close(file);
}
END_TEST

START_TEST(a_change_is_told) { /* and nothing else, where the system tells at all */
    write_file("watched.fxt", "12345678", 8);
    char *path = strdup(path_of("watched.fxt")), *other = strdup(write_file("other.fxt", "12345678", 8));
    struct file *file = open_or_fail(path, 0);
    bool tells = file_watch(file) >= 0;
    ck_assert(file_may_have_changed(file)); /* it was not asked since it was opened */
    ck_assert_int_eq(file_changed(file), FILE_SAME);
    ck_assert_int_eq(file_may_have_changed(file), !tells);
    int fd = open(path, O_WRONLY | O_APPEND | O_CLOEXEC);
    ck_assert(fd >= 0 && write(fd, "12345678", 8) == 8 && close(fd) == 0);
    ck_assert(file_may_have_changed(file));
    ck_assert_int_eq(file_changed(file), FILE_GREW);
    ck_assert_int_eq(file_may_have_changed(file), !tells);
    ck_assert_int_eq(rename(other, path), 0);
    ck_assert(file_may_have_changed(file));
    ck_assert_int_eq(file_changed(file), FILE_OTHER);
    file_close(file);
    file = open_or_fail(path, 0);
    ck_assert_int_eq(file_watch(file) >= 0, tells);
    ck_assert_int_eq(file_changed(file), FILE_SAME);
    ck_assert_int_eq(unlink(path), 0);
    ck_assert(file_may_have_changed(file));
    ck_assert_int_eq(file_changed(file), FILE_OTHER);
    file_close(file);
    free(path);
    free(other);
}
END_TEST

/* A link on the way, a path that is not there, or one that is too long: the file is looked at now and then instead. */
START_TEST(what_cannot_be_watched_is_looked_at) {
    char *longest = malloc(6000), link[120], below[160];
    memset(longest, 'x', 5999);
    longest[0] = '/';
    longest[5999] = '\0';
    ck_assert_int_eq(watch_open(longest), -1);
    for (size_t i = 2; i < 5999; i += 2)
        longest[i] = '/';
    ck_assert_int_eq(watch_open(longest), -1);
    ck_assert_int_eq(watch_open(path_of("nowhere")), -1);
    free(longest);
    write_file("watched.fxt", "12345678", 8);
    snprintf(link, sizeof link, "%s", path_of("link"));
    ck_assert_int_eq(symlink(directory, link), 0);
    snprintf(below, sizeof below, "%s/watched.fxt", link);
    ck_assert_int_eq(watch_open(below), -1);
    struct file *file = open_or_fail(below, 0);
    ck_assert_int_lt(file_watch(file), 0);
    ck_assert(file_may_have_changed(file));
    ck_assert_int_eq(file_changed(file), FILE_SAME);
    ck_assert(file_may_have_changed(file));
    file_close(file);
    unlink(link);
    unlink(path_of("watched.fxt"));
}
END_TEST

/* The size, the time, or a sample of the bytes tells; where only the time differs it is the same file. */
START_TEST(what_changed_is_told_by_the_bytes) {
    struct file_stamp stamp, again;
    static const struct timespec early[2] = {{1000, 5}, {1000, 5}}, later[2] = {{1000, 6}, {1000, 6}};
    const char *path = write_file("changes.fxt", "12345678abcdefgh", 16);
    ck_assert_int_eq(utimensat(AT_FDCWD, path, early, 0), 0);
    struct file *file = open_or_fail(path, 0);
    ck_assert(file_stamp(file, &stamp));
    ck_assert_int_eq(utimensat(AT_FDCWD, path, later, 0), 0);
    ck_assert(!file_stamp(file, &again)); /* so far this is not known to be the same */
    ck_assert_int_eq(file_changed(file), FILE_SAME);
    ck_assert(file_stamp(file, &again));
    ck_assert_uint_ne(stamp.nanoseconds, again.nanoseconds);
    static const struct timespec long_after[2] = {{1001, 6}, {1001, 6}};
    ck_assert_int_eq(utimensat(AT_FDCWD, path, long_after, 0), 0);
    ck_assert(!file_stamp(file, &again));
    int fd = open(path, O_WRONLY);
    ck_assert(pwrite(fd, "x", 1, 3) == 1);
    ck_assert_int_eq(file_changed(file), FILE_OTHER);
    ck_assert(pwrite(fd, "4", 1, 3) == 1 && ftruncate(fd, 24) == 0);
    ck_assert_int_eq(file_changed(file), FILE_GREW);
    ck_assert(!file_stamp(file, &again));
    ck_assert(ftruncate(fd, 8) == 0 && close(fd) == 0);
    ck_assert_int_eq(file_changed(file), FILE_OTHER);
    file_close(file);

    /* Standard input from a file has no path: the open file tells. */
    path = write_file("changes.fxt", "12345678abcdefgh", 16);
    fd = open(path, O_RDWR);
    int saved = put_on_stdin(fd);
    file = open_or_fail("-", 0);
    ck_assert_ptr_null(file_path(file));
    ck_assert(!file_stamp(file, &stamp));
    file_watch(file); /* by what the open file is called in /proc, where the system tells of that */
    ck_assert_int_eq(file_changed(file), FILE_SAME);
    ck_assert(pwrite(fd, "abcdefgh", 8, 16) == 8);
    ck_assert_int_eq(file_changed(file), FILE_GREW);
    ck_assert(file_follow(file, true));
    ck_assert(file_step(file, 1 << 20, 5));
    ck_assert_uint_eq(file_size(file), 24);
    ck_assert(!file_step(file, 1 << 20, 5)); /* waits, and nothing comes */
    ck_assert(!file_step(file, 1 << 20, 150));
    ck_assert(!file_step(file, 1 << 20, -1)); /* it may come from elsewhere: not for ever */
    file_await(path_of("changes.fxt")); /* long enough already */
    file_await(directory);
    file_await(path_of("nowhere"));
    file_close(file);
    restore_stdin(saved);
    close(fd);

    /* What is compressed is another file as soon as it changes, and is not followed. */
    struct bytes plain = make_bytes(10000), packed = {0};
    append_gzip(&packed, plain.v, plain.n);
    path = write_file("changes.fxt", packed.v, packed.n);
    file = open_or_fail(path, 0);
    ck_assert_int_eq(file_changed(file), FILE_SAME);
    ck_assert(!file_stamp(file, &stamp));
    ck_assert(!file_follow(file, true));
    fd = open(path, O_WRONLY | O_APPEND);
    ck_assert(write(fd, packed.v, packed.n) == (ssize_t)packed.n && close(fd) == 0);
    ck_assert_int_eq(file_changed(file), FILE_OTHER);
    file_close(file);
    unlink(path);
    free(plain.v);
    free(packed.v);
}
END_TEST

/* 5 % of a disk are left free, or a gigabyte; who cannot tell lets write() say. */
START_TEST(what_fits_on_a_disk_leaves_some_room) {
    int fd = open(directory, O_RDONLY);
    ck_assert(spool_fits(-1, UINT64_MAX));
    ck_assert(!spool_fits(fd, UINT64_MAX / 2));
    close(fd);
    fd = open("/proc", O_RDONLY); /* has no blocks */
    ck_assert(fd < 0 || spool_fits(fd, UINT64_MAX));
    close(fd);
}
END_TEST

START_TEST(a_terminal_is_no_trace) {
    int master = posix_openpt(O_RDWR | O_NOCTTY);
    ck_assert(master >= 0 && grantpt(master) == 0 && unlockpt(master) == 0);
    int slave = open(ptsname(master), O_RDWR | O_NOCTTY);
    int saved = put_on_stdin(slave);
    assert_refused("-", "is a terminal");
    restore_stdin(saved);
    close(slave);
    close(master);
    int null = open("/dev/null", O_RDONLY); /* may be a standard input, which ends at once */
    saved = put_on_stdin(null);
    struct file *file = open_or_fail("-", 0);
    restore_stdin(saved);
    close(null);
    read_to_end(file, 100);
    ck_assert_uint_eq(file_size(file), 0);
    file_close(file);
}
END_TEST

static void fault_elsewhere(void) {
    signal(SIGBUS, SIG_DFL);
    int null = open("/dev/null", O_WRONLY);
    dup2(null, STDERR_FILENO);
    struct rlimit none = {0, 0};
    setrlimit(RLIMIT_CORE, &none);
    int fd = open(path_of("empty"), O_RDWR | O_CREAT, 0600);
    CHILD_ASSERT(file_open("/dev/null", 0, NULL) == NULL); /* installs the handler */
    volatile unsigned char *p = mmap(NULL, 4096, PROT_READ, MAP_SHARED, fd, 0);
    (void)p[0];
}

START_TEST(other_bus_errors_still_kill) {
    int status = run_child(fault_elsewhere);
    unlink(path_of("empty"));
    ck_assert(WIFSIGNALED(status));
    ck_assert_int_eq(WTERMSIG(status), SIGBUS);
}
END_TEST

/* ---- Compressed files. One set of checks for both formats. */

struct format {
    void (*append)(struct bytes *, const void *, size_t);
    enum file_compression compression;
};

static const struct format formats[] = {
    {append_gzip, FILE_GZIP},
#ifdef HAVE_ZSTD
    {append_zstd, FILE_ZSTD},
#endif
};
enum { FORMATS = sizeof formats / sizeof *formats };

START_TEST(members_follow_each_other) {
    const struct format *format = &formats[_i];
    struct bytes plain = make_bytes(5000003), packed = {0};
    static const size_t cuts[] = {0, 0, 1, 70000, 70000, 3000000, 5000003};
    for (size_t i = 0; i + 1 < sizeof cuts / sizeof *cuts; i++)
        format->append(&packed, plain.v + cuts[i], cuts[i + 1] - cuts[i]);
    const char *path = write_file("packed", packed.v, packed.n);
    static const size_t budgets[] = {1000, 300000, SIZE_MAX};
    for (size_t i = 0; i < sizeof budgets / sizeof *budgets; i++) {
        struct file *file = open_or_fail(path, plain.n); /* exactly the limit is not too much */
        ck_assert_int_eq(file_compression(file), format->compression);
        ck_assert(!file_ended(file));
        ck_assert_int_eq(file_fd(file), -1);
        read_to_end(file, budgets[i]);
        ck_assert_int_eq(file_fault(file, NULL), FILE_OK);
        uint64_t done, total;
        file_progress(file, &done, &total);
        ck_assert_uint_eq(done, packed.n);
        ck_assert_uint_eq(total, packed.n);
        assert_whole(file, &plain);
        file_close(file);
    }
    unlink(path);
    free(plain.v);
    free(packed.v);
}
END_TEST

START_TEST(spans_while_it_grows) { /* across the first reservation of the map, 64 MiB */
    struct bytes plain = make_bytes(70 << 20), packed = {0};
    formats[_i].append(&packed, plain.v, plain.n);
    const char *path = write_file("packed", packed.v, packed.n);
    struct file *file = open_or_fail(path, 0);
    uint64_t seen = 0;
    while (!file_ended(file)) {
        file_step(file, 3000001, 0);
        size_t n;
        uint64_t at = seen / 8 * 8;
        const unsigned char *p = file_span(file, at, file_size(file) - at, &n);
        ck_assert(at == file_size(file) || p != NULL);
        ck_assert_uint_eq(n, file_size(file) - at);
        ck_assert(n == 0 || memcmp(p, plain.v + at, n) == 0);
        seen = file_size(file);
    }
    assert_whole(file, &plain);
    file_close(file);
    unlink(path);
    free(plain.v);
    free(packed.v);
}
END_TEST

START_TEST(padding_is_silent_other_bytes_are_told) {
    struct bytes plain = make_bytes(100000), packed = {0};
    formats[_i].append(&packed, plain.v, plain.n);
    size_t n = packed.n;
    unsigned char *zeros = err_calloc(1, 1 << 20);
    append(&packed, zeros, 1);
    ck_assert_uint_eq(check_packed(&packed, &plain, FILE_OK), plain.n);
    append(&packed, zeros, 1 << 20);
    ck_assert_uint_eq(check_packed(&packed, &plain, FILE_OK), plain.n);
    append(&packed, "x", 1);
    ck_assert_uint_eq(check_packed(&packed, &plain, FILE_COMPRESSED_TRAILING), plain.n);
    packed.n = n;
    append(&packed, "trailing", 8);
    for (size_t i = 1; i <= 8; i++) {
        packed.n = n + i;
        ck_assert_uint_eq(check_packed(&packed, &plain, FILE_COMPRESSED_TRAILING), plain.n);
    }
    packed.n = n;
    append(&packed, "\x1f", 1); /* half a magic number */
    ck_assert_uint_eq(check_packed(&packed, &plain, FILE_COMPRESSED_TRAILING), plain.n);
    free(zeros);
    free(plain.v);
    free(packed.v);
}
END_TEST

START_TEST(truncated_keeps_what_came) {
    struct bytes plain = make_bytes(6000), packed = {0};
    formats[_i].append(&packed, plain.v, plain.n);
    struct bytes cut = packed;
    uint64_t before = 0;
    for (cut.n = MAGIC_BYTES; cut.n < packed.n; cut.n += 7) {
        uint64_t size = check_packed(&cut, &plain, FILE_COMPRESSED_TRUNCATED);
        ck_assert_uint_ge(size, before); /* more source never gives less */
        before = size;
    }
    free(packed.v);
    free(plain.v);

    /* Large: all but the last piece of a block must be there. */
    plain = make_bytes(2000000);
    packed = (struct bytes){0};
    formats[_i].append(&packed, plain.v, plain.n);
    packed.n -= 12;
    ck_assert_uint_ge(check_packed(&packed, &plain, FILE_COMPRESSED_TRUNCATED), plain.n - (128 << 10));
    free(packed.v);
    free(plain.v);
}
END_TEST

START_TEST(damaged_keeps_what_came) {
    struct bytes plain = make_bytes(2000000), packed = {0};
    formats[_i].append(&packed, plain.v, plain.n);
    packed.v[packed.n - (formats[_i].compression == FILE_GZIP ? 5 : 1)] ^= 1; /* the checksum: all came out before */
    ck_assert_uint_eq(check_packed(&packed, &plain, FILE_COMPRESSED_DAMAGED), plain.n);
    free(packed.v);

    /* A member that is nothing but its magic number: the one before it is untouched. */
    packed = (struct bytes){0};
    formats[_i].append(&packed, plain.v, plain.n);
    size_t n = packed.n;
    formats[_i].append(&packed, plain.v, 100);
    memset(packed.v + n + MAGIC_BYTES, 0xff, packed.n - n - MAGIC_BYTES);
    ck_assert_uint_eq(check_packed(&packed, &plain, FILE_COMPRESSED_DAMAGED), plain.n);
    free(packed.v);
    free(plain.v);
}
END_TEST

START_TEST(any_flipped_bit_is_survived) {
    struct bytes plain = make_bytes(6000), packed = {0};
    formats[_i].append(&packed, plain.v, plain.n);
    for (size_t at = MAGIC_BYTES; at < packed.n; at += 3) {
        packed.v[at] ^= (unsigned char)(1 << at % 8);
        const char *path = write_file("packed", packed.v, packed.n);
        struct file *file = open_or_fail(path, 1 << 20);
        read_to_end(file, 1 << 20);
        ck_assert_uint_le(file_size(file), 1 << 20);
        if (file_fault(file, NULL) == FILE_OK) /* a name or a date in the header */
            assert_whole(file, &plain);
        file_close(file);
        packed.v[at] ^= (unsigned char)(1 << at % 8);
    }
    unlink(path_of("packed"));
    free(plain.v);
    free(packed.v);
}
END_TEST

START_TEST(bomb_stops_at_the_limit) {
    struct bytes plain = {err_calloc(1, 20 << 20), 20 << 20}, packed = {0};
    formats[_i].append(&packed, plain.v, plain.n);
    ck_assert_uint_lt(packed.n, 200000);
    const char *path = write_file("packed", packed.v, packed.n);
    static const uint64_t limits[] = {1, 4096, 1000001, (20 << 20) - 1};
    for (size_t i = 0; i < sizeof limits / sizeof *limits; i++) {
        struct file *file = open_or_fail(path, limits[i]);
        read_to_end(file, SIZE_MAX);
        const char *why;
        ck_assert_int_eq(file_fault(file, &why), FILE_NO_SPACE);
        ck_assert_str_eq(why, "stopped at --max-inflate");
        plain.n = (size_t)limits[i];
        assert_whole(file, &plain);
        file_close(file);
    }
    unlink(path);
    free(plain.v);
    free(packed.v);
}
END_TEST

START_TEST(full_disk_keeps_what_came) { /* ulimit -f stands for the disk */
    struct bytes plain = make_bytes(3000000), packed = {0};
    formats[_i].append(&packed, plain.v, plain.n);
    const char *path = write_file("packed", packed.v, packed.n);
    struct rlimit before, limit;
    ck_assert_int_eq(getrlimit(RLIMIT_FSIZE, &before), 0);
    limit = (struct rlimit){1000000, before.rlim_max};
    ck_assert_int_eq(setrlimit(RLIMIT_FSIZE, &limit), 0);
    struct file *file = open_or_fail(path, 0);
    read_to_end(file, SIZE_MAX);
    ck_assert_int_eq(setrlimit(RLIMIT_FSIZE, &before), 0);
    const char *why;
    ck_assert_int_eq(file_fault(file, &why), FILE_NO_SPACE);
    ck_assert_str_eq(why, "no space left for the temporary file");
    ck_assert_uint_eq(file_size(file), 1000000);
    assert_prefix(file, &plain);
    file_close(file);
    unlink(path);
    free(plain.v);
    free(packed.v);
}
END_TEST

#ifdef HAVE_ZSTD
START_TEST(zstd_skippable_frames) { /* as pzstd writes them */
    static const unsigned char skip[] = {0x53, 0x2a, 0x4d, 0x18, 4, 0, 0, 0, 1, 2, 3, 4};
    struct bytes plain = make_bytes(300000), packed = {0};
    append(&packed, skip, sizeof skip);
    append_zstd(&packed, plain.v, 200000);
    append(&packed, skip, sizeof skip);
    append_zstd(&packed, plain.v + 200000, 100000);
    append(&packed, skip, sizeof skip);
    ck_assert_uint_eq(check_packed(&packed, &plain, FILE_OK), plain.n);
    packed.n -= 2;
    ck_assert_uint_eq(check_packed(&packed, &plain, FILE_COMPRESSED_TRUNCATED), plain.n);
    free(plain.v);
    free(packed.v);
}
END_TEST

START_TEST(zstd_last_block_is_kept) {
    struct bytes plain = make_bytes(128 << 10), packed = {0};
    for (size_t i = 0; i < plain.n; i++)
        plain.v[i] = (unsigned char)chance_next(&chance);                  /* stored as it is: one raw block */
    static const unsigned char head[] = {0x28, 0xb5, 0x2f, 0xfd, 0, 0x58}; /* window 2 MiB, no size, no checksum */
    static const unsigned char raw[] = {0, 0, 0x10};                       /* 128 KiB raw, not the last */
    static const unsigned char bad[] = {7, 0, 0, 0, 0, 0};                 /* of the reserved type */
    append(&packed, head, sizeof head);
    append(&packed, raw, sizeof raw);
    append(&packed, plain.v, plain.n);
    ck_assert_uint_eq(check_packed(&packed, &plain, FILE_COMPRESSED_TRUNCATED), plain.n);
    append(&packed, bad, sizeof bad);
    ck_assert_uint_eq(check_packed(&packed, &plain, FILE_COMPRESSED_DAMAGED), plain.n);
    free(plain.v);
    free(packed.v);
}
END_TEST

START_TEST(zstd_declared_window_is_not_allocated) {
    static const unsigned char huge[] = {0x28, 0xb5, 0x2f, 0xfd, 0, 0xa8, 1, 0, 0}; /* a window of 2 GiB */
    struct bytes plain = {0}, packed = {0};
    append(&packed, huge, sizeof huge);
    ck_assert_uint_eq(check_packed(&packed, &plain, FILE_COMPRESSED_DAMAGED), 0);
    free(packed.v);
}
END_TEST
#endif

/* ---- Pipes. */

START_TEST(pipe_grows_step_by_step) {
    struct bytes b = make_bytes(500000);
    int ends[2];
    ck_assert_int_eq(pipe(ends), 0);
    int saved = put_on_stdin(ends[0]);
    close(ends[0]);
    ck_assert_int_eq(write(ends[1], b.v, 3), 3);
    ck_assert_int_eq(write(ends[1], b.v + 3, 2), 2);
    struct file *file = open_or_fail("-", 0);
    restore_stdin(saved); /* the keyboard may take its place */
    ck_assert_int_gt(file_fd(file), STDERR_FILENO);
    ck_assert_int_eq(fcntl(file_fd(file), F_GETFD), FD_CLOEXEC);
    ck_assert(file_step(file, 1 << 20, 0)); /* what opening read */
    ck_assert_uint_eq(file_size(file), 5);
    ck_assert(!file_step(file, 1 << 20, 0));
    ck_assert(!file_step(file, 1 << 20, 1));
    size_t there = 5;
    while (there < b.n) {
        size_t n = chance_next(&chance) % 60000 + 1;
        n = n < b.n - there ? n : b.n - there;
        ck_assert_int_eq(write(ends[1], b.v + there, n), (ssize_t)n);
        there += n;
        ck_assert(file_step(file, 1 << 20, -1));
        ck_assert(!file_ended(file));
        ck_assert_uint_eq(file_size(file), there);
        struct bytes now = {b.v, there};
        assert_whole(file, &now);
    }
    ck_assert(!file_step(file, 1 << 20, 0));
    close(ends[1]);
    ck_assert(file_step(file, 1 << 20, -1));
    ck_assert(file_ended(file));
    ck_assert_int_eq(file_fault(file, NULL), FILE_OK);
    uint64_t done, total;
    file_progress(file, &done, &total);
    ck_assert_uint_eq(done, b.n);
    ck_assert_uint_eq(total, 0);
    assert_whole(file, &b);
    file_close(file);
    free(b.v);
}
END_TEST

START_TEST(compressed_pipe_byte_by_byte) {
    struct bytes plain = make_bytes(20000), packed = {0};
    formats[_i].append(&packed, plain.v, 15000);
    formats[_i].append(&packed, plain.v + 15000, 5000);
    int ends[2];
    ck_assert_int_eq(pipe(ends), 0);
    int saved = put_on_stdin(ends[0]);
    close(ends[0]);
    ck_assert_int_eq(write(ends[1], packed.v, MAGIC_BYTES), MAGIC_BYTES);
    struct file *file = open_or_fail("-", 0);
    ck_assert_int_eq(file_compression(file), formats[_i].compression);
    for (size_t i = MAGIC_BYTES; i < packed.n; i++) {
        ck_assert_int_eq(write(ends[1], packed.v + i, 1), 1);
        file_step(file, 1 << 20, 0);
        ck_assert(!file_ended(file));
    }
    ck_assert_uint_eq(file_size(file), plain.n); /* all is out before the pipe is closed */
    close(ends[1]);
    read_to_end(file, 1 << 20);
    ck_assert_int_eq(file_fault(file, NULL), FILE_OK);
    assert_whole(file, &plain);
    file_close(file);
    restore_stdin(saved);
    free(plain.v);
    free(packed.v);
}
END_TEST

/* Gigabytes of nothing: a step has an end all the same. */
START_TEST(a_step_ends_where_nothing_comes_of_it) {
    struct bytes packed = {0};
    int ends[2];
    append_gzip(&packed, "", 0);
    size_t one = packed.n;
    while (packed.n + one < 30000)
        append_gzip(&packed, "", 0);
    size_t empty = packed.n;
    append_gzip(&packed, "12345678", 8);
    ck_assert_int_eq(pipe(ends), 0);
    ck_assert_int_eq(write(ends[1], packed.v, empty), (ssize_t)empty);
    int saved = put_on_stdin(ends[0]);
    close(ends[0]);
    struct file *file = open_or_fail("-", 0);
    restore_stdin(saved);
    struct file_stamp stamp;
    ck_assert(!file_stamp(file, &stamp)); /* what a pipe was cannot be known again, and it is followed anyway */
    ck_assert(!file_follow(file, true));
    ck_assert_int_eq(file_changed(file), FILE_SAME);
    ck_assert(!file_step(file, 100, 10));
    ck_assert(write(ends[1], packed.v + empty, packed.n - empty) == (ssize_t)(packed.n - empty) && close(ends[1]) == 0);
    while (!file_ended(file))
        file_step(file, 100, 10);
    ck_assert_uint_eq(file_size(file), 8);
    file_close(file);
    free(packed.v);
}
END_TEST

static void leave_signals(void) {
    struct sigaction now;
    signal(SIGXFSZ, SIG_IGN);
    CHILD_ASSERT(file_open("/dev/null", 0, NULL) == NULL); /* installs the handlers */
    CHILD_ASSERT(sigaction(SIGXFSZ, NULL, &now) == 0 && now.sa_handler == SIG_IGN);
}

START_TEST(a_signal_that_is_ignored_stays_so) {
    ck_assert_int_eq(run_child(leave_signals), 0);
}
END_TEST

START_TEST(short_pipes_end) { /* shorter than a magic number, even empty */
    for (size_t n = 0; n < 6; n++) {
        int ends[2];
        ck_assert_int_eq(pipe(ends), 0);
        int saved = put_on_stdin(ends[0]);
        close(ends[0]);
        struct bytes b = {(unsigned char *)(uintptr_t) "\x28\xb5\x2f", n < 3 ? n : 3};
        ck_assert_int_eq(write(ends[1], b.v, b.n), (ssize_t)b.n);
        close(ends[1]);
        struct file *file = open_or_fail("-", 0);
        read_to_end(file, 1 << 20);
        ck_assert_int_eq(file_fault(file, NULL), FILE_OK);
        assert_whole(file, &b);
        file_close(file);
        restore_stdin(saved);
    }
}
END_TEST

START_TEST(fifo_is_read_like_stdin) {
    struct bytes b = make_bytes(60000);
    const char *path = path_of("fifo");
    ck_assert_int_eq(mkfifo(path, 0600), 0);
    int both = open(path, O_RDWR); /* so that opening to read need not wait */
    ck_assert_int_ge(both, 0);
    ck_assert_int_eq(write(both, b.v, b.n), (ssize_t)b.n);
    struct file *file = open_or_fail(path, 0);
    unlink(path);
    while (file_size(file) < b.n)
        ck_assert(file_step(file, 10000, -1));
    ck_assert(!file_ended(file));
    close(both);
    read_to_end(file, 10000);
    assert_whole(file, &b);
    file_close(file);
    free(b.v);
}
END_TEST

START_TEST(stdin_from_a_file) { /* mapped; from its offset on if somebody has read a line of it */
    struct bytes b = make_bytes(3000000);
    const char *path = write_file("plain", b.v, b.n);
    for (size_t skip = 0; skip < 32; skip += 16) {
        int fd = open(path, O_RDONLY);
        lseek(fd, (off_t)skip, SEEK_SET);
        int saved = put_on_stdin(fd);
        close(fd);
        struct file *file = open_or_fail("-", 0);
        ck_assert(file_ended(file) == (skip == 0));
        ck_assert_int_eq(file_fd(file), -1);
        read_to_end(file, 1 << 20);
        struct bytes rest = {b.v + skip, b.n - skip};
        assert_whole(file, &rest);
        file_close(file);
        restore_stdin(saved);
    }
    unlink(path);
    free(b.v);

    int saved = dup(STDIN_FILENO);
    close(STDIN_FILENO);
    assert_refused("-", "is closed");
    int fd = open(directory, O_RDONLY);
    if (fd != STDIN_FILENO) {
        dup2(fd, STDIN_FILENO);
        close(fd);
    }
    assert_refused("-", "is a directory");
    restore_stdin(saved);
}
END_TEST

START_TEST(spool_goes_where_it_can) {
    struct bytes plain = make_bytes(100000), packed = {0};
    append_gzip(&packed, plain.v, plain.n);
    const char *path = write_file("packed", packed.v, packed.n);
    static const char *const places[] = {"", "/nowhere/at/all", "/proc", NULL};
    for (size_t i = 0; i < sizeof places / sizeof *places; i++) {
        if (places[i] != NULL)
            setenv("TMPDIR", places[i], 1);
        else
            unsetenv("TMPDIR");
        struct file *file = open_or_fail(path, 0);
        read_to_end(file, SIZE_MAX);
        assert_whole(file, &plain);
        file_close(file);
    }
    unlink(path);
    free(plain.v);
    free(packed.v);
}
END_TEST

static void without_standard_descriptors(void) {
    struct bytes plain = make_bytes(100000), packed = {0};
    append_gzip(&packed, plain.v, plain.n);
    const char *path = write_file("packed", packed.v, packed.n);
    close(0);
    close(1);
    close(2);
    struct file *file = file_open(path, 0, NULL);
    if (file == NULL || write(2, "into the trace?", 15) >= 0)
        _exit(1);
    while (!file_ended(file))
        file_step(file, SIZE_MAX, 0);
    size_t n;
    const void *p = file_span(file, 0, plain.n, &n);
    if (n != plain.n || memcmp(p, plain.v, n) != 0)
        _exit(1);
    file_close(file);
    free(plain.v);
    free(packed.v);
}

START_TEST(closed_descriptors_are_left_alone) {
    ck_assert_int_eq(run_child(without_standard_descriptors), 0);
    unlink(path_of("packed"));
}
END_TEST

/* ---- Little address space. */

static struct bytes limited; /* what the file holds */

static bool limit_address_space(size_t extra) {
    FILE *f = fopen("/proc/self/statm", "r");
    unsigned long pages = 0;
    if (f == NULL || fscanf(f, "%lu", &pages) != 1)
        return false;
    fclose(f);
    rlim_t most = (rlim_t)pages * (rlim_t)sysconf(_SC_PAGESIZE) + extra;
    struct rlimit limit = {most, most};
    return setrlimit(RLIMIT_AS, &limit) == 0;
}

static void check_limited(const char *name) {
    struct err err = {"", 0};
    struct file *file = file_open(path_of(name), 0, &err);
    CHILD_ASSERT(file != NULL);
    while (!file_ended(file))
        file_step(file, SIZE_MAX, 0);
    CHILD_ASSERT(file_size(file) == limited.n);
    for (int round = 0; round < 300; round++) {
        /* forwards, backwards, anywhere */
        uint64_t step = limited.n / 100 / 8 * 8;
        uint64_t at = round < 100 ? (uint64_t)round * step : (uint64_t)(199 - round) * step;
        if (round >= 200)
            at = chance_next(&chance) % limited.n / 8 * 8;
        size_t want = round % 10 == 0 ? 900000 : 32768, n;
        const void *p = file_span(file, at, want, &n);
        CHILD_ASSERT(p != NULL);
        CHILD_ASSERT(n >= want || n == limited.n - at);
        CHILD_ASSERT(n < limited.n); /* else this test tests nothing */
        CHILD_ASSERT(memcmp(p, limited.v + at, n) == 0);
    }
    size_t n;
    const void *p = file_span(file, 8, SIZE_MAX, &n); /* more than can be had */
    CHILD_ASSERT(p != NULL && n >= 1 << 20 && memcmp(p, limited.v + 8, n) == 0);
    CHILD_ASSERT(!file_lost(file));
    file_close(file);
}

static void small_windows(void) {
    CHILD_ASSERT(limit_address_space(24 << 20));
    check_limited("plain");
    check_limited("packed");
}

/* Memory that malloc has at hand, but no room for a map. */
static void reads_instead(void) {
#ifdef __GLIBC__
    mallopt(M_MMAP_THRESHOLD, 1 << 28);
    mallopt(M_TRIM_THRESHOLD, 1 << 28);
    free(memset(err_malloc(8 << 20), 1, 8 << 20));
    CHILD_ASSERT(limit_address_space(0));
    check_limited("plain");
    check_limited("packed");
#endif
}

START_TEST(moves_a_window_where_memory_is_short) {
    if (UNDER_ASAN) /* which needs terabytes of addresses */
        return;
    limited = make_bytes(40000004);
    struct bytes packed = {0};
    append_gzip(&packed, limited.v, limited.n);
    write_file("plain", limited.v, limited.n);
    write_file("packed", packed.v, packed.n);
    free(packed.v);
    ck_assert_int_eq(run_child(_i == 0 ? small_windows : reads_instead), 0);
    unlink(path_of("plain"));
    unlink(path_of("packed"));
    free(limited.v);
}
END_TEST

/* ---- wide. */

static uint64_t random_bits(void) { /* of every length, often at the edges */
    switch (chance_next(&chance) % 8) {
    case 0:
        return UINT64_MAX - chance_next(&chance) % 3;
    case 1:
        return ((uint64_t)1 << chance_next(&chance) % 64) - chance_next(&chance) % 2;
    default:
        return chance_next(&chance) >> chance_next(&chance) % 64;
    }
}

#ifdef __SIZEOF_INT128__
typedef unsigned __int128 u128;

static u128 wide_value(struct wide a) {
    return (u128)a.hi << 64 | a.lo;
}

START_TEST(wide_agrees_with_the_compiler) {
    for (int i = 0; i < 1000000; i++) {
        uint64_t x = random_bits(), y = random_bits();
        struct wide a = {chance_next(&chance) % 4 == 0 ? 0 : random_bits(), random_bits()};
        struct wide b = {chance_next(&chance) % 4 == 0 ? a.hi : random_bits(), random_bits()};
        u128 va = wide_value(a), vb = wide_value(b);
        REQUIRE(wide_value(wide_mul(x, y)) == (u128)x * y);
        REQUIRE(wide_value(mul_portable(x, y)) == (u128)x * y);
        if (y > 0) {
            REQUIRE(wide_value(wide_div(a, y)) == va / y);
            REQUIRE(wide_value(div_portable(a, y)) == va / y);
        }
        REQUIRE(wide_value(wide_add(a, (int64_t)x)) == va + (u128)(__int128)(int64_t)x);
        REQUIRE(wide_value(wide_sub(a, b)) == va - vb);
        REQUIRE(wide_cmp(a, b) == (va < vb ? -1 : va > vb));
        int64_t limit = (int64_t)(y >> 1);
        u128 size = va < vb ? vb - va : va - vb;
        int64_t clamped = size > (u128)limit ? limit : (int64_t)size;
        REQUIRE(wide_diff(a, b, limit) == (va < vb ? -clamped : clamped));
    }
}
END_TEST
#endif

START_TEST(wide_division_undoes_the_product) { /* also where the compiler has no 128 bits */
    for (int i = 0; i < 200000; i++) {
        uint64_t x = random_bits(), y = random_bits();
        if (y == 0)
            continue;
        struct wide p = mul_portable(x, y);
        struct wide q = div_portable(p, y);
        REQUIRE(q.hi == 0 && q.lo == x);
        q = div_portable(wide_add(p, -1), y);
        REQUIRE(x == 0 || (q.hi == 0 && q.lo == x - 1));
        struct wide same = wide_mul(x, y);
        REQUIRE(same.hi == p.hi && same.lo == p.lo);
    }
}
END_TEST

START_TEST(wide_text_is_decimal) {
    char buf[40];
    ck_assert_str_eq(wide_text((struct wide){0, 0}, buf), "0");
    ck_assert_str_eq(wide_text((struct wide){0, 10}, buf), "10");
    ck_assert_str_eq(wide_text((struct wide){0, UINT64_MAX}, buf), "18446744073709551615");
    ck_assert_str_eq(wide_text((struct wide){1, 0}, buf), "18446744073709551616");
    ck_assert_str_eq(wide_text((struct wide){UINT64_MAX, UINT64_MAX}, buf), "340282366920938463463374607431768211455");
    ck_assert_str_eq(wide_text(wide_mul(UINT64_MAX, 1000000000), buf), "18446744073709551615000000000");
}
END_TEST

START_TEST(wide_diff_clamps) {
    struct wide zero = {0, 0}, top = {UINT64_MAX, UINT64_MAX};
    ck_assert_int_eq(wide_diff(top, zero, INT64_MAX), INT64_MAX);
    ck_assert_int_eq(wide_diff(zero, top, INT64_MAX), -INT64_MAX);
    ck_assert_int_eq(wide_diff((struct wide){1, 0}, (struct wide){0, UINT64_MAX}, 5), 1);
    ck_assert_int_eq(wide_diff((struct wide){0, UINT64_MAX}, (struct wide){1, 4}, 5), -5);
    ck_assert_int_eq(wide_diff(top, zero, 0), 0);
}
END_TEST

/* ---- Suites. */

/* ---- options ---- */

/* The program's name, then args up to a NULL or all four. */
static bool parse(struct options *o, const char *const args[4], struct err *err) {
    static char copies[4][32];
    static char name[] = "fxtop";
    char *argv[6] = {name};
    int argc = 1;
    for (; argc < 5 && args[argc - 1]; argc++) {
        argv[argc] = copies[argc - 1];
        ck_assert_int_lt(snprintf(argv[argc], sizeof copies[0], "%s", args[argc - 1]), sizeof copies[0]);
    }
    return options_parse(o, argc, argv, false, err);
}

START_TEST(wrong_options_are_called_what_they_are) {
    static const struct {
        const char *args[4], *says;
    } cases[] = {
        {{"--s", "a"}, "several options begin with --s (try --help)"},
        {{"--zzz", "a"}, "no such option: --zzz (try --help)"},
        {{"-z", "a"}, "no such option: -z (try --help)"},
        {{"--summary=x", "a"}, "--summary=x: this option takes no value (try --help)"},
        {{"--s=x", "a"}, "several options begin with --s=x (try --help)"},
        {{"--print", "80x24", "a"}, "a size stands behind '=': --print=80x24"},
        {{"a", "--print", "80x24"}, "a size stands behind '=': --print=80x24"},
        {{"--print", "a", "b"}, "one trace at a time: what is 'b'?"},
        {{"--at"}, "--at wants a value (try --help)"},
        {{""}, "the name of the trace is empty"},
        {{"--ascii"}, "no trace named (try --help)"},
        {{"--print=80", "a"}, "--print wants WIDTHxHEIGHT up to 1000x1000, not '80'"},
        {{"--print=0x24", "a"}, "--print wants WIDTHxHEIGHT up to 1000x1000, not '0x24'"},
        {{"--print=1001x24", "a"}, "--print wants WIDTHxHEIGHT up to 1000x1000, not '1001x24'"},
        {{"--print=80x24x", "a"}, "--print wants WIDTHxHEIGHT up to 1000x1000, not '80x24x'"},
        {{"--export=xml", "a"}, "--export knows ndjson, json and csv, not 'xml'"},
        {{"--check=lax", "a"}, "--check takes nothing or =strict, not 'lax'"},
        {{"--color=red", "a"}, "--color is auto, always or never, not 'red'"},
        {{"--color=\033[2J", "a"}, "--color is auto, always or never, not '^[[2J'"},
        {{"--max-inflate=", "a"}, "--max-inflate wants bytes (20g), not ''"},
        {{"--max-inflate=0", "a"}, "--max-inflate wants bytes (20g), not '0'"},
        {{"--max-inflate=2x", "a"}, "--max-inflate wants bytes (20g), not '2x'"},
        {{"--max-inflate=2gb", "a"}, "--max-inflate wants bytes (20g), not '2gb'"},
        {{"--max-inflate=99999999", "a"}, NULL},
        {{"--max-inflate=16777216t", "a"}, "--max-inflate wants bytes (20g), not '16777216t'"},
        {{"--summary", "--check", "a"}, "only one of --print, --summary, --check, --records and --export goes"},
        {{"--follow", "--print", "a"}, "--follow is for the screen"},
        {{"-Fz", "a"}, "no such option: -Fz (try --help)"},
        {{"--print=80x0", "a"}, "--print wants WIDTHxHEIGHT up to 1000x1000, not '80x0'"},
        {{"--print=80:24", "a"}, "--print wants WIDTHxHEIGHT up to 1000x1000, not '80:24'"},
        {{"--print=80x1001", "a"}, "--print wants WIDTHxHEIGHT up to 1000x1000, not '80x1001'"},
        {{"--records", "--records", "a"}, NULL},
        {{"--follow=x", "a"}, "--follow=x: this option takes no value (try --help)"},
        {{"--f=x", "a"}, "--f=x: this option takes no value (try --help)"},
        {{"--a=x", "a"}, "several options begin with --a=x (try --help)"},
        {{"--zzz=x", "a"}, "no such option: --zzz=x (try --help)"},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        struct options o;
        struct err err;
        ck_assert(parse(&o, cases[i].args, &err) == (cases[i].says == NULL));
        if (cases[i].says)
            ck_assert_str_eq(err.text, cases[i].says);
    }
}
END_TEST

START_TEST(what_is_wrong_is_quoted_in_characters_that_can_be_shown) {
    char name[] = "fxtop", summary[] = "--summary", ascii[] = "--ascii", bad[] = "--color=\xFF\xE2\x80\xAE\xC3\xA9";
    char *plain[] = {name, summary, bad, NULL}, *said[] = {name, ascii, bad, NULL};
    struct options o;
    struct err err;
    ck_assert(!options_parse(&o, 3, plain, false, &err));
    ck_assert_str_eq(err.text, "--color is auto, always or never, not '\xEF\xBF\xBD<U+202E>\xC3\xA9'");
    ck_assert(!options_parse(&o, 3, plain, true, &err));
    ck_assert_str_eq(err.text, "--color is auto, always or never, not '\\xFF\\u{202E}\\u{E9}'");
    ck_assert(!options_parse(&o, 3, said, false, &err));
    ck_assert_str_eq(err.text, "--color is auto, always or never, not '\\xFF\\u{202E}\\u{E9}'");
}
END_TEST

START_TEST(right_options_are_what_help_says) {
    struct options o;
    struct err err;
    ck_assert(parse(&o, (const char *[4]){"a"}, &err));
    ck_assert_str_eq(o.path, "a");
    ck_assert(o.mode == MODE_SCREEN && o.cols == 100 && o.rows == 30 && o.color == 0 && !o.follow && !o.ascii);
    ck_assert(parse(&o, (const char *[4]){"--print=1000x1", "--color=always", "--ascii", "-"}, &err));
    ck_assert(o.mode == MODE_PRINT && o.cols == 1000 && o.rows == 1 && o.color == 1 && o.ascii);
    ck_assert(parse(&o, (const char *[4]){"--print", "--color=never", "--no-mouse", "a"}, &err));
    ck_assert(o.mode == MODE_PRINT && o.cols == 100 && o.rows == 30 && o.color == -1 && o.no_mouse);
    ck_assert(parse(&o, (const char *[4]){"--check=strict", "--stats", "--no-cache", "a"}, &err));
    ck_assert(o.mode == MODE_CHECK && o.strict && o.stats && o.no_cache);
    ck_assert(parse(&o, (const char *[4]){"--check", "--color=auto", "a"}, &err));
    ck_assert(o.mode == MODE_CHECK && !o.strict && o.color == 0);
    ck_assert(parse(&o, (const char *[4]){"--export=csv", "--keys=jj", "--at=1s", "a"}, &err));
    ck_assert(o.mode == MODE_EXPORT && o.format == EXPORT_CSV && strcmp(o.keys, "jj") == 0 && strcmp(o.at, "1s") == 0);
    ck_assert(parse(&o, (const char *[4]){"--export=json", "a"}, &err));
    ck_assert(o.mode == MODE_EXPORT && o.format == EXPORT_JSON);
    ck_assert(parse(&o, (const char *[4]){"--records", "a"}, &err) && o.mode == MODE_RECORDS);
    ck_assert(parse(&o, (const char *[4]){"-F", "--window=2ms", "--max-inflate=3K", "a"}, &err));
    ck_assert(o.follow && strcmp(o.window, "2ms") == 0 && o.max_inflate == 3 << 10);
    ck_assert(parse(&o, (const char *[4]){"--max-inflate=2t", "a"}, &err) && o.max_inflate == UINT64_C(2) << 40);
    ck_assert(parse(&o, (const char *[4]){"--list-keys"}, &err) && o.mode == MODE_LIST_KEYS);
}
END_TEST

START_TEST(options_are_read_from_their_begin_each_time) {
    struct options o;
    struct err err;
    ck_assert(parse(&o, (const char *[4]){"-hV"}, &err) && o.mode == MODE_HELP);
    ck_assert(parse(&o, (const char *[4]){"-Fh"}, &err) && o.mode == MODE_HELP);
    ck_assert(parse(&o, (const char *[4]){"-hV"}, &err) && o.mode == MODE_HELP);
    ck_assert(parse(&o, (const char *[4]){"a"}, &err) && o.mode == MODE_SCREEN);
}
END_TEST

Suite *suite_file(void) {
    Suite *suite = suite_create("file");
    TCase *err = tcase_create("err");
    tcase_add_checked_fixture(err, set_up, tear_down);
    tcase_add_test(err, err_cuts_between_characters);
    tcase_add_test(err, nothing_can_be_allocated_too);
    tcase_add_test(err, err_may_wrap_its_own_text);
    tcase_add_test(err, no_memory_restores_and_exits_2);
    suite_add_tcase(suite, err);

    TCase *plain = tcase_create("plain");
    tcase_add_checked_fixture(plain, set_up, tear_down);
    tcase_set_timeout(plain, 60);
    tcase_add_test(plain, plain_file_is_whole_at_once);
    tcase_add_test(plain, what_is_no_trace_is_refused_in_one_line);
    tcase_add_test(plain, compressed_is_what_says_so_whole);
    tcase_add_test(plain, many_files_at_once);
    tcase_add_test(plain, truncation_under_the_map_reads_zeros);
    tcase_add_test(plain, what_was_passed_is_given_back);
    tcase_add_test(plain, a_change_is_told);
    tcase_add_test(plain, what_cannot_be_watched_is_looked_at);
    tcase_add_test(plain, what_changed_is_told_by_the_bytes);
    tcase_add_test(plain, what_fits_on_a_disk_leaves_some_room);
    tcase_add_test(plain, a_terminal_is_no_trace);
    tcase_add_test(plain, other_bus_errors_still_kill);
    tcase_add_loop_test(plain, moves_a_window_where_memory_is_short, 0, 2);
    suite_add_tcase(suite, plain);

    TCase *packed = tcase_create("compressed");
    tcase_add_checked_fixture(packed, set_up, tear_down);
    tcase_set_timeout(packed, 120);
    tcase_add_loop_test(packed, members_follow_each_other, 0, FORMATS);
    tcase_add_loop_test(packed, spans_while_it_grows, 0, FORMATS);
    tcase_add_loop_test(packed, padding_is_silent_other_bytes_are_told, 0, FORMATS);
    tcase_add_loop_test(packed, truncated_keeps_what_came, 0, FORMATS);
    tcase_add_loop_test(packed, damaged_keeps_what_came, 0, FORMATS);
    tcase_add_loop_test(packed, any_flipped_bit_is_survived, 0, FORMATS);
    tcase_add_loop_test(packed, bomb_stops_at_the_limit, 0, FORMATS);
    tcase_add_loop_test(packed, full_disk_keeps_what_came, 0, FORMATS);
#ifdef HAVE_ZSTD
    tcase_add_test(packed, zstd_skippable_frames);
    tcase_add_test(packed, zstd_last_block_is_kept);
    tcase_add_test(packed, zstd_declared_window_is_not_allocated);
#endif
    suite_add_tcase(suite, packed);

    TCase *pipes = tcase_create("pipes");
    tcase_add_checked_fixture(pipes, set_up, tear_down);
    tcase_set_timeout(pipes, 60);
    tcase_add_test(pipes, pipe_grows_step_by_step);
    tcase_add_loop_test(pipes, compressed_pipe_byte_by_byte, 0, FORMATS);
    tcase_add_test(pipes, short_pipes_end);
    tcase_add_test(pipes, a_step_ends_where_nothing_comes_of_it);
    tcase_add_test(pipes, a_signal_that_is_ignored_stays_so);
    tcase_add_test(pipes, fifo_is_read_like_stdin);
    tcase_add_test(pipes, stdin_from_a_file);
    tcase_add_test(pipes, spool_goes_where_it_can);
    tcase_add_test(pipes, closed_descriptors_are_left_alone);
    suite_add_tcase(suite, pipes);
    TCase *options = tcase_create("options");
    tcase_add_test(options, wrong_options_are_called_what_they_are);
    tcase_add_test(options, what_is_wrong_is_quoted_in_characters_that_can_be_shown);
    tcase_add_test(options, right_options_are_what_help_says);
    tcase_add_test(options, options_are_read_from_their_begin_each_time);
    suite_add_tcase(suite, options);
    return suite;
}

static void set_seed(void) {
    chance.seed = 0x2545f4914f6cdd1d;
}

Suite *suite_wide(void) {
    Suite *suite = suite_create("wide");
    TCase *numbers = tcase_create("numbers");
    tcase_add_checked_fixture(numbers, set_seed, NULL);
    tcase_set_timeout(numbers, 60);
#ifdef __SIZEOF_INT128__
    tcase_add_test(numbers, wide_agrees_with_the_compiler);
#endif
    tcase_add_test(numbers, wide_division_undoes_the_product);
    tcase_add_test(numbers, wide_text_is_decimal);
    tcase_add_test(numbers, wide_diff_clamps);
    suite_add_tcase(suite, numbers);
    return suite;
}
