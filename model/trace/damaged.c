/* damaged.c - the second look at a file with far times: its records in file order, by writer, and
 * by thread and by CPU.
 *
 * A second reader gives all records from the begin. Only the records of one writer are in order: of
 * one provider, up to the next archive. For each thread and each CPU of these, look_at() keeps the
 * last time that was not doubted. Far times since then that agree with no neighbour wait for the
 * next record. If that agrees with the last time, they are contradicted, unless a later record of
 * any writer reaches them. In a part, marked records are damaged and no others: only the times
 * before and after them are sought. */
#include "model/trace/damaged.h"

#include <stdlib.h>

#include "src/base/lower_bound.h"
#include "src/base/u64map.h"

#define BUFFER 512 /* durations */
/* The writer sorts by begin if more than one of so many complete events is written before those
 * inside of it. Then the order of ends proves nothing. */
#define INSIDE_OF 100
#define STEP (UINT64_C(64) << 10) /* bytes of which the records are put in order together */
#define AT_A_GLANCE 4096          /* records at most */
#define ARCHIVE UINT32_MAX        /* the track of a magic word */

struct seen { /* a record, by the time at which it was written */
    uint64_t offset;
    int64_t begin, written;
    uint32_t track;    /* even: thread track / 2; odd: CPU track / 2 */
    uint32_t provider; /* its number */
    bool begins;       /* a duration begin: a far early one is usual */
    bool complete;
};

struct far_record { /* a record with a far time */
    uint64_t offset;
    int64_t time;
    uint32_t track;
    uint32_t line; /* of the archive */
    bool contradicted;
    int64_t from, to; /* the times that are not doubted before and after it */
};

/* The records of a thread or a CPU that one provider wrote to an archive so far. */
struct line {
    int64_t sound; /* the last time that is not doubted */
    bool any;      /* there is one */
    VEC(struct far_record) doubted;
    int64_t last_begin, last_end; /* of the last complete event that is not far */
    /* those, and how many of them are inside of the one written before */
    uint64_t completes, inside;
};

struct latest { /* the line of the latest record of a track: mostly the next one is of it, too */
    uint32_t provider, line;
    uint64_t archive;
};

/* The reader gives each of these in file order, and one after the other. */
enum source {
    FROM_DURATIONS,
    FROM_INSTANTS,
    FROM_COUNTERS,
    FROM_ASYNC,
    FROM_FLOWS,
    FROM_SCHED,
    FROM_LOGS,
    FROM_RECORDS,
    SOURCES
};

struct second_look {
    struct reader *reader;
    const struct bulk_stretch *bulk;
    const struct damaged *marks; /* whose marks alone decide, in a part; or NULL */
    struct duration_buffer buffer;
    struct duration durations[BUFFER];
    uint32_t threads[BUFFER];
    struct sightings {
        VEC(struct seen) v; /* of this step, in file order */
        size_t at;          /* the next one to be looked at */
    } seen[SOURCES];
    VEC(struct line) lines;    /* of this archive */
    struct u64map line_of;     /* by provider and track */
    VEC(struct latest) latest; /* by track */
    VEC(struct far_record) far;
    size_t archive_far; /* of these, the first of this archive */
    uint64_t archive;
};

/* ---- the sink ---- */

static void add_seen(struct second_look *look, enum source source, struct seen seen) {
    if (seen.written > look->bulk->unset_to || seen.track == ARCHIVE)
        vec_push(&look->seen[source].v, seen);
}

static void drain(struct second_look *look) {
    uint32_t *thread = look->threads;
    uint32_t provider = look->buffer.provider ? look->buffer.provider->number : 0;
    for (const struct duration *d = look->durations; d < look->buffer.next; d++)
        add_seen(look, FROM_DURATIONS,
                 (struct seen){.offset = event_offset(d->packed),
                               .begin = d->time,
                               .written = d->dur >= 0
                                              ? (int64_t)((uint64_t)d->time + (uint64_t)d->dur)
                                              : d->time,
                               .track = *thread++ * 2,
                               .provider = provider,
                               .begins = d->dur == DURATION_BEGINS,
                               .complete = d->dur >= 0});
    look->buffer.next = look->durations;
    look->buffer.thread = look->threads;
}

static struct duration_buffer *take_buffer(void *ctx, uint32_t thread,
                                           const struct provider *provider) {
    struct second_look *look = ctx;
    (void)thread;
    if (look->buffer.next == look->buffer.end || look->buffer.provider != provider)
        drain(look);
    look->buffer.provider = provider;
    return &look->buffer;
}

static bool is_sched(enum fxt_kind kind) {
    return kind >= FXT_K_SWITCH_LEGACY && kind <= FXT_K_WAKEUP;
}

static enum source source_of(enum fxt_kind kind) {
    if (kind == FXT_K_INSTANT)
        return FROM_INSTANTS;
    if (kind == FXT_K_COUNTER)
        return FROM_COUNTERS;
    if (plain_is_async(kind))
        return FROM_ASYNC;
    if (plain_is_flow(kind))
        return FROM_FLOWS;
    return is_sched(kind) ? FROM_SCHED : FROM_LOGS;
}

static void take_events(void *ctx, const struct plain_event *events, size_t n,
                        const struct provider *provider) {
    struct second_look *look = ctx;
    enum source source = source_of((enum fxt_kind)events->kind);
    for (const struct plain_event *e = events; e < events + n; e++) {
        uint32_t track = source == FROM_SCHED ? (uint32_t)(e->id >> 11) * 2 + 1 : e->thread * 2;
        add_seen(look, source,
                 (struct seen){.offset = e->offset,
                               .begin = e->time,
                               .written = e->time,
                               .track = track,
                               .provider = provider->number});
    }
}

static void take_record(void *ctx, const struct item *item) {
    struct second_look *look = ctx;
    enum fxt_kind kind = item->record->kind;
    if (kind == FXT_K_MAGIC)
        add_seen(look, FROM_RECORDS, (struct seen){.offset = item->offset, .track = ARCHIVE});
    if (!item->is_event || (item->thread == NO_THREAD && !is_sched(kind)))
        return;
    bool complete = kind == FXT_K_DURATION_COMPLETE;
    add_seen(
        look, FROM_RECORDS,
        (struct seen){.offset = item->offset,
                      .begin = item->time,
                      .written = complete ? item->end : item->time,
                      .track = is_sched(kind) ? item->record->sched.cpu * 2u + 1 : item->thread * 2,
                      .provider = item->provider->number,
                      .begins = kind == FXT_K_DURATION_BEGIN,
                      .complete = complete});
}

/* ---- the order of a line ---- */

/* Decides about the records that wait: they are contradicted, or part of a stretch of their own.
 * next: the time after them. */
static void settle(struct second_look *look, struct line *line, bool contradicted, int64_t next) {
    for (size_t i = 0; i < line->doubted.n; i++) {
        struct far_record *record = &line->doubted.v[i];
        record->contradicted = contradicted;
        record->from = next < line->sound ? next : line->sound;
        record->to = next < line->sound ? line->sound : next;
        vec_push(&look->far, *record);
    }
    line->doubted.n = 0;
}

static void count_inside(struct line *line, const struct seen *s) {
    if (!s->complete)
        return;
    line->inside +=
        line->completes > 0 && s->begin >= line->last_begin && s->written < line->last_end;
    line->completes++;
    line->last_begin = s->begin;
    line->last_end = s->written;
}

static uint32_t new_line(struct second_look *look, const struct seen *s) {
    uint64_t key = u64map_key((uint64_t)s->provider << 32 | s->track);
    uint64_t line = u64map_get(&look->line_of, key);
    if (line == UINT64_MAX) {
        line = look->lines.n;
        u64map_set(&look->line_of, key, line);
        vec_push(&look->lines, ((struct line){0}));
    }
    while (look->latest.n <= s->track)
        vec_push(&look->latest, ((struct latest){.provider = UINT32_MAX}));
    look->latest.v[s->track] = (struct latest){s->provider, (uint32_t)line, look->archive};
    return (uint32_t)line;
}

static inline uint32_t line_of(struct second_look *look, const struct seen *s) {
    const struct latest *l = s->track < look->latest.n ? &look->latest.v[s->track] : NULL;
    return l && l->provider == s->provider && l->archive == look->archive ? l->line
                                                                          : new_line(look, s);
}

/* In a part: only the place of a marked record is sought. */
static void look_at_part(struct second_look *look, const struct seen *s) {
    uint32_t number = line_of(look, s);
    struct line *line = &look->lines.v[number];
    struct far_record record = {
        .offset = s->offset, .time = s->written, .track = s->track, .line = number};
    if (damaged_is_marked(look->marks, s->offset)) {
        if (line->any)
            vec_push(&line->doubted, record);
        return;
    }
    settle(look, line, true, s->written);
    line->sound = s->written;
    line->any = true;
}

static void look_at(struct second_look *look, const struct seen *s) {
    const struct bulk_stretch *bulk = look->bulk;
    uint32_t number = line_of(look, s);
    struct line *line = &look->lines.v[number];
    bool far = bulk_is_far(bulk, s->written);
    struct far_record record = {
        .offset = s->offset, .time = s->written, .track = s->track, .line = number};
    if (far && s->begins && s->written < bulk->from)
        return;
    if (!far)
        count_inside(line, s);
    bool agrees = line->any && !bulk_apart(bulk, s->written, line->sound);
    bool joins = line->doubted.n > 0 &&
                 !bulk_apart(bulk, s->written, line->doubted.v[line->doubted.n - 1].time);
    if (line->any && !agrees && !joins && far) {
        vec_push(&line->doubted, record);
        return;
    }
    settle(look, line, agrees, s->written);
    if (far)
        vec_push(&look->far, record);
    line->sound = s->written;
    line->any = true;
}

/* The records that wait are the last of their lines. No far time of a writer that sorts by begin is
 * contradicted. */
static void end_archive(struct second_look *look) {
    for (size_t i = 0; i < look->lines.n; i++)
        settle(look, &look->lines.v[i], false, look->lines.v[i].sound);
    for (; look->archive_far < look->far.n; look->archive_far++) {
        struct far_record *f = &look->far.v[look->archive_far];
        const struct line *line = &look->lines.v[f->line];
        f->contradicted = f->contradicted && line->inside <= line->completes / INSIDE_OF;
    }
    for (size_t i = 0; i < look->lines.n; i++)
        vec_free(&look->lines.v[i].doubted);
    look->lines.n = 0;
    look->archive++;
    u64map_free(&look->line_of);
}

/* The source of the first record in the file that was not looked at; SOURCES: there is none. */
static enum source next_source(const struct second_look *look) {
    enum source next = SOURCES;
    uint64_t first = UINT64_MAX;
    for (enum source k = 0; k < SOURCES; k++) {
        const struct sightings *s = &look->seen[k];
        if (s->at < s->v.n && s->v.v[s->at].offset < first) {
            next = k;
            first = s->v.v[s->at].offset;
        }
    }
    return next;
}

/* Takes the records of a step in file order. */
static void look_at_all(struct second_look *look) {
    drain(look);
    for (enum source k = next_source(look); k != SOURCES; k = next_source(look)) {
        const struct seen *seen = &look->seen[k].v.v[look->seen[k].at++];
        if (seen->track == ARCHIVE)
            end_archive(look);
        else if (look->marks)
            look_at_part(look, seen);
        else
            look_at(look, seen);
    }
    for (enum source k = 0; k < SOURCES; k++)
        look->seen[k].v.n = look->seen[k].at = 0;
}

/* ---- the verdict ---- */

static int by_track(const void *a, const void *b) {
    const struct far_record *x = a, *y = b;
    if (x->track != y->track)
        return x->track < y->track ? -1 : 1;
    return (x->offset > y->offset) - (x->offset < y->offset);
}

static int by_place(const void *a, const void *b) {
    const struct damaged_time *x = a, *y = b;
    return (x->offset > y->offset) - (x->offset < y->offset);
}

/* Keeps the contradicted times that no later record of their thread or CPU reaches. */
static void conclude(struct second_look *look, struct damaged *damaged) {
    int64_t latest = INT64_MIN, earliest = INT64_MAX;
    end_archive(look);
    if (look->far.n > 1)
        qsort(look->far.v, look->far.n, sizeof *look->far.v, by_track);
    damaged->v.n = 0;
    for (size_t i = look->far.n; i-- > 0;) {
        const struct far_record *f = &look->far.v[i];
        if (i + 1 == look->far.n || f[1].track != f->track) {
            latest = INT64_MIN;
            earliest = INT64_MAX;
        }
        bool late = f->time > look->bulk->to,
             reached = late ? f->time <= latest : f->time >= earliest;
        if (f->contradicted && (look->marks || !reached)) {
            vec_push(&damaged->v, ((struct damaged_time){f->offset, f->time, f->from, f->to}));
        } else {
            latest = f->time > latest ? f->time : latest;
            earliest = f->time < earliest ? f->time : earliest;
        }
    }
    if (damaged->v.n > 1)
        qsort(damaged->v.v, damaged->v.n, sizeof *damaged->v.v, by_place);
}

/* ---- a glance ---- */

bool damaged_written_at(struct reader *reader, uint64_t offset, int64_t *time) {
    struct fxt_record r;
    struct provider *p;
    if (!reader_record_at(reader, offset, &r, &p) || (r.faults & FXT_FAULT_NO_EVENT))
        return false;
    if (!(r.kind >= FXT_K_INSTANT && r.kind <= FXT_K_FLOW_END) && !is_sched(r.kind) &&
        r.kind != FXT_K_LOG)
        return false;
    bool ends = r.kind == FXT_K_DURATION_COMPLETE && r.end > r.ts && !record_unended(&r);
    uint64_t ticks = ends ? r.end : r.ts;
    *time = wide_diff(reader_ns_at(reader, p, offset, ticks), reader_base(reader), INT64_MAX);
    return true;
}

/* Whether all events in [from, to) of a part of the file are late, or all are early. Bytes
 * that are no word are its last ones. */
static bool all_far(struct reader *reader, const struct bulk_stretch *bulk, uint64_t from,
                    uint64_t to, bool late) {
    struct reader_frame frame;
    int64_t t;
    for (int n = 0; from < to && reader_frame_at(reader, from, &frame) && frame.kind != FRAME_BYTES;
         from += frame.bytes)
        if (++n > AT_A_GLANCE ||
            (frame.kind == FRAME_RECORD && damaged_written_at(reader, from, &t) &&
             (late ? t <= bulk->to : t >= bulk->from)))
            return false;
    return true;
}

bool damaged_can_be(struct reader *reader, size_t part, const struct bulk_stretch *bulk) {
    const struct bulk *all = reader_bulk(reader, part);
    uint64_t begin = reader_part_begin(reader, part), end = begin + reader_part_bytes(reader, part),
             first_late = end, last_early = begin;
    for (size_t i = 0; i < all->cases.n; i++) {
        const struct bulk_case *c = &all->cases.v[i];
        int64_t written;
        if (bulk_is_far(bulk, c->time) && c->time > bulk->to)
            first_late = c->offset < first_late ? c->offset : first_late;
        else if (bulk_is_far(bulk, c->time) && damaged_written_at(reader, c->offset, &written) &&
                 written < bulk->from)
            last_early = c->offset > last_early ? c->offset : last_early;
    }
    if (all->zero_ends.n > 0 && bulk->unset == 0) /* they are no cases */
        return true;
    return !all_far(reader, bulk, first_late, end, true) ||
           !all_far(reader, bulk, begin, last_early, false);
}

/* ---- the interface ---- */

static bool is_of(const struct worlds *worlds, size_t part, size_t file) {
    return worlds->n == 0 || worlds->parts[part].file == file;
}

static struct second_look *begin_look(const struct reader *reader, const struct worlds *worlds,
                                      size_t file, const struct damaged *marks,
                                      const struct bulk_stretch *bulk) {
    struct second_look *look = err_calloc(1, sizeof *look);
    const struct sink sink = {look,        take_buffer,           take_events,
                              take_record, reader_ignore_problem, NULL};
    look->bulk = bulk;
    look->marks = marks;
    look->buffer =
        (struct duration_buffer){look->durations, look->durations + BUFFER, look->threads, NULL};
    look->reader = reader_again(reader, &sink);
    for (size_t i = 0; i < worlds->n; i++)
        if (!is_of(worlds, i, file))
            reader_pass_over(look->reader, i);
    return look;
}

static void end_look(struct damaged *damaged) {
    struct second_look *look = damaged->look;
    if (look == NULL)
        return;
    for (size_t i = 0; i < look->lines.n; i++)
        vec_free(&look->lines.v[i].doubted);
    vec_free(&look->lines);
    u64map_free(&look->line_of);
    vec_free(&look->latest);
    for (enum source k = 0; k < SOURCES; k++)
        vec_free(&look->seen[k].v);
    vec_free(&look->far);
    reader_free(look->reader);
    free(look);
    damaged->look = NULL;
}

void damaged_add(struct damaged *damaged, uint64_t offset) {
    vec_push(&damaged->marked, ((struct damaged_time){.offset = offset}));
    vec_push(&damaged->v, ((struct damaged_time){.offset = offset}));
}

/* Adds those that are marked and that the look did not find; `v` is by offset before and after. */
static void add_marked(struct damaged *damaged, struct reader *reader) {
    size_t found = damaged->v.n;
    for (size_t i = 0; i < damaged->marked.n; i++) {
        struct damaged_time *mark = &damaged->marked.v[i];
        size_t at = 0;
        lower_bound(at, found, k, damaged->v.v[k].offset < mark->offset);
        if ((at < found && damaged->v.v[at].offset == mark->offset) ||
            !damaged_written_at(reader, mark->offset, &mark->time))
            continue;
        vec_push(&damaged->v, *mark);
    }
    if (damaged->v.n > found)
        qsort(damaged->v.v, damaged->v.n, sizeof *damaged->v.v, by_place);
}

void damaged_take_marked(struct damaged *damaged, struct reader *reader) {
    damaged->v.n = 0;
    add_marked(damaged, reader);
}

void damaged_join(struct damaged *damaged, const struct damaged *more) {
    for (size_t i = 0; i < more->v.n; i++)
        vec_push(&damaged->v, more->v.v[i]);
    for (size_t i = 0; i < more->marked.n; i++)
        vec_push(&damaged->marked, more->marked.v[i]);
    if (more->v.n > 0 && damaged->v.n > 1)
        qsort(damaged->v.v, damaged->v.n, sizeof *damaged->v.v, by_place);
    if (more->marked.n > 0 && damaged->marked.n > 1)
        qsort(damaged->marked.v, damaged->marked.n, sizeof *damaged->marked.v, by_place);
}

bool damaged_is_marked(const struct damaged *damaged, uint64_t offset) {
    size_t i = 0;
    lower_bound(i, damaged->marked.n, k, damaged->marked.v[k].offset < offset);
    return i < damaged->marked.n && damaged->marked.v[i].offset == offset;
}

uint64_t damaged_far(const struct damaged *damaged, const struct bulk_stretch *bulk) {
    uint64_t n = 0;
    for (size_t i = 0; i < damaged->v.n; i++)
        n += bulk_is_far(bulk, damaged->v.v[i].time);
    return n;
}

void damaged_stop(struct damaged *damaged) {
    end_look(damaged);
}

void damaged_free(struct damaged *damaged) {
    end_look(damaged);
    vec_free(&damaged->v);
    vec_free(&damaged->marked);
    vec_free(&damaged->slices);
    vec_free(&damaged->names);
    vec_free(&damaged->runs);
    vec_free(&damaged->states);
    damaged->looked_at = damaged->hops = 0;
}

/* The bytes of a file that were read. */
static uint64_t bytes_of(const struct reader *reader, const struct worlds *worlds, size_t file) {
    uint64_t bytes = 0;
    for (size_t i = 0; i < worlds->n; i++)
        bytes += is_of(worlds, i, file) ? reader_part_bytes(reader, i) : 0;
    return worlds->n == 0 ? reader_offset(reader) : bytes;
}

bool damaged_look(struct damaged *damaged, const struct reader *reader, const struct worlds *worlds,
                  size_t file, bool marks, const struct bulk_stretch *bulk, uint64_t bytes) {
    uint64_t end = bytes_of(reader, worlds, file);
    if (damaged->look == NULL)
        damaged->look = begin_look(reader, worlds, file, marks ? damaged : NULL, bulk);
    struct second_look *look = damaged->look;
    enum reader_state state = READER_MORE;
    for (uint64_t done = 0;
         state == READER_MORE && done < bytes && reader_offset(look->reader) < end; done += STEP) {
        state = reader_step(look->reader, STEP);
        look_at_all(look);
    }
    if (state == READER_MORE && reader_offset(look->reader) < end)
        return false;
    conclude(look, damaged);
    add_marked(damaged, look->reader);
    end_look(damaged);
    return true;
}

bool damaged_has(const struct damaged *damaged, uint64_t offset) {
    size_t i = 0;
    lower_bound(i, damaged->v.n, k, damaged->v.v[k].offset < offset);
    return i < damaged->v.n && damaged->v.v[i].offset == offset;
}

bool damaged_has_time(const struct damaged *damaged, uint64_t offset, int64_t time) {
    size_t i = 0;
    lower_bound(i, damaged->v.n, k, damaged->v.v[k].offset < offset);
    while (i < damaged->v.n && damaged->v.v[i].offset == offset && damaged->v.v[i].time != time)
        i++;
    return i < damaged->v.n && damaged->v.v[i].offset == offset;
}

static int by_lane(const void *a, const void *b) {
    const struct damaged_slice *x = a, *y = b;
    if (x->lane != y->lane)
        return x->lane < y->lane ? -1 : 1;
    return (x->i > y->i) - (x->i < y->i);
}

size_t damaged_sort(struct damaged_slice *v, size_t n) {
    size_t kept = n < 2 ? n : 1;
    if (n > 1)
        qsort(v, n, sizeof *v, by_lane);
    for (size_t i = 1; i < n; i++)
        if (by_lane(&v[kept - 1], &v[i]) != 0)
            v[kept++] = v[i];
    return kept;
}

uint32_t damaged_next(const struct damaged_slice *v, size_t n, const struct lane *lane,
                      uint32_t i) {
    size_t at = 0;
    lower_bound(at, n, k, v[k].lane < lane || (v[k].lane == lane && v[k].i < i));
    return at < n && v[at].lane == lane ? v[at].i : UINT32_MAX;
}
