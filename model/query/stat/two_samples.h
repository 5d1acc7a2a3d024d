/* two_samples.h - the durations of one group in two ranges: whether they differ by more than
 * chance, and how exactly the p99 of each is known.
 *
 * The test is the U test of Mann and Whitney, two-sided, by its normal approximation, with ties and
 * continuity corrected; p is at least two_samples_least(). The interval of a p99 lies between two
 * of the durations, by the binomial distribution of their ranks: it holds the p99 of what was
 * sampled in 99 of 100 cases. Fewer than 528 durations give it no upper end.
 *
 * Durations are kept as 32 bits each: exact if they differ by less than 2^32 ns, else rounded down
 * to a part in 2^31 of the difference. A test takes 8 bytes a duration. Times: ns. */
#ifndef FXTOP_TWO_SAMPLES_H
#define FXTOP_TWO_SAMPLES_H

#include <stdbool.h>
#include <stdint.h>

struct two_samples_side {
    uint64_t n; /* durations */
    bool has_low, has_high;
    int64_t low, high; /* of the p99 */
};

struct two_samples {
    int64_t least;  /* that the keys count from */
    unsigned shift; /* bits that the keys lack */
    struct two_samples_side side[2];
    bool tested;      /* both sides have durations */
    uint64_t twice_u; /* pairs in which that of B is longer, doubled; equal ones count once */
    double ties;      /* the sum of t^3 - t over numbers of equal durations */
    double p;         /* of a difference as great as this or greater, if there is none */
};

/* The durations come in any order. Two times 20,000 of them take a millisecond. */
void two_samples_test(struct two_samples *samples, const int64_t *const values[2],
                      const uint64_t n[2]);

/* The least p that so many durations can have, if they are chosen as differently as possible: 2 of
 * all choices. From 5 and 5 on it is below 0.01; 6 and 6: 0.002. */
double two_samples_least(uint64_t a, uint64_t b);
/* Ranks from 1 that bound the p99 of n: 0 and n + 1 are none. */
void two_samples_ranks(uint64_t n, uint64_t *low, uint64_t *high);

#endif
