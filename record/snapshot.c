/* snapshot.c - copies the buffers of a flight recorder. The recording goes on.
 *
 * The file gets its name once it is whole, since programs wait for it. */
#include "record/snapshot.h"

#include <errno.h>
#include <stdio.h>
#include <string.h>

#include "record/marks.h"

static void copy(const struct tracee *t, const struct tracee_config *config,
                 struct output *output) {
    struct numbers numbers = {.ours = t->numbers.ours, .its_own = t->numbers.its_own};
    struct readout_news news = {0};
    struct readout r;
    struct err err;
    /* STARTED may come later than records */
    bool more = true, has_begun = t->reads || t->state == TRACEE_STARTING;
    if (!has_begun ||
        !readout_open(&r, t->buffer, config->buffer_size, (int)config->mode, false, &err))
        return;
    readout_begin(&r, READOUT_NOW);
    output_provider(output, t->id, str_of(t->name));
    while (more) {
        more = readout_step(&r, &news);
        numbers_replace(&numbers, news.durable.v, news.durable.n);
        numbers_replace(&numbers, news.rolling.v, news.rolling.n);
        output_news(output, t->id, &news);
        readout_news_empty(&news);
    }
    readout_close(&r);
    readout_news_free(&news);
    numbers_free(&numbers);
}

void snapshot_write(const struct snapshot *s, unsigned number) {
    char path[4096], part[sizeof path + 8];
    struct output output;
    struct err err;
    bool standard = strcmp(s->output, OUTPUT_STANDARD) == 0;
    if (s->config->mode != WIRE_CIRCULAR) {
        fprintf(stderr, "fxtop record: no snapshot: only --mode=circular keeps records for one\n");
        return;
    }
    const char *base = standard ? "trace.fxt" : s->output, *dot = strrchr(base, '.');
    int n = (int)(dot && !strchr(dot, '/') ? (size_t)(dot - base) : strlen(base));
    snprintf(path, sizeof path, "%.*s.%u%s", n, base, number, base + n);
    snprintf(part, sizeof part, "%s.part", path);
    if (!output_open(&output, part, s->max_size, &err)) {
        fprintf(stderr, "fxtop record: no snapshot: %s\n", err.text);
        return;
    }
    if (!output_copy(&output, s->file))
        marks_first(&output, s->config->ticks, s->begun);
    for (size_t i = 0; i < s->n; i++)
        copy(s->tracees[i], s->config, &output);
    marks_clock(&output, s->config->ticks);
    if (!output_close(&output, &err))
        fprintf(stderr, "fxtop record: the snapshot lacks records: %s\n", err.text);
    if (rename(part, path) != 0)
        fprintf(stderr, "fxtop record: the snapshot keeps the suffix .part: %s\n", strerror(errno));
}
