/* version.c - the text of --version: the version, and the features of this build.
 *
 * A new feature that a build can lack is a row here (doc/STABILITY.md promises the form). */
#include "app/version.h"

#include <stddef.h>

#include "record/watch/debug_info.h"

#ifdef HAVE_ZSTD
#define WITH_ZSTD true
#else
#define WITH_ZSTD false
#endif
#ifdef HAVE_SQLITE
#define WITH_SQLITE true
#else
#define WITH_SQLITE false
#endif
#ifdef HAVE_RECORD
#define WITH_RECORD true
#else
#define WITH_RECORD false
#endif
#ifdef ENABLE_TRACE
#define WITH_TRACE true
#else
#define WITH_TRACE false
#endif

/* That of the program, which may be the static one, and not that of the build. */
static bool has_libdw(void) {
#ifdef HAVE_RECORD
    return debug_info_available();
#else
    return false;
#endif
}

void version_print(FILE *out, bool terminals) {
    const struct {
        const char *name;
        bool has;
    } features[] = {
        {"zstd", WITH_ZSTD},       /* reads .zst */
        {"sqlite", WITH_SQLITE},   /* --query, --assert, --export=sqlite */
        {"record", WITH_RECORD},   /* fxtop record */
        {"libdw", has_libdw()},    /* names of functions in its stacks */
        {"own-trace", WITH_TRACE}, /* fxtop record fxtop ... */
        {"terminals", terminals},  /* runs without a terminfo database */
    };
    const size_t n = sizeof features / sizeof *features;
    fputs("fxtop " PACKAGE_VERSION "\n", out);
    for (int has = 1; has >= 0; has--) {
        fputs(has ? "with:" : "without:", out);
        for (size_t i = 0; i < n; i++)
            if (features[i].has == (has == 1))
                fprintf(out, " %s", features[i].name);
        fputs("\n", out);
    }
}
