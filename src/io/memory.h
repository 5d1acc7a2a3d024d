/* memory.h - how much memory is free, and how much the index of a trace is likely to take. */
#ifndef FXTOP_MEMORY_H
#define FXTOP_MEMORY_H

#include <stdint.h>

/* Bytes that the system can give, or the limit of this process (ulimit -v) if that is less.
 * UINT64_MAX: neither is known. */
uint64_t memory_free(void);
/* Bytes that the index of a file is likely to take: 0.7 for each of its bytes, but none for holes,
 * where 0.3 to 0.6 were measured. A compressed file takes more. 0: it is no regular file. */
uint64_t memory_need(const char *path);

#endif
