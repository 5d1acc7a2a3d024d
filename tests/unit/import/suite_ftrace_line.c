/* suite_ftrace_line.c - the parts of each form of a line of ftrace. */
#include "src/import/kernel/ftrace_line.h"

#include <check.h>
#include <stdio.h>

#include "tests/unit/lib/must.h"
#include "tests/unit/lib/suites.h"

/* The parts of a line, as one text; of a faulty one `!` and the message. */
static const char *said(const char *text) {
    static const char *const kinds[] = {"none", "event", "call",  "return", "function",
                                        "lost", "frame", "graph", "task",   "other"};
    static char buf[600];
    struct ftrace_line l;
    const char *at, *wrong = ftrace_line_read(str_of(text), &l, &at);
    ck_assert(at >= text && at <= text + strlen(text));
    if (wrong) {
        snprintf(buf, sizeof buf, "!%s", wrong);
        return buf;
    }
    snprintf(buf, sizeof buf, "%s %.*s|%llu|%lld|%u %llu%s%s|%.*s|%.*s|%llu", kinds[l.kind],
             (int)l.comm.n, l.comm.s ? l.comm.s : "", (unsigned long long)l.tid,
             l.has_tgid ? (long long)l.tgid : -1, l.cpu, (unsigned long long)l.ts,
             l.has_point ? "" : " whole", l.too_late ? " late" : "", (int)l.name.n,
             l.name.s ? l.name.s : "", (int)l.text.n, l.text.s ? l.text.s : "",
             (unsigned long long)l.lost);
    return buf;
}

static const struct {
    const char *line, *said;
} lines[] = {
    {"          <idle>-0     [001] d.h2.   1000.000150: irq_handler_entry: irq=30 name=eth0",
     "event <idle>|0|-1|1 1000000150000|irq_handler_entry|irq=30 name=eth0|0"},
    {"  my-app-1234  (   1200) [001] .....  1000.5: tracing_mark_write: B|1|a: b",
     "event my-app|1234|1200|1 1000500000000|tracing_mark_write|B|1|a: b|0"},
    {"kworker/u8:1-events-77 (-----) [000] 1.000001: x: y",
     "event kworker/u8:1-events|77|-1|0 1000001000|x|y|0"},
    {"a-1-22 (-------) [127] dNh31 1.000001: x:", "event a-1|22|-1|127 1000001000|x||0"},
    {"<...>-12[000]1.1: x: y", "event |12|-1|0 1100000000|x|y|0"},
    {"worker-42 (42) [000] .... 1.123456789: x: y", "event worker|42|42|0 1123456789|x|y|0"},
    {"worker-42 (42) [004] d...316.196740: x: y", "event worker|42|42|4 316196740000|x|y|0"},
    {"worker-42 (42) [004] d..21316.196740: x: y", "event worker|42|42|4 1316196740000|x|y|0"},
    {"worker-42 (42) [004] .....316.196740: x: y", "event worker|42|42|4 316196740000|x|y|0"},
    {"worker-42 [000] .... 1.1234567895: x: y", "event worker|42|-1|0 1123456790|x|y|0"},
    {"bash-1994  [003]  5.000001: sched_switch:         bash:1994 [120] S ==> sh:9 [120]",
     "event bash|1994|-1|3 5000001000|sched_switch|bash:1994 [120] S ==> sh:9 [120]|0"},
    {"bash-1994  [003]  5.000001: (+12)   x:   y", "event bash|1994|-1|3 5000001000|x|y|0"},
    {"  <idle>-0       2d..1.  2084.021443: x: y", "event <idle>|0|-1|2 2084021443000|x|y|0"},
    {"a-b-7 110dNh31. 5.000001: x: y", "event a-b|7|-1|110 5000001000|x|y|0"},
    {"a-1 2d... x-7 110d... 5.000001: x: y", "event a-1 2d... x|7|-1|110 5000001000|x|y|0"},
    {"b [000] 1.0: -7 (3) [001] 2.0: x: y", "event b [000] 1.0: |7|3|1 2000000000|x|y|0"},
    {"b-1 [000]-7 [001] 2.0: x: y", "event b-1 [000]|7|-1|1 2000000000|x|y|0"},
    {"[kworker]-7 [001] 2.0: x: y", "event [kworker]|7|-1|1 2000000000|x|y|0"},
    {"a (x)-7 [001] 2.0: x: y", "event a (x)|7|-1|1 2000000000|x|y|0"},
    {"a-7 (3) x-8 [001] 2.0: x: y", "event a-7 (3) x|8|-1|1 2000000000|x|y|0"},
    {"a-7 [001] d..2 123456789: x: y", "event a|7|-1|1 123456789 whole|x|y|0"},
    {"a-7 [001] d..2 9223372036.854775807: x: y", "event a|7|-1|1 9223372036854775807|x|y|0"},
    {"a-7 [001] d..2 9223372036.854775808: x: y", "event a|7|-1|1 0 late|x|y|0"},
    {"a-7 [001] d..2 99999999999999999999999: x: y", "event a|7|-1|1 0 whole late|x|y|0"},
    {"a-7 [001] 2.0: sys_read(fd: 3, buf: 7f, count: 10)",
     "call a|7|-1|1 2000000000|sys_read|fd: 3, buf: 7f, count: 10|0"},
    {"a-7 [001] 2.0: sys_read -> 0x10", "return a|7|-1|1 2000000000|sys_read|0x10|0"},
    {"a-7 [001] 2.0: sys_enter: NR 0 (3)", "event a|7|-1|1 2000000000|sys_enter|NR 0 (3)|0"},
    {"a-7 [001] 2.0: do_IRQ <-ret_from_intr",
     "function a|7|-1|1 2000000000|do_IRQ|ret_from_intr|0"},
    {"a-7 [001] 2.0: <stack trace>", "event a|7|-1|1 2000000000|<stack trace>||0"},
    {"a-7 [001] 2.0: foo.isra.0: text: more", "event a|7|-1|1 2000000000|foo.isra.0|text: more|0"},
    {"a-7 [001] 2.0: just text", "event a|7|-1|1 2000000000|just text||0"},
    {"CPU:2 [LOST 123 EVENTS]", "lost |0|-1|2 0 whole|||123"},
    {"CPU:2 [LOST EVENTS]", "lost |0|-1|2 0 whole|||0"},
    {" => do_syscall_64", "frame |0|-1|0 0 whole||do_syscall_64|0"},
    {"  12.000001 |   0)   1.2 us    |  foo();",
     "graph |0|-1|0 12000001000||   0)   1.2 us    |  foo();|0"},
    {"   1)   bash-12   =>  <...>-34 ", "task |34|-1|1 0 whole|||0"},
    {" ------------------------------------------", "other |0|-1|0 0 whole|||0"},
    {"cpus=4", "other |0|-1|0 0 whole|||0"},
    {"CPU 1 is empty", "other |0|-1|0 0 whole|||0"},
    {"##### CPU 2 buffer started ####", "other |0|-1|0 0 whole|||0"},
    {"a-7 [001] 2.0:", "!expected an event after the time"},
    {"a-7 [001] 2.0 x: y", "!expected COMM-PID [CPU] TIME: EVENT"},
    {"a-7 [65536] 2.0: x: y", "!expected COMM-PID [CPU] TIME: EVENT"},
    {"a 7 [001] 2.0: x: y", "!expected COMM-PID [CPU] TIME: EVENT"},
    {"-7 [001] 2.0: x: y", "!expected COMM-PID [CPU] TIME: EVENT"},
    {"a-7 [001] 2.: x: y", "!expected COMM-PID [CPU] TIME: EVENT"},
    {"a-7 001 2.0: x: y", "!expected COMM-PID [CPU] TIME: EVENT"},
    {"a/7 100.000000:     cpu-clock: ", "!expected COMM-PID [CPU] TIME: EVENT"},
    {"7 1700000000.000001 close(3) = 0", "!expected COMM-PID [CPU] TIME: EVENT"},
    {"CPU:70000 [LOST 3 EVENTS]", "!expected COMM-PID [CPU] TIME: EVENT"},
    {"", "!expected COMM-PID [CPU] TIME: EVENT"},
};

START_TEST(forms_are_read) {
    ck_assert_str_eq(said(lines[_i].line), lines[_i].said);
}
END_TEST

SUITE(ftrace_line) {
    Suite *s = suite_create("ftrace_line");
    TCase *t = tcase_create("ftrace_line");
    tcase_add_loop_test(t, forms_are_read, 0, sizeof lines / sizeof *lines);
    suite_add_tcase(s, t);
    return s;
}
