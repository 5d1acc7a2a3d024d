/* samples.c - compares each stack with the one before it on its row, that of a thread and an event.
 *
 * A begin is written for each frame that the stack before lacks, an end for each that it has alone,
 * then the instant. Ends wait for the next sample, because a gap before it moves them. */
#include "src/import/profiles/samples.h"

#include <inttypes.h>
#include <stdio.h>

#include "src/base/map.h"
#include "src/fxt/sampled.h"

#define HELD 256          /* samples of an event whose period is not known */
#define PERIOD_LEAST 1000 /* ns */
#define NAME_MOST 16000   /* bytes: a begin with a name and two texts fits a record */
#define TEXT_MOST 8000
#define REGISTERED_MOST 1024 /* a longer text is inline */
#define ROW_NAME 400

enum { NAME, SOURCE_FILE, DSO, TEXTS };

struct text {
    struct str s; /* owned */
    bool known;   /* how it is written: the first time decides */
    struct writer_string written;
};

struct frame {
    uint32_t texts[TEXTS];
};

enum kind { A_SAMPLE, GOES_OFF, COMES_ON };

struct held {
    struct samples_sample sample;
    size_t first; /* of its frames */
    uint32_t row;
    enum kind kind;
};

struct event {
    uint32_t name;
    uint64_t period; /* ns; 0: not known yet */
    VEC(struct held) held;
    VEC(struct samples_frame) frames; /* of these */
    VEC(uint64_t) intervals;          /* between these */
    size_t samples;                   /* of these */
};

struct row {
    uint32_t thread, event;
    uint64_t tid;          /* of the row; not the thread's for a second event */
    uint32_t named;        /* a text: the thread's name when the row was named */
    bool on;               /* it has a sample, and its thread has not left its CPU since */
    bool waits;            /* the last one that was added is blocked, and the thread not on since */
    bool blocked;          /* the same of the last one that was written */
    uint64_t latest, last; /* times of the last one that was added, and that was written */
    VEC(uint32_t) open;    /* frames */
    struct import_place source;
};

struct thread {
    uint64_t pid, tid;
    VEC(uint32_t) on; /* rows that are */
};

struct samples {
    struct samples_out out;
    struct map by_text, by_frame, by_row, by_thread, by_event;
    VEC(struct text) texts;
    VEC(struct frame) frames;
    VEC(struct row) rows;
    VEC(struct thread) threads;
    VEC(struct event) events;
    VEC(struct samples_frame) cut; /* a stack that was too deep */
    uint32_t recent[TEXTS];        /* texts of the latest frame */
    uint32_t category, sample, dso, file, line, weight, cpu, blocked;
};

/* ---- tables ---- */

struct wanted {
    const struct samples *s;
    const void *key;
};

static bool same_text(const void *ctx, uint32_t i) {
    const struct wanted *w = ctx;
    return str_eq(w->s->texts.v[i].s, *(const struct str *)w->key);
}

static uint32_t intern(struct samples *s, struct str text) {
    struct wanted wanted = {s, &text};
    uint32_t i = map_intern(&s->by_text, hash_bytes(text.s, text.n), same_text, &wanted,
                            (uint32_t)s->texts.n);
    if (i == s->texts.n) {
        char *copy = err_malloc(text.n + 1);
        if (text.n > 0)
            memcpy(copy, text.s, text.n);
        vec_push(&s->texts, ((struct text){.s = {copy, text.n}}));
    }
    return i;
}

struct wanted_frame {
    struct str name;
    uint32_t file, dso;
};

static bool same_frame(const void *ctx, uint32_t i) {
    const struct wanted *w = ctx;
    const struct wanted_frame *key = w->key;
    const struct frame *frame = &w->s->frames.v[i];
    return frame->texts[SOURCE_FILE] == key->file && frame->texts[DSO] == key->dso &&
           str_eq(w->s->texts.v[frame->texts[NAME]].s, key->name);
}

/* A text that is mostly the one of the frame before. */
static uint32_t recent(struct samples *s, int which, struct str text) {
    if (!str_eq(s->texts.v[s->recent[which]].s, text))
        s->recent[which] = intern(s, text);
    return s->recent[which];
}

static bool same_event(const void *ctx, uint32_t i) {
    const struct wanted *w = ctx;
    return w->s->events.v[i].name == *(const uint32_t *)w->key;
}

static bool same_thread(const void *ctx, uint32_t i) {
    const struct wanted *w = ctx;
    const struct thread *t = &w->s->threads.v[i], *key = w->key;
    return t->pid == key->pid && t->tid == key->tid;
}

static bool same_row(const void *ctx, uint32_t i) {
    const struct wanted *w = ctx;
    const struct row *row = &w->s->rows.v[i], *key = w->key;
    return row->thread == key->thread && row->event == key->event;
}

static void too_long(struct samples *s, const struct import_place *source, struct str *text,
                     size_t most) {
    char said[80];
    if (text->n <= most)
        return;
    snprintf(said, sizeof said, "a frame with a text of more than %zu bytes: cut", most);
    s->out.fault(s->out.ctx, IMPORT_CUT, source, said);
    text->n = most;
}

uint32_t samples_frame(struct samples *s, const struct import_place *source, struct str name,
                       struct str file, struct str dso) {
    too_long(s, source, &name, NAME_MOST);
    too_long(s, source, &file, TEXT_MOST);
    too_long(s, source, &dso, TEXT_MOST);
    struct wanted_frame key = {name, recent(s, SOURCE_FILE, file), recent(s, DSO, dso)};
    struct wanted wanted = {s, &key};
    uint64_t hash = hash_words(hash_bytes(name.s, name.n), (uint64_t)key.file << 32 | key.dso);
    uint32_t i = map_intern(&s->by_frame, hash, same_frame, &wanted, (uint32_t)s->frames.n);
    if (i == s->frames.n) {
        struct frame frame = {{intern(s, name), key.file, key.dso}};
        vec_push(&s->frames, frame);
    }
    return i;
}

struct str samples_name(const struct samples *s, uint32_t frame) {
    return s->texts.v[s->frames.v[frame].texts[NAME]].s;
}

uint32_t samples_event(struct samples *s, struct str name) {
    too_long(s, &(struct import_place){0}, &name, TEXT_MOST);
    uint32_t text = intern(s, name);
    struct wanted wanted = {s, &text};
    uint32_t i =
        map_intern(&s->by_event, hash_words(text, 0), same_event, &wanted, (uint32_t)s->events.n);
    if (i == s->events.n)
        vec_push(&s->events, ((struct event){.name = text}));
    return i;
}

static uint32_t thread_of(struct samples *s, uint64_t pid, uint64_t tid, bool add) {
    struct thread thread = {.pid = pid, .tid = tid};
    struct wanted wanted = {s, &thread};
    uint64_t hash = hash_words(pid, tid);
    uint32_t i = map_find(&s->by_thread, hash, same_thread, &wanted);
    if (i == MAP_NONE && add) {
        i = (uint32_t)s->threads.n;
        map_add(&s->by_thread, hash, i);
        vec_push(&s->threads, thread);
    }
    return i;
}

static uint32_t row_of(struct samples *s, const struct samples_sample *sample) {
    struct row row = {.thread = thread_of(s, sample->pid, sample->tid, true),
                      .event = sample->event,
                      .tid = sample->tid,
                      .named = UINT32_MAX};
    struct wanted wanted = {s, &row};
    uint32_t i = map_intern(&s->by_row, hash_words(row.thread, row.event), same_row, &wanted,
                            (uint32_t)s->rows.n);
    if (i == s->rows.n) {
        if (row.event > 0)
            row.tid = (*s->out.made_tid)++;
        vec_push(&s->rows, row);
    }
    return i;
}

/* ---- records ---- */

static struct writer_string written(struct samples *s, uint32_t text) {
    struct text *t = &s->texts.v[text];
    if (!t->known)
        t->written = t->s.n > REGISTERED_MOST ? writer_inline(t->s) : writer_intern(s->out.w, t->s);
    t->known = true;
    return t->written;
}

static struct writer_event event_of(struct samples *s, const struct row *row, uint64_t ts) {
    return (struct writer_event){
        .ts = ts,
        .thread = writer_intern_thread(s->out.w, s->threads.v[row->thread].pid, row->tid)};
}

/* The row of a second event has the name of its thread, whatever that is now. */
static void name_row(struct samples *s, uint32_t i, const struct samples_sample *sample) {
    char name[ROW_NAME], number[32];
    struct row *row = &s->rows.v[i];
    if (row->event == 0)
        return;
    uint32_t named = intern(s, sample->thread);
    if (row->named == named)
        return;
    row->named = named;
    struct str thread = sample->thread, event = s->texts.v[s->events.v[row->event].name].s;
    if (thread.n == 0)
        thread = (struct str){
            number, (size_t)snprintf(number, sizeof number, "thread %" PRIu64, sample->tid)};
    int n = snprintf(name, sizeof name, "%.*s (%.*s)", str_head(thread, 200), thread.s,
                     str_head(event, 180), event.s);
    const struct writer_argument ids[] = {
        writer_number(FXT_ARG_KOID, writer_intern(s->out.w, STR("process")),
                      s->threads.v[row->thread].pid),
        writer_number(FXT_ARG_KOID, writer_intern(s->out.w, SAMPLED_THREAD), sample->tid)};
    s->out.mark(s->out.ctx, &sample->source);
    writer_kernel_object(s->out.w, FXT_OBJECT_THREAD, row->tid,
                         writer_intern(s->out.w, (struct str){name, (size_t)n}),
                         (struct writer_arguments){ids, 2});
}

static void end_frames(struct samples *s, struct row *row, uint64_t ts, size_t keep) {
    struct writer_event e = event_of(s, row, ts);
    while (row->open.n > keep) {
        writer_end(s->out.w, &e);
        row->open.n--;
    }
}

static void begin_frame(struct samples *s, const struct row *row, uint64_t ts,
                        struct samples_frame one) {
    struct writer_argument args[3];
    struct frame frame = s->frames.v[one.id];
    struct writer_event e = event_of(s, row, ts);
    e.category = written(s, s->category);
    e.name = written(s, frame.texts[NAME]);
    e.args.v = args;
    if (s->texts.v[frame.texts[DSO]].s.n > 0)
        args[e.args.n++] = writer_text(written(s, s->dso), written(s, frame.texts[DSO]));
    if (s->texts.v[frame.texts[SOURCE_FILE]].s.n > 0)
        args[e.args.n++] = writer_text(written(s, s->file), written(s, frame.texts[SOURCE_FILE]));
    if (one.line > 0)
        args[e.args.n++] = writer_number(FXT_ARG_UINT32, written(s, s->line), one.line);
    writer_begin(s->out.w, &e);
}

static void write_instant(struct samples *s, const struct row *row,
                          const struct samples_sample *sample) {
    struct writer_argument args[3];
    struct writer_event e = event_of(s, row, sample->ts);
    e.category = written(s, s->category);
    e.name = written(s, sample->blocked ? s->blocked : s->sample);
    e.args.v = args;
    if (sample->weight != 1)
        args[e.args.n++] = writer_number(FXT_ARG_UINT64, written(s, s->weight), sample->weight);
    if (sample->cpu >= 0 && sample->cpu <= UINT32_MAX)
        args[e.args.n++] = writer_number(FXT_ARG_UINT32, written(s, s->cpu), (uint32_t)sample->cpu);
    writer_instant(s->out.w, &e);
}

/* ---- stacks ---- */

static uint64_t sum(uint64_t ts, uint64_t ns) {
    return ns < INT64_MAX - ts ? ts + ns : INT64_MAX;
}

/* The end of the slices of a row if nothing is known of it from its last sample to `ts`. */
static uint64_t end_before(const struct samples *s, const struct row *row, uint64_t ts) {
    uint64_t period = s->events.v[row->event].period;
    bool gap = !row->blocked && period < INT64_MAX / 4 && ts - row->last > 2 * period + period / 2;
    return gap ? row->last + period : ts;
}

static void leave(struct samples *s, struct row *row, uint64_t ts,
                  const struct import_place *source) {
    if (row->open.n == 0)
        return;
    s->out.mark(s->out.ctx, source);
    end_frames(s, row, end_before(s, row, ts), 0);
}

/* The row's thread runs again: its stack is as it was. */
static void resume(struct row *row, uint64_t ts) {
    if (row->blocked)
        row->last = ts;
    row->blocked = false;
}

static void write_sample(struct samples *s, uint32_t i, const struct samples_sample *sample,
                         const struct samples_frame *frames) {
    struct row *row = &s->rows.v[i];
    size_t alike = 0;
    if (end_before(s, row, sample->ts) < sample->ts)
        leave(s, row, sample->ts, &sample->source);
    while (alike < row->open.n && alike < sample->n && row->open.v[alike] == frames[alike].id)
        alike++;
    name_row(s, i, sample);
    s->out.mark(s->out.ctx, &sample->source);
    end_frames(s, row, sample->ts, alike);
    for (; alike < sample->n; alike++) {
        begin_frame(s, row, sample->ts, frames[alike]);
        vec_push(&row->open, frames[alike].id);
    }
    write_instant(s, row, sample);
    row->last = sample->ts;
    row->blocked = sample->blocked;
    row->source = sample->source;
}

/* ---- samples without a period are held back ---- */

static int by_number(const void *a, const void *b) {
    uint64_t x = *(const uint64_t *)a, y = *(const uint64_t *)b;
    return (x > y) - (x < y);
}

/* The period is the median interval of those that are held. */
static void decide(struct samples *s, uint32_t number) {
    struct event *event = &s->events.v[number];
    uint64_t median = 0;
    if (event->intervals.n > 0) {
        qsort(event->intervals.v, event->intervals.n, sizeof *event->intervals.v, by_number);
        median = event->intervals.v[(event->intervals.n - 1) / 2];
    }
    event->period = median > PERIOD_LEAST ? median : PERIOD_LEAST;
    for (size_t i = 0; i < event->held.n; i++) {
        const struct held *held = &event->held.v[i];
        if (held->kind == GOES_OFF)
            leave(s, &s->rows.v[held->row], held->sample.ts, &held->sample.source);
        else if (held->kind == COMES_ON)
            resume(&s->rows.v[held->row], held->sample.ts);
        else
            write_sample(s, held->row, &held->sample, event->frames.v + held->first);
    }
    vec_free(&event->held);
    vec_free(&event->frames);
    vec_free(&event->intervals);
}

static void hold(struct samples *s, uint32_t row, const struct samples_sample *sample,
                 enum kind kind) {
    struct event *event = &s->events.v[sample->event];
    struct held held = {*sample, event->frames.n, row, kind};
    uint32_t thread = intern(s, sample->thread);
    held.sample.thread = s->texts.v[thread].s;
    held.sample.frames = NULL;
    vec_reserve(&event->frames, event->frames.n + sample->n + 1); /* so that it is there */
    for (size_t i = 0; i < sample->n; i++)
        vec_push(&event->frames, sample->frames[i]);
    vec_push(&event->held, held);
    event->samples += kind == A_SAMPLE;
    if (event->samples == HELD)
        decide(s, sample->event);
}

void samples_period(struct samples *s, uint32_t event, uint64_t ns) {
    struct event *e = &s->events.v[event];
    if (e->period > 0 || ns == 0)
        return;
    e->period = ns;
}

/* ---- the importer's calls ---- */

/* The outermost frames of a stack that is too deep, and one with the number of the others. */
static void cut_stack(struct samples *s, struct samples_sample *sample) {
    char said[80];
    if (sample->n <= SAMPLES_DEEP)
        return;
    size_t keep = SAMPLES_DEEP - 1;
    int n = snprintf(said, sizeof said, "(%zu frames left out)", sample->n - keep);
    struct str none = {"", 0}, name = {said, (size_t)n};
    s->cut.n = 0;
    for (size_t i = 0; i < keep; i++)
        vec_push(&s->cut, sample->frames[i]);
    vec_push(&s->cut,
             ((struct samples_frame){samples_frame(s, &sample->source, name, none, none), 0}));
    n = snprintf(said, sizeof said, "a stack of %zu frames: the innermost are left out", sample->n);
    s->out.fault(s->out.ctx, IMPORT_CUT, &sample->source, said);
    sample->frames = s->cut.v;
    sample->n = s->cut.n;
}

void samples_add(struct samples *s, const struct samples_sample *given) {
    struct samples_sample sample = *given;
    uint32_t i = row_of(s, &sample);
    struct row *row = &s->rows.v[i];
    struct event *event = &s->events.v[sample.event];
    if (sample.ts < row->latest) {
        s->out.fault(s->out.ctx, IMPORT_FIELD, &sample.source,
                     "a sample earlier than the one before it of its thread: at that time");
        sample.ts = row->latest;
    }
    cut_stack(s, &sample);
    if (row->on && !row->waits && event->period == 0)
        vec_push(&event->intervals, sample.ts - row->latest);
    if (!row->on)
        vec_push(&s->threads.v[row->thread].on, i);
    row->on = true;
    row->waits = sample.blocked;
    row->latest = sample.ts;
    if (event->period == 0)
        hold(s, i, &sample, A_SAMPLE);
    else
        write_sample(s, i, &sample, sample.frames);
}

/* The thread of a row leaves its CPU, or is on it again. */
static void turn(struct samples *s, uint32_t i, uint64_t ts, const struct import_place *source,
                 enum kind kind) {
    struct row *row = &s->rows.v[i];
    struct samples_sample moment = {
        .ts = ts > row->latest ? ts : row->latest, .event = row->event, .source = *source};
    row->latest = moment.ts;
    if (s->events.v[row->event].period == 0)
        hold(s, i, &moment, kind);
    else if (kind == GOES_OFF)
        leave(s, row, moment.ts, source);
    else
        resume(row, moment.ts);
}

void samples_off(struct samples *s, uint64_t ts, uint64_t pid, uint64_t tid,
                 const struct import_place *source) {
    uint32_t t = thread_of(s, pid, tid, false);
    size_t stay = 0;
    if (t == MAP_NONE)
        return;
    for (size_t i = 0; i < s->threads.v[t].on.n; i++) {
        uint32_t row = s->threads.v[t].on.v[i];
        s->rows.v[row].on = s->rows.v[row].waits;
        if (s->rows.v[row].waits)
            s->threads.v[t].on.v[stay++] = row;
        else
            turn(s, row, ts, source, GOES_OFF);
    }
    s->threads.v[t].on.n = stay;
}

void samples_on(struct samples *s, uint64_t ts, uint64_t pid, uint64_t tid,
                const struct import_place *source) {
    uint32_t t = thread_of(s, pid, tid, false);
    for (size_t i = 0; t != MAP_NONE && i < s->threads.v[t].on.n; i++) {
        uint32_t row = s->threads.v[t].on.v[i];
        if (!s->rows.v[row].waits)
            continue;
        s->rows.v[row].waits = false;
        turn(s, row, ts, source, COMES_ON);
    }
}

void samples_end(struct samples *s, uint64_t ts) {
    for (uint32_t i = 0; i < s->events.n; i++)
        if (s->events.v[i].period == 0)
            decide(s, i);
    for (size_t i = 0; i < s->rows.n; i++) {
        struct row *row = &s->rows.v[i];
        uint64_t period = s->events.v[row->event].period;
        uint64_t end = ts > row->last ? ts : sum(row->last, period);
        leave(s, row, end, &row->source);
    }
}

struct samples *samples_new(struct samples_out out) {
    struct samples *s = err_calloc(1, sizeof *s);
    s->out = out;
    s->category = intern(s, SAMPLED_CATEGORY);
    s->sample = intern(s, SAMPLED_INSTANT);
    s->dso = intern(s, STR("dso"));
    s->file = intern(s, STR("file"));
    s->line = intern(s, STR("line"));
    s->weight = intern(s, STR("weight"));
    s->cpu = intern(s, STR("cpu"));
    s->blocked = intern(s, STR("blocked"));
    return s;
}

void samples_free(struct samples *s) {
    for (size_t i = 0; i < s->texts.n; i++)
        free((char *)s->texts.v[i].s.s);
    for (size_t i = 0; i < s->rows.n; i++)
        vec_free(&s->rows.v[i].open);
    for (size_t i = 0; i < s->threads.n; i++)
        vec_free(&s->threads.v[i].on);
    for (size_t i = 0; i < s->events.n; i++) {
        vec_free(&s->events.v[i].held);
        vec_free(&s->events.v[i].frames);
        vec_free(&s->events.v[i].intervals);
    }
    vec_free(&s->texts);
    vec_free(&s->frames);
    vec_free(&s->rows);
    vec_free(&s->threads);
    vec_free(&s->events);
    vec_free(&s->cut);
    map_free(&s->by_text);
    map_free(&s->by_frame);
    map_free(&s->by_row);
    map_free(&s->by_thread);
    map_free(&s->by_event);
    free(s);
}
