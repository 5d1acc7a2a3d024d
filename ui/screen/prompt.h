/* prompt.h - the line editor of : / g and other prompts: UTF-8 text, cursor, history, completion.
 *
 * Keys: characters, Left Right Home End, Backspace (cancels an empty line), Delete, C-w (word), C-u (all before), C-k,
 * C-a C-e (also as Home End; never the only way), Up Down history, Tab S-Tab completion, Enter, Esc and C-c cancel. */
#ifndef FXTOP_PROMPT_H
#define FXTOP_PROMPT_H

#include "src/base/vec.h"
#include "ui/screen/key.h"

struct prompt_history {
    VEC(char *) lines; /* oldest first, no line twice in a row, at most 200 */
};

/* Prompts that take the same kind of text share a history. */
enum prompt_history_id { HISTORY_COMMANDS, HISTORY_SEARCHES, HISTORY_TIMES, HISTORY_TRACKS, PROMPT_HISTORIES };

struct prompt {
    bool active;
    const char *label;  /* shown before the text: ":" "/" "goto "; must outlive the prompt */
    VEC(char) text;     /* UTF-8, not terminated */
    size_t cursor;      /* byte */
    struct prompt_history *history;
    size_t history_at;  /* index, lines.n: the line being typed */
    char *kept;         /* the line being typed while history is shown */
    /* completion: what was typed before Tab, and which candidate is shown */
    char *stem;
    size_t candidate;
    bool completing;
};

enum prompt_result { PROMPT_EDITING, PROMPT_DONE, PROMPT_CANCELLED };

void prompt_open(struct prompt *prompt, const char *label, const char *initial, struct prompt_history *history);
void prompt_close(struct prompt *prompt);
/* Not active any more after PROMPT_DONE (the line is in the history now) and PROMPT_CANCELLED; the text stays.
 * complete(ctx, stem, n): the n-th candidate that begins with stem (whole new line), or NULL; may be NULL itself. */
enum prompt_result prompt_key(struct prompt *prompt, const struct key *key,
                              const char *(*complete)(void *ctx, const char *stem, size_t n), void *ctx);
const char *prompt_text(struct prompt *prompt); /* NUL-terminated, until the next key */
void prompt_free(struct prompt *prompt);
void prompt_history_free(struct prompt_history *history);

#endif
