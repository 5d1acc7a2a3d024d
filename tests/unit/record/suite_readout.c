/* suite_readout.c - a trace buffer gives exactly the records that are in it, each once, in order.
 *
 * The buffers are those of a provider without chunks, written here by the rules of fxttrace(7): all
 * modes, any number of wraps, saved or not, stopped or killed. Damaged and cut ones give framed
 * records and never more than they have. */
#include "record/readout.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "tests/lib/chance.h"
#include "tests/unit/lib/must.h"
#include "tests/unit/lib/suites.h"

#define EVENT_WORDS 9 /* at most */
#define NUMBERS 4000

static struct chance chance = {718281};

struct provider { /* of one thread */
    uint64_t words[8192];
    enum wire_mode mode;
    size_t total, durable, rolling; /* words */
    size_t at[2], durable_at;       /* written so far */
    uint32_t wrap;
    bool full[2];                /* announced, not saved */
    uint32_t next;               /* number of the next event */
    unsigned char held[NUMBERS]; /* 0: dropped or overwritten; else 1 + half */
    bool late[NUMBERS];          /* its thread was held up after it had taken the time */
    uint64_t dropped;
};

static struct wire_header *header_of(struct provider *p) {
    return (struct wire_header *)(void *)p->words;
}

static uint64_t *half_of(struct provider *p, unsigned half) {
    return p->words + WIRE_HEADER / 8 + p->durable + half * p->rolling;
}

static void begin(struct provider *p, enum wire_mode mode, size_t bytes) {
    *p = (struct provider){.mode = mode, .total = bytes / 8};
    size_t data = p->total - WIRE_HEADER / 8;
    p->durable = mode == WIRE_ONESHOT ? 0 : data / 16 + (data - data / 16) % 2;
    p->rolling = mode == WIRE_ONESHOT ? data : (data - p->durable) / 2;
    *header_of(p) = (struct wire_header){.magic = WIRE_MAGIC,
                                         .mode = (uint8_t)mode,
                                         .total = bytes,
                                         .durable_size = p->durable * 8,
                                         .rolling_size = p->rolling * 8};
}

/* A registration of two words: an initialization record. */
static void put_durable(struct provider *p) {
    uint64_t *to = p->words + WIRE_HEADER / 8 + p->durable_at;
    if (p->durable_at + 2 > p->durable)
        return;
    to[0] = 1 | 2 << 4;
    to[1] = 1000;
    p->durable_at += 2;
}

/* The half that an event of n words goes to; 2: it is dropped. */
static unsigned half_for_event(struct provider *p, size_t n) {
    unsigned half = p->wrap & 1;
    if (p->at[half] + n <= p->rolling)
        return half;
    if (p->mode == WIRE_ONESHOT || p->full[!half])
        return 2;
    header_of(p)->rolling_end[half] = p->at[half] * 8;
    p->full[half] = p->mode == WIRE_STREAMING;
    p->wrap++;
    half = !half;
    header_of(p)->rolling_end[half] = 0;
    p->at[half] = 0;
    for (uint32_t i = 0; i < p->next; i++)
        if (p->held[i] == 1 + half)
            p->held[i] = 0; /* overwritten */
    return half;
}

/* An instant or complete event, which ends as the next one begins, with a number and sometimes a
 * text of any bytes. */
static size_t make_event(struct provider *p, uint32_t i, uint64_t to[EVENT_WORDS]) {
    bool complete = below(&chance, 3) == 0, text = below(&chance, 4) == 0;
    size_t n = 0;
    p->late[i] = !complete && below(&chance, 60) == 0;
    to[1] = 100000 + 10 * (uint64_t)i - (p->late[i] ? below(&chance, 3000) : 0);
    to[2] = 1 | 1 << 4 | (uint64_t)i << 32;
    n = 3;
    if (text) {
        size_t words = 1 + below(&chance, 4);
        to[n++] = 6 | (1 + words) << 4 | (0x8000 | 8 * words) << 32;
        for (size_t k = 0; k < words; k++)
            to[n++] = chance_next(&chance);
    }
    if (complete)
        to[n++] = to[1] + 9;
    to[0] = 4 | n << 4 | (uint64_t)(complete ? 4 : 0) << 16 | (uint64_t)(1 + text) << 20 |
            (uint64_t)1 << 24;
    return n;
}

static void put_event(struct provider *p) {
    uint64_t event[EVENT_WORDS];
    uint32_t i = p->next++;
    size_t n = make_event(p, i, event);
    unsigned half = half_for_event(p, n);
    if (half > 1) {
        p->dropped++;
        header_of(p)->dropped++;
        return;
    }
    memcpy(half_of(p, half) + p->at[half], event, n * sizeof *event);
    p->at[half] += n;
    p->held[i] = (unsigned char)(1 + half);
}

static void stop(struct provider *p) {
    header_of(p)->wrapped = p->wrap;
    header_of(p)->durable_end = p->durable_at * 8;
    header_of(p)->rolling_end[p->wrap & 1] = p->at[p->wrap & 1] * 8;
}

/* Parts of the header that a provider may write before it stops: none, the end of the durable data
 * at its first record, that and the wrapped count with each half, all with each record. */
enum early { EARLY_NOTHING, EARLY_FIRST, EARLY_HALVES, EARLY_ALL, EARLY_KINDS };

static void write_early(struct provider *p, enum early early, bool first, bool wraps) {
    if ((first && early > EARLY_NOTHING) || (wraps && early == EARLY_HALVES))
        header_of(p)->durable_end = p->durable_at * 8;
    if (wraps && early == EARLY_HALVES)
        header_of(p)->wrapped = p->wrap;
    if (early == EARLY_ALL)
        stop(p);
}

struct taken {
    uint32_t registrations;
    unsigned char times[NUMBERS]; /* how often each event came out */
    uint32_t last;                /* number + 1 of the latest one */
    uint32_t others;              /* records of the halves that are no numbered event */
    size_t words;
};

/* All that a readout gives, checked word by word. */
static void take(struct readout *r, struct taken *taken, int set) {
    struct readout_news news = {0};
    for (bool more = true; more;) {
        more = readout_step(r, &news);
        for (int part = 0; part < 2; part++) {
            const struct readout_records *v = part == 0 ? &news.durable : &news.rolling;
            for (size_t at = 0; at < v->n;) {
                size_t n = v->v[at] >> 4 & 0xfff;
                n = (v->v[at] & 15) == 15 ? v->v[at] >> 4 & 0xffffffff : n;
                MUST(n > 0 && n <= v->n - at, set);
                MUST((v->v[at] & 15) != 0, set);
                if ((v->v[at] & 15) == 4 && n >= 3 && v->v[at + 2] >> 32 < NUMBERS) {
                    uint32_t i = (uint32_t)(v->v[at + 2] >> 32);
                    taken->times[i]++;
                    taken->last = i + 1;
                } else {
                    taken->others += part;
                    taken->registrations += 1 - part;
                }
                at += n;
            }
            taken->words += v->n;
        }
        news.durable.n = news.rolling.n = news.records = 0;
    }
    readout_news_free(&news);
}

struct asked { /* of a run */
    enum wire_mode mode;
    size_t bytes;
    unsigned events;
    bool known, dies;
    enum early early; /* if it dies */
};

/* A run of the provider with a manager that saves; ends as asked, and is read out. */
static void run(struct provider *p, const struct asked *asked, int set) {
    enum wire_mode mode = asked->mode;
    size_t bytes = asked->bytes;
    struct taken taken = {0};
    struct readout r;
    struct err err;
    uint32_t announced = 0;
    enum early early = asked->dies && asked->known ? asked->early : EARLY_NOTHING;
    begin(p, mode, bytes);
    put_durable(p);
    write_early(p, early, true, false);
    MUST(readout_open(&r, p->words, bytes, (int)mode, false, &err), set);
    for (unsigned k = 0; k < asked->events; k++) {
        uint32_t before = p->wrap;
        if (below(&chance, 50) == 0)
            put_durable(p);
        put_event(p);
        write_early(p, early, false, p->wrap > before);
        if (mode == WIRE_STREAMING && (p->wrap > before || announced < p->wrap) &&
            below(&chance, 3) > 0) {
            unsigned half = announced & 1;
            MUST(readout_save(&r, announced, p->durable_at * 8, &err), set);
            take(&r, &taken, set);
            p->full[half] = false;
            header_of(p)->rolling_end[half] = 0;
            announced++;
        }
    }
    if (!asked->dies)
        stop(p);
    else if (mode == WIRE_STREAMING && announced > 0 && p->wrap == announced &&
             below(&chance, 2)) /* not seen: saved */
        header_of(p)->rolling_end[(announced - 1) & 1] = p->at[(announced - 1) & 1] * 8;
    r.saved_known = asked->known || mode == WIRE_STREAMING;
    readout_begin(&r, asked->dies ? READOUT_DEAD : READOUT_STOPPED);
    take(&r, &taken, set);
    readout_close(&r);
    /* the last event of the buffer: if its thread was late, nothing shows that it is new */
    uint32_t last = p->next;
    while (last > 0 && p->held[last - 1] == 0)
        last--;
    bool lost = asked->dies && last > 0 && p->late[last - 1] && taken.times[last - 1] == 0;
    for (uint32_t i = 0; i < p->next; i++) {
        /* Saved events were taken before they were overwritten. */
        bool was_dropped = p->held[i] == 0 && (mode != WIRE_STREAMING || taken.times[i] == 0);
        MUST(taken.times[i] == !was_dropped || (lost && i == last - 1), set, (int)i,
             (int)taken.times[i]);
    }
    MUST(taken.others == 0, set);
    MUST(taken.registrations == p->durable_at / 2, set, (int)taken.registrations);
    if (mode == WIRE_STREAMING && !lost) {
        uint64_t came = 0;
        for (uint32_t i = 0; i < p->next; i++)
            came += taken.times[i];
        MUST(came + p->dropped == p->next, set, (int)came, (int)p->dropped);
    }
}

START_TEST(plain_buffers_give_what_is_in_them) {
    static struct provider p;
    for (int set = 0; set < 3000; set++) {
        enum wire_mode mode = (enum wire_mode)below(&chance, 3);
        size_t bytes = 4096 * (1 + below(&chance, 4));
        run(&p,
            &(struct asked){mode, bytes, (unsigned)below(&chance, below(&chance, 2) ? 40 : NUMBERS),
                            below(&chance, 2), below(&chance, 2),
                            (enum early)below(&chance, EARLY_KINDS)},
            set);
    }
}
END_TEST

/* As a file with --recover: nothing is known but the buffer. */
static void recover_copy(const struct provider *p, size_t bytes, size_t cut, int set) {
    uint64_t *copy = malloc(cut + 8);
    struct taken taken = {0};
    struct readout r;
    struct err err;
    memcpy(copy, p->words, cut);
    if (readout_open(&r, copy, cut, -1, true, &err)) {
        readout_begin(&r, READOUT_DEAD);
        take(&r, &taken, set);
        MUST(taken.words * 8 <= bytes, set, (int)taken.words);
    }
    readout_close(&r);
    free(copy);
}

START_TEST(cut_and_flipped_buffers_give_framed_records) {
    static struct provider p;
    for (int set = 0; set < 12; set++) {
        enum wire_mode mode = (enum wire_mode)(set % 3);
        size_t bytes = 4096;
        run(&p,
            &(struct asked){mode, bytes, (unsigned)below(&chance, 600), false, set % 2,
                            EARLY_NOTHING},
            set);
        for (size_t cut = 0; cut <= bytes; cut += 8)
            recover_copy(&p, bytes, cut, set);
        for (unsigned bit = 0; bit < WIRE_HEADER * 8; bit++) {
            p.words[bit / 64] ^= UINT64_C(1) << bit % 64;
            recover_copy(&p, bytes, bytes, set);
            p.words[bit / 64] ^= UINT64_C(1) << bit % 64;
        }
        for (int k = 0; k < 3000; k++) { /* a few words of anything */
            size_t at = below(&chance, bytes / 8);
            uint64_t was = p.words[at];
            p.words[at] = below(&chance, 2) ? chance_star(&chance) : below(&chance, 70000);
            recover_copy(&p, bytes, bytes, set);
            p.words[at] = was;
        }
    }
}
END_TEST

START_TEST(announcements_that_lie_are_refused) {
    static struct provider p;
    struct readout r;
    struct err err;
    begin(&p, WIRE_STREAMING, 8192);
    put_durable(&p);
    for (int i = 0; i < 300; i++)
        put_event(&p);
    ck_assert(readout_open(&r, p.words, 8192, WIRE_STREAMING, false, &err));
    ck_assert(!readout_save(&r, 1, 16, &err));      /* not the next one */
    ck_assert(!readout_save(&r, 0, 8, &err));       /* less than an initialization record */
    ck_assert(!readout_save(&r, 0, 20, &err));      /* no whole words */
    ck_assert(!readout_save(&r, 0, 1 << 20, &err)); /* more than there is */
    ck_assert(readout_save(&r, 0, 16, &err));
    ck_assert(!readout_save(&r, 0, 16, &err)); /* again */
    readout_close(&r);
    ck_assert(!readout_open(&r, p.words, 8192, WIRE_CIRCULAR, false, &err));
    ck_assert(!readout_open(&r, p.words, 4096, WIRE_STREAMING, false, &err));
}
END_TEST

START_TEST(a_half_is_saved_again_if_its_first_or_last_record_is_another) {
    static struct provider p;
    struct readout r;
    struct err err;
    begin(&p, WIRE_STREAMING, 32768);
    put_durable(&p);
    while (p.wrap == 0)
        put_event(&p);
    size_t last = header_of(&p)->rolling_end[0] / 8 - 1;
    ck_assert_uint_gt(last, 1000); /* more than what is summed */
    header_of(&p)->rolling_end[1] = 0;
    ck_assert(readout_open(&r, p.words, 32768, WIRE_STREAMING, false, &err));
    for (uint32_t wrap = 0; wrap < 12; wrap += 2) {
        ck_assert(readout_save(&r, wrap, 16, &err));
        ck_assert(readout_save(&r, wrap + 1, 16, &err)); /* empty */
        ck_assert(!readout_save(&r, wrap + 2, 16, &err));
        half_of(&p, 0)[wrap % 4 == 0 ? 1 : last]++;
    }
    readout_close(&r);
}
END_TEST

/* ---- chunks ---- */

enum { CELL = 16, CELLS = 4 }; /* words of a cell, cells of a half */

/* Begins the k-th chunk of the buffer with one event, whose number is that of the chunk. */
static void put_chunk(struct provider *p, unsigned k) {
    uint64_t *at = half_of(p, k / CELLS) + k % CELLS * CELL;
    at[1] = 4 | 3 << 4 | UINT64_C(1) << 20 | UINT64_C(1) << 24;
    at[2] = 1000 + k;
    at[3] = 1 | 1 << 4 | (uint64_t)k << 32;
    at[4] = 0;
    __atomic_store_n(at, wire_mark(k / CELLS, 1, 0), __ATOMIC_RELEASE);
}

/* A buffer with chunks, two halves of which are given out. */
static void begin_chunks(struct provider *p) {
    begin(p, WIRE_STREAMING, (16 + 8 + 2 * CELLS * CELL) * 8);
    p->durable = 8;
    p->rolling = CELLS * CELL;
    header_of(p)->durable_size = 8 * p->durable;
    header_of(p)->rolling_size = 8 * p->rolling;
    header_of(p)->signature = WIRE_SIGNATURE;
    header_of(p)->chunk_size = 8 * CELL;
    header_of(p)->state = UINT64_C(1) << 32 | 8 * p->rolling;
}

/* A thread may go on in later chunks while the owner of another one is about to mark it, in the
 * next half, too. */
START_TEST(a_take_does_not_pass_a_chunk_whose_mark_is_to_come) {
    static struct provider p;
    for (unsigned missing = 0; missing < 2 * CELLS; missing++) {
        struct taken taken = {0};
        struct readout r;
        struct err err;
        begin_chunks(&p);
        for (unsigned k = 0; k < 2 * CELLS; k++)
            if (k != missing)
                put_chunk(&p, k);
        MUST(readout_open(&r, p.words, p.total * 8, WIRE_STREAMING, false, &err), (int)missing);
        readout_begin(&r, READOUT_NOW);
        take(&r, &taken, (int)missing);
        for (unsigned k = 0; k < 2 * CELLS; k++)
            MUST(taken.times[k] == (k < missing), (int)missing, (int)k);
        put_chunk(&p, missing);
        readout_begin(&r, READOUT_NOW);
        take(&r, &taken, (int)missing);
        for (unsigned k = 0; k < 2 * CELLS; k++)
            MUST(taken.times[k] == 1, (int)missing, (int)k);
        readout_close(&r);
    }
}
END_TEST

/* Other threads register strings between the provider's look at the end of the durable part and its
 * announcement. */
START_TEST(a_half_is_announced_with_fewer_durable_bytes_than_were_taken) {
    static struct provider p;
    struct taken taken = {0};
    struct readout r;
    struct err err;
    begin_chunks(&p);
    for (unsigned k = 0; k < 2 * CELLS; k++)
        put_chunk(&p, k);
    put_durable(&p);
    put_durable(&p);
    header_of(&p)->durable_end = p.durable_at * 8;
    ck_assert(readout_open(&r, p.words, p.total * 8, WIRE_STREAMING, false, &err));
    readout_begin(&r, READOUT_NOW);
    take(&r, &taken, 0);
    ck_assert_uint_eq(r.durable_taken, p.durable_at);
    ck_assert_msg(readout_save(&r, 0, 16, &err), "%s", err.text);
    take(&r, &taken, 0);
    for (unsigned k = 0; k < 2 * CELLS; k++)
        ck_assert_uint_eq(taken.times[k], 1);
    readout_close(&r);
}
END_TEST

/* ---- images that Fuchsia's engine made, if the shared files are there ---- */

#define STEPS 4000

static const struct engine_image {
    const char *name;
    unsigned from, to; /* steps that are there, worker by worker from 0 on; not saved yet */
} images[] = {
    {"oneshot", 0, 99},        {"oneshot_full", 0, 250},
    {"circular", 0, 99},       {"circular_wrapped", 2395, 2999},
    {"streaming", 1437, 1499}, {"streaming_crash", 1437, 1509},
};

/* The file in memory; NULL: it is not there. */
static uint64_t *load_image(const char *name, size_t *bytes) {
    const char *shared = getenv("FXTOP_SHARED"), *top = getenv("srcdir");
    char path[1000];
    snprintf(path, sizeof path, "%s%s/record/images/%s.bin",
             shared ? ""
             : top  ? top
                    : ".",
             shared ? shared : "/../shared", name);
    FILE *f = fopen(path, "rb");
    if (f == NULL)
        return NULL;
    uint64_t *words = calloc(1, 1 << 20);
    *bytes = fread(words, 1, 1 << 20, f);
    fclose(f);
    return words;
}

/* Counts instants by their argument, which is the number of the step. */
static void count_steps(const struct readout_records *v, unsigned char times[STEPS], int set) {
    for (size_t at = 0; at < v->n;) {
        const uint64_t *r = v->v + at;
        size_t n = r[0] >> 4 & 0xfff, arg = 2 + (r[0] >> 24 & 255 ? 0 : 2);
        arg += r[0] >> 47 & 1 ? ((r[0] >> 32 & 0x7fff) + 7) / 8 : 0;
        arg += r[0] >> 63 ? ((r[0] >> 48 & 0x7fff) + 7) / 8 : 0;
        if ((r[0] & 15) == 4 && (r[0] >> 16 & 15) == 0 && arg < n && r[arg] >> 32 < STEPS) {
            MUST((r[0] >> 20 & 15) == 1, set);
            times[r[arg] >> 32]++;
        }
        at += n;
    }
}

START_TEST(buffers_of_the_trace_engine_give_the_steps_that_are_there) {
    for (size_t k = 0; k < sizeof images / sizeof *images; k++) {
        unsigned char times[STEPS] = {0};
        struct readout_news news = {0};
        struct readout r;
        struct err err;
        size_t bytes;
        uint64_t *words = load_image(images[k].name, &bytes);
        if (words == NULL)
            continue;
        ck_assert_msg(readout_open(&r, words, bytes, -1, true, &err), "%s: %s", images[k].name,
                      err.text);
        readout_begin(&r, READOUT_DEAD);
        for (bool more = true; more;) {
            more = readout_step(&r, &news);
            count_steps(&news.rolling, times, (int)k);
            news.durable.n = news.rolling.n = news.records = 0;
        }
        for (unsigned i = 0; i < STEPS; i++)
            MUST(times[i] == (i >= images[k].from && i <= images[k].to), (int)k, (int)i,
                 (int)times[i]);
        readout_news_free(&news);
        readout_close(&r);
        free(words);
    }
}
END_TEST

START_TEST(cut_and_flipped_buffers_of_the_trace_engine_give_framed_records) {
    static struct provider p;
    for (size_t k = 0; k < sizeof images / sizeof *images; k++) {
        size_t bytes;
        uint64_t *words = load_image(images[k].name, &bytes);
        if (words == NULL)
            continue;
        ck_assert_uint_le(bytes, sizeof p.words);
        memcpy(p.words, words, bytes);
        for (size_t cut = 0; cut <= bytes; cut += 8)
            recover_copy(&p, bytes, cut, (int)k);
        for (unsigned bit = 0; bit < WIRE_HEADER * 8; bit++) {
            p.words[bit / 64] ^= UINT64_C(1) << bit % 64;
            recover_copy(&p, bytes, bytes, (int)k);
            p.words[bit / 64] ^= UINT64_C(1) << bit % 64;
        }
        free(words);
    }
}
END_TEST

SUITE(readout) {
    Suite *s = suite_create("readout");
    TCase *c = tcase_create("readout");
    tcase_set_timeout(c, 120);
    tcase_add_test(c, plain_buffers_give_what_is_in_them);
    tcase_add_test(c, cut_and_flipped_buffers_give_framed_records);
    tcase_add_test(c, announcements_that_lie_are_refused);
    tcase_add_test(c, a_half_is_saved_again_if_its_first_or_last_record_is_another);
    tcase_add_test(c, a_take_does_not_pass_a_chunk_whose_mark_is_to_come);
    tcase_add_test(c, a_half_is_announced_with_fewer_durable_bytes_than_were_taken);
    tcase_add_test(c, buffers_of_the_trace_engine_give_the_steps_that_are_there);
    tcase_add_test(c, cut_and_flipped_buffers_of_the_trace_engine_give_framed_records);
    suite_add_tcase(s, c);
    return s;
}
