/* cut_internal.h - the records that a part needs: what cut.c and cut_sched.c share. */
#ifndef FXTOP_CUT_INTERNAL_H
#define FXTOP_CUT_INTERNAL_H

#include "model/query/stat/question.h"
#include "src/base/u64map.h"
#include "src/base/vec.h"
#include "src/import/rewrite.h"

struct needed {
    uint64_t offset;
    uint32_t sides; /* enum rewrite_side */
    uint64_t of;    /* REWRITE_BARE: the record of its slice; else 0 */
};

struct sampled {  /* a row of samples in the range */
    uint32_t row; /* a thread */
    bool before;  /* with a stack at its begin */
};

struct cut {
    struct trace *trace;
    const struct question *asked;
    VEC(struct needed) v;           /* in file order when all are found */
    size_t at;                      /* the next one that rewriting comes to */
    VEC(unsigned char) flows;       /* by number: enum in cut.c */
    VEC(unsigned char) scheduled;   /* the same of threads whose states or runs are kept */
    VEC(int64_t) first;             /* time of each thread in the part, or NO_SLICE */
    VEC(struct rewrite_life) lives; /* of the file that is written */
    VEC(struct thread_id) threads;  /* of these, with a process: a switch has the koid alone */
    VEC(bool) outside;              /* by file: it ended before the range, or begins after it */
    bool by_time;                   /* all records in the range are kept */
    VEC(uint64_t) missing;          /* damaged records that are missing in the range, in order */
    VEC(int64_t) ran;  /* by thread: since when CPUs run it at the begin; INT64_MIN: they do not */
    VEC(int64_t) left; /* of these: when another CPU took it out; INT64_MAX: none did */
    VEC(struct sampled) sampled;
    struct u64map around; /* slices around points that are needed, by their records */
};

static inline void cut_need(struct cut *c, uint64_t offset, uint32_t sides) {
    vec_push(&c->v, ((struct needed){offset, sides, 0}));
}

/* Adds the records of a run of a CPU. own: REWRITE_OWN for the record that ends it, or 0. */
void cut_need_run(struct cut *c, const struct sched_cpu *cpu, uint32_t i, unsigned own);
/* Before those of states. */
void cut_find_runs(struct cut *c);
/* After those of states. */
void cut_need_contradictions(struct cut *c);
/* Adds those of state `i` of a thread. */
void cut_need_state(struct cut *c, const struct sched_thread *t, uint32_t i);
/* The switch by which a thread leaves its CPU at a time, if it does, with that time. */
void cut_need_leave(struct cut *c, uint32_t thread, int64_t time);
/* The end of the life in which a slice began. */
void cut_need_death(struct cut *c, uint32_t thread, int64_t begun);
/* When all are sorted: gives those their own times that would have another order at the edges. */
void cut_order(struct cut *c);
/* Fills `threads`. */
void cut_list_threads(struct cut *c);

#endif
