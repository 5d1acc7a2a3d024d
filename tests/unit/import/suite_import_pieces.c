/* suite_import_pieces.c - damaged JSON has the same records, places and problems whatever pieces it
 * comes in. */
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "src/import/chrome/event_json.h"
#include "tests/lib/chance.h"
#include "tests/unit/lib/suites.h"

#define MOST 1200 /* bytes of a source */
#define ROUNDS 4000
#define PIECES 3 /* sizes of pieces that each is given in */

static const char *const sources[] = {
    "{\"traceEvents\":[\n{\"ph\":\"X\",\"name\":\"a\",\"pid\":1,\"tid\":1,\"ts\":1.5,\"dur\":2},\n"
    "{\"ph\":\"B\",\"name\":\"b\",\"pid\":1,\"tid\":1,\"ts\":2,\"args\":{\"x\":[1,{\"ph\":\"i\"}],"
    "\"y\":{\"name\":\"c\",\"ts\":3}}},\n{\"ph\":\"E\",\"pid\":1,\"tid\":1,\"ts\":4}],"
    "\"other\":{\"name\":\"d\"}}",
    "[{\"name\":\"thread_name\",\"ph\":\"M\",\"pid\":7,\"tid\":7,\"args\":{\"name\":\"main\"}},\n"
    "{\"args\":{\"a\":\"x\\\"y\",\"b\":null},\"ph\":\"C\",\"name\":\"n\",\"ts\":5,\"pid\":7},\n"
    "{\"ph\":\"T\",\"name\":\"Running\",\"ts\":6,\"dur\":1,\"pid\":7,\"tid\":8,"
    "\"args\":{\"cpu\":0}},\n{\"ph\":\"s\",\"id\":\"0x1\",\"ts\":6,\"pid\":7,\"tid\":8}]\n",
    "{\"g\":{\"name\":\"\n\",}]\x01sp",
    "{\"ph\":\"i\",\"ts\":1,\"name\":\"one\"}\n{\"ph\":\"i\",\"ts\":2,\"name\":\"two\"}\n",
    "{\"meta\":{\"interval\":1,\"preprocessedProfileVersion\":48},\"threads\":[{\"name\":\"t\","
    "\"samples\":{\"stack\":[0,1],\"time\":[1,2]},\"stackTable\":{\"frame\":[0,0],\"prefix\":[null,"
    "0]},"
    "\"frameTable\":{\"func\":[0]},\"funcTable\":{\"name\":[0]},\"stringArray\":[\"f\"]}]}",
    "{\"nodes\":[{\"id\":1,\"callFrame\":{\"functionName\":\"f\"}}],\"samples\":[1,1],"
    "\"timeDeltas\":[5,6]}",
    "{\"resourceSpans\":[{\"scopeSpans\":[{\"spans\":[{\"traceId\":\"1\",\"spanId\":\"2\","
    "\"name\":\"s\",\"startTimeUnixNano\":\"5\",\"endTimeUnixNano\":\"9\"}]}]}]}",
};

/* The output of an importer: words, and a line for each problem. */
struct given {
    char *words, *problems;
    size_t nwords, nproblems;
};

static struct given read_in(struct str text, size_t piece) {
    const struct importer *importer = &event_json;
    struct given given;
    FILE *words = open_memstream(&given.words, &given.nwords),
         *problems = open_memstream(&given.problems, &given.nproblems);
    ck_assert(words && problems);
    void *import = importer->start();
    for (size_t at = 0; at <= text.n; at += piece) {
        struct import_news news = {.more = true};
        struct str bytes = {text.s + at, piece < text.n - at ? piece : text.n - at};
        for (; news.more; bytes = STR("")) {
            importer->step(import, bytes, at + piece > text.n, &news);
            if (news.reader) {
                const struct importer *before = importer;
                void *first = import;
                importer = news.reader;
                import = importer->start();
                importer->step(import, news.source, at + piece > text.n, &news);
                before->stop(first);
            }
            fwrite(news.words.s, 1, news.words.n, words);
            for (size_t i = 0; i < news.ncases; i++) {
                const struct import_case *one = &news.cases[i];
                fprintf(problems, "%d at %" PRIu64 " (%" PRIu64 ":%" PRIu64 "): %s\n",
                        (int)one->fault, one->at.source.byte, one->at.source.line,
                        one->at.source.column, one->why ? one->why : "");
                free(one->why);
            }
        }
    }
    importer->stop(import);
    fclose(words);
    fclose(problems);
    return given;
}

/* Takes out, puts in, changes or repeats some bytes. */
static size_t damage(struct chance *chance, char *text, size_t n) {
    static const char bytes[] = "{}[]\",:\n\\ x1\x01"
                                "e.";
    for (uint64_t left = 1 + below(chance, 6); left > 0 && n > 0; left--) {
        size_t at = (size_t)below(chance, n), most = n - at < 40 ? n - at : 40,
               some = 1 + (size_t)below(chance, below(chance, 3) > 0 ? 1 : most);
        char byte = bytes[below(chance, sizeof bytes - 1)];
        switch (below(chance, 4)) {
        case 0:
            memmove(text + at, text + at + some, n - at - some);
            n -= some;
            break;
        case 1:
            memmove(text + at + 1, text + at, n - at);
            n++;
            text[at] = byte;
            break;
        case 2:
            text[at] = byte;
            break;
        default:
            memmove(text + at + some, text + at, n - at);
            n += some;
        }
    }
    return n;
}

static void compare(struct str text, size_t piece) {
    struct given whole = read_in(text, text.n + 1), cut = read_in(text, piece);
    ck_assert_msg(strcmp(whole.problems, cut.problems) == 0,
                  "in pieces of %zu:\n%.*s\nwhole:\n%scut:\n%s", piece, (int)text.n, text.s,
                  whole.problems, cut.problems);
    ck_assert_msg(whole.nwords == cut.nwords && memcmp(whole.words, cut.words, cut.nwords) == 0,
                  "other words in pieces of %zu:\n%.*s", piece, (int)text.n, text.s);
    free(whole.words);
    free(whole.problems);
    free(cut.words);
    free(cut.problems);
}

START_TEST(pieces_change_nothing_of_damaged_sources) {
    struct chance chance = {(uint64_t)_i + 20261130};
    for (int round = 0; round < ROUNDS; round++) {
        const char *source = sources[below(&chance, sizeof sources / sizeof *sources)];
        char text[MOST];
        size_t n = strlen(source);
        memcpy(text, source, n);
        n = damage(&chance, text, n);
        for (int i = 0; i < PIECES; i++)
            compare((struct str){text, n}, 1 + (size_t)below(&chance, i == 0 ? n + 1 : 30));
    }
}
END_TEST

/* A fuzzer found it. */
START_TEST(a_value_with_a_line_in_it_waits_for_the_bytes_after_it) {
    struct str text = STR("{\"g\":{\"name\":\"\n\",}]\x01sp");
    for (size_t piece = 1; piece <= text.n; piece++)
        compare(text, piece);
}
END_TEST

SUITE(import_pieces) {
    Suite *s = suite_create("import_pieces");
    TCase *c = tcase_create("import_pieces");
    tcase_set_timeout(c, 60);
    tcase_add_loop_test(c, pieces_change_nothing_of_damaged_sources, 0, 2);
    tcase_add_test(c, a_value_with_a_line_in_it_waits_for_the_bytes_after_it);
    suite_add_tcase(s, c);
    return s;
}
