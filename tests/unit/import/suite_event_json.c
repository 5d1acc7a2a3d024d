/* suite_event_json.c - importers: each source in tests/import/ becomes the trace of its .ndjson, in
 * pieces of any size. Damaged and hostile sources are read to their end in bounded memory. */
#include "src/import/chrome/event_json.h"

#include <dirent.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

#include "model/output/ndjson.h"
#include "model/trace/trace_problems.h"
#include "src/base/vec.h"
#include "src/import/importers.h"
#include "src/io/foreign/foreign.h"
#include "tests/lib/chance.h"
#include "tests/lib/scratch.h"
#include "tests/unit/lib/libcheck.h"
#include "tests/unit/lib/loaded.h"
#include "tests/unit/lib/must.h"
#include "tests/unit/lib/suites.h"

static const char *const sources[] = {
    "phases.json",       "states.json",        "damaged.json",
    "pytorch.json",      "bazel.json",         "clang.json",
    "chrome.json",       "node.json",          "tsc.json",
    "cmake.json",        "uftrace.json",       "webpack.json",
    "xray.json",         "rust.json",          "ninja.json",
    "edges.json",        "ends.json",          "faults.json",
    "times.json",        "waits.json",         "labels.json",
    "tail.json",         "commas.json",        "unusable.json",
    "unset.json",        "moves.json",         "overlaps.json",
    "nested.json",       "before.json",        "negative.json",
    "colours.json",      "stacks.folded",      "strace.txt",
    "strace_screen.txt", "strace_since.txt",   "ftrace.txt",
    "ftrace_report.txt", "ftrace_waits.txt",   "ftrace_graph.txt",
    "perf.txt",          "perf_untimed.txt",   "otlp.json",
    "otlp_values.json",  "jaeger.json",        "zipkin.json",
    "cpu_profile.json",  "table.csv",          "numbers.csv",
    "grouped.csv",       "semicolons.csv",     "lines.json",
    "exported.csv",      "exported.json",      "small.cpuprofile",
    "old.cpuprofile",    "speedscope.json",    "speedscope_faults.json",
    "firefox.json",      "firefox_48.json",    "firefox_gecko.json",
    "firefox_perf.json", "firefox_faults.json"};
#define SOURCES (int)(sizeof sources / sizeof *sources)

static struct str file_text(const char *name, const char *suffix) {
    char path[700];
    const char *dir = getenv("srcdir");
    snprintf(path, sizeof path, "%s/tests/import/%s%s", dir ? dir : ".", name, suffix);
    FILE *f = fopen(path, "rb");
    ck_assert_msg(f != NULL, "%s", path);
    char *v = malloc(1 << 20);
    size_t n = fread(v, 1, (1 << 20) - 1, f);
    v[n] = '\0';
    fclose(f);
    return (struct str){v, n};
}

static struct trace *opened(struct str source) {
    char path[SCRATCH_PATH];
    struct err err;
    ck_assert(scratch_write(path, "import", source.s, source.n));
    struct trace *trace =
        trace_open(path, &(struct trace_options){.file.importers = importers}, &err);
    ck_assert_msg(trace != NULL, "%s", err.text);
    trace_load(trace);
    unlink(path);
    return trace;
}

static char *exported(struct trace *trace) {
    char *out = NULL;
    size_t n = 0;
    FILE *f = open_memstream(&out, &n);
    ck_assert(export_ndjson(trace, f));
    fclose(f);
    return out;
}

/* The lines after the first, which names the file. */
START_TEST(a_source_becomes_its_trace) {
    struct str source = file_text(sources[_i], ""), want = file_text(sources[_i], ".ndjson");
    struct trace *trace = opened(source);
    char *got = exported(trace);
    const char *a = strchr(got, '\n'), *b = want.s;
    for (int line = 1; *a != '\0' && *b != '\0'; line++) {
        size_t n = strcspn(++a, "\n"), m = strcspn(b, "\n");
        ck_assert_msg(n == m && memcmp(a, b, n) == 0, "%s, line %d:\nwant %.*s\ngot  %.*s",
                      sources[_i], line, (int)m, b, (int)n, a);
        a += n;
        b += m + 1;
    }
    ck_assert(*b == '\0' && a[1] == '\0');
    free(got);
    free((char *)source.s);
    free((char *)want.s);
    trace_free(trace);
}
END_TEST

/* A fault of an event is at the time of that; a fault of syntax may have no time. */
START_TEST(faults_are_at_the_time_of_their_event) {
    struct str source = file_text("commas.json", "");
    struct trace *trace = opened(source);
    const struct problem *p = trace_problems(trace)->kinds;
    ck_assert_uint_eq(problem_case_count(&p[PROBLEM_SOURCE_SYNTAX]), 4);
    ck_assert(problem_case(&p[PROBLEM_SOURCE_SYNTAX], 0)->time == PROBLEM_NO_TIME);
    ck_assert_int_eq(problem_case(&p[PROBLEM_SOURCE_BAD_FIELD], 0)->time, 8000);
    ck_assert_int_eq(problem_case(&p[PROBLEM_DAMAGED_TIME], 0)->time, 7000);
    free((char *)source.s);
    trace_free(trace);
}
END_TEST

/* ---- pieces ---- */

struct words {
    VEC(char) v;
    VEC(struct import_mark) marks;
    size_t cases;
    VEC(char) whys; /* what the cases say */
};

static void add_news(struct words *all, const struct import_news *news) {
    MUST(news->words.n % 8 == 0);
    vec_reserve(&all->v, all->v.n + news->words.n + 1);
    if (news->words.n > 0)
        memcpy(all->v.v + all->v.n, news->words.s, news->words.n);
    all->v.n += news->words.n;
    for (size_t i = 0; i < news->nmarks; i++)
        vec_push(&all->marks, news->marks[i]);
    all->cases += news->ncases;
    for (size_t i = 0; i < news->ncases; i++) {
        for (const char *c = news->cases[i].why; c && *c != '\0'; c++)
            vec_push(&all->whys, *c);
        free(news->cases[i].why);
    }
}

static struct words converted(const struct importer *importer, struct str source, size_t most,
                              struct chance *chance) {
    struct words all = {0};
    void *import = importer->start();
    for (size_t at = 0, n; at <= source.n; at += n) {
        n = chance ? 1 + (size_t)below(chance, most) : source.n + 1;
        size_t part = n < source.n - at ? n : source.n - at;
        bool last = at + n > source.n;
        struct import_news news;
        importer->step(import, (struct str){source.s + at, part}, last, &news);
        if (news.reader) { /* it goes on with the source */
            void *before = import;
            const struct importer *first = importer;
            importer = news.reader;
            import = importer->start();
            importer->step(import, news.source, last, &news);
            first->stop(before);
        }
        add_news(&all, &news);
        while (news.more) {
            importer->step(import, STR(""), last, &news);
            add_news(&all, &news);
        }
    }
    importer->stop(import);
    return all;
}

static void words_free(struct words *w) {
    vec_free(&w->v);
    vec_free(&w->marks);
    vec_free(&w->whys);
}

static void same_in_pieces(const struct importer *importer, struct str source, size_t most,
                           struct chance *chance) {
    struct words whole = converted(importer, source, 0, NULL),
                 cut = converted(importer, source, most, chance);
    MUST(whole.v.n == cut.v.n && memcmp(whole.v.v, cut.v.v, cut.v.n) == 0);
    MUST(whole.cases == cut.cases && whole.marks.n == cut.marks.n);
    MUST(whole.whys.n == cut.whys.n &&
         (cut.whys.n == 0 || memcmp(whole.whys.v, cut.whys.v, cut.whys.n) == 0));
    for (size_t i = 0; i < whole.marks.n; i++) {
        MUST(memcmp(&whole.marks.v[i], &cut.marks.v[i], sizeof cut.marks.v[i]) == 0);
        MUST(i == 0 || whole.marks.v[i].words >= whole.marks.v[i - 1].words);
        MUST(whole.marks.v[i].source.byte < source.n);
    }
    words_free(&whole);
    words_free(&cut);
}

static const struct importer *importer_of(struct str source) {
    for (size_t i = 0; importers[i]; i++)
        if (importers[i]->sniff(source, true) == IMPORT_YES)
            return importers[i];
    return NULL;
}

START_TEST(pieces_do_not_matter) {
    struct str source = file_text(sources[_i], "");
    struct chance chance = {(uint64_t)_i + 5};
    for (int set = 0; set < 30; set++)
        same_in_pieces(importer_of(source), source, 1 + (size_t)below(&chance, 100), &chance);
    free((char *)source.s);
}
END_TEST

/* Damaged in random places: still the same in pieces, and a trace that can be opened. */
/* A source that has lost all of its events is refused. */
static void read_or_refused(struct str source) {
    char path[SCRATCH_PATH];
    struct err err = {.text = ""};
    ck_assert(scratch_write(path, "import", source.s, source.n));
    struct trace *trace =
        trace_open(path, &(struct trace_options){.file.importers = importers}, &err);
    ck_assert_msg(trace || strstr(err.text, "JSON") || strstr(err.text, "not ") ||
                      strstr(err.text, "without times"),
                  "%s", err.text);
    if (trace) {
        trace_load(trace);
        trace_free(trace);
    }
    unlink(path);
}

/* Arguments with a fault: bytes and words that are no values, too few or too many quotes, brackets,
 * colons and commas. */
static const char *const faulty[] = {"\"b\":#",
                                     "\"b\":#\"x\"",
                                     "\"b\":#{\"x\":[{\"y\":1}]}",
                                     "\"b\":<a {b}>",
                                     "\"b\":",
                                     "\"b\":\"x\"y\"",
                                     "\"b\":x\"y\"",
                                     "\"b\":\"a\"+\"b\"",
                                     "\"b\":1 2",
                                     "\"b\":1 \"b\"",
                                     "\"b\":{",
                                     "\"b\":}",
                                     "\"b\":[1 2",
                                     "\"b\":[1,2}",
                                     "\"b\":[1]]",
                                     "\"b\":{\"x\":1]",
                                     "\"b\":{\"x\":\"a\"b\"}",
                                     "\"b\":{\"x\":1}{\"y\":2}",
                                     "\"b\":[#]",
                                     "\"b\"",
                                     "\"b\"{}",
                                     "\"b\"=\"2\"",
                                     "\"\"b\":2",
                                     "\"b\" \"d\":2",
                                     "b \"d\" e",
                                     "{\"x\":1}",
                                     "[1]",
                                     "(b:2)",
                                     "\"b\":\"x\":2"};
#define FAULTY (sizeof faulty / sizeof *faulty)

static bool has_slice(const char *lines, const char *name, size_t i, const char *args) {
    char text[100];
    snprintf(text, sizeof text, "\"name\":\"%s %zu\",\"ts\":%zu,\"dur\":1000,\"depth\":0%s", name,
             i, i * 4000 + 2000, args);
    return strstr(lines, text) != NULL;
}

/* It loses that argument, not the event, nor the next one. */
START_TEST(a_fault_in_arguments_loses_no_event) {
    const char *before = _i & 1 ? "\"a\":1," : "", *after = _i & 2 ? ",\"c\":3" : "",
               *end = _i & 4 ? ",\n" : ",";
    bool array = _i < 8;
    if (!array) /* events one after the other */
        end = "\n";
    char *text = NULL, *lines;
    size_t n;
    FILE *f = open_memstream(&text, &n);
    fprintf(f, "%s{\"ph\":\"i\",\"ts\":0}", array ? "[" : "");
    for (size_t i = 0; i < FAULTY; i++) {
        fprintf(f, "%s{\"ph\":\"X\",\"name\":\"it %zu\",\"pid\":1,\"tid\":1,\"ts\":%zu,\"dur\":1,",
                end, i, i * 4 + 2);
        fprintf(f, "\"args\":{%s%s%s}}", before, faulty[i], after);
        fprintf(f,
                "%s{\"ph\":\"X\",\"name\":\"next %zu\",\"pid\":1,\"tid\":2,\"ts\":%zu,\"dur\":1}",
                end, i, i * 4 + 2);
    }
    fprintf(f, "%s", array ? "]" : "\n");
    fclose(f);
    struct trace *trace = opened((struct str){text, n});
    lines = exported(trace);
    for (size_t i = 0; i < FAULTY; i++)
        ck_assert_msg(has_slice(lines, "it", i, "") && has_slice(lines, "next", i, ""), "%s",
                      faulty[i]);
    ck_assert(!(_i & 1) || has_slice(lines, "it", 0, ",\"args\":[{\"name\":\"a\""));
    ck_assert(!(_i & 2) || has_slice(lines, "it", 0, ",\"args\":[{\"name\":\"c\"") || _i & 1);
    ck_assert_uint_ge(trace_problems(trace)->kinds[PROBLEM_SOURCE_SYNTAX].count, FAULTY);
    same_in_pieces(&event_json, (struct str){text, n}, 40, &(struct chance){(uint64_t)_i + 1});
    free(lines);
    free(text);
    trace_free(trace);
}
END_TEST

/* Zeros from within a text to within a later one take all between away: text is well formed. */
START_TEST(zeros_within_a_text_are_a_problem) {
    static const struct {
        const char *format, *from, *to;
    } cases[] = {
        {"[{\"ph\":\"X\",\"name\":\"first\",\"pid\":1,\"tid\":1,\"ts\":1,\"dur\":1},\n"
         "{\"ph\":\"X\",\"name\":\"second\",\"pid\":1,\"tid\":1,\"ts\":3,\"dur\":1},\n"
         "{\"ph\":\"X\",\"name\":\"third\",\"pid\":1,\"tid\":1,\"ts\":5,\"dur\":1}]",
         "rst", "rd"},
        {"[{\"ph\":\"X\",\"name\":\"first\",\"pid\":1,\"tid\":1,\"ts\":1,\"dur\":1},\n"
         "{\"ph\":\"X\",\"name\":\"second\",\"ts\":3,\"pid\":1,\"tid\":1,\"dur\":1},\n"
         "{\"ph\":\"X\",\"pid\":1,\"name\":\"third\",\"tid\":1,\"ts\":5,\"dur\":1}]",
         "s\":3", "id\":1,\"name\":\"third"},
        {"{\"nodes\":[{\"id\":1,\"callFrame\":{\"functionName\":\"first\"},\"children\":[2]},"
         "{\"id\":2,\"callFrame\":{\"functionName\":\"second\"}},"
         "{\"id\":3,\"callFrame\":{\"functionName\":\"third\"}}],"
         "\"startTime\":0,\"endTime\":9,\"samples\":[1,3],\"timeDeltas\":[1,2]}",
         "rst", "rd"},
    };
    char source[1000];
    size_t n = (size_t)snprintf(source, sizeof source, "%s", cases[_i].format);
    char *from = strstr(source, cases[_i].from), *to = strstr(source, cases[_i].to);
    memset(from, 0, (size_t)(to - from));
    struct trace *trace = opened((struct str){source, n});
    struct problem of = trace_problems(trace)->kinds[PROBLEM_SOURCE_SYNTAX];
    char buf[TRACE_PROBLEM_TEXT];
    ck_assert_uint_eq(of.count, 1);
    ck_assert_ptr_nonnull(strstr(trace_problem_message(trace, PROBLEM_SOURCE_SYNTAX, &of, buf),
                                 "a zero byte within a text"));
    same_in_pieces(importer_of((struct str){source, n}), (struct str){source, n}, 40,
                   &(struct chance){(uint64_t)_i + 1});
    trace_free(trace);
}
END_TEST

/* A value that begins as a number and is none is kept as text, and it is a problem. */
START_TEST(what_is_no_number_is_named) {
    static const struct {
        const char *value;
        bool wrong;
    } values[] = {{"1.2.3", true},    {"1e", true},  {"1-2", true}, {"7", false},
                  {"-0.5e-3", false}, {"01", false}, {"5.", false}, {"1e999", false},
                  {"NaN", false},     {"1,5", false}};
    for (size_t i = 0; i < sizeof values / sizeof *values; i++) {
        char text[200], expected[60];
        int n = snprintf(text, sizeof text,
                         "[{\"ph\":\"i\",\"ts\":0,\"name\":\"a\",\"args\":{\"v\":%s}}]",
                         values[i].value);
        struct trace *trace = opened((struct str){text, (size_t)n});
        char *lines = exported(trace);
        snprintf(expected, sizeof expected, "\"type\":\"string\",\"value\":\"%s\"",
                 values[i].value);
        ck_assert_msg((strstr(lines, expected) != NULL) == values[i].wrong, "%s", text);
        const struct problem *problem = &trace_problems(trace)->kinds[PROBLEM_SOURCE_BAD_FIELD];
        ck_assert_msg((problem->count == 1) == values[i].wrong, "%s", text);
        free(lines);
        trace_free(trace);
    }
}
END_TEST

/* Fields of an event that come after its "args" outlive any one faulty byte in there. */
START_TEST(a_fault_in_arguments_loses_no_fields_after_them) {
    static const char args[] = "{\"a\":1,\"b\":\"text\",\"c\":{\"x\":[1,2]},\"d\":true}",
                      letters[] = "\"[]:\\x#5 ";
    const char *between = _i & 1 ? ",\n  " : ",";
    char *text = NULL, *lines;
    size_t n, count = 0;
    FILE *f = open_memstream(&text, &n);
    fprintf(f, "[{\"ph\":\"i\",\"ts\":0}");
    for (size_t at = 1; at < sizeof args - 1; at++) {
        for (size_t k = 0; k < sizeof letters - 1; k++, count++) {
            fprintf(f, ",\n{%s%s\"args\":%.*s%c%s%s", _i & 2 ? "\"ph\":\"X\"" : "",
                    _i & 2 ? between : "", (int)at, args, letters[k], args + at + 1, between);
            fprintf(f, "\"pid\":1,\"tid\":1%s\"ts\":%zu%s\"dur\":1,\"name\":\"it %zu\"%s}", between,
                    count * 4 + 2, between, count, _i & 2 ? "" : ",\"ph\":\"X\"");
            fprintf(
                f,
                ",\n{\"ph\":\"X\",\"name\":\"next %zu\",\"pid\":1,\"tid\":2,\"ts\":%zu,\"dur\":1}",
                count, count * 4 + 2);
        }
    }
    fprintf(f, "]");
    fclose(f);
    struct trace *trace = opened((struct str){text, n});
    lines = exported(trace);
    for (size_t i = 0; i < count; i++)
        ck_assert_msg(has_slice(lines, "it", i, "") && has_slice(lines, "next", i, ""), "%zu: %c",
                      1 + i / (sizeof letters - 1), letters[i % (sizeof letters - 1)]);
    size_t slices = 0;
    for (const char *at = lines; (at = strstr(at, "\"type\":\"slice\"")); at++)
        slices++;
    ck_assert_uint_eq(slices, 2 * count);
    same_in_pieces(&event_json, (struct str){text, n}, 40, &(struct chance){(uint64_t)_i + 1});
    free(lines);
    free(text);
    trace_free(trace);
}
END_TEST

START_TEST(damage_is_bounded) {
    static const char letters[] = "{}[]\",:\\ \n0-eu\x80";
    struct chance chance = {(uint64_t)_i + 9};
    for (int set = 0; set < 40; set++) {
        struct str source = file_text(sources[_i], "");
        char *v = (char *)source.s;
        for (uint64_t n = 1 + below(&chance, 6); n > 0; n--)
            v[below(&chance, source.n)] = letters[below(&chance, sizeof letters - 1)];
        const struct importer *importer = importer_of(source);
        if (importer) {
            same_in_pieces(importer, source, 1 + (size_t)below(&chance, 300), &chance);
            read_or_refused(source);
        }
        free(v);
    }
}
END_TEST

/* ---- hostile sources ---- */

static struct str repeated(const char *head, const char *part, size_t times, const char *tail) {
    size_t h = strlen(head), p = strlen(part), t = strlen(tail);
    char *v = malloc(h + p * times + t + 1), *to = v;
    memcpy(to, head, h);
    for (size_t i = 0; i < times; i++)
        memcpy(to + h + i * p, part, p);
    memcpy(to + h + p * times, tail, t + 1);
    return (struct str){v, h + p * times + t};
}

/* The event after the bomb is read; contents that FXT cannot hold are a problem. */
START_TEST(bombs_are_skipped_and_counted) {
    static const struct {
        const char *head, *part;
        size_t times;
        const char *tail;
        enum import_fault fault; /* IMPORT_FAULTS: none */
    } bombs[] = {
        {"[{\"ph\":\"X\",\"ts\":1,\"dur\":1,\"args\":{\"a\":", "[", 300000, "\n", IMPORT_SYNTAX},
        {"[ {\"ph\":\"X\",\"ts\":1,\"dur\":1,\"args\":{\"a\":", "[", 300000, "\n",
         IMPORT_TRUNCATED},
        {"[{\"ph\":\"X\",\"ts\":1,\"dur\":1,\"args\":{\"a\":", "[{\"b\":", 100000,
         ",{\"ph\":\"i\"}", IMPORT_SYNTAX},
        {"[{\"ph\":\"X\",\"ts\":1,\"dur\":1,\"name\":\"", "0123456789", 100000, "\"},", IMPORT_CUT},
        {"[{\"ph\":\"X\",\"ts\":1,\"dur\":1,\"args\":{\"", "0123456789", 100000, "\":1}},",
         IMPORT_CUT},
        {"[{\"ph\":\"X\",\"ts\":1,\"dur\":1,\"args\":{", "\"k\":\"0123456789\",", 100000,
         "\"z\":1}},", IMPORT_CUT},
        {"[{\"ph\":\"X\",\"dur\":1,\"ts\":", "9", 100000, "},", IMPORT_SYNTAX},
        {"[", "{\"x\":1},", 100000, "", IMPORT_FIELD},
        {"[,,", "{},", 100000, "", IMPORT_FAULTS},
        {"[{\"ph\":\"X\",\"ts\":1,\"dur\":1,\"ts\":2,", "\"name\":\"n\",", 150000, "\"pid\":1},",
         IMPORT_CUT},
        {"{", "\"key\":[1,{\"a\":\"b\"}],", 50000, "\"traceEvents\":[", IMPORT_CUT},
        {"[{\"ph\":\"X\",\"ts\":1,\"dur\":1,\"name\":\"", "\\ud800", 9000, "\"},", IMPORT_FAULTS},
    };
    struct str source = repeated(bombs[_i].head, bombs[_i].part, bombs[_i].times, bombs[_i].tail);
    struct str all = repeated(
        source.s, "\n,{\"ph\":\"X\",\"name\":\"last\",\"ts\":7,\"dur\":1,\"pid\":1,\"tid\":1}", 1,
        "]");
    struct words words = converted(&event_json, all, 0, NULL);
    ck_assert_uint_lt(words.v.n, 2 * all.n + 4096);
    words_free(&words);
    struct trace *trace = opened(all);
    const struct problems *problems = trace_problems(trace);
    if (bombs[_i].fault != IMPORT_FAULTS)
        ck_assert_uint_ge(problems->kinds[PROBLEM_SOURCE_SYNTAX + (int)bombs[_i].fault].count, 1);
    else
        ck_assert_uint_eq(trace_problem_count(trace, false), 0);
    char *got = exported(trace);
    ck_assert(bombs[_i].fault == IMPORT_TRUNCATED || strstr(got, "\"name\":\"last\"") != NULL);
    free(got);
    trace_free(trace);
    free((char *)source.s);
    free((char *)all.s);
}
END_TEST

/* A stack of 30 kB in each of 2,000 events. */
/* Nothing of it is looked at again and again: that would take minutes. */
START_TEST(garbage_between_events_is_read_once) {
    static const char *const heads[] = {"[#", "[{\"args\":{\"a\":#", "{\"args\":{#"};
    static const char *const tails[] = {"{ ", "x", "\n{,", "\"\"{"};
    enum { COMMAS = 30000, TIMES = 60 };
    const char *head = heads[_i % 3], *tail = tails[_i / 3];
    struct str run = repeated("", ",", COMMAS, tail),
               all = repeated(head, run.s, TIMES, "\n,{\"ph\":\"i\",\"ts\":1}]");
    struct words words = converted(&event_json, all, 0, NULL);
    ck_assert_uint_ge(words.cases, 1);
    words_free(&words);
    free((char *)run.s);
    free((char *)all.s);
}
END_TEST

/* More than the text of an argument holds, and than can be read again. */
START_TEST(a_part_of_a_profile_may_be_long) {
    enum { NODES = 2000, SAMPLES = 20000 };
    char *text = NULL;
    size_t n, samples = 0;
    FILE *f = open_memstream(&text, &n);
    fprintf(f, "[{\"args\":{\"data\":{\"cpuProfile\":{\"nodes\":[{\"id\":1,\"callFrame\":{"
               "\"functionName\":\"(root)\"}}");
    for (int i = 2; i <= NODES; i++)
        fprintf(f, ",{\"id\":%d,\"parent\":%d,\"callFrame\":{\"functionName\":\"f%d\"}}", i, i / 2,
                i);
    fprintf(f, "],\"samples\":[");
    for (int i = 0; i < SAMPLES; i++)
        fprintf(f, "%s%d", i > 0 ? "," : "", i % NODES + 1);
    fprintf(f, "]},\"timeDeltas\":[1");
    for (int i = 1; i < SAMPLES; i++)
        fprintf(f, ",%d", i % 7);
    fprintf(f, "]},\"x\":1},\"name\":\"ProfileChunk\",\"ph\":\"P\",\"pid\":1,\"tid\":1,\"ts\":5,"
               "\"id\":\"0x1\"}]");
    fclose(f);
    struct trace *trace = opened((struct str){text, n});
    char *lines = exported(trace);
    for (const char *at = lines; (at = strstr(at, "\"name\":\"sample\"")); at++)
        samples++;
    ck_assert_uint_eq(samples, SAMPLES);
    ck_assert_uint_eq(trace_problem_count(trace, false), 0);
    same_in_pieces(&event_json, (struct str){text, n}, 4000, &(struct chance){5});
    free(lines);
    free(text);
    trace_free(trace);
}
END_TEST

START_TEST(stacks_are_bounded) {
    VEC(char) v = {0};
    char part[200];
    for (int i = 0; i < 2256; i++) {
        static char name[121];
        memset(name, 'x', 120);
        int n = i == 0
                    ? snprintf(part, sizeof part, "{\"stackFrames\":{\"0\":{\"name\":\"%s\"}", name)
                : i < 256 ? snprintf(part, sizeof part, ",\"%d\":{\"name\":\"%s\",\"parent\":%d}",
                                     i, name, i - 1)
                          : snprintf(part, sizeof part, "%s{\"ph\":\"i\",\"ts\":%d,\"sf\":255}\n",
                                     i == 256 ? "},\"traceEvents\":[" : ",", i);
        vec_reserve(&v, v.n + (size_t)n);
        memcpy(v.v + v.n, part, (size_t)n);
        v.n += (size_t)n;
    }
    struct words words = converted(&event_json, (struct str){v.v, v.n}, 0, NULL);
    ck_assert_uint_lt(words.v.n, 2000 * 8400);
    words_free(&words);
    vec_free(&v);
}
END_TEST

/* 40,000 names are more than a table of FXT holds: the rest is inline, and all are there. */
START_TEST(names_beyond_the_table_are_inline) {
    VEC(char) v = {0};
    for (int i = 0; i < 40000; i++) {
        char event[100];
        int n = snprintf(event, sizeof event,
                         "%c{\"ph\":\"X\",\"name\":\"name %d\",\"ts\":%d,\"dur\":1}\n",
                         i ? ',' : '[', i, i);
        vec_reserve(&v, v.n + (size_t)n);
        memcpy(v.v + v.n, event, (size_t)n);
        v.n += (size_t)n;
    }
    struct trace *trace = opened((struct str){v.v, v.n});
    char *got = exported(trace), *rest = NULL;
    int found = 0;
    for (const char *line = strtok_r(got, "\n", &rest); line; line = strtok_r(NULL, "\n", &rest)) {
        const char *at = strstr(line, "\"name\":\"name ");
        if (at)
            ck_assert_int_eq(strtol(at + 13, NULL, 10), found++);
    }
    ck_assert_int_eq(found, 40000);
    free(got);
    vec_free(&v);
    trace_free(trace);
}
END_TEST

START_TEST(other_files_are_left_alone) {
    static const struct str no[] = {STR("\x10\x00\x04\x46\x78\x54\x16\x00"),
                                    STR("[1,2]"),
                                    STR("{a:1}"),
                                    STR("[x"),
                                    STR("#!/bin/sh\n"),
                                    STR("a b\n"),
                                    STR(""),
                                    STR("   ")};
    for (size_t i = 0; i < sizeof no / sizeof *no; i++)
        ck_assert_msg(importer_of(no[i]) == NULL, "%s", no[i].s);
    ck_assert(event_json.sniff(STR("[ ,\n{"), false) == IMPORT_YES);
    ck_assert(event_json.sniff(STR("  \n"), false) == IMPORT_MORE &&
              event_json.sniff(STR("[ "), false) == IMPORT_MORE);
}
END_TEST

/* JSON of another use is refused by its name; a list of no events opens. */
static const struct {
    struct str text;
    const char *said; /* NULL: it opens */
} sources_of[] = {
    {STR("{\"nodes\":[{\"id\":1}],\"samples\":[1,2],\"timeDeltas\":[1]}"), NULL},
    {STR("{\"head\":{\"id\":1},\"startTime\":1,\"samples\":[1],\"timestamps\":[1]}"), NULL},
    {STR("{\"resourceSpans\":[{\"resource\":{}}]}"), NULL},
    {STR("{\"resourceSpans\":[{"), NULL},
    {STR("{\"data\":[{\"traceID\":\"1\",\"spans\":[{\"spanID\":\"2\"}]}]}"), NULL},
    {STR("[{\"traceId\":\"1\",\"id\":\"2\"}]"), NULL},
    {STR("[[{\"traceId\":\"1\",\"id\":\"2\"}]]"), NULL},
    {STR("[{\"traceId\":\"1\",\"id\":\"2\",\"binaryAnnotations\":[]}]"),
     "spans of Zipkin v1: its server gives v2 (/api/v2/trace/ID)"},
    {STR("[{\"traceId\":\"1\",\"id\":\"2\",\"annotations\":[{\"endpoint\":{}}]}]"),
     "spans of Zipkin v1: its server gives v2 (/api/v2/trace/ID)"},
    {STR("[{\"traceId\":\"1\",\"id\":\"2\",\"ts\":1,\"name\":\"a\",\"ph\":\"i\"}]"), NULL},
    {STR("{\"$schema\":\"x\",\"profiles\":[],\"shared\":{\"frames\":[]}}"), NULL},
    {STR("{\"meta\":{\"a\":1},\"b\":1,\"c\":2,\"d\":3,\"e\":4,\"f\":5,\"threads\":[]}"), NULL},
    {STR("{\"meta\":{\"preprocessedProfileVersion\":70}"), NULL},
    {STR("{\"shared\":{\"stackTable\":{\"length\":0}}"), NULL},
    {STR("{\"libs\":[],\"threads\":[]}"), NULL},
    {STR("{\"format\":\"x\",\"meta\":{\"version\":2,\"interval\":1},\"profileJSON\":[]}"),
     "a profile of Firefox of 2015 or before: profiler.firefox.com opens it, and saves one of "
     "today"},
    {STR("{\"log\":{\"version\":\"1.2\",\"entries\":[{\"time\":1}]}}"),
     "requests of a browser (HAR): jq -c '.log.entries[]|"
     "{ts:.startedDateTime, dur_ms:.time, name:.request.url}' FILE prints them"},
    {STR("{\"snapshot\":{\"meta\":{\"node_fields\":[\"type\"]}},\"nodes\":[1]}"),
     "a heap snapshot of V8: no times"},
    {STR("{\"head\":{\"callFrame\":{\"x\":1},\"selfSize\":0},\"samples\":[]}"),
     "a heap profile of V8: no times"},
    {STR("{\"constants\":{},\"events\":[{\"time\":\"1\"}]}"),
     "a net log of Chrome: netlog-viewer shows it"},
    {STR("{\"lhr\":{},\"artifacts\":{}}"),
     "a report of Lighthouse: its trace is another file (defaultPass.trace.json)"},
    {STR("{\"userAgent\":\"x\",\"audits\":{}}"),
     "a report of Lighthouse: its trace is another file (defaultPass.trace.json)"},
    {STR("{\"inputs\":{\"a.js\":{\"bytes\":1}},\"outputs\":{}}"),
     "a metafile of a bundler (esbuild, rollup): no times"},
    {STR("{\"context\":{\"date\":\"x\"},\"benchmarks\":[]}"),
     "results of Google Benchmark: a table, no trace"},
    {STR("{\"result\":[{\"url\":\"x\",\"functions\":[]}]}"), "coverage of V8: no times"},
    {STR("{\"coverage\":{}}"), "coverage of V8: no times"},
    {STR("{\"name\":\"x\",\"context\":{\"trace_id\":\"1\"},\"start_time\":\"2\"}\n{\"a\":1}"),
     "spans printed by OpenTelemetry: use the OTLP file exporter"},
    {STR("{\"spans\":[{\"op\":1,\"at\":{\"x\":2}},{\"b\":3}]}"),
     "spans of an unknown kind: keys op, at"},
    {STR("{\"trace\":{\"spans\":[{\"op\":1}]}}"), "spans of an unknown kind: keys op"},
    {STR("{\"displayTimeUnit\":\"ns\"}"), "Chrome JSON without events"},
    {STR("{\"a\":{\"lhr\":1,\"id\":2},\"b\":{\"traceId\":3}}"),
     "JSON, but no trace events: its keys are a, b"},
    {STR("{\"profiles\":[{\"events\":[{\"type\":\"O\",\"at\":0}]}]}"),
     "JSON, but no trace events: its keys are profiles"},
    {STR("{\"traceEvents\":null}"), "JSON, but no trace events: its keys are traceEvents"},
    {STR("{}"), "JSON, but no trace events"},
    {STR("[{\"a\":1,\"b\":{\"c\":2}},{\"d\":3}]"), "JSON, but no trace events: its keys are a, b"},
    {STR("[]"), NULL},
    {STR("{\"traceEvents\":[]}"), NULL},
    {STR("{\"a\":1}\n{\"ph\":\"i\",\"ts\":1}"), NULL},
    {STR("{\"samples\":[{\"ts\":1}]}"), NULL},
};

START_TEST(sources_without_a_place_for_events_are_told) {
    for (size_t i = 0; i < sizeof sources_of / sizeof *sources_of; i++) {
        char path[SCRATCH_PATH];
        struct err err = {.text = ""};
        ck_assert(scratch_write(path, "import", sources_of[i].text.s, sources_of[i].text.n));
        struct trace *trace =
            trace_open(path, &(struct trace_options){.file.importers = importers}, &err);
        ck_assert_msg((trace == NULL) == (sources_of[i].said != NULL), "source %zu", i);
        if (trace == NULL)
            ck_assert_str_eq(err.text, sources_of[i].said);
        else
            trace_free(trace);
        unlink(path);
    }
}
END_TEST

/* One of each kind whose format is certain: it opens, with a note that it is empty. */
static const struct str eventless[] = {
    STR("[]"),
    STR("{\"traceEvents\":[],\"otherData\":{\"a\":1}}"),
    STR("[{\"ph\":\"M\",\"name\":\"process_name\",\"pid\":1,\"args\":{\"name\":\"a\"}}]"),
    STR("{\"nodes\":[{\"id\":1}],\"samples\":[],\"timeDeltas\":[]}"),
    STR("{\"$schema\":\"x\",\"profiles\":[],\"shared\":{\"frames\":[]}}"),
    STR("{\"meta\":{\"preprocessedProfileVersion\":48,\"interval\":1},\"threads\":[]}"),
    STR("{\"resourceSpans\":[]}"),
    STR("{\"data\":[{\"traceID\":\"1\",\"spans\":[]}]}"),
    STR("{\"data\":[],\"total\":0,\"limit\":0,\"offset\":0,\"errors\":null}"),
    STR("ts,name,dur\n"),
    STR("# ========\n# captured on    : Tue Jul 28 2026\n# header version : 1\n#\n"),
    STR("# tracer: nop\n#\n# entries-in-buffer/entries-written: 0/0   #P:4\n"),
    STR("cpus=4\n"),
};

START_TEST(a_source_without_events_says_so_once) {
    char path[SCRATCH_PATH], buf[TRACE_PROBLEM_TEXT];
    struct err err = {.text = ""};
    struct str text = eventless[_i];
    ck_assert(scratch_write(path, "import", text.s, text.n));
    struct trace *trace =
        trace_open(path, &(struct trace_options){.file.importers = importers}, &err);
    ck_assert_msg(trace != NULL, "%s: %s", text.s, err.text);
    trace_load(trace);
    ck_assert_uint_eq(trace_problem_count(trace, true), 1);
    const struct problem *note = &trace_problems(trace)->kinds[PROBLEM_SOURCE_IGNORED];
    ck_assert_uint_eq(note->count, 1);
    ck_assert_ptr_nonnull(
        strstr(trace_problem_message(trace, PROBLEM_SOURCE_IGNORED, note, buf), "no events"));
    trace_free(trace);
    unlink(path);
}
END_TEST

START_TEST(other_formats_are_named) {
    static const char tar[300] = {[257] = 'u', 's', 't', 'a', 'r'};
    static const struct {
        struct str first;
        const char *said; /* begins so; NULL: nothing is said */
    } files[] = {
        {STR("PK\003\004\024\0\0\0"), "a zip archive"},
        {STR("\xfd\x37zXZ\0\0\0"), "compressed with xz"},
        {{tar, sizeof tar}, "a tar archive"},
        {STR("go 1.22 trace\0\0\0rest"), "a Go execution trace"},
        {STR("main;work [0] 12\nmain 5\n"), NULL},
        {STR("\n\nmain;work 12\n"), NULL},
        {STR("PK;work 12\nmain 5\n"), NULL},
        {STR("\x10\0\x04\x46\x78\x54\x16\0PK\003\004"), NULL},
        {STR("[{\"ph\":\"X\"}]"), NULL},
    };
    for (size_t i = 0; i < sizeof files / sizeof *files; i++) {
        const char *said = foreign_may_be(files[i].first) ? foreign_name(files[i].first) : NULL;
        ck_assert_msg((said == NULL) == (files[i].said == NULL), "file %zu: %s", i,
                      said ? said : "nothing");
        ck_assert(said == NULL || strncmp(said, files[i].said, strlen(files[i].said)) == 0);
    }
}
END_TEST

START_TEST(utf16_is_named) {
    static const struct str texts[] = {STR("\xff\xfe[\0{\0"),
                                       STR("\xfe\xff\0{\0\""),
                                       STR("[\0\n\0{\0\"\0n\0a\0m\0e\0"),
                                       STR("\0[\0\n\0{\0\"\0n\0a\0m\0e"),
                                       STR("\xff\xfe[]"),
                                       STR("[\0\0\0")};
    for (size_t i = 0; i < sizeof texts / sizeof *texts; i++) {
        char path[SCRATCH_PATH];
        struct err err;
        ck_assert(scratch_write(path, "import", texts[i].s, texts[i].n));
        ck_assert(trace_open(path, &(struct trace_options){.file.importers = importers}, &err) ==
                  NULL);
        ck_assert_ptr_nonnull(
            strstr(err.text, i < 5 ? "iconv -f UTF-16 -t UTF-8" : "not a trace that fxtop knows"));
        unlink(path);
    }
}
END_TEST

/* The first record of a provider: a blank and a control character, each before a NUL. */
START_TEST(a_trace_without_magic_is_no_utf16) {
    char path[SCRATCH_PATH];
    struct err err;
    ck_assert(scratch_write(path, "import", " \0\x11\0\0\0 \0pv\0\0\0\0\0\0", 16));
    struct trace *trace =
        trace_open(path, &(struct trace_options){.file.importers = importers}, &err);
    ck_assert_msg(trace != NULL, "%s", err.text);
    trace_free(trace);
    unlink(path);
}
END_TEST

SUITE(event_json) {
    Suite *s = suite_create("event_json");
    TCase *c = tcase_create("event_json");
    tcase_set_timeout(c, 120);
    tcase_add_test(c, faults_are_at_the_time_of_their_event);
    tcase_add_loop_test(c, a_source_becomes_its_trace, 0, SOURCES);
    tcase_add_loop_test(c, pieces_do_not_matter, 0, SOURCES);
    tcase_add_loop_test(c, a_fault_in_arguments_loses_no_event, 0, 12);
    tcase_add_loop_test(c, zeros_within_a_text_are_a_problem, 0, 3);
    tcase_add_test(c, what_is_no_number_is_named);
    tcase_add_loop_test(c, a_fault_in_arguments_loses_no_fields_after_them, 0, 4);
    tcase_add_loop_test(c, damage_is_bounded, 0, SOURCES);
    tcase_add_loop_test(c, bombs_are_skipped_and_counted, 0, 12);
    tcase_add_test(c, stacks_are_bounded);
    tcase_add_test(c, a_part_of_a_profile_may_be_long);
    tcase_add_test(c, names_beyond_the_table_are_inline);
    tcase_add_test(c, other_files_are_left_alone);
    tcase_add_test(c, sources_without_a_place_for_events_are_told);
    tcase_add_loop_test(c, a_source_without_events_says_so_once, 0,
                        sizeof eventless / sizeof *eventless);
    tcase_add_test(c, other_formats_are_named);
    tcase_add_test(c, utf16_is_named);
    tcase_add_test(c, a_trace_without_magic_is_no_utf16);
    suite_add_tcase(s, c);
    TCase *brief = tcase_create("brief");
    tcase_set_timeout(brief, 10);
    tcase_add_loop_test(brief, garbage_between_events_is_read_once, 0, 12);
    suite_add_tcase(s, brief);
    return s;
}
