/* pages.c - records that begin the next page of the file if they would cross into it. */
#include "record/file/pages.h"

#include <string.h>

#include "src/fxt/record.h"

#define PAGE UINT64_C(4096)

/* The bytes to fill before a record that is to be written at an offset of the file. */
static uint64_t gap(uint64_t at, uint64_t bytes) {
    uint64_t rest = PAGE - at % PAGE;
    return bytes > rest && bytes <= PAGE && at % 8 == 0 ? rest : 0;
}

static uint64_t section(const struct pages *pages) {
    return FXT_PUT(1, 4, 15) | FXT_PUT(FXT_PROVIDER_SECTION, 16, 19) |
           FXT_PUT((uint64_t)pages->current, 20, 51);
}

size_t pages_append(const struct pages *pages, struct writer *w, const uint64_t *v, size_t n,
                    uint64_t limit, uint64_t *number) {
    const uint64_t filler = section(pages);
    uint64_t offset = writer_offset(w);
    size_t at = 0, from = 0;
    if (n == 0) /* v may be NULL */
        return 0;
    while (at < n) {
        uint64_t words = record_words(v[at]), fill = gap(pages->base + offset, words * 8);
        if (words == 0 || words > n - at || offset + fill + words * 8 > limit)
            break;
        if (fill > 0) {
            writer_bytes(w, v + from, (at - from) * 8);
            for (uint64_t i = 0; i < fill; i += 8)
                writer_bytes(w, &filler, sizeof filler);
            from = at;
        }
        offset += fill + words * 8;
        at += (size_t)words;
        ++*number;
    }
    writer_bytes(w, v + from, (at - from) * 8);
    return at;
}

void pages_part(const struct pages *pages, struct writer *w, size_t from) {
    const uint64_t filler = section(pages);
    uint64_t header;
    while (from + sizeof header <= w->bytes.n) {
        memcpy(&header, w->bytes.v + from, sizeof header);
        size_t bytes = (size_t)record_words(header) * 8,
               fill = (size_t)gap(pages->base + w->flushed + from, bytes);
        vec_reserve(&w->bytes, w->bytes.n + fill);
        memmove(w->bytes.v + from + fill, w->bytes.v + from, w->bytes.n - from);
        for (size_t i = 0; i < fill; i += sizeof filler)
            memcpy(w->bytes.v + from + i, &filler, sizeof filler);
        w->bytes.n += fill;
        from += fill + bytes;
    }
}
