/* double2.h - double-double arithmetic: sums and products with about 31 digits, so that a small
 * value is left when great ones cancel out.
 *
 * Dekker, A floating-point technique for extending the available precision (1971). A number that
 * is not finite has no low part that means anything: its high part is infinite or NaN. */
#ifndef FXTOP_DOUBLE2_H
#define FXTOP_DOUBLE2_H

#include <math.h>
#include <stdint.h>

struct double2 {
    double high,
        low; /* the number is their sum; low is less than half a unit of high's last digit */
};

/* a + b, exact. */
static inline struct double2 double2_sum(double a, double b) {
    double sum = a + b, of_b = sum - a;
    return (struct double2){sum, (a - (sum - of_b)) + (b - of_b)};
}

static inline struct double2 double2_from(uint64_t n) { /* exact */
    return double2_sum((double)(n >> 32) * 4294967296.0, (double)(uint32_t)n);
}

static inline struct double2 double2_add(struct double2 a, struct double2 b) {
    struct double2 high = double2_sum(a.high, b.high), low = double2_sum(a.low, b.low);
    high = double2_sum(high.high, high.low + low.high);
    return double2_sum(high.high, high.low + low.low);
}

static inline struct double2 double2_product(struct double2 a, struct double2 b) {
    double product = a.high * b.high, rest = fma(a.high, b.high, -product);
    return double2_sum(product, rest + (a.high * b.low + a.low * b.high));
}
#endif
