/* shell.h - the completions of bash, zsh and fish, as scripts made from the tables of the
 * program. */
#ifndef FXTOP_SHELL_H
#define FXTOP_SHELL_H

#include <stdio.h>

#include "src/command_line.h"

enum shell { SHELL_BASH, SHELL_ZSH, SHELL_FISH };

/* The script for a shell: options and their values, commands after --keys=':', terms of filters,
 * files. `record` is the table of fxtop record, without rows if there is no such command. */
void shell_completion(FILE *out, enum shell shell, struct command_line_table options,
                      struct command_line_table record);

#endif
