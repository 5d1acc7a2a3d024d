/* limits.c - how many files may be open.
 *
 * A provider takes three descriptors, and poll() takes no more entries than there may be
 * descriptors. So the limit bounds the number of providers; those beyond it wait until others have
 * ended. */
#include "record/limits.h"

#include <unistd.h>

#define PROVIDERS_MAX 4096
#define EACH 3 /* descriptors of a provider */
/* descriptors: our own, those that a provider has while it is set up, and files of /proc */
#define OWN 40

void limits_raise(struct limits *l) {
    long cpus = sysconf(_SC_NPROCESSORS_CONF); /* each has a ring */
    rlim_t own = OWN + (rlim_t)(cpus > 0 ? cpus : 1), enough = own + EACH * PROVIDERS_MAX;
    struct rlimit now;
    l->providers = 1;
    if (getrlimit(RLIMIT_NOFILE, &l->before) != 0) {
        l->before = (struct rlimit){0, 0};
        return;
    }
    now = l->before;
    if (now.rlim_cur < enough)
        now.rlim_cur = now.rlim_max < enough ? now.rlim_max : enough;
    if (setrlimit(RLIMIT_NOFILE, &now) != 0)
        now = l->before;
    if (now.rlim_cur > own + EACH)
        l->providers = now.rlim_cur < enough ? (size_t)(now.rlim_cur - own) / EACH : PROVIDERS_MAX;
}

void limits_restore(const struct limits *l) {
    if (l->before.rlim_max > 0)
        setrlimit(RLIMIT_NOFILE, &l->before);
}
