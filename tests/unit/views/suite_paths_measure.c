/* suite_paths_measure.c - the first measure by the contents of a trace, the round of the others,
 * and their words in a session. */
#include "ui/views/stat/paths_measure.h"

#include "tests/unit/lib/libcheck.h"
#include "tests/unit/lib/loaded.h"
#include "tests/unit/lib/suites.h"

START_TEST(the_contents_decide_on_the_first) {
    static const struct {
        struct paths_has has;
        enum paths_measure flame, other;
    } cases[] = {
        {{.measured = true}, PATHS_WALL, PATHS_WALL},
        {{.sampled = true, .running = true}, PATHS_SAMPLES, PATHS_SAMPLES},
        {{.sampled = true, .running = true, .blocked = true}, PATHS_SAMPLES, PATHS_SAMPLES},
        {{.sampled = true, .blocked = true}, PATHS_OFF_CPU, PATHS_OFF_CPU},
        {{.sampled = true, .running = true, .blocked = true, .waiting = true},
         PATHS_OFF_CPU,
         PATHS_OFF_CPU},
        {{.processes = true, .several = true, .sampled = true, .blocked = true, .waiting = true},
         PATHS_PROCESSES,
         PATHS_OFF_CPU},
        {{.sampled = true, .measured = true, .running = true}, PATHS_WALL, PATHS_WALL},
        {{.processes = true}, PATHS_WALL, PATHS_WALL},
        {{.processes = true, .sampled = true, .running = true}, PATHS_SAMPLES, PATHS_SAMPLES},
        {{.processes = true, .several = true, .sampled = true, .running = true},
         PATHS_PROCESSES,
         PATHS_SAMPLES},
        {{.processes = true, .several = true, .measured = true}, PATHS_WALL, PATHS_WALL},
        {{.processes = true, .several = true}, PATHS_WALL, PATHS_WALL},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        ck_assert_int_eq(paths_measure_first(&cases[i].has, true), cases[i].flame);
        ck_assert_int_eq(paths_measure_first(&cases[i].has, false), cases[i].other);
    }
}
END_TEST

#define SAMPLED                                                                                    \
    "magic\ninit 1000000000\nmodule 1000 5/6 1 \"libm.so\" \"aa\"\nmmap 1000 5/6 1 5 0x1000 "      \
    "0x1000 "                                                                                      \
    "0x500\n"
/* Thread 6 runs for 60 ns, blocks, and runs again at 9000. */
#define BLOCKS                                                                                     \
    SAMPLED "switch 1000 0 0 0 6\nbacktrace 1020 5/6 0x1100\nbacktrace 1060 5/6 0x1100\n"          \
            "switch 1060 0 6 3 0\nswitch 9000 0 0 0 6\n"

static struct paths_has look(const char *text) {
    struct trace *trace = loaded_text(text);
    struct paths_has has;
    paths_measure_look(trace, &(struct range){0}, &has);
    trace_free(trace);
    return has;
}

START_TEST(a_thread_that_hardly_ran_was_waiting) {
    struct paths_has has = look(BLOCKS "switch 9010 0 6 3 0\n");
    ck_assert(has.sampled && has.blocked && has.running && has.waiting && !has.measured);
    has = look(BLOCKS "switch 12000 0 6 3 0\n");
    ck_assert(has.blocked && !has.waiting);
    has = look(SAMPLED "backtrace 1020 5/6 0x1100\nbacktrace 9060 5/6 0x1100\n");
    ck_assert(has.sampled && !has.blocked && !has.waiting);
}
END_TEST

/* The call that a thread was in when it was attached. */
START_TEST(one_slice_since_the_begin_is_no_measured_one) {
    ck_assert(!look(BLOCKS "complete 1000 5/6 \"syscall\" \"read\" end=1500\n").measured);
    ck_assert(look(BLOCKS "complete 1001 5/6 \"syscall\" \"read\" end=1500\n").measured);
    ck_assert(look(BLOCKS "complete 1000 5/6 \"syscall\" \"read\" end=1500\n"
                          "complete 1600 5/6 \"syscall\" \"read\" end=1700\n")
                  .measured);
}
END_TEST

/* Each measure that the trace has comes once, whatever its contents. */
START_TEST(a_round_has_each_measure_once) {
    for (unsigned bits = 0; bits < 32; bits++) {
        struct paths_has has = {
            .measured = bits & 1, .sampled = bits & 2, .processes = bits & 8, .several = bits & 16};
        has.blocked = has.sampled && bits & 4;
        unsigned seen = 0, wanted = 1u << PATHS_WALL | 1u << PATHS_RUNNING | 1u << PATHS_CALLS;
        enum paths_measure at = PATHS_WALL;
        wanted |= has.sampled ? 1u << PATHS_SAMPLES : 0;
        wanted |= has.blocked ? 1u << PATHS_OFF_CPU : 0;
        wanted |= has.processes && (has.sampled || has.measured) ? 1u << PATHS_PROCESSES : 0;
        do {
            ck_assert(!(seen >> at & 1));
            seen |= 1u << at;
            at = paths_measure_next(&has, at);
        } while (at != PATHS_WALL);
        ck_assert_uint_eq(seen, wanted);
    }
}
END_TEST

START_TEST(words_name_them) {
    enum paths_measure got;
    for (int i = 0; i < PATHS_MEASURES; i++) {
        ck_assert(paths_measure_of(paths_measure_word((enum paths_measure)i), &got));
        ck_assert_int_eq(got, i);
    }
    ck_assert(!paths_measure_of("never", &got) && !paths_measure_of("", &got));
}
END_TEST

SUITE(paths_measure) {
    Suite *s = suite_create("paths_measure");
    TCase *c = tcase_create("paths_measure");
    tcase_add_test(c, the_contents_decide_on_the_first);
    tcase_add_test(c, a_thread_that_hardly_ran_was_waiting);
    tcase_add_test(c, one_slice_since_the_begin_is_no_measured_one);
    tcase_add_test(c, a_round_has_each_measure_once);
    tcase_add_test(c, words_name_them);
    suite_add_tcase(s, c);
    return s;
}
