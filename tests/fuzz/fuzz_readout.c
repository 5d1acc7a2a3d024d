/* fuzz_readout.c - any bytes as a trace buffer: read out while it is written, saved, stopped, dead
 * and cut.
 *
 * The first byte chooses the mode and what is done; the rest is the buffer. The records that it
 * gives are framed, none is metadata, and they are no more than the buffer has. */
#include <stdlib.h>
#include <string.h>

#include "record/readout.h"
#include "tests/fuzz/fuzz.h"

static size_t size_of(uint64_t header) {
    return (header & 15) == 15 ? (size_t)(header >> 4 & 0xffffffff) : (size_t)(header >> 4 & 0xfff);
}

/* The number of records. */
static uint64_t check_framed(const struct readout_records *v) {
    uint64_t records = 0;
    for (size_t at = 0; at < v->n; records++) {
        size_t n = size_of(v->v[at]);
        FUZZ_MUST(n > 0 && n <= v->n - at);
        FUZZ_MUST((v->v[at] & 15) != 0);
        at += n;
    }
    return records;
}

/* Returns the words that came out. */
static size_t take_all(struct readout *r, size_t words) {
    struct readout_news news = {0};
    size_t taken = 0, steps = 0;
    for (bool more = true; more; steps++) {
        more = readout_step(r, &news);
        FUZZ_MUST(check_framed(&news.durable) + check_framed(&news.rolling) == news.records);
        taken += news.durable.n + news.rolling.n;
        news.durable.n = news.rolling.n = news.records = 0;
        FUZZ_MUST(steps <= words);
    }
    readout_news_free(&news);
    FUZZ_MUST(taken <= words);
    return taken;
}

void fuzz_readout(const uint8_t *data, size_t size) {
    struct readout r;
    struct err err = {.text = ""};
    if (size < 1)
        return;
    unsigned how = data[0];
    size_t bytes = size - 1, words = bytes / 8;
    /* as large as it is, so that reading past the end is seen */
    uint64_t *buffer = malloc(words * 8 + 8);
    if (buffer == NULL)
        return;
    uint64_t *end = buffer + 1; /* after a word that is not read */
    memcpy(end, data + 1, words * 8);
    bool cut = how & 1;
    if (readout_open(&r, end, words * 8, how & 2 ? -1 : (int)(how >> 2 & 3), cut, &err)) {
        size_t taken = 0;
        if (how & 16) {
            readout_begin(&r, READOUT_NOW);
            taken += take_all(&r, words);
        }
        if (how & 32 && readout_save(&r, r.saved, how & 64 ? 16 : r.durable_size * 8, &err))
            taken += take_all(&r, words);
        readout_begin(&r, how & 128 ? READOUT_STOPPED : READOUT_DEAD);
        taken += take_all(&r, words);
        FUZZ_MUST(taken <= 2 * words); /* of a plain buffer a saved half is there still */
    } else {
        FUZZ_MUST(err.text[0] != '\0');
    }
    readout_close(&r);
    free(buffer);
}
