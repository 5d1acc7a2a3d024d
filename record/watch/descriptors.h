/* descriptors.h - the files of descriptors that system calls name.
 *
 * /proc has it when it is looked at, some time after the call. So the closes of descriptors that
 * have come since are noted: a file is known if there was none between. */
#ifndef FXTOP_DESCRIPTORS_H
#define FXTOP_DESCRIPTORS_H

#include <stdint.h>

#include "src/base/str.h"
#include "src/base/u64map.h"
#include "src/base/vec.h"

#define DESCRIPTORS_ALL UINT32_MAX

struct descriptor {
    uint64_t key;      /* of process and number */
    uint64_t closed;   /* ns: the last time that it was; 0: never */
    uint64_t from, to; /* ns: it was that file; to is UINT64_MAX while it is */
    char *path;        /* NULL: not known */
};

struct descriptors {
    VEC(struct descriptor) v;
    struct u64map places; /* key -> entry + 1 */
    uint64_t latest;      /* ns: of the closes so far */
    uint64_t since;       /* ns: earlier closes are forgotten */
};

/* It was closed then, or all of the process may have been. Times are ns of CLOCK_MONOTONIC. */
void descriptors_closed(struct descriptors *descriptors, uint32_t pid, uint32_t number,
                        uint64_t time);
/* The path that was looked up before, if it was of that time; NULL: it has to be looked up. */
const char *descriptors_known(const struct descriptors *descriptors, uint32_t pid, uint32_t number,
                              uint64_t time);
/* Asks /proc, and keeps it, for a time at which the descriptor was open. Until closes up to now are
 * noted, it may be another one's. */
void descriptors_look(struct descriptors *descriptors, uint32_t pid, uint32_t number,
                      uint64_t time);
void descriptors_free(struct descriptors *descriptors);

#endif
