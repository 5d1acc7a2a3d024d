/* hostile_text.c - cases of text: escape sequences, bidi and the like, in every field that can hold
 * a string.
 *
 * Each string is a name, a category, an argument, a provider, an object, a log message, a blob. It
 * is registered under an index, and inline if it is short enough. */
#include "tests/system/hostile.h"

#include <string.h>

#define T(s)                                                                                       \
    { s, sizeof(s) - 1 }

const struct hostile_text texts[] = {
    {"text-csi",
     "colours, cursor movement and reports of CSI sequences",
     {T("\033[31mred\033[0m"), T("\033[2J\033[H"), T("\033[6n\033[c"), T("\033[?1049l\033[?25l"),
      T("\033[5;1t\033[21t")}},
    {"text-osc",
     "OSC 0, 8, 52 and 4: title, link, clipboard, palette",
     {T("\033]0;title\a"), T("\033]8;;http://example.org\033\\link\033]8;;\033\\"),
      T("\033]52;c;cm0gLXJmIC8=\a"), T("\033]4;1;?\a"), T("\033]1337;File=:AAAA\a")}},
    {"text-dcs",
     "DCS, APC, PM, SOS, and what is left open",
     {T("\033P+q544e\033\\"), T("\033_Gi=1;AAAA\033\\"), T("\033^pm\033\\"), T("\033Xsos\033\\"),
      T("\033P"), T("\033]0;")}},
    {"text-escape",
     "ESC with one more character, charsets, reset, and alone at the end",
     {T("\033c"), T("\033(0lqk"), T("\033#8"), T("\033N\033O"), T("\016shift out\017"), T("\033"),
      T("end\033[")}},
    {"text-c0",
     "each control character",
     {T("\001\002\003\004\005\006\a\b\t\n\v\f\r\016\017"),
      T("\020\021\022\023\024\025\026\027\030\031\032\033\034\035\036\037\177"), T("bell\a\a\a"),
      T("\b\b\b\bover")}},
    {"text-newlines",
     "line ends of all kinds",
     {T("a\nb"), T("a\rb"), T("a\r\nb"), T("a\vb\fc"),
      T("a\xC2\x85"
        "b"),
      T("a\xE2\x80\xA8"
        "b\xE2\x80\xA9"
        "c"),
      T("\n\n\n\n")}},
    {"text-nul",
     "NUL bytes",
     {T("\0"), T("a\0b"), T("\0\0\0\0\0\0\0\0"), T("flag\0"), T("a\0\033[2J")}},
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
     {T("\xE2\x80\xAEgpj.exe"), T("\xE2\x80\xAD\xE2\x80\xAC"),
      T("\xE2\x81\xA6\xE2\x81\xA7\xE2\x81\xA8\xE2\x81\xA9"), T("\xE2\x80\x8E\xE2\x80\x8F\xD8\x9C"),
      T("\xE2\x80\xAA\xE2\x80\xAB"), T("a\xE2\x80\xAE")}},
    {"text-zero-width",
     "joiners, spaces and fillers that nobody sees",
     {T("pass\xE2\x80\x8Bword"), T("\xE2\x80\x8C\xE2\x80\x8D\xEF\xBB\xBF"),
      T("\xE2\x81\xA0\xC2\xAD\xCD\x8F"), T("\xE1\x85\x9F\xE3\x85\xA4\xEF\xBE\xA0"),
      T("\xE1\xA0\x8E\xE1\x9E\xB4\xE1\x9E\xB5"), T("\xE2\x81\xA4")}},
    {"text-emoji",
     "joined, flagged and toned emoji, variation selectors",
     {T("\xF0\x9F\x91\xA8\xE2\x80\x8D\xF0\x9F\x91\xA9\xE2\x80\x8D\xF0\x9F\x91\xA7"),
      T("\xF0\x9F\x87\xA9\xF0\x9F\x87\xAA"), T("\xF0\x9F\x91\x8D\xF0\x9F\x8F\xBF"),
      T("\xE2\x9D\xA4\xEF\xB8\x8F"), T("1\xEF\xB8\x8F\xE2\x83\xA3")}},
    {"text-tags",
     "tag characters and supplementary selectors",
     {T("\xF3\xA0\x80\x81\xF3\xA0\x81\x81\xF3\xA0\x81\xBF"),
      T("\xF0\x9F\x8F\xB4\xF3\xA0\x81\xA7\xF3\xA0\x81\xA2\xF3\xA0\x81\xBF"),
      T("\xF3\xA0\x84\x80")}},
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
     {T("\xED\xA0\x80\xED\xB0\x80"), T("\xED\xBF\xBF"), T("\xF4\x90\x80\x80"),
      T("\xF8\x88\x80\x80\x80\xFF\xFE"), T("a\xE2\x80"), T("\xF0\x9F"), T("\x80\xBF\xC2")}},
    {"text-format",
     "what printf and shells would take",
     {T("%n%n%s%x%1000000d"), T("$(reboot)`id`;|&"), T("'\"\\"), T("\\u001b[2J"),
      T("<U+202E>^[\\x1b"), T("%s%s%s%s%s%s")}},
    {"text-formula",
     "what a spreadsheet would take for a formula",
     {T("=cmd|'/C calc'!A0"), T("+1+1"), T("-2+3"), T("@SUM(1)"), T("\t=1"), T("\r=1"), T("\",=1"),
      T("=\"\r\n=2")}},
    {"text-markup",
     "JSON, HTML and CSV of its own",
     {T("\"},{\"type\":\"end\"}"), T("</script><b>&amp;"), T("a,b\",\"c\r\n=1,2"), T("\\"),
      T("\\\"")}},
    {"text-wide",
     "wide, halfwidth and disputed characters, marks alone",
     {T("\xE6\xBC\xA2\xE5\xAD\x97"), T("\xEF\xBD\xA1\xEF\xBE\x9F"), T("\xCC\x81lone"),
      T("\xE1\x84\x80\xE1\x85\xA1\xE1\x86\xA8"), T("\xE2\x84\xA2\xE2\x99\x80"),
      T("\xE0\xB8\x81\xE0\xB8\xB3"), T("\xEF\xB7\xBD")}},
};
const size_t n_texts = sizeof texts / sizeof *texts;

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
    struct writer_argument args[2] = {writer_number(FXT_ARG_KOID, text("process"), koid),
                                      writer_text(s, s)};
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
    writer_mmap(&h->w, h->ts += 1000, thread,
                &(struct writer_mapping){1, 5, 0x1000, 0x2000, 0x3000});
    uint64_t pcs[2] = {0x1000, UINT64_MAX};
    writer_backtrace(&h->w, h->ts += 1000, thread, pcs, 2);
    writer_blob(&h->w, s, FXT_BLOB_DATA, bytes);
    writer_blob(&h->w, s, FXT_BLOB_PERFETTO, bytes);
    writer_blob(&h->w, s, 77, bytes);
    e.ts = h->ts += 1000;
    e.args = list(args, 2);
    writer_large_event(&h->w, &e, bytes);
    writer_large_attachment(&h->w, s, s, bytes);
    struct writer_argument weight[3] = {writer_number(FXT_ARG_INT32, s, 1),
                                        writer_text(text("incoming_weight"), s), writer_text(s, s)};
    struct writer_switch sw = {.ts = h->ts += 1000,
                               .cpu = 3,
                               .out_state = 9,
                               .out_tid = TID,
                               .in_tid = koid + 1,
                               .args = list(weight, 3)};
    writer_switch(&h->w, &sw);
    writer_wakeup(&h->w, h->ts += 1000, 3, koid + 1, list(weight, 3));
    sw = (struct writer_switch){.ts = h->ts += 1000,
                                .cpu = 3,
                                .out_state = 15,
                                .out = thread,
                                .in = writer_inline_thread(PID, TID)};
    writer_switch_legacy(&h->w, &sw);
    struct writer_argument lost[2] = {writer_number(FXT_ARG_UINT64, text("num_records"), 3),
                                      writer_text(s, s)};
    e = event(h, "ktrace_drop_stats");
    e.category = text("kernel:meta");
    e.args = list(lost, 2);
    writer_complete(&h->w, &e, e.ts + 10);
}

void everywhere(struct hostile *h, struct str s, uint16_t number) {
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

void make_text(struct hostile *h, const struct hostile_text *t) {
    open_trace(h);
    writer_kernel_object(&h->w, FXT_OBJECT_PROCESS, PID,
                         writer_inline((struct str){t->v[0].s, t->v[0].n}), list(NULL, 0));
    for (uint16_t i = 0; i < 8 && t->v[i].s; i++)
        everywhere(h, (struct str){t->v[i].s, t->v[i].n}, (uint16_t)(i + 1));
}

void filled(struct hostile *h, const char *unit, size_t n) {
    static char bytes[WRITER_STRING_MAX];
    size_t length = strlen(unit), at = 0;
    while (at + length <= n) {
        memcpy(bytes + at, unit, length);
        at += length;
    }
    open_trace(h);
    everywhere(h, (struct str){bytes, at}, 1);
}

void make_marks(struct hostile *h) { /* 4,000 combining marks on one letter */
    static char bytes[8001] = "e";
    for (size_t i = 0; i < 4000; i++)
        memcpy(bytes + 1 + 2 * i, "\xCC\x81", 2);
    open_trace(h);
    everywhere(h, (struct str){bytes, sizeof bytes}, 1);
}

void make_long(struct hostile *h) {
    filled(h, "name", WRITER_STRING_MAX);
}

void make_long_escapes(struct hostile *h) {
    filled(h, "\033[2J\xE2\x80\xAE", WRITER_STRING_MAX);
}

void make_long_bad(struct hostile *h) {
    filled(h, "\xFF", WRITER_STRING_MAX);
}

void make_long_wide(struct hostile *h) {
    filled(h, "\xE6\xBC\xA2", WRITER_STRING_MAX);
}

void make_long_blank(struct hostile *h) {
    filled(h, " ", WRITER_STRING_MAX);
}
