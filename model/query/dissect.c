/* dissect.c - record.c once more, but with a name for each bit. Where record_decode() gives up, the rest is "not
 * decoded"; where it had to choose between two forms, its choice is taken. */
#include "model/query/dissect.h"

#include <assert.h>
#include <inttypes.h>

#include "model/query/dissect_field.h"
#include "src/base/units.h"

/* ---- records ---- */

static const char *const record_types[16] = {
    "metadata",
    "initialization",
    "string",
    "thread",
    "event",
    "blob",
    "userspace object",
    "kernel object",
    "scheduling",
    "log",
    "profiler",
    NULL,
    NULL,
    NULL,
    NULL,
    "large",
};

static void framing(struct dissect_cursor *w, unsigned size_hi) {
    uint64_t h = w->r.header;
    unsigned type = (unsigned)FXT_BITS(h, 0, 3);
    size_t i = dissect_field_header(w, 0, 3, "record type");
    if (record_types[type]) {
        dissect_field_note(w, i, "%s", record_types[type]);
    } else {
        dissect_field_show(w, i);
        dissect_field_fault(w, i, DISSECT_UNKNOWN, "record types 11 to 14 are undefined");
    }
    i = dissect_field_header(w, 4, size_hi, "record size");
    dissect_field_note(w, i, "words, %" PRIu64 " bytes", w->size * 8);
    if (w->cut)
        dissect_field_fault(w, i, DISSECT_NO_RECORD, "the record would end after the end of the file");
}

static void subtype(struct dissect_cursor *w, size_t i, bool known, const char *name, const char *why) {
    if (known) {
        dissect_field_note(w, i, "%s", name);
        return;
    }
    dissect_field_show(w, i);
    dissect_field_fault(w, i, DISSECT_UNKNOWN, why);
}

static void dissect_metadata(struct dissect_cursor *w) {
    uint64_t h = w->r.header, type = FXT_BITS(h, 16, 19);
    size_t i = dissect_field_header(w, 16, 19, "metadata type");
    static const char *const names[] = {"", "provider info", "provider section", "provider event", "trace info"};
    subtype(w, i, type >= FXT_PROVIDER_INFO && type <= FXT_TRACE_INFO, names[type <= FXT_TRACE_INFO ? type : 0],
            "undefined metadata type");
    switch (type) {
    case FXT_PROVIDER_INFO: {
        uint64_t n = FXT_BITS(h, 52, 59);
        dissect_field_show(w, dissect_field_header(w, 20, 51, "provider id"));
        i = dissect_field_header(w, 52, 59, "name length");
        dissect_field_note(w, i, "bytes");
        dissect_field_reserved(w, 0, h, 60, 63);
        if (dissect_field_words_of(n) > dissect_field_left(w)) {
            dissect_field_fault(w, i, DISSECT_CONTENTS, "the name exceeds the record");
            dissect_field_rest_undecoded(w);
            return;
        }
        struct str s = {(const char *)(w->words + w->at), n};
        i = dissect_field_stream(w, n, "name");
        dissect_field_text_value(w, i, s);
        dissect_field_show(w, i);
        break;
    }
    case FXT_PROVIDER_SECTION:
        dissect_field_show(w, dissect_field_header(w, 20, 51, "provider id"));
        dissect_field_reserved(w, 0, h, 52, 63);
        break;
    case FXT_PROVIDER_EVENT:
        dissect_field_show(w, dissect_field_header(w, 20, 51, "provider id"));
        i = dissect_field_header(w, 52, 55, "event");
        subtype(w, i, FXT_BITS(h, 52, 55) == 0, "a buffer was full", "undefined provider event");
        dissect_field_show(w, i);
        dissect_field_reserved(w, 0, h, 56, 63);
        break;
    case FXT_TRACE_INFO:
        i = dissect_field_header(w, 20, 23, "trace info type");
        subtype(w, i, FXT_BITS(h, 20, 23) == 0, "magic", "undefined trace info type");
        if (w->r.kind != FXT_K_MAGIC)
            dissect_field_show(w, i);
        if (FXT_BITS(h, 20, 23) != 0) {
            dissect_field_undecoded(w, 0, h, 24, 63);
            dissect_field_rest_undecoded(w);
            return;
        }
        i = dissect_field_header(w, 24, 55, "magic number");
        dissect_field_hexadecimal(w, i, FXT_BITS(h, 24, 55));
        if (FXT_BITS(h, 24, 55) != FXT_MAGIC_NUMBER)
            dissect_field_fault(w, i, DISSECT_UNKNOWN, "not the magic number");
        dissect_field_reserved(w, 0, h, 56, 63);
        break;
    default:
        dissect_field_undecoded(w, 0, h, 20, 63);
        dissect_field_rest_undecoded(w);
        return;
    }
    dissect_field_extra(w);
}

static void dissect_init(struct dissect_cursor *w) {
    uint64_t value;
    char wall[48];
    size_t i;
    dissect_field_reserved(w, 0, w->r.header, 16, 63);
    if (!dissect_field_word(w, "ticks per second", "no space left for the ticks per second", &value, &i))
        return;
    dissect_field_show(w, i);
    if (value == 0)
        dissect_field_fault(w, i, DISSECT_VALUE, "0 ticks per second: 1 tick is taken as 1 ns");
    if (dissect_field_left(w) >= 2) {
        dissect_field_shown_word(w, "base tick", "", false, &i);
        dissect_field_shown_word(w, "base time", "", false, &i);
        dissect_field_note(w, i, "ns since 1970: %s", units_wall(w->r.init.base_unix_ns, wall));
    }
    dissect_field_extra(w);
}

static void length_text(struct dissect_cursor *w, size_t length, uint64_t n, const char *name, const char *why) {
    if (dissect_field_words_of(n) > dissect_field_left(w)) {
        dissect_field_fault(w, length, DISSECT_CONTENTS, why);
        dissect_field_rest_undecoded(w);
        return;
    }
    struct str s = {(const char *)(w->words + w->at), n};
    size_t i = dissect_field_stream(w, n, name);
    dissect_field_text_value(w, i, s);
    dissect_field_show(w, i);
    dissect_field_extra(w);
}

static void dissect_string(struct dissect_cursor *w) {
    uint64_t h = w->r.header;
    size_t i = dissect_field_header(w, 16, 30, "index");
    dissect_field_show(w, i);
    if (FXT_BITS(h, 16, 30) == 0)
        dissect_field_note(w, i, "defines nothing");
    dissect_field_reserved(w, 0, h, 31, 31);
    i = dissect_field_header(w, 32, 46, "length");
    dissect_field_note(w, i, "bytes");
    dissect_field_reserved(w, 0, h, 47, 47);
    dissect_field_reserved(w, 0, h, 48, 63);
    length_text(w, i, FXT_BITS(h, 32, 46), "string", "the string exceeds the record");
}

static void dissect_thread(struct dissect_cursor *w) {
    size_t i = dissect_field_header(w, 16, 23, "index");
    dissect_field_show(w, i);
    if (FXT_BITS(w->r.header, 16, 23) == 0)
        dissect_field_note(w, i, "defines nothing");
    dissect_field_reserved(w, 0, w->r.header, 24, 63);
    if (!dissect_field_shown_word(w, "process id", "no space left for the process id", false, &i) ||
        !dissect_field_shown_word(w, "thread id", "no space left for the thread id", false, &i))
        return;
    if (w->place->trace) {
        struct thread_id id = {.pid = w->r.thread_def.pid, .tid = w->r.thread_def.tid, .form = THREAD_PAIR};
        dissect_field_note_thread(w, i, threads_find(reader_threads(w->place->reader), &id));
    }
    dissect_field_extra(w);
}

static void event_tail(struct dissect_cursor *w, unsigned type) {
    static const char *const scopes[] = {"the thread", "its process", "the whole trace"};
    uint64_t value;
    size_t i;
    switch (type) {
    case FXT_INSTANT:
        if (dissect_field_left(w) > 0 && dissect_field_word(w, "scope", "", &value, &i)) {
            dissect_field_show(w, i);
            if (value < 3)
                dissect_field_note(w, i, "%s", scopes[value]);
            else
                dissect_field_fault(w, i, DISSECT_UNKNOWN, "undefined scope");
        }
        break;
    case FXT_DURATION_BEGIN:
    case FXT_DURATION_END:
        break;
    case FXT_DURATION_COMPLETE:
        if (!dissect_field_ticks(w, "end", "no space left for the time of the end", &value, &i))
            return;
        if (value < w->r.ts)
            dissect_field_fault(w, i, DISSECT_VALUE, "it ends before it begins");
        break;
    default:
        if (!dissect_field_shown_word(w,
                                      type == FXT_COUNTER     ? "counter id"
                                      : type <= FXT_ASYNC_END ? "async id"
                                                              : "flow id",
                                      "no space left for the id", true, &i))
            return;
        break;
    }
    dissect_field_extra(w);
}

static void dissect_event(struct dissect_cursor *w) {
    uint64_t h = w->r.header, type = FXT_BITS(h, 16, 19);
    size_t i = dissect_field_header(w, 16, 19, "event type");
    subtype(w, i, type <= FXT_FLOW_END, fxt_kind_name((enum fxt_kind)w->r.kind),
            "event types 11 to 15 are undefined");
    if (type > FXT_FLOW_END) {
        dissect_field_undecoded(w, 0, h, 20, 63);
        dissect_field_rest_undecoded(w);
        return;
    }
    size_t count = dissect_field_header(w, 20, 23, "number of arguments");
    dissect_field_thread_ref(w, 0, h, 24, "thread ref", &w->r.thread, !(w->r.faults & FXT_FAULT_NO_EVENT), true);
    size_t category = dissect_field_string_ref(w, 0, h, 32, "category ref", &w->r.category);
    size_t name = dissect_field_string_ref(w, 0, h, 48, "name ref", &w->r.name);
    dissect_field_show(w, category);
    dissect_field_show(w, name);
    if (dissect_field_timestamp(w) && dissect_field_inline_ids(w, FXT_BITS(h, 24, 31)) &&
        dissect_field_inline_string(w, category, h, 32, "category") &&
        dissect_field_inline_string(w, name, h, 48, "name") && dissect_field_arguments(w, count))
        event_tail(w, (unsigned)type);
}

static void dissect_blob(struct dissect_cursor *w) {
    static const char *const types[] = {"", "data", "last branch records", "Perfetto protobufs"};
    uint64_t h = w->r.header, type = FXT_BITS(h, 48, 55);
    size_t name = dissect_field_string_ref(w, 0, h, 16, "name ref", &w->r.name);
    dissect_field_show(w, name);
    size_t length = dissect_field_header(w, 32, 46, "length");
    dissect_field_show(w, length);
    dissect_field_note(w, length, "bytes");
    dissect_field_reserved(w, 0, h, 47, 47);
    size_t i = dissect_field_header(w, 48, 55, "blob type");
    bool known = type >= FXT_BLOB_DATA && type <= FXT_BLOB_PERFETTO;
    subtype(w, i, known, types[known ? type : 0], "undefined blob type");
    dissect_field_show(w, i);
    dissect_field_reserved(w, 0, h, 56, 63);
    if (!dissect_field_inline_string(w, name, h, 16, "name"))
        return;
    dissect_field_contents(w, length, FXT_BITS(h, 32, 46));
    dissect_field_extra(w);
}

/* How many words of an inline process record_decode() has found: it stands where the rest begins. */
static unsigned process_words(const struct dissect_cursor *w, uint64_t name) {
    uint64_t before = 2 + (name & FXT_INLINE ? dissect_field_words_of(name & FXT_STRING_MAX) : 0);
    if (w->r.args.words)
        return (uint64_t)(w->r.args.words - w->words) - before == 1 ? 1 : 2;
    return w->avail >= 4 ? 2 : 1;
}

static void dissect_userspace_object(struct dissect_cursor *w) {
    uint64_t h = w->r.header, process = FXT_BITS(h, 16, 23);
    size_t i;
    dissect_field_thread_ref(w, 0, h, 16, "thread ref", &w->r.thread, !(w->r.faults & FXT_FAULT_NO_EVENT), true);
    size_t name = dissect_field_string_ref(w, 0, h, 24, "name ref", &w->r.name),
           count = dissect_field_header(w, 40, 43, "number of arguments");
    dissect_field_show(w, name);
    dissect_field_reserved(w, 0, h, 44, 63);
    if (dissect_field_shown_word(w, "pointer", "no space left for the pointer", true, &i) &&
        dissect_field_inline_thread(w, process, process_words(w, FXT_BITS(h, 24, 39)), "process id", "thread id") &&
        dissect_field_inline_string(w, name, h, 24, "name"))
        dissect_field_rest(w, count);
}

static void dissect_kernel_object(struct dissect_cursor *w) {
    uint64_t h = w->r.header;
    const char *type = fxt_object_name((uint8_t)FXT_BITS(h, 16, 23));
    size_t i = dissect_field_header(w, 16, 23, "object type");
    dissect_field_show(w, i);
    if (type)
        dissect_field_note(w, i, "%s", type);
    size_t name = dissect_field_string_ref(w, 0, h, 24, "name ref", &w->r.name),
           count = dissect_field_header(w, 40, 43, "number of arguments");
    dissect_field_show(w, name);
    dissect_field_reserved(w, 0, h, 44, 63);
    if (dissect_field_shown_word(w, "koid", "no space left for the koid", false, &i) &&
        dissect_field_inline_string(w, name, h, 24, "name"))
        dissect_field_rest(w, count);
}

static void note_state(struct dissect_cursor *w, size_t i, uint64_t state) {
    static const char *const states[] = {"new", "running", "suspended", "blocked", "dying", "dead"};
    dissect_field_show(w, i);
    if (state < sizeof states / sizeof *states)
        dissect_field_note(w, i, "%s", states[state]);
}

static void dissect_switch_legacy(struct dissect_cursor *w) {
    uint64_t h = w->r.header;
    bool there = !(w->r.faults & FXT_FAULT_NO_EVENT);
    size_t i;
    dissect_field_show(w, dissect_field_header(w, 16, 23, "CPU"));
    note_state(w, dissect_field_header(w, 24, 27, "outgoing state"), FXT_BITS(h, 24, 27));
    dissect_field_thread_ref(w, 0, h, 28, "outgoing thread ref", &w->r.thread, there, true);
    dissect_field_thread_ref(w, 0, h, 36, "incoming thread ref", &w->r.sched.in, there, false);
    dissect_field_show(w, dissect_field_header(w, 44, 51, "outgoing priority"));
    dissect_field_show(w, dissect_field_header(w, 52, 59, "incoming priority"));
    i = dissect_field_header(w, 60, 63, "subtype");
    dissect_field_note(w, i, "legacy context switch");
    if (dissect_field_timestamp(w) &&
        dissect_field_inline_thread(w, FXT_BITS(h, 28, 35), 2, "outgoing process id", "outgoing thread id") &&
        dissect_field_inline_thread(w, FXT_BITS(h, 36, 43), 2, "incoming process id", "incoming thread id"))
        dissect_field_extra(w);
}

static void dissect_scheduling(struct dissect_cursor *w) {
    uint64_t h = w->r.header, type = FXT_BITS(h, 60, 63);
    size_t count, i;
    switch (type) {
    case FXT_SWITCH_LEGACY:
        dissect_switch_legacy(w);
        return;
    case FXT_SWITCH:
        count = dissect_field_header(w, 16, 19, "number of arguments");
        dissect_field_show(w, dissect_field_header(w, 20, 35, "CPU"));
        note_state(w, dissect_field_header(w, 36, 39, "outgoing state"), FXT_BITS(h, 36, 39));
        dissect_field_reserved(w, 0, h, 40, 59);
        i = dissect_field_header(w, 60, 63, "subtype");
        dissect_field_note(w, i, "context switch");
        if (dissect_field_timestamp(w) &&
            dissect_field_koid_thread(w, "outgoing thread id", "no space left for the outgoing thread") &&
            dissect_field_koid_thread(w, "incoming thread id", "no space left for the incoming thread"))
            dissect_field_rest(w, count);
        return;
    case FXT_WAKEUP:
        count = dissect_field_header(w, 16, 19, "number of arguments");
        dissect_field_show(w, dissect_field_header(w, 20, 35, "CPU"));
        dissect_field_reserved(w, 0, h, 36, 59);
        i = dissect_field_header(w, 60, 63, "subtype");
        dissect_field_note(w, i, "thread wakeup");
        if (dissect_field_timestamp(w) &&
            dissect_field_koid_thread(w, "woken thread id", "no space left for the thread"))
            dissect_field_rest(w, count);
        return;
    default:
        dissect_field_undecoded(w, 0, h, 16, 59);
        subtype(w, dissect_field_header(w, 60, 63, "subtype"), false, "", "undefined scheduling subtype");
        dissect_field_rest_undecoded(w);
        return;
    }
}

static void dissect_log(struct dissect_cursor *w) {
    uint64_t h = w->r.header;
    size_t length = dissect_field_header(w, 16, 30, "message length");
    dissect_field_note(w, length, "bytes");
    dissect_field_reserved(w, 0, h, 31, 31);
    dissect_field_thread_ref(w, 0, h, 32, "thread ref", &w->r.thread, !(w->r.faults & FXT_FAULT_NO_EVENT), true);
    dissect_field_reserved(w, 0, h, 40, 63);
    if (dissect_field_timestamp(w) && dissect_field_inline_ids(w, FXT_BITS(h, 32, 39)))
        length_text(w, length, FXT_BITS(h, 16, 30), "message", "the message exceeds the record");
}

static void dissect_module(struct dissect_cursor *w, uint64_t thread, unsigned ids) {
    uint64_t h = w->r.header, n = FXT_BITS(h, 44, 51), build = FXT_BITS(h, 52, 59);
    dissect_field_show(w, dissect_field_header(w, 28, 43, "module id"));
    size_t name = dissect_field_header(w, 44, 51, "name length"),
           id = dissect_field_header(w, 52, 59, "build id length");
    dissect_field_note(w, name, "bytes");
    dissect_field_note(w, id, "bytes");
    dissect_field_reserved(w, 0, h, 60, 63);
    if (!dissect_field_timestamp(w) || !dissect_field_inline_thread(w, thread, ids, "process id", "thread id"))
        return;
    if (dissect_field_words_of(n) > dissect_field_left(w)) {
        dissect_field_fault(w, name, DISSECT_CONTENTS, "the name exceeds the record");
        dissect_field_rest_undecoded(w);
        return;
    }
    struct str s = {(const char *)(w->words + w->at), n};
    size_t i = dissect_field_stream(w, n, "name");
    dissect_field_text_value(w, i, s);
    dissect_field_show(w, i);
    if (dissect_field_words_of(build) > dissect_field_left(w)) {
        dissect_field_fault(w, id, DISSECT_CONTENTS, "the build id exceeds the record");
        dissect_field_rest_undecoded(w);
        return;
    }
    const unsigned char *bytes = (const unsigned char *)(w->words + w->at);
    i = dissect_field_stream(w, build, "build id");
    dissect_field_show(w, i);
    dissect_field_hex_bytes(w, i, bytes, build);
    dissect_field_extra(w);
}

static void dissect_mmap(struct dissect_cursor *w, uint64_t thread, unsigned ids) {
    uint64_t h = w->r.header, flags = FXT_BITS(h, 44, 46);
    size_t i;
    dissect_field_show(w, dissect_field_header(w, 28, 43, "module id"));
    i = dissect_field_header(w, 44, 46, "flags");
    dissect_field_show(w, i);
    dissect_field_note(w, i, "%c%c%c", flags & 1 ? 'r' : '-', flags & 2 ? 'w' : '-', flags & 4 ? 'x' : '-');
    dissect_field_reserved(w, 0, h, 47, 63);
    if (dissect_field_timestamp(w) && dissect_field_inline_thread(w, thread, ids, "process id", "thread id") &&
        dissect_field_shown_word(w, "start", "no space left for the start", true, &i) &&
        dissect_field_shown_word(w, "size", "no space left for the size", true, &i) &&
        dissect_field_shown_word(w, "virtual address", "no space left for the virtual address", true, &i))
        dissect_field_extra(w);
}

static void dissect_backtrace(struct dissect_cursor *w, uint64_t thread) {
    uint64_t h = w->r.header, n = FXT_BITS(h, 28, 35);
    size_t count = dissect_field_header(w, 28, 35, "number of addresses"), i;
    i = dissect_field_header(w, 36, 37, "reserved");
    if (FXT_BITS(h, 36, 37) != 0)
        dissect_field_note(w, i, "some writers set these");
    dissect_field_reserved(w, 0, h, 38, 63);
    if (!dissect_field_timestamp(w) || !dissect_field_inline_thread(w, thread, 2, "process id", "thread id"))
        return;
    if (n > dissect_field_left(w)) {
        dissect_field_fault(w, count, DISSECT_CONTENTS, "fewer are present");
        n = dissect_field_left(w);
    }
    for (; n > 0; n--)
        dissect_field_shown_word(w, "address", "", true, &i);
    dissect_field_extra(w);
}

static void dissect_profiler(struct dissect_cursor *w) {
    static const char *const names[] = {"module", "mmap", "backtrace"};
    uint64_t h = w->r.header, type = FXT_BITS(h, 16, 19), thread = FXT_BITS(h, 20, 27);
    unsigned ids = w->r.thread.no_tid ? 1 : 2;
    size_t i = dissect_field_header(w, 16, 19, "subtype");
    subtype(w, i, type <= FXT_BACKTRACE, names[type <= FXT_BACKTRACE ? type : 0],
            "undefined profiler subtype");
    if (type > FXT_BACKTRACE) {
        dissect_field_undecoded(w, 0, h, 20, 63);
        dissect_field_rest_undecoded(w);
        return;
    }
    dissect_field_thread_ref(w, 0, h, 20, "thread ref", &w->r.thread, !(w->r.faults & FXT_FAULT_NO_EVENT), true);
    if (type == FXT_MODULE)
        dissect_module(w, thread, ids);
    else if (type == FXT_MMAP)
        dissect_mmap(w, thread, ids);
    else
        dissect_backtrace(w, thread);
}

static void dissect_large(struct dissect_cursor *w) {
    uint64_t h = w->r.header, type = FXT_BITS(h, 36, 39), format = FXT_BITS(h, 40, 43), f;
    bool known = type == 0 && format <= FXT_LARGE_ATTACHMENT, event = format == FXT_LARGE_EVENT;
    size_t i = dissect_field_header(w, 36, 39, "large type"), count = DISSECT_FIELD_NONE, length;
    subtype(w, i, type == 0, "blob", "undefined large type");
    i = dissect_field_header(w, 40, 43, "format");
    if (type == 0)
        subtype(w, i, known, event ? "with metadata" : "without metadata", "undefined format");
    if (!known) {
        dissect_field_show(w, i - 1);
        dissect_field_show(w, i);
        dissect_field_undecoded(w, 0, h, 44, 63);
        dissect_field_rest_undecoded(w);
        return;
    }
    dissect_field_reserved(w, 0, h, 44, 63);
    if (dissect_field_left(w) == 0) {
        dissect_field_lacks(w, "no space left for the second header");
        return;
    }
    f = record_word(w->words + w->at++, w->swap);
    size_t category = dissect_field_string_ref(w, 1, f, 0, "category ref", &w->r.category);
    size_t name = dissect_field_string_ref(w, 1, f, 16, "name ref", &w->r.name);
    dissect_field_show(w, category);
    dissect_field_show(w, name);
    if (event) {
        count = dissect_field_bits(w, 1, f, 32, 35, "number of arguments");
        dissect_field_thread_ref(w, 1, f, 36, "thread ref", &w->r.thread, !(w->r.faults & FXT_FAULT_NO_EVENT), true);
        dissect_field_reserved(w, 1, f, 44, 63);
    } else {
        dissect_field_reserved(w, 1, f, 32, 63);
    }
    if (!dissect_field_inline_string(w, category, f, 0, "category") ||
        !dissect_field_inline_string(w, name, f, 16, "name"))
        return;
    if (event && (!dissect_field_timestamp(w) || !dissect_field_inline_ids(w, FXT_BITS(f, 36, 43)) ||
                  !dissect_field_arguments(w, count)))
        return;
    if (!dissect_field_word(w, "length", "no space left for the length", &f, &length))
        return;
    dissect_field_show(w, length);
    dissect_field_note(w, length, "bytes");
    dissect_field_contents(w, length, f);
    dissect_field_extra(w);
}

static void dissect_record(struct dissect_cursor *w) {
    unsigned type = (unsigned)FXT_BITS(w->r.header, 0, 3);
    framing(w, type == FXT_LARGE ? 35 : 15);
    switch (type) {
    case FXT_METADATA:
        dissect_metadata(w);
        break;
    case FXT_INITIALIZATION:
        dissect_init(w);
        break;
    case FXT_STRING:
        dissect_string(w);
        break;
    case FXT_THREAD:
        dissect_thread(w);
        break;
    case FXT_EVENT:
        dissect_event(w);
        break;
    case FXT_BLOB:
        dissect_blob(w);
        break;
    case FXT_USERSPACE_OBJECT:
        dissect_userspace_object(w);
        break;
    case FXT_KERNEL_OBJECT:
        dissect_kernel_object(w);
        break;
    case FXT_SCHEDULING:
        dissect_scheduling(w);
        break;
    case FXT_LOG:
        dissect_log(w);
        break;
    case FXT_PROFILER:
        dissect_profiler(w);
        break;
    case FXT_LARGE:
        dissect_large(w);
        break;
    default:
        dissect_field_undecoded(w, 0, w->r.header, 16, 63);
        dissect_field_rest_undecoded(w);
        break;
    }
}

/* ---- what is no record ---- */

static void dissect_zero_size(struct dissect_cursor *w) {
    uint64_t h = record_word(w->words, w->swap);
    unsigned hi = FXT_BITS(h, 0, 3) == FXT_LARGE ? 35 : 15, type = (unsigned)FXT_BITS(h, 0, 3);
    size_t i = dissect_field_bits(w, 0, h, 0, 3, "record type");
    if (record_types[type])
        dissect_field_note(w, i, "%s", record_types[type]);
    dissect_field_fault(w, dissect_field_bits(w, 0, h, 4, hi, "record size"), DISSECT_NO_RECORD,
                        "size 0: the next record cannot be located");
    dissect_field_undecoded(w, 0, h, hi + 1, 63);
    w->at = 1;
    if (dissect_field_left(w) > 0)
        dissect_field_run(w, dissect_field_left(w), "skipped");
}

void dissect_frame(struct dissection *a, const struct dissect_place *place, uint64_t offset,
                   const struct reader_frame *f) {
    struct dissect_cursor w = {.a = a,
                               .place = place,
                               .provider = f->provider,
                               .words = f->words,
                               .at = 1,
                               .avail = f->avail,
                               .offset = offset,
                               .size = f->size,
                               .swap = f->swap,
                               .cut = f->kind == FRAME_CUT};
    size_t i;
    a->v.n = 0;
    a->text.n = 0;
    a->faults = 0;
    a->offset = offset;
    a->size = f->bytes;
    a->frame = (uint8_t)f->kind;
    a->bytes = f->kind == FRAME_BYTES ? f->bytes : f->avail * 8;
    a->provider = f->provider;
    dissect_field_put(&w, "", 1);
    switch (f->kind) {
    case FRAME_RECORD:
    case FRAME_CUT:
        record_decode(&w.r, f->words, f->avail, f->size, f->swap);
        a->kind = w.r.kind;
        dissect_record(&w);
        break;
    case FRAME_ZERO_SIZE:
        dissect_zero_size(&w);
        break;
    case FRAME_ZEROS:
        w.at = 0;
        dissect_field_fault(&w, dissect_field_run(&w, f->avail, "zeros"), DISSECT_NO_RECORD,
                            "zeros where a record should be");
        break;
    case FRAME_BYTES:
        i = dissect_field_add(&w, DISSECT_STREAM, 0, f->bytes * 8, "trailing bytes");
        dissect_field_byte_count(&w, i, f->bytes);
        dissect_field_fault(&w, i, DISSECT_NO_RECORD, "less than a word");
        break;
    }
}

bool dissect_open(struct dissection *a, const struct dissect_place *place, uint64_t offset) {
    struct reader_frame f;
    if (offset % 8 != 0 || !reader_frame_at(place->reader, offset, &f))
        return false;
    dissect_frame(a, place, offset, &f);
    return true;
}

void dissect_free(struct dissection *a) {
    vec_free(&a->v);
    vec_free(&a->text);
}

/* ---- one line ---- */

const char *dissect_fault_name(enum dissect_fault f) {
    static const char *const names[DISSECT_FAULTS] = {
        [DISSECT_FINE] = "",
        [DISSECT_NO_RECORD] = "no whole record",
        [DISSECT_CONTENTS] = "contents exceed the record",
        [DISSECT_ARGUMENTS] = "arguments malformed",
        [DISSECT_RESERVED] = "reserved bits set",
        [DISSECT_UNKNOWN] = "unknown type",
        [DISSECT_UNDEFINED] = "undefined reference",
        [DISSECT_VALUE] = "doubtful value",
        [DISSECT_EXTRA] = "extra words",
    };
    return names[f];
}

/* "outgoing thread ref" is outgoing_thread= in a line. */
static void print_key(const char *name, FILE *out) {
    char key[40];
    size_t n = strlen(name);
    if (n > 4 && strcmp(name + n - 4, " ref") == 0)
        n -= 4;
    assert(n < sizeof key);
    for (size_t i = 0; i < n; i++)
        key[i] = name[i] == ' ' ? '_' : name[i] >= 'A' && name[i] <= 'Z' ? (char)(name[i] + 32) : name[i];
    key[n] = '=';
    fwrite(key, 1, n + 1, out);
}

static void print_value(const struct dissection *a, const struct dissect_field *f, FILE *out) {
    if (f->quoted)
        putc('"', out);
    fputs(dissect_text(a, f->value), out);
    if (f->quoted)
        putc('"', out);
}

void dissect_print(const struct dissection *a, FILE *out) {
    const char *type = "", *before = NULL;
    bool in = false;
    for (size_t i = 0; i < a->v.n; i++) {
        const struct dissect_field *f = &a->v.v[i];
        switch ((enum dissect_line)f->line) {
        case DISSECT_HIDDEN:
            break;
        case DISSECT_SHOWN:
            fputs(in ? "} " : before == f->name ? "," : " ", out);
            if (before != f->name)
                print_key(f->name, out);
            in = false;
            before = f->name;
            print_value(a, f, out);
            break;
        case DISSECT_ARG_TYPE:
            fputs(in ? ", " : " args={", out);
            in = true;
            type = dissect_text(a, f->value);
            break;
        case DISSECT_ARG_NAME:
            fputs(dissect_text(a, f->value), out);
            putc('=', out);
            fputs(type, out);
            fputs(strcmp(type, "null") == 0 ? ":null" : ":", out);
            break;
        case DISSECT_ARG_VALUE:
            print_value(a, f, out);
            break;
        }
    }
    if (in)
        putc('}', out);
    for (int fault = 1; fault < DISSECT_FAULTS; fault++)
        if (a->faults & 1u << fault)
            fprintf(out, " [%s]", dissect_fault_name((enum dissect_fault)fault));
}
