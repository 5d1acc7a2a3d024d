/* stacks.c - stack samples, from the kernel's ring buffers to backtrace records.
 *
 * The kernel walks the frame pointers. A sample as a thread leaves its processor is the kernel's
 * record before that of the switch. It is kept until then, for it gets the time of the switch. */
#include "record/watch/stacks.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <time.h>
#include <unistd.h>

enum stacks_kind { KIND_CLOCK = 1, KIND_SWITCH };

struct head { /* of each sample: IDENTIFIER, TID, TIME and CPU */
    uint64_t id;
    uint32_t pid, tid;
    uint64_t time;
    uint32_t cpu, unused;
};

struct tail { /* of other records: TID, TIME, CPU and IDENTIFIER */
    uint32_t pid, tid;
    uint64_t time;
    uint32_t cpu, unused;
    uint64_t id;
};

/* ---- open and close ---- */

static struct perf_event_attr attributes(enum stacks_kind kind, uint64_t period, bool kernel) {
    struct perf_event_attr a;
    memset(&a, 0, sizeof a);
    a.size = sizeof a;
    a.type = PERF_TYPE_SOFTWARE;
    a.config = kind == KIND_CLOCK ? PERF_COUNT_SW_TASK_CLOCK : PERF_COUNT_SW_CONTEXT_SWITCHES;
    a.sample_period = kind == KIND_CLOCK ? period : 1;
    a.sample_type = PERF_SAMPLE_IDENTIFIER | PERF_SAMPLE_TID | PERF_SAMPLE_TIME | PERF_SAMPLE_CPU |
                    PERF_SAMPLE_CALLCHAIN;
    a.sample_id_all = 1;
    a.inherit = 1;
    a.exclude_kernel = !kernel;
    a.exclude_callchain_kernel = !kernel;
    a.exclude_hv = 1;
    a.use_clockid = 1;
    a.clockid = CLOCK_MONOTONIC;
    return a;
}

static void know(struct stacks *s, int fd, enum stacks_kind kind) {
    uint64_t id = 0;
    if (ioctl(fd, PERF_EVENT_IOC_ID, &id) == 0)
        u64map_set(&s->kinds, u64map_key(id), kind);
}

/* Samples as threads leave their processors; they are taken in the kernel, so that they need the
 * right to it. */
static void open_switches(struct stacks *s, pid_t pid) {
    const struct perf_event_attr a = attributes(KIND_SWITCH, 1, true);
    s->fds = err_calloc(s->rings.n, sizeof *s->fds);
    s->switches = perf_rings_join(&s->rings, &a, pid, s->fds) == 0;
    for (unsigned i = 0; s->switches && i < s->rings.n; i++)
        know(s, s->fds[i], KIND_SWITCH);
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
    struct perf_event_attr a = attributes(KIND_CLOCK, period, true);
    *s = (struct stacks){.period = period, .kernel = true};
    int why = perf_rings_open(&s->rings, &a, size, pid, memory);
    if (why == EACCES || why == EPERM) {
        s->kernel = false;
        a = attributes(KIND_CLOCK, period, false);
        why = perf_rings_open(&s->rings, &a, size, pid, memory);
    }
    if (why != 0)
        return why;
    for (unsigned i = 0; i < s->rings.n; i++)
        know(s, s->rings.v[i].fd, KIND_CLOCK);
    if (s->kernel)
        open_switches(s, pid);
    s->nameless = s->kernel && is_hidden();
    long processors = sysconf(_SC_NPROCESSORS_CONF);
    s->processors = processors > 0 ? (uint32_t)processors : 1;
    s->leaving = err_calloc(s->processors, sizeof(struct stacks_sample *));
    s->record = err_malloc(UINT16_MAX + 1);
    images_open(&s->images);
    names_open(&s->names);
    return 0;
}

void stacks_close(struct stacks *s) {
    if (s->rings.n == 0)
        return;
    for (unsigned i = 0; s->switches && i < s->rings.n; i++)
        close(s->fds[i]);
    for (uint32_t i = 0; i < s->processors; i++)
        free(s->leaving[i]);
    perf_rings_close(&s->rings);
    free(s->fds);
    free(s->leaving);
    free(s->record);
    u64map_free(&s->kinds);
    names_close(&s->names);
    images_close(&s->images);
    *s = (struct stacks){0};
}

void stacks_begin(const struct stacks *s, struct output *o) {
    char text[100];
    snprintf(text, sizeof text, "samples 1\nperiod\t%llu\nevent\ttask-clock%s\n",
             (unsigned long long)s->period, s->kernel ? "" : ":u");
    struct writer *w = output_begin(o, OUTPUT_OWN);
    writer_blob(w, writer_intern(w, STR("samples")), FXT_BLOB_DATA, str_of(text));
    output_end(o);
}

/* ---- records of the rings ---- */

bool stacks_next(struct stacks *s, struct perf_ring *ring, uint64_t until,
                 struct stacks_news *news) {
    struct perf_event_header h;
    uint64_t at;
    while (perf_rings_next(&s->rings, ring, &h, &at)) {
        size_t n = h.size - sizeof h;
        *news = (struct stacks_news){.at = at};
        if (h.type == PERF_RECORD_SAMPLE && n >= sizeof(struct head)) {
            struct head head;
            perf_rings_copy(&s->rings, ring, at + sizeof h, &head, sizeof head);
            news->time = head.time;
            news->pid = head.pid;
            news->tid = head.tid;
            news->cpu = head.cpu;
        } else if (n >= sizeof(struct tail) + 16) {
            struct tail tail;
            uint64_t body[2];
            perf_rings_copy(&s->rings, ring, at + h.size - sizeof tail, &tail, sizeof tail);
            perf_rings_copy(&s->rings, ring, at + sizeof h, body, sizeof body);
            news->time = tail.time;
            news->lost = h.type == PERF_RECORD_LOST ? body[1] : 0;
        }
        if (news->time > until) {
            ring->next = at;
            return false;
        }
        s->throttled += h.type == PERF_RECORD_THROTTLE;
        if (news->pid != 0 || news->lost > 0)
            return true;
    }
    return false;
}

/* Takes the chain of addresses of a sample. */
static void take_chain(struct stacks_sample *to, const uint64_t *chain, uint64_t n) {
    for (uint64_t i = 0; i < n && to->n < STACKS_FRAMES; i++)
        if (chain[i] < (uint64_t)PERF_CONTEXT_MAX) /* else it is the kind of those that follow */
            to->pcs[to->n++] = chain[i];
}

static bool parse(struct stacks *s, const struct perf_ring *ring, const struct stacks_news *news,
                  struct stacks_sample *sample, enum stacks_kind *kind) {
    struct perf_event_header h;
    struct head head;
    uint64_t count;
    perf_rings_copy(&s->rings, ring, news->at, &h, sizeof h);
    size_t n = h.size - sizeof h, at = sizeof head;
    perf_rings_copy(&s->rings, ring, news->at + sizeof h, s->record, n);
    memcpy(&head, s->record, sizeof head);
    if (n - at < sizeof count)
        return false;
    memcpy(&count, s->record + at, sizeof count);
    at += sizeof count;
    if (count > (n - at) / sizeof(uint64_t))
        return false;
    *sample = (struct stacks_sample){.pid = head.pid, .tid = head.tid};
    take_chain(sample, (const uint64_t *)(const void *)(s->record + at), count);
    uint64_t what = u64map_get(&s->kinds, u64map_key(head.id));
    *kind = what == KIND_SWITCH ? KIND_SWITCH : KIND_CLOCK;
    return sample->n > 0;
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

void stacks_take(struct stacks *s, const struct perf_ring *ring, const struct stacks_news *news,
                 struct output *o, const struct ticks *ticks) {
    struct stacks_sample sample;
    enum stacks_kind kind;
    s->lost += news->lost;
    if (news->lost > 0)
        output_dropped(o, OUTPUT_OWN);
    if (news->lost > 0 || !parse(s, ring, news, &sample, &kind))
        return;
    if (kind == KIND_CLOCK) {
        s->samples++;
        write_stack(s, o, &sample, ticks_of(ticks, news->time), true);
    } else if (news->cpu < s->processors) {
        struct stacks_sample **leaving = &s->leaving[news->cpu];
        if (*leaving == NULL)
            *leaving = err_malloc(sizeof **leaving);
        **leaving = sample;
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
