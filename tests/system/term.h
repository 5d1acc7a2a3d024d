/* term.h - shared by the tests of the real screen: a pseudo-terminal with fxtop on it, and reports.
 *
 * term.c has the helpers and main(); term_traffic.c tests the bytes from and to the terminal;
 * term_programs.c tests other programs on it. The current directory is a temporary one with
 * small.fxt and demo.fxt. */
#ifndef FXTOP_TESTS_SYSTEM_TERM_H
#define FXTOP_TESTS_SYSTEM_TERM_H

#include <stdbool.h>

#include "tests/lib/pty.h"

enum { QUIET_MS = 60 };

extern struct pty pty;

/* ---- term.c ---- */

/* Counts a check; if it failed, prints why and the screen. Returns whether it is good. */
bool check(bool good, const char *what, const char *why);

/* command: a line for sh, in which %s is fxtop. All but open_as() do see_trace() next: they wait
 * for the picture of the whole trace. */
void open_as(int cols, int rows, unsigned how, const char *command);
bool start_as(const char *what, int cols, int rows, const char *command);
bool start(const char *what);
bool see_trace(const char *what);

void see(const char *what, const char *text);

/* The program ends with the status, and the terminal is as it was. */
void left(const char *what, int status);

void must_fill(const char *what);

/* Appends a trace of tests/lib/tracegen.h to a file, or replaces the file. */
void append(const char *path, const char *text, bool anew);

/* ---- term_traffic.c ---- */

void pipes(void);
void what_is_no_key(void);
void background(void);
void bytes(void);

/* ---- term_programs.c ---- */

void piping(void);
void editing(void);
void not_played(void);
void told_late(void);

#endif
