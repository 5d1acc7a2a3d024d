/* growth.c - growth NAME TRACE TWICE EIGHT [JOINED]: the program over n, 2n and 8n of something, in
 * all modes and views.
 *
 * The growth from 2n to 8n is compared with that from n to 2n, so that the start is in neither. It
 * is 6 times as much for linear work, about 7 for n log n, and 20 for a square. Tables that double
 * do so now or then. So 10 times is too much, in steps (counted.h) and in memory. Nothing is timed.
 *
 * All runs are in one process, since to begin one takes longer than most of them. JOINED is how many
 * views are opened in one run, one after the other. With GROWTH_SHOW all numbers are printed, with
 * GROWTH_ONLY only the command lines that contain it are run. */
#undef main /* of fxtop it is fxtop_main */
#include <fcntl.h>
#include <signal.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "src/base/hash.h"
#include "tests/system/counted.h"

#define MOST_WORDS 12
#define SIZES 3
/* keys to the timeline as it was at the start, about */
#define AGAIN "<Esc>1<Esc><Esc>:range off<Enter>:only<Enter>&<Enter>g"
#define LIMIT 10
/* n log n, and a cost that doubles once: what grows in jumps is held against all of it, too */
#define FOUR_TIMES 6
#define LEAST_STEPS 100000 /* that 8n takes more than 2n: less is noise */
#define LEAST_BYTES 1000000
#define STEPS_A_BYTE 32 /* that is printed: then the steps may grow with the text */

int fxtop_main(int argc, char **argv);

/* Words are apart by blanks; @ is the trace. */
static const char *const modes[] = {
    "--summary @",
    "--summary --range=10%..90% @",
    "--check @",
    "--records @",
    "--describe @",
    "--describe=50% @",
    "--export=ndjson @",
    "--export=json @",
    "--export=csv @",
    "--export=folded @",
    "--export=fxt @",
    "--export=fxt --redact=all @",
    "--export=ndjson --range=10%..60% @",
    "--export=json --range=10%..60% @",
    "--cut=10%..60% @",
    "--cut=10%..60% --filter=in='a' @",
    "--cut=10%..60% --tracks=1 --redact=all @",
    "--export=fxt --filter=dur>p50 @",
    "--export=ndjson --filter=in='a' @",
    "--export=json --tracks=1 @",
    "--top @",
    "--top --by=cpu --range=10%..60% @",
    "--top --filter=dur>p50 @",
    "--top --format=csv --tracks=1 @",
    "--instances=dur>=0 @",
    "--instances=dur>p50 @",
    "--instances=self>0 @",
    "--instances=in='a' @",
    "--instances=dur>=0 --tracks=1 @",
    "--describe --keys=jl @",
    "--describe --keys=2 @",
    "--describe --keys=3 @",
    "--compare @ @",
    "--compare --all --by=thread @ @",
    "--summary --tree @",
    "--load=10%..60% --top @",
    "--load=10%..60% --export=ndjson @",
    "--together --offset=2=1ms --top @ @",
    "--together --offset=2=1ms --instances=dur>=0 @ @",
};

/* The keys of --print open a view, and then act in it. */
static const char *const views[] = {
    "jl",
    "jlW",
    "jjlll;",
    "jl<Tab>",
    "jl<Tab>l",
    "jl<Tab>ll",
    "jl<Tab>lll",
    "jl<Tab>llll",
    "E",
    "C",
    "G",
    "oj",
    "ooj",
    "oooj",
    "ooooj",
    "t1<Enter>",
    "&1<Enter>",
    "&dur>1<Enter>",
    "/dur>p50<Enter>nN",
    "/1<Enter>n",
    "/dur>1<Enter>z/",
    ":only dur>p50<Enter>j",
    ":only in=a<Enter>j",
    ":only in=a dur>0<Enter>j",
    ":only flow<Enter>j",
    ":only dur>0<Enter>j",
    "jl]",
    "jl[",
    ":flows all<Enter>",
    "b",
    "!",
    "jlr2",
    "%2",
    "2",
    "2<Enter>j",
    "2t",
    "2tt",
    "2ttt",
    "2tttt",
    "2r",
    "2<Tab>j",
    "2<Tab><Tab>j",
    "2<Tab><Tab><Tab>j",
    "2<Tab><Tab><Tab><Tab>j",
    "2<Tab><Tab><Tab><Tab><Tab>j",
    "2<Tab><Tab><Tab><Tab><Tab><Tab>j",
    "2<Tab><Tab><Tab><Tab><Tab><Tab><Tab>j",
    "2w",
    "2&count>0<Enter>",
    "2>I",
    "2x3",
    "3",
    "3i",
    "3r",
    "3W",
    "3&dur>0<Enter>",
    "3/a<Enter>",
    "4",
    "4j<Enter>j",
    "5",
    "5s",
    "5&1<Enter>",
    "6",
    "6<Enter>",
    "6<Enter>L",
    "6<Enter><Tab>",
    "7",
    "7j",
    ":value rate<Enter>7",
    ":stack<Enter>7",
    "8",
    "8j",
    "9",
    "B",
    "jlB",
    "GB",
    ":wakeups<Enter>",
    ":wakeups<Enter><Tab>",
    ":wakeups<Enter><Tab><Tab>",
    ":compare half<Enter>j",
    "jl:compare median<Enter>",
    ":problems<Enter>j",
    ":objects<Enter>j",
    ":blobs<Enter>j",
    ":profile<Enter>j",
    "X",
    "zM",
    "zR",
    "y",
    "Y",
    "P1<Enter>",
};

static const char *const queries[] = {
    "select name, count(*), sum(dur), max(depth) from slice group by name order by 2 desc limit 5",
    "select s.name, p.name from slice s join slice p on p.id = s.parent_id where s.dur >= 0 order "
    "by s.ts, s.id limit 9",
    "select count(*), sum(t.utid) from slice s join thread_track k on s.track_id = k.id join "
    "thread t using (utid)",
    "select sum(dur), count(*), max(utid) from thread_state",
    "select count(*), sum(dur) from sched s join thread using (utid)",
    "select count(*), sum(value) from counter c join counter_track t on c.track_id = t.id",
    "select count(*), max(s.id) from flow f join slice s on f.slice_out = s.id",
    "select count(*), max(string_value) from args",
    "select count(*), sum(dur) from gap",
    "select name, total, p99 from slice_name order by 2 desc limit 3",
    "select count(*), max(msg) from log",
    "select sum(dur_count(s.name, t.name)), max(dur_p50(s.name, t.name)) from slice s join "
    "thread_track k on s.track_id = k.id join thread t using (utid)",
    "select sum(slice_is_ancestor(0, id)), sum(slice_is_ancestor(id, 0)) from slice",
    "select count((select t.id from slice t where t.ts < s.ts order by t.ts desc limit 1)) from "
    "slice s",
    "create view every as select ts, dur, track_id t, name from slice; create view few as select "
    "ts, dur, track_id t, name few from slice where id < 9; create view some as select ts, dur, "
    "few from few; create virtual table met using span_outer_join(every partitioned t, few "
    "partitioned t); select count(*), sum(dur), max(name) from met; create virtual table mixed "
    "using span_left_join(some, every partitioned t); select count(*), sum(dur) from mixed",
};

static FILE *say;      /* standard output of the test: that of the program is `out` */
static int out = -1;   /* what the program prints: a file without a name */
static char now[4200]; /* what runs */
static unsigned passed, failed;

static void fall(int number) {
    dprintf(fileno(say), "FAILED: %s: signal %d\n%u passed, %u failed\n", now, number, passed,
            failed + 1);
    _exit(1);
}

static const int deadly[] = {SIGSEGV, SIGBUS, SIGABRT, SIGFPE, SIGILL};

struct cost {
    uint64_t steps, bytes, printed;
};

static struct cost run(char **words, int n) {
    off_t before = lseek(out, 0, SEEK_END);
    int64_t bytes = counted_most = counted_bytes;
    counted_steps = 0;
    fxtop_main(n, words);
    fflush(stdout);
    return (struct cost){counted_steps, (uint64_t)(counted_most - bytes),
                         (uint64_t)(lseek(out, 0, SEEK_END) - before)};
}

static bool grows(const uint64_t v[SIZES], uint64_t least) {
    uint64_t first = v[1] > v[0] ? v[1] - v[0] : 0, more = v[2] > v[1] ? v[2] - v[1] : 0;
    return more > LIMIT * first + least && v[2] > FOUR_TIMES * v[1];
}

static void hold(const char *name, char *traces[SIZES], const char *what, const char *const *words,
                 int n) {
    uint64_t steps[SIZES], bytes[SIZES], printed[SIZES];
    const char *only = getenv("GROWTH_ONLY");
    if (only && strstr(what, only) == NULL)
        return;
    snprintf(now, sizeof now, "%s: %s", name, what);
    if (ftruncate(out, 0) != 0)
        abort();
    for (int k = 0; k < SIZES; k++) {
        char *all[MOST_WORDS + 1] = {NULL};
        for (int i = 0; i < n; i++)
            all[i] = strcmp(words[i], "@") == 0 ? traces[k] : (char *)words[i];
        struct cost cost = run(all, n);
        steps[k] = cost.steps;
        bytes[k] = cost.bytes;
        printed[k] = cost.printed;
    }
    /* paths with all frames */
    bool square = grows(printed, 0) && steps[SIZES - 1] < STEPS_A_BYTE * printed[SIZES - 1];
    bool slow = grows(steps, LEAST_STEPS) && !square, large = grows(bytes, LEAST_BYTES);
    passed += !slow && !large;
    failed += slow || large;
    if (slow || large || getenv("GROWTH_SHOW"))
        fprintf(say, "%s: %s: %s: %llu, %llu, %llu steps, %llu, %llu, %llu bytes\n",
                slow || large ? "FAILED" : "fine", name, what, (unsigned long long)steps[0],
                (unsigned long long)steps[1], (unsigned long long)steps[2],
                (unsigned long long)bytes[0], (unsigned long long)bytes[1],
                (unsigned long long)bytes[2]);
}

static void append(char *to, size_t size, const char *text) {
    size_t n = strlen(to);
    if ((size_t)snprintf(to + n, size - n, "%s", text) >= size - n)
        abort();
}

/* The program reads nothing, and what it prints is counted. */
static void redirect(void) {
    int null = open("/dev/null", O_RDWR | O_CLOEXEC);
    say = fdopen(dup(STDOUT_FILENO), "w");
    out = fileno(tmpfile());
    if (null < 0 || say == NULL || dup2(null, STDIN_FILENO) < 0 || dup2(out, STDOUT_FILENO) < 0 ||
        dup2(null, STDERR_FILENO) < 0)
        abort();
    setvbuf(say, NULL, _IOLBF, 0);
    for (size_t i = 0; i < sizeof deadly / sizeof *deadly; i++)
        signal(deadly[i], fall);
}

int main(int argc, char **argv) {
    static const uint64_t secret[4] = {UINT64_C(0x243f6a8885a308d3), UINT64_C(0x13198a2e03707344),
                                       UINT64_C(0xa4093822299f31d0), UINT64_C(0x082efa98ec4e6c89)};
    if ((argc != 2 + SIZES && argc != 3 + SIZES) || !hash_share_secret(secret)) {
        fputs("usage: growth NAME TRACE TWICE EIGHT [JOINED]\n", stderr);
        return 2;
    }
    size_t joined = argc > 2 + SIZES ? strtoul(argv[2 + SIZES], NULL, 10) : 1;
    redirect();
    for (size_t i = 0; i < sizeof modes / sizeof *modes; i++) {
        const char *words[MOST_WORDS] = {"fxtop", "--no-cache"};
        char line[200];
        int n = 2;
        snprintf(line, sizeof line, "%s", modes[i]);
        for (char *word = strtok(line, " "); word; word = strtok(NULL, " "))
            words[n++] = word;
        hold(argv[1], argv + 2, modes[i], words, n);
    }
    for (size_t i = 0; i < sizeof views / sizeof *views;) {
        char keys[2000] = "--keys=";
        for (size_t k = 0; k < joined && i < sizeof views / sizeof *views; k++, i++) {
            append(keys, sizeof keys, k > 0 ? AGAIN : "");
            append(keys, sizeof keys, views[i]);
        }
        const char *words[] = {
            "fxtop", "--no-cache", "--no-config", "--no-session", "--print=120x40", keys, "@"};
        hold(argv[1], argv + 2, keys, words, 7);
    }
    for (size_t i = 0; i < sizeof queries / sizeof *queries;) {
        char sql[4000] = "";
        for (size_t k = 0; k < joined && i < sizeof queries / sizeof *queries; k++, i++) {
            append(sql, sizeof sql, queries[i]);
            append(sql, sizeof sql, "; ");
        }
        hold(argv[1], argv + 2, sql, (const char *[]){"fxtop", "--no-cache", "--query", sql, "@"},
             5);
    }
    fprintf(say, "%u passed, %u failed\n", passed, failed);
    return failed > 0;
}
