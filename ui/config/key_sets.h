/* key_sets.h - the sets of keys that :set keys offers, each one row of a table. */
#ifndef FXTOP_KEY_SETS_H
#define FXTOP_KEY_SETS_H

#include <stdint.h>

/* A key, or two, that runs a command in its modes. */
struct key_line {
    const char *keys, *line; /* as typed after :map */
};

struct key_set {
    const char *name;
    /* Pairs of characters that change places on the timeline, for layouts of keyboards: "az" is a
     * and z. */
    const char *swaps;
    const struct key_line *lines; /* the last one has no keys; may be NULL */
};

/* The first one is that of the manual. */
extern const struct key_set key_sets[];
extern const int key_set_count;

#endif
