/* command.h - the one table: name, keys, mode, group, help, action. Dispatch, the help screen, the hint line, completion,
 * --list-keys and the check of the man page come from it. */
#ifndef FXTOP_COMMAND_H
#define FXTOP_COMMAND_H

#include <stdio.h>

#include "ui/app.h"

enum command_mode { MODE_TIMELINE = 1, MODE_DRAWER = 2, MODE_TEXT = 4, MODE_TABLE = 8, MODE_LOG = 16, MODE_ANY = 31 };

struct command {
    const char *name;  /* as typed after : */
    const char *keys;  /* names, separated by blanks; "" where there are none */
    unsigned modes;
    const char *group; /* heading on the help screen */
    const char *help;  /* one line */
    const char *hint;  /* in the hint line, or NULL; the table's order is its priority */
    bool moves;        /* the window: a step of < and > */
    void (*action)(struct app *app);
};

extern const struct command commands[];
extern const size_t command_count;

/* code: a key; first << 32 | second for commands of two */
const struct command *command_for_key(uint64_t code, unsigned mode);
const struct command *command_by_name(const char *name, size_t n);
/* The n-th command whose name begins with stem, for completion; NULL behind the last. */
const char *command_complete(const char *stem, size_t n);
void command_run(struct app *app, const struct command *command);
unsigned command_mode_of(const struct app *app);

void command_list(FILE *out);           /* --list-keys: keys, name, help, separated by tabs */
void command_help(struct pager *page, int cols); /* the help screen */
/* Fills the hint line for a mode: as many as fit in cols. */
void command_hints(struct grid *grid, int y, unsigned mode, bool counters); /* counters: those of view 7 first */

#endif
