/* suite_modules.c - functions, macros and views of Perfetto's modules: examples, and plain selects
 * over random traces.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "sql/query.h"
#include "tests/lib/chance.h"
#include "tests/unit/lib/loaded.h"
#include "tests/unit/lib/suites.h"
#include "tests/unit/lib/thrown_sched.h"
#include "tests/unit/sql/asked.h"

static struct chance chance = {77};

START_TEST(functions_by_example) {
    asked_is("select regexp('A', 'xax', 'i'), regexp('A', 'xax', 'ic'), regexp('A', 'xax', ''), "
             "regexp('a', NULL, 'i') "
             "is null",
             "1|0|0|1\n");
    asked_is("select regexp('(', 'x', 'i')",
             "error: regexp: the first argument is no regular expression @ -1");
    asked_is("select regexp_replace_simple('a1b22', '[0-9]+', '<>'), regexp_replace_simple('aaa', "
             "'^a', 'b'), "
             "regexp_replace_simple('abc', 'x*', '-'), regexp_replace_simple('', 'a', 'b')",
             "a<>b<>|baa|-a-b-c-|\n");
    asked_is(
        "select regexp_replace_simple('abcde', '', '|'), regexp_replace_simple('abbc', 'b*', '-'), "
        "regexp_replace_simple('h\xc3\xa9', '', '.'), regexp_replace_simple('', '', 'x')",
        "|a|b|c|d|e||-a-c-|.h.\xc3\xa9.|x\n");
    asked_is("select unhex(' 0x1f\n'), unhex('\t1F '), unhex(' ') is null, unhex('1 f') is null",
             "31|31|1|1\n");
    asked_is(
        "select time_to_ns(7), time_to_us(7999), time_to_ms(7999999), time_to_s(7999999999), "
        "time_to_min(179999999999), time_to_hours(7200000000000), time_to_days(86400000000000)",
        "7|7|7|7|2|2|1\n");
    asked_is(
        "select time_from_ns(7), time_from_us(7), time_from_ms(7), time_from_s(7), "
        "time_from_min(7), "
        "time_from_hours(7), time_from_days(7), ns, us, ms from (select 7 as ns, us(7) as us, "
        "ms(7) as ms)",
        "7|7000|7000000|7000000000|420000000000|25200000000000|604800000000000|7|7000|7000000\n");
    asked_is("select regexp_replace_simple('x', '(', '')",
             "error: regexp_replace_simple: the second argument is no regular expression @ -1");
    asked_is("select regexp_replace_simple(hex(zeroblob(1000)), '0', hex(zeroblob(50000)))",
             "error: string or blob too big @ -1");
    asked_is("select reverse('abc'), reverse('h\xc3\xa9'), reverse(''), reverse(NULL) is null",
             "cba|\xc3\xa9h||1\n");
    asked_is(
        "select unhex('0x1f'), unhex('FFFFFFFFFFFFFFFF'), unhex('') is null, unhex('g') is null, "
        "unhex('11112222333344445') is "
        "null",
        "31|-1|1|1|1\n");
    asked_is("select base64_encode('a'), base64_encode('ab'), base64_encode('abc'), "
             "base64_encode(x'fbff'), "
             "base64_encode('')",
             "YQ==|YWI=|YWJj|+/8=|\n");
    asked_is(
        "select hex(base64_decode('YQ==')), hex(base64_decode('YWI')), hex(base64_decode('+/8=')), "
        "base64_decode('Y') is null, "
        "base64_decode('Y~==') is null",
        "61|6162|FBFF|1|1\n");
    asked_is("select to_timecode(3723004005006), to_timecode(NULL) is null",
             "01:02:03 004 005 006|1\n");
    asked_is("select sched_state_to_human_readable_string('R'), "
             "sched_state_to_human_readable_string('Running'), "
             "sched_state_to_human_readable_string('t'), "
             "sched_state_to_human_readable_string(NULL) is null, "
             "sched_state_io_to_human_readable_string('D', 1), "
             "sched_state_io_to_human_readable_string('S', 0), "
             "sched_state_io_to_human_readable_string('Q', NULL)",
             "Runnable|Running|Traced|1|Uninterruptible Sleep (IO)|Sleeping (non-IO)|Q\n");
    asked_is("select max(value), count(*) from json_each('[1, 5, 3]')", "5|3\n");
    asked_is("select \"a text\"", "a text\n");
    asked_is("create view v as select name from slice where name like \"no such name\"; select "
             "count(*) from v",
             "0\n");
    asked_is("select group_concat(m, ' ') from (select median(column1) over (order by column1 rows "
             "between 1 preceding "
             "and 1 "
             "following) m from (values (1), (2), (4), (9)))",
             "1.5 2.0 4.0 6.5\n");
    asked_is("select percentile_cont(column1, 0.5) from (values (1), (2))", "1.5\n");
}
END_TEST

START_TEST(times_of_day) {
    struct trace *known = loaded_fixture("clock_base");
    char *text = asked_once(
        known,
        "select abs_time_str(at) is not null, abs_time_str(at) = strftime('%Y-%m-%dT%H:%M:%S', "
        "to_realtime(at) / 1000000000, 'unixepoch') || printf('.%09d', to_realtime(at) % "
        "1000000000), abs_time_str(NULL) is null from (select trace_start() as at)");
    ck_assert_str_eq(text, "1|1|1\n");
    free(text);
    trace_free(known);
}
END_TEST

/* The flow is no row; the slice with an unset time is, but in no span. */
START_TEST(bounds_are_without_unset_times) {
    struct trace *trace =
        loaded_text("magic\ninit 1000000000\n"
                    "flow_begin 1700000000000000000 1/1 \"c\" \"f\" id=1\n"
                    "complete 1700000000000000100 1/1 \"c\" \"a\" end=1700000000000000200\n"
                    "begin 0 1/1 \"c\" \"unset\"\n"
                    "end 1700000000000000250 1/1 \"c\" \"unset\"\n"
                    "complete 1700000000000000300 1/1 \"c\" \"a\" end=1700000000000000400\n"
                    "flow_end 1700000000000000500 1/1 \"c\" \"f\" id=1\n");
    char *got = asked_once(trace, "select start_ts, end_ts, trace_dur() from trace_bounds");
    ck_assert_str_eq(got, "1700000000000000100|1700000000000000400|300\n");
    free(got);
    trace_free(trace);
}
END_TEST

/* A slice reaches out of the range of the part. */
START_TEST(bounds_of_a_part_are_its_range) {
    struct trace *trace = loaded_text("magic\ninit 1000000000\n"
                                      "blob \"range of the part\" 1 \"100 to 200 ns\"\n"
                                      "complete 50 1/10 \"c\" \"long\" end=300\n");
    char *got = asked_once(trace, "select start_ts, end_ts, trace_dur() from trace_bounds");
    ck_assert_str_eq(got, "100|200|100\n");
    free(got);
    trace_free(trace);
}
END_TEST

#define ROWS                                                                                       \
    "(select column1 as id, column2 as ts, column3 as dur, column4 as g from (values "             \
    "(1,0,10,'a'),(2,5,5,'b'),"                                                                    \
    "(3,10,4,'a'),(4,20,-1,'b'),(5,14,0,'a'),(6,30,5,'a')))"
#define SAMPLES                                                                                    \
    "(select column1 as id, column2 as ts, 7 as track_id, column3 as value from (values "          \
    "(1,0,5),(2,1,5),(3,2,5),"                                                                     \
    "(4,3,5),(5,4,6),(6,6,6),(7,9,1)))"

START_TEST(macros_by_example) {
    asked_is("select ts, value from intervals_overlap_count!(" ROWS ", ts, dur)",
             "0|1\n5|2\n10|1\n14|0\n20|1\n30|2\n35|1\n");
    asked_is("select ts, value from intervals_overlap_count_by_group!(" ROWS
             ", ts, dur, g) where group_name = 'b'",
             "5|1\n10|0\n20|1\n");
    asked_is("select ts, dur from interval_merge_overlapping!((select * from " ROWS
             " where dur > 0), 0)",
             "0|14\n30|5\n");
    asked_is("select ts, dur from interval_merge_overlapping!((select * from " ROWS
             " where dur > 0), 16)",
             "0|35\n");
    asked_is("select id, ts - trace_start() * 0, iif(id = 7, trace_end() - 9 = dur, dur), value, "
             "next_value, "
             "delta_value from "
             "counter_leading_intervals!(" SAMPLES ")",
             "1|0|1|5|5|\n2|1|2|5|5|0\n4|3|1|5|6|0\n5|4|2|6|6|1\n6|6|3|6|1|0\n7|9|1|1||-5\n");
    asked_is("select max(value) from intervals_overlap_count!(interval_merge_overlapping!(slice, "
             "0), ts, dur) having "
             "count(*) < 0",
             "");
    asked_is("select * from intervals_overlap_count!(slice)",
             "error: intervals_overlap_count! wants (table, ts, dur) @ 14");
    asked_is("select * from counter_leading_intervals!(counter, ts)",
             "error: counter_leading_intervals! wants (table) @ 14");
    asked_is("select * from intervals_overlap_count!(nosuch, ts, dur)",
             "error: no such table: nosuch @ 39");
}
END_TEST

START_TEST(names_of_modules) {
    asked_is("include perfetto module *; include perfetto module sched.runnable; include perfetto "
             "module "
             "prelude.after_eof.views; "
             "select 1",
             "1\n");
    asked_is("include perfetto module sched.nosuch",
             "error: INCLUDE: fxtop has no module sched.nosuch; it has: sched.latency, "
             "sched.runnable, sched.states, "
             "sched.thread_level_parallelism, sched.time_in_state, sched.with_context @ 24");
    static const char *const unknown[] = {"std.nosuch",  "std.*",  "prelude.nosuch",
                                          "slices.flow", "slices", "nosuch"};
    for (size_t i = 0; i < sizeof unknown / sizeof *unknown; i++) {
        char sql[100];
        snprintf(sql, sizeof sql, "include perfetto module %s; select 1", unknown[i]);
        char *text = asked_there(sql);
        ck_assert_msg(strstr(text, "it has: ") != NULL, "%s: %s", unknown[i], text);
        free(text);
    }
    asked_is("include perfetto module android.startup",
             "error: INCLUDE: fxtop has no module android.startup; it has: counters.*, fxtop.*, "
             "intervals.*, prelude.*, "
             "sched.*, slices.*, time.* @ 24");
}
END_TEST

START_TEST(functions_of_statements_in_their_order) {
    asked_is("create perfetto function f(x int) returns int as select $x + 1; create table t as "
             "select f(1) as a; "
             "create or replace "
             "perfetto function f(x int) returns int as select $x + 2; select a, f(1) from t",
             "2|3\n");
    asked_is("select f2(1); create perfetto function f2(x int) returns int as select $x",
             "error: no such function: f2 @ 7");
    asked_is("create perfetto function r() returns table(x int) as select 1; create table u as "
             "select x from r(); "
             "create or replace "
             "perfetto function r() returns table(x int) as select 2 union all select 3; select "
             "(select x from u), "
             "sum(x) from r()",
             "1|5\n");
    asked_is("create perfetto function late() returns int as select 7", "");
    asked_is("select late()", "7\n");
}
END_TEST

/* Two selects of the same rows. */
static const char *const equal[][2] = {
    {"select utid, state, total_runtime, time_in_state, percentage_in_state from "
     "sched_time_in_state_for_thread order "
     "by 1, 2",
     "select utid, state, (select sum(dur) from thread_state b where b.utid = a.utid), sum(dur), "
     "sum(dur) * 100 / "
     "(select "
     "sum(dur) from thread_state b where b.utid = a.utid) from thread_state a group by utid, state "
     "order by 1, 2"},
    {"select utid, running, sleeping from sched_percentage_of_time_in_state order by 1",
     "select utid, sum(iif(state = 'Running', dur, NULL)) * 100 / sum(dur), sum(iif(state = 'S', "
     "dur, NULL)) * 100 / "
     "sum(dur) from thread_state group by utid order by 1"},
    {"select id, upid, thread_name from sched_with_thread_process order by 1",
     "select s.id, t.upid, t.name from sched s, thread t where t.utid = s.utid order by 1"},
    {"select ts, active_cpu_count from sched_active_cpu_count order by 1",
     "select ts, value from intervals_overlap_count!((select ts, dur from sched where utid not in "
     "(select utid from "
     "thread "
     "where is_idle)), ts, dur) order by 1"},
    {"select thread_state_id, runnable_latency_id, latency_dur from "
     "sched_latency_for_running_interval order by 1",
     "select id, p, (select dur from thread_state where id = p) from (select r.id, (select b.id "
     "from thread_state b "
     "where "
     "b.utid = r.utid and b.dur <> -1 and b.state = 'R' and (b.ts, b.id) < (r.ts, r.id) order by "
     "b.ts desc, b.id "
     "desc limit 1) p from thread_state r where state = 'Running' and dur <> -1 and exists (select "
     "1 from sched s "
     "where "
     "s.ts = r.ts and s.utid = r.utid and s.dur = r.dur)) where p is not null order by 1"},
    {"select x.state, x.dur from thread t, "
     "sched_time_in_state_for_thread_in_interval(trace_start() + 50, 500, t.utid) "
     "x "
     "order by t.utid, 1",
     "select state, sum(min(ts + dur, trace_start() + 550) - max(ts, trace_start() + 50)) from "
     "thread_state where dur "
     "> 0 and "
     "ts < trace_start() + 550 and ts + dur > trace_start() + 50 group by utid, state order by "
     "utid, 1"},
    {"select x.cpu, sum(x.dur) from thread t, "
     "sched_time_in_state_and_cpu_for_thread_in_interval(trace_start(), "
     "trace_dur(), "
     "t.utid) x group by 1 order by 1",
     "select cpu, sum(dur) from thread_state where dur > 0 group by cpu order by 1"},
    {"select c.cpu, x.end_state, x.dur from cpu c, sched_time_in_state_for_cpu_in_interval(c.cpu, "
     "trace_start(), "
     "trace_dur()) "
     "x order by 1, 2",
     "select cpu, end_state, sum(dur) from sched where dur > 0 group by 1, 2 order by 1, 2"},
    {"select id, cpu_time from thread_slice_cpu_time order by 1",
     "select s.id, sum(min(s.ts + s.dur, r.ts + r.dur) - max(s.ts, r.ts)) from thread_slice s join "
     "thread_state r on "
     "r.utid = "
     "s.utid and +r.ts < s.ts + s.dur and +r.ts + r.dur > s.ts where s.dur > 0 and r.dur > 0 and "
     "r.state = 'Running' "
     "group "
     "by s.id order by 1"},
    {"select id, state, dur from thread_slice_time_in_state order by 1, 2",
     "select s.id, r.state, sum(min(s.ts + s.dur, r.ts + r.dur) - max(s.ts, r.ts)) from "
     "thread_slice s join thread_state r "
     "on r.utid = s.utid and +r.ts < s.ts + s.dur and +r.ts + r.dur > s.ts where s.dur > 0 and "
     "r.dur > 0 group by 1, 2 "
     "order by 1, 2"},
    {"select count(track_name), count(*) from thread_slice",
     "select 0, count(*) from thread_slice"},
    {"select id, track_name from process_slice order by 1",
     "select s.id, t.name from slice s join process_track t on s.track_id = t.id order by 1"},
    {"select id, track_name from thread_or_process_slice where track_name is not null order by 1",
     "select id, track_name from process_slice where track_name is not null order by 1"},
};

START_TEST(views_equal_plain_selects) {
    for (int set = 0; set < 4; set++) {
        struct err err;
        struct trace *other = set < 3 ? thrown_sched(&chance, 100 + (unsigned)below(&chance, 200))
                                      : loaded_fixture("every_kind");
        struct query *asks = query_new(other, &(struct query_options){0}, &err);
        for (size_t i = 0; i < sizeof equal / sizeof *equal; i++) {
            char *a = asked(asks, equal[i][0]), *b = asked(asks, equal[i][1]);
            ck_assert_msg(strncmp(a, "error", 5) != 0 && strcmp(a, b) == 0,
                          "%s:\n%.500s, not\n%.500s", equal[i][0], a, b);
            free(a);
            free(b);
        }
        query_free(asks);
        trace_free(other);
    }
}
END_TEST

/* D has a damaged end, so its children take from A, as in --top; B overlaps C in part. */
START_TEST(self_times_leave_out_what_is_damaged) {
    struct trace *trace =
        loaded_text("magic\ninit 1000000000\nbegin 100 1/1 \"c\" \"A\"\n"
                    "begin 300 1/1 \"c\" \"G\"\nend 400 1/1 \"c\" \"G\"\n"
                    "complete 200 1/1 \"c\" \"D\" end=1000000000000\n"
                    "begin 600 1/1 \"c\" \"H\"\nend 700 1/1 \"c\" \"H\"\n"
                    "end 900 1/1 \"c\" \"A\"\ncomplete 1000 1/1 \"c\" \"B\" end=1100\n"
                    "complete 1050 1/1 \"c\" \"C\" end=1150\n"
                    "async_begin 1160 1/1 \"c\" \"o\" id=1\nasync_end 1170 1/1 \"c\" \"o\" id=1\n"
                    "instant 1180 1/1 \"c\" \"i\"\nbegin 1190 1/1 \"c\" \"N\"\n"
                    "instant 1200 1/1 \"c\" \"i\"\n");
    char *text = asked_once(trace, "select name, self_dur from slice join slice_self_dur using(id) "
                                   "where name <> 'i' order by name");
    ck_assert_str_eq(text, "A|600\nB|50\nC|100\nD|\nG|100\nH|100\nN|10\no|10\n");
    free(text);
    trace_free(trace);
}
END_TEST

/* Samples by their innermost frames are those of --export=folded; frames, callsites and modules of
 * Perfetto's tables lead to the same. */
START_TEST(samples_of_profilers_are_rows) {
    static const char *const same[][2] = {
        {"select f.name, count(*), sum(blocked), sum(weight) from stack_sample s join stack_frame "
         "f on f.id = frame_id group by 1 order by 1",
         "0x0|1|0|1\n0x10 libm.so|1|0|1\n0x20 app|2|1|2\ncopy|4|1|4\nfib|1|0|1\n"},
        {"select f.name, count(*) from perf_sample p join stack_profile_callsite c on c.id = "
         "callsite_id join stack_profile_frame f on f.id = c.frame_id group by 1 order by 1",
         "0x0|1\n0x10 libm.so|1\n0x20 app|1\ncopy|3\nfib|1\n"},
        {"select m.name, count(*) from stack_profile_frame f left join stack_profile_mapping m on "
         "m.id = mapping group by 1 order by 1",
         "|3\n/boot/bin/app|3\n/boot/lib/libm.so|1\nlibc.so|5\n"},
        {"select count(*), count(distinct utid), max(depth) from stack_frame", "146|2|127\n"},
        {"select file, line from stack_frame where name = 'copy' and depth = 2 group by 1, 2",
         "copy.h|7\n"},
    };
    struct trace *trace = loaded_fixture("backtraces");
    for (size_t i = 0; i < sizeof same / sizeof *same; i++) {
        char *text = asked_once(trace, same[i][0]);
        ck_assert_str_eq(text, same[i][1]);
        free(text);
    }
    trace_free(trace);
}
END_TEST

SUITE(modules) {
    Suite *suite = suite_create("modules");
    TCase *c = tcase_create("modules");
    tcase_set_timeout(c, 60);
    tcase_add_checked_fixture(c, asked_begin, asked_end);
    tcase_add_test(c, functions_by_example);
    tcase_add_test(c, times_of_day);
    tcase_add_test(c, bounds_are_without_unset_times);
    tcase_add_test(c, bounds_of_a_part_are_its_range);
    tcase_add_test(c, macros_by_example);
    tcase_add_test(c, names_of_modules);
    tcase_add_test(c, functions_of_statements_in_their_order);
    tcase_add_test(c, views_equal_plain_selects);
    tcase_add_test(c, self_times_leave_out_what_is_damaged);
    tcase_add_test(c, samples_of_profilers_are_rows);
    suite_add_tcase(suite, c);
    return suite;
}
