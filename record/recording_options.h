/* recording_options.h - the options of fxtop record (fxtop(1), RECORD). One table makes the parser and --help. */
#ifndef FXTOP_RECORDING_OPTIONS_H
#define FXTOP_RECORDING_OPTIONS_H

#include <stdio.h>

#include "src/base/err.h"

struct recording_options {
    const char *output; /* "trace.fxt" */
    bool recover, help;
    char **rest; /* the program and its arguments, or buffers */
    int nrest;
};

/* Strings point into argv. Fails with one line. */
bool recording_options_parse(struct recording_options *options, int argc, char **argv, bool ascii, struct err *err);
void recording_options_help(FILE *out);

#endif
