/* write.c - the write path: chunks that belong to one thread each, and the commit of a record by
 * its first word.
 *
 * A thread writes into its chunk alone. It marks itself busy, compares its chunk's wrap with the
 * newest one, stores the record, and commits it by storing the header word last. So a reader finds
 * whole records at any time.
 *
 * When no chunk fits into the current half, the thread that needs one begins the next wrap, if the
 * other half is free. The helper then publishes a barrier and waits for threads that are busy with
 * the older wrap. In circular mode a thread that needs the half does so itself. The store of `busy`
 * before the load of `wrap` pairs with the helper's store of `wrap` before its load of `busy`: one
 * of the two sees the other. membarrier() lets the helper pay for the fence; without it each writer
 * does. */
#include "provider/write.h"

#include <errno.h>
#include <linux/membarrier.h>
#include <pthread.h>
#include <sched.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

#include "provider/clock.h"
#include "provider/names.h"
#include "provider/rings.h"
#include "provider/session.h"

#define SLAB 32            /* nodes made at once */
#define AHEAD (256u << 10) /* bytes of pages made at once */
#define RING_CHUNKS 64     /* a thread asks for more pages each time so many chunks are given out */
#define PATIENCE 500       /* times that a thread lets others run, to get a half */
#define SELDOM 256         /* after that, each so many dropped records let others run, too */
#define YIELDS 20          /* of a thread, before it sleeps */

#if defined(__SANITIZE_THREAD__)
#define ALWAYS_FENCES true
#elif defined(__has_feature)
#if __has_feature(thread_sanitizer)
#define ALWAYS_FENCES true
#endif
#endif
#ifndef ALWAYS_FENCES
#define ALWAYS_FENCES false
#endif

struct write_buffer write_buffer;
uint32_t fxttrace_generation;
extern uint32_t write_generation __attribute__((alias("fxttrace_generation")));

static struct write_node *nodes; /* all of them */
static uint32_t left;            /* of them that are WRITE_LEFT */
static pthread_key_t exit_key;
static bool has_key;
static __thread struct write_node *self __attribute__((tls_model("initial-exec")));
static __thread bool joining __attribute__((tls_model("initial-exec")));

/* A word that is 1 in this process and 0 in its children, as their nodes are; NULL: the kernel
 * cannot do that, before Linux 4.14. */
static uint32_t *original;

#ifndef MADV_WIPEONFORK
#define MADV_WIPEONFORK 18
#endif

/* ---- threads ---- */

bool write_is_copy(void) {
    return original && __atomic_load_n(original, __ATOMIC_RELAXED) == 0 &&
           __atomic_load_n(&fxttrace_generation, __ATOMIC_SEQ_CST) != WRITE_FORKED;
}

static void be_original(void) {
    size_t page = (size_t)sysconf(_SC_PAGESIZE);
    if (original == NULL) {
        /* cppcheck-suppress invalidFunctionArg; -1 is the descriptor of anonymous memory */
        void *p = mmap(NULL, page, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
        if (p == MAP_FAILED)
            return;
        if (madvise(p, page, MADV_WIPEONFORK) != 0) {
            munmap(p, page);
            return;
        }
        original = p;
    }
    __atomic_store_n(original, 1, __ATOMIC_RELAXED);
}

static struct write_node *unused_node(void) {
    for (struct write_node *n = __atomic_load_n(&nodes, __ATOMIC_ACQUIRE); n; n = n->next) {
        uint32_t no = WRITE_FREE;
        if (__atomic_load_n(&n->used, __ATOMIC_RELAXED) == WRITE_FREE &&
            __atomic_compare_exchange_n(&n->used, &no, WRITE_USED, false, __ATOMIC_ACQUIRE,
                                        __ATOMIC_RELAXED))
            return n;
    }
    struct write_node *slab;
    size_t bytes = SLAB * sizeof *slab;
    /* cppcheck-suppress invalidFunctionArg; -1 is the descriptor of anonymous memory */
    slab = mmap(NULL, bytes, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    if (slab == MAP_FAILED)
        return NULL;
    /* a child has threads of its own, and fork() costs less */
    if (original == NULL || madvise(slab, bytes, MADV_WIPEONFORK) != 0)
        madvise(slab, bytes, MADV_DONTFORK);
    slab[0].used = WRITE_USED;
    for (int i = 0; i < SLAB - 1; i++)
        slab[i].next = &slab[i + 1];
    struct write_node *head = __atomic_load_n(&nodes, __ATOMIC_RELAXED);
    do
        slab[SLAB - 1].next = head;
    while (!__atomic_compare_exchange_n(&nodes, &head, slab, false, __ATOMIC_RELEASE,
                                        __ATOMIC_RELAXED));
    return &slab[0];
}

/* The first event of a thread. A signal handler that interrupts it gets no node. */
static struct write_node *join(void) {
    if (joining || session_is_copy())
        return NULL;
    joining = true;
    __atomic_signal_fence(__ATOMIC_SEQ_CST);
    struct write_node *n = unused_node();
    if (n) {
        n->tid = (uint64_t)syscall(SYS_gettid);
        n->ready = n->epoch = 0;
        n->owed = n->raw_depth = 0;
        if (has_key)
            pthread_setspecific(exit_key, n);
        self = n;
    }
    __atomic_signal_fence(__ATOMIC_SEQ_CST);
    joining = false;
    return n;
}

void write_dropped(void) {
    if (write_buffer.header)
        __atomic_fetch_add(&write_buffer.header->dropped, 1, __ATOMIC_RELAXED);
}

static uint64_t missed;

/* Without a session, too: a signal handler may come while the first event after fork() connects. */
void write_missed(void) {
    uint32_t now = __atomic_load_n(&fxttrace_generation, __ATOMIC_RELAXED);
    if (now == WRITE_LATE || now == WRITE_FORKED)
        __atomic_fetch_add(&missed, 1, __ATOMIC_RELAXED);
}

void write_count_missed(bool dropped) {
    uint64_t n = __atomic_exchange_n(&missed, 0, __ATOMIC_RELAXED);
    if (dropped)
        __atomic_fetch_add(&write_buffer.header->dropped, n, __ATOMIC_RELAXED);
}

static void prepare(struct write_node *n, uint32_t generation) {
    if (n->generation != generation) {
        n->slot[0].open = n->slot[1].open = false;
        n->owed = n->raw_depth = 0;
        __atomic_store_n(&n->wrap, 0, __ATOMIC_RELAXED);
        __atomic_store_n(&n->generation, generation, __ATOMIC_RELEASE);
    }
    if (n->epoch != write_buffer.epoch) {
        n->thread = names_thread(n->tid);
        n->epoch = write_buffer.epoch;
    }
    n->ready = generation;
}

struct write_node *write_enter(uint32_t *generation) {
    struct write_node *n = self;
    if (n == NULL && (n = join()) == NULL)
        return NULL;
    bool interrupts = __atomic_load_n(&n->busy, __ATOMIC_RELAXED); /* an event of this thread */
    __atomic_store_n(&n->busy, 1, __ATOMIC_RELAXED);
    if (write_buffer.fences || ALWAYS_FENCES)
        __atomic_thread_fence(__ATOMIC_SEQ_CST);
    __atomic_signal_fence(__ATOMIC_SEQ_CST);
    uint32_t now = __atomic_load_n(&fxttrace_generation, __ATOMIC_SEQ_CST);
    if (interrupts) {
        if ((int32_t)now > (int32_t)WRITE_FORKED) /* else the buffer may be unmapped by now */
            write_dropped();
        return NULL;
    }
    if ((int32_t)now <= (int32_t)WRITE_FORKED) {
        write_leave(n);
        return NULL;
    }
    if (n->ready != now) {
        if (session_is_copy())
            return NULL;
        prepare(n, now);
    }
    *generation = now;
    return n;
}

/* ---- chunks ---- */

/* Fills the rest of a chunk, so that a half is one run of records. */
static void fill_up(struct write_slot *s) {
    if (s->open && s->pos < s->end)
        __atomic_store_n(s->pos, wire_filler((size_t)(s->end - s->pos)), __ATOMIC_RELEASE);
    s->open = false;
}

/* Raises the wrap that threads know of. */
static void publish(uint32_t wrap) {
    uint32_t known = __atomic_load_n(&write_buffer.wrap, __ATOMIC_RELAXED);
    if (known >= wrap)
        return;
    while (known < wrap && !__atomic_compare_exchange_n(&write_buffer.wrap, &known, wrap, false,
                                                        __ATOMIC_SEQ_CST, __ATOMIC_RELAXED))
        ;
    rings_ring();
}

/* Lets other threads run. */
static void give_way(bool soon) {
    if (soon)
        sched_yield();
    else
        nanosleep(&(struct timespec){0, 100000}, NULL);
}

/* A writer makes the half free that the wrap after `now` begins in: in circular mode no manager has
 * to save it. The helper would come too late on a busy machine, and the newest events would be
 * lost. False: some writer stays inside. */
static bool free_for(struct write_node *node, uint32_t now) {
    struct write_buffer *b = &write_buffer;
    int saved = errno;
    /* this thread is inside as well, but does not go back to an older wrap */
    if (node->wrap < now)
        __atomic_store_n(&node->wrap, now, __ATOMIC_RELEASE);
    publish(now);
    /* one that has lost its processor inside gets it sooner if the others sleep */
    for (int tries = 0;
         !write_free_half() && __atomic_load_n(&b->free_wrap, __ATOMIC_ACQUIRE) <= now; tries++) {
        bool stays = tries >= PATIENCE || __atomic_load_n(&b->waits, __ATOMIC_RELAXED) > 0;
        if (stays && __atomic_add_fetch(&b->waits, 1, __ATOMIC_RELAXED) % SELDOM != 0)
            break;
        give_way(tries < YIELDS && !stays);
    }
    errno = saved;
    return __atomic_load_n(&b->free_wrap, __ATOMIC_ACQUIRE) > now;
}

/* Claims `bytes` of the current half, or of the next wrap if that may begin. False: there is no
 * space. node: the writer's; NULL in oneshot mode. */
static bool claim(struct write_node *node, uint64_t bytes, uint32_t *wrap, uint64_t *at) {
    struct write_buffer *b = &write_buffer;
    uint64_t state = __atomic_load_n(&b->header->state, __ATOMIC_ACQUIRE);
    for (;;) {
        uint32_t now = (uint32_t)(state >> 32);
        uint64_t given = state & 0xffffffff;
        if (given + bytes <= b->given_max) {
            if (!__atomic_compare_exchange_n(&b->header->state, &state, state + bytes, true,
                                             __ATOMIC_ACQ_REL, __ATOMIC_ACQUIRE))
                continue;
            *wrap = now;
            *at = given;
        } else {
            bool is_free =
                b->mode != WIRE_ONESHOT && now < __atomic_load_n(&b->free_wrap, __ATOMIC_ACQUIRE);
            bool frees = b->mode == WIRE_CIRCULAR && node;
            if (!is_free && (!frees || !free_for(node, now)))
                return false;
            if (!__atomic_compare_exchange_n(&b->header->state, &state,
                                             (uint64_t)(now + 1) << 32 | bytes, true,
                                             __ATOMIC_ACQ_REL, __ATOMIC_ACQUIRE))
                continue;
            __atomic_store_n(&b->header->rolling_end[now & 1], given, __ATOMIC_RELEASE);
            *wrap = now + 1;
            *at = 0;
        }
        uint64_t before = *at / b->chunk_size / RING_CHUNKS,
                 after = (*at + bytes) / b->chunk_size / RING_CHUNKS;
        if (*wrap < 2 && before != after)
            rings_ring();
        publish(*wrap);
        return true;
    }
}

/* Begins a chunk for a record of n words. node: as for claim(). */
static bool new_chunk(struct write_node *node, struct write_slot *slot, size_t n, uint64_t flag,
                      uint32_t *wrap_of) {
    struct write_buffer *b = &write_buffer;
    uint64_t cells = b->given_max / b->chunk_size,
             span = ((n + 1) * 8 + b->chunk_size - 1) / b->chunk_size, at;
    uint64_t most = cells / 4 > 1 ? cells / 4 : 1;
    uint32_t wrap;
    if (span > most || span > WIRE_SPAN_MAX || !claim(node, span * b->chunk_size, &wrap, &at))
        return false;
    unsigned half = b->mode == WIRE_ONESHOT ? 0 : wrap & 1;
    uint64_t *chunk = b->half[half] + at / 8;
    for (uint64_t cell = 1; cell < span; cell++) /* marks of earlier wraps */
        __atomic_store_n(&chunk[cell * b->chunk_size / 8], 0, __ATOMIC_RELAXED);
    __atomic_store_n(&chunk[1], 0, __ATOMIC_RELAXED);
    __atomic_store_n(&chunk[0], wire_mark(wrap, (unsigned)span, flag), __ATOMIC_RELEASE);
    /* a snapshot that meets new records meets no old mark */
    __atomic_thread_fence(__ATOMIC_RELEASE);
    *slot = (struct write_slot){chunk + 1, chunk + span * b->chunk_size / 8, wrap, true};
    *wrap_of = wrap;
    return true;
}

/* Another chunk, into the slot of its wrap. */
static struct write_slot *next_chunk(struct write_node *node, size_t n) {
    struct write_slot *old = &node->slot[node->wrap & 1], fresh;
    uint32_t wrap;
    if (old->wrap == node->wrap)
        fill_up(old);
    if (!new_chunk(node, &fresh, n, 0, &wrap))
        return NULL;
    node->slot[wrap & 1] = fresh;
    __atomic_store_n(&node->wrap, wrap, __ATOMIC_RELEASE);
    return &node->slot[wrap & 1];
}

uint64_t *write_reserve_chunk(struct write_node *node, size_t n) {
    struct write_slot *s = next_chunk(node, n);
    if (s == NULL && !node->pays)
        write_dropped();
    return s ? s->pos : NULL;
}

/* ---- registrations ---- */

static struct write_slot registrar; /* oneshot: the chunk of registrations */

bool write_durable(const uint64_t *record, size_t n) {
    struct write_buffer *b = &write_buffer;
    if (b->mode == WIRE_ONESHOT) {
        uint32_t wrap;
        if (!registrar.open || n > (size_t)(registrar.end - registrar.pos)) {
            fill_up(&registrar);
            if (!new_chunk(NULL, &registrar, n, WIRE_MARK_DURABLE, &wrap))
                return false;
        }
        memcpy(registrar.pos + 1, record + 1, (n - 1) * sizeof *record);
        if (registrar.pos + n < registrar.end)
            __atomic_store_n(&registrar.pos[n], 0, __ATOMIC_RELAXED);
        __atomic_store_n(registrar.pos, record[0], __ATOMIC_RELEASE);
        registrar.pos += n;
        return true;
    }
    uint64_t end = __atomic_load_n(&b->header->durable_end, __ATOMIC_RELAXED);
    if (end > b->durable_size || n * 8 > b->durable_size - end)
        return false;
    memcpy(b->durable + end / 8, record, n * sizeof *record);
    __atomic_store_n(&b->header->durable_end, end + n * 8, __ATOMIC_RELEASE);
    return true;
}

/* ---- for the helper ---- */

void write_layout(void *bytes, uint64_t size, enum wire_mode mode) {
    struct write_buffer *b = &write_buffer;
    uint64_t data = size - WIRE_HEADER, durable = 0, rolling = data;
    if (mode != WIRE_ONESHOT) {
        durable = data / 16 / 8 * 8;
        durable = durable < 1u << 20 ? durable : 1u << 20;
        durable += (data - durable) % 16;
        rolling = (data - durable) / 2;
    }
    b->words = bytes;
    b->header = bytes;
    b->mode = mode;
    b->size = size;
    b->durable_size = durable;
    b->durable = b->words + WIRE_HEADER / 8;
    b->half[0] = b->durable + durable / 8;
    b->half[1] = b->half[0] + (mode == WIRE_ONESHOT ? 0 : rolling / 8);
    b->chunk_size = wire_chunk_size(rolling);
    b->given_max = rolling / b->chunk_size * b->chunk_size;
    b->populated[0] = b->populated[1] = 0;
    *b->header = (struct wire_header){.magic = WIRE_MAGIC,
                                      .mode = (uint8_t)mode,
                                      .total = size,
                                      .durable_size = durable,
                                      .rolling_size = rolling,
                                      .signature = WIRE_SIGNATURE,
                                      .chunk_size = b->chunk_size};
}

void write_start(unsigned disposition) {
    struct write_buffer *b = &write_buffer;
    b->populated[0] = disposition == WIRE_CLEAR_ALL ? 0 : b->populated[0];
    registrar.open = registrar.open && disposition == WIRE_RETAIN;
    if (disposition == WIRE_RETAIN && b->epoch > 0)
        return;
    /* Marks of an earlier start would be taken for new ones. Only what was given out has some. */
    uint64_t state = b->header->state, given = state >> 32 > 0 ? b->given_max : state & 0xffffffff;
    for (int half = 0; half < (b->mode == WIRE_ONESHOT ? 1 : 2); half++)
        for (uint64_t at = 0; at < given && at < b->given_max; at += b->chunk_size)
            b->half[half][at / 8] = 0;
    b->header->state = 0;
    b->header->saved = 0;
    b->header->wrapped = 0;
    b->header->rolling_end[0] = b->header->rolling_end[1] = 0;
    b->header->dropped = 0;
    b->wrap = 0;
    b->free_wrap = 1;
    b->waits = 0;
    if (disposition == WIRE_CLEAR_ALL || b->epoch == 0 || b->mode == WIRE_ONESHOT) {
        b->header->durable_end = 0;
        b->epoch++;
        names_clear();
    }
}

void write_barrier(void) {
    if (write_buffer.fences || ALWAYS_FENCES)
        __atomic_thread_fence(__ATOMIC_SEQ_CST);
    else
        syscall(SYS_membarrier, MEMBARRIER_CMD_PRIVATE_EXPEDITED, 0, 0);
}

/* Whether the node's owner may still be writing to a wrap. */
static bool is_inside(const struct write_node *n, uint32_t wrap) {
    return __atomic_load_n(&n->busy, __ATOMIC_SEQ_CST) &&
           __atomic_load_n(&n->wrap, __ATOMIC_ACQUIRE) <= wrap;
}

bool write_quiesce(uint32_t wrap, int milliseconds) {
    uint64_t until = clock_monotonic() + (uint64_t)milliseconds * 1000000;
    write_barrier();
    struct write_node *first = __atomic_load_n(&nodes, __ATOMIC_ACQUIRE);
    for (struct write_node *n = first; n; n = n->next)
        for (int tries = 0; is_inside(n, wrap); tries++) {
            if (clock_monotonic() > until)
                return false;
            give_way(tries < 100);
        }
    /* Once all have left: one that was inside may have filled chunks itself, to free a half. */
    for (struct write_node *n = first; n; n = n->next) {
        if (__atomic_load_n(&n->generation, __ATOMIC_ACQUIRE) != write_buffer.generation)
            continue;
        /* The other slot may be in use by now, unless all is off. */
        for (unsigned i = 0; i < 2; i++)
            if (wrap == WRITE_ALL || (i == (wrap & 1) && n->slot[i].wrap == wrap))
                fill_up(&n->slot[i]);
    }
    return true;
}

bool write_free_half(void) {
    struct write_buffer *b = &write_buffer;
    if (__atomic_exchange_n(&b->freeing, true, __ATOMIC_ACQUIRE))
        return false;
    uint32_t wrap = __atomic_load_n(&b->free_wrap, __ATOMIC_RELAXED) - 1;
    bool full = __atomic_load_n(&b->wrap, __ATOMIC_SEQ_CST) > wrap,
         out = !full || write_quiesce(wrap, 0);
    if (full && out) {
        __atomic_store_n(&b->waits, 0, __ATOMIC_RELAXED);
        write_half_is_free(wrap);
    }
    __atomic_store_n(&b->freeing, false, __ATOMIC_RELEASE);
    return out;
}

void write_half_is_free(uint32_t wrap) {
    __atomic_store_n(&write_buffer.header->rolling_end[wrap & 1], 0, __ATOMIC_RELEASE);
    __atomic_store_n(&write_buffer.free_wrap, wrap + 2, __ATOMIC_RELEASE);
}

void write_populate(void) {
#ifdef MADV_POPULATE_WRITE
    struct write_buffer *b = &write_buffer;
    uint64_t state = __atomic_load_n(&b->header->state, __ATOMIC_RELAXED), page = 4096;
    uint32_t wrap = (uint32_t)(state >> 32);
    unsigned half = b->mode == WIRE_ONESHOT ? 0 : wrap & 1;
    if (wrap > 1)
        return;
    uint64_t want = (state & 0xffffffff) + AHEAD;
    want = want < b->given_max ? want : b->given_max;
    if (want <= b->populated[half])
        return;
    char *from = (char *)b->half[half] + b->populated[half], *to = (char *)b->half[half] + want;
    from -= (uintptr_t)from % page;
    to -= (uintptr_t)to % page;
    if (to > from)
        madvise(from, (size_t)(to - from), MADV_POPULATE_WRITE);
    b->populated[half] = want;
#endif
}

void write_stop(void) {
    struct write_buffer *b = &write_buffer;
    uint64_t state = __atomic_load_n(&b->header->state, __ATOMIC_ACQUIRE);
    uint32_t wrap = (uint32_t)(state >> 32);
    fill_up(&registrar);
    b->header->wrapped = b->mode == WIRE_ONESHOT ? 0 : wrap;
    __atomic_store_n(&b->header->rolling_end[b->mode == WIRE_ONESHOT ? 0 : wrap & 1],
                     state & 0xffffffff, __ATOMIC_RELEASE);
}

/* Only a chunk of the newest wrap is the owner's to fill. */
static void fill_last(struct write_node *n) {
    struct write_slot *s = &n->slot[n->wrap & 1];
    if (n->wrap >= __atomic_load_n(&write_buffer.wrap, __ATOMIC_SEQ_CST) && s->wrap == n->wrap)
        fill_up(s);
}

static void thread_ends(void *node) {
    struct write_node *n = node;
    uint32_t generation;
    bool paid = true;
    if (self != n) /* of the parent of this process */
        return;
    if (write_enter(&generation)) {
        paid = event_pay(n);
        fill_last(n);
        write_leave(n);
    }
    self = NULL;
    if (!paid)
        __atomic_fetch_add(&left, 1, __ATOMIC_RELAXED);
    __atomic_store_n(&n->used, paid ? WRITE_FREE : WRITE_LEFT, __ATOMIC_RELEASE);
    session_thread_ended();
}

bool write_has_threads(void) {
    struct write_node *n = __atomic_load_n(&nodes, __ATOMIC_ACQUIRE);
    while (n && __atomic_load_n(&n->used, __ATOMIC_ACQUIRE) != WRITE_USED)
        n = n->next;
    return n != NULL;
}

bool write_pay(bool all) {
    if (!all && __atomic_load_n(&left, __ATOMIC_RELAXED) == 0)
        return true;
    for (struct write_node *n = __atomic_load_n(&nodes, __ATOMIC_ACQUIRE); n; n = n->next) {
        bool exited = __atomic_load_n(&n->used, __ATOMIC_ACQUIRE) == WRITE_LEFT, paid = true;
        if (!exited && !all)
            continue;
        if (exited) { /* inside for its owner, as a writer may free a half meanwhile */
            __atomic_store_n(&n->busy, 1, __ATOMIC_RELAXED);
            __atomic_thread_fence(__ATOMIC_SEQ_CST);
        }
        if (__atomic_load_n(&n->generation, __ATOMIC_ACQUIRE) == write_buffer.generation &&
            n->owed > 0) {
            paid = event_pay(n);
            fill_last(n);
        }
        if (exited)
            write_leave(n);
        if (exited && (paid || all)) {
            __atomic_fetch_sub(&left, 1, __ATOMIC_RELAXED);
            __atomic_store_n(&n->used, WRITE_FREE, __ATOMIC_RELEASE);
        }
    }
    return __atomic_load_n(&left, __ATOMIC_RELAXED) == 0;
}

bool write_pay_own(void) {
    struct write_node *n = self;
    uint32_t generation;
    bool paid = true;
    if (n && n->owed > 0 && write_enter(&generation)) {
        paid = event_pay(n);
        write_leave(n);
    }
    return paid;
}

void write_init(void) {
    has_key = has_key || pthread_key_create(&exit_key, thread_ends) == 0;
#ifdef SYS_membarrier
    write_buffer.fences =
        syscall(SYS_membarrier, MEMBARRIER_CMD_REGISTER_PRIVATE_EXPEDITED, 0, 0) != 0;
#else
    write_buffer.fences = true;
#endif
    write_buffer.pid = (uint64_t)getpid();
    be_original();
}

void write_forked(void) {
    nodes = NULL; /* they are the parent's, as the tables of names */
    left = 0;
    missed = 0;
    self = NULL;
    joining = false;
    registrar.open = false;
    write_buffer = (struct write_buffer){0};
}

void write_exit(void) {
    if (has_key)
        pthread_key_delete(exit_key);
    has_key = false;
}
