/* ingest_profile.c - samples of the profiler's records, as words of a part that the file gets.
 *
 * The reader thread gives each such record to src/import/profiles/backtraces, which makes words of
 * sampled slices. They are added to a derived part (src/io/file.h) between two steps of the
 * reader. It is read as any other part, and each file of a set has one of its own. Words are made
 * once: if the trace is read again, records up to the last one that was given are passed over. */
#include "model/trace/trace_internal.h"
#include "src/import/profiles/backtraces.h"

struct said { /* a fault */
    uint64_t offset;
    char *why;
};

struct profile {
    struct trace *trace;
    struct backtraces *backtraces;
    uint64_t next; /* offset of the first record that was not given */
    bool derives;  /* there is a part for the words */
    bool failed;   /* there is no space for it */
    bool ended;
    size_t part;
    VEC(struct said) said;
};

static void report(struct trace *trace, uint64_t offset, const char *why) {
    problem_add_source(&trace->stream, PROBLEM_PROFILE, offset, 0, PROBLEM_NO_TIME, why);
}

static void fault(void *ctx, enum import_fault kind, uint64_t offset, const char *sentence) {
    struct profile *p = ctx;
    (void)kind;
    if (p->said.n == PROBLEM_KEPT) {
        report(p->trace, offset, NULL);
        return;
    }
    size_t n = strlen(sentence) + 1;
    vec_push(&p->said, ((struct said){offset, memcpy(err_malloc(n), sentence, n)}));
    report(p->trace, offset, p->said.v[p->said.n - 1].why);
}

/* The one of the part that is read; NULL: no record of it was of a profiler so far. */
static struct profile *profile_now(const struct trace *trace) {
    size_t part = reader_part_now(trace->reader);
    return part < trace->profiles.n ? trace->profiles.v[part] : NULL;
}

static struct profile *profile_of(struct trace *trace) {
    size_t part = reader_part_now(trace->reader);
    while (trace->profiles.n <= part)
        vec_push(&trace->profiles, NULL);
    if (trace->profiles.v[part] == NULL) {
        struct profile *p = err_calloc(1, sizeof *p);
        p->trace = trace;
        p->backtraces = backtraces_new((struct backtraces_faults){p, fault}, part);
        backtraces_source(p->backtraces, trace->options.symbols);
        trace->profiles.v[part] = p;
    }
    return trace->profiles.v[part];
}

void ingest_profile_free(struct trace *trace) {
    for (size_t k = 0; k < trace->profiles.n; k++) {
        struct profile *p = trace->profiles.v[k];
        if (p == NULL)
            continue;
        for (size_t i = 0; i < p->said.n; i++)
            free(p->said.v[i].why);
        vec_free(&p->said);
        backtraces_free(p->backtraces);
        free(p);
    }
    vec_free(&trace->profiles);
}

void ingest_profile_again(struct trace *trace) {
    for (size_t k = 0; k < trace->profiles.n; k++)
        for (size_t i = 0; trace->profiles.v[k] && i < trace->profiles.v[k]->said.n; i++)
            report(trace, trace->profiles.v[k]->said.v[i].offset,
                   trace->profiles.v[k]->said.v[i].why);
}

/* Whether a record is to be given: not if it was, before the trace was read again. */
static bool is_next(struct profile *p, uint64_t offset) {
    if (offset < p->next || p->failed)
        return false;
    p->next = offset + 8;
    return true;
}

/* Thread numbers, as the profiler's records name them. A thread without a process is of
 * process 0. */
static struct thread_id id_of(const struct trace *trace, const struct item *item) {
    const struct fxt_record *r = item->record;
    struct thread_id id = {.pid = r->thread.pid, .tid = r->thread.tid};
    if (item->thread != NO_THREAD)
        id = trace->threads.v[item->thread]->id;
    if (id.form == THREAD_UNDEFINED)
        id.tid = id.index;
    return id;
}

/* False: it is no number of 63 bits. */
static bool time_of(const struct trace *trace, const struct item *item, uint64_t *ns) {
    struct wide at = wide_add(reader_base(trace->reader), item->time);
    if (reader_wide(trace->reader)) /* those of items are clamped so far */
        at = reader_ns_at(trace->reader, item->provider, item->offset, item->record->ts);
    *ns = at.lo;
    return at.hi == 0 && at.lo <= INT64_MAX;
}

static void backtrace(struct trace *trace, struct profile *p, const struct item *item) {
    struct thread_id id = id_of(trace, item);
    struct backtraces_sample sample = {.offset = item->offset, .pid = id.pid, .tid = id.tid};
    bool named = false;
    char buf[40];
    if (item->thread == NO_THREAD || !time_of(trace, item, &sample.ts)) {
        fault(p, IMPORT_FIELD, item->offset, "a backtrace whose time is too late for a sample");
        return;
    }
    struct str name = trace_thread_name(trace, trace->threads.v[item->thread], buf, &named);
    sample.thread = named ? name : (struct str){"", 0};
    backtraces_add(p->backtraces, &sample, item->record);
}

void ingest_profile(struct trace *trace, const struct item *item) {
    struct profile *p = profile_of(trace);
    const struct fxt_record *r = item->record;
    if (!is_next(p, item->offset))
        return;
    if (r->kind == FXT_K_MODULE)
        backtraces_module(p->backtraces, item->offset, id_of(trace, item).pid, r);
    else if (r->kind == FXT_K_MMAP)
        backtraces_mmap(p->backtraces, item->offset, id_of(trace, item).pid, r);
    else
        backtrace(trace, p, item);
}

void ingest_profile_blob(struct trace *trace, const struct item *item) {
    const struct fxt_record *r = item->record;
    struct str name = trace_name(trace, item->name);
    if (r->kind != FXT_K_BLOB || r->blob.type != FXT_BLOB_DATA || !backtraces_wants_blob(name))
        return;
    struct profile *p = profile_of(trace);
    if (is_next(p, item->offset))
        backtraces_blob(p->backtraces, item->offset, name, r->payload);
}

void ingest_profile_switch(struct trace *trace, const struct plain_event *e) {
    struct profile *p = profile_now(trace);
    struct wide at = wide_add(reader_base(trace->reader), e->time);
    if (p == NULL || e->kind == FXT_K_WAKEUP || at.hi != 0 || at.lo > INT64_MAX ||
        !is_next(p, e->offset))
        return;
    unsigned state = e->id & 15;
    backtraces_switch(p->backtraces, at.lo, trace->threads.v[e->thread]->id.tid,
                      state == SCHED_DYING || state == SCHED_DEAD,
                      trace->threads.v[e->thread2]->id.tid);
}

/* Adds the words that were made. */
/* from: the part that they are made from. */
static void add_words(struct profile *p, size_t from) {
    struct err err;
    struct str words = backtraces_take(p->backtraces);
    if (words.n == 0 || p->failed)
        return;
    struct file *file = p->trace->file;
    if (!p->derives) {
        p->derives = file_derive(file, &p->part, &err);
        if (p->derives)
            trace_place_derived(p->trace, p->part, from);
    }
    if (!p->derives || !file_derived_add(file, p->part, words.s, words.n)) {
        p->failed = true;
        fault(p, IMPORT_CUT, p->next, "no space for the samples of backtraces in $TMPDIR");
    }
}

bool ingest_profile_step(struct trace *trace) {
    bool more = false;
    for (size_t k = 0; k < trace->profiles.n; k++) {
        struct profile *p = trace->profiles.v[k];
        if (p)
            add_words(p, k);
        more = more || (p && p->derives && !p->ended);
    }
    return more;
}

void ingest_profile_end(struct trace *trace) {
    for (size_t k = 0; k < trace->profiles.n; k++) {
        struct profile *p = trace->profiles.v[k];
        if (p == NULL || p->ended)
            continue;
        p->ended = true;
        backtraces_end(p->backtraces);
        add_words(p, k);
        if (p->derives)
            file_derived_end(trace->file, p->part);
    }
}
