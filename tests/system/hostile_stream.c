/* hostile_stream.c - cases of the stream: framing, tables of strings, threads and providers,
 * problems, and files.
 *
 * Sizes and counts lie, indexes were never registered or are registered again and again, records
 * are damaged, and files are of another format. */
#include "tests/system/hostile.h"

#include <inttypes.h>
#include <stdio.h>

/* ---- the stream ---- */

void make_zero_size(struct hostile *h) {
    begin_case(h);
    for (int i = 0; i < 200; i++) {
        writer_word(&h->w, FXT_EVENT | UINT64_C(0x1234567800000000));
        if (i % 10 == 0)
            plain(h);
    }
    for (int i = 0; i < 4; i++)
        plain(h);
}

void make_ones(struct hostile *h) {
    begin_case(h);
    words(h, UINT64_MAX, 32768);
    for (int i = 0; i < 4; i++)
        plain(h);
}

void make_random(struct hostile *h) {
    begin_case(h);
    for (int i = 0; i < 30000; i++)
        writer_word(&h->w, chance_star(&h->chance));
    for (int i = 0; i < 4; i++)
        plain(h);
}

/* Headers of known types with sizes that fit, and any bytes after them. */
void make_likely(struct hostile *h) {
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

void make_zeros(struct hostile *h) {
    begin_case(h);
    words(h, 0, h->n);
    plain(h);
}

void make_large(struct hostile *h) { /* 2^32 - 1 words: 32 GiB */
    begin_case(h);
    writer_word(&h->w, FXT_LARGE | FXT_PUT(UINT32_MAX, 4, 35));
    words(h, 0x4141414141414141, 100);
}

void make_large_payload(struct hostile *h) { /* its payload declares 2^64 - 1 bytes */
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

void make_lengths(struct hostile *h) { /* strings, blobs and messages longer than their records */
    begin_case(h);
    writer_word(&h->w,
                FXT_STRING | FXT_PUT(2, 4, 15) | FXT_PUT(1, 16, 30) | FXT_PUT(0x7fff, 32, 46));
    words(h, 0x6161616161616161, 1);
    writer_word(&h->w, FXT_BLOB | FXT_PUT(2, 4, 15) | FXT_PUT(0x8001, 16, 31) |
                           FXT_PUT(0x7fff, 32, 46) | FXT_PUT(FXT_BLOB_DATA, 48, 55));
    words(h, 0x6161616161616161, 1);
    writer_word(&h->w, FXT_LOG | FXT_PUT(4, 4, 15) | FXT_PUT(0x7fff, 16, 30));
    words(h, h->ts, 3);
    event_header(h, FXT_INSTANT, 5, 0, 0xffff, 0xffff);
    words(h, 0x6161616161616161, 1);
    writer_word(&h->w, FXT_PROFILER | FXT_PUT(5, 4, 15) | FXT_PUT(FXT_BACKTRACE, 16, 19) |
                           FXT_PUT(255, 28, 35));
    words(h, h->ts, 4);
    writer_word(&h->w, FXT_METADATA | FXT_PUT(1, 4, 15) | FXT_PUT(FXT_PROVIDER_INFO, 16, 19) |
                           FXT_PUT(255, 52, 59));
    plain(h);
    writer_word(&h->w, FXT_EVENT | FXT_PUT(1, 4, 15)); /* not even a timestamp */
    plain(h);
    event_header(h, FXT_INSTANT, 4095, 0, 0, 0); /* past the end of the file */
}

void make_tiny(struct hostile *h) { /* the magic and half a word */
    writer_magic(&h->w);
    writer_bytes(&h->w, "\x14", 1);
}

/* every header type and subtype, of every size up to 8 words */
void make_all_types(struct hostile *h) {
    begin_case(h);
    for (uint64_t type = 0; type < 16; type++)
        for (uint64_t sub = 0; sub < 16; sub++)
            for (uint64_t size = 1; size <= 8; size++) {
                uint64_t at = type == FXT_SCHEDULING ? 60
                              : type == FXT_BLOB     ? 48
                              : type == FXT_LARGE    ? 40
                                                     : 16;
                writer_word(&h->w, type | size << 4 | sub << at);
                for (uint64_t k = 1; k < size; k++)
                    writer_word(&h->w, k == 1 ? h->ts : k);
            }
    plain(h);
}

void make_big_endian(struct hostile *h) { /* swapped, with everything in it */
    h->w.big_endian = true;
    open_trace(h);
    everywhere(h, STR("\033[31m\xE2\x80\xAE"), 1);
}

void make_again(struct hostile *h) { /* magic, clock and providers come again and again */
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

void make_providers(struct hostile *h) {
    begin_case(h);
    for (uint64_t i = 0; i < h->n; i++) {
        section(h, i + 1);
        event_header(h, FXT_INSTANT, 4, 0, 0, 0);
    }
}

void make_provider_names(struct hostile *h) { /* one id, introduced under another name each time */
    char name[32];
    begin_case(h);
    for (uint64_t i = 0; i < h->n; i++) {
        snprintf(name, sizeof name, "p%" PRIu64, i);
        provider_info(h, 1, name);
        event_header(h, FXT_INSTANT, 4, 0, 0, 5);
    }
}

void make_index_again(struct hostile *h) {
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

void make_thread_again(struct hostile *h) {
    begin_case(h);
    for (uint64_t i = 0; i < h->n; i++) {
        writer_thread(&h->w, 7, PID, i);
        struct writer_event e = event(h, "e");
        e.thread = (struct writer_thread){.index = 7};
        writer_instant(&h->w, &e);
    }
}

void make_names(struct hostile *h) {
    char name[32];
    begin_case(h);
    for (uint64_t i = 0; i < h->n; i++) {
        snprintf(name, sizeof name, "%" PRIx64, chance_star(&h->chance));
        struct writer_event e = event(h, name);
        writer_complete(&h->w, &e, e.ts + 500);
    }
}

void make_undefined(struct hostile *h) { /* every string and thread index, none registered */
    begin_case(h);
    for (uint64_t i = 1; i < 8192; i++) {
        h->ts += 1000;
        writer_word(&h->w, FXT_EVENT | FXT_PUT(2, 4, 15) | FXT_PUT(i % 255 + 1, 24, 31) |
                               FXT_PUT(i * 4 + 1, 32, 47) | FXT_PUT(i * 4 + 2, 48, 63));
        writer_word(&h->w, h->ts);
    }
}

/* ---- problems ---- */

void make_problems(struct hostile *h) { /* of one kind */
    begin_case(h);
    for (uint64_t i = 0; i < h->n; i++) {
        struct writer_event e = event(h, "stray");
        writer_end(&h->w, &e);
    }
}

void make_problem_kinds(struct hostile *h) {
    begin_case(h);
    for (uint64_t i = 0; i < h->n / 10; i++) {
        struct writer_event e = event(h, "x");
        struct writer_argument odd[2] = {{.type = 13, .name = text("odd")},
                                         writer_double(text("nan"), 0.0 / 0.0)};
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

void make_damage(struct hostile *h) { /* a fault after every third record: each is resynchronised */
    begin_case(h);
    for (uint64_t i = 0; i < h->n / 4; i++) {
        writer_word(&h->w, UINT64_C(0xdeadbeef00000004));
        plain(h);
        plain(h);
        plain(h);
    }
}

/* two plausible records in a row, never three: resynchronisation searches all */
void make_chains(struct hostile *h) {
    begin_case(h);
    for (uint64_t i = 0; i < h->n; i++)
        writer_word(&h->w, i % 3 == 2 ? UINT64_C(0xffffffffffff0004)
                                      : FXT_INITIALIZATION | FXT_PUT(4095, 4, 15));
    for (int i = 0; i < 4; i++)
        plain(h);
}

/* ---- files ---- */

void make_not_text(struct hostile *h) {
    static const char s[] = "\033]0;owned\a\033[2J%n%n%n%n\r\n";
    writer_bytes(&h->w, s, sizeof s - 1);
}

void make_png(struct hostile *h) {
    writer_bytes(&h->w, "\x89PNG\r\n\x1a\n\0\0\0\rIHDR", 16);
    for (int i = 0; i < 4000; i++)
        writer_word(&h->w, chance_star(&h->chance));
}

void make_for_gzip(struct hostile *h) {
    begin_case(h);
    for (int i = 0; i < 1000; i++) {
        struct writer_event e = event(h, "squeezed");
        writer_complete(&h->w, &e, e.ts + chance_star(&h->chance) % 900);
    }
}

#ifdef HAVE_ZSTD
void make_for_zstd(struct hostile *h) { /* some blocks of 128 kB */
    for (int i = 0; i < 12; i++)
        make_for_gzip(h);
}
#endif

void make_long_name(struct hostile *h) {
    filled(h, "\xC3\xA4\xFF", h->n);
}
