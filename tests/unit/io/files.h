/* files.h - files of all kinds, as the suites of src/io write them and hold them against what is
 * read.
 *
 * A test's files are in a folder of its own, which is its $TMPDIR too. Every function fails the
 * calling test if it cannot do its work. */
#ifndef FXTOP_FILES_H
#define FXTOP_FILES_H

#include <stddef.h>
#include <stdint.h>

#include "src/io/file.h"
#include "tests/lib/chance.h"
#include "tests/unit/lib/libcheck.h"

#if defined(__SANITIZE_ADDRESS__)
#define UNDER_ASAN 1
#elif defined(__has_feature)
#if __has_feature(address_sanitizer)
#define UNDER_ASAN 1
#endif
#endif
#ifndef UNDER_ASAN
#define UNDER_ASAN 0
#endif

enum { MAGIC_BYTES = 4 };

struct bytes {
    unsigned char *v;
    size_t n;
};

struct format { /* of compressed files; _i of a loop test is its index */
    void (*append)(struct bytes *, const void *, size_t);
    enum file_compression compression;
};

#ifdef HAVE_ZSTD
enum { FORMATS = 2 };
#else
enum { FORMATS = 1 };
#endif

extern const struct format formats[FORMATS];
extern char files_folder[]; /* of this test */
extern struct chance chance;

/* The fixture. tear_down() fails when the code under test left a file in the folder, or a
 * descriptor open. */
void files_set_up(void);
void files_tear_down(void);

/* In the folder; the text lives until the next call. */
const char *path_of(const char *name);
const char *write_file(const char *name, const void *v, size_t n);

/* Half noise, half runs: it compresses, but not to nothing. */
struct bytes make_bytes(size_t n);
void append(struct bytes *b, const void *v, size_t n);
/* A member, or frame, of these bytes. */
void append_gzip(struct bytes *b, const void *v, size_t n);
void append_zstd(struct bytes *b, const void *v, size_t n);

struct file *open_or_fail(const char *path, uint64_t max_inflate);
void assert_refused(const char *path, const char *text);
void read_to_end(struct file *file, size_t budget);
/* The file's bytes are the first of b, or all, whichever way they are asked for. */
void assert_prefix(struct file *file, const struct bytes *b);
void assert_whole(struct file *file, const struct bytes *b);
/* Opens, reads and holds against `plain` a file of these bytes, in large steps and small; it must
 * end in this fault. Returns the size. */
uint64_t check_packed(const struct bytes *packed, const struct bytes *plain, enum file_fault fault);

/* Makes fd the standard input, and that what it was. */
int put_on_stdin(int fd);
void restore_stdin(int saved);

#endif
