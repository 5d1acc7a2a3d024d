/* budget.h - the time of a step of work (task.h).
 *
 * A step charges its work with budget_spend(), in units of 10 to 100 ns, as it estimates them. They
 * decide only how often the clock is read, at most once in BUDGET_UNITS units. A step may overrun
 * its deadline by as much. */
#ifndef FXTOP_BUDGET_H
#define FXTOP_BUDGET_H

#include <stdbool.h>
#include <stdint.h>

#define BUDGET_UNITS 4096u /* units between two looks at the clock: 40 to 400 us */

/* States: running (units or deadline left), endless (deadline INT64_MAX), spent (no units, deadline
 * INT64_MIN). A spent budget stays spent. */
struct budget {
    /* ns of clock_now(); INT64_MAX: none; INT64_MIN: over as soon as the units are */
    int64_t deadline;
    uint32_t units; /* until the clock is read again */
    /* once it is spent: gives it more; false: it stays spent. NULL: it does */
    bool (*again)(struct budget *budget);
    void *ctx; /* of again() */
};

struct budget budget_until(int64_t ns_from_now); /* <= 0: at most BUDGET_UNITS units */
static inline struct budget budget_endless(void) {
    return (struct budget){.deadline = INT64_MAX, .units = UINT32_MAX};
}
/* A fixed number of units and no clock: the same steps in every run. BUDGET_OF(): the address of a
 * new one, valid to the end of the block; BUDGET_OF(0) for what has to be done without work. */
static inline struct budget budget_units(uint32_t units) {
    return (struct budget){.deadline = INT64_MIN, .units = units};
}
#define BUDGET_OF(n) (&(struct budget){.deadline = INT64_MIN, .units = (n)})

/* The address of a new endless budget, valid to the end of the block. */
#define BUDGET_ENDLESS (&(struct budget){.deadline = INT64_MAX, .units = UINT32_MAX})
static inline bool budget_is_endless(const struct budget *budget) {
    return budget->deadline == INT64_MAX;
}

bool budget_refill(struct budget *budget); /* for budget_spend() alone */

/* Charges work that was done; false if no time is left. cost may be 0. */
static inline bool budget_spend(struct budget *budget, uint32_t cost) {
    if (cost < budget->units) {
        budget->units -= cost;
        return true;
    }
    return budget_refill(budget);
}

/* The rest of a step, without again(): for work that is shared with another thread, and so returns
 * when it is spent. budget_return() takes the rest back; false as from budget_spend(). */
static inline struct budget budget_lend(const struct budget *budget) {
    return (struct budget){.deadline = budget->deadline, .units = budget->units};
}
static inline bool budget_return(struct budget *budget, const struct budget *lent) {
    budget->deadline = lent->deadline;
    budget->units = lent->units;
    return budget_spend(budget, 0);
}

/* Whether the last budget_spend(), if any, returned true. Does not read the clock. */
static inline bool budget_left(const struct budget *budget) {
    return budget->units > 0 || budget->deadline != INT64_MIN;
}

#endif
