/* ask.c - the cost of questions about a trace, in ms and in steps as the screen asks them.
 *
 * It measures the first hit of a search and all hits, the statistics of a name, totals and selves
 * of all names. Then frames of 200x60 after keys that zoom, pan and select, with colours and
 * without. Then the CPU time of keys in every view and while loading. Statistics: CPU time until
 * their first row and until all is known, and their memory.
 *
 * ask TRACE NAME prints "NAME of what N unit". ask TRACE alone does the part about loading, ask
 * TRACE NAME views that about keys and statistics. */
#include <inttypes.h>
#include <malloc.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <time.h>

#include "model/query/name_stats.h"
#include "model/query/search.h"
#include "model/query/stat/names_table.h"
#include "model/query/stat/path_walk.h"
#include "model/query/stat/tables/gaps.h"
#include "ui/app.h"
#include "ui/screen/style.h"
#include "ui/views/stat/paths.h"
#include "ui/views/view.h"

#define STEP 20000 /* units of same.h */

static double now_ms(void) {
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    return (double)t.tv_sec * 1e3 + (double)t.tv_nsec / 1e6;
}

#define FRAMES 600

static int by_value(const void *a, const void *b) {
    const double *x = a, *y = b;
    return *x < *y ? -1 : *x > *y;
}

/* Without colours no column votes for its name. */
static double frames(struct trace *trace, enum color_depth depth) {
    static const char keys[] = "wwwwssSWaaddADjjkhl0f";
    static double ms[FRAMES];
    struct app app;
    uint32_t seed = 1;
    style_init(depth);
    app_init(&app, trace, 200, 60, false);
    app_update(&app);
    for (int i = 0; i < FRAMES; i++) {
        seed = seed * 1664525 + 1013904223;
        app_key(&app, &(struct key){.code = (unsigned char)keys[(seed >> 16) % (sizeof keys - 1)]});
        double from = now_ms();
        app_draw(&app);
        ms[i] = now_ms() - from;
    }
    app_free(&app);
    qsort(ms, FRAMES, sizeof *ms, by_value);
    if (depth != COLOR_MONO)
        printf("frames median %.2f ms\n99 of 100 frames %.2f ms\nslowest frame %.2f ms\n",
               ms[FRAMES / 2], ms[FRAMES * 99 / 100], ms[FRAMES - 1]);
    return ms[FRAMES / 2];
}

/* CPU time of keys with their frames, in every view, while jobs are under way; and of the jobs'
 * steps. Other programs on the machine do not count. */
static double cpu_ms(void) {
    struct timespec t;
    clock_gettime(CLOCK_THREAD_CPUTIME_ID, &t);
    return (double)t.tv_sec * 1e3 + (double)t.tv_nsec / 1e6;
}

static void keys(struct trace *trace, const char *what, const char *const *typed,
                 size_t sequences) {
    static double ms[FRAMES], steps[FRAMES * 3];
    size_t n = 0, m = 0;
    const char *slowest = "";
    double most = 0;
    struct app app;
    app_init(&app, trace, 120, 40, false);
    app_draw(&app);
    for (size_t i = 0; i < sequences; i++) {
        struct key key;
        for (const char *rest = typed[i]; n < FRAMES && key_parse(&rest, &key); n++) {
            double from = cpu_ms();
            app_key(&app, &key);
            app_draw(&app);
            ms[n] = cpu_ms() - from;
            slowest = ms[n] > most ? typed[i] : slowest;
            most = ms[n] > most ? ms[n] : most;
            bool more = true;
            for (int k = 0; k < 3 && more; k++, m++) {
                from = cpu_ms();
                more = app_idle(&app);
                if (app.dirty)
                    app_draw(&app);
                steps[m] = cpu_ms() - from;
            }
        }
    }
    app_free(&app);
    qsort(ms, n, sizeof *ms, by_value);
    qsort(steps, m, sizeof *steps, by_value);
    printf("%zu keys%s median %.1f ms, p95 %.1f, p99 %.1f, most %.1f (one of %s); steps between "
           "them p99 %.1f, most %.1f\n",
           n, what, ms[n / 2], ms[n * 95 / 100], ms[n * 99 / 100], most, slowest,
           steps[m * 99 / 100], steps[m - 1]);
}

static void all_keys(struct trace *trace) {
    static const char *const views[] = {
        "jjkkwwwsssddaahllh",           "/re<Enter>nnnnnnnnnnNNNNNNNN",
        "/dur<gt>1us<Enter>nnnnnnnnnn", "**#ooo&1<Enter>&<C-u><Enter>",
        "eeza<Enter><Tab>ll",           "<Tab>hh]][q",
        "6>><Enter><Enter>>qqq",        "7j18j1!!!Xqiq?q0Gg",
        "5>>>jjGg&re<Enter>",           "&<C-u><Enter>/raw<Enter>nnN",
        "rr/no row<Enter>nnq1",
    };
    static const char *const statistics[] = {
        "2jjkGgjj>><Enter>jjqttttt",
        "rjjkjjr<Tab>jjj<Tab>jj<Tab>jj<Tab>jj<Tab>jj<Tab>jj<Tab>jj",
        "2&dur<gt>10us<Enter>jjjj&<C-u><Enter>jj",
        "3hjjkljj<Enter>jj<BS>iijjrjjrjjWjjWjjWc*n4jjkk<Enter>jj<BS>jjWjjq",
        "1llbljbBjjkjjBjjjjq",
        ":compare half<Enter>jjjj<Tab>jjj>>jj<Tab>jjq",
        ":wakeups<Enter>jjjj<Tab>jjj<Tab>jjj>>jj<Enter>",
    };
    keys(trace, "", views, sizeof views / sizeof *views);
    keys(trace, " of statistics", statistics, sizeof statistics / sizeof *statistics);
}

/* The frames that were asked for are shown. */
static bool has_tree(const struct paths *p) {
    return paths_tree(p) && p->has_derived == p->bottom_up;
}

static uint64_t allocated(void) {
    struct mallinfo2 now = mallinfo2();
    return now.uordblks + now.hblkhd;
}

/* CPU time until the first row of a view is drawn, and until all is done. Memory: the most of every
 * eighth step, and what stays. */
static void results(struct trace *trace, uint64_t slices) {
    static const struct {
        const char *what, *keys;
    } views[] = {{"2 Slices", "2"},
                 {"2 Instances", "2<Enter>"},
                 {"2 States", "2<Tab>"},
                 {"2 Flows", "2<Tab><Tab><Tab><Tab>"},
                 {"2 Gaps", "2<Tab><Tab><Tab><Tab><Tab><Tab>"},
                 {"3 Flame", "3"},
                 {"3 Flame bottom-up", "3i"},
                 {"compare half", ":compare half<Enter>"},
                 {"wakeups", ":wakeups<Enter>"}};
    uint64_t index = trace_bytes(trace);
    for (size_t i = 0; i < sizeof views / sizeof *views; i++) {
        uint64_t before = allocated(), peak = before, n = 0;
        struct app app;
        struct key key;
        double from = 0, first = 0, longest = 0;
        app_init(&app, trace, 120, 40, false);
        for (const char *rest = views[i].keys; key_parse(&rest, &key); app_key(&app, &key)) {
            while (*rest == 0 && app_idle(&app)) /* the keys before the last have their answers */
                continue;
            from = cpu_ms();
        }
        app_draw(&app);
        for (bool more = true; more; n++) {
            double begun = cpu_ms();
            more = app_idle(&app);
            if (app.dirty)
                app_draw(&app);
            longest = cpu_ms() - begun > longest ? cpu_ms() - begun : longest;
            uint64_t now = n % 8 == 0 ? allocated() : 0;
            peak = now > peak ? now : peak;
            const struct view *view = app.views.current;
            struct table *t = app.views.current->ops->table
                                  ? app.views.current->ops->table(app.views.current)
                                  : NULL;
            bool any = t                          ? table_count(t) > 0
                       : view->ops == &view_flame ? has_tree(view->state)
                                                  : !more;
            if (first == 0 && any)
                first = cpu_ms() - from;
        }
        double all = cpu_ms() - from;
        double stays = (double)(allocated() - before), most = (double)(peak - before);
        printf("%s: first rows %.1f ms of CPU, all %.1f ms, longest step %.1f, %.1f bytes a slice "
               "at most, %.1f MB stay: "
               "%.1f %% of the index\n",
               views[i].what, first, all, longest, most / (double)slices, stays / 1e6,
               stays * 100 / (double)index);
        app_free(&app);
    }
}

/* The tab Why of a slice whose name has many, after the statistics of the name. */
static void why(struct trace *trace) {
    struct app app;
    app_init(&app, trace, 120, 40, false);
    app_draw(&app);
    for (const char *rest = "llwww"; *rest; rest++)
        app_key(&app, &(struct key){.code = (unsigned char)*rest});
    while (app_idle(&app))
        continue;
    app.drawer.open = true;
    app.drawer.tab = DRAWER_WHY;
    double from = cpu_ms();
    while (app_idle(&app))
        continue;
    printf("Why: first and all %.1f ms of CPU%s\n", cpu_ms() - from,
           app.drawer.why.done ? "" : ": no slice is selected");
    app_free(&app);
}

/* Count, total and self of all names. */
static void covered(struct trace *trace) {
    struct name_stats stats = {.trace = trace, .set = SLICE_SET_ALL(SLICE_ITER_SLICES)};
    struct task *task = task_new(trace_tasks(trace), name_stats_times_ops.make, &stats);
    uint64_t steps = 0;
    double slowest = 0, from = now_ms(), last = from;
    while (!task_step(task, TASK_OF(STEP))) {
        double t = now_ms();
        slowest = t - last > slowest ? t - last : slowest;
        last = t;
        steps++;
    }
    printf("total and self of all names %.1f ms, %zu names in %" PRIu64 " steps, slowest %.1f ms\n",
           now_ms() - from, stats.aggregate.rows.n, steps, slowest);
    task_free(task);
    name_stats_free(&stats);
}

struct naming {
    struct names_table table;
    struct trace *trace;
    struct names_query query;
};

static void make_names(struct task *task, void *ctx) {
    struct naming *n = ctx;
    names_table_make(task, &n->table, n->trace, &n->query);
}

/* View 2: names over a range, until counts are known and until the percentiles are. */
static void names(struct trace *trace, const char *what, const struct range *range,
                  uint64_t two_from) {
    struct naming n = {.trace = trace,
                       .query = {.range = range, .kinds = SLICE_ITER_SLICES, .two_from = two_from}};
    const struct names_table *t = &n.table;
    double from = cpu_ms(), begun = now_ms(), counted = 0, counted_in = 0, slowest = 0, last = from;
    struct tasks all = {0};
    struct task *task = task_new(&all, make_names, &n);
    for (bool done = false; !done;) {
        struct budget budget = budget_until(3000000); /* as the screen has it */
        done = task_step(task, TASK_WITHIN(&budget));
        double now = cpu_ms();
        slowest = now - last > slowest ? now - last : slowest;
        last = now;
        if (counted == 0 && t->lived) {
            counted = now - from;
            counted_in = now_ms() - begun;
        }
    }
    task_free(task);
    printf("names of %s %.1f ms of CPU, percentiles %.1f ms, %" PRIu64
           " slices, slowest step %.1f ms; after %.1f and %.1f ms\n",
           what, counted, cpu_ms() - from, t->slices, slowest, counted_in, now_ms() - begun);
    names_table_free(&n.table);
}

struct asked_gaps {
    struct gaps *gaps;
    struct trace *trace;
    const struct range *range;
};

static void make_gaps(struct task *task, void *ctx) {
    const struct asked_gaps *a = ctx;
    gaps_make(task, a->gaps, a->trace, a->range);
}

static void tables(struct trace *trace) {
    struct range range = {0};
    int64_t begin = trace_begin(trace), end = trace_end(trace), hundredth = (end - begin) / 100;
    struct gaps gaps = {0};
    names(trace, "all", &range, NAMES_TWO_FROM);
    names(trace, "everything on one thread", &range, 0);
    range_set_time(&range, trace, begin + 50 * hundredth, begin + 51 * hundredth);
    names(trace, "1 %", &range, NAMES_TWO_FROM);
    range.timed = false;
    double from = now_ms();
    task_whole(make_gaps, &(struct asked_gaps){&gaps, trace, &range}, NULL);
    printf("gaps %.1f ms, %" PRIu64 "\n", now_ms() - from, gaps.count);
    gaps_free(&gaps);
}

static void make_paths(struct task *task, void *ctx) {
    struct path_walk *walk = ctx;
    path_walk_make(task, walk);
    if (!task_over(task))
        path_tree_order(task, walk->tree, PATH_WALL);
}

/* All paths of the trace, added up and in order. */
static void paths(struct trace *trace, uint64_t slices, bool running) {
    struct range range = {0};
    struct path_tree tree;
    struct path_walk walk;
    uint64_t steps = 0;
    double slowest = 0, from = cpu_ms(), last = from;
    struct tasks all = {0};
    struct task *task = task_new(&all, make_paths, &walk);
    path_tree_init(&tree, PATH_NODES, slices);
    path_walk_init(&walk, trace, &range, &tree);
    walk.running = running;
    while (!task_step(task, TASK_OF(STEP))) {
        double t = cpu_ms();
        slowest = t - last > slowest ? t - last : slowest;
        last = t;
        steps++;
    }
    printf("flame%s %.1f ms of CPU, %" PRIu64 " slices, %zu nodes, %" PRIu64 " bytes in %" PRIu64
           " steps, slowest %.1f ms\n",
           running ? " with running time" : "", cpu_ms() - from, walk.slices, tree.nodes.n,
           (uint64_t)(tree.nodes.cap * sizeof *tree.nodes.v +
                      tree.running.cap * sizeof *tree.running.v),
           steps, slowest);
    task_free(task);
    path_walk_free(&walk);
    path_tree_free(&tree);
}

/* The CPU time of touching 512 kB of new memory, at most: a machine that is slow to give pages
 * interrupts a step for as long, and a virtual one counts that as CPU time. */
static double new_memory(size_t bytes) {
    const size_t piece = 512u << 10, page = 4096;
    double most = 0;
    unsigned char *v =
        mmap(NULL, bytes, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    if (v == MAP_FAILED)
        abort();
    for (size_t at = 0; at < bytes;) {
        double from = cpu_ms();
        for (size_t end = at + piece; at < end && at < bytes; at += page)
            v[at] = 1;
        most = cpu_ms() - from > most ? cpu_ms() - from : most;
    }
    munmap(v, bytes);
    return most;
}

/* The CPU time of a step of loading, of a key after every fifth step and of its frame: the most of
 * each, and of the three together, for which a key may wait. Every sixteenth turn ingests the news,
 * which a key may wait for, too. Steps have as many bytes as app/main.c lets them have. */
static void loading(const char *path) {
    static const char typed[] = "jjwdwsWaGg0joosNfk";
    struct err err;
    struct app app;
    double most_step = 0, most_key = 0, most_frame = 0, most = 0, news = 0;
    uint32_t bytes = 256u << 10;
    struct trace *trace = trace_open(path, &(struct trace_options){0}, &err);
    if (trace == NULL)
        abort();
    app_init(&app, trace, 200, 60, false);
    app_draw(&app);
    for (unsigned n = 0; trace_state(trace) != TRACE_COMPLETE; n++) {
        double from = cpu_ms();
        trace_read(trace, bytes);
        double step = cpu_ms() - from, key = 0, frame = 0;
        bytes = step > 3 && bytes > 64u << 10  ? bytes / 2
                : step < 1 && bytes < 4u << 20 ? bytes * 2
                                               : bytes;
        if (n % 5 == 4 && trace_state(trace) == TRACE_LOADING) {
            app_key(&app, &(struct key){.code = (unsigned char)typed[n / 5 % (sizeof typed - 1)]});
            key = cpu_ms() - from - step;
            app_draw(&app);
            frame = cpu_ms() - from - step - key;
        }
        if (n % 16 == 0) {
            double before = cpu_ms();
            app_update(&app);
            news = cpu_ms() - before > news ? cpu_ms() - before : news;
        }
        most_step = step > most_step ? step : most_step;
        most_key = key > most_key ? key : most_key;
        most_frame = frame > most_frame ? frame : most_frame;
        most = step + key + frame > most ? step + key + frame : most;
    }
    double from = cpu_ms();
    app_update(&app);
    double last = cpu_ms() - from;
    printf("loading: a step at most %.1f ms, a key %.1f, its frame %.1f, together %.1f; the news "
           "%.1f, at the end %.1f; "
           "512 kB of new memory at most %.1f\n",
           most_step, most_key, most_frame, most, news, last, new_memory(trace_bytes(trace)));
    app_free(&app);
    trace_free(trace);
}

/* Numbers of all slices with a hit's name. */
static void same_name(struct trace *trace, const struct hit *hit) {
    const struct slice *s =
        lane_at(nest_row(&trace_thread(trace, hit->thread)->nest, hit->row), hit->i);
    uint32_t name = trace_packed_name(trace, s->begin_word);
    struct name_stats same = {
        .trace = trace, .set = SLICE_SET_ALL(SLICE_ITER_SLICES), .name = name};
    struct task *task = task_new(trace_tasks(trace), name_stats_make, &same);
    uint64_t steps = 0;
    double slowest = 0, from = now_ms(), last = from;
    while (!task_step(task, TASK_OF(STEP))) {
        double t = now_ms();
        slowest = t - last > slowest ? t - last : slowest;
        last = t;
        steps++;
    }
    printf("same name %.1f ms, %zu in %" PRIu64 " steps, slowest %.1f ms\n", now_ms() - from,
           name_stats_row(&same)->durations.v.n, steps, slowest);
    task_free(task);
    name_stats_free(&same);
}

/* Searches, and the numbers of the first hit's name. */
static bool searches(struct trace *trace, const char *name) {
    struct err err;
    struct search *search = search_new(trace, name, true, &err);
    if (search == NULL) {
        fprintf(stderr, "ask: %s\n", err.text);
        return false;
    }
    struct hit hit, start = {.thread = UINT32_MAX, .time = INT64_MIN};
    bool wrapped;
    uint64_t hits;
    double from = now_ms();
    bool found = search_next(search, start, true, &hit, &wrapped);
    printf("first hit %.3f ms\n", now_ms() - from);
    from = now_ms();
    while (!search_count(search, TASK_OF(STEP), &hits))
        ;
    printf("hits counted %.1f ms, %" PRIu64 "\n", now_ms() - from, hits);
    if (found && hit.row != SEARCH_INSTANT && hit.thread < SEARCH_ASYNC)
        same_name(trace, &hit);
    search_free(search);
    return true;
}

static int questions(struct trace *trace, const char *name, bool searched) {
    uint64_t slices = 0;
    for (size_t t = 0; t < trace_thread_count(trace); t++)
        slices += trace_thread(trace, t)->nest.slices;
    printf("slices %" PRIu64 "\n", slices);
    if (searched && !searches(trace, name))
        return 2;
    if (searched)
        covered(trace);
    style_init(COLOR_256);
    tables(trace);
    if (searched) {
        paths(trace, slices, false);
        paths(trace, slices, true);
        printf("mono frames median %.2f ms\n", frames(trace, COLOR_MONO));
        frames(trace, COLOR_256);
    }
    all_keys(trace);
    results(trace, slices);
    why(trace);
    return 0;
}

int main(int argc, char **argv) {
    struct err err;
    vec_map_large();
    if (argc < 2 || argc > 4) {
        fputs("usage: ask TRACE [NAME [views]]\n", stderr);
        return 2;
    }
    struct trace *trace = argc > 2 ? trace_open(argv[1], &(struct trace_options){0}, &err) : NULL;
    if (argc > 2 && trace == NULL) {
        fprintf(stderr, "ask: %s: %s\n", argv[1], err.text);
        return 2;
    }
    int status = 0;
    if (trace) {
        /* as the screen does, so that no index is left for a key */
        while (trace_state(trace) != TRACE_COMPLETE)
            trace_step(trace, 4u << 20);
        status = questions(trace, argv[2], argc == 3);
        trace_free(trace);
    }
    style_init(COLOR_256);
    if (argc < 4 && status == 0)
        loading(argv[1]);
    return status;
}
