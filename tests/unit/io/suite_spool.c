/* suite_spool.c - input of a pipe, and the temporary file for it. */
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/statvfs.h>
#include <unistd.h>

#include "src/base/thread.h"
#include "src/io/spool.h"
#include "tests/unit/io/files.h"
#include "tests/unit/lib/child.h"
#include "tests/unit/lib/suites.h"

static fsblkcnt_t small_disk, taken; /* blocks; 0: the disk is as it is */

/* The disk of these tests: it holds the file, and what is taken. */
int fstatvfs(int fd, struct statvfs *disk) {
    char path[32];
    struct stat st;
    snprintf(path, sizeof path, "/proc/self/fd/%d", fd);
    if (small_disk == 0)
        return statvfs(path, disk);
    if (fstat(fd, &st) != 0)
        return -1;
    *disk = (struct statvfs){.f_frsize = 4096, .f_blocks = small_disk};
    disk->f_bavail = small_disk - taken - ((fsblkcnt_t)st.st_size + 4095) / 4096;
    return 0;
}

START_TEST(a_pipe_grows_step_by_step) {
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

START_TEST(a_compressed_pipe_yields_all_that_its_bytes_hold) {
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
START_TEST(a_step_ends_when_nothing_comes_of_it) {
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
    /* what a pipe was cannot be known again, and it is followed anyway */
    ck_assert(!file_stamp(file, &stamp));
    ck_assert(!file_follow(file, true));
    ck_assert_int_eq(file_changed(file), FILE_SAME);
    ck_assert(!file_step(file, 100, 10));
    ck_assert(write(ends[1], packed.v + empty, packed.n - empty) == (ssize_t)(packed.n - empty) &&
              close(ends[1]) == 0);
    while (!file_ended(file))
        file_step(file, 100, 10);
    ck_assert_uint_eq(file_size(file), 8);
    file_close(file);
    free(packed.v);
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

START_TEST(a_fifo_is_read_like_standard_input) {
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

/* another program may have read a line of it */
START_TEST(standard_input_from_a_file_is_read_from_where_it_stands) {
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
}
END_TEST

START_TEST(standard_input_that_is_no_trace_is_refused) {
    int saved = dup(STDIN_FILENO);
    close(STDIN_FILENO);
    assert_refused("-", "is closed");
    int fd = open(files_folder, O_RDONLY);
    if (fd != STDIN_FILENO) {
        dup2(fd, STDIN_FILENO);
        close(fd);
    }
    assert_refused("-", "is a directory");
    restore_stdin(saved);
}
END_TEST

START_TEST(the_spool_goes_where_it_can) {
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

/* The thread is ahead by a piece at least: progress is that of the bytes reported, not of those
 * that it has written. */
START_TEST(progress_is_that_of_the_bytes_reported) {
    enum { STEP = 1000, STEPS = 300, SIZE = 4000000, AHEAD = 8 }; /* a piece is 262144 bytes */
    struct bytes plain = make_bytes(SIZE), packed = {0};
    formats[_i].append(&packed, plain.v, plain.n);
    const char *path = write_file("packed", packed.v, packed.n);
    struct file *file = open_or_fail(path, 0);
    uint64_t done, total, before, opened;
    file_progress(file, &opened, &total);
    before = opened;
    for (int i = 0; thread_worthwhile() && i < STEPS; i++) {
        file_step(file, STEP, 0);
        file_progress(file, &done, &total);
        ck_assert_uint_eq(total, packed.n);
        ck_assert_uint_ge(done, before);
        ck_assert_uint_le(done - opened, AHEAD * file_size(file));
        before = done;
    }
    read_to_end(file, SIZE_MAX);
    file_progress(file, &done, &total);
    ck_assert_uint_eq(done, total);
    file_close(file);
    unlink(path);
    free(plain.v);
    free(packed.v);
}
END_TEST

/* 5 % of a disk are left free, or a gigabyte; if the space is not known, write() decides. */
START_TEST(what_fits_on_a_disk_leaves_some_room) {
    int fd = open(files_folder, O_RDONLY);
    ck_assert(spool_fits(-1, UINT64_MAX));
    ck_assert(!spool_fits(fd, UINT64_MAX / 2));
    close(fd);
    fd = open("/proc", O_RDONLY); /* has no blocks */
    ck_assert(fd < 0 || spool_fits(fd, UINT64_MAX));
    close(fd);
}
END_TEST

/* The spool of a small disk, too, stops where 5 % are left; what is small itself is read. */
START_TEST(a_small_disk_keeps_its_reserve) {
    struct bytes plain = make_bytes(2 << 20), packed = {0};
    size_t disk = 250 * 4096, kept = disk / 20;
    formats[_i].append(&packed, plain.v, plain.n);
    const char *path = write_file("packed", packed.v, packed.n);
    small_disk = 250;
    struct file *file = open_or_fail(path, 0);
    while (!file_ended(file))
        file_step(file, SIZE_MAX, -1);
    ck_assert_int_eq(file_fault(file, NULL), FILE_NO_SPACE);
    ck_assert_uint_ge(file_size(file), disk - kept - 4096);
    ck_assert_uint_le(file_size(file), disk - kept + kept / 64 + 1);
    plain.n = file_size(file);
    assert_whole(file, &plain);
    file_close(file);
    unlink(path);
    packed.n = 0;
    formats[_i].append(&packed, plain.v, 500);
    path = write_file("packed", packed.v, packed.n);
    taken = 245; /* too much already */
    file = open_or_fail(path, 0);
    while (!file_ended(file))
        file_step(file, SIZE_MAX, -1);
    small_disk = taken = 0;
    ck_assert_int_eq(file_fault(file, NULL), FILE_OK);
    file_close(file);
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
    struct file *file = file_open(path, NULL, NULL);
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

SUITE(spool) {
    Suite *s = suite_create("spool");
    TCase *t = tcase_create("pipes");
    tcase_add_checked_fixture(t, files_set_up, files_tear_down);
    tcase_set_timeout(t, 60);
    tcase_add_test(t, a_pipe_grows_step_by_step);
    tcase_add_loop_test(t, a_compressed_pipe_yields_all_that_its_bytes_hold, 0, FORMATS);
    tcase_add_test(t, a_step_ends_when_nothing_comes_of_it);
    tcase_add_test(t, short_pipes_end);
    tcase_add_test(t, a_fifo_is_read_like_standard_input);
    tcase_add_test(t, standard_input_from_a_file_is_read_from_where_it_stands);
    tcase_add_test(t, standard_input_that_is_no_trace_is_refused);
    tcase_add_test(t, the_spool_goes_where_it_can);
    tcase_add_loop_test(t, progress_is_that_of_the_bytes_reported, 0, FORMATS);
    tcase_add_test(t, what_fits_on_a_disk_leaves_some_room);
    tcase_add_loop_test(t, a_small_disk_keeps_its_reserve, 0, FORMATS);
    tcase_add_test(t, closed_descriptors_are_left_alone);
    suite_add_tcase(s, t);
    return s;
}
