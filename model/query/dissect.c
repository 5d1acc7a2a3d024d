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

static void framing(struct walk *w, unsigned size_hi) {
    uint64_t h = w->r.header;
    unsigned type = (unsigned)FXT_BITS(h, 0, 3);
    size_t i = part_header(w, 0, 3, "record type");
    if (record_types[type]) {
        part_note(w, i, "%s", record_types[type]);
    } else {
        part_show(w, i);
        part_fault(w, i, ANATOMY_UNKNOWN, "record types 11 to 14 have no meaning");
    }
    i = part_header(w, 4, size_hi, "record size");
    part_note(w, i, "words, %" PRIu64 " bytes", w->size * 8);
    if (w->cut)
        part_fault(w, i, ANATOMY_NO_RECORD, "it would end behind the end of the file");
}

static void subtype(struct walk *w, size_t i, bool known, const char *name, const char *why) {
    if (known) {
        part_note(w, i, "%s", name);
        return;
    }
    part_show(w, i);
    part_fault(w, i, ANATOMY_UNKNOWN, why);
}

static void walk_metadata(struct walk *w) {
    uint64_t h = w->r.header, type = FXT_BITS(h, 16, 19);
    size_t i = part_header(w, 16, 19, "metadata type");
    static const char *const names[] = {"", "provider info", "provider section", "provider event", "trace info"};
    subtype(w, i, type >= FXT_PROVIDER_INFO && type <= FXT_TRACE_INFO, names[type <= FXT_TRACE_INFO ? type : 0],
            "this metadata type has no meaning");
    switch (type) {
    case FXT_PROVIDER_INFO: {
        uint64_t n = FXT_BITS(h, 52, 59);
        part_show(w, part_header(w, 20, 51, "provider id"));
        i = part_header(w, 52, 59, "name length");
        part_note(w, i, "bytes");
        part_reserved(w, 0, h, 60, 63);
        if (part_words_of(n) > part_left(w)) {
            part_fault(w, i, ANATOMY_CONTENTS, "the name goes past the record");
            part_rest_undecoded(w);
            return;
        }
        struct str s = {(const char *)(w->words + w->at), n};
        i = part_stream(w, n, "name");
        part_text_value(w, i, s);
        part_show(w, i);
        break;
    }
    case FXT_PROVIDER_SECTION:
        part_show(w, part_header(w, 20, 51, "provider id"));
        part_reserved(w, 0, h, 52, 63);
        break;
    case FXT_PROVIDER_EVENT:
        part_show(w, part_header(w, 20, 51, "provider id"));
        i = part_header(w, 52, 55, "event");
        subtype(w, i, FXT_BITS(h, 52, 55) == 0, "a buffer was full", "this provider event has no meaning");
        part_show(w, i);
        part_reserved(w, 0, h, 56, 63);
        break;
    case FXT_TRACE_INFO:
        i = part_header(w, 20, 23, "trace info type");
        subtype(w, i, FXT_BITS(h, 20, 23) == 0, "magic", "this trace info type has no meaning");
        if (w->r.kind != FXT_K_MAGIC)
            part_show(w, i);
        if (FXT_BITS(h, 20, 23) != 0) {
            part_undecoded(w, 0, h, 24, 63);
            part_rest_undecoded(w);
            return;
        }
        i = part_header(w, 24, 55, "magic number");
        part_hexadecimal(w, i, FXT_BITS(h, 24, 55));
        if (FXT_BITS(h, 24, 55) != FXT_MAGIC_NUMBER)
            part_fault(w, i, ANATOMY_UNKNOWN, "not the magic number");
        part_reserved(w, 0, h, 56, 63);
        break;
    default:
        part_undecoded(w, 0, h, 20, 63);
        part_rest_undecoded(w);
        return;
    }
    part_extra(w);
}

static void walk_init(struct walk *w) {
    uint64_t value;
    char wall[48];
    size_t i;
    part_reserved(w, 0, w->r.header, 16, 63);
    if (!part_word(w, "ticks per second", "there is no room for the ticks per second", &value, &i))
        return;
    part_show(w, i);
    if (value == 0)
        part_fault(w, i, ANATOMY_VALUE, "no ticks a second: 1 tick is taken as 1 ns");
    if (part_left(w) >= 2) {
        part_shown_word(w, "base tick", "", false, &i);
        part_shown_word(w, "base time", "", false, &i);
        part_note(w, i, "ns since 1970: %s", ticks_wall(w->r.init.base_unix_ns, wall));
    }
    part_extra(w);
}

static void length_text(struct walk *w, size_t length, uint64_t n, const char *name, const char *why) {
    if (part_words_of(n) > part_left(w)) {
        part_fault(w, length, ANATOMY_CONTENTS, why);
        part_rest_undecoded(w);
        return;
    }
    struct str s = {(const char *)(w->words + w->at), n};
    size_t i = part_stream(w, n, name);
    part_text_value(w, i, s);
    part_show(w, i);
    part_extra(w);
}

static void walk_string(struct walk *w) {
    uint64_t h = w->r.header;
    size_t i = part_header(w, 16, 30, "index");
    part_show(w, i);
    if (FXT_BITS(h, 16, 30) == 0)
        part_note(w, i, "defines nothing");
    part_reserved(w, 0, h, 31, 31);
    i = part_header(w, 32, 46, "length");
    part_note(w, i, "bytes");
    part_reserved(w, 0, h, 47, 47);
    part_reserved(w, 0, h, 48, 63);
    length_text(w, i, FXT_BITS(h, 32, 46), "string", "the string goes past the record");
}

static void walk_thread(struct walk *w) {
    size_t i = part_header(w, 16, 23, "index");
    part_show(w, i);
    if (FXT_BITS(w->r.header, 16, 23) == 0)
        part_note(w, i, "defines nothing");
    part_reserved(w, 0, w->r.header, 24, 63);
    if (!part_shown_word(w, "process id", "there is no room for the process id", false, &i) ||
        !part_shown_word(w, "thread id", "there is no room for the thread id", false, &i))
        return;
    if (w->place->trace) {
        struct thread_id id = {.pid = w->r.thread_def.pid, .tid = w->r.thread_def.tid, .form = THREAD_PAIR};
        part_note_thread(w, i, threads_find(reader_threads(w->place->reader), &id));
    }
    part_extra(w);
}

static void event_tail(struct walk *w, unsigned type) {
    static const char *const scopes[] = {"the thread", "its process", "the whole trace"};
    uint64_t value;
    size_t i;
    switch (type) {
    case FXT_INSTANT:
        if (part_left(w) > 0 && part_word(w, "scope", "", &value, &i)) {
            part_show(w, i);
            if (value < 3)
                part_note(w, i, "%s", scopes[value]);
            else
                part_fault(w, i, ANATOMY_UNKNOWN, "this scope has no meaning");
        }
        break;
    case FXT_DURATION_BEGIN:
    case FXT_DURATION_END:
        break;
    case FXT_DURATION_COMPLETE:
        if (!part_ticks(w, "end", "there is no room for the time of the end", &value, &i))
            return;
        if (value < w->r.ts)
            part_fault(w, i, ANATOMY_VALUE, "it ends before it begins");
        break;
    default:
        if (!part_shown_word(w,
                             type == FXT_COUNTER     ? "counter id"
                             : type <= FXT_ASYNC_END ? "async id"
                                                     : "flow id",
                             "there is no room for the id", true, &i))
            return;
        break;
    }
    part_extra(w);
}

static void walk_event(struct walk *w) {
    uint64_t h = w->r.header, type = FXT_BITS(h, 16, 19);
    size_t i = part_header(w, 16, 19, "event type");
    subtype(w, i, type <= FXT_FLOW_END, fxt_kind_name((enum fxt_kind)w->r.kind),
            "event types 11 to 15 have no meaning");
    if (type > FXT_FLOW_END) {
        part_undecoded(w, 0, h, 20, 63);
        part_rest_undecoded(w);
        return;
    }
    size_t count = part_header(w, 20, 23, "number of arguments");
    part_thread_ref(w, 0, h, 24, "thread ref", &w->r.thread, !(w->r.faults & FXT_FAULT_NO_EVENT), true);
    size_t category = part_string_ref(w, 0, h, 32, "category ref", &w->r.category);
    size_t name = part_string_ref(w, 0, h, 48, "name ref", &w->r.name);
    part_show(w, category);
    part_show(w, name);
    if (part_timestamp(w) && part_inline_ids(w, FXT_BITS(h, 24, 31)) &&
        part_inline_string(w, category, h, 32, "category") && part_inline_string(w, name, h, 48, "name") &&
        part_arguments(w, count))
        event_tail(w, (unsigned)type);
}

static void walk_blob(struct walk *w) {
    static const char *const types[] = {"", "data", "last branch records", "Perfetto protobufs"};
    uint64_t h = w->r.header, type = FXT_BITS(h, 48, 55);
    size_t name = part_string_ref(w, 0, h, 16, "name ref", &w->r.name);
    part_show(w, name);
    size_t length = part_header(w, 32, 46, "length");
    part_show(w, length);
    part_note(w, length, "bytes");
    part_reserved(w, 0, h, 47, 47);
    size_t i = part_header(w, 48, 55, "blob type");
    bool known = type >= FXT_BLOB_DATA && type <= FXT_BLOB_PERFETTO;
    subtype(w, i, known, types[known ? type : 0], "this blob type has no meaning");
    part_show(w, i);
    part_reserved(w, 0, h, 56, 63);
    if (!part_inline_string(w, name, h, 16, "name"))
        return;
    part_contents(w, length, FXT_BITS(h, 32, 46));
    part_extra(w);
}

/* How many words of an inline process record_decode() has found: it stands where the rest begins. */
static unsigned process_words(const struct walk *w, uint64_t name) {
    uint64_t before = 2 + (name & FXT_INLINE ? part_words_of(name & FXT_STRING_MAX) : 0);
    if (w->r.args.words)
        return (uint64_t)(w->r.args.words - w->words) - before == 1 ? 1 : 2;
    return w->avail >= 4 ? 2 : 1;
}

static void walk_userspace_object(struct walk *w) {
    uint64_t h = w->r.header, process = FXT_BITS(h, 16, 23);
    size_t i;
    part_thread_ref(w, 0, h, 16, "thread ref", &w->r.thread, !(w->r.faults & FXT_FAULT_NO_EVENT), true);
    size_t name = part_string_ref(w, 0, h, 24, "name ref", &w->r.name),
           count = part_header(w, 40, 43, "number of arguments");
    part_show(w, name);
    part_reserved(w, 0, h, 44, 63);
    if (part_shown_word(w, "pointer", "there is no room for the pointer", true, &i) &&
        part_inline_thread(w, process, process_words(w, FXT_BITS(h, 24, 39)), "process id", "thread id") &&
        part_inline_string(w, name, h, 24, "name"))
        part_rest(w, count);
}

static void walk_kernel_object(struct walk *w) {
    uint64_t h = w->r.header;
    const char *type = fxt_object_name((uint8_t)FXT_BITS(h, 16, 23));
    size_t i = part_header(w, 16, 23, "object type");
    part_show(w, i);
    if (type)
        part_note(w, i, "%s", type);
    size_t name = part_string_ref(w, 0, h, 24, "name ref", &w->r.name),
           count = part_header(w, 40, 43, "number of arguments");
    part_show(w, name);
    part_reserved(w, 0, h, 44, 63);
    if (part_shown_word(w, "koid", "there is no room for the koid", false, &i) &&
        part_inline_string(w, name, h, 24, "name"))
        part_rest(w, count);
}

static void note_state(struct walk *w, size_t i, uint64_t state) {
    static const char *const states[] = {"new", "running", "suspended", "blocked", "dying", "dead"};
    part_show(w, i);
    if (state < sizeof states / sizeof *states)
        part_note(w, i, "%s", states[state]);
}

static void walk_switch_legacy(struct walk *w) {
    uint64_t h = w->r.header;
    bool there = !(w->r.faults & FXT_FAULT_NO_EVENT);
    size_t i;
    part_show(w, part_header(w, 16, 23, "CPU"));
    note_state(w, part_header(w, 24, 27, "outgoing state"), FXT_BITS(h, 24, 27));
    part_thread_ref(w, 0, h, 28, "outgoing thread ref", &w->r.thread, there, true);
    part_thread_ref(w, 0, h, 36, "incoming thread ref", &w->r.sched.in, there, false);
    part_show(w, part_header(w, 44, 51, "outgoing priority"));
    part_show(w, part_header(w, 52, 59, "incoming priority"));
    i = part_header(w, 60, 63, "subtype");
    part_note(w, i, "legacy context switch");
    if (part_timestamp(w) &&
        part_inline_thread(w, FXT_BITS(h, 28, 35), 2, "outgoing process id", "outgoing thread id") &&
        part_inline_thread(w, FXT_BITS(h, 36, 43), 2, "incoming process id", "incoming thread id"))
        part_extra(w);
}

static void walk_scheduling(struct walk *w) {
    uint64_t h = w->r.header, type = FXT_BITS(h, 60, 63);
    size_t count, i;
    switch (type) {
    case FXT_SWITCH_LEGACY:
        walk_switch_legacy(w);
        return;
    case FXT_SWITCH:
        count = part_header(w, 16, 19, "number of arguments");
        part_show(w, part_header(w, 20, 35, "CPU"));
        note_state(w, part_header(w, 36, 39, "outgoing state"), FXT_BITS(h, 36, 39));
        part_reserved(w, 0, h, 40, 59);
        i = part_header(w, 60, 63, "subtype");
        part_note(w, i, "context switch");
        if (part_timestamp(w) &&
            part_koid_thread(w, "outgoing thread id", "there is no room for the outgoing thread") &&
            part_koid_thread(w, "incoming thread id", "there is no room for the incoming thread"))
            part_rest(w, count);
        return;
    case FXT_WAKEUP:
        count = part_header(w, 16, 19, "number of arguments");
        part_show(w, part_header(w, 20, 35, "CPU"));
        part_reserved(w, 0, h, 36, 59);
        i = part_header(w, 60, 63, "subtype");
        part_note(w, i, "thread wakeup");
        if (part_timestamp(w) && part_koid_thread(w, "woken thread id", "there is no room for the thread"))
            part_rest(w, count);
        return;
    default:
        part_undecoded(w, 0, h, 16, 59);
        subtype(w, part_header(w, 60, 63, "subtype"), false, "", "this scheduling subtype has no meaning");
        part_rest_undecoded(w);
        return;
    }
}

static void walk_log(struct walk *w) {
    uint64_t h = w->r.header;
    size_t length = part_header(w, 16, 30, "message length");
    part_note(w, length, "bytes");
    part_reserved(w, 0, h, 31, 31);
    part_thread_ref(w, 0, h, 32, "thread ref", &w->r.thread, !(w->r.faults & FXT_FAULT_NO_EVENT), true);
    part_reserved(w, 0, h, 40, 63);
    if (part_timestamp(w) && part_inline_ids(w, FXT_BITS(h, 32, 39)))
        length_text(w, length, FXT_BITS(h, 16, 30), "message", "the message goes past the record");
}

static void walk_module(struct walk *w, uint64_t thread, unsigned ids) {
    uint64_t h = w->r.header, n = FXT_BITS(h, 44, 51), build = FXT_BITS(h, 52, 59);
    part_show(w, part_header(w, 28, 43, "module id"));
    size_t name = part_header(w, 44, 51, "name length"), id = part_header(w, 52, 59, "build id length");
    part_note(w, name, "bytes");
    part_note(w, id, "bytes");
    part_reserved(w, 0, h, 60, 63);
    if (!part_timestamp(w) || !part_inline_thread(w, thread, ids, "process id", "thread id"))
        return;
    if (part_words_of(n) > part_left(w)) {
        part_fault(w, name, ANATOMY_CONTENTS, "the name goes past the record");
        part_rest_undecoded(w);
        return;
    }
    struct str s = {(const char *)(w->words + w->at), n};
    size_t i = part_stream(w, n, "name");
    part_text_value(w, i, s);
    part_show(w, i);
    if (part_words_of(build) > part_left(w)) {
        part_fault(w, id, ANATOMY_CONTENTS, "the build id goes past the record");
        part_rest_undecoded(w);
        return;
    }
    const unsigned char *bytes = (const unsigned char *)(w->words + w->at);
    i = part_stream(w, build, "build id");
    part_show(w, i);
    part_hex_bytes(w, i, bytes, build);
    part_extra(w);
}

static void walk_mmap(struct walk *w, uint64_t thread, unsigned ids) {
    uint64_t h = w->r.header, flags = FXT_BITS(h, 44, 46);
    size_t i;
    part_show(w, part_header(w, 28, 43, "module id"));
    i = part_header(w, 44, 46, "flags");
    part_show(w, i);
    part_note(w, i, "%c%c%c", flags & 1 ? 'r' : '-', flags & 2 ? 'w' : '-', flags & 4 ? 'x' : '-');
    part_reserved(w, 0, h, 47, 63);
    if (part_timestamp(w) && part_inline_thread(w, thread, ids, "process id", "thread id") &&
        part_shown_word(w, "start", "there is no room for the start", true, &i) &&
        part_shown_word(w, "size", "there is no room for the size", true, &i) &&
        part_shown_word(w, "virtual address", "there is no room for the virtual address", true, &i))
        part_extra(w);
}

static void walk_backtrace(struct walk *w, uint64_t thread) {
    uint64_t h = w->r.header, n = FXT_BITS(h, 28, 35);
    size_t count = part_header(w, 28, 35, "number of addresses"), i;
    i = part_header(w, 36, 37, "reserved");
    if (FXT_BITS(h, 36, 37) != 0)
        part_note(w, i, "some writers set these");
    part_reserved(w, 0, h, 38, 63);
    if (!part_timestamp(w) || !part_inline_thread(w, thread, 2, "process id", "thread id"))
        return;
    if (n > part_left(w)) {
        part_fault(w, count, ANATOMY_CONTENTS, "not as many are there");
        n = part_left(w);
    }
    for (; n > 0; n--)
        part_shown_word(w, "address", "", true, &i);
    part_extra(w);
}

static void walk_profiler(struct walk *w) {
    static const char *const names[] = {"module", "mmap", "backtrace"};
    uint64_t h = w->r.header, type = FXT_BITS(h, 16, 19), thread = FXT_BITS(h, 20, 27);
    unsigned ids = w->r.thread.no_tid ? 1 : 2;
    size_t i = part_header(w, 16, 19, "subtype");
    subtype(w, i, type <= FXT_BACKTRACE, names[type <= FXT_BACKTRACE ? type : 0],
            "this profiler subtype has no meaning");
    if (type > FXT_BACKTRACE) {
        part_undecoded(w, 0, h, 20, 63);
        part_rest_undecoded(w);
        return;
    }
    part_thread_ref(w, 0, h, 20, "thread ref", &w->r.thread, !(w->r.faults & FXT_FAULT_NO_EVENT), true);
    if (type == FXT_MODULE)
        walk_module(w, thread, ids);
    else if (type == FXT_MMAP)
        walk_mmap(w, thread, ids);
    else
        walk_backtrace(w, thread);
}

static void walk_large(struct walk *w) {
    uint64_t h = w->r.header, type = FXT_BITS(h, 36, 39), format = FXT_BITS(h, 40, 43), f;
    bool known = type == 0 && format <= FXT_LARGE_ATTACHMENT, event = format == FXT_LARGE_EVENT;
    size_t i = part_header(w, 36, 39, "large type"), count = PART_NONE, length;
    subtype(w, i, type == 0, "blob", "this large type has no meaning");
    i = part_header(w, 40, 43, "format");
    if (type == 0)
        subtype(w, i, known, event ? "with metadata" : "without metadata", "this format has no meaning");
    if (!known) {
        part_show(w, i - 1);
        part_show(w, i);
        part_undecoded(w, 0, h, 44, 63);
        part_rest_undecoded(w);
        return;
    }
    part_reserved(w, 0, h, 44, 63);
    if (part_left(w) == 0) {
        part_lacks(w, "there is no room for the second header");
        return;
    }
    f = record_word(w->words + w->at++, w->swap);
    size_t category = part_string_ref(w, 1, f, 0, "category ref", &w->r.category);
    size_t name = part_string_ref(w, 1, f, 16, "name ref", &w->r.name);
    part_show(w, category);
    part_show(w, name);
    if (event) {
        count = part_bits(w, 1, f, 32, 35, "number of arguments");
        part_thread_ref(w, 1, f, 36, "thread ref", &w->r.thread, !(w->r.faults & FXT_FAULT_NO_EVENT), true);
        part_reserved(w, 1, f, 44, 63);
    } else {
        part_reserved(w, 1, f, 32, 63);
    }
    if (!part_inline_string(w, category, f, 0, "category") || !part_inline_string(w, name, f, 16, "name"))
        return;
    if (event && (!part_timestamp(w) || !part_inline_ids(w, FXT_BITS(f, 36, 43)) || !part_arguments(w, count)))
        return;
    if (!part_word(w, "length", "there is no room for the length", &f, &length))
        return;
    part_show(w, length);
    part_note(w, length, "bytes");
    part_contents(w, length, f);
    part_extra(w);
}

static void walk_record(struct walk *w) {
    unsigned type = (unsigned)FXT_BITS(w->r.header, 0, 3);
    framing(w, type == FXT_LARGE ? 35 : 15);
    switch (type) {
    case FXT_METADATA:
        walk_metadata(w);
        break;
    case FXT_INITIALIZATION:
        walk_init(w);
        break;
    case FXT_STRING:
        walk_string(w);
        break;
    case FXT_THREAD:
        walk_thread(w);
        break;
    case FXT_EVENT:
        walk_event(w);
        break;
    case FXT_BLOB:
        walk_blob(w);
        break;
    case FXT_USERSPACE_OBJECT:
        walk_userspace_object(w);
        break;
    case FXT_KERNEL_OBJECT:
        walk_kernel_object(w);
        break;
    case FXT_SCHEDULING:
        walk_scheduling(w);
        break;
    case FXT_LOG:
        walk_log(w);
        break;
    case FXT_PROFILER:
        walk_profiler(w);
        break;
    case FXT_LARGE:
        walk_large(w);
        break;
    default:
        part_undecoded(w, 0, w->r.header, 16, 63);
        part_rest_undecoded(w);
        break;
    }
}

/* ---- what is no record ---- */

static void walk_zero_size(struct walk *w) {
    uint64_t h = record_word(w->words, w->swap);
    unsigned hi = FXT_BITS(h, 0, 3) == FXT_LARGE ? 35 : 15, type = (unsigned)FXT_BITS(h, 0, 3);
    size_t i = part_bits(w, 0, h, 0, 3, "record type");
    if (record_types[type])
        part_note(w, i, "%s", record_types[type]);
    part_fault(w, part_bits(w, 0, h, 4, hi, "record size"), ANATOMY_NO_RECORD,
               "size 0: where the next record is cannot be told");
    part_undecoded(w, 0, h, hi + 1, 63);
    w->at = 1;
    if (part_left(w) > 0)
        part_run(w, part_left(w), "skipped");
}

void anatomy_frame(struct anatomy *a, const struct anatomy_place *place, uint64_t offset,
                   const struct reader_frame *f) {
    struct walk w = {.a = a,
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
    part_put(&w, "", 1);
    switch (f->kind) {
    case FRAME_RECORD:
    case FRAME_CUT:
        record_decode(&w.r, f->words, f->avail, f->size, f->swap);
        a->kind = w.r.kind;
        walk_record(&w);
        break;
    case FRAME_ZERO_SIZE:
        walk_zero_size(&w);
        break;
    case FRAME_ZEROS:
        w.at = 0;
        part_fault(&w, part_run(&w, f->avail, "zeros"), ANATOMY_NO_RECORD, "zeros where a record should be");
        break;
    case FRAME_BYTES:
        i = part_add(&w, ANATOMY_STREAM, 0, f->bytes * 8, "trailing bytes");
        part_byte_count(&w, i, f->bytes);
        part_fault(&w, i, ANATOMY_NO_RECORD, "less than a word");
        break;
    }
}

bool anatomy_open(struct anatomy *a, const struct anatomy_place *place, uint64_t offset) {
    struct reader_frame f;
    if (offset % 8 != 0 || !reader_frame_at(place->reader, offset, &f))
        return false;
    anatomy_frame(a, place, offset, &f);
    return true;
}

void anatomy_free(struct anatomy *a) {
    vec_free(&a->v);
    vec_free(&a->text);
}

/* ---- one line ---- */

const char *anatomy_fault_name(enum anatomy_fault f) {
    static const char *const names[ANATOMY_FAULTS] = {
        [ANATOMY_FINE] = "",
        [ANATOMY_NO_RECORD] = "no whole record",
        [ANATOMY_CONTENTS] = "contents exceed the record",
        [ANATOMY_ARGUMENTS] = "arguments malformed",
        [ANATOMY_RESERVED] = "reserved bits set",
        [ANATOMY_UNKNOWN] = "unknown type",
        [ANATOMY_UNDEFINED] = "undefined reference",
        [ANATOMY_VALUE] = "doubtful value",
        [ANATOMY_EXTRA] = "extra words",
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

static void print_value(const struct anatomy *a, const struct anatomy_field *f, FILE *out) {
    if (f->quoted)
        putc('"', out);
    fputs(anatomy_text(a, f->value), out);
    if (f->quoted)
        putc('"', out);
}

void anatomy_print(const struct anatomy *a, FILE *out) {
    const char *type = "", *before = NULL;
    bool in = false;
    for (size_t i = 0; i < a->v.n; i++) {
        const struct anatomy_field *f = &a->v.v[i];
        switch ((enum anatomy_line)f->line) {
        case ANATOMY_HIDDEN:
            break;
        case ANATOMY_SHOWN:
            fputs(in ? "} " : before == f->name ? "," : " ", out);
            if (before != f->name)
                print_key(f->name, out);
            in = false;
            before = f->name;
            print_value(a, f, out);
            break;
        case ANATOMY_ARG_TYPE:
            fputs(in ? ", " : " args={", out);
            in = true;
            type = anatomy_text(a, f->value);
            break;
        case ANATOMY_ARG_NAME:
            fputs(anatomy_text(a, f->value), out);
            putc('=', out);
            fputs(type, out);
            fputs(strcmp(type, "null") == 0 ? ":null" : ":", out);
            break;
        case ANATOMY_ARG_VALUE:
            print_value(a, f, out);
            break;
        }
    }
    if (in)
        putc('}', out);
    for (int fault = 1; fault < ANATOMY_FAULTS; fault++)
        if (a->faults & 1u << fault)
            fprintf(out, " [%s]", anatomy_fault_name((enum anatomy_fault)fault));
}
