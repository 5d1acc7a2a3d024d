/* suite_longest.c - --instances to the letter: order, states, arguments, open slices; and --summary
 * of a range. The numbers are those of suite_instances.c; tests/tools/check_top.py computes them
 * again from the export. */
#include "model/output/longest.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "model/output/report.h"
#include "tests/unit/lib/loaded.h"
#include "tests/unit/lib/suites.h"

#define HEADER                                                                                     \
    "name,pid,tid,thread,ts_ns,dur_ns,open,self_ns,depth,running_ns,runnable_ns,blocked_ns,other_" \
    "ns,args,offset,samples,about_self_ns\r\n"

/* Thread 4 runs from 5 to 8; thread 6 has no scheduling; "c" is open from 25 to the end at 30. */
static const char text[] = "magic\n"
                           "kernel_object 2 4 \"ui\" process=koid:3\n"
                           "complete 0 3/4 \"\" \"a\" end=10 level=i32:7 \"x\"=\"q\\\"\"\n"
                           "complete 2 3/4 \"\" \"a\" end=4\n"
                           "complete 10 3/6 \"\" \"a\" end=20\n"
                           "begin 25 3/6 \"\" \"c\"\n"
                           "switch 5 0 9 2 4\n"
                           "switch 8 0 4 3 9\n"
                           "instant 30 3/4 \"\" \"point\"\n";

/* Frames of a profiler: two samples in "main", one of them in "work", too. */
static const char sampled[] = "magic\n"
                              "begin 0 3/5 \"sampled\" \"main\"\n"
                              "begin 0 3/5 \"sampled\" \"work\"\n"
                              "instant 0 3/5 \"sampled\" \"sample\"\n"
                              "end 4 3/5 \"sampled\" \"\"\n"
                              "instant 4 3/5 \"sampled\" \"sample\"\n"
                              "end 6 3/5 \"sampled\" \"\"\n"
                              "complete 1 3/4 \"\" \"main\" end=2\n";

static char *answer_of(const char *traced, const struct question_texts *texts,
                       const struct table_request *request, bool summary) {
    struct trace *trace = loaded_text(traced);
    char *out = NULL;
    size_t n;
    struct question asked;
    struct err err;
    const char *wrong;
    FILE *f = open_memstream(&out, &n);
    ck_assert_ptr_nonnull(f);
    ck_assert(question_init(&asked, trace, texts, false, &wrong, &err));
    if (summary)
        report_range(trace, &asked, f, true);
    else
        ck_assert(longest_print(trace, &asked, request, f));
    question_free(&asked);
    fclose(f);
    trace_free(trace);
    return out;
}

static char *answer(const struct question_texts *texts, const struct table_request *request,
                    bool summary) {
    return answer_of(text, texts, request, summary);
}

static void check(const struct question_texts *texts, const struct table_request *request,
                  const char *wanted) {
    char *got = answer(texts, request, false);
    ck_assert_str_eq(got, wanted);
    free(got);
}

START_TEST(longest_first_then_by_their_begin) {
    check(&(struct question_texts){.filter = "a"}, &(struct table_request){.format = FORMAT_CSV},
          HEADER "\"a\",3,4,\"ui\",0,10,false,8,0,3,0,2,5,\"[{\"\"name\"\":\"\"level\"\","
                 "\"\"type\"\":\"\"int32\"\","
                 "\"\"value\"\":7},{\"\"name\"\":\"\"x\"\",\"\"type\"\":\"\"string\"\","
                 "\"\"value\"\":\"\"q\\\"\"\"\"}]\",56,,\r\n"
                 "\"a\",3,6,,10,10,false,10,0,,,,,,192,,\r\n"
                 "\"a\",3,4,\"ui\",2,2,false,2,1,0,0,0,2,,144,,\r\n");
    check(&(struct question_texts){.filter = "nothing"},
          &(struct table_request){.format = FORMAT_CSV}, HEADER);
}
END_TEST

START_TEST(open_slices_last_to_the_end_so_far) {
    check(&(struct question_texts){.filter = "open"},
          &(struct table_request){.format = FORMAT_NDJSON},
          "{\"name\":\"c\",\"pid\":3,\"tid\":6,\"ts_ns\":25,\"dur_ns\":5,\"open\":true,\"self_ns\":"
          "5,\"depth\":0,"
          "\"offset\":240}\n");
}
END_TEST

START_TEST(a_range_has_the_whole_slices_that_overlap) {
    check(&(struct question_texts){.filter = "dur>3ns", .range = "9ns..10ns"},
          &(struct table_request){.format = FORMAT_TABLE, .ascii = true},
          "range 1 ns, +9 ns to +10 ns, filter: dur>3ns: 1 slice, longest first\n"
          "name  pid  tid  thread     at    dur   open  self  depth  running  runnable  blocked  "
          "other  arguments\n"
          "a       3    4  ui      +0 ns  10 ns  false  8 ns      0     3 ns      0 ns     2 ns   "
          "5 ns  level=7 x=q\"\n");
}
END_TEST

START_TEST(sampled_slices_have_samples_in_place_of_lengths) {
    char *got = answer_of(sampled, &(struct question_texts){.filter = "tid=5"},
                          &(struct table_request){.format = FORMAT_TABLE, .ascii = true}, false);
    ck_assert_str_eq(got, "whole trace 6 ns, filter: tid=5: 2 slices, longest first\n"
                          "name  pid  tid  thread       at  depth  arguments  samples  ~self\n"
                          "main    3    5  thread 5  +0 ns      0  -                2   2 ns\n"
                          "work    3    5  thread 5  +0 ns      1  -                1   4 ns\n");
    free(got);
    got = answer_of(sampled, &(struct question_texts){.filter = "main"},
                    &(struct table_request){.format = FORMAT_NDJSON}, false);
    ck_assert_str_eq(got,
                     "{\"name\":\"main\",\"pid\":3,\"tid\":5,\"ts_ns\":0,\"depth\":0,\"offset\":8,"
                     "\"samples\":2,\"about_self_ns\":2}\n"
                     "{\"name\":\"main\",\"pid\":3,\"tid\":4,\"ts_ns\":1,\"dur_ns\":1,"
                     "\"self_ns\":1,\"depth\":0,\"offset\":280}\n");
    free(got);
}
END_TEST

START_TEST(a_summary_counts_what_is_asked_for) {
    char *got =
        answer(&(struct question_texts){.range = "2ns..8ns", .tracks = "pid=3"}, NULL, true);
    const char *range = strstr(got, "of it: ");
    ck_assert_ptr_nonnull(range);
    ck_assert_str_eq(range, "of it: range 6 ns, +2 ns to +8 ns, 2 of 4 tracks\n"
                            "events: 2 slices\n"
                            "threads: 1\n"
                            "  process 3 / ui 4: 2 slices, lived 6 ns, ran 3 ns; busiest a 6 ns\n");
    free(got);
    got = answer(&(struct question_texts){.filter = "point"}, NULL, true);
    ck_assert_ptr_nonnull(strstr(got, "filter: point\nevents: 1 instant\n"));
    free(got);
}
END_TEST

SUITE(longest) {
    Suite *s = suite_create("longest");
    TCase *c = tcase_create("longest");
    tcase_add_test(c, longest_first_then_by_their_begin);
    tcase_add_test(c, open_slices_last_to_the_end_so_far);
    tcase_add_test(c, a_range_has_the_whole_slices_that_overlap);
    tcase_add_test(c, sampled_slices_have_samples_in_place_of_lengths);
    tcase_add_test(c, a_summary_counts_what_is_asked_for);
    suite_add_tcase(s, c);
    return s;
}
