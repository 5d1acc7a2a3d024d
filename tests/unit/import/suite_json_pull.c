/* suite_json_pull.c - values of JSON in memory, read in any order. */
#include "src/import/json/json_pull.h"

#include <check.h>
#include <stdio.h>

#include "tests/unit/lib/must.h"
#include "tests/unit/lib/suites.h"

/* Prints what is entered; `skip` is passed over, and the strings in `again` are read twice. */
static void print(struct json_pull *pull, FILE *f, uint64_t *again) {
    struct json_pull_text text = {0};
    bool object = pull->token.kind == JSON_OBJECT;
    fputc(object ? '{' : '[', f);
    if (json_pull_enter(pull, pull->token.kind))
        while (json_pull_next(pull)) {
            if (object)
                fprintf(f, "%.*s:", (int)pull->key.text.n, pull->key.text.s);
            if (object && json_pull_is(pull, "again"))
                *again = pull->token.at;
            bool bracket = pull->bracket;
            if (bracket && !(object && json_pull_is(pull, "skip")))
                print(pull, f, again);
            struct str s = json_pull_string(&pull->token, &text);
            if (!bracket)
                fprintf(f, "%.*s,", (int)s.n, s.s);
        }
    fputc(object ? '}' : ']', f);
    vec_free(&text.v);
}

static char *printed(const char *json, bool *fault, bool *truncated) {
    struct json_pull *pull = err_calloc(1, sizeof *pull);
    uint64_t again = UINT64_MAX;
    char *out = NULL;
    size_t n;
    FILE *f = open_memstream(&out, &n);
    for (struct str rest = str_of(json); rest.n > 0; rest.s++, rest.n--)
        json_pull_add(pull, (struct str){rest.s, 1});
    while (json_pull_top(pull))
        print(pull, f, &again);
    *fault = pull->fault;
    *truncated = pull->truncated;
    if (again != UINT64_MAX) {
        json_pull_back(pull, again);
        print(pull, f, &again);
    }
    fclose(f);
    json_pull_free(pull);
    free(pull);
    return out;
}

START_TEST(values_are_read_in_any_order) {
    static const struct {
        const char *json, *want;
        bool fault, truncated;
    } cases[] = {
        {"{\"a\":1,\"b\":[2,3,[]],\"skip\":{\"x\":[1]},\"c\":\"d\\n\"}",
         "{a:1,b:[2,3,[]]skip:c:d\n,}", false, false},
        {"[1]\n{\"a\" : true}", "[1,]{a:true,}", false, false},
        {"{\"again\":[1,2],\"b\":3}", "{again:[1,2,]b:3,}[1,2,]", false, false},
        {"{\"a\":[1,2", "{a:[1,2,]}", true, true},
        {"{\"skip\":[1,2", "{skip:}", true, true},
        {"{\"a\":\"b", "{}", true, true},
        {"{\"a\":1]", "{a:1,}", true, false},
        {"[1,2}", "[1,2,]", true, false},
        {"[1,#,2]", "[1,]", true, false},
        {"{1:2}", "{}", true, false},
        {"{\"a\"}", "{}", true, false},
        {"", "", false, false},
    };
    bool fault, truncated;
    char *got = printed(cases[_i].json, &fault, &truncated);
    ck_assert_str_eq(got, cases[_i].want);
    ck_assert_msg(fault == cases[_i].fault && truncated == cases[_i].truncated, "%s",
                  cases[_i].json);
    free(got);
}
END_TEST

START_TEST(a_byte_has_a_line_and_a_column) {
    struct json_pull *pull = err_calloc(1, sizeof *pull);
    struct import_place want = {0, 0, 0};
    for (int i = 0; i < 3000; i++)
        json_pull_add(pull, i % 700 > 600 || i == 511 || i == 1024 ? STR("\n") : STR("x"));
    for (; want.byte < 3000; want.byte++) {
        struct import_place got = json_pull_place(pull, want.byte);
        MUST(got.byte == want.byte && got.line == want.line && got.column == want.column);
        bool end = pull->scan.buf.v[want.byte] == '\n';
        want.line += end;
        want.column = end ? 0 : want.column + 1;
    }
    json_pull_free(pull);
    free(pull);
}
END_TEST

SUITE(json_pull) {
    Suite *s = suite_create("json_pull");
    TCase *t = tcase_create("json_pull");
    tcase_add_loop_test(t, values_are_read_in_any_order, 0, 12);
    tcase_add_test(t, a_byte_has_a_line_and_a_column);
    suite_add_tcase(s, t);
    return s;
}
