/* suite_kernel_events.c - events of the kernel as text, in each form: which records they become. */
#include <check.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "src/import/kernel/kernel_text.h"
#include "tests/lib/chance.h"
#include "tests/unit/lib/loaded.h"
#include "tests/unit/lib/suites.h"

struct given { /* an event */
    uint64_t ts;
    unsigned cpu;
    uint64_t pid, tid;
    const char *comm, *name, *text;
};

#define NO KERNEL_NO_PID

static const struct given *events;
static size_t n_events;
static struct kernel_events kernel;

static void take(void *ctx, struct str line, bool too_long) {
    struct import_lines *lines = ctx;
    ck_assert(!too_long && line.n == 1);
    const struct given *g = &events[lines->number];
    struct kernel_event e = {.ts = g->ts,
                             .cpu = g->cpu,
                             .pid = g->pid,
                             .tid = g->tid,
                             .comm = str_of(g->comm),
                             .category = STR("test"),
                             .at = line.s};
    kernel_events_take(&kernel, &e);
    kernel_text(&kernel, &e, str_of(g->name), str_of(g->text));
}

/* The lines of ndjson of events, without those of the trace, its threads and its end. */
static char *shown(const struct given *v, size_t n, char *said, size_t most) {
    struct import_lines lines;
    char *source = malloc(2 * n);
    size_t used = 0;
    for (size_t i = 0; i < n; i++)
        memcpy(source + 2 * i, ".\n", 2);
    events = v;
    n_events = n;
    import_lines_init(&lines, take, &lines);
    writer_magic(&lines.w);
    kernel_events_init(&kernel, &lines, "no processes");
    import_lines_step(&lines, (struct str){source, 2 * n}, true);
    kernel_events_end(&kernel);
    struct import_news news = import_lines_news(&lines, true);
    said[0] = '\0';
    for (size_t i = 0; i < news.ncases; i++) {
        used += (size_t)snprintf(said + used, most - used, "%s\n", news.cases[i].why);
        free(news.cases[i].why);
    }
    char *text = loaded_export(news.words.s, news.words.n);
    kernel_events_free(&kernel);
    import_lines_free(&lines);
    free(source);
    return text;
}

static char messages[4000];

static char *text_of(const struct given *v, size_t n) {
    return shown(v, n, messages, sizeof messages);
}

#define SHOWN(v) text_of(v, sizeof(v) / sizeof *(v))

static void must_have(const char *text, const char *part) {
    ck_assert_msg(strstr(text, part) != NULL, "%s\n%.3000s%s", part, text, messages);
}

/* Names of threads that look like fields. */
static const char *const comms[] = {
    "swapper",         "a ==> b", "x prev_pid=9", "p=1 q=2",      "k/u8:1 [1] S", "==>",
    "a-1-22",          "[1]",     ":1",           "x next_pid=2", "pid=7 c=",     "B|1|name",
    "a ==> next_comm", "\x01\xff"};
#define COMMS (sizeof comms / sizeof *comms)

static void write_switch(char *to, size_t most, uint64_t form, size_t out, size_t in,
                         const char *state) {
    static const char *const forms[] = {
        "prev_comm=%s prev_pid=%zu prev_prio=120 prev_state=%s ==> next_comm=%s next_pid=%zu "
        "next_prio=98 extra=1",
        "prev_comm=%s prev_pid=%zu prev_prio=120 prev_state=%s next_comm=%s next_pid=%zu "
        "next_prio=98",
        "%s:%zu [120] %s ==> %s:%zu [98]"};
    snprintf(to, most, forms[form], comms[out], out, state, comms[in], in);
}

/* Each switch of random ones is there, with both threads, in both forms. */
START_TEST(each_switch_is_read_whole) {
    enum { SWITCHES = 100 };
    static const char *const states[] = {"R", "R+", "S", "D|K", "T", "64"};
    static struct given v[SWITCHES];
    static char texts[SWITCHES][300];
    struct chance chance = {(uint64_t)_i + 1};
    unsigned runs[COMMS] = {0};
    size_t running = 0;
    for (size_t i = 0; i < SWITCHES; i++) {
        size_t next = (running + 1 + below(&chance, COMMS - 1)) % COMMS;
        write_switch(texts[i], sizeof texts[i], below(&chance, 3), running, next,
                     states[below(&chance, 6)]);
        v[i] = (struct given){10 * i + 10, 3, NO, running, "", "sched_switch", texts[i]};
        running = next;
        runs[running]++;
    }
    char *text = SHOWN(v), part[100];
    ck_assert_str_eq(messages, "line 100, column 1: no processes (13 times)\n");
    ck_assert_uint_eq(loaded_count(text, "\"type\":\"sched\""), SWITCHES);
    ck_assert_uint_eq(loaded_count(text, "\"type\":\"problem\""), 0);
    for (size_t k = 1; k < COMMS; k++) {
        snprintf(part, sizeof part, "\"cpu\":3,\"pid\":0,\"tid\":%zu,", k);
        ck_assert_uint_eq(loaded_count(text, part), runs[k]);
    }
    for (size_t k = 1; k + 1 < COMMS; k++) {
        snprintf(part, sizeof part, "{\"type\":\"thread\",\"pid\":0,\"tid\":%zu,\"name\":\"%s\"", k,
                 comms[k]);
        ck_assert_msg(runs[k] == 0 || strstr(text, part) != NULL, "%s", part);
    }
    free(text);
}
END_TEST

/* One event of each kind and form, and a part of its line of ndjson. */
START_TEST(each_form_is_known) {
    static const struct {
        const char *name, *text, *shown;
    } forms[] = {
        {"sched_waking", "comm=a b pid=9 prio=-1 success=1 target_cpu=004",
         "\"state\":\"runnable\",\"waker\":7"},
        {"sched_wakeup", "a:b:9 [120] success=1 CPU:004", "\"tid\":9,\"name\":\"a:b\""},
        {"sched_wakeup_new", "a:9 [120] CPU:004", "\"tid\":9,\"name\":\"a\""},
        {"task_rename", "pid=9 oldcomm=x newcomm=a b oom_score_adj=0",
         "\"tid\":9,\"name\":\"a b\""},
        {"sched_process_exec", "filename=/usr/bin/a-name-of-many-letters pid=7 old_pid=7",
         "\"pid\":5,\"tid\":7,\"name\":\"a-name-of-many-\""},
        {"task_newtask", "pid=9 comm=a clone_flags=3d0f00 oom_score_adj=0",
         "\"pid\":5,\"tid\":9,\"name\":\"a\""},
        {"task_newtask", "pid=9 comm=a clone_flags=1200011 oom_score_adj=0",
         "{\"type\":\"process\",\"pid\":9,\"name\":\"a\"}"},
        {"sched_process_fork", "comm=x pid=7 child_comm=a child_pid=9", "\"tid\":9,\"name\":\"a\""},
        {"irq_handler_entry", "irq=30 name=eth0 x",
         "\"cat\":\"interrupt\",\"name\":\"irq eth0 x\""},
        {"softirq_entry", "vec=1 [action=TIMER]", "\"name\":\"softirq TIMER\""},
        {"softirq_entry", "vec=1", "\"name\":\"softirq TIMER\""},
        {"ipi_entry", "(Rescheduling interrupts)", "\"name\":\"ipi Rescheduling interrupts\""},
        {"local_timer_entry", "vector=236", "\"name\":\"local_timer\""},
        {"hrtimer_expire_entry", "hrtimer=ffff function=tick now=5", "\"name\":\"hrtimer tick\""},
        {"sys_enter", "NR 0 (3, 7f, 10)",
         "\"cat\":\"syscall\",\"name\":\"syscall "
         "0\",\"ts\":0,\"dur\":null,\"depth\":0,\"open\":true,\"args\":[{\"name\":\"args\","
         "\"type\":\"string\",\"value\":\"3, 7f, 10\"}]"},
        {"sys_enter_read", "fd: 0x3",
         "\"cat\":\"syscall\",\"name\":\"read\",\"ts\":0,\"dur\":null,\"depth\":0,\"open\":true,"
         "\"args\":[{\"name\":\"args\",\"type\":\"string\",\"value\":\"fd: 0x3\"}]"},
        {"sys_exit_read", "0xfffffffffffffffe", "\"name\":\"ret\",\"type\":\"int64\",\"value\":-2"},
        {"cpu_frequency", "state=1200000 cpu_id=3",
         "\"name\":\"cpu_frequency\",\"id\":0,\"series\":\"cpu 3\",\"ts\":0,\"value\":1200000"},
        {"cpu_idle", "state=4294967295 cpu_id=0", "\"series\":\"cpu 0\",\"ts\":0,\"value\":-1"},
        {"clock_set_rate", "gpu state=5 cpu_id=0", "\"name\":\"clock_set_rate gpu\""},
        {"print", "0xffffffff81200000: tracing_mark_write: B|5|x",
         "\"name\":\"x\",\"ts\":0,\"dur\":null"},
        {"0", "I|5|done",
         "\"type\":\"instant\",\"pid\":5,\"tid\":7,\"cat\":\"atrace\",\"name\":\"done\""},
        {"bprint", "0xc042f8a0f: gpu_power: frequency=420 load=91",
         "\"name\":\"gpu_power\",\"ts\":0,\"args\":[{\"name\":\"frequency\",\"type\":\"int64\","
         "\"value\":420}"},
        {"bputs", "0xffff0000080feeb8s: C|5|a: b|3", "\"name\":\"a: b\",\"id\":0"},
        {"tracing_mark_write", "N|5|row|done",
         "\"name\":\"track\",\"type\":\"string\",\"value\":\"row\""},
        {"tracing_mark_write", "C|8|a|b|1.5",
         "\"pid\":8,\"tid\":8,\"cat\":\"atrace\",\"name\":\"a|b\",\"id\":0,\"series\":\"value\","
         "\"ts\":0,\"value\":1.5"},
        {"tracing_mark_write", "S|8|a|b|-1",
         "\"id\":\"0xffffffffffffffff\",\"pid\":8,\"tid\":8,\"cat\":\"atrace\",\"name\":\"a|b\""},
        {"tracing_mark_write", "C|8|H:load|7|M62",
         "\"name\":\"H:load\",\"id\":0,\"series\":\"value\",\"ts\":0,\"value\":7"},
        {"tracing_mark_write", "S|8|H:load|7|M62|kind|key=value",
         "\"id\":\"0x7\",\"pid\":8,\"tid\":8,\"cat\":\"atrace\",\"name\":\"H:load\""},
        {"tracing_mark_write", "S|8|H:load 1001",
         "\"id\":\"0x3e9\",\"pid\":8,\"tid\":8,\"cat\":\"atrace\",\"name\":\"H:load\""},
        {"tracing_mark_write", "G|5|row|op|3", "\"cat\":\"row\",\"name\":\"op\""},
        {"tracing_mark_write", "hello | there", "\"cat\":\"test\",\"name\":\"hello | there\""},
        {"any_event", "dev 8,1 n=12 x=0x1f name=a b, last=z",
         "\"cat\":\"test\",\"name\":\"any_event\",\"ts\":0,\"args\":[{\"name\":\"text\",\"type\":"
         "\"string\",\"value\":\"dev 8,1\"},"
         "{\"name\":\"n\",\"type\":\"int64\",\"value\":12},{\"name\":\"x\",\"type\":\"uint64\","
         "\"value\":31},"
         "{\"name\":\"name\",\"type\":\"string\",\"value\":\"a "
         "b\"},{\"name\":\"last\",\"type\":\"string\",\"value\":\"z\"}]"},
    };
    for (size_t i = 0; i < sizeof forms / sizeof *forms; i++) {
        const struct given v[] = {{100, 2, 5, 7, "x", forms[i].name, forms[i].text}};
        char *text = SHOWN(v);
        must_have(text, forms[i].shown);
        ck_assert_msg(loaded_count(text, "\"type\":\"instant\"") <= 1, "%s", text);
        free(text);
    }
}
END_TEST

/* A text of another form is an instant with all of it, and a problem. */
START_TEST(another_form_is_a_problem) {
    static const char *const texts[][2] = {
        {"sched_switch", "prev_comm=a prev_pid=7 ==> next_comm=b next_pid=9"},
        {"sched_switch", "a:7 [120] S => b:9 [120]"},
        {"sched_wakeup", "comm=a target_cpu=001"},
        {"sched_wakeup", ""},
        {"softirq_entry", "[action=TIMER]"},
        {"irq_handler_exit", "30"},
        {"sys_enter", "0 (3)"},
        {"sys_exit", "NR 0"},
        {"task_newtask", "pid=9"},
        {"task_rename", "newcomm=a"},
        {"tracing_mark_write", "B|x|name"},
        {"tracing_mark_write", "C|5|name"},
        {"tracing_mark_write", "C|5|name|x"},
        {"tracing_mark_write", "S|5|name"},
        {"tracing_mark_write", "G|5|"},
    };
    for (size_t i = 0; i < sizeof texts / sizeof *texts; i++) {
        const struct given v[] = {{100, 2, 5, 7, "x", texts[i][0], texts[i][1]}};
        char *text = SHOWN(v);
        ck_assert_msg(loaded_count(messages, "line 1, column 1: ") == 1, "%s: %s", texts[i][1],
                      messages);
        ck_assert_msg(loaded_count(text, "\"type\":\"instant\",\"pid\":5,\"tid\":7") == 1, "%s: %s",
                      texts[i][1], text);
        free(text);
    }
}
END_TEST

#define ON(ts, name, text)                                                                         \
    { ts, 2, 5, 7, "x", name, text }

START_TEST(what_is_open_ends_with_its_thread) {
    static const struct given v[] = {
        ON(100, "tracing_mark_write", "B|5|a"),
        ON(110, "tracing_mark_write", "B|5|b"),
        ON(120, "sys_enter", "NR 60 (0)"),
        ON(130, "sched_process_exit", "comm=x pid=7 prio=120"),
        ON(140, "tracing_mark_write", "B|5|left"),
        ON(150, "any", ""),
    };
    char *text = SHOWN(v);
    must_have(text, "\"name\":\"a\",\"ts\":0,\"dur\":30,");
    must_have(text, "\"name\":\"b\",\"ts\":10,\"dur\":20,");
    must_have(text, "\"name\":\"syscall 60\",\"ts\":20,\"dur\":10,");
    must_have(text, "\"name\":\"left\",\"ts\":40,\"dur\":null");
    ck_assert_str_eq(messages, "");
    free(text);
}
END_TEST

START_TEST(interrupts_nest) {
    static const struct given v[] = {
        ON(100, "irq_handler_entry", "irq=1 name=a"),
        ON(110, "softirq_entry", "vec=3 [action=NET_RX]"),
        ON(120, "irq_handler_entry", "irq=2 name=b"),
        ON(130, "irq_handler_exit", "irq=2 ret=handled"),
        ON(140, "softirq_exit", "vec=3 [action=NET_RX]"),
        ON(150, "irq_handler_exit", "irq=1 ret=handled"),
        ON(160, "irq_handler_exit", "irq=1 ret=handled"),
        ON(170, "irq_handler_entry", "irq=1 name=a"),
        ON(180, "softirq_entry", "vec=3 [action=NET_RX]"),
        ON(190, "irq_handler_exit", "irq=1 ret=handled"),
    };
    char *text = SHOWN(v);
    must_have(text, "\"name\":\"irq a\",\"ts\":0,\"dur\":50,\"depth\":0");
    must_have(text, "\"name\":\"softirq NET_RX\",\"ts\":10,\"dur\":30,\"depth\":1");
    must_have(text, "\"name\":\"irq b\",\"ts\":20,\"dur\":10,\"depth\":2");
    must_have(text, "\"name\":\"softirq NET_RX\",\"ts\":80,\"dur\":10,\"depth\":1");
    ck_assert_str_eq(messages, "line 7, column 1: an interrupt ends that has not begun\n"
                               "line 10, column 1: interrupts within this one have not ended: 1\n");
    free(text);
}
END_TEST

START_TEST(calls_are_slices) {
    static const struct given v[] = {
        ON(100, "sys_exit", "NR 0 = 5"),      ON(110, "sys_enter", "NR 1 (3, 4)"),
        ON(120, "tracing_mark_write", "E|5"), ON(130, "sys_exit", "NR 1 = -11"),
        ON(140, "sys_enter", "NR 15 ()"),     ON(150, "sys_exit", "NR -1 = 0"),
        ON(160, "sys_enter_read", "fd: 3"),   ON(170, "sys_exit_write", "0x10"),
        ON(180, "sys_enter_read", "fd: 3"),   ON(190, "sys_enter_close", "fd: 3"),
    };
    char *text = SHOWN(v);
    must_have(
        text,
        "\"name\":\"syscall "
        "1\",\"ts\":10,\"dur\":20,\"depth\":0,\"args\":[{\"name\":\"args\",\"type\":\"string\","
        "\"value\":\"3, 4\"},{\"name\":\"ret\",\"type\":\"int64\",\"value\":-11}]");
    must_have(text, "\"name\":\"syscall 15\",\"ts\":40,\"dur\":10,");
    must_have(text, "\"name\":\"read\",\"ts\":60,\"dur\":10,");
    must_have(text, "\"name\":\"read\",\"ts\":80,\"dur\":10,");
    must_have(text, "\"name\":\"close\",\"ts\":90,\"dur\":null");
    ck_assert_str_eq(messages,
                     "line 8, column 1: write returns, but read has begun\n"
                     "line 10, column 1: read has not ended before this\n"
                     "line 1, column 1: a system call returned that had not begun: an instant\n");
    free(text);
}
END_TEST

/* A process is written when it is known; one that is not known in time is process 0. */
START_TEST(processes_may_come_late) {
    static const struct given v[] = {
        {100, 2, NO, 0, "<idle>", "sched_switch", "swapper/2:0 [120] R ==> late:7 [120]"},
        {110, 2, NO, 7, "late", "tracing_mark_write", "B|5|a"},
        {120, 2, NO, 8, "never", "any", ""},
        {130, 2, 6, 8, "never", "any", ""},
        {140, 2, 5, 9, "another", "any", ""},
        {150, 2, 6, 9, "another", "any", ""},
        {160, 2, NO, 10, "wakes", "sched_waking", "comm=sleeps pid=11 prio=1 target_cpu=000"},
    };
    char *text = SHOWN(v);
    must_have(text, "\"type\":\"sched\",\"cpu\":2,\"pid\":5,\"tid\":7,");
    must_have(text, "{\"type\":\"process\",\"pid\":0,\"name\":\"(processes not recorded)\"}");
    must_have(text, "\"pid\":0,\"tid\":8,\"cat\":\"test\",\"name\":\"any\",\"ts\":20");
    must_have(text, "\"pid\":0,\"tid\":8,\"cat\":\"test\",\"name\":\"any\",\"ts\":30");
    must_have(text, "\"pid\":5,\"tid\":9,\"cat\":\"test\",\"name\":\"any\",\"ts\":40");
    must_have(text, "\"pid\":6,\"tid\":9,\"cat\":\"test\",\"name\":\"any\",\"ts\":50");
    must_have(text, "{\"type\":\"thread\",\"pid\":0,\"tid\":11,\"name\":\"sleeps\"}");
    ck_assert_str_eq(messages, "line 3, column 1: no processes (3 times)\n");
    free(text);
}
END_TEST

START_TEST(a_thread_comes_from_its_parent) {
    static const struct given v[] = {
        ON(100, "task_newtask", "pid=9 comm=x clone_flags=3d0f00 oom_score_adj=0"),
        ON(105, "sched_process_fork", "comm=x pid=7 child_comm=x child_pid=9"),
        ON(110, "sched_wakeup_new", "comm=x pid=9 prio=120 target_cpu=002"),
        ON(120, "sched_switch", "x:7 [120] R+ ==> x:9 [120]"),
        {130, 2, 5, 9, "x", "task_rename", "pid=9 oldcomm=x newcomm=worker oom_score_adj=0"},
        {140, 2, 5, 9, "x", "sched_switch", "worker:9 [120] X ==> x:7 [120]"},
        ON(150, "task_newtask", "pid=9 comm=next clone_flags=11 oom_score_adj=0"),
        {160, 1, NO, 9, "next", "any", ""},
    };
    char *text = SHOWN(v);
    must_have(text, "\"type\":\"sched\",\"cpu\":2,\"pid\":5,\"tid\":7,\"ts\":0,\"dur\":20,\"end_"
                    "state\":\"runnable\"");
    must_have(text, "\"pid\":9,\"tid\":9,\"cat\":\"test\",\"name\":\"any\"");
    ck_assert_uint_eq(loaded_count(text, "\"type\":\"flow\""), 2);
    must_have(text, "\"name\":\"clone\"");
    ck_assert_str_eq(messages, "");
    free(text);
}
END_TEST

/* A waking and the wakeup after it are one wake; one without success is none. */
START_TEST(a_wake_counts_once) {
    static const struct given v[] = {
        ON(90, "sched_wakeup", "comm=a pid=9 prio=1 target_cpu=001"),
        ON(100, "sched_waking", "comm=b pid=10 prio=1 target_cpu=001"),
        ON(105, "sched_wakeup", "comm=b pid=10 prio=1 target_cpu=001"),
        ON(110, "sched_wakeup", "comm=c pid=11 prio=1 target_cpu=001"),
        ON(120, "sched_wakeup_new", "comm=d pid=12 prio=1 target_cpu=001"),
        ON(130, "sched_waking", "comm=e pid=13 prio=1 success=0 target_cpu=001"),
    };
    char *text = SHOWN(v);
    ck_assert_uint_eq(loaded_count(text, "\"waker\":7"), 3);
    must_have(messages,
              "line 3, column 1: a sched_wakeup is the wake that sched_waking began (2 times)\n");
    must_have(messages, "line 6, column 1: a wakeup without success woke nothing\n");
    free(text);
}
END_TEST

/* Names and fields of many bytes are cut to what a record holds, and that is a problem. */
START_TEST(long_texts_are_cut) {
    static const char *const names[] = {"tracing_mark_write", "any", "sys_enter", "print"};
    static const char *const begins[] = {"B|5|", "key=", "NR 3 (", "G|5|a|"};
    static char text_long[65000];
    for (size_t i = 0; i < 4; i++) {
        memset(text_long, 'x', sizeof text_long - 1);
        memcpy(text_long, begins[i], strlen(begins[i]));
        if (i == 3)
            memcpy(text_long + sizeof text_long - 3, "|7", 2);
        const struct given v[] = {ON(100, names[i], text_long)};
        char *text = SHOWN(v);
        ck_assert_msg(loaded_count(text, "xxxxxxxxxxxxxxxx\"") == 1, "%zu", i);
        ck_assert_uint_eq(loaded_count(messages, "cut"), i != 2);
        free(text);
    }
}
END_TEST

SUITE(kernel_events) {
    Suite *s = suite_create("kernel_events");
    TCase *t = tcase_create("kernel_events");
    tcase_add_loop_test(t, each_switch_is_read_whole, 0, 20);
    tcase_add_test(t, each_form_is_known);
    tcase_add_test(t, another_form_is_a_problem);
    tcase_add_test(t, what_is_open_ends_with_its_thread);
    tcase_add_test(t, interrupts_nest);
    tcase_add_test(t, calls_are_slices);
    tcase_add_test(t, processes_may_come_late);
    tcase_add_test(t, a_thread_comes_from_its_parent);
    tcase_add_test(t, a_wake_counts_once);
    tcase_add_test(t, long_texts_are_cut);
    suite_add_tcase(s, t);
    return s;
}
