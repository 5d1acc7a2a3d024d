/* track_spec.h - a track as text and back: "thread 1100/1101", "process 1100", "async 1100 Fetch",
 * "counter 1100 heap.used", "cpu 3", "cpus", "log", "profile".
 *
 * A name has no byte but printable ASCII: others are written as \xNN. The text of a track finds it
 * in another trace that has such a track; of equals it finds the first. */
#ifndef FXTOP_TRACK_SPEC_H
#define FXTOP_TRACK_SPEC_H

#include "model/output/chars.h"
#include "ui/session.h"

/* Appends the text of a track; false: it has none. process: of a header, else unused. */
bool track_spec_write(struct trace *trace, const struct track_ops *kind, uint32_t of,
                      uint32_t process, struct chars *out);
/* Finds the track of a text: its kind, and its number or, of headers, its process. */
bool track_spec_find(struct trace *trace, const char *text, struct track *track);

#endif
