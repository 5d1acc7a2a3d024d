/* images.c - mappings of processes, and their module and mmap records.
 *
 * The kernel has an event for each mapping of code, and none for its end. So a later one takes the
 * place of those that it overlaps. If events were lost, /proc/PID/maps has the others. */
#include "record/watch/images.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#include "record/watch/image_file.h"

#define MAPS 16384                 /* of a process: further ones are not known */
#define IMAGES 65535               /* numbers that a module record holds */
#define FRAMES ((size_t)256 << 20) /* bytes of tables at most */
#define NAME 255                   /* bytes that it holds of a name: the last ones */

/* ---- images ---- */

struct query {
    const struct images *images;
    const struct image *image;
};

static bool is_same(const void *ctx, uint32_t number) {
    const struct query *q = ctx;
    const struct image *a = &q->images->v.v[number], *b = q->image;
    return a->kind == b->kind && a->pid == b->pid && strcmp(a->name, b->name) == 0 &&
           strcmp(a->build_id, b->build_id) == 0;
}

static uint32_t intern(struct images *m, const struct image *image) {
    const struct query query = {m, image};
    uint64_t hash = hash_words(hash_bytes(image->name, strlen(image->name)),
                               hash_bytes(image->build_id, strlen(image->build_id)) ^ image->pid);
    uint32_t at = map_find(&m->names, hash, is_same, &query);
    if (at != MAP_NONE || m->v.n >= IMAGES)
        return at == MAP_NONE ? IMAGES_NONE : at;
    map_add(&m->names, hash, (uint32_t)m->v.n);
    vec_push(&m->v, *image);
    struct image *new = &m->v.v[m->v.n - 1];
    new->name = err_copy(image->name, strlen(image->name));
    return (uint32_t)m->v.n - 1;
}

static bool begins(const char *name, const char *with) {
    return strncmp(name, with, strlen(with)) == 0;
}

static void put_hex(char *to, const unsigned char *bytes, size_t n) {
    static const char digits[] = "0123456789abcdef";
    for (size_t i = 0; i < n; i++) {
        to[2 * i] = digits[bytes[i] >> 4];
        to[2 * i + 1] = digits[bytes[i] & 15];
    }
    to[2 * n] = 0;
}

/* Code that a program has made in memory, as perf(1) knows it. */
static bool is_made(const char *name) {
    return *name == 0 || begins(name, "//anon") || begins(name, "[heap") ||
           begins(name, "[stack") || begins(name, "/memfd:") || begins(name, "/dev/zero") ||
           begins(name, "/SYSV") || begins(name, "[anon");
}

static uint32_t image_of(struct images *m, const struct images_event *e) {
    char name[4096];
    struct image image = {.kind = IMAGE_FILE, .name = name};
    snprintf(name, sizeof name, "%.*s",
             (int)(e->name.n < sizeof name ? e->name.n : sizeof name - 1), e->name.s);
    if (strcmp(name, "[vdso]") == 0) {
        image.kind = IMAGE_VDSO;
    } else if (is_made(name)) {
        image.kind = IMAGE_JIT;
        image.pid = e->pid;
        snprintf(name, sizeof name, "[jit]");
        snprintf(image.build_id, sizeof image.build_id, "%08" PRIx32, e->pid);
    } else if (*name == '[') {
        return IMAGES_NONE;
    } else if (e->build_id_size <= BINARY_BUILD_ID) {
        put_hex(image.build_id, e->build_id, e->build_id_size);
    }
    return intern(m, &image);
}

/* Reads the headers of a file, and its table of frames. False: it is another one. */
static bool read_file(struct images *m, struct image *image, int fd) {
    char found[2 * BINARY_BUILD_ID + 1] = "";
    if (!binary_read(&image->binary, fd))
        image->binary.n = 0;
    put_hex(found, image->binary.build_id, image->binary.build_id_size);
    if (image->build_id[0] && strcmp(found, image->build_id) != 0)
        image->binary.n = 0; /* another file has its path now */
    if (image->binary.n == 0)
        return false;
    image->frames = unwind_open(fd, &image->binary, m->frames < FRAMES ? FRAMES - m->frames : 0);
    m->frames += unwind_bytes(image->frames);
    return true;
}

/* Looks for a file of an image: first that of the process. */
static void look(struct images *m, struct image *image, uint32_t pid) {
    static const enum image_file_way ways[] = {IMAGE_FILE_OWN, IMAGE_FILE_ROOT, IMAGE_FILE_NAME};
    const struct image_file file = {pid, image->name, image->build_id, m->symbols};
    bool found = false;
    if (image->looked)
        return;
    image->looked = true;
    for (size_t i = 0; i < sizeof ways / sizeof *ways && !found; i++) {
        int fd = -1;
        if (image->kind == IMAGE_VDSO && i == 0)
            fd = binary_vdso();
        else if (image->kind == IMAGE_FILE)
            fd = image_file_open(&file, ways[i]);
        found = fd >= 0 && read_file(m, image, fd);
        if (fd >= 0)
            close(fd);
    }
}

/* ---- processes ---- */

static struct images_process *find(const struct images *m, uint32_t pid) {
    uint64_t place = u64map_get(&m->places, pid);
    return place == UINT64_MAX || place == 0 ? NULL : &m->processes.v[place - 1];
}

static struct images_process *process_of(struct images *m, uint32_t pid) {
    struct images_process *known = find(m, pid);
    if (known)
        return known;
    uint32_t at = (uint32_t)m->processes.n;
    if (m->unused.n > 0)
        at = m->unused.v[--m->unused.n];
    else
        vec_push(&m->processes, (struct images_process){0});
    m->processes.v[at] = (struct images_process){.pid = pid};
    u64map_set(&m->places, pid, at + 1);
    return &m->processes.v[at];
}

static void release(struct images_space *space) {
    if (space == NULL || --space->refs > 0)
        return;
    vec_free(&space->v);
    free(space);
}

/* The mappings of a process. If it has those of another one, its own are none whose records are
 * written. */
static struct images_space *own(struct images_process *p, bool changes) {
    struct images_space *old = p->space;
    bool shared = old && old->refs > 1;
    if (old && old->owner == p->pid && !(shared && changes))
        return old;
    bool mine = old && old->owner == p->pid;
    struct images_space *space = shared || !old ? err_calloc(1, sizeof *space) : old;
    if (shared) {
        vec_reserve(&space->v, old->v.n);
        if (old->v.n > 0)
            memcpy(space->v.v, old->v.v, old->v.n * sizeof *old->v.v);
        space->v.n = old->v.n;
        release(old);
    }
    for (size_t i = 0; i < space->v.n && !mine; i++)
        space->v.v[i].written = false;
    if (space != old)
        space->refs = 1;
    space->owner = p->pid;
    return p->space = space;
}

void images_fork(struct images *m, uint32_t pid, uint32_t parent) {
    images_forget(m, pid);
    struct images_process *from = find(m, parent);
    if (from == NULL || from->space == NULL)
        return;
    struct images_space *space = from->space;
    space->refs++;
    process_of(m, pid)->space = space;
}

void images_forget(struct images *m, uint32_t pid) {
    struct images_process *p = find(m, pid);
    if (p == NULL)
        return;
    if (p->space && p->space->owner == pid)
        p->space->owner = 0; /* the number may be another process's soon */
    release(p->space);
    u64map_set(&m->places, pid, 0);
    vec_push(&m->unused, (uint32_t)(p - m->processes.v));
    *p = (struct images_process){0};
}

/* The first mapping that ends after an address. */
static size_t after(const struct images_space *s, uint64_t address) {
    size_t low = 0, high = s->v.n;
    while (low < high) {
        size_t middle = low + (high - low) / 2;
        if (s->v.v[middle].end <= address)
            low = middle + 1;
        else
            high = middle;
    }
    return low;
}

static void insert(struct images_space *s, size_t at, const struct images_map *map) {
    vec_push(&s->v, *map);
    memmove(&s->v.v[at + 1], &s->v.v[at], (s->v.n - 1 - at) * sizeof *map);
    s->v.v[at] = *map;
}

/* Takes out the mappings of an area. */
static size_t clear(struct images_space *s, uint64_t start, uint64_t end) {
    size_t at = after(s, start), last = at;
    if (at < s->v.n && s->v.v[at].start < start) {
        struct images_map rest = s->v.v[at];
        s->v.v[at].end = start;
        at++;
        if (rest.end > end) {
            rest.offset += end - rest.start;
            rest.start = end;
            insert(s, at, &rest);
            return at;
        }
    }
    for (last = at; last < s->v.n && s->v.v[last].end <= end;)
        last++;
    if (last < s->v.n && s->v.v[last].start < end) {
        s->v.v[last].offset += end - s->v.v[last].start;
        s->v.v[last].start = end;
    }
    if (last > at)
        memmove(&s->v.v[at], &s->v.v[last], (s->v.n - last) * sizeof *s->v.v);
    s->v.n -= last - at;
    return at;
}

void images_add(struct images *m, const struct images_event *e) {
    uint32_t image = image_of(m, e);
    if (image == IMAGES_NONE || e->size == 0 || e->start >= IMAGES_KERNEL_BEGIN ||
        e->size > IMAGES_KERNEL_BEGIN - e->start)
        return;
    struct images_process *p = process_of(m, e->pid);
    size_t at = p->space ? after(p->space, e->start) : 0;
    const struct images_map *same = p->space && at < p->space->v.n ? &p->space->v.v[at] : NULL;
    if (same && same->start == e->start && same->end == e->start + e->size &&
        same->offset == e->offset && same->image == image)
        return;
    struct images_space *space = own(p, true);
    if (space->v.n >= MAPS)
        return;
    unsigned flags = (e->protection & PROT_READ ? 1u : 0) | (e->protection & PROT_WRITE ? 2u : 0) |
                     (e->protection & PROT_EXEC ? 4u : 0);
    const struct images_map map = {.start = e->start,
                                   .end = e->start + e->size,
                                   .offset = e->offset,
                                   .image = image,
                                   .flags = (uint8_t)flags};
    insert(space, clear(space, map.start, map.end), &map);
}

/* Adds a mapping with the build id that the kernel's event would have. */
static void add_with_build_id(struct images *m, struct images_event *e) {
    char path[4096];
    struct binary binary = {.n = 0};
    snprintf(path, sizeof path, "%.*s", (int)(e->name.n < sizeof path ? e->name.n : 0), e->name.s);
    const struct image_file file = {e->pid, path, "", NULL};
    int fd = *path == '/' ? image_file_open(&file, IMAGE_FILE_OWN) : -1;
    if (fd >= 0 && binary_read(&binary, fd)) {
        e->build_id = binary.build_id;
        e->build_id_size = binary.build_id_size;
    }
    if (fd >= 0)
        close(fd);
    images_add(m, e);
}

/* Adds the mappings of code that a process has now. */
static void look_in_proc(struct images *m, uint32_t pid) {
    char path[40], line[4400];
    snprintf(path, sizeof path, "/proc/%lu/maps", (unsigned long)pid);
    FILE *f = fopen(path, "re");
    while (f && fgets(line, sizeof line, f)) {
        char *at = line;
        struct images_event e = {.pid = pid};
        e.start = strtoull(at, &at, 16);
        uint64_t end = *at == '-' ? strtoull(at + 1, &at, 16) : 0;
        bool runs = strlen(at) > 5 && at[3] == 'x';
        e.protection = PROT_READ | PROT_EXEC;
        e.offset = runs ? strtoull(at + 5, &at, 16) : 0;
        for (int i = 0; i < 3 && at; i++) /* device, inode, name */
            if ((at = strchr(at, ' ')) != NULL)
                at += strspn(at, " ");
        if (!runs || end <= e.start)
            continue;
        e.size = end - e.start;
        e.name = at ? (struct str){at, strcspn(at, "\n")} : STR("");
        add_with_build_id(m, &e);
    }
    if (f)
        fclose(f);
}

void images_look(struct images *m, uint32_t pid) {
    process_of(m, pid)->looked = true;
    look_in_proc(m, pid);
}

/* ---- records ---- */

/* The address that an address of a process has in its image. */
static uint64_t numbered(const struct image *image, const struct images_map *map,
                         uint64_t address) {
    uint64_t own;
    if (image->kind == IMAGE_FILE && binary_address(&image->binary, map->offset, &own))
        return own + (address - map->start);
    return image->kind == IMAGE_JIT ? address : map->offset + (address - map->start);
}

/* The name of the file is at the end of a long path. */
struct str images_name(const struct image *image) {
    size_t n = strlen(image->name), cut = n > NAME ? n - NAME : 0;
    while (cut < n && cut > 0 && ((unsigned char)image->name[cut] & 0xC0) == 0x80)
        cut++;
    return (struct str){image->name + cut, n - cut};
}

static void write_map(struct images *m, struct output *o, uint64_t ts, uint32_t pid,
                      const struct images_map *map, bool module) {
    const struct image *image = &m->v.v[map->image];
    if (module) {
        struct writer *w = output_begin(o, OUTPUT_OWN);
        writer_module(w, ts, writer_intern_thread(w, pid, pid), map->image, images_name(image),
                      str_of(image->build_id));
        output_end(o);
    }
    struct writer *w = output_begin(o, OUTPUT_OWN);
    const struct writer_mapping mapping = {map->image, map->flags, map->start,
                                           map->end - map->start, numbered(image, map, map->start)};
    writer_mmap(w, ts, writer_intern_thread(w, pid, pid), &mapping);
    output_end(o);
}

static bool is_written(const struct images_space *s, uint32_t image) {
    for (size_t i = 0; i < s->v.n; i++)
        if (s->v.v[i].written && s->v.v[i].image == image)
            return true;
    return false;
}

static struct images_place find_kernel(struct images *m, struct output *o, uint64_t ts,
                                       struct images_process *p, uint64_t address) {
    const struct images_map map = {IMAGES_KERNEL_BEGIN, UINT64_MAX, IMAGES_KERNEL_BEGIN,
                                   IMAGES_KERNEL,       1 | 4,      true};
    if (!p->kernel)
        write_map(m, o, ts, p->pid, &map, true);
    p->kernel = true;
    return (struct images_place){IMAGES_KERNEL, address};
}

/* The mapping of an address; NULL: it is not known. */
static struct images_map *map_of(struct images *m, struct images_process *p, uint64_t address) {
    for (int tries = 0; tries < 2; tries++) {
        size_t at = p->space ? after(p->space, address) : 0;
        if (p->space && at < p->space->v.n && p->space->v.v[at].start <= address) {
            struct images_map *map = &own(p, false)->v.v[at];
            look(m, &m->v.v[map->image], p->pid);
            return map;
        }
        if (p->looked)
            return NULL;
        p->looked = true;
        look_in_proc(m, p->pid);
    }
    return NULL;
}

struct images_place images_look_up(struct images *m, uint32_t pid, uint64_t address) {
    struct images_process *p = process_of(m, pid);
    const struct images_map *map = address < IMAGES_KERNEL_BEGIN ? map_of(m, p, address) : NULL;
    if (map == NULL)
        return (struct images_place){IMAGES_NONE, address};
    return (struct images_place){map->image, numbered(&m->v.v[map->image], map, address)};
}

struct images_place images_find(struct images *m, struct output *o, uint64_t ts, uint32_t pid,
                                uint64_t address) {
    struct images_process *p = process_of(m, pid);
    if (address >= IMAGES_KERNEL_BEGIN)
        return find_kernel(m, o, ts, p, address);
    struct images_map *map = map_of(m, p, address);
    if (map == NULL)
        return (struct images_place){IMAGES_NONE, address};
    if (!map->written)
        write_map(m, o, ts, pid, map, !is_written(p->space, map->image));
    map->written = true;
    return (struct images_place){map->image, numbered(&m->v.v[map->image], map, address)};
}

void images_open(struct images *m) {
    char name[] = "[kernel]";
    const struct image kernel = {.kind = IMAGE_KERNEL, .name = name, .looked = true};
    *m = (struct images){0};
    intern(m, &kernel);
}

void images_close(struct images *m) {
    for (size_t i = 0; i < m->v.n; i++) {
        free(m->v.v[i].name);
        unwind_close(m->v.v[i].frames);
    }
    for (size_t i = 0; i < m->processes.n; i++)
        if (m->processes.v[i].pid != 0)
            release(m->processes.v[i].space);
    vec_free(&m->v);
    vec_free(&m->processes);
    vec_free(&m->unused);
    u64map_free(&m->places);
    map_free(&m->names);
    *m = (struct images){0};
}
