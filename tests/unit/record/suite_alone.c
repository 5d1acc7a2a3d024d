/* suite_alone.c - processes that cannot connect are listed once, by the name of the library's
 * thread. */
#include "record/watch/alone.h"

#include <errno.h>

#include "tests/unit/lib/libcheck.h"
#include "tests/unit/lib/suites.h"

START_TEST(a_process_is_listed_once_with_its_latest_error) {
    struct alone alone = {.places = {0}};
    alone_take(&alone, 7, "fxttrace", "well");
    alone_take(&alone, 8, "fxttrace e24", "shut");
    alone_take(&alone, 9, "fxttrace e2", "a name of 15 ch");
    alone_take(&alone, 8, "fxttrace", "shut");
    alone_take(&alone, 8, "fxttrace e13", "shut");
    ck_assert_uint_eq(alone.v.n, 2);
    ck_assert_uint_eq(alone.v.v[0].pid, 8);
    ck_assert_int_eq(alone.v.v[0].error, EACCES);
    ck_assert_str_eq(alone.v.v[1].name, "a name of 15 ch");
    ck_assert_int_eq(alone.v.v[1].error, ENOENT);
    alone_free(&alone);
}
END_TEST

START_TEST(other_names_are_not_the_librarys) {
    struct alone alone = {.places = {0}};
    const char *names[] = {"",
                           "fxttracer",
                           "fxttrace e",
                           "fxttrace e0",
                           "fxttrace -e5",
                           "fxttrace e-5",
                           "fxttrace2 e5",
                           "xfxttrace e5"};
    for (size_t i = 0; i < sizeof names / sizeof *names; i++)
        alone_take(&alone, 7, names[i], "other");
    ck_assert_uint_eq(alone.v.n, 0);
    ck_assert(alone_is_library("fxttrace") && alone_is_library("fxttrace\n"));
    ck_assert(alone_is_library("fxttrace e24\n") && !alone_is_library("fxttracer"));
}
END_TEST

SUITE(alone) {
    Suite *s = suite_create("alone");
    TCase *t = tcase_create("alone");
    tcase_add_test(t, a_process_is_listed_once_with_its_latest_error);
    tcase_add_test(t, other_names_are_not_the_librarys);
    suite_add_tcase(s, t);
    return s;
}
