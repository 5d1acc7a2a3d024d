/* cpuprofile.c - one thread, `main`, with the samples of a profile by time. */
#include "src/import/profiles/cpuprofile.h"

#include "src/import/import_whole.h"
#include "src/import/profiles/v8_profile.h"

#define THREAD 1 /* its pid and tid */

struct cpuprofile {
    struct import_whole whole;
    struct v8_profile v8;
    size_t next; /* sample of the present profile */
    bool named;
    int64_t end; /* of it, or -1 */
};

static void fault(void *ctx, uint64_t at, const char *sentence) {
    struct cpuprofile *c = ctx;
    import_whole_fault(&c->whole, IMPORT_FIELD, at, "%s", sentence);
}

static int by_number(const void *a, const void *b) {
    const struct v8_number *x = a, *y = b;
    return (x->n > y->n) - (x->n < y->n);
}

/* The usual time between two samples, also while the thread is idle. */
static void find_period(struct cpuprofile *c) {
    VEC(struct v8_number) deltas = {0};
    int64_t median = 0;
    for (size_t i = 0; i < c->v8.deltas.n; i++) {
        struct v8_number one = c->v8.deltas.v[i];
        if (c->v8.stamps && i > 0)
            one.n = (int64_t)((uint64_t)one.n - (uint64_t)c->v8.deltas.v[i - 1].n);
        if (!c->v8.stamps || i > 0)
            vec_push(&deltas, one);
    }
    if (deltas.n > 0) {
        qsort(deltas.v, deltas.n, sizeof *deltas.v, by_number);
        median = deltas.v[(deltas.n - 1) / 2].n;
    }
    vec_free(&deltas);
    samples_period(c->whole.samples, 0, median > 1000 ? (uint64_t)median : 1000);
}

/* Reads the next profile. False: there is none. */
static bool read_profile(struct cpuprofile *c) {
    struct json_pull *pull = &c->whole.pull;
    struct v8_profile *v8 = &c->v8;
    if (!import_whole_document(&c->whole))
        return false;
    v8_profile_free(v8);
    *v8 = (struct v8_profile){.samples = c->whole.samples, .fault = fault, .ctx = c};
    c->end = -1;
    while (json_pull_next(pull)) {
        if (json_pull_is(pull, "nodes"))
            v8_profile_nodes(v8, pull);
        else if (json_pull_is(pull, "head"))
            v8_profile_node(v8, pull);
        else if (json_pull_is(pull, "samples"))
            v8_profile_ids(v8, pull);
        else if (json_pull_is(pull, "timeDeltas"))
            v8_profile_deltas(v8, pull);
        else if (json_pull_is(pull, "timestamps"))
            v8->stamps = (v8_profile_deltas(v8, pull), true);
        else if (json_pull_is(pull, "startTime") && !v8_profile_time(&pull->token, &v8->now))
            fault(c, pull->token.at, "startTime is no time");
        else if (json_pull_is(pull, "endTime") && !v8_profile_time(&pull->token, &c->end))
            fault(c, pull->token.at, "endTime is no time");
    }
    find_period(c);
    v8_profile_samples(v8);
    c->next = 0;
    return true;
}

/* Writes some records. False: all are written. */
static bool write_some(struct cpuprofile *c) {
    struct samples_sample sample = {.pid = THREAD, .tid = THREAD, .cpu = -1, .weight = 1};
    if (!c->named)
        import_whole_thread(&c->whole, THREAD, THREAD, STR("main"));
    c->named = true;
    while (!import_whole_full(&c->whole)) {
        if (c->next < c->v8.v.n) {
            sample.source.byte = c->v8.v.v[c->next].at;
            v8_profile_add(&c->v8, &c->v8.v.v[c->next++], &sample);
            continue;
        }
        if (c->end >= 0)
            samples_off(c->whole.samples, (uint64_t)c->end, THREAD, THREAD, &sample.source);
        if (!read_profile(c)) {
            samples_end(c->whole.samples, 0);
            return false;
        }
    }
    return true;
}

static void *start(void) {
    struct cpuprofile *c = err_calloc(1, sizeof *c);
    import_whole_init(&c->whole);
    c->end = -1;
    return c;
}

static void step(void *import, struct str bytes, bool last, struct import_news *news) {
    struct cpuprofile *c = import;
    bool more = import_whole_take(&c->whole, bytes, last) && !c->whole.done;
    if (more)
        c->whole.done = !(more = write_some(c));
    *news = import_whole_news(&c->whole, more);
}

static void stop(void *import) {
    struct cpuprofile *c = import;
    v8_profile_free(&c->v8);
    import_whole_free(&c->whole);
    free(c);
}

static void hurry(void *import) {
    import_whole_hurry(&((struct cpuprofile *)import)->whole);
}

const struct importer cpuprofile = {"a CPU profile of V8", NULL, start, step, stop, hurry};
