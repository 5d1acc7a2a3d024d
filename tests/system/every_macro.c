/* every_macro.c - each macro of fxttrace(3) from C, as code for Fuchsia has it; compiled by
 * macros.sh. */
#include <lib/trace/event.h>
#include <stdint.h>
static void other(int i) {
    TRACE_DURATION("app", "other", "i", TA_INT32(i), "s", TA_STRING("x"));
    (void)i;
}
int main(void) {
    char blob[64] = {1};
    uint64_t id = TRACE_NONCE();
    if (TRACE_ENABLED() && TRACE_CATEGORY_ENABLED("app"))
        other(1);
    TRACE_INSTANT("app", "i", TRACE_SCOPE_PROCESS);
    TRACE_INSTANT("app", "i2", TRACE_SCOPE_GLOBAL, "a", TA_NULL(), "b", TA_BOOL(true), "c",
                  TA_CHAR_ARRAY(blob, 4));
    TRACE_ALERT("app", "alert");
    TRACE_COUNTER("app", "count", 0, "x", TA_UINT32(5), "y", TA_DOUBLE(0.25));
    TRACE_DURATION_BEGIN("app", "b");
    TRACE_DURATION_END("app", "b", "k", TA_KOID(7));
    TRACE_ASYNC_BEGIN("app", "as", id);
    TRACE_ASYNC_INSTANT("app", "as", id, "p", TA_POINTER(blob));
    TRACE_ASYNC_END("app", "as", id);
    TRACE_FLOW_BEGIN("app", "fl", id);
    TRACE_FLOW_STEP("app", "fl", id);
    TRACE_FLOW_END("app", "fl", id);
    TRACE_INSTAFLOW_BEGIN("app", "flow", "step0", id);
    TRACE_INSTAFLOW_STEP("app", "flow", "step1", id, "a", TA_INT64(1));
    TRACE_INSTAFLOW_END("app", "flow", "step2", id);
    TRACE_BLOB(TRACE_BLOB_TYPE_DATA, "blob", blob, sizeof blob);
    TRACE_BLOB_EVENT("app", "be", blob, sizeof blob, "n", TA_UINT64(64));
    TRACE_BLOB_ATTACHMENT("app", "ba", blob, sizeof blob);
    TRACE_VTHREAD_DURATION_BEGIN("app", "vd", "vthread", 1, fxttrace_ticks(), "a", TA_INT32(1));
    TRACE_VTHREAD_FLOW_BEGIN("app", "vf", "vthread", 1, id, fxttrace_ticks());
    TRACE_VTHREAD_FLOW_STEP("app", "vf", "vthread", 1, id, fxttrace_ticks());
    TRACE_VTHREAD_FLOW_END("app", "vf", "vthread", 1, id, fxttrace_ticks());
    TRACE_VTHREAD_COUNTER("app", "vc", "vthread", 1, 3, fxttrace_ticks(), "v", TA_INT32(3));
    TRACE_VTHREAD_DURATION_END("app", "vd", "vthread", 1, fxttrace_ticks());
    fxttrace_begin("app", "plain");
    fxttrace_end("app", "plain");
    fxttrace_complete("app", "complete", fxttrace_ticks(), NULL, 0);
    fxttrace_instant("app", "x");
    fxttrace_counter("app", "c", 1, "k", 1.5);
    return 0;
}
