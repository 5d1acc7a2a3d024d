/* numbers.c - processes and threads of another pid namespace.
 *
 * /proc has for each thread its numbers in all namespaces, ours first and its own last. It is
 * looked through when a record names a thread that is not known: after the record was copied, so a
 * thread that is not there then has ended. Records of a circular buffer are copied at the end, so
 * it is looked through now and then. */
#include "record/watch/numbers.h"

#include <dirent.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "src/fxt/record.h"

#define TASKS_MOST 4096 /* that are looked at */

/* The last number of the line NSpid; 0: there is none. */
static uint64_t own_number(pid_t pid, const char *task) {
    char path[300], line[256];
    uint64_t number = 0;
    snprintf(path, sizeof path, "/proc/%ld/task/%s/status", (long)pid, task);
    FILE *f = fopen(path, "re");
    while (f && number == 0 && fgets(line, sizeof line, f)) {
        const char *last = strncmp(line, "NSpid:", 6) == 0 ? strrchr(line, '\t') : NULL;
        number = last ? strtoul(last, NULL, 10) : 0;
    }
    if (f)
        fclose(f);
    return number;
}

static bool is_same(const struct numbers *n) {
    return n->ours <= 0 || n->its_own == (uint64_t)n->ours || n->its_own == 0;
}

void numbers_look(struct numbers *n) {
    char path[40];
    if (is_same(n))
        return;
    snprintf(path, sizeof path, "/proc/%ld/task", (long)n->ours);
    DIR *d = opendir(path);
    const struct dirent *e;
    for (int i = 0; d && i < TASKS_MOST && (e = readdir(d)); i++) {
        uint64_t ours = strtoul(e->d_name, NULL, 10);
        if (ours == 0 || u64map_get(&n->seen, u64map_key(ours)) != UINT64_MAX)
            continue;
        uint64_t own = own_number(n->ours, e->d_name);
        u64map_set(&n->seen, u64map_key(ours), own);
        if (own > 0)
            u64map_set(&n->threads, u64map_key(own), ours);
    }
    if (d)
        closedir(d);
}

static void replace_thread(struct numbers *n, uint64_t *tid, bool *looked) {
    uint64_t key = u64map_key(*tid);
    if (*tid == n->its_own) {
        *tid = (uint64_t)n->ours;
        return;
    }
    if (u64map_get(&n->threads, key) == UINT64_MAX && !*looked) {
        numbers_look(n);
        *looked = true;
    }
    uint64_t ours = u64map_get(&n->threads, key);
    *tid = ours == UINT64_MAX ? *tid : ours;
}

static void replace_process(const struct numbers *n, uint64_t *pid) {
    *pid = *pid == n->its_own ? (uint64_t)n->ours : *pid;
}

static size_t inline_words(uint64_t reference) {
    return reference & 0x8000 ? ((reference & 0x7fff) + 7) / 8 : 0;
}

/* The process of a thread is an argument that is the number of an object. */
static void replace_arguments(const struct numbers *n, uint64_t *record, size_t words) {
    size_t at = 2 + inline_words(FXT_BITS(record[0], 24, 39)), size;
    for (uint64_t left = FXT_BITS(record[0], 40, 43); left > 0 && at < words; left--, at += size) {
        size = (size_t)FXT_BITS(record[at], 4, 15);
        if (size < 1 || size > words - at)
            return;
        if (FXT_BITS(record[at], 0, 3) == FXT_ARG_KOID && size > 1)
            replace_process(n, &record[at + size - 1]);
    }
}

/* The word of a record that is the number of a process, before that of a thread; 0: it has none. */
static size_t pair_of(uint64_t header) {
    switch (FXT_BITS(header, 0, 3)) {
    case FXT_THREAD:
        return 1;
    case FXT_EVENT:
        return FXT_BITS(header, 24, 31) == 0 ? 2 : 0;
    case FXT_LOG:
        return FXT_BITS(header, 32, 39) == 0 ? 2 : 0;
    default:
        return 0;
    }
}

static void replace_in(struct numbers *n, uint64_t *record, size_t words, bool *looked) {
    unsigned type = (unsigned)FXT_BITS(record[0], 0, 3),
             object = (unsigned)FXT_BITS(record[0], 16, 23);
    size_t pair = pair_of(record[0]);
    if (pair > 0 && pair + 1 < words) {
        replace_process(n, &record[pair]);
        replace_thread(n, &record[pair + 1], looked);
    } else if (type == FXT_KERNEL_OBJECT && words > 1 && object == FXT_OBJECT_PROCESS) {
        replace_process(n, &record[1]);
    } else if (type == FXT_KERNEL_OBJECT && words > 1 && object == FXT_OBJECT_THREAD) {
        replace_thread(n, &record[1], looked);
        replace_arguments(n, record, words);
    }
}

void numbers_replace(struct numbers *n, uint64_t *records, size_t words) {
    bool looked = false;
    if (is_same(n))
        return;
    for (size_t at = 0, size;
         at < words && (size = (size_t)record_words(records[at])) > 0 && size <= words - at;
         at += size)
        replace_in(n, records + at, size, &looked);
}

void numbers_free(struct numbers *n) {
    u64map_free(&n->threads);
    u64map_free(&n->seen);
}
