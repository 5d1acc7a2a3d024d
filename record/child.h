/* child.h - the program that is recorded: started, but held before its first instruction; its
 * end. */
#ifndef FXTOP_RECORD_CHILD_H
#define FXTOP_RECORD_CHILD_H

#include <stdbool.h>
#include <sys/types.h>

#include "record/limits.h"
#include "record/lines.h"
#include "src/base/err.h"

struct child {
    pid_t pid;  /* 0: none */
    int gate;   /* closed: it may go on */
    int failed; /* readable: why it could not be executed */
    bool ended;
    int status; /* of the shell's kind: exit status, or 128 + signal */
    int signal; /* that ended it; 0: none */
    bool core;  /* the kernel has kept its memory */
};

/* 0, or the errno with which exec() of the program would fail, as far as its file shows. */
int child_missing(const char *program);

/* Makes a process that waits in front of exec(). variables: "NAME=value" for its environment.
 * lines: its output; NULL: it keeps its own. no_input: its standard input is empty. False with one
 * line. */
struct child_options {
    char *const *argv;
    const char *variables[8]; /* NULL: none */
    struct lines *lines;
    bool no_input;
    bool traced;                 /* another process may trace it before it begins */
    bool to_error;               /* standard output goes where standard error goes */
    const struct limits *limits; /* those before ours were raised */
};
bool child_start(struct child *child, const struct child_options *options, struct err *err);
/* Lets it go on. Returns 0, or the errno of an exec() that failed. */
int child_release(struct child *child);
/* After SIGCHLD: reaps it; others' ends are not touched. */
void child_reap(struct child *child);

/* The command line in one string, cut to `size` bytes. */
struct str child_command_line(char *const *argv, char *to, size_t size);

#endif
