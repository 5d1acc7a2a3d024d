/* prompt.c - the line editor of all prompts.
 *
 * The text is UTF-8 without a terminator; cursor and ranges are byte offsets on character
 * boundaries. Moving through the history saves the typed line first. Tab cycles through the
 * candidates and the typed stem; any other key ends it.
 */
#include "ui/screen/prompt.h"

#include <string.h>

#define HISTORY_MAX 200
/* value of prompt.candidate while the typed stem is shown instead of a candidate */
#define STEM_SHOWN SIZE_MAX

static void set_text(struct prompt *prompt, const char *s) {
    size_t n = strlen(s);
    vec_reserve(&prompt->text, n + 1);
    memcpy(prompt->text.v, s, n);
    prompt->text.n = prompt->cursor = n;
}

static void forget(struct prompt *prompt) {
    free(prompt->kept);
    free(prompt->stem);
    prompt->kept = prompt->stem = NULL;
    prompt->completing = false;
    prompt->candidate = STEM_SHOWN;
}

void prompt_open(struct prompt *prompt, const char *label, const char *initial,
                 struct prompt_history *history) {
    forget(prompt);
    prompt->label = label;
    set_text(prompt, initial ? initial : "");
    prompt->history = history;
    prompt->history_at = history ? history->lines.n : 0;
    prompt->active = true;
}

void prompt_close(struct prompt *prompt) {
    prompt->active = false;
    forget(prompt);
}

void prompt_free(struct prompt *prompt) {
    forget(prompt);
    vec_free(&prompt->text);
    *prompt = (struct prompt){0};
}

void prompt_history_free(struct prompt_history *history) {
    for (size_t i = 0; i < history->lines.n; i++)
        free(history->lines.v[i]);
    vec_free(&history->lines);
}

const char *prompt_text(struct prompt *prompt) {
    vec_reserve(&prompt->text, prompt->text.n + 1);
    prompt->text.v[prompt->text.n] = '\0';
    return prompt->text.v;
}

/* ---- editing ---- */

static bool is_middle(const struct prompt *prompt, size_t at) {
    return at < prompt->text.n && ((unsigned char)prompt->text.v[at] & 0xc0) == 0x80;
}

static size_t before(const struct prompt *prompt, size_t at) {
    if (at > 0)
        at--;
    while (at > 0 && is_middle(prompt, at))
        at--;
    return at;
}

static size_t after(const struct prompt *prompt, size_t at) {
    if (at < prompt->text.n)
        at++;
    while (is_middle(prompt, at))
        at++;
    return at;
}

static size_t word_before(const struct prompt *prompt, size_t at) {
    while (at > 0 && prompt->text.v[at - 1] == ' ')
        at--;
    while (at > 0 && prompt->text.v[at - 1] != ' ')
        at--;
    return at;
}

/* Removes [from, to) and leaves the cursor there. */
static void cut(struct prompt *prompt, size_t from, size_t to) {
    if (from == to)
        return;
    memmove(prompt->text.v + from, prompt->text.v + to, prompt->text.n - to);
    prompt->text.n -= to - from;
    prompt->cursor = from;
}

static void insert(struct prompt *prompt, uint32_t c) {
    char s[4];
    size_t n = 0;
    if (c < 0x80) {
        s[n++] = (char)c;
    } else {
        int tail = 1 + (c >= 0x800) + (c >= 0x10000);
        s[n++] = (char)(0xff00 >> (tail + 1) | c >> 6 * tail);
        while (tail-- > 0)
            s[n++] = (char)(0x80 | (c >> 6 * tail & 0x3f));
    }
    vec_reserve(&prompt->text, prompt->text.n + n);
    memmove(prompt->text.v + prompt->cursor + n, prompt->text.v + prompt->cursor,
            prompt->text.n - prompt->cursor);
    memcpy(prompt->text.v + prompt->cursor, s, n);
    prompt->text.n += n;
    prompt->cursor += n;
}

/* Control characters, surrogates and values above Unicode are rejected: a paste may contain
 * them. */
static bool is_text(uint32_t c) {
    return c >= ' ' && !(c >= 0x7f && c < 0xa0) && !(c >= 0xd800 && c < 0xe000) && c < 0x110000;
}

/* ---- history ---- */

static void history_add(struct prompt_history *history, const char *line) {
    size_t n = history->lines.n;
    if (*line == '\0' || (n > 0 && strcmp(history->lines.v[n - 1], line) == 0))
        return;
    if (n >= HISTORY_MAX) {
        free(history->lines.v[0]);
        memmove(history->lines.v, history->lines.v + 1, (n - 1) * sizeof *history->lines.v);
        history->lines.n--;
    }
    vec_push(&history->lines, err_copy(line, strlen(line)));
}

static void history_move(struct prompt *prompt, bool older) {
    struct prompt_history *history = prompt->history;
    if (history == NULL ||
        (older ? prompt->history_at == 0 : prompt->history_at >= history->lines.n))
        return;
    if (prompt->history_at == history->lines.n) {
        free(prompt->kept);
        prompt->kept = err_copy(prompt->text.v, prompt->text.n);
    }
    prompt->history_at += older ? SIZE_MAX : 1;
    if (prompt->history_at < history->lines.n)
        set_text(prompt, history->lines.v[prompt->history_at]);
    else
        set_text(prompt, prompt->kept);
}

/* ---- completion ---- */

static bool in_folder(const struct prompt *prompt) {
    return prompt->text.n > 0 && prompt->text.v[prompt->text.n - 1] == '/';
}

/* Cycles through the candidates; the typed stem comes between the last and the first. If a folder
 * is the only candidate, the next Tab goes into it. */
static void complete_next(struct prompt *prompt, bool forward,
                          const char *(*complete)(void *ctx, const char *stem, size_t n),
                          void *ctx) {
    if (complete == NULL)
        return;
    if (prompt->completing && prompt->candidate == 0 && in_folder(prompt) &&
        complete(ctx, prompt->stem, 1) == NULL)
        prompt->completing = false;
    if (!prompt->completing) {
        free(prompt->stem);
        prompt->stem = err_copy(prompt->text.v, prompt->text.n);
        prompt->candidate = STEM_SHOWN;
        prompt->completing = true;
    }
    size_t n = prompt->candidate;
    if (forward) {
        n = n == STEM_SHOWN ? 0 : n + 1;
    } else if (n == STEM_SHOWN) {
        for (n = 0; complete(ctx, prompt->stem, n);)
            n++;
        n = n == 0 ? STEM_SHOWN : n - 1;
    } else {
        n = n == 0 ? STEM_SHOWN : n - 1;
    }
    const char *line = n == STEM_SHOWN ? NULL : complete(ctx, prompt->stem, n);
    prompt->candidate = line ? n : STEM_SHOWN;
    set_text(prompt, line ? line : prompt->stem);
}

/* ---- keys ---- */

static enum prompt_result finish(struct prompt *prompt, enum prompt_result result) {
    prompt->active = false;
    if (result == PROMPT_DONE && prompt->history)
        history_add(prompt->history, prompt_text(prompt));
    return result;
}

/* Handles the keys that change the text, the cursor or the line of the history. */
static void edit(struct prompt *prompt, uint32_t code) {
    size_t cursor = prompt->cursor;
    switch (code) {
    case KEY_ERASE:
        cut(prompt, before(prompt, cursor), cursor);
        break;
    case KEY_DELETE_:
        cut(prompt, cursor, after(prompt, cursor));
        break;
    case KEY_CTRL('w'):
        cut(prompt, word_before(prompt, cursor), cursor);
        break;
    case KEY_CTRL('u'):
        cut(prompt, 0, cursor);
        break;
    case KEY_CTRL('k'):
        cut(prompt, cursor, prompt->text.n);
        break;
    case KEY_CURSOR_LEFT:
        prompt->cursor = before(prompt, cursor);
        break;
    case KEY_CURSOR_RIGHT:
        prompt->cursor = after(prompt, cursor);
        break;
    case KEY_TO_HOME:
    case KEY_CTRL('a'):
        prompt->cursor = 0;
        break;
    case KEY_TO_END:
    case KEY_CTRL('e'):
        prompt->cursor = prompt->text.n;
        break;
    case KEY_CURSOR_UP:
        history_move(prompt, true);
        break;
    case KEY_CURSOR_DOWN:
        history_move(prompt, false);
        break;
    default:
        if (is_text(code))
            insert(prompt, code);
        break;
    }
}

enum prompt_result prompt_key(struct prompt *prompt, const struct key *key,
                              const char *(*complete)(void *ctx, const char *stem, size_t n),
                              void *ctx) {
    switch (key->code) {
    case KEY_NONE:
    case KEY_POINTER:
    case KEY_RESIZED:
    case KEY_TIMEOUT: /* no key was pressed: a completion goes on */
        return PROMPT_EDITING;
    case KEY_TABBED:
    case KEY_BACKTAB:
        complete_next(prompt, key->code == KEY_TABBED, complete, ctx);
        return PROMPT_EDITING;
    default:
        break;
    }
    bool into = prompt->completing && prompt->candidate != STEM_SHOWN && key->code == '/' &&
                in_folder(prompt);
    prompt->completing = false;
    if (into) /* the folder that was completed is accepted: its / is not doubled */
        return PROMPT_EDITING;
    if (key->code == KEY_ENTERED)
        return finish(prompt, PROMPT_DONE);
    if (key->code == KEY_ESCAPE || key->code == KEY_CTRL('c') ||
        (key->code == KEY_ERASE && prompt->text.n == 0))
        return finish(prompt, PROMPT_CANCELLED);
    edit(prompt, key->code);
    return PROMPT_EDITING;
}
