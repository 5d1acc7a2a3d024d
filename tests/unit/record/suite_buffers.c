/* suite_buffers.c - trace buffers that are written as text give the events that the text lists.
 *
 * Each file of tests/buffers/ describes a buffer word by word, and the records that a reader finds
 * in it after its provider has died. The buffer is read whole, cut at each word, and with each bit
 * of its header flipped: then only framed records come out, and never more words than the buffer
 * has. tests/buffers/README describes the lines. */
#include <dirent.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "record/readout.h"
#include "tests/unit/lib/must.h"
#include "tests/unit/lib/suites.h"

enum { WORDS = 4096, NUMBERS = 512, FILES = 100 };

struct buffer {
    char name[256];
    uint64_t words[WORDS];
    size_t n, at;                        /* words; the next one to be written */
    unsigned numbers[NUMBERS], nnumbers; /* of the events to be found, in order */
    unsigned dropped, faults, registrations;
    char refused[100]; /* part of the reason why it cannot be read; "": it can */
};

static struct wire_header *header_of(struct buffer *b) {
    return (struct wire_header *)(void *)b->words;
}

/* ---- the text ---- */

static void put(struct buffer *b, uint64_t word) {
    ck_assert_msg(b->at < b->n, "%s: beyond the buffer", b->name);
    b->words[b->at++] = word;
}

static void put_event(struct buffer *b, unsigned type, uint64_t time, uint64_t end, unsigned number,
                      unsigned bytes) {
    unsigned text = (bytes + 7) / 8, complete = type == 4,
             n = 3 + complete + (bytes > 0 ? 1 + text : 0);
    put(b,
        4 | (uint64_t)n << 4 | (uint64_t)type << 16 | (uint64_t)(1 + (bytes > 0)) << 20 | 1 << 24);
    put(b, time);
    put(b, 1 | 1 << 4 | (uint64_t)number << 32);
    if (bytes > 0)
        put(b, 6 | (1 + text) << 4 | (uint64_t)(0x8000 | bytes) << 32);
    for (unsigned i = 0; i < text; i++)
        put(b, UINT64_C(0x7474747474747474));
    if (complete)
        put(b, end);
}

/* "3 5..8": 3 5 6 7 8 */
static void add_numbers(struct buffer *b, const char *text) {
    unsigned from, to;
    for (int n; sscanf(text, " %u%n", &from, &n) == 1; text += n) {
        int more = 0;
        text += n;
        n = 0;
        to = from;
        if (sscanf(text, "..%u%n", &to, &more) == 1)
            text += more;
        for (; from <= to; from++) {
            ck_assert_uint_lt(b->nnumbers, NUMBERS);
            b->numbers[b->nnumbers++] = from;
        }
    }
}

static void place(struct buffer *b, const char *part, unsigned bytes) {
    const struct wire_header *h = header_of(b);
    uint64_t base = WIRE_HEADER;
    if (strcmp(part, "half0") == 0)
        base += h->durable_size;
    else if (strcmp(part, "half1") == 0)
        base += h->durable_size + h->rolling_size;
    else
        ck_assert_str_eq(part, "durable");
    b->at = (base + bytes) / 8;
}

/* A line about the header or what is to be found; false: it is of another kind. */
static bool header_line(struct buffer *b, const char *line, const char *rest) {
    struct wire_header *h = header_of(b);
    unsigned v[3] = {0};
    int n = sscanf(rest, "%u %u %u", &v[0], &v[1], &v[2]);
    if (strcmp(line, "mode") == 0) {
        h->magic = WIRE_MAGIC;
        h->mode = strstr(rest, "oneshot") ? 0 : strstr(rest, "circular") ? 1 : 2;
    } else if (strcmp(line, "sizes") == 0 && n == 3) {
        b->n = v[0] / 8;
        ck_assert_uint_le(b->n, WORDS);
        h->total = v[0];
        h->durable_size = v[1];
        h->rolling_size = v[2];
    } else if (strcmp(line, "cell") == 0) {
        h->signature = WIRE_SIGNATURE;
        h->chunk_size = v[0];
    } else if (strcmp(line, "state") == 0 && n == 2) {
        h->state = (uint64_t)v[0] << 32 | v[1];
    } else if (strcmp(line, "wrapped") == 0) {
        h->wrapped = v[0];
    } else if (strcmp(line, "saved") == 0) {
        h->saved = v[0];
    } else if (strcmp(line, "ends") == 0 && n == 3) {
        h->durable_end = v[0];
        h->rolling_end[0] = v[1];
        h->rolling_end[1] = v[2];
    } else if (strcmp(line, "dropped") == 0) {
        h->dropped = b->dropped = v[0];
    } else if (strcmp(line, "finds") == 0) {
        add_numbers(b, rest);
    } else if (strcmp(line, "registrations") == 0) {
        b->registrations = v[0];
    } else if (strcmp(line, "faults") == 0) {
        b->faults = v[0];
    } else if (strcmp(line, "refused") == 0) {
        snprintf(b->refused, sizeof b->refused, "%.*s", (int)strcspn(rest, "\n"), rest);
    } else {
        return false;
    }
    return true;
}

static void data_line(struct buffer *b, const char *line, const char *rest) {
    unsigned v[4] = {0};
    unsigned long long word;
    char part[20];
    int n = sscanf(rest, "%u %u %u %u", &v[0], &v[1], &v[2], &v[3]);
    if (strcmp(line, "at") == 0 && sscanf(rest, "%19s %u", part, &v[0]) >= 1)
        place(b, part, v[0]);
    else if (strcmp(line, "mark") == 0 && n >= 2)
        put(b, wire_mark(v[0], v[1], strstr(rest, "durable") ? WIRE_MARK_DURABLE : 0));
    else if (strcmp(line, "filler") == 0)
        put(b, wire_filler(v[0]));
    else if (strcmp(line, "word") == 0 && sscanf(rest, "%llx", &word) == 1)
        put(b, word);
    else if (strcmp(line, "init") == 0) {
        put(b, 1 | 2 << 4);
        put(b, v[0]);
    } else if (strcmp(line, "thread") == 0 && n == 3) {
        put(b, 3 | 3 << 4 | (uint64_t)v[0] << 16);
        put(b, v[1]);
        put(b, v[2]);
    } else if (strcmp(line, "string") == 0) {
        put(b, 2 | 2 << 4 | (uint64_t)v[0] << 16 | UINT64_C(8) << 32);
        put(b, UINT64_C(0x6161616161616161));
    } else if (strcmp(line, "instant") == 0 && n == 2)
        put_event(b, 0, v[0], 0, v[1], 0);
    else if (strcmp(line, "text") == 0 && n == 3)
        put_event(b, 0, v[0], 0, v[1], v[2]);
    else if (strcmp(line, "complete") == 0 && n == 3)
        put_event(b, 4, v[0], v[1], v[2], 0);
    else if (strcmp(line, "instants") == 0 &&
             n == 4) /* first time, time between, first number, count */
        for (unsigned i = 0; i < v[3]; i++)
            put_event(b, 0, v[0] + i * v[1], 0, v[2] + i, 0);
    else
        ck_abort_msg("%s: what is '%s'?", b->name, line);
}

static void read_text(struct buffer *b, const char *path) {
    char line[300], word[20];
    FILE *f = fopen(path, "r");
    ck_assert_msg(f != NULL, "%s", path);
    *b = (struct buffer){.n = WIRE_HEADER / 8};
    snprintf(b->name, sizeof b->name, "%s", strrchr(path, '/') + 1);
    while (fgets(line, sizeof line, f)) {
        int n = 0;
        if (*line == '#' || sscanf(line, "%19s %n", word, &n) != 1)
            continue;
        if (!header_line(b, word, line + n))
            data_line(b, word, line + n);
    }
    fclose(f);
}

/* ---- reading ---- */

struct found {
    unsigned numbers[NUMBERS], n, registrations, others;
    size_t words;
};

static void look(struct found *found, const struct readout_records *v, const char *name) {
    for (size_t at = 0; at < v->n;) {
        const uint64_t *r = v->v + at;
        size_t n = (r[0] & 15) == 15 ? r[0] >> 4 & 0xffffffff : r[0] >> 4 & 0xfff;
        ck_assert_msg(n > 0 && n <= v->n - at && (r[0] & 15) != 0, "%s: word %zu", name, at);
        if ((r[0] & 15) < 4)
            found->registrations++;
        else if ((r[0] & 15) == 4 && n >= 3 && found->n < NUMBERS)
            found->numbers[found->n++] = (unsigned)(r[2] >> 32);
        else
            found->others++;
        at += n;
    }
    found->words += v->n;
}

/* Reads the first words of the buffer as `fxtop record --recover` does. False: it is refused. */
static bool read_buffer(const struct buffer *b, size_t words, struct found *found,
                        struct readout *r, struct err *err) {
    struct readout_news news = {0};
    *found = (struct found){.n = 0};
    /* so that a sanitizer sees what is read after its end */
    uint64_t *copy = malloc(words * 8 + 8);
    memcpy(copy, b->words, words * 8);
    bool ok = readout_open(r, copy, words * 8, -1, true, err);
    if (ok)
        readout_begin(r, READOUT_DEAD);
    for (bool more = ok; more;) {
        more = readout_step(r, &news);
        look(found, &news.durable, b->name);
        look(found, &news.rolling, b->name);
        news.durable.n = news.rolling.n = news.records = 0;
    }
    readout_news_free(&news);
    readout_close(r);
    free(copy);
    return ok;
}

static void check_whole(const struct buffer *b) {
    struct found found;
    struct readout r;
    struct err err = {0};
    if (!read_buffer(b, b->n, &found, &r, &err)) {
        ck_assert_msg(b->refused[0] && strstr(err.text, b->refused), "%s: %s", b->name, err.text);
        return;
    }
    ck_assert_msg(b->refused[0] == 0, "%s is not refused", b->name);
    for (unsigned i = 0; i < found.n && i < b->nnumbers; i++)
        ck_assert_msg(found.numbers[i] == b->numbers[i], "%s: event %u is found, not %u", b->name,
                      found.numbers[i], b->numbers[i]);
    ck_assert_msg(found.n == b->nnumbers, "%s: %u events, not %u", b->name, found.n, b->nnumbers);
    ck_assert_msg(found.others == 0, "%s: %u other records", b->name, found.others);
    ck_assert_msg(found.registrations == b->registrations, "%s: %u registrations", b->name,
                  found.registrations);
    ck_assert_msg(r.faults == b->faults, "%s: %u faults", b->name, (unsigned)r.faults);
    ck_assert_msg(header_of((struct buffer *)(uintptr_t)b)->dropped == b->dropped, "%s", b->name);
}

static void check_damaged(struct buffer *b) {
    struct found found;
    struct readout r;
    struct err err;
    for (size_t words = 0; words < b->n; words++) {
        read_buffer(b, words, &found, &r, &err);
        ck_assert_msg(found.words <= words, "%s, cut at word %zu", b->name, words);
    }
    for (unsigned bit = 0; bit < WIRE_HEADER * 8; bit++) {
        b->words[bit / 64] ^= UINT64_C(1) << bit % 64;
        read_buffer(b, b->n, &found, &r, &err);
        ck_assert_msg(found.words <= b->n, "%s, bit %u", b->name, bit);
        b->words[bit / 64] ^= UINT64_C(1) << bit % 64;
    }
}

START_TEST(buffers_give_the_events_that_their_text_lists) {
    static struct buffer b;
    const char *top = getenv("srcdir");
    char folder[500], path[1000];
    unsigned files = 0, modes[3] = {0};
    snprintf(folder, sizeof folder, "%s/tests/buffers", top ? top : ".");
    DIR *d = opendir(folder);
    ck_assert_msg(d != NULL, "%s", folder);
    for (struct dirent *e; (e = readdir(d)) != NULL;) {
        const char *dot = strrchr(e->d_name, '.');
        if (dot == NULL || strcmp(dot, ".txt") != 0)
            continue;
        snprintf(path, sizeof path, "%s/%s", folder, e->d_name);
        read_text(&b, path);
        check_whole(&b);
        check_damaged(&b);
        files++;
        modes[header_of(&b)->mode % 3]++;
    }
    closedir(d);
    ck_assert_uint_ge(files, 20);
    ck_assert(modes[0] > 1 && modes[1] > 1 && modes[2] > 1);
}
END_TEST

SUITE(buffers) {
    Suite *s = suite_create("buffers");
    TCase *c = tcase_create("buffers");
    tcase_set_timeout(c, 60);
    tcase_add_test(c, buffers_give_the_events_that_their_text_lists);
    suite_add_tcase(s, c);
    return s;
}
