/* hints.c - the hint line and the message for unknown keys, both from the command table.
 *
 * Hints are drawn one after the other until one does not fit. First come those of a search or a
 * filter, then those of the view. Hints of the mode follow in the order of the table. Help and quit
 * are never crowded out. A key that has a hint already is not hinted at again. */
#include "ui/hints.h"

#include <ctype.h>
#include <stdio.h>
#include <string.h>

#include "ui/command.h"
#include "ui/config/keymap.h"

/* ---- the line ---- */

#define HINTS 48 /* keys remembered: more than a line has */

struct line {
    struct grid *grid;
    const struct keymap *map; /* keys of the manual are shown as those to be typed in `mode` */
    unsigned mode;
    int x, y;
    int reserved;            /* columns for help and quit */
    const char *keys[HINTS]; /* hints drawn */
    int n;
    bool full; /* one did not fit: none of less priority follows */
};

static int width(const char *hint) {
    return (int)text_width(str_of(hint), 0, 200) + 2;
}

/* Bytes of the key that a hint begins with: up to a blank, or to that after the second sign of "[ ]
 * flow". */
static size_t key_length(const char *hint) {
    size_t n = strcspn(hint, " ");
    while (hint[n] && ispunct((unsigned char)hint[n + 1]))
        n += 1 + strcspn(hint + n + 1, " ");
    return n;
}

static bool same_key(const char *a, const char *b) {
    size_t n = key_length(a);
    return n == key_length(b) && memcmp(a, b, n) == 0;
}

static bool drawn(const struct line *line, const char *hint) {
    for (int i = 0; i < line->n; i++)
        if (same_key(line->keys[i], hint))
            return true;
    return false;
}

/* Draws a hint, its key in another look, if there is space for it. `rest` columns stay free. */
static void put(struct line *line, const char *hint, int rest) {
    char buf[96];
    int x = line->x, space = (int)key_length(hint);
    if (drawn(line, hint) || line->n == HINTS)
        return;
    if (x + width(hint) - 2 >= line->grid->cols - rest) {
        line->full = true;
        return;
    }
    line->keys[line->n++] = hint;
    hint = keymap_hint(line->map, hint, line->mode, buf);
    int after = grid_ztext(line->grid, x, line->y, x + space, hint, style_look(ROLE_HINT_KEY));
    line->x = grid_ztext(line->grid, after, line->y, line->grid->cols, hint + space,
                         style_look(ROLE_HINT)) +
              2;
}

static void put_all(struct line *line, const char *const *hints) {
    for (; hints && *hints && !line->full; hints++)
        put(line, *hints, line->reserved);
}

/* ---- of a prompt ---- */

static void prompt_hints(struct line *line, const struct app *app) {
    const struct prompt *prompt = &app->prompts.line;
    const struct command *command = app->prompts.command;
    const struct command_prompt *asked = command->prompt;
    char enter[32], again[48];
    const char *empty = prompt->text.n == 0 && asked->enter_empty ? asked->enter_empty(app) : NULL;
    snprintf(enter, sizeof enter, "Enter %s", empty ? empty : asked->enter);
    put(line, enter, 0);
    put(line, "Esc cancel", 0);
    if (asked->again && prompt->text.n == 0) {
        snprintf(again, sizeof again, "%s %s", command->keys, asked->again);
        put(line, again, 0);
    }
    if (asked->complete || (command->argument && strchr(command->argument, '|')))
        put(line, "Tab complete", 0);
    if (prompt->history && prompt->history->lines.n > 0)
        put(line, "Up/Down earlier", 0);
    put_all(line, asked->hints_here ? asked->hints_here(app) : asked->hints);
}

/* ---- of the mode ---- */

/* "zz": its hint is shown after the first key. */
static bool is_sequence(const char *keys) {
    return keys[0] && keys[1] && keys[1] != ' ' && !strchr(keys, '<');
}

static bool is_essential(const struct command *c) {
    return strcmp(c->name, "help") == 0 || strcmp(c->name, "quit") == 0;
}

/* Whether :map gave the key that a hint begins with to another command. */
static bool is_taken(const struct line *line, const char *hint) {
    size_t n = strcspn(hint, "/ ");
    uint32_t key = keymap_key(line->map, (unsigned char)*hint, line->mode);
    return n == 1 && keymap_line(line->map, key, line->mode) != NULL;
}

static void mode_hints(struct line *line, const struct app *app, unsigned mode) {
    static const char *const drawer[] = {"Tab timeline", NULL};
    for (size_t i = 0; i < command_count; i++)
        if (is_essential(&commands[i]) && commands[i].modes & mode)
            line->reserved += width(commands[i].hint);
    for (size_t i = 0; i < command_count; i++)
        if (commands[i].effects & COMMAND_HINTS_FIRST && commands[i].modes & mode &&
            commands[i].when(app) && !is_taken(line, commands[i].hint))
            put(line, commands[i].hint, line->reserved);
    struct view *view = app->views.current;
    if (app->drawer.focus && mode == MODE_DRAWER)
        put_all(line, drawer);
    else
        put_all(line, view->ops->hints_here ? view->ops->hints_here(view) : view->ops->hints);
    for (size_t i = 0; i < command_count; i++) {
        const struct command *c = &commands[i];
        if (c->hint == NULL || !(c->modes & mode) || (c->when && !c->when(app)) ||
            is_sequence(c->keys) || is_taken(line, c->hint))
            continue;
        if (is_essential(c))
            line->reserved -= width(c->hint);
        if (!line->full || is_essential(c))
            put(line, c->hint, line->reserved);
    }
}

/* ---- of a prefix ---- */

/* Calls put(ctx, keys, command) for every sequence of this mode that begins with a key. */
static void each_sequence(uint32_t prefix, unsigned mode, void *ctx,
                          void (*put_one)(void *ctx, const char *keys,
                                          const struct command *command)) {
    for (size_t i = 0; i < command_count; i++) {
        const char *keys = commands[i].keys;
        struct key first, second;
        if (!(commands[i].modes & mode) || strchr(keys, ' ') || !key_parse(&keys, &first) ||
            first.code != prefix)
            continue;
        if (key_parse(&keys, &second))
            put_one(ctx, commands[i].keys, &commands[i]);
    }
}

/* m and ' take a letter, which no command names. */
static bool put_marks(struct line *line, uint32_t prefix) {
    static const char *const set[] = {"a-z set this mark", "' set what '' visits", "Esc back",
                                      NULL};
    static const char *const go[] = {"a-z go to this mark", "' go back to before the jump",
                                     "Esc back", NULL};
    if (prefix == 'm' || prefix == '\'')
        put_all(line, prefix == 'm' ? set : go);
    return prefix == 'm' || prefix == '\'';
}

static void put_sequence(void *ctx, const char *keys, const struct command *command) {
    char hint[64];
    struct line *line = ctx;
    snprintf(hint, sizeof hint, "%s %s", keys, command->name);
    put(line, command->hint ? command->hint : hint, 0);
    line->n = 0; /* the text does not last; sequences differ anyway */
}

static void put_own(void *ctx, const char *keys, const char *command) {
    char hint[96];
    struct line *line = ctx;
    unsigned mode = line->mode;
    snprintf(hint, sizeof hint, "%s %.*s", keys, 40, command);
    line->mode = 0; /* they are shown as they are typed */
    put(line, hint, 0);
    line->mode = mode;
    line->n = 0;
}

void hints_draw(struct app *app) {
    struct line line = {.grid = &app->grid,
                        .map = &app->keymap,
                        .mode = view_modes(app),
                        .x = 1,
                        .y = app->layout.hint};
    unsigned mode = line.mode;
    uint32_t prefix = app->timeline.prefix, own = app->keymap.prefix;
    if (line.y < 0)
        return;
    if (app->prompts.line.active) {
        line.mode = 0;
        prompt_hints(&line, app);
        return;
    }
    if (own != 0)
        keymap_sequences(&app->keymap, own, mode, &line, put_own);
    if (prefix != 0 && !put_marks(&line, prefix))
        each_sequence(prefix, mode, &line, put_sequence);
    else if (prefix == 0 && own == 0)
        mode_hints(&line, app, mode);
}

/* ---- unknown keys ---- */

struct near {
    const struct app *app;
    unsigned mode;
    char text[160]; /* "o order, O ..." */
    char keys[40];  /* "o O": if there are too many for their names */
    int n;
};

static void append(char *text, size_t cap, const char *separator, const char *s) {
    size_t n = strlen(text);
    snprintf(text + n, cap - n, "%s%s", n > 0 ? separator : "", s);
}

/* Adds a command that does something now. */
static void add(void *ctx, const char *keys, const struct command *command) {
    struct near *near = ctx;
    char one[64], typed[96];
    if (command->when && !command->when(near->app))
        return;
    keys = keymap_names(&near->app->keymap, keys, near->mode, typed);
    snprintf(one, sizeof one, "%s %s", keys, command->name);
    append(near->text, sizeof near->text, ", ", one);
    append(near->keys, sizeof near->keys, " ", keys);
    near->n++;
}

static void add_key(struct near *near, uint32_t key, unsigned mode) {
    char name[16];
    const struct command *command = command_for_key(key, mode);
    if (command)
        add(near, key_name(key, name), command);
}

/* Adds keys close to this one: the letter in the other case or without Ctrl, sequences that begin
 * with it, digits. */
static void add_near(struct near *near, uint32_t key, unsigned mode) {
    uint32_t plain = key > KEY_CTRL_BASE && key < KEY_CTRL_BASE + 0x80 ? key - KEY_CTRL_BASE : key;
    if (plain >= '0' && plain <= '9') {
        for (uint32_t digit = '1'; digit <= '9'; digit++)
            add_key(near, digit, mode);
        return;
    }
    if (plain >= 0x80 || !isalpha((int)plain))
        return;
    uint32_t other = (uint32_t)(isupper((int)plain) ? tolower((int)plain) : toupper((int)plain));
    if (plain != key)
        add_key(near, plain, mode);
    add_key(near, other, mode);
    each_sequence(other, mode, near, add);
}

/* The place in which a key has a meaning, and what leads to it; NULL: there is none. */
static const char *place_of(uint32_t key, unsigned mode) {
    static const struct {
        unsigned mode;
        const char *place;
    } places[] = {{MODE_TABLE, "in tables (press 5 for the log)"},
                  {MODE_LOG, "in the log (press 5)"},
                  {MODE_FLAME, "in the flame graph (press 3)"},
                  {MODE_TEXT, "in texts such as 9"},
                  {MODE_DRAWER, "in the drawer (press Tab)"}};
    if (command_for_key(key, MODE_TIMELINE))
        return mode == MODE_DRAWER ? "on the timeline (press Tab)" : "on the timeline (press 1)";
    for (size_t i = 0; i < sizeof places / sizeof *places; i++)
        if (command_for_key(key, places[i].mode))
            return places[i].place;
    return NULL;
}

void hints_unknown_key(struct app *app, uint64_t code) {
    uint32_t prefix = (uint32_t)(code >> 32), key = (uint32_t)code;
    unsigned mode = view_modes(app);
    struct near near = {.app = app, .mode = mode, .text = ""};
    char first[16] = "", name[16];
    if (prefix != 0 && key == KEY_ESCAPE)
        return;
    if (prefix != 0) {
        key_name(keymap_key(&app->keymap, prefix, mode), first);
        each_sequence(prefix, mode, &near, add);
    } else {
        add_near(&near, key, mode);
    }
    key_name(keymap_key(&app->keymap, key, mode), name);
    const char *place = prefix == 0 ? place_of(key, mode) : NULL;
    const char *others = near.n > 2 ? near.keys : near.text;
    if (place)
        session_say(app, false, "%s works %s; ? help%s%s", name, place,
                    near.n > 0 ? ", near: " : "", others);
    else
        session_say(app, false, "unknown key %s%s; ? help%s%s", first, name,
                    near.n > 0 ? ", near: " : "", others);
}
