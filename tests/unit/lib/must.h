/* must.h - MUST(condition) and MUST(condition, set): a check of libcheck whose message has the
 * number of the set that was tried. A suite may define MUST_SHOW before it includes this: a string
 * expression, which is evaluated when a check fails and added to the message. */
#ifndef FXTOP_MUST_H
#define FXTOP_MUST_H

#include "tests/unit/lib/libcheck.h"

#define MUST(...) MUST_OF(#__VA_ARGS__, __VA_ARGS__, -1, 0)
#define MUST_OF(text, condition, set, ...)                                                         \
    do {                                                                                           \
        if (!(condition)) {                                                                        \
            long long must_set = (long long)(set);                                                 \
            if (must_set < 0)                                                                      \
                ck_abort_msg("%s\n%s", text, MUST_SHOW);                                           \
            else                                                                                   \
                ck_abort_msg("%s = %lld\n%s", text, must_set, MUST_SHOW);                          \
        }                                                                                          \
    } while (0)

#endif

/* Outside of the guard, since a source of several suites sets it for some. */
#ifndef MUST_SHOW
#define MUST_SHOW ""
#endif
