/* stacks.c - stack samples, from the kernel's ring buffers to backtrace records.
 *
 * A sample as a thread leaves its processor is the kernel's record before that of the switch. It is
 * kept until then, for it gets the time of the switch. Programs may switch very often, so these
 * samples have rings that wake no one: as many are taken as fit between two takes.
 *
 * Callers are found by the table of frames, as far as the copy of the stack reaches. The kernel's
 * chain of frame pointers goes on from there, if both have met. */
#include "record/watch/stacks.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <time.h>
#include <unistd.h>

#define COPY (16u << 10)     /* bytes of a stack, if the rings are large */
#define COPY_LESS (8u << 10) /* otherwise, and at switches */
#define LARGE (1024u << 10)  /* bytes of a ring */
#define LEAVES (1024u << 10)

struct head { /* of each sample: IDENTIFIER, TID, TIME and CPU */
    uint64_t id;
    uint32_t pid, tid;
    uint64_t time;
    uint32_t cpu, unused;
};

/* ---- open and close ---- */

static struct perf_event_attr attributes(uint64_t period, bool kernel, size_t ring) {
    struct perf_event_attr a;
    memset(&a, 0, sizeof a);
    a.size = sizeof a;
    a.type = PERF_TYPE_SOFTWARE;
    a.config = period > 0 ? PERF_COUNT_SW_TASK_CLOCK : PERF_COUNT_SW_CONTEXT_SWITCHES;
    a.sample_period = period > 0 ? period : 1;
    a.sample_type = PERF_SAMPLE_IDENTIFIER | PERF_SAMPLE_TID | PERF_SAMPLE_TIME | PERF_SAMPLE_CPU |
                    PERF_SAMPLE_CALLCHAIN | PERF_SAMPLE_REGS_USER | PERF_SAMPLE_STACK_USER;
    a.sample_regs_user = UNWIND_MASK;
    a.sample_stack_user = period > 0 && ring >= LARGE ? COPY : COPY_LESS;
    a.sample_id_all = 1;
    a.inherit = 1;
    a.exclude_kernel = !kernel;
    a.exclude_callchain_kernel = !kernel;
    a.exclude_hv = 1;
    a.use_clockid = 1;
    a.clockid = CLOCK_MONOTONIC;
    return a;
}

/* Samples as threads leave their processors; they are taken in the kernel, so that they need the
 * right to it. */
static void open_leaves(struct stacks *s, pid_t pid) {
    const struct perf_event_attr a = attributes(0, true, 0);
    bool memory = false;
    size_t size = LEAVES;
    while (perf_rings_open(&s->leaves, &a, size, pid, &memory) != 0 && memory &&
           size > PERF_RINGS_LEAST)
        size /= 2;
}

/* Whether the kernel has zeros for the addresses of its functions. */
static bool is_hidden(void) {
    char line[256] = "";
    FILE *f = fopen("/proc/kallsyms", "re");
    bool any = f && fgets(line, sizeof line, f);
    if (f)
        fclose(f);
    return !any || strtoull(line, NULL, 16) == 0;
}

int stacks_open(struct stacks *s, pid_t pid, uint64_t period, size_t size, bool *memory) {
    struct perf_event_attr a = attributes(period, true, size);
    *s = (struct stacks){.period = period, .kernel = true};
    int why = perf_rings_try(&a);
    if (why == 0)
        why = perf_rings_open(&s->rings, &a, size, pid, memory);
    if (why == EACCES || why == EPERM) {
        s->kernel = false;
        a = attributes(period, false, size);
        why = perf_rings_open(&s->rings, &a, size, pid, memory);
    }
    if (why != 0)
        return why;
    if (s->kernel)
        open_leaves(s, pid);
    s->nameless = s->kernel && is_hidden();
    long processors = sysconf(_SC_NPROCESSORS_CONF);
    s->processors = processors > 0 ? (uint32_t)processors : 1;
    s->leaving = err_calloc(s->processors, sizeof(struct stacks_sample *));
    s->record = err_malloc(UINT16_MAX + 1);
    images_open(&s->images);
    names_open(&s->names);
    return 0;
}

int stacks_add(struct stacks *s, pid_t tid) {
    const struct perf_event_attr clock = attributes(s->period, s->kernel, s->rings.data),
                                 leaves = attributes(0, true, 0);
    int why = perf_rings_add(&s->rings, &clock, tid);
    if (why == 0 && s->leaves.n > 0)
        perf_rings_add(&s->leaves, &leaves, tid);
    return why;
}

void stacks_close(struct stacks *s) {
    if (s->rings.n == 0)
        return;
    for (uint32_t i = 0; i < s->processors; i++)
        free(s->leaving[i]);
    perf_rings_close(&s->rings);
    if (s->leaves.n > 0)
        perf_rings_close(&s->leaves);
    free(s->leaving);
    free(s->record);
    names_close(&s->names);
    images_close(&s->images);
    *s = (struct stacks){0};
}

void stacks_symbols(struct stacks *s, const char *folder) {
    s->images.symbols = folder;
    s->names.namer.symbols = folder;
}

void stacks_begin(const struct stacks *s, struct output *o) {
    char text[100];
    snprintf(text, sizeof text, "samples\t1\nperiod\t%llu\nevent\ttask-clock%s\n",
             (unsigned long long)s->period, s->kernel ? "" : ":u");
    struct writer *w = output_begin(o, OUTPUT_OWN);
    writer_blob(w, writer_intern(w, STR("samples")), FXT_BLOB_DATA, str_of(text));
    output_end(o);
}

/* ---- records of the rings ---- */

unsigned stacks_rings(const struct stacks *s) {
    return s->rings.n + s->leaves.n;
}

static struct perf_rings *rings_of(struct stacks *s, unsigned i) {
    return i < s->rings.n ? &s->rings : &s->leaves;
}

struct perf_ring *stacks_ring(const struct stacks *s, unsigned i) {
    return i < s->rings.n ? &s->rings.v[i] : &s->leaves.v[i - s->rings.n];
}

bool stacks_next(struct stacks *s, unsigned i, uint64_t until, struct perf_news *news) {
    bool more;
    do /* none of idle processors */
        more = perf_rings_news(rings_of(s, i), stacks_ring(s, i), until, news);
    while (more && news->pid == 0 && news->lost == 0);
    return more;
}

struct raw { /* the parts of a sample */
    uint32_t pid, tid;
    const uint64_t *chain, *registers; /* registers NULL: there are none */
    uint64_t count;
    const unsigned char *stack;
    size_t n;
};

/* Words of the record; NULL: it has fewer. */
static const uint64_t *words(const unsigned char *record, size_t size, size_t *at, uint64_t n) {
    const uint64_t *v = (const uint64_t *)(const void *)(record + *at);
    if (n > (size - *at) / sizeof *v)
        return NULL;
    *at += (size_t)n * sizeof *v;
    return v;
}

/* Copies a record, and finds its parts. */
static bool parse(struct stacks *s, unsigned ring, const struct perf_news *news, struct raw *raw) {
    const struct perf_rings *rings = rings_of(s, ring);
    struct perf_event_header h;
    struct head head;
    perf_rings_copy(rings, stacks_ring(s, ring), news->at, &h, sizeof h);
    size_t n = h.size - sizeof h, at = sizeof head;
    perf_rings_copy(rings, stacks_ring(s, ring), news->at + sizeof h, s->record, n);
    memcpy(&head, s->record, sizeof head);
    *raw = (struct raw){.pid = head.pid, .tid = head.tid};
    const uint64_t *v = words(s->record, n, &at, 1);
    raw->count = v ? *v : 0;
    if (v == NULL || (raw->chain = words(s->record, n, &at, raw->count)) == NULL)
        return false;
    v = words(s->record, n, &at, 1);
    bool wide = v && *v == PERF_SAMPLE_REGS_ABI_64;
    if (v && *v != PERF_SAMPLE_REGS_ABI_NONE)
        v = words(s->record, n, &at, (uint64_t)__builtin_popcountll(UNWIND_MASK));
    raw->registers = wide ? v : NULL;
    const uint64_t *size = v ? words(s->record, n, &at, 1) : NULL;
    if (size == NULL || *size == 0 || (v = words(s->record, n, &at, *size / 8)) == NULL)
        return true;
    raw->stack = (const unsigned char *)v;
    const uint64_t *copied = words(s->record, n, &at, 1);
    raw->n = copied && *copied < *size ? (size_t)*copied : (size_t)*size;
    return true;
}

static void add(struct stacks_sample *to, uint64_t pc) {
    if (to->n < STACKS_FRAMES)
        to->pcs[to->n++] = pc;
}

/* Adds the callers by the table of frames. */
static void unwind(struct stacks *s, const struct raw *raw, struct stacks_sample *to) {
    struct unwind_state state = {.stack = raw->stack, .n = raw->n};
    unwind_begin(&state, raw->registers);
    for (bool more = true; more && to->n < STACKS_FRAMES;) {
        struct images_place place = images_look_up(&s->images, raw->pid, state.pc - !state.exact);
        if (place.image == IMAGES_NONE && !state.exact)
            return; /* no code */
        add(to, state.pc);
        struct unwind *frames =
            place.image == IMAGES_NONE ? NULL : s->images.v.v[place.image].frames;
        more = unwind_step(frames, &state, place.address);
    }
}

static bool is_code(struct stacks *s, const struct raw *raw, uint64_t pc) {
    return images_look_up(&s->images, raw->pid, pc - 1).image != IMAGES_NONE;
}

/* Makes a stack of both: the kernel's part of its chain, the frames, and the rest of the chain. */
static void join(struct stacks *s, const struct raw *raw, struct stacks_sample *to) {
    uint64_t i = 0;
    bool user = false;
    for (; i < raw->count && !user; i++)
        if (raw->chain[i] == (uint64_t)PERF_CONTEXT_USER)
            user = true;
        else if (raw->chain[i] < (uint64_t)PERF_CONTEXT_MAX)
            add(to, raw->chain[i]);
    unsigned kernel = to->n;
    if (raw->registers)
        unwind(s, raw, to);
    uint64_t last = to->n > kernel ? to->pcs[to->n - 1] : 0, met = i;
    while (last != 0 && met < raw->count && raw->chain[met] != last)
        met++;
    if (met == raw->count && to->n > kernel + 1)
        return;
    if (met == raw->count) /* no caller was found: the chain is all that there is */
        to->n = kernel;
    for (met = met == raw->count ? i : met + (last != 0); met < raw->count; met++) {
        uint64_t pc = raw->chain[met];
        if (pc >= (uint64_t)PERF_CONTEXT_MAX)
            continue;
        if (met > i && !is_code(s, raw, pc))
            return; /* without frame pointers it leads to data */
        add(to, pc);
    }
}

/* All but the innermost address follow a call, which has the address before. */
static void write_stack(struct stacks *s, struct output *o, const struct stacks_sample *sample,
                        uint64_t ts, bool counts) {
    for (unsigned i = 0; i < sample->n; i++) {
        struct images_place place =
            images_find(&s->images, o, ts, sample->pid, sample->pcs[i] - (i > 0));
        names_want(&s->names, sample->pid, place, counts && i == 0);
    }
    names_hold(&s->names, o, ts, sample->pid, sample->tid, sample->pcs, sample->n);
}

void stacks_step(struct stacks *s, struct output *o) {
    names_step(&s->names, &s->images, o, ticks_monotonic());
}

void stacks_finish(struct stacks *s, struct output *o, uint64_t patience) {
    names_finish(&s->names, &s->images, o, ticks_monotonic() + patience);
}

void stacks_take(struct stacks *s, unsigned ring, const struct perf_news *news, struct output *o,
                 const struct ticks *ticks) {
    bool clock = ring < s->rings.n;
    struct raw raw;
    s->lost += clock ? news->lost : 0;
    s->skipped += clock ? 0 : news->lost;
    if (news->lost > 0 && clock)
        output_dropped(o, OUTPUT_OWN);
    if (news->lost > 0 || !parse(s, ring, news, &raw))
        return;
    if (clock) {
        struct stacks_sample sample = {.pid = raw.pid, .tid = raw.tid, .n = 0};
        join(s, &raw, &sample);
        s->samples++;
        write_stack(s, o, &sample, ticks_of(ticks, news->time), true);
    } else if (news->cpu < s->processors) {
        struct stacks_sample **leaving = &s->leaving[news->cpu];
        if (*leaving == NULL)
            *leaving = err_malloc(sizeof **leaving);
        (*leaving)->pid = raw.pid;
        (*leaving)->tid = raw.tid;
        (*leaving)->n = 0;
        join(s, &raw, *leaving);
    }
}

void stacks_leave(struct stacks *s, struct output *o, uint32_t tid, uint32_t cpu, bool blocks,
                  uint64_t ts) {
    struct stacks_sample *sample = cpu < s->processors ? s->leaving[cpu] : NULL;
    if (sample == NULL || sample->n == 0)
        return;
    if (blocks && sample->tid == tid)
        write_stack(s, o, sample, ts, false);
    sample->n = 0;
}

void stacks_map(struct stacks *s, const unsigned char *body, size_t n, bool has_build_id) {
    struct { /* as in <linux/perf_event.h> */
        uint32_t pid, tid;
        uint64_t start, size, offset;
        unsigned char build_id_size, unused[3], build_id[20];
        uint32_t protection, flags;
    } m;
    if (n <= sizeof m)
        return;
    memcpy(&m, body, sizeof m);
    const char *name = (const char *)body + sizeof m;
    struct images_event e = {.pid = m.pid,
                             .tid = m.tid,
                             .start = m.start,
                             .size = m.size,
                             .offset = m.offset,
                             .protection = m.protection,
                             .name = {name, strnlen(name, n - sizeof m)}};
    if (has_build_id && m.build_id_size <= sizeof m.build_id) {
        e.build_id = m.build_id;
        e.build_id_size = m.build_id_size;
    }
    images_add(&s->images, &e);
}
