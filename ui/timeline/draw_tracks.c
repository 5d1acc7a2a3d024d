/* draw_tracks.c - overview, ruler, and the tracks with their gutter. */
#include <ctype.h>
#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include "model/trace/trace_problems.h"
#include "src/base/units.h"
#include "ui/timeline/draw.h"

#define CROWD 512 /* threads of one process that its header adds up */

static void bar(struct app *app, int y) {
    grid_put(&app->grid, app->layout.gutter, y, grid_glyph(&app->grid, GLYPH_BAR), style_look(ROLE_DIM));
}

/* The line where there is nothing; else what stands there, the other way round. */
static void cursor_at(struct app *app, int x, int y) {
    const struct cell *c = grid_at(&app->grid, x, y);
    if (c == NULL)
        return;
    struct look look = style_look(ROLE_CURSOR);
    bool blank = c->cp[0] == ' ' || c->cp[0] == 0;
    if (blank && (c->look.bg != LOOK_DEFAULT || c->look.attr & ATTR_REVERSE))
        look = c->look;
    if (blank) {
        grid_put(&app->grid, x, y, grid_glyph(&app->grid, GLYPH_CURSOR), look);
        return;
    }
    look = c->look;
    look.attr ^= ATTR_REVERSE;
    grid_look(&app->grid, x, y, 1, look);
}

void draw_cursor_mark(struct app *app, int y) {
    int column = window_column(&app->timeline.window, app->timeline.cursor);
    if (column < 0 || column >= app->timeline.window.columns)
        return;
    cursor_at(app, app->layout.lane + column, y);
}

/* ---- overview ---- */

/* How busy the threads are in each column, in eighths of the busiest. While more is read it is not worth asking all of
 * them for a little, and many are asked a part at a time, between pictures: a key shall not wait for all. */
#define OVERVIEW_THREADS 8192

void draw_ask_overview(struct app *app) {
    struct overview *o = &app->timeline.overview;
    int columns = app->timeline.window.columns;
    uint64_t read = reader_offset(trace_reader(app->trace));
    size_t end = trace_thread_count(app->trace);
    bool all = o->columns != columns || trace_state(app->trace) != TRACE_LOADING;
    if (o->columns == columns && o->version == trace_version(app->trace))
        return;
    if (!all && o->next == 0 && read - o->read < o->read / 16)
        return;
    if (all || o->next == 0) {
        o->asking = app->timeline.window;
        window_whole(&o->asking, trace_origin(app->trace), session_end(app), columns);
        memset(o->busy, 0, (size_t)columns * sizeof *o->busy);
        o->next = 0;
        o->read = read;
    }
    if (!all && end - o->next > OVERVIEW_THREADS)
        end = o->next + OVERVIEW_THREADS;
    window_edges(&o->asking, app->timeline.edges);
    for (; o->next < end; o->next++)
        nest_busy_columns(&trace_thread(app->trace, o->next)->nest, app->timeline.edges, columns, o->busy);
    if (o->next < trace_thread_count(app->trace))
        return;
    double most = 0;
    for (int c = 0; c < columns; c++)
        most = o->busy[c] > most ? o->busy[c] : most;
    for (int c = 0; c < columns; c++) {
        int level = most > 0 ? (int)(o->busy[c] / most * 8 + 0.5) : 0;
        o->levels[c] = (unsigned char)(level == 0 && o->busy[c] > 0 ? 1 : level);
    }
    o->window = o->asking;
    o->next = 0;
    o->version = trace_version(app->trace);
    o->columns = columns;
}

/* What is known of a column of the whole trace: it may have grown since. */
static unsigned overview_level(const struct overview *o, const struct window *whole, int c) {
    int k = window_column(&o->window, window_edge(whole, c));
    return k >= 0 && k < o->columns ? o->levels[k] : 0;
}

static void loss(struct app *app, const struct window *whole, int y, int64_t time) {
    int c = window_column(whole, time);
    if (c >= 0 && c < whole->columns)
        grid_put(&app->grid, app->layout.lane + c, y, grid_glyph(&app->grid, GLYPH_WARN), style_look(ROLE_WARN));
}

/* Where records were lost, by the writer or by damage. */
static void overview_losses(struct app *app, const struct window *whole, int y) {
    size_t n;
    const struct lost *lost = trace_lost(app->trace, &n);
    for (size_t i = 0; i < n && i < PROBLEM_KEPT; i++)
        if (lost[i].has_time)
            loss(app, whole, y, lost[i].time);
    const struct problems *problems = trace_damage(app->trace);
    for (int kind = PROBLEM_ZERO_SIZE; kind <= PROBLEM_TRUNCATED_RECORD; kind++)
        for (size_t i = 0; i < problem_case_count(&problems->kinds[kind]); i++)
            loss(app, whole, y, problem_case(&problems->kinds[kind], i)->time);
}

void draw_overview(struct app *app) {
    struct grid *g = &app->grid;
    int y = app->layout.overview, x = app->layout.lane, columns = app->timeline.window.columns;
    if (y < 0)
        return;
    struct window whole = app->timeline.window;
    window_whole(&whole, trace_origin(app->trace), session_end(app), columns);
    if (app->timeline.overview.columns != columns || trace_state(app->trace) != TRACE_LOADING)
        draw_ask_overview(app);
    grid_ztext(g, 0, y, app->layout.gutter, "overview", style_look(ROLE_DIM));
    bar(app, y);
    int from = window_column(&whole, app->timeline.window.from);
    int to = window_column(&whole, window_edge(&app->timeline.window, columns - 1));
    from = from < 0 ? 0 : from >= columns ? columns - 1 : from;
    to = to < from ? from : to >= columns ? columns - 1 : to;
    bool all = from == 0 && to == columns - 1;
    for (int c = 0; c < columns; c++) {
        bool inside = !all && c >= from && c <= to;
        grid_put(g, x + c, y, grid_level(g, overview_level(&app->timeline.overview, &whole, c)),
                 style_look(inside ? ROLE_OVERVIEW_WINDOW : ROLE_OVERVIEW));
    }
    if (style_depth() == COLOR_MONO && !all) {
        if (from > 0)
            grid_put(g, x + from - 1, y, '[', style_look(ROLE_OVERVIEW_WINDOW));
        if (to + 1 < columns)
            grid_put(g, x + to + 1, y, ']', style_look(ROLE_OVERVIEW_WINDOW));
    }
    overview_losses(app, &whole, y);
    int cursor = window_column(&whole, app->timeline.cursor);
    if (cursor >= 0 && cursor < columns)
        cursor_at(app, x + cursor, y);
    if (app->layout.hits < 0 || app->find.search == NULL)
        return;
    window_edges(&whole, app->timeline.edges);
    unsigned char *flags = err_calloc((size_t)columns, 1);
    search_columns(app->find.search, app->timeline.edges, columns, flags);
    y = app->layout.hits;
    int end = grid_text(g, 0, y, app->layout.gutter, STR("/"), style_look(ROLE_HIT), 0, false);
    grid_text(g, end, y, app->layout.gutter, str_of(search_pattern(app->find.search)), style_look(ROLE_HIT),
              TEXT_TRACK | (g->ascii ? TEXT_ASCII : 0), true);
    bar(app, y);
    for (int c = 0; c < columns; c++)
        if (flags[c])
            grid_put(g, x + c, y, grid_glyph(g, GLYPH_CURSOR), style_look(ROLE_HIT));
    free(flags);
}

/* ---- ruler ---- */

/* "+3.412 s" once at the left, then offsets from it at steps of 1, 2, 5. */
void draw_ruler(struct app *app) {
    struct grid *g = &app->grid;
    int y = app->layout.ruler, columns = app->timeline.window.columns;
    if (y < 0)
        return;
    bar(app, y);
    int64_t step = units_step((int64_t)(app->timeline.window.width / columns) * 9 + 1);
    int64_t origin = trace_origin(app->trace), from = app->timeline.window.from;
    uint64_t since = (uint64_t)from - (uint64_t)origin;
    bool before = from < origin;
    /* the base: the last tick at or before the window's start; ticks count from the origin */
    int64_t base = before ? origin : origin + (int64_t)(since - since % (uint64_t)step);
    char text[48];
    int resolution_width = app->layout.gutter - 1;
    session_point(app, base, step, text);
    grid_ztext(g, 0, y, resolution_width, text, style_look(ROLE_RULER));
    int64_t end = window_edge(&app->timeline.window, columns);
    int free_from = 0;
    for (int64_t t = base; t < end; t += step) {
        int c = window_column(&app->timeline.window, t);
        if (t >= from && c >= free_from && c < columns) {
            char offset[32];
            units_duration_short(t - base, g->ascii, offset);
            if (t == base)
                snprintf(offset, sizeof offset, "0");
            int x = app->layout.lane + c;
            grid_put(g, x, y, grid_glyph(g, GLYPH_TICK), style_look(ROLE_RULER));
            if (c + 1 + (int)strlen(offset) <= columns) {
                size_t n = 0; /* "5ms": no blank between number and unit saves a column */
                char packed[36];
                for (const char *p = offset; *p; p++)
                    if (*p != ' ')
                        packed[n++] = *p;
                packed[n] = 0;
                free_from = grid_ztext(g, x + 1, y, app->layout.lane + columns, packed, style_look(ROLE_RULER)) -
                            app->layout.lane + 1;
            }
        }
        if (t > INT64_MAX - step)
            break;
    }
    draw_cursor_mark(app, y);
}

/* ---- tracks ---- */

static unsigned text_flags(const struct app *app) {
    return TEXT_TRACK | (app->grid.ascii ? TEXT_ASCII : 0);
}

#define NAME_CELLS 5 /* of a name that its id leaves at least */
#define ID_CELLS 4   /* the end of an id, which tells it from others */

void draw_gutter(struct app *app, int y, int x, struct str name, const char *id, struct look look) {
    char end[48];
    int right = app->layout.gutter, n = (int)strlen(id), room = right - x - 1;
    int short_name = name.n < NAME_CELLS ? (int)name.n : NAME_CELLS;
    bool number = strspn(id, "0123456789") == strlen(id);
    if (number && n > room - short_name && room - short_name > ID_CELLS) {
        snprintf(end, sizeof end, "~%s", id + n - (room - short_name - 1));
        id = end;
        n = room - short_name;
    } else if (n > room - (number ? short_name : NAME_CELLS + 1)) {
        n = 0;
    }
    size_t digits = 0; /* "process 98765432109": the end of what stands for a name, too */
    while (digits < name.n && isdigit((unsigned char)name.s[name.n - 1 - digits]))
        digits++;
    int word = (int)(name.n - digits);
    if (n == 0 && digits > 0 && (int)name.n > room + 1 && room - word > ID_CELLS) {
        snprintf(end, sizeof end, "%.*s~%.*s", word, name.s, room - word, name.s + name.n - (size_t)(room - word));
        name = str_of(end);
    }
    grid_text(&app->grid, x, y, n > 0 ? right - n - 1 : right, name, look, text_flags(app), true);
    if (n > 0)
        grid_ztext(&app->grid, right - n, y, right, id, style_look(ROLE_DIM));
}

static void process_density(struct app *app, int y, const struct process *p) {
    int columns = app->timeline.window.columns;
    double *busy = err_calloc((size_t)columns, sizeof *busy);
    size_t threads = 0, n;
    const uint32_t *numbers = trace_process_threads(p, &n);
    for (size_t i = 0; i < n && threads < CROWD; i++) {
        struct thread *t = trace_thread(app->trace, numbers[i]);
        if (nest_rows(&t->nest) == 0)
            continue;
        threads++;
        if (t->last < app->timeline.edges[0] || t->first > app->timeline.edges[columns])
            continue;
        nest_busy_columns(&t->nest, app->timeline.edges, columns, busy);
    }
    for (int c = 0; c < columns && threads > 0; c++) {
        int level = (int)(busy[c] / (double)threads * 8 + 0.5);
        if (busy[c] > 0)
            grid_put(&app->grid, app->layout.lane + c, y, grid_level(&app->grid, level < 1 ? 1 : level),
                     style_look(ROLE_DENSITY));
    }
    free(busy);
}

static void header(struct app *app, int y, const struct track *track, bool current, struct str name, const char *id) {
    struct look look = style_look(current ? ROLE_GUTTER_CURRENT : ROLE_HEADER);
    bool folded = track_list_folded(&app->timeline.tracks, track->process);
    grid_put(&app->grid, 0, y, grid_glyph(&app->grid, folded ? GLYPH_OPEN : GLYPH_CLOSED), look);
    grid_put(&app->grid, 1, y, current ? '>' : ' ', look);
    draw_gutter(app, y, 2, name, id, look);
}

static void draw_process(struct app *app, int y, const struct track *track, bool current) {
    char buf[96], id[24] = "";
    struct str name = track_list_name(app->trace, track, buf);
    const struct process *p = track->process == NO_PROCESS ? NULL : trace_process(app->trace, track->process);
    if (p && name.s != buf)
        snprintf(id, sizeof id, "%" PRIu64, p->pid);
    header(app, y, track, current, name, id);
    if (p)
        process_density(app, y, p);
}

/* How much of a window CPUs were busy, in percent. */
static int percent(int64_t busy, int64_t of) {
    return of > 0 ? (int)((double)busy / (double)of * 100 + 0.5) : 0;
}

static void draw_cpus(struct app *app, int y, const struct track *track, bool current) {
    const struct sched *sched = trace_sched(app->trace);
    int columns = app->timeline.window.columns;
    double *busy = err_calloc((size_t)columns, sizeof *busy), all = 0;
    char id[24];
    for (size_t i = 0; i < sched_cpu_count(sched) && i < CROWD; i++)
        lane_busy_columns(sched_busy(sched_cpu(sched, i)), app->timeline.edges, columns, busy);
    size_t n = sched_cpu_count(sched) < CROWD ? sched_cpu_count(sched) : CROWD;
    for (int c = 0; c < columns; c++) {
        int level = (int)(busy[c] / (double)n * 8 + 0.5);
        all += busy[c];
        if (busy[c] > 0)
            grid_put(&app->grid, app->layout.lane + c, y, grid_level(&app->grid, level < 1 ? 1 : level),
                     style_look(ROLE_DENSITY));
    }
    snprintf(id, sizeof id, "%d%%", (int)(all / (double)n / columns * 100 + 0.5));
    header(app, y, track, current, STR("CPUs"), id);
    free(busy);
}

static void draw_cpu(struct app *app, int y, const struct track *track, struct look look) {
    struct sched_cpu *cpu = sched_cpu(trace_sched(app->trace), track->of);
    char buf[96], id[24];
    int64_t from = app->timeline.window.from, to = window_edge(&app->timeline.window, app->timeline.window.columns);
    if (to > trace_end(app->trace))
        to = trace_end(app->trace);
    snprintf(id, sizeof id, "%d%%", percent(lane_busy(sched_busy(cpu), from, to), to - from));
    draw_gutter(app, y, 1, track_list_name(app->trace, track, buf), id, look);
    draw_run(app, y, cpu);
}

static void deeper(struct app *app, int y, const struct track *track) {
    char text[24];
    int n = snprintf(text, sizeof text, "+%u deeper", track->deeper);
    if (n > app->layout.gutter - 2)
        text[strcspn(text, " ")] = 0;
    grid_ztext(&app->grid, 2, y, app->layout.gutter, text, style_look(ROLE_DIM));
}

static void draw_thread(struct app *app, int y, const struct track *track, uint32_t row, struct look look) {
    struct thread *t = trace_thread(app->trace, track->of);
    char buf[40], id[40] = "";
    bool named;
    if (row == 0) {
        struct str name = trace_thread_name(app->trace, t, buf, &named);
        int n = named ? snprintf(id, sizeof id, "%" PRIu64, t->id.tid) : 0;
        if (track->height == 1 && track->deeper > 0)
            snprintf(id + n, sizeof id - (size_t)n, "%s+%u", n > 0 ? " " : "", track->deeper);
        draw_gutter(app, y, 1, name, id, look);
    } else if (row + 1 == track->height && track->deeper > 0) {
        deeper(app, y, track);
    }
}

static void draw_async(struct app *app, int y, const struct track *track, uint32_t row, struct look look) {
    const struct async_group *g = async_group(trace_async(app->trace), track->of);
    char buf[96], id[40], count[32];
    if (row == 0) {
        snprintf(id, sizeof id, "async %s", units_count(g->ops, true, count));
        if (app->layout.gutter < 20)
            snprintf(id, sizeof id, "~%s", count);
        if (track->height == 1 && track->deeper > 0)
            snprintf(id, sizeof id, "+%u", track->deeper);
        draw_gutter(app, y, 1, track_list_name(app->trace, track, buf), id, look);
    } else if (row + 1 == track->height && track->deeper > 0) {
        deeper(app, y, track);
    }
}

static void draw_ticks(struct app *app, int y, const struct track_line *line, struct look look) {
    char id[48], count[32], buf[96];
    size_t from = track_line_from(app->trace, line, app->timeline.edges[0], 0),
           to = track_line_from(app->trace, line, app->timeline.edges[app->timeline.window.columns], 0);
    snprintf(id, sizeof id, "%s in view", units_count(to - from, true, count));
    draw_gutter(app, y, 1, track_list_name(app->trace, line->track, buf), id, look);
}

static void draw_line(struct app *app, int y, uint64_t at, const struct track *track) {
    uint32_t row = (uint32_t)(at - track->top);
    bool current = at == app->timeline.line;
    struct look look = style_look(current ? ROLE_GUTTER_CURRENT : ROLE_GUTTER);
    struct track_line line;
    track_line_of(app->trace, track, row, &line);
    memset(app->timeline.dense, 0, (size_t)app->timeline.window.columns);
    if (row > 0)
        draw_losses(app, y, track); /* events stand over it ... */
    if (track->kind != TRACK_PROCESS && track->kind != TRACK_CPUS)
        grid_put(&app->grid, 0, y, current ? '>' : track->pinned && row == 0 ? '^' : ' ', look);
    switch ((enum track_kind)track->kind) {
    case TRACK_PROCESS:
        draw_process(app, y, track, current);
        break;
    case TRACK_CPUS:
        draw_cpus(app, y, track, current);
        break;
    case TRACK_THREAD:
        draw_thread(app, y, track, row, look);
        break;
    case TRACK_ASYNC:
        draw_async(app, y, track, row, look);
        break;
    case TRACK_CPU:
        draw_cpu(app, y, track, look);
        break;
    case TRACK_COUNTER:
        draw_curve(app, y, track, (int)row);
        break;
    case TRACK_LOG:
    case TRACK_PROFILE:
        draw_ticks(app, y, &line, look);
        break;
    default:
        grid_printf(&app->grid, 1, y, app->layout.gutter, style_look(ROLE_DIM), "%u without slices", track->of);
        break;
    }
    if (line.slices == SELECTION_STATE) {
        draw_states(app, y, sched_thread(trace_sched(app->trace), track->of));
    } else if (line.lane && line.slices != SELECTION_RUN) {
        const struct lane_look lane = {app->trace, app->find.search, session_slice(app), NULL};
        draw_lane(app, y, line.lane, &lane);
    }
    if (line.moments != SELECTION_NONE && line.moments != SELECTION_SAMPLE)
        draw_instants(app, y, &line);
    if (track->kind == TRACK_THREAD && row == track->strip)
        draw_profile(app, y, track->of);
    if (row == 0) /* ... but here: a loss is at the time of one, which would hide it */
        draw_losses(app, y, track);
    if (current)
        draw_cursor_mark(app, y);
}

/* What the filter says of a line where all stand. */
static void draw_filtered(struct app *app, int y, uint64_t at, const struct track *track) {
    bool matches = track_list_matches(&app->timeline.tracks, app->trace, track),
         dim = app->timeline.tracks.others == TRACK_LIST_DIMMED;
    if (dim && !matches)
        grid_look(&app->grid, 0, y, app->grid.cols, style_look(ROLE_DIM));
    else if (!dim && matches && at == track->top)
        grid_look(&app->grid, 1, y, app->layout.gutter - 1, style_look(ROLE_HIT));
}

void draw_tracks(struct app *app) {
    int pinned = session_pinned_rows(app);
    window_edges(&app->timeline.window, app->timeline.edges);
    draw_instants_begin(app);
    for (int r = 0; r < app->layout.track_rows; r++) {
        int y = app->layout.tracks + r;
        uint64_t at = session_line_at(app, y);
        if (pinned > 0 && r == pinned) {
            grid_fill(&app->grid, 0, y, app->grid.cols, grid_glyph(&app->grid, GLYPH_RULE), style_look(ROLE_DIM));
            continue;
        }
        bar(app, y);
        const struct track *track = track_list_at(&app->timeline.tracks, at);
        if (track)
            draw_line(app, y, at, track);
        if (track && app->timeline.filter && app->timeline.tracks.others != TRACK_LIST_HIDDEN)
            draw_filtered(app, y, at, track);
    }
    if (app->timeline.tracks.lines == 0 && app->layout.track_rows > 0)
        grid_ztext(&app->grid, app->layout.lane + 1, app->layout.tracks, app->grid.cols,
                   trace_state(app->trace) != TRACE_COMPLETE ? "nothing loaded yet"
                   : app->timeline.tracks.match              ? "no track matches the filter: & with an empty text shows all"
                   : app->timeline.tracks.kinds != TRACK_LIST_ALL
                       ? "no such tracks in this trace: 1 shows the timeline"
                       : "no slices or instants in this trace: I shows what it contains",
                   style_look(ROLE_DIM));
}
