/* provider.h - the writers of a trace: their string and thread tables, and their clocks. */
#ifndef FXTOP_PROVIDER_H
#define FXTOP_PROVIDER_H

#include <stdbool.h>

#include "src/base/str.h"
#include "src/fxt/index_table.h"

#define TIME_BRIEF ((UINT64_C(1) << 61) - 1) /* ns: the difference of two such needs no check */

struct clock {
    uint64_t tps;   /* ticks per second; 1 tick = 1 ns where 0 */
    uint64_t scale; /* ns a tick where that is whole, else 0 */
    uint64_t brief; /* ticks that are at most TIME_BRIEF ns; 0 where scale is */
};

#define PROVIDER_NO_TIME INT64_MIN /* no event has that: it would be out of range */

struct provider {
    uint32_t number; /* place in the file's order; 0 is the implicit one */
    uint32_t id;
    struct str name; /* owned */
    uint64_t offset; /* of the record that made it */
    bool declared;   /* by a provider info record */
    bool implicit;
    struct index_table strings; /* value: name id + 1 */
    struct index_table threads; /* value: thread number + 1 */
    struct clock clock;
    uint64_t records;
    int64_t last_time; /* of its last event; PROVIDER_NO_TIME: it has none */
};

#endif
