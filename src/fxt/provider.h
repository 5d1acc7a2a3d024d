/* provider.h - the writers of a trace: their string and thread tables, and their clocks.
 *
 * The reader owns the providers. Records before the first provider belong to the implicit provider (SEMANTICS 3.4). */
#ifndef FXTOP_PROVIDER_H
#define FXTOP_PROVIDER_H

#include <stdbool.h>

#include "src/base/str.h"
#include "src/fxt/index_table.h"

#define TIME_BRIEF ((UINT64_C(1) << 61) - 1) /* ns: the difference of two such times cannot overflow */

struct clock {
    uint64_t tps;   /* ticks per second; never 0 */
    uint64_t scale; /* ns per tick if that is a whole number, else 0 */
    uint64_t brief; /* the most ticks that are at most TIME_BRIEF ns; 0 if scale is 0 */
};

#define PROVIDER_NO_TIME INT64_MIN /* no event has this time: it is out of range */

struct provider {
    uint32_t number; /* in the order of the file; 0 is the implicit provider */
    uint32_t id;
    struct str name; /* owned */
    uint64_t offset; /* of the first record that introduced or mentioned it, in bytes */
    bool declared;   /* a provider info record introduced it */
    bool implicit;
    struct index_table strings; /* value: name id + 1 */
    struct index_table threads; /* value: thread number + 1 */
    struct clock clock;
    uint64_t records;
    int64_t last_time; /* of its last event; PROVIDER_NO_TIME: it has no event */
};

#endif
