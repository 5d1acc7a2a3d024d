/* suite_row_order.c - events of one time: rows stay in order, and so do flows across them. */
#include "model/output/lines/row_order.h"

#include <stdbool.h>
#include <string.h>

#include "tests/lib/chance.h"
#include "tests/unit/lib/must.h"
#include "tests/unit/lib/suites.h"

/* Flows through rows as a trace has them: some order of all events holds for both, unless
 * `circles`. */
START_TEST(flows_across_rows_are_in_order) {
    enum { MOST = 60 };
    struct chance chance = {31};
    for (int set = 0; set < 2000; set++) {
        struct row_event v[MOST];
        uint32_t order[MOST], place[MOST], number[MOST], last[8],
            rows = 1 + (uint32_t)below(&chance, 8), n = 0;
        size_t most = below(&chance, MOST + 1);
        bool circles = set % 3 == 0;
        for (uint32_t row = 0; row < rows; row++)
            for (size_t k = below(&chance, 1 + most / rows); k > 0; k--, n++) {
                v[n] =
                    (struct row_event){row, below(&chance, 3) ? n : ROW_ORDER_NONE, ROW_ORDER_NONE};
                number[n] = (uint32_t)below(&chance, 100); /* when it happens */
            }
        for (uint32_t i = 1; i < n && !circles; i++) /* a row is in its order */
            number[i] += v[i].row == v[i - 1].row && number[i] < number[i - 1]
                             ? number[i - 1] - number[i]
                             : 0;
        for (int f = 0; f < 8; f++)
            last[f] = ROW_ORDER_NONE;
        for (uint32_t now = 0; now < 8000; now++) { /* flows join points as they happen */
            uint32_t i = now % 80, f;
            if (i >= n || number[i] != now / 80 || v[i].point == ROW_ORDER_NONE)
                continue;
            f = (uint32_t)below(&chance, 8);
            if (last[f] != ROW_ORDER_NONE)
                v[last[f]].after = i;
            last[f] = i;
        }
        row_order(v, n, order);
        memset(place, 0xff, sizeof place);
        for (uint32_t i = 0; i < n; i++) {
            MUST(order[i] < n && place[order[i]] == UINT32_MAX, set);
            place[order[i]] = i;
        }
        for (uint32_t i = 0; i < n; i++) {
            MUST(i == 0 || v[i].row != v[i - 1].row || place[i - 1] < place[i], set);
            MUST(circles || v[i].after == ROW_ORDER_NONE || place[i] < place[v[i].after], set);
        }
    }
}
END_TEST

SUITE(row_order) {
    Suite *s = suite_create("row_order");
    TCase *t = tcase_create("row_order");
    tcase_add_test(t, flows_across_rows_are_in_order);
    suite_add_tcase(s, t);
    return s;
}
