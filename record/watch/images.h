/* images.h - the code that processes have mapped, by events of the kernel, and its records.
 *
 * An image is a file, or code that a process makes as it runs, and has a number in the whole
 * recording. A process shares what it has mapped with the one that forked it until either maps
 * more. The records of a mapping are written before the first stack that needs it. */
#ifndef FXTOP_IMAGES_H
#define FXTOP_IMAGES_H

#include "record/output.h"
#include "record/watch/binary.h"
#include "record/watch/unwind.h"
#include "src/base/map.h"
#include "src/base/u64map.h"
#include "src/base/vec.h"

#define IMAGES_NONE UINT32_MAX
#define IMAGES_KERNEL 0u /* its image */
/* addresses from here on are the kernel's */
#define IMAGES_KERNEL_BEGIN (UINT64_C(1) << 63)

enum image_kind { IMAGE_KERNEL, IMAGE_FILE, IMAGE_VDSO, IMAGE_JIT };

struct image {
    enum image_kind kind;
    char *name;                             /* a path; "[kernel]", "[vdso]", "[jit]" */
    char build_id[2 * BINARY_BUILD_ID + 1]; /* in hex; of a "[jit]" a number of its own */
    uint32_t pid;                           /* of a "[jit]" */
    bool looked;                            /* `binary` is read, if it could be: n is 0 otherwise */
    struct binary binary;
    struct unwind *frames; /* its table; NULL: it has none */
};

struct images_map {
    uint64_t start, end;
    uint64_t offset; /* of the file, at the start */
    uint32_t image;
    uint8_t flags; /* as those of an mmap record */
    bool written;
};

struct images_space {
    unsigned refs;            /* processes that share it */
    uint32_t owner;           /* the process that `written` is about; 0: none */
    VEC(struct images_map) v; /* by address, without overlaps */
};

struct images_process {
    uint32_t pid;
    struct images_space *space;
    bool looked; /* /proc/PID/maps was read */
    bool kernel; /* the kernel's mapping is written */
};

struct images {
    VEC(struct image) v; /* the first is the kernel */
    struct map names;
    VEC(struct images_process) processes; /* pid 0: a free entry */
    VEC(uint32_t) unused;
    struct u64map places; /* pid -> entry + 1; 0: none */
    size_t frames;        /* bytes of tables */
    const char *symbols;  /* a folder with more files (image_file.h); NULL: none */
};

/* A mapping of code, as an event of the kernel has it. */
struct images_event {
    uint32_t pid, tid;
    uint64_t start, size, offset;
    uint32_t protection; /* PROT_ */
    struct str name;
    const unsigned char *build_id;
    size_t build_id_size; /* 0: not known */
};

void images_open(struct images *images);
void images_close(struct images *images);
void images_add(struct images *images, const struct images_event *event);
/* Adds the mappings of a process that runs already. */
void images_look(struct images *images, uint32_t pid);
void images_fork(struct images *images, uint32_t pid, uint32_t parent);
void images_forget(struct images *images, uint32_t pid); /* at an exec, and at the end */

/* The name in its module record, which is the end of a long path. */
struct str images_name(const struct image *image);

/* An address of a process. */
struct images_place {
    uint32_t image;   /* IMAGES_NONE: it is not known */
    uint64_t address; /* in the image's own numbering */
};
/* Finds the image of an address. Writes the records of its mapping, unless that was done. */
struct images_place images_find(struct images *images, struct output *output, uint64_t ts,
                                uint32_t pid, uint64_t address);
/* The same without records. */
struct images_place images_look_up(struct images *images, uint32_t pid, uint64_t address);

#endif
