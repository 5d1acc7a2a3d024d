/* suite_strace.c - the output of strace: each call is there once, with its time, duration and
 * result, for any arguments, on one line or unfinished and resumed.
 */
#include <check.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "src/import/kernel/strace.h"
#include "tests/lib/chance.h"
#include "tests/unit/lib/loaded.h"
#include "tests/unit/lib/suites.h"

#define CALLS 60
#define THREADS 3
#define BASE UINT64_C(1700000000)

struct expected {
    int tid;
    uint64_t begin, dur; /* us */
    char args[100];
    int ret;
};

static struct expected calls[CALLS];
static size_t n_calls;

/* Arguments of strace's form: strings with escapes and brackets, paths, structures. */
static size_t any_args(struct chance *chance, char *to) {
    static const char *const parts[] = {"3",
                                        "\"a) = 0\"",
                                        "\"<unfinished ...>\"",
                                        "\"\\\"(\\\\\"",
                                        "{fd=3</a)b>, v=[1, {x}]}",
                                        "0x7f /* 3 vars */",
                                        "A|B",
                                        "1<<3"};
    size_t n = 0;
    *to = '\0';
    for (uint64_t k = below(chance, 4); k > 0; k--)
        n += (size_t)snprintf(to + n, 100 - n, "%s%s", n > 0 ? ", " : "", parts[below(chance, 8)]);
    return n;
}

static void stamp(FILE *f, int tid, uint64_t us) {
    fprintf(f, "%d %" PRIu64 ".%06" PRIu64 " ", tid, BASE + us / 1000000, us % 1000000);
}

/* Calls of threads one after the other; some go on while others begin. */
static void make(struct chance *chance, FILE *f) {
    struct expected *open[THREADS] = {0};
    uint64_t us = 0;
    for (n_calls = 0; n_calls < CALLS;) {
        int k = (int)below(chance, THREADS);
        us += 1 + below(chance, 2000000);
        struct expected *c = open[k];
        if (c) {
            c->dur = us - c->begin - below(chance, 2);
            stamp(f, c->tid, us);
            fprintf(f, "<... call resumed>) = %d <%" PRIu64 ".%06" PRIu64 ">\n", c->ret,
                    c->dur / 1000000, c->dur % 1000000);
            open[k] = NULL;
            continue;
        }
        c = &calls[n_calls++];
        *c = (struct expected){.tid = 10 + k, .begin = us, .dur = below(chance, 1000), .ret = -k};
        any_args(chance, c->args);
        stamp(f, c->tid, us);
        if (below(chance, 2) == 0) {
            fprintf(f, "call(%s <unfinished ...>\n", c->args);
            open[k] = c;
            continue;
        }
        fprintf(f, "call(%s)%*s= %d <0.%06" PRIu64 ">\n", c->args, 1 + (int)below(chance, 20), "",
                c->ret, c->dur);
        us += c->dur;
    }
    for (int k = 0; k < THREADS; k++) {
        if (open[k] == NULL)
            continue;
        open[k]->dur = ++us - open[k]->begin;
        stamp(f, 10 + k, us);
        fprintf(f, "<... call resumed>) = %d\n", open[k]->ret);
    }
}

START_TEST(each_call_is_there_once) {
    struct chance chance = {(uint64_t)_i + 1};
    char *source = NULL, part[300];
    size_t n;
    FILE *f = open_memstream(&source, &n);
    make(&chance, f);
    fclose(f);
    char *text = loaded_export(source, n);
    ck_assert_uint_eq(loaded_count(text, "\"type\":\"slice\""), CALLS);
    ck_assert_uint_eq(loaded_count(text, "\"type\":\"problem\""), 0);
    for (size_t k = 0; k < CALLS; k++) {
        const struct expected *c = &calls[k];
        snprintf(part, sizeof part,
                 "\"tid\":%d,\"cat\":\"syscall\",\"name\":\"call\",\"ts\":%" PRIu64
                 ",\"dur\":%" PRIu64 ",",
                 c->tid, (c->begin - calls[0].begin) * 1000, c->dur * 1000);
        const char *line = strstr(text, part), *end = line ? strchr(line, '\n') : NULL;
        ck_assert_msg(end != NULL, "%s\n%s\n%s", part, source, text);
        snprintf(part, sizeof part, "\"ret\",\"type\":\"int64\",\"value\":%d}", c->ret);
        const char *ret = strstr(line, part);
        ck_assert_msg(ret != NULL && ret < end, "%.*s", (int)(end - line), line);
        char escaped[300] = "\"args\",\"type\":\"string\",\"value\":\"";
        size_t m = strlen(escaped);
        for (const char *at = c->args; *at != '\0'; at++) {
            if (*at == '"' || *at == '\\')
                escaped[m++] = '\\';
            escaped[m++] = *at;
        }
        memcpy(escaped + m, "\"}", 3);
        const char *args = strstr(line, escaped);
        ck_assert_msg(c->args[0] == '\0' || (args != NULL && args < end), "%s\n%.*s", escaped,
                      (int)(end - line), line);
    }
    free(text);
    free(source);
}
END_TEST

/* Its lines have times, and after them a call, a signal or an exit. */
START_TEST(its_lines_are_known) {
    static const struct {
        const char *text;
        enum import_sniff is;
    } texts[] = {
        {"1 1700000000.000001 close(3) = 0\n1 1700000000.000002 close(3) = 0\n", IMPORT_YES},
        {"12:00:01 close(3) = 0\n", IMPORT_YES},
        {"\xef\xbb\xbf# a comment\n\n[pid 7] 12:00:01.5 close(3) = 0\r\n", IMPORT_YES},
        {"strace: Process 12 attached\n12:00:01 restart_syscall(<... resuming ...>) = 0\n",
         IMPORT_YES},
        {"Process 12 attached\n12:00:01 restart_syscall(<... resuming ...>) = 0\n", IMPORT_YES},
        {"     0.000000 vfork(strace: Process 12 attached\n <unfinished ...>\n[pid 12]      "
         "0.000001 close(3) = 0\n",
         IMPORT_YES},
        {"1 1700000000.000001 close(3) = 0\nits output\n1 1700000000.000001 close(4) = 0\n",
         IMPORT_YES},
        {"1700000000.000001 --- SIGCHLD {si_signo=SIGCHLD} ---\n1700000000.000002 +++ exited with "
         "0 +++\n",
         IMPORT_YES},
        {"read(0) = 3\n", IMPORT_NO}, /* no time */
        {"main;close(3) = 0\nmain;read 3\n", IMPORT_NO},
        {"12:00:01 main(void) started\n12:00:02 done\n", IMPORT_NO},
        {"strace: Process 12 attached\nmain 3\n", IMPORT_NO},
        {"1 1700000000.000001 close(3) = 0\nmain 2\nmain 3\n", IMPORT_NO},
        {"99:00:01 close(3) = 0\n", IMPORT_NO},
        {"", IMPORT_NO},
    };
    for (size_t k = 0; k < sizeof texts / sizeof *texts; k++) {
        struct str text = str_of(texts[k].text);
        ck_assert_msg(strace.sniff(text, true) == texts[k].is, "%s", texts[k].text);
        for (size_t n = 0; n < text.n; n++) /* the first bytes say the same, or ask for more */
            ck_assert_msg(strace.sniff((struct str){text.s, n}, false) != IMPORT_NO ||
                              texts[k].is == IMPORT_NO,
                          "%.*s", (int)n, text.s);
    }
}
END_TEST

SUITE(strace) {
    Suite *s = suite_create("strace");
    TCase *t = tcase_create("strace");
    tcase_add_loop_test(t, each_call_is_there_once, 0, 40);
    tcase_add_test(t, its_lines_are_known);
    suite_add_tcase(s, t);
    return s;
}
