/* completions.c - the list of commands that fit the prompt of :, each with its argument, keys and
 * help.
 *
 * The list has the order of Tab (command_candidate()), and follows the candidate that Tab has
 * chosen. */
#include "ui/completions.h"

#include <stdio.h>
#include <string.h>

#include "src/base/text.h"
#include "src/base/units.h"
#include "ui/command.h"

#define ROWS_MOST 10 /* rows of the list besides its rule */
#define ROWS_LEAST 2
/* rows of the screen that the list leaves: title, ruler, some tracks, prompt and hints */
#define ROWS_OTHER 6

static bool of_commands(const struct prompt_state *prompts) {
    const struct command *command = prompts->command;
    return prompts->line.active && command && command->prompt->complete == command_complete_line;
}

/* The name, or the whole line if an argument is completed: then all rows are of one command, so
 * that the column of keys is left out if it has none. */
static void row(struct app *app, int y, const struct command *c, const char *line) {
    struct grid *g = &app->grid;
    struct look look = style_look(ROLE_TEXT), dim = style_look(ROLE_DIM);
    char name[96];
    bool whole = strchr(line, ' ') != NULL;
    int keys = g->cols >= 100 ? 34 : 30, help = whole && c->keys[0] == 0 ? keys : keys + 14;
    grid_fill(g, 0, y, g->cols, ' ', look);
    snprintf(name, sizeof name, "%s%s%s", line, c->argument && !whole ? " " : "",
             c->argument && !whole ? c->argument : "");
    if (g->cols < 80) /* no space for the keys */
        keys = g->cols, help = g->cols < 60 || (int)strlen(name) > 22 ? (int)strlen(name) + 4 : 26;
    grid_text(g, (struct grid_place){2, y, keys - 1}, str_of(name), look, 0, true);
    grid_ztext(g, 2, y, 2 + (int)strlen(line), line, style_look(ROLE_HEADER));
    if (keys < g->cols)
        grid_text(g, (struct grid_place){keys, y, help - 1}, str_of(c->keys), dim, 0, true);
    if (help < g->cols)
        grid_zcut(g, help, y, c->help, look);
}

/* A path, with the width of the screen, and its end if it is longer. */
static void file_row(struct app *app, int y, const char *line) {
    struct grid *g = &app->grid;
    unsigned flags = g->ascii ? TEXT_ASCII : 0;
    struct str text = str_of(line);
    size_t wide = text_width(text, flags, SIZE_MAX), fits = g->cols > 3 ? (size_t)g->cols - 3 : 1;
    int x = 2;
    grid_fill(g, 0, y, g->cols, ' ', style_look(ROLE_TEXT));
    if (wide > fits) {
        text = text_skip(text, flags, wide - fits + 1);
        grid_put(g, x++, y, grid_glyph(g, GLYPH_ELLIPSIS), style_look(ROLE_DIM));
    }
    grid_text(g, (struct grid_place){x, y, g->cols}, text, style_look(ROLE_HEADER), flags, true);
}

static void choose(struct app *app, int y) {
    grid_put(&app->grid, 0, y, '>', style_look(ROLE_GUTTER_CURRENT));
    grid_look(&app->grid, 1, y, app->grid.cols - 1, style_selected(style_look(ROLE_TEXT)));
}

static void rule(struct grid *grid, int y, size_t first, size_t last, size_t n, const char *what) {
    struct grid *g = grid;
    char text[64];
    grid_fill(g, 0, y, g->cols, grid_glyph(g, GLYPH_RULE), style_look(ROLE_DIM));
    if (last - first < n)
        snprintf(text, sizeof text, " %ss %zu-%zu of %zu ", what, first + 1, last, n);
    else
        snprintf(text, sizeof text, " %zu %s%s ", n, what, n == 1 ? "" : "s");
    grid_ztext(g, 1, y, g->cols, text, style_look(ROLE_HEADER));
}

void completions_draw(struct app *app) {
    struct prompt *prompt = &app->prompts.line;
    int most = app->layout.status - ROWS_OTHER;
    if (!of_commands(&app->prompts) || most < ROWS_LEAST)
        return;
    const char *stem = prompt->completing ? prompt->stem : prompt_text(prompt), *line;
    /* folders are read for Tab alone */
    bool files = prompt->completing && command_wants_file(stem);
    size_t n = files ? command_offers(app, stem) : command_candidates(stem, view_modes(app));
    /* If an argument is typed that is not completed, its command is explained. */
    const struct command *c = n == 0 ? command_by_name(stem, strcspn(stem, " ")) : NULL;
    if (n == 0 && c == NULL)
        return;
    size_t chosen = prompt->completing ? prompt->candidate : SIZE_MAX,
           rows = most < ROWS_MOST ? (size_t)most : ROWS_MOST;
    size_t shown = n < rows ? n : rows;
    if (n < 1)
        shown = 1;
    size_t first = chosen < n && chosen >= shown ? chosen + 1 - shown : 0;
    int y = app->layout.status - (int)shown;
    rule(&app->grid, y - 1, first, first + shown, n < 1 ? 1 : n,
         files && n > 0 ? "choice" : "command");
    for (size_t i = 0; i < shown; i++) {
        if (n == 0)
            line = c->name;
        else if ((c = command_offer(app, stem, first + i, &line)) == NULL)
            continue;
        if (files && n > 0)
            file_row(app, y + (int)i, line);
        else
            row(app, y + (int)i, c, line);
        if (first + i == chosen)
            choose(app, y + (int)i);
    }
}
