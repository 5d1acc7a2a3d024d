/* finder.h - names of addresses in a finished trace, by the build ids of its modules, from files in
 * a folder.
 *
 * The process of namer.h is asked, and waited for: a hostile file costs its names, and some seconds
 * at most. The trace is hostile, too: a path in it leads to no file outside of the folder, and no
 * file without the build id is believed. */
#ifndef FXTOP_FINDER_H
#define FXTOP_FINDER_H

#include "record/watch/namer.h"
#include "src/base/err.h"
#include "src/base/map.h"
#include "src/base/vec.h"
#include "src/import/profiles/symbols.h"

struct finder_module {
    char *build_id, *path;
    bool asked, bad;
};

struct finder {
    struct symbols_source source;
    char folder[4096];
    struct namer namer;
    pid_t owner; /* that started the process; its copies have none */
    struct map by_key;
    VEC(struct finder_module) modules;
    VEC(char) answer;
    unsigned restarts, nbad;
    char *bad;
};

/* folder: as it was typed. own: files at the paths in the trace are looked into, too; then the
 * folder may be NULL. Fails in one line: it is no folder, or libdw is not there. */
struct finder *finder_new(const char *folder, bool own, bool ascii, struct err *err);
void finder_free(struct finder *finder); /* may be NULL */
const struct symbols_source *finder_source(const struct finder *finder);
/* The first module that has no names because of a damaged file; NULL: none. *n: how many have
 * none. */
const char *finder_bad(const struct finder *finder, unsigned *n);
#endif
