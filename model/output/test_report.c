/* test_report.c - prints verdicts for CI systems.
 *
 * JUnit's XML is that of Jenkins and GitLab: a testsuite for each trace, a testcase for each
 * verdict. GitHub shows a line `::error title=..::..` at the run; what holds has no line. */
#include "model/output/test_report.h"

#include <stdlib.h>
#include <string.h>

#include "src/base/text.h"

void test_report_begin(enum relation_format format, FILE *out) {
    if (format == FORMAT_JUNIT)
        fputs("<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n<testsuites>\n", out);
}

void test_report_end(enum relation_format format, FILE *out) {
    if (format == FORMAT_JUNIT)
        fputs("</testsuites>\n", out);
}

struct escape {
    char c;
    const char *as;
};

static const struct escape xml[] = {
    {'&', "&amp;"}, {'<', "&lt;"}, {'>', "&gt;"}, {'"', "&quot;"}, {0, NULL}};
/* of messages, in which control characters are replaced before */
static const struct escape github[] = {{'%', "%25"}, {0, NULL}};

static void put(const char *text, const struct escape *escapes, FILE *out) {
    char *safe = text_dup(str_of(text), TEXT_TRACK);
    for (const char *c = safe; *c; c++) {
        const struct escape *e = escapes;
        while (e->as && e->c != *c)
            e++;
        if (e->as)
            fputs(e->as, out);
        else
            putc(*c, out);
    }
    free(safe);
}

static void put_attribute(const char *name, const char *text, FILE *out) {
    fprintf(out, " %s=\"", name);
    put(text, xml, out);
    putc('"', out);
}

static size_t count(const struct test_case *cases, size_t n, enum test_report_result result) {
    size_t found = 0;
    for (size_t i = 0; i < n; i++)
        found += cases[i].result == result;
    return found;
}

static void put_case(const char *title, const struct test_case *c, FILE *out) {
    static const char *const elements[] = {[TEST_FAILED] = "failure", [TEST_ERROR] = "error"};
    fputs("    <testcase", out);
    put_attribute("classname", title, out);
    put_attribute("name", c->name, out);
    if (c->result == TEST_OK || c->result == TEST_NOTE) {
        fputs(c->result == TEST_OK ? "/>\n" : ">\n      <system-out>", out);
        if (c->result == TEST_OK)
            return;
        put(c->message, xml, out);
        fputs("</system-out>\n", out);
    } else {
        fprintf(out, ">\n      <%s", elements[c->result]);
        put_attribute("message", c->message, out);
        fputs("/>\n", out);
    }
    fputs("    </testcase>\n", out);
}

static void print_junit(const char *title, const char *trace, const struct test_case *cases,
                        size_t n, FILE *out) {
    fputs("  <testsuite", out);
    put_attribute("name", trace, out);
    fprintf(out, " tests=\"%zu\" failures=\"%zu\" errors=\"%zu\">\n", n,
            count(cases, n, TEST_FAILED), count(cases, n, TEST_ERROR));
    for (size_t i = 0; i < n; i++)
        put_case(title, &cases[i], out);
    fputs("  </testsuite>\n", out);
}

static void print_github(const char *title, const char *trace, const struct test_case *cases,
                         size_t n, FILE *out) {
    for (size_t i = 0; i < n; i++) {
        if (cases[i].result == TEST_OK)
            continue;
        fprintf(out, "::%s title=%s", cases[i].result == TEST_NOTE ? "notice" : "error", title);
        fputs("::", out);
        put(trace, github, out);
        fputs(": ", out);
        put(cases[i].name, github, out);
        fputs(": ", out);
        put(cases[i].message, github, out);
        putc('\n', out);
    }
}

void test_report_print(enum relation_format format, const char *title, const char *trace,
                       const struct test_case *cases, size_t n, FILE *out) {
    if (format == FORMAT_JUNIT)
        print_junit(title, trace, cases, n, out);
    else
        print_github(title, trace, cases, n, out);
}
