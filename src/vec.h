/* vec.h - a growable array: struct { T *v; size_t n, cap; }, zero-initialised.
 *
 * vec_push(&a, x); a.v[i]; a.n; vec_free(&a). Pointers into it last until the next push. Growth is by half, so that
 * the copy is amortised; large ones move by mremap inside realloc and untouched capacity costs no memory. */
#ifndef FXTOP_VEC_H
#define FXTOP_VEC_H

#include <stdlib.h>

#include "src/err.h"

#define VEC(T)                                                                                                         \
    struct {                                                                                                           \
        T *v;                                                                                                          \
        size_t n, cap;                                                                                                 \
    }

#define vec_reserve(a, want)                                                                                           \
    do {                                                                                                               \
        if ((a)->cap < (want)) {                                                                                       \
            size_t cap_ = (a)->cap + (a)->cap / 2 + 4;                                                                 \
            if (cap_ < (want))                                                                                         \
                cap_ = (want);                                                                                         \
            (a)->v = err_realloc((a)->v, cap_, sizeof *(a)->v);                                                        \
            (a)->cap = cap_;                                                                                           \
        }                                                                                                              \
    } while (0)

#define vec_push(a, x)                                                                                                 \
    do {                                                                                                               \
        vec_reserve((a), (a)->n + 1);                                                                                  \
        (a)->v[(a)->n++] = (x);                                                                                        \
    } while (0)

#define vec_free(a)                                                                                                    \
    do {                                                                                                               \
        free((a)->v);                                                                                                  \
        (a)->v = NULL;                                                                                                 \
        (a)->n = (a)->cap = 0;                                                                                         \
    } while (0)

#endif
