/* term_signal.c - signals: those that end the program restore the terminal first; stop, continue
 * and resize set flags.
 *
 * Handlers write a byte to the wake pipe, so that the poll in term_key() returns. Only those that
 * end the program at once write to the terminal; the bytes were prepared before. */
#include <errno.h>
#include <poll.h>
#include <signal.h>
#include <unistd.h>

#include "ui/terminal/term.h"
#include "ui/terminal/term_internal.h"

volatile struct term_flags term_flags;
struct term_sequence term_restore;

void term_restore_raw(void) {
    if (!term_flags.taken)
        return;
    term_flags.taken = 0;
    int saved = errno;
    struct pollfd ready = {term.out, POLLOUT, 0};
    if (poll(&ready, 1, 0) == 1) { /* do not wait for a terminal that takes nothing */
        ssize_t n = write(term.out, term_restore.bytes, term_restore.n);
        (void)n;
    }
    tcsetattr(term.out, TCSANOW, &term.shell_modes);
    errno = saved;
}

enum { ASKING = 8, FATAL = 4 };
static const int asking[ASKING] = {SIGTERM, SIGINT,  SIGQUIT, SIGHUP,
                                   SIGPIPE, SIGUSR1, SIGUSR2, SIGALRM},
                 fatal[FATAL] = {SIGSEGV, SIGABRT, SIGFPE, SIGILL};
static struct sigaction before_asking[ASKING], before_fatal[FATAL], before_bus, before_stop,
    before_continue, before_resize;

static void wake_up(void) {
    int saved = errno;
    ssize_t n = write(term.wake[1], "", 1);
    (void)n; /* a full pipe wakes too */
    errno = saved;
}

static void on_asking(int number) {
    /* from the kernel and from the shell */
    bool again = term_flags.leaving == number && number == SIGHUP;
    if (term_flags.leaving != 0 && !again) { /* a second signal: the program is busy */
        term_restore_raw();
        _exit(128 + number);
    }
    term_flags.leaving = number;
    wake_up();
}

static void on_fatal(int number, siginfo_t *info, void *context) {
    (void)context;
    term_restore_raw();
    for (size_t i = 0; i < FATAL; i++)
        if (fatal[i] == number)
            sigaction(number, &before_fatal[i], NULL);
    if (number == SIGBUS)
        sigaction(number, &before_bus, NULL);
    /* it was sent, so it does not occur again on return */
    if (info->si_code <= 0 || number == SIGABRT)
        raise(number);
}

static void on_stop(int number) {
    (void)number;
    term_flags.stopped = 1;
    wake_up();
}

static void on_continue(int number) {
    (void)number;
    term_flags.continued = 1;
    wake_up();
}

static void on_resize(int number) {
    (void)number;
    term_flags.resized = 1;
    wake_up();
}

static void handle(int number, void (*handler)(int)) {
    struct sigaction action = {.sa_handler = handler, .sa_flags = SA_RESTART};
    sigemptyset(&action.sa_mask);
    sigaction(number, &action, NULL);
}

static void handle_fatal(int number, struct sigaction *before) {
    struct sigaction action = {.sa_sigaction = on_fatal, .sa_flags = SA_SIGINFO | SA_ONSTACK};
    sigemptyset(&action.sa_mask);
    sigaction(number, &action, before);
}

void term_handle_bus(void) {
    handle_fatal(SIGBUS, &before_bus);
}

void term_signal_remember(void) {
    for (size_t i = 0; i < ASKING; i++)
        sigaction(asking[i], NULL, &before_asking[i]);
    for (size_t i = 0; i < FATAL; i++)
        sigaction(fatal[i], NULL, &before_fatal[i]);
    sigaction(SIGTSTP, NULL, &before_stop);
    sigaction(SIGCONT, NULL, &before_continue);
    sigaction(SIGWINCH, NULL, &before_resize);
}

/* After newterm(), which sets some, too. Ignored signals (nohup) stay ignored. */
void term_signal_install(void) {
    static char stack[32768]; /* for a stack overflow */
    stack_t now;
    if (sigaltstack(NULL, &now) == 0 && now.ss_flags & SS_DISABLE)
        sigaltstack(&(stack_t){.ss_sp = stack, .ss_size = sizeof stack}, NULL);
    for (size_t i = 0; i < ASKING; i++)
        if (before_asking[i].sa_handler == SIG_IGN)
            sigaction(asking[i], &before_asking[i], NULL);
        else
            handle(asking[i], on_asking);
    for (size_t i = 0; i < FATAL; i++)
        handle_fatal(fatal[i], NULL);
    if (before_stop.sa_handler == SIG_IGN)
        sigaction(SIGTSTP, &before_stop, NULL);
    else
        handle(SIGTSTP, on_stop);
    handle(SIGCONT, on_continue);
    handle(SIGWINCH, on_resize);
}

/* A hang-up is handled to the end: the shell's signal comes after the terminal is gone, while the
 * session is kept. */
void term_signal_remove(void) {
    for (size_t i = 0; i < ASKING; i++)
        if (asking[i] != SIGHUP || term_signal() != SIGHUP)
            sigaction(asking[i], &before_asking[i], NULL);
    for (size_t i = 0; i < FATAL; i++)
        sigaction(fatal[i], &before_fatal[i], NULL);
    sigaction(SIGTSTP, &before_stop, NULL);
    sigaction(SIGCONT, &before_continue, NULL);
    sigaction(SIGWINCH, &before_resize, NULL);
}

static void on_nothing(int number) {
    (void)number;
}

void term_signal_lend(void) {
    static const int typed[] = {SIGINT, SIGQUIT};
    for (size_t i = 0; i < sizeof typed / sizeof *typed; i++) {
        struct sigaction now;
        if (sigaction(typed[i], NULL, &now) == 0 && now.sa_handler != SIG_IGN)
            handle(typed[i], on_nothing);
    }
    sigaction(SIGTSTP, &before_stop, NULL);
}

bool term_signal_stop_ignored(void) {
    return before_stop.sa_handler == SIG_IGN;
}

int term_signal(void) {
    if (term_flags.leaving != 0)
        return term_flags.leaving;
    return term_flags.gone ? SIGHUP : 0;
}

bool term_gone(void) {
    return term_flags.gone;
}
