/* stat_tab.h - the tables of view 2: one file each, and its row in STAT_TABS.
 *
 * A tab makes its rows in a task from the range; names also from filter and pivot. Rows of a new
 * question are shown as they come. While the answer to the same question is brought up to date, the
 * old rows stay on the screen.
 *
 * Sorting, & and / over rows, copies, :w, --export=csv and --describe follow from the relation. A
 * short tab is stat_logs.c. */
#ifndef FXTOP_STAT_TAB_H
#define FXTOP_STAT_TAB_H

#include "model/output/chars.h"
#include "model/query/answer.h"
#include "model/query/stat/instances.h"
#include "model/query/stat/names_table.h"
#include "ui/screen/table.h"
#include "ui/session.h"

struct stat_asked {
    struct app *app;
    const struct range *range;
    /* The filter of events, for rows that are names and for instances; NULL: none. In other tabs &
     * filters rows. */
    bool (*has)(void *ctx, uint32_t track, uint32_t row, uint32_t i);
    void *ctx;
    enum slice_group_by by;
    const char *argument;
    /* of instances: */
    unsigned kinds;
    const struct slice_group *group;
    struct aggregate_key key; /* of the group */
};

/* The rows of a table of this view; the context of its relation. */
struct stat_shown {
    struct table table;
    bool made;            /* the table is initialised */
    struct answer answer; /* its data begin with a struct stat_asked */
    int64_t looked;       /* view_table_look() */
};

struct stat_tab {
    const char *title;
    const char *noun;
    const char *none;                   /* if there are no rows */
    unsigned kinds;                     /* of events that rows are of: enum slice_iter_kind */
    const struct table_source *sources; /* one, or one for each enum slice_group_by */
    bool by_pivot;                      /* the latter */
    int sort;                           /* column at first; -1: the order of the rows */
    /* Its data begin with a struct stat_asked. make(): that is set, all else 0. */
    struct answer_ops answer;
    unsigned (*percent)(const void *data); /* of the work; NULL: not known */
    /* of what the numbers are so far, in percent; 100: all; NULL: percent() */
    unsigned (*so_far)(const void *data);
    /* Takes over the rows so far, or all, which may have other numbers; NULL: rows keep theirs. */
    void (*look)(void *data);
    /* sums, once it is complete; NULL: none */
    void (*heading)(const void *data, bool ascii, char *buf, size_t cap);
    void (*go)(void *data, uint64_t row); /* Enter; NULL: nothing */
};

/* Every tab, from left to right. A place kept by a session has the number of its tab, so a new row
 * is the last one. */
#define STAT_TABS(X)                                                                               \
    X(stat_names)                                                                                  \
    X(stat_threads_states)                                                                         \
    X(stat_threads_cpus)                                                                           \
    X(stat_counters)                                                                               \
    X(stat_flows)                                                                                  \
    X(stat_async)                                                                                  \
    X(stat_gaps)                                                                                   \
    X(stat_logs)

#define STAT_TABS_DECLARE(name) extern const struct stat_tab name;
STAT_TABS(STAT_TABS_DECLARE)
extern const struct stat_tab stat_instances; /* of a row of names */

struct stat_names { /* data of stat_names and stat_async */
    struct stat_asked asked;
    struct names_table table;
};

struct stat_instances {
    struct stat_asked asked;
    struct slice_group group;
    struct instances list;
    /* the rows until then, the longest of the slices passed at the last look */
    VEC(struct instance) so_far;
    bool complete;     /* the rows are those of `list` */
    struct chars text; /* of the last cell with arguments */
};

static inline const struct instance *stat_instances_at(const struct stat_instances *s,
                                                       uint64_t row) {
    return s->complete ? &s->list.v.v[row] : &s->so_far.v[row];
}

/* The data that a relation's context shows. NULL: none; then rows() is 0, and no cell is asked. */
static inline void *stat_tab_data(void *ctx) {
    return ((struct stat_shown *)ctx)->answer.shown;
}

#endif
