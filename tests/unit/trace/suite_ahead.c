/* suite_ahead.c - pages that the worker maps before the reader comes to them. */
#include "model/trace/ahead.h"

#include <fcntl.h>
#include <sys/mman.h>
#include <unistd.h>

#include "src/base/thread.h"
#include "tests/lib/scratch.h"
#include "tests/unit/lib/must.h"
#include "tests/unit/lib/suites.h"

#define MIB (UINT64_C(1) << 20)

/* True if the headers know the call, and there is a second thread. */
static bool maps_ahead(void) {
#ifdef MADV_POPULATE_READ
    return thread_worthwhile();
#else
    return false;
#endif
}

static void no_work(void *ctx, void *run) {
    (void)ctx;
    (void)run;
}

/* A file of 16 MiB, open and mapped, and a worker whose thread sleeps. */
struct scene {
    char path[SCRATCH_PATH];
    struct file *file;
    struct worker *worker;
    struct ahead ahead;
    const unsigned char *bytes;
};

static void start(struct scene *s) {
    struct err err;
    size_t n;
    *s = (struct scene){.worker = worker_new()};
    int fd = scratch_file(s->path, "ahead");
    ck_assert(fd >= 0 && ftruncate(fd, 16 * MIB) == 0 && close(fd) == 0);
    s->file = file_open(s->path, NULL, &err);
    ck_assert_msg(s->file != NULL, "%s", err.text);
    s->bytes = file_span(s->file, 0, 8, &n);
    ck_assert(s->bytes != NULL && file_is_whole(s->file));
    ahead_give(&s->ahead, s->file, 0, s->worker);
    ck_assert_uint_eq(s->ahead.until, 0); /* no thread so far: a small trace needs none */
    worker_give(s->worker, no_work, s, NULL);
    worker_wait(s->worker);
}

static void finish(struct scene *s) {
    worker_free(s->worker);
    file_close(s->file);
    unlink(s->path);
}

/* The pages in [from, end) that this process has mapped, by pagemap: bit 63 of a word for each
 * page. -1: not known. */
static long mapped(const struct scene *s, uint64_t from, uint64_t end) {
    static uint64_t words[16 * MIB / 4096];
    size_t n = (size_t)(end - from) / 4096;
    long sum = 0;
    int fd = open("/proc/self/pagemap", O_RDONLY | O_CLOEXEC);
    ssize_t got =
        fd < 0 ? -1 : pread(fd, words, n * 8, (off_t)((uintptr_t)(s->bytes + from) / 4096 * 8));
    if (fd >= 0)
        close(fd);
    for (size_t i = 0; i < n; i++)
        sum += (long)(words[i] >> 63);
    return got == (ssize_t)(n * 8) ? sum : -1;
}

/* The system may take pages back at any time, but not most of them at once. */
static void must_be_mapped(const struct scene *s, uint64_t from, uint64_t end) {
    long n = mapped(s, from, end);
    ck_assert_msg(n < 0 || n >= (long)((end - from) / 4096 / 4), "%ld pages", n);
}

START_TEST(pages_are_there_before_the_reader) {
    struct scene s;
    start(&s);
    ahead_give(&s.ahead, s.file, 0, s.worker);
    worker_wait(s.worker);
    if (maps_ahead() && !s.ahead.failed) { /* else the system is too old */
        ck_assert_uint_eq(s.ahead.until, 4 * MIB);
        must_be_mapped(&s, MIB / 8, 4 * MIB);
        ck_assert_int_le(mapped(&s, 5 * MIB, 16 * MIB), 0);
        ahead_give(&s.ahead, s.file, MIB / 2, s.worker); /* too little is new */
        ck_assert_uint_eq(s.ahead.until, 4 * MIB);
        /* the reader was faster; up to the end of the file */
        ahead_give(&s.ahead, s.file, 13 * MIB, s.worker);
        worker_wait(s.worker);
        ck_assert_uint_eq(s.ahead.until, 16 * MIB);
        must_be_mapped(&s, 13 * MIB + MIB / 8, 16 * MIB);
        ahead_give(&s.ahead, s.file, 15 * MIB, s.worker);
        ck_assert_uint_eq(s.ahead.until, 16 * MIB);
    }
    finish(&s);
}
END_TEST

/* It is for the reader of the bytes to find out that they are gone. */
START_TEST(a_file_that_is_cut_stops_it) {
    struct scene s;
    start(&s);
    ck_assert_int_eq(truncate(s.path, MIB), 0);
    ahead_give(&s.ahead, s.file, 2 * MIB, s.worker);
    worker_wait(s.worker);
    ck_assert(!file_lost(s.file));
    ck_assert(s.ahead.failed == maps_ahead());
    uint64_t until = s.ahead.until;
    ahead_give(&s.ahead, s.file, 8 * MIB, s.worker);
    ck_assert_uint_eq(s.ahead.until, until);
    finish(&s);
}
END_TEST

SUITE(ahead) {
    Suite *s = suite_create("ahead");
    TCase *c = tcase_create("ahead");
    tcase_add_test(c, pages_are_there_before_the_reader);
    tcase_add_test(c, a_file_that_is_cut_stops_it);
    suite_add_tcase(s, c);
    return s;
}
