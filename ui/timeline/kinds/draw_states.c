/* draw_states.c - the scheduling states of a thread.
 *
 * A column has the character of the known state that lasted longest in it. Columns with several
 * states have the colour of density; of a strip they show how much of them the thread ran. Nothing
 * is drawn after the end of a life, but a mark in the column after it. */
#include "ui/timeline/kinds/draw_states.h"

#include "model/store/sched_life.h"
#include "src/base/units.h"
#include "ui/timeline/draw_lane.h"
#include "ui/timeline/track_ops.h"

struct look_of_state {
    uint32_t glyph;
    char ascii;
    enum role role;
};

static struct look_of_state look_of(uint32_t state) {
    switch (state) {
    case SCHED_RUNNING:
        return (struct look_of_state){0x2501, '=', ROLE_RUNNING};
    case SCHED_RUNNABLE:
        return (struct look_of_state){0x254C, '~', ROLE_RUNNABLE};
    case SCHED_BLOCKED:
        return (struct look_of_state){0xB7, '.', ROLE_BLOCKED};
    case SCHED_SUSPENDED:
        return (struct look_of_state){0x2500, '-', ROLE_BLOCKED};
    case SCHED_NEW:
        return (struct look_of_state){'n', 'n', ROLE_BLOCKED};
    case SCHED_DYING:
        return (struct look_of_state){'x', 'x', ROLE_BLOCKED};
    case SCHED_DEAD:
        return (struct look_of_state){' ', ' ', ROLE_BLOCKED};
    default:
        return (struct look_of_state){'?', '?', ROLE_BLOCKED};
    }
}

struct strip {
    struct app *app;
    int y;
    struct sched_thread *t;
    struct lane *states; /* all of them, or those that :only leaves */
    const double *busy;  /* by column; NULL: there is no strip, but gaps of slices */
    struct look ran;     /* of a strip: the colour of the thread's name */
};

/* The number that state i of the strip has among all; UINT32_MAX: the thread has it no more. */
static uint32_t number_of(const struct strip *s, uint32_t i) {
    if (s->states == &s->t->lane)
        return i;
    const struct slice *state = lane_at(s->states, i);
    return lane_find(&s->t->lane, state->start, slice_offset(state));
}

static bool is_known(const struct strip *s, uint32_t i) {
    uint32_t number = number_of(s, i);
    return number != UINT32_MAX && (sched_life_known(s->t, number) || sched_damaged(s->t, number));
}

#define SOUGHT 8 /* unknown or dead states of a column that are passed over */

/* The longest known state of a column's [i, j), and UINT32_MAX if there is none, or too many
 * others. */
static uint32_t longest_known(const struct strip *s, uint32_t i, uint32_t j) {
    struct lane *states = s->states;
    uint32_t best = UINT32_MAX, todo[2 * SOUGHT] = {i, j}, n = 1;
    for (int looked = 0; n > 0 && looked < SOUGHT; looked++) {
        n--;
        i = todo[2 * n];
        j = todo[2 * n + 1];
        uint32_t k = lane_longest(states, i, j);
        if (is_known(s, k)) {
            bool longer = best == UINT32_MAX || lane_dur(states, k) > lane_dur(states, best);
            best = longer ? k : best;
            continue;
        }
        if (k + 1 < j && n < SOUGHT)
            todo[2 * n] = k + 1, todo[2 * n + 1] = j, n++;
        if (i < k && n < SOUGHT)
            todo[2 * n] = i, todo[2 * n + 1] = k, n++;
    }
    return best;
}

/* A thread that was woken, and of which no more is known, or that the recorder saw no more. */
static void unknown(const struct strip *s, const struct span *span) {
    uint32_t number = number_of(s, span->first);
    struct app *app = s->app;
    uint32_t state = number != UINT32_MAX ? sched_state(s->t, number) : SCHED_DEAD;
    bool marked = state == SCHED_RUNNABLE || state == SCHED_UNKNOWN;
    if (marked && span->start >= app->timeline.edges[0])
        grid_put(&app->grid, app->layout.lane + span->column, s->y, '?', style_look(ROLE_DIM));
}

static void draw_span(const struct strip *s, const struct span *span, bool selected) {
    struct app *app = s->app;
    struct grid *g = &app->grid;
    int y = s->y, columns = app->timeline.window.columns, from = span->column, to = span->column;
    uint32_t longest = longest_known(s, span->first, span->first + span->n);
    if (longest == UINT32_MAX) {
        if (span->n == 1)
            unknown(s, span);
        if (selected)
            grid_look(g, app->layout.lane + from, y, 1, style_selected(style_look(ROLE_DENSITY)));
        return;
    }
    const struct slice *longest_one = lane_at(s->states, longest);
    struct look_of_state state = look_of(sched_state(s->t, number_of(s, longest)));
    if (span->n == 1) {
        int64_t end = slice_open(longest_one) ? trace_end(app->trace) : slice_end(longest_one);
        to = window_column(&app->timeline.window, end > longest_one->start ? end - 1 : end);
        if (to >= columns)
            to = columns - 1;
        else if (to < from)
            to = from;
    }
    /* no colours for columns that differ from their neighbours: each change costs ten bytes */
    struct look look = style_look(span->n == 1 && to > from ? state.role : ROLE_DENSITY);
    if (s->busy) /* one colour for all */
        look = s->ran;
    if (selected)
        look = style_selected(look);
    grid_fill(g, app->layout.lane + from, y, to - from + 1,
              g->ascii ? (uint32_t)state.ascii : state.glyph, look);
    /* the first column of a strip has other states, too */
    bool shared = to == from || longest_one->start > app->timeline.edges[from];
    if (s->busy && s->busy[from] > 0 && shared) {
        int level = (int)(s->busy[from] * 8 + 0.5);
        grid_put(g, app->layout.lane + from, y, grid_level(g, level < 1 ? 1 : level), look);
    }
}

/* The place of the selected state in the strip; UINT32_MAX: it is not in it. */
static uint32_t selected_in(const struct strip *s) {
    const struct timeline *timeline = &s->app->timeline;
    bool here = selection_lane(s->app->trace, &timeline->selection) == &s->t->lane;
    const struct slice *selected = here ? session_slice(s->app->trace, timeline) : NULL;
    return lane_place(s->states, selected);
}

static void draw_strip(void *ctx, const struct filter_lanes *only) {
    struct strip s = *(const struct strip *)ctx;
    struct timeline *timeline = &s.app->timeline;
    const struct sched *sched = trace_sched(s.app->trace);
    if (only)
        s.states = filter_lanes_of(
            only, SLICE_ITER_STATE_TRACK + sched_thread_place(sched, s.t->thread), 0);
    if (s.states == NULL)
        return;
    size_t n = lane_spans(s.states, timeline->edges, timeline->window.columns, timeline->spans);
    uint32_t selected = selected_in(&s);
    for (size_t i = 0; i < n; i++) {
        const struct span *span = &timeline->spans[i];
        draw_span(&s, span, selected - span->first < span->n);
    }
}

static struct look look_of_name(struct trace *trace, uint32_t thread) {
    char buf[40];
    bool named;
    struct str name = trace_thread_name(trace, trace_thread(trace, thread), buf, &named);
    if (style_depth() == COLOR_MONO)
        return style_look(ROLE_DENSITY);
    return (struct look){style_hashed(style_name_hash(name)).bg, LOOK_DEFAULT, 0};
}

void draw_states(struct app *app, int y, struct sched_thread *t, const double *busy) {
    struct strip strip = {app, y, t, &t->lane, busy, style_look(ROLE_DENSITY)};
    if (busy)
        strip.ran = look_of_name(app->trace, t->thread);
    draw_lane_only(app, y, draw_strip, &strip);
}

void draw_states_ends(struct app *app, int y, const struct sched_thread *t) {
    const int64_t *edges = app->timeline.edges;
    int columns = app->timeline.window.columns;
    int64_t end = sched_life_end(t, edges[0]);
    while (end < edges[columns]) {
        int c = window_column(&app->timeline.window, end);
        c += edges[c] < end; /* the thread lived in a part of the column */
        const struct cell *cell = c < columns ? grid_at(&app->grid, app->layout.lane + c, y) : NULL;
        if (cell && (cell->cp[0] == ' ' || cell->cp[0] == 0) && cell->look.bg == LOOK_DEFAULT)
            grid_put(&app->grid, app->layout.lane + c, y, app->grid.ascii ? '\'' : 0x2518,
                     style_look(ROLE_DIM));
        if (c >= columns)
            end = INT64_MAX;
        else
            end = sched_life_end(t, edges[c] > end ? edges[c] : end + 1);
    }
}

static bool is_blank(struct app *app, int y, int from, int to) {
    for (int c = from; c < to; c++) {
        const struct cell *cell = grid_at(&app->grid, app->layout.lane + c, y);
        if ((cell->cp[0] != ' ' && cell->cp[0] != 0) || cell->look.bg != LOOK_DEFAULT)
            return false;
    }
    return true;
}

/* Whether nothing ran in the cells [from, to), and nothing happened. */
static bool is_asleep(struct app *app, int y, int from, int to) {
    struct look_of_state asleep = look_of(SCHED_BLOCKED);
    uint32_t glyph = app->grid.ascii ? (uint32_t)asleep.ascii : asleep.glyph;
    for (int c = from; c < to; c++)
        if (grid_at(&app->grid, app->layout.lane + c, y)->cp[0] != glyph)
            return false;
    return true;
}

void draw_states_label(struct app *app, int y, const struct sched_thread *t, struct str label) {
    int64_t begin, end;
    int columns = app->timeline.window.columns,
        n = (int)text_width(label, TEXT_TRACK, (size_t)columns);
    if (!sched_life_span(t, &begin, &end) || begin >= app->timeline.edges[columns])
        return;
    int from = begin < app->timeline.edges[0] ? 0 : window_column(&app->timeline.window, begin) + 1;
    if (n > 0 && from + n + 2 < columns && is_asleep(app, y, from, from + n + 2))
        grid_text(
            &app->grid,
            (struct grid_place){app->layout.lane + from + 1, y, app->layout.lane + from + 1 + n},
            label, style_look(ROLE_LABEL), TEXT_TRACK, false);
}

void draw_states_lasted(struct app *app, int y, const struct sched_thread *t) {
    const int64_t *edges = app->timeline.edges;
    int columns = app->timeline.window.columns;
    int64_t begin, end;
    char lasted[32];
    if (!sched_life_span(t, &begin, &end) || end < edges[0] || end >= edges[columns])
        return;
    units_duration(units_since(begin, end), app->grid.ascii, lasted);
    int n = (int)text_width(str_of(lasted), 0, sizeof lasted);
    int from = window_column(&app->timeline.window, end) + 3; /* the mark of the end is before it */
    if (from + n < columns && is_blank(app, y, from - 1, from + n + 1))
        grid_ztext(&app->grid, app->layout.lane + from, y, app->grid.cols, lasted,
                   style_look(ROLE_DIM));
}
