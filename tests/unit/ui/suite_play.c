/* suite_play.c - every command in every view of many traces, and random keys: the screen shows only
 * safe characters, and cursor, line and selection are inside their limits. tests/screens has the
 * contents of screens. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "tests/lib/chance.h"
#include "tests/lib/scratch.h"
#include "tests/lib/sound_grid.h"
#include "tests/lib/tracegen.h"
#include "tests/unit/lib/suites.h"
#include "ui/app.h"
#include "ui/command.h"
#include "ui/views/view.h"

static struct chance chance = {20221120};
static struct app app;
static struct trace *trace;
static char path[SCRATCH_PATH];

/* Fixtures of tests/traces, and by ../screens/ those of the screens. */
static const char *const traces[] = {"../screens/kinds", "../screens/chain",   "../screens/damaged",
                                     "../screens/deep",  "../screens/hostile", "../screens/large",
                                     "../screens/log",   "../screens/apart",   "../screens/empty",
                                     "counter_types",    "counter_values",     "export_viewers"};
#define TRACES ((int)(sizeof traces / sizeof *traces))
#define RICH 3 /* the first of them, which hold most kinds of things */

static void start(const char *name, int cols, int rows, bool ascii) {
    struct trace_options none = {0};
    struct err err;
    struct trace_bytes bytes = tracegen_load(name, &err);
    ck_assert_msg(bytes.v != NULL, "%s: %s", name, err.text);
    ck_assert(scratch_write(path, "play", bytes.v, bytes.n));
    free(bytes.v);
    trace = trace_open(path, &none, &err);
    ck_assert_msg(trace != NULL, "%s: %s", name, err.text);
    trace_load(trace);
    app_init(&app, trace, cols, rows, ascii);
    app_draw(&app);
}

static void stop(void) {
    app_free(&app);
    trace_free(trace);
    unlink(path);
}

static void look(const char *after) {
    const struct window *w = &app.timeline.window;
    app_update(&app);
    app_draw(&app);
    bool inside = app.timeline.line < app.timeline.tracks.lines ||
                  (app.timeline.line == 0 && app.timeline.tracks.lines == 0);
    if (!sound_grid(&app.grid) || !inside || w->width < w->columns || w->from < w->lo ||
        (w->width <= w->hi - w->lo && w->from > w->hi - w->width) || app.timeline.cursor < w->lo ||
        /* there is space after the end */
        (app.timeline.cursor > w->hi && app.timeline.cursor - w->from >= w->width)) {
        grid_print(&app.grid, stderr, COLOR_MONO);
        ck_abort_msg("after %s: line %u of %u, window %jd + %jd of %jd..%jd", after,
                     (unsigned)app.timeline.line, (unsigned)app.timeline.tracks.lines,
                     (intmax_t)w->from, (intmax_t)w->width, (intmax_t)w->lo, (intmax_t)w->hi);
    }
}

/* Pressed, and then all is done that can wait; not looked at. */
static void keys(const char *text) {
    const char *at = text;
    struct key key;
    while (key_parse(&at, &key)) {
        app.requests.quit = QUIT_NO;
        if (key.code == KEY_RESIZED)
            app_resize(&app, key.x, key.y);
        else
            app_key(&app, &key);
    }
    ck_assert_msg(*at == '\0', "%s", text);
    for (int i = 0; i < 50 && app_idle(&app); i++)
        ;
}

/* Keys that lead to a view, or to a selection in it. */
static const char *const ways[] = {
    "1",
    "1l",
    "1jjl",
    "1jjjll",
    "5",
    "5jjj",
    "6",
    "6<Enter>",
    "6<Enter>L",
    "6<Enter>j",
    "7",
    "7jl",
    "8",
    "8jjl",
    "9",
    "?",
    ":problems<Enter>",
    ":objects<Enter>",
    ":blobs<Enter>",
    ":blobs<Enter><Enter>",
    ":profile<Enter>",
    "1lX",
    "1l<Tab>",
    "1l<Tab>l",
    "1l<Tab>ll",
    "1l<Tab>lll",
    "1l<Resize:50x12><Tab>",
    "1jjl<Resize:100x50><Tab>ll",
};

/* Lines for prompts, right and wrong. */
static const char *const lines[] = {
    "g50%<Enter>",
    "g+1ms<Enter>",
    "g-1s<Enter>",
    "gnever<Enter>",
    "/a<Enter>n",
    "/a<Enter>N",
    "//^.e<Enter>nn",
    "//(<Enter>",
    "/no such name<Enter>",
    "&a<Enter>",
    "&//(<Enter>",
    "&<Enter>",
    ":find a<Enter>",
    ":filter a<Enter>",
    ":filter<Enter>",
    ":pin a<Enter>",
    ":pin //(<Enter>",
    ":track a<Enter>",
    ":track no such track<Enter>",
    ":goto 1us<Enter>",
    ":scale fit<Enter>",
    ":scale zero<Enter>",
    ":scale log<Enter>",
    ":scale -5 5<Enter>",
    ":scale 5 -5<Enter>",
    ":scale odd<Enter>",
    ":value delta<Enter>",
    ":value rate<Enter>",
    ":value value<Enter>",
    ":value odd<Enter>",
    ":flow-mode all<Enter>",
    ":w<Enter>",
    ":no such command<Enter>",
    ":<Tab><Tab><S-Tab><Esc>",
    ": <Enter>",
    "zz",
    "zx",
    "z<Esc>",
    "<Click:30,4><Release:30,4>",
    "<Click:30,5><Drag:40,6><Release:40,6>",
    "<Click:3,3><Release:3,3>",
    "<Click:40,1><Release:40,1>",
    "<WheelUp:50,8>",
    "<WheelDown:50,8>",
    "<WheelDown:2,8>",
    "<WheelUp:2,8>",
    "<Click:10,20><Release:10,20>",
    "<Click:20,25><Release:20,25>",
    "<Resize:100x30>",
    "<Resize:20x5>",
    "<Resize:80x24>",
    "<Resize:200x60>",
    "<Resize:1x1>",
    "<Resize:50x12>",
};
#define LINES (sizeof lines / sizeof *lines)

/* Without a file name: check_ui must not write files. */
static bool is_harmless(const struct command *c) {
    return strcmp(c->name, "w") != 0 && strcmp(c->name, "w!") != 0;
}

START_TEST(each_command_in_each_view) {
    start(traces[_i], 100, 30, _i % 3 == 2);
    for (size_t w = 0; w < sizeof ways / sizeof *ways; w++)
        for (size_t i = 0; i < command_count; i++) {
            if (!is_harmless(&commands[i]))
                continue;
            keys("<Esc><Esc><Esc><Resize:100x30>");
            keys(ways[w]);
            app_key(&app, &(struct key){.code = KEY_NONE});
            command_run(&app, &commands[i]);
            for (int k = 0; k < 50 && app_idle(&app); k++)
                ;
            look(commands[i].name);
            app.requests.quit = QUIT_NO;
            if (app_in_prompt(&app))
                keys("<Esc>");
        }
    stop();
}
END_TEST

START_TEST(each_line_in_each_view) {
    start(traces[_i], 100, 30, _i % 3 == 0);
    for (size_t w = 0; w < sizeof ways / sizeof *ways; w++)
        for (size_t i = 0; i < LINES; i++) {
            keys("<Esc><Esc><Esc><Resize:100x30>");
            keys(ways[w]);
            keys(lines[i]);
            look(lines[i]);
            if (app_in_prompt(&app))
                keys("<Esc>");
        }
    stop();
}
END_TEST

START_TEST(keys_as_if_thrown) {
    start(traces[_i], 80 + (int)below(&chance, 60), 20 + (int)below(&chance, 30), _i % 2);
    for (int i = 0; i < 700; i++) {
        const struct command *c = &commands[below(&chance, command_count)];
        char name[80];
        if (below(&chance, 6) == 0) {
            keys(lines[below(&chance, LINES)]);
        } else if (below(&chance, 12) == 0) {
            keys(ways[below(&chance, sizeof ways / sizeof *ways)]);
        } else if (is_harmless(c) && *c->keys) {
            snprintf(name, sizeof name, "%.*s", (int)strcspn(c->keys, " "), c->keys);
            keys(*name == '<' && name[1] == '\0' ? "<lt>" : name);
        }
        look("what was thrown");
    }
    stop();
}
END_TEST

SUITE(play) {
    Suite *s = suite_create("play");
    TCase *t = tcase_create("play");
    tcase_set_timeout(t, 60);
    tcase_add_loop_test(t, each_command_in_each_view, 0, RICH);
    tcase_add_loop_test(t, each_line_in_each_view, 0, RICH);
    tcase_add_loop_test(t, keys_as_if_thrown, 0, TRACES);
    suite_add_tcase(s, t);
    return s;
}
