/* fxt.c - names of record kinds, object types, argument types and scopes, as all output has
 * them. */
#include "src/fxt/fxt.h"

#include <stddef.h>

const char *fxt_kind_name(enum fxt_kind kind) {
    static const char *const names[FXT_K_COUNT] = {
        [FXT_K_PROVIDER_INFO] = "provider_info",
        [FXT_K_PROVIDER_SECTION] = "provider_section",
        [FXT_K_PROVIDER_EVENT] = "provider_event",
        [FXT_K_MAGIC] = "magic",
        [FXT_K_TRACE_INFO_UNKNOWN] = "trace_info",
        [FXT_K_METADATA_UNKNOWN] = "metadata",
        [FXT_K_INITIALIZATION] = "init",
        [FXT_K_STRING] = "string",
        [FXT_K_THREAD] = "thread",
        [FXT_K_INSTANT] = "instant",
        [FXT_K_COUNTER] = "counter",
        [FXT_K_DURATION_BEGIN] = "duration_begin",
        [FXT_K_DURATION_END] = "duration_end",
        [FXT_K_DURATION_COMPLETE] = "duration_complete",
        [FXT_K_ASYNC_BEGIN] = "async_begin",
        [FXT_K_ASYNC_INSTANT] = "async_instant",
        [FXT_K_ASYNC_END] = "async_end",
        [FXT_K_FLOW_BEGIN] = "flow_begin",
        [FXT_K_FLOW_STEP] = "flow_step",
        [FXT_K_FLOW_END] = "flow_end",
        [FXT_K_EVENT_UNKNOWN] = "event",
        [FXT_K_BLOB] = "blob",
        [FXT_K_USERSPACE_OBJECT] = "userspace_object",
        [FXT_K_KERNEL_OBJECT] = "kernel_object",
        [FXT_K_SWITCH_LEGACY] = "context_switch_legacy",
        [FXT_K_SWITCH] = "context_switch",
        [FXT_K_WAKEUP] = "thread_wakeup",
        [FXT_K_SCHEDULING_UNKNOWN] = "scheduling",
        [FXT_K_LOG] = "log",
        [FXT_K_MODULE] = "module",
        [FXT_K_MMAP] = "mmap",
        [FXT_K_BACKTRACE] = "backtrace",
        [FXT_K_PROFILER_UNKNOWN] = "profiler",
        [FXT_K_LARGE_EVENT] = "large_blob_event",
        [FXT_K_LARGE_ATTACHMENT] = "large_blob",
        [FXT_K_LARGE_UNKNOWN] = "large",
        [FXT_K_RECORD_UNKNOWN] = "record",
    };
    return names[kind];
}

const char *fxt_object_name(uint8_t type) {
    static const char *const names[] = {
        [1] = "process",    [2] = "thread",         [3] = "vmo",
        [4] = "channel",    [5] = "event",          [6] = "port",
        [9] = "interrupt",  [11] = "pci device",    [12] = "log",
        [14] = "socket",    [15] = "resource",      [16] = "event pair",
        [17] = "job",       [18] = "vmar",          [19] = "fifo",
        [20] = "guest",     [21] = "vcpu",          [22] = "timer",
        [23] = "iommu",     [24] = "bti",           [25] = "profile",
        [26] = "pmt",       [27] = "suspend token", [28] = "pager",
        [29] = "exception", [30] = "clock",         [31] = "stream",
        [32] = "msi",
    };
    return type < sizeof names / sizeof *names ? names[type] : NULL;
}

const char *fxt_argument_name(uint8_t type) {
    static const char *const names[] = {"null",   "int32",   "uint32", "int64", "uint64", "double",
                                        "string", "pointer", "koid",   "bool",  "blob"};
    return type < sizeof names / sizeof *names ? names[type] : NULL;
}

const char *fxt_scope_name(uint64_t scope) {
    static const char *const names[] = {"thread", "process", "global"};
    return scope < sizeof names / sizeof *names ? names[scope] : NULL;
}
