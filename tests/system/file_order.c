/* file_order.c - reads a trace word by word in file order, for record.sh: a reader that shares
 * nothing with fxtop.
 *
 *     file_order FILE...
 *
 * Fails unless each file ends at a record, and the times of each thread, as its records were
 * written, never go back: of a complete event that is its end. Prints the events, and those that a
 * loss has put an end to. Left out: context switches, which are in the order of their processors,
 * and virtual threads, whose times the program states. Counters and operations of the recorder are
 * left out, too: it dates them at the begin of their interval, at the fork, or at the death. The
 * last line of output may be read after that. */
#include <inttypes.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { PROVIDERS = 64, THREADS = 4096, RECORDER = 1, COUNTER = 1, ASYNC_BEGIN = 5, ASYNC_END = 7 };

struct thread {
    uint64_t process, thread, last;
};

static struct {
    struct thread threads[THREADS]; /* in the order of their first event */
    size_t n;
    uint64_t index[PROVIDERS][256][2]; /* thread records: process and thread */
    unsigned provider;
    uint64_t events, cut;
} file;

static struct thread *thread_of(uint64_t process, uint64_t thread) {
    for (size_t i = file.n; i-- > 0;)
        if (file.threads[i].process == process && file.threads[i].thread == thread)
            return &file.threads[i];
    if (file.n == THREADS)
        return NULL;
    file.threads[file.n] = (struct thread){process, thread, 0};
    return &file.threads[file.n++];
}

/* False: an event or a line that is older than the one before on its thread. */
static bool take_event(const uint64_t *r, size_t n, uint64_t at) {
    bool line = (r[0] & 15) == 9;
    unsigned index = r[0] >> (line ? 32 : 24) & 255, type = line ? 0 : r[0] >> 16 & 15;
    const uint64_t *who = index > 0 ? file.index[file.provider][index] : &r[2];
    uint64_t time = type == 4 ? r[n - 1] : r[1];
    struct thread *t = who[1] >> 63 ? NULL : thread_of(who[0], who[1]);
    file.events++;
    file.cut += type == 3 && (r[0] >> 20 & 15) > 0;
    bool dated_back = type == COUNTER || type == ASYNC_BEGIN || type == ASYNC_END;
    if (t == NULL || (file.provider == RECORDER && dated_back))
        return true;
    if (time < t->last)
        printf("byte %" PRIu64 ": thread %" PRIu64 " goes back by %" PRIu64 " ticks\n", at, who[1],
               t->last - time);
    bool ok = time >= t->last;
    t->last = time > t->last ? time : t->last;
    return ok;
}

static bool take(const uint64_t *r, size_t n, uint64_t at) {
    unsigned type = r[0] & 15, kind = r[0] >> 16 & 15;
    if (type == 0 && (kind == 1 || kind == 2))
        file.provider = (r[0] >> 20) % PROVIDERS;
    if (type == 3 && n == 3)
        memcpy(file.index[file.provider][r[0] >> 16 & 255], r + 1, 16);
    return (type != 4 && type != 9) || n < 2 || take_event(r, n, at);
}

static bool read_file(const char *path) {
    FILE *f = fopen(path, "rb");
    if (f == NULL || fseek(f, 0, SEEK_END) != 0)
        return false;
    size_t bytes = (size_t)ftell(f), n = bytes / 8, at = 0;
    uint64_t *words = malloc(bytes + 8);
    rewind(f);
    bool ok = words && fread(words, 1, bytes, f) == bytes;
    fclose(f);
    memset(&file, 0, sizeof file);
    while (at < n) {
        size_t size = words[at] >> 4 & ((words[at] & 15) == 15 ? 0xffffffff : 0xfff);
        if (size == 0 || size > n - at)
            break;
        ok = take(words + at, size, at * 8) && ok;
        at += size;
    }
    if (ok && at * 8 != bytes)
        printf("byte %zu of %zu: no whole record\n", at * 8, bytes);
    free(words);
    return ok && at * 8 == bytes;
}

int main(int argc, char **argv) {
    int failed = 0;
    for (int i = 1; i < argc; i++) {
        bool ok = read_file(argv[i]);
        failed += !ok;
        printf("%s: %" PRIu64 " events, %" PRIu64 " cut, %s\n", argv[i], file.events, file.cut,
               ok ? "in order" : "NOT IN ORDER");
    }
    return failed > 0;
}
