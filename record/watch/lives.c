/* lives.c - writes processes as operations, and their forks as flows.
 *
 * CPU time and switches are those of the kernel's records. The rest is there if the parent has not
 * noticed the end so far, and the status also by a descriptor that was opened before. */
#include "record/watch/lives.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#include "record/watch/death.h"

#define WATCHES 256 /* descriptors at most */
#define ARGUMENTS 12
#define OTHER_MS 2    /* to wait for an end after its record */
#define CHILD_MS 1000 /* the same of our own child, on a busy machine */

struct life *lives_find(const struct lives *l, uint32_t pid) {
    uint64_t place = u64map_get(&l->places, pid);
    return place == UINT64_MAX || place == 0 ? NULL : &l->v.v[place - 1];
}

static void forget(struct lives *l, struct life *life) {
    if (life->watch >= 0) {
        close(life->watch);
        l->watches--;
    }
    u64map_set(&l->places, life->pid, 0);
    life->pid = 0;
    vec_push(&l->unused, (uint32_t)(life - l->v.v));
}

struct life *lives_begin(struct lives *l, uint32_t pid, uint32_t parent, uint64_t ts) {
    struct life *old = lives_find(l, pid);
    if (old) /* its end was lost */
        forget(l, old);
    uint32_t at = (uint32_t)l->v.n;
    if (l->unused.n > 0)
        at = l->unused.v[--l->unused.n];
    else
        vec_push(&l->v, (struct life){0});
    l->v.v[at] =
        (struct life){.pid = pid, .parent = parent, .threads = 1, .since = ts, .watch = -1};
    u64map_set(&l->places, pid, at + 1);
    l->begun++;
    return &l->v.v[at];
}

void lives_watch(struct lives *l, struct life *life) {
    if (life->watch >= 0 || l->watches >= WATCHES)
        return;
    life->watch = death_watch((pid_t)life->pid);
    l->watches += life->watch >= 0;
}

void lives_close(struct lives *l) {
    for (size_t i = 0; i < l->v.n; i++)
        if (l->v.v[i].pid > 0 && l->v.v[i].watch >= 0)
            close(l->v.v[i].watch);
    vec_free(&l->v);
    vec_free(&l->unused);
    u64map_free(&l->places);
}

static struct writer_event event_of(struct writer *w, uint32_t pid, uint32_t tid, const char *name,
                                    uint64_t ts) {
    return (struct writer_event){.ts = ts,
                                 .thread = writer_intern_thread(w, pid, tid),
                                 .category = writer_intern(w, STR("process")),
                                 .name = writer_intern(w, str_of(name))};
}

static void write_flow(struct output *o, enum fxt_event type, uint32_t pid, uint32_t tid,
                       uint64_t id, uint64_t ts) {
    struct writer *w = output_begin(o, OUTPUT_OWN);
    struct writer_event e = event_of(w, pid, tid, "fork", ts);
    writer_flow(w, type, &e, id);
    output_end(o);
}

void lives_write_fork(struct lives *l, struct output *o, struct life *life, uint32_t parent_tid,
                      uint64_t ts) {
    life->flow = ++l->ids;
    write_flow(o, FXT_FLOW_BEGIN, life->parent, parent_tid, life->flow, ts);
}

void lives_write_run(struct output *o, struct life *life, uint64_t ts) {
    if (life->flow > 0)
        write_flow(o, FXT_FLOW_END, life->pid, life->pid, life->flow, ts);
    life->flow = 0;
}

static void write_begin(struct lives *l, struct output *o, struct life *life, struct str command,
                        uint64_t ts) {
    struct writer *w = output_begin(o, OUTPUT_OWN);
    const struct writer_argument args[2] = {
        writer_number(FXT_ARG_KOID, writer_intern(w, STR("parent")), life->parent),
        writer_text(writer_intern(w, STR("command")), writer_inline(command))};
    struct writer_event e = event_of(w, life->pid, life->pid, life->name, ts);
    e.args = (struct writer_arguments){args, command.n > 0 ? 2 : 1};
    life->id = ++l->ids;
    writer_async(w, FXT_ASYNC_BEGIN, &e, life->id);
    output_end(o);
}

/* The record has been begun, with its arguments. */
static void write_end(struct output *o, const struct life *life, struct writer_arguments args,
                      uint64_t ts) {
    struct writer_event e = event_of(&o->writer, life->pid, life->pid, life->name, ts);
    e.args = args;
    writer_async(&o->writer, FXT_ASYNC_END, &e, life->id);
    output_end(o);
}

void lives_write_exec(struct lives *l, struct output *o, struct life *life, const char *name,
                      struct str command, uint64_t ts) {
    bool first = life->id == 0;
    if (!first) {
        output_begin(o, OUTPUT_OWN);
        write_end(o, life, (struct writer_arguments){NULL, 0}, ts);
    }
    snprintf(life->name, sizeof life->name, "%s", name);
    write_begin(l, o, life, command, first ? life->since : ts);
    lives_watch(l, life);
}

/* ---- what it used ---- */

struct used {
    struct output *output;
    struct writer_argument v[ARGUMENTS];
    size_t n;
};

static void put(struct used *u, const char *name, uint64_t number) {
    if (u->n < ARGUMENTS)
        u->v[u->n++] =
            writer_number(FXT_ARG_UINT64, writer_intern(&u->output->writer, str_of(name)), number);
}

/* CPU time and page faults, of the process alone. */
static void put_stat(struct used *u, const struct death_numbers *d) {
    uint64_t tick = 1000000000 / (uint64_t)sysconf(_SC_CLK_TCK);
    put(u, "user ns", d->user * tick);
    put(u, "system ns", d->system * tick);
    put(u, "minor faults", d->minor);
    put(u, "major faults", d->major);
}

static void put_io(struct used *u, uint32_t pid) {
    char path[40], line[64];
    unsigned long long read = 0, written = 0;
    bool any = false;
    snprintf(path, sizeof path, "/proc/%lu/io", (unsigned long)pid);
    FILE *f = fopen(path, "re");
    while (f && fgets(line, sizeof line, f)) {
        any = true;
        if (strncmp(line, "rchar: ", 7) == 0)
            read = strtoull(line + 7, NULL, 10);
        if (strncmp(line, "wchar: ", 7) == 0)
            written = strtoull(line + 7, NULL, 10);
    }
    if (f)
        fclose(f);
    if (!any)
        return;
    put(u, "read bytes", read);
    put(u, "written bytes", written);
}

/* The kernel knows it of a child of ours whose end is not taken, and counts the children that this
 * has waited for. */
static void put_peak(struct used *u, const struct life *life) {
    siginfo_t info = {.si_pid = 0};
    struct rusage usage;
    if (syscall(SYS_waitid, P_PID, (id_t)life->pid, &info, WEXITED | WNOHANG | WNOWAIT, &usage) ==
            0 &&
        info.si_pid == (pid_t)life->pid)
        put(u, life->forked ? "peak bytes with children" : "peak bytes",
            (uint64_t)usage.ru_maxrss * 1024);
}

void lives_call(struct life *life, const char *name) {
    if (life->id == 0)
        snprintf(life->name, sizeof life->name, "%s", name);
}

void lives_write_end(struct lives *l, struct output *o, struct life *life, uint64_t ts) {
    struct used used = {.output = o};
    struct death_numbers d;
    if (life->id == 0)
        write_begin(l, o, life, STR(""), life->since);
    bool zombie = death_numbers(life->watch, (pid_t)life->pid,
                                life->parent == (uint32_t)getpid() ? CHILD_MS : OTHER_MS, &d);
    output_begin(o, OUTPUT_OWN);
    if (d.known)
        put(&used, WIFSIGNALED(d.status) ? "signal" : "status",
            WIFSIGNALED(d.status) ? (uint64_t)WTERMSIG(d.status) : (uint64_t)WEXITSTATUS(d.status));
    else if (life->status > 0)
        put(&used, "status", (uint64_t)life->status - 1);
    put(&used, "cpu ns", life->cpu);
    put(&used, "blocked", life->blocked);
    put(&used, "preempted", life->preempted);
    if (zombie) {
        put_stat(&used, &d);
        put_io(&used, life->pid);
        put_peak(&used, life);
    }
    write_end(o, life, (struct writer_arguments){used.v, used.n}, ts);
    forget(l, life);
}
