/* packets.h - one packet of a Perfetto trace: the state of its sequence, its time, and its
 * contents. */
#ifndef FXTOP_PACKETS_H
#define FXTOP_PACKETS_H

#include "src/import/perfetto/bundles.h"
#include "src/import/perfetto/clocks.h"
#include "src/import/perfetto/track_events.h"

struct packets {
    struct import_lines lines;
    struct kernel_events kernel;
    struct sequences sequences;
    struct clocks clocks;
    struct clocks_wall wall;
    struct event_tracks tracks;
    struct track_events events;
    struct bundles bundles;
};

void packets_init(struct packets *p);
void packets_free(struct packets *p);
/* The source ends. */
void packets_end(struct packets *p);

struct packets_within { /* packets within one, compressed; bytes.s is NULL: none */
    struct str bytes;
    bool zstd;
};
/* Takes a TracePacket. at: its byte in the source. */
struct packets_within packets_take(struct packets *p, struct str message, uint64_t at);

#endif
