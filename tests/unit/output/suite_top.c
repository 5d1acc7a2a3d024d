/* suite_top.c - --top to the letter in each format, and the tables for a reader (relation_print.c).
 * The numbers are those of suite_names_table.c; tests/tools/check_top.py computes them again from
 * the export. */
#include "model/output/top.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "tests/unit/lib/loaded.h"
#include "tests/unit/lib/suites.h"

#define HEADER                                                                                     \
    "name,count,open,total_ns,self_ns,min_ns,avg_ns,p50_ns,p90_ns,p95_ns,p99_ns,max_ns,share,"     \
    "running_ns,samples,about_self_ns,self_samples,off_cpu_ns\r\n"

/* Thread time is 30. The mean of "a" is 10.5. */
static const char text[] = "magic\n"
                           "complete 0 3/4 \"\" \"a\" end=10\n"
                           "complete 10 3/4 \"\" \"a\" end=21\n"
                           "complete 12 3/4 \"\" \"b\" end=20\n"
                           "begin 25 3/4 \"\" \"c\"\n"
                           "instant 30 3/4 \"\" \"point\"\n";

struct asking {
    struct question_texts texts;
    enum names_column by;
    struct table_request request;
};

static char *answer(struct trace *trace, const struct asking *asking) {
    char *out = NULL;
    size_t n;
    struct question asked;
    struct err err;
    const char *wrong;
    FILE *f = open_memstream(&out, &n);
    ck_assert_ptr_nonnull(f);
    ck_assert(question_init(&asked, trace, &asking->texts, false, &wrong, &err));
    ck_assert(top_print(trace, &asked, asking->by, &asking->request, f));
    question_free(&asked);
    fclose(f);
    return out;
}

static void check(const char *traced, const struct asking *asking, const char *wanted) {
    struct trace *trace = loaded_text(traced);
    char *got = answer(trace, asking);
    ck_assert_str_eq(got, wanted);
    free(got);
    trace_free(trace);
}

START_TEST(csv_has_the_header_and_a_row_a_name) {
    check(text, &(struct asking){.by = NAMES_TOTAL, .request.format = FORMAT_CSV},
          HEADER "\"a\",2,0,21,13,10,11,10,11,11,11,11,0.7000,,,,,\r\n"
                 "\"b\",1,0,8,8,8,8,8,8,8,8,8,0.2667,,,,,\r\n"
                 "\"c\",1,1,5,5,,,,,,,,0.1667,,,,,\r\n");
    check(text, &(struct asking){.by = NAMES_COUNT, .request = {.format = FORMAT_CSV, .most = 1}},
          HEADER "\"a\",2,0,21,13,10,11,10,11,11,11,11,0.7000,,,,,\r\n");
    check(text,
          &(struct asking){.by = NAMES_P99, .texts.filter = "!a", .request.format = FORMAT_CSV},
          HEADER "\"b\",1,0,8,8,8,8,8,8,8,8,8,0.2667,,,,,\r\n"
                 "\"c\",1,1,5,5,,,,,,,,0.1667,,,,,\r\n");
    check(text,
          &(struct asking){
              .texts.filter = "nothing", .by = NAMES_TOTAL, .request.format = FORMAT_CSV},
          HEADER);
    check("magic\n", &(struct asking){.by = NAMES_TOTAL, .request.format = FORMAT_CSV}, HEADER);
}
END_TEST

/* 15 to 25 has 5 of b, 6 of a, 1 of it alone, and c begins at its end, which is not in it.
 * Durations are whole. */
START_TEST(a_range_trims_sums_and_no_durations) {
    check(text,
          &(struct asking){
              .texts.range = "15ns..25ns", .by = NAMES_TOTAL, .request.format = FORMAT_CSV},
          HEADER "\"a\",1,0,6,1,11,11,11,11,11,11,11,0.6000,,,,,\r\n"
                 "\"b\",1,0,5,5,8,8,8,8,8,8,8,0.5000,,,,,\r\n");
    check(text,
          &(struct asking){
              .texts.range = "20ns..30ns", .by = NAMES_TOTAL, .request.format = FORMAT_CSV},
          HEADER "\"c\",1,1,5,5,,,,,,,,0.5000,,,,,\r\n"
                 "\"a\",1,0,1,1,11,11,11,11,11,11,11,0.1000,,,,,\r\n");
    check(
        text,
        &(struct asking){.texts.tracks = "tid=5", .by = NAMES_TOTAL, .request.format = FORMAT_CSV},
        HEADER);
}
END_TEST

/* Frames of a profiler on thread 5: f within f counts its samples once, at one time by the order in
 * the file; "a" is measured on thread 4, and sampled, too. */
static const char sampled[] =
    "magic\n"
    "complete 0 3/4 \"\" \"a\" end=7\n"
    "begin 0 3/5 \"sampled\" \"a\"\nbegin 0 3/5 \"sampled\" \"f\"\n"
    "begin 0 3/5 \"sampled\" \"f\"\ninstant 0 3/5 \"sampled\" \"sample\"\n"
    "instant 2 3/5 \"sampled\" \"sample\"\n"
    "end 4 3/5 \"sampled\" \"\"\nend 4 3/5 \"sampled\" \"\"\n"
    "instant 4 3/5 \"sampled\" \"sample\"\ninstant 5 3/5 \"sampled\" \"other\"\n"
    "end 6 3/5 \"sampled\" \"\"\ninstant 6 3/5 \"sampled\" \"sample\"\n"
    "begin 8 3/5 \"sampled\" \"f\"\ninstant 8 3/5 \"sampled\" \"sample\"\n"
    "end 10 3/5 \"sampled\" \"\"\n";

START_TEST(sampled_names_have_samples_in_place_of_times) {
    check(sampled, &(struct asking){.by = NAMES_P99, .request.format = FORMAT_CSV},
          HEADER "\"a\",1,0,7,7,7,7,7,7,7,7,7,0.3500,,,,,\r\n"
                 "\"a\",,,,,,,,,,,,,,3,2,1,0\r\n"
                 "\"f\",,,,,,,,,,,,,,3,6,3,0\r\n");
    check(sampled,
          &(struct asking){.texts = {.filter = "f", .range = "2ns..8ns"},
                           .by = NAMES_TOTAL,
                           .request.format = FORMAT_CSV},
          HEADER "\"f\",,,,,,,,,,,,,,1,2,1,0\r\n");
    check(sampled, &(struct asking){.texts.tracks = "tid=5", .by = NAMES_TOTAL},
          "whole trace 10 ns, 1 of 2 tracks: 0 slices of 0 names, 2 sampled; thread time 10 ns\n"
          "name  samples  ~self  self samples\n"
          "a           3   2 ns             1\n"
          "f           3   6 ns             3\n");
}
END_TEST

START_TEST(equal_ones_are_in_the_order_of_their_names) {
    check("magic\ncomplete 0 3/4 \"\" \"z\" end=2\ncomplete 2 3/4 \"\" \"Z\" end=4\ncomplete 4 3/4 "
          "\"\" \"=a\" end=6\n",
          &(struct asking){.by = NAMES_TOTAL, .request.format = FORMAT_CSV},
          HEADER "\"'=a\",1,0,2,2,2,2,2,2,2,2,2,0.3333,,,,,\r\n"
                 "\"Z\",1,0,2,2,2,2,2,2,2,2,2,0.3333,,,,,\r\n"
                 "\"z\",1,0,2,2,2,2,2,2,2,2,2,0.3333,,,,,\r\n");
    /* The first 8 bytes are the same, or all there are. */
    check(
        "magic\ncomplete 0 3/4 \"\" \"overlay::b\" end=2\ncomplete 2 3/4 \"\" \"overlay::\" end=4\n"
        "complete 4 3/4 \"\" \"overlay::a\" end=6\ncomplete 6 3/4 \"\" \"over\" end=8\n",
        &(struct asking){.by = NAMES_TOTAL, .request.format = FORMAT_CSV},
        HEADER "\"over\",1,0,2,2,2,2,2,2,2,2,2,0.2500,,,,,\r\n"
               "\"overlay::\",1,0,2,2,2,2,2,2,2,2,2,0.2500,,,,,\r\n"
               "\"overlay::a\",1,0,2,2,2,2,2,2,2,2,2,0.2500,,,,,\r\n"
               "\"overlay::b\",1,0,2,2,2,2,2,2,2,2,2,0.2500,,,,,\r\n");
}
END_TEST

/* The thread runs from 5 on. */
START_TEST(running_time_is_that_within_the_slices) {
    check("magic\ncomplete 0 3/4 \"\" \"a\" end=10\nswitch 5 0 9 2 4\nswitch 8 0 4 2 9\ncomplete 0 "
          "3/6 \"\" \"b\" end=10\n",
          &(struct asking){.by = NAMES_RUNNING, .request.format = FORMAT_CSV},
          HEADER "\"a\",1,0,10,10,10,10,10,10,10,10,10,0.5000,3,,,,\r\n"
                 "\"b\",1,0,10,10,10,10,10,10,10,10,10,0.5000,,,,,\r\n");
}
END_TEST

START_TEST(ndjson_has_the_same_names) {
    check(
        text,
        &(struct asking){.texts.filter = "!a", .by = NAMES_TOTAL, .request.format = FORMAT_NDJSON},
        "{\"name\":\"b\",\"count\":1,\"open\":0,\"total_ns\":8,\"self_ns\":8,\"min_ns\":8,\"avg_"
        "ns\":8,\"p50_ns\":8,"
        "\"p90_ns\":8,\"p95_ns\":8,\"p99_ns\":8,\"max_ns\":8,\"share\":0.2667}\n"
        "{\"name\":\"c\",\"count\":1,\"open\":1,\"total_ns\":5,\"self_ns\":5,\"share\":0.1667}\n");
    check(text,
          &(struct asking){
              .texts.filter = "nothing", .by = NAMES_TOTAL, .request.format = FORMAT_NDJSON},
          "");
}
END_TEST

START_TEST(a_reader_is_told_of_what_the_numbers_are) {
    static const char hostile[] =
        "magic\ncomplete 0 3/4 \"\" \"a|b\\e[2J\\n\" end=20\n"
        "complete 2 3/4 \"\" \"0123456789012345678901234567890123456789012345678901234\" end=4\n";
    check(hostile,
          &(struct asking){.texts.range = "0..10ns",
                           .texts.filter = "dur>1ns",
                           .by = NAMES_TOTAL,
                           .request = {.format = FORMAT_TABLE, .ascii = true}},
          "range 10 ns, +0 ns to +10 ns, filter: dur>1ns: 2 slices of 2 names; thread time 10 ns\n"
          "name                                              count  open  total  self    min    "
          "avg    p50    p90    p95  "
          "  p99    max  of time  running\n"
          "a|b?[2J?                                              1     0  10 ns  8 ns  20 ns  20 "
          "ns  20 ns  20 ns  20 ns  "
          "20 ns  20 ns   100.0%        -\n"
          "0123456789012345678901234567890123456789012345..      1     0   2 ns  2 ns   2 ns   2 "
          "ns   2 ns   2 ns   2 ns  "
          " 2 ns   2 ns    20.0%        -\n");
    check(
        hostile,
        &(struct asking){.texts.filter = "dur>9ns",
                         .texts.tracks = "tid=4",
                         .by = NAMES_TOTAL,
                         .request = {.format = FORMAT_MARKDOWN, .ascii = true}},
        "whole trace 20 ns, 1 of 1 tracks, filter: dur>9ns: 1 slice of 1 name; thread time 20 "
        "ns\n\n"
        "| name | count | open | total | self | min | avg | p50 | p90 | p95 | p99 | max | of time "
        "| running |\n"
        "|---|---:|---:|---:|---:|---:|---:|---:|---:|---:|---:|---:|---:|---:|\n"
        "| a\\|b?\\[2J? | 1 | 0 | 20 ns | 18 ns | 20 ns | 20 ns | 20 ns | 20 ns | 20 ns | 20 ns "
        "| 20 ns | 100.0% | - |\n");
}
END_TEST

SUITE(top) {
    Suite *s = suite_create("top");
    TCase *c = tcase_create("top");
    tcase_add_test(c, csv_has_the_header_and_a_row_a_name);
    tcase_add_test(c, a_range_trims_sums_and_no_durations);
    tcase_add_test(c, sampled_names_have_samples_in_place_of_times);
    tcase_add_test(c, equal_ones_are_in_the_order_of_their_names);
    tcase_add_test(c, running_time_is_that_within_the_slices);
    tcase_add_test(c, ndjson_has_the_same_names);
    tcase_add_test(c, a_reader_is_told_of_what_the_numbers_are);
    suite_add_tcase(s, c);
    return s;
}
