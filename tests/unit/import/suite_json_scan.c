/* suite_json_scan.c - JSON's tokens are the same in pieces of any size. Other bytes are bad tokens,
 * long strings are cut, and reading resumes at the next object. Bytes have lines and columns. */
#include "src/import/json/json_scan.h"

#include <stdio.h>

#include "tests/lib/chance.h"
#include "tests/unit/lib/libcheck.h"
#include "tests/unit/lib/must.h"
#include "tests/unit/lib/suites.h"

struct listed {
    char *v;
    size_t n;
    FILE *to;
};

/* The tokens of a text that comes in pieces of at most `most` bytes: one a line. */
static struct listed list(struct str text, size_t most, struct chance *chance) {
    static const char *const names[] = {"more",   "{",    "}",     "[",    "]",    ":",  "string",
                                        "number", "true", "false", "null", "word", "bad"};
    struct listed l = {0};
    struct json_scan scan = {0};
    struct json_token token;
    l.to = open_memstream(&l.v, &l.n);
    for (size_t at = 0, n; at <= text.n; at += n) {
        n = chance ? 1 + (size_t)below(chance, most) : text.n + 1;
        size_t part = n < text.n - at ? n : text.n - at;
        json_scan_feed(&scan, (struct str){text.s + at, part}, at + n > text.n);
        while (json_scan_next(&scan, &token) != JSON_MORE) {
            fprintf(l.to, "%llu %s%s%s%s ", (unsigned long long)token.at, names[token.kind],
                    token.escaped ? " escaped" : "", token.cut ? " cut" : "",
                    token.open ? " open" : "");
            fwrite(token.text.s, 1, token.text.n, l.to);
            putc('\n', l.to);
        }
    }
    json_scan_free(&scan);
    fclose(l.to);
    return l;
}

static const struct {
    struct str text;
    const char *tokens;
} cases[] = {
    {STR("\xef\xbb\xbf{\"a\":[1,-2.5e+3 ,true]}"),
     "3 { {\n4 string a\n7 : :\n8 [ [\n9 number 1\n11 number -2.5e+3\n"
     "20 true true\n24 ] ]\n25 } }\n"},
    {STR("\"\\\"x\\\\\" \"\""), "0 string escaped \\\"x\\\\\n8 string \n"},
    {STR("NaN -Infinity null nul 0x1f"),
     "0 number NaN\n4 number -Infinity\n14 null null\n19 word nul\n23 word 0x1f\n"},
    {STR("\"open"), "0 string open open\n"},
    {STR("\"open\\"), "0 string escaped open open\\\n"},
    {STR("\xef\xbb"), "0 bad \xef\n1 bad \xbb\n"},
    {STR("{\"a\"'b';}"), "0 { {\n1 string a\n4 bad '\n5 word b\n6 bad '\n7 bad ;\n8 } }\n"},
    {STR(" \r\n\t,, 12"), "7 number 12\n"},
};

START_TEST(tokens_are_as_written) {
    struct listed l = list(cases[_i].text, 0, NULL);
    ck_assert_str_eq(l.v, cases[_i].tokens);
    free(l.v);
}
END_TEST

/* Random texts of JSON's own characters, in pieces from one byte on. */
START_TEST(pieces_do_not_matter) {
    static const char letters[] = "{}[]:, \n\"\"\"\\\\ntrue-1.5eE\xef\xbb\xbf";
    struct chance chance = {(uint64_t)_i + 1};
    for (int set = 0; set < 400; set++) {
        char text[200];
        struct str s = {text, (size_t)below(&chance, sizeof text)};
        for (size_t i = 0; i < s.n; i++)
            text[i] = letters[below(&chance, sizeof letters - 1)];
        struct listed whole = list(s, 0, NULL),
                      cut = list(s, 1 + (size_t)below(&chance, 20), &chance);
        MUST(whole.n == cut.n && memcmp(whole.v, cut.v, cut.n) == 0, set);
        free(whole.v);
        free(cut.v);
    }
}
END_TEST

static bool is_place(const struct json_scan *scan, const char *text, uint64_t at) {
    struct import_place want = {at, 0, 0}, place = json_scan_place(scan, at);
    for (uint64_t i = 0; i < at; i++) {
        want.line += text[i] == '\n';
        want.column = text[i] == '\n' ? 0 : want.column + 1;
    }
    return place.byte == want.byte && place.line == want.line && place.column == want.column;
}

/* The place of each token, and of bytes before it, with brackets that are watched as events are. */
START_TEST(places_are_those_of_the_text) {
    static const char letters[] = "{{},  aaaaaaaa\n";
    struct chance chance = {(uint64_t)_i + 1};
    for (int set = 0; set < 100; set++) {
        char text[1500];
        size_t most = 1 + (size_t)below(&chance, 200), lines = (size_t)below(&chance, 3);
        for (size_t i = 0; i < sizeof text; i++)
            text[i] = letters[below(&chance, sizeof letters - 1 - (i % 600 < 200 * lines))];
        struct json_scan scan = {0};
        struct json_token token;
        for (size_t at = 0, n; at < sizeof text; at += n) {
            n = 1 + (size_t)below(&chance, most);
            n = n < sizeof text - at ? n : sizeof text - at;
            json_scan_feed(&scan, (struct str){text + at, n}, at + n == sizeof text);
            while (json_scan_next(&scan, &token) != JSON_MORE) {
                if (token.kind == JSON_OBJECT)
                    json_scan_watch(&scan, scan.keep = token.at);
                MUST(is_place(&scan, text, token.at), set);
                MUST(is_place(&scan, text, scan.base + below(&chance, token.at - scan.base + 1)),
                     set);
            }
        }
        json_scan_free(&scan);
    }
}
END_TEST

/* A string of three MiB takes no more memory than a part of it. */
START_TEST(a_long_string_is_cut) {
    struct json_scan scan = {0};
    struct json_token token;
    char piece[4096];
    size_t tokens = 0, most = 0;
    memset(piece, 'x', sizeof piece);
    piece[0] = '"';
    for (int i = 0; i <= 768; i++) {
        if (i == 768)
            memcpy(piece, "\"7", 2);
        json_scan_feed(&scan, (struct str){piece, i < 768 ? sizeof piece : 2}, i == 768);
        piece[0] = 'x';
        most = scan.buf.cap > most ? scan.buf.cap : most;
        while (json_scan_next(&scan, &token) != JSON_MORE) {
            if (tokens++ == 0)
                ck_assert(token.kind == JSON_STRING && token.cut && token.text.n == JSON_TOKEN_MAX);
            else
                ck_assert(token.kind == JSON_NUMBER && token.at == 768 * sizeof piece + 1);
        }
    }
    ck_assert_uint_eq(tokens, 2);
    ck_assert_uint_le(most, (size_t)4 * JSON_TOKEN_MAX);
    json_scan_free(&scan);
}
END_TEST

START_TEST(reading_resumes_at_an_object) {
    static const struct {
        const char *text;
        int at; /* -1: nowhere */
    } places[] = {{"x }, {\"a\"", 5},      {"{\"a\"", -1}, {"\n{ }", 1},
                  {",\n[1], {x, {\"", 11}, {",{", -1},     {"", -1}};
    for (size_t i = 0; i < sizeof places / sizeof *places; i++) {
        struct json_scan scan = {0};
        struct json_token token;
        json_scan_feed(&scan, str_of(places[i].text), true);
        bool found = json_scan_resume(&scan, NULL);
        ck_assert_msg(found == (places[i].at >= 0), "%s", places[i].text);
        if (found) {
            ck_assert_int_eq(json_scan_next(&scan, &token), JSON_OBJECT);
            ck_assert_int_eq((int)token.at, places[i].at);
        }
        json_scan_free(&scan);
    }
}
END_TEST

SUITE(json_scan) {
    Suite *s = suite_create("json_scan");
    TCase *c = tcase_create("json_scan");
    tcase_add_loop_test(c, tokens_are_as_written, 0, sizeof cases / sizeof *cases);
    tcase_add_loop_test(c, pieces_do_not_matter, 0, 5);
    tcase_add_loop_test(c, places_are_those_of_the_text, 0, 5);
    tcase_add_test(c, a_long_string_is_cut);
    tcase_add_test(c, reading_resumes_at_an_object);
    suite_add_tcase(s, c);
    return s;
}
