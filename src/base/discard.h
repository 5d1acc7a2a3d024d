/* discard.h - freeing in the background: large data take longer to free than a key may wait. */
#ifndef FXTOP_DISCARD_H
#define FXTOP_DISCARD_H

#include "src/base/vec.h"

/* release(data) on a thread of its own, in the order of the calls; at once if no thread can
 * be started. It may free what data alone owns, and nothing else. */
void discard(void (*release)(void *data), void *data);
void discard_wait(void); /* returns when all is freed */

/* free() in the background if the allocation is large. */
void discard_memory(void *v, size_t bytes);
/* vec_free() of a vector, the same way. */
#define discard_vec(a)                                                                             \
    do {                                                                                           \
        if ((a)->cap > 0)                                                                          \
            discard_memory((a)->v, (a)->cap * sizeof *(a)->v);                                     \
        (a)->v = NULL;                                                                             \
        (a)->n = (a)->cap = 0;                                                                     \
    } while (0)

#endif
