/* suite_images.c - the mappings of processes: against a list of pages that each event sets, and the
 * records that they become. */
#include "record/watch/images.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>

#include "tests/lib/scratch.h"
#include "tests/unit/lib/suites.h"
#include "tests/unit/record/written.h"

enum { PAGES = 64, ROUNDS = 400, FIRST = 1000, SECOND = 1001 };

#define PAGE UINT64_C(4096)
#define BASE UINT64_C(0x10000)

static void map(struct images *images, uint32_t pid, unsigned page, unsigned n, const char *name) {
    const struct images_event e = {.pid = pid,
                                   .start = BASE + page * PAGE,
                                   .size = n * PAGE,
                                   .offset = page * PAGE,
                                   .protection = PROT_READ | PROT_EXEC,
                                   .name = str_of(name)};
    images_add(images, &e);
}

/* The image of a page. */
static uint32_t image_at(struct images *images, struct output *o, uint32_t pid, unsigned page) {
    return images_find(images, o, 1, pid, BASE + page * PAGE + 17).image;
}

START_TEST(a_later_mapping_takes_the_place_of_what_it_overlaps) {
    struct images images;
    struct written w;
    struct err err;
    uint32_t is[PAGES];
    memset(is, 0xff, sizeof is);
    written_begin(&w, UINT64_MAX);
    images_open(&images);
    for (int round = 0; round < ROUNDS; round++) {
        unsigned page = (unsigned)rand() % PAGES, n = 1 + (unsigned)rand() % (PAGES - page);
        char name[20];
        snprintf(name, sizeof name, "/none/%d", rand() % 8);
        n = n > 8 ? n % 8 + 1 : n;
        map(&images, FIRST, page, n, name);
        uint32_t image = image_at(&images, &w.output, FIRST, page);
        for (unsigned i = page; i < page + n; i++)
            is[i] = image;
        for (unsigned i = 0; i < PAGES; i++)
            MUST(image_at(&images, &w.output, FIRST, i) == is[i], round);
        struct images_place place =
            images_find(&images, &w.output, 1, FIRST, BASE + page * PAGE + 17);
        ck_assert_uint_eq(place.address, page * PAGE + 17); /* by the offset of what was cut */
    }
    images_close(&images);
    ck_assert(output_close(&w.output, &err));
    written_end(&w);
}
END_TEST

START_TEST(a_fork_shares_mappings_until_one_of_both_has_others) {
    struct images images;
    struct written w;
    struct err err;
    written_begin(&w, UINT64_MAX);
    images_open(&images);
    map(&images, FIRST, 1, 2, "/none/a");
    uint32_t a = image_at(&images, &w.output, FIRST, 1);
    images_fork(&images, SECOND, FIRST);
    ck_assert_uint_eq(image_at(&images, &w.output, SECOND, 1), a);
    map(&images, FIRST, 1, 1, "/none/b");
    ck_assert_uint_ne(image_at(&images, &w.output, FIRST, 1), a);
    ck_assert_uint_eq(image_at(&images, &w.output, FIRST, 2), a);
    ck_assert_uint_eq(image_at(&images, &w.output, SECOND, 1), a);
    images_forget(&images, FIRST); /* an exec */
    ck_assert_uint_eq(image_at(&images, &w.output, FIRST, 2), IMAGES_NONE);
    ck_assert_uint_eq(image_at(&images, &w.output, SECOND, 2), a);
    images_close(&images);
    ck_assert(output_close(&w.output, &err));
    written_read(&w);
    ck_assert_uint_eq(written_count(&w, 10, 0), 3); /* a and b of the first, a of the second */
    ck_assert_uint_eq(written_count(&w, 10, 1), 3);
    written_end(&w);
}
END_TEST

START_TEST(records_of_a_mapping_are_written_once_and_with_their_module_before) {
    struct images images;
    struct written w;
    struct err err;
    written_begin(&w, UINT64_MAX);
    images_open(&images);
    map(&images, FIRST, 1, 1, "/none/a");
    map(&images, FIRST, 5, 1, "/none/a");
    for (int i = 0; i < 3; i++) {
        image_at(&images, &w.output, FIRST, 1);
        image_at(&images, &w.output, FIRST, 5);
        images_find(&images, &w.output, 1, FIRST, UINT64_MAX - 5);
    }
    images_close(&images);
    ck_assert(output_close(&w.output, &err));
    written_read(&w);
    ck_assert_uint_eq(written_count(&w, 10, 0), 2); /* it, and the kernel */
    ck_assert_uint_eq(written_count(&w, 10, 1), 3);
    written_end(&w);
}
END_TEST

START_TEST(too_large_places_and_numbers_are_refused) {
    struct images images;
    struct written w;
    struct err err;
    written_begin(&w, UINT64_MAX);
    images_open(&images);
    const struct images_event events[] = {
        {.pid = FIRST, .start = BASE, .size = UINT64_MAX, .name = STR("/none/a")},
        {.pid = FIRST, .start = UINT64_MAX - 5, .size = 100, .name = STR("/none/a")},
        {.pid = FIRST, .start = BASE, .size = 0, .name = STR("/none/a")},
    };
    for (size_t i = 0; i < sizeof events / sizeof *events; i++)
        images_add(&images, &events[i]);
    ck_assert_uint_eq(image_at(&images, &w.output, FIRST, 0), IMAGES_NONE);
    images_close(&images);
    ck_assert(output_close(&w.output, &err));
    written_end(&w);
}
END_TEST

SUITE(images) {
    Suite *s = suite_create("images");
    TCase *c = tcase_create("images");
    tcase_add_test(c, a_later_mapping_takes_the_place_of_what_it_overlaps);
    tcase_add_test(c, a_fork_shares_mappings_until_one_of_both_has_others);
    tcase_add_test(c, records_of_a_mapping_are_written_once_and_with_their_module_before);
    tcase_add_test(c, too_large_places_and_numbers_are_refused);
    suite_add_tcase(s, c);
    return s;
}
