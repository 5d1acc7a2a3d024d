/* suite_perf_line.c - lines of perf script in each form: the parts that are read of them. */
#include "src/import/kernel/perf_line.h"

#include <check.h>
#include <inttypes.h>
#include <stdio.h>

#include "tests/unit/lib/suites.h"

typedef bool read_line(struct str text, struct perf_line *to);

static const char *read_event_with(read_line *read, const char *text) {
    static char out[400];
    struct perf_line l;
    if (!read(str_of(text), &l))
        return "no";
    int n = snprintf(out, sizeof out, "<%.*s> ", (int)l.comm.n, l.comm.s);
    if (l.has_pid)
        n += snprintf(out + n, 100, "%" PRIu64 "/", l.pid);
    n += snprintf(out + n, 100, "%" PRIu64 " %" PRId64 " %s%" PRIu64, l.tid, l.cpu,
                  l.too_large ? "too large " : "", l.ts);
    if (l.has_period)
        n += snprintf(out + n, 100, " %" PRIu64, l.period);
    snprintf(out + n, 200, " <%.*s> <%.*s>", (int)l.event.n, l.event.s, (int)l.rest.n, l.rest.s);
    return out;
}

static const char *read_event(const char *text) {
    return read_event_with(perf_line_read, text);
}

START_TEST(events_without_times) {
    static const char *const cases[][2] = {
        {"java  3244 cpu-clock: ", "<java> 3244 -1 0 <cpu-clock> <>"},
        {"node a 7/12 [003] 99 cycles:u:", "<node a> 7/12 3 0 99 <cycles:u> <>"},
        {"java 12 cycles: 401100 main (d)", "no"},
        {"a 12 sched:sched_switch:", "no"},
        {"a 12 5.000000: cycles:", "no"},
        {" 12 cycles:", "no"},
        {"a cycles:", "no"},
        {"a 12 cycles", "no"},
        {"", "no"},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++)
        ck_assert_str_eq(read_event_with(perf_line_read_untimed, cases[i][0]), cases[i][1]);
}
END_TEST

START_TEST(events_are_read_in_all_forms) {
    static const char *const cases[][2] = {
        {"app 12 100.000001:    1000000 cpu-clock:ppp: ",
         "<app> 12 -1 100000001000 1000000 <cpu-clock:ppp> <>"},
        {"   w ork 11/12 [003] 1.5:", "no"},
        {"   w ork 11/12 [003]     1.500000:   7 cycles:u:   ",
         "<w ork> 11/12 3 1500000000 7 <cycles:u> <>"},
        {"a 12 0.000000001: cycles: ", "<a> 12 -1 1 <cycles> <>"},
        {"a 12 0.0000001: cycles: ", "no"},
        /* microseconds as report_sample.py prints them */
        {"a b\t12 [007] 115540.8374:\t\t1000000 task-clock:u:",
         "<a b> 12 7 115540008374000 1000000 <task-clock:u> <>"},
        {"a b\t12 [007] 115540.83746:\t1 cycles:", "<a b> 12 7 115540083746000 1 <cycles> <>"},
        {"a 12 9223372036.000000: cycles:", "<a> 12 -1 too large 0 <cycles> <>"},
        {"a 12 99999999999999999999.000000: cycles:", "<a> 12 -1 too large 0 <cycles> <>"},
        {"a 12 [000] U     51404.498340:    2 cycles: ", "<a> 12 0 51404498340000 2 <cycles> <>"},
        {"a 12 [000] U S 5.498340:    2 cycles: ", "no"},
        {"a 12 5.000000:      55a2 leaf+0x19 (/x y)",
         "<a> 12 -1 5000000000 <> <55a2 leaf+0x19 (/x y)>"},
        {"a 12 5.000000: 7 cycles:      55a2 leaf+0x19 (/x y)",
         "<a> 12 -1 5000000000 7 <cycles> <55a2 leaf+0x19 (/x y)>"},
        {"a 12 5.000000: 7", "<a> 12 -1 5000000000 7 <> <>"},
        {"a 12 5.000000: cpu-clock/call-graph=no/:  1 f (d)",
         "<a> 12 -1 5000000000 <cpu-clock/call-graph=no/> <1 f (d)>"},
        {"a 12 5.000000: sched:sched_wakeup: comm=a: b pid=1",
         "<a> 12 -1 5000000000 <sched:sched_wakeup> <comm=a: b pid=1>"},
        {":-1    -1 [001] 5.000000: cycles: ", "<:-1> 0 1 5000000000 <cycles> <>"},
        {":12 12/-1 5.000000: cycles: ", "<:12> 12/0 -1 5000000000 <cycles> <>"},
        /* the first place that fits ends the name */
        {"a 1 2.000000: x 77 3.000000: cycles: ",
         "<a> 1 -1 2000000000 <> <x 77 3.000000: cycles:>"},
        {"kworker/0:1 [x] 5 (z 10 5.000000: cycles: ",
         "<kworker/0:1 [x] 5 (z> 10 -1 5000000000 <cycles> <>"},
        {"a 12 5.000000: PERF_RECORD_COMM exec: w ork:11/12",
         "<a> 12 -1 5000000000 <PERF_RECORD_COMM> <exec: w ork:11/12>"},
        {"a 12 5.000000: PERF_RECORD_FORK(1:2):(3:4)",
         "<a> 12 -1 5000000000 <PERF_RECORD_FORK> <(1:2):(3:4)>"},
        {" 7 5.000000: cycles:", "<> 7 -1 5000000000 <cycles> <>"},
        /* others' lines */
        {"   my-app-1234    (   1200) [001] .....  1000.000130: print: B|1", "no"},
        {"     0.012 ( 0.005 ms): ls/12 openat(dfd: CWD) = 3", "no"},
        {"12 1700000000.000001 close(3) = 0 <0.000001>", "no"},
        {"\t          401100 parse(char const*)+0x10 (/usr/bin/app)", "no"},
        {"", "no"},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++)
        ck_assert_str_eq(read_event(cases[i][0]), cases[i][1]);
}
END_TEST

START_TEST(kinds_of_events) {
    static const char *const sampled[] = {"",
                                          "cycles",
                                          "cycles:u",
                                          "cpu-clock:pppH",
                                          "cpu/event=0x3c,name='a:b'/",
                                          "mem:0x12:rw",
                                          "r1a8:k"};
    static const char *const points[] = {"sched:sched_switch", "syscalls:sys_enter_read", "probe:f",
                                         "sdt_a:b:u"};
    for (size_t i = 0; i < sizeof sampled / sizeof *sampled; i++)
        ck_assert_msg(perf_line_samples(str_of(sampled[i])), "%s", sampled[i]);
    for (size_t i = 0; i < sizeof points / sizeof *points; i++)
        ck_assert_msg(!perf_line_samples(str_of(points[i])), "%s", points[i]);
    ck_assert(perf_line_is_clock(STR("task-clock:u")) && perf_line_is_clock(STR("cpu-clock/x/")));
    ck_assert(!perf_line_is_clock(STR("cycles")) && !perf_line_is_clock(STR("cpu-clocks")));
}
END_TEST

START_TEST(frames_are_read_in_all_forms) {
    static const char *const cases[][2] = {
        {"\t  401100 parse(char const*)+0x10 (/usr/bin/app)",
         "401100 <parse(char const*)> </usr/bin/app>"},
        {"\t 7ff000 read+0x5 (/usr/lib/libc.so.6 (deleted))",
         "7ff000 <read> </usr/lib/libc.so.6 (deleted)>"},
        {"\t 0 [unknown] ([unknown])", "0 <> <>"},
        {"\t 10 [unknown] (/a b/c)", "10 <> </a b/c>"},
        {"\t 11c2 inl+0x19 (inlined)", "11c2 <inl> <>"},
        {"\t 11c2 inl+0x19", "11c2 <inl> <>"},
        {"\t 11c2", "11c2 <> <>"},
        {"\t 11c2 operator() (int)+0x1 (/x(y/z)", "11c2 <operator() (int)> </x(y/z>"},
        {"\t 11c2 f (d+0x1f)", "11c2 <f> <d>"},
        {"\t 11c2 (d)", "11c2 <> <d>"},
        {"\t 11c2 a)", "11c2 <a)> <>"},
        {"\t main+0x1 (d)", "no"},
        {"  w.c:6", "no"},
        {"", "no"},
    };
    char out[200];
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        struct perf_frame f;
        snprintf(out, sizeof out, "no");
        if (perf_line_frame(str_of(cases[i][0]), &f))
            snprintf(out, sizeof out, "%.*s <%.*s> <%.*s>", (int)f.address.n, f.address.s,
                     (int)f.symbol.n, f.symbol.s, (int)f.dso.n, f.dso.s);
        ck_assert_str_eq(out, cases[i][1]);
    }
}
END_TEST

START_TEST(places_in_a_source) {
    static const struct {
        const char *text;
        int line; /* -1: it is no place */
        const char *file;
    } cases[] = {{"  w.c:6", 6, "w.c"},
                 {"  a b:c.c:12 (inlined)", 12, "a b:c.c"},
                 {"  ??:0", 0, NULL},
                 {"  :0", 0, NULL},
                 {"  libc.so.6[1098eb]", 0, NULL},
                 {"  w.c:6 x", -1, NULL},
                 {"  w.c:99999999999", -1, NULL},
                 {"  ABI:2    AX:0x1", -1, NULL}};
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        struct str file;
        uint32_t line;
        ck_assert_int_eq(perf_line_source(str_of(cases[i].text), &file, &line), cases[i].line >= 0);
        ck_assert_msg(cases[i].line < 0 || (int)line == cases[i].line, "%s", cases[i].text);
        ck_assert(cases[i].file == NULL || str_eq(file, str_of(cases[i].file)));
    }
}
END_TEST

SUITE(perf_line) {
    Suite *s = suite_create("perf_line");
    TCase *t = tcase_create("perf_line");
    tcase_add_test(t, events_are_read_in_all_forms);
    tcase_add_test(t, events_without_times);
    tcase_add_test(t, kinds_of_events);
    tcase_add_test(t, frames_are_read_in_all_forms);
    tcase_add_test(t, places_in_a_source);
    suite_add_tcase(s, t);
    return s;
}
