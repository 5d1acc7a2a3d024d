/* kept.c - see kept.h.
 *
 * The trace has events of all kinds on three threads, so that each store of the model is in the
 * index. All that is said of a trace is its exports, its summary and its problems as one text,
 * which two readings must agree on. */
#include "tests/unit/trace/kept.h"
#include "tests/unit/lib/libcheck.h"

#include <dirent.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>

#include "model/output/check.h"
#include "model/output/ndjson.h"
#include "model/output/report.h"
#include "model/trace/persist.h"
#include "model/trace/trace_problems.h"
#include "tests/lib/tracegen.h"

char kept_folder[SCRATCH_PATH], kept_trace[SCRATCH_PATH + 20], kept_index[SCRATCH_PATH + 300];
const struct trace_options kept_options = {.cache_from = 1};
const struct trace_options kept_whole = {.cache_from = 1, .cache_whole = true};

void kept_set_up(void) {
    ck_assert(scratch_folder(kept_folder, "persist"));
    snprintf(kept_trace, sizeof kept_trace, "%s/trace.fxt", kept_folder);
    setenv("XDG_CACHE_HOME", kept_folder, 1);
}

void kept_tear_down(void) {
    char command[SCRATCH_PATH + 20];
    snprintf(command, sizeof command, "rm -rf %s", kept_folder);
    ck_assert_int_eq(system(command), 0);
}

void kept_put(const void *bytes, size_t n) {
    FILE *f = fopen(kept_trace, "wb");
    ck_assert_ptr_nonnull(f);
    ck_assert_uint_eq(fwrite(bytes, 1, n, f), n);
    ck_assert_int_eq(fclose(f), 0);
}

/* Nested calls on three threads, with all other kinds of events. */
void kept_put_calls(int n) {
    char *text = NULL;
    size_t size;
    FILE *f = open_memstream(&text, &size);
    struct err err;
    fputs("magic\nprovider 1 \"p\"\ninit 1000000000\nstring 1 \"c\"\nthread 1 7 8\nthread 2 7 "
          "9\nthread 3 8 9\n",
          f);
    for (int i = 0; i < n; i++) {
        int t = 1 + i % 3, at = i * 1000;
        fprintf(f, "string 2 \"call %d\"\nbegin %d t%d s1 s2\ncomplete %d t%d s1 \"leaf\" end=%d\n",
                i % 50, at, t, at + 10, t, at + 20 + i % 300);
        fprintf(f, "flow_%s %d t%d s1 \"f\" id=%d\n", i % 2 ? "end" : "begin", at + 5, t, i / 2);
        fprintf(f, "counter %d t%d s1 \"n\" id=1 v=u32:%d\ninstant %d t%d s1 \"i\"\n", at, t,
                i % 90, at + 7, t);
        fprintf(f, "async_%s %d t%d s1 \"a\" id=%d\nlog %d t%d \"line %d\"\n",
                i % 2 ? "end" : "begin", at, t, i / 2, at, t, i);
        fprintf(f, "switch %d %d %d 3 %d\nend %d t%d s1 s2\n", at, i % 2, 8 + i % 2, 9 - i % 2,
                at + 600, t);
    }
    fprintf(f, "instant %d t1 s1 \"far\"\n", n * 100000); /* far off, if the trace is long enough */
    ck_assert_int_eq(fclose(f), 0);
    struct trace_bytes bytes = tracegen(text, &err);
    ck_assert_msg(bytes.v != NULL, "%s (line %d)", err.text, (int)err.at);
    kept_put(bytes.v, bytes.n);
    free(bytes.v);
    free(text);
}

struct trace *kept_load(const struct trace_options *options) {
    struct err err;
    struct trace *trace = trace_open(kept_trace, options, &err);
    if (trace)
        trace_load(trace);
    return trace;
}

/* All that is said of a trace. */
char *kept_said(struct trace *trace) {
    char *text = NULL;
    size_t n;
    FILE *f = open_memstream(&text, &n);
    ck_assert(export_ndjson(trace, f));
    ck_assert(export_csv(trace, f));
    report_summary(trace, f, false);
    check_print(trace, &(struct check_style){.strict = true}, f);
    fprintf(f, "%" PRIu64 " problems, %" PRIu64 " with notes\n", trace_problem_count(trace, false),
            trace_problem_count(trace, true));
    ck_assert_int_eq(fclose(f), 0);
    return text;
}

bool kept_find(void) { /* the only file in the directory */
    snprintf(kept_index, sizeof kept_index, "%s/fxtop", kept_folder);
    DIR *d = opendir(kept_index);
    int files = 0;
    for (const struct dirent *e; d && (e = readdir(d)) != NULL;)
        if (e->d_name[0] != '.') {
            snprintf(kept_index, sizeof kept_index, "%s/fxtop/%s", kept_folder, e->d_name);
            files++;
        }
    if (d)
        closedir(d);
    ck_assert_int_le(files, 1);
    return files == 1;
}

/* Reads the trace, keeps its index, and returns its message. */
char *kept_write(void) {
    struct trace *trace = kept_load(&kept_options);
    ck_assert(!trace_cached(trace));
    char *text = kept_said(trace);
    ck_assert(persist_write(trace));
    trace_free(trace);
    ck_assert(kept_find());
    return text;
}
