/* fuzz_import.c - any bytes as Chrome's JSON and as collapsed stacks. The words are whole records
 * without a fault, of a bounded number, and the same if the bytes come in pieces; marks ascend. The
 * first byte chooses the pieces. */
#include <string.h>

#include "src/base/vec.h"
#include "src/fxt/record.h"
#include "src/import/importers.h"
#include "tests/fuzz/fuzz.h"

struct made {
    VEC(unsigned char) words;
    VEC(struct import_mark) marks;
    size_t cases;
};

static void add(struct made *made, const struct import_news *news, size_t size) {
    FUZZ_MUST(news->words.n % 8 == 0);
    vec_reserve(&made->words, made->words.n + news->words.n + 1);
    if (news->words.n > 0)
        memcpy(made->words.v + made->words.n, news->words.s, news->words.n);
    for (size_t i = 0; i < news->nmarks; i++) {
        const struct import_mark *m = &news->marks[i];
        const struct import_mark *before =
            made->marks.n > 0 ? &made->marks.v[made->marks.n - 1] : NULL;
        bool text = m->source.line != IMPORT_NO_LINES;
        FUZZ_MUST(m->source.byte < size &&
                  (!text || m->source.line + m->source.column <= m->source.byte) &&
                  (before == NULL || before->words <= m->words));
        vec_push(&made->marks, *m);
    }
    made->words.n += news->words.n;
    made->cases += news->ncases;
    for (size_t i = 0; i < news->ncases; i++)
        free(news->cases[i].why);
}

static struct made convert(const struct importer *importer, struct str source, size_t piece) {
    struct made made = {0};
    void *import = importer->start();
    for (size_t at = 0; at <= source.n; at += piece) {
        struct import_news news;
        size_t n = piece < source.n - at ? piece : source.n - at;
        bool last = at + piece > source.n;
        importer->step(import, (struct str){source.s + at, n}, last, &news);
        if (news.reader) {
            void *before = import;
            const struct importer *first = importer;
            importer = news.reader;
            import = importer->start();
            importer->step(import, news.source, last, &news);
            first->stop(before);
        }
        add(&made, &news, source.n);
        while (news.more) {
            importer->step(import, STR(""), last, &news);
            add(&made, &news, source.n);
        }
    }
    importer->stop(import);
    return made;
}

static void whole_records(const struct made *made) {
    size_t n = made->words.n / 8;
    uint64_t *words = err_malloc(made->words.n + 1), size;
    if (n > 0)
        memcpy(words, made->words.v, made->words.n);
    for (size_t at = 0; at < n; at += size) {
        struct fxt_record record;
        size = record_words(words[at]);
        FUZZ_MUST(size > 0 && size <= n - at);
        record_decode(&record, words + at, size, size, false);
        FUZZ_MUST(record.faults == 0);
    }
    free(words);
}

void fuzz_import_of(const struct importer *importer, struct str source, size_t piece) {
    size_t size = source.n + 1;
    importer->sniff(source, true);
    importer->sniff(source, false);
    struct made whole = convert(importer, source, size), cut = convert(importer, source, piece);
    whole_records(&whole);
    /* a sample may have all frames that there are, a byte of zlib a thousand of a packet */
    FUZZ_MUST(whole.words.n <= 4096 * size + 4 * size * size + 4096);
    FUZZ_MUST(whole.words.n == cut.words.n &&
              (cut.words.n == 0 || memcmp(whole.words.v, cut.words.v, cut.words.n) == 0));
    FUZZ_MUST(whole.marks.n == cut.marks.n && whole.cases == cut.cases);
    vec_free(&whole.words);
    vec_free(&whole.marks);
    vec_free(&cut.words);
    vec_free(&cut.marks);
}

void fuzz_import(const uint8_t *data, size_t size) {
    for (size_t i = 0; size > 0 && importers[i]; i++)
        fuzz_import_of(importers[i], (struct str){(const char *)data + 1, size - 1}, data[0] + 1u);
}
