/* prompt.h - the line editor of : / g and the other prompts: UTF-8 text, cursor, history,
 * completion.
 *
 * Left, Right, Home and End move the cursor; C-a and C-e are the same as Home and End. Backspace
 * deletes a character, and cancels an empty line. C-w deletes a word, C-u all before the cursor,
 * C-k all after it. Up and Down go through the history, Tab and S-Tab through completions; after a
 * completed folder / goes into it. Enter ends the prompt; Esc and C-c cancel it. */
#ifndef FXTOP_PROMPT_H
#define FXTOP_PROMPT_H

#include "src/base/vec.h"
#include "ui/screen/key.h"

struct prompt_history {
    VEC(char *) lines; /* oldest first, no line twice in a row, at most 200 */
};

/* Prompts that take the same kind of text share a history. */
enum prompt_history_id {
    HISTORY_COMMANDS,
    HISTORY_SEARCHES,
    HISTORY_TIMES,
    HISTORY_TRACKS,
    HISTORY_SHELL,
    HISTORY_SQL,
    PROMPT_HISTORIES
};

struct prompt {
    bool active;
    const char *label; /* shown before the text: ":" "/" "goto "; must outlive the prompt */
    VEC(char) text;    /* UTF-8, not terminated */
    size_t cursor;     /* byte */
    struct prompt_history *history;
    size_t history_at; /* index of the line shown; lines.n: the typed line */
    char *kept;        /* the typed line while an older one is shown */
    bool completing;   /* a key before this one was Tab */
    char *stem;        /* the text before the first Tab */
    size_t candidate;  /* index of the candidate shown */
};

enum prompt_result { PROMPT_EDITING, PROMPT_DONE, PROMPT_CANCELLED };

void prompt_open(struct prompt *prompt, const char *label, const char *initial,
                 struct prompt_history *history);
void prompt_close(struct prompt *prompt);
/* Handles one key. PROMPT_DONE adds the line to the history; it and PROMPT_CANCELLED end the prompt
 * and keep the text. complete(ctx, stem, n) returns the n-th whole line that stem may become, or
 * NULL after the last; it may be NULL. */
enum prompt_result prompt_key(struct prompt *prompt, const struct key *key,
                              const char *(*complete)(void *ctx, const char *stem, size_t n),
                              void *ctx);
const char *prompt_text(struct prompt *prompt); /* NUL-terminated, until the next key */
void prompt_free(struct prompt *prompt);
void prompt_history_free(struct prompt_history *history);

#endif
