/* v8_profile.h - a CPU profile of V8: nodes, each a stack, and samples, each the number of a node
 * and the time since the one before.
 *
 * The parts come in any order: all of a .cpuprofile, or piece by piece, as Chrome's trace events
 * have them. A piece ends with v8_profile_samples(). */
#ifndef FXTOP_V8_PROFILE_H
#define FXTOP_V8_PROFILE_H

#include "src/base/u64map.h"
#include "src/import/json/json_pull.h"
#include "src/import/json/json_read.h"
#include "src/import/profiles/stack_tree.h"

struct v8_sample {
    int64_t ts; /* ns; negative: it cannot be, and the one before it counts */
    uint64_t at;
    uint32_t node; /* of the tree; V8_PROFILE_IDLE: none, the thread waits */
};
#define V8_PROFILE_IDLE (UINT32_MAX - 1)

struct v8_node {
    uint64_t id, at;
    uint64_t parent_id;
    struct samples_frame frame;
    uint32_t parent, place; /* parent: its index; place: in the tree */
    bool has_parent, root, idle;
    unsigned char state;
};

struct v8_open { /* one that is being read */
    uint32_t node;
    struct json_token name, file;
    int64_t line, first;   /* first: the number of a first line */
    bool has_id, children; /* children: within them */
};

struct v8_number {
    uint64_t at;
    int64_t n;
};

struct v8_profile { /* zero-initialised: empty */
    struct samples *samples;
    /* counts a fault at this byte of the text */
    void (*fault)(void *ctx, uint64_t at, const char *sentence);
    void *ctx;
    struct stack_tree tree;
    VEC(struct v8_node) nodes;
    VEC(struct v8_open) open;
    size_t placed;        /* nodes that are in the tree */
    struct u64map by_id;  /* the index of a node */
    struct u64map around; /* by the id of a node: the index of that which it is a child of */
    VEC(uint32_t) path;
    /* of the present piece, each with its place */
    VEC(struct v8_number) ids, deltas;
    bool stamps; /* deltas are times */
    int64_t now; /* ns: the time of the last sample, at first that of the start */
    bool too_far;
    VEC(struct v8_sample) v; /* of the present piece, by time */
    struct json_pull_text name, file;
};

void v8_profile_free(struct v8_profile *p);

/* The value of `pull` is such a part: a list of nodes, or one with others in it, as profiles of
 * 2016 and before have it. */
void v8_profile_nodes(struct v8_profile *p, struct json_pull *pull);
void v8_profile_node(struct v8_profile *p, struct json_pull *pull);
void v8_profile_ids(struct v8_profile *p, struct json_pull *pull);
void v8_profile_deltas(struct v8_profile *p, struct json_pull *pull);
/* Microseconds as nanoseconds; false: it is no such time. */
bool v8_profile_time(const struct json_token *token, int64_t *ns);

/* Puts the samples of this piece into `v`, by time. */
void v8_profile_samples(struct v8_profile *p);
/* Hands one of them over, as a sample of a thread. */
void v8_profile_add(struct v8_profile *p, const struct v8_sample *one,
                    struct samples_sample *sample);

#endif
