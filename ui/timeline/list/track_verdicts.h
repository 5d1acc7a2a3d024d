/* track_verdicts.h - which tracks a filter holds for, as far as they were asked.
 *
 * To ask a track costs microseconds, because its texts are built and matched. So each is asked once
 * for a version of the trace, in steps or when the list of tracks needs it. */
#ifndef FXTOP_TRACK_VERDICTS_H
#define FXTOP_TRACK_VERDICTS_H

#include <stdint.h>

#include "src/base/vec.h"

enum track_verdict { VERDICT_UNKNOWN, VERDICT_HIDES, VERDICT_SHOWS };

struct track_verdict_kind {
    VEC(uint8_t) v; /* enum track_verdict, by number of the track */
};

struct track_verdicts {
    VEC(struct track_verdict_kind) kinds; /* by kind of track */
    uint64_t version;                     /* of the trace */
    bool pending; /* the list of tracks waits until all are asked; this far: */
    size_t kind;
    uint32_t next;
    uint32_t hits, of; /* tracks that the filter holds for so far, of those that can be shown */
};

void track_verdicts_free(struct track_verdicts *verdicts);
/* Forgets all verdicts; all have to be asked again. */
void track_verdicts_begin(struct track_verdicts *verdicts, uint64_t version);
/* The verdict on a track; valid until the next call of any of these functions. */
uint8_t *track_verdicts_at(struct track_verdicts *verdicts, uint64_t version, size_t kind,
                           uint32_t of);

#endif
