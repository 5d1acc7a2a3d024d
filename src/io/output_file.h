/* output_file.h - a file that is written whole or not at all, and never one that is read
 * (files_read.h).
 *
 * Bytes go to a file without a name in the same folder. When they are whole it gets the name, with
 * mode and owner of the file that had it; symbolic links stay. Some files cannot be replaced so:
 * the folder may not be written, there are other names, a mount. These are written over, once there
 * is space for all bytes. A pipe or a device is written to. A run that fails, or is killed, leaves
 * the old file. */
#ifndef FXTOP_OUTPUT_FILE_H
#define FXTOP_OUTPUT_FILE_H

#include <stdbool.h>
#include <stddef.h>
#include <sys/stat.h>

#include "src/base/err.h"

enum output_file_how {
    OUTPUT_FILE_OVER = 1,    /* over an existing file, too */
    OUTPUT_FILE_DIRECT = 2,  /* a pipe or a device gets bytes as they come, and may be waited for */
    OUTPUT_FILE_PRIVATE = 4, /* readable by the user alone */
    OUTPUT_FILE_SYNCED = 8,  /* on the disk before it gets its name */
    OUTPUT_FILE_SESSION = 16, /* a session that is read may be written again */
};

struct output_file {
    int fd; /* bytes are written here */
    unsigned how;
    char *path; /* links followed */
    int target; /* the existing file, or -1 */
    bool given; /* the target is a descriptor that this program was given */
    bool direct, in_place, made;
    struct stat before; /* of the target */
};

/* Fails with one line: the file exists (errno is EEXIST), is read, or cannot be written. */
bool output_file_open(struct output_file *out, const char *path, unsigned how, struct err *err);
/* Gives the file its name and closes it. False: one line; the old file is as it was. */
bool output_file_close(struct output_file *out, struct err *err);
void output_file_drop(struct output_file *out); /* leaves the old file */
/* All in one. */
bool output_file_write(const char *path, unsigned how, const char *bytes, size_t n,
                       struct err *err);

/* Standard output becomes the file, from here to the end (--output). NULL: it stays what it is, and
 * false with err if that is read. */
bool output_file_begin(const char *path, struct err *err);
/* good: it is whole. */
bool output_file_end(bool good, struct err *err);

#endif
