/* run_without.c - the mode --query of a program without SQLite. */
#include "sql/run.h"

int run_query(const struct run_question *question) {
    (void)question;
    fputs("fxtop: --query needs SQLite, which this fxtop was built without (libsqlite3-dev)\n", stderr);
    return 2;
}
