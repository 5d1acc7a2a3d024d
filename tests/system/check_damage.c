/* check_damage.c - a trace cut at any byte, or with any single bit flipped, opens or is refused
 * with a reason.
 *
 * check_damage [-n VARIANT] [FILE.fxt ...] takes the fixtures of tests/traces and the files given.
 * Each is cut at every byte and has every bit flipped; a large file at 64 places, or at
 * $DAMAGE_PLACES, spread evenly.
 * Every variant is opened, read, checked by tests/lib/sound.h, exported, and some are reported on.
 * A crash, a hang, a sanitizer's report or an unsound model fails the file and prints the variant.
 * -n runs only that one, in this process. Sanitizers find most. */
#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <unistd.h>

#include "model/output/check.h"
#include "model/output/ndjson.h"
#include "model/output/report.h"
#include "model/store/problem.h"
#include "tests/lib/sound.h"
#include "tests/lib/tracegen.h"

/* The build with sanitizers and the one without take different places of a large file. */
#define FIRST_OF(step) ((step) / 2)
#ifdef __has_feature
#if __has_feature(address_sanitizer)
#undef FIRST_OF
#define FIRST_OF(step) 0
#endif
#endif
#define SECONDS 20 /* what one variant may take before it counts as a hang */
#define WORKERS 8
#define SAID 3 /* a worker's exit status: it failed, and has said how; sanitizers have 1 */

struct victim {
    char *name;
    struct trace_bytes trace;
};

static VEC(struct victim) victims;
static FILE *nowhere;
static uint64_t places = 64; /* of cuts in a file; four times as many bits are flipped */

/* ---- one variant: n cuts (to 0 .. n - 1 bytes), then 8 n flips ---- */

static void describe(char *out, size_t cap, const struct victim *v, uint64_t variant) {
    uint64_t n = v->trace.n;
    if (variant < n)
        snprintf(out, cap, "%s: cut to %" PRIu64 " bytes", v->name, variant);
    else
        snprintf(out, cap, "%s: bit %" PRIu64 " of byte %" PRIu64 " flipped", v->name,
                 (variant - n) % 8, (variant - n) / 8);
}

static const char *look(const char *path, uint64_t variant, char why[200]) {
    struct trace_options options = {.file.max_inflate = 1 << 24};
    struct err err = {.text = ""};
    struct trace *trace = trace_open(path, &options, &err);
    if (trace == NULL)
        return err.text[0] ? NULL : "not opened, and no reason given";
    const char *wrong = NULL;
    trace_load(trace);
    uint64_t steps = variant * UINT64_C(0x9e3779b97f4a7c15);
    if (!sound_rows(trace, why) || !sound_derived(trace, why) ||
        (variant % 4 == 0 && !sound_nesting(trace, steps, why)) ||
        (variant % 8 == 3 && !sound_steps(trace, path, &options, steps, why)))
        wrong = why;
    else if (!sound_dissection(trace, why))
        wrong = why;
    else if (!export_ndjson(trace, nowhere))
        wrong = "the export failed";
    if (variant % 16 == 0) {
        report_summary(trace, nowhere, variant % 32 == 0);
        check_print(trace, &(struct check_style){.strict = true}, nowhere);
        report_records(path, &options, nowhere, variant % 32 == 0, &err);
    }
    trace_free(trace);
    return wrong;
}

static const char *try_variant(int fd, const struct victim *v, uint64_t variant, char why[200]) {
    char path[40];
    uint64_t n = v->trace.n, bit = variant - n, size = variant < n ? variant : n;
    if (ftruncate(fd, 0) != 0 || pwrite(fd, v->trace.v, size, 0) != (ssize_t)size)
        return strerror(errno);
    if (variant >= n) {
        unsigned char byte = v->trace.v[bit / 8] ^ (unsigned char)(1u << bit % 8);
        if (pwrite(fd, &byte, 1, (off_t)(bit / 8)) != 1)
            return strerror(errno);
    }
    snprintf(path, sizeof path, "/proc/self/fd/%d", fd);
    return look(path, variant, why);
}

/* ---- a worker: all variants of one file ---- */

static int work(const struct victim *v, uint64_t *at) {
    char why[200], what[512];
    uint64_t n = v->trace.n, cuts = n < places ? 1 : n / places,
             flips = 8 * n < places * 4 ? 1 : 8 * n / places / 4;
    int fd = sound_file();
    for (uint64_t variant = FIRST_OF(cuts); variant < 9 * n && fd >= 0;
         variant += variant < n ? cuts : flips) {
        *at = variant;
        alarm(SECONDS);
        const char *wrong = try_variant(fd, v, variant, why);
        if (wrong) {
            describe(what, sizeof what, v, variant);
            fprintf(stderr, "%s (-n %" PRIu64 "): %s\n", what, variant, wrong);
            return SAID;
        }
    }
    alarm(0);
    close(fd);
    return fd < 0;
}

static bool judge(const struct victim *v, uint64_t at, int status) {
    char what[512];
    if (WIFEXITED(status) && (WEXITSTATUS(status) == 0 || WEXITSTATUS(status) == SAID))
        return WEXITSTATUS(status) == 0;
    describe(what, sizeof what, v, at);
    if (WIFSIGNALED(status) && WTERMSIG(status) == SIGALRM)
        fprintf(stderr, "%s (-n %" PRIu64 "): takes more than %d seconds\n", what, at, SECONDS);
    else
        fprintf(stderr, "%s (-n %" PRIu64 "): ends with wait status %#x\n", what, at,
                (unsigned)status);
    return false;
}

static unsigned run_all(void) {
    struct worker {
        pid_t pid;
        size_t victim;
    } workers[WORKERS] = {{0}};
    long cpus = sysconf(_SC_NPROCESSORS_ONLN);
    size_t most = cpus < 1 ? 1 : cpus > WORKERS ? WORKERS : (size_t)cpus, busy = 0, next = 0;
    unsigned failed = 0;
    int shared = sound_file();
    uint64_t *at = MAP_FAILED;
    if (shared >= 0 && ftruncate(shared, WORKERS * sizeof *at) == 0)
        at = mmap(NULL, WORKERS * sizeof *at, PROT_READ | PROT_WRITE, MAP_SHARED, shared, 0);
    if (at == MAP_FAILED)
        return (unsigned)victims.n;
    close(shared);
    while (next < victims.n || busy > 0) {
        for (size_t i = 0; i < most && next < victims.n; i++) {
            if (workers[i].pid != 0)
                continue;
            pid_t pid = fork();
            if (pid == 0)
                exit(work(&victims.v[next], &at[i]));
            if (pid < 0)
                break;
            workers[i] = (struct worker){pid, next++};
            busy++;
        }
        int status;
        pid_t pid = wait(&status);
        if (pid < 0)
            break;
        for (size_t i = 0; i < most; i++) {
            if (workers[i].pid != pid)
                continue;
            failed += !judge(&victims.v[workers[i].victim], at[i], status);
            workers[i].pid = 0;
            busy--;
        }
    }
    munmap(at, WORKERS * sizeof *at);
    return failed + (unsigned)(victims.n - next);
}

/* ---- the files ---- */

static bool add_file(const char *path) {
    VEC(unsigned char) bytes = {0};
    size_t n;
    FILE *f = fopen(path, "rb");
    if (f == NULL) {
        fprintf(stderr, "check_damage: %s: %s\n", path, strerror(errno));
        return false;
    }
    do {
        vec_reserve(&bytes, bytes.n + 65536);
        n = fread(bytes.v + bytes.n, 1, bytes.cap - bytes.n, f);
        bytes.n += n;
    } while (n > 0);
    fclose(f);
    vec_push(&victims, ((struct victim){strdup(path), {bytes.v, bytes.n}}));
    return true;
}

static bool add_fixtures(void) {
    const char *srcdir = getenv("srcdir");
    char path[4096];
    snprintf(path, sizeof path, "%s/tests/traces", srcdir && *srcdir ? srcdir : ".");
    DIR *dir = opendir(path);
    if (dir == NULL) {
        fprintf(stderr, "check_damage: %s: %s\n", path, strerror(errno));
        return false;
    }
    bool ok = true;
    for (struct dirent *e; (e = readdir(dir)) != NULL;) {
        struct err err;
        size_t n = strlen(e->d_name);
        if (n < 5 || strcmp(e->d_name + n - 4, ".txt") != 0)
            continue;
        char *name = strdup(e->d_name);
        name[n - 4] = '\0';
        struct trace_bytes trace = tracegen_load(name, &err);
        if (trace.v == NULL) {
            fprintf(stderr, "check_damage: %s: line %" PRIu64 ": %s\n", e->d_name, err.at,
                    err.text);
            free(name);
            ok = false;
            continue;
        }
        vec_push(&victims, ((struct victim){name, trace}));
    }
    closedir(dir);
    return ok;
}

/* -n: that variant of the one file or fixture named, without a worker around it. */
static int single(const char *variant, const char *name) {
    char why[200], what[512];
    struct err err;
    struct trace_bytes trace = tracegen_load(name, &err);
    if (trace.v != NULL)
        vec_push(&victims, ((struct victim){strdup(name), trace}));
    else if (!add_file(name))
        return 2;
    uint64_t n = strtoull(variant, NULL, 10);
    if (n >= 9 * victims.v[0].trace.n) {
        fprintf(stderr, "check_damage: %s has %zu variants\n", name, 9 * victims.v[0].trace.n);
        return 2;
    }
    describe(what, sizeof what, &victims.v[0], n);
    const char *wrong = try_variant(sound_file(), &victims.v[0], n, why);
    printf("%s: %s\n", what, wrong ? wrong : "fine");
    return wrong != NULL;
}

int main(int argc, char **argv) {
    bool ok = true;
    if ((nowhere = fopen("/dev/null", "w")) == NULL) {
        perror("/dev/null");
        return 2;
    }
    if (argc == 4 && strcmp(argv[1], "-n") == 0)
        return single(argv[2], argv[3]);
    const char *text = getenv("DAMAGE_PLACES");
    if (text && (places = strtoull(text, NULL, 10)) == 0) {
        fprintf(stderr, "check_damage: DAMAGE_PLACES is no number: %s\n", text);
        return 2;
    }
    ok = add_fixtures();
    for (int i = 1; i < argc; i++)
        ok &= add_file(argv[i]);
    unsigned failed = run_all(), count = (unsigned)victims.n;
    for (size_t i = 0; i < victims.n; i++) {
        free(victims.v[i].name);
        free(victims.v[i].trace.v);
    }
    vec_free(&victims);
    fclose(nowhere);
    printf("%u passed, %u failed\n", count - failed, failed + !ok);
    return failed > 0 || !ok || count == 0;
}
