/* sound_internal.h - shared by sound.c, sound_nesting.c and sound_derived.c. */
#ifndef FXTOP_SOUND_INTERNAL_H
#define FXTOP_SOUND_INTERNAL_H

#include "tests/lib/sound.h"

#define FAIL(...)                                                                                  \
    do {                                                                                           \
        snprintf(why, 200, __VA_ARGS__);                                                           \
        return false;                                                                              \
    } while (0)

/* The slices of a row follow one another and do not overlap. */
bool sound_order(const struct lane *lane, char why[200]);

/* Busy time, places and columns of windows about the slice i are those that a loop over the row
 * finds. */
bool sound_questions(struct lane *lane, uint32_t i, char why[200]);

#endif
