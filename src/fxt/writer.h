/* writer.h - writes records: the counterpart of record.h, for tests, the demo trace and recording.
 *
 * Each function appends one whole record. A string of more than 32000 bytes, a record of more than
 * 4095 words and a value that its field cannot hold are refused: nothing is written, w->err is set,
 * and the result is false. Nothing else is checked: a writer may refer to strings and threads that
 * were never registered. w->err keeps the first failure, so that a generator may write on and check
 * once, at writer_flush().
 *
 * Without a file all bytes stay in w->bytes; with a file they go there in large pieces. Times are
 * ticks. */
#ifndef FXTOP_WRITER_H
#define FXTOP_WRITER_H

#include <stdio.h>

#include "src/base/str.h"
#include "src/base/u64map.h"
#include "src/base/vec.h"
#include "src/fxt/fxt.h"

#define WRITER_STRING_MAX 32000 /* bytes: the format's own limit */
#define WRITER_RECORD_MAX 4095  /* words, of all but large records */

/* By index (0: the empty string), or inline if text.s is set; an inline string may be empty. */
struct writer_string {
    uint16_t index;
    struct str text;
};

struct writer_thread { /* by index, or inline if the index is 0 */
    uint8_t index;
    bool no_tid; /* inline, with a process id alone (fxt(5), USERSPACE OBJECTS and PROFILER) */
    uint64_t pid, tid;
};

struct writer_argument {
    uint8_t type; /* enum fxt_argument; others are written as an argument without contents */
    struct writer_string name;
    uint64_t bits;               /* the number, pointer, koid or bool; a double's bits */
    struct writer_string string; /* FXT_ARG_STRING */
    struct str blob;             /* FXT_ARG_BLOB */
};

struct writer_arguments {
    const struct writer_argument *v;
    size_t n; /* at most 15 */
};

struct writer_event { /* the part that all events and large blobs share */
    uint64_t ts;
    struct writer_thread thread;
    struct writer_string category, name;
    struct writer_arguments args;
};

struct writer_tables; /* the strings and threads that a provider has registered */

struct writer {
    VEC(unsigned char) bytes; /* not yet in the file */
    uint64_t flushed;         /* bytes in the file */
    uint64_t records;
    uint64_t moments;  /* of the records: events, logs, context switches and wakeups */
    FILE *file;        /* not owned; NULL: none */
    bool big_endian;   /* byte order of the words; set it before the first record */
    bool ends_by_name; /* initialization records say so: ends close by name (SEMANTICS 6.12) */
    bool failed;
    struct err err; /* the first failure; at: the byte where the record would have started */
    VEC(struct writer_tables *) tables;
    struct u64map places; /* of a provider's tables; UINT64_MAX - 1: of the implicit one's */
    struct writer_tables *current;
};

void writer_init(struct writer *w, FILE *file);
void writer_free(struct writer *w);
uint64_t writer_offset(const struct writer *w); /* of the next record, in bytes */

/* Writes all bytes to the file. False if that, or any record before, failed. */
bool writer_flush(struct writer *w, struct err *err);

/* The bytes so far of a writer without a file, which count as written; valid until the next
 * record. */
static inline struct str writer_take(struct writer *w) {
    struct str bytes = {(const char *)w->bytes.v, w->bytes.n};
    w->flushed += w->bytes.n;
    w->bytes.n = 0;
    return bytes;
}

/* Registers on first use in the current provider's tables and returns the index. If the table is
 * full (32767 strings, 255 threads), the reference is inline. The text is copied only when it is
 * registered. */
struct writer_string writer_intern(struct writer *w, struct str text);
struct writer_thread writer_intern_thread(struct writer *w, uint64_t pid, uint64_t tid);

static inline struct writer_string writer_index(uint16_t index) {
    return (struct writer_string){.index = index};
}

static inline struct writer_string writer_inline(struct str text) {
    return (struct writer_string){.text = {text.s ? text.s : "", text.n}};
}

static inline struct writer_thread writer_inline_thread(uint64_t pid, uint64_t tid) {
    return (struct writer_thread){.pid = pid, .tid = tid};
}

/* An argument of any type but double, string and blob. */
static inline struct writer_argument writer_number(uint8_t type, struct writer_string name,
                                                   uint64_t bits) {
    return (struct writer_argument){.type = type, .name = name, .bits = bits};
}

struct writer_argument writer_double(struct writer_string name, double value);

static inline struct writer_argument writer_text(struct writer_string name,
                                                 struct writer_string value) {
    return (struct writer_argument){.type = FXT_ARG_STRING, .name = name, .string = value};
}

/* Metadata */
bool writer_magic(struct writer *w);
bool writer_provider_info(struct writer *w, uint32_t id,
                          /* this and the next make the provider's tables current */
                          struct str name);
bool writer_provider_section(struct writer *w, uint32_t id);
bool writer_provider_event(struct writer *w, uint32_t id, unsigned event);
/* 40 bits of data; type 0 is the magic */
bool writer_trace_info(struct writer *w, unsigned type, uint64_t data);

/* Definitions */
bool writer_init_record(struct writer *w, uint64_t ticks_per_second);
bool writer_init_base(struct writer *w, uint64_t ticks_per_second, uint64_t base_tick,
                      uint64_t base_unix_ns);
bool writer_string(struct writer *w, uint16_t index, struct str text);
bool writer_thread(struct writer *w, uint8_t index, uint64_t pid, uint64_t tid);

/* Events */
bool writer_instant(struct writer *w, const struct writer_event *e);
bool writer_instant_scope(struct writer *w, const struct writer_event *e, uint64_t scope);
bool writer_counter(struct writer *w, const struct writer_event *e, uint64_t id);
bool writer_begin(struct writer *w, const struct writer_event *e);
bool writer_end(struct writer *w, const struct writer_event *e);
bool writer_complete(struct writer *w, const struct writer_event *e, uint64_t end);
/* type: one of the three FXT_ASYNC_, or of the three FXT_FLOW_ */
bool writer_async(struct writer *w, enum fxt_event type, const struct writer_event *e, uint64_t id);
bool writer_flow(struct writer *w, enum fxt_event type, const struct writer_event *e, uint64_t id);

/* Objects and blobs */
bool writer_blob(struct writer *w, struct writer_string name, unsigned type, struct str payload);
bool writer_userspace_object(struct writer *w, uint64_t pointer, struct writer_thread process,
                             struct writer_string name, struct writer_arguments args);
bool writer_kernel_object(struct writer *w, unsigned type, uint64_t koid, struct writer_string name,
                          struct writer_arguments args);
bool writer_large_event(struct writer *w, const struct writer_event *e, struct str payload);
bool writer_large_attachment(struct writer *w, struct writer_string category,
                             struct writer_string name, struct str payload);

/* Scheduling */
/* legacy: threads, priorities and an 8-bit CPU number; else koids and arguments */
struct writer_switch {
    uint64_t ts;
    unsigned cpu, out_state;
    struct writer_thread out, in;
    uint8_t out_priority, in_priority;
    uint64_t out_tid, in_tid;
    struct writer_arguments args;
};
bool writer_switch_legacy(struct writer *w, const struct writer_switch *s);
bool writer_switch(struct writer *w, const struct writer_switch *s);
bool writer_wakeup(struct writer *w, uint64_t ts, unsigned cpu, uint64_t tid,
                   struct writer_arguments args);

/* Logs and the profiler */
bool writer_log(struct writer *w, uint64_t ts, struct writer_thread thread, struct str message);
bool writer_module(struct writer *w, uint64_t ts, struct writer_thread thread, unsigned id,
                   struct str name, struct str build_id);
struct writer_mapping {
    unsigned module_id, flags; /* flags: 1 readable, 2 writable, 4 executable */
    uint64_t start, size, address;
};
bool writer_mmap(struct writer *w, uint64_t ts, struct writer_thread thread,
                 const struct writer_mapping *m);
bool writer_backtrace(struct writer *w, uint64_t ts, struct writer_thread thread,
                      const uint64_t *pcs, size_t n);

/* Raw content: one word in the trace's byte order, or bytes as they are (damage, a record of
 * another trace of the same byte order). */
void writer_word(struct writer *w, uint64_t word);
void writer_bytes(struct writer *w, const void *bytes, size_t n);

#endif
