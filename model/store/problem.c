/* problem.c - names and messages of problems, and lists of their cases. */
#include "model/store/problem.h"

#include <inttypes.h>
#include <stdio.h>

#include "src/base/units.h"

static const struct {
    const char *name;
    bool note;
    const char *message; /* may hold one %PRIu64: the detail */
} table[PROBLEM_KINDS] = {
    [PROBLEM_NO_MAGIC] = {"no_magic", true, "the FXT magic does not come first"},
    [PROBLEM_SECOND_MAGIC] = {"second_magic", true, "a second magic: concatenated archives"},
    [PROBLEM_ZERO_WORDS] = {"zero_words", true,
                            "%" PRIu64 " words of zeros where a record should be"},
    [PROBLEM_ZERO_SIZE] = {"zero_size", false, "a record of size 0; resynchronised"},
    [PROBLEM_TRUNCATED_RECORD] = {"truncated_record", false,
                                  "a record declares more than the %" PRIu64 " bytes left"},
    [PROBLEM_TRAILING_BYTES] = {"trailing_bytes", false, "%" PRIu64 " trailing bytes ignored"},
    [PROBLEM_CONTENTS_EXCEED_RECORD] = {"contents_exceed_record", false,
                                        "contents longer than their record"},
    [PROBLEM_ARGUMENTS_MALFORMED] = {"arguments_malformed", false, "arguments malformed"},
    [PROBLEM_COMPRESSED_TRUNCATED] = {"compressed_truncated", false,
                                      "the compressed stream ends early"},
    [PROBLEM_COMPRESSED_DAMAGED] = {"compressed_damaged", false,
                                    "the compressed stream is damaged"},
    [PROBLEM_COMPRESSED_TRAILING] = {"compressed_trailing", false,
                                     "bytes after the compressed stream ignored"},
    [PROBLEM_UNKNOWN_RECORD] = {"unknown_record", true, "record type %" PRIu64 " is unknown"},
    [PROBLEM_UNKNOWN_EVENT] = {"unknown_event", true, "event type %" PRIu64 " is unknown"},
    [PROBLEM_UNKNOWN_ARGUMENT] = {"unknown_argument", true, "argument type %" PRIu64 " is unknown"},
    [PROBLEM_UNKNOWN_METADATA] = {"unknown_metadata", true, "metadata type %" PRIu64 " is unknown"},
    [PROBLEM_UNKNOWN_TRACE_INFO] = {"unknown_trace_info", true,
                                    "trace info type %" PRIu64 " is unknown"},
    [PROBLEM_UNKNOWN_PROVIDER_EVENT] = {"unknown_provider_event", true,
                                        "provider event %" PRIu64 " is unknown"},
    [PROBLEM_UNKNOWN_LARGE] = {"unknown_large", true,
                               "large record type or blob format 0x%" PRIx64 " is unknown"},
    [PROBLEM_UNKNOWN_BLOB] = {"unknown_blob", true, "blob type %" PRIu64 " is unknown"},
    [PROBLEM_UNKNOWN_SCHEDULING] = {"unknown_scheduling", true,
                                    "scheduling subtype %" PRIu64 " is unknown"},
    [PROBLEM_UNKNOWN_PROFILER] = {"unknown_profiler", true,
                                  "profiler subtype %" PRIu64 " is unknown"},
    [PROBLEM_UNDEFINED_STRING] = {"undefined_string", false,
                                  "string index %" PRIu64 " was never registered"},
    [PROBLEM_UNDEFINED_THREAD] = {"undefined_thread", false,
                                  "thread index %" PRIu64 " was never registered"},
    [PROBLEM_UNDECLARED_PROVIDER] = {"undeclared_provider", true,
                                     "provider %" PRIu64 " was never introduced"},
    [PROBLEM_TICK_RATE_ZERO] = {"tick_rate_zero", false,
                                "0 ticks per second: 1 tick is taken as 1 ns"},
    [PROBLEM_TIME_SATURATED] = {"time_saturated", false,
                                "times more than 2^63-1 ns after the origin are shown there"},
    [PROBLEM_END_WITHOUT_BEGIN] = {"end_without_begin", false, "an end without a begin"},
    [PROBLEM_BEGIN_WITHOUT_END] = {"begin_without_end", true, "a begin without an end"},
    [PROBLEM_END_NAME_MISMATCH] = {"end_name_mismatch", false,
                                   "an end with another name than its begin"},
    [PROBLEM_END_LOST] = {"end_lost", false,
                          "a begin that lost its end: the slice around it ended first"},
    [PROBLEM_END_BEFORE_BEGIN] = {"end_before_begin", false,
                                  "a complete event that ends before it begins"},
    [PROBLEM_PARTIAL_OVERLAP] = {"partial_overlap", true,
                                 "slices on one thread overlap without nesting"},
    [PROBLEM_ASYNC_END_WITHOUT_BEGIN] = {"async_end_without_begin", false,
                                         "an async end without a begin"},
    [PROBLEM_ASYNC_BEGIN_WITHOUT_END] = {"async_begin_without_end", true,
                                         "an async begin without an end"},
    [PROBLEM_ASYNC_END_NAME_MISMATCH] = {"async_end_name_mismatch", true,
                                         "an async end with another name"},
    [PROBLEM_FLOW_WITHOUT_BEGIN] = {"flow_without_begin", true,
                                    "a flow step or end without a begin"},
    [PROBLEM_FLOW_WITHOUT_END] = {"flow_without_end", true, "a flow begin without an end"},
    [PROBLEM_FLOW_UNRESOLVED] = {"flow_unresolved", false,
                                 "a flow point that several open flows could own"},
    [PROBLEM_FLOW_ENDED_AGAIN] = {"flow_ended_again", false, "an end of a flow that has ended"},
    [PROBLEM_FLOW_BACKWARDS] =
        {"flow_backwards", true,
         "a flow to another trace that goes back in time: an offset is wrong"},
    [PROBLEM_ARCHIVE_CUT] = {"archive_cut", false,
                             "%" PRIu64 " bytes of the trace are missing: the archive was cut"},
    [PROBLEM_PROFILE] = {"profile_unusable", false,
                         "a profiler record, or a line about samples, that is wrong"},
    [PROBLEM_COUNTER_NOT_NUMERIC] = {"counter_not_numeric", false,
                                     "a counter argument is not numeric"},
    [PROBLEM_COUNTER_NOT_FINITE] = {"counter_not_finite", true,
                                    "a counter value is not a finite number"},
    [PROBLEM_SCHED_INCONSISTENT] = {"sched_inconsistent", true,
                                    "a context switch that contradicts the one before it"},
    [PROBLEM_RECORDS_LOST] = {"records_lost", false, "the writer lost records"},
    [PROBLEM_FAR_OFF_TIME] = {"far_off_time", true, "a time far from most others, which counts"},
    [PROBLEM_SOURCE_SYNTAX] = {"source_syntax", false,
                               "not of the format at byte %" PRIu64 " of the source: skipped"},
    [PROBLEM_SOURCE_TRUNCATED] = {"source_truncated", false,
                                  "the source ends within the event at its byte %" PRIu64},
    [PROBLEM_SOURCE_UNKNOWN_EVENT] = {"source_unknown_event", false,
                                      "the event at byte %" PRIu64
                                      " of the source is of an unknown type"},
    [PROBLEM_SOURCE_BAD_FIELD] = {"source_bad_field", false,
                                  "the event at byte %" PRIu64
                                  " of the source lacks a field, or has a bad one"},
    [PROBLEM_SOURCE_CUT] = {"source_cut", false,
                            "the event at byte %" PRIu64 " of the source is too long: cut"},
    [PROBLEM_SOURCE_IGNORED] = {"source_ignored", true,
                                "the event at byte %" PRIu64 " of the source has no meaning here"},
    [PROBLEM_SOURCE_NO_EVENTS] = {"source_no_events", false,
                                  "the source has no events: it may be of another use"},
    [PROBLEM_DAMAGED_TIME] = {"damaged_time", false,
                              "a time that the order of its thread contradicts; in no sum"},
    [PROBLEM_UNSET_TIME] = {"unset_time", false,
                            "a time of 0, far from an epoch: unset, and not in the span"},
};

const char *problem_name(int kind) {
    return table[kind].name;
}

bool problem_is_note(int kind) {
    return table[kind].note;
}

static int kind_from(int kind, bool note) {
    while (kind < PROBLEM_KINDS && table[kind].note != note)
        kind++;
    return kind;
}

int problem_next_kind(int kind) {
    bool note = kind < PROBLEM_KINDS && table[kind].note;
    int next = kind_from(kind < PROBLEM_KINDS ? kind + 1 : 0, note);
    return next == PROBLEM_KINDS && kind < PROBLEM_KINDS && !note ? kind_from(0, true) : next;
}

const char *problem_message(int kind, const struct problem *problem, char buf[96]) {
    if (problem->why)
        return problem->why;
    if (kind == PROBLEM_RECORDS_LOST && problem->detail == 1)
        return "the kernel lost records";
    if (kind == PROBLEM_FAR_OFF_TIME) {
        char away[32];
        snprintf(buf, 96, "a time %s from most others, which counts",
                 units_duration((int64_t)problem->detail, true, away));
        return buf;
    }
#pragma GCC diagnostic push
/* the table's own formats, each with at most one number */
#pragma GCC diagnostic ignored "-Wformat-nonliteral"
#pragma GCC diagnostic ignored "-Wformat-security"
#pragma GCC diagnostic ignored "-Wformat-extra-args"
    snprintf(buf, 96, table[kind].message, problem->detail);
#pragma GCC diagnostic pop
    return buf;
}

static void add_case(struct problem *p, const struct problem_case *one) {
    if (p->count++ == 0 || one->offset < p->first_offset) {
        p->first_offset = one->offset;
        p->detail = one->detail;
        p->why = one->why;
    }
    if (p->cases.n < PROBLEM_KEPT)
        vec_push(&p->cases, *one);
}

static void make_files(struct problems *problems) {
    if (problems->files)
        return;
    problems->nfiles = problems->worlds->files;
    problems->files = err_calloc(problems->nfiles, sizeof *problems->files);
}

static void add(struct problems *problems, int kind, const struct problem_case *one) {
    add_case(&problems->kinds[kind], one);
    if (problems->worlds == NULL)
        return;
    make_files(problems);
    add_case(&problems->files[world_file_at(problems->worlds, one->offset)].kinds[kind], one);
}

void problem_add(struct problems *problems, int kind, uint64_t offset, uint64_t detail,
                 int64_t time, uint32_t thread) {
    add(problems, kind, &(struct problem_case){offset, detail, time, thread, NULL});
}

void problem_add_source(struct problems *problems, int kind, uint64_t offset, uint64_t detail,
                        int64_t time, const char *why) {
    add(problems, kind, &(struct problem_case){offset, detail, time, NO_THREAD, why});
}

void problems_free(struct problems *problems) {
    for (int kind = 0; kind < PROBLEM_KINDS; kind++) {
        vec_free(&problems->kinds[kind].cases);
        problems->kinds[kind] = (struct problem){0};
    }
    for (uint32_t i = 0; problems->files && i < problems->nfiles; i++)
        problems_free(&problems->files[i]);
    free(problems->files);
    problems->files = NULL;
}

/* Adds those of each file. */
static void merge_files(struct problems *all, const struct problems *some) {
    if (all->worlds == NULL || some->files == NULL)
        return;
    make_files(all);
    for (uint32_t i = 0; i < all->nfiles; i++)
        problems_merge(&all->files[i], &some->files[i]);
}

void problems_merge(struct problems *all, const struct problems *some) {
    merge_files(all, some);
    for (int kind = 0; kind < PROBLEM_KINDS; kind++) {
        struct problem *to = &all->kinds[kind];
        const struct problem *from = &some->kinds[kind];
        if (from->count > 0 && (to->count == 0 || from->first_offset < to->first_offset)) {
            to->first_offset = from->first_offset;
            to->detail = from->detail;
            to->why = from->why;
        }
        to->count += from->count;
        for (size_t i = 0; i < from->cases.n && to->cases.n < PROBLEM_KEPT; i++)
            vec_push(&to->cases, from->cases.v[i]);
    }
}
