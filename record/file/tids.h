/* tids.h - the threads of providers, by the records that have come from them. */
#ifndef FXTOP_TIDS_H
#define FXTOP_TIDS_H

#include "src/base/u64map.h"

struct tids {
    struct u64map seen; /* by provider and thread */
    uint64_t n;
};

/* Counts the threads that records of a provider name and that were not there before. */
void tids_count(struct tids *tids, uint32_t provider, const uint64_t *records, size_t words);

#endif
