/* run_without.c - the modes --query and --assert of a program without SQLite. */
#include "sql/modes/run.h"

struct run *run_new(const struct run_question *question) {
    fprintf(stderr,
            "fxtop: --%s needs SQLite, which this fxtop was built without (libsqlite3-dev)\n",
            question->nassertions > 0 ? "assert" : "query");
    return NULL;
}

void run_free(struct run *run) {
    (void)run;
}

int run_ask(const struct run *run, struct trace *trace, const char *name) {
    (void)run;
    (void)trace;
    (void)name;
    return 2;
}

int run_save(const struct run_question *question, struct trace *trace) {
    (void)question;
    (void)trace;
    fputs("fxtop: --export=sqlite needs SQLite, which this fxtop was built without "
          "(libsqlite3-dev)\n",
          stderr);
    return 2;
}
