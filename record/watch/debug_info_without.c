/* debug_info_without.c - no names of functions, in a program without libdw. */
#include <stddef.h>
#include <unistd.h>

#include "record/watch/debug_info.h"

bool debug_info_available(void) {
    return false;
}

struct debug_info *debug_info_open(int fd, const char *path, const char *build_id,
                                   const char *symbols) {
    (void)symbols;
    (void)path;
    (void)build_id;
    close(fd);
    return NULL;
}

void debug_info_close(struct debug_info *info) {
    (void)info;
}

unsigned debug_info_find(struct debug_info *info, uint64_t address,
                         struct debug_info_frame frames[DEBUG_INFO_DEPTH]) {
    (void)info;
    (void)address;
    (void)frames;
    return 0;
}
