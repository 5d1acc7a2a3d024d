/* suite_wire.c - packets, control messages and the header of a buffer are the bytes that
 * fxttrace(7) describes.
 *
 * Each is written here byte by byte from the tables of the manual page. It equals the structure
 * that the library and the manager use. The machine has to store the lowest byte first. */
#include "provider/wire.h"

#include <stdbool.h>
#include <string.h>

#include "tests/unit/lib/suites.h"

struct bytes {
    unsigned char v[256];
    size_t n;
};

static void put(struct bytes *b, uint64_t value, int size) {
    for (int i = 0; i < size; i++)
        b->v[b->n++] = (unsigned char)(value >> 8 * i);
}

static void put_text(struct bytes *b, const char *text) {
    memcpy(b->v + b->n, text, strlen(text));
    b->n += strlen(text);
}

static bool is_little_endian(void) {
    const uint16_t one = 1;
    unsigned char low;
    memcpy(&low, &one, 1);
    return low == 1;
}

#define IS(b, structure)                                                                           \
    do {                                                                                           \
        ck_assert_uint_eq((b)->n, sizeof(structure));                                              \
        ck_assert_mem_eq((b)->v, &(structure), sizeof(structure));                                 \
    } while (0)

static struct bytes packet_of(unsigned request, unsigned data16, uint32_t data32, uint64_t data64) {
    struct bytes b = {.n = 0};
    put(&b, request, 2);
    put(&b, data16, 2);
    put(&b, data32, 4);
    put(&b, data64, 8);
    return b;
}

START_TEST(a_packet_has_16_bytes) {
    if (!is_little_endian())
        return;
    const struct {
        struct bytes bytes;
        struct wire_packet packet;
    } cases[] = {
        {packet_of(0x0001, 0, 1, 0), {.request = WIRE_STARTED, .data32 = WIRE_PROTOCOL}},
        {packet_of(0x0002, 0, 0x01020304, 0x1112131415161718),
         {.request = WIRE_SAVE_BUFFER, .data32 = 0x01020304, .data64 = 0x1112131415161718}},
        {packet_of(0x0003, 0, 0, 0), {.request = WIRE_STOPPED}},
        {packet_of(0x0100, 0, 7, 48), {.request = WIRE_BUFFER_SAVED, .data32 = 7, .data64 = 48}},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++)
        IS(&cases[i].bytes, cases[i].packet);
    static const unsigned char alert[16] = {4,   0,   'a', ' ', 'n', 'a', 'm', 'e',
                                            ' ', 'o', 'f', ' ', '1', '4', ' ', 'x'};
    struct wire_packet p = {.request = WIRE_ALERT};
    memcpy((char *)&p + 2, "a name of 14 x", WIRE_ALERT_MAX);
    ck_assert_mem_eq(alert, &p, 16);
}
END_TEST

START_TEST(a_control_message_has_its_length_and_fields) {
    struct bytes b = {.n = 0};
    if (!is_little_endian())
        return;
    put(&b, 0x01, 2);
    put(&b, 0, 2);
    put(&b, 16 + 4, 4);
    put(&b, 1, 4);
    put(&b, 0, 4);
    put(&b, 0x0102030405060708, 8);
    put_text(&b, "name");
    const struct {
        struct wire_control head;
        struct wire_register body;
        char name[4];
        char end[4]; /* the rest of the structure's last word */
    } m = {{WIRE_REGISTER, 0, sizeof m.body + 4},
           {1, 0, 0x0102030405060708},
           {'n', 'a', 'm', 'e'},
           {0}};
    ck_assert_uint_eq(b.n, sizeof m.head + sizeof m.body + 4);
    ck_assert_mem_eq(b.v, &m, b.n);

    b.n = 0;
    put(&b, 2, 4);
    put(&b, 1, 4);
    const struct wire_registered registered = {WIRE_TOO_MANY, 1};
    IS(&b, registered);

    b.n = 0;
    put(&b, 2, 1);
    put(&b, 1, 1);
    put(&b, 3, 2);
    put(&b, 0, 4);
    put(&b, 8 << 20, 8);
    put(&b, 2400000000, 8);
    const struct wire_initialize initialize = {WIRE_STREAMING, WIRE_CLOCK_TSC, 3, 0,
                                               8 << 20,        2400000000};
    IS(&b, initialize);

    b.n = 0;
    put(&b, 1, 1);
    put(&b, 0, 1);
    put(&b, 2, 2);
    put(&b, 0, 4);
    const struct wire_start start = {WIRE_CLEAR_ROLLING, 0, 2, 0};
    IS(&b, start);
    ck_assert_uint_eq(WIRE_REGISTERED, 0x81);
    ck_assert_uint_eq(WIRE_INITIALIZE, 0x82);
    ck_assert_uint_eq(WIRE_START, 0x83);
    ck_assert_uint_eq(WIRE_STOP, 0x84);
    ck_assert_uint_eq(WIRE_TERMINATE, 0x85);
}
END_TEST

START_TEST(a_header_has_128_bytes) {
    struct bytes b = {.n = 0};
    if (!is_little_endian())
        return;
    put(&b, 0x627566ee68656164, 8);
    put(&b, 0, 2);
    put(&b, 2, 1);
    put(&b, 0, 1);
    put(&b, 5, 4);
    /* total, durable, rolling size; durable, two rolling ends; dropped */
    for (uint64_t i = 0; i < 7; i++)
        put(&b, 0x1000 + 8 * i, 8);
    put_text(&b, "fxtchnk1");
    put(&b, UINT64_C(5) << 32 | 4096, 8);
    put(&b, 512, 8);
    put(&b, 4, 8);
    put(&b, 0, 8);
    put(&b, 0, 8);
    put(&b, 0, 8);
    const struct wire_header header = {.magic = WIRE_MAGIC,
                                       .mode = WIRE_STREAMING,
                                       .wrapped = 5,
                                       .total = 0x1000,
                                       .durable_size = 0x1008,
                                       .rolling_size = 0x1010,
                                       .durable_end = 0x1018,
                                       .rolling_end = {0x1020, 0x1028},
                                       .dropped = 0x1030,
                                       .signature = WIRE_SIGNATURE,
                                       .state = UINT64_C(5) << 32 | 4096,
                                       .chunk_size = 512,
                                       .saved = 4};
    IS(&b, header);
}
END_TEST

START_TEST(a_mark_and_a_filler_are_metadata_of_type_15) {
    for (unsigned bit = 0; bit < 32; bit++) {
        uint32_t wrap = UINT32_C(1) << bit;
        uint64_t mark = wire_mark(wrap, 200, 0);
        ck_assert_uint_eq(mark & 15, 0);         /* metadata, */
        ck_assert_uint_eq(mark >> 4 & 0xfff, 1); /* of one word, */
        ck_assert_uint_eq(mark >> 16 & 15, 15);  /* of the unused type */
        ck_assert_uint_eq(mark >> 20 & 0xffffffff, wrap);
        ck_assert_uint_eq(mark >> 52 & 0xff, 200);
        ck_assert_uint_eq(mark >> 60, 0);
        ck_assert_uint_eq(wire_mark_wrap(mark), wrap);
        ck_assert_uint_eq(wire_mark_span(mark), 200);
    }
    ck_assert_uint_eq(wire_mark(0, 1, WIRE_MARK_DURABLE) >> 60, 1);
    ck_assert_uint_eq(wire_filler(511), 511 << 4 | 15 << 16);
}
END_TEST

SUITE(wire) {
    Suite *s = suite_create("wire");
    TCase *c = tcase_create("wire");
    tcase_add_test(c, a_packet_has_16_bytes);
    tcase_add_test(c, a_control_message_has_its_length_and_fields);
    tcase_add_test(c, a_header_has_128_bytes);
    tcase_add_test(c, a_mark_and_a_filler_are_metadata_of_type_15);
    suite_add_tcase(s, c);
    return s;
}
