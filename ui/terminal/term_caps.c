/* term_caps.c - the capabilities of the terminal: type, colours, keys, and the sequences that leave
 * the screen and enter it again. They come from the terminfo database by way of ncurses. */
#define NCURSES_WIDECHAR 1

#include "ui/terminal/builtin/term_builtin.h"
#include "ui/terminal/term_internal.h"

#define key_name curses_key_name /* curses has a function of that name, too */
#include <curses.h>
#undef key_name

#include <langinfo.h>
#include <locale.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>
#include <term.h>

/* The locale's characters, and nothing else of it: numbers keep their point. A UTF-8 locale that
 * this machine does not have (its name came over ssh) is still a promise about the terminal. */
bool term_locale_utf8(void) {
    if (setlocale(LC_CTYPE, "") == NULL) {
        const char *name = getenv("LC_ALL");
        if (name == NULL || *name == '\0')
            name = getenv("LC_CTYPE");
        if (name == NULL || *name == '\0')
            name = getenv("LANG");
        if (name != NULL && (str_has(name, "utf-8") || str_has(name, "utf8")))
            setlocale(LC_CTYPE, "C.UTF-8");
    }
    return strcasecmp(nl_langinfo(CODESET), "UTF-8") == 0;
}

bool term_remote(void) {
    const char *connection = getenv("SSH_CONNECTION"), *tty = getenv("SSH_TTY");
    return (connection && *connection) || (tty && *tty);
}

/* Adds a capability; padding, which only real vt100s need, is left out. */
static void add(struct term_sequence *sequence, const char *s) {
    if (s == NULL || s == (char *)-1)
        return;
    for (; *s != '\0' && sequence->n < sizeof sequence->bytes; s++) {
        if (s[0] == '$' && s[1] == '<' && strchr(s, '>') != NULL)
            s = strchr(s, '>');
        else
            sequence->bytes[sequence->n++] = *s;
    }
}

static bool has(const char *capability) {
    char *s = tigetstr(capability);
    return s != NULL && s != (char *)-1 && *s != '\0';
}

/* Sequences that leave and enter the screen, prepared while memory and locks are available. curses
 * does not enter it again: it would reset the palette that the user gave the terminal (OSC 104). */
void term_caps_sequences(void) {
    struct term_sequence new_leave = {.n = 0}, new_enter = {.n = 0}, *leave = &new_leave,
                         *enter = &new_enter;
    int bottom = term.rows > 0 ? term.rows - 1 : 0;
    if (term.speaks_xterm)
        add(leave, TERM_MOUSE_OFF TERM_PASTE_OFF);
    if (term.synchronized)
        add(leave, TERM_SYNC_OFF);
    add(leave, tigetstr("sgr0"));
    add(leave, tigetstr("op"));
    add(leave, tigetstr("rmacs"));
    add(leave, tigetstr("cnorm"));
    if (!has("rmcup")) { /* no alternate screen: leave the frame, continue below it */
        add(leave, tiparm(tigetstr("cup"), bottom, 0));
        add(leave, tigetstr("el"));
    }
    add(leave, tigetstr("rmcup"));
    add(enter, tigetstr("smcup"));
    if (has("csr"))
        add(enter, tiparm(tigetstr("csr"), 0, bottom));
    add(enter, tigetstr("sgr0"));
    add(enter, tigetstr("rmir"));
    add(enter, tigetstr("smam"));
    if (term.hides_cursor)
        add(enter, tigetstr("civis"));
    term_restore = new_leave;
    term.retake = new_enter;
}

enum known { UNKNOWN, NO_SCREEN, USABLE };

/* Whether a terminal type is known and usable. */
static enum known look_up(const char *name) {
    int error;
    if (setupterm(name, term.out, &error) != OK &&
        (!term_builtin_show(name) || setupterm(name, term.out, &error) != OK))
        return UNKNOWN;
    enum known known = has("cup") && has("clear") && !tigetflag("hc") ? USABLE : NO_SCREEN;
    del_curterm(cur_term);
    return known;
}

static bool starts_with(const char *s, const char *prefix) {
    return strncmp(s, prefix, strlen(prefix)) == 0;
}

static bool is_emulator(const char *name) { /* it understands xterm's modes */
    static const char *const emulators[] = {"xterm",   "alacritty", "kitty",   "foot",   "wezterm",
                                            "ghostty", "rxvt",      "konsole", "gnome",  "vte",
                                            "iterm",   "st-",       "mintty",  "contour"};
    for (size_t i = 0; i < sizeof emulators / sizeof *emulators; i++)
        if (starts_with(name, emulators[i]))
            return true;
    return false;
}

/* TERM, or the nearest type that this machine knows; NULL and err set if there is none. */
const char *term_caps_type(struct term_options *options, struct err *err) {
    const char *name = getenv("TERM");
    bool named = name != NULL && *name != '\0';
    if (!named)
        name = "";
    enum known known = named ? look_up(name) : UNKNOWN;
    if (known == USABLE)
        return name;
    char shown[48];
    text_plain(shown, sizeof shown, str_of(name), TEXT_ASCII);
    if (known == NO_SCREEN || strcmp(name, "dumb") == 0) {
        err_set(err, ERR_NO_OFFSET,
                "TERM=%s cannot position text on the screen; set TERM to your terminal's type",
                shown);
        return NULL;
    }
    static const char *const chain[] = {"xterm-256color", "screen-256color", "screen", "vt100"};
    bool multiplexer = starts_with(name, "tmux") || starts_with(name, "screen");
    size_t first = multiplexer ? 1 : 3;
    for (size_t i = is_emulator(name) ? 0 : first; i < sizeof chain / sizeof *chain; i++) {
        if (i == 1 && !multiplexer)
            i = 3;
        if (look_up(chain[i]) != USABLE)
            continue;
        if (named)
            snprintf(options->note, sizeof options->note, "TERM=%s is unknown: using %s", shown,
                     chain[i]);
        else
            snprintf(options->note, sizeof options->note, "TERM is not set: using %s", chain[i]);
        return chain[i];
    }
    err_set(err, ERR_NO_OFFSET,
            "no description of terminal type '%s': set TERM, or install terminfo", shown);
    return NULL;
}

/* Passes the decoder the sequences of this terminal's keys: it may not know all. */
void term_caps_keys(void) {
    static const struct {
        const char *capability;
        uint32_t code;
    } keys[] = {
        {"kcuu1", KEY_CURSOR_UP},    {"kcud1", KEY_CURSOR_DOWN},  {"kcub1", KEY_CURSOR_LEFT},
        {"kcuf1", KEY_CURSOR_RIGHT}, {"khome", KEY_TO_HOME},      {"kend", KEY_TO_END},
        {"kpp", KEY_PAGE_UP},        {"knp", KEY_PAGE_DOWN},      {"kich1", KEY_INSERT_},
        {"kdch1", KEY_DELETE_},      {"kcbt", KEY_BACKTAB},       {"kbs", KEY_ERASE},
        {"kent", KEY_ENTERED},       {"kf1", KEY_FUNCTION + 1},   {"kf2", KEY_FUNCTION + 2},
        {"kf3", KEY_FUNCTION + 3},   {"kf4", KEY_FUNCTION + 4},   {"kf5", KEY_FUNCTION + 5},
        {"kf6", KEY_FUNCTION + 6},   {"kf7", KEY_FUNCTION + 7},   {"kf8", KEY_FUNCTION + 8},
        {"kf9", KEY_FUNCTION + 9},   {"kf10", KEY_FUNCTION + 10}, {"kf11", KEY_FUNCTION + 11},
        {"kf12", KEY_FUNCTION + 12},
    };
    key_decode_init(&term_decoder);
    for (size_t i = 0; i < sizeof keys / sizeof *keys; i++)
        if (has(keys[i].capability))
            key_decode_define(&term_decoder, tigetstr(keys[i].capability), keys[i].code);
}

/* The number of colours that the terminal has and the user wants. */
enum color_depth term_caps_depth(int wanted) {
    const char *no_color = getenv("NO_COLOR");
    if (wanted < 0 || (wanted == 0 && no_color != NULL && *no_color != '\0') || !has_colors() ||
        start_color() == ERR)
        return COLOR_MONO;
    term.default_colors = use_default_colors() == OK;
    term.direct = COLORS > 256 && (tigetflag("RGB") > 0 || tigetnum("RGB") > 0 || has("RGB"));
    if (term.direct)
        return COLOR_TRUE;
    if (COLORS >= 256)
        return COLOR_256;
    if (COLORS >= 16)
        return COLOR_16;
    return COLORS >= 8 ? COLOR_8 : COLOR_MONO;
}

bool term_caps_xterm(const char *type) {
    return has("kmous") || is_emulator(type);
}

bool term_caps_ascii(const char *type) {
    return starts_with(type, "linux") || starts_with(type, "vt1");
}

/* COLORFGBG is "foreground;background", with a middle part in some terminals: numbers of the first
 * 16 colours. */
static bool color_fgbg(bool *light) {
    const char *s = getenv("COLORFGBG"), *last = s != NULL ? strrchr(s, ';') : NULL;
    if (last == NULL || last[1] < '0' || last[1] > '9')
        return false;
    long color = strtol(last + 1, NULL, 10);
    *light = color == 7 || (color >= 9 && color <= 15);
    return color <= 15;
}

bool term_caps_answers(const char *type) {
    /* its TERM may be that of GNU screen, which does not answer */
    const char *tmux = getenv("TMUX");
    bool mute = starts_with(type, "linux") || starts_with(type, "vt") ||
                (starts_with(type, "screen") && (tmux == NULL || *tmux == '\0'));
    return term.speaks_xterm && !mute;
}

bool term_caps_background(const char *type, int wanted) {
    bool light = wanted == 2;
    bool known = wanted != 0 || color_fgbg(&light);
    style_background(light);
    return !known && term_caps_answers(type) && style_depth() != COLOR_MONO;
}
