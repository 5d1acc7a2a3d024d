/* dotted.h - arguments as Perfetto makes them of Chrome's JSON. */
#ifndef FXTOP_DOTTED_H
#define FXTOP_DOTTED_H

#include "model/query/detail.h"
#include "sql/arguments/arguments.h"

#define DOTTED_MOST 65536 /* of one row, at most */

/* Names begin with "args.". Objects and lists have an argument for each value: `args.data.url`,
 * `args.list[0]`. A null has none, and times of the thread are columns of slice. */
void dotted_arguments(struct arguments *arguments);
/* Adds the values in an object or a list of JSON, whose names begin with this one. False: the text
 * is no whole JSON, or too long; nothing is added. */
bool dotted_add(struct arguments *out, struct str name, struct str text);
/* Whether an argument is a time of the thread, `tts` or `tdur`. */
bool dotted_is_time(struct str name);
/* Such a time, microseconds in the source, in ns; false: the argument is no number. */
bool dotted_ns(const struct detail_argument *argument, int64_t *ns);

#endif
