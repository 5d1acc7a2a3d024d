/* suite_quantiles.c - values in order, and quantiles by their definition. */
#include "src/base/quantiles.h"

#include <stdlib.h>

#include "tests/lib/chance.h"
#include "tests/unit/lib/must.h"
#include "tests/unit/lib/suites.h"

static struct chance chance = {88172645463325252u};

static int by_value(const void *a, const void *b) {
    const int64_t *x = a, *y = b;
    return (*x > *y) - (*x < *y);
}

START_TEST(values_come_in_order) {
    static const size_t sizes[] = {0, 1, 2, 19, 20, 511, 512, 513, 1024, 1025, 5000, 40000};
    for (size_t k = 0; k < sizeof sizes / sizeof *sizes * 3; k++) {
        size_t n = sizes[k / 3];
        uint64_t range = below(&chance, 2) ? 50 : UINT64_C(1) << 40;
        int64_t *values = malloc((n + 1) * sizeof *values);
        struct quantiles s = {0};
        for (size_t i = 0; i < n; i++) {
            values[i] = (int64_t)below(&chance, range) - (int64_t)(range / 2);
            quantiles_add(&s, values[i], (uint32_t)i);
        }
        MUST(quantiles_sort(&s, NULL));
        for (size_t i = 0; i < n; i++)
            MUST(values[s.v.v[i].id] == s.v.v[i].value);
        for (size_t i = 1; i < n; i++)
            MUST(s.v.v[i - 1].value < s.v.v[i].value ||
                 (s.v.v[i - 1].value == s.v.v[i].value && s.v.v[i - 1].id < s.v.v[i].id));
        qsort(values, n, sizeof *values, by_value);
        /* Nearest rank, by definition. */
        for (unsigned of = 0; of <= 1000 && n > 0; of += n > 1000 && of < 990 ? 45 : 1) {
            int64_t got = quantiles_at(&s, of);
            size_t upto = 0, less = 0;
            for (size_t j = 0; j < n; j++) {
                upto += values[j] <= got;
                less += values[j] < got;
            }
            MUST(upto * 1000 >= of * n);
            MUST(less * 1000 < of * n || less == 0);
            MUST(quantiles_below(&s, got) == less);
        }
        MUST(n == 0 || quantiles_at(&s, 1000) == values[n - 1]);
        for (size_t i = 0; i < n; i += 1 + n / 50) {
            size_t less = 0, more = 0;
            unsigned share = 0;
            for (size_t j = 0; j < n; j++) {
                less += values[j] < values[i];
                more += values[j] > values[i];
            }
            MUST(quantiles_rank(&s, values[i]) == more + 1);         /* 1 is the longest */
            MUST(quantiles_share(&s, values[i], &share) == (n > 1)); /* one of one has none */
            MUST(n == 1 || share == less * 1000 / (n - 1));
            MUST(quantiles_slow(&s, values[i]) == (n >= 20 && values[i] > quantiles_at(&s, 950)));
            MUST(quantiles_fast(&s, values[i]) == (n >= 20 && values[i] < quantiles_at(&s, 50)));
        }
        if (n > 0) { /* more may come */
            quantiles_add(&s, INT64_MIN, (uint32_t)n);
            MUST(quantiles_sort(&s, NULL));
            MUST(s.v.v[0].value == INT64_MIN);
        }
        quantiles_free(&s);
        free(values);
    }
}
END_TEST

START_TEST(of_nothing_the_quantile_is_0) {
    struct quantiles s = {0};
    ck_assert(quantiles_sort(&s, NULL));
    ck_assert_int_eq(quantiles_at(&s, 500), 0);
    ck_assert_uint_eq(quantiles_below(&s, 0), 0);
    quantiles_free(&s);
}
END_TEST

SUITE(quantiles) {
    Suite *s = suite_create("quantiles");
    TCase *t = tcase_create("quantiles");
    tcase_add_test(t, values_come_in_order);
    tcase_add_test(t, of_nothing_the_quantile_is_0);
    suite_add_tcase(s, t);
    return s;
}
