/* command_lines.c - command lines of all modes, views and queries. */
#include "tests/system/command_lines.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define MOST_WORDS 12
/* keys to the timeline as it was at the start, about */
#define AGAIN "<Esc>1<Esc><Esc>:range off<Enter>:only<Enter>&<Enter>g"

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

static void append(char *to, size_t size, const char *text) {
    size_t n = strlen(to);
    if ((size_t)snprintf(to + n, size - n, "%s", text) >= size - n)
        abort();
}

void command_lines(size_t joined, command_lines_each *run, void *user) {
    for (size_t i = 0; i < sizeof modes / sizeof *modes; i++) {
        const char *words[MOST_WORDS] = {"fxtop", "--no-cache"};
        char line[200];
        int n = 2;
        snprintf(line, sizeof line, "%s", modes[i]);
        for (char *word = strtok(line, " "); word; word = strtok(NULL, " "))
            words[n++] = word;
        run(user, modes[i], words, n);
    }
    for (size_t i = 0; i < sizeof views / sizeof *views;) {
        char keys[2000] = "--keys=";
        for (size_t k = 0; k < joined && i < sizeof views / sizeof *views; k++, i++) {
            append(keys, sizeof keys, k > 0 ? AGAIN : "");
            append(keys, sizeof keys, views[i]);
        }
        const char *words[] = {
            "fxtop", "--no-cache", "--no-config", "--no-session", "--print=120x40", keys, "@"};
        run(user, keys, words, 7);
    }
    for (size_t i = 0; i < sizeof queries / sizeof *queries;) {
        char sql[4000] = "";
        for (size_t k = 0; k < joined && i < sizeof queries / sizeof *queries; k++, i++) {
            append(sql, sizeof sql, queries[i]);
            append(sql, sizeof sql, "; ");
        }
        run(user, sql, (const char *[]){"fxtop", "--no-cache", "--query", sql, "@"}, 5);
    }
}

int command_lines_run(const char *const *words, int n, char *trace) {
    char *all[MOST_WORDS + 1] = {NULL};
    for (int i = 0; i < n; i++)
        all[i] = strcmp(words[i], "@") == 0 ? trace : (char *)words[i];
    return fxtop_main(n, all);
}
