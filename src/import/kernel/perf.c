/* perf.c - turns the output of perf script into samples, and events of the kernel into what they
 * mean.
 *
 * The frames of a stack are on the lines after their event, the innermost first. So each event
 * waits for the next one, or for an empty line. */
#include "src/import/kernel/perf.h"

#include <inttypes.h>
#include <stdio.h>

#include "src/import/chrome/event_write.h"
#include "src/import/json/json_read.h"
#include "src/import/kernel/kernel_text.h"
#include "src/import/kernel/perf_line.h"
#include "src/import/profiles/samples.h"

#define NO_PROCESSES "threads are of no process: perf script -F +pid prints it"
#define NO_TIMES "no times: each sample is shown as a nanosecond: perf script -F +time prints them"
#define OTHER_FIELDS "fields that mean nothing here: registers, branches, flags and others"
#define MADE_TID (SAMPLES_MADE_TID + 100000) /* after the rows of CPUs */
#define ROW_NAME 64                          /* bytes of a thread's name in that of its row */

enum waits { WAITS_NOT, WAITS_SAMPLE, WAITS_POINT };

struct place {
    uint64_t begin, number; /* of a line */
};

struct perf {
    struct import_lines lines;
    struct kernel_events kernel;
    struct samples *samples;
    uint64_t made_tid;
    struct u64map calls;       /* the row of the slices of a thread */
    uint64_t now;              /* time of the latest event */
    bool timed, untimed;       /* the first event has a time, or none */
    VEC(struct u64map) counts; /* untimed: of each sampling event, how many a thread has so far */
    enum waits waits;
    struct place at;                  /* of the event that waits */
    VEC(char) line;                   /* a copy of its line, if that is needed */
    struct samples_sample sample;     /* WAITS_SAMPLE */
    VEC(struct samples_frame) frames; /* the innermost first */
    VEC(char) last;                   /* the name and the dso of the latest frame */
    size_t last_name;                 /* bytes of the name */
    VEC(char) stack;                  /* the text of a stack */
};

/* ---- places ---- */

/* Records and faults are of the line of the event that waits. Returns the place to go back to. */
static struct place go_to(struct perf *p, struct place at) {
    struct place from = {p->lines.begin, p->lines.number};
    p->lines.begin = at.begin;
    p->lines.number = at.number;
    return from;
}

static struct place of(const struct import_place *source) {
    return (struct place){source->byte, source->line};
}

static struct import_place here(const struct perf *p) {
    return (struct import_place){p->lines.begin, p->lines.number, 0};
}

static void mark(void *ctx, const struct import_place *source) {
    struct perf *p = ctx;
    struct place from = go_to(p, of(source));
    import_lines_mark(&p->lines);
    go_to(p, from);
}

static void fault(void *ctx, enum import_fault kind, const struct import_place *source,
                  const char *sentence) {
    struct perf *p = ctx;
    struct place from = go_to(p, of(source));
    import_lines_fault(&p->lines, kind, p->lines.line.s, "%s", sentence);
    go_to(p, from);
}

/* ---- frames ---- */

static void append(struct perf *p, struct str s) {
    vec_reserve(&p->last, p->last.n + s.n + 1);
    if (s.n > 0)
        memcpy(p->last.v + p->last.n, s.s, s.n);
    p->last.n += s.n;
}

/* `[libc.so.6]` of a path. */
static void append_dso(struct perf *p, struct str dso) {
    size_t i = dso.n;
    while (i > 0 && dso.s[i - 1] != '/')
        i--;
    bool brackets = dso.s[0] != '[';
    if (brackets)
        append(p, STR("["));
    append(p, brackets ? (struct str){dso.s + i, dso.n - i} : dso);
    if (brackets)
        append(p, STR("]"));
}

/* The name of a frame: its symbol, its dso or its address. */
static void append_name(struct perf *p, const struct perf_frame *frame) {
    struct str address = frame->address;
    while (address.n > 1 && address.s[0] == '0') {
        address.s++;
        address.n--;
    }
    if (frame->symbol.n > 0) {
        append(p, frame->symbol);
    } else if (frame->dso.n > 0) {
        append_dso(p, frame->dso);
    } else {
        append(p, STR("0x"));
        append(p, address);
    }
}

static struct samples_frame latest_frame(struct perf *p, struct str file, uint32_t line) {
    struct import_place place = here(p);
    struct str name = {p->last.v, p->last_name},
               dso = {p->last.v + p->last_name, p->last.n - p->last_name};
    return (struct samples_frame){samples_frame(p->samples, &place, name, file, dso), line};
}

static void add_frame(struct perf *p, const struct perf_frame *frame) {
    p->last.n = 0;
    append_name(p, frame);
    p->last_name = p->last.n;
    append(p, frame->dso);
    vec_push(&p->frames, latest_frame(p, (struct str){"", 0}, 0));
}

/* A line below an event: a frame, or the place of the latest one. */
static void take_below(struct perf *p, struct str text) {
    struct perf_frame frame;
    struct str file;
    uint32_t line;
    if (perf_line_frame(text, &frame)) {
        add_frame(p, &frame);
    } else if (!perf_line_source(text, &file, &line)) {
        import_lines_note(&p->lines, OTHER_FIELDS);
    } else if (line > 0 && p->frames.n > 0) {
        p->frames.v[p->frames.n - 1] = latest_frame(p, file, line);
    }
}

/* ---- threads ---- */

static struct kernel_event event_of(struct perf *p, const struct perf_line *line) {
    struct str comm = line->comm;
    if (comm.n > 0 && comm.s[0] == ':') /* `:123` has no name */
        comm.n = 0;
    return (struct kernel_event){
        .ts = p->now,
        .cpu = line->cpu >= 0 && line->cpu < KERNEL_CPUS ? (unsigned)line->cpu : KERNEL_NO_CPU,
        .pid = line->has_pid ? line->pid : KERNEL_NO_PID,
        .tid = line->tid,
        .comm = comm,
        .category = STR("perf"),
        .at = p->lines.line.s};
}

/* The thread leaves its CPU. */
static void leaves(struct perf *p, uint64_t ts, uint64_t tid) {
    const struct kernel_thread *t = kernel_threads_get(&p->kernel.threads, tid);
    struct import_place place = here(p);
    samples_off(p->samples, ts, t->pid, t->tid, &place);
}

/* Slices of calls and marks would be between those of samples: they are on a row of their own. */
static void go_to_row(struct perf *p, struct kernel_event *e, char name[ROW_NAME + 16]) {
    uint64_t tid = u64map_get(&p->calls, u64map_key(e->tid));
    struct str comm = kernel_threads_text(&e->thread->comm);
    if (tid == UINT64_MAX) {
        tid = p->made_tid++;
        u64map_set(&p->calls, u64map_key(e->tid), tid);
    }
    int n = snprintf(name, ROW_NAME + 16, "%.*s (calls)", str_head(comm, ROW_NAME), comm.s);
    e->pid = e->thread->pid;
    e->tid = tid;
    e->comm = (struct str){name, (size_t)n};
    kernel_events_take(&p->kernel, e);
}

/* ---- events ---- */

/* The names of a stack, the outermost first: of those that are innermost, as many as fit. */
static struct str stack_of(struct perf *p) {
    size_t bytes = 0, fit = 0;
    p->stack.n = 0;
    for (; fit < p->frames.n; fit++) {
        bytes += samples_name(p->samples, p->frames.v[fit].id).n + 1;
        if (bytes > KERNEL_STACK_MOST)
            break;
    }
    while (fit-- > 0) {
        struct str name = samples_name(p->samples, p->frames.v[fit].id);
        vec_reserve(&p->stack, p->stack.n + name.n + 1);
        memcpy(p->stack.v + p->stack.n, name.s, name.n);
        p->stack.n += name.n;
        if (fit > 0)
            p->stack.v[p->stack.n++] = ';';
    }
    return (struct str){p->stack.v, p->stack.n};
}

static bool starts(struct str s, struct str with) {
    return s.n >= with.n && memcmp(s.s, with.s, with.n) == 0;
}

/* An event of the kernel by its name, or of a probe. */
static void write_point(struct perf *p, const struct perf_line *line) {
    char row[ROW_NAME + 16];
    struct kernel_event e = event_of(p, line);
    size_t n = line->event.n;
    while (line->event.s[n - 1] != ':')
        n--;
    struct str name = {line->event.s + n, line->event.n - n};
    e.category = (struct str){line->event.s, n - 1};
    e.stack = stack_of(p);
    kernel_events_take(&p->kernel, &e);
    if (str_eq(name, STR("sched_switch")))
        leaves(p, e.ts, e.tid);
    else if (str_eq(name, STR("sched_process_exit")))
        leaves(p, e.ts, e.tid);
    else if (starts(name, STR("sys_enter")) || starts(name, STR("sys_exit")) ||
             str_eq(name, STR("print")))
        go_to_row(p, &e, row);
    kernel_text(&p->kernel, &e, name, line->rest);
}

static void write_sample(struct perf *p) {
    struct samples_sample *sample = &p->sample;
    struct samples_frame *v = p->frames.v;
    for (size_t i = 0, k = p->frames.n; i + 1 < k; i++) { /* the outermost first */
        struct samples_frame one = v[i];
        v[i] = v[--k];
        v[k] = one;
    }
    sample->frames = v;
    sample->n = p->frames.n;
    samples_add(p->samples, sample);
}

/* The event that waits has all of its frames. */
static void release(struct perf *p) {
    struct place from = go_to(p, p->at);
    struct perf_line line;
    struct str text = {p->line.v, p->line.n};
    if (p->waits == WAITS_SAMPLE)
        write_sample(p);
    else if (p->waits == WAITS_POINT && perf_line_read(text, &line))
        write_point(p, &line);
    p->waits = WAITS_NOT;
    p->frames.n = 0;
    go_to(p, from);
}

static void hold_point(struct perf *p, struct str text) {
    p->line.n = 0;
    vec_reserve(&p->line, text.n);
    memcpy(p->line.v, text.s, text.n);
    p->line.n = text.n;
    p->waits = WAITS_POINT;
}

/* Samples without times are as many ns after the first one of their thread and event as there were
 * of them. */
static void count_sample(struct perf *p) {
    struct samples_sample *sample = &p->sample;
    while (p->counts.n <= sample->event)
        vec_push(&p->counts, (struct u64map){0});
    struct u64map *counts = &p->counts.v[sample->event];
    uint64_t n = u64map_get(counts, u64map_key(sample->tid));
    sample->ts = n == UINT64_MAX ? 0 : n;
    u64map_set(counts, u64map_key(sample->tid), sample->ts + 1);
    samples_period(p->samples, sample->event, 1);
}

/* A frame may be on the line itself. */
static void hold_sample(struct perf *p, const struct perf_line *line) {
    struct kernel_event e = event_of(p, line);
    struct perf_frame frame;
    kernel_events_take(&p->kernel, &e);
    kernel_threads_place(&p->kernel.threads, e.thread);
    bool clock = perf_line_is_clock(line->event);
    p->sample = (struct samples_sample){.ts = e.ts,
                                        .pid = e.thread->pid,
                                        .tid = e.thread->tid,
                                        .cpu = line->cpu,
                                        .weight = line->has_period && !clock ? line->period : 1,
                                        .event = samples_event(p->samples, line->event),
                                        .thread = kernel_threads_text(&e.thread->comm),
                                        .source = here(p)};
    if (p->untimed)
        count_sample(p);
    else if (clock && line->has_period)
        samples_period(p->samples, p->sample.event, line->period);
    if (line->rest.n > 0 && perf_line_frame(line->rest, &frame))
        add_frame(p, &frame);
    else if (line->rest.n > 0)
        import_lines_note(&p->lines, OTHER_FIELDS);
    p->waits = WAITS_SAMPLE;
}

/* ---- records of perf ---- */

/* `PID:TID` in brackets, which is taken off. */
static bool take_pair(struct str *s, uint64_t *pid, uint64_t *tid) {
    const char *colon = s->n > 0 ? memchr(s->s, ':', s->n) : NULL;
    const char *end = s->n > 0 ? memchr(s->s, ')', s->n) : NULL;
    if (colon == NULL || end == NULL || colon > end || s->s[0] != '(' ||
        !json_read_u64((struct str){s->s + 1, (size_t)(colon - s->s) - 1}, pid) ||
        !json_read_u64((struct str){colon + 1, (size_t)(end - colon) - 1}, tid))
        return false;
    *s = (struct str){end + 1, s->n - (size_t)(end + 1 - s->s)};
    return true;
}

/* The last `NUMBER/NUMBER` of a text, which is cut before it. */
static bool take_last_pair(struct str *s, uint64_t *pid, uint64_t *tid) {
    size_t slash = s->n, from;
    while (slash > 0 && s->s[slash - 1] != '/')
        slash--;
    for (from = slash > 0 ? slash - 1 : 0;
         from > 0 && s->s[from - 1] >= '0' && s->s[from - 1] <= '9';)
        from--;
    if (slash == 0 || !json_read_u64((struct str){s->s + from, slash - 1 - from}, pid) ||
        !json_read_u64((struct str){s->s + slash, s->n - slash}, tid))
        return false;
    s->n = from;
    return true;
}

/* `: NAME:PID/TID` or `exec: NAME:PID/TID` */
static bool take_comm(struct perf *p, struct str text) {
    uint64_t pid, tid;
    const char *colon = text.n > 0 ? memchr(text.s, ':', text.n) : NULL;
    if (colon == NULL || !take_last_pair(&text, &pid, &tid))
        return false;
    size_t begin = (size_t)(colon - text.s) + 1;
    begin += begin < text.n && text.s[begin] == ' ';
    if (begin >= text.n || text.s[text.n - 1] != ':')
        return false;
    struct kernel_thread *t = kernel_threads_get(&p->kernel.threads, tid);
    struct str name = {text.s + begin, text.n - 1 - begin};
    kernel_threads_is_of(&p->kernel.threads, t, pid);
    kernel_threads_name(&p->kernel.threads, t, name, KERNEL_NAMED_BY_COLUMN);
    return true;
}

/* `(PID:TID):(PPID:PTID)`; those of threads that were there before are at time 0. */
static bool take_fork(struct perf *p, struct kernel_event *e, struct str text) {
    uint64_t pid, tid, parent_pid, parent_tid;
    if (!take_pair(&text, &pid, &tid) || text.n == 0)
        return false;
    text = (struct str){text.s + 1, text.n - 1};
    if (!take_pair(&text, &parent_pid, &parent_tid))
        return false;
    struct kernel_threads *threads = &p->kernel.threads;
    if (e->ts == 0) {
        kernel_threads_is_of(threads, kernel_threads_get(threads, tid), pid);
        return true;
    }
    e->pid = parent_pid;
    e->tid = parent_tid;
    kernel_events_take(&p->kernel, e);
    kernel_events_new_task(&p->kernel, e, &(struct kernel_task){.tid = tid}, pid == parent_pid);
    return true;
}

static bool take_exit(struct perf *p, struct kernel_event *e, struct str text) {
    uint64_t pid, tid;
    if (!take_pair(&text, &pid, &tid))
        return false;
    leaves(p, e->ts, tid);
    kernel_events_exit(&p->kernel, e, tid);
    return true;
}

/* `OUT preempt next pid/tid: 1/2`, on a CPU; or `OUT`. A thread that has ended is `:-1`. */
static bool take_switch(struct perf *p, struct kernel_event *e, bool ended, struct str text) {
    uint64_t pid, tid;
    if (!starts(text, STR("OUT")))
        return starts(text, STR("IN"));
    struct str state = starts(text, STR("OUT preempt")) ? STR("R+") : STR("S");
    if (ended && e->cpu < p->kernel.cpus.n && p->kernel.cpus.v[e->cpu].runs) {
        e->tid = p->kernel.cpus.v[e->cpu].running;
        state = STR("X");
    }
    kernel_events_take(&p->kernel, e);
    leaves(p, e->ts, e->tid);
    if (take_last_pair(&text, &pid, &tid)) {
        kernel_threads_is_of(&p->kernel.threads, kernel_threads_get(&p->kernel.threads, tid), pid);
        kernel_events_switch(&p->kernel, e, &(struct kernel_task){.tid = e->tid}, state,
                             &(struct kernel_task){.tid = tid});
    }
    return true;
}

static bool take_lost(struct perf *p, struct kernel_event *e, struct str text) {
    uint64_t n;
    size_t i = text.n;
    while (i > 0 && text.s[i - 1] >= '0' && text.s[i - 1] <= '9')
        i--;
    if (!json_read_u64((struct str){text.s + i, text.n - i}, &n))
        return false;
    if (e->cpu != KERNEL_NO_CPU)
        kernel_events_lost(&p->kernel, e->cpu, n);
    else
        import_lines_fault(&p->lines, IMPORT_FIELD, e->at, "events were lost before this: %" PRIu64,
                           n);
    return true;
}

static void take_record(struct perf *p, const struct perf_line *line) {
    struct kernel_event e = event_of(p, line);
    struct str name = line->event;
    bool known = true;
    char buf[EVENT_QUOTED];
    if (str_eq(name, STR("PERF_RECORD_COMM")))
        known = take_comm(p, line->rest);
    else if (str_eq(name, STR("PERF_RECORD_FORK")))
        known = take_fork(p, &e, line->rest);
    else if (str_eq(name, STR("PERF_RECORD_EXIT")))
        known = take_exit(p, &e, line->rest);
    else if (starts(name, STR("PERF_RECORD_SWITCH")))
        known = take_switch(p, &e, str_eq(line->comm, STR(":-1")), line->rest);
    else if (starts(name, STR("PERF_RECORD_LOST")))
        known = take_lost(p, &e, line->rest);
    else
        import_lines_note(&p->lines,
                          "records of perf that mean nothing here: of mappings and others");
    if (!known)
        import_lines_fault(&p->lines, IMPORT_FIELD, line->rest.s,
                           "fields of %.*s that it does not have: %s", (int)name.n, name.s,
                           event_write_quoted(line->rest, buf));
}

/* ---- lines ---- */

static void take_event(struct perf *p, struct str text, const struct perf_line *line) {
    bool record = starts(line->event, STR("PERF_RECORD_"));
    p->at = (struct place){p->lines.begin, p->lines.number};
    if (line->too_large)
        import_lines_fault(&p->lines, IMPORT_FIELD, text.s, "the time is beyond 2^63-1 ns");
    else
        p->now = line->ts;
    if (record)
        take_record(p, line);
    else if (perf_line_samples(line->event))
        hold_sample(p, line);
    else
        hold_point(p, text);
}

static bool is_empty(struct str text) {
    size_t i = 0;
    while (i < text.n && (text.s[i] == ' ' || text.s[i] == '\t'))
        i++;
    return i == text.n;
}

/* The first line of an event decides whether they have times. */
static bool read_event(struct perf *p, struct str text, struct perf_line *line) {
    if (!p->untimed && perf_line_read(text, line)) {
        p->timed = true;
        return true;
    }
    if (p->timed || !perf_line_read_untimed(text, line))
        return false;
    if (!p->untimed)
        import_lines_note(&p->lines, NO_TIMES);
    p->untimed = true;
    return true;
}

/* `ADDRESS SYMBOL (DSO)` */
static bool is_frame(struct str text) {
    struct perf_frame frame;
    return text.n > 0 && text.s[text.n - 1] == ')' && perf_line_frame(text, &frame);
}

/* Some writers do not indent frames. */
static bool is_below(struct str text) {
    return text.n > 0 && (text.s[0] == ' ' || text.s[0] == '\t' || is_frame(text));
}

static void take(void *ctx, struct str text, bool too_long) {
    struct perf *p = ctx;
    struct perf_line line;
    char buf[EVENT_QUOTED];
    if (too_long || (text.n > 0 && text.s[0] == '#'))
        return;
    bool below = text.n > 0 && text.s[0] == '\t' && p->waits != WAITS_NOT;
    bool event = !below && read_event(p, text, &line);
    if (event || is_empty(text))
        release(p);
    if (event)
        take_event(p, text, &line);
    else if (p->waits != WAITS_NOT && is_below(text))
        take_below(p, text);
    else if (!is_empty(text))
        import_lines_fault(&p->lines, IMPORT_SYNTAX, text.s,
                           "expected COMM TID TIME: EVENT: or a frame, not %s",
                           event_write_quoted(text, buf));
}

/* ---- the importer ---- */

/* Frames fit, too, because an event may have more than are looked at. */
static bool fits(struct str text, bool cut) {
    struct perf_line line;
    (void)cut;
    return perf_line_read(text, &line) || is_frame(text);
}

/* Takes a line off a text. False: its end is not there. */
static bool next_line(struct str *text, struct str *line) {
    const char *end = text->n > 0 ? memchr(text->s, '\n', text->n) : NULL;
    if (end == NULL)
        return false;
    *line = (struct str){text->s, (size_t)(end - text->s)};
    *text = (struct str){end + 1, text->n - line->n - 1};
    return true;
}

/* The first line that is no comment. */
static bool first_line(struct str *text, struct str *line) {
    do
        if (!next_line(text, line))
            return false;
    while (line->n == 0 || line->s[0] == '#' || line->s[0] == '\r');
    return true;
}

/* Whether it begins with a frame: a stack without times. */
static bool begins_within(struct str text) {
    struct perf_line line;
    struct str first;
    return first_line(&text, &first) && !perf_line_read(first, &line);
}

/* An event without a time, and a frame. all: no more bytes come. */
static enum import_sniff sniff_untimed(struct str text, bool all) {
    struct perf_line line;
    struct str first, second;
    if (!first_line(&text, &first) || !perf_line_read_untimed(first, &line))
        return IMPORT_NO;
    if (!next_line(&text, &second))
        return all ? IMPORT_NO : IMPORT_MORE;
    return is_frame(second) ? IMPORT_YES : IMPORT_NO;
}

/* The header that --header prints may be longer than the first bytes. */
static enum import_sniff sniff(struct str first, bool all) {
    struct str text = import_lines_unmarked(first);
    enum import_sniff untimed = sniff_untimed(text, all);
    if (starts(text, STR("# ========\n# captured on")))
        return IMPORT_YES;
    if (untimed != IMPORT_NO)
        return untimed;
    return begins_within(text) ? IMPORT_NO : import_lines_sniff(first, all, fits);
}

static void *start(void) {
    struct perf *p = err_calloc(1, sizeof *p);
    import_lines_init(&p->lines, take, p);
    kernel_events_init(&p->kernel, &p->lines, NO_PROCESSES);
    p->made_tid = MADE_TID;
    p->samples = samples_new((struct samples_out){&p->lines.w, &p->made_tid, p, mark, fault});
    writer_magic(&p->lines.w); /* a source that grows is opened once there are words */
    return p;
}

static void step(void *import, struct str bytes, bool last, struct import_news *news) {
    struct perf *p = import;
    import_lines_step(&p->lines, bytes, last);
    if (last) {
        release(p);
        samples_end(p->samples, 0);
        kernel_events_end(&p->kernel);
    }
    *news = import_lines_news(&p->lines, last);
}

static void stop(void *import) {
    struct perf *p = import;
    vec_free(&p->line);
    vec_free(&p->frames);
    vec_free(&p->last);
    vec_free(&p->stack);
    u64map_free(&p->calls);
    for (size_t i = 0; i < p->counts.n; i++)
        u64map_free(&p->counts.v[i]);
    vec_free(&p->counts);
    samples_free(p->samples);
    kernel_events_free(&p->kernel);
    import_lines_free(&p->lines);
    free(p);
}

const struct importer perf = {"perf script", sniff, start, step, stop, NULL};
