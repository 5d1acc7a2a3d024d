/* paths_measure.h - the measures of paths: times and calls of slices, lives of processes, samples
 * of a profiler. Until one is chosen, the contents of the trace decide. */
#ifndef FXTOP_PATHS_MEASURE_H
#define FXTOP_PATHS_MEASURE_H

#include <stdbool.h>

#include "model/query/stat/path_tree.h"
#include "model/query/stat/range.h"

enum paths_measure { /* the first ones are those of enum path_weight, of one tree of slices */
                     PATHS_WALL,
                     PATHS_RUNNING,
                     PATHS_CALLS,
                     PATHS_PROCESSES,
                     PATHS_SAMPLES, /* of a profiler */
                     PATHS_OFF_CPU, /* time of its blocked samples */
                     PATHS_MEASURES
};

struct paths_has {  /* of the threads of a range */
    bool measured;  /* slices with a duration */
    bool sampled;   /* frames of a profiler: */
    bool running;   /* samples of running threads */
    bool blocked;   /* samples of threads that blocked */
    bool waiting;   /* no thread ran for long */
    bool processes; /* of a recording */
    bool several;   /* processes: as many as are worth a picture */
};

void paths_measure_look(struct trace *trace, const struct range *range, struct paths_has *has);
/* If none was chosen: wall time unless all slices are sampled. Then processes, if these are asked
 * for and there are several, else samples, or off-CPU time if the threads did little else than
 * wait. */
enum paths_measure paths_measure_first(const struct paths_has *has, bool processes);
/* The one after it that the trace has. */
enum paths_measure paths_measure_next(const struct paths_has *has, enum paths_measure measure);
/* The weight of the tree that holds it. */
enum path_weight paths_measure_weight(enum paths_measure measure);
/* The measure that a tree is made for: wall time for all that one of slices has. */
enum paths_measure paths_measure_tree(enum paths_measure measure);
const char *paths_measure_word(enum paths_measure measure); /* in sessions */
bool paths_measure_of(const char *word, enum paths_measure *measure);
/* In a message; NULL: the unit of the tree. */
const char *paths_measure_text(enum paths_measure measure);

#endif
