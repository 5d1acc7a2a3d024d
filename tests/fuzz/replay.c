/* replay.c - the fuzzer's targets over files, without a fuzzer: tests/fuzz/replay [-v] [-c CHANGES]
 * [TARGET [FILE or DIRECTORY]...]
 *
 * Without files: the target's corpus in the source tree; without a target: all of them. -v names
 * each file first. After each file come CHANGES copies of it with some bytes changed: by chance,
 * but the same in every run. */
#include <dirent.h>
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "src/base/vec.h"
#include "tests/fuzz/fuzz.h"
#include "tests/lib/chance.h"

#define LARGEST 4096 /* longer files are not changed: a target may take a second for one */

static const struct target {
    const char *name;
    void (*run)(const uint8_t *data, size_t size);
} targets[] = {
    {"import", fuzz_import},   {"key", fuzz_key},     {"packet", fuzz_packet},
    {"proto", fuzz_proto},     {"query", fuzz_query}, {"reader", fuzz_reader},
    {"readout", fuzz_readout}, {"sql", fuzz_sql},     {"text", fuzz_text},
    {"view", fuzz_view},
};

static unsigned replayed, failed;
static unsigned changes; /* of each file */
static bool verbose;

/* In memory of its own size, so that reading past the end is seen. */
static void run(const struct target *target, const uint8_t *data, size_t size) {
    uint8_t *exact = err_malloc(size);
    memcpy(exact, data, size);
    target->run(exact, size);
    free(exact);
    replayed++;
}

/* Numbers and characters that decide something in one of the formats. */
static const uint64_t words[] = {0,          1,         0x7F,       0x80,      0xFFFF,
                                 UINT32_MAX, INT64_MAX, 1ull << 63, UINT64_MAX};
static const char marks[] = "{}[]\"\\:,-.0123456789eEnst \n\t\x1b\xff";

/* Changes one to four places: a bit, a byte, a word, a span left out, or one written over another.
 * Returns the size, which never grows. */
static size_t change(struct chance *chance, uint8_t *data, size_t size) {
    for (uint64_t places = 1 + below(chance, 4); places > 0 && size > 0; places--) {
        size_t at = below(chance, size), from = below(chance, size);
        size_t most = size - (at > from ? at : from), n = 1 + below(chance, most < 64 ? most : 64);
        switch (below(chance, 5)) {
        case 0:
            data[at] ^= (uint8_t)(1u << below(chance, 8));
            break;
        case 1:
            data[at] = (uint8_t)marks[below(chance, sizeof marks)];
            break;
        case 2:
            at &= ~(size_t)7;
            n = size - at < 8 ? size - at : 8;
            memcpy(data + at, &words[below(chance, sizeof words / sizeof *words)], n);
            break;
        case 3:
            memmove(data + at, data + at + n, size - at - n);
            size -= n;
            break;
        default:
            memmove(data + at, data + from, n);
        }
    }
    return size;
}

static void run_changed(const struct target *target, const char *path, const uint8_t *data,
                        size_t size) {
    struct chance chance = {1};
    uint8_t *changed = err_malloc(size);
    for (size_t i = 0; i < size; i++)
        chance.seed = (chance.seed ^ data[i]) * 1099511628211u | 1;
    for (unsigned i = 1; i <= changes && size > 0 && size <= LARGEST; i++) {
        if (verbose)
            fprintf(stderr, "%s, change %u\n", path, i);
        memcpy(changed, data, size);
        run(target, changed, change(&chance, changed, size));
    }
    free(changed);
}

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
    run(target, bytes.v, bytes.n);
    run_changed(target, path, bytes.v, bytes.n);
    vec_free(&bytes);
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
    if (at + 1 < argc && strcmp(argv[at], "-c") == 0) {
        char *end;
        unsigned long n = strtoul(argv[at + 1], &end, 10);
        if (end == argv[at + 1] || *end || n > 1000000) {
            fprintf(stderr, "replay: -c takes a number, not %s\n", argv[at + 1]);
            return 2;
        }
        changes = (unsigned)n;
        at += 2;
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
