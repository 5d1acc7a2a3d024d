/* archive.c - the table of an archive as a text of lines.
 *
 * The first line has the version, the number of the reference, whether all flows join and their
 * category. A line of each part has its numbers, then its name. Texts are of so many bytes as is
 * said before them, so that they may have any bytes. The bytes of a part have as many digits as
 * they can. So a draft of version 0, which is no table, is as long as the table in its place.
 * A table that does not fit the file is none. */
#include "src/fxt/archive.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "src/fxt/record.h"
#include "src/fxt/writer.h"

#define FIRST_BYTES (64u << 10) /* the magic number and a blob of at most 32 KiB */
#define LINE (ARCHIVE_NAME + 200)

/* ---- reading ---- */

struct cursor {
    const char *at, *end;
    bool good;
};

static void take_byte(struct cursor *c, char byte) {
    c->good = c->good && c->at < c->end && *c->at == byte;
    c->at += c->good;
}

/* A number of digits, after which the byte `then` comes. */
static uint64_t take_number(struct cursor *c, char then) {
    uint64_t n = 0;
    const char *from = c->at;
    for (; c->good && c->at < c->end && *c->at >= '0' && *c->at <= '9'; c->at++)
        if (__builtin_mul_overflow(n, UINT64_C(10), &n) ||
            __builtin_add_overflow(n, (uint64_t)(*c->at - '0'), &n))
            c->good = false;
    c->good = c->good && c->at > from;
    take_byte(c, then);
    return n;
}

static int64_t take_signed(struct cursor *c, char then) {
    bool negative = c->good && c->at < c->end && *c->at == '-';
    c->at += negative;
    uint64_t n = take_number(c, then);
    c->good = c->good && n <= INT64_MAX;
    return negative ? -(int64_t)n : (int64_t)n;
}

/* A text after its length: "6:client". NULL: it is longer than `most`, or has a NUL. */
static char *take_text(struct cursor *c, size_t most) {
    uint64_t n = take_number(c, ':');
    c->good = c->good && n <= most && n <= (size_t)(c->end - c->at) &&
              memchr(c->at, 0, (size_t)n) == NULL;
    if (!c->good)
        return NULL;
    char *text = err_copy(c->at, (size_t)n);
    c->at += n;
    return text;
}

static void take_part(struct cursor *c, struct archive_part *part) {
    part->bytes = take_number(c, ' ');
    part->ids = take_number(c, ' ') << 48;
    part->zero = take_number(c, ' ');
    part->offset = take_signed(c, ' ');
    uint64_t world = take_number(c, ' '), method = take_number(c, ' ');
    part->world = (uint16_t)(world < ARCHIVE_MOST ? world : ARCHIVE_MOST);
    part->method = (enum align_method)(method <= ALIGN_AS_WRITTEN ? method : 0);
    part->has_wall = take_number(c, ' ') == 1;
    part->unix_ns = take_signed(c, ' ');
    part->name = take_text(c, ARCHIVE_NAME);
    take_byte(c, '\n');
    c->good = c->good && part->bytes % 8 == 0 && part->bytes < UINT64_C(1) << 40 &&
              part->zero < UINT64_C(1) << 63 && world < ARCHIVE_MOST &&
              method <= ALIGN_AS_WRITTEN && part->offset <= ALIGN_MOST &&
              part->offset >= -ALIGN_MOST;
}

/* Worlds are numbered from 0 on, without gaps, in the order of their first parts or not. */
static bool worlds_fit(const struct archive *a) {
    bool used[ARCHIVE_MOST] = {false};
    size_t most = 0;
    for (size_t i = 0; i < a->n; i++) {
        used[a->parts[i].world] = true;
        most = a->parts[i].world > most ? a->parts[i].world : most;
    }
    for (size_t w = 0; w <= most; w++)
        if (!used[w])
            return false;
    return true;
}

static bool names_differ(const struct archive *a) {
    for (size_t i = 0; i < a->n; i++)
        for (size_t k = 0; k < i; k++)
            if (strcmp(a->parts[i].name, a->parts[k].name) == 0)
                return false;
    return true;
}

static bool read_table(struct archive *a, struct str text) {
    struct cursor c = {text.s, text.s + text.n, true};
    c.good = take_number(&c, ' ') == 1;
    a->n = (size_t)take_number(&c, ' ');
    a->reference = (size_t)take_number(&c, ' ');
    a->joins_all = take_number(&c, ' ') == 1;
    bool named = take_number(&c, ' ') == 1;
    a->joins_category = take_text(&c, ARCHIVE_NAME);
    take_byte(&c, '\n');
    if (!c.good || a->n < 2 || a->n > ARCHIVE_MOST || a->reference >= a->n) {
        a->n = 0;
        return false;
    }
    if (!named) {
        free(a->joins_category);
        a->joins_category = NULL;
    }
    for (size_t i = 0; i < a->n && c.good; i++)
        take_part(&c, &a->parts[i]);
    return c.good && c.at == c.end && worlds_fit(a) && names_differ(a);
}

/* Has so many bytes from the begin on, if there are. */
static const uint64_t *first(struct file *file, size_t want, size_t *n) {
    while (file_size(file) < want && !file_ended(file))
        file_step(file, FIRST_BYTES, -1);
    return file_span(file, 0, want, n);
}

struct archive *archive_read(struct file *file) {
    size_t n;
    struct fxt_record r;
    const uint64_t *words = first(file, 8, &n);
    if (words == NULL || n < 8 || record_word(words, false) != FXT_MAGIC)
        return NULL;
    words = first(file, 16, &n);
    uint64_t h = words && n >= 16 ? record_word(words + 1, false) : 0, size = record_words(h);
    if (FXT_BITS(h, 0, 3) != FXT_BLOB || size == 0)
        return NULL;
    words = first(file, 8 + size * 8, &n);
    if (words == NULL || n < 8 + size * 8)
        return NULL;
    record_decode(&r, words + 1, size, size, false);
    bool named = r.faults == 0 && r.kind == FXT_K_BLOB && r.name.bytes != NULL &&
                 str_eq((struct str){r.name.bytes, r.name.ref & FXT_STRING_MAX}, ARCHIVE_BLOB);
    if (!named)
        return NULL;
    struct archive *a = err_calloc(1, sizeof *a);
    a->begin = 8 + size * 8;
    if (read_table(a, r.payload))
        return a;
    archive_free(a);
    return NULL;
}

void archive_free(struct archive *archive) {
    if (archive == NULL)
        return;
    for (size_t i = 0; i < ARCHIVE_MOST; i++)
        free(archive->parts[i].name);
    free(archive->joins_category);
    free(archive);
}

/* ---- writing ---- */

static size_t put_part(char *to, size_t size, const struct archive_part *part) {
    int n =
        snprintf(to, size,
                 "%013" PRIu64 " %" PRIu64 " %" PRIu64 " %" PRId64 " %u %d %d %" PRId64 " %zu:%s\n",
                 part->bytes, part->ids >> 48, part->zero, part->offset, (unsigned)part->world,
                 (int)part->method, (int)part->has_wall, part->has_wall ? part->unix_ns : 0,
                 strlen(part->name), part->name);
    return n > 0 && (size_t)n < size ? (size_t)n : 0;
}

bool archive_write(const struct archive *a, bool draft, FILE *out, struct err *err) {
    size_t size = (a->n + 1) * LINE;
    char *text = err_malloc(size);
    const char *category = a->joins_category ? a->joins_category : "";
    size_t n = (size_t)snprintf(text, size, "%d %zu %zu %d %d %zu:%.*s\n", draft ? 0 : 1, a->n,
                                a->reference, (int)a->joins_all, (int)(a->joins_category != NULL),
                                strlen(category) < ARCHIVE_NAME ? strlen(category) : ARCHIVE_NAME,
                                ARCHIVE_NAME, category);
    for (size_t i = 0; i < a->n; i++)
        n += put_part(text + n, size - n, &a->parts[i]);
    struct writer w;
    writer_init(&w, out);
    writer_magic(&w);
    writer_blob(&w, writer_inline(ARCHIVE_BLOB), FXT_BLOB_DATA, (struct str){text, n});
    bool done = writer_flush(&w, err);
    writer_free(&w);
    free(text);
    return done;
}
