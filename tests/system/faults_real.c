/* faults_real.c - faults of the system itself: full disks, closed pipes, damaged indexes, files
 * that change while they are drawn.
 *
 * Nothing is injected here. Each fault is made, fxtop runs, and its status, its one line and its
 * screen are checked. */
#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mount.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include "tests/lib/pty.h"
#include "tests/system/faults.h"

struct real {
    const char *argv[8];
    const struct trace_bytes *piped; /* the content of standard input, or NULL */
    int out;                         /* standard output, -1: a file */
    rlim_t most;                     /* bytes of a file that may be written, 0: any */
    const char *tmp, *cache;         /* other directories, or NULL */
};

static int start_real(const struct real *real) {
    struct mode mode = {.name = "real"};
    memcpy(mode.argv, real->argv, sizeof mode.argv);
    if (ftruncate(faults.out, 0) != 0 || ftruncate(faults.err, 0) != 0 ||
        lseek(faults.out, 0, SEEK_SET) != 0 || lseek(faults.err, 0, SEEK_SET) != 0)
        faults_fatal("memfd");
    memset(faults_plan, 0, sizeof *faults_plan);
    faults_plan->call = CALLS;
    fflush(stdout);
    int input = real->piped ? faults_pipe_of(real->piped) : -1, saved = faults.out;
    pid_t pid = fork();
    if (pid < 0)
        faults_fatal("fork");
    if (pid == 0) {
        struct rlimit limit = {real->most, real->most};
        if (real->most > 0)
            setrlimit(RLIMIT_FSIZE, &limit);
        if (real->tmp)
            setenv("TMPDIR", real->tmp, 1);
        if (real->cache)
            setenv("XDG_CACHE_HOME", real->cache, 1);
        if (real->out >= 0)
            faults.out = real->out;
        faults_become(&mode, input);
    }
    faults.out = saved;
    if (input >= 0)
        close(input);
    if (real->out >= 0)
        close(real->out);
    int status;
    while (waitpid(pid, &status, 0) < 0 && errno == EINTR)
        continue;
    faults_wait_for_all();
    return WIFSIGNALED(status) ? 128 + WTERMSIG(status) : WEXITSTATUS(status);
}

static void expect(bool good, const char *what, const char *why) {
    size_t n;
    char *err = faults_contents(faults.err, &n);
    if (good)
        faults.passed++;
    else
        faults_report(what, "for real", 1, why, err);
    free(err);
}

static bool said(const char *text) {
    size_t n;
    char *err = faults_contents(faults.err, &n);
    bool found = text ? strncmp(err, "fxtop: ", 7) == 0 && strstr(err, text) != NULL &&
                            strchr(err, '\n') == err + n - 1
                      : *err == '\0';
    free(err);
    return found;
}

static bool printed(const char *text) {
    size_t n;
    char *out = faults_contents(faults.out, &n);
    bool found = strstr(out, text) != NULL;
    free(out);
    return found;
}

/* A full disk: the part of a pipe that fits is shown, with a message; an index is not cached,
 * without a message. */
static void full_disks(const struct trace_bytes *large) {
    char name[256], small[SCRATCH_PATH + 20], cache[SCRATCH_PATH + 40];
    int status =
        start_real(&(struct real){{"fxtop", "--print=100x30", "-"}, large, -1, 65536, NULL, NULL});
    expect(status == 2 && said("no space left for the temporary file") && printed("[1 Timeline]"),
           "a file size limit", "what came is not shown, or not why there is no more");
    faults_empty(faults.index);
    status = start_real(
        &(struct real){{"fxtop", "--print=100x30", "large.fxt"}, NULL, -1, 65536, NULL, NULL});
    expect(status == 0 && said(NULL) && faults_entries(faults.index, name) == 0,
           "an index over the file size limit", "something was said, or left");

    snprintf(small, sizeof small, "%s/disk", faults.directory);
    snprintf(cache, sizeof cache, "%s/fxtop", small);
    if (mkdir(small, 0700) != 0)
        faults_fatal(small);
    if (mount("tmpfs", small, "tmpfs", 0, "size=128k") != 0) {
        printf("no small disk can be mounted here (%s): the limit of sizes stands for it\n",
               strerror(errno));
    } else {
        status =
            start_real(&(struct real){{"fxtop", "--print=100x30", "-"}, large, -1, 0, small, NULL});
        expect(status == 2 && said("space") && printed("[1 Timeline]") &&
                   faults_entries(small, name) == 0,
               "a full disk", "what came is not shown, or not why there is no more");
        status = start_real(
            &(struct real){{"fxtop", "--print=100x30", "large.fxt"}, NULL, -1, 0, NULL, small});
        expect(status == 0 && said(NULL) && faults_entries(cache, name) == 0,
               "an index on a full disk", "something was said, or left");
        if (umount(small) != 0)
            faults_fatal(small);
    }
    rmdir(small);
}

static void outputs_that_fail(void) {
    static const char *const options[] = {"--print",      "--summary",       "--check",
                                          "--records",    "--export=ndjson", "--export=json",
                                          "--export=csv", "--list-keys",     "--help"};
    for (size_t i = 0; i < sizeof options / sizeof *options; i++) {
        struct real real = {
            {"fxtop", options[i], "small.fxt"}, NULL, open("/dev/full", O_WRONLY), 0, NULL, NULL};
        int status = start_real(&real);
        expect(status == 2 && said("cannot write: "), options[i], "a full disk was not reported");
        int ends[2];
        if (pipe(ends) != 0)
            faults_fatal("pipe");
        close(ends[0]);
        real.out = ends[1];
        status = start_real(&real);
        expect((status == 0 || status == 1 || status == 128 + SIGPIPE) && said(NULL), options[i],
               "a reader that went away was complained of");
    }
}

enum { TRUNCATED, EMPTIED, GREW, REPLACED, OVERWRITTEN, REMOVED, CHANGES };

static const struct {
    const char *name, *again; /* the message of R */
} changes[CHANGES] = {
    [TRUNCATED] = {"truncated", "reloaded"},
    [EMPTIED] = {"emptied", "cannot reload: empty file"},
    [GREW] = {"grown", "reloaded"},
    [REPLACED] = {"replaced", "reloaded"},
    [OVERWRITTEN] = {"overwritten", "reloaded"},
    [REMOVED] = {"removed", "cannot reload: no such file"},
};

static void change(int how, const char *path, const struct trace_bytes *large) {
    int fd = open(path, O_WRONLY);
    bool good = fd >= 0;
    switch (how) {
    case TRUNCATED:
        good = good && ftruncate(fd, 5000) == 0;
        break;
    case EMPTIED:
        good = good && ftruncate(fd, 0) == 0;
        break;
    case GREW:
        faults_append(path, faults.rest.v, faults.rest.n);
        break;
    case REPLACED:
        faults_put("other", faults.small.v, faults.small.n);
        good = rename("other", path) == 0;
        break;
    case OVERWRITTEN: /* the same length and start, but no record at the place of an old one */
        for (size_t at = 4099; good && at < large->n; at += 4096)
            good = pwrite(fd, large->v, at + 4000 < large->n ? 4000 : large->n - at, (off_t)at) > 0;
        good = good && pwrite(fd, "xxxxxxxx", 8, (off_t)(large->n - 8)) == 8;
        break;
    default:
        good = unlink(path) == 0;
        break;
    }
    if (fd >= 0)
        close(fd);
    if (!good)
        faults_fatal(path);
}

/* All files at once: fxtop looks for changes every other second, and draws lost pages until it has
 * noticed. */
static void files_that_change(const struct trace_bytes *large) {
    static struct pty ptys[CHANGES];
    char paths[CHANGES][20];
    for (int i = 0; i < CHANGES; i++) {
        snprintf(paths[i], sizeof paths[i], "%s.fxt", changes[i].name);
        faults_put(paths[i], large->v, large->n);
        struct mode mode = {
            .name = changes[i].name, .argv = {"fxtop", "--no-cache", paths[i]}, .keys = ""};
        fflush(stdout);
        pty_open(&ptys[i], 100, 30);
        if (pty_fork(&ptys[i], 0) == 0)
            faults_become(&mode, -1);
    }
    for (int i = 0; i < CHANGES; i++) {
        bool good = pty_see(&ptys[i], "[1 Timeline]");
        expect(good, changes[i].name, "there is no picture");
        change(i, paths[i], large);
        pty_type(&ptys[i], "lG$hgg^lw\twww\t5G1/leaf\rnnX1$");
    }
    for (int i = 0; i < CHANGES; i++) {
        struct pty *p = &ptys[i];
        bool good = pty_see(p, "changed  [");
        expect(good, changes[i].name, "it was not noticed");
        expect(i > EMPTIED || pty_see(p, "file truncated"), changes[i].name,
               "a truncated file is not reported");
        pty_type(p, "R");
        bool again = pty_see(p, changes[i].again);
        expect(again, changes[i].name, "it was not read again");
        if (!good || !again)
            pty_print(p);
        pty_type(p, "G0l/leaf\rnQ");
        int status = pty_ended(p, PTY_PATIENCE_MS);
        const char *left = pty_left(p);
        expect(status == 0 && left == NULL, changes[i].name, left ? left : "it did not end well");
        pty_close(p);
        unlink(paths[i]);
    }
}

/* More than a pipe holds, and than a page; its index is more than the small disk. */
static struct trace_bytes large_trace(void) {
    enum { CALLS_MADE = 9000 };
    const size_t room = CALLS_MADE * 100 + 200;
    char *text = malloc(room);
    size_t n = (size_t)snprintf(text, room,
                                "magic\ninit 1000000000\nthread 1 7 8\nstring 1 \"c\"\nstring 2 "
                                "\"call\"\nstring 3 \"leaf\"\n");
    for (int i = 0; i < CALLS_MADE; i++)
        n += (size_t)snprintf(text + n, room - n,
                              "complete %d t1 s1 s2 end=%d\ncomplete %d t1 s1 s3 end=%d n=i32:%d\n",
                              i * 100, i * 100 + 60, i * 100 + 10, i * 100 + 30, i);
    struct trace_bytes bytes = faults_trace_of(text);
    free(text);
    return bytes;
}

/* Damages bytes in the last half of the cached index, which holds the slices. */
static void damage_index(void) {
    char name[256], path[SCRATCH_PATH + 300];
    struct stat s;
    if (faults_entries(faults.index, name) != 1)
        faults_fatal("no index");
    snprintf(path, sizeof path, "%s/%s", faults.index, name);
    int fd = open(path, O_WRONLY);
    if (fd < 0 || fstat(fd, &s) != 0)
        faults_fatal(path);
    for (off_t at = s.st_size / 2; at < s.st_size; at += 1000)
        if (pwrite(fd, "damage", 6, at) != 6)
            faults_fatal(path);
    close(fd);
}

static void indexes_that_are_damaged(void) {
    static const struct real print = {
        {"fxtop", "--print=100x30", "--keys=l<Tab>", "large.fxt"}, NULL, -1, 0, NULL, NULL};
    faults_empty(faults.index);
    int status = start_real(&print);
    size_t n;
    char *first = faults_contents(faults.out, &n);
    damage_index();
    status += start_real(&print);
    char *second = faults_contents(faults.out, &n);
    expect(status == 0 && said(NULL) && strcmp(first, second) == 0, "a damaged index, printed",
           "it is not as if there were none");
    free(first);
    free(second);
    damage_index();
    struct pty pty;
    fflush(stdout);
    pty_open(&pty, 100, 30);
    if (pty_fork(&pty, 0) == 0)
        faults_become(&(struct mode){.argv = {"fxtop", "large.fxt"}, .keys = ""}, -1);
    bool seen = pty_see(&pty, "[1 Timeline]");
    pty_type(&pty, "l"); /* it takes away the message, which may have come by now */
    seen = seen && pty_see(&pty, "call");
    pty_type(&pty, "\033OQ\033OQQ"); /* the mouse off and on, too */
    status = pty_ended(&pty, PTY_PATIENCE_MS);
    expect(seen && status == 0 && pty_left(&pty) == NULL, "a damaged index, on the screen",
           "it did not end well");
    pty_close(&pty);
    faults_wait_for_all();
}

static void what_is_asked_wrongly(void) {
    static const struct {
        const char *argv[6], *says;
    } cases[] = {
        {{"fxtop", "--export=csv", "--keys=?", "small.fxt"}, "lead to another view"},
        {{"fxtop", "--export=csv", "--keys=<nothing>", "small.fxt"}, "--keys: no such key"},
        {{"fxtop", "--print", "--at=soon", "small.fxt"}, "--at: not a time: soon"},
        {{"fxtop", "--print", "--window=wide", "small.fxt"}, "--window expects a duration"},
        {{"fxtop", "--summary", "missing.fxt"}, "no such file"},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        struct real real = {.out = -1};
        memcpy(real.argv, cases[i].argv, sizeof cases[i].argv);
        int status = start_real(&real);
        expect(status == 2 && said(cases[i].says), cases[i].argv[1],
               "it is not refused in one line");
    }
    struct pty pty;
    fflush(stdout);
    pty_open(&pty, 100, 30);
    if (pty_fork(&pty, 0) == 0)
        faults_become(&(struct mode){.argv = {"fxtop", "--at=soon", "small.fxt"}, .keys = ""}, -1);
    expect(pty_ended(&pty, PTY_PATIENCE_MS) == 2 && pty_left(&pty) == NULL,
           "--at=soon on the screen", "it is not refused");
    pty_close(&pty);
    int status = start_real(&(struct real){{"fxtop", "--version"}, NULL, -1, 0, NULL, NULL});
    expect(status == 0 && said(NULL) && printed("fxtop "), "--version", "it does not say");
    static const char *const stats[] = {"--print", "--summary", "--check", "--records",
                                        "--export=ndjson"};
    for (size_t i = 0; i < sizeof stats / sizeof *stats; i++) {
        status = start_real(
            &(struct real){{"fxtop", "--stats", stats[i], "small.fxt"}, NULL, -1, 0, NULL, NULL});
        size_t n;
        char *err = faults_contents(faults.err, &n), *ms = strstr(err, "index ");
        expect(status < 2 &&
                   (strcmp(stats[i], "--records") == 0 || (ms && strtod(ms + 6, NULL) > 0)),
               stats[i], "--stats does not say how long the index took");
        free(err);
    }
}

void faults_real(void) {
    struct trace_bytes large = large_trace();
    faults_put("large.fxt", large.v, large.n);
    indexes_that_are_damaged();
    what_is_asked_wrongly();
    full_disks(&large);
    outputs_that_fail();
    files_that_change(&large);
    free(large.v);
    faults_empty(faults.index);
    faults_empty(faults.tmp);
}
