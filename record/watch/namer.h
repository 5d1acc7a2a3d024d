/* namer.h - a process that finds the names of functions, so that a hostile file costs names and not
 * the recording.
 *
 * Files of others are read there by libdw, which may crash, take all memory, or take for ever. The
 * process then ends, or is ended, and another one takes its place. Names of a large program also
 * take seconds, in which the recording has to go on.
 *
 * It is asked by lines, up to an empty one. The first about an image has `m`, its number, a process
 * that has it mapped, its kind, its build id or `-`, and its name. A line with `a`, the number and
 * an address in base 16 is answered by a line. That has name, file and line of each function there,
 * the innermost first, separated by tabs, or is empty. */
#ifndef FXTOP_NAMER_H
#define FXTOP_NAMER_H

#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>

#include "record/apart.h"
#include "record/watch/images.h"

struct namer {
    struct apart apart;
    const char *symbols; /* a folder with more files (image_file.h); NULL: none */
    bool folder_alone;   /* no files but those are looked into */
    int nice;            /* its priority */
    uint32_t *image;     /* shared with it: the number of the one that it looks into, + 1 */
};

/* Starts the process. False: the system has none. */
bool namer_start(struct namer *namer);
/* Ends it. */
void namer_stop(struct namer *namer);

/* Write questions. build_id: "" if it is not known. */
void namer_put_image(FILE *file, uint32_t number, uint32_t pid, enum image_kind kind,
                     const char *build_id, const char *name);
void namer_put_address(FILE *file, uint32_t number, uint64_t address);
/* Sends them. False: the process has ended. */
bool namer_send(const struct namer *n, const char *s, size_t bytes);
/* An answer may be hostile by now: control characters but tabs become spaces. */
void namer_make_plain(char *text, size_t n);

#endif
