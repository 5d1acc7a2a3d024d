/* plugin.c - a library with trace macros, for record.sh: traced loads it, calls it, and unloads
 * it. */
#include <lib/trace/event.h>

void plugin_run(int round);

void plugin_run(int round) {
    TRACE_DURATION("plugin", "in the plugin", "round", TA_INT32(round));
    TRACE_INSTANT("plugin", "here", TRACE_SCOPE_THREAD, "round", TA_INT32(round));
}
