/* vec.h - a growable array: struct { T *v; size_t n, cap; }, zero-initialised.
 *
 * vec_push(&a, x); a.v[i]; a.n; vec_free(&a). Pointers into it last until the next push. Growth is by half, so that
 * the copy is amortised; large ones move by mremap inside realloc and untouched capacity costs no memory. Where cap is 0
 * and n is not, v is borrowed (cache.h): it is not freed, and copied when it grows. */
#ifndef FXTOP_VEC_H
#define FXTOP_VEC_H

#include <stdlib.h>
#include <string.h>

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
            void *old_ = (a)->v;                                                                                       \
            bool borrowed_ = (a)->cap == 0;                                                                            \
            (a)->v = err_realloc(borrowed_ ? NULL : old_, cap_, sizeof *(a)->v);                                       \
            if (borrowed_ && (a)->n > 0)                                                                               \
                memcpy((a)->v, old_, (a)->n * sizeof *(a)->v);                                                         \
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
        if ((a)->cap > 0)                                                                                              \
            free((a)->v);                                                                                              \
        (a)->v = NULL;                                                                                                 \
        (a)->n = (a)->cap = 0;                                                                                         \
    } while (0)

#endif
