/* suite_raster.c - counts by column and bucket are those of each slice looked at. */
#include "model/query/stat/tables/raster.h"

#include <stdlib.h>
#include <string.h>

#include "tests/unit/lib/must.h"
#include "tests/unit/lib/suites.h"
#include "tests/unit/lib/thrown.h"

static struct chance chance = {8642};

struct asked {
    struct raster *raster;
    struct trace *trace;
    const struct range *range;
    int columns;
};

static void make(struct task *task, void *ctx) {
    const struct asked *a = ctx;
    raster_make(task, a->raster, a->trace,
                &(struct instances_query){.range = a->range, .kinds = SLICE_ITER_SLICES},
                a->columns);
}

START_TEST(counts_are_those_of_every_slice) {
    struct raster *got = malloc(sizeof *got);
    static uint32_t want[SPREAD_BUCKETS][RASTER_COLUMNS];
    for (int n = 0; n < 300; n++) {
        struct trace *trace = thrown_trace(&chance, 2 + (unsigned)below(&chance, 90));
        struct thrown_slices all = thrown_slices(trace);
        struct range range = {0};
        int columns = 1 + (int)below(&chance, 30);
        uint64_t span = (uint64_t)(trace_end(trace) - trace_begin(trace)) + 1;
        if (below(&chance, 2))
            range_set_time(&range, trace, trace_begin(trace) + (int64_t)below(&chance, span),
                           trace_begin(trace) + (int64_t)below(&chance, span));
        int64_t from = range_begin(&range, trace), to = range_end(&range, trace);
        memset(want, 0, sizeof want);
        for (size_t i = 0; i < all.n; i++) {
            const struct slice *s = &all.v[i].slice;
            int column = 0;
            if (all.v[i].kind != SLICE_ITER_SLICES || slice_open(s) ||
                (range.timed && !((s->start < range.to || (s->start == range.to && range.to_end)) &&
                                  (slice_end(s) > range.from || s->start >= range.from))))
                continue;
            while (column + 1 < columns && to > from &&
                   (s->start - from) * columns >= (to - from) * (column + 1))
                column++;
            want[spread_bucket(slice_dur(s))][column]++;
        }
        task_whole(make, &(struct asked){got, trace, &range, columns}, NULL);
        for (int b = 0; b < SPREAD_BUCKETS; b++)
            for (int c = 0; c < RASTER_COLUMNS; c++)
                MUST(got->counts[b][c] == want[b][c], n, b, c);
        vec_free(&all);
        trace_free(trace);
    }
    free(got);
}
END_TEST

SUITE(raster) {
    Suite *s = suite_create("raster");
    TCase *t = tcase_create("raster");
    tcase_add_test(t, counts_are_those_of_every_slice);
    suite_add_tcase(s, t);
    return s;
}
