/* config_lines.h - files of commands: the configuration, and themes.
 *
 * A line is a command as typed after the colon; # begins a comment. A line that is wrong is named
 * in a message with file and line number, and the others run. */
#ifndef FXTOP_CONFIG_LINES_H
#define FXTOP_CONFIG_LINES_H

#include <limits.h>

#include "ui/session.h"

struct config_lines {
    struct app *app;
    const char *const *first;        /* commands that run at once; ends with NULL */
    const char *const *later;        /* those that wait for the trace; NULL: none */
    bool (*waits)(const char *line); /* whether a line of the first ones waits, too; NULL: no */
    char name[100];                  /* of the file, in messages: config_lines_run() fills it */
    struct chars waiting; /* the lines that wait, each with its number before it; the caller's */
    unsigned faults;
    char fault[240]; /* the first one */
};

/* The path of "config" or "themes/NAME" in $XDG_CONFIG_HOME/fxtop or ~/.config/fxtop. False:
 * neither is known. */
bool config_lines_path(const char *name, char path[PATH_MAX]);
/* Runs a file. False: it cannot be read, or a line is wrong; a message names it. */
bool config_lines_run(struct config_lines *r, const char *path);
/* Runs lines that have waited; changes the text. */
void config_lines_waiting(struct config_lines *r, char *text);

#endif
