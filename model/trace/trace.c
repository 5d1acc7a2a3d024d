/* trace.c - opens a trace, and answers questions about the whole of it.
 *
 * A trace owns a file (src/io/file.h), a reader (src/fxt/reader.h) and the model that ingest.c
 * fills. File and reader have states of their own; only step() in trace_load.c uses both.
 *
 * Invariants, between two calls of the interface:
 *
 *  [T1] The worker is idle: every structure belongs to the caller. ingest_flush() waits for it.
 *  [T2] threads.v[n] is the thread with the reader's number n; add_threads() makes it before its
 *       first event is taken.
 *  [T3] `touched` lists the threads with events that are not final. After FLUSH_ALL it is empty, no
 *       event is late, and
 *       every log is processed.
 *  [T4] `version` grows with each change of the model. Cached answers remember the version they
 *       belong to.
 *  [T5] Times are relative to the reader's base. The base changes once, at the end, if the trace
 *       spans more than
 *       2^61 ns, and in a pause of a trace that is followed: everything is read again, and `generation` grows.
 *  [T6] lost.v[timeless ..] are losses without a time; they get the time of the next event of any
 *       provider.
 *  [T7] The side table is locked while the worker may run (side_table_put(), side_table_take()).
 *
 * States and steps of loading: trace_load.c. */
#include "model/trace/trace.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "model/trace/persist.h"
#include "model/trace/trace_internal.h"
#include "src/base/discard.h"
#include "src/base/thread.h"
#include "src/base/units.h"
#include "src/base/worker.h"

/* Reads until the first words show whether it is a trace. */
static bool first_words(struct reader *reader, struct file *file, struct err *err) {
    for (;;) {
        /* the first record; the rest is for trace_step() */
        enum reader_state state = reader_step(reader, 8);
        if (state == READER_ALIEN || (state == READER_END && file_size(file) == 0))
            return file_refuse(file_part_file(file, reader_part_now(reader)), err);
        bool more = state != READER_WAIT || reader_offset(reader) > 0 ||
                    (file_size(file) >= 8 && reader_records(reader) > 0);
        if (more && reader_begun(reader))
            return true;
        file_step(file, FIRST_BYTES, -1);
    }
}

static bool keeps(const struct trace *trace) {
    return trace->options.cache_from > 0 && !file_follows(trace->file) &&
           file_size(trace->file) >= trace->options.cache_from;
}

/* Whether the model is that of the cache. */
static bool is_sound(struct trace *trace) {
    if (!persist_load(trace, trace->cache))
        return false;
    if (!trace->options.cache_whole || cache_verify(trace->cache))
        return true;
    cache_remove(trace->cache);
    return false;
}

/* The index is read no more. */
static void leave_cached(struct trace *trace) {
    cache_close(trace->cache);
    trace->cache = NULL;
    trace->given = false;
}

static bool find_cached(struct trace *trace) {
    bool reads = trace->options.cache_from > 0 && !file_follows(trace->file);
    trace->cache = reads ? persist_find(trace) : NULL;
    return trace->cache != NULL;
}

/* Takes the index that was found, if any. */
static bool take_cached(struct trace *trace) {
    if (trace->cache == NULL)
        return false;
    ingest_start(trace);
    if (is_sound(trace) && cache_restore(trace->cache, trace->file)) {
        trace_times_find(trace);
        trace->state = TRACE_COMPLETE;
        trace->version++;
        return true;
    }
    ingest_clear(trace, true);
    leave_cached(trace);
    return false;
}

void trace_persist(struct trace *trace) {
    if (trace->writer > 0 && cache_reap(trace->writer, false))
        trace->writer = 0;
    if (trace->state != TRACE_COMPLETE || trace->cache || trace->given || trace->profiles.n > 0 ||
        !keeps(trace) || file_lost(trace->file))
        return;
    trace->given = true;
    /* a child of fork() could wait for a lock of theirs for ever */
    trace_remains_take(&trace->remains, NULL, 0, false);
    trace->writer = persist_save(trace);
}

bool trace_persist_now(struct trace *trace) {
    trace->given = true;
    return !file_lost(trace->file) && persist_write(trace);
}

bool trace_cached(const struct trace *trace) {
    return trace->cache != NULL;
}

bool trace_cache_damaged(const struct trace *trace) {
    return cache_damaged(trace->cache);
}

static void begin_set(struct trace *trace);

/* A set is put on one clock before its index is looked for. */
static void share_key(const struct trace_options *options) {
    if (options->cache_from > 0 && !options->follow)
        cache_share_key();
}

struct trace *trace_open(const char *path, const struct trace_options *options, struct err *err) {
    if (options->follow)
        file_await(path);
    struct file_options how = options->file;
    how.grows = options->follow;
    struct file *file = file_open(path, &how, err);
    if (file == NULL)
        return NULL;
    struct trace *trace = err_calloc(1, sizeof *trace);
    const char *shown = options->shown ? options->shown : path;
    trace->path = err_copy(path, strlen(path));
    trace->shown = err_copy(shown, strlen(shown));
    trace->options = *options;
    trace->file = file;
    share_key(options);
    if (options->follow)
        file_follow(file, true);
    else if (file_imported(file) == NULL)
        trace->archived = archived_open(file, trace->path);
    if (trace->archived) {
        const struct trace_set *set = archived_set(trace->archived);
        for (size_t i = 0; i < set->n; i++)
            vec_push(&trace->aligned, archived_aligned(trace->archived, i));
        trace->set = set;
        find_cached(trace);
        begin_set(trace);
        return trace;
    }
    if (find_cached(trace) && take_cached(trace))
        return trace;
    ingest_start(trace);
    if (!first_words(trace->reader, file, err)) {
        trace_free(trace);
        return NULL;
    }
    trace->state = TRACE_LOADING;
    return trace;
}

/* The part is derived from another one: its times are of the common clock. */
void trace_place_derived(struct trace *trace, size_t part, size_t from) {
    struct file_part bounds;
    if (trace->worlds.n == 0)
        return;
    file_part(trace->file, part, &bounds);
    worker_wait(trace->slice_extra.worker); /* it reads them */
    trace->worlds.parts[part] = trace->worlds.parts[from];
    trace->worlds.parts[part].begin = bounds.begin;
    trace->worlds.n = part + 1;
    reader_place_part(trace->reader, part, trace->worlds.parts[part].world, 0);
}

static int64_t least_move(const struct trace *trace) {
    int64_t least = INT64_MAX;
    for (size_t i = 0; i < trace->aligned.n; i++)
        least = trace->aligned.v[i].move < least ? trace->aligned.v[i].move : least;
    return least;
}

static void find_shifts(struct trace *trace) {
    int64_t least = least_move(trace);
    trace->shifts.n = 0;
    for (size_t i = 0; i < trace->aligned.n; i++)
        vec_push(&trace->shifts, (uint64_t)trace->aligned.v[i].move - (uint64_t)least);
}

static void begin_bounds(struct trace *trace) {
    trace->bounds.n = trace->origins.n = 0;
    for (uint32_t w = 0; w < trace->worlds.count; w++) {
        vec_push(&trace->bounds, ((struct whole){INT64_MAX, INT64_MIN, true}));
        vec_push(&trace->origins, INT64_MAX);
    }
}

/* Puts each part on the common clock by its alignment. */
static void place_parts(struct trace *trace, const struct trace_set *set) {
    trace->worlds.n = set->n;
    trace->worlds.files = (uint32_t)set->n;
    trace->worlds.parts = err_calloc(2 * set->n, sizeof *trace->worlds.parts);
    for (size_t i = 0; i < set->n; i++) {
        struct file_part part;
        file_part(trace->file, i, &part);
        trace->worlds.parts[i] = (struct world_part){part.begin, set->worlds[i], (uint16_t)i};
        if (set->worlds[i] >= trace->worlds.count)
            trace->worlds.count = set->worlds[i] + 1u;
        trace->aligned.v[i].move += set->offsets[i];
        vec_push(&trace->offsets, set->offsets[i]);
    }
    for (size_t i = 0; i < set->n; i++)
        vec_push(&trace->spans, ((struct whole){INT64_MAX, INT64_MIN, true}));
    for (size_t i = 0; i < set->n; i++)
        vec_push(&trace->by_file, ((struct judged){.span.whole = true}));
    find_shifts(trace);
    begin_bounds(trace);
}

/* The names of the files, as one text. */
static char *names_of(const struct trace_set *set) {
    size_t n = 1, at = 0;
    for (size_t i = 0; i < set->n; i++)
        n += strlen(set->names[i]) + 2;
    char *text = err_malloc(n);
    for (size_t i = 0; i < set->n; i++)
        at += (size_t)snprintf(text + at, n - at, "%s%s", i ? ", " : "", set->names[i]);
    return text;
}

struct trace *trace_open_set(const struct trace_set *set, const struct trace_options *options,
                             size_t *failed, struct err *err) {
    struct file_options how = options->file;
    how.grows = options->follow;
    for (size_t i = 0; i < set->n && options->follow; i++)
        file_await(set->paths[i]);
    struct file *file = file_open_set(set->paths, set->n, &how, failed, err);
    if (file == NULL)
        return NULL;
    share_key(options);
    struct trace *trace = err_calloc(1, sizeof *trace);
    trace->path = names_of(set);
    trace->shown = err_copy(trace->path, strlen(trace->path));
    trace->options = *options;
    trace->file = file;
    for (size_t i = 0; i < set->n; i++)
        vec_push(&trace->aligned, (struct align_part){0});
    trace->set = set;
    if (!find_cached(trace) &&
        !align_files(file, set->how, set->reference, trace->aligned.v, failed, err)) {
        file_close(file);
        free(trace->path);
        free(trace->shown);
        vec_free(&trace->aligned);
        free(trace);
        return NULL;
    }
    begin_set(trace);
    return trace;
}

/* Reads the parts, whose alignments are known. */
static void begin_set(struct trace *trace) {
    const struct trace_set *set = trace->set;
    place_parts(trace, set);
    trace_tell_unread(trace, set->unread, set->nunread);
    if (take_cached(trace))
        return;
    ingest_start(trace);
    trace->state = TRACE_LOADING;
}

size_t trace_files(const struct trace *trace) {
    return trace->set ? trace->set->n : 1;
}

const char *trace_file_name(const struct trace *trace, size_t file) {
    return trace->set->names[file];
}

const char *trace_file_path(const struct trace *trace, size_t file) {
    return trace->set->paths[file];
}

const char *trace_joins(const struct trace *trace, bool *all) {
    *all = trace->set->joins_all;
    return trace->set->joins_category;
}

uint64_t trace_shift(const struct trace *trace, size_t file) {
    return trace->shifts.v[file];
}

const char *const *trace_file_paths(const struct trace *trace) {
    return trace->set->paths;
}

uint16_t trace_file_world(const struct trace *trace, size_t file) {
    return trace->worlds.parts[file].world;
}

const struct trace_unread *trace_unread(const struct trace *trace, size_t *n) {
    *n = trace->nunread;
    return trace->unread;
}

void trace_tell_unread(struct trace *trace, const struct trace_unread *unread, size_t n) {
    trace->unread = unread;
    trace->nunread = n;
}

uint32_t trace_hosts(const struct trace *trace) {
    return trace->set ? trace->worlds.count : 1;
}

size_t trace_host_name(const struct trace *trace, uint16_t world, char *buf, size_t size) {
    size_t n = 0;
    buf[0] = '\0';
    for (size_t i = 0; i < trace_files(trace) && n + 1 < size; i++)
        if (trace_file_world(trace, i) == world) {
            int more =
                snprintf(buf + n, size - n, "%s%s", n > 0 ? " + " : "", trace_file_name(trace, i));
            n += more > 0 ? (size_t)more : 0;
        }
    return n < size ? n : size - 1;
}

size_t trace_reference(const struct trace *trace) {
    return trace->set->reference;
}

uint64_t trace_file_events(const struct trace *trace, size_t file) {
    uint64_t events = 0;
    for (size_t i = 0; i < trace->worlds.n; i++)
        if (trace->worlds.parts[i].file == file)
            events += reader_part_events(trace->reader, i);
    return events;
}

bool trace_file_span(const struct trace *trace, size_t file, int64_t *from, int64_t *to) {
    *from = trace->spans.v[file].from;
    *to = trace->spans.v[file].to;
    return *from <= *to;
}

void trace_file_part(const struct trace *trace, size_t file, struct file_part *part) {
    file_part(trace->file, file, part);
}

const char *trace_aligned_text(const struct trace *trace, size_t file, bool ascii,
                               char buf[TRACE_ALIGNED_TEXT]) {
    const struct align_part *part = &trace->aligned.v[file];
    const char *how = align_text(part->method);
    int64_t from, to, zero, last;
    char away[32];
    if (part->method == ALIGN_REFERENCE || !trace_file_span(trace, file, &from, &to) ||
        !trace_file_span(trace, trace->set->reference, &zero, &last))
        return how;
    bool before = from < zero;
    int64_t ns = before ? units_since(from, zero) : units_since(zero, from);
    snprintf(buf, TRACE_ALIGNED_TEXT, "%s%s %s", before ? "-" : "+",
             units_duration(ns, ascii, away), how);
    return buf;
}

size_t trace_record_file(const struct trace *trace, uint64_t offset) {
    return trace->worlds.n > 0 ? world_file_at(&trace->worlds, offset) : 0;
}

int64_t trace_move(const struct trace *trace, size_t file) {
    uint64_t zero = reader_archived(trace->reader, file).zero,
             of = reader_archived(trace->reader, trace->set->reference).zero;
    return (int64_t)((uint64_t)trace->aligned.v[file].move + zero - of);
}

const struct align_part *trace_aligned(const struct trace *trace, size_t file) {
    return &trace->aligned.v[file];
}

struct trace *trace_open_beside(struct trace *trace, const char *path, struct err *err) {
    struct trace_options options = trace->options;
    struct stat st = {0};
    options.follow = false;
    /* it might block */
    if (strcmp(path, "-") == 0 || (stat(path, &st) == 0 && !S_ISREG(st.st_mode))) {
        err_set(err, ERR_NO_OFFSET, "is %s",
                S_ISDIR(st.st_mode) ? "a directory" : "no regular file");
        return NULL;
    }
    trace_remains_wait(&trace->remains);
    return trace_open(path, &options, err);
}

static void ignore_record(void *ctx, const struct item *item) {
    (void)ctx;
    (void)item;
}

/* Opens the files of a set again; they keep their places and moves. */
static struct file *open_again(struct trace *trace, struct err *err) {
    size_t failed;
    if (trace->set == NULL || trace->archived) {
        struct file *file = file_open(trace->path, &trace->options.file, err);
        if (file == NULL || trace->archived == NULL || archived_again(trace->archived, file, err))
            return file;
        file_close(file);
        return NULL;
    }
    struct file_options how = trace->options.file;
    how.grows = file_follows(trace->file);
    return file_open_set(trace->set->paths, trace->set->n, &how, &failed, err);
}

/* The slots of the parts of another file. */
static void place_again(struct trace *trace) {
    trace->worlds.n = trace->aligned.n;
    for (size_t i = 0; i < trace->aligned.n; i++) {
        struct file_part part;
        file_part(trace->file, i, &part);
        trace->worlds.parts[i].begin = part.begin;
    }
}

/* Begins to read the file again. */
static void start_again(struct trace *trace) {
    ingest_start(trace);
    trace->state = TRACE_LOADING;
    trace->unflushed = trace->flushing = false;
    trace->generation++;
    trace->reloads++;
    trace->version++;
}

bool trace_reload(struct trace *trace, struct err *err) {
    static const struct sink ignore = {NULL, NULL, NULL, ignore_record, reader_ignore_problem,
                                       NULL};
    trace_remains_wait(&trace->remains);
    struct file *file = open_again(trace, err);
    if (file == NULL)
        return false;
    struct reader *probe = reader_new(file, &ignore);
    bool good = first_words(probe, file, err);
    reader_free(probe);
    if (!good) {
        file_close(file);
        return false;
    }
    if (file_follows(trace->file))
        file_follow(file, true);
    tasks_cancel(&trace->tasks);
    ingest_clear(trace, true);
    if (trace_cache_damaged(trace))
        cache_remove(trace->cache);
    leave_cached(trace);
    trace_remains_close(&trace->remains, trace->file);
    ingest_profile_free(trace);
    trace->file = file;
    if (trace->set)
        place_again(trace);
    start_again(trace);
    return true;
}

bool trace_file_named(const struct trace *trace, struct str name, size_t *file, struct err *err) {
    char list[160] = "";
    size_t number = 0, n = 0;
    for (size_t i = 0; i < trace_files(trace) && trace->set; i++) {
        if (str_eq(str_of(trace->set->names[i]), name)) {
            *file = i;
            return true;
        }
        if (n + 1 < sizeof list)
            n += (size_t)snprintf(list + n, sizeof list - n, "%s%s", i ? ", " : "",
                                  trace->set->names[i]);
    }
    for (size_t i = 0; i < name.n && number < 1000; i++)
        number =
            name.s[i] >= '0' && name.s[i] <= '9' ? number * 10 + (size_t)(name.s[i] - '0') : 1000;
    if (trace->set && number > 0 && number <= trace_files(trace)) {
        *file = number - 1;
        return true;
    }
    return err_set(err, ERR_NO_OFFSET, "no trace '%.*s': there are %s",
                   (int)(name.n < 40 ? name.n : 40), name.s, trace->set ? list : "no others");
}

int64_t trace_offset(const struct trace *trace, size_t file) {
    return trace->offsets.v[file];
}

bool trace_set_offset(struct trace *trace, size_t file, int64_t ns, struct err *err) {
    if (file == trace->set->reference)
        return err_set(err, ERR_NO_OFFSET, "%s is the reference, which does not move",
                       trace->set->names[file]);
    if (ns > ALIGN_MOST || ns < -ALIGN_MOST)
        return err_set(err, ERR_NO_OFFSET, "an offset is at most 73 years");
    int64_t before = trace->aligned.v[file].move;
    trace->aligned.v[file].move += ns - trace->offsets.v[file];
    /* words of samples have times that were moved */
    if (trace->profiles.n > 0 && !trace_reload(trace, err)) {
        trace->aligned.v[file].move = before;
        return false;
    }
    trace->offsets.v[file] = ns;
    find_shifts(trace);
    tasks_cancel(&trace->tasks);
    ingest_clear(trace, true);
    leave_cached(trace);
    start_again(trace);
    return true;
}

bool trace_set_worlds(struct trace *trace, const uint16_t *worlds, struct err *err) {
    /* the reader has copies, and so has what is derived */
    if (trace->profiles.n > 0 && !trace_reload(trace, err))
        return false;
    tasks_cancel(&trace->tasks);
    ingest_clear(trace, true);
    leave_cached(trace);
    trace->worlds.count = 0;
    for (size_t i = 0; i < trace->set->n; i++) {
        trace->worlds.parts[i].world = worlds[i];
        if (worlds[i] >= trace->worlds.count)
            trace->worlds.count = worlds[i] + 1u;
    }
    begin_bounds(trace);
    start_again(trace);
    return true;
}

/* Puts the files on one clock again: when they were opened, one had no event yet. */
void trace_align_late(struct trace *trace) {
    size_t n = trace->aligned.n, failed;
    struct align_part *parts = err_calloc(n, sizeof *parts);
    struct err err;
    bool moved = false, found = align_files(trace->file, trace->set->how, trace->set->reference,
                                            parts, &failed, &err);
    for (size_t i = 0; i < n; i++) {
        struct align_part *part = &trace->aligned.v[i];
        bool timed = parts[i].timed || trace_file_events(trace, i) > 0; /* asks for it once */
        parts[i].move += trace->offsets.v[i];
        moved = moved || (found && parts[i].move != part->move);
        *part = found ? parts[i] : *part;
        part->timed = timed;
    }
    free(parts);
    if (!moved)
        return;
    find_shifts(trace);
    tasks_cancel(&trace->tasks);
    ingest_clear(trace, true);
    start_again(trace);
}

bool trace_is_late(const struct trace *trace) {
    bool late = false;
    for (size_t i = 0; i < trace->aligned.n && !late && file_follows(trace->file); i++)
        late = !trace->aligned.v[i].timed && trace_file_events(trace, i) > 0;
    return late;
}

bool trace_reference_zero(const struct trace *trace, struct wide *zero) {
    uint64_t shift = trace->shifts.v[trace->set->reference];
    if (trace->events == 0 && trace->state != TRACE_COMPLETE)
        return false;
    *zero = wide_sub(reader_base(trace->reader), (struct wide){0, shift});
    return true;
}

bool trace_follow(struct trace *trace, bool on, struct err *err) {
    if (trace->archived)
        return err_set(err, ERR_NO_OFFSET, "an archive of several traces cannot be followed");
    if (!file_follow(trace->file, on))
        return err_set(err, ERR_NO_OFFSET, "a pipe or a compressed file cannot be followed");
    if (trace->released && !on)
        return true;
    if (trace->released || trace->profiles.n > 0 || file_must_reopen(trace->file))
        return trace_reload(trace, err);
    if (!reader_resume(trace->reader)) /* it may have ended before the last flush is done */
        return trace_reload(trace, err);
    trace->state = TRACE_LOADING; /* the next step decides */
    return true;
}

bool trace_follows(const struct trace *trace) {
    return file_follows(trace->file);
}

struct tasks *trace_tasks(struct trace *trace) {
    return &trace->tasks;
}

uint32_t trace_reloads(const struct trace *trace) {
    return trace->reloads;
}

void trace_free(struct trace *trace) {
    if (trace == NULL)
        return;
    tasks_cancel(&trace->tasks);
    ingest_clear(trace, false);
    ingest_profile_free(trace);
    row_tracks_free(&trace->row_tracks);
    vec_free(&trace->processes);
    cache_close(trace->cache);
    file_close(trace->file);
    archived_free(trace->archived);
    free(trace->worlds.parts);
    vec_free(&trace->shifts);
    vec_free(&trace->aligned);
    vec_free(&trace->offsets);
    vec_free(&trace->spans);
    vec_free(&trace->by_file);
    vec_free(&trace->bounds);
    vec_free(&trace->origins);
    free(trace->path);
    free(trace->shown);
    free(trace);
}

void trace_free_beside(struct trace *trace, struct trace *other) {
    if (other)
        trace_remains_free(&trace->remains, other);
}

enum trace_state trace_state(const struct trace *trace) {
    return trace->state;
}

struct row_tracks *trace_row_tracks(struct trace *trace) {
    return &trace->row_tracks;
}

bool trace_unflushed(const struct trace *trace) {
    return trace->unflushed;
}

bool trace_flushing(const struct trace *trace) {
    return trace->flushing;
}

int trace_fd(const struct trace *trace) {
    return trace->state == TRACE_WAITING ? file_fd(trace->file) : -1;
}

uint64_t trace_version(const struct trace *trace) {
    return trace->version;
}

uint32_t trace_generation(const struct trace *trace) {
    return trace->generation;
}

const struct symbols_source *trace_symbols(const struct trace *trace) {
    return trace->options.symbols;
}

const char *trace_path(const struct trace *trace) {
    return trace->shown;
}

struct file *trace_file(const struct trace *trace) {
    return trace->file;
}

struct reader *trace_reader(const struct trace *trace) {
    return trace->reader;
}

uint64_t trace_events(const struct trace *trace) {
    return trace->events;
}

bool trace_has_events(const struct trace *trace) {
    return trace->events > 0;
}

uint64_t trace_kind_count(const struct trace *trace, enum fxt_kind kind) {
    return reader_kind_count(trace->reader, kind);
}

uint64_t trace_bytes(const struct trace *trace) {
    uint64_t n = names_bytes(reader_names(trace->reader)) + u64map_bytes(&trace->side_table);
    for (size_t i = 0; i < trace->threads.n; i++) {
        const struct thread *t = trace->threads.v[i];
        n += sizeof *t + t->buffer.cap * sizeof *t->buffer.v + t->buffer.chunks.bytes +
             nest_bytes(&t->nest) + t->instants.n * sizeof *t->instants.v;
    }
    const struct derived *d = &trace->derived;
    n += async_bytes(&d->async) + flows_bytes(&d->flows) + counters_bytes(&d->counters) +
         sched_bytes(&d->sched) + trace->blobs.v.n * sizeof(struct blob) +
         (d->lists.logs.v.n + d->lists.profile.v.n) * sizeof(struct occurrence);
    n += (trace->kernel.v.n + trace->user.v.n) * (sizeof(struct object) + 16);
    for (size_t i = 0; i < reader_provider_count(trace->reader); i++) {
        const struct provider *p = reader_provider(trace->reader, i);
        n += sizeof *p + (p->strings.n + p->threads.n) * sizeof(struct index_table_entry) +
             (uint64_t)(p->strings.npages + p->threads.npages) * 264;
    }
    return n;
}

size_t trace_thread_count(const struct trace *trace) {
    return trace->threads.n;
}

struct thread *trace_thread(const struct trace *trace, size_t number) {
    return trace->threads.v[number];
}

size_t trace_process_count(const struct trace *trace) {
    return trace->processes.n;
}

struct process *trace_process(const struct trace *trace, size_t i) {
    return trace->processes.v[i];
}

const struct async *trace_async(const struct trace *trace) {
    return &trace->derived.async;
}

const struct flows *trace_flows(const struct trace *trace) {
    return &trace->derived.flows;
}

const struct counters *trace_counters(const struct trace *trace) {
    return &trace->derived.counters;
}

const struct sched *trace_sched(const struct trace *trace) {
    return &trace->derived.sched;
}

const struct blobs *trace_blobs(const struct trace *trace) {
    return &trace->blobs;
}

static const struct occurrence *in_order(struct occurrences *list, size_t *n) {
    *n = time_log_list_ordered(&list->order, ingest_occurrences(list));
    return list->v.v;
}

const struct occurrence *trace_logs(struct trace *trace, size_t *n) {
    return in_order(&trace->derived.lists.logs, n);
}

size_t trace_log_count(const struct trace *trace) {
    return trace->derived.lists.logs.v.n;
}

const struct occurrence *trace_profile(struct trace *trace, size_t *n) {
    return in_order(&trace->derived.lists.profile, n);
}

const struct lost *trace_lost(const struct trace *trace, size_t *n) {
    *n = trace->lost.n;
    return trace->lost.v;
}

struct pid_query {
    const struct trace *trace;
    uint16_t world;
    uint64_t pid;
};

static bool same_pid(const void *ctx, uint32_t i) {
    const struct pid_query *q = ctx;
    const struct process *process = q->trace->processes.v[i];
    return process->pid == q->pid && process->world == q->world;
}

static uint64_t hash_of_pid(uint16_t world, uint64_t pid) {
    return hash_words(pid, 2 + (uint64_t)world);
}

uint32_t trace_pid_process(const struct trace *trace, uint16_t world, uint64_t pid) {
    return map_find(&trace->by_pid, hash_of_pid(world, pid), same_pid,
                    &(struct pid_query){trace, world, pid});
}

void trace_index_process(struct trace *trace, uint32_t i) {
    const struct process *process = trace->processes.v[i];
    map_add(&trace->by_pid, hash_of_pid(process->world, process->pid), i);
}

static uint64_t key_of_koid(uint16_t world, uint64_t koid) {
    return world == 0 ? u64map_key(koid) : hash_words(koid, world) >> 1;
}

static uint32_t first_of_koid(const struct trace *trace, uint16_t world, uint64_t koid) {
    uint64_t first = u64map_get(&trace->tids, key_of_koid(world, koid));
    const struct thread_id *id = first < trace->threads.n ? &trace->threads.v[first]->id : NULL;
    return id && id->tid == koid && id->world == world ? (uint32_t)first : NO_THREAD;
}

void trace_index_koid(struct trace *trace, const struct thread *t) {
    if (first_of_koid(trace, t->id.world, t->id.tid) == NO_THREAD)
        u64map_set(&trace->tids, key_of_koid(t->id.world, t->id.tid), t->number);
}

uint32_t trace_koid_thread(const struct trace *trace, uint16_t world, uint64_t koid) {
    uint64_t pid;
    if (objects_koid_process(&trace->kernel, world, FXT_OBJECT_THREAD, koid, &pid)) {
        struct thread_id known = {.pid = pid, .tid = koid, .form = THREAD_PAIR, .world = world};
        uint32_t other = threads_find(reader_threads(trace->reader), &known);
        if (other != NO_THREAD)
            return other;
    }
    uint32_t first = first_of_koid(trace, world, koid);
    if (first != NO_THREAD)
        return first;
    return threads_find(reader_threads(trace->reader),
                        &(struct thread_id){.tid = koid, .form = THREAD_TID, .world = world});
}

uint32_t trace_stands_for(const struct trace *trace, uint32_t number) {
    const struct thread_id *id = &trace->threads.v[number]->id;
    uint32_t full = id->form == THREAD_TID ? trace_koid_thread(trace, id->world, id->tid) : number;
    return full != NO_THREAD ? full : number;
}

bool trace_slice_at(const struct trace *trace, uint32_t thread, int64_t t, uint32_t *row,
                    uint32_t *i) {
    struct thread *of = trace->threads.v[thread];
    return nest_enclosing_find(&of->enclosing, &of->nest, &trace->slice_extra, t, row, i);
}

bool trace_find_slice(const struct thread *thread, int64_t t, uint64_t offset, uint32_t *row,
                      uint32_t *i) {
    return nest_find(&thread->nest, t, offset, row, i);
}

uint32_t trace_record_thread(struct trace *trace, const struct fxt_record *r, struct provider *p,
                             uint64_t offset) {
    if (r->thread.index == 0) {
        struct thread_id id = {
            .pid = r->thread.pid, .tid = r->thread.tid, .form = THREAD_PAIR, .world = p->world};
        return r->thread.no_tid ? NO_THREAD : threads_find(reader_threads(trace->reader), &id);
    }
    uint32_t v = index_table_at(&p->threads, r->thread.index, offset);
    if (v == 0)
        v = index_table_at(&reader_provider(trace->reader, p->shared)->threads, r->thread.index,
                           offset);
    struct thread_id id = {.index = r->thread.index,
                           .form = THREAD_UNDEFINED,
                           .world = p->world,
                           .provider = p->number};
    return v != 0 ? v - 1 : threads_find(reader_threads(trace->reader), &id);
}

uint32_t trace_thread_at(struct trace *trace, uint64_t offset) {
    struct fxt_record r;
    struct provider *p;
    return reader_record_at(trace->reader, offset, &r, &p)
               ? trace_record_thread(trace, &r, p, offset)
               : NO_THREAD;
}

void trace_rest(struct trace *trace) {
    trace_remains_take(&trace->remains, NULL, 0, false);
    worker_rest(trace->slice_extra.worker);
    discard_wait();
}

struct worker *trace_share(struct trace *trace) {
    reader_share_tables(trace->reader);
    for (size_t k = 0; k < trace->threads.n; k++)
        nest_enclosing_prepare(&trace->threads.v[k]->enclosing, &trace->threads.v[k]->nest,
                               &trace->slice_extra);
    return file_is_whole(trace->file) ? trace->slice_extra.worker : NULL;
}

struct worker *trace_share_slices(struct trace *trace) {
    if (trace->state != TRACE_COMPLETE || !file_is_whole(trace->file) || !thread_worthwhile())
        return NULL;
    reader_share_tables(trace->reader);
    return trace->slice_extra.worker;
}

const struct objects *trace_kernel_objects(const struct trace *trace) {
    return &trace->kernel;
}

const struct objects *trace_user_objects(const struct trace *trace) {
    return &trace->user;
}

const struct slice_extra *trace_slice_extra(const struct trace *trace) {
    return &trace->slice_extra;
}

bool trace_thread_hidden(const struct trace *trace, const struct thread *thread) {
    return thread->id.form == THREAD_TID &&
           first_of_koid(trace, thread->id.world, thread->id.tid) != NO_THREAD;
}

const struct instant *trace_instants(struct thread *thread, size_t *n) {
    *n = time_log_list_ordered(&thread->instants_order, ingest_instants(thread));
    return thread->instants.v;
}

struct str trace_name(const struct trace *trace, uint32_t id) {
    return names_str(reader_names(trace->reader), id);
}

uint32_t trace_packed_name(struct trace *trace, uint64_t packed) {
    uint32_t name = event_name(packed);
    return name < EVENT_NAME_MAX ? name : ingest_name_at(trace, event_offset(packed));
}

struct str trace_slice_name(struct trace *trace, const struct slice *slice) {
    return trace_name(trace, trace_packed_name(trace, slice->begin_word));
}

struct str trace_thread_name(const struct trace *trace, const struct thread *thread, char buf[40],
                             bool *named) {
    uint32_t name;
    const struct thread_id *id = &thread->id;
    struct object_owner owner = {id->tid, FXT_OBJECT_THREAD, id->form == THREAD_PAIR, id->pid,
                                 id->world};
    int n;
    *named = false;
    if (id->form == THREAD_UNDEFINED) {
        n = snprintf(buf, 40, "<thread %u>", id->index);
    } else if (objects_names(&trace->kernel, owner, &name, 1)) {
        *named = true;
        return trace_name(trace, name);
    } else {
        n = snprintf(buf, 40, "thread %" PRIu64, id->tid);
    }
    return (struct str){buf, (size_t)n};
}

bool trace_has_sort_index(const struct trace *trace) {
    return trace->kernel.sorted;
}

int32_t trace_thread_sort_index(const struct trace *trace, const struct thread *thread) {
    const struct thread_id *id = &thread->id;
    return objects_sort_index(&trace->kernel, (struct object_owner){id->tid, FXT_OBJECT_THREAD,
                                                                    true, id->pid, id->world});
}

int32_t trace_process_sort_index(const struct trace *trace, const struct process *process) {
    return objects_sort_index(
        &trace->kernel,
        (struct object_owner){process->pid, FXT_OBJECT_PROCESS, false, 0, process->world});
}

struct str trace_process_name(const struct trace *trace, const struct process *process,
                              char buf[40], bool *named) {
    uint32_t name;
    if (objects_names(
            &trace->kernel,
            (struct object_owner){process->pid, FXT_OBJECT_PROCESS, false, 0, process->world},
            &name, 1)) {
        *named = true;
        return trace_name(trace, name);
    }
    *named = false;
    int n = snprintf(buf, 40, "process %" PRIu64, process->pid);
    return (struct str){buf, (size_t)n};
}
