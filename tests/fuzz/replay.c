/* replay.c - the fuzzer's targets over files, without a fuzzer: tests/fuzz/replay [-v] [TARGET
 * [FILE or DIRECTORY]...]
 *
 * Without files: the target's corpus in the source tree; without a target: all of them. -v names
 * each file first. */
#include <dirent.h>
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "src/base/vec.h"
#include "tests/fuzz/fuzz.h"

static const struct target {
    const char *name;
    void (*run)(const uint8_t *data, size_t size);
} targets[] = {
    {"import", fuzz_import}, {"key", fuzz_key},       {"packet", fuzz_packet},
    {"query", fuzz_query},   {"reader", fuzz_reader}, {"readout", fuzz_readout},
    {"sql", fuzz_sql},       {"text", fuzz_text},     {"view", fuzz_view},
};

static unsigned replayed, failed;
static bool verbose;

static void replay_file(const struct target *target, const char *path) {
    VEC(uint8_t) bytes = {0};
    size_t n;
    FILE *f = fopen(path, "rb");
    if (f == NULL) {
        fprintf(stderr, "%s: %s\n", path, strerror(errno));
        failed++;
        return;
    }
    if (verbose)
        fprintf(stderr, "%s\n", path);
    do {
        vec_reserve(&bytes, bytes.n + 65536);
        n = fread(bytes.v + bytes.n, 1, 65536, f);
        bytes.n += n;
    } while (n > 0);
    fclose(f);
    uint8_t *exact = err_malloc(bytes.n); /* so that reading past the end is seen */
    memcpy(exact, bytes.v, bytes.n);
    target->run(exact, bytes.n);
    free(exact);
    vec_free(&bytes);
    replayed++;
}

static void replay(const struct target *target, const char *path) {
    DIR *dir = opendir(path);
    if (dir == NULL) {
        replay_file(target, path);
        return;
    }
    for (struct dirent *e; (e = readdir(dir)) != NULL;) {
        char name[4096];
        snprintf(name, sizeof name, "%s/%s", path, e->d_name);
        if (e->d_name[0] != '.')
            replay_file(target, name);
    }
    closedir(dir);
}

static void replay_corpus(const struct target *target) {
    const char *srcdir = getenv("srcdir");
    char corpus[4096];
    unsigned before = replayed;
    snprintf(corpus, sizeof corpus, "%s/tests/fuzz/corpus/%s", srcdir && *srcdir ? srcdir : ".",
             target->name);
    replay(target, corpus);
    failed += replayed == before; /* a corpus that is not there proves nothing */
}

int main(int argc, char **argv) {
    int at = 1;
    if (at < argc && strcmp(argv[at], "-v") == 0) {
        verbose = true;
        at++;
    }
    const char *wanted = at < argc ? argv[at++] : NULL;
    for (size_t i = 0; i < sizeof targets / sizeof *targets; i++) {
        if (wanted && strcmp(wanted, targets[i].name) != 0)
            continue;
        if (at == argc)
            replay_corpus(&targets[i]);
        for (int k = at; k < argc; k++)
            replay(&targets[i], argv[k]);
    }
    if (replayed == 0)
        failed++;
    printf("%u passed, %u failed\n", replayed, failed);
    return failed > 0;
}
