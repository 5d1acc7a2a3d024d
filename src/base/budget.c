/* budget.c - how long a piece of background work may go on.
 *
 * A budget counts units down; when they are used up, the clock decides whether there are more. */
#include "src/base/budget.h"

#include "src/base/clock.h"

struct budget budget_until(int64_t ns_from_now) {
    int64_t now = clock_now();
    if (ns_from_now >= INT64_MAX - now)
        return budget_endless();
    return (struct budget){.deadline = now + (ns_from_now > 0 ? ns_from_now : 0),
                           .units = BUDGET_UNITS};
}

bool budget_refill(struct budget *budget) {
    if (budget->deadline == INT64_MAX) {
        budget->units = UINT32_MAX;
        return true;
    }
    if (budget->deadline != INT64_MIN && clock_now() < budget->deadline) {
        budget->units = BUDGET_UNITS;
        return true;
    }
    budget->units = 0;
    budget->deadline = INT64_MIN;
    return budget->again && budget->again(budget);
}
