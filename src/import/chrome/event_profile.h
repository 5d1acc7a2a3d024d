/* event_profile.h - CPU profiles of V8 in Chrome's trace events: `Profile` begins one, of its
 * thread, and each `ProfileChunk` of the same process and id brings nodes and samples.
 *
 * Samples are on a row of their own, `NAME (samples)`, because the thread has slices. */
#ifndef FXTOP_EVENT_PROFILE_H
#define FXTOP_EVENT_PROFILE_H

#include "src/import/chrome/event_owner.h"
#include "src/import/profiles/samples.h"

struct event_profiles;

struct event_profiles *event_profiles_new(struct samples_out out, struct event_owners *owners);
void event_profiles_free(struct event_profiles *profiles);

struct event_profile_part {
    bool begins; /* it is `Profile` */
    uint64_t pid, tid, id;
    uint64_t ts, bias; /* ns: of the event; and what is added to all times */
    struct str data;   /* JSON */
    struct import_place source;
};

void event_profiles_take(struct event_profiles *profiles, const struct event_profile_part *part);
/* A thread has this name. */
void event_profiles_name(struct event_profiles *profiles, uint64_t pid, uint64_t tid,
                         struct str name);
/* No more will come. */
void event_profiles_end(struct event_profiles *profiles);

#endif
