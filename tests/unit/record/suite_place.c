/* suite_place.c - where manager and library meet: a socket in a directory that is the user's alone, and a manager that
 * the library may trust. */
#include "record/place.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <unistd.h>

#include "provider/connect.h"
#include "tests/lib/must.h"
#include "tests/lib/scratch.h"
#include "tests/lib/suites.h"

START_TEST(a_directory_is_the_users_alone_or_refused) {
    char folder[SCRATCH_PATH], path[SCRATCH_PATH + 40], other[SCRATCH_PATH + 8], expected[SCRATCH_PATH + 48];
    char is[sizeof expected];
    struct stat st;
    struct err err;
    ck_assert(scratch_folder(folder, "place"));
    ck_assert_int_eq(unsetenv("XDG_RUNTIME_DIR"), 0);
    snprintf(path, sizeof path, "%s/fxttrace-%lu", folder, (unsigned long)geteuid());
    snprintf(other, sizeof other, "%s/other", folder);
    snprintf(expected, sizeof expected, "%s/socket", path);
    for (int round = 0; round < 2; round++) { /* made, and there already */
        ck_assert_msg(place_default(folder, is, sizeof is, &err), "%s", err.text);
        ck_assert_str_eq(is, expected);
        ck_assert_int_eq(lstat(path, &st), 0);
        ck_assert_uint_eq(st.st_mode & 0777, 0700);
    }
    for (unsigned mode = 0; mode < 64; mode++) { /* of others, whatever they may do */
        ck_assert_int_eq(chmod(path, 0700 | mode), 0);
        MUST(place_default(folder, is, sizeof is, &err) == ((mode & 022) == 0), (int)mode);
    }
    ck_assert_int_eq(chmod(path, 0700), 0);
    ck_assert_int_eq(rename(path, other), 0);
    ck_assert_int_eq(symlink(other, path), 0);
    ck_assert(!place_default(folder, is, sizeof is, &err));
    ck_assert_int_eq(unlink(path), 0);
    ck_assert_int_eq(rename(other, path), 0);
    if (geteuid() == 0) { /* another user's */
        ck_assert_int_eq(chown(path, 65534, 65534), 0);
        ck_assert(!place_default(folder, is, sizeof is, &err));
    }
    rmdir(path);
    FILE *f = fopen(path, "w");
    ck_assert_ptr_nonnull(f);
    fclose(f);
    ck_assert(!place_default(folder, is, sizeof is, &err));
    unlink(path);
    rmdir(folder);
}
END_TEST

START_TEST(the_library_connects_to_its_users_manager_or_roots) {
    char folder[SCRATCH_PATH], path[SCRATCH_PATH + 8];
    struct place place;
    struct err err;
    ck_assert(scratch_folder(folder, "place"));
    snprintf(path, sizeof path, "%s/socket", folder);
    ck_assert_int_eq(connect_manager(path), -1);
    ck_assert_int_eq(errno, ENOENT);
    ck_assert_msg(place_open(&place, path, false, &err), "%s", err.text);
    int fd = connect_manager(path);
    ck_assert_int_ge(fd, 0);
    close(fd);
    bool root = geteuid() == 0;
    if (root && seteuid(65534) == 0) { /* the kernel keeps the user of listen() */
        ck_assert_int_eq(listen(place.fd, 9), 0);
        ck_assert_int_eq(seteuid(0), 0);
        ck_assert_int_eq(connect_manager(path), -1);
        ck_assert_int_eq(errno, EPERM);
        ck_assert_int_eq(listen(place.fd, 9), 0);
        ck_assert_int_eq(chmod(folder, 0755), 0);
        ck_assert_int_eq(chmod(path, 0777), 0);
        ck_assert_int_eq(seteuid(65534), 0);
        fd = connect_manager(path); /* another's, but root's */
        ck_assert_int_eq(seteuid(0), 0);
        ck_assert_int_ge(fd, 0);
        close(fd);
    }
    place_close(&place);
    rmdir(folder);
}
END_TEST

START_TEST(a_path_is_taken_from_the_root) {
    char path[108], here[100];
    ck_assert_ptr_nonnull(getcwd(here, sizeof here));
    ck_assert_int_eq(unsetenv("FXTTRACE_SOCKET"), 0);
    ck_assert(!connect_path(path, sizeof path));
    ck_assert_int_eq(setenv("FXTTRACE_SOCKET", "", 1), 0);
    ck_assert(!connect_path(path, sizeof path));
    ck_assert_int_eq(setenv("FXTTRACE_SOCKET", "/a/socket", 1), 0);
    ck_assert(connect_path(path, sizeof path));
    ck_assert_str_eq(path, "/a/socket");
    ck_assert(!connect_path(path, 9)); /* without its NUL */
    ck_assert(connect_path(path, 10));
    ck_assert_int_eq(chdir("/"), 0);
    ck_assert_int_eq(setenv("FXTTRACE_SOCKET", "b", 1), 0);
    ck_assert(connect_path(path, sizeof path));
    ck_assert_str_eq(path, "//b");
    ck_assert_int_eq(chdir(here), 0);
}
END_TEST

Suite *suite_place(void) {
    Suite *s = suite_create("place");
    TCase *c = tcase_create("place");
    tcase_add_test(c, a_directory_is_the_users_alone_or_refused);
    tcase_add_test(c, the_library_connects_to_its_users_manager_or_roots);
    tcase_add_test(c, a_path_is_taken_from_the_root);
    suite_add_tcase(s, c);
    return s;
}
