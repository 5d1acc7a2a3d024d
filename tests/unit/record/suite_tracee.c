/* suite_tracee.c - one provider's connection: each message in its state, what aborts it, and
 * nothing of its data lost.
 *
 * The test is the provider: it has the other ends of the sockets, and writes its buffer by hand. */
#include "record/tracee.h"

#include <limits.h>
#include <signal.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/socket.h>
#include <sys/wait.h>

#include "record/watch/death.h"
#include "tests/unit/lib/suites.h"
#include "tests/unit/record/written.h"

static const struct ticks ticks = {.per_second = 1000000000};

struct peer {
    struct tracee t;
    struct tracee_config config;
    struct written w;
    struct readout_news news;
    int control, packets;
    uint64_t *words;
};

static void pump(struct peer *p) {
    char alert[WIRE_ALERT_MAX + 1], byte;
    bool got;
    for (int i = 0; i < 100; i++) {
        if (p->t.packets >= 0 && recv(p->t.packets, &byte, 1, MSG_PEEK | MSG_DONTWAIT) >= 0)
            tracee_packet(&p->t, &p->config, alert);
        if (p->t.control >= 0 && recv(p->t.control, &byte, 1, MSG_PEEK | MSG_DONTWAIT) >= 0)
            tracee_control(&p->t, &p->config, true);
        tracee_take(&p->t, &p->w.output, &p->news, &got);
    }
}

static void send_register(int fd, uint32_t version, uint32_t name) {
    struct {
        struct wire_control head;
        struct wire_register body;
        char name[200];
    } m = {{WIRE_REGISTER, 0, (uint32_t)(sizeof m.body + name)}, {version, 0, 7}, "peer"};
    ck_assert_int_gt(send(fd, &m, sizeof m.head + sizeof m.body + name, 0), 0);
}

/* Connects, registers, and takes what INITIALIZE brings. */
static void join(struct peer *p, enum wire_mode mode, uint64_t size) {
    int pair[2], fds[2];
    char bytes[9000], ancillary[CMSG_SPACE(2 * sizeof(int))];
    *p = (struct peer){.config = {mode, size, NULL, 0, &ticks}, .packets = -1};
    ck_assert_int_eq(socketpair(AF_UNIX, SOCK_SEQPACKET | SOCK_NONBLOCK, 0, pair), 0);
    p->control = pair[1];
    written_begin(&p->w, UINT64_MAX);
    ck_assert(tracee_accept(&p->t, pair[0], 2));
    send_register(p->control, 1, 4);
    tracee_control(&p->t, &p->config, true);
    ck_assert_int_eq(p->t.state, TRACEE_STARTING);
    ck_assert_str_eq(p->t.name, "peer");
    for (int type = 0; type != WIRE_START;) {
        struct iovec io = {bytes, sizeof bytes};
        struct msghdr msg = {.msg_iov = &io,
                             .msg_iovlen = 1,
                             .msg_control = ancillary,
                             .msg_controllen = sizeof ancillary};
        ck_assert_int_gt(recvmsg(p->control, &msg, 0), 0);
        type = ((struct wire_control *)(void *)bytes)->type;
        if (type == WIRE_INITIALIZE) {
            memcpy(fds, CMSG_DATA(CMSG_FIRSTHDR(&msg)), sizeof fds);
            p->packets = fds[1];
            p->words = mmap(NULL, size, PROT_READ | PROT_WRITE, MAP_SHARED, fds[0], 0);
            ck_assert(p->words != MAP_FAILED);
            ck_assert_int_ne(ftruncate(fds[0], 0), 0); /* its size is sealed */
            close(fds[0]);
        }
    }
}

static void leave(struct peer *p) {
    tracee_terminate(&p->t);
    pump(p);
    ck_assert_int_eq(p->t.state, TRACEE_GONE);
    tracee_free(&p->t);
    ck_assert(output_close(&p->w.output, NULL));
    written_read(&p->w);
}

static void forget(struct peer *p, uint64_t size) {
    munmap(p->words, size);
    close(p->control);
    if (p->packets >= 0)
        close(p->packets);
    readout_news_free(&p->news);
    written_end(&p->w);
}

static void packet(struct peer *p, uint16_t request, uint16_t data16, uint32_t data32,
                   uint64_t data64) {
    const struct wire_packet m = {request, data16, data32, data64};
    ck_assert_int_eq(send(p->packets, &m, sizeof m, MSG_NOSIGNAL), sizeof m);
    pump(p);
}

static void put_header(struct peer *p, enum wire_mode mode, uint64_t size) {
    uint64_t durable = 4096, rolling = (size - WIRE_HEADER - durable) / 2;
    *(struct wire_header *)(void *)p->words = (struct wire_header){.magic = WIRE_MAGIC,
                                                                   .mode = (uint8_t)mode,
                                                                   .total = size,
                                                                   .durable_size = durable,
                                                                   .rolling_size = rolling};
    p->words[16] = 1 | 2 << 4;
    p->words[17] = 1000;
}

/* Fills a half with at most so many events of 4 words, from a time on; returns their number. */
static unsigned fill(struct peer *p, unsigned half, unsigned most, uint64_t time) {
    struct wire_header *h = (struct wire_header *)(void *)p->words;
    uint64_t *to = p->words + (WIRE_HEADER + h->durable_size + half * h->rolling_size) / 8;
    unsigned n = (unsigned)(h->rolling_size / 32);
    n = n < most ? n : most;
    for (unsigned i = 0; i < n; i++)
        memcpy(to + 4 * i, (uint64_t[]){4 | 4 << 4, time + i, 0, 0}, 32);
    h->rolling_end[half] = n * 32;
    return n;
}

START_TEST(messages_that_are_not_in_the_protocol_abort_it) {
    for (int which = 0; which < 8; which++) {
        struct peer p;
        join(&p, WIRE_STREAMING, 65536);
        put_header(&p, WIRE_STREAMING, 65536);
        if (which == 0)
            packet(&p, WIRE_STARTED, 0, 2, 0); /* another version */
        if (which == 1)
            packet(&p, WIRE_STARTED, 1, 1, 0);
        if (which == 2)
            packet(&p, WIRE_STARTED, 0, 1, 1);
        if (which == 3)
            packet(&p, 0x77, 0, 0, 0);
        if (which == 4)
            packet(&p, WIRE_STOPPED, 0, 1, 0);
        if (which == 5) {
            p.words[0] = 0;
            packet(&p, WIRE_STARTED, 0, 1, 0);
        }
        if (which == 6) { /* short */
            ck_assert_int_eq(send(p.packets, "short", 5, 0), 5);
            pump(&p);
        }
        if (which == 7) {
            send_register(p.control, 1, 4); /* again */
            pump(&p);
        }
        ck_assert_msg(p.t.fault[0] != '\0', "%d", which);
        leave(&p);
        ck_assert_uint_eq(written_count(&p.w, 4, -1), 0);
        forget(&p, 65536);
    }
}
END_TEST

START_TEST(what_upstream_ignores_is_ignored) {
    struct peer p;
    join(&p, WIRE_CIRCULAR, 65536);
    put_header(&p, WIRE_CIRCULAR, 65536);
    packet(&p, WIRE_SAVE_BUFFER, 0, 0, 16); /* before STARTED */
    packet(&p, WIRE_STARTED, 0, 1, 0);
    packet(&p, WIRE_STARTED, 0, 1, 0);
    packet(&p, WIRE_SAVE_BUFFER, 0, 0, 16); /* in another mode */
    ck_assert_str_eq(p.t.fault, "");
    ck_assert_int_eq(p.t.state, TRACEE_STARTED);
    leave(&p);
    forget(&p, 65536);
}
END_TEST

/* More than a step takes: STOPPED and the end come while the half is being saved. */
START_TEST(a_half_that_is_being_saved_is_whole_before_the_rest) {
    const uint64_t size = UINT64_C(10) << 20;
    for (int ends = 0; ends < 2; ends++) {
        struct peer p;
        bool got;
        char alert[WIRE_ALERT_MAX + 1];
        join(&p, WIRE_STREAMING, size);
        put_header(&p, WIRE_STREAMING, size);
        packet(&p, WIRE_STARTED, 0, 1, 0);
        unsigned n = fill(&p, 0, UINT_MAX, 1000);
        n += fill(&p, 1, 3, UINT64_C(1) << 40);
        p.words[1] |= UINT64_C(1) << 32; /* wrapped once */
        const struct wire_packet save = {WIRE_SAVE_BUFFER, 0, 0, 16};
        ck_assert_int_eq(send(p.packets, &save, sizeof save, 0), sizeof save);
        tracee_packet(&p.t, &p.config, alert);
        ck_assert(tracee_take(&p.t, &p.w.output, &p.news, &got)); /* a part of it */
        if (ends) {
            close(p.packets);
            p.packets = -1;
            pump(&p);
        } else {
            p.words[5] = 16;
            packet(&p, WIRE_STOPPED, 0, 0, 0);
        }
        leave(&p);
        ck_assert_uint_eq(written_count(&p.w, 4, -1), n);
        forget(&p, size);
    }
}
END_TEST

START_TEST(a_provider_without_chunks_is_read_once) {
    struct peer p;
    join(&p, WIRE_STREAMING, 65536);
    put_header(&p, WIRE_STREAMING, 65536);
    packet(&p, WIRE_STARTED, 0, 1, 0);
    unsigned n = fill(&p, 0, UINT_MAX, 1000);
    p.words[5] = 16;
    packet(&p, WIRE_STOPPED, 0, 0, 0);
    close(p.packets);
    p.packets = -1;
    pump(&p);
    leave(&p);
    ck_assert_uint_eq(written_count(&p.w, 4, -1), n);
    ck_assert(!p.t.died);
    forget(&p, 65536);
}
END_TEST

/* In place of the provider: a process that was killed, which the caller waits for. */
static pid_t be_killed(struct tracee *t) {
    siginfo_t info;
    pid_t child = fork();
    if (child == 0)
        for (;;)
            pause();
    kill(child, SIGKILL);
    ck_assert_int_eq(waitid(P_PID, (id_t)child, &info, WEXITED | WNOWAIT), 0);
    close(t->watch);
    t->pid = child;
    t->watch = death_watch(child);
    return child;
}

/* The end of the durable data may be written at any time before that. */
START_TEST(one_that_closes_after_a_stop_has_stopped_unless_it_was_killed) {
    enum { DIES, STOPS, IS_KILLED };
    for (int how = DIES; how <= IS_KILLED; how++) {
        struct peer p;
        pid_t killed = 0;
        join(&p, WIRE_STREAMING, 65536);
        put_header(&p, WIRE_STREAMING, 65536);
        packet(&p, WIRE_STARTED, 0, 1, 0);
        unsigned n = fill(&p, 0, 5, 1000);
        p.words[18] = 2 | 2 << 4 | 1 << 16 | UINT64_C(8) << 32;
        p.words[19] = 0x6161616161616161;
        tracee_stop(&p.t, UINT64_MAX);
        if (how == IS_KILLED)
            killed = be_killed(&p.t);
        p.words[5] = (uint64_t[]){0, 32, 16}[how];
        close(p.packets);
        p.packets = -1;
        pump(&p);
        ck_assert_int_eq(p.t.died, how != STOPS);
        ck_assert_int_eq(p.t.signal, how == IS_KILLED ? SIGKILL : 0);
        leave(&p);
        ck_assert_uint_eq(written_count(&p.w, 4, -1), n);
        ck_assert_uint_eq(written_count(&p.w, 2, -1), 1);
        forget(&p, 65536);
        if (killed > 0)
            waitpid(killed, NULL, 0);
    }
}
END_TEST

/* A count near 2^64 would be shown, and overflow the sum over all providers. */
START_TEST(a_count_of_dropped_records_that_cannot_be_is_not_believed) {
    static const uint64_t counts[] = {1, 5, UINT64_MAX, UINT64_MAX - 7, UINT64_C(1) << 63};
    for (size_t i = 0; i < sizeof counts / sizeof *counts; i++) {
        struct peer p;
        join(&p, WIRE_STREAMING, 65536);
        put_header(&p, WIRE_STREAMING, 65536);
        packet(&p, WIRE_STARTED, 0, 1, 0);
        p.words[5] = 16;
        p.words[8] = counts[i];
        packet(&p, WIRE_STOPPED, 0, 0, 0);
        ck_assert_uint_eq(p.t.dropped, counts[i] > 5 ? 1 : counts[i]);
        ck_assert_int_eq(p.t.false_count, counts[i] > 5);
        leave(&p);
        ck_assert_uint_eq(written_count(&p.w, 0, 3), 1); /* an event of a loss, once */
        forget(&p, 65536);
    }
}
END_TEST

/* The place of the only loss in the file among the events: how many are before it. */
static unsigned events_before_loss(struct peer *p) {
    unsigned n = 0;
    ck_assert_uint_eq(written_count(&p->w, 0, 3), 1);
    for (size_t at = 0; (p->w.v[at] & 0xfffff) != (1 << 4 | 3 << 16);
         at += written_size(p->w.v[at]))
        n += (p->w.v[at] & 15) == 4;
    return n;
}

enum malformed { SIZE_0, TYPE_0, TOO_LONG, LARGE, KINDS };

/* The rest of a half after a malformed record is lost: the place is counted, and the file has a
 * loss after the records before it. In a half without an end, 0 is the end if nothing follows. */
START_TEST(a_malformed_record_is_a_loss_where_it_is) {
    static const uint64_t words[KINDS] = {4, 0, 4 | 0xfffu << 4,
                                          UINT64_C(15) | UINT64_C(0xffffffff) << 4};
    for (int set = 0; set < KINDS * 3 * 2; set++) {
        enum wire_mode mode = (enum wire_mode)(set % 3);
        const uint64_t size = 32768; /* a half has less than the longest small record */
        bool dies = set / 3 % 2;
        struct peer p;
        join(&p, mode, size);
        put_header(&p, mode, size);
        struct wire_header *h = (struct wire_header *)(void *)p.words;
        if (mode == WIRE_ONESHOT) {
            h->durable_size = 0;
            h->rolling_size = size - WIRE_HEADER;
        }
        packet(&p, WIRE_STARTED, 0, 1, 0);
        fill(&p, 0, 100, 1000);
        p.words[(WIRE_HEADER + h->durable_size) / 8 + 4 * 40] = words[set / 6];
        h->rolling_end[0] = dies ? 0 : h->rolling_end[0];
        h->durable_end = dies || mode == WIRE_ONESHOT ? 0 : 16;
        if (!dies)
            packet(&p, WIRE_STOPPED, 0, 0, 0);
        close(p.packets);
        p.packets = -1;
        pump(&p);
        MUST(p.t.readout.faults == 1, set, (int)p.t.readout.faults);
        leave(&p);
        MUST(events_before_loss(&p) == 40, set);
        MUST(written_count(&p.w, 4, -1) == 40, set);
        forget(&p, size);
    }
}
END_TEST

START_TEST(a_half_that_has_not_changed_is_saved_once) {
    struct peer p;
    join(&p, WIRE_STREAMING, 65536);
    put_header(&p, WIRE_STREAMING, 65536);
    packet(&p, WIRE_STARTED, 0, 1, 0);
    unsigned n = fill(&p, 0, UINT_MAX, 1000);
    n += fill(&p, 1, UINT_MAX, 9000);
    packet(&p, WIRE_SAVE_BUFFER, 0, 0, 16);
    packet(&p, WIRE_SAVE_BUFFER, 0, 1, 16);
    n += fill(&p, 0, UINT_MAX, 20000);
    packet(&p, WIRE_SAVE_BUFFER, 0, 2, 16);
    ck_assert_str_eq(p.t.fault, "");
    packet(&p, WIRE_SAVE_BUFFER, 0, 3, 16);
    ck_assert_str_eq(p.t.fault, "half 3 announced that has not changed");
    leave(&p);
    ck_assert_uint_eq(written_count(&p.w, 4, -1), n);
    forget(&p, 65536);
}
END_TEST

/* More than 1 GB at once: the next half waits, and tracee_due() gives the time. */
START_TEST(a_provider_gets_at_most_a_gigabyte_a_second) {
    struct peer p;
    join(&p, WIRE_STREAMING, 65536);
    put_header(&p, WIRE_STREAMING, 65536);
    packet(&p, WIRE_STARTED, 0, 1, 0);
    fill(&p, 0, UINT_MAX, 1000);
    uint64_t now = ticks_monotonic();
    p.t.taken_until = now + UINT64_C(60000000000);
    packet(&p, WIRE_SAVE_BUFFER, 0, 0, 16);
    ck_assert_int_eq(p.t.taking, TAKES_SAVE);
    uint64_t due = tracee_due(&p.t, UINT64_MAX);
    ck_assert(due >= now + UINT64_C(59000000000) && due < now + UINT64_C(60000000000));
    p.t.save_at = now;
    pump(&p);
    ck_assert_int_eq(p.t.taking, TAKES_NOTHING);
    ck_assert(p.t.taken_until > now + UINT64_C(60000000000));
    leave(&p);
    forget(&p, 65536);
}
END_TEST

START_TEST(one_that_does_not_register_has_a_deadline) {
    int pair[2];
    struct tracee t;
    ck_assert_int_eq(socketpair(AF_UNIX, SOCK_SEQPACKET | SOCK_NONBLOCK, 0, pair), 0);
    ck_assert(tracee_accept(&t, pair[0], 2));
    ck_assert(tracee_due(&t, UINT64_MAX) <= ticks_monotonic() + UINT64_C(5000000000));
    tracee_terminate(&t);
    ck_assert_int_eq(t.state, TRACEE_TERMINATED);
    tracee_free(&t);
    close(pair[1]);
}
END_TEST

START_TEST(one_that_does_not_begin_has_nothing_in_the_trace) {
    for (int begins = 0; begins < 2; begins++) {
        struct peer p;
        join(&p, WIRE_STREAMING, 65536);
        put_header(&p, WIRE_STREAMING, 65536);
        if (begins)
            packet(&p, WIRE_STARTED, 0, 1, 0);
        ck_assert_int_eq(p.t.state, begins ? TRACEE_STARTED : TRACEE_STARTING);
        tracee_terminate(&p.t);
        ck_assert(p.t.missed == !begins && p.t.late == !begins);
        leave(&p);
        forget(&p, 65536);
    }
}
END_TEST

START_TEST(an_alert_gives_its_name) {
    struct peer p;
    char alert[WIRE_ALERT_MAX + 1];
    struct wire_packet m = {.request = WIRE_ALERT};
    join(&p, WIRE_ONESHOT, 65536);
    memcpy((char *)&m + 2, "fourteen bytes", 14);
    ck_assert_int_eq(send(p.packets, &m, sizeof m, 0), sizeof m);
    tracee_packet(&p.t, &p.config, alert);
    ck_assert_str_eq(alert, "fourteen bytes");
    leave(&p);
    forget(&p, 65536);
}
END_TEST

SUITE(tracee) {
    Suite *s = suite_create("tracee");
    TCase *c = tcase_create("tracee");
    tcase_set_timeout(c, 30);
    tcase_add_test(c, messages_that_are_not_in_the_protocol_abort_it);
    tcase_add_test(c, what_upstream_ignores_is_ignored);
    tcase_add_test(c, a_half_that_is_being_saved_is_whole_before_the_rest);
    tcase_add_test(c, a_provider_without_chunks_is_read_once);
    tcase_add_test(c, one_that_closes_after_a_stop_has_stopped_unless_it_was_killed);
    tcase_add_test(c, a_count_of_dropped_records_that_cannot_be_is_not_believed);
    tcase_add_test(c, a_malformed_record_is_a_loss_where_it_is);
    tcase_add_test(c, a_half_that_has_not_changed_is_saved_once);
    tcase_add_test(c, a_provider_gets_at_most_a_gigabyte_a_second);
    tcase_add_test(c, one_that_does_not_register_has_a_deadline);
    tcase_add_test(c, one_that_does_not_begin_has_nothing_in_the_trace);
    tcase_add_test(c, an_alert_gives_its_name);
    suite_add_tcase(s, c);
    return s;
}
