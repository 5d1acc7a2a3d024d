/* tracegen.c - see tracegen.h for the language. Well-formed records come from src/fxt/writer.c; what follows `poke`,
 * `size`, `flip` and `cut` changes bytes that are already there. */
#include "tests/lib/tracegen.h"

#include <ctype.h>
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "src/fxt/record.h"
#include "src/fxt/writer.h"

#define MAX_ARGS 16 /* one more than a record holds, so that the writer is the one to refuse it */
#define MAX_PCS 256

struct gen {
    const char *p;   /* the rest of the line */
    const char *why; /* NULL: no mistake yet */
    struct writer w;
    size_t last;      /* where the last record starts */
    VEC(char *) kept; /* decoded strings */
};

static bool wrong(struct gen *g, const char *why) {
    if (g->why == NULL)
        g->why = why;
    return false;
}

/* ---- tokens ---- */

static bool blank(char c) {
    return c == ' ' || c == '\t' || c == '\r';
}

static bool at_end(struct gen *g) {
    while (blank(*g->p))
        g->p++;
    return *g->p == '\0' || *g->p == '\n' || *g->p == '#';
}

static bool ends_token(char c) {
    return c == '\0' || c == '\n' || c == '#' || blank(c);
}

static char *keep(struct gen *g, size_t n) {
    char *s = err_malloc(n + 1);
    vec_push(&g->kept, s);
    return s;
}

static uint64_t number(struct gen *g) {
    char *end;
    if (at_end(g))
        return wrong(g, "a number is missing");
    errno = 0;
    uint64_t v = *g->p == '-' ? (uint64_t)strtoll(g->p, &end, 0) : strtoull(g->p, &end, 0);
    if (end == g->p || errno != 0)
        return wrong(g, "not a number");
    g->p = end;
    return v;
}

static unsigned small(struct gen *g) {
    uint64_t v = number(g);
    if (v > UINT32_MAX)
        wrong(g, "the number is too large");
    return (unsigned)v;
}

static bool escape(struct gen *g, char *out) {
    char hex[3] = "";
    switch (*g->p++) {
    case 'n':
        *out = '\n';
        return true;
    case 't':
        *out = '\t';
        return true;
    case 'e':
        *out = '\x1b';
        return true;
    case '"':
    case '\\':
        *out = g->p[-1];
        return true;
    case 'x':
        if (!isxdigit((unsigned char)g->p[0]) || !isxdigit((unsigned char)g->p[1]))
            return wrong(g, "\\x wants two hexadecimal digits");
        memcpy(hex, g->p, 2);
        *out = (char)strtoul(hex, NULL, 16);
        g->p += 2;
        return true;
    default:
        return wrong(g, "unknown escape");
    }
}

static struct str quoted(struct gen *g) {
    if (at_end(g) || *g->p != '"') {
        wrong(g, "a \"string\" is missing");
        return STR("");
    }
    char *s = keep(g, strcspn(g->p, "\n"));
    size_t n = 0;
    for (g->p++; *g->p != '"'; n++) {
        if (*g->p == '\0' || *g->p == '\n') {
            wrong(g, "the string has no end");
            break;
        }
        if (*g->p != '\\')
            s[n] = *g->p++;
        else if (g->p++, !escape(g, &s[n]))
            break;
    }
    g->p += *g->p == '"';
    return (struct str){s, n};
}

static struct str bytes(struct gen *g) {
    if (at_end(g) || strncmp(g->p, "fill:", 5) != 0)
        return quoted(g);
    g->p += 5;
    size_t n = small(g);
    char *s = keep(g, n);
    for (size_t i = 0; i < n; i++)
        s[i] = (char)i;
    return (struct str){s, n};
}

static bool is_index(const char *p) {
    if (*p++ != 's' || !isdigit((unsigned char)*p))
        return false;
    while (isdigit((unsigned char)*p))
        p++;
    return ends_token(*p) || *p == '=';
}

static struct writer_string string(struct gen *g) {
    if (!at_end(g) && is_index(g->p)) {
        g->p++;
        return writer_index((uint16_t)small(g));
    }
    bool even_empty = *g->p == 'i';
    g->p += even_empty;
    struct str s = quoted(g);
    return s.n > 0 || even_empty ? writer_inline(s) : writer_index(0);
}

static struct writer_thread thread(struct gen *g) {
    struct writer_thread t = {0};
    if (!at_end(g) && *g->p == 't') {
        g->p++;
        t.index = (uint8_t)small(g);
        return t;
    }
    t.pid = number(g);
    if (*g->p++ != '/') {
        g->p--;
        wrong(g, "a thread is t1, 5/6 or 5/-");
    } else if (*g->p == '-' && ends_token(g->p[1])) {
        g->p++;
        t.no_tid = true;
    } else {
        t.tid = number(g);
    }
    return t;
}

/* ---- arguments ---- */

static const struct {
    const char *word;
    uint8_t type;
} argument_types[] = {
    {"i32:", FXT_ARG_INT32},  {"u32:", FXT_ARG_UINT32},  {"i64:", FXT_ARG_INT64}, {"u64:", FXT_ARG_UINT64},
    {"f64:", FXT_ARG_DOUBLE}, {"ptr:", FXT_ARG_POINTER}, {"koid:", FXT_ARG_KOID}, {"bool:", FXT_ARG_BOOL},
    {"blob:", FXT_ARG_BLOB},  {"null", FXT_ARG_NULL},    {"type", 255},
};

static void typed_value(struct gen *g, struct writer_argument *a) {
    size_t i = 0, n = sizeof argument_types / sizeof *argument_types;
    while (i < n && strncmp(g->p, argument_types[i].word, strlen(argument_types[i].word)) != 0)
        i++;
    if (i == n) {
        a->type = FXT_ARG_STRING;
        a->string = string(g);
        return;
    }
    g->p += strlen(argument_types[i].word);
    a->type = argument_types[i].type;
    switch (a->type) {
    case FXT_ARG_NULL:
        break;
    case 255:
        a->type = (uint8_t)small(g);
        break;
    case FXT_ARG_BLOB:
        a->blob = bytes(g);
        break;
    case FXT_ARG_BOOL:
        a->bits = *g->p == 't';
        g->p += strcspn(g->p, " \t\n#");
        break;
    case FXT_ARG_DOUBLE: {
        char *end;
        *a = writer_double(a->name, strtod(g->p, &end));
        if (end == g->p)
            wrong(g, "not a double");
        g->p = end;
        break;
    }
    default:
        a->bits = number(g);
        break;
    }
}

struct tail { /* word=NUMBER: the word that some events have after their arguments */
    const char *word;
    uint64_t value;
    bool given;
};

static bool is_tail(const char *p, const struct tail *tail) {
    size_t n = tail ? strlen(tail->word) : 0;
    return tail && strncmp(p, tail->word, n) == 0 && p[n] == '=' && isdigit((unsigned char)p[n + 1]);
}

static struct writer_string argument_name(struct gen *g) {
    if (*g->p == '"' || (*g->p == 'i' && g->p[1] == '"') || is_index(g->p))
        return string(g);
    size_t n = strcspn(g->p, "= \t\n#");
    struct str s = {g->p, n};
    g->p += n;
    return writer_inline(s);
}

static struct writer_arguments arguments(struct gen *g, struct writer_argument args[MAX_ARGS], struct tail *tail) {
    size_t n = 0;
    while (g->why == NULL && !at_end(g)) {
        if (is_tail(g->p, tail)) {
            g->p += strlen(tail->word) + 1;
            tail->value = number(g);
            tail->given = true;
            continue;
        }
        if (n == MAX_ARGS) {
            wrong(g, "too many arguments");
            break;
        }
        args[n] = (struct writer_argument){.name = argument_name(g)};
        if (*g->p++ != '=') {
            g->p--;
            wrong(g, "an argument is name=value");
            break;
        }
        typed_value(g, &args[n++]);
        if (!ends_token(*g->p))
            wrong(g, "something follows the value");
    }
    return (struct writer_arguments){args, n};
}

/* ---- records ---- */

static bool big_endian(struct gen *g) {
    if (g->w.records > 0 || g->w.bytes.n > 0)
        return wrong(g, "big_endian comes first");
    return g->w.big_endian = true;
}

static bool magic(struct gen *g) {
    return writer_magic(&g->w);
}

static bool provider(struct gen *g) {
    uint32_t id = small(g);
    return writer_provider_info(&g->w, id, quoted(g));
}

static bool section(struct gen *g) {
    return writer_provider_section(&g->w, small(g));
}

static bool provider_event(struct gen *g) {
    uint32_t id = small(g);
    return writer_provider_event(&g->w, id, small(g));
}

static bool trace_info(struct gen *g) {
    unsigned type = small(g);
    return writer_trace_info(&g->w, type, number(g));
}

static bool init(struct gen *g) {
    uint64_t tps = number(g);
    if (at_end(g))
        return writer_init_record(&g->w, tps);
    uint64_t base = number(g);
    return writer_init_base(&g->w, tps, base, number(g));
}

static bool string_record(struct gen *g) {
    uint16_t index = (uint16_t)small(g);
    return writer_string(&g->w, index, bytes(g));
}

static bool thread_record(struct gen *g) {
    uint8_t index = (uint8_t)small(g);
    uint64_t pid = number(g);
    return writer_thread(&g->w, index, pid, number(g));
}

static bool event(struct gen *g, enum fxt_event type, const char *tail_word) {
    struct writer_argument args[MAX_ARGS];
    struct tail tail = {.word = tail_word};
    struct writer_event e = {.ts = number(g)};
    e.thread = thread(g);
    e.category = string(g);
    e.name = string(g);
    e.args = arguments(g, args, tail_word ? &tail : NULL);
    if (tail_word && !tail.given && type != FXT_INSTANT)
        return wrong(g, "id= or end= is missing");
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
    struct writer_string name = string(g);
    unsigned type = small(g);
    return writer_blob(&g->w, name, type, bytes(g));
}

static bool userspace_object(struct gen *g) {
    struct writer_argument args[MAX_ARGS];
    uint64_t pointer = number(g);
    struct writer_thread process = thread(g);
    struct writer_string name = string(g);
    return writer_userspace_object(&g->w, pointer, process, name, arguments(g, args, NULL));
}

static bool kernel_object(struct gen *g) {
    struct writer_argument args[MAX_ARGS];
    unsigned type = small(g);
    uint64_t koid = number(g);
    struct writer_string name = string(g);
    return writer_kernel_object(&g->w, type, koid, name, arguments(g, args, NULL));
}

static bool switch_record(struct gen *g) {
    struct writer_argument args[MAX_ARGS];
    struct writer_switch s = {.ts = number(g)};
    s.cpu = small(g);
    s.out_tid = number(g);
    s.out_state = small(g);
    s.in_tid = number(g);
    s.args = arguments(g, args, NULL);
    return writer_switch(&g->w, &s);
}

static bool switch_legacy(struct gen *g) {
    struct writer_switch s = {.ts = number(g)};
    s.cpu = small(g);
    s.out = thread(g);
    s.out_state = small(g);
    s.in = thread(g);
    s.out_priority = (uint8_t)small(g);
    s.in_priority = (uint8_t)small(g);
    return writer_switch_legacy(&g->w, &s);
}

static bool wakeup(struct gen *g) {
    struct writer_argument args[MAX_ARGS];
    uint64_t ts = number(g);
    unsigned cpu = small(g);
    uint64_t tid = number(g);
    return writer_wakeup(&g->w, ts, cpu, tid, arguments(g, args, NULL));
}

static bool log_record(struct gen *g) {
    uint64_t ts = number(g);
    struct writer_thread t = thread(g);
    return writer_log(&g->w, ts, t, bytes(g));
}

static bool module(struct gen *g) {
    uint64_t ts = number(g);
    struct writer_thread t = thread(g);
    unsigned id = small(g);
    struct str name = quoted(g);
    return writer_module(&g->w, ts, t, id, name, bytes(g));
}

static bool mmap_record(struct gen *g) {
    uint64_t ts = number(g);
    struct writer_thread t = thread(g);
    struct writer_mapping m = {.module_id = small(g)};
    m.flags = small(g);
    m.start = number(g);
    m.size = number(g);
    m.address = number(g);
    return writer_mmap(&g->w, ts, t, &m);
}

static bool backtrace(struct gen *g) {
    uint64_t pcs[MAX_PCS], ts = number(g);
    struct writer_thread t = thread(g);
    size_t n = 0;
    while (g->why == NULL && !at_end(g) && n < MAX_PCS)
        pcs[n++] = number(g);
    return writer_backtrace(&g->w, ts, t, pcs, n);
}

static bool large_event(struct gen *g) {
    struct writer_argument args[MAX_ARGS];
    struct writer_event e = {.ts = number(g)};
    e.thread = thread(g);
    e.category = string(g);
    e.name = string(g);
    struct str payload = bytes(g);
    e.args = arguments(g, args, NULL);
    return writer_large_event(&g->w, &e, payload);
}

static bool large_attachment(struct gen *g) {
    struct writer_string category = string(g), name = string(g);
    return writer_large_attachment(&g->w, category, name, bytes(g));
}

/* ---- what is no record ---- */

static bool words(struct gen *g) {
    do
        writer_word(&g->w, number(g));
    while (g->why == NULL && !at_end(g));
    return true;
}

static bool raw_bytes(struct gen *g) {
    while (!at_end(g)) {
        char *stop;
        unsigned long v = strtoul(g->p, &stop, 16);
        if (stop == g->p || v > 255)
            return wrong(g, "bytes are two hexadecimal digits each");
        unsigned char byte = (unsigned char)v;
        writer_bytes(&g->w, &byte, 1);
        g->p = stop;
    }
    return true;
}

static bool zeros(struct gen *g) {
    for (unsigned n = small(g); n > 0; n--)
        writer_word(&g->w, 0);
    return true;
}

static bool cut(struct gen *g) {
    uint64_t n = number(g);
    if (n > g->w.bytes.n)
        return wrong(g, "there are not that many bytes");
    g->w.bytes.n -= n;
    return true;
}

static bool flip(struct gen *g) {
    uint64_t at = number(g);
    unsigned bit = small(g);
    if (at >= g->w.bytes.n || bit > 7)
        return wrong(g, "there is no such bit");
    g->w.bytes.v[at] ^= (unsigned char)(1u << bit);
    return true;
}

static bool poke(struct gen *g) {
    uint64_t i = number(g), value = number(g);
    if (g->w.bytes.n - g->last < 8 || i > (g->w.bytes.n - g->last) / 8 - 1)
        return wrong(g, "the last record has no such word");
    value = record_order(value, g->w.big_endian);
    memcpy(g->w.bytes.v + g->last + i * 8, &value, 8);
    return true;
}

static bool size(struct gen *g) {
    uint64_t h, n = number(g);
    if (g->w.bytes.n - g->last < 8)
        return wrong(g, "there is no record yet");
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
    if (at_end(g))
        return true;
    size_t n = 0, i = 0, start = g->w.bytes.n, count = sizeof commands / sizeof *commands;
    while (!ends_token(g->p[n]))
        n++;
    while (i < count && !(strlen(commands[i].word) == n && memcmp(commands[i].word, g->p, n) == 0))
        i++;
    if (i == count)
        return wrong(g, "no such record");
    g->p += n;
    bool ok = commands[i].write(g);
    if (commands[i].starts)
        g->last = start;
    if (g->why == NULL && !at_end(g))
        wrong(g, "something follows at the end of the line");
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
