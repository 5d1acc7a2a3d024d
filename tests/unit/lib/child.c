/* child.c - runs a body in a process of its own. */
#include "tests/unit/lib/child.h"
#include "tests/unit/lib/libcheck.h"

#include <sys/wait.h>

int run_child(void (*body)(void)) {
    pid_t child = fork();
    ck_assert_int_ge(child, 0);
    if (child == 0) {
        body();
        _exit(0);
    }
    int status;
    ck_assert_int_eq(waitpid(child, &status, 0), child);
    return status;
}
