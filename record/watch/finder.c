/* finder.c - asks for one address after the other. */
#include "record/watch/finder.h"

#include <errno.h>
#include <poll.h>
#include <stdio.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/socket.h>
#include <unistd.h>

#include "record/ticks.h"
#include "record/watch/debug_info.h"
#include "record/watch/image_file.h"
#include "src/command_line.h"

#define PATIENCE UINT64_C(10000000000) /* ns for an answer */
#define RESTARTS 8
#define IMAGES 65535              /* numbers that the process knows */
#define ANSWER ((size_t)64 << 10) /* bytes of one at most */

/* ---- modules ---- */

static bool is_build_id(struct str s) {
    size_t n = 0;
    while (n < s.n && s.s[n] && strchr("0123456789abcdef", s.s[n]))
        n++;
    return n == s.n && n > 2 && n <= 2 * BINARY_BUILD_ID && n % 2 == 0;
}

/* A path without a step out of a folder; a name alone is at its top. */
static char *path_of(struct str name) {
    char *path = err_malloc(name.n + 2), *base;
    path[0] = '/';
    memcpy(path + 1, name.s, name.n);
    path[1 + name.n] = 0;
    for (char *s = path; *s; s++)
        *s = (char)((unsigned char)*s < ' ' || *s == 127 ? '?' : *s);
    bool leaves = strstr(path, "/../") || path[1] != '/';
    base = leaves ? strrchr(path, '/') : path + 1;
    memmove(path, base, strlen(base) + 1);
    if (strcmp(path, "/..") == 0 || strcmp(path, "/.") == 0)
        path[1] = 0;
    return path;
}

struct wanted {
    const struct finder *finder;
    const char *build_id, *path;
};

static bool is_same(const void *ctx, uint32_t i) {
    const struct wanted *w = ctx;
    const struct finder_module *m = &w->finder->modules.v[i];
    return strcmp(m->build_id, w->build_id) == 0 && strcmp(m->path, w->path) == 0;
}

/* The number of a module; IMAGES: there are too many. */
static uint32_t module_of(struct finder *f, struct str build_id, struct str name) {
    struct finder_module m = {err_copy(build_id.s, build_id.n), path_of(name), false, false};
    struct wanted wanted = {f, m.build_id, m.path};
    uint64_t hash =
        hash_words(hash_bytes(build_id.s, build_id.n), hash_bytes(m.path, strlen(m.path)));
    uint32_t i = map_find(&f->by_key, hash, is_same, &wanted);
    bool fits = i == MAP_NONE && f->modules.n < IMAGES;
    if (fits) {
        i = (uint32_t)f->modules.n;
        map_add(&f->by_key, hash, i);
        vec_push(&f->modules, m);
    } else {
        free(m.build_id);
        free(m.path);
    }
    return i == MAP_NONE ? IMAGES : i;
}

/* ---- the process ---- */

/* It has ended, or has to: the file that it was reading has no names. */
static void give_up(struct finder *f) {
    uint32_t image = f->namer.image ? *f->namer.image - 1 : UINT32_MAX;
    namer_stop(&f->namer);
    for (size_t i = 0; i < f->modules.n; i++)
        f->modules.v[i].asked = false;
    f->restarts++;
    if (image >= f->modules.n)
        return;
    f->modules.v[image].bad = true;
    if (f->nbad++ == 0)
        f->bad = err_copy(f->modules.v[image].path, strlen(f->modules.v[image].path));
}

static bool ask(struct finder *f, uint32_t number, uint64_t address) {
    struct finder_module *m = &f->modules.v[number];
    char *text = NULL;
    size_t n = 0;
    FILE *to = open_memstream(&text, &n);
    if (to == NULL)
        return false;
    if (!m->asked)
        namer_put_image(to, number, 0, IMAGE_FILE, m->build_id, m->path);
    m->asked = true;
    namer_put_address(to, number, address);
    putc('\n', to);
    bool sent = fclose(to) == 0 && namer_send(&f->namer, text, n);
    free(text);
    return sent;
}

/* Reads a line. False: none has come in time. */
static bool receive(struct finder *f) {
    uint64_t now = ticks_monotonic(), until = now + PATIENCE;
    f->answer.n = 0;
    while ((now = ticks_monotonic()) < until && f->answer.n < ANSWER) {
        struct pollfd p = {f->namer.apart.fd, POLLIN, 0};
        int ready = poll(&p, 1, (int)((until - now) / 1000000 + 1));
        if (ready <= 0)
            continue; /* a signal, or the end of the time */
        vec_reserve(&f->answer, f->answer.n + 4096);
        ssize_t n = recv(p.fd, f->answer.v + f->answer.n, 4096, MSG_DONTWAIT);
        if (n == 0 || (n < 0 && errno != EAGAIN && errno != EINTR))
            return false;
        f->answer.n += n > 0 ? (size_t)n : 0;
        if (f->answer.n > 0 && f->answer.v[f->answer.n - 1] == '\n')
            return true;
    }
    return false;
}

/* A copy of this process must not ask what it shares with the other. */
static bool is_ready(struct finder *f) {
    if (f->namer.apart.pid > 0 && f->owner != getpid()) {
        close(f->namer.apart.fd);
        f->namer = (struct namer){.symbols = f->namer.symbols,
                                  .folder_alone = f->namer.folder_alone,
                                  .nice = f->namer.nice};
        for (size_t i = 0; i < f->modules.n; i++)
            f->modules.v[i].asked = false;
    }
    f->owner = getpid();
    return f->restarts <= RESTARTS && (f->namer.apart.pid > 0 || namer_start(&f->namer));
}

static struct str find(void *ctx, struct str build_id, struct str name, uint64_t address) {
    struct finder *f = ctx;
    uint32_t number = IMAGES;
    if (is_build_id(build_id) && name.n > 0 && name.s[0] != '[')
        number = module_of(f, build_id, name);
    if (number == IMAGES || f->modules.v[number].bad || !is_ready(f))
        return STR("");
    if (!ask(f, number, address) || !receive(f)) {
        give_up(f);
        return STR("");
    }
    namer_make_plain(f->answer.v, f->answer.n);
    return (struct str){f->answer.v, f->answer.n - 1};
}

struct finder *finder_new(const char *folder, bool own, bool ascii, struct err *err) {
    struct finder *f = err_calloc(1, sizeof *f);
    f->source = (struct symbols_source){f, find};
    if (folder && !image_file_folder(folder, f->folder, sizeof f->folder)) {
        command_line_refuse(ascii, err, IMAGE_FILE_NO_FOLDER, folder);
    } else if (folder && !debug_info_available()) {
        err_set(err, ERR_NO_OFFSET, "--symbols needs libdw, which this program is built without");
    } else {
        f->namer.symbols = folder ? f->folder : NULL;
        f->namer.folder_alone = !own;
        f->namer.nice = getpriority(PRIO_PROCESS, 0);
        return f;
    }
    free(f);
    return NULL;
}

void finder_free(struct finder *f) {
    if (f == NULL)
        return;
    if (f->owner == getpid())
        namer_stop(&f->namer);
    for (size_t i = 0; i < f->modules.n; i++) {
        free(f->modules.v[i].build_id);
        free(f->modules.v[i].path);
    }
    vec_free(&f->modules);
    vec_free(&f->answer);
    map_free(&f->by_key);
    free(f->bad);
    free(f);
}

const struct symbols_source *finder_source(const struct finder *f) {
    return &f->source;
}

const char *finder_bad(const struct finder *f, unsigned *n) {
    *n = f->nbad;
    return f->bad;
}
