/* suite_redact.c - pseudonyms: the same number for the same text, and no text that quotes a name is
 * left. */
#include "src/import/redact.h"

#include <string.h>

#include "tests/lib/chance.h"
#include "tests/unit/lib/must.h"
#include "tests/unit/lib/suites.h"

static char buf[REDACT_TEXT];

static struct str text(struct redact *r, enum redact_role role, const char *s) {
    return redact_text(r, role, (struct str){s, strlen(s)}, buf);
}

static bool is(struct str got, const char *want) {
    return got.n == strlen(want) && memcmp(got.s, want, got.n) == 0;
}

START_TEST(a_text_has_one_number) {
    struct redact *r = redact_new(REDACT_NAMES | REDACT_ARGS);
    ck_assert(redact_learns(r) && !redact_learns(NULL));
    ck_assert(is(text(r, REDACT_NAME, "Frame"), "Frame"));
    text(r, REDACT_VALUE, "a secret");
    text(r, REDACT_ARGUMENT, "process");
    redact_bytes(r, STR("12345"));
    redact_learned(r);
    ck_assert(is(text(r, REDACT_NAME, "Frame"), "name 1"));
    ck_assert(is(text(r, REDACT_VALUE, "a secret"), "value 2"));
    ck_assert(is(text(r, REDACT_ARGUMENT, "Frame"), "argument 1"));
    ck_assert(is(text(r, REDACT_ARGUMENT, "process"), "process")); /* a word of the format */
    ck_assert(is(text(r, REDACT_NAME, ""), ""));
    struct str zeros = redact_bytes(r, STR("12345"));
    ck_assert(zeros.n == 5 && memcmp(zeros.s, "\0\0\0\0", 5) == 0);
    redact_free(r);
}
END_TEST

START_TEST(a_change_between_the_passes_is_noticed) {
    for (int change = 0; change < 4; change++) {
        struct redact *r = redact_new(REDACT_NAMES);
        text(r, REDACT_NAME, "Frame");
        text(r, REDACT_VALUE, "value");
        redact_bytes(r, STR("12345"));
        redact_learned(r);
        text(r, REDACT_NAME, change == 1 ? "Flame" : "Frame");
        text(r, change == 2 ? REDACT_ARGUMENT : REDACT_VALUE, "value");
        struct str bytes = redact_bytes(r, change == 3 ? STR("1234567890") : STR("12345"));
        ck_assert(bytes.n == (change == 3 ? 0 : 5)); /* never more than was learned */
        ck_assert(redact_changed(r) == (change > 0));
        redact_free(r);
    }
    ck_assert(!redact_changed(NULL));
}
END_TEST

START_TEST(what_is_returned_stays_as_it_was_judged) {
    char first[] = "12345", second[] = "plain text", third[] = "value";
    struct redact *r = redact_new(REDACT_NAMES);
    for (int pass = 0; pass < 2; pass++) {
        redact_record(r);
        struct str a = redact_bytes(r, STR("12345")), b = redact_copy(r, STR("plain text"));
        struct str t = text(r, REDACT_VALUE, "value");
        ck_assert(is(a, "12345") && is(b, "plain text") && is(t, "value"));
        if (pass == 0)
            redact_learned(r);
    }
    redact_record(r);
    struct str a = redact_bytes(r, (struct str){first, 5}),
               b = redact_copy(r, (struct str){second, 10});
    struct str t = text(r, REDACT_VALUE, third);
    memset(first, 'x', 5);
    memset(second, 'x', 10);
    memset(third, 'x', 5);
    ck_assert(is(a, "12345") && is(b, "plain text") && is(t, "value") && !redact_changed(r));
    ck_assert(is(redact_bytes(r, STR("1")), "") && redact_changed(r)); /* more than a record had */
    redact_free(r);
}
END_TEST

START_TEST(only_what_is_asked_for_is_redacted) {
    struct redact *names = redact_new(REDACT_NAMES), *args = redact_new(REDACT_ARGS);
    struct redact *both[] = {names, args};
    for (int i = 0; i < 2; i++) {
        text(both[i], REDACT_NAME, "io");
        text(both[i], REDACT_NAME, "Frame");
        text(both[i], REDACT_VALUE, "free");
        text(both[i], REDACT_VALUE, "radio");
        text(both[i], REDACT_VALUE, "io");
        text(both[i], REDACT_VALUE, "a Frame took 3 ms");
        redact_learned(both[i]);
    }
    ck_assert(is(text(names, REDACT_VALUE, "free"), "free"));
    /* "io" is too short to be sought in other texts */
    ck_assert(is(text(names, REDACT_VALUE, "radio"), "radio"));
    ck_assert(!is(text(names, REDACT_VALUE, "io"), "io"));
    ck_assert(!is(text(names, REDACT_VALUE, "a Frame took 3 ms"), "a Frame took 3 ms"));
    ck_assert(is(text(args, REDACT_NAME, "Frame"), "Frame"));
    ck_assert(!is(text(args, REDACT_VALUE, "free"), "free"));
    redact_free(names);
    redact_free(args);
    struct redact *all = redact_new(REDACT_NAMES | REDACT_ARGS);
    for (int pass = 0; pass < 2; pass++) { /* words of scheduling are so in its records alone */
        struct str got[] = {text(all, REDACT_SCHEDULING, "state"), text(all, REDACT_STATE, "D")};
        ck_assert(is(got[0], "state") && is(got[1], "D"));
        ck_assert(is(text(all, REDACT_ARGUMENT, "state"), "state") == (pass == 0));
        ck_assert(is(text(all, REDACT_NAME, "D"), "D") == (pass == 0));
        ck_assert(is(text(all, REDACT_STATE, "asleep"), "asleep") == (pass == 0));
        ck_assert(is(text(all, REDACT_SCHEDULING, "why"), "why") == (pass == 0));
        if (pass == 0)
            redact_learned(all);
    }
    redact_free(all);
    ck_assert(is(text(NULL, REDACT_NAME, "Frame"), "Frame"));
}
END_TEST

/* A text of few letters, so that parts of it are frequent. */
static void thrown(struct chance *chance, char *s, unsigned most) {
    unsigned n = (unsigned)below(chance, most) + 1;
    for (unsigned i = 0; i < n; i++)
        s[i] = (char)('a' + below(chance, 3));
    s[n] = '\0';
}

START_TEST(a_text_that_quotes_a_name_is_found) {
    enum { NAMES = 12, TEXTS = 300 };
    struct chance chance = {4};
    for (int turn = 0; turn < 40; turn++) {
        struct redact *r = redact_new(REDACT_NAMES);
        char names[NAMES][12], texts[TEXTS][40];
        for (int i = 0; i < NAMES; i++) {
            thrown(&chance, names[i], 9);
            text(r, REDACT_NAME, names[i]);
        }
        for (int k = 0; k < TEXTS; k++) {
            thrown(&chance, texts[k], 30);
            text(r, REDACT_VALUE, texts[k]);
        }
        redact_learned(r);
        for (int k = 0; k < TEXTS; k++) {
            const char *s = texts[k];
            bool quotes = false;
            for (int i = 0; i < NAMES; i++)
                quotes = quotes || strcmp(s, names[i]) == 0 ||
                         (strlen(names[i]) >= 4 && strstr(s, names[i]));
            MUST(is(text(r, REDACT_VALUE, s), s) == !quotes, turn, k);
        }
        redact_free(r);
    }
}
END_TEST

SUITE(redact) {
    Suite *s = suite_create("redact");
    TCase *c = tcase_create("redact");
    suite_add_tcase(s, c);
    tcase_add_test(c, a_text_has_one_number);
    tcase_add_test(c, only_what_is_asked_for_is_redacted);
    tcase_add_test(c, a_change_between_the_passes_is_noticed);
    tcase_add_test(c, what_is_returned_stays_as_it_was_judged);
    tcase_add_test(c, a_text_that_quotes_a_name_is_found);
    return s;
}
