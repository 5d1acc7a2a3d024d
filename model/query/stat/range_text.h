/* range_text.h - ranges as typed in options: "1.5s..1.6s". */
#ifndef FXTOP_RANGE_TEXT_H
#define FXTOP_RANGE_TEXT_H

#include "model/query/stat/range.h"
#include "model/query/stat/time_text.h"
#include "src/base/err.h"

/* Parses A..B, two times of time_text.h, and sets the time of the range. "+20ms" as B counts from
 * A. Without A or B the range is open: it begins or ends with the trace, and "-20us" counts from
 * the end. Fails with one line: it is no range, or an empty one, or outside of the trace. ascii:
 * that line is in ASCII. */
bool range_text_parse(struct range *range, const struct trace *trace, const struct time_text *how,
                      const char *text, bool ascii, struct err *err);

#endif
