/* keep_set.c - writes and reads "place offset 2 12000000ns" and "place hosts 0 0 1".
 *
 * Traces have their numbers, as a session is of an ordered list. Offsets are signed. */
#include "ui/keep/keep_set.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define OFFSET "place offset "
#define HOSTS "place hosts "

void keep_set_write(const struct trace *trace, struct chars *out) {
    char text[64];
    size_t n = trace_files(trace);
    for (size_t i = 0; i < n && n > 1; i++) {
        int64_t ns = trace_offset(trace, i);
        snprintf(text, sizeof text, OFFSET "%zu %" PRId64 "ns\n", i + 1, ns);
        chars_add(out, ns != 0 ? str_of(text) : STR(""));
    }
    if (n == 1 || trace_hosts(trace) == n)
        return;
    chars_add(out, STR("place hosts"));
    for (size_t i = 0; i < n; i++) {
        snprintf(text, sizeof text, " %u", (unsigned)trace_file_world(trace, i));
        chars_add(out, str_of(text));
    }
    chars_add(out, STR("\n"));
}

/* "2 12000000ns" */
static void read_offset(const char *text, struct keep_set *set) {
    char *end;
    unsigned long file = strtoul(text, &end, 10);
    if (file == 0 || file > set->n || *end != ' ')
        return;
    int64_t ns = strtoll(end, &end, 10);
    if (strncmp(end, "ns", 2) != 0 || ns > ALIGN_MOST || ns < -ALIGN_MOST)
        return;
    set->offsets[file - 1] = ns;
    set->moved[file - 1] = true;
}

/* "0 0 1": each is at most one more than the largest before it. */
static void read_hosts(const char *text, struct keep_set *set) {
    uint16_t *worlds = err_calloc(set->n, sizeof *worlds);
    char *end = NULL;
    unsigned long next = 0;
    size_t n = 0;
    for (; n < set->n && *text && *text != '\n'; n++, text = end) {
        unsigned long world = strtoul(text, &end, 10);
        if (end == text || world > next)
            break;
        next = world == next ? next + 1 : next;
        worlds[n] = (uint16_t)world;
    }
    *set->hosted = n == set->n && (*text == '\n' || *text == '\0');
    if (*set->hosted)
        memcpy(set->worlds, worlds, n * sizeof *worlds);
    free(worlds);
}

void keep_set_read(const char *text, struct keep_set *set) {
    for (const char *line = text; *line; line += strcspn(line, "\n"), line += *line == '\n') {
        if (strncmp(line, OFFSET, strlen(OFFSET)) == 0)
            read_offset(line + strlen(OFFSET), set);
        if (strncmp(line, HOSTS, strlen(HOSTS)) == 0)
            read_hosts(line + strlen(HOSTS), set);
    }
}
