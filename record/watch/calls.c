/* calls.c - system calls, from events of the kernel to slices. */
#include "record/watch/calls.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "record/watch/tracepoints.h"
#include "record/watch/unwind.h"

#define RING (4096u << 10) /* bytes */
#define LONG_NS 20000000   /* then the begin of a call is written */
#define ERROR_MOST 4095

struct entered { /* the bytes of the events */
    uint64_t common, number, arguments[CALL_NAMES_ARGUMENTS];
};

struct left {
    uint64_t common, number, result;
};

struct record {       /* a sample of either */
    uint64_t head[4]; /* IDENTIFIER, TID, TIME, CPU */
    uint32_t size;
    unsigned char bytes[sizeof(struct entered)];
};

/* ---- open and close ---- */

/* A register shows whether a program has 32 bits. */
static struct perf_event_attr enter_attributes(const struct calls *c) {
    struct perf_event_attr a = tracepoints_attributes(c->enter);
    a.sample_type |= PERF_SAMPLE_REGS_USER;
    a.sample_regs_user = UNWIND_MASK & (~UNWIND_MASK + 1);
    return a;
}

static int add_leave(struct calls *c, pid_t pid) {
    const struct perf_event_attr a = tracepoints_attributes(c->leave);
    return perf_rings_add(&c->rings, &a, pid);
}

/* Adds to a refusal what shows the calls of a program anyway. Returns false. */
static bool advise(pid_t pid, struct err *err) {
    char text[sizeof err->text];
    snprintf(text, sizeof text, "%s", err->text);
    if (pid > 0)
        err_set(err, ERR_NO_OFFSET, "%.200s; or --syscalls=ptrace", text);
    return false;
}

static bool open_rings(struct calls *c, pid_t pid, struct err *err) {
    static const char what[] = "no system calls";
    bool memory = false;
    size_t size = RING;
    int why = tracepoints_find("raw_syscalls/sys_enter", &c->enter);
    if (why == 0)
        why = tracepoints_find("raw_syscalls/sys_exit", &c->leave);
    if (why != 0)
        return tracepoints_refused(what, why, err);
    const struct perf_event_attr a = enter_attributes(c);
    why = perf_rings_try(&a);
    if (why == EACCES || why == EPERM)
        return err_set(err, ERR_NO_OFFSET,
                       "%s: kernel.perf_event_paranoid allows them to root alone (sudo sysctl "
                       "kernel.perf_event_paranoid=-1)",
                       what);
    if (why != 0)
        return perf_rings_refused(what, why, false, err);
    do
        why = perf_rings_open(&c->rings, &a, size, pid, &memory);
    while (why != 0 && memory && (size /= 2) >= PERF_RINGS_LEAST);
    if (why == 0 && pid != PERF_RINGS_NONE && (why = add_leave(c, pid)) != 0)
        perf_rings_close(&c->rings);
    for (unsigned i = 0; i < c->rings.n; i++)
        vec_push(&c->scanned, 0);
    c->held = pid > 0 ? (uint32_t)pid : 0;
    return why == 0 || perf_rings_refused(what, why, memory, err);
}

bool calls_open(struct calls *c, pid_t pid, struct err *err) {
    return open_rings(c, pid, err) || advise(pid, err);
}

int calls_add(struct calls *c, pid_t tid) {
    const struct perf_event_attr a = enter_attributes(c);
    int why = perf_rings_add(&c->rings, &a, tid);
    return why != 0 ? why : add_leave(c, tid);
}

void calls_close(struct calls *c) {
    if (c->rings.n > 0)
        perf_rings_close(&c->rings);
    for (size_t i = 0; i < c->v.n; i++)
        free(c->v.v[i].file);
    vec_free(&c->v);
    vec_free(&c->unused);
    vec_free(&c->scanned);
    u64map_free(&c->places);
    descriptors_free(&c->descriptors);
    *c = (struct calls){0};
}

/* ---- calls that threads are in ---- */

static struct call *find(const struct calls *c, uint32_t tid) {
    uint64_t place = u64map_get(&c->places, tid);
    return place == UINT64_MAX || place == 0 ? NULL : &c->v.v[place - 1];
}

static struct call *begin(struct calls *c, uint32_t tid) {
    struct call *known = find(c, tid); /* its end was lost */
    if (known)
        return known;
    uint32_t at = (uint32_t)c->v.n;
    if (c->unused.n > 0)
        at = c->unused.v[--c->unused.n];
    else
        vec_push(&c->v, (struct call){0});
    u64map_set(&c->places, tid, at + 1);
    c->n++;
    return &c->v.v[at];
}

static void forget(struct calls *c, struct call *call) {
    u64map_set(&c->places, call->tid, 0);
    free(call->file);
    call->file = NULL;
    vec_push(&c->unused, (uint32_t)(call - c->v.v));
    call->tid = 0;
    c->n--;
}

/* ---- closes of descriptors ---- */

/* Notes which descriptors a call closes. */
static void note_close(struct calls *c, uint32_t pid, uint64_t time, const struct entered *e) {
    struct descriptors *d = &c->descriptors;
    switch (e->number) { /* of 32-bit programs they are others */
    case SYS_close:
        descriptors_closed(d, pid, (uint32_t)e->arguments[0], time);
        break;
#ifdef SYS_dup2
    case SYS_dup2:
#endif
    case SYS_dup3:
        descriptors_closed(d, pid, (uint32_t)e->arguments[1], time);
        break;
#ifdef SYS_close_range
    case SYS_close_range:
#endif
    case SYS_execve:
    case SYS_execveat:
        descriptors_closed(d, pid, DESCRIPTORS_ALL, time);
        break;
    default:
        break;
    }
}

/* The bytes of an event. */
static void read_record(const struct calls *c, const struct perf_ring *ring, uint64_t at, size_t n,
                        struct record *r) {
    memset(r, 0, sizeof *r);
    perf_rings_copy(&c->rings, ring, at + sizeof(struct perf_event_header), r,
                    n < sizeof *r ? n : sizeof *r);
}

static bool is_enter(const struct calls *c, const struct record *r) {
    uint16_t kind;
    memcpy(&kind, r->bytes, sizeof kind);
    return kind == c->enter;
}

void calls_scan(struct calls *c) {
    for (unsigned i = 0; i < c->rings.n; i++) {
        struct perf_ring ring = c->rings.v[i];
        struct perf_event_header h;
        uint64_t at;
        ring.next = c->scanned.v[i];
        while (perf_rings_next(&c->rings, &ring, &h, &at)) {
            struct record r;
            struct entered e;
            if (h.type != PERF_RECORD_SAMPLE)
                continue;
            read_record(c, &ring, at, h.size - sizeof h, &r);
            memcpy(&e, r.bytes, sizeof e);
            if (is_enter(c, &r))
                note_close(c, (uint32_t)r.head[1], r.head[2], &e);
        }
        c->scanned.v[i] = ring.next;
    }
}

/* The file of a descriptor at a time; NULL: it is not known. */
static const char *file_of(struct calls *c, uint32_t pid, uint64_t number, uint64_t time) {
    if (number > INT32_MAX)
        return NULL;
    const char *path = descriptors_known(&c->descriptors, pid, (uint32_t)number, time);
    if (path)
        return path;
    descriptors_look(&c->descriptors, pid, (uint32_t)number, time);
    calls_scan(c); /* closes up to the look */
    return descriptors_known(&c->descriptors, pid, (uint32_t)number, time);
}

/* ---- slices ---- */

struct arguments {
    struct writer_argument v[15];
    size_t n;
};

static void put(struct arguments *a, struct writer_argument one) {
    if (a->n < sizeof a->v / sizeof *a->v)
        a->v[a->n++] = one;
}

static void put_one(struct arguments *a, struct writer *w, char kind, struct str name,
                    uint64_t value) {
    struct writer_string is = writer_intern(w, name);
    switch (kind) {
    case CALL_DESCRIPTOR:
    case CALL_INT:
        put(a, writer_number(FXT_ARG_INT32, is, (uint32_t)value));
        break;
    case CALL_UNSIGNED:
        put(a, writer_number(FXT_ARG_UINT32, is, (uint32_t)value));
        break;
    case CALL_LONG:
        put(a, writer_number(FXT_ARG_INT64, is, value));
        break;
    case CALL_SIZE:
        put(a, writer_number(FXT_ARG_UINT64, is, value));
        break;
    default:
        put(a, writer_number(FXT_ARG_POINTER, is, value));
    }
}

static void put_path(struct arguments *a, struct writer *w, const char *path) {
    put(a, writer_text(writer_intern(w, STR("file")), writer_intern(w, str_of(path))));
}

static void put_file(struct calls *c, struct arguments *a, struct writer *w,
                     const struct call *call, uint64_t number, uint64_t time) {
    const char *path = file_of(c, call->pid, number, time);
    if (path)
        put_path(a, w, path);
}

static void put_arguments(struct calls *c, struct arguments *a, struct writer *w,
                          const struct call *call) {
    const struct call_name *name = call_names_find(call->number, call->narrow);
    if (call->file) /* the first text is shown after the name */
        put_path(a, w, call->file);
    for (unsigned i = 0; i < name->n && !c->traced; i++)
        if (name->arguments[i].kind == CALL_DESCRIPTOR)
            put_file(c, a, w, call, (uint32_t)call->arguments[i], call->time);
    for (unsigned i = 0; i < name->n; i++)
        put_one(a, w, name->arguments[i].kind, name->arguments[i].name, call->arguments[i]);
}

static void put_result(struct calls *c, struct arguments *a, struct writer *w,
                       const struct call *call, uint64_t result, uint64_t time) {
    struct str error = result >= (uint64_t)-ERROR_MOST ? call_names_error(-result) : STR("");
    if (error.n > 0) {
        put(a, writer_text(writer_intern(w, STR("error")), writer_intern(w, error)));
        return;
    }
    put_one(a, w, CALL_LONG, STR("result"), result);
    if (!call_names_opens(call_names_find(call->number, call->narrow)))
        return;
    if (!c->traced)
        put_file(c, a, w, call, result, time);
    else if (call->file && call->begun)
        put_path(a, w, call->file);
}

static struct writer_event event_of(struct writer *w, const struct call *call, uint64_t ts) {
    struct str name = call_names_find(call->number, call->narrow)->name;
    char text[32];
    if (name.n == 0) {
        snprintf(text, sizeof text, "syscall %ld", (long)call->number);
        name = str_of(text);
    }
    return (struct writer_event){.ts = ts,
                                 .thread = writer_intern_thread(w, call->pid, call->tid),
                                 .category = writer_intern(w, STR("syscall")),
                                 .name = writer_intern(w, name)};
}

static void write_begin(struct calls *c, struct output *o, struct call *call) {
    struct arguments a = {.n = 0};
    struct writer *w = output_begin(o, OUTPUT_OWN);
    struct writer_event e = event_of(w, call, call->ts);
    put_arguments(c, &a, w, call);
    e.args = (struct writer_arguments){a.v, a.n};
    writer_begin(w, &e);
    output_end(o);
    call->begun = true;
}

/* result: NULL: it has none. */
static void write_end(struct calls *c, struct output *o, struct call *call, const uint64_t *result,
                      uint64_t time, uint64_t ts) {
    struct arguments a = {.n = 0};
    struct writer *w = output_begin(o, OUTPUT_OWN);
    struct writer_event e = event_of(w, call, call->begun ? ts : call->ts);
    if (!call->begun)
        put_arguments(c, &a, w, call);
    if (result)
        put_result(c, &a, w, call, *result, time);
    e.args = (struct writer_arguments){a.v, a.n};
    if (call->begun)
        writer_end(w, &e);
    else
        writer_complete(w, &e, ts);
    output_end(o);
    forget(c, call);
}

/* ---- events ---- */

bool calls_next(struct calls *c, unsigned ring, uint64_t until, struct perf_news *news) {
    return perf_rings_news(&c->rings, &c->rings.v[ring], until, news);
}

/* Whether the registers of an entry are those of a 32-bit program. */
static bool is_narrow(const struct calls *c, const struct perf_ring *ring, uint64_t at, size_t n) {
    size_t place = sizeof(struct perf_event_header) + sizeof(uint64_t[4]);
    uint32_t size;
    uint64_t abi = PERF_SAMPLE_REGS_ABI_64;
    perf_rings_copy(&c->rings, ring, at + place, &size, sizeof size);
    place += sizeof size + size;
    if (place + sizeof abi <= n)
        perf_rings_copy(&c->rings, ring, at + place, &abi, sizeof abi);
    return sizeof(long) == 8 && abi == PERF_SAMPLE_REGS_ABI_32;
}

/* A thread enters a call. */
static struct call *enter(struct calls *c, struct output *o, const struct call *call) {
    struct call *known = find(c, call->tid);
    if (known && known->begun) /* its end was lost, or was before the rings */
        write_end(c, o, known, NULL, call->time, call->ts);
    known = begin(c, call->tid);
    free(known->file);
    *known = *call;
    return known;
}

static void set_file(struct call *call, const char *file) {
    free(call->file);
    call->file = file ? err_copy(file, strlen(file)) : NULL;
}

void calls_enter(struct calls *c, struct output *o, const struct call *call, const char *file) {
    c->traced = true;
    set_file(enter(c, o, call), file);
}

void calls_leave(struct calls *c, struct output *o, const struct call *at, uint64_t result,
                 const char *file) {
    struct call *call = find(c, at->tid);
    if (call == NULL) /* it was before */
        return;
    if (file)
        set_file(call, file);
    write_end(c, o, call, &result, at->time, at->ts);
}

void calls_take(struct calls *c, unsigned i, const struct perf_news *news, struct output *o,
                uint64_t ts) {
    const struct perf_ring *ring = &c->rings.v[i];
    struct perf_event_header h;
    struct record r;
    if (news->lost > 0) {
        c->lost += news->lost;
        output_dropped(o, OUTPUT_OWN);
        return;
    }
    if (news->pid == 0 ||
        news->pid == (uint32_t)getpid()) /* each that is written would be others */
        return;
    perf_rings_copy(&c->rings, ring, news->at, &h, sizeof h);
    read_record(c, ring, news->at, h.size - sizeof h, &r);
    if (is_enter(c, &r)) {
        struct entered e;
        memcpy(&e, r.bytes, sizeof e);
        struct call call = {.pid = news->pid,
                            .tid = news->tid,
                            .number = e.number,
                            .time = news->time,
                            .ts = ts,
                            .narrow = is_narrow(c, ring, news->at, h.size)};
        memcpy(call.arguments, e.arguments, sizeof call.arguments);
        enter(c, o, &call);
        return;
    }
    struct left left;
    memcpy(&left, r.bytes, sizeof left);
    struct call *call = find(c, news->tid);
    if (call && call->pid == c->held)
        forget(c, call);
    else if (call) /* else it was before, or is a child that begins with the end of its parent's */
        write_end(c, o, call, &left.result, news->time, ts);
}

void calls_exec(struct calls *c, uint32_t pid) {
    c->held = c->held == pid ? 0 : c->held;
}

void calls_run(struct calls *c, struct output *o, uint32_t tid, uint64_t ts) {
    struct call *call = c->n > 0 && c->rings.n == 0 ? find(c, tid) : NULL;
    if (call)
        write_end(c, o, call, NULL, 0, ts);
}

void calls_end(struct calls *c, struct output *o, uint32_t tid, uint64_t ts) {
    struct call *call = c->n > 0 ? find(c, tid) : NULL;
    if (call)
        write_end(c, o, call, NULL, 0, ts);
}

void calls_cut(struct calls *c, struct output *o, uint64_t ts) {
    for (size_t i = 0; i < c->v.n && c->n > 0; i++)
        if (c->v.v[i].tid != 0)
            write_end(c, o, &c->v.v[i], NULL, 0, ts);
}

int calls_status(const struct calls *c, uint32_t tid) {
    const struct call *call = c->n > 0 ? find(c, tid) : NULL;
    const struct call_name *name = call ? call_names_find(call->number, call->narrow) : NULL;
    bool exits = name && str_eq(name->name, STR("exit_group")) && !call->before;
    return exits ? (int)(call->arguments[0] & 255) : -1;
}

void calls_forget(struct calls *c, uint32_t tid) {
    struct call *call = find(c, tid);
    if (call)
        forget(c, call);
}

void calls_step(struct calls *c, struct output *o, uint64_t now, bool all) {
    for (size_t i = 0; i < c->v.n && c->n > 0; i++) {
        struct call *call = &c->v.v[i];
        if (call->tid != 0 && call->pid != c->held && !call->begun &&
            (all || now > call->time + LONG_NS))
            write_begin(c, o, call);
    }
}

/* /proc/PID/task/TID/syscall: the number and six arguments, if the thread is blocked in one. */
void calls_look(struct calls *c, uint32_t pid, uint32_t tid, uint64_t time, uint64_t ts) {
    char path[64], text[256] = "", *at = text, *end;
    snprintf(path, sizeof path, "/proc/%lu/task/%lu/syscall", (unsigned long)pid,
             (unsigned long)tid);
    FILE *f = fopen(path, "re");
    bool any = f && fgets(text, sizeof text, f);
    if (f)
        fclose(f);
    uint64_t number = strtoull(text, &end, 10);
    if (!any || *text < '0' || *text > '9' || end == text)
        return;
    struct call *call = begin(c, tid);
    *call = (struct call){
        .pid = pid, .tid = tid, .number = number, .time = time, .ts = ts, .before = true};
    at = end;
    for (unsigned i = 0; i < CALL_NAMES_ARGUMENTS; i++)
        call->arguments[i] = strtoull(at, &at, 16);
}
