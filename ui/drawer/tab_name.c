/* tab_name.c - how long the selected slice or operation is, compared to all of its name in the
 * range.
 *
 * The statistics are gathered in the background (name_stats.h): durations first, then covered time.
 * The tab shows numbers and a histogram with steps of 1, 2, 3, 5, 7. The details have one line of
 * them, with a small histogram whose steps have equal ratios. */
#include "ui/drawer/tab_name.h"

#include <inttypes.h>
#include <math.h>
#include <stdio.h>

#include "model/query/name_stats.h"
#include "src/base/units.h"
#include "ui/drawer/phrase.h"

#define SPARKS 14 /* columns of the small histogram */
#define STEPS 120 /* at least as many as bounds() fills */

/* ---- the work ---- */

static uint64_t question_of(const struct app *app, enum slice_iter_kind kind, uint32_t name) {
    return hash_words(app->range.serial, (uint64_t)kind << 32 | name);
}

/* A step of the answer to a question about the slices of the range; true: there is more. */
static bool step(struct app *app, struct answer *answer, const struct answer_ops *ops,
                 enum slice_iter_kind kind, uint32_t name) {
    uint64_t question = question_of(app, kind, name);
    if (!answer_is_of(answer, app->trace, question)) {
        struct name_stats *stats = answer_ask(answer, ops, app->trace, question);
        stats->trace = app->trace;
        stats->set = range_slices(session_range(app), kind);
        stats->name = name;
    }
    return session_work(app, answer);
}

bool tab_name_step(struct app *app) {
    enum slice_iter_kind kind;
    uint32_t name;
    return selection_name(app->trace, &app->timeline.selection, &kind, &name) &&
           step(app, &app->drawer.same, &name_stats_ops, kind, name);
}

static struct answer *times_of(struct app *app, enum slice_iter_kind kind) {
    return &app->drawer.times[kind == SLICE_ITER_OPERATIONS];
}

bool tab_name_step_times(struct app *app) {
    enum slice_iter_kind kind;
    uint32_t name;
    return selection_name(app->trace, &app->timeline.selection, &kind, &name) &&
           step(app, times_of(app, kind), &name_stats_times_ops, kind, 0);
}

const struct aggregate_row *tab_name_stats(const struct app *app) {
    const struct aggregate_row *row = tab_name_shown(app);
    return row && answer_holds(&app->drawer.same, app->trace) ? row : NULL;
}

const struct aggregate_row *tab_name_shown(const struct app *app) {
    enum slice_iter_kind kind;
    uint32_t name;
    if (!selection_name(app->trace, &app->timeline.selection, &kind, &name))
        return NULL;
    uint64_t question = question_of(app, kind, name);
    return name_stats_row(answer_about(&app->drawer.same, app->trace, question));
}

/* The row of a name, with total and self; NULL: not yet, or no slice has the name. */
static const struct aggregate_row *times_row(struct app *app, enum slice_iter_kind kind,
                                             uint32_t name) {
    const struct name_stats *all =
        answer_about(times_of(app, kind), app->trace, question_of(app, kind, 0));
    const struct aggregate_key key = {.name = name};
    uint32_t row = all ? aggregate_find(&all->aggregate, &key) : AGGREGATE_ANY;
    return row == AGGREGATE_ANY ? NULL : &all->aggregate.rows.v[row];
}

/* ---- drawing ---- */

static const char *duration(const struct drawer_text *p, int64_t ns, char buf[32]) {
    return units_duration(ns, p->app->grid.ascii, buf);
}

/* Fills in the bounds of the histogram: 0, 1, 2, 3, 5, 7, 10, 15, 20 ... ns, and INT64_MAX. Returns
 * their number. */
static int bounds(int64_t to[STEPS]) {
    int n = 0;
    to[n++] = 0;
    for (int64_t ten = 1; ten <= INT64_MAX / 10; ten *= 10) {
        to[n++] = ten;
        if (ten > 1)
            to[n++] = ten / 10 * 15;
        to[n++] = ten * 2;
        to[n++] = ten * 3;
        to[n++] = ten * 5;
        to[n++] = ten * 7;
    }
    to[n++] = INT64_MAX;
    return n;
}

static int eighths(size_t n, size_t most) {
    int level = (int)((double)n / (double)most * 8 + 0.5);
    return n > 0 && level == 0 ? 1 : level;
}

/* From the shortest to the longest duration; the bounds of neighbouring columns have the same
 * ratio. */
static void sparks(struct drawer_text *p, const struct quantiles *all, const struct slice *s) {
    int64_t least = quantiles_at(all, 0), longest = quantiles_at(all, 1000);
    size_t n[SPARKS] = {0}, most = 1;
    int mine = -1;
    if (least == longest || p->x + 2 + SPARKS > p->app->grid.cols)
        return;
    size_t below = 0;
    double ratio = (double)longest / ((double)least > 1 ? (double)least : 1),
           edge = (double)least > 1 ? (double)least : 1;
    double by = pow(ratio, 1.0 / SPARKS);
    for (int k = 0; k < SPARKS; k++) {
        edge *= by;
        int64_t last = edge < 0x1p63 ? (int64_t)edge : INT64_MAX;
        size_t upto =
            k == SPARKS - 1 || last == INT64_MAX ? all->v.n : quantiles_below(all, last + 1);
        n[k] = upto - below;
        below = upto;
        most = n[k] > most ? n[k] : most;
        if (mine < 0 && !slice_open(s) && (k == SPARKS - 1 || slice_dur(s) <= last))
            mine = k;
    }
    drawer_text_say(p, ROLE_DIM, "  ");
    for (int k = 0; k < SPARKS; k++) {
        if (k == mine)
            drawer_text_glyph(p, ROLE_VALUE, '^');
        else if (n[k] == 0)
            drawer_text_glyph(p, ROLE_DIM, p->app->grid.ascii ? '.' : 0xb7);
        else
            drawer_text_glyph(p, ROLE_DENSITY, grid_level(&p->app->grid, eighths(n[k], most)));
    }
}

/* "rank 6 of 742 (p99.3)  p50 1.204 ms  p99 8.410 ms  max 11.02 ms   ▁▇█▅▂▁▁·····▁^" */
void tab_name_line(struct drawer_text *p, const struct slice *s) {
    const struct aggregate_row *same = tab_name_shown(p->app);
    static const struct {
        const char *label;
        unsigned permille;
    } points[] = {{"p50 ", 500}, {"  p99 ", 990}, {"  max ", 1000}};
    char text[160], count[32];
    if (same == NULL || same->durations.v.n < 2)
        return;
    const struct quantiles *all = &same->durations;
    bool ranged = range_any(session_range(p->app));
    if (slice_open(s)) {
        snprintf(text, sizeof text,
                 "%s of this name%s have ended: ", units_count(all->v.n, false, count),
                 ranged ? " in the range" : "");
        drawer_text_say(p, ROLE_DIM, text);
    } else if (!trace_damaged_slice(p->app->trace, s)) { /* which has no rank: it is in no sum */
        drawer_text_say(p, quantiles_slow(all, slice_dur(s)) ? ROLE_WARN : ROLE_VALUE,
                        phrase_rank(all, slice_dur(s), text));
        drawer_text_say(p, ROLE_DIM, ranged ? " of this name in the range  " : " of this name  ");
    }
    for (size_t i = 0; i < sizeof points / sizeof *points; i++) {
        drawer_text_say(p, ROLE_DIM, points[i].label);
        drawer_text_say(p, ROLE_TEXT, duration(p, quantiles_at(all, points[i].permille), text));
    }
    sparks(p, all, s);
    drawer_text_next_line(p);
}

/* "  total 3.201 s  self 201.4 ms  avg 4.314 ms": covered time, as soon as it is known. */
static void times(struct drawer_text *p, const struct aggregate_row *same) {
    enum slice_iter_kind kind;
    uint32_t name;
    char buf[32];
    struct app *app = p->app;
    if (!selection_name(app->trace, &app->timeline.selection, &kind, &name))
        return;
    const struct aggregate_row *all = times_row(app, kind, name);
    drawer_text_say(p, ROLE_DIM, "  total ");
    drawer_text_say(p, all ? ROLE_VALUE : ROLE_DIM,
                    all ? duration(p, sum_ns(all->total), buf) : "counting");
    if (all && kind == SLICE_ITER_SLICES) {
        drawer_text_say(p, ROLE_DIM, "  self ");
        drawer_text_say(p, ROLE_VALUE, duration(p, sum_ns(all->self), buf));
    }
    if (same->durations.v.n > 0) {
        drawer_text_say(p, ROLE_DIM, "  avg ");
        drawer_text_say(p, ROLE_VALUE, duration(p, aggregate_mean(same), buf));
    }
}

/* "Layout  742 on 3 threads, 2 open, whole trace  total 3.201 s  self 201.4 ms  avg 4.314 ms" */
static void heading(struct drawer_text *p, const struct aggregate_row *same,
                    const struct slice *s) {
    bool slices = selection_is_slice(&p->app->timeline.selection);
    char text[96], n[32];
    drawer_text_value(p, ROLE_HEADER, trace_slice_name(p->app->trace, s));
    snprintf(text, sizeof text, "  %s", units_count(same->count, false, n));
    drawer_text_say(p, ROLE_VALUE, text);
    if (slices) {
        snprintf(text, sizeof text, " on %" PRIu32 " thread%s", same->tracks,
                 same->tracks == 1 ? "" : "s");
        drawer_text_say(p, ROLE_DIM, text);
    }
    if (same->open > 0) {
        snprintf(text, sizeof text, ", %s open", units_count(same->open, false, n));
        drawer_text_say(p, ROLE_WARN, text);
    }
    drawer_text_say(p, ROLE_DIM, ", ");
    drawer_text_say(p, ROLE_DIM,
                    range_any(session_range(p->app)) || *session_read_text(p->app)
                        ? session_range_text(p->app, text)
                        : "whole trace");
    times(p, same);
    drawer_text_next_line(p);
}

/* Links: "go to slowest  next slowest". */
static void links(struct drawer_text *p) {
    static const struct drawer_link slowest = {.kind = DRAWER_LINK_SLOWEST},
                                    next = {.kind = DRAWER_LINK_NEXT};
    drawer_text_say(p, ROLE_DIM, "  go to ");
    drawer_text_say(p, drawer_text_link(p, &slowest, ROLE_HEADER), "slowest");
    drawer_text_say(p, ROLE_DIM, "  ");
    drawer_text_say(p, drawer_text_link(p, &next, ROLE_HEADER), "next slowest");
}

/* The quantiles of those that have ended, and the rank of this one. */
static void numbers(struct drawer_text *p, const struct quantiles *all, const struct slice *s) {
    static const struct {
        const char *name;
        unsigned at;
    } points[] = {{"min ", 0},     {"  p50 ", 500}, {"  p90 ", 900},
                  {"  p95 ", 950}, {"  p99 ", 990}, {"  max ", 1000}};
    char text[80], buf[32];
    for (size_t k = 0; k < sizeof points / sizeof *points; k++) {
        drawer_text_say(p, ROLE_DIM, points[k].name);
        drawer_text_say(p, ROLE_TEXT, duration(p, quantiles_at(all, points[k].at), buf));
    }
    if (slice_open(s)) {
        links(p);
        drawer_text_next_line(p);
        return;
    }
    drawer_text_next_line(p);
    bool slow = quantiles_slow(all, slice_dur(s));
    drawer_text_say(p, ROLE_DIM, "this one ");
    drawer_text_say(p, ROLE_VALUE, duration(p, slice_dur(s), buf));
    drawer_text_say(p, ROLE_DIM, "  ");
    drawer_text_say(p, slow ? ROLE_WARN : ROLE_VALUE, phrase_rank(all, slice_dur(s), text));
    drawer_text_say(p, ROLE_WARN, slow ? "  slow" : "");
    links(p);
    drawer_text_next_line(p);
}

/* The durations from `from` to before `to`: the bounds, their number, and a bar. Enter goes to the
 * first of them. */
static void bucket(struct drawer_text *p, const int64_t to[2], size_t here, double length,
                   enum role role) {
    char text[32];
    const struct drawer_link link = {
        .kind = DRAWER_LINK_BUCKET, .least = to[0], .most = to[1] == INT64_MAX ? to[1] : to[1] - 1};
    drawer_text_say(p, role, role == ROLE_VALUE ? ">" : "");
    if (here > 0)
        role = drawer_text_link(p, &link, role);
    drawer_text_right(p, role, duration(p, to[0], text), 12);
    drawer_text_say(p, ROLE_DIM, " .. ");
    if (to[1] != INT64_MAX)
        drawer_text_say(p, role, duration(p, to[1], text));
    drawer_text_right(p, role, units_count(here, false, text), 36);
    p->x++;
    int eighth = (int)(length * 8 + 0.5);
    if (here > 0 && eighth == 0)
        eighth = 1;
    for (int x = 0; x < eighth; x += 8)
        drawer_text_glyph(p, role == ROLE_VALUE ? ROLE_VALUE : ROLE_DENSITY,
                          grid_left(&p->app->grid, eighth - x < 8 ? eighth - x : 8));
    drawer_text_next_line(p);
}

/* Empty buckets: one as it is, several as one line. */
static void gap(struct drawer_text *p, const int64_t *to, int n) {
    char text[80], a[32], b[32];
    if (n == 1)
        bucket(p, to, 0, 0, ROLE_TEXT);
    if (n < 2)
        return;
    snprintf(text, sizeof text, "none from %s to %s", duration(p, to[0], a), duration(p, to[n], b));
    p->x += 4;
    drawer_text_say(p, ROLE_DIM, text);
    drawer_text_next_line(p);
}

/* One line for each step, from the first to the last that is not empty. */
static void histogram(struct drawer_text *p, const struct quantiles *all, const struct slice *s) {
    int64_t to[STEPS];
    size_t below = 0, most = 1;
    int n = bounds(to), room = p->app->grid.cols - 38, empty = 0;
    for (int k = 1; k < n; k++) {
        size_t upto = k == n - 1 ? all->v.n : quantiles_below(all, to[k]);
        most = upto - below > most ? upto - below : most;
        below = upto;
    }
    below = 0;
    for (int k = 1; k < n && below < all->v.n; k++) {
        size_t upto = k == n - 1 ? all->v.n : quantiles_below(all, to[k]), here = upto - below;
        empty += here == 0;
        if (here == 0)
            continue;
        if (below > 0)
            gap(p, &to[k - 1 - empty], empty);
        empty = 0;
        below = upto;
        bool mine =
            !slice_open(s) && slice_dur(s) >= to[k - 1] && (slice_dur(s) < to[k] || k == n - 1);
        bucket(p, &to[k - 1], here, room > 0 ? (double)here / (double)most * room : 0,
               mine ? ROLE_VALUE : ROLE_TEXT);
    }
}

void tab_name_draw(struct drawer_text *p) {
    const struct app *app = p->app;
    const struct aggregate_row *same = tab_name_shown(p->app);
    const struct slice *s = selection_is_named(&app->timeline.selection)
                                ? selection_slice(app->trace, &app->timeline.selection)
                                : NULL;
    if (s == NULL)
        drawer_text_say(p, ROLE_DIM, "select a slice or an operation");
    else if (same == NULL)
        drawer_text_say(p, ROLE_DIM, "counting");
    else {
        heading(p, same, s);
        if (same->durations.v.n > 0) {
            numbers(p, &same->durations, s);
            histogram(p, &same->durations, s);
            return;
        }
        drawer_text_say(p, ROLE_DIM, "none of this name has ended");
    }
    drawer_text_next_line(p);
}
