/* suite_perf.c - the output of perf script: each sample is there once with its stack, for any
 * names of threads and symbols, in any form of its lines. */
#include <check.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

#include "model/output/ndjson.h"
#include "model/trace/trace_problems.h"
#include "src/import/importers.h"
#include "src/import/kernel/perf.h"
#include "tests/lib/chance.h"
#include "tests/lib/scratch.h"
#include "tests/unit/lib/suites.h"

#define SAMPLES 300
#define DEPTH 4
#define FRAMES 5

static char *wanted[SAMPLES], *seen[SAMPLES];
static size_t n_wanted, n_seen;

/* A frame as perf prints it, and its name. */
static const char *const frames[FRAMES][2] = {
    {"401000 main+0x1f (/bin/a b)", "main"},
    {"ffff1 f(int, char (*)())+0x0 ([kernel.kallsyms])", "f(int, char (*)())"},
    {"00 [unknown] ([unknown])", "0x0"},
    {"7f12 [unknown] (/usr/lib/libc.so.6 (deleted))", "[libc.so.6 (deleted)]"},
    {"11c2 inl+0x19 (inlined)", "inl"}};
static const char *const comms[] = {"app", "w ork 1", "a/b:c [7] (", "5"};

static void make(struct chance *chance, FILE *f) {
    uint64_t us = 5000000;
    bool pid = below(chance, 2), cpu = below(chance, 2), source = below(chance, 2);
    fprintf(f, "# captured on: today\n");
    for (n_wanted = 0; n_wanted < SAMPLES;) {
        uint64_t tid = 10 + below(chance, 4), depth = below(chance, DEPTH + 1);
        char line[300] = "", stack[300] = "";
        size_t n = 0;
        us += below(chance, 3000);
        fprintf(f, "%*s %s%" PRIu64 " ", below(chance, 2) ? 16 : 0, comms[tid - 10],
                pid ? "10/" : "", tid);
        if (cpu)
            fprintf(f, "[%03d] ", (int)below(chance, 2));
        fprintf(f, "%" PRIu64 ".%06" PRIu64 ": %*d cpu-clock:u: ", us / 1000000, us % 1000000,
                (int)below(chance, 10), 1000000);
        bool alone = depth == 1 && below(chance, 2); /* on the line itself */
        if (!alone)
            fprintf(f, "\n");
        for (uint64_t i = 0; i < depth; i++) {
            size_t frame = (size_t)below(chance, FRAMES);
            fprintf(f, "%s%s\n", alone ? "    " : "\t   ", frames[frame][0]);
            if (source && below(chance, 2))
                fprintf(f, "  ??:0\n");
            snprintf(line, sizeof line, "%s%s%.200s", frames[frame][1], i > 0 ? ";" : "", stack);
            snprintf(stack, sizeof stack, "%s", line);
        }
        if (below(chance, 3) > 0)
            fprintf(f, "\n");
        wanted[n_wanted] = malloc(400);
        n = (size_t)snprintf(wanted[n_wanted], 400, "%" PRIu64 " %" PRIu64 " %s", tid, us, stack);
        ck_assert_uint_lt(n, 400);
        n_wanted++;
    }
}

static struct trace *opened(const char *source, size_t n) {
    char path[SCRATCH_PATH];
    struct err err;
    ck_assert(scratch_write(path, "perf", source, n));
    struct trace *trace =
        trace_open(path, &(struct trace_options){.file.importers = importers}, &err);
    ck_assert_msg(trace != NULL, "%s", err.text);
    trace_load(trace);
    unlink(path);
    return trace;
}

static char *lines_of(struct trace *trace) {
    char *text = NULL;
    size_t n;
    FILE *f = open_memstream(&text, &n);
    ck_assert(export_ndjson(trace, f));
    fclose(f);
    return text;
}

static uint64_t number(const char *line, const char *field) {
    const char *at = strstr(line, field);
    return at ? strtoull(at + strlen(field), NULL, 10) : UINT64_MAX;
}

/* The instants with the paths of their slices. */
static void collect(char *text) {
    static char paths[SAMPLES * DEPTH][300];
    char *rest = NULL;
    uint64_t origin = number(text, "\"origin_ns\":");
    n_seen = 0;
    for (char *line = strtok_r(text, "\n", &rest); line; line = strtok_r(NULL, "\n", &rest)) {
        if (strstr(line, "\"type\":\"slice\"")) {
            uint64_t id = number(line, "\"id\":"), parent = number(line, "\"parent\":");
            ck_assert_uint_lt(id, SAMPLES * DEPTH);
            char *name = strstr(line, "\"name\":\"") + 8;
            snprintf(paths[id], sizeof paths[id], "%.200s%s%.*s",
                     parent == UINT64_MAX ? "" : paths[parent], parent == UINT64_MAX ? "" : ";",
                     (int)strcspn(name, "\""), name);
        } else if (strstr(line, "\"type\":\"instant\"")) {
            uint64_t slice = number(line, "\"slice\":");
            ck_assert_uint_lt(n_seen, SAMPLES);
            seen[n_seen] = malloc(400);
            snprintf(seen[n_seen++], 400, "%" PRIu64 " %" PRIu64 " %s", number(line, "\"tid\":"),
                     (origin + number(line, "\"ts\":")) / 1000,
                     slice == UINT64_MAX ? "" : paths[slice]);
        }
    }
}

static int by_text(const void *a, const void *b) {
    return strcmp(*(char *const *)a, *(char *const *)b);
}

START_TEST(each_sample_is_there_once) {
    struct chance chance = {(uint64_t)_i + 1};
    char *source = NULL;
    size_t n;
    FILE *f = open_memstream(&source, &n);
    make(&chance, f);
    fclose(f);
    struct trace *trace = opened(source, n);
    char *text = lines_of(trace);
    collect(text);
    qsort(wanted, n_wanted, sizeof *wanted, by_text);
    qsort(seen, n_seen, sizeof *seen, by_text);
    ck_assert_uint_eq(n_seen, n_wanted);
    for (size_t i = 0; i < n_seen; i++) {
        ck_assert_msg(strcmp(seen[i], wanted[i]) == 0, "%s, not %s of\n%s", seen[i], wanted[i],
                      source);
        free(seen[i]);
        free(wanted[i]);
    }
    ck_assert_uint_eq(trace_problem_count(trace, false), 0);
    trace_free(trace);
    free(text);
    free(source);
}
END_TEST

/* Counts the words in pieces of any size. */
START_TEST(words_are_the_same_in_any_pieces) {
    struct chance chance = {(uint64_t)_i + 77};
    char *source = NULL, *words[2] = {NULL, NULL};
    size_t n, sizes[2];
    FILE *f = open_memstream(&source, &n);
    make(&chance, f);
    fclose(f);
    for (int k = 0; k < 2; k++) {
        void *import = perf.start();
        struct import_news news;
        f = open_memstream(&words[k], &sizes[k]);
        for (size_t at = 0, piece; at <= n; at += piece) {
            piece = k == 0 ? n + 1 : 1 + (size_t)below(&chance, 200);
            perf.step(import, (struct str){source + at, piece < n - at ? piece : n - at},
                      at + piece > n, &news);
            fwrite(news.words.s, 1, news.words.n, f);
            for (size_t i = 0; i < news.ncases; i++)
                free(news.cases[i].why);
        }
        fclose(f);
        perf.stop(import);
    }
    ck_assert_uint_eq(sizes[0], sizes[1]);
    ck_assert(memcmp(words[0], words[1], sizes[0]) == 0);
    for (size_t i = 0; i < n_wanted; i++)
        free(wanted[i]);
    free(words[0]);
    free(words[1]);
    free(source);
}
END_TEST

START_TEST(the_source_is_known_by_its_lines) {
    char text[2000] = "# one\n\napp 12 5.000000:  1000 cycles: \n";
    size_t n = strlen(text);
    ck_assert_int_eq(perf.sniff(STR("app 12 5.000000:  1000 cycles: \n"), true), IMPORT_YES);
    ck_assert_int_eq(perf.sniff(STR("app 12 5.000000:  1000 cycles: \n"), false), IMPORT_MORE);
    ck_assert_int_eq(perf.sniff(STR("# ========\n# captured on : x\n"), false), IMPORT_YES);
    ck_assert_int_eq(perf.sniff(STR("\t 40 main (a)\n\t 40 main (a)\n\t 40 main (a)\n"), true),
                     IMPORT_NO);
    ck_assert_int_eq(perf.sniff(STR("main;f 12\nmain;g 13\n"), true), IMPORT_NO);
    static const char untimed[] = "# one\n\napp 12 cycles: \n\t 40 main (a)\n";
    ck_assert_int_eq(perf.sniff(str_of(untimed), false), IMPORT_YES);
    ck_assert_int_eq(perf.sniff((struct str){untimed, 25}, false), IMPORT_MORE);
    ck_assert_int_eq(perf.sniff((struct str){untimed, 25}, true), IMPORT_NO);
    ck_assert_int_eq(perf.sniff(STR("app 12 cycles: \nmore text\n"), false), IMPORT_NO);
    for (int i = 0; i < 20; i++)
        n += (size_t)snprintf(text + n, 100, "\t 40 main+0x1 (/bin/a)\n");
    ck_assert_int_eq(perf.sniff(str_of(text), false), IMPORT_YES);
}
END_TEST

SUITE(perf) {
    Suite *s = suite_create("perf");
    TCase *t = tcase_create("perf");
    tcase_add_loop_test(t, each_sample_is_there_once, 0, 20);
    tcase_add_loop_test(t, words_are_the_same_in_any_pieces, 0, 5);
    tcase_add_test(t, the_source_is_known_by_its_lines);
    suite_add_tcase(s, t);
    return s;
}
