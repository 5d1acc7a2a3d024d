/* suite_ftrace.c - the text of ftrace: it is known by its first lines, and all of its events are
 * there in any form of a line. */
#include "src/import/kernel/ftrace.h"

#include <check.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

#include "tests/lib/chance.h"
#include "tests/unit/lib/loaded.h"
#include "tests/unit/lib/suites.h"

#define TASKS 5
#define CPUS 3
#define STEPS 150

/* A recorder of a made-up machine: threads run on CPUs, and open and close slices while they do. */
struct machine {
    struct chance chance;
    FILE *f;
    uint64_t us, ran[TASKS];
    int on[CPUS]; /* the task that runs, or -1 */
    uint64_t since[CPUS];
    unsigned depth[TASKS], slices, switches;
};

static const char *const names[TASKS] = {"app", "a-1-22", "b [000] c", "x ==> y", "kworker/0:1"};

/* The left part of a line, in one of the forms of tracefs and trace-cmd. */
static void head(struct machine *m, int cpu, const char *event) {
    static const char *const flags[] = {"d..2 ", "d..2. ", "dNh31. ", "..... ", ""};
    int task = m->on[cpu];
    fprintf(m->f, "%*s-%-6d ", (int)below(&m->chance, 16), task < 0 ? "<idle>" : names[task],
            task < 0 ? 0 : 100 + task);
    if (task < 0)
        fputs("(-----) ", m->f);
    else
        fprintf(m->f, "(%5d) ", 50 + task / 2);
    fprintf(m->f, "[%03d] %s%4" PRIu64 ".%06" PRIu64 "%s: %s", cpu, flags[below(&m->chance, 5)],
            m->us / 1000000, m->us % 1000000, below(&m->chance, 2) ? "" : "000", event);
}

static void write_switch(struct machine *m, int cpu, int next) {
    int out = m->on[cpu];
    char a[20] = "swapper/0", b[20] = "swapper/0";
    if (out >= 0)
        snprintf(a, sizeof a, "%s", names[out]);
    if (next >= 0)
        snprintf(b, sizeof b, "%s", names[next]);
    head(m, cpu, "sched_switch: ");
    int from = out < 0 ? 0 : 100 + out, to = next < 0 ? 0 : 100 + next;
    if (below(&m->chance, 2))
        fprintf(m->f,
                "prev_comm=%s prev_pid=%d prev_prio=120 prev_state=S ==> next_comm=%s next_pid=%d "
                "next_prio=120\n",
                a, from, b, to);
    else
        fprintf(m->f, "%s:%d [120] S ==> %s:%d [120]\n", a, from, b, to);
    if (out >= 0)
        m->ran[out] += m->us - m->since[cpu];
    m->on[cpu] = next;
    m->since[cpu] = m->us;
    m->switches++;
}

static void step(struct machine *m) {
    int cpu = (int)below(&m->chance, CPUS), task = m->on[cpu];
    m->us += 1 + below(&m->chance, 900000);
    if (below(&m->chance, 3) == 0) {
        int next = (int)below(&m->chance, TASKS);
        for (int k = 0; k < CPUS; k++)
            if (m->on[k] == next)
                next = -1;
        if (next != task)
            write_switch(m, cpu, next);
    } else if (task >= 0 && m->depth[task] > 0 && below(&m->chance, 2)) {
        head(m, cpu, "tracing_mark_write: E\n");
        m->depth[task]--;
    } else if (task >= 0) {
        head(m, cpu, "");
        fprintf(m->f, "tracing_mark_write: B|%d|slice %u|x\n", 50 + task / 2, m->slices++);
        m->depth[task]++;
    }
}

/* Runs and slices of a random machine are counted by its recorder, and shown. */
START_TEST(a_machine_is_shown) {
    struct machine m = {.chance = {(uint64_t)_i + 1}, .us = 5000000, .on = {-1, -1, -1}};
    char *source = NULL, part[200];
    size_t n;
    m.f = open_memstream(&source, &n);
    fputs("# tracer: nop\n#\n", m.f);
    for (int k = 0; k < STEPS; k++)
        step(&m);
    for (int k = 0; k < CPUS; k++)
        if (m.on[k] >= 0)
            write_switch(&m, k, -1);
    fclose(m.f);
    char *text = loaded_export(source, n);
    ck_assert_uint_eq(loaded_count(text, "\"type\":\"slice\""), m.slices);
    ck_assert_uint_eq(loaded_count(text, "\"kind\":\"source"), 0);
    ck_assert_uint_eq(loaded_count(text, "inconsistent"), 0);
    for (int k = 0; k < TASKS; k++) {
        uint64_t ran = 0;
        snprintf(part, sizeof part, "\"pid\":%d,\"tid\":%d,\"ts\":", 50 + k / 2, 100 + k);
        for (const char *line = text; (line = strstr(line, "{\"type\":\"sched\"")); line++) {
            const char *end = strchr(line, '\n'), *of = strstr(line, part), *dur;
            if (of && of < end && (dur = strstr(of, "\"dur\":")))
                ran += strtoull(dur + 6, NULL, 10);
        }
        ck_assert_msg(ran == 1000 * m.ran[k], "%d: %" PRIu64 "\n%s", k, ran, source);
    }
    free(text);
    free(source);
}
END_TEST

/* A line of an event, or what its writers begin with. */
START_TEST(its_lines_are_known) {
    static const struct {
        const char *text;
        enum import_sniff is;
    } texts[] = {
        {"# tracer: nop\n#\n", IMPORT_YES},
        {"# tracer: nop\n#\n#   TASK-PID   CPU#  TIMESTAMP  FUNCTION\n  a-1 [000] 1.0: x: y\n",
         IMPORT_YES},
        {"TRACE:\n# tracer: nop\n", IMPORT_YES},
        {"\xef\xbb\xbf# tracer: nop\r\n", IMPORT_YES},
        {"cpus=4\n    bash-1994  [003]  5.000001: sched_waking: x\n", IMPORT_YES},
        {"CPU 1 is empty\ncpus=4\n", IMPORT_YES},
        {"  a-1 [000] 1.0: x: y\n  a-1 [000] 1.0: x: y\n", IMPORT_YES},
        {"  a-1 [000] d..2. 1.0: x: y\n", IMPORT_YES},
        {"# a comment\n\n  a-1 [000] 1.0: x: y", IMPORT_YES},
        {"a-1 [000] 1.0: x: y\nits text\na-1 [000] 1.0: x: y\n", IMPORT_YES},
        {"a 1 [000] 1.0: x: y\na 1 [000] 1.0: x: y\n", IMPORT_NO}, /* perf script */
        {":-1    -1 [000] 1.0: x: y\n:-1    -1 [000] 1.0: x: y\n", IMPORT_NO},
        {"1 1700000000.000001 close(3) = 0\n", IMPORT_NO},
        {"main;read 3\n", IMPORT_NO},
        {"cpus=\n", IMPORT_NO},
        {"", IMPORT_NO},
    };
    for (size_t k = 0; k < sizeof texts / sizeof *texts; k++) {
        struct str text = str_of(texts[k].text);
        ck_assert_msg(ftrace.sniff(text, true) == texts[k].is, "%s", texts[k].text);
        for (size_t n = 0; n < text.n; n++) /* the first bytes say the same, or ask for more */
            ck_assert_msg(ftrace.sniff((struct str){text.s, n}, false) != IMPORT_NO ||
                              texts[k].is == IMPORT_NO,
                          "%.*s", (int)n, text.s);
    }
}
END_TEST

/* The first of more faults than are kept has its place. */
START_TEST(the_first_of_many_faults_is_named) {
    char *source = NULL;
    size_t n;
    FILE *f = open_memstream(&source, &n);
    fputs("# tracer: nop\na-7 [001] 1.000001: x: y=1\n", f);
    for (int k = 0; k < 1500; k++)
        fprintf(f, "nothing %d\n", k);
    fclose(f);
    char *text = loaded_export(source, n);
    ck_assert_ptr_nonnull(strstr(text, "\"kind\":\"source_syntax\",\"count\":1500,"));
    ck_assert_ptr_nonnull(strstr(text, "\"message\":\"line 3, column 1: expected"));
    free(text);
    free(source);
}
END_TEST

SUITE(ftrace) {
    Suite *s = suite_create("ftrace");
    TCase *t = tcase_create("ftrace");
    tcase_add_loop_test(t, a_machine_is_shown, 0, 30);
    tcase_add_test(t, its_lines_are_known);
    tcase_add_test(t, the_first_of_many_faults_is_named);
    suite_add_tcase(s, t);
    return s;
}
