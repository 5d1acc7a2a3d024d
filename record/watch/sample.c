/* sample.c - counters of processes, from /proc.
 *
 * Each sample reads the children of the processes that are known, so a process stays known after
 * its parent has ended. CPU time is that of the process clock, exact over the interval. A counter
 * holds from its time on, so a rate is written with the time at which its interval began.
 *
 * If the kernel refuses records of forks and exits, each process is an asynchronous operation under
 * its name. It begins with the fork and ends at the sample that does not find it. A slice would
 * have to nest with those of its thread. */
#include "record/watch/sample.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

#include "record/marks.h"
#include "record/watch/alone.h"

#define PROCESSES_MAX 4096
#define THREADS_LOOKED 64 /* for that of the library, which is one of the first */
#define LOOKS                                                                                      \
    8 /* samples at which a process is looked at for whether it can connect, then each so many */
#define SILENT 1000000000 /* ns between samples that are not written */
/* ns to the second sample; times twice as far apart follow, up to the interval */
#define SOONEST 5000000
/* waits for the arguments of a new program, ns, and how many at most */
#define EXEC_MOMENT_NS 100000
#define EXEC_MOMENTS 200

/* Adds a process, if it is not known. */
static void add(struct sample *s, uint32_t pid, uint32_t parent, uint64_t since) {
    for (size_t i = 0; i < s->v.n; i++)
        if (s->v.v[i].pid == pid)
            return;
    if (s->v.n < PROCESSES_MAX)
        vec_push(&s->v,
                 ((struct sampled){.pid = pid, .parent = parent, .since = since, .alive = true}));
}

/* False: /proc is that of another pid namespace, whose numbers are of other processes. */
static bool has_own_proc(void) {
    char self[32] = "";
    ssize_t n = readlink("/proc/self", self, sizeof self - 1);
    return n > 0 && strtoul(self, NULL, 10) == (unsigned long)getpid();
}

void sample_open(struct sample *s, pid_t pid, uint64_t interval, bool names) {
    *s = (struct sample){
        .interval = interval > 0 ? interval : SILENT, .silent = interval == 0, .names = names};
    if (pid > 0 && has_own_proc())
        add(s, (uint32_t)pid, (uint32_t)getpid(), 0);
}

void sample_add(struct sample *s, uint32_t pid, uint32_t parent) {
    if (has_own_proc())
        add(s, pid, parent, 0);
}

bool sample_goes_on(const struct sample *s) {
    return s->v.n > 0 && (!s->silent || (s->socket && !s->reached && s->blind == 0));
}

void sample_close(struct sample *s) {
    vec_free(&s->v);
    u64map_free(&s->unreached_pids);
}

/* The text of a file of a process; 0 bytes: the process has ended. */
static size_t read_file(uint32_t pid, const char *name, char *text, size_t size) {
    char path[64];
    snprintf(path, sizeof path, "/proc/%lu/%s", (unsigned long)pid, name);
    int fd = open(path, O_RDONLY | O_CLOEXEC);
    ssize_t n = fd >= 0 ? read(fd, text, size - 1) : -1;
    if (fd >= 0)
        close(fd);
    text[n > 0 ? n : 0] = 0;
    return n > 0 ? (size_t)n : 0;
}

struct str sample_command(uint32_t pid, const char *name, char *to, size_t size) {
    char is[32];
    size_t n = read_file(pid, "cmdline", to, size), known = read_file(pid, "comm", is, sizeof is);
    if (!has_own_proc() || known == 0 || known - 1 != strlen(name) ||
        memcmp(is, name, known - 1) != 0)
        return STR("");
    while (n > 0 && to[n - 1] == 0)
        n--;
    for (size_t i = 0; i < n; i++)
        to[i] = to[i] ? to[i] : ' ';
    return (struct str){to, n};
}

/* Whether a process lives and the kernel has no arguments of it: it reports an exec before it sets
 * those of the new program. */
static bool is_in_exec(uint32_t pid) {
    char stat_text[512], byte[2];
    const char *state =
        read_file(pid, "stat", stat_text, sizeof stat_text) > 0 ? strrchr(stat_text, ')') : NULL;
    bool lives = state && state[1] == ' ' && state[2] != 'Z' && state[2] != 'X';
    return lives && read_file(pid, "cmdline", byte, sizeof byte) == 0;
}

struct str sample_executed(uint32_t pid, const char *name, char *to, size_t size) {
    const struct timespec moment = {0, EXEC_MOMENT_NS};
    struct str line = sample_command(pid, name, to, size);
    for (int i = 0; i < EXEC_MOMENTS && line.n == 0 && is_in_exec(pid); i++) {
        nanosleep(&moment, NULL);
        line = sample_command(pid, name, to, size);
    }
    return line;
}

static void add_children(struct sample *s, uint32_t pid) {
    char path[64], text[8192];
    snprintf(path, sizeof path, "/proc/%lu/task", (unsigned long)pid);
    DIR *tasks = opendir(path);
    for (struct dirent *d; tasks && (d = readdir(tasks));) {
        char name[300];
        snprintf(name, sizeof name, "task/%s/children", d->d_name);
        if (d->d_name[0] == '.' || !read_file(pid, name, text, sizeof text))
            continue;
        for (char *at = text, *end; *at; at = end) {
            unsigned long child = strtoul(at, &end, 10);
            if (end == at)
                break;
            add(s, (uint32_t)child, pid, ticks_monotonic());
        }
    }
    if (tasks)
        closedir(tasks);
}

/* The number after a label in a file of lines. */
static uint64_t number_after(const char *text, const char *label) {
    const char *at = strstr(text, label);
    return at ? strtoull(at + strlen(label), NULL, 10) : 0;
}

static void write_counter(struct output *o, uint32_t pid, uint64_t ts, const char *name,
                          const struct writer_argument *args, size_t n) {
    struct writer *w = output_begin(o, OUTPUT_OWN);
    struct writer_event e = {.ts = ts,
                             .thread = writer_intern_thread(w, pid, pid),
                             .category = writer_intern(w, STR("process")),
                             .name = writer_intern(w, str_of(name)),
                             .args = {args, n}};
    writer_counter(w, &e, 0);
    output_end(o);
}

/* A field of /proc/PID/stat from 3 on; the second one is the name in parentheses, which may hold
 * anything. */
static uint64_t field_of(const char *stat, int number) {
    const char *at = strrchr(stat, ')');
    for (int field = 3; at && field <= number; field++)
        at = strchr(at + 1, ' ');
    return at ? strtoull(at, NULL, 10) : 0;
}

static uint64_t threads_of(const char *stat) {
    return field_of(stat, 20);
}

/* Whether the process has ended, and its parent has not noticed. */
static bool is_zombie(const char *stat) {
    const char *at = strrchr(stat, ')');
    return at && (strncmp(at, ") Z", 3) == 0 || strncmp(at, ") X", 3) == 0) &&
           threads_of(stat) <= 1;
}

static void write_percent(struct sampled *p, struct output *o, uint64_t ts, double percent) {
    if (p->has_percent && percent == p->percent)
        return;
    struct writer *w = output_begin(o, OUTPUT_OWN);
    struct writer_argument arg = writer_double(writer_intern(w, STR("percent")), percent);
    write_counter(o, p->pid, ts, "cpu", &arg, 1);
    p->percent = percent;
    p->has_percent = true;
}

static void write_io(struct sampled *p, struct output *o, uint64_t ts, double reading,
                     double writing) {
    if (p->has_io ? reading == p->reading && writing == p->writing : reading == 0 && writing == 0)
        return;
    struct writer *w = output_begin(o, OUTPUT_OWN);
    const struct writer_argument rates[2] = {
        writer_double(writer_intern(w, STR("read")), reading),
        writer_double(writer_intern(w, STR("written")), writing)};
    write_counter(o, p->pid, ts, "io/s", rates, 2);
    p->reading = reading;
    p->writing = writing;
    p->has_io = true;
}

static void write_number(struct sampled *p, struct output *o, uint64_t ts, const char *name,
                         const char *key, uint64_t number) {
    struct writer *w = output_begin(o, OUTPUT_OWN);
    struct writer_argument arg =
        writer_number(FXT_ARG_UINT64, writer_intern(w, str_of(key)), number);
    write_counter(o, p->pid, ts, name, &arg, 1);
}

/* ---- names and lives ---- */

/* Begins or ends the operation that shows the process under its name. */
static void write_life(struct sampled *p, struct output *o, uint64_t ts, bool begins) {
    char command[SAMPLE_COMMAND];
    struct writer *w = output_begin(o, OUTPUT_OWN);
    struct str line = begins ? sample_command(p->pid, p->name, command, sizeof command) : STR("");
    const struct writer_argument args[2] = {
        writer_number(FXT_ARG_KOID, writer_intern(w, STR("parent")), p->parent),
        writer_text(writer_intern(w, STR("command")), writer_inline(line))};
    size_t n = line.n > 0 ? 2 : 1;
    struct writer_event e = {.ts = ts,
                             .thread = writer_intern_thread(w, p->pid, p->pid),
                             .category = writer_intern(w, STR("process")),
                             .name = writer_intern(w, str_of(p->name)),
                             .args = {args, begins ? n : 0}};
    writer_async(w, begins ? FXT_ASYNC_BEGIN : FXT_ASYNC_END, &e, p->life);
    output_end(o);
}

/* The time at which a process was forked, ticks: to a hundredth of a second, and not after now. */
static uint64_t time_of_fork(const char *stat, const struct ticks *ticks) {
    struct timespec boot;
    clock_gettime(CLOCK_BOOTTIME, &boot);
    uint64_t now = (uint64_t)boot.tv_sec * 1000000000 + (uint64_t)boot.tv_nsec;
    uint64_t each = 1000000000 / (uint64_t)sysconf(_SC_CLK_TCK);
    uint64_t forked = (field_of(stat, 22) + 1) * each, ago = now > forked ? now - forked : 0;
    return ticks_of(ticks, ticks_monotonic() - ago);
}

/* The second field of /proc/PID/stat. */
static void copy_name(char *to, size_t size, const char *stat_text) {
    const char *from = strchr(stat_text, '('), *end = strrchr(stat_text, ')');
    size_t n = from && end > from ? (size_t)(end - from) - 1 : 0;
    memset(to, 0, size);
    if (n > 0)
        memcpy(to, from + 1, n < size ? n : size - 1);
}

/* A process under the name that it has now. */
static void write_name(struct sample *s, struct sampled *p, struct output *o, const char *stat,
                       const struct ticks *ticks) {
    char name[sizeof p->name];
    copy_name(name, sizeof name, stat);
    if (strcmp(name, p->name) == 0)
        return;
    uint64_t ts = p->known ? ticks_now(ticks) : time_of_fork(stat, ticks);
    ts = ts > s->earliest ? ts : s->earliest;
    if (p->life > 0)
        write_life(p, o, ts, false);
    memcpy(p->name, name, sizeof name);
    struct writer *w = output_begin(o, OUTPUT_OWN);
    writer_kernel_object(w, FXT_OBJECT_PROCESS, p->pid, writer_intern(w, str_of(name)),
                         (struct writer_arguments){NULL, 0});
    output_end(o);
    p->life = ++s->lives;
    write_life(p, o, ts, true);
}

/* ---- counters ---- */

/* Reads the I/O counters of a process. In the file of the process are also those of the children
 * that it has waited for, not so in that of its only thread. */
static bool read_io(uint32_t pid, bool single, uint64_t *reading, uint64_t *writing) {
    char name[40] = "io", io[512];
    if (single)
        snprintf(name, sizeof name, "task/%lu/io", (unsigned long)pid);
    bool any = read_file(pid, name, io, sizeof io);
    *reading = number_after(io, "rchar: ");
    *writing = number_after(io, "wchar: ");
    return any;
}

/* The ns that a thread was runnable without a processor, or the first thread of a process. */
static uint64_t delay_of(uint32_t pid, const char *name) {
    char text[128], *at;
    if (!read_file(pid, name, text, sizeof text))
        return 0;
    strtoull(text, &at, 10); /* that it ran */
    return strtoull(at, NULL, 10);
}

/* Sums up all threads that live. */
static uint64_t delay_of_all(uint32_t pid, bool single) {
    char path[64], name[300];
    uint64_t all = 0;
    if (single)
        return delay_of(pid, "schedstat");
    snprintf(path, sizeof path, "/proc/%lu/task", (unsigned long)pid);
    DIR *tasks = opendir(path);
    for (const struct dirent *d; tasks && (d = readdir(tasks));) {
        snprintf(name, sizeof name, "task/%s/schedstat", d->d_name);
        all += d->d_name[0] == '.' ? 0 : delay_of(pid, name);
    }
    if (tasks)
        closedir(tasks);
    return all;
}

static void write_waiting(struct sampled *p, struct output *o, uint64_t ts, double percent) {
    if (p->has_waiting ? percent == p->waiting : percent == 0)
        return;
    struct writer *w = output_begin(o, OUTPUT_OWN);
    struct writer_argument arg = writer_double(writer_intern(w, STR("percent")), percent);
    write_counter(o, p->pid, ts, "waiting for cpu", &arg, 1);
    p->waiting = percent;
    p->has_waiting = true;
}

/* The life of a process that has ended; its counters would go on. */
static void write_end(struct sampled *p, struct output *o, uint64_t ts) {
    if (p->life == 0)
        return;
    write_life(p, o, ts, false);
    if (p->has_percent)
        write_percent(p, o, ts, 0);
    if (p->has_waiting)
        write_waiting(p, o, ts, 0);
    if (p->has_io)
        write_io(p, o, ts, 0, 0);
    if (p->has_rss)
        write_number(p, o, ts, "rss", "bytes", 0);
}

/* Resident memory and threads of a process at that time. */
static void write_levels(struct sampled *p, struct output *o, uint64_t ts, const char *statm,
                         uint64_t threads) {
    const char *resident = strchr(statm, ' ');
    uint64_t rss = (resident ? strtoull(resident, NULL, 10) : 0) * (uint64_t)sysconf(_SC_PAGESIZE);
    if (!p->has_rss || rss != p->rss)
        write_number(p, o, ts, "rss", "bytes", rss);
    if (threads != p->threads && (threads > 1 || p->threads > 1))
        write_number(p, o, ts, "threads", "threads", threads);
    p->rss = rss;
    p->threads = threads;
    p->has_rss = true;
}

/* In its last moments a process is there, but has no memory any more. */
static bool has_memory(const char *statm) {
    return strtoull(statm, NULL, 10) > 0;
}

/* Whether the library has a thread in it, which waits for a recorder. */
static bool has_library(uint32_t pid) {
    char path[40], name[64], text[32];
    bool found = false;
    snprintf(path, sizeof path, "/proc/%lu/task", (unsigned long)pid);
    DIR *d = opendir(path);
    const struct dirent *e;
    for (int i = 0; d && !found && i < THREADS_LOOKED && (e = readdir(d)); i++) {
        snprintf(name, sizeof name, "task/%.20s/comm", e->d_name);
        found = read_file(pid, name, text, sizeof text) > 0 && alone_is_library(text);
    }
    if (d)
        closedir(d);
    return found;
}

/* By its effective user; the owner of /proc/PID may be root. */
static bool is_of_other(uint32_t pid) {
    char text[1024], *end;
    read_file(pid, "status", text, sizeof text);
    const char *uid = strstr(text, "\nUid:\t");
    if (uid == NULL)
        return false;
    strtoul(uid + 6, &end, 10);
    return strtoul(end, NULL, 10) != geteuid();
}

static bool is_blind(const struct sample *s, uint32_t pid) {
    char path[200];
    struct stat st;
    int n = snprintf(path, sizeof path, "/proc/%lu/root", (unsigned long)pid);
    bool enters = stat(path, &st) == 0;
    snprintf(path + n, sizeof path - (size_t)n, "%s", s->socket);
    return enters && stat(path, &st) != 0 && errno == ENOENT;
}

/* A process with a /tmp of its own cannot connect, and neither can another user's. It may get so
 * late, so each is looked at again. */
static void look_for_socket(struct sample *s, struct sampled *p, struct output *o,
                            const struct ticks *ticks, const char *stat_text) {
    bool now = p->looks < LOOKS || p->looks % LOOKS == 0;
    p->looks++;
    if (!now || p->unreached)
        return;
    bool of_other = is_of_other(p->pid), blind = !of_other && is_blind(s, p->pid);
    if (blind && s->blind == 0) {
        s->blind = p->pid;
        copy_name(s->blind_name, sizeof s->blind_name, stat_text);
    }
    if ((!of_other && !blind) || !has_library(p->pid) ||
        (s->is_traced && s->is_traced(s->ctx, p->pid)))
        return;
    char name[16];
    p->unreached = true;
    copy_name(name, sizeof name, stat_text);
    sample_unreached(s, p->pid, name, of_other ? EPERM : 0, o, ticks);
}

void sample_unreached(struct sample *s, uint32_t pid, const char *name, int error, struct output *o,
                      const struct ticks *ticks) {
    if (u64map_get(&s->unreached_pids, u64map_key(pid)) != UINT64_MAX)
        return;
    u64map_set(&s->unreached_pids, u64map_key(pid), 0);
    unsigned i = s->unreached.n++;
    if (i < SAMPLE_UNREACHED) {
        s->unreached.first[i].pid = pid;
        s->unreached.first[i].error = error;
        snprintf(s->unreached.first[i].name, sizeof s->unreached.first[i].name, "%s", name);
    }
    marks_lost(o, ticks, "process not reached");
}

static void take_one(struct sample *s, struct sampled *p, struct output *o,
                     const struct ticks *ticks) {
    char statm[256], stat[1024];
    struct timespec cpu;
    clockid_t clock;
    /* before it is read: no counter is later than its end */
    uint64_t now = ticks_monotonic(), ts = ticks_now(ticks);
    p->alive = read_file(p->pid, "statm", statm, sizeof statm) && has_memory(statm) &&
               read_file(p->pid, "stat", stat, sizeof stat);
    if (p->alive && s->names && !s->silent)
        write_name(s, p, o, stat, ticks);
    p->alive = p->alive && !is_zombie(stat) && clock_getcpuclockid((pid_t)p->pid, &clock) == 0 &&
               clock_gettime(clock, &cpu) == 0;
    if (!p->alive) {
        write_end(p, o, ticks_now(ticks));
        return;
    }
    if (s->socket)
        look_for_socket(s, p, o, ticks, stat);
    if (s->silent)
        return;
    uint64_t used = (uint64_t)cpu.tv_sec * 1000000000 + (uint64_t)cpu.tv_nsec;
    uint64_t read_, written, threads = threads_of(stat),
                             waited = delay_of_all(p->pid, threads == 1);
    bool has_io = read_io(p->pid, threads == 1, &read_, &written);
    double seconds = (double)(now - p->at) / 1e9;
    /* a build has thousands that end soon, and states show these better */
    bool young = now - p->since < s->interval;
    if (young && p->known)
        return;
    if (!young && p->known && seconds > 0) {
        write_percent(p, o, p->ts, (double)(used - p->cpu) / seconds / 1e7);
        if (waited >= p->waited) /* else a thread has ended */
            write_waiting(p, o, p->ts, (double)(waited - p->waited) / seconds / 1e7);
        if (has_io && p->single == (threads == 1) && read_ >= p->read && written >= p->written)
            write_io(p, o, p->ts, (double)(read_ - p->read) / seconds,
                     (double)(written - p->written) / seconds);
    }
    if (!young)
        write_levels(p, o, ts, statm, threads);
    p->known = true;
    p->single = threads == 1;
    p->at = now;
    p->ts = ts;
    p->cpu = used;
    p->waited = waited;
    p->read = read_;
    p->written = written;
}

/* CPU time of this thread: on a busy machine a sample may take long without costing much. */
static uint64_t own_time(void) {
    struct timespec t;
    clock_gettime(CLOCK_THREAD_CPUTIME_ID, &t);
    return (uint64_t)t.tv_sec * 1000000000 + (uint64_t)t.tv_nsec;
}

uint64_t sample_pause(uint64_t interval, uint64_t since, uint64_t took) {
    uint64_t pause = since > SOONEST ? since : SOONEST;
    pause = pause < interval ? pause : interval;
    return 100 * took > pause ? 100 * took : pause;
}

void sample_take(struct sample *s, struct output *o, const struct ticks *ticks, uint64_t now) {
    if (!sample_goes_on(s))
        s->v.n = 0;
    if (s->v.n == 0 || now < s->next)
        return;
    uint64_t begun = own_time();
    for (size_t i = 0; i < s->v.n; i++) { /* children that are found are looked at, too */
        take_one(s, &s->v.v[i], o, ticks);
        if (s->v.v[i].alive)
            add_children(s, s->v.v[i].pid);
    }
    size_t kept = 0;
    for (size_t i = 0; i < s->v.n; i++)
        if (s->v.v[i].alive)
            s->v.v[kept++] = s->v.v[i];
    s->v.n = kept;
    s->begun = s->begun > 0 ? s->begun : now;
    s->next = now + sample_pause(s->interval, now - s->begun, own_time() - begun);
}
