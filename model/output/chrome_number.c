/* chrome_number.c - the numbers of processes, threads and CPUs that viewers keep apart. */
#include "model/output/chrome_plan.h"

/* A number that a viewer keeps: tid 0 is for Perfetto the thread whose number is the pid. */
static bool keeps_tid(const struct trace *trace, const struct thread *t) {
    if (t->id.form == THREAD_UNDEFINED || t->id.tid >= CHROME_NUMBER_MAX)
        return false;
    return t->id.tid > 0 ||
           (t->process != NO_PROCESS && trace_process(trace, t->process)->pid == 0);
}

void chrome_number_threads(struct chrome_plan *plan, struct chrome_numbers *numbers) {
    struct trace *trace = plan->trace;
    size_t cpus = sched_cpu_count(trace_sched(trace));
    plan->pids = err_malloc((trace_process_count(trace) + 1) * sizeof *plan->pids);
    plan->cpu_tids = err_malloc((cpus + 1) * sizeof *plan->cpu_tids);
    for (size_t i = 0; i < trace_process_count(trace); i++)
        if (trace_process(trace, i)->pid < CHROME_NUMBER_MAX)
            chrome_numbers_reserve(numbers, 0, trace_process(trace, i)->pid);
    for (size_t i = 0; i < trace_thread_count(trace); i++)
        if (trace_thread(trace, i)->id.form != THREAD_UNDEFINED &&
            trace_thread(trace, i)->id.tid < CHROME_NUMBER_MAX)
            chrome_numbers_reserve(numbers, 0, trace_thread(trace, i)->id.tid);
    for (size_t i = 0; i < trace_process_count(trace); i++) {
        uint64_t pid = trace_process(trace, i)->pid;
        plan->pids[i] = pid < CHROME_NUMBER_MAX ? pid : chrome_numbers_fresh(numbers, 0);
    }
    plan->no_pid = chrome_numbers_fresh(numbers, 0);
    plan->cpus_pid = chrome_numbers_fresh(numbers, 0);
    for (size_t i = 0; i < cpus; i++)
        plan->cpu_tids[i] = chrome_numbers_fresh(numbers, 0);
    for (size_t i = 0; i < trace_thread_count(trace); i++) {
        const struct thread *t = trace_thread(trace, i);
        vec_push(&plan->tracks,
                 ((struct chrome_track){
                     .thread = (uint32_t)i,
                     .pid = t->process == NO_PROCESS ? plan->no_pid : plan->pids[t->process],
                     .tid = keeps_tid(trace, t) ? t->id.tid : chrome_numbers_fresh(numbers, 0)}));
    }
}
