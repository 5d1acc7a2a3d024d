/* object.h - kernel and userspace objects, and the names they give. In file order; names are
 * names.h ids. */
#ifndef FXTOP_OBJECT_H
#define FXTOP_OBJECT_H

#include <stdbool.h>

#include "src/base/str.h"
#include "src/base/u64map.h"
#include "src/base/vec.h"

struct object {
    uint64_t koid; /* userspace: the pointer */
    /* kernel: its "process" argument, userspace: its process; valid when has_process */
    uint64_t process;
    uint64_t offset;
    uint64_t thread; /* kernel: its "thread" argument, valid when has_thread */
    uint32_t name;
    /* the one before it with this koid (userspace: pointer and process), or UINT32_MAX */
    uint32_t before;
    /* kernel, if it is the last with its name: the last with an older and with a newer name, of its
     * koid and type, [1] also of its process; UINT32_MAX: none */
    uint32_t name_before[2], name_after[2];
    int32_t sort_index; /* kernel: its "sort_index" argument, valid when has_sort_index */
    uint16_t world;     /* that its ids are of (src/fxt/threads.h) */
    uint8_t type;       /* kernel: enum fxt_object */
    bool has_sort_index;
    bool has_process, has_thread;
    bool has_labels; /* kernel: it may have an argument "labels" */
    bool has_name;   /* false where the name was lost to a fault */
};

struct objects {
    VEC(struct object) v;
    bool sorted;   /* an object has a sort index */
    bool labelled; /* an object has labels */
    /* koid, or a hash of koid and kind, type and contents, or of pointer and process, each with the
     * world -> place of the last one */
    struct u64map last;
};

void objects_add_kernel(struct objects *objects, const struct object *object);
void objects_add_user(struct objects *objects, const struct object *object);
void objects_free(struct objects *objects);

/* Objects are numbered in file order. */
static inline size_t object_count(const struct objects *objects) {
    return objects->v.n;
}

static inline const struct object *object_at(const struct objects *objects, size_t i) {
    return &objects->v.v[i];
}

/* The object that a koid is taken for, if a process and a thread have the same number
 * (SEMANTICS 5.6). */
enum object_taken {
    OBJECT_ANY /* the process, then the last object */,
    OBJECT_PROCESS,
    OBJECT_THREAD
};
enum object_taken objects_taken(struct str argument); /* by the name of the argument */
/* The place of the last object of a koid, of a pointer in a process; UINT32_MAX: none. */
uint32_t objects_find_koid(const struct objects *objects, uint16_t world, uint64_t koid,
                           enum object_taken as);
/* of a process, with labels */
uint32_t objects_find_labelled(const struct objects *objects, uint16_t world, uint64_t process);
uint32_t objects_find_pointer(const struct objects *objects, uint16_t world, uint64_t process,
                              uint64_t pointer);
/* The last name in the file of a koid, of a pointer in a process; UINT32_MAX: none. */
uint32_t objects_koid_name(const struct objects *objects, uint16_t world, uint64_t koid,
                           enum object_taken as);
/* The process that the last object of this koid and type names; false: none does. */
bool objects_koid_process(const struct objects *objects, uint16_t world, uint8_t type,
                          uint64_t koid, uint64_t *process);
uint32_t objects_pointer_name(const struct objects *objects, uint16_t world, uint64_t process,
                              uint64_t pointer);

struct object_owner { /* a process or thread, as its objects name it */
    uint64_t koid;
    uint8_t type; /* FXT_OBJECT_PROCESS or FXT_OBJECT_THREAD */
    bool has_pid; /* of a thread: objects that name process `pid` come first */
    uint64_t pid;
    uint16_t world;
};

/* Names of a process or thread, the valid one first, then older ones from the newest on, each once
 * (SEMANTICS 5.5). Writes up to cap ids; returns how many there are, at most cap. */
size_t objects_names(const struct objects *objects, struct object_owner owner, uint32_t *names,
                     size_t cap);

/* The place that the writer gives a process or thread among its like ("sort_index"); 0 if it gives
 * none. */
int32_t objects_sort_index(const struct objects *objects, struct object_owner owner);

#endif
