/* proto.h - the wire format of protobuf: fields one by one, without a schema and without a copy.
 *
 * A field is switched on by its number and its kind, so one of an unexpected kind is passed over as
 * an unknown field is. */
#ifndef FXTOP_PROTO_H
#define FXTOP_PROTO_H

#include <stdbool.h>
#include <stdint.h>

#include "src/base/str.h"

enum proto_wire { PROTO_VARINT = 0, PROTO_FIXED64 = 1, PROTO_BYTES = 2, PROTO_FIXED32 = 5 };

/* A field of this number: `case PROTO_B(12):`. */
#define PROTO_V(field) ((uint64_t)(field) << 3 | PROTO_VARINT)
#define PROTO_F(field) ((uint64_t)(field) << 3 | PROTO_FIXED64)
#define PROTO_B(field) ((uint64_t)(field) << 3 | PROTO_BYTES)
#define PROTO_S(field) ((uint64_t)(field) << 3 | PROTO_FIXED32)

struct proto {
    struct str rest;
    uint64_t tag;     /* of the field */
    uint64_t value;   /* of a number */
    struct str bytes; /* of PROTO_BYTES */
    bool broken;      /* the bytes are no fields */
};

static inline struct proto proto_of(struct str bytes) {
    return (struct proto){.rest = bytes};
}

/* The next field. False: there is none, or it is broken. */
bool proto_next(struct proto *p);
/* Takes a varint off the front. False: it does not end. */
bool proto_varint(struct str *s, uint64_t *value);

static inline double proto_double(uint64_t bits) {
    double d;
    memcpy(&d, &bits, sizeof d);
    return d;
}

static inline int64_t proto_signed(uint64_t value) {
    return (int64_t)value;
}

/* The numbers of a repeated field, which may be packed or not. */
struct proto_numbers {
    struct proto message;
    struct str packed;
    uint64_t field;
    enum proto_wire wire;
};

static inline struct proto_numbers proto_numbers(struct str message, uint64_t field,
                                                 enum proto_wire wire) {
    return (struct proto_numbers){proto_of(message), {"", 0}, field, wire};
}

bool proto_number(struct proto_numbers *n, uint64_t *value);

#endif
