/* options.c - parses the command line.
 *
 * One table makes the parser and --help (command_line.h). apply() checks and stores one option. */
#include "app/options.h"

#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "app/verbs.h"
#include "model/output/fleet.h"
#include "model/output/test_report.h"
#include "src/command_line.h"
#include "src/import/importers.h"
#include "src/import/redact.h"

/* Codes of options without a short form, above all characters. */
enum code {
    OPT_PRINT = 256,
    OPT_KEYS, /* from here to OPT_TRACKS: texts that are kept as typed */
    OPT_AT,
    OPT_WINDOW,
    OPT_FILTER,
    OPT_RANGE,
    OPT_TRACKS,
    OPT_TOP, /* from here to OPT_DESCRIBE: apply_table() */
    OPT_BY,
    OPT_FORMAT,
    OPT_INSTANCES,
    OPT_DESCRIBE,
    OPT_QUERY, /* from here to OPT_WITH_TRACE: apply_query() */
    OPT_QUERY_MEMORY,
    OPT_ASSERT,
    OPT_FILES_FROM,
    OPT_JOBS,
    OPT_LABEL,
    OPT_WITH_TRACE,
    OPT_COMPARE, /* from here to OPT_ANY: apply_compare() */
    OPT_THRESHOLD,
    OPT_ALL,
    OPT_ANY,
    OPT_QUIET,
    OPT_RECORDS,
    OPT_INDEX,
    OPT_EXPORT,
    OPT_SUMMARY,
    OPT_TREE,
    OPT_CHECK,
    OPT_STRICT,
    OPT_STDIO,
    OPT_ASCII,
    OPT_COLOR,
    OPT_BACKGROUND,
    OPT_NO_MOUSE,
    OPT_MAX_INFLATE,
    OPT_STATS,
    OPT_NO_CACHE, /* from here to OPT_CACHE_SIZE: apply_cache() */
    OPT_CACHE,
    OPT_CACHE_SIZE,
    OPT_NO_SESSION,
    OPT_CONFIG,
    OPT_NO_CONFIG,
    OPT_KEYS_MAY_WRITE,
    OPT_LIST_KEYS,
    OPT_COMPLETION,
    OPT_CUT,
    OPT_LOAD,
    OPT_PROVIDERS,
    OPT_SYMBOLS,
    OPT_REDACT,
    OPT_TOGETHER, /* from here on: apply_together() */
    OPT_OFFSET,
    OPT_ALIGN,
    OPT_REFERENCE,
    OPT_SAME_HOST,
    OPT_JOIN_FLOWS,
};

/* Lists of values. The parser takes the place in a list. */
static const char *const strictness[] = {"strict", NULL};
static const char *const formats[] = {[EXPORT_NDJSON] = "ndjson",
                                      [EXPORT_JSON] = "json",
                                      [EXPORT_CSV] = "csv",
                                      [EXPORT_FOLDED] = "folded",
                                      [EXPORT_FXT] = "fxt",
                                      [EXPORT_SQLITE] = "sqlite",
                                      NULL};
static const char *const redactions[] = {"names", "args", "all", NULL};
static const char *const orders[] = {
    [BY_TOTAL] = "total",     [BY_SELF] = "self",     [BY_COUNT] = "count",
    [BY_P99] = "p99",         [BY_MAX] = "max",       [BY_CPU] = "cpu",
    [BY_TRACE] = "trace",     [BY_THREAD] = "thread", [BY_SAMPLES] = "samples",
    [BY_OFF_CPU] = "off-cpu", [BY_WEIGHT] = "weight", NULL};
static const char *const tables[] = {[FORMAT_TABLE] = "table",
                                     [FORMAT_CSV] = "csv",
                                     [FORMAT_NDJSON] = "ndjson",
                                     [FORMAT_MARKDOWN] = "markdown",
                                     [FORMAT_JUNIT] = "junit",
                                     [FORMAT_GITHUB] = "github",
                                     /* of --print: enum picture_format */
                                     "text",
                                     "ansi",
                                     "svg",
                                     "html",
                                     NULL};
/* in the order of enum options_cache, without its first */
static const char *const caches[] = {"off", "read", "write", NULL};
static const char *const colors[] = {"never", "auto", "always", NULL};
static const char *const backgrounds[] = {"auto", "dark", "light", NULL};
static const char *const shells[] = {
    [SHELL_BASH] = "bash", [SHELL_ZSH] = "zsh", [SHELL_FISH] = "fish", NULL};

static const char *const alignments[] = {"wall", "begin", "raw", NULL};

static const struct command_line_row rows[] = {
    {"print", optional_argument, OPT_PRINT, "[=WxH]",
     "draw one frame as text and exit (default 100x30)", VALUE_TEXT, NULL},
    {"keys", required_argument, OPT_KEYS, "=KEYS", "play KEYS first, e.g. 'jj<Enter>w:help<Enter>'",
     VALUE_KEYS, NULL},
    {"keys-may-write", no_argument, OPT_KEYS_MAY_WRITE, "",
     "let KEYS write files and run programs: :w, :w!, :session, | and O", VALUE_NONE, NULL},
    {"at", required_argument, OPT_AT, "=TIME", "start at TIME: 1.5s, 250ms, 50%", VALUE_TEXT, NULL},
    {"window", required_argument, OPT_WINDOW, "=DUR", "show DUR of time, or A..B: 40ms, 1s..2s",
     VALUE_TEXT, NULL},
    {"follow", no_argument, 'F', "", "follow a file that is still being written", VALUE_NONE, NULL},
    {"summary", no_argument, OPT_SUMMARY, "", "print a one-page summary of the trace", VALUE_NONE,
     NULL},
    {"tree", no_argument, OPT_TREE, "", "of --summary: print the processes of a recording, too",
     VALUE_NONE, NULL},
    {"check", optional_argument, OPT_CHECK, "[=strict]",
     "print the problems; exit 1 if there are any (strict: notes too)", VALUE_WORDS, strictness},
    {"strict", no_argument, OPT_STRICT, "", "of --check: notes are problems, too", VALUE_NONE,
     NULL},
    {"stdio", no_argument, OPT_STDIO, "",
     "of the verb serve: answer requests of programs, a line of JSON each", VALUE_NONE, NULL},
    {"records", no_argument, OPT_RECORDS, "", "print every record, one per line", VALUE_NONE, NULL},
    {"export", required_argument, OPT_EXPORT, "=FORMAT",
     "export as ndjson, json (for Perfetto), csv, folded stacks, clean fxt or sqlite", VALUE_WORDS,
     formats},
    {"cut", required_argument, OPT_CUT, "=A..B",
     "write the part from A to B as a trace: --export=fxt --range=A..B", VALUE_TEXT, NULL},
    {"redact", required_argument, OPT_REDACT, "=WHAT",
     "of --cut and --export=fxt: hide the texts of names, args or all", VALUE_WORDS, redactions},
    {"output", required_argument, 'o', "=FILE",
     "write to FILE, not to standard output; DIR/: a file for each trace", VALUE_FILE, NULL},
    {"top", optional_argument, OPT_TOP, "[=N]",
     "print the names of slices with their numbers, the first N", VALUE_TEXT, NULL},
    {"rows", required_argument, 'n', "=N", "of --top and --instances: print the first N",
     VALUE_TEXT, NULL},
    {"by", required_argument, OPT_BY, "=COLUMN",
     "order of --top: total, self, count, p99, max, cpu, samples or off-cpu; trace: a row for each"
     " of several; --compare: thread; folded: samples, off-cpu or weight",
     VALUE_WORDS, orders},
    {"instances", required_argument, OPT_INSTANCES, "=FILTER",
     "print the slices that match, the longest first", VALUE_FILTER, NULL},
    {"compare", no_argument, OPT_COMPARE, "",
     "compare FILE with FILE, or runs A1,A2,.. with B1,B2,..: changed names", VALUE_NONE, NULL},
    {"threshold", required_argument, OPT_THRESHOLD, "=PERCENT",
     "of --compare: the least change of p50 or p99 (5%)", VALUE_TEXT, NULL},
    {"all", no_argument, OPT_ALL, "", "of --compare: print the names that have not changed, too",
     VALUE_NONE, NULL},
    {"any", no_argument, OPT_ANY, "", "of --compare: exit 1 for faster, fewer and gone names, too",
     VALUE_NONE, NULL},
    {"query", required_argument, OPT_QUERY, "=SQL",
     "ask in SQL; of one or more FILEs; =@FILE reads the SQL from there", VALUE_SQL, NULL},
    {"query-memory", required_argument, OPT_QUERY_MEMORY, "=BYTES",
     "limit the memory of a query, e.g. 4g", VALUE_TEXT, NULL},
    {"assert", required_argument, OPT_ASSERT, "=EXPR",
     "exit 1 unless EXPR holds, in SQL: \"dur_p99('Frame') < ms(16.6)\"", VALUE_TEXT, NULL},
    {"files-from", required_argument, OPT_FILES_FROM, "=LIST",
     "more FILEs, one a line; NAME<Tab>FILE names it", VALUE_FILE, NULL},
    {"jobs", optional_argument, OPT_JOBS, "[=N]", "read N FILEs at a time", VALUE_TEXT, NULL},
    {"with-trace", no_argument, OPT_WITH_TRACE, "", "name the trace of one FILE in the output, too",
     VALUE_NONE, NULL},
    {"label", required_argument, OPT_LABEL, "=NAME=VALUE", "add a column to all rows, e.g. host=a",
     VALUE_TEXT, NULL},
    {"quiet", no_argument, OPT_QUIET, "",
     "print no notes, and of --check, --assert and --compare the status alone", VALUE_NONE, NULL},
    {"together", no_argument, OPT_TOGETHER, "",
     "ask all FILEs as one trace, as the screen and --print do", VALUE_NONE, NULL},
    {"offset", required_argument, OPT_OFFSET, "=NAME=TIME",
     "of several FILEs as one trace: move one, e.g. client=+12ms", VALUE_TEXT, NULL},
    {"align", required_argument, OPT_ALIGN, "=HOW",
     "of these: put them on one clock by wall, begin or raw times", VALUE_WORDS, alignments},
    {"reference", required_argument, OPT_REFERENCE, "=NAME",
     "of these: the trace whose clock is that of all", VALUE_TEXT, NULL},
    {"same-host", optional_argument, OPT_SAME_HOST, "[=NAMES]",
     "of these: the ids of these traces are of one host", VALUE_TEXT, NULL},
    {"join-flows", optional_argument, OPT_JOIN_FLOWS, "[=CATEGORY]",
     "of these: join flows with ids below 2^32, too", VALUE_TEXT, NULL},
    {"format", required_argument, OPT_FORMAT, "=FORMAT",
     "of these: table, csv, ndjson or markdown; of --assert and --check: junit or github; of "
     "--print: text, ansi, svg or html",
     VALUE_WORDS, tables},
    {"describe", optional_argument, OPT_DESCRIBE, "[=WHAT]",
     "print the view in sentences; WHAT: a time, or @OFFSET of an event", VALUE_TEXT, NULL},
    {"range", required_argument, OPT_RANGE, "=A..B",
     "only what overlaps a stretch of time: 1.5s..1.6s, 0..50%", VALUE_TEXT, NULL},
    {"tracks", required_argument, OPT_TRACKS, "=PATTERN",
     "only these tracks: main, 'cc1 18426', pid=12", VALUE_FILTER, NULL},
    {"filter", required_argument, OPT_FILTER, "=FILTER",
     "only events that match, e.g. 'name=Frame dur>p99'", VALUE_FILTER, NULL},
    {"load", required_argument, OPT_LOAD, "=A..B",
     "open only this stretch of time, of a trace that may be larger than memory; or all",
     VALUE_TEXT, NULL},
    {"providers", required_argument, OPT_PROVIDERS, "=NAME,...",
     "only events of these providers; those of others are passed over", VALUE_TEXT, NULL},
    {"symbols", required_argument, OPT_SYMBOLS, "=DIR",
     "of samples: names of functions without one, from files in DIR with the build id", VALUE_FILE,
     NULL},
    {"ascii", no_argument, OPT_ASCII, "", "use only ASCII characters", VALUE_NONE, NULL},
    {"color", required_argument, OPT_COLOR, "=WHEN", "auto, always or never", VALUE_WORDS, colors},
    {"background", required_argument, OPT_BACKGROUND, "=COLOR",
     "of the terminal: auto, dark or light", VALUE_WORDS, backgrounds},
    {"no-mouse", no_argument, OPT_NO_MOUSE, "", "leave the mouse to the terminal", VALUE_NONE,
     NULL},
    {"max-inflate", required_argument, OPT_MAX_INFLATE, "=BYTES",
     "limit the uncompressed size, e.g. 20g", VALUE_TEXT, NULL},
    {"no-cache", no_argument, OPT_NO_CACHE, "", "do not use the index cache: --cache=off",
     VALUE_NONE, NULL},
    {"cache", required_argument, OPT_CACHE, "=HOW",
     "use the index cache: off, read, or write the index of each trace", VALUE_WORDS, caches},
    {"index", no_argument, OPT_INDEX, "", "write the index of each FILE to the cache, a line each",
     VALUE_NONE, NULL},
    {"cache-size", required_argument, OPT_CACHE_SIZE, "=BYTES",
     "let all indexes in the cache take so much, e.g. 20g (2g)", VALUE_TEXT, NULL},
    {"session", required_argument, 'S', "=FILE",
     "take up the session in FILE, which :session wrote", VALUE_FILE, NULL},
    {"config", required_argument, OPT_CONFIG, "=FILE",
     "run the commands in FILE, not those in the user's configuration", VALUE_FILE, NULL},
    {"no-config", no_argument, OPT_NO_CONFIG, "", "do not run the user's configuration", VALUE_NONE,
     NULL},
    {"no-session", no_argument, OPT_NO_SESSION, "",
     "neither take up nor keep the session of the trace", VALUE_NONE, NULL},
    {"stats", no_argument, OPT_STATS, "", "print times and memory to standard error on exit",
     VALUE_NONE, NULL},
    {"list-keys", no_argument, OPT_LIST_KEYS, "", "print all keys and commands", VALUE_NONE, NULL},
    {"completion", required_argument, OPT_COMPLETION, "=SHELL",
     "print completions for bash, zsh or fish", VALUE_WORDS, shells},
    {"help", no_argument, 'h', "", "print this help", VALUE_NONE, NULL},
    {"version", no_argument, 'V', "", "print the version and the features of this build",
     VALUE_NONE, NULL},
};
#define ROWS (sizeof rows / sizeof *rows)

struct command_line_table options_table(void) {
    return (struct command_line_table){rows, ROWS};
}

void options_help(const struct command_line_verb *verb, FILE *out) {
    if (verb) {
        command_line_verb_help(options_table(), verb, out);
        return;
    }
    struct command_line_verbs verbs = verbs_table();
    fputs("Usage: fxtop [OPTION]... FILE\n"
          "       fxtop VERB [OPTION]... [ARGUMENT]... FILE...\n"
          "Show a trace in the terminal: of Fuchsia (.fxt), Perfetto, Chrome's JSON, OTLP,\n"
          "Jaeger, Zipkin, .cpuprofile, speedscope, Firefox, samply, strace, perf script,\n"
          "ftrace, nsys, CSV or collapsed stacks, also .gz and .zst; - is standard input.\n\n",
          out);
    for (size_t i = 0; i < verbs.n; i++)
        fprintf(out, "  %-9s %-26s %s\n", verbs.rows[i].name, verbs.rows[i].arguments,
                verbs.rows[i].help);
    putc('\n', out);
    command_line_help(&(struct command_line){.rows = rows, .n = ROWS}, out);
    fputs("\nKeys: ? on the screen, or --list-keys. Reference: man fxtop.\n", out);
}

static bool parse_size(const char *s, int *cols, int *rows_) {
    uint64_t w, h;
    if (!command_line_number(&s, 1000, &w) || *s++ != 'x' || !command_line_number(&s, 1000, &h) ||
        *s != 0)
        return false;
    if (w == 0 || h == 0)
        return false;
    *cols = (int)w;
    *rows_ = (int)h;
    return true;
}

static bool refuse(const struct options *o, struct err *err, const char *what, const char *arg) {
    return command_line_refuse(o->ascii, err, what, arg);
}

static bool set_mode(struct options *o, enum mode mode, struct err *err) {
    if (o->mode != MODE_SCREEN && o->mode != mode)
        return err_set(
            err, ERR_NO_OFFSET,
            "only one of --print, --summary, --check, --records, --export, --top, --instances, "
            "--compare, --query, --assert, --describe and --index can be given");
    o->mode = mode;
    return true;
}

static int word_of(int code, const char *typed) {
    return command_line_word(options_table(), code, typed);
}

/* The place of an option's value that is checked later. */
static const char **typed_text(struct options *o, int code) {
    switch (code) {
    case OPT_KEYS:
        return &o->keys;
    case OPT_AT:
        return &o->at;
    case OPT_WINDOW:
        return &o->window;
    case OPT_RANGE:
        return &o->range;
    case OPT_TRACKS:
        return &o->tracks;
    default:
        return &o->filter;
    }
}

static bool apply_redact(struct options *o, const char *arg, struct err *err) {
    int place = word_of(OPT_REDACT, arg);
    if (place < 0)
        return refuse(o, err, "--redact expects names, args or all, not '%s'", arg);
    o->redact = (const unsigned[]){REDACT_NAMES, REDACT_ARGS, REDACT_NAMES | REDACT_ARGS}[place];
    return true;
}

static bool apply_format(struct options *o, const char *arg, struct err *err) {
    int format = word_of(OPT_EXPORT, arg);
    if (format < 0)
        return refuse(o, err, "--export expects ndjson, json, csv, folded, fxt or sqlite, not '%s'",
                      arg);
    o->format = (enum export_format)format;
    return set_mode(o, MODE_EXPORT, err);
}

/* --top, --instances, --describe and their options. */
static bool apply_table(struct options *o, int code, const char *arg, struct err *err) {
    const char *rest = arg;
    int place;
    switch (code) {
    case 'n':
        if (!command_line_number(&rest, UINT32_MAX, &o->top) || *rest != 0 || o->top == 0)
            return refuse(o, err, "--rows expects a number of rows, not '%s'", arg);
        return o->has_rows = true;
    case OPT_TOP:
        if (arg && (!command_line_number(&rest, UINT32_MAX, &o->top) || *rest != 0 || o->top == 0))
            return refuse(o, err, "--top expects a number of rows, not '%s'", arg);
        return set_mode(o, MODE_TOP, err);
    case OPT_BY:
        if ((place = word_of(code, arg)) < 0)
            return refuse(o, err,
                          "--by expects total, self, count, p99, max, cpu, trace, thread, samples, "
                          "off-cpu or weight, not '%s'",
                          arg);
        o->by = (enum options_by)place;
        return o->has_by = true;
    case OPT_FORMAT:
        if ((place = word_of(code, arg)) < 0)
            return refuse(
                o, err,
                "--format expects table, csv, ndjson, markdown, junit, github, text, ansi, svg or "
                "html, not '%s'",
                arg);
        o->has_picture = place > FORMAT_GITHUB;
        o->has_format = !o->has_picture;
        if (o->has_picture)
            o->picture = (enum picture_format)(place - FORMAT_GITHUB - 1);
        else
            o->table = (enum relation_format)place;
        return true;
    case OPT_INSTANCES:
        o->instances = arg;
        return set_mode(o, MODE_INSTANCES, err);
    default:
        o->describe = arg;
        return set_mode(o, MODE_DESCRIBE, err);
    }
}

/* Colours of the terminal, completions of its shell. */
static bool apply_terminal(struct options *o, int code, const char *arg, struct err *err) {
    int place = word_of(code, arg);
    switch (code) {
    case OPT_COLOR:
        o->color = place - 1;
        return place >= 0 || refuse(o, err, "--color expects auto, always or never, not '%s'", arg);
    case OPT_BACKGROUND:
        o->background = place;
        return place >= 0 ||
               refuse(o, err, "--background expects auto, dark or light, not '%s'", arg);
    default:
        o->mode = MODE_COMPLETION;
        o->shell = place < 0 ? SHELL_BASH : (enum shell)place;
        return place >= 0 ||
               refuse(o, err, "--completion expects bash, zsh or fish, not '%s'", arg);
    }
}

/* --compare and its options. */
static bool apply_compare(struct options *o, int code, const char *arg, struct err *err) {
    char *end = NULL;
    switch (code) {
    case OPT_COMPARE:
        return set_mode(o, MODE_COMPARE, err);
    case OPT_THRESHOLD:
        o->compare.threshold = *arg >= '0' && *arg <= '9' ? strtod(arg, &end) / 100 : 0;
        if (end == NULL || (*end == '%' ? end[1] : *end) != '\0' || !(o->compare.threshold > 0) ||
            o->compare.threshold > 100)
            return refuse(o, err, "--threshold expects a percentage like 5%%, not '%s'", arg);
        return true;
    case OPT_ALL:
        return o->compare.all = true;
    default:
        return o->compare.any = true;
    }
}

/* The index cache. */
static bool apply_cache(struct options *o, int code, const char *arg, struct err *err) {
    int place = code == OPT_CACHE ? word_of(code, arg) : 0;
    if (code == OPT_CACHE_SIZE)
        return command_line_bytes(arg, &o->cache_size) ||
               refuse(o, err, "--cache-size expects a size like 20g, not '%s'", arg);
    if (place < 0)
        return refuse(o, err, "--cache expects off, read or write, not '%s'", arg);
    o->cache = (enum options_cache)(place + 1);
    return true;
}

static unsigned processors(void) {
    long n = sysconf(_SC_NPROCESSORS_ONLN);
    if (n < 1)
        return 1;
    return n < FLEET_JOBS ? (unsigned)n : FLEET_JOBS;
}

/* The name is one of a column. */
static bool is_label(const char *s) {
    size_t n = strspn(s, "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_");
    return n > 0 && s[n] == '=';
}

/* --query, --assert and their options. */
static bool apply_query(struct options *o, int code, const char *arg, struct err *err) {
    struct run_question *q = &o->query;
    const char *rest = arg;
    uint64_t jobs = 0;
    switch (code) {
    case OPT_QUERY:
        q->sql = arg;
        return set_mode(o, MODE_QUERY, err);
    case OPT_ASSERT:
        if (q->nassertions == RUN_ASSERTIONS)
            return err_set(err, ERR_NO_OFFSET, "at most %d times --assert", RUN_ASSERTIONS);
        q->assertions[q->nassertions++] = arg;
        return set_mode(o, MODE_ASSERT, err);
    case OPT_FILES_FROM:
        o->files_from = arg;
        return true;
    case OPT_JOBS:
        if (arg && (!command_line_number(&rest, FLEET_JOBS, &jobs) || *rest != 0 || jobs == 0))
            return refuse(o, err, "--jobs expects a number from 1 to 64, not '%s'", arg);
        o->jobs = arg ? (unsigned)jobs : processors();
        return true;
    case OPT_LABEL:
        if (o->nlabels == FLEET_LABELS)
            return err_set(err, ERR_NO_OFFSET, "at most %d times --label", FLEET_LABELS);
        if (!is_label(arg))
            return refuse(o, err, "--label expects a name and a value like host=a, not '%s'", arg);
        o->labels[o->nlabels++] = arg;
        return true;
    case OPT_WITH_TRACE:
        return o->with_trace = true;
    default:
        return command_line_bytes(arg, &q->query.memory) ||
               refuse(o, err, "--query-memory expects a size like 4g, not '%s'", arg);
    }
}

static bool apply_together(struct options *o, int code, const char *arg, struct err *err) {
    struct together *t = &o->together;
    int place;
    switch (code) {
    case OPT_TOGETHER:
        return t->on = true;
    case OPT_OFFSET:
        if (t->noffsets == TOGETHER_MOST)
            return err_set(err, ERR_NO_OFFSET, "at most %d times --offset", TOGETHER_MOST);
        t->offsets[t->noffsets++] = arg;
        return true;
    case OPT_ALIGN:
        if ((place = word_of(code, arg)) < 0)
            return refuse(o, err, "--align expects wall, begin or raw, not '%s'", arg);
        t->how = (enum align_how)(ALIGN_WALL + place);
        return true;
    case OPT_REFERENCE:
        t->reference = arg;
        return true;
    case OPT_JOIN_FLOWS:
        t->category = arg;
        return t->joins_flows = true;
    default:
        t->hosts = arg;
        return t->same_host = true;
    }
}

/* Options without a value. */
static bool apply_switch(struct options *o, int code) {
    switch (code) {
    case OPT_ASCII:
        return o->ascii = true;
    case OPT_TREE:
        return o->tree = true;
    case OPT_STRICT:
        return o->strict = o->has_strict = true;
    case OPT_NO_MOUSE:
        return o->no_mouse = true;
    case OPT_KEYS_MAY_WRITE:
        return o->keys_may_write = true;
    case OPT_STATS:
        return o->stats = true;
    case OPT_QUIET:
        return o->quiet = true;
    case OPT_LIST_KEYS:
        o->mode = MODE_LIST_KEYS;
        return true;
    case 'F':
        return o->follow = true;
    case 'h':
        o->mode = MODE_HELP;
        return true;
    default:
        o->mode = MODE_VERSION;
        return true;
    }
}

static bool apply(struct options *o, int code, const char *arg, struct err *err) {
    if (code >= OPT_COMPARE && code <= OPT_ANY)
        return apply_compare(o, code, arg, err);
    if (code >= OPT_TOGETHER)
        return apply_together(o, code, arg, err);
    if (code >= OPT_QUERY && code <= OPT_WITH_TRACE)
        return apply_query(o, code, arg, err);
    if (code == 'n' || (code >= OPT_TOP && code <= OPT_DESCRIBE))
        return apply_table(o, code, arg, err);
    if (code >= OPT_NO_CACHE && code <= OPT_CACHE_SIZE)
        return apply_cache(o, code, arg, err);
    if (code >= OPT_KEYS && code <= OPT_TRACKS) {
        *typed_text(o, code) = arg;
        return true;
    }
    if (code == 'S' || (code >= OPT_NO_SESSION && code <= OPT_NO_CONFIG)) {
        o->session = code == 'S' ? arg : o->session;
        o->no_session = o->no_session || code == OPT_NO_SESSION;
        if (code == OPT_CONFIG || code == OPT_NO_CONFIG)
            o->config = code == OPT_CONFIG ? arg : NULL;
        return true;
    }
    switch (code) {
    case OPT_PRINT:
        if (arg && !parse_size(arg, &o->cols, &o->rows))
            return refuse(o, err, "--print expects WIDTHxHEIGHT, at most 1000x1000, not '%s'", arg);
        return set_mode(o, MODE_PRINT, err);
    case OPT_RECORDS:
        return set_mode(o, MODE_RECORDS, err);
    case OPT_INDEX:
        return set_mode(o, MODE_INDEX, err);
    case OPT_STDIO:
        return set_mode(o, MODE_SERVE, err);
    case OPT_EXPORT:
        return apply_format(o, arg, err);
    case OPT_CUT:
        o->cut = arg;
        o->format = EXPORT_FXT;
        return set_mode(o, MODE_EXPORT, err);
    case OPT_LOAD:
        o->load_all = strcmp(arg, "all") == 0;
        o->load = o->load_all ? NULL : arg;
        return true;
    case OPT_PROVIDERS:
        o->providers = arg;
        return *arg || refuse(o, err, "--providers expects names, e.g. ktrace,app, not '%s'", arg);
    case OPT_SYMBOLS:
        o->symbols = arg;
        return true;
    case OPT_REDACT:
        return apply_redact(o, arg, err);
    case 'o':
        o->folder = arg[0] && arg[strlen(arg) - 1] == '/' ? arg : NULL;
        /* "-" is standard output, which is the default */
        o->output = o->folder || strcmp(arg, "-") == 0 ? NULL : arg;
        return true;
    case OPT_SUMMARY:
        return set_mode(o, MODE_SUMMARY, err);
    case OPT_CHECK:
        o->strict = o->strict || arg != NULL;
        if (arg && word_of(code, arg) < 0)
            return refuse(o, err, "--check expects no value or =strict, not '%s'", arg);
        return set_mode(o, MODE_CHECK, err);
    case OPT_COLOR:
    case OPT_BACKGROUND:
    case OPT_COMPLETION:
        return apply_terminal(o, code, arg, err);
    case OPT_MAX_INFLATE:
        return command_line_bytes(arg, &o->max_inflate) ||
               refuse(o, err, "--max-inflate expects a size like 20g, not '%s'", arg);
    default:
        return apply_switch(o, code);
    }
}

/* Options that some modes would ignore, with the modes that do not. All others hold in each mode:
 * where nothing is cached or coloured, --no-cache and --color=never are kept. A new option that a
 * mode ignores needs a row. */
enum {
    ON_SCREEN = 1 << MODE_SCREEN,
    ON_PRINT = 1 << MODE_PRINT | 1 << MODE_DESCRIBE,
    ON_TOP = 1 << MODE_TOP,
    ON_TABLE = ON_TOP | 1 << MODE_INSTANCES,
    ON_CSV = 1 << MODE_VERSION << 1,
    ON_QUERY = 1 << MODE_QUERY,
    ON_SQL = ON_QUERY | 1 << MODE_ASSERT,
    ON_COMPARE = 1 << MODE_COMPARE,
    ON_INDEX = 1 << MODE_INDEX,
    ON_SQLITE = ON_CSV << 1,
    ON_JSON = ON_CSV << 4,
    ON_SAMPLES = ON_CSV << 3, /* --export=folded with --by=samples or weight */
    ON_FXT = ON_CSV << 2,
    ON_EXPORT = 1 << MODE_EXPORT | ON_CSV | ON_FXT | ON_JSON,
    ON_PLAYED = ON_SCREEN | ON_PRINT | ON_CSV | ON_JSON | ON_FXT, /* they have keys */
    /* modes whose output can have the name of a trace */
    ON_NAMED = ~(ON_SCREEN | 1 << MODE_PRINT | ON_INDEX | ON_FXT | ON_SQLITE)
};

static const struct effect {
    int code;
    unsigned modes;
    const char *instead;
} effects[] = {
    {OPT_TOGETHER,
     ON_SCREEN | ON_PRINT | ON_TABLE | ON_SQL | 1 << MODE_SUMMARY | 1 << MODE_CHECK |
         1 << MODE_SERVE | 1 << MODE_EXPORT | ON_CSV | ON_JSON | ON_FXT | ON_INDEX,
     "use --query"},
    {OPT_KEYS, ON_PLAYED, "use --print or --export=csv"},
    {OPT_KEYS_MAY_WRITE, ON_PLAYED, "use --print or --export=csv"},
    {OPT_AT, ON_SCREEN | ON_PRINT, "use --print"},
    {OPT_WINDOW, ON_SCREEN | ON_PRINT, "use --print"},
    {OPT_COLOR, ON_SCREEN | 1 << MODE_PRINT, "use --print"},
    {OPT_RANGE, ON_SCREEN | ON_PRINT | ON_TABLE | ON_COMPARE | ON_EXPORT | 1 << MODE_SUMMARY,
     "use --export or --top"},
    {OPT_TRACKS, ON_SCREEN | ON_PRINT | ON_TABLE | ON_COMPARE | ON_EXPORT | 1 << MODE_SUMMARY,
     "use --export or --top"},
    {OPT_FILTER, ON_SCREEN | ON_PRINT | ON_TOP | ON_COMPARE | ON_EXPORT | 1 << MODE_SUMMARY,
     "use --export or --top"},
    {OPT_CONFIG, ON_SCREEN | ON_PRINT, "use --print"},
    {'n', ON_TABLE, "use --top or --instances"},
    {OPT_STRICT, 1 << MODE_CHECK, "use --check"},
    {OPT_BY, ON_TOP | ON_COMPARE | ON_SAMPLES, "use --top"},
    {OPT_FORMAT, ON_TABLE | ON_SQL | ON_COMPARE | 1 << MODE_CHECK,
     "use --top, --instances or --query"},
    {OPT_QUERY_MEMORY, ON_SQL | ON_PLAYED | ON_SQLITE, "use --query"},
    {OPT_FILES_FROM, ~1u, "it opens one trace"},
    {OPT_JOBS, ~1u, "it opens one trace"},
    {OPT_WITH_TRACE, ON_NAMED, "use --query or --top"},
    {OPT_LABEL, ON_NAMED, "use --query or --top"},
    {OPT_QUIET, ~1u, "it prints nothing"},
    {OPT_THRESHOLD, ON_COMPARE, "use --compare"},
    {OPT_ALL, ON_COMPARE, "use --compare"},
    {OPT_ANY, ON_COMPARE, "use --compare"},
    {OPT_TREE, 1 << MODE_SUMMARY, "use --summary"},
    {OPT_LOAD, ~(1u << MODE_RECORDS | 1u << MODE_INDEX), "use --cut"},
    {OPT_PROVIDERS, ~(1u << MODE_RECORDS | 1u << MODE_INDEX), "use --query"},
    {OPT_SYMBOLS, ~(1u << MODE_RECORDS | 1u << MODE_INDEX), "use --export=fxt"},
    {OPT_REDACT, ON_FXT, "use --cut or --export=fxt"},
    {'o', ~1u, "it prints nothing"},
    {'S', ON_PLAYED, "use --print or --export=csv"},
    {'F', ON_SCREEN, "it works only on the screen"},
};

static bool is_given(const struct options *o, int code) {
    switch (code) {
    case OPT_TOGETHER:
        return o->together.on;
    case OPT_KEYS:
        return o->keys != NULL;
    case OPT_KEYS_MAY_WRITE:
        return o->keys_may_write;
    case OPT_AT:
        return o->at != NULL;
    case OPT_WINDOW:
        return o->window != NULL;
    case OPT_CONFIG:
        return o->config && *o->config;
    case OPT_COLOR:
        return o->color > 0;
    case OPT_FILTER:
        return o->filter != NULL;
    case OPT_RANGE:
        return o->range != NULL;
    case OPT_TRACKS:
        return o->tracks != NULL;
    case 'n':
        return o->has_rows;
    case OPT_STRICT:
        return o->has_strict;
    case OPT_BY:
        return o->has_by;
    case OPT_FORMAT:
        return o->has_format;
    case OPT_QUERY_MEMORY:
        return o->query.query.memory > 0;
    case OPT_FILES_FROM:
        return o->files_from != NULL;
    case OPT_JOBS:
        return o->jobs > 0;
    case OPT_WITH_TRACE:
        return o->with_trace;
    case OPT_LABEL:
        return o->nlabels > 0;
    case OPT_QUIET:
        return o->quiet;
    case OPT_THRESHOLD:
        return o->compare.threshold > 0;
    case OPT_ALL:
        return o->compare.all;
    case OPT_ANY:
        return o->compare.any;
    case OPT_TREE:
        return o->tree;
    case OPT_LOAD:
        return o->load != NULL;
    case OPT_PROVIDERS:
        return o->providers != NULL;
    case OPT_SYMBOLS:
        return o->symbols != NULL;
    case OPT_REDACT:
        return o->redact != 0;
    case 'o':
        return o->output || o->folder;
    case 'S':
        return o->session != NULL;
    default:
        return o->follow;
    }
}

/* The first option that leaves out a part of the trace. */
static const char *first_limit(const struct options *o) {
    if (o->range)
        return "range";
    if (o->tracks)
        return "tracks";
    return o->filter ? "filter" : "keys";
}

/* The fault of --by with a mode that knows it; NULL: none. */
static const char *wrong_by(const struct options *o) {
    if (o->mode == MODE_COMPARE && o->by != BY_THREAD)
        return "--compare knows --by=thread alone";
    if (o->mode == MODE_TOP && o->by == BY_THREAD)
        return "--by=thread is of --compare, not of --top";
    if (o->mode == MODE_TOP && o->by == BY_WEIGHT)
        return "--by=weight is of --export=folded, not of --top";
    return NULL;
}

/* Two options of which one would be ignored. */
static bool check_pairs(const struct options *o, struct err *err) {
    const char *alone = together_alone(&o->together);
    if (alone)
        return err_set(err, ERR_NO_OFFSET, "--%s is of several FILEs as one trace: --together",
                       alone);
    if (o->together.on && (o->files_from || o->jobs > 0 || o->folder || o->load))
        return err_set(err, ERR_NO_OFFSET,
                       "several FILEs as one trace are those of the command line, whole and at "
                       "once");
    if (o->mode == MODE_SERVE && (o->files_from || o->output || o->folder || o->jobs > 0))
        return err_set(err, ERR_NO_OFFSET,
                       "serve answers on standard output about the FILEs of the command line");
    if (o->mode == MODE_EXPORT && o->filter && o->keys)
        return err_set(err, ERR_NO_OFFSET,
                       "--filter has no effect with --keys: filter the table with & in them");
    if (o->mode == MODE_INSTANCES && o->filter)
        return err_set(err, ERR_NO_OFFSET,
                       "--filter has no effect with --instances: add its terms to --instances");
    if (o->mode == MODE_EXPORT && o->format == EXPORT_SQLITE &&
        (o->range || o->tracks || o->filter || o->keys))
        return err_set(err, ERR_NO_OFFSET,
                       "--%s has no effect with --export=sqlite: it writes the whole trace",
                       first_limit(o));
    if (o->cut && (o->range || o->format != EXPORT_FXT))
        return err_set(err, ERR_NO_OFFSET,
                       "--cut is --export=fxt with its own --range: leave out %s",
                       o->range ? "--range" : "--export");
    if (o->mode == MODE_EXPORT && o->format >= EXPORT_FXT && !o->output && !o->folder &&
        isatty(STDOUT_FILENO))
        return err_set(err, ERR_NO_OFFSET,
                       "a trace or a database is not written to a terminal: use --output=FILE");
    if (o->load && o->follow)
        return err_set(err, ERR_NO_OFFSET, "--load has no effect with --follow: use --range");
    const char *wrong = o->has_by ? wrong_by(o) : NULL;
    if (wrong)
        return err_set(err, ERR_NO_OFFSET, "%s", wrong);
    if (o->mode == MODE_EXPORT && o->format == EXPORT_JSON && (o->with_trace || o->nlabels > 0))
        return err_set(err, ERR_NO_OFFSET,
                       "--%s has no effect with --export=json: use --query or --top",
                       o->with_trace ? "with-trace" : "label");
    if (o->mode == MODE_INDEX && (o->cache == CACHE_OFF || o->cache == CACHE_READ))
        return err_set(err, ERR_NO_OFFSET, "--index writes to the cache: leave out --cache=%s",
                       caches[o->cache - 1]);
    if (o->has_picture && o->mode != MODE_PRINT)
        return err_set(err, ERR_NO_OFFSET, "--format=text, ansi, svg and html are of --print");
    if (o->has_format && test_report_is(o->table) && o->mode != MODE_ASSERT &&
        o->mode != MODE_CHECK)
        return err_set(err, ERR_NO_OFFSET, "--format=junit and github are of --assert and --check");
    if (o->has_format && o->mode == MODE_CHECK && !test_report_is(o->table) &&
        o->table != FORMAT_TABLE)
        return err_set(err, ERR_NO_OFFSET, "--check has the formats table, junit and github");
    if (o->describe && o->at)
        return err_set(err, ERR_NO_OFFSET,
                       "--at has no effect with --describe=WHAT: use one of them");
    return true;
}

/* Refuses an option that the mode would ignore. */
static bool check_effects(const struct options *o, struct err *err) {
    static const char *const modes[] = {
        [MODE_SCREEN] = "the screen",   [MODE_PRINT] = "--print",
        [MODE_RECORDS] = "--records",   [MODE_EXPORT] = "--export",
        [MODE_SUMMARY] = "--summary",   [MODE_CHECK] = "--check",
        [MODE_TOP] = "--top",           [MODE_INSTANCES] = "--instances",
        [MODE_DESCRIBE] = "--describe", [MODE_QUERY] = "--query",
        [MODE_ASSERT] = "--assert",     [MODE_COMPARE] = "--compare",
        [MODE_INDEX] = "--index",       [MODE_SERVE] = "serve"};
    bool export = o->mode == MODE_EXPORT;
    if (!check_pairs(o, err))
        return false;
    unsigned mode = 1u << o->mode;
    if (export && o->format == EXPORT_CSV)
        mode = ON_CSV;
    else if (export && o->format == EXPORT_FXT)
        mode = ON_FXT;
    else if (o->mode == MODE_EXPORT && o->format == EXPORT_JSON)
        mode = ON_JSON;
    else if (export && o->format == EXPORT_SQLITE)
        mode = ON_SQLITE;
    else if (export && o->format == EXPORT_FOLDED && o->by >= BY_SAMPLES)
        mode |= ON_SAMPLES;
    for (size_t i = 0; i < sizeof effects / sizeof *effects; i++) {
        if (effects[i].modes & mode || !is_given(o, effects[i].code))
            continue;
        const char *name = "", *instead = effects[i].instead;
        for (size_t k = 0; k < ROWS; k++)
            name = rows[k].code == effects[i].code ? rows[k].name : name;
        if (effects[i].code == OPT_AT || effects[i].code == OPT_WINDOW)
            instead = mode & (ON_TABLE | ON_EXPORT | 1 << MODE_SUMMARY) ? "use --range" : instead;
        return err_set(err, ERR_NO_OFFSET, "--%s%s has no effect with %s%s%s: %s", name,
                       effects[i].code == OPT_COLOR ? "=always" : "", modes[o->mode],
                       export ? "=" : "", export ? formats[o->format] : "", instead);
    }
    return true;
}

/* The mode of the verb, and its value from the words. `words` loses that one. */
static bool apply_verb(struct options *o, char ***words, int *n, struct err *err) {
    const struct command_line_verb *verb = o->verb;
    const char *value = verbs_value(verb, *n, (*words)[0]);
    bool given = value == NULL && o->mode == (enum mode)verb->mode; /* by the option */
    if (verb->mode == MODE_SERVE && o->mode != MODE_SERVE)
        return err_set(err, ERR_NO_OFFSET, "serve expects --stdio (try fxtop serve --help)");
    if (verb->value && value == NULL && !verb->optional)
        return err_set(err, ERR_NO_OFFSET, "%s expects %s (try fxtop %s --help)", verb->name,
                       verb->arguments, verb->name);
    for (size_t i = 0; i < ROWS; i++)
        if (!given && strcmp(rows[i].name, verb->name) == 0 && !apply(o, rows[i].code, value, err))
            return false;
    *words += value != NULL;
    *n -= value != NULL;
    return *n > 0 || o->files_from ||
           err_set(err, ERR_NO_OFFSET, "%s expects %s: no trace given (try fxtop %s --help)",
                   verb->name, verb->arguments, verb->name);
}

/* fxtop help [VERB] */
static bool parse_help(struct options *o, int argc, char **argv, struct err *err) {
    o->mode = MODE_HELP;
    const struct command_line_verb *verb = argc > 2 ? verbs_find(argv[2]) : NULL;
    o->verb = verb && verb->mode != MODE_HELP ? verb : NULL;
    return argc <= 2 || verb || refuse(o, err, "there is no verb '%s' (try --help)", argv[2]);
}

bool options_parse(struct options *o, int argc, char **argv, bool ascii, struct err *err) {
    struct command_line line = {.rows = rows, .n = ROWS, .ascii = ascii};
    int code;
    *o = (struct options){
        .mode = MODE_SCREEN, .cols = 100, .rows = 30, .ascii = ascii, .config = ""};
    o->verb = argc > 1 ? verbs_find(argv[1]) : NULL;
    if (o->verb && o->verb->mode == MODE_HELP)
        return parse_help(o, argc, argv, err);
    argc -= o->verb != NULL;
    argv += o->verb != NULL;
    command_line_begin(&line);
    while ((code = command_line_next(&line, argc, argv, err)) >= 0) {
        if (!apply(o, code, optarg, err))
            return false;
        if (o->mode >= MODE_LIST_KEYS)
            return true;
        line.ascii = o->ascii;
    }
    if (code == COMMAND_LINE_FAULT)
        return false;
    char **words = argv + optind;
    int n = argc - optind;
    if (o->verb && !apply_verb(o, &words, &n, err))
        return false;
    if (n > 1 && !o->files_from && !o->folder && o->jobs == 0 &&
        (o->mode == MODE_SCREEN || o->mode == MODE_PRINT))
        o->together.on = true;
    if (!check_effects(o, err))
        return false;
    o->range = o->cut ? o->cut : o->range;
    if (n == 0 && o->files_from == NULL)
        return err_set(err, ERR_NO_OFFSET, "no trace given (try --help)");
    for (int i = 0; i < n && o->mode == MODE_SERVE; i++)
        if (strcmp(words[i], "-") == 0)
            return err_set(err, ERR_NO_OFFSET, "standard input has the requests of serve");
    int cols, lines;
    for (int i = 0; i < n && n > 1 && o->mode == MODE_PRINT; i++)
        if (parse_size(words[i], &cols, &lines))
            return refuse(o, err, "expected a size after '=', e.g. --print=%s", words[i]);
    if (o->mode == MODE_COMPARE && n != (o->files_from ? 1 : 2))
        return err_set(
            err, ERR_NO_OFFSET,
            o->files_from
                ? "--compare expects one trace beside --files-from, or runs: A1,A2,.."
                : "--compare expects two traces, or two lists of runs: A1,A2,.. B1,B2,..");
    o->path = n > 0 ? words[0] : o->files_from;
    o->paths = words;
    o->npaths = n;
    o->trace = (struct trace_options){
        .file = {o->max_inflate, importers, false}, .follow = o->follow, .insists = o->load_all};
    o->query.ascii = o->ascii;
    if (o->has_format)
        o->query.format = o->table;
    else if (o->mode == MODE_ASSERT || (isatty(STDOUT_FILENO) && !o->output && !o->folder))
        o->query.format = FORMAT_TABLE;
    else
        o->query.format = FORMAT_CSV;
    o->compare.sides[0] = o->path;
    o->compare.texts = (struct question_texts){o->range, o->tracks, o->filter};
    o->compare.format = o->table;
    o->compare.threshold = o->compare.threshold > 0 ? o->compare.threshold : 0.05;
    o->compare.by_thread = o->has_by && o->by == BY_THREAD;
    o->compare.ascii = o->ascii;
    o->compare.load = o->load;
    if (*o->path == 0)
        return err_set(err, ERR_NO_OFFSET, "the name of the trace is empty");
    return true;
}
