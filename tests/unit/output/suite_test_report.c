/* suite_test_report.c - reports of tests, whole, of names that would break them. */
#include "model/output/test_report.h"

#include <stdlib.h>

#include "tests/unit/lib/suites.h"

static const struct test_case cases[] = {
    {"holds", "", TEST_OK},
    {"a<b & \"c\"", "left 1, right 2: 50 %\n::error::x", TEST_FAILED},
    {"no such\033[31m", "]]> <!--", TEST_ERROR},
    {"note", "2 of <them>", TEST_NOTE},
};

static char *printed(enum relation_format format, size_t n) {
    char *text = NULL;
    size_t size;
    FILE *out = open_memstream(&text, &size);
    test_report_begin(format, out);
    test_report_print(format, "fxtop assert", "t\r&.fxt", cases, n, out);
    test_report_end(format, out);
    ck_assert_int_eq(fclose(out), 0);
    return text;
}

static void prints(enum relation_format format, size_t n, const char *expected) {
    char *text = printed(format, n);
    ck_assert_str_eq(text, expected);
    free(text);
}

START_TEST(junit_counts_and_escapes) {
    prints(FORMAT_JUNIT, sizeof cases / sizeof *cases,
           "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n"
           "<testsuites>\n"
           "  <testsuite name=\"t\xef\xbf\xbd&amp;.fxt\" tests=\"4\" failures=\"1\" errors=\"1\">\n"
           "    <testcase classname=\"fxtop assert\" name=\"holds\"/>\n"
           "    <testcase classname=\"fxtop assert\" name=\"a&lt;b &amp; &quot;c&quot;\">\n"
           "      <failure message=\"left 1, right 2: 50 %\xef\xbf\xbd::error::x\"/>\n"
           "    </testcase>\n"
           "    <testcase classname=\"fxtop assert\" name=\"no such\xef\xbf\xbd[31m\">\n"
           "      <error message=\"]]&gt; &lt;!--\"/>\n"
           "    </testcase>\n"
           "    <testcase classname=\"fxtop assert\" name=\"note\">\n"
           "      <system-out>2 of &lt;them&gt;</system-out>\n"
           "    </testcase>\n"
           "  </testsuite>\n"
           "</testsuites>\n");
}
END_TEST

START_TEST(github_has_a_line_for_what_does_not_hold) {
    prints(FORMAT_GITHUB, sizeof cases / sizeof *cases,
           "::error title=fxtop assert::t\xef\xbf\xbd&.fxt: a<b & \"c\": left 1, right 2: 50 "
           "%25\xef\xbf\xbd::error::x\n"
           "::error title=fxtop assert::t\xef\xbf\xbd&.fxt: no such\xef\xbf\xbd[31m: ]]> <!--\n"
           "::notice title=fxtop assert::t\xef\xbf\xbd&.fxt: note: 2 of <them>\n");
    prints(FORMAT_GITHUB, 1, "");
}
END_TEST

SUITE(test_report) {
    Suite *suite = suite_create("test_report");
    TCase *c = tcase_create("test_report");
    tcase_add_test(c, junit_counts_and_escapes);
    tcase_add_test(c, github_has_a_line_for_what_does_not_hold);
    suite_add_tcase(suite, c);
    return suite;
}
