/* command_lines.h - command lines of all modes, views and queries, and the program in this process:
 * to begin one takes longer than most runs. */
#ifndef FXTOP_TESTS_SYSTEM_COMMAND_LINES_H
#define FXTOP_TESTS_SYSTEM_COMMAND_LINES_H

#include <stddef.h>

/* what: the command line as a text. The word "@" is replaced by the trace. */
typedef void command_lines_each(void *user, const char *what, const char *const *words, int n);

/* Calls run with each. joined: how many views or queries are asked in one, one after the other. */
void command_lines(size_t joined, command_lines_each *run, void *user);

/* Runs the program. Returns its status. */
int command_lines_run(const char *const *words, int n, char *trace);

#endif
