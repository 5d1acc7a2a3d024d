#include "ui/show.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include "model/output/report.h"
#include "model/trace/trace_problems.h"
#include "src/base/text.h"
#include "ui/command.h"
#include "ui/timeline/find.h"
#include "ui/timeline/flow_nav.h"
#include "ui/timeline/move.h"
#include "ui/timeline/track_ops.h"
#include "ui/timeline/tracks.h"
#include "ui/views/view.h"
#include "ui/views/view_bytes.h"
#include "ui/views/view_lists.h"

void show_time_format(struct app *app) {
    static const char *const said[] = {"times since the first event", "wall clock times",
                                       "times of the trace clock"};
    uint64_t tps, base_tick, base_unix;
    bool wall = false;
    bool init = reader_init(trace_reader(app->trace), &tps, &base_tick, &base_unix, &wall);
    app->timeline.time_format = (enum time_format)((app->timeline.time_format + 1) % TIME_FORMATS);
    if (app->timeline.time_format == TIME_WALL && !(init && wall)) {
        app->timeline.time_format = TIME_CLOCK;
        session_say(app, false, "%s (the trace has no wall clock)", said[TIME_CLOCK]);
        return;
    }
    session_say(app, false, "%s", said[app->timeline.time_format]);
}

/* ---- tracks ---- */

/* The keys of these views are for their tracks. */
static void leave_header(struct app *app) {
    const struct track *track = session_track(app);
    for (size_t i = 0; app->timeline.tracks.set != TRACK_LIST_ALL && i < app->timeline.tracks.tracks.n; i++) {
        const struct track *t = &app->timeline.tracks.tracks.v[i];
        if (track && !track->kind->header)
            return;
        if (t->kind == (app->timeline.tracks.set == TRACK_LIST_COUNTERS ? &track_counter : &track_cpu)) {
            app->timeline.line = t->top;
            return;
        }
    }
}

/* Views that are the timeline with some kinds of tracks alone. */
static void show_set(struct app *app, enum track_list_set set) {
    app->views.current = VIEW_TIMELINE;
    app->timeline.tracks.set = set;
    session_fit_tracks(app);
    tracks_update(app);
    leave_header(app);
}

void show_counters(struct app *app) {
    if (app->timeline.tracks.set != TRACK_LIST_COUNTERS && app->grid.rows >= 24 && !app->drawer.open) {
        app->drawer.open = true; /* where nothing is selected: all of them, at the cursor */
        session_layout(app);
    }
    show_set(app, TRACK_LIST_COUNTERS);
}

void show_cpus(struct app *app) {
    show_set(app, TRACK_LIST_SCHED);
}

int show_text_rows(const struct app *app) {
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
    void (*make)(struct app *) = page_maker(app->views.current);
    size_t line = app->views.pager.choose ? app->views.pager.current : app->views.pager.top;
    if (make == NULL)
        return;
    make(app);
    pager_move(&app->views.pager, (int64_t)line, show_text_rows(app));
}

void show_reloaded(struct app *app) {
    pager_clear(&app->views.help_pager);
    if (app->views.current == VIEW_HELP && app->views.help_back != VIEW_LOG && app->views.help_back != VIEW_FLOWS)
        app->views.help_back = VIEW_TIMELINE;
    if (app->views.current == VIEW_BLOB)
        app->views.current = VIEW_BLOBS;
    else if (app->views.current == VIEW_BYTES)
        app->views.current = VIEW_TIMELINE;
    show_page_again(app);
}

/* ---- drawer ---- */

void show_nothing(struct app *app) {
    if (app->drawer.focus) {
        app->drawer.focus = false;
        if (app->layout.drawer_alone)
            app->drawer.open = false;
    } else {
        app->timeline.selection = (struct selection){0};
        app->drawer.open = false;
    }
    session_layout(app);
}

void show_drawer(struct app *app) {
    app->drawer.focus = !app->drawer.focus;
    if (app->drawer.focus)
        app->drawer.open = true;
    else if (app->layout.drawer_alone)
        app->drawer.open = false;
    session_layout(app);
}

static void tab(struct app *app, int d) {
    app->drawer.tab = (enum drawer_tab)((app->drawer.tab + DRAWER_TABS + d) % DRAWER_TABS);
    app->drawer.scroll = 0;
}

void show_tab_next(struct app *app) {
    tab(app, 1);
}

void show_tab_previous(struct app *app) {
    tab(app, -1);
}

void show_drawer_down(struct app *app) {
    app->drawer.scroll++; /* drawing clamps it */
}

void show_drawer_up(struct app *app) {
    if (app->drawer.scroll > 0)
        app->drawer.scroll--;
}

/* ---- text views ---- */

static void open_page(struct app *app, enum view view) {
    pager_clear(&app->views.pager);
    app->views.current = view;
}

void show_timeline(struct app *app) {
    app->views.current = VIEW_TIMELINE;
    if (app->timeline.tracks.set != TRACK_LIST_ALL)
        show_set(app, TRACK_LIST_ALL);
}

void show_help(struct app *app) {
    if (app->views.current != VIEW_HELP) {
        app->views.help_back = app->views.current;
        pager_clear(&app->views.help_pager);
        app->views.help_pager = app->views.pager;
        app->views.pager = (struct pager){0};
    }
    open_page(app, VIEW_HELP);
    command_help(&app->views.pager, app->grid.cols);
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
        pager_wrap(&app->views.pager, app->grid.cols, 8, line);
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
    app->views.pager.choose = true;
    for (int kind = 0; kind < PROBLEM_KINDS; kind++) {
        const struct problem *p = &all->kinds[kind];
        if (p->count == 0)
            continue;
        pager_add(&app->views.pager, true, (uint64_t)kind << 32 | 1, "%s %" PRIu64 "%s: %s",
                  problem_name((enum problem_kind)kind), p->count,
                  problem_is_note((enum problem_kind)kind) ? " (note)" : "",
                  problem_message((enum problem_kind)kind, p, buf));
        for (size_t i = 0; i < problem_case_count(p); i++)
            pager_add(&app->views.pager, false, (uint64_t)kind << 32 | (i + 1), "  %20s  byte %" PRIu64,
                      session_point(app, problem_case(p, i)->time, session_resolution(app), when), problem_case(p, i)->offset);
        if (p->count > problem_case_count(p))
            pager_add(&app->views.pager, false, 0, "  and %" PRIu64 " more", p->count - problem_case_count(p));
    }
    if (app->views.pager.lines.n == 0)
        pager_add(&app->views.pager, false, 0, "No problems found.");
}

void show_text_down(struct app *app) {
    pager_move(&app->views.pager, 1, show_text_rows(app));
}

void show_text_up(struct app *app) {
    pager_move(&app->views.pager, -1, show_text_rows(app));
}

void show_text_page_down(struct app *app) {
    pager_move(&app->views.pager, show_text_rows(app), show_text_rows(app));
}

void show_text_page_up(struct app *app) {
    pager_move(&app->views.pager, -show_text_rows(app), show_text_rows(app));
}

void show_text_half_down(struct app *app) {
    pager_move(&app->views.pager, (show_text_rows(app) + 1) / 2, show_text_rows(app));
}

void show_text_half_up(struct app *app) {
    pager_move(&app->views.pager, -(show_text_rows(app) + 1) / 2, show_text_rows(app));
}

void show_text_start(struct app *app) {
    pager_move(&app->views.pager, -(int64_t)app->views.pager.lines.n, show_text_rows(app));
}

void show_text_end(struct app *app) {
    pager_move(&app->views.pager, (int64_t)app->views.pager.lines.n, show_text_rows(app));
}

void show_text_next(struct app *app) {
    pager_search(&app->views.pager, NULL, 1, show_text_rows(app));
}

void show_text_previous(struct app *app) {
    pager_search(&app->views.pager, NULL, -1, show_text_rows(app));
}

void show_text_enter(struct app *app) {
    uint64_t tag = app->views.pager.choose && app->views.pager.current < app->views.pager.lines.n
                       ? app->views.pager.lines.v[app->views.pager.current].tag
                       : 0;
    if (tag == 0 && app->views.current != VIEW_BLOB)
        return;
    if (app->views.current != VIEW_PROBLEMS) {
        show_listed(app, tag);
        return;
    }
    app->find.problem_kind = tag >> 32;
    app->find.problem_at = (tag & UINT32_MAX) - 1;
    show_timeline(app);
    move_remember(app);
    find_problem(app);
}

/* ---- leaving and the rest ---- */

void show_quit(struct app *app) {
    if (app->views.current == VIEW_HELP) {
        pager_clear(&app->views.pager);
        app->views.pager = app->views.help_pager;
        app->views.help_pager = (struct pager){0};
        app->views.current = app->views.help_back;
    } else if (app->views.current == VIEW_BLOB) {
        show_blobs(app);
    } else if (app->views.current == VIEW_BYTES) {
        bytes_close(app);
    } else if (view_close(app)) {
        app->dirty = true;
    } else if (app->views.current != VIEW_TIMELINE) {
        app->views.current = VIEW_TIMELINE;
    } else if (app->drawer.open) {
        app->drawer.open = app->drawer.focus = false;
        session_layout(app);
    } else if (app->timeline.tracks.set != TRACK_LIST_ALL) {
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
    app->mouse.on = !app->mouse.on;
    session_say(app, false, app->mouse.on ? "mouse on; Shift+drag selects text" : "mouse off: left to the terminal");
}
