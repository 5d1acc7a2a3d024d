/* chrome_number.c - the numbers of processes, threads and CPUs that viewers keep apart.
 *
 * Viewers know no hosts: a number stays that of the first host that has it, and the processes and
 * threads of others get numbers that none has. */
#include "model/output/chrome_plan.h"

#include "model/store/row_track.h"
#include "src/base/u64map.h"

struct hosts {           /* of numbers, if there are several */
    struct u64map first; /* number -> world */
    bool several;
};

/* A number that a viewer keeps: tid 0 is for Perfetto the thread whose number is the pid. */
static bool keeps_tid(const struct trace *trace, const struct thread *t) {
    if (t->id.form == THREAD_UNDEFINED || t->id.tid >= CHROME_NUMBER_MAX)
        return false;
    return t->id.tid > 0 ||
           (t->process != NO_PROCESS && trace_process(trace, t->process)->pid == 0);
}

/* Whether a number is that of a world alone, which it becomes if it is of none. */
static bool takes(struct hosts *hosts, uint64_t number, uint16_t world) {
    if (!hosts->several)
        return true;
    uint64_t first = u64map_get(&hosts->first, number);
    if (first == UINT64_MAX)
        u64map_set(&hosts->first, number, world);
    return first == UINT64_MAX || first == world;
}

static void reserve(struct chrome_plan *plan, struct chrome_numbers *numbers) {
    struct trace *trace = plan->trace;
    for (size_t i = 0; i < trace_process_count(trace); i++)
        if (trace_process(trace, i)->pid < CHROME_NUMBER_MAX)
            chrome_numbers_reserve(numbers, 0, trace_process(trace, i)->pid);
    for (size_t i = 0; i < trace_thread_count(trace); i++)
        if (trace_thread(trace, i)->id.form != THREAD_UNDEFINED &&
            trace_thread(trace, i)->id.tid < CHROME_NUMBER_MAX)
            chrome_numbers_reserve(numbers, 0, trace_thread(trace, i)->id.tid);
}

static void number_worlds(struct chrome_plan *plan, struct chrome_numbers *numbers) {
    uint32_t worlds = trace_hosts(plan->trace);
    plan->no_pids = err_malloc(worlds * sizeof *plan->no_pids);
    plan->cpus_pids = err_malloc(worlds * sizeof *plan->cpus_pids);
    for (uint32_t i = 0; i < worlds; i++) {
        plan->no_pids[i] = chrome_numbers_fresh(numbers, 0);
        plan->cpus_pids[i] = chrome_numbers_fresh(numbers, 0);
    }
}

/* Numbers of the tracks of questions, if there are any. */
static void number_rows(struct chrome_plan *plan, struct chrome_numbers *numbers) {
    const struct row_tracks *tracks = trace_row_tracks(plan->trace);
    size_t lanes = 0, n = 0;
    for (uint32_t i = 0; i < tracks->v.n; i++)
        lanes += row_tracks_at(tracks, i) ? row_tracks_at(tracks, i)->lanes.n : 0;
    if (lanes == 0)
        return;
    plan->rows_pid = chrome_numbers_fresh(numbers, 0);
    plan->rows_tids = err_calloc(lanes, sizeof *plan->rows_tids);
    while (n < lanes)
        plan->rows_tids[n++] = chrome_numbers_fresh(numbers, 0);
}

static uint64_t tid_of(const struct chrome_plan *plan, const struct thread *t, struct hosts *hosts,
                       struct chrome_numbers *numbers) {
    bool main = t->process != NO_PROCESS && t->id.form == THREAD_PAIR && t->id.tid == t->id.pid;
    if (keeps_tid(plan->trace, t) && hosts->several && main)
        return plan->pids[t->process];
    if (keeps_tid(plan->trace, t) && takes(hosts, t->id.tid, t->id.world))
        return t->id.tid;
    return chrome_numbers_fresh(numbers, 0);
}

void chrome_number_threads(struct chrome_plan *plan, struct chrome_numbers *numbers) {
    struct trace *trace = plan->trace;
    struct hosts hosts = {.several = trace_hosts(trace) > 1};
    size_t cpus = sched_cpu_count(trace_sched(trace));
    plan->pids = err_malloc((trace_process_count(trace) + 1) * sizeof *plan->pids);
    plan->cpu_tids = err_malloc((cpus + 1) * sizeof *plan->cpu_tids);
    reserve(plan, numbers);
    for (size_t i = 0; i < trace_process_count(trace); i++) {
        const struct process *p = trace_process(trace, i);
        bool keeps = p->pid < CHROME_NUMBER_MAX && takes(&hosts, p->pid, p->world);
        plan->pids[i] = keeps ? p->pid : chrome_numbers_fresh(numbers, 0);
    }
    number_worlds(plan, numbers);
    for (size_t i = 0; i < cpus; i++)
        plan->cpu_tids[i] = chrome_numbers_fresh(numbers, 0);
    for (size_t i = 0; i < trace_thread_count(trace); i++) {
        const struct thread *t = trace_thread(trace, i);
        vec_push(&plan->tracks,
                 ((struct chrome_track){.thread = (uint32_t)i,
                                        .pid = t->process == NO_PROCESS ? plan->no_pids[t->id.world]
                                                                        : plan->pids[t->process],
                                        .tid = tid_of(plan, t, &hosts, numbers)}));
    }
    number_rows(plan, numbers);
    u64map_free(&hosts.first);
}
