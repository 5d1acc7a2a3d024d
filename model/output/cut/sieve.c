/* sieve.c - one pass of a reader, whose sink lists the offsets of records to keep.
 *
 * Then their words are copied in the order of the file. A slice is kept if it overlaps the range,
 * or if a point of a flow may be inside of it. The first record of each thread is kept, because
 * threads have an order. So is any with the first or the last time, for the span of the whole. */
#include "model/output/cut/sieve.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "model/trace/trace_problems.h"
#include "src/base/hash.h"
#include "src/base/u64map.h"
#include "src/base/vec.h"

#define NO_TIME INT64_MIN
#define OPEN INT64_MAX /* the end of a slice is not known yet */
#define STEP (UINT64_C(64) << 20)

#define NO_OFFSET UINT64_MAX

struct open {
    uint64_t offset, end_offset; /* NO_OFFSET: it has no record of its end, or not yet */
    int64_t start, end;          /* OPEN, or known: a point at that time may be inside, too */
    uint32_t name;
    bool kept;    /* its record is listed; its end has to be, too */
    bool touched; /* a point of a flow may be inside */
};

struct sieved {
    VEC(struct open) open; /* nested, but for complete events after their children */
    int64_t point;         /* the last one of a flow; NO_TIME: none */
    int64_t last;          /* the last begin or end */
    bool seen;
};

struct last { /* the last record of a series before the range */
    int64_t time;
    uint64_t offset;
};

struct sieve {
    struct trace *trace;
    struct reader *reader;
    int64_t from, to, first, last; /* the range; of all times */
    VEC(struct sieved) threads;
    struct u64map keys; /* places in `lasts` */
    VEC(struct last) lasts;
    VEC(uint64_t) kept; /* offsets */
    uint32_t known;     /* threads so far */
    bool unsure;        /* the order of the file is not that of times */
};

static void keep(struct sieve *s, uint64_t offset) {
    vec_push(&s->kept, offset);
}

static struct sieved *thread_of(struct sieve *s, uint32_t thread) {
    static const struct sieved none = {.point = NO_TIME, .last = NO_TIME};
    size_t place = thread == NO_THREAD ? 0 : (size_t)thread + 1;
    while (s->threads.n <= place)
        vec_push(&s->threads, none);
    return &s->threads.v[place];
}

/* Whether one of the times that bound the trace is in it. */
static bool is_edge(const struct sieve *s, int64_t start, int64_t end) {
    return start <= s->first || end >= s->last;
}

static bool is_wanted(const struct sieve *s, int64_t start, int64_t end) {
    return (end >= s->from && start <= s->to) || is_edge(s, start, end);
}

/* ---- slices ---- */

/* Takes the innermost slice from the open ones. */
static void close_top(struct sieve *s, struct sieved *t, bool wanted) {
    struct open top = t->open.v[--t->open.n];
    if (t->open.n > 0 && top.touched)
        t->open.v[t->open.n - 1].touched = true;
    wanted = wanted || top.touched || top.kept;
    if (wanted && !top.kept)
        keep(s, top.offset);
    if (wanted && top.end_offset != NO_OFFSET)
        keep(s, top.end_offset);
}

/* Begins and ends of a thread are in the order of their times. */
static void take_time(struct sieve *s, struct sieved *t, int64_t time) {
    s->unsure = s->unsure || time < t->last;
    t->last = time;
}

/* Leaves out records that ended before the range. */
static void pass(struct sieve *s, struct sieved *t, int64_t now) {
    while (t->open.n > 0 && t->open.v[t->open.n - 1].end < now)
        close_top(s, t, false);
}

static void end_slice(struct sieve *s, struct sieved *t, const struct item *item) {
    take_time(s, t, item->time);
    pass(s, t, item->time);
    while (t->open.n > 0 && t->open.v[t->open.n - 1].end != OPEN)
        close_top(s, t, true); /* it ends at the same time, or crosses the one that ends */
    struct open *top = t->open.n > 0 ? &t->open.v[t->open.n - 1] : NULL;
    if (top == NULL || item->name != top->name) {
        s->unsure = true; /* whose end it is depends on what was lost */
        return;
    }
    top->end_offset = item->offset;
    top->end = item->time;
    if (is_wanted(s, top->start, item->time) || top->kept || top->touched)
        close_top(s, t, true);
}

static void take_complete(struct sieve *s, struct sieved *t, const struct item *item, bool first) {
    pass(s, t, item->time);
    if (first || is_wanted(s, item->time, item->end) || t->point >= item->time) {
        keep(s, item->offset);
        return;
    }
    vec_push(&t->open, ((struct open){.offset = item->offset,
                                      .end_offset = NO_OFFSET,
                                      .start = item->time,
                                      .end = item->end}));
}

/* ---- the last value before the range ---- */

/* Keeps the last record of a series before the range. */
static void take_counter(struct sieve *s, const struct item *item) {
    uint64_t key = hash_words(hash_words(item->thread, item->name), item->record->id);
    struct fxt_arguments args = item->record->args;
    struct fxt_argument_value value;
    while (record_argument(&args, &value) > 0)
        key = hash_words(key, reader_name_now(s->reader, &value.name));
    uint64_t place = u64map_get(&s->keys, u64map_key(key));
    if (place == UINT64_MAX) {
        u64map_set(&s->keys, u64map_key(key), s->lasts.n);
        vec_push(&s->lasts, ((struct last){item->time, item->offset}));
    } else if (item->time >= s->lasts.v[place].time) {
        s->lasts.v[place] = (struct last){item->time, item->offset};
    }
}

/* ---- the sink ---- */

static void take_point(struct sieve *s, struct sieved *t, const struct item *item) {
    pass(s, t, item->time);
    t->point = item->time > t->point ? item->time : t->point;
    for (size_t i = t->open.n; i-- > 0 && !t->open.v[i].touched;)
        t->open.v[i].touched = true;
    keep(s, item->offset);
}

static void take(void *ctx, const struct item *item) {
    struct sieve *s = ctx;
    if (!item->is_event) {
        keep(s, item->offset);
        return;
    }
    struct sieved *t = thread_of(s, item->thread);
    uint32_t threads = threads_count(reader_threads(s->reader));
    bool first = !t->seen || threads > s->known; /* threads keep their order */
    s->known = threads;
    t->seen = true;
    switch (item->record->kind) {
    case FXT_K_DURATION_BEGIN:
        take_time(s, t, item->time);
        pass(s, t, item->time);
        vec_push(&t->open, ((struct open){.offset = item->offset,
                                          .end_offset = NO_OFFSET,
                                          .start = item->time,
                                          .end = OPEN,
                                          .name = item->name,
                                          .kept = first,
                                          .touched = t->point >= item->time}));
        if (first)
            keep(s, item->offset);
        return;
    case FXT_K_DURATION_END:
        end_slice(s, t, item);
        return;
    case FXT_K_DURATION_COMPLETE:
        take_complete(s, t, item, first);
        return;
    case FXT_K_FLOW_BEGIN:
    case FXT_K_FLOW_STEP:
    case FXT_K_FLOW_END:
        take_point(s, t, item);
        return;
    case FXT_K_INSTANT:
    case FXT_K_COUNTER:
    case FXT_K_LOG:
        break;
    default:
        keep(s, item->offset);
        return;
    }
    if (first || is_wanted(s, item->time, item->time))
        keep(s, item->offset);
    else if (item->record->kind == FXT_K_COUNTER && item->time < s->from)
        take_counter(s, item);
}

/* Closes slices at the end of the file. */
static void finish(struct sieve *s) {
    for (size_t i = 0; i < s->threads.n; i++) {
        struct sieved *t = &s->threads.v[i];
        while (t->open.n > 0) {
            const struct open *top = &t->open.v[t->open.n - 1];
            bool open = top->end == OPEN;
            close_top(s, t, open && top->start <= s->to);
        }
        vec_free(&t->open);
    }
    for (size_t i = 0; i < s->lasts.n; i++)
        keep(s, s->lasts.v[i].offset);
}

static int by_number(const void *a, const void *b) {
    uint64_t x = *(const uint64_t *)a, y = *(const uint64_t *)b;
    return x < y ? -1 : x > y;
}

/* ---- copying ---- */

struct copy {
    int fd;
    size_t n;
    unsigned char v[1 << 16];
};

static bool flush(struct copy *c, struct err *err) {
    for (size_t done = 0; done < c->n;) {
        ssize_t n = write(c->fd, c->v + done, c->n - done);
        if (n < 0 && errno == EINTR)
            continue;
        if (n <= 0)
            return err_errno(err, "the temporary file could not be written: ", errno);
        done += (size_t)n;
    }
    c->n = 0;
    return true;
}

static bool copy_bytes(struct copy *c, struct file *file, uint64_t at, uint64_t end,
                       struct err *err) {
    while (at < end) {
        size_t there;
        const unsigned char *from = file_span(file, at, 8, &there);
        size_t n = there < end - at ? there : (size_t)(end - at);
        n = n < sizeof c->v - c->n ? n : sizeof c->v - c->n;
        if (from == NULL)
            return err_set(err, ERR_NO_OFFSET, "its end cannot be read");
        memcpy(c->v + c->n, from, n);
        c->n += n;
        at += n;
        if (c->n == sizeof c->v && !flush(c, err))
            return false;
    }
    return true;
}

static bool copy_kept(struct sieve *s, int fd, struct err *err) {
    struct copy *c = err_calloc(1, sizeof *c);
    struct reader_frame frame;
    bool good = true;
    c->fd = fd;
    for (size_t i = 0; i < s->kept.n && good; i++)
        if ((i == 0 || s->kept.v[i] != s->kept.v[i - 1]) &&
            reader_frame_at(s->reader, s->kept.v[i], &frame) && frame.kind == FRAME_RECORD)
            good = copy_bytes(c, trace_file(s->trace), s->kept.v[i], s->kept.v[i] + frame.size * 8,
                              err);
    good = good && flush(c, err);
    free(c);
    return good;
}

bool sieve_may(struct trace *trace) {
    size_t losses;
    trace_lost(trace, &losses);
    for (int kind = 0; kind < PROBLEM_KINDS; kind++)
        if (trace_problems(trace)->kinds[kind].count > 0 && !problem_is_note(kind))
            return false;
    /* slices are made of samples */
    for (int kind = FXT_K_MODULE; kind <= FXT_K_BACKTRACE; kind++)
        if (trace_kind_count(trace, (enum fxt_kind)kind) > 0)
            return false;
    return losses == 0 && !reader_ends_by_name(trace_reader(trace), 0) &&
           trace_far_times(trace) == 0 && trace_unset_times(trace) == 0 &&
           trace_damaged_times(trace) == 0;
}

bool sieve_write(struct trace *trace, const struct range *range, int fd, bool *sure,
                 struct err *err) {
    struct sieve s = {.trace = trace,
                      .from = range->from,
                      .to = range->to,
                      .first = trace_origin(trace),
                      .last = trace_last(trace)};
    struct sink sink = {.ctx = &s, .record = take, .problem = reader_ignore_problem};
    s.reader = reader_again(trace_reader(trace), &sink);
    reader_set_base(s.reader, reader_base(trace_reader(trace)));
    while (!s.unsure && reader_step(s.reader, STEP) == READER_MORE)
        file_passed(trace_file(trace), reader_offset(s.reader));
    finish(&s);
    if (s.kept.n > 1)
        qsort(s.kept.v, s.kept.n, sizeof *s.kept.v, by_number);
    *sure = !s.unsure;
    bool good = s.unsure || copy_kept(&s, fd, err);
    reader_free(s.reader);
    u64map_free(&s.keys);
    vec_free(&s.lasts);
    vec_free(&s.threads);
    vec_free(&s.kept);
    return good;
}
