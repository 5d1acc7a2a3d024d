/* vec.h - a growable array: struct { T *v; size_t n, cap; }, zero-initialised.
 *
 * vec_push(&a, x); a.v[i]; a.n; vec_free(&a). Pointers into it last until the next push. Growth
 * doubles what is small, so that the copy is amortised. After vec_map_large() large ones move by
 * mremap inside realloc, without a copy, and grow by half. Untouched capacity costs no memory. If
 * cap is 0 and n is not, v is borrowed (cache.h): it is not freed, and copied when it grows. */
#ifndef FXTOP_VEC_H
#define FXTOP_VEC_H

#include <stdlib.h>

#include "src/base/err.h"

#define VEC(T)                                                                                     \
    struct {                                                                                       \
        T *v;                                                                                      \
        size_t n, cap;                                                                             \
    }

/* Has the C library map each allocation of more than half a MB by itself, for the whole run.
 * Otherwise it learns from what is freed to keep up to 32 MB in its heap, where growth copies them
 * at once: 10 ms and more. Its heap grows by half a MB: so none of them is at its end, where zeros
 * cost a touch of each page. */
void vec_map_large(void);

/* Makes space for `want` elements, of which n are in use. */
void *vec_grow(void *v, size_t n, size_t *cap, size_t want, size_t size);
void vec_drop(void *v, size_t cap);

#define vec_reserve(a, want)                                                                       \
    do {                                                                                           \
        if ((a)->cap < (want))                                                                     \
            (a)->v = vec_grow((a)->v, (a)->n, &(a)->cap, (want), sizeof *(a)->v);                  \
    } while (0)

/* Maps the whole pages of an allocation at once, before it is filled: one page fault after the
 * other costs half as much again. */
void vec_map_pages(void *v, size_t bytes);

#define vec_push(a, x)                                                                             \
    do {                                                                                           \
        vec_reserve((a), (a)->n + 1);                                                              \
        (a)->v[(a)->n++] = (x);                                                                    \
    } while (0)

#define vec_free(a)                                                                                \
    do {                                                                                           \
        vec_drop((a)->v, (a)->cap);                                                                \
        (a)->v = NULL;                                                                             \
        (a)->n = (a)->cap = 0;                                                                     \
    } while (0)

#endif
