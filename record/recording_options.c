/* recording_options.c - parses the command line of fxtop record.
 *
 * Options end at the first word that is none: it is the program, and what follows belongs to it. */
#include "record/recording_options.h"

#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "record/until.h"
#include "record/watch/image_file.h"
#include "src/base/units.h"
#include "src/command_line.h"

enum code {
    OPT_RECOVER = 256,
    OPT_LISTEN,
    OPT_UNTIL,
    OPT_FOR,
    OPT_MAX_SIZE,
    OPT_TIMEOUT,
    OPT_WAIT,
    OPT_REPORT,
    OPT_NO_SCHED,
    OPT_SAMPLE,
    OPT_STACKS,
    OPT_NO_STACKS,
    OPT_SYMBOLS,
    OPT_SYSCALLS,
    OPT_WAITS,
    OPT_FUNCTIONS,
    OPT_FUNCTIONS_OVER,
    OPT_LOG
};

#define BUFFER_LEAST (UINT64_C(64) << 10)
#define BUFFER_MOST (UINT64_C(1) << 30)
#define STACKS_MOST 10000 /* samples a second */
#define PID_MOST 4194304  /* as Linux has it */
#define PIDS_MAX 1000
#define CATEGORIES_MAX 64 /* as many as a provider takes */
#define CATEGORY_MAX 100  /* bytes */

static const char *const modes[] = {
    [WIRE_ONESHOT] = "oneshot", [WIRE_CIRCULAR] = "circular", [WIRE_STREAMING] = "streaming", NULL};

static const char *const ways[] = {"kernel", "ptrace", NULL};

static const struct command_line_row rows[] = {
    {"output", required_argument, 'o', "=FILE",
     "write to FILE (default trace.fxt; an older one becomes FILE.old); - is standard output",
     VALUE_FILE, NULL},
    {"categories", required_argument, 'c', "=LIST",
     "only these, separated by commas; a:* for a prefix (default all)", VALUE_TEXT, NULL},
    {"mode", required_argument, 'm', "=MODE",
     "streaming (default), circular (the last of each provider) or oneshot (the first)",
     VALUE_WORDS, modes},
    {"buffer", required_argument, 'b', "=SIZE", "of each provider: 64k to 1g (default 8m)",
     VALUE_TEXT, NULL},
    {"pid", required_argument, 'p', "=PID[,PID]",
     "processes that run already, until they end or Ctrl-C; no program", VALUE_TEXT, NULL},
    {"all", no_argument, 'a', "", "all processes: of the system for root, else yours", VALUE_NONE,
     NULL},
    {"duration", required_argument, 'd', "=TIME", "stop after it: 10s, 500ms", VALUE_TEXT, NULL},
    {"for", required_argument, OPT_FOR, "=TIME", "the same", VALUE_TEXT, NULL},
    {"until", required_argument, OPT_UNTIL, "=FILTER",
     "stop when an event comes that it holds for: 'dur>16ms name=Frame'; a name is an alert's",
     VALUE_TEXT, NULL},
    {"max-size", required_argument, OPT_MAX_SIZE, "=SIZE",
     "stop when the file has it (default 9/10 of the free disk)", VALUE_TEXT, NULL},
    {"live", no_argument, 'l', "",
     "show the trace as it grows; the program's output is in its log (5) and in FILE.out",
     VALUE_NONE, NULL},
    {"log", no_argument, OPT_LOG, "", "the program's output as log records, too", VALUE_NONE, NULL},
    {"listen", optional_argument, OPT_LISTEN, "[=SOCKET]", "wait for providers, without a program",
     VALUE_FILE, NULL},
    {"no-sched", no_argument, OPT_NO_SCHED, "", "without context switches of the program",
     VALUE_NONE, NULL},
    {"sample", required_argument, OPT_SAMPLE, "=HZ",
     "counters of CPU, memory and I/O a second: 10, 0 for none", VALUE_TEXT, NULL},
    {"stacks", optional_argument, OPT_STACKS, "[=HZ]",
     "samples of stacks in a second of CPU time: 999, the default; 0 for none", VALUE_TEXT, NULL},
    {"no-stacks", no_argument, OPT_NO_STACKS, "", "without them", VALUE_NONE, NULL},
    {"symbols", required_argument, OPT_SYMBOLS, "=DIR",
     "names of functions also from files in DIR: the root of another system, or debug files",
     VALUE_FILE, NULL},
    {"syscalls", optional_argument, OPT_SYSCALLS, "[=HOW]",
     "system calls, as slices of their threads; ptrace: without rights, but slower", VALUE_WORDS,
     ways},
    {"waits", optional_argument, OPT_WAITS, "[=TIME]",
     "calls that wait for locks, files, sockets (10us or more), and memory by malloc()", VALUE_TEXT,
     NULL},
    {"functions", optional_argument, OPT_FUNCTIONS, "[=LIST]",
     "calls of functions of a program built with -finstrument-functions: parse_*,main", VALUE_TEXT,
     NULL},
    {"functions-over", required_argument, OPT_FUNCTIONS_OVER, "=TIME",
     "only calls that take as long", VALUE_TEXT, NULL},
    {"report", no_argument, OPT_REPORT, "",
     "print the summary, the processes, the heaviest stacks and the slowest slices at the end",
     VALUE_NONE, NULL},
    {"wait", no_argument, OPT_WAIT, "",
     "after the program's end wait for all providers that it left", VALUE_NONE, NULL},
    {"timeout", required_argument, OPT_TIMEOUT, "=TIME",
     "that providers have for stopping (default 2s)", VALUE_TEXT, NULL},
    {"recover", no_argument, OPT_RECOVER, "",
     "make a trace of trace buffers that were left in memory; find names for one that was cut",
     VALUE_NONE, NULL},
    {"help", no_argument, 'h', "", "print this help", VALUE_NONE, NULL},
};
#define ROWS (sizeof rows / sizeof *rows)

struct command_line_table recording_options_table(void) {
    return (struct command_line_table){rows, ROWS};
}

void recording_options_help(FILE *out) {
    fputs("Usage: fxtop record [OPTION]... [--] PROGRAM [ARGUMENT]...\n"
          "       fxtop record [OPTION]... {-p PID[,PID]... | -a}\n"
          "       fxtop record [OPTION]... --listen[=SOCKET]\n"
          "       fxtop record --recover [-o FILE] {BUFFER... | TRACE}\n"
          "Record a program and what it starts into a trace.\n\n",
          out);
    command_line_help(&(struct command_line){.rows = rows, .n = ROWS}, out);
}

/* Times a second as an interval. */
static bool parse_rate(const char *s, uint64_t most, uint64_t *interval) {
    uint64_t hz;
    if (!command_line_number(&s, most, &hz) || *s != 0)
        return false;
    *interval = hz > 0 ? UINT64_C(1000000000) / hz : 0;
    return true;
}

static bool parse_time(const char *s, uint64_t *ns) {
    int64_t t;
    if (!units_parse(s, strlen(s), &t) || t <= 0)
        return false;
    *ns = (uint64_t)t;
    return true;
}

/* The texts between commas stay in argv, whose commas become ends. */
static bool split_categories(struct recording_options *o, char *list, struct err *err) {
    size_t bytes = strlen(list);
    char *rest = NULL;
    for (char *part = strtok_r(list, ",", &rest); part; part = strtok_r(NULL, ",", &rest)) {
        if (strlen(part) > CATEGORY_MAX || o->categories.n >= CATEGORIES_MAX || bytes > 8000)
            return err_set(err, ERR_NO_OFFSET,
                           "--categories expects at most %d of at most %d bytes", CATEGORIES_MAX,
                           CATEGORY_MAX);
        vec_push(&o->categories, part);
    }
    return o->categories.n > 0 ||
           err_set(err, ERR_NO_OFFSET, "--categories expects names like app,gfx:*");
}

/* Numbers of processes between commas. */
static bool parse_pids(struct recording_options *o, const char *s) {
    for (const char *at = s;; at++) {
        uint64_t pid;
        if (!command_line_number(&at, PID_MOST, &pid) || pid == 0 || (*at && *at != ','))
            return false;
        if (o->pids.n >= PIDS_MAX)
            return false;
        vec_push(&o->pids, (pid_t)pid);
        if (*at == 0)
            return true;
    }
}

static bool parse_way(struct recording_options *o, const char *s) {
    int place = s ? command_line_word(recording_options_table(), OPT_SYSCALLS, s) : 0;
    o->syscalls = place == 0;
    o->ptrace = place == 1;
    return place >= 0;
}

static bool parse_mode(const char *s, enum wire_mode *mode) {
    int place = command_line_word(recording_options_table(), 'm', s);
    *mode = place < 0 ? *mode : (enum wire_mode)place;
    return place >= 0;
}

/* A filter has a comparison; a name without one is that of an alert. */
static bool parse_until(struct recording_options *o, const char *s, bool ascii, struct err *err) {
    bool filter;
    if (!until_parse(s, &filter, err))
        return false;
    if (!filter && (*s == 0 || strlen(s) > WIRE_ALERT_MAX))
        return command_line_refuse(
            ascii, err,
            "--until expects a filter like dur>16ms, or the name of an alert, 1 to 14 bytes, not "
            "'%s'",
            s);
    o->until = filter ? NULL : s;
    o->until_filter = filter ? s : NULL;
    return true;
}

/* Values that are sizes, times and modes. */
static bool apply_number(struct recording_options *o, int code, const char *arg, bool ascii,
                         struct err *err) {
    switch (code) {
    case 'm':
        return parse_mode(arg, &o->mode) ||
               command_line_refuse(ascii, err,
                                   "--mode expects streaming, circular or oneshot, not '%s'", arg);
    case 'b':
        if (!command_line_bytes(arg, &o->buffer_size) || o->buffer_size < BUFFER_LEAST ||
            o->buffer_size > BUFFER_MOST)
            return command_line_refuse(ascii, err,
                                       "--buffer expects a size from 64k to 1g, not '%s'", arg);
        o->buffer_size = (o->buffer_size + 4095) / 4096 * 4096;
        return true;
    case OPT_SAMPLE:
        return parse_rate(arg, 1000, &o->sample) ||
               command_line_refuse(ascii, err, "--sample expects 0 to 1000, not '%s'", arg);
    case OPT_STACKS:
        o->stacks_asked = true;
        return parse_rate(arg ? arg : "999", STACKS_MOST, &o->stacks) ||
               command_line_refuse(ascii, err, "--stacks expects 0 to 10000, not '%s'", arg);
    case OPT_WAITS:
        o->preload.waits = true;
        return strcmp(arg ? arg : "10us", "0") == 0 ||
               parse_time(arg ? arg : "10us", &o->preload.waits_least) ||
               command_line_refuse(ascii, err, "--waits expects a time like 10us, not '%s'", arg);
    case OPT_FUNCTIONS_OVER:
        return parse_time(arg, &o->preload.functions_least) ||
               command_line_refuse(ascii, err, "--functions-over expects a time like 1us, not '%s'",
                                   arg);
    case OPT_MAX_SIZE:
        return command_line_bytes(arg, &o->max_size) ||
               command_line_refuse(ascii, err, "--max-size expects a size like 2g, not '%s'", arg);
    case 'd':
    case OPT_FOR:
        return parse_time(arg, &o->duration) ||
               command_line_refuse(ascii, err,
                                   code == 'd' ? "--duration expects a time like 10s, not '%s'"
                                               : "--for expects a time like 10s, not '%s'",
                                   arg);
    default:
        return parse_time(arg, &o->timeout) ||
               command_line_refuse(ascii, err, "--timeout expects a time like 2s, not '%s'", arg);
    }
}

static bool apply(struct recording_options *o, int code, char *arg, bool ascii, struct err *err) {
    switch (code) {
    case 'o':
        if (*arg == 0)
            return err_set(err, ERR_NO_OFFSET, "the name of the output is empty");
        o->output = arg;
        return true;
    case 'c':
        return split_categories(o, arg, err);
    case 'p':
        return parse_pids(o, arg) ||
               command_line_refuse(
                   ascii, err, "--pid expects numbers of processes like 123,124, not '%s'", arg);
    case 'a':
        o->all = true;
        return true;
    case OPT_UNTIL:
        return parse_until(o, arg, ascii, err);
    case OPT_SYMBOLS:
        return image_file_folder(arg, o->symbols, sizeof o->symbols) ||
               command_line_refuse(ascii, err, IMAGE_FILE_NO_FOLDER, arg);
    case OPT_LISTEN:
        o->listen = arg ? arg : "";
        return true;
    case OPT_FUNCTIONS:
        if (arg && *arg == 0)
            return err_set(err, ERR_NO_OFFSET, "--functions expects names like parse_*,main");
        o->preload.functions = arg ? arg : "*";
        return true;
    case OPT_NO_SCHED:
        o->no_sched = true;
        return true;
    case OPT_NO_STACKS:
        o->stacks = 0;
        return true;
    case OPT_SYSCALLS:
        return parse_way(o, arg) ||
               command_line_refuse(ascii, err, "--syscalls expects kernel or ptrace, not '%s'",
                                   arg);
    case OPT_LOG:
        o->log = true;
        return true;
    case 'l':
        o->live = true;
        return true;
    case OPT_REPORT:
        o->report = true;
        return true;
    case OPT_WAIT:
        o->wait = true;
        return true;
    case OPT_RECOVER:
        o->recover = true;
        return true;
    case 'h':
        o->help = true;
        return true;
    default:
        return apply_number(o, code, arg, ascii, err);
    }
}

/* Refuses options that do not go together with processes that run already. */
static bool check_attach(const struct recording_options *o, struct err *err) {
    const char *option = o->all ? "--all" : "--pid";
    if (o->all && o->pids.n > 0)
        return err_set(err, ERR_NO_OFFSET, "--all has the processes of --pid: leave one out");
    if (o->nrest > 0)
        return err_set(err, ERR_NO_OFFSET, "%s records no program: leave one of them out", option);
    if (o->listen)
        return err_set(err, ERR_NO_OFFSET, "%s and --listen exclude each other", option);
    if (o->preload.waits || o->preload.functions)
        return err_set(err, ERR_NO_OFFSET,
                       "--waits and --functions have no effect with %s: they change how a program "
                       "is started",
                       option);
    if (o->log || o->wait)
        return err_set(err, ERR_NO_OFFSET, "--log and --wait have no effect with %s", option);
    if (o->ptrace)
        return err_set(err, ERR_NO_OFFSET, "--syscalls=ptrace has no effect with %s", option);
    if (o->no_sched && o->stacks == 0 && o->sample == 0 && !o->syscalls)
        return err_set(err, ERR_NO_OFFSET, "nothing to record is left");
    return true;
}

/* Refuses options that do not go together. */
static bool check(const struct recording_options *o, struct err *err) {
    bool standard = strcmp(o->output, "-") == 0;
    if (standard && o->live)
        return err_set(err, ERR_NO_OFFSET, "--live shows a file: --output=- is none");
    if (standard && fcntl(STDOUT_FILENO, F_GETFD) < 0)
        return err_set(err, ERR_NO_OFFSET,
                       "standard output is closed: redirect it, or name a file with --output");
    if (standard && isatty(STDOUT_FILENO))
        return err_set(err, ERR_NO_OFFSET,
                       "standard output is a terminal: redirect it, or name a file with --output");
    if (o->report && (standard || o->live || o->recover))
        return err_set(err, ERR_NO_OFFSET, "--report and %s exclude each other",
                       standard ? "--output=-"
                                : (const char *[]){"--live", "--recover"}[o->recover]);
    if (o->symbols[0] && !o->recover && (o->stacks == 0 || o->listen))
        return err_set(err, ERR_NO_OFFSET, "--symbols has no effect without stacks");
    if (o->until_filter && standard)
        return err_set(err, ERR_NO_OFFSET,
                       "--until with a filter looks into the file: --output=- is none");
    if (o->until_filter && o->mode == WIRE_CIRCULAR)
        return err_set(err, ERR_NO_OFFSET,
                       "--until with a filter sees no events with --mode=circular, which come at "
                       "the end: use an alert");
    if (o->recover)
        return o->nrest > 0 || err_set(err, ERR_NO_OFFSET, "no trace buffer given (try --help)");
    if (o->all || o->pids.n > 0)
        return check_attach(o, err);
    if (o->listen && o->nrest > 0)
        return err_set(err, ERR_NO_OFFSET, "--listen records no program: leave one of them out");
    if (o->listen && (o->preload.waits || o->preload.functions))
        return err_set(err, ERR_NO_OFFSET,
                       "--waits and --functions have no effect with --listen: there is no program");
    if (o->preload.functions_least > 0 && !o->preload.functions)
        return err_set(err, ERR_NO_OFFSET, "--functions-over needs --functions");
    if (o->listen && o->ptrace)
        return err_set(err, ERR_NO_OFFSET,
                       "--syscalls=ptrace has no effect with --listen: there is no program");
    if (o->listen && o->log)
        return err_set(err, ERR_NO_OFFSET,
                       "--log has no effect with --listen: there is no program");
    if (o->listen && o->wait)
        return err_set(err, ERR_NO_OFFSET,
                       "--wait has no effect with --listen: use --duration or --until");
    return o->listen || o->nrest > 0 ||
           err_set(err, ERR_NO_OFFSET, "no program given (try --help)");
}

void recording_options_free(struct recording_options *o) {
    vec_free(&o->categories);
    vec_free(&o->pids);
}

/* The options up to the next other word. */
static bool take_options(struct recording_options *o, struct command_line *line, int argc,
                         char **argv, struct err *err) {
    int code;
    while ((code = command_line_next(line, argc, argv, err)) >= 0)
        if (!apply(o, code, optarg, line->ascii, err))
            return false;
    return code != COMMAND_LINE_FAULT;
}

bool recording_options_parse(struct recording_options *o, int argc, char **argv, bool ascii,
                             struct err *err) {
    struct command_line line = {.rows = rows, .n = ROWS, .ascii = ascii, .stops = true};
    *o = (struct recording_options){.output = "trace.fxt",
                                    .mode = WIRE_STREAMING,
                                    .buffer_size = UINT64_C(8) << 20,
                                    .sample = UINT64_C(100000000),
                                    .stacks = UINT64_C(1000000000) / 999,
                                    .timeout = UINT64_C(2000000000)};
    command_line_begin(&line);
    if (!take_options(o, &line, argc, argv, err))
        return false;
    o->rest = argv + optind;
    /* A program has options of its own. Between buffers they are ours, up to "--". */
    while (o->recover && optind < argc && strcmp(argv[optind - 1], "--") != 0) {
        o->rest[o->nrest++] = argv[optind++];
        if (!take_options(o, &line, argc, argv, err))
            return false;
    }
    while (optind < argc)
        o->rest[o->nrest++] = argv[optind++];
    return o->help || check(o, err);
}
