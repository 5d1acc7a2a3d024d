/* mallocs.c - the bytes that a program has from malloc(), and how often it asked, as a counter: a
 * part of `fxtop record --waits`.
 *
 * Each thread adds up its own calls, and now and then adds them to those of the process. The
 * counter is written at most every 10 ms, and at the end. Bytes are those that a block has, which
 * may be more than were asked for.
 *
 * The allocator that the program would have is asked, whichever that is. While it is looked for, it
 * may be called for by the look itself, which then gets a few bytes from here. */
#include <dlfcn.h>
#include <errno.h>
#include <pthread.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "provider/lib/trace/event.h"
#include "provider/preload/since.h"

#ifdef __GLIBC__

#include <malloc.h>

#if defined __GNUC__ && !defined __clang__ && __GNUC__ >= 10
/* The analyzer takes the malloc() of this file for one that forgets what the next one gave. */
#pragma GCC diagnostic ignored "-Wanalyzer-malloc-leak"
#endif

#define CATEGORY "memory"
#define INTERVAL_NS 10000000
#define CALLS 64    /* of a thread, before they are added to those of all */
#define BYTES 65536 /* the same */
#define EARLY 4096  /* bytes while the allocator is looked for */
#define SHOWN __attribute__((visibility("default")))
#define LOCAL static __thread __attribute__((tls_model("initial-exec")))

/* ---- the allocator ---- */

static struct {
    void *(*malloc)(size_t);
    void *(*calloc)(size_t, size_t);
    void *(*realloc)(void *, size_t);
    void *(*memalign)(size_t, size_t);
    void *(*aligned_alloc)(size_t, size_t);
    int (*posix_memalign)(void **, size_t, size_t);
    void (*free)(void *);
    size_t (*size)(void *); /* of a block; NULL: another allocator's, and nothing is counted */
} next;

static bool found;
LOCAL bool finding;

static _Alignas(16) char early[EARLY];
static size_t early_used;

static bool is_early(const void *p) {
    return (const char *)p >= early && (const char *)p < early + EARLY;
}

/* Zeros, which are never given back. */
static void *take_early(size_t n) {
    size_t size = n <= EARLY ? (n + 15) & ~(size_t)15 : EARLY + 1;
    size_t at = __atomic_fetch_add(&early_used, size, __ATOMIC_RELAXED);
    return at <= EARLY && size <= EARLY - at ? early + at : NULL;
}

static void *look(const char *name) {
    return dlsym(RTLD_NEXT, name);
}

#define LOOK(name) next.name = (__typeof__(next.name))(uintptr_t)look(#name)

/* False: the look itself asks. Two threads find the same. */
static bool find(void) {
    Dl_info of_malloc, of_size;
    if (__atomic_load_n(&found, __ATOMIC_ACQUIRE))
        return true;
    if (finding)
        return false;
    finding = true;
    LOOK(malloc);
    LOOK(calloc);
    LOOK(realloc);
    LOOK(memalign);
    LOOK(aligned_alloc);
    LOOK(posix_memalign);
    LOOK(free);
    void *size = look("malloc_usable_size"), *malloc = look("malloc");
    bool same = size && malloc && dladdr(malloc, &of_malloc) && dladdr(size, &of_size) &&
                of_malloc.dli_fbase == of_size.dli_fbase;
    next.size = same ? (__typeof__(next.size))(uintptr_t)size : NULL;
    finding = false;
    __atomic_store_n(&found, true, __ATOMIC_RELEASE);
    return true;
}

/* ---- counts ---- */

struct own { /* of a thread, since they were added to those of all */
    int64_t bytes;
    uint32_t calls;
    bool known; /* the end of the thread is waited for */
    bool ended; /* each call is added at once */
    bool busy;
};

LOCAL struct own own;
static int64_t all_bytes;
static uint64_t all_calls;
static pthread_key_t key;
static bool has_key;
static struct since told; /* the last time that the counter was written */
static bool telling;

static void write_counter(void) {
    TRACE_COUNTER(CATEGORY, "malloc", 0, "bytes",
                  TA_INT64(__atomic_load_n(&all_bytes, __ATOMIC_RELAXED)), "calls",
                  TA_UINT64(__atomic_load_n(&all_calls, __ATOMIC_RELAXED)));
}

/* Writes the counter if it is time: of two threads one does. A child of fork() that has no other
 * events stays without. */
static void tell(bool last) {
    uint64_t begin;
    if (__atomic_exchange_n(&telling, true, __ATOMIC_ACQUIRE))
        return;
    struct since now = since_now();
    if (since_has_session(now.generation) && (last || told.generation != now.generation ||
                                              since_begin(told, INTERVAL_NS, CATEGORY, &begin))) {
        write_counter();
        told = now;
    }
    __atomic_store_n(&telling, false, __ATOMIC_RELEASE);
}

/* Keeps errno: it is the caller's. */
static void add(bool last) {
    int saved = errno;
    own.busy = true;
    __atomic_fetch_add(&all_bytes, own.bytes, __ATOMIC_RELAXED);
    __atomic_fetch_add(&all_calls, own.calls, __ATOMIC_RELAXED);
    own.bytes = 0;
    own.calls = 0;
    if (!own.known && has_key)
        pthread_setspecific(key, &own);
    own.known = true;
    tell(last);
    own.busy = false;
    errno = saved;
}

static inline void count(int64_t bytes, unsigned calls) {
    own.bytes += bytes;
    own.calls += calls;
    if (!own.busy && (own.calls >= CALLS || own.bytes >= BYTES || own.bytes <= -BYTES || own.ended))
        add(false);
}

static inline int64_t size_of(void *p) {
    return p && next.size ? (int64_t)next.size(p) : 0;
}

static inline void *counted(void *p) {
    if (p && next.size)
        count(size_of(p), 1);
    return p;
}

static void thread_ends(void *mine) {
    struct own *o = mine;
    o->ended = true;
    add(false);
}

/* ---- the functions ---- */

SHOWN void *malloc(size_t n) {
    return find() ? counted(next.malloc(n)) : take_early(n);
}

SHOWN void *calloc(size_t n, size_t size) {
    size_t bytes;
    if (find())
        return counted(next.calloc(n, size));
    return __builtin_mul_overflow(n, size, &bytes) ? NULL : take_early(bytes);
}

SHOWN void free(void *p) {
    if (p == NULL || is_early(p) || !find())
        return;
    int64_t size = size_of(p);
    next.free(p);
    if (next.size)
        count(-size, 0);
}

static void *move_early(void *p, size_t n) {
    void *new = malloc(n);
    size_t had = (size_t)(early + EARLY - (char *)p);
    if (new)
        memcpy(new, p, had < n ? had : n);
    return new;
}

SHOWN void *realloc(void *p, size_t n) {
    if (is_early(p) || !find())
        return p ? move_early(p, n) : take_early(n);
    int64_t had = size_of(p);
    void *new = next.realloc(p, n);
    if (next.size && (new || n == 0)) /* else the block is still there */
        count(size_of(new) - had, new != NULL);
    return new;
}

SHOWN void *reallocarray(void *p, size_t n, size_t size) {
    size_t bytes;
    if (!__builtin_mul_overflow(n, size, &bytes))
        return realloc(p, bytes);
    errno = ENOMEM;
    return NULL;
}

SHOWN void *memalign(size_t alignment, size_t n) {
    return find() ? counted(next.memalign(alignment, n)) : NULL;
}

SHOWN void *aligned_alloc(size_t alignment, size_t n) {
    return find() ? counted(next.aligned_alloc(alignment, n)) : NULL;
}

SHOWN int posix_memalign(void **p, size_t alignment, size_t n) {
    int result = find() ? next.posix_memalign(p, alignment, n) : ENOMEM;
    if (result == 0)
        counted(*p);
    return result;
}

__attribute__((constructor(102))) static void mallocs_begin(void) {
    has_key = pthread_key_create(&key, thread_ends) == 0;
}

__attribute__((destructor(102))) static void mallocs_end(void) {
    add(true);
    has_key = false;
}

#endif
