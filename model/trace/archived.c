/* archived.c - an archive of several traces (src/fxt/archive.h) is opened as the set that it was.
 *
 * Its parts are of one file. Their times are already on the common clock, so they are not moved,
 * but by later offsets. */
#include <stdlib.h>
#include <string.h>

#include "model/trace/trace_internal.h"
#include "src/fxt/archive.h"

struct archived {
    struct archive *table;
    struct trace_set set;
    const char *names[ARCHIVE_MOST], *paths[ARCHIVE_MOST];
    int64_t offsets[ARCHIVE_MOST];
    uint16_t worlds[ARCHIVE_MOST];
};

static void split(const struct archive *table, struct file *file) {
    uint64_t bytes[ARCHIVE_MOST];
    for (size_t i = 0; i < table->n; i++)
        bytes[i] = table->parts[i].bytes;
    file_split(file, table->begin, bytes, table->n);
}

struct archived *archived_open(struct file *file, const char *path) {
    struct archive *table = archive_read(file);
    if (table == NULL)
        return NULL;
    struct archived *a = err_calloc(1, sizeof *a);
    a->table = table;
    split(table, file);
    for (size_t i = 0; i < table->n; i++) {
        a->names[i] = table->parts[i].name;
        a->paths[i] = path;
        a->offsets[i] = table->parts[i].offset;
        a->worlds[i] = table->parts[i].world;
    }
    a->set = (struct trace_set){.paths = a->paths,
                                .names = a->names,
                                .n = table->n,
                                .reference = table->reference,
                                .offsets = a->offsets,
                                .worlds = a->worlds,
                                .joins_all = table->joins_all,
                                .joins_category = table->joins_category};
    return a;
}

void archived_free(struct archived *archived) {
    if (archived)
        archive_free(archived->table);
    free(archived);
}

const struct trace_set *archived_set(const struct archived *archived) {
    return &archived->set;
}

struct align_part archived_aligned(const struct archived *archived, size_t i) {
    const struct archive_part *part = &archived->table->parts[i];
    return (struct align_part){.method = part->method,
                               .move = -part->offset, /* which is added */
                               .has_wall = part->has_wall,
                               .unix_ns = part->unix_ns,
                               .seen = true,
                               .whole = true,
                               .timed = true};
}

struct reader_archived archived_part(const struct archived *archived, size_t i) {
    const struct archive_part *part = &archived->table->parts[i];
    return (struct reader_archived){part->ids, part->zero, str_of(part->name), part->bytes};
}

bool archived_again(struct archived *archived, struct file *file, struct err *err) {
    struct archive *table = archive_read(file);
    const struct archive *before = archived->table;
    bool same = table && table->n == before->n;
    for (size_t i = 0; same && i < table->n; i++)
        same = strcmp(table->parts[i].name, before->parts[i].name) == 0 &&
               table->parts[i].zero == before->parts[i].zero &&
               table->parts[i].ids == before->parts[i].ids;
    if (same)
        split(table, file);
    archive_free(table);
    return same || err_set(err, ERR_NO_OFFSET, "it holds other traces now: open it again");
}
