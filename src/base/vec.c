/* vec.c - growth and release of vectors, out of line: vec_push() is inlined in hundreds of
 * places. */
#include "src/base/vec.h"

#include <sys/mman.h>

#ifdef HAVE_MALLOPT
#include <malloc.h>
#endif
#include <string.h>

#define LARGE (1 << 20) /* bytes */

void vec_map_large(void) {
#ifdef HAVE_MALLOPT
    mallopt(M_MMAP_THRESHOLD, LARGE / 2);
    /* free at the end of the heap until the system gets it back */
    mallopt(M_TRIM_THRESHOLD, 8 * LARGE);
    mallopt(M_TOP_PAD, LARGE / 2);
#endif
}

void *vec_grow(void *v, size_t n, size_t *cap, size_t want, size_t size) {
    /* large ones move without a copy */
    size_t by = *cap < LARGE / size ? *cap : *cap / 2, more = *cap + by + 4;
    bool borrowed = *cap == 0;
    *cap = more < want ? want : more;
    void *to = err_realloc(borrowed ? NULL : v, *cap, size);
    return borrowed && n > 0 ? memcpy(to, v, n * size) : to;
}

void vec_drop(void *v, size_t cap) {
    if (cap > 0)
        free(v);
}

void vec_map_pages(void *v, size_t bytes) {
#ifdef MADV_POPULATE_WRITE
    const uintptr_t page = 4096;
    uintptr_t from = ((uintptr_t)v + page - 1) & ~(page - 1),
              end = ((uintptr_t)v + bytes) & ~(page - 1);
    if (from < end)
        madvise((void *)from, end - from, MADV_POPULATE_WRITE);
#else
    (void)v;
    (void)bytes;
#endif
}
