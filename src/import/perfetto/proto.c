/* proto.c - reads a tag, then what follows it. Groups are no fields here: no schema of use has
 * them. */
#include "src/import/perfetto/proto.h"

bool proto_varint(struct str *s, uint64_t *value) {
    uint64_t v = 0;
    for (size_t i = 0; i < s->n && i < 10; i++) {
        unsigned char c = (unsigned char)s->s[i];
        v |= (uint64_t)(c & 127) << (7 * i);
        if (c < 128) {
            *value = v;
            *s = (struct str){s->s + i + 1, s->n - i - 1};
            return true;
        }
    }
    return false;
}

/* Takes a number of little-endian bytes off the front. */
static bool fixed(struct str *s, size_t n, uint64_t *value) {
    if (s->n < n)
        return false;
    *value = 0;
    for (size_t i = 0; i < n; i++)
        *value |= (uint64_t)(unsigned char)s->s[i] << (8 * i);
    *s = (struct str){s->s + n, s->n - n};
    return true;
}

static bool take(struct proto *p) {
    uint64_t n;
    if (!proto_varint(&p->rest, &p->tag) || p->tag >> 3 == 0 || p->tag > UINT32_MAX)
        return false;
    switch (p->tag & 7) {
    case PROTO_VARINT:
        return proto_varint(&p->rest, &p->value);
    case PROTO_FIXED64:
        return fixed(&p->rest, 8, &p->value);
    case PROTO_FIXED32:
        return fixed(&p->rest, 4, &p->value);
    case PROTO_BYTES:
        if (!proto_varint(&p->rest, &n) || n > p->rest.n)
            return false;
        p->bytes = (struct str){p->rest.s, (size_t)n};
        p->rest = (struct str){p->rest.s + n, p->rest.n - (size_t)n};
        return true;
    default:
        return false;
    }
}

bool proto_next(struct proto *p) {
    if (p->rest.n == 0 || p->broken)
        return false;
    p->broken = !take(p);
    return !p->broken;
}

bool proto_number(struct proto_numbers *n, uint64_t *value) {
    for (;;) {
        if (n->packed.n > 0 && (n->wire == PROTO_VARINT ? proto_varint(&n->packed, value)
                                                        : fixed(&n->packed, 8, value)))
            return true;
        n->packed.n = 0; /* a broken rest has no numbers */
        if (!proto_next(&n->message))
            return false;
        if (n->message.tag == (n->field << 3 | PROTO_BYTES))
            n->packed = n->message.bytes;
        *value = n->message.value;
        if (n->message.tag == (n->field << 3 | n->wire))
            return true;
    }
}
