/* preload.c - finds the libraries in the folder of the program, else where they are installed. */
#include "record/preload.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#ifndef PRELOAD_FOLDER /* the makefile defines it */
#define PRELOAD_FOLDER "/usr/local/lib/fxtop"
#endif

/* The folder of this program; false: it is not known. */
static bool own_folder(char folder[PRELOAD_PATH]) {
    ssize_t n = readlink("/proc/self/exe", folder, PRELOAD_PATH - 1);
    folder[n > 0 ? n : 0] = '\0';
    char *slash = strrchr(folder, '/');
    if (slash)
        *slash = '\0';
    return slash != NULL;
}

static bool find(const char *library, char path[PRELOAD_PATH]) {
    static const char *const beside[] = {"", "/../lib/fxtop"};
    char folder[PRELOAD_PATH];
    bool known = own_folder(folder);
    for (size_t i = 0; known && i < sizeof beside / sizeof *beside; i++) {
        int n = snprintf(path, PRELOAD_PATH, "%s%s/%s", folder, beside[i], library);
        if (n < PRELOAD_PATH && access(path, R_OK) == 0)
            return true;
    }
    snprintf(path, PRELOAD_PATH, PRELOAD_FOLDER "/%s", library);
    return access(path, R_OK) == 0;
}

/* Appends a library to the list. */
static bool add(struct preload *p, const char *option, const char *library, struct err *err) {
    char path[PRELOAD_PATH];
    size_t n = strlen(p->libraries);
    if (!find(library, path))
        return err_set(err, ERR_NO_OFFSET, "%s needs %s, which is not installed", option, library);
    if (path[strcspn(path, ": ")] != '\0')
        return err_set(err, ERR_NO_OFFSET, "%s needs %s in a folder without blanks and colons",
                       option, library);
    if (strlen(path) + 16 > sizeof p->libraries - n)
        return err_set(err, ERR_NO_OFFSET, "%s needs %s at a shorter path", option, library);
    snprintf(p->libraries + n, sizeof p->libraries - n, "%s%s", n > 0 ? ":" : "LD_PRELOAD=", path);
    return true;
}

bool preload_make(struct preload *p, const struct preload_options *o, struct err *err) {
    const char *others = getenv("LD_PRELOAD");
    *p = (struct preload){.variables = {NULL}};
    if ((o->waits && !add(p, "--waits", "libfxttrace-waits.so", err)) ||
        (o->functions && !add(p, "--functions", "libfxttrace-functions.so", err)))
        return false;
    size_t n = strlen(p->libraries);
    if (others && *others && strlen(others) >= sizeof p->libraries - n - 1)
        return err_set(err, ERR_NO_OFFSET, "LD_PRELOAD is too long for another library");
    if (others && *others)
        snprintf(p->libraries + n, sizeof p->libraries - n, ":%s", others);
    if (o->functions && strlen(o->functions) > sizeof p->functions - 32)
        return err_set(err, ERR_NO_OFFSET, "the patterns of --functions are too long");
    snprintf(p->waits, sizeof p->waits, "FXTTRACE_WAITS=%" PRIu64, o->waits_least);
    snprintf(p->functions, sizeof p->functions, "FXTTRACE_FUNCTIONS=%s",
             o->functions ? o->functions : "");
    snprintf(p->functions_least, sizeof p->functions_least, "FXTTRACE_FUNCTIONS_LEAST=%" PRIu64,
             o->functions_least);
    p->variables[0] = n > 0 ? p->libraries : NULL;
    p->variables[1] = o->waits ? p->waits : NULL;
    p->variables[2] = o->functions ? p->functions : NULL;
    p->variables[3] = o->functions ? p->functions_least : NULL;
    return true;
}
