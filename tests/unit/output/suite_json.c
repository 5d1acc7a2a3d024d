/* suite_json.c - written JSON is read back by a reader that knows nothing but JSON. */
#include "model/output/json.h"

#include <stdlib.h>
#include <string.h>

#include "src/base/text.h"
#include "tests/lib/chance.h"
#include "tests/unit/lib/must.h"
#include "tests/unit/lib/suites.h"

static struct json j;
static struct chars written;

static void start(void) {
    written = (struct chars){0};
    j = (struct json){.out = &written, .first = true};
}

static const char *stop(void) {
    chars_put(&written, '\0');
    return written.v;
}

static unsigned hex4(const char *s) {
    char digits[5] = {s[0], s[1], s[2], s[3], 0}, *end;
    unsigned long n = strtoul(digits, &end, 16);
    ck_assert_ptr_eq(end, digits + 4);
    return (unsigned)n;
}

/* The string in quotes at *s, without its escapes; *s moves after it. Fails on characters that JSON
 * forbids. */
static size_t unquote(const char **s, char *to) {
    size_t n = 0;
    const char *p = *s;
    ck_assert_int_eq(*p++, '"');
    while (*p != '"') {
        ck_assert((unsigned char)*p >= 0x20);
        if (*p != '\\') {
            to[n++] = *p++;
            continue;
        }
        static const char from[] = "\"\\/bfnrt", is[] = "\"\\/\b\f\n\r\t";
        const char *simple = strchr(from, p[1]);
        if (simple && p[1]) {
            to[n++] = is[simple - from];
            p += 2;
            continue;
        }
        ck_assert_int_eq(p[1], 'u');
        uint32_t cp = hex4(p + 2);
        p += 6;
        if (cp >= 0xD800 && cp < 0xDC00) {
            ck_assert(p[0] == '\\' && p[1] == 'u');
            cp = 0x10000 + ((cp - 0xD800) << 10) + (hex4(p + 2) - 0xDC00);
            p += 6;
        }
        n += text_utf8(cp, to + n);
    }
    *s = p + 1;
    return n;
}

START_TEST(a_string_of_characters_reads_back_as_it_was) {
    struct chance chance = {111};
    for (int set = 0; set < 5000; set++) {
        char text[200], back[800];
        size_t n = 0;
        while (n < sizeof text - 4 && below(&chance, 30)) {
            uint32_t cp = (uint32_t)below(&chance, UINT64_C(1) << (4 + below(&chance, 17)));
            if (cp < 0x110000 && (cp < 0xD800 || cp > 0xDFFF))
                n += text_utf8(cp, text + n);
        }
        start();
        json_string(&j, (struct str){text, n});
        const char *s = stop();
        size_t got = unquote(&s, back);
        MUST(*s == '\0' && got == n && memcmp(back, text, n) == 0, set);
        vec_free(&written);
    }
}
END_TEST

START_TEST(any_bytes_become_a_json_string_of_whole_characters) {
    struct chance chance = {113};
    for (int set = 0; set < 5000; set++) {
        char text[60], back[800];
        size_t n = below(&chance, sizeof text + 1), got;
        for (size_t i = 0; i < n; i++)
            text[i] = (char)(below(&chance, 2) ? chance_star(&chance) : 0x80 | below(&chance, 128));
        start();
        j.no_pairs = set % 2;
        json_string(&j, (struct str){text, n});
        const char *s = stop();
        MUST(!j.no_pairs || strstr(s, "\\ud8") == NULL, set);
        got = unquote(&s, back);
        MUST(*s == '\0', set);
        for (size_t i = 0, more; i < got; i += 1 + more) {
            unsigned char c = (unsigned char)back[i];
            more = c < 0x80 ? 0 : c < 0xC2 ? got : c < 0xE0 ? 1 : c < 0xF0 ? 2 : c < 0xF5 ? 3 : got;
            MUST(i + more < got, set);
            for (size_t k = 1; k <= more; k++)
                MUST((back[i + k] & 0xC0) == 0x80, set);
        }
        vec_free(&written);
    }
}
END_TEST

START_TEST(what_is_escaped_is_what_stands_between_the_quotes) {
    struct chance chance = {127};
    for (int set = 0; set < 2000; set++) {
        char text[40];
        struct chars kept = {0};
        size_t n = below(&chance, sizeof text + 1);
        for (size_t i = 0; i < n; i++)
            text[i] = (char)chance_star(&chance);
        start();
        j.no_pairs = set % 2;
        json_string(&j, (struct str){text, n});
        json_escape(&j, (struct str){text, n}, &kept);
        stop();
        MUST(written.n == kept.n + 3 && (kept.n == 0 || memcmp(written.v + 1, kept.v, kept.n) == 0),
             set);
        vec_free(&kept);
        vec_free(&written);
    }
}
END_TEST

START_TEST(fields_are_separated_by_commas) {
    start();
    json_u64(&j, "a", UINT64_MAX);
    json_i64(&j, "b", INT64_MIN);
    json_hex(&j, "c", 0x1f);
    json_word(&j, "d", "true");
    json_text(&j, "e", STR("x\"y"));
    ck_assert_str_eq(
        stop(), "\"a\":18446744073709551615,\"b\":-9223372036854775808,\"c\":\"0x1f\",\"d\":true,"
                "\"e\":\"x\\\"y\"");
    vec_free(&written);
}
END_TEST

START_TEST(base64_holds_all_bytes) {
    static const char digits[] = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
    struct chance chance = {131};
    for (size_t n = 0; n < 100; n++) {
        char bytes[100];
        for (size_t i = 0; i < n; i++)
            bytes[i] = (char)chance_star(&chance);
        start();
        json_base64(&j, (struct str){bytes, n});
        const char *s = stop();
        size_t length = strlen(s), bits = 0, at = 0;
        MUST(length == 2 + (n + 2) / 3 * 4 && s[0] == '"' && s[length - 1] == '"', n);
        uint32_t word = 0;
        for (s++; *s != '"' && *s != '='; s++) {
            word = word << 6 | (uint32_t)(strchr(digits, *s) - digits);
            bits += 6;
            if (bits < 8)
                continue;
            bits -= 8;
            MUST(at < n && (char)(word >> bits) == bytes[at], n);
            at++;
        }
        MUST(at == n, n);
        vec_free(&written);
    }
}
END_TEST

START_TEST(numbers_are_numbers_and_what_json_has_not_is_a_string) {
    static const struct {
        struct detail_argument a;
        const char *text;
    } cases[] = {{{.type = FXT_ARG_INT32, .bits = (uint64_t)-7}, "-7"},
                 {{.type = FXT_ARG_UINT64, .bits = UINT64_MAX}, "18446744073709551615"},
                 {{.type = FXT_ARG_BOOL, .bits = 1}, "true"},
                 {{.type = FXT_ARG_DOUBLE, .bits = UINT64_C(0x3ff8000000000000)}, "1.5"},
                 {{.type = FXT_ARG_DOUBLE, .bits = UINT64_C(0x7ff8000000000000)}, "\"NaN\""},
                 {{.type = FXT_ARG_DOUBLE, .bits = UINT64_C(0xfff0000000000000)}, "\"-Infinity\""},
                 {{.type = FXT_ARG_POINTER, .bits = 255}, "\"0xff\""},
                 {{.type = FXT_ARG_STRING, .string = {"a", 1}}, "\"a\""},
                 {{.type = FXT_ARG_BLOB, .string = {"abc", 3}}, "\"YWJj\""}};
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        start();
        ck_assert(json_has_value(&cases[i].a));
        json_value(&j, &cases[i].a);
        ck_assert_str_eq(stop(), cases[i].text);
        vec_free(&written);
    }
    start();
    json_value_field(&j, "none", &(struct detail_argument){.type = FXT_ARG_NULL});
    json_value_field(&j, "unknown", &(struct detail_argument){.type = 200});
    ck_assert_str_eq(stop(), "");
    vec_free(&written);
}
END_TEST

SUITE(json) {
    Suite *s = suite_create("json");
    TCase *t = tcase_create("json");
    tcase_add_test(t, a_string_of_characters_reads_back_as_it_was);
    tcase_add_test(t, any_bytes_become_a_json_string_of_whole_characters);
    tcase_add_test(t, what_is_escaped_is_what_stands_between_the_quotes);
    tcase_add_test(t, fields_are_separated_by_commas);
    tcase_add_test(t, base64_holds_all_bytes);
    tcase_add_test(t, numbers_are_numbers_and_what_json_has_not_is_a_string);
    suite_add_tcase(s, t);
    return s;
}
