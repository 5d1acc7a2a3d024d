/* event_overlap.h - states of threads that contradict each other: one that lasts beyond the begin
 * of the next one of its thread, or beyond that of the next run on its CPU.
 *
 * Neighbours may overlap by a rounding: a unit of the last digit of their times, and the precision
 * of a double of that size. Each state is noted once. */
#ifndef FXTOP_EVENT_OVERLAP_H
#define FXTOP_EVENT_OVERLAP_H

#include "src/base/str.h"
#include "src/base/vec.h"
#include "src/fxt/fxt.h"
#include "src/io/import.h"

struct event_span {
    uint64_t begin, end;    /* ns; FXT_NO_END reaches over nothing */
    struct import_place at; /* of its event */
    uint32_t thread;        /* a number; 0: idle time, which many CPUs have at once */
    int16_t cpu;            /* of a run, else -1 */
    /* of the last digit of its begin, and of the larger one of it and the length: 10 to this power,
     * in ns */
    unsigned char begin_unit, end_unit;
    bool noted;
};

struct event_overlap {
    struct import_place at, over; /* of the state that lasts too long, and of the next one */
    uint64_t length;              /* ns */
    int cpu;                      /* of both, or -1: they are of one thread */
};

struct event_overlaps {
    VEC(struct event_overlap) found; /* since the caller took them */
};

/* That of a time in us, at most 3: a fraction may be one zero alone. */
static inline unsigned char event_overlap_unit(struct str time) {
    size_t i = time.n;
    if (i >= 4 && time.s[i - 4] == '.' && time.s[i - 2] <= '9')
        return 0;
    while (i > 0 && time.s[i - 1] >= '0' && time.s[i - 1] <= '9')
        i--;
    size_t n = i > 0 && time.s[i - 1] == '.' ? time.n - i : 0;
    if (n == 1 && time.s[i] == '0')
        n = 0;
    return n < 3 ? (unsigned char)(3 - n) : 0;
}

void event_overlaps_free(struct event_overlaps *overlaps);
/* Compares two that are neighbours. True: the next one comes after b, not after a. */
bool event_overlaps_judge(struct event_overlaps *overlaps, struct event_span *a,
                          struct event_span *b, int cpu);
/* The most that rounding adds to the length of a before b. */
uint64_t event_overlap_rounding(const struct event_span *a, const struct event_span *b);

#endif
