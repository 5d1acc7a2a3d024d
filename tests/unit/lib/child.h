/* child.h - checks that need a process of their own: ones that change its limits, its signals or
 * end it. */
#ifndef FXTOP_TESTS_UNIT_LIB_CHILD_H
#define FXTOP_TESTS_UNIT_LIB_CHILD_H

#include <stdio.h>
#include <unistd.h>

/* The status, as of waitpid(), of a child that ran this; 0 is good. */
int run_child(void (*body)(void));

/* The assertion of such a body: prints what failed and exits with 1. */
#define CHILD_ASSERT(x)                                                                            \
    do {                                                                                           \
        if (!(x)) {                                                                                \
            dprintf(STDERR_FILENO, "%s:%d: %s\n", __FILE__, __LINE__, #x);                         \
            _exit(1);                                                                              \
        }                                                                                          \
    } while (0)

#endif
