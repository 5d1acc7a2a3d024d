/* event_frame.c - a table of stack frames, each with the id of its parent.
 *
 * The parents may form a circle: a stack has at most DEPTH_MAX frames. */
#include "src/import/chrome/event_frame.h"

#include <inttypes.h>
#include <stdio.h>

#include "src/base/err.h"

#define BYTES_MAX ((size_t)1 << 20)
#define DEPTH_MAX 256

struct frame_query {
    const struct event_frames *frames;
    struct str id;
};

static bool same(const void *ctx, uint32_t i) {
    const struct frame_query *q = ctx;
    return str_eq(q->frames->v.v[i].id, q->id);
}

static uint32_t find(const struct event_frames *frames, struct str id) {
    return map_find(&frames->ids, hash_bytes(id.s, id.n), same, &(struct frame_query){frames, id});
}

void event_frames_free(struct event_frames *frames) {
    for (size_t i = 0; i < frames->v.n; i++)
        free((char *)frames->v.v[i].id.s);
    vec_free(&frames->v);
    vec_free(&frames->pointers);
    u64map_free(&frames->pointed);
    map_free(&frames->ids);
}

static struct str copied(char **to, struct str s) {
    char *copy = *to;
    if (s.n > 0)
        memcpy(copy, s.s, s.n);
    *to += s.n;
    return (struct str){copy, s.n};
}

bool event_frames_add(struct event_frames *frames, struct str id, struct str name,
                      struct str parent) {
    size_t n = id.n + name.n + parent.n;
    if (find(frames, id) != MAP_NONE)
        return true;
    if (frames->bytes + n > BYTES_MAX)
        return false;
    char *copy = err_malloc(n + 1);
    struct event_frame f = {copied(&copy, id), copied(&copy, name), copied(&copy, parent)};
    frames->bytes += n + sizeof f;
    map_add(&frames->ids, hash_bytes(id.s, id.n), (uint32_t)frames->v.n);
    vec_push(&frames->v, f);
    return true;
}

size_t event_frames_stack(const struct event_frames *frames, struct str id, char *to, size_t cap) {
    uint32_t stack[DEPTH_MAX] = {0};
    size_t depth = 0, bytes = 0, done = 0;
    uint32_t i = find(frames, id), before = MAP_NONE;
    while (i != MAP_NONE && i != before && depth < DEPTH_MAX) {
        bytes += frames->v.v[i].name.n + 1;
        if (bytes > cap)
            break;
        stack[depth++] = i;
        before = i;
        i = find(frames, frames->v.v[i].parent);
    }
    for (size_t k = depth; k-- > 0;) {
        struct str name = frames->v.v[stack[k]].name;
        memcpy(to + done, name.s, name.n);
        done += name.n;
        if (k > 0)
            to[done++] = ';';
    }
    return done;
}

void event_frames_point(struct event_frames *frames, uint64_t pid, uint64_t number) {
    uint64_t key = u64map_key(hash_words(pid, number));
    if (frames->pointers.n == EVENT_FRAME_POINTERS ||
        u64map_get(&frames->pointed, key) != UINT64_MAX)
        return;
    u64map_set(&frames->pointed, key, 0);
    vec_push(&frames->pointers, ((struct event_frame_pointer){pid, number}));
}

void event_frames_write(const struct event_frames *frames, struct writer *w) {
    for (size_t i = 0; i < frames->pointers.n; i++) {
        const struct event_frame_pointer *p = &frames->pointers.v[i];
        char id[24], text[EVENT_FRAME_STACK];
        size_t nid = (size_t)snprintf(id, sizeof id, "%" PRIu64, p->number);
        size_t n = event_frames_stack(frames, (struct str){id, nid}, text, sizeof text);
        if (n > 0)
            writer_userspace_object(
                w, p->number, (struct writer_thread){.pid = p->pid, .no_tid = true},
                writer_inline((struct str){text, n}), (struct writer_arguments){NULL, 0});
    }
}
