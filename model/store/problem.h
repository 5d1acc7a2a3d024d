/* problem.h - problems of a trace: by kind, counted, with the offset of the first case; the first
 * PROBLEM_KEPT cases of a kind keep offset and time. Kinds, words and which of them are notes:
 * EXPORT 4. */
#ifndef FXTOP_PROBLEM_H
#define FXTOP_PROBLEM_H

#include "model/store/world.h"
#include "src/base/vec.h"
#include "src/fxt/reader.h"

/* The kinds that the model finds: they fill the gaps in the numbers of enum problem_kind. A kind of
 * either sort is an int below PROBLEM_KINDS. */
enum {
    /* the stream of a compressed file */
    PROBLEM_COMPRESSED_TRUNCATED = 8,
    PROBLEM_COMPRESSED_DAMAGED,
    PROBLEM_COMPRESSED_TRAILING,
    /* nesting */
    PROBLEM_END_WITHOUT_BEGIN = 26,
    PROBLEM_BEGIN_WITHOUT_END,
    PROBLEM_END_NAME_MISMATCH,
    PROBLEM_PARTIAL_OVERLAP = 30,
    /* async operations */
    PROBLEM_ASYNC_END_WITHOUT_BEGIN = 31,
    PROBLEM_ASYNC_BEGIN_WITHOUT_END,
    PROBLEM_ASYNC_END_NAME_MISMATCH,
    /* flows */
    PROBLEM_FLOW_WITHOUT_BEGIN = 34,
    PROBLEM_FLOW_WITHOUT_END,
    PROBLEM_FLOW_UNRESOLVED,
    /* counters */
    PROBLEM_COUNTER_NOT_NUMERIC = 37,
    PROBLEM_COUNTER_NOT_FINITE,
    /* scheduling */
    PROBLEM_SCHED_INCONSISTENT = 39,
    /* records that the writer could not write */
    PROBLEM_RECORDS_LOST = 40,
    /* times of records, all of them together */
    PROBLEM_FAR_OFF_TIME = 41,
    /* nesting, if ends close by name */
    PROBLEM_END_LOST = 42,
    /* the source of an imported trace, in the order of enum import_fault; the detail is the offset
     * in it */
    PROBLEM_SOURCE_SYNTAX = 43,
    PROBLEM_SOURCE_TRUNCATED,
    PROBLEM_SOURCE_UNKNOWN_EVENT,
    PROBLEM_SOURCE_BAD_FIELD,
    PROBLEM_SOURCE_CUT,
    PROBLEM_SOURCE_IGNORED,
    PROBLEM_SOURCE_NO_EVENTS,
    /* times of records, again */
    PROBLEM_DAMAGED_TIME,
    PROBLEM_UNSET_TIME,
    /* flows, too */
    PROBLEM_FLOW_ENDED_AGAIN,
    /* records of a profiler, and what they need */
    PROBLEM_PROFILE,
    /* flows of two worlds */
    PROBLEM_FLOW_BACKWARDS,
    PROBLEM_KINDS = PROBLEM_ARCHIVE_CUT + 1 /* which the reader finds */
};

#define PROBLEM_KEPT 1000
#define PROBLEM_NO_TIME INT64_MIN /* of a fault of the source outside of events */

struct problem_case {
    uint64_t offset, detail;
    int64_t time;    /* ns relative to the reader's base, or PROBLEM_NO_TIME */
    uint32_t thread; /* number, or NO_THREAD */
    /* of a source: the place and what is wrong there; NULL: not known. Not owned */
    const char *why;
};

struct problem {
    uint64_t count;
    uint64_t first_offset; /* the least */
    uint64_t detail;       /* of that case, and: */
    const char *why;
    VEC(struct problem_case) cases;
};

struct problems {
    struct problem kinds[PROBLEM_KINDS];
    const struct worlds *worlds; /* of a set of files; else NULL */
    struct problems *files;      /* the same by file, if a problem was added; or NULL */
    uint32_t nfiles;
};

void problem_add(struct problems *problems, int kind, uint64_t offset, uint64_t detail,
                 int64_t time, uint32_t thread);
/* Adds a case of a source, with what is wrong there. */
void problem_add_source(struct problems *problems, int kind, uint64_t offset, uint64_t detail,
                        int64_t time, const char *why);
void problems_merge(struct problems *all, const struct problems *some); /* adds `some` to `all` */
void problems_free(struct problems *problems);                          /* `worlds` stays */

/* The cases of one kind that are kept, at most PROBLEM_KEPT, in the order in which they were
 * found. */
static inline size_t problem_case_count(const struct problem *problem) {
    return problem->cases.n;
}

static inline const struct problem_case *problem_case(const struct problem *problem, size_t i) {
    return &problem->cases.v[i];
}

const char *problem_name(int kind); /* "no_magic" */
bool problem_is_note(int kind);
/* The order in which kinds are shown: problems first, then notes. The first kind follows
 * PROBLEM_KINDS, and that the last one. */
int problem_next_kind(int kind);
/* A problem with that case alone. */
static inline struct problem problem_alone(const struct problem_case *one) {
    return (struct problem){
        .count = 1, .first_offset = one->offset, .detail = one->detail, .why = one->why};
}

/* One sentence about the first case, without a full stop; written to buf, or it lasts as long as
 * the trace's file. */
const char *problem_message(int kind, const struct problem *problem, char buf[96]);

#endif
