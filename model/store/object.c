/* object.c - objects of a trace, chained from the latest of a koid to the earlier ones, and the
 * names they give. */
#include "model/store/object.h"

#include <string.h>

#include "src/base/hash.h"
#include "src/fxt/fxt.h"

static uint64_t user_key(uint16_t world, uint64_t process, uint64_t pointer) {
    /* a key; the chain of objects resolves collisions */
    return hash_words(process ^ (uint64_t)world << 48, pointer) >> 1;
}

static uint64_t koid_key(uint16_t world, uint64_t koid) {
    return u64map_key(koid ^ (uint64_t)world << 47);
}

static void add(struct objects *objects, const struct object *object, uint64_t key) {
    struct object o = *object;
    o.before = (uint32_t)u64map_get(&objects->last, key);
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
}

void objects_add_user(struct objects *objects, const struct object *object) {
    add(objects, object, user_key(object->world, object->process, object->koid));
}

void objects_free(struct objects *objects) {
    vec_free(&objects->v);
    u64map_free(&objects->last);
}

static uint32_t first(const struct objects *objects, uint64_t key) {
    return (uint32_t)u64map_get(&objects->last, key);
}

static uint32_t koid_first(const struct objects *objects, uint16_t world, uint64_t koid) {
    return first(objects, koid_key(world, koid));
}

static bool holds(struct str text, const char *part) {
    size_t n = strlen(part);
    for (size_t i = 0; i + n <= text.n; i++)
        if (memcmp(text.s + i, part, n) == 0)
            return true;
    return false;
}

enum object_taken objects_taken(struct str argument) {
    if (holds(argument, "process") || str_eq(argument, STR("pid")))
        return OBJECT_PROCESS;
    bool thread =
        holds(argument, "thread") || str_eq(argument, STR("tid")) || str_eq(argument, STR("waker"));
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

/* An object of an unknown process is that of no process, not of process 0. */
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

uint32_t objects_find_labelled(const struct objects *objects, uint16_t world, uint64_t process) {
    uint32_t i = koid_first(objects, world, process);
    while (i != UINT32_MAX &&
           !(objects->v.v[i].has_labels && objects->v.v[i].koid == process &&
             objects->v.v[i].world == world && objects->v.v[i].type == FXT_OBJECT_PROCESS))
        i = objects->v.v[i].before;
    return i;
}

bool objects_koid_process(const struct objects *objects, uint16_t world, uint8_t type,
                          uint64_t koid, uint64_t *process) {
    for (uint32_t i = koid_first(objects, world, koid); i != UINT32_MAX;
         i = objects->v.v[i].before) {
        const struct object *o = &objects->v.v[i];
        if (o->koid != koid || o->world != world || o->type != type || !o->has_process)
            continue;
        *process = o->process;
        return true;
    }
    return false;
}

uint32_t objects_pointer_name(const struct objects *objects, uint16_t world, uint64_t process,
                              uint64_t pointer) {
    for (uint32_t i = first(objects, user_key(world, process, pointer)); i != UINT32_MAX;
         i = objects->v.v[i].before)
        if (points_at(&objects->v.v[i], world, process, pointer) && objects->v.v[i].name != 0)
            return objects->v.v[i].name;
    return UINT32_MAX;
}

static bool has(const uint32_t *names, size_t n, uint32_t name) {
    for (size_t i = 0; i < n; i++)
        if (names[i] == name)
            return true;
    return false;
}

size_t objects_names(const struct objects *objects, struct object_owner owner, uint32_t *names,
                     size_t cap) {
    size_t n = 0;
    for (int own = owner.has_pid && owner.type == FXT_OBJECT_THREAD; own >= 0; own--) {
        for (uint32_t i = koid_first(objects, owner.world, owner.koid); i != UINT32_MAX && n < cap;
             i = objects->v.v[i].before) {
            const struct object *o = &objects->v.v[i];
            if (o->koid != owner.koid || o->world != owner.world || o->type != owner.type ||
                o->name == 0 || has(names, n, o->name))
                continue;
            if (own && !(o->has_process && o->process == owner.pid))
                continue;
            names[n++] = o->name;
        }
        if (n > 0 && own)
            break; /* those that name this process suffice */
    }
    return n;
}

int32_t objects_sort_index(const struct objects *objects, struct object_owner owner) {
    for (uint32_t i = koid_first(objects, owner.world, owner.koid); i != UINT32_MAX;
         i = objects->v.v[i].before) {
        const struct object *o = &objects->v.v[i];
        if (o->has_sort_index && o->koid == owner.koid && o->world == owner.world &&
            o->type == owner.type &&
            (!owner.has_pid || (o->has_process && o->process == owner.pid)))
            return o->sort_index;
    }
    return 0;
}
