/* suite_provider_names.c - the library's tables: a text has one index, full tables are no error,
 * categories. */
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "provider/names.h"
#include "provider/write.h"
#include "tests/unit/lib/must.h"
#include "tests/unit/lib/suites.h"

enum { THREADS = 3, TEXTS = 2000 };

static void *begin(uint64_t size) {
    void *bytes = calloc(1, size);
    write_init();
    write_layout(bytes, size, WIRE_STREAMING);
    write_buffer.epoch++;
    write_start(WIRE_CLEAR_ALL);
    names_session(1000);
    return bytes;
}

/* The string records in the durable part: each index once, from 1 on, with the text that has it. */
static unsigned registered(void) {
    const uint64_t *v = write_buffer.durable;
    unsigned strings = 0;
    for (size_t at = 0; at < write_buffer.header->durable_end / 8; at += v[at] >> 4 & 0xfff) {
        ck_assert_uint_gt(v[at] >> 4 & 0xfff, 0);
        if ((v[at] & 15) != 2)
            continue;
        MUST((v[at] >> 16 & 0xffff) == ++strings, (int)strings);
        MUST(names_index((const char *)(v + at + 1), v[at] >> 32 & 0x7fff) == strings,
             (int)strings);
    }
    return strings;
}

static void *register_texts(void *indexes) {
    for (unsigned i = 0; i < TEXTS; i++) {
        char text[40];
        int n = snprintf(text, sizeof text, "text %u", i * 7 % TEXTS);
        ((uint16_t *)indexes)[i * 7 % TEXTS] = names_index(text, (size_t)n);
    }
    return NULL;
}

START_TEST(a_text_has_one_index_in_all_threads) {
    static uint16_t indexes[THREADS][TEXTS];
    pthread_t threads[THREADS];
    void *bytes = begin(4 << 20);
    for (int k = 0; k < THREADS; k++)
        pthread_create(&threads[k], NULL, register_texts, indexes[k]);
    for (int k = 0; k < THREADS; k++)
        pthread_join(threads[k], NULL);
    for (int i = 0; i < TEXTS; i++)
        for (int k = 0; k < THREADS; k++)
            MUST(indexes[k][i] > 0 && indexes[k][i] == indexes[0][i], i, k);
    ck_assert_uint_eq(registered(), TEXTS);
    free(bytes);
}
END_TEST

START_TEST(a_full_part_and_long_texts_are_inline) {
    static char text[5000];
    void *bytes = begin(65536);
    unsigned last = 0, inlined = 0;
    memset(text, 'x', sizeof text);
    ck_assert_uint_eq(names_index(text, 4001), 0);
    ck_assert_uint_eq(names_index("", 0), 0);
    for (unsigned i = 0; i < 2000; i++) {
        int n = snprintf(text, sizeof text, "number %u", i);
        uint16_t index = names_index(text, (size_t)n);
        inlined += index == 0;
        ck_assert(index == 0 || (inlined == 0 && index == last + 1));
        last = index > 0 ? index : last;
    }
    ck_assert(last > 0 && inlined > 0);
    ck_assert_uint_eq(names_index("number 0", 8), 1); /* is known as before */
    ck_assert_uint_eq(registered(), last);
    free(bytes);
}
END_TEST

START_TEST(strings_beyond_the_last_index_are_inline) {
    static char text[32];
    void *bytes = begin(64 << 20);
    ck_assert_uint_eq(NAMES_STRINGS, 32767);
    for (unsigned i = 1; i <= NAMES_STRINGS + 100; i++) {
        int n = snprintf(text, sizeof text, "%u", i);
        MUST(names_index(text, (size_t)n) == (i <= NAMES_STRINGS ? i : 0), (int)i);
    }
    ck_assert_uint_eq(names_index("1", 1), 1); /* is known as before */
    ck_assert_uint_eq(names_index("32767", 5), 32767);
    ck_assert_uint_eq(registered(), NAMES_STRINGS);
    free(bytes);
}
END_TEST

START_TEST(at_most_so_many_threads_have_an_index) {
    void *bytes = begin(4 << 20);
    for (unsigned i = 1; i <= NAMES_THREADS + 10; i++)
        MUST(names_thread(1000 + i) == (i <= NAMES_THREADS ? i : 0), (int)i);
    free(bytes);
}
END_TEST

START_TEST(a_category_is_exact_or_a_prefix) {
    static const struct {
        const char *category;
        bool enabled;
    } cases[] = {{"app", true},  {"apps", false},     {"ap", false}, {"gfx", false},
                 {"gfx:", true}, {"gfx:paint", true}, {"", false}};
    names_categories_clear();
    ck_assert(names_enabled("anything"));
    ck_assert(names_categories_take((const unsigned char *)"\3app\5gfx:*", 10, 2));
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++)
        MUST(names_enabled(cases[i].category) == cases[i].enabled, (int)i);
    ck_assert(names_categories_take((const unsigned char *)"\1*", 2, 1));
    ck_assert(!names_categories_take((const unsigned char *)"\3ap", 3, 1));
    ck_assert(!names_categories_take((const unsigned char *)"\1*!", 3, 1));
    ck_assert(names_enabled("anything"));
    names_categories_clear();
}
END_TEST

SUITE(provider_names) {
    Suite *s = suite_create("provider_names");
    TCase *c = tcase_create("provider_names");
    tcase_add_test(c, a_text_has_one_index_in_all_threads);
    tcase_add_test(c, a_full_part_and_long_texts_are_inline);
    tcase_add_test(c, strings_beyond_the_last_index_are_inline);
    tcase_add_test(c, at_most_so_many_threads_have_an_index);
    tcase_add_test(c, a_category_is_exact_or_a_prefix);
    suite_add_tcase(s, c);
    return s;
}
