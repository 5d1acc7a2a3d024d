/* turns.h - while a trace is read or grows, reading and background work take turns.
 *
 * An answer is of one version of the trace, and each step of reading makes another one. So the
 * trace is not read during a turn of background work: what was asked is finished. A turn begins
 * after a key, or if the answers are of an older version. Before it, reading has had as much time
 * as the last turn took, or without a key TURNS_READING times as much. While a query reads the
 * trace (turns.held), the turn does not end. A complete trace needs no turns. Times are those of
 * clock_now(). */
#ifndef FXTOP_TURNS_H
#define FXTOP_TURNS_H

#include "ui/session.h"

#define TURNS_READING 3
#define TURNS_LOADING_NS 1000000000 /* from one turn to the next without a key, while loading */
#define TURNS_WAITING_NS 100000000  /* the same while more is waited for */
#define TURNS_QUIET_NS 250000000
/* a longer turn is interrupted, for reading goes on in any case */
#define TURNS_MOST_NS 10000000000

void turns_key(struct app *app); /* a key asks for something */
/* Whether it is the turn of background work; then the trace must not be read. It may begin here. */
bool turns_working(struct app *app, int64_t now);
/* A step of background work was done; more: there is more. */
void turns_worked(struct app *app, bool more, int64_t now);
/* Whether frames wait for the end of the turn: no key has asked for it, and it has not taken long
 * so far. So what is counted again is not seen to vanish. */
bool turns_quiet(const struct app *app, int64_t now);
/* ms until the next turn may begin; -1: none is due. */
int turns_wait(const struct app *app, int64_t now);

#endif
