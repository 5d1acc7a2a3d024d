/* suite_ftrace_graph.c - functions of the function_graph tracer, of trace-cmd and of tracefs. */
#include "src/import/kernel/ftrace_graph.h"

#include <check.h>
#include <stdio.h>

#include "tests/unit/lib/suites.h"

static const char *said(const char *text, bool line) {
    static const char *const kinds[] = {"none", "enter", "leave", "leaf", "text"};
    static char buf[300];
    struct ftrace_graph g;
    bool is = line ? ftrace_graph_read_line(str_of(text), &g) : ftrace_graph_read(str_of(text), &g);
    if (!is)
        return "!";
    snprintf(buf, sizeof buf, "%s %.*s|%lld|%u|%lld|%.*s", kinds[g.kind], (int)g.name.n,
             g.name.s ? g.name.s : "", g.has_dur ? (long long)g.dur : -1, g.cpu,
             g.has_tid ? (long long)g.tid : -1, (int)g.comm.n, g.comm.s ? g.comm.s : "");
    return buf;
}

static const struct {
    bool line; /* of tracefs */
    const char *text, *said;
} texts[] = {
    {false, "             |  foo() {", "enter foo|-1|0|-1|"},
    {false, "  1.234 us   |    foo();", "leaf foo|1234|0|-1|"},
    {false, "+ 12.5 us    |  }", "leave |12500|0|-1|"},
    {false, "! 112.5 us   |  } /* foo */", "leave foo|112500|0|-1|"},
    {false, "1.0 us | foo(); /* = 0x1 */", "leaf foo|1000|0|-1|"},
    {false, "1.0 us | foo(a=1, b=2);", "leaf foo|1000|0|-1|"},
    {false, " | /* text | more */", "text text | more|-1|0|-1|"},
    {false, " | ", "none |-1|0|-1|"},
    {false, "1.0 s | foo();", "!"},
    {false, "foo();", "!"},
    {true, "   0)   1.234 us    |  foo();", "leaf foo|1234|0|-1|"},
    {true, "  11)               |  foo() {", "enter foo|-1|11|-1|"},
    {true, "   0)   bash-1234    |               |  foo() {", "enter foo|-1|0|1234|bash"},
    {true, "   0)   <...>-1234   |   d.h.  |   @ 1.5 us |  foo();", "leaf foo|1500|0|1234|"},
    {true, "   0)   ==========> |", "none |-1|0|-1|"},
    {true, "   0) foo", "!"},
    {true, "   x)   |  foo();", "!"},
    {true, "   70000)   |  foo();", "!"},
    {true, "", "!"},
};

START_TEST(functions_are_read) {
    ck_assert_str_eq(said(texts[_i].text, texts[_i].line), texts[_i].said);
}
END_TEST

SUITE(ftrace_graph) {
    Suite *s = suite_create("ftrace_graph");
    TCase *t = tcase_create("ftrace_graph");
    tcase_add_loop_test(t, functions_are_read, 0, sizeof texts / sizeof *texts);
    suite_add_tcase(s, t);
    return s;
}
