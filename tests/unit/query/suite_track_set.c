/* suite_track_set.c - a set of tracks has the members that were put into it, ascending, each
 * once. */
#include "model/query/track_set.h"

#include "tests/lib/chance.h"
#include "tests/unit/lib/must.h"
#include "tests/unit/lib/suites.h"

START_TEST(members_are_those_put_last) {
    struct chance chance = {99173};
    for (int n = 0; n < 200; n++) {
        struct track_set set = {0};
        unsigned char member[40] = {0};
        for (int k = 0; k < 120; k++) {
            uint32_t track = (uint32_t)below(&chance, 40);
            member[track] = below(&chance, 3) > 0;
            track_set_put(&set, track, member[track]);
        }
        size_t all = 0;
        for (uint32_t track = 0; track < 40; track++) {
            MUST(track_set_has(&set, track) == member[track], n, (int)track);
            all += member[track];
        }
        MUST(!track_set_has(&set, 40) && !track_set_has(&set, UINT32_MAX), n);
        MUST(set.v.n == all, n);
        for (size_t i = 1; i < set.v.n; i++)
            MUST(set.v.v[i - 1] < set.v.v[i], n);
        track_set_free(&set);
    }
}
END_TEST

SUITE(track_set) {
    Suite *s = suite_create("track_set");
    TCase *c = tcase_create("track_set");
    tcase_add_test(c, members_are_those_put_last);
    suite_add_tcase(s, c);
    return s;
}
