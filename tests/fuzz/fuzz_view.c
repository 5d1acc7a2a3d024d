/* fuzz_view.c - keys on a trace. The input: three bytes for size and modes, keys as a terminal
 * sends them, and, from the first magic word on, the trace. Bytes that no terminal sends are
 * actions other than keys: see perform().
 *
 * After any key the screen holds only characters that text.h passes, and drawing twice draws the
 * same. Window, cursor and line stay inside their limits. Every number that was found fast equals
 * what a loop finds. */
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "src/base/text.h"
#include "tests/fuzz/fuzz.h"
#include "tests/lib/sound.h"
#include "tests/lib/sound_grid.h"
#include "ui/app.h"
#include "ui/drawer/tab_name.h"
#include "ui/screen/key_decode.h"
#include "ui/timeline/track_ops.h"
#include "ui/views/view.h"

#define KEYS_MOST 256

enum {                   /* none of these bytes begins a character */
       OP_RESIZE = 0xF8, /* columns and rows follow */
       OP_STEP,          /* a byte follows: reads so many KiB */
       OP_IDLE,
       OP_DRAW,
       OP_WATCH,
};

/* Returns the offset of the trace, or `size`. */
static size_t trace_at(const uint8_t *data, size_t size) {
    static const uint8_t magic[2][8] = {{0x10, 0x00, 0x04, 0x46, 0x78, 0x54, 0x16, 0x00},
                                        {0x00, 0x16, 0x54, 0x78, 0x46, 0x04, 0x00, 0x10}};
    for (size_t i = 0; i + 8 <= size; i++)
        if (memcmp(data + i, magic[0], 8) == 0 || memcmp(data + i, magic[1], 8) == 0)
            return i;
    return size;
}

/* ---- what must hold ---- */

static void inside(const struct app *app) {
    const struct window *w = &app->timeline.window;
    FUZZ_MUST(w->columns > 0 && w->width >= w->columns);
    FUZZ_MUST(w->hi > w->lo && w->from >= w->lo &&
              (w->width > w->hi - w->lo || w->from <= w->hi - w->width));
    FUZZ_MUST(app->reload.version != trace_version(app->trace) ||
              (app->timeline.cursor >= w->lo &&
               (app->timeline.cursor <= w->hi || app->timeline.cursor - w->from < w->width)));
    FUZZ_MUST(app->timeline.line < app->timeline.tracks.lines ||
              (app->timeline.line == 0 && app->timeline.tracks.lines == 0));
    FUZZ_MUST(strlen(app->message.text) < sizeof app->message.text);
}

static void drawn(struct app *app) {
    app_update(app);
    app_draw(app);
    FUZZ_MUST(sound_grid(&app->grid));
    inside(app);
}

/* After all background work. */
static void settled(struct app *app) {
    app_update(app);
    for (int i = 0; i < 1000 && app_idle(app); i++)
        ;
    drawn(app);
}

static void same_screen(const struct grid *got, const struct grid *wanted) {
    FUZZ_MUST(got->cols == wanted->cols && got->rows == wanted->rows);
    for (int i = 0; i < got->cols * got->rows; i++) {
        const struct cell *a = &got->cells[i], *b = &wanted->cells[i];
        if (memcmp(a->cp, b->cp, sizeof a->cp) == 0 && style_eq(a->look, b->look))
            continue;
        grid_print(wanted, stderr, COLOR_MONO);
        grid_print(got, stderr, COLOR_MONO);
        fuzz_unsound("the second screen is not the first in column %d of row %d", i % got->cols,
                     i / got->cols);
    }
}

static void drawn_twice(struct app *app) {
    size_t n = (size_t)app->grid.cols * (size_t)app->grid.rows * sizeof *app->grid.cells;
    drawn(app);
    struct grid before = app->grid;
    before.cells = memcpy(err_malloc(n), before.cells, n);
    app_draw(app);
    same_screen(&app->grid, &before);
    free(before.cells);
}

/* Read in pieces, looked at after each, it ends as the same screen as a trace that was read at
 * once. */
static void drawn_in_pieces(struct app *whole, const char *path, size_t piece) {
    struct trace_options options = {0};
    struct err err;
    static struct app app;
    struct trace *trace = trace_open(path, &options, &err);
    FUZZ_MUST(trace != NULL);
    app_init(&app, trace, whole->grid.cols, whole->grid.rows, whole->grid.ascii);
    while (trace_step(trace, piece) != TRACE_COMPLETE) {
        app_update(&app);
        if (piece > 64)
            drawn(&app);
    }
    settled(&app);
    settled(whole);
    same_screen(&app.grid, &whole->grid);
    app_free(&app);
    trace_free(trace);
}

/* ---- found again the slow way ---- */

/* The rows in sight, in the columns in sight. */
static void columns(struct app *app) {
    char why[200];
    struct track_line line;
    if (app->layout.too_small)
        return;
    int64_t *edges = err_malloc(((size_t)app->timeline.window.columns + 1) * sizeof *edges);
    window_edges(&app->timeline.window, edges);
    for (uint64_t at = app->timeline.top; at < app->timeline.top + (uint64_t)app->layout.track_rows;
         at++)
        if (track_line_at(app->trace, &app->timeline.tracks, at, &line) && line.lane &&
            line.lane->n > 0 && !sound_lane(line.lane, edges, app->timeline.window.columns, why))
            fuzz_unsound("line %llu: %s", (unsigned long long)at, why);
    free(edges);
}

struct tally {     /* of all that has a name; a slice with a damaged time is a hit alone */
    uint64_t hits; /* of the search */
    uint64_t named, threads; /* that are called like the selected one; threads with one */
    uint64_t same, longer;   /* of these, that have ended */
    int64_t total;
};

struct of_row { /* as the search numbers it */
    uint32_t track, row;
};

#define NO_NAME UINT32_MAX

static void count_lane(struct app *app, const struct lane *lane, struct of_row at, uint32_t name,
                       int64_t dur, struct tally *t) {
    uint64_t before = t->named;
    for (uint32_t i = 0; i < lane->n; i++) {
        const struct slice *s = lane_at(lane, i);
        uint32_t own = trace_packed_name(app->trace, s->begin_word);
        t->hits += app->find.search && search_draws(app->find.search, at.track, at.row, i, own);
        if (own != name || trace_damaged_slice(app->trace, s))
            continue;
        t->named++;
        if (slice_open(s))
            continue;
        t->same++;
        t->longer += slice_dur(s) > dur;
        if (__builtin_add_overflow(t->total, slice_dur(s), &t->total))
            t->total = INT64_MAX;
    }
    t->threads += t->named > before; /* per row; of threads the caller makes one of them */
}

static struct tally count_all(struct app *app, const struct selection *selection, uint32_t name,
                              int64_t dur) {
    struct tally t = {0};
    const struct async *async = trace_async(app->trace);
    for (size_t k = 0; k < trace_thread_count(app->trace); k++) {
        struct thread *thread = trace_thread(app->trace, k);
        uint64_t threads = t.threads;
        size_t n;
        if (trace_thread_hidden(app->trace, thread))
            continue;
        for (uint32_t row = 0; row < thread->nest.nlanes; row++)
            count_lane(app, &thread->nest.lanes[row], (struct of_row){(uint32_t)k, row},
                       selection->kind == &track_thread_slice ? name : NO_NAME, dur, &t);
        t.threads = t.threads > threads ? threads + 1 : threads;
        const struct instant *v = trace_instants(thread, &n);
        for (size_t i = 0; app->find.search && i < n; i++)
            t.hits += search_draws(app->find.search, (uint32_t)k, SEARCH_INSTANT, (uint32_t)i,
                                   trace_packed_name(app->trace, v[i].packed));
    }
    uint64_t threads = t.threads;
    for (size_t k = 0; k < async_group_count(async); k++) {
        const struct async_group *g = async_group(async, k);
        for (uint32_t row = 0; row < g->nlanes; row++)
            count_lane(app, &g->lanes[row], (struct of_row){SEARCH_ASYNC + (uint32_t)k, row},
                       selection->kind == &track_async_operation ? name : NO_NAME, dur, &t);
        for (size_t i = 0; app->find.search && i < g->instants.n; i++)
            t.hits += search_draws(app->find.search, SEARCH_ASYNC + (uint32_t)k, SEARCH_INSTANT,
                                   (uint32_t)i, g->instants.v[i].name);
    }
    t.threads = threads;
    return t;
}

static void counted(struct app *app) {
    for (int i = 0; i < 100 && app_idle(app); i++)
        ;
    const struct slice *s = session_slice(app->trace, &app->timeline);
    uint32_t name = s ? trace_packed_name(app->trace, s->begin_word) : 0;
    int64_t dur = s ? slice_dur(s) : 0;
    struct tally slow = count_all(app, &app->timeline.selection, name, dur);
    if (app->find.search && app->find.hits_known)
        FUZZ_MUST(strstr(search_pattern(app->find.search), "kind") ||
                  strstr(search_pattern(app->find.search), "hop") || app->find.hits == slow.hits);
    /* numbers of a range are less, and have suites of their own */
    bool whole = !range_any(&app->range.range);
    const struct aggregate_row *same = s && whole ? tab_name_stats(app) : NULL;
    if (same == NULL)
        return;
    FUZZ_MUST(same->durations.v.n == slow.same && sum_ns(same->sum) == slow.total);
    FUZZ_MUST(app->timeline.selection.kind != &track_thread_slice || same->tracks == slow.threads);
    if (dur < INT64_MAX)
        FUZZ_MUST(quantiles_below(&same->durations, dur + 1) == slow.same - slow.longer);
}

/* From hit to hit through all of them, and back to the first. */
static void sought(struct app *app) {
    struct hit hit = {0}, first = {0}, at = {UINT32_MAX, 0, 0, INT64_MIN};
    bool wrapped = false;
    if (app->find.search == NULL || !app->find.hits_known || app->find.hits > 300)
        return;
    for (uint64_t i = 0; i < app->find.hits; i++, at = hit) {
        FUZZ_MUST(search_next(app->find.search, at, true, &hit, &wrapped) && !wrapped);
        FUZZ_MUST(i == 0 || hit.time >= at.time);
        while (!search_rank_step(app->find.search, &hit, TASK_OF(1000)))
            ;
        FUZZ_MUST(search_rank(app->find.search, &hit) == i + 1);
        first = i == 0 ? hit : first;
    }
    if (app->find.hits == 0) {
        FUZZ_MUST(!search_next(app->find.search, at, true, &hit, &wrapped));
        return;
    }
    FUZZ_MUST(search_next(app->find.search, at, true, &hit, &wrapped) && wrapped);
    FUZZ_MUST(hit.thread == first.thread && hit.row == first.row && hit.i == first.i);
}

/* ---- playing ---- */

/* Commands that write files, or may take exponential time by design, are not entered. */
static bool is_harmless(struct app *app) {
    const char *text = prompt_text(&app->prompts.line);
    while (*text == ' ')
        text++;
    size_t repetitions = 0;
    for (const char *s = text; *s; s++)
        repetitions += *s == '+';
    return !(app->prompts.line.label[0] == ':' && *text == 'w') && strpbrk(text, "{\\") == NULL &&
           strlen(text) < 64 && repetitions <= 6;
}

static void press(struct app *app, struct key key) {
    if (key.code == KEY_ENTERED && app_in_prompt(app) && !is_harmless(app))
        key.code = KEY_ESCAPE;
    app_update(app);
    app_key(app, &key);
    inside(app);
}

/* Returns how many bytes were taken. */
static size_t perform(struct app *app, const uint8_t *keys, size_t n) {
    switch (keys[0]) {
    case OP_RESIZE:
        if (n >= 3)
            app_resize(app, keys[1], keys[2] % 100);
        inside(app);
        return n < 3 ? n : 3;
    case OP_STEP:
        if (n >= 2 && trace_state(app->trace) != TRACE_COMPLETE)
            trace_step(app->trace, keys[1] * 1024u);
        app_update(app);
        return n < 2 ? n : 2;
    case OP_IDLE:
        for (int i = 0; i < 20 && app_idle(app); i++)
            ;
        break;
    case OP_DRAW:
        drawn(app);
        break;
    default:
        app_watch(app);
        break;
    }
    return 1;
}

static void play(struct app *app, const uint8_t *keys, size_t n) {
    struct key_decode decoder;
    struct key key;
    key_decode_init(&decoder);
    for (size_t i = 0; i < n && !app->requests.quit;) {
        size_t run = 0;
        while (i + run < n && (keys[i + run] < OP_RESIZE || keys[i + run] > OP_WATCH))
            run++;
        key_decode_feed(&decoder, (const char *)keys + i, run);
        for (int idle = 0; idle < 2; idle++)
            while (!app->requests.quit && key_decode_next(&decoder, app_in_prompt(app), idle, &key))
                press(app, key);
        i += run;
        if (i < n && !app->requests.quit)
            i += perform(app, keys + i, n - i);
    }
    app->requests.quit = QUIT_NO;
}

void fuzz_view(const uint8_t *data, size_t size) {
    struct trace_options options = {0};
    struct err err;
    static struct app app;
    char path[40];
    size_t at = trace_at(data, size);
    if (at < 3 || at == size)
        return;
    int fd = fuzz_hold(data + at, size - at, path);
    struct trace *trace = trace_open(path, &options, &err);
    FUZZ_MUST(trace != NULL);
    bool loaded = data[2] & 1;
    if (loaded)
        trace_load(trace);
    app_init(&app, trace, data[0], data[1] % 100, data[2] & 2);
    if (loaded && data[2] & 4)
        drawn_in_pieces(&app, path, 16 << (data[2] >> 4));
    play(&app, data + 3, at - 3 < KEYS_MOST ? at - 3 : KEYS_MOST);
    for (int i = 0; i < 1000 && trace_state(trace) == TRACE_LOADING; i++)
        trace_step(trace, 65536);
    drawn_twice(&app);
    counted(&app);
    sought(&app);
    columns(&app);
    drawn_twice(&app);
    app_free(&app);
    trace_free(trace);
    close(fd);
}
