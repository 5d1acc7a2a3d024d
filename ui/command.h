/* command.h - the table of commands: name, keys, modes, help, action, argument and prompt, one row
 * each.
 *
 * Dispatch, prompts, the help screen, the hint line, completion, --list-keys and the check of the
 * manual page read it.
 */
#ifndef FXTOP_COMMAND_H
#define FXTOP_COMMAND_H

#include <stdio.h>

#include "ui/views/view.h"

enum command_effect {
    COMMAND_MOVES = 1,         /* moves the window: a step of < and > */
    COMMAND_FITS = 2,          /* behaves differently when it is repeated: the second f fits */
    COMMAND_KEEPS_PROBLEM = 4, /* leaves the problem that ! selected as the current one */
    COMMAND_HINTS_FIRST = 8,   /* its hint goes before those of other commands */
};

/* Headings on the help screen, in its order. */
enum command_group {
    GROUP_TIME,
    GROUP_EVENTS,
    GROUP_ROWS,
    GROUP_TRACKS,
    GROUP_SEARCH,
    GROUP_VIEWS,
    GROUP_DRAWER,
    GROUP_TABLES,
    GROUP_FLAME,
    GROUP_TEXT,
    COMMAND_GROUPS
};

/* The prompt that asks for the argument of a command, and its help. */
struct command_prompt {
    const char *label;
    enum prompt_history_id history;
    /* Candidates for Tab: the n-th line that stem may become, NULL after the last. NULL: the words
     * of `argument`. */
    const char *(*complete)(struct app *app, const char *stem, size_t n);
    /* The text that the prompt begins with; returns NULL, with a message, if the command is not
     * available. */
    const char *(*initial)(struct app *app);
    /* After each change of the text, and after Esc; may be NULL. */
    void (*typed)(struct app *app, const char *text);
    void (*cancelled)(struct app *app);
    const char *again; /* the command that the same key runs while the prompt is empty: gg */
    const char *enter; /* what Enter does, for the hint line: "find" */
    /* The word for Enter in an empty prompt; NULL, or a function that returns NULL: the same. */
    const char *(*enter_empty)(const struct app *app);
    const char *const *hints; /* further hints, ends with NULL; may be NULL */
    /* the same in the current view; NULL: `hints` */
    const char *const *(*hints_here)(const struct app *app);
};

struct command {
    const char *name; /* as typed after : */
    const char *keys; /* names, separated by blanks; "": none */
    uint8_t modes;    /* enum command_mode, a set */
    uint8_t group;    /* enum command_group */
    uint8_t effects;  /* enum command_effect, a set */
    const char *help; /* one line */
    const char *hint; /* in the hint line, or NULL; the table's order is its priority */
    bool (*when)(const struct app *app); /* the state in which the hint is shown; NULL: any */
    void (*action)(struct app *app);     /* without an argument; NULL: the prompt asks for one */
    /* "fit|zero|LO..HI": words in lower case are literal, FILE is the name of a file; NULL: none.
     * Tab completes both. */
    const char *argument;
    /* with an argument, or with what was typed into the prompt */
    void (*run)(struct app *app, const char *text);
    const struct command_prompt *prompt; /* NULL: none */
};

/* bytes: the longest name, a blank, the longest word of an argument */
#define COMMAND_COMPLETION 64

extern const struct command commands[]; /* command_table.c */
extern const size_t command_count;

/* code: a key; first << 32 | second for commands of two */
const struct command *command_for_key(uint64_t code, unsigned mode);
/* The command of a key after a prefix (0: none), or after a key that ran a command: yy. */
const struct command *command_for_next(struct app *app, uint32_t prefix, uint32_t key,
                                       unsigned mode);
const struct command *command_by_name(const char *name, size_t n);
void command_run(struct app *app, const struct command *command);
/* Runs "NAME" or "NAME ARGUMENT" as typed after the colon. */
void command_line(struct app *app, const char *text);
/* Completes the name of a command, then its argument: the n-th line in buf and its command, or NULL
 * after the last. The best come first: names that begin with the stem, names that contain it, then
 * help that does; of equals those of the modes. */
const struct command *command_candidate(const char *stem, unsigned modes, size_t n,
                                        char buf[COMMAND_COMPLETION]);
size_t command_candidates(const char *stem, unsigned modes); /* how many there are */
const char *command_complete(const char *stem, size_t n, char buf[COMMAND_COMPLETION]);
/* As command_candidate(), with names of files after the words of an argument. *line lasts until the
 * next call. */
const struct command *command_offer(struct app *app, const char *stem, size_t n, const char **line);
size_t command_offers(struct app *app, const char *stem);
/* Whether names of files are completed, so that offers may read a folder. */
bool command_wants_file(const char *stem);
/* Tab in the prompt of : */
const char *command_complete_line(struct app *app, const char *stem, size_t n);
/* A key while the prompt is active; Enter hands the text to the command that opened it. */
void command_prompt_key(struct app *app, const struct key *key);

void command_list(FILE *out); /* --list-keys: keys, name, help, separated by tabs */

#endif
