/* theme.c - parses looks, and reads themes that users made.
 *
 * A theme changes the table of style.c: the background it is made for, high contrast, no colours,
 * or single roles. A file of a theme has lines of :style, and :theme for one of the others that it
 * begins with. */
#include "ui/config/theme.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "src/base/text.h"
#include "ui/config/config_lines.h"

static const char *const names[] = {[STYLE_AUTO] = "auto",
                                    [STYLE_DARK] = "dark",
                                    [STYLE_LIGHT] = "light",
                                    [STYLE_CONTRAST] = "contrast",
                                    [STYLE_MONO] = "mono"};
#define NAMES (int)(sizeof names / sizeof *names)

/* "12", "#ff8000", "default", or the name of one of eight. False: something else. */
static bool color_of(struct str word, int32_t *color) {
    static const char *const eight[] = {"black", "red",     "green", "yellow",
                                        "blue",  "magenta", "cyan",  "white"};
    char text[16], *end;
    if (word.n == 0 || word.n >= sizeof text)
        return false;
    memcpy(text, word.s, word.n);
    text[word.n] = 0;
    for (int i = 0; i < 8; i++)
        if (strcmp(text, eight[i]) == 0) {
            *color = i;
            return true;
        }
    if (strcmp(text, "default") == 0) {
        *color = LOOK_DEFAULT;
        return true;
    }
    bool rgb = *text == '#';
    size_t digits = strspn(text + rgb, rgb ? "0123456789abcdefABCDEF" : "0123456789");
    unsigned long v = strtoul(text + rgb, &end, rgb ? 16 : 10);
    *color = rgb ? 0x1000000 | (int32_t)v : (int32_t)v;
    return digits > 0 && text[rgb + digits] == 0 && (rgb ? digits == 6 : v < 256);
}

static struct str next_word(const char **text) {
    *text += strspn(*text, " \t");
    struct str word = {*text, strcspn(*text, " \t")};
    *text += word.n;
    return word;
}

/* Adds one word of a look. False: it is none. */
static bool add_word(struct look *look, struct str word, bool *ground) {
    /* in the order of enum attr */
    static const char *const attributes[] = {"bold", "dim", "reverse", "underline"};
    for (int i = 0; i < 4; i++)
        if (str_eq(word, str_of(attributes[i]))) {
            look->attr |= (uint8_t)(1u << i);
            return true;
        }
    if (str_eq(word, STR("on")))
        return *ground = true;
    return color_of(word, *ground ? &look->bg : &look->fg);
}

void theme_style(struct app *app, const char *text) {
    struct look look = {LOOK_DEFAULT, LOOK_DEFAULT, 0};
    char safe[60];
    bool ground = false;
    struct str word = next_word(&text);
    int role = style_role(word);
    text_plain(safe, sizeof safe, word, app->grid.ascii ? TEXT_ASCII : 0);
    if (role < 0) {
        session_say(app, true,
                    "no such role: %s (title, dim, running, slice-1, ..; see fxtop-config(5))",
                    safe);
        return;
    }
    for (word = next_word(&text); word.n > 0; word = next_word(&text))
        if (!add_word(&look, word, &ground)) {
            text_plain(safe, sizeof safe, word, app->grid.ascii ? TEXT_ASCII : 0);
            session_say(app, true,
                        "not a colour: %s (0 to 255, #rrggbb, default, red, ..; on; bold, dim, ..)",
                        safe);
            return;
        }
    style_change(role, look);
    app->requests.redraw = app->dirty = true;
}

/* Keeps the theme that is chosen by name. */
static void chosen(struct app *app, const char *name) {
    snprintf(app->theme, sizeof app->theme, "%s", name);
    app->requests.redraw = app->dirty = true;
}

static bool of_file(struct app *app, const char *name) {
    static const char *const lines[] = {"theme", "style", NULL};
    char safe[60], file[100], path[PATH_MAX];
    text_plain(safe, sizeof safe, str_of(name), app->grid.ascii ? TEXT_ASCII : 0);
    snprintf(file, sizeof file, "themes/%.80s", name);
    if (strchr(name, '/') || *name == '.' || strlen(name) >= sizeof app->theme ||
        !config_lines_path(file, path)) {
        session_say(app, true, "not the name of a theme: %s", safe);
        return false;
    }
    if (app->in_theme) {
        session_say(app, true, "a theme begins with dark, light, contrast or mono, not with %s",
                    safe);
        return false;
    }
    struct config_lines r = {.app = app, .first = lines};
    style_theme(STYLE_AUTO);
    app->in_theme = true;
    bool right = config_lines_run(&r, path);
    app->in_theme = false;
    if (right)
        chosen(app, name);
    return right;
}

bool theme_choose(struct app *app, const char *name) {
    int i = 0;
    while (i < NAMES && strcmp(names[i], name) != 0)
        i++;
    if (i == NAMES)
        return of_file(app, name);
    style_theme((enum style_theme)i);
    chosen(app, name);
    return true;
}

const char *theme_chosen(const struct app *app) {
    return app->theme[0] ? app->theme : names[STYLE_AUTO];
}

void theme_type(struct app *app, const char *text) {
    if (theme_choose(app, text))
        session_say(app, false, "theme=%s", theme_chosen(app));
}
