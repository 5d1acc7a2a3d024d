/* soak.c - following for long: soak FXTOP SECONDS
 *
 * Two sessions on pseudo-terminals follow files that are written meanwhile: one grows, the other is
 * replaced by shorter and longer ones. Keys are pressed. Descriptors, mappings and memory are
 * counted in /proc: after the first tenth of the time none of them may grow. The session of the
 * growing trace may use more memory, by as much as --stats reports. */
#include <dirent.h>
#include <inttypes.h>
#include <locale.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "tests/lib/chance.h"
#include "tests/lib/pty.h"
#include "tests/lib/scratch.h"
#include "tests/lib/tracegen.h"

enum {
    STEP_MS = 50,       /* between two writes */
    RECORDS = 50,       /* of one */
    ANEW_STEPS = 60,    /* writes until the other file is replaced */
    KEY_STEPS = 7,      /* writes, until a key is pressed */
    SAMPLE_STEPS = 100, /* and until something is counted */
    SLACK_KB = 3072,    /* what the allocator and the screen keep, more or less */
};

struct counted {
    long kb, descriptors, mappings;
};

struct session {
    const char *what;
    char path[SCRATCH_PATH + 16], log[SCRATCH_PATH + 16];
    FILE *file;
    struct pty pty;
    int64_t time;  /* of the next record */
    unsigned anew; /* how often it was begun */
    const char *key;
    struct counted first, last, most;
};

static unsigned passed, failed;
static struct chance chance = {7};

static void check(bool good, const char *what, const char *of) {
    if (good) {
        passed++;
        return;
    }
    failed++;
    printf("FAILED: %s: %s\n", of, what);
}

static bool write_text(struct session *s, const char *text) {
    struct err err;
    struct trace_bytes bytes = tracegen(text, &err);
    bool good = bytes.v && fwrite(bytes.v, 1, bytes.n, s->file) == bytes.n && fflush(s->file) == 0;
    free(bytes.v);
    return good;
}

static bool begin(struct session *s) {
    if (s->file)
        fclose(s->file);
    s->file = fopen(s->path, "wb");
    s->time = 0;
    s->anew++;
    return s->file && write_text(s, "magic\nprovider 1 \"p\"\ninit 1000000000\nstring 1 "
                                    "\"c\"\nstring 2 \"call\"\nthread 1 7 8\n"
                                    "thread 2 7 9\n");
}

/* Slices in slices, flows, counters and now and then another thread and name; names come again. */
static bool grow(struct session *s) {
    static char text[RECORDS * 160];
    size_t n = 0;
    for (int i = 0; i < RECORDS; i += 5, s->time += 1000) {
        long long t = s->time;
        n +=
            (size_t)snprintf(text + n, sizeof text - n,
                             "begin %lld t1 s1 s2\ncomplete %lld t2 s1 \"leaf %d\" "
                             "end=%lld\ncounter %lld t1 s1 \"n\" "
                             "id=1 v=u32:%d\nflow_%s %lld t1 s1 \"f\" id=%lld\nend %lld t1 s1 s2\n",
                             t, t + 10, i, t + 300, t + 20, i, t / 1000 % 2 ? "end" : "begin",
                             t + 30, t / 2000, t + 600);
    }
    return write_text(s, text);
}

static long count_entries(const char *path) {
    DIR *d = opendir(path);
    long n = 0;
    while (d && readdir(d) != NULL)
        n++;
    if (d)
        closedir(d);
    return n;
}

static struct counted count(pid_t pid) {
    struct counted c = {0, 0, 0};
    char path[64], line[512];
    snprintf(path, sizeof path, "/proc/%ld/fd", (long)pid);
    c.descriptors = count_entries(path);
    snprintf(path, sizeof path, "/proc/%ld/maps", (long)pid);
    FILE *f = fopen(path, "r");
    while (f && fgets(line, sizeof line, f))
        c.mappings++;
    if (f)
        fclose(f);
    snprintf(path, sizeof path, "/proc/%ld/status", (long)pid);
    f = fopen(path, "r");
    while (f && fgets(line, sizeof line, f))
        if (sscanf(line, "RssAnon: %ld", &c.kb) == 1)
            break;
    if (f)
        fclose(f);
    return c;
}

static void press(struct session *s) {
    static const char *const keys[] = {"j",
                                       "k",
                                       "l",
                                       "h",
                                       "w",
                                       "s",
                                       "d",
                                       "a",
                                       "5",
                                       "1",
                                       "6",
                                       "1",
                                       "7",
                                       "1",
                                       "\t",
                                       "q",
                                       "G",
                                       "/leaf\r",
                                       "n",
                                       "?",
                                       "\033",
                                       "1",
                                       "0",
                                       "f",
                                       "*",
                                       "]",
                                       "9",
                                       "1",
                                       "\033[<0;40;8M\033[<0;40;8m",
                                       "e",
                                       "c"};
    const char *key = keys[below(&chance, sizeof keys / sizeof *keys)];
    if (strcmp(key, "q") == 0) /* closes what is open, but must not leave */
        key = "\033";
    pty_type(&s->pty, key);
}

static bool start(struct session *s, const char *what, const char *fxtop, const char *directory) {
    s->what = what;
    snprintf(s->path, sizeof s->path, "%s/%s.fxt", directory, what);
    snprintf(s->log, sizeof s->log, "%s/%s.log", directory, what);
    if (!begin(s) || !grow(s))
        return false;
    char command[2 * SCRATCH_PATH + 400];
    snprintf(command, sizeof command, "exec '%s' --follow --stats '%s' 2>'%s'", fxtop, s->path,
             s->log);
    pty_open(&s->pty, 120, 40);
    pty_start(&s->pty, PTY_PLAIN, (const char *const[]){"sh", "-c", command, NULL});
    return pty_see(&s->pty, "[1 Timeline]");
}

static long own_kb(const struct session *s) {
    char line[200];
    uint64_t bytes = 0;
    FILE *f = fopen(s->log, "r");
    while (f && fgets(line, sizeof line, f))
        if (sscanf(line, "own memory %" SCNu64, &bytes) == 1)
            break;
    if (f)
        fclose(f);
    return (long)(bytes / 1024);
}

static void finish(struct session *s, bool grows) {
    s->last = count(s->pty.pid);
    pty_type(&s->pty, "\033Q");
    int status = pty_ended(&s->pty, PTY_PATIENCE_MS);
    const char *left = pty_left(&s->pty);
    long own = own_kb(s);
    printf("%s: begun %u times, %" PRId64
           " us of trace; memory %ld kB at first, %ld at last, %ld at most, the trace's own "
           "%ld; descriptors %ld, %ld; mappings %ld, %ld at most\n",
           s->what, s->anew, s->time / 1000, s->first.kb, s->last.kb, s->most.kb, own,
           s->first.descriptors, s->last.descriptors, s->first.mappings, s->most.mappings);
    check(status == 0, "it ended as it should", s->what);
    check(left == NULL, left ? left : "the terminal", s->what);
    check(own > 0, "it says what the trace takes", s->what);
    check(s->last.descriptors == s->first.descriptors, "as many descriptors as at first", s->what);
    check(s->most.mappings <= s->first.mappings + (grows ? 12 : 4), "as many mappings as at first",
          s->what);
    /* Tables grow by half of what they are. */
    check(s->last.kb <= s->first.kb + SLACK_KB + (grows ? own + own / 2 : 0),
          "as much memory as at first", s->what);
    pty_close(&s->pty);
    fclose(s->file);
    unlink(s->path);
    unlink(s->log);
}

static void sample(struct session *s, bool first) {
    struct counted c = count(s->pty.pid);
    if (first)
        s->first = s->most = c;
    s->most.kb = c.kb > s->most.kb ? c.kb : s->most.kb;
    s->most.mappings = c.mappings > s->most.mappings ? c.mappings : s->most.mappings;
}

int main(int argc, char **argv) {
    char directory[SCRATCH_PATH];
    struct session grows = {0}, anew = {0};
    setlocale(LC_CTYPE, "C.UTF-8");
    setenv("TERM", "xterm-256color", 1);
    if (argc < 3 || !scratch_folder(directory, "soak")) {
        fputs("usage: soak FXTOP SECONDS\n", stderr);
        return 2;
    }
    int64_t length = strtoll(argv[2], NULL, 10) * 1000, from = pty_now_ms();
    bool good =
             start(&grows, "grows", argv[1], directory) && start(&anew, "anew", argv[1], directory),
         first = true;
    for (uint64_t step = 1; good && pty_now_ms() - from < length; step++) {
        good = grow(&grows) && (step % ANEW_STEPS ? grow(&anew) : begin(&anew) && grow(&anew));
        if (step % KEY_STEPS == 0) {
            press(&grows);
            press(&anew);
        }
        for (int64_t until = pty_now_ms() + STEP_MS; pty_now_ms() < until;) {
            pty_take(&grows.pty, STEP_MS / 4);
            pty_take(&anew.pty, STEP_MS / 4);
        }
        pty_forget(&grows.pty);
        pty_forget(&anew.pty);
        good = good && pty_ended(&grows.pty, 0) < 0 && pty_ended(&anew.pty, 0) < 0;
        if (step % SAMPLE_STEPS != 0 && !(first && pty_now_ms() - from > length / 10))
            continue;
        bool now = first && pty_now_ms() - from > length / 10;
        if (now || !first) {
            sample(&grows, now);
            sample(&anew, now);
        }
        first = first && !now;
    }
    check(good, "both went on to the end", "soak");
    if (good) {
        finish(&grows, true);
        finish(&anew, false);
    }
    rmdir(directory);
    printf("%u passed, %u failed\n", passed, failed);
    return failed > 0;
}
