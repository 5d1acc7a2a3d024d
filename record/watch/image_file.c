/* image_file.c - opens the files that may have the code of an image, or its names. */
#include "record/watch/image_file.h"

#include <fcntl.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#define PATH 8400

static int open_regular(const char *path) {
    struct stat st;
    int fd = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK | O_NOCTTY);
    if (fd >= 0 && (fstat(fd, &st) != 0 || !S_ISREG(st.st_mode))) {
        close(fd);
        fd = -1;
    }
    return fd;
}

/* The process may have a root of its own, or have ended. */
static int open_own(const struct image_file *f) {
    char path[PATH];
    snprintf(path, sizeof path, "/proc/%" PRIu32 "/root%s", f->pid, f->name);
    int fd = open_regular(path);
    return fd >= 0 ? fd : open_regular(f->name);
}

static int open_debug(const struct image_file *f, const char *below) {
    char path[PATH];
    snprintf(path, sizeof path, "%s%s/.build-id/%.2s/%s.debug", f->symbols, below, f->build_id,
             f->build_id + 2);
    return open_regular(path);
}

int image_file_open(const struct image_file *f, enum image_file_way way) {
    char path[PATH];
    const char *slash = strrchr(f->name, '/');
    bool wanted = f->symbols && slash && strlen(f->build_id) > 2;
    if (way == IMAGE_FILE_OWN)
        return open_own(f);
    if (!wanted)
        return -1;
    if (way == IMAGE_FILE_DEBUG || way == IMAGE_FILE_DEBUG_BELOW)
        return open_debug(f, way == IMAGE_FILE_DEBUG ? "" : "/usr/lib/debug");
    snprintf(path, sizeof path, "%s%s", f->symbols, way == IMAGE_FILE_ROOT ? f->name : slash);
    return open_regular(path);
}

bool image_file_folder(const char *typed, char *folder, size_t size) {
    struct stat st;
    char *found = realpath(typed, NULL);
    bool good = found && stat(found, &st) == 0 && S_ISDIR(st.st_mode) && strlen(found) < size &&
                strchr(found, ':') == NULL;
    if (good)
        memcpy(folder, found, strlen(found) + 1);
    free(found);
    return good;
}
