/* fuzz_reader - any bytes as a trace: opened, read, nested, exported, and held against tests/sound.h.
 *
 * Built with -fsanitize=fuzzer it is libFuzzer's target; with FUZZ_REPLAY it runs over the files it is given and over
 * those of directories, and says how many it was. */
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

#include "model/export.h"
#include "model/problem.h"
#include "tests/sound.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static FILE *nowhere;

static void unsound(const char *why) {
    fprintf(stderr, "unsound: %s\n", why);
    abort();
}

/* The bytes in memory under a name that can be opened. */
static int hold(const uint8_t *data, size_t size, char path[40]) {
    int fd = sound_file();
    if (fd < 0 || write(fd, data, size) != (ssize_t)size) {
        perror("memfd");
        exit(2);
    }
    snprintf(path, 40, "/proc/self/fd/%d", fd);
    return fd;
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
    struct trace_options options = {.max_inflate = 1 << 20};
    struct err err = {.text = ""};
    char path[40], why[200];
    if (nowhere == NULL && (nowhere = fopen("/dev/null", "w")) == NULL)
        return 0;
    int fd = hold(data, size, path);
    struct trace *trace = trace_open(path, &options, &err);
    if (trace != NULL) {
        uint64_t steps = UINT64_C(0x9e3779b97f4a7c15) * (size + 1);
        trace_load(trace);
        trace_problem_count(trace, true);
        if (!sound_rows(trace, why) || !sound_nesting(trace, steps, why) || !sound_anatomy(trace, why) ||
            !sound_derived(trace, why) || !sound_steps(trace, path, &options, steps, why))
            unsound(why);
        if (!export_ndjson(trace, nowhere))
            unsound("the export failed");
        trace_free(trace);
    } else if (err.text[0] == '\0') {
        unsound("not opened, and no reason given");
    }
    close(fd);
    return 0;
}

#ifdef FUZZ_REPLAY
#include <dirent.h>
#include <errno.h>
#include <string.h>

#include "src/vec.h"

static unsigned replayed, failed;

static void replay_file(const char *path) {
    VEC(uint8_t) bytes = {0};
    size_t n;
    FILE *f = fopen(path, "rb");
    if (f == NULL) {
        fprintf(stderr, "%s: %s\n", path, strerror(errno));
        failed++;
        return;
    }
    do {
        vec_reserve(&bytes, bytes.n + 65536);
        n = fread(bytes.v + bytes.n, 1, 65536, f);
        bytes.n += n;
    } while (n > 0);
    fclose(f);
    LLVMFuzzerTestOneInput(bytes.v, bytes.n);
    vec_free(&bytes);
    replayed++;
}

static void replay(const char *path) {
    DIR *dir = opendir(path);
    if (dir == NULL) {
        replay_file(path);
        return;
    }
    for (struct dirent *e; (e = readdir(dir)) != NULL;) {
        char name[4096];
        snprintf(name, sizeof name, "%s/%s", path, e->d_name);
        if (e->d_name[0] != '.')
            replay_file(name);
    }
    closedir(dir);
}

/* Without arguments: the corpus of the source tree. */
int main(int argc, char **argv) {
    const char *srcdir = getenv("srcdir");
    char corpus[4096];
    snprintf(corpus, sizeof corpus, "%s/tests/corpus", srcdir && *srcdir ? srcdir : ".");
    if (argc < 2)
        replay(corpus);
    for (int i = 1; i < argc; i++)
        replay(argv[i]);
    if (replayed == 0)
        failed++;
    printf("%u passed, %u failed\n", replayed, failed);
    return failed > 0;
}
#endif
