/* attach.c - processes that run already, as /proc has them.
 *
 * A number may be used again by another process. So each process that was named has a descriptor,
 * which the kernel has from Linux 5.3 on. */
#include "record/watch/attach.h"

#include <dirent.h>
#include <poll.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "record/watch/death.h"

#define KERNEL_THREAD 0x00200000 /* of the kernel's flags of a process */
#define EXITING 4                /* another one */
#define TASKS (1u << 20)         /* more threads are not looked for */

struct status { /* of a thread */
    char state;
    unsigned long parent, flags, process, user;
    char name[16];
};

static size_t read_text(const char *path, char *text, size_t size) {
    FILE *f = fopen(path, "re");
    size_t n = f ? fread(text, 1, size - 1, f) : 0;
    if (f)
        fclose(f);
    text[n] = 0;
    return n;
}

/* The number after a label at the begin of a line. */
static unsigned long after(const char *text, const char *label) {
    const char *at = strstr(text, label);
    return at ? strtoul(at + strlen(label), NULL, 10) : 0;
}

/* False: there is no such thread. */
static bool read_stat(uint32_t pid, const char *task, struct status *s) {
    char path[64], text[1024];
    snprintf(path, sizeof path, "/proc/%lu/%.40sstat", (unsigned long)pid, task);
    read_text(path, text, sizeof text);
    const char *from = strchr(text, '('), *to = strrchr(text, ')');
    *s = (struct status){.state = 0};
    if (from == NULL || to == NULL || to < from || to[1] == 0)
        return false;
    size_t n = (size_t)(to - from) - 1;
    memcpy(s->name, from + 1, n < sizeof s->name ? n : sizeof s->name - 1);
    s->state = to[2];
    const char *at = to + 2;
    for (int field = 4; at && field <= 9; field++) {
        at = strchr(at + 1, ' ');
        unsigned long v = at ? strtoul(at, NULL, 10) : 0;
        s->parent = field == 4 ? v : s->parent;
        s->flags = v;
    }
    return s->state != 0;
}

static bool read_status(uint32_t pid, struct status *s) {
    char path[40], text[4096];
    if (!read_stat(pid, "", s))
        return false;
    snprintf(path, sizeof path, "/proc/%lu/status", (unsigned long)pid);
    read_text(path, text, sizeof text);
    s->process = after(text, "\nTgid:");
    s->user = after(text, "\nUid:");
    return true;
}

static bool check(pid_t pid, struct err *err) {
    struct status s;
    long n = (long)pid;
    if (pid == getpid())
        return err_set(err, ERR_NO_OFFSET, "--pid %ld: fxtop does not record itself", n);
    if (!read_status((uint32_t)pid, &s))
        return err_set(err, ERR_NO_OFFSET, "--pid %ld: there is no such process", n);
    if (s.process != (unsigned long)pid)
        return err_set(err, ERR_NO_OFFSET, "--pid %ld: it is a thread of process %lu", n,
                       s.process);
    if (s.flags & KERNEL_THREAD)
        return err_set(err, ERR_NO_OFFSET,
                       "--pid %ld: it is a thread of the kernel (--all as root has them)", n);
    if (s.state == 'Z' || s.state == 'X')
        return err_set(err, ERR_NO_OFFSET, "--pid %ld: it has ended", n);
    return geteuid() == 0 || s.user == geteuid() ||
           err_set(err, ERR_NO_OFFSET, "--pid %ld: it is another user's", n);
}

bool attach_open(struct attach *a, const pid_t *pids, size_t n, bool all, struct err *err) {
    *a = (struct attach){.all = all};
    for (size_t i = 0; i < n; i++) {
        struct attach_process p = {.pid = pids[i], .end = death_watch(pids[i])};
        vec_push(&a->v, p);
        if (check(pids[i], err))
            continue;
        attach_close(a);
        return false;
    }
    return true;
}

void attach_close(struct attach *a) {
    for (size_t i = 0; i < a->v.n; i++)
        if (a->v.v[i].end >= 0)
            close(a->v.v[i].end);
    vec_free(&a->v);
}

static bool has_ended(const struct attach_process *p) {
    struct pollfd end = {p->end, POLLIN, 0};
    struct status s;
    if (p->end >= 0)
        return poll(&end, 1, 0) > 0;
    return !read_stat((uint32_t)p->pid, "", &s) || s.state == 'Z' || s.state == 'X';
}

bool attach_goes_on(struct attach *a) {
    bool any = a->all;
    for (size_t i = 0; i < a->v.n; i++) {
        struct attach_process *p = &a->v.v[i];
        p->ended = p->ended || has_ended(p);
        if (p->ended && p->end >= 0) {
            close(p->end);
            p->end = -1;
        }
        any = any || !p->ended;
    }
    return any;
}

/* ---- threads ---- */

/* Whether the process is the user's. */
static bool is_own(uint32_t pid) {
    struct status s;
    return geteuid() == 0 || (read_status(pid, &s) && s.user == geteuid());
}

static void list_one(uint32_t pid, bool everywhere, struct attach_threads *threads) {
    char path[40], task[300];
    struct status s;
    if (pid == (uint32_t)getpid() || !read_stat(pid, "", &s) ||
        (!everywhere && ((s.flags & KERNEL_THREAD) || !is_own(pid))))
        return;
    uint32_t parent = (uint32_t)s.parent;
    snprintf(path, sizeof path, "/proc/%lu/task", (unsigned long)pid);
    DIR *d = opendir(path);
    for (const struct dirent *e; d && threads->v.n < TASKS && (e = readdir(d));) {
        uint32_t tid = (uint32_t)strtoul(e->d_name, NULL, 10);
        snprintf(task, sizeof task, "task/%s/", e->d_name);
        if (tid == 0 || !read_stat(pid, task, &s) || s.state == 'Z' || s.state == 'X')
            continue;
        struct attach_thread t = {
            .pid = pid, .parent = parent, .tid = tid, .waits = s.state == 'S' || s.state == 'D'};
        memcpy(t.name, s.name, sizeof t.name);
        vec_push(&threads->v, t);
    }
    if (d)
        closedir(d);
}

bool attach_lives(const struct attach_thread *t) {
    char task[40];
    struct status s;
    snprintf(task, sizeof task, "task/%lu/", (unsigned long)t->tid);
    return read_stat(t->pid, task, &s) && (s.flags & EXITING) == 0;
}

static bool is_listed(const struct attach_threads *threads, uint32_t pid) {
    for (size_t i = 0; i < threads->v.n; i++)
        if (threads->v.v[i].pid == pid)
            return true;
    return false;
}

/* The children of a thread. */
static void list_children(struct attach_threads *threads, size_t of) {
    char path[64], text[8192];
    snprintf(path, sizeof path, "/proc/%lu/task/%lu/children", (unsigned long)threads->v.v[of].pid,
             (unsigned long)threads->v.v[of].tid);
    read_text(path, text, sizeof text);
    for (char *at = text, *end; *at; at = end) {
        uint32_t child = (uint32_t)strtoul(at, &end, 10);
        if (end == at)
            return;
        if (!is_listed(threads, child))
            list_one(child, false, threads);
    }
}

void attach_list(const struct attach *a, bool everywhere, struct attach_threads *threads) {
    for (size_t i = 0; i < a->v.n; i++)
        if (!is_listed(threads, (uint32_t)a->v.v[i].pid))
            list_one((uint32_t)a->v.v[i].pid, false, threads);
    for (size_t i = 0; i < threads->v.n && !a->all; i++) /* grows meanwhile */
        list_children(threads, i);
    DIR *d = a->all ? opendir("/proc") : NULL;
    for (const struct dirent *e; d && (e = readdir(d));) {
        uint32_t pid = (uint32_t)strtoul(e->d_name, NULL, 10);
        if (pid > 0)
            list_one(pid, everywhere, threads);
    }
    if (d)
        closedir(d);
}
