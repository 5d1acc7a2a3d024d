/* peer.c - a provider written from fxttrace(7) and fxt(5) alone, without chunks.
 *
 *     peer N [HOW]   writes N numbered instants "tick"
 *
 * HOW: "dies": SIGKILL after the last one; "current": dies, and has kept the ends in its header up
 * to date; "drops": does not wait for the manager, so records may be dropped. It shares nothing
 * with provider/: one thread, one buffer, and the rules of the page. It must work in all modes. */
#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/un.h>
#include <time.h>
#include <unistd.h>

enum { ONESHOT, CIRCULAR, STREAMING };
enum {
    REGISTER = 0x01,
    REGISTERED = 0x81,
    INITIALIZE = 0x82,
    START = 0x83,
    STOP = 0x84,
    TERMINATE = 0x85
};
enum { STARTED = 1, SAVE_BUFFER = 2, STOPPED = 3, BUFFER_SAVED = 0x100 };

static struct {
    int control, packets;
    bool drops, current, on;
    unsigned mode, clock;
    uint64_t *words, size, per_second;
    uint64_t durable_size, rolling_size; /* bytes */
    uint64_t durable_end, end;           /* of the durable data, of the current half */
    uint64_t dropped;
    uint32_t wrap;
    bool free[2]; /* halves */
} peer;

static void fail(const char *what) {
    perror(what);
    exit(1);
}

/* ---- the buffer ---- */

static unsigned half_of(uint32_t wrap) {
    return peer.mode == ONESHOT ? 0 : wrap & 1;
}

static void put_header(uint64_t offset, uint64_t value) {
    __atomic_store_n(&peer.words[offset / 8], value, __ATOMIC_RELEASE);
}

static void lay_out(void) {
    uint64_t data = peer.size - 128;
    peer.durable_size = peer.mode == ONESHOT ? 0 : data / 8 / 16 * 16;
    if ((data - peer.durable_size) % 16 != 0)
        peer.durable_size += 8;
    peer.rolling_size = peer.mode == ONESHOT ? data : (data - peer.durable_size) / 2;
}

/* Begins to write: disposition 0 clears all, 1 the rolling halves, 2 nothing. */
static void begin(unsigned disposition) {
    if (disposition == 0)
        peer.durable_end = 0;
    if (disposition < 2) {
        peer.wrap = 0;
        peer.end = peer.dropped = 0;
        peer.free[0] = peer.free[1] = true;
    }
    memset(peer.words, 0, 128);
    put_header(8, (uint64_t)peer.mode << 16);
    put_header(16, peer.size);
    put_header(24, peer.durable_size);
    put_header(32, peer.rolling_size);
    put_header(0, UINT64_C(0x627566ee68656164));
    peer.on = true;
}

static void send_packet(uint16_t request, uint32_t data32, uint64_t data64) {
    unsigned char bytes[16] = {0};
    memcpy(bytes, &request, 2);
    memcpy(bytes + 4, &data32, 4);
    memcpy(bytes + 8, &data64, 8);
    if (send(peer.packets, bytes, sizeof bytes, MSG_NOSIGNAL) < 0)
        fail("send");
}

static void final_header(void) {
    put_header(8, (uint64_t)peer.mode << 16 | (uint64_t)(peer.mode == ONESHOT ? 0 : peer.wrap)
                                                  << 32);
    put_header(40, peer.durable_end);
    put_header(half_of(peer.wrap) ? 56 : 48, peer.end);
    put_header(64, peer.dropped);
}

/* ---- messages ---- */

/* One packet, if one is there or `waits`. */
static void take_packet(bool waits) {
    unsigned char bytes[16];
    uint16_t request;
    uint32_t wrap;
    struct pollfd p = {peer.packets, POLLIN, 0};
    while (waits && poll(&p, 1, -1) < 0 && errno == EINTR)
        ;
    ssize_t n = recv(peer.packets, bytes, sizeof bytes, 0);
    if (n < 0 && !waits && errno == EAGAIN)
        return;
    memcpy(&request, bytes, 2);
    memcpy(&wrap, bytes + 4, 4);
    if (n != sizeof bytes || request != BUFFER_SAVED)
        fail("no BUFFER_SAVED");
    put_header(wrap & 1 ? 56 : 48, 0);
    peer.free[wrap & 1] = true;
}

static void stop(void) {
    if (!peer.on)
        return;
    peer.on = false;
    final_header();
    send_packet(STOPPED, 0, 0);
}

static void initialize(const unsigned char *body, size_t n, const int *fds) {
    struct stat st;
    if (n < 24 || fds[1] < 0)
        fail("INITIALIZE");
    peer.mode = body[0];
    peer.clock = body[1];
    memcpy(&peer.size, body + 8, 8);
    memcpy(&peer.per_second, body + 16, 8);
    if (fstat(fds[0], &st) != 0 || (uint64_t)st.st_size != peer.size ||
        !(fcntl(fds[0], F_GET_SEALS) & F_SEAL_SHRINK))
        fail("the buffer");
    peer.words = mmap(NULL, peer.size, PROT_READ | PROT_WRITE, MAP_SHARED, fds[0], 0);
    if (peer.words == MAP_FAILED)
        fail("mmap");
    peer.packets = fds[1];
    lay_out();
}

static uint64_t put_names(void);

/* One control message; false: there is none, or the manager has gone. */
static bool take_message(int flags) {
    static unsigned char bytes[65536];
    unsigned char ancillary[CMSG_SPACE(2 * sizeof(int))];
    struct iovec io = {bytes, sizeof bytes};
    struct msghdr msg = {.msg_iov = &io,
                         .msg_iovlen = 1,
                         .msg_control = ancillary,
                         .msg_controllen = sizeof ancillary};
    int fds[2] = {-1, -1};
    uint16_t type;
    uint32_t status, rest;
    ssize_t n = recvmsg(peer.control, &msg, flags | MSG_CMSG_CLOEXEC);
    if (n < 8)
        return false;
    struct cmsghdr *c = CMSG_FIRSTHDR(&msg);
    if (c && c->cmsg_len == CMSG_LEN(sizeof fds))
        memcpy(fds, CMSG_DATA(c), sizeof fds);
    memcpy(&type, bytes, 2);
    memcpy(&rest, bytes + 4, 4);
    memcpy(&status, bytes + 8, 4);
    if (rest != (size_t)n - 8 || (type == REGISTERED && status != 0))
        fail("refused");
    if (type == INITIALIZE && peer.words == NULL)
        initialize(bytes + 8, rest, fds);
    if (type == START && !peer.on) {
        begin(bytes[8]);
        if (bytes[8] == 0 || peer.mode == ONESHOT)
            put_names();
        send_packet(STARTED, 1, 0);
    }
    if (type == STOP || type == TERMINATE)
        stop();
    if (type == TERMINATE)
        close(peer.packets);
    return type != TERMINATE;
}

/* ---- records ---- */

/* The place of a record of n words in the current half; NULL: it is dropped. */
static uint64_t *reserve(size_t n) {
    if (peer.end + 8 * n > peer.rolling_size) {
        unsigned now = half_of(peer.wrap);
        while (peer.mode == STREAMING && !peer.free[!now] && !peer.drops)
            take_packet(true);
        if (peer.mode == ONESHOT || !peer.free[!now]) {
            put_header(64, ++peer.dropped);
            return NULL;
        }
        put_header(now ? 56 : 48, peer.end);
        peer.free[now] = peer.mode == CIRCULAR; /* no other thread is inside */
        peer.wrap++;
        peer.free[!now] = peer.mode == CIRCULAR;
        peer.end = 0;
        put_header(now ? 48 : 56, 0);
        if (peer.mode == STREAMING)
            send_packet(SAVE_BUFFER, peer.wrap - 1, peer.durable_end);
    }
    uint64_t *to =
        peer.words +
        (128 + peer.durable_size + half_of(peer.wrap) * peer.rolling_size + peer.end) / 8;
    peer.end += 8 * n;
    if (peer.current)
        final_header();
    return to;
}

static void put(const uint64_t *record, size_t n, bool durable) {
    uint64_t *to = peer.words + (128 + peer.durable_end) / 8;
    if (durable && peer.mode != ONESHOT) {
        if (peer.durable_end + 8 * n > peer.durable_size)
            fail("no space for names");
        peer.durable_end += 8 * n;
    } else if ((to = reserve(n)) == NULL) {
        return;
    }
    memcpy(to, record, 8 * n);
}

static void put_string(uint64_t index, const char *text) {
    uint64_t record[3] = {2 | 2 << 4 | index << 16 | (uint64_t)strlen(text) << 32};
    memcpy(record + 1, text, strlen(text)); /* at most 8 bytes */
    put(record, 2, true);
}

/* Initialization, strings 1 to 4 and thread 1. */
static uint64_t put_names(void) {
    put((uint64_t[]){1 | 2 << 4, peer.per_second}, 2, true);
    put_string(1, "peer");
    put_string(2, "tick");
    put_string(3, "k");
    put_string(4, "i");
    put((uint64_t[]){3 | 3 << 4 | 1 << 16, (uint64_t)getpid(), (uint64_t)syscall(SYS_gettid)}, 3,
        true);
    return 4;
}

static uint64_t now(void) {
    struct timespec t;
#if defined(__x86_64__)
    if (peer.clock == 1)
        return __builtin_ia32_rdtsc();
#endif
    clock_gettime(CLOCK_MONOTONIC, &t);
    return (uint64_t)t.tv_sec * 1000000000 + (uint64_t)t.tv_nsec;
}

static void put_tick(uint32_t i) {
    const uint64_t n = 5, k = 1 | 1 << 4 | 3 << 16, arg = 2 | 1 << 4 | 4 << 16 | (uint64_t)i << 32;
    put((uint64_t[]){4 | n << 4 | 2 << 20 | 1 << 24 | UINT64_C(1) << 32 | UINT64_C(2) << 48, now(),
                     k, arg, 1},
        n, false);
}

/* ---- the program ---- */

static void connect_to_manager(void) {
    struct sockaddr_un address = {.sun_family = AF_UNIX};
    const char *path = getenv("FXTTRACE_SOCKET"), *name = "peer";
    unsigned char bytes[8 + 16 + 4] = {REGISTER, 0, 0, 0, 16 + 4, 0, 0, 0, 1};
    uint64_t pid = (uint64_t)getpid();
    if (path == NULL)
        fail("no FXTTRACE_SOCKET");
    snprintf(address.sun_path, sizeof address.sun_path, "%s", path);
    memcpy(bytes + 16, &pid, 8);
    memcpy(bytes + 24, name, 4);
    peer.control = socket(AF_UNIX, SOCK_SEQPACKET | SOCK_CLOEXEC, 0);
    if (peer.control < 0 ||
        connect(peer.control, (struct sockaddr *)&address, sizeof address) != 0 ||
        send(peer.control, bytes, sizeof bytes, MSG_NOSIGNAL) < 0)
        fail("connect");
}

int main(int argc, char **argv) {
    const char *how = argc > 2 ? argv[2] : "";
    unsigned long n = argc > 1 ? strtoul(argv[1], NULL, 10) : 1000;
    peer.current = strcmp(how, "current") == 0;
    peer.drops = strcmp(how, "drops") == 0;
    connect_to_manager();
    while (!peer.on)
        if (!take_message(0))
            fail("no START");
    for (unsigned long i = 0; i < n && peer.on; i++) {
        put_tick((uint32_t)i);
        if (peer.mode == STREAMING)
            take_packet(false);
        if (i % 1000 == 0 && !take_message(MSG_DONTWAIT) && !peer.on)
            break;
    }
    if (peer.current || strcmp(how, "dies") == 0)
        kill(getpid(), SIGKILL);
    stop();
    return 0;
}
