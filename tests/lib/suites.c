/* suites.c - runs the suites of a check program. */
#include "tests/lib/suites.h"

#include <stdlib.h>

int suites_run(Suite *(*const suites[])(void)) {
    SRunner *runner = srunner_create(suites[0]());
    for (int i = 1; suites[i]; i++)
        srunner_add_suite(runner, suites[i]());
    srunner_run_all(runner, CK_ENV);
    int failed = srunner_ntests_failed(runner);
    srunner_free(runner);
    return failed == 0 ? EXIT_SUCCESS : EXIT_FAILURE;
}
