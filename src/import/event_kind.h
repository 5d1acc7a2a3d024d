/* event_kind.h - JSON of another use than Chrome's trace events, by its first keys. */
#ifndef FXTOP_EVENT_KIND_H
#define FXTOP_EVENT_KIND_H

#include "src/base/str.h"

/* Names JSON with these keys, `a, b, c` and a NUL; NULL: not known. */
const char *event_kind(struct str keys);

#endif
