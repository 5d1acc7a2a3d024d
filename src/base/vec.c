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

#define PART (UINT64_C(1) << 20) /* bytes between two looks at the budget */
#define PART_COST 2048           /* of them, in its units */

bool vec_release(void *v, size_t *bytes, struct budget *budget) {
    const uintptr_t page = 4096;
    if (budget_is_endless(budget))
        return true;
    while (*bytes > 2 * PART) { /* no page of it is shared with another allocation */
        uintptr_t end = ((uintptr_t)v + *bytes) & ~(page - 1), from = (end - PART) & ~(page - 1);
        madvise((void *)from, end - from, MADV_DONTNEED);
        *bytes = from - (uintptr_t)v;
        if (!budget_spend(budget, PART_COST))
            return false;
    }
    return true;
}

bool vec_release_cap(void *v, size_t *cap, size_t size, struct budget *budget) {
    size_t bytes = *cap * size;
    bool done = vec_release(v, &bytes, budget);
    *cap = bytes / size;
    return done;
}
