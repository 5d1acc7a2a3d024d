/* lttng_events.h - the tracepoints of lttng.c. LTTng's headers read this file several times. */
#undef LTTNG_UST_TRACEPOINT_PROVIDER
#define LTTNG_UST_TRACEPOINT_PROVIDER fxtop_bench
#undef LTTNG_UST_TRACEPOINT_INCLUDE
#define LTTNG_UST_TRACEPOINT_INCLUDE "tests/bench/lttng_events.h"

#if !defined(LTTNG_EVENTS_H) || defined(LTTNG_UST_TRACEPOINT_HEADER_MULTI_READ)
#define LTTNG_EVENTS_H

#include <lttng/tracepoint.h>

LTTNG_UST_TRACEPOINT_EVENT(fxtop_bench, instant, LTTNG_UST_TP_ARGS(), LTTNG_UST_TP_FIELDS())
LTTNG_UST_TRACEPOINT_EVENT(fxtop_bench, instant_1, LTTNG_UST_TP_ARGS(int, a),
                           LTTNG_UST_TP_FIELDS(lttng_ust_field_integer(int, a, a)))
LTTNG_UST_TRACEPOINT_EVENT(
    fxtop_bench, instant_4, LTTNG_UST_TP_ARGS(int, a, int, b, int, c, int, d),
    LTTNG_UST_TP_FIELDS(lttng_ust_field_integer(int, a, a) lttng_ust_field_integer(int, b, b)
                            lttng_ust_field_integer(int, c, c) lttng_ust_field_integer(int, d, d)))

#endif

#include <lttng/tracepoint-event.h>
