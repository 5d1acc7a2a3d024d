/* damaged.h - times that the file itself contradicts (SEMANTICS 4.7), and the slices that have one.
 *
 * Each writer has events of a thread in order, and the switches of a CPU. A time far from the bulk
 * is contradicted if the records before and after it agree with each other. No later one may reach
 * it. That takes a second look at the order of the file, which only traces with far times need.
 * Traces made of JSON may be in any order, and get none: their importer names the times that
 * cannot be, and in an .fxt a mark is before the record of each (FXT_DAMAGED).
 *
 * Times: ns relative to the reader's base. */
#ifndef FXTOP_DAMAGED_H
#define FXTOP_DAMAGED_H

#include "model/store/lane.h"
#include "model/store/world.h"
#include "src/fxt/reader.h"

struct damaged_time {
    uint64_t offset; /* bytes: of its record */
    int64_t time;    /* of marked ones, before all is read: 0 */
    /* times of its thread or CPU before and after it in the file; 0, 0: not known */
    int64_t from, to;
};

struct damaged_slice {
    const struct lane *lane;
    uint32_t i;
};

struct damaged_state {
    uint32_t thread, i;
};

struct damaged {
    VEC(struct damaged_time) v;       /* by offset, one a record */
    VEC(struct damaged_time) marked;  /* those that an importer or a mark names, by offset */
    VEC(struct damaged_slice) slices; /* by lane and number; valid until the trace changes */
    VEC(uint32_t) names;              /* of those slices, by number; some more than once */
    VEC(struct damaged_slice) runs;   /* of CPUs: the same */
    VEC(struct damaged_state) states; /* of threads */
    uint64_t hops;                    /* of flows; once all is looked at */
    struct second_look *look;         /* under way, or NULL */
    uint64_t looked_at;               /* bytes of the file at the latest complete look */
};

void damaged_free(struct damaged *damaged);

/* Whether a look at a part may find any: not if it begins with all its early times, and ends with
 * all its late ones. */
bool damaged_can_be(struct reader *reader, size_t part, const struct bulk_stretch *bulk);

/* Looks at about so many bytes more of what `reader` has read of a file of a set (worlds->n = 0: of
 * the one file); true: the list is complete. marks: only marked records are damaged. */
bool damaged_look(struct damaged *damaged, const struct reader *reader, const struct worlds *worlds,
                  size_t file, bool marks, const struct bulk_stretch *bulk, uint64_t bytes);

/* Adds a record that is named as damaged; each is after those before it. */
void damaged_add(struct damaged *damaged, uint64_t offset);
/* Takes those for the whole list, at once: no look can find more. */
void damaged_take_marked(struct damaged *damaged, struct reader *reader);
/* Adds the lists of another file, by offset. */
void damaged_join(struct damaged *damaged, const struct damaged *more);
bool damaged_is_marked(const struct damaged *damaged, uint64_t offset);
/* How many of the list are far. */
uint64_t damaged_far(const struct damaged *damaged, const struct bulk_stretch *bulk);

/* The time at which the event at an offset was written, if it is in order. False: there is none. */
bool damaged_written_at(struct reader *reader, uint64_t offset, int64_t *time);

/* Gives up a look that is under way: more was read. */
void damaged_stop(struct damaged *damaged);

/* Whether the time of the record at byte `offset` is damaged. */
bool damaged_has(const struct damaged *damaged, uint64_t offset);
/* Whether it is this time of the record. */
bool damaged_has_time(const struct damaged *damaged, uint64_t offset, int64_t time);

/* Sorts n slices by lane and number. Returns how many there are without those that are the same. */
size_t damaged_sort(struct damaged_slice *v, size_t n);
/* The first of n damaged slices that is on the lane at or after number i; UINT32_MAX: there is
 * none. */
uint32_t damaged_next(const struct damaged_slice *v, size_t n, const struct lane *lane, uint32_t i);

#endif
