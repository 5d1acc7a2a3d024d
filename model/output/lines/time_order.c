/* time_order.c - a radix sort by time, from the lowest digit on.
 *
 * One pass over the times counts all digits. A digit that is the same for all times is skipped: so
 * times within a second cost three passes. Few entries are inserted one by one. */
#include "model/output/lines/time_order.h"

#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

#include "src/base/err.h"

#define BITS 11
#define DIGITS 6 /* of 64 bits */
#define VALUES (1u << BITS)
#define FEW 64

static void insert(struct time_order *v, size_t n) {
    for (size_t i = 1; i < n; i++) {
        struct time_order x = v[i];
        size_t at = i;
        for (; at > 0 && v[at - 1].time > x.time; at--)
            v[at] = v[at - 1];
        v[at] = x;
    }
}

static unsigned digit_of(uint64_t key, int digit) {
    return (unsigned)(key >> digit * BITS) & (VALUES - 1);
}

/* Moves the entries to `to` in the order of a digit. Its counts become places. */
static void move(const struct time_order *v, struct time_order *to, size_t n, uint64_t least,
                 int digit, size_t counts[VALUES]) {
    size_t sum = 0;
    for (unsigned k = 0; k < VALUES; k++) {
        size_t next = sum;
        sum += counts[k];
        counts[k] = next;
    }
    for (size_t i = 0; i < n; i++)
        to[counts[digit_of((uint64_t)v[i].time - least, digit)]++] = v[i];
}

void time_order_sort(struct time_order *v, size_t n) {
    int64_t least = INT64_MAX;
    bool sorted = true;
    if (n < FEW) {
        insert(v, n);
        return;
    }
    for (size_t i = 0; i < n; i++) {
        least = v[i].time < least ? v[i].time : least;
        sorted = sorted && (i == 0 || v[i - 1].time <= v[i].time);
    }
    if (sorted)
        return;
    size_t(*counts)[VALUES] = err_calloc(DIGITS, sizeof *counts);
    for (size_t i = 0; i < n; i++)
        for (int digit = 0; digit < DIGITS; digit++)
            counts[digit][digit_of((uint64_t)v[i].time - (uint64_t)least, digit)]++;
    struct time_order *other = err_malloc(n * sizeof *other), *from = v, *to = other;
    for (int digit = 0; digit < DIGITS; digit++) {
        if (counts[digit][digit_of((uint64_t)v[0].time - (uint64_t)least, digit)] == n)
            continue;
        move(from, to, n, (uint64_t)least, digit, counts[digit]);
        struct time_order *swap = from;
        from = to;
        to = swap;
    }
    if (from != v)
        memcpy(v, from, n * sizeof *v);
    free(other);
    free(counts);
}

void time_order_ties(void *pointers, size_t n, int (*order)(const void *, const void *)) {
    const char *v = pointers;
    size_t i = 1;
    while (i < n && order(v + (i - 1) * sizeof(void *), v + i * sizeof(void *)) <= 0)
        i++;
    if (i < n)
        qsort(pointers, n, sizeof(void *), order);
}
