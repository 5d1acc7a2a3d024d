/* record.h - decodes one record: words -> struct fxt_record.
 *
 * Decoding has no state, allocates nothing and copies nothing: strings and arguments point into the
 * words, which the caller keeps in place. The record's own size bounds everything. Contents that do
 * not fit set a fault, and all fields after them are absent: strings empty, numbers 0
 * (SEMANTICS 3.11, 3.13). Each word is read once into a local variable, because a mapped file may
 * change. */
#ifndef FXTOP_RECORD_H
#define FXTOP_RECORD_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "src/base/str.h"
#include "src/fxt/fxt.h"

struct fxt_string {    /* a string reference */
    uint16_t ref;      /* as in the record */
    const char *bytes; /* if ref has FXT_INLINE: (ref & FXT_STRING_MAX) bytes; else NULL */
};

struct fxt_thread_ref {
    uint8_t index;     /* 0: inline */
    bool no_tid;       /* inline, with a process id alone: userspace objects, modules, mmaps */
    uint64_t pid, tid; /* inline */
};

enum fxt_fault {
    FXT_FAULT_CONTENTS = 1,  /* contents longer than the record */
    FXT_FAULT_ARGUMENTS = 2, /* arguments malformed */
    /* timestamp or thread do not fit: the record is no event, only counted */
    FXT_FAULT_NO_EVENT = 4,
    FXT_FAULT_NO_TAIL = 8, /* the word after the arguments (end time, id) is absent */
};

/* the well-formed arguments of a record; record_argument() takes one after the other */
struct fxt_arguments {
    const uint64_t *words;
    size_t n;       /* words */
    uint32_t count; /* arguments in them */
    bool swap;
    uint64_t ids; /* fxt_id() of their kernel objects */
};

struct fxt_record {
    uint8_t kind; /* enum fxt_kind */
    uint8_t faults;
    uint8_t argc;
    bool swap;      /* words are big-endian */
    uint64_t words; /* the record's size */
    uint64_t header;
    uint64_t ts; /* ticks */
    /* legacy switch: the outgoing one; userspace object: the process */
    struct fxt_thread_ref thread;
    /* provider name, string value and log message are `payload` */
    struct fxt_string category, name;
    struct fxt_arguments args;
    /* bytes of a string, provider name, log message, blob, module name, as far as in memory */
    struct str payload;
    union {
        struct {
            uint64_t ticks_per_second, base_tick, base_unix_ns;
            bool has_base, ends_by_name;
        } init;
        struct {
            uint32_t id;
            uint8_t event;
        } provider; /* info, section, event */
        struct {
            uint64_t pid, tid;
            uint8_t index;
        } thread_def;
        uint16_t string_index;
        uint64_t end; /* complete: ticks */
        uint64_t id;  /* async, flow, counter */
        struct {
            uint64_t value;
            bool present;
        } scope; /* instant */
        /* bytes declared, in the record; first word */
        struct {
            uint64_t size, there, at;
            uint8_t type;
        } blob;
        struct {
            uint64_t pointer;
        } user;
        struct {
            uint64_t koid;
            uint8_t type;
        } object;
        struct {
            uint16_t cpu;
            uint8_t state;                     /* of the outgoing thread */
            uint8_t out_priority, in_priority; /* legacy */
            uint64_t out_tid, in_tid;          /* subtypes 1 and 2 (wakeup: in_tid) */
            struct fxt_thread_ref in;          /* legacy */
        } sched;
        struct {
            uint16_t id;
            struct str build_id;
        } module;
        struct {
            uint16_t module_id;
            uint8_t flags;
            uint64_t start, size, address;
        } mmap;
        struct {
            const uint64_t *pcs;
            uint8_t n;
        } backtrace; /* swap applies */
        struct {
            uint8_t type, format;
        } unknown; /* subtype, and blob format of large ones */
    };
};

/* The id of a process, a thread or a kernel object in an archive of several traces, or the id that
 * it was: they change places with those that have `bits` besides. 0 stays: it is none. */
static inline uint64_t record_id(uint64_t bits, uint64_t id) {
    return id == 0 || id == bits ? id : id ^ bits;
}

/* The id of a flow is moved likewise. Large ids stay: flows may go from one trace to another. */
static inline uint64_t record_flow_id(uint64_t bits, uint64_t id) {
    return id >> 32 == 0 || (id ^ bits) >> 32 == 0 ? id ^ bits : id;
}

/* Gives a record of an archive the ids that it had. */
void record_own_ids(struct fxt_record *record, uint64_t bits);

/* Whether it is a complete event without a known end. */
static inline bool record_unended(const struct fxt_record *r) {
    return r->kind == FXT_K_DURATION_COMPLETE && !(r->faults & FXT_FAULT_NO_TAIL) &&
           r->end == FXT_NO_END;
}

/* Whether the record of a blob or an object has a name that does not fit into it. */
static inline bool record_name_lost(const struct fxt_record *r) {
    unsigned at = r->kind == FXT_K_BLOB ? 16 : 24; /* of the reference to the name, in the header */
    bool named = r->kind == FXT_K_BLOB || r->kind == FXT_K_USERSPACE_OBJECT ||
                 r->kind == FXT_K_KERNEL_OBJECT;
    return named && (r->faults & FXT_FAULT_CONTENTS) && (r->header >> at & 0xffff) != 0 &&
           r->name.ref == 0;
}

/* Size in words that the header declares; 0: damage. */
static inline uint64_t record_words(uint64_t header) {
    return FXT_BITS(header, 0, 3) == FXT_LARGE ? FXT_BITS(header, 4, 35) : FXT_BITS(header, 4, 15);
}

static inline uint64_t record_swap(uint64_t w) {
    return __builtin_bswap64(w);
}

/* Converts a word between the byte order of a trace (swap: big-endian) and that of this machine. */
static inline uint64_t record_order(uint64_t w, bool swap) {
    return swap == (__BYTE_ORDER__ == __ORDER_BIG_ENDIAN__) ? w : record_swap(w);
}

/* Reads one word, once. */
static inline uint64_t record_word(const uint64_t *p, bool swap) {
    return record_order(__atomic_load_n(p, __ATOMIC_RELAXED), swap);
}

/* Decodes the record of `size` words (record_words(), > 0) that starts at words[0]. `avail` <= size
 * words are in memory: fewer only for large records, whose payload is then cut without a fault.
 * Returns the number of words that the known contents use. */
uint64_t record_decode(struct fxt_record *r, const uint64_t *words, uint64_t avail, uint64_t size,
                       bool swap);

/* Returns the size in words of a plausible record at words[0..n), or 0; sets *more if n was too
 * small to decide. Plausible: of a known type and subtype, reserved bits zero, arguments well
 * formed, and the contents fill exactly the size (fxt(5), READING ON AFTER DAMAGE). */
uint64_t record_plausible(const uint64_t *words, uint64_t n, bool swap, bool *more);

/* Are the contents of the argument with header h inside of its own size, in words? */
bool record_argument_fits(uint64_t h, uint64_t size);

struct fxt_argument_value {
    uint8_t type; /* enum fxt_argument, or an unknown one */
    struct fxt_string name;
    struct fxt_string string; /* FXT_ARG_STRING */
    uint64_t bits;   /* the number, pointer, koid, bool, the double's bits; int32 sign-extended */
    struct str blob; /* FXT_ARG_BLOB */
};

/* Takes the next argument off `args`. Returns 1, 0 at the end, -1 if the rest is malformed. */
int record_argument(struct fxt_arguments *args, struct fxt_argument_value *value);

/* record_argument() without a call for a usual number, whose name is an index and which fills its
 * argument. Then only the type, the name and the bits are set. */
static inline int record_number(struct fxt_arguments *args, struct fxt_argument_value *value) {
    if (args->count == 0)
        return 0;
    uint64_t h = args->n > 0 ? record_word(args->words, args->swap) : 0;
    unsigned type = (unsigned)FXT_BITS(h, 0, 3), size = type < FXT_ARG_INT64 ? 1 : 2;
    if (type - FXT_ARG_INT32 > FXT_ARG_DOUBLE - FXT_ARG_INT32 || FXT_BITS(h, 4, 15) != size ||
        size > args->n || FXT_BITS(h, 31, 31) != 0)
        return record_argument(args, value);
    uint64_t own = FXT_BITS(h, 32, 63);
    value->type = (uint8_t)type;
    value->name = (struct fxt_string){(uint16_t)FXT_BITS(h, 16, 31), NULL};
    value->bits = type == FXT_ARG_INT32 ? (uint64_t)(int64_t)(int32_t)(uint32_t)own : own;
    if (size > 1)
        value->bits = record_word(args->words + 1, args->swap);
    args->words += size;
    args->n -= size;
    args->count--;
    return 1;
}

#endif
