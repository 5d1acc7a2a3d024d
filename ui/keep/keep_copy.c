/* keep_copy.c - makes the texts that y, Y and :w give away.
 *
 * The command line of Y plays the lines of the state (keep_state.h) as keys, or has options
 * instead. All is quoted by src/io/quote.h. */
#include "ui/keep/keep_copy.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "src/base/text.h"
#include "src/base/units.h"
#include "src/io/output_file.h"
#include "src/io/quote.h"
#include "src/io/state_file.h"
#include "ui/drawer/drawer.h"
#include "ui/keep/keep_state.h"
#include "ui/views/view.h"
#include "ui/views/view_blobs.h"
#include "ui/views/view_page.h"
#include "ui/views/view_place.h"

#define SCREEN_PIECE 700 /* bytes of a string that screen(1) passes through */

/* ---- texts ---- */

static void table_text(struct table *table, bool one, struct chars *out) {
    while (!one && table_step(table, NULL)) /* rows that are still put in order */
        ;
    uint32_t n = table_count(table);
    if (!one && n > 0)
        table_copy_titles(table, out);
    for (uint32_t i = 0; i < n; i++)
        if (!one || i == table->at)
            table_copy_row(table, i, out);
}

static void page_text(const struct pager *pager, struct chars *out) {
    for (size_t i = 0; i < pager->lines.n; i++) {
        chars_add(out, str_of(pager->lines.v[i].text));
        chars_add(out, STR("\n"));
    }
}

static void add_text(struct app *app, bool one, struct chars *out) {
    struct view *view = app->views.current;
    if (view->ops->copy)
        view->ops->copy(view, one, out);
    else if (view->ops->modes & MODE_TABLE && view->ops->table)
        table_text(view->ops->table(view), one, out);
    else if (view->ops->modes & MODE_TEXT)
        page_text(view_page_pager(view), out);
    else
        drawer_copy(app, out);
}

void keep_copy_text(struct app *app, struct chars *out) {
    add_text(app, false, out);
}

/* Gives the text to the owner of the terminal. */
static void give(struct app *app, struct chars *text) {
    vec_free(&app->requests.copy);
    app->requests.copy = *text;
    app->requests.copied = true;
}

static void copy(struct app *app, bool one) {
    struct chars text = {0};
    add_text(app, one, &text);
    if (text.n > 0 && memchr(text.v, '\n', text.n) == text.v + text.n - 1)
        text.n--; /* a line that is pasted waits for Enter */
    if (text.n > 0) {
        give(app, &text);
        return;
    }
    vec_free(&text);
    session_say(app, false, "nothing to copy here");
}

void keep_copy_current(struct app *app) {
    copy(app, false);
}

void keep_copy_row(struct app *app) {
    copy(app, true);
}

/* ---- the command line ---- */

static void add_quoted(struct chars *out, struct str word) {
    char *quoted = quote_shell(word, 0, true);
    chars_add(out, str_of(quoted));
    free(quoted);
}

/* The search as a line. One for a name alone is quoted where the prompt would read more than a
 * name. */
static void add_find(const struct search *search, struct chars *out) {
    char *pattern = search_typed(search);
    view_place_command(out, "find", str_of(pattern));
    free(pattern);
}

/* The lines of the state as keys. Each is text that can be typed (quote_line()). */
static void add_keys(struct app *app, struct chars *out) {
    struct chars lines = {0};
    if (app->find.search) {
        add_find(app->find.search, &lines);
        if (!selection_any(&app->timeline.selection))
            chars_add(&lines, STR("deselect\n")); /* the search selected a hit */
    }
    keep_state_write_short(app, &lines);
    for (size_t i = 0, begin = 0; i < lines.n; i++) {
        char c = lines.v[i];
        if (i == begin)
            chars_add(out, STR(":"));
        if (c == '\n')
            begin = i + 1;
        if (c == '\n')
            chars_add(out, STR("<Enter>"));
        else
            chars_add(out, c == '<' ? STR("<lt>") : (struct str){&lines.v[i], 1});
    }
    vec_free(&lines);
}

/* Appends the command to `first`, and copies both. No line feed ends it: a shell would run it as
 * soon as it is pasted. */
static void copy_command(struct app *app, struct chars *first) {
    struct chars text = *first, keys = {0};
    const char *path = trace_path(app->trace);
    char *real = strcmp(path, "-") == 0 ? NULL : realpath(path, NULL);
    chars_add(&text, STR("fxtop --no-session"));
    if (app->find.search || !keep_state_write_options(app, &text))
        add_keys(app, &keys);
    if (keys.n > 0) {
        chars_add(&text, STR(" --keys="));
        add_quoted(&text, (struct str){keys.v, keys.n});
    }
    chars_add(&text, STR(" -- "));
    add_quoted(&text, str_of(real ? real : path));
    free(real);
    vec_free(&keys);
    give(app, &text);
}

void keep_copy_command(struct app *app) {
    copy_command(app, &(struct chars){0});
}

void keep_copy_both(struct app *app) {
    struct chars text = {0};
    add_text(app, true, &text);
    copy_command(app, &text);
}

/* ---- :w ---- */

static void write_to(struct app *app, const char *path, bool over) {
    struct chars text = {0};
    char safe[80], size[32];
    const struct view_ops *ops = app->views.current->ops;
    if (!session_may_write(app, over ? ":w!" : ":w"))
        return;
    if (ops == &view_blobs || ops == &view_blob) {
        (over ? view_blobs_write_over : view_blobs_write)(app, path);
        return;
    }
    keep_copy_text(app, &text);
    text_plain(safe, sizeof safe, str_of(path), app->grid.ascii ? TEXT_ASCII : 0);
    struct err err;
    if (text.n == 0)
        session_say(app, false, "nothing to write here");
    else if (output_file_write(path, over ? OUTPUT_FILE_OVER : 0, text.v, text.n, &err))
        session_say(app, false, "%s written to %s", units_bytes(text.n, size), safe);
    else if (errno == EEXIST)
        session_say(app, true, "%s exists: :w! overwrites it", safe);
    else
        session_say(app, true, "cannot write %s: %s", safe, err.text);
    vec_free(&text);
}

void keep_copy_write(struct app *app, const char *path) {
    write_to(app, path, false);
}

void keep_copy_write_over(struct app *app, const char *path) {
    write_to(app, path, true);
}

/* ---- out of the program ---- */

static void add_base64(struct chars *out, struct str text) {
    static const char digits[] = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
    for (size_t i = 0; i < text.n; i += 3) {
        uint32_t v = 0;
        char four[4];
        for (size_t k = 0; k < 3; k++)
            v = v << 8 | (i + k < text.n ? (unsigned char)text.s[i + k] : 0);
        for (int k = 0; k < 4; k++)
            four[k] = digits[v >> (18 - 6 * k) & 63];
        if (i + 1 >= text.n)
            four[2] = '=';
        if (i + 2 >= text.n)
            four[3] = '=';
        chars_add(out, (struct str){four, 4});
    }
}

void keep_copy_sequence(struct str text, enum keep_copy_mux mux, struct chars *out) {
    struct chars plain = {0};
    chars_add(&plain, STR("\033]52;c;"));
    add_base64(&plain, text);
    chars_add(&plain, STR("\a"));
    if (mux == KEEP_COPY_PLAIN) {
        chars_add(out, (struct str){plain.v, plain.n});
    } else if (mux == KEEP_COPY_TMUX) { /* escapes are doubled inside */
        chars_add(out, (struct str){plain.v, plain.n});
        chars_add(out, STR("\033Ptmux;\033"));
        chars_add(out, (struct str){plain.v, plain.n});
        chars_add(out, STR("\033\\"));
    } else { /* in pieces, each in a string of its own */
        for (size_t i = 0; i < plain.n; i += SCREEN_PIECE) {
            chars_add(out, STR("\033P"));
            chars_add(out, (struct str){plain.v + i,
                                        plain.n - i < SCREEN_PIECE ? plain.n - i : SCREEN_PIECE});
            chars_add(out, STR("\033\\"));
        }
    }
    vec_free(&plain);
}

enum keep_copy_mux keep_copy_mux(void) {
    const char *term = getenv("TERM");
    if (getenv("TMUX"))
        return KEEP_COPY_TMUX;
    return term && strncmp(term, "screen", 6) == 0 ? KEEP_COPY_SCREEN : KEEP_COPY_PLAIN;
}

bool keep_copy_file(struct app *app) {
    const struct chars *copy = &app->requests.copy;
    char path[PATH_MAX], safe[PATH_MAX], size[32];
    struct err err;
    bool fits = copy->n <= KEEP_COPY_MOST;
    app->requests.copied = false;
    units_bytes(copy->n, size);
    if (!state_file_path("copied", true, path, &err) ||
        !state_file_write(path, copy->v, copy->n, &err)) {
        session_say(app, !fits, fits ? "%s copied; no file: %s" : "%s not copied: %s", size,
                    err.text);
        return fits;
    }
    text_plain(safe, sizeof safe, str_of(path), app->grid.ascii ? TEXT_ASCII : 0);
    session_say(app, false, fits ? "%s copied; also in %s" : "%s are in %s", size, safe);
    return fits;
}
