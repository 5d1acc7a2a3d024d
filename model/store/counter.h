/* counter.h - counters: series of (process, name, id, argument name), their samples in (time, file
 * order).
 *
 * Values stay as the trace has them, integers exact; drawing takes doubles. Values that are not
 * finite are samples, too, and gaps in the curve (SEMANTICS 9). Times: ns relative to the reader's
 * base. Valid until the next trace_step(). */
#ifndef FXTOP_COUNTER_H
#define FXTOP_COUNTER_H

#include "model/store/time_log.h"
#include "model/store/world.h"
#include "src/base/double2.h"
#include "src/base/map.h"
#include "src/base/vec.h"

struct counter_sample {
    struct moment at; /* its offset: counter_place_of() */
    uint64_t bits;
};

#define COUNTER_LEVELS 5 /* of 64 each */

#define NO_SAMPLE SIZE_MAX

struct counter_extent {
    /* numbers of samples, because a double has not all bits; NO_SAMPLE: none is finite */
    size_t least, most;
    /* from the first to the last sample: sum of value x ns held, and of these ns */
    struct double2 area;
    double time;
};

struct counter_series {
    uint32_t process; /* place in the trace's processes, or NO_PROCESS */
    uint32_t name, argument;
    uint64_t id;
    uint16_t world; /* of a series without a process; else 0 */
    VEC(struct counter_sample) samples;
    struct time_log_list order;
    /* index: level k has extents of 64^(k + 1) samples each */
    VEC(struct counter_extent) extents[COUNTER_LEVELS];
};

struct counters {
    VEC(struct counter_series *) v; /* in the order of their first samples in the file */
    struct map by_key;
    const struct worlds *worlds; /* or NULL: all is of world 0 */
    uint64_t samples;
    VEC(uint32_t) unsorted; /* series with samples out of order, since counters_sort() */
};

void counters_free(struct counters *counters);
void counters_add(struct counters *counters, uint32_t process, uint32_t name, uint64_t id,
                  uint32_t argument, const struct counter_sample *sample);
/* Sorts the samples of the unsorted series; false: the task is cancelled. */
bool counters_sort(struct counters *counters, struct task *task);
uint64_t counters_bytes(const struct counters *counters);

/* Series are numbered in the order of their first samples in the file. */
static inline size_t counter_series_count(const struct counters *counters) {
    return counters->v.n;
}

static inline struct counter_series *counter_series(const struct counters *counters, size_t i) {
    return counters->v.v[i];
}

static inline size_t counter_sample_count(const struct counter_series *series) {
    return series->samples.n;
}

/* Sample `i` in the present order: call counter_samples(), or another question below, first. */
static inline const struct counter_sample *counter_sample(const struct counter_series *series,
                                                          size_t i) {
    return &series->samples.v[i];
}

/* The first series of the same counter (process, name and id). The series of its arguments have
 * adjacent numbers. */
uint32_t counter_leader(const struct counters *counters, uint32_t series);

static inline bool counter_numeric(uint8_t type) {
    return type >= 1 && type <= 5;
}

/* The origin of a sample in one number, in file order: its record, the argument's number in it, and
 * its type, FXT_ARG_INT32 to _DOUBLE. */
static inline uint64_t counter_place_of(uint64_t offset, unsigned argument, uint8_t type) {
    return offset << 4 | argument << 3 | type;
}

static inline uint64_t counter_offset(const struct counter_sample *s) {
    return s->at.offset >> 7 << 3;
}

static inline unsigned counter_argument(const struct counter_sample *s) {
    return s->at.offset >> 3 & 15;
}

static inline uint8_t counter_type(const struct counter_sample *s) {
    return s->at.offset & 7;
}

/* the nearest double; NaN if it is not finite */
double counter_value(const struct counter_sample *sample);

/* a - b, rounded once: for integers of any size the nearest double to the exact difference. NaN as
 * above. */
double counter_difference(const struct counter_sample *a, const struct counter_sample *b);

/* The digits of a - b, or of a if b is NULL, with all bits; false: one of them is a double. */
bool counter_digits(const struct counter_sample *a, const struct counter_sample *b, char buf[48]);

/* Differences to the sample before, or (rate) these per second. The caller frees the series. */
struct counter_series *counter_derive(struct counter_series *series, bool rate);
void counter_series_free(struct counter_series *series);
void counter_hide(struct counter_sample *sample); /* makes a gap of its value */

/* The samples in order: all of them after counters_sort(), or if they are few; else those before
 * the first late one. Questions below are of these. */
const struct counter_sample *counter_samples(struct counter_series *series, size_t *n);
/* Extends the index of the samples in order; false: the task is cancelled. Questions do so, too. */
bool counter_index(struct counter_series *series, struct task *task);
/* First sample at or after t. */
size_t counter_from(struct counter_series *series, int64_t t);
/* The numbers of the least and the greatest finite value of samples [i, j), integers compared to
 * the last bit. False if none is finite. */
bool counter_extent(struct counter_series *series, size_t i, size_t j, size_t *least, size_t *most);

/* The mean over time of [from, to), without gaps; false if no value holds there. */
bool counter_average(struct counter_series *series, int64_t from, int64_t to, double *average);

#endif
