/* suite_place.c - where manager and library meet: a socket in a directory that is the user's alone,
 * and a manager that the library may trust. */
#include "record/place.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/resource.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/time.h>
#include <sys/wait.h>
#include <unistd.h>

#include "provider/connect.h"
#include "tests/lib/scratch.h"
#include "tests/unit/lib/must.h"
#include "tests/unit/lib/suites.h"

START_TEST(a_directory_is_the_users_alone_or_refused) {
    char folder[SCRATCH_PATH], path[SCRATCH_PATH + 40], other[SCRATCH_PATH + 8],
        expected[SCRATCH_PATH + 48];
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

/* A directory as a recorder of that process has left it, with a socket to which no process
 * listens. */
static void leave(char path[SCRATCH_PATH + 40], const char *base, long pid, bool of_other_space) {
    struct sockaddr_un at = {.sun_family = AF_UNIX};
    struct stat st;
    ck_assert_int_eq(stat("/proc/self/ns/pid", &st), 0);
    snprintf(path, SCRATCH_PATH + 40, "%s/fxttrace-%ld.%lu-AbCdEf", base, pid,
             (unsigned long)st.st_ino + of_other_space);
    ck_assert_int_eq(mkdir(path, 0700), 0);
    int n = snprintf(at.sun_path, sizeof at.sun_path, "%s/socket", path),
        fd = socket(AF_UNIX, SOCK_SEQPACKET, 0);
    ck_assert(n > 0 && (size_t)n < sizeof at.sun_path &&
              bind(fd, (struct sockaddr *)&at, sizeof at) == 0);
    close(fd);
}

static bool is_there(const char *path) {
    struct stat st;
    return lstat(path, &st) == 0;
}

/* Another program, which ends with its input. It runs once this returns. */
static pid_t begin_other(int *input) {
    int in[2], began[2];
    char byte;
    ck_assert(pipe2(in, O_CLOEXEC) == 0 && pipe2(began, O_CLOEXEC) == 0);
    pid_t pid = fork();
    if (pid == 0) {
        dup2(in[0], STDIN_FILENO);
        execlp("cat", "cat", (char *)NULL);
        _exit(127);
    }
    close(in[0]);
    close(began[1]);
    ck_assert_int_eq(read(began[0], &byte, 1), 0); /* exec has closed it */
    close(began[0]);
    *input = in[1];
    return pid;
}

START_TEST(an_id_that_is_in_use_again_keeps_nothing) {
    char folder[SCRATCH_PATH], left[SCRATCH_PATH + 40];
    struct place place;
    struct err err;
    int input;
    ck_assert(scratch_folder(folder, "place"));
    ck_assert_int_eq(setenv("XDG_RUNTIME_DIR", folder, 1), 0);
    pid_t pid = begin_other(&input);
    leave(left, folder, (long)pid, false);
    ck_assert_msg(place_open(&place, NULL, false, &err), "%s", err.text);
    ck_assert(!is_there(left) && is_there(place.path));
    place_close(&place);
    close(input);
    waitpid(pid, NULL, 0);
    ck_assert_int_eq(rmdir(folder), 0);
}
END_TEST

START_TEST(what_killed_recorders_left_is_removed) {
    char folder[SCRATCH_PATH], dead[SCRATCH_PATH + 40], alive[sizeof dead], other[sizeof dead],
        old[sizeof dead], young[sizeof dead], bare_own[sizeof dead], socket_of[sizeof dead + 8];
    struct place place;
    struct err err;
    ck_assert(scratch_folder(folder, "place"));
    ck_assert_int_eq(setenv("XDG_RUNTIME_DIR", folder, 1), 0);
    pid_t pid = fork();
    if (pid == 0)
        _exit(0);
    waitpid(pid, NULL, 0);
    leave(dead, folder, (long)pid, false);
    leave(alive, folder, (long)getpid(), false); /* between bind() and listen() */
    /* killed before it had a socket: long ago, just now, both in another pid namespace, and here */
    struct timeval then[2] = {{1000, 0}, {1000, 0}};
    leave(old, folder, (long)pid + 1000000000, true);
    leave(young, folder, (long)pid + 1000000001, true);
    leave(bare_own, folder, (long)pid + 1000000002, false);
    char *const bare[] = {old, young, bare_own};
    for (int i = 0; i < 3; i++) {
        snprintf(socket_of, sizeof socket_of, "%s/socket", bare[i]);
        ck_assert_int_eq(unlink(socket_of), 0);
    }
    ck_assert_int_eq(utimes(old, then), 0);
    /* the name is of no recorder */
    snprintf(other, sizeof other, "%s/fxttrace-%ld", folder, (long)pid);
    ck_assert_int_eq(mkdir(other, 0700), 0);
    ck_assert_msg(place_open(&place, NULL, false, &err), "%s", err.text);
    ck_assert(!is_there(dead) && is_there(alive) && is_there(other) && is_there(place.path));
    ck_assert(!is_there(old) && is_there(young) && !is_there(bare_own));
    rmdir(young);
    place_close(&place);
    snprintf(socket_of, sizeof socket_of, "%s/socket", alive);
    unlink(socket_of);
    rmdir(alive);
    rmdir(other);
    ck_assert_int_eq(rmdir(folder), 0);
    ck_assert_int_eq(unsetenv("XDG_RUNTIME_DIR"), 0);
}
END_TEST

START_TEST(connections_wait_for_room_and_are_late_after_some_time) {
    char folder[SCRATCH_PATH], path[SCRATCH_PATH + 8];
    struct place place;
    struct err err;
    int clients[3];
    ck_assert(scratch_folder(folder, "place"));
    snprintf(path, sizeof path, "%s/socket", folder);
    ck_assert_msg(place_open(&place, path, false, &err), "%s", err.text);
    ck_assert(place_accepts(&place, true));
    ck_assert(!place_accepts(&place, false) && place.waits == 0); /* none waits */
    for (int i = 0; i < 3; i++)
        ck_assert_int_ge(clients[i] = connect_manager(path), 0);
    ck_assert(!place_accepts(&place, false) && place.waits > 0 && !place_is_late(&place));
    place.waits -= 1000000000;
    ck_assert(place_is_late(&place) && place_accepts(&place, true));
    for (int i = 0; i < 3; i++) {
        int fd = place_accept(&place);
        ck_assert_int_ge(fd, 0);
        ck_assert(place_is_late(&place));
        close(fd);
        close(clients[i]);
    }
    ck_assert(place_accept(&place) < 0 && place.waits == 0 && place.unaccepted == 0);
    place_close(&place);
    rmdir(folder);
}
END_TEST

START_TEST(without_descriptors_it_waits_before_it_accepts_again) {
    char folder[SCRATCH_PATH], path[SCRATCH_PATH + 8];
    struct rlimit before, none;
    struct place place;
    struct err err;
    ck_assert(scratch_folder(folder, "place"));
    snprintf(path, sizeof path, "%s/socket", folder);
    ck_assert_msg(place_open(&place, path, false, &err), "%s", err.text);
    ck_assert_int_eq(getrlimit(RLIMIT_NOFILE, &before), 0);
    none = (struct rlimit){(rlim_t)place.fd + 1, before.rlim_max};
    ck_assert_int_eq(setrlimit(RLIMIT_NOFILE, &none), 0);
    /* none is there */
    ck_assert(place_accept(&place) < 0 && place.unaccepted == 0 && place_accepts(&place, true));
    ck_assert_int_eq(setrlimit(RLIMIT_NOFILE, &before), 0);
    int client = connect_manager(path);
    ck_assert_int_eq(setrlimit(RLIMIT_NOFILE, &none), 0);
    ck_assert(place_accept(&place) < 0 && place.unaccepted == EMFILE &&
              !place_accepts(&place, true));
    ck_assert_int_eq(setrlimit(RLIMIT_NOFILE, &before), 0);
    int fd = place_accept(&place);
    ck_assert_int_ge(fd, 0);
    close(fd);
    close(client);
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

SUITE(place) {
    Suite *s = suite_create("place");
    TCase *c = tcase_create("place");
    tcase_add_test(c, a_directory_is_the_users_alone_or_refused);
    tcase_add_test(c, the_library_connects_to_its_users_manager_or_roots);
    tcase_add_test(c, what_killed_recorders_left_is_removed);
    tcase_add_test(c, an_id_that_is_in_use_again_keeps_nothing);
    tcase_add_test(c, connections_wait_for_room_and_are_late_after_some_time);
    tcase_add_test(c, without_descriptors_it_waits_before_it_accepts_again);
    tcase_add_test(c, a_path_is_taken_from_the_root);
    suite_add_tcase(s, c);
    return s;
}
