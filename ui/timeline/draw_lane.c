/* draw_lane.c - the slices of one lane as cells. Positions within a row are eighths of a column
 * from the timeline's left edge.
 *
 * lane_spans() divides the window into spans: one slice, or one column with several. A column with
 * several slices, or with one that begins and ends in it, is density: a bar as high as the column
 * is busy, in the colour of the name that covers most of it. With colour a longer slice is a filled
 * background whose edges fall on eighths of a cell; without, it is bracketed. A single slice is
 * held back until the next span is known, which decides where it ends. */
#include "ui/timeline/draw_lane.h"

#include <string.h>

#include "model/query/detail.h"
#include "model/query/filter/filter_lanes.h"
#include "model/store/row_track.h"
#include "model/store/vote.h"
#include "src/base/text.h"
#include "ui/timeline/colors.h"

struct strip { /* one slice as it will be drawn */
    struct slice slice;
    int64_t from, to;         /* eighths, clipped; to > from */
    int first, last;          /* columns that it may write to */
    bool cut_left, cut_right; /* it continues outside the window */
    bool hit, selected;
    bool of_cpu;  /* a run: called by its thread */
    bool sampled; /* a frame of a profiler: its length is not known */
    bool damaged; /* one of its times is wrong */
    struct str name;
    struct str value; /* of a row of a question */
    struct look look; /* without the signs of a hit and of the selection */
    const struct lane_look *of;
    struct lane *lane;
    uint32_t place; /* in the lane */
    char buf[40];
};

/* busy: ns of the column that slices cover. A hit is seen without its colour: a bar stands on a
 * ground, a full one has a star in it. */
static void density(struct app *app, int y, int column, int64_t busy, struct look look, bool hit) {
    struct grid *g = &app->grid;
    int64_t from = app->timeline.edges[column], to = app->timeline.edges[column + 1];
    app->timeline.dense[column] = 1;
    int level = (int)((double)busy / (double)(to - from) * 8 + 0.5);
    uint32_t glyph = grid_level(g, level < 1 ? 1 : level);
    if (hit && (style_depth() == COLOR_MONO || glyph == grid_level(g, 8))) {
        glyph = '*';
        look = (struct look){look.bg, look.fg, look.attr};
    }
    grid_put(g, app->layout.lane + column, y, glyph, look);
}

#define VALUE_LEAST 6 /* cells that the value of an argument needs */

/* The first text of its arguments; false: it has none, or that is its name. A list or an object is
 * no text for people. */
static bool find_text(struct detail *d, struct str name, struct detail_argument *a) {
    struct fxt_arguments args = d->record.args;
    while (detail_argument(d, &args, a))
        if (a->type == FXT_ARG_STRING && a->string.n > 0 && *a->string.s != '[' &&
            *a->string.s != '{')
            return !str_eq(a->string, name);
    return false;
}

/* Draws a value. Paths of files differ at their end, so one that does not fit is cut on the
 * left. */
static void value_in(struct grid *g, struct str s, int y, int x, int right, struct look look) {
    size_t room = (size_t)(right - x);
    bool path = memchr(s.s, '/', s.n) && !memchr(s.s, ' ', s.n) &&
                text_width(s, TEXT_TRACK, room + 1) > room;
    for (; path && text_width(s, TEXT_TRACK, room) >= room; s.s++, s.n--)
        continue;
    for (; path && s.n > 0 && ((unsigned char)*s.s & 0xC0) == 0x80; s.s++, s.n--)
        continue; /* the rest of a character */
    if (path)
        grid_put(g, x++, y, grid_glyph(g, GLYPH_ELLIPSIS), look);
    if (memchr(s.s, ' ', s.n)) /* a command line: its begin matters */
        grid_text(g, (struct grid_place){x, y, right}, s, look, TEXT_TRACK, true);
    else
        grid_name(g, (struct grid_place){x, y, right}, s, look, TEXT_TRACK);
}

#define VALUE_BYTES 256 /* of a value that are drawn in place of a name, or compared */
#define APART_LOOKED 2  /* slices before and after one, and around it, that it is compared with */
#define APART_LEAST 2   /* of these that differ in the value alone */

/* The slice has the same name and another value; value NULL: any. */
static bool differs(struct app *app, const struct strip *s, struct lane *lane, uint32_t i,
                    const struct str *value) {
    struct detail d;
    struct detail_argument a;
    struct slice other = *lane_at(lane, i);
    if (slice_name(&other) != slice_name(&s->slice))
        return false;
    if (value == NULL)
        return true;
    if (!detail_open(&d, app->trace, slice_offset(&other)) || !find_text(&d, s->name, &a))
        return false;
    a.string.n = a.string.n < VALUE_BYTES ? a.string.n : VALUE_BYTES;
    return !str_eq(a.string, *value);
}

/* Whether slices next to it or around it have the same name, and other values: one may be
 * chance. */
static bool tells_apart(struct app *app, const struct strip *s, const struct str *value) {
    int n = 0;
    for (uint32_t by = 1; by <= APART_LOOKED; by++) {
        n += s->place >= by && differs(app, s, s->lane, s->place - by, value);
        n += s->lane->n - s->place > by && differs(app, s, s->lane, s->place + by, value);
    }
    if (s->of->track >= SLICE_ITER_ASYNC)
        return n >= APART_LEAST;
    struct thread *thread = trace_thread(app->trace, s->of->track);
    for (uint32_t up = 1; up <= APART_LOOKED && up <= s->of->row && n < APART_LEAST; up++) {
        struct lane *around = nest_row(&thread->nest, s->of->row - up);
        uint32_t i = lane_before(around, s->slice.start);
        n += i != UINT32_MAX && differs(app, s, around, i, value);
    }
    return n >= APART_LEAST;
}

/* A bar with space for the name or for a value, not for both: draws the value if
 * neighbours of its name differ in it. */
static bool value_alone(struct app *app, const struct strip *s, int y, int x, int right,
                        struct look look) {
    char kept[VALUE_BYTES];
    struct detail d;
    struct detail_argument a;
    size_t room = (size_t)(right - x);
    if (right - x < VALUE_LEAST || s->of_cpu || s->of->rows || s->sampled ||
        text_width(s->name, TEXT_TRACK, room) + 1 + VALUE_LEAST <= room ||
        !tells_apart(app, s, NULL) || /* it costs less than to look at records */
        !detail_open(&d, app->trace, slice_offset(&s->slice)) || !find_text(&d, s->name, &a))
        return false;
    struct str value = {kept, a.string.n < VALUE_BYTES ? a.string.n : VALUE_BYTES};
    memcpy(kept, a.string.s, value.n);
    if (!tells_apart(app, s, &value))
        return false;
    look.attr &= (uint8_t)~ATTR_BOLD;
    value_in(&app->grid, value, y, x, right, look);
    return true;
}

/* The name, and after it the value of an argument if there is space: slices of one name differ in
 * it. */
static void name_in(struct app *app, const struct strip *s, int y, int x, int right,
                    struct look look) {
    struct grid *grid = &app->grid;
    struct detail d;
    struct detail_argument a;
    if (s->hit && x < right && style_depth() == COLOR_MONO)
        grid_put(grid, x++, y, '*', look);
    if (right - x < 1)
        return;
    if (s->sampled)
        grid_put(grid, x++, y, '~', look);
    if (s->damaged)
        grid_put(grid, x++, y, grid_glyph(grid, GLYPH_WARN), look);
    if (value_alone(app, s, y, x, right, look))
        return;
    x = grid_name(grid, (struct grid_place){x, y, right}, s->name, look, TEXT_TRACK) + 1;
    if (s->of->rows && s->value.n > 0 && right > x) {
        look.attr &= (uint8_t)~ATTR_BOLD;
        value_in(grid, s->value, y, x, right, look);
    }
    if (right - x < VALUE_LEAST || s->of_cpu || s->of->rows ||
        !detail_open(&d, app->trace, slice_offset(&s->slice)) || !find_text(&d, s->name, &a))
        return;
    look.attr &= (uint8_t)~ATTR_BOLD;
    value_in(grid, a.string, y, x, right, look);
}

/* [name   ], or {name   } if it is selected. An end outside the window has no bracket. */
static void bracketed(struct app *app, const struct strip *s, int y, struct look look) {
    struct grid *g = &app->grid;
    int x = app->layout.lane + s->first, last = app->layout.lane + s->last;
    uint32_t open = s->selected ? '{' : '[', close = s->selected ? '}' : ']';
    if (s->cut_left)
        open = g->ascii ? '<' : 0x27E8;
    if (s->first == s->last) {
        uint32_t glyph = s->hit ? '*' : '|';
        if (s->selected)
            glyph = g->ascii ? '@' : 0x258C;
        grid_put(g, x, y, glyph, look);
        return;
    }
    grid_fill(g, x, y, last - x + 1, ' ', look);
    grid_put(g, x, y, open, look);
    if (!s->cut_right)
        grid_put(g, last, y, slice_open(&s->slice) ? grid_glyph(g, GLYPH_OPEN_EDGE) : close, look);
    name_in(app, s, y, x + 1, s->cut_right ? last + 1 : last, look);
}

#define CROWDED 16   /* eighths: a narrower slice next to another one is drawn as density */
#define NAME_LEAST 3 /* cells that a name needs */

static bool has_background(const struct cell *c) {
    return c->look.bg != LOOK_DEFAULT;
}

/* The colour that fills a cell to its right edge; LOOK_DEFAULT: none does. */
static int32_t colour_of(const struct cell *c) {
    if (c == NULL)
        return LOOK_DEFAULT;
    if (has_background(c))
        return c->look.bg;
    return c->cp[0] == 0x2588 ? c->look.fg : LOOK_DEFAULT;
}

/* Fills from eighth to eighth. In a cell that two slices share, the left one keeps its part. */
static void filled(struct app *app, const struct strip *s, int y, struct look look) {
    struct grid *g = &app->grid;
    int x0 = app->layout.lane;
    int first = (int)(s->from / 8), last = (int)((s->to - 1) / 8);
    int left = (int)(s->from % 8), right = (int)(s->to % 8);
    if (first < s->first) {
        first = s->first;
        left = 0;
    }
    if (g->ascii) { /* no eighths: whole cells */
        left = right = 0;
    }
    int inner = first + (left != 0), after = right != 0 ? last : last + 1;
    bool named = after - inner >= NAME_LEAST;
    bool same =
        colour_of(grid_at(g, x0 + first - (left == 0), y)) == look.bg && first + (left != 0) > 0;
    /* a full block sets one colour instead of two */
    if (inner < after && !named && !s->hit && !g->ascii)
        grid_fill(g, x0 + inner, y, after - inner, 0x2588, (struct look){look.bg, LOOK_DEFAULT, 0});
    else if (inner < after)
        grid_fill(g, x0 + inner, y, after - inner, ' ', look);
    if (left != 0) {
        struct cell *c = grid_at(g, x0 + first, y);
        struct look edge = {look.bg, LOOK_DEFAULT, ATTR_REVERSE};
        if (c && has_background(c))
            edge = (struct look){c->look.bg, look.bg, 0};
        else if (c && c->look.fg != LOOK_DEFAULT && c->cp[0] >= 0x2589 && c->cp[0] <= 0x258F)
            edge = (struct look){c->look.fg, look.bg, 0};
        if (inner > after) { /* it begins and ends inside one cell */
            int width = (int)(s->to - s->from);
            grid_put(g, x0 + first, y, grid_left(g, width < 1 ? 1 : width),
                     (struct look){look.bg, LOOK_DEFAULT, 0});
            return;
        }
        if (edge.fg != edge.bg) {
            grid_put(g, x0 + first, y, grid_left(g, left), edge);
        } else { /* of the same colour: a gap at the nearer side of the cell */
            same = left > 4 && inner < after;
            grid_put(g, x0 + first, y, same ? ' ' : 0x258F,
                     (struct look){style_look(ROLE_GAP).fg, look.bg, 0});
        }
    }
    if (right != 0)
        grid_put(g, x0 + last, y,
                 slice_open(&s->slice) ? grid_glyph(g, GLYPH_OPEN_EDGE) : grid_left(g, right),
                 (struct look){look.bg, LOOK_DEFAULT, 0});
    if (slice_open(&s->slice) && after > inner && !s->cut_right)
        grid_put(g, x0 + after - 1, y, grid_glyph(g, GLYPH_OPEN_EDGE), look);
    if (s->cut_left && after - inner > 3)
        grid_put(g, x0 + inner++, y, g->ascii ? '<' : 0x2039, look);
    else if (same && inner < after) /* a slice of the same colour ends here */
        grid_put(g, x0 + inner++, y, g->ascii ? '|' : 0x258F,
                 (struct look){style_look(ROLE_GAP).fg, look.bg, 0});
    if (named)
        name_in(app, s, y, x0 + inner, x0 + after - (slice_open(&s->slice) ? 1 : 0), look);
}

static void strip(struct app *app, const struct strip *s, int y) {
    if (style_depth() == COLOR_MONO) {
        struct look look = style_look(s->hit ? ROLE_HIT : ROLE_TEXT);
        bracketed(app, s, y, s->selected ? style_selected(look) : look);
        return;
    }
    struct look look = s->look;
    if (s->hit)
        look.attr |= ATTR_UNDERLINE | ATTR_BOLD;
    if (s->selected) { /* inverted: visible on every hue */
        struct look text = style_selected(style_look(ROLE_TEXT));
        look = (struct look){look.bg, LOOK_DEFAULT, (uint8_t)(text.attr & ~ATTR_REVERSE)};
        int x = app->layout.lane + s->first;
        grid_fill(&app->grid, x, y, s->last - s->first + 1, ' ',
                  (struct look){look.fg, look.bg, ATTR_REVERSE});
        struct look name = {look.fg, LOOK_DEFAULT, ATTR_BOLD | ATTR_REVERSE};
        if (s->last > s->first)
            name_in(app, s, y, x, app->layout.lane + s->last + 1, name);
        grid_look(&app->grid, x, y, s->last - s->first + 1,
                  (struct look){LOOK_DEFAULT, LOOK_DEFAULT, ATTR_BOLD | ATTR_REVERSE});
        return;
    }
    filled(app, s, y, look);
}

static int64_t end_of(const struct slice *slice, const struct lane_look *look) {
    return slice_endless(slice) ? look->open_end : slice_end(slice);
}

static bool is_hit(const struct lane_look *look, const struct slice *slice, uint32_t i) {
    return look->search && search_draws(look->search, look->track, look->row, i,
                                        trace_packed_name(look->trace, slice->begin_word));
}

/* A run on a CPU: by the key if it has one colour for a thread. */
static struct look run_look(const struct app *app, uint32_t thread, struct str name) {
    struct look look;
    if (thread == NO_THREAD || !colors_track(app, thread, &look))
        look = style_hashed(style_name_hash(name));
    return look;
}

/* A row of a question: by its colour, or else its name. */
static struct look rows_look(const struct row_track *rows, const struct row_track_row *row) {
    struct str key = row->colour ? row_track_text(rows, row->colour) : row_track_name(rows, row);
    return style_hashed(style_name_hash(key));
}

static void make_strip(const struct app *app, struct strip *s, struct lane *lane,
                       const struct span *span, const struct lane_look *look) {
    const struct timeline *timeline = &app->timeline;
    const struct slice *slice = lane_at(lane, span->first);
    int64_t most = (int64_t)timeline->window.columns * 8;
    *s = (struct strip){.slice = *slice, .from = window_eighth(&timeline->window, slice->start)};
    int64_t end = end_of(slice, look);
    s->to = window_eighth(&timeline->window, end);
    if (s->from >= most)
        s->from = most - 1;
    if (s->to <= s->from)
        s->to = s->from + 1;
    s->first = (int)(s->from / 8);
    s->last = (int)((s->to - 1) / 8);
    s->cut_left = slice->start < timeline->edges[0];
    s->cut_right = end > timeline->edges[timeline->window.columns];
    s->selected = look->selected && look->selected->start == slice->start &&
                  slice_offset(look->selected) == slice_offset(slice);
    s->hit = is_hit(look, slice, span->first);
    s->of_cpu = look->cpu != NULL;
    s->of = look;
    s->lane = lane;
    s->place = span->first;
    if (look->cpu) {
        uint32_t thread = sched_busy_thread(look->cpu, slice);
        bool named;
        if (thread != NO_THREAD)
            s->name =
                trace_thread_name(look->trace, trace_thread(look->trace, thread), s->buf, &named);
        s->look = run_look(app, thread, s->name);
    } else if (look->rows) {
        const struct row_track_row *of = row_track_row_of(look->rows, slice);
        s->name = row_track_name(look->rows, of);
        s->value = of->name ? row_track_text(look->rows, of->value) : STR("");
        s->look = rows_look(look->rows, of);
    } else {
        s->name = trace_slice_name(look->trace, slice);
        s->look = colors_slice(app, look->track, slice);
        s->damaged = trace_damaged_slice(look->trace, slice);
        s->sampled = look->track < SLICE_ITER_ASYNC &&
                     trace_thread_sampled(look->trace, trace_thread(look->trace, look->track));
    }
}

/* The longest slice that begins in the window; UINT32_MAX: there is none, or all have the same
 * length. */
static uint32_t longest_in_view(const struct trace *trace, const struct timeline *timeline,
                                struct lane *lane) {
    uint32_t i = lane_from(lane, timeline->edges[0]),
             j = lane_from(lane, timeline->edges[timeline->window.columns]);
    if (j - i < 2 || i >= j)
        return UINT32_MAX;
    uint32_t k = trace_longest(trace, lane, i, j);
    uint32_t other = k == i ? j - 1 : i;
    return lane_dur(lane, k) > lane_dur(lane, other) ? k : UINT32_MAX;
}

/* The look of the longest slice, which is marked even if it is hidden in density. */
static struct look standing_out(struct look look) {
    look.attr |= style_depth() < COLOR_256 ? ATTR_BOLD | ATTR_UNDERLINE : ATTR_UNDERLINE;
    return look;
}

#define LOOKS 16

struct row { /* of the screen, while it is drawn from left to right */
    struct app *app;
    int y;
    struct lane *lane;
    const struct lane_look *look;
    struct look dense;
    bool mono;
    /* indices in the lane: the selected slice; the longest in view; UINT32_MAX: none */
    uint32_t chosen, longest;
    int used;                       /* last column that was written */
    const struct span *spans, *end; /* of the row */
    const struct span *named; /* the latest span of several slices whose name was looked for */
    uint32_t name;            /* that name */
    bool holding;
    struct strip held; /* drawn once it is known where the next span begins */
    struct {           /* looks of names that were drawn, at their number modulo LOOKS */
        uint32_t name; /* + 1; 0: none */
        struct look look;
    } looks[LOOKS];
};

/* The look of a column without a name that covers most, or of a name with several colours: by names
 * slate, else that of a slice in it. */
static struct look column_look(const struct row *row, uint32_t i) {
    const struct row_track *rows = row->look->rows;
    if (rows) {
        struct look look = rows_look(rows, row_track_row_of(rows, lane_at(row->lane, i)));
        return (struct look){look.bg, LOOK_DEFAULT, 0};
    }
    if (row->app->timeline.colors.by == GROUP_BY_NAME)
        return row->dense;
    struct look look = colors_slice(row->app, row->look->track, lane_at(row->lane, i));
    return (struct look){look.bg, LOOK_DEFAULT, 0};
}

/* The colour of the name that covers most of a column, for bars; i: a slice of it. */
static struct look name_look(struct row *row, uint32_t name, uint32_t i) {
    char buf[40];
    bool named;
    if (row->mono)
        return row->dense;
    if (name != LANE_NO_NAME && row->looks[name % LOOKS].name == name + 1)
        return row->looks[name % LOOKS].look;
    struct trace *trace = row->look->trace;
    struct look slice;
    if (row->look->cpu && name == LANE_NO_NAME)
        return row->dense;
    if (row->look->rows && (name == LANE_NO_NAME || row->look->rows->colours))
        return column_look(row, i);
    if (row->look->rows)
        slice = style_hashed(style_name_hash(row_track_text(row->look->rows, name)));
    else if (row->look->cpu)
        slice = run_look(row->app, name,
                         trace_thread_name(trace, trace_thread(trace, name), buf, &named));
    else if (!colors_track(row->app, row->look->track, &slice) &&
             (name == LANE_NO_NAME || !colors_name(row->app, name, &slice)))
        return column_look(row, i);
    slice = (struct look){slice.bg, LOOK_DEFAULT, 0};
    if (name == LANE_NO_NAME)
        return slice;
    row->looks[name % LOOKS].name = name + 1;
    return row->looks[name % LOOKS].look = slice;
}

/* next: the first column of the next span; shared: it is a slice that begins inside that column. */
static void draw_held(struct row *row, int next, bool shared) {
    struct strip *held = &row->held;
    if (held->last >= next && held->last > held->first && !shared)
        held->last = next > held->first ? next - 1 : held->first;
    strip(row->app, held, row->y);
    row->used = held->last;
    row->holding = false;
}

static uint32_t span_name(struct row *row, const struct span *span) {
    if (row->named != span) {
        row->named = span;
        row->name = lane_span_name(row->lane, span);
    }
    return row->name;
}

/* lane_column() of column c by the spans next to one of a single slice, with the lane's open slice
 * as long as it is drawn. All slices of a column are in the spans that touch it: at most three. */
static int64_t column_busy(struct row *row, const struct span *span, int c, uint32_t *name) {
    int64_t from = row->app->timeline.edges[c], to = row->app->timeline.edges[c + 1];
    uint64_t busy = 0;
    struct vote vote = VOTE_EMPTY;
    bool ends = row->lane->end == INT64_MAX && row->look->open_end < to;
    to = ends ? row->look->open_end : to;
    while (span > row->spans && span[-1].end > from)
        span--;
    for (; span < row->end && span->start < to; span++) {
        if (span->n > 1 && ends)
            return lane_column(row->lane, from, to, name);
        if (span->n > 1) {
            *name = span_name(row, span);
            return span->busy;
        }
        int64_t a = span->start > from ? span->start : from, b = span->end < to ? span->end : to;
        if (a < b) {
            vote_add(&vote, lane_name(row->lane, span->first), (uint64_t)b - (uint64_t)a);
            busy += (uint64_t)b - (uint64_t)a;
        }
    }
    *name = busy > 0 && vote.surplus >= busy - vote.surplus ? vote.name : LANE_NO_NAME;
    return (int64_t)busy;
}

/* A column that several slices share, or that holds all of slice i. */
static void bar(struct row *row, const struct strip *s, uint32_t i, int c, int64_t busy,
                uint32_t name) {
    struct look look =
        name_look(row, busy == 0 && !row->look->cpu ? slice_name(&s->slice) : name, i);
    if (i == row->longest)
        look = standing_out(look);
    if (s->hit)
        look = style_look(ROLE_HIT_BAR);
    density(row->app, row->y, c, busy, s->selected ? style_selected(look) : look, s->hit);
}

static void shared_column(struct row *row, const struct strip *s, const struct span *span) {
    uint32_t name;
    int64_t busy = column_busy(row, span, s->first, &name);
    bar(row, s, span->first, s->first, busy, name);
}

/* The part of a slice that is in a column. */
static int64_t part_in(const struct row *row, const struct strip *s, int c) {
    int64_t from = row->app->timeline.edges[c], to = row->app->timeline.edges[c + 1];
    int64_t start = s->slice.start, end = end_of(&s->slice, row->look);
    start = start > from ? start : from;
    end = end < to ? end : to;
    return end > start ? end - start : 0;
}

/* A cell that is filled from the right. The eighths in between would need reverse video, and 30
 * bytes for each. */
static uint32_t right_part(int eighths) {
    if (eighths < 2)
        return 0x2595;
    return eighths < 6 ? 0x2590 : 0x2588;
}

/* A slice of up to two columns next to others: what it has for itself is filled, what it shares is
 * density. */
static void draw_narrow(struct row *row, const struct strip *s, const struct span *span) {
    struct grid *g = &row->app->grid;
    uint32_t i = span->first;
    struct look look = name_look(row, slice_name(&s->slice), i);
    if (i == row->longest)
        look = standing_out(look);
    for (int c = s->first == row->used ? s->first + 1 : s->first; c <= s->last; c++) {
        int from = c == s->first ? (int)(s->from % 8) : 0,
            to = c == s->last ? (int)(s->to - c * 8) : 8;
        uint32_t name;
        int64_t busy = column_busy(row, span, c, &name);
        if (g->ascii || (from > 0 && to < 8) || busy != part_in(row, s, c)) {
            bar(row, s, i, c, busy, name);
            continue;
        }
        grid_put(g, row->app->layout.lane + c, row->y,
                 from > 0 ? right_part(8 - from) : grid_left(g, to), look);
    }
    row->used = s->last;
}

/* A span of one slice; next: the column of the span after it. */
static void draw_single(struct row *row, struct strip *s, const struct span *span, int next) {
    /* another one is adjacent */
    bool crowded = (row->used >= 0 && row->used + 1 >= s->first) || next <= s->first + 1;
    if (!row->mono && s->first == s->last && !slice_open(&s->slice)) {
        if (crowded)
            shared_column(row, s, span);
        else
            bar(row, s, span->first, s->first, part_in(row, s, s->first), slice_name(&s->slice));
        row->used = s->last;
        return;
    }
    if (!row->mono && crowded && s->to - s->from < CROWDED && !s->hit && !s->selected &&
        !slice_open(&s->slice)) {
        draw_narrow(row, s, span);
        return;
    }
    if (s->first == row->used && s->last == s->first) { /* no cell left for it alone */
        shared_column(row, s, span);
        return;
    }
    if (s->first == row->used &&
        (row->mono || (!s->selected && row->app->timeline.dense[s->first]))) {
        s->first++;
        if (s->first == s->last && !row->mono) {
            draw_narrow(row, s, span);
            return;
        }
    }
    row->held = *s;
    if (s->name.s == s->buf)
        row->held.name.s = row->held.buf;
    row->holding = true;
}

/* The longest slice of a span, if it decides the colour. */
static uint32_t longest_of(const struct row *row, const struct span *span) {
    return row->app->timeline.colors.by == GROUP_BY_NAME || row->look->cpu
               ? span->first
               : trace_longest(row->look->trace, row->lane, span->first, span->first + span->n);
}

#define HITS_SOUGHT 64 /* slices of a column that are searched */

/* A column that hides several slices. */
static void draw_dense(struct row *row, const struct span *span) {
    const struct lane_look *look = row->look;
    struct look column = row->dense;
    if (!row->mono)
        column = name_look(row, span_name(row, span), longest_of(row, span));
    bool hit = false;
    uint32_t sought = span->n < HITS_SOUGHT ? span->n : HITS_SOUGHT;
    if (look->search == NULL)
        sought = 0;
    struct slice v[LANE_BLOCK];
    for (uint32_t k = span->first, end = k + sought, n; !hit && k < end; k += n) {
        n = LANE_BLOCK - k % LANE_BLOCK < end - k ? LANE_BLOCK - k % LANE_BLOCK : end - k;
        lane_copy(row->lane, k, n, v);
        for (uint32_t i = 0; !hit && i < n; i++)
            hit = is_hit(look, &v[i], k + i);
    }
    if (row->longest - span->first < span->n)
        column = standing_out(column);
    if (hit)
        column = style_look(ROLE_HIT_BAR);
    density(row->app, row->y, span->column, span->busy,
            row->chosen - span->first < span->n ? style_selected(column) : column, hit);
    row->used = span->column;
}

/* An open slice whose thread had died by t, the left edge. */
static bool ended_before(const struct slice *slice, const struct lane_look *look, int64_t t) {
    return slice_endless(slice) && slice->start < t && look->open_end <= t;
}

static void draw_lane(struct app *app, int y, struct lane *lane, const struct lane_look *look) {
    int columns = app->timeline.window.columns;
    size_t n = lane_spans(lane, app->timeline.edges, columns, app->timeline.spans);
    struct row row = {.app = app,
                      .y = y,
                      .lane = lane,
                      .look = look,
                      .dense = style_look(ROLE_DENSITY),
                      .mono = style_depth() == COLOR_MONO,
                      .chosen = lane_place(lane, look->selected),
                      .longest = longest_in_view(app->trace, &app->timeline, lane),
                      .used = -1,
                      .spans = app->timeline.spans,
                      .end = app->timeline.spans + n};
    for (size_t i = 0; i < n; i++) {
        const struct span *span = &app->timeline.spans[i];
        struct strip s;
        if (span->n == 1) {
            if (look->open_end <= app->timeline.edges[0] &&
                ended_before(lane_at(lane, span->first), look, app->timeline.edges[0]))
                continue;
            make_strip(app, &s, lane, span, look);
            if (row.holding)
                draw_held(&row, s.first, !row.mono && s.from != s.first * 8);
            draw_single(&row, &s, span, i + 1 < n ? span[1].column : columns + 1);
        } else {
            if (row.holding)
                draw_held(&row, span->column, false);
            draw_dense(&row, span);
        }
    }
    if (row.holding)
        draw_held(&row, columns, false);
}

struct look draw_lane_dim(void) {
    struct look dim = style_look(ROLE_DIM);
    if (style_depth() < COLOR_256)
        dim.attr |= ATTR_DIM;
    return dim;
}

void draw_lane_fade(struct grid *g, int x, int y) {
    struct look dim = draw_lane_dim(), faded = style_look(ROLE_FADED);
    for (; x < g->cols; x++) {
        struct cell *c = grid_at(g, x, y);
        bool block = (c->cp[0] >= 0x2581 && c->cp[0] <= 0x2590) || c->cp[0] == 0x2595;
        bool gap = c->cp[0] == 0x258F && c->look.bg != LOOK_DEFAULT;
        if (block && !gap && c->look.bg != LOOK_DEFAULT) /* two slices meet in the cell */
            c->cp[0] = ' ';
        if (c->look.bg != LOOK_DEFAULT)
            c->look = (struct look){gap ? style_look(ROLE_GAP).fg : faded.fg, faded.bg, faded.attr};
        else if (block)
            c->look =
                (struct look){faded.bg, LOOK_DEFAULT,
                              (uint8_t)((c->look.attr & ATTR_REVERSE) | (dim.attr & ATTR_DIM))};
        else
            c->look = dim;
    }
}

void draw_lane_only(struct app *app, int y,
                    void (*draw)(void *ctx, const struct filter_lanes *only), void *ctx) {
    const struct filter_lanes *only = session_only(&app->timeline);
    bool hides = only && app->timeline.tracks.others == LIST_HIDDEN;
    if (!hides)
        draw(ctx, NULL);
    if (only && !hides)
        draw_lane_fade(&app->grid, app->layout.lane, y);
    if (only)
        draw(ctx, only);
}

struct row_of_lane {
    struct app *app;
    int y;
    struct lane *lane;
    const struct lane_look *look;
};

static void draw_row_of_lane(void *ctx, const struct filter_lanes *only) {
    const struct row_of_lane *r = ctx;
    const struct slice *selected = r->look->selected;
    if (only == NULL) {
        draw_lane(r->app, r->y, r->lane, r->look);
        return;
    }
    struct lane *left = filter_lanes_of(only, r->look->track, r->look->row);
    if (left == NULL)
        return;
    struct lane_look look = *r->look; /* slices have other numbers in it */
    uint32_t chosen = lane_place(left, selected);
    look.selected = chosen == UINT32_MAX ? NULL : lane_at(left, chosen);
    if (look.search && !search_by_name(look.search))
        look.search = NULL;
    draw_lane(r->app, r->y, left, &look);
}

void draw_lane_all(struct app *app, int y, struct lane *lane, const struct lane_look *look) {
    draw_lane(app, y, lane, look);
}

void draw_lane_left(struct app *app, int y, struct lane *lane, const struct lane_look *look) {
    draw_lane_only(app, y, draw_row_of_lane, &(struct row_of_lane){app, y, lane, look});
}
