/* kept_bytes.h - bytes of a trace that an index keeps, since the file of the trace has others: the
 * words that it was inflated or converted to, and the marks of an import. */
#ifndef FXTOP_KEPT_BYTES_H
#define FXTOP_KEPT_BYTES_H

#include <stdint.h>

#define KEPT_BYTES 2 /* the words, and the marks */

struct kept_bytes { /* [at, at + n) of a descriptor, which is its opener's */
    int fd;
    uint64_t at, n;
};

#endif
