/* problem.h - what is wrong with a trace: by kind, counted, with the byte of the first case; the first 1,000 of a kind
 * keep their offset and time. Kinds, words and which of them are notes: EXPORT.md. */
#ifndef FXTOP_PROBLEM_H
#define FXTOP_PROBLEM_H

#include "src/base/vec.h"
#include "src/fxt/reader.h"

#define PROBLEM_KEPT 1000

struct problem_case {
    uint64_t offset, detail;
    int64_t time;    /* ns relative to the reader's base */
    uint32_t thread; /* number, or NO_THREAD */
};

struct problem {
    uint64_t count;
    uint64_t first_offset; /* the least */
    uint64_t detail;       /* of that case */
    VEC(struct problem_case) cases;
};

struct problems {
    struct problem kinds[PROBLEM_KINDS];
};

void problem_add(struct problems *problems, enum problem_kind kind, uint64_t offset, uint64_t detail, int64_t time,
                 uint32_t thread);
void problems_free(struct problems *problems);

/* The cases of one kind that are kept, at most PROBLEM_KEPT, in the order in which they were found. */
static inline size_t problem_case_count(const struct problem *problem) {
    return problem->cases.n;
}

static inline const struct problem_case *problem_case(const struct problem *problem, size_t i) {
    return &problem->cases.v[i];
}

const char *problem_name(enum problem_kind kind); /* "no_magic" */
bool problem_is_note(enum problem_kind kind);
/* One sentence about the first case, without a full stop, written to buf. */
const char *problem_message(enum problem_kind kind, const struct problem *problem, char buf[96]);

struct trace;
/* All problems as they stand, those that nesting found included; the trace's, until its next step. */
const struct problems *trace_problems(struct trace *trace);
/* Those that the reader found alone, damage among them; costs nothing. */
const struct problems *trace_damage(const struct trace *trace);
/* Cases, without or with notes; cheap: for the title. */
uint64_t trace_problem_count(struct trace *trace, bool notes);

#endif
