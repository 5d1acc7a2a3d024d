/* names.c - strings, threads and categories of a session.
 *
 * Strings are in an open hash table of index numbers, which grow in the order of registration. A
 * writer finds a string without a lock: entries are published after the string is stored and
 * registered, and none is removed while writers are inside. Texts lie in an arena of mapped memory,
 * because malloc() may be in use by the thread that is interrupted. */
#include "provider/names.h"

#include <errno.h>
#include <pthread.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <unistd.h>

#include "provider/write.h"

#define SLOTS 65536
#define ARENA (256u << 10) /* bytes mapped at once; a longer text has a mapping of its own size */
#define CATEGORIES 64
#define CATEGORY_MAX 100 /* bytes */
#define VIRTUALS 1024    /* names of virtual threads; further ones have none */
#define STRING_MAX 4000  /* bytes; longer texts are inline, for they hardly come again */

struct text {
    const char *s;
    uint32_t n;
};

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static struct tables {
    uint32_t slots[SLOTS]; /* index of a string; 0: empty */
    struct text strings[NAMES_STRINGS + 1];
    uint64_t virtuals[VIRTUALS];
} * tables;              /* NULL: no memory, or nothing was registered so far */
static uint32_t strings; /* registered */
static uint32_t threads;
static bool is_full; /* the durable part has no space */
static struct arena {
    struct arena *next;
    size_t used, size;
} * arenas;
static uint32_t nvirtuals;
static struct {
    char text[CATEGORY_MAX];
    uint8_t n;
    bool prefix;
} categories[CATEGORIES];
static uint32_t ncategories;

/* ---- strings ---- */

static uint32_t hash(const char *s, size_t n) {
    uint64_t h = UINT64_C(0x9e3779b97f4a7c15) ^ n;
    while (n >= 8) {
        uint64_t w;
        memcpy(&w, s, 8);
        h = (h ^ w) * UINT64_C(0xff51afd7ed558ccd);
        h ^= h >> 32;
        s += 8;
        n -= 8;
    }
    for (; n > 0; n--, s++)
        h = (h ^ (unsigned char)*s) * UINT64_C(0x100000001b3);
    h *= UINT64_C(0xc4ceb9fe1a85ec53);
    return (uint32_t)(h >> 40);
}

/* Fresh memory that a child of fork() does not get, so that fork() copies no tables for it; or
 * MAP_FAILED. */
static void *map(size_t size) {
    /* cppcheck-suppress invalidFunctionArg; -1 is the descriptor of anonymous memory */
    void *p = mmap(NULL, size, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    if (p != MAP_FAILED)
        madvise(p, size, MADV_DONTFORK);
    return p;
}

static const char *keep(const char *s, size_t n) {
    if (arenas == NULL || arenas->size - arenas->used < n) {
        size_t size = n + sizeof *arenas > ARENA ? n + sizeof *arenas : ARENA;
        struct arena *a = map(size);
        if (a == MAP_FAILED)
            return NULL;
        *a = (struct arena){arenas, sizeof *a, size};
        arenas = a;
    }
    char *to = (char *)arenas + arenas->used;
    memcpy(to, s, n);
    arenas->used += n;
    return to;
}

/* The string's slot: with its index, or the first empty one. SLOTS: the table is full. */
static uint32_t find(const struct tables *t, const char *s, size_t n) {
    uint32_t at = hash(s, n) % SLOTS;
    for (uint32_t tries = 0; tries < SLOTS; tries++, at = (at + 1) % SLOTS) {
        uint32_t index = __atomic_load_n(&t->slots[at], __ATOMIC_ACQUIRE);
        if (index == 0 || (t->strings[index].n == n && memcmp(t->strings[index].s, s, n) == 0))
            return at;
    }
    return SLOTS;
}

static bool register_string(uint16_t index, const char *s, size_t n) {
    uint64_t record[1 + STRING_MAX / 8];
    size_t words = 1 + (n + 7) / 8;
    record[words - 1] = 0;
    record[0] = 2 | (uint64_t)words << 4 | (uint64_t)index << 16 | (uint64_t)n << 32;
    memcpy(record + 1, s, n);
    return write_durable(record, words);
}

/* With the lock. False: there is no memory. */
static bool has_tables(void) {
    void *p = tables ? tables : map(sizeof *tables);
    if (p == MAP_FAILED)
        return false;
    __atomic_store_n(&tables, p, __ATOMIC_RELEASE);
    return true;
}

/* With the lock. */
static uint16_t add(const char *s, size_t n) {
    if (!has_tables())
        return 0;
    uint32_t at = find(tables, s, n);
    if (at == SLOTS)
        return 0;
    if (tables->slots[at] != 0)
        return (uint16_t)tables->slots[at];
    if (is_full || strings >= NAMES_STRINGS)
        return 0;
    const char *kept = keep(s, n);
    if (kept == NULL)
        return 0;
    if (!register_string((uint16_t)(strings + 1), s, n)) {
        is_full = true;
        return 0;
    }
    tables->strings[++strings] = (struct text){kept, (uint32_t)n};
    __atomic_store_n(&tables->slots[at], strings, __ATOMIC_RELEASE);
    return (uint16_t)strings;
}

uint16_t names_index(const char *s, size_t n) {
    const struct tables *t = __atomic_load_n(&tables, __ATOMIC_ACQUIRE);
    if (n == 0 || n > STRING_MAX)
        return 0;
    if (t) {
        uint32_t at = find(t, s, n),
                 index = at < SLOTS ? __atomic_load_n(&t->slots[at], __ATOMIC_ACQUIRE) : 0;
        if (index > 0)
            return (uint16_t)index;
        if (__atomic_load_n(&is_full, __ATOMIC_RELAXED))
            return 0;
    }
    pthread_mutex_lock(&lock);
    uint16_t index = add(s, n);
    pthread_mutex_unlock(&lock);
    return index;
}

/* ---- threads and the process ---- */

/* A kernel object: type 1 a process, 2 a thread, which has its process as an argument. */
static void register_object(unsigned type, uint64_t koid, const char *name) {
    uint64_t record[32] = {0};
    size_t n = strnlen(name, 100), words = 2 + (n + 7) / 8;
    record[0] = 7 | (uint64_t)type << 16 | (n > 0 ? 0x8000 | (uint64_t)n : 0) << 24 |
                (uint64_t)(type == 2) << 40;
    record[1] = koid;
    memcpy(record + 2, name, n);
    if (type == 2) {
        record[words++] = 8 | UINT64_C(3) << 4 | UINT64_C(0x8007) << 16;
        memcpy(record + words++, "process", 7);
        record[words++] = write_buffer.pid;
    }
    record[0] |= (uint64_t)words << 4;
    write_durable(record, words);
}

uint8_t names_thread(uint64_t tid) {
    char name[17];
    uint8_t index = 0;
    if (prctl(PR_GET_NAME, (unsigned long)name, 0, 0, 0) != 0)
        name[0] = 0;
    name[16] = 0;
    pthread_mutex_lock(&lock);
    register_object(2, tid, name);
    if (threads < NAMES_THREADS) {
        uint64_t record[3] = {3 | UINT64_C(3) << 4 | (uint64_t)(threads + 1) << 16,
                              write_buffer.pid, tid};
        if (write_durable(record, 3))
            index = (uint8_t)++threads;
    }
    pthread_mutex_unlock(&lock);
    return index;
}

void names_virtual(uint64_t koid, const char *name) {
    uint32_t known = __atomic_load_n(&nvirtuals, __ATOMIC_ACQUIRE);
    for (uint32_t i = 0; i < known; i++)
        if (tables->virtuals[i] == koid)
            return;
    pthread_mutex_lock(&lock);
    for (uint32_t i = known; i < nvirtuals; i++)
        known = tables->virtuals[i] == koid ? VIRTUALS : known;
    if (known < VIRTUALS && nvirtuals < VIRTUALS && has_tables()) {
        register_object(2, koid, name);
        tables->virtuals[nvirtuals] = koid;
        __atomic_store_n(&nvirtuals, nvirtuals + 1, __ATOMIC_RELEASE);
    }
    pthread_mutex_unlock(&lock);
}

void names_session(uint64_t ticks_per_second) {
    const uint64_t record[2] = {1 | UINT64_C(2) << 4, ticks_per_second};
    pthread_mutex_lock(&lock);
    write_durable(record, 2);
    register_object(1, write_buffer.pid, program_invocation_short_name);
    pthread_mutex_unlock(&lock);
}

void names_clear(void) {
    if (tables)
        memset(tables->slots, 0, sizeof tables->slots);
    while (arenas) {
        struct arena *a = arenas;
        arenas = a->next;
        munmap(a, a->size);
    }
    strings = threads = nvirtuals = 0;
    is_full = false;
}

void names_forked(void) {
    lock = (pthread_mutex_t)PTHREAD_MUTEX_INITIALIZER;
    tables = NULL; /* the memory of both is the parent's */
    arenas = NULL;
    names_clear();
}

/* ---- categories ---- */

void names_categories_clear(void) {
    ncategories = 0;
}

static void add_category(const char *text, size_t n) {
    if (ncategories >= CATEGORIES || n > CATEGORY_MAX)
        return;
    bool prefix = n > 0 && text[n - 1] == '*';
    categories[ncategories].n = (uint8_t)(n - prefix);
    categories[ncategories].prefix = prefix;
    memcpy(categories[ncategories++].text, text, n - prefix);
}

bool names_categories_take(const unsigned char *p, size_t n, unsigned count) {
    for (; count > 0; count--) {
        if (n == 0 || n - 1 < p[0])
            return false;
        add_category((const char *)p + 1, p[0]);
        n -= 1 + (size_t)p[0];
        p += 1 + (size_t)p[0];
    }
    return n == 0;
}

bool names_enabled(const char *category) {
    size_t n = strlen(category);
    for (uint32_t i = 0; i < ncategories; i++) {
        size_t k = categories[i].n;
        if ((categories[i].prefix ? n >= k : n == k) &&
            memcmp(category, categories[i].text, k) == 0)
            return true;
    }
    return ncategories == 0;
}
