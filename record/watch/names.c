/* names.c - asks for the names of addresses, and writes them. */
#include "record/watch/names.h"

#include <errno.h>
#include <inttypes.h>
#include <poll.h>
#include <stdio.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/socket.h>
#include <unistd.h>

#include "record/ticks.h"

#define BATCH 256                      /* addresses that are asked for at once */
#define ANSWER ((size_t)8 << 20)       /* bytes of an answer at most */
#define PATIENCE UINT64_C(20000000000) /* ns for an answer */
#define RESTARTS 16
#define ADDRESSES (1u << 21)       /* that are named at most */
#define TEXT (UINT64_C(128) << 20) /* bytes of names at most */
#define HELD ((size_t)4 << 20)     /* words of stacks that wait at most */
#define BLOB 24000                 /* bytes of one */
#define FRAMES 32                  /* functions at an address */

/* ---- functions ---- */

struct query {
    const struct names *names;
    struct str name, file;
};

static bool same(const void *ctx, uint32_t number) {
    const struct query *q = ctx;
    const struct names_function *f = &q->names->functions.v[number];
    return str_eq(str_of(f->name), q->name) && str_eq(str_of(f->file), q->file);
}

/* A blob of lines, which is written when it is full. */
struct line_blob {
    struct output *output;
    char text[BLOB];
    size_t n;
};

static void end_lines(struct line_blob *l) {
    if (l->n == 0)
        return;
    struct writer *w = output_begin(l->output, OUTPUT_OWN);
    writer_blob(w, writer_intern(w, STR("symbols")), FXT_BLOB_DATA, (struct str){l->text, l->n});
    output_end(l->output);
    l->n = 0;
}

static void add_line(struct line_blob *l, const char *line, size_t n) {
    static const char version[] = "symbols\t1\n";
    if (l->n + n > sizeof l->text)
        end_lines(l);
    if (l->n == 0) {
        memcpy(l->text, version, sizeof version - 1);
        l->n = sizeof version - 1;
    }
    if (n > sizeof l->text - l->n)
        return;
    memcpy(l->text + l->n, line, n);
    l->n += n;
}

/* The number of a function, whose line is written if it is new. */
static uint32_t intern(struct names *m, struct line_blob *l, struct str name, struct str file) {
    const struct query query = {m, name, file};
    char line[4400];
    uint64_t hash = hash_words(hash_bytes(name.s, name.n), hash_bytes(file.s, file.n));
    uint32_t at = map_find(&m->functions_at, hash, same, &query);
    if (at != MAP_NONE)
        return at;
    if (m->text + name.n + file.n > TEXT)
        return NAMES_NONE;
    at = (uint32_t)m->functions.n;
    map_add(&m->functions_at, hash, at);
    vec_push(&m->functions,
             ((struct names_function){err_copy(name.s, name.n), err_copy(file.s, file.n)}));
    m->text += name.n + file.n;
    int n = snprintf(line, sizeof line, "f\t%" PRIu32 "\t%.*s\t%.*s\n", at, (int)name.n, name.s,
                     (int)file.n, file.s);
    if (n > 0 && (size_t)n < sizeof line)
        add_line(l, line, (size_t)n);
    return at;
}

static unsigned char *told(struct names *m, uint32_t image) {
    while (m->told.n <= image)
        vec_push(&m->told, 0);
    return &m->told.v[image];
}

static void tell_image(struct names *m, const struct images *images, struct line_blob *l,
                       uint32_t image) {
    char line[4400];
    const struct image *i = &images->v.v[image];
    if (*told(m, image) & NAMES_TOLD)
        return;
    *told(m, image) |= NAMES_TOLD;
    int n = snprintf(line, sizeof line, "m\t%" PRIu32 "\t%s\t", image,
                     i->build_id[0] ? i->build_id : "-");
    struct str name = images_name(i);
    for (size_t k = 0; k < name.n && (size_t)n < sizeof line - 1; k++)
        line[n++] = (unsigned char)name.s[k] < ' ' ? ' ' : name.s[k];
    line[n++] = '\n';
    add_line(l, line, (size_t)n);
}

/* ---- answers ---- */

static struct str take_field(const char **at, const char *end) {
    const char *from = *at, *to = memchr(from, '\t', (size_t)(end - from));
    if (to == NULL)
        to = end;
    *at = to < end ? to + 1 : end;
    return (struct str){from, (size_t)(to - from)};
}

static void take_line(struct names *m, const struct images *images, struct line_blob *l,
                      const struct names_wanted *w, char *s, size_t n) {
    char line[64 + FRAMES * 24];
    const char *at = s, *end = s + n;
    namer_make_plain(s, n);
    size_t used =
        (size_t)snprintf(line, sizeof line, "a\t%" PRIu32 "\t%" PRIx64, w->image, w->address);
    uint32_t first = NAMES_NONE;
    for (unsigned i = 0; at < end && i < FRAMES; i++) {
        struct str name = take_field(&at, end), file = take_field(&at, end),
                   number = take_field(&at, end);
        if (name.n == 0 || name.n > 2000 || file.n > 2000)
            break;
        uint32_t function = intern(m, l, name, file);
        if (function == NAMES_NONE)
            break;
        first = i == 0 ? function : first;
        unsigned long on = number.n > 0 && number.n < 12 ? strtoul(number.s, NULL, 10) : 0;
        used += (size_t)snprintf(line + used, sizeof line - used, "\t%" PRIu32 ":%lu", function,
                                 on & 0xffffffff);
    }
    m->entries.v[w->entry].function = first;
    if (first == NAMES_NONE)
        return;
    tell_image(m, images, l, w->image);
    line[used++] = '\n';
    add_line(l, line, used);
}

/* The first `n` of those that are wanted have their answer. */
static void drop_wanted(struct names *m, size_t n) {
    memmove(m->wanted.v, m->wanted.v + n, (m->wanted.n - n) * sizeof *m->wanted.v);
    m->wanted.n -= n;
    m->answered += n;
    m->asked = m->answer.n = m->lines = 0;
    m->due = 0;
}

static void take_answer(struct names *m, const struct images *images, struct output *o) {
    struct line_blob *lines = err_malloc(sizeof *lines);
    lines->output = o;
    lines->n = 0;
    char *at = m->answer.v, *end = m->answer.v + m->answer.n;
    for (size_t i = 0; i < m->asked; i++) {
        char *to = memchr(at, '\n', (size_t)(end - at));
        if (to == NULL)
            break;
        *to = 0; /* a number ends there */
        take_line(m, images, lines, &m->wanted.v[i], at, (size_t)(to - at));
        at = to + 1;
    }
    end_lines(lines);
    free(lines);
    drop_wanted(m, m->asked);
}

/* The process has ended, or has to: the file that it was reading has no names. */
static void give_up(struct names *m, const struct images *images) {
    uint32_t image = m->namer.image ? *m->namer.image - 1 : UINT32_MAX;
    namer_stop(&m->namer);
    for (size_t i = 0; i < m->told.n; i++)
        m->told.v[i] &= (unsigned char)~NAMES_ASKED;
    m->asked = m->answer.n = m->lines = 0;
    m->due = 0;
    m->off = ++m->restarts > RESTARTS;
    if (image >= images->v.n)
        return;
    *told(m, image) |= NAMES_BAD;
    if (m->nbad++ == 0)
        m->bad = err_copy(images->v.v[image].name, strlen(images->v.v[image].name));
}

/* Reads a part of the answer; true: it is whole. */
static bool receive(struct names *m, const struct images *images) {
    char part[8192];
    ssize_t n;
    while ((n = recv(m->namer.apart.fd, part, sizeof part, MSG_DONTWAIT)) > 0) {
        for (ssize_t i = 0; i < n; i++)
            m->lines += part[i] == '\n';
        vec_reserve(&m->answer, m->answer.n + (size_t)n);
        memcpy(m->answer.v + m->answer.n, part, (size_t)n);
        m->answer.n += (size_t)n;
        if (m->lines >= m->asked)
            return true;
        if (m->answer.n > ANSWER)
            break;
    }
    if (n >= 0 || (errno != EAGAIN && errno != EINTR))
        give_up(m, images);
    return false;
}

/* ---- questions ---- */

static void put_question(struct names *m, const struct images *images, FILE *f,
                         const struct names_wanted *w) {
    const struct image *i = &images->v.v[w->image];
    if ((*told(m, w->image) & NAMES_ASKED) == 0) {
        *told(m, w->image) |= NAMES_ASKED;
        namer_put_image(f, w->image, i->kind == IMAGE_JIT ? i->pid : w->pid, i->kind,
                        i->kind == IMAGE_JIT ? "" : i->build_id, i->name);
    }
    namer_put_address(f, w->image, w->address);
}

static bool is_bad(const struct names *m, uint32_t image) {
    return image < m->told.n && (m->told.v[image] & NAMES_BAD);
}

/* Asks for a batch. Addresses of bad images are answered by that. */
static void ask(struct names *m, const struct images *images, uint64_t now) {
    char *text = NULL;
    size_t n = 0, skipped = 0;
    while (skipped < m->wanted.n && (m->off || is_bad(m, m->wanted.v[skipped].image)))
        skipped++;
    drop_wanted(m, skipped);
    if (m->wanted.n == 0)
        return;
    if (m->namer.apart.pid == 0 && !namer_start(&m->namer)) {
        m->off = true;
        drop_wanted(m, m->wanted.n);
        return;
    }
    FILE *f = open_memstream(&text, &n);
    if (f == NULL)
        return;
    for (; m->asked < m->wanted.n && m->asked < BATCH; m->asked++) {
        if (is_bad(m, m->wanted.v[m->asked].image))
            break;
        put_question(m, images, f, &m->wanted.v[m->asked]);
    }
    putc('\n', f);
    bool whole = fclose(f) == 0 && namer_send(&m->namer, text, n);
    free(text);
    m->due = now + PATIENCE;
    if (!whole)
        give_up(m, images);
}

void names_want(struct names *m, uint32_t pid, struct images_place place, bool counts) {
    /* The upper bits of an address repeat the one below them, so the image fits there. */
    uint64_t upper = (uint64_t)((int64_t)(place.address << 16) >> 16);
    m->samples += counts;
    if (place.image == IMAGES_NONE || upper != place.address)
        return;
    uint64_t key = u64map_key((place.address & 0xffffffffffff) | (uint64_t)place.image << 48);
    uint64_t at = u64map_get(&m->places, key);
    if (at == UINT64_MAX) {
        if (m->entries.n >= ADDRESSES)
            return;
        at = m->entries.n;
        u64map_set(&m->places, key, at);
        vec_push(&m->entries, ((struct names_address){.function = NAMES_NONE}));
        vec_push(&m->wanted,
                 ((struct names_wanted){place.image, pid, (uint32_t)at, place.address}));
        m->all++;
    }
    m->entries.v[at].samples += counts;
}

/* ---- stacks ---- */

static void write_stack(struct output *o, uint64_t ts, uint32_t pid, uint32_t tid,
                        const uint64_t *pcs, size_t n) {
    struct writer *w = output_begin(o, OUTPUT_OWN);
    writer_backtrace(w, ts, writer_intern_thread(w, pid, tid), pcs, n);
    output_end(o);
}

/* Writes the stacks whose names are there, or all. */
static void release(struct names *m, struct output *o, bool all) {
    while (m->held_at < m->held.n) {
        const uint64_t *h = m->held.v + m->held_at;
        if (!all && h[0] > m->answered)
            return;
        write_stack(o, h[1], (uint32_t)(h[2] >> 32), (uint32_t)h[2], h + 4, (size_t)h[3]);
        m->held_at += 4 + (size_t)h[3];
    }
    m->held.n = m->held_at = 0;
}

void names_hold(struct names *m, struct output *o, uint64_t ts, uint32_t pid, uint32_t tid,
                const uint64_t *pcs, unsigned n) {
    if (m->answered == m->all && m->held.n == 0) {
        write_stack(o, ts, pid, tid, pcs, n);
        return;
    }
    vec_push(&m->held, m->all);
    vec_push(&m->held, ts);
    vec_push(&m->held, (uint64_t)pid << 32 | tid);
    vec_push(&m->held, n);
    for (unsigned i = 0; i < n; i++)
        vec_push(&m->held, pcs[i]);
    if (m->held.n > HELD)
        release(m, o, true);
}

void names_step(struct names *m, const struct images *images, struct output *o, uint64_t now) {
    if (m->due > 0 && receive(m, images))
        take_answer(m, images, o);
    if (m->due > 0 && now > m->due)
        give_up(m, images);
    if (m->due == 0 && m->wanted.n > 0)
        ask(m, images, now);
    release(m, o, false);
}

void names_finish(struct names *m, const struct images *images, struct output *o, uint64_t until) {
    for (uint64_t now; m->wanted.n > 0 && (now = ticks_monotonic()) < until;) {
        struct pollfd p = {names_fd(m), POLLIN, 0};
        if (p.fd >= 0)
            poll(&p, 1, (int)((until - now) / 1000000 + 1));
        names_step(m, images, o, now);
    }
    release(m, o, true);
}

int names_fd(const struct names *m) {
    return m->due > 0 ? m->namer.apart.fd : -1;
}

const char *names_heaviest(const struct names *m, uint64_t *samples) {
    uint64_t *counts = err_calloc(m->functions.n + 1, sizeof *counts);
    uint64_t nameless = 0;
    size_t most = 0;
    for (size_t i = 0; i < m->entries.n; i++)
        if (m->entries.v[i].function != NAMES_NONE)
            counts[m->entries.v[i].function] += m->entries.v[i].samples;
        else
            nameless += m->entries.v[i].samples;
    for (size_t i = 1; i < m->functions.n; i++)
        if (counts[i] > counts[most])
            most = i;
    *samples = counts[most];
    free(counts);
    if (nameless > *samples) {
        *samples = nameless;
        return NAMES_NAMELESS;
    }
    return *samples > 0 ? m->functions.v[most].name : NULL;
}

void names_open(struct names *m) {
    *m = (struct names){0};
    m->namer.nice = getpriority(PRIO_PROCESS, 0); /* the recording has a higher one later */
}

void names_close(struct names *m) {
    namer_stop(&m->namer);
    for (size_t i = 0; i < m->functions.n; i++) {
        free(m->functions.v[i].name);
        free(m->functions.v[i].file);
    }
    vec_free(&m->entries);
    vec_free(&m->wanted);
    vec_free(&m->functions);
    vec_free(&m->told);
    vec_free(&m->answer);
    vec_free(&m->held);
    u64map_free(&m->places);
    map_free(&m->functions_at);
    free(m->bad);
}
