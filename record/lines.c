/* lines.c - the output of the program, line by line. */
#include "record/lines.h"

#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <termios.h>
#include <unistd.h>

static void close_fd(int *fd) {
    if (*fd >= 0)
        close(*fd);
    *fd = -1;
}

/* A pseudoterminal that passes bytes on as they are, of the size of our own terminal. */
static bool open_stream(struct lines_stream *s, int to) {
    struct termios t;
    struct winsize size;
    *s = (struct lines_stream){
        .master = posix_openpt(O_RDWR | O_NOCTTY | O_CLOEXEC), .slave = -1, .to = to};
    const char *name = s->master >= 0 && grantpt(s->master) == 0 && unlockpt(s->master) == 0
                           ? ptsname(s->master)
                           : NULL;
    s->slave = name ? open(name, O_RDWR | O_NOCTTY | O_CLOEXEC) : -1;
    if (s->slave < 0 || tcgetattr(s->slave, &t) != 0)
        return false;
    t.c_oflag &= ~(tcflag_t)OPOST;
    t.c_lflag &= ~(tcflag_t)ECHO;
    tcsetattr(s->slave, TCSANOW, &t);
    if (ioctl(STDOUT_FILENO, TIOCGWINSZ, &size) == 0)
        ioctl(s->slave, TIOCSWINSZ, &size);
    return fcntl(s->master, F_SETFL, O_NONBLOCK) == 0;
}

bool lines_open(struct lines *lines, const int to[2], struct err *err) {
    lines->only_pass = false;
    lines->at = 0;
    for (int i = 0; i < 2; i++)
        lines->streams[i] = (struct lines_stream){.master = -1, .slave = -1};
    for (int i = 0; i < 2; i++)
        if (!open_stream(&lines->streams[i], to[i])) {
            int saved = errno;
            lines_close(lines);
            return err_set(err, ERR_NO_OFFSET, "no pseudoterminal: %s", strerror(saved));
        }
    return true;
}

void lines_become(const struct lines *lines) {
    dup2(lines->streams[0].slave, STDOUT_FILENO);
    dup2(lines->streams[1].slave, STDERR_FILENO);
}

void lines_started(struct lines *lines) {
    for (int i = 0; i < 2; i++)
        close_fd(&lines->streams[i].slave);
}

void lines_close(struct lines *lines) {
    for (int i = 0; i < 2; i++) {
        close_fd(&lines->streams[i].master);
        close_fd(&lines->streams[i].slave);
    }
}

static void write_line(const struct lines *lines, struct lines_stream *s, pid_t pid,
                       struct output *output, const struct ticks *ticks) {
    size_t n = s->n > 0 && s->text[s->n - 1] == '\r' ? s->n - 1 : s->n;
    struct writer *w = output_begin(output, OUTPUT_OWN);
    writer_log(w, lines->at > 0 ? lines->at : ticks_now(ticks),
               writer_intern_thread(w, (uint64_t)pid, (uint64_t)pid), (struct str){s->text, n});
    output_end(output);
    s->n = 0;
}

static void pass_on(struct lines_stream *s, const char *bytes, size_t n) {
    while (s->to >= 0 && n > 0) {
        ssize_t k = write(s->to, bytes, n);
        if (k < 0 && errno == EINTR)
            continue;
        if (k < 0) { /* EPIPE: its reader has gone, and the program does not notice */
            s->lost = errno != EPIPE ? errno : s->lost;
            return;
        }
        bytes += k;
        n -= (size_t)k;
    }
}

struct pollfd lines_polled(const struct lines *lines, int stream) {
    const struct lines_stream *s = &lines->streams[stream];
    struct pollfd on = {s->to, POLLOUT, 0};
    bool waits = s->master >= 0 && s->to >= 0 && poll(&on, 1, 0) == 0;
    return waits ? on : (struct pollfd){s->master, POLLIN, 0};
}

bool lines_take(struct lines *lines, int stream, pid_t pid, struct output *output,
                const struct ticks *ticks) {
    struct lines_stream *s = &lines->streams[stream];
    char bytes[4096];
    ssize_t n = s->master >= 0 ? read(s->master, bytes, sizeof bytes) : 0;
    if (n < 0 && (errno == EAGAIN || errno == EINTR))
        return true;
    if (n <= 0) { /* EIO: no process has the other end */
        if (s->n > 0 && !lines->only_pass)
            write_line(lines, s, pid, output, ticks);
        close_fd(&s->master);
        return false;
    }
    pass_on(s, bytes, (size_t)n);
    for (ssize_t i = 0; i < n && !lines->only_pass; i++) {
        if (bytes[i] != '\n')
            s->text[s->n++] = bytes[i];
        if (bytes[i] == '\n' || s->n == sizeof s->text)
            write_line(lines, s, pid, output, ticks);
    }
    return true;
}

void lines_take_rest(struct lines *lines, pid_t pid, struct output *output,
                     const struct ticks *ticks) {
    for (int i = 0; i < 2; i++)
        for (bool more = lines->streams[i].master >= 0; more;) {
            struct lines_stream *s = &lines->streams[i];
            struct pollfd p = {s->master, POLLIN, 0};
            if (s->to >= 0 && !output_wait(output, s->to)) {
                s->to = -1;
                s->lost = EAGAIN;
            }
            more = lines_take(lines, i, pid, output, ticks) && poll(&p, 1, 0) > 0;
        }
}
