/* parts.c - several files, or words that the program makes, in one space of offsets.
 *
 * A slice keeps 37 bits of an offset in words: the space has 1 TiB. A part that has ended takes its
 * bytes and a page; so its end is in its own slot. One that grows takes an equal share of the
 * space, at most GROWING. */
#include "src/io/parts.h"

#include <assert.h>
#include <inttypes.h>
#include <string.h>

#include "src/base/lower_bound.h"
#include "src/base/vec.h"

#define SPACE (UINT64_C(1) << 40)
#define SLOT_STEP UINT64_C(4096)
#define GROWING (UINT64_C(64) << 30)
#define MOST 128u

struct part {
    struct file *file;
    uint64_t begin, slot; /* bytes; slot of the last one: all that is left */
    bool derived;
    /* it is so many bytes of a file from an offset on: not all of it */
    bool within;
    uint64_t from, bytes;
};

struct parts {
    VEC(struct part) v;
    uint64_t share; /* of a part that grows */
    bool grow;      /* slots were made for that */
};

/* The part at an offset: all but the last have their final slot. */
size_t parts_at(const struct parts *parts, uint64_t at) {
    size_t i = 1;
    lower_bound(i, parts->v.n, k, parts->v.v[k].begin <= at);
    return i - 1;
}

struct parts *parts_new(struct file *first, size_t grow) {
    struct parts *parts = err_calloc(1, sizeof *parts);
    uint64_t share = grow > 0 ? SPACE / (grow + 1) / SLOT_STEP * SLOT_STEP : GROWING;
    parts->share = share < GROWING ? share : GROWING;
    parts->grow = grow > 0;
    vec_push(&parts->v, ((struct part){.file = first, .slot = SPACE}));
    return parts;
}

struct parts *parts_within(struct file *file, uint64_t begin, const uint64_t *bytes, size_t n) {
    struct parts *parts = err_calloc(1, sizeof *parts);
    parts->share = GROWING;
    for (size_t i = 0; i < n; i++) {
        uint64_t at = i > 0 ? parts->v.v[i - 1].begin + parts->v.v[i - 1].slot : 0;
        uint64_t slot = (bytes[i] / SLOT_STEP + 2) * SLOT_STEP;
        vec_push(&parts->v, ((struct part){file, at, slot, false, true, begin, bytes[i]}));
        begin += bytes[i];
    }
    return parts;
}

/* Whether a part is the first of its file. */
static bool has_file(const struct parts *parts, size_t i) {
    return i == 0 || !parts->v.v[i].within;
}

/* The place in its file. */
static uint64_t place_in(const struct part *part, uint64_t at) {
    return at - part->begin + part->from;
}

void parts_free(struct parts *parts) {
    if (parts == NULL)
        return;
    for (size_t i = 0; i < parts->v.n; i++)
        if (has_file(parts, i))
            file_close(parts->v.v[i].file);
    vec_free(&parts->v);
    free(parts);
}

/* The bytes that a part takes when another one follows. */
static uint64_t slot_of(const struct parts *parts, const struct part *part) {
    uint64_t size = file_size(part->file);
    uint64_t need = (size / SLOT_STEP + 2) * SLOT_STEP;
    if (part->within)
        return part->slot;
    return file_ended(part->file) || need > parts->share ? need : parts->share;
}

bool parts_add(struct parts *parts, struct file *file, bool derived, struct err *err) {
    struct part *last = &parts->v.v[parts->v.n - 1];
    uint64_t slot = slot_of(parts, last);
    uint64_t left = last->within ? SPACE - last->begin : last->slot;
    if (parts->v.n == MOST || slot >= left || file_size(file) >= left - slot)
        return err_set(err, ERR_NO_OFFSET, "1 TiB of traces at most can be opened together");
    struct part next = {
        .file = file, .begin = last->begin + slot, .slot = left - slot, .derived = derived};
    last->slot = last->within ? last->slot : slot;
    vec_push(&parts->v, next);
    return true;
}

size_t parts_count(const struct parts *parts) {
    return parts->v.n;
}

struct file *parts_file(const struct parts *parts, size_t i) {
    return parts->v.v[i].file;
}

/* The bytes of a part that its slot holds. */
static uint64_t bytes_of(const struct part *part) {
    uint64_t size = file_size(part->file);
    uint64_t most = part->within ? part->bytes : part->slot;
    size -= size < part->from ? size : part->from;
    return size < most ? size : most;
}

/* No more bytes come, whatever its file gets. */
static bool is_full(const struct part *part) {
    return bytes_of(part) == (part->within ? part->bytes : part->slot);
}

void parts_get(const struct parts *parts, size_t i, struct file_part *to) {
    const struct part *part = &parts->v.v[i];
    *to = (struct file_part){i, part->begin, part->begin + bytes_of(part),
                             file_ended(part->file) || is_full(part), part->derived};
}

/* ---- the questions of file.h ---- */

bool parts_step(struct parts *parts, size_t bytes, int wait_ms) {
    bool news = false;
    for (size_t i = 0; i < parts->v.n; i++)
        if (!parts->v.v[i].derived && has_file(parts, i))
            news = file_step(parts->v.v[i].file, bytes, 0) || news;
    for (size_t i = 0; i < parts->v.n && !news && wait_ms != 0; i++)
        if (!parts->v.v[i].derived && !file_ended(parts->v.v[i].file))
            return file_step(parts->v.v[i].file, bytes, wait_ms);
    return news;
}

bool parts_any(const struct parts *parts, bool (*is)(const struct file *file)) {
    bool any = false;
    for (size_t i = 0; i < parts->v.n && !any; i++)
        any = is(parts->v.v[i].file);
    return any;
}

/* Files that can be followed are; others end by themselves. */
bool parts_follow(struct parts *parts, bool on) {
    bool any = false;
    for (size_t i = 0; i < parts->v.n; i++)
        if (!parts->v.v[i].derived && has_file(parts, i))
            any = file_follow(parts->v.v[i].file, on) || any;
    return any;
}

/* Slots are those of the parts as they were opened. */
bool parts_must_reopen(const struct parts *parts) {
    bool several = parts->v.n > 1 && !parts->v.v[1].derived;
    return (several && !parts->grow && parts_any(parts, file_follows)) ||
           parts_any(parts, file_must_reopen);
}

enum file_change parts_changed(struct parts *parts) {
    enum file_change change = FILE_SAME;
    for (size_t i = 0; i < parts->v.n && change != FILE_OTHER; i++) {
        enum file_change of = file_changed(parts->v.v[i].file);
        change = of == FILE_SAME ? change : of;
    }
    return change;
}

bool parts_may_have_changed(struct parts *parts) {
    bool may = false;
    for (size_t i = 0; i < parts->v.n; i++)
        may = file_may_have_changed(parts->v.v[i].file) || may;
    return may;
}

int parts_fd(const struct parts *parts) {
    int fd = -1;
    for (size_t i = 0; i < parts->v.n && fd < 0; i++)
        fd = file_fd(parts->v.v[i].file);
    return fd;
}

uint64_t parts_size(const struct parts *parts) {
    uint64_t size = 0;
    for (size_t i = 0; i < parts->v.n; i++)
        size += parts->v.v[i].derived ? 0 : bytes_of(&parts->v.v[i]);
    return size;
}

bool parts_ended(const struct parts *parts) {
    bool ended = true;
    for (size_t i = 0; i < parts->v.n && ended; i++)
        ended = file_ended(parts->v.v[i].file);
    return ended;
}

bool parts_is_whole(const struct parts *parts) {
    bool whole = true;
    for (size_t i = 0; i < parts->v.n && whole; i++)
        whole = bytes_of(&parts->v.v[i]) == 0 || file_is_whole(parts->v.v[i].file);
    return whole;
}

enum file_fault parts_fault(const struct parts *parts, const char **why) {
    enum file_fault fault = FILE_OK;
    for (size_t i = 0; i < parts->v.n && fault == FILE_OK; i++)
        fault = file_fault(parts->v.v[i].file, why);
    return fault;
}

void parts_progress(const struct parts *parts, uint64_t *done, uint64_t *total) {
    bool known = true;
    *done = *total = 0;
    for (size_t i = 0; i < parts->v.n; i++) {
        uint64_t some, all;
        if (parts->v.v[i].derived || !has_file(parts, i))
            continue;
        file_progress(parts->v.v[i].file, &some, &all);
        *done += some;
        *total += all;
        known = known && all > 0;
    }
    *total = known ? *total : 0;
}

const void *parts_span(struct parts *parts, uint64_t at, size_t want, size_t *n) {
    const struct part *part = &parts->v.v[parts_at(parts, at)];
    *n = 0;
    if (at - part->begin >= (part->within ? part->bytes : part->slot))
        return NULL;
    const void *span = file_span(part->file, place_in(part, at), want, n);
    uint64_t left = part->begin + part->bytes - at;
    if (part->within && *n > left)
        *n = (size_t)left;
    return *n > 0 ? span : NULL;
}

uint64_t parts_data(const struct parts *parts, uint64_t at) {
    const struct part *part = &parts->v.v[parts_at(parts, at)];
    uint64_t data = file_data(part->file, place_in(part, at)), end = part->from + part->bytes;
    if (part->within && data > end)
        data = end;
    return part->begin + data - part->from;
}

void parts_passed(struct parts *parts, uint64_t at) {
    const struct part *part = &parts->v.v[parts_at(parts, at)];
    file_passed(part->file, place_in(part, at));
}
