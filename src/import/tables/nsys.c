/* nsys.c - the importer of databases of Nsight Systems.
 *
 * The bytes go to a file without a name, because SQLite reads them anywhere. At their end a list of
 * work is made: the tables that are there, in the order of nsys_tables.h. A step takes a number of
 * rows. */
#include "src/import/tables/nsys.h"

#ifdef HAVE_SQLITE

#include <errno.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <strings.h>
#include <unistd.h>

#include "src/base/text.h"
#include "src/import/tables/nsys_tables.h"
#include "src/io/spool.h"
#include "src/io/temporary.h"

#define MAGIC STR("SQLite format 3\0")
#define ROWS 4096              /* of a step */
#define SPACE_CHECK (4u << 20) /* bytes of growth between two looks at the free space */
#define NAMES_SAID 400         /* bytes of the names of tables in a refusal */

static bool is_called(const char *table, const char *name) {
    size_t n = strlen(name);
    if (name[n - 1] == '*')
        return strncasecmp(table, name, n - 1) == 0;
    return strcasecmp(table, name) == 0;
}

/* Returns whether it is a database of nsys. */
static bool plan(struct nsys *n) {
    bool strings = false, events = false;
    const char *table;
    for (size_t j = 0; j < NSYS_TABLES; j++) {
        size_t before = n->work.n;
        for (size_t i = 0; (table = database_table(n->db, i)); i++)
            if (is_called(table, nsys_tables[j].table)) {
                vec_push(&n->work, ((struct nsys_work){&nsys_tables[j], table}));
                strings |= j == 0;
                events |= nsys_tables[j].events;
            }
        if (n->work.n == before && nsys_tables[j].end)
            vec_push(&n->work, ((struct nsys_work){&nsys_tables[j], NULL}));
    }
    for (size_t i = 0; (table = database_table(n->db, i)); i++) {
        size_t j = 0;
        while (j < NSYS_TABLES && !is_called(table, nsys_tables[j].table))
            j++;
        if (j == NSYS_TABLES)
            vec_push(&n->work, ((struct nsys_work){&nsys_tables_unread, table}));
        events |= is_called(table, "CUPTI_ACTIVITY_KIND_*");
    }
    return strings && events;
}

static void refuse(struct nsys *n) {
    char names[NAMES_SAID + 16] = "", name[128];
    size_t at = 0;
    const char *table, *why = database_why(n->db);
    for (size_t i = 0; (table = database_table(n->db, i)) && at < NAMES_SAID; i++) {
        text_plain(name, sizeof name, str_of(table), TEXT_ASCII);
        bool fits = at + strlen(name) + 2 < NAMES_SAID;
        at += (size_t)snprintf(names + at, sizeof names - at, "%s%s", i > 0 ? ", " : "",
                               fits ? name : "...");
        if (!fits)
            break;
    }
    if (at > 0)
        nsys_row_tell(
            n, IMPORT_NO_EVENTS, NULL,
            "an SQLite database with tables %s: sqlite3 -header -csv FILE 'select ...' prints one",
            names);
    else if (why)
        nsys_row_tell(n, IMPORT_NO_EVENTS, NULL, "an SQLite database that cannot be read: %s", why);
    else
        nsys_row_tell(n, IMPORT_NO_EVENTS, NULL, "an SQLite database without tables");
}

static void count_unread(struct nsys *n) {
    int64_t rows = database_count(n->db, n->table);
    if (rows > 0)
        nsys_row_tell(n, IMPORT_IGNORED, n->table, "%" PRId64 " rows have no meaning here", rows);
}

static void end_job(struct nsys *n) {
    const char *why = database_why(n->db);
    if (n->table && why)
        nsys_row_tell(n, IMPORT_TRUNCATED, n->table, "reading ended after row %" PRIu64 ": %s",
                      n->row, why);
    n->reads = false;
    if (n->job->end)
        n->job->end(n);
    n->next++;
}

static void begin_job(struct nsys *n) {
    const struct nsys_work *work = &n->work.v[n->next];
    n->job = work->job;
    n->table = work->table;
    n->row = 0;
    n->reads = n->table && database_select(n->db, n->table, n->job->columns, n->job->order);
    if (n->reads && n->job == &nsys_tables_unread) {
        count_unread(n);
        n->reads = false;
    }
    if (!n->reads)
        end_job(n);
}

static void finish(struct nsys *n) {
    n->ended = true;
    if (n->unowned > 0)
        nsys_row_tell(n, IMPORT_IGNORED, NULL,
                      "%" PRIu64 " rows name no process: they are in process 0", n->unowned);
    if (n->events == 0)
        nsys_row_tell(n, IMPORT_IGNORED, NULL, "no events");
}

static void take_rows(struct nsys *n) {
    for (size_t i = 0; i < ROWS && n->next < n->work.n; i++) {
        if (!n->reads) {
            begin_job(n);
        } else if (database_next(n->db)) {
            n->row++;
            n->nargs = 0;
            n->job->take(n);
        } else {
            end_job(n);
        }
    }
    if (n->next == n->work.n)
        finish(n);
}

/* ---- the bytes ---- */

static enum import_sniff sniff(struct str first, bool all) {
    size_t n = first.n < MAGIC.n ? first.n : MAGIC.n;
    if (n > 0 && memcmp(first.s, MAGIC.s, n) != 0)
        return IMPORT_NO;
    if (n == MAGIC.n)
        return IMPORT_YES;
    return all ? IMPORT_NO : IMPORT_MORE;
}

static void keep(struct nsys *n, struct str bytes) {
    if (n->fd < 0)
        n->fd = temporary_open();
    if (n->fd < 0) {
        n->spool_failed = "no temporary file can be made in $TMPDIR or /var/tmp";
        return;
    }
    while (bytes.n > 0 && n->spool_failed == NULL) {
        if (n->size >= n->checked && !spool_fits(n->fd, SPACE_CHECK)) {
            n->spool_failed = "too little space for the temporary file of the database";
            return;
        }
        n->checked = n->size >= n->checked ? n->size + SPACE_CHECK : n->checked;
        ssize_t done = pwrite(n->fd, bytes.s, bytes.n, (off_t)n->size);
        if (done < 0 && errno == EINTR)
            continue;
        if (done <= 0) {
            n->spool_failed = "the temporary file of the database could not be written";
            return;
        }
        n->size += (uint64_t)done;
        bytes = (struct str){bytes.s + done, bytes.n - (size_t)done};
    }
}

/* Nothing is written unless it begins as a database. */
static void take_bytes(struct nsys *n, struct str bytes) {
    if (n->nfirst < sizeof n->first) {
        size_t m = sizeof n->first - n->nfirst;
        m = bytes.n < m ? bytes.n : m;
        if (m > 0)
            memcpy(n->first + n->nfirst, bytes.s, m);
        n->nfirst += m;
        bytes = (struct str){bytes.s + m, bytes.n - m};
        if (n->nfirst < sizeof n->first)
            return;
        if (memcmp(n->first, MAGIC.s, sizeof n->first) != 0)
            n->spool_failed = "not an SQLite database";
        else
            keep(n, (struct str){n->first, sizeof n->first});
    }
    if (n->spool_failed == NULL)
        keep(n, bytes);
}

static void open_database(struct nsys *n) {
    if (n->spool_failed || n->size == 0) {
        nsys_row_tell(n, IMPORT_NO_EVENTS, NULL, "%s",
                      n->spool_failed ? n->spool_failed : "not an SQLite database");
        n->ended = true;
        return;
    }
    n->db = database_open(n->fd, &n->given_up, nsys_row_columns, COLUMNS);
    if (!plan(n)) {
        refuse(n);
        n->ended = true;
        return;
    }
    if (database_why(n->db))
        nsys_row_tell(n, IMPORT_TRUNCATED, NULL, "the list of tables cannot be read to its end: %s",
                      database_why(n->db));
    n->samples = nsys_tables_samples(n);
    writer_magic(&n->w);
}

static void *start(void) {
    struct nsys *n = err_calloc(1, sizeof *n);
    n->fd = -1;
    n->made_tid = SAMPLES_MADE_TID;
    atomic_init(&n->given_up, false);
    return n;
}

static void step(void *import, struct str bytes, bool last, struct import_news *news) {
    struct nsys *n = import;
    n->cases.n = 0;
    if (n->db == NULL)
        take_bytes(n, bytes);
    if (last && n->db == NULL && !n->ended)
        open_database(n);
    if (n->db && !n->ended)
        take_rows(n);
    *news = (struct import_news){.words = writer_take(&n->w),
                                 .cases = n->cases.v,
                                 .ncases = n->cases.n,
                                 .give_up = &n->given_up,
                                 .held = n->db ? 0 : n->size,
                                 .more = n->db && !n->ended};
}

static void stop(void *import) {
    struct nsys *n = import;
    database_close(n->db);
    if (n->fd >= 0)
        close(n->fd);
    if (n->samples)
        samples_free(n->samples);
    nsys_stacks_free(&n->stacks);
    nsys_texts_free(&n->texts);
    nsys_table_free(&n->known);
    u64map_free(&n->strings);
    u64map_free(&n->thread_names);
    u64map_free(&n->running);
    vec_free(&n->launches.v);
    vec_free(&n->frames);
    vec_free(&n->work);
    vec_free(&n->cases);
    writer_free(&n->w);
    free(n);
}

const struct importer nsys = {"Nsight Systems", sniff, start, step, stop, NULL};

#endif
