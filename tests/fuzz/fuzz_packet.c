/* fuzz_packet.c - any sequence of messages, packets and words of the buffer, sent by a provider to
 * the manager's side.
 *
 * Each step is a byte that chooses what is sent, and the bytes of it. The provider's state stays in
 * its range, nothing is left open, and the file stays framed. */
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/socket.h>
#include <unistd.h>

#include "record/tracee.h"
#include "tests/fuzz/fuzz.h"

enum { BUFFER = 8192 };

struct peer { /* the other ends */
    int control, packets;
    uint64_t *words;
};

/* Reads the manager's messages: INITIALIZE brings the peer's ends. */
static void receive(struct peer *p) {
    char bytes[9000], ancillary[CMSG_SPACE(2 * sizeof(int))];
    for (;;) {
        struct iovec io = {bytes, sizeof bytes};
        struct msghdr msg = {.msg_iov = &io,
                             .msg_iovlen = 1,
                             .msg_control = ancillary,
                             .msg_controllen = sizeof ancillary};
        if (recvmsg(p->control, &msg, MSG_DONTWAIT) <= 0)
            return;
        struct cmsghdr *c = CMSG_FIRSTHDR(&msg);
        if (c && c->cmsg_len == CMSG_LEN(2 * sizeof(int)) && p->words == NULL) {
            int fds[2];
            memcpy(fds, CMSG_DATA(c), sizeof fds);
            p->packets = fds[1];
            p->words = mmap(NULL, BUFFER, PROT_READ | PROT_WRITE, MAP_SHARED, fds[0], 0);
            FUZZ_MUST(p->words != MAP_FAILED);
            close(fds[0]);
        }
    }
}

static void send_register(int fd) {
    struct {
        struct wire_control head;
        struct wire_register body;
        char name[4];
    } m = {{WIRE_REGISTER, 0, sizeof m.body + 4}, {1, 0, 1}, "fuzz"};
    send(fd, &m, sizeof m.head + sizeof m.body + 4, MSG_NOSIGNAL | MSG_DONTWAIT);
}

static void put_header(struct peer *p, unsigned mode, bool chunks) {
    uint64_t data = BUFFER - WIRE_HEADER, durable = mode == WIRE_ONESHOT ? 0 : 512;
    *(struct wire_header *)(void *)p->words =
        (struct wire_header){.magic = WIRE_MAGIC,
                             .mode = (uint8_t)mode,
                             .total = BUFFER,
                             .durable_size = durable,
                             .rolling_size = mode == WIRE_ONESHOT ? data : (data - durable) / 2,
                             .signature = chunks ? WIRE_SIGNATURE : 0,
                             .chunk_size = chunks ? 512 : 0};
}

/* One step of the input; returns its length. */
static size_t step(struct peer *p, const uint8_t *v, size_t n, unsigned mode) {
    size_t body = n - 1 < 24 ? n - 1 : 24;
    uint64_t word = 0;
    switch (v[0] % 8) {
    case 0:
        send_register(p->control);
        return 1;
    case 1:
        send(p->control, v + 1, body, MSG_NOSIGNAL | MSG_DONTWAIT);
        return 1 + body;
    case 2: /* a packet */
        body = body < 16 ? body : 16;
        if (p->packets >= 0)
            send(p->packets, v + 1, body, MSG_NOSIGNAL | MSG_DONTWAIT);
        return 1 + body;
    case 3: /* a packet of the protocol */
        if (p->packets >= 0 && n > 2)
            send(p->packets, &(struct wire_packet){v[1] & 15, 0, v[1] >> 4, (uint64_t)v[2] * 8}, 16,
                 MSG_NOSIGNAL | MSG_DONTWAIT);
        return n > 2 ? 3 : n;
    case 4:
        if (p->words)
            put_header(p, mode, v[0] & 8);
        return 1;
    case 5: /* a word of the header, of a mark or of a record */
        body = body < 10 ? body : 10;
        if (p->words && body == 10) {
            memcpy(&word, v + 3, 8);
            p->words[(v[1] | (size_t)v[2] << 8) % (BUFFER / 8)] = word;
        }
        return 1 + body;
    case 6: /* a mark */
        if (p->words && n > 2)
            p->words[(128 + 512 + 512 * (v[1] % 14)) / 8 % (BUFFER / 8)] =
                wire_mark(v[2] & 3, v[2] >> 2 & 7, 0);
        return n > 2 ? 3 : n;
    default:
        if (v[0] & 8 && p->packets >= 0) {
            close(p->packets);
            p->packets = -1;
        } else if (v[0] & 16) {
            close(p->control);
            p->control = -1;
        }
        return 1;
    }
}

static bool has_input(int fd) {
    char byte;
    return fd >= 0 && recv(fd, &byte, 1, MSG_PEEK | MSG_DONTWAIT) >= 0;
}

static void manage(struct tracee *t, const struct tracee_config *config, struct output *output,
                   struct readout_news *news) {
    char alert[WIRE_ALERT_MAX + 1];
    bool got;
    if (has_input(t->control))
        tracee_control(t, config, true);
    if (has_input(t->packets))
        tracee_packet(t, config, alert);
    FUZZ_MUST(t->state <= TRACEE_GONE);
    tracee_news(t);
    for (int i = 0; i < 100 && tracee_take(t, output, news, &got); i++)
        ;
}

void fuzz_packet(const uint8_t *data, size_t size) {
    static const struct ticks ticks = {.per_second = 1000000000};
    int pair[2];
    if (size < 1 ||
        socketpair(AF_UNIX, SOCK_SEQPACKET | SOCK_CLOEXEC | SOCK_NONBLOCK, 0, pair) != 0)
        return;
    const struct tracee_config config = {(enum wire_mode)(data[0] % 3), BUFFER, NULL, 0, &ticks};
    struct peer peer = {pair[1], -1, NULL};
    struct readout_news news = {0};
    struct output output;
    struct tracee t;
    struct err err;
    FUZZ_MUST(output_open(&output, "/dev/null", 1 << 20, &err));
    FUZZ_MUST(tracee_accept(&t, pair[0], 2));
    if (data[0] & 4)
        send_register(peer.control);
    for (size_t at = 1; at < size && t.state != TRACEE_GONE;) {
        manage(&t, &config, &output, &news);
        if (peer.control >= 0)
            receive(&peer);
        at += step(&peer, data + at, size - at, config.mode);
    }
    manage(&t, &config, &output, &news);
    tracee_stop(&t, 1);
    manage(&t, &config, &output, &news);
    tracee_terminate(&t);
    manage(&t, &config, &output, &news);
    FUZZ_MUST(t.state == TRACEE_GONE || t.state == TRACEE_TERMINATED);
    tracee_free(&t);
    readout_news_free(&news);
    output_close(&output, &err);
    if (peer.words)
        munmap(peer.words, BUFFER);
    if (peer.packets >= 0)
        close(peer.packets);
    if (peer.control >= 0)
        close(peer.control);
}
