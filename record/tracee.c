/* tracee.c - one provider as the manager sees it.
 *
 * The manager makes the buffer, seals its size and maps it for reading alone. The end of the
 * packets' connection is the provider's end, however it came. Then, and after STOPPED, the rest of
 * the buffer is taken. */
#include "record/tracee.h"

#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/socket.h>
#include <unistd.h>

#include "record/watch/death.h"
#include "src/base/text.h"

#define START_NS UINT64_C(5000000000) /* for REGISTER, and for STARTED */
#define BURST_NS UINT64_C(1000000000) /* 1 GB that may come faster than at 1 GB/s, or 1 byte a ns */

static void close_fd(int *fd) {
    if (*fd >= 0)
        close(*fd);
    *fd = -1;
}

/* ---- sending ---- */

static bool send_control(struct tracee *t, uint16_t type, const void *body, size_t n,
                         const int *fds, size_t nfds) {
    struct wire_control head = {type, 0, (uint32_t)n};
    struct iovec io[2] = {{&head, sizeof head}, {(void *)(uintptr_t)body, n}};
    union {
        struct cmsghdr align;
        char bytes[CMSG_SPACE(2 * sizeof(int))];
    } ancillary;
    struct msghdr msg = {.msg_iov = io, .msg_iovlen = n > 0 ? 2 : 1};
    if (nfds > 0) {
        memset(&ancillary, 0, sizeof ancillary);
        msg.msg_control = ancillary.bytes;
        msg.msg_controllen = CMSG_SPACE(nfds * sizeof(int));
        struct cmsghdr *c = CMSG_FIRSTHDR(&msg);
        c->cmsg_level = SOL_SOCKET;
        c->cmsg_type = SCM_RIGHTS;
        c->cmsg_len = CMSG_LEN(nfds * sizeof(int));
        memcpy(CMSG_DATA(c), fds, nfds * sizeof(int));
    }
    return t->control >= 0 && sendmsg(t->control, &msg, MSG_NOSIGNAL | MSG_DONTWAIT) >= 0;
}

void tracee_refuse(int control, uint32_t status) {
    struct tracee t = {.control = control};
    const struct wire_registered m = {status, 0};
    send_control(&t, WIRE_REGISTERED, &m, sizeof m, NULL, 0);
    close(control);
}

/* ---- ends ---- */

static void take_rest(struct tracee *t, enum readout_when when) {
    if (t->taking == TAKES_SAVE) { /* the half comes first, whole */
        t->has_rest = true;
        t->rest = when;
        return;
    }
    t->taking = TAKES_NOTHING;
    if (t->reads) {
        readout_begin(&t->readout, when);
        t->taking = TAKES_REST;
    }
}

/* Nothing more comes from it. */
static void end(struct tracee *t) {
    if (t->state >= TRACEE_TERMINATED)
        return;
    t->died =
        t->state == TRACEE_STARTED || t->state == TRACEE_STARTING || t->state == TRACEE_STOPPING;
    t->signal = t->died ? death_signal(t->watch, t->pid) : 0;
    /* In the protocol of 2018 a provider answers STOP so: it closes its packets. */
    bool answers = t->state == TRACEE_STOPPING && t->signal == 0;
    t->died = t->died && !(answers && t->reads && readout_is_final(&t->readout));
    t->missed = t->missed || (t->died && !t->reads && t->fault[0] == 0);
    /* After STOPPED the rest is taken already, or is being taken. */
    if (t->state != TRACEE_STOPPED)
        take_rest(t, READOUT_DEAD);
    t->state = TRACEE_TERMINATED;
    t->deadline = 0;
    close_fd(&t->packets);
    close_fd(&t->control);
}

static void abort_it(struct tracee *t, const char *why, ...) __attribute__((format(printf, 2, 3)));
static void abort_it(struct tracee *t, const char *why, ...) {
    va_list args;
    va_start(args, why);
    vsnprintf(t->fault, sizeof t->fault, why, args);
    va_end(args);
    send_control(t, WIRE_TERMINATE, NULL, 0, NULL, 0);
    if (t->reads)
        readout_close(&t->readout);
    t->reads = false;
    t->taking = TAKES_NOTHING;
    t->save_at = 0;
    end(t);
}

void tracee_free(struct tracee *t) {
    if (t->reads)
        readout_close(&t->readout);
    if (t->buffer)
        munmap((void *)(uintptr_t)t->buffer, t->readout.n * 8);
    close_fd(&t->control);
    close_fd(&t->packets);
    close_fd(&t->watch);
    numbers_free(&t->numbers);
    *t = (struct tracee){.state = TRACEE_GONE, .control = -1, .packets = -1, .watch = -1};
}

/* ---- the connection ---- */

bool tracee_accept(struct tracee *t, int control, uint32_t id) {
    struct ucred who;
    socklen_t n = sizeof who;
    *t = (struct tracee){
        .state = TRACEE_NEW, .id = id, .control = control, .packets = -1, .watch = -1};
    if (getsockopt(control, SOL_SOCKET, SO_PEERCRED, &who, &n) != 0 ||
        (who.uid != geteuid() && who.uid != 0)) {
        tracee_refuse(control, WIRE_NOT_YOURS);
        t->control = -1;
        t->state = TRACEE_GONE;
        return false;
    }
    t->pid = who.pid;
    t->watch = death_watch(who.pid);
    t->numbers.ours = who.pid;
    t->since = ticks_monotonic();
    t->deadline = t->since + START_NS;
    return true;
}

/* The strings of the categories; returns the length. */
static size_t put_categories(const struct tracee_config *config, unsigned char *to, size_t room) {
    size_t at = 0;
    for (unsigned i = 0; i < config->ncategories; i++) {
        size_t n = strlen(config->categories[i]);
        if (n > 255 || at + 1 + n > room)
            break;
        to[at] = (unsigned char)n;
        memcpy(to + at + 1, config->categories[i], n);
        at += 1 + n;
    }
    return at;
}

/* A buffer whose size cannot change; -1: there is none. */
static int make_buffer(struct tracee *t, uint64_t size) {
    int fd = memfd_create("fxttrace", MFD_CLOEXEC | MFD_ALLOW_SEALING);
    if (fd < 0)
        return -1;
    void *p = MAP_FAILED;
    if (ftruncate(fd, (off_t)size) == 0 &&
        fcntl(fd, F_ADD_SEALS, F_SEAL_SHRINK | F_SEAL_GROW | F_SEAL_SEAL) == 0)
        p = mmap(NULL, size, PROT_READ, MAP_SHARED, fd, 0);
    if (p == MAP_FAILED) {
        close(fd);
        return -1;
    }
    t->buffer = p;
    t->readout.n = size / 8;
    return fd;
}

static void initialize(struct tracee *t, const struct tracee_config *config) {
    struct {
        struct wire_initialize head;
        unsigned char strings[8192];
    } m = {.head = {.mode = (uint8_t)config->mode,
                    .clock = (uint8_t)config->ticks->clock,
                    .categories = (uint16_t)config->ncategories,
                    .buffer_size = config->buffer_size,
                    .ticks_per_second = config->ticks->per_second}};
    int pair[2] = {-1, -1}, buffer = make_buffer(t, config->buffer_size);
    size_t n = sizeof m.head + put_categories(config, m.strings, sizeof m.strings);
    if (buffer < 0 ||
        socketpair(AF_UNIX, SOCK_SEQPACKET | SOCK_CLOEXEC | SOCK_NONBLOCK, 0, pair) != 0) {
        snprintf(t->fault, sizeof t->fault, "no buffer: %s", strerror(errno));
        close_fd(&buffer);
        /* It stays connected, or it would come again. */
        send_control(t, WIRE_TERMINATE, NULL, 0, NULL, 0);
        return;
    }
    t->packets = pair[0];
    t->state = TRACEE_INITIALIZED;
    if (!send_control(t, WIRE_INITIALIZE, &m, n, (int[]){buffer, pair[1]}, 2)) {
        t->missed = errno == EPIPE || errno == ECONNRESET;
        if (t->missed) /* it has ended, or waits no longer */
            end(t);
        else
            abort_it(t, "it cannot be sent its buffer: %s", strerror(errno));
    }
    close(buffer);
    close(pair[1]);
}

static void start(struct tracee *t, const struct tracee_config *config,
                  enum wire_disposition disposition) {
    const struct wire_start m = {.disposition = (uint8_t)disposition};
    if (t->state == TRACEE_READY)
        initialize(t, config);
    if (t->state != TRACEE_INITIALIZED && t->state != TRACEE_STOPPED)
        return;
    t->state = TRACEE_STARTING;
    t->was_started = false;
    t->disposition = disposition;
    t->deadline = ticks_monotonic() + START_NS;
    if (send_control(t, WIRE_START, &m, sizeof m, NULL, 0))
        return;
    if (errno == EPIPE || errno == ECONNRESET) /* it has ended since its buffer was sent */
        end(t);
    else
        abort_it(t, "it does not read its messages");
}

void tracee_stop(struct tracee *t, uint64_t deadline) {
    if (t->state < TRACEE_STARTING) {
        end(t);
    } else if (t->state < TRACEE_STOPPING) {
        t->state = TRACEE_STOPPING;
        t->deadline = deadline;
        send_control(t, WIRE_STOP, NULL, 0, NULL, 0); /* if it is gone, its packets end */
    }
}

void tracee_pause(struct tracee *t, uint64_t deadline) {
    if (t->state != TRACEE_STARTING && t->state != TRACEE_STARTED)
        return;
    t->paused = true;
    tracee_stop(t, deadline);
}

void tracee_resume(struct tracee *t, const struct tracee_config *config) {
    bool again = t->paused && t->state == TRACEE_STOPPED && t->taking == TAKES_NOTHING;
    if ((t->state != TRACEE_READY && !again) || t->fault[0])
        return;
    t->paused = false;
    start(t, config, again ? WIRE_CLEAR_ROLLING : WIRE_CLEAR_ALL);
}

void tracee_terminate(struct tracee *t) {
    if (t->state >= TRACEE_TERMINATED)
        return;
    t->late = t->late || t->state == TRACEE_STOPPING || t->state == TRACEE_STARTING;
    send_control(t, WIRE_TERMINATE, NULL, 0, NULL, 0);
    end(t);
    t->died = t->died && !t->late;
}

static void take_name(struct tracee *t, const unsigned char *name, size_t n) {
    memcpy(t->name, name, n);
    t->name[n] = 0;
}

void tracee_control(struct tracee *t, const struct tracee_config *config, bool runs) {
    struct {
        struct wire_control head;
        struct wire_register body;
        unsigned char name[WIRE_NAME_MAX + 1]; /* one more: too long */
    } m;
    /* Descriptors that come along are closed by the kernel, because there is no space for them. */
    ssize_t n = recv(t->control, &m, sizeof m, MSG_DONTWAIT);
    if (n < 0 && (errno == EAGAIN || errno == EINTR))
        return;
    if (n <= 0) {
        if (t->state == TRACEE_NEW)
            snprintf(t->fault, sizeof t->fault, "it left before it registered");
        if (t->packets < 0)
            end(t); /* else the end of the packets counts */
        close_fd(&t->control);
        return;
    }
    size_t least = sizeof m.head + sizeof m.body;
    if (t->state != TRACEE_NEW || (size_t)n <= least || (size_t)n > least + WIRE_NAME_MAX ||
        m.head.type != WIRE_REGISTER || m.head.zero != 0 ||
        m.head.bytes != (size_t)n - sizeof m.head || m.body.zero != 0) {
        abort_it(t, "it sent a message that is not in the protocol");
        return;
    }
    struct wire_registered answer = {m.body.version == 1 ? WIRE_OK : WIRE_BAD_VERSION, runs};
    send_control(t, WIRE_REGISTERED, &answer, sizeof answer, NULL, 0);
    t->numbers.its_own = m.body.pid;
    take_name(t, m.name, (size_t)n - least);
    if (answer.status != WIRE_OK) {
        abort_it(t, "it speaks version %lu of the protocol", (unsigned long)m.body.version);
        return;
    }
    t->state = TRACEE_READY;
    t->deadline = 0;
    if (runs)
        start(t, config, WIRE_CLEAR_ALL);
}

/* ---- packets ---- */

/* The number of records that it claims to have dropped: no thread drops more than one in a ns. */
static uint64_t dropped_of(struct tracee *t) {
    uint64_t dropped = readout_dropped(&t->readout);
    if (dropped <= ticks_monotonic() - t->since)
        return dropped;
    t->false_count = true;
    return t->dropped > 0 ? t->dropped : 1;
}

/* It has just begun: records that it has dropped while it has space came before. */
static void note_early(struct tracee *t) {
    uint64_t dropped = dropped_of(t);
    if (readout_is_fresh(&t->readout))
        t->early += dropped;
}

static void started(struct tracee *t, const struct wire_packet *p,
                    const struct tracee_config *config) {
    struct err err;
    if (p->data32 != WIRE_PROTOCOL || p->data64 != 0) {
        abort_it(t, "it speaks version %lu of the packets", (unsigned long)p->data32);
        return;
    }
    if ((t->state != TRACEE_STARTING && t->state != TRACEE_STOPPING) || t->was_started)
        return;
    t->was_started = true;
    if (t->state == TRACEE_STARTING) { /* else STOP went out before STARTED came in */
        t->state = TRACEE_STARTED;
        t->deadline = 0;
    }
    if (t->reads && t->disposition == WIRE_RETAIN)
        return;
    size_t durable =
        t->reads && t->disposition == WIRE_CLEAR_ROLLING ? t->readout.durable_taken : 0;
    bool used = t->reads;
    if (used) {
        t->faults_before += t->readout.faults;
        readout_close(&t->readout);
    }
    t->reads =
        readout_open(&t->readout, t->buffer, config->buffer_size, (int)config->mode, false, &err);
    t->readout.saved_known = true;
    t->readout.used = used;
    t->readout.durable_taken = durable;
    t->dropped_before += t->dropped;
    t->dropped = 0;
    if (!t->reads)
        abort_it(t, "%s", err.text);
    else
        note_early(t);
}

static void save(struct tracee *t, const struct wire_packet *p,
                 const struct tracee_config *config) {
    struct err err;
    bool expects = t->state == TRACEE_STARTED || t->state == TRACEE_STOPPING;
    if (config->mode != WIRE_STREAMING || !expects || t->taking == TAKES_SAVE || !t->reads)
        return; /* as upstream: ignored */
    if (!readout_save(&t->readout, p->data32, p->data64, &err)) {
        abort_it(t, "%s", err.text);
        return;
    }
    t->answer = (struct wire_packet){WIRE_BUFFER_SAVED, 0, p->data32, p->data64};
    t->taking = TAKES_SAVE;
    t->save_at = t->taken_until > ticks_monotonic() + BURST_NS ? t->taken_until - BURST_NS : 0;
}

void tracee_packet(struct tracee *t, const struct tracee_config *config,
                   char alert[WIRE_ALERT_MAX + 1]) {
    struct wire_packet p;
    alert[0] = 0;
    ssize_t n = recv(t->packets, &p, sizeof p, MSG_DONTWAIT | MSG_TRUNC);
    if (n < 0 && (errno == EAGAIN || errno == EINTR))
        return;
    if (n <= 0) {
        end(t);
        return;
    }
    if (n != sizeof p || (p.data16 != 0 && p.request != WIRE_ALERT)) {
        abort_it(t, "it sent a packet that is not in the protocol");
        return;
    }
    switch (p.request) {
    case WIRE_STARTED:
        started(t, &p, config);
        break;
    case WIRE_SAVE_BUFFER:
        save(t, &p, config);
        break;
    case WIRE_STOPPED:
        if (p.data32 != 0 || p.data64 != 0) {
            abort_it(t, "it sent a packet that is not in the protocol");
        } else if (t->state == TRACEE_STOPPING ||
                   t->state == TRACEE_STARTED) { /* by itself: at its exit */
            t->state = TRACEE_STOPPED;
            t->deadline = 0;
            take_rest(t, READOUT_STOPPED);
        }
        break;
    case WIRE_ALERT:
        memcpy(alert, (const char *)&p + 2, WIRE_ALERT_MAX);
        alert[WIRE_ALERT_MAX] = 0;
        break;
    default:
        abort_it(t, "it sent packet 0x%x, which is not in the protocol", (unsigned)p.request);
    }
}

/* ---- taking ---- */

void tracee_news(struct tracee *t) {
    if (t->reads && t->readout.mode == WIRE_CIRCULAR)
        numbers_look(&t->numbers); /* its records are read when these threads may have ended */
    if (t->taking != TAKES_NOTHING || !t->reads || t->readout.cell == 0 ||
        t->readout.mode == WIRE_CIRCULAR || t->state < TRACEE_STARTED ||
        t->state > TRACEE_STOPPING || t->taken_until > ticks_monotonic() + BURST_NS)
        return;
    readout_begin(&t->readout, READOUT_NOW);
    t->taking = TAKES_NEWS;
}

static bool has_lost(struct tracee *t) {
    return dropped_of(t) > t->dropped;
}

/* Writes its name before its first record, and an event each time some were dropped. */
static void announce(struct tracee *t, struct output *output) {
    uint64_t dropped = dropped_of(t);
    if (!t->named)
        output_provider(output, t->id, str_of(t->name));
    t->named = true;
    if (has_lost(t))
        output_dropped(output, t->id);
    t->dropped = dropped > t->dropped ? dropped : t->dropped;
}

/* The half is copied, so the provider may write to it again. False: it does not read its
 * packets. */
static bool answer_save(struct tracee *t) {
    return t->packets < 0 ||
           send(t->packets, &t->answer, sizeof t->answer, MSG_NOSIGNAL | MSG_DONTWAIT) >= 0 ||
           errno != EAGAIN;
}

static void all_taken(struct tracee *t, bool answered) {
    enum tracee_taking was = t->taking;
    t->taking = TAKES_NOTHING;
    if (!answered)
        abort_it(t, "it does not read its packets");
    if (was == TAKES_SAVE && t->has_rest)
        take_rest(t, t->rest);
    t->has_rest = false;
    if (t->state == TRACEE_TERMINATED && t->taking == TAKES_NOTHING)
        t->state = TRACEE_GONE;
}

bool tracee_take(struct tracee *t, struct output *output, struct readout_news *news, bool *got) {
    *got = false;
    if (t->taking == TAKES_NOTHING) {
        if (t->state == TRACEE_TERMINATED)
            t->state = TRACEE_GONE;
        return false;
    }
    uint64_t now = ticks_monotonic();
    if (t->save_at > now)
        return false;
    t->save_at = 0;
    bool more = readout_step(&t->readout, news), answered = true;
    numbers_replace(&t->numbers, news->durable.v, news->durable.n);
    numbers_replace(&t->numbers, news->rolling.v, news->rolling.n);
    t->taken_until =
        (t->taken_until > now ? t->taken_until : now) + (news->durable.n + news->rolling.n) * 8;
    /* before the half is written, because that may take long */
    if (!more && t->taking == TAKES_SAVE)
        answered = answer_save(t);
    if (news->durable.n > 0 || news->rolling.n > 0 || news->faults > 0 || has_lost(t)) {
        announce(t, output);
        output_news(output, t->id, news);
        *got = true;
    }
    readout_news_empty(news);
    if (!more)
        all_taken(t, answered);
    return more;
}

uint64_t tracee_due(const struct tracee *t, uint64_t until) {
    until = t->deadline > 0 && t->deadline < until ? t->deadline : until;
    return t->save_at > 0 && t->save_at < until ? t->save_at : until;
}

/* ---- its end ---- */

/* How it ended, if that is a fault; NULL: it is none. With chunks all that was written is found, as
 * after _exit(). */
static const char *fault_of(const struct tracee *t) {
    if (t->fault[0])
        return t->fault;
    if (t->missed && t->late)
        return "did not begin in time: nothing of it is there";
    if (t->missed)
        return "ended before it was traced: nothing of it is there";
    if (t->late)
        return "did not stop in time: it was read as it was";
    if (t->faults_before + t->readout.faults > 0)
        return "its buffer is damaged: what follows there in the chunk or half is lost";
    return t->died && t->readout.cell == 0 ? "ended without stopping: what could be found is there"
                                           : NULL;
}

static const char *why_dropped(const struct tracee *t, uint64_t dropped) {
    if (dropped == t->early && t->came_late)
        return " before there was room for it";
    if (dropped == t->early)
        return " before it was traced: the recorder was busy";
    if (t->readout.mode == WIRE_CIRCULAR)
        return " at an unknown time, while no half of its buffer was free: a larger --buffer keeps "
               "more";
    return ": a larger --buffer keeps more";
}

void tracee_report(const struct tracee *t, struct tracee_reports *told, bool ascii) {
    char safe[160];
    const char *what = fault_of(t);
    uint64_t dropped = t->dropped_before + t->dropped;
    text_plain(safe, sizeof safe, str_of(t->name), ascii ? TEXT_ASCII : 0);
    if ((what || t->signal != 0) && ++told->bad_ends <= TRACEE_REPORTS)
        fprintf(stderr, "fxtop record: %s (%ld)%s%s%s%s\n", safe, (long)t->pid,
                t->signal != 0 ? " was killed by a signal: " : "",
                t->signal != 0 ? strsignal(t->signal) : "", what ? ": " : "", what ? what : "");
    if (dropped == 0 || ++told->droppers > TRACEE_REPORTS)
        return;
    if (t->false_count)
        fprintf(stderr, "fxtop record: %s (%ld) counts more dropped records than can be\n", safe,
                (long)t->pid);
    else
        fprintf(stderr, "fxtop record: %s (%ld) dropped %" PRIu64 " record%s%s\n", safe,
                (long)t->pid, dropped, dropped == 1 ? "" : "s", why_dropped(t, dropped));
}
