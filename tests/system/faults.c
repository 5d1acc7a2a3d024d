/* faults.c - the n-th call of the system fails: faults [all | MODE ...]
 *
 * This is fxtop itself, linked so that its own calls of malloc, read, write, mmap and more pass
 * through here (ld's --wrap). For each way to use it, each call and each error: n = 1, 2 ... until
 * a run passes untouched. Each run must end as the manual describes, with at most one line on
 * standard error, the terminal as before, and no file left. If it succeeds it must have printed the
 * same as an untouched run. Real faults follow (faults_real.c). If n reaches hundreds only some are
 * tried; "all" tries each. */
#undef main /* of fxtop it is fxtop_main */

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <locale.h>
#include <poll.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>
#include <zlib.h>
#ifdef HAVE_ZSTD
#include <zstd.h>
#endif

#include "tests/lib/pty.h"
#include "tests/system/faults.h"

#if defined(__SANITIZE_ADDRESS__)
#define DENSE 4 /* a run costs ten times as much, for leaks are looked for */
#elif defined(__has_feature)
#if __has_feature(address_sanitizer)
#define DENSE 4
#endif
#endif
#ifndef DENSE
#define DENSE 8
#endif

int fxtop_main(int argc, char **argv);

struct kind {
    enum call call;
    const char *name;
    int error;
    bool on;
    bool unseen; /* the fault must have no visible effect */
};

static const struct kind kinds[] = {
    {MEMORY, "malloc", ENOMEM, false, false},
    {MEMORY, "malloc, on and on", ENOMEM, true, false},
    {SQL_MEMORY, "malloc of SQLite", ENOMEM, false, false},
    {SQL_MEMORY, "malloc of SQLite, on and on", ENOMEM, true, false},
    {READ, "read EINTR", EINTR, false, true},
    {READ, "read short", SHORT, true, true},
    {READ, "read EIO", EIO, false, false},
    {READ, "read EAGAIN", EAGAIN, false, true},
    {WRITE, "write EINTR", EINTR, false, true},
    {WRITE, "write short", SHORT, true, true},
    {WRITE, "write ENOSPC", ENOSPC, true, false},
    {WRITE, "write EIO", EIO, false, false},
    {WRITE, "write EPIPE", EPIPE, false, false},
    {PREAD, "pread EINTR", EINTR, false, true},
    {PREAD, "pread short", SHORT, false, true},
    {PREAD, "pread EIO", EIO, true, false},
    {PWRITE, "pwrite EINTR", EINTR, false, true},
    {PWRITE, "pwrite short", SHORT, false, true},
    {PWRITE, "pwrite ENOSPC", ENOSPC, true, true},
    {PWRITE, "pwrite EIO", EIO, false, true},
    {MMAP, "mmap ENOMEM", ENOMEM, false, true},
    {MMAP, "mmap ENOMEM, on and on", ENOMEM, true, true},
    {MMAP, "mmap ENODEV", ENODEV, true, true},
    {OPEN, "open EMFILE", EMFILE, false, false},
    {OPEN, "open EINTR", EINTR, false, false},
    {OPENAT, "openat EMFILE", EMFILE, true, true},
    {FSTAT, "fstat EIO", EIO, false, false},
    {STAT, "stat EACCES", EACCES, false, false},
    {FTRUNCATE, "ftruncate ENOSPC", ENOSPC, false, true},
    {FCNTL, "fcntl EMFILE", EMFILE, false, false},
    {DUP, "dup EMFILE", EMFILE, false, true},
    {PIPE, "pipe EMFILE", EMFILE, false, false},
    {POLL, "poll EINTR", EINTR, false, true},
    {LSEEK, "lseek EINVAL", EINVAL, false, true},
    {MKSTEMP, "mkstemp EMFILE", EMFILE, false, false},
    {THREAD, "pthread_create EAGAIN", EAGAIN, false, true},
    {FORK, "fork EAGAIN", EAGAIN, false, true},
    {MKDIR, "mkdir EACCES", EACCES, false, true},
    {FLOCK, "flock EWOULDBLOCK", EWOULDBLOCK, false, true},
    {LINKAT, "linkat ENOSPC", ENOSPC, false, true},
    {RENAMEAT, "renameat ENOSPC", ENOSPC, false, true},
    {REALPATH, "realpath EACCES", EACCES, false, true},
    {FDOPEN, "fdopen ENOMEM", ENOMEM, false, false},
    {FDOPENDIR, "fdopendir ENOMEM", ENOMEM, false, true},
    {INOTIFY_INIT, "inotify_init EMFILE", EMFILE, false, true},
    {INOTIFY_ADD, "inotify_add_watch ENOSPC", ENOSPC, false, true},
    {TCGETATTR, "tcgetattr EIO", EIO, false, false},
    {GETRANDOM, "getrandom EAGAIN", EAGAIN, false, true},
};

/* ---- the ways to use it ---- */

#define A_QUERY                                                                                    \
    "create perfetto table own as select id, name, dur from slice where name glob 'v*'; "          \
    "select o.name, count(*), p99(o.dur), extract_arg(s.arg_set_id, 'n') from own o join slice s " \
    "using (id) "                                                                                  \
    "group by o.name order by 2 desc, 1"

static const struct mode modes[] = {
    {"print",
     {"fxtop", "--no-cache", "--print=100x30", "--keys=l<Tab>", "small.fxt"},
     A_FILE,
     NO_CACHE,
     NULL,
     false,
     NULL},
    {"summary", {"fxtop", "--summary", "small.fxt"}, A_FILE, NO_CACHE, NULL, false, NULL},
    {"check", {"fxtop", "--check=strict", "small.fxt"}, A_FILE, NO_CACHE, NULL, false, NULL},
    {"records", {"fxtop", "--records", "small.fxt"}, A_FILE, NO_CACHE, NULL, false, NULL},
    {"ndjson", {"fxtop", "--export=ndjson", "small.fxt"}, A_FILE, NO_CACHE, NULL, false, NULL},
    {"json", {"fxtop", "--export=json", "small.fxt"}, A_FILE, NO_CACHE, NULL, false, NULL},
    {"csv",
     {"fxtop", "--export=csv", "--keys=6", "small.fxt"},
     A_FILE,
     NO_CACHE,
     NULL,
     false,
     NULL},
    {"output",
     {"fxtop", "--export=json", "-o", "tmp/printed", "small.fxt"},
     A_FILE,
     NO_CACHE,
     NULL,
     false,
     "tmp/printed"},
    {"pipe", {"fxtop", "--print=100x30", "-"}, A_PIPE, NO_CACHE, NULL, false, NULL},
    {"gzip", {"fxtop", "--export=ndjson", "small.fxt.gz"}, A_FILE, NO_CACHE, NULL, false, NULL},
#ifdef HAVE_ZSTD
    {"zstd", {"fxtop", "--export=ndjson", "small.fxt.zst"}, A_FILE, NO_CACHE, NULL, false, NULL},
#endif
    {"import", {"fxtop", "--export=ndjson", "small.json"}, A_FILE, NO_CACHE, NULL, false, NULL},
    {"rewrite", {"fxtop", "--export=fxt", "small.json.gz"}, A_FILE, NO_CACHE, NULL, false, NULL},
    {"cut",
     {"fxtop", "--cut=10%..60%", "--redact=all", "small.fxt"},
     A_FILE,
     NO_CACHE,
     NULL,
     false,
     NULL},
    {"keeping", {"fxtop", "--print=100x30", "small.fxt"}, A_FILE, EMPTY_CACHE, NULL, false, NULL},
    {"kept",
     {"fxtop", "--print=100x30", "--keys=l<Tab>", "small.fxt"},
     A_FILE,
     FULL_CACHE,
     NULL,
     false,
     NULL},
    {"screen", {"fxtop", "small.fxt"}, A_FILE, EMPTY_CACHE, "ljlww\t5qX1/vs\rn?qR9Q", false, NULL},
    {"screen pipe", {"fxtop", "-"}, A_PIPE, NO_CACHE, "lljQ", false, NULL},
#ifdef HAVE_SQLITE
    {"query",
     {"fxtop", "--format=csv", "--query", A_QUERY, "clean.fxt"},
     A_FILE,
     NO_CACHE,
     NULL,
     false,
     NULL},
    {"screen query",
     {"fxtop", "clean.fxt"},
     A_FILE,
     NO_CACHE,
     ":sql " A_QUERY "\rj>Q",
     false,
     NULL},
#endif
    {"following", {"fxtop", "-F", "grows.fxt"}, A_FILE, NO_CACHE, "jQ", true, NULL},
};
enum { MODES = sizeof modes / sizeof *modes, KINDS = sizeof kinds / sizeof *kinds };

struct faults faults;

void faults_fatal(const char *what) {
    fprintf(stderr, "faults: %s: %s\n", what, strerror(errno));
    exit(2);
}

void faults_put(const char *path, const void *v, size_t n) {
    FILE *f = fopen(path, "wb");
    if (f == NULL || fwrite(v, 1, n, f) != n || fclose(f) != 0)
        faults_fatal(path);
}

void faults_append(const char *path, const void *v, size_t n) {
    FILE *f = fopen(path, "ab");
    if (f == NULL || fwrite(v, 1, n, f) != n || fclose(f) != 0)
        faults_fatal(path);
}

char *faults_contents(int fd, size_t *n) {
    struct stat s;
    if (fstat(fd, &s) != 0)
        faults_fatal("fstat");
    char *text = malloc((size_t)s.st_size + 1);
    *n = (size_t)s.st_size;
    if (text == NULL || (*n > 0 && pread(fd, text, *n, 0) != s.st_size))
        faults_fatal("pread");
    text[*n] = '\0';
    return text;
}

unsigned faults_entries(const char *path, char name[256]) {
    DIR *d = opendir(path);
    unsigned n = 0;
    for (const struct dirent *e; d && (e = readdir(d)) != NULL;)
        if (strcmp(e->d_name, ".") != 0 && strcmp(e->d_name, "..") != 0) {
            snprintf(name, 256, "%s", e->d_name);
            n++;
        }
    if (d)
        closedir(d);
    return n;
}

void faults_empty(const char *path) {
    char name[256], whole[SCRATCH_PATH + 300];
    while (faults_entries(path, name) > 0) {
        snprintf(whole, sizeof whole, "%s/%s", path, name);
        if (unlink(whole) != 0)
            faults_fatal(whole);
    }
}

/* ---- a run ---- */

struct outcome {
    int status;
    bool fired;
    const char *left; /* of the terminal */
    bool seen;        /* there was a picture */
};

static int argc_of(const struct mode *mode) {
    int n = 0;
    while (mode->argv[n])
        n++;
    return n;
}

void faults_become(const struct mode *mode, int input) {
    if (input >= 0)
        dup2(input, STDIN_FILENO);
    else if (mode->keys == NULL)
        dup2(open("/dev/null", O_RDONLY), STDIN_FILENO);
    if (mode->keys == NULL)
        dup2(faults.out, STDOUT_FILENO);
    dup2(faults.err, STDERR_FILENO);
    faults_arm(true);
    int status = fxtop_main(argc_of(mode), (char **)mode->argv);
    faults_arm(false);
    exit(status);
}

int faults_pipe_of(const struct trace_bytes *bytes) {
    int ends[2];
    if (pipe(ends) != 0 || fcntl(ends[1], F_SETPIPE_SZ, 1 << 20) < 0 ||
        write(ends[1], bytes->v, bytes->n) != (ssize_t)bytes->n)
        faults_fatal("pipe");
    close(ends[1]);
    return ends[0];
}

/* Writers of the index cache outlive their parents and become children of this process. */
void faults_wait_for_all(void) {
    int64_t end = pty_now_ms() + PTY_PATIENCE_MS;
    while (waitpid(-1, NULL, WNOHANG) >= 0 && pty_now_ms() < end)
        poll(NULL, 0, 1);
}

static void on_screen(const struct mode *mode, int input, struct outcome *o) {
    struct pty pty;
    pty_open(&pty, 100, 30);
    if (pty_fork(&pty, 0) == 0) {
        setsid();
        faults_become(mode, input);
    }
    bool typed = false;
    int64_t end = pty_now_ms() + PTY_PATIENCE_MS;
    for (o->status = -1; o->status < 0 && pty_now_ms() < end;) {
        o->status = pty_ended(&pty, 5);
        if (!typed && pty_loaded(&pty)) {
            if (mode->follows) {
                faults_append("grows.fxt", faults.rest.v, faults.rest.n);
                pty_see(&pty, " 2 ev ");
            }
            pty_type(&pty, mode->keys);
            typed = true;
        }
    }
    o->seen = typed;
    o->left = pty_left(&pty);
    if (o->status < 0)
        pty_print(&pty);
    pty_close(&pty);
}

static struct outcome run(const struct mode *mode, const struct kind *kind, long nth) {
    struct outcome o = {.status = -1};
    int input = mode->input == A_PIPE ? faults_pipe_of(&faults.small) : -1;
    if (mode->follows)
        faults_put("grows.fxt", faults.first.v, faults.first.n);
    if (mode->output)
        faults_put(mode->output, "old", 3);
    if (mode->cache == EMPTY_CACHE)
        faults_empty(faults.index);
    if (ftruncate(faults.out, 0) != 0 || ftruncate(faults.err, 0) != 0 ||
        lseek(faults.out, 0, SEEK_SET) != 0 || lseek(faults.err, 0, SEEK_SET) != 0)
        faults_fatal("memfd");
    memset(faults_plan, 0, sizeof *faults_plan);
    faults_plan->call = kind ? kind->call : CALLS;
    faults_plan->error = kind ? kind->error : 0;
    faults_plan->on = kind && kind->on;
    faults_plan->nth = nth;
    fflush(stdout); /* or the child writes it once more */
    if (mode->keys) {
        on_screen(mode, input, &o);
    } else {
        pid_t pid = fork();
        if (pid < 0)
            faults_fatal("fork");
        if (pid == 0)
            faults_become(mode, input);
        int status;
        while (waitpid(pid, &status, 0) < 0 && errno == EINTR)
            continue;
        o.status = WIFSIGNALED(status) ? 128 + WTERMSIG(status) : WEXITSTATUS(status);
    }
    if (input >= 0)
        close(input);
    faults_wait_for_all();
    o.fired = faults_plan->fired;
    faults.runs++;
    faults.injected += o.fired;
    return o;
}

/* ---- what must be true of it ---- */

/* One line of fxtop's, or nothing. */
static const char *bad_lines(const char *text, int status, bool fired) {
    const char *end = strchr(text, '\n');
    if (*text == '\0')
        return status == 2 ? "status 2 and nothing said" : NULL;
    if (strncmp(text, "fxtop: ", 7) != 0 || end == NULL || end[1] != '\0')
        return "not one line on standard error";
    return status == 2 || !fired ? NULL : "a line on standard error though all went well";
}

/* Takes the file of -o away and returns its size; 0: it is gone, 3: it is the old one. */
static size_t take_output(const char *path) {
    size_t n = 0;
    int fd = open(path, O_RDONLY | O_CLOEXEC);
    if (fd >= 0)
        free(faults_contents(fd, &n));
    close(fd);
    unlink(path);
    return n;
}

static const char *bad_outcome(const struct mode *mode, const struct kind *kind,
                               const struct outcome *o, const char *err) {
    char name[256];
    size_t n;
    if (o->status < 0)
        return "it did not end";
    /* no keys to be had: the terminal is gone */
    bool gone = mode->keys && o->status == 129 && !kind->unseen;
    if (o->status > 2 && !gone)
        return "an end that the manual does not know";
    const char *why = bad_lines(err, o->status, o->fired);
    if (why)
        return why;
    if (o->status != faults.reference_status && kind->unseen)
        return "what nobody should notice ended it";
    if (mode->keys && o->left)
        return o->left;
    if (mode->keys && o->status == 0 && !o->seen)
        return "no picture, and no reason said";
    if (!mode->keys && o->status == faults.reference_status) {
        char *out = faults_contents(faults.out, &n);
        bool same = n == faults.reference_n && memcmp(out, faults.reference, n) == 0;
        free(out);
        if (!same)
            return "it ended well, but printed something else";
    }
    size_t written = mode->output ? take_output(mode->output) : 0;
    if (mode->output && written != (o->status < 2 ? faults.output_n : 3))
        return "the file of -o is neither the old one after a failure nor the whole new one";
    if (faults_entries(faults.tmp, name) > 0)
        return "a temporary file was left";
    return NULL;
}

/* The index that was left is none, or a whole one. */
static const char *bad_index(const struct mode *mode) {
    char name[256], whole[SCRATCH_PATH + 300];
    unsigned n = faults_entries(faults.index, name);
    size_t length = strlen(name);
    if (n == 0)
        return NULL;
    if (n > 1 || length < 7 || strcmp(name + length - 6, ".index") != 0)
        return "something unfinished was left beside the index";
    if (mode->keys)
        return NULL;
    snprintf(whole, sizeof whole, "%s/%s", faults.index, name);
    struct stat before, after;
    if (stat(whole, &before) != 0)
        faults_fatal(whole);
    struct mode again = *mode;
    again.cache = FULL_CACHE;
    char *out;
    size_t out_n;
    struct outcome o = run(&again, NULL, 0);
    out = faults_contents(faults.out, &out_n);
    bool same =
        o.status == 0 && out_n == faults.reference_n && memcmp(out, faults.reference, out_n) == 0;
    free(out);
    if (!same || stat(whole, &after) != 0 || after.st_ino != before.st_ino)
        return "the index that was left is not whole";
    return NULL;
}

void faults_report(const char *mode, const char *kind, long nth, const char *why, const char *err) {
    faults.failed++;
    printf("FAILED: %s, %s, the %ld.: %s\n", mode, kind, nth, why);
    if (err && *err)
        printf("%s%s", err, err[strlen(err) - 1] == '\n' ? "" : "\n");
    fflush(stdout);
    if (faults.failed == 20) {
        printf("too much fails; the rest is left out\n%u passed, %u failed\n", faults.passed,
               faults.failed);
        exit(1);
    }
}

/* Which n is tried after this one: the first all, then fewer and fewer. */
static long next(const struct mode *mode, const struct kind *kind, long nth) {
    if (faults.all)
        return nth + 1;
    long dense = mode->follows ? 2 : mode->keys ? 6 : DENSE, often = kind->call == MEMORY ? 3 : 1;
    return nth < dense * often ? nth + 1 : nth + 1 + nth / 3;
}

static void try_kind(const struct mode *mode, const struct kind *kind) {
    for (long nth = 1;; nth = next(mode, kind, nth)) {
        struct outcome o = run(mode, kind, nth);
        size_t n;
        char *err = faults_contents(faults.err, &n);
        const char *why = bad_outcome(mode, kind, &o, err);
        if (why == NULL && mode->cache == EMPTY_CACHE && o.fired)
            why = bad_index(mode);
        if (why)
            faults_report(mode->name, kind->name, nth, why, err);
        free(err);
        if (!o.fired || nth > 100000)
            break;
    }
    faults.passed++;
}

static void try_mode(const struct mode *mode) {
    if (mode->cache == FULL_CACHE) {
        struct mode first = *mode;
        first.cache = EMPTY_CACHE;
        run(&first, NULL, 0);
    }
    struct outcome o = run(mode, NULL, 0);
    char name[256];
    size_t n;
    char *err = faults_contents(faults.err, &n);
    free(faults.reference);
    faults.reference = faults_contents(faults.out, &faults.reference_n);
    faults.reference_status = o.status;
    faults.output_n = mode->output ? take_output(mode->output) : 0;
    long counts[CALLS];
    for (int i = 0; i < CALLS; i++)
        counts[i] = faults_plan->counts[i];
    if (o.status != (strcmp(mode->name, "check") == 0 ? 1 : 0) || *err ||
        (mode->keys && (o.left || !o.seen)))
        faults_report(mode->name, "nothing", 0, "the untouched run fails", err);
    free(err);
    if (mode->cache == EMPTY_CACHE && faults_entries(faults.index, name) != 1)
        faults_report(mode->name, "nothing", 0, "no index was kept", NULL);
    unsigned before = faults.failed;
    unsigned long injected = faults.injected;
    for (int k = 0; k < KINDS && faults.failed < before + 5; k++)
        if (counts[kinds[k].call] > 0)
            try_kind(mode, &kinds[k]);
    printf("%-12s %lu faults, of", mode->name, faults.injected - injected);
    for (int k = 0; k < KINDS; k++)
        if (counts[kinds[k].call] > 0 && (k == 0 || kinds[k].call != kinds[k - 1].call))
            printf(" %ld %.*s", counts[kinds[k].call], (int)strcspn(kinds[k].name, " ,"),
                   kinds[k].name);
    putchar('\n');
    fflush(stdout);
}

/* ---- setting up ---- */

struct trace_bytes faults_trace_of(const char *text) {
    struct err err;
    struct trace_bytes bytes = tracegen(text, &err);
    if (bytes.v == NULL) {
        fprintf(stderr, "faults: line %d: %s\n", (int)err.at, err.text);
        exit(2);
    }
    return bytes;
}

/* All kinds of records, some of them damaged, so that there is something to be said. */
static void make_traces(void) {
    static char text[60000];
    size_t n = (size_t)snprintf(
        text, sizeof text,
        "magic\nprovider 1 \"p\"\ninit 1000000000\nthread 1 7 8\nthread 2 7 9\n"
        "kernel_object 1 7 \"shell\"\nkernel_object 2 8 \"main\" process=koid:7\n");
    for (int i = 0; i < 40; i++)
        n += (size_t)snprintf(
            text + n, sizeof text - n,
            "begin %d t1 \"ui\" \"vsync %d\" n=i32:%d s=\"text\"\ncomplete %d t2 \"ui\" \"leaf\" "
            "end=%d\n"
            "flow_%s %d t1 \"c\" \"f\" id=%d\ncounter %d t1 \"c\" \"n\" id=1 v=u32:%d\n"
            "instant %d t2 \"c\" \"i\"\nasync_%s %d t1 \"c\" \"a\" id=%d\nlog %d t1 \"line %d\"\n"
            "switch %d %d %d 3 %d\nend %d t1 \"ui\" \"vsync %d\"\n",
            i * 100, i, i, i * 100 + 10, i * 100 + 60, i % 2 ? "end" : "begin", i * 100 + 5, i / 2,
            i * 100, i, i * 100 + 7, i % 2 ? "end" : "begin", i * 100, i / 2, i * 100, i, i * 100,
            i % 2, 8 + i % 2, 9 - i % 2, i * 100 + 60, i);
    snprintf(text + n, sizeof text - n, "end 9000 t1 \"ui\" \"alone\"\nblob \"b\" 1 \"bytes\"\n");
    faults.small = faults_trace_of(text);
    faults.first = faults_trace_of("magic\ninit 1000000000\ninstant 1000 7/8 \"c\" \"first\"\n");
    faults.rest = faults_trace_of("instant 2000 7/8 \"c\" \"then\"\n");
    faults_put("small.fxt", faults.small.v, faults.small.n);
    struct trace_bytes clean =
        faults_trace_of("magic\nprovider 1 \"p\"\ninit 1000000000\nthread 1 7 8\n"
                        "begin 0 t1 \"ui\" \"vsync\" n=i32:5\nend 500 t1 \"ui\" \"vsync\"\n"
                        "complete 600 t1 \"ui\" \"leaf\" end=900\n");
    faults_put("clean.fxt", clean.v, clean.n);
    free(clean.v);
    gzFile gz = gzopen("small.fxt.gz", "wb");
    if (gz == NULL || gzwrite(gz, faults.small.v, (unsigned)faults.small.n) <= 0 ||
        gzclose(gz) != Z_OK)
        faults_fatal("gzip");
#ifdef HAVE_ZSTD
    static char packed[100000];
    size_t size = ZSTD_compress(packed, sizeof packed, faults.small.v, faults.small.n, 3);
    if (ZSTD_isError(size))
        faults_fatal("zstd");
    faults_put("small.fxt.zst", packed, size);
#endif
}

/* Chrome's JSON: owners that are texts, frames, more arguments than FXT holds, and an array that is
 * not closed. */
static void put_json(void) {
    static char text[40000];
    size_t n = (size_t)snprintf(text, sizeof text,
                                "{\"stackFrames\":{\"1\":{\"name\":\"main\"}},\"traceEvents\":[\n");
    for (int i = 0; i < 60; i++)
        n += (size_t)snprintf(
            text + n, sizeof text - n,
            "{\"ph\":\"X\",\"name\":\"n "
            "%d\",\"ts\":%d.5,\"dur\":3,\"pid\":\"server\",\"tid\":%d,\"sf\":1,"
            "\"args\":{\"a\":1,\"b\":[1,{\"c\":2}],\"d\":\"\\u00e9\"}},\n"
            "{\"ph\":\"C\",\"name\":\"c\",\"ts\":%d,\"pid\":1,\"args\":{\"v\":%d}},\n"
            "{\"ph\":\"%c\",\"name\":\"f\",\"id\":%d,\"ts\":%d,\"pid\":1,\"tid\":1},\n",
            i, i * 10, i % 3, i * 10, i, i % 2 ? 'f' : 's', i / 2, i * 10 + 1);
    faults_put("small.json", text, n);
    gzFile gz = gzopen("small.json.gz", "wb");
    if (gz == NULL || gzwrite(gz, text, (unsigned)n) <= 0 || gzclose(gz) != Z_OK)
        faults_fatal("gzip");
}

static void set_up(void) {
    if (!scratch_folder(faults.directory, "faults") || chdir(faults.directory) != 0)
        faults_fatal("a temporary folder");
    snprintf(faults.tmp, sizeof faults.tmp, "%s/tmp", faults.directory);
    snprintf(faults.cache, sizeof faults.cache, "%s/cache", faults.directory);
    snprintf(faults.index, sizeof faults.index, "%s/cache/fxtop", faults.directory);
    if (mkdir(faults.tmp, 0700) != 0 || mkdir(faults.cache, 0700) != 0 ||
        mkdir(faults.index, 0700) != 0)
        faults_fatal(faults.directory);
    setenv("TMPDIR", faults.tmp, 1);
    setenv("XDG_CACHE_HOME", faults.cache, 1);
    setenv("XDG_STATE_HOME", "/dev/null", 1); /* no sessions: suite_state_file.c has their faults */
    setenv("TERM", "xterm-256color", 1);
    setlocale(LC_CTYPE, "C.UTF-8");
    faults.out = memfd_create("out", MFD_CLOEXEC);
    faults.err = memfd_create("err", MFD_CLOEXEC);
    faults_plan =
        mmap(NULL, sizeof *faults_plan, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
    if (faults.out < 0 || faults.err < 0 || faults_plan == MAP_FAILED ||
        prctl(PR_SET_CHILD_SUBREAPER, 1) != 0)
        faults_fatal("setting up");
    make_traces();
    put_json();
}

static void tear_down(void) {
    char name[256];
    faults_empty(faults.index);
    if (rmdir(faults.index) != 0 || rmdir(faults.cache) != 0 || rmdir(faults.tmp) != 0)
        faults_report("all", "all", 0, "something was left in the directories", NULL);
    while (faults_entries(".", name) > 0)
        if (unlink(name) != 0)
            break;
    if (chdir("/") != 0 || rmdir(faults.directory) != 0)
        faults_report("all", "all", 0, "something was left", NULL);
    free(faults.small.v);
    free(faults.first.v);
    free(faults.rest.v);
    free(faults.reference);
}

int main(int argc, char **argv) {
    bool named = false;
    set_up();
    faults.all = argc > 1 && strcmp(argv[1], "all") == 0;
    for (int i = 1 + faults.all; i < argc; i++) {
        named = named || strcmp(argv[i], "real") == 0;
        for (int m = 0; m < MODES; m++)
            if (strcmp(modes[m].name, argv[i]) == 0) {
                try_mode(&modes[m]);
                named = true;
            }
    }
    for (int m = 0; m < MODES && !named; m++)
        try_mode(&modes[m]);
    if (!named || strcmp(argv[1], "real") == 0)
        faults_real();
    tear_down();
    printf("%lu faults in %lu runs\n%u passed, %u failed\n", faults.injected, faults.runs,
           faults.passed, faults.failed);
    return faults.failed > 0;
}
