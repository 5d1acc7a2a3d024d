/* ahead.c - maps pages of the file before the reader comes to them.
 *
 * If the window of the file moves meanwhile, the addresses mean other memory, or none. Then useless
 * pages are mapped, or the call fails and later ones go on. */
#include "model/trace/ahead.h"

#include <errno.h>
#include <sys/mman.h>

#define NEAR (UINT64_C(128) << 10) /* bytes that the reader passes before the worker wakes up */
#define FAR (UINT64_C(4) << 20)    /* bytes before the reader that are mapped */
#define LEAST (UINT64_C(1) << 20)  /* bytes that are worth waking up for */
/* bytes at a time: the reader may have to wait for it to get memory */
#define PART ((size_t)512 << 10)

#ifdef MADV_POPULATE_READ
static void map(void *ctx, void *none) {
    struct ahead *ahead = ctx;
    (void)none;
    for (const unsigned char *at = ahead->from; at < ahead->end; at += PART) {
        size_t left = (size_t)(ahead->end - at);
        if (madvise((void *)(uintptr_t)at, left < PART ? left : PART, MADV_POPULATE_READ) != 0) {
            /* there is no memory at the addresses: the window has moved */
            ahead->failed = errno != ENOMEM;
            return;
        }
    }
}
#endif

void ahead_give(struct ahead *ahead, struct file *file, uint64_t at, struct worker *worker) {
#ifdef MADV_POPULATE_READ
    /* or a multiple: then the system refuses, or the addresses are whole pages, too */
    const uint64_t page = 4096;
    uint64_t from = at + NEAR, end = at + FAR, size = file_size(file);
    from = (from > ahead->until ? from : ahead->until) & ~(page - 1);
    end = (end < size ? end : size) & ~(page - 1);
    if (from + LEAST > end || !file_is_whole(file) || !worker_idles(worker, ahead) || ahead->failed)
        return;
    size_t n;
    ahead->from = file_span(file, from, 8, &n);
    ahead->end = ahead->from + (end - from);
    ahead->until = end;
    worker_give(worker, map, ahead, NULL);
#else
    (void)ahead;
    (void)file;
    (void)at;
    (void)worker;
#endif
}
