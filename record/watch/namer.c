/* namer.c - the process that finds the names of functions. */
#include "record/watch/namer.h"

#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/resource.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <unistd.h>

#include "record/watch/debug_info.h"
#include "record/watch/image_file.h"
#include "record/watch/symbol_table.h"

#define MEMORY (UINT64_C(8) << 30) /* bytes of addresses, most of which are files */
#define TEXT (INT64_C(256) << 20)  /* bytes of a perf map at most */
#define OPEN 64                    /* images with libdw at once */

/* The shadow memory of AddressSanitizer is larger than any limit. */
#ifdef __SANITIZE_ADDRESS__
#define LIMITED false
#elif defined(__has_feature)
#if __has_feature(address_sanitizer)
#define LIMITED false
#endif
#endif
#ifndef LIMITED
#define LIMITED true
#endif

struct known { /* an image */
    enum image_kind kind;
    uint32_t pid;
    char *name, *build_id;
    int next; /* the first of its files that was not looked for */
    struct debug_info *infos[2 * IMAGE_FILE_WAYS]; /* of those before it; NULL: it is none */
    bool looked;                                   /* the table is read */
    struct symbol_table table;
    long read; /* bytes of the perf map */
    uint64_t used;
};

struct work {
    VEC(struct known) v;
    uint64_t uses;
    uint32_t *image;
    const char *symbols;
    bool folder_alone;
};

/* ---- images ---- */

/* A file of the program for perf(1); no one else's is believed. */
static void read_perf_map(struct known *k) {
    char path[40];
    struct stat st;
    snprintf(path, sizeof path, "/tmp/perf-%" PRIu32 ".map", k->pid);
    int fd = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK | O_NOCTTY | O_NOFOLLOW);
    bool good = fd >= 0 && fstat(fd, &st) == 0 && S_ISREG(st.st_mode) && st.st_size <= TEXT &&
                (st.st_uid == geteuid() || st.st_uid == 0 || geteuid() == 0);
    FILE *f = good && st.st_size > k->read ? fdopen(fd, "r") : NULL;
    if (f && fseek(f, k->read, SEEK_SET) == 0) {
        symbol_table_read(&k->table, f, SYMBOL_TABLE_PERF_MAP);
        k->read = ftell(f);
    }
    if (f)
        fclose(f);
    else if (fd >= 0)
        close(fd);
}

static void read_kernel(struct known *k) {
    FILE *f = fopen("/proc/kallsyms", "re");
    if (f == NULL)
        return;
    symbol_table_read(&k->table, f, SYMBOL_TABLE_KALLSYMS);
    fclose(f);
    if (k->table.v.n > 0 && k->table.v.v[k->table.v.n - 1].start == 0) /* they are hidden */
        symbol_table_free(&k->table);
}

/* Whether it has files that are open. */
static bool is_open(const struct known *k) {
    for (int i = 0; i < k->next; i++)
        if (k->infos[i])
            return true;
    return false;
}

/* Closes those of the image that was used longest ago, if there are too many. */
static void make_room(struct work *w) {
    struct known *oldest = NULL;
    unsigned n = 0;
    for (size_t i = 0; i < w->v.n; i++) {
        struct known *k = &w->v.v[i];
        bool open = is_open(k);
        n += open;
        if (open && (oldest == NULL || k->used < oldest->used))
            oldest = k;
    }
    if (n < OPEN || oldest == NULL)
        return;
    for (int i = 0; i < oldest->next; i++) {
        debug_info_close(oldest->infos[i]);
        oldest->infos[i] = NULL;
    }
    oldest->next = 0;
}

/* Opens the next file that may be the image's. The second time without debug information from the
 * folder, which may be damaged. False: there are no more. */
static bool open_next(struct work *w, struct known *k) {
    int turns = w->symbols ? 2 * IMAGE_FILE_WAYS : IMAGE_FILE_WAYS, i = k->next;
    enum image_file_way way = (enum image_file_way)(i % IMAGE_FILE_WAYS);
    const struct image_file file = {k->pid, k->name, k->build_id, w->symbols};
    if (i >= (k->kind == IMAGE_VDSO ? 1 : turns))
        return false;
    if (!is_open(k))
        make_room(w);
    int fd = -1;
    if (k->kind == IMAGE_VDSO)
        fd = binary_vdso();
    else if (way != IMAGE_FILE_OWN || !w->folder_alone)
        fd = image_file_open(&file, way);
    if (fd >= 0)
        k->infos[i] =
            debug_info_open(fd, k->name, k->build_id, i < IMAGE_FILE_WAYS ? w->symbols : NULL);
    k->next = i + 1;
    return true;
}

/* The first file that is the image's, by its build id, and knows the address, gives the names. */
static unsigned find_in_files(struct work *w, struct known *k, uint64_t address,
                              struct debug_info_frame *frames) {
    for (int i = 0; i < k->next || open_next(w, k); i++) {
        unsigned n = k->infos[i] ? debug_info_find(k->infos[i], address, frames) : 0;
        if (n > 0)
            return n;
    }
    return 0;
}

static unsigned find_in_table(struct known *k, uint64_t address, struct debug_info_frame *f) {
    if (k->kind == IMAGE_KERNEL && !k->looked)
        read_kernel(k);
    k->looked = true;
    const char *name = symbol_table_find(&k->table, address);
    if (name == NULL && k->kind == IMAGE_JIT) {
        read_perf_map(k);
        name = symbol_table_find(&k->table, address);
    }
    f->file[0] = 0;
    f->line = 0;
    snprintf(f->name, sizeof f->name, "%s", name ? name : "");
    return name != NULL;
}

/* ---- questions and answers ---- */

static void print_text(FILE *out, const char *s) {
    for (; *s; s++)
        putc((unsigned char)*s < ' ' || *s == 127 ? ' ' : *s, out);
}

static void answer(struct work *w, uint32_t number, uint64_t address, FILE *out) {
    static struct debug_info_frame frames[DEBUG_INFO_DEPTH];
    struct known *k = number < w->v.n ? &w->v.v[number] : NULL;
    unsigned n = 0;
    if (k && k->name) {
        *w->image = number + 1;
        k->used = ++w->uses;
        bool in_files = k->kind == IMAGE_FILE || k->kind == IMAGE_VDSO;
        n = in_files ? find_in_files(w, k, address, frames) : find_in_table(k, address, frames);
        *w->image = 0;
    }
    for (unsigned i = 0; i < n; i++) {
        if (i > 0)
            putc('\t', out);
        print_text(out, frames[i].name);
        putc('\t', out);
        print_text(out, frames[i].file);
        fprintf(out, "\t%u", frames[i].line);
    }
    putc('\n', out);
}

static void take_image(struct work *w, char *line) {
    char *at = line;
    uint32_t number = (uint32_t)strtoul(at, &at, 10), pid = (uint32_t)strtoul(at, &at, 10);
    unsigned kind = (unsigned)strtoul(at, &at, 10);
    char *build_id = at + strspn(at, " "), *name = strchr(build_id, ' ');
    if (name == NULL || number >= UINT16_MAX)
        return;
    *name++ = 0;
    while (w->v.n <= number)
        vec_push(&w->v, (struct known){0});
    struct known *k = &w->v.v[number];
    if (k->name) /* it is known */
        return;
    k->kind = (enum image_kind)kind;
    k->pid = pid;
    k->name = err_copy(name, strlen(name));
    k->build_id = err_copy(build_id, strcmp(build_id, "-") == 0 ? 0 : strlen(build_id));
}

static _Noreturn void serve(const struct namer *n, int fd) {
    struct work w = {.image = n->image, .symbols = n->symbols, .folder_alone = n->folder_alone};
    char line[8192], *at;
    FILE *in = fdopen(fd, "r"), *out = fdopen(dup(fd), "w");
    if (in == NULL || out == NULL)
        _exit(1);
    while (fgets(line, sizeof line, in)) {
        line[strcspn(line, "\n")] = 0;
        if (line[0] == 'm') {
            take_image(&w, line + 1);
        } else if (line[0] == 'a') {
            uint32_t number = (uint32_t)strtoul(line + 1, &at, 10);
            answer(&w, number, strtoull(at, NULL, 16), out);
        } else if (fflush(out) != 0) {
            break;
        }
    }
    _exit(0);
}

static void run(void *ctx, int fd) {
    const struct namer *n = ctx;
    const struct rlimit memory = {MEMORY, MEMORY}, none = {0, 0};
    setrlimit(RLIMIT_CORE, &none);
    if (LIMITED)
        setrlimit(RLIMIT_AS, &memory);
    setpriority(PRIO_PROCESS, 0, n->nice);
    unsetenv("DEBUGINFOD_URLS"); /* a recording asks no one else */
    serve(n, fd);
}

bool namer_start(struct namer *n) {
    if (n->image == NULL) {
        void *page =
            /* cppcheck-suppress invalidFunctionArg ; an anonymous map has no descriptor */
            mmap(NULL, sizeof *n->image, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
        if (page == MAP_FAILED)
            return false;
        n->image = page;
    }
    *n->image = 0;
    return apart_start(&n->apart, run, n);
}

void namer_stop(struct namer *n) {
    apart_stop(&n->apart);
}

/* ---- the other end ---- */

void namer_put_image(FILE *f, uint32_t number, uint32_t pid, enum image_kind kind,
                     const char *build_id, const char *name) {
    fprintf(f, "m %" PRIu32 " %" PRIu32 " %d %s ", number, pid, (int)kind,
            build_id[0] ? build_id : "-");
    for (const char *s = name; *s; s++)
        putc(*s == '\n' ? '?' : *s, f);
    putc('\n', f);
}

void namer_put_address(FILE *f, uint32_t number, uint64_t address) {
    fprintf(f, "a %" PRIu32 " %" PRIx64 "\n", number, address);
}

bool namer_send(const struct namer *n, const char *s, size_t bytes) {
    while (bytes > 0) {
        ssize_t sent = send(n->apart.fd, s, bytes, MSG_NOSIGNAL);
        if (sent < 0 && errno == EINTR)
            continue;
        if (sent <= 0)
            return false;
        s += sent;
        bytes -= (size_t)sent;
    }
    return true;
}

void namer_make_plain(char *s, size_t n) {
    for (size_t i = 0; i < n; i++)
        if (((unsigned char)s[i] < ' ' && s[i] != '\t') || s[i] == 127)
            s[i] = ' ';
}
