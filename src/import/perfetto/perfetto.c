/* perfetto.c - finds the packets of a source, also those in compressed ones, and hands each over
 * whole.
 *
 * A step ends when it has made enough words. The rest stays in `outer`, a compressed
 * packet that is not read to its end at the front. */
#include "src/import/perfetto/perfetto.h"

#include "src/import/perfetto/packets.h"
#include "src/import/perfetto/proto.h"
#include "src/import/perfetto/unpack.h"

#define PACKET_MOST ((uint64_t)512 << 20)
#define WORDS_ENOUGH ((size_t)1 << 20) /* bytes of a step */
#define SNIFF_PACKETS 3

struct stream { /* bytes that are not read yet */
    VEC(char) v;
    size_t done;   /* of them */
    uint64_t base; /* the place in the source of the first one */
};

struct perfetto {
    struct packets packets;
    struct stream outer, inner;
    struct unpack *unpack; /* of the packet at the front of `outer` */
    enum unpack_answer answer;
    size_t packed, packed_end,
        packet_end; /* the first bytes that it has not read, and their ends */
    bool broken, finished;
};

/* ---- streams ---- */

static void add(struct stream *s, struct str bytes) {
    if (s->done > 0 && s->done >= s->v.n / 2) {
        s->v.n -= s->done;
        memmove(s->v.v, s->v.v + s->done, s->v.n);
        s->base += s->done;
        s->done = 0;
    }
    vec_reserve(&s->v, s->v.n + bytes.n + 1);
    if (bytes.n > 0)
        memcpy(s->v.v + s->v.n, bytes.s, bytes.n);
    s->v.n += bytes.n;
}

static struct str rest_of(const struct stream *s) {
    return (struct str){s->v.v ? s->v.v + s->done : "", s->v.n - s->done};
}

/* PACKET: it is whole; OTHER: of another field, which is passed over. */
enum frame { FRAME_PACKET, FRAME_OTHER, FRAME_MORE, FRAME_BROKEN };

/* Finds the next packet. n: its bytes with those before it. */
static enum frame next_frame(struct str bytes, struct str *packet, size_t *n) {
    struct str s = bytes;
    uint64_t tag, length = 0;
    if (!proto_varint(&s, &tag))
        return bytes.n < 10 ? FRAME_MORE : FRAME_BROKEN;
    unsigned wire = tag & 7;
    if (tag >> 3 == 0 || tag > UINT32_MAX || wire == 3 || wire == 4 || wire > 5)
        return FRAME_BROKEN;
    if ((wire == PROTO_VARINT || wire == PROTO_BYTES) && !proto_varint(&s, &length))
        return s.n < 10 ? FRAME_MORE : FRAME_BROKEN;
    if (wire == PROTO_FIXED64 || wire == PROTO_FIXED32)
        length = wire == PROTO_FIXED64 ? 8 : 4;
    else if (wire == PROTO_VARINT)
        length = 0;
    if (length > PACKET_MOST)
        return FRAME_BROKEN;
    if (length > s.n)
        return FRAME_MORE;
    *packet = (struct str){s.s, (size_t)length};
    *n = bytes.n - s.n + (size_t)length;
    return tag == PROTO_B(1) ? FRAME_PACKET : FRAME_OTHER;
}

/* ---- packets ---- */

static bool is_full(const struct perfetto *p) {
    return p->packets.lines.w.bytes.n > WORDS_ENOUGH;
}

static void fault(struct perfetto *p, enum import_fault kind, const char *sentence) {
    import_lines_fault(&p->packets.lines, kind, NULL, "%s", sentence);
}

static void begin_within(struct perfetto *p, const struct packets_within *within, size_t n) {
    p->unpack = unpack_new(within->zstd);
    p->answer = UNPACK_MORE;
    p->packed = (size_t)(within->bytes.s - rest_of(&p->outer).s);
    p->packed_end = p->packed + within->bytes.n;
    p->packet_end = n;
    p->inner.v.n = p->inner.done = 0;
    if (p->unpack == NULL) {
        fault(p, IMPORT_FIELD, "packets compressed by zstd need libzstd, which is not there");
        p->outer.done += n;
    }
}

static void end_within(struct perfetto *p, const char *why) {
    if (why)
        fault(p, IMPORT_SYNTAX, why);
    unpack_free(p->unpack);
    p->unpack = NULL;
    p->outer.done += p->packet_end;
}

/* Takes the packets that are whole in `inner`. False: its bytes are none. */
static bool take_inner(struct perfetto *p) {
    struct str packet;
    size_t n;
    enum frame frame = FRAME_MORE;
    while (!is_full(p) && (frame = next_frame(rest_of(&p->inner), &packet, &n)) < FRAME_MORE) {
        bool within = frame == FRAME_PACKET &&
                      packets_take(&p->packets, packet, p->packets.lines.begin).bytes.s != NULL;
        p->inner.done += n;
        if (within)
            fault(p, IMPORT_FIELD, "compressed packets within compressed ones: left out");
    }
    return frame != FRAME_BROKEN;
}

/* Reads on in a compressed packet, until it ends or the step has made enough. */
static void read_within(struct perfetto *p) {
    while (!is_full(p)) {
        struct str front = rest_of(&p->outer), piece;
        bool fields = take_inner(p);
        if (is_full(p)) {
            return;
        } else if (!fields) {
            end_within(p, "compressed bytes that are no packets: read up to there");
            return;
        } else if (p->answer == UNPACK_MORE) {
            struct str input = {front.s + p->packed, p->packed_end - p->packed};
            p->answer = unpack_some(p->unpack, &input, &piece);
            p->packed = p->packed_end - input.n;
            add(&p->inner, piece);
            continue;
        }
        if (p->answer == UNPACK_DAMAGED)
            end_within(p, "compressed packets are damaged: read up to there");
        else if (p->answer == UNPACK_TOO_LARGE)
            end_within(p, "compressed packets of more than a GiB: read up to there");
        else
            end_within(p, rest_of(&p->inner).n > 0
                              ? "the last packet of compressed ones is not whole"
                              : NULL);
        return;
    }
}

/* Reads the next packet. False: it is not whole. */
static bool read_packet(struct perfetto *p) {
    struct str packet;
    size_t n;
    enum frame frame = next_frame(rest_of(&p->outer), &packet, &n);
    if (frame == FRAME_MORE)
        return false;
    p->packets.lines.begin = p->outer.base + p->outer.done;
    if (frame == FRAME_BROKEN) {
        fault(p, IMPORT_SYNTAX,
              "expected a packet of at most 512 MiB: nothing is read from here on");
        p->broken = true;
        return false;
    }
    if (frame == FRAME_PACKET) {
        struct packets_within within = packets_take(&p->packets, packet, p->packets.lines.begin);
        if (within.bytes.s) {
            begin_within(p, &within, n);
            return true;
        }
    }
    p->outer.done += n;
    return true;
}

/* ---- the importer ---- */

/* Whether the fields of a packet, of which some bytes are there, are those of one. known: one of
 * them is a usual one. */
static bool sniff_packet(struct str packet, bool whole, bool *known) {
    /* their kinds: v is a number, b bytes, ? any; other formats have B, too */
    static const char wires[] = "?BBv??b?v?vb?????????????????????"
                                "bbbbbbbbvvbbbbbbbbbbbb??bvbbbb"
                                "bbbbbbbbbbbbb?bbv??bbb?bv?bbb???b??vb"
                                "bbbb???b?bbb?b?b?bbbb?bbbbbbbbbbbbbb";
    struct str rest = packet;
    while (rest.n > 0) {
        uint64_t tag;
        struct proto p;
        struct str at = rest;
        if (!proto_varint(&at, &tag))
            return !whole && rest.n < 10;
        uint64_t field = tag >> 3;
        unsigned wire = tag & 7;
        char want = field < sizeof wires - 1 ? wires[field] : '?';
        if (field == 0 || field > 1999 || wire == 3 || wire == 4 || wire > 5 ||
            (want != '?' && wire != (want == 'v' ? PROTO_VARINT : PROTO_BYTES)))
            return false;
        *known |= want == 'v' || want == 'b';
        p = proto_of(rest);
        if (!proto_next(&p))
            return !whole;
        rest = p.rest;
        /* a bundle of ftrace, which begins with its CPU: no other format has a number there */
        *known |= p.tag == PROTO_B(1) && p.bytes.n > 1 && p.bytes.s[0] == 8;
    }
    return true;
}

static enum import_sniff sniff(struct str first, bool all) {
    struct str rest = first;
    bool control = false, known = false, ends = false;
    for (size_t i = 0; i < first.n && i < 64; i++)
        control |= (unsigned char)first.s[i] < 9;
    for (int i = 0; i < SNIFF_PACKETS && rest.n > 0 && !known && !ends; i++) {
        uint64_t n = 0;
        if (rest.s[0] != 0x0a)
            return IMPORT_NO;
        rest = (struct str){rest.s + 1, rest.n - 1};
        ends = !proto_varint(&rest, &n);
        if (ends && rest.n >= 10)
            return IMPORT_NO;
        bool whole = !ends && n <= rest.n;
        struct str packet = {rest.s, whole ? (size_t)n : rest.n};
        if (!ends && !sniff_packet(packet, whole, &known))
            return IMPORT_NO;
        ends |= !whole;
        rest = (struct str){rest.s + packet.n, rest.n - packet.n};
    }
    if (known && control)
        return IMPORT_YES;
    return all || first.n >= IMPORT_SNIFF_MAX ? IMPORT_NO : IMPORT_MORE;
}

static void *start(void) {
    struct perfetto *p = err_calloc(1, sizeof *p);
    packets_init(&p->packets);
    return p;
}

static void finish(struct perfetto *p) {
    bool cut = !p->broken && rest_of(&p->outer).n > 0;
    if (cut) {
        p->packets.lines.begin = p->outer.base + p->outer.done;
        fault(p, IMPORT_TRUNCATED, "the source ends within this packet");
    }
    packets_end(&p->packets);
    p->finished = true;
}

static void step(void *import, struct str bytes, bool last, struct import_news *news) {
    struct perfetto *p = import;
    bool more = true;
    import_lines_step(&p->packets.lines, STR(""), false); /* forgets the last step's marks */
    if (!p->broken)
        add(&p->outer, bytes);
    while (more && !is_full(p) && !p->broken) {
        if (p->unpack)
            read_within(p);
        else
            more = read_packet(p);
    }
    more = more && !p->broken;
    if (last && !more && !p->finished)
        finish(p);
    *news = import_lines_news(&p->packets.lines, last && p->finished && !more);
    news->more = more;
    news->held = rest_of(&p->outer).n;
}

static void stop(void *import) {
    struct perfetto *p = import;
    unpack_free(p->unpack);
    vec_free(&p->outer.v);
    vec_free(&p->inner.v);
    packets_free(&p->packets);
    free(p);
}

const struct importer perfetto = {"Perfetto", sniff, start, step, stop, NULL};
