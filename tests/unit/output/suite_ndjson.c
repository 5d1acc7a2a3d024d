/* suite_ndjson.c - every fixture of tests/traces exports as the .ndjson next to it. Lines of
 * slices, threads and problems were written by reasoning from the format. Lines of other kinds are
 * this program's, and were reviewed against the format. Lines are compared in any order. */
#include <dirent.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "model/output/ndjson.h"
#include "tests/lib/scratch.h"
#include "tests/lib/tracegen.h"
#include "tests/unit/lib/suites.h"

static int is_text(const struct dirent *d) {
    size_t n = strlen(d->d_name);
    return n > 4 && strcmp(d->d_name + n - 4, ".txt") == 0;
}

static const char *source_dir(void) {
    const char *dir = getenv("srcdir");
    return dir ? dir : ".";
}

static char *slurp(const char *path) {
    FILE *f = fopen(path, "rb");
    if (f == NULL)
        return NULL;
    char *text = NULL;
    size_t n = 0, cap = 0;
    do {
        cap = cap * 2 + 4096;
        text = realloc(text, cap + 1);
        n += fread(text + n, 1, cap - n, f);
    } while (n == cap);
    text[n] = 0;
    fclose(f);
    return text;
}

static int by_text(const void *a, const void *b) {
    return strcmp(*(char *const *)a, *(char *const *)b);
}

/* The lines of an export but "end", sorted. */
static size_t lines_of(char *text, char **lines, size_t cap) {
    size_t n = 0;
    for (char *l = strtok(text, "\n"); l; l = strtok(NULL, "\n")) {
        /* how many lines: expectations are as long as what they say */
        if (strncmp(l, "{\"type\":\"end\"", 13) == 0)
            continue;
        char *message =
            strncmp(l, "{\"type\":\"problem\"", 17) == 0 ? strstr(l, ",\"message\":") : NULL;
        if (message) { /* words may differ, not what they count */
            char *note = strstr(message, ",\"note\":");
            if (note)
                memmove(message, note, strlen(note) + 1);
            else
                memcpy(message, "}", 2); /* shorter than the old text */
        }
        ck_assert_uint_lt(n, cap);
        lines[n++] = l;
    }
    qsort(lines, n, sizeof *lines, by_text);
    return n;
}

static void check_fixture(const char *name) {
    char path[512], trace_path[SCRATCH_PATH], wanted_path[512], *out = NULL;
    size_t out_n = 0, base = strlen(name) - 4;
    static char *wanted_lines[20000], *got_lines[20000];
    struct err err;
    snprintf(path, sizeof path, "%s/tests/traces/%s", source_dir(), name);
    snprintf(wanted_path, sizeof wanted_path, "%s/tests/traces/%.*s.ndjson", source_dir(),
             (int)base, name);
    char *text = slurp(path), *wanted = slurp(wanted_path);
    if (wanted == NULL) {
        free(text);
        return;
    }
    struct trace_bytes bytes = tracegen(text, &err);
    ck_assert_msg(bytes.v != NULL, "%s: %s", name, err.text);
    ck_assert(scratch_write(trace_path, "export", bytes.v, bytes.n));
    struct trace_options options = {0};
    struct trace *trace = trace_open(trace_path, &options, &err);
    ck_assert_msg(trace != NULL, "%s: %s", name, trace ? "" : err.text);
    trace_load(trace);
    FILE *f = open_memstream(&out, &out_n);
    ck_assert(export_ndjson(trace, f));
    fclose(f);
    trace_free(trace);
    unlink(trace_path);
    size_t n = lines_of(wanted, wanted_lines, 20000), m = lines_of(out, got_lines, 20000);
    for (size_t i = 0; i < n || i < m; i++) {
        const char *w = i < n ? wanted_lines[i] : "(nothing)",
                   *g = i < m ? got_lines[i] : "(nothing)";
        /* the trace's file name is that of the temporary file */
        const char *wf = strstr(w, "\"bytes\":"), *gf = strstr(g, "\"bytes\":");
        if (strncmp(w, "{\"type\":\"trace\"", 15) == 0 &&
            strncmp(g, "{\"type\":\"trace\"", 15) == 0 && wf && gf)
            w = wf, g = gf;
        ck_assert_msg(strcmp(w, g) == 0, "%s:\nwanted %s\ngot    %s", name, w, g);
    }
    free(text);
    free(wanted);
    free(out);
    free(bytes.v);
}

static struct dirent **fixtures = NULL;

START_TEST(a_fixture_exports_as_reasoned) {
    check_fixture(fixtures[_i]->d_name);
}
END_TEST

SUITE(ndjson) {
    char path[512];
    Suite *s = suite_create("ndjson");
    TCase *t = tcase_create("fixtures");
    snprintf(path, sizeof path, "%s/tests/traces", source_dir());
    int n = scandir(path, &fixtures, is_text, alphasort);
    tcase_add_loop_test(t, a_fixture_exports_as_reasoned, 0, n > 0 ? n : 1);
    suite_add_tcase(s, t);
    return s;
}
