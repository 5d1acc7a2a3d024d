/* scopes.h - the instants of JSON that are for a process or for all, which Perfetto has on tracks
 * of their own. */
#ifndef FXTOP_SCOPES_H
#define FXTOP_SCOPES_H

#include "sql/source.h"

enum scope { SCOPE_THREAD, SCOPE_PROCESS, SCOPE_GLOBAL, SCOPES };

struct scopes_thread { /* the instants of a thread by their scopes */
    VEC(struct instant) v[SCOPES];
    int64_t track[SCOPES];
};

struct scopes {
    VEC(struct scopes_thread) threads; /* those that have others than of the thread */
    uint32_t *of;                      /* by number of a thread: its place in `threads` + 1, or 0 */
    /* their processes, after the tracks of counters; NO_PROCESS: the one for all */
    VEC(uint32_t) tracks;
};

/* Made when they are first asked for; traces of other formats have none. */
const struct scopes *scopes_of(struct source *source);
/* The instants of a thread; NULL: all are its own. */
const struct scopes_thread *scopes_of_thread(struct source *source, uint32_t thread);
/* The first of their tracks. */
int64_t scopes_first_track(struct source *source);

#endif
