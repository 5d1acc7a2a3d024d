/* file.h - the bytes of a trace, wherever they come from.
 *
 * A regular file is mapped. A .gz or .zst (recognised by content), a FIFO and standard input are
 * copied by write() into an unlinked 0600 file, and that is mapped. It is in $TMPDIR, else
 * /var/tmp; nothing is inflated into memory. All files look alike: some bytes are present,
 * file_step() may add more, and after the last `ended` is true. Standard input and FIFOs may
 * themselves be compressed. Offsets count uncompressed bytes.
 *
 * The map is one window, which moves if it cannot hold the whole file (ulimit -v). If nothing can
 * be mapped, the window is read into memory. If a page of the map vanishes (the file was truncated,
 * the disk fails: SIGBUS), zeros replace the rest of the map, and `lost` is set.
 *
 * The first file_open() installs a handler for SIGBUS. A fault outside of these maps is passed to
 * the handler installed before it, so a handler of main's own comes first. It also keeps SIGXFSZ
 * (ulimit -f) from killing. */
#ifndef FXTOP_FILE_H
#define FXTOP_FILE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "src/base/err.h"
#include "src/io/import.h"
#include "src/io/kept_bytes.h"

struct file;

enum file_compression { FILE_PLAIN, FILE_GZIP, FILE_ZSTD };

/* Faults after the first byte. The trace is shown up to the fault. */
enum file_fault {
    FILE_OK,
    FILE_COMPRESSED_TRUNCATED, /* the compressed stream ends early */
    FILE_COMPRESSED_DAMAGED,   /* it does not decode */
    FILE_COMPRESSED_TRAILING,  /* bytes after it that are not of its format */
    FILE_NO_SPACE,   /* the spool's disk is full (or its reserve or max_inflate reached) */
    FILE_READ_ERROR, /* EIO and the like */
};

struct file_options {
    /* limit of the decompressed, or converted, size in bytes; 0: as much as the disk allows */
    uint64_t max_inflate;
    const struct importer *const *importers; /* ended by NULL; or NULL: none */
    bool grows; /* it is still being written: its first words do not wait for more */
};

/* Opens path ("-": standard input). options may be NULL. Fails with one line for: no such file, no
 * permission, a directory, a device, an empty file, zstd without libzstd, no space for a temporary
 * file. The line does not name the file. Reads only the first bytes of a pipe, which may block. An
 * empty pipe is no error: it ends with size 0. 5 % or 1 GB of the disk, whichever is less, stays
 * free; below 16 MiB the disk is not asked. */
struct file *file_open(const char *path, const struct file_options *options, struct err *err);

/* Opens n >= 1 files as one, a set: each is a part with a slot in one sparse space of offsets. A
 * set of one is that file. If it `grows`, files that can be are followed. *failed is the number of
 * the file that err is about. */
struct file *file_open_set(const char *const *paths, size_t n, const struct file_options *options,
                           size_t *failed, struct err *err);

/* Makes n parts of a file that has none: so many bytes each, one after the other from an offset
 * on. */
void file_split(struct file *file, uint64_t begin, const uint64_t *bytes, size_t n);

/* Derived words: a part that the program writes itself, from the parts that it reads. file_derive()
 * adds one at the end; it grows by file_derived_add() until file_derived_end(). bytes: a multiple
 * of 8. False: there is no space for it. */
bool file_derive(struct file *file, size_t *part, struct err *err);
bool file_derived_add(struct file *file, size_t part, const void *words, size_t bytes);
void file_derived_end(struct file *file, size_t part);

/* The parts. A file that is no set is one part, from 0 to its size. */
struct file_part {
    size_t number;       /* from 0 */
    uint64_t begin, end; /* offsets */
    bool ended;          /* the end is final */
    bool derived;
};
size_t file_part_count(const struct file *file);
void file_part(const struct file *file, size_t number, struct file_part *part);
/* The number of the part that has an offset. */
size_t file_part_at(const struct file *file, uint64_t at);
/* Whether an offset is in words that were derived. */
bool file_derived_at(const struct file *file, uint64_t at);
/* The file of a part, whose offsets are its own; a file that is no set is its own part. */
struct file *file_part_file(struct file *file, size_t number);

/* Waits until a regular file has at least 8 bytes, or is gone. */
void file_await(const char *path);
void file_close(struct file *file); /* file may be NULL */

/* of a regular file that was opened by name, else NULL */
const char *file_path(const struct file *file);

struct file_stamp {                             /* identifies the content of a file */
    uint64_t size, seconds, nanoseconds, inode; /* of the last change */
    uint64_t sample;                            /* of 66 places in it */
};

/* The stamp of the present content. False: not a regular file, or it changed after it was
 * opened. */
bool file_stamp(const struct file *file, struct file_stamp *stamp);

/* Returns the bytes that an index has to keep of a file that has ended; *n is 0 if the file has its
 * own. False: they are not all there. */
bool file_kept(struct file *file, struct kept_bytes kept[KEPT_BYTES], size_t *n);
/* Takes the bytes that were kept of this content in place of those that come from the source. The
 * descriptors stay the caller's. False: there are no further descriptors. */
bool file_restore(struct file *file, const struct kept_bytes *kept, size_t n);
/* Takes the name and the faults of the import, as file_imported() and file_import_faults() had
 * them. */
void file_remember_import(struct file *file, const char *name);
void file_remember_faults(struct file *file, enum import_fault fault, uint64_t count,
                          const struct import_case *cases, size_t n);

/* Reads at most so many more bytes. Waits for a pipe at most wait_ms (0: not at all; -1: until
 * there is input, or a signal). Returns true if the size grew or the end was found. A mapped
 * regular file is complete from the start. After false poll file_fd(); if that is -1 call again,
 * because the input so far decoded to nothing. */
bool file_step(struct file *file, size_t bytes, int wait_ms);

/* Starts or stops following a file that is still written. A followed file has not ended, and
 * file_step() adds the bytes by which it grew. False: the file cannot be followed (compressed
 * files; pipes need no following). A file that is imported and whose spool was begun is followed
 * only once it is opened again: then file_must_reopen(). */
bool file_follow(struct file *file, bool on);
bool file_follows(const struct file *file);
bool file_must_reopen(const struct file *file);

/* How a regular file changed since it was opened, or since it last grew and was followed. Asks the
 * system each time; if size or modification time differ, compares two samples of the content as
 * well. A write to the middle of a large file shows by inotify, or by the times. A followed file is
 * then another one after 20 ms. Pipes are always the same. */
enum file_change { FILE_SAME, FILE_GREW, FILE_OTHER };
enum file_change file_changed(struct file *file);
/* Whether a regular file was written to since it was opened, or since it last grew and was
 * followed. One that is removed or replaced meanwhile is as it was. */
bool file_was_written(const struct file *file);
/* Whether file_changed() is worth calling: always true without inotify or kqueue. file_watch()
 * returns a descriptor that becomes readable when it is, or -1 without them. */
bool file_may_have_changed(struct file *file);
int file_watch(struct file *file);

/* The descriptor to poll for more (a pipe; only after file_step() returned false, which may hold
 * input back), or -1. */
int file_fd(const struct file *file);

/* Uncompressed bytes so far; of a set the sum of those of its files. */
uint64_t file_size(const struct file *file);
bool file_ended(const struct file *file); /* the size is final */
bool file_lost(const struct file *file);  /* pages vanished under the map and read as zeros */
enum file_compression file_compression(const struct file *file);
/* why: a short sentence, static */
enum file_fault file_fault(const struct file *file, const char **why);
/* Puts the format of a file without records, which is no set, into err. Returns false. */
bool file_refuse(struct file *file, struct err *err);
/* The source that the words were converted from: the importer's name, or NULL; the place in the
 * (decompressed) source of the event whose words are at this offset (false: unknown); the number of
 * faults of a kind, and case i of those that are kept. */
const char *file_imported(const struct file *file);
bool file_import_source(const struct file *file, uint64_t at, struct import_place *source);
uint64_t file_import_faults(const struct file *file, enum import_fault fault, uint64_t i,
                            struct import_case *to);

/* Progress in the source: bytes read, and bytes in all (0: unknown). */
void file_progress(const struct file *file, uint64_t *done, uint64_t *total);

/* Returns the bytes from `at` on, 8-byte aligned; at is a multiple of 8. *n is their number: at
 * least min(want, size - at), perhaps much more; less only if memory is short. NULL and *n = 0 if
 * at >= size or there is no memory. The pointer is valid until the next file_span() or
 * file_step(). */
const void *file_span(struct file *file, uint64_t at, size_t want, size_t *n);
/* Whether all bytes are in memory or mapped at once. Then file_span() changes nothing until the
 * next file_step(), and two threads may call it. */
bool file_is_whole(const struct file *file);

/* The first word from `at` on that is not in a hole of a sparse file, or `at` itself if the system
 * does not know. Holes are zeros. at is a multiple of 8, at most the size. */
uint64_t file_data(const struct file *file, uint64_t at);

/* Reports that sequential reading has reached `at`. All before it but the last GiB leaves this
 * process's memory (not the system's), until it is accessed again. */
void file_passed(struct file *file, uint64_t at);

#endif
