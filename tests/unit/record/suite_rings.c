/* suite_rings.c - how writers wake the library's helper, whose descriptors are its own: also after
 * the program has closed its end and uses the number for another file. */
#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <pthread.h>
#include <semaphore.h>
#include <string.h>
#include <sys/ioctl.h>
#include <unistd.h>

#include "provider/held.h"
#include "provider/rings.h"
#include "tests/unit/lib/must.h"
#include "tests/unit/lib/suites.h"

enum { PATIENCE_MS = 20000, MANY = 100000 };

static struct {
    pthread_t thread;
    sem_t ready, woken, leave;
    bool apart;
} helper;

/* Is woken so many times. */
static void *help(void *times) {
    helper.apart = held_apart();
    rings_begin();
    sem_post(&helper.ready);
    for (int i = *(int *)times; i > 0; i--) {
        struct pollfd fd = {rings_fd(), POLLIN, 0};
        MUST(poll(&fd, 1, PATIENCE_MS) == 1, i);
        rings_take();
        sem_post(&helper.woken);
    }
    sem_wait(&helper.leave); /* its descriptors end with it */
    return NULL;
}

static void begin(int *times) {
    sem_init(&helper.ready, 0, 0);
    sem_init(&helper.woken, 0, 0);
    sem_init(&helper.leave, 0, 0);
    pthread_create(&helper.thread, NULL, help, times);
    sem_wait(&helper.ready);
}

static void end(void) {
    sem_post(&helper.leave);
    pthread_join(helper.thread, NULL);
    rings_close(!helper.apart);
}

static void ring(void) {
    ck_assert(rings_ring());
    sem_wait(&helper.woken);
}

START_TEST(the_helper_is_woken_whatever_became_of_the_number) {
    int times = 4, ends[2], waiting, number;
    ck_assert_int_eq(pipe(ends), 0);
    begin(&times);
    number = dup(ends[1]); /* the number that is free */
    close(number);
    ring();
    ck_assert_int_ge(fcntl(number, F_GETFD), 0); /* it is kept, for once and all */
    ring();
    close(number);
    ring();
    ck_assert_int_eq(dup2(ends[1], number), number);
    ring();
    ck_assert_int_eq(ioctl(ends[0], FIONREAD, &waiting), 0);
    ck_assert_int_eq(waiting, 0);
    end();
    ck_assert_int_ge(fcntl(number, F_GETFD), 0); /* the program's */
    close(number);
    close(ends[0]);
    close(ends[1]);
}
END_TEST

START_TEST(a_ring_never_waits_and_keeps_errno) {
    int times = 0;
    errno = ERANGE;
    ck_assert(!rings_ring());
    ck_assert_int_eq(errno, ERANGE);
    ck_assert(rings_fail());
    begin(&times);
    for (int i = 0; i < MANY; i++) /* more than a pipe holds */
        MUST(rings_ring(), i);
    ck_assert_int_eq(errno, ERANGE);
    ck_assert(!rings_fail());
    end();
}
END_TEST

START_TEST(no_other_thread_has_the_descriptors_of_the_helper) {
    int times = 0, before = dup(STDIN_FILENO), after;
    close(before);
    begin(&times);
    after = dup(STDIN_FILENO);
    close(after);
    ck_assert_int_eq(after, helper.apart ? before : before + 2);
    end();
}
END_TEST

SUITE(rings) {
    Suite *s = suite_create("rings");
    TCase *c = tcase_create("rings");
    tcase_add_test(c, the_helper_is_woken_whatever_became_of_the_number);
    tcase_add_test(c, a_ring_never_waits_and_keeps_errno);
    tcase_add_test(c, no_other_thread_has_the_descriptors_of_the_helper);
    suite_add_tcase(s, c);
    return s;
}
