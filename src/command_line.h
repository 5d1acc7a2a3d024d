/* command_line.h - a table of options makes a parser and its help: for fxtop and for fxtop record.
 *
 * getopt_long(3) parses. Faults are one line in err, safe to print. */
#ifndef FXTOP_COMMAND_LINE_H
#define FXTOP_COMMAND_LINE_H

#include <getopt.h>
#include <stdint.h>
#include <stdio.h>

#include "src/base/err.h"

/* The kind of an option's value. Completions of shells offer texts of that kind. */
enum command_line_value {
    VALUE_NONE,  /* there is none */
    VALUE_TEXT,  /* a time, a number, a name: nothing is offered */
    VALUE_WORDS, /* one of a list */
    VALUE_FILE,
    VALUE_KEYS,   /* keys, among them : and a command */
    VALUE_FILTER, /* terms of model/query/filter.h */
    VALUE_SQL,    /* a query, or @ and a file */
};

struct command_line_row {
    const char *name;
    int has_arg; /* as in struct option */
    int code;    /* a character is also the short option; others are from 256 on */
    const char *arg, *help;
    enum command_line_value value;
    const char *const *words; /* the list of VALUE_WORDS, which ends with NULL */
};

struct command_line_table {
    const struct command_line_row *rows;
    size_t n;
};

#define COMMAND_LINE_MOST 64 /* rows of a table */

/* A verb: the first word of a command line, which chooses a mode. */
struct command_line_verb {
    const char *name;
    int mode;
    const char *arguments, *help, *example;
    bool value, optional;       /* the first argument is the value of the option of this name */
    const char *const *first;   /* words that the first argument may be; NULL: a file or a text */
    const char *const *options; /* names of those that its help shows */
};

struct command_line_verbs {
    const struct command_line_verb *rows;
    size_t n;
};

struct command_line_tables { /* of the program */
    struct command_line_table options;
    struct command_line_table record; /* of fxtop record; no rows if there is no such command */
    struct command_line_verbs verbs;
};

/* The row of an option of a verb; NULL after the last. */
const struct command_line_row *command_line_verb_row(struct command_line_table table,
                                                     const struct command_line_verb *verb,
                                                     size_t n);

struct command_line {
    const struct command_line_row *rows;
    size_t n;                                   /* at most COMMAND_LINE_MOST */
    bool ascii;                                 /* faults are in ASCII */
    bool stops;                                 /* at the first word that is no option */
    struct option longs[COMMAND_LINE_MOST + 1]; /* the rows for getopt_long() */
};

/* A line for each option. */
void command_line_help(const struct command_line *line, FILE *out);
/* The help of a verb, with a line for each of its options: at most 25 lines. */
void command_line_verb_help(struct command_line_table table, const struct command_line_verb *verb,
                            FILE *out);

/* The next option: its code, with its value in optarg. At the end, with optind at the first other
 * word, and after a fault it returns one of these. */
#define COMMAND_LINE_END (-1)
#define COMMAND_LINE_FAULT (-2)
void command_line_begin(struct command_line *line);
int command_line_next(struct command_line *line, int argc, char **argv, struct err *err);

/* Sets err to `what`, a format with one %s for a text that the user typed; returns false. */
bool command_line_refuse(bool ascii, struct err *err, const char *what, const char *typed);
/* The place of a text in the list of the option with that code; -1: it is not in the list. */
int command_line_word(struct command_line_table table, int code, const char *typed);
/* A number of at most `max` at *s, which moves to its end; a size such as 20g. False: it is
 * none. */
bool command_line_number(const char **s, uint64_t max, uint64_t *number);
bool command_line_bytes(const char *s, uint64_t *bytes);

#endif
