/* suite_answer.c - which answer is shown while the next one is made, and when it is made again. */
#include "model/query/answer.h"

#include <stdatomic.h>

#include "src/base/discard.h"
#include "tests/unit/lib/suites.h"
#include "tests/unit/ui/live.h"

enum { STEPS = 100 };

struct counted {
    unsigned asked, steps;
    bool complete;
};

static atomic_uint freed; /* on a thread of its own */

static void make(struct task *task, void *data) {
    struct counted *c = data;
    for (c->steps = 1; c->steps < STEPS; c->steps++)
        if (!task_spend(task, 1))
            return;
    c->complete = true;
}

static void release(void *data) {
    ck_assert_uint_gt(((struct counted *)data)->asked, 0);
    atomic_fetch_add(&freed, 1);
}

static const struct answer_ops ops = {sizeof(struct counted), make, release};

static void ask(struct answer *a, uint64_t question, unsigned number) {
    ((struct counted *)answer_ask(a, &ops, live_trace, question))->asked = number;
}

static unsigned shown(const struct answer *a) {
    return a->shown ? ((const struct counted *)a->shown)->asked : 0;
}

static void grow(int from) {
    live_calls("ab", from, from + 10);
    live_read_on();
}

START_TEST(the_former_answer_stays_until_the_next_is_complete) {
    struct answer a = {0};
    freed = 0;
    live_start(true);
    live_read_on();
    ck_assert(!answer_is_of(&a, live_trace, 7) && !answer_is_complete(&a));
    ask(&a, 7, 1);
    ck_assert(answer_is_of(&a, live_trace, 7) && !answer_is_of(&a, live_trace, 8) &&
              a.shown == NULL);
    /* its rows so far */
    ck_assert(!answer_step(&a, TASK_OF(10)) && shown(&a) == 1 && !answer_is_complete(&a));
    while (!answer_step(&a, TASK_OF(10)))
        ;
    ck_assert(answer_is_complete(&a) && answer_holds(&a, live_trace) &&
              ((struct counted *)a.shown)->complete);
    grow(500);
    ck_assert(!answer_is_of(&a, live_trace, 7) && !answer_holds(&a, live_trace));
    ask(&a, 7, 2);
    ck_assert(!answer_step(&a, TASK_OF(10)) && shown(&a) == 1 && answer_is_complete(&a));
    grow(510); /* cancels it */
    ck_assert(!answer_is_of(&a, live_trace, 7) && !answer_step(&a, NULL));
    ask(&a, 7, 3);
    ck_assert(!answer_step(&a, TASK_OF(10)) && shown(&a) == 1);
    ck_assert(answer_step(&a, NULL) && shown(&a) == 3);
    ask(&a, 8, 4); /* another question */
    ck_assert(a.shown == NULL && !answer_step(&a, TASK_OF(10)) && shown(&a) == 4);
    ask(&a, 8, 5);
    ck_assert(a.shown == NULL);
    answer_drop(&a);
    discard_wait();
    ck_assert_uint_eq(freed, 5);
    ck_assert(a.next == NULL && a.shown == NULL && !answer_step(&a, NULL));
    live_stop();
}
END_TEST

START_TEST(a_trace_that_is_read_again_has_no_former_answer) {
    struct answer a = {0};
    struct err err;
    freed = 0;
    live_start(false);
    ask(&a, 7, 1);
    ck_assert(answer_step(&a, NULL));
    ck_assert(trace_reload(live_trace, &err));
    live_read_on();
    ask(&a, 7, 2);
    ck_assert_ptr_null(a.shown);
    answer_drop(&a);
    discard_wait();
    ck_assert_uint_eq(freed, 2);
    live_stop();
}
END_TEST

SUITE(answer) {
    Suite *s = suite_create("answer");
    TCase *t = tcase_create("answer");
    tcase_add_test(t, the_former_answer_stays_until_the_next_is_complete);
    tcase_add_test(t, a_trace_that_is_read_again_has_no_former_answer);
    suite_add_tcase(s, t);
    return s;
}
