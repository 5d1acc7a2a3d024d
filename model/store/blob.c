/* blob.c - collects blobs by name and type, and reads their bytes again from the file. */
#include "model/store/blob.h"

#include <string.h>

#include "src/base/lower_bound.h"

#define PIECE (1u << 20) /* bytes that are read at a time */

struct query {
    const struct blobs *blobs;
    const struct blob *blob;
};

static bool same(const void *ctx, uint32_t i) {
    const struct query *q = ctx;
    const struct blob *b = &q->blobs->v.v[i];
    return b->name == q->blob->name && b->type == q->blob->type &&
           (q->blobs->worlds == NULL || world_file_at(q->blobs->worlds, b->offset) ==
                                            world_file_at(q->blobs->worlds, q->blob->offset));
}

void blobs_add(struct blobs *blobs, const struct blob *blob) {
    struct query q = {blobs, blob};
    uint64_t hash = hash_words(blob->name, blob->type);
    uint32_t i = blob->type == BLOB_LARGE ? UINT32_MAX : map_find(&blobs->by_name, hash, same, &q);
    if (i == UINT32_MAX) {
        i = (uint32_t)blobs->v.n;
        vec_push(&blobs->v, *blob);
        blobs->v.v[i].bytes = 0;
        if (blob->type != BLOB_LARGE)
            map_add(&blobs->by_name, hash, i);
        if (blob->is_event && blobs->worlds)
            u64map_set(&blobs->events, u64map_key(blob->offset), i);
    }
    blobs->v.v[i].bytes += blob->bytes;
    vec_push(&blobs->v.v[i].chunks, blob->offset);
}

void blobs_free(struct blobs *blobs) {
    for (size_t i = 0; i < blobs->v.n; i++)
        vec_free(&blobs->v.v[i].chunks);
    vec_free(&blobs->v);
    map_free(&blobs->by_name);
    u64map_free(&blobs->events);
    *blobs = (struct blobs){0};
}

const char *blob_kind(uint16_t type) {
    switch (type) {
    case FXT_BLOB_DATA:
        return "data";
    case FXT_BLOB_LAST_BRANCH:
        return "last branch";
    case FXT_BLOB_PERFETTO:
        return "perfetto";
    case BLOB_LARGE:
        return "large";
    default:
        return NULL;
    }
}

const struct blob *blob_event(const struct blobs *blobs, uint64_t offset) {
    size_t at = 0;
    if (blobs->worlds)
        at = u64map_get(&blobs->events, u64map_key(offset));
    else
        lower_bound(at, blobs->v.n, i, blobs->v.v[i].offset < offset);
    const struct blob *b = at < blobs->v.n ? &blobs->v.v[at] : NULL;
    return b && b->offset == offset && b->is_event ? b : NULL;
}

bool blob_read(struct reader *reader, struct file *file, const struct blob *blob,
               bool (*put)(void *ctx, const char *bytes, size_t n), void *ctx) {
    for (size_t i = 0; i < blob->chunks.n; i++) {
        struct fxt_record r;
        struct provider *provider;
        if (!reader_record_at(reader, blob->chunks.v[i], &r, &provider))
            return false;
        uint64_t at = blob->chunks.v[i] + r.blob.at * 8, end = at + r.blob.there;
        while (at < end) { /* in pieces, because a large blob may not be mapped at once */
            size_t n, want = end - at < PIECE ? (size_t)(end - at) : PIECE;
            const char *bytes = file_span(file, at, want, &n);
            if (bytes == NULL || n == 0)
                return false;
            if (n > want)
                n = want;
            if (!put(ctx, bytes, n))
                return false;
            at += n;
            if (at < end && at % 8 != 0)
                return false;
        }
    }
    return true;
}

struct head {
    char *bytes;
    size_t n, most;
};

static bool take(void *ctx, const char *bytes, size_t n) {
    struct head *h = ctx;
    if (n > h->most - h->n)
        n = h->most - h->n;
    memcpy(h->bytes + h->n, bytes, n);
    h->n += n;
    return h->n < h->most;
}

size_t blob_head(struct reader *reader, struct file *file, const struct blob *blob, char *bytes,
                 size_t most) {
    struct head h = {bytes, 0, most};
    blob_read(reader, file, blob, take, &h);
    return h.n;
}
