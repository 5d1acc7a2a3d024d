/* suite_output.c - the file of a recording: always whole records, within its limit, and an older
 * one is kept. */
#include "record/output.h"

#include <fcntl.h>
#include <signal.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/stat.h>

#include "src/io/files_read.h"
#include "tests/lib/chance.h"
#include "tests/unit/lib/suites.h"
#include "tests/unit/record/written.h"

/* Events of 4 words, numbered in the fourth. */
static void put_events(struct readout_news *news, unsigned n) {
    static uint64_t number;
    news->rolling.n = 0;
    for (unsigned i = 0; i < n; i++) {
        vec_reserve(&news->rolling, news->rolling.n + 4);
        uint64_t *to = news->rolling.v + news->rolling.n;
        to[0] = 4 | 4 << 4;
        to[1] = to[2] = 7;
        to[3] = number++;
        news->rolling.n += 4;
    }
    news->records = n;
}

START_TEST(a_file_has_at_most_its_limit_and_whole_records) {
    struct chance chance = {31415};
    struct readout_news news = {0};
    for (int set = 0; set < 60; set++) {
        struct written w;
        struct err err;
        uint64_t limit = 4000 + below(&chance, 60000), put = 0;
        written_begin(&w, limit);
        output_provider(&w.output, 2, STR("a provider"));
        for (int i = 0; i < 40; i++) {
            put_events(&news, (unsigned)below(&chance, 200));
            output_news(&w.output, 2, &news);
            put += news.records;
            if (below(&chance, 4) == 0)
                output_dropped(&w.output, 2);
            for (size_t k = below(&chance, 3); k > 0; k--, put++) {
                writer_init_record(output_begin(&w.output, OUTPUT_OWN), 1000);
                output_end(&w.output);
            }
        }
        bool whole = output_close(&w.output, &err);
        written_read(&w);
        MUST(w.n * 8 <= limit, set);
        MUST(w.output.reached == !whole, set);
        if (!whole) /* the next batch did not fit: all but a little is used */
            MUST(w.n * 8 + 200 * 32 + 4096 > limit, set, (int)w.n);
        unsigned events = written_count(&w, 4, -1), others = written_count(&w, 1, -1);
        MUST(events + others == w.output.records, set, (int)events);
        MUST(w.output.records + w.output.missing == put, set, (int)w.output.missing);
        MUST(whole || (w.v[w.n - 1] & 0xfffff) == (1 << 4 | 3 << 16), set); /* a loss */
        written_end(&w);
    }
    readout_news_free(&news);
}
END_TEST

/* Records of any length, of a page and more, too: an event of words that count up. */
static size_t put_any(struct readout_news *news, struct chance *chance, uint64_t *number) {
    size_t n = 2 + below(chance, below(chance, 20) ? 20 : 700);
    vec_reserve(&news->rolling, news->rolling.n + n);
    uint64_t *to = news->rolling.v + news->rolling.n;
    to[0] = 4 | (uint64_t)n << 4;
    for (size_t i = 1; i < n; i++)
        to[i] = (*number)++;
    news->rolling.n += n;
    return n;
}

/* So a file whose writing is killed, which is between two pages of it, ends at a record. */
START_TEST(no_record_of_a_page_at_most_crosses_pages) {
    struct chance chance = {161803};
    struct readout_news news = {0};
    for (int set = 0; set < 20; set++) {
        struct written w;
        struct err err;
        uint64_t number = 1, next = 1, base = set % 4 < 2 ? 0 : 8 * below(&chance, 600);
        uint32_t provider = 0;
        written_begin(&w, UINT64_MAX);
        w.output.base = base; /* what standard output has already */
        output_provider(&w.output, 2, STR("two"));
        output_provider(&w.output, 3, STR("three"));
        for (int i = 0; i < 60; i++) {
            news.rolling.n = 0;
            for (int k = 0; k < 30; k++)
                put_any(&news, &chance, &number);
            output_news(&w.output, 2 + (uint32_t)i % 2, &news);
            for (size_t k = below(&chance, 8); k > 0; k--) {
                writer_kernel_object(output_begin(&w.output, OUTPUT_OWN), FXT_OBJECT_PROCESS, k,
                                     writer_inline(STR("a long name of a process")),
                                     (struct writer_arguments){NULL, 0});
                output_end(&w.output);
            }
        }
        ck_assert(output_close(&w.output, &err));
        written_read(&w);
        for (size_t at = 0, n; at < w.n; at += n) {
            uint64_t from = base / 8 + at, last = from + (n = written_size(w.v[at])) - 1;
            MUST(n > 512 || from / 512 == last / 512, set, (int)at);
            if ((w.v[at] & 15) == 0 && (w.v[at] >> 16 & 15) <= 2)
                provider = (uint32_t)(w.v[at] >> 20);
            if ((w.v[at] & 15) == 7)
                MUST(provider == OUTPUT_OWN, set, (int)at);
            for (size_t i = 1; (w.v[at] & 15) == 4 && i < n; i++)
                MUST(w.v[at + i] == next++ && provider > OUTPUT_OWN, set, (int)at);
        }
        MUST(next == number, set);
        written_end(&w);
    }
    readout_news_free(&news);
}
END_TEST

START_TEST(batches_of_several_providers_have_their_sections) {
    struct readout_news news = {0};
    struct written w;
    struct err err;
    unsigned provider = 0, seen = 0;
    written_begin(&w, UINT64_MAX);
    output_provider(&w.output, 2, STR("two"));
    output_provider(&w.output, 3, STR("three"));
    for (unsigned i = 0; i < 100; i++) {
        put_events(&news, 1);
        news.rolling.v[2] = 2 + i % 3 / 2; /* its provider: 2, 2, 3 */
        output_news(&w.output, 2 + i % 3 / 2, &news);
    }
    ck_assert(output_close(&w.output, &err));
    written_read(&w);
    for (size_t at = 0; at < w.n; at += written_size(w.v[at])) {
        if ((w.v[at] & 15) == 0 && (w.v[at] >> 16 & 15) <= 2)
            provider = (unsigned)(w.v[at] >> 20 & 0xffffffff); /* info, or section */
        if ((w.v[at] & 15) == 4) {
            ck_assert_uint_eq(w.v[at + 2], provider);
            seen++;
        }
    }
    ck_assert_uint_eq(seen, 100);
    written_end(&w);
    readout_news_free(&news);
}
END_TEST

START_TEST(the_last_record_at_the_limit_is_of_its_provider) {
    struct readout_news news = {0};
    struct written w;
    uint64_t provider = 0;
    written_begin(&w, 8192);
    output_provider(&w.output, OUTPUT_OWN, STR("the recorder"));
    output_provider(&w.output, 2, STR("two"));
    put_events(&news, 1000);
    output_news(&w.output, 2, &news);
    ck_assert(w.output.reached);
    for (int i = 0; i < 2; i++) { /* the first one is left out, with its section */
        struct writer *to = output_begin(&w.output, OUTPUT_OWN);
        writer_init_record(to, 1000);
        output_end(&w.output);
        output_last(&w.output);
    }
    output_close(&w.output, NULL);
    written_read(&w);
    for (size_t at = 0; at < w.n; at += written_size(w.v[at])) {
        if ((w.v[at] & 15) == 0 && (w.v[at] >> 16 & 15) <= 2)
            provider = w.v[at] >> 20 & 0xffffffff;
        if ((w.v[at] & 15) == 1)
            ck_assert_uint_eq(provider, OUTPUT_OWN);
    }
    ck_assert_uint_eq(written_count(&w, 1, -1), 1);
    written_end(&w);
    readout_news_free(&news);
}
END_TEST

START_TEST(a_write_that_fails_leaves_whole_records_and_counts_the_others) {
    struct rlimit before, small = {0, 0};
    signal(SIGXFSZ, SIG_IGN);
    getrlimit(RLIMIT_FSIZE, &before);
    small.rlim_max = before.rlim_max;
    for (int set = 0; set < 40; set++) {
        struct readout_news news = {0};
        struct written w;
        struct err err = {.text = ""};
        written_begin(&w, UINT64_MAX);
        small.rlim_cur = 20000 + (rlim_t)set * 8;
        setrlimit(RLIMIT_FSIZE, &small);
        for (int i = 0; i < 40; i++) {
            put_events(&news, 100);
            output_news(&w.output, 2, &news);
            if (i % (1 + set % 3) == 0)
                output_flush(&w.output);
        }
        ck_assert(!output_close(&w.output, &err));
        setrlimit(RLIMIT_FSIZE, &before);
        ck_assert(strncmp(err.text, "cannot write: ", 14) == 0);
        written_read(&w);
        MUST(w.n * 8 + 4096 >= small.rlim_cur, set, (int)w.n);
        MUST((w.v[w.n - 1] & 0xfffff) == (1 << 4 | 3 << 16), set); /* a loss */
        MUST(written_count(&w, 4, -1) == w.output.records, set);
        MUST(w.output.records + w.output.missing == 40 * 100, set, (int)w.output.missing);
        written_end(&w);
        readout_news_free(&news);
    }
}
END_TEST

START_TEST(without_memory_all_but_the_last_record_is_rescued) {
    struct written w;
    written_begin(&w, UINT64_MAX);
    for (int i = 0; i < 3; i++) {
        struct writer *to = output_begin(&w.output, OUTPUT_OWN);
        writer_kernel_object(to, FXT_OBJECT_PROCESS, 7, writer_inline(STR("name")),
                             (struct writer_arguments){NULL, 0});
        if (i < 2)
            output_end(&w.output);
    }
    w.output.writer.bytes.n -= 8; /* in the middle of the third */
    output_rescue(&w.output);
    written_read(&w);
    ck_assert_uint_eq(written_count(&w, 7, -1), 2);
    output_close(&w.output, NULL);
    written_end(&w);
}
END_TEST

START_TEST(threads_are_counted_by_all_that_names_them) {
    static const uint64_t durable[] = {3 | 3 << 4 | 1 << 16, 7, 8, 7 | 2 << 4 | 2 << 16, 8,
                                       7 | 2 << 4 | 2 << 16, 9};
    struct readout_news news = {.records = 3};
    struct written w;
    written_begin(&w, UINT64_MAX);
    for (size_t i = 0; i < sizeof durable / sizeof *durable; i++)
        vec_push(&news.durable, durable[i]);
    output_provider(&w.output, 2, STR("one"));
    output_news(&w.output, 2, &news);
    ck_assert_uint_eq(w.output.tids.n, 2);                     /* 8 and 9 */
    static const uint64_t rolling[] = {4 | 4 << 4, 100, 7, 10, /* an event that names its thread */
                                       4 | 2 << 4 | 1 << 24, 101, /* one of a registered thread */
                                       9 | 4 << 4, 102, 7, 11,    /* a log record */
                                       9 | 2 << 4 | (uint64_t)1 << 32, 103, 7 | 2 << 4 | 1 << 16,
                                       7, /* a process */
                                       /* all parts in one: oneshot mode */
                                       3 | 3 << 4 | 2 << 16, 7, 12};
    news.durable.n = 0;
    for (size_t i = 0; i < sizeof rolling / sizeof *rolling; i++)
        vec_push(&news.rolling, rolling[i]);
    /* the numbers of another process are of others, as in a namespace */
    for (uint32_t id = 2; id < 4; id++) {
        output_news(&w.output, id, &news);
        output_news(&w.output, id, &news);
        ck_assert_uint_eq(w.output.tids.n, id == 2 ? 5 : 8);
    }
    readout_news_free(&news);
    ck_assert(output_close(&w.output, NULL));
    written_end(&w);
}
END_TEST

/* A copy has the same bytes, and records of other providers may follow. */
START_TEST(a_copy_has_all_that_was_written) {
    struct readout_news news = {0};
    struct written from, to;
    struct err err;
    written_begin(&from, 1 << 20);
    written_begin(&to, 1 << 20);
    output_provider(&from.output, 2, STR("a provider"));
    put_events(&news, 3000);
    output_news(&from.output, 2, &news);
    ck_assert(output_copy(&to.output, &from.output));
    output_provider(&to.output, 3, STR("another one"));
    put_events(&news, 5);
    output_news(&to.output, 3, &news);
    ck_assert(output_close(&from.output, &err) && output_close(&to.output, &err));
    written_read(&from);
    written_read(&to);
    ck_assert_uint_gt(to.n, from.n);
    ck_assert_mem_eq(to.v, from.v, from.n * 8);
    ck_assert_uint_eq(written_count(&to, 4, -1), 3005);
    written_end(&from);
    written_end(&to);
    written_begin(&from, 1 << 20);
    written_begin(&to, 5000);
    output_provider(&from.output, 2, STR("a provider"));
    put_events(&news, 3000);
    output_news(&from.output, 2, &news);
    ck_assert(!output_copy(&to.output, &from.output)); /* more than its limit */
    ck_assert(output_close(&from.output, &err) && output_close(&to.output, &err));
    written_end(&from);
    written_end(&to);
    readout_news_free(&news);
}
END_TEST

START_TEST(an_older_file_is_renamed_and_a_new_one_is_private) {
    struct written w;
    struct err err;
    struct stat st;
    struct output again;
    char old[SCRATCH_PATH + 4];
    written_begin(&w, UINT64_MAX);
    ck_assert(output_close(&w.output, &err));
    ck_assert(output_open(&again, w.path, UINT64_MAX, &err));
    ck_assert(output_close(&again, &err));
    snprintf(old, sizeof old, "%s.old", w.path);
    ck_assert_int_eq(stat(old, &st), 0);
    ck_assert_int_eq(stat(w.path, &st), 0);
    ck_assert_uint_eq(st.st_mode & 0777, 0600);
    unlink(old);
    written_end(&w);
    ck_assert(!output_open(&again, "/nowhere/at/all", UINT64_MAX, &err));
}
END_TEST

static bool holds(const char *path, const char *text) {
    char v[32] = "";
    int fd = open(path, O_RDONLY);
    bool same = fd >= 0 && read(fd, v, sizeof v - 1) >= 0 && strcmp(v, text) == 0;
    close(fd);
    return same;
}

START_TEST(a_file_in_use_is_left) {
    char path[SCRATCH_PATH], old[SCRATCH_PATH + 4];
    struct err err;
    ck_assert(scratch_write(path, "used", "new", 3));
    snprintf(old, sizeof old, "%s.old", path);
    /* Two names of one file: rename() would do nothing. */
    ck_assert_int_eq(link(path, old), 0);
    ck_assert_int_lt(output_create(path, &err), 0);
    ck_assert(holds(path, "new") && holds(old, "new"));
    /* The older one is in use. */
    unlink(path);
    files_read_path(old, FILES_READ_INPUT);
    int fd = open(path, O_WRONLY | O_CREAT | O_EXCL, 0600);
    ck_assert(fd >= 0 && write(fd, "newer", 5) == 5);
    close(fd);
    ck_assert_int_lt(output_create(path, &err), 0);
    ck_assert_str_eq(err.text, "FILE.old is in use: write to another file");
    /* Both are. */
    files_read_path(path, FILES_READ_INPUT);
    ck_assert_int_lt(output_create(path, &err), 0);
    ck_assert_str_eq(err.text, "it is in use: write to another file");
    ck_assert(holds(path, "newer") && holds(old, "new"));
    unlink(path);
    unlink(old);
}
END_TEST

SUITE(output) {
    Suite *s = suite_create("output");
    TCase *c = tcase_create("output");
    tcase_add_test(c, a_file_has_at_most_its_limit_and_whole_records);
    tcase_add_test(c, no_record_of_a_page_at_most_crosses_pages);
    tcase_add_test(c, batches_of_several_providers_have_their_sections);
    tcase_add_test(c, the_last_record_at_the_limit_is_of_its_provider);
    tcase_add_test(c, a_write_that_fails_leaves_whole_records_and_counts_the_others);
    tcase_add_test(c, without_memory_all_but_the_last_record_is_rescued);
    tcase_add_test(c, threads_are_counted_by_all_that_names_them);
    tcase_add_test(c, a_copy_has_all_that_was_written);
    tcase_add_test(c, an_older_file_is_renamed_and_a_new_one_is_private);
    tcase_add_test(c, a_file_in_use_is_left);
    suite_add_tcase(s, c);
    return s;
}
