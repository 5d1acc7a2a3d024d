/* check_sql.c - the floor of queries; linked with it, the model and src. */
#include "tests/lib/suites.h"

int main(void) {
    static Suite *(*const suites[])(void) = {
        suite_answer,
        suite_assertion,
        suite_fleet,
        suite_guard,
        suite_kept,
        suite_query,
        suite_rewrite,
        suite_rows,
        suite_span,
        suite_states,
        suite_intersect,
        suite_modules,
        suite_view_sql,
        suite_percentile,
        suite_dotted,
        suite_family,
        suite_temporaries,
        NULL,
    };
    return suites_run(suites);
}
