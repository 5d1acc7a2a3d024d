/* convert.c - an importer, the marks it makes, and its faults.
 *
 * Marks are written in blocks; the last block is in memory. Looking one up is a binary search that
 * reads one mark a step. If the disk is full there are no further marks; the words are what
 * matters. */
#include "src/io/convert.h"

#include <errno.h>
#include <pthread.h>
#include <stdatomic.h>
#include <unistd.h>

#include "src/base/err.h"
#include "src/base/vec.h"
#include "src/io/foreign/foreign.h"

#ifdef HAVE_SQLITE
#define READS_NSYS true
#else
#define READS_NSYS false
#endif
#define BLOCK 2048 /* marks written at a time: 64 KiB */

struct convert {
    void *import; /* NULL before the first bytes */
    char *named;  /* the name of the importer, as the cache has it, or NULL */
    int fd;
    uint64_t at; /* offset of the first mark in the file */
    uint64_t held;
    bool hurries, begun; /* begun: the magic number was given */
    bool more;           /* words are left */
    atomic_bool given_up;
    pthread_mutex_t lock; /* of what follows */
    const struct importer *importer;
    atomic_bool *give_up; /* of the import, or NULL */
    struct import_mark *block;
    size_t n;         /* marks in the block */
    uint64_t written; /* marks in the file */
    bool full;        /* the file takes no more */
    struct {
        uint64_t count;
        VEC(struct import_case) kept;
    } faults[IMPORT_FAULTS];
};

const struct importer *convert_choose(const struct importer *const *importers,
                                      struct inflate *input) {
    for (size_t want = 8; importers && want <= IMPORT_SNIFF_MAX; want *= 2) {
        struct str first = inflate_peek(input, want);
        bool more = false, whole = first.n < want;
        if (foreign_is_fxt(first)) /* a pipe may be slow with more */
            return NULL;
        for (size_t i = 0; importers[i]; i++) {
            enum import_sniff answer = importers[i]->sniff(first, whole);
            if (answer == IMPORT_YES)
                return importers[i];
            more = answer == IMPORT_MORE && !whole && want < IMPORT_SNIFF_MAX;
            if (more) /* a later importer may accept a format of this one */
                break;
        }
        if (!more || whole)
            break;
    }
    return NULL;
}

bool convert_foreign(struct inflate *input, const struct convert_source *from, struct err *err) {
    bool waits = from->waits;
    size_t most = waits ? FOREIGN_BRIEF : FOREIGN_FIRST;
    if (waits && from->importers == NULL) /* records alone: the first one may be slow to come */
        return false;
    if (from->grows)
        most = FOREIGN_LEAST; /* it must not seem to end with its present bytes */
    struct str first = inflate_peek(input, FOREIGN_LEAST);
    /* JSON may begin with blanks */
    if (!foreign_may_be(first) || (waits && strchr(" \t\r\n", first.s[0])))
        return false;
    char names[FOREIGN_TABLES];
    first = inflate_peek(input, most);
    const char *said = foreign_name(first);
    bool nsys = false, tables = said && foreign_tables(first, from->fd, names, &nsys);
    if (READS_NSYS && from->importers && foreign_database(first) &&
        (nsys || !tables || from->fd < 0))
        return false; /* the importer knows all tables */
    if (nsys)
        err_set(err, ERR_NO_OFFSET,
                "a database of Nsight Systems needs SQLite, which this fxtop was built without");
    else if (tables)
        err_set(
            err, ERR_NO_OFFSET,
            "an SQLite database with tables %s: sqlite3 -header -csv FILE 'select ...' prints one",
            names);
    else if (said)
        err_set(err, ERR_NO_OFFSET, "%s", said);
    return said != NULL;
}

/* characters that are looked at if there is no mark: two words of a trace without magic */
#define UNITS 8

bool convert_is_utf16(struct inflate *input) {
    struct str s = inflate_peek(input, 2 * UNITS);
    bool mark = s.n >= 4 && (memcmp(s.s, "\xff\xfe", 2) == 0 || memcmp(s.s, "\xfe\xff", 2) == 0);
    size_t first = mark ? 2 : 0, end = mark ? 4 : 2 * UNITS;
    if (s.n < end)
        return false;
    size_t high = s.s[first] == 0 ? 0 : 1; /* the byte of each unit that is 0 */
    for (size_t i = first; i < end; i += 2) {
        unsigned char c = (unsigned char)s.s[i + 1 - high];
        if (s.s[i + high] != 0 || c == 0 || c > '~' || (c < ' ' && strchr("\t\r\n", c) == NULL))
            return false;
    }
    return strchr("[{ \t\r\n", s.s[first + 1 - high]) != NULL;
}

void convert_hurry(struct convert *c) {
    c->hurries = true;
    if (c->import && c->importer->hurry)
        c->importer->hurry(c->import);
}

void convert_give_up(struct convert *c) {
    atomic_store(&c->given_up, true);
    pthread_mutex_lock(&c->lock);
    if (c->give_up)
        atomic_store(c->give_up, true);
    pthread_mutex_unlock(&c->lock);
}

struct convert *convert_new(const struct importer *importer, int fd, bool hurry) {
    struct convert *c = err_calloc(1, sizeof *c);
    c->importer = importer;
    c->hurries = hurry;
    c->fd = fd;
    c->block = err_malloc(BLOCK * sizeof *c->block);
    pthread_mutex_init(&c->lock, NULL);
    return c;
}

void convert_free(struct convert *c) {
    if (c == NULL)
        return;
    if (c->import)
        c->importer->stop(c->import);
    for (size_t i = 0; i < IMPORT_FAULTS; i++) {
        for (size_t k = 0; k < c->faults[i].kept.n; k++)
            free(c->faults[i].kept.v[k].why);
        vec_free(&c->faults[i].kept);
    }
    pthread_mutex_destroy(&c->lock);
    free(c->block);
    free(c->named);
    close(c->fd);
    free(c);
}

static void write_block(struct convert *c) {
    const char *bytes = (const char *)c->block;
    size_t n = c->n * sizeof *c->block, done = 0;
    while (done < n) {
        ssize_t wrote =
            pwrite(c->fd, bytes + done, n - done, (off_t)(c->written * sizeof *c->block + done));
        if (wrote < 0 && errno == EINTR)
            continue;
        if (wrote <= 0)
            break;
        done += (size_t)wrote;
    }
    c->full = done < n;
    c->written += done / sizeof *c->block;
    c->n = 0;
}

static void add_marks(struct convert *c, const struct import_mark *marks, size_t n) {
    for (size_t done = 0, some; done < n && !c->full; done += some) {
        some = n - done < BLOCK - c->n ? n - done : BLOCK - c->n;
        memcpy(c->block + c->n, marks + done, some * sizeof *marks);
        c->n += some;
        if (c->n == BLOCK)
            write_block(c);
    }
}

static void add_fault(struct convert *c, const struct import_case *fault) {
    if (c->faults[fault->fault].count++ < CONVERT_KEPT || fault->fault == IMPORT_DAMAGED)
        vec_push(&c->faults[fault->fault].kept, *fault);
    else
        free(fault->why);
}

/* The importer has found that another one reads this source. */
static void hand_over(struct convert *c, bool last, struct import_news *news) {
    const struct importer *first = c->importer;
    void *before = c->import;
    pthread_mutex_lock(&c->lock);
    c->importer = news->reader;
    pthread_mutex_unlock(&c->lock);
    c->import = c->importer->start();
    if (c->hurries)
        convert_hurry(c);
    c->importer->step(c->import, news->source, last, news);
    if (c->begun) /* the same word */
        news->words = (struct str){news->words.s + 8, news->words.n - 8};
    first->stop(before);
}

/* An index from the cache is taken before, by a process that has made no map so far. */
static void begin(struct convert *c) {
    if (c->import)
        return;
    c->import = c->importer->start();
    if (c->hurries)
        convert_hurry(c);
}

struct str convert_some(struct convert *c, struct str bytes, bool last) {
    struct import_news news;
    begin(c);
    c->importer->step(c->import, bytes, last, &news);
    if (news.reader)
        hand_over(c, last, &news);
    c->begun = c->begun || news.words.n > 0;
    c->held = news.held;
    c->more = news.more;
    pthread_mutex_lock(&c->lock);
    c->give_up = news.give_up;
    add_marks(c, news.marks, news.nmarks);
    for (size_t i = 0; i < news.ncases; i++)
        add_fault(c, &news.cases[i]);
    pthread_mutex_unlock(&c->lock);
    return news.words;
}

bool convert_more(const struct convert *c) {
    return c->more && !atomic_load(&c->given_up);
}

uint64_t convert_held(const struct convert *c) {
    return c->held;
}

const char *convert_name(struct convert *c) {
    pthread_mutex_lock(&c->lock);
    const char *name = c->named ? c->named : c->importer->name;
    pthread_mutex_unlock(&c->lock);
    return name;
}

static bool mark_at(const struct convert *c, uint64_t i, struct import_mark *mark) {
    if (i >= c->written) {
        *mark = c->block[i - c->written];
        return true;
    }
    return pread(c->fd, mark, sizeof *mark, (off_t)(c->at + i * sizeof *mark)) ==
           (ssize_t)sizeof *mark;
}

bool convert_source(struct convert *c, uint64_t words, struct import_place *source) {
    struct import_mark mark;
    bool known = false;
    pthread_mutex_lock(&c->lock);
    uint64_t low = 0, high = c->written + c->n;
    while (low < high) { /* the first mark after `words` */
        uint64_t middle = low + (high - low) / 2;
        if (!mark_at(c, middle, &mark))
            break;
        if (mark.words <= words) {
            low = middle + 1;
            *source = mark.source;
            known = true;
        } else {
            high = middle;
        }
    }
    known = known && low == high && !(c->full && low == c->written + c->n);
    pthread_mutex_unlock(&c->lock);
    return known;
}

uint64_t convert_faults(struct convert *c, enum import_fault fault, uint64_t i,
                        struct import_case *to) {
    pthread_mutex_lock(&c->lock);
    uint64_t count = c->faults[fault].count;
    if (i < c->faults[fault].kept.n)
        *to = c->faults[fault].kept.v[i];
    pthread_mutex_unlock(&c->lock);
    return count;
}

bool convert_marks(struct convert *c, struct kept_bytes *marks) {
    pthread_mutex_lock(&c->lock);
    if (!c->full && c->n > 0)
        write_block(c);
    bool whole = !c->full;
    *marks = (struct kept_bytes){c->fd, c->at, c->written * sizeof *c->block};
    pthread_mutex_unlock(&c->lock);
    return whole;
}

void convert_restore(struct convert *c, const struct kept_bytes *marks) {
    close(c->fd);
    c->fd = marks->fd;
    c->at = marks->at;
    c->written = marks->n / sizeof *c->block;
    c->n = 0;
}

void convert_remember(struct convert *c, const char *name) {
    free(c->named);
    c->named = err_copy(name, strlen(name));
}

void convert_remember_faults(struct convert *c, enum import_fault fault, uint64_t count,
                             const struct import_case *cases, size_t n) {
    c->faults[fault].count = count;
    for (size_t i = 0; i < n; i++) {
        struct import_case one = cases[i];
        one.why = one.why ? err_copy(one.why, strlen(one.why)) : NULL;
        vec_push(&c->faults[fault].kept, one);
    }
}
