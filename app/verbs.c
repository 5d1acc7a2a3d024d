/* verbs.c - the verbs: a row maps each to the option of the same name.
 *
 * A verb is the first word of the command line. Its first argument is the value of the option, if
 * that needs one, and the others are files. */
#include "app/verbs.h"

#include <string.h>

#include "app/mode.h"
#include "src/base/units.h"

#define TYPED_MOST 16 /* bytes of a word that may be a mistyped verb */

static const char *const formats[] = {"ndjson", "json", "csv", "folded", "fxt", "sqlite", NULL};
static const char *const names[] = {"top",     "instances", "query", "compare",  "check",  "assert",
                                    "summary", "export",    "cut",   "describe", "record", NULL};

#define OPTIONS(...) ((const char *const[]){__VA_ARGS__, NULL})

static const struct command_line_verb verbs[] = {
    {.name = "top",
     .mode = MODE_TOP,
     .arguments = "FILE...",
     .help = "print the names of slices with their numbers",
     .example = "fxtop top -n 10 --by=self --range=1s..2s trace.fxt",
     .options = OPTIONS("rows", "by", "format", "range", "tracks", "filter", "together",
                        "files-from", "jobs", "output")},
    {.name = "instances",
     .mode = MODE_INSTANCES,
     .arguments = "FILTER FILE...",
     .value = true,
     .help = "print the slices that match, the longest first",
     .example = "fxtop instances 'name=Frame dur>16ms' trace.fxt",
     .options =
         OPTIONS("rows", "format", "range", "tracks", "together", "files-from", "jobs", "output")},
    {.name = "query",
     .mode = MODE_QUERY,
     .arguments = "SQL FILE...",
     .value = true,
     .help = "ask in SQL; @FILE in place of SQL reads it from there",
     .example = "fxtop query 'select name, count(*) from slice group by name' trace.fxt",
     .options = OPTIONS("format", "query-memory", "together", "with-trace", "label", "files-from",
                        "jobs", "output")},
    {.name = "compare",
     .mode = MODE_COMPARE,
     .arguments = "A[,A2..] B[,B2..]",
     .help = "print the names that changed; exit 1 if one is worse",
     .example = "fxtop compare before.fxt after.fxt",
     .options = OPTIONS("threshold", "all", "any", "by", "format", "range", "tracks", "filter",
                        "files-from", "quiet", "output")},
    {.name = "check",
     .mode = MODE_CHECK,
     .arguments = "FILE...",
     .help = "print the problems of a trace; exit 1 if there are any",
     .example = "fxtop check --strict trace.fxt",
     .options = OPTIONS("strict", "format", "files-from", "jobs", "quiet", "output")},
    {.name = "assert",
     .mode = MODE_ASSERT,
     .arguments = "EXPR FILE...",
     .value = true,
     .help = "exit 1 unless it holds; --assert=EXPR adds another",
     .example = "fxtop assert \"dur_p99('Frame') < ms(16.6)\" trace.fxt",
     .options = OPTIONS("assert", "format", "together", "files-from", "jobs", "quiet", "output")},
    {.name = "summary",
     .mode = MODE_SUMMARY,
     .arguments = "FILE...",
     .help = "print a page about the trace",
     .example = "fxtop summary trace.fxt",
     .options = OPTIONS("tree", "range", "tracks", "filter", "files-from", "jobs", "output")},
    {.name = "export",
     .mode = MODE_EXPORT,
     .arguments = "FORMAT FILE...",
     .value = true,
     .first = formats,
     .help = "write a trace as ndjson, json, csv, folded stacks, fxt or sqlite",
     .example = "fxtop export json trace.fxt -o trace.json",
     .options = OPTIONS("output", "range", "tracks", "filter", "keys", "by", "redact", "files-from",
                        "jobs")},
    {.name = "cut",
     .mode = MODE_EXPORT,
     .arguments = "A..B FILE...",
     .value = true,
     .help = "write the part from A to B as a trace",
     .example = "fxtop cut 1.5s..1.6s trace.fxt -o part.fxt",
     .options = OPTIONS("output", "tracks", "filter", "redact", "files-from", "jobs")},
    {.name = "describe",
     .mode = MODE_DESCRIBE,
     .arguments = "[TIME|@OFFSET] FILE...",
     .value = true,
     .optional = true,
     .help = "print the view in sentences, or what is at a time or a byte",
     .example = "fxtop describe 1.5s trace.fxt",
     .options = OPTIONS("describe", "window", "keys", "filter", "tracks", "session", "files-from",
                        "output")},
    {.name = "serve",
     .mode = MODE_SERVE,
     .arguments = "--stdio FILE...",
     .help = "answer programs: JSON-RPC and the Model Context Protocol",
     .example = "fxtop serve --stdio trace.fxt",
     .options = OPTIONS("stdio", "together", "load", "max-inflate", "query-memory")},
    {.name = "record",
     .arguments = "[--] PROGRAM [ARGUMENT]...",
     .help = "record a program into a trace",
     .options = OPTIONS("help")},
    {.name = "help",
     .mode = MODE_HELP,
     .arguments = "[VERB]",
     .first = names,
     .help = "print what a verb does and its options",
     .example = "fxtop help top",
     .options = OPTIONS("help")},
};
#define VERBS (sizeof verbs / sizeof *verbs)

struct command_line_verbs verbs_table(void) {
    return (struct command_line_verbs){verbs, VERBS};
}

const struct command_line_verb *verbs_find(const char *name) {
    for (size_t i = 0; i < VERBS; i++)
        if (strcmp(verbs[i].name, name) == 0)
            return &verbs[i];
    return NULL;
}

/* How many letters are to be added, dropped or changed, or exchanged with the next. */
static int distance(const char *a, const char *b) {
    int d[TYPED_MOST + 1][TYPED_MOST + 1] = {{0}};
    int n = (int)strlen(a), m = (int)strlen(b);
    for (int i = 0; i <= n; i++) {
        for (int k = 0; k <= m; k++) {
            if (i == 0 || k == 0) {
                d[i][k] = i + k;
                continue;
            }
            int best = d[i - 1][k - 1] + (a[i - 1] != b[k - 1]);
            best = d[i - 1][k] + 1 < best ? d[i - 1][k] + 1 : best;
            best = d[i][k - 1] + 1 < best ? d[i][k - 1] + 1 : best;
            if (i > 1 && k > 1 && a[i - 1] == b[k - 2] && a[i - 2] == b[k - 1] &&
                d[i - 2][k - 2] + 1 < best)
                best = d[i - 2][k - 2] + 1;
            d[i][k] = best;
        }
    }
    return d[n][m];
}

const struct command_line_verb *verbs_near(const char *typed) {
    size_t n = strlen(typed);
    const struct command_line_verb *near = NULL;
    int least = n < 5 ? 2 : 3; /* one letter of a short word, two of a long one */
    if (n < 2 || n > TYPED_MOST || strspn(typed, "abcdefghijklmnopqrstuvwxyz") != n)
        return NULL;
    for (size_t i = 0; i < VERBS; i++) {
        int d = distance(typed, verbs[i].name);
        if (d < least) {
            least = d;
            near = &verbs[i];
        }
    }
    return near;
}

/* A time or an offset, as describe takes it; other texts are files. */
static bool is_place(const char *s) {
    int64_t ns;
    size_t n = strlen(s);
    return s[0] == '@' || units_parse(s, n, &ns) || strcmp(s, "start") == 0 ||
           strcmp(s, "end") == 0 || (n > 1 && s[n - 1] == '%');
}

const char *verbs_value(const struct command_line_verb *verb, int words, const char *first) {
    bool takes = verb->value && words > 0;
    if (takes && verb->optional)
        takes = words > 1 && is_place(first);
    return takes ? first : NULL;
}
