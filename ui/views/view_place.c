/* view_place.c - writes and runs the lines of the place in a view.
 *
 * The row of a table is its number in the relation, which the same trace, range and filter give
 * again. */
#include "ui/views/view_place.h"

#include <errno.h>
#include <inttypes.h>
#include <limits.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "src/base/text.h"
#include "src/io/quote.h"
#include "ui/views/view_page.h"
#include "ui/views/view_table.h"

/* ---- writing ---- */

void view_place_command(struct chars *out, const char *words, struct str text) {
    char *line = quote_line(words, text);
    chars_text(out, line);
    chars_add(out, STR("\n"));
    free(line);
}

void view_place_line(struct chars *out, const char *fmt, ...) {
    char buf[160];
    va_list ap;
    va_start(ap, fmt);
    vsnprintf(buf, sizeof buf, fmt, ap);
    va_end(ap);
    view_place_command(out, "place in", str_of(buf));
}

int view_place_tab(const char *line, int tabs) {
    unsigned long tab = strncmp(line, "tab ", 4) == 0 ? strtoul(line + 4, NULL, 10) : ULONG_MAX;
    return tab < (unsigned long)tabs ? (int)tab : -1;
}

void view_place_typed(struct chars *out, const char *word, const char *text) {
    char words[40];
    snprintf(words, sizeof words, "place in %s", word);
    view_place_command(out, words, str_of(text));
}

/* One byte of a name; returns its length. */
static size_t name_byte(unsigned char c, char buf[8]) {
    bool plain = c >= 0x20 && c <= 0x7e && c != '\\' && c != '/';
    return (size_t)snprintf(buf, 8, plain ? "%c" : "\\x%02x", c);
}

void view_place_name(struct chars *out, struct str name) {
    char buf[8] = "";
    for (size_t i = 0; i < name.n; i++) {
        size_t n = name_byte((unsigned char)name.s[i], buf);
        chars_add(out, (struct str){buf, n});
    }
}

bool view_place_is_name(struct str name, const char *text, size_t n) {
    char buf[8];
    size_t at = 0;
    for (size_t i = 0; i < name.n; i++) {
        size_t more = name_byte((unsigned char)name.s[i], buf);
        if (more > n - at || memcmp(text + at, buf, more) != 0)
            return false;
        at += more;
    }
    return at == n;
}

void view_place_named(struct chars *out, const char *word, struct str name) {
    chars_add(out, STR("place in "));
    chars_add(out, str_of(word));
    chars_add(out, STR(" "));
    view_place_name(out, name);
    chars_add(out, STR("\n"));
}

void view_place_table(struct table *t, struct chars *out) {
    struct relation_row row;
    bool as_begun = t->sort == t->sort_at_first && t->inverted == (t->sort >= 0);
    if (!as_begun && t->sort >= 0)
        view_place_line(out, "sort %s%s", t->source->relation->columns[t->sort].name,
                        t->inverted ? "" : " up");
    else if (!as_begun)
        view_place_line(out, "sort -%s", t->inverted ? " up" : "");
    if (t->filter)
        view_place_typed(out, "rows", filter_text(t->filter));
    if (t->search)
        view_place_typed(out, "find", filter_text(t->search));
    if (table_current(t, &row) && t->at > 0)
        view_place_line(out, "row %" PRIu64, row.row);
}

void view_place_write(struct app *app, struct chars *out) {
    struct view *view = app->views.current;
    if (view->ops->keep)
        view->ops->keep(view, out);
    if (view->ops->modes & MODE_TABLE && view->ops->table)
        view_place_table(view->ops->table(view), out);
    if (view->ops->modes & MODE_TEXT) {
        const struct pager *pager = view_page_pager(view);
        size_t line = pager->choose ? pager->current : pager->top;
        if (line > 0)
            view_place_line(out, "line %zu", line);
    }
}

/* ---- putting back ---- */

void view_place_forget(struct app *app) {
    app->views.later.n = 0;
}

void view_place_put(struct app *app, const char *line) {
    chars_add(&app->views.later, (struct str){line, strlen(line) + 1});
    app->dirty = true;
}

/* After a word and a blank; NULL: it is another word. */
static const char *after(const char *line, const char *word) {
    size_t n = strlen(word);
    if (strncmp(line, word, n) != 0)
        return NULL;
    if (line[n] == ' ')
        return line + n + 1;
    return line[n] == 0 ? line + n : NULL;
}

/* "total_ns" or "total_ns up"; "-": the order of the rows. */
static bool put_sort(struct table *t, const char *text) {
    const struct relation *relation = t->source->relation;
    size_t n = strcspn(text, " ");
    bool up = strcmp(text + n, " up") == 0;
    int column = -1;
    for (int c = 0; c < relation->ncolumns && c < t->ncolumns; c++)
        if (strlen(relation->columns[c].name) == n &&
            memcmp(relation->columns[c].name, text, n) == 0 && t->columns[c].sorts)
            column = c;
    if (column < 0 && strncmp(text, "-", n) != 0)
        return false;
    bool inverted = column >= 0 ? !up : up;
    if (t->sort == column && t->inverted == inverted)
        return true;
    table_sort_by(t, column);
    if (t->inverted != inverted)
        table_invert(t);
    return true;
}

static bool put_rows(struct app *app, struct table *t, const char *text) {
    struct err err;
    t->origin = trace_begin(app->trace);
    struct filter *filter = table_filter_new(t, text, &err);
    if (filter)
        table_filter(t, filter);
    return filter != NULL;
}

/* The search for n and N; the current row stays. */
static bool put_find(struct app *app, struct table *t, const char *text) {
    struct err err;
    t->origin = trace_begin(app->trace);
    struct filter *filter = table_filter_new(t, text, &err);
    if (filter) {
        table_drop_search(t);
        t->search = filter;
    }
    return filter != NULL;
}

bool view_place_row(struct table *t, const char *text) {
    char *end;
    errno = 0;
    unsigned long long row = strtoull(text, &end, 10);
    if (end == text || *end || errno || row >= t->source->relation->rows(t->ctx) ||
        row >= TABLE_NONE)
        return false;
    table_show(t, (uint32_t)row);
    return true;
}

static bool put_line(struct view *view, const char *text) {
    unsigned long line = strtoul(text, NULL, 10);
    if (line >= view_page_pager(view)->lines.n)
        return false;
    view_page_go(view, line);
    return true;
}

static bool put(struct view *view, const char *line) {
    struct table *t =
        view->ops->modes & MODE_TABLE && view->ops->table ? view->ops->table(view) : NULL;
    const char *rest;
    if (t && (rest = after(line, "sort")))
        return put_sort(t, rest);
    if (t && (rest = after(line, "rows")))
        return put_rows(view->app, t, rest);
    if (t && (rest = after(line, "find")))
        return put_find(view->app, t, rest);
    if (t && (rest = after(line, "row")))
        return view_place_row(t, rest);
    if (view->ops->modes & MODE_TEXT && (rest = after(line, "line")))
        return put_line(view, rest);
    return view->ops->put && view->ops->put(view, line);
}

bool view_place_step(struct app *app) {
    struct chars *later = &app->views.later;
    char safe[80];
    if (later->n == 0)
        return false;
    size_t n = strlen(later->v);
    char *line = err_copy(later->v, n);
    later->n -= n + 1;
    memmove(later->v, later->v + n + 1, later->n);
    struct message before = app->message; /* commands that say what they did are not news here */
    if (put(app->views.current, line)) {
        app->message = before;
    } else {
        text_plain(safe, sizeof safe, (struct str){line, n}, app->grid.ascii ? TEXT_ASCII : 0);
        session_say(app, false, "not here now: %s", safe);
    }
    free(line);
    if (view_is(&app->views, MODE_TABLE))
        view_table_work(app->views.current);
    app->dirty = true;
    return true;
}
