/* track_scope.h - the tracks that a pattern names, as the gutter shows them: for ranges without a
 * screen.
 *
 * A pattern is a filter whose terms are about tracks: bare words, thread, process, pid, tid, cpu.
 * Each bare word is compared with the track's name, its name and number, and those of its process,
 * so a process brings its tracks. */
#ifndef FXTOP_TRACK_SCOPE_H
#define FXTOP_TRACK_SCOPE_H

#include "model/query/stat/range.h"
#include "src/base/err.h"

/* Tracks besides those of slice_iter.h: CPUs by place, and two single ones. */
#define SCOPE_CPU UINT32_C(0xf0000000)
#define SCOPE_PROFILE UINT32_C(0xfffffffd)
#define SCOPE_NONE UINT32_C(0xfffffffe) /* no track: in a set that matched nothing */

/* Puts the tracks that the pattern matches into an empty set. If there are none, that is
 * SCOPE_NONE, because an empty set is all tracks. Fails with one line: the pattern is no filter of
 * tracks. */
bool track_scope_find(struct trace *trace, const char *pattern, struct track_set *tracks,
                      struct err *err);
/* The threads, async groups, counters and CPUs in a set; and of all of the trace. */
size_t track_scope_count(const struct track_set *tracks);
size_t track_scope_all(const struct trace *trace);

/* The name of a counter's track: "bytes.sent", and " #3" after it for a counter with that
 * number. */
struct str track_scope_counter(const struct trace *trace, const struct counter_series *series,
                               char buf[96]);

#endif
