/* signals.c - the signals of a recording, as a descriptor. */
#include "record/signals.h"

#include <errno.h>
#include <string.h>
#include <sys/signalfd.h>

static void on_failed_write(int signal_number) {
    (void)signal_number;
}

/* Lets writing fail with EFBIG at ulimit -f, and with EPIPE; a handler, unlike SIG_IGN, is not
 * inherited by exec(). */
static void outlive_failed_writes(void) {
    struct sigaction goes_on = {.sa_handler = on_failed_write, .sa_flags = SA_RESTART};
    sigemptyset(&goes_on.sa_mask);
    sigaction(SIGXFSZ, &goes_on, NULL);
    sigaction(SIGPIPE, &goes_on, NULL);
}

int signals_open(sigset_t *before, struct err *err) {
    static const int numbers[] = {SIGINT, SIGQUIT, SIGTERM, SIGHUP, SIGCHLD, SIGUSR1, SIGUSR2};
    sigset_t set;
    outlive_failed_writes();
    sigemptyset(&set);
    for (size_t i = 0; i < sizeof numbers / sizeof *numbers; i++)
        sigaddset(&set, numbers[i]);
    sigprocmask(SIG_BLOCK, &set, before);
    int fd = signalfd(-1, &set, SFD_CLOEXEC | SFD_NONBLOCK);
    if (fd < 0)
        err_set(err, ERR_NO_OFFSET, "no signals: %s", strerror(errno));
    return fd;
}
