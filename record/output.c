/* output.c - the trace file that a recording writes.
 *
 * Records are collected in memory and written in large pieces that end at a record. If a piece
 * cannot be written whole, the file is cut to its last whole record, so it stays a trace without
 * damage. */
#include "record/output.h"

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "record/file/pages.h"
#include "src/fxt/record.h"
#include "src/io/files_read.h"

#define PIECE (1u << 20) /* bytes */
#define LAST 1024        /* bytes that are kept for a loss at the limit and the last record */
#define PROVIDER 256     /* bytes: the record that names one, and the rest of a page before it */
/* bytes: those that are interned for several records before the first of them begins */
#define STRINGS 512

static bool open_standard(struct output *o, struct err *err) {
    off_t at = lseek(STDOUT_FILENO, 0, SEEK_CUR);
    o->base = at > 0 ? (uint64_t)at : 0;
    o->fd = fcntl(STDOUT_FILENO, F_DUPFD_CLOEXEC, STDERR_FILENO + 1);
    return o->fd >= 0 || err_set(err, ERR_NO_OFFSET, "no standard output: %s", strerror(errno));
}

static bool is_used(const char *path, const char *what, struct err *err) {
    bool used = files_read_has(-1, path, FILES_READ_INPUT);
    if (used)
        err_set(err, ERR_NO_OFFSET, "%s is in use: write to another file", what);
    return used;
}

/* Renames an older file, unless the one that has its new name is in use. */
static bool keep_old(const char *path, struct err *err) {
    size_t n = strlen(path);
    char *old = err_malloc(n + 5);
    memcpy(old, path, n);
    memcpy(old + n, ".old", 5);
    bool used = is_used(old, "FILE.old", err), renamed = !used && rename(path, old) == 0;
    if (!used && !renamed)
        err_set(err, ERR_NO_OFFSET, "cannot rename the older file: %s", strerror(errno));
    free(old);
    return renamed;
}

int output_create(const char *path, struct err *err) {
    struct stat st;
    int flags = O_WRONLY | O_CREAT | O_CLOEXEC;
    bool regular = stat(path, &st) == 0 && S_ISREG(st.st_mode);
    if (regular && is_used(path, "it", err))
        return -1;
    if (regular && st.st_size > 0) {
        if (!keep_old(path, err))
            return -1;
        flags |= O_EXCL; /* rename() leaves both names if they are of one file */
    }
    int fd = open(path, flags, 0600);
    if (fd < 0)
        err_set(err, ERR_NO_OFFSET, "cannot create it: %s", strerror(errno));
    return fd;
}

int output_reader(const char *path) {
    struct stat st;
    bool pipe = strcmp(path, OUTPUT_STANDARD) != 0 && stat(path, &st) == 0 && S_ISFIFO(st.st_mode);
    return pipe ? open(path, O_WRONLY | O_CLOEXEC) : -1;
}

/* Writes to a pipe fail with EAGAIN instead of waiting: through a descriptor of its own, for
 * standard output is shared. */
static void let_wait(struct output *o) {
    char path[40];
    snprintf(path, sizeof path, "/proc/self/fd/%d", o->fd);
    int fd = open(path, O_WRONLY | O_NONBLOCK | O_CLOEXEC);
    if (fd < 0)
        return;
    close(o->fd);
    o->fd = fd;
    fcntl(fd, F_SETPIPE_SZ, (int)PIECE); /* if it may be so large: less is lost on a busy machine */
}

bool output_open(struct output *o, const char *path, uint64_t limit, struct err *err) {
    struct stat st;
    *o = (struct output){.fd = -1, .limit = limit > LAST ? limit - LAST : 0, .wake = -1};
    if (strcmp(path, OUTPUT_STANDARD) != 0)
        o->fd = output_create(path, err);
    else if (!open_standard(o, err))
        return false;
    if (o->fd < 0)
        return false;
    o->pipe = fstat(o->fd, &st) == 0 && S_ISFIFO(st.st_mode);
    if (o->pipe)
        let_wait(o);
    writer_init(&o->writer, NULL);
    writer_magic(&o->writer);
    return true;
}

bool output_close(struct output *o, struct err *err) {
    output_flush(o);
    if (o->fd >= 0 && close(o->fd) != 0 && !o->ended) {
        o->ended = true;
        err_set(&o->err, ERR_NO_OFFSET, "cannot write: %s", strerror(errno));
    }
    o->fd = -1;
    writer_free(&o->writer);
    u64map_free(&o->tids.seen);
    if (o->ended && err)
        *err = o->err;
    return !o->ended;
}

/* Nothing more is written; what is in memory is given up. */
static void end(struct output *o) {
    o->ended = true;
    o->writer.bytes.n = 0;
}

/* The bytes of whole records of a piece up to a limit; *records: their number, metadata left
 * out. */
static size_t whole_records(const struct writer *w, size_t limit, uint64_t *records) {
    const uint64_t *words = (const uint64_t *)(const void *)w->bytes.v;
    size_t whole = 0, size;
    *records = 0;
    while (whole < limit && (size = (size_t)record_words(words[whole / 8]) * 8) > 0 &&
           size <= limit - whole) {
        *records += (words[whole / 8] & 15) != FXT_METADATA;
        whole += size;
    }
    return whole;
}

/* Writes that a provider's records are missing from here on; false: there is no space for it. */
static bool put_loss(const struct output *o, uint64_t at) {
    uint64_t word = FXT_PUT(1, 4, 15) | FXT_PUT(FXT_PROVIDER_EVENT, 16, 19) |
                    FXT_PUT((uint64_t)(o->current > 0 ? o->current : OUTPUT_OWN), 20, 51);
    return lseek(o->fd, (off_t)at, SEEK_SET) >= 0 &&
           write(o->fd, &word, sizeof word) == sizeof word;
}

/* Only so many bytes in memory went to the file: cuts it to its last whole record, and counts the
 * others. A loss takes the place of its last bytes, as there may be no space for more. */
static void cut(struct output *o, size_t written) {
    struct writer *w = &o->writer;
    size_t place = !o->pipe && written >= sizeof(uint64_t) ? sizeof(uint64_t) : 0;
    uint64_t kept, all;
    size_t whole = whole_records(w, written - place, &kept);
    whole_records(w, w->bytes.n, &all);
    uint64_t lost = all - kept < o->records ? all - kept : o->records;
    uint64_t end = w->flushed + whole;
    o->missing += lost;
    o->records -= lost;
    w->flushed = end;
    if (o->pipe || written == 0)
        return;
    if (ftruncate(o->fd, (off_t)(o->base + end)) != 0)
        err_set(&o->err, ERR_NO_OFFSET, "cannot write, and the last record is cut: %s",
                strerror(errno));
    else if (put_loss(o, o->base + end))
        w->flushed += sizeof(uint64_t);
    else if (ftruncate(o->fd, (off_t)(o->base + end)) != 0)
        err_set(&o->err, ERR_NO_OFFSET, "cannot write, and the file ends in a part of a record");
}

bool output_wait(const struct output *o, int fd) {
    struct pollfd p[2] = {{fd, POLLOUT, 0}, {o->wake, POLLIN, 0}};
    while (poll(p, 2, -1) < 0 || p[0].revents == 0)
        if (p[1].revents != 0 && o->gives_up && o->gives_up(o->ctx))
            return false;
    return true;
}

void output_flush(struct output *o) {
    struct writer *w = &o->writer;
    size_t at = 0;
    while (!o->ended && at < w->bytes.n) {
        ssize_t n = write(o->fd, w->bytes.v + at, w->bytes.n - at);
        int why = n < 0 ? errno : 0;
        bool reads = why != EAGAIN || output_wait(o, o->fd);
        if (why == EINTR || (why == EAGAIN && reads))
            continue;
        if (n < 0) {
            err_set(&o->err, ERR_NO_OFFSET, "cannot write: %s",
                    reads ? strerror(why) : "it is not read");
            cut(o, at);
            end(o);
            return;
        }
        at += (size_t)n;
    }
    w->flushed += at;
    w->bytes.n = 0;
    o->begun = 0;
}

/* Copies the bytes [at, end) of a file. False: it cannot be read. */
static bool copy_file(struct output *o, int fd, off_t at, off_t end) {
    unsigned char block[8192];
    while (at < end && !o->ended) {
        size_t most = end - at < (off_t)sizeof block ? (size_t)(end - at) : sizeof block;
        ssize_t n = pread(fd, block, most, at);
        if (n <= 0)
            return false;
        vec_reserve(&o->writer.bytes, o->writer.bytes.n + (size_t)n);
        memcpy(o->writer.bytes.v + o->writer.bytes.n, block, (size_t)n);
        o->writer.bytes.n += (size_t)n;
        output_flush(o);
        at += n;
    }
    return true;
}

bool output_copy(struct output *o, struct output *from) {
    char path[40];
    struct stat st;
    output_flush(from);
    bool file = from->fd >= 0 && from->base == 0 && fstat(from->fd, &st) == 0 &&
                S_ISREG(st.st_mode) && (uint64_t)st.st_size <= o->limit;
    snprintf(path, sizeof path, "/proc/self/fd/%d", from->fd);
    int fd = file ? open(path, O_RDONLY | O_CLOEXEC) : -1;
    if (fd < 0)
        return false;
    bool done = copy_file(o, fd, (off_t)o->writer.bytes.n, st.st_size); /* the magic is there */
    close(fd);
    o->current = 0;
    return done;
}

bool output_waits(const struct output *o) {
    return o->writer.bytes.n > 0;
}

void output_rescue(struct output *o) {
    if (o->begun < o->writer.bytes.n)
        o->writer.bytes.n = o->begun;
    output_flush(o);
}

/* Nothing is written from here on, of any provider: the file has a loss there. */
static void reach_limit(struct output *o) {
    writer_provider_event(&o->writer, o->current > 0 ? o->current : OUTPUT_OWN, 0);
    o->current = 0; /* its section may have been taken back */
    output_flush(o);
    if (!o->ended)
        err_set(&o->err, ERR_NO_OFFSET, "the file has reached its limit");
    o->reached = !o->ended;
    end(o);
}

/* Whether `bytes` more fit; else the recording has reached its limit. */
static bool has_room(struct output *o, size_t bytes) {
    if (!o->ended && writer_offset(&o->writer) + bytes > o->limit)
        reach_limit(o);
    return !o->ended;
}

static void flush_full(struct output *o) {
    if (o->ended)
        o->writer.bytes.n = o->current = 0; /* its section is given up, too */
    else if (o->writer.bytes.n >= PIECE)
        output_flush(o);
}

void output_provider(struct output *o, uint32_t id, struct str name) {
    size_t before = o->writer.bytes.n;
    if (!has_room(o, PROVIDER))
        return;
    writer_provider_info(&o->writer, id, name);
    pages_part(&(struct pages){o->base, o->current > 0 ? o->current : id}, &o->writer, before);
    o->current = id;
    flush_full(o);
}

struct writer *output_begin(struct output *o, uint32_t id) {
    has_room(o, STRINGS);
    o->begun = o->writer.bytes.n;
    if (o->current != id)
        writer_provider_section(&o->writer, id);
    o->current = id;
    return &o->writer;
}

void output_end(struct output *o) {
    pages_part(&(struct pages){o->base, o->current}, &o->writer, o->begun);
    uint64_t end = writer_offset(&o->writer);
    if (!o->ended && end > o->limit) { /* its size is known only now */
        o->writer.bytes.n = o->begun;
        has_room(o, end - writer_offset(&o->writer));
    }
    o->records += !o->ended;
    o->missing += o->ended;
    flush_full(o);
}

static void put_news(struct output *o, uint32_t id, const struct readout_news *news) {
    uint64_t limit = o->limit > STRINGS ? o->limit - STRINGS : 0;
    size_t durable = 0, rolling = 0;
    uint64_t before = o->records;
    if (news->durable.n + news->rolling.n == 0)
        return;
    if (!o->ended && writer_offset(&o->writer) < limit) {
        struct writer *w = output_begin(o, id);
        const struct pages pages = {o->base, id};
        durable = pages_append(&pages, w, news->durable.v, news->durable.n, limit, &o->records);
        /* else all after a registration that does not fit is left out */
        if (durable == news->durable.n)
            rolling = pages_append(&pages, w, news->rolling.v, news->rolling.n, limit, &o->records);
        tids_count(&o->tids, id, news->durable.v, durable);
        tids_count(&o->tids, id, news->rolling.v, rolling);
    }
    o->missing += news->records - (o->records - before);
    if (!o->ended && durable + rolling < news->durable.n + news->rolling.n)
        reach_limit(o);
    flush_full(o);
}

void output_news(struct output *o, uint32_t id, const struct readout_news *news) {
    put_news(o, id, news);
    if (news->faults > 0)
        output_dropped(o, id);
}

void output_last(struct output *o) {
    o->limit += LAST;
    o->ended = o->ended && !o->reached;
}

void output_dropped(struct output *o, uint32_t id) {
    if (!has_room(o, 64))
        return;
    writer_provider_event(output_begin(o, id), id, 0);
    flush_full(o);
}
