/* reader_internal.h - struct reader and the helpers that the reader's files share.
 *
 * reader.c reads records in order, reader_fast.c most events, reader_resync.c finds where records start.
 * reader_lookup.c answers questions about the records read, reader_persist.c writes the reader to the index cache.
 * Offsets and sizes are bytes of the file; times are ns, relative to the base unless they are wide. Words of the file
 * last until the next file access. */
#ifndef FXTOP_READER_INTERNAL_H
#define FXTOP_READER_INTERNAL_H

#include "src/base/map.h"
#include "src/base/vec.h"
#include "src/fxt/bulk.h"
#include "src/fxt/reader.h"
#include "src/io/cache.h"

#define WHOLE_RECORD (4095 * 8)
#define LARGE_AT_HAND (UINT64_C(2) << 20) /* bytes of a large record in memory; only its payload may exceed them */

enum phase { PHASE_START, PHASE_RECORDS, PHASE_RESYNC, PHASE_END };

struct provider_switch {
    uint64_t offset; /* of its first record */
    uint32_t provider;
};

struct rate_change {
    uint64_t offset; /* of the initialization record */
    uint64_t tps;
    uint32_t provider;
};

struct reader {
    struct file *file;
    struct sink sink;
    struct names *names;
    struct threads *threads;
    VEC(struct provider *) providers;
    VEC(struct provider_switch) switches;
    VEC(struct rate_change) rates;
    struct map by_id; /* provider id -> index in `current_by_id` */
    VEC(struct provider *) current_by_id;
    struct provider *provider;
    enum phase phase;
    bool swap, magic_seen;
    bool ended_whole; /* PHASE_END: the file ended with a record */
    uint64_t at;     /* next byte */
    uint64_t zeros;  /* start of the run of zero words before `at`, or NO_RUN */
    uint64_t damage; /* PHASE_RESYNC: offset of the word that could not be framed */
    bool damage_is_zero_size;
    /* time */
    bool have_base, exact, wide;
    bool brief; /* reader_fast.c may read: the base is known and at most TIME_BRIEF, no swap, the sink has buffers */
    struct wide base, min_wide;
    int64_t min, now; /* relative times: of the earliest event, of the last event */
    bool have_min_wide;
    bool has_init;
    uint64_t tps, base_tick, base_unix_ns;
    bool has_base_tick;
    VEC(struct duration_buffer *) buffers; /* event buffers by thread number, or &no_buffer */
    struct duration_buffer no_buffer;      /* always full */
    uint32_t watched;                  /* name of durations that come as records */
    bool watch_all;
    uint64_t kinds[FXT_K_COUNT]; /* records read */
    struct bulk bulk;
};

#define NO_RUN UINT64_MAX

static inline struct wide reader_clock_wide(const struct clock *c, uint64_t ticks) {
    return wide_div(wide_mul(ticks, 1000000000), c->tps);
}

/* ns of the trace's clock in 64 bits; false if they do not fit (then reader_clock_wide()). */
static inline bool reader_clock_ns(const struct clock *c, uint64_t ticks, uint64_t *ns) {
    if (c->scale)
        return !__builtin_mul_overflow(ticks, c->scale, ns);
    if (c->tps >= UINT64_C(1) << 34)
        return false;
    uint64_t whole = ticks / c->tps, rest = ticks % c->tps;
    return !__builtin_mul_overflow(whole, UINT64_C(1000000000), &whole) &&
           !__builtin_add_overflow(whole, rest * 1000000000 / c->tps, ns);
}

/* The current value of an index in the provider's own table, else in that of the implicit provider; 0: none. */
static inline uint32_t reader_index_now(const struct index_table *own, const struct index_table *shared,
                                        uint32_t index) {
    uint32_t v = index_table_get(own, index);
    return v != 0 ? v : index_table_get(shared, index);
}

/* The number that a string index has now. */
static inline bool reader_string_defined(const struct reader *r, uint16_t index, uint32_t *id) {
    uint32_t v = reader_index_now(&r->provider->strings, &r->providers.v[0]->strings, index);
    *id = v - 1;
    return v != 0;
}

static inline uint32_t reader_pair_thread(struct reader *r, uint64_t pid, uint64_t tid, uint64_t offset) {
    return threads_intern_ids(r->threads, THREAD_PAIR, pid, tid, offset);
}

static inline uint32_t reader_tid_thread(struct reader *r, uint64_t tid, uint64_t offset) {
    return threads_intern_ids(r->threads, THREAD_TID, 0, tid, offset);
}

/* Takes the switch or wakeup at w, whose header is h and whose words are in memory. False: take the general path. */
bool reader_plain_switch(struct reader *r, const uint64_t *w, uint64_t h, uint64_t offset);

/* Takes events from words[i] on, until one has an inline string or anything unusual. They begin before words[n] and end
 * before words[avail]; words[0] is at `offset`. Needs r->brief and no run of zeros. Returns the index of the word after
 * them; a record that begins there takes the general path, which finds out what is wrong. */
uint64_t reader_plain_events(struct reader *r, const uint64_t *words, uint64_t i, uint64_t n, uint64_t avail,
                             uint64_t offset);

static inline void reader_problem(struct reader *r, enum problem_kind kind, uint64_t offset, uint64_t detail) {
    r->sink.problem(r->sink.ctx, kind, offset, detail, r->now);
}

enum chain { CHAIN_NO, CHAIN_YES, CHAIN_UNKNOWN };

/* Do plausible records start at `at`, a chain of them or fewer that end exactly at the file's last whole word? Unknown:
 * more of the file has to come. */
enum chain reader_chain_at(struct reader *r, uint64_t at);

/* PHASE_START: decides the byte order, and whether the file is a trace. */
enum reader_state reader_start(struct reader *r);
/* PHASE_RESYNC: looks for the next chain, up to offset `until`. */
enum reader_state reader_resync(struct reader *r, uint64_t until);
/* All that can be framed was read: returns whether that is the end. */
enum reader_state reader_rest(struct reader *r);
/* The word at r->at cannot be framed: its size is 0, or the record would end after the end of the file. */
void reader_damaged(struct reader *r, bool zero_size);
/* Reports the run of zero words before r->at, if there is one. */
void reader_zeros_end(struct reader *r);

#endif
