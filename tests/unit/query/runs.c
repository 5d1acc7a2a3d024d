/* runs.c - comparisons of traces that a test makes. */
#include "tests/unit/query/runs.h"
#include "tests/unit/lib/libcheck.h"

#include <string.h>

struct trace *runs_add(struct between *b, int side, struct trace *trace) {
    struct trace_names names = {.span = 0};
    trace_names_take(&names, trace, &(struct question){.filter = NULL});
    vec_push(&b->runs[side], names);
    return trace;
}

void runs_finish(struct between *b, struct trace *last) {
    between_compare(b);
    between_contain(b, last, &(struct question){.filter = NULL});
    trace_free(last);
}

const struct between_row *runs_row(const struct between *b, const char *name) {
    for (size_t i = 0; i < b->v.n; i++)
        if (strcmp(b->v.v[i].like->name, name) == 0)
            return &b->v.v[i];
    ck_abort_msg("no row %s", name);
}
