/* options.h - the command line (fxtop(1), OPTIONS). One table makes the parser and --help. */
#ifndef FXTOP_OPTIONS_H
#define FXTOP_OPTIONS_H

#include <stdio.h>

#include "app/mode.h"
#include "app/together_options.h"
#include "model/output/between/compare_traces.h"
#include "model/output/fleet.h"
#include "sql/modes/run.h"
#include "src/base/err.h"
#include "src/command_line.h"
#include "ui/picture/picture.h"
#include "ui/shells/shell.h"

enum export_format {
    EXPORT_NDJSON,
    EXPORT_JSON,
    EXPORT_CSV,
    EXPORT_FOLDED,
    EXPORT_FXT,
    EXPORT_SQLITE
};
enum options_by { /* --by */
                  BY_TOTAL,
                  BY_SELF,
                  BY_COUNT,
                  BY_P99,
                  BY_MAX,
                  BY_CPU,
                  BY_TRACE,
                  BY_THREAD,
                  BY_SAMPLES,
                  BY_OFF_CPU,
                  BY_WEIGHT
};

enum options_cache { /* --cache; auto: reads, and writes large ones of short lists */
                     CACHE_AUTO,
                     CACHE_OFF,
                     CACHE_READ,
                     CACHE_WRITE
};

struct options {
    enum mode mode;
    const struct command_line_verb *verb; /* NULL: none; MODE_HELP: the topic */
    enum export_format format;            /* MODE_EXPORT */
    const char *path;                     /* "-": standard input; NULL if the mode needs none */
    char *const *paths;                   /* of the command line, `path` the first */
    int npaths;
    const char *files_from; /* a file that lists more traces, "-": standard input; NULL: none */
    unsigned jobs;          /* traces that are read at a time; 0: one */
    const char *labels[FLEET_LABELS]; /* --label: "host=a" */
    int nlabels;
    bool quiet;       /* no notes, and no output of --check, --assert and --compare */
    const char *name; /* of the trace; NULL: its path */
    bool with_trace;  /* a first column `trace`; always with several traces, or a list of them */
    struct trace_options trace; /* how each is opened */
    int cols, rows;             /* --print: cells */
    const char *keys;           /* NULL: none */
    bool keys_may_write;
    const char *filter;              /* as typed; NULL: none */
    const char *at, *window;         /* as typed; NULL: none */
    const char *range, *tracks;      /* as typed; NULL: none */
    const char *providers;           /* --providers: names; NULL: all */
    const char *symbols;             /* --symbols: a folder; NULL: none */
    const char *load;                /* --load: the range; NULL: all */
    bool load_all;                   /* --load=all */
    const char *cut;                 /* --cut: the range; NULL: it was not given */
    struct together together;        /* MODE_QUERY, MODE_ASSERT, MODE_TOP, MODE_INSTANCES */
    struct run_question query;       /* MODE_QUERY, MODE_ASSERT */
    struct compare_question compare; /* MODE_COMPARE */
    const char *instances;           /* MODE_INSTANCES: a filter */
    const char *describe;            /* MODE_DESCRIBE: a time or an event; NULL: none */
    bool why;                        /* MODE_DESCRIBE: only why the slice is longer than others */
    uint64_t top;                    /* --top, --rows: rows at most; 0: all */
    enum options_by by;
    enum relation_format table;
    bool has_by, has_format, has_rows, has_strict; /* --by, --format, --rows, --strict were given */
    const char *session;                           /* a file of commands; NULL: none */
    bool strict;                                   /* --check=strict */
    bool tree;                                     /* --summary */
    const char *config; /* --config; "": the user's own, on the screen; NULL: none */
    bool ascii, no_mouse, no_session, stats, follow;
    enum options_cache cache;
    uint64_t cache_size;  /* bytes; 0: the default */
    bool new_trace;       /* a session that was kept for the path is an older trace's */
    int color;            /* -1 never, 0 auto, 1 always */
    int background;       /* 0 auto, 1 dark, 2 light */
    enum shell shell;     /* MODE_COMPLETION */
    uint64_t max_inflate; /* bytes; 0: the default */
    unsigned redact;      /* --export=fxt: enum redact_what */
    bool has_picture;     /* --format=text, ansi, svg or html */
    enum picture_format picture;
    const char *output; /* a file in place of standard output; NULL: none */
    const char *folder; /* -o DIR/: of a file for each trace; NULL: none */
};

/* Strings of `options` point into argv. Fails with one line: an option is unknown or wrong, or the
 * mode would ignore it; or there are two modes, no file or too many. ascii: as if --ascii came
 * first; that line is in ASCII, too. */
bool options_parse(struct options *options, int argc, char **argv, bool ascii, struct err *err);
/* verb: the one that the help is about; NULL: all. */
void options_help(const struct command_line_verb *verb, FILE *out);
struct command_line_table options_table(void);

#endif
