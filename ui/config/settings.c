/* settings.c - the table of settings. Each one is also changed by a key or a command of its own. */
#include "ui/config/settings.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "src/base/text.h"
#include "ui/command.h"
#include "ui/config/keymap.h"
#include "ui/config/theme.h"
#include "ui/keep/keep_state.h"
#include "ui/timeline/flow_nav.h"

static bool set_mouse(struct app *app, const char *value) {
    app->mouse.on = strcmp(value, "on") == 0;
    return true;
}

static const char *get_mouse(const struct app *app) {
    return app->mouse.on ? "on" : "off";
}

static bool set_cursor(struct app *app, const char *value) {
    app->cursor_shown = strcmp(value, "on") == 0;
    return true;
}

static const char *get_cursor(const struct app *app) {
    return app->cursor_shown ? "on" : "off";
}

static bool set_ascii(struct app *app, const char *value) {
    app->grid.ascii = strcmp(value, "on") == 0;
    return true;
}

static const char *get_ascii(const struct app *app) {
    return app->grid.ascii ? "on" : "off";
}

static const char *const links[] = {
    [LINK_AUTO] = "auto", [LINK_FAST] = "fast", [LINK_SLOW] = "slow"};

static bool set_link(struct app *app, const char *value) {
    int i = LINK_SLOW;
    while (i > 0 && strcmp(links[i], value) != 0)
        i--;
    app->link = (enum link)i;
    return true;
}

static const char *get_link(const struct app *app) {
    return links[app->link];
}

/* Off in the configuration: the one that was kept is not taken up either. */
static bool set_session(struct app *app, const char *value) {
    app->session_off = strcmp(value, "off") == 0;
    if (app->session_off && app->startup.session_own) {
        free(app->startup.session);
        app->startup.session = NULL;
    }
    return true;
}

static const char *get_session(const struct app *app) {
    return app->session_off ? "off" : "on";
}

/* A part of a session. */
static bool place(struct app *app, const char *part, const char *value) {
    char text[40];
    snprintf(text, sizeof text, "%s %s", part, value);
    keep_state_place(app, text);
    return !app->message.is_error;
}

static bool set_order(struct app *app, const char *value) {
    return place(app, "order", value);
}

static bool set_times(struct app *app, const char *value) {
    return place(app, "times", value);
}

static bool set_flows(struct app *app, const char *value) {
    flow_nav_set_mode(app, value);
    return true;
}

static const struct setting {
    const char *name;
    const char *words; /* its values, separated by | */
    bool of_trace;     /* settings_of_trace() */
    bool (*set)(struct app *app, const char *value);
    const char *(*get)(const struct app *app);
} settings[] = {
    {"keys", "default|azerty|dvorak|vi|emacs", false, keymap_choose, keymap_chosen},
    {"theme", "auto|dark|light|contrast|mono|NAME", false, theme_choose, theme_chosen},
    {"mouse", "on|off", false, set_mouse, get_mouse},
    {"ascii", "on|off", false, set_ascii, get_ascii},
    {"cursor", "on|off", false, set_cursor, get_cursor},
    {"link", "auto|fast|slow", false, set_link, get_link},
    {"session", "on|off", false, set_session, get_session},
    {"order", "file|start|name|cpu|covered", true, set_order, keep_state_order},
    {"times", "relative|wall|clock", true, set_times, keep_state_times},
    {"flows", "chain|direct|all|off", true, set_flows, flow_nav_mode_name},
};
#define SETTINGS (sizeof settings / sizeof *settings)

static const struct setting *setting_of(const char *text) {
    size_t n = strcspn(text, " =");
    for (size_t i = 0; i < SETTINGS; i++)
        if (strlen(settings[i].name) == n && memcmp(settings[i].name, text, n) == 0)
            return &settings[i];
    return NULL;
}

bool settings_of_trace(const char *text) {
    const struct setting *setting = setting_of(text);
    return setting && setting->of_trace;
}

/* Whether a value is one of the words; a word in capitals is any text. */
static bool allows(const char *words, const char *value) {
    size_t size = strlen(value);
    for (const char *end; *words; words = *end ? end + 1 : end) {
        end = words + strcspn(words, "|");
        if (*words < 'a' || *words > 'z' ||
            ((size_t)(end - words) == size && memcmp(words, value, size) == 0))
            return true;
    }
    return false;
}

void settings_type(struct app *app, const char *text) {
    const struct setting *setting = setting_of(text);
    size_t n = strcspn(text, " =");
    const char *value = text + n + strspn(text + n, " =");
    char safe[60], now[60];
    text_plain(safe, sizeof safe, str_of(setting ? value : text), app->grid.ascii ? TEXT_ASCII : 0);
    if (setting == NULL) {
        session_say(app, true, "no such setting: %s (:set lists them)", safe);
    } else if (*value && !allows(setting->words, value)) {
        session_say(app, true, "%s is %s, not %s", setting->name, setting->words, safe);
    } else if (*value == 0 || setting->set(app, value)) {
        text_plain(now, sizeof now, str_of(setting->get(app)), app->grid.ascii ? TEXT_ASCII : 0);
        session_say(app, false, "%s=%s", setting->name, now);
        app->dirty = true;
    }
}

/* The n-th word of a list that begins with a stem; *length: its length. */
static const char *nth_word(const char *words, const char *stem, size_t n, size_t *length) {
    size_t size = strlen(stem);
    for (const char *end; *words; words = *end ? end + 1 : end) {
        end = words + strcspn(words, "|");
        *length = (size_t)(end - words);
        bool fits =
            *words >= 'a' && *words <= 'z' && *length >= size && memcmp(words, stem, size) == 0;
        if (fits && n-- == 0)
            return words;
    }
    return NULL;
}

const char *settings_complete(struct app *app, const char *stem, size_t n) {
    struct chars *line = &app->prompts.completion;
    const char *name = stem + strcspn(stem, " "), *value;
    name += strspn(name, " ");
    value = name + strcspn(name, " ");
    const struct setting *setting = *value ? setting_of(name) : NULL;
    size_t length = 0;
    const char *word =
        setting ? nth_word(setting->words, value + strspn(value, " "), n, &length) : NULL;
    for (size_t i = 0; *value == 0 && i < SETTINGS && word == NULL; i++)
        if (strncmp(settings[i].name, name, strlen(name)) == 0 && n-- == 0) {
            word = settings[i].name;
            length = strlen(word);
        }
    if (word == NULL)
        return NULL;
    line->n = 0;
    chars_text(line, "set ");
    if (setting) {
        chars_text(line, setting->name);
        chars_text(line, " ");
    }
    chars_add(line, (struct str){word, length});
    chars_add(line, (struct str){"", 1});
    return line->v;
}

void settings_write(const struct app *app, struct chars *out) {
    char safe[60];
    for (size_t i = 0; i < SETTINGS; i++) {
        text_plain(safe, sizeof safe, str_of(settings[i].get(app)),
                   app->grid.ascii ? TEXT_ASCII : 0);
        chars_text(out, "  ");
        chars_text(out, settings[i].name);
        chars_text(out, "=");
        chars_text(out, safe);
    }
    chars_add(out, (struct str){"", 1});
}
