/* monkey_bad.c - invariants after each key: places of the window, the cursor and the lines,
 * contents of the cells.
 *
 * Each function looks at one part of the application after a frame was drawn. draws_another() draws
 * a second one. */
#include "tests/system/monkey.h"

#include <stdlib.h>
#include <string.h>
#include <wchar.h>

const char *bad_window(const struct app *app) {
    const struct window *w = &app->timeline.window;
    if (w->columns < 1 || w->width < w->columns || w->hi <= w->lo)
        return "a window of less than a nanosecond a column";
    if (w->width < w->hi - w->lo ? w->from < w->lo || w->from > w->hi - w->width : w->from > w->lo)
        return "the window is outside of the trace";
    /* A trace of fewer nanoseconds than columns, or of more than an int64_t holds, is not as long
     * as the window. */
    int64_t end = trace_end(app->trace) > w->hi ? trace_end(app->trace) : w->hi;
    end = w->width > w->hi - w->lo ? w->from + w->width : end;
    if (app->timeline.cursor < w->lo || app->timeline.cursor > end)
        return "the cursor is outside of the trace";
    return NULL;
}

const char *bad_lines(const struct app *app) {
    if (app->timeline.tracks.lines > 0 ? app->timeline.line >= app->timeline.tracks.lines
                                       : app->timeline.line != 0)
        return "the current line is none";
    if (app->timeline.top > app->timeline.tracks.lines)
        return "scrolled past the last line";
    if (app->prompts.line.cursor > app->prompts.line.text.n)
        return "the prompt's cursor is past its text";
    return NULL;
}

const char *bad_text(const char *text) {
    for (struct str s = str_of(text); s.n > 0;) {
        uint32_t cp;
        size_t n = text_decode(s, &cp);
        if (cp == TEXT_BAD || (cp != 0xFFFD && text_strange(cp)))
            return "raw bytes in the message";
        s.s += n;
        s.n -= n;
    }
    return NULL;
}

static const char *bad_cell(const struct grid *grid, const struct cell *cell, int x) {
    if (cell->cp[0] == 0)
        return x > 0 && cell[-1].cp[0] != 0 && wcwidth((wchar_t)cell[-1].cp[0]) == 2
                   ? NULL
                   : "half a character";
    if (grid->ascii && (cell->cp[0] < ' ' || cell->cp[0] > '~' || cell->cp[1] != 0))
        return "a cell that is not ASCII";
    if (cell->cp[0] != 0xFFFD && text_strange(cell->cp[0]))
        return "a strange character in a cell";
    int width = wcwidth((wchar_t)cell->cp[0]);
    if (width < 1 || (width == 2 && (x + 1 >= grid->cols || cell[1].cp[0] != 0)))
        return "a character that does not fit its cells";
    for (int i = 1; i < 3 && cell->cp[i] != 0; i++)
        if (wcwidth((wchar_t)cell->cp[i]) != 0)
            return "a mark that is none";
    return NULL;
}

const char *bad_grid(const struct grid *grid, int cols, int rows) {
    if (grid->cols != cols || grid->rows != rows)
        return "the picture has another size than the screen";
    for (int y = 0; y < rows; y++)
        for (int x = 0; x < cols; x++) {
            const char *why = bad_cell(grid, &grid->cells[(size_t)y * (size_t)cols + (size_t)x], x);
            if (why)
                return why;
        }
    return NULL;
}

const char *draws_another(struct app *app) {
    size_t n = (size_t)app->grid.cols * (size_t)app->grid.rows * sizeof *app->grid.cells;
    struct cell *before = memcpy(err_malloc(n), app->grid.cells, n);
    app_draw(app);
    bool same = true;
    for (size_t i = 0; i < n / sizeof *before; i++) /* their bytes have gaps */
        same = same && memcmp(before[i].cp, app->grid.cells[i].cp, sizeof before->cp) == 0 &&
               before[i].look.fg == app->grid.cells[i].look.fg &&
               before[i].look.bg == app->grid.cells[i].look.bg &&
               before[i].look.attr == app->grid.cells[i].look.attr;
    free(before);
    return same ? NULL : "drawn twice, two pictures";
}
