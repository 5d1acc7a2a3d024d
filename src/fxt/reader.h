/* reader.h - the stream of records: providers, tables, clocks, skipping, resynchronising. Calls a sink.
 *
 * The reader owns the providers, the interned names and the threads, and resolves every reference on the way: an event
 * reaches the sink with dense numbers. Nothing of an event is kept here; what is kept of definitions is in tables.h.
 *
 * Times are int64 nanoseconds relative to the first event read (reader_base()); the trace's origin is subtracted on
 * output, because the earliest event may come last. When times do not fit (|t| > 2^61), reader.wide is set, times are
 * clamped, and the caller starts again with the base reader_min() once the end is known: then they are never negative
 * and saturate at 2^63-1 (SEMANTICS 4.1). */
#ifndef FXTOP_READER_H
#define FXTOP_READER_H

#include "src/base/wide.h"
#include "src/fxt/event.h"
#include "src/fxt/names.h"
#include "src/fxt/provider.h"
#include "src/fxt/record.h"
#include "src/fxt/threads.h"
#include "src/io/file.h"

/* The kinds of problem that the reader finds. Their numbers are the order in which exports list them (EXPORT 4); the
 * gaps are the kinds that the model finds (model/store/problem.h). */
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
};

/* What the sink gets of each framed record, in file order. Lasts for the call. */
struct item {
    const struct fxt_record *record;
    uint64_t offset;        /* bytes */
    const uint64_t *words;  /* those at hand: all but of large records */
    uint64_t avail;
    struct provider *provider;
    int64_t time, end;      /* timed ones; end: complete events (never before time) */
    uint32_t thread;        /* threads.h number; NO_THREAD where there is none. Legacy switch: outgoing */
    uint32_t thread2;       /* switches: incoming; wakeup: the one woken */
    uint32_t category, name; /* names.h ids */
    bool is_event;          /* EXPORT 1.4: has a time and a thread */
};

/* A plain event: an instant, counter, async or flow event, a switch (not the legacy one) or a wakeup, with nothing wrong
 * in it. As in struct item; lasts for the call. */
struct plain_event {
    uint64_t offset;
    int64_t time;
    uint64_t id; /* async, flow, counter */
    struct fxt_arguments args;
    const struct provider *provider;
    uint32_t thread, thread2;
    uint32_t category, name; /* 0 of what has none */
    uint16_t cpu;            /* switch, wakeup */
    uint8_t state;           /* switch: of the outgoing thread */
    uint8_t kind;            /* enum fxt_kind */
};

/* Called from reader_step() only, in file order. */
struct sink {
    void *ctx;
    /* Where durations of a thread go that stand next: a room that is not full, of that provider, to be used until it is
     * or another provider writes; its owner may close it (next = end) at any time. Most durations are left there; some,
     * and all where this is NULL, come as records like all others. */
    struct duration_room *(*room)(void *ctx, uint32_t thread, const struct provider *provider);
    /* Most of what is no duration, without a struct fxt_record; NULL where room is. */
    void (*event)(void *ctx, const struct plain_event *event);
    void (*record)(void *ctx, const struct item *item);
    /* detail: the number the message speaks of (subtype, index, words, bytes left ...). time: of the event concerned,
     * else of the last event before it. */
    void (*problem)(void *ctx, enum problem_kind kind, uint64_t offset, uint64_t detail, int64_t time);
};

struct reader;

struct reader *reader_new(struct file *file, const struct sink *sink);
void reader_free(struct reader *reader);

/* Durations of this name, and all events while `all`, come as records from the next record on. */
void reader_watch(struct reader *reader, uint32_t name, bool all);

/* With this base instead of the first event's time. Before the first step. */
void reader_set_base(struct reader *reader, struct wide base);

enum reader_state {
    READER_MORE,  /* there is more to read at once */
    READER_WAIT,  /* all that is there was read; the file has not ended */
    READER_END,   /* the file has ended and all was read */
    READER_ALIEN, /* not an FXT trace */
};

/* Reads at most about `budget` bytes. */
enum reader_state reader_step(struct reader *reader, uint64_t budget);

/* Goes on after READER_END: the file has not ended after all. False where the end made something of what it cut; then
 * all must be read again. */
bool reader_resume(struct reader *r);

/* All that is asked of a reader that has read everything (cache.h). What was read so does not go on: reader_resume()
 * says so. */
void reader_walk(struct reader *reader, struct cache *cache);

uint64_t reader_offset(const struct reader *reader); /* bytes read */
bool reader_big_endian(const struct reader *reader);
uint64_t reader_records(const struct reader *reader);
uint64_t reader_kind_count(const struct reader *reader, enum fxt_kind kind);
bool reader_wide(const struct reader *reader);
struct wide reader_base(const struct reader *reader); /* ns */
struct wide reader_min(const struct reader *reader);  /* ns, of the events read so far */
/* Of the first initialization record; false where there is none. */
bool reader_init(const struct reader *reader, uint64_t *tps, uint64_t *base_tick, uint64_t *base_unix_ns, bool *has_base);
struct names *reader_names(struct reader *reader);
struct threads *reader_threads(struct reader *reader);
size_t reader_provider_count(const struct reader *reader);
struct provider *reader_provider(struct reader *reader, size_t i); /* [0] is the implicit one */

/* Decodes the record at offset again, with the provider that was current there. The record's pointers last until the
 * next file access. False where no whole record is there. */
bool reader_record_at(struct reader *reader, uint64_t offset, struct fxt_record *record, struct provider **provider);

/* What stands at an offset, be it a record or not. Words last until the next file access. */
struct reader_frame {
    enum reader_frame_kind {
        FRAME_RECORD,    /* a whole record */
        FRAME_CUT,       /* one that would end behind the end of the file */
        FRAME_ZERO_SIZE, /* a header of size 0 */
        FRAME_ZEROS,     /* a run of zero words */
        FRAME_BYTES,     /* less than a word, at the end of the file */
    } kind;
    const uint64_t *words;
    uint64_t avail; /* words at hand that belong to it */
    uint64_t size;  /* words that the header declares */
    uint64_t bytes; /* that belong to it: up to the place where reading goes on, as far as that is looked for (1 MiB) */
    struct provider *provider;
    bool swap;
};

/* offset: a multiple of 8. False where the file has nothing there. */
bool reader_frame_at(struct reader *reader, uint64_t offset, struct reader_frame *frame);

/* Ticks as ns of the trace's clock, at the rate that held for the provider at an offset. */
struct wide reader_ns_at(const struct reader *reader, const struct provider *provider, uint64_t offset, uint64_t ticks);

/* A string reference's text as it was at offset: inline, registered, or "<string 17>" (written to buf). */
struct str reader_string(struct reader *reader, struct provider *provider, const struct fxt_string *string,
                         uint64_t offset, char buf[24]);

/* The number of the thread that a reference other than 0 meant at an offset; NO_THREAD: none. */
uint32_t reader_thread_at(struct reader *reader, struct provider *provider, uint8_t index, uint64_t offset);

/* The same for the record being read now, in constant time: for the sink. */
uint32_t reader_thread_now(const struct reader *reader, uint8_t index);
struct str reader_string_now(struct reader *reader, const struct fxt_string *string, char buf[24]);
uint32_t reader_name_now(struct reader *reader, const struct fxt_string *string); /* its names.h id */

#endif
