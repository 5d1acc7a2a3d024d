/* symbols_folder.h - a folder of --symbols, and files in it by a build id. */
#ifndef FXTOP_SYMBOLS_FOLDER_H
#define FXTOP_SYMBOLS_FOLDER_H

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "record/watch/binary.h"
#include "tests/lib/scratch.h"
#include "tests/unit/lib/must.h"

#define DEBUG_FILE ".build-id/**/**************************************.debug"

/* The path of a file in a folder, with folders of its own, which are made. */
static inline void make_path(char path[2 * SCRATCH_PATH], const char *folder, const char *at) {
    snprintf(path, 2 * SCRATCH_PATH, "%s/%s", folder, at);
    for (char *slash = path + strlen(folder) + 1; (slash = strchr(slash, '/')); *slash++ = '/') {
        *slash = 0;
        mkdir(path, 0700);
    }
}

/* Puts a build id in the place of asterisks. */
static inline void put_build_id(char *path, const struct binary *binary) {
    for (unsigned i = 0; strchr(path, '*') && i < binary->build_id_size; i++) {
        char hex[3], *to = strchr(path, '*');
        snprintf(hex, sizeof hex, "%02x", binary->build_id[i]);
        memcpy(to, hex, 2);
    }
}

static inline void remove_folder(const char *folder) {
    char command[SCRATCH_PATH + 20];
    snprintf(command, sizeof command, "rm -r %s", folder);
    ck_assert_int_eq(system(command), 0);
}

#endif
