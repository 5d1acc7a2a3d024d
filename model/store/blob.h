/* blob.h - data inside a trace: blobs of one name and type, whose chunks are one, and large
 * records, each its own. */
#ifndef FXTOP_BLOB_H
#define FXTOP_BLOB_H

#include "model/store/world.h"
#include "src/base/map.h"
#include "src/base/u64map.h"
#include "src/base/vec.h"
#include "src/fxt/reader.h"

#define BLOB_LARGE 256 /* type */

struct blob {
    uint32_t name, category; /* names.h ids; category: large ones only */
    uint16_t type;           /* enum fxt_blob, another number, or BLOB_LARGE */
    bool has_category, is_event;
    uint64_t bytes;       /* of all chunks, as many as are there */
    uint64_t offset;      /* of the first */
    int64_t time;         /* events only: ns relative to the reader's base */
    uint32_t thread;      /* events only: number */
    VEC(uint64_t) chunks; /* offsets of the records */
};

struct blobs {
    VEC(struct blob) v; /* of each file by offset */
    struct map by_name;
    const struct worlds *worlds; /* of a set of files; else NULL */
    struct u64map events;        /* of a set: offset -> place of one that is an event */
};

/* A chunk of `blob`'s name and type, with its bytes; joins those before it. */
void blobs_add(struct blobs *blobs, const struct blob *blob);
void blobs_free(struct blobs *blobs);
const char *blob_kind(uint16_t type); /* "data", "large"; NULL: by number */
/* The event with the record at an offset; NULL: there is no blob, or one without a time. */
const struct blob *blob_event(const struct blobs *blobs, uint64_t offset);

/* Blobs are numbered by offset. */
static inline size_t blob_count(const struct blobs *blobs) {
    return blobs->v.n;
}

static inline const struct blob *blob_at(const struct blobs *blobs, size_t i) {
    return &blobs->v.v[i];
}

static inline size_t blob_chunk_count(const struct blob *blob) {
    return blob->chunks.n;
}

/* Calls put() with all bytes of a blob in order. False where some could not be read. */
bool blob_read(struct reader *reader, struct file *file, const struct blob *blob,
               bool (*put)(void *ctx, const char *bytes, size_t n), void *ctx);
/* The first bytes, at most `most`; returns how many. */
size_t blob_head(struct reader *reader, struct file *file, const struct blob *blob, char *bytes,
                 size_t most);

#endif
