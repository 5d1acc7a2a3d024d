/* run_without.c - the modes --query and --assert of a program without SQLite. */
#include "sql/modes/run.h"

int run_query(const struct run_question *question) {
    fprintf(stderr,
            "fxtop: --%s needs SQLite, which this fxtop was built without (libsqlite3-dev)\n",
            question->nassertions > 0 ? "assert" : "query");
    return 2;
}

int run_save(const struct run_question *question) {
    (void)question;
    fputs("fxtop: --export=sqlite needs SQLite, which this fxtop was built without "
          "(libsqlite3-dev)\n",
          stderr);
    return 2;
}
