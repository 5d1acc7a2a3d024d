/* cache.c - the index cache on disk: the place of an index, whether it belongs to this file, and
 * its bytes.
 *
 * A file has a header of one page, the near bytes and the far bytes. Bytes that it keeps of the
 * trace follow, from a multiple of KEPT_FROM on. Near bytes are in the order of the persist
 * visitor, each array at a multiple of 8. Near bytes, each far block and kept bytes have a
 * checksum: a sum of products at the speed of memory. It finds damage, not malice, because the
 * directory is the user's own. A child process writes the file from its copy of the memory, so
 * nothing waits for it. It writes an unnamed file if the system has these, and names it when it is
 * complete. */
#include "src/io/cache.h"

#include <assert.h>
#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <signal.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/file.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include "src/base/hash.h"
#include "src/base/map.h"
#include "src/base/vec.h"
#include "src/io/files_read.h"
#include "src/io/map_guard.h"
#include "src/io/spool.h"
#include "src/io/stat_times.h"

#ifndef O_TMPFILE
#define O_TMPFILE 0
#endif
#ifndef MAP_NORESERVE
#define MAP_NORESERVE 0
#endif
#ifndef NSIG
#define NSIG 32 /* those that POSIX names are below it */
#endif

#define PAGE 4096u
#define BUFFER ((size_t)1 << 20) /* bytes of one write(), and of one step of the near checksum */
#define SUFFIX ".index"
#define KEPT_PIECE ((size_t)128 << 10) /* at a time: it stays in the cache of the processor */
#define KEPT_SHARE 4                   /* kept bytes of one trace may take this part of the cache */
#define FILES_MOST 1024 /* descriptors that a process may have inherited: the usual limit */
#define MAGIC UINT64_C(0x34786469706f7466) /* "ftopidx4" */
#define KEPT_FROM UINT64_C(65536)          /* the largest page: they are mapped */

/* Arrays are stored as in memory. Word size and alignment are in the magic; the other byte order
 * reads another magic.
 */
struct alignment {
    char c;
    uint64_t v;
};
static const uint64_t LAYOUT = MAGIC ^ sizeof(size_t) ^ offsetof(struct alignment, v) << 8;

static uint64_t all_most = CACHE_MOST;

struct header {
    uint64_t magic, check;  /* of all after it in the header */
    uint64_t program[3];    /* size and time of change: another build has another layout */
    struct file_stamp file; /* of several: all of them in one */
    uint64_t set;           /* cache_find() */
    uint64_t secret[4];     /* hash.h: the maps were made with it */
    uint64_t near, far, near_check;
    uint64_t kept[KEPT_BYTES], kept_check; /* sizes; 0: the trace has its own bytes */
};

struct out {          /* a buffered part of the file: near bytes or far bytes */
    uint64_t at;      /* offset of v[0] in the file */
    size_t n;         /* bytes in v */
    unsigned char *v; /* BUFFER */
};

struct cache {
    enum { MEASURES, WRITES, READS } way;
    struct header header;
    bool failed, damaged;
    uint64_t near, far; /* bytes visited so far */
    /* reading */
    unsigned char *map;
    size_t length;
    int guard;
    char *path;
    VEC(struct cache_far *) arrays;
    int fd; /* being written; when reading, of an index with kept bytes, else -1 */
    /* writing */
    struct kept_bytes kept[KEPT_BYTES];
    size_t nkept;
    struct out outs[2];
    uint64_t near_check;
};

/* ---- checks ---- */

#define FACTOR UINT64_C(0x9e3779b97f4a7c15)

static inline uint64_t check_word(uint64_t hash, const unsigned char *p) {
    uint64_t word;
    memcpy(&word, p, sizeof word);
    hash = (hash ^ word) * FACTOR;
    return hash ^ hash >> 32;
}

/* n: a multiple of 8. Four sums that do not wait for each other: an array of them would. */
static uint64_t check_words(uint64_t hash, const void *v, size_t n) {
    uint64_t a = hash, b = hash + 1, c = hash + 2, d = hash + 3;
    const unsigned char *p = v;
    for (; n >= 32; n -= 32, p += 32) {
        a = check_word(a, p);
        b = check_word(b, p + 8);
        c = check_word(c, p + 16);
        d = check_word(d, p + 24);
    }
    for (; n >= 8; n -= 8, p += 8)
        a = check_word(a, p);
    uint64_t all = ((a * FACTOR ^ b) * FACTOR ^ c) * FACTOR ^ d;
    return (all ^ all >> 29) | 1; /* 0 means: verified */
}

void cache_limit(uint64_t bytes) {
    all_most = bytes;
}

/* ---- the path ---- */

static bool program_stamp(uint64_t stamp[3]) {
    struct stat s;
    if (stat("/proc/self/exe", &s) != 0)
        return false;
    stamp[0] = (uint64_t)s.st_size;
    stamp[1] = (uint64_t)s.st_mtim.tv_sec;
    stamp[2] = (uint64_t)s.st_mtim.tv_nsec;
    return true;
}

/* The directory of the cache. make: creates it, readable by the user alone. */
static bool directory(char path[PATH_MAX], bool make) {
    const char *cache = getenv("XDG_CACHE_HOME"), *home = getenv("HOME");
    size_t n = 0;
    if (cache && cache[0] == '/')
        n = (size_t)snprintf(path, PATH_MAX, "%s", cache);
    else if (home && home[0] == '/')
        n = (size_t)snprintf(path, PATH_MAX, "%s/.cache", home);
    if (n == 0 || n >= PATH_MAX - 80) /* leaves space for "/fxtop/", 16 digits and the suffix */
        return false;
    if (make && mkdir(path, 0700) != 0 && errno != EEXIST)
        return false;
    snprintf(path + n, PATH_MAX - n, "/fxtop");
    return !make || mkdir(path, 0700) == 0 || errno == EEXIST;
}

/* Adds the real path of a file, after which its part of the set ends. False: it has none. */
static bool add_path(uint64_t *hash, const struct file *file) {
    char *real = file_path(file) ? realpath(file_path(file), NULL) : NULL;
    for (const char *p = real; p && *p; p++)
        *hash = (*hash ^ (unsigned char)*p) * UINT64_C(0x100000001b3);
    free(real);
    return real != NULL;
}

/* The file of a part, once for all parts of one file; else NULL. */
static struct file *file_at(struct file *file, size_t part) {
    struct file *of = file_part_file(file, part);
    return part > 0 && of == file_part_file(file, part - 1) ? NULL : of;
}

/* One file for each path, or list of paths: a changed trace replaces its index. */
static bool path_of(struct file *file, char path[PATH_MAX], bool make) {
    uint64_t hash = UINT64_C(0xcbf29ce484222325);
    for (size_t i = 0; i < file_part_count(file); i++) {
        struct file *of = file_at(file, i);
        hash *= i > 0 ? UINT64_C(0x100000001b3) : 1;
        if (of && !add_path(&hash, of))
            return false;
    }
    if (!directory(path, make))
        return false;
    size_t n = strlen(path);
    snprintf(path + n, PATH_MAX - n, "/%016llx" SUFFIX, (unsigned long long)hash);
    return true;
}

struct cached {
    char name[NAME_MAX + 1];
    uint64_t size;
    struct timespec used;
};

static int by_use(const void *a, const void *b) {
    const struct cached *x = a, *y = b;
    if (x->used.tv_sec != y->used.tv_sec)
        return x->used.tv_sec < y->used.tv_sec ? -1 : 1;
    return x->used.tv_nsec < y->used.tv_nsec ? -1 : x->used.tv_nsec > y->used.tv_nsec;
}

/* Removes the least recently used files until there is space for `bytes` more. */
static void make_space(int dir, uint64_t bytes) {
    VEC(struct cached) all = {0};
    uint64_t sum = bytes;
    int fd = dup(dir);
    DIR *d = fd >= 0 ? fdopendir(fd) : NULL;
    for (const struct dirent *e; d && (e = readdir(d)) != NULL;) {
        struct stat s;
        struct cached k = {.size = 0};
        size_t n = strlen(e->d_name);
        if (n < sizeof SUFFIX || strstr(e->d_name, SUFFIX) == NULL ||
            fstatat(dir, e->d_name, &s, AT_SYMLINK_NOFOLLOW) != 0 || !S_ISREG(s.st_mode))
            continue;
        memcpy(k.name, e->d_name, n + 1);
        k.size = (uint64_t)s.st_size;
        k.used = s.st_mtim;
        sum += k.size;
        vec_push(&all, k);
    }
    if (all.n > 0)
        qsort(all.v, all.n, sizeof *all.v, by_use);
    for (size_t i = 0; i < all.n && sum > all_most; i++)
        if (unlinkat(dir, all.v[i].name, 0) == 0)
            sum -= all.v[i].size;
    vec_free(&all);
    if (d)
        closedir(d);
    else if (fd >= 0)
        close(fd);
}

/* ---- bytes ---- */

static bool read_whole(int fd, void *v, size_t n, uint64_t at) {
    for (size_t done = 0; done < n;) {
        ssize_t got = pread(fd, (char *)v + done, n - done, (off_t)(at + done));
        if (got == 0 || (got < 0 && errno != EINTR))
            return false;
        done += got > 0 ? (size_t)got : 0;
    }
    return true;
}

static bool write_whole(int fd, const void *v, size_t n, uint64_t at) {
    for (size_t done = 0; done < n;) {
        ssize_t put = pwrite(fd, (const char *)v + done, n - done, (off_t)(at + done));
        if (put == 0 || (put < 0 && errno != EINTR))
            return false;
        done += put > 0 ? (size_t)put : 0;
    }
    return true;
}

/* ---- persist visitors ---- */

bool cache_reads(const struct cache *c) {
    return c->way == READS;
}

static void flush(struct cache *c, struct out *out) {
    c->failed = c->failed || !write_whole(c->fd, out->v, out->n, out->at);
    out->at += out->n;
    out->n = 0;
}

static void put(struct cache *c, struct out *out, const void *v, size_t n) {
    const unsigned char *p = v;
    while (n > 0) {
        size_t part = BUFFER - out->n < n ? BUFFER - out->n : n;
        memcpy(out->v + out->n, p, part);
        out->n += part;
        p += part;
        n -= part;
        if (out->n == BUFFER) {
            if (out == &c->outs[0])
                c->near_check = check_words(c->near_check, out->v, out->n);
            flush(c, out);
        }
    }
}

/* The next n near bytes, padded to a multiple of 8. When reading, returns them, or NULL at the end
 * of the file. */
static void *near_bytes(struct cache *c, const void *v, size_t n) {
    static const unsigned char zeros[8];
    size_t rest = (8 - n % 8) % 8;
    unsigned char *at = NULL;
    if (c->way == READS) {
        if (c->failed || n > c->header.near - c->near || rest > c->header.near - c->near - n) {
            c->failed = true;
            return NULL;
        }
        at = c->map + PAGE + c->near;
    } else if (c->way == WRITES) {
        put(c, &c->outs[0], v, n);
        put(c, &c->outs[0], zeros, rest);
    }
    c->near += n + rest;
    return at;
}

void cache_bytes(struct cache *c, void *p, size_t n) {
    const void *at = near_bytes(c, p, n);
    if (c->way != READS)
        return;
    if (at)
        memcpy(p, at, n);
    else
        memset(p, 0, n);
}

void *cache_array(struct cache *c, void *v, size_t n, size_t size) {
    if (n > SIZE_MAX / size) {
        c->failed = true;
        return NULL;
    }
    void *at = n > 0 ? near_bytes(c, v, n * size) : NULL;
    return c->way == READS ? at : v;
}

void *cache_copy(struct cache *c, void *v, size_t n, size_t size) {
    void *at = cache_array(c, v, n, size);
    return c->way == READS && at ? memcpy(err_malloc(n * size), at, n * size) : at;
}

void cache_map(struct cache *cache, struct map *map) {
    map_finish(map);
    cache_value(cache, map->table.mask);
    cache_value(cache, map->n);
    size_t slots = map->n > 0 ? map->table.mask + 1 : 0;
    free(map->guesses); /* map_guess() makes them again */
    map->guesses = NULL;
    map->table.slots = cache_copy(cache, map->table.slots, slots, sizeof *map->table.slots);
}

void cache_put_far(struct cache *c, const void *v, size_t n) {
    const unsigned char *p = v;
    for (size_t at = 0; at < n; at += CACHE_BLOCK) {
        size_t size = n - at < CACHE_BLOCK ? n - at : CACHE_BLOCK;
        uint64_t check = c->way == WRITES ? check_words(0, p + at, size) : 0;
        near_bytes(c, &check, sizeof check);
    }
    if (c->way == WRITES)
        put(c, &c->outs[1], v, n);
    c->far += n;
}

struct cache_far *cache_take_far(struct cache *c, uint64_t n) {
    assert(c->way == READS);
    uint64_t blocks = n / CACHE_BLOCK + (n % CACHE_BLOCK > 0);
    uint64_t *checks =
        n <= c->header.far - c->far ? near_bytes(c, NULL, blocks * sizeof *checks) : NULL;
    if (checks == NULL) {
        c->failed = true;
        return NULL;
    }
    struct cache_far *far = err_malloc(sizeof *far);
    *far = (struct cache_far){c->map + PAGE + c->header.near + c->far, checks, n, c};
    c->far += n;
    vec_push(&c->arrays, far);
    return far;
}

void cache_look(struct cache_far *far, uint64_t block, void (*fill)(void *ctx, uint64_t block),
                void *ctx) {
    uint64_t at = block * CACHE_BLOCK, size = far->n - at < CACHE_BLOCK ? far->n - at : CACHE_BLOCK;
    /* Two threads may look at once: both find the same. */
    uint64_t check = __atomic_load_n(&far->checks[block], __ATOMIC_RELAXED);
    if (check != 0 && check_words(0, far->v + at, size) != check) {
        __atomic_store_n(&far->cache->damaged, true, __ATOMIC_RELAXED);
        fill(ctx, block);
    }
    __atomic_store_n(&far->checks[block], 0, __ATOMIC_RELAXED);
}

bool cache_damaged(const struct cache *c) {
    return c && c->damaged;
}

bool cache_verify(struct cache *c) {
    for (size_t i = 0; i < c->arrays.n; i++) {
        struct cache_far *far = c->arrays.v[i];
        for (uint64_t at = 0, block = 0; at < far->n; at += CACHE_BLOCK, block++) {
            uint64_t size = far->n - at < CACHE_BLOCK ? far->n - at : CACHE_BLOCK;
            if (far->checks[block] != 0 && check_words(0, far->v + at, size) != far->checks[block])
                return false;
            far->checks[block] = 0;
        }
    }
    return true;
}

/* ---- reading ---- */

static uint64_t header_check(const struct header *h) {
    return check_words(MAGIC, (const unsigned char *)h + 16, sizeof *h - 16);
}

/* The offset at which kept bytes begin, or the file ends. */
static uint64_t kept_from(const struct header *h) {
    uint64_t end = PAGE + h->near + h->far;
    return h->kept[0] > 0 ? (end + KEPT_FROM - 1) / KEPT_FROM * KEPT_FROM : end;
}

/* Whether a file of this size has the parts of which the header has the sizes. */
static bool is_whole(const struct header *h, uint64_t size) {
    if (size < PAGE || h->near % 8 != 0 || h->near > size - PAGE || h->far > size - PAGE - h->near)
        return false;
    uint64_t from = kept_from(h);
    return from <= size && h->kept[0] <= size - from && h->kept[1] == size - from - h->kept[0];
}

uint64_t cache_mix(uint64_t hash, uint64_t value) {
    return check_word(hash, (const unsigned char *)&value);
}

/* Makes one stamp of several files that all have their own bytes. False: one has none, or has
 * changed. */
static bool stamp_of(struct file *file, struct file_stamp *stamp) {
    size_t n = file_part_count(file);
    if (n == 1)
        return file_stamp(file, stamp);
    *stamp = (struct file_stamp){0};
    for (size_t i = 0; i < n; i++) {
        struct file *of = file_at(file, i);
        struct kept_bytes kept[KEPT_BYTES];
        uint64_t words[sizeof *stamp / sizeof(uint64_t)];
        struct file_stamp one;
        size_t copied = 0;
        if (of == NULL)
            continue;
        if (!file_kept(of, kept, &copied) || copied > 0 || !file_stamp(of, &one))
            return false;
        memcpy(words, &one, sizeof words);
        for (size_t k = 0; k < sizeof words / sizeof *words; k++)
            stamp->sample = cache_mix(stamp->sample, words[k]);
        stamp->size += one.size;
    }
    return true;
}

static bool is_of(struct header *h, struct file *file, uint64_t set, uint64_t size) {
    struct file_stamp stamp;
    struct kept_bytes kept[KEPT_BYTES];
    uint64_t program[3];
    size_t n = 0;
    if (file_part_count(file) == 1)
        file_kept(file, kept, &n); /* so many, though they may not be there yet */
    return h->magic == LAYOUT && h->check == header_check(h) && program_stamp(program) &&
           memcmp(program, h->program, sizeof program) == 0 && stamp_of(file, &stamp) &&
           memcmp(&stamp, &h->file, sizeof stamp) == 0 && h->set == set && is_whole(h, size) &&
           (n > 0) == (h->kept[0] > 0);
}

/* Reads the kept bytes of a descriptor once, and writes them to another one, unless it is -1. */
static bool pass_kept(const struct kept_bytes *kept, int to, uint64_t at, uint64_t *check) {
    unsigned char *piece = err_malloc(KEPT_PIECE);
    bool good = true;
    for (uint64_t done = 0; done < kept->n && good; done += KEPT_PIECE) {
        size_t n = kept->n - done < KEPT_PIECE ? (size_t)(kept->n - done) : KEPT_PIECE;
        memset(piece + n / 8 * 8, 0, n % 8 ? 8 : 0); /* words are added up */
        good = read_whole(kept->fd, piece, n, kept->at + done) &&
               (to < 0 || write_whole(to, piece, n, at + done));
        *check = check_words(*check, piece, (n + 7) / 8 * 8);
    }
    free(piece);
    return good;
}

static bool kept_are_sound(const struct cache *c, int fd) {
    uint64_t check = 0, at = kept_from(&c->header);
    bool good = true;
    for (size_t i = 0; i < KEPT_BYTES && good; i++) {
        good = pass_kept(&(struct kept_bytes){fd, at, c->header.kept[i]}, -1, 0, &check);
        at += c->header.kept[i];
    }
    return good && check == c->header.kept_check;
}

static bool open_index(struct cache *c, struct file *file, uint64_t set, int fd) {
    struct stat s;
    if (fstat(fd, &s) != 0 || !S_ISREG(s.st_mode) || s.st_uid != geteuid() ||
        s.st_size < (off_t)PAGE || (uint64_t)s.st_size > all_most + PAGE ||
        pread(fd, &c->header, sizeof c->header, 0) != sizeof c->header ||
        !is_of(&c->header, file, set, (uint64_t)s.st_size) || !hash_share_secret(c->header.secret))
        return false;
    c->length = (size_t)(PAGE + c->header.near + c->header.far);
    void *map = mmap(NULL, c->length, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_NORESERVE, fd, 0);
    if (map == MAP_FAILED)
        return false;
    c->map = map;
    c->guard = map_guard_new();
    if (c->guard == MAP_GUARD_NONE)
        return false;
    map_guard_set(c->guard, map, c->length);
#ifdef MADV_POPULATE_READ
    madvise(c->map, PAGE + c->header.near, MADV_POPULATE_READ);
#endif
    uint64_t check = 0;
    for (uint64_t at = 0; at < c->header.near; at += BUFFER)
        check = check_words(check, c->map + PAGE + at,
                            c->header.near - at < BUFFER ? c->header.near - at : BUFFER);
    futimens(fd, NULL); /* make_space() removes by this time */
    return check == c->header.near_check && kept_are_sound(c, fd);
}

/* One process can read indexes of one key alone, so a new one gets the key of another in the
 * folder: any. */
static void share_secret(const char *folder) {
    struct header h;
    bool done = false;
    DIR *d = opendir(folder);
    for (const struct dirent *e; d && !done && (e = readdir(d)) != NULL;) {
        int fd = strstr(e->d_name, SUFFIX)
                     ? openat(dirfd(d), e->d_name, O_RDONLY | O_CLOEXEC | O_NOFOLLOW)
                     : -1;
        done = fd >= 0 && pread(fd, &h, sizeof h, 0) == sizeof h && h.magic == LAYOUT &&
               h.check == header_check(&h) && hash_share_secret(h.secret);
        if (fd >= 0)
            close(fd);
    }
    if (d)
        closedir(d);
}

void cache_share_key(void) {
    char path[PATH_MAX];
    if (directory(path, false))
        share_secret(path);
}

struct cache *cache_find(struct file *file, uint64_t set) {
    char path[PATH_MAX];
    int fd;
    if (!path_of(file, path, false))
        return NULL;
    if ((fd = open(path, O_RDONLY | O_CLOEXEC | O_NOFOLLOW)) < 0) {
        *strrchr(path, '/') = '\0';
        share_secret(path);
        return NULL;
    }
    struct cache *c = err_calloc(1, sizeof *c);
    c->way = READS;
    c->guard = MAP_GUARD_NONE;
    c->fd = -1;
    size_t n = strlen(path) + 1;
    c->path = memcpy(err_malloc(n), path, n);
    files_read_fd(fd);
    bool good = open_index(c, file, set, fd);
    if (good && c->header.kept[0] > 0)
        c->fd = fd;
    else
        close(fd);
    if (good)
        return c;
    cache_close(c);
    return NULL;
}

bool cache_restore(const struct cache *c, struct file *file) {
    struct kept_bytes kept[KEPT_BYTES] = {{c->fd, kept_from(&c->header), c->header.kept[0]}};
    kept[1] = (struct kept_bytes){c->fd, kept[0].at + kept[0].n, c->header.kept[1]};
    return c->fd < 0 || file_restore(file, kept, KEPT_BYTES);
}

bool cache_whole(const struct cache *c) {
    return !c->failed && c->near == c->header.near && c->far == c->header.far;
}

void cache_remove(const struct cache *c) {
    unlink(c->path);
}

void cache_close(struct cache *c) {
    if (c == NULL)
        return;
    for (size_t i = 0; i < c->arrays.n; i++)
        free(c->arrays.v[i]);
    vec_free(&c->arrays);
    map_guard_free(c->guard);
    if (c->map)
        munmap(c->map, c->length);
    if (c->fd >= 0)
        close(c->fd);
    free(c->path);
    free(c);
}

/* ---- writing ---- */

/* Chooses a temporary name next to the final one. With unnamed files a killed process leaves
 * nothing. */
static bool give_name(int dir, int fd, bool nameless, const char *temporary, const char *name) {
    char from[40]; /* 14 characters and a descriptor */
    snprintf(from, sizeof from, "/proc/self/fd/%d", fd);
    if (nameless && linkat(AT_FDCWD, from, dir, temporary, AT_SYMLINK_FOLLOW) != 0)
        return false;
    if (renameat(dir, temporary, dir, name) == 0)
        return true;
    unlinkat(dir, temporary, 0);
    return false;
}

static bool write_index(struct cache *c, int dir, const char *name,
                        void (*visit)(struct cache *, void *), void *ctx) {
    char temporary[80]; /* 40 characters of the name, a dot, a process id */
    snprintf(temporary, sizeof temporary, "%.40s.%ld", name, (long)getpid());
    int fd = O_TMPFILE ? openat(dir, ".", O_TMPFILE | O_WRONLY | O_CLOEXEC, 0600) : -1;
    bool nameless = fd >= 0;
    if (!nameless)
        fd = openat(dir, temporary, O_CREAT | O_EXCL | O_WRONLY | O_CLOEXEC | O_NOFOLLOW, 0600);
    if (fd < 0)
        return false;
    c->fd = fd;
    c->way = WRITES;
    c->header.near = c->near;
    c->header.far = c->far;
    c->outs[0] = (struct out){PAGE, 0, err_malloc(BUFFER)};
    c->outs[1] = (struct out){PAGE + c->near, 0, err_malloc(BUFFER)};
    c->near = c->far = 0;
    visit(c, ctx);
    if (c->outs[0].n > 0)
        c->near_check = check_words(c->near_check, c->outs[0].v, c->outs[0].n);
    flush(c, &c->outs[0]);
    flush(c, &c->outs[1]);
    c->header.near_check = c->near_check;
    uint64_t end = kept_from(&c->header);
    for (size_t i = 0; i < c->nkept && !c->failed; i++) {
        c->failed = !pass_kept(&c->kept[i], fd, end, &c->header.kept_check);
        end += c->kept[i].n;
    }
    c->header.check = header_check(&c->header);
    c->failed |= pwrite(fd, &c->header, sizeof c->header, 0) != sizeof c->header ||
                 c->near != c->header.near || c->far != c->header.far ||
                 ftruncate(fd, (off_t)end) != 0;
    free(c->outs[0].v);
    free(c->outs[1].v);
    if (c->failed && !nameless)
        unlinkat(dir, temporary, 0);
    bool good = !c->failed && flock(dir, LOCK_EX) == 0;
    if (good) { /* one at a time, so that all of them together are bounded */
        make_space(dir, nameless ? end : 0);
        good = give_name(dir, fd, nameless, temporary, name);
    }
    close(fd);
    return good;
}

static bool keeps(const struct cache *c, int fd) {
    for (size_t i = 0; i < c->nkept; i++)
        if (c->kept[i].fd == fd)
            return true;
    return false;
}

/* Detaches from the terminal, closes inherited descriptors (a reader may wait for their EOF) but
 * those of kept bytes, and lowers the priority. */
static void leave(const struct cache *c) {
    int null = open("/dev/null", O_RDWR);
    setsid();
    for (int fd = 0; fd < 3 && null >= 0; fd++)
        dup2(null, fd);
    for (int fd = 3; fd < FILES_MOST; fd++)
        if (!keeps(c, fd))
            close(fd);
    for (int s = 1; s < NSIG; s++)
        if (s != SIGBUS)
            signal(s, SIG_DFL);
    signal(SIGXFSZ, SIG_IGN);
    signal(SIGHUP, SIG_IGN);
    nice(10);
}

/* Whether a valid index is there: another process was quicker. */
static bool is_there(const struct cache *c, const char *path) {
    struct header h;
    int fd = open(path, O_RDONLY | O_CLOEXEC | O_NOFOLLOW);
    bool there = fd >= 0 && pread(fd, &h, sizeof h, 0) == sizeof h && h.magic == LAYOUT &&
                 h.check == header_check(&h) &&
                 memcmp(h.program, c->header.program, sizeof h.program) == 0 &&
                 memcmp(&h.file, &c->header.file, sizeof h.file) == 0 && h.set == c->header.set &&
                 memcmp(h.secret, c->header.secret, sizeof h.secret) == 0;
    if (fd >= 0)
        close(fd);
    return there;
}

/* c: aim() has filled the header. path: of the index; it is cut at its last slash. */
static bool write_at(struct cache *c, char path[PATH_MAX], void (*visit)(struct cache *, void *),
                     void *ctx) {
    visit(c, ctx);
    uint64_t kept = c->header.kept[0] + c->header.kept[1];
    uint64_t bytes = PAGE + c->near + c->far + kept + (kept > 0 ? KEPT_FROM : 0);
    char *name = strrchr(path, '/');
    *name++ = '\0';
    int dir = open(path, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
    bool good = dir >= 0 && !c->failed && bytes <= all_most && kept <= all_most / KEPT_SHARE &&
                spool_fits(dir, bytes) && write_index(c, dir, name, visit, ctx);
    if (dir >= 0)
        close(dir);
    return good;
}

/* Sets the path of the index, the stamp of the file, and what is kept of it. */
static bool aim(struct cache *c, struct file *file, uint64_t set, char path[PATH_MAX]) {
    *c = (struct cache){.way = MEASURES, .fd = -1, .header = {.magic = LAYOUT, .set = set}};
    hash_secret(c->header.secret);
    bool whole = file_part_count(file) > 1 || file_kept(file, c->kept, &c->nkept);
    for (size_t i = 0; i < c->nkept; i++)
        c->header.kept[i] = c->kept[i].n;
    return whole && path_of(file, path, true) && stamp_of(file, &c->header.file) &&
           program_stamp(c->header.program);
}

bool cache_write(struct file *file, uint64_t set, void (*visit)(struct cache *cache, void *ctx),
                 void *ctx) {
    char path[PATH_MAX];
    struct cache c;
    return aim(&c, file, set, path) && write_at(&c, path, visit, ctx);
}

pid_t cache_spawn(struct file *file, uint64_t set, void (*visit)(struct cache *cache, void *ctx),
                  void *ctx) {
    char path[PATH_MAX];
    struct cache c;
    if (!aim(&c, file, set, path))
        return 0;
    pid_t child = fork();
    if (child == 0) {
        leave(&c);
        _exit(is_there(&c, path) || write_at(&c, path, visit, ctx) ? 0 : 1);
    }
    return child > 0 ? child : 0;
}

bool cache_reap(pid_t writer, bool wait) {
    pid_t ended;
    do
        ended = waitpid(writer, NULL, wait ? 0 : WNOHANG);
    while (ended < 0 && errno == EINTR);
    return ended != 0;
}
