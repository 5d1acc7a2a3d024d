/* event_frame.h - stack frames by number ("stackFrames"), and the stacks that they make. */
#ifndef FXTOP_EVENT_FRAME_H
#define FXTOP_EVENT_FRAME_H

#include "src/base/map.h"
#include "src/base/str.h"
#include "src/base/vec.h"

struct event_frame {
    struct str id, name, parent; /* one allocation, at id.s */
};

struct event_frames {
    struct map ids;
    VEC(struct event_frame) v;
    size_t bytes; /* of all */
};

void event_frames_free(struct event_frames *frames);
/* Keeps copies. A frame with a known id is ignored, and so are all after a MiB of them. */
void event_frames_add(struct event_frames *frames, struct str id, struct str name, struct str parent);
/* Writes the names from the outermost frame to this one, "a;b;c", to `to`: at most cap bytes, the innermost ones if not
 * all fit. Returns their number; 0: no such frame. */
size_t event_frames_stack(const struct event_frames *frames, struct str id, char *to, size_t cap);

#endif
