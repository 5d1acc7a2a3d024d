/* hostile_json.c - Chrome's JSON that is meant to do harm: brackets, texts and numbers without end,
 * all that JSON forbids, and more of everything than a record holds.
 *
 * A plain event stands before and after the hostile one. */
#include "tests/system/hostile.h"

#include <stdio.h>
#include <string.h>

#define PLAIN_EVENT "{\"ph\":\"X\",\"name\":\"plain\",\"ts\":1,\"dur\":2,\"pid\":1,\"tid\":1}"

static void put(struct hostile *h, const char *s, size_t n) {
    vec_reserve(&h->w.bytes, h->w.bytes.n + n);
    memcpy(h->w.bytes.v + h->w.bytes.n, s, n);
    h->w.bytes.n += n;
}

static void put_text(struct hostile *h, const char *s) {
    put(h, s, strlen(s));
}

static void put_times(struct hostile *h, const char *s, uint64_t n) {
    for (uint64_t i = 0; i < n; i++)
        put_text(h, s);
}

static void before(struct hostile *h) {
    put_text(h, "[" PLAIN_EVENT ",\n");
}

static void after(struct hostile *h) {
    put_text(h, ",\n" PLAIN_EVENT "]\n");
}

void make_json_texts(struct hostile *h) {
    static const char nul[] =
        "{\"ph\":\"X\",\"name\":\"a\0b\",\"ts\":1,\"dur\":2,\"pid\":1,\"tid\":1},\0\0\n";
    before(h);
    put_text(h, "{\"ph\":\"X\",\"name\":\"\\ud800\\udc00 \\ud800 \\udc00 "
                "\\udc00\\ud800\\u0000\\u001b[31m\\u202e\",\"ts\":1,\"dur\":2,"
                "\"pid\":\"\\u009b2J\",\"tid\":\"\\ud83d\",\"args\":{\"\\udfff\":\"\\u200b\",\"\":"
                "\"\\u00ad\"}},\n");
    put_text(h, "{\"ph\":\"C\",\"name\":\"\xff\xfe\xf0\x9f "
                "\x1b]0;x\x07\",\"ts\":2,\"pid\":1,\"args\":{\"\xc0\x80\":1}},\n");
    put(h, nul, sizeof nul - 1);
    put_text(h, "{\"ph\":\"X\",\"ph\":\"i\",\"name\":\"twice\",\"name\":\"again\",\"ts\":1,\"ts\":"
                "3,\"pid\":1,\"tid\":1,"
                "\"args\":{\"k\":1,\"k\":2},\"args\":{\"k\":3}}");
    after(h);
}

void make_json_numbers(struct hostile *h) {
    static const char *const numbers[] = {"NaN",
                                          "-Infinity",
                                          "1e999999999",
                                          "-1e-999999999",
                                          "1e300",
                                          "-0",
                                          "18446744073709551616",
                                          "0.0000000000001",
                                          "--1",
                                          "0x10",
                                          "01",
                                          "1e",
                                          ".5",
                                          "\"1e5\"",
                                          "\"\"",
                                          "true",
                                          "[]",
                                          "{}"};
    before(h);
    for (size_t i = 0; i < sizeof numbers / sizeof *numbers; i++) {
        char line[400];
        snprintf(
            line, sizeof line,
            "{\"ph\":\"X\",\"name\":\"n\",\"ts\":%s,\"dur\":1,\"pid\":1,\"tid\":1},\n"
            "{\"ph\":\"X\",\"name\":\"d\",\"ts\":%zu,\"dur\":%s,\"pid\":%s,\"tid\":%s},\n"
            "{\"ph\":\"C\",\"name\":\"c\",\"ts\":%zu,\"pid\":1,\"id\":%s,\"args\":{\"v\":%s}},\n",
            numbers[i], i, numbers[i], numbers[i], numbers[i], i, numbers[i], numbers[i]);
        put_text(h, line);
    }
    put_text(h, PLAIN_EVENT "]");
}

/* a fault in each of many events, and the last one is cut */
void make_json_cut(struct hostile *h) {
    static const char *const faults[] = {"{\"ph\":\"X\",\"name\":\"quote,\"ts\":1},",
                                         "{\"ph\" \"X\"},",
                                         "{{{{,",
                                         "]]}}",
                                         "{\"ph\":},",
                                         "{\"args\":{\"a\":[1,{]}},",
                                         "\\",
                                         "\"",
                                         "tru",
                                         "{\"a\":\"\\u12\"},",
                                         "{\"a\":\"\\x\"},"};
    before(h);
    for (size_t i = 0; i < 2000; i++) {
        put_text(h, faults[i % (sizeof faults / sizeof *faults)]);
        put_text(h, "\n" PLAIN_EVENT ",\n");
    }
    put_text(h, "{\"ph\":\"X\",\"name\":\"cu");
}

void make_json_deep(struct hostile *h) {
    before(h);
    put_text(
        h,
        "{\"ph\":\"X\",\"name\":\"deep\",\"ts\":1,\"dur\":2,\"pid\":1,\"tid\":1,\"args\":{\"a\":");
    put_times(h, "[{\"b\":", h->n);
    put_text(h, "1");
    put_times(h, "}]", h->n);
    put_text(h, "},\"more\":");
    put_times(h, "[", h->n);
    put_times(h, "]", h->n);
    put_text(h, "}");
    after(h);
}

void make_json_open(struct hostile *h) { /* never closed */
    before(h);
    put_text(h, "{\"ph\":\"X\",\"args\":{\"a\":");
    put_times(h, "{\"b\":[", h->n);
}

void make_json_long(struct hostile *h) { /* a text, a key and a number */
    before(h);
    put_text(h, "{\"ph\":\"X\",\"name\":\"");
    put_times(h, "long \\u20ac", h->n);
    put_text(h, "\",\"");
    put_times(h, "key", h->n);
    put_text(h, "\":1,\"ts\":1,\"dur\":2,\"pid\":1,\"tid\":1,\"args\":{\"a\":");
    put_times(h, "9", h->n);
    put_text(h, "}}");
    after(h);
}

void make_json_arguments(struct hostile *h) {
    before(h);
    put_text(h,
             "{\"ph\":\"X\",\"name\":\"many\",\"ts\":1,\"dur\":2,\"pid\":1,\"tid\":1,\"args\":{");
    for (uint64_t i = 0; i < h->n; i++) {
        char line[80];
        snprintf(line, sizeof line, "%s\"k%llu\":%llu", i ? "," : "", (unsigned long long)i,
                 (unsigned long long)i);
        put_text(h, line);
    }
    put_text(h, "}}");
    after(h);
}

/* each event is of another process, thread, name and category */
void make_json_owners(struct hostile *h) {
    before(h);
    for (uint64_t i = 0; i < h->n; i++) {
        char line[300];
        snprintf(line, sizeof line,
                 "{\"ph\":\"b\",\"id\":\"i%llu\",\"name\":\"n%llu\",\"ts\":%llu,\"pid\":\"p%llu\","
                 "\"tid\":\"t%llu\","
                 "\"cat\":\"c%llu\"},\n",
                 (unsigned long long)i, (unsigned long long)i, (unsigned long long)i,
                 (unsigned long long)i, (unsigned long long)i, (unsigned long long)i);
        put_text(h, line);
    }
    put_text(h, PLAIN_EVENT "]");
}
