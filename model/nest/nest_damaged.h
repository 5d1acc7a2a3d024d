/* nest_damaged.h - slices with a damaged time, while their thread is nested again (nest_late.c).
 *
 * Times: ns relative to the reader's base. */
#ifndef FXTOP_NEST_DAMAGED_H
#define FXTOP_NEST_DAMAGED_H

#include "model/nest/nest_internal.h"

struct nest_wrong { /* a begin or an end that is matched by its place in the file */
    uint64_t offset;
    int64_t time; /* that it has */
};

struct nest_damaged {
    const struct slice_damage *by;
    VEC(struct nest_wrong) wrong; /* by offset */
    struct nest_items apart;      /* slices */
};

/* Gives begins and ends with a wrong time that of the sound one before them in the file. False:
 * cancelled. */
bool nest_damaged_order(struct nest_damaged *damaged, struct nest_items *events, struct task *task);

/* Gives matched slices, and the strays, their own times, and takes the damaged ones out. False:
 * cancelled. */
bool nest_damaged_take(struct nest_damaged *damaged, struct nest *nest,
                       const struct slice_extra *extra, struct nest_items *slices,
                       struct task *task);

/* Puts the damaged ones on the last rows. */
void nest_damaged_place(struct nest_damaged *damaged, struct nest *nest,
                        const struct slice_extra *extra);

/* The end of a slice, also of one that is set apart and ends before its begin. */
int64_t nest_damaged_end(const struct slice_extra *extra, const struct slice *s);

void nest_damaged_free(struct nest_damaged *damaged);

#endif
