/* slice_extra.h - what belongs to a slice but does not fit into its 24 bytes: a side table, asked by key.
 *
 * The owner of the trace implements the functions. Both threads may call set() and get() at one time
 * (src/base/worker.h). end_name() reads the file, so only the reader thread calls it. */
#ifndef FXTOP_SLICE_EXTRA_H
#define FXTOP_SLICE_EXTRA_H

#include "model/store/slice.h"

struct worker;

struct slice_extra {
    void *ctx;
    uint32_t (*end_name)(void *ctx, uint64_t offset); /* name in the record there, decoded again */
    void (*set)(void *ctx, uint64_t key, uint64_t value);
    uint64_t (*get)(void *ctx, uint64_t key); /* UINT64_MAX: no such key */
    struct worker *worker;                    /* nests full event buffers; NULL: the thread that adds events does */
};

/* Keys: byte offset of the slice's begin record, plus one of these. */
#define SLICE_EXTRA_END 0        /* byte offset of its end record */
#define SLICE_EXTRA_PARENT_ROW 1 /* row of the parent of a displaced slice; NEST_NO_ROW: it has none */
#define SLICE_EXTRA_DEPTH 2      /* depth of an async operation, if not 0 */

/* Byte offset of the end record of a slice; 0 if it has none. */
uint64_t slice_extra_end_offset(const struct slice_extra *extra, const struct slice *slice);
/* Ends an open slice at `time`, by the record at byte `offset`; adds `flags` (enum slice_flag). */
void slice_extra_close(const struct slice_extra *extra, struct slice *slice, int64_t time, uint64_t offset,
                       unsigned flags);

#endif
