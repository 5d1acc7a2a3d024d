/* recording.c - fxtop record: from the command line to the exit status. */
#include "record/recording.h"

#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <poll.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/statvfs.h>
#include <sys/wait.h>
#include <unistd.h>

#include "record/manager.h"
#include "record/output.h"
#include "record/place.h"
#include "record/recording_options.h"
#include "record/recover.h"
#include "record/watch/finder.h"
#include "src/base/text.h"
#include "src/base/units.h"
#include "src/io/files_read.h"
#include "src/io/quote.h"

#define FAILED 125 /* as timeout(1) and nohup(1) do */
#define NOTHING 2  /* a process cannot be recorded, and there is no program */

static int complain(bool ascii, const char *path, const struct err *err) {
    char safe[300];
    text_plain(safe, sizeof safe, str_of(path ? path : ""), ascii ? TEXT_ASCII : 0);
    fprintf(stderr, "fxtop record: %s%s%s\n", safe, path ? ": " : "", err->text);
    return FAILED;
}

/* The path as a word of a shell, that the caller frees; one that begins with a dash is no option of
 * fxtop. */
static char *pasted(const char *path, bool ascii) {
    char longer[4096];
    snprintf(longer, sizeof longer, "%s%s", *path == '-' ? "./" : "", path);
    return quote_shell(str_of(longer), ascii ? TEXT_ASCII : 0, false);
}

static bool is_standard(const char *path) {
    return strcmp(path, OUTPUT_STANDARD) == 0;
}

/* The end of the last line. */
static void print_hint(const char *path, bool ascii) {
    char *word = pasted(path, ascii);
    if (is_standard(path))
        fputc('\n', stderr);
    else
        fprintf(stderr, "; look at it with: fxtop %s\n", word);
    free(word);
}

/* A path to be read; standard output by its name. */
static void put_path(char *safe, size_t size, const char *path, bool ascii) {
    text_plain(safe, size, str_of(is_standard(path) ? "standard output" : path),
               ascii ? TEXT_ASCII : 0);
}

/* A line about a file that costs names. */
static void print_bad(const char *bad, unsigned n, bool ascii) {
    char safe[300];
    if (bad == NULL)
        return;
    text_plain(safe, sizeof safe, str_of(bad), ascii ? TEXT_ASCII : 0);
    fprintf(stderr, "no names from %s%s: the file is damaged\n", safe, n > 1 ? " and others" : "");
}

/* A trace that was cut gets the names that it lacks. */
static int run_recover_trace(const struct recording_options *o, bool ascii) {
    struct recovered_trace recovered;
    struct err err;
    char safe[300], bytes[32], found[32], missed[32];
    unsigned nbad = 0;
    struct finder *finder = finder_new(o->symbols[0] ? o->symbols : NULL, true, ascii, &err);
    if (finder == NULL)
        return complain(ascii, NULL, &err);
    bool ok = recover_trace(o->rest[0], o->output, finder_source(finder), &recovered, &err);
    if (ok) {
        put_path(safe, sizeof safe, o->output, ascii);
        fprintf(stderr, "%s: %s, names of %s addresses found, of %s not", safe,
                units_bytes(recovered.bytes, bytes), units_count(recovered.found, true, found),
                units_count(recovered.missed, true, missed));
        print_hint(o->output, ascii);
        print_bad(finder_bad(finder, &nbad), nbad, ascii);
    }
    finder_free(finder);
    return ok ? 0 : complain(ascii, recovered.wrong, &err);
}

static int run_recover(const struct recording_options *o, bool ascii) {
    struct recovered recovered;
    const char *wrong = NULL;
    struct err err;
    char safe[300], records[32], bytes[32];
    if (!recover(o->rest, o->nrest, o->output, &recovered, &wrong, &err))
        return complain(ascii, wrong, &err);
    put_path(safe, sizeof safe, o->output, ascii);
    fprintf(stderr, "%s: %d buffer%s, %s records, %s, %s dropped", safe, o->nrest,
            o->nrest == 1 ? "" : "s", units_count(recovered.records, true, records),
            units_bytes(recovered.bytes, bytes), recovered.dropped > 0 ? "some" : "none");
    print_hint(o->output, ascii);
    if (recovered.doubted)
        fprintf(stderr, "more records are said to have been dropped than can be\n");
    else if (recovered.dropped > 0)
        fprintf(stderr, "%" PRIu64 " record%s had been dropped by the provider%s\n",
                recovered.dropped, recovered.dropped == 1 ? "" : "s",
                recovered.unplaced ? ", it is not known when" : "");
    if (recovered.faults > 0)
        fprintf(stderr,
                "damaged at %" PRIu64 " place%s: what follows there in the chunk or half is lost\n",
                recovered.faults, recovered.faults == 1 ? "" : "s");
    return 0;
}

/* Nine tenths of the space that is free where the file will lie; no limit if it is a pipe or a
 * device. */
static uint64_t free_space(const char *path) {
    struct statvfs st;
    struct stat is;
    char directory[4096];
    bool standard = is_standard(path);
    if ((standard ? fstat(STDOUT_FILENO, &is) : stat(path, &is)) == 0 && !S_ISREG(is.st_mode))
        return UINT64_MAX;
    if (standard)
        return fstatvfs(STDOUT_FILENO, &st) == 0 ? (uint64_t)st.f_bavail * st.f_frsize / 10 * 9
                                                 : UINT64_MAX;
    snprintf(directory, sizeof directory, "%s", path);
    char *slash = strrchr(directory, '/');
    if (slash)
        slash[slash == directory] = 0;
    if (statvfs(slash ? directory : ".", &st) != 0)
        return UINT64_MAX;
    return (uint64_t)st.f_bavail * st.f_frsize / 10 * 9;
}

/* The other losses, for the last line: "" if there are none. */
static void put_lost(const struct manager_result *r, char *to, size_t size) {
    const struct {
        uint64_t n;
        const char *one, *many;
    } kinds[] = {{(uint64_t)r->refused + r->strangers + r->unregistered, "connection refused",
                  "connections refused"},
                 {r->late_connections, "connection late", "connections late"},
                 {r->unreached.n, "process not reached", "processes not reached"},
                 {r->aborted, "provider given up", "providers given up"},
                 {r->missed, "provider that ended untraced", "providers that ended untraced"},
                 {r->faults, "damaged place", "damaged places"},
                 {r->lost_switches, "event of the scheduler lost", "events of the scheduler lost"},
                 {r->lost_wakes, "wakeup lost", "wakeups lost"},
                 {r->lost_calls, "event of a system call lost", "events of system calls lost"},
                 {r->lost_samples, "sample lost", "samples lost"},
                 {r->limit ? r->missing : 0, "record past its limit", "records past its limit"},
                 {r->limit ? 0 : r->missing, "record not written", "records not written"}};
    size_t at = 0;
    char n[32];
    *to = 0;
    for (size_t i = 0; i < sizeof kinds / sizeof *kinds; i++)
        if (kinds[i].n > 0 && at < size)
            at += (size_t)snprintf(to + at, size - at, ", %s %s", units_count(kinds[i].n, true, n),
                                   kinds[i].n == 1 ? kinds[i].one : kinds[i].many);
}

/* "21 processes used 12.9 s of CPU; longest wait 1.2 s, of reader". */
static void print_sums(const struct manager_result *r, bool ascii) {
    const struct switches_sums *s = &r->sums;
    char n[32], cpu[32], wait[32], name[64];
    if (r->processes == 0)
        return;
    fprintf(stderr, "fxtop record: %s process%s used %s of CPU", units_count(r->processes, true, n),
            r->processes == 1 ? "" : "es", units_duration_short((int64_t)s->cpu, ascii, cpu));
    text_plain(name, sizeof name, str_of(s->waited), ascii ? TEXT_ASCII : 0);
    if (s->wait > 0)
        fprintf(stderr, "; longest wait %s, of %s",
                units_duration_short((int64_t)s->wait, ascii, wait), name);
    fputs("\n", stderr);
}

#define HEAVIEST_BYTES 100 /* of its name */
#define SAMPLES_TELLING 20 /* fewer name no function that matters */

/* The function that most samples were in, and files without names. */
static void print_heaviest(const struct manager_result *r, bool ascii) {
    char safe[300];
    print_sums(r, ascii);
    if (r->heaviest_samples > 0 && r->samples >= SAMPLES_TELLING) {
        text_plain(safe, HEAVIEST_BYTES, str_of(r->heaviest), ascii ? TEXT_ASCII : 0);
        fprintf(stderr,
                "fxtop record: most time in %s%s: %" PRIu64 " of %" PRIu64 " samples, %u %%\n",
                safe, strlen(r->heaviest) < HEAVIEST_BYTES ? "" : "...", r->heaviest_samples,
                r->samples, (unsigned)((r->heaviest_samples * 100 + r->samples / 2) / r->samples));
    }
    if (r->nunnamed > 0) {
        char more[32] = "";
        text_plain(safe, sizeof safe, str_of(r->unnamed), ascii ? TEXT_ASCII : 0);
        if (r->nunnamed > 1)
            snprintf(more, sizeof more, " and %u more", r->nunnamed - 1);
        fprintf(stderr, "fxtop record: functions of %s%s have no names: the file cannot be read\n",
                safe, more);
    }
}

static const char *why_unreached(int error) {
    if (error == EPERM)
        return "it is another user's";
    if (error == ENOENT)
        return "it does not see the socket";
    return error == 0 ? "its /tmp is another one; set XDG_RUNTIME_DIR" : strerror(error);
}

static void print_result(const struct recording_options *o, const struct manager_result *r,
                         bool ascii) {
    char safe[300], records[32], bytes[32], took[32], threads[32], dropped[32], from[100],
        lost[256];
    put_path(safe, sizeof safe, o->output, ascii);
    if (r->dropped > 0)
        units_count(r->dropped, true, dropped);
    else
        snprintf(dropped, sizeof dropped, "none");
    units_count(r->threads, true, threads);
    if (r->providers > 0)
        snprintf(from, sizeof from, "%u provider%s, %s thread%s", r->providers,
                 r->providers == 1 ? "" : "s", threads, r->threads == 1 ? "" : "s");
    else
        snprintf(from, sizeof from, "no provider");
    put_lost(r, lost, sizeof lost);
    fprintf(stderr, "%s: %s, %s records, %s in %s, %s dropped%s", safe, from,
            units_count(r->records, true, records), units_bytes(r->bytes, bytes),
            units_duration_short((int64_t)r->took, ascii, took), dropped, lost);
    print_hint(o->output, ascii);
    if (r->until[0])
        fprintf(stderr, "fxtop record: --until ended it: %s\n", r->until);
    print_heaviest(r, ascii);
    if (r->told.bad_ends > TRACEE_REPORTS)
        fprintf(stderr, "fxtop record: %u more provider%s did not end properly\n",
                r->told.bad_ends - TRACEE_REPORTS,
                r->told.bad_ends - TRACEE_REPORTS == 1 ? "" : "s");
    if (r->told.droppers > TRACEE_REPORTS)
        fprintf(stderr, "fxtop record: %u more provider%s dropped records\n",
                r->told.droppers - TRACEE_REPORTS,
                r->told.droppers - TRACEE_REPORTS == 1 ? "" : "s");
    if (r->refused + r->late_connections > 0)
        fprintf(stderr,
                "fxtop record: there was room for %zu provider%s at once (ulimit -Hn): others came "
                "late or not\n",
                r->room, r->room == 1 ? "" : "s");
    if (r->strangers > 0)
        fprintf(stderr, "fxtop record: %u connection%s another user's\n", r->strangers,
                r->strangers == 1 ? " was refused: it was" : "s were refused: they were");
    if (r->unregistered > 0)
        fprintf(
            stderr,
            "fxtop record: %u connection%s closed before a provider had registered in due form\n",
            r->unregistered, r->unregistered == 1 ? " was" : "s were");
    if (r->unaccepted != 0)
        fprintf(stderr, "fxtop record: providers could not connect: %s\n", strerror(r->unaccepted));
    if (r->lost_output != 0)
        fprintf(stderr, "fxtop record: the program's output could not be passed on: %s\n",
                strerror(r->lost_output));
    if (r->no_calls.text[0])
        fprintf(stderr, "fxtop record: %s\n", r->no_calls.text);
    unseen_print(&r->unseen, ascii);
    for (unsigned i = 0; i < r->unreached.n && i < SAMPLE_UNREACHED; i++) {
        text_plain(safe, sizeof safe, str_of(r->unreached.first[i].name), ascii ? TEXT_ASCII : 0);
        fprintf(stderr, "fxtop record: %s (%lu) could not connect: %s\n", safe,
                (unsigned long)r->unreached.first[i].pid,
                why_unreached(r->unreached.first[i].error));
    }
    if (r->blind > 0 && r->providers == 0 && r->unreached.n == 0) {
        text_plain(safe, sizeof safe, str_of(r->blind_name), ascii ? TEXT_ASCII : 0);
        fprintf(stderr,
                "fxtop record: %s (%lu) does not see the socket: its /tmp is another one; set "
                "XDG_RUNTIME_DIR\n",
                safe, (unsigned long)r->blind);
    }
    if (r->limit && o->max_size > 0)
        fprintf(stderr, "fxtop record: it ended at the size of the file that --max-size allows\n");
    else if (r->limit)
        fprintf(stderr, "fxtop record: it ended when the disk was nearly full; --max-size sets "
                        "another limit\n");
}

static void print_signal(const struct recording_options *o, const struct manager_result *r,
                         bool ascii) {
    char safe[300];
    text_plain(safe, sizeof safe, str_of(o->rest[0]), ascii ? TEXT_ASCII : 0);
    fprintf(stderr, "fxtop record: %s was killed by signal %d: %s%s\n", safe, r->signal,
            strsignal(r->signal), r->core ? ", memory dumped" : "");
}

/* From the root, so that it can be pasted in another directory. */
static void print_socket(const char *path, bool ascii) {
    char here[4096], whole[sizeof here + 300];
    const char *from = *path != '/' && getcwd(here, sizeof here) ? here : "";
    snprintf(whole, sizeof whole, "%s%s%s", from, *from ? "/" : "", path);
    char *word = quote_shell(str_of(whole), ascii ? TEXT_ASCII : 0, false);
    fprintf(stderr, "waiting for providers: FXTTRACE_SOCKET=%s; Ctrl-C ends\n", word);
    free(word);
}

/* No output may take the place of a file that the program gets, or writes. */
static void note_files(const struct recording_options *o) {
    for (int fd = STDIN_FILENO; fd <= STDERR_FILENO; fd++)
        files_read_fd(fd);
    files_read_paths(o->rest, o->nrest);
}

/* *recorded: there is a trace. */
static int run_record(const struct recording_options *o, bool ascii, int ready, bool *recorded) {
    struct manager_options m = {
        .output = o->output,
        .argv = o->nrest > 0 ? o->rest : NULL,
        .mode = o->mode,
        .buffer_size = o->buffer_size,
        .categories = o->categories.v,
        .ncategories = (unsigned)o->categories.n,
        .duration = o->duration,
        .until = o->until,
        .until_filter = o->until_filter,
        .max_size = o->max_size > 0 ? o->max_size : free_space(o->output),
        .timeout = o->timeout,
        .wait = o->wait,
        .switches = !o->no_sched,
        .stacks = o->stacks,
        .symbols = o->symbols[0] ? o->symbols : NULL,
        .syscalls = o->syscalls,
        .ptrace = o->ptrace,
        .stacks_asked = o->stacks_asked,
        .sample = o->sample,
        .log = o->log || o->live,
        .to_error = is_standard(o->output),
        .live = o->live,
        .log_to = {is_standard(o->output) ? STDERR_FILENO : STDOUT_FILENO, STDERR_FILENO},
        .ready = ready,
        .ascii = ascii};
    struct manager_result result;
    struct err err;
    char path[108];
    struct preload preload;
    *recorded = false;
    note_files(o);
    struct attach attach;
    if (o->all || o->pids.n > 0) {
        if (!attach_open(&attach, o->pids.v, o->pids.n, o->all, &err)) {
            complain(ascii, NULL, &err);
            return NOTHING;
        }
        m.attach = &attach;
    }
    if (!preload_make(&preload, &o->preload, &err))
        return complain(ascii, NULL, &err);
    m.preload = &preload;
    if (o->listen && *o->listen == 0 && !place_default("/tmp", path, sizeof path, &err))
        return complain(ascii, NULL, &err);
    if (o->listen) {
        m.listen = *o->listen ? o->listen : path;
        m.listens = print_socket;
    }
    int out = -1;
    if (o->live && m.argv) { /* the screen has the terminal */
        char beside[4096];
        snprintf(beside, sizeof beside, "%s.out", o->output);
        if ((out = output_create(beside, &err)) < 0)
            return complain(ascii, beside, &err);
        m.log_to[0] = m.log_to[1] = out;
        m.no_input = true;
    }
    m.log = m.log && m.argv;
    bool ok = manager_run(&m, &result, &err);
    if (m.attach)
        attach_close(&attach);
    if (out >= 0)
        close(out);
    if (result.exec_error != 0) {
        err_set(&err, ERR_NO_OFFSET, "%s", strerror(result.exec_error));
        complain(ascii, o->rest[0], &err);
        return result.exec_error == ENOENT ? 127 : 126;
    }
    *recorded = ok || result.took > 0;
    int status = ok ? result.status : complain(ascii, o->output, &err);
    if (result.signal != 0)
        print_signal(o, &result, ascii);
    if (*recorded)
        print_result(o, &result, ascii);
    if (result.left_alone)
        fprintf(stderr, "fxtop record: the program goes on without being recorded\n");
    if (result.left_others)
        fprintf(stderr, "fxtop record: what it has started goes on without being recorded%s\n",
                o->wait ? "" : "; --wait waits for traced programs");
    return status;
}

/* ---- --live ---- */

/* Records in a child, whose messages come through a pipe; returns when the file is there, or
 * nothing will be. */
static int begin_live(const struct recording_options *o, bool ascii, struct recording_live *live) {
    int messages[2], ready[2];
    char byte;
    struct err err;
    if (pipe2(messages, O_CLOEXEC) != 0 || pipe2(ready, O_CLOEXEC) != 0 ||
        (live->pid = fork()) < 0) {
        live->pid = 0;
        err_set(&err, ERR_NO_OFFSET, "no process: %s", strerror(errno));
        return complain(ascii, NULL, &err);
    }
    if (live->pid == 0) {
        dup2(messages[1], STDERR_FILENO);
        close(messages[0]);
        close(ready[0]);
        bool recorded;
        _exit(run_record(o, ascii, ready[1], &recorded));
    }
    close(messages[1]);
    close(ready[1]);
    while (read(ready[0], &byte, 1) < 0 && errno == EINTR)
        ;
    close(ready[0]);
    live->path = o->output;
    live->program = o->nrest > 0;
    live->messages = messages[0];
    int status;
    struct pollfd ended = {messages[0], POLLIN, 0};
    if (poll(&ended, 1, 0) > 0 && waitpid(live->pid, &status, WNOHANG) == live->pid) {
        live->pid = -1; /* it failed: recording_live_end() prints why */
        return WIFEXITED(status) ? WEXITSTATUS(status) : FAILED;
    }
    return 0;
}

static void print_messages(const struct recording_live *live) {
    char text[4096];
    ssize_t n;
    while ((n = read(live->messages, text, sizeof text)) > 0 || (n < 0 && errno == EINTR))
        if (n > 0)
            fwrite(text, 1, (size_t)n, stderr);
    close(live->messages);
}

int recording_live_end(struct recording_live *live) {
    char answer[16] = "";
    int status = 0;
    if (live->pid > 0 && waitpid(live->pid, &status, WNOHANG) == 0) {
        fprintf(stderr, "The recording goes on. Stop it%s? [y/N] ",
                live->program ? ", and the program" : "");
        if (fgets(answer, sizeof answer, stdin) == NULL || (answer[0] | 0x20) != 'y') {
            char *word = pasted(live->path, false);
            fprintf(stderr,
                    "it goes on as process %ld (kill %ld stops it); look at it with: fxtop -F %s\n",
                    (long)live->pid, (long)live->pid, word);
            free(word);
            return 0;
        }
        kill(live->pid, SIGTERM);
        while (waitpid(live->pid, &status, 0) < 0 && errno == EINTR)
            ;
    }
    print_messages(live);
    return WIFEXITED(status) ? WEXITSTATUS(status) : FAILED;
}

static _Noreturn void end_without_memory(void) {
    static const char line[] = "fxtop record: out of memory\n";
    manager_rescue();
    ssize_t n = write(STDERR_FILENO, line, sizeof line - 1);
    (void)n;
    _exit(FAILED);
}

int recording_main(int argc, char **argv, bool ascii, struct recording_live *live) {
    struct recording_options o;
    struct err err;
    int status = 0;
    bool recorded = false;
    void (*before)(void) = err_no_memory_hook;
    err_no_memory_hook = end_without_memory;
    bool parsed = recording_options_parse(&o, argc, argv, ascii, &err);
    if (!parsed)
        status = complain(ascii, NULL, &err);
    else if (o.help) {
        recording_options_help(stdout);
        status = fflush(stdout) == 0 ? 0 : FAILED;
    } else {
        if (o.recover)
            status = o.nrest == 1 && recover_is_trace(o.rest[0]) ? run_recover_trace(&o, ascii)
                                                                 : run_recover(&o, ascii);
        else
            status = o.live ? begin_live(&o, ascii, live) : run_record(&o, ascii, -1, &recorded);
        if (o.report && recorded)
            live->report = o.output;
        if (live->pid < 0) {
            print_messages(live);
            live->pid = 0;
        }
    }
    recording_options_free(&o);
    err_no_memory_hook = before;
    return status;
}

struct command_line_table recording_table(void) {
    return recording_options_table();
}

/* ---- names for finished traces ---- */

struct recording_names {
    struct finder *finder;
};

struct recording_names *recording_names_open(const char *folder, bool ascii, struct err *err) {
    struct finder *finder = finder_new(folder, false, ascii, err);
    if (finder == NULL)
        return NULL;
    struct recording_names *names = err_calloc(1, sizeof *names);
    names->finder = finder;
    return names;
}

void recording_names_close(struct recording_names *names) {
    if (names)
        finder_free(names->finder);
    free(names);
}

const struct symbols_source *recording_names_source(const struct recording_names *names) {
    return finder_source(names->finder);
}

const char *recording_names_bad(const struct recording_names *names, unsigned *n) {
    return finder_bad(names->finder, n);
}
