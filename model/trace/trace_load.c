/* trace_load.c - loads a trace step by step: reads, and brings the model up to date.
 *
 * States. An edge has the answer of reader_step() within step(), then the flush that follows. A
 * WAITING trace that gets new bytes, but not all, stays there after the same flush as before. At
 * READER_END a trace is LOADING until FLUSH_ALL is done. Nothing is read while a flush is under
 * way, which is done in steps.
 *
 *   trace_open()
 *     |
 *     |-- first_words(): the index is not in the cache        take_cached(): it is --.
 *     v                                                                              |
 *   +---------+   READER_WAIT: FLUSH_NOW, or FLUSH_LATER   +---------+               |
 *   | LOADING | -----------------------------------------> | WAITING | <-.           |
 *   +---------+             for trace_read()               +---------+   | no new bytes: FLUSH_ALL,
 *    ^ ^ |  ^                                                |   |   `---' if trace_unflushed()
 *    | | |  `------------------------------------------------'   |                   |
 *    | | |      READER_MORE, after new bytes: FLUSH_SOME         |                   |
 *    | | |                                                       |                   |
 *    | `-' READER_MORE: FLUSH_SOME                               |                   |
 *    |   | READER_END, but times are too wide: [T5]              |                   |
 *    |   |                                                       |                   |
 *    |   | READER_END: FLUSH_ALL, finish()                       | READER_END: the same
 *    |   v                                                       v                   |
 *    | +----------+ <--------------------------------------------'                   |
 *    | | COMPLETE | <----------------------------------------------------------------'
 *    | +----------+
 *    |   |
 *    `---' trace_follow(), trace_reload()
 */
#include "model/trace/trace_internal.h"
#include "src/base/budget.h"

#define BYTE_NS 1                       /* that reading and a flush may take for each byte */
#define FLUSH_NS 2000000                /* at most, while a key may wait */
#define NEAR 16                         /* records of names before that of an event */
#define FLUSH_BYTES (UINT64_C(8) << 20) /* of input between two flushes while nothing is drawn */
#define KEY_NS 16000000                 /* no key waits for longer steps: they have no deadline */
#define READ_NS 4000000        /* that reading may take of a step that a key may wait for */
#define READ_BYTES (64u << 10) /* between two looks at the clock */

/* The time of the event that a fault is in: the first one from there on, if it is made from the
 * same place. */
static int64_t time_of_fault(struct trace *trace, const struct import_case *found) {
    struct reader_frame frame;
    struct import_place source;
    uint64_t at = found->at.words;
    int64_t time;
    for (int n = 0; n < NEAR && reader_frame_at(trace->reader, at, &frame); n++, at += frame.bytes)
        if (frame.kind == FRAME_RECORD && damaged_written_at(trace->reader, at, &time))
            return file_import_source(trace->file, at, &source) &&
                           source.byte == found->at.source.byte
                       ? time
                       : PROBLEM_NO_TIME;
    return PROBLEM_NO_TIME;
}

/* Takes over the problems of the source of a part. */
static void take_faults_of(struct trace *trace, size_t number) {
    /* of the place of a case that was not kept it is known that it is not the first */
    static const struct import_case not_kept = {.at.words = UINT64_MAX};
    struct import_case found = not_kept;
    struct file *file = file_part_file(trace->file, number);
    struct file_part part;
    file_part(trace->file, number, &part);
    while (trace->source_faults.n < (number + 1) * IMPORT_FAULTS)
        vec_push(&trace->source_faults, 0);
    for (int fault = 0; fault < IMPORT_FAULTS; fault++) {
        int kind = fault == IMPORT_DAMAGED ? PROBLEM_DAMAGED_TIME : PROBLEM_SOURCE_SYNTAX + fault;
        uint64_t *known = &trace->source_faults.v[number * IMPORT_FAULTS + (size_t)fault];
        for (; *known < file_import_faults(file, (enum import_fault)fault, *known, &found);
             ++*known) {
            if (found.at.words != UINT64_MAX)
                found.at.words += part.begin;
            int64_t time = *known < PROBLEM_KEPT ? time_of_fault(trace, &found) : PROBLEM_NO_TIME;
            problem_add_source(&trace->stream, kind, found.at.words, found.at.source.byte, time,
                               found.why);
            if (fault == IMPORT_DAMAGED)
                damaged_add(&trace_judged_at(trace, part.begin)->damaged, found.at.words);
            found = not_kept;
        }
    }
}

/* Takes over the problems of the sources of the words read so far. */
static void take_source_faults(struct trace *trace) {
    for (size_t i = 0; i < file_part_count(trace->file); i++)
        take_faults_of(trace, i);
}

/* Whether the next part is of the same file. */
static bool shares_file(struct file *file, size_t i) {
    return i + 1 < file_part_count(file) && file_part_file(file, i) == file_part_file(file, i + 1);
}

static void finish(struct trace *trace) {
    static const int kinds[] = {[FILE_COMPRESSED_TRUNCATED] = PROBLEM_COMPRESSED_TRUNCATED,
                                [FILE_COMPRESSED_DAMAGED] = PROBLEM_COMPRESSED_DAMAGED,
                                [FILE_COMPRESSED_TRAILING] = PROBLEM_COMPRESSED_TRAILING};
    for (size_t i = 0; i < file_part_count(trace->file); i++) {
        const char *why;
        struct file_part part;
        enum file_fault fault = file_fault(file_part_file(trace->file, i), &why);
        file_part(trace->file, i, &part);
        if (shares_file(trace->file, i))
            continue;
        if (fault > FILE_OK && fault < FILE_NO_SPACE)
            problem_add(&trace->stream, kinds[fault], part.end, 0, trace->end, NO_THREAD);
    }
}

static bool key_waits(uint64_t bytes) {
    return bytes <= KEY_NS / BYTE_NS;
}

/* How long a flush in a step of so many bytes may take. */
static struct budget flush_budget(uint64_t bytes) {
    if (!key_waits(bytes))
        return budget_endless();
    return budget_until(bytes < FLUSH_NS / BYTE_NS ? (int64_t)bytes * BYTE_NS : FLUSH_NS);
}

/* Reads `bytes`, or fewer: records differ in cost, and the machine may be slower than in the step
 * before. */
static enum reader_state read_bytes(struct trace *trace, uint64_t bytes) {
    bool key = key_waits(bytes);
    struct budget budget = budget_until(key ? READ_NS : INT64_MAX);
    uint64_t end = reader_offset(trace->reader) + bytes, left = bytes;
    enum reader_state state;
    do {
        state = reader_step(trace->reader, left < READ_BYTES ? left : READ_BYTES);
        if (ingest_profile_step(trace) && state == READER_END)
            state = READER_MORE;
        uint64_t at = reader_offset(trace->reader);
        left = at < end ? end - at : 0;
    } while (state == READER_MORE && left > 0 && budget_spend(&budget, BUDGET_UNITS));
    return state;
}

/* [T5]: now the earliest event is known, so far if the trace is followed: an earlier one makes it
 * read again. */
static void read_again(struct trace *trace) {
    struct wide base = reader_min(trace->reader);
    ingest_clear(trace, true);
    ingest_start(trace);
    ingest_profile_again(trace);
    reader_set_base(trace->reader, base);
    trace->generation++;
}

/* Reads on. False: nothing came, and all is flushed. */
static bool read_on(struct trace *trace, uint64_t bytes) {
    uint64_t at = reader_offset(trace->reader);
    file_step(trace->file, bytes, 0);
    trace->reached = read_bytes(trace, bytes);
    file_passed(trace->file, reader_place(trace->reader));
    bool grows = at != reader_offset(trace->reader);
    trace->paused = trace->reached == READER_WAIT && trace->state == TRACE_WAITING && !grows;
    if (grows)
        trace_times_stop(trace);
    if (reader_wide(trace->reader) && (trace->reached == READER_END || trace->paused)) {
        read_again(trace);
        trace->reached = READER_MORE;
        trace->paused = false;
    }
    if (trace->paused)
        return trace->unflushed;
    if (trace->reached == READER_WAIT && !file_ended(trace->file) && file_fd(trace->file) < 0 &&
        !file_follows(trace->file))
        /* a compressed file is inflated step by step: there is nothing to wait for */
        trace->reached = READER_MORE;
    take_source_faults(trace); /* before the look at the end, which dates them */
    return true;
}

/* How the model is brought up to date. When input pauses it is flushed whole: after each small read
 * the same would be derived again. */
static enum ingest_flush how_to_flush(const struct trace *trace, bool show) {
    if (trace->paused || trace->reached == READER_END)
        return FLUSH_ALL;
    if (trace->reached == READER_WAIT)
        return show ? FLUSH_NOW : FLUSH_LATER;
    bool soon = reader_offset(trace->reader) - trace->flushed < FLUSH_BYTES;
    return soon && !show ? FLUSH_LATER : FLUSH_SOME;
}

/* Brings the model up to date. */
static bool flush(struct trace *trace, uint64_t bytes, bool show, struct task *task) {
    enum ingest_flush how = how_to_flush(trace, show);
    if (!trace->released && !ingest_flush(trace, how, task))
        return false;
    if ((how == FLUSH_ALL && !trace_times_look(trace, bytes)) || !trace_mend(trace, task))
        return false;
    if (how == FLUSH_ALL && !trace->paused && !trace->released)
        ingest_release(trace); /* to mend needs the logs */
    return true;
}

static enum trace_state state_after(struct trace *trace, bool done) {
    trace->version++;
    trace->flushing = trace->paused && !done;
    trace->unflushed = trace->paused ? !done : trace->reached == READER_WAIT;
    if (done)
        trace_times_find(trace);
    if (trace->paused)
        return trace->state;
    if (!done || trace->reached == READER_MORE)
        return TRACE_LOADING; /* at READER_END: which is reached again */
    if (trace->reached == READER_WAIT)
        return TRACE_WAITING;
    finish(trace);
    flow_worlds_join(&trace->derived.flows);
    return TRACE_COMPLETE;
}

/* After a flush of former steps it reads on: more may have come meanwhile. */
static enum trace_state step(struct trace *trace, uint64_t bytes, bool show) {
    if (trace->state == TRACE_COMPLETE)
        return trace->state;
    tasks_cancel(&trace->tasks);
    if (trace_is_late(trace))
        trace_align_late(trace);
    bool before = trace->flush.task != NULL;
    struct budget budget = flush_budget(bytes);
    if (before && !ingest_flush(trace, trace->flush.how, TASK_WITHIN(&budget)))
        return trace->state = state_after(trace, false);
    if (trace_mending(trace) && !trace_mend(trace, TASK_WITHIN(&budget)))
        return trace->state = state_after(trace, false);
    if (before && trace->reached == READER_WAIT)
        trace->state = TRACE_WAITING; /* if nothing came meanwhile, this is a pause */
    if (!read_on(trace, bytes))
        return trace->state;
    if (!before)
        budget = flush_budget(bytes);
    return trace->state = state_after(trace, flush(trace, bytes, show, TASK_WITHIN(&budget)));
}

enum trace_state trace_step(struct trace *trace, uint64_t bytes) {
    return step(trace, bytes, true);
}

enum trace_state trace_read(struct trace *trace, uint64_t bytes) {
    return step(trace, bytes, false);
}

void trace_load(struct trace *trace) {
    while (trace->state != TRACE_COMPLETE) {
        if (trace->state == TRACE_WAITING)
            file_step(trace->file, FIRST_BYTES, -1);
        trace_read(trace, 64u << 20);
    }
}
