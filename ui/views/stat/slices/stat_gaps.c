/* stat_gaps.c - stretches in which nothing is on a thread or runs on a CPU, longest first; Enter
 * shows one, fitted. */
#include <stdio.h>

#include "model/query/stat/tables/gaps.h"
#include "src/base/time/sum.h"
#include "src/base/units.h"
#include "ui/drawer/phrase.h"
#include "ui/views/stat/slices/stat_go.h"
#include "ui/views/stat/slices/stat_tab.h"
#include "ui/views/view_table.h"

enum { AT, TRACK, DUR, SHARE, COLUMNS };

struct gaps_data {
    struct stat_asked asked;
    struct gaps gaps;
    struct gap so_far[GAPS_SO_FAR]; /* the rows until then */
    size_t n;
    bool complete; /* the rows are those of `gaps` */
};

static const struct relation_column values[COLUMNS] = {
    [AT] = {"ts_ns", "at", RELATION_INTEGER, RELATION_TIME, false},
    [TRACK] = {"track", "idle", RELATION_TEXT, RELATION_NONE, false},
    [DUR] = {"dur_ns", "dur", RELATION_INTEGER, RELATION_DURATION, false},
    [SHARE] = {"share", "of range", RELATION_INTEGER, RELATION_SHARE, false},
};

static const struct table_column columns[COLUMNS] = {
    [AT] = {NULL, 16, 20, 1, false, true},
    [TRACK] = {NULL, 12, 0, 0, false, false},
    [DUR] = {NULL, 9, 9, 0, true, true},
    [SHARE] = {NULL, 8, 8, 2, true, true},
};

static uint64_t rows(void *ctx) {
    const struct gaps_data *g = stat_tab_data(ctx);
    if (g == NULL)
        return 0;
    return g->complete ? g->gaps.v.n : g->n;
}

static const struct gap *gap_at(const struct gaps_data *g, uint64_t row) {
    return g->complete ? &g->gaps.v.v[row] : &g->so_far[row];
}

static void look(void *data) {
    struct gaps_data *g = data;
    g->complete = g->gaps.done;
    if (!g->complete)
        g->n = gaps_so_far(&g->gaps, g->so_far);
}

static unsigned percent(const void *data) {
    return gaps_percent(&((const struct gaps_data *)data)->gaps);
}

static void get(void *ctx, struct relation_row row, int column, struct relation_value *value) {
    const struct gaps_data *g = stat_tab_data(ctx);
    struct trace *trace = g->asked.app->trace;
    const struct gap *gap = gap_at(g, row.row);
    int64_t all = units_since(range_begin(g->asked.range, trace), range_end(g->asked.range, trace));
    if (column == AT) {
        relation_set_integer(value, gap->start);
    } else if (column == DUR) {
        relation_set_integer(value, gap->duration);
    } else if (column == SHARE) {
        if (all > 0)
            relation_set_integer(value, sum_share(sum_from(gap->duration), sum_from(all)));
    } else if (gap->on >= GAPS_CPU) {
        size_t cpu = gap->on - GAPS_CPU;
        if (cpu < sched_cpu_count(trace_sched(trace)))
            snprintf(value->buf, sizeof value->buf, "CPU %u",
                     (unsigned)sched_cpu(trace_sched(trace), cpu)->number);
        relation_set_text(value, str_of(value->buf));
    } else if (gap->on == GAPS_ALL) {
        relation_set_text(value, STR("all threads"));
    } else {
        relation_set_text(value, phrase_thread(trace, gap->on, " ", value->buf, sizeof value->buf));
    }
}

static void format(void *ctx, struct relation_row row, int column, struct table_cell *cell) {
    const struct gaps_data *g = stat_tab_data(ctx);
    (void)row;
    if (column == AT)
        view_table_point(g->asked.app, cell);
    else if (column == SHARE)
        cell->role = ROLE_DIM;
}

/* A gap at the end of the trace so far has the same begin afterwards. */
static uint64_t id(void *ctx, uint64_t row) {
    const struct gaps_data *g = stat_tab_data(ctx);
    return hash_words((uint64_t)gap_at(g, row)->start, gap_at(g, row)->on);
}

static const struct relation relation = {"gap", values, COLUMNS, false, rows, get};
static const struct table_source source = {&relation, columns, format, .id = id, .bar = DUR};

static void make(struct task *task, void *data) {
    struct gaps_data *g = data;
    gaps_make(task, &g->gaps, g->asked.app->trace, g->asked.range);
}

static void release(void *data) {
    gaps_free(&((struct gaps_data *)data)->gaps);
}

/* Returns where the key l leads from the gap of a thread. At the end of the trace or of a range no
 * slice ends it. */
static const char *next_of(struct trace *trace, const struct gap *gap) {
    if (gap->on >= GAPS_ALL)
        return "";
    const struct lane *lane = nest_row(&trace_thread(trace, gap->on)->nest, 0);
    int64_t end = units_sum(gap->start, gap->duration);
    uint32_t next = lane_from(lane, end);
    if (next == lane->n)
        return "; no slice comes after it";
    return lane_start(lane, next) == end ? "; l goes to the slice that ends it"
                                         : "; l goes to the next slice";
}

static void go(void *data, uint64_t row) {
    struct gaps_data *g = data;
    const struct gap *gap = gap_at(g, row);
    char dur[32];
    bool cpu = gap->on >= GAPS_CPU;
    const struct track_ops *kind = cpu ? &track_cpu : &track_thread;
    stat_go(g->asked.app, gap->on == GAPS_ALL ? NULL : kind, cpu ? gap->on - GAPS_CPU : gap->on,
            gap->start, units_sum(gap->start, gap->duration));
    g->asked.app->timeline.gap = (struct chosen_gap){true, gap->on == GAPS_ALL ? NULL : kind,
                                                     cpu ? gap->on - GAPS_CPU : gap->on, gap->start,
                                                     units_sum(gap->start, gap->duration)};
    session_say(g->asked.app, false, "the gap is the middle of the window: %s%s",
                units_duration(gap->duration, g->asked.app->grid.ascii, dur),
                next_of(g->asked.app->trace, gap));
}

/* "  the longest 20,000 of 250,113 gaps  threads 3.2 s  all 0.3 s  CPUs 1.1 s" */
static void heading(const void *data, bool ascii, char *buf, size_t cap) {
    static const char *const kinds[GAPS_KINDS] = {"threads", "all", "CPUs"};
    const struct gaps *g = &((const struct gaps_data *)data)->gaps;
    char all[32], kept[32], time[32], longest[64] = "";
    if (g->v.n < g->count)
        snprintf(longest, sizeof longest, "the longest %s of ", units_count(g->v.n, false, kept));
    int n = snprintf(buf, cap, "  %s%s gap%s", longest, units_count(g->count, false, all),
                     g->count == 1 ? "" : "s");
    for (size_t k = 0; k < GAPS_KINDS; k++)
        if ((k == GAPS_OF_THREADS || g->total[k] > 0) && n >= 0 && (size_t)n < cap)
            n += snprintf(buf + n, cap - (size_t)n, "  %s %s", kinds[k],
                          units_duration(g->total[k], ascii, time));
}

const struct stat_tab stat_gaps = {
    .title = "Gaps",
    .noun = "gap",
    .none = "no gaps in this range",
    .kinds = SLICE_ITER_SLICES,
    .sources = &source,
    .sort = -1,
    .answer = {sizeof(struct gaps_data), make, release},
    .percent = percent,
    .look = look,
    .heading = heading,
    .go = go,
};
