/* shell.h - the completions of bash, zsh and fish, as scripts made from the tables of the
 * program. */
#ifndef FXTOP_SHELL_H
#define FXTOP_SHELL_H

#include <stdio.h>

#include "src/command_line.h"

enum shell { SHELL_BASH, SHELL_ZSH, SHELL_FISH };

/* The script for a shell: verbs, options and their values, commands after --keys=':', terms of
 * filters, files. */
void shell_completion(FILE *out, enum shell shell, const struct command_line_tables *tables);

#endif
