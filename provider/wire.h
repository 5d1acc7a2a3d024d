/* wire.h - the trace buffer, the packets and the control messages between a provider and its
 * manager, as numbers.
 *
 * fxttrace(7) is the reference. Sizes and offsets are bytes. Integers are in the machine's byte
 * order.
 *
 * The layout is that of Fuchsia's trace engine. The words from `signature` on are reserved there,
 * so a manager that does not know them ignores them. */
#ifndef FXTTRACE_WIRE_H
#define FXTTRACE_WIRE_H

#include <stddef.h>
#include <stdint.h>

/* ---- the trace buffer (section "Trace buffer") ---- */

#define WIRE_MAGIC UINT64_C(0x627566ee68656164)
#define WIRE_SIGNATURE UINT64_C(0x316b6e6863747866) /* "fxtchnk1": the buffer has chunks */
#define WIRE_HEADER 128
#define WIRE_BUFFER_MIN 4096
#define WIRE_BUFFER_MAX (UINT64_C(1) << 32)

enum wire_mode { WIRE_ONESHOT = 0, WIRE_CIRCULAR = 1, WIRE_STREAMING = 2 };

/* Header, durable part, rolling half 0, rolling half 1 follow each other without gaps. Oneshot:
 * header, half 0. */
struct wire_header {
    uint64_t magic;
    uint16_t version; /* 0 */
    uint8_t mode;     /* enum wire_mode */
    uint8_t reserved;
    uint32_t wrapped; /* wrapped count, written when the provider stops */
    uint64_t total;   /* size of the buffer, header included */
    uint64_t durable_size;
    uint64_t rolling_size;   /* of each half */
    uint64_t durable_end;    /* of its data, from the start of the part; so are the next two */
    uint64_t rolling_end[2]; /* 0: the half is current, or was saved */
    uint64_t dropped;        /* records */
    uint64_t signature;      /* WIRE_SIGNATURE, else the following words have no meaning */
    /* wrapped count << 32 | bytes of the current half that are given out to chunks */
    uint64_t state;
    uint64_t chunk_size; /* of a cell */
    uint64_t saved;      /* halves that the manager has saved, in streaming mode */
    uint64_t unused[3];
};

_Static_assert(sizeof(struct wire_header) == WIRE_HEADER, "the header has 16 words");
_Static_assert(offsetof(struct wire_header, wrapped) == 12, "offset 12");
_Static_assert(offsetof(struct wire_header, total) == 16, "offset 16");
_Static_assert(offsetof(struct wire_header, durable_end) == 40, "offset 40");
_Static_assert(offsetof(struct wire_header, rolling_end) == 48, "offset 48");
_Static_assert(offsetof(struct wire_header, dropped) == 64, "offset 64");
_Static_assert(offsetof(struct wire_header, signature) == 72, "offset 72");
_Static_assert(offsetof(struct wire_header, state) == 80, "offset 80");
_Static_assert(offsetof(struct wire_header, chunk_size) == 88, "offset 88");
_Static_assert(offsetof(struct wire_header, saved) == 96, "offset 96");

/* A half is a grid of cells; a chunk is one cell or several, and belongs to one thread. Its first
 * word is the mark: a metadata record of one word, of the unused metadata type 15. A filler is the
 * same with the size of what it fills. */
#define WIRE_CHUNK_MAX 4096
#define WIRE_CHUNK_MIN 512
#define WIRE_SPAN_MAX 255 /* cells of a chunk */
#define WIRE_MARK_BASE ((UINT64_C(1) << 4) | (UINT64_C(15) << 16))
#define WIRE_MARK_DURABLE (UINT64_C(1) << 60) /* oneshot: the chunk holds registrations */

static inline uint64_t wire_mark(uint32_t wrap, unsigned span, uint64_t durable) {
    return WIRE_MARK_BASE | (uint64_t)wrap << 20 | (uint64_t)span << 52 | durable;
}
static inline uint32_t wire_mark_wrap(uint64_t mark) {
    return (uint32_t)(mark >> 20);
}
static inline unsigned wire_mark_span(uint64_t mark) {
    return (unsigned)(mark >> 52 & 0xff);
}
static inline uint64_t wire_filler(size_t words) {
    return (uint64_t)words << 4 | UINT64_C(15) << 16;
}

/* The argument, a bool, of an end in place of one that was dropped: the loss cut its slice. */
#define WIRE_CUT "cut_by_loss"

/* The size of a cell for halves of that size. */
static inline uint64_t wire_chunk_size(uint64_t rolling_size) {
    uint64_t size = WIRE_CHUNK_MAX;
    while (size > WIRE_CHUNK_MIN && size > rolling_size / 256)
        size /= 2;
    return size;
}

/* ---- packets (section "Packets"): 16 bytes each, one a message ---- */

struct wire_packet {
    uint16_t request; /* enum wire_request */
    uint16_t data16;  /* 0 except in WIRE_ALERT, whose name begins here */
    uint32_t data32;
    uint64_t data64;
};

_Static_assert(sizeof(struct wire_packet) == 16, "a packet has 16 bytes");

enum wire_request {
    WIRE_STARTED = 0x0001, /* data32: WIRE_PROTOCOL */
    /* data32: wrapped count of the full half; data64: durable bytes so far */
    WIRE_SAVE_BUFFER = 0x0002,
    WIRE_STOPPED = 0x0003,
    WIRE_ALERT = 0x0004,        /* from byte 2 on the name, padded with zeros */
    WIRE_BUFFER_SAVED = 0x0100, /* to the provider: data32 and data64 of the request */
};

#define WIRE_PROTOCOL 1
#define WIRE_ALERT_MAX 14 /* bytes of a name */

/* ---- control messages (section "Control messages"): one a datagram ---- */

struct wire_control {
    uint16_t type; /* enum wire_control_type */
    uint16_t zero;
    uint32_t bytes; /* that follow */
};

#define WIRE_CONTROL_MAX 65536
#define WIRE_NAME_MAX 100 /* bytes of a provider's name */

enum wire_control_type {
    WIRE_REGISTER = 0x01,   /* u32 version 1, u32 0, u64 pid, name */
    WIRE_REGISTERED = 0x81, /* u32 enum wire_status, u32 whether tracing is on */
    /* struct wire_initialize, strings: the categories; with two descriptors: buffer, packets */
    WIRE_INITIALIZE = 0x82,
    WIRE_START = 0x83, /* struct wire_start, strings: more categories */
    WIRE_STOP = 0x84,
    WIRE_TERMINATE = 0x85,
};

enum wire_status { WIRE_OK = 0, WIRE_BAD_VERSION = 1, WIRE_TOO_MANY = 2, WIRE_NOT_YOURS = 3 };
enum wire_clock { WIRE_CLOCK_MONOTONIC = 0, WIRE_CLOCK_TSC = 1, WIRE_CLOCK_CNTVCT = 2 };
enum wire_disposition { WIRE_CLEAR_ALL = 0, WIRE_CLEAR_ROLLING = 1, WIRE_RETAIN = 2 };

struct wire_register {
    uint32_t version, zero;
    uint64_t pid; /* as the process sees it; the name follows */
};

struct wire_registered {
    uint32_t status, started;
};

struct wire_initialize {
    uint8_t mode;  /* enum wire_mode */
    uint8_t clock; /* enum wire_clock */
    /* strings that follow, each a byte of length and its bytes; none: all are enabled */
    uint16_t categories;
    uint32_t zero;
    uint64_t buffer_size;
    uint64_t ticks_per_second;
};

struct wire_start {
    uint8_t disposition; /* enum wire_disposition */
    uint8_t zero8;
    uint16_t categories;
    uint32_t zero32;
};

_Static_assert(sizeof(struct wire_control) == 8 && sizeof(struct wire_register) == 16,
               "control messages");
_Static_assert(sizeof(struct wire_initialize) == 24 && sizeof(struct wire_start) == 8,
               "control messages");

#endif
