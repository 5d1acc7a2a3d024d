/* event_frame.h - stack frames by number ("stackFrames"), and the stacks that they make.
 *
 * Most writers put the frames after the events. Then an event has the number of its frame as
 * a pointer. In the end the pointers become userspace objects, named by their stacks. */
#ifndef FXTOP_EVENT_FRAME_H
#define FXTOP_EVENT_FRAME_H

#include "src/base/map.h"
#include "src/base/str.h"
#include "src/base/u64map.h"
#include "src/base/vec.h"
#include "src/fxt/writer.h"

#define EVENT_FRAME_POINTERS 4096 /* that become objects */
#define EVENT_FRAME_STACK 8192    /* bytes of a stack */

struct event_frame {
    struct str id, name, parent; /* one allocation, at id.s */
};

struct event_frame_pointer {
    uint64_t pid, number;
};

struct event_frames {
    VEC(struct event_frame_pointer) pointers;
    struct u64map pointed; /* a hash of each */
    struct map ids;
    VEC(struct event_frame) v;
    size_t bytes; /* of all */
};

void event_frames_free(struct event_frames *frames);
/* Keeps copies. A frame with a known id is ignored. False: a MiB of them is full. */
bool event_frames_add(struct event_frames *frames, struct str id, struct str name,
                      struct str parent);
/* Writes the names from the outermost frame to this one, "a;b;c", to `to`: at most cap bytes, the
 * innermost ones if not all fit. Returns their number; 0: no such frame. */
/* A process has a pointer to a frame that is still to come. */
void event_frames_point(struct event_frames *frames, uint64_t pid, uint64_t number);
/* Writes the objects of all pointers whose frame has come. */
void event_frames_write(const struct event_frames *frames, struct writer *w);
size_t event_frames_stack(const struct event_frames *frames, struct str id, char *to, size_t cap);

#endif
