/* help.c - the help screen.
 *
 * Lines are tagged with their group or their command, so that help opens at a group and finds a
 * key. */
#include "ui/help.h"

#include <stdio.h>
#include <string.h>
#include <strings.h>

#include "src/base/text.h"
#include "ui/command.h"
#include "ui/config/keymap.h"
#include "ui/config/settings.h"
#include "ui/legend.h"
#include "ui/views/view_page.h"

#define HELP_WIDE 64 /* columns; narrower screens show the help text below the keys */

#define TAG_GROUP 1000 /* + group; below it: command + 1 */

static void write_command(struct pager *page, int cols, const struct keymap *map, size_t i) {
    const struct command *c = &commands[i];
    char line[300], buf[96];
    const char *keys = keymap_names(map, c->keys, c->modes & MODE_TIMELINE, buf);
    if (keys == buf && strcmp(buf, c->keys) != 0 &&
        c->modes & ~(unsigned)(MODE_TIMELINE | MODE_DRAWER)) {
        size_t n = strlen(buf); /* elsewhere they are those of the manual */
        snprintf(buf + n, sizeof buf - n, " %s", c->keys);
    }
    size_t first = page->lines.n;
    if (cols >= HELP_WIDE) {
        snprintf(line, sizeof line, "  %-16s %-20s %s", keys, c->name, c->help);
        pager_wrap(page, cols, 40, line);
    } else {
        snprintf(line, sizeof line, "  %s  %s", keys, c->name);
        pager_wrap(page, cols, 4, line);
        snprintf(line, sizeof line, "    %s", c->help);
        pager_wrap(page, cols, 4, line);
    }
    page->lines.v[first].tag = i + 1;
}

static const char *const groups[COMMAND_GROUPS] = {"Time",        "Events", "Rows",   "Tracks",
                                                   "Search",      "Views",  "Drawer", "Tables",
                                                   "Flame graph", "Text"};

#define TAG_FILTERS (TAG_GROUP + COMMAND_GROUPS)

/* The language of / and &. */
static void write_filters(struct pager *page, int cols) {
    static const char *const rows[][2] = {
        {"Frame \"a b\" /re/", "the name contains it, or matches; after the key / a second slash"},
        {"name= cat= thread= process=", "whole text; ~ contains, ~/re/ matches, != and !~ do not"},
        {"pid=12 tid= cpu=0 depth<3", "numbers: = != < <= > >="},
        {"kind=slice,instant", "also async flow counter log state"},
        {"dur>5ms self> ts>1.2s hop>", "times with a unit"},
        {"dur>p99", "the percentile of its own name"},
        {"bytes>4k arg.kind=x", "an argument, also as arg.NAME; arg.* is any"},
        {"in=Frame parent= has= flow=", "a slice around it, the next one, one inside, a flow"},
        {"state=blocked", "some time of it; != none"},
        {"open problem", "without an end; named by a problem"},
        {"!dur>1ms a,b", "! negates, commas are or; all terms must hold"},
        {"&: ui cc1 18426", "of tracks: what the gutter shows, or events on them"},
        {"&: dur>1ms", "of tables: their columns, and any text"},
    };
    char line[300];
    pager_add(page, false, 0, "%s", "");
    pager_add(page, true, TAG_FILTERS, "Filters");
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        snprintf(line, sizeof line, cols >= 64 ? "  %-28s %s" : "  %s  %s", rows[i][0], rows[i][1]);
        pager_wrap(page, cols, cols >= 64 ? 31 : 4, line);
    }
}

#define TAG_OWN (TAG_FILTERS + 1)

/* The keys of :map and of the chosen set, and how the screen was set. */
static void write_own(struct pager *page, int cols, const struct app *app) {
    struct chars text = {0};
    char safe[80];
    const char *keys, *line;
    pager_add(page, false, 0, "%s", "");
    pager_add(page, true, TAG_OWN, "Set");
    settings_write(app, &text);
    pager_wrap(page, cols, 2, text.v);
    vec_free(&text);
    for (size_t i = 0; keymap_at(&app->keymap, i, &keys, &line); i++) {
        text_plain(safe, sizeof safe, str_of(line), app->grid.ascii ? TEXT_ASCII : 0);
        pager_add(page, false, 0, "  %-16s %s", keys, safe);
    }
}

void help_write(struct pager *page, const struct app *app) {
    const struct grid *grid = &app->grid;
    legend_write(page, app);
    for (int g = 0; g < COMMAND_GROUPS; g++) {
        pager_add(page, false, 0, "%s", "");
        pager_add(page, true, TAG_GROUP + (uint64_t)g, "%s", groups[g]);
        for (size_t i = 0; i < command_count; i++)
            if (commands[i].group == g)
                write_command(page, grid->cols, &app->keymap, i);
    }
    write_filters(page, grid->cols);
    write_own(page, grid->cols, app);
    pager_add(page, false, 0, "%s", "");
    pager_add(page, true, 0, "Mouse");
    pager_wrap(page, grid->cols, 2,
               "  click selects, the wheel zooms at the pointer, dragging makes a range, on the "
               "ruler it pans; "
               "Shift+drag selects text in the terminal");
}

/* ---- where it opens ---- */

static struct pager *page_of(struct view_state *views) {
    return view_page_pager(view_of(views, &view_help));
}

static void go_to_tag(struct view_state *views, uint64_t tag) {
    struct pager *page = page_of(views);
    for (size_t i = 0; i < page->lines.n; i++)
        if (page->lines.v[i].tag == tag) {
            view_page_go(view_of(views, &view_help), i);
            return;
        }
}

void help_open(struct app *app) {
    unsigned mode = view_modes(app);
    bool again = app->views.current->ops == &view_help;
    view_open(app, &view_help);
    if (again) {
        view_page_go(view_of(&app->views, &view_help), 0);
        return;
    }
    if (mode & MODE_DRAWER)
        go_to_tag(&app->views, TAG_GROUP + GROUP_DRAWER);
    else if (mode & MODE_TABLE)
        go_to_tag(&app->views, TAG_GROUP + GROUP_TABLES);
    else if (mode & MODE_FLAME)
        go_to_tag(&app->views, TAG_GROUP + GROUP_FLAME);
    else if (mode & MODE_TEXT)
        go_to_tag(&app->views, TAG_GROUP + GROUP_TEXT);
}

/* The command of a key, one of the mode first; NULL: the word is no key or has none. */
static const struct command *command_of_key(const char *word, unsigned mode) {
    struct key key;
    uint64_t code = 0;
    for (int n = 0; n < 2 && *word && key_parse(&word, &key); n++)
        code = code << 32 | key.code;
    const struct command *c = *word ? NULL : command_for_key(code, mode);
    return c == NULL && *word == 0 ? command_for_key(code, MODE_ANY) : c;
}

/* The tag of the line about a key, which may lack its angle brackets, or about a command, or of a
 * group; 0: the word is none. Keys of the mode go first. */
static uint64_t tag_of(const char *word, unsigned mode) {
    char bracketed[32];
    const struct command *c = command_of_key(word, mode);
    if (c == NULL)
        c = command_by_name(word, strlen(word));
    if (c == NULL && snprintf(bracketed, sizeof bracketed, "<%s>", word) < (int)sizeof bracketed)
        c = command_of_key(bracketed, mode);
    for (uint64_t g = 0; c == NULL && g < COMMAND_GROUPS; g++)
        if (strcasecmp(groups[g], word) == 0)
            return TAG_GROUP + g;
    if (c == NULL && strcasecmp(word, "filters") == 0)
        return TAG_FILTERS;
    if (c == NULL && strcasecmp(word, "settings") == 0)
        return TAG_OWN;
    return c ? (uint64_t)(c - commands) + 1 : 0;
}

void help_find(struct app *app, const char *word) {
    bool inside = app->views.current->ops == &view_help;
    uint64_t tag = tag_of(word, inside ? MODE_TIMELINE : view_modes(app));
    char safe[60];
    view_open(app, &view_help);
    if (!view_page_seek(view_of(&app->views, &view_help), word) && tag == 0) {
        text_plain(safe, sizeof safe, str_of(word), app->grid.ascii ? TEXT_ASCII : 0);
        session_say(app, true, "nothing in help about \"%s\"", safe);
    }
    if (tag != 0)
        go_to_tag(&app->views, tag);
}
