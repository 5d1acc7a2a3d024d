/* suite_symbol_table.c - functions by address from texts of the kernel and of programs, also while
 * they are written, and from texts that are none. */
#include "record/watch/symbol_table.h"

#include <stdlib.h>
#include <string.h>

#include "tests/unit/lib/must.h"
#include "tests/unit/lib/suites.h"

enum { ROUNDS = 3000 };

static FILE *file_of(const char *text, size_t n) {
    FILE *f = tmpfile();
    ck_assert_ptr_nonnull(f);
    ck_assert_uint_eq(fwrite(text, 1, n, f), n);
    rewind(f);
    return f;
}

static void read_text(struct symbol_table *t, const char *text, enum symbol_table_form form) {
    FILE *f = file_of(text, strlen(text));
    symbol_table_read(t, f, form);
    fclose(f);
}

START_TEST(the_kernels_functions_end_at_the_next_one) {
    struct symbol_table t = {0};
    read_text(&t,
              "ffffffff81000100 T second\nffffffff81000000 t first\nffffffff81000180 d data\n"
              "ffffffff81000200 W third [module]\nnonsense\n\n",
              SYMBOL_TABLE_KALLSYMS);
    ck_assert_ptr_null(symbol_table_find(&t, 0xffffffff80ffffff));
    ck_assert_str_eq(symbol_table_find(&t, 0xffffffff810000ff), "first");
    ck_assert_str_eq(symbol_table_find(&t, 0xffffffff810001ff), "second");
    ck_assert_str_eq(symbol_table_find(&t, 0xffffffff81000200), "third");
    symbol_table_free(&t);
}
END_TEST

START_TEST(a_map_has_sizes_names_with_blanks_and_later_code_at_the_same_place) {
    struct symbol_table t = {0};
    read_text(&t, "1000 10 LazyCompile:~f file.js:1\n2000 8 old\n2000 10 new\n3000 x none\n",
              SYMBOL_TABLE_PERF_MAP);
    ck_assert_str_eq(symbol_table_find(&t, 0x100f), "LazyCompile:~f file.js:1");
    ck_assert_ptr_null(symbol_table_find(&t, 0x1010));
    ck_assert_str_eq(symbol_table_find(&t, 0x2000), "new");
    ck_assert_ptr_null(symbol_table_find(&t, 0x3000));
    symbol_table_free(&t);
}
END_TEST

/* A line is written at any moment of the reading. */
START_TEST(a_line_without_an_end_is_read_when_it_has_one) {
    struct symbol_table t = {0};
    const char text[] = "1000 10 first\n2000 10 sec";
    FILE *f = file_of(text, strlen(text));
    symbol_table_read(&t, f, SYMBOL_TABLE_PERF_MAP);
    ck_assert_ptr_null(symbol_table_find(&t, 0x2000));
    long at = ftell(f);
    ck_assert_int_eq(at, 14);
    fseek(f, 0, SEEK_END);
    fputs("ond\n", f);
    fseek(f, at, SEEK_SET);
    symbol_table_read(&t, f, SYMBOL_TABLE_PERF_MAP);
    ck_assert_str_eq(symbol_table_find(&t, 0x2000), "second");
    ck_assert_str_eq(symbol_table_find(&t, 0x1000), "first");
    fclose(f);
    symbol_table_free(&t);
}
END_TEST

/* Any answer is right, if it comes. */
START_TEST(texts_that_are_none) {
    static const char parts[] = "0123456789abcdef \n\t[]tTwx\0-";
    for (int round = 0; round < ROUNDS; round++) {
        struct symbol_table t = {0};
        char text[3000];
        size_t n = (size_t)rand() % sizeof text;
        for (size_t i = 0; i < n; i++)
            text[i] = rand() % 8 ? parts[(size_t)rand() % sizeof parts] : (char)rand();
        FILE *f = file_of(text, n);
        symbol_table_read(&t, f, round % 2 ? SYMBOL_TABLE_PERF_MAP : SYMBOL_TABLE_KALLSYMS);
        fclose(f);
        for (size_t i = 0; i < t.v.n; i++)
            MUST(i == 0 || t.v.v[i - 1].start <= t.v.v[i].start, round);
        symbol_table_find(&t, (uint64_t)rand());
        symbol_table_free(&t);
    }
}
END_TEST

SUITE(symbol_table) {
    Suite *s = suite_create("symbol_table");
    TCase *c = tcase_create("symbol_table");
    tcase_add_test(c, the_kernels_functions_end_at_the_next_one);
    tcase_add_test(c, a_map_has_sizes_names_with_blanks_and_later_code_at_the_same_place);
    tcase_add_test(c, a_line_without_an_end_is_read_when_it_has_one);
    tcase_add_test(c, texts_that_are_none);
    suite_add_tcase(s, c);
    return s;
}
