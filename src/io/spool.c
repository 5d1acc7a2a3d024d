/* spool.c - writes input into the spool file: step by step, or by a thread ahead of the reader.
 *
 * The thread copies its progress to `published`, under the lock. It stops when the disk reaches its
 * reserve. The thread may be far ahead of its reports: then these interpolate its position in the
 * source, so that progress does not stall near the end. */
#include "src/io/spool.h"

#include <errno.h>
#include <stdlib.h>
#include <sys/statvfs.h>
#include <time.h>
#include <unistd.h>

#include "src/base/thread.h"

#define SPACE_KEPT UINT64_C(1000000000) /* bytes of the disk that stay free, or 5 % of it */
#define SPACE_LOOKS 64                  /* at the free space, while as much as is kept is written */
#define PIECE ((size_t)256 << 10)       /* bytes inflated between two reports */
#define MOMENT_MS 5                     /* least time to wait for the inflating thread */

struct spool {
    struct inflate *input;
    struct convert *convert;
    int fd;
    uint64_t most, space_checked; /* the space is looked at when the size is this */
    struct spool_state now;       /* progress of the side that inflates */
    bool alone;
    /* the thread */
    bool running;
    pthread_t thread;
    pthread_mutex_t lock; /* of what follows */
    pthread_cond_t came;
    struct spool_state published;
    bool stop;
};

/* ---- from the input to the disk ---- */

static void end(struct spool *s, enum file_fault fault, const char *why) {
    s->now.ended = true;
    s->now.fault = fault;
    s->now.why = why;
}

struct space {
    uint64_t kept, left; /* bytes */
};

static struct space space_of(int fd) {
    struct statvfs disk;
    if (fstatvfs(fd, &disk) != 0 || disk.f_blocks == 0)
        return (struct space){0, UINT64_MAX};
    uint64_t unit = disk.f_frsize, kept = disk.f_blocks * unit / 20;
    return (struct space){kept < SPACE_KEPT ? kept : SPACE_KEPT, disk.f_bavail * unit};
}

bool spool_fits(int fd, uint64_t bytes) {
    struct space space = space_of(fd);
    return space.left >= space.kept && space.left - space.kept >= bytes;
}

static bool space_short(struct spool *s) {
    if (s->now.size < s->space_checked)
        return false;
    struct space space = space_of(s->fd);
    s->space_checked = s->now.size + (space.kept > 0 ? space.kept : SPACE_KEPT) / SPACE_LOOKS + 1;
    return space.left < space.kept;
}

/* May end it. */
static void put(struct spool *s, const unsigned char *bytes, size_t n) {
    bool too_much = s->most > 0 && n > s->most - s->now.size;
    if (too_much)
        n = (size_t)(s->most - s->now.size);
    while (n > 0) {
        if (space_short(s)) {
            end(s, FILE_NO_SPACE, "stopped to keep space free on the disk of the temporary file");
            return;
        }
        uint64_t unchecked = s->space_checked - s->now.size;
        ssize_t done = write(s->fd, bytes, n < unchecked ? n : (size_t)unchecked);
        if (done < 0 && errno == EINTR)
            continue;
        if (done <= 0) {
            bool full = done == 0 || errno == ENOSPC || errno == EDQUOT || errno == EFBIG;
            end(s, FILE_NO_SPACE,
                full ? "no space left for the temporary file"
                     : "the temporary file could not be written");
            return;
        }
        s->now.size += (uint64_t)done;
        bytes += done;
        n -= (size_t)done;
    }
    if (too_much)
        end(s, FILE_NO_SPACE, "stopped at --max-inflate");
}

static void put_words(struct spool *s, struct str bytes, bool last) {
    struct str words = convert_some(s->convert, bytes, last);
    put(s, (const unsigned char *)words.s, words.n);
    while (convert_more(s->convert) && !s->now.ended) {
        words = convert_some(s->convert, STR(""), last);
        put(s, (const unsigned char *)words.s, words.n);
    }
}

/* Counts what an importer holds, too: if it is too much, it becomes words, as far as these fit. */
static void bound_held(struct spool *s) {
    if (s->now.ended || s->most == 0 || convert_held(s->convert) <= s->most - s->now.size)
        return;
    convert_hurry(s->convert);
    put_words(s, STR(""), false);
    if (!s->now.ended)
        end(s, FILE_NO_SPACE, "stopped at --max-inflate");
}

/* Moves at most `most` bytes of the input; false when that needs more input. May end it. */
static bool put_some(struct spool *s, size_t most) {
    struct inflate_piece piece;
    if (!inflate_some(s->input, most, &piece))
        return false;
    if (s->convert) {
        put_words(s, (struct str){(const char *)piece.bytes, piece.n}, piece.last);
        bound_held(s);
    } else {
        put(s, piece.bytes, piece.n);
    }
    if (piece.last && !s->now.ended)
        end(s, piece.fault, piece.why);
    return true;
}

static void step_here(struct spool *s, size_t bytes, int wait_ms) {
    uint64_t size = s->now.size, before = inflate_done(s->input);
    while (!s->now.ended && s->now.size - size < bytes) {
        if (put_some(s, bytes - (size_t)(s->now.size - size)))
            continue;
        /* padding and empty frames: gigabytes may decode to nothing */
        if (inflate_done(s->input) - before >= bytes)
            break;
        if (!inflate_read(s->input, s->now.size == size ? wait_ms : 0))
            break;
        if (wait_ms > 0)
            wait_ms = 0; /* waited once */
    }
    s->now.done = inflate_done(s->input);
}

/* ---- the thread ---- */

static void *work(void *ctx) {
    struct spool *s = ctx;
    for (bool stop = false; !stop && !s->now.ended;) {
        if (!put_some(s, PIECE))
            inflate_read(s->input, -1);
        s->now.done = inflate_done(s->input);
        pthread_mutex_lock(&s->lock);
        s->published = s->now;
        stop = s->stop;
        pthread_cond_signal(&s->came);
        pthread_mutex_unlock(&s->lock);
    }
    return NULL;
}

static struct timespec in_ms(int ms) {
    struct timespec t;
    clock_gettime(CLOCK_REALTIME, &t);
    t.tv_sec += ms / 1000;
    t.tv_nsec += ms % 1000 * 1000000L;
    if (t.tv_nsec >= 1000000000L) {
        t.tv_sec++;
        t.tv_nsec -= 1000000000L;
    }
    return t;
}

/* Interpolates between two states: `size` bytes are reported, with the part of the source that was
 * read for them. */
static struct spool_state part_of(const struct spool_state *before, const struct spool_state *now,
                                  uint64_t size) {
    double part = (double)(size - before->size) / (double)(now->size - before->size);
    return (struct spool_state){
        .size = size, .done = before->done + (uint64_t)((double)(now->done - before->done) * part)};
}

static void step_threaded(struct spool *s, size_t bytes, int wait_ms, struct spool_state *state) {
    struct spool_state before = *state;
    uint64_t most = bytes < UINT64_MAX - state->size ? state->size + bytes : UINT64_MAX;
    struct timespec until = in_ms(wait_ms < MOMENT_MS ? MOMENT_MS : wait_ms);
    pthread_mutex_lock(&s->lock);
    while (s->published.size == state->size && !s->published.ended)
        if (pthread_cond_timedwait(&s->came, &s->lock, &until) != 0)
            break;
    *state = s->published;
    pthread_mutex_unlock(&s->lock);
    if (state->size > most) /* the rest is reported by later calls */
        *state = part_of(&before, state, most);
}

/* ---- outside ---- */

struct spool *spool_new(struct spool_source source, int fd, uint64_t most) {
    struct spool *s = err_calloc(1, sizeof *s);
    s->input = source.input;
    s->convert = source.convert;
    s->fd = fd;
    s->most = most;
    s->alone = source.waits || !thread_worthwhile();
    s->now.done = inflate_done(source.input);
    space_short(s); /* a small input is read on a full disk, too */
    pthread_mutex_init(&s->lock, NULL);
    pthread_cond_init(&s->came, NULL);
    return s;
}

void spool_free(struct spool *s) {
    if (s == NULL)
        return;
    if (s->running) {
        pthread_mutex_lock(&s->lock);
        s->stop = true;
        pthread_mutex_unlock(&s->lock);
        if (s->convert)
            convert_give_up(s->convert);
        pthread_join(s->thread, NULL);
    }
    pthread_cond_destroy(&s->came);
    pthread_mutex_destroy(&s->lock);
    free(s);
}

bool spool_wait_for_more(struct spool *s, bool on) {
    if (s->running)
        return false;
    s->alone |= on;
    inflate_follow(s->input, on);
    return true;
}

void spool_step(struct spool *s, size_t bytes, int wait_ms, struct spool_state *state) {
    if (!s->alone && !s->running) {
        s->published = s->now;
        s->running = thread_start(&s->thread, work, s);
        s->alone = !s->running;
    }
    if (s->running) {
        step_threaded(s, bytes, wait_ms, state);
    } else {
        step_here(s, bytes, wait_ms);
        *state = s->now;
    }
}
