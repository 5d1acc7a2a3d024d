/* file.c - see file.h. Offsets are bytes of the uncompressed trace.
 *
 * From the bottom up: guards (SIGBUS), the window, the spool, the input, the decoders, opening. */
#include "src/file.h"

#include <assert.h>
#include <ctype.h>
#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/statvfs.h>
#include <unistd.h>
#include <zlib.h>
#ifdef HAVE_ZSTD
#include <zstd.h>
#include <zstd_errors.h>
#endif

#ifndef MAP_NORESERVE
#define MAP_NORESERVE 0
#endif

#define KIB ((size_t)1 << 10)
#define MIB ((size_t)1 << 20)

enum { GUARD_NONE = -1, GUARD_MAX = 32, MAGIC_MAX = 4 };
static const size_t WINDOW_LEAST = 1 * MIB;  /* below that, reading is as good */
static const size_t WINDOW_MOST = 64 * MIB;  /* of a file that cannot be mapped whole */
static const size_t GROWTH_LEAST = 64 * MIB; /* mapped ahead of a spool that grows */
static const size_t IO_SIZE = 256 * KIB;
static const uint64_t SPACE_CHECK = 16 * MIB; /* written between two looks at the free space */
static const uint64_t SPACE_KEPT = 1000000000;

struct window {
    unsigned char *base; /* NULL: none */
    uint64_t at;         /* what base[0] is */
    size_t length;       /* a map may reach beyond the end of the file */
    bool mapped;         /* else malloc */
};

struct input {
    int fd;
    bool waits; /* a pipe and its like: poll before reading */
    bool eof;
    unsigned char *buf; /* IO_SIZE; [pos, length) is still to be consumed */
    size_t pos, length;
    uint64_t done, total; /* bytes read; of how many, 0: unknown */
    int error;            /* errno of a read that failed */
};

struct file {
    int data_fd; /* what the window shows: the file itself, or the spool */
    uint64_t size;
    bool ended, lost;
    int guard;
    struct window window;
    size_t map_most; /* bytes of address space that one map may take */

    bool streamed; /* spooled: all below is for that */
    struct input in;
    unsigned char *out; /* IO_SIZE */
    uint64_t max_inflate, space_checked;
    enum file_compression compression;
    bool in_frame; /* inside a gzip member or a zstd frame */
    z_stream gzip;
#ifdef HAVE_ZSTD
    ZSTD_DStream *zstd;
    size_t zstd_hint; /* input that it asks for */
    bool zstd_full;   /* the last output buffer was filled: there may be more without input */
#endif
    enum file_fault fault;
    const char *why;
};

/* ---- Guards: the maps in which SIGBUS is ours to mend; read by a signal handler. */

struct guard {
    volatile uintptr_t low, high;
    volatile sig_atomic_t lost;
    bool used;
};

static struct guard guards[GUARD_MAX];
static uintptr_t page_size;
static struct sigaction sigbus_before;

static void on_sigbus(int signal_number, siginfo_t *info, void *context) {
    (void)context;
    int saved = errno;
    uintptr_t address = (uintptr_t)info->si_addr;
    for (int i = 0; info->si_code > 0 && i < GUARD_MAX; i++) {
        if (address < guards[i].low || address >= guards[i].high)
            continue;
        uintptr_t page = address - address % page_size;
        void *zeros = mmap((void *)page, guards[i].high - page, PROT_READ,
                           MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE | MAP_FIXED, -1, 0);
        if (zeros == MAP_FAILED)
            break;
        guards[i].lost = 1;
        errno = saved;
        return;
    }
    sigaction(signal_number, &sigbus_before, NULL); /* not ours: it faults again, before whoever was here before */
    if (info->si_code <= 0)
        raise(signal_number);
    errno = saved;
}

/* Lets write() fail with EFBIG at ulimit -f, where SIGXFSZ would kill; unlike SIG_IGN it is not inherited. */
static void on_sigxfsz(int signal_number) {
    (void)signal_number;
}

static void install_handlers(void) {
    if (page_size != 0)
        return;
    page_size = (uintptr_t)sysconf(_SC_PAGESIZE);
    struct sigaction action = {.sa_sigaction = on_sigbus, .sa_flags = SA_SIGINFO};
    sigemptyset(&action.sa_mask);
    sigaction(SIGBUS, &action, &sigbus_before);

    struct sigaction before;
    struct sigaction limit = {.sa_handler = on_sigxfsz, .sa_flags = SA_RESTART};
    sigemptyset(&limit.sa_mask);
    if (sigaction(SIGXFSZ, NULL, &before) == 0 && before.sa_handler == SIG_DFL)
        sigaction(SIGXFSZ, &limit, NULL);
}

static int guard_take(void) {
    for (int i = 0; i < GUARD_MAX; i++)
        if (!guards[i].used) {
            guards[i] = (struct guard){.used = true};
            return i;
        }
    return GUARD_NONE; /* more files than guards: this one is read, not mapped */
}

/* ---- The window. */

static uint64_t page_down(uint64_t n) {
    return n - n % page_size;
}

static uint64_t page_up(uint64_t n) {
    return page_down(n + page_size - 1);
}

/* Half of the address space (ulimit -v) at most, so that what the trace becomes has room too. */
static size_t most_to_map(void) {
    uint64_t most = SIZE_MAX / 4;
    struct rlimit limit;
    if (getrlimit(RLIMIT_AS, &limit) == 0 && limit.rlim_cur != RLIM_INFINITY && limit.rlim_cur / 2 < most)
        most = limit.rlim_cur / 2;
    if (most < WINDOW_LEAST)
        most = WINDOW_LEAST;
    return (size_t)page_down(most);
}

static void window_drop(struct file *file) {
    struct window *window = &file->window;
    if (window->base != NULL && window->mapped) {
        guards[file->guard].low = guards[file->guard].high = 0;
        munmap(window->base, window->length);
    } else {
        free(window->base);
    }
    *window = (struct window){.base = NULL};
}

static bool window_map(struct file *file, uint64_t at, uint64_t length) {
    if (file->guard == GUARD_NONE) {
        errno = ENOTSUP;
        return false;
    }
    void *base = mmap(NULL, (size_t)length, PROT_READ, MAP_SHARED | MAP_NORESERVE, file->data_fd, (off_t)at);
    if (base == MAP_FAILED)
        return false;
    file->window = (struct window){base, at, (size_t)length, true};
    guards[file->guard].low = (uintptr_t)base;
    guards[file->guard].high = (uintptr_t)base + (size_t)length;
    return true;
}

/* Reads a window; what cannot be read is zeros, as in a map that lost its pages. */
static bool window_read(struct file *file, uint64_t at, size_t length) {
    unsigned char *base = malloc(length);
    if (base == NULL)
        return false;
    size_t n = 0;
    while (n < length) {
        ssize_t got = pread(file->data_fd, base + n, length - n, (off_t)(at + n));
        if (got < 0 && errno == EINTR)
            continue;
        if (got <= 0)
            break;
        n += (size_t)got;
    }
    if (n < length) {
        memset(base + n, 0, length - n);
        file->lost = true;
    }
    file->window = (struct window){base, at, length, false};
    return true;
}

/* Where a window that holds [at, end), or as much of it as goes in, begins: on a grid of half its length, so that steps
 * back and forth around one place do not move it each time. */
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
    *n = 0;
    if (at >= file->size)
        return NULL;
    uint64_t end = want < file->size - at ? at + (want > 0 ? want : 1) : file->size;
    const struct window *window = &file->window;
    if (window->base == NULL || at < window->at || end > window->at + window->length)
        window_move(file, at, end);
    if (window->base == NULL || at < window->at || at - window->at >= window->length)
        return NULL;
    uint64_t there = window->at + window->length < file->size ? window->at + window->length : file->size;
    *n = (size_t)(there - at);
    return window->base + (at - window->at);
}

/* ---- The spool: an unlinked file that takes what cannot be mapped where it is. */

/* Descriptors 0 to 2 may be closed: a spool in their place would catch what is printed. */
static int above_standard(int fd) {
    if (fd < 0 || fd > STDERR_FILENO)
        return fd;
    int high = fcntl(fd, F_DUPFD_CLOEXEC, STDERR_FILENO + 1);
    int saved = errno;
    close(fd);
    errno = saved;
    return high;
}

static int spool_in(const char *directory) {
#ifdef O_TMPFILE
    int nameless = open(directory, O_TMPFILE | O_RDWR | O_EXCL | O_CLOEXEC, 0600);
    if (nameless >= 0)
        return above_standard(nameless);
#endif
    static const char name[] = "/fxtop-XXXXXX";
    size_t length = strlen(directory);
    char *path = err_malloc(length + sizeof name);
    memcpy(path, directory, length);
    memcpy(path + length, name, sizeof name);
    int fd = above_standard(mkstemp(path));
    if (fd >= 0) {
        fcntl(fd, F_SETFD, FD_CLOEXEC);
        unlink(path);
    }
    int saved = errno;
    free(path);
    errno = saved;
    return fd;
}

static int spool_open(void) {
    const char *directory = getenv("TMPDIR");
    int fd = directory != NULL && *directory != '\0' ? spool_in(directory) : -1;
    return fd >= 0 ? fd : spool_in("/var/tmp");
}

static void end(struct file *file, enum file_fault fault, const char *why) {
    file->ended = true;
    file->fault = fault;
    file->why = why;
}

static bool space_short(struct file *file) {
    if (file->size - file->space_checked < SPACE_CHECK)
        return false;
    file->space_checked = file->size;
    struct statvfs disk;
    if (fstatvfs(file->data_fd, &disk) != 0 || disk.f_blocks == 0)
        return false;
    uint64_t unit = disk.f_frsize, kept = disk.f_blocks * unit / 20;
    return disk.f_bavail * unit < (kept < SPACE_KEPT ? kept : SPACE_KEPT);
}

/* May end the file. */
static void spool(struct file *file, const unsigned char *bytes, size_t n) {
    bool too_much = file->max_inflate > 0 && file->compression != FILE_PLAIN && n > file->max_inflate - file->size;
    if (too_much)
        n = (size_t)(file->max_inflate - file->size);
    while (n > 0) {
        if (space_short(file)) {
            end(file, FILE_NO_SPACE, "stopped to leave some space on the disk of the temporary file");
            return;
        }
        ssize_t done = write(file->data_fd, bytes, n);
        if (done < 0 && errno == EINTR)
            continue;
        if (done <= 0) {
            bool full = done == 0 || errno == ENOSPC || errno == EDQUOT || errno == EFBIG;
            end(file, FILE_NO_SPACE,
                full ? "no space left for the temporary file" : "the temporary file could not be written");
            return;
        }
        file->size += (uint64_t)done;
        bytes += done;
        n -= (size_t)done;
    }
    if (too_much)
        end(file, FILE_NO_SPACE, "stopped at --max-inflate");
}

/* ---- The input: bytes as they come, before decoding. */

/* Reads on. False: there is nothing for now, or a signal came. True: bytes, the end, or a failure that ended the file.
 * Called only when what is there has been used up but for the beginning of a magic number or a block. */
static bool input_more(struct file *file, int wait_ms) {
    struct input *in = &file->in;
    assert(!in->eof);
    memmove(in->buf, in->buf + in->pos, in->length - in->pos);
    in->length -= in->pos;
    in->pos = 0;
    assert(in->length < IO_SIZE);
    if (in->waits) {
        struct pollfd wait = {.fd = in->fd, .events = POLLIN};
        int ready = poll(&wait, 1, wait_ms);
        if (ready == 0 || (ready < 0 && (errno == EINTR || errno == EAGAIN)))
            return false;
    }
    ssize_t got = read(in->fd, in->buf + in->length, IO_SIZE - in->length);
    if (got < 0 && (errno == EINTR || errno == EAGAIN || errno == EWOULDBLOCK))
        return false;
    if (got < 0) {
        in->error = errno;
        end(file, FILE_READ_ERROR, "it could not be read to the end");
    } else if (got == 0) {
        in->eof = true;
    } else {
        in->length += (size_t)got;
        in->done += (uint64_t)got;
    }
    return true;
}

static enum file_compression magic(const unsigned char *bytes, size_t n) {
    if (n >= 2 && bytes[0] == 0x1f && bytes[1] == 0x8b)
        return FILE_GZIP;
    if (n >= 4 && bytes[0] == 0x28 && bytes[1] == 0xb5 && bytes[2] == 0x2f && bytes[3] == 0xfd)
        return FILE_ZSTD;
    if (n >= 4 && (bytes[0] & 0xf0) == 0x50 && bytes[1] == 0x2a && bytes[2] == 0x4d && bytes[3] == 0x18)
        return FILE_ZSTD; /* a skippable frame: pzstd begins with one */
    return FILE_PLAIN;
}

/* ---- The decoders. Each moves at most `most` bytes (at most IO_SIZE) to the spool and returns false when it needs
 * more input; never when the input has ended: then it ends the file. */

static void end_truncated(struct file *file) {
    end(file, FILE_COMPRESSED_TRUNCATED, "the compressed data end early");
}

static void end_damaged(struct file *file) {
    end(file, FILE_COMPRESSED_DAMAGED, "the compressed data are damaged");
}

static bool copy_some(struct file *file, size_t most) {
    struct input *in = &file->in;
    size_t n = in->length - in->pos < most ? in->length - in->pos : most;
    spool(file, in->buf + in->pos, n);
    in->pos += n;
    if (n == 0 && in->eof)
        end(file, FILE_OK, NULL);
    return n > 0 || in->eof;
}

/* Between two members or frames. Padding with zeros is usual (tapes, tar). */
static bool next_frame(struct file *file) {
    struct input *in = &file->in;
    while (in->pos < in->length && in->buf[in->pos] == 0)
        in->pos++;
    size_t n = in->length - in->pos;
    if (n < MAGIC_MAX && !in->eof)
        return false;
    if (n == 0) {
        end(file, FILE_OK, NULL);
    } else if (magic(in->buf + in->pos, n) != file->compression) {
        end(file, FILE_COMPRESSED_TRAILING, "bytes behind the compressed data were left out");
    } else {
        file->in_frame = true;
        if (file->compression == FILE_GZIP)
            inflateReset(&file->gzip);
#ifdef HAVE_ZSTD
        if (file->compression == FILE_ZSTD) {
            file->zstd_hint = ZSTD_initDStream(file->zstd);
            file->zstd_full = false;
        }
#endif
    }
    return true;
}

static bool inflate_some(struct file *file, size_t most) {
    struct input *in = &file->in;
    z_stream *z = &file->gzip;
    z->next_in = in->buf + in->pos;
    z->avail_in = (uInt)(in->length - in->pos);
    z->next_out = file->out;
    z->avail_out = (uInt)most;
    int result = inflate(z, Z_NO_FLUSH);
    in->pos = in->length - z->avail_in;
    spool(file, file->out, most - z->avail_out);
    if (file->ended)
        return true;
    switch (result) {
    case Z_OK:
        return true;
    case Z_STREAM_END:
        file->in_frame = false;
        return true;
    case Z_BUF_ERROR: /* no progress */
        if (in->eof)
            end_truncated(file);
        return in->eof;
    case Z_MEM_ERROR:
        err_no_memory();
    default:
        end_damaged(file);
        return true;
    }
}

#ifdef HAVE_ZSTD
static bool unzstd_some(struct file *file, size_t most) {
    struct input *in = &file->in;
    size_t n = in->length - in->pos;
    if (n == 0 && !file->zstd_full) {
        if (in->eof)
            end_truncated(file);
        return in->eof;
    }
    /* An error hides how much the same call has put out before it. So no call does both: put out the rest of a block
     * and read on; and though it asks for a block and the header of the next (3 bytes), they go in one by one. */
    size_t asked = file->zstd_full ? 0 : file->zstd_hint > 3 ? file->zstd_hint - 3 : file->zstd_hint;
    ZSTD_inBuffer src = {in->buf + in->pos, n < asked ? n : asked, 0};
    ZSTD_outBuffer dst = {file->out, most, 0};
    size_t result = ZSTD_decompressStream(file->zstd, &dst, &src);
    in->pos += src.pos;
    spool(file, file->out, dst.pos);
    if (file->ended)
        return true;
    if (ZSTD_isError(result)) {
        switch (ZSTD_getErrorCode(result)) {
        case ZSTD_error_memory_allocation:
            err_no_memory();
        case ZSTD_error_frameParameter_windowTooLarge:
            end(file, FILE_COMPRESSED_DAMAGED, "it takes more than 128 MiB of memory to decompress (zstd --long)");
            return true;
        default:
            end_damaged(file);
            return true;
        }
    }
    file->zstd_hint = result;
    file->zstd_full = dst.pos == dst.size;
    file->in_frame = result != 0;
    return true;
}
#endif

static bool move_some(struct file *file, size_t most) {
    if (file->compression == FILE_PLAIN)
        return copy_some(file, most);
    if (!file->in_frame)
        return next_frame(file);
#ifdef HAVE_ZSTD
    if (file->compression == FILE_ZSTD)
        return unzstd_some(file, most);
#endif
    return inflate_some(file, most);
}

static void decoder_open(struct file *file) {
    file->out = err_malloc(IO_SIZE);
    if (file->compression == FILE_GZIP && inflateInit2(&file->gzip, 16 + 15) != Z_OK) /* 16: gzip alone */
        err_no_memory();
#ifdef HAVE_ZSTD
    if (file->compression == FILE_ZSTD && (file->zstd = ZSTD_createDStream()) == NULL)
        err_no_memory();
#endif
}

/* Whatever only a file needs that is still coming. */
static void stream_close(struct file *file) {
    if (!file->streamed)
        return;
    if (file->compression == FILE_GZIP)
        inflateEnd(&file->gzip);
#ifdef HAVE_ZSTD
    ZSTD_freeDStream(file->zstd);
    file->zstd = NULL;
#endif
    free(file->in.buf);
    free(file->out);
    file->in.buf = file->out = NULL;
    close(file->in.fd);
    file->in.fd = -1;
    file->streamed = false;
}

bool file_step(struct file *file, size_t budget, int wait_ms) {
    if (file->ended)
        return false;
    uint64_t size = file->size, done = file->in.done;
    while (!file->ended && file->size - size < budget) {
        uint64_t left = budget - (file->size - size);
        if (move_some(file, left < IO_SIZE ? (size_t)left : IO_SIZE))
            continue;
        if (file->in.done - done >= budget) /* padding and empty frames: gigabytes may decode to nothing */
            break;
        if (!input_more(file, file->size == size ? wait_ms : 0))
            break;
        if (wait_ms > 0)
            wait_ms = 0; /* waited once */
    }
    if (file->ended)
        stream_close(file);
    return file->ended || file->size > size;
}

/* ---- Opening. */

/* "no such file or directory": as part of a sentence. */
static bool err_errno(struct err *err, const char *what, int number) {
    char text[128];
    snprintf(text, sizeof text, "%s", strerror(number));
    if (isupper((unsigned char)text[0]) && !isupper((unsigned char)text[1]))
        text[0] = (char)tolower((unsigned char)text[0]);
    return err_set(err, ERR_NO_OFFSET, "%s%s", what, text);
}

/* Standard input may be what a path may not: /dev/null, a socket. */
static bool may_be_trace(const struct stat *status, bool standard_input, struct err *err) {
    if (S_ISDIR(status->st_mode))
        return err_set(err, ERR_NO_OFFSET, "is a directory");
    if (S_ISREG(status->st_mode) || S_ISFIFO(status->st_mode) || standard_input)
        return true;
    return err_set(err, ERR_NO_OFFSET, "is a %s, not a trace", S_ISSOCK(status->st_mode) ? "socket" : "device");
}

static int open_source(const char *path, struct stat *status, struct err *err) {
    bool standard_input = strcmp(path, "-") == 0;
    int fd;
    if (standard_input) {
        fd = fcntl(STDIN_FILENO, F_DUPFD_CLOEXEC, STDERR_FILENO + 1); /* main may put the keyboard in its place */
        if (fd < 0 && errno == EBADF) {
            err_set(err, ERR_NO_OFFSET, "standard input is closed");
            return -1;
        }
    } else {
        if (stat(path, status) != 0) { /* before open(), which already starts a tape or waits for a modem */
            err_errno(err, "", errno);
            return -1;
        }
        if (!may_be_trace(status, false, err))
            return -1;
        do
            fd = open(path, O_RDONLY | O_CLOEXEC | O_NOCTTY);
        while (fd < 0 && errno == EINTR);
        fd = above_standard(fd);
    }
    if (fd < 0 || fstat(fd, status) != 0) {
        err_errno(err, "", errno);
    } else if (standard_input && isatty(fd)) {
        err_set(err, ERR_NO_OFFSET, "standard input is a terminal");
    } else if (may_be_trace(status, standard_input, err)) {
        return fd;
    }
    if (fd >= 0)
        close(fd);
    return -1;
}

/* Reads until the compression is known. */
static bool sniff(struct file *file, struct err *err) {
    struct input *in = &file->in;
    in->buf = err_malloc(IO_SIZE);
    while (!file->ended && !in->eof && in->length < MAGIC_MAX)
        input_more(file, -1);
    if (file->ended)
        return err_errno(err, "cannot be read: ", in->error);
    file->compression = magic(in->buf, in->length);
#ifndef HAVE_ZSTD
    if (file->compression == FILE_ZSTD)
        return err_set(err, ERR_NO_OFFSET, "compressed with zstd, which this fxtop was built without");
#endif
    return true;
}

/* Finds out what kind of file it is; false with in.fd still open. */
static bool prepare(struct file *file, const struct stat *status, struct err *err) {
    struct input *in = &file->in;
    bool regular = S_ISREG(status->st_mode);
    if (regular && status->st_size == 0)
        return err_set(err, ERR_NO_OFFSET, "empty file");
    off_t start = regular ? lseek(in->fd, 0, SEEK_CUR) : 0; /* of standard input somebody may have read some */
    in->waits = !regular;
    in->total = regular ? (uint64_t)status->st_size : 0;
    in->done = regular && start > 0 ? (uint64_t)start : 0;
    if (!sniff(file, err))
        return false;

    if (regular && start == 0 && file->compression == FILE_PLAIN) {
        free(in->buf);
        in->buf = NULL;
        file->data_fd = in->fd;
        file->size = in->done = (uint64_t)status->st_size;
        file->ended = true;
        return true;
    }
    file->data_fd = spool_open();
    if (file->data_fd < 0)
        return err_errno(err, "no temporary file can be made in $TMPDIR or /var/tmp: ", errno);
    file->streamed = true;
    decoder_open(file);
    return true;
}

struct file *file_open(const char *path, uint64_t max_inflate, struct err *err) {
    install_handlers();
    struct stat status;
    int fd = open_source(path, &status, err);
    if (fd < 0)
        return NULL;
    struct file *file = err_calloc(1, sizeof *file);
    file->in.fd = fd;
    file->data_fd = -1;
    file->guard = guard_take();
    file->map_most = most_to_map();
    file->max_inflate = max_inflate;
    if (prepare(file, &status, err))
        return file;
    if (file->data_fd < 0)
        close(fd);
    free(file->in.buf);
    file->in.buf = NULL;
    file_close(file);
    return NULL;
}

void file_close(struct file *file) {
    if (file == NULL)
        return;
    stream_close(file);
    window_drop(file);
    if (file->guard != GUARD_NONE)
        guards[file->guard].used = false;
    if (file->data_fd >= 0)
        close(file->data_fd);
    free(file);
}

int file_fd(const struct file *file) {
    return !file->ended && file->in.waits ? file->in.fd : -1;
}

uint64_t file_size(const struct file *file) {
    return file->size;
}

bool file_ended(const struct file *file) {
    return file->ended;
}

bool file_lost(const struct file *file) {
    return file->lost || (file->guard != GUARD_NONE && guards[file->guard].lost);
}

enum file_compression file_compression(const struct file *file) {
    return file->compression;
}

enum file_fault file_fault(const struct file *file, const char **why) {
    if (why != NULL)
        *why = file->why;
    return file->fault;
}

void file_progress(const struct file *file, uint64_t *done, uint64_t *total) {
    *done = file->in.done;
    *total = file->in.total;
}
