/* suite_import_lines.c - lines of a text are the same in pieces of any size, and each has its
 * place. */
#include "src/import/import_lines.h"

#include <check.h>
#include <stdio.h>

#include "tests/lib/chance.h"
#include "tests/unit/lib/suites.h"

struct seen {
    struct import_lines lines;
    char *text;
    size_t n;
    FILE *f;
};

static void take(void *ctx, struct str line, bool too_long) {
    struct seen *seen = ctx;
    fprintf(seen->f, "%d %d @%d: %d bytes, %.*s\n", too_long, (int)seen->lines.number,
            (int)seen->lines.begin, (int)line.n, line.n < 60 ? (int)line.n : 60, line.s);
}

/* All that is seen of a source in pieces of up to `most` bytes. */
static char *read_all(struct str source, struct chance *chance, uint64_t most) {
    struct seen seen = {.text = NULL};
    seen.f = open_memstream(&seen.text, &seen.n);
    import_lines_init(&seen.lines, take, &seen);
    for (size_t at = 0, n; at <= source.n; at += n) {
        n = 1 + below(chance, most);
        bool last = at + n > source.n;
        size_t left = source.n - at;
        import_lines_step(&seen.lines, (struct str){source.s + at, last ? left : n}, last);
        struct import_news news = import_lines_news(&seen.lines, last);
        for (size_t k = 0; k < news.ncases; k++) {
            fprintf(seen.f, "%s\n", news.cases[k].why);
            free(news.cases[k].why);
        }
    }
    import_lines_free(&seen.lines);
    fclose(seen.f);
    return seen.text;
}

START_TEST(lines_are_the_same_in_any_pieces) {
    static char source[3 * IMPORT_LINES_MOST];
    struct chance chance = {7};
    size_t n = (size_t)snprintf(source, 100,
                                "\xef\xbb\xbf"
                                "first\r\n\n  second\nA");
    memset(source + n, 'x', IMPORT_LINES_MOST - 1); /* with the A it just fits */
    n += IMPORT_LINES_MOST - 1;
    n += (size_t)snprintf(source + n, 100, "\nB");
    memset(source + n, 'y', IMPORT_LINES_MOST);
    n += IMPORT_LINES_MOST;
    n += (size_t)snprintf(source + n, 100, "\nlast, without an end");
    char *whole = read_all((struct str){source, n}, &chance, 1);
    ck_assert_ptr_nonnull(strstr(whole, "0 0 @0: 5 bytes, first\n"));
    ck_assert_ptr_nonnull(strstr(whole, "0 1 @10: 0 bytes, \n0 2 @11: 8 bytes,   second\n"));
    ck_assert_ptr_nonnull(strstr(whole, "0 3 @20: 65536 bytes, Axx"));
    ck_assert_ptr_nonnull(strstr(whole, "1 4 @65557: 65536 bytes, Byy"));
    ck_assert_ptr_nonnull(strstr(whole, "line 5, column 1: longer than 65536 bytes: left out\n"));
    ck_assert_ptr_nonnull(strstr(whole, "0 5 @131095: 20 bytes, last, without an end\n"));
    for (uint64_t most = 2; most < 100000; most *= 5) {
        char *got = read_all((struct str){source, n}, &chance, most);
        char *a = whole, *b = got; /* the problems of a step come after its lines */
        ck_assert_uint_eq(strlen(a), strlen(b));
        ck_assert_ptr_nonnull(strstr(b, "0 5 @131095: 20 bytes"));
        free(got);
    }
    free(whole);
}
END_TEST

SUITE(import_lines) {
    Suite *s = suite_create("import_lines");
    TCase *t = tcase_create("import_lines");
    tcase_add_test(t, lines_are_the_same_in_any_pieces);
    suite_add_tcase(s, t);
    return s;
}
