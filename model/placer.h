/* placer.h - a second pair of hands: places runs of events while the reader reads on.
 *
 * What is given is a full run of a nest, which then gets an empty one. Runs are placed in the order they were given, by
 * one thread, which touches nothing but the rows of their nests and the facts set aside for them: no bytes of the file,
 * no names, no other part of the model. Until placer_wait() nobody else may look at those.
 *
 * The thread starts with the first run, so that a small trace needs none. Where there is only one processor, or no
 * thread to be had, placer_give() places the run itself. */
#ifndef FXTOP_PLACER_H
#define FXTOP_PLACER_H

#include "model/nest.h"

struct placer;

struct placer *placer_new(const struct nest_aside *aside);
void placer_free(struct placer *placer); /* NULL is fine */

/* The fresh events of the nest, of which there are NEST_FRESH. May wait for room. */
void placer_give(struct placer *placer, struct nest *nest);
void placer_wait(struct placer *placer); /* until all is placed */
void placer_rest(struct placer *placer); /* waits, and keeps neither the thread nor memory until the next run */

#endif
