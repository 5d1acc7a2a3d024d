/* reader.h - reads the records of a file in order and calls a sink with each.
 *
 * The reader owns the providers, the interned names and the threads. It resolves every reference,
 * so that an event reaches the sink with dense numbers (names.h, threads.h). It keeps nothing of an
 * event. It skips what it does not know and finds its way after damage (SEMANTICS 3.6 to 3.14).
 *
 * Times are int64 nanoseconds relative to the first event read (reader_base()). The trace's origin
 * is subtracted on output, because the earliest event may be the last record. If times do not fit
 * (|t| > 2^61), reader_wide() is true and times are clamped. The caller then starts again with the
 * base reader_min() when it has read the end. With that base times are never negative, and saturate
 * at 2^63-1 (SEMANTICS 4.1). */
#ifndef FXTOP_READER_H
#define FXTOP_READER_H

#include "src/base/wide.h"
#include "src/fxt/bulk.h"
#include "src/fxt/event.h"
#include "src/fxt/names.h"
#include "src/fxt/provider.h"
#include "src/fxt/record.h"
#include "src/fxt/threads.h"
#include "src/io/file.h"

/* The kinds of problem that the reader finds. Their numbers are the order in which exports list
 * them (EXPORT 4); the gaps are the kinds that the model finds (model/store/problem.h). */
enum problem_kind {
    PROBLEM_NO_MAGIC,
    PROBLEM_SECOND_MAGIC,
    PROBLEM_ZERO_WORDS,
    PROBLEM_ZERO_SIZE,
    PROBLEM_TRUNCATED_RECORD,
    PROBLEM_TRAILING_BYTES,
    PROBLEM_CONTENTS_EXCEED_RECORD,
    PROBLEM_ARGUMENTS_MALFORMED,
    PROBLEM_UNKNOWN_RECORD = 11,
    PROBLEM_UNKNOWN_EVENT,
    PROBLEM_UNKNOWN_ARGUMENT,
    PROBLEM_UNKNOWN_METADATA,
    PROBLEM_UNKNOWN_TRACE_INFO,
    PROBLEM_UNKNOWN_PROVIDER_EVENT,
    PROBLEM_UNKNOWN_LARGE,
    PROBLEM_UNKNOWN_BLOB,
    PROBLEM_UNKNOWN_SCHEDULING,
    PROBLEM_UNKNOWN_PROFILER,
    PROBLEM_UNDEFINED_STRING,
    PROBLEM_UNDEFINED_THREAD,
    PROBLEM_UNDECLARED_PROVIDER,
    PROBLEM_TICK_RATE_ZERO,
    PROBLEM_TIME_SATURATED,
    PROBLEM_END_BEFORE_BEGIN = 29,
    PROBLEM_ARCHIVE_CUT = 55,
};

/* A framed record, for the sink. Lasts for the call. */
struct item {
    const struct fxt_record *record;
    uint64_t offset;       /* bytes */
    const uint64_t *words; /* those in memory: all, but of large records */
    uint64_t avail;        /* as many */
    struct provider *provider;
    int64_t time, end;       /* of events; end: of complete events, never before time */
    uint32_t thread;         /* number in threads.h, or NO_THREAD; of switches: outgoing */
    uint32_t thread2;        /* of switches: incoming; of wakeups: the thread that was woken */
    uint32_t category, name; /* numbers in names.h */
    bool is_event;           /* has a time and a thread (EXPORT 1.4) */
};

/* A plain event: an instant, counter, async or flow event, a switch, a wakeup or a log record, with
 * nothing wrong in it. As in struct item; lasts for the call. */
struct plain_event {
    uint64_t offset;
    int64_t time;
    uint64_t id; /* async, flow, counter; of switches and wakeups: plain_sched() */
    const uint64_t *arguments, *end; /* their words; not of log records */
    uint32_t thread;
    uint32_t name, category; /* not of switches, wakeups and log records */
    uint32_t thread2;        /* of switches and wakeups */
    uint8_t kind;            /* enum fxt_kind */
    uint8_t count;           /* arguments */
};

static inline struct fxt_arguments plain_arguments(const struct plain_event *e) {
    return (struct fxt_arguments){e->arguments, (size_t)(e->end - e->arguments), e->count, false,
                                  0};
}

static inline bool plain_is_async(enum fxt_kind kind) {
    return kind >= FXT_K_ASYNC_BEGIN && kind <= FXT_K_ASYNC_END;
}

static inline bool plain_is_flow(enum fxt_kind kind) {
    return kind >= FXT_K_FLOW_BEGIN && kind <= FXT_K_FLOW_END;
}

/* The word of a switch or wakeup: CPU [11..26], kind [6..7], state of the outgoing thread [0..3].
 * Bits 5 and 4: threads of a legacy switch have priority 0. */
static inline uint64_t plain_sched(enum fxt_kind kind, uint16_t cpu, uint8_t state, bool out_idle,
                                   bool in_idle) {
    return (uint64_t)cpu << 11 | (uint64_t)(kind - FXT_K_SWITCH_LEGACY) << 6 |
           (uint64_t)out_idle << 5 | (uint64_t)in_idle << 4 | (state & 15);
}

#define PLAIN_OUT_IDLE 32u
#define PLAIN_IN_IDLE 16u
#define PLAIN_SCHED_BITS 27

static inline enum fxt_kind plain_sched_kind(uint64_t sched) {
    return (enum fxt_kind)(FXT_K_SWITCH_LEGACY + (sched >> 6 & 3));
}

/* Called from reader_step() only, in file order. */
struct sink {
    void *ctx;
    /* Returns the buffer for this thread's next durations, which is not full and is of this
     * provider. The reader fills it until it is full, until another provider writes, or until its
     * owner sets next = end. Threads may share one, with a number for each duration. Most durations
     * are stored there. Some come as records like all others, and all of them do if this is
     * NULL. */
    struct duration_buffer *(*buffer)(void *ctx, uint32_t thread, const struct provider *provider);
    /* Takes most other events, which then have no struct fxt_record: n > 0 of one provider, and of
     * one of these groups: instants, counters, async, flow and scheduling events, and logs. Each
     * group is in file order. NULL if `buffer` is. */
    void (*events)(void *ctx, const struct plain_event *events, size_t n,
                   const struct provider *provider);
    void (*record)(void *ctx, const struct item *item);
    /* detail: the number in the message (subtype, index, words, bytes left ...). time: of the event
     * concerned, else of the last event before it. */
    void (*problem)(void *ctx, enum problem_kind kind, uint64_t offset, uint64_t detail,
                    int64_t time);
    /* All parts but those of derived words are read: it may add words, and ends them
     * (file_derived_end()). Or NULL. */
    void (*ended)(void *ctx);
};

/* Takes problems of a sink that needs none. */
void reader_ignore_problem(void *ctx, enum problem_kind kind, uint64_t offset, uint64_t detail,
                           int64_t time);

struct reader;

struct reader *reader_new(struct file *file, const struct sink *sink);
/* Another one that begins at the begin of the same file, with the same base and providers. */
struct reader *reader_again(const struct reader *reader, const struct sink *sink);
/* Reads nothing of a part (see below). Call it before the first step. */
void reader_pass_over(struct reader *reader, size_t part);
void reader_free(struct reader *reader);

/* Providers by name; n == 0: all. The names last as long as the reader. */
struct reader_providers {
    const struct str *v;
    size_t n;
};

/* Events of other providers are passed over by their headers; their strings, threads, objects and
 * blobs are not. Call it before the first step. */
void reader_only(struct reader *reader, struct reader_providers wanted);
struct reader_providers reader_wanted(const struct reader *reader);
/* The first wanted name that no provider has so far; or NULL. */
const struct str *reader_missing(const struct reader *reader);

/* Durations of this name, and all events while `all`, come as records from the next record on. */
void reader_watch(struct reader *reader, uint32_t name, bool all);

/* Takes times relative to this base, in ns, in place of the first event. Call it before the first
 * step. */
void reader_set_base(struct reader *reader, struct wide base);

enum reader_state {
    READER_MORE,  /* more can be read at once */
    READER_WAIT,  /* all was read; the file has not ended */
    READER_END,   /* all was read; the file has ended */
    READER_ALIEN, /* not an FXT trace */
};

/* Parts (file_part()): each is read as if it were alone, with its own byte order, clock, providers
 * and damage. They are read in turns, always the one whose last event is the earliest, so that
 * events come nearly in the order of time. Parts that the file gets while it is read join in. */
/* Puts the ids of a part into a world, and moves its times by `ns` to the common clock. Call it
 * before anything of it is read. */
void reader_place_part(struct reader *reader, size_t part, uint16_t world, uint64_t ns);
/* A part of an archive of several traces (archive.h) has these of its own. Call it before anything
 * of it is read. */
struct reader_archived {
    uint64_t ids;    /* of record_id(), for its ids */
    uint64_t zero;   /* ns, by which its times were moved */
    struct str name; /* before the names of its providers; lasts as long as the reader */
    uint64_t bytes;  /* that it had when the archive was written */
};
void reader_part_archived(struct reader *reader, size_t part, struct reader_archived archived);
struct reader_archived reader_archived(const struct reader *reader, size_t part);
/* The world of a record. */
uint16_t reader_world_at(const struct reader *reader, uint64_t offset);
/* Whether the begin of each part was found to be one of a trace; the part that is read. */
bool reader_begun(const struct reader *reader);
size_t reader_part_now(const struct reader *reader);

/* Reads at most about so many bytes. */
enum reader_state reader_step(struct reader *reader, uint64_t bytes);

/* Goes on after READER_END, because the file has grown. False if the end cut a record or a run of
 * zeros; then all must be read again. */
bool reader_resume(struct reader *r);

/* Persists what can be asked of a reader that has read everything (cache.h). A reader that was
 * restored does not read on: reader_resume() returns false. */
void reader_persist(struct reader *reader, struct cache *cache);

/* State of reading so far. */
uint64_t reader_offset(const struct reader *reader); /* bytes read, of all parts */
uint64_t reader_place(
    const struct reader *reader); /* the offset after them, in the part that is read */
bool reader_big_endian(const struct reader *reader);
uint64_t reader_records(const struct reader *reader);
uint64_t reader_kind_count(const struct reader *reader, enum fxt_kind kind);
bool reader_wide(const struct reader *reader);
struct wide reader_base(const struct reader *reader); /* ns */
struct wide reader_min(const struct reader *reader);  /* ns, of the events read so far */
/* The times of the events of a part read so far, and the bulk of them; false before the first
 * event. */
const struct bulk *reader_bulk(const struct reader *reader, size_t part);
/* The first byte of a part, and how many were read of it. */
uint64_t reader_part_begin(const struct reader *reader, size_t part);
uint64_t reader_part_bytes(const struct reader *reader, size_t part);
uint64_t reader_part_events(const struct reader *reader, size_t part); /* read so far */
bool reader_bulk_find(const struct reader *reader, size_t part, struct bulk_stretch *found);
/* The first initialization record; false if there is none. */
bool reader_init(const struct reader *reader, uint64_t *tps, uint64_t *base_tick,
                 uint64_t *base_unix_ns, bool *has_base);
/* Whether ends close by name (SEMANTICS 6.12) in the part that has an offset. */
bool reader_ends_by_name(const struct reader *reader, uint64_t offset);
struct names *reader_names(struct reader *reader);
struct threads *reader_threads(struct reader *reader);
size_t reader_provider_count(const struct reader *reader);
struct provider *reader_provider(struct reader *reader, size_t i); /* [0] is the implicit one */

/* Decodes the record at offset again, with the provider that was current there. The record's
 * pointers last until the next file access. False if no whole record is at offset. */
bool reader_record_at(struct reader *reader, uint64_t offset, struct fxt_record *record,
                      struct provider **provider);

/* The content of the file at an offset, which may be no record. Words last until the next file
 * access. */
struct reader_frame {
    enum reader_frame_kind {
        FRAME_RECORD,    /* a whole record */
        FRAME_CUT,       /* a record that declares more than is left, or than follows zeros */
        FRAME_ZERO_SIZE, /* a header of size 0 */
        FRAME_ZEROS,     /* a run of zero words */
        FRAME_BYTES,     /* less than a word, at the end of the file */
    } kind;
    const uint64_t *words;
    uint64_t avail; /* words of it in memory */
    uint64_t size;  /* words that the header declares */
    /* up to the place where reading goes on, or to the end of the search for that place (1 MiB) */
    uint64_t bytes;
    struct provider *provider;
    bool swap;
};

/* offset: a multiple of 8. False if the file ends before it. */
bool reader_frame_at(struct reader *reader, uint64_t offset, struct reader_frame *frame);

/* Converts ticks to ns of the trace's clock, at the tick rate that the provider had at an
 * offset. */
struct wide reader_ns_at(const struct reader *reader, const struct provider *provider,
                         uint64_t offset, uint64_t ticks);

/* The text that a string reference had at an offset: inline, registered, or "<string 17>", which is
 * written to buf. */
struct str reader_string(struct reader *reader, struct provider *provider,
                         const struct fxt_string *string, uint64_t offset, char buf[24]);

/* For many records of one stretch of the file, whose references mostly mean the same. The provider
 * at an offset, and the offsets for which it is the same: [*from, *to). */
struct provider *reader_provider_span(const struct reader *reader, uint64_t offset, uint64_t *from,
                                      uint64_t *to);
/* The text of a registered string reference, and the offsets for which it is the same. False: it is
 * not registered there. The text lasts as long as the reader. */
bool reader_string_span(struct reader *reader, struct provider *provider, uint16_t ref,
                        uint64_t offset, struct str *text, struct index_table_span *span);
/* Prepares the tables: until more is read, look-ups change nothing, and two threads may do them. */
void reader_share_tables(struct reader *reader);

/* The number of the thread that a reference other than 0 meant at an offset; NO_THREAD: none. */
uint32_t reader_thread_at(struct reader *reader, struct provider *provider, uint8_t index,
                          uint64_t offset);

/* References of the record that is being read now, in constant time: for the sink. */
uint32_t reader_thread_now(const struct reader *reader, uint8_t index);
struct str reader_string_now(struct reader *reader, const struct fxt_string *string, char buf[24]);
/* its number in names.h */
uint32_t reader_name_now(struct reader *reader, const struct fxt_string *string);

#endif
