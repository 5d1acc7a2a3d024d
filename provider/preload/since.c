/* since.c - compares ticks with ns by the rate that the manager has sent. */
#include "provider/preload/since.h"

#include "provider/session.h"

static double ticks_of(uint64_t ns) {
    return (double)ns * (double)session_rate() / 1e9;
}

bool since_begin(struct since since, uint64_t ns, const char *category, uint64_t *begin) {
    uint32_t generation = __atomic_load_n(&fxttrace_generation, __ATOMIC_ACQUIRE);
    if (since.generation == 0)
        return false;
    *begin = since.at;
    if (since_has_session(since.generation)) /* another one may have another clock */
        return since.generation == generation &&
               (double)(fxttrace_ticks() - since.at) >= ticks_of(ns);
    uint64_t taken = clock_monotonic() - since.at;
    if (taken < ns)
        return false;
    bool enabled = fxttrace_category_enabled(category);
    generation = __atomic_load_n(&fxttrace_generation, __ATOMIC_ACQUIRE);
    if (!since_has_session(generation))
        write_missed();
    else
        *begin = fxttrace_ticks() - (uint64_t)ticks_of(taken);
    return enabled && since_has_session(generation);
}
