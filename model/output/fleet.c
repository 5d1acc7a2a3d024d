/* fleet.c - one question asked of many traces.
 *
 * A ring of seats holds the traces from the first that is not printed on: their process and two
 * files, for standard output and standard error. Traces are begun in order while there is a free
 * seat, fewer than `jobs` processes, and memory. The oldest seat is printed when its process has
 * ended. After SIGINT the handler kills the processes. */
#include "model/output/fleet.h"

#include <errno.h>
#include <inttypes.h>
#include <signal.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include "model/output/fleet_internal.h"
#include "src/base/text.h"
#include "src/base/units.h"
#include "src/io/files_read.h"
#include "src/io/memory.h"
#include "src/io/spool.h"
#include "src/io/temporary.h"

#define SEATS FLEET_JOBS
#define LIST_MOST ((size_t)1 << 30)
#define PIECE 65536
#define NEED_LEAST (UINT64_C(256) << 20) /* of memory: less is not asked for */

static atomic_int running[SEATS]; /* processes, for the handler; 0: none */

struct seat {
    pid_t pid;     /* 0: it has ended, or could not be started */
    uint64_t need; /* bytes of memory */
    int out, err;  /* files; -1: none */
    int status;    /* of waitpid() */
    struct err fault;
    bool failed; /* to start; `fault` has the reason */
};

struct run {
    const struct fleet *fleet;
    struct seat seats[SEATS];
    size_t next, shown; /* traces to begin, to print */
    unsigned jobs;      /* processes that run */
    VEC(char) head;     /* of the first trace that has one */
    bool headed;
    bool waited; /* for memory; it was said */
    int result;
};

void fleet_free(struct fleet_list *list) {
    for (size_t i = 0; i < list->traces.n; i++)
        free(list->traces.v[i].file);
    vec_free(&list->text);
    vec_free(&list->traces);
}

void fleet_add(struct fleet_list *list, const char *path) {
    vec_push(&list->traces, ((struct fleet_trace){path, path, NULL}));
}

/* A path with a tab in it is not a name and a path if there is such a file. */
static void add_entry(struct fleet_list *list, char *entry) {
    char *tab = strchr(entry, '\t'), *path = entry;
    if (tab && tab > entry && tab[1] && access(entry, F_OK) != 0) {
        *tab = '\0';
        path = tab + 1;
    }
    vec_push(&list->traces, ((struct fleet_trace){entry, path, NULL}));
    files_read_path(path, FILES_READ_INPUT); /* another process will read it */
}

bool fleet_read(struct fleet_list *list, const char *path, struct err *err) {
    bool standard = strcmp(path, "-") == 0;
    FILE *in = standard ? stdin : fopen(path, "r");
    size_t n = 0;
    if (in == NULL)
        return err_set(err, ERR_NO_OFFSET, "cannot open: %s", strerror(errno));
    do {
        list->text.n += n;
        vec_reserve(&list->text, list->text.n + PIECE + 1);
        n = fread(list->text.v + list->text.n, 1, PIECE, in);
    } while (n > 0 && list->text.n < LIST_MOST);
    bool fine = !ferror(in);
    files_read_fd(fileno(in));
    if (!fine)
        err_set(err, ERR_NO_OFFSET, "cannot read: %s", strerror(errno));
    if (!standard)
        fclose(in);
    char *text = list->text.v, end = memchr(text, 0, list->text.n) ? '\0' : '\n';
    for (size_t at = 0, from = 0; at <= list->text.n; at++)
        if (at == list->text.n || text[at] == end) {
            bool line = end == '\n' && at > from && text[at - 1] == '\r';
            text[at - line] = '\0';
            if (at - line > from)
                add_entry(list, text + from);
            from = at + 1;
        }
    return fine;
}

/* SIGINT. */
static void end_all(int signal) {
    (void)signal;
    for (int i = 0; i < SEATS; i++) {
        int pid = atomic_load_explicit(&running[i], memory_order_relaxed);
        if (pid > 0)
            kill((pid_t)pid, SIGKILL);
    }
    _exit(130);
}

/* ---- processes ---- */

static bool own_file; /* this is a process whose answer goes to a temporary file */

bool fleet_fits(void) {
    return !own_file || spool_fits(STDOUT_FILENO, 0);
}

static _Noreturn void be_asked(const struct run *run, const struct seat *seat,
                               const struct fleet_trace *trace) {
    signal(SIGINT, SIG_DFL);
    if (dup2(seat->out, STDOUT_FILENO) < 0 || dup2(seat->err, STDERR_FILENO) < 0)
        _exit(2);
    own_file = true;
    int status = run->fleet->ask(run->fleet->ctx, trace);
    if (fflush(stdout) != 0 || ferror(stdout)) {
        fprintf(stderr, "fxtop: the temporary file of the answer could not be written: TMPDIR "
                        "names another place\n");
        status = 2;
    }
    _exit(status);
}

/* Whether memory is free for the next trace and for those that are read; alone it is tried. */
static bool has_memory(struct run *run) {
    const struct fleet_trace *trace = &run->fleet->list->traces.v[run->next];
    uint64_t need = memory_need(trace->path), all = need, free;
    for (int i = 0; i < SEATS; i++)
        all += run->seats[i].pid > 0 ? run->seats[i].need : 0;
    if (run->jobs == 0 || all < NEED_LEAST || all <= (free = memory_free()))
        return true;
    struct err err;
    char a[32], b[32];
    err_set(&err, ERR_NO_OFFSET, "waits for memory: with the others it needs about %s, %s are free",
            units_bytes(need, a), units_bytes(free, b));
    if (!run->waited)
        text_complain(trace->path, "note: ", run->fleet->ascii, &err);
    run->waited = true;
    return false;
}

static void begin(struct run *run) {
    struct seat *seat = &run->seats[run->next % SEATS];
    const struct fleet_trace *trace = &run->fleet->list->traces.v[run->next];
    *seat = (struct seat){.need = memory_need(trace->path), .out = temporary_open(), .err = -1};
    seat->err = seat->out >= 0 ? temporary_open() : -1;
    if (seat->err < 0) {
        seat->failed = true;
        err_set(&seat->fault, ERR_NO_OFFSET, "no temporary file: %s", strerror(errno));
    } else if ((seat->pid = fork()) == 0) {
        be_asked(run, seat, trace);
    } else if (seat->pid < 0) {
        seat->pid = 0;
        seat->failed = true;
        err_set(&seat->fault, ERR_NO_OFFSET, "no process: %s", strerror(errno));
    } else {
        run->jobs++;
        atomic_store(&running[run->next % SEATS], (int)seat->pid);
    }
    run->next++;
}

static void wait_for_one(struct run *run) {
    int status;
    pid_t pid = waitpid(-1, &status, 0);
    for (int i = 0; i < SEATS && pid > 0; i++)
        if (run->seats[i].pid == pid) {
            run->seats[i].pid = 0;
            run->seats[i].status = status;
            atomic_store(&running[i], 0);
            run->jobs--;
        }
    if (pid < 0 && errno != EINTR) { /* another owner has waited for them */
        for (int i = 0; i < SEATS; i++)
            run->seats[i].pid = 0;
        run->jobs = 0;
    }
}

/* ---- printing ---- */

/* How many bytes of an answer are its head: a record of CSV, two lines of Markdown; *names: those
 * that traces share. */
static size_t head_of(enum relation_format format, const char *s, size_t n, size_t *names) {
    bool quoted = false;
    int lines = 0;
    *names = 0;
    for (size_t i = 0; i < n && (format == FORMAT_CSV || format == FORMAT_MARKDOWN); i++) {
        quoted = quoted != (format == FORMAT_CSV && s[i] == '"');
        if (s[i] != '\n' || quoted)
            continue;
        *names = lines == 0 ? i + 1 : *names;
        if (++lines == (format == FORMAT_CSV ? 1 : 2))
            return i + 1;
    }
    return 0;
}

/* Leaves out the head if one was printed; false: it is another one. */
static bool take_head(struct run *run, const char *s, size_t n, size_t *head) {
    size_t names;
    *head = head_of(run->fleet->format, s, n, &names);
    if (*head == 0)
        return true;
    if (run->headed)
        return names == run->head.n && memcmp(s, run->head.v, names) == 0;
    for (size_t i = 0; i < names; i++)
        vec_push(&run->head, s[i]);
    run->headed = true;
    *head = 0;
    return true;
}

/* A process that was killed may leave half a line, and of CSV half a field in quotes: both are
 * ended. */
static bool copy(struct run *run, int fd, FILE *out, struct err *err) {
    static char buf[PIECE];
    off_t at = 0;
    ssize_t n;
    bool first = out == stdout;
    struct fleet_join join;
    fleet_join_begin(&join, run->fleet, first ? &run->fleet->list->traces.v[run->shown] : NULL,
                     out);
    while ((n = pread(fd, buf, sizeof buf, at)) > 0 && !ferror(out)) {
        size_t head = 0;
        bool headed = run->headed;
        if (first && !take_head(run, buf, (size_t)n, &head)) {
            fleet_join_end(&join);
            return err_set(err, ERR_NO_OFFSET, "its columns are not those of the first trace");
        }
        bool heads = first && run->headed && !headed;
        first = false;
        fleet_join_put(&join, buf + head, (size_t)n - head, heads);
        at += n;
    }
    fleet_join_end(&join);
    return n >= 0 || err_set(err, ERR_NO_OFFSET, "cannot read its answer: %s", strerror(errno));
}

static void show(struct run *run) {
    struct seat *seat = &run->seats[run->shown % SEATS];
    const char *path = run->fleet->list->traces.v[run->shown].path;
    int status = 2;
    if (!seat->failed) {
        seat->failed = !copy(run, seat->out, stdout, &seat->fault);
        fflush(stdout);
        seat->failed = !copy(run, seat->err, stderr, &seat->fault) || seat->failed;
        if (WIFEXITED(seat->status))
            status = WEXITSTATUS(seat->status);
        else if (!seat->failed) {
            seat->failed = true;
            err_set(&seat->fault, ERR_NO_OFFSET, "the process that read it was ended by signal %d",
                    WTERMSIG(seat->status));
        }
    }
    if (seat->failed) {
        run->fleet->complain(run->fleet->ctx, path, &seat->fault);
        status = 2;
    }
    run->result = status > run->result ? status : run->result;
    run->shown++;
    if (seat->out >= 0)
        close(seat->out);
    if (seat->err >= 0)
        close(seat->err);
}

int fleet_run(const struct fleet *fleet) {
    static struct run run;
    size_t n = fleet->list->traces.n;
    unsigned jobs = fleet->jobs == 0 ? 1 : fleet->jobs;
    bool joined = fleet->nlabels > 0 || (fleet->named && fleet->how != FLEET_OWN);
    if (n == 1 && !joined)
        return fleet->ask(fleet->ctx, &fleet->list->traces.v[0]);
    memset(&run, 0, sizeof run); /* a literal of it would take a large frame */
    run.fleet = fleet;
    struct sigaction action = {.sa_handler = end_all};
    sigaction(SIGINT, &action, NULL);
    fflush(stdout);
    while (run.shown < n && !ferror(stdout)) {
        while (run.jobs < jobs && run.next < n && run.next - run.shown < SEATS && has_memory(&run))
            begin(&run);
        if (run.seats[run.shown % SEATS].pid == 0)
            show(&run);
        else
            wait_for_one(&run);
    }
    vec_free(&run.head);
    return run.result;
}
