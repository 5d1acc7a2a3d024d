/* suite_strace_line.c - the parts of each form of a line of strace. */
#include "src/import/kernel/strace_line.h"

#include <check.h>
#include <stdio.h>
#include <stdlib.h>

#include "tests/unit/lib/must.h"
#include "tests/unit/lib/suites.h"

/* The parts of a line, as one text; of a faulty one `!` and the message. */
static const char *said(const char *text) {
    static const char *const kinds[] = {"none",  "call",   "unfinished", "resumed",
                                        "again", "signal", "exit",       "message"};
    static const char *const clocks[] = {"-", "epoch", "day", "since"};
    static char buf[600];
    struct strace_line l;
    const char *at, *wrong = strace_line_read(str_of(text), &l, &at);
    ck_assert(wrong == NULL || (at >= text && at <= text + strlen(text)));
    if (wrong) {
        snprintf(buf, sizeof buf, "!%s", wrong);
        return buf;
    }
    snprintf(buf, sizeof buf, "%s %lld %s %llu|%.*s|%.*s|%.*s|%.*s|%.*s|%.*s|%lld", kinds[l.kind],
             l.has_tid ? (long long)l.tid : -1, clocks[l.clock], (unsigned long long)l.time,
             (int)l.name.n, l.name.s ? l.name.s : "", (int)l.args.n, l.args.s ? l.args.s : "",
             (int)l.ret.n, l.ret.s ? l.ret.s : "", (int)l.errnum.n, l.errnum.s ? l.errnum.s : "",
             (int)l.path.n, l.path.s ? l.path.s : "", (int)l.note.n, l.note.s ? l.note.s : "",
             l.has_dur ? (long long)l.dur : -1);
    return buf;
}

static const struct {
    const char *line, *said;
} lines[] = {
    {"7 1700000000.000001 close(3) = 0 <0.000002>",
     "call 7 epoch 1700000000000001000|close|3|0||||2000"},
    {"[pid    7] 00:00:01.5 close(3)      = -1 EBADF (Bad file descriptor)",
     "call 7 day 1500000000|close|3|-1|EBADF||Bad file descriptor|-1"},
    {"7<a b> 00:00:01 open(\"/x\") = 3</x> <1.000000001>",
     "call 7 day 1000000000|open|\"/x\"|3||/x||1000000001"},
    {"     0.000204 poll([{fd=3}], 1, 5) = 1 ([{fd=3, revents=POLLIN}]) <0.000010>",
     "call -1 since 204000|poll|[{fd=3}], 1, 5|1|||[{fd=3, revents=POLLIN}]|10000"},
    {"1700000000.000001 (+     0.000204) brk(NULL) = 0x55",
     "call -1 epoch 1700000000000001000|brk|NULL|0x55||||-1"},
    {"00:00:01 [  59] [00007f9e] execve(\"a) = 1\", [\"\\\"(\"]) = ? ERESTARTSYS (To be "
     "restarted)",
     "call -1 day 1000000000|execve|\"a) = 1\", [\"\\\"(\"]|?|ERESTARTSYS||To be restarted|-1"},
    {"00:00:01 close(3) = 0 (INJECTED) (DELAYED)",
     "call -1 day 1000000000|close|3|0|||(INJECTED) (DELAYED)|-1"},
    {"00:00:01 mprotect(1<<3, 2) = 0", "call -1 day 1000000000|mprotect|1<<3, 2|0||||-1"},
    {"00:00:01 read(3,  <unfinished ...>", "unfinished -1 day 1000000000|read|3,|||||-1"},
    {"00:00:01 exit(0) <unfinished ...>", "unfinished -1 day 1000000000|exit|0|||||-1"},
    {"00:00:01 <... read resumed>\"a\", 1) = 1 <0.5>",
     "resumed -1 day 1000000000|read|\"a\", 1|1||||500000000"},
    {"00:00:01 <... futex resumed> <unfinished ...>) = ?", "again -1 day 1000000000|futex||||||-1"},
    {"00:00:01 --- SIGCHLD {si_signo=SIGCHLD} ---",
     "signal -1 day 1000000000|SIGCHLD|{si_signo=SIGCHLD}|||||-1"},
    {"00:00:01 --- stopped by SIGTSTP ---", "signal -1 day 1000000000|stopped by SIGTSTP||||||-1"},
    {"00:00:01 +++ killed by SIGSEGV (core dumped) +++",
     "exit -1 day 1000000000|killed by SIGSEGV (core dumped)||||||-1"},
    {"strace: Process 12 attached", "message -1 - 0|||||||-1"},
    {"Process 12 attached", "message -1 - 0|||||||-1"},
    {"Process 12 detached", "message -1 - 0|||||||-1"},
    {"Process 12 suspended", "message -1 - 0|||||||-1"},
    {"Process 12 ended", "!expected a time: strace -ttt writes it"},
    {"[ Process PID=1 runs in 32 bit mode. ]", "message -1 - 0|||||||-1"},
    {"close(3) = 0", "!expected a time: strace -ttt writes it"},
    {"24:00:00 close(3) = 0", "!expected a time: strace -ttt writes it"},
    {"00:00:01 close 3", "!expected ( after the name"},
    {"00:00:01 close(3", "!the call does not end"},
    {"00:00:01 write(1, \"a) = 0", "!the call does not end"},
    {"00:00:01 close(3) 0", "!expected = and the result of the call"},
    {"00:00:01 close(3) =", "!expected = and the result of the call"},
    {"00:00:01 <... close> 3", "!expected resumed>"},
    {"00:00:01 ()", "!expected a call, --- or +++"},
    {"", "!expected a time: strace -ttt writes it"},
};

START_TEST(each_form_has_its_parts) {
    for (size_t i = 0; i < sizeof lines / sizeof *lines; i++) {
        const char *got = said(lines[i].line);
        ck_assert_msg(strcmp(got, lines[i].said) == 0, "%s\nwanted %s\ngot    %s", lines[i].line,
                      lines[i].said, got);
    }
}
END_TEST

/* Any part of a line is read without a look beyond it. */
START_TEST(no_part_of_a_line_is_read_beyond) {
    for (size_t i = 0; i < sizeof lines / sizeof *lines; i++) {
        for (size_t n = 0; n <= strlen(lines[i].line); n++) {
            char *part = malloc(n > 0 ? n : 1); /* the sanitizer sees its end */
            struct strace_line l;
            struct str frame;
            const char *at;
            memcpy(part, lines[i].line, n);
            const char *wrong = strace_line_read((struct str){part, n}, &l, &at);
            MUST(wrong == NULL || (at >= part && at <= part + n), i);
            MUST(strace_line_split((struct str){part, n}) <= n, i);
            strace_line_frame((struct str){part, n}, &frame);
            free(part);
        }
    }
}
END_TEST

START_TEST(stacks_and_messages_are_told_apart) {
    struct str frame;
    ck_assert(strace_line_frame(STR(" > /lib/c.so(f+0x1) [0x12]"), &frame));
    ck_assert(str_eq(frame, STR("/lib/c.so(f+0x1) [0x12]")));
    ck_assert(!strace_line_frame(STR("> x"), &frame));
    ck_assert_uint_eq(strace_line_split(STR("12:00:01 fork(strace: Process 12 attached")), 14);
    ck_assert_uint_eq(strace_line_split(STR("strace: Process 12 attached")), 0);
    ck_assert_uint_eq(strace_line_split(STR("12:00:01 fork(Process 12 attached")), 14);
    ck_assert_uint_eq(strace_line_split(STR("Process 12 attached")), 0);
    ck_assert_uint_eq(strace_line_split(STR("12:00:01 fork(strace: Process attached")), 0);
}
END_TEST

SUITE(strace_line) {
    Suite *s = suite_create("strace_line");
    TCase *t = tcase_create("strace_line");
    tcase_add_test(t, each_form_has_its_parts);
    tcase_add_test(t, no_part_of_a_line_is_read_beyond);
    tcase_add_test(t, stacks_and_messages_are_told_apart);
    suite_add_tcase(s, t);
    return s;
}
