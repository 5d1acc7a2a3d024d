/* suite_pack.c - a packed block returns the slices that it was made of, whatever their widths. A
 * lane of such blocks returns those that were added, wherever it is cut. */
#include "model/store/pack.h"

#include <stdlib.h>
#include <string.h>

#include "model/store/lane.h"
#include "tests/lib/chance.h"
#include "tests/unit/lib/must.h"
#include "tests/unit/lib/suites.h"

static struct chance chance = {77};

/* A number of up to that many bits, or one at the edge of a width. */
static uint64_t some(unsigned bits) {
    unsigned n = (unsigned)below(&chance, bits + 1);
    uint64_t most = n == 0 ? 0 : UINT64_MAX >> (64 - n);
    return below(&chance, 4) ? most & chance_next(&chance) : most;
}

/* Sorted starts, and any other bits that an ended slice may have; `bits` bounds starts and
 * durations. */
static void throw_block(struct slice v[LANE_BLOCK], unsigned bits) {
    int64_t start = (int64_t)some(62) - (int64_t)some(62);
    unsigned apart = (unsigned)below(&chance, 38);
    uint64_t offset = some(37) % EVENT_WORDS * 8;
    for (unsigned i = 0; i < LANE_BLOCK; i++) {
        unsigned flags = (unsigned)below(&chance, 16);
        /* rarely: such a block is not plain */
        if ((flags & SLICE_UNENDED) == SLICE_UNENDED && below(&chance, 100) != 0)
            flags &= ~(unsigned)SLICE_MISMATCH;
        int64_t dur = (int64_t)some(below(&chance, 30) ? bits : 62);
        uint32_t name = (uint32_t)some(below(&chance, 9) ? 9 : 27);
        uint64_t end = below(&chance, 40) ? offset + 8 + some(20) * 8 : some(37) * 8;
        if (flags & SLICE_COMPLETE)
            end = UINT64_MAX;
        v[i] = slice_make(start, dur, event_pack(offset, name), end, flags);
        if (slice_endless(&v[i]))
            v[i] = slice_make(start, dur, event_pack(offset, name), UINT64_MAX,
                              flags | SLICE_COMPLETE);
        slice_set_parent(&v[i], (uint32_t)some(32));
        start += (int64_t)some(bits < 40 ? bits : 40);
        offset = (below(&chance, 10) ? offset / 8 + some(apart) : some(37)) % EVENT_WORDS * 8;
    }
}

static unsigned pack(const struct slice v[LANE_BLOCK], unsigned longest, unsigned char *to) {
    int64_t most = 0;
    struct pack_sum sum = pack_sum(v);
    for (unsigned i = 0; i < LANE_BLOCK; i++)
        most = slice_dur(&v[i]) > most ? slice_dur(&v[i]) : most;
    uint64_t head = pack_head(v, &sum, longest, most);
    pack_write(head, v, to);
    return pack_size(head);
}

/* Value i of a column, as the head of pack.h describes it, byte by byte. */
static uint64_t slow_value(const unsigned char *block, unsigned column, unsigned i) {
    uint64_t head = 0, v = 0;
    unsigned at = 8, width = 0;
    for (unsigned k = 0; k < 8; k++)
        head |= (uint64_t)block[k] << 8 * k;
    for (unsigned k = 0; k <= column; k++) {
        at += width * 16;
        width = (head >> (41 + 3 * k) & 7) + 1;
    }
    for (unsigned k = 0; k < width; k++)
        v |= (uint64_t)block[at + i * width + k] << 8 * k;
    return v;
}

static unsigned held; /* slices without their record, so far */

/* A name that is decoded again needs the record. */
static bool same_times(const struct slice *got, const struct slice *v) {
    held += slice_offset(got) != slice_offset(v);
    return got->start == v->start && slice_dur(got) == slice_dur(v) &&
           slice_name(got) == slice_name(v) && slice_open(got) == slice_open(v) &&
           slice_has_length(got) == slice_has_length(v) &&
           (slice_has_length(v) || slice_parent(got) == slice_parent(v)) &&
           (slice_name(v) != EVENT_NAME_MAX || slice_offset(got) == slice_offset(v));
}

static void compare(const unsigned char *block, const struct slice v[LANE_BLOCK], int set) {
    struct slice got[LANE_BLOCK];
    unsigned first = (unsigned)below(&chance, LANE_BLOCK),
             n = (unsigned)below(&chance, LANE_BLOCK - first + 1);
    pack_read(block, v[0].start, 0, LANE_BLOCK, got);
    MUST(memcmp(got, v, sizeof got) == 0, set);
    pack_read(block, v[0].start, first, n, got);
    MUST(memcmp(got, v + first, n * sizeof *got) == 0, set);
    pack_read_times(block, v[0].start, first, n, got);
    for (unsigned k = 0; k < n; k++)
        MUST(same_times(&got[k], &v[first + k]), set);
    for (unsigned i = 0; i < LANE_BLOCK; i++) {
        MUST(pack_dur(block, i) == slice_dur(&v[i]), set);
        MUST(v[0].start + (int64_t)slow_value(block, PACK_START, i) == v[i].start, set);
        MUST((slow_value(block, PACK_LOW, i) & 0x1ffffffff) == (v[i].end_word & 0x1ffffffff), set);
        MUST(slow_value(block, PACK_NAME, i) == v[i].begin_word >> 37, set);
        uint64_t word = (slow_value(block, PACK_OFFSET, i) + v[0].begin_word) & 0x1fffffffff;
        MUST(word * 8 == slice_offset(&v[i]), set);
        uint64_t high = slow_value(block, PACK_HIGH, i);
        MUST(((high >> 7 | high << 25) & UINT32_MAX) == v[i].end_word >> 32, set);
    }
}

START_TEST(a_block_returns_its_slices) {
    unsigned char bytes[PACK_MOST + PACK_SLACK + 8];
    struct slice v[LANE_BLOCK];
    unsigned least = PACK_MOST, most = 0;
    for (int set = 0; set < 3000; set++) {
        unsigned longest = (unsigned)below(&chance, LANE_BLOCK);
        throw_block(v, (unsigned)below(&chance, 61));
        memset(bytes, 0xee, sizeof bytes);
        unsigned size = pack(v, longest, bytes);
        MUST(size >= PACK_LEAST && size <= PACK_MOST && size % 8 == 0, set);
        for (size_t i = size; i < sizeof bytes; i++)
            MUST(bytes[i] == (i < size + PACK_SLACK ? 0 : 0xee), set);
        MUST(pack_longest(bytes) == longest, set);
        compare(bytes, v, set);
        least = size < least ? size : least;
        most = size > most ? size : most;
    }
    ck_assert(least < 200 && most > 350);
    ck_assert_uint_gt(held, 500);
}
END_TEST

START_TEST(usual_slices_take_half_of_their_bytes) {
    unsigned char bytes[PACK_MOST + PACK_SLACK];
    struct slice v[LANE_BLOCK];
    for (unsigned i = 0; i < LANE_BLOCK; i++) { /* calls of 30 us, each 100 us, of 16 threads */
        uint64_t begin = (1000 + i * 400) * 8;
        v[i] =
            slice_make(5000000 + i * 100000, 30000 + i, event_pack(begin, 100 + i), begin + 80, 0);
    }
    ck_assert_uint_le(pack(v, 15, bytes), LANE_BLOCK * sizeof(struct slice) / 2);
}
END_TEST

START_TEST(a_blank_block_is_harmless) {
    unsigned char bytes[PACK_LEAST + PACK_SLACK] = {0};
    struct slice v[LANE_BLOCK];
    pack_blank(bytes);
    pack_read(bytes, -7, 0, LANE_BLOCK, v);
    for (unsigned i = 0; i < LANE_BLOCK; i++)
        ck_assert(v[i].start == -7 + (int64_t)i && slice_dur(&v[i]) == 1 &&
                  slice_flags(&v[i]) == SLICE_COMPLETE);
}
END_TEST

/* Whether the lane has the first n of the slices. */
static bool has(const struct lane *lane, const struct slice *v, uint32_t n) {
    struct slice got[40];
    int64_t starts[40];
    uint32_t name = n > 0 ? slice_name(&v[below(&chance, n)]) : 0;
    bool same = lane->n == n && (n == 0 || memcmp(lane_last(lane), &v[n - 1], sizeof *v) == 0);
    for (uint32_t i = 0, k; same && i < n; i += k) {
        k = 1 + (uint32_t)below(&chance, n - i < 40 ? n - i : 40);
        lane_copy(lane, i, k, got);
        bool named = false;
        for (uint32_t j = 0; j < k; j++)
            named |= slice_name(&v[i + j]) == name || slice_name(&v[i + j]) == EVENT_NAME_MAX;
        same = lane_has_name(lane, i, k, name) == named && memcmp(got, v + i, k * sizeof *v) == 0 &&
               memcmp(lane_at(lane, i), &v[i], sizeof *v) == 0 &&
               lane_start(lane, i) == v[i].start && lane_dur(lane, i) == slice_dur(&v[i]);
        lane_copy_times(lane, i, k, got);
        lane_starts(lane, i, k, starts);
        for (uint32_t j = 0; same && j < k; j++)
            same = same_times(&got[j], &v[i + j]) && starts[j] == v[i + j].start;
    }
    return same;
}

#define SLICES 6000u /* more than a piece of bytes has */

START_TEST(a_lane_has_what_was_added_wherever_it_is_cut) {
    struct slice *v = malloc(SLICES * sizeof *v);
    struct lane lane = LANE_EMPTY;
    for (uint32_t i = 0; i < SLICES; i += LANE_BLOCK) {
        int64_t end = i > 0 ? slice_end(&v[i - 1]) : 0;
        throw_block(v + i, (unsigned)below(&chance, 30));
        for (uint32_t k = i; k < i + LANE_BLOCK; k++) {
            v[k].start = end;
            if (slice_dur(&v[k]) > 1 << 30)
                v[k] = slice_make(end, 1, v[k].begin_word, UINT64_MAX, SLICE_COMPLETE);
            end = slice_end(&v[k]) + (int64_t)below(&chance, 3);
        }
    }
    for (uint32_t i = 0; i < SLICES; i++) {
        lane_push(&lane, &v[i]);
        if (i % 499 == 0)
            MUST(has(&lane, v, i + 1), (int)i);
    }
    MUST(has(&lane, v, SLICES), -1);
    for (uint32_t n = SLICES; n > 0; n -= n > 100 ? (uint32_t)below(&chance, 60) : 1) {
        lane_cut(&lane, n);
        if (n % 5 == 0 || n < 100)
            MUST(has(&lane, v, n), (int)n);
        for (uint32_t i = n; i < SLICES && i < n + n % 37; i++)
            lane_push(&lane, &v[i]);
        if (n % 3 == 0)
            lane_index(&lane);
        if (n % 5 == 0)
            MUST(has(&lane, v, lane.n), (int)n);
    }
    lane_cut(&lane, 0);
    ck_assert(lane.n == 0 && lane.end == INT64_MIN);
    lane_free(&lane);
    free(v);
}
END_TEST

SUITE(pack) {
    Suite *s = suite_create("pack");
    TCase *t = tcase_create("pack");
    tcase_add_test(t, a_block_returns_its_slices);
    tcase_add_test(t, usual_slices_take_half_of_their_bytes);
    tcase_add_test(t, a_blank_block_is_harmless);
    tcase_add_test(t, a_lane_has_what_was_added_wherever_it_is_cut);
    suite_add_tcase(s, t);
    return s;
}
