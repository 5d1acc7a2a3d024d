/* living.c - threads that live, in a list whose free entries are used again. */
#include "record/watch/living.h"

#include <string.h>

#include "record/watch/death.h"

struct living_thread *living_find(const struct living *l, uint64_t tid) {
    uint64_t place = u64map_get(&l->places, tid);
    return place == UINT64_MAX || place == 0 ? NULL : &l->v.v[place - 1];
}

struct living_thread *living_make(struct living *l, uint64_t tid) {
    struct living_thread *known = living_find(l, tid);
    if (known)
        return known;
    uint32_t at;
    if (l->unused.n > 0) {
        at = l->unused.v[--l->unused.n];
    } else {
        at = (uint32_t)l->v.n;
        vec_push(&l->v, (struct living_thread){0});
    }
    l->v.v[at] = (struct living_thread){.tid = tid};
    u64map_set(&l->places, tid, at + 1);
    return &l->v.v[at];
}

void living_forget(struct living *l, uint64_t tid) {
    struct living_thread *known = living_find(l, tid);
    if (known == NULL)
        return;
    known->tid = 0;
    vec_push(&l->unused, (uint32_t)(known - l->v.v));
    u64map_set(&l->places, tid, 0);
}

bool living_has_ended(const struct living *l, uint64_t tid) {
    return u64map_get(&l->places, tid) == 0;
}

bool living_any(const struct living *l) {
    return l->v.n > l->unused.n;
}

/* No record has an end of its own. */
bool living_take_over(struct living *l, uint32_t pid, size_t *from, struct living_thread *was) {
    while (*from < l->v.n) {
        *was = l->v.v[(*from)++];
        if (was->tid == 0 || was->tid == pid || was->pid != pid)
            continue;
        struct living_thread *now = living_make(l, pid);
        if (now->name[0] == 0)
            memcpy(now->name, was->name, sizeof now->name);
        now->pid = pid;
        now->left = was->left;
        now->runs = was->runs > 0 ? was->runs : now->runs;
        return true;
    }
    return false;
}

/* It may have ended since: then its exec came no further. */
bool living_is_far(struct living *l, const struct life *life, uint32_t pid, uint32_t tid,
                   bool lost) {
    if (life && life->threads > 1)
        return false; /* one that executes ends the others before */
    return (living_make(l, tid)->execs && !lost) || death_is_far((pid_t)pid, (pid_t)tid);
}

void living_free(struct living *l) {
    vec_free(&l->v);
    vec_free(&l->unused);
    u64map_free(&l->places);
}
