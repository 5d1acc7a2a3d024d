/* recover.c - makes a trace of trace buffers as they were left in memory.
 *
 * Each buffer is a provider of its own, named after its file. A half that was saved is left out,
 * because it is in the trace of its recording. */
#include "record/recover.h"

#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#include "record/output.h"
#include "src/io/files_read.h"

struct image {
    void *bytes; /* a private copy: the file may change */
    size_t n;
    struct readout readout;
};

/* The whole file in memory; the size of a buffer is limited. */
static bool load(struct image *image, const char *path, struct err *err) {
    struct stat st;
    int fd = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK);
    if (fd < 0)
        return err_set(err, ERR_NO_OFFSET, "cannot open: %s", strerror(errno));
    if (fstat(fd, &st) != 0 || !S_ISREG(st.st_mode) || (uint64_t)st.st_size > WIRE_BUFFER_MAX) {
        close(fd);
        return err_set(err, ERR_NO_OFFSET, "not a trace buffer");
    }
    files_read_fd(fd);
    image->bytes = err_malloc((size_t)st.st_size + 8);
    while (image->n < (size_t)st.st_size) {
        ssize_t n = read(fd, (char *)image->bytes + image->n, (size_t)st.st_size - image->n);
        if (n < 0 && errno == EINTR)
            continue;
        if (n < 0)
            err_set(err, ERR_NO_OFFSET, "cannot read: %s", strerror(errno));
        if (n < 0)
            image->n = SIZE_MAX;
        if (n <= 0)
            break;
        image->n += (size_t)n;
    }
    close(fd);
    return image->n != SIZE_MAX &&
           readout_open(&image->readout, image->bytes, image->n, -1, true, err);
}

static void unload(struct image *image) {
    readout_close(&image->readout);
    free(image->bytes);
}

static void write_image(struct output *o, uint32_t id, const char *path, struct image *image,
                        struct recovered *recovered) {
    struct readout_news news = {0};
    const char *name = strrchr(path, '/') ? strrchr(path, '/') + 1 : path;
    size_t n = strlen(name);
    uint64_t dropped = readout_dropped(&image->readout);
    bool more = true;
    output_provider(o, id, (struct str){name, n < WIRE_NAME_MAX ? n : WIRE_NAME_MAX});
    if (dropped > 0)
        output_dropped(o, id);
    readout_begin(&image->readout, READOUT_DEAD);
    while (more) {
        more = readout_step(&image->readout, &news);
        output_news(o, id, &news);
        readout_news_empty(&news);
    }
    readout_news_free(&news);
    recovered->dropped += dropped;
    recovered->faults += image->readout.faults;
}

bool recover(char *const *paths, int n, const char *path, struct recovered *recovered,
             const char **wrong, struct err *err) {
    struct image *images = err_calloc((size_t)n, sizeof *images);
    struct output output;
    bool ok = true;
    *recovered = (struct recovered){0};
    for (int i = 0; i < n && ok; i++) {
        *wrong = paths[i];
        ok = load(&images[i], paths[i], err);
    }
    if (ok) {
        *wrong = path;
        ok = output_open(&output, path, UINT64_MAX, err);
    }
    if (ok) {
        for (int i = 0; i < n; i++)
            write_image(&output, OUTPUT_OWN + 1 + (uint32_t)i, paths[i], &images[i], recovered);
        recovered->records = output.records;
        recovered->bytes = writer_offset(&output.writer);
        ok = output_close(&output, err);
    }
    for (int i = 0; i < n; i++)
        unload(&images[i]);
    free(images);
    return ok;
}
