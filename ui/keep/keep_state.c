/* keep_state.c - writes and runs the lines of a state.
 *
 * Each part has a word, and a function that puts it back. The order of the lines matters: parts
 * that list tracks come first, then those that hide them, and the place last, because all before
 * may move it. */
#include "ui/keep/keep_state.h"

#include <inttypes.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "src/base/text.h"
#include "src/base/units.h"
#include "src/io/quote.h"
#include "ui/command.h"
#include "ui/keep/track_spec.h"
#include "ui/screen/style.h"
#include "ui/timeline/colors.h"
#include "ui/timeline/kinds/curve.h"
#include "ui/timeline/move.h"
#include "ui/timeline/range/ranges.h"
#include "ui/timeline/track_hand.h"
#include "ui/timeline/track_ops.h"
#include "ui/timeline/tracks.h"
#include "ui/views/view_place.h"

#define MOST 200 /* lines of one part: folds, depths, tags */

static const char *const orders[ORDERS] = {"interest", "start", "name", "cpu", "covered", "file"};
static const char *const others[] = {
    [LIST_HIDDEN] = "hidden", [LIST_DIMMED] = "dimmed", [LIST_PLAIN] = "marked"};
static const char *const formats[TIME_FORMATS] = {"relative", "wall", "clock"};

static const struct {
    const struct view_ops *ops;
    const char *command;
} views[] = {
#define VIEW(ops, command, ...) {&ops, command},
#define SUBVIEW(ops)
#include "ui/views/view_list.h"
#undef VIEW
#undef SUBVIEW
};
#define VIEWS (sizeof views / sizeof *views)

/* ---- putting back ---- */

static void not_found(struct app *app, const char *what, const char *text) {
    char safe[80];
    text_plain(safe, sizeof safe, str_of(text), app->grid.ascii ? TEXT_ASCII : 0);
    session_say(app, true, "%s: %s", what, safe);
}

static bool find_track(struct app *app, const char *text, struct track *track) {
    if (track_spec_find(app->trace, text, track))
        return true;
    not_found(app, "no such track", text);
    return false;
}

static void put_time(struct app *app, const char *text, void (*use)(struct app *app, int64_t t)) {
    int64_t t;
    if (!session_time(app, text, &t))
        not_found(app, "not a time", text);
    else if (t > session_end(app->trace, &app->timeline, &app->reload))
        not_found(app, "after the end of the trace", text);
    else
        use(app, t);
}

static void use_cursor(struct app *app, int64_t t) {
    app->timeline.cursor = t;
}

static void put_cursor(struct app *app, const char *text) {
    put_time(app, text, use_cursor);
}

/* The event of a line that begins at a time; false: there is none. */
static bool event_of(struct app *app, uint64_t at, int64_t t, struct selection *selection) {
    struct track_line line;
    if (!track_line_at(app->trace, &app->timeline.tracks, at, &line))
        return false;
    uint32_t i = line.lane && line.slices ? lane_before(line.lane, t) : UINT32_MAX;
    if (i != UINT32_MAX && lane_start(line.lane, i) == t) {
        *selection = track_line_slice(&line, i);
        return true;
    }
    size_t n = track_line_moments(app->trace, &line), k = track_line_from(app->trace, &line, t, 0);
    for (; k < n && track_line_moment(app->trace, &line, k).time == t; k++)
        if (track_line_holds(app->trace, &line, k)) {
            *selection = track_line_selection(app->trace, &line, k);
            return true;
        }
    return false;
}

static bool gap_of(struct app *app, uint64_t at, int64_t t, struct selection *selection) {
    struct track_line line;
    if (!track_line_at(app->trace, &app->timeline.tracks, at, &line))
        return false;
    *selection = track_line_gap(&line, t);
    return selection_any(selection) && selection->time == t;
}

/* "3 1200000ns thread 1100/1101": the event on line 3 of the track that begins then; "gap": what
 * the gaps of line 0 show then. */
static void put_select(struct app *app, const char *text) {
    bool gap = strncmp(text, "gap ", 4) == 0;
    char *end, when[32];
    unsigned long row = gap ? 0 : strtoul(text, &end, 10);
    if (gap)
        end = (char *)text + 3;
    size_t n = *end == ' ' ? strcspn(end + 1, " ") : 0;
    struct selection selection;
    struct track track;
    uint64_t line;
    int64_t t;
    if (n == 0 || n >= sizeof when || end[1 + n] != ' ') {
        not_found(app, "no line, time and track", text);
        return;
    }
    snprintf(when, sizeof when, "%.*s", (int)n, end + 1);
    if (!session_time(app, when, &t)) {
        not_found(app, "not a time", when);
        return;
    }
    if (!find_track(app, end + n + 2, &track))
        return;
    bool shown = track_list_find(&app->timeline.tracks, track.kind, track.of, 0, &line);
    const struct track *at = shown ? track_list_at(&app->timeline.tracks, line) : NULL;
    if (at && row >= at->height && row - at->height < at->deeper) { /* it is hidden */
        move_show_row(app->trace, &app->timeline, track.kind, track.of, (uint32_t)row - at->strip);
        shown = track_list_find(&app->timeline.tracks, track.kind, track.of, 0, &line);
        at = shown ? track_list_at(&app->timeline.tracks, line) : NULL;
    }
    if (at && gap && gap_of(app, at->top, t, &selection))
        move_select(app, selection);
    else if (at && !gap && row < at->height && event_of(app, at->top + row, t, &selection))
        move_select(app, selection);
    else
        not_found(app, "no such event", text);
}

/* The window that shows as much as there is, by enum shown. */
static const char *const wholes[] = {"whole", "span", "all"};

static void put_window(struct app *app, const char *text) {
    struct range range = {0};
    struct err err;
    for (enum shown shown = SHOWN_WINDOW; shown <= SHOWN_ALL; shown++)
        if (strcmp(text, wholes[shown]) == 0) {
            move_show_whole(app, shown);
            app->timeline.window_mode = WINDOW_WHOLE;
            return;
        }
    if (!session_typed_range(app, text, &range, &err)) {
        session_say(app, true, "%s", err.text);
        return;
    }
    app->timeline.window_mode = WINDOW_PLACED;
    window_set(&app->timeline.window, range.from, units_since(range.from, range.to));
}

/* "3 8 thread 1100/1101": row 3 of the track, 8 lines below the top. "0 8 #34": line 34, of a track
 * without a text. */
static bool find_line(const struct track_list *list, const struct track *track, uint64_t *line) {
    return track->kind->header ? track_list_find_header(list, track->process, line)
                               : track_list_find(list, track->kind, track->of, 0, line);
}

static void put_line(struct app *app, const char *text) {
    char *end;
    unsigned long row = strtoul(text, &end, 10), above = strtoul(end, &end, 10);
    struct timeline *timeline = &app->timeline;
    struct track track;
    uint64_t line;
    if (strncmp(end, " #", 2) == 0) {
        line = strtoul(end + 2, NULL, 10);
        timeline->line = line < timeline->tracks.lines ? line : 0;
        timeline->top = timeline->line > above ? timeline->line - above : 0;
        return;
    }
    if (*end != ' ' || !find_track(app, end + 1, &track)) {
        not_found(app, "no row, line and track", text);
        return;
    }
    bool found = find_line(&timeline->tracks, &track, &line);
    if (!found && track_list_open(&timeline->tracks, track.process)) { /* it is quiet */
        tracks_update(app->trace, timeline);
        found = find_line(&timeline->tracks, &track, &line);
    }
    if (!found) {
        not_found(app, "not shown", end + 1);
        return;
    }
    const struct track *shown = track_list_at(&timeline->tracks, line);
    timeline->line = shown && row < shown->height ? shown->top + row : line;
    timeline->top = timeline->line > above ? timeline->line - above : 0;
}

static void put_fold(struct app *app, const char *text, bool folded) {
    struct track track;
    if (!find_track(app, text, &track))
        return;
    track_list_fold(&app->timeline.tracks, track.process, folded);
    tracks_update(app->trace, &app->timeline);
}

static void put_folded(struct app *app, const char *text) {
    put_fold(app, text, true);
}

static void put_unfolded(struct app *app, const char *text) {
    put_fold(app, text, false);
}

static void put_rows(struct app *app, const char *text) {
    char *end;
    unsigned long rows = strtoul(text, &end, 10);
    struct track track;
    uint32_t depth = rows < UINT32_MAX ? (uint32_t)rows : UINT32_MAX;
    if (strcmp(end, " all") == 0) {
        track_list_set_depth_of_all(&app->timeline.tracks, depth);
    } else if (*end != ' ' || !find_track(app, end + 1, &track)) {
        not_found(app, "no number and track", text);
        return;
    } else {
        track_list_set_depth(&app->timeline.tracks, track.kind, track.of, depth);
    }
    tracks_update(app->trace, &app->timeline);
}

/* "zero rate apart counter 1100 fps" */
static void put_curve(struct app *app, const char *text) {
    struct track track;
    const char *spec = strstr(text, " counter ");
    if (spec == NULL || !find_track(app, spec + 1, &track))
        not_found(app, "no such counter", text);
    else if (!curve_put_settings(app, track.of, text))
        not_found(app, "no scale, values and stack", text);
    tracks_update(app->trace, &app->timeline);
}

/* "thread 1100/1101 before thread 1100/1102" */
static void put_move(struct app *app, const char *text) {
    const char *word = strstr(text, " before ");
    struct track item, before;
    char first[80];
    if (word == NULL || (size_t)(word - text) >= sizeof first) {
        not_found(app, "no two tracks", text);
        return;
    }
    snprintf(first, sizeof first, "%.*s", (int)(word - text), text);
    if (!find_track(app, first, &item) || !find_track(app, word + 8, &before))
        return;
    if (item.kind->thread && before.kind->thread)
        item.process = before.process = trace_thread(app->trace, item.of)->process;
    if (!track_hand_put(app, &item, &before))
        not_found(app, "cannot be moved", text);
}

static void put_pin(struct app *app, const char *text) {
    struct track_list *list = &app->timeline.tracks;
    struct track track;
    if (!find_track(app, text, &track) || track.kind->count == NULL)
        return;
    if (track_list_is_pinned(list, track.kind, track.of))
        return;
    track_list_pin(list, track.kind, track.of);
    tracks_update(app->trace, &app->timeline);
}

static void put_tag(struct app *app, const char *text) {
    struct track track;
    if (find_track(app, text, &track))
        ranges_tag_track(app, &track);
}

/* The place of a word in a list; -1, with a message: it is not there. */
static int word_of(struct app *app, const char *text, const char *const *words, int n) {
    for (int i = 0; i < n; i++)
        if (strcmp(words[i], text) == 0)
            return i;
    not_found(app, "no such word", text);
    return -1;
}

const char *keep_state_order(const struct app *app) {
    return orders[app->timeline.tracks.order];
}

const char *keep_state_times(const struct app *app) {
    return formats[app->timeline.time_format];
}

static void put_order(struct app *app, const char *text) {
    int order = word_of(app, text, orders, ORDERS);
    if (order < 0)
        return;
    app->timeline.tracks.order = (enum track_order)order;
    tracks_update(app->trace, &app->timeline);
}

static void put_others(struct app *app, const char *text) {
    int mode = word_of(app, text, others, LIST_PLAIN + 1);
    if (mode < 0)
        return;
    app->timeline.tracks.others = (enum track_list_others)mode;
    tracks_update(app->trace, &app->timeline);
}

static void put_times(struct app *app, const char *text) {
    int format = word_of(app, text, formats, TIME_FORMATS);
    if (format >= 0)
        app->timeline.time_format = (enum time_format)format;
}

/* "2 12 focus": the tab by its place, the height of the drawer that the user chose, and whether
 * keys are the drawer's; "-": closed. */
static void put_drawer(struct app *app, const char *text) {
    char *end;
    unsigned long tab = strtoul(text, &end, 10), rows = strtoul(end, &end, 10);
    app->drawer.open = *text != '-';
    app->drawer.focus = app->drawer.open && strcmp(end, " focus") == 0;
    if (*text != '-' && tab < DRAWER_TABS)
        app->drawer.tab = (enum drawer_tab)tab;
    app->drawer.rows = rows < 1000 ? (int)rows : 0;
    session_layout(app);
}

/* "3 9f3a12bc": the colour of the name with that hash. */
static void put_color(struct app *app, const char *text) {
    char *end;
    unsigned long i = strtoul(text, &end, 10), hash = strtoul(end, NULL, 16);
    if (*end == ' ' && i < STYLE_SERIES && hash <= UINT32_MAX)
        style_keep((uint32_t)i, (uint32_t)hash);
    else
        not_found(app, "no colour and name", text);
    app->dirty = true;
}

/* The place in the current view. */
static void put_in(struct app *app, const char *text) {
    view_place_put(app, text);
}

/* Offsets and hosts are taken before a set is opened (keep_set.h). */
static void put_taken(struct app *app, const char *text) {
    if (trace_files(app->trace) == 1)
        not_found(app, "of several traces", text);
}

static const struct {
    const char *word;
    void (*put)(struct app *app, const char *text);
    unsigned part; /* enum keep_parts */
} places[] = {
    {"order", put_order, KEEP_ORDER},     {"fold", put_folded, KEEP_ORDER},
    {"unfold", put_unfolded, KEEP_ORDER}, {"rows", put_rows, KEEP_ORDER},
    {"curve", put_curve, KEEP_ORDER},     {"move", put_move, KEEP_ORDER},
    {"pin", put_pin, KEEP_MARKS},         {"others", put_others, KEEP_MARKS},
    {"tag", put_tag, KEEP_MARKS},         {"times", put_times, KEEP_PLACE},
    {"cursor", put_cursor, KEEP_PLACE},   {"line", put_line, KEEP_PLACE},
    {"select", put_select, KEEP_PLACE},   {"window", put_window, KEEP_PLACE},
    {"drawer", put_drawer, KEEP_PLACE},   {"in", put_in, KEEP_PLACE},
    {"color", put_color, KEEP_PLACE},     {"offset", put_taken, KEEP_MARKS},
    {"hosts", put_taken, KEEP_MARKS},
};
#define PLACES (sizeof places / sizeof *places)

/* The row of the first word of a text; *rest: the text after it. PLACES: none. */
static size_t place_of(const char *text, const char **rest) {
    size_t n = strcspn(text, " "), k = 0;
    while (k < PLACES && (strlen(places[k].word) != n || memcmp(places[k].word, text, n) != 0))
        k++;
    *rest = text + n + strspn(text + n, " ");
    return k;
}

/* A line that quote_line() spelled: what cannot be typed is in it. */
static void run_escaped(struct app *app, const char *rest) {
    struct chars whole = {0};
    chars_text(&whole, QUOTE_LINE);
    chars_add(&whole, (struct str){rest, strlen(rest) + 1});
    char *line = quote_line_read(whole.v);
    if (line && strncmp(line, QUOTE_LINE, strlen(QUOTE_LINE)) != 0)
        command_line(app, line);
    else
        not_found(app, "not a line with %NN", rest);
    free(line);
    vec_free(&whole);
}

void keep_state_place(struct app *app, const char *text) {
    const char *rest;
    if (strncmp(text, "escaped ", 8) == 0) {
        run_escaped(app, text + 8);
        return;
    }
    size_t k = place_of(text, &rest);
    if (k == PLACES)
        not_found(app, "no such part of a session", text);
    else
        places[k].put(app, rest);
}

/* The parts that a line belongs to; 0: it is no line of a state. */
static unsigned part_of(const char *line) {
    static const char *const marks[] = {"filter", "only", "range",   "range-keep",
                                        "mark",   "note", "as-track"};
    size_t n = strcspn(line, " ");
    const char *rest;
    if (n == 5 && memcmp(line, "place", 5) == 0) {
        size_t k = place_of(line + 5 + strspn(line + 5, " "), &rest);
        if (k == PLACES)
            return 0;
        /* notes are at the cursor */
        return places[k].put == put_cursor ? KEEP_MARKS | KEEP_PLACE : places[k].part;
    }
    for (size_t i = 0; i < sizeof marks / sizeof *marks; i++)
        if (strlen(marks[i]) == n && memcmp(marks[i], line, n) == 0)
            return KEEP_MARKS;
    for (size_t i = 0; i < VIEWS; i++)
        if (strlen(views[i].command) == n && memcmp(views[i].command, line, n) == 0 && line[n] == 0)
            return KEEP_PLACE;
    if (strncmp(line, "compare ", 8) == 0 || strncmp(line, "color ", 6) == 0 ||
        strncmp(line, "sql ", 4) == 0 || strcmp(line, "tables") == 0)
        return KEEP_PLACE;
    return 0;
}

/* Runs a line if it is of these parts. False: it is no line of a state, or did not find what it
 * names. */
static bool run_line(struct app *app, const char *written, unsigned parts) {
    char *line = quote_line_read(written);
    unsigned part = line ? part_of(line) : 0;
    app->message.text[0] = 0;
    app->message.is_error = false;
    if (part & parts)
        command_line(app, line);
    /* Nothing to show is an error for a person, not here. */
    bool hides_all = line && strncmp(line, "only ", 5) == 0 && app->timeline.only;
    free(line);
    return part != 0 && (!app->message.is_error || hides_all);
}

unsigned keep_state_run(struct app *app, const char *lines, unsigned parts, char first[80]) {
    enum time_format format = app->timeline.time_format;
    int64_t cursor = app->timeline.cursor;
    struct chars line = {0};
    unsigned missed = 0;
    app->timeline.time_format = TIME_RELATIVE;
    for (const char *s = lines; *s;) {
        size_t n = strcspn(s, "\n");
        line.n = 0;
        chars_add(&line, (struct str){s, n});
        chars_add(&line, (struct str){"", 1});
        s += n + (s[n] == '\n');
        if (*line.v != '#' && *line.v != 0 && !run_line(app, line.v, parts) && missed++ == 0)
            text_plain(first, 80, (struct str){line.v, n}, app->grid.ascii ? TEXT_ASCII : 0);
    }
    if (!(parts & KEEP_PLACE)) {
        app->timeline.time_format = format;
        app->timeline.cursor = cursor;
    }
    vec_free(&line);
    app->message.text[0] = 0;
    app->dirty = true;
    return missed;
}

/* ---- writing ---- */

static void add(struct chars *out, const char *fmt, ...) __attribute__((format(printf, 2, 3)));

static void add(struct chars *out, const char *fmt, ...) {
    char buf[160];
    va_list ap;
    va_start(ap, fmt);
    vsnprintf(buf, sizeof buf, fmt, ap);
    va_end(ap);
    chars_add(out, str_of(buf));
}

/* ns from the begin of the trace; earlier times cannot be typed. */
static uint64_t since_begin(const struct app *app, int64_t t) {
    int64_t begin = trace_begin(app->trace);
    return t > begin ? (uint64_t)t - (uint64_t)begin : 0;
}

static void add_range(struct app *app, const struct range *range, struct chars *out) {
    if (range->timed && since_begin(app, range->from) < since_begin(app, range->to))
        add(out, "range %" PRIu64 "ns..%" PRIu64 "ns\n", since_begin(app, range->from),
            since_begin(app, range->to));
}

/* "place WORD SPEC"; nothing if the track has no text. */
static void add_track(struct app *app, struct chars *out, const char *words,
                      const struct track *track) {
    size_t before = out->n;
    chars_add(out, str_of(words));
    if (track_spec_write(app->trace, track->kind, track->of, track->process, out))
        chars_add(out, STR("\n"));
    else
        out->n = before;
}

static void write_color_key(const struct app *app, bool whole, struct chars *out) {
    char buf[COLORS_ARGUMENT + 8];
    if (whole || app->timeline.colors.by != GROUP_BY_NAME)
        view_place_command(out, "color", str_of(colors_key(&app->timeline, buf)));
}

static void write_colors(struct chars *out) {
    uint32_t hash;
    for (uint32_t i = 0; i < style_hues(); i++)
        if (style_ranked(i, &hash))
            add(out, "place color %" PRIu32 " %08" PRIx32 "\n", i, hash);
}

static void write_order(struct app *app, bool whole, struct chars *out) {
    struct track_list *list = &app->timeline.tracks;
    unsigned lines = 0;
    char words[48];
    if (whole || list->order != ORDER_BY_INTEREST)
        add(out, "place order %s\n", keep_state_order(app));
    for (uint32_t p = 0; p < trace_process_count(app->trace) && lines < MOST; p++) {
        struct track track = {.kind = &track_process, .process = p};
        if (!track_list_wished(list, p))
            continue;
        add_track(app, out, track_list_folded(list, p) ? "place fold " : "place unfold ", &track);
        lines++;
    }
    if (track_list_wished(list, NO_PROCESS))
        add(out, "place %s process -\n", track_list_folded(list, NO_PROCESS) ? "fold" : "unfold");
    if (track_list_wished(list, LIST_CPUS))
        add(out, "place %s cpus\n", track_list_folded(list, LIST_CPUS) ? "fold" : "unfold");
    for (uint32_t i = 0; i < trace_hosts(app->trace) && i < LIST_HOSTS; i++) {
        struct track track = {.kind = &track_trace, .of = i, .process = track_known_host(i)};
        if (track_list_wished(list, track.process))
            add_track(app, out,
                      track_list_folded(list, track.process) ? "place fold " : "place unfold ",
                      &track);
    }
    if (list->depth_of_all)
        add(out, "place rows %" PRIu32 " all\n", list->depth_of_all);
    for (size_t k = 0; track_ops[k]; k++) {
        const struct track_list_depth *depth = &list->depth[k];
        for (uint32_t of = 0; of < depth->v.n && lines < MOST; of++) {
            struct track track = {.kind = track_ops[k], .of = of};
            if (depth->v.v[of] == 0)
                continue;
            snprintf(words, sizeof words, "place rows %" PRIu32 " ", depth->v.v[of]);
            add_track(app, out, words, &track);
            lines++;
        }
    }
}

static void write_moves(struct app *app, struct chars *out) {
    const struct track_list *list = &app->timeline.tracks;
    for (size_t i = 0; i < list->moved.v.n; i++) {
        const struct track_move *move = &list->moved.v.v[i];
        const struct track_ops *kind = move->thread ? &track_thread : &track_process;
        size_t start = out->n;
        chars_add(out, STR("place move "));
        bool known = track_spec_write(app->trace, kind, move->item, move->item, out);
        chars_add(out, STR(" before "));
        known = known && track_spec_write(app->trace, kind, move->before, move->before, out);
        chars_add(out, STR("\n"));
        out->n = known ? out->n : start;
    }
}

static void write_curves(struct app *app, struct chars *out) {
    uint32_t n = (uint32_t)counter_series_count(trace_counters(app->trace)), lines = 0;
    char text[CURVE_SETTINGS], words[CURVE_SETTINGS + 16];
    for (uint32_t i = 0; i < n && lines < MOST; i++) {
        struct track track = {.kind = &track_counter, .of = i};
        if (!curve_settings(app, i, text))
            continue;
        snprintf(words, sizeof words, "place curve %s ", text);
        add_track(app, out, words, &track);
        lines++;
    }
}

static void write_marks(struct app *app, struct chars *out) {
    const struct timeline *timeline = &app->timeline;
    const struct marks_state *marks = &app->marks;
    for (size_t i = 0; i < app->as_track.v.n; i++) {
        struct chars text = {0};
        chars_format(&text, "%s %s", app->as_track.v.v[i].name, app->as_track.v.v[i].text);
        view_place_command(out, "as-track", (struct str){text.v, text.n});
        vec_free(&text);
    }
    for (size_t i = 0; i < timeline->tracks.pins.n && i < MOST; i++) {
        struct track track = {.kind = timeline->tracks.pins.v[i].kind,
                              .of = timeline->tracks.pins.v[i].of};
        add_track(app, out, "place pin ", &track);
    }
    if (timeline->filter || timeline->only)
        add(out, "place others %s\n", others[timeline->tracks.others]);
    if (timeline->filter)
        view_place_command(out, "filter", str_of(filter_text(timeline->filter)));
    if (timeline->only)
        view_place_command(out, "only", str_of(filter_lanes_text(timeline->only)));
    if (session_kept_range(app) && session_kept_range(app)->timed) {
        add_range(app, session_kept_range(app), out);
        add(out, "range-keep\nrange off\n");
    }
    struct track track;
    for (size_t i = 0, n = 0; n < MOST && ranges_tagged_at(app, i, &track); i++, n++)
        add_track(app, out, "place tag ", &track);
    if (!app->range.extending)
        add_range(app, session_range(app), out);
    for (size_t i = 0; i < marks->notes.n; i++) {
        add(out, "place cursor %" PRIu64 "ns\n", since_begin(app, marks->notes.v[i].time));
        view_place_command(out, "note", str_of(marks->notes.v[i].text));
    }
    for (int k = 0; k < MARK_QUICK; k++) /* those set last come last */
        if (marks->v[k].any && k + 1 != marks->last[0] && k + 1 != marks->last[1])
            add(out, "mark %c %" PRIu64 "ns\n", 'a' + k, since_begin(app, marks->v[k].time));
    for (int k = 1; k >= 0; k--)
        if (marks->last[k])
            add(out, "mark %c %" PRIu64 "ns\n", 'a' + marks->last[k] - 1,
                since_begin(app, marks->v[marks->last[k] - 1].time));
}

/* The line that a selection leads to, or the first one. */
static uint64_t line_led_to(struct app *app, bool selects) {
    const struct selection *now = &app->timeline.selection;
    struct timeline first = app->timeline; /* with the same lists */
    uint64_t line;
    const struct track *track;
    tracks_to_first(app->trace, &first);
    if (!selects || !track_list_find(&first.tracks, now->kind->track, now->of, 0, &line) ||
        (track = track_list_at(&first.tracks, line)) == NULL)
        return first.line;
    if (track->kind->stretch)
        return line;
    bool below_strip = !now->kind->strip && track->strip && track->height > 1;
    return line + selection_row(app->trace, now) + below_strip;
}

/* Whether the current line and the lines on the screen are those after a start and a selection. */
static bool is_line_led_to(struct app *app, bool selects) {
    const struct timeline *timeline = &app->timeline;
    return timeline->top == 0 && timeline->line < (uint64_t)app->layout.track_rows &&
           timeline->line == line_led_to(app, selects);
}

/* The current line, and its place on the screen. */
static void write_line(struct app *app, struct chars *out) {
    const struct timeline *timeline = &app->timeline;
    const struct track *track = session_track(timeline);
    uint64_t above = timeline->line > timeline->top ? timeline->line - timeline->top : 0;
    size_t before = out->n;
    char words[80];
    if (track == NULL)
        return;
    snprintf(words, sizeof words, "place line %" PRIu64 " %" PRIu64 " ",
             timeline->line - track->top, above);
    add_track(app, out, words, track);
    if (out->n == before)
        add(out, "place line 0 %" PRIu64 " #%" PRIu64 "\n", above, timeline->line);
}

/* fresh: no line before has moved anything. Stays so if the line selects alone. */
static void write_selection(struct app *app, bool *fresh, struct chars *out) {
    const struct selection *now = &app->timeline.selection;
    char words[80];
    uint64_t line;
    if (!selection_any(now) || now->time < trace_begin(app->trace) ||
        !track_list_find(&app->timeline.tracks, now->kind->track, now->of, 0, &line))
        return;
    const struct track *track = track_list_at(&app->timeline.tracks, line);
    /* on the timeline: view 8 shows a strip alone */
    bool slices = track->kind->thread && nest_rows(&trace_thread(app->trace, track->of)->nest) > 0,
         strip = track->strip && !slices;
    uint32_t row = selection_row(app->trace, now) + (strip && !now->kind->strip);
    if (!*fresh)
        add(out, "timeline\n"); /* other views may not show its row */
    if (now->kind->strip && !strip)
        snprintf(words, sizeof words, "place select gap %" PRIu64 "ns ",
                 since_begin(app, now->time));
    else
        snprintf(words, sizeof words, "place select %" PRIu32 " %" PRIu64 "ns ",
                 track->kind->stretch ? 0 : row, since_begin(app, now->time));
    add_track(app, out, words, track);
    if (row < track->height || track->kind->stretch)
        return;
    *fresh = false;
    /* Its row is hidden, and is again after it was shown to select the event. */
    snprintf(words, sizeof words, "place rows %" PRIu32 " ",
             track_list_own_depth(&app->timeline.tracks, track));
    add_track(app, out, words, track);
}

/* In the largest unit in which it is a whole number: "1200ms". */
static const char *time_word(uint64_t ns, char buf[32]) {
    static const struct {
        uint64_t ns;
        const char *unit;
    } units[] = {{1000000000, "s"}, {1000000, "ms"}, {1000, "us"}, {1, "ns"}};
    size_t i = 0;
    while (ns % units[i].ns > 0)
        i++;
    snprintf(buf, 32, "%" PRIu64 "%s", ns / units[i].ns, units[i].unit);
    return buf;
}

static bool is_widest(const struct window *w) {
    return w->from <= w->lo && w->width >= w->hi - w->lo;
}

/* The time cursor, the window and the drawer; not whole: if lines before may have moved them, or
 * they are elsewhere than at the start. led: the only line before selects, which leads to some. */
static void write_window(struct app *app, bool whole, bool led, struct chars *out) {
    const struct timeline *timeline = &app->timeline;
    const struct window *w = &timeline->window;
    bool more = session_shows_more(app->trace, SHOWN_WINDOW, timeline->shown),
         widest = is_widest(w), all = timeline->window_mode == WINDOW_WHOLE || (more && widest);
    bool there = led && timeline->cursor == timeline->selection.time,
         plain = led && app->drawer.tab == 0 && app->drawer.rows == 0 && !app->drawer.focus;
    char from[32], to[32];
    if (!there && (whole || since_begin(app, timeline->cursor) > 0))
        add(out, "place cursor %s\n", time_word(since_begin(app, timeline->cursor), from));
    if (more || (all && whole))
        add(out, "place window %s\n", wholes[timeline->shown]);
    if (!all && !(there && widest))
        add(out, "place window %s..%s\n", time_word(since_begin(app, w->from), from),
            time_word(since_begin(app, w->from) + (uint64_t)w->width, to));
    if (app->drawer.open && !plain)
        add(out, "place drawer %d %d%s\n", (int)app->drawer.tab, app->drawer.rows,
            app->drawer.focus ? " focus" : "");
    else if (whole && !app->drawer.open)
        add(out, "place drawer -\n");
}

static void write_place(struct app *app, bool whole, struct chars *out) {
    const struct timeline *timeline = &app->timeline;
    const struct view *view = app->views.current;
    const size_t before = out->n;
    bool fresh = !whole && before == 0;
    write_selection(app, &fresh, out);
    const size_t after = out->n;
    const bool selects = after > before;
    for (size_t i = 0; i < VIEWS; i++)
        if (app->views.home && views[i].ops == app->views.home->ops &&
            (whole || views[i].ops != &view_timeline))
            add(out, "%s\n", views[i].command);
    fresh = fresh && out->n == after;
    write_window(app, whole || selects || app->marks.notes.n > 0, fresh && selects, out);
    if (!fresh || !is_line_led_to(app, selects))
        write_line(app, out); /* the drawer took lines */
    if (timeline->time_format != TIME_RELATIVE)
        add(out, "place times %s\n", keep_state_times(app));
    for (size_t i = 0; i < VIEWS; i++)
        if (view != app->views.home && views[i].ops == view->ops)
            add(out, "%s\n", views[i].command);
    view_place_write(app, out);
}

void keep_state_write(struct app *app, struct chars *out) {
    write_order(app, true, out);
    write_moves(app, out);
    write_curves(app, out);
    write_color_key(app, true, out);
    write_colors(out);
    write_marks(app, out);
    write_place(app, true, out);
}

void keep_state_write_short(struct app *app, struct chars *out) {
    write_order(app, false, out);
    write_moves(app, out);
    write_curves(app, out);
    write_color_key(app, false, out);
    write_marks(app, out);
    write_place(app, false, out);
}

bool keep_state_write_options(struct app *app, struct chars *out) {
    const struct timeline *timeline = &app->timeline;
    const struct window *w = &timeline->window;
    struct chars all = {0}, window = {0};
    char from[32], to[32];
    keep_state_write_short(app, &all);
    write_window(app, false, false, &window);
    bool alone = all.n > 0 && all.n == window.n && memcmp(all.v, window.v, all.n) == 0;
    vec_free(&all);
    vec_free(&window);
    if (!alone || app->drawer.open || timeline->window_mode != WINDOW_PLACED ||
        session_shows_more(app->trace, SHOWN_WINDOW, timeline->shown))
        return false;
    const bool widest = is_widest(w);
    if (!widest)
        add(out, " --window=%s..%s", time_word(since_begin(app, w->from), from),
            time_word(since_begin(app, w->from) + (uint64_t)w->width, to));
    if (widest || since_begin(app, timeline->cursor) > 0)
        add(out, " --at=%s", time_word(since_begin(app, timeline->cursor), from));
    return true;
}
