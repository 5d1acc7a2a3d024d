/* image_file.c - opens the files that may have the code of an image, or its names. */
#include "record/watch/image_file.h"

#include <fcntl.h>
#include <inttypes.h>
#include <stdbool.h>
#include <stdio.h>
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

static int open_debug(const struct image_file *f) {
    static const char *const folders[] = {"", "/usr/lib/debug"};
    char path[PATH];
    int fd = -1;
    for (size_t i = 0; i < sizeof folders / sizeof *folders && fd < 0; i++) {
        snprintf(path, sizeof path, "%s%s/.build-id/%.2s/%s.debug", f->symbols, folders[i],
                 f->build_id, f->build_id + 2);
        fd = open_regular(path);
    }
    return fd;
}

int image_file_open(const struct image_file *f, enum image_file_way way) {
    char path[PATH];
    const char *slash = strrchr(f->name, '/');
    bool wanted = f->symbols && slash && strlen(f->build_id) > 2;
    if (way == IMAGE_FILE_OWN)
        return open_own(f);
    if (!wanted)
        return -1;
    if (way == IMAGE_FILE_DEBUG)
        return open_debug(f);
    snprintf(path, sizeof path, "%s%s", f->symbols, way == IMAGE_FILE_ROOT ? f->name : slash);
    return open_regular(path);
}
