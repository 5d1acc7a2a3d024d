/* view_page.c - keys and frame of the views that are text: the pager from row 1 on, and a line that
 * counts its lines.
 */
#include "ui/views/view_page.h"

#include <stdio.h>

#include "src/base/text.h"
#include "src/base/units.h"
#include "ui/status.h"

struct pager *view_page_pager(struct view *view) {
    return &((struct view_page *)view->state)->pager;
}

static int text_rows(const struct grid *grid) {
    return grid->rows > 3 ? grid->rows - 3 : 1;
}

struct view_page *view_page_new(void (*fill)(struct view *view)) {
    struct view_page *page = err_calloc(1, sizeof *page);
    page->fill = fill;
    return page;
}

void view_page_free(struct view *view) {
    pager_clear(view_page_pager(view));
    free(view->state);
}

static void fill(struct view *view) {
    struct view_page *page = view->state;
    struct pager before = page->pager;
    page->pager = (struct pager){0};
    pager_take_searches(&page->pager, &before);
    pager_clear(&before);
    page->partial = trace_state(view->app->trace) == TRACE_LOADING;
    page->fill(view);
    page->typed_lines = pager_typed(&page->pager);
}

/* The same text of the trace and the screen as they are now, on the same line. */
static void refill(struct view *view) {
    struct pager *pager = view_page_pager(view);
    size_t line = pager->choose ? pager->current : pager->top;
    fill(view);
    pager_move(pager, (int64_t)line, text_rows(&view->app->grid));
}

bool view_page_open(struct view *view) {
    pager_drop_search(view_page_pager(view));
    pager_type(view_page_pager(view), NULL);
    fill(view);
    return true;
}

bool view_page_open_over(struct view *view) {
    if (view->app->views.current != view)
        view->back = view->app->views.current;
    return view_page_open(view);
}

bool view_page_update(struct view *view, bool renewed) {
    struct view_page *page = view->state;
    if (renewed || (page->partial && trace_state(view->app->trace) != TRACE_LOADING))
        refill(view);
    return true;
}

void view_page_is_of(struct view *view, uint32_t serial) {
    struct view_page *page = view->state;
    if (page->serial == serial)
        return;
    page->serial = serial;
    struct pager *pager = &page->pager;
    int64_t rest = (int64_t)(pager->lines.n - pager->top);
    bool first = pager->top == 0;
    refill(view);
    if (!first)
        pager_move(pager, (int64_t)(pager->lines.n - pager->top) - rest,
                   text_rows(&view->app->grid));
    view->app->dirty = true;
}

void view_page_resize(struct view *view) {
    refill(view);
}

/* "3 of 120 lines" while a search is typed. */
static void typed_words(struct app *app, const struct view_page *page) {
    char a[32], b[32];
    app->prompts.found[0] = 0;
    if (page->pager.typed)
        snprintf(app->prompts.found, sizeof app->prompts.found, "%s of %s lines ",
                 units_count(page->typed_lines, false, a),
                 units_count(page->pager.lines.n, false, b));
}

void view_page_draw(struct view *view) {
    struct app *app = view->app;
    const struct pager *pager = view_page_pager(view);
    pager_draw(pager, &app->grid, 1, app->grid.rows - 3);
    typed_words(app, view->state);
    if (app->grid.rows < 3 || status_draw_message(app))
        return;
    char text[80];
    size_t last = pager->top + (size_t)(app->grid.rows - 3), n = pager->lines.n;
    if (pager->top == 0 && last >= n)
        snprintf(text, sizeof text, n == 1 ? "%zu line" : "%zu lines", n);
    else
        snprintf(text, sizeof text, "lines %zu-%zu of %zu", pager->top + 1, last < n ? last : n, n);
    status_draw_texts(app, text, "");
}

uint64_t view_page_tag(struct view *view) {
    const struct pager *pager = view_page_pager(view);
    return pager->choose && pager->current < pager->lines.n ? pager->lines.v[pager->current].tag
                                                            : 0;
}

/* ---- keys ---- */

void view_page_move(struct app *app, int64_t lines) {
    if (view_is(&app->views, MODE_TEXT))
        pager_move(view_page_pager(app->views.current), lines, text_rows(&app->grid));
}

void view_page_pointer(struct view *view, const struct key *key) {
    if (key->what == POINTER_WHEEL_UP || key->what == POINTER_WHEEL_DOWN)
        pager_move(view_page_pager(view), key->what == POINTER_WHEEL_UP ? -3 : 3,
                   text_rows(&view->app->grid));
}

void view_page_down(struct app *app) {
    view_page_move(app, 1);
}

void view_page_up(struct app *app) {
    view_page_move(app, -1);
}

void view_page_screen_down(struct app *app) {
    view_page_move(app, text_rows(&app->grid));
}

void view_page_screen_up(struct app *app) {
    view_page_move(app, -text_rows(&app->grid));
}

void view_page_half_down(struct app *app) {
    view_page_move(app, (text_rows(&app->grid) + 1) / 2);
}

void view_page_half_up(struct app *app) {
    view_page_move(app, -(text_rows(&app->grid) + 1) / 2);
}

static void section(struct app *app, int direction) {
    if (view_is(&app->views, MODE_TEXT))
        pager_section(view_page_pager(app->views.current), direction, text_rows(&app->grid));
}

void view_page_section_down(struct app *app) {
    section(app, 1);
}

void view_page_section_up(struct app *app) {
    section(app, -1);
}

void view_page_start(struct app *app) {
    view_page_move(app, INT32_MIN);
}

void view_page_end(struct app *app) {
    view_page_move(app, UINT32_MAX);
}

bool view_page_seek(struct view *view, const char *text) {
    return pager_search(view_page_pager(view), text, 1, text_rows(&view->app->grid));
}

void view_page_go(struct view *view, size_t line) {
    pager_go(view_page_pager(view), line, text_rows(&view->app->grid));
}

static void search(struct app *app, struct view *view, const char *text, int direction) {
    struct pager *pager = view_page_pager(view);
    char safe[60];
    if (pager_search(pager, text, direction, text_rows(&app->grid)))
        return;
    if (pager->pattern == NULL) {
        session_say(app, true, "no search yet: / finds text");
        return;
    }
    text_plain(safe, sizeof safe, str_of(pager->pattern), app->grid.ascii ? TEXT_ASCII : 0);
    session_say(app, true, "no line matches \"%s\"", safe);
}

void view_page_find(struct view *view, const char *text) {
    struct pager *pager = view_page_pager(view);
    pager_type(pager, NULL);
    if (*text) {
        search(view->app, view, text, 1);
        return;
    }
    if (pager->pattern)
        session_say(view->app, false, "search dropped");
    pager_drop_search(pager);
}

void view_page_find_typed(struct app *app, const char *text) {
    struct view_page *page = app->views.current->state;
    pager_type(&page->pager, *text ? text : NULL);
    page->typed_lines = pager_typed(&page->pager);
}

void view_page_find_cancelled(struct app *app) {
    pager_type(view_page_pager(app->views.current), NULL);
}

static void find_again(struct app *app, int direction) {
    if (view_is(&app->views, MODE_TEXT))
        search(app, app->views.current, NULL, direction);
}

void view_page_find_next(struct app *app) {
    find_again(app, 1);
}

void view_page_find_previous(struct app *app) {
    find_again(app, -1);
}
