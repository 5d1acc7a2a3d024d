/* monkey_budget.c - random budgets of background work between two keys, as on a slow or busy
 * machine.
 *
 * ld's --wrap leads budget_until() and clock_now() here. While it is on, a deadline is a number
 * of units, often none, and the clock counts how often it is read. So a run does not depend on the
 * time, and can be repeated. */
#include "src/base/budget.h"
#include "src/base/clock.h"
#include "tests/lib/chance.h"
#include "tests/system/monkey.h"

static struct chance chance; /* 0: off */
static int64_t now;

int64_t __real_clock_now(void);
int64_t __wrap_clock_now(void);
struct budget __real_budget_until(int64_t ns_from_now);
struct budget __wrap_budget_until(int64_t ns_from_now);

void budget_by_chance(uint64_t seed) {
    chance.seed = seed;
    now = 0;
}

int64_t __wrap_clock_now(void) {
    static const int64_t steps[] = {1000, 100000, 20000000, 700000000};
    if (chance.seed == 0)
        return __real_clock_now();
    return now += steps[below(&chance, 4)];
}

struct budget __wrap_budget_until(int64_t ns_from_now) {
    static const uint32_t most[] = {1, 8, 64, 1024, BUDGET_UNITS, UINT32_MAX};
    if (chance.seed == 0 || ns_from_now >= INT64_MAX / 2)
        return __real_budget_until(ns_from_now);
    return budget_units((uint32_t)below(&chance, most[below(&chance, 6)]));
}
