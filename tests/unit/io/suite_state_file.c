/* suite_state_file.c - files that are kept for a user: whole or not at all, readable by the user
 * alone. */
#include "src/io/state_file.h"

#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <unistd.h>

#include "tests/lib/scratch.h"
#include "tests/unit/lib/libcheck.h"
#include "tests/unit/lib/suites.h"

static char folder[SCRATCH_PATH], path[PATH_MAX];

static void begin(void) {
    struct err err;
    ck_assert(scratch_folder(folder, "state"));
    setenv("XDG_STATE_HOME", folder, 1);
    ck_assert(state_file_path("x.session", true, path, &err));
}

static void end(void) {
    char inner[SCRATCH_PATH + 8];
    unlink(path);
    snprintf(inner, sizeof inner, "%s/fxtop", folder);
    ck_assert_int_eq(rmdir(inner), 0); /* nothing else was left in it */
    rmdir(folder);
    setenv("XDG_STATE_HOME", "/dev/null", 1);
}

static void holds(const char *wanted) {
    struct err err;
    char *text = state_file_read(path, &err);
    ck_assert_ptr_nonnull(text);
    ck_assert_str_eq(text, wanted);
    free(text);
}

START_TEST(what_is_written_is_read_again) {
    struct stat s;
    struct err err;
    begin();
    ck_assert_ptr_null(state_file_read(path, &err));
    ck_assert(state_file_write(path, "one\n", 4, &err));
    holds("one\n");
    ck_assert(state_file_write(path, "two", 3, &err));
    holds("two");
    ck_assert(stat(path, &s) == 0 && (s.st_mode & 0777) == 0600);
    end();
}
END_TEST

START_TEST(a_full_disk_leaves_the_file_as_it_was) {
    static char large[8192];
    struct rlimit before, small = {1000, 1000};
    struct err err;
    begin();
    memset(large, 'x', sizeof large);
    ck_assert(state_file_write(path, "kept", 4, &err));
    ck_assert_int_eq(getrlimit(RLIMIT_FSIZE, &before), 0);
    small.rlim_max = before.rlim_max;
    signal(SIGXFSZ, SIG_IGN);
    setrlimit(RLIMIT_FSIZE, &small);
    bool written = state_file_write(path, large, sizeof large, &err);
    setrlimit(RLIMIT_FSIZE, &before);
    signal(SIGXFSZ, SIG_DFL);
    ck_assert(!written && strchr(err.text, '\n') == NULL);
    holds("kept");
    end();
}
END_TEST

START_TEST(what_is_no_text_is_not_read) {
    struct err err;
    begin();
    ck_assert(state_file_write(path, "a\0b", 3, &err));
    ck_assert_ptr_null(state_file_read(path, &err));
    ck_assert_ptr_null(state_file_read(folder, &err));
    char *large = calloc(1, STATE_FILE_MOST + 1);
    memset(large, 'x', STATE_FILE_MOST + 1);
    ck_assert(state_file_write(path, large, STATE_FILE_MOST + 1, &err));
    ck_assert_ptr_null(state_file_read(path, &err));
    free(large);
    end();
}
END_TEST

static bool name_of(const char *trace, char name[64]) {
    return state_file_of_traces(&trace, 1, name);
}

static uint64_t head_of(const char *path) {
    return state_file_heads(&path, 1);
}

START_TEST(a_trace_has_its_own_name_and_head) {
    char a[SCRATCH_PATH], b[SCRATCH_PATH], one[64], two[64];
    ck_assert(scratch_write(a, "a", "abc", 3) && scratch_write(b, "b", "abc", 3));
    ck_assert(name_of(a, one) && name_of(b, two));
    ck_assert_str_ne(one, two);
    ck_assert(head_of(a) == head_of(b) && head_of(a) != 0);
    unlink(b);
    ck_assert(scratch_write(b, "b", "abd", 3));
    ck_assert(head_of(a) != head_of(b));
    ck_assert(!name_of("-", one) && !name_of("/dev/null", one) && !name_of("/no/such/file", one));
    ck_assert_uint_eq(head_of("/no/such/file"), 0);
    unlink(a);
    unlink(b);
}
END_TEST

START_TEST(several_traces_have_a_name_in_their_order) {
    char a[SCRATCH_PATH], b[SCRATCH_PATH], one[64], two[64], other[64];
    ck_assert(scratch_write(a, "a", "abc", 3) && scratch_write(b, "b", "abd", 3));
    const char *const ab[] = {a, b}, *const ba[] = {b, a}, *const none[] = {a, "/no/such/file"};
    ck_assert(state_file_of_traces(ab, 1, one) && name_of(a, two));
    ck_assert_str_eq(one, two);
    ck_assert(state_file_of_traces(ab, 2, two) && state_file_of_traces(ba, 2, other));
    ck_assert_str_ne(one, two);
    ck_assert_str_ne(other, two);
    ck_assert(!state_file_of_traces(none, 2, one) && !state_file_of_traces(none, 0, one));
    ck_assert(state_file_heads(ab, 1) == head_of(a));
    ck_assert(state_file_heads(ab, 2) != state_file_heads(ba, 2));
    unlink(a);
    unlink(b);
}
END_TEST

START_TEST(without_a_folder_nothing_is_written) {
    struct err err;
    setenv("XDG_STATE_HOME", "/dev/null", 1);
    ck_assert(!state_file_path("x", true, path, &err));
    ck_assert(strchr(err.text, '\n') == NULL);
}
END_TEST

SUITE(state_file) {
    Suite *s = suite_create("state_file");
    TCase *t = tcase_create("state_file");
    tcase_add_test(t, what_is_written_is_read_again);
    tcase_add_test(t, a_full_disk_leaves_the_file_as_it_was);
    tcase_add_test(t, what_is_no_text_is_not_read);
    tcase_add_test(t, a_trace_has_its_own_name_and_head);
    tcase_add_test(t, several_traces_have_a_name_in_their_order);
    tcase_add_test(t, without_a_folder_nothing_is_written);
    suite_add_tcase(s, t);
    return s;
}
