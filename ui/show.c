#include "ui/show.h"

#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "model/output/report.h"
#include "model/store/problem.h"
#include "src/base/text.h"
#include "ui/command.h"
#include "ui/timeline/find.h"
#include "ui/timeline/flow_nav.h"
#include "ui/timeline/move.h"
#include "ui/timeline/tracks.h"
#include "ui/views/view.h"
#include "ui/views/view_bytes.h"
#include "ui/views/view_lists.h"

void show_goto(struct app *app) {
    prompt_open(&app->prompt, "goto ", "", &app->places);
}

void show_find(struct app *app) {
    prompt_open(&app->prompt, "/", "", &app->searches);
}

void show_command(struct app *app) {
    prompt_open(&app->prompt, ":", "", &app->commands);
}

void show_time_format(struct app *app) {
    static const char *const said[] = {"times count from the first event", "times are those of the wall clock",
                                       "times are those of the trace's clock"};
    uint64_t tps, base_tick, base_unix;
    bool wall = false;
    bool init = reader_init(trace_reader(app->trace), &tps, &base_tick, &base_unix, &wall);
    app->time_format = (enum time_format)((app->time_format + 1) % TIME_FORMATS);
    if (app->time_format == TIME_WALL && !(init && wall)) {
        app->time_format = TIME_CLOCK;
        app_say(app, false, "%s (it does not say the wall clock)", said[TIME_CLOCK]);
        return;
    }
    app_say(app, false, "%s", said[app->time_format]);
}

/* ---- tracks ---- */

void show_pin(struct app *app) {
    prompt_open(&app->prompt, "pin tracks ", "", &app->track_names);
}

void show_track(struct app *app) {
    prompt_open(&app->prompt, "track ", "", &app->track_names);
}

void show_filter(struct app *app) {
    prompt_open(&app->prompt, "&", app->filter ? pattern_text(app->filter) : "", &app->track_names);
}

/* The keys of these views are for their tracks. */
static void leave_header(struct app *app) {
    const struct track *track = app_track(app);
    for (size_t i = 0; app->tracks.kinds != TRACK_LIST_ALL && i < app->tracks.tracks.n; i++) {
        const struct track *t = &app->tracks.tracks.v[i];
        if (track && track->kind != TRACK_PROCESS && track->kind != TRACK_CPUS)
            return;
        if (t->kind == (app->tracks.kinds == TRACK_LIST_COUNTERS ? TRACK_COUNTER : TRACK_CPU)) {
            app->line = t->top;
            return;
        }
    }
}

/* Views that are the timeline with some kinds of tracks alone. */
static void show_kinds(struct app *app, unsigned kinds) {
    app->view = VIEW_TIMELINE;
    app->tracks.kinds = kinds;
    app_fit_tracks(app);
    tracks_anew(app);
    leave_header(app);
}

void show_counters(struct app *app) {
    if (app->tracks.kinds != TRACK_LIST_COUNTERS && app->grid.rows >= 24 && !app->drawer) {
        app->drawer = true; /* where nothing is selected: all of them, at the cursor */
        app_layout(app);
    }
    show_kinds(app, TRACK_LIST_COUNTERS);
}

void show_cpus(struct app *app) {
    show_kinds(app, 1u << TRACK_CPU | 1u << TRACK_THREAD);
}

static int text_rows(const struct app *app) {
    return app->grid.rows > 3 ? app->grid.rows - 3 : 1;
}

/* What makes the page of a view; NULL: there is no such page, or it is of one record. */
static void (*page_maker(enum view view))(struct app *) {
    switch (view) {
    case VIEW_HELP:
        return show_help;
    case VIEW_INFO:
        return show_info;
    case VIEW_PROBLEMS:
        return show_problems;
    case VIEW_OBJECTS:
        return show_objects;
    case VIEW_BLOBS:
        return show_blobs;
    case VIEW_PROFILE:
        return show_profile;
    default:
        return NULL;
    }
}

void show_page_again(struct app *app) {
    void (*make)(struct app *) = page_maker(app->view);
    size_t line = app->page.choose ? app->page.current : app->page.top;
    if (make == NULL)
        return;
    make(app);
    pager_move(&app->page, (int64_t)line, text_rows(app));
}

void show_reloaded(struct app *app) {
    pager_clear(&app->behind);
    if (app->view == VIEW_HELP && app->help_back != VIEW_LOG && app->help_back != VIEW_FLOWS)
        app->help_back = VIEW_TIMELINE;
    if (app->view == VIEW_BLOB)
        app->view = VIEW_BLOBS;
    else if (app->view == VIEW_BYTES)
        app->view = VIEW_TIMELINE;
    show_page_again(app);
}

/* The curve of the current line, or NULL and a word about it. */
static struct curve *current_curve(struct app *app) {
    const struct track *track = app_track(app);
    if (track && track->kind == TRACK_COUNTER)
        return curve_of(app, track->of);
    app_say(app, false, "this is no counter: 7 shows them");
    return NULL;
}

void show_scale(struct app *app) {
    static const char *const said[] = {"fits what is in view", "begins at zero", "is logarithmic", "is fixed"};
    struct curve *curve = current_curve(app);
    if (curve == NULL)
        return;
    curve->scale = (enum curve_scale)((curve->scale + 1) % CURVE_FIXED);
    app_say(app, false, "the scale %s", said[curve->scale]);
}

/* "0..100": cut at the dots first, for "0." is a number too. */
static bool range(const char *text, double *lo, double *hi) {
    char first[64];
    const char *dots = strstr(text, "..");
    char *end;
    if (dots == NULL || dots == text || (size_t)(dots - text) >= sizeof first)
        return false;
    memcpy(first, text, (size_t)(dots - text));
    first[dots - text] = 0;
    *lo = strtod(first, &end);
    if (end == first || *end)
        return false;
    *hi = strtod(dots + 2, &end);
    return end != dots + 2 && *end == 0 && isfinite(*lo) && isfinite(*hi) && *hi > *lo;
}

static void fixed_scale(struct app *app, const char *text) {
    static const char *const names[] = {"fit", "zero", "log"};
    struct curve *curve = current_curve(app);
    double lo, hi;
    if (curve == NULL)
        return;
    for (int i = 0; i < CURVE_FIXED; i++)
        if (strcmp(text, names[i]) == 0) {
            curve->scale = (enum curve_scale)i;
            return;
        }
    if (!range(text, &lo, &hi)) {
        app_say(app, true, "a scale is fit, zero, log or two numbers: 0..100");
        return;
    }
    *curve = (struct curve){CURVE_FIXED, curve->mode, lo, hi, curve->derived, curve->version};
}

/* mode: enum curve_mode, or -1: the next. */
static void set_value(struct app *app, int mode) {
    static const char *const said[] = {"values as they are", "differences to the sample before",
                                       "changes by the second"};
    struct curve *curve = current_curve(app);
    if (curve == NULL)
        return;
    curve->mode = mode < 0 ? (enum curve_mode)((curve->mode + 1) % CURVE_MODES) : (enum curve_mode)mode;
    curve->version = UINT64_MAX; /* another derivation */
    app_say(app, false, "%s", said[curve->mode]);
}

void show_value(struct app *app) {
    set_value(app, -1);
}

static void value_mode(struct app *app, const char *name) {
    static const char *const names[CURVE_MODES] = {"value", "delta", "rate"};
    for (int i = 0; i < CURVE_MODES; i++)
        if (strcmp(name, names[i]) == 0) {
            set_value(app, i);
            return;
        }
    app_say(app, true, "a counter shows value, delta or rate");
}

void show_stack(struct app *app) {
    const struct track *track = app_track(app);
    if (track == NULL || track->kind != TRACK_COUNTER) {
        app_say(app, false, "this is no counter: 7 shows them");
        return;
    }
    uint32_t leader = counter_leader(trace_counters(app->trace), track->of);
    bool stacked = !track_list_stacked(&app->tracks, leader);
    uint64_t line;
    track_list_stack(&app->tracks, leader, stacked);
    if (stacked)
        track_list_set_depth(&app->tracks, TRACK_COUNTER, leader, 4);
    tracks_anew(app);
    if (track_list_find(&app->tracks, TRACK_COUNTER, leader, 0, &line))
        app->line = line;
    app_say(app, false, stacked ? "its arguments stand on each other" : "its arguments stand apart");
}

/* ---- drawer ---- */

void show_nothing(struct app *app) {
    if (app->drawer_focus) {
        app->drawer_focus = false;
        if (app->layout.drawer_alone)
            app->drawer = false;
    } else {
        app->selection = (struct selection){0};
        app->drawer = false;
    }
    app_layout(app);
}

void show_drawer(struct app *app) {
    app->drawer_focus = !app->drawer_focus;
    if (app->drawer_focus)
        app->drawer = true;
    else if (app->layout.drawer_alone)
        app->drawer = false;
    app_layout(app);
}

static void tab(struct app *app, int d) {
    app->tab = (enum drawer_tab)((app->tab + DRAWER_TABS + d) % DRAWER_TABS);
    app->drawer_scroll = 0;
}

void show_tab_next(struct app *app) {
    tab(app, 1);
}

void show_tab_previous(struct app *app) {
    tab(app, -1);
}

void show_drawer_down(struct app *app) {
    app->drawer_scroll++; /* drawing clamps it */
}

void show_drawer_up(struct app *app) {
    if (app->drawer_scroll > 0)
        app->drawer_scroll--;
}

/* ---- text views ---- */

static void open_page(struct app *app, enum view view) {
    pager_clear(&app->page);
    app->view = view;
}

void show_timeline(struct app *app) {
    app->view = VIEW_TIMELINE;
    if (app->tracks.kinds != TRACK_LIST_ALL)
        show_kinds(app, TRACK_LIST_ALL);
}

void show_help(struct app *app) {
    if (app->view != VIEW_HELP) {
        app->help_back = app->view;
        pager_clear(&app->behind);
        app->behind = app->page;
        app->page = (struct pager){0};
    }
    open_page(app, VIEW_HELP);
    command_help(&app->page, app->grid.cols);
}

/* A report as lines of the page: it has made its text safe already. */
static void add_report(struct app *app, void (*report)(struct trace *, FILE *, bool)) {
    char *text = NULL;
    size_t size = 0;
    FILE *f = open_memstream(&text, &size);
    if (f == NULL)
        err_no_memory();
    report(app->trace, f, app->grid.ascii);
    if (fclose(f) != 0)
        err_no_memory();
    for (char *line = text, *end; *line; line = end + (*end != 0)) {
        end = line + strcspn(line, "\n");
        char saved = *end;
        *end = 0;
        pager_wrap(&app->page, app->grid.cols, 8, line);
        *end = saved;
    }
    free(text);
}

void show_info(struct app *app) {
    open_page(app, VIEW_INFO);
    add_report(app, report_summary);
}

void show_problems(struct app *app) {
    const struct problems *all = trace_problems(app->trace);
    char buf[96], when[48];
    open_page(app, VIEW_PROBLEMS);
    app->page.choose = true;
    for (int kind = 0; kind < PROBLEM_KINDS; kind++) {
        const struct problem *p = &all->kinds[kind];
        if (p->count == 0)
            continue;
        pager_add(&app->page, true, (uint64_t)kind << 32 | 1, "%s %" PRIu64 "%s: %s",
                  problem_name((enum problem_kind)kind), p->count,
                  problem_is_note((enum problem_kind)kind) ? " (note)" : "",
                  problem_message((enum problem_kind)kind, p, buf));
        for (size_t i = 0; i < p->cases.n; i++)
            pager_add(&app->page, false, (uint64_t)kind << 32 | (i + 1), "  %20s  byte %" PRIu64,
                      app_point(app, p->cases.v[i].time, app_resolution(app), when), p->cases.v[i].offset);
        if (p->count > p->cases.n)
            pager_add(&app->page, false, 0, "  and %" PRIu64 " more", p->count - p->cases.n);
    }
    if (app->page.lines.n == 0)
        pager_add(&app->page, false, 0, "No problems were found.");
}

void show_text_down(struct app *app) {
    pager_move(&app->page, 1, text_rows(app));
}

void show_text_up(struct app *app) {
    pager_move(&app->page, -1, text_rows(app));
}

void show_text_page_down(struct app *app) {
    pager_move(&app->page, text_rows(app), text_rows(app));
}

void show_text_page_up(struct app *app) {
    pager_move(&app->page, -text_rows(app), text_rows(app));
}

void show_text_half_down(struct app *app) {
    pager_move(&app->page, (text_rows(app) + 1) / 2, text_rows(app));
}

void show_text_half_up(struct app *app) {
    pager_move(&app->page, -(text_rows(app) + 1) / 2, text_rows(app));
}

void show_text_start(struct app *app) {
    pager_move(&app->page, -(int64_t)app->page.lines.n, text_rows(app));
}

void show_text_end(struct app *app) {
    pager_move(&app->page, (int64_t)app->page.lines.n, text_rows(app));
}

void show_text_next(struct app *app) {
    pager_search(&app->page, NULL, 1, text_rows(app));
}

void show_text_previous(struct app *app) {
    pager_search(&app->page, NULL, -1, text_rows(app));
}

void show_text_enter(struct app *app) {
    uint64_t tag =
        app->page.choose && app->page.current < app->page.lines.n ? app->page.lines.v[app->page.current].tag : 0;
    if (tag == 0 && app->view != VIEW_BLOB)
        return;
    if (app->view != VIEW_PROBLEMS) {
        show_listed(app, tag);
        return;
    }
    app->problem_kind = tag >> 32;
    app->problem_at = (tag & UINT32_MAX) - 1;
    show_timeline(app);
    move_remember(app);
    find_problem(app);
}

/* ---- leaving and the rest ---- */

void show_quit(struct app *app) {
    if (app->view == VIEW_HELP) {
        pager_clear(&app->page);
        app->page = app->behind;
        app->behind = (struct pager){0};
        app->view = app->help_back;
    } else if (app->view == VIEW_BLOB) {
        show_blobs(app);
    } else if (app->view == VIEW_BYTES) {
        bytes_close(app);
    } else if (view_close(app)) {
        app->dirty = true;
    } else if (app->view != VIEW_TIMELINE) {
        app->view = VIEW_TIMELINE;
    } else if (app->drawer) {
        app->drawer = app->drawer_focus = false;
        app_layout(app);
    } else if (app->tracks.kinds != TRACK_LIST_ALL) {
        show_timeline(app);
    } else {
        app->quit = true;
    }
}

void show_quit_now(struct app *app) {
    app->quit = true;
}

void show_suspend(struct app *app) {
    app->suspend = true;
}

void show_redraw(struct app *app) {
    app->redraw = true;
}

void show_mouse(struct app *app) {
    app->mouse = !app->mouse;
    app_say(app, false, app->mouse ? "mouse on; Shift+drag selects text" : "mouse off: it is the terminal's");
}

static void run(struct app *app, const char *text) {
    while (*text == ' ')
        text++;
    size_t n = strcspn(text, " ");
    const char *rest = text + n + strspn(text + n, " ");
    if (n == 0)
        return;
    const struct command *c = command_by_name(text, n);
    if (c == NULL) {
        char safe[60];
        text_plain(safe, sizeof safe, str_of(text), app->grid.ascii ? TEXT_ASCII : 0);
        app_say(app, true, "no command is called %s (Tab completes, ? lists them)", safe);
        return;
    }
    if (*rest && c->action == show_goto)
        find_time(app, rest);
    else if (*rest && c->action == show_find)
        show_entered(app, "/", rest);
    else if (*rest && c->action == show_filter)
        tracks_filter(app, rest);
    else if (*rest && c->action == show_pin)
        tracks_pin_pattern(app, rest);
    else if (*rest && c->action == show_track)
        tracks_find(app, rest);
    else if (*rest && (c->action == show_write || c->action == show_write_over))
        show_write_to(app, rest, c->action == show_write_over);
    else if (*rest && c->action == flow_nav_mode)
        flow_nav_set_mode(app, rest);
    else if (*rest && c->action == show_scale)
        fixed_scale(app, rest);
    else if (*rest && c->action == show_value)
        value_mode(app, rest);
    else
        command_run(app, c);
}

void show_entered(struct app *app, const char *label, const char *text) {
    if (*label == ':') {
        run(app, text);
    } else if (*label == 'g') {
        find_time(app, text);
    } else if (view_is_table(app) && (*label == '/' || *label == '&')) {
        view_entered(app, *label, text);
    } else if (*label == '&') {
        tracks_filter(app, text);
    } else if (*label == 'p') {
        tracks_pin_pattern(app, text);
    } else if (*label == 't') {
        tracks_find(app, text);
    } else if (app->view != VIEW_TIMELINE) {
        pager_search(&app->page, *text ? text : NULL, 1, text_rows(app));
    } else {
        move_remember(app);
        find_name(app, text);
    }
}
