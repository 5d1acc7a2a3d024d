/* death.c - the signal that has ended a process of others.
 *
 * /proc has it until the parent has noticed the end, which may be sooner than we look. After that a
 * descriptor that was opened before has it, from version 6.15 of the kernel on. */
#include "record/watch/death.h"

#include <errno.h>
#include <poll.h>
#include <signal.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/syscall.h>
#include <unistd.h>

#define EXITING 4   /* of the kernel's flags of a process */
#define SIGNAL 0x7f /* of a status */

struct info { /* as <linux/pidfd.h> has it */
    uint64_t mask, cgroup;
    uint32_t ids[11];
    int32_t status;
};
#define DYING_MS 100  /* a process that was killed is waited for so long */
#define INFO_STATUS 8 /* of the mask */
#define GET_INFO _IOWR(0xff, 11, struct info)

int death_watch(pid_t pid) {
#ifdef SYS_pidfd_open
    return (int)syscall(SYS_pidfd_open, pid, 0);
#else
    (void)pid;
    return -1;
#endif
}

enum { STATE = 3, FLAGS = 9, MINOR = 10, MAJOR = 12, USER = 14, SYSTEM, STATUS = 52 };

/* Fields of a file like /proc/PID/stat by their number, as far as they are numbers; the second one
 * may hold anything. False: there is no such file. */
static bool read_fields(const char *path, unsigned long long v[STATUS + 1], char *state) {
    char stat[1024] = "";
    FILE *f = fopen(path, "re");
    size_t n = f ? fread(stat, 1, sizeof stat - 1, f) : 0;
    if (f)
        fclose(f);
    stat[n] = 0;
    const char *name_end = strrchr(stat, ')'), *at = name_end ? name_end : "";
    *state = *at && at[1] ? at[2] : 0;
    int field = STATE;
    for (; field <= STATUS && *at && (at = strchr(at + 1, ' ')) != NULL; field++)
        v[field] = strtoull(at, NULL, 10);
    for (; field <= STATUS; field++)
        v[field] = 0;
    return *state != 0;
}

static bool read_stat(const char *path, unsigned long *flags, unsigned long *status) {
    unsigned long long v[STATUS + 1];
    char state;
    bool any = read_fields(path, v, &state);
    *flags = (unsigned long)v[FLAGS];
    *status = (unsigned long)v[STATUS];
    return any;
}

bool death_numbers(int watch, pid_t pid, int ms, struct death_numbers *d) {
    char path[40], state;
    unsigned long long v[STATUS + 1];
    struct info info = {.mask = INFO_STATUS};
    struct pollfd end = {watch, POLLIN, 0};
    snprintf(path, sizeof path, "/proc/%ld/stat", (long)pid);
    /* The kernel's records end a moment before the process does, and its first thread may end
     * before the others. */
    bool there = read_fields(path, v, &state), ending = there && (v[FLAGS] & EXITING);
    int status = (int)v[STATUS]; /* it is set before the kernel's record is made */
    if (there && watch >= 0 && poll(&end, 1, ms) > 0 && state != 'Z') /* others may take it */
        there = read_fields(path, v, &state);
    bool zombie = there && state == 'Z';
    *d = (struct death_numbers){.known = zombie, .status = (int)v[STATUS]};
    if (zombie) {
        d->user = v[USER];
        d->system = v[SYSTEM];
        d->minor = v[MINOR];
        d->major = v[MAJOR];
    } else if (watch >= 0 && ioctl(watch, GET_INFO, &info) == 0 && (info.mask & INFO_STATUS)) {
        d->known = true;
        d->status = info.status;
    } else if (ending) {
        d->known = true;
        d->status = status;
    }
    return zombie;
}

static int signal_in_proc(pid_t pid) {
    char path[40];
    unsigned long flags, status;
    snprintf(path, sizeof path, "/proc/%ld/stat", (long)pid);
    return read_stat(path, &flags, &status) && (flags & EXITING) ? (int)(status & SIGNAL) : 0;
}

bool death_is_far(pid_t pid, pid_t tid) {
    char path[64];
    unsigned long flags, status;
    if (syscall(SYS_tgkill, pid, tid, 0) != 0 && errno != EPERM)
        return false;
    snprintf(path, sizeof path, "/proc/%ld/task/%ld/stat", (long)pid, (long)tid);
    return read_stat(path, &flags, &status) && (flags & EXITING) == 0;
}

/* Whether the process lives, but was killed. */
static bool is_dying(pid_t pid) {
    static const char label[] = "SigPnd:";
    char path[40], line[256];
    uint64_t pending = 0;
    snprintf(path, sizeof path, "/proc/%ld/status", (long)pid);
    FILE *f = fopen(path, "re");
    while (f && fgets(line, sizeof line, f))
        if (strncmp(line, label, sizeof label - 1) == 0)
            pending = strtoull(line + sizeof label - 1, NULL, 16);
    if (f)
        fclose(f);
    return pending >> (SIGKILL - 1) & 1;
}

int death_signal(int watch, pid_t pid) {
    struct info info = {.mask = INFO_STATUS};
    struct pollfd end = {watch, POLLIN, 0};
    /* A provider's thread that has descriptors of its own may end before the others. */
    if (watch >= 0 && is_dying(pid))
        poll(&end, 1, DYING_MS);
    int known = signal_in_proc(pid);
    if (known != 0 || watch < 0)
        return known;
    return ioctl(watch, GET_INFO, &info) == 0 && (info.mask & INFO_STATUS) ? info.status & SIGNAL
                                                                           : 0;
}
