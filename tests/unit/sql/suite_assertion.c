/* suite_assertion.c - --assert: the two sides of an expression, and the verdict of each. */
#include "sql/modes/assertion.h"

#include "tests/unit/lib/loaded.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "tests/unit/lib/must.h"
#include "tests/unit/lib/suites.h"
#include "tests/unit/sql/asked.h"

START_TEST(one_comparison_outside_parentheses_is_split) {
    static const char *const splits[][4] = {
        {"a < b", "a ", "<", " b"},
        {"f('<', \"=\") >= (1 = 2)", "f('<', \"=\") ", ">=", " (1 = 2)"},
        {"1 << 2 != 3 -- a < b", "1 << 2 ", "!=", " 3 -- a < b"},
        {"a /* = */ == 'and'", "a /* = */ ", "==", " 'and'"},
        {"a->'x' <> [b=c]", "a->'x' ", "<>", " [b=c]"},
        {"a->>'x' < 5", "a->>'x' ", "<", " 5"},
        {"'it''s =' = a", "'it''s =' ", "=", " a"},
    };
    static const char *const whole[] = {
        "a",           "a < b and c", "not a < b",      "a < b < c", "a = b collate nocase",
        "(a < b)",     "a = b or 1",  "a), (b < c",     "a < b; c",  "case when a < b then 1 end",
        "a between 1", "a->>'x'",     "'a < b' is 'c'", "a < b, c",  ""};
    struct assertion_split s;
    for (size_t i = 0; i < sizeof splits / sizeof *splits; i++) {
        ck_assert_msg(assertion_split(str_of(splits[i][0]), &s), "%s", splits[i][0]);
        const struct str parts[] = {s.left, s.op, s.right};
        for (int k = 0; k < 3; k++)
            ck_assert_msg(parts[k].n == strlen(splits[i][k + 1]) &&
                              memcmp(parts[k].s, splits[i][k + 1], parts[k].n) == 0,
                          "%s", splits[i][0]);
    }
    for (size_t i = 0; i < sizeof whole / sizeof *whole; i++)
        ck_assert_msg(!assertion_split(str_of(whole[i]), &s), "%s", whole[i]);
}
END_TEST

START_TEST(verdicts_are_those_of_sql) {
    static const struct {
        const char *expression;
        enum assertion_verdict verdict;
        const char *why;
    } cases[] = {
        {"1", ASSERTION_OK, ""},
        {"0.5", ASSERTION_OK, ""},
        {"0", ASSERTION_FAILED, ""},
        {"NULL", ASSERTION_FAILED, "no value: NULL"},
        {"NULL < 1", ASSERTION_FAILED, "no value: NULL"},
        {"select 1 where 0", ASSERTION_FAILED, "no value: no row"},
        {" -- why\n select count(*) > 0 from slice", ASSERTION_OK, ""},
        {"create table t as select 3 as x; select x = 3 from t", ASSERTION_OK, ""},
        {"(select count(*) from slice) > 0", ASSERTION_OK, ""},
        {"(select count(*) from slice) > 0 and 0", ASSERTION_FAILED, ""},
        {"'1' = 1", ASSERTION_FAILED, ""},
        {"(select ts from slice limit 1) = (select cast(ts as text) from slice limit 1)",
         ASSERTION_OK, ""},
        {"1 -- a comment", ASSERTION_OK, ""},
        {"'a'", ASSERTION_ERROR,
         "its value is a text: an assertion wants a number, e.g. a comparison"},
        {"select 1, 2", ASSERTION_ERROR, "it has 2 columns: an assertion wants one value"},
        {"values (1), (2)", ASSERTION_ERROR, "it has several rows: an assertion wants one value"},
        {"ms(1) < nosuch", ASSERTION_ERROR, "no such column: nosuch (at byte 8)"},
        {"nosuch", ASSERTION_ERROR, "no such column: nosuch (at byte 0)"},
        {"  nosuch = 1", ASSERTION_ERROR, "no such column: nosuch (at byte 2)"},
        {"", ASSERTION_ERROR, NULL},
        {"1)", ASSERTION_ERROR, NULL},
    };
    struct trace *trace = loaded_fixture("every_kind");
    struct err err;
    struct query *query = query_new(trace, &(struct query_options){0}, &err);
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        struct assertion a;
        assertion_ask(&a, query, cases[i].expression, false);
        ck_assert_msg(a.verdict == cases[i].verdict, "%s: %d %s", cases[i].expression,
                      (int)a.verdict, a.why);
        ck_assert_msg(cases[i].why == NULL || strcmp(a.why, cases[i].why) == 0, "%s: %s",
                      cases[i].expression, a.why);
        assertion_free(&a);
    }
    query_free(query);
    trace_free(trace);
}
END_TEST

START_TEST(sides_are_known_and_durations_recognised) {
    static const struct {
        const char *expression;
        bool durations;
        int64_t left, right;
    } cases[] = {
        {"1 + 1 < ms(2)", true, 2, 2000000},
        {"3 > 2", false, 3, 2},
        {"(select 5 as dur) <> 4", true, 5, 4},
        {"dur_count('no such') = 0", false, 0, 0},
    };
    struct trace *trace = loaded_fixture("every_kind");
    struct err err;
    struct query *query = query_new(trace, &(struct query_options){0}, &err);
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        struct assertion a;
        assertion_ask(&a, query, cases[i].expression, false);
        ck_assert_msg(a.verdict == ASSERTION_OK && a.compared, "%s: %s", cases[i].expression,
                      a.why);
        ck_assert_int_eq(a.durations, cases[i].durations);
        ck_assert_int_eq(a.sides[0].integer, cases[i].left);
        ck_assert_int_eq(a.sides[1].integer, cases[i].right);
        assertion_free(&a);
    }
    query_free(query);
    trace_free(trace);
}
END_TEST

/* The functions of a name against slice_name, and against sums over the table slice for each
 * thread. */
START_TEST(numbers_of_a_name_are_those_of_the_tables) {
    struct trace *trace = loaded_fixture("every_kind");
    static const char *const same[] = {
        "select sum(count is not dur_count(name) or total is not dur_total(name) or "
        "p50 is not dur_p50(name) or p90 is not dur_p90(name) or p99 is not dur_p99(name) or most "
        "is not "
        "dur_max(name)) "
        "from slice_name where count > 0",
        "select sum(n is not dur_count(name, thread) or most is not dur_max(name, thread)) from "
        "(select s.name, t.name "
        "as "
        "thread, count(*) n, max(nullif(s.dur, -1)) most from slice s join thread_track k on "
        "s.track_id = k.id join "
        "thread t using (utid) where s.dur <> 0 and s.cat is not 'sampled' and t.name is not null "
        "group by 1, 2)",
    };
    for (size_t i = 0; i < sizeof same / sizeof *same; i++) {
        char *text = asked_once(trace, same[i]);
        ck_assert_str_eq(text, "0\n");
        free(text);
    }
    char *text = asked_once(
        trace, "select dur_count('x', 'no such'), dur_p50('x', 'no such'), dur_max('no such'), "
               "dur_count(NULL)");
    ck_assert_str_eq(text, "0|||\n");
    free(text);
    trace_free(trace);
}
END_TEST

/* ---- slices without an end ---- */

static struct assertion ask_of(struct query *query, const char *expression) {
    struct assertion a;
    assertion_ask(&a, query, expression, true);
    return a;
}

static void holds_with(struct query *query, const char *expression, bool sure, const char *why,
                       const char *note) {
    struct assertion a = ask_of(query, expression);
    ck_assert_msg(a.verdict == (sure ? ASSERTION_OK : ASSERTION_FAILED) &&
                      strcmp(a.why, why) == 0 && strcmp(a.note, note) == 0,
                  "%s: %d %s, note: %s", expression, (int)a.verdict, a.why, a.note);
    assertion_free(&a);
}

/* Slices of 900 ns on two threads, one that begins at 20 us and has no end, and a last event. */
static struct trace *endless(unsigned last, const char *of) {
    char *text = NULL;
    size_t size;
    FILE *f = open_memstream(&text, &size);
    fputs("magic\ninit 1000000000\n", f);
    for (unsigned i = 0; i < 20; i++)
        fprintf(f, "complete %u 1/%u \"c\" \"request\" end=%u\n", i * 1000, 10 + i % 2,
                i * 1000 + 900);
    fprintf(f,
            "async_begin 1000 1/10 \"c\" \"load\" id=1\nasync_end 1900 1/10 \"c\" \"load\" id=1\n");
    if (strcmp(of, "load") == 0)
        fputs("async_begin 20000 1/10 \"c\" \"load\" id=2\n", f);
    else
        fprintf(f, "begin 20000 1/10 \"c\" \"%s\"\n", of);
    fprintf(f, "instant %u 1/11 \"c\" \"tick\"\n", last);
    fputs("kernel_object 2 10 \"ui\" process=koid:1\nkernel_object 2 11 \"io\" process=koid:1\n",
          f);
    fclose(f);
    struct trace *trace = loaded_text(text);
    free(text);
    return trace;
}

/* Every way to read a duration of slices that may be endless; those that read none are sure. */
START_TEST(what_has_no_end_is_no_answer) {
    static const char *const reads[] = {
        "dur_max('request') < s(1)",
        "dur_p50('request') < s(1) and dur_p90('request') < s(1)",
        "dur_p99('request', 'ui') < s(1)",
        "dur_total('request') < s(1)",
        "(select max(most) from slice_name) < s(1)",
        "(select count(*) from slice_name where p99 > s(1)) = 0",
        "(select max(dur) from slice where name = 'request') < s(1)",
        "(select count(*) from slice where dur > us(1)) = 0",
        "(select count(*) from slice where dur > us(1) and name glob 'req*') = 0",
        "(select count(*) from slice where dur + 0 > us(1)) = 0",
        "(select dur from slice where name = 'request' order by dur desc limit 1) < us(1)",
        "(select avg(dur) from slice where dur >= 0) < us(1)",
    };
    static const char *const reads_none[] = {
        "dur_count('request') = 21",
        "dur_max('request', 'io') = 900",
        "(select count + open from slice_name) = 22",
        "(select count(*) from slice where name = 'request') = 21",
        "(select count(*) from slice where dur = -1) = 1",
        "(select count(*) from slice where dur > us(1) and name = 'other') = 0",
        "(select max(dur) from slice where name = 'load') = 900",
    };
    static const char unsure[] =
        "1 slice of request has no end and has lasted 10.00 us: longer than all that ended";
    static const char note[] = "1 slice of request has no end: durations are of those that ended";
    for (int is_long = 0; is_long < 2; is_long++) {
        struct trace *trace = endless(is_long ? 30000 : 20900, "request");
        struct query *query = query_new(trace, &(struct query_options){0}, &(struct err){.at = 0});
        for (size_t i = 0; i < sizeof reads / sizeof *reads; i++)
            holds_with(query, reads[i], !is_long, is_long ? unsure : "", is_long ? "" : note);
        for (size_t i = 0; i < sizeof reads_none / sizeof *reads_none; i++)
            holds_with(query, reads_none[i], true, "", "");
        query_free(query);
        trace_free(trace);
    }
}
END_TEST

/* Two threads take turns on a CPU; the time of one switch is damaged. */
START_TEST(damaged_scheduling_is_no_answer) {
    static const char *const reads[] = {
        "(select max(cpu_time) from thread_life) < s(1)",
        "(select sum(cpu_time) from thread_life) < s(1)",
        "(select max(dur) from sched) < s(1)",
        "(select max(dur) from thread_state) < s(1)",
        "(select max(dur) from gap) < s(1)",
    };
    char text[8000];
    size_t n = (size_t)snprintf(text, sizeof text, "magic\ninit 1000000000\n");
    for (int i = 0; i < 100; i++)
        n += (size_t)snprintf(text + n, sizeof text - n, "switch %lld 0 %d 3 %d\n",
                              i == 50 ? 1000000000000000LL : 1000LL * i, 11 + i % 2, 12 - i % 2);
    struct trace *trace = loaded_text(text);
    struct query *query = query_new(trace, &(struct query_options){0}, &(struct err){.at = 0});
    for (size_t i = 0; i < sizeof reads / sizeof *reads; i++) {
        struct assertion a = ask_of(query, reads[i]);
        ck_assert_msg(a.verdict == ASSERTION_FAILED && strstr(a.why, "left out"), "%s: %s",
                      reads[i], a.why);
        assertion_free(&a);
    }
    query_free(query);
    trace_free(trace);
}
END_TEST

/* The only slice of a name, or an operation, has a damaged end: its numbers are not known. */
START_TEST(names_without_numbers_are_no_answer) {
    static const struct {
        const char *slice, *expression;
        bool sure;
    } cases[] = {
        {"complete 50920 1/10 \"c\" \"lone\" end=1000000000000000",
         "(select max(most) from slice_name) < s(1)", false},
        {"complete 50920 1/10 \"c\" \"lone\" end=1000000000000000",
         "(select count(*) from slice_name where most > s(1)) = 0", false},
        {"complete 50920 1/10 \"c\" \"lone\" end=1000000000000000", "dur_max('lone') is null",
         false},
        {"complete 50920 1/10 \"c\" \"lone\" end=1000000000000000",
         "(select most from slice_name where name = 'lone') is null", false},
        {"complete 50920 1/10 \"c\" \"lone\" end=1000000000000000",
         "(select max(most) from slice_name where name = 'request') < s(1)", true},
        {"complete 50920 1/10 \"c\" \"lone\" end=1000000000000000",
         "(select group_concat(name) from slice_name) = 'request,lone'", true},
        {"complete 50920 1/10 \"c\" \"lone\" end=1000000000000000", "dur_max('request') < s(1)",
         true},
        {"complete 50920 1/10 \"c\" \"request\" end=1000000000000000", "dur_max('request') < s(1)",
         false},
        {"async_begin 50910 1/10 \"c\" \"lone\" id=1\n"
         "async_end 1000000000000000 1/10 \"c\" \"lone\" id=1",
         "(select max(most) from slice_name) < s(1)", true},
    };
    for (size_t k = 0; k < sizeof cases / sizeof *cases; k++) {
        char text[8000];
        size_t n = (size_t)snprintf(text, sizeof text, "magic\ninit 1000000000\n");
        for (int i = 0; i < 100; i++)
            n += (size_t)snprintf(
                text + n, sizeof text - n, "complete %d 1/10 \"c\" \"request\" end=%d\n%s%s",
                i * 1000, i * 1000 + 900, i == 50 ? cases[k].slice : "", i == 50 ? "\n" : "");
        struct trace *trace = loaded_text(text);
        struct query *query = query_new(trace, &(struct query_options){0}, &(struct err){.at = 0});
        holds_with(query, cases[k].expression, cases[k].sure,
                   cases[k].sure ? "" : "1 slice with a damaged time is left out", "");
        query_free(query);
        trace_free(trace);
    }
}
END_TEST

/* Thread 13 leaves its CPU by a switch that names another one: it may have gone to sleep before. */
START_TEST(a_guessed_state_without_an_end_is_no_hang) {
    struct trace *trace = loaded_text("magic\ninit 1000000000\nswitch 100 0 11 1 12\n"
                                      "switch 200 0 12 1 13\nswitch 300 0 11 3 12\n"
                                      "switch 500 0 12 3 11\nswitch 600 0 11 3 0 "
                                      "incoming_weight=i32:-2147483648\n"
                                      "instant 9000 1/1 \"c\" \"i\"\n");
    struct query *query = query_new(trace, &(struct query_options){0}, &(struct err){.at = 0});
    holds_with(query, "(select count(*) from thread_state where dur = -1 and state = 'R') = 1",
               true, "", "");
    holds_with(query, "(select max(dur) from thread_state) <= 400", true, "", "");
    query_free(query);
    trace_free(trace);
}
END_TEST

/* Nor does a thread wait for a CPU after its end, if a wakeup came late. */
START_TEST(a_wakeup_of_the_dead_is_no_hang) {
    static const char text[] = "magic\ninit 1000000000\n"
                               "switch 100 0 0 1 11 outgoing_weight=i32:-2147483648\n"
                               "switch 200 0 11 5 12\nwakeup 300 0 11\n"
                               "switch 1000 0 12 3 0 incoming_weight=i32:-2147483648\n"
                               "instant 60000000000 1/12 \"c\" \"late\"\n";
    struct trace *trace = loaded_text(text);
    struct query *query = query_new(trace, &(struct query_options){0}, &(struct err){.at = 0});
    holds_with(query, "(select max(dur) from thread_state where state <> 'S') < s(1)", true, "",
               "");
    query_free(query);
    trace_free(trace);
}
END_TEST

/* Without its wakeup a thread has another state. */
START_TEST(a_damaged_wakeup_is_no_answer) {
    static const char *const reads[] = {
        "(select max(latency) from wakeup) < us(1)",
        "(select count(*) from thread_state where state = 'W') > 0",
        "(select max(dur) from thread_state where state = 'W') < us(1)",
    };
    char text[8000];
    size_t n = (size_t)snprintf(text, sizeof text, "magic\ninit 1000000000\n");
    for (int i = 0; i < 100; i++)
        n += (size_t)snprintf(text + n, sizeof text - n, "switch %d 0 %d 3 %d\nwakeup %lld 0 %d\n",
                              1000 * i, 11 + i % 2, 12 - i % 2,
                              i == 50 ? 1000000000000000LL : 1000LL * i + 400, 11 + i % 2);
    struct trace *trace = loaded_text(text);
    struct query *query = query_new(trace, &(struct query_options){0}, &(struct err){.at = 0});
    for (size_t i = 0; i < sizeof reads / sizeof *reads; i++)
        holds_with(query, reads[i], false, "1 state with a damaged time is left out", "");
    query_free(query);
    trace_free(trace);
}
END_TEST

/* Two threads take turns on a CPU until 10 us, and the trace ends at `last`. The CPU's last switch
 * takes out thread 11 in a state, and takes in thread 12 or the idle one; 12 is woken then. */
static struct trace *unswitched(unsigned last, int state, bool idle) {
    char text[2000];
    size_t n = (size_t)snprintf(text, sizeof text,
                                "magic\ninit 1000000000\nthread 1 1 11\nthread 2 1 12\n"
                                "wakeup 0 0 11\n");
    for (unsigned i = 0; i < 10; i++)
        n += (size_t)snprintf(text + n, sizeof text - n,
                              "switch %u 0 12 1 11\nswitch %u 0 11 %d 12\nwakeup %u 0 11\n",
                              i * 1000, i * 1000 + 500, i % 2 ? state : 1, i * 1000 + 800);
    n += (size_t)snprintf(text + n, sizeof text - n,
                          "switch 10000 0 12 3 11\nwakeup 10100 0 12\n"
                          "switch 10200 0 11 %d %s\ninstant %u t1 \"c\" \"tick\"\n",
                          state, idle ? "0 incoming_weight=i32:-2147483648" : "12", last);
    return loaded_text(text);
}

/* A thread that runs until the trace ends, or waits for a CPU, is a hang. One that sleeps is none,
 * and so is an idle CPU. */
START_TEST(states_without_an_end_are_no_answer) {
    static const struct {
        const char *read;
        enum { RUNS = 1, READY = 2, WOKEN = 4 } of;
    } reads[] = {
        {"(select max(dur) from thread_state) < us(2)", RUNS | READY | WOKEN},
        {"(select sum(dur) from thread_state where state = 'Running') < ms(1)", RUNS},
        {"(select max(dur) from thread_state where state = 'R') < us(2)", READY},
        {"(select ifnull(max(dur), 0) from thread_state where state = 'W') < us(2)", WOKEN},
        {"(select ifnull(max(dur), 0) from thread_state where state = 'S') < us(2)", 0},
        {"(select count(*) from thread_state where dur > us(2)) = 0", RUNS | READY | WOKEN},
        {"(select count(*) from thread_state where state = 'S' and dur > us(2)) = 0", 0},
        {"(select dur from thread_state order by dur desc limit 1) < us(2)", RUNS | READY | WOKEN},
        {"(select max(dur) from sched) < us(2)", RUNS},
        {"(select max(ts_end - ts) from sched) < us(2)", RUNS},
        {"(select count(*) from thread_state) > 0", 0},
        {"(select ifnull(max(latency), 0) from wakeup) < us(2)", WOKEN},
    };
    for (int k = 0; k < 8; k++) {
        bool is_long = k & 1, idle = k & 2, ready = k & 4;
        unsigned open = (idle ? WOKEN : RUNS) | (ready ? READY : 0u);
        struct trace *trace = unswitched(is_long ? 30000 : 10300, ready ? 1 : 3, idle);
        struct query *query = query_new(trace, &(struct query_options){0}, &(struct err){.at = 0});
        for (size_t i = 0; i < sizeof reads / sizeof *reads; i++) {
            struct assertion a = ask_of(query, reads[i].read);
            bool sure = !is_long || (reads[i].of & open) == 0;
            ck_assert_msg(a.verdict == (sure ? ASSERTION_OK : ASSERTION_FAILED) &&
                              (strstr(a.why, "longer than all that ended") == NULL) == sure &&
                              *a.note == '\0',
                          "%d %s: %d %s", k, reads[i].read, (int)a.verdict, a.why);
            assertion_free(&a);
        }
        query_free(query);
        trace_free(trace);
    }
}
END_TEST

/* Thread 11 runs from before the first record of its CPU on, which no row has. */
START_TEST(a_run_from_before_the_first_record_is_no_answer) {
    static const struct {
        const char *read;
        bool sure;
    } reads[] = {
        {"(select max(dur) from sched) < us(2)", false},
        {"(select max(ts_end - ts) from sched) < us(2)", false},
        {"(select count(*) from sched where dur > us(2)) = 0", false},
        {"(select sum(dur) from thread_state where state = 'Running') < ms(1)", false},
        {"(select max(dur) from thread_state where state = 'S') < us(2)", true},
        {"(select count(*) from sched) = 4", true},
    };
    for (int is_long = 0; is_long < 2; is_long++) {
        char text[500];
        snprintf(text, sizeof text,
                 "magic\ninit 1000000000\ninstant %d 1/12 \"c\" \"x\"\n"
                 "switch 50000 0 11 3 12\nswitch 51000 0 12 3 11\nswitch 52000 0 11 3 12\n"
                 "switch 53000 0 12 3 11\n",
                 is_long ? 0 : 49100);
        struct trace *trace = loaded_text(text);
        struct query *query = query_new(trace, &(struct query_options){0}, &(struct err){.at = 0});
        for (size_t i = 0; i < sizeof reads / sizeof *reads; i++)
            holds_with(query, reads[i].read, !is_long || reads[i].sure,
                       !is_long || reads[i].sure
                           ? ""
                           : "1 run from before the first record of the CPU lasted 50.00 us and is "
                             "no row: longer than all that ended",
                       "");
        query_free(query);
        trace_free(trace);
    }
}
END_TEST

/* 40 flows lead from a slice over a step to another slice. Point `bad` (0 to 2) of one of them has
 * the time `at`; 3: none; 4: its last slice ends at that time instead. */
static struct trace *flows_with(int bad, uint64_t base, uint64_t at) {
    char *text = NULL;
    size_t size;
    FILE *f = open_memstream(&text, &size);
    static const char *const kinds[] = {"flow_begin", "flow_step", "flow_end"};
    fputs("magic\ninit 1000000000\n", f);
    for (int i = 0; i < 40; i++)
        for (int k = 0; k < 3; k++) {
            uint64_t t = base + (uint64_t)i * 1000 + (uint64_t)k * 200;
            bool is_bad = i == 20;
            fprintf(f, "begin %" PRIu64 " 1/%d \"c\" \"s\"\n", t, 11 + k);
            fprintf(f, "%s %" PRIu64 " 1/%d \"c\" \"fl\" id=%d\n", kinds[k],
                    is_bad && bad == k ? at : t + 10, 11 + k, i + 1);
            fprintf(f, "end %" PRIu64 " 1/%d \"c\" \"s\"\n",
                    is_bad && k == 2 && bad == 4 ? at : t + 100, 11 + k);
        }
    fclose(f);
    struct trace *trace = loaded_text(text);
    free(text);
    return trace;
}

/* A hop to or from such a point is no row, nor is one of a flow that has lost its begin. Every
 * answer about hops has the sentence. */
START_TEST(damaged_hops_are_no_answer) {
    static const struct {
        int bad;
        uint64_t base, at;
        int rows;
        const char *why;
    } cases[] = {
        {3, 100, 0, 80, ""},
        {0, 100, 30000000000, 78, "1 hop with a damaged time is left out"},
        {1, 100, 30000000000, 79, "1 hop with a damaged time is left out"}, /* its end was before */
        {2, 100, 30000000000, 79, "1 hop with a damaged time is left out"},
        {0, UINT64_C(1700000000000000000), 0, 79, "1 hop with an unset time is left out"},
        {4, 100, 30000000000, 80, "1 slice with a damaged time is left out"},
    };
    static const char *const reads[] = {
        "(select max(gap) from flow_hop) <= 300",
        "(select count(*) from flow_hop) <= 80",
        "(select count(*) from flow) <= 80",
        "(select count(*) from following_flow((select id from slice order by ts limit 1))) < 3",
    };
    for (size_t k = 0; k < sizeof cases / sizeof *cases; k++) {
        char rows[32], *text;
        struct trace *trace = flows_with(cases[k].bad, cases[k].base, cases[k].at);
        struct query *query = query_new(trace, &(struct query_options){0}, &(struct err){.at = 0});
        for (size_t i = 0; i < sizeof reads / sizeof *reads; i++)
            holds_with(query, reads[i], *cases[k].why == '\0', cases[k].why, "");
        if (cases[k].bad < 4) /* else that slice is left out */
            holds_with(query, "(select max(dur) from slice) = 100", true, "", "");
        query_free(query);
        text = asked_once(trace, "select count(*) from flow_hop");
        snprintf(rows, sizeof rows, "%d\n", cases[k].rows);
        ck_assert_str_eq(text, rows);
        free(text);
        trace_free(trace);
    }
}
END_TEST

/* Flows of 2 us that arrive, of the name f; one of `name` that begins at 8 us never does. The trace
 * ends at `last`. */
static struct trace *unarrived(const char *name, unsigned last, bool within) {
    char text[2000];
    size_t n = (size_t)snprintf(text, sizeof text, "magic\ninit 1000000000\n");
    for (unsigned i = 0; i < 9; i++) {
        const char *flow = i < 8 ? "f" : name;
        if (i < 8 || within)
            n +=
                (size_t)snprintf(text + n, sizeof text - n, "complete %u 1/10 \"c\" \"a\" end=%u\n",
                                 i * 1000, i * 1000 + 100);
        n += (size_t)snprintf(text + n, sizeof text - n, "flow_begin %u 1/10 \"c\" \"%s\" id=%u\n",
                              i * 1000 + 50, flow, i);
        if (i < 8)
            n += (size_t)snprintf(text + n, sizeof text - n,
                                  "complete %u 1/11 \"c\" \"b\" end=%u\n"
                                  "flow_end %u 1/11 \"c\" \"f\" id=%u\n",
                                  i * 1000 + 2100, i * 1000 + 2200, i * 1000 + 2100, i);
    }
    snprintf(text + n, sizeof text - n, "instant %u 1/10 \"c\" \"last\"\n", last);
    return loaded_text(text);
}

/* The gap of a flow that has not arrived is in no row. */
START_TEST(a_flow_that_has_not_arrived_is_no_answer) {
    static const char of_f[] = "1 flow of f has not arrived, after 91.90 us: longer than all that "
                               "arrived",
                      of_g[] = "1 flow of g has not arrived, after 91.90 us: longer than all that "
                               "arrived",
                      note[] = "1 flow of f has not arrived: gaps are of those that arrived";
    static const struct {
        const char *read, *f, *g; /* why not, if the flow is one of these */
        bool gaps;
    } reads[] = {
        {"(select max(gap) from flow_hop) = 2000", of_f, of_g, true},
        {"(select count(*) from flow_hop where gap > 2000) = 0", of_f, of_g, true},
        {"(select max(gap) from flow_hop where name = 'f') = 2000", of_f, "", true},
        {"(select ifnull(max(gap), 0) from flow_hop where name = 'g') = 0", "", of_g, false},
        {"(select ifnull(max(gap), 0) from flow_hop where name = 'h') = 0", "", "", false},
        {"(select count(*) from flow_hop) = 8", "", "", false},
        {"(select count(*) from flow) = 8", "", "", false},
        {"(select max(b.ts - a.ts) from flow f join slice a on a.id = f.slice_out join slice b on "
         "b.id = f.slice_in) = 2100",
         of_f, of_g, true},
        {"(select count(*) from slice b join flow f on f.slice_in = b.id join slice a on a.id = "
         "f.slice_out where b.ts > a.ts + 3000) = 0",
         of_f, of_g, true},
        {"(select max(h.ts - a.ts) from slice a join flow_hop h on h.slice_out = a.id and h.name = "
         "'f') = 2100",
         of_f, "", true},
        {"(select max(b.ts) from flow f join slice b on b.id = f.slice_in) > 0", "", "", false},
        {"(select count(*) from flow f join slice a on a.id = f.slice_out join slice b on b.id = "
         "f.slice_in where a.name = 'a' and b.name = 'b') = 8",
         "", "", false},
    };
    for (int k = 0; k < 6; k++) {
        bool within = k < 4, is_long = k & 1, other = k & 2;
        struct trace *trace = unarrived(other ? "g" : "f", is_long ? 100000 : 10000, within);
        struct query *query = query_new(trace, &(struct query_options){0}, &(struct err){.at = 0});
        for (size_t i = 0; i < sizeof reads / sizeof *reads && (is_long || !other); i++) {
            const char *why = other ? reads[i].g : reads[i].f;
            why = is_long && within ? why : "";
            holds_with(query, reads[i].read, *why == '\0', why,
                       within && !is_long && reads[i].gaps ? note : "");
        }
        query_free(query);
        trace_free(trace);
    }
}
END_TEST

/* Nothing is known of a name of which none has ended; async operations are no slices. */
START_TEST(what_never_ended_is_no_answer_either) {
    struct trace *trace = endless(20100, "main");
    struct query *query = query_new(trace, &(struct query_options){0}, &(struct err){.at = 0});
    static const char unsure[] =
        "1 slice of main has no end and has lasted 100 ns: longer than all that ended";
    holds_with(query, "(select max(dur) from slice) = 900", false, unsure, "");
    holds_with(query, "dur_total('main') = 100", false, unsure, "");
    holds_with(query, "dur_max('request') = 900", true, "", "");
    query_free(query);
    trace_free(trace);
    trace = endless(30000, "load");
    query = query_new(trace, &(struct query_options){0}, &(struct err){.at = 0});
    holds_with(query, "(select max(dur) from slice where name = 'load') = 900", false,
               "1 slice of load has no end and has lasted 10.00 us: longer than all that ended",
               "");
    holds_with(query, "dur_max('request') = 900", true, "", "");
    query_free(query);
    trace_free(trace);
}
END_TEST

/* Thread 10 has samples, 11 has a slice of a name of theirs, 12 an instant that is no sample. */
static const char sampled_text[] = "magic\ninit 1000000000\n"
                                   "complete 0 1/11 \"c\" \"main\" end=7\n"
                                   "begin 0 1/10 \"sampled\" \"main\"\n"
                                   "instant 0 1/10 \"sampled\" \"sample\"\n"
                                   "complete 5 1/10 \"sampled\" \"leaf\" end=9\n"
                                   "instant 5 1/10 \"sampled\" \"sample\"\n"
                                   "end 9 1/10 \"\" \"\"\n"
                                   "complete 0 1/12 \"sampled\" \"other\" end=5\n"
                                   "instant 0 1/12 \"c\" \"sample\"\n";

START_TEST(durations_of_samples_are_no_answer) {
    static const char *const reads[] = {"dur_p99('leaf') < 5", "dur_count('leaf') = 2",
                                        "dur_total('main', 'thread 10') > 0"};
    static const char *const sure[] = {
        "dur_max('main', 'thread 11') = 7",
        "dur_max('other') = 5",
        "dur_max('main') = 7",
        "dur_count('main') = 1",
        "dur_total('main') = 7",
        "(select group_concat(count || ' ' || total || ' ' || most) from slice_name where name = "
        "'main') = '1 7 7'",
        "(select group_concat(name || ' ' || samples || ' ' || threads || coalesce(count, least, "
        "p50, most, total, open, '')) from slice_name where samples > 0) = 'main 2 1,leaf 1 1'",
        "(select count(*) from slice where name = 'sample' and cat = 'sampled') = 2"};
    struct trace *trace = loaded_text(sampled_text);
    struct query *query = query_new(trace, &(struct query_options){0}, &(struct err){.at = 0});
    struct assertion r;
    for (size_t i = 0; i < sizeof reads / sizeof *reads; i++) {
        assertion_ask(&r, query, reads[i], false);
        MUST(r.verdict == ASSERTION_ERROR, i);
        ck_assert_str_eq(r.why, "sampled: count samples");
        assertion_free(&r);
    }
    for (size_t i = 0; i < sizeof sure / sizeof *sure; i++)
        holds_with(query, sure[i], true, "", "");
    query_free(query);
    trace_free(trace);
}
END_TEST

SUITE(assertion) {
    Suite *suite = suite_create("assertion");
    TCase *c = tcase_create("assertion");
    tcase_add_test(c, one_comparison_outside_parentheses_is_split);
    tcase_add_test(c, verdicts_are_those_of_sql);
    tcase_add_test(c, sides_are_known_and_durations_recognised);
    tcase_add_test(c, numbers_of_a_name_are_those_of_the_tables);
    tcase_add_test(c, what_has_no_end_is_no_answer);
    tcase_add_test(c, damaged_scheduling_is_no_answer);
    tcase_add_test(c, names_without_numbers_are_no_answer);
    tcase_add_test(c, damaged_hops_are_no_answer);
    tcase_add_test(c, a_wakeup_of_the_dead_is_no_hang);
    tcase_add_test(c, a_damaged_wakeup_is_no_answer);
    tcase_add_test(c, a_guessed_state_without_an_end_is_no_hang);
    tcase_add_test(c, states_without_an_end_are_no_answer);
    tcase_add_test(c, a_run_from_before_the_first_record_is_no_answer);
    tcase_add_test(c, a_flow_that_has_not_arrived_is_no_answer);
    tcase_add_test(c, what_never_ended_is_no_answer_either);
    tcase_add_test(c, durations_of_samples_are_no_answer);
    suite_add_tcase(suite, c);
    return suite;
}
