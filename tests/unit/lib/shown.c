/* shown.c - an app whose grid is ASCII, over a trace that loaded.c read. */
#include "tests/unit/lib/shown.h"
#include "tests/unit/lib/libcheck.h"

#include <stdio.h>
#include <string.h>

#include "tests/unit/lib/loaded.h"
#include "tests/unit/lib/must.h"
#include "ui/timeline/move.h"
#include "ui/views/view_page.h"

struct app shown;

static void frame(void) {
    for (int i = 0; i < 1000 && app_idle(&shown); i++)
        ;
    app_update(&shown);
    app_draw(&shown);
    shown.answer = budget_endless(); /* for actions that are called without a key */
}

static void start(struct trace *trace, int cols, int rows) {
    style_init(COLOR_MONO); /* whatever an earlier test has set */
    app_init(&shown, trace, cols, rows, true);
    frame();
}

void shown_text(const char *text, int cols, int rows) {
    start(loaded_text(text), cols, rows);
}

void shown_fixture(const char *name, int cols, int rows) {
    start(loaded_fixture(name), cols, rows);
}

void shown_close(void) {
    struct trace *trace = shown.trace;
    app_free(&shown);
    trace_free(trace);
}

void shown_keys(const char *keys) {
    struct key key;
    while (key_parse(&keys, &key)) {
        app_key(&shown, &key);
        frame();
    }
    ck_assert_msg(*keys == 0, "no such key: %s", keys);
}

void shown_resize(int cols, int rows) {
    app_resize(&shown, cols, rows);
    frame();
}

const char *shown_row(int y) {
    static char rows[4][512];
    static int next;
    char *row = rows[next++ % 4];
    int n = 0, end = 0;
    MUST(shown.grid.cols < (int)sizeof rows[0]); /* ck_assert() would write a mark for each cell */
    for (int x = 0; x < shown.grid.cols; x++) {
        const struct cell *cell = grid_at(&shown.grid, x, y);
        MUST(cell != NULL);
        row[n++] = cell->cp[0] >= ' ' && cell->cp[0] <= '~' ? (char)cell->cp[0] : '?';
        if (row[n - 1] != ' ')
            end = n;
    }
    row[end] = 0;
    return row;
}

const char *shown_drawer(void) {
    static char text[64 * 512];
    size_t n = 0;
    text[0] = 0;
    for (int y = 1; y < shown.layout.drawer_rows && n + 512 < sizeof text; y++)
        n +=
            (size_t)snprintf(text + n, sizeof text - n, "%s\n", shown_row(shown.layout.drawer + y));
    return text;
}

const char *shown_page(void) {
    static char text[40000];
    const struct pager *pager = view_page_pager(shown.views.current);
    size_t n = 0;
    text[0] = 0;
    for (size_t i = 0; i < pager->lines.n; i++) {
        n += (size_t)snprintf(text + n, sizeof text - n, "%s\n", pager->lines.v[i].text);
        ck_assert_uint_lt(n, sizeof text);
    }
    return text;
}

int shown_find(const char *text) {
    for (int y = 0; y < shown.grid.rows; y++)
        if (strstr(shown_row(y), text))
            return y;
    return -1;
}

bool shown_has(const char *text) {
    return shown_find(text) >= 0;
}

const char *shown_selected(void) {
    static char name[64];
    enum slice_iter_kind kind;
    uint32_t number;
    *name = 0;
    if (selection_name(shown.trace, &shown.timeline.selection, &kind, &number))
        text_plain(name, sizeof name, trace_name(shown.trace, number), TEXT_ASCII);
    return name;
}

static bool is_called(const struct slice *slice, const char *name) {
    struct str is = trace_slice_name(shown.trace, slice);
    return is.n == strlen(name) && memcmp(is.s, name, is.n) == 0;
}

void shown_select(const char *name, int nth) {
    for (size_t t = 0; t < trace_thread_count(shown.trace); t++) {
        struct thread *thread = trace_thread(shown.trace, t);
        for (uint32_t row = 0; row < nest_rows(&thread->nest); row++) {
            const struct lane *lane = nest_row(&thread->nest, row);
            for (uint32_t i = 0; i < lane->n; i++)
                if (is_called(lane_at(lane, i), name) && nth-- == 0) {
                    move_select(&shown, selection_of_slice(thread, row, i));
                    frame();
                    return;
                }
        }
    }
    ck_abort_msg("no such slice: %s", name);
}
