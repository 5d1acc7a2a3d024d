/* suite_writer.c - records as words that were worked out by hand; what cannot be written is
 * refused. */
#include <stdlib.h>
#include <string.h>

#include "src/fxt/record.h"
#include "src/fxt/writer.h"
#include "tests/unit/lib/suites.h"

#define TS UINT64_C(0x1234567890abcdef)
#define COUNT(a) (sizeof(a) / sizeof *(a))
#define NO_ARGS ((struct writer_arguments){0})

/* ---- words by hand ---- */

/* Bit i of `streams` is set if word i holds bytes, which look the same in both byte orders. Strings
 * read backwards in a word: "abc" is 0x636261. */
static void expect(const struct writer *w, const uint64_t *words, size_t n, uint64_t streams) {
    ck_assert_msg(!w->failed, "refused: %s", w->err.text);
    ck_assert_uint_eq(w->bytes.n, n * 8);
    for (size_t i = 0; i < n; i++) {
        uint64_t got;
        memcpy(&got, w->bytes.v + i * 8, 8);
        got = record_order(got, w->big_endian && !(streams >> i & 1));
        ck_assert_msg(got == words[i], "word %zu: %016llx, wanted %016llx", i,
                      (unsigned long long)got, (unsigned long long)words[i]);
    }
}

/* The record that `call` writes, in both byte orders, is exactly these words. */
#define WRITES(streams, call, ...)                                                                 \
    do {                                                                                           \
        static const uint64_t wanted[] = {__VA_ARGS__};                                            \
        for (int big = 0; big < 2; big++) {                                                        \
            struct writer w;                                                                       \
            writer_init(&w, NULL);                                                                 \
            w.big_endian = big;                                                                    \
            ck_assert(call);                                                                       \
            expect(&w, wanted, COUNT(wanted), streams);                                            \
            ck_assert_uint_eq(w.records, 1);                                                       \
            writer_free(&w);                                                                       \
        }                                                                                          \
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
    WRITES(0x70, writer_begin(&w, &e), 0x8009800100020074, TS, 0x11, 0x22, 0x63, 0x6d616e20676e6f6c,
           0x65);
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
    WRITES(0, one_argument(&w, writer_number(FXT_ARG_INT32, name, (uint64_t)-5)), 0x01100034, TS,
           0xfffffffb00020011);
    WRITES(0, one_argument(&w, writer_number(FXT_ARG_UINT32, name, 0xdeadbeef)), 0x01100034, TS,
           0xdeadbeef00020012);
    WRITES(0, one_argument(&w, writer_number(FXT_ARG_INT64, name, (uint64_t)-7)), 0x01100044, TS,
           0x00020023, 0xfffffffffffffff9);
    WRITES(0, one_argument(&w, writer_number(FXT_ARG_UINT64, name, UINT64_MAX)), 0x01100044, TS,
           0x00020024, UINT64_MAX);
    WRITES(0, one_argument(&w, writer_double(name, 1.5)), 0x01100044, TS, 0x00020025,
           0x3ff8000000000000);
    WRITES(0, one_argument(&w, writer_text(name, writer_index(3))), 0x01100034, TS,
           0x0000000300020016);
    WRITES(8, one_argument(&w, writer_text(name, writer_inline(STR("abc")))), 0x01100044, TS,
           0x0000800300020026, 0x636261);
    WRITES(0x18, one_argument(&w, writer_text(writer_inline(STR("ab")), writer_inline(STR("abc")))),
           0x01100054, TS, 0x0000800380020036, 0x6261, 0x636261);
    WRITES(0, one_argument(&w, writer_number(FXT_ARG_POINTER, name, 0xbeef)), 0x01100044, TS,
           0x00020027, 0xbeef);
    WRITES(0, one_argument(&w, writer_number(FXT_ARG_KOID, name, 0xbeef)), 0x01100044, TS,
           0x00020028, 0xbeef);
    WRITES(0, one_argument(&w, writer_number(FXT_ARG_BOOL, name, 1)), 0x01100034, TS,
           0x0000000100020019);
    WRITES(0, one_argument(&w, writer_number(FXT_ARG_BOOL, name, 0)), 0x01100034, TS,
           0x0000000000020019);
    WRITES(8, one_argument(&w, blob), 0x01100044, TS, 0x000000030002002a, 0x636261);
}
END_TEST

START_TEST(objects_and_blobs_are_written_as_the_format_says) {
    struct writer_argument yes = writer_number(FXT_ARG_BOOL, writer_index(0x1234), 1);
    struct writer_arguments args = {&yes, 1};
    struct writer_thread process = {.pid = 42, .no_tid = true}, by_index = {.index = 0xaa};
    struct writer_event e = indexed;
    e.args = args;
    WRITES(6, writer_blob(&w, writer_index(10), 1, STR("0123456789")), 0x0001000a000a0035,
           0x3736353433323130, 0x3938);
    WRITES(6, writer_blob(&w, writer_inline(STR("nm")), 0xff, STR("012")), 0x00ff000380020035,
           0x6d6e, 0x323130);
    WRITES(0, writer_userspace_object(&w, 0xdeadbeef, by_index, writer_index(0x7777), args),
           0x0000017777aa0036, 0xdeadbeef, 0x0000000112340019);
    WRITES(8, writer_userspace_object(&w, 0xbeef, process, writer_inline(STR("obj")), NO_ARGS),
           0x0000008003000046, 0xbeef, 42, 0x6a626f);
    process.no_tid = false;
    process.tid = 43;
    WRITES(0x10, writer_userspace_object(&w, 0xbeef, process, writer_inline(STR("obj")), NO_ARGS),
           0x0000008003000056, 0xbeef, 42, 43, 0x6a626f);
    WRITES(0, writer_kernel_object(&w, 4, 0xdeadbeef, writer_index(0x7777), args),
           0x0000017777040037, 0xdeadbeef, 0x0000000112340019);
    WRITES(4, writer_kernel_object(&w, 4, 0xdeadbeef, writer_inline(STR("name")), NO_ARGS),
           0x0000008004040037, 0xdeadbeef, 0x656d616e);
    WRITES(0x20, writer_large_event(&w, &e, STR("abc")), 0x000000000000006f, 0x00000ab112347777, TS,
           0x0000000112340019, 3, 0x636261);
    WRITES(0xc,
           writer_large_attachment(&w, writer_inline(STR("c")), writer_inline(STR("nm")), STR("")),
           0x000001000000005f, 0x0000000080028001, 0x63, 0x6d6e, 0);
}
END_TEST

/* A large record's size field has 32 bits: 12503 words are 0x30d7. */
START_TEST(a_large_record_is_larger_than_others_can_be) {
    struct writer w;
    uint64_t header;
    char *payload = err_calloc(100000, 1);
    writer_init(&w, NULL);
    ck_assert(writer_large_attachment(&w, writer_index(1), writer_index(2),
                                      (struct str){payload, 100000}));
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
    struct writer_switch s = {.ts = TS,
                              .cpu = 0xbbbb,
                              .out_state = 4,
                              .out_tid = 0x1001,
                              .in_tid = 0x1002,
                              .args = {a, 2}};
    WRITES(0, writer_switch_legacy(&w, &legacy), 0x0040302012bb0028, TS);
    legacy.out = writer_inline_thread(0x11, 0x12);
    legacy.in = writer_inline_thread(0x21, 0x22);
    WRITES(0, writer_switch_legacy(&w, &legacy), 0x0040300002bb0068, TS, 0x11, 0x12, 0x21, 0x22);
    WRITES(0, writer_switch(&w, &s), 0x1000004bbbb20068, TS, 0x1001, 0x1002, 0x0000000c00050011,
           0x0000000e00060011);
    WRITES(0, writer_wakeup(&w, TS, 0xbbbb, 0x1002, (struct writer_arguments){a, 1}),
           0x2000000bbbb10048, TS, 0x1002, 0x0000000c00050011);
}
END_TEST

START_TEST(logs_and_samples_are_written_as_the_format_says) {
    static const uint64_t pcs[] = {1, 2, 3};
    static const char build_id[20] = {0,  1,  2,  3,  4,  5,  6,  7,  8,  9,
                                      10, 11, 12, 13, 14, 15, 16, 17, 18, 19};
    struct writer_thread t = {.index = 0xcc}, pid_only = {.pid = 7, .no_tid = true};
    WRITES(0x1c,
           writer_log(&w, TS, (struct writer_thread){.index = 1}, STR("This is a log message")),
           0x0000000100150059, TS, 0x2073692073696854, 0x656d20676f6c2061, 0x0000006567617373);
    WRITES(0, writer_log(&w, TS, writer_inline_thread(1, 2), STR("")), 0x0000000000000049, TS, 1,
           2);
    WRITES(0x7c,
           writer_module(&w, TS, t, 0xabcd, STR("module_name"),
                         (struct str){build_id, sizeof build_id}),
           0x0140babcdcc0007a, TS, 0x6e5f656c75646f6d, 0x656d61, 0x0706050403020100,
           0x0f0e0d0c0b0a0908, 0x13121110);
    WRITES(0, writer_mmap(&w, TS, t, &(struct writer_mapping){0xabcd, 5, 0x1000, 0x2000, 0x3000}),
           0x00005abcdcc1005a, TS, 0x1000, 0x2000, 0x3000);
    WRITES(0, writer_mmap(&w, TS, pid_only, &(struct writer_mapping){1, 7, 1, 2, 3}),
           0x000070001001006a, TS, 7, 1, 2, 3);
    WRITES(0, writer_backtrace(&w, TS, writer_inline_thread(8, 9), pcs, 3), 0x000000003002007a, TS,
           8, 9, 1, 2, 3);
}
END_TEST

START_TEST(raw_words_follow_the_byte_order_and_bytes_do_not) {
    struct writer w;
    static const unsigned char wanted[] = {0x01, 0x02, 0x03, 0x04, 0x05,
                                           0x06, 0x07, 0x08, 'a',  'b'};
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

/* A record that does not fit is refused whole: no byte is written, the first failure is kept, and
 * writing continues. */
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
        ck_assert_int_eq(
            writer_intern(&w, (struct str){text, (size_t)snprintf(text, sizeof text, "s%d", i)})
                .index,
            i);
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

SUITE(writer) {
    Suite *s = suite_create("writer");
    TCase *t = tcase_create("words by hand");
    tcase_add_test(t, metadata_is_written_as_the_format_says);
    tcase_add_test(t, definitions_are_written_as_the_format_says);
    tcase_add_test(t, events_by_index_are_written_as_the_format_says);
    tcase_add_test(t, inline_events_are_written_as_the_format_says);
    tcase_add_test(t, arguments_are_written_as_the_format_says);
    tcase_add_test(t, objects_and_blobs_are_written_as_the_format_says);
    tcase_add_test(t, a_large_record_is_larger_than_others_can_be);
    tcase_add_test(t, scheduling_is_written_as_the_format_says);
    tcase_add_test(t, logs_and_samples_are_written_as_the_format_says);
    tcase_add_test(t, raw_words_follow_the_byte_order_and_bytes_do_not);
    suite_add_tcase(s, t);
    t = tcase_create("refusals, tables, files");
    tcase_add_test(t, what_cannot_be_written_is_refused);
    tcase_add_test(t, strings_and_threads_are_registered_once);
    tcase_add_test(t, each_provider_has_tables_of_its_own);
    tcase_add_test(t, full_tables_give_inline_references);
    tcase_add_test(t, a_file_gets_the_same_bytes);
    tcase_add_test(t, a_full_disk_is_said);
    suite_add_tcase(s, t);
    return s;
}
