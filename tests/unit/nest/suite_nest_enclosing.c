/* suite_nest_enclosing.c - the innermost slice around a time among many overlapping ones, against a
 * search through all.
 */
#include "model/nest/nest_enclosing.h"

#include "model/nest/nest_buffer.h"
#include "src/base/u64map.h"
#include "tests/lib/chance.h"
#include "tests/unit/lib/must.h"
#include "tests/unit/lib/suites.h"

enum { MOST = 600 };

static struct {
    int64_t start, end;
    uint64_t offset;
} list[MOST];
static uint32_t n_list;
static struct u64map facts;

static void set(void *ctx, uint64_t key, uint64_t value) {
    (void)ctx;
    u64map_set(&facts, key, value);
}

static uint64_t get(void *ctx, uint64_t key) {
    (void)ctx;
    return u64map_get(&facts, key);
}

static const struct slice_extra extra = {NULL, NULL, set, get, NULL, NULL};

/* Slices that begin one after the other, so that the innermost is the one that begins last. */
static void add(struct nest_buffer *buffer, struct chance *chance, uint32_t n, uint64_t longest) {
    for (int64_t start = n_list ? list[n_list - 1].start : 0; n > 0; n--, n_list++) {
        start += 1 + (int64_t)below(chance, 3);
        list[n_list].start = start;
        list[n_list].end = start + (int64_t)below(chance, longest + 1);
        list[n_list].offset = 8 + (uint64_t)n_list * 16;
        nest_buffer_add(buffer, NEST_COMPLETE, start, list[n_list].end, list[n_list].offset, 1);
    }
    nest_buffer_flush_late(buffer, true, NULL);
}

static uint32_t slow(int64_t t) {
    for (uint32_t k = n_list; k-- > 0;)
        if (list[k].start == t || (list[k].start < t && t < list[k].end))
            return k;
    return MOST;
}

static void compare(const struct nest *nest, struct nest_enclosing_cache *cache,
                    struct chance *chance, int number) {
    struct nest_enclosing *index = nest_enclosing_new(nest, &extra);
    for (int k = 0; k < 200; k++) {
        int64_t t = (int64_t)below(chance, (uint64_t)list[n_list - 1].start + 700) - 3;
        uint32_t wanted = slow(t), row, i;
        bool found = nest_enclosing_at(index, t, &row, &i);
        MUST(found == (wanted < MOST), number);
        MUST(!found || slice_offset(lane_at(nest_row(nest, row), i)) == list[wanted].offset,
             number);
        found = nest_enclosing_find(cache, nest, &extra, t, &row, &i);
        MUST(found == (wanted < MOST), number);
        MUST(!found || slice_offset(lane_at(nest_row(nest, row), i)) == list[wanted].offset,
             number);
    }
    nest_enclosing_free(index);
}

START_TEST(the_innermost_slice_is_found_on_few_rows_and_on_many) {
    struct chance chance = {81};
    for (int number = 0; number < 40; number++) {
        struct nest nest;
        struct nest_buffer buffer;
        struct nest_enclosing_cache cache = {0};
        nest_init(&nest);
        nest_buffer_init(&buffer, &nest, &extra);
        n_list = 0;
        add(&buffer, &chance, 1 + (uint32_t)below(&chance, 250),
            1 + below(&chance, number % 2 ? 500 : 8));
        compare(&nest, &cache, &chance, number);
        /* what was built before must not answer */
        add(&buffer, &chance, 1 + (uint32_t)below(&chance, 250), 400);
        compare(&nest, &cache, &chance, number);
        nest_enclosing_cache_free(&cache);
        nest_buffer_free(&buffer);
        nest_free(&nest);
        u64map_free(&facts);
    }
}
END_TEST

START_TEST(of_no_slices_none_is_around) {
    struct nest nest;
    struct nest_enclosing_cache cache = {0};
    uint32_t row, i;
    nest_init(&nest);
    ck_assert(!nest_enclosing_find(&cache, &nest, &extra, 0, &row, &i));
    nest_enclosing_cache_free(&cache);
    nest_enclosing_free(NULL);
    nest_free(&nest);
}
END_TEST

SUITE(nest_enclosing) {
    Suite *s = suite_create("nest_enclosing");
    TCase *t = tcase_create("nest_enclosing");
    tcase_add_test(t, the_innermost_slice_is_found_on_few_rows_and_on_many);
    tcase_add_test(t, of_no_slices_none_is_around);
    suite_add_tcase(s, t);
    return s;
}
