/* rewrite_archive.c - writes the parts of a file one after the other, after a table of them.
 *
 * The table has the bytes of each part, which are known once it is written. So a file that can be
 * written again gets a draft of the table first. The parts go to a file without a name, and from
 * there to the output, if that is a pipe or has names redacted: a name may turn up late. */
#include <errno.h>
#include <fcntl.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "src/import/rewrite_internal.h"

/* Writes one part, or learns its names. Adds its bytes to the table. */
static bool archive_part(struct rewrite_target *t, struct file *file, FILE *out,
                         struct archive_part *part, struct err *err) {
    if (out == NULL) {
        rewrite_pass(t, file, NULL);
        rewrite_free_pass(t);
        return true;
    }
    off_t before = ftello(out);
    bool ok = rewrite_write_pass(t, file, out, err);
    part->bytes = (uint64_t)(ftello(out) - before);
    return ok;
}

static bool archive_parts(struct rewrite_target *all, struct file *file, struct archive *archive,
                          const uint64_t *shifts, FILE *out, struct err *err) {
    struct u64map taken = {0};
    bool ok = true;
    for (size_t i = 0; i < archive->n && ok; i++) {
        struct rewrite_target t = *all;
        t.moved.part = i;
        t.moved.world = archive->parts[i].world;
        t.moved.shift = shifts[i];
        t.moved.ids = archive->parts[i].ids;
        t.moved.name = str_of(archive->parts[i].name);
        t.moved.taken = &taken;
        ok = archive_part(&t, file, out, &archive->parts[i], err);
    }
    u64map_free(&taken);
    if (ok && (file_was_written(file) || redact_changed(all->redact)))
        ok = err_set(err, ERR_NO_OFFSET, "a file changed while it was read: nothing is written");
    return ok;
}

/* Whether the table can be written last, in its place: of a regular file that ends here. */
static bool seeks(FILE *out, off_t *begin) {
    struct stat status;
    int fd = fileno(out), flags = fcntl(fd, F_GETFL);
    *begin = ftello(out);
    return *begin >= 0 && flags >= 0 && !(flags & O_APPEND) && fflush(out) == 0 &&
           fstat(fd, &status) == 0 && S_ISREG(status.st_mode) && status.st_size == *begin;
}

static bool seek(FILE *out, off_t at, struct err *err) {
    return fseeko(out, at, SEEK_SET) == 0 || err_set(err, ERR_NO_OFFSET, "%s", strerror(errno));
}

/* Cuts the output off at its begin. The buffer may have bytes that need the space first. */
static void take_back(FILE *out, off_t begin) {
    bool sought = false, cut = false;
    for (int i = 0; i < 2 && !(sought && cut); i++) {
        sought = fseeko(out, begin, SEEK_SET) == 0;
        cut = ftruncate(fileno(out), begin) == 0;
    }
}

/* Writes the table twice. If it fails nothing is left. */
static bool in_place(struct rewrite_target *t, struct file *file, struct archive *archive,
                     const uint64_t *shifts, FILE *out, off_t begin, struct err *err) {
    bool ok =
        archive_write(archive, true, out, err) && archive_parts(t, file, archive, shifts, out, err);
    off_t end = ftello(out);
    ok = ok && seek(out, begin, err) && archive_write(archive, false, out, err) &&
         seek(out, end, err);
    if (!ok)
        take_back(out, begin);
    return ok;
}

static bool by_copy(struct rewrite_target *t, struct file *file, struct archive *archive,
                    const uint64_t *shifts, FILE *out, struct err *err) {
    FILE *beside = rewrite_beside(err);
    if (beside == NULL)
        return false;
    bool ok = true;
    if (t->redact) {
        ok = archive_parts(t, file, archive, shifts, NULL, err);
        redact_learned(t->redact);
    }
    ok = ok && archive_parts(t, file, archive, shifts, beside, err) &&
         archive_write(archive, false, out, err) && rewrite_copy_file(beside, out, err);
    fclose(beside);
    return ok;
}

bool rewrite_archive(struct reader *reader, struct file *file, struct archive *archive,
                     const uint64_t *shifts, const struct rewrite_choice *choice, FILE *out,
                     struct err *err) {
    struct rewrite_target t = {.choice = choice,
                               .moved = {.reader = reader},
                               .redact = choice->redact ? redact_new(choice->redact) : NULL};
    off_t begin;
    bool ok = t.redact == NULL && seeks(out, &begin)
                  ? in_place(&t, file, archive, shifts, out, begin, err)
                  : by_copy(&t, file, archive, shifts, out, err);
    redact_free(t.redact);
    return ok;
}
