/* record_layout.c - the layout of every record and argument of fxt(5), as a table.
 *
 * Each record has an array of fields. Kinds that differ only in their end share the rows before it
 * through a macro. The bits and names are those of the lists in fxt(5); a test compares them. A
 * layout has one mask and one size, so that record_layout_plausible() does not go through the
 * fields. A test holds mask and size against the fields. */
#include "src/fxt/record_layout.h"

/* Faults of records that end before a field. */
enum missing {
    MISSING_NONE,
    MISSING_INLINE_PID,
    MISSING_INLINE_TID,
    MISSING_INLINE_STRING,
    MISSING_NAME,
    MISSING_COUNT,
    MISSING_CONTENTS,
    MISSING_ID,
    MISSING_TIMESTAMP,
    MISSING_TICKS_PER_SECOND,
    MISSING_STRING_TOO_LONG,
    MISSING_PROCESS_ID,
    MISSING_THREAD_ID,
    MISSING_TIME_OF_END,
    MISSING_POINTER,
    MISSING_KOID,
    MISSING_OUTGOING_THREAD,
    MISSING_INCOMING_THREAD,
    MISSING_THREAD,
    MISSING_MESSAGE_TOO_LONG,
    MISSING_BUILD_ID_TOO_LONG,
    MISSING_START,
    MISSING_SIZE,
    MISSING_VIRTUAL_ADDRESS,
    MISSING_LENGTH,
    MISSING_VALUE,
};

static const char *const missing_texts[] = {
    [MISSING_INLINE_PID] = "the inline process id does not fit",
    [MISSING_INLINE_TID] = "the inline thread id does not fit",
    [MISSING_INLINE_STRING] = "the inline string exceeds the record",
    [MISSING_NAME] = "the name exceeds the record",
    [MISSING_COUNT] = "fewer are present",
    [MISSING_CONTENTS] = "the contents exceed the record",
    [MISSING_ID] = "no space left for the id",
    [MISSING_TIMESTAMP] = "no space left for the timestamp",
    [MISSING_TICKS_PER_SECOND] = "no space left for the ticks per second",
    [MISSING_STRING_TOO_LONG] = "the string exceeds the record",
    [MISSING_PROCESS_ID] = "no space left for the process id",
    [MISSING_THREAD_ID] = "no space left for the thread id",
    [MISSING_TIME_OF_END] = "no space left for the time of the end",
    [MISSING_POINTER] = "no space left for the pointer",
    [MISSING_KOID] = "no space left for the koid",
    [MISSING_OUTGOING_THREAD] = "no space left for the outgoing thread",
    [MISSING_INCOMING_THREAD] = "no space left for the incoming thread",
    [MISSING_THREAD] = "no space left for the thread",
    [MISSING_MESSAGE_TOO_LONG] = "the message exceeds the record",
    [MISSING_BUILD_ID_TOO_LONG] = "the build id exceeds the record",
    [MISSING_START] = "no space left for the start",
    [MISSING_SIZE] = "no space left for the size",
    [MISSING_VIRTUAL_ADDRESS] = "no space left for the virtual address",
    [MISSING_LENGTH] = "no space left for the length",
    [MISSING_VALUE] = "the value does not fit",
};

const char *record_layout_missing(const struct record_field *field) {
    return missing_texts[field->missing];
}

/* ---- rows ---- */

/* One row a line. */
/* clang-format off */

#define BITS(lo_, hi_, kind_, flags_, name_)                                                                          \
    {.kind = (kind_), .lo = (lo_), .hi = (hi_), .flags = (flags_), .name = (name_)}
#define CHOICE(lo_, hi_, values_, flags_, name_)                                                                      \
    {.kind = FIELD_NUMBER, .lo = (lo_), .hi = (hi_), .values = (values_), .flags = (flags_), .name = (name_)}
#define RESERVED(lo_, hi_) {.kind = FIELD_RESERVED, .lo = (lo_), .hi = (hi_), .name = "reserved"}
#define OPAQUE(lo_) {.kind = FIELD_OPAQUE, .lo = (lo_), .hi = 63, .name = "not decoded"}
#define WORD(kind_, flags_, name_, missing_)                                                                          \
    {.kind = (kind_), .flags = (flags_), .name = (name_), .missing = (missing_)}
/* A field that the bits lo..hi govern. */
#define BY(lo_, hi_, kind_, flags_, name_, missing_)                                                                  \
    {.kind = (kind_), .lo = (lo_), .hi = (hi_), .flags = (flags_), .name = (name_), .missing = (missing_)}
/* The same two in, or by, the second header of a large blob. */
#define BITS2(lo_, hi_, kind_, flags_, name_)                                                                         \
    {.kind = (kind_), .word = 1, .lo = (lo_), .hi = (hi_), .flags = (flags_), .name = (name_)}
#define BY2(lo_, hi_, kind_, flags_, name_, missing_)                                                                 \
    {.kind = (kind_), .word = 1, .lo = (lo_), .hi = (hi_), .flags = (flags_), .name = (name_), .missing = (missing_)}

#define TIMESTAMP WORD(FIELD_TICKS, FIELD_SHOWN, "timestamp", MISSING_TIMESTAMP)
#define INLINE_THREAD(lo, hi)                                                                                         \
    BY(lo, hi, FIELD_INLINE_ID, 0, "process id", MISSING_INLINE_PID),                                                 \
    BY(lo, hi, FIELD_INLINE_ID, 0, "thread id", MISSING_INLINE_TID)
#define INLINE_PROCESS(lo, hi) /* some writers omit the thread id */                                                  \
    BY(lo, hi, FIELD_INLINE_ID, 0, "process id", MISSING_INLINE_PID),                                                 \
    BY(lo, hi, FIELD_INLINE_ID, FIELD_OMITTED, "thread id", MISSING_INLINE_TID)
#define ARGUMENTS(lo, hi) BY(lo, hi, FIELD_ARGUMENTS, 0, "arguments", MISSING_COUNT)

static const struct record_field framing[] = {
    CHOICE(0, 3, VALUES_RECORD, 0, "record type"),
    BITS(4, 15, FIELD_NUMBER, 0, "record size"),
};

static const struct record_field framing_large[] = {
    CHOICE(0, 3, VALUES_RECORD, 0, "record type"),
    BITS(4, 35, FIELD_NUMBER, 0, "record size"),
};

static const struct record_field record_unknown[] = {
    OPAQUE(16),
    WORD(FIELD_UNKNOWN_REST, 0, "not decoded", MISSING_NONE),
};

/* ---- metadata ---- */

static const struct record_field provider_info[] = {
    CHOICE(16, 19, VALUES_METADATA, 0, "metadata type"),
    BITS(20, 51, FIELD_NUMBER, FIELD_SHOWN, "provider id"),
    BITS(52, 59, FIELD_LENGTH, 0, "name length"),
    RESERVED(60, 63),
    BY(52, 59, FIELD_TEXT, FIELD_SHOWN, "name", MISSING_NAME),
};

static const struct record_field provider_section[] = {
    CHOICE(16, 19, VALUES_METADATA, 0, "metadata type"),
    BITS(20, 51, FIELD_PROVIDER, FIELD_SHOWN, "provider id"),
    RESERVED(52, 63),
};

static const struct record_field provider_event[] = {
    CHOICE(16, 19, VALUES_METADATA, 0, "metadata type"),
    BITS(20, 51, FIELD_PROVIDER, FIELD_SHOWN, "provider id"),
    CHOICE(52, 55, VALUES_PROVIDER_EVENT, FIELD_SHOWN, "event"),
    RESERVED(56, 63),
};

#define MAGIC_FIELDS(flags)                                                                                           \
    CHOICE(16, 19, VALUES_METADATA, 0, "metadata type"),                                                              \
    CHOICE(20, 23, VALUES_TRACE_INFO, flags, "trace info type"),                                                      \
    BITS(24, 55, FIELD_MAGIC, 0, "magic number"),                                                                     \
    RESERVED(56, 63)

static const struct record_field magic[] = {MAGIC_FIELDS(0)};
static const struct record_field not_magic[] = {MAGIC_FIELDS(FIELD_SHOWN)};

static const struct record_field trace_info_unknown[] = {
    CHOICE(16, 19, VALUES_METADATA, 0, "metadata type"),
    CHOICE(20, 23, VALUES_TRACE_INFO, FIELD_SHOWN, "trace info type"),
    OPAQUE(24),
    WORD(FIELD_UNKNOWN_REST, 0, "not decoded", MISSING_NONE),
};

static const struct record_field metadata_unknown[] = {
    CHOICE(16, 19, VALUES_METADATA, 0, "metadata type"),
    OPAQUE(20),
    WORD(FIELD_UNKNOWN_REST, 0, "not decoded", MISSING_NONE),
};

/* ---- definitions ---- */

static const struct record_field initialization[] = {
    BITS(16, 16, FIELD_NUMBER, 0, "ends close by name"),
    RESERVED(17, 63),
    WORD(FIELD_TICK_RATE, FIELD_SHOWN, "ticks per second", MISSING_TICKS_PER_SECOND),
    WORD(FIELD_WORD, FIELD_SHOWN | FIELD_TAIL, "base tick", MISSING_NONE),
    WORD(FIELD_WALL_TIME, FIELD_SHOWN | FIELD_TAIL, "base time", MISSING_NONE),
};

static const struct record_field string[] = {
    BITS(16, 30, FIELD_INDEX, FIELD_SHOWN, "index"),
    RESERVED(31, 31),
    BITS(32, 46, FIELD_LENGTH, 0, "length"),
    RESERVED(47, 47),
    RESERVED(48, 63),
    BY(32, 46, FIELD_TEXT, FIELD_SHOWN, "string", MISSING_STRING_TOO_LONG),
};

static const struct record_field thread[] = {
    BITS(16, 23, FIELD_INDEX, FIELD_SHOWN, "index"),
    RESERVED(24, 63),
    WORD(FIELD_WORD, FIELD_SHOWN, "process id", MISSING_PROCESS_ID),
    WORD(FIELD_DEFINED, FIELD_SHOWN, "thread id", MISSING_THREAD_ID),
};

/* ---- events ---- */

#define EVENT_FIELDS                                                                                                  \
    CHOICE(16, 19, VALUES_EVENT, 0, "event type"),                                                                    \
    BITS(20, 23, FIELD_COUNT, 0, "number of arguments"),                                                              \
    BITS(24, 31, FIELD_THREAD, 0, "thread ref"),                                                                      \
    BITS(32, 47, FIELD_CATEGORY, FIELD_SHOWN, "category ref"),                                                        \
    BITS(48, 63, FIELD_NAME, FIELD_SHOWN, "name ref"),                                                                \
    TIMESTAMP,                                                                                                        \
    INLINE_THREAD(24, 31),                                                                                            \
    BY(32, 47, FIELD_INLINE_TEXT, 0, "category", MISSING_INLINE_STRING),                                              \
    BY(48, 63, FIELD_INLINE_TEXT, 0, "name", MISSING_INLINE_STRING),                                                  \
    ARGUMENTS(20, 23)


static const struct record_field instant[] = {
    EVENT_FIELDS,
    {.kind = FIELD_WORD, .values = VALUES_SCOPE, .flags = FIELD_SHOWN | FIELD_TAIL, .name = "scope"},
};
static const struct record_field counter[] = {
    EVENT_FIELDS,
    WORD(FIELD_WORD, FIELD_SHOWN | FIELD_HEX, "counter id", MISSING_ID),
};
static const struct record_field duration[] = {EVENT_FIELDS};
static const struct record_field complete[] = {
    EVENT_FIELDS,
    WORD(FIELD_END, FIELD_SHOWN, "end", MISSING_TIME_OF_END),
};
static const struct record_field async[] = {
    EVENT_FIELDS,
    WORD(FIELD_WORD, FIELD_SHOWN | FIELD_HEX, "async id", MISSING_ID),
};
static const struct record_field flow[] = {
    EVENT_FIELDS,
    WORD(FIELD_WORD, FIELD_SHOWN | FIELD_HEX, "flow id", MISSING_ID),
};

static const struct record_field event_unknown[] = {
    CHOICE(16, 19, VALUES_EVENT, 0, "event type"),
    OPAQUE(20),
    WORD(FIELD_UNKNOWN_REST, 0, "not decoded", MISSING_NONE),
};

/* ---- blobs and objects ---- */

static const struct record_field blob[] = {
    BITS(16, 31, FIELD_NAME, FIELD_SHOWN, "name ref"),
    BITS(32, 46, FIELD_LENGTH, FIELD_SHOWN, "length"),
    RESERVED(47, 47),
    CHOICE(48, 55, VALUES_BLOB, FIELD_SHOWN, "blob type"),
    RESERVED(56, 63),
    BY(16, 31, FIELD_INLINE_TEXT, 0, "name", MISSING_INLINE_STRING),
    BY(32, 46, FIELD_CONTENTS, 0, "contents", MISSING_CONTENTS),
};

static const struct record_field userspace_object[] = {
    BITS(16, 23, FIELD_THREAD, 0, "thread ref"),
    BITS(24, 39, FIELD_NAME, FIELD_SHOWN, "name ref"),
    BITS(40, 43, FIELD_COUNT, 0, "number of arguments"),
    RESERVED(44, 63),
    WORD(FIELD_WORD, FIELD_SHOWN | FIELD_HEX, "pointer", MISSING_POINTER),
    INLINE_PROCESS(16, 23),
    BY(24, 39, FIELD_INLINE_TEXT, 0, "name", MISSING_INLINE_STRING),
    ARGUMENTS(40, 43),
};

static const struct record_field kernel_object[] = {
    CHOICE(16, 23, VALUES_OBJECT, FIELD_SHOWN, "object type"),
    BITS(24, 39, FIELD_NAME, FIELD_SHOWN, "name ref"),
    BITS(40, 43, FIELD_COUNT, 0, "number of arguments"),
    RESERVED(44, 63),
    WORD(FIELD_WORD, FIELD_SHOWN, "koid", MISSING_KOID),
    BY(24, 39, FIELD_INLINE_TEXT, 0, "name", MISSING_INLINE_STRING),
    ARGUMENTS(40, 43),
};

/* ---- scheduling ---- */

static const struct record_field switch_legacy[] = {
    BITS(16, 23, FIELD_NUMBER, FIELD_SHOWN, "CPU"),
    CHOICE(24, 27, VALUES_STATE, FIELD_SHOWN, "outgoing state"),
    BITS(28, 35, FIELD_THREAD, 0, "outgoing thread ref"),
    BITS(36, 43, FIELD_INCOMING, 0, "incoming thread ref"),
    BITS(44, 51, FIELD_NUMBER, FIELD_SHOWN, "outgoing priority"),
    BITS(52, 59, FIELD_NUMBER, FIELD_SHOWN, "incoming priority"),
    CHOICE(60, 63, VALUES_SCHEDULING, 0, "subtype"),
    TIMESTAMP,
    BY(28, 35, FIELD_INLINE_ID, 0, "outgoing process id", MISSING_INLINE_PID),
    BY(28, 35, FIELD_INLINE_ID, 0, "outgoing thread id", MISSING_INLINE_TID),
    BY(36, 43, FIELD_INLINE_ID, 0, "incoming process id", MISSING_INLINE_PID),
    BY(36, 43, FIELD_INLINE_ID, 0, "incoming thread id", MISSING_INLINE_TID),
};

static const struct record_field context_switch[] = {
    BITS(16, 19, FIELD_COUNT, 0, "number of arguments"),
    BITS(20, 35, FIELD_NUMBER, FIELD_SHOWN, "CPU"),
    CHOICE(36, 39, VALUES_STATE, FIELD_SHOWN, "outgoing state"),
    RESERVED(40, 59),
    CHOICE(60, 63, VALUES_SCHEDULING, 0, "subtype"),
    TIMESTAMP,
    WORD(FIELD_THREAD_KOID, FIELD_SHOWN, "outgoing thread id", MISSING_OUTGOING_THREAD),
    WORD(FIELD_THREAD_KOID, FIELD_SHOWN, "incoming thread id", MISSING_INCOMING_THREAD),
    ARGUMENTS(16, 19),
};

static const struct record_field wakeup[] = {
    BITS(16, 19, FIELD_COUNT, 0, "number of arguments"),
    BITS(20, 35, FIELD_NUMBER, FIELD_SHOWN, "CPU"),
    RESERVED(36, 59),
    CHOICE(60, 63, VALUES_SCHEDULING, 0, "subtype"),
    TIMESTAMP,
    WORD(FIELD_THREAD_KOID, FIELD_SHOWN, "woken thread id", MISSING_THREAD),
    ARGUMENTS(16, 19),
};

static const struct record_field scheduling_unknown[] = {
    {.kind = FIELD_OPAQUE, .lo = 16, .hi = 59, .name = "not decoded"},
    CHOICE(60, 63, VALUES_SCHEDULING, 0, "subtype"),
    WORD(FIELD_UNKNOWN_REST, 0, "not decoded", MISSING_NONE),
};

/* ---- logs and the profiler ---- */

static const struct record_field log_message[] = {
    BITS(16, 30, FIELD_LENGTH, 0, "message length"),
    RESERVED(31, 31),
    BITS(32, 39, FIELD_THREAD, 0, "thread ref"),
    RESERVED(40, 63),
    TIMESTAMP,
    INLINE_THREAD(32, 39),
    BY(16, 30, FIELD_TEXT, FIELD_SHOWN, "message", MISSING_MESSAGE_TOO_LONG),
};

static const struct record_field module[] = {
    CHOICE(16, 19, VALUES_PROFILER, 0, "subtype"),
    BITS(20, 27, FIELD_THREAD, 0, "thread ref"),
    BITS(28, 43, FIELD_NUMBER, FIELD_SHOWN, "module id"),
    BITS(44, 51, FIELD_LENGTH, 0, "name length"),
    BITS(52, 59, FIELD_LENGTH, 0, "build id length"),
    RESERVED(60, 63),
    TIMESTAMP,
    INLINE_PROCESS(20, 27),
    BY(44, 51, FIELD_TEXT, FIELD_SHOWN, "name", MISSING_NAME),
    BY(52, 59, FIELD_BYTES, FIELD_SHOWN, "build id", MISSING_BUILD_ID_TOO_LONG),
};

static const struct record_field mmap[] = {
    CHOICE(16, 19, VALUES_PROFILER, 0, "subtype"),
    BITS(20, 27, FIELD_THREAD, 0, "thread ref"),
    BITS(28, 43, FIELD_NUMBER, FIELD_SHOWN, "module id"),
    BITS(44, 46, FIELD_FLAGS, FIELD_SHOWN, "flags"),
    RESERVED(47, 63),
    TIMESTAMP,
    INLINE_PROCESS(20, 27),
    WORD(FIELD_WORD, FIELD_SHOWN | FIELD_HEX, "start", MISSING_START),
    WORD(FIELD_WORD, FIELD_SHOWN | FIELD_HEX, "size", MISSING_SIZE),
    WORD(FIELD_WORD, FIELD_SHOWN | FIELD_HEX, "virtual address", MISSING_VIRTUAL_ADDRESS),
};

static const struct record_field backtrace[] = {
    CHOICE(16, 19, VALUES_PROFILER, 0, "subtype"),
    BITS(20, 27, FIELD_THREAD, 0, "thread ref"),
    BITS(28, 35, FIELD_NUMBER, 0, "number of addresses"),
    BITS(36, 37, FIELD_TOLERATED, 0, "reserved"),
    RESERVED(38, 63),
    TIMESTAMP,
    INLINE_THREAD(20, 27),
    BY(28, 35, FIELD_ADDRESSES, FIELD_SHOWN | FIELD_HEX, "address", MISSING_COUNT),
};

static const struct record_field profiler_unknown[] = {
    CHOICE(16, 19, VALUES_PROFILER, 0, "subtype"),
    OPAQUE(20),
    WORD(FIELD_UNKNOWN_REST, 0, "not decoded", MISSING_NONE),
};

/* ---- large records ---- */

static const struct record_field large_event[] = {
    CHOICE(36, 39, VALUES_LARGE, 0, "large type"),
    CHOICE(40, 43, VALUES_FORMAT, 0, "format"),
    RESERVED(44, 63),
    BITS2(0, 15, FIELD_CATEGORY, FIELD_SHOWN, "category ref"),
    BITS2(16, 31, FIELD_NAME, FIELD_SHOWN, "name ref"),
    BITS2(32, 35, FIELD_COUNT, 0, "number of arguments"),
    BITS2(36, 43, FIELD_THREAD, 0, "thread ref"),
    {.kind = FIELD_RESERVED, .word = 1, .lo = 44, .hi = 63, .name = "reserved"},
    BY2(0, 15, FIELD_INLINE_TEXT, 0, "category", MISSING_INLINE_STRING),
    BY2(16, 31, FIELD_INLINE_TEXT, 0, "name", MISSING_INLINE_STRING),
    TIMESTAMP,
    BY2(36, 43, FIELD_INLINE_ID, 0, "process id", MISSING_INLINE_PID),
    BY2(36, 43, FIELD_INLINE_ID, 0, "thread id", MISSING_INLINE_TID),
    BY2(32, 35, FIELD_ARGUMENTS, 0, "arguments", MISSING_COUNT),
    WORD(FIELD_LENGTH_WORD, FIELD_SHOWN, "length", MISSING_LENGTH),
    WORD(FIELD_CONTENTS, 0, "contents", MISSING_CONTENTS),
};

static const struct record_field large_attachment[] = {
    CHOICE(36, 39, VALUES_LARGE, 0, "large type"),
    CHOICE(40, 43, VALUES_FORMAT, 0, "format"),
    RESERVED(44, 63),
    BITS2(0, 15, FIELD_CATEGORY, FIELD_SHOWN, "category ref"),
    BITS2(16, 31, FIELD_NAME, FIELD_SHOWN, "name ref"),
    {.kind = FIELD_RESERVED, .word = 1, .lo = 32, .hi = 63, .name = "reserved"},
    BY2(0, 15, FIELD_INLINE_TEXT, 0, "category", MISSING_INLINE_STRING),
    BY2(16, 31, FIELD_INLINE_TEXT, 0, "name", MISSING_INLINE_STRING),
    WORD(FIELD_LENGTH_WORD, FIELD_SHOWN, "length", MISSING_LENGTH),
    WORD(FIELD_CONTENTS, 0, "contents", MISSING_CONTENTS),
};

static const struct record_field large_format_unknown[] = {
    CHOICE(36, 39, VALUES_LARGE, FIELD_SHOWN, "large type"),
    CHOICE(40, 43, VALUES_FORMAT, FIELD_SHOWN, "format"),
    OPAQUE(44),
    WORD(FIELD_UNKNOWN_REST, 0, "not decoded", MISSING_NONE),
};

static const struct record_field large_unknown[] = {
    CHOICE(36, 39, VALUES_LARGE, FIELD_SHOWN, "large type"),
    BITS(40, 43, FIELD_NUMBER, FIELD_SHOWN, "format"),
    OPAQUE(44),
    WORD(FIELD_UNKNOWN_REST, 0, "not decoded", MISSING_NONE),
};

/* ---- arguments ---- */

#define ARGUMENT_NAME BY(16, 31, FIELD_INLINE_TEXT, 0, "argument name", MISSING_INLINE_STRING)

const struct record_field record_layout_argument_header[3] = {
    BITS(0, 3, FIELD_NUMBER, 0, "argument type"),
    BITS(4, 15, FIELD_NUMBER, 0, "argument size"),
    BITS(16, 31, FIELD_NAME, 0, "argument name ref"),
};

static const struct record_field argument_null[] = {
    RESERVED(32, 63),
    ARGUMENT_NAME,
};
static const struct record_field argument_short[] = {
    BITS(32, 63, FIELD_VALUE, 0, "value"),
    ARGUMENT_NAME,
};
static const struct record_field argument_word[] = {
    RESERVED(32, 63),
    ARGUMENT_NAME,
    WORD(FIELD_VALUE_WORD, 0, "value", MISSING_VALUE),
};
static const struct record_field argument_bool[] = {
    BITS(32, 32, FIELD_VALUE, 0, "value"),
    RESERVED(33, 63),
    ARGUMENT_NAME,
};
static const struct record_field argument_string[] = {
    BITS(32, 47, FIELD_STRING, 0, "value ref"),
    RESERVED(48, 63),
    ARGUMENT_NAME,
    BY(32, 47, FIELD_INLINE_TEXT, 0, "value", MISSING_INLINE_STRING),
};
static const struct record_field argument_blob[] = {
    BITS(32, 63, FIELD_VALUE, 0, "value length"),
    ARGUMENT_NAME,
    BY(32, 63, FIELD_VALUE_BYTES, 0, "value", MISSING_NONE),
};
static const struct record_field argument_unknown[] = {
    OPAQUE(32),
    ARGUMENT_NAME,
    WORD(FIELD_UNKNOWN_REST, 0, "not decoded", MISSING_NONE),
};

/* ---- the table ---- */

#define FIELDS(rows) .fields = (rows), .n = sizeof(rows) / sizeof *(rows)
#define ZERO(lo, hi) FXT_PUT(~UINT64_C(0), lo, hi)
#define EVENT(rows) {.section = "EVENTS", FIELDS(rows)}

const struct record_layout record_layouts[FXT_K_COUNT] = {
    [FXT_K_PROVIDER_INFO] = {.section = "Provider info", FIELDS(provider_info), .zero = ZERO(60, 63),
                             .words = 1, .lo = 52, .hi = 59},
    [FXT_K_PROVIDER_SECTION] = {.section = "Provider section", FIELDS(provider_section),
                                .zero = ZERO(52, 63), .words = 1},
    [FXT_K_PROVIDER_EVENT] = {.section = "Provider event", FIELDS(provider_event),
                              .zero = ZERO(52, 55) | ZERO(56, 63), .words = 1},
    [FXT_K_MAGIC] = {.section = "The magic word", FIELDS(magic), .zero = ~FXT_MAGIC, .words = 1},
    [FXT_K_TRACE_INFO_UNKNOWN] = {.section = "Trace info", FIELDS(trace_info_unknown), .zero = RECORD_UNKNOWN},
    [FXT_K_METADATA_UNKNOWN] = {FIELDS(metadata_unknown), .zero = RECORD_UNKNOWN},
    [FXT_K_INITIALIZATION] = {.section = "INITIALIZATION", FIELDS(initialization),
                              .zero = ZERO(17, 63), .words = 2, .longer = 4},
    [FXT_K_STRING] = {.section = "STRINGS", FIELDS(string),
                      .zero = ZERO(31, 31) | ZERO(47, 47) | ZERO(48, 63), .words = 1, .lo = 32, .hi = 46},
    [FXT_K_THREAD] = {.section = "THREADS", FIELDS(thread), .zero = ZERO(24, 63), .words = 3},
    [FXT_K_INSTANT] = EVENT(instant),
    [FXT_K_COUNTER] = EVENT(counter),
    [FXT_K_DURATION_BEGIN] = EVENT(duration),
    [FXT_K_DURATION_END] = EVENT(duration),
    [FXT_K_DURATION_COMPLETE] = EVENT(complete),
    [FXT_K_ASYNC_BEGIN] = EVENT(async),
    [FXT_K_ASYNC_INSTANT] = EVENT(async),
    [FXT_K_ASYNC_END] = EVENT(async),
    [FXT_K_FLOW_BEGIN] = EVENT(flow),
    [FXT_K_FLOW_STEP] = EVENT(flow),
    [FXT_K_FLOW_END] = EVENT(flow),
    [FXT_K_EVENT_UNKNOWN] = {FIELDS(event_unknown), .zero = RECORD_UNKNOWN},
    [FXT_K_BLOB] = {.section = "BLOBS", FIELDS(blob), .zero = ZERO(47, 47) | ZERO(56, 63)},
    [FXT_K_USERSPACE_OBJECT] = {.section = "USERSPACE OBJECTS", FIELDS(userspace_object),
                                .zero = ZERO(44, 63)},
    [FXT_K_KERNEL_OBJECT] = {.section = "KERNEL OBJECTS", FIELDS(kernel_object), .zero = ZERO(44, 63)},
    [FXT_K_SWITCH_LEGACY] = {.section = "Legacy context switch", FIELDS(switch_legacy)},
    [FXT_K_SWITCH] = {.section = "Context switch", FIELDS(context_switch), .zero = ZERO(40, 59)},
    [FXT_K_WAKEUP] = {.section = "Thread wakeup", FIELDS(wakeup), .zero = ZERO(36, 59)},
    [FXT_K_SCHEDULING_UNKNOWN] = {FIELDS(scheduling_unknown), .zero = RECORD_UNKNOWN},
    [FXT_K_LOG] = {.section = "LOG", FIELDS(log_message), .zero = ZERO(31, 31) | ZERO(40, 63)},
    [FXT_K_MODULE] = {.section = "Module", FIELDS(module), .zero = ZERO(60, 63)},
    [FXT_K_MMAP] = {.section = "Mmap", FIELDS(mmap), .zero = ZERO(47, 63)},
    [FXT_K_BACKTRACE] = {.section = "Backtrace", FIELDS(backtrace), .zero = ZERO(38, 63)},
    [FXT_K_PROFILER_UNKNOWN] = {FIELDS(profiler_unknown), .zero = RECORD_UNKNOWN},
    [FXT_K_LARGE_EVENT] = {.section = "Large blob with metadata", FIELDS(large_event),
                           .zero = ZERO(36, 39) | ZERO(44, 63)},
    [FXT_K_LARGE_ATTACHMENT] = {.section = "Large blob without metadata", FIELDS(large_attachment),
                                .zero = ZERO(36, 39) | ZERO(44, 63)},
    [FXT_K_LARGE_UNKNOWN] = {FIELDS(large_unknown), .zero = RECORD_UNKNOWN},
    [FXT_K_RECORD_UNKNOWN] = {.section = "Records", FIELDS(record_unknown), .zero = RECORD_UNKNOWN},
};

/* Records of a known type with an undefined subtype or format. */
static const struct record_layout not_magic_layout = {FIELDS(not_magic)};
static const struct record_layout format_unknown_layout = {FIELDS(large_format_unknown)};

const struct record_layout record_layout_arguments[RECORD_ARGUMENTS] = {
    [FXT_ARG_NULL] = {FIELDS(argument_null)},
    [FXT_ARG_INT32] = {FIELDS(argument_short)},
    [FXT_ARG_UINT32] = {FIELDS(argument_short)},
    [FXT_ARG_INT64] = {FIELDS(argument_word)},
    [FXT_ARG_UINT64] = {FIELDS(argument_word)},
    [FXT_ARG_DOUBLE] = {FIELDS(argument_word)},
    [FXT_ARG_STRING] = {FIELDS(argument_string)},
    [FXT_ARG_POINTER] = {FIELDS(argument_word)},
    [FXT_ARG_KOID] = {FIELDS(argument_word)},
    [FXT_ARG_BOOL] = {FIELDS(argument_bool)},
    [FXT_ARG_BLOB] = {FIELDS(argument_blob)},
    [FXT_ARG_BLOB + 1] = {FIELDS(argument_unknown)},
};

/* clang-format on */

/* ---- questions ---- */

#define X4(kind) kind, kind, kind, kind
#define X5(kind) X4(kind), kind
#define X13(kind) X4(kind), X4(kind), X5(kind)
#define ANY(kind)                                                                                  \
    { X13(kind), kind, kind, kind } /* no subtypes */

const uint8_t record_layout_kinds[16][16] = {
    [FXT_METADATA] = {FXT_K_METADATA_UNKNOWN, FXT_K_PROVIDER_INFO, FXT_K_PROVIDER_SECTION,
                      FXT_K_PROVIDER_EVENT, FXT_K_MAGIC, X5(FXT_K_METADATA_UNKNOWN),
                      X5(FXT_K_METADATA_UNKNOWN), FXT_K_METADATA_UNKNOWN},
    [FXT_INITIALIZATION] = ANY(FXT_K_INITIALIZATION),
    [FXT_STRING] = ANY(FXT_K_STRING),
    [FXT_THREAD] = ANY(FXT_K_THREAD),
    [FXT_EVENT] = {FXT_K_INSTANT, FXT_K_COUNTER, FXT_K_DURATION_BEGIN, FXT_K_DURATION_END,
                   FXT_K_DURATION_COMPLETE, FXT_K_ASYNC_BEGIN, FXT_K_ASYNC_INSTANT, FXT_K_ASYNC_END,
                   FXT_K_FLOW_BEGIN, FXT_K_FLOW_STEP, FXT_K_FLOW_END, X5(FXT_K_EVENT_UNKNOWN)},
    [FXT_BLOB] = ANY(FXT_K_BLOB),
    [FXT_USERSPACE_OBJECT] = ANY(FXT_K_USERSPACE_OBJECT),
    [FXT_KERNEL_OBJECT] = ANY(FXT_K_KERNEL_OBJECT),
    [FXT_SCHEDULING] = {FXT_K_SWITCH_LEGACY, FXT_K_SWITCH, FXT_K_WAKEUP,
                        X13(FXT_K_SCHEDULING_UNKNOWN)},
    [FXT_LOG] = ANY(FXT_K_LOG),
    [FXT_PROFILER] = {FXT_K_MODULE, FXT_K_MMAP, FXT_K_BACKTRACE, X13(FXT_K_PROFILER_UNKNOWN)},
    [11] = ANY(FXT_K_RECORD_UNKNOWN),
    [12] = ANY(FXT_K_RECORD_UNKNOWN),
    [13] = ANY(FXT_K_RECORD_UNKNOWN),
    [14] = ANY(FXT_K_RECORD_UNKNOWN),
    [FXT_LARGE] = {FXT_K_LARGE_EVENT, FXT_K_LARGE_ATTACHMENT, X13(FXT_K_LARGE_UNKNOWN),
                   FXT_K_LARGE_UNKNOWN},
};

const uint8_t record_layout_subtype[16] = {[FXT_METADATA] = 16,
                                           [FXT_EVENT] = 16,
                                           [FXT_SCHEDULING] = 60,
                                           [FXT_PROFILER] = 16,
                                           [FXT_LARGE] = 40};

const struct record_layout *record_layout_of(enum fxt_kind kind, uint64_t h) {
    if (kind == FXT_K_TRACE_INFO_UNKNOWN && FXT_BITS(h, 20, 23) == 0)
        return &not_magic_layout;
    if (kind == FXT_K_LARGE_UNKNOWN && FXT_BITS(h, 36, 39) == 0)
        return &format_unknown_layout;
    return &record_layouts[kind];
}

const struct record_field *record_layout_framing(bool large) {
    return large ? framing_large : framing;
}

bool record_layout_exact(const struct record_layout *l, uint64_t h, uint64_t size) {
    uint64_t stream = l->hi ? (FXT_BITS(h, l->lo, l->hi) + 7) / 8 : 0;
    if (l == &record_layouts[FXT_K_MAGIC] && h != FXT_MAGIC)
        return false;
    return size == l->words + stream || size == l->longer; /* no record has size 0 */
}

/* ---- names of values ---- */

struct values {
    const char *const *names; /* NULL: the numbers have their names in fxt.h */
    uint8_t n;
    const char *meaningless;
};

static const char *const names_record[] = {
    "metadata", "initialization",     "string",        "thread",     "event",
    "blob",     "userspace object",   "kernel object", "scheduling", "log",
    "profiler", [FXT_LARGE] = "large"};
static const char *const names_metadata[] = {NULL, "provider info", "provider section",
                                             "provider event", "trace info"};
static const char *const names_provider_event[] = {"a buffer was full"};
static const char *const names_trace_info[] = {"magic"};
static const char *const names_scope[] = {"the thread", "its process", "the whole trace"};
static const char *const names_blob[] = {NULL, "data", "last branch records", "Perfetto protobufs"};
static const char *const names_state[] = {"new",     "running", "suspended",
                                          "blocked", "dying",   "dead"};
static const char *const names_scheduling[] = {"legacy context switch", "context switch",
                                               "thread wakeup"};
static const char *const names_profiler[] = {"module", "mmap", "backtrace"};
static const char *const names_large[] = {"blob"};
static const char *const names_format[] = {"with metadata", "without metadata"};

#define NAMES(v) .names = (v), .n = sizeof(v) / sizeof *(v)

static const struct values sets[VALUES_SETS] = {
    [VALUES_RECORD] = {NAMES(names_record), .meaningless = "record types 11 to 14 are undefined"},
    [VALUES_METADATA] = {NAMES(names_metadata), .meaningless = "undefined metadata type"},
    [VALUES_PROVIDER_EVENT] = {NAMES(names_provider_event),
                               .meaningless = "undefined provider event"},
    [VALUES_TRACE_INFO] = {NAMES(names_trace_info), .meaningless = "undefined trace info type"},
    [VALUES_EVENT] = {.n = FXT_FLOW_END + 1, .meaningless = "event types 11 to 15 are undefined"},
    [VALUES_SCOPE] = {NAMES(names_scope), .meaningless = "undefined scope"},
    [VALUES_BLOB] = {NAMES(names_blob), .meaningless = "undefined blob type"},
    [VALUES_OBJECT] = {.n = 0},
    [VALUES_STATE] = {NAMES(names_state)},
    [VALUES_SCHEDULING] = {NAMES(names_scheduling), .meaningless = "undefined scheduling subtype"},
    [VALUES_PROFILER] = {NAMES(names_profiler), .meaningless = "undefined profiler subtype"},
    [VALUES_LARGE] = {NAMES(names_large), .meaningless = "undefined large type"},
    [VALUES_FORMAT] = {NAMES(names_format), .meaningless = "undefined format"},
};

const char *record_layout_value(enum record_values values, uint64_t value) {
    const struct values *v = &sets[values];
    if (values == VALUES_OBJECT)
        return fxt_object_name((uint8_t)value);
    if (value >= v->n)
        return NULL;
    return v->names ? v->names[value] : fxt_kind_name((enum fxt_kind)(FXT_K_INSTANT + value));
}

const char *record_layout_meaningless(enum record_values values) {
    return sets[values].meaningless;
}
