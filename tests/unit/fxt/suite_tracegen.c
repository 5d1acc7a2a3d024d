/* suite_tracegen.c - the fixtures' language: what it writes, and which line is wrong. */
#include "tests/lib/tracegen.h"

#include <stdint.h>
#include <stdlib.h>

#include "tests/unit/lib/suites.h"

START_TEST(tracegen_says_which_line_is_wrong) {
    static const struct {
        const char *text;
        uint64_t line;
    } cases[] = {
        {"nonsense", 1},
        {"magic\n\n# fine\nprovider 1 2", 4},
        {"magic magic", 1},
        {"instant 1 2 \"c\" \"n\"", 1},
        {"instant 1 t1 \"c\" \"n", 1},
        {"instant 1 t1 \"c\" \"n\" x", 1},
        {"instant 1 t1 \"c\" \"n\" x=i32:", 1},
        {"counter 1 t1 \"c\" \"n\"", 1},
        {"complete 1 t1 \"c\" \"n\" id=3", 1},
        {"string 1 \"\\q\"", 1},
        {"magic\nbig_endian", 2},
        {"magic\ncut 9", 2},
        {"magic\nflip 8 0", 2},
        {"magic\npoke 1 0", 2},
        {"provider_event 1 16", 1},
        {"bytes 100", 1},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        struct err err = {.at = 0};
        struct trace_bytes trace = tracegen(cases[i].text, &err);
        ck_assert_msg(trace.v == NULL, "accepted: %s", cases[i].text);
        ck_assert_msg(err.at == cases[i].line, "line %d of: %s", (int)err.at, cases[i].text);
    }
}
END_TEST

START_TEST(tracegen_writes_records_and_damage) {
    static const unsigned char wanted[] = {
        0x10,
        0x00,
        0x04,
        0x46,
        0x78,
        0x54,
        0x16,
        0x00, /* magic */
        /* complete: 7 words, 1 argument, category s1, inline name */
        0x74,
        0x00,
        0x14,
        0x00,
        0x01,
        0x00,
        0x01,
        0x80,
        0x05,
        0x00,
        0x00,
        0x00,
        0x00,
        0x00,
        0x00,
        0x00, /* time */
        0x03,
        0x00,
        0x00,
        0x00,
        0x00,
        0x00,
        0x00,
        0x00, /* process */
        0x04,
        0x00,
        0x00,
        0x00,
        0x00,
        0x00,
        0x00,
        0x00, /* thread */
        'n',
        0x00,
        0x00,
        0x00,
        0x00,
        0x00,
        0x00,
        0x00, /* name */
        0x11,
        0x00,
        0x02,
        0x00,
        0xff,
        0xff,
        0xff,
        0xff, /* int32 -1, name s2 */
        0x09,
        0x00,
        0x00,
        0x00,
        0x00,
        0x00,
        0x00,
        0x00, /* end */
        0x21,
        0x00,
        0x00,
        0x00,
        0x00,
        0x00,
        0x00,
        0x00, /* init */
        0xff,
        0x00,
        0x00,
        0x00,
        0x00,
        0x00,
        0x00,
        0x00, /* its word, poked */
        0x05,
        0x00,
        0x00,
        0x00,
        0x00,
        0x00,
        0x00,
        0x80, /* a word as it stands */
        /* zeros, of which two bytes are cut and two come after */
        0x00,
        0x00,
        0x00,
        0x00,
        0x00,
        0x00,
        0x01,
        0xab,
    };
    struct err err = {.text = ""};
    struct trace_bytes trace = tracegen("magic # comment\n"
                                        "complete 5 3/4 s1 \"m\" s2=i32:-1 end=9\n"
                                        "flip 40 1\n"
                                        "flip 40 0\n"
                                        "init 7\n"
                                        "poke 1 0xff\n"
                                        "word 0x8000000000000005\n"
                                        "zeros 1\n"
                                        "cut 2\n"
                                        "bytes 01 ab\n",
                                        &err);
    ck_assert_msg(trace.v != NULL, "%s", err.text);
    ck_assert_uint_eq(trace.n, sizeof wanted);
    ck_assert_mem_eq(trace.v, wanted, sizeof wanted);
    free(trace.v);
}
END_TEST

SUITE(tracegen) {
    Suite *s = suite_create("tracegen");
    TCase *t = tcase_create("tracegen");
    tcase_add_test(t, tracegen_says_which_line_is_wrong);
    tcase_add_test(t, tracegen_writes_records_and_damage);
    suite_add_tcase(s, t);
    return s;
}
