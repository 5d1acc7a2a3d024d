/* manager.c - a recording: one loop over the socket, the providers, the program and signals.
 *
 * The recording goes through three phases. It runs until the program has ended, or a signal, a
 * limit or an alert ends it. Then it stops: providers get a message, and have some time to answer.
 * At last all are terminated, their buffers are taken to the end, and the file is closed.
 *
 * While providers stream, what they have committed is taken at each tick, so the file grows as the
 * program runs. The ticks become rare when nothing comes, frequent when much comes, and stop while
 * no provider is there.
 *
 * A recording that runs may pause: providers are stopped, and what they have written is taken; then
 * they are started again. The manager's own records go on.
 *
 * A write that fails, or a file that is full, ends the recording but not the program, which may
 * need its terminal: the manager waits for it. If the first write fails, the program is not
 * begun. */
#include "record/manager.h"

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/signalfd.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "record/limits.h"
#include "record/lines.h"
#include "record/marks.h"
#include "record/place.h"
#include "record/signals.h"
#include "record/snapshot.h"
#include "record/watch/debug_info.h"
#include "record/watch/sample.h"
#include "record/watch/tracer.h"
#include "src/base/text.h"

/* for a first or next provider after the program's end, with --wait */
#define WAIT_NS UINT64_C(1000000000)
/* for names of functions at the end */
#define NAMES_NS UINT64_C(10000000000)
#define PRIORITY (-10)

enum phase { PHASE_RUNS, PHASE_STOPS, PHASE_ENDS };

struct manager {
    const struct manager_options *options;
    struct manager_result *result;
    struct tracee_config config;
    struct ticks ticks;
    struct ticks_wall begun;
    struct place place;
    struct limits limits;
    struct child child;
    struct lines lines;
    struct switches switches;
    struct sample sample;
    struct output output;
    struct until until;
    struct tracer tracer;
    struct readout_news news;
    VEC(struct tracee *) tracees;
    struct u64map connected; /* processes that did, also those that have ended */
    VEC(struct pollfd) polled;
    uint32_t next_id;
    size_t polled_tracees; /* their descriptors come in pairs, after two others */
    int signals;
    enum phase phase;
    bool paused; /* while it runs */
    bool told;   /* its first event is written */
    unsigned interrupts;
    VEC(uint32_t) held; /* signals that came while the file took nothing */
    bool more;          /* some provider has more to take */
    struct ticks_pace pace;
    /* ns; stop_at: of the phase, or of the duration; 0: none */
    uint64_t started, next_tick, stop_at;
    /* ns: no provider was there since the program's end; 0: one is, or the program runs */
    uint64_t wait_until;
    unsigned snapshots;
};

/* ---- phases ---- */

/* When the program or the first provider is there, or the last events are about to be taken: not
 * long before others. */
static void tell_begin(struct manager *m) {
    if (!m->told)
        marks_begin(&m->output, &m->ticks, m->options->argv);
    m->told = true;
}

/* Counts a connection without which the trace lacks events, and writes that. */
static void lose(struct manager *m, unsigned *of, const char *what) {
    ++*of;
    marks_lost(&m->output, &m->ticks, what);
}

static void note_connection(struct manager *m, int fd) {
    struct ucred who;
    socklen_t n = sizeof who;
    if (getsockopt(fd, SOL_SOCKET, SO_PEERCRED, &who, &n) == 0)
        u64map_set(&m->connected, u64map_key((uint32_t)who.pid), 0);
}

/* Connections that wait are refused, and counted. Others come too late for a session that ends. */
static void refuse_rest(struct manager *m) {
    bool waits = m->place.waits > 0;
    for (int fd; (fd = place_accept(&m->place)) >= 0;) {
        note_connection(m, fd);
        tracee_refuse(fd, WIRE_TOO_MANY);
        if (waits)
            lose(m, &m->result->refused, "connection refused");
    }
}

static void begin_stop(struct manager *m) {
    if (m->phase != PHASE_RUNS)
        return;
    m->phase = PHASE_STOPS;
    refuse_rest(m);
    m->stop_at = ticks_monotonic() + m->options->timeout;
    for (size_t i = 0; i < m->tracees.n; i++)
        tracee_stop(m->tracees.v[i], m->stop_at);
}

static void pause_or_resume(struct manager *m) {
    if (m->phase != PHASE_RUNS)
        return;
    m->paused = !m->paused;
    marks_event(&m->output, &m->ticks, "fxtop",
                m->paused ? "recording pauses" : "recording goes on");
    for (size_t i = 0; m->paused && i < m->tracees.n; i++)
        tracee_pause(m->tracees.v[i], ticks_monotonic() + m->options->timeout);
}

static void begin_end(struct manager *m) {
    tell_begin(m);
    m->phase = PHASE_ENDS;
    m->stop_at = 0;
    m->more = true;
    for (size_t i = 0; i < m->tracees.n; i++)
        tracee_terminate(m->tracees.v[i]);
}

/* ---- providers ---- */

static void accept_all(struct manager *m) {
    bool late = place_is_late(&m->place);
    for (int fd; m->phase == PHASE_RUNS && m->tracees.n < m->limits.providers &&
                 (fd = place_accept(&m->place)) >= 0;) {
        struct tracee *t = err_malloc(sizeof *t);
        note_connection(m, fd);
        if (!tracee_accept(t, fd, m->next_id)) {
            lose(m, &m->result->strangers, "connection refused");
            free(t);
            continue;
        }
        if (m->config.mode != WIRE_CIRCULAR)
            tell_begin(m);
        t->came_late = late;
        if (late)
            lose(m, &m->result->late_connections, "connection late");
        m->next_id++;
        m->sample.reached = true;
        vec_push(&m->tracees, t);
    }
}

static void remove_gone(struct manager *m) {
    size_t kept = 0;
    for (size_t i = 0; i < m->tracees.n; i++) {
        struct tracee *t = m->tracees.v[i];
        if (t->state != TRACEE_GONE) {
            m->tracees.v[kept++] = t;
            continue;
        }
        if (t->name[0]) {
            m->result->providers++;
            m->result->died += t->died;
            m->result->late += t->late;
            m->result->aborted += t->fault[0] != 0;
            m->result->missed += t->missed;
            m->result->faults += t->faults_before + t->readout.faults;
            /* A late connection has its loss already. */
            if (t->fault[0] || (t->missed && !t->came_late))
                output_dropped(&m->output, t->named ? t->id : OUTPUT_OWN);
            m->result->dropped += t->dropped_before + t->dropped;
            t->signal = t->pid == m->child.pid ? 0 : t->signal; /* the end names it */
            tracee_report(t, &m->result->told, m->options->ascii);
        } else if (t->fault[0]) {
            lose(m, &m->result->unregistered, "connection refused");
        }
        tracee_free(t);
        free(t);
    }
    m->tracees.n = kept;
}

static void take_all(struct manager *m, uint64_t now) {
    m->more = false;
    for (size_t i = 0; i < m->tracees.n; i++) {
        struct tracee *t = m->tracees.v[i];
        bool got;
        bool waits = t->state == TRACEE_NEW || t->state == TRACEE_STARTING ||
                     (t->state == TRACEE_STOPPING && m->phase == PHASE_RUNS);
        if (t->deadline > 0 && now >= t->deadline && waits) {
            if (t->state == TRACEE_NEW)
                lose(m, &m->result->unregistered, "connection refused");
            tracee_terminate(t);
        }
        m->more = tracee_take(t, &m->output, &m->news, &got) || m->more;
        if (m->phase == PHASE_RUNS && !m->paused)
            tracee_resume(t, &m->config);
        if (got)
            m->pace.quiet = 0;
    }
    remove_gone(m);
}

/* ---- events of the loop ---- */

static void snapshot(struct manager *m) {
    const struct snapshot of = {.output = m->options->output,
                                .max_size = m->options->max_size,
                                .file = &m->output,
                                .begun = m->begun,
                                .config = &m->config,
                                .tracees = m->tracees.v,
                                .n = m->tracees.n};
    if (m->phase != PHASE_RUNS)
        return;
    if (m->output.fd >= 0) {
        tell_begin(m);
        switches_take(&m->switches, &m->output, &m->ticks);
    }
    snapshot_write(&of, ++m->snapshots);
}

static void take_child(struct manager *m) {
    bool had_ended = m->child.ended;
    if (!had_ended && m->output.fd >= 0)
        /* its exec was before that, and more is known of it now */
        switches_take(&m->switches, &m->output, &m->ticks);
    child_reap(&m->child);
    if (had_ended || m->child.signal == 0 || m->output.fd < 0)
        return;
    marks_signal(&m->output, &m->ticks, &m->child);
}

static bool next_signal(struct manager *m, uint32_t *number) {
    struct signalfd_siginfo info;
    if (m->held.n > 0) {
        *number = m->held.v[0];
        memmove(m->held.v, m->held.v + 1, --m->held.n * sizeof *m->held.v);
        return true;
    }
    bool any = read(m->signals, &info, sizeof info) == sizeof info;
    *number = any ? info.ssi_signo : 0;
    return any;
}

/* While a pipe takes nothing: a signal that would end the recording ends this, too. Signals are
 * held for later. */
static bool gives_up(void *ctx) {
    struct manager *m = ctx;
    struct signalfd_siginfo info;
    siginfo_t ended = {.si_pid = 0};
    unsigned interrupts = m->interrupts;
    while (read(m->signals, &info, sizeof info) == sizeof info)
        vec_push(&m->held, info.ssi_signo);
    bool alone = m->options->argv == NULL || m->child.ended ||
                 (waitid(P_PID, (id_t)m->child.pid, &ended, WEXITED | WNOHANG | WNOWAIT) == 0 &&
                  ended.si_pid != 0);
    for (size_t i = 0; i < m->held.n; i++) {
        bool passes = m->held.v[i] == SIGTERM || m->held.v[i] == SIGHUP;
        interrupts += m->held.v[i] == SIGINT || m->held.v[i] == SIGQUIT || (passes && alone);
        if (passes && !alone) {
            kill(m->child.pid, (int)m->held.v[i]);
            m->held.v[i] = 0;
        }
    }
    return interrupts > (alone ? 0 : 1);
}

static void take_signal(struct manager *m) {
    uint32_t number;
    while (next_signal(m, &number)) {
        switch (number) {
        case 0:
            break;
        case SIGCHLD:
            take_child(m);
            break;
        case SIGUSR1:
            snapshot(m);
            break;
        case SIGUSR2:
            pause_or_resume(m);
            break;
        case SIGINT:
        case SIGQUIT: /* the program has got it from the terminal, too */
            m->interrupts++;
            if (m->options->argv == NULL || m->interrupts > 1)
                begin_stop(m);
            break;
        default:
            if (m->options->argv && !m->child.ended)
                kill(m->child.pid, (int)number);
            else
                begin_stop(m);
        }
    }
}

static void take_lines(struct manager *m, int stream) {
    /* An exec up to now is written before the lines, a later one has a later time. */
    uint64_t now = ticks_now(&m->ticks);
    switches_take(&m->switches, &m->output, &m->ticks);
    m->lines.at = now > m->switches.latest ? now : m->switches.latest;
    lines_take(&m->lines, stream, m->child.pid, &m->output, &m->ticks);
    m->lines.at = 0;
}

/* A filter holds for an event, or none is looked for any more. */
static void take_until(struct manager *m) {
    char safe[UNTIL_TEXT];
    enum until_state state = until_take(&m->until);
    if (state == UNTIL_GOES_ON)
        return;
    text_plain(safe, sizeof safe, str_of(m->until.text), m->options->ascii ? TEXT_ASCII : 0);
    if (state == UNTIL_FAILED) {
        fprintf(stderr, "fxtop record: --until looks for no event any more: %s\n", safe);
        return;
    }
    memcpy(m->result->until, safe, sizeof safe);
    marks_event(&m->output, &m->ticks, "fxtop", "the event of --until has come");
    begin_stop(m);
}

static void take_polled(struct manager *m) {
    char alert[WIRE_ALERT_MAX + 1];
    size_t n = m->polled_tracees;
    if (m->polled.v[0].revents)
        take_signal(m);
    for (size_t i = 0; i < n; i++) {
        struct tracee *t = m->tracees.v[i];
        const struct pollfd *p = &m->polled.v[2 + 2 * i];
        if (p[1].revents && t->packets == p[1].fd) {
            tracee_packet(t, &m->config, alert);
            if (alert[0])
                marks_event(&m->output, &m->ticks, "alert", alert);
            if (alert[0] && m->options->until && strcmp(alert, m->options->until) == 0)
                begin_stop(m);
        }
        if (p[0].revents && t->control == p[0].fd)
            tracee_control(t, &m->config, m->phase == PHASE_RUNS && !m->paused);
    }
    for (int i = 0; i < 2; i++)
        if (m->polled.v[2 + 2 * n + (size_t)i].revents &&
            m->polled.v[2 + 2 * n + (size_t)i].fd == m->lines.streams[i].master)
            take_lines(m, i);
    for (size_t i = 4 + 2 * n; i < m->polled.n - 2; i++)
        if (m->polled.v[i].revents & POLLIN) { /* a ring is half full, or a process has ended */
            switches_take(&m->switches, &m->output, &m->ticks);
            break;
        }
    if (m->polled.v[m->polled.n - 2].revents)
        tracer_take(&m->tracer, &m->output, &m->ticks);
    if (m->polled.v[m->polled.n - 1].revents)
        take_until(m);
    if (m->polled.v[1].revents)
        accept_all(m);
}

/* Whether something may come without an event, or has to be written: ticks do it. */
static bool needs_ticks(const struct manager *m) {
    bool watches = m->options->attach || (m->options->argv && !m->child.ended);
    if (tracer_fd(&m->tracer) >= 0)
        return true;
    if (watches && (m->switches.rings.n > 0 || sample_goes_on(&m->sample)))
        return true;
    if (output_waits(&m->output))
        return true;
    for (size_t i = 0; i < m->tracees.n; i++)
        if (m->tracees.v[i]->state == TRACEE_STARTED && m->config.mode != WIRE_CIRCULAR)
            return true;
    return false;
}

/* ms until something has to be done without an event; -1: nothing. */
static int timeout_of(const struct manager *m, uint64_t now) {
    uint64_t until = UINT64_MAX;
    if (m->more || m->held.n > 0)
        return 0;
    if (m->stop_at > 0)
        until = m->stop_at;
    if (m->place.accept_at > now && m->place.accept_at < until)
        until = m->place.accept_at;
    if (m->wait_until > 0 && m->phase == PHASE_RUNS && m->wait_until < until)
        until = m->wait_until;
    if (needs_ticks(m) && m->next_tick < until)
        until = m->next_tick;
    if (m->switches.take_at > 0 && m->switches.take_at < until)
        until = m->switches.take_at;
    for (size_t i = 0; i < m->tracees.n; i++)
        until = tracee_due(m->tracees.v[i], until);
    if (until == UINT64_MAX)
        return -1;
    return until <= now ? 0 : (int)((until - now) / 1000000 + 1);
}

static void wait_for_events(struct manager *m) {
    m->polled.n = 0;
    vec_push(&m->polled, ((struct pollfd){m->signals, POLLIN, 0}));
    bool accepts =
        m->phase == PHASE_RUNS && place_accepts(&m->place, m->tracees.n < m->limits.providers);
    vec_push(&m->polled, ((struct pollfd){accepts ? m->place.fd : -1, POLLIN, 0}));
    for (size_t i = 0; i < m->tracees.n; i++) {
        vec_push(&m->polled, ((struct pollfd){m->tracees.v[i]->control, POLLIN, 0}));
        vec_push(&m->polled, ((struct pollfd){m->tracees.v[i]->packets, POLLIN, 0}));
    }
    m->polled_tracees = m->tracees.n;
    for (int i = 0; i < 2; i++)
        vec_push(&m->polled, lines_polled(&m->lines, i));
    for (size_t i = 0; i < switches_fds(&m->switches); i++)
        vec_push(&m->polled, ((struct pollfd){switches_fd(&m->switches, i), POLLIN, 0}));
    for (size_t i = 0; m->options->attach && i < m->options->attach->v.n; i++)
        vec_push(&m->polled, ((struct pollfd){m->options->attach->v.v[i].end, POLLIN, 0}));
    vec_push(&m->polled, ((struct pollfd){tracer_fd(&m->tracer), POLLIN, 0}));
    vec_push(&m->polled, ((struct pollfd){until_fd(&m->until), POLLIN, 0}));
    if (poll(m->polled.v, (nfds_t)m->polled.n, timeout_of(m, ticks_monotonic())) > 0)
        take_polled(m);
    if (m->held.n > 0)
        take_signal(m);
}

/* Collects records for which no wake-up came, if it is time for it. */
static bool tick(struct manager *m, uint64_t now) {
    if (now < m->next_tick)
        return false;
    uint64_t before = m->output.records;
    ticks_pair(&m->ticks);
    switches_take(&m->switches, &m->output, &m->ticks);
    tracer_take(&m->tracer, &m->output, &m->ticks);
    sample_take(&m->sample, &m->output, &m->ticks, now);
    if (m->output.records > before)
        m->pace.quiet = 0;
    m->next_tick = now + ticks_next(&m->pace, now, writer_offset(&m->output.writer),
                                    m->options->live || until_fd(&m->until) >= 0);
    if (sample_goes_on(&m->sample) && !m->child.ended && m->sample.next < m->next_tick)
        m->next_tick = m->sample.next;
    for (size_t i = 0; i < m->tracees.n; i++)
        tracee_news(m->tracees.v[i]);
    return true;
}

/* Writes the collected records to the file, and the time now, which proves their times. */
static void write_out(struct manager *m) {
    if (output_waits(&m->output))
        marks_clock(&m->output, &m->ticks);
    output_flush(&m->output);
}

static bool all_stopped(const struct manager *m) {
    for (size_t i = 0; i < m->tracees.n; i++)
        if (m->tracees.v[i]->state < TRACEE_STOPPED)
            return false;
    return true;
}

/* The next phase, if it is time for it. */
static void advance(struct manager *m, uint64_t now) {
    if (m->output.ended && m->phase == PHASE_RUNS)
        begin_stop(m);
    bool ended = m->phase == PHASE_RUNS && m->options->argv && m->child.ended;
    if (!ended || m->tracees.n > 0)
        m->wait_until = 0;
    else if (m->wait_until == 0)
        m->wait_until = now + WAIT_NS;
    if (ended && (!m->options->wait || (m->wait_until > 0 && now >= m->wait_until)))
        begin_stop(m);
    if (m->phase == PHASE_RUNS && m->stop_at > 0 && now >= m->stop_at)
        begin_stop(m);
    if (m->phase == PHASE_RUNS && m->options->attach && !attach_goes_on(m->options->attach))
        begin_stop(m);
    if (m->phase == PHASE_STOPS && (all_stopped(m) || now >= m->stop_at || m->interrupts > 2))
        begin_end(m);
}

static void run(struct manager *m) {
    while (m->phase != PHASE_ENDS || m->tracees.n > 0) {
        wait_for_events(m);
        uint64_t now = ticks_monotonic();
        bool was_time = tick(m, now);
        if (m->switches.take_at > 0 && now >= m->switches.take_at)
            switches_take(&m->switches, &m->output, &m->ticks);
        take_all(m, now);
        if (was_time)
            write_out(m);
        advance(m, now);
    }
}

/* ---- begin and end ---- */

static struct manager *running; /* NULL: none */

void manager_rescue(void) {
    if (running && running->output.fd >= 0)
        output_rescue(&running->output);
    if (running)
        place_close(&running->place);
}

static bool start_program(struct manager *m, struct err *err) {
    char variable[sizeof m->place.path + 20];
    snprintf(variable, sizeof variable, "FXTTRACE_SOCKET=%s", m->place.path);
    const struct manager_options *o = m->options;
    struct child_options child = {.argv = o->argv,
                                  .variables = {variable},
                                  .lines = o->log ? &m->lines : NULL,
                                  .no_input = o->no_input,
                                  .traced = o->ptrace,
                                  .to_error = o->to_error,
                                  .limits = &m->limits};
    for (size_t i = 0; o->preload && i < PRELOAD_VARIABLES; i++)
        child.variables[i + 1] = o->preload->variables[i];
    return o->argv == NULL || ((!o->log || lines_open(&m->lines, o->log_to, err)) &&
                               child_start(&m->child, &child, err));
}

static bool open_all(struct manager *m, sigset_t *before, struct err *err) {
    const struct manager_options *o = m->options;
    int reader = output_reader(o->output); /* with signals as they were: it may take long */
    limits_raise(&m->limits);
    ticks_init(&m->ticks);
    m->config =
        (struct tracee_config){o->mode, o->buffer_size, o->categories, o->ncategories, &m->ticks};
    bool ok = (m->signals = signals_open(before, err)) >= 0 &&
              place_open(&m->place, o->listen, o->ascii, err) && start_program(m, err) &&
              output_open(&m->output, o->output, o->max_size, err);
    m->output.wake = m->signals;
    m->output.gives_up = gives_up;
    m->output.ctx = m;
    if (reader >= 0)
        close(reader);
    return ok;
}

/* The first records. False: they cannot be written, and the program does not begin. */
static bool begin_file(struct manager *m, struct err *err) {
    const struct manager_options *o = m->options;
    m->started = ticks_monotonic();
    m->stop_at = o->duration > 0 ? m->started + o->duration : 0;
    m->begun = ticks_wall(&m->ticks);
    marks_first(&m->output, &m->ticks, m->begun);
    if (o->argv && o->mode != WIRE_CIRCULAR)
        tell_begin(m);
    output_flush(&m->output);
    if (m->output.ended && !m->output.reached)
        return output_close(&m->output, err);
    if (o->until_filter && !until_start(&m->until, o->output, o->until_filter, err)) {
        output_close(&m->output, NULL);
        return false;
    }
    if (o->ready >= 0)
        close(o->ready);
    if (o->listens)
        o->listens(m->place.path, o->ascii);
    return true;
}

static void close_all(struct manager *m) {
    for (size_t i = 0; i < m->tracees.n; i++) {
        tracee_free(m->tracees.v[i]);
        free(m->tracees.v[i]);
    }
    vec_free(&m->tracees);
    u64map_free(&m->connected);
    vec_free(&m->polled);
    vec_free(&m->held);
    readout_news_free(&m->news);
    place_close(&m->place);
    lines_close(&m->lines);
    until_stop(&m->until);
    tracer_close(&m->tracer);
    switches_close(&m->switches);
    sample_close(&m->sample);
    if (m->signals >= 0)
        close(m->signals);
}

static bool is_traced(void *ctx, uint32_t pid) {
    const struct manager *m = ctx;
    for (size_t i = 0; i < m->tracees.n; i++)
        if ((uint32_t)m->tracees.v[i]->pid == pid)
            return true;
    return false;
}

/* A line for each part of stacks that is missing. */
static void begin_stacks(struct manager *m) {
    const struct stacks *s = &m->switches.stacks;
    stacks_begin(s, &m->output);
    if (m->options->stacks_asked && s->nameless)
        fputs("fxtop record: no names of the kernel's functions: kernel.kptr_restrict hides them "
              "(sudo sysctl kernel.kptr_restrict=0)\n",
              stderr);
    if (!debug_info_available())
        fputs("fxtop record: no names of functions: this fxtop was built without libdw\n", stderr);
    if (m->options->stacks_asked && s->leaves.n == 0)
        fputs("fxtop record: no stacks of the kernel, and of threads that block: "
              "kernel.perf_event_paranoid is above 1 (sudo sysctl kernel.perf_event_paranoid=1)\n",
              stderr);
}

static void print_missing(const struct err *why) {
    if (why->text[0])
        fprintf(stderr, "fxtop record: %s\n", why->text);
}

static void attach_processes(struct manager *m) {
    struct attach_threads threads = {0};
    m->sample.earliest = m->begun.ticks;
    attach_list(m->options->attach, m->switches.everywhere, &threads);
    for (size_t i = 0; i < threads.v.n; i++)
        if (i == 0 || threads.v.v[i].pid != threads.v.v[i - 1].pid)
            sample_add(&m->sample, threads.v.v[i].pid, threads.v.v[i].parent);
    vec_free(&threads.v);
    switches_begin(&m->switches, &m->output);
}

static void trace_calls(struct manager *m) {
    struct err err;
    if (tracer_start(&m->tracer, m->child.pid, &err))
        fputs("fxtop record: --syscalls=ptrace stops the program twice a call, which slows it\n",
              stderr);
    else
        print_missing(&err);
}

/* An event that cannot come is not waited for in silence. */
static void tell_absent(const struct manager *m) {
    const struct manager_options *o = m->options;
    bool calls = m->switches.has_calls || tracer_fd(&m->tracer) >= 0;
    if (o->until_filter && !calls && until_asks_for(o->until_filter, "syscall"))
        fprintf(stderr, "fxtop record: --until waits for system calls, and none are recorded%s\n",
                o->syscalls || o->ptrace ? "" : ": add --syscalls");
}

/* Begins to watch the program from outside; a refusal is a line, and the recording goes on. */
static void watch_program(struct manager *m) {
    const struct manager_options *o = m->options;
    struct err err;
    const struct switches_options wanted = {o->switches, o->stacks, o->attach, o->syscalls};
    bool any = o->argv || o->attach;
    if (any && (wanted.switches || wanted.period > 0 || wanted.calls) &&
        !switches_open(&m->switches, m->child.pid, &m->ticks, &wanted, &err))
        fprintf(stderr, "fxtop record: %s\n", err.text);
    stacks_symbols(&m->switches.stacks, o->symbols);
    print_missing(&m->switches.no_calls);
    print_missing(&m->switches.unattached_why);
    if (o->ptrace && o->argv)
        trace_calls(m);
    tell_absent(m);
    if (m->switches.stacks.rings.n > 0)
        begin_stacks(m);
    if (m->switches.rings.n > 0 && wanted.switches) {
        struct writer *w = output_begin(&m->output, OUTPUT_OWN);
        writer_kernel_object(w, FXT_OBJECT_THREAD, 0, writer_inline(STR("idle")),
                             (struct writer_arguments){NULL, 0});
        output_end(&m->output);
    }
    if (o->attach && o->attach->all && m->switches.rings.n > 0 && !m->switches.everywhere)
        fputs("fxtop record: only your own processes that run now, and what they start: for all, "
              "be root (or sudo sysctl kernel.perf_event_paranoid=0)\n",
              stderr);
    sample_open(&m->sample, m->child.pid, any ? o->sample : 0, m->switches.rings.n == 0);
    if (o->attach) {
        attach_processes(m);
        return; /* none of them is expected to connect */
    }
    m->sample.socket = m->place.path;
    m->sample.is_traced = is_traced;
    m->sample.ctx = m;
}

/* Nothing is written any more, and the program goes on. */
static void wait_for_program(struct manager *m) {
    fprintf(stderr, "fxtop record: %s: the program goes on, and is not recorded any more\n",
            m->output.err.text);
    m->lines.only_pass = true;
    while (!m->child.ended && m->interrupts < 2) {
        struct pollfd on[3] = {
            {m->signals, POLLIN, 0}, lines_polled(&m->lines, 0), lines_polled(&m->lines, 1)};
        if (m->held.n > 0 || (poll(on, 3, -1) > 0 && on[0].revents))
            take_signal(m);
        for (int i = 0; i < 2; i++)
            if (on[1 + i].revents && on[1 + i].fd == m->lines.streams[i].master)
                lines_take(&m->lines, i, m->child.pid, &m->output, &m->ticks);
    }
    if (m->child.ended)
        lines_take_rest(&m->lines, m->child.pid, &m->output, &m->ticks);
}

/* Writes the stacks that wait for names, and keeps the numbers for the last lines. */
static void take_names(struct manager *m) {
    struct manager_result *result = m->result;
    struct names *names = &m->switches.stacks.names;
    stacks_finish(&m->switches.stacks, &m->output, NAMES_NS);
    const char *heaviest = names_heaviest(names, &result->heaviest_samples);
    snprintf(result->heaviest, sizeof result->heaviest, "%s", heaviest ? heaviest : "");
    snprintf(result->unnamed, sizeof result->unnamed, "%s", names->bad ? names->bad : "");
    result->samples = names->samples;
    result->nunnamed = names->nbad;
    result->lost_samples = m->switches.stacks.lost;
}

/* Processes whose library named an error, and which never connected. */
static void count_alone(struct manager *m) {
    const struct alone *alone = &m->switches.alone;
    for (size_t i = 0; m->sample.socket && i < alone->v.n; i++) {
        const struct alone_process *p = &alone->v.v[i];
        if (u64map_get(&m->connected, u64map_key(p->pid)) == UINT64_MAX)
            sample_unreached(&m->sample, p->pid, p->name, p->error, &m->output, &m->ticks);
    }
}

/* Takes the last of everything, and closes the file. */
static bool finish(struct manager *m, struct err *err) {
    struct manager_result *result = m->result;
    const struct manager_options *options = m->options;
    bool full = m->output.ended; /* or failed */
    ticks_pair(&m->ticks);
    switches_take(&m->switches, &m->output, &m->ticks);
    switches_finish(&m->switches, &m->output);
    tracer_finish(&m->tracer, &m->output, &m->ticks);
    result->lost_calls = m->switches.calls.lost;
    result->no_calls = m->tracer.why;
    result->lost_switches = m->switches.lost;
    result->lost_wakes = m->switches.wakes.lost;
    if (m->child.ended)
        lines_take_rest(&m->lines, m->child.pid, &m->output, &m->ticks);
    m->sample.next = 0;
    sample_take(&m->sample, &m->output, &m->ticks, ticks_monotonic());
    count_alone(m);
    marks_end(&m->output, &m->ticks, &m->child);
    result->took = ticks_monotonic() - m->started;
    if (m->switches.stacks.rings.n > 0) /* which may take longer than the recording */
        take_names(m);
    output_flush(&m->output); /* what cannot be written is missing */
    result->sums = m->switches.sums;
    result->processes = m->switches.switches ? m->switches.lives.begun : 0;
    result->records = m->output.records;
    result->missing = m->output.missing;
    result->threads = m->output.tids.n;
    result->bytes = writer_offset(&m->output.writer);
    result->limit = m->output.reached;
    bool ok = output_close(&m->output, err) || result->limit;
    result->unaccepted = m->place.unaccepted;
    result->room = m->limits.providers;
    result->left_others =
        m->child.ended &&
        (m->switches.rings.n > 0 ? switches_has_threads(&m->switches) : m->sample.v.n > 0);
    result->unseen = m->switches.unseen.programs;
    result->blind = m->sample.blind;
    memcpy(result->blind_name, m->sample.blind_name, sizeof result->blind_name);
    result->unreached = m->sample.unreached;
    place_close(&m->place);
    switches_close(&m->switches);
    if (full && options->argv && !m->child.ended)
        wait_for_program(m);
    result->status = m->child.status;
    result->signal = m->child.signal;
    result->core = m->child.core;
    result->left_alone = options->argv && !m->child.ended;
    for (int i = 0; i < 2; i++)
        result->lost_output =
            m->lines.streams[i].lost ? m->lines.streams[i].lost : result->lost_output;
    return ok;
}

/* Records, with a manager of zeros but for what is not there, -1. */
static bool run_with(struct manager *m, struct err *err) {
    const struct manager_options *options = m->options;
    struct manager_result *result = m->result;
    sigset_t before;
    sigprocmask(SIG_SETMASK, NULL, &before);
    running = m;
    bool ok = open_all(m, &before, err) && begin_file(m, err);
    if (ok) {
        watch_program(m);
        result->exec_error = options->argv ? child_release(&m->child) : 0;
        int nice_before = getpriority(PRIO_PROCESS, 0);
        /* if it may: a busy machine loses less */
        bool raised = nice_before > PRIORITY && setpriority(PRIO_PROCESS, 0, PRIORITY) == 0;
        run(m);
        if (raised)
            setpriority(PRIO_PROCESS, 0, nice_before);
        ok = finish(m, err);
    } else if (m->child.pid > 0) {
        kill(m->child.pid, SIGKILL); /* it has not begun */
    }
    running = NULL;
    close_all(m);
    limits_restore(&m->limits);
    sigprocmask(SIG_SETMASK, &before, NULL);
    return ok;
}

bool manager_run(const struct manager_options *options, struct manager_result *result,
                 struct err *err) {
    *result = (struct manager_result){0};
    if (options->argv && (result->exec_error = child_missing(options->argv[0])) != 0)
        /* an older trace stays */
        return err_set(err, ERR_NO_OFFSET, "%s", strerror(result->exec_error));
    struct manager *m = err_calloc(1, sizeof *m); /* too large for a stack */
    m->options = options;
    m->result = result;
    m->next_id = OUTPUT_OWN + 1;
    m->signals = -1;
    for (int i = 0; i < 2; i++)
        m->lines.streams[i].master = m->lines.streams[i].slave = -1;
    m->place.fd = m->output.fd = m->until.apart.fd = m->tracer.apart.fd = -1;
    bool ok = run_with(m, err);
    free(m);
    return ok;
}
