/* suite_file.c - plain files: their map, what becomes of them under it, and standard input from
 * one. */
#include <fcntl.h>
#include <limits.h>
#include <malloc.h>
#include <poll.h>
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

#include "src/base/err.h"
#include "src/io/map_guard.h"
#include "tests/unit/io/files.h"
#include "tests/unit/lib/child.h"
#include "tests/unit/lib/suites.h"

START_TEST(a_plain_file_is_whole_at_once) {
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

START_TEST(what_is_no_trace_is_refused_in_one_line) {
    assert_refused(files_folder, "is a directory");
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

    path = write_file("xz",
                      "\xfd"
                      "7zXZ\0\0\4",
                      8);
    assert_refused(path, "compressed with xz: unpack it first (xzcat FILE | fxtop -)");
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

START_TEST(closing_nothing_is_allowed) {
    file_close(NULL);
    map_guard_free(MAP_GUARD_NONE);
}
END_TEST

/* more than there are guards: the rest is read instead of mapped */
START_TEST(more_files_than_guards_are_read_whole) {
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

START_TEST(what_was_cut_off_under_the_map_reads_as_zeros) {
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
    ck_assert(!file_lost(file)); /* none of it was asked for so far */
    size_t zeros = 0;
    while (zeros < n - (1 << 20) && p[(1 << 20) + zeros] == 0)
        zeros++;
    ck_assert_uint_eq(zeros, n - (1 << 20));
    ck_assert(file_lost(file));
    ck_assert(memcmp(p, b.v, 1 << 20) == 0); /* what is before the cut stays */
    ck_assert_uint_eq(file_size(file), b.n);
    file_close(file);
    unlink(path);
    free(b.v);
}
END_TEST

START_TEST(a_file_that_loses_bytes_leaves_the_others_alone) {
    static const char *const names[] = {"first", "second", "third"};
    struct bytes b = make_bytes(4 << 20), larger = make_bytes(9 << 20);
    struct file *files[3];
    const unsigned char *v[3];
    size_t n;
    for (int i = 0; i < 3; i++) {
        files[i] = open_or_fail(write_file(names[i], b.v, b.n), 0);
        v[i] = file_span(files[i], 0, b.n, &n);
    }
    /* the next takes its slot among the guards, but other memory: it is larger */
    file_close(files[0]);
    files[0] = open_or_fail(write_file("first", larger.v, larger.n), 0);
    v[0] = file_span(files[0], 0, larger.n, &n);
    ck_assert(truncate(path_of("second"), 4096) == 0 && v[1][1 << 20] == 0);
    ck_assert(!file_lost(files[0]) && file_lost(files[1]) && !file_lost(files[2]));
    ck_assert(memcmp(v[0], larger.v, larger.n) == 0 && memcmp(v[2], b.v, b.n) == 0);
    ck_assert(truncate(path_of("third"), 4096) == 0 && v[2][1 << 20] == 0 && file_lost(files[2]));
    for (int i = 0; i < 3; i++) {
        file_close(files[i]);
        unlink(path_of(names[i]));
    }
    free(larger.v);
    free(b.v);
}
END_TEST

/* one fault covers all to the end */
START_TEST(what_was_lost_stays_zeros_when_the_file_grows_again) {
    struct bytes b = make_bytes(4 << 20);
    const char *path = write_file("shrinks", b.v, b.n);
    struct file *file = open_or_fail(path, 0);
    size_t n;
    const unsigned char *p = file_span(file, 0, b.n, &n);
    ck_assert_int_eq(truncate(path, 1 << 20), 0);
    ck_assert(p[1 << 20] == 0);
    write_file("shrinks", b.v, b.n);
    ck_assert(p[3 << 20] == 0 && p[n - 1] == 0);
    file_close(file);
    unlink(path);
    free(b.v);
}
END_TEST

START_TEST(a_file_that_is_opened_again_has_lost_nothing) {
    struct bytes b = make_bytes(4 << 20);
    const char *path = write_file("shrinks", b.v, b.n);
    struct file *file = open_or_fail(path, 0);
    size_t n;
    const unsigned char *p = file_span(file, 0, b.n, &n);
    ck_assert_int_eq(truncate(path, 1 << 20), 0);
    ck_assert(p[1 << 20] == 0 && file_lost(file));
    file_close(file);
    file = open_or_fail(path, 0);
    ck_assert(!file_lost(file));
    ck_assert_uint_eq(file_size(file), 1 << 20);
    b.n = 1 << 20;
    assert_whole(file, &b);
    file_close(file);
    unlink(path);
    free(b.v);
}
END_TEST

START_TEST(a_file_that_is_cut_to_nothing_reads_as_zeros) {
    struct bytes b = make_bytes(1 << 20);
    const char *path = write_file("shrinks", b.v, b.n);
    struct file *file = open_or_fail(path, 0);
    size_t n;
    const unsigned char *p = file_span(file, 0, 8, &n);
    ck_assert_int_eq(truncate(path, 0), 0);
    ck_assert(p[0] == 0 && p[n - 1] == 0);
    ck_assert(file_lost(file));
    file_close(file);
    unlink(path);
    free(b.v);
}
END_TEST

/* Pages of files that this process has mapped and touched; 0 if the system does not count them. */
static size_t mapped_pages(void) {
    FILE *f = fopen("/proc/self/statm", "r");
    size_t total = 0, resident = 0, shared = 0;
    if (f == NULL || fscanf(f, "%zu %zu %zu", &total, &resident, &shared) != 3)
        shared = 0;
    if (f)
        fclose(f);
    return shared;
}

START_TEST(what_was_passed_is_given_back) { /* all but the last GiB; it is mapped again on access */
    const char *path = path_of("long.fxt");
    const uint64_t size = (UINT64_C(1) << 30) + (UINT64_C(96) << 20),
                   page = (uint64_t)sysconf(_SC_PAGESIZE);
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

/* A change shows in the size, the time, or a sample of the bytes; if only the time differs, it is
 * the same file. */
START_TEST(what_changed_is_told_by_the_bytes) {
    struct file_stamp stamp, again;
    static const struct timespec early[2] = {{1000, 5}, {1000, 5}},
                                 later[2] = {{1000, 6}, {1000, 6}};
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
    unlink(path);
}
END_TEST

/* A large file whose middle is written over. watched: its events are read; followed: it has to stay
 * so for a moment. */
static void write_over(bool watched, bool followed) {
    struct bytes bytes = make_bytes(40000);
    const char *path = write_file("changes.fxt", bytes.v, bytes.n);
    static const struct timespec early[2] = {{1000, 5}, {1000, 5}},
                                 later[2] = {{1000, 6}, {1000, 6}};
    ck_assert_int_eq(utimensat(AT_FDCWD, path, early, 0), 0);
    struct file *file = open_or_fail(path, 0);
    if (watched)
        file_watch(file);
    ck_assert(!followed || file_follow(file, true));
    ck_assert_int_eq(file_changed(file), FILE_SAME);
    ck_assert_int_eq(utimensat(AT_FDCWD, path, later, 0), 0);
    ck_assert_int_eq(file_changed(file), FILE_SAME); /* only its time */
    int fd = open(path, O_WRONLY);
    ck_assert(pwrite(fd, "x", 1, 20000) == 1);
    enum file_change change = file_changed(file);
    ck_assert(followed ? change == FILE_SAME : change == FILE_OTHER);
    while ((change = file_changed(file)) == FILE_SAME)
        poll(NULL, 0, 5);
    ck_assert_int_eq(change, FILE_OTHER);
    ck_assert_int_eq(file_changed(file), FILE_OTHER); /* and stays so */
    ck_assert(pwrite(fd, bytes.v + 20000, 1, 20000) == 1 && pwrite(fd, "12345678", 8, 40000) == 8);
    ck_assert_int_eq(file_changed(file), FILE_GREW);
    close(fd);
    file_close(file);
    unlink(path);
    free(bytes.v);
}

START_TEST(a_write_to_the_middle_is_noticed) {
    write_over(_i & 1, _i & 2);
}
END_TEST

/* Each begin of data of a sparse file is found, and its end; file systems without holes have data
 * everywhere. */
START_TEST(holes_are_passed_over) {
    enum { LARGE = 1 << 16 };
    const char *path = write_file("holes.fxt", "12345678", 8);
    int fd = open(path, O_RDWR);
    ck_assert(pwrite(fd, "abcdefgh", 8, 5 * LARGE + 16) == 8 && ftruncate(fd, 9 * LARGE + 3) == 0);
    struct file *file = open_or_fail(path, 0);
    size_t n;
    for (uint64_t at = 0; at < 9 * LARGE; at += LARGE / 4) {
        uint64_t data = file_data(file, at);
        ck_assert(data >= at && data % 8 == 0 && data <= 9 * LARGE);
        const char *bytes = at < data ? file_span(file, at, data - at, &n) : NULL;
        bool zeros = true;
        for (size_t i = 0; bytes && i < data - at && i < n; i++)
            zeros = zeros && bytes[i] == 0;
        ck_assert(zeros);
        ck_assert(data <= 5 * LARGE + 16 || at > 5 * LARGE + 16 || at == data);
    }
    ck_assert_uint_eq(file_data(file, 9 * LARGE), 9 * LARGE);
    if (lseek(fd, LARGE, SEEK_DATA) > LARGE)
        ck_assert(file_data(file, LARGE) > 4 * LARGE && file_data(file, 6 * LARGE) == 9 * LARGE);
    close(fd);
    file_close(file);
    unlink(path);
}
END_TEST

START_TEST(standard_input_from_a_file_is_followed) { /* it has no path: the open file is watched */
    struct file_stamp stamp;
    const char *path = write_file("changes.fxt", "12345678abcdefgh", 16);
    int fd = open(path, O_RDWR);
    int saved = put_on_stdin(fd);
    struct file *file = open_or_fail("-", 0);
    ck_assert_ptr_null(file_path(file));
    ck_assert(!file_stamp(file, &stamp));
    file_watch(file); /* by the name of the open file in /proc, if the system has it */
    ck_assert_int_eq(file_changed(file), FILE_SAME);
    ck_assert(pwrite(fd, "abcdefgh", 8, 16) == 8);
    ck_assert_int_eq(file_changed(file), FILE_GREW);
    ck_assert(file_follow(file, true));
    ck_assert(file_step(file, 1 << 20, 5));
    ck_assert_uint_eq(file_size(file), 24);
    ck_assert(!file_step(file, 1 << 20, 5)); /* waits, and nothing comes */
    ck_assert(!file_step(file, 1 << 20, 150));
    ck_assert(!file_step(file, 1 << 20, -1)); /* it may come from elsewhere: not for ever */
    file_await(path_of("changes.fxt"));       /* long enough already */
    file_await(files_folder);
    file_await(path_of("nowhere"));
    file_close(file);
    restore_stdin(saved);
    close(fd);
    unlink(path_of("changes.fxt"));
}
END_TEST

START_TEST(a_compressed_file_that_changes_is_another) { /* and is not followed */
    struct file_stamp stamp;
    struct bytes plain = make_bytes(10000), packed = {0};
    append_gzip(&packed, plain.v, plain.n);
    const char *path = write_file("changes.fxt", packed.v, packed.n);
    struct file *file = open_or_fail(path, 0);
    ck_assert_int_eq(file_changed(file), FILE_SAME);
    ck_assert(file_stamp(file, &stamp));
    ck_assert_uint_eq(stamp.size, packed.n);
    ck_assert(!file_follow(file, true));
    int fd = open(path, O_WRONLY | O_APPEND);
    ck_assert(write(fd, packed.v, packed.n) == (ssize_t)packed.n && close(fd) == 0);
    ck_assert_int_eq(file_changed(file), FILE_OTHER);
    ck_assert(!file_stamp(file, &stamp));
    file_close(file);
    unlink(path);
    free(plain.v);
    free(packed.v);
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
}
END_TEST

START_TEST(dev_null_may_be_a_standard_input_that_is_empty) {
    int null = open("/dev/null", O_RDONLY);
    int saved = put_on_stdin(null);
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
    CHILD_ASSERT(file_open("/dev/null", NULL, NULL) == NULL); /* installs the handler */
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

static void leave_signals(void) {
    struct sigaction now;
    signal(SIGXFSZ, SIG_IGN);
    CHILD_ASSERT(file_open("/dev/null", NULL, NULL) == NULL); /* installs the handlers */
    CHILD_ASSERT(sigaction(SIGXFSZ, NULL, &now) == 0 && now.sa_handler == SIG_IGN);
}

START_TEST(a_signal_that_is_ignored_stays_so) {
    ck_assert_int_eq(run_child(leave_signals), 0);
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
    struct file *file = file_open(path_of(name), NULL, &err);
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

/* Memory that malloc has, but no address space for a mapping. */
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

START_TEST(a_window_moves_when_memory_is_short) {
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

SUITE(file) {
    Suite *s = suite_create("file");
    TCase *t = tcase_create("plain");
    tcase_add_checked_fixture(t, files_set_up, files_tear_down);
    tcase_set_timeout(t, 60);
    tcase_add_test(t, a_plain_file_is_whole_at_once);
    tcase_add_test(t, what_is_no_trace_is_refused_in_one_line);
    tcase_add_test(t, closing_nothing_is_allowed);
    tcase_add_test(t, more_files_than_guards_are_read_whole);
    tcase_add_test(t, what_was_cut_off_under_the_map_reads_as_zeros);
    tcase_add_test(t, a_file_that_loses_bytes_leaves_the_others_alone);
    tcase_add_test(t, what_was_lost_stays_zeros_when_the_file_grows_again);
    tcase_add_test(t, a_file_that_is_opened_again_has_lost_nothing);
    tcase_add_test(t, a_file_that_is_cut_to_nothing_reads_as_zeros);
    tcase_add_test(t, what_was_passed_is_given_back);
    tcase_add_test(t, what_changed_is_told_by_the_bytes);
    tcase_add_loop_test(t, a_write_to_the_middle_is_noticed, 0, 4);
    tcase_add_test(t, holes_are_passed_over);
    tcase_add_test(t, standard_input_from_a_file_is_followed);
    tcase_add_test(t, a_compressed_file_that_changes_is_another);
    tcase_add_test(t, a_terminal_is_no_trace);
    tcase_add_test(t, dev_null_may_be_a_standard_input_that_is_empty);
    tcase_add_test(t, other_bus_errors_still_kill);
    tcase_add_test(t, a_signal_that_is_ignored_stays_so);
    tcase_add_loop_test(t, a_window_moves_when_memory_is_short, 0, 2);
    suite_add_tcase(s, t);
    return s;
}
