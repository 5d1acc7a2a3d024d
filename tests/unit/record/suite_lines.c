/* suite_lines.c - the output of the program becomes one log record a line, and goes on byte by
 * byte. */
#include "record/lines.h"

#include <string.h>

#include "tests/unit/lib/suites.h"
#include "tests/unit/record/written.h"

/* Prints as the program would, and takes it; returns the number of bytes that went on. */
static size_t print(struct written *w, const char *text, size_t n, char *passed, size_t room) {
    static const struct ticks ticks = {.per_second = 1000000000};
    struct lines lines;
    struct err err;
    int to[2];
    ck_assert_int_eq(pipe(to), 0);
    ck_assert_msg(lines_open(&lines, (int[]){to[1], -1}, &err), "%s", err.text);
    while (n > 0) { /* as much as a terminal holds at a time */
        size_t some = n < 2000 ? n : 2000;
        ck_assert_int_eq(write(lines.streams[0].slave, text, some), (ssize_t)some);
        ck_assert(lines_take(&lines, 0, 7, &w->output, &ticks));
        text += some;
        n -= some;
    }
    lines_started(&lines);
    lines_take_rest(&lines, 7, &w->output, &ticks);
    ck_assert(!lines_take(&lines, 0, 7, &w->output, &ticks));
    lines_close(&lines);
    close(to[1]);
    size_t got = 0;
    for (ssize_t k; (k = read(to[0], passed + got, room - got)) > 0;)
        got += (size_t)k;
    close(to[0]);
    return got;
}

/* The message of the k-th log record. */
static size_t message(const struct written *w, unsigned k, const char **text) {
    for (size_t at = 0; at < w->n; at += written_size(w->v[at]))
        if ((w->v[at] & 15) == 9 && k-- == 0) {
            *text = (const char *)(w->v + at + 2 + (w->v[at] >> 32 & 255 ? 0 : 2));
            return w->v[at] >> 16 & 0x7fff;
        }
    ck_abort_msg("no such log record");
}

START_TEST(each_line_is_a_record_and_goes_on_as_it_was) {
    static const char text[] = "one\ntwo\r\n\nlast";
    static const char *const lines[] = {"one", "two", "", "last"};
    char passed[100];
    struct written w;
    struct err err;
    written_begin(&w, UINT64_MAX);
    size_t n = print(&w, text, sizeof text - 1, passed, sizeof passed);
    ck_assert(output_close(&w.output, &err));
    written_read(&w);
    ck_assert(n == sizeof text - 1 && memcmp(passed, text, n) == 0);
    ck_assert_uint_eq(written_count(&w, 9, -1), 4);
    for (unsigned i = 0; i < 4; i++) {
        const char *at;
        size_t length = message(&w, i, &at);
        ck_assert(length == strlen(lines[i]) && memcmp(at, lines[i], length) == 0);
    }
    written_end(&w);
}
END_TEST

START_TEST(a_long_line_is_several_records) {
    static char text[3 * LINES_MAX - 100], passed[sizeof text];
    struct written w;
    struct err err;
    size_t sum = 0;
    for (size_t i = 0; i < sizeof text; i++)
        text[i] = (char)('a' + i % 26);
    written_begin(&w, UINT64_MAX);
    size_t n = print(&w, text, sizeof text, passed, sizeof passed);
    ck_assert(output_close(&w.output, &err));
    written_read(&w);
    ck_assert(n == sizeof text && memcmp(passed, text, n) == 0);
    ck_assert_uint_eq(written_count(&w, 9, -1), 3);
    for (unsigned i = 0; i < 3; i++) {
        const char *at;
        size_t length = message(&w, i, &at);
        ck_assert_int_eq(memcmp(at, text + sum, length), 0);
        sum += length;
    }
    ck_assert_uint_eq(sum, sizeof text);
    written_end(&w);
}
END_TEST

SUITE(lines) {
    Suite *s = suite_create("lines");
    TCase *c = tcase_create("lines");
    tcase_add_test(c, each_line_is_a_record_and_goes_on_as_it_was);
    tcase_add_test(c, a_long_line_is_several_records);
    suite_add_tcase(s, c);
    return s;
}
