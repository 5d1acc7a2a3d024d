/* names.h - names of the addresses in stacks, which are written before the stacks that have them.
 *
 * Each address of an image is asked for once (namer.h). A stack waits for its names; nothing else
 * does. If the answer takes too long, the stack is written, and its names come later. */
#ifndef FXTOP_RECORD_WATCH_NAMES_H
#define FXTOP_RECORD_WATCH_NAMES_H

#include "record/output.h"
#include "record/watch/images.h"
#include "record/watch/namer.h"

#define NAMES_NONE UINT32_MAX

enum names_told {
    NAMES_TOLD = 1,  /* its line is in the file */
    NAMES_ASKED = 2, /* the process knows it */
    NAMES_BAD = 4    /* a process has ended because of it */
};

struct names_address {
    uint32_t function; /* the innermost one; NAMES_NONE: not known, or not so far */
    uint32_t samples;  /* of a clock that it is the innermost address of */
};

struct names_wanted {
    uint32_t image, pid, entry;
    uint64_t address;
};

struct names_function {
    char *name, *file;
};

struct names {
    struct namer namer;
    bool off;             /* no more process is started */
    struct u64map places; /* image and address -> entry */
    VEC(struct names_address) entries;
    VEC(struct names_wanted) wanted; /* that were not answered; the first `asked` are asked for */
    size_t asked;
    uint64_t due; /* ns: an answer has to be there; 0: nothing is asked for */
    struct map functions_at;
    VEC(struct names_function) functions;
    uint64_t text;           /* bytes of their names */
    VEC(unsigned char) told; /* by image: enum names_told */
    VEC(char) answer;
    size_t lines;           /* in the answer */
    VEC(uint64_t) held;     /* stacks: ticket, time, process and thread, their number, addresses */
    size_t held_at;         /* the first that waits */
    uint64_t all, answered; /* addresses so far */
    unsigned restarts;
    char *bad; /* the first image that has none because of a fault; NULL: none is */
    unsigned nbad;
    uint64_t samples; /* of the clock */
};

void names_open(struct names *names);
void names_close(struct names *names);

/* An address, which is asked for if it is new. counts: it is the innermost one of a sample of the
 * clock. */
void names_want(struct names *names, uint32_t pid, struct images_place place, bool counts);
/* Writes a stack once the names of all addresses that were wanted so far are there. */
void names_hold(struct names *names, struct output *output, uint64_t ts, uint32_t pid, uint32_t tid,
                const uint64_t *pcs, unsigned n);

/* Asks and takes answers; writes names, and the stacks that have waited for them. */
void names_step(struct names *names, const struct images *images, struct output *output,
                uint64_t now);
/* Waits for answers, and writes all. */
void names_finish(struct names *names, const struct images *images, struct output *output,
                  uint64_t until);
/* A descriptor that can be read when there is an answer; -1: nothing is asked for. */
int names_fd(const struct names *names);
/* The function that most samples of the clock were in, or NAMES_NAMELESS if more were in functions
 * without a name; NULL: none. *samples: of it. */
#define NAMES_NAMELESS "code without symbols"
const char *names_heaviest(const struct names *names, uint64_t *samples);

#endif
