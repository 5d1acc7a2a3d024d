/* suite_watch.c - notice of changes of a file. */
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "src/io/watch.h"
#include "tests/unit/io/files.h"
#include "tests/unit/lib/suites.h"

START_TEST(a_change_and_nothing_else_is_told) { /* if the system has inotify */
    write_file("watched.fxt", "12345678", 8);
    char *path = strdup(path_of("watched.fxt")),
         *other = strdup(write_file("other.fxt", "12345678", 8));
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

/* A link on the way, a path that is not there, or one that is too long: the file is looked at now
 * and then instead. */
START_TEST(what_cannot_be_watched_is_looked_at) {
    char *longest = malloc(6000), link[120], below[160];
    memset(longest, 'x', 5999);
    longest[0] = '/';
    longest[5999] = '\0';
    ck_assert_int_eq(watch_open(longest, -1), -1);
    for (size_t i = 2; i < 5999; i += 2)
        longest[i] = '/';
    ck_assert_int_eq(watch_open(longest, -1), -1);
    ck_assert_int_eq(watch_open(path_of("nowhere"), -1), -1);
    free(longest);
    write_file("watched.fxt", "12345678", 8);
    snprintf(link, sizeof link, "%s", path_of("link"));
    ck_assert_int_eq(symlink(files_folder, link), 0);
    snprintf(below, sizeof below, "%s/watched.fxt", link);
    ck_assert_int_eq(watch_open(below, -1), -1);
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

SUITE(watch) {
    Suite *s = suite_create("watch");
    TCase *t = tcase_create("watch");
    tcase_add_checked_fixture(t, files_set_up, files_tear_down);
    tcase_set_timeout(t, 60);
    tcase_add_test(t, a_change_and_nothing_else_is_told);
    tcase_add_test(t, what_cannot_be_watched_is_looked_at);
    suite_add_tcase(s, t);
    return s;
}
