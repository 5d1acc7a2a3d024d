/* tracer.c - system calls by ptrace(2), as the process that traces them sends them. */
#include "record/watch/tracer.h"

#include <errno.h>
#include <poll.h>
#include <signal.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <unistd.h>

#include "record/watch/tracer_news.h"

#define START_MS 5000 /* for its first message */
#define ASK_MS 20     /* it is asked again for the rest */
#define ASKS 100
#define PART 65536 /* bytes that are taken at once */

static void run(void *ctx, int fd) {
    const struct tracer *t = ctx;
    tracer_serve(t->program, fd);
}

/* ---- messages ---- */

/* Writes that calls are missing from now on, on the program's first thread. */
static void write_last(struct tracer *t, struct output *o, const struct ticks *ticks) {
    const uint32_t pid = (uint32_t)t->program;
    struct writer *w = output_begin(o, OUTPUT_OWN);
    struct writer_event e = {.ts = ticks_now(ticks),
                             .thread = writer_intern_thread(w, pid, pid),
                             .category = writer_intern(w, STR("process")),
                             .name = writer_intern(w, STR("no system calls from here on"))};
    writer_instant(w, &e);
    output_end(o);
}

static void take_one(struct tracer *t, const struct tracer_news *n, const char *text,
                     struct output *o, const struct ticks *ticks) {
    const char *file = n->text > 0 ? text : NULL;
    uint64_t ts = ticks ? ticks_of(ticks, n->time) : 0;
    struct call call = {.pid = n->pid,
                        .tid = n->tid,
                        .number = n->number,
                        .time = n->time,
                        .ts = ts,
                        .narrow = n->narrow};
    switch ((enum tracer_kind)n->kind) {
    case TRACER_READY:
        t->ready = true;
        break;
    case TRACER_REFUSED:
        err_set(&t->why, ERR_NO_OFFSET, "no system calls: ptrace: %s", text);
        if (o)
            write_last(t, o, ticks);
        break;
    case TRACER_ENTERS:
        memcpy(call.arguments, n->arguments, sizeof call.arguments);
        calls_enter(&t->calls, o, &call, file);
        break;
    case TRACER_LEAVES:
        calls_leave(&t->calls, o, &call, n->result, file);
        break;
    case TRACER_ENDS:
        calls_end(&t->calls, o, n->tid, ts);
        break;
    case TRACER_SENT:
        t->sent = n->time;
    }
}

static void take_whole(struct tracer *t, struct output *o, const struct ticks *ticks) {
    static char text[TRACER_TEXT];
    struct tracer_news n;
    size_t at = 0;
    while (t->bytes.n - at >= sizeof n) {
        memcpy(&n, t->bytes.v + at, sizeof n);
        if (n.size > t->bytes.n - at)
            break;
        memcpy(text, t->bytes.v + at + sizeof n, n.text);
        text[n.text] = 0;
        take_one(t, &n, text, o, ticks);
        at += n.size;
    }
    memmove(t->bytes.v, t->bytes.v + at, t->bytes.n - at);
    t->bytes.n -= at;
}

/* Takes the messages that have come. False: it has ended. */
static bool receive(struct tracer *t, struct output *o, const struct ticks *ticks) {
    ssize_t n;
    do {
        vec_reserve(&t->bytes, t->bytes.n + PART);
        n = recv(t->apart.fd, t->bytes.v + t->bytes.n, PART, MSG_DONTWAIT);
        t->bytes.n += n > 0 ? (size_t)n : 0;
        take_whole(t, o, ticks);
    } while (n > 0 || (n < 0 && errno == EINTR));
    return n < 0;
}

/* ---- begin and end ---- */

bool tracer_start(struct tracer *t, pid_t program, struct err *err) {
    *t = (struct tracer){.program = program};
    bool started = apart_start(&t->apart, run, t);
    struct pollfd p = {t->apart.fd, POLLIN, 0};
    if (started && poll(&p, 1, START_MS) > 0)
        receive(t, NULL, NULL);
    if (t->ready)
        return true;
    if (t->why.text[0])
        *err = t->why;
    else
        err_set(err, ERR_NO_OFFSET, "no system calls: no process traces them");
    tracer_close(t);
    return false;
}

int tracer_fd(const struct tracer *t) {
    return t->apart.pid > 0 ? t->apart.fd : -1;
}

/* The process has ended: no thread is left, or it was killed. Then threads go on alone. */
static void take_end(struct tracer *t, struct output *o, const struct ticks *ticks) {
    int status = apart_stop(&t->apart);
    if (status == 0)
        return;
    const char *why = WIFSIGNALED(status) ? strsignal(WTERMSIG(status)) : "an error";
    err_set(&t->why, ERR_NO_OFFSET,
            "the last system calls are missing: the process that traces them has ended: %s", why);
    calls_cut(&t->calls, o, ticks_now(ticks));
    write_last(t, o, ticks);
}

void tracer_take(struct tracer *t, struct output *o, const struct ticks *ticks) {
    if (tracer_fd(t) >= 0 && !receive(t, o, ticks))
        take_end(t, o, ticks);
    calls_step(&t->calls, o, ticks_monotonic(), false);
}

void tracer_finish(struct tracer *t, struct output *o, const struct ticks *ticks) {
    const uint64_t now = ticks_monotonic();
    for (int i = 0; i < ASKS && tracer_fd(t) >= 0 && t->sent < now; i++) {
        struct pollfd p = {t->apart.fd, POLLIN, 0};
        kill(t->apart.pid, SIGALRM); /* it sends what it has */
        poll(&p, 1, ASK_MS);
        tracer_take(t, o, ticks);
    }
    calls_step(&t->calls, o, 0, true);
}

void tracer_close(struct tracer *t) {
    apart_stop(&t->apart);
    calls_close(&t->calls);
    vec_free(&t->bytes);
}
