/* rewrite_moved.h - the differences of a part of an archive from its trace: times, ids, names. */
#ifndef FXTOP_SRC_IMPORT_REWRITE_MOVED_H
#define FXTOP_SRC_IMPORT_REWRITE_MOVED_H

#include "src/fxt/reader.h"
#include "src/fxt/record.h"

#define REWRITE_PROVIDER_NAME 255 /* bytes, at most */

struct rewrite_moved {
    struct reader *reader; /* of all parts; NULL: no archive is written */
    size_t part;
    uint16_t world; /* of its threads */
    uint64_t shift; /* ns */
    uint64_t ids;   /* of record_id() */
    struct str name;
    struct u64map *taken; /* ids of providers in all parts */
};

/* An id of the host as it is written. */
static inline uint64_t rewrite_moved_id(const struct rewrite_moved *m, uint64_t id) {
    return record_id(m->ids, id);
}

/* The rate of a clock as it is written. */
uint64_t rewrite_moved_rate(const struct rewrite_moved *m, uint64_t tps);

/* A time of the source as it is written: in ns it is later by the shift exactly. Times that are too
 * late for the format are far off in the source, too. */
uint64_t rewrite_moved_time(const struct rewrite_moved *m, uint64_t tps, uint64_t ticks);

/* The name of a provider after that of its trace; the records of no provider have that alone. */
struct str rewrite_moved_name(const struct rewrite_moved *m, const struct provider *p,
                              struct str name, char buf[REWRITE_PROVIDER_NAME + 1]);

/* The text of the range of a part, "1500 to 2500 ns", on the common clock; as it is if the buffer
 * is too small. */
struct str rewrite_moved_range(const struct rewrite_moved *m, struct str text, char *buf,
                               size_t size);

#endif
