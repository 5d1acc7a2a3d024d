/* hostile_words.c - words to write cases in: plain records of the usual thread, and headers that
 * may lie.
 *
 * Each event is 1 us after the one before. */
#include "tests/system/hostile.h"

#include <string.h>

struct writer_string text(const char *s) {
    return writer_inline(str_of(s));
}

struct writer_event event(struct hostile *h, const char *name) {
    h->ts += 1000;
    return (struct writer_event){.ts = h->ts,
                                 .thread = writer_inline_thread(PID, TID),
                                 .category = text("c"),
                                 .name = text(name)};
}

void open_trace(struct hostile *h) {
    writer_magic(&h->w);
    writer_init_record(&h->w, 1000000000);
    h->ts = 1000 * MS;
}

void plain(struct hostile *h) {
    struct writer_event e = event(h, "plain");
    writer_complete(&h->w, &e, e.ts + 500);
}

void begin_case(struct hostile *h) {
    open_trace(h);
    plain(h);
}

void words(struct hostile *h, uint64_t word, uint64_t n) {
    for (uint64_t i = 0; i < n; i++)
        writer_word(&h->w, word);
}

void section(struct hostile *h, uint64_t id) {
    writer_word(&h->w, FXT_PUT(FXT_METADATA, 0, 3) | FXT_PUT(1, 4, 15) |
                           FXT_PUT(FXT_PROVIDER_SECTION, 16, 19) | FXT_PUT(id, 20, 51));
}

void provider_info(struct hostile *h, uint64_t id, const char *name) {
    uint64_t n = strlen(name), size = 1 + (n + 7) / 8;
    char stream[256] = {0};
    memcpy(stream, name, n);
    writer_word(&h->w, FXT_PUT(FXT_METADATA, 0, 3) | FXT_PUT(size, 4, 15) |
                           FXT_PUT(FXT_PROVIDER_INFO, 16, 19) | FXT_PUT(id, 20, 51) |
                           FXT_PUT(n, 52, 59));
    writer_bytes(&h->w, stream, (n + 7) / 8 * 8);
}

void event_header(struct hostile *h, uint64_t type, uint64_t size, uint64_t args, uint64_t category,
                  uint64_t name) {
    h->ts += 1000;
    writer_word(&h->w, FXT_PUT(FXT_EVENT, 0, 3) | FXT_PUT(size, 4, 15) | FXT_PUT(type, 16, 19) |
                           FXT_PUT(args, 20, 23) | FXT_PUT(category, 32, 47) |
                           FXT_PUT(name, 48, 63));
    writer_word(&h->w, h->ts);
    writer_word(&h->w, PID);
    writer_word(&h->w, TID);
}

struct writer_arguments list(const struct writer_argument *v, size_t n) {
    return (struct writer_arguments){v, n};
}
