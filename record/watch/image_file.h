/* image_file.h - the files that may have the code of an image, or its names: that of the process,
 * and those in a folder that the user has named (--symbols).
 *
 * The folder is the root of another system, or has executables, or files of debug information by
 * their build ids. A file there is believed only if its build id is the image's. */
#ifndef FXTOP_IMAGE_FILE_H
#define FXTOP_IMAGE_FILE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum image_file_way {
    IMAGE_FILE_ROOT,        /* in the folder, by its path */
    IMAGE_FILE_NAME,        /* in the folder, by its name */
    IMAGE_FILE_OWN,         /* that of the process */
    IMAGE_FILE_DEBUG,       /* of debug information, by the build id: at the top of the folder */
    IMAGE_FILE_DEBUG_BELOW, /* the same, where systems have it */
    IMAGE_FILE_WAYS
};

struct image_file {
    uint32_t pid; /* a process that has it mapped, or had */
    const char *name;
    const char *build_id; /* in hex; "": not known */
    const char *symbols;  /* the folder, from the root; NULL: none */
};

/* A descriptor of a regular file; -1: there is none. */
int image_file_open(const struct image_file *file, enum image_file_way way);

/* The folder that a user has typed, from the root. False: it is none, or has a colon in its name,
 * which is between folders of libdw. */
bool image_file_folder(const char *typed, char *folder, size_t size);
#define IMAGE_FILE_NO_FOLDER "--symbols expects a folder, without a colon in its name, not '%s'"

#endif
