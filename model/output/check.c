/* check.c - the problems of a trace, in lines for a reader or as the verdicts of tests. */
#include "model/output/check.h"

#include <inttypes.h>
#include <stdlib.h>

#include "model/output/test_report.h"
#include "model/trace/trace_problems.h"
#include "src/base/text.h"

#define TITLE "fxtop check"

struct check {
    const struct check_style *style;
    FILE *out;
    VEC(struct test_case) cases;
};

/* "3, first at byte 16: the record is cut"; the caller frees it. */
static char *text_of(struct trace *trace, int kind, const struct problem *p, uint64_t begin) {
    enum { CAP = TRACE_PROBLEM_TEXT + 80 };
    char buf[TRACE_PROBLEM_TEXT], *text = err_malloc(CAP);
    snprintf(text, CAP, "%" PRIu64 ", first at byte %" PRIu64 ": %s", p->count,
             p->first_offset - begin, trace_problem_message(trace, kind, p, buf));
    return text;
}

static void put(struct check *c, int kind, char *text) {
    bool note = problem_is_note((enum problem_kind)kind);
    if (!test_report_is(c->style->format)) {
        fprintf(c->out, "%s %s: %s\n", note ? "note   " : "problem", problem_name(kind), text);
        free(text);
        return;
    }
    enum test_report_result result = note && !c->style->strict ? TEST_NOTE : TEST_FAILED;
    vec_push(&c->cases, ((struct test_case){problem_name(kind), text, result}));
}

static void end_report(struct check *c, const char *name) {
    static const struct test_case none = {"no problems", "", TEST_OK};
    const struct test_case *cases = c->cases.n > 0 ? c->cases.v : &none;
    if (test_report_is(c->style->format))
        test_report_print(c->style->format, TITLE, name, cases, c->cases.n > 0 ? c->cases.n : 1,
                          c->out);
    for (size_t i = 0; i < c->cases.n; i++)
        free((char *)(uintptr_t)c->cases.v[i].message);
    c->cases.n = 0;
}

/* The problems of a file, whose bytes begin at `begin`, or of all. */
static bool check_problems(struct check *c, struct trace *trace, const struct problems *problems,
                           uint64_t begin) {
    bool any = false;
    for (int notes = 0; notes < 2; notes++) {
        for (int kind = 0; kind < PROBLEM_KINDS; kind++) {
            const struct problem *p = &problems->kinds[kind];
            if (p->count == 0 || problem_is_note((enum problem_kind)kind) != (notes == 1))
                continue;
            any = any || c->style->strict || notes == 0;
            put(c, kind, text_of(trace, kind, p, begin));
        }
    }
    return any;
}

static void print_heading(const struct check *c, const char *name) {
    char *safe = text_dup(str_of(name), TEXT_TRACK);
    if (!test_report_is(c->style->format))
        fprintf(c->out, "== %s ==\n", safe);
    free(safe);
}

bool check_print(struct trace *trace, const struct check_style *style, FILE *out) {
    const struct problems *problems = trace_problems(trace);
    struct check c = {.style = style, .out = out};
    size_t files = trace_files(trace);
    bool any = files == 1 && check_problems(&c, trace, problems, 0);
    if (files == 1)
        end_report(&c, style->name);
    for (size_t i = 0; i < files && files > 1; i++) {
        struct file_part part;
        trace_file_part(trace, i, &part);
        print_heading(&c, trace_file_name(trace, i));
        if (problems->files && check_problems(&c, trace, &problems->files[i], part.begin))
            any = true;
        end_report(&c, trace_file_name(trace, i));
    }
    vec_free(&c.cases);
    return any;
}
