/* suite_cut.c - the part of a trace that --cut writes, whole outputs; tests/tools/check_cut.py
 * compares many. */
#include "model/output/cut/cut.h"

#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "model/output/ndjson.h"
#include "model/output/top.h"
#include "model/store/sched_life.h"
#include "model/trace/trace_life.h"
#include "src/import/redact.h"
#include "tests/lib/chance.h"
#include "tests/lib/scratch.h"
#include "tests/unit/lib/loaded.h"
#include "tests/unit/lib/suites.h"

/* A slice, a counter and three threads last into the range from 100 to 200; other events are
 * outside. */
static const char trace_text[] = "magic\ninit 1000000000\n"
                                 "complete 0 1/10 \"c\" \"early\" end=5\n"
                                 "begin 20 1/10 \"c\" \"long\"\n"
                                 "counter 30 1/10 \"c\" \"level\" value=i64:7 id=0\n"
                                 "counter 40 1/10 \"c\" \"level\" value=i64:9 id=0\n"
                                 "switch 50 0 11 3 10\n"
                                 "flow_begin 60 1/10 \"c\" \"f\" id=1\n"
                                 "instant 120 1/10 \"c\" \"inside\" text=\"a secret\"\n"
                                 "flow_end 130 1/11 \"c\" \"f\" id=1\n"
                                 "complete 140 1/11 \"c\" \"other\" end=150\n"
                                 "switch 250 0 10 3 12\n"
                                 "end 300 1/10 \"c\" \"long\"\n"
                                 "instant 400 1/11 \"c\" \"late\"\n";

/* Frees the trace, and opens the part of it. */
static struct trace *part_of(struct trace *trace, const struct question_texts *texts,
                             unsigned redact) {
    struct question asked;
    struct err err;
    const char *wrong;
    char path[SCRATCH_PATH];
    ck_assert(question_init(&asked, trace, texts, false, &wrong, &err));
    FILE *f = fdopen(scratch_file(path, "part"), "wb");
    ck_assert(cut_write(trace, &asked, redact, f, &err));
    fclose(f);
    question_free(&asked);
    trace_free(trace);
    trace = trace_open(path, &(struct trace_options){0}, &err);
    ck_assert_msg(trace != NULL, "%s", err.text);
    trace_load(trace);
    unlink(path);
    return trace;
}

/* The lines of the part of `text` with a time, without their offsets. */
static char *part_of_text(const char *text, const struct question_texts *texts, unsigned redact) {
    struct trace *trace = part_of(loaded_text(text), texts, redact);
    char *out = NULL, *kept, *line, *rest = NULL;
    size_t n;
    FILE *f = open_memstream(&out, &n);
    ck_assert(export_ndjson(trace, f));
    fclose(f);
    trace_free(trace);
    f = open_memstream(&kept, &n);
    for (line = strtok_r(out, "\n", &rest); line; line = strtok_r(NULL, "\n", &rest)) {
        char *offset = strstr(line, ",\"offset\":");
        if (strstr(line, "\"ts\":") == NULL && strstr(line, "\"origin_ns\":") == NULL)
            continue;
        char *origin = strstr(line, "\"origin_ns\"");
        if (origin) {
            fprintf(f, "%.*s\n", (int)strcspn(origin, ","), origin);
            continue;
        }
        if (offset && strstr(line, "points") == NULL)
            memcpy(offset, "}", 2);
        fprintf(f, "%s\n", line);
    }
    fclose(f);
    free(out);
    return kept;
}

static char *part(const struct question_texts *texts, unsigned redact) {
    return part_of_text(trace_text, texts, redact);
}

static void is(char *got, const char *want) {
    ck_assert_msg(strcmp(got, want) == 0, "got\n%s", got);
    free(got);
}

START_TEST(what_lasts_into_the_range_begins_with_it) {
    is(part(&(struct question_texts){.range = "100ns..200ns"}, 0),
       "\"origin_ns\":20\n"
       "{\"type\":\"slice\",\"id\":0,\"pid\":1,\"tid\":10,\"cat\":\"c\",\"name\":\"long\",\"ts\":0,"
       "\"dur\":280,\"depth\":0}\n"
       "{\"type\":\"sched\",\"cpu\":0,\"tid\":0,\"ts\":0,\"dur\":80,\"end_state\":\"runnable\","
       "\"weight\":-2147483648}\n"
       "{\"type\":\"state\",\"tid\":0,\"ts\":0,\"dur\":80,\"state\":\"running\"}\n"
       "{\"type\":\"counter\",\"pid\":1,\"tid\":10,\"cat\":\"c\",\"name\":\"level\",\"id\":0,"
       "\"series\":\"value\",\"ts\":80,\"value\":9}\n"
       "{\"type\":\"sched\",\"cpu\":0,\"pid\":1,\"tid\":11,\"ts\":80,\"dur\":0,\"end_state\":"
       "\"blocked\"}\n"
       "{\"type\":\"state\",\"tid\":0,\"ts\":80,\"dur\":100,\"state\":\"runnable\"}\n"
       "{\"type\":\"sched\",\"cpu\":0,\"pid\":1,\"tid\":10,\"ts\":80,\"dur\":100,\"end_state\":"
       "\"blocked\"}\n"
       "{\"type\":\"state\",\"pid\":1,\"tid\":11,\"ts\":80,\"dur\":null,\"state\":\"blocked\"}\n"
       "{\"type\":\"state\",\"pid\":1,\"tid\":10,\"ts\":80,\"dur\":100,\"state\":\"running\"}\n"
       "{\"type\":\"instant\",\"pid\":1,\"tid\":10,\"cat\":\"c\",\"name\":\"inside\",\"ts\":100,"
       "\"args\":[{\"name\":\"text\",\"type\":\"string\",\"value\":\"a secret\"}],\"slice\":0}\n"
       "{\"type\":\"slice\",\"id\":1,\"pid\":1,\"tid\":11,\"cat\":\"c\",\"name\":\"other\",\"ts\":"
       "120,\"dur\":10,\"depth\":0}\n"
       "{\"type\":\"sched\",\"cpu\":0,\"tid\":0,\"ts\":180,\"dur\":null,\"weight\":-2147483648}\n"
       "{\"type\":\"state\",\"tid\":0,\"ts\":180,\"dur\":null,\"state\":\"running\"}\n"
       "{\"type\":\"state\",\"pid\":1,\"tid\":10,\"ts\":180,\"dur\":null,\"state\":\"blocked\"}\n"
       "{\"type\":\"flow\",\"id\":\"0x1\",\"cat\":\"c\",\"name\":\"f\",\"state\":\"complete\","
       "\"points\":[{\"kind\":\"begin\",\"pid\":1,\"tid\":10,\"ts\":40,\"slice\":0,\"offset\":384},"
       "{\"kind\":\"end\",\"pid\":1,\"tid\":11,\"ts\":110,\"offset\":504}]}\n");
}
END_TEST

START_TEST(tracks_and_filters_leave_out_the_others) {
    is(part(&(struct question_texts){.range = "100ns..200ns", .tracks = "tid=11"}, 0),
       "\"origin_ns\":20\n"
       "{\"type\":\"slice\",\"id\":0,\"pid\":1,\"tid\":10,\"cat\":\"c\",\"name\":\"long\",\"ts\":0,"
       "\"dur\":280,\"depth\":0}\n"
       "{\"type\":\"sched\",\"cpu\":0,\"tid\":0,\"ts\":0,\"dur\":80,\"end_state\":\"runnable\","
       "\"weight\":-2147483648}\n"
       "{\"type\":\"state\",\"tid\":0,\"ts\":0,\"dur\":80,\"state\":\"running\"}\n"
       "{\"type\":\"sched\",\"cpu\":0,\"pid\":1,\"tid\":11,\"ts\":80,\"dur\":0,\"end_state\":"
       "\"blocked\"}\n"
       "{\"type\":\"sched\",\"cpu\":0,\"tid\":0,\"ts\":80,\"dur\":null,\"weight\":-2147483648}\n"
       "{\"type\":\"state\",\"tid\":0,\"ts\":80,\"dur\":null,\"state\":\"running\"}\n"
       "{\"type\":\"state\",\"pid\":1,\"tid\":11,\"ts\":80,\"dur\":null,\"state\":\"blocked\"}\n"
       "{\"type\":\"slice\",\"id\":1,\"pid\":1,\"tid\":11,\"cat\":\"c\",\"name\":\"other\",\"ts\":"
       "120,\"dur\":10,\"depth\":0}\n"
       "{\"type\":\"flow\",\"id\":\"0x1\",\"cat\":\"c\",\"name\":\"f\",\"state\":\"complete\","
       "\"points\":[{\"kind\":\"begin\",\"pid\":1,\"tid\":10,\"ts\":40,\"slice\":0,\"offset\":320},"
       "{\"kind\":\"end\",\"pid\":1,\"tid\":11,\"ts\":110,\"offset\":368}]}\n");
    is(part(&(struct question_texts){.filter = "name=other"}, 0),
       "\"origin_ns\":140\n"
       "{\"type\":\"slice\",\"id\":0,\"pid\":1,\"tid\":11,\"cat\":\"c\",\"name\":\"other\",\"ts\":"
       "0,\"dur\":10,\"depth\":0}\n");
}
END_TEST

/* Process 2 has a thread of the same number, which is scheduled first; a switch without processes
 * means that of 1. */
START_TEST(a_thread_id_of_two_processes_stays_with_the_first) {
    static const char text[] = "magic\ninit 1000000000\n"
                               "instant 1 1/11 \"c\" \"of 1\"\n"
                               "switch_legacy 10 0 0/0 1 2/11 0 16\n"
                               "switch 12 1 0 1 11\n"
                               "instant 40 1/11 \"c\" \"late\"\n";
    char *got = part_of_text(text, &(struct question_texts){.range = "20ns..30ns"}, 0);
    ck_assert_msg(strstr(got, "\"cpu\":0,\"pid\":2,\"tid\":11,") &&
                      strstr(got, "\"cpu\":1,\"pid\":1,\"tid\":11,"),
                  "%s", got);
    free(got);
}
END_TEST

START_TEST(texts_are_redacted) {
    is(part(&(struct question_texts){.range = "110ns..125ns",
                                     .tracks = "tid=10",
                                     .filter = "kind=instant"},
            REDACT_NAMES | REDACT_ARGS),
       "\"origin_ns\":110\n"
       "{\"type\":\"instant\",\"pid\":1,\"tid\":10,\"cat\":\"name 1\",\"name\":\"name "
       "9\",\"ts\":10,\"args\":[{\"name\":\"argument 7\",\"type\":\"string\",\"value\":\"value "
       "8\"}]}\n");
}
END_TEST

/* Begin and end of the range that is shown, from the first event. */
static void shows(const struct trace *trace, int64_t begin, int64_t end) {
    ck_assert_int_eq(trace_begin(trace) - trace_origin(trace), begin);
    ck_assert_int_eq(trace_end(trace) - trace_origin(trace), end);
}

/* A part opens on its range, although a slice reaches out of it; so does a part of the part, on its
 * own. */
START_TEST(a_part_is_shown_in_its_range) {
    struct trace *trace =
        part_of(loaded_text(trace_text), &(struct question_texts){.range = "100ns..200ns"}, 0);
    ck_assert(trace_is_part(trace) && trace_has_outside(trace));
    shows(trace, 80, 180);
    ck_assert_int_eq(trace_last(trace) - trace_origin(trace), 280);
    char *lines = NULL;
    size_t n;
    FILE *f = open_memstream(&lines, &n);
    ck_assert(export_ndjson(trace, f));
    fclose(f);
    ck_assert(strstr(lines, "\"origin_ns\":20,\"span_ns\":100,"));
    free(lines);
    ck_assert_int_eq(trace_open_end(trace, 0, trace_begin(trace)), trace_end(trace));
    trace =
        part_of(trace, &(struct question_texts){.range = "0ns..30ns"}, REDACT_NAMES | REDACT_ARGS);
    shows(trace, 80, 110);
    ck_assert_uint_eq(blob_count(trace_blobs(trace)), 1);
    trace_free(trace);
}
END_TEST

/* A hang lasts to the end of its range, and a pause before the first event counts, too. */
START_TEST(a_part_lasts_as_long_as_its_range) {
    static const char hang[] = "magic\ninit 1000000000\n"
                               "instant 0 1/10 \"c\" \"start\"\n"
                               "complete 500 1/10 \"c\" \"work\" end=510\n"
                               "begin 600 1/10 \"c\" \"hang\"\n"
                               "instant 60000000000 1/11 \"c\" \"late\"\n";
    struct trace *trace =
        part_of(loaded_text(hang), &(struct question_texts){.range = "100ns..30s"}, 0);
    shows(trace, 0, 29999999900);
    ck_assert_int_eq(trace_open_end(trace, 0, 0), trace_end(trace));
    trace_free(trace);
    trace = part_of(loaded_text(hang), &(struct question_texts){.range = "0s..900s"}, 0);
    shows(trace, 0, 60000000000);
    trace_free(trace);
    trace = part_of(loaded_text(hang), &(struct question_texts){.range = "40s..50s"}, 0);
    shows(trace, 39999999400, 49999999400);
    trace_free(trace);
}
END_TEST

static char *top_of(struct trace *trace, const char *range) {
    const struct table_request request = {.format = FORMAT_CSV};
    struct question asked;
    struct err err;
    const char *wrong;
    char *text = NULL;
    size_t n;
    FILE *f = open_memstream(&text, &n);
    ck_assert(question_init(&asked, trace, &(struct question_texts){.range = range}, false, &wrong,
                            &err));
    ck_assert(top_print(trace, &asked, NAMES_TOTAL, &request, f));
    fclose(f);
    question_free(&asked);
    return text;
}

/* The numbers of a range are those of the part: totals do not reach out of it. */
START_TEST(a_range_of_a_part_counts_as_one_of_the_trace) {
    struct trace *trace = loaded_text(trace_text);
    char *want = top_of(trace, "100ns..200ns"), *got;
    trace = part_of(trace, &(struct question_texts){.range = "100ns..200ns"}, 0);
    got = top_of(trace, "0%..100%");
    ck_assert_str_eq(want, got);
    free(want);
    free(got);
    trace_free(trace);
}
END_TEST

static void counts_the_same(const char *text, const char *range) {
    struct trace *trace = loaded_text(text);
    char *want = top_of(trace, range), *got;
    trace = part_of(trace, &(struct question_texts){.range = range}, 0);
    got = top_of(trace, "0%..100%");
    ck_assert_msg(strcmp(want, got) == 0, "%s: want\n%sgot\n%s", range, want, got);
    free(want);
    free(got);
    trace_free(trace);
}

/* An end with the name of `main` ends what is inside of it, because records were lost. The part has
 * neither the loss, nor always `main`. */
START_TEST(ends_close_the_same_slices_in_a_part) {
    static const char text[] = "magic\nprovider 1 \"p\"\ninit 1000000000\n"
                               "begin 0 1/10 \"c\" \"main\"\n"
                               "begin 5 1/10 \"c\" \"loop\"\n"
                               "begin 10 1/10 \"c\" \"step\"\n"
                               "begin 15 1/10 \"c\" \"part\"\n"
                               "provider_event 1 0\n"
                               "end 60 1/10 \"c\" \"loop\"\n"
                               "complete 70 1/10 \"c\" \"x\" end=80\n"
                               "end 75 1/10 \"c\" \"stray\"\n"
                               "end 100 1/10 \"c\" \"main\"\n"
                               "instant 200 1/10 \"c\" \"late\"\n";
    counts_the_same(text, "50ns..150ns");
    char *got = part_of_text(text, &(struct question_texts){.filter = "name=step,part"}, 0);
    ck_assert_msg(strstr(got, "\"name\":\"step\",\"ts\":0,\"dur\":50,") &&
                      strstr(got, "\"name\":\"part\",\"ts\":5,\"dur\":45,"),
                  "%s", got);
    free(got);
}
END_TEST

/* Switches of a CPU that are not in the order of their times: at the edges of the range some of
 * them would come after those that are later. */
START_TEST(switches_in_any_order_leave_the_runs) {
    static const char text[] = "magic\ninit 1000000000\n"
                               "instant 0 1/11 \"c\" \"i\"\n"
                               "instant 0 1/14 \"c\" \"i\"\n"
                               "switch 60 1 11 3 0\n"
                               "switch 50 1 0 1 11\n"
                               "switch 40 1 14 3 0\n"
                               "switch 30 1 12 3 14\n"
                               "switch 20 1 11 3 12\n"
                               "switch 5 1 0 1 11\n"
                               "instant 50 1/12 \"c\" \"i\"\n";
    char *got = part_of_text(text, &(struct question_texts){.range = "20ns..35ns"}, 0);
    ck_assert_msg(
        strstr(got, "\"cpu\":1,\"pid\":1,\"tid\":12,\"ts\":15,\"dur\":10,") &&
            strstr(got,
                   "\"cpu\":1,\"pid\":1,\"tid\":14,\"ts\":25,\"dur\":5,\"end_state\":\"blocked\""),
        "%s", got);
    free(got);
}
END_TEST

/* `old` ended with the first life of the thread, `job` is of the next one. The flow keeps `old` in
 * the part, and its end with it. */
START_TEST(a_life_before_the_range_ends_nothing_in_it) {
    static const char text[] = "magic\ninit 1000000000\n"
                               "begin 0 1/11 \"c\" \"old\"\n%s"
                               "switch 2 0 0 1 11\n"
                               "switch 10 0 11 5 0\n"
                               "begin 20 1/11 \"c\" \"job\"\n"
                               "complete 30 1/11 \"c\" \"part\" end=90\n"
                               "%s"
                               "instant 100 1/11 \"c\" \"end\"\n";
    static const char *const more[][2] = {
        {"", ""},
        {"flow_begin 1 1/11 \"c\" \"f\" id=1\n", "flow_end 50 1/11 \"c\" \"f\" id=1\n"},
        {"", "switch 60 0 0 1 11\n"}};
    for (size_t i = 0; i < sizeof more / sizeof *more; i++) {
        char all[1000];
        snprintf(all, sizeof all, text, more[i][0], more[i][1]);
        counts_the_same(all, "40ns..80ns");
    }
}
END_TEST

/* The thread lived before its first slice in the range, or after a death in it: shares are of that
 * time. */
START_TEST(shares_of_a_part_are_of_the_same_lives) {
    static const char *const texts[] = {"complete 0 1/11 \"c\" \"a\" end=10\n"
                                        "complete 50 1/11 \"c\" \"b\" end=60\n"
                                        "complete 90 1/11 \"c\" \"a\" end=100\n",
                                        "instant 0 1/12 \"c\" \"i\"\n"
                                        "async_end 33 1/11 \"c\" \"op\" id=1\n"
                                        "complete 50 1/11 \"c\" \"b\" end=60\n"
                                        "instant 100 1/12 \"c\" \"i\"\n",
                                        "instant 0 1/12 \"c\" \"i\"\n"
                                        "complete 0 1/12 \"c\" \"a\" end=100\n"
                                        "switch 5 0 11 5 0\n"
                                        "complete 20 1/11 \"c\" \"b\" end=20\n"
                                        "instant 100 1/12 \"c\" \"i\"\n",
                                        "switch 15 0 0 1 11\n"
                                        "complete 50 1/11 \"c\" \"b\" end=60\n"
                                        "switch 65 0 11 5 0\n"
                                        "complete 90 1/11 \"c\" \"a\" end=100\n",
                                        /* scheduling after the range alone */
                                        "instant 0 1/12 \"c\" \"i\"\n"
                                        "complete 50 1/11 \"c\" \"b\" end=60\n"
                                        "switch 90 0 0 1 11\n"
                                        "instant 100 1/12 \"c\" \"i\"\n",
                                        /* the last that is known is a wakeup before the range */
                                        "switch 0 0 0 1 11\n"
                                        "switch 5 0 11 3 0\n"
                                        "wakeup 10 0 11\n"
                                        "complete 50 1/11 \"c\" \"b\" end=60\n"
                                        "instant 100 1/12 \"c\" \"i\"\n"};
    for (size_t i = 0; i < sizeof texts / sizeof *texts; i++) {
        char text[1000];
        snprintf(text, sizeof text, "magic\ninit 24000000\n%s", texts[i]);
        counts_the_same(text, "833ns..3333ns");
        snprintf(text, sizeof text, "magic\ninit 1000000000\n%s", texts[i]);
        counts_the_same(text, "20ns..80ns");
        struct trace *part = part_of(loaded_text(text),
                                     &(struct question_texts){.range = "20ns..80ns"}, REDACT_NAMES);
        ck_assert_uint_eq(blob_count(trace_blobs(part)), 1);
        trace_free(part);
    }
}
END_TEST

/* Times of more than 2^64 ns. */
START_TEST(a_part_of_a_late_clock_is_as_any) {
    static const char text[] =
        "magic\ninit 24000000\n"
        "complete 1000000000000000000 1/11 \"c\" \"a\" end=1000000000000000000\n"
        "switch 1000000000000000010 0 0 1 11\n"
        "begin 1000000000000000051 1/11 \"c\" \"b\"\n"
        "complete 1000000000000000060 1/11 \"c\" \"b\" end=1000000000000000061\n"
        "switch 1000000000000000080 0 11 3 0\n";
    counts_the_same(text, "2025ns..2512ns");
    char *got = part_of_text(text, &(struct question_texts){.range = "2100ns..2500ns"}, 0);
    ck_assert_msg(strstr(got, "\"tid\":11,\"ts\":0,\"dur\":416,\"state\":\"running\""), "%s", got);
    free(got);
}
END_TEST

/* A slice without length at the end of the range is in it if that is the end of the trace. A flow
 * keeps the one that is not, a damaged time is after the one that is. */
START_TEST(the_end_of_a_part_is_that_of_its_range) {
    char text[4000];
    size_t n = (size_t)snprintf(text, sizeof text, "magic\ninit 1000000000\n");
    for (int i = 0; i < 30; i++)
        n += (size_t)snprintf(text + n, sizeof text - n, "instant %lld 1/1 \"c\" \"i\"\n%s",
                              i == 20 ? 1LL << 45 : i,
                              i == 4 ? "flow_begin 4 1/1 \"c\" \"f\" id=1\n" : "");
    snprintf(text + n, sizeof text - n,
             "complete 30 1/1 \"c\" \"a\" end=30\n"
             "flow_end 30 1/1 \"c\" \"f\" id=1\n"
             "complete 40 1/1 \"c\" \"a\" end=40\n");
    counts_the_same(text, "2ns..30ns");
    counts_the_same(text, "2ns..40ns");
    counts_the_same(text, "2ns..900s");
}
END_TEST

/* A writer that sorts by begin, as its first half shows: the order of the whole means nothing. */
static char *early_parents(void) {
    char *text = NULL;
    size_t n;
    FILE *f = open_memstream(&text, &n);
    fprintf(f, "magic\ninit 1000000000\n");
    for (int i = 0; i < 200; i++) {
        fprintf(f, "complete %d 1/10 \"c\" \"req\" end=%lld\n", 1000 * i,
                i == 150 ? 30000000000LL : 1000LL * i + 900);
        if (i < 100 && i % 10 == 0)
            fprintf(f, "complete %d 1/10 \"c\" \"child\" end=%d\n", 1000 * i + 10, 1000 * i + 90);
    }
    fclose(f);
    return text;
}

/* A part is not judged again: neither one of a range, nor one of a filter, nor a copy of it. */
START_TEST(a_sound_slice_is_not_damaged_in_a_part) {
    char *text = early_parents();
    counts_the_same(text, "120us..180us");
    struct trace *trace =
        part_of(loaded_text(text), &(struct question_texts){.filter = "name=req"}, 0);
    ck_assert_uint_eq(trace_damaged_times(trace), 0);
    trace = part_of(trace, &(struct question_texts){.filter = "dur>500ns"}, REDACT_NAMES);
    ck_assert_uint_eq(trace_damaged_times(trace), 0);
    trace_free(trace);
    free(text);
}
END_TEST

/* A slice without a known end is bounded by the one around it, which is not in the range. */
START_TEST(a_slice_without_a_known_end_is_as_long_in_a_part) {
    static const char text[] = "magic\ninit 1000000000\n"
                               "begin 0 1/10 \"c\" \"around\"\n"
                               "complete 50 1/10 \"c\" \"unended\" end=18446744073709551615\n"
                               "end 50 1/10 \"c\" \"\"\n"
                               "complete 80 1/10 \"c\" \"next\" end=90\n"
                               "instant 200 1/10 \"c\" \"late\"\n";
    counts_the_same(text, "50ns..100ns");
}
END_TEST

/* After the end of a life a wakeup makes no state known, in the part as in the whole. The wakeup of
 * thread 12 is before a record of an earlier time in the file. */
START_TEST(states_from_before_the_range_are_those_of_the_whole) {
    static const char text[] = "magic\ninit 1000000000\n"
                               "instant 0 1/11 \"c\" \"i\"\ninstant 0 1/12 \"c\" \"i\"\n"
                               "switch 5 1 12 3 13\n"
                               "switch 7 0 11 4 0\n"
                               "wakeup 10 0 12\n"
                               "wakeup 11 0 11\n"
                               "switch 6 1 12 3 0\n"
                               "instant 50 1/12 \"c\" \"i\"\n";
    char *got = part_of_text(text, &(struct question_texts){.range = "20ns..40ns"}, 0);
    ck_assert_msg(strstr(got, "\"dur\":null,\"state\":\"runnable\""), "%s", got);
    ck_assert_msg(strstr(got, "\"dur\":null,\"state\":\"unknown\""), "%s", got);
    ck_assert_msg(!strstr(got, "\"dur\":null,\"state\":\"blocked\""), "%s", got);
    free(got);
}
END_TEST

/* The sample at 50 is blocked, so its stack lasts into the range. The one at 150 lasts until the
 * one at 210, after the range. The one at 20 is over. */
START_TEST(samples_of_a_part_are_those_of_the_whole) {
    static const char text[] = "magic\ninit 1000000000\n"
                               "blob \"samples\" 1 \"period 40\\n\"\n"
                               "backtrace 20 1/10 0x1\n"
                               "backtrace 50 1/10 0x2\n"
                               "switch 50 0 10 3 11\n"
                               "switch 145 0 11 3 10\n"
                               "backtrace 150 1/10 0x3\n"
                               "backtrace 210 1/10 0x4\n"
                               "backtrace 250 1/10 0x5\n";
    char *got = part_of_text(text, &(struct question_texts){.range = "80ns..180ns"}, 0);
    ck_assert_msg(!strstr(got, "0x1\"") && !strstr(got, "0x5\""), "%s", got);
    ck_assert_msg(strstr(got, "\"name\":\"0x2\",\"ts\":0,\"dur\":100,"), "%s", got);
    ck_assert_msg(strstr(got, "\"name\":\"0x3\",\"ts\":100,\"dur\":60,"), "%s", got);
    free(got);
}
END_TEST

/* Thread 10 is dying and runs after the range, so that its slice goes on. */
START_TEST(who_runs_after_the_range_is_not_dead_in_it) {
    static const char text[] = "magic\ninit 1000000000\n"
                               "begin 0 1/10 \"c\" \"open\"\n"
                               "switch 5 0 0 1 10\n"
                               "switch 50 0 10 4 11\n"
                               "switch 150 0 11 3 10\n"
                               "switch 160 0 10 3 11\n"
                               "instant 200 1/11 \"c\" \"late\"\n";
    counts_the_same(text, "20ns..100ns");
    counts_the_same(text, "60ns..100ns");
}
END_TEST

/* Two threads take turns on a CPU each us; switch 50 has a damaged time. A part with the place at
 * which it is missing has no run of 2 us there. */
START_TEST(what_a_damaged_switch_hides_stays_unknown) {
    static const struct {
        const char *range;
        bool hides;
    } cases[] = {{"40000ns..60000ns", true}, {"49500ns..50500ns", true}, {"50200ns..200us", true},
                 {"0..50500ns", true},       {"10us..49us", false},      {"51us..70us", false}};
    char text[9000];
    size_t n = (size_t)snprintf(text, sizeof text, "magic\ninit 1000000000\n");
    for (int i = 0; i < 100; i++)
        n += (size_t)snprintf(text + n, sizeof text - n,
                              "switch %lld 0 %d 3 %d\ninstant %d 1/%d \"c\" \"i\"\n",
                              i == 50 ? 1000000000000000LL : 1000LL * i, 11 + i % 2, 12 - i % 2,
                              1000 * i + 100, 11 + i % 2);
    for (size_t k = 0; k < sizeof cases / sizeof *cases; k++) {
        struct trace *part =
            part_of(loaded_text(text), &(struct question_texts){.range = cases[k].range}, 0);
        const struct lane *runs = &sched_cpu(trace_sched(part), 0)->lane;
        ck_assert_msg((trace_damaged_states(part) > 0) == cases[k].hides, "%s", cases[k].range);
        for (uint32_t i = 0; i + 1 < runs->n; i++)
            ck_assert_msg(trace_damaged_run(part, runs, i) || lane_dur(runs, i) <= 1000, "%s",
                          cases[k].range);
        trace_free(part);
    }
}
END_TEST

/* The begin of slice 50 has a damaged time. It belongs to a part with the place at which it is
 * missing, whose answers are not sure then. */
START_TEST(a_slice_with_a_damaged_begin_is_in_its_part) {
    static const struct {
        const char *range;
        bool has;
    } cases[] = {{"40us..60us", true},
                 {"50us..50600ns", true},
                 {"10us..49us", false},
                 {"52us..70us", false}};
    char text[9000];
    size_t n = (size_t)snprintf(text, sizeof text, "magic\ninit 1000000000\n");
    for (int i = 0; i < 100; i++)
        n += (size_t)snprintf(text + n, sizeof text - n,
                              "begin %lld 1/1 \"c\" \"req\"\nend %d 1/1 \"c\" \"req\"\n",
                              i == 50 ? 1LL << 45 : 1000LL * i, 1000 * i + 500);
    for (size_t k = 0; k < sizeof cases / sizeof *cases; k++) {
        struct trace *part =
            part_of(loaded_text(text), &(struct question_texts){.range = cases[k].range}, 0);
        ck_assert_msg((trace_damaged_slices(part) > 0) == cases[k].has, "%s", cases[k].range);
        trace_free(part);
    }
}
END_TEST

/* ---- states and runs, ns by ns ---- */

#define LAST 60 /* ns of a random trace */
#define PERSONS 4
#define CPUS 3

static bool on_another(const uint64_t on[CPUS], uint64_t cpu, uint64_t thread) {
    for (uint64_t k = 0; k < CPUS; k++)
        if (k != cpu && thread != 0 && on[k] == thread)
            return true;
    return false;
}

/* Without wrong switches or with several of a thread at once, which may not share a time with
 * others, nor with a death. */
static void throw_text(struct chance *c, char *text, size_t size) {
    static const int states[] = {1, 3, 3, 4, 5};
    uint64_t threads = 1 + below(c, PERSONS), cpus = 1 + below(c, CPUS), on[CPUS] = {0};
    bool wrong = below(c, 2), mixed = !wrong && below(c, 3) == 0;
    uint64_t deadly = wrong || below(c, 3) == 0 ? 3 : 5;
    size_t n = (size_t)snprintf(text, size, "magic\ninit 1000000000\n");
    if (below(c, 2))
        n += (size_t)snprintf(text + n, size - n, "instant 0 1/99 \"c\" \"i\"\n");
    int64_t now = 0;
    for (uint64_t k = 1 + below(c, 14); k > 0; k--) {
        uint64_t cpu = below(c, cpus), in = below(c, threads + 1);
        uint64_t out = wrong && below(c, 6) == 0 ? below(c, threads + 1) : on[cpu];
        int64_t earlier = mixed ? (int64_t)below(c, 6) : 0;
        now += (wrong ? 1 : 0) + (int64_t)(below(c, 3) * below(c, 8));
        int64_t time = now > earlier ? now - earlier : now;
        if (time >= LAST)
            break;
        if (below(c, 4) == 0) {
            n += (size_t)snprintf(text + n, size - n, "wakeup %lld 0 %llu\n", (long long)time,
                                  11 + (unsigned long long)below(c, threads));
            continue;
        }
        if (!wrong && on_another(on, cpu, in))
            in = 0;
        n += (size_t)snprintf(text + n, size - n, "switch %lld %llu %llu %d %llu%s%s\n",
                              (long long)time, (unsigned long long)cpu,
                              (unsigned long long)(out ? 10 + out : 0), states[below(c, deadly)],
                              (unsigned long long)(in ? 10 + in : 0),
                              out ? "" : " outgoing_weight=i32:-2147483648",
                              in ? "" : " incoming_weight=i32:-2147483648");
        on[cpu] = in;
    }
    snprintf(text + n, size - n, "instant %d 1/99 \"c\" \"i\"\n", LAST);
}

/* The state that a thread has at a time of the trace's clock; UINT32_MAX: none. */
static uint32_t state_then(const struct trace *trace, uint64_t tid, int64_t at) {
    const struct sched *sched = trace_sched(trace);
    at -= (int64_t)reader_base(trace_reader(trace)).lo;
    for (size_t k = 0; k < sched_thread_count(sched); k++) {
        const struct sched_thread *t = sched_thread_at(sched, k);
        if (trace_thread(trace, t->thread)->id.tid != tid)
            continue;
        uint32_t i = lane_before(&t->lane, at);
        return i == UINT32_MAX ? i : sched_life_word(t, i);
    }
    return UINT32_MAX;
}

/* The thread that runs on a CPU; 0: none, or the idle thread. */
static uint64_t runner_then(const struct trace *trace, uint16_t number, int64_t at) {
    uint32_t place = sched_cpu_place(trace_sched(trace), 0, number);
    at -= (int64_t)reader_base(trace_reader(trace)).lo;
    if (place == UINT32_MAX)
        return 0;
    const struct sched_cpu *cpu = sched_cpu(trace_sched(trace), place);
    uint32_t i = lane_before(&cpu->lane, at);
    if (i == UINT32_MAX || slice_end(lane_at(&cpu->lane, i)) <= at)
        return 0;
    return trace_thread(trace, sched_run(cpu, i).thread)->id.tid;
}

START_TEST(states_and_runs_of_a_part_are_those_of_each_ns) {
    struct chance chance = {1618 + (uint64_t)_i};
    for (int set = 0; set < 60; set++) {
        char text[4000], range[40];
        uint32_t states[LAST][PERSONS];
        uint64_t runners[LAST][CPUS];
        throw_text(&chance, text, sizeof text);
        struct trace *trace = loaded_text(text);
        int64_t first = trace_origin(trace) + (int64_t)reader_base(trace_reader(trace)).lo;
        int64_t from = first + (int64_t)below(&chance, (uint64_t)(LAST - first)),
                to = from + 1 + (int64_t)below(&chance, (uint64_t)(LAST - from));
        for (int64_t t = from; t < to; t++) {
            for (uint16_t k = 0; k < PERSONS; k++)
                states[t][k] = state_then(trace, 11 + k, t);
            for (uint16_t k = 0; k < CPUS; k++)
                runners[t][k] = runner_then(trace, k, t);
        }
        snprintf(range, sizeof range, "%lldns..%lldns", (long long)(from - first),
                 (long long)(to - first));
        trace = part_of(trace, &(struct question_texts){.range = range}, 0);
        for (int64_t t = from; t < to; t++) {
            for (uint16_t k = 0; k < PERSONS; k++) {
                uint32_t got = state_then(trace, 11 + k, t);
                ck_assert_msg(got == states[t][k], "%d of %d at %lld: %d, wants %d; %s\n%s", set,
                              11 + k, (long long)t, (int)got, (int)states[t][k], range, text);
            }
            for (uint16_t k = 0; k < CPUS; k++)
                ck_assert_msg(runner_then(trace, k, t) == runners[t][k], "%d on %d at %lld; %s\n%s",
                              set, k, (long long)t, range, text);
        }
        trace_free(trace);
    }
}
END_TEST

/* Texts of the first blob: only a range that does not end before the first event counts. */
static const struct {
    const char *name, *text;
    bool is;
    int64_t begin, end;
} ranges[] = {
    {"range of the part", "100 to 200 ns", true, 80, 180},
    {"range of the part", "100 to 200 ns, end included", true, 80, 180},
    {"range of the part", "100 to 200 ns, end", false, 0, 380},
    {"range of the part", "500 to 600 ns", true, 480, 580},
    {"range of the part", "5 to 30 ns", true, 0, 25},
    {"range of the part", "5 to 20 ns", true, 0, 15},
    {"range of the part", "5 to 19 ns", false, 0, 380},
    {"range of the part", "0 to 99999999999999999999999999999999999999 ns", true, 0, INT64_MAX},
    {"range of the part", "0 to 999999999999999999999999999999999999999 ns", false, 0, 380},
    {"range of the part", "200 to 200 ns", false, 0, 380},
    {"range of the part", "-1 to 200 ns", false, 0, 380},
    {"range of the part", "100 to 200 ns100 to 300 ns", false, 0, 380},
    {"range of the part", "100 to  ns", false, 0, 380},
    {"range of the part", "", false, 0, 380},
    {"range", "100 to 200 ns", false, 0, 380},
};

START_TEST(another_text_is_no_range) {
    char text[2000];
    snprintf(text, sizeof text, "magic\ninit 1000000000\nblob \"%s\" 1 \"%s\"\n%s", ranges[_i].name,
             ranges[_i].text, strstr(trace_text, "begin 20"));
    struct trace *trace = loaded_text(text);
    ck_assert_msg(trace_is_part(trace) == ranges[_i].is, "%s", ranges[_i].text);
    ck_assert_int_le(trace_begin(trace), trace_end(trace));
    shows(trace, ranges[_i].begin, ranges[_i].end);
    trace_free(trace);
}
END_TEST

SUITE(cut) {
    Suite *s = suite_create("cut");
    TCase *c = tcase_create("cut");
    suite_add_tcase(s, c);
    tcase_add_test(c, what_lasts_into_the_range_begins_with_it);
    tcase_add_test(c, tracks_and_filters_leave_out_the_others);
    tcase_add_test(c, a_thread_id_of_two_processes_stays_with_the_first);
    tcase_add_test(c, texts_are_redacted);
    tcase_add_test(c, a_part_is_shown_in_its_range);
    tcase_add_test(c, a_part_lasts_as_long_as_its_range);
    tcase_add_test(c, a_range_of_a_part_counts_as_one_of_the_trace);
    tcase_add_test(c, ends_close_the_same_slices_in_a_part);
    tcase_add_test(c, switches_in_any_order_leave_the_runs);
    tcase_add_test(c, a_life_before_the_range_ends_nothing_in_it);
    tcase_add_test(c, shares_of_a_part_are_of_the_same_lives);
    tcase_add_test(c, a_part_of_a_late_clock_is_as_any);
    tcase_add_test(c, the_end_of_a_part_is_that_of_its_range);
    tcase_add_test(c, a_sound_slice_is_not_damaged_in_a_part);
    tcase_add_test(c, a_slice_without_a_known_end_is_as_long_in_a_part);
    tcase_add_test(c, states_from_before_the_range_are_those_of_the_whole);
    tcase_add_test(c, samples_of_a_part_are_those_of_the_whole);
    tcase_add_test(c, who_runs_after_the_range_is_not_dead_in_it);
    tcase_add_test(c, what_a_damaged_switch_hides_stays_unknown);
    tcase_add_test(c, a_slice_with_a_damaged_begin_is_in_its_part);
    tcase_add_loop_test(c, states_and_runs_of_a_part_are_those_of_each_ns, 0, 5);
    tcase_add_loop_test(c, another_text_is_no_range, 0, (int)(sizeof ranges / sizeof *ranges));
    return s;
}
