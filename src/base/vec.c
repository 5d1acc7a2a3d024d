/* vec.c - growth and release of vectors, out of line: vec_push() is inlined in hundreds of places. */
#include "src/base/vec.h"

#include <string.h>

void *vec_grow(void *v, size_t n, size_t *cap, size_t want, size_t size) {
    size_t more = *cap + *cap / 2 + 4;
    bool borrowed = *cap == 0;
    *cap = more < want ? want : more;
    void *to = err_realloc(borrowed ? NULL : v, *cap, size);
    return borrowed && n > 0 ? memcpy(to, v, n * size) : to;
}

void vec_drop(void *v, size_t cap) {
    if (cap > 0)
        free(v);
}
