/* details_preempted.c - the runs on the CPU that a thread left, from then until it ran again. */
#include "ui/drawer/details_preempted.h"

#include <inttypes.h>
#include <stdio.h>

#include "model/store/sched_life.h"
#include "src/base/units.h"
#include "ui/drawer/details.h"

#define LOOKED 4096u /* runs that are looked at */
#define THREADS 512u /* threads that are added up */
#define NAMED 3      /* those with the most time */

struct others {
    struct other {
        uint32_t thread;
        int64_t ns;
    } v[THREADS];
    size_t n;
    int64_t rest; /* of all other threads */
    bool more;    /* later runs are not looked at */
};

/* The CPU on which a run of the thread ends, or begins, at t; NULL: none does. */
static struct sched_cpu *cpu_at(const struct sched *sched, uint32_t thread, int64_t t, bool ends,
                                uint32_t *run) {
    for (size_t c = 0; c < sched_cpu_count(sched); c++) {
        struct sched_cpu *cpu = sched_cpu(sched, c);
        uint32_t i = lane_before(&cpu->lane, ends ? t - 1 : t);
        if (i == UINT32_MAX || sched_run(cpu, i).thread != thread)
            continue;
        const struct slice *s = lane_at(&cpu->lane, i);
        *run = i;
        if (ends ? !slice_open(s) && slice_end(s) == t : s->start == t)
            return cpu;
    }
    return NULL;
}

static void add(struct others *others, uint32_t thread, int64_t ns) {
    size_t k = 0;
    while (k < others->n && others->v[k].thread != thread)
        k++;
    if (k == others->n && k < THREADS)
        others->v[others->n++] = (struct other){thread, 0};
    int64_t *sum = k < THREADS ? &others->v[k].ns : &others->rest;
    *sum = units_sum(*sum, ns);
}

/* Adds up the runs on the CPU after run i until `end`. */
static void add_runs(const struct sched_cpu *cpu, uint32_t i, int64_t end, struct others *others) {
    for (uint32_t k = i + 1; k < cpu->lane.n; k++) {
        const struct slice *s = lane_at(&cpu->lane, k);
        int64_t to = slice_endless(s) || slice_end(s) > end ? end : slice_end(s);
        others->more = s->start < end && k - i > LOOKED;
        if (s->start >= end || others->more)
            return;
        if (!(sched_flags(cpu, k) & SCHED_OF_IDLE) && to > s->start)
            add(others, sched_run(cpu, k).thread, units_since(s->start, to));
    }
}

/* Takes out the one with the most time; NULL: there is none. */
static const struct other *take_most(struct others *others) {
    struct other *most = NULL;
    for (size_t k = 0; k < others->n; k++)
        if (others->v[k].ns > 0 && (most == NULL || others->v[k].ns > most->ns))
            most = &others->v[k];
    return most;
}

static void say_others(struct drawer_text *p, struct others *others) {
    char text[48], dur[32];
    const struct other *most;
    for (int n = 0; n < NAMED && (most = take_most(others)) != NULL; n++) {
        drawer_text_say(p, ROLE_DIM, n == 0 ? "; instead ran " : ", ");
        details_thread_name(p, trace_thread(p->app->trace, most->thread));
        snprintf(text, sizeof text, " %s", units_duration(most->ns, p->app->grid.ascii, dur));
        drawer_text_say(p, ROLE_VALUE, text);
        others->v[most - others->v].ns = 0;
    }
    for (size_t k = 0; k < others->n; k++)
        others->rest = units_sum(others->rest, others->v[k].ns);
    if (others->rest > 0) {
        snprintf(text, sizeof text, ", others %s",
                 units_duration(others->rest, p->app->grid.ascii, dur));
        drawer_text_say(p, ROLE_DIM, text);
    }
    if (others->more)
        drawer_text_say(p, ROLE_DIM, ", and more");
}

void details_preempted(struct drawer_text *p, const struct sched_thread *t, uint32_t i) {
    const struct sched *sched = trace_sched(p->app->trace);
    const struct slice *s = lane_at(&t->lane, i);
    struct others others = {.n = 0};
    char text[48], point[48];
    uint32_t run = 0, again;
    if (sched_life_state(t, i) != SCHED_RUNNABLE || i == 0 ||
        sched_life_state(t, i - 1) != SCHED_RUNNING)
        return;
    const struct sched_cpu *left = cpu_at(sched, t->thread, s->start, true, &run);
    if (left == NULL)
        return;
    int64_t end = slice_open(s) ? trace_end(p->app->trace) : slice_end(s);
    snprintf(text, sizeof text, "cpu %u", left->number);
    drawer_text_say(p, ROLE_DIM, "preempted on ");
    drawer_text_say(p, ROLE_VALUE, text);
    add_runs(left, run, end, &others);
    say_others(p, &others);
    const struct sched_cpu *back =
        slice_open(s) ? NULL : cpu_at(sched, t->thread, end, false, &again);
    if (back) {
        snprintf(text, sizeof text, "cpu %u", back->number);
        drawer_text_say(p, ROLE_DIM, "; back on ");
        drawer_text_say(p, ROLE_VALUE, text);
        drawer_text_say(p, ROLE_DIM, " at ");
        drawer_text_say(p, ROLE_VALUE, session_point(p->app, end, 1, point));
    }
    drawer_text_next_line(p);
}
