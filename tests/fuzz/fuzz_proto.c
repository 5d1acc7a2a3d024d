/* fuzz_proto.c - packets of Perfetto whose fields and lengths are whole, whatever the bytes are, so
 * that these reach the messages within messages. fuzz_import.c has the conditions.
 *
 * The first byte chooses the pieces. Then each byte has a kind, in its low two bits, and the number
 * of a field. With 0 the next byte chooses one of the table. */
#include <string.h>

#include "src/base/vec.h"
#include "src/import/perfetto/perfetto.h"
#include "src/import/perfetto/proto.h"
#include "tests/fuzz/fuzz.h"

#define DEPTH 12 /* messages within messages */

struct bytes {
    VEC(char) v;
};

struct input {
    const uint8_t *data;
    size_t n, at;
};

static uint8_t next(struct input *in) {
    return in->at < in->n ? in->data[in->at++] : 0;
}

static void put_varint(struct bytes *to, uint64_t value) {
    for (; value >= 128; value >>= 7)
        vec_push(&to->v, (char)(value | 128));
    vec_push(&to->v, (char)value);
}

static void put_bytes(struct bytes *to, uint64_t field, const void *s, size_t n) {
    put_varint(to, PROTO_B(field));
    put_varint(to, n);
    vec_reserve(&to->v, to->v.n + n + 1);
    if (n > 0)
        memcpy(to->v.v + to->v.n, s, n);
    to->v.n += n;
}

static uint64_t word(struct input *in) {
    uint64_t value = 0;
    for (int i = 0; i < 64; i += 8)
        value |= (uint64_t)next(in) << i;
    return value;
}

/* Most values are small; some are at the end of what a type holds. */
static uint64_t value_of(struct input *in) {
    static const uint64_t ends[] = {INT32_MAX,  UINT32_MAX,        INT64_MAX,
                                    UINT64_MAX, UINT64_C(1) << 31, UINT64_C(1) << 63};
    uint8_t first = next(in);
    if (first == 255)
        return word(in);
    return first < 240 ? first : ends[first % (sizeof ends / sizeof *ends)];
}

static uint64_t field_of(struct input *in, uint8_t first) {
    static const uint16_t far[] = {82,  98,  114, 117, 118, 120, 122, 132, 133, 235, 236,
                                   237, 238, 240, 327, 329, 330, 437, 438, 64,  65,  66};
    return first >> 2 > 0 ? first >> 2 : far[next(in) % (sizeof far / sizeof *far)];
}

/* A message up to its end, which the kind 3 with the field 0 is. */
static void put_message(struct bytes *to, struct input *in, unsigned depth) {
    while (in->at < in->n) {
        uint8_t first = next(in);
        if (first == 3)
            return;
        uint64_t field = field_of(in, first);
        if ((first & 3) == 0) {
            put_varint(to, PROTO_V(field));
            put_varint(to, value_of(in));
        } else if ((first & 3) == 3) {
            uint64_t bits = word(in);
            put_varint(to, PROTO_F(field));
            for (int i = 0; i < 64; i += 8)
                vec_push(&to->v, (char)(bits >> i));
        } else if ((first & 3) == 1 || depth == 0) {
            size_t n = next(in), left = in->n - in->at;
            n = n < left ? n : left;
            put_bytes(to, field, in->data + in->at, n);
            in->at += n;
        } else {
            struct bytes within = {0};
            put_message(&within, in, depth - 1);
            put_bytes(to, field, within.v.v, within.v.n);
            vec_free(&within.v);
        }
    }
}

void fuzz_proto(const uint8_t *data, size_t size) {
    struct input in = {data, size, 0};
    struct bytes source = {0}, packet = {0};
    size_t piece = next(&in) + 1u;
    while (in.at < in.n) {
        packet.v.n = 0;
        put_message(&packet, &in, DEPTH);
        put_bytes(&source, 1, packet.v.v, packet.v.n);
    }
    fuzz_import_of(&perfetto, (struct str){source.v.v ? source.v.v : "", source.v.n}, piece);
    vec_free(&packet.v);
    vec_free(&source.v);
}
