/* perf_rings.c - events of the kernel in ring buffers, one for each processor.
 *
 * Threads that already run need an event each. They share rings, whose own event is one of this
 * process that never happens: so the rings outlive each of the threads. */
#include "record/watch/perf_rings.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/mman.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "src/base/clock.h"

static struct perf_event_attr for_target(const struct perf_event_attr *attr, pid_t pid) {
    struct perf_event_attr a = *attr;
    if (pid == PERF_RINGS_ALL)
        a.inherit = 0;
    if (pid != PERF_RINGS_NONE)
        return a;
    memset(&a, 0, sizeof a);
    a.size = sizeof a;
    a.type = PERF_TYPE_SOFTWARE;
    a.config = PERF_COUNT_SW_DUMMY;
    a.disabled = 1;
    a.exclude_kernel = 1;
    a.use_clockid = attr->use_clockid;
    a.clockid = attr->clockid;
    return a;
}

static void note_owner(struct perf_rings *r, int fd, pid_t tid) {
    uint64_t event;
    if (ioctl(fd, PERF_EVENT_IOC_ID, &event) == 0)
        u64map_set(&r->owners, u64map_key(event), (uint64_t)tid);
}

/* Two events make the same records one after the other, sometimes far apart: if the last record of
 * a kind on the processor was that of another event, this is its second one. A thread that leaves
 * is of another kind than one that comes. */
static bool is_second(struct perf_rings *r, const struct perf_event_header *h,
                      const struct perf_news *n, uint64_t event) {
    uint64_t place = u64map_key((uint64_t)h->type << 48 | (uint64_t)n->cpu << 32 | n->tid),
             way = h->type == PERF_RECORD_SWITCH && h->misc & PERF_RECORD_MISC_SWITCH_OUT,
             last = u64map_get(&r->last, place);
    if (last != UINT64_MAX && (last & 1) == way && last >> 1 != event)
        return true;
    u64map_set(&r->last, place, event << 1 | way);
    return false;
}

bool perf_rings_twice(struct perf_rings *r, const struct perf_event_header *h,
                      const struct perf_news *n, uint64_t event) {
    uint64_t owner = u64map_get(&r->owners, u64map_key(event)),
             since = u64map_get(&r->since, u64map_key(n->tid));
    if (owner == UINT64_MAX) /* no thread has events of its own */
        return false;
    if (since == UINT64_MAX) /* this one has none */
        return owner == n->tid;
    if (owner == n->tid && n->time < since)
        return true;
    if (h->type == PERF_RECORD_SAMPLE) /* those of two events have other times */
        return owner != n->tid && n->time >= since;
    return is_second(r, h, n, event);
}

static bool open_ring(struct perf_ring *ring, struct perf_event_attr a, size_t size, pid_t pid,
                      int cpu) {
    long page = sysconf(_SC_PAGESIZE);
    a.watermark = 1;
    a.wakeup_watermark = (uint32_t)size / 2;
    *ring = (struct perf_ring){.cpu = cpu, .memory = MAP_FAILED};
    ring->fd = (int)syscall(SYS_perf_event_open, &a, pid, cpu, -1, PERF_FLAG_FD_CLOEXEC);
    if (ring->fd >= 0)
        ring->memory =
            mmap(NULL, (size_t)page + size, PROT_READ | PROT_WRITE, MAP_SHARED, ring->fd, 0);
    return ring->memory != MAP_FAILED;
}

int perf_rings_open(struct perf_rings *r, const struct perf_event_attr *attr, size_t size,
                    pid_t pid, bool *memory) {
    long cpus = sysconf(_SC_NPROCESSORS_CONF);
    const struct perf_event_attr a = for_target(attr, pid);
    *memory = false;
    *r = (struct perf_rings){.data = size};
    r->v = err_calloc(cpus > 0 ? (size_t)cpus : 1, sizeof *r->v);
    for (long cpu = 0; cpu < cpus; cpu++) {
        if (open_ring(&r->v[r->n], a, size, pid, (int)cpu)) {
            r->n++;
            continue;
        }
        int why = errno;
        *memory = r->v[r->n].fd >= 0;
        if (*memory)
            close(r->v[r->n].fd);
        if (why == ENODEV) /* the processor is offline */
            continue;
        perf_rings_close(r);
        return why;
    }
    if (r->n == 0)
        perf_rings_close(r);
    return r->n > 0 ? 0 : ENODEV;
}

int perf_rings_try(const struct perf_event_attr *attr) {
    struct perf_event_attr a = *attr;
    a.disabled = 1;
    int fd = (int)syscall(SYS_perf_event_open, &a, 0, -1, -1, PERF_FLAG_FD_CLOEXEC),
        why = fd < 0 ? errno : 0;
    if (fd >= 0)
        close(fd);
    return why;
}

uint64_t perf_rings_since(const struct perf_rings *r, pid_t tid) {
    uint64_t since = u64map_get(&r->since, u64map_key((uint64_t)tid));
    return since == UINT64_MAX ? 0 : since;
}

void perf_rings_forget(struct perf_rings *r, pid_t tid) {
    if (u64map_get(&r->since, u64map_key((uint64_t)tid)) != UINT64_MAX)
        u64map_set(&r->since, u64map_key((uint64_t)tid), UINT64_MAX);
}

int perf_rings_add(struct perf_rings *r, const struct perf_event_attr *attr, pid_t tid) {
    size_t before = r->more.n;
    int why = 0;
    for (unsigned i = 0; i < r->n && why == 0; i++) {
        struct perf_event_attr a = for_target(attr, tid);
        int fd = (int)syscall(SYS_perf_event_open, &a, tid, r->v[i].cpu, -1, PERF_FLAG_FD_CLOEXEC);
        why = fd < 0 ? errno : 0;
        if (fd >= 0)
            vec_push(&r->more, fd);
        if (fd >= 0 && ioctl(fd, PERF_EVENT_IOC_SET_OUTPUT, r->v[i].fd) != 0)
            why = errno;
        if (why == 0)
            note_owner(r, fd, tid);
    }
    if (why == 0)
        u64map_set(&r->since, u64map_key((uint64_t)tid), (uint64_t)clock_now());
    else
        perf_rings_forget(r, tid);
    while (why != 0 && r->more.n > before)
        close(r->more.v[--r->more.n]);
    return why;
}

void perf_rings_close(struct perf_rings *r) {
    for (size_t i = 0; i < r->more.n; i++)
        close(r->more.v[i]);
    vec_free(&r->more);
    u64map_free(&r->owners);
    u64map_free(&r->since);
    u64map_free(&r->last);
    for (unsigned i = 0; i < r->n; i++) {
        munmap(r->v[i].memory, (size_t)sysconf(_SC_PAGESIZE) + r->data);
        close(r->v[i].fd);
    }
    free(r->v);
    *r = (struct perf_rings){0};
}

bool perf_rings_refused(const char *what, int why, bool memory, struct err *err) {
    char line[32] = "";
    FILE *f = fopen("/proc/sys/kernel/perf_event_paranoid", "re");
    if (f && !fgets(line, sizeof line, f))
        line[0] = 0;
    if (f)
        fclose(f);
    long level = strtol(line, NULL, 10);
    if (memory)
        return err_set(err, ERR_NO_OFFSET,
                       "%s: no memory to lock is left, as for another recording (see ulimit -l): "
                       "%s",
                       what, strerror(why));
    if (level > 2)
        return err_set(err, ERR_NO_OFFSET,
                       "%s: kernel.perf_event_paranoid is %ld (sudo sysctl "
                       "kernel.perf_event_paranoid=2)",
                       what, level);
    if (why == ESRCH)
        return err_set(err, ERR_NO_OFFSET, "%s: the program has ended", what);
    bool forbidden = why == EPERM || why == EACCES || why == ENOSYS;
    return err_set(err, ERR_NO_OFFSET, "%s: perf_event_open%s: %s", what,
                   forbidden ? " is refused, as in most containers" : "", strerror(why));
}

void perf_rings_copy(const struct perf_rings *r, const struct perf_ring *ring, uint64_t at,
                     void *to, size_t n) {
    const char *data = (const char *)ring->memory + sysconf(_SC_PAGESIZE);
    size_t from = (size_t)(at % r->data), first = n < r->data - from ? n : r->data - from;
    memcpy(to, data + from, first);
    memcpy((char *)to + first, data, n - first);
}

bool perf_rings_next(const struct perf_rings *r, struct perf_ring *ring,
                     struct perf_event_header *h, uint64_t *at) {
    const struct perf_event_mmap_page *page = ring->memory;
    uint64_t head = __atomic_load_n(&page->data_head, __ATOMIC_ACQUIRE);
    if (head - ring->next < sizeof *h)
        return false;
    perf_rings_copy(r, ring, ring->next, h, sizeof *h);
    if (h->size < sizeof *h || h->size > head - ring->next)
        return false;
    *at = ring->next;
    ring->next += h->size;
    return true;
}

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

bool perf_rings_news(struct perf_rings *rings, struct perf_ring *ring, uint64_t until,
                     struct perf_news *news) {
    struct perf_event_header h;
    uint64_t at;
    while (perf_rings_next(rings, ring, &h, &at)) {
        size_t n = h.size - sizeof h;
        *news = (struct perf_news){.at = at};
        if (h.type == PERF_RECORD_SAMPLE && n >= sizeof(struct head)) {
            struct head head;
            perf_rings_copy(rings, ring, at + sizeof h, &head, sizeof head);
            news->time = head.time;
            news->pid = head.pid;
            news->tid = head.tid;
            news->cpu = head.cpu;
            if (head.time <= until && perf_rings_twice(rings, &h, news, head.id))
                continue;
        } else if (h.type == PERF_RECORD_LOST && n >= sizeof(struct tail) + 16) {
            struct tail tail;
            uint64_t body[2];
            perf_rings_copy(rings, ring, at + h.size - sizeof tail, &tail, sizeof tail);
            perf_rings_copy(rings, ring, at + sizeof h, body, sizeof body);
            news->time = tail.time;
            news->lost = body[1];
        }
        if (news->time > until) {
            ring->next = at;
            return false;
        }
        if (news->time != 0 || news->lost > 0)
            return true;
    }
    return false;
}

void perf_rings_release(struct perf_ring *ring) {
    struct perf_event_mmap_page *page = ring->memory;
    __atomic_store_n(&page->data_tail, ring->next, __ATOMIC_RELEASE);
}
