/* suite_index_table.c - what an index means, now and at any offset, against a walk over all
 * definitions. */
#include "src/fxt/index_table.h"
#include "tests/lib/chance.h"
#include "tests/unit/lib/suites.h"

/* The last definition before an offset, by walking back over all of them. */
START_TEST(an_index_means_what_it_last_meant) {
    struct index_table t = {0};
    static uint32_t index[5000], value[5000];
    struct chance chance = {1};
    for (uint32_t i = 0; i < 5000; i++) {
        index[i] = i % 97 == 0 ? 0x7fff : 1 + (uint32_t)below(&chance, 300);
        value[i] = 1 + (uint32_t)below(&chance, 4);
        index_table_set(&t, index[i], (uint64_t)i * 8, value[i]);
        ck_assert_uint_eq(index_table_get(&t, index[i]), value[i]);
        if (i % 7 != 0)
            continue;
        uint32_t at = (uint32_t)below(&chance, i + 2), wanted = 0,
                 look = index[below(&chance, i + 1)];
        for (uint32_t k = 0; k < at && k <= i; k++)
            if (index[k] == look)
                wanted = value[k];
        ck_assert_uint_eq(index_table_at(&t, look, (uint64_t)at * 8), wanted);
    }
    ck_assert_uint_eq(index_table_get(&t, 0x7ffe), 0);
    ck_assert_uint_eq(index_table_at(&t, 0x7ffe, UINT64_MAX / 4), 0);
    index_table_free(&t);
}
END_TEST

SUITE(index_table) {
    Suite *s = suite_create("index_table");
    TCase *t = tcase_create("index_table");
    tcase_add_test(t, an_index_means_what_it_last_meant);
    suite_add_tcase(s, t);
    return s;
}
