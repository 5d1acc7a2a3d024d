/* completions.c - the list of commands that fit the prompt of :, each with its argument, keys and help.
 *
 * The list has the order of Tab (command_candidate()), and follows the candidate that Tab has chosen. */
#include "ui/completions.h"

#include <stdio.h>
#include <string.h>

#include "src/base/units.h"
#include "ui/command.h"

#define ROWS_MOST 10 /* rows of the list besides its rule */
#define ROWS_LEAST 2
#define ROWS_OTHER 6 /* rows of the screen that the list leaves: title, ruler, some tracks, prompt and hints */

static bool of_commands(const struct prompt_state *prompts) {
    const struct command *command = prompts->command;
    return prompts->line.active && command && command->prompt->complete == command_complete_line;
}

/* The name, or the whole line if an argument is completed: then all rows are of one command, so that the column of keys
 * is left out if it has none. */
static void row(struct app *app, int y, const struct command *c, const char *line, bool chosen) {
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
    if (chosen) {
        grid_put(g, 0, y, '>', style_look(ROLE_GUTTER_CURRENT));
        grid_look(g, 1, y, g->cols - 1, style_selected(look));
    }
}

static void rule(struct grid *grid, int y, size_t first, size_t last, size_t n) {
    struct grid *g = grid;
    char text[64];
    grid_fill(g, 0, y, g->cols, grid_glyph(g, GLYPH_RULE), style_look(ROLE_DIM));
    if (last - first < n)
        snprintf(text, sizeof text, " commands %zu-%zu of %zu ", first + 1, last, n);
    else
        snprintf(text, sizeof text, " %zu command%s ", n, n == 1 ? "" : "s");
    grid_ztext(g, 1, y, g->cols, text, style_look(ROLE_HEADER));
}

void completions_draw(struct app *app) {
    struct prompt *prompt = &app->prompts.line;
    int most = app->layout.status - ROWS_OTHER;
    char line[COMMAND_COMPLETION];
    if (!of_commands(&app->prompts) || most < ROWS_LEAST)
        return;
    const char *stem = prompt->completing ? prompt->stem : prompt_text(prompt);
    unsigned modes = view_modes(app);
    size_t n, rows = most < ROWS_MOST ? (size_t)most : ROWS_MOST;
    const struct command *c;
    n = command_candidates(stem, modes);
    if (n == 0) /* an argument is typed that is not completed: its command is explained */
        c = command_by_name(stem, strcspn(stem, " "));
    else
        c = command_candidate(stem, modes, 0, line);
    if (c == NULL)
        return;
    if (n == 0)
        snprintf(line, sizeof line, "%s", c->name);
    size_t chosen = prompt->completing ? prompt->candidate : SIZE_MAX, shown = n < 1 ? 1 : n < rows ? n : rows;
    size_t first = chosen < n && chosen >= shown ? chosen + 1 - shown : 0;
    int y = app->layout.status - (int)shown;
    rule(&app->grid, y - 1, first, first + shown, n < 1 ? 1 : n);
    for (size_t i = 0; i < shown; i++) {
        if (n > 0)
            c = command_candidate(stem, modes, first + i, line);
        if (c)
            row(app, y + (int)i, c, line, first + i == chosen);
    }
}
