/* limits.h - how many files may be open, which bounds the providers that there can be at once. */
#ifndef FXTOP_LIMITS_H
#define FXTOP_LIMITS_H

#include <stddef.h>
#include <sys/resource.h>

struct limits {
    struct rlimit before;
    size_t providers; /* at once */
};

/* Raises the soft limit of this process as far as it may and needs. */
void limits_raise(struct limits *limits);
/* Sets the limit of before, as a program that is started expects it. */
void limits_restore(const struct limits *limits);

#endif
