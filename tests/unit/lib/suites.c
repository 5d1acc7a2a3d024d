/* suites.c - the main function of the check programs: runs all suites. */
#include "tests/unit/lib/suites.h"

#include <assert.h>
#include <stdlib.h>

#define MOST 512

static Suite *(*suites[MOST])(void);
static int nsuites;

void suites_add(Suite *(*suite)(void)) {
    assert(nsuites < MOST);
    suites[nsuites++] = suite;
}

int main(void) {
    assert(nsuites > 0);
    SRunner *runner = srunner_create(NULL);
    for (int i = 0; i < nsuites; i++)
        srunner_add_suite(runner, suites[i]());
    srunner_run_all(runner, CK_ENV);
    int failed = srunner_ntests_failed(runner);
    srunner_free(runner);
    return failed == 0 ? EXIT_SUCCESS : EXIT_FAILURE;
}
