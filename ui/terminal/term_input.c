/* term_input.c - keys: reads the bytes that the terminal sends and hands them to the decoder; new
 * sizes are keys, too.
 */
#include <errno.h>
#include <poll.h>
#include <string.h>
#include <unistd.h>

#include "src/base/clock.h"
#include "ui/terminal/term.h"
#include "ui/terminal/term_internal.h"

#define RESIZE_GAP 200 /* ms between two resizes that are reported: 300 in 1.5 s are at most 8 */

static int64_t now_ms(void) {
    return clock_now() / 1000000;
}

/* Reads the waiting bytes, at most as many as the decoder takes. */
static void read_bytes(void) {
    char bytes[1024];
    size_t room = sizeof term_decoder.bytes - (term_decoder.n - term_decoder.at);
    if (room == 0) /* many keys are waiting already */
        return;
    ssize_t n = read(term.in, bytes, room < sizeof bytes ? room : sizeof bytes);
    if (n > 0) {
        key_decode_feed(&term_decoder, bytes, (size_t)n);
        term.read_at = now_ms();
    } else if (n == 0 || (errno != EINTR && errno != EAGAIN)) {
        term_flags.gone = 1;
    }
}

static void empty_wake_pipe(void) {
    char bytes[64];
    while (read(term.wake[0], bytes, sizeof bytes) > 0)
        continue;
}

/* The smaller of two waits; negative: for ever. */
static int sooner(int a, int64_t b) {
    if (b < 0)
        return a;
    return a < 0 || b < a ? (int)b : a;
}

static int64_t not_below_0(int64_t x) {
    return x < 0 ? 0 : x;
}

/* Handles a stop and a continue; true if a new size is due, which is reported as a key. */
static bool take_resize(struct key *key) {
    if (term_flags.stopped)
        term_suspend();
    if (term_flags.continued)
        term_curses_continue();
    if (!term_flags.resized || now_ms() - term.resized_at < RESIZE_GAP)
        return false;
    term_flags.resized = 0;
    term.resized_at = now_ms();
    term_curses_size();
    term.repaint = true;
    *key = (struct key){.code = KEY_RESIZED, .x = term.cols, .y = term.rows};
    return true;
}

#define ASKED_MS 1500 /* an answer in pieces is expected so long */

/* Whether the terminal answered that its background is another one than assumed: all is drawn
 * again. */
static bool take_answers(struct key *key) {
    if (now_ms() - term.asked_at > ASKED_MS)
        term_decoder.asked = term_decoder.asked_mode = false;
    if (term_decoder.synchronized && !term.synchronized) {
        term.synchronized = true;
        term_caps_sequences();
    }
    if (!term_decoder.answered)
        return false;
    term_decoder.answered = false;
    if (!term.asks_background || term_decoder.light == style_light())
        return false;
    style_background(term_decoder.light);
    *key = (struct key){.code = KEY_RESIZED, .x = term.cols, .y = term.rows};
    return true;
}

void term_input_answer(void) {
    struct key key;
    while ((term_decoder.asked || term_decoder.asked_mode) &&
           now_ms() - term.asked_at < ASKED_MS / 10) {
        struct pollfd ready = {term.in, POLLIN, 0};
        if (poll(&ready, 1, (int)not_below_0(term.asked_at + ASKED_MS / 10 - now_ms())) != 1)
            return;
        read_bytes();
        if (term_flags.gone)
            return;
        while (key_decode_next(&term_decoder, false, false, &key))
            continue;
    }
}

void term_input_enter(void) {
    while (!term_flags.gone && !term_flags.leaving) {
        struct pollfd fds[2] = {{term.in, POLLIN, 0}, {term.wake[0], POLLIN, 0}};
        char c = 0;
        if (poll(fds, 2, -1) < 0 && errno != EINTR)
            return;
        if (fds[1].revents)
            empty_wake_pipe();
        if (!fds[0].revents)
            continue;
        ssize_t n = read(term.in, &c, 1); /* bytes typed after it are for the program */
        if (n == 0 || (n < 0 && errno != EINTR && errno != EAGAIN))
            term_flags.gone = 1;
        if (n > 0 && strchr("\r\nq\003\004", c) != NULL && c != 0)
            return;
    }
}

bool term_key(struct key *key, int timeout_ms, int fd, bool in_prompt) {
    int64_t start = now_ms();
    bool idle = false, eaten = term_decoder.at < term_decoder.n;
    *key = (struct key){.code = KEY_TIMEOUT};
    while (term.open && !term_flags.gone && !term_flags.leaving) {
        if (take_resize(key))
            return true;
        bool pressed = key_decode_next(&term_decoder, in_prompt, idle, key);
        if (!pressed && take_answers(key))
            return true;
        if (pressed)
            return true;
        *key = (struct key){.code = KEY_TIMEOUT};
        int patience = key_decode_patience(&term_decoder);
        if (eaten && patience < 0) /* all of it was no key: a frame may have waited for it */
            return false;
        int64_t now = now_ms(),
                rest = patience < 0 ? -1 : not_below_0(term.read_at + patience - now);
        int wait = timeout_ms < 0 ? -1 : (int)not_below_0(start + timeout_ms - now);
        bool last = wait == 0;
        wait = sooner(wait, rest);
        if (term_flags.resized)
            wait = sooner(wait, not_below_0(term.resized_at + RESIZE_GAP - now));
        struct pollfd fds[3] = {{term.in, POLLIN, 0}, {term.wake[0], POLLIN, 0}, {fd, POLLIN, 0}};
        int n = poll(fds, 3, wait);
        idle = n == 0 && rest == wait && patience >= 0;
        if (n < 0 && errno != EINTR)
            return false;
        if (n > 0 && fds[1].revents)
            empty_wake_pipe();
        if (n > 0 && fds[0].revents) {
            read_bytes();
            eaten = true;
        } else if ((n > 0 && fds[2].revents) || (n <= 0 && last && !idle)) {
            return false;
        }
    }
    return false;
}

bool term_pending(void) {
    if (!term.open || term_flags.gone)
        return false;
    struct pollfd ready = {term.in, POLLIN, 0};
    if (poll(&ready, 1, 0) == 1)
        read_bytes();
    if (term_flags.resized && now_ms() - term.resized_at >= RESIZE_GAP)
        return true;
    static struct key_decode trial; /* a copy: the prompt that a paste is for may not be open yet */
    struct key key;
    trial = term_decoder;
    return key_decode_next(&trial, true, false, &key);
}
