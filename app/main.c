/* main.c - runs one mode of the program: the screen, one frame, a table, an export or a report.
 *
 * Batch modes load the whole trace and print. On the screen, run() is the only loop: each turn
 * reads a step of the trace or does other background work, paints if something is new, and waits
 * for a key. Loading and keys share one thread, so a step has as many bytes as take STEP_NS. Only
 * main.c, above all floors, returns an exit status. */
#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <locale.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "app/exports.h"
#include "app/fleets.h"
#include "app/open_trace.h"
#include "app/options.h"
#include "app/play.h"
#include "app/serve.h"
#include "app/stats.h"
#include "app/status.h"
#include "app/together.h"
#include "app/verbs.h"
#include "app/version.h"
#include "model/output/check.h"
#include "model/output/cut/load.h"
#include "model/output/longest.h"
#include "model/output/only_providers.h"
#include "model/output/processes_list.h"
#include "model/output/report.h"
#include "model/output/report_page.h"
#include "model/output/test_report.h"
#include "model/output/top.h"
#include "model/store/problem.h"
#include "record/recording.h"
#include "sql/answer/answer.h"
#include "src/base/clock.h"
#include "src/base/own_trace.h"
#include "src/base/text.h"
#include "src/base/vec.h"
#include "src/io/cache.h"
#include "src/io/files_read.h"
#include "src/io/output_file.h"
#include "ui/app.h"
#include "ui/command.h"
#include "ui/describe_view.h"
#include "ui/drawer/drawer.h"
#include "ui/keep/keep_copy.h"
#include "ui/keep/keep_session.h"
#include "ui/shells/shell.h"
#include "ui/terminal/builtin/term_builtin.h"
#include "ui/terminal/term.h"
#include "ui/timeline/draw_overview.h"
#include "ui/turns.h"

#define STEP_BYTES (4u << 20) /* at most so many bytes are read between two looks at the keyboard */
#define STEP_LEAST (64u << 10)
#define STEP_NS 3000000       /* fewer bytes are read if they take longer */
#define NEWS_NS 100000000     /* minimum interval between repaints while input arrives in pieces */
#define REPAINT_NS 1000000000 /* interval between repaints while loading */
#define PROGRESS_NS 250000000 /* interval between repaints of the title while loading */
/* the first frame waits so long for the whole trace, so as not to be painted twice */
#define FIRST_NS 20000000
#define FIRST_SLOW_NS 250000000 /* the same over a slow link: a picture takes as long there */
#define FOLLOW_MS 50            /* interval between checks of a file that is followed */
#define WATCH_MS 2000 /* interval between checks of another file, if it may have changed */
#define TICK_MS 5000  /* the same, without inotify */
#ifndef CACHE_FROM
/* the index of traces as large as this is written unasked; a test sets 1 */
#define CACHE_FROM (UINT64_C(32) << 20)
#endif
#define SETTLE_MS 50 /* a pipe without data for so long has paused */

static void draw(struct app *app) {
    int64_t t = clock_now();
    app_draw(app);
    if (stats.wanted)
        vec_push(&stats.frames, clock_now() - t);
}

static int print(struct trace *trace, const struct options *o) {
    struct app app;
    struct err err;
    style_init(o->color > 0 || (o->color == 0 && o->picture != PICTURE_TEXT) ? COLOR_256
                                                                             : COLOR_MONO);
    style_background(o->background == 2);
    for (;;) {
        if (!play_keys(&app, trace, o))
            return 2;
        draw(&app);
        if (!trace_cache_damaged(trace))
            break;
        app_free(&app);
        if (!trace_reload(trace, &err))
            return status_complain(o->path, &err);
    }
    stats.first_picture = clock_now();
    picture_print(&app.grid, o->picture, style_depth(), stdout);
    app_free(&app);
    return status_written(true, 0);
}

/* The text of the tab Why about the selection. */
static void describe_why(struct app *app) {
    struct chars text = {0};
    app->drawer.open = true;
    drawer_why(app);
    do
        draw(app);
    while (app_idle(app));
    draw(app);
    drawer_copy(app, &text);
    chars_write(&text, stdout);
    vec_free(&text);
}

static int describe(struct trace *trace, const struct options *o) {
    struct app app;
    struct err err;
    style_init(COLOR_MONO);
    if (!play_keys(&app, trace, o))
        return 2;
    bool found = o->describe == NULL || describe_view_go(&app, o->describe, &err);
    if (found) {
        while (app_idle(&app)) /* about what it went to */
            ;
        draw(&app);
        if (o->why)
            describe_why(&app);
        else
            describe_view(&app, stdout);
    }
    app_free(&app);
    return found ? status_written(true, 0) : status_complain(NULL, &err);
}

/* ---- the screen ---- */

struct screen {
    struct app app;
    struct trace *trace;
    int64_t painted, progressed, updated, watched;
    int64_t patience; /* of the first frame, in ns */
    uint32_t step;    /* bytes */
    bool news;        /* the next turn ingests the events that were read */
    bool mouse;
};

static bool is_slow(const struct screen *s) {
    return s->app.link == LINK_SLOW || (s->app.link == LINK_AUTO && term_remote());
}

static void show(struct screen *s) {
    TRACE_DURATION("screen", "frame");
    draw(&s->app);
    term_cursor(s->app.cursor_shown);
    term_slow(is_slow(s));
    {
        TRACE_DURATION("screen", "send");
        term_show(&s->app.grid);
    }
    s->painted = s->progressed = clock_now();
    if (stats.first_picture == 0)
        stats.first_picture = s->painted;
}

/* Whether it is time to check the file. Half of the interval counts: a wake-up may come a little
 * early. */
static bool time_to_watch(struct screen *s) {
    struct file *file = trace_file(s->trace);
    int64_t past = (clock_now() - s->watched) / 1000000;
    if (trace_follows(s->trace))
        return past > FOLLOW_MS / 2;
    return past >= (file_watch(file) < 0 ? TICK_MS / 2 : WATCH_MS) && file_may_have_changed(file);
}

/* The time in ms until the file is to be checked, -1: no limit. *fd: the descriptor that reports a
 * change, or -1. */
static int wait_for_change(struct screen *s, int *fd) {
    struct file *file = trace_file(s->trace);
    *fd = file_watch(file);
    if (*fd < 0)
        return file_may_have_changed(file) ? TICK_MS : -1;
    int64_t rest = s->watched / 1000000 + WATCH_MS - clock_now() / 1000000;
    if (rest < 0 || !file_may_have_changed(file))
        return -1;
    *fd = -1; /* an event is known, but it is not time yet */
    return (int)rest + 1;
}

/* A step takes about STEP_NS. */
static void adapt_step(struct screen *s, int64_t took) {
    if (took > STEP_NS && s->step > STEP_LEAST)
        s->step /= 2;
    else if (took < STEP_NS / 3 && s->step < STEP_BYTES)
        s->step *= 2;
}

static void take_news(struct screen *s) {
    app_update(&s->app);
    s->news = false;
    s->updated = clock_now();
}

/* Shows how far loading is, between two frames. */
static void show_progress(struct screen *s) {
    struct budget budget = budget_until(STEP_NS);
    app_draw_title(&s->app);
    session_within(&s->app, TASK_WITHIN(&budget), draw_overview_update);
    term_show(&s->app.grid);
    s->progressed = clock_now();
}

/* Reads a step of the trace, or ingests or shows its events: not in the same turn, as a key may
 * wait for it. Returns whether there is more to do without waiting. */
static bool load(struct screen *s) {
    struct app *app = &s->app;
    bool idle = trace_state(s->trace) != TRACE_LOADING;
    if (idle && time_to_watch(s)) {
        app_watch(app);
        s->watched = clock_now();
    }
    bool seen = stats.first_picture > 0;
    int64_t from = clock_now();
    if (s->news) {
        take_news(s);
        return trace_state(s->trace) == TRACE_LOADING;
    }
    if (trace_state(s->trace) == TRACE_COMPLETE)
        return false;
    if (!idle && seen && from - s->progressed > PROGRESS_NS) {
        show_progress(s);
        return true;
    }
    int64_t patience = seen ? REPAINT_NS : s->patience;
    bool look = from - s->painted > (seen && idle ? NEWS_NS : patience);
    enum trace_state state;
    {
        TRACE_DURATION("load", "step", "bytes", TA_UINT32(s->step));
        state = (look ? trace_step : trace_read)(s->trace, s->step);
    }
    int64_t t = clock_now();
    adapt_step(s, t - from);
    /* more pieces come */
    bool flows = state == TRACE_WAITING && trace_unflushed(s->trace) && !look;
    s->news = state != TRACE_LOADING ? !flows : t - s->updated > patience;
    if (s->news && stats.indexed == 0 && state != TRACE_LOADING && !trace_unflushed(s->trace))
        stats.indexed = t;
    if (s->news && !seen) /* no key is expected before the first frame */
        take_news(s);
    return s->news || state == TRACE_LOADING || trace_flushing(s->trace);
}

/* A step of what has its turn. Returns whether there is more to do without waiting. */
static bool work(struct screen *s) {
    struct app *app = &s->app;
    if (!app->turns.held && !app->turns.held_rows &&
        (stats.first_picture == 0 || !turns_working(app, clock_now())))
        return load(s) || (trace_state(s->trace) == TRACE_COMPLETE && app_idle(app));
    if (app->reload.version != trace_version(s->trace))
        take_news(s);
    else
        turns_worked(app, app_idle(app), clock_now());
    return true;
}

/* Does what keys asked the owner of the terminal for: sends the copied text, and writes its file;
 * runs a program. */
static void serve(struct app *app) {
    struct chars bytes = {0};
    if (app->requests.copied && keep_copy_file(app)) {
        keep_copy_sequence((struct str){app->requests.copy.v, app->requests.copy.n},
                           keep_copy_mux(), &bytes);
        term_send(bytes.v, bytes.n);
    }
    vec_free(&bytes);
    play_program(app);
}

static void take_key(struct screen *s, const struct key *key) {
    TRACE_DURATION("screen", "key", "code", TA_UINT32(key->code));
    struct app *app = &s->app;
    if (key->code == KEY_RESIZED) {
        int cols, rows;
        term_size(&cols, &rows);
        app_resize(app, cols, rows);
        app_update(app);
        return;
    }
    s->patience = 0;
    app_key(app, key);
    serve(app);
    if (app->requests.redraw)
        term_redraw();
    if (app->requests.suspend)
        term_suspend();
    app->requests.redraw = app->requests.suspend = false;
    if (app->mouse.on != s->mouse)
        term_mouse(s->mouse = app->mouse.on);
}

/* Is the trace likely to be complete in a moment? Then the first frame waits for it. */
static bool too_early(const struct screen *s, bool busy) {
    return busy && stats.first_picture == 0 && clock_now() - stats.started < s->patience;
}

static void show_news(struct screen *s, bool busy) {
    if (s->app.dirty && !term_pending() && !too_early(s, busy) &&
        !turns_quiet(&s->app, clock_now()))
        show(s);
}

static int run(struct screen *s) {
    struct app *app = &s->app;
    bool pressed = false;
    while (!app->requests.quit && !term_signal() && !term_gone()) {
        struct key key;
        if (pressed) /* what a key has done does not wait for the next step */
            show_news(s, true);
        bool busy = work(s);
        serve(app);
        show_news(s, busy);
        if (trace_cache_damaged(s->trace))
            app_reload_damaged(app);
        if (!busy)
            trace_persist(s->trace);
        int fd = trace_state(s->trace) == TRACE_WAITING ? trace_fd(s->trace) : -1;
        int wait = trace_follows(s->trace) ? FOLLOW_MS : -1;
        if (busy)
            wait = 0;
        else if (trace_unflushed(s->trace))
            wait = SETTLE_MS;
        else if (trace_state(s->trace) == TRACE_COMPLETE)
            wait = wait_for_change(s, &fd);
        int turn = busy ? -1 : turns_wait(app, clock_now());
        if (turn >= 0 && (wait < 0 || turn < wait))
            wait = turn;
        {
            TRACE_DURATION("screen", "wait");
            pressed = term_key(&key, wait, fd, app_in_prompt(app));
        }
        if (pressed)
            take_key(s, &key);
    }
    int signal = term_signal();
    if (signal)
        return 128 + signal;
    if (app->requests.quit == QUIT_INTERRUPTED)
        return 130;
    return term_gone() ? 129 : 0;
}

static int screen(struct trace *trace, const struct options *o) {
    /* if the index was cached */
    stats.indexed = trace_state(trace) == TRACE_COMPLETE ? clock_now() : 0;
    struct screen s = {.trace = trace,
                       .painted = stats.started,
                       .updated = stats.started,
                       .step = STEP_BYTES / 16,
                       .mouse = !o->no_mouse};
    struct term_options t = {.ascii = o->ascii,
                             .color = o->color,
                             .background = o->background,
                             .mouse = !o->no_mouse,
                             .count = o->stats};
    struct err err;
    int cols, rows;
    if (!term_open(&t, &err))
        return status_complain(NULL, &err);
    term_size(&cols, &rows);
    app_init(&s.app, trace, cols, rows, t.ascii);
    s.app.answers = answer_ops_known();
    s.app.query_memory = o->query.query.memory;
    s.app.startup.may_write = o->keys_may_write;
    s.app.mouse.on = s.mouse;
    if (t.note[0])
        session_say(&s.app, false, "%s", t.note);
    s.app.startup.asked = (struct question_texts){o->range, o->tracks, o->filter};
    s.app.startup.config = o->config;
    struct keep_paths paths = {&o->path, 1};
    if (trace_files(trace) > 1)
        paths = (struct keep_paths){trace_file_paths(trace), trace_files(trace)};
    if (o->session == NULL && !o->no_session && !o->new_trace)
        keep_session_take(&s.app, &paths);
    if ((o->session && !keep_session_from(&s.app, o->session, &err)) ||
        !app_start(&s.app, o->at, o->window, o->keys, &err)) {
        term_close();
        app_free(&s.app);
        return status_complain(NULL, &err);
    }
    s.patience = is_slow(&s) ? FIRST_SLOW_NS : FIRST_NS;
    int status = run(&s);
    term_close();
    trace_persist(trace); /* a key may have come before the index was kept */
    if (!o->no_session && !keep_session_save(&s.app, &paths, &err))
        status_complain(NULL, &err); /* the exit status is that of the screen */
    app_free(&s.app);
    return status;
}

static const enum names_column order_of[] = {[BY_TOTAL] = NAMES_TOTAL,
                                             [BY_SELF] = NAMES_SELF,
                                             [BY_COUNT] = NAMES_COUNT,
                                             [BY_P99] = NAMES_P99,
                                             [BY_MAX] = NAMES_MAX,
                                             [BY_CPU] = NAMES_RUNNING,
                                             [BY_SAMPLES] = NAMES_SELF_SAMPLES,
                                             [BY_OFF_CPU] = NAMES_OFF_CPU,
                                             [BY_TRACE] = NAMES_TOTAL};

/* The modes that print the events selected by --range, --tracks and --filter. */
static int answer(struct trace *trace, const struct options *o) {
    struct err err;
    struct question asked;
    struct table_request request = {.format = o->table, .most = o->top, .ascii = o->ascii};
    request.traces = o->has_by && o->by == BY_TRACE;
    if (request.traces && trace_files(trace) < 2) {
        err_set(&err, ERR_NO_OFFSET, "it is of several FILEs as one trace: --together");
        return status_complain("--by=trace", &err);
    }
    const char *wrong;
    struct question_texts texts = {o->range, o->tracks,
                                   o->mode == MODE_INSTANCES ? o->instances : o->filter};
    bool done = question_init(&asked, trace, &texts, o->ascii, &wrong, &err);
    if (!done && o->mode == MODE_INSTANCES && strcmp(wrong, "--filter") == 0)
        wrong = "--instances";
    if (!done && o->cut && strcmp(wrong, "--range") == 0)
        wrong = "--cut";
    int status = done ? 0 : status_complain(wrong, &err);
    if (done && o->mode == MODE_EXPORT)
        status = exports_asked(trace, o, &asked);
    if (done && o->mode == MODE_SUMMARY) {
        report_range(trace, &asked, stdout, o->ascii);
        status = status_written(true, 0);
    }
    if (done && o->mode == MODE_TOP)
        status = status_written(top_print(trace, &asked, order_of[o->by], &request, stdout), 0);
    if (done && o->mode == MODE_INSTANCES)
        status = status_written(longest_print(trace, &asked, &request, stdout), 0);
    question_free(&asked);
    return status;
}

/* With --follow on an empty file there is nothing to draw and no key loop yet, so prints a
 * notice. */
static void say_that_it_waits(const struct options *o, const char *path) {
    struct stat st;
    struct err err;
    if (!o->follow || stat(path, &st) != 0 || !S_ISREG(st.st_mode) || st.st_size >= 8)
        return;
    err_set(&err, ERR_NO_OFFSET, "waiting for data; Ctrl-C quits");
    status_complain(path, &err);
}

/* Writes the index to the cache, unless it came from there, and a line about it. */
static int write_index(struct trace *trace, const struct options *o) {
    struct err err;
    char *name = text_dup(str_of(o->path), TEXT_TRACK | (o->ascii ? TEXT_ASCII : 0));
    bool cached = trace_cached(trace), done = cached || trace_persist_now(trace);
    if (done)
        printf("%s: %s\n", name, cached ? "was in the cache" : "written");
    free(name);
    err_set(&err, ERR_NO_OFFSET, "its index was not written to the cache");
    return done ? status_written(true, 0) : status_complain(o->path, &err);
}

static const char *name_of(const struct options *o) {
    return o->with_trace ? o->name : o->path;
}

static int check(struct trace *trace, const struct options *o) {
    struct check_style style = {o->strict, o->table, name_of(o)};
    return status_written(true, check_print(trace, &style, stdout) ? 1 : 0);
}

/* A trace that cannot be opened is an error in a report of tests, too. */
static int complain_unread(const struct options *o, const struct err *err) {
    struct test_case unread = {"opens", err->text, TEST_ERROR};
    if (test_report_is(o->table))
        test_report_print(o->table, "fxtop", name_of(o), &unread, 1, stdout);
    return status_complain(o->path, err);
}

/* The mode's output of an open trace; returns the exit status. run: of a query or assertions. */
static int run_mode(struct trace *trace, const struct options *o, const struct run *run) {
    if (o->mode == MODE_SCREEN)
        return screen(trace, o);
    if (o->mode == MODE_PRINT)
        return print(trace, o);
    if (o->mode == MODE_DESCRIBE)
        return describe(trace, o);
    if (o->mode == MODE_EXPORT && o->format == EXPORT_CSV && o->keys)
        return exports_table(trace, o);
    if (exports_all(o) && trace_files(trace) > 1)
        return exports_set(trace, o); /* its alignment is known: no index is needed */
    if (o->mode == MODE_EXPORT && (o->format == EXPORT_JSON || o->format == EXPORT_FXT) &&
        (o->keys || o->session))
        return exports_played(trace, o);
    trace_load(trace);
    stats.indexed = clock_now();
    switch (o->mode) {
    case MODE_QUERY:
    case MODE_ASSERT:
        return status_written(true, run_ask(run, trace, o->with_trace ? o->name : NULL));
    case MODE_EXPORT:
        if (o->format == EXPORT_SQLITE)
            return status_written(true, run_save(&o->query, trace));
        return answer(trace, o);
    case MODE_INDEX:
        return write_index(trace, o);
    case MODE_TOP:
    case MODE_INSTANCES:
        return answer(trace, o);
    case MODE_CHECK:
        return check(trace, o);
    default:
        if (o->range || o->tracks || o->filter)
            return answer(trace, o);
        report_summary(trace, stdout, o->ascii);
        if (o->tree) {
            putchar('\n');
            processes_list_print(trace, stdout, o->ascii);
        }
        return status_written(true, 0);
    }
}

/* Ends with a trace that has answered: its index is kept. Returns the exit status. */
static int end_with(const struct options *o, struct trace *trace, const char *path, int status) {
    struct err err;
    const char *why = NULL;
    if (o->stats)
        stats_print(trace);
    if (file_fault(trace_file(trace), &why) >= FILE_NO_SPACE) {
        err_set(&err, ERR_NO_OFFSET, "%s", why);
        status = status_complain(path, &err);
    }
    if (status < 2 && o->mode != MODE_INDEX)
        trace_persist(trace);
    return status;
}

static int with_trace(const struct options *o, const struct run *run) {
    struct err err;
    stats.wanted = o->stats;
    if (exports_all(o))
        return exports_file(o);
    if (o->mode == MODE_RECORDS)
        return report_records(o->path, &o->trace, stdout, o->ascii, &err)
                   ? 0
                   : status_complain(o->path, &err);
    say_that_it_waits(o, o->path);
    struct trace *trace = open_trace(o, &err);
    if (trace == NULL)
        return complain_unread(o, &err);
    int status = open_trace_has_providers(trace, o, &err) ? run_mode(trace, o, run)
                                                          : status_complain(o->path, &err);
    status = end_with(o, trace, o->path, status);
    trace_free(trace);
    return status;
}

/* ---- serve ---- */

struct serving {
    struct trace **traces;
    char *const *paths;
    uint64_t memory; /* of a query */
};

static int answer_served(void *ctx, size_t trace, struct options *o) {
    const struct serving *serving = ctx;
    bool asks = o->mode == MODE_QUERY;
    o->path = o->name = serving->paths[trace];
    o->query.query.memory = serving->memory;
    struct run *run = asks ? run_new(&o->query) : NULL;
    int status = asks && run == NULL ? 2 : run_mode(serving->traces[trace], o, run);
    run_free(run);
    return status;
}

/* Answers requests about complete traces. The threads of this process end first: a process that
 * answers is a copy without them. */
static int serve_traces(struct trace **traces, char *const *names, size_t n,
                        const struct options *o) {
    struct serving serving = {traces, names, o->query.query.memory};
    struct serve serve = {names, n, PACKAGE_VERSION, answer_served, &serving};
    for (size_t i = 0; i < n; i++)
        trace_rest(traces[i]);
    return serve_run(&serve);
}

/* The traces of the command line are opened before the first request. */
static int serve_files(const struct options *o) {
    VEC(struct trace *) traces = {0};
    struct err err;
    int status = 0;
    for (int i = 0; i < o->npaths && status == 0; i++) {
        struct trace *trace = load_open(o->paths[i], &o->trace, o->load, false, &err);
        status = trace ? 0 : status_complain(o->paths[i], &err);
        if (trace)
            vec_push(&traces, trace);
        if (trace)
            trace_load(trace);
    }
    if (status == 0)
        status = serve_traces(traces.v, o->paths, traces.n, o);
    for (size_t i = 0; i < traces.n; i++)
        trace_free(traces.v[i]);
    vec_free(&traces);
    return status;
}

/* ---- several traces ---- */

/* Asks an open set of traces. */
static int ask_set(const struct options *o, const struct together_set *set, struct trace *trace,
                   const struct run *run) {
    struct options each = *o;
    struct err err;
    each.name = each.path = trace_path(trace);
    each.no_session = o->no_session || set->set.nunread > 0;
    for (size_t i = 0; i < set->set.n && set->set.n > 1; i++)
        if (together_note(set, i, trace_aligned(trace, i)->method, &err))
            text_complain(set->names[i], "note: ", status_ascii, &err);
    char *names[] = {(char[]){"together"}};
    if (o->mode == MODE_SERVE)
        trace_load(trace);
    int status =
        o->mode == MODE_SERVE ? serve_traces(&trace, names, 1, o) : run_mode(trace, &each, run);
    return end_with(o, trace, each.path, status);
}

/* Opens those that are left. */
static struct trace *open_rest(const struct options *o, const struct together_set *set,
                               size_t *failed, struct err *err) {
    if (set->set.n > 1)
        return trace_open_set(&set->set, &o->trace, failed, err);
    *failed = 0;
    struct trace *trace = trace_open(set->set.paths[0], &o->trace, err);
    if (trace)
        trace_tell_unread(trace, set->set.unread, set->set.nunread);
    return trace;
}

static bool opens_alone(const char *path, const struct options *o) {
    struct err err;
    struct trace *trace = trace_open(path, &o->trace, &err);
    trace_free(trace);
    return trace != NULL;
}

/* Takes the offsets that the session has: they are needed to read. */
static void take_session(const struct options *o, struct together_set *set) {
    struct keep_paths paths = {set->set.paths, set->set.n};
    bool own = o->mode == MODE_SCREEN && !o->no_session;
    char *text = own || o->session ? keep_session_text(&paths, o->session) : NULL;
    if (text)
        together_take(set, text);
    free(text);
}

/* Opens all FILEs as one trace. Only the screen leaves out those that cannot be opened; its list
 * of tracks names them. */
static struct trace *open_set(const struct options *o, struct together_set *set) {
    struct err err;
    size_t failed = 0;
    if (!together_make(set, &o->together, o->paths, (size_t)o->npaths, &err)) {
        status_complain(NULL, &err);
        return NULL;
    }
    if (!o->trace.insists && !load_fits(o->paths, (size_t)o->npaths, &o->trace, &err)) {
        status_complain(NULL, &err);
        return NULL;
    }
    take_session(o, set);
    for (size_t i = 0; i < set->set.n; i++)
        say_that_it_waits(o, set->set.paths[i]);
    for (;;) {
        struct trace *trace = open_rest(o, set, &failed, &err);
        if (trace)
            return trace;
        const char *path = set->set.paths[failed];
        if (o->mode != MODE_SCREEN || opens_alone(path, o) ||
            !together_leave_out(set, failed, &err)) {
            status_complain(path, &err);
            return NULL;
        }
    }
}

/* --together: all FILEs are one trace. */
static int with_set(const struct options *o, const struct run *run) {
    struct together_set *set = err_calloc(1, sizeof *set);
    int status = 2;
    stats.wanted = o->stats;
    struct trace *trace = open_set(o, set);
    struct err err;
    if (trace)
        status = open_trace_has_providers(trace, o, &err) ? ask_set(o, set, trace, run)
                                                          : status_complain(NULL, &err);
    trace_free(trace);
    together_free(set);
    free(set);
    return status;
}

static int with_traces(const struct options *o) {
    bool asks = o->mode == MODE_QUERY || o->mode == MODE_ASSERT;
    struct run *run = asks ? run_new(&o->query) : NULL;
    int status = 2;
    if (o->folder == NULL)
        test_report_begin(o->table, stdout);
    fflush(stdout); /* a copy of this process must not write it again */
    if (o->together.on)
        status = run || !asks ? with_set(o, run) : 2;
    else if (o->mode == MODE_SERVE)
        status = serve_files(o);
    else if (run || !asks)
        status = fleets_ask(o, run, with_trace);
    if (o->folder == NULL && test_report_is(o->table)) {
        test_report_end(o->table, stdout);
        status = status_written(true, status);
    }
    run_free(run);
    return status;
}

static int any_mode(const struct options *o) {
    if (o->mode == MODE_HELP)
        options_help(o->verb, stdout);
    else if (o->mode == MODE_VERSION)
        version_print(stdout, term_builtin_any());
    else if (o->mode == MODE_LIST_KEYS)
        command_list(stdout);
    else if (o->mode == MODE_COMPLETION)
        shell_completion(
            stdout, o->shell,
            &(struct command_line_tables){options_table(), recording_table(), verbs_table()});
    else
        return with_traces(o);
    return status_written(true, 0);
}

/* How the index cache is used. */
static void set_cache(struct options *o) {
    static const uint64_t from[] = {
        [CACHE_AUTO] = CACHE_FROM, [CACHE_OFF] = 0, [CACHE_READ] = TRACE_NEVER, [CACHE_WRITE] = 1};
    o->trace.cache_from = from[o->cache];
    /* the screen and a picture notice damage later, and read the trace again */
    o->trace.cache_whole = o->mode != MODE_SCREEN && o->mode != MODE_PRINT;
    if (o->mode == MODE_INDEX)
        o->trace.cache_from = 1;
    if (o->symbols || o->providers) /* an index has names and all events */
        o->trace.cache_from = 0;
    if (o->cache_size > 0)
        cache_limit(o->cache_size);
}

/* Prints the page of --report: a fault of it changes no status. */
static void report(const char *path) {
    struct options o;
    struct err err;
    char last[] = "--";
    char *shown[] = {last, last, (char *)(uintptr_t)path, NULL};
    if (!options_parse(&o, 3, shown, status_ascii, &err)) {
        status_complain(NULL, &err);
        return;
    }
    struct trace *trace = trace_open(path, &o.trace, &err);
    if (trace == NULL) {
        status_complain(path, &err);
        return;
    }
    trace_load(trace);
    status_written(report_page(trace, stdout, o.ascii), 0);
    trace_free(trace);
}

/* fxtop record; with --live the screen shows the trace while it grows. */
static int record(int argc, char **argv) {
    struct recording_live live = {0};
    struct options o;
    struct err err;
    int status = recording_main(argc - 1, argv + 1, status_ascii, &live);
    if (live.report)
        report(live.report);
    if (live.pid == 0)
        return status;
    char follow[] = "--follow", last[] = "--";
    char *shown[] = {argv[0], follow, last, (char *)(uintptr_t)live.path, NULL};
    if (!options_parse(&o, 4, shown, status_ascii, &err))
        return status_complain(NULL, &err);
    o.new_trace = true;
    set_cache(&o);
    with_trace(&o, NULL);
    return recording_live_end(&live);
}

/* Runs a mode with names from files of --symbols, and of the wanted providers. */
static int with_names(struct options *o) {
    struct err err;
    unsigned n = 0;
    struct recording_names *names =
        o->symbols ? recording_names_open(o->symbols, o->ascii, &err) : NULL;
    if (o->symbols && names == NULL)
        return status_complain(NULL, &err);
    o->trace.symbols = names ? recording_names_source(names) : NULL;
    o->trace.providers = only_providers(o->providers ? o->providers : "");
    int status = any_mode(o);
    only_providers_free(o->trace.providers);
    const char *bad = names ? recording_names_bad(names, &n) : NULL;
    if (bad) {
        err_set(&err, ERR_NO_OFFSET, "%s",
                n > 1 ? "it and others have no names: their files are damaged"
                      : "it has no names: its file is damaged");
        text_complain(bad, "note: ", o->ascii, &err);
    }
    recording_names_close(names);
    return status;
}

/* Drops notes, and the output of modes that have a status. */
static void be_quiet(const struct options *o) {
    bool status = o->mode == MODE_CHECK || o->mode == MODE_ASSERT || o->mode == MODE_COMPARE;
    text_quiet();
    if (!status || o->output || o->folder)
        return;
    int null = open("/dev/null", O_WRONLY | O_CLOEXEC);
    dup2(null, STDOUT_FILENO);
    close(null);
}

/* The first word is no file, but nearly a verb. */
static int mistyped(const char *typed, const struct command_line_verb *near) {
    struct err err;
    err_set(&err, ERR_NO_OFFSET, "no such file, and no verb: the nearest is %s (try fxtop help)",
            near->name);
    return status_complain(typed, &err);
}

int main(int argc, char **argv) {
    struct options o;
    struct err err;
    stats.started = clock_now();
    vec_map_large();
    setlocale(LC_CTYPE, "");
    err_no_memory_hook = term_restore_raw;
    term_handle_bus();
    status_ascii = !term_locale_utf8();
    if (argc > 1 && strcmp(argv[1], "record") == 0)
        return record(argc, argv);
    if (argc > 2 && strcmp(argv[1], "help") == 0 && strcmp(argv[2], "record") == 0)
        return record(3, (char *[]){argv[0], argv[2], (char[]){"--help"}, NULL});
    const struct command_line_verb *near = argc > 1 ? verbs_near(argv[1]) : NULL;
    if (near && strcmp(near->name, argv[1]) != 0 && access(argv[1], F_OK) != 0)
        return mistyped(argv[1], near);
    bool known = options_parse(&o, argc, argv, status_ascii, &err);
    status_ascii = o.ascii;
    files_read_paths(o.paths, known ? o.npaths : 0);
    set_cache(&o);
    if (known && o.quiet)
        be_quiet(&o);
    if (known && o.session)
        files_read_path(o.session, FILES_READ_SESSION);
    if (!known || !output_file_begin(o.output, &err))
        return status_complain(known ? o.output : NULL, &err);
    int status = with_names(&o);
    return o.output && !output_file_end(status < 2, &err) ? status_complain(o.output, &err)
                                                          : status;
}
