/* view_wakeups.c - wake-up latency by thread and by CPU, and waits by waker, over the range.
 *
 * Three tables over one struct wakeup_stats; Tab goes from one to the next. It is computed while
 * the view is shown, and rows are shown as they come. If the trace has changed it is computed
 * again; the numbers so far stay until then. */
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "model/query/stat/waits/wakeup_stats.h"
#include "src/base/units.h"
#include "ui/drawer/phrase.h"
#include "ui/timeline/move.h"
#include "ui/timeline/track_ops.h"
#include "ui/views/view_place.h"
#include "ui/views/view_table.h"

enum { LATENCY_THREADS, LATENCY_CPUS, WAKERS, TABLES };

struct wakeups_view;

struct wakeups_table { /* the context of a table */
    struct wakeups_view *view;
    int which;
};

struct wakeups_view {
    struct app *app;
    struct table tables[TABLES];
    struct wakeups_table contexts[TABLES];
    int which;
    struct answer answer; /* a struct wakeup_stats */
    int64_t looked;       /* view_table_look() */
};

/* The numbers on the screen; NULL: there are none so far. */
static const struct wakeup_stats *stats_of(const struct wakeups_view *w) {
    return w->answer.shown;
}

static const struct wakeup_rows *rows_of(const struct wakeups_view *w, int which) {
    const struct wakeup_stats *s = stats_of(w);
    if (which == LATENCY_THREADS)
        return &s->threads;
    return which == LATENCY_CPUS ? &s->cpus : &s->wakers;
}

static uint64_t rows(void *ctx) {
    const struct wakeups_table *t = ctx;
    return stats_of(t->view) ? rows_of(t->view, t->which)->v.n : 0;
}

static const struct wakeup_row *row_at(const struct wakeups_table *t, uint64_t row) {
    return &rows_of(t->view, t->which)->v.v[row];
}

/* ---- columns ---- */

enum { OF, COUNT, MEDIAN, HIGH, MAX, LATENCY_SUM, RUNNABLE, BLOCKED, THREAD_COLUMNS };
enum { CPU_IDLE = LATENCY_SUM + 1, CPU_WANTED, CPU_SHARE, CPU_COLUMNS };
enum { WAKER_COUNT = 1, WAKER_BLOCKED, WAKER_RUNNABLE, WAKER_LONGEST, WAKER_WOKE, WAKER_COLUMNS };

static const struct relation_column thread_relation[THREAD_COLUMNS] = {
    [OF] = {"thread", "thread", RELATION_TEXT, RELATION_NONE, false},
    [COUNT] = {"wakeups", "wakeups", RELATION_INTEGER, RELATION_COUNT, false},
    [MEDIAN] = {"p50_ns", "p50", RELATION_INTEGER, RELATION_DURATION, false},
    [HIGH] = {"p99_ns", "p99", RELATION_INTEGER, RELATION_DURATION, false},
    [MAX] = {"max_ns", "max", RELATION_INTEGER, RELATION_DURATION, false},
    [LATENCY_SUM] = {"latency_ns", "sum", RELATION_INTEGER, RELATION_SUM, false},
    [RUNNABLE] = {"runnable_ns", "runnable", RELATION_INTEGER, RELATION_SUM, false},
    [BLOCKED] = {"blocked_ns", "blocked", RELATION_INTEGER, RELATION_SUM, false},
};
static const struct table_column thread_columns[THREAD_COLUMNS] = {
    [OF] = {NULL, 20, 0, 0, false, false},    [COUNT] = {NULL, 8, 8, 2, true, true},
    [MEDIAN] = {NULL, 9, 9, 3, true, true},   [HIGH] = {NULL, 9, 9, 1, true, true},
    [MAX] = {NULL, 9, 9, 0, true, true},      [LATENCY_SUM] = {NULL, 9, 9, 4, true, true},
    [RUNNABLE] = {NULL, 9, 9, 5, true, true}, [BLOCKED] = {NULL, 9, 9, 6, true, true},
};

static const struct relation_column cpu_relation[CPU_COLUMNS] = {
    [OF] = {"cpu", "CPU", RELATION_TEXT, RELATION_NONE, false},
    [COUNT] = {"wakeups", "wakeups", RELATION_INTEGER, RELATION_COUNT, false},
    [MEDIAN] = {"p50_ns", "p50", RELATION_INTEGER, RELATION_DURATION, false},
    [HIGH] = {"p99_ns", "p99", RELATION_INTEGER, RELATION_DURATION, false},
    [MAX] = {"max_ns", "max", RELATION_INTEGER, RELATION_DURATION, false},
    [LATENCY_SUM] = {"latency_ns", "sum", RELATION_INTEGER, RELATION_SUM, false},
    [CPU_IDLE] = {"idle_ns", "idle", RELATION_INTEGER, RELATION_DURATION, false},
    [CPU_WANTED] = {"idle_while_runnable_ns", "while runnable", RELATION_INTEGER, RELATION_DURATION,
                    false},
    [CPU_SHARE] = {"share", "of idle", RELATION_INTEGER, RELATION_SHARE, false},
};
static const struct table_column cpu_columns[CPU_COLUMNS] = {
    [OF] = {NULL, 8, 0, 0, false, true},        [COUNT] = {NULL, 8, 8, 3, true, true},
    [MEDIAN] = {NULL, 9, 9, 4, true, true},     [HIGH] = {NULL, 9, 9, 2, true, true},
    [MAX] = {NULL, 9, 9, 1, true, true},        [LATENCY_SUM] = {NULL, 9, 9, 6, true, true},
    [CPU_IDLE] = {NULL, 9, 9, 5, true, true},   [CPU_WANTED] = {NULL, 14, 14, 0, true, true},
    [CPU_SHARE] = {NULL, 7, 7, 7, true, false},
};

static const struct relation_column waker_relation[WAKER_COLUMNS] = {
    [OF] = {"waker", "waker", RELATION_TEXT, RELATION_NONE, false},
    [WAKER_COUNT] = {"waits", "waits", RELATION_INTEGER, RELATION_COUNT, false},
    [WAKER_BLOCKED] = {"blocked_ns", "blocked", RELATION_INTEGER, RELATION_SUM, false},
    [WAKER_RUNNABLE] = {"runnable_ns", "runnable", RELATION_INTEGER, RELATION_SUM, false},
    [WAKER_LONGEST] = {"longest_ns", "longest", RELATION_INTEGER, RELATION_DURATION, false},
    [WAKER_WOKE] = {"longest_of", "longest of", RELATION_TEXT, RELATION_NONE, false},
};
static const struct table_column waker_columns[WAKER_COLUMNS] = {
    [OF] = {NULL, 12, 28, 0, false, false},        [WAKER_COUNT] = {NULL, 8, 8, 2, true, true},
    [WAKER_BLOCKED] = {NULL, 9, 9, 0, true, true}, [WAKER_RUNNABLE] = {NULL, 9, 9, 3, true, true},
    [WAKER_LONGEST] = {NULL, 9, 9, 1, true, true}, [WAKER_WOKE] = {NULL, 12, 0, 4, false, false},
};

static void name(const struct wakeups_table *t, uint32_t of, struct relation_value *value) {
    const struct trace *trace = t->view->app->trace;
    if (t->which == LATENCY_CPUS) {
        snprintf(value->buf, sizeof value->buf, "cpu %u",
                 sched_cpu(trace_sched(trace), of)->number);
        relation_set_text(value, str_of(value->buf));
    } else if (of == WAKEUP_UNKNOWN) {
        relation_set_text(value, STR("unknown waker"));
    } else {
        relation_set_text(
            value, phrase_thread(t->view->app->trace, of, " ", value->buf, sizeof value->buf));
    }
}

static void get_latency(const struct wakeups_table *t, const struct wakeup_row *row, int column,
                        struct relation_value *value) {
    static const unsigned at[] = {[MEDIAN] = 500, [HIGH] = 990};
    const struct wakeup_stats *stats = stats_of(t->view);
    if (column == COUNT)
        relation_set_integer(value, (int64_t)row->wakeups);
    else if (column == MAX && row->wakeups > 0)
        relation_set_integer(value, row->longest);
    else if (column < MAX && row->wakeups > 0 && stats->done)
        relation_set_integer(value, quantiles_at(&row->latencies, at[column]));
    else if (column == LATENCY_SUM)
        relation_set_integer(value, sum_ns(row->latency));
    else if (column < LATENCY_SUM || !(t->which == LATENCY_THREADS ? stats->waits : stats->idle))
        return; /* it comes later */
    else if (t->which == LATENCY_THREADS)
        relation_set_integer(value, sum_ns(column == RUNNABLE ? row->runnable : row->blocked));
    else if (column == CPU_SHARE && row->idle > 0)
        relation_set_integer(value, sum_share(sum_from(row->idle_wanted), sum_from(row->idle)));
    else if (column == CPU_IDLE || column == CPU_WANTED)
        relation_set_integer(value, column == CPU_IDLE ? row->idle : row->idle_wanted);
}

static void get(void *ctx, struct relation_row at, int column, struct relation_value *value) {
    const struct wakeups_table *t = ctx;
    const struct wakeup_row *row = row_at(t, at.row);
    if (column == OF) {
        name(t, row->of, value);
    } else if (t->which != WAKERS) {
        get_latency(t, row, column, value);
    } else if (column == WAKER_WOKE) {
        if (row->slowest != NO_THREAD)
            name(t, row->slowest, value);
    } else if (column == WAKER_LONGEST) {
        if (row->longest >= 0)
            relation_set_integer(value, row->longest);
    } else if (column == WAKER_COUNT) {
        relation_set_integer(value, (int64_t)row->wakeups);
    } else {
        relation_set_integer(value, sum_ns(column == WAKER_BLOCKED ? row->blocked : row->runnable));
    }
}

static int64_t key(void *ctx, struct relation_row at, int column) {
    const struct wakeups_table *t = ctx;
    struct relation_value value = {.type = RELATION_NULL};
    if (column == OF)
        return -(int64_t)sched_cpu(trace_sched(t->view->app->trace), row_at(t, at.row)->of)->number;
    get(ctx, at, column, &value);
    return value.type == RELATION_INTEGER ? value.integer : INT64_MIN;
}

static uint64_t id(void *ctx, uint64_t at) {
    return row_at(ctx, at)->of;
}

static const struct relation relations[TABLES] = {
    {"thread", thread_relation, THREAD_COLUMNS, false, rows, get},
    {"cpu", cpu_relation, CPU_COLUMNS, false, rows, get},
    {"waker", waker_relation, WAKER_COLUMNS, false, rows, get},
};
static const struct table_source sources[TABLES] = {
    {&relations[LATENCY_THREADS], thread_columns, .key = key, .id = id},
    {&relations[LATENCY_CPUS], cpu_columns, .key = key, .id = id},
    {&relations[WAKERS], waker_columns, .key = key, .id = id},
};

/* ---- the view ---- */

static void *make(struct view *view) {
    static const int sorted[TABLES] = {MAX, -1, WAKER_BLOCKED};
    struct wakeups_view *w = err_calloc(1, sizeof *w);
    w->app = view->app;
    for (int k = 0; k < TABLES; k++) {
        w->contexts[k] = (struct wakeups_table){w, k};
        table_init(&w->tables[k], &sources[k], &w->contexts[k], view->app->grid.ascii);
        table_sort_first(&w->tables[k], sorted[k]);
    }
    return w;
}

static void release(struct view *view) {
    struct wakeups_view *w = view->state;
    answer_drop(&w->answer);
    for (int k = 0; k < TABLES; k++)
        table_free(&w->tables[k]);
    free(w);
}

static struct table *table(struct view *view) {
    struct wakeups_view *w = view->state;
    return &w->tables[w->which];
}

static void other(struct view *view) {
    struct wakeups_view *w = view->state;
    w->which = (w->which + 1) % TABLES;
}

static void keep_rows(struct wakeups_view *w) {
    for (int k = 0; k < TABLES; k++)
        table_keep(&w->tables[k]);
}

static void renew_rows(struct wakeups_view *w) {
    for (int k = 0; k < TABLES; k++)
        table_renew(&w->tables[k]);
}

static void ask(struct wakeups_view *w) {
    struct app *app = w->app;
    keep_rows(w);
    struct wakeup_stats *stats =
        answer_ask(&w->answer, &wakeup_stats_ops, app->trace, app->range.serial);
    stats->trace = app->trace;
    range_copy(&stats->range, session_range(app));
    if (w->answer.shown == NULL)
        renew_rows(w);
    view_table_look_first(&w->looked);
}

static bool step_answer(struct wakeups_view *w) {
    struct app *app = w->app;
    if (!answer_is_of(&w->answer, app->trace, app->range.serial)) {
        if (!session_may_ask(app))
            return false;
        ask(w);
    }
    if (w->answer.done)
        return false;
    if (w->answer.shown != w->answer.next)
        keep_rows(w);
    if (answer_step(&w->answer, app->work)) {
        renew_rows(w);
        /* else when its rows are in order */
        app->dirty = app->dirty || !table_holds(&w->tables[w->which]);
    } else if (w->answer.shown == w->answer.next &&
               view_table_look(&w->tables[w->which], &w->looked)) {
        renew_rows(w);
        app->dirty = true;
    }
    return !w->answer.done;
}

static bool step(struct view *view) {
    struct wakeups_view *w = view->state;
    /* rows so far are in order before more of them come */
    if (!answer_is_complete(&w->answer))
        view_table_step(view);
    return step_answer(w) || view_table_step(view);
}

static bool update(struct view *view, bool renewed) {
    (void)view;
    return !renewed;
}

/* To the wakeup with the greatest latency, or the longest wait that the waker ended. */
static void enter(struct view *view) {
    struct wakeups_view *w = view->state;
    struct app *app = view->app;
    struct relation_row at;
    if (!table_current(table(view), &at))
        return;
    const struct wakeup_row row = *row_at(&w->contexts[w->which], at.row);
    const struct sched_thread *t =
        row.slowest == NO_THREAD ? NULL : sched_thread(trace_sched(app->trace), row.slowest);
    uint32_t i = t ? lane_before(&t->lane, row.slowest_at) : UINT32_MAX;
    if (i == UINT32_MAX) {
        session_say(app, false, "no wakeup in this row");
        return;
    }
    if (w->which != WAKERS && i > 0) /* the wait before it ran */
        i--;
    view_open_timeline(app);
    move_remember(&app->timeline);
    move_select(app, selection_of_lane(&track_thread_state, row.slowest, 0, &t->lane, i));
}

/* "threads 12 - CPUs 4 - wakers 9", the current one bright, then the range. */
static void rule(struct wakeups_view *w, int y) {
    static const char *const titles[TABLES] = {"Wake-ups: threads", "CPUs", "wakers"};
    struct grid *g = &w->app->grid;
    char text[160], n[32], range[96];
    struct left_out left_out = {.states = trace_damaged_states(w->app->trace),
                                .unset.states = trace_damaged_unset(w->app->trace).states};
    int x = view_rule(g, y);
    for (int k = 0; k < TABLES; k++) {
        snprintf(text, sizeof text, "%s %s", titles[k],
                 units_count(rows(&w->contexts[k]), false, n));
        x = view_label(g, x, y, str_of(text), k == w->which ? ROLE_HEADER : ROLE_DIM) + 1;
    }
    session_range_text(w->app, range);
    if (!answer_is_complete(&w->answer) && w->answer.next) {
        snprintf(text, sizeof text, "so far, of %u%%", wakeup_stats_percent(w->answer.next));
        x = view_label(g, x, y, str_of(text), ROLE_WARN) + 1;
    }
    if (left_out_any(left_out))
        x = view_label(g, x, y, str_of(slice_iter_left_out_text(left_out, text)), ROLE_WARN) + 1;
    if (x + (int)text_width(str_of(range), 0, 200) + 2 < g->cols)
        view_label(g, x, y, str_of(range), ROLE_DIM);
}

static void draw(struct view *view) {
    struct wakeups_view *w = view->state;
    struct app *app = view->app;
    struct view_area area = view_table_area(app);
    struct table *t = table(view);
    static const char *const nouns[TABLES] = {"thread", "CPU", "waker"};
    rule(w, area.y);
    table_draw(t, &app->grid, area.y + 1, area.rows - 1);
    if (sched_thread_count(trace_sched(app->trace)) == 0)
        view_table_empty(&app->grid, area, "no scheduling in this trace");
    else if (!answer_is_complete(&w->answer) && table_count(t) == 0)
        view_table_empty(&app->grid, area, "counting");
    else if (table_count(t) == 0)
        view_table_empty(&app->grid, area, "none in this range");
    view_table_status(app, t, nouns[w->which], w->answer.done ? "" : "counting");
}

static void keep(struct view *view, struct chars *out) {
    const struct wakeups_view *w = view->state;
    if (w->which > 0)
        view_place_line(out, "tab %d", w->which);
}

static bool put(struct view *view, const char *line) {
    struct wakeups_view *w = view->state;
    int tab = view_place_tab(line, TABLES);
    if (tab >= 0)
        w->which = tab;
    return tab >= 0;
}

static const char *const hints[] = {"Tab threads/CPUs/wakers", NULL};

const struct view_ops view_wakeups = {
    .title = "[Wake-ups]",
    .modes = MODE_TABLE,
    .hints = hints,
    .make = make,
    .free = release,
    .draw = draw,
    .update = update,
    .step = step,
    .pointer = view_table_pointer,
    .other = other,
    .enter = enter,
    .find = view_table_find,
    .csv = view_table_csv,
    .table = table,
    .keep = keep,
    .put = put,
};
