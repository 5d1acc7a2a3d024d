/* liar.c - a hostile provider, which also measures the manager: liar SOCKET
 *
 * It floods each socket, announces halves 10,000 times, never answers, never reads, and sends
 * descriptors of its own. It dies in each state, takes more connections than there may be, and
 * registers 10,000 times. It dies more often than the manager has lines for. It tries to change the
 * size of its buffer, and gives up its pages while they are read. The manager's memory stays below
 * a limit, its descriptors come back, and its time stays in proportion. Prints a line for each that
 * does not hold; the exit status counts them. */
#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/resource.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/un.h>
#include <sys/wait.h>
#include <unistd.h>

#include "provider/wire.h"

enum { CONNECTIONS = 300, REGISTRATIONS = 10000, DEATHS = 30 };
enum { PATIENCE_MS = 20000, MOST_MEMORY_KB = 65536, MOST_CPU_S = 8 };

static const char *path;
static pid_t manager;
static int failed;

static void fail(const char *what, long n) {
    printf("FAILED: %s: %ld\n", what, n);
    fflush(stdout);
    failed++;
}

/* ---- the manager, from outside ---- */

static long descriptors(void) {
    char name[64];
    long n = 0;
    snprintf(name, sizeof name, "/proc/%ld/fd", (long)manager);
    DIR *d = opendir(name);
    while (d && readdir(d))
        n++;
    if (d)
        closedir(d);
    return n;
}

static long number_in(const char *file, const char *label) {
    char name[64], line[1024];
    long n = -1;
    snprintf(name, sizeof name, "/proc/%ld/%s", (long)manager, file);
    FILE *f = fopen(name, "re");
    while (f && fgets(line, sizeof line, f))
        if (strncmp(line, label, strlen(label)) == 0)
            n = strtol(line + strlen(label), NULL, 10);
    if (f)
        fclose(f);
    return n;
}

/* Seconds of processor time. */
static long cpu(void) {
    char name[64], line[1024] = "";
    unsigned long user = 0, system = 0;
    snprintf(name, sizeof name, "/proc/%ld/stat", (long)manager);
    FILE *f = fopen(name, "re");
    if (f && fgets(line, sizeof line, f)) {
        const char *at = strrchr(line, ')');
        for (int field = 3; at && field <= 14; field++)
            at = strchr(at + 1, ' ');
        char *end = NULL;
        user = at ? strtoul(at, &end, 10) : 0;
        system = end ? strtoul(end, NULL, 10) : 0;
    }
    if (f)
        fclose(f);
    return (long)((user + system) / (unsigned long)sysconf(_SC_CLK_TCK));
}

/* ---- connections ---- */

static int connect_to(void) {
    struct sockaddr_un to = {.sun_family = AF_UNIX};
    snprintf(to.sun_path, sizeof to.sun_path, "%s", path);
    int fd = socket(AF_UNIX, SOCK_SEQPACKET | SOCK_CLOEXEC, 0);
    if (fd < 0 || connect(fd, (struct sockaddr *)&to, sizeof to) != 0) {
        perror("liar: connect");
        exit(100);
    }
    return fd;
}

static void send_register(int fd) {
    struct {
        struct wire_control head;
        struct wire_register body;
        char name[4];
    } m = {{WIRE_REGISTER, 0, sizeof m.body + 4}, {1, 0, (uint64_t)getpid()}, "liar"};
    send(fd, &m, sizeof m.head + sizeof m.body + 4, MSG_NOSIGNAL);
}

struct peer {
    int control, packets, buffer;
    uint64_t *words;
    size_t size;
};

/* Registers, and takes the descriptors of INITIALIZE, unless there are too many connections. */
static struct peer try_to_join(void) {
    struct peer p = {connect_to(), -1, -1, NULL, 0};
    char bytes[9000], ancillary[CMSG_SPACE(2 * sizeof(int))];
    send_register(p.control);
    while (p.packets < 0) {
        struct iovec io = {bytes, sizeof bytes};
        struct msghdr msg = {.msg_iov = &io,
                             .msg_iovlen = 1,
                             .msg_control = ancillary,
                             .msg_controllen = sizeof ancillary};
        struct stat st;
        int fds[2];
        if (recvmsg(p.control, &msg, 0) <= 0)
            return p;
        struct cmsghdr *c = CMSG_FIRSTHDR(&msg);
        if (c == NULL)
            continue;
        memcpy(fds, CMSG_DATA(c), sizeof fds);
        p.packets = fds[1];
        if (fstat(fds[0], &st) == 0)
            p.size = (size_t)st.st_size;
        p.words = mmap(NULL, p.size, PROT_READ | PROT_WRITE, MAP_SHARED, fds[0], 0);
        p.buffer = fds[0];
    }
    return p;
}

static void leave(struct peer *p);

static struct peer join(void) {
    for (int ms = 0; ms < PATIENCE_MS; ms++) {
        struct peer p = try_to_join();
        if (p.packets >= 0)
            return p;
        leave(&p);
        poll(NULL, 0, 1);
    }
    fail("no connection", 0);
    exit(failed);
}

static void leave(struct peer *p) {
    if (p->words)
        munmap(p->words, p->size);
    if (p->packets >= 0)
        close(p->packets);
    if (p->buffer >= 0)
        close(p->buffer);
    close(p->control);
}

static void packet(const struct peer *p, uint16_t request, uint32_t data32, uint64_t data64) {
    const struct wire_packet m = {request, 0, data32, data64};
    send(p->packets, &m, sizeof m, MSG_NOSIGNAL | MSG_DONTWAIT);
}

static void put_header(const struct peer *p, bool chunks) {
    size_t durable = 4096, rolling = (p->size - WIRE_HEADER - durable) / 2;
    *(struct wire_header *)(void *)p->words =
        (struct wire_header){.magic = WIRE_MAGIC,
                             .mode = WIRE_STREAMING,
                             .total = p->size,
                             .durable_size = durable,
                             .rolling_size = rolling,
                             .rolling_end = {rolling, rolling},
                             .signature = chunks ? WIRE_SIGNATURE : 0,
                             .chunk_size = chunks ? 512 : 0};
}

/* ---- lies ---- */

/* Waits until there is space, at most for so long. */
static bool send_all(int fd, const void *v, size_t n) {
    struct pollfd p = {fd, POLLOUT, 0};
    while (send(fd, v, n, MSG_NOSIGNAL | MSG_DONTWAIT) < 0) {
        if (errno != EAGAIN || poll(&p, 1, PATIENCE_MS) <= 0)
            return false;
    }
    return true;
}

static void flood_messages(void) {
    static char big[60000];
    for (int i = 0; i < 200; i++) {
        int fd = connect_to();
        send_all(fd, big, sizeof big);
        close(fd);
    }
    struct peer p = join();
    for (int i = 0; i < 2000 && send_all(p.packets, big, sizeof big); i++)
        ;
    leave(&p);
}

static void flood_saves(bool chunks) {
    struct peer p = join();
    put_header(&p, chunks);
    for (size_t i = 16; i < p.size / 8; i++)
        p.words[i] = 4 | 2 << 4;
    packet(&p, WIRE_STARTED, 1, 0);
    for (uint32_t i = 0; i < 10000; i++) {
        const struct wire_packet m = {WIRE_SAVE_BUFFER, 0, i, 16};
        p.words[10] = (uint64_t)(i + 1) << 32 | 512;
        if (!send_all(p.packets, &m, sizeof m))
            break;
    }
    leave(&p);
}

static void flood_alerts(void) {
    struct peer p = join();
    struct wire_packet m = {WIRE_ALERT, 0x6161, 0x62626262, 0x63636363};
    for (int i = 0; i < 20000 && send_all(p.packets, &m, sizeof m); i++)
        ;
    leave(&p);
}

static void send_descriptors(void) {
    struct peer p = join();
    union {
        struct cmsghdr align;
        char bytes[CMSG_SPACE(200 * sizeof(int))];
    } ancillary = {.bytes = {0}};
    for (int i = 0; i < 100; i++) {
        char bytes[16] = {WIRE_STARTED, 0, 0, 0, 1};
        struct iovec io = {bytes, sizeof bytes};
        struct msghdr msg = {.msg_iov = &io,
                             .msg_iovlen = 1,
                             .msg_control = ancillary.bytes,
                             .msg_controllen = sizeof ancillary.bytes};
        struct cmsghdr *c = CMSG_FIRSTHDR(&msg);
        c->cmsg_level = SOL_SOCKET;
        c->cmsg_type = SCM_RIGHTS;
        c->cmsg_len = CMSG_LEN(200 * sizeof(int));
        for (int k = 0; k < 200; k++) {
            int fd = p.control;
            memcpy(CMSG_DATA(c) + (size_t)k * sizeof fd, &fd, sizeof fd);
        }
        sendmsg(i % 2 ? p.packets : p.control, &msg, MSG_NOSIGNAL | MSG_DONTWAIT);
    }
    leave(&p);
}

/* Processes without end: each connection registers, and is closed at once. */
static void register_often(void) {
    for (int i = 0; i < REGISTRATIONS; i++) {
        int fd = connect_to();
        send_register(fd);
        close(fd);
    }
}

/* The buffer's size is sealed, so no read of the manager can fail; its pages may go, and read as
 * zeros. */
static void change_buffer(void) {
    struct peer p = join();
    int seals = fcntl(p.buffer, F_GET_SEALS);
    put_header(&p, true);
    packet(&p, WIRE_STARTED, 1, 0);
    if (ftruncate(p.buffer, 0) == 0 || ftruncate(p.buffer, (off_t)p.size - 4096) == 0 ||
        ftruncate(p.buffer, (off_t)p.size * 2) == 0 ||
        fcntl(p.buffer, F_ADD_SEALS, F_SEAL_WRITE) == 0 || seals < 0)
        fail("the size of the buffer has changed, seals", seals);
    for (uint32_t i = 0; i < 2000; i++) { /* a half that is full, and empty while it is read */
        p.words[10] = (uint64_t)(i + 1) << 32 | 512;
        packet(&p, WIRE_SAVE_BUFFER, i, 16);
        fallocate(p.buffer, FALLOC_FL_PUNCH_HOLE | FALLOC_FL_KEEP_SIZE, 0, (off_t)p.size);
        put_header(&p, true);
    }
    leave(&p);
}

/* A process that ends in the given state. */
static void die_in(int state) {
    pid_t pid = fork();
    if (pid == 0) {
        struct peer p = {-1, -1, -1, NULL, 0};
        if (state == 0)
            connect_to();
        else if (state == 1)
            send_register(connect_to());
        else
            p = join();
        if (state >= 3)
            put_header(&p, state % 2);
        if (state >= 4)
            packet(&p, WIRE_STARTED, 1, 0);
        if (state >= 5)
            packet(&p, WIRE_SAVE_BUFFER, 0, 16);
        if (state >= 6)
            packet(&p, WIRE_STOPPED, 0, 0);
        kill(getpid(), SIGKILL);
    }
    waitpid(pid, NULL, 0);
}

/* More than there may be, or as many as this process may have. */
static void take_connections(void) {
    static int fds[CONNECTIONS];
    struct rlimit limit = {0, 0};
    bool few = getrlimit(RLIMIT_NOFILE, &limit) == 0 && limit.rlim_cur < CONNECTIONS + 50;
    int most = few ? (int)limit.rlim_cur - 50 : CONNECTIONS;
    for (int i = 0; i < most; i++)
        fds[i] = connect_to();
    for (int i = 0; i < most; i++)
        close(fds[i]);
}

/* Another user's connection, if this is root: it gets status 3. */
static void be_another_user(void) {
    if (geteuid() != 0)
        return;
    char directory[200];
    snprintf(directory, sizeof directory, "%s", path);
    if (strrchr(directory, '/'))
        *strrchr(directory, '/') = 0;
    if (chmod(directory, 0755) != 0 || chmod(path, 0666) != 0)
        return;
    pid_t pid = fork();
    if (pid == 0) {
        struct sockaddr_un to = {.sun_family = AF_UNIX};
        uint32_t answer[4] = {0};
        snprintf(to.sun_path, sizeof to.sun_path, "%s", path);
        if (setuid(65534) != 0)
            _exit(0);
        for (int ms = 0; ms < PATIENCE_MS && answer[2] != WIRE_NOT_YOURS; ms++) {
            int fd = socket(AF_UNIX, SOCK_SEQPACKET | SOCK_CLOEXEC, 0);
            if (connect(fd, (struct sockaddr *)&to, sizeof to) != 0)
                _exit(0); /* a folder above keeps it out */
            if (recv(fd, answer, sizeof answer, 0) > 0 && answer[2] == WIRE_OK)
                _exit(1);
            close(fd); /* there were too many */
            poll(NULL, 0, 1);
        }
        _exit(answer[2] == WIRE_NOT_YOURS ? 0 : 1);
    }
    int status;
    waitpid(pid, &status, 0);
    if (status != 0)
        fail("another user's connection was accepted", status);
    chmod(path, 0600);
    chmod(directory, 0700);
}

int main(int argc, char **argv) {
    struct ucred who;
    socklen_t n = sizeof who;
    if (argc != 2)
        return 100;
    path = argv[1];
    signal(SIGPIPE, SIG_IGN);
    int first = connect_to();
    if (getsockopt(first, SOL_SOCKET, SO_PEERCRED, &who, &n) != 0)
        return 100;
    manager = who.pid;
    close(first);
    long before = descriptors(), time_before = cpu();
    int silent = connect_to();  /* never registers */
    struct peer never = join(); /* never answers, never reads */
    flood_messages();
    flood_saves(true);
    flood_saves(false);
    flood_alerts();
    send_descriptors();
    for (int state = 0; state < 7; state++)
        die_in(state);
    for (int i = 0; i < DEATHS; i++)
        die_in(4);
    take_connections();
    register_often();
    change_buffer();
    be_another_user();
    close(silent);
    long after = descriptors();
    /* 2 sockets of the silent one, and the program's */
    for (int ms = 0; ms < PATIENCE_MS && after > before + 6; ms++) {
        poll(NULL, 0, 1);
        after = descriptors();
    }
    if (after > before + 6)
        fail("descriptors are left", after - before);
    if (number_in("status", "VmHWM:") > MOST_MEMORY_KB)
        fail("kilobytes of memory", number_in("status", "VmHWM:"));
    if (cpu() - time_before > MOST_CPU_S)
        fail("seconds of the processor", cpu() - time_before);
    fprintf(stderr, "%ld descriptors before, %ld after; at most %ld kB; %ld s of processor\n",
            before, after, number_in("status", "VmHWM:"), cpu() - time_before);
    leave(&never);
    return failed;
}
