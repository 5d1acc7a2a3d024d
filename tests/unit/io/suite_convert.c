/* suite_convert.c - each word knows its source, among many marks. Faults are counted, and the first
 * ones kept. An importer is chosen by as few bytes as it needs. */
#include "src/io/convert.h"

#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

#include "src/io/temporary.h"
#include "tests/lib/scratch.h"
#include "tests/unit/lib/libcheck.h"
#include "tests/unit/lib/must.h"
#include "tests/unit/lib/suites.h"

/* An importer of its own: a letter becomes a word, a capital two, '!' is a fault, blanks are
 * nothing. */
struct letters {
    char words[8192];
    struct import_mark marks[512];
    struct import_case cases[512];
    uint64_t at, made;
};

static enum import_sniff sniff(struct str first, bool all) {
    size_t blanks = strspn(first.s, " ");
    if (blanks >= first.n)
        return all ? IMPORT_NO : IMPORT_MORE;
    return first.s[blanks] == 'L' ? IMPORT_YES : IMPORT_NO;
}

static void *start(void) {
    return calloc(1, sizeof(struct letters));
}

static struct import_place place_of(const struct letters *l) {
    return (struct import_place){l->at, l->at / 3, l->at % 3};
}

static void step(void *import, struct str bytes, bool last, struct import_news *news) {
    struct letters *l = import;
    *news = (struct import_news){.marks = l->marks, .cases = l->cases};
    for (size_t i = 0; i < bytes.n; i++, l->at++) {
        size_t words = bytes.s[i] >= 'a' ? 1 : bytes.s[i] >= 'A' ? 2 : 0;
        if (bytes.s[i] == '!')
            l->cases[news->ncases++] =
                (struct import_case){IMPORT_FIELD, {l->made, place_of(l)}, NULL};
        if (words == 0)
            continue;
        l->marks[news->nmarks++] = (struct import_mark){l->made, place_of(l)};
        news->words.n += 8 * words;
        l->made += 8 * words;
    }
    news->words.s = l->words;
    (void)last;
}

static const struct importer letters = {"letters", sniff, start, step, free, NULL};

START_TEST(every_word_knows_its_source) {
    enum { PIECES = 40, PIECE = 500 }; /* more marks than three blocks */
    static uint64_t source_of[2 * PIECES * PIECE];
    struct convert *c = convert_new(&letters, temporary_open(), false);
    uint64_t words = 0, at = 0, faults = 0;
    struct import_place got;
    struct import_case found;
    ck_assert(!convert_source(c, 0, &got));
    for (int p = 0; p < PIECES; p++) {
        char piece[PIECE];
        for (int i = 0; i < PIECE; i++, at++) {
            piece[i] = "aB !c"[(at * 7 + at / 31) % 5];
            faults += piece[i] == '!';
            for (int k = piece[i] >= 'a' ? 1 : piece[i] >= 'A' ? 2 : 0; k > 0; k--)
                source_of[words++] = at;
        }
        convert_some(c, (struct str){piece, PIECE}, p == PIECES - 1);
        for (uint64_t w = p % 8 == 7 ? 0 : words - 1; w < words; w++)
            MUST(convert_source(c, w * 8, &got) && got.byte == source_of[w] &&
                     3 * got.line + got.column == got.byte,
                 w);
    }
    ck_assert_uint_gt(faults, CONVERT_KEPT);
    ck_assert_uint_eq(convert_faults(c, IMPORT_FIELD, 0, &found), faults);
    ck_assert(found.fault == IMPORT_FIELD && source_of[found.at.words / 8] > found.at.source.byte);
    ck_assert_uint_eq(convert_faults(c, IMPORT_SYNTAX, 0, &found), 0);
    ck_assert_str_eq(convert_name(c), "letters");
    convert_free(c);
}
END_TEST

/* An importer that keeps what it gets up to an 'L', and may give the first word before that. */
struct undecided {
    char bytes[64];
    size_t n;
    bool begins;
};

static void *start_undecided(void) {
    return calloc(1, sizeof(struct undecided));
}

static void step_undecided(void *import, struct str bytes, bool last, struct import_news *news) {
    struct undecided *u = import;
    memcpy(u->bytes + u->n, bytes.s, bytes.n);
    u->n += bytes.n;
    *news = (struct import_news){.words = {"FXT magi", u->begins ? 8 : 0}};
    u->begins = false;
    if (memchr(u->bytes, 'L', u->n))
        *news = (struct import_news){.reader = &letters, .source = {u->bytes, u->n}};
    (void)last;
}

static void hurry_undecided(void *import) {
    ((struct undecided *)import)->begins = true;
}

static const struct importer undecided = {"undecided",    sniff, start_undecided,
                                          step_undecided, free,  hurry_undecided};

/* Word 0 is the magic number of both. */
START_TEST(another_importer_reads_all_bytes) {
    struct convert *c = convert_new(&undecided, temporary_open(), _i == 1);
    struct import_place got;
    struct import_case found;
    ck_assert_uint_eq(convert_some(c, STR("a b"), false).n, _i == 1 ? 8 : 0);
    ck_assert_str_eq(convert_name(c), "undecided");
    ck_assert_uint_eq(convert_some(c, STR("!Lc"), false).n, _i == 1 ? 32 : 40);
    ck_assert_str_eq(convert_name(c), "letters");
    ck_assert_uint_eq(convert_some(c, STR("d"), true).n, 8);
    ck_assert(convert_source(c, 8, &got) && got.byte == 2);
    ck_assert(convert_source(c, 40, &got) && got.byte == 6);
    ck_assert_uint_eq(convert_faults(c, IMPORT_FIELD, 0, &found), 1);
    convert_free(c);
}
END_TEST

START_TEST(an_importer_is_chosen_by_content) {
    static const struct importer *const all[] = {&letters, NULL};
    static const struct {
        const char *text;
        bool taken;
    } files[] = {{"L", true},
                 {"                    Lx", true},
                 {"x", false},
                 {"          ", false},
                 {"", false}};
    for (size_t i = 0; i < sizeof files / sizeof *files; i++) {
        char path[SCRATCH_PATH];
        int fd = scratch_file(path, "convert");
        enum file_compression compression;
        ck_assert(write(fd, files[i].text, strlen(files[i].text)) ==
                  (ssize_t)strlen(files[i].text));
        lseek(fd, 0, SEEK_SET);
        struct inflate *input = inflate_new(fd, false);
        ck_assert(inflate_sniff(input, &compression) && inflate_start(input));
        ck_assert_msg((convert_choose(all, input) == &letters) == files[i].taken, "%s",
                      files[i].text);
        struct inflate_piece piece = {0}; /* what was looked at is still there */
        size_t n = 0;
        while (!piece.last)
            if (inflate_some(input, 7, &piece)) {
                ck_assert(memcmp(files[i].text + n,
                                 piece.bytes ? piece.bytes : (const unsigned char *)"",
                                 piece.n) == 0);
                n += piece.n;
            } else {
                inflate_read(input, -1);
            }
        ck_assert_uint_eq(n, strlen(files[i].text));
        inflate_free(input);
        close(fd);
        unlink(path);
    }
    ck_assert(convert_choose(NULL, NULL) == NULL);
}
END_TEST

static enum import_sniff wants_more(struct str first, bool all) {
    return all && first.n == 0 ? IMPORT_NO : IMPORT_MORE;
}

START_TEST(the_magic_of_records_is_enough) { /* the pipe stays open, and nothing more comes */
    static const struct importer curious = {"curious", wants_more, start, step, free, NULL};
    static const struct importer *const all[] = {&curious, NULL};
    static const char magic[][9] = {"\x10\0\4FxT\x16", "\0\x16TxF\4\0\x10"};
    for (size_t i = 0; i < 2; i++) {
        enum file_compression compression;
        int ends[2];
        ck_assert_int_eq(pipe(ends), 0);
        ck_assert(write(ends[1], magic[i], 8) == 8);
        struct inflate *input = inflate_new(ends[0], true);
        ck_assert(inflate_sniff(input, &compression) && inflate_start(input));
        ck_assert_ptr_null(convert_choose(all, input));
        inflate_free(input);
        close(ends[0]);
        close(ends[1]);
    }
}
END_TEST

SUITE(convert) {
    Suite *s = suite_create("convert");
    TCase *c = tcase_create("convert");
    tcase_add_test(c, every_word_knows_its_source);
    tcase_add_loop_test(c, another_importer_reads_all_bytes, 0, 2);
    tcase_add_test(c, an_importer_is_chosen_by_content);
    tcase_add_test(c, the_magic_of_records_is_enough);
    suite_add_tcase(s, c);
    return s;
}
