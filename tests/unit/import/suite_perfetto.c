/* suite_perfetto.c - packets of Perfetto: each tests/import/perfetto_NAME.txt, as bytes, becomes
 * the trace of its .ndjson, in pieces of any size; damage is bounded. */
#include "src/import/perfetto/perfetto.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>
#ifdef HAVE_ZSTD
#include <zstd.h>
#endif

#include "model/output/ndjson.h"
#include "src/base/vec.h"
#include "src/import/importers.h"
#include "tests/lib/chance.h"
#include "tests/lib/proto_text.h"
#include "tests/lib/scratch.h"
#include "tests/unit/lib/libcheck.h"
#include "tests/unit/lib/must.h"
#include "tests/unit/lib/suites.h"

static const char *const sources[] = {"small", "events", "kernel", "system"};
#define SOURCES (int)(sizeof sources / sizeof *sources)

static char *file_text(const char *name, const char *suffix) {
    char path[700];
    const char *dir = getenv("srcdir");
    snprintf(path, sizeof path, "%s/tests/import/perfetto_%s.txt%s", dir ? dir : ".", name, suffix);
    FILE *f = fopen(path, "rb");
    ck_assert_msg(f != NULL, "%s", path);
    char *v = calloc(1 << 18, 1);
    ck_assert_uint_lt(fread(v, 1, (1 << 18) - 1, f), (1 << 18) - 1);
    fclose(f);
    return v;
}

/* The bytes of a text. */
static struct str bytes_of(const char *text) {
    size_t n;
    const char *at;
    char *bytes = proto_text(text, &n, &at);
    ck_assert_msg(bytes != NULL, "wrong text: %.40s", at);
    return (struct str){bytes, n};
}

static struct trace *opened(struct str source, struct err *err) {
    char path[SCRATCH_PATH];
    ck_assert(scratch_write(path, "perfetto", source.s, source.n));
    struct trace *trace =
        trace_open(path, &(struct trace_options){.file.importers = importers}, err);
    if (trace)
        trace_load(trace);
    unlink(path);
    return trace;
}

static char *exported(struct trace *trace) {
    char *out = NULL;
    size_t n = 0;
    FILE *f = open_memstream(&out, &n);
    ck_assert(export_ndjson(trace, f));
    fclose(f);
    return out;
}

/* The lines of a source; the first one names the file. */
static char *lines_of(const char *text) {
    struct str source = bytes_of(text);
    struct err err;
    struct trace *trace = opened(source, &err);
    ck_assert_msg(trace != NULL, "%s", err.text);
    char *all = exported(trace);
    trace_free(trace);
    free((char *)source.s);
    return all;
}

START_TEST(a_source_becomes_its_trace) {
    char *text = file_text(sources[_i], ""), *want = file_text(sources[_i], ".ndjson"),
         *got = lines_of(text);
    const char *a = got + strcspn(got, "\n") + 1, *b = want;
    for (int line = 1; *a != '\0' || *b != '\0'; line++) {
        size_t n = strcspn(a, "\n"), m = strcspn(b, "\n");
        ck_assert_msg(n == m && memcmp(a, b, n) == 0, "%s, line %d:\nwant %.*s\ngot  %.*s",
                      sources[_i], line, (int)m, b, (int)n, a);
        a += n + (a[n] != '\0');
        b += m + (b[m] != '\0');
    }
    free(text);
    free(want);
    free(got);
}
END_TEST

/* ---- pieces and damage ---- */

struct words {
    VEC(char) v;
    size_t marks, cases;
};

static void add_news(struct words *all, const struct import_news *news) {
    MUST(news->words.n % 8 == 0);
    vec_reserve(&all->v, all->v.n + news->words.n + 1);
    if (news->words.n > 0)
        memcpy(all->v.v + all->v.n, news->words.s, news->words.n);
    all->v.n += news->words.n;
    all->marks += news->nmarks;
    all->cases += news->ncases;
    for (size_t i = 0; i < news->ncases; i++)
        free(news->cases[i].why);
}

/* most: bytes of a piece. */
static struct words converted(struct str source, size_t most, struct chance *chance) {
    struct words all = {0};
    struct import_news news;
    void *import = perfetto.start();
    size_t n;
    for (size_t at = 0; at <= source.n; at += n) {
        n = most == 0 ? source.n + 1 : 1 + (size_t)below(chance, most);
        size_t left = source.n - at;
        perfetto.step(import, (struct str){source.s + at, n < left ? n : left}, n > left, &news);
        add_news(&all, &news);
        while (news.more) {
            perfetto.step(import, STR(""), n > left, &news);
            add_news(&all, &news);
        }
    }
    perfetto.stop(import);
    return all;
}

static void same_in_pieces(struct str source, size_t most, struct chance *chance) {
    struct words whole = converted(source, 0, chance), cut = converted(source, most, chance);
    MUST(whole.v.n == cut.v.n && memcmp(whole.v.v, cut.v.v, cut.v.n) == 0, most);
    MUST(whole.marks == cut.marks && whole.cases == cut.cases, most);
    vec_free(&whole.v);
    vec_free(&cut.v);
}

START_TEST(pieces_do_not_matter) {
    char *text = file_text(sources[_i], "");
    struct str source = bytes_of(text);
    struct chance chance = {(uint64_t)_i + 3};
    for (int set = 0; set < 20; set++)
        same_in_pieces(source, 1 + (size_t)below(&chance, 60), &chance);
    free(text);
    free((char *)source.s);
}
END_TEST

/* Bytes are changed, lost and made twice. */
START_TEST(damage_is_bounded) {
    char *text = file_text(sources[_i], "");
    struct chance chance = {(uint64_t)_i + 7};
    for (int set = 0; set < 60; set++) {
        struct str source = bytes_of(text);
        char *v = (char *)source.s;
        for (uint64_t n = 1 + below(&chance, 4); n > 0; n--) {
            size_t at = (size_t)below(&chance, source.n);
            if (below(&chance, 2))
                v[at] = (char)below(&chance, 256);
            else
                v[at] = (char)(v[at] ^ 1 << below(&chance, 8));
        }
        source.n -= below(&chance, 4) == 0 ? (size_t)below(&chance, source.n) : 0;
        same_in_pieces(source, 1 + (size_t)below(&chance, 90), &chance);
        struct err err = {.text = ""};
        struct trace *trace = opened(source, &err);
        ck_assert(trace || err.text[0] != '\0');
        if (trace)
            trace_free(trace);
        free(v);
    }
    free(text);
}
END_TEST

/* A packet, then a fault: the words of the first, and the problem. */
START_TEST(what_is_no_packet_is_a_problem) {
    static const struct {
        const char *rest, *said;
    } faults[] = {
        {"raw: \"\\012\\377\\377\\377\\377\\177\"", "\"source_syntax\",\"count\":1,"},
        {"raw: \"\\013\"", "\"source_syntax\",\"count\":1,"},
        {"raw: \"\\012\\100\\010\"", "\"source_truncated\",\"count\":1,"},
        {"50 { }", NULL}, /* of another field: passed over */
        {"1 { 50: \"\\170\\234\" }", "\"source_syntax\",\"count\":1,"},
        {"1 { 50 zlib { raw: \"\\007\" } }", "\"source_syntax\",\"count\":1,"},
        {"1 { 50 zlib { raw: \"\\012\\010\" } }", "\"source_syntax\",\"count\":1,"},
    };
    for (size_t i = 0; i < sizeof faults / sizeof *faults; i++) {
        char text[300];
        snprintf(text, sizeof text, "1 { 8: 5 10: 1 11 { 9: 3 23: \"first\" } }\n%s",
                 faults[i].rest);
        char *lines = lines_of(text);
        MUST(strstr(lines, "\"first\""), i);
        MUST(!faults[i].said == !strstr(lines, "\"problem\""), i);
        MUST(!faults[i].said || strstr(lines, faults[i].said), i);
        free(lines);
    }
}
END_TEST

#ifdef HAVE_ZSTD
/* Many packets of one frame, in more than one piece. */
START_TEST(packets_by_zstd_are_read) {
    enum { PACKETS = 9000, BYTES = 1 << 20 };
    static const char packet[] = "\x0a\x0b\x40\x05\x50\x01\x5a\x05\x48\x03\xba\x01\x00";
    size_t size = sizeof packet - 1, n = 0;
    char *inner = malloc(PACKETS * size), *bytes = malloc(BYTES);
    for (size_t i = 0; i < PACKETS; i++)
        memcpy(inner + i * size, packet, size);
    char *frame = malloc(BYTES);
    size_t small = ZSTD_compress(frame, BYTES, inner, PACKETS * size, 3);
    ck_assert(!ZSTD_isError(small) && small > 16 && small < 16000);
    const size_t lengths[] = {small + 4, small};
    memcpy(bytes, packet, size); /* the source is known by it */
    n = size;
    for (int i = 0; i < 2; i++) { /* a packet with the field 133 */
        memcpy(bytes + n, i == 0 ? "\x0a" : "\xaa\x08", i == 0 ? 1 : 2);
        n += i == 0 ? 1 : 2;
        bytes[n++] = (char)((lengths[i] & 127) | 128);
        bytes[n++] = (char)(lengths[i] >> 7);
    }
    memcpy(bytes + n, frame, small);
    struct err err;
    struct trace *trace = opened((struct str){bytes, n + small}, &err);
    ck_assert_msg(trace != NULL, "%s", err.text);
    ck_assert_uint_eq(trace_events(trace), PACKETS + 1);
    trace_free(trace);
    free(inner);
    free(frame);
    free(bytes);
}
END_TEST
#endif

/* A packet is known by a field of any kind, with the type that it has there. */
START_TEST(packets_of_any_kind_are_known) {
    static const struct {
        unsigned field; /* its tag takes two bytes */
        enum import_sniff as_number, as_bytes;
    } cases[] = {{35, IMPORT_NO, IMPORT_YES}, {67, IMPORT_NO, IMPORT_YES},
                 {95, IMPORT_NO, IMPORT_YES}, {128, IMPORT_NO, IMPORT_YES},
                 {98, IMPORT_YES, IMPORT_NO}, {42, IMPORT_YES, IMPORT_NO},
                 {88, IMPORT_NO, IMPORT_NO},  {1500, IMPORT_NO, IMPORT_NO}};
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        unsigned tag = cases[i].field << 3;
        char number[] = {0x0a, 3, (char)(tag | 128), (char)(tag >> 7), 1};
        char bytes[] = {0x0a, 5, (char)(tag | 130), (char)(tag >> 7), 2, 8, 1};
        ck_assert_int_eq(perfetto.sniff((struct str){number, sizeof number}, true),
                         cases[i].as_number);
        ck_assert_int_eq(perfetto.sniff((struct str){bytes, sizeof bytes}, true),
                         cases[i].as_bytes);
    }
}
END_TEST

SUITE(perfetto) {
    Suite *suite = suite_create("perfetto");
    TCase *tcase = tcase_create("perfetto");
    tcase_add_loop_test(tcase, a_source_becomes_its_trace, 0, SOURCES);
    tcase_add_loop_test(tcase, pieces_do_not_matter, 0, SOURCES);
    tcase_add_loop_test(tcase, damage_is_bounded, 0, SOURCES);
    tcase_add_test(tcase, what_is_no_packet_is_a_problem);
    tcase_add_test(tcase, packets_of_any_kind_are_known);
#ifdef HAVE_ZSTD
    tcase_add_test(tcase, packets_by_zstd_are_read);
#endif
    suite_add_tcase(suite, tcase);
    return suite;
}
