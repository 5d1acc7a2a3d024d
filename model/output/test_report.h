/* test_report.h - verdicts in the forms that CI systems read: JUnit's XML, and the annotations of
 * GitHub's workflows. */
#ifndef FXTOP_TEST_REPORT_H
#define FXTOP_TEST_REPORT_H

#include <stdio.h>

#include "model/output/relation.h"
#include "src/base/vec.h"

enum test_report_result { TEST_OK, TEST_NOTE, TEST_FAILED, TEST_ERROR };

struct test_case {
    const char *name, *message; /* of UTF-8; printed in safe characters */
    enum test_report_result result;
};

static inline bool test_report_is(enum relation_format format) {
    return format == FORMAT_JUNIT || format == FORMAT_GITHUB;
}
/* The begin and the end of a document, with any number of traces between. */
void test_report_begin(enum relation_format format, FILE *out);
void test_report_end(enum relation_format format, FILE *out);
/* The verdicts about one trace, or file of a trace. title: what asked, as `fxtop assert`, without
 * a colon or comma. */
void test_report_print(enum relation_format format, const char *title, const char *trace,
                       const struct test_case *cases, size_t n, FILE *out);

#endif
