/* switches.c - context switches, names, forks and exits, from the kernel's ring buffers.
 *
 * There is one ring for each processor, and records of a ring are in the order of their times. A
 * take copies what is in all rings, merges it, and writes it as scheduling records and kernel
 * objects. The thread that a processor runs while none of ours does is idle, thread 0.
 *
 * The kernel's record of an exec lacks the command line, which is read from /proc if the process
 * lives. So takes come sooner for a while after each exec.
 *
 * The kernel's records of a process end, as with its death, where it gains rights that we lack: in
 * an exec, before the program is mapped. Then its state is unknown. */
#include "record/watch/switches.h"

#include <errno.h>
#include <fcntl.h>
#include <linux/perf_event.h>
#include <sched.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#include "record/watch/sample.h"

#define RING (512u << 10)         /* bytes: as much as each user may lock for a processor */
#define STACKS_RING (2048u << 10) /* bytes: ulimit -l mostly allows as much in addition */
#define MERGED 16                 /* rings; the records of more are sorted */
#define BUSY_NS 500000000         /* after an exec */
#define SOON_NS 10000000          /* between takes in that time */
#define MISSING 64
#define RESERVE 32
#define PASSES 8         /* through /proc, for threads that are started meanwhile */
#define FORK_NS 20000000 /* a fork that began before its parent had an event is over */
#define IDLE_WEIGHT ((uint32_t)INT32_MIN)

enum { RUNS = 1, ENDED, REFUSED }; /* threads that have events of their own, had, or got none */
enum { RUNNABLE = 1, BLOCKED = 3, DEAD = 5, UNKNOWN = 15 };

struct tail { /* of each record: sample_id_all with TID, TIME, CPU and IDENTIFIER */
    uint32_t pid, tid;
    uint64_t time;
    uint32_t cpu, unused;
    uint64_t event;
};

/* ---- open and close ---- */

/* The kinds of records that are missing if the kernel refuses all. */
static const char *what_of(const struct switches_options *o, char what[MISSING]) {
    const struct {
        bool wanted;
        const char *name;
    } kinds[] = {{o->switches || (o->period == 0 && !o->calls), "no context switches"},
                 {o->period > 0, "no stack samples"},
                 {o->calls, "no system calls"}};
    size_t at = 0;
    for (size_t i = 0; i < sizeof kinds / sizeof *kinds; i++)
        if (kinds[i].wanted)
            at += (size_t)snprintf(what + at, MISSING - at, "%s%s", at > 0 ? ", " : "",
                                   kinds[i].name);
    return what;
}

static struct perf_event_attr attributes(const struct switches_options *o) {
    struct perf_event_attr a;
    memset(&a, 0, sizeof a);
    a.size = sizeof a;
    a.type = PERF_TYPE_SOFTWARE;
    a.config = PERF_COUNT_SW_DUMMY;
    a.sample_type = PERF_SAMPLE_TID | PERF_SAMPLE_TIME | PERF_SAMPLE_CPU | PERF_SAMPLE_IDENTIFIER;
    a.sample_id_all = 1;
    a.context_switch = o->switches;
    a.comm = 1;
    a.comm_exec = 1;
    a.mmap = 1; /* of programs and libraries */
    a.mmap2 = a.build_id = o->period > 0;
    a.task = 1;
    a.inherit = 1;
    a.exclude_kernel = 1;
    a.exclude_hv = 1;
    a.use_clockid = 1;
    a.clockid = CLOCK_MONOTONIC;
    return a;
}

void switches_close(struct switches *s) {
    perf_rings_close(&s->rings);
    stacks_close(&s->stacks);
    calls_close(&s->calls);
    wakes_close(&s->wakes);
    vec_free(&s->news);
    vec_free(&s->bodies);
    living_free(&s->living);
    unseen_close(&s->unseen);
    alone_free(&s->alone);
    lives_close(&s->lives);
    vec_free(&s->present.v);
    u64map_free(&s->attached);
    *s = (struct switches){0};
}

/* ---- the rings ---- */

static void add(struct switches *s, const struct perf_event_header *h, const unsigned char *body,
                size_t n) {
    struct switches_news news = {
        .kind = (uint16_t)h->type, .flags = h->misc, .order = (uint32_t)s->news.n};
    struct tail tail;
    if (n < sizeof tail)
        return;
    memcpy(&tail, body + n - sizeof tail, sizeof tail);
    news.time = tail.time;
    news.pid = tail.pid;
    news.tid = tail.tid;
    news.cpu = tail.cpu;
    if ((h->type == PERF_RECORD_FORK || h->type == PERF_RECORD_EXIT) && n >= 24 + sizeof tail) {
        uint32_t ids[4]; /* pid, parent's pid, tid, parent's tid */
        memcpy(ids, body, sizeof ids);
        news.pid = ids[0];
        news.tid = ids[2];
        news.more = (uint64_t)ids[1] << 32 | ids[3];
    } else if (h->type == PERF_RECORD_COMM && n >= 8 + sizeof tail) {
        size_t room = n - 8 - sizeof tail;
        memcpy(&news.pid, body, 4);
        memcpy(&news.tid, body + 4, 4);
        memcpy(news.name, body + 8, room < sizeof news.name ? room : sizeof news.name - 1);
    } else if (h->type == PERF_RECORD_LOST && n >= 16 + sizeof tail) {
        memcpy(&news.more, body + 8, 8);
    } else if (h->type == PERF_RECORD_SWITCH_CPU_WIDE) {
        news.kind = PERF_RECORD_SWITCH;
    } else if (h->type != PERF_RECORD_SWITCH && h->type != PERF_RECORD_MMAP) {
        return;
    }
    /* idle, not in our namespace, or ended */
    bool other = news.pid == 0 || news.pid == UINT32_MAX || news.tid == UINT32_MAX;
    if (!other || news.kind == PERF_RECORD_LOST)
        vec_push(&s->news, news);
}

/* Keeps the contents of a record until it is its turn. */
static void add_map(struct switches *s, const struct perf_ring *ring, uint64_t at,
                    const struct perf_event_header *h) {
    size_t n = h->size - sizeof *h;
    struct tail tail;
    if (n < sizeof tail || s->stacks.rings.n == 0)
        return;
    vec_reserve(&s->bodies, s->bodies.n + n);
    unsigned char *body = s->bodies.v + s->bodies.n;
    perf_rings_copy(&s->rings, ring, at + sizeof *h, body, n);
    memcpy(&tail, body + n - sizeof tail, sizeof tail);
    struct switches_news news = {.kind = PERF_RECORD_MMAP2,
                                 .flags = h->misc,
                                 .order = (uint32_t)s->news.n,
                                 .time = tail.time,
                                 .pid = tail.pid,
                                 .tid = tail.tid,
                                 .more = s->bodies.n,
                                 .size = (uint32_t)(n - sizeof tail)};
    s->bodies.n += n;
    vec_push(&s->news, news);
}

/* Records up to a time. So a sample that belongs to a switch is taken with it, or before. */
static void drain(struct switches *s, struct perf_ring *ring, uint64_t until) {
    struct perf_event_header h;
    uint64_t at;
    ring->at = s->news.n;
    while (perf_rings_next(&s->rings, ring, &h, &at)) {
        unsigned char body[512];
        struct tail tail = {0};
        size_t n = h.size - sizeof h;
        if (n >= sizeof tail)
            perf_rings_copy(&s->rings, ring, at + h.size - sizeof tail, &tail, sizeof tail);
        if (tail.time > until) {
            ring->next = at;
            break;
        }
        const struct perf_news news = {.time = tail.time, .tid = tail.tid, .cpu = tail.cpu};
        if (h.type != PERF_RECORD_LOST && perf_rings_twice(&s->rings, &h, &news, tail.event))
            continue;
        if (h.type == PERF_RECORD_MMAP2)
            add_map(s, ring, at, &h);
        size_t from = h.type == PERF_RECORD_MMAP && n > sizeof tail ? n - sizeof tail : 0;
        if (n - from > sizeof body) /* the path of a mapping may be long, and is not used */
            continue;
        perf_rings_copy(&s->rings, ring, at + sizeof h + from, body, n - from);
        add(s, &h, body, n - from);
    }
    perf_rings_release(ring);
    ring->end = s->news.n;
}

static unsigned others(const struct switches *s) {
    return stacks_rings(&s->stacks) + s->calls.rings.n + s->wakes.rings.n;
}

enum other { STACKS, CALLS, WAKES };

/* The kind of a ring besides those of switches, and its number among those. */
static enum other other_of(const struct switches *s, unsigned i, unsigned *number) {
    unsigned stacks = stacks_rings(&s->stacks), calls = stacks + s->calls.rings.n;
    if (i < stacks) {
        *number = i;
        return STACKS;
    }
    *number = i < calls ? i - stacks : i - calls;
    return i < calls ? CALLS : WAKES;
}

static struct perf_ring *other_ring(const struct switches *s, unsigned i) {
    unsigned number;
    enum other kind = other_of(s, i, &number);
    if (kind == STACKS)
        return stacks_ring(&s->stacks, number);
    return kind == CALLS ? &s->calls.rings.v[number] : &s->wakes.rings.v[number];
}

static bool next_other(struct switches *s, unsigned i, uint64_t until, struct perf_news *news) {
    unsigned number;
    switch (other_of(s, i, &number)) {
    case STACKS:
        return stacks_next(&s->stacks, number, until, news);
    case CALLS:
        return calls_next(&s->calls, number, until, news);
    default:
        return wakes_next(&s->wakes, number, until, news);
    }
}

/* Samples of stacks, and events of calls and wakeups, up to a time. */
static void drain_others(struct switches *s, unsigned i, uint64_t until) {
    struct perf_ring *ring = other_ring(s, i);
    struct perf_news news;
    ring->at = s->news.n;
    while (next_other(s, i, until, &news)) {
        struct switches_news more = {.kind = PERF_RECORD_SAMPLE,
                                     .flags = (uint16_t)i,
                                     .order = (uint32_t)s->news.n,
                                     .time = news.time,
                                     .pid = news.pid,
                                     .tid = news.tid,
                                     .cpu = news.cpu,
                                     .more = news.at,
                                     .size =
                                         news.lost < UINT32_MAX ? (uint32_t)news.lost : UINT32_MAX};
        vec_push(&s->news, more);
    }
    ring->end = s->news.n;
}

static int earlier(const void *a, const void *b) {
    const struct switches_news *x = a, *y = b;
    if (x->time != y->time)
        return x->time < y->time ? -1 : 1;
    return x->order < y->order ? -1 : x->order > y->order;
}

/* Opens the rings of stacks, too, if they are asked for. 0, or why there are none. */
static int open_rings(struct switches *s, const struct switches_options *o, size_t size, pid_t pid,
                      bool *memory) {
    struct perf_event_attr a = attributes(o);
    int why = perf_rings_try(&a);
    if (why == EINVAL && a.build_id) /* before Linux 5.12 */
        a.build_id = 0;
    else if (why != 0)
        return why;
    s->attributes = a;
    return perf_rings_open(&s->rings, &a, size, pid, memory);
}

/* Smaller rings for both, if the kernel has no memory for rings of stacks otherwise. */
static bool open_stacks(struct switches *s, const struct switches_options *o, pid_t pid,
                        struct err *err) {
    bool memory;
    size_t size = STACKS_RING;
    int why = stacks_open(&s->stacks, pid, o->period, size, &memory);
    while (why != 0 && memory && size > PERF_RINGS_LEAST) {
        bool rings = true;
        if ((size /= 2) < s->rings.data) {
            perf_rings_close(&s->rings);
            rings = open_rings(s, o, size, pid, &memory) == 0;
        }
        why = rings ? stacks_open(&s->stacks, pid, o->period, size, &memory) : ENOMEM;
    }
    if (why != 0 && s->rings.n == 0)
        open_rings(s, o, PERF_RINGS_LEAST, pid, &memory);
    return why == 0 || perf_rings_refused("no stack samples", why, memory, err);
}

static bool has(const struct u64map *map, uint32_t tid) {
    return u64map_get(map, u64map_key(tid)) != UINT64_MAX;
}

static void forget(struct switches *s, uint64_t tid) {
    if (u64map_get(&s->attached, u64map_key(tid)) == RUNS)
        u64map_set(&s->attached, u64map_key(tid), ENDED);
    living_forget(&s->living, tid);
}

static void write_object(struct output *o, unsigned type, uint32_t pid, uint32_t koid,
                         const char *name) {
    struct writer *w = output_begin(o, OUTPUT_OWN);
    struct writer_argument process =
        writer_number(FXT_ARG_KOID, writer_intern(w, STR("process")), pid);
    struct writer_arguments args = {&process, type == FXT_OBJECT_THREAD};
    writer_kernel_object(w, type, koid, writer_intern(w, str_of(name)), args);
    output_end(o);
}

static void write_names(struct output *o, const struct switches_news *n, const char *name) {
    if (n->pid == n->tid)
        write_object(o, FXT_OBJECT_PROCESS, n->pid, n->pid, name);
    write_object(o, FXT_OBJECT_THREAD, n->pid, n->tid, name);
}

/* ---- threads that run already ---- */

/* The thread has no event of its own. */
static void forget_events(struct switches *s, uint32_t tid) {
    struct perf_rings *const all[] = {&s->rings, &s->stacks.rings, &s->stacks.leaves,
                                      &s->calls.rings};
    for (size_t i = 0; i < sizeof all / sizeof *all; i++)
        perf_rings_forget(all[i], (pid_t)tid);
}

/* 0, or the errno with which the kernel refuses events of the thread. One that ends meanwhile may
 * leave no record of its end. */
static int attach_one(struct switches *s, const struct perf_event_attr *a,
                      const struct attach_thread *t) {
    int why = perf_rings_add(&s->rings, a, (pid_t)t->tid);
    if (why == 0 && s->stacks.rings.n > 0)
        why = stacks_add(&s->stacks, (pid_t)t->tid);
    if (why == 0 && s->calls.rings.n > 0)
        why = calls_add(&s->calls, (pid_t)t->tid);
    if (why == 0 && !attach_lives(t))
        why = ESRCH;
    if (why != 0)
        forget_events(s, t->tid);
    u64map_set(&s->attached, u64map_key(t->tid), why == 0 ? RUNS : REFUSED);
    return why;
}

/* Records that are not taken yet: the threads that they are of, with a fork or an end; `inherits`
 * are forks that began after the parent had its events, surely. */
struct ahead {
    struct u64map named, inherits, ended;
    VEC(struct attach_thread) forked;
};

static void ahead_free(struct ahead *ahead) {
    u64map_free(&ahead->named);
    u64map_free(&ahead->inherits);
    u64map_free(&ahead->ended);
    vec_free(&ahead->forked);
}

static void look_ahead(struct switches *s, struct ahead *ahead) {
    for (unsigned i = 0; i < s->rings.n; i++) {
        struct perf_ring ring = s->rings.v[i];
        struct perf_event_header h;
        struct tail tail;
        uint32_t ids[4]; /* pid, parent's pid, tid, parent's tid */
        uint64_t at;
        while (perf_rings_next(&s->rings, &ring, &h, &at)) {
            if (h.size < sizeof h + sizeof tail)
                continue;
            perf_rings_copy(&s->rings, &ring, at + h.size - sizeof tail, &tail, sizeof tail);
            u64map_set(&ahead->named, u64map_key(tail.tid), 1);
            if (h.type != PERF_RECORD_FORK && h.type != PERF_RECORD_EXIT)
                continue;
            perf_rings_copy(&s->rings, &ring, at + sizeof h, ids, sizeof ids);
            const uint64_t key = u64map_key(ids[2]);
            if (h.type == PERF_RECORD_EXIT) {
                u64map_set(&ahead->ended, key, 1);
                continue;
            }
            vec_push(&ahead->forked, ((struct attach_thread){.pid = ids[0], .tid = ids[2]}));
            if (tail.time >= perf_rings_since(&s->rings, (pid_t)ids[3]) + FORK_NS)
                u64map_set(&ahead->inherits, key, 1);
        }
    }
}

/* A thread that came and went while its parent got events may have a fork without an end. The
 * records of the ends of those that are gone are there, if ever. */
static void refuse_gone(struct switches *s) {
    struct ahead before = {.forked = {0}}, after = {.forked = {0}};
    size_t gone = 0;
    look_ahead(s, &before);
    for (size_t i = 0; i < before.forked.n; i++) {
        const struct attach_thread t = before.forked.v[i];
        if (!has(&s->attached, t.tid) && !attach_lives(&t))
            before.forked.v[gone++] = t;
    }
    look_ahead(s, &after);
    for (size_t i = 0; i < gone; i++)
        if (!has(&after.ended, before.forked.v[i].tid))
            u64map_set(&s->attached, u64map_key(before.forked.v[i].tid), REFUSED);
    ahead_free(&before);
    ahead_free(&after);
}

/* Leaves the threads of `present` whose begin no record has. */
static void drop_forked(struct switches *s) {
    struct ahead ahead = {.forked = {0}};
    size_t kept = 0;
    look_ahead(s, &ahead);
    for (size_t i = 0; i < s->present.v.n; i++)
        if (!has(&ahead.inherits, s->present.v.v[i].tid))
            s->present.v.v[kept++] = s->present.v.v[i];
    s->present.v.n = kept;
    ahead_free(&ahead);
}

/* Threads that start meanwhile are looked for again. If the thread that starts them has long had an
 * event, they have one, too, which the records of forks show. False: a process refuses. */
static bool attach_threads(struct switches *s, const struct switches_options *o,
                           const struct perf_event_attr *a, struct err *err) {
    struct attach_threads now = {0};
    struct ahead ahead = {.forked = {0}};
    bool any = true, alone = !o->attach->all;
    int reserve[RESERVE]; /* descriptors for all else */
    char what[MISSING];
    int why = 0;
    for (int i = 0; i < RESERVE; i++)
        reserve[i] = fcntl(STDERR_FILENO, F_DUPFD_CLOEXEC, 0);
    for (int passes = 0; any && passes < PASSES; passes++) {
        any = false;
        now.v.n = 0;
        attach_list(o->attach, false, &now);
        look_ahead(s, &ahead);
        for (size_t i = 0; i < now.v.n; i++) {
            const struct attach_thread *t = &now.v.v[i];
            if (has(&ahead.inherits, t->tid) || has(&s->attached, t->tid))
                continue;
            int one = attach_one(s, a, t);
            if (one == 0)
                vec_push(&s->present.v, *t);
            any = any || one == 0;
            if (one == 0 || one == ESRCH || (!alone && (one == EACCES || one == EPERM)))
                continue; /* it has ended, or is another user's */
            s->unattached++;
            why = one;
        }
    }
    for (int i = 0; i < RESERVE; i++)
        if (reserve[i] >= 0)
            close(reserve[i]);
    vec_free(&now.v);
    ahead_free(&ahead);
    refuse_gone(s);
    drop_forked(s);
    if (s->unattached > 0 && s->present.v.n > 0 && (why == EMFILE || why == ENFILE))
        return err_set(err, ERR_NO_OFFSET,
                       "%u threads are not recorded: too many files are open (ulimit -Hn)",
                       s->unattached);
    if (s->unattached > 0 && s->present.v.n > 0)
        return err_set(err, ERR_NO_OFFSET, "%u threads are not recorded: %s", s->unattached,
                       strerror(why));
    if (s->present.v.n == 0 && why == 0)
        return err_set(err, ERR_NO_OFFSET, "there is no other process to record");
    return s->present.v.n > 0 || perf_rings_refused(what_of(o, what), why, false, err);
}

/* The threads that there were before the rings of the whole system. */
static void list_present(struct switches *s, const struct switches_options *o) {
    attach_list(o->attach, true, &s->present);
    drop_forked(s);
}

/* Writes the calls in which threads are blocked. One that has run since is in another one. */
static void begin_calls(struct switches *s, struct output *o) {
    struct ahead ahead = {.forked = {0}};
    for (size_t i = 0; i < s->present.v.n; i++) {
        const struct attach_thread *t = &s->present.v.v[i];
        if (t->waits)
            calls_look(&s->calls, t->pid, t->tid, s->opened_ns, s->opened);
    }
    look_ahead(s, &ahead);
    for (size_t i = 0; i < s->present.v.n; i++)
        if (has(&ahead.named, s->present.v.v[i].tid))
            calls_forget(&s->calls, s->present.v.v[i].tid);
    calls_step(&s->calls, o, 0, true);
    ahead_free(&ahead);
}

void switches_begin(struct switches *s, struct output *o) {
    uint32_t last = 0;
    if (s->everywhere) /* it is there, too, and has a name */
        snprintf(living_make(&s->living, (uint64_t)getpid())->name, sizeof s->living.v.v->name,
                 "fxtop record");
    for (size_t i = 0; i < s->present.v.n; i++) {
        const struct attach_thread *t = &s->present.v.v[i];
        const struct switches_news n = {.pid = t->pid, .tid = t->tid};
        struct living_thread *name = living_make(&s->living, t->tid);
        memcpy(name->name, t->name, sizeof name->name);
        name->pid = t->pid;
        write_names(o, &n, t->name);
        struct life *life = lives_find(&s->lives, t->pid);
        if (t->pid != last && life == NULL) {
            char command[SAMPLE_COMMAND];
            struct str line = sample_command(t->pid, t->name, command, sizeof command);
            life = lives_begin(&s->lives, t->pid, t->parent, s->opened);
            lives_write_exec(&s->lives, o, life, t->name, line, s->opened);
            if (s->stacks.rings.n > 0)
                images_look(&s->stacks.images, t->pid);
        } else if (life) {
            life->threads++;
        }
        last = t->pid;
    }
    if (s->has_calls || !s->everywhere)
        begin_calls(s, o);
    vec_free(&s->present.v);
}

/* ---- open ---- */

static pid_t target_of(const struct switches_options *o, pid_t pid) {
    if (o->attach == NULL)
        return pid;
    return o->attach->all ? PERF_RINGS_ALL : PERF_RINGS_NONE;
}

static bool is_refusal(int why) {
    return why == EACCES || why == EPERM;
}

bool switches_open(struct switches *s, pid_t child, const struct ticks *ticks,
                   const struct switches_options *o, struct err *err) {
    bool memory = false, attached = true;
    char what[MISSING];
    size_t size = RING;
    pid_t pid = target_of(o, child);
    *s = (struct switches){
        .switches = o->switches, .opened = ticks_now(ticks), .opened_ns = ticks_monotonic()};
    int why = open_rings(s, o, size, pid, &memory);
    if (pid == PERF_RINGS_ALL && is_refusal(why)) {
        pid = PERF_RINGS_NONE;
        why = open_rings(s, o, size, pid, &memory);
    }
    while (why != 0 && memory && size > PERF_RINGS_LEAST)
        why = open_rings(s, o, size /= 2, pid, &memory);
    if (why != 0)
        return perf_rings_refused(what_of(o, what), why, memory, err);
    if (o->attach == NULL) {
        living_make(&s->living, (uint64_t)pid);
        lives_watch(&s->lives,
                    lives_begin(&s->lives, (uint32_t)pid, (uint32_t)getpid(), ticks_now(ticks)));
    }
    bool stacks = o->period == 0 || open_stacks(s, o, pid, err);
    s->has_calls = o->calls && calls_open(&s->calls, pid, &s->no_calls);
    if (pid == PERF_RINGS_NONE)
        attached = attach_threads(s, o, &s->attributes, stacks ? err : &s->unattached_why);
    else if (pid == PERF_RINGS_ALL)
        list_present(s, o);
    s->everywhere = pid == PERF_RINGS_ALL;
    if (pid == PERF_RINGS_NONE && s->present.v.n == 0) {
        perf_rings_close(&s->rings);
        stacks_close(&s->stacks);
        calls_close(&s->calls);
        s->no_calls.text[0] = 0;
    } else if (o->switches) {
        wakes_open(&s->wakes);
    }
    return stacks && attached;
}

/* ---- records ---- */

static void write_switch(const struct switches *s, const struct switches_news *n, uint64_t ts,
                         bool in, unsigned state) {
    struct output *o = s->output;
    if (!s->switches)
        return;
    struct writer *w = output_begin(o, OUTPUT_OWN);
    struct writer_argument weight = writer_number(
        FXT_ARG_INT32, writer_intern(w, in ? STR("outgoing_weight") : STR("incoming_weight")),
        IDLE_WEIGHT);
    struct writer_switch r = {.ts = ts,
                              .cpu = n->cpu,
                              .out_state = state,
                              .out_tid = in ? 0 : n->tid,
                              .in_tid = in ? n->tid : 0,
                              .args = {&weight, 1}};
    writer_switch(w, &r);
    output_end(o);
}

/* A thread that executes a program after the first one has ended takes the number of that. */
static void take_over(struct switches *s, struct output *o, const struct switches_news *n,
                      struct life *life, uint64_t ts) {
    struct switches_news before = *n;
    struct living_thread was;
    size_t from = 0;
    if (!life->headless || n->tid != n->pid)
        return;
    life->headless = false;
    while (living_take_over(&s->living, n->pid, &from, &was)) {
        before.tid = (uint32_t)was.tid;
        calls_end(&s->calls, o, before.tid, ts);
        if (was.runs > 0) {
            write_switch(s, &before, ts, false, DEAD);
            write_switch(s, n, ts, true, 0);
        }
        forget(s, before.tid);
    }
}

static void write_exec(struct switches *s, struct output *o, const struct switches_news *n,
                       uint64_t ts) {
    char command[SAMPLE_COMMAND];
    struct str line = sample_executed(n->pid, n->name, command, sizeof command);
    struct writer *w = output_begin(o, OUTPUT_OWN);
    const struct writer_argument args[2] = {
        writer_text(writer_intern(w, STR("name")), writer_intern(w, str_of(n->name))),
        writer_text(writer_intern(w, STR("command")), writer_inline(line))};
    struct writer_event e = {.ts = ts,
                             .thread = writer_intern_thread(w, n->pid, n->tid),
                             .category = writer_intern(w, STR("process")),
                             .name = writer_intern(w, STR("exec")),
                             .args = {args, line.n > 0 ? 2 : 1}};
    writer_instant(w, &e);
    output_end(o);
    struct life *life = lives_find(&s->lives, n->pid);
    if (life) {
        take_over(s, o, n, life, ts);
        life->threads = 1; /* the others have ended */
        lives_write_exec(&s->lives, o, life, n->name, line, ts);
    }
}

/* Takes a thread off its processor. */
static void end_run(struct switches *s, const struct switches_news *n, struct life *life) {
    struct living_thread *thread = living_find(&s->living, n->tid);
    if (thread && life && thread->runs > 0 && n->time > thread->runs) {
        life->cpu += n->time - thread->runs;
        s->sums.cpu += n->time - thread->runs;
    }
    if (thread)
        thread->runs = 0;
}

/* Puts a thread on a processor. A process with children mostly waits for them, and the thread of
 * libfxttrace for the manager. */
static void begin_run(struct switches *s, const struct switches_news *n, const struct life *life) {
    struct living_thread *thread = living_find(&s->living, n->tid);
    if (thread == NULL)
        return;
    uint64_t waited = thread->left > 0 && n->time > thread->left ? n->time - thread->left : 0;
    thread->runs = n->time;
    thread->left = 0;
    if (life == NULL || life->forked || waited <= s->sums.wait || thread->name[0] == 0 ||
        alone_is_library(thread->name))
        return;
    s->sums.wait = waited;
    memcpy(s->sums.waited, thread->name, sizeof s->sums.waited);
}

static void count_switch(struct switches *s, struct output *o, const struct switches_news *n,
                         uint64_t ts) {
    struct life *life = lives_find(&s->lives, n->pid);
    if (life)
        take_over(s, o, n, life, ts);
    if ((n->flags & PERF_RECORD_MISC_SWITCH_OUT) == 0) {
        begin_run(s, n, life);
        if (life)
            lives_write_run(o, life, ts);
        return;
    }
    end_run(s, n, life);
    bool preempted = n->flags & PERF_RECORD_MISC_SWITCH_OUT_PREEMPT;
    struct living_thread *thread = living_find(&s->living, n->tid);
    if (thread)
        thread->left = preempted ? 0 : n->time;
    if (life)
        *(preempted ? &life->preempted : &life->blocked) += 1;
}

static void write_fork(struct switches *s, struct output *o, const struct switches_news *n,
                       uint64_t ts) {
    uint32_t parent = (uint32_t)(n->more >> 32);
    struct life *life = lives_find(&s->lives, parent);
    if (parent == n->pid) { /* a thread */
        if (life)
            life->threads++;
        return;
    }
    images_fork(&s->stacks.images, n->pid, parent);
    if (life)
        life->forked = true;
    life = lives_begin(&s->lives, n->pid, parent, ts);
    lives_watch(&s->lives, life); /* it may end without an exec */
    lives_write_fork(&s->lives, o, life, (uint32_t)n->more, ts);
}

/* Ends the process with its last thread. */
static void end_thread(struct switches *s, struct output *o, const struct switches_news *n,
                       uint64_t ts) {
    struct life *life = lives_find(&s->lives, n->pid);
    end_run(s, n, life);
    if (life && (n->tid == n->pid || life->name[0] == 0))
        lives_call(life, living_make(&s->living, n->tid)->name);
    if (life && n->tid == n->pid)
        life->headless = true;
    if (life && --life->threads == 0) {
        lives_write_end(&s->lives, o, life, ts);
        images_forget(&s->stacks.images, n->pid);
    }
}

/* The status of a call: the process may have none when its parent has noticed its end. */
static void take_status(struct switches *s, const struct switches_news *n) {
    struct life *life = lives_find(&s->lives, n->pid);
    int status = life ? calls_status(&s->calls, n->tid) : -1;
    if (status >= 0)
        life->status = status + 1;
}

static void write_exit(struct switches *s, struct output *o, const struct switches_news *n,
                       uint64_t ts) {
    struct life *life = lives_find(&s->lives, n->pid);
    if (!living_is_far(&s->living, life, n->pid, n->tid, s->lost > 0)) {
        write_switch(s, n, ts, false, DEAD);
        end_thread(s, o, n, ts);
        return;
    }
    end_run(s, n, life);
    write_switch(s, n, ts, false, UNKNOWN);
    struct writer *w = output_begin(o, OUTPUT_OWN);
    struct writer_event e = {.ts = ts,
                             .thread = writer_intern_thread(w, n->pid, n->tid),
                             .category = writer_intern(w, STR("process")),
                             .name = writer_intern(w, STR("no context switches from here on"))};
    writer_instant(w, &e);
    output_end(o);
    unseen_add(&s->unseen, n->pid, living_make(&s->living, n->tid)->name);
    if (life)
        lives_call(life, living_make(&s->living, n->tid)->name);
}

/* Writes the ends of unseen processes: as switches from an idle CPU, because this one runs the
 * recorder. */
static void write_ends(struct switches *s, struct output *o, const struct ticks *ticks) {
    struct switches_news n = {0};
    while (unseen_next_end(&s->unseen, &n.pid)) {
        uint64_t ts;
        int cpu, tries = 0;
        do {
            cpu = sched_getcpu();
            ts = ticks_now(ticks);
        } while (cpu != sched_getcpu() && tries++ < 10);
        n.tid = n.pid;
        n.cpu = cpu > 0 ? (uint32_t)cpu : 0;
        write_switch(s, &n, ts, false, DEAD);
        struct life *life = lives_find(&s->lives, n.pid);
        if (life)
            lives_write_end(&s->lives, o, life, ts);
    }
}

static void write_leave(struct switches *s, const struct switches_news *n, uint64_t ts) {
    bool blocks = (n->flags & PERF_RECORD_MISC_SWITCH_OUT_PREEMPT) == 0;
    if (s->stacks.leaves.n > 0)
        stacks_leave(&s->stacks, s->output, n->tid, n->cpu, blocks, ts);
    write_switch(s, n, ts, false, blocks ? BLOCKED : RUNNABLE);
}

static void write_arrive(struct switches *s, const struct switches_news *n, uint64_t ts) {
    calls_run(&s->calls, s->output, n->tid, ts);
    write_switch(s, n, ts, true, RUNNABLE);
}

/* Only of threads that are recorded. */
static void take_wake(struct switches *s, unsigned ring, const struct perf_news *news,
                      uint64_t ts) {
    if (news->lost > 0) {
        s->wakes.lost += news->lost;
        output_dropped(s->output, OUTPUT_OWN);
        return;
    }
    struct wake wake = wakes_read(&s->wakes, ring, news);
    if (!living_find(&s->living, wake.tid))
        return;
    struct writer *w = output_begin(s->output, OUTPUT_OWN);
    bool known = wake.waker != 0 && living_find(&s->living, wake.waker);
    struct writer_argument waker =
        writer_number(FXT_ARG_KOID, writer_intern(w, STR("waker")), wake.waker);
    writer_wakeup(w, ts, wake.cpu, wake.tid, (struct writer_arguments){&waker, known});
    output_end(s->output);
}

static void take_sample(struct switches *s, const struct switches_news *n,
                        const struct ticks *ticks) {
    const struct perf_news news = {n->time, n->pid, n->tid, n->cpu, n->more, n->size};
    unsigned number;
    switch (other_of(s, n->flags, &number)) {
    case STACKS:
        stacks_take(&s->stacks, number, &news, s->output, ticks);
        break;
    case CALLS:
        calls_take(&s->calls, number, &news, s->output, ticks_of(ticks, n->time));
        break;
    default:
        take_wake(s, number, &news, ticks_of(ticks, n->time));
    }
}

/* Whether a thread that forks has ended while it was attached, so that no record has its end. A
 * later one has the number again. */
static bool is_over(struct switches *s, uint32_t tid) {
    uint64_t state = u64map_get(&s->attached, u64map_key(tid));
    if (state == ENDED)
        forget_events(s, tid);
    if (state == ENDED || state == REFUSED)
        u64map_set(&s->attached, u64map_key(tid), UINT64_MAX);
    return state == REFUSED;
}

/* A thread leaves its processor once more after its end, which events of processors show. */
static bool has_exited(const struct switches *s, uint32_t tid) {
    return s->everywhere && living_has_ended(&s->living, tid);
}

static void take_one(struct switches *s, struct output *o, const struct switches_news *n,
                     const struct ticks *ticks) {
    uint64_t ts = ticks_of(ticks, n->time);
    s->latest = ts > s->latest ? ts : s->latest;
    switch (n->kind) {
    case PERF_RECORD_SWITCH:
        if (has_exited(s, n->tid))
            break;
        count_switch(s, o, n, ts);
        if (n->flags & PERF_RECORD_MISC_SWITCH_OUT)
            write_leave(s, n, ts);
        else
            write_arrive(s, n, ts);
        break;
    case PERF_RECORD_FORK: {
        if (is_over(s, n->tid))
            break;
        char name[16];
        memcpy(name, living_make(&s->living, n->more & 0xffffffff)->name, sizeof name);
        memcpy(living_make(&s->living, n->tid)->name, name, sizeof name);
        living_make(&s->living, n->tid)->pid = n->pid;
        write_names(o, n, name);
        write_fork(s, o, n, ts);
        break;
    }
    case PERF_RECORD_COMM:
        memcpy(living_make(&s->living, n->tid)->name, n->name, sizeof n->name);
        living_make(&s->living, n->tid)->pid = n->pid;
        write_names(o, n, n->name);
        if (n->flags & PERF_RECORD_MISC_COMM_EXEC) {
            images_forget(&s->stacks.images, n->pid);
            living_make(&s->living, n->tid)->execs = true;
            calls_exec(&s->calls, n->pid);
            write_exec(s, o, n, ts);
            s->busy_until = ticks_monotonic() + BUSY_NS;
        } else if (n->tid != n->pid) {
            alone_take(&s->alone, n->pid, n->name, living_make(&s->living, n->pid)->name);
        }
        break;
    case PERF_RECORD_MMAP2:
        stacks_map(&s->stacks, s->bodies.v + n->more, n->size,
                   n->flags & PERF_RECORD_MISC_MMAP_BUILD_ID);
        living_make(&s->living, n->tid)->execs = false;
        break;
    case PERF_RECORD_MMAP:
        living_make(&s->living, n->tid)->execs = false;
        break;
    case PERF_RECORD_SAMPLE:
        take_sample(s, n, ticks);
        break;
    case PERF_RECORD_EXIT:
        take_status(s, n);
        calls_end(&s->calls, o, n->tid, ts);
        write_exit(s, o, n, ts);
        forget(s, n->tid);
        break;
    default:
        s->lost += n->more;
        output_dropped(o, OUTPUT_OWN);
    }
}

static struct perf_ring *ring_at(const struct switches *s, unsigned i) {
    return i < s->rings.n ? &s->rings.v[i] : other_ring(s, i - s->rings.n);
}

/* Whether the rings are few, and the records of each are in order. */
static bool can_merge(const struct switches *s) {
    unsigned n = s->rings.n + others(s);
    if (n > MERGED)
        return false;
    for (unsigned i = 0; i < n; i++)
        for (size_t k = ring_at(s, i)->at + 1; k < ring_at(s, i)->end; k++)
            if (s->news.v[k - 1].time > s->news.v[k].time)
                return false;
    return true;
}

/* The ring with the earliest record; NULL: all are written. */
static struct perf_ring *next_ring(struct switches *s) {
    struct perf_ring *next = NULL;
    for (unsigned i = 0; i < s->rings.n + others(s); i++) {
        struct perf_ring *ring = ring_at(s, i);
        if (ring->at < ring->end && (!next || s->news.v[ring->at].time < s->news.v[next->at].time))
            next = ring;
    }
    return next;
}

static void write_all(struct switches *s, const struct ticks *ticks) {
    if (can_merge(s)) {
        for (struct perf_ring *ring; (ring = next_ring(s)) != NULL; ring->at++)
            take_one(s, s->output, &s->news.v[ring->at], ticks);
        return;
    }
    qsort(s->news.v, s->news.n, sizeof *s->news.v, earlier);
    for (size_t i = 0; i < s->news.n; i++)
        take_one(s, s->output, &s->news.v[i], ticks);
}

void switches_take(struct switches *s, struct output *o, const struct ticks *ticks) {
    uint64_t now = ticks_monotonic();
    s->news.n = s->bodies.n = 0;
    s->output = o;
    for (unsigned i = 0; i < s->rings.n; i++)
        drain(s, &s->rings.v[i], now);
    for (unsigned i = 0; i < others(s); i++)
        drain_others(s, i, now);
    calls_scan(&s->calls);
    if (s->news.n > 0)
        write_all(s, ticks);
    for (unsigned i = 0; i < others(s); i++)
        perf_rings_release(other_ring(s, i));
    calls_step(&s->calls, o, now, false);
    if (s->stacks.rings.n > 0)
        stacks_step(&s->stacks, o);
    write_ends(s, o, ticks);
    now = s->busy_until > 0 ? ticks_monotonic() : 0;
    s->take_at = now < s->busy_until ? now + SOON_NS : 0;
}

void switches_finish(struct switches *s, struct output *o) {
    calls_step(&s->calls, o, 0, true);
}

bool switches_has_threads(const struct switches *s) {
    return living_any(&s->living) || s->unseen.v.n > 0;
}

/* The rings that may fill between two ticks: not those of threads that leave their processors. */
static const struct perf_rings *polled(const struct switches *s, unsigned kind) {
    const struct perf_rings *const kinds[] = {&s->rings, &s->stacks.rings, &s->calls.rings,
                                              &s->wakes.rings};
    return kind < sizeof kinds / sizeof *kinds ? kinds[kind] : NULL;
}

size_t switches_fds(const struct switches *s) {
    size_t n = s->unseen.v.n + 1;
    for (unsigned kind = 0; polled(s, kind); kind++)
        n += polled(s, kind)->n;
    return n;
}

int switches_fd(const struct switches *s, size_t i) {
    for (unsigned kind = 0; polled(s, kind); i -= polled(s, kind++)->n)
        if (i < polled(s, kind)->n)
            return polled(s, kind)->v[i].fd;
    return i < s->unseen.v.n ? s->unseen.v.v[i].fd : names_fd(&s->stacks.names);
}
