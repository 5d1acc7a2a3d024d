/* recording_options.c - parses the command line of fxtop record.
 *
 * Options end at the first word that is none: it is the program, and what follows belongs to it. */
#include "record/recording_options.h"

#include <getopt.h>
#include <stdlib.h>
#include <string.h>

#include "src/base/text.h"

struct option_row {
    const char *name;
    int has_arg;
    int code; /* a character is also the short option */
    const char *arg, *help;
};

enum code { OPT_RECOVER = 256 };

static const struct option_row rows[] = {
    {"output", required_argument, 'o', "=FILE", "write to FILE (default trace.fxt; an older one becomes FILE.old)"},
    {"recover", no_argument, OPT_RECOVER, "", "make a trace of trace buffers that were left in memory"},
    {"help", no_argument, 'h', "", "print this help"},
};
#define ROWS (sizeof rows / sizeof *rows)

void recording_options_help(FILE *out) {
    fputs("Usage: fxtop record --recover [-o FILE] BUFFER...\n\n", out);
    for (size_t i = 0; i < ROWS; i++) {
        char left[48];
        char letter[] = "    ";
        if (rows[i].code < 256)
            memcpy(letter, (char[]){'-', (char)rows[i].code, ','}, 3);
        snprintf(left, sizeof left, "%s--%s%s", letter, rows[i].name, rows[i].arg);
        fprintf(out, "  %-26s %s\n", left, rows[i].help);
    }
}

static bool refuse(struct err *err, bool ascii, const char *what, const char *arg) {
    char safe[120];
    text_plain(safe, sizeof safe, str_of(arg), ascii ? TEXT_ASCII : 0);
    return err_set(err, ERR_NO_OFFSET, what, safe);
}

static bool apply(struct recording_options *o, int code, const char *arg, struct err *err) {
    switch (code) {
    case 'o':
        if (*arg == 0)
            return err_set(err, ERR_NO_OFFSET, "the name of the output is empty");
        o->output = arg;
        return true;
    case OPT_RECOVER:
        o->recover = true;
        return true;
    default:
        o->help = true;
        return true;
    }
}

bool recording_options_parse(struct recording_options *o, int argc, char **argv, bool ascii, struct err *err) {
    struct option longs[ROWS + 1] = {{0}};
    char shorts[2 * ROWS + 3] = "+:";
    size_t n = 2;
    for (size_t i = 0; i < ROWS; i++) {
        longs[i] = (struct option){rows[i].name, rows[i].has_arg, NULL, rows[i].code};
        if (rows[i].code < 256)
            shorts[n++] = (char)rows[i].code;
        if (rows[i].code < 256 && rows[i].has_arg == required_argument)
            shorts[n++] = ':';
    }
    *o = (struct recording_options){.output = "trace.fxt"};
    opterr = 0;
    optind = 0;
    for (;;) {
        int before = optind > 0 ? optind : 1, code = getopt_long(argc, argv, shorts, longs, NULL);
        if (code == -1)
            break;
        if (code == ':')
            return refuse(err, ascii, "%s needs a value (try --help)", argv[optind - 1]);
        if (code == '?')
            return refuse(err, ascii, "unknown option or value: %s (try --help)",
                          argv[optind > before ? optind - 1 : before < argc ? before : argc - 1]);
        if (!apply(o, code, optarg, err))
            return false;
    }
    o->rest = argv + optind;
    o->nrest = argc - optind;
    if (o->help)
        return true;
    if (o->nrest == 0)
        return err_set(err, ERR_NO_OFFSET, o->recover ? "no trace buffer given (try --help)" : "no program given (try --help)");
    return true;
}
