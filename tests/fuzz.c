#include "tests/fuzz.h"

#include <fcntl.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <unistd.h>

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
    int fd = memfd_create("trace", MFD_CLOEXEC);
    if (fd < 0 || write(fd, data, size) != (ssize_t)size) {
        perror("memfd");
        exit(2);
    }
    snprintf(path, 40, "/proc/self/fd/%d", fd);
    return fd;
}
