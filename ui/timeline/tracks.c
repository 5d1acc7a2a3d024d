/* tracks.c - the set of tracks: folding, depth, order and pins.
 *
 * Each command changes a setting of the track list, has the list made again, and puts the current
 * line back on its track (track_list_again()). */
#include "ui/timeline/tracks.h"

#include "model/query/filter/filter_track.h"
#include "src/base/text.h"
#include "ui/timeline/filters/track_subject.h"
#include "ui/timeline/move.h"
#include "ui/timeline/range/ranges.h"
#include "ui/timeline/track_ops.h"

/* ---- folding, depth ---- */

static bool is_header(const struct track *track) {
    return track && track->kind->header;
}

/* The track of the current line may be hidden now. */
static void stay_inside(struct timeline *timeline) {
    if (timeline->line >= timeline->tracks.lines)
        timeline->line = timeline->tracks.lines > 0 ? timeline->tracks.lines - 1 : 0;
}

static void set_depth(struct trace *trace, struct timeline *timeline, const struct track *track,
                      uint32_t depth) {
    track_list_set_depth(&timeline->tracks, track->kind, track->of, depth);
    tracks_update(trace, timeline);
}

/* Makes the list again, and goes to the header of a process. */
static void update_at_header(struct trace *trace, struct timeline *timeline, uint32_t process) {
    uint64_t line;
    track_list_update(&timeline->tracks, trace);
    if (track_list_find_header(&timeline->tracks, process, &line))
        timeline->line = line;
    else
        stay_inside(timeline);
}

static void fold(struct trace *trace, struct timeline *timeline, const struct track *track,
                 bool folded) {
    track_list_fold(&timeline->tracks, track->process, folded);
    update_at_header(trace, timeline, track->process);
}

/* Shows the threads of a line that are gone. */
static void open_line(struct trace *trace, struct timeline *timeline, const struct track *track) {
    track_list_open_line(&timeline->tracks, track);
    update_at_header(trace, timeline, track->process);
}

/* Rows of slices, or lines of a curve. */
static uint32_t depth_of(const struct track *track) {
    return track->height - track->strip;
}

/* Doubled, so that the deepest row of a thread is a few keys away. */
static uint32_t twice(const struct track *track) {
    uint32_t depth = depth_of(track), least = depth > 0 ? depth : 1;
    return depth + (track->deeper < least ? track->deeper : least);
}

/* Lines of the screen for tracks that are not pinned. */
static uint32_t screen_lines(const struct app *app) {
    int pinned = session_pinned_rows(app), height = app->layout.track_rows - pinned - (pinned > 0);
    return height > 0 ? (uint32_t)height : 1;
}

/* Scrolls so that the lines [first, end) are on the screen: as many as fit, from the first one
 * on. */
static void reveal(struct app *app, uint64_t first, uint64_t end) {
    struct timeline *timeline = &app->timeline;
    uint32_t rows = screen_lines(app);
    if (first >= timeline->tracks.pinned && end > timeline->top + rows)
        timeline->top = end - rows < first ? end - rows : first;
}

/* More rows of the current track, which are seen then. */
static void grow(struct app *app, const struct track *track, uint32_t depth) {
    set_depth(app->trace, &app->timeline, track, depth);
    track = session_track(&app->timeline);
    if (track)
        reveal(app, track->top, track->top + track->height);
}

/* How many rows of a thread have the slice and those inside it, as far as the screen has lines for
 * them. */
static uint32_t rows_inside(const struct app *app, const struct selection *of,
                            const struct slice *s) {
    const struct nest *nest = &trace_thread(app->trace, of->of)->nest;
    uint32_t most = of->row + screen_lines(app),
             row = nest_rows(nest) < most ? nest_rows(nest) : most;
    for (; row > of->row + 1; row--) {
        const struct lane *lane = nest_row(nest, row - 1);
        uint32_t i = lane_from(lane, s->start);
        if (i < lane->n && lane_start(lane, i) < trace_slice_end(app->trace, of->of, s))
            break;
    }
    return row;
}

static void reveal_inside(struct app *app) {
    const struct selection *now = &app->timeline.selection;
    const struct track *track = session_track(&app->timeline);
    const struct slice *s = selection_is_slice(now) ? selection_slice(app->trace, now) : NULL;
    if (s == NULL || track == NULL || !track->kind->thread || track->of != now->of)
        return;
    uint32_t rows = rows_inside(app, now, s);
    if (rows > depth_of(track) && track->deeper > 0)
        set_depth(app->trace, &app->timeline, track, rows);
    track = session_track(&app->timeline);
    if (track && now->row < depth_of(track))
        reveal(app, track->top + track->strip + now->row, track->top + track->strip + rows);
}

void tracks_fit(struct app *app) {
    if (move_fit(app))
        reveal_inside(app);
}

/* Whether the process of a track without slices has samples or counters that are not shown. */
static bool hides_more(const struct track_list *list, const struct track *track) {
    return track->more || (track->strip && track_list_hides_more(list, track->process));
}

static void show_more(struct app *app, const struct track *track, bool shown) {
    track_list_show_more(&app->timeline.tracks, track->process, shown);
    tracks_update(app->trace, &app->timeline);
    session_say(app, false,
                shown ? "samples and counters of this process are shown; c hides them"
                      : "samples and counters of this process are hidden; e shows them");
}

void tracks_expand(struct app *app) {
    const struct track *track = session_track(&app->timeline);
    if (track && track->deeper > 0)
        grow(app, track, twice(track));
    else if (track && track->height < track->kind->stretch)
        grow(app, track, track->height + 1);
    else if (track && track->kind == &track_ended)
        open_line(app->trace, &app->timeline, track);
    else if (track && hides_more(&app->timeline.tracks, track))
        show_more(app, track, true);
    else if (is_header(track) && track_list_folded(&app->timeline.tracks, track->process))
        fold(app->trace, &app->timeline, track, false);
    else
        session_say(app, false, "all rows of this track are shown");
}

void tracks_collapse(struct app *app) {
    const struct track *track = session_track(&app->timeline);
    if (track && track->kind->stretch && track->height > 1)
        set_depth(app->trace, &app->timeline, track, track->height - 1);
    else if (track && (track->alone || is_header(track)) &&
             track_list_shows_more(&app->timeline.tracks, track->process))
        show_more(app, track, false);
    else if (track && track->kind->rows && depth_of(track) > 1)
        set_depth(app->trace, &app->timeline, track, depth_of(track) / 2);
    else if ((is_header(track) && !track_list_folded(&app->timeline.tracks, track->process)) ||
             (track && track->alone && track_list_has_below(&app->timeline.tracks, track->process)))
        fold(app->trace, &app->timeline, track, true);
    else
        session_say(app, false, "only one row is left");
}

struct track tracks_current(const struct timeline *timeline, uint32_t *row) {
    const struct track *track = session_track(timeline);
    *row = track ? (uint32_t)(timeline->line - track->top) : 0;
    return track ? *track : (struct track){.kind = &track_process, .process = NO_PROCESS};
}

bool tracks_update_at(struct trace *trace, struct timeline *timeline, const struct track *before,
                      uint32_t row) {
    uint64_t line;
    timeline->remade++;
    track_list_update(&timeline->tracks, trace);
    bool again = track_list_again(&timeline->tracks, before, row, &line);
    if (again)
        timeline->line = line;
    else
        stay_inside(timeline);
    return again;
}

void tracks_update(struct trace *trace, struct timeline *timeline) {
    uint32_t row;
    struct track before = tracks_current(timeline, &row);
    tracks_update_at(trace, timeline, &before, row);
}

void tracks_update_in_place(struct trace *trace, struct timeline *timeline) {
    struct track_list *tracks = &timeline->tracks;
    const struct track *track = session_track(timeline);
    struct track before = track ? *track : (struct track){0};
    uint64_t line = timeline->line, below = timeline->line - timeline->top;
    /* then `below` is not the scroll position of the others */
    bool pinned = timeline->line < tracks->pinned;
    track_list_update(tracks, trace);
    if (track &&
        track_list_again(tracks, &before, (uint32_t)(line - before.top), &timeline->line) &&
        !pinned)
        timeline->top = timeline->line > below ? timeline->line - below : 0;
    if (timeline->top < tracks->pinned)
        timeline->top = tracks->pinned;
    stay_inside(timeline);
    /* there are fewer tracks now */
    if (timeline->top > timeline->line && timeline->line >= tracks->pinned)
        timeline->top = timeline->line;
}

void tracks_to_first(struct trace *trace, struct timeline *timeline) {
    struct track_line line;
    const struct track *first = NULL; /* if no thread has slices */
    timeline->top = 0;
    for (size_t i = 0; i < timeline->tracks.tracks.n && i < 64; i++) {
        const struct track *track = &timeline->tracks.tracks.v[i];
        if (!track->kind->thread)
            continue;
        first = first ? first : track;
        timeline->line = track->top + (track->strip && track->height > 1);
        if (session_line(trace, timeline, &line) && line.slices == &track_thread_slice)
            return;
    }
    timeline->line = first ? first->top : 0;
}

void tracks_first(struct trace *trace, struct timeline *timeline) {
    if (!timeline->touched && timeline->tracks.tracks.n >= 2)
        tracks_to_first(trace, timeline);
}

bool tracks_step(struct app *app) {
    bool news = false, more = track_list_step(&app->timeline.tracks, app->trace, app->work, &news);
    /* the list is made when the filter knows all tracks, not before */
    news = news && !app->timeline.verdicts.pending;
    if (news) {
        app->timeline.remade++;
        tracks_update_in_place(app->trace, &app->timeline);
        tracks_first(app->trace, &app->timeline);
    }
    app->dirty = app->dirty || news;
    return more;
}

void tracks_finish(struct app *app) {
    while (session_within(app, NULL, tracks_step))
        ;
}

/* All tracks to one depth: UINT32_MAX for all rows, or one. */
static void depth_of_all(struct trace *trace, struct timeline *timeline, uint32_t depth) {
    track_list_set_depth_of_all(&timeline->tracks, depth);
    tracks_update(trace, timeline);
}

void tracks_expand_all(struct app *app) {
    depth_of_all(app->trace, &app->timeline, UINT32_MAX);
    session_say(app, false, "all rows of every thread are shown; C shows one row each");
}

void tracks_collapse_all(struct app *app) {
    depth_of_all(app->trace, &app->timeline, 1);
    session_say(app, false, "one row of every thread is shown; E shows all rows");
}

static void fold_all(struct app *app, bool folded) {
    struct track_list *list = &app->timeline.tracks;
    const struct track *track = session_track(&app->timeline);
    uint32_t process = track ? track->process : NO_PROCESS;
    uint64_t line;
    for (size_t i = 0; i < trace_process_count(app->trace); i++)
        track_list_fold(list, (uint32_t)i, folded);
    track_list_fold(list, NO_PROCESS, folded);
    track_list_fold(list, LIST_CPUS, folded);
    for (size_t i = 0; i < trace_process_count(app->trace) && !folded; i++)
        track_list_open(list, (uint32_t)i);
    tracks_update(app->trace, &app->timeline);
    if (folded && track_list_find_header(list, process, &line))
        app->timeline.line = line;
    session_say(app, false,
                folded ? "all processes folded; zR unfolds them" : "all processes unfolded");
}

void tracks_fold_all(struct app *app) {
    fold_all(app, true);
}

void tracks_unfold_all(struct app *app) {
    fold_all(app, false);
}

/* The row of the innermost slice at the cursor; at that row already, or without one: the last row
 * of the track. */
void tracks_deepest(struct app *app) {
    const struct track *track = session_track(&app->timeline);
    if (track == NULL || !track->kind->rows) {
        session_say(app, false, "no rows of depth here: j and k lead to a thread");
        return;
    }
    uint32_t last = track->height - track->strip + track->deeper, row = last > 0 ? last - 1 : 0,
             inner, i;
    uint32_t now = (uint32_t)(app->timeline.line - track->top) -
                   (app->timeline.line > track->top && track->strip);
    if (track->kind->thread &&
        trace_slice_at(app->trace, track->of, app->timeline.cursor, &inner, &i) && inner != now)
        row = inner;
    const struct track_ops *kind = track->kind;
    uint64_t before = app->timeline.line;
    move_show_row(app->trace, &app->timeline, kind, track->of, row);
    if (app->timeline.line == before && last <= 1)
        session_say(app, false, "the track has no deeper row");
    move_to_line(app, app->timeline.line);
}

void tracks_enter(struct app *app) {
    if (ranges_keep(app))
        return;
    const struct track *track = session_track(&app->timeline);
    if (track == NULL)
        return;
    if (track->kind == &track_ended) {
        open_line(app->trace, &app->timeline, track);
        return;
    }
    if (is_header(track)) {
        fold(app->trace, &app->timeline, track,
             !track_list_folded(&app->timeline.tracks, track->process));
        return;
    }
    int64_t reach = window_per_column(&app->timeline.window);
    struct selection selection =
        move_event_at(app->trace, &app->timeline, app->timeline.line, app->timeline.cursor,
                      reach < INT64_MAX ? reach + 1 : reach);
    if (selection_any(&selection) && selection.offset != app->timeline.selection.offset) {
        move_select(app, selection);
    } else if (!selection_any(&app->timeline.selection)) {
        session_say(app, false, "no event at the cursor on this row: h and l select the nearest");
    } else {
        app->drawer.open = true;
        app->drawer.focus = true;
        session_layout(app);
    }
}

/* ---- order, pins, finding ---- */

void tracks_order(struct app *app) {
    static const char *const said[] = {"tracks sorted by interest: the busiest first",
                                       "tracks sorted by first event",
                                       "tracks sorted by name",
                                       "tracks sorted by CPU time",
                                       "tracks sorted by the time that slices cover",
                                       "tracks in file order"};
    struct track_list *tracks = &app->timeline.tracks;
    tracks->order = (enum track_order)((tracks->order + 1) % ORDERS);
    if (!track_list_sorts_later(tracks, app->trace))
        tracks_update(app->trace, &app->timeline);
    session_say(app, false, "%s", said[app->timeline.tracks.order]);
}

static bool can_pin(const struct track *track) {
    return track && track->kind->count;
}

void tracks_pin(struct app *app) {
    const struct track *track = session_track(&app->timeline);
    if (!can_pin(track)) {
        session_say(app, false, "only tracks can be pinned, not headers");
        return;
    }
    char buf[96], name[60];
    text_plain(name, sizeof name, track_list_name(app->trace, track, buf),
               app->grid.ascii ? TEXT_ASCII : 0);
    bool pinned = track_list_pin(&app->timeline.tracks, track->kind, track->of);
    tracks_update(app->trace, &app->timeline);
    session_say(app, false, pinned ? "%s pinned" : "%s unpinned", name);
}

/* A filter for t and P, which do not look at events. */
static struct filter *gutter_filter(struct app *app, const char *text) {
    struct filter *filter = track_subject_filter(app, text),
                  *events = filter ? filter_track_events(filter, app->trace) : NULL;
    if (events == NULL)
        return filter;
    session_say(app, true, "only & looks at events; here: text thread process pid tid");
    filter_free(events);
    filter_free(filter);
    return NULL;
}

static void no_match(struct app *app, const char *what, const char *text) {
    char safe[60];
    text_plain(safe, sizeof safe, str_of(text), app->grid.ascii ? TEXT_ASCII : 0);
    session_say(app, true, "%s matches \"%s\"", what, safe);
}

void tracks_pin_pattern(struct app *app, const char *text) {
    VEC(struct track_list_pin) found = {0};
    struct filter *filter = gutter_filter(app, text);
    if (*text && filter == NULL)
        return;
    for (size_t i = 0; filter && i < app->timeline.tracks.tracks.n; i++) {
        const struct track *track = &app->timeline.tracks.tracks.v[i];
        if (can_pin(track) && !track->pinned &&
            track_subject_matches(app->trace, track, filter, NULL, false))
            vec_push(&found, ((struct track_list_pin){track->kind, track->of}));
    }
    if (filter == NULL)
        track_list_unpin_all(&app->timeline.tracks);
    for (size_t i = 0; i < found.n; i++)
        track_list_pin(&app->timeline.tracks, found.v[i].kind, found.v[i].of);
    tracks_update(app->trace, &app->timeline);
    if (filter && found.n == 0)
        no_match(app, "no other track", text);
    else if (filter)
        session_say(app, false, found.n == 1 ? "%zu track pinned" : "%zu tracks pinned", found.n);
    else
        session_say(app, false, "all tracks unpinned");
    vec_free(&found);
    filter_free(filter);
}

/* The track of the main thread, which is called as its process; NULL: it is not shown. */
static const struct track *main_thread(struct app *app, const struct track *header) {
    const struct track_list *list = &app->timeline.tracks;
    const struct track *end = list->tracks.v + list->tracks.n;
    char of[40], own[40];
    bool named;
    if (header->process >= trace_process_count(app->trace))
        return NULL;
    const struct process *p = trace_process(app->trace, header->process);
    struct str name = trace_process_name(app->trace, p, of, &named);
    for (const struct track *t = header + 1; t < end && t->process == header->process; t++) {
        const struct thread *thread = t->kind->thread ? trace_thread(app->trace, t->of) : NULL;
        if (thread && thread->id.tid == p->pid &&
            str_eq(trace_thread_name(app->trace, thread, own, &named), name))
            return t;
    }
    return NULL;
}

/* The next track that is shown and matches, from the top again after the last one. */
static bool to_shown(struct app *app, struct filter *filter) {
    size_t n = app->timeline.tracks.tracks.n;
    const struct track *now = session_track(&app->timeline);
    size_t from = now ? (size_t)(now - app->timeline.tracks.tracks.v) : 0;
    for (size_t i = 1; i <= n; i++) {
        const struct track *track = &app->timeline.tracks.tracks.v[(from + i) % n];
        if (track->kind == &track_ended ||
            !track_subject_matches(app->trace, track, filter, NULL, false))
            continue;
        const struct track *thread = track->kind->header ? main_thread(app, track) : NULL;
        move_to_line(app, move_track_line(thread ? thread : track));
        return true;
    }
    return false;
}

/* The first counter that matches of those that recorded commands hide. */
static bool to_hidden_counter(struct app *app, struct filter *filter) {
    uint32_t n = track_counter.count(app->trace);
    for (uint32_t i = 0; i < n; i++) {
        const struct track track = {
            .kind = &track_counter, .of = i, .process = track_counter.process(app->trace, i)};
        uint64_t line;
        if (track_subject_matches(app->trace, &track, filter, NULL, false) &&
            !track_list_find(&app->timeline.tracks, &track_counter, i, 0, &line)) {
            move_show_row(app->trace, &app->timeline, &track_counter, i, 0);
            return track_list_find(&app->timeline.tracks, &track_counter, i, 0, &line);
        }
    }
    return false;
}

/* Whether it may be folded away: with its process, as a quiet one, or as samples. */
static bool may_be_hidden(const struct track_list *list, const struct thread *t) {
    return track_list_folded(list, t->process) || track_list_quiet(list, t->number) ||
           (t->number < list->lives.shapes.n && list->lives.shapes.v[t->number].derived);
}

static bool to_hidden(struct app *app, struct filter *filter) {
    for (size_t i = 0; i < trace_thread_count(app->trace); i++) {
        const struct thread *t = trace_thread(app->trace, i);
        const struct track track = {
            .kind = &track_thread, .of = (uint32_t)i, .process = t->process};
        if (may_be_hidden(&app->timeline.tracks, t) &&
            track_subject_matches(app->trace, &track, filter, NULL, false)) {
            move_show_row(app->trace, &app->timeline, &track_thread, (uint32_t)i, 0);
            return true;
        }
    }
    uint32_t cpus =
        track_list_folded(&app->timeline.tracks, LIST_CPUS) ? track_cpu.count(app->trace) : 0;
    for (uint32_t i = 0; i < cpus; i++) {
        const struct track track = {.kind = &track_cpu, .of = i, .process = LIST_CPUS};
        if (track_subject_matches(app->trace, &track, filter, NULL, false)) {
            move_show_row(app->trace, &app->timeline, &track_cpu, i, 0);
            return true;
        }
    }
    return to_hidden_counter(app, filter);
}

static bool to_track(struct app *app, struct filter *filter) {
    return to_shown(app, filter) || to_hidden(app, filter);
}

void tracks_find(struct app *app, const char *text) {
    struct filter *filter = gutter_filter(app, text);
    if (filter && !to_track(app, filter))
        no_match(app, "no track", text);
    else if (filter)
        move_row_near(app);
    filter_free(filter);
}
