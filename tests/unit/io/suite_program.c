/* suite_program.c - a program gets its input whole, or leaves it, and its status comes back. */
#include "src/io/program.h"

#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

#include "tests/lib/scratch.h"
#include "tests/unit/lib/must.h"
#include "tests/unit/lib/suites.h"

static char path[SCRATCH_PATH];
static int out, null;

static void open_out(void) {
    out = scratch_file(path, "program");
    null = open("/dev/null", O_RDONLY | O_CLOEXEC);
    ck_assert(out >= 0 && null >= 0);
}

static void close_out(void) {
    close(out);
    close(null);
    remove(path);
}

static int run(const char *command, const struct str *input, struct err *err) {
    char sh[] = "sh", option[] = "-c", line[400];
    snprintf(line, sizeof line, "%s", command);
    char *argv[] = {sh, option, line, NULL};
    struct program program = {.argv = argv, .input = input, .in = null, .out = out};
    return program_run(&program, err);
}

START_TEST(the_input_arrives_whole) {
    static const size_t sizes[] = {0, 1, 4096, 65537, 3000000};
    struct err err;
    for (size_t i = 0; i < sizeof sizes / sizeof *sizes; i++) {
        size_t n = sizes[i];
        char *text = err_malloc(n + 1), *back = err_malloc(n + 1);
        for (size_t k = 0; k < n; k++)
            text[k] = (char)(k * 7 + k / 251);
        open_out();
        MUST(run("cat", &(struct str){text, n}, &err) == 0, i);
        MUST(lseek(out, 0, SEEK_END) == (off_t)n && pread(out, back, n, 0) == (ssize_t)n, i);
        MUST(memcmp(text, back, n) == 0, i);
        close_out();
        free(text);
        free(back);
    }
}
END_TEST

/* More than a pipe holds: the caller would wait, or get SIGPIPE. */
START_TEST(a_program_that_does_not_read_ends) {
    size_t n = 1 << 20;
    char *text = err_calloc(n, 1);
    struct err err;
    open_out();
    ck_assert_int_eq(run("exit 3", &(struct str){text, n}, &err), 3);
    ck_assert_int_eq(run("head -c 1 >/dev/null; exit 4", &(struct str){text, n}, &err), 4);
    close_out();
    free(text);
}
END_TEST

START_TEST(its_status_comes_back) {
    struct err err;
    char none[] = "/none/program", *argv[] = {none, NULL};
    open_out();
    ck_assert_int_eq(run("exit 0", NULL, &err), 0);
    ck_assert_int_eq(run("exit 255", NULL, &err), 255);
    ck_assert_int_eq(run("kill -TERM $$", NULL, &err), 128 + 15);
    ck_assert_int_eq(program_run(&(struct program){.argv = argv, .in = null, .out = out}, &err),
                     -1);
    ck_assert_str_eq(err.text, "No such file or directory");
    char before[SCRATCH_PATH], *tmp = getenv("TMPDIR");
    snprintf(before, sizeof before, "%s", tmp ? tmp : "");
    setenv("TMPDIR", "/none", 1);
    ck_assert_int_eq(run("exit 0", &STR("text"), &err), -1);
    ck_assert_ptr_nonnull(strstr(err.text, "no temporary file: "));
    tmp ? setenv("TMPDIR", before, 1) : unsetenv("TMPDIR");
    close_out();
}
END_TEST

START_TEST(it_writes_both_to_out) {
    struct err err;
    char text[64] = "";
    open_out();
    ck_assert_int_eq(run("cat >/dev/null; echo out; echo err >&2", &STR("text"), &err), 0);
    ck_assert_int_eq(pread(out, text, sizeof text - 1, 0), 8);
    ck_assert_str_eq(text, "out\nerr\n");
    close_out();
}
END_TEST

SUITE(program) {
    Suite *s = suite_create("program");
    TCase *t = tcase_create("program");
    tcase_add_test(t, the_input_arrives_whole);
    tcase_add_test(t, a_program_that_does_not_read_ends);
    tcase_add_test(t, its_status_comes_back);
    tcase_add_test(t, it_writes_both_to_out);
    suite_add_tcase(s, t);
    return s;
}
