/* reader_internal.h - struct reader and the helpers that the reader's files share.
 *
 * reader.c reads records in order, reader_fast.c and reader_near.c most of them; reader_resync.c
 * finds where records start. reader_lookup.c answers questions about the records read,
 * reader_persist.c writes the reader to the index cache. Offsets and sizes are bytes of the file;
 * times are ns, relative to the base unless they are wide. Words of the file last until the next
 * file access. */
#ifndef FXTOP_READER_INTERNAL_H
#define FXTOP_READER_INTERNAL_H

#include "src/base/map.h"
#include "src/base/vec.h"
#include "src/fxt/bulk.h"
#include "src/fxt/reader.h"
#include "src/io/cache.h"

#define WHOLE_RECORD (4095 * 8)
/* bytes of a large record in memory; only its payload may exceed them */
#define LARGE_AT_HAND (UINT64_C(2) << 20)

/* of usual events, taken together: one time outside of the core divides them (bulk.h) */
#define RUN_WORDS 1024
#define PLAIN_MOST (RUN_WORDS / 2) /* events that begin in as many: each has a header and a time */

/* Events of a run, by kind: so the branches of the sink on the kind are mostly predicted. The first
 * events of the kinds are no multiple of a page apart, so they do not share sets of the CPU's
 * cache. */
enum plain_group {
    GROUP_INSTANT,
    GROUP_COUNTER,
    GROUP_ASYNC,
    GROUP_FLOW,
    GROUP_SCHED,
    GROUP_LOG,
    PLAIN_GROUPS
};
#define PLAIN_SPACE (PLAIN_MOST + 13)

/* The group of an event that is no duration, by its kind. */
static inline enum plain_group plain_group(uint64_t kind) {
    static const uint8_t groups[FXT_FLOW_END + 1] = {
        [FXT_INSTANT] = GROUP_INSTANT,   [FXT_COUNTER] = GROUP_COUNTER,
        [FXT_ASYNC_BEGIN] = GROUP_ASYNC, [FXT_ASYNC_INSTANT] = GROUP_ASYNC,
        [FXT_ASYNC_END] = GROUP_ASYNC,   [FXT_FLOW_BEGIN] = GROUP_FLOW,
        [FXT_FLOW_STEP] = GROUP_FLOW,    [FXT_FLOW_END] = GROUP_FLOW};
    return (enum plain_group)groups[kind];
}

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

/* The meaning of references of the current provider, as far as the fast path has asked since it
 * became current (reader_near.c). Zeros: not known so far. */
struct near_thread {
    struct duration_buffer *buffer; /* for its next durations, or &no_buffer */
    uint32_t number;                /* of the thread, + 1 */
    uint32_t epoch;                 /* of a pair */
};

#define NEAR_TEXTS 1024
#define NEAR_TIDS 1024

struct near {
    /* by reference: 1 if it is an index with a meaning, or the empty string */
    uint8_t known[1 << 16];
    /* event_pack() of the name, + 1; 0 if it is watched (reader_watch()) */
    uint64_t packed[1 << 16];
    uint32_t strings[1 << 16];       /* number of the name + 1 */
    struct near_thread threads[256]; /* [0] is never known */
    /* By the lowest byte of an argument's header, which has its type and the size if that is below
     * 16 words: whether the type is known and the value inside of the argument, and which bits of
     * the value are a reference. Blobs are left to find_arguments(). */
    uint8_t whole[256];
    uint32_t reference[256];
    uint64_t bytes[256]; /* the size */
    /* words of it without inline strings; UINT16_MAX if the type is unknown, or a blob */
    uint16_t least[256];
    int64_t durs[3]; /* by kind - FXT_DURATION_BEGIN: the bits of a duration besides its length */
    VEC(uint16_t) used; /* strings that are known */
    uint32_t epoch;     /* counts forget(), from 1 on */
    struct near_pair {  /* inline threads, of this epoch: two in a cache line */
        uint64_t pid, tid;
        struct near_thread thread;
    } * pairs;
    void *pairs_from;     /* their allocation */
    uint64_t pair_places; /* a power of two */
    uint64_t entered;     /* of them, in this epoch and table */
    /* inline strings: their first and last words, which are the same for short ones */
    struct near_text {
        uint64_t first, last;
        uint32_t ref, name;
    } texts[NEAR_TEXTS];
    struct near_tid { /* threads known by their koid alone, of all providers of the world */
        uint64_t tid;
        uint32_t number; /* + 1 */
    } tids[NEAR_TIDS];
    struct near_defined { /* the last string record, until its name is looked up */
        struct str text;  /* NULL: it was */
        uint64_t hash, offset;
        uint16_t index;
        bool known; /* the index was known */
    } defined;
};

/* A part of the file (file_part()), which is read as if it were alone. */
struct reader_part {
    uint32_t number;
    uint16_t world;
    uint64_t begin; /* offset */
    uint64_t shift; /* ns from its clock to the common one */
    struct reader_archived archived;
    struct provider *implicit, *provider;
    VEC(struct provider_switch) switches;
    VEC(struct rate_change) rates;
    struct map by_id; /* provider id -> index in `current_by_id` */
    VEC(struct provider *) current_by_id;
    enum phase phase;
    bool swap, magic_seen;
    bool ended_whole; /* PHASE_END: the part ended with a record */
    uint64_t at;      /* next byte */
    uint64_t zeros;   /* start of the run of zero words before `at`, or NO_RUN */
    uint64_t damage;  /* PHASE_RESYNC: offset of the word that could not be framed */
    bool damage_is_zero_size;
    bool has_init;
    bool ends_by_name; /* of the initialization record at the begin */
    uint64_t tps, base_tick, base_unix_ns;
    bool has_base_tick;
    struct bulk bulk;
    /* before the present turn (reader_parts.c) */
    int64_t now;
    uint64_t times, records; /* of events; that are not of the begin */
    uint64_t completes;      /* complete events, which have two times */
    bool timed;              /* an event was read */
    bool waits;              /* all was read that there is: up to `waits_at` */
    uint64_t waits_at;
};

struct reader {
    struct file *file;
    struct sink sink;
    struct names *names;
    struct threads *threads;
    VEC(struct provider *) providers;
    VEC(struct reader_part *) parts;
    struct reader_part *part; /* that is read now */
    uint64_t turn;            /* bytes that are left of its turn, if there are several */
    uint64_t turn_times, turn_records, turn_completes; /* at the begin of the turn, of all parts */
    bool told;                                         /* sink.ended() was called */
    struct provider *provider;                         /* of the part */
    /* time */
    bool have_base, exact, wide;
    /* reader_fast.c may read: the base is known and at most TIME_BRIEF, no swap, the sink has
     * buffers */
    bool brief;
    struct wide common; /* the base, in ns of the common clock */
    struct wide base;   /* the same in ns of the part's clock; below 0 it wraps */
    uint64_t ahead;     /* the largest shift: the base is not less */
    struct wide min_wide;
    int64_t min, now; /* relative times: of the earliest event, of the last event */
    bool have_min_wide;
    struct near *near;                /* of the current provider */
    struct duration_buffer no_buffer; /* always full */
    uint32_t watched;                 /* name of durations that come as records */
    bool watch_all;
    struct reader_providers wanted;
    uint64_t kinds[FXT_K_COUNT];                          /* records read */
    struct plain_event events[PLAIN_GROUPS][PLAIN_SPACE]; /* of the present run of usual events */
};

/* bytes of zeros between two questions for holes; a power of two */
#define HOLE_LOOK (UINT64_C(64) << 10)
#define NO_RUN UINT64_MAX

static inline struct wide reader_clock_wide(const struct clock *c, uint64_t ticks) {
    return wide_div(wide_mul(ticks, 1000000000), c->tps);
}

/* ns of the trace's clock if they are at most TIME_BRIEF; else false (then reader_clock_wide()). */
static inline bool reader_clock_ns(const struct clock *c, uint64_t ticks, uint64_t *ns) {
    *ns = clock_ns(c, ticks);
    return ticks <= c->brief;
}

/* The current value of an index in the provider's own table, else in that of the implicit provider;
 * 0: none. */
static inline uint32_t reader_index_now(const struct index_table *own,
                                        const struct index_table *shared, uint32_t index) {
    uint32_t v = index_table_get(own, index);
    return v != 0 ? v : index_table_get(shared, index);
}

/* The number that a string index has now. */
static inline bool reader_string_defined(const struct reader *r, uint16_t index, uint32_t *id) {
    uint32_t v = reader_index_now(&r->provider->strings, &r->part->implicit->strings, index);
    *id = v - 1;
    return v != 0;
}

static inline uint32_t reader_pair_thread(struct reader *r, uint64_t pid, uint64_t tid,
                                          uint64_t offset) {
    return threads_intern_ids(r->threads, r->part->world, THREAD_PAIR, pid, tid, offset);
}

static inline uint32_t reader_tid_thread(struct reader *r, uint64_t tid, uint64_t offset) {
    return threads_intern_ids(r->threads, r->part->world, THREAD_TID, 0, tid, offset);
}

/* Takes events, switches, wakeups, log and string records from words[i] on, until one is unusual.
 * They begin before words[n] and end before words[avail]; words[0] is at `offset`. Needs r->brief
 * and no run of zeros. Returns the index of the word after them; a record that begins there takes
 * the general path, which reports its fault. */
uint64_t reader_plain_events(struct reader *r, const uint64_t *words, uint64_t i, uint64_t n,
                             uint64_t avail, uint64_t offset);

/* The part that has an offset. */
static inline struct reader_part *reader_part_at(const struct reader *r, uint64_t offset) {
    return r->parts.v[r->parts.n > 1 ? file_part_at(r->file, offset) : 0];
}

static inline struct file_part reader_bounds(const struct reader *r,
                                             const struct reader_part *part) {
    struct file_part bounds;
    file_part(r->file, part->number, &bounds);
    return bounds;
}

/* A provider of the part that is read. */
struct provider *reader_provider_add(struct reader *r, uint32_t id, struct str name, bool declared,
                                     uint64_t offset);

/* reader_parts.c */
/* Makes readers of parts that the file has got. */
void reader_parts_add(struct reader *r);
/* Times of the events of a part, of which complete ones have two; and how many of these it has. */
uint64_t reader_part_times(const struct reader *r, const struct reader_part *part);
uint64_t reader_part_completes(const struct reader *r, const struct reader_part *part);
/* The events and records from here on count for the current part. */
void reader_turn_begins(struct reader *r);
void reader_part_free(struct reader_part *part);
/* As reader_step(), of several parts. */
enum reader_state reader_turns(struct reader *r, uint64_t bytes);
/* As reader_step(), of the part that is read, up to an offset. */
enum reader_state reader_step_part(struct reader *r, uint64_t until);
/* The base is known: the part's own. */
void reader_part_base(struct reader *r);
/* Times of the events of all parts that were read. */
uint64_t reader_times(const struct reader *r);

struct near *reader_near_new(struct reader *r);
/* Whether only the magic number and providers came before the record that is read. */
bool reader_is_begin(const struct reader *r);
void reader_near_free(struct near *near);
/* Another provider is current, or another name is watched. */
void reader_near_forget(struct reader *r);
/* An index was registered. */
void reader_near_string(struct reader *r, uint16_t index, uint32_t value);
void reader_near_thread(struct reader *r, uint8_t index);
/* Looks up the name of the last string record of the fast path. Until then its text stays, the
 * tables are not asked for its index, and no other name is interned. */
void reader_near_look_up(struct reader *r);
static inline void reader_near_settle(struct reader *r) {
    if (r->near->defined.text.s)
        reader_near_look_up(r);
}

/* The place of an inline thread, which may be that of another one. */
static inline struct near_pair *reader_near_pair(const struct near *near, uint64_t pid,
                                                 uint64_t tid) {
    uint64_t hash = (tid ^ pid << 32) * UINT64_C(0x9e3779b97f4a7c15);
    return &near->pairs[hash >> 32 & (near->pair_places - 1)];
}

static inline void reader_problem(struct reader *r, enum problem_kind kind, uint64_t offset,
                                  uint64_t detail) {
    r->sink.problem(r->sink.ctx, kind, offset, detail, r->now);
}

/* reader_tid_thread(), usually without a call. */
static inline uint32_t reader_near_tid(struct reader *r, uint64_t tid, uint64_t offset) {
    /* of NEAR_TIDS */
    struct near_tid *near = &r->near->tids[tid * UINT64_C(0x9e3779b97f4a7c15) >> 54];
    if (near->tid != tid || near->number == 0)
        *near = (struct near_tid){
            tid, reader_tid_thread(r, record_id(r->part->archived.ids, tid), offset) + 1};
    return near->number - 1;
}

enum chain { CHAIN_NO, CHAIN_YES, CHAIN_UNKNOWN };

/* Do plausible records start at `at`, a chain of them or fewer that end exactly at the file's last
 * whole word? Unknown: more of the file has to come. */
enum chain reader_chain_at(struct reader *r, uint64_t at);

/* PHASE_START: decides the byte order, and whether the file is a trace. */
enum reader_state reader_start(struct reader *r);
/* Whether what follows zeros at `at`, a record of so many words, begins a chain. If not, *resume is
 * the place inside it where one begins: it is the rest of a record that the zeros cut. Without such
 * a place it is believed. */
enum chain reader_after_zeros(struct reader *r, uint64_t at, uint64_t size, uint64_t *resume);
/* PHASE_RESYNC: looks for the next chain, up to offset `until`. */
enum reader_state reader_resync(struct reader *r, uint64_t until);
/* All that can be framed was read: returns whether that is the end. */
enum reader_state reader_rest(struct reader *r);
/* The next word cannot be framed: its size is 0, or the record would end after the end of the
 * part. */
void reader_damaged(struct reader *r, bool zero_size);
/* Reports the run of zero words before r->part->at, if there is one. */
void reader_zeros_end(struct reader *r);

#endif
