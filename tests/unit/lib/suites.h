/* suites.h - the suites of a check program: each registers itself. */
#ifndef FXTOP_SUITES_H
#define FXTOP_SUITES_H

#include "tests/unit/lib/libcheck.h"

void suites_add(Suite *(*suite)(void));

/* Defines a suite, one a module or a few that belong together:
 * SUITE(units) { Suite *suite = suite_create("units"); ... return suite; } */
#define SUITE(name)                                                                                \
    static Suite *suite_##name(void);                                                              \
    __attribute__((constructor)) static void add_##name(void) {                                    \
        suites_add(suite_##name);                                                                  \
    }                                                                                              \
    static Suite *suite_##name(void)

#endif
