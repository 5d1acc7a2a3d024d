/* event_overlap.h - states of threads that contradict each other: one that lasts beyond the begin
 * of the next one of its thread, or beyond that of the next run on its CPU.
 *
 * Neighbours may overlap by a rounding: a unit of the last digit of their times, and the precision
 * of a double of that size. Each state is noted once. A state that begins before one that came
 * earlier is judged at the end. */
#ifndef FXTOP_EVENT_OVERLAP_H
#define FXTOP_EVENT_OVERLAP_H

#include "src/base/str.h"
#include "src/base/vec.h"
#include "src/fxt/fxt.h"
#include "src/io/import.h"

#define EVENT_OVERLAP_DIGITS 8

struct event_digits { /* the last bytes of the text of a time */
    char v[EVENT_OVERLAP_DIGITS];
};

struct event_span {
    uint64_t begin, end;    /* ns; FXT_NO_END reaches over nothing */
    struct import_place at; /* of its event */
    struct event_digits ts, dur;
    uint32_t thread; /* a number from 1 on; 0: idle time, which many CPUs have at once */
    int cpu;         /* of a run, else -1 */
    bool noted;
};

struct event_overlap {
    struct import_place at, over; /* of the state that lasts too long, and of the next one */
    uint64_t length;              /* ns */
    int cpu;                      /* of both, or -1: they are of one thread */
};

struct event_overlaps {
    VEC(struct event_span) all;      /* in their order in the source, until the end */
    bool late;                       /* some are not in the order of time */
    VEC(struct event_overlap) found; /* since the caller took them */
};

static inline struct event_digits event_overlap_digits(struct str time) {
    struct event_digits digits = {{0}};
    if (time.n >= sizeof digits.v)
        memcpy(digits.v, time.s + time.n - sizeof digits.v, sizeof digits.v);
    else
        for (size_t i = 1; i <= time.n; i++)
            digits.v[sizeof digits.v - i] = time.s[time.n - i];
    if (time.n > sizeof digits.v && memchr(time.s, '.', time.n - sizeof digits.v))
        digits.v[0] = '.';
    return digits;
}

void event_overlaps_free(struct event_overlaps *overlaps);
/* Compares the latest span with one that begins before it, or with it. */
void event_overlaps_judge(struct event_overlaps *overlaps, size_t *last, int cpu);
void event_overlaps_end(struct event_overlaps *overlaps);

/* Compares the latest span with the one before it of its thread, or of its CPU. last: the place of
 * that, + 1; 0: there is none. */
static inline void event_overlaps_follow(struct event_overlaps *overlaps, size_t *last, int cpu) {
    const struct event_span *all = overlaps->all.v, *now = &all[overlaps->all.n - 1];
    if (*last == 0 || all[*last - 1].end <= now->begin)
        *last = overlaps->all.n;
    else
        event_overlaps_judge(overlaps, last, cpu);
}

#endif
