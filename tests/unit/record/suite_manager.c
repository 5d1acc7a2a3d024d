/* suite_manager.c - a recording as a whole: its ends, its result, and the file that it leaves. */
#include "record/manager.h"

#include <errno.h>
#include <signal.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/un.h>
#include <sys/wait.h>

#include "tests/unit/lib/suites.h"
#include "tests/unit/record/written.h"

static struct manager_options options_of(const struct written *w, char *const *argv) {
    return (struct manager_options){.output = w->path,
                                    .argv = argv,
                                    .mode = WIRE_STREAMING,
                                    .buffer_size = 1 << 20,
                                    .max_size = UINT64_MAX,
                                    .timeout = 100000000,
                                    .log_to = {-1, -1},
                                    .ready = -1};
}

static void begin(struct written *w) {
    int fd = scratch_file(w->path, "manager");
    ck_assert_int_ge(fd, 0);
    close(fd);
    w->v = NULL;
    unlink(w->path);
}

START_TEST(it_ends_with_its_program_and_has_its_status) {
    static const char *const argv[] = {"sh", "-c", "exit 3", NULL};
    struct manager_result result;
    struct written w;
    struct err err;
    begin(&w);
    struct manager_options o = options_of(&w, (char *const *)(uintptr_t)argv);
    ck_assert_msg(manager_run(&o, &result, &err), "%s", err.text);
    ck_assert_int_eq(result.status, 3);
    ck_assert(!result.left_alone && result.exec_error == 0 && result.providers == 0);
    written_read(&w);
    ck_assert_uint_eq(w.n * 8, result.bytes);
    ck_assert_uint_eq(written_count(&w, 4, 0), 2); /* its begin and its end */
    written_end(&w);
}
END_TEST

START_TEST(a_program_that_is_not_there_leaves_an_older_file) {
    static const char *const argv[] = {"/nowhere/at/all", NULL};
    struct manager_result result;
    struct written w;
    struct err err;
    struct stat st;
    ck_assert(scratch_write(w.path, "manager", "older", 5));
    struct manager_options o = options_of(&w, (char *const *)(uintptr_t)argv);
    ck_assert(!manager_run(&o, &result, &err));
    ck_assert_int_eq(result.exec_error, ENOENT);
    ck_assert(stat(w.path, &st) == 0 && st.st_size == 5);
    unlink(w.path);
}
END_TEST

START_TEST(its_time_ends_it_and_leaves_the_program_alone) {
    static const char *const argv[] = {"sleep", "1", NULL};
    struct manager_result result;
    struct written w;
    struct err err;
    begin(&w);
    struct manager_options o = options_of(&w, (char *const *)(uintptr_t)argv);
    o.duration = 20000000;
    ck_assert_msg(manager_run(&o, &result, &err), "%s", err.text);
    ck_assert(result.left_alone && result.took >= o.duration);
    written_read(&w);
    written_end(&w);
}
END_TEST

/* limit: of the size of files, in bytes. */
static bool record_true(struct written *w, rlim_t limit, struct manager_result *result) {
    static const char *const argv[] = {"true", NULL};
    struct rlimit before, least;
    struct err err;
    begin(w);
    struct manager_options o = options_of(w, (char *const *)(uintptr_t)argv);
    ck_assert_int_eq(getrlimit(RLIMIT_FSIZE, &before), 0);
    least = (struct rlimit){limit, before.rlim_max};
    signal(SIGXFSZ, SIG_IGN);
    setrlimit(RLIMIT_FSIZE, &least); /* for all that it writes, and all that check does */
    bool ok = manager_run(&o, result, &err);
    setrlimit(RLIMIT_FSIZE, &before);
    signal(SIGXFSZ, SIG_DFL);
    return ok;
}

START_TEST(a_last_write_that_fails_is_counted) {
    struct manager_result whole, result;
    struct written w;
    ck_assert(record_true(&w, RLIM_INFINITY, &whole));
    written_read(&w);
    written_end(&w);
    ck_assert(!record_true(&w, whole.bytes - 8, &result));
    written_read(&w);
    ck_assert_uint_eq(w.n * 8, result.bytes);
    ck_assert_uint_gt(result.missing, 0);
    ck_assert_uint_eq(result.records + result.missing, whole.records);
    written_end(&w);
}
END_TEST

START_TEST(a_signal_ends_one_that_listens) {
    struct manager_result result;
    struct written w;
    struct err err;
    struct stat st;
    char path[SCRATCH_PATH + 10];
    begin(&w);
    snprintf(path, sizeof path, "%s.socket", w.path);
    struct manager_options o = options_of(&w, NULL);
    o.listen = path;
    sigset_t set;
    sigemptyset(&set);
    sigaddset(&set, SIGTERM);
    sigprocmask(SIG_BLOCK, &set, NULL);
    raise(SIGTERM); /* waits until the manager looks for it */
    ck_assert_msg(manager_run(&o, &result, &err), "%s", err.text);
    ck_assert_int_ne(stat(path, &st), 0); /* the socket is gone */
    written_read(&w);
    written_end(&w);
}
END_TEST

START_TEST(an_interrupt_before_the_program_is_there_ends_it) {
    static const char *const argv[] = {"sleep", "9", NULL};
    const int numbers[] = {SIGINT, SIGQUIT};
    for (int i = 0; i < 2; i++) {
        struct manager_result result;
        struct written w;
        struct err err;
        sigset_t set;
        begin(&w);
        struct manager_options o = options_of(&w, (char *const *)(uintptr_t)argv);
        sigemptyset(&set);
        sigaddset(&set, numbers[i]);
        signal(numbers[i], SIG_DFL); /* as in a program, not in a test */
        sigprocmask(SIG_BLOCK, &set, NULL);
        raise(numbers[i]);
        ck_assert_msg(manager_run(&o, &result, &err), "%s", err.text);
        ck_assert_int_eq(result.signal, numbers[i]);
        ck_assert_int_eq(result.status, 128 + numbers[i]);
        written_read(&w);
        written_end(&w);
    }
}
END_TEST

/* Sends what is no REGISTER, until the manager closes the connection; or closes it itself. */
static void disturb(const char *path, bool sends) {
    struct sockaddr_un address = {.sun_family = AF_UNIX};
    char answer[64];
    memcpy(address.sun_path, path, strlen(path) + 1);
    int fd = socket(AF_UNIX, SOCK_SEQPACKET, 0);
    if (connect(fd, (struct sockaddr *)&address, sizeof address) == 0 && sends &&
        send(fd, "ABCD", 4, MSG_NOSIGNAL) == 4)
        while (recv(fd, answer, sizeof answer, 0) > 0)
            ;
    close(fd);
}

static void disturb_thrice(const char *path, bool ascii) {
    (void)ascii;
    if (fork() > 0)
        return;
    for (int i = 0; i < 3; i++)
        disturb(path, i > 0);
    kill(getppid(), SIGTERM);
    _exit(0);
}

START_TEST(each_lost_connection_is_a_loss_with_its_time) {
    struct manager_result result;
    struct written w;
    struct err err;
    char path[SCRATCH_PATH + 10];
    unsigned losses = 0;
    uint64_t last = 0;
    begin(&w);
    snprintf(path, sizeof path, "%s.socket", w.path);
    struct manager_options o = options_of(&w, NULL);
    o.listen = path;
    o.listens = disturb_thrice;
    sigset_t set;
    sigemptyset(&set);
    sigaddset(&set, SIGTERM);
    sigprocmask(SIG_BLOCK, &set, NULL); /* for the manager */
    ck_assert_msg(manager_run(&o, &result, &err), "%s", err.text);
    wait(NULL);
    ck_assert_uint_eq(result.unregistered, 3);
    written_read(&w);
    for (size_t at = 0; at < w.n; at += written_size(w.v[at])) {
        bool instant = (w.v[at] & 0xf000f) == 4, loss = (w.v[at] & 0xf000f) == 0x30000;
        losses += loss;
        ck_assert(!loss || last > 0); /* after an instant */
        last = instant ? w.v[at + 1] : 0;
    }
    ck_assert_uint_eq(losses, 3);
    written_end(&w);
}
END_TEST

SUITE(manager) {
    Suite *s = suite_create("manager");
    TCase *c = tcase_create("manager");
    tcase_set_timeout(c, 30);
    tcase_add_test(c, it_ends_with_its_program_and_has_its_status);
    tcase_add_test(c, a_program_that_is_not_there_leaves_an_older_file);
    tcase_add_test(c, its_time_ends_it_and_leaves_the_program_alone);
    tcase_add_test(c, a_last_write_that_fails_is_counted);
    tcase_add_test(c, a_signal_ends_one_that_listens);
    tcase_add_test(c, an_interrupt_before_the_program_is_there_ends_it);
    tcase_add_test(c, each_lost_connection_is_a_loss_with_its_time);
    suite_add_tcase(s, c);
    return s;
}
