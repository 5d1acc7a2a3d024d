/* preload.c - finds the library: beside the program as it is built, else where it is installed. */
#include "record/preload.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#define LIBRARY "libfxttrace-waits.so"

/* The folder of this program; false: it is not known. */
static bool own_folder(char folder[PRELOAD_PATH]) {
    ssize_t n = readlink("/proc/self/exe", folder, PRELOAD_PATH - 1);
    folder[n > 0 ? n : 0] = '\0';
    char *slash = strrchr(folder, '/');
    if (slash)
        *slash = '\0';
    return slash != NULL;
}

static bool find(char path[PRELOAD_PATH]) {
    static const char *const beside[] = {"", "/../lib/fxtop"};
    char folder[PRELOAD_PATH];
    bool known = own_folder(folder);
    for (size_t i = 0; known && i < sizeof beside / sizeof *beside; i++) {
        int n = snprintf(path, PRELOAD_PATH, "%s%s/" LIBRARY, folder, beside[i]);
        if (n < PRELOAD_PATH && access(path, R_OK) == 0)
            return true;
    }
    snprintf(path, PRELOAD_PATH, PRELOAD_FOLDER "/" LIBRARY);
    return access(path, R_OK) == 0;
}

bool preload_waits(struct preload *p, uint64_t ns, struct err *err) {
    char path[PRELOAD_PATH];
    const char *others = getenv("LD_PRELOAD");
    if (!find(path))
        return err_set(err, ERR_NO_OFFSET, "--waits needs " LIBRARY ", which is not installed");
    if (path[strcspn(path, ": ")] != '\0')
        return err_set(err, ERR_NO_OFFSET,
                       "--waits needs " LIBRARY " in a folder without blanks and colons");
    bool more = others && *others;
    size_t n = (size_t)snprintf(p->library, sizeof p->library, "LD_PRELOAD=%s%s%s", path,
                                more ? ":" : "", more ? others : "");
    if (n >= sizeof p->library)
        return err_set(err, ERR_NO_OFFSET, "LD_PRELOAD is too long for another library");
    snprintf(p->limit, sizeof p->limit, "FXTTRACE_WAITS=%" PRIu64, ns);
    return true;
}
