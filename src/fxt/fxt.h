/* fxt.h - the numbers of the wire format, in the order and words of fxt(5).
 *
 * Words have 64 bits, and bits are counted from the lowest: FXT_BITS(word, lowest, highest), both
 * inclusive. Sizes count words, the header included. The fields of each record are in
 * record_layout.h. */
#ifndef FXTOP_FXT_H
#define FXTOP_FXT_H

#include <stdint.h>

#define FXT_BITS(word, lo, hi) ((uint64_t)(word) >> (lo) & (~UINT64_C(0) >> (63 - ((hi) - (lo)))))
#define FXT_PUT(value, lo, hi)                                                                     \
    (((uint64_t)(value) & (~UINT64_C(0) >> (63 - ((hi) - (lo))))) << (lo))

#define FXT_MAGIC UINT64_C(0x0016547846040010)
#define FXT_MAGIC_NUMBER 0x16547846
#define FXT_NO_END UINT64_MAX /* end of a complete event that is not known (SEMANTICS 6.13) */

enum fxt_type { /* header [0..3] */
                FXT_METADATA = 0,
                FXT_INITIALIZATION = 1,
                FXT_STRING = 2,
                FXT_THREAD = 3,
                FXT_EVENT = 4,
                FXT_BLOB = 5,
                FXT_USERSPACE_OBJECT = 6,
                FXT_KERNEL_OBJECT = 7,
                FXT_SCHEDULING = 8,
                FXT_LOG = 9,
                FXT_PROFILER = 10,
                FXT_LARGE = 15,
};

enum fxt_metadata {
    FXT_PROVIDER_INFO = 1,
    FXT_PROVIDER_SECTION = 2,
    FXT_PROVIDER_EVENT = 3,
    FXT_TRACE_INFO = 4
};

enum fxt_event { /* event header [16..19] */
                 FXT_INSTANT = 0,
                 FXT_COUNTER = 1,
                 FXT_DURATION_BEGIN = 2,
                 FXT_DURATION_END = 3,
                 FXT_DURATION_COMPLETE = 4,
                 FXT_ASYNC_BEGIN = 5,
                 FXT_ASYNC_INSTANT = 6,
                 FXT_ASYNC_END = 7,
                 FXT_FLOW_BEGIN = 8,
                 FXT_FLOW_STEP = 9,
                 FXT_FLOW_END = 10,
};

enum fxt_scheduling { FXT_SWITCH_LEGACY = 0, FXT_SWITCH = 1, FXT_WAKEUP = 2 }; /* header [60..63] */
enum fxt_profiler { FXT_MODULE = 0, FXT_MMAP = 1, FXT_BACKTRACE = 2 };         /* header [16..19] */
enum fxt_large_format { FXT_LARGE_EVENT = 0, FXT_LARGE_ATTACHMENT = 1 };       /* header [40..43] */
/* header [48..55] */
enum fxt_blob { FXT_BLOB_DATA = 1, FXT_BLOB_LAST_BRANCH = 2, FXT_BLOB_PERFETTO = 3 };

enum fxt_argument { /* argument header [0..3] */
                    FXT_ARG_NULL = 0,
                    FXT_ARG_INT32 = 1,
                    FXT_ARG_UINT32 = 2,
                    FXT_ARG_INT64 = 3,
                    FXT_ARG_UINT64 = 4,
                    FXT_ARG_DOUBLE = 5,
                    FXT_ARG_STRING = 6,
                    FXT_ARG_POINTER = 7,
                    FXT_ARG_KOID = 8,
                    FXT_ARG_BOOL = 9,
                    FXT_ARG_BLOB = 10,
};

/* The argument of an end in place of one that its writer dropped (SEMANTICS 6.7). */
#define FXT_CUT_BY_LOSS "cut_by_loss"
/* The name of a blob without bytes: the record after it has a damaged time (SEMANTICS 4.7). */
#define FXT_DAMAGED STR("damaged time")
/* The name of a large event without bytes: its thread lived then (SEMANTICS 4.6). */
#define FXT_LIVED STR("lived at this time")
/* in a damaged legacy switch made of JSON: which of its states are damaged; else both are */
#define FXT_DAMAGED_PRIORITY 2

enum fxt_object { FXT_OBJECT_PROCESS = 1, FXT_OBJECT_THREAD = 2 }; /* others: fxt_object_name() */

/* A string reference is 0 for the empty string, an index, or this bit and the length of an inline
 * string in bytes. */
#define FXT_INLINE 0x8000u
#define FXT_STRING_MAX 0x7fffu

/* Every type and subtype of a record in one list: the kinds that the reader hands on and --records
 * prints. */
enum fxt_kind {
    FXT_K_PROVIDER_INFO,
    FXT_K_PROVIDER_SECTION,
    FXT_K_PROVIDER_EVENT,
    FXT_K_MAGIC,
    FXT_K_TRACE_INFO_UNKNOWN,
    FXT_K_METADATA_UNKNOWN,
    FXT_K_INITIALIZATION,
    FXT_K_STRING,
    FXT_K_THREAD,
    FXT_K_INSTANT,
    FXT_K_COUNTER,
    FXT_K_DURATION_BEGIN,
    FXT_K_DURATION_END,
    FXT_K_DURATION_COMPLETE,
    FXT_K_ASYNC_BEGIN,
    FXT_K_ASYNC_INSTANT,
    FXT_K_ASYNC_END,
    FXT_K_FLOW_BEGIN,
    FXT_K_FLOW_STEP,
    FXT_K_FLOW_END,
    FXT_K_EVENT_UNKNOWN,
    FXT_K_BLOB,
    FXT_K_USERSPACE_OBJECT,
    FXT_K_KERNEL_OBJECT,
    FXT_K_SWITCH_LEGACY,
    FXT_K_SWITCH,
    FXT_K_WAKEUP,
    FXT_K_SCHEDULING_UNKNOWN,
    FXT_K_LOG,
    FXT_K_MODULE,
    FXT_K_MMAP,
    FXT_K_BACKTRACE,
    FXT_K_PROFILER_UNKNOWN,
    FXT_K_LARGE_EVENT,
    FXT_K_LARGE_ATTACHMENT,
    FXT_K_LARGE_UNKNOWN,
    FXT_K_RECORD_UNKNOWN,
    FXT_K_COUNT
};

const char *fxt_kind_name(enum fxt_kind kind); /* "duration_begin" */
const char *fxt_object_name(uint8_t type);     /* "process", or NULL */
const char *fxt_scope_name(uint64_t scope);    /* of an instant: "thread", or NULL */
const char *fxt_argument_name(uint8_t type);   /* "int32", or NULL */

#endif
