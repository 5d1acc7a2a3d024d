/* suite_blocks.c - rows that two threads make are written once each, in order, and a maker's state
 * is never shared. */
#include "model/output/lines/blocks.h"

#include <stdatomic.h>
#include <stdlib.h>

#include "src/base/worker.h"
#include "tests/lib/chance.h"
#include "tests/unit/lib/must.h"
#include "tests/unit/lib/suites.h"

struct hand {
    atomic_int busy;
    uint64_t rows;
    uintptr_t text; /* of its last block */
};

/* Rows of very different lengths, so that one thread waits for the other. */
static unsigned length_of(uint64_t row) {
    return row % 97 == 0 ? 3000 : (unsigned)(row * 7 % 23);
}

static void make(void *ctx, uint64_t from, uint64_t to, struct chars *out) {
    struct hand *hand = ctx;
    MUST(atomic_fetch_add(&hand->busy, 1) == 0);
    hand->text = (uintptr_t)out;
    for (uint64_t row = from; row < to; row++) {
        chars_u64(out, row);
        for (unsigned i = 0; i < length_of(row); i++)
            chars_put(out, '.');
        chars_put(out, '\n');
        hand->rows++;
    }
    atomic_fetch_sub(&hand->busy, 1);
}

START_TEST(each_row_is_written_once_and_in_order) {
    struct chance chance = {281};
    for (int set = 0; set < 40; set++) {
        struct worker *worker = set % 3 ? worker_new() : NULL;
        struct hand hands[BLOCKS_HANDS] = {{0}};
        uint64_t n = set < 4 ? (uint64_t)set * 256 : below(&chance, 30000);
        char *text = NULL;
        size_t size = 0;
        FILE *out = open_memstream(&text, &size);
        struct chars wanted = {0};
        blocks_write(worker, make, (void *[]){&hands[0], &hands[1]}, n, out);
        ck_assert_int_eq(fclose(out), 0);
        for (uint64_t row = 0; row < n; row++) {
            chars_format(&wanted, "%llu", (unsigned long long)row);
            for (unsigned i = 0; i < length_of(row); i++)
                chars_add(&wanted, STR("."));
            chars_add(&wanted, STR("\n"));
        }
        MUST(size == wanted.n && (size == 0 || memcmp(text, wanted.v, size) == 0), set);
        MUST(hands[0].rows + hands[1].rows == n, set);
        vec_free(&wanted);
        free(text);
        worker_free(worker);
    }
}
END_TEST

/* One thread makes both here, one after the other: it may use one text for them. */
START_TEST(texts_that_two_threads_may_write_at_a_time_are_in_different_cache_lines) {
    struct hand hands[BLOCKS_HANDS] = {{0}};
    FILE *out = fopen("/dev/null", "w");
    ck_assert_ptr_nonnull(out);
    blocks_write(NULL, make, (void *[]){&hands[0], &hands[1]}, 512, out);
    ck_assert_int_eq(fclose(out), 0);
    uintptr_t a = hands[0].text, b = hands[1].text;
    ck_assert(a == b || (a > b ? a - b : b - a) >= 64);
    ck_assert(a != 0 && b != 0);
}
END_TEST

START_TEST(a_file_that_fails_ends_it_early) {
    struct hand hands[BLOCKS_HANDS] = {{0}};
    struct worker *worker = worker_new();
    FILE *full = fopen("/dev/full", "w");
    if (full) {
        setvbuf(full, NULL, _IONBF, 0);
        blocks_write(worker, make, (void *[]){&hands[0], &hands[1]}, 1000000, full);
        ck_assert(ferror(full));
        ck_assert_uint_lt(hands[0].rows + hands[1].rows, 100000);
        fclose(full);
    }
    worker_free(worker);
}
END_TEST

START_TEST(numbers_are_those_that_printf_prints) {
    struct chance chance = {283};
    for (int set = 0; set < 20000; set++) {
        struct chars text = {0}, wanted = {0};
        uint64_t n = chance_star(&chance) >> below(&chance, 64);
        if (set < 30) /* powers of ten, and those before them */
            for (n = 1; n < (uint64_t)set; n++)
                n *= set % 2 ? 10 : 7;
        chars_u64(&text, n);
        chars_put(&text, ' ');
        chars_i64(&text, (int64_t)n);
        chars_put(&text, ' ');
        chars_i64(&text, (int64_t)-n);
        chars_put(&text, ' ');
        chars_hex(&text, n);
        chars_format(&wanted, "%llu %lld %lld 0x%llx", (unsigned long long)n, (long long)n,
                     (long long)-n, (unsigned long long)n);
        MUST(text.n == wanted.n && memcmp(text.v, wanted.v, text.n) == 0, set);
        vec_free(&text);
        vec_free(&wanted);
    }
}
END_TEST

SUITE(blocks) {
    Suite *s = suite_create("blocks");
    TCase *t = tcase_create("blocks");
    tcase_add_test(t, each_row_is_written_once_and_in_order);
    tcase_add_test(t, texts_that_two_threads_may_write_at_a_time_are_in_different_cache_lines);
    tcase_add_test(t, a_file_that_fails_ends_it_early);
    tcase_add_test(t, numbers_are_those_that_printf_prints);
    suite_add_tcase(s, t);
    return s;
}
