/* recover.c - makes a trace of trace buffers as they were left in memory.
 *
 * Each buffer is a provider of its own, named after its file. A half that was saved is left out,
 * because it is in the trace of its recording.
 *
 * The header has only the number of dropped records. Records are dropped while both halves are
 * full. So the loss stands before a half with an end that is in place of a dropped one. If the
 * buffer was full when it was left, a loss stands after all. Else it stands before all. */
#include "record/recover.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#include "record/output.h"
#include "src/fxt/record.h"
#include "src/import/rewrite.h"
#include "src/io/files_read.h"
#include "src/io/output_file.h"

#define DROPPED_MOST UINT64_C(1000000000000000) /* in eleven days, one each ns */

struct loaded_image {
    void *bytes; /* a private copy: the file may change */
    size_t n;
    struct readout readout;
};

/* The whole file in memory; the size of a buffer is limited. */
static bool load(struct loaded_image *image, const char *path, struct err *err) {
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

static void unload(struct loaded_image *image) {
    readout_close(&image->readout);
    free(image->bytes);
}

/* ---- where records were dropped ---- */

struct losses {
    bool before[3]; /* a part; the last one: after all */
    uint16_t name;  /* of the argument, as a string; 0: it has none */
};

static bool is_cut(const struct losses *l, struct fxt_string name) {
    size_t n = sizeof FXT_CUT_BY_LOSS - 1;
    return name.bytes
               ? (name.ref & FXT_STRING_MAX) == n && memcmp(name.bytes, FXT_CUT_BY_LOSS, n) == 0
               : name.ref > 0 && name.ref == l->name;
}

/* Whether some end of the news has the argument. */
static bool has_cut(struct losses *l, const struct readout_news *news) {
    const struct readout_records *const of[] = {&news->durable, &news->rolling};
    struct fxt_argument_value value;
    struct fxt_record record;
    for (int i = 0; i < 2; i++)
        for (size_t at = 0, size; at < of[i]->n; at += size) {
            size = (size_t)record_words(of[i]->v[at]);
            record_decode(&record, of[i]->v + at, size, size, false);
            if (record.kind == FXT_K_STRING && str_eq(record.payload, STR(FXT_CUT_BY_LOSS)))
                l->name = record.string_index;
            while (record.kind == FXT_K_DURATION_END && record_argument(&record.args, &value) > 0)
                if (is_cut(l, value.name))
                    return true;
        }
    return false;
}

/* Takes all that is in the buffer. o: writes it, with the losses; NULL: looks for them. */
static void take(struct loaded_image *image, struct losses *l, struct output *o, uint32_t id) {
    struct readout_news news = {0};
    struct readout *r = &image->readout;
    unsigned begun = 0;
    readout_begin(r, READOUT_DEAD);
    for (bool more = true; more;) {
        unsigned part = r->part;
        if (o && part == begun && l->before[begun++])
            output_dropped(o, id);
        more = readout_step(r, &news);
        if (o)
            output_news(o, id, &news);
        else
            l->before[part] = has_cut(l, &news) || l->before[part];
        readout_news_empty(&news);
    }
    if (o && r->nparts > 0 && l->before[r->nparts])
        output_dropped(o, id);
    readout_news_free(&news);
}

/* False: nothing shows where they were dropped. */
static bool find_losses(struct loaded_image *image, struct losses *l) {
    struct readout *r = &image->readout;
    struct err err;
    if (r->mode != WIRE_CIRCULAR) {
        take(image, l, NULL, 0);
        l->before[r->nparts] = l->before[r->nparts] || readout_is_full(r);
        readout_close(r);
        readout_open(r, image->bytes, image->n, -1, true, &err); /* as it was before */
    }
    bool found = l->before[0] || l->before[1] || l->before[2];
    l->before[0] = l->before[0] || !found;
    return found;
}

static void write_image(struct output *o, uint32_t id, const char *path, struct loaded_image *image,
                        struct recovered *recovered) {
    const char *name = strrchr(path, '/') ? strrchr(path, '/') + 1 : path;
    size_t n = strlen(name);
    uint64_t dropped = readout_dropped(&image->readout);
    struct losses losses = {0};
    output_provider(o, id, (struct str){name, n < WIRE_NAME_MAX ? n : WIRE_NAME_MAX});
    if (dropped > 0 && !find_losses(image, &losses))
        recovered->unplaced = true;
    take(image, &losses, o, id);
    recovered->doubted = recovered->doubted || dropped > DROPPED_MOST;
    recovered->dropped += dropped > DROPPED_MOST ? 1 : dropped;
    recovered->faults += image->readout.faults;
}

bool recover(char *const *paths, int n, const char *path, struct recovered *recovered,
             const char **wrong, struct err *err) {
    struct loaded_image *images = err_calloc((size_t)n, sizeof *images);
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

/* ---- a trace without names ---- */

bool recover_is_trace(const char *path) {
    static const struct str begins[] = {{"\x10\0\4FxT\x16\0", 8},
                                        {"\0\x16TxF\4\0\x10", 8},
                                        {"\x1f\x8b", 2},
                                        {"\x28\xb5\x2f\xfd", 4}};
    char bytes[8] = "";
    int fd = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK);
    ssize_t n = fd >= 0 ? read(fd, bytes, sizeof bytes) : -1;
    bool found = false;
    for (size_t i = 0; i < sizeof begins / sizeof *begins; i++)
        found =
            found || (n >= (ssize_t)begins[i].n && memcmp(bytes, begins[i].s, begins[i].n) == 0);
    if (fd >= 0)
        close(fd);
    return found;
}

struct counted { /* a source, and its answers */
    const struct symbols_source *from;
    struct recovered_trace *recovered;
};

static struct str find(void *ctx, struct str build_id, struct str name, uint64_t address) {
    struct counted *c = ctx;
    struct str answer = c->from->find(c->from->ctx, build_id, name, address);
    *(answer.n > 0 ? &c->recovered->found : &c->recovered->missed) += 1;
    return answer;
}

static bool write_trace(const char *path, int fd, const struct symbols_source *source,
                        struct recovered_trace *recovered, struct err *err) {
    struct counted counted = {source, recovered};
    const struct symbols_source own = {&counted, find};
    const struct rewrite_choice choice = {.symbols = &own};
    struct stat st;
    FILE *out = fdopen(fd, "w");
    if (out == NULL) {
        close(fd);
        return err_set(err, ERR_NO_OFFSET, "cannot write: %s", strerror(errno));
    }
    recovered->wrong = path;
    bool ok = rewrite_fxt(path, NULL, &choice, out, err);
    if (ok && fstat(fileno(out), &st) == 0)
        recovered->bytes = (uint64_t)st.st_size;
    if (fclose(out) != 0 && ok)
        ok = err_set(err, ERR_NO_OFFSET, "cannot write: %s", strerror(errno));
    return ok;
}

bool recover_trace(const char *path, const char *output, const struct symbols_source *source,
                   struct recovered_trace *recovered, struct err *err) {
    struct output_file out;
    *recovered = (struct recovered_trace){.wrong = path};
    files_read_path(path, FILES_READ_INPUT);
    if (strcmp(output, OUTPUT_STANDARD) == 0)
        return write_trace(path, dup(STDOUT_FILENO), source, recovered, err);
    recovered->wrong = output;
    if (!output_file_open(&out, output, OUTPUT_FILE_OVER | OUTPUT_FILE_DIRECT, err))
        return false;
    if (!write_trace(path, dup(out.fd), source, recovered, err)) {
        output_file_drop(&out);
        return false;
    }
    recovered->wrong = output;
    return output_file_close(&out, err);
}
