/* event_tracks.c - finds the nearest parent that is a thread or a process.
 *
 * An answer holds until another description comes, since that may be of a parent. */
#include "src/import/perfetto/event_tracks.h"

#include <inttypes.h>

#include "src/import/perfetto/proto.h"

#define PARENTS 100 /* Perfetto's limit, too */
#define LABELS_MOST 1000

void event_tracks_init(struct event_tracks *t, struct kernel_events *kernel) {
    *t = (struct event_tracks){.kernel = kernel};
}

static void free_end(struct event_track_end *end) {
    free(end->args);
    free(end->texts);
}

void event_tracks_free(struct event_tracks *t) {
    for (size_t i = 0; i < t->v.n; i++) {
        struct event_track *track = t->v.v[i];
        for (size_t k = 0; k < track->ends.n; k++)
            free_end(&track->ends.v[k]);
        vec_free(&track->ends);
        vec_free(&track->open);
        free(track);
    }
    vec_free(&t->v);
    u64map_free(&t->by_uuid);
    texts_free(&t->texts);
}

static struct event_track *find(const struct event_tracks *t, uint64_t uuid) {
    if (t->last && t->last->uuid == uuid)
        return t->last;
    uint64_t i = u64map_get(&t->by_uuid, u64map_key(uuid));
    return i == UINT64_MAX ? NULL : t->v.v[i];
}

struct event_track *event_tracks_get(struct event_tracks *t, uint64_t uuid) {
    struct event_track *track = find(t, uuid);
    if (track == NULL) {
        track = err_calloc(1, sizeof *track);
        track->uuid = uuid;
        track->unit = 1;
        if (uuid == 0)
            track->name = texts_number(&t->texts, STR("Default Track"));
        u64map_set(&t->by_uuid, u64map_key(uuid), t->v.n);
        vec_push(&t->v, track);
    }
    return t->last = track;
}

struct str event_tracks_name(const struct event_tracks *t, const struct event_track *track) {
    return texts_get(&t->texts, track->name);
}

/* ---- descriptions ---- */

static struct import_lines *lines_of(struct event_tracks *t) {
    return t->kernel->lines;
}

/* Writes the order of a process or a thread among others, and its labels. */
static void write_about(struct event_tracks *t, unsigned type, uint64_t koid,
                        const uint64_t *process, const int64_t *order, struct str labels) {
    struct writer *w = &lines_of(t)->w;
    struct writer_argument args[3];
    size_t n = 0;
    if (order == NULL && labels.n == 0)
        return;
    if (process)
        args[n++] = writer_number(FXT_ARG_KOID, writer_intern(w, STR("process")), *process);
    if (order)
        args[n++] =
            writer_number(FXT_ARG_INT64, writer_intern(w, STR("sort_index")), (uint64_t)*order);
    if (labels.n > 0)
        args[n++] = writer_text(
            writer_intern(w, STR("labels")),
            writer_inline((struct str){labels.s, (size_t)str_head(labels, LABELS_MOST)}));
    import_lines_mark(lines_of(t));
    writer_kernel_object(w, type, koid, (struct writer_string){0},
                         (struct writer_arguments){args, n});
}

bool event_tracks_process(struct event_tracks *t, struct str descriptor, uint64_t *pid) {
    struct proto p = proto_of(descriptor);
    struct str name = {"", 0}, command = {"", 0}, labels = {"", 0};
    bool has_pid = false, has_order = false;
    int64_t order = 0;
    while (proto_next(&p)) {
        if (p.tag == PROTO_V(1)) {
            *pid = (uint32_t)p.value;
            has_pid = true;
        } else if (p.tag == PROTO_B(2) && command.n == 0) {
            command = p.bytes;
        } else if (p.tag == PROTO_B(6)) {
            name = p.bytes;
        } else if (p.tag == PROTO_B(8)) {
            labels = p.bytes;
        } else if (p.tag == PROTO_V(3)) {
            order = (int32_t)p.value;
            has_order = true;
        }
    }
    if (has_pid) {
        kernel_threads_process(&t->kernel->threads, *pid, name.n > 0 ? name : command,
                               KERNEL_NAMED_BY_TRACK);
        write_about(t, FXT_OBJECT_PROCESS, *pid, NULL, has_order ? &order : NULL, labels);
    }
    return has_pid;
}

/* A number of the kernel may be of several processes that have numbers of their own. */
static void name_thread(struct event_tracks *t, uint64_t pid, uint64_t tid, struct str name) {
    struct kernel_thread *thread = kernel_threads_get(&t->kernel->threads, tid);
    kernel_threads_is_of(&t->kernel->threads, thread, pid);
    if (thread->pid == pid) {
        kernel_threads_name(&t->kernel->threads, thread, name, KERNEL_NAMED_BY_TRACK);
        return;
    }
    struct writer *w = &lines_of(t)->w;
    struct writer_argument of = writer_number(FXT_ARG_KOID, writer_intern(w, STR("process")), pid);
    import_lines_mark(lines_of(t));
    writer_kernel_object(w, FXT_OBJECT_THREAD, tid, import_lines_name(lines_of(t), name),
                         (struct writer_arguments){&of, 1});
}

bool event_tracks_thread(struct event_tracks *t, struct str descriptor, uint64_t *pid,
                         uint64_t *tid) {
    struct proto p = proto_of(descriptor);
    struct str name = {"", 0};
    bool has_pid = false, has_tid = false, has_order = false;
    int64_t order = 0;
    while (proto_next(&p)) {
        if (p.tag == PROTO_V(1)) {
            *pid = (uint32_t)p.value;
            has_pid = true;
        } else if (p.tag == PROTO_V(2)) {
            *tid = p.value;
            has_tid = true;
        } else if (p.tag == PROTO_B(5)) {
            name = p.bytes;
        } else if (p.tag == PROTO_V(3)) {
            order = (int32_t)p.value;
            has_order = true;
        }
    }
    if (!has_pid || !has_tid)
        return false;
    name_thread(t, *pid, *tid, name);
    write_about(t, FXT_OBJECT_THREAD, *tid, pid, has_order ? &order : NULL, STR(""));
    return true;
}

/* Reads a CounterDescriptor. */
static void describe_counter(struct event_tracks *t, struct event_track *track,
                             struct str descriptor) {
    static const struct str units[] = {{"value", 5}, {"ns", 2}, {"count", 5}, {"bytes", 5}};
    static const struct str types[] = {
        {"", 0}, {"thread_time", 11}, {"thread_instruction_count", 24}};
    struct proto p = proto_of(descriptor);
    struct str unit = units[0];
    uint64_t type = 0;
    track->counts = true;
    while (proto_next(&p)) {
        if (p.tag == PROTO_V(1) && p.value < sizeof types / sizeof *types)
            type = p.value;
        else if (p.tag == PROTO_V(3) && p.value < sizeof units / sizeof *units)
            unit = units[p.value];
        else if (p.tag == PROTO_V(4))
            track->unit = p.value != 0 ? (int64_t)p.value : 1;
        else if (p.tag == PROTO_V(5))
            track->incremental = p.value != 0;
        else if (p.tag == PROTO_B(6) && p.bytes.n > 0)
            unit = p.bytes;
    }
    if (type > 0)
        unit = units[type];
    if (track->name == 0)
        track->name = texts_number(&t->texts, types[type]);
    track->series = texts_number(&t->texts, unit);
}

struct event_track *event_tracks_describe(struct event_tracks *t, struct str descriptor) {
    struct proto p = proto_of(descriptor);
    struct str name = {"", 0}, process = {NULL, 0}, thread = {NULL, 0}, counter = {NULL, 0};
    uint64_t uuid = 0, parent = 0;
    bool has_uuid = false;
    while (proto_next(&p)) {
        switch (p.tag) {
        case PROTO_V(1):
            uuid = p.value;
            has_uuid = true;
            break;
        case PROTO_V(5):
            parent = p.value;
            break;
        case PROTO_B(2):
        case PROTO_B(10):
        case PROTO_B(13):
            name = p.bytes;
            break;
        case PROTO_B(3):
            process = p.bytes;
            break;
        case PROTO_B(4):
            thread = p.bytes;
            break;
        case PROTO_B(8):
            counter = p.bytes;
            break;
        default:
            break;
        }
    }
    if (!has_uuid)
        return NULL;
    struct event_track *track = event_tracks_get(t, uuid);
    if (parent != track->parent || !track->described)
        t->descriptions++;
    track->described = true;
    track->parent = parent;
    if (name.n > 0)
        track->name = texts_number(&t->texts, name);
    if (thread.s)
        track->has_thread = event_tracks_thread(t, thread, &track->pid, &track->tid);
    if (process.s) {
        uint64_t pid = track->pid;
        bool has = event_tracks_process(t, process, &pid);
        if (has && !track->has_thread)
            track->pid = pid;
        track->has_process = has;
    }
    if (counter.s)
        describe_counter(t, track, counter);
    return track;
}

/* ---- owners ---- */

static struct event_track_owner global(struct event_tracks *t) {
    if (!t->has_global)
        kernel_threads_process(&t->kernel->threads, EVENT_TRACKS_GLOBAL, STR("global"),
                               KERNEL_NAMED_BY_TRACK);
    t->has_global = true;
    return (struct event_track_owner){false, EVENT_TRACKS_GLOBAL, EVENT_TRACKS_GLOBAL};
}

static struct event_track_owner resolve(struct event_tracks *t, const struct event_track *track) {
    const struct event_track *at = track;
    for (int i = 0; at && i < PARENTS; i++) {
        if (at->has_thread)
            return (struct event_track_owner){at == track && !at->counts, at->pid, at->tid};
        if (at->has_process)
            return (struct event_track_owner){false, at->pid, at->pid};
        uint64_t up = at->parent == at->uuid ? 0 : at->parent;
        if (at->parent == 0)
            return global(t);
        at = up ? find(t, up) : NULL;
        if (at == NULL && up != 0) /* the parent was not described */
            return global(t);
    }
    import_lines_fault(lines_of(t), IMPORT_FIELD, NULL,
                       "the parents of track %" PRIu64 " are in a circle, or more than %d",
                       track->uuid, PARENTS);
    return global(t);
}

struct event_track_owner event_tracks_owner(struct event_tracks *t, struct event_track *track) {
    if (track->resolved != t->descriptions + 1) {
        track->owner = resolve(t, track);
        track->resolved = t->descriptions + 1;
    }
    return track->owner;
}

struct writer_thread event_tracks_place(struct event_tracks *t,
                                        const struct event_track_owner *owner) {
    return writer_intern_thread(&lines_of(t)->w, owner->pid, owner->tid);
}

/* ---- operations ---- */

static void write_end(struct event_tracks *t, const struct event_track *track,
                      struct writer_event *e, uint32_t category) {
    e->category = category > 0 ? import_lines_name(lines_of(t), texts_get(&t->texts, category - 1))
                               : (struct writer_string){0};
    writer_async(&lines_of(t)->w, FXT_ASYNC_END, e, track->uuid);
}

/* Writes the ends that have waited. */
static void release(struct event_tracks *t, struct event_track *track) {
    for (size_t i = 0; i < track->ends.n; i++) {
        struct event_track_end *end = &track->ends.v[i];
        struct writer_event e = {
            .ts = end->ts,
            .thread = event_tracks_place(t, &end->owner),
            .name = import_lines_name(lines_of(t), texts_get(&t->texts, end->name)),
            .args = {end->args, end->n}};
        struct import_mark mark = {writer_offset(&lines_of(t)->w), end->at};
        vec_push(&lines_of(t)->marks, mark);
        write_end(t, track, &e, track->category);
        free_end(end);
    }
    track->ends.n = 0;
}

void event_tracks_begin(struct event_tracks *t, struct event_track *track, struct writer_event *e,
                        struct str category) {
    track->category = texts_number(&t->texts, category) + 1;
    vec_push(&track->open, track->category);
    e->category = import_lines_name(lines_of(t), category);
    writer_async(&lines_of(t)->w, FXT_ASYNC_BEGIN, e, track->uuid);
    if (track->ends.n > 0)
        release(t, track);
}

/* Copies a text that an argument refers to. */
static void keep(struct str *text, char **to) {
    if (text->s == NULL)
        return;
    if (text->n > 0)
        memcpy(*to, text->s, text->n);
    text->s = *to;
    *to += text->n;
}

static void put_off(struct event_tracks *t, struct event_track *track, const struct writer_event *e,
                    struct str name) {
    size_t bytes = 1;
    struct event_track_end end = {.ts = e->ts,
                                  .name = texts_number(&t->texts, name),
                                  .owner = track->owner,
                                  .at = {lines_of(t)->begin, IMPORT_NO_LINES, 0},
                                  .n = e->args.n};
    for (size_t i = 0; i < e->args.n; i++)
        bytes += e->args.v[i].name.text.n + e->args.v[i].string.text.n;
    end.args = err_malloc((e->args.n + 1) * sizeof *end.args);
    end.texts = err_malloc(bytes);
    char *to = end.texts;
    for (size_t i = 0; i < e->args.n; i++) {
        end.args[i] = e->args.v[i];
        keep(&end.args[i].name.text, &to);
        keep(&end.args[i].string.text, &to);
    }
    vec_push(&track->ends, end);
}

void event_tracks_finish(struct event_tracks *t, struct event_track *track, struct writer_event *e,
                         struct str name) {
    if (track->open.n > 0)
        write_end(t, track, e, track->open.v[--track->open.n]);
    else if (track->category > 0)
        write_end(t, track, e, track->category);
    else
        put_off(t, track, e, name);
}

void event_tracks_end(struct event_tracks *t) {
    for (size_t i = 0; i < t->v.n; i++)
        if (t->v.v[i]->ends.n > 0)
            release(t, t->v.v[i]);
}
