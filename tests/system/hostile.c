/* hostile.c - writes malicious traces: hostile list | hostile CASE OUT [N]. The bytes are the same in every run.
 *
 * `list` prints one case per line: name, small or big, the expected result (trace: is read; refused: one line and
 * status 2), the number of its kind (N; 0: none), and a description. Small cases stay below 1 MB. Text cases put their
 * strings in every place where a trace can hold one. */
#include <errno.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <zlib.h>
#ifdef HAVE_ZSTD
#include <zstd.h>
#endif

#include "src/fxt/writer.h"
#include "tests/lib/chance.h"

#define MS UINT64_C(1000000)
#define PID 100
#define TID 101

struct hostile {
    struct writer w;
    struct chance chance;
    uint64_t n, ts;
};

/* ---- words to write cases in ---- */

static struct writer_string text(const char *s) {
    return writer_inline(str_of(s));
}

/* At the next moment, on the usual thread. */
static struct writer_event event(struct hostile *h, const char *name) {
    h->ts += 1000;
    return (struct writer_event){
        .ts = h->ts, .thread = writer_inline_thread(PID, TID), .category = text("c"), .name = text(name)};
}

static void open_trace(struct hostile *h) {
    writer_magic(&h->w);
    writer_init_record(&h->w, 1000000000);
    h->ts = 1000 * MS;
}

/* Something plain before and after what is hostile: a bad record never hides the next. */
static void plain(struct hostile *h) {
    struct writer_event e = event(h, "plain");
    writer_complete(&h->w, &e, e.ts + 500);
}

static void begin_case(struct hostile *h) {
    open_trace(h);
    plain(h);
}

static void words(struct hostile *h, uint64_t word, uint64_t n) {
    for (uint64_t i = 0; i < n; i++)
        writer_word(&h->w, word);
}

/* Raw, where the writer's tables would cost more than the record. */
static void section(struct hostile *h, uint64_t id) {
    writer_word(&h->w, FXT_PUT(FXT_METADATA, 0, 3) | FXT_PUT(1, 4, 15) | FXT_PUT(FXT_PROVIDER_SECTION, 16, 19) |
                           FXT_PUT(id, 20, 51));
}

static void provider_info(struct hostile *h, uint64_t id, const char *name) {
    uint64_t n = strlen(name), size = 1 + (n + 7) / 8;
    char stream[256] = {0};
    memcpy(stream, name, n);
    writer_word(&h->w, FXT_PUT(FXT_METADATA, 0, 3) | FXT_PUT(size, 4, 15) | FXT_PUT(FXT_PROVIDER_INFO, 16, 19) |
                           FXT_PUT(id, 20, 51) | FXT_PUT(n, 52, 59));
    writer_bytes(&h->w, stream, (n + 7) / 8 * 8);
}

/* An event whose words are these: size and counts may lie. */
static void event_header(struct hostile *h, uint64_t type, uint64_t size, uint64_t args, uint64_t category,
                         uint64_t name) {
    h->ts += 1000;
    writer_word(&h->w, FXT_PUT(FXT_EVENT, 0, 3) | FXT_PUT(size, 4, 15) | FXT_PUT(type, 16, 19) | FXT_PUT(args, 20, 23) |
                           FXT_PUT(category, 32, 47) | FXT_PUT(name, 48, 63));
    writer_word(&h->w, h->ts);
    writer_word(&h->w, PID);
    writer_word(&h->w, TID);
}

static struct writer_arguments list(const struct writer_argument *v, size_t n) {
    return (struct writer_arguments){v, n};
}

/* ---- text in every place ---- */

struct hostile_text {
    const char *name, *what;
    struct {
        const char *s;
        size_t n;
    } v[8];
};
#define T(s)                                                                                                           \
    { s, sizeof(s) - 1 }

static const struct hostile_text texts[] = {
    {"text-csi",
     "colours, cursor movement and reports of CSI sequences",
     {T("\033[31mred\033[0m"), T("\033[2J\033[H"), T("\033[6n\033[c"), T("\033[?1049l\033[?25l"),
      T("\033[5;1t\033[21t")}},
    {"text-osc",
     "OSC 0, 8, 52 and 4: title, link, clipboard, palette",
     {T("\033]0;title\a"), T("\033]8;;http://example.org\033\\link\033]8;;\033\\"), T("\033]52;c;cm0gLXJmIC8=\a"),
      T("\033]4;1;?\a"), T("\033]1337;File=:AAAA\a")}},
    {"text-dcs",
     "DCS, APC, PM, SOS, and what is left open",
     {T("\033P+q544e\033\\"), T("\033_Gi=1;AAAA\033\\"), T("\033^pm\033\\"), T("\033Xsos\033\\"), T("\033P"),
      T("\033]0;")}},
    {"text-escape",
     "ESC with one more character, charsets, reset, and alone at the end",
     {T("\033c"), T("\033(0lqk"), T("\033#8"), T("\033N\033O"), T("\016shift out\017"), T("\033"), T("end\033[")}},
    {"text-c0",
     "each control character",
     {T("\001\002\003\004\005\006\a\b\t\n\v\f\r\016\017"),
      T("\020\021\022\023\024\025\026\027\030\031\032\033\034\035\036\037\177"), T("bell\a\a\a"), T("\b\b\b\bover")}},
    {"text-newlines",
     "line ends of all kinds",
     {T("a\nb"), T("a\rb"), T("a\r\nb"), T("a\vb\fc"),
      T("a\xC2\x85"
        "b"),
      T("a\xE2\x80\xA8"
        "b\xE2\x80\xA9"
        "c"),
      T("\n\n\n\n")}},
    {"text-nul", "NUL bytes", {T("\0"), T("a\0b"), T("\0\0\0\0\0\0\0\0"), T("flag\0"), T("a\0\033[2J")}},
    {"text-c1-bytes",
     "C1 controls as single bytes: bad UTF-8",
     {T("\x9B"
        "31mred"),
      T("\x9D"
        "0;title\x9C"),
      T("\x90"
        "q\x9C"),
      T("\x84\x85\x8D"), T("ok\x9B")}},
    {"text-c1-utf8",
     "C1 controls in UTF-8",
     {T("\xC2\x9B"
        "31mred"),
      T("\xC2\x9D"
        "0;title\xC2\x9C"),
      T("\xC2\x90q\xC2\x9C"), T("\xC2\x84\xC2\x85\xC2\x8D"), T("\xC2\x80\xC2\x9F")}},
    {"text-bidi",
     "overrides, embeddings, isolates and marks",
     {T("\xE2\x80\xAEgpj.exe"), T("\xE2\x80\xAD\xE2\x80\xAC"), T("\xE2\x81\xA6\xE2\x81\xA7\xE2\x81\xA8\xE2\x81\xA9"),
      T("\xE2\x80\x8E\xE2\x80\x8F\xD8\x9C"), T("\xE2\x80\xAA\xE2\x80\xAB"), T("a\xE2\x80\xAE")}},
    {"text-zero-width",
     "joiners, spaces and fillers that nobody sees",
     {T("pass\xE2\x80\x8Bword"), T("\xE2\x80\x8C\xE2\x80\x8D\xEF\xBB\xBF"), T("\xE2\x81\xA0\xC2\xAD\xCD\x8F"),
      T("\xE1\x85\x9F\xE3\x85\xA4\xEF\xBE\xA0"), T("\xE1\xA0\x8E\xE1\x9E\xB4\xE1\x9E\xB5"), T("\xE2\x81\xA4")}},
    {"text-emoji",
     "joined, flagged and toned emoji, variation selectors",
     {T("\xF0\x9F\x91\xA8\xE2\x80\x8D\xF0\x9F\x91\xA9\xE2\x80\x8D\xF0\x9F\x91\xA7"),
      T("\xF0\x9F\x87\xA9\xF0\x9F\x87\xAA"), T("\xF0\x9F\x91\x8D\xF0\x9F\x8F\xBF"), T("\xE2\x9D\xA4\xEF\xB8\x8F"),
      T("1\xEF\xB8\x8F\xE2\x83\xA3")}},
    {"text-tags",
     "tag characters and supplementary selectors",
     {T("\xF3\xA0\x80\x81\xF3\xA0\x81\x81\xF3\xA0\x81\xBF"),
      T("\xF0\x9F\x8F\xB4\xF3\xA0\x81\xA7\xF3\xA0\x81\xA2\xF3\xA0\x81\xBF"), T("\xF3\xA0\x84\x80")}},
    {"text-private",
     "private use and noncharacters",
     {T("\xEE\x80\x80\xEF\xA3\xBF"), T("\xF3\xB0\x80\x80"), T("\xF4\x80\x80\x80"),
      T("\xEF\xB7\x90\xEF\xBF\xBE\xEF\xBF\xBF"), T("\xF0\x9F\xBF\xBE\xF4\x8F\xBF\xBF")}},
    {"text-unassigned",
     "characters that Unicode has not",
     {T("\xCD\xB8"), T("\xF0\x9F\xBB\xBF"), T("\xF1\x90\x80\x80"), T("\xF3\xA0\x80\x80")}},
    {"text-overlong",
     "overlong forms of /, ESC, NUL and newline",
     {T("\xC0\xAF\xC0\x9B[2J"), T("\xE0\x80\xAF\xE0\x80\x9B"), T("\xF0\x80\x80\xAF"), T("\xC0\x80"),
      T("\xC1\xBF\xC0\x8A")}},
    {"text-surrogates",
     "surrogates, beyond U+10FFFF, cut sequences, stray bytes",
     {T("\xED\xA0\x80\xED\xB0\x80"), T("\xED\xBF\xBF"), T("\xF4\x90\x80\x80"), T("\xF8\x88\x80\x80\x80\xFF\xFE"),
      T("a\xE2\x80"), T("\xF0\x9F"), T("\x80\xBF\xC2")}},
    {"text-format",
     "what printf and shells would take",
     {T("%n%n%s%x%1000000d"), T("$(reboot)`id`;|&"), T("'\"\\"), T("\\u001b[2J"), T("<U+202E>^[\\x1b"),
      T("%s%s%s%s%s%s")}},
    {"text-formula",
     "what a spreadsheet would take for a formula",
     {T("=cmd|'/C calc'!A0"), T("+1+1"), T("-2+3"), T("@SUM(1)"), T("\t=1"), T("\r=1"), T("\",=1"), T("=\"\r\n=2")}},
    {"text-markup",
     "JSON, HTML and CSV of its own",
     {T("\"},{\"type\":\"end\"}"), T("</script><b>&amp;"), T("a,b\",\"c\r\n=1,2"), T("\\"), T("\\\"")}},
    {"text-wide",
     "wide, halfwidth and disputed characters, marks alone",
     {T("\xE6\xBC\xA2\xE5\xAD\x97"), T("\xEF\xBD\xA1\xEF\xBE\x9F"), T("\xCC\x81lone"),
      T("\xE1\x84\x80\xE1\x85\xA1\xE1\x86\xA8"), T("\xE2\x84\xA2\xE2\x99\x80"), T("\xE0\xB8\x81\xE0\xB8\xB3"),
      T("\xEF\xB7\xBD")}},
};

/* Registered under a number above 100, so that long ones need not fit into records. */
static struct writer_string registered(struct hostile *h, uint16_t index, struct str s) {
    writer_string(&h->w, index, s);
    return writer_index(index);
}

static void events_of(struct hostile *h, struct writer_string s, struct str bytes) {
    struct writer_argument args[6] = {
        writer_text(s, s),
        {.type = FXT_ARG_BLOB, .name = s, .blob = {bytes.s, bytes.n < 9000 ? bytes.n : 9000}},
        writer_number(FXT_ARG_INT64, s, 7),
        writer_number(FXT_ARG_KOID, s, TID),
        writer_number(FXT_ARG_POINTER, s, 0x1000),
        writer_number(FXT_ARG_NULL, s, 0),
    };
    struct writer_event e = event(h, "");
    e.category = e.name = s;
    e.args = list(args, 6);
    writer_begin(&h->w, &e);
    e.ts = h->ts += 1000;
    writer_instant(&h->w, &e);
    e.ts = h->ts += 1000;
    writer_instant_scope(&h->w, &e, 2);
    e.ts = h->ts += 1000;
    writer_complete(&h->w, &e, e.ts + 500);
    e.ts = h->ts += 1000;
    writer_end(&h->w, &e);
    struct writer_argument value[2] = {writer_number(FXT_ARG_UINT64, s, h->ts), writer_text(s, s)};
    e.args = list(value, 2);
    for (int i = 0; i < 3; i++) {
        e.ts = h->ts += 1000;
        value[0].bits = (uint64_t)i;
        writer_counter(&h->w, &e, 1);
    }
    e.args = list(args, 2);
    static const enum fxt_event kinds[] = {FXT_ASYNC_BEGIN, FXT_ASYNC_INSTANT, FXT_ASYNC_END,
                                           FXT_FLOW_BEGIN,  FXT_FLOW_STEP,     FXT_FLOW_END};
    for (int i = 0; i < 6; i++) {
        struct writer_event around = e;
        around.ts = e.ts = h->ts += 1000;
        if (i >= 3) {
            around.ts -= 100;
            around.args = list(NULL, 0);
            writer_complete(&h->w, &around, around.ts + 500);
            writer_flow(&h->w, kinds[i], &e, 9);
        } else {
            writer_async(&h->w, kinds[i], &e, 9);
        }
    }
}

static void records_of(struct hostile *h, struct writer_string s, struct str bytes, uint64_t koid) {
    struct writer_thread thread = writer_inline_thread(koid, koid + 1);
    struct writer_argument args[2] = {writer_number(FXT_ARG_KOID, text("process"), koid), writer_text(s, s)};
    writer_kernel_object(&h->w, FXT_OBJECT_PROCESS, koid, s, list(NULL, 0));
    writer_kernel_object(&h->w, FXT_OBJECT_THREAD, koid + 1, s, list(args, 2));
    writer_kernel_object(&h->w, 4, koid + 2, s, list(args, 2));
    writer_kernel_object(&h->w, 99, koid + 3, s, list(args, 2));
    writer_userspace_object(&h->w, 0x1000 + koid, thread, s, list(args, 2));
    struct writer_event e = event(h, "");
    e.thread = thread;
    e.category = e.name = s;
    writer_complete(&h->w, &e, e.ts + 700);
    writer_log(&h->w, h->ts += 1000, thread, bytes);
    struct str short_bytes = {bytes.s, bytes.n < 255 ? bytes.n : 255};
    writer_module(&h->w, h->ts += 1000, thread, 1, short_bytes, short_bytes);
    writer_mmap(&h->w, h->ts += 1000, thread, &(struct writer_mapping){1, 5, 0x1000, 0x2000, 0x3000});
    uint64_t pcs[2] = {0x1000, UINT64_MAX};
    writer_backtrace(&h->w, h->ts += 1000, thread, pcs, 2);
    writer_blob(&h->w, s, FXT_BLOB_DATA, bytes);
    writer_blob(&h->w, s, FXT_BLOB_PERFETTO, bytes);
    writer_blob(&h->w, s, 77, bytes);
    e.ts = h->ts += 1000;
    e.args = list(args, 2);
    writer_large_event(&h->w, &e, bytes);
    writer_large_attachment(&h->w, s, s, bytes);
    struct writer_argument weight[3] = {writer_number(FXT_ARG_INT32, s, 1), writer_text(text("incoming_weight"), s),
                                        writer_text(s, s)};
    struct writer_switch sw = {
        .ts = h->ts += 1000, .cpu = 3, .out_state = 9, .out_tid = TID, .in_tid = koid + 1, .args = list(weight, 3)};
    writer_switch(&h->w, &sw);
    writer_wakeup(&h->w, h->ts += 1000, 3, koid + 1, list(weight, 3));
    sw = (struct writer_switch){
        .ts = h->ts += 1000, .cpu = 3, .out_state = 15, .out = thread, .in = writer_inline_thread(PID, TID)};
    writer_switch_legacy(&h->w, &sw);
    struct writer_argument lost[2] = {writer_number(FXT_ARG_UINT64, text("num_records"), 3), writer_text(s, s)};
    e = event(h, "ktrace_drop_stats");
    e.category = text("kernel:meta");
    e.args = list(lost, 2);
    writer_complete(&h->w, &e, e.ts + 10);
}

static void everywhere(struct hostile *h, struct str s, uint16_t number) {
    struct str provider = {s.s, s.n < 255 ? s.n : 255};
    writer_provider_info(&h->w, number, provider);
    writer_init_base(&h->w, 1000000000, 1000 * MS, UINT64_C(1700000000000000000));
    struct writer_string name = registered(h, (uint16_t)(100 + number), s);
    events_of(h, name, s);
    records_of(h, name, s, 1000u * number);
    if (s.n < 4000) /* the same, inline */
        events_of(h, writer_inline(s), s);
    writer_provider_event(&h->w, number, 0);
}

static void make_text(struct hostile *h, const struct hostile_text *t) {
    open_trace(h);
    writer_kernel_object(&h->w, FXT_OBJECT_PROCESS, PID, writer_inline((struct str){t->v[0].s, t->v[0].n}),
                         list(NULL, 0));
    for (uint16_t i = 0; i < 8 && t->v[i].s; i++)
        everywhere(h, (struct str){t->v[i].s, t->v[i].n}, (uint16_t)(i + 1));
}

static void filled(struct hostile *h, const char *unit, size_t n) {
    static char bytes[WRITER_STRING_MAX];
    size_t length = strlen(unit), at = 0;
    while (at + length <= n) {
        memcpy(bytes + at, unit, length);
        at += length;
    }
    open_trace(h);
    everywhere(h, (struct str){bytes, at}, 1);
}

static void make_marks(struct hostile *h) { /* 4,000 combining marks on one letter */
    static char bytes[8001] = "e";
    for (size_t i = 0; i < 4000; i++)
        memcpy(bytes + 1 + 2 * i, "\xCC\x81", 2);
    open_trace(h);
    everywhere(h, (struct str){bytes, sizeof bytes}, 1);
}

static void make_long(struct hostile *h) {
    filled(h, "name", WRITER_STRING_MAX);
}

static void make_long_escapes(struct hostile *h) {
    filled(h, "\033[2J\xE2\x80\xAE", WRITER_STRING_MAX);
}

static void make_long_bad(struct hostile *h) {
    filled(h, "\xFF", WRITER_STRING_MAX);
}

static void make_long_wide(struct hostile *h) {
    filled(h, "\xE6\xBC\xA2", WRITER_STRING_MAX);
}

static void make_long_blank(struct hostile *h) {
    filled(h, " ", WRITER_STRING_MAX);
}

/* ---- the stream ---- */

static void make_zero_size(struct hostile *h) {
    begin_case(h);
    for (int i = 0; i < 200; i++) {
        writer_word(&h->w, FXT_EVENT | UINT64_C(0x1234567800000000));
        if (i % 10 == 0)
            plain(h);
    }
    for (int i = 0; i < 4; i++)
        plain(h);
}

static void make_ones(struct hostile *h) {
    begin_case(h);
    words(h, UINT64_MAX, 32768);
    for (int i = 0; i < 4; i++)
        plain(h);
}

static void make_random(struct hostile *h) {
    begin_case(h);
    for (int i = 0; i < 30000; i++)
        writer_word(&h->w, chance_star(&h->chance));
    for (int i = 0; i < 4; i++)
        plain(h);
}

/* Headers of known types with sizes that fit, and any bytes after them. */
static void make_likely(struct hostile *h) {
    begin_case(h);
    for (int i = 0; i < 3000; i++) {
        uint64_t size = 1 + chance_star(&h->chance) % 12, r = chance_star(&h->chance);
        writer_word(&h->w, (r & ~UINT64_C(0xffff)) | (r & 15) | size << 4);
        for (uint64_t k = 1; k < size; k++)
            writer_word(&h->w, chance_star(&h->chance) >> chance_star(&h->chance) % 64);
    }
    for (int i = 0; i < 4; i++)
        plain(h);
}

static void make_zeros(struct hostile *h) {
    begin_case(h);
    words(h, 0, h->n);
    plain(h);
}

static void make_large(struct hostile *h) { /* 2^32 - 1 words: 32 GiB */
    begin_case(h);
    writer_word(&h->w, FXT_LARGE | FXT_PUT(UINT32_MAX, 4, 35));
    words(h, 0x4141414141414141, 100);
}

static void make_large_payload(struct hostile *h) { /* its payload declares 2^64 - 1 bytes */
    begin_case(h);
    writer_word(&h->w, FXT_LARGE | FXT_PUT(8, 4, 35) | FXT_PUT(FXT_LARGE_ATTACHMENT, 40, 43));
    writer_word(&h->w, 0);
    writer_word(&h->w, UINT64_MAX);
    words(h, 0x4242424242424242, 5);
    for (uint64_t n = 0; n < 64; n += 7) { /* and the powers of two */
        writer_word(&h->w, FXT_LARGE | FXT_PUT(4, 4, 35) | FXT_PUT(FXT_LARGE_ATTACHMENT, 40, 43));
        writer_word(&h->w, 0);
        writer_word(&h->w, UINT64_C(1) << n);
        writer_word(&h->w, n);
    }
    plain(h);
}

static void make_lengths(struct hostile *h) { /* strings, blobs and messages longer than their records */
    begin_case(h);
    writer_word(&h->w, FXT_STRING | FXT_PUT(2, 4, 15) | FXT_PUT(1, 16, 30) | FXT_PUT(0x7fff, 32, 46));
    words(h, 0x6161616161616161, 1);
    writer_word(&h->w, FXT_BLOB | FXT_PUT(2, 4, 15) | FXT_PUT(0x8001, 16, 31) | FXT_PUT(0x7fff, 32, 46) |
                           FXT_PUT(FXT_BLOB_DATA, 48, 55));
    words(h, 0x6161616161616161, 1);
    writer_word(&h->w, FXT_LOG | FXT_PUT(4, 4, 15) | FXT_PUT(0x7fff, 16, 30));
    words(h, h->ts, 3);
    event_header(h, FXT_INSTANT, 5, 0, 0xffff, 0xffff);
    words(h, 0x6161616161616161, 1);
    writer_word(&h->w, FXT_PROFILER | FXT_PUT(5, 4, 15) | FXT_PUT(FXT_BACKTRACE, 16, 19) | FXT_PUT(255, 28, 35));
    words(h, h->ts, 4);
    writer_word(&h->w, FXT_METADATA | FXT_PUT(1, 4, 15) | FXT_PUT(FXT_PROVIDER_INFO, 16, 19) | FXT_PUT(255, 52, 59));
    plain(h);
    writer_word(&h->w, FXT_EVENT | FXT_PUT(1, 4, 15)); /* not even a timestamp */
    plain(h);
    event_header(h, FXT_INSTANT, 4095, 0, 0, 0); /* past the end of the file */
}

static void make_tiny(struct hostile *h) { /* the magic and half a word */
    writer_magic(&h->w);
    writer_bytes(&h->w, "\x14", 1);
}

static void make_all_types(struct hostile *h) { /* every header type and subtype, of every size up to 8 words */
    begin_case(h);
    for (uint64_t type = 0; type < 16; type++)
        for (uint64_t sub = 0; sub < 16; sub++)
            for (uint64_t size = 1; size <= 8; size++) {
                uint64_t at = type == FXT_SCHEDULING ? 60 : type == FXT_BLOB ? 48 : type == FXT_LARGE ? 40 : 16;
                writer_word(&h->w, type | size << 4 | sub << at);
                for (uint64_t k = 1; k < size; k++)
                    writer_word(&h->w, k == 1 ? h->ts : k);
            }
    plain(h);
}

static void make_big_endian(struct hostile *h) { /* swapped, with everything in it */
    h->w.big_endian = true;
    open_trace(h);
    everywhere(h, STR("\033[31m\xE2\x80\xAE"), 1);
}

static void make_again(struct hostile *h) { /* magic, clock and providers come again and again */
    for (unsigned i = 0; i < 400; i++) {
        char name[20];
        writer_magic(&h->w);
        writer_init_record(&h->w, i % 3 ? 1000000000 : i);
        snprintf(name, sizeof name, "again %u", i % 5);
        writer_provider_info(&h->w, 1, str_of(name));
        plain(h);
    }
}

/* ---- tables ---- */

static void make_providers(struct hostile *h) {
    begin_case(h);
    for (uint64_t i = 0; i < h->n; i++) {
        section(h, i + 1);
        event_header(h, FXT_INSTANT, 4, 0, 0, 0);
    }
}

static void make_provider_names(struct hostile *h) { /* one id, introduced under another name each time */
    char name[32];
    begin_case(h);
    for (uint64_t i = 0; i < h->n; i++) {
        snprintf(name, sizeof name, "p%" PRIu64, i);
        provider_info(h, 1, name);
        event_header(h, FXT_INSTANT, 4, 0, 0, 5);
    }
}

static void make_index_again(struct hostile *h) {
    char name[32];
    begin_case(h);
    for (uint64_t i = 0; i < h->n; i++) {
        snprintf(name, sizeof name, "name %" PRIu64, i);
        writer_string(&h->w, 7, str_of(name));
        struct writer_event e = event(h, "");
        e.name = writer_index(7);
        writer_instant(&h->w, &e);
    }
}

static void make_thread_again(struct hostile *h) {
    begin_case(h);
    for (uint64_t i = 0; i < h->n; i++) {
        writer_thread(&h->w, 7, PID, i);
        struct writer_event e = event(h, "e");
        e.thread = (struct writer_thread){.index = 7};
        writer_instant(&h->w, &e);
    }
}

static void make_names(struct hostile *h) {
    char name[32];
    begin_case(h);
    for (uint64_t i = 0; i < h->n; i++) {
        snprintf(name, sizeof name, "%" PRIx64, chance_star(&h->chance));
        struct writer_event e = event(h, name);
        writer_complete(&h->w, &e, e.ts + 500);
    }
}

static void make_undefined(struct hostile *h) { /* every string and thread index, none registered */
    begin_case(h);
    for (uint64_t i = 1; i < 8192; i++) {
        h->ts += 1000;
        writer_word(&h->w, FXT_EVENT | FXT_PUT(2, 4, 15) | FXT_PUT(i % 255 + 1, 24, 31) | FXT_PUT(i * 4 + 1, 32, 47) |
                               FXT_PUT(i * 4 + 2, 48, 63));
        writer_word(&h->w, h->ts);
    }
}

/* ---- many of a kind ---- */

static void make_nested(struct hostile *h) {
    begin_case(h);
    writer_thread(&h->w, 1, PID, TID);
    writer_string(&h->w, 1, STR("deep"));
    for (uint64_t i = 0; i < h->n; i++) {
        struct writer_event e = event(h, "");
        e.thread = (struct writer_thread){.index = 1};
        e.name = e.category = writer_index(1);
        writer_begin(&h->w, &e);
    }
}

static void make_nested_ended(struct hostile *h) { /* half of them begins, then as many ends */
    uint64_t n = h->n / 2;
    h->n = n;
    make_nested(h);
    for (uint64_t i = 0; i < n; i++) {
        struct writer_event e = event(h, "");
        e.thread = (struct writer_thread){.index = 1};
        e.name = e.category = writer_index(1);
        writer_end(&h->w, &e);
    }
}

/* Events of one kind, each of another id (or of one id, spread over threads). */
static void many(struct hostile *h, enum fxt_event type, uint64_t (*id)(uint64_t i), bool threads) {
    struct writer_argument value = writer_number(FXT_ARG_UINT64, text("v"), 1);
    begin_case(h);
    for (uint64_t i = 0; i < h->n; i++) {
        struct writer_event e = event(h, "m");
        if (threads)
            e.thread = writer_inline_thread(id(i), id(i + h->n));
        if (type == FXT_COUNTER) {
            e.args = list(&value, 1);
            writer_counter(&h->w, &e, id(i));
        } else if (type >= FXT_FLOW_BEGIN) {
            writer_flow(&h->w, type, &e, id(i));
        } else if (type >= FXT_ASYNC_BEGIN) {
            writer_async(&h->w, type, &e, id(i));
        } else {
            writer_instant(&h->w, &e);
        }
    }
}

static uint64_t in_turn(uint64_t i) {
    return i + 1;
}
static uint64_t high_bits(uint64_t i) { /* differ in their upper half alone */
    return (i + 1) << 32;
}
static uint64_t highest_bits(uint64_t i) {
    return (i + 1) << 44 | 1;
}
static uint64_t inverse(uint64_t i) { /* what a multiplication by the golden ratio makes small */
    return (i + 1) * UINT64_C(0xF1DE83E19937733D);
}
static uint64_t same(uint64_t i) {
    (void)i;
    return 1;
}

static void make_threads(struct hostile *h) {
    many(h, FXT_INSTANT, in_turn, true);
}
static void make_counters(struct hostile *h) {
    many(h, FXT_COUNTER, in_turn, false);
}
static void make_flows(struct hostile *h) {
    many(h, FXT_FLOW_BEGIN, in_turn, false);
}
static void make_asyncs(struct hostile *h) {
    many(h, FXT_ASYNC_BEGIN, in_turn, false);
}
static void make_threads_high(struct hostile *h) {
    many(h, FXT_INSTANT, high_bits, true);
}
static void make_threads_highest(struct hostile *h) {
    many(h, FXT_INSTANT, highest_bits, true);
}
static void make_threads_inverse(struct hostile *h) {
    many(h, FXT_INSTANT, inverse, true);
}
static void make_counters_high(struct hostile *h) {
    many(h, FXT_COUNTER, high_bits, false);
}
static void make_flows_high(struct hostile *h) {
    many(h, FXT_FLOW_BEGIN, high_bits, false);
}
static void make_flows_inverse(struct hostile *h) {
    many(h, FXT_FLOW_BEGIN, inverse, false);
}
static void make_asyncs_high(struct hostile *h) {
    many(h, FXT_ASYNC_BEGIN, highest_bits, false);
}
static void make_async_deep(struct hostile *h) {
    many(h, FXT_ASYNC_BEGIN, same, false);
}
static void make_async_strays(struct hostile *h) {
    many(h, FXT_ASYNC_END, same, false);
}
static void make_flow_steps(struct hostile *h) {
    many(h, FXT_FLOW_STEP, same, false);
}
static void make_flow_begins(struct hostile *h) {
    many(h, FXT_FLOW_BEGIN, same, false);
}

static void make_async_ended(struct hostile *h) { /* one id, n open, ended first to last by name */
    char name[32];
    begin_case(h);
    for (int ends = 0; ends < 2; ends++)
        for (uint64_t i = 0; i < h->n / 2; i++) {
            snprintf(name, sizeof name, "a%" PRIu64, i);
            struct writer_event e = event(h, name);
            writer_async(&h->w, ends ? FXT_ASYNC_END : FXT_ASYNC_BEGIN, &e, 1);
        }
}

static void make_flow_categories(struct hostile *h) { /* one id open in n categories, then points of none of them */
    char name[32];
    begin_case(h);
    for (uint64_t i = 0; i < h->n / 2; i++) {
        snprintf(name, sizeof name, "c%" PRIu64, i);
        struct writer_event e = event(h, "f");
        e.category = text(name);
        writer_flow(&h->w, FXT_FLOW_BEGIN, &e, 1);
    }
    for (uint64_t i = 0; i < h->n / 2; i++) {
        struct writer_event e = event(h, "f");
        e.category = text("other");
        writer_flow(&h->w, FXT_FLOW_STEP, &e, 1);
    }
}

static void make_objects(struct hostile *h) {
    char name[32];
    begin_case(h);
    for (uint64_t i = 0; i < h->n; i++) {
        struct writer_argument args[1] = {writer_number(FXT_ARG_KOID, text("process"), i)};
        snprintf(name, sizeof name, "o%" PRIu64, i);
        writer_kernel_object(&h->w, 1 + i % 5, (i + 1) << 20, text(name), list(args, 1));
    }
    plain(h);
}

static void make_renamed(struct hostile *h) { /* the same thread, object and pointer under new names */
    char name[32];
    begin_case(h);
    for (uint64_t i = 0; i < h->n / 3; i++) {
        struct writer_argument args[1] = {writer_number(FXT_ARG_KOID, text("process"), PID)};
        snprintf(name, sizeof name, "o%" PRIu64, i);
        writer_kernel_object(&h->w, FXT_OBJECT_THREAD, TID, text(name), list(args, 1));
        writer_kernel_object(&h->w, FXT_OBJECT_PROCESS, PID, text(name), list(NULL, 0));
        writer_userspace_object(&h->w, 0x1000, writer_inline_thread(PID, TID), text(name), list(NULL, 0));
    }
    struct writer_argument args[2] = {writer_number(FXT_ARG_KOID, text("k"), TID),
                                      writer_number(FXT_ARG_POINTER, text("p"), 0x1000)};
    struct writer_event e = event(h, "named");
    e.args = list(args, 2);
    writer_complete(&h->w, &e, e.ts + 100);
}

static void make_cpus(struct hostile *h) {
    begin_case(h);
    for (uint64_t i = 0; i < h->n; i++) {
        struct writer_switch sw = {.ts = h->ts += 1000,
                                   .cpu = (unsigned)(i % 65536),
                                   .out_state = (unsigned)(i % 16),
                                   .out_tid = TID + i,
                                   .in_tid = TID + i + 1};
        writer_switch(&h->w, &sw);
    }
}

static void make_legacy_cpus(struct hostile *h) { /* 256 of them, unknown states */
    begin_case(h);
    for (unsigned i = 0; i < 1024; i++) {
        struct writer_switch sw = {.ts = h->ts += 1000,
                                   .cpu = i % 256,
                                   .out_state = i % 16,
                                   .out = writer_inline_thread(PID, TID),
                                   .in = writer_inline_thread(PID, TID + i)};
        writer_switch_legacy(&h->w, &sw);
    }
}

static void make_wakeups(struct hostile *h) { /* one thread, by itself and others, and switches at the same time */
    begin_case(h);
    for (uint64_t i = 0; i < h->n; i++) {
        struct writer_argument waker[1] = {writer_number(FXT_ARG_KOID, text("waker"), TID + i % 3)};
        struct writer_switch sw = {.ts = h->ts,
                                   .cpu = (unsigned)(i % 7),
                                   .out_state = (unsigned)(i % 16),
                                   .out_tid = TID + i % 5,
                                   .in_tid = TID + (i + 1) % 5};
        writer_wakeup(&h->w, h->ts, 1, TID, list(waker, 1));
        writer_switch(&h->w, &sw);
        h->ts += i % 2 * 1000;
    }
}

static void make_deaths(struct hostile *h) { /* a process each, which runs once, leaves a slice open and is dead */
    begin_case(h);
    for (uint64_t i = 0; i < h->n; i++) {
        struct writer_switch sw = {
            .ts = h->ts, .cpu = 1, .out_state = 4 + (unsigned)(i % 2), .out_tid = TID + i, .in_tid = TID + i + 1};
        struct writer_event e = {.ts = h->ts + 10,
                                 .thread = writer_inline_thread(PID + i, TID + i + 1),
                                 .category = text("c"),
                                 .name = text("exit_group")};
        writer_switch(&h->w, &sw);
        writer_begin(&h->w, &e);
        h->ts += 1000;
    }
}

static void make_logs(struct hostile *h) {
    begin_case(h);
    for (uint64_t i = 0; i < h->n; i++)
        writer_log(&h->w, h->ts, writer_inline_thread(PID, TID), STR("said at one time"));
}

static void make_blobs(struct hostile *h) { /* chunks of many names, no two of one name in a row */
    char name[32];
    begin_case(h);
    for (uint64_t i = 0; i < h->n; i++) {
        snprintf(name, sizeof name, "b%" PRIu64, i * 7919 % 1000);
        writer_blob(&h->w, text(name), 1 + i % 4, STR("chunk"));
        if (i % 16 == 0)
            writer_large_attachment(&h->w, text("c"), text(name), STR("large"));
    }
}

static void make_blob_names(struct hostile *h) {
    char name[32];
    begin_case(h);
    for (uint64_t i = 0; i < h->n; i++) {
        snprintf(name, sizeof name, "b%" PRIu64, i);
        writer_blob(&h->w, text(name), FXT_BLOB_DATA, STR("x"));
    }
}

static void make_profile(struct hostile *h) {
    uint64_t pcs[3] = {1, 2, 3};
    begin_case(h);
    for (uint64_t i = 0; i < h->n / 3; i++) {
        struct writer_thread t = writer_inline_thread(PID, TID);
        writer_module(&h->w, h->ts += 10, t, (unsigned)(i % 65536), STR("libc.so"), STR("\1\2\3\4"));
        writer_mmap(&h->w, h->ts += 10, t,
                    &(struct writer_mapping){(unsigned)(i % 65536), 7, i << 12, UINT64_MAX, UINT64_MAX - i});
        writer_backtrace(&h->w, h->ts += 10, t, pcs, 3);
    }
}

/* ---- problems ---- */

static void make_problems(struct hostile *h) { /* of one kind */
    begin_case(h);
    for (uint64_t i = 0; i < h->n; i++) {
        struct writer_event e = event(h, "stray");
        writer_end(&h->w, &e);
    }
}

static void make_problem_kinds(struct hostile *h) {
    begin_case(h);
    for (uint64_t i = 0; i < h->n / 10; i++) {
        struct writer_event e = event(h, "x");
        struct writer_argument odd[2] = {{.type = 13, .name = text("odd")}, writer_double(text("nan"), 0.0 / 0.0)};
        e.args = list(odd, 2);
        writer_counter(&h->w, &e, i);
        e.args = list(NULL, 0);
        writer_end(&h->w, &e);
        writer_complete(&h->w, &e, e.ts - 10);
        e.name = writer_index(77);
        e.thread.index = 9;
        writer_instant(&h->w, &e);
        writer_word(&h->w, UINT64_C(0x1b) | i << 20); /* an unknown record type, 1 word */
        writer_word(&h->w, 0);
        writer_async(&h->w, FXT_ASYNC_END, &e, i);
        writer_flow(&h->w, FXT_FLOW_END, &e, i);
        event_header(h, FXT_INSTANT, 4, 15, 0, 0);
        writer_word(&h->w, FXT_EVENT);
        plain(h);
        plain(h);
        plain(h);
    }
}

static void make_damage(struct hostile *h) { /* a fault after every third record: each is resynchronised */
    begin_case(h);
    for (uint64_t i = 0; i < h->n / 4; i++) {
        writer_word(&h->w, UINT64_C(0xdeadbeef00000004));
        plain(h);
        plain(h);
        plain(h);
    }
}

static void make_chains(struct hostile *h) { /* what looks like two records in a row, never three: all is searched */
    begin_case(h);
    for (uint64_t i = 0; i < h->n; i++)
        writer_word(&h->w, i % 3 == 2 ? UINT64_C(0xffffffffffff0004) : FXT_INITIALIZATION | FXT_PUT(4095, 4, 15));
    for (int i = 0; i < 4; i++)
        plain(h);
}

/* ---- times ---- */

static void make_one_time(struct hostile *h) {
    struct writer_argument value = writer_number(FXT_ARG_INT64, text("v"), 1);
    begin_case(h);
    uint64_t ts = h->ts;
    for (uint64_t i = 0; i < h->n; i++) {
        struct writer_event e = event(h, "same");
        e.ts = ts;
        switch (i % 9) {
        case 0:
            writer_begin(&h->w, &e);
            break;
        case 1:
            writer_complete(&h->w, &e, ts);
            break;
        case 2:
            writer_complete(&h->w, &e, ts + 1000);
            break;
        case 3:
            writer_end(&h->w, &e);
            break;
        case 4:
            writer_instant(&h->w, &e);
            break;
        case 5:
            e.args = list(&value, 1);
            writer_counter(&h->w, &e, 0);
            break;
        case 6:
            writer_flow(&h->w, (enum fxt_event)(FXT_FLOW_BEGIN + i / 9 % 3), &e, 1);
            break;
        case 7:
            writer_async(&h->w, (enum fxt_event)(FXT_ASYNC_BEGIN + i / 9 % 3), &e, 1);
            break;
        default:
            writer_log(&h->w, ts, e.thread, STR("same"));
            break;
        }
    }
}

static void everything_at(struct hostile *h, uint64_t ts, uint64_t end) {
    struct writer_argument value = writer_number(FXT_ARG_INT64, text("v"), ts);
    struct writer_event e = event(h, "far");
    e.ts = ts;
    writer_instant(&h->w, &e);
    writer_complete(&h->w, &e, end);
    writer_begin(&h->w, &e);
    writer_async(&h->w, FXT_ASYNC_BEGIN, &e, ts);
    writer_flow(&h->w, FXT_FLOW_BEGIN, &e, 1);
    writer_log(&h->w, ts, e.thread, STR("far"));
    struct writer_switch sw = {.ts = ts, .cpu = 1, .out_tid = TID, .in_tid = TID + 1};
    writer_switch(&h->w, &sw);
    e.args = list(&value, 1);
    writer_counter(&h->w, &e, 0);
    e.args = list(NULL, 0);
    e.ts = end;
    writer_flow(&h->w, FXT_FLOW_END, &e, 1);
    writer_async(&h->w, FXT_ASYNC_END, &e, ts);
    writer_end(&h->w, &e);
}

static void far_times(struct hostile *h) {
    static const uint64_t times[] = {0,
                                     1,
                                     2,
                                     UINT64_C(1) << 31,
                                     UINT64_C(1) << 32,
                                     UINT64_C(1) << 53,
                                     UINT64_C(1) << 62,
                                     INT64_MAX,
                                     UINT64_C(1) << 63,
                                     (UINT64_C(1) << 63) + 1,
                                     UINT64_MAX - 1,
                                     UINT64_MAX};
    for (size_t i = 0; i < sizeof times / sizeof *times; i++)
        for (size_t k = i; k < sizeof times / sizeof *times; k += 3)
            everything_at(h, times[i], times[k]);
}

static void make_far(struct hostile *h) {
    open_trace(h);
    struct writer_event e = event(h, "near");
    e.ts = 0;
    writer_complete(&h->w, &e, 1);
    e.ts = UINT64_C(1) << 62;
    writer_complete(&h->w, &e, e.ts + 1);
}
static void make_to_max(struct hostile *h) {
    open_trace(h);
    far_times(h);
}
static void make_rate_0(struct hostile *h) {
    writer_magic(&h->w);
    writer_init_base(&h->w, 0, UINT64_MAX, UINT64_MAX);
    far_times(h);
}
static void make_rate_1(struct hostile *h) {
    writer_magic(&h->w);
    writer_init_base(&h->w, 1, 0, UINT64_MAX);
    far_times(h);
}
static void make_rate_max(struct hostile *h) {
    writer_magic(&h->w);
    writer_init_base(&h->w, UINT64_MAX, UINT64_MAX / 2, 0);
    far_times(h);
}
static void make_rates(struct hostile *h) { /* the clock changes its rate between begins and their ends */
    static const uint64_t rates[] = {1, UINT64_MAX, 0, 1000, 3, 1000000000, UINT64_C(1) << 63, 7};
    writer_magic(&h->w);
    for (size_t i = 0; i < 64; i++) {
        writer_init_base(&h->w, rates[i % 8], rates[i / 8], rates[(i + 3) % 8]);
        everything_at(h, i * 1000, i * 999 + 5000);
    }
}

/* Everything that is ordered by time, from the last to the first. */
static void make_backwards(struct hostile *h) {
    struct writer_argument value = writer_number(FXT_ARG_INT64, text("v"), 1);
    begin_case(h);
    for (uint64_t i = h->n; i > 0; i--) {
        struct writer_event e = event(h, "back");
        e.ts = 20000 * MS + i * 1000; /* far from the first one, whatever n */
        struct writer_switch sw = {
            .ts = e.ts, .cpu = (unsigned)(i % 4), .out_tid = TID + i % 9, .in_tid = TID + (i + 1) % 9};
        switch (i % 8) {
        case 0:
            writer_begin(&h->w, &e);
            break;
        case 1:
            writer_end(&h->w, &e);
            break;
        case 2:
            writer_complete(&h->w, &e, e.ts + 100000);
            break;
        case 3:
            writer_instant(&h->w, &e);
            break;
        case 4:
            e.args = list(&value, 1);
            writer_counter(&h->w, &e, 0);
            break;
        case 5:
            writer_flow(&h->w, (enum fxt_event)(FXT_FLOW_BEGIN + i / 8 % 3), &e, i % 100);
            break;
        case 6:
            writer_async(&h->w, (enum fxt_event)(FXT_ASYNC_BEGIN + i / 8 % 3), &e, i % 100);
            break;
        default:
            writer_switch(&h->w, &sw);
            break;
        }
    }
}

static void make_late(struct hostile *h) { /* every other one lies before all that were: the nest begins again */
    begin_case(h);
    uint64_t ts = h->ts + 1000 * MS * 1000;
    for (uint64_t i = 0; i < h->n; i++) {
        struct writer_event e = event(h, "late");
        e.ts = i % 2 ? ts - i * 100 : ts + i * 100;
        writer_complete(&h->w, &e, e.ts + 150);
    }
}

static void make_saw(struct hostile *h) { /* in runs of a thousand, each run before the one before it */
    begin_case(h);
    for (uint64_t i = 0; i < h->n; i++) {
        struct writer_event e = event(h, "saw");
        e.ts = 2000 * MS + (h->n / 1000 - i / 1000) * 1000000 + i % 1000 * 1000;
        if (i % 2)
            writer_begin(&h->w, &e);
        else
            writer_end(&h->w, &e);
    }
}

/* ---- slices ---- */

static uint64_t overlap(struct hostile *h) { /* each overlaps all others and lies in none; returns when the first begins */
    begin_case(h);
    uint64_t ts = h->ts;
    for (uint64_t i = 0; i < h->n; i++) {
        struct writer_event e = event(h, "part");
        e.ts = ts + i * 10;
        writer_complete(&h->w, &e, ts + (h->n + i) * 10);
    }
    return ts;
}

static void make_overlap(struct hostile *h) {
    overlap(h);
}

static void make_overlap_late(struct hostile *h) { /* the same in the order of their ends, last first */
    begin_case(h);
    uint64_t ts = h->ts;
    for (uint64_t i = h->n; i > 0; i--) {
        struct writer_event e = event(h, "part");
        e.ts = ts + i * 10;
        writer_complete(&h->w, &e, ts + (h->n + i) * 10);
    }
}

static void make_overlap_asked(struct hostile *h) { /* and what is asked of each time which of them it lies in */
    uint64_t ts = overlap(h);
    for (uint64_t i = 0; i < h->n; i++) {
        struct writer_event e = event(h, "when");
        e.ts = ts + i * 20 + 7;
        writer_instant(&h->w, &e);
        writer_log(&h->w, e.ts, e.thread, STR("said"));
    }
}

static void make_stairs(struct hostile *h) { /* children first, and each overlaps the next parent a little */
    begin_case(h);
    for (uint64_t i = 0; i < h->n; i++) {
        struct writer_event e = event(h, "stair");
        e.ts = 3000 * MS + i * 10;
        writer_complete(&h->w, &e, e.ts + 15);
    }
}

static void make_same_ends(struct hostile *h) { /* parents and children that begin, or end, or both, at one time */
    begin_case(h);
    uint64_t ts = h->ts + MS * 1000;
    for (uint64_t i = 0; i < h->n; i++) {
        struct writer_event e = event(h, "twin");
        e.ts = i % 3 == 0 ? ts : i % 3 == 1 ? ts - i : ts + i;
        writer_complete(&h->w, &e, i % 3 == 0 ? ts + i : i % 3 == 1 ? ts : ts + h->n * 2);
    }
}

static void make_begins_and_completes(struct hostile *h) { /* open begins under complete events that cross them */
    begin_case(h);
    for (uint64_t i = 0; i < h->n; i++) {
        struct writer_event e = event(h, "mix");
        if (i % 3 == 2)
            writer_complete(&h->w, &e, e.ts + h->n * 500);
        else if (i % 3 == 1 && i % 2)
            writer_end(&h->w, &e);
        else
            writer_begin(&h->w, &e);
    }
}

/* ---- flows, counters, koids, arguments ---- */

static void make_flow_loops(struct hostile *h) {
    begin_case(h);
    for (int i = 0; i < 40; i++) {
        struct writer_event e = event(h, "loop");
        uint64_t ts = e.ts = 1000 * MS + (uint64_t)(i % 4) * 1000; /* back in time at each fourth */
        writer_complete(&h->w, &e, e.ts + 900);
        for (int id = 1; id < 4; id++) {
            e.ts = ts + 100 * (uint64_t)id;
            writer_flow(&h->w, (enum fxt_event)(FXT_FLOW_BEGIN + (i + id) % 3), &e, (uint64_t)id);
            e.ts = ts + 800 - 100 * (uint64_t)id;
            writer_flow(&h->w, (enum fxt_event)(FXT_FLOW_BEGIN + i % 3), &e, (uint64_t)id);
        }
    }
    struct writer_event e = event(h, "round"); /* two slices, each the other's end */
    for (int i = 0; i < 6; i++) {
        e.thread.tid = TID + (uint64_t)(i % 2);
        e.ts = 1001 * MS;
        writer_complete(&h->w, &e, e.ts + 1000);
        e.ts += (uint64_t)i;
        writer_flow(&h->w, i == 0 ? FXT_FLOW_BEGIN : i == 5 ? FXT_FLOW_END : FXT_FLOW_STEP, &e, 77);
    }
}

static void make_counter_limits(struct hostile *h) {
    static const uint64_t doubles[] = {0x7ff0000000000000,
                                       0xfff0000000000000,
                                       0x7ff8000000000000,
                                       0xffffffffffffffff,
                                       0x7fefffffffffffff,
                                       0xffefffffffffffff,
                                       1,
                                       0x8000000000000000};
    static const uint64_t bits[] = {0, 1, INT64_MAX, UINT64_C(1) << 63, UINT64_MAX, UINT64_C(1) << 53};
    begin_case(h);
    for (size_t i = 0; i < 48; i++) {
        struct writer_argument args[6] = {
            writer_number(FXT_ARG_INT64, text("i64"), bits[i % 6]),
            writer_number(FXT_ARG_UINT64, text("u64"), bits[(i + 1) % 6]),
            {.type = FXT_ARG_DOUBLE, .name = text("f64"), .bits = doubles[i % 8]},
            writer_number(FXT_ARG_INT32, text("i32"), i % 2 ? 0x80000000 : 0x7fffffff),
            writer_number(FXT_ARG_UINT64, text("mixed"), UINT64_MAX),
            writer_text(text("text"), text("no number")),
        };
        if (i % 2)
            args[4] = writer_number(FXT_ARG_INT64, text("mixed"), UINT64_C(1) << 63);
        struct writer_event e = event(h, "limits");
        e.args = list(args, 6);
        writer_counter(&h->w, &e, i % 2 ? 0 : UINT64_MAX);
    }
}

static void make_koids(struct hostile *h) { /* process and thread at once, each in the other, and one in itself */
    begin_case(h);
    for (uint64_t k = 1; k < 9; k++) {
        struct writer_argument self[1] = {writer_number(FXT_ARG_KOID, text("process"), k)};
        struct writer_argument next[1] = {writer_number(FXT_ARG_KOID, text("process"), k % 8 + 1)};
        writer_kernel_object(&h->w, FXT_OBJECT_PROCESS, k, text("both"), list(self, 1));
        writer_kernel_object(&h->w, FXT_OBJECT_THREAD, k, text("both"), list(next, 1));
        writer_kernel_object(&h->w, FXT_OBJECT_THREAD, k, text("itself"), list(self, 1));
        struct writer_event e = event(h, "in itself");
        struct writer_argument args[2] = {writer_number(FXT_ARG_KOID, text("me"), k),
                                          writer_number(FXT_ARG_KOID, text("max"), UINT64_MAX)};
        e.thread = writer_inline_thread(k, k);
        e.args = list(args, 2);
        writer_complete(&h->w, &e, e.ts + 900);
        struct writer_switch sw = {.ts = h->ts, .cpu = 0, .out_tid = k, .in_tid = k};
        writer_switch(&h->w, &sw);
        e.thread = writer_inline_thread(UINT64_MAX - k, UINT64_MAX);
        writer_instant(&h->w, &e);
        e.thread = writer_inline_thread(0, 0);
        writer_instant(&h->w, &e);
    }
}

static void make_arguments(struct hostile *h) {
    begin_case(h);
    event_header(h, FXT_INSTANT, 4, 15, 0, 0); /* fifteen, and none there */
    event_header(h, FXT_DURATION_COMPLETE, 5, 15, 0, 0);
    writer_word(&h->w, h->ts + 100);
    for (uint64_t type = 0; type < 16; type++) /* each type in sizes too small and too large, names past the end */
        for (uint64_t size = 0; size < 6; size++) {
            event_header(h, type % 11, 8, 2, 0, 0);
            writer_word(&h->w,
                        type | size << 4 | FXT_PUT(0x8000 | 5 * size, 16, 31) | FXT_PUT(0x8000 | 9 * type, 32, 47));
            words(h, 0x6e616d65006e616d, 3);
        }
    for (uint64_t name = 0; name < 0x40; name += 5) { /* names that overlap the value, the next argument, the record */
        event_header(h, FXT_INSTANT, 8, 3, 0, 0);
        writer_word(&h->w, FXT_ARG_STRING | 2 << 4 | FXT_PUT(0x8000 | name, 16, 31) | FXT_PUT(0x8000 | name, 32, 47));
        writer_word(&h->w, 0x1b5b324a1b5b324a);
        writer_word(&h->w, FXT_ARG_BLOB | 2 << 4 | FXT_PUT(0x8000 | name, 16, 31) | FXT_PUT(UINT32_MAX - name, 32, 63));
        writer_word(&h->w, 0x4242424242424242);
    }
    plain(h);
}

static void make_scopes(struct hostile *h) { /* instants with unknown scopes, and extra words everywhere */
    begin_case(h);
    for (uint64_t i = 0; i < 64; i++) {
        struct writer_event e = event(h, "scope");
        writer_instant_scope(&h->w, &e, i < 4 ? i : UINT64_MAX >> i);
        event_header(h, i % 11, 4 + i % 8, 0, 0, 0);
        words(h, i * 0x0101010101010101, i % 8);
    }
}

/* ---- files ---- */

static void make_not_text(struct hostile *h) {
    static const char s[] = "\033]0;owned\a\033[2J%n%n%n%n\r\n";
    writer_bytes(&h->w, s, sizeof s - 1);
}

static void make_png(struct hostile *h) {
    writer_bytes(&h->w, "\x89PNG\r\n\x1a\n\0\0\0\rIHDR", 16);
    for (int i = 0; i < 4000; i++)
        writer_word(&h->w, chance_star(&h->chance));
}

static void make_for_gzip(struct hostile *h) {
    begin_case(h);
    for (int i = 0; i < 1000; i++) {
        struct writer_event e = event(h, "squeezed");
        writer_complete(&h->w, &e, e.ts + chance_star(&h->chance) % 900);
    }
}

#ifdef HAVE_ZSTD
static void make_for_zstd(struct hostile *h) { /* some blocks of 128 kB */
    for (int i = 0; i < 12; i++)
        make_for_gzip(h);
}
#endif

static void make_long_name(struct hostile *h) {
    filled(h, "\xC3\xA4\xFF", h->n);
}

/* ---- the table ---- */

enum packing {
    PLAIN,
    GZIP,
    GZIP_TWICE,
    GZIP_CUT,
    GZIP_DAMAGED,
    GZIP_TRAILING,
    GZIP_EMPTY_MEMBERS,
    GZIP_BOMB,
    ZSTD,
    ZSTD_CUT,
    ZSTD_BOMB
};

#define BOMB_MEMBER (8u << 20) /* bytes of zeros; there are N members */

static const struct hostile_case {
    const char *name, *what;
    void (*make)(struct hostile *h);
    uint64_t n; /* 0: small */
    enum packing packing;
    bool refused;
} cases[] = {
    {"zero-size", "records of size 0 among others", make_zero_size, 0, PLAIN, false},
    {"all-ones", "256 kB of ones", make_ones, 0, PLAIN, false},
    {"random", "240 kB of random bytes", make_random, 0, PLAIN, false},
    {"likely", "headers that could be, followed by random words", make_likely, 0, PLAIN, false},
    {"large-32-gib", "a large record that declares 32 GiB", make_large, 0, PLAIN, false},
    {"large-payload", "large payloads that declare up to 2^64-1 bytes", make_large_payload, 0, PLAIN, false},
    {"lengths", "strings, blobs, messages longer than their records", make_lengths, 0, PLAIN, false},
    {"tiny", "the magic and one byte", make_tiny, 0, PLAIN, false},
    {"all-types", "every type, subtype and size up to 8 words", make_all_types, 0, PLAIN, false},
    {"big-endian", "words in the other byte order, hostile text in them", make_big_endian, 0, PLAIN, false},
    {"again", "magic, clock and provider 400 times", make_again, 0, PLAIN, false},
    {"undefined", "strings and threads that were never registered", make_undefined, 0, PLAIN, false},
    {"cpus-legacy", "256 CPUs and all states, known or not", make_legacy_cpus, 0, PLAIN, false},
    {"far-apart", "two events 2^62 apart", make_far, 0, PLAIN, false},
    {"times-to-max", "every kind of event up to 2^64-1", make_to_max, 0, PLAIN, false},
    {"rate-0", "0 ticks a second", make_rate_0, 0, PLAIN, false},
    {"rate-1", "one tick a second", make_rate_1, 0, PLAIN, false},
    {"rate-max", "2^64-1 ticks a second", make_rate_max, 0, PLAIN, false},
    {"rates", "a clock that changes between begin and end", make_rates, 0, PLAIN, false},
    {"flow-loops", "flows that loop, and go back in time", make_flow_loops, 0, PLAIN, false},
    {"counter-limits", "INT64_MIN, UINT64_MAX, NaN, infinities", make_counter_limits, 0, PLAIN, false},
    {"koids", "process and thread at once, threads in themselves", make_koids, 0, PLAIN, false},
    {"arguments", "15 declared and none there, names that overlap, unknown types", make_arguments, 0, PLAIN, false},
    {"scopes", "unknown scopes, and words after the end", make_scopes, 0, PLAIN, false},
    {"name-32000", "names of 32,000 bytes", make_long, 0, PLAIN, false},
    {"name-32000-escapes", "32,000 bytes of escapes and overrides", make_long_escapes, 0, PLAIN, false},
    {"name-32000-bad", "32,000 bytes that are no UTF-8", make_long_bad, 0, PLAIN, false},
    {"name-32000-wide", "32,000 bytes of wide characters", make_long_wide, 0, PLAIN, false},
    {"name-32000-blank", "32,000 blanks", make_long_blank, 0, PLAIN, false},
    {"marks-4000", "4,000 combining marks on one letter", make_marks, 0, PLAIN, false},
    {"not-a-trace", "escape sequences and no trace", make_not_text, 0, PLAIN, true},
    {"png", "another format", make_png, 0, PLAIN, true},
    {"gzip", "a compressed trace", make_for_gzip, 0, GZIP, false},
    {"gzip-twice", "gzip of gzip of a trace", make_for_gzip, 0, GZIP_TWICE, true},
    {"gzip-cut", "half of a .gz", make_for_gzip, 0, GZIP_CUT, false},
    {"gzip-damaged", "a .gz with a byte changed", make_for_gzip, 0, GZIP_DAMAGED, false},
    {"gzip-trailing", "a .gz followed by other bytes", make_for_gzip, 0, GZIP_TRAILING, false},
    {"gzip-empty-members", "10,000 empty members and then the trace", make_for_gzip, 0, GZIP_EMPTY_MEMBERS, false},
#ifdef HAVE_ZSTD
    {"zstd", "a trace compressed by zstd", make_for_zstd, 0, ZSTD, false},
    {"zstd-cut", "half of a .zst", make_for_zstd, 0, ZSTD_CUT, false},
    {"zstd-bomb", "zeros, 8 MB in a kB, after a trace", make_for_gzip, 40, ZSTD_BOMB, false},
#endif
    {"gzip-bomb", "zeros, 8 MB in 8 kB, after a trace", make_for_gzip, 40, GZIP_BOMB, false},
    {"long-name", "a name of so many bytes in every place", make_long_name, 16000, PLAIN, false},
    {"zeros", "words of zeros where records should be", make_zeros, 1000000, PLAIN, false},
    {"damage", "every fourth record is damaged", make_damage, 100000, PLAIN, false},
    {"chains", "words that are almost a chain of records", make_chains, 300000, PLAIN, false},
    {"providers", "a provider never introduced, and a switch, each record", make_providers, 100000, PLAIN, false},
    {"provider-names", "one id introduced under ever new names", make_provider_names, 100000, PLAIN, false},
    {"index-again", "a string index registered again for each event", make_index_again, 100000, PLAIN, false},
    {"thread-again", "a thread index registered again for each event", make_thread_again, 100000, PLAIN, false},
    {"names", "distinct names", make_names, 1000000, PLAIN, false},
    {"nested", "begins in begins, never ended", make_nested, 1000000, PLAIN, false},
    {"nested-ended", "begins in begins, and their ends", make_nested_ended, 1000000, PLAIN, false},
    {"threads", "threads and processes of one event", make_threads, 1000000, PLAIN, false},
    {"threads-high", "the same, ids that differ in their upper half", make_threads_high, 200000, PLAIN, false},
    {"threads-highest", "the same, ids that differ in 20 high bits", make_threads_highest, 200000, PLAIN, false},
    {"threads-inverse", "the same, ids against multiplicative hashes", make_threads_inverse, 200000, PLAIN, false},
    {"counters", "counter series", make_counters, 1000000, PLAIN, false},
    {"counters-high", "the same, ids that differ in their upper half", make_counters_high, 200000, PLAIN, false},
    {"flows", "flows that begin", make_flows, 1000000, PLAIN, false},
    {"flows-high", "the same, ids that differ in their upper half", make_flows_high, 200000, PLAIN, false},
    {"flows-inverse", "the same, ids against multiplicative hashes", make_flows_inverse, 200000, PLAIN, false},
    {"flow-steps", "steps of one flow without begin", make_flow_steps, 200000, PLAIN, false},
    {"flow-begins", "begins of one flow, none ended", make_flow_begins, 200000, PLAIN, false},
    {"flow-categories", "one flow id in ever new categories", make_flow_categories, 200000, PLAIN, false},
    {"asyncs", "async operations of ids of their own", make_asyncs, 1000000, PLAIN, false},
    {"asyncs-high", "the same, ids that differ in 20 high bits", make_asyncs_high, 200000, PLAIN, false},
    {"async-deep", "async operations of one id in each other", make_async_deep, 1000000, PLAIN, false},
    {"async-strays", "async ends of one id without begins", make_async_strays, 200000, PLAIN, false},
    {"async-ended", "operations of one id, ended in the order they began", make_async_ended, 200000, PLAIN, false},
    {"objects", "kernel objects", make_objects, 200000, PLAIN, false},
    {"renamed", "one thread, process and pointer under ever new names", make_renamed, 200000, PLAIN, false},
    {"cpus", "65,536 CPUs", make_cpus, 65536, PLAIN, false},
    {"wakeups", "wakeups and switches of few threads at equal times", make_wakeups, 100000, PLAIN, false},
    {"deaths", "processes that run once and are dead", make_deaths, 100000, PLAIN, false},
    {"logs", "log records at one time", make_logs, 200000, PLAIN, false},
    {"blobs", "chunks of a thousand blobs in turn", make_blobs, 200000, PLAIN, false},
    {"blob-names", "blobs", make_blob_names, 200000, PLAIN, false},
    {"profile", "modules, mappings and backtraces", make_profile, 200000, PLAIN, false},
    {"problems", "problems of one kind", make_problems, 200000, PLAIN, false},
    {"problem-kinds", "problems of many kinds", make_problem_kinds, 200000, PLAIN, false},
    {"one-time", "events of all kinds at one timestamp", make_one_time, 100000, PLAIN, false},
    {"backwards", "events of all kinds from the last to the first", make_backwards, 200000, PLAIN, false},
    {"late", "every other slice before all before it", make_late, 100000, PLAIN, false},
    {"saw", "runs of events, each before the one before it", make_saw, 200000, PLAIN, false},
    {"overlap", "slices of one thread that all partially overlap", make_overlap, 200000, PLAIN, false},
    {"overlap-asked", "the same, and as many instants and log records among them", make_overlap_asked, 100000, PLAIN, false},
    {"overlap-late", "the same, the last one first", make_overlap_late, 100000, PLAIN, false},
    {"stairs", "slices that overlap the next alone", make_stairs, 200000, PLAIN, false},
    {"same-ends", "slices that begin or end at one time", make_same_ends, 100000, PLAIN, false},
    {"mixed", "open begins, and complete events across them", make_begins_and_completes, 100000, PLAIN, false},
};

/* ---- out ---- */

static int fail(const char *what, const char *why) {
    fprintf(stderr, "hostile: %s: %s\n", what, why);
    return 2;
}

typedef VEC(unsigned char) bytes;

static void add(bytes *to, const void *v, size_t n) {
    vec_reserve(to, to->n + n);
    memcpy(to->v + to->n, v, n);
    to->n += n;
}

static void gzip(bytes *to, const void *v, size_t n) {
    z_stream z = {0};
    if (deflateInit2(&z, 9, Z_DEFLATED, 15 + 16, 9, Z_DEFAULT_STRATEGY) != Z_OK)
        err_no_memory();
    size_t most = deflateBound(&z, n) + 64;
    vec_reserve(to, to->n + most);
    z.next_in = (Bytef *)(uintptr_t)v;
    z.avail_in = (uInt)n;
    z.next_out = to->v + to->n;
    z.avail_out = (uInt)most;
    deflate(&z, Z_FINISH);
    to->n += most - z.avail_out;
    deflateEnd(&z);
}

#ifdef HAVE_ZSTD
static void zstd(bytes *to, const void *v, size_t n) {
    vec_reserve(to, to->n + ZSTD_compressBound(n));
    to->n += ZSTD_compress(to->v + to->n, ZSTD_compressBound(n), v, n, 3);
}
#endif

static void pack(bytes *to, enum packing packing, uint64_t members, const unsigned char *v, size_t n) {
    bytes once = {0};
    void *zeros = packing == GZIP_BOMB || packing == ZSTD_BOMB ? err_calloc(1, BOMB_MEMBER) : NULL;
    switch (packing) {
    case PLAIN:
        add(to, v, n);
        break;
    case GZIP_TWICE:
        gzip(&once, v, n);
        gzip(to, once.v, once.n);
        break;
    case GZIP_EMPTY_MEMBERS:
        gzip(&once, "", 0);
        for (int i = 0; i < 10000; i++)
            add(to, once.v, once.n);
        gzip(to, v, n);
        break;
    case GZIP_BOMB:
        gzip(to, v, n);
        gzip(&once, zeros, BOMB_MEMBER);
        for (uint64_t i = 0; i < members; i++)
            add(to, once.v, once.n);
        break;
#ifdef HAVE_ZSTD
    case ZSTD:
    case ZSTD_CUT:
        zstd(to, v, n);
        break;
    case ZSTD_BOMB:
        zstd(to, v, n);
        zstd(&once, zeros, BOMB_MEMBER);
        for (uint64_t i = 0; i < members; i++)
            add(to, once.v, once.n);
        break;
#endif
    default:
        gzip(to, v, n);
        break;
    }
    if (packing == GZIP_CUT || packing == ZSTD_CUT)
        to->n /= 2;
    if (packing == GZIP_DAMAGED)
        to->v[to->n / 2] ^= 0xff;
    if (packing == GZIP_TRAILING)
        add(to, "\033[2J behind it", 13);
    free(zeros);
    vec_free(&once);
}

static int write_case(const char *out, const struct hostile_text *t, const struct hostile_case *c, uint64_t n) {
    struct hostile h = {.n = n, .chance = {UINT64_C(0x9E3779B97F4A7C15)}};
    struct err err;
    bytes all = {0};
    writer_init(&h.w, NULL);
    if (t)
        make_text(&h, t);
    else
        c->make(&h);
    if (!writer_flush(&h.w, &err))
        return fail(t ? t->name : c->name, err.text);
    pack(&all, t ? PLAIN : c->packing, n, h.w.bytes.v, h.w.bytes.n);
    writer_free(&h.w);
    FILE *f = fopen(out, "wb");
    if (f == NULL || fwrite(all.v, 1, all.n, f) != all.n || fclose(f) != 0)
        return fail(out, strerror(errno));
    vec_free(&all);
    return 0;
}

int main(int argc, char **argv) {
    size_t ntexts = sizeof texts / sizeof *texts, ncases = sizeof cases / sizeof *cases;
    if (argc == 2 && strcmp(argv[1], "list") == 0) {
        for (size_t i = 0; i < ntexts; i++)
            printf("%s small trace 0 %s\n", texts[i].name, texts[i].what);
        for (size_t i = 0; i < ncases; i++)
            printf("%s %s %s %" PRIu64 " %s\n", cases[i].name, cases[i].n ? "big" : "small",
                   cases[i].refused ? "refused" : "trace", cases[i].n, cases[i].what);
        return 0;
    }
    if (argc != 3 && argc != 4)
        return fail("usage", "hostile list | hostile CASE OUT [N]");
    uint64_t n = argc == 4 ? strtoull(argv[3], NULL, 10) : 0;
    for (size_t i = 0; i < ntexts; i++)
        if (strcmp(texts[i].name, argv[1]) == 0)
            return write_case(argv[2], &texts[i], NULL, 0);
    for (size_t i = 0; i < ncases; i++)
        if (strcmp(cases[i].name, argv[1]) == 0)
            return write_case(argv[2], NULL, &cases[i], n ? n : cases[i].n);
    return fail(argv[1], "no such case");
}
