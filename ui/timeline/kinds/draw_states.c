/* draw_states.c - the strip of the scheduling states of a thread.
 *
 * A column has the character of the state that lasted longest in it. Columns with several states have the colour of
 * density. */
#include "ui/timeline/kinds/draw_states.h"

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

void draw_states(struct app *app, int y, struct sched_thread *t) {
    struct lane *states = &t->lane;
    struct grid *g = &app->grid;
    int columns = app->timeline.window.columns;
    size_t n = lane_spans(states, app->timeline.edges, columns, app->timeline.spans);
    uint32_t selected = lane_place(
        states, app->timeline.selection.kind == &track_thread_state ? session_slice(app->trace, &app->timeline) : NULL);
    for (size_t i = 0; i < n; i++) {
        const struct span *span = &app->timeline.spans[i];
        uint32_t longest = span->n == 1 ? span->first : lane_longest(states, span->first, span->first + span->n);
        const struct slice *s = lane_at(states, longest);
        struct look_of_state state = look_of(sched_state(t, longest));
        int from = span->column, to = span->column;
        if (span->n == 1) {
            int64_t end = slice_open(s) ? trace_end(app->trace) : slice_end(s);
            to = window_column(&app->timeline.window, end > s->start ? end - 1 : end);
            to = to >= columns ? columns - 1 : to < from ? from : to;
        }
        /* no colours for columns that differ from their neighbours: each change costs ten bytes */
        struct look look = style_look(span->n == 1 && to > from ? state.role : ROLE_DENSITY);
        if (selected - span->first < span->n)
            look = style_selected(look);
        grid_fill(g, app->layout.lane + from, y, to - from + 1, g->ascii ? (uint32_t)state.ascii : state.glyph, look);
    }
}
