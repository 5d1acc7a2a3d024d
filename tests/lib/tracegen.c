/* tracegen.c - see tracegen.h for the language. Well-formed records come from src/fxt/writer.c;
 * what follows `poke`, `size`, `flip` and `cut` changes bytes that are already there. */
#include "tests/lib/tracegen.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "src/fxt/record.h"
#include "tests/lib/tracegen_internal.h"

#define MAX_PCS 256

/* ---- records ---- */

static bool big_endian(struct gen *g) {
    if (g->w.records > 0 || g->w.bytes.n > 0)
        return tracegen_wrong(g, "big_endian comes first");
    return g->w.big_endian = true;
}

static bool magic(struct gen *g) {
    return writer_magic(&g->w);
}

static bool provider(struct gen *g) {
    uint32_t id = tracegen_small(g);
    return writer_provider_info(&g->w, id, tracegen_quoted(g));
}

static bool section(struct gen *g) {
    return writer_provider_section(&g->w, tracegen_small(g));
}

static bool provider_event(struct gen *g) {
    uint32_t id = tracegen_small(g);
    return writer_provider_event(&g->w, id, tracegen_small(g));
}

static bool trace_info(struct gen *g) {
    unsigned type = tracegen_small(g);
    return writer_trace_info(&g->w, type, tracegen_number(g));
}

static bool init(struct gen *g) {
    uint64_t tps = tracegen_number(g);
    if (tracegen_at_end(g))
        return writer_init_record(&g->w, tps);
    uint64_t base = tracegen_number(g);
    return writer_init_base(&g->w, tps, base, tracegen_number(g));
}

static bool string_record(struct gen *g) {
    uint16_t index = (uint16_t)tracegen_small(g);
    return writer_string(&g->w, index, tracegen_bytes(g));
}

static bool thread_record(struct gen *g) {
    uint8_t index = (uint8_t)tracegen_small(g);
    uint64_t pid = tracegen_number(g);
    return writer_thread(&g->w, index, pid, tracegen_number(g));
}

static bool event(struct gen *g, enum fxt_event type, const char *tail_word) {
    struct writer_argument args[TRACEGEN_ARGS];
    struct tracegen_tail tail = {.word = tail_word};
    struct writer_event e = {.ts = tracegen_number(g)};
    e.thread = tracegen_thread(g);
    e.category = tracegen_string(g);
    e.name = tracegen_string(g);
    e.args = tracegen_arguments(g, args, tail_word ? &tail : NULL);
    if (tail_word && !tail.given && type != FXT_INSTANT)
        return tracegen_wrong(g, "id= or end= is missing");
    switch (type) {
    case FXT_INSTANT:
        return tail.given ? writer_instant_scope(&g->w, &e, tail.value) : writer_instant(&g->w, &e);
    case FXT_DURATION_BEGIN:
        return writer_begin(&g->w, &e);
    case FXT_DURATION_END:
        return writer_end(&g->w, &e);
    case FXT_DURATION_COMPLETE:
        return writer_complete(&g->w, &e, tail.value);
    case FXT_COUNTER:
        return writer_counter(&g->w, &e, tail.value);
    case FXT_FLOW_BEGIN:
    case FXT_FLOW_STEP:
    case FXT_FLOW_END:
        return writer_flow(&g->w, type, &e, tail.value);
    default:
        return writer_async(&g->w, type, &e, tail.value);
    }
}

static bool instant(struct gen *g) {
    return event(g, FXT_INSTANT, "scope");
}

static bool counter(struct gen *g) {
    return event(g, FXT_COUNTER, "id");
}

static bool begin(struct gen *g) {
    return event(g, FXT_DURATION_BEGIN, NULL);
}

static bool end(struct gen *g) {
    return event(g, FXT_DURATION_END, NULL);
}

static bool complete(struct gen *g) {
    return event(g, FXT_DURATION_COMPLETE, "end");
}

static bool async_begin(struct gen *g) {
    return event(g, FXT_ASYNC_BEGIN, "id");
}

static bool async_instant(struct gen *g) {
    return event(g, FXT_ASYNC_INSTANT, "id");
}

static bool async_end(struct gen *g) {
    return event(g, FXT_ASYNC_END, "id");
}

static bool flow_begin(struct gen *g) {
    return event(g, FXT_FLOW_BEGIN, "id");
}

static bool flow_step(struct gen *g) {
    return event(g, FXT_FLOW_STEP, "id");
}

static bool flow_end(struct gen *g) {
    return event(g, FXT_FLOW_END, "id");
}

static bool blob(struct gen *g) {
    struct writer_string name = tracegen_string(g);
    unsigned type = tracegen_small(g);
    return writer_blob(&g->w, name, type, tracegen_bytes(g));
}

static bool userspace_object(struct gen *g) {
    struct writer_argument args[TRACEGEN_ARGS];
    uint64_t pointer = tracegen_number(g);
    struct writer_thread process = tracegen_thread(g);
    struct writer_string name = tracegen_string(g);
    return writer_userspace_object(&g->w, pointer, process, name,
                                   tracegen_arguments(g, args, NULL));
}

static bool kernel_object(struct gen *g) {
    struct writer_argument args[TRACEGEN_ARGS];
    unsigned type = tracegen_small(g);
    uint64_t koid = tracegen_number(g);
    struct writer_string name = tracegen_string(g);
    return writer_kernel_object(&g->w, type, koid, name, tracegen_arguments(g, args, NULL));
}

static bool switch_record(struct gen *g) {
    struct writer_argument args[TRACEGEN_ARGS];
    struct writer_switch s = {.ts = tracegen_number(g)};
    s.cpu = tracegen_small(g);
    s.out_tid = tracegen_number(g);
    s.out_state = tracegen_small(g);
    s.in_tid = tracegen_number(g);
    s.args = tracegen_arguments(g, args, NULL);
    return writer_switch(&g->w, &s);
}

static bool switch_legacy(struct gen *g) {
    struct writer_switch s = {.ts = tracegen_number(g)};
    s.cpu = tracegen_small(g);
    s.out = tracegen_thread(g);
    s.out_state = tracegen_small(g);
    s.in = tracegen_thread(g);
    s.out_priority = (uint8_t)tracegen_small(g);
    s.in_priority = (uint8_t)tracegen_small(g);
    return writer_switch_legacy(&g->w, &s);
}

static bool wakeup(struct gen *g) {
    struct writer_argument args[TRACEGEN_ARGS];
    uint64_t ts = tracegen_number(g);
    unsigned cpu = tracegen_small(g);
    uint64_t tid = tracegen_number(g);
    return writer_wakeup(&g->w, ts, cpu, tid, tracegen_arguments(g, args, NULL));
}

static bool log_record(struct gen *g) {
    uint64_t ts = tracegen_number(g);
    struct writer_thread t = tracegen_thread(g);
    return writer_log(&g->w, ts, t, tracegen_bytes(g));
}

static bool module(struct gen *g) {
    uint64_t ts = tracegen_number(g);
    struct writer_thread t = tracegen_thread(g);
    unsigned id = tracegen_small(g);
    struct str name = tracegen_quoted(g);
    return writer_module(&g->w, ts, t, id, name, tracegen_bytes(g));
}

static bool mmap_record(struct gen *g) {
    uint64_t ts = tracegen_number(g);
    struct writer_thread t = tracegen_thread(g);
    struct writer_mapping m = {.module_id = tracegen_small(g)};
    m.flags = tracegen_small(g);
    m.start = tracegen_number(g);
    m.size = tracegen_number(g);
    m.address = tracegen_number(g);
    return writer_mmap(&g->w, ts, t, &m);
}

static bool backtrace(struct gen *g) {
    uint64_t pcs[MAX_PCS], ts = tracegen_number(g);
    struct writer_thread t = tracegen_thread(g);
    size_t n = 0;
    while (g->why == NULL && !tracegen_at_end(g) && n < MAX_PCS)
        pcs[n++] = tracegen_number(g);
    return writer_backtrace(&g->w, ts, t, pcs, n);
}

static bool large_event(struct gen *g) {
    struct writer_argument args[TRACEGEN_ARGS];
    struct writer_event e = {.ts = tracegen_number(g)};
    e.thread = tracegen_thread(g);
    e.category = tracegen_string(g);
    e.name = tracegen_string(g);
    struct str payload = tracegen_bytes(g);
    e.args = tracegen_arguments(g, args, NULL);
    return writer_large_event(&g->w, &e, payload);
}

static bool large_attachment(struct gen *g) {
    struct writer_string category = tracegen_string(g), name = tracegen_string(g);
    return writer_large_attachment(&g->w, category, name, tracegen_bytes(g));
}

/* ---- what is no record ---- */

static bool words(struct gen *g) {
    do
        writer_word(&g->w, tracegen_number(g));
    while (g->why == NULL && !tracegen_at_end(g));
    return true;
}

static bool raw_bytes(struct gen *g) {
    while (!tracegen_at_end(g)) {
        char *stop;
        unsigned long v = strtoul(g->p, &stop, 16);
        if (stop == g->p || v > 255)
            return tracegen_wrong(g, "bytes are two hexadecimal digits each");
        unsigned char byte = (unsigned char)v;
        writer_bytes(&g->w, &byte, 1);
        g->p = stop;
    }
    return true;
}

static bool zeros(struct gen *g) {
    for (unsigned n = tracegen_small(g); n > 0; n--)
        writer_word(&g->w, 0);
    return true;
}

static bool cut(struct gen *g) {
    uint64_t n = tracegen_number(g);
    if (n > g->w.bytes.n)
        return tracegen_wrong(g, "there are not that many bytes");
    g->w.bytes.n -= n;
    return true;
}

static bool flip(struct gen *g) {
    uint64_t at = tracegen_number(g);
    unsigned bit = tracegen_small(g);
    if (at >= g->w.bytes.n || bit > 7)
        return tracegen_wrong(g, "there is no such bit");
    g->w.bytes.v[at] ^= (unsigned char)(1u << bit);
    return true;
}

static bool poke(struct gen *g) {
    uint64_t i = tracegen_number(g), value = tracegen_number(g);
    if (g->w.bytes.n - g->last < 8 || i > (g->w.bytes.n - g->last) / 8 - 1)
        return tracegen_wrong(g, "the last record has no such word");
    value = record_order(value, g->w.big_endian);
    memcpy(g->w.bytes.v + g->last + i * 8, &value, 8);
    return true;
}

static bool size(struct gen *g) {
    uint64_t h, n = tracegen_number(g);
    if (g->w.bytes.n - g->last < 8)
        return tracegen_wrong(g, "there is no record yet");
    memcpy(&h, g->w.bytes.v + g->last, 8);
    h = record_order(h, g->w.big_endian);
    if (FXT_BITS(h, 0, 3) == FXT_LARGE)
        h = (h & ~FXT_PUT(UINT64_MAX, 4, 35)) | FXT_PUT(n, 4, 35);
    else
        h = (h & ~FXT_PUT(UINT64_MAX, 4, 15)) | FXT_PUT(n, 4, 15);
    h = record_order(h, g->w.big_endian);
    memcpy(g->w.bytes.v + g->last, &h, 8);
    return true;
}

static const struct {
    const char *word;
    bool (*write)(struct gen *g); /* false: g->why or the writer has the reason */
    bool starts;                  /* what it writes is the last record from now on */
} commands[] = {
    {"big_endian", big_endian, false},
    {"magic", magic, true},
    {"provider", provider, true},
    {"section", section, true},
    {"provider_event", provider_event, true},
    {"trace_info", trace_info, true},
    {"init", init, true},
    {"string", string_record, true},
    {"thread", thread_record, true},
    {"instant", instant, true},
    {"counter", counter, true},
    {"begin", begin, true},
    {"end", end, true},
    {"complete", complete, true},
    {"async_begin", async_begin, true},
    {"async_instant", async_instant, true},
    {"async_end", async_end, true},
    {"flow_begin", flow_begin, true},
    {"flow_step", flow_step, true},
    {"flow_end", flow_end, true},
    {"blob", blob, true},
    {"userspace_object", userspace_object, true},
    {"kernel_object", kernel_object, true},
    {"switch", switch_record, true},
    {"switch_legacy", switch_legacy, true},
    {"wakeup", wakeup, true},
    {"log", log_record, true},
    {"module", module, true},
    {"mmap", mmap_record, true},
    {"backtrace", backtrace, true},
    {"large_event", large_event, true},
    {"large_attachment", large_attachment, true},
    {"word", words, true},
    {"bytes", raw_bytes, true},
    {"zeros", zeros, true},
    {"cut", cut, false},
    {"flip", flip, false},
    {"poke", poke, false},
    {"size", size, false},
};

static bool line(struct gen *g) {
    if (tracegen_at_end(g))
        return true;
    size_t n = 0, i = 0, start = g->w.bytes.n, count = sizeof commands / sizeof *commands;
    while (!tracegen_ends_token(g->p[n]))
        n++;
    while (i < count && !(strlen(commands[i].word) == n && memcmp(commands[i].word, g->p, n) == 0))
        i++;
    if (i == count)
        return tracegen_wrong(g, "no such record");
    g->p += n;
    bool ok = commands[i].write(g);
    if (commands[i].starts)
        g->last = start;
    if (g->why == NULL && !tracegen_at_end(g))
        tracegen_wrong(g, "something follows at the end of the line");
    if (!ok && g->why == NULL)
        g->why = g->w.err.text;
    return g->why == NULL;
}

struct trace_bytes tracegen(const char *text, struct err *err) {
    struct gen g = {0};
    struct trace_bytes out = {NULL, 0};
    uint64_t number_of_line = 1;
    writer_init(&g.w, NULL);
    for (;; number_of_line++) {
        g.p = text;
        if (!line(&g))
            break;
        text += strcspn(text, "\n");
        if (*text == '\0')
            break;
        text++;
    }
    if (g.why == NULL) {
        out.n = g.w.bytes.n;
        out.v = err_malloc(out.n);
        if (out.n > 0)
            memcpy(out.v, g.w.bytes.v, out.n);
    } else {
        err_set(err, number_of_line, "line %llu: %s", (unsigned long long)number_of_line, g.why);
    }
    for (size_t i = 0; i < g.kept.n; i++)
        free(g.kept.v[i]);
    vec_free(&g.kept);
    writer_free(&g.w);
    return out;
}

char *tracegen_text(const char *name, struct err *err) {
    const char *srcdir = getenv("srcdir");
    char path[4096];
    snprintf(path, sizeof path, "%s/tests/traces/%s", srcdir && *srcdir ? srcdir : ".", name);
    FILE *f = fopen(path, "rb");
    if (f == NULL) {
        err_set(err, ERR_NO_OFFSET, "%s: %s", path, strerror(errno));
        return NULL;
    }
    VEC(char) text = {0};
    size_t n;
    do {
        vec_reserve(&text, text.n + 65536);
        n = fread(text.v + text.n, 1, text.cap - text.n - 1, f);
        text.n += n;
    } while (n > 0);
    fclose(f);
    text.v[text.n] = '\0';
    return text.v;
}

struct trace_bytes tracegen_load(const char *name, struct err *err) {
    char file[256];
    snprintf(file, sizeof file, "%s.txt", name);
    char *text = tracegen_text(file, err);
    if (text == NULL)
        return (struct trace_bytes){NULL, 0};
    struct trace_bytes trace = tracegen(text, err);
    free(text);
    return trace;
}
