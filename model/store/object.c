/* object.c - objects of a trace, chained from the latest of a koid to the earlier ones, and the
 * names they give.
 *
 * A koid may have any number of objects, and rows ask for it one by one. So the last object with a
 * name, labels or a process is found by a key. A chain of names has each of
 * them once. */
#include "model/store/object.h"

#include <string.h>
#include <strings.h>

#include "src/base/hash.h"
#include "src/fxt/fxt.h"

static uint64_t user_key(uint16_t world, uint64_t process, uint64_t pointer) {
    /* a key; the chain of objects resolves collisions */
    return hash_words(process ^ (uint64_t)world << 48, pointer) >> 1;
}

static uint64_t koid_key(uint16_t world, uint64_t koid) {
    return u64map_key(koid ^ (uint64_t)world << 47);
}

static uint32_t first(const struct objects *objects, uint64_t key) {
    return (uint32_t)u64map_get(&objects->last, key);
}

static void add(struct objects *objects, const struct object *object, uint64_t key) {
    struct object o = *object;
    o.before = first(objects, key);
    vec_push(&objects->v, o);
    u64map_set(&objects->last, key, objects->v.n - 1);
}

enum kind { PROCESS, THREAD, OTHER };

static enum kind kind_of(const struct object *object) {
    if (object->type == FXT_OBJECT_PROCESS)
        return PROCESS;
    return object->type == FXT_OBJECT_THREAD ? THREAD : OTHER;
}

/* The key of the last object of a koid and kind, or of the last one that has a name. */
static uint64_t kind_key(uint16_t world, uint64_t koid, enum kind kind, bool named) {
    return hash_words(koid, 1 + 2 * (uint64_t)kind + named + 8 * (uint64_t)world) >> 1;
}

/* Contents that not every object has. */
enum fact { NAMED, SORTED, LABELLED, OF_PROCESS };

/* The key of the last object of a koid and type that has it. */
static uint64_t fact_key(uint16_t world, uint64_t koid, uint8_t type, enum fact fact) {
    uint64_t what = UINT64_C(1) << 40 | (uint64_t)world << 16 | (uint64_t)type << 8 | fact;
    return hash_words(koid, what) >> 1;
}

/* The key of the last such object that names this process. */
static uint64_t own_key(uint16_t world, uint64_t koid, uint8_t type, uint64_t process,
                        enum fact fact) {
    return hash_words(process, fact_key(world, koid, type, fact)) >> 1;
}

/* Puts the last object at the head of the chain of a key. One of its name leaves the chain. */
static void chain_name(struct objects *objects, uint64_t key, bool own) {
    struct object *v = objects->v.v;
    uint32_t n = (uint32_t)objects->v.n - 1, head = first(objects, key), same = head;
    v[n].name_before[own] = head;
    v[n].name_after[own] = UINT32_MAX;
    u64map_set(&objects->last, key, n);
    if (head == UINT32_MAX)
        return;
    v[head].name_after[own] = n;
    if (v[head].name != v[n].name) {
        if (v[head].name_before[own] == UINT32_MAX) /* a chain of one has no other keys */
            u64map_set(&objects->last, hash_words(key, v[head].name) >> 1, head);
        same = first(objects, hash_words(key, v[n].name) >> 1);
    }
    if (v[head].name != v[n].name || v[head].name_before[own] != UINT32_MAX)
        u64map_set(&objects->last, hash_words(key, v[n].name) >> 1, n);
    if (same == UINT32_MAX || v[same].name != v[n].name)
        return;
    uint32_t before = v[same].name_before[own], after = v[same].name_after[own];
    v[after].name_before[own] = before;
    if (before != UINT32_MAX)
        v[before].name_after[own] = after;
}

static void add_facts(struct objects *objects, const struct object *o) {
    const bool has[] = {
        [SORTED] = o->has_sort_index, [LABELLED] = o->has_labels, [OF_PROCESS] = o->has_process};
    if (o->name != 0)
        chain_name(objects, fact_key(o->world, o->koid, o->type, NAMED), false);
    if (o->name != 0 && o->has_process)
        chain_name(objects, own_key(o->world, o->koid, o->type, o->process, NAMED), true);
    for (enum fact fact = SORTED; fact <= OF_PROCESS; fact++)
        if (has[fact])
            u64map_set(&objects->last, fact_key(o->world, o->koid, o->type, fact),
                       objects->v.n - 1);
    if (o->has_sort_index && o->has_process)
        u64map_set(&objects->last, own_key(o->world, o->koid, o->type, o->process, SORTED),
                   objects->v.n - 1);
}

void objects_add_kernel(struct objects *objects, const struct object *object) {
    enum kind kind = kind_of(object);
    objects->sorted |= object->has_sort_index;
    objects->labelled |= object->has_labels;
    add(objects, object, koid_key(object->world, object->koid));
    u64map_set(&objects->last, kind_key(object->world, object->koid, kind, false),
               objects->v.n - 1);
    if (object->name != 0)
        u64map_set(&objects->last, kind_key(object->world, object->koid, kind, true),
                   objects->v.n - 1);
    add_facts(objects, object);
}

static uint64_t user_name_key(uint16_t world, uint64_t process, uint64_t pointer) {
    return hash_words(user_key(world, process, pointer), NAMED) >> 1;
}

/* An object of an unknown process is that of no process, not of process 0. */
void objects_add_user(struct objects *objects, const struct object *object) {
    if (!object->has_process) {
        vec_push(&objects->v, *object);
        objects->v.v[objects->v.n - 1].before = UINT32_MAX;
        return;
    }
    add(objects, object, user_key(object->world, object->process, object->koid));
    if (object->name != 0)
        u64map_set(&objects->last, user_name_key(object->world, object->process, object->koid),
                   objects->v.n - 1);
}

void objects_free(struct objects *objects) {
    vec_free(&objects->v);
    u64map_free(&objects->last);
}

static bool holds(struct str text, const char *part) {
    size_t n = strlen(part);
    for (size_t i = 0; i + n <= text.n; i++)
        if (strncasecmp(text.s + i, part, n) == 0)
            return true;
    return false;
}

static bool is(struct str text, const char *word) {
    return text.n == strlen(word) && holds(text, word);
}

enum object_taken objects_taken(struct str argument) {
    if (holds(argument, "process") || is(argument, "pid"))
        return OBJECT_PROCESS;
    bool thread = holds(argument, "thread") || is(argument, "tid") || is(argument, "waker");
    return thread ? OBJECT_THREAD : OBJECT_ANY;
}

/* The number after the place of the last object of a koid and kind that has a name, if `named`; 0:
 * there is none. */
static uint64_t last_of(const struct objects *objects, uint16_t world, uint64_t koid,
                        enum kind kind, bool named) {
    uint64_t i = u64map_get(&objects->last, kind_key(world, koid, kind, named));
    const struct object *o = i < objects->v.n ? &objects->v.v[i] : NULL;
    return o && o->koid == koid && o->world == world ? i + 1 : 0;
}

/* The last object of a koid that has a name, if `named`. One that is taken for a process is no
 * thread, and the other way round. */
static uint32_t find(const struct objects *objects, uint16_t world, uint64_t koid,
                     enum object_taken as, bool named) {
    uint64_t process = as == OBJECT_THREAD ? 0 : last_of(objects, world, koid, PROCESS, named),
             thread = as == OBJECT_PROCESS ? 0 : last_of(objects, world, koid, THREAD, named),
             other = last_of(objects, world, koid, OTHER, named),
             found = process > 0 ? process : thread; /* before a later thread of its number */
    if (other > process && other > thread)
        found = other;
    return (uint32_t)(found - 1);
}

uint32_t objects_find_koid(const struct objects *objects, uint16_t world, uint64_t koid,
                           enum object_taken as) {
    return find(objects, world, koid, as, false);
}

static bool points_at(const struct object *o, uint16_t world, uint64_t process, uint64_t pointer) {
    return o->koid == pointer && o->world == world && o->has_process && o->process == process;
}

uint32_t objects_find_pointer(const struct objects *objects, uint16_t world, uint64_t process,
                              uint64_t pointer) {
    uint32_t i = first(objects, user_key(world, process, pointer));
    while (i != UINT32_MAX && !points_at(&objects->v.v[i], world, process, pointer))
        i = objects->v.v[i].before;
    return i;
}

uint32_t objects_koid_name(const struct objects *objects, uint16_t world, uint64_t koid,
                           enum object_taken as) {
    uint32_t i = find(objects, world, koid, as, true);
    return i == UINT32_MAX ? UINT32_MAX : objects->v.v[i].name;
}

/* The last object of a koid and type that has it, and names its process, if `own`. */
static const struct object *last_with(const struct objects *objects,
                                      const struct object_owner *owner, bool own, enum fact fact) {
    uint32_t i =
        first(objects, own ? own_key(owner->world, owner->koid, owner->type, owner->pid, fact)
                           : fact_key(owner->world, owner->koid, owner->type, fact));
    const struct object *o = i == UINT32_MAX ? NULL : &objects->v.v[i];
    bool is = o && o->koid == owner->koid && o->world == owner->world && o->type == owner->type &&
              (!own || (o->has_process && o->process == owner->pid));
    return is ? o : NULL;
}

static uint32_t place_of(const struct objects *objects, const struct object *object) {
    return object ? (uint32_t)(object - objects->v.v) : UINT32_MAX;
}

uint32_t objects_find_labelled(const struct objects *objects, uint16_t world, uint64_t process) {
    const struct object_owner owner = {process, FXT_OBJECT_PROCESS, false, 0, world};
    return place_of(objects, last_with(objects, &owner, false, LABELLED));
}

bool objects_koid_process(const struct objects *objects, uint16_t world, uint8_t type,
                          uint64_t koid, uint64_t *process) {
    const struct object_owner owner = {koid, type, false, 0, world};
    const struct object *o = last_with(objects, &owner, false, OF_PROCESS);
    if (o)
        *process = o->process;
    return o != NULL;
}

uint32_t objects_pointer_name(const struct objects *objects, uint16_t world, uint64_t process,
                              uint64_t pointer) {
    uint32_t i = first(objects, user_name_key(world, process, pointer));
    bool is = i != UINT32_MAX && points_at(&objects->v.v[i], world, process, pointer);
    return is ? objects->v.v[i].name : UINT32_MAX;
}

size_t objects_names(const struct objects *objects, struct object_owner owner, uint32_t *names,
                     size_t cap) {
    size_t n = 0;
    /* those that name this process suffice */
    for (int own = owner.has_pid && owner.type == FXT_OBJECT_THREAD; own >= 0 && n == 0; own--) {
        uint32_t i = place_of(objects, last_with(objects, &owner, own, NAMED));
        for (; i != UINT32_MAX && n < cap; i = objects->v.v[i].name_before[own])
            names[n++] = objects->v.v[i].name;
    }
    return n;
}

int32_t objects_sort_index(const struct objects *objects, struct object_owner owner) {
    const struct object *o = last_with(objects, &owner, owner.has_pid, SORTED);
    return o ? o->sort_index : 0;
}
