/* shell_internal.h - quoting and candidates, shared by the scripts of all shells. */
#ifndef FXTOP_SHELL_INTERNAL_H
#define FXTOP_SHELL_INTERNAL_H

#include "src/command_line.h"
#include "ui/command.h"

#define SHELL_TEXT 64 /* bytes of a candidate */

void shell_quote(FILE *out, const char *text); /* as one word of any shell */

/* The n-th command, and the n-th word of its argument, in the order in which the prompt of : offers
 * them; NULL after the last. */
const struct command *shell_command(size_t n);
const char *shell_argument(const struct command *command, size_t n, char buf[COMMAND_COMPLETION]);

/* record is a verb with a table of its own. */
bool shell_is_record(const struct command_line_verb *verb);

/* The script after its first line. */
void shell_bash(FILE *out, const struct command_line_tables *tables);
void shell_zsh(FILE *out, const struct command_line_tables *tables);
void shell_fish(FILE *out, const struct command_line_tables *tables);

#endif
