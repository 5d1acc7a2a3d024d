/* faults.h - shared by injected and real faults: a folder of files, a child that is fxtop, and
 * reports.
 *
 * faults.c injects faults and has main(); faults_calls.c wraps the calls of the system;
 * faults_real.c has real ones. */
#ifndef FXTOP_FAULTS_H
#define FXTOP_FAULTS_H

#include <stdatomic.h>
#include <stdbool.h>
#include <stddef.h>

#include "tests/lib/scratch.h"
#include "tests/lib/tracegen.h"

/* ---- faults_calls.c ---- */

enum call {
    MEMORY,
    SQL_MEMORY, /* SQLite's, which is a library of its own */
    READ,
    WRITE,
    PREAD,
    PWRITE,
    MMAP,
    OPEN,
    OPENAT,
    FSTAT,
    STAT,
    FTRUNCATE,
    FCNTL,
    DUP,
    PIPE,
    POLL,
    LSEEK,
    MKSTEMP,
    THREAD,
    FORK,
    MKDIR,
    FLOCK,
    LINKAT,
    RENAMEAT,
    REALPATH,
    FDOPEN,
    FDOPENDIR,
    INOTIFY_INIT,
    INOTIFY_ADD,
    TCGETATTR,
    GETRANDOM,
    CALLS
};

#define SHORT (-1) /* no error: one byte alone */

struct plan { /* shared with the processes that are made */
    atomic_bool fired;
    enum call call;
    int error;
    long nth;
    bool on; /* and all that follow */
    atomic_long counts[CALLS];
};

extern struct plan *faults_plan;

/* In a child, before and after fxtop runs: whether calls fail as planned, in what it forks, too. */
void faults_arm(bool armed);

/* ---- faults.c ---- */

enum input { A_FILE, A_PIPE };
enum cache { NO_CACHE, EMPTY_CACHE, FULL_CACHE };

struct mode {
    const char *name;
    const char *argv[8];
    enum input input;
    enum cache cache;
    const char *keys; /* of one on the screen, else NULL */
    bool follows;
    const char *output; /* the file of -o, or NULL: an old one is there before */
};

struct faults {
    char directory[SCRATCH_PATH], tmp[SCRATCH_PATH + 20], cache[SCRATCH_PATH + 20],
        index[SCRATCH_PATH + 20];
    struct trace_bytes small, first, rest;
    int out, err;
    char *reference; /* output of the mode without a fault */
    size_t reference_n;
    size_t output_n; /* bytes of the file of -o */
    int reference_status;
    bool all;
    unsigned long runs, injected;
    unsigned passed, failed;
};

extern struct faults faults;

void faults_fatal(const char *what);
void faults_put(const char *path, const void *v, size_t n);
void faults_append(const char *path, const void *v, size_t n);
/* Returns the content of a descriptor's file, NUL-terminated; the caller frees it. */
char *faults_contents(int fd, size_t *n);
/* Returns the number of entries of a folder, and the name of one. */
unsigned faults_entries(const char *path, char name[256]);
void faults_empty(const char *path);
struct trace_bytes faults_trace_of(const char *text);
/* Returns the end of a pipe that holds the bytes. */
int faults_pipe_of(const struct trace_bytes *bytes);
/* In a child: fxtop as it would be started. It does not return. */
void faults_become(const struct mode *mode, int input);
void faults_wait_for_all(void);
void faults_report(const char *mode, const char *kind, long nth, const char *why, const char *err);

/* ---- faults_real.c ---- */

void faults_real(void);

#endif
