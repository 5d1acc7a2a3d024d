/* suite_collapsed.c - collapsed stacks: each line takes its time, whatever is wrong with others,
 * and what is wrong has its place. */
#include "src/import/profiles/collapsed.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

#include "model/output/folded.h"
#include "model/trace/trace_problems.h"
#include "src/import/importers.h"
#include "tests/lib/chance.h"
#include "tests/lib/scratch.h"
#include "tests/unit/lib/libcheck.h"
#include "tests/unit/lib/must.h"
#include "tests/unit/lib/suites.h"

#define LINES 40
#define PATHS (4 + 16 + 64)

/* Frames of a stack: its number among all of up to three. */
static void write_path(FILE *f, uint64_t path, const char *empty) {
    static const char *const frames[] = {"main", "read it", NULL, "\xc3\xa4"};
    size_t depth = 1;
    for (uint64_t most = 4; path >= most; most *= 4, depth++)
        path -= most;
    for (; depth > 0; depth--, path /= 4)
        fprintf(f, "%s%s", frames[path % 4] ? frames[path % 4] : empty, depth > 1 ? ";" : "");
}

/* Whether the last frame of a path has no name: then it is none. */
static bool is_empty(uint64_t path) {
    uint64_t most = 4;
    for (; path >= most; most *= 4)
        path -= most;
    return path / (most / 4) == 2;
}

/* The time of a path in lines of folded stacks. */
static uint64_t time_of(const char *folded, const char *path) {
    char line[100];
    size_t n = (size_t)snprintf(line, sizeof line, "thread 1;%s ", path);
    for (; folded; folded = strchr(folded, '\n'), folded = folded ? folded + 1 : NULL)
        if (strncmp(folded, line, n) == 0)
            return strtoull(folded + n, NULL, 10);
    return 0;
}

static char *folded_of(struct trace *trace) {
    char *text = NULL;
    size_t n;
    FILE *f = open_memstream(&text, &n);
    ck_assert(folded_export(trace, &(struct range){0}, NULL, FOLDED_BY_DEFAULT, f));
    fclose(f);
    return text;
}

/* A fault, and where its column is; others are blank lines. */
static const struct {
    const char *line;
    uint64_t column;
} faults[] = {{"", 0},
              {" \t", 0},
              {"main", 1},
              {"main;", 1},
              {"a;b -3", 5},
              {"a 2.5", 3},
              {"; 3", 1},
              {" 12", 1},
              {"a 1e3", 3},
              {"a 12 ", 6},
              {"a 0x1f", 3},
              {"a 99999999999999999999", 3},
              {"a 9223372036854775807", 3}};

START_TEST(each_line_takes_its_time) {
    struct chance chance = {(uint64_t)_i + 1};
    const char *newline = _i % 2 ? "\r\n" : "\n";
    uint64_t ns[PATHS] = {0}, columns[LINES] = {0}, wrong = 0;
    char path[SCRATCH_PATH], *text = NULL, buf[TRACE_PROBLEM_TEXT];
    size_t n;
    FILE *f = open_memstream(&text, &n);
    fprintf(f, "%s%smain 7", _i % 3 ? "" : "\xef\xbb\xbf", _i % 5 ? "" : newline);
    ns[0] = 7;
    uint64_t first = _i % 5 ? 1 : 2;
    for (uint64_t line = 1; line < LINES; line++) {
        fprintf(f, "%s", newline);
        uint64_t stack = below(&chance, PATHS), weight = 1 + below(&chance, 100);
        if (below(&chance, 3) == 0) {
            size_t fault = (size_t)below(&chance, sizeof faults / sizeof *faults);
            fprintf(f, "%s", faults[fault].line);
            columns[line] = faults[fault].column;
            wrong += columns[line] > 0;
        } else if (!is_empty(stack)) {
            write_path(f, stack, "");
            fprintf(f, " %" PRIu64, weight);
            ns[stack] += weight;
        }
    }
    fclose(f);
    struct err err;
    ck_assert(scratch_write(path, "collapsed", text, n));
    struct trace *trace =
        trace_open(path, &(struct trace_options){.file.importers = importers}, &err);
    ck_assert_msg(trace != NULL, "%s: %s", err.text, text);
    trace_load(trace);
    char *folded = folded_of(trace);
    for (uint64_t i = 0; i < PATHS; i++) {
        char *name = NULL;
        FILE *out = open_memstream(&name, &n);
        write_path(out, i, "\"\"");
        fclose(out);
        ck_assert_msg(time_of(folded, name) == ns[i], "%s: not %" PRIu64 " of\n%s\n%s", name, ns[i],
                      text, folded);
        free(name);
    }
    const struct problem *said = &trace_problems(trace)->kinds[PROBLEM_SOURCE_SYNTAX];
    ck_assert_uint_eq(problem_case_count(said), wrong);
    ck_assert_uint_eq(trace_problem_count(trace, false), wrong);
    for (size_t i = 0; i < wrong; i++) {
        struct problem alone = problem_alone(problem_case(said, i));
        uint64_t line, column;
        const char *why = trace_problem_message(trace, PROBLEM_SOURCE_SYNTAX, &alone, buf);
        ck_assert(sscanf(why, "line %" SCNu64 ", column %" SCNu64 ": ", &line, &column) == 2);
        ck_assert_msg(line > first && columns[line - first] == column, "%s of\n%s", why, text);
    }
    trace_free(trace);
    unlink(path);
    free(folded);
    free(text);
}
END_TEST

START_TEST(a_frame_that_is_cut_is_said) {
    struct import_news news;
    char *text = malloc(40010);
    memcpy(text, "a 1\nb;", 6);
    memset(text + 6, 'x', 40000);
    memcpy(text + 40006, " 2\n", 3);
    void *import = collapsed.start();
    collapsed.step(import, (struct str){text, 40009}, true, &news);
    ck_assert_uint_eq(news.ncases, 1);
    ck_assert(news.cases[0].fault == IMPORT_CUT);
    ck_assert_str_eq(news.cases[0].why, "line 2, column 3: a name of more than 32000 bytes: cut");
    free(news.cases[0].why);
    collapsed.stop(import);
    free(text);
}
END_TEST

/* Zeros from within a frame to within a later line leave one frame: whole lines are gone. */
START_TEST(a_hole_over_lines_is_said) {
    static const char text[] = "a 1\nf0\0\0\0\0\0\0\0 2\nb\0c 3\n";
    struct import_news news;
    void *import = collapsed.start();
    collapsed.step(import, (struct str){text, sizeof text - 1}, true, &news);
    ck_assert_uint_eq(news.ncases, 1);
    ck_assert(news.cases[0].fault == IMPORT_SYNTAX);
    ck_assert_str_eq(news.cases[0].why,
                     "line 2, column 3: a zero byte within a line: bytes are lost there");
    free(news.cases[0].why);
    collapsed.stop(import);
}
END_TEST

#define DIFFERS                                                                                    \
    "line 1, column 5: two numbers: a differential profile, of which the second ones are read"
#define ONE "line 3, column 5: one number in a differential profile: read as the second one"
#define MIXED                                                                                      \
    "line 2, column 5: two numbers, but not in the first stack: the first one is read as a part "  \
    "of the frame, here and elsewhere"

/* A frame may end with a number, but not all of them do. */
START_TEST(a_differential_profile_has_two_numbers) {
    static const struct {
        const char *text;
        size_t told;
        uint64_t end; /* of the last line, in ns */
        const char *frame;
        const char *whys[2];
    } cases[] = {{"a;b 5 7\na;c 6 0\na;d 4\n", 2, 11, "b", {DIFFERS, ONE}},
                 {"a 5 7\na;b 5 7\n", 1, 14, "b 5", {MIXED}},
                 {"a;b 7\na;b 5 7\na;b 5 7\n", 1, 21, "b 5", {MIXED}},
                 {"a;b 7\na;b 5x 7\nb 5 7\n", 0, 21, "b 5", {NULL}}};
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        struct import_news news;
        void *import = collapsed.start();
        collapsed.step(import, (struct str){cases[i].text, strlen(cases[i].text)}, true, &news);
        ck_assert_uint_eq(news.ncases, cases[i].told);
        for (size_t k = 0; k < news.ncases; k++) {
            bool note = strcmp(news.cases[k].why, DIFFERS) == 0;
            ck_assert(news.cases[k].fault == (note ? IMPORT_IGNORED : IMPORT_FIELD));
            ck_assert_str_eq(news.cases[k].why, cases[i].whys[k]);
            free(news.cases[k].why);
        }
        uint64_t last;
        memcpy(&last, news.words.s + news.words.n - 8, 8);
        ck_assert_uint_eq(last, cases[i].end);
        size_t n = strlen(cases[i].frame);
        char padded[9] = {0};
        memcpy(padded, cases[i].frame, n);
        ck_assert(memmem(news.words.s, news.words.n, padded, 8) != NULL);
        collapsed.stop(import);
    }
}
END_TEST

SUITE(collapsed) {
    Suite *s = suite_create("collapsed");
    TCase *c = tcase_create("collapsed");
    tcase_add_loop_test(c, each_line_takes_its_time, 0, 30);
    tcase_add_test(c, a_frame_that_is_cut_is_said);
    tcase_add_test(c, a_hole_over_lines_is_said);
    tcase_add_test(c, a_differential_profile_has_two_numbers);
    suite_add_tcase(s, c);
    return s;
}
