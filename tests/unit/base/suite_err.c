/* suite_err.c - texts of errors, and what happens when memory runs out. */
#include <pthread.h>
#include <stdatomic.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include "src/base/err.h"
#include "tests/unit/lib/child.h"
#include "tests/unit/lib/suites.h"

START_TEST(an_error_is_cut_between_characters) {
    struct err err;
    char longest[400];
    for (size_t lead = 200; lead < 260; lead++) {
        memset(longest, 'x', lead);
        longest[lead] = '\0';
        for (size_t i = lead; i + 3 < sizeof longest; i += 3)
            memcpy(longest + i, "\xe2\x82\xac", 4);
        ck_assert(!err_set(&err, 8, "%s", longest));
        size_t n = strlen(err.text);
        ck_assert_uint_ge(n, sizeof err.text - 3);
        ck_assert(n <= lead || (n - lead) % 3 == 0);
    }
    ck_assert_uint_eq(err.at, 8);
    /* Characters of each length, and what is none. */
    static const struct {
        const char *part;
        size_t kept; /* of the first 255 bytes, where they begin at the 254th */
    } parts[] = {{"\xc3\xa9", 255},
                 {"\xe2\x82\xac", 253},
                 {"\xf0\x9f\x98\x80", 253},
                 {"xy", 255},
                 {"\x80\x80\x80\x80", 255}};
    ck_assert_uint_eq(sizeof err.text, 256);
    for (size_t i = 0; i < sizeof parts / sizeof *parts; i++) {
        memset(longest, 'x', 253);
        snprintf(longest + 253, sizeof longest - 253, "%s and more", parts[i].part);
        err_set(&err, 0, "%s", longest);
        ck_assert_uint_eq(strlen(err.text), parts[i].kept);
    }
    memset(longest, '\x80', sizeof longest - 1);
    longest[sizeof longest - 1] = '\0';
    err_set(&err, 0, "%s", longest);
    ck_assert_uint_eq(strlen(err.text), sizeof err.text - 1);
    err_set(&err, 0, "%ls", L"\xd800"); /* cannot be said */
    ck_assert_str_eq(err.text, "");
}
END_TEST

START_TEST(a_copy_is_ended) {
    char *part = err_copy("a longer text", 8), *none = err_copy(NULL, 0);
    ck_assert_str_eq(part, "a longer");
    ck_assert_str_eq(none, "");
    free(part);
    free(none);
}
END_TEST

START_TEST(a_block_that_grows_keeps_its_bytes) {
    unsigned char *grown = NULL;
    size_t before = 0;
    for (size_t n = 1; n < 3000; before = n, n += 1 + n / 7) {
        grown = err_realloc(grown, n, 1);
        for (size_t i = 0; i < before; i++)
            ck_assert_uint_eq(grown[i], (unsigned char)(i * 7));
        for (size_t i = 0; i < n; i++)
            grown[i] = (unsigned char)(i * 7);
    }
    grown = err_realloc(grown, 10, 1);
    for (size_t i = 0; i < 10; i++)
        ck_assert_uint_eq(grown[i], (unsigned char)(i * 7));
    free(grown);
}
END_TEST

START_TEST(zero_bytes_can_be_allocated) {
    void *a = err_malloc(0), *b = err_calloc(0, 8), *c = err_realloc(NULL, 0, 8);
    ck_assert(a && b && c);
    c = err_realloc(c, 8, 0);
    free(a);
    free(b);
    free(c);
}
END_TEST

START_TEST(an_error_may_wrap_its_own_text) {
    struct err err;
    err_set(&err, 1, "inner");
    err_set(&err, 2, "outer: %s", err.text);
    ck_assert_str_eq(err.text, "outer: inner");
    ck_assert(!err_set(NULL, 0, "nobody asks"));
}
END_TEST

static void restore_terminal(void) {
    ssize_t n = write(STDERR_FILENO, "restored\n", 9);
    (void)n;
    err_no_memory(); /* a hook without memory must not come back to itself */
}

static void ask_too_much(void) {
    err_no_memory_hook = restore_terminal;
    free(err_calloc(SIZE_MAX / 2, 3));
}

START_TEST(without_memory_the_terminal_is_restored_and_the_status_is_2) {
    int ends[2];
    ck_assert_int_eq(pipe(ends), 0);
    int saved = dup(STDERR_FILENO);
    dup2(ends[1], STDERR_FILENO);
    int status = run_child(ask_too_much);
    dup2(saved, STDERR_FILENO);
    close(saved);
    close(ends[1]);
    char text[100] = "";
    ck_assert_int_gt(read(ends[0], text, sizeof text - 1), 0);
    close(ends[0]);
    ck_assert_str_eq(text, "restored\nfxtop: out of memory\n");
    ck_assert(WIFEXITED(status) && WEXITSTATUS(status) == 2);
}
END_TEST

static atomic_int ready;

static void *ask_together(void *ctx) {
    atomic_fetch_add(&ready, 1);
    while (atomic_load(&ready) < 2)
        ;
    err_no_memory();
    return ctx;
}

static void ask_twice(void) {
    pthread_t other;
    if (pthread_create(&other, NULL, ask_together, NULL) == 0)
        ask_together(NULL);
}

/* A round is one chance of a second line; without the rule some of these rounds have it. */
START_TEST(threads_without_memory_at_once_write_one_line) {
    for (int round = 0; round < 60; round++) {
        int ends[2], saved = dup(STDERR_FILENO);
        char text[100] = "";
        ck_assert_int_eq(pipe(ends), 0);
        dup2(ends[1], STDERR_FILENO);
        int status = run_child(ask_twice);
        dup2(saved, STDERR_FILENO);
        close(saved);
        close(ends[1]);
        ck_assert_int_gt(read(ends[0], text, sizeof text - 1), 0);
        close(ends[0]);
        ck_assert_str_eq(text, "fxtop: out of memory\n");
        ck_assert(WIFEXITED(status) && WEXITSTATUS(status) == 2);
    }
}
END_TEST

SUITE(err) {
    Suite *s = suite_create("err");
    TCase *t = tcase_create("err");
    tcase_add_test(t, an_error_is_cut_between_characters);
    tcase_add_test(t, a_copy_is_ended);
    tcase_add_test(t, a_block_that_grows_keeps_its_bytes);
    tcase_add_test(t, zero_bytes_can_be_allocated);
    tcase_add_test(t, an_error_may_wrap_its_own_text);
    tcase_add_test(t, without_memory_the_terminal_is_restored_and_the_status_is_2);
    tcase_add_test(t, threads_without_memory_at_once_write_one_line);
    suite_add_tcase(s, t);
    return s;
}
