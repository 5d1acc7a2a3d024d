/* fuzz.c - what targets report, and the small helpers that they share. */
#include "tests/fuzz/fuzz.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

#include "tests/lib/sound.h"

void fuzz_unsound(const char *fmt, ...) {
    va_list args;
    va_start(args, fmt);
    fputs("unsound: ", stderr);
    vfprintf(stderr, fmt, args);
    fputc('\n', stderr);
    va_end(args);
    abort();
}

int fuzz_hold(const uint8_t *data, size_t size, char path[40]) {
    int fd = sound_file();
    if (fd < 0 || write(fd, data, size) != (ssize_t)size) {
        perror("sound_file");
        exit(2);
    }
    snprintf(path, 40, "/proc/self/fd/%d", fd);
    return fd;
}
