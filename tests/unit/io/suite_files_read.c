/* suite_files_read.c - a file that was read is known by any name; another in its place is not. */
#include "src/io/files_read.h"

#include <fcntl.h>
#include <stdio.h>
#include <time.h>
#include <unistd.h>

#include "tests/lib/scratch.h"
#include "tests/unit/lib/libcheck.h"
#include "tests/unit/lib/suites.h"

#define CLOCK_TICK_MOST_S 2 /* of the times of files */

static char folder[SCRATCH_PATH], first[SCRATCH_PATH + 8], other[SCRATCH_PATH + 8];

static void begin(void) {
    ck_assert(scratch_folder(folder, "read"));
    snprintf(first, sizeof first, "%s/first", folder);
    snprintf(other, sizeof other, "%s/other", folder);
}

static void end(void) {
    unlink(first);
    unlink(other);
    ck_assert_int_eq(rmdir(folder), 0);
}

static void make(const char *path) {
    int fd = open(path, O_WRONLY | O_CREAT | O_EXCL, 0600);
    ck_assert_int_ge(fd, 0);
    close(fd);
}

START_TEST(a_file_that_was_read_is_known_by_any_name) {
    make(first);
    ck_assert(!files_read_has(-1, first, FILES_READ_INPUT));
    files_read_path(first, FILES_READ_INPUT);
    ck_assert_int_eq(link(first, other), 0);
    ck_assert(files_read_has(-1, other, FILES_READ_INPUT));
    ck_assert_int_eq(unlink(other), 0);
    ck_assert_int_eq(symlink(first, other), 0);
    ck_assert(files_read_has(-1, other, FILES_READ_INPUT));
    ck_assert_int_eq(rename(first, other), 0);
    int fd = open(other, O_RDONLY);
    ck_assert(files_read_has(fd, NULL, FILES_READ_INPUT | FILES_READ_SESSION));
    ck_assert(!files_read_has(fd, NULL, FILES_READ_SESSION));
    files_read_path(other, FILES_READ_SESSION);
    ck_assert(files_read_has(fd, NULL, FILES_READ_SESSION));
    ck_assert(files_read_has(fd, NULL, FILES_READ_INPUT));
    close(fd);
}
END_TEST

/* Its number is often that of the first, but not its time of birth, once the clock has gone on. */
START_TEST(a_file_made_in_the_place_of_one_that_is_gone_is_another) {
    struct timespec start, now;
    bool known = true;
    clock_gettime(CLOCK_MONOTONIC, &start);
    now = start;
    make(first);
    files_read_path(first, FILES_READ_INPUT);
    while (known && now.tv_sec < start.tv_sec + CLOCK_TICK_MOST_S) {
        ck_assert_int_eq(unlink(first), 0);
        make(first);
        known = files_read_has(-1, first, FILES_READ_INPUT);
        clock_gettime(CLOCK_MONOTONIC, &now);
    }
    ck_assert(!known);
}
END_TEST

START_TEST(folders_and_what_is_not_there_are_no_files) {
    files_read_path(folder, FILES_READ_INPUT);
    ck_assert(!files_read_has(-1, folder, FILES_READ_INPUT));
    files_read_path(first, FILES_READ_INPUT);
    ck_assert(!files_read_has(-1, first, FILES_READ_INPUT));
    files_read_fd(-1);
    ck_assert(!files_read_has(-1, NULL, FILES_READ_INPUT));
}
END_TEST

SUITE(files_read) {
    Suite *s = suite_create("files_read");
    TCase *t = tcase_create("files_read");
    tcase_add_checked_fixture(t, begin, end);
    tcase_add_test(t, a_file_that_was_read_is_known_by_any_name);
    tcase_add_test(t, a_file_made_in_the_place_of_one_that_is_gone_is_another);
    tcase_add_test(t, folders_and_what_is_not_there_are_no_files);
    suite_add_tcase(s, t);
    return s;
}
