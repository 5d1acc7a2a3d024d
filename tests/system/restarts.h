/* restarts.h - shared by the manager (restarts.c) and the program (restarts_program.c): the board
 * and the numbers. */
#ifndef FXTOP_RESTARTS_H
#define FXTOP_RESTARTS_H

#include <stdatomic.h>
#include <stdbool.h>

enum { THREADS = 3, PROCESSES = 200 };

/* In memory that the manager and the programs share. */
struct board {
    atomic_uint begun[PROCESSES][THREADS], done[PROCESSES][THREADS]; /* events of a thread */
    atomic_uint processes;
    atomic_bool ends;
};

extern struct board *board;

/* Returns a decimal number, or -1 if it is none, or more than `most`. */
int whole_number(const char *text, int most);

/* Runs until the board ends it; returns the exit status. */
int run_program(void);

#endif
