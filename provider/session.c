/* session.c - the provider's side of a session.
 *
 * A constructor looks for FXTTRACE_SOCKET, and does nothing without it. With it a helper thread
 * connects to the manager, and waits for its messages, for packets, and for writers that have
 * filled a half. While no manager is there it watches the socket's directory. All changes of the
 * session happen under one lock; writers never take it.
 *
 * A manager that refuses or closes is asked again after some time, which doubles each time. It is
 * short again after a session that was stopped in order, and for another socket.
 *
 * States: no connection -> registered -> initialized (a buffer is mapped) -> started -> stopped ->
 * started ... The generation is 0 except while it is started. A manager that closes, or sends what
 * the protocol does not allow, takes the session back to no connection: the program goes on without
 * tracing. */
#include "provider/session.h"

#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <poll.h>
#include <pthread.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/select.h>
#include <sys/socket.h>
#include <sys/syscall.h>
#include <sys/un.h>
#include <unistd.h>

#include "provider/clock.h"
#include "provider/connect.h"
#include "provider/held.h"
#include "provider/lib/trace/event.h"
#include "provider/names.h"
#include "provider/rings.h"
#include "provider/watch.h"
#include "provider/write.h"

/* the program waits so long for a session that is about to start; a busy machine needs it */
#define START_MS 250
#define QUIESCE_MS 1000 /* a writer that does not leave for so long has stopped inside */
#define RETRY_MS 10     /* interval of looking again at a half that a writer does not leave */
#define SEARCH_MS 1000  /* interval of looking for the socket if its directory cannot be watched */
#define EXIT_MS 100 /* the program's exit waits so long for space, if ends of slices were dropped */
/* interval of looking at the descriptors of a session: rings may not arrive any more */
#define CHECK_MS 1000
/* ms before a manager that has closed is asked again; twice as long each time, up to: */
#define AGAIN_LEAST 10
#define AGAIN_MOST 10000
#define ALERT_MS 250 /* an alert waits so long for the helper */
#define FORK_MS 1500 /* fork() waits so long for the helper: more than it waits for a writer */
#define NEVER UINT64_MAX
#define STACK (192u << 10) /* a third of it is a message */

static struct session {
    char path[sizeof((struct sockaddr_un *)0)->sun_path]; /* "": not traced */
    char name[WIRE_NAME_MAX + 1];
    struct held control, packets, watch; /* of the helper */
    bool apart;                          /* they are out of the reach of the program (held.c) */
    int told;                            /* errno in the helper's name; 0: none */
    uint64_t connect_at;                 /* ns: not before it; NEVER: when the socket appears */
    unsigned again_ms; /* that the connection waited the last time; 0: it may be made at once */
    bool started, waits_for_save;
    bool late;        /* the program waits no longer, and the manager may begin a session yet */
    bool fresh;       /* the buffer was not written to */
    uint32_t handled; /* wraps below it were announced */
    uint64_t ticks_per_second;
    bool helper_runs, ends;
    pthread_t helper;
} session = {.control = HELD_NONE, .packets = HELD_NONE, .watch = HELD_NONE};

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t settled = PTHREAD_COND_INITIALIZER; /* tracing is on, or will not be soon */
static bool is_settled;
static struct {
    struct wire_packet packet; /* the newest one */
    uint32_t put, sent;
    pthread_cond_t change;
} alerts = {.change = PTHREAD_COND_INITIALIZER};
static uint32_t last_generation = WRITE_FORKED;

static void settle(void) {
    is_settled = true;
    pthread_cond_broadcast(&settled);
}

/* No session is about to start: events that came before are in none. */
static void give_up(void) {
    uint32_t was = WRITE_LATE;
    session.late = false;
    __atomic_compare_exchange_n(&fxttrace_generation, &was, 0, false, __ATOMIC_SEQ_CST,
                                __ATOMIC_RELAXED);
    write_count_missed(false);
    settle();
}

/* ---- packets ---- */

/* False: the manager has closed, and the next read of this end fails; or its queue is full. */
static bool send_packet(const struct wire_packet *packet) {
    return send(held_fd(&session.packets), packet, sizeof *packet, MSG_NOSIGNAL | MSG_DONTWAIT) > 0;
}

/* Waits until the helper has sent it: the program may end at once. */
void session_alert(const char *name) {
    struct wire_packet packet = {.request = WIRE_ALERT};
    size_t n = strnlen(name, WIRE_ALERT_MAX);
    struct timespec until = clock_in_ms(ALERT_MS);
    if (session_is_copy())
        return;
    memcpy((char *)&packet + 2, name, n);
    pthread_mutex_lock(&lock);
    while (alerts.sent != alerts.put && pthread_cond_timedwait(&alerts.change, &lock, &until) == 0)
        ;
    if (session.packets.fd >= 0 && alerts.sent == alerts.put) {
        uint32_t number = ++alerts.put;
        alerts.packet = packet;
        if (!rings_ring()) /* the helper looks now and then */
            until = clock_in_ms(CHECK_MS + ALERT_MS);
        while ((int32_t)(alerts.sent - number) < 0 &&
               pthread_cond_timedwait(&alerts.change, &lock, &until) == 0)
            ;
    } else if (session.packets.fd >= 0)
        write_dropped();
    pthread_mutex_unlock(&lock);
}

static void send_alert(void) {
    if (alerts.sent == alerts.put)
        return;
    if (session.packets.fd >= 0 && !send_packet(&alerts.packet))
        write_dropped();
    alerts.sent = alerts.put;
    pthread_cond_broadcast(&alerts.change);
}

/* ---- a session ---- */

/* Ends tracing; true: no writer is inside. */
static bool turn_off(void) {
    if (!session.started)
        return true;
    session.started = false;
    __atomic_store_n(&fxttrace_generation, 0, __ATOMIC_SEQ_CST);
    bool out = write_quiesce(WRITE_ALL, QUIESCE_MS);
    if (out)
        write_pay(true);
    write_stop();
    return out;
}

/* Forgets the session. A buffer with a writer inside stays mapped. */
static void drop_session(void) {
    bool out = turn_off();
    if (write_buffer.words && out)
        munmap(write_buffer.words, write_buffer.size);
    write_buffer.words = NULL;
    write_buffer.header = NULL;
    held_close(&session.packets);
    give_up();
}

/* Takes a buffer that was sent; false: it is not as the protocol demands. */
static bool map_buffer(int fd, const struct wire_initialize *m) {
    void *p = m->mode > WIRE_STREAMING ? NULL : connect_buffer(fd, m->buffer_size);
    if (p == NULL)
        return false;
    write_layout(p, m->buffer_size, (enum wire_mode)m->mode);
    write_buffer.clock = m->clock;
    write_buffer.epoch++;
    session.fresh = true;
    __atomic_store_n(&session.ticks_per_second, m->ticks_per_second, __ATOMIC_RELAXED);
    return true;
}

static bool initialize(const unsigned char *body, size_t n, const int fds[2]) {
    struct wire_initialize m;
    if (n < sizeof m || fds[0] < 0 || fds[1] < 0)
        return false;
    if (write_buffer.words)
        return true; /* ignored until the session before is terminated */
    memcpy(&m, body, sizeof m);
    names_categories_clear();
    if (!names_categories_take(body + sizeof m, n - sizeof m, m.categories) ||
        !map_buffer(fds[0], &m))
        return false;
    held_take(&session.packets, fcntl(fds[1], F_DUPFD_CLOEXEC, 0));
    return session.packets.fd >= 0;
}

static bool start(const unsigned char *body, size_t n) {
    struct wire_start m;
    if (n < sizeof m)
        return false;
    memcpy(&m, body, sizeof m);
    if (write_buffer.words == NULL || session.started || m.disposition > WIRE_RETAIN)
        return true;
    if (!names_categories_take(body + sizeof m, n - sizeof m, m.categories))
        return false;
    if (session.fresh)
        m.disposition = WIRE_CLEAR_ALL;
    session.fresh = false;
    write_start(m.disposition);
    if (m.disposition != WIRE_RETAIN) {
        session.handled = 0;
        session.waits_for_save = false;
    }
    write_count_missed(true);
    session.late = false;
    names_session(session.ticks_per_second);
    write_populate();
    if (++last_generation == WRITE_LATE)
        last_generation = WRITE_FORKED + 1;
    write_buffer.generation = last_generation;
    session.started = true;
    __atomic_store_n(&fxttrace_generation, last_generation, __ATOMIC_SEQ_CST);
    /* all that is written after it is recorded */
    send_packet(&(struct wire_packet){WIRE_STARTED, 0, WIRE_PROTOCOL, 0});
    settle();
    return true;
}

static void stop(void) {
    if (!session.started)
        return;
    turn_off();
    send_packet(&(struct wire_packet){.request = WIRE_STOPPED});
}

/* Announces or frees the halves that writers have left. False: a writer is still inside. */
static bool handle_halves(void) {
    if (!session.started || write_buffer.mode == WIRE_ONESHOT)
        return true;
    write_pay(false);
    if (write_buffer.mode == WIRE_CIRCULAR)
        return write_free_half();
    while (!session.waits_for_save &&
           session.handled < __atomic_load_n(&write_buffer.wrap, __ATOMIC_SEQ_CST)) {
        uint32_t wrap = session.handled;
        if (!write_quiesce(wrap, 1))
            return false;
        session.handled++;
        session.waits_for_save = true;
        uint64_t durable = __atomic_load_n(&write_buffer.header->durable_end, __ATOMIC_ACQUIRE);
        send_packet(&(struct wire_packet){WIRE_SAVE_BUFFER, 0, wrap, durable});
    }
    return true;
}

/* ---- messages ---- */

/* One packet; false: the session is over. */
static bool take_packet(void) {
    struct wire_packet p;
    ssize_t n = recv(session.packets.fd, &p, sizeof p, MSG_DONTWAIT);
    if (n < 0 && (errno == EAGAIN || errno == EINTR))
        return true;
    if (n != sizeof p || p.data16 != 0 || p.request != WIRE_BUFFER_SAVED)
        return false;
    /* Also after a stop: the buffer may be kept by the next start. */
    if (write_buffer.header && session.waits_for_save && p.data32 == session.handled - 1) {
        session.waits_for_save = false;
        __atomic_store_n(&write_buffer.header->saved, (uint64_t)p.data32 + 1, __ATOMIC_RELEASE);
        write_half_is_free(p.data32);
    }
    return true;
}

static bool obey(unsigned type, const unsigned char *body, size_t n, const int fds[2]) {
    switch (type) {
    case WIRE_REGISTERED: {
        struct wire_registered m;
        if (n != sizeof m)
            return false;
        memcpy(&m, body, sizeof m);
        if (m.status != WIRE_OK)
            return false;
        if (!m.started)
            give_up();
        return true;
    }
    case WIRE_INITIALIZE:
        return initialize(body, n, fds);
    case WIRE_START:
        return start(body, n);
    case WIRE_STOP:
        session.again_ms = 0;
        stop();
        return true;
    case WIRE_TERMINATE:
        stop();
        drop_session();
        return true;
    default:
        return true; /* of a later version */
    }
}

/* One control message; false: the connection is over. */
static bool take_control(void) {
    unsigned char buffer[WIRE_CONTROL_MAX];
    struct wire_control head;
    int fds[2];
    ssize_t n = connect_receive(session.control.fd, buffer, sizeof buffer, fds);
    if (n < 0 && (errno == EAGAIN || errno == EINTR))
        return true;
    bool ok = n >= (ssize_t)sizeof head;
    if (ok) {
        memcpy(&head, buffer, sizeof head);
        ok = head.bytes == (size_t)n - sizeof head && head.zero == 0 &&
             obey(head.type, buffer + sizeof head, head.bytes, fds);
    }
    for (int i = 0; i < 2; i++)
        if (fds[i] >= 0)
            close(fds[i]);
    return ok;
}

/* ---- the connection ---- */

static void connect_later(void) {
    unsigned ms = session.again_ms;
    session.again_ms = ms < AGAIN_MOST / 2 ? 2 * ms : AGAIN_MOST;
    if (ms == 0)
        session.again_ms = AGAIN_LEAST;
    session.connect_at = clock_monotonic() + session.again_ms * UINT64_C(1000000);
}

/* No socket, or one that cannot be reached: an event of the directory follows. */
static void connect_when_it_appears(void) {
    session.connect_at =
        session.watch.fd >= 0 ? NEVER : clock_monotonic() + SEARCH_MS * UINT64_C(1000000);
}

/* A recorder that watches the process sees the name of this thread, however soon it ends. */
static void tell_by_name(int why) {
    char name[16];
    if (why == session.told)
        return;
    session.told = why;
    snprintf(name, sizeof name, why ? "fxttrace e%d" : "fxttrace", why);
    pthread_setname_np(pthread_self(), name);
}

static bool connect_now(void) {
    struct {
        struct wire_control head;
        struct wire_register body;
        char name[WIRE_NAME_MAX];
    } m;
    const char *name = session.name[0] ? session.name : program_invocation_short_name;
    size_t n = strnlen(name, WIRE_NAME_MAX);
    m.head = (struct wire_control){WIRE_REGISTER, 0, (uint32_t)(sizeof m.body + n)};
    m.body = (struct wire_register){1, 0, write_buffer.pid};
    memcpy(m.name, name, n);
    int fd = connect_manager(session.path), why = fd < 0 ? errno : 0;
    if (why == 0 && send(fd, &m, sizeof m.head + sizeof m.body + n, MSG_NOSIGNAL) >= 0) {
        held_take(&session.control, fd);
        held_close(&session.watch);
        tell_by_name(0);
        return true;
    }
    if (why != 0 && why != ECONNREFUSED && why != EPERM) /* the manager knows, or there is none */
        tell_by_name(why);
    /* A socket that refuses is not listened to yet, or any more. */
    if (why == EAGAIN)
        session.late = true; /* its queue is full */
    else
        give_up();
    if (why == 0 || why == EAGAIN || why == ECONNREFUSED || why == EPERM)
        connect_later();
    else
        connect_when_it_appears();
    if (fd >= 0)
        close(fd);
    return false;
}

/* ms until something is to be done without an event; -1: nothing. */
static int timeout_of(bool half_waits) {
    uint64_t now = clock_monotonic();
    if (half_waits)
        return RETRY_MS;
    if (session.control.fd >= 0 || session.connect_at == NEVER) {
        if (session.started && rings_fail())
            return RETRY_MS;
        return session.started ? CHECK_MS : -1;
    }
    return session.connect_at <= now ? 0 : (int)((session.connect_at - now) / 1000000 + 1);
}

static void lose_connection(void) {
    drop_session();
    held_close(&session.control);
    connect_later();
}

/* Forgets descriptors that the program has closed, and begins again with that for which they
 * were. */
static void check_descriptors(void) {
    rings_begin();
    if (session.watch.fd >= 0 && held_fd(&session.watch) < 0) {
        held_close(&session.watch);
        session.connect_at = session.again_ms = 0;
    }
    if ((session.control.fd >= 0 && held_fd(&session.control) < 0) ||
        (session.packets.fd >= 0 && held_fd(&session.packets) < 0))
        lose_connection();
}

/* poll() is refused to a program that may open no more files. select() is not, but takes low
 * numbers alone. */
static void wait_for(struct pollfd fds[4], int timeout) {
    struct timeval soon = {0, RETRY_MS * 1000};
    fd_set set;
    if (poll(fds, 4, timeout) >= 0)
        return;
    FD_ZERO(&set);
    for (int i = 0; i < 4; i++)
        if (fds[i].fd >= 0 && fds[i].fd < FD_SETSIZE)
            FD_SET(fds[i].fd, &set);
    select(FD_SETSIZE, &set, NULL, NULL, &soon);
    for (int i = 0; i < 4; i++)
        fds[i].revents = fds[i].fd >= 0 ? POLLIN : 0; /* all are read without waiting */
}

/* Waits for something to do; returns under the lock. */
static void wait_for_events(bool half_waits) {
    check_descriptors();
    struct pollfd fds[4] = {{rings_fd(), POLLIN, 0},
                            {session.control.fd, POLLIN, 0},
                            {session.packets.fd, POLLIN, 0},
                            {session.watch.fd, POLLIN, 0}};
    int timeout = timeout_of(half_waits);
    pthread_mutex_unlock(&lock);
    wait_for(fds, timeout);
    pthread_mutex_lock(&lock);
    check_descriptors();
    if (fds[0].revents && rings_fd() == fds[0].fd)
        rings_take();
    send_alert();
    if (fds[3].revents && session.watch.fd == fds[3].fd && watch_take(&session.watch, session.path))
        session.connect_at = session.again_ms = 0;
    if (fds[2].revents && session.packets.fd == fds[2].fd && !take_packet())
        drop_session();
    if (fds[1].revents && session.control.fd == fds[1].fd && !take_control())
        lose_connection();
}

static void *help(void *unused) {
    session.told = -1;
    tell_by_name(0);
    pthread_mutex_lock(&lock);
    bool waits = false;
    session.apart = held_apart();
    rings_begin();
    while (!session.ends) {
        if (session.control.fd < 0 && session.connect_at <= clock_monotonic()) {
            watch_begin(&session.watch, session.path);
            if (!connect_now())
                settle();
        }
        wait_for_events(waits);
        waits = !handle_halves();
        if (session.started)
            write_populate();
    }
    stop();
    drop_session();
    pthread_mutex_unlock(&lock);
    return unused;
}

/* ---- the process ---- */

static void wait_for_start(void) {
    const struct timespec until = clock_in_ms(START_MS);
    while (!is_settled && pthread_cond_timedwait(&settled, &lock, &until) == 0)
        ;
}

/* Closes those of the helper's descriptors that other threads have, and forgets them. */
static void close_all(void) {
    struct held *of_helper[] = {&session.control, &session.packets, &session.watch};
    for (int i = 0; i < 3; i++) {
        if (!session.apart)
            held_close(of_helper[i]);
        *of_helper[i] = (struct held)HELD_NONE;
    }
    rings_close(!session.apart);
}

/* Starts the helper, and waits for a session that is about to start. */
static void begin(void) {
    pthread_attr_t attributes;
    sigset_t all, before;
    pthread_mutex_lock(&lock);
    write_init();
    is_settled = false;
    session.ends = false;
    sigfillset(&all);
    pthread_sigmask(SIG_SETMASK, &all, &before);
    pthread_attr_init(&attributes);
    pthread_attr_setstacksize(&attributes, STACK > PTHREAD_STACK_MIN ? STACK : PTHREAD_STACK_MIN);
    session.helper_runs = pthread_create(&session.helper, &attributes, help, NULL) == 0;
    pthread_attr_destroy(&attributes);
    pthread_sigmask(SIG_SETMASK, &before, NULL);
    if (session.helper_runs) {
        wait_for_start();
        session.late = session.late || !is_settled;
        if (session.late)
            __atomic_store_n(&fxttrace_generation, WRITE_LATE, __ATOMIC_SEQ_CST);
        rings_open(); /* while there is /proc, and a number is free */
    }
    pthread_mutex_unlock(&lock);
}

uint64_t session_rate(void) {
    return __atomic_load_n(&session.ticks_per_second, __ATOMIC_RELAXED);
}

static pthread_mutex_t reviving = PTHREAD_MUTEX_INITIALIZER;

static __thread bool is_reviving __attribute__((tls_model("initial-exec")));

/* Threads whose first events come meanwhile wait, or these would be lost. They may hold what the
 * connection needs, so they wait for a limited time. */
void session_revive(void) {
    uint32_t forked = WRITE_FORKED;
    struct timespec until = clock_in_ms(CONNECT_MS + START_MS);
    if (is_reviving) /* a signal handler interrupted it */
        return;
    is_reviving = true;
    if (pthread_mutex_timedlock(&reviving, &until) == 0) {
        if (__atomic_load_n(&fxttrace_generation, __ATOMIC_SEQ_CST) == WRITE_FORKED)
            begin();
        if (__atomic_compare_exchange_n(&fxttrace_generation, &forked, 0, false, __ATOMIC_SEQ_CST,
                                        __ATOMIC_RELAXED))
            write_count_missed(false);
        pthread_mutex_unlock(&reviving);
    }
    is_reviving = false;
}

static __thread bool fork_has_lock __attribute__((tls_model("initial-exec")));

/* A signal handler may fork while its own thread has a lock. So this one is waited for no longer
 * than its owners keep it, and that of the names is not taken: a child has no use for them. */
static void before_fork(void) {
    const struct timespec until = clock_in_ms(FORK_MS);
    session_is_copy();
    fork_has_lock = pthread_mutex_timedlock(&lock, &until) == 0;
}

static void after_fork(void) {
    if (fork_has_lock)
        pthread_mutex_unlock(&lock);
}

/* The child has no helper, and the parent's buffer is not mapped in it. */
static void in_child(void) {
    close_all(); /* or the manager would not see the parent's end */
    session.started = session.waits_for_save = session.helper_runs = session.late = false;
    session.connect_at = session.again_ms = 0;
    write_forked();
    names_forked();
    lock = (pthread_mutex_t)PTHREAD_MUTEX_INITIALIZER;
    settled = alerts.change = (pthread_cond_t)PTHREAD_COND_INITIALIZER;
    alerts.sent = alerts.put;
    /* another thread may have forked in between */
    reviving = (pthread_mutex_t)PTHREAD_MUTEX_INITIALIZER;
    is_reviving = false;
    __atomic_store_n(&fxttrace_generation, WRITE_FORKED, __ATOMIC_SEQ_CST);
}

/* It may have been made while another thread had locks that pthread_create() takes. So it is not
 * traced; after exec it is. */
bool session_is_copy(void) {
    if (!write_is_copy())
        return false;
    in_child();
    session.path[0] = 0;
    __atomic_store_n(&fxttrace_generation, 0, __ATOMIC_SEQ_CST);
    return true;
}

/* Ends that were dropped are written in the half that the manager is about to save. */
static void pay_last(void) {
    bool waits = session.helper_runs && write_buffer.mode == WIRE_STREAMING;
    for (int ms = 0; ms < EXIT_MS && session.started; ms++) {
        bool own = write_pay_own();
        if ((write_pay(false) && own) || !waits)
            return;
        pthread_mutex_unlock(&lock);
        nanosleep(&(struct timespec){0, 1000000}, NULL);
        pthread_mutex_lock(&lock);
    }
}

/* Ends the session and the helper. False: the helper cannot be woken. */
static bool leave(void) {
    if (session_is_copy())
        return false;
    pthread_mutex_lock(&lock);
    pay_last();
    session.ends = true;
    bool rung = session.helper_runs && rings_ring();
    if (!rung)
        turn_off(); /* the helper does not come back before the end */
    pthread_mutex_unlock(&lock);
    if (rung) {
        pthread_join(session.helper, NULL);
        close_all();
        session.helper_runs = false;
    }
    return rung;
}

static pthread_key_t main_key;
static bool has_main_key, main_left;

/* For a library that another thread has loaded, which has no key of the main thread. */
static bool main_is_dead(void) {
    char stat[256];
    int fd = open("/proc/self/stat", O_RDONLY | O_CLOEXEC);
    ssize_t n = fd >= 0 ? read(fd, stat, sizeof stat - 1) : 0;
    if (fd >= 0)
        close(fd);
    stat[n > 0 ? n : 0] = 0;
    const char *name = strrchr(stat, ')'); /* its end: the state follows */
    return name && strncmp(name, ") Z", 3) == 0;
}

/* A process whose main thread has called pthread_exit() ends with its last thread, which must not
 * be the helper. So it runs no longer than threads that write events. The next event begins
 * again. */
void session_thread_ended(void) {
    if (!__atomic_load_n(&main_left, __ATOMIC_ACQUIRE) && (has_main_key || !main_is_dead()))
        return;
    pthread_mutex_lock(&reviving);
    if (!write_has_threads() && session.helper_runs && leave()) {
        session.connect_at = session.again_ms = 0;
        __atomic_store_n(&fxttrace_generation, WRITE_FORKED, __ATOMIC_SEQ_CST);
    }
    pthread_mutex_unlock(&reviving);
}

static void main_ends(__attribute__((unused)) void *value) {
    __atomic_store_n(&main_left, true, __ATOMIC_RELEASE);
    session_thread_ended();
}

/* Before constructors of the program, and after its destructors, which may have events. */
__attribute__((constructor(101))) static void process_begins(void) {
    /* A plugin that is linked with the library, in a program that exports it, uses the program's:
     * its own stays off. */
    const uint32_t *volatile used = &fxttrace_generation;
    if (used != &write_generation || !connect_path(session.path, sizeof session.path))
        return;
    pthread_atfork(before_fork, after_fork, in_child);
    if (syscall(SYS_gettid) == getpid() && pthread_key_create(&main_key, main_ends) == 0) {
        has_main_key = true;
        pthread_setspecific(main_key, &session);
    }
    begin();
}

__attribute__((destructor(101))) static void process_ends(void) {
    if (session.path[0] == 0)
        return;
    if (has_main_key) /* a plugin may be unloaded */
        pthread_key_delete(main_key);
    leave();
    write_exit();
    session.path[0] = 0;
}

void session_name(const char *name) {
    pthread_mutex_lock(&lock);
    size_t n = name ? strnlen(name, WIRE_NAME_MAX) : 0;
    if (n > 0)
        memcpy(session.name, name, n);
    session.name[n] = 0;
    pthread_mutex_unlock(&lock);
}
