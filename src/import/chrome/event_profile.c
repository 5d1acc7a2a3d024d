/* event_profile.c - the profiles of a source by process and id, and the rows of their samples. */
#include "src/import/chrome/event_profile.h"

#include <inttypes.h>
#include <stdio.h>

#include "src/import/profiles/v8_profile.h"

#define NAMES_MOST ((size_t)1 << 20) /* bytes of names of threads */
#define WORDS_MOST ((size_t)256 << 20)
#define NAME_MOST 200 /* bytes of one */

struct thread {
    uint64_t pid, tid;
    char *name;     /* or NULL */
    unsigned named; /* times */
    unsigned rows;
};

struct profile {
    struct event_profiles *all;
    uint64_t pid, id;
    uint32_t thread; /* its place in `threads` */
    unsigned named,
        number;   /* named: when its row was; number: of that, among those of its thread */
    uint64_t row; /* its tid; 0: none yet */
    struct v8_profile v8;
};

struct event_profiles {
    struct samples_out out;
    struct event_owners *owners;
    struct samples *samples; /* NULL: there is no profile */
    struct map by_id, by_thread;
    VEC(struct profile *) v;
    VEC(struct thread) threads;
    size_t bytes; /* of their names */
    struct import_place source;
};

struct event_profiles *event_profiles_new(struct samples_out out, struct event_owners *owners) {
    struct event_profiles *all = err_calloc(1, sizeof *all);
    all->out = out;
    all->owners = owners;
    return all;
}

void event_profiles_free(struct event_profiles *all) {
    for (size_t i = 0; i < all->v.n; i++) {
        v8_profile_free(&all->v.v[i]->v8);
        free(all->v.v[i]);
    }
    for (size_t i = 0; i < all->threads.n; i++)
        free(all->threads.v[i].name);
    if (all->samples)
        samples_free(all->samples);
    vec_free(&all->v);
    vec_free(&all->threads);
    map_free(&all->by_id);
    map_free(&all->by_thread);
    free(all);
}

/* ---- rows ---- */

struct wanted {
    const struct event_profiles *all;
    uint64_t pid, number;
};

static bool same_thread(const void *ctx, uint32_t i) {
    const struct wanted *w = ctx;
    const struct thread *t = &w->all->threads.v[i];
    return t->pid == w->pid && t->tid == w->number;
}

static bool same_profile(const void *ctx, uint32_t i) {
    const struct wanted *w = ctx;
    return w->all->v.v[i]->pid == w->pid && w->all->v.v[i]->id == w->number;
}

static uint32_t thread_of(struct event_profiles *all, uint64_t pid, uint64_t tid) {
    struct wanted wanted = {all, pid, tid};
    uint32_t i = map_intern(&all->by_thread, hash_words(pid, tid), same_thread, &wanted,
                            (uint32_t)all->threads.n);
    if (i == all->threads.n)
        vec_push(&all->threads, ((struct thread){.pid = pid, .tid = tid}));
    return i;
}

void event_profiles_name(struct event_profiles *all, uint64_t pid, uint64_t tid, struct str name) {
    size_t n = (size_t)str_head(name, NAME_MOST);
    if (name.n == 0 || all->bytes + n + sizeof(struct thread) > NAMES_MOST)
        return;
    uint32_t i = thread_of(all, pid, tid);
    struct thread *t = &all->threads.v[i];
    all->bytes += n + sizeof *t;
    free(t->name);
    t->name = err_malloc(n + 1);
    memcpy(t->name, name.s, n);
    t->name[n] = '\0';
    t->named++;
}

static void name_row(struct event_profiles *all, struct profile *p) {
    char name[NAME_MOST + 64], number[32] = "", again[32] = "";
    struct writer *w = all->out.w;
    const struct thread *t = &all->threads.v[p->thread];
    if (t->name == NULL)
        snprintf(number, sizeof number, "thread %" PRIu64, t->tid);
    if (p->number > 1)
        snprintf(again, sizeof again, " %u", p->number);
    int n = snprintf(name, sizeof name, "%s (samples%s)", t->name ? t->name : number, again);
    struct writer_argument process =
        writer_number(FXT_ARG_KOID, writer_intern(w, STR("process")), p->pid);
    all->out.mark(all->out.ctx, &all->source);
    writer_kernel_object(w, FXT_OBJECT_THREAD, p->row,
                         writer_intern(w, (struct str){name, (size_t)n}),
                         (struct writer_arguments){&process, 1});
    p->named = t->named;
}

/* ---- profiles ---- */

static void fault(void *ctx, uint64_t at, const char *sentence) {
    struct event_profiles *all = ((struct profile *)ctx)->all;
    (void)at; /* in the event */
    all->out.fault(all->out.ctx, IMPORT_FIELD, &all->source, sentence);
}

static struct profile *profile_of(struct event_profiles *all, uint64_t pid, uint64_t id) {
    struct wanted wanted = {all, pid, id};
    uint32_t i =
        map_intern(&all->by_id, hash_words(pid, id), same_profile, &wanted, (uint32_t)all->v.n);
    if (i == all->v.n) {
        struct profile *p = err_calloc(1, sizeof *p);
        p->all = all;
        p->pid = pid;
        p->id = id;
        vec_push(&all->v, p);
    }
    if (all->samples == NULL) {
        all->samples = samples_new(all->out);
        samples_event(all->samples, STR("samples"));
    }
    return all->v.v[i];
}

/* It begins, perhaps again: on this thread, at this time. */
static void start(struct event_profiles *all, struct profile *p,
                  const struct event_profile_part *part, int64_t ts) {
    uint32_t thread = thread_of(all, part->pid, part->tid);
    v8_profile_free(&p->v8);
    p->v8 = (struct v8_profile){.samples = all->samples, .fault = fault, .ctx = p, .now = ts};
    if (p->row > 0 && p->thread == thread)
        return;
    p->thread = thread;
    p->number = ++all->threads.v[thread].rows;
    p->row = event_owner_made(all->owners);
    name_row(all, p);
}

/* Reads a time of the source; false: it is none. */
static bool read_time(const struct json_pull *pull, const struct event_profile_part *part,
                      int64_t *ts) {
    int64_t given;
    return v8_profile_time(&pull->token, &given) &&
           !__builtin_add_overflow(given, (int64_t)part->bias, ts);
}

static void read_begin(struct event_profiles *all, const struct event_profile_part *part,
                       struct json_pull *pull) {
    int64_t ts = (int64_t)part->ts;
    while (json_pull_next(pull))
        if (json_pull_is(pull, "startTime"))
            read_time(pull, part, &ts);
    start(all, profile_of(all, part->pid, part->id), part, ts);
}

static void read_key(struct v8_profile *v8, struct json_pull *pull) {
    if (json_pull_is(pull, "nodes"))
        v8_profile_nodes(v8, pull);
    else if (json_pull_is(pull, "samples"))
        v8_profile_ids(v8, pull);
    else if (json_pull_is(pull, "timeDeltas"))
        v8_profile_deltas(v8, pull);
}

/* A few bytes may be a sample of thousands of frames. */
static bool too_many(struct event_profiles *all, const struct event_profile_part *part) {
    if (all->out.w->bytes.n < WORDS_MOST)
        return false;
    all->out.fault(all->out.ctx, IMPORT_CUT, &part->source,
                   "samples of more than 256 MiB at once: the rest is left out");
    return true;
}

static void read_chunk(struct event_profiles *all, const struct event_profile_part *part,
                       struct json_pull *pull) {
    struct profile *p = profile_of(all, part->pid, part->id);
    struct samples_sample sample = {.pid = p->pid, .cpu = -1, .weight = 1, .source = part->source};
    int64_t end = -1;
    if (p->row == 0)
        start(all, p, part, (int64_t)part->ts);
    while (json_pull_next(pull)) {
        if (json_pull_is(pull, "endTime"))
            read_time(pull, part, &end);
        else if (json_pull_is(pull, "cpuProfile") && json_pull_enter(pull, JSON_OBJECT))
            while (json_pull_next(pull))
                read_key(&p->v8, pull);
        else
            read_key(&p->v8, pull);
    }
    sample.tid = p->row;
    v8_profile_samples(&p->v8);
    for (size_t i = 0; i < p->v8.v.n && !too_many(all, part); i++)
        v8_profile_add(&p->v8, &p->v8.v.v[i], &sample);
    if (end >= 0)
        samples_off(all->samples, (uint64_t)end, p->pid, p->row, &part->source);
}

void event_profiles_take(struct event_profiles *all, const struct event_profile_part *part) {
    struct json_pull *pull = err_calloc(1, sizeof *pull);
    all->source = part->source;
    json_pull_add(pull, part->data);
    if (json_pull_top(pull) && json_pull_enter(pull, JSON_OBJECT)) {
        if (part->begins)
            read_begin(all, part, pull);
        else
            read_chunk(all, part, pull);
    }
    if (pull->fault)
        all->out.fault(all->out.ctx, IMPORT_FIELD, &part->source,
                       "a profile that is no JSON to its end: the rest is left out");
    json_pull_free(pull);
    free(pull);
}

void event_profiles_end(struct event_profiles *all) {
    if (all->samples)
        samples_end(all->samples, 0);
    for (size_t i = 0; i < all->v.n; i++)
        if (all->v.v[i]->named != all->threads.v[all->v.v[i]->thread].named)
            name_row(all, all->v.v[i]);
}
