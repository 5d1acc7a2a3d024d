/* discard.h - freeing in the background: large data take longer to free than a key may wait. */
#ifndef FXTOP_DISCARD_H
#define FXTOP_DISCARD_H

/* release(data) on a thread of its own, in the order of the calls; at once if no thread can
 * be started. It may free what data alone owns, and nothing else. */
void discard(void (*release)(void *data), void *data);
void discard_wait(void); /* returns when all is freed */

#endif
