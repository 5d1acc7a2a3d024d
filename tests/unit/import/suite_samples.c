/* suite_samples.c - the stacks of a sampling profiler: counts by stack are those of the samples,
 * also in a part of the trace. Slices last as in a slow reading of the rules. */
#include "src/import/profiles/samples.h"

#include <check.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

#include "model/output/cut/cut.h"
#include "model/output/folded.h"
#include "model/output/ndjson.h"
#include "tests/lib/chance.h"
#include "tests/lib/scratch.h"
#include "tests/unit/lib/suites.h"

#define TAKEN 700
#define DEPTH 4
#define THREADS 3
#define EVENTS 2
#define HELD 256 /* samples that decide about the period */
#define US UINT64_C(1000)

struct taken {
    uint64_t ts, end; /* end: of its slices */
    int thread, event;
    bool off, joined; /* off: no sample; joined: its slices go on from the one before on its row */
    char stack[DEPTH + 1];
    uint64_t weight;
};

static struct taken taken[TAKEN];
static size_t faults;
static char said[200]; /* the last of them */

struct lines { /* to be compared in any order */
    char **v;
    size_t n;
};

/* ---- samples by chance ---- */

static void make(struct chance *chance) {
    uint64_t now = 5000 * US;
    for (size_t i = 0; i < TAKEN; i++) {
        struct taken *t = &taken[i];
        *t = (struct taken){.thread = (int)below(chance, THREADS),
                            .event = i > 0 && below(chance, 3) == 0,
                            .off = i > 0 && below(chance, 8) == 0,
                            .weight = below(chance, 3)};
        if (below(chance, 4) > 0)
            now += below(chance, 30) * 100 * US;
        if (below(chance, 40) == 0)
            now += 20000 * US;
        t->ts = now;
        size_t n = (size_t)below(chance, DEPTH + 1);
        for (size_t k = 0; k < n; k++)
            t->stack[k] = (char)('a' + below(chance, 2));
    }
}

static void mark(void *ctx, const struct import_place *source) {
    (void)ctx;
    (void)source;
}

static void fault(void *ctx, enum import_fault kind, const struct import_place *source,
                  const char *sentence) {
    (void)ctx;
    (void)kind;
    (void)source;
    snprintf(said, sizeof said, "%s", sentence);
    faults++;
}

static void give(struct samples *s, const struct taken *t) {
    struct samples_frame frames[DEPTH];
    struct import_place place = {0};
    uint64_t tid = 10 + (uint64_t)t->thread;
    if (t->off) {
        samples_off(s, t->ts, 1, tid, &place);
        return;
    }
    for (size_t k = 0; t->stack[k]; k++) {
        struct str name = {&t->stack[k], 1};
        frames[k] = (struct samples_frame){samples_frame(s, &place, name, STR("f.c"), STR("d")),
                                           (uint32_t)k};
    }
    samples_add(s, &(struct samples_sample){.ts = t->ts,
                                            .pid = 1,
                                            .tid = tid,
                                            .frames = frames,
                                            .n = strlen(t->stack),
                                            .cpu = t->thread - 1,
                                            .weight = t->weight,
                                            .event = (uint32_t)t->event,
                                            .thread = STR("t")});
}

static struct writer words;
static uint64_t made_tid;

static struct samples *begin(uint64_t period) {
    made_tid = SAMPLES_MADE_TID;
    faults = 0;
    writer_init(&words, NULL);
    writer_magic(&words);
    writer_init_record(&words, 1000000000);
    struct samples *s = samples_new((struct samples_out){&words, &made_tid, NULL, mark, fault});
    ck_assert_uint_eq(samples_event(s, STR("first")), 0);
    ck_assert_uint_eq(samples_event(s, STR("second")), 1);
    ck_assert_uint_eq(samples_event(s, STR("first")), 0);
    for (uint32_t event = 0; event < EVENTS; event++)
        samples_period(s, event, period);
    return s;
}

static struct trace *opened(struct samples *s, uint64_t end) {
    char path[SCRATCH_PATH];
    struct err err;
    samples_end(s, end);
    samples_free(s);
    ck_assert(!words.failed);
    struct str bytes = writer_take(&words);
    ck_assert(scratch_write(path, "samples", bytes.s, bytes.n));
    writer_free(&words);
    struct trace *trace = trace_open(path, &(struct trace_options){0}, &err);
    ck_assert_msg(trace != NULL, "%s", err.text);
    trace_load(trace);
    unlink(path);
    return trace;
}

/* ---- a slow reading of the rules ---- */

static bool same_row(const struct taken *a, const struct taken *b) {
    return a->thread == b->thread && a->event == b->event;
}

/* The one of the same row before it, if its thread has not left its CPU since; or NULL. */
static struct taken *before(size_t i) {
    for (size_t k = i; k-- > 0;) {
        if (taken[k].off && taken[k].thread == taken[i].thread)
            return NULL;
        if (!taken[k].off && same_row(&taken[k], &taken[i]))
            return &taken[k];
    }
    return NULL;
}

static int by_number(const void *a, const void *b) {
    uint64_t x = *(const uint64_t *)a, y = *(const uint64_t *)b;
    return (x > y) - (x < y);
}

static uint64_t period_of(int event) {
    uint64_t intervals[HELD];
    size_t n = 0, seen = 0;
    for (size_t i = 0; i < TAKEN && seen < HELD; i++) {
        if (taken[i].off || taken[i].event != event)
            continue;
        const struct taken *t = before(i);
        if (t)
            intervals[n++] = taken[i].ts - t->ts;
        seen++;
    }
    qsort(intervals, n, sizeof *intervals, by_number);
    return n > 0 && intervals[(n - 1) / 2] > US ? intervals[(n - 1) / 2] : US;
}

static void read_slowly(uint64_t given) {
    uint64_t periods[EVENTS];
    for (int event = 0; event < EVENTS; event++)
        periods[event] = given > 0 ? given : period_of(event);
    for (size_t i = 0; i < TAKEN; i++) {
        uint64_t period = periods[taken[i].event];
        size_t k = i + 1;
        while (k < TAKEN && !(taken[k].off ? taken[k].thread == taken[i].thread
                                           : same_row(&taken[k], &taken[i])))
            k++;
        bool gap = k == TAKEN || 2 * (taken[k].ts - taken[i].ts) > 5 * period;
        taken[i].end = gap ? taken[i].ts + period : taken[k].ts;
        if (!taken[i].off && k < TAKEN)
            taken[k].joined = !gap && !taken[k].off;
    }
}

static uint64_t tid_of(const struct taken *t) {
    uint64_t tid = SAMPLES_MADE_TID;
    if (t->event == 0)
        return 10 + (uint64_t)t->thread;
    for (size_t i = 0; !same_row(&taken[i], t) || taken[i].off; i++) {
        bool first = !taken[i].off && taken[i].event == 1;
        for (size_t k = 0; k < i && first; k++)
            first = taken[k].off || !same_row(&taken[k], &taken[i]);
        tid += first;
    }
    return tid;
}

static void add_line(struct lines *lines, uint64_t tid, uint64_t ts, int64_t dur,
                     const char *path) {
    char *line = malloc(200);
    snprintf(line, 200, "%" PRIu64 " %" PRIu64 " %" PRId64 " %s", tid, ts, dur, path);
    lines->v = realloc(lines->v, (lines->n + 1) * sizeof *lines->v);
    lines->v[lines->n++] = line;
}

/* Each slice, and each instant as one of duration -1, of the stretch of time. */
static struct lines expected(uint64_t from, uint64_t to, bool slices) {
    struct lines lines = {0};
    uint64_t origin = taken[0].ts;
    for (size_t i = 0; i < TAKEN; i++) {
        const struct taken *t = &taken[i];
        if (t->off)
            continue;
        if (t->ts - origin >= from && t->ts - origin < to)
            add_line(&lines, tid_of(t), t->ts - origin, -1, t->stack);
        for (size_t depth = 1; slices && depth <= strlen(t->stack); depth++) {
            const struct taken *first = t->joined ? before(i) : NULL;
            char path[DEPTH + 1] = {0};
            memcpy(path, t->stack, depth);
            if (first && strncmp(first->stack, path, depth) == 0)
                continue;
            uint64_t end = t->end;
            for (size_t k = i + 1; k < TAKEN; k++)
                if (!taken[k].off && same_row(&taken[k], t)) {
                    if (!taken[k].joined || strncmp(taken[k].stack, path, depth) != 0)
                        break;
                    end = taken[k].end;
                }
            add_line(&lines, tid_of(t), t->ts - origin, (int64_t)(end - t->ts), path);
        }
    }
    return lines;
}

/* ---- the trace ---- */

static uint64_t number(const char *line, const char *field) {
    const char *at = strstr(line, field);
    return at ? strtoull(at + strlen(field), NULL, 10) : UINT64_MAX;
}

static struct lines lines_of(struct trace *trace, bool slices) {
    static char paths[TAKEN * DEPTH][DEPTH + 1];
    struct lines lines = {0};
    char *text = NULL, *rest = NULL;
    size_t n;
    FILE *f = open_memstream(&text, &n);
    ck_assert(export_ndjson(trace, f));
    fclose(f);
    uint64_t origin = number(text, "\"origin_ns\":");
    for (char *line = strtok_r(text, "\n", &rest); line; line = strtok_r(NULL, "\n", &rest)) {
        uint64_t ts = number(line, "\"ts\":"), tid = number(line, "\"tid\":"), slice, parent;
        ts += origin - taken[0].ts;
        if (strstr(line, "\"type\":\"slice\"")) {
            slice = number(line, "\"id\":");
            parent = number(line, "\"parent\":");
            ck_assert_uint_lt(slice, TAKEN * DEPTH);
            ck_assert_ptr_nonnull(strstr(line, "\"cat\":\"sampled\""));
            snprintf(paths[slice], DEPTH + 1, "%s%c", parent == UINT64_MAX ? "" : paths[parent],
                     strstr(line, "\"name\":\"")[8]);
            if (slices)
                add_line(&lines, tid, ts, (int64_t)number(line, "\"dur\":"), paths[slice]);
        } else if (strstr(line, "\"type\":\"instant\"")) {
            slice = number(line, "\"slice\":");
            ck_assert_ptr_nonnull(strstr(line, "\"cat\":\"sampled\",\"name\":\"sample\""));
            add_line(&lines, tid, ts, -1, slice == UINT64_MAX ? "" : paths[slice]);
        }
    }
    free(text);
    return lines;
}

static int by_text(const void *a, const void *b) {
    return strcmp(*(char *const *)a, *(char *const *)b);
}

static void compare(struct lines want, struct lines got) {
    qsort(want.v, want.n, sizeof *want.v, by_text);
    qsort(got.v, got.n, sizeof *got.v, by_text);
    for (size_t i = 0; i < want.n && i < got.n; i++)
        ck_assert_str_eq(got.v[i], want.v[i]);
    ck_assert_uint_eq(got.n, want.n);
    for (size_t i = 0; i < want.n; i++) {
        free(want.v[i]);
        free(got.v[i]);
    }
    free(want.v);
    free(got.v);
}

/* ---- folded stacks ---- */

struct counted { /* by path, of all threads */
    char path[DEPTH + 1];
    uint64_t n;
};

static void count(struct counted *v, size_t *n, const char *path, uint64_t by) {
    size_t i = 0;
    while (i < *n && strcmp(v[i].path, path) != 0)
        i++;
    if (i == *n) {
        snprintf(v[i].path, sizeof v[i].path, "%s", path);
        v[(*n)++].n = 0;
    }
    v[i].n += by;
}

static uint64_t counted(const struct counted *v, size_t n, const char *path) {
    for (size_t i = 0; i < n; i++)
        if (strcmp(v[i].path, path) == 0)
            return v[i].n;
    return 0;
}

/* The samples, or their weights, in [from, to) after the first one. */
static void check_folded(struct trace *trace, const struct range *range, enum folded_by by,
                         uint64_t from, uint64_t to) {
    static struct counted want[TAKEN], got[TAKEN];
    size_t nwant = 0, ngot = 0, size;
    char *text = NULL, *rest = NULL;
    for (size_t i = 0; i < TAKEN; i++) {
        const struct taken *t = &taken[i];
        if (!t->off && t->ts - taken[0].ts >= from && t->ts - taken[0].ts < to)
            count(want, &nwant, t->stack, by == FOLDED_BY_WEIGHT ? t->weight : 1);
    }
    FILE *f = open_memstream(&text, &size);
    ck_assert(folded_export(trace, range, NULL, by, f));
    fclose(f);
    for (char *line = strtok_r(text, "\n", &rest); line; line = strtok_r(NULL, "\n", &rest)) {
        char *last = strrchr(line, ' '), path[DEPTH + 1] = "";
        ck_assert_ptr_nonnull(last);
        *last = '\0';
        size_t depth = 0;
        for (char *at = strchr(line, ';'); at; at = strchr(at + 1, ';'))
            path[depth++] = at[1];
        count(got, &ngot, path, strtoull(last + 1, NULL, 10));
    }
    free(text);
    ck_assert_uint_gt(nwant, 0);
    for (size_t i = 0; i < nwant; i++)
        ck_assert_msg(counted(got, ngot, want[i].path) == want[i].n, "%s", want[i].path);
    for (size_t i = 0; i < ngot; i++)
        ck_assert_uint_eq(counted(want, nwant, got[i].path), got[i].n);
}

START_TEST(samples_are_counted_by_stack) {
    struct chance chance = {(uint64_t)_i + 1};
    uint64_t period = _i % 3 == 0 ? 0 : (1 + below(&chance, 20)) * 100 * US;
    make(&chance);
    read_slowly(period);
    struct samples *samples = begin(period);
    for (size_t i = 0; i < TAKEN; i++)
        give(samples, &taken[i]);
    struct trace *trace = opened(samples, 0);
    ck_assert_uint_eq(faults, 0);
    compare(expected(0, UINT64_MAX, true), lines_of(trace, true));

    struct question_texts texts = {.range = "30%..60%"};
    struct question asked;
    struct err err;
    const char *wrong;
    char path[SCRATCH_PATH];
    ck_assert(question_init(&asked, trace, &texts, false, &wrong, &err));
    uint64_t from = (uint64_t)asked.range.from, to = (uint64_t)asked.range.to;
    FILE *f = fdopen(scratch_file(path, "part"), "wb");
    check_folded(trace, &(struct range){0}, FOLDED_BY_DEFAULT, 0, UINT64_MAX);
    check_folded(trace, &(struct range){0}, FOLDED_BY_WEIGHT, 0, UINT64_MAX);
    check_folded(trace, &asked.range, FOLDED_BY_SAMPLES, from, to);
    ck_assert(cut_write(trace, &asked, 0, f, &err));
    fclose(f);
    question_free(&asked);
    trace_free(trace);
    trace = trace_open(path, &(struct trace_options){0}, &err);
    ck_assert_msg(trace != NULL, "%s", err.text);
    trace_load(trace);
    unlink(path);
    compare(expected(from, to, false), lines_of(trace, false));
    trace_free(trace);
}
END_TEST

/* The lines of a trace about threads, slices and instants, without their offsets. */
static char *shown(struct trace *trace) {
    char *text = NULL, *out = NULL, *rest = NULL;
    size_t n;
    FILE *f = open_memstream(&text, &n);
    ck_assert(export_ndjson(trace, f));
    fclose(f);
    f = open_memstream(&out, &n);
    for (char *line = strtok_r(text, "\n", &rest); line; line = strtok_r(NULL, "\n", &rest))
        if (strstr(line, "\"tid\":") && strstr(line, "\"object\"") == NULL)
            fprintf(f, "%.*s\n",
                    (int)(strstr(line, ",\"offset\"") ? strstr(line, ",\"offset\"") - line
                                                      : (long)strlen(line)),
                    line);
    fclose(f);
    free(text);
    trace_free(trace);
    return out;
}

/* Arguments, rows of a second event, the end of the source; a stack of several frames at once. */
START_TEST(samples_have_their_arguments) {
    struct samples *s = begin(SAMPLES_NO_GAPS);
    struct import_place place = {0};
    struct str none = {"", 0};
    struct samples_frame plain = {samples_frame(s, &place, STR("main"), none, none), 0},
                         full = {samples_frame(s, &place, STR("f"), STR("a.c"), STR("lib")), 7},
                         both[] = {plain, full};
    struct samples_sample sample = {
        .ts = 100, .pid = 1, .tid = 2, .frames = both, .n = 2, .cpu = -1, .weight = 1};
    samples_add(s, &sample);
    sample.ts = 900;
    sample.n = 1;
    sample.cpu = 3;
    sample.weight = 5;
    samples_add(s, &sample);
    sample.ts = 899; /* too late */
    sample.cpu = -1;
    samples_add(s, &sample);
    sample.event = 1;
    sample.thread = STR("worker");
    sample.ts = 100;
    sample.weight = 0;
    samples_add(s, &sample);
    sample.thread = STR("new");
    sample.ts = 200;
    samples_add(s, &sample);
    samples_off(s, 1000, 1, 2, &place);
    samples_off(s, 1100, 1, 3, &place); /* no such thread */
    char *text = shown(opened(s, 2000));
    ck_assert_uint_eq(faults, 1);
    ck_assert_str_eq(said, "a sample earlier than the one before it of its thread: at that time");
    ck_assert_str_eq(
        text,
        "{\"type\":\"thread\",\"pid\":1,\"tid\":2}\n"
        "{\"type\":\"thread\",\"pid\":1,\"tid\":1000000000,\"name\":\"new "
        "(second)\",\"names\":[\"worker (second)\"]}\n"
        "{\"type\":\"slice\",\"id\":0,\"pid\":1,\"tid\":2,\"cat\":\"sampled\",\"name\":\"main\","
        "\"ts\":0,\"dur\":900,\"depth\":0\n"
        "{\"type\":\"slice\",\"id\":2,\"parent\":0,\"pid\":1,\"tid\":2,\"cat\":\"sampled\","
        "\"name\":\"f\",\"ts\":0,\"dur\":800,\"depth\":1,\"args\":[{\"name\":\"dso\",\"type\":"
        "\"string\",\"value\":\"lib\"},{\"name\":\"file\",\"type\":\"string\",\"value\":\"a.c\"},{"
        "\"name\":\"line\",\"type\":\"uint32\",\"value\":7}]\n"
        "{\"type\":\"instant\",\"pid\":1,\"tid\":2,\"cat\":\"sampled\",\"name\":\"sample\",\"ts\":"
        "0,\"slice\":2\n"
        "{\"type\":\"slice\",\"id\":1,\"pid\":1,\"tid\":1000000000,\"cat\":\"sampled\",\"name\":"
        "\"main\",\"ts\":0,\"dur\":900,\"depth\":0\n"
        "{\"type\":\"instant\",\"pid\":1,\"tid\":1000000000,\"cat\":\"sampled\",\"name\":"
        "\"sample\",\"ts\":0,\"args\":[{\"name\":\"weight\",\"type\":\"uint64\",\"value\":0}],"
        "\"slice\":1\n"
        "{\"type\":\"instant\",\"pid\":1,\"tid\":1000000000,\"cat\":\"sampled\",\"name\":"
        "\"sample\",\"ts\":100,\"args\":[{\"name\":\"weight\",\"type\":\"uint64\",\"value\":0}],"
        "\"slice\":1\n"
        "{\"type\":\"instant\",\"pid\":1,\"tid\":2,\"cat\":\"sampled\",\"name\":\"sample\",\"ts\":"
        "800,\"args\":[{\"name\":\"weight\",\"type\":\"uint64\",\"value\":5},{\"name\":\"cpu\","
        "\"type\":\"uint32\",\"value\":3}],\"slice\":0\n"
        "{\"type\":\"instant\",\"pid\":1,\"tid\":2,\"cat\":\"sampled\",\"name\":\"sample\",\"ts\":"
        "800,\"args\":[{\"name\":\"weight\",\"type\":\"uint64\",\"value\":5}],\"slice\":0\n");
    free(text);
}
END_TEST

/* The outermost 4,095 frames of a stack stay, and how many are left out is said. */
START_TEST(deep_stacks_are_cut) {
    struct samples *s = begin(1000);
    struct import_place place = {0};
    struct samples_frame *frames = malloc(5000 * sizeof *frames);
    struct str none = {"", 0};
    for (size_t i = 0; i < 5000; i++)
        frames[i] = (struct samples_frame){samples_frame(s, &place, STR("r"), none, none), 0};
    struct samples_sample sample = {
        .ts = 1, .pid = 1, .tid = 2, .frames = frames, .n = 4096, .cpu = -1, .weight = 1};
    samples_add(s, &sample);
    ck_assert_uint_eq(faults, 0);
    sample.n = 5000;
    sample.ts = 2;
    samples_add(s, &sample);
    ck_assert_uint_eq(faults, 1);
    ck_assert_str_eq(said, "a stack of 5000 frames: the innermost are left out");
    char *text = shown(opened(s, 0));
    ck_assert_ptr_nonnull(strstr(text, "\"name\":\"(905 frames left out)\""));
    ck_assert_ptr_nonnull(strstr(text, "\"depth\":4095\n"));
    ck_assert_ptr_null(strstr(text, "\"depth\":4096"));
    free(text);
    free(frames);
}
END_TEST

/* Texts as long as can be fit a record. */
START_TEST(long_texts_are_cut) {
    struct samples *s = begin(1000);
    struct import_place place = {0};
    char *text = malloc(40000);
    memset(text, 'x', 40000);
    struct str all = {text, 40000};
    struct samples_frame frame = {samples_frame(s, &place, all, all, all), 1};
    ck_assert_uint_eq(faults, 3);
    ck_assert_str_eq(said, "a frame with a text of more than 8000 bytes: cut");
    samples_add(s, &(struct samples_sample){
                       .ts = 1, .pid = 1, .tid = 2, .frames = &frame, .n = 1, .cpu = -1});
    trace_free(opened(s, 0));
    free(text);
}
END_TEST

SUITE(samples) {
    Suite *s = suite_create("samples");
    TCase *t = tcase_create("samples");
    tcase_add_loop_test(t, samples_are_counted_by_stack, 0, 30);
    tcase_add_test(t, samples_have_their_arguments);
    tcase_add_test(t, deep_stacks_are_cut);
    tcase_add_test(t, long_texts_are_cut);
    suite_add_tcase(s, t);
    return s;
}
