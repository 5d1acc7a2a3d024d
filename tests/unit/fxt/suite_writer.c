/* suite_writer.c - records as bytes: against words worked out by hand from the format's bit ranges, and back through
 * the decoder with random contents. */
#include <stdlib.h>
#include <string.h>

#include "src/fxt/record.h"
#include "src/fxt/writer.h"
#include "tests/lib/chance.h"
#include "tests/lib/suites.h"
#include "tests/lib/tracegen.h"

#define TS UINT64_C(0x1234567890abcdef)
#define COUNT(a) (sizeof(a) / sizeof *(a))
#define NO_ARGS ((struct writer_arguments){0})

/* ---- words by hand ---- */

/* Bit i of `streams` is set if word i holds bytes, which look the same in both byte orders. Strings read backwards in a
 * word: "abc" is 0x636261. */
static void expect(const struct writer *w, const uint64_t *words, size_t n, uint64_t streams) {
    ck_assert_msg(!w->failed, "refused: %s", w->err.text);
    ck_assert_uint_eq(w->bytes.n, n * 8);
    for (size_t i = 0; i < n; i++) {
        uint64_t got;
        memcpy(&got, w->bytes.v + i * 8, 8);
        got = record_order(got, w->big_endian && !(streams >> i & 1));
        ck_assert_msg(got == words[i], "word %zu: %016llx, wanted %016llx", i, (unsigned long long)got,
                      (unsigned long long)words[i]);
    }
}

/* The record that `call` writes, in both byte orders, is exactly these words. */
#define WRITES(streams, call, ...)                                                                                     \
    do {                                                                                                               \
        static const uint64_t wanted[] = {__VA_ARGS__};                                                                \
        for (int big = 0; big < 2; big++) {                                                                            \
            struct writer w;                                                                                           \
            writer_init(&w, NULL);                                                                                     \
            w.big_endian = big;                                                                                        \
            ck_assert(call);                                                                                           \
            expect(&w, wanted, COUNT(wanted), streams);                                                                \
            ck_assert_uint_eq(w.records, 1);                                                                           \
            writer_free(&w);                                                                                           \
        }                                                                                                              \
    } while (0)

START_TEST(metadata_is_written_as_the_format_says) {
    WRITES(0, writer_magic(&w), 0x0016547846040010);
    WRITES(2, writer_provider_info(&w, 0x01234567, STR("abc")), 0x0030123456710020, 0x636261);
    WRITES(0, writer_provider_info(&w, UINT32_MAX, STR("")), 0x000ffffffff10010);
    WRITES(0, writer_provider_section(&w, 5), 0x0000000000520010);
    WRITES(0, writer_provider_event(&w, 5, 0), 0x0000000000530010);
    WRITES(0, writer_provider_event(&w, 5, 9), 0x0090000000530010);
    WRITES(0, writer_trace_info(&w, 1, 0x34567890), 0x0034567890140010);
}
END_TEST

START_TEST(definitions_are_written_as_the_format_says) {
    WRITES(0, writer_init_record(&w, 1000), 0x0000000000000021, 1000);
    WRITES(0, writer_init_base(&w, 1000, 7, TS), 0x0000000000000041, 1000, 7, TS);
    WRITES(2, writer_string(&w, 0x1234, STR("name1234")), 0x0000000812340022, 0x34333231656d616e);
    WRITES(2, writer_string(&w, 0x7fff, STR("cat")), 0x000000037fff0022, 0x746163);
    WRITES(0, writer_string(&w, 1, STR("")), 0x0000000000010012);
    WRITES(0, writer_thread(&w, 0xab, 0xb1, 0xb2), 0x0000000000ab0033, 0xb1, 0xb2);
}
END_TEST

static const struct writer_event indexed = {
    .ts = TS, .thread = {.index = 0xab}, .category = {.index = 0x7777}, .name = {.index = 0x1234}};

START_TEST(events_by_index_are_written_as_the_format_says) {
    struct writer_argument arg = writer_number(FXT_ARG_INT32, writer_index(2), 4);
    struct writer_event counter = indexed;
    counter.args = (struct writer_arguments){&arg, 1};
    WRITES(0, writer_instant(&w, &indexed), 0x12347777ab000024, TS);
    WRITES(0, writer_instant_scope(&w, &indexed, 2), 0x12347777ab000034, TS, 2);
    WRITES(0, writer_counter(&w, &counter, 9), 0x12347777ab110044, TS, 0x0000000400020011, 9);
    WRITES(0, writer_begin(&w, &indexed), 0x12347777ab020024, TS);
    WRITES(0, writer_end(&w, &indexed), 0x12347777ab030024, TS);
    WRITES(0, writer_complete(&w, &indexed, 0xfedc), 0x12347777ab040034, TS, 0xfedc);
    WRITES(0, writer_async(&w, FXT_ASYNC_BEGIN, &indexed, 6), 0x12347777ab050034, TS, 6);
    WRITES(0, writer_async(&w, FXT_ASYNC_INSTANT, &indexed, 6), 0x12347777ab060034, TS, 6);
    WRITES(0, writer_async(&w, FXT_ASYNC_END, &indexed, 6), 0x12347777ab070034, TS, 6);
    WRITES(0, writer_flow(&w, FXT_FLOW_BEGIN, &indexed, 6), 0x12347777ab080034, TS, 6);
    WRITES(0, writer_flow(&w, FXT_FLOW_STEP, &indexed, 6), 0x12347777ab090034, TS, 6);
    WRITES(0, writer_flow(&w, FXT_FLOW_END, &indexed, 6), 0x12347777ab0a0034, TS, 6);
}
END_TEST

START_TEST(inline_events_are_written_as_the_format_says) {
    struct writer_event e = {.ts = TS,
                             .thread = writer_inline_thread(0x11, 0x22),
                             .category = writer_inline(STR("c")),
                             .name = writer_inline(STR("long name"))};
    WRITES(0x70, writer_begin(&w, &e), 0x8009800100020074, TS, 0x11, 0x22, 0x63, 0x6d616e20676e6f6c, 0x65);
    e.category = e.name = writer_inline(STR(""));
    WRITES(0, writer_end(&w, &e), 0x8000800000030044, TS, 0x11, 0x22);
}
END_TEST

static bool one_argument(struct writer *w, struct writer_argument a) {
    struct writer_event e = {.ts = TS, .thread = {.index = 1}, .args = {&a, 1}};
    return writer_instant(w, &e);
}

START_TEST(arguments_are_written_as_the_format_says) {
    struct writer_string name = writer_index(2);
    struct writer_argument blob = {.type = FXT_ARG_BLOB, .name = name, .blob = STR("abc")};
    WRITES(0, one_argument(&w, writer_number(FXT_ARG_NULL, name, 0)), 0x01100034, TS, 0x00020010);
    WRITES(0, one_argument(&w, writer_number(FXT_ARG_INT32, name, (uint64_t)-5)), 0x01100034, TS, 0xfffffffb00020011);
    WRITES(0, one_argument(&w, writer_number(FXT_ARG_UINT32, name, 0xdeadbeef)), 0x01100034, TS, 0xdeadbeef00020012);
    WRITES(0, one_argument(&w, writer_number(FXT_ARG_INT64, name, (uint64_t)-7)), 0x01100044, TS, 0x00020023,
           0xfffffffffffffff9);
    WRITES(0, one_argument(&w, writer_number(FXT_ARG_UINT64, name, UINT64_MAX)), 0x01100044, TS, 0x00020024,
           UINT64_MAX);
    WRITES(0, one_argument(&w, writer_double(name, 1.5)), 0x01100044, TS, 0x00020025, 0x3ff8000000000000);
    WRITES(0, one_argument(&w, writer_text(name, writer_index(3))), 0x01100034, TS, 0x0000000300020016);
    WRITES(8, one_argument(&w, writer_text(name, writer_inline(STR("abc")))), 0x01100044, TS, 0x0000800300020026,
           0x636261);
    WRITES(0x18, one_argument(&w, writer_text(writer_inline(STR("ab")), writer_inline(STR("abc")))), 0x01100054, TS,
           0x0000800380020036, 0x6261, 0x636261);
    WRITES(0, one_argument(&w, writer_number(FXT_ARG_POINTER, name, 0xbeef)), 0x01100044, TS, 0x00020027, 0xbeef);
    WRITES(0, one_argument(&w, writer_number(FXT_ARG_KOID, name, 0xbeef)), 0x01100044, TS, 0x00020028, 0xbeef);
    WRITES(0, one_argument(&w, writer_number(FXT_ARG_BOOL, name, 1)), 0x01100034, TS, 0x0000000100020019);
    WRITES(0, one_argument(&w, writer_number(FXT_ARG_BOOL, name, 0)), 0x01100034, TS, 0x0000000000020019);
    WRITES(8, one_argument(&w, blob), 0x01100044, TS, 0x000000030002002a, 0x636261);
}
END_TEST

START_TEST(objects_and_blobs_are_written_as_the_format_says) {
    struct writer_argument yes = writer_number(FXT_ARG_BOOL, writer_index(0x1234), 1);
    struct writer_arguments args = {&yes, 1};
    struct writer_thread process = {.pid = 42, .no_tid = true}, by_index = {.index = 0xaa};
    struct writer_event e = indexed;
    e.args = args;
    WRITES(6, writer_blob(&w, writer_index(10), 1, STR("0123456789")), 0x0001000a000a0035, 0x3736353433323130, 0x3938);
    WRITES(6, writer_blob(&w, writer_inline(STR("nm")), 0xff, STR("012")), 0x00ff000380020035, 0x6d6e, 0x323130);
    WRITES(0, writer_userspace_object(&w, 0xdeadbeef, by_index, writer_index(0x7777), args), 0x0000017777aa0036,
           0xdeadbeef, 0x0000000112340019);
    WRITES(8, writer_userspace_object(&w, 0xbeef, process, writer_inline(STR("obj")), NO_ARGS), 0x0000008003000046,
           0xbeef, 42, 0x6a626f);
    process.no_tid = false;
    process.tid = 43;
    WRITES(0x10, writer_userspace_object(&w, 0xbeef, process, writer_inline(STR("obj")), NO_ARGS), 0x0000008003000056,
           0xbeef, 42, 43, 0x6a626f);
    WRITES(0, writer_kernel_object(&w, 4, 0xdeadbeef, writer_index(0x7777), args), 0x0000017777040037, 0xdeadbeef,
           0x0000000112340019);
    WRITES(4, writer_kernel_object(&w, 4, 0xdeadbeef, writer_inline(STR("name")), NO_ARGS), 0x0000008004040037,
           0xdeadbeef, 0x656d616e);
    WRITES(0x20, writer_large_event(&w, &e, STR("abc")), 0x000000000000006f, 0x00000ab112347777, TS, 0x0000000112340019,
           3, 0x636261);
    WRITES(0xc, writer_large_attachment(&w, writer_inline(STR("c")), writer_inline(STR("nm")), STR("")),
           0x000001000000005f, 0x0000000080028001, 0x63, 0x6d6e, 0);
}
END_TEST

/* A large record's size field has 32 bits: 12503 words are 0x30d7. */
START_TEST(a_large_record_is_larger_than_others_can_be) {
    struct writer w;
    uint64_t header;
    char *payload = err_calloc(100000, 1);
    writer_init(&w, NULL);
    ck_assert(writer_large_attachment(&w, writer_index(1), writer_index(2), (struct str){payload, 100000}));
    memcpy(&header, w.bytes.v, 8);
    header = record_order(header, false);
    ck_assert_uint_eq(w.bytes.n, 12503 * 8);
    ck_assert_uint_eq(header, 0x0000010000030d7f);
    writer_free(&w);
    free(payload);
}
END_TEST

START_TEST(scheduling_is_written_as_the_format_says) {
    struct writer_argument a[2] = {writer_number(FXT_ARG_INT32, writer_index(5), 12),
                                   writer_number(FXT_ARG_INT32, writer_index(6), 14)};
    struct writer_switch legacy = {.ts = TS,
                                   .cpu = 0xbb,
                                   .out_state = 2,
                                   .out = {.index = 1},
                                   .in = {.index = 2},
                                   .out_priority = 3,
                                   .in_priority = 4};
    struct writer_switch s = {
        .ts = TS, .cpu = 0xbbbb, .out_state = 4, .out_tid = 0x1001, .in_tid = 0x1002, .args = {a, 2}};
    WRITES(0, writer_switch_legacy(&w, &legacy), 0x0040302012bb0028, TS);
    legacy.out = writer_inline_thread(0x11, 0x12);
    legacy.in = writer_inline_thread(0x21, 0x22);
    WRITES(0, writer_switch_legacy(&w, &legacy), 0x0040300002bb0068, TS, 0x11, 0x12, 0x21, 0x22);
    WRITES(0, writer_switch(&w, &s), 0x1000004bbbb20068, TS, 0x1001, 0x1002, 0x0000000c00050011, 0x0000000e00060011);
    WRITES(0, writer_wakeup(&w, TS, 0xbbbb, 0x1002, (struct writer_arguments){a, 1}), 0x2000000bbbb10048, TS, 0x1002,
           0x0000000c00050011);
}
END_TEST

START_TEST(logs_and_samples_are_written_as_the_format_says) {
    static const uint64_t pcs[] = {1, 2, 3};
    static const char build_id[20] = {0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16, 17, 18, 19};
    struct writer_thread t = {.index = 0xcc}, pid_only = {.pid = 7, .no_tid = true};
    WRITES(0x1c, writer_log(&w, TS, (struct writer_thread){.index = 1}, STR("This is a log message")),
           0x0000000100150059, TS, 0x2073692073696854, 0x656d20676f6c2061, 0x0000006567617373);
    WRITES(0, writer_log(&w, TS, writer_inline_thread(1, 2), STR("")), 0x0000000000000049, TS, 1, 2);
    WRITES(0x7c, writer_module(&w, TS, t, 0xabcd, STR("module_name"), (struct str){build_id, sizeof build_id}),
           0x0140babcdcc0007a, TS, 0x6e5f656c75646f6d, 0x656d61, 0x0706050403020100, 0x0f0e0d0c0b0a0908, 0x13121110);
    WRITES(0, writer_mmap(&w, TS, t, &(struct writer_mapping){0xabcd, 5, 0x1000, 0x2000, 0x3000}), 0x00005abcdcc1005a,
           TS, 0x1000, 0x2000, 0x3000);
    WRITES(0, writer_mmap(&w, TS, pid_only, &(struct writer_mapping){1, 7, 1, 2, 3}), 0x000070001001006a, TS, 7, 1, 2,
           3);
    WRITES(0, writer_backtrace(&w, TS, writer_inline_thread(8, 9), pcs, 3), 0x000000003002007a, TS, 8, 9, 1, 2, 3);
}
END_TEST

START_TEST(raw_words_follow_the_byte_order_and_bytes_do_not) {
    struct writer w;
    static const unsigned char wanted[] = {0x01, 0x02, 0x03, 0x04, 0x05, 0x06, 0x07, 0x08, 'a', 'b'};
    writer_init(&w, NULL);
    w.big_endian = true;
    writer_word(&w, 0x0102030405060708);
    writer_bytes(&w, "ab", 2);
    ck_assert_uint_eq(w.bytes.n, sizeof wanted);
    ck_assert_mem_eq(w.bytes.v, wanted, sizeof wanted);
    writer_free(&w);
}
END_TEST

/* ---- refusals ---- */

/* A record that does not fit is refused whole: no byte is written, the first failure is kept, and writing continues. */
START_TEST(what_cannot_be_written_is_refused) {
    static char big[40000];
    static const uint64_t pcs[256];
    struct writer_argument many[16] = {{0}}, long_args[2];
    struct writer w;
    struct writer_switch s = {.cpu = 256};
    struct writer_event e = indexed;
    struct str too_long = {big, WRITER_STRING_MAX + 1}, longest = {big, WRITER_STRING_MAX};
    struct err err;
    memset(big, 'x', sizeof big);
    writer_init(&w, NULL);
    writer_magic(&w);

    ck_assert(!writer_string(&w, 1, too_long));
    ck_assert(!writer_string(&w, 0x8000, STR("a")));
    ck_assert(!writer_provider_info(&w, 1, (struct str){big, 256}));
    ck_assert(!writer_provider_event(&w, 1, 16));
    ck_assert(!writer_blob(&w, writer_index(0), 1, (struct str){big, 32768}));
    ck_assert(!writer_blob(&w, writer_index(0), 256, STR("")));
    ck_assert(!writer_kernel_object(&w, 256, 1, writer_index(0), NO_ARGS));
    ck_assert(!writer_kernel_object(&w, 1, 1, writer_inline(too_long), NO_ARGS));
    ck_assert(!writer_log(&w, 0, indexed.thread, (struct str){big, 32768}));
    ck_assert(!writer_module(&w, 0, indexed.thread, 65536, STR(""), STR("")));
    ck_assert(!writer_module(&w, 0, indexed.thread, 1, (struct str){big, 256}, STR("")));
    ck_assert(!writer_mmap(&w, 0, indexed.thread, &(struct writer_mapping){1, 8, 0, 0, 0}));
    ck_assert(!writer_backtrace(&w, 0, indexed.thread, pcs, 256));
    ck_assert(!writer_switch_legacy(&w, &s));
    s.cpu = 65536;
    ck_assert(!writer_switch(&w, &s));
    e.args = (struct writer_arguments){many, 16};
    ck_assert(!writer_instant(&w, &e));
    for (int i = 0; i < 2; i++)
        long_args[i] = writer_text(writer_index(1), writer_inline((struct str){big, 17000}));
    e.args = (struct writer_arguments){long_args, 2};
    ck_assert(!writer_instant(&w, &e));
    long_args[0] = (struct writer_argument){.type = FXT_ARG_BLOB, .blob = {big, 33000}};
    e.args.n = 1;
    ck_assert(!writer_instant(&w, &e));
    e.name = writer_inline(too_long); /* and more that is wrong with the same */
    ck_assert(!writer_instant(&w, &e));
    ck_assert_uint_eq(writer_intern(&w, too_long).text.n, too_long.n); /* not registered */
    long_args[0].blob.n = (size_t)UINT64_C(0x100000000);
    e.name = writer_index(1);
    if (sizeof(size_t) > 4)
        ck_assert(!writer_instant(&w, &e));

    ck_assert_uint_eq(w.bytes.n, 8);
    ck_assert_uint_eq(w.records, 1);
    ck_assert(writer_string(&w, 1, longest));
    ck_assert(!writer_flush(&w, &err));
    ck_assert_str_eq(err.text, "a string of more than 32000 bytes");
    ck_assert_uint_eq(err.at, 8);
    writer_free(&w);
}
END_TEST

/* ---- interning ---- */

START_TEST(strings_and_threads_are_registered_once) {
    struct writer w;
    writer_init(&w, NULL);
    ck_assert_uint_eq(writer_intern(&w, STR("a")).index, 1);
    ck_assert_uint_eq(writer_intern(&w, STR("b")).index, 2);
    ck_assert_uint_eq(writer_intern(&w, STR("a")).index, 1);
    ck_assert_uint_eq(writer_intern(&w, STR("")).index, 0);
    ck_assert_uint_eq(writer_intern_thread(&w, 1, 2).index, 1);
    ck_assert_uint_eq(writer_intern_thread(&w, 2, 1).index, 2);
    ck_assert_uint_eq(writer_intern_thread(&w, 1, 2).index, 1);
    ck_assert_uint_eq(w.records, 4);
    writer_free(&w);
}
END_TEST

START_TEST(each_provider_has_tables_of_its_own) {
    struct writer w;
    writer_init(&w, NULL);
    writer_provider_info(&w, 1, STR("one"));
    ck_assert_uint_eq(writer_intern(&w, STR("a")).index, 1);
    writer_provider_info(&w, 2, STR("two"));
    ck_assert_uint_eq(writer_intern(&w, STR("b")).index, 1);
    writer_provider_section(&w, 1);
    ck_assert_uint_eq(writer_intern(&w, STR("b")).index, 2);
    ck_assert_uint_eq(writer_intern(&w, STR("a")).index, 1);
    ck_assert_uint_eq(w.records, 6);
    writer_free(&w);
}
END_TEST

START_TEST(full_tables_give_inline_references) {
    struct writer w;
    char text[16];
    writer_init(&w, NULL);
    for (int i = 1; i <= 32767; i++)
        ck_assert_int_eq(writer_intern(&w, (struct str){text, (size_t)snprintf(text, sizeof text, "s%d", i)}).index, i);
    struct writer_string s = writer_intern(&w, STR("one more"));
    ck_assert(s.index == 0 && str_eq(s.text, STR("one more")));
    for (unsigned i = 1; i <= 255; i++)
        ck_assert_uint_eq(writer_intern_thread(&w, 1, i).index, i);
    struct writer_thread t = writer_intern_thread(&w, 1, 256);
    ck_assert(t.index == 0 && t.pid == 1 && t.tid == 256);
    ck_assert_uint_eq(w.records, 32767 + 255);
    writer_free(&w);
}
END_TEST

/* ---- files ---- */

static void write_much(struct writer *w) {
    for (uint64_t i = 0; i < 100000; i++) {
        struct writer_event e = indexed;
        e.ts = i;
        writer_complete(w, &e, i * i);
    }
}

START_TEST(a_file_gets_the_same_bytes) {
    struct writer memory, file;
    struct err err;
    FILE *f = tmpfile();
    ck_assert_ptr_nonnull(f);
    writer_init(&memory, NULL);
    writer_init(&file, f);
    write_much(&memory);
    write_much(&file);
    ck_assert(writer_flush(&memory, &err));
    ck_assert(writer_flush(&file, &err));
    ck_assert_uint_eq(writer_offset(&file), 2400000);
    ck_assert_uint_eq(memory.bytes.n, 2400000);
    unsigned char *back = err_malloc(2400001);
    rewind(f);
    ck_assert_uint_eq(fread(back, 1, 2400001, f), 2400000);
    ck_assert_mem_eq(back, memory.bytes.v, 2400000);
    free(back);
    fclose(f);
    writer_free(&memory);
    writer_free(&file);
}
END_TEST

START_TEST(a_full_disk_is_said) {
    struct writer w;
    struct err err;
    FILE *f = fopen("/dev/full", "wb");
    if (f == NULL)
        return; /* not on this system */
    writer_init(&w, f);
    write_much(&w);
    ck_assert(!writer_flush(&w, &err));
    ck_assert_str_eq(err.text, "No space left on device");
    fclose(f);
    writer_free(&w);
    f = tmpfile();
    writer_init(&w, f);
    ck_assert(writer_flush(&w, &err)); /* of nothing */
    ck_assert_uint_eq(writer_intern_thread(&w, 7, 8).index, 1);
    ck_assert_uint_eq(writer_intern_thread(&w, 7, 9).index, 2);
    ck_assert(writer_flush(&w, &err));
    fclose(f);
    writer_free(&w);
    f = fopen("/dev/full", "wb"); /* few enough that only the last flush fails */
    writer_init(&w, f);
    ck_assert(writer_magic(&w));
    ck_assert(!writer_flush(&w, &err));
    ck_assert_str_eq(err.text, "No space left on device");
    fclose(f);
    writer_free(&w);
}
END_TEST

/* ---- and back ---- */

#define TRIPS 3000 /* of each kind and byte order */

struct trip { /* one random record: what was written */
    struct writer w;
    struct chance chance;
    char text[8][40];
    unsigned texts;
    struct writer_event e;
    struct writer_argument args[15];
    struct fxt_record r; /* the record read back */
};

/* Small numbers, large ones and those at the edges of their fields. */
static uint64_t any(struct trip *t, int bits) {
    uint64_t r = chance_star(&t->chance), mask = UINT64_MAX >> (64 - bits);
    switch (r >> 62) {
    case 0:
        return r % 5 & mask;
    case 1:
        return (r & 1 ? mask : mask ^ mask >> 1);
    default:
        return r & mask;
    }
}

static struct str any_bytes(struct trip *t) {
    char *s = t->text[t->texts++ % 8];
    size_t n = chance_star(&t->chance) % 35;
    for (size_t i = 0; i < n; i++)
        s[i] = (char)chance_star(&t->chance);
    return (struct str){s, n};
}

static struct writer_string any_string(struct trip *t) {
    return chance_star(&t->chance) & 1 ? writer_index((uint16_t)any(t, 15)) : writer_inline(any_bytes(t));
}

static struct writer_thread any_thread(struct trip *t) {
    uint8_t index = (uint8_t)any(t, 8);
    return (struct writer_thread){.index = index, .pid = index ? 0 : any(t, 64), .tid = index ? 0 : any(t, 64)};
}

static struct writer_arguments any_args(struct trip *t) {
    size_t n = chance_star(&t->chance) % 3; /* so few that the eight texts do not run out */
    for (size_t i = 0; i < n; i++) {
        struct writer_argument *a = &t->args[i];
        *a = (struct writer_argument){.type = (uint8_t)(chance_star(&t->chance) % 11), .name = any_string(t)};
        switch (a->type) {
        case FXT_ARG_NULL:
            break;
        case FXT_ARG_INT32:
            a->bits = (uint64_t)(int64_t)(int32_t)any(t, 32);
            break;
        case FXT_ARG_UINT32:
            a->bits = any(t, 32);
            break;
        case FXT_ARG_BOOL:
            a->bits = any(t, 1);
            break;
        case FXT_ARG_STRING:
            a->string = any_string(t);
            break;
        case FXT_ARG_BLOB:
            a->blob = any_bytes(t);
            break;
        default:
            a->bits = any(t, 64);
            break;
        }
    }
    return (struct writer_arguments){t->args, n};
}

static void same_bytes(struct str got, struct str wanted) {
    ck_assert_msg(str_eq(got, wanted), "%zu bytes, wanted %zu", got.n, wanted.n);
}

static void same_string(const struct fxt_string *got, struct writer_string wanted) {
    if (wanted.text.s == NULL) {
        ck_assert_uint_eq(got->ref, wanted.index);
        return;
    }
    ck_assert_uint_eq(got->ref, FXT_INLINE | wanted.text.n);
    same_bytes((struct str){got->bytes, got->ref & FXT_STRING_MAX}, wanted.text);
}

static void same_thread(const struct fxt_thread_ref *got, struct writer_thread wanted) {
    ck_assert_uint_eq(got->index, wanted.index);
    ck_assert_uint_eq(got->pid, wanted.pid);
    ck_assert_uint_eq(got->tid, wanted.no_tid ? 0 : wanted.tid);
    ck_assert(got->no_tid == wanted.no_tid);
}

static void same_args(const struct fxt_record *r, struct writer_arguments wanted) {
    struct fxt_arguments args = r->args;
    struct fxt_argument_value v;
    ck_assert_uint_eq(r->argc, wanted.n);
    for (size_t i = 0; i < wanted.n; i++) {
        const struct writer_argument *a = &wanted.v[i];
        ck_assert_int_eq(record_argument(&args, &v), 1);
        ck_assert_uint_eq(v.type, a->type);
        same_string(&v.name, a->name);
        ck_assert_uint_eq(v.bits, a->bits);
        if (a->type == FXT_ARG_STRING)
            same_string(&v.string, a->string);
        if (a->type == FXT_ARG_BLOB)
            same_bytes(v.blob, a->blob);
    }
    ck_assert_int_eq(record_argument(&args, &v), 0);
}

/* Decodes the record that was just written: whole, without a fault, plausible, of this kind. */
static const struct fxt_record *back(struct trip *t, enum fxt_kind kind) {
    bool more = false, swap = t->w.big_endian;
    const uint64_t *words = (const uint64_t *)(const void *)t->w.bytes.v; /* from realloc: aligned */
    uint64_t n = t->w.bytes.n / 8, size = record_words(record_word(words, swap));
    ck_assert_msg(!t->w.failed, "refused: %s", t->w.err.text);
    ck_assert_uint_eq(size, n);
    ck_assert_uint_eq(record_decode(&t->r, words, n, n, swap), n);
    ck_assert_uint_eq(t->r.kind, kind);
    ck_assert_uint_eq(t->r.faults, 0);
    ck_assert_uint_eq(record_plausible(words, n, swap, &more), n);
    ck_assert(!more);
    return &t->r;
}

/* Garbage: words after the contents. */
/* Words may change under the map between the one look that found them right and the next. */
START_TEST(an_argument_is_looked_at_before_it_is_taken) {
    uint64_t words[3] = {0, 7, 0};
    struct fxt_argument_value v;
    static const struct {
        uint64_t header;
        size_t n;
        int got;
    } cases[] = {{FXT_ARG_UINT64 | 2 << 4, 3, 1}, {FXT_ARG_UINT64 | 2 << 4, 0, -1}, {FXT_ARG_UINT64 | 2 << 4, 1, -1},
                 {FXT_ARG_UINT64, 3, -1},         {FXT_ARG_UINT64 | 1 << 4, 3, -1}, {FXT_ARG_STRING | 1 << 4, 3, 1}};
    for (size_t i = 0; i < COUNT(cases); i++) {
        words[0] = record_order(cases[i].header, false);
        struct fxt_arguments args = {words, cases[i].n, 1, false};
        ck_assert_int_eq(record_argument(&args, &v), cases[i].got);
    }
}
END_TEST

/* A clock's base has two words, or there is none. */
START_TEST(a_base_of_one_word_is_ignored) {
    bool more = false;
    ck_assert(record_plausible((uint64_t[1]){0}, 0, false, &more) == 0 && more); /* of nothing nothing is known */
    const uint64_t words[4] = {FXT_INITIALIZATION | 3 << 4, 1000, 5, 6};
    for (uint64_t size = 1; size <= 4; size++) {
        struct fxt_record r;
        uint64_t v[4];
        for (int k = 0; k < 4; k++)
            v[k] = record_order(k == 0 ? FXT_INITIALIZATION | size << 4 : words[k], false);
        record_decode(&r, v, size, size, false);
        ck_assert_int_eq(r.kind, FXT_K_INITIALIZATION);
        ck_assert_int_eq((r.faults & FXT_FAULT_CONTENTS) != 0, size == 1);
        ck_assert_int_eq(size > 1 && r.init.has_base, size == 4);
    }
}
END_TEST

START_TEST(a_provider_with_more_words_than_its_name_is_not_plausible) {
    const uint64_t words[] = {0x0030123456710030, 0x636261, 0};
    uint64_t v[3];
    bool more = false;
    for (int i = 0; i < 3; i++)
        v[i] = record_order(words[i], false);
    ck_assert_uint_eq(record_plausible(v, 3, false, &more), 0);
    v[0] = record_order(0x0030123456710020, false);
    ck_assert_uint_eq(record_plausible(v, 3, false, &more), 2);
    ck_assert(!more);
}
END_TEST

static const struct fxt_record *back_event(struct trip *t, enum fxt_kind kind) {
    const struct fxt_record *r = back(t, kind);
    ck_assert_uint_eq(r->ts, t->e.ts);
    same_thread(&r->thread, t->e.thread);
    same_string(&r->category, t->e.category);
    same_string(&r->name, t->e.name);
    same_args(r, t->e.args);
    return r;
}

static void trip_metadata(struct trip *t) {
    uint32_t id = (uint32_t)any(t, 32);
    struct str name = any_bytes(t);
    const struct fxt_record *r;
    switch (chance_star(&t->chance) % 3) {
    case 0:
        writer_provider_info(&t->w, id, name);
        r = back(t, FXT_K_PROVIDER_INFO);
        same_bytes(r->payload, name);
        break;
    case 1:
        writer_provider_section(&t->w, id);
        r = back(t, FXT_K_PROVIDER_SECTION);
        break;
    default:
        writer_provider_event(&t->w, id, 0);
        r = back(t, FXT_K_PROVIDER_EVENT);
        ck_assert_uint_eq(r->provider.event, 0);
        break;
    }
    ck_assert_uint_eq(r->provider.id, id);
}

static void trip_init(struct trip *t) {
    uint64_t tps = any(t, 64), tick = any(t, 64), ns = any(t, 64);
    bool base = chance_star(&t->chance) & 1;
    if (base)
        writer_init_base(&t->w, tps, tick, ns);
    else
        writer_init_record(&t->w, tps);
    const struct fxt_record *r = back(t, FXT_K_INITIALIZATION);
    ck_assert_uint_eq(r->init.ticks_per_second, tps);
    ck_assert(r->init.has_base == base);
    ck_assert_uint_eq(r->init.base_tick, base ? tick : 0);
    ck_assert_uint_eq(r->init.base_unix_ns, base ? ns : 0);
}

static void trip_tables(struct trip *t) {
    uint16_t index = (uint16_t)any(t, 15);
    uint8_t thread = (uint8_t)any(t, 8);
    uint64_t pid = any(t, 64), tid = any(t, 64);
    struct str text = any_bytes(t);
    if (chance_star(&t->chance) & 1) {
        writer_string(&t->w, index, text);
        const struct fxt_record *r = back(t, FXT_K_STRING);
        ck_assert_uint_eq(r->string_index, index);
        same_bytes(r->payload, text);
    } else {
        writer_thread(&t->w, thread, pid, tid);
        const struct fxt_record *r = back(t, FXT_K_THREAD);
        ck_assert_uint_eq(r->thread_def.index, thread);
        ck_assert_uint_eq(r->thread_def.pid, pid);
        ck_assert_uint_eq(r->thread_def.tid, tid);
    }
}

static void trip_event(struct trip *t) {
    enum fxt_event type = (enum fxt_event)(chance_star(&t->chance) % 11);
    enum fxt_kind kind = (enum fxt_kind)(FXT_K_INSTANT + type);
    uint64_t tail = any(t, 64);
    switch (type) {
    case FXT_INSTANT:
        if (tail & 1) {
            writer_instant_scope(&t->w, &t->e, tail);
            back_event(t, kind);
            ck_assert(t->r.scope.present && t->r.scope.value == tail);
        } else {
            writer_instant(&t->w, &t->e);
            back_event(t, kind);
            ck_assert(!t->r.scope.present);
        }
        break;
    case FXT_DURATION_BEGIN:
        writer_begin(&t->w, &t->e);
        back_event(t, kind);
        break;
    case FXT_DURATION_END:
        writer_end(&t->w, &t->e);
        back_event(t, kind);
        break;
    case FXT_DURATION_COMPLETE:
        writer_complete(&t->w, &t->e, tail);
        ck_assert_uint_eq(back_event(t, kind)->end, tail);
        break;
    default:
        if (type == FXT_COUNTER)
            writer_counter(&t->w, &t->e, tail);
        else if (type < FXT_FLOW_BEGIN)
            writer_async(&t->w, type, &t->e, tail);
        else
            writer_flow(&t->w, type, &t->e, tail);
        ck_assert_uint_eq(back_event(t, kind)->id, tail);
        break;
    }
}

static void trip_object(struct trip *t) {
    uint64_t koid = any(t, 64);
    unsigned type = (unsigned)any(t, 8);
    struct writer_thread process = any_thread(t);
    const struct fxt_record *r;
    if (chance_star(&t->chance) & 1) {
        writer_kernel_object(&t->w, type, koid, t->e.name, t->e.args);
        r = back(t, FXT_K_KERNEL_OBJECT);
        ck_assert_uint_eq(r->object.type, type);
        ck_assert_uint_eq(r->object.koid, koid);
    } else {
        writer_userspace_object(&t->w, koid, process, t->e.name, t->e.args);
        r = back(t, FXT_K_USERSPACE_OBJECT);
        ck_assert_uint_eq(r->user.pointer, koid);
        ck_assert_uint_eq(r->thread.index, process.index);
        ck_assert_uint_eq(r->thread.pid, process.pid);
    }
    same_string(&r->name, t->e.name);
    same_args(r, t->e.args);
}

static void trip_blob(struct trip *t) {
    unsigned type = (unsigned)any(t, 8);
    struct str payload = any_bytes(t);
    const struct fxt_record *r;
    switch (chance_star(&t->chance) % 3) {
    case 0:
        writer_blob(&t->w, t->e.name, type, payload);
        r = back(t, FXT_K_BLOB);
        ck_assert_uint_eq(r->blob.type, type);
        same_string(&r->name, t->e.name);
        break;
    case 1:
        writer_large_event(&t->w, &t->e, payload);
        r = back_event(t, FXT_K_LARGE_EVENT);
        break;
    default:
        writer_large_attachment(&t->w, t->e.category, t->e.name, payload);
        r = back(t, FXT_K_LARGE_ATTACHMENT);
        same_string(&r->category, t->e.category);
        same_string(&r->name, t->e.name);
        break;
    }
    ck_assert_uint_eq(r->blob.size, payload.n);
    same_bytes(r->payload, payload);
}

static void trip_scheduling(struct trip *t) {
    struct writer_switch s = {.ts = any(t, 64),
                              .cpu = (unsigned)any(t, 8),
                              .out_state = (unsigned)any(t, 4),
                              .out = any_thread(t),
                              .in = any_thread(t),
                              .out_priority = (uint8_t)any(t, 8),
                              .in_priority = (uint8_t)any(t, 8),
                              .out_tid = any(t, 64),
                              .in_tid = any(t, 64),
                              .args = t->e.args};
    uint64_t which = chance_star(&t->chance) % 3;
    if (which == 0) {
        writer_switch_legacy(&t->w, &s);
        const struct fxt_record *r = back(t, FXT_K_SWITCH_LEGACY);
        same_thread(&r->thread, s.out);
        same_thread(&r->sched.in, s.in);
        ck_assert_uint_eq(r->sched.out_priority, s.out_priority);
        ck_assert_uint_eq(r->sched.in_priority, s.in_priority);
    } else {
        s.cpu = (unsigned)any(t, 16);
        if (which == 1)
            writer_switch(&t->w, &s);
        else
            writer_wakeup(&t->w, s.ts, s.cpu, s.in_tid, s.args);
        const struct fxt_record *r = back(t, which == 1 ? FXT_K_SWITCH : FXT_K_WAKEUP);
        ck_assert_uint_eq(r->sched.in_tid, s.in_tid);
        ck_assert_uint_eq(r->sched.out_tid, which == 1 ? s.out_tid : 0);
        same_args(r, s.args);
    }
    ck_assert_uint_eq(t->r.ts, s.ts);
    ck_assert_uint_eq(t->r.sched.cpu, s.cpu);
    ck_assert_uint_eq(t->r.sched.state, which < 2 ? s.out_state : 0);
}

static void trip_profiler(struct trip *t) {
    uint64_t ts = any(t, 64), numbers[3] = {any(t, 64), any(t, 64), any(t, 64)}, n = chance_star(&t->chance) % 4;
    struct writer_thread thread = any_thread(t);
    unsigned id = (unsigned)any(t, 16), flags = (unsigned)any(t, 3);
    struct str name = any_bytes(t), build_id = any_bytes(t);
    const struct fxt_record *r;
    if (thread.index == 0 && chance_star(&t->chance) & 1) {
        thread.no_tid = true;
        thread.tid = 0;
    }
    switch (chance_star(&t->chance) % 4) {
    case 0:
        writer_module(&t->w, ts, thread, id, name, build_id);
        r = back(t, FXT_K_MODULE);
        ck_assert_uint_eq(r->module.id, id);
        same_bytes(r->payload, name);
        same_bytes(r->module.build_id, build_id);
        break;
    case 1:
        writer_mmap(&t->w, ts, thread, &(struct writer_mapping){id, flags, numbers[0], numbers[1], numbers[2]});
        r = back(t, FXT_K_MMAP);
        ck_assert_uint_eq(r->mmap.module_id, id);
        ck_assert_uint_eq(r->mmap.flags, flags);
        ck_assert_uint_eq(r->mmap.start, numbers[0]);
        ck_assert_uint_eq(r->mmap.size, numbers[1]);
        ck_assert_uint_eq(r->mmap.address, numbers[2]);
        break;
    case 2:
        thread.no_tid = false;
        writer_backtrace(&t->w, ts, thread, numbers, n > 3 ? 3 : n);
        r = back(t, FXT_K_BACKTRACE);
        ck_assert_uint_eq(r->backtrace.n, n);
        for (size_t i = 0; i < n; i++)
            ck_assert_uint_eq(record_word(r->backtrace.pcs + i, r->swap), numbers[i]);
        break;
    default:
        thread.no_tid = false;
        writer_log(&t->w, ts, thread, name);
        r = back(t, FXT_K_LOG);
        same_bytes(r->payload, name);
        break;
    }
    ck_assert_uint_eq(r->ts, ts);
    same_thread(&r->thread, thread);
}

START_TEST(what_is_written_is_read_again) {
    static void (*const trips[])(struct trip *) = {trip_metadata, trip_init, trip_tables,     trip_event,
                                                   trip_object,   trip_blob, trip_scheduling, trip_profiler};
    struct trip t = {.chance = {UINT64_C(88172645463325252)}};
    writer_init(&t.w, NULL);
    t.w.big_endian = _i;
    for (size_t kind = 0; kind < COUNT(trips); kind++) {
        for (int i = 0; i < TRIPS; i++) {
            t.w.bytes.n = 0;
            t.e = (struct writer_event){
                .ts = any(&t, 64), .thread = any_thread(&t), .category = any_string(&t), .name = any_string(&t)};
            t.e.args = any_args(&t);
            trips[kind](&t);
        }
    }
    writer_free(&t.w);
}
END_TEST

/* ---- the fixtures' language ---- */

START_TEST(tracegen_says_which_line_is_wrong) {
    static const struct {
        const char *text;
        uint64_t line;
    } cases[] = {
        {"nonsense", 1},
        {"magic\n\n# fine\nprovider 1 2", 4},
        {"magic magic", 1},
        {"instant 1 2 \"c\" \"n\"", 1},
        {"instant 1 t1 \"c\" \"n", 1},
        {"instant 1 t1 \"c\" \"n\" x", 1},
        {"instant 1 t1 \"c\" \"n\" x=i32:", 1},
        {"counter 1 t1 \"c\" \"n\"", 1},
        {"complete 1 t1 \"c\" \"n\" id=3", 1},
        {"string 1 \"\\q\"", 1},
        {"magic\nbig_endian", 2},
        {"magic\ncut 9", 2},
        {"magic\nflip 8 0", 2},
        {"magic\npoke 1 0", 2},
        {"provider_event 1 16", 1},
        {"bytes 100", 1},
    };
    for (size_t i = 0; i < COUNT(cases); i++) {
        struct err err = {.at = 0};
        struct trace_bytes trace = tracegen(cases[i].text, &err);
        ck_assert_msg(trace.v == NULL, "accepted: %s", cases[i].text);
        ck_assert_msg(err.at == cases[i].line, "line %d of: %s", (int)err.at, cases[i].text);
    }
}
END_TEST

START_TEST(tracegen_writes_records_and_damage) {
    static const unsigned char wanted[] = {
        0x10, 0x00, 0x04, 0x46, 0x78, 0x54, 0x16, 0x00, /* magic */
        0x74, 0x00, 0x14, 0x00, 0x01, 0x00, 0x01, 0x80, /* complete: 7 words, 1 argument, category s1, inline name */
        0x05, 0x00, 0x00, 0x00, 0x00, 0x00, 0x00, 0x00, /* time */
        0x03, 0x00, 0x00, 0x00, 0x00, 0x00, 0x00, 0x00, /* process */
        0x04, 0x00, 0x00, 0x00, 0x00, 0x00, 0x00, 0x00, /* thread */
        'n',  0x00, 0x00, 0x00, 0x00, 0x00, 0x00, 0x00, /* name */
        0x11, 0x00, 0x02, 0x00, 0xff, 0xff, 0xff, 0xff, /* int32 -1, name s2 */
        0x09, 0x00, 0x00, 0x00, 0x00, 0x00, 0x00, 0x00, /* end */
        0x21, 0x00, 0x00, 0x00, 0x00, 0x00, 0x00, 0x00, /* init */
        0xff, 0x00, 0x00, 0x00, 0x00, 0x00, 0x00, 0x00, /* its word, poked */
        0x05, 0x00, 0x00, 0x00, 0x00, 0x00, 0x00, 0x80, /* a word as it stands */
        0x00, 0x00, 0x00, 0x00, 0x00, 0x00, 0x01, 0xab, /* zeros, of which two bytes are cut and two come after */
    };
    struct err err = {.text = ""};
    struct trace_bytes trace = tracegen("magic # comment\n"
                                        "complete 5 3/4 s1 \"m\" s2=i32:-1 end=9\n"
                                        "flip 40 1\n"
                                        "flip 40 0\n"
                                        "init 7\n"
                                        "poke 1 0xff\n"
                                        "word 0x8000000000000005\n"
                                        "zeros 1\n"
                                        "cut 2\n"
                                        "bytes 01 ab\n",
                                        &err);
    ck_assert_msg(trace.v != NULL, "%s", err.text);
    ck_assert_uint_eq(trace.n, sizeof wanted);
    ck_assert_mem_eq(trace.v, wanted, sizeof wanted);
    free(trace.v);
}
END_TEST

static void add(Suite *s, const char *name, const TTest *const *tests, size_t n) {
    TCase *t = tcase_create(name);
    for (size_t i = 0; i < n; i++)
        tcase_add_test(t, tests[i]);
    suite_add_tcase(s, t);
}

Suite *suite_writer(void) {
    const TTest *words[] = {metadata_is_written_as_the_format_says,
                            definitions_are_written_as_the_format_says,
                            events_by_index_are_written_as_the_format_says,
                            inline_events_are_written_as_the_format_says,
                            arguments_are_written_as_the_format_says,
                            objects_and_blobs_are_written_as_the_format_says,
                            a_large_record_is_larger_than_others_can_be,
                            scheduling_is_written_as_the_format_says,
                            logs_and_samples_are_written_as_the_format_says,
                            raw_words_follow_the_byte_order_and_bytes_do_not,
                            a_provider_with_more_words_than_its_name_is_not_plausible,
                            an_argument_is_looked_at_before_it_is_taken,
                            a_base_of_one_word_is_ignored};
    const TTest *rest[] = {what_cannot_be_written_is_refused,   strings_and_threads_are_registered_once,
                           each_provider_has_tables_of_its_own, full_tables_give_inline_references,
                           a_file_gets_the_same_bytes,          a_full_disk_is_said};
    const TTest *language[] = {tracegen_says_which_line_is_wrong, tracegen_writes_records_and_damage};
    Suite *s = suite_create("writer");
    add(s, "words by hand", words, COUNT(words));
    add(s, "refusals, tables, files", rest, COUNT(rest));
    add(s, "tracegen", language, COUNT(language));
    TCase *trips = tcase_create("and back");
    tcase_add_loop_test(trips, what_is_written_is_read_again, 0, 2);
    suite_add_tcase(s, trips);
    return s;
}
