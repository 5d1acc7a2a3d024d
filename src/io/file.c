/* file.c - the bytes of a trace: a window over a file that is mapped, or read if it cannot be
 * mapped.
 *
 * The data file is the trace itself, or the spool: an unlinked file that receives pipes and
 * decompressed input (spool.c). file_span() moves the window if it does not hold the bytes; it
 * tries a map of the whole file, then smaller maps, then memory. A file that changes is recognised
 * by size and time, and then by a hash of some places. Offsets are bytes of the uncompressed
 * trace. */
#include "src/io/file.h"

#include <assert.h>
#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <unistd.h>

#include "src/base/clock.h"
#include "src/io/file_source.h"
#include "src/io/foreign/foreign.h"
#include "src/io/map_guard.h"
#include "src/io/parts.h"
#include "src/io/spool.h"
#include "src/io/stat_times.h"
#include "src/io/temporary.h"
#include "src/io/watch.h"

#ifndef MAP_NORESERVE
#define MAP_NORESERVE 0
#endif

#define MIB ((size_t)1 << 20)
/* a write that adds to a file changes its time first, and then its size */
#define SUSPECT_NS 20000000
#define SAMPLE 4096u /* bytes of a place that is compared */

static const size_t WINDOW_LEAST = 1 * MIB;   /* below that, reading is as good */
static const size_t WINDOW_MOST = 64 * MIB;   /* of a file that cannot be mapped whole */
static const size_t GROWTH_LEAST = 64 * MIB;  /* mapped ahead of a spool that grows */
static const size_t PASSED_KEPT = 1024 * MIB; /* before the offset up to which it was read once */
static const size_t PASSED_LEAST = 64 * MIB;  /* released at a time */
enum { FOLLOW_MS = 100 };                     /* between two looks at a file that does not grow */

struct window {
    unsigned char *base; /* NULL: none */
    uint64_t at;         /* offset of base[0] */
    size_t length;       /* bytes; a map may reach beyond the end of the file */
    bool mapped;         /* else from malloc() */
    size_t passed;       /* number of first bytes whose pages were released */
};

struct file {
    struct parts *parts; /* of a set, which has nothing else; or NULL */
    int data_fd;         /* file under the window: the trace itself, the spool, or an index */
    uint64_t data_at;    /* offset of the first byte in it: not 0 in an index */
    uint64_t size;
    bool ended, lost;
    int guard; /* map_guard.h */
    struct window window;
    size_t map_most; /* bytes of address space that one map may take */

    /* The source, while it is being spooled; else -1 and NULL. */
    int source_fd;
    struct inflate *input; /* its bytes, decompressed */
    struct spool *spool;   /* copies input to data_fd */
    /* turns input into words on the way; stays until the file is closed. Or NULL */
    struct convert *convert;
    bool waits;           /* not a regular file: reads may block */
    uint64_t start;       /* offset in the source at which reading began */
    uint64_t done, total; /* bytes of the source read, and in all (0: unknown) */
    struct file_options options;
    enum file_compression compression;
    enum file_fault fault;
    const char *why;

    char *path; /* of a regular file that has one, else NULL */
    bool regular, follows, must_reopen;
    struct stat seen;     /* status at the last look */
    uint64_t sample;      /* hash of some places of the content then */
    uint64_t sample_size; /* size then, in bytes */
    int watch;            /* descriptor of watch.h, or -1 */
    bool watched;         /* watch_open() was called */
    bool unseen;          /* file_changed() was not called since */
    bool written;         /* an event of a write came since it was opened or has grown */
    int64_t suspected;    /* since when it seems to have other bytes in place; 0: it does not */
};

/* ---- the window ---- */

static uint64_t page_size;

static uint64_t page_down(uint64_t n) {
    return n - n % page_size;
}

static uint64_t page_up(uint64_t n) {
    return page_down(n + page_size - 1);
}

/* Half of the address space (ulimit -v) at most, so that the model of the trace has space, too. */
static size_t most_to_map(void) {
    uint64_t most = SIZE_MAX / 4;
    struct rlimit limit;
    if (getrlimit(RLIMIT_AS, &limit) == 0 && limit.rlim_cur != RLIM_INFINITY &&
        limit.rlim_cur / 2 < most)
        most = limit.rlim_cur / 2;
    if (most < WINDOW_LEAST)
        most = WINDOW_LEAST;
    return (size_t)page_down(most);
}

static void window_drop(struct file *file) {
    struct window *window = &file->window;
    if (window->base != NULL && window->mapped) {
        map_guard_set(file->guard, NULL, 0);
        munmap(window->base, window->length);
    } else {
        free(window->base);
    }
    *window = (struct window){.base = NULL};
}

static bool window_map(struct file *file, uint64_t at, uint64_t length) {
    if (file->guard == MAP_GUARD_NONE) {
        errno = ENOTSUP;
        return false;
    }
    void *base = mmap(NULL, (size_t)length, PROT_READ, MAP_SHARED | MAP_NORESERVE, file->data_fd,
                      (off_t)(file->data_at + at));
    if (base == MAP_FAILED)
        return false;
    file->window = (struct window){base, at, (size_t)length, true, 0};
    map_guard_set(file->guard, base, (size_t)length);
    return true;
}

/* Reads n bytes; what cannot be read is zeros. Returns how many could. */
static size_t read_at(int fd, unsigned char *v, size_t n, uint64_t at) {
    size_t done = 0;
    while (done < n) {
        ssize_t got = pread(fd, v + done, n - done, (off_t)(at + done));
        if (got < 0 && errno == EINTR)
            continue;
        if (got <= 0)
            break;
        done += (size_t)got;
    }
    memset(v + done, 0, n - done);
    return done;
}

/* Reads a window; what cannot be read is zeros, as in a map that lost its pages. */
static bool window_read(struct file *file, uint64_t at, size_t length) {
    unsigned char *base = malloc(length);
    if (base == NULL)
        return false;
    if (read_at(file->data_fd, base, length, file->data_at + at) < length)
        file->lost = true;
    file->window = (struct window){base, at, length, false, 0};
    return true;
}

/* Returns the start of a window that holds [at, end), or as much of it as fits. It is on a grid of
 * half the length, so that steps back and forth around one place do not move it each time. */
static uint64_t window_start(uint64_t at, uint64_t end, size_t length) {
    uint64_t start = page_down(at - at % (length / 2));
    return end - start <= length ? start : page_down(at);
}

static bool map_whole(struct file *file) {
    uint64_t length = page_up(file->size);
    if (!file->ended) {
        uint64_t ahead = GROWTH_LEAST;
        while (ahead < 2 * file->size)
            ahead *= 2;
        if (ahead <= file->map_most && window_map(file, 0, ahead))
            return true;
    }
    return length <= file->map_most && window_map(file, 0, length);
}

/* Makes the window hold [at, end), or as much of it as can be had. */
static void window_move(struct file *file, uint64_t at, uint64_t end) {
    window_drop(file);
    if (map_whole(file))
        return;

    size_t most = file->map_most / 4 < WINDOW_MOST ? file->map_most / 4 : WINDOW_MOST;
    uint64_t need = page_up(end - page_down(at));
    uint64_t length = need > most ? need : most;
    length = page_up(length < file->map_most ? length : file->map_most);
    for (errno = ENOMEM; length >= WINDOW_LEAST && errno == ENOMEM; length = page_up(length / 2)) {
        uint64_t start = window_start(at, end, (size_t)length);
        uint64_t rest = page_up(file->size - start);
        if (window_map(file, start, file->ended && rest < length ? rest : length))
            return;
    }

    length = page_up(need > WINDOW_LEAST ? need : WINDOW_LEAST);
    length = length < file->map_most ? length : file->map_most;
    for (; length >= 2 * page_size; length = page_up(length / 2)) {
        uint64_t start = window_start(at, end, (size_t)length);
        uint64_t rest = file->size - start;
        if (window_read(file, start, (size_t)(rest < length ? rest : length)))
            return;
        if (length == 2 * page_size)
            return;
    }
}

const void *file_span(struct file *file, uint64_t at, size_t want, size_t *n) {
    assert(at % 8 == 0);
    if (file->parts)
        return parts_span(file->parts, at, want, n);
    *n = 0;
    if (at >= file->size)
        return NULL;
    if (want == 0)
        want = 1;
    uint64_t end = want < file->size - at ? at + want : file->size;
    const struct window *window = &file->window;
    if (window->base == NULL || at < window->at || end > window->at + window->length)
        window_move(file, at, end);
    if (window->base == NULL || at < window->at || at - window->at >= window->length)
        return NULL;
    uint64_t there =
        window->at + window->length < file->size ? window->at + window->length : file->size;
    *n = (size_t)(there - at);
    return window->base + (at - window->at);
}

uint64_t file_data(const struct file *file, uint64_t at) {
    if (file->parts)
        return parts_data(file->parts, at);
#ifdef SEEK_DATA
    uint64_t end = file->size / 8 * 8;
    if (!file->regular || file->compression != FILE_PLAIN || file->convert ||
        file->source_fd >= 0 || at >= end)
        return at;
    /* nothing else uses the offset of a file that is mapped */
    off_t found = lseek(file->data_fd, (off_t)at, SEEK_DATA);
    if (found >= 0 || errno == ENXIO)
        return found >= 0 && (uint64_t)found < end ? (uint64_t)found / 8 * 8 : end;
#endif
    return at;
}

bool file_is_whole(const struct file *file) {
    if (file->parts)
        return parts_is_whole(file->parts);
    const struct window *window = &file->window;
    return window->base != NULL && window->at == 0 && window->length >= file->size;
}

void file_passed(struct file *file, uint64_t at) {
    if (file->parts) {
        parts_passed(file->parts, at);
        return;
    }
    struct window *window = &file->window;
    if (window->base == NULL || !window->mapped || at < window->at + PASSED_KEPT)
        return;
    uint64_t passed = page_down(at - window->at - PASSED_KEPT);
    if (passed > window->length || passed < window->passed + PASSED_LEAST)
        return;
#ifdef MADV_DONTNEED
    madvise(window->base + window->passed, (size_t)(passed - window->passed), MADV_DONTNEED);
#endif
    window->passed = (size_t)passed;
}

/* Whatever only a file needs that is still coming. */
static void source_close(struct file *file) {
    spool_free(file->spool);
    file->spool = NULL;
    inflate_free(file->input);
    file->input = NULL;
    if (file->source_fd >= 0)
        close(file->source_fd);
    file->source_fd = -1;
}

/* ---- files that change ---- */

/* A hash of both ends of a file that had this size, and of `parts` - 2 places between them.
 * Unreadable bytes count as zeros and set *whole (which may be NULL) to false. */
static uint64_t sample(int fd, uint64_t size, unsigned parts, bool *whole) {
    unsigned char bytes[SAMPLE] = {0}; /* of each place */
    uint64_t hash = UINT64_C(0xcbf29ce484222325),
             last = size > sizeof bytes ? size - sizeof bytes : 0;
    for (unsigned k = 0; k < parts; k++) {
        size_t n = size < sizeof bytes ? (size_t)size : sizeof bytes,
               got = read_at(fd, bytes, n,
                             last / (parts - 1) * k + (k == parts - 1 ? last % (parts - 1) : 0));
        if (got < n && whole)
            *whole = false;
        for (size_t i = 0; i < sizeof bytes; i++)
            hash = (hash ^ bytes[i]) * UINT64_C(0x100000001b3);
    }
    return hash;
}

static void remember(struct file *file, const struct stat *status) {
    file->seen = *status;
    file->sample_size = (uint64_t)status->st_size;
    file->written = false;
    if (file->compression == FILE_PLAIN)
        file->sample = sample(file->data_fd, file->sample_size, 2, NULL);
}

static bool same_time(const struct timespec *a, const struct timespec *b) {
    return a->tv_sec == b->tv_sec && a->tv_nsec == b->tv_nsec;
}

static bool same_file(const struct stat *a, const struct stat *b) {
    return a->st_dev == b->st_dev && a->st_ino == b->st_ino;
}

enum file_change file_changed(struct file *file) {
    if (file->parts)
        return parts_changed(file->parts);
    struct stat now;
    bool blind = file->watch < 0 || file->unseen;
    if (!file->regular)
        return FILE_SAME;
    file->unseen = false;
    if (file->watch >= 0 && watch_take(file->watch))
        file->written = true;
    int failed = file->path ? stat(file->path, &now) : fstat(file->data_fd, &now);
    if (failed || !same_file(&now, &file->seen))
        return FILE_OTHER; /* removed, or replaced by another one */
    uint64_t size = (uint64_t)now.st_size;
    bool in_place = size == file->sample_size,
         same = in_place && same_time(&now.st_mtim, &file->seen.st_mtim);
    if (same || !in_place)
        file->suspected = 0;
    if (same)
        return FILE_SAME;
    /* Samples of a larger file lack its middle. Without events: a write sets both times alike. */
    bool written = size > 2 * SAMPLE && in_place &&
                   (file->written || (blind && same_time(&now.st_mtim, &now.st_ctim)));
    if (written && file->follows && file->suspected == 0)
        file->suspected = clock_now();
    if (written && file->follows && clock_now() - file->suspected < SUSPECT_NS) {
        file->unseen = true;
        return FILE_SAME;
    }
    if (file->convert && file->follows && size >= file->sample_size && !written) {
        file->seen = now;
        file->sample_size = size;
        file->written = false;
        return FILE_GREW;
    }
    if (file->compression != FILE_PLAIN || file->convert || size < file->sample_size || written ||
        sample(file->data_fd, file->sample_size, 2, NULL) != file->sample)
        return FILE_OTHER;
    if (in_place)
        file->seen = now;
    return in_place ? FILE_SAME : FILE_GREW;
}

const char *file_path(const struct file *file) {
    return file->path;
}

bool file_was_written(const struct file *file) {
    if (file->parts)
        return parts_any(file->parts, file_was_written);
    struct stat now;
    bool found = fstat(file->data_fd, &now) == 0 && same_file(&now, &file->seen);
    if (!found) /* a copy of it is read */
        found = file->path && stat(file->path, &now) == 0 && same_file(&now, &file->seen);
    return file->regular && found &&
           (now.st_size != file->seen.st_size || !same_time(&now.st_mtim, &file->seen.st_mtim));
}

/* Whether the bytes are a copy: the source was inflated or converted. */
static bool is_copy(const struct file *file) {
    return file->compression != FILE_PLAIN || file->convert;
}

bool file_stamp(const struct file *file, struct file_stamp *stamp) {
    struct stat now;
    if (!file->regular || file->path == NULL || file->data_fd < 0)
        return false;
    int fd = is_copy(file) ? open(file->path, O_RDONLY | O_CLOEXEC | O_NONBLOCK) : file->data_fd;
    bool whole = fd >= 0 && fstat(fd, &now) == 0 && same_file(&now, &file->seen) &&
                 now.st_size == file->seen.st_size && same_time(&now.st_mtim, &file->seen.st_mtim);
    if (whole)
        *stamp = (struct file_stamp){(uint64_t)now.st_size, (uint64_t)now.st_mtim.tv_sec,
                                     (uint64_t)now.st_mtim.tv_nsec, (uint64_t)now.st_ino,
                                     sample(fd, (uint64_t)now.st_size, 66, &whole)};
    if (fd >= 0 && fd != file->data_fd)
        close(fd);
    return whole;
}

bool file_kept(struct file *file, struct kept_bytes kept[KEPT_BYTES], size_t *n) {
    *n = 0;
    if (!is_copy(file))
        return true;
    kept[(*n)++] = (struct kept_bytes){file->data_fd, file->data_at, file->size};
    return file->ended && file->fault == FILE_OK &&
           (file->convert == NULL || convert_marks(file->convert, &kept[(*n)++]));
}

bool file_restore(struct file *file, const struct kept_bytes *kept, size_t n) {
    int fds[KEPT_BYTES] = {-1, -1};
    bool good = n <= KEPT_BYTES;
    for (size_t i = 0; i < n && good; i++) {
        fds[i] = fcntl(kept[i].fd, F_DUPFD_CLOEXEC, STDERR_FILENO + 1);
        good = fds[i] >= 0;
    }
    if (!good || n == 0) {
        for (size_t i = 0; i < KEPT_BYTES; i++)
            if (fds[i] >= 0)
                close(fds[i]);
        return good;
    }
    source_close(file);
    window_drop(file);
    close(file->data_fd);
    file->data_fd = fds[0];
    file->data_at = kept[0].at;
    file->size = kept[0].n;
    file->done = file->total;
    file->ended = true;
    if (file->convert)
        convert_restore(file->convert, &(struct kept_bytes){fds[1], kept[1].at, kept[1].n});
    return true;
}

void file_remember_import(struct file *file, const char *name) {
    if (file->convert)
        convert_remember(file->convert, name);
}

void file_remember_faults(struct file *file, enum import_fault fault, uint64_t count,
                          const struct import_case *cases, size_t n) {
    if (file->convert)
        convert_remember_faults(file->convert, fault, count, cases, n);
}

int file_watch(struct file *file) {
    if (!file->watched && file->regular) {
        char name[48]; /* two numbers and 10 characters; not /proc/self, which is a link */
        snprintf(name, sizeof name, "/proc/%ld/fd/%d", (long)getpid(), file->data_fd);
        file->watch = watch_open(file->path ? file->path : name, file->data_fd);
        file->watched = file->unseen = true;
    }
    return file->watch;
}

bool file_may_have_changed(struct file *file) {
    if (file->parts)
        return parts_may_have_changed(file->parts);
    int watch = file_watch(file);
    return file->regular && (watch < 0 || file->unseen || watch_told(watch));
}

bool file_follow(struct file *file, bool on) {
    if (file->parts)
        return parts_follow(file->parts, on);
    if (!file->regular || file->compression != FILE_PLAIN || file->data_fd < 0 ||
        (file->input && !file->convert))
        return false;
    file->follows = on;
    if (file->convert) {
        bool running = file->spool && spool_wait_for_more(file->spool, on);
        file->must_reopen = on && !running;
    } else {
        file->ended = !on;
    }
    return true;
}

bool file_must_reopen(const struct file *file) {
    if (file->parts)
        return parts_must_reopen(file->parts);
    return file->must_reopen;
}

bool file_follows(const struct file *file) {
    if (file->parts)
        return parts_any(file->parts, file_follows);
    return file->follows;
}

static bool grown(struct file *file, int wait_ms) {
    struct stat now;
    if (file_changed(file) == FILE_GREW && fstat(file->data_fd, &now) == 0 &&
        (uint64_t)now.st_size > file->size) {
        remember(file, &now);
        file->size = file->done = file->total = (uint64_t)now.st_size;
        return true;
    }
    if (wait_ms != 0)
        poll(NULL, 0, wait_ms > 0 && wait_ms < FOLLOW_MS ? wait_ms : FOLLOW_MS);
    return false;
}

bool file_step(struct file *file, size_t bytes, int wait_ms) {
    if (file->parts)
        return parts_step(file->parts, bytes, wait_ms);
    if (file->ended)
        return false;
    if (file->follows && !file->convert)
        return grown(file, wait_ms);
    struct spool_state state = {.size = file->size,
                                .done = file->done > file->start ? file->done - file->start : 0};
    spool_step(file->spool, bytes, wait_ms, &state);
    bool news = state.ended || state.size > file->size;
    file->size = state.size;
    file->done = file->start + state.done;
    file->ended = state.ended;
    file->fault = state.fault;
    file->why = state.why;
    if (file->ended)
        source_close(file);
    if (file->follows && !news)
        poll(NULL, 0, wait_ms >= 0 && wait_ms < FOLLOW_MS ? wait_ms : FOLLOW_MS);
    return news;
}

/* ---- opening ---- */

static bool start_spool(struct file *file, const struct importer *importer, struct err *err) {
    int marks = -1;
    file->data_fd = temporary_open();
    if (file->data_fd >= 0 && importer)
        marks = temporary_open();
    if (file->data_fd < 0 || (importer && marks < 0))
        return err_errno(err, "no temporary file can be made in $TMPDIR or /var/tmp: ", errno);
    if (importer)
        file->convert = convert_new(importer, marks, file->options.grows);
    struct spool_source source = {file->input, file->convert, file->waits};
    bool bounded = file->compression != FILE_PLAIN || importer;
    file->spool = spool_new(source, file->data_fd, bounded ? file->options.max_inflate : 0);
    return true;
}

/* Finds out what kind of file it is. */
static bool prepare(struct file *file, const struct stat *status, struct err *err) {
    bool regular = S_ISREG(status->st_mode);
    if (regular && status->st_size == 0)
        return err_set(err, ERR_NO_OFFSET, "empty file");
    /* The start of standard input may have been read before. */
    off_t at = regular && file->path == NULL ? lseek(file->source_fd, 0, SEEK_CUR) : 0;
    uint64_t start = at > 0 ? (uint64_t)at : 0;
    file->waits = !regular;
    file->total = regular ? (uint64_t)status->st_size : 0;
    file->input = inflate_new(file->source_fd, file->waits);
    if (!inflate_sniff(file->input, &file->compression))
        return err_errno(err, "cannot be read: ", errno);
    file->start = start;
    file->done = file->start + inflate_done(file->input);
    if (!inflate_start(file->input))
        return err_set(err, ERR_NO_OFFSET,
                       "compressed with zstd, which this fxtop was built without");
    struct convert_source from = {file->options.importers, file->waits, file->options.grows,
                                  file->path && file->compression == FILE_PLAIN ? file->source_fd
                                                                                : -1};
    if (convert_foreign(file->input, &from, err))
        return false;
    const struct importer *importer = convert_choose(file->options.importers, file->input);
    if (importer == NULL && file->options.importers && convert_is_utf16(file->input))
        return err_set(err, ERR_NO_OFFSET, "%s", FOREIGN_UTF16);
    if (regular && start == 0 && file->compression == FILE_PLAIN && importer == NULL) {
        file->data_fd = file->source_fd;
        file->source_fd = -1;
        source_close(file);
        file->size = file->done = (uint64_t)status->st_size;
        file->ended = true;
        remember(file, status);
        return true;
    }
    file->regular = regular && file->path != NULL; /* a spool file has no source to compare with */
    file->seen = *status;
    file->sample_size = (uint64_t)status->st_size;
    return start_spool(file, importer, err);
}

static struct file *file_new(int source_fd) {
    struct file *file = err_calloc(1, sizeof *file);
    file->source_fd = source_fd;
    file->data_fd = file->watch = -1;
    file->guard = map_guard_new();
    file->map_most = most_to_map();
    return file;
}

struct file *file_open(const char *path, const struct file_options *options, struct err *err) {
    page_size = (uint64_t)sysconf(_SC_PAGESIZE);
    temporary_outlive_limit();
    struct stat status;
    int fd = file_source_open(path, &status, err);
    if (fd < 0)
        return NULL;
    struct file *file = file_new(fd);
    if (options)
        file->options = *options;
    file->regular = S_ISREG(status.st_mode);
    if (file->regular && strcmp(path, "-") != 0) {
        size_t n = strlen(path) + 1;
        file->path = memcpy(err_malloc(n), path, n);
    }
    if (prepare(file, &status, err))
        return file;
    file_close(file);
    return NULL;
}

void file_await(const char *path) {
    struct stat status;
    while (stat(path, &status) == 0 && S_ISREG(status.st_mode) && status.st_size < 8)
        poll(NULL, 0, FOLLOW_MS);
}

/* ---- parts ---- */

/* Moves a file, in whose place are parts. */
static struct file *become_parts(struct file *file) {
    struct file *first = err_malloc(sizeof *first);
    *first = *file;
    *file = (struct file){.source_fd = -1, .data_fd = -1, .watch = -1, .guard = MAP_GUARD_NONE};
    return first;
}

static void become_set(struct file *file, size_t grow) {
    if (file->parts == NULL) {
        struct file *first = become_parts(file);
        file->parts = parts_new(first, grow);
    }
}

void file_split(struct file *file, uint64_t begin, const uint64_t *bytes, size_t n) {
    struct file *whole = become_parts(file);
    file->parts = parts_within(whole, begin, bytes, n);
}

static bool open_part(struct file *set, const char *path, const struct file_options *options,
                      struct err *err) {
    struct file *file = file_open(path, options, err);
    if (file && options && options->grows)
        file_follow(file, true);
    if (file && parts_add(set->parts, file, false, err))
        return true;
    file_close(file);
    return false;
}

struct file *file_open_set(const char *const *paths, size_t n, const struct file_options *options,
                           size_t *failed, struct err *err) {
    *failed = 0;
    struct file *file = file_open(paths[0], options, err);
    if (file == NULL || n == 1)
        return file;
    bool grows = options && options->grows;
    if (grows)
        file_follow(file, true);
    become_set(file, grows ? n : 0);
    for (size_t i = 1; i < n; i++) {
        *failed = i;
        if (!open_part(file, paths[i], options, err)) {
            file_close(file);
            return NULL;
        }
    }
    return file;
}

bool file_derive(struct file *file, size_t *part, struct err *err) {
    int fd = temporary_open();
    if (fd < 0)
        return err_errno(err, "no temporary file can be made in $TMPDIR or /var/tmp: ", errno);
    struct file *words = file_new(-1);
    words->data_fd = fd;
    become_set(file, 0);
    *part = parts_count(file->parts);
    if (parts_add(file->parts, words, true, err))
        return true;
    file_close(words);
    return false;
}

bool file_derived_add(struct file *file, size_t part, const void *words, size_t bytes) {
    struct file *to = parts_file(file->parts, part);
    const char *from = words;
    assert(bytes % 8 == 0);
    for (size_t done = 0; done < bytes;) {
        ssize_t n = pwrite(to->data_fd, from + done, bytes - done, (off_t)(to->size + done));
        if (n < 0 && errno == EINTR)
            continue;
        if (n <= 0)
            return false;
        done += (size_t)n;
    }
    to->size += bytes;
    return true;
}

void file_derived_end(struct file *file, size_t part) {
    parts_file(file->parts, part)->ended = true;
}

size_t file_part_count(const struct file *file) {
    return file->parts ? parts_count(file->parts) : 1;
}

void file_part(const struct file *file, size_t number, struct file_part *part) {
    if (file->parts)
        parts_get(file->parts, number, part);
    else
        *part = (struct file_part){0, 0, file->size, file->ended, false};
}

size_t file_part_at(const struct file *file, uint64_t at) {
    return file->parts ? parts_at(file->parts, at) : 0;
}

bool file_derived_at(const struct file *file, uint64_t at) {
    struct file_part part = {.derived = false};
    if (file->parts)
        parts_get(file->parts, parts_at(file->parts, at), &part);
    return part.derived;
}

struct file *file_part_file(struct file *file, size_t number) {
    return file->parts ? parts_file(file->parts, number) : file;
}

/* ---- the interface ---- */

void file_close(struct file *file) {
    if (file == NULL)
        return;
    parts_free(file->parts);
    source_close(file);
    convert_free(file->convert);
    window_drop(file);
    map_guard_free(file->guard);
    if (file->data_fd >= 0)
        close(file->data_fd);
    if (file->watch >= 0)
        close(file->watch);
    free(file->path);
    free(file);
}

int file_fd(const struct file *file) {
    if (file->parts)
        return parts_fd(file->parts);
    return !file->ended && file->waits ? file->source_fd : -1;
}

uint64_t file_size(const struct file *file) {
    if (file->parts)
        return parts_size(file->parts);
    return file->size;
}

bool file_ended(const struct file *file) {
    if (file->parts)
        return parts_ended(file->parts);
    return file->ended;
}

bool file_lost(const struct file *file) {
    if (file->parts)
        return parts_any(file->parts, file_lost);
    return file->lost || map_guard_lost(file->guard);
}

enum file_compression file_compression(const struct file *file) {
    if (file->parts)
        return file_compression(parts_file(file->parts, 0));
    return file->compression;
}

enum file_fault file_fault(const struct file *file, const char **why) {
    if (file->parts)
        return parts_fault(file->parts, why);
    if (why != NULL)
        *why = file->why;
    return file->fault;
}

void file_progress(const struct file *file, uint64_t *done, uint64_t *total) {
    if (file->parts) {
        parts_progress(file->parts, done, total);
        return;
    }
    *done = file->done;
    *total = file->total;
}

bool file_refuse(struct file *file, struct err *err) {
    assert(file->parts == NULL);
    struct import_case none = {0};
    size_t n;
    const char *bytes = file_span(file, 0, FOREIGN_FIRST, &n);
    if (file->fault != FILE_OK && file->size < 8)
        return err_set(err, ERR_NO_OFFSET, "%s", file->why);
    if (file->size == 0 && file_import_faults(file, IMPORT_NO_EVENTS, 0, &none) > 0 && none.why)
        return err_set(err, ERR_NO_OFFSET, "%s", none.why);
    return foreign_refuse((struct str){bytes, n < FOREIGN_FIRST ? n : FOREIGN_FIRST}, file->path,
                          err);
}

const char *file_imported(const struct file *file) {
    if (file->parts)
        return file_imported(parts_file(file->parts, 0));
    return file->convert ? convert_name(file->convert) : NULL;
}

bool file_import_source(const struct file *file, uint64_t at, struct import_place *source) {
    if (file->parts) {
        struct file_part part;
        parts_get(file->parts, parts_at(file->parts, at), &part);
        return file_import_source(parts_file(file->parts, part.number), at - part.begin, source);
    }
    return file->convert && convert_source(file->convert, at, source);
}

uint64_t file_import_faults(const struct file *file, enum import_fault fault, uint64_t i,
                            struct import_case *to) {
    return file->convert ? convert_faults(file->convert, fault, i, to) : 0;
}
