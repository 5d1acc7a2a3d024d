/* check_sql.c - the floor of queries; linked with it, the model and src. */
#include "tests/lib/suites.h"

int main(void) {
    static Suite *(*const suites[])(void) = {
        suite_guard,
        suite_query,
        suite_rewrite,
        suite_rows,
        suite_span,
        NULL,
    };
    return suites_run(suites);
}
